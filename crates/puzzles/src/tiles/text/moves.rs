//! The text of moves: letters for the direction in which a tile slides, with optional run lengths.

use untumble_search::error::span_in;
use untumble_search::moves::Move;

use super::super::{DOWN, LEFT, RIGHT, Size, TilesError, UP};
use crate::sanitize::sanitize;
use crate::sequence::{Notation, PlacedMove, is_space, parse_sequence};

/// The letters of the moves, by move number.
const LETTERS: [&str; 4] = ["D", "R", "L", "U"];

/// The letter of a move.
pub(in crate::tiles) fn letter(m: Move) -> &'static str {
    LETTERS[m.index()]
}

/// The move with this letter, in either case.
pub(super) fn from_letter(c: char) -> Option<Move> {
    match c {
        'D' | 'd' => Some(DOWN),
        'R' | 'r' => Some(RIGHT),
        'L' | 'l' => Some(LEFT),
        'U' | 'u' => Some(UP),
        _ => None,
    }
}

/// Parses moves: letters with or without spaces between, `L3` for `L L L`, and groups, see
/// [`crate::sequence`]. `text` is a part of `source`, and spans are byte ranges of `source`.
pub(super) fn parse_moves(size: Size, source: &str, text: &str) -> Result<Vec<PlacedMove<Move>>, TilesError> {
    let range = span_in(source, text).unwrap_or(0..source.len());
    parse_sequence(&TilesNotation { size }, source, range)
}

/// The notation for a board of this size.
struct TilesNotation {
    size: Size,
}

impl Notation for TilesNotation {
    type Item = Move;
    type Error = TilesError;

    fn read(
        &self,
        text: &str,
        start: usize,
        number: usize,
        moves: &mut Vec<PlacedMove<Move>>,
    ) -> Result<usize, TilesError> {
        let rest = &text[start..];
        let word = || {
            let ends = |c: char| is_space(c) || matches!(c, ',' | ':' | ')' | ']');
            let first = rest.chars().next().map_or(0, char::len_utf8);
            &rest[..rest[first..].find(ends).map_or(rest.len(), |end| first + end)]
        };
        let Some(m) = rest.chars().next().and_then(from_letter) else {
            let (found, span) = (sanitize(word()), Some(start..start + word().len()));
            return Err(TilesError::UnknownMove { number, found, span });
        };
        // All letters of moves are one byte long.
        let digits = rest[1..].len() - rest[1..].trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let count = if digits == 0 { 1 } else { rest[1..1 + digits].parse().unwrap_or(usize::MAX) };
        let most = if m == UP || m == DOWN { self.size.rows - 1 } else { self.size.columns - 1 };
        if !(1..=most).contains(&count) {
            let (found, span) = (sanitize(word()), Some(start..start + word().len()));
            return Err(TilesError::RunLength { number, most, found, span });
        }
        let span = start..start + 1 + digits;
        moves.extend(std::iter::repeat_n(PlacedMove::new(m, &span), count));
        Ok(span.end)
    }

    fn inverse(&self, m: Move) -> Move {
        match m {
            UP => DOWN,
            DOWN => UP,
            LEFT => RIGHT,
            _ => LEFT,
        }
    }
}
