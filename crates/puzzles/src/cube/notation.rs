//! Move notation: face turns (`R U2 F'`), wide turns (`Rw`, `r`), slice turns (`M`, `E`, `S`) and rotations
//! (`x`, `y`, `z`), as in Singmaster's notation with the extensions of the World Cube Association; layer
//! numbers as in SiGN (`2R` is the second layer from R alone, `2-3Rw` the second and the third); groups,
//! commutators and conjugates, see `sequence.rs`.

use untumble_search::error::span_in;

use super::error::{CubeError, MoveFault};
use super::face::Face;
use super::pieces::{Cubie, compose, corner_move, identity};
use super::stickers::{Layers, Turn};
use crate::sanitize::sanitize;
use crate::sequence::{Notation, PlacedMove, Suffix, is_space, parse_sequence};

/// Parses moves, with or without blanks between them, on a cube of `side` layers.
pub fn parse_moves(text: &str, side: usize) -> Result<Vec<Turn>, CubeError> {
    parse_moves_in(text, text, side)
}

/// Parses the moves in `text`, a part of the whole input `source`; the spans of errors are byte ranges of
/// `source`.
pub(super) fn parse_moves_in(source: &str, text: &str, side: usize) -> Result<Vec<Turn>, CubeError> {
    let range = span_in(source, text).unwrap_or(0..source.len());
    let moves = parse_sequence(&CubeNotation { side }, source, range)?;
    // Turns by multiples of a full turn, such as `R4`, move nothing.
    Ok(moves.into_iter().map(|placed| placed.item).filter(|turn| turn.quarters > 0).collect())
}

/// The notation for a cube of `side` layers.
struct CubeNotation {
    side: usize,
}

impl Notation for CubeNotation {
    type Item = Turn;
    type Error = CubeError;

    fn read(
        &self,
        text: &str,
        start: usize,
        number: usize,
        moves: &mut Vec<PlacedMove<Turn>>,
    ) -> Result<usize, CubeError> {
        let wrong = |fault: MoveFault| {
            // The word up to the next blank or the end of the group.
            let ends = |c: char| is_space(c) || matches!(c, ',' | ':' | ')' | ']');
            let rest = &text[start..];
            let first = rest.chars().next().map_or(0, char::len_utf8);
            let end = rest[first..].find(ends).map_or(rest.len(), |end| first + end);
            let (found, suggestion) = (sanitize(&rest[..end]), suggest(&rest[..end], self.side));
            CubeError::Move { number, fault, found, suggestion, span: Some(start..start + end) }
        };
        let (layer_range, letter_at) = LayerRange::read(text, start);
        let Some(letter) = text[letter_at..].chars().next() else {
            return Err(wrong(MoveFault::NumberAlone));
        };
        let Some((face, mut layers)) = layers_of_letter(letter) else {
            let alone = layer_range.is_some() && !letter.is_alphabetic();
            return Err(wrong(if alone { MoveFault::NumberAlone } else { MoveFault::Unknown }));
        };
        let mut end = letter_at + letter.len_utf8();
        if layers == Layers::Outer && text[end..].starts_with('w') {
            layers = Layers::Wide;
            end += 1;
        }
        if layers == Layers::Slice && self.side == 2 {
            return Err(wrong(MoveFault::NoSlice));
        }
        let suffix = Suffix::read(text, end);
        if suffix.repeated {
            return Err(wrong(MoveFault::Suffix));
        }
        // `Ri` is an old notation of `R'`; the error suggests it.
        if suffix.end == end && text[end..].starts_with('i') {
            return Err(wrong(MoveFault::Unknown));
        }
        let count = match suffix.count {
            None => 1,
            Some(None | Some(0)) => return Err(wrong(MoveFault::Quarters)),
            Some(Some(count)) => (count % 4) as u8,
        };
        let turn = Turn { face, layers, quarters: if suffix.prime { (4 - count) % 4 } else { count } };
        let turn = match layer_range {
            None => turn,
            Some(range) => range.apply(turn, self.side).map_err(wrong)?,
        };
        moves.push(PlacedMove::new(turn, &(start..suffix.end)));
        Ok(suffix.end)
    }

