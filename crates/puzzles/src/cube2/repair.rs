//! Pocket cubes near one that is none or cannot be solved.

use untumble_search::frontend::{InputFormat, Parsed, PuzzleText, Repair};

use super::coordinates::{numbered, placed};
use super::frontend::SIDE;
use super::{Cube2, held};
use crate::cube::pieces::{CORNERS, corner_stickers};
use crate::cube::repair::{MOST, called, filled, painted, untwisted};
use crate::cube::{Scheme, Text, read};

/// See [`PuzzleText::repairs`].
pub(super) fn near(cube2: &Cube2, text: &str, form: &InputFormat) -> Vec<Repair> {
    match (cube2.parse(text, true, form), read(SIDE, text, true, form)) {
        (Ok(Parsed::Position(corners)), _) if cube2.check(&corners).is_ok() => Vec::new(),
        (Ok(Parsed::Position(corners)), _) => untwisted(&placed(corners), SIDE, Some(held::SLOT))
            .into_iter()
            .filter_map(|(corners, step)| {
                let (what, changes) = step?;
                Some(Repair { position: cube2.text(&numbered(&corners)), what, changes })
            })
            .collect(),
        (_, Ok(Text::Stickers(symbols))) => repainted(cube2, &symbols.letters),
        _ => Vec::new(),
    }
}

/// As few stickers as possible painted over, where the letters are those of the faces.
fn repainted(cube2: &Cube2, symbols: &[char]) -> Vec<Repair> {
    let slots = corner_stickers::<SIDE>();
    let mut all = Vec::new();
    for corners in filled(&CORNERS, &slots, symbols, &Scheme::OWN) {
        let position = Cube2::position(&corners);
        let wrong = painted(&CORNERS, &slots, &corners, symbols, &Scheme::OWN);
        let count = wrong.len();
        if let (Ok(()), Some((what, changes))) = (cube2.check(&position), called(SIDE, wrong)) {
            all.push((count, Repair { position: cube2.text(&position), what, changes }));
        }
    }
    all.sort_by(|a, b| (a.0, &a.1.what).cmp(&(b.0, &b.1.what)));
    all.into_iter().take(MOST).map(|(_, repair)| repair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Metric;

    const SOLVED: &str = "UUUURRRRFFFFDDDDLLLLBBBB";

    fn repairs(text: &str) -> Vec<Repair> {
        let cube2 = Cube2::new(Metric::Htm);
        let all = cube2.repairs(text, &InputFormat::default());
        for repair in &all {
            let Ok(Parsed::Position(corners)) = cube2.parse(&repair.position, true, &InputFormat::default())
            else {
                panic!("{repair:?} is no cube");
            };
            assert_eq!(cube2.check(&corners), Ok(()), "{repair:?}");
        }
        all
    }

    #[test]
    fn a_corner_is_turned_or_a_sticker_painted_over() {
        // Of the corner at UFR, the stickers U4, R1 and F2.
        let first =
            |text: &str| repairs(text).into_iter().next().map(|repair| (repair.position, repair.what));
        let expected = |what: &str| Some((SOLVED.to_owned(), what.to_owned()));
        assert_eq!(
            first("UUURFRRRFUFFDDDDLLLLBBBB"),
            expected("turn the corner at UFR clockwise by a third")
        );
        assert_eq!(first("UUUDRRRRFFFFDDDDLLLLBBBB"), expected("paint U4 U"));
        assert!(repairs(SOLVED).is_empty() && repairs(&"U".repeat(24)).is_empty());
    }
}
