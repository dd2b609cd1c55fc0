//! Known numbers of positions at each depth, by plain breadth-first search: they prove the semantics of
//! moves, names, costs and default moves. The definitions are written for these tests.

use std::collections::HashSet;

use super::{Definition, MoveCost, Transformation, parse, to_gap, to_kpuzzle, to_tws};

fn read(text: &str, hint: &str) -> Definition {
    parse(text.as_bytes(), hint).unwrap_or_else(|error| panic!("{hint}: {error}"))
}

/// A state as labels, orientations and moduli of all slots. Labels are below 256 in these tests.
type State = Box<[u8]>;

fn moved(state: &State, transformation: &Transformation) -> State {
    let slots = state.len() / 3;
    let mut next = vec![0; state.len()].into_boxed_slice();
    let mut offset = 0;
    for orbit in transformation.orbits() {
        for (slot, (&from, &twist)) in orbit.from().iter().zip(orbit.twist()).enumerate() {
            let (to, from) = (offset + slot, offset + usize::from(from));
            let modulus = state[2 * slots + from];
            next[to] = state[from];
            next[slots + to] = (state[slots + from] + twist) % modulus;
            next[2 * slots + to] = modulus;
        }
        offset += orbit.from().len();
    }
    next
}

/// The number of positions at each depth, with every searched move at cost 1, or with the moves of cost 1.
pub(super) fn levels(definition: &Definition, cost: MoveCost) -> Vec<usize> {
    let moves = definition.searched_moves(cost).unwrap_or_else(|error| panic!("{error}"));
    let moves: Vec<_> = moves.iter().filter(|one| one.cost == 1).map(|one| &one.transformation).collect();
    let orbits = definition.solved().orbits();
    let labels = orbits.iter().flat_map(|orbit| orbit.pieces().iter().map(|&piece| piece as u8));
    let orientations = orbits.iter().flat_map(|orbit| orbit.orientation().to_vec());
    let moduli = orbits.iter().flat_map(|orbit| orbit.modulus().to_vec());
    let solved: State = labels.chain(orientations).chain(moduli).collect();
    let mut seen = HashSet::from([solved.clone()]);
    let (mut frontier, mut counts) = (vec![solved], Vec::new());
    while !frontier.is_empty() {
        counts.push(frontier.len());
        let mut next = Vec::new();
        for state in &frontier {
            for transformation in &moves {
                let child = moved(state, transformation);
                if seen.insert(child.clone()) {
                    next.push(child);
                }
            }
        }
        frontier = next;
    }
    counts
}

/// Axial pieces at the vertices U, L, R, B, and edges UL, UR, UB, LR, LB, RB.
const PYRAMINX: &str = "Name pyraminx\nSet AXIAL 4 3\nSet EDGE 6 2\nSolved\nEnd\n\
    Move U\nAXIAL\n1 2 3 4\n1 0 0 0\nEDGE\n3 1 2 4 5 6\nEnd\n\
    Move L\nAXIAL\n1 2 3 4\n0 1 0 0\nEDGE\n4 2 3 5 1 6\n1 0 0 1 0 0\nEnd\n\
    Move R\nAXIAL\n1 2 3 4\n0 0 1 0\nEDGE\n1 6 3 2 5 4\n0 0 0 1 0 1\nEnd\n\
    Move B\nAXIAL\n1 2 3 4\n0 0 0 1\nEDGE\n1 2 5 4 6 3\nEnd\n";

#[test]
fn pyraminx_without_tips() {
    let expected = [1, 8, 48, 288, 1728, 9896, 51808, 220111, 480467, 166276, 2457, 32];
    let definition = read(PYRAMINX, "p.tws");
    assert_eq!(levels(&definition, MoveCost::Unit), expected);
    // The same puzzle in other formats.
    let json = to_kpuzzle(&definition).unwrap_or_else(|error| panic!("{error}"));
    let kpuzzle = read(&json.text, "p.json");
    assert_eq!(kpuzzle.digest(), definition.digest());
    let text = to_tws(&kpuzzle).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read(&text.text, "p.tws").digest(), definition.digest());
    for (a, b) in kpuzzle.moves().iter().zip(definition.moves()) {
        assert_eq!((a, a.transformation.order().to_string()), (b, "3".into()));
    }
}

/// Corners in a ring and edges that flip; each move swaps two corners.
const FLOPPY: &str = "Set CORNER 4 1\nSet EDGE 4 2\nSolved\nEnd\n\
    Move R\nCORNER\n2 1 3 4\nEDGE\n1 2 3 4\n1 0 0 0\nEnd\n\
    Move F\nCORNER\n1 3 2 4\nEDGE\n1 2 3 4\n0 1 0 0\nEnd\n\
    Move L\nCORNER\n1 2 4 3\nEDGE\n1 2 3 4\n0 0 1 0\nEnd\n\
    Move B\nCORNER\n4 2 3 1\nEDGE\n1 2 3 4\n0 0 0 1\nEnd\n";

#[test]
fn floppy_cube() {
    let definition = read(FLOPPY, "floppy.tws");
    let expected = [1, 4, 10, 24, 53, 64, 31, 4, 1];
    assert_eq!(levels(&definition, MoveCost::Unit), expected);
    // As stickers of GAP, where an edge has two points.
    let gap = to_gap(&definition).unwrap_or_else(|error| panic!("{error}"));
    let stickers = read(&gap.text, "floppy.gap");
    assert_eq!((stickers.slots(), levels(&stickers, MoveCost::Unit)), (12, expected.to_vec()));
    // With the orientation of edges ignored, only the corners remain: 24 arrangements.
    let ignored = FLOPPY.replace("Solved\n", "Solved\nEDGE\n1 2 3 4\n? ? ? ?\n");
    let ignored = read(&ignored, "floppy.tws");
    assert_eq!(levels(&ignored, MoveCost::Unit).iter().sum::<usize>(), 24);
}

