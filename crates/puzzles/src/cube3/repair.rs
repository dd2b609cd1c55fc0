//! Repairs of invalid or unsolvable cubes.

use untumble_search::frontend::{Change, InputFormat, Parsed, PuzzleText, Repair};

use super::frontend::SIDE;
use super::{Cube, Cube3};
use crate::cube::pieces::{CORNERS, EDGES, corner_stickers, edge_stickers};
use crate::cube::repair::{
    MAX_REPAIRS, describe_recolouring, fill_slots, fix_flip, fix_parity, fix_twist, recoloured_stickers,
};
use crate::cube::{ColourScheme, CubeInput, parse_input};

/// See [`PuzzleText::repairs`].
pub(super) fn repairs(cube3: &Cube3, text: &str, form: &InputFormat) -> Vec<Repair> {
    match (cube3.parse(text, true, form), parse_input(SIDE, text, true, form)) {
        (Ok(Parsed::Position(cube)), _) if cube3.check_solvable(&cube).is_ok() => Vec::new(),
        (Ok(Parsed::Position(cube)), _) => fix_invariants(cube3, cube),
        (_, Ok(CubeInput::Stickers(symbols))) => recolour(cube3, &symbols.letters),
        _ => Vec::new(),
    }
}

/// Twists a corner, flips an edge and exchanges two edges where needed. The likeliest repairs come first.
fn fix_invariants(cube3: &Cube3, cube: Cube) -> Vec<Repair> {
    let (corners, edges) = (fix_twist(&cube.corners(), SIDE, None), fix_flip(&cube.edges()));
    let repair = |rank: usize| {
        let capped = |count: usize| rank.min(count - 1);
        let (corners, turned) = &corners[capped(corners.len())];
        let (edges, flipped) = &edges[capped(edges.len())];
        let parity_fixes = fix_parity(corners, edges);
        let (edges, exchanged) = &parity_fixes[capped(parity_fixes.len())];
        let steps = [turned, flipped, exchanged].into_iter().flatten().cloned();
        let (what, changes): (Vec<String>, Vec<Vec<Change>>) = steps.unzip();
        let position = cube3.text(&Cube::from_pieces(corners, edges));
        Repair { position, what: what.join(", "), changes: changes.concat() }
    };
    let mut all: Vec<Repair> = (0..MAX_REPAIRS).map(repair).collect();
    all.dedup();
    all
}

/// Recolours as few stickers as possible.
fn recolour(cube3: &Cube3, symbols: &[char]) -> Vec<Repair> {
    let Some(scheme) = ColourScheme::from_distinct_centres(symbols) else { return Vec::new() };
    let (corner_slots, edge_slots) = (corner_stickers::<SIDE>(), edge_stickers());
    let corners = fill_slots(&CORNERS, &corner_slots, symbols, &scheme);
    let edges = fill_slots(&EDGES, &edge_slots, symbols, &scheme);
    let mut repairs = Vec::new();
    for corners in &corners {
        for edges in &edges {
            let cube = Cube::from_pieces(corners, edges);
            if cube3.check_solvable(&cube).is_err() {
                continue;
            }
            let mut wrong = recoloured_stickers(&CORNERS, &corner_slots, corners, symbols, &scheme);
            wrong.extend(recoloured_stickers(&EDGES, &edge_slots, edges, symbols, &scheme));
            let count = wrong.len();
            if let Some((what, changes)) = describe_recolouring(SIDE, wrong) {
                repairs.push((count, Repair { position: cube3.text(&cube), what, changes }));
            }
        }
    }
    repairs.sort_by(|a, b| (a.0, &a.1.what).cmp(&(b.0, &b.1.what)));
    repairs.into_iter().take(MAX_REPAIRS).map(|(_, repair)| repair).collect()
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
            assert_eq!(cube3.check_solvable(&cube), Ok(()), "{repair:?}");
        }
        all
    }

    /// The solved cube with these stickers recoloured.
    fn recoloured(changes: &[(usize, char)]) -> String {
        let mut symbols: Vec<char> = SOLVED.chars().collect();
        changes.iter().for_each(|&(at, letter)| symbols[at] = letter);
        symbols.into_iter().collect()
    }

    #[track_caller]
    fn check_repair(changes: &[(usize, char)], what: &str) {
        let all = repairs(&recoloured(changes));
        assert_eq!(all.first().map(|repair| (&*repair.position, &*repair.what)), Some((SOLVED, what)));
    }

    #[test]
    fn unsolvable_cubes_are_repaired_by_one_change() {
        // Corner UFR: stickers U9, R1 and F3.
        check_repair(&[(8, 'R'), (9, 'F'), (20, 'U')], "turn the corner at UFR clockwise by a third");
        check_repair(&[(8, 'F'), (9, 'U'), (20, 'R')], "turn the corner at UFR anticlockwise by a third");
        // Edge UF: stickers U8 and F2; edge UR: U6 and R2.
        check_repair(&[(7, 'F'), (19, 'U')], "flip the edge at UF");
        check_repair(&[(19, 'R'), (10, 'F')], "exchange the edges at UR and UF");
        assert!(repairs(SOLVED).is_empty(), "nothing is wrong");
    }

    #[test]
    fn wrong_stickers_are_recoloured() {
        check_repair(&[(8, 'D')], "paint U9 U");
        check_repair(&[(10, 'F')], "paint R2 R");
        check_repair(&[(8, 'D'), (19, 'B')], "paint U9 U, F2 F");
        assert!(repairs(&recoloured(&[(4, 'R')])).is_empty(), "two equal centres");
        assert!(repairs(&"U".repeat(54)).is_empty());
        assert!(repairs("hello").is_empty());
    }
}
