//! Moves as people write them: `R U2 F'`, wide turns, slices and rotations.

use untumble_search::error::span_in;

use super::error::{CubeError, MoveFault};
use super::face::Face;
use super::pieces::{Placed, after, solved, turned_corners};
use super::stickers::{Layers, Turn};
use crate::sanitize::sanitize as echo;

/// Reads moves, with or without blanks between, on a cube of `side` layers.
pub fn read(text: &str, side: usize) -> Result<Vec<Turn>, CubeError> {
    read_part(text, text, side)
}

/// The same of a part of `source`, which spans refer to.
pub(super) fn read_part(source: &str, text: &str, side: usize) -> Result<Vec<Turn>, CubeError> {
    let mut turns = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some((at, letter)) = rest.next() {
        if letter.is_whitespace() || letter == ',' {
            continue;
        }
        let place = turns.len() + 1;
        let wrong = |fault: MoveFault| {
            let word = text[at..].split_whitespace().next().unwrap_or("");
            Err(CubeError::Move { number: place, fault, found: echo(word), span: span_in(source, word) })
        };
        let Some((face, mut layers)) = turning(letter) else {
            return wrong(MoveFault::Unknown);
        };
        if layers == Layers::Slice && side == 2 {
            return wrong(MoveFault::NoSlice);
        }
        if layers == Layers::Outer && rest.next_if(|&(_, c)| c == 'w').is_some() {
            layers = Layers::Wide;
        }
        let (mut count, mut back) = (None, false);
        while let Some(&(_, c)) = rest.peek() {
            match c {
                '\'' | '’' | '′' | '-' if !back => back = true,
                '0'..='9' if count.is_none() => count = c.to_digit(10),
                '\'' | '’' | '′' | '-' | '0'..='9' => {
                    return wrong(MoveFault::Suffix);
                }
                _ => break,
            }
            rest.next();
        }
        let count = match count {
            None => 1,
            Some(count @ 1..=3) => count as u8,
            Some(_) => return wrong(MoveFault::Quarters),
        };
        let quarters = if back { 4 - count } else { count };
        turns.push(Turn { face, layers, quarters });
    }
    Ok(turns)
}

/// What a letter turns. Slices go with L, D and F, rotations with R, U and F.
fn turning(letter: char) -> Option<(Face, Layers)> {
    if let Some(face) = Face::of(letter) {
        return Some((face, Layers::Outer));
    }
    match letter {
        'M' => Some((Face::L, Layers::Slice)),
        'E' => Some((Face::D, Layers::Slice)),
        'S' => Some((Face::F, Layers::Slice)),
        'x' => Some((Face::R, Layers::Whole)),
        'y' => Some((Face::U, Layers::Whole)),
        'z' => Some((Face::F, Layers::Whole)),
        _ => Face::of(letter.to_ascii_uppercase()).map(|face| (face, Layers::Wide)),
    }
}

/// The same as turns of `faces` alone, seen by someone who does not turn along with the cube: a wide turn is a turn of
/// the opposite face and a rotation, so is the turn of a face that is not among `faces`, and rotations
/// decide which faces later turns mean.
pub fn plain(turns: &[Turn], side: usize, faces: &[Face]) -> Vec<(Face, u8)> {
    hand(turns, side, faces).turns
}

/// The same as turns of any face, seen by someone who holds the cube from the beginning as it is held in the end.
pub fn seen_from_the_end(turns: &[Turn], side: usize) -> impl Iterator<Item = (Face, u8)> {
    let Hand { was, turns, .. } = hand(turns, side, &Face::ALL);
    turns.into_iter().map(move |(face, quarters)| {
        let now = Face::ALL.into_iter().find(|now| was[now.index()] == face);
        (now.unwrap_or(face), quarters)
    })
}

/// The corners after moves from solved, as the cube is held in the end.
pub fn corners_after(turns: &[Turn], side: usize) -> [Placed; 8] {
    let turn = |corners: [Placed; 8], (face, quarters)| after(&corners, &turned_corners(face, quarters), 3);
    seen_from_the_end(turns, side).fold(solved(), turn)
}

