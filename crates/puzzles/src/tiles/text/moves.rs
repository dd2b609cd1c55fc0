//! The text of moves: letters for the direction in which a tile slides, with optional run lengths.

use std::ops::Range;

use untumble_search::error::span_in;
use untumble_search::moves::Move;

use super::super::{DOWN, LEFT, RIGHT, Size, TilesError, UP};
use super::words;
use crate::sanitize::sanitize;

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

/// A move letter and the count that follows it: `L3` is three moves.
struct Run {
    letter: char,
    count: usize,
    /// Byte range in the text.
    span: Range<usize>,
}

/// The runs of a text; spaces and commas are skipped.
fn runs(text: &str) -> impl Iterator<Item = Run> {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        while chars.next_if(|&(_, c)| c.is_whitespace() || c == ',').is_some() {}
        let (start, letter) = chars.next()?;
        let mut end = start + letter.len_utf8();
        let mut count: Option<usize> = None;
        while let Some((at, digit)) = chars.peek().and_then(|&(at, c)| Some((at, c.to_digit(10)?))) {
            count = Some(count.unwrap_or(0).saturating_mul(10).saturating_add(digit as usize));
            end = at + 1;
            chars.next();
        }
        Some(Run { letter, count: count.unwrap_or(1), span: start..end })
    })
}

/// Parses moves: letters with or without spaces between, `L3` for `L L L`. `text` is a part of `source`, and
/// the spans of errors are byte ranges of `source`.
pub(super) fn parse_moves(size: Size, source: &str, text: &str) -> Result<Vec<Move>, TilesError> {
    let mut moves = Vec::new();
    for Run { letter, count, span } in runs(text) {
        let number = moves.len() + 1;
        let word = || words(&text[span.start..]).next().unwrap_or("");
        let Some(m) = from_letter(letter) else {
            let (found, span) = (sanitize(word()), span_in(source, word()));
            return Err(TilesError::UnknownMove { number, found, span });
        };
        let most = if m == UP || m == DOWN { size.rows - 1 } else { size.columns - 1 };
        if !(1..=most).contains(&count) {
            let (found, span) = (sanitize(word()), span_in(source, word()));
            return Err(TilesError::RunLength { number, most, found, span });
        }
        moves.extend(std::iter::repeat_n(m, count));
    }
    Ok(moves)
}

/// The byte range of a move, counted from 1, in a text that [`parse_moves`] accepts.
pub(super) fn span_of_move(text: &str, number: usize) -> Option<Range<usize>> {
    let mut moves_so_far = 0;
    let mut contains = |run: &Run| {
        moves_so_far += run.count;
        number <= moves_so_far
    };
    runs(text).find(|run| contains(run)).map(|run| run.span)
}