    fn inverse(&self, turn: Turn) -> Turn {
        Turn { quarters: (4 - turn.quarters) % 4, ..turn }
    }
}

/// The layer numbers before a letter, as in `2R` or `2-3Rw`; the face is layer 1.
#[derive(Clone, Copy)]
enum LayerRange {
    One(usize),
    FromTo(usize, usize),
}

impl LayerRange {
    /// Reads layer numbers from the byte `start` of `text` on; returns them and their end.
    fn read(text: &str, start: usize) -> (Option<LayerRange>, usize) {
        // Numbers of two digits exceed every cube, so longer ones need not be distinguished.
        let number = |at: usize| {
            let rest = &text[at..];
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            (digits > 0).then(|| (rest[..digits.min(2)].parse().unwrap_or(0), at + digits))
        };
        let Some((first, end)) = number(start) else { return (None, start) };
        let after_hyphen = text[end..].starts_with('-').then_some(end + 1);
        match after_hyphen.and_then(number) {
            Some((last, end)) => (Some(LayerRange::FromTo(first, last)), end),
            None => (Some(LayerRange::One(first)), end),
        }
    }

    /// The turn of these layers instead of those that the letter alone stands for.
    fn apply(self, turn: Turn, side: usize) -> Result<Turn, MoveFault> {
        let (first, last) = match (self, turn.layers) {
            (LayerRange::One(layer), Layers::Outer) => (layer, layer),
            (LayerRange::One(layer), Layers::Wide) => (1, layer),
            (LayerRange::FromTo(first, last), Layers::Wide) => (first, last),
            (LayerRange::FromTo(..), Layers::Outer) => return Err(MoveFault::RangeNeedsWide),
            (_, Layers::Slice | Layers::Whole) => return Err(MoveFault::LayerOfSlice),
        };
        if first < 1 || first > last || last > side {
            return Err(MoveFault::Layer { side });
        }
        // The same layers, counted from the opposite face, turn the other way.
        let opposite =
            |layers| Turn { face: turn.face.opposite(), layers, quarters: (4 - turn.quarters) % 4 };
        Ok(match (first, last) {
            (1, last) if last == side => Turn { layers: Layers::Whole, ..turn },
            (1, 1) => Turn { layers: Layers::Outer, ..turn },
            (1, _) => Turn { layers: Layers::Wide, ..turn },
            (first, last) if first == last && last == side => opposite(Layers::Outer),
            (_, last) if last == side => opposite(Layers::Wide),
            // Only the middle layer of three is left. M, E and S turn like L, D and F.
            _ if matches!(turn.face, Face::L | Face::D | Face::F) => Turn { layers: Layers::Slice, ..turn },
            _ => opposite(Layers::Slice),
        })
    }
}

