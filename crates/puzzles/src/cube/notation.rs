//! Move notation: face turns (`R U2 F'`), wide turns (`Rw`, `r`), slice turns (`M`, `E`, `S`) and rotations
//! (`x`, `y`, `z`), as in Singmaster's notation with the extensions of the World Cube Association.

use untumble_search::error::span_in;

use super::error::{CubeError, MoveFault};
use super::face::Face;
use super::pieces::{Cubie, compose, corner_move, identity};
use super::stickers::{Layers, Turn};
use crate::sanitize::sanitize;

/// Parses moves, with or without blanks between them, on a cube of `side` layers.
pub fn parse_moves(text: &str, side: usize) -> Result<Vec<Turn>, CubeError> {
    parse_moves_in(text, text, side)
}

/// Parses the moves in `text`, a part of the whole input `source`; the spans of errors are byte ranges of
/// `source`.
pub(super) fn parse_moves_in(source: &str, text: &str, side: usize) -> Result<Vec<Turn>, CubeError> {
    let mut turns = Vec::new();
    let mut characters = text.char_indices().peekable();
    while let Some((offset, letter)) = characters.next() {
        if letter.is_whitespace() || letter == ',' {
            continue;
        }
        let number = turns.len() + 1;
        let wrong = |fault: MoveFault| {
            let word = text[offset..].split_whitespace().next().unwrap_or("");
            Err(CubeError::Move { number, fault, found: sanitize(word), span: span_in(source, word) })
        };
        let Some((face, mut layers)) = layers_of_letter(letter) else {
            return wrong(MoveFault::Unknown);
        };
        if layers == Layers::Slice && side == 2 {
            return wrong(MoveFault::NoSlice);
        }
        if layers == Layers::Outer && characters.next_if(|&(_, c)| c == 'w').is_some() {
            layers = Layers::Wide;
        }
        let (mut count, mut prime) = (None, false);
        while let Some(&(_, c)) = characters.peek() {
            match c {
                '\'' | '’' | '′' | '-' if !prime => prime = true,
                '0'..='9' if count.is_none() => count = c.to_digit(10),
                '\'' | '’' | '′' | '-' | '0'..='9' => {
                    return wrong(MoveFault::Suffix);
                }
                _ => break,
            }
            characters.next();
        }
        let count = match count {
            None => 1,
            Some(count @ 1..=3) => count as u8,
            Some(_) => return wrong(MoveFault::Quarters),
        };
        let quarters = if prime { 4 - count } else { count };
        turns.push(Turn { face, layers, quarters });
    }
    Ok(turns)
}

/// The layers that a letter turns. Slices turn in the direction of L, D and F, rotations in that of R, U
/// and F.
fn layers_of_letter(letter: char) -> Option<(Face, Layers)> {
    if let Some(face) = Face::from_letter(letter) {
        return Some((face, Layers::Outer));
    }
    match letter {
        'M' => Some((Face::L, Layers::Slice)),
        'E' => Some((Face::D, Layers::Slice)),
        'S' => Some((Face::F, Layers::Slice)),
        'x' => Some((Face::R, Layers::Whole)),
        'y' => Some((Face::U, Layers::Whole)),
        'z' => Some((Face::F, Layers::Whole)),
        _ => Face::from_letter(letter.to_ascii_uppercase()).map(|face| (face, Layers::Wide)),
    }
}

/// Converts moves to turns of `faces` in a fixed orientation of the cube. A wide turn becomes a turn of the
/// opposite face and a rotation, and so does the turn of a face not in `faces`. A rotation turns nothing; it
/// changes the faces that later letters refer to.
pub fn to_face_turns(turns: &[Turn], side: usize, faces: &[Face]) -> Vec<(Face, u8)> {
    track(turns, side, faces).turns
}

/// Converts moves to face turns as seen in the final orientation of the cube.
pub fn in_final_orientation(turns: &[Turn], side: usize) -> impl Iterator<Item = (Face, u8)> {
    let OrientationTracker { original, turns, .. } = track(turns, side, &Face::ALL);
    turns.into_iter().map(move |(face, quarters)| {
        let current = Face::ALL.into_iter().find(|current| original[current.index()] == face);
        (current.unwrap_or(face), quarters)
    })
}

/// The corners after moves from the solved position, in the final orientation of the cube.
pub fn corners_after_moves(turns: &[Turn], side: usize) -> [Cubie; 8] {
    let turn = |corners: [Cubie; 8], (face, quarters)| compose(&corners, &corner_move(face, quarters), 3);
    in_final_orientation(turns, side).fold(identity(), turn)
}

/// Tracks moves from the original orientation and collects them as turns of `faces`.
fn track<'a>(turns: &[Turn], side: usize, faces: &'a [Face]) -> OrientationTracker<'a> {
    let mut tracker = OrientationTracker { faces, original: Face::ALL, turns: Vec::new() };
    for &Turn { face, layers, quarters } in turns {
        match layers {
            Layers::Outer => tracker.turn(face, quarters),
            Layers::Wide if side > 2 => {
                tracker.rotate(face, quarters);
                tracker.turn(face.opposite(), quarters);
            }
            Layers::Wide | Layers::Whole => tracker.rotate(face, quarters),
            Layers::Slice => {
                tracker.turn(face.opposite(), quarters);
                tracker.turn(face, 4 - quarters);
                tracker.rotate(face, quarters);
            }
        }
    }
    tracker
}

