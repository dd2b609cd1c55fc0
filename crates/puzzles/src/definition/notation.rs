//! Sequences of the moves of a definition: names with counts and primes, groups as in [`crate::sequence`].
//!
//! A name is the longest known one at a place, so `U2` is the listed move `U2` if there is one and otherwise
//! the second power of `U`. A count cannot follow a name that ends with a digit: `f12` is never `f1` twelve
//! times. Moves are separated by blanks, a prime or, as in answers of Santa 2023, by `.`.

use std::collections::HashMap;
use std::ops::Range;

use super::error::{DefinitionError, Fault};
use super::model::Definition;
use super::transformation::Transformation;
use crate::sequence::{GroupError, Notation, PlacedMove, Suffix, is_prime, is_space, parse_sequence};

/// A power of a move, rotation or sequence of a definition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MovePower {
    /// The number of the move in [`Definition::moves`].
    pub index: u32,
    /// The exponent; negative for powers of the inverse.
    pub power: i32,
}

impl From<GroupError> for DefinitionError {
    /// The place is added by `MoveNames::parse`, which knows the text.
    fn from(error: GroupError) -> DefinitionError {
        Fault::Group(error).into()
    }
}

/// The names that sequences may use.
pub(crate) struct MoveNames<'a> {
    pub(crate) by_name: &'a HashMap<String, usize>,
    /// The [`name_lengths`].
    pub(crate) lengths: &'a [usize],
    /// Whether `-f0` is the inverse of `f0`.
    pub(crate) minus_inverts: bool,
}

/// The lengths of names in bytes, the largest first.
pub(crate) fn name_lengths(by_name: &HashMap<String, usize>) -> Vec<usize> {
    let mut lengths: Vec<usize> = by_name.keys().map(String::len).collect();
    lengths.sort_unstable_by(|a, b| b.cmp(a));
    lengths.dedup();
    lengths
}

impl MoveNames<'_> {
    /// The moves of a text with its groups expanded.
    pub(crate) fn parse(&self, text: &str) -> Result<Vec<MovePower>, DefinitionError> {
        self.parse_part(text, 0..text.len())
    }

    /// The same for a part of a text; places of errors are those of the whole text.
    pub(crate) fn parse_part(
        &self,
        text: &str,
        part: Range<usize>,
    ) -> Result<Vec<MovePower>, DefinitionError> {
        match parse_sequence(self, text, part) {
            Ok(moves) => Ok(moves.into_iter().map(|placed| placed.item).collect()),
            Err(DefinitionError { fault: Fault::Group(error), place: None }) => {
                let span = error.span.clone();
                Err(Fault::Group(error).at(text, span))
            }
            Err(error) => Err(error),
        }
    }

    /// The power of a move that begins at the byte `start`, and its end.
    fn power_at(&self, text: &str, start: usize) -> Option<(MovePower, usize)> {
        let rest = &text[start..];
        for &length in self.lengths.iter().filter(|&&length| length <= rest.len()) {
            let Some(&index) = rest.get(..length).and_then(|name| self.by_name.get(name)) else { continue };
            let suffix = Suffix::read(text, start + length);
            let digit = rest.as_bytes()[length - 1].is_ascii_digit();
            let count = match suffix.count {
                None => 1,
                Some(Some(count)) if count > 0 && !digit => count as i32,
                Some(_) => continue,
            };
            if suffix.repeated || !ends_move(text, suffix.end) {
                continue;
            }
            let power = if suffix.prime { -count } else { count };
            return Some((MovePower { index: index as u32, power }, suffix.end));
        }
        None
    }
}

/// Whether a move can end at the byte `at`.
fn ends_move(text: &str, at: usize) -> bool {
    let next = text[at..].chars().next();
    let separator = |c: char| is_space(c) || matches!(c, ',' | ':' | '(' | ')' | '[' | ']' | '.' | '#');
    next.is_none_or(separator) || text[at..].starts_with("//") || text[..at].ends_with(is_prime)
}

impl Notation for MoveNames<'_> {
    type Item = MovePower;
    type Error = DefinitionError;

    fn read(
        &self,
        text: &str,
        start: usize,
        _number: usize,
        moves: &mut Vec<PlacedMove<MovePower>>,
    ) -> Result<usize, DefinitionError> {
        let found = self.power_at(text, start).or_else(|| {
            let minus = self.minus_inverts && text[start..].starts_with('-');
            let (inverse, end) = minus.then(|| self.power_at(text, start + 1)).flatten()?;
            Some((MovePower { power: -inverse.power, ..inverse }, end))
        });
        let Some((power, end)) = found else {
            let ends = |c: char| is_space(c) || matches!(c, ',' | ':' | ')' | ']' | '(' | '[');
            let rest = &text[start..];
            let first = rest.chars().next().map_or(0, char::len_utf8);
            let end = start + rest[first..].find(ends).map_or(rest.len(), |end| first + end);
            let known = self.by_name.keys().map(String::as_str);
            return Err(Fault::unknown("move", &text[start..end], known).at(text, start..end));
        };
        moves.push(PlacedMove::new(power, &(start..end)));
        // Answers of Santa 2023 separate moves by points.
        Ok(if text[end..].starts_with('.') { end + 1 } else { end })
    }

    fn inverse(&self, item: MovePower) -> MovePower {
        MovePower { power: -item.power, ..item }
    }
}

impl Definition {
    /// Parses a sequence of moves, rotations and sequences with counts, primes and groups.
    ///
    /// # Errors
    /// An unknown move with its place and similar names, or a mistake in a group.
    pub fn parse_moves(&self, text: &str) -> Result<Vec<MovePower>, DefinitionError> {
        self.move_names().parse(text)
    }

    /// What a sequence does.
    pub fn transformation_of(&self, moves: &[MovePower]) -> Transformation {
        let identity = self.moves()[0].transformation.identity();
        moves.iter().fold(identity, |product, step| {
            let base = &self.moves()[step.index as usize].transformation;
            match step.power {
                1 => product.then(base),
                power => product.then(&base.power(power.into())),
            }
        })
    }
}
