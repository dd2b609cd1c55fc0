//! Repairs of invalid or unsolvable pocket cubes.

use untumble_search::frontend::{InputFormat, Parsed, PuzzleText, Repair};

use super::coordinates::{coordinates_of, cubies_of};
use super::frontend::SIDE;
use super::{Cube2, fixed_corner};
use crate::cube::pieces::{CORNERS, corner_stickers};
use crate::cube::repair::{MAX_REPAIRS, describe_recolouring, fill_slots, fix_twist, recoloured_stickers};
use crate::cube::{ColourScheme, CubeInput, parse_input};

/// See [`PuzzleText::repairs`].
pub(super) fn repairs(cube2: &Cube2, text: &str, form: &InputFormat) -> Vec<Repair> {
    match (cube2.parse(text, true, form), parse_input(SIDE, text, true, form)) {
        (Ok(Parsed::Position(corners)), _) if cube2.check_solvable(&corners).is_ok() => Vec::new(),
        (Ok(Parsed::Position(corners)), _) => fix_twist(&cubies_of(corners), SIDE, Some(fixed_corner::SLOT))
            .into_iter()
            .filter_map(|(corners, step)| {
                let (what, changes) = step?;
                Some(Repair { position: cube2.text(&coordinates_of(&corners)), what, changes })
            })
            .collect(),
        (_, Ok(CubeInput::Stickers(symbols))) => recolour(cube2, &symbols.letters),
        _ => Vec::new(),
    }
}

/// Recolours as few stickers as possible. The letters must be face letters.
fn recolour(cube2: &Cube2, symbols: &[char]) -> Vec<Repair> {
    let slots = corner_stickers::<SIDE>();
    let mut repairs = Vec::new();
    for corners in fill_slots(&CORNERS, &slots, symbols, &ColourScheme::FACE_LETTERS) {
        let position = Cube2::position(&corners);
        let wrong = recoloured_stickers(&CORNERS, &slots, &corners, symbols, &ColourScheme::FACE_LETTERS);
        let count = wrong.len();
        if let (Ok(()), Some((what, changes))) =
            (cube2.check_solvable(&position), describe_recolouring(SIDE, wrong))
        {
            repairs.push((count, Repair { position: cube2.text(&position), what, changes }));
        }
    }
    repairs.sort_by(|a, b| (a.0, &a.1.what).cmp(&(b.0, &b.1.what)));
    repairs.into_iter().take(MAX_REPAIRS).map(|(_, repair)| repair).collect()
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
            assert_eq!(cube2.check_solvable(&corners), Ok(()), "{repair:?}");
        }
        all
    }

    #[test]
    fn unsolvable_cubes_are_repaired_by_one_change() {
        // Corner UFR: stickers U4, R1 and F2.
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