fn hand<'a>(turns: &[Turn], side: usize, faces: &'a [Face]) -> Hand<'a> {
    let mut hand = Hand { faces, was: Face::ALL, turns: Vec::new() };
    for &Turn { face, layers, quarters } in turns {
        match layers {
            Layers::Outer => hand.turn(face, quarters),
            Layers::Wide if side > 2 => {
                hand.rotate(face, quarters);
                hand.turn(face.opposite(), quarters);
            }
            Layers::Wide | Layers::Whole => hand.rotate(face, quarters),
            Layers::Slice => {
                hand.turn(face.opposite(), quarters);
                hand.turn(face, 4 - quarters);
                hand.rotate(face, quarters);
            }
        }
    }
    hand
}

/// Someone who rotates a cube while turning it.
struct Hand<'a> {
    faces: &'a [Face],
    /// Which face each one, as held now, was in the beginning.
    was: [Face; 6],
    turns: Vec<(Face, u8)>,
}

impl Hand<'_> {
    fn rotate(&mut self, axis: Face, quarters: u8) {
        let before = self.was;
        for face in Face::ALL {
            self.was[face.carried(axis, quarters).index()] = before[face.index()];
        }
    }

    fn turn(&mut self, face: Face, quarters: u8) {
        let was = self.was[face.index()];
        if self.faces.contains(&was) {
            self.turns.push((was, quarters));
        } else {
            self.turns.push((was.opposite(), quarters));
            self.rotate(face, quarters);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Stickers;
    use proptest::prelude::*;

    fn named(text: &str) -> Vec<(Face, u8)> {
        plain(&read(text, 3).expect(text), 3, &Face::ALL)
    }

    #[test]
    fn the_ways_to_write_a_turn() {
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
            assert_eq!(named(text), named(same), "{text}");
        }
    }

    #[test]
    fn mistakes_are_named() {
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
            let error = read(text, side).expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    fn rotations<const SIDE: usize>(cube: &Stickers<SIDE>) -> Vec<Stickers<SIDE>> {
        let whole = |face| Turn { face, layers: Layers::Whole, quarters: 1 };
        let mut all = vec![cube.clone()];
        let mut at = 0;
        while at < all.len() {
            for face in [Face::U, Face::R] {
                let next = all[at].turned(whole(face));
                if !all.contains(&next) {
                    all.push(next);
                }
            }
            at += 1;
        }
        all
    }

    proptest! {
        /// Turns of faces alone lead to the same cube, held some other way.
        #[test]
        fn plain_turns_do_the_same(text in "([UDLRFBudlrfbMESxyz][2'3]? ?){0,12}") {
            let turns = read(&text, 3).expect("notation");
            let done = turns.iter().fold(Stickers::<3>::solved(), |cube, &turn| cube.turned(turn));
            let plain = plain(&turns, 3, &Face::ALL);
            let held = plain.into_iter().fold(Stickers::<3>::solved(), |cube, (face, q)| cube.turned(Turn::of(face, q)));
            prop_assert!(rotations(&held).contains(&done));
        }

        #[test]
        fn so_do_turns_of_three_faces_of_a_pocket_cube(text in "([UDLRFBudlrfbxyz][2'3]? ?){0,12}") {
            let turns = read(&text, 2).expect("notation");
            let done = turns.iter().fold(Stickers::<2>::solved(), |cube, &turn| cube.turned(turn));
            let plain = plain(&turns, 2, &[Face::U, Face::R, Face::F]);
            let held = plain.into_iter().fold(Stickers::<2>::solved(), |cube, (face, q)| cube.turned(Turn::of(face, q)));
            prop_assert!(rotations(&held).contains(&done));
        }

        #[test]
        fn any_text_is_read_or_refused(text in ".{0,40}") {
            let _ = read(&text, 2);
            let _ = read(&text, 3);
        }
    }
}
