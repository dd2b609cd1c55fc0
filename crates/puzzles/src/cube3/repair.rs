//! Cubes near one that is none or cannot be solved.

use untumble_search::frontend::{Change, InputFormat, Parsed, PuzzleText, Repair};

use super::frontend::SIDE;
use super::{Cube, Cube3};
use crate::cube::pieces::{CORNERS, EDGES, corner_stickers, edge_stickers};
use crate::cube::repair::{MOST, called, filled, painted, unexchanged, unflipped, untwisted};
use crate::cube::{Scheme, Text, read};

/// See [`PuzzleText::repairs`].
pub(super) fn near(cube3: &Cube3, text: &str, form: &InputFormat) -> Vec<Repair> {
    match (cube3.parse(text, true, form), read(SIDE, text, true, form)) {
        (Ok(Parsed::Position(cube)), _) if cube3.check(&cube).is_ok() => Vec::new(),
        (Ok(Parsed::Position(cube)), _) => mended(cube3, cube),
        (_, Ok(Text::Stickers(symbols))) => repainted(cube3, &symbols.letters),
        _ => Vec::new(),
    }
}

/// A piece turned, a piece flipped, two exchanged: whatever is needed, in the likeliest ways.
fn mended(cube3: &Cube3, cube: Cube) -> Vec<Repair> {
    let (corners, edges) = (untwisted(&cube.corners(), SIDE, None), unflipped(&cube.edges()));
    let repair = |place: usize| {
        let at = |count: usize| place.min(count - 1);
        let (corners, turned) = &corners[at(corners.len())];
        let (edges, flipped) = &edges[at(edges.len())];
        let ways = unexchanged(corners, edges);
        let (edges, exchanged) = &ways[at(ways.len())];
        let steps = [turned, flipped, exchanged].into_iter().flatten().cloned();
        let (what, changes): (Vec<String>, Vec<Vec<Change>>) = steps.unzip();
        let position = cube3.text(&Cube::of(corners, edges));
        Repair { position, what: what.join(", "), changes: changes.concat() }
    };
    let mut all: Vec<Repair> = (0..MOST).map(repair).collect();
    all.dedup();
    all
}

/// As few stickers as possible painted over.
fn repainted(cube3: &Cube3, symbols: &[char]) -> Vec<Repair> {
    let Some(scheme) = Scheme::of_centres_alone(symbols) else { return Vec::new() };
    let (corner_slots, edge_slots) = (corner_stickers::<SIDE>(), edge_stickers());
    let corners = filled(&CORNERS, &corner_slots, symbols, &scheme);
    let edges = filled(&EDGES, &edge_slots, symbols, &scheme);
    let mut all = Vec::new();
    for corners in &corners {
        for edges in &edges {
            let cube = Cube::of(corners, edges);
            if cube3.check(&cube).is_err() {
                continue;
            }
            let mut wrong = painted(&CORNERS, &corner_slots, corners, symbols, &scheme);
            wrong.extend(painted(&EDGES, &edge_slots, edges, symbols, &scheme));
            let count = wrong.len();
            if let Some((what, changes)) = called(SIDE, wrong) {
                all.push((count, Repair { position: cube3.text(&cube), what, changes }));
            }
        }
    }
    all.sort_by(|a, b| (a.0, &a.1.what).cmp(&(b.0, &b.1.what)));
    all.into_iter().take(MOST).map(|(_, repair)| repair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Metric;

    const SOLVED: &str = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";

    fn repairs(text: &str) -> Vec<Repair> {
        let cube3 = Cube3::new(Metric::Htm);
        let all = cube3.repairs(text, &InputFormat::default());
        for repair in &all {
            let Ok(Parsed::Position(cube)) = cube3.parse(&repair.position, true, &InputFormat::default())
            else {
                panic!("{repair:?} is no cube");
            };
            assert_eq!(cube3.check(&cube), Ok(()), "{repair:?}");
        }
        all
    }

    /// The solved cube with these stickers, numbered from 0, painted over.
    fn painted(changes: &[(usize, char)]) -> String {
        let mut symbols: Vec<char> = SOLVED.chars().collect();
        changes.iter().for_each(|&(at, letter)| symbols[at] = letter);
        symbols.into_iter().collect()
    }

    #[track_caller]
    fn mends(changes: &[(usize, char)], what: &str) {
        let all = repairs(&painted(changes));
        assert_eq!(all.first().map(|repair| (&*repair.position, &*repair.what)), Some((SOLVED, what)));
    }

    #[test]
    fn what_cannot_be_solved_is_turned_flipped_or_exchanged() {
        // Of the corner at UFR, the stickers U9, R1 and F3.
        mends(&[(8, 'R'), (9, 'F'), (20, 'U')], "turn the corner at UFR clockwise by a third");
        mends(&[(8, 'F'), (9, 'U'), (20, 'R')], "turn the corner at UFR anticlockwise by a third");
        // Of the edge at UF, U8 and F2; of the one at UR, U6 and R2.
        mends(&[(7, 'F'), (19, 'U')], "flip the edge at UF");
        mends(&[(19, 'R'), (10, 'F')], "exchange the edges at UR and UF");
        assert!(repairs(SOLVED).is_empty(), "nothing is wrong");
    }

    #[test]
    fn a_wrong_sticker_is_painted_over() {
        mends(&[(8, 'D')], "paint U9 U");
        mends(&[(10, 'F')], "paint R2 R");
        mends(&[(8, 'D'), (19, 'B')], "paint U9 U, F2 F");
        assert!(repairs(&painted(&[(4, 'R')])).is_empty(), "two centres alike");
        assert!(repairs(&"U".repeat(54)).is_empty());
        assert!(repairs("hello").is_empty());
    }
}