/// Tracks the orientation of the cube through rotations, and collects face turns.
struct OrientationTracker<'a> {
    /// The faces that may turn.
    faces: &'a [Face],
    /// By face in the current orientation: the same face in the original one.
    original: [Face; 6],
    /// The turns so far, in the original orientation.
    turns: Vec<(Face, u8)>,
}

impl OrientationTracker<'_> {
    fn rotate(&mut self, axis: Face, quarters: u8) {
        let before = self.original;
        for face in Face::ALL {
            self.original[face.rotated(axis, quarters).index()] = before[face.index()];
        }
    }

    /// Turns a face. A face not in `faces` becomes a turn of the opposite face and a rotation.
    fn turn(&mut self, face: Face, quarters: u8) {
        let original = self.original[face.index()];
        if self.faces.contains(&original) {
            self.turns.push((original, quarters));
        } else {
            self.turns.push((original.opposite(), quarters));
            self.rotate(face, quarters);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Stickers;
    use proptest::prelude::*;

    fn face_turns(text: &str) -> Vec<(Face, u8)> {
        to_face_turns(&parse_moves(text, 3).expect(text), 3, &Face::ALL)
    }

    #[test]
    fn alternative_notations_are_equivalent() {
        for (text, same) in [
            ("R3", "R'"),
            ("R-", "R'"),
            ("R2'", "R2"),
            ("R'2", "R2"),
            ("R3'", "R"),
            ("R’U′", "R' U'"),
            ("RUR'U'", "R U R' U'"),
            ("R,U\tF2", "R U F2"),
            ("M", "R L'"),
            ("E2", "U2 D2"),
            ("S'", "B' F"),
            ("Rw", "L"),
            ("r'", "L'"),
            ("x U", "F"),
            ("y R", "B"),
            ("z2 U F", "D F"),
            ("Rw U", "L F"),
            ("M U", "R L' B"),
            ("x x x x", ""),
        ] {
            assert_eq!(face_turns(text), face_turns(same), "{text}");
        }
    }

    #[test]
    fn invalid_moves_are_reported() {
        for (side, text, part) in [
            (3, "R U X", "move 3: expected a turn such as R, U2 or F', found `X`"),
            (3, "R4", "move 1: expected 1, 2 or 3 quarter turns, found `R4`"),
            (3, "U R0 F", "move 2: expected 1, 2 or 3 quarter turns, found `R0`"),
            (3, "R22", "one count and one prime"),
            (3, "R''", "one count and one prime"),
            (3, "w", "move 1"),
            (2, "R M", "move 2: a pocket cube has no middle layer to turn, found `M`"),
            (3, "\u{1b}[2J", "found `\u{fffd}[2J`"),
        ] {
            let error = parse_moves(text, side).expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    fn rotations<const SIDE: usize>(cube: &Stickers<SIDE>) -> Vec<Stickers<SIDE>> {
        let whole = |face| Turn { face, layers: Layers::Whole, quarters: 1 };
        let mut all = vec![cube.clone()];
        let mut at = 0;
        while at < all.len() {
            for face in [Face::U, Face::R] {
                let next = all[at].apply(whole(face));
                if !all.contains(&next) {
                    all.push(next);
                }
            }
            at += 1;
        }
        all
    }

    proptest! {
        #[test]
        fn face_turns_lead_to_a_rotation_of_the_same_cube(text in "([UDLRFBudlrfbMESxyz][2'3]? ?){0,12}") {
            let turns = parse_moves(&text, 3).expect("notation");
            let done = turns.iter().fold(Stickers::<3>::solved(), |cube, &turn| cube.apply(turn));
            let face_turns = to_face_turns(&turns, 3, &Face::ALL);
            let turned = face_turns.into_iter().fold(Stickers::<3>::solved(), |cube, (face, q)| cube.apply(Turn::outer(face, q)));
            prop_assert!(rotations(&turned).contains(&done));
        }

        #[test]
        fn turns_of_u_r_f_lead_to_a_rotation_of_the_same_pocket_cube(text in "([UDLRFBudlrfbxyz][2'3]? ?){0,12}") {
            let turns = parse_moves(&text, 2).expect("notation");
            let done = turns.iter().fold(Stickers::<2>::solved(), |cube, &turn| cube.apply(turn));
            let face_turns = to_face_turns(&turns, 2, &[Face::U, Face::R, Face::F]);
            let turned = face_turns.into_iter().fold(Stickers::<2>::solved(), |cube, (face, q)| cube.apply(Turn::outer(face, q)));
            prop_assert!(rotations(&turned).contains(&done));
        }

        #[test]
        fn parsing_never_panics(text in ".{0,40}") {
            let _ = parse_moves(&text, 2);
            let _ = parse_moves(&text, 3);
        }
    }
}