/// The move that an unknown word probably means: `R'` for `Ri`, `x` for `X`, `M` for `m`.
fn suggest(word: &str, side: usize) -> Option<String> {
    let respelled = |from: &str, to: &str| word.strip_prefix(from).map(|rest| format!("{to}{rest}"));
    let letters = [("X", "x"), ("Y", "y"), ("Z", "z"), ("m", "M"), ("e", "E"), ("s", "S")];
    let by_letter = letters.into_iter().find_map(|(from, to)| respelled(from, to));
    let by_suffix = word.strip_suffix('i').map(|turn| format!("{turn}'"));
    by_letter.into_iter().chain(by_suffix).find(|turn| parse_moves(turn, side).is_ok())
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
            ("R4", ""),
            ("R7", "R'"),
            ("R22'", "R2"),
            ("R10", "R2"),
            ("R` U´ F‘ Dʼ L＇ B−", "R' U' F' D' L' B'"),
            ("R\u{a0}U\u{200b}F", "R U F"),
            ("2R", "M'"),
            ("2L'", "M'"),
            ("2U2", "E2"),
            ("2F", "S"),
            ("1R", "R"),
            ("3R", "L'"),
            ("2Rw", "Rw"),
            ("2r", "r"),
            ("3Rw U", "x U"),
            ("1-2Rw U", "r U"),
            ("2-3Rw U", "l' U"),
            ("2-2r", "M'"),
            ("(R U R' U')3", "R U R' U' R U R' U' R U R' U'"),
            ("[R, U]", "R U R' U'"),
            ("[R: U]", "R U R'"),
            ("[r U: [R', D2]]'", "r U D2 R' D2 R U' r'"),
            ("R // a comment (\nU", "R U"),
            ("(M x)2'", "x' M' x' M'"),
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
            (3, "U R0 F", "move 2: expected a count of 1 to 999999999, found `R0`"),
            (3, "R9999999999", "expected a count of 1 to 999999999"),
            (3, "R'2'", "one count and one prime"),
            (3, "4R", "move 1: a 3x3x3 cube has layers 1 to 3, found `4R`"),
            (3, "0R", "layers 1 to 3"),
            (3, "3-2Rw", "layers 1 to 3"),
            (2, "3R", "a 2x2x2 cube has layers 1 to 2"),
            (3, "2-3R", "a range of layers needs a wide turn such as 2-3Rw"),
            (3, "2M", "only the turn of a face takes a layer number"),
            (3, "R U 3", "move 3: expected the letter of a turn after the number, found `3`"),
            (3, "2 R", "expected the letter of a turn after the number, found `2`"),
            (3, "(R U X)3", "move 3: expected a turn such as R, U2 or F', found `X`"),
            (3, "(R U", "expected `)` at the end of the group, found `(`"),
            (3, "R U)", "nothing opens the group that ends here, found `)`"),
            (3, "[R U]", "expected one `,` or one `:` between the brackets, found `[R U]`"),
            (3, "(R U)1000000000", "the groups stand for more than 100,000 moves, found `(R U)1000000000`"),
            (3, "R''", "one count and one prime"),
            (3, "w", "move 1"),
            (2, "R M", "move 2: a pocket cube has no middle layer to turn, found `M`"),
            (3, "\u{1b}[2J", "found `\u{fffd}[2J`"),
        ] {
            let error = parse_moves(text, side).expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn likely_moves_are_suggested() {
        let suggestion = |side, text: &str| match parse_moves(text, side) {
            Err(CubeError::Move { suggestion, span: Some(span), .. }) => suggestion.map(|s| (span, s)),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(suggestion(3, "R U Ri"), Some((4..6, "R'".into())));
        assert_eq!(suggestion(3, "(R m2)2"), Some((3..5, "M2".into())));
        assert_eq!(suggestion(3, "[R, X']"), Some((4..6, "x'".into())));
        assert_eq!(suggestion(2, "m"), None, "a pocket cube has no slices");
        assert_eq!(suggestion(3, "R Q"), None);
    }

    /// The second layer of a pocket cube is the opposite face.
    #[test]
    fn layer_numbers_count_from_the_face() {
        let face_turns = |text: &str| to_face_turns(&parse_moves(text, 2).expect(text), 2, &Face::ALL);
        for (text, same) in [("2R", "L'"), ("1R", "R"), ("2Rw U", "x U"), ("2-2Rw", "L'"), ("2U2", "D2")] {
            assert_eq!(face_turns(text), face_turns(same), "{text}");
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
        fn layer_numbers_turn_these_layers(face in 0usize..6, first in 1usize..4, more in 0usize..3, quarters in 1u8..4) {
            let (face, last) = (Face::ALL[face], (first + more).min(3));
            let text = format!("{first}-{last}{face}w{quarters}");
            let apply = |text: &str| {
                let turns = parse_moves(text, 3).expect(text);
                turns.iter().fold(Stickers::<3>::solved(), |cube, &turn| cube.apply(turn))
            };
            let single: String = (first..=last).map(|layer| format!("{layer}{face}{quarters} ")).collect();
            prop_assert_eq!(apply(&text), apply(&single), "{} and {}", text, single);
        }

        #[test]
        fn parsing_never_panics(text in "(.{0,40}|[RUFxMw0-9'()\\[\\],: -]{0,40})") {
            let _ = parse_moves(&text, 2);
            let _ = parse_moves(&text, 3);
        }
    }
}