/// The reversal of the first `count` of `slots` items, as a list.
fn reversal(count: usize, slots: usize) -> String {
    format!("{:?}", (0..count).rev().chain(count..slots).collect::<Vec<_>>())
}

fn rotation(by: usize, slots: usize) -> String {
    format!("{:?}", (0..slots).map(|slot| (slot + by) % slots).collect::<Vec<_>>())
}

fn top_spin(slots: usize) -> Definition {
    let (left, right, flip) = (rotation(1, slots), rotation(slots - 1, slots), reversal(4, slots));
    let text = format!(r#"{{"generators": [{left}, {right}, {flip}], "generator_names": ["L", "R", "F"]}}"#);
    read(&text, "top-spin.json")
}

#[test]
fn top_spin_of_even_and_odd_size() {
    let even = [
        1, 3, 6, 12, 23, 44, 85, 148, 244, 389, 621, 996, 1584, 2484, 3764, 5452, 6968, 7138, 6292, 3036,
        848, 166, 16,
    ];
    assert_eq!(levels(&top_spin(8), MoveCost::Unit), even);
    // All generators are even permutations, so half of the arrangements are reached.
    let odd = [
        1, 3, 6, 12, 24, 46, 88, 168, 322, 613, 1137, 2095, 3745, 6385, 10697, 17134, 24461, 30412, 32269,
        27633, 17101, 5884, 1112, 92,
    ];
    assert_eq!(levels(&top_spin(9), MoveCost::Unit), odd);
}

#[test]
fn rotations_and_a_swap() {
    let swap = reversal(2, 8);
    let text = format!("{{\"generators\": [{}, {}, {swap}]}}", rotation(1, 8), rotation(7, 8));
    let counts = levels(&read(&text, "lrx.json"), MoveCost::Unit);
    assert_eq!((counts.len() - 1, counts.last(), counts.iter().sum::<usize>()), (28, Some(&1), 40_320));
    // Without the right rotation the set is not closed under inversion; all positions are still reached.
    let text = format!("{{\"generators\": [{}, {swap}]}}", rotation(1, 8));
    let counts = levels(&read(&text, "lx.json"), MoveCost::Unit);
    assert_eq!((counts[1], counts.iter().sum::<usize>()), (2, 40_320));
}

#[test]
fn pancakes() {
    let moves: Vec<String> = (2..=7).map(|count| format!("'p{count}': {}", reversal(count, 7))).collect();
    let text = format!("puzzle_type,allowed_moves\npancake,\"{{{}}}\"\n", moves.join(", "));
    let definition = read(&text, "puzzle_info.csv#pancake");
    assert_eq!(levels(&definition, MoveCost::Unit), [1, 6, 30, 149, 543, 1357, 1903, 1016, 35]);
}

#[test]
fn burnt_pancakes() {
    let moves = (1..=7).map(|count| {
        let delta: Vec<u8> = (0..7).map(|slot| (slot < count).into()).collect();
        let from = reversal(count, 7);
        format!(r#""p{count}": {{"A": {{"permutation": {from}, "orientationDelta": {delta:?}}}}}"#)
    });
    let moves: Vec<String> = moves.collect();
    let text = format!(
        r#"{{"orbits": [{{"orbitName": "A", "numPieces": 7, "numOrientations": 2}}], "defaultPattern":
            {{"A": {{"pieces": [0, 1, 2, 3, 4, 5, 6], "orientation": [0, 0, 0, 0, 0, 0, 0]}}}},
            "moves": {{{}}}}}"#,
        moves.join(", ")
    );
    let expected = [1, 7, 42, 252, 1386, 6230, 24024, 71568, 159326, 222995, 136301, 21951, 1021, 15, 1];
    assert_eq!(levels(&read(&text, "burnt.json"), MoveCost::Unit), expected);
}

#[test]
fn loopover() {
    let mut text = String::new();
    for line in 0..3 {
        let (row, column) = (3 * line + 1, line + 1);
        text.push_str(&format!("M_R{line}x:=({row},{},{});\n", row + 1, row + 2));
        text.push_str(&format!("M_C{line}x:=({column},{},{});\n", column + 3, column + 6));
    }
    // Every generator has order 3, so all powers are the 12 moves.
    let definition = read(&text, "loopover.gap").with_searched(super::SearchedPowers::All);
    let expected = [1, 12, 96, 736, 5208, 28674, 89497, 54741, 2475];
    assert_eq!(levels(&definition, MoveCost::Unit), expected);
}

/// The pocket cube with one corner fixed, of which the moves of two faces generate a subgroup of 29,160
/// positions. Powers of one move cost 1 or, in quanta, |k|.
#[test]
fn two_faces_of_the_pocket_cube() {
    // U cycles the corners 1 2 3 4, R the corners 1 4 5 6 with twists.
    let text = "Set CORNER 6 3\nSolved\nEnd\nMove U\nCORNER\n4 1 2 3 5 6\nEnd\n\
                Move R\nCORNER\n4 2 3 5 6 1\n2 0 0 1 2 1\nEnd\n";
    let definition = read(text, "ur.tws");
    let half_turns = levels(&definition, MoveCost::Unit);
    let quarter_turns = levels(&definition, MoveCost::Quanta);
    let total = |counts: &[usize]| counts.iter().sum::<usize>();
    assert_eq!((total(&half_turns), total(&quarter_turns)), (29_160, 29_160));
    assert_eq!((half_turns[1], quarter_turns[1]), (6, 4));
}
