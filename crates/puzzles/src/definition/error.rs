//! Errors in puzzle definitions and in positions of defined puzzles.

use std::fmt;
use std::ops::Range;

use untumble_search::error::{AlternativeKind, Diagnostic, similar};

use super::limits::{MAX_NAME_BYTES, MAX_TEXT_BYTES};
use crate::sanitize::sanitize;
use crate::sequence::GroupError;

/// Why a file is not a definition, or a text not a position of a defined puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DefinitionError {
    /// The reason.
    pub fault: Fault,
    /// Where it is, if the reason concerns a part of the text.
    pub place: Option<Place>,
}

/// A place in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// A token of a text.
    Token {
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
        /// The byte range in the text.
        span: Range<usize>,
    },
    /// A value inside a structured file.
    Value {
        /// The line, from 1, where it is known.
        line: Option<usize>,
        /// The way to the value, such as `moves.U.EDGES.permutation[3]`.
        path: String,
    },
}

impl Place {
    /// The place of the byte range `span` in `text`. Takes time proportional to the text, so it is computed
    /// for errors only.
    pub(crate) fn of(text: &str, span: Range<usize>) -> Place {
        let before = &text[..span.start];
        let line_start = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        // `\r\n` is one line end.
        let breaks = before.bytes().filter(|&byte| byte == b'\n').count();
        let returns = before.matches('\r').count() - before.matches("\r\n").count();
        Place::Token { line: breaks + returns + 1, column: before[line_start..].chars().count() + 1, span }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Token { line, column, .. } => write!(f, "line {line}, column {column}"),
            Place::Value { line: Some(line), path } if path.is_empty() => write!(f, "line {line}"),
            Place::Value { line: Some(line), path } => write!(f, "line {line}, {}", sanitize_path(path)),
            Place::Value { line: None, path } => f.write_str(&sanitize_path(path)),
        }
    }
}

/// A path holds names of the file, which may be long.
fn sanitize_path(path: &str) -> String {
    const MAX_CHARACTERS: usize = 120;
    let printable = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let mut text: String = path.chars().take(MAX_CHARACTERS).map(printable).collect();
    if path.chars().nth(MAX_CHARACTERS).is_some() {
        text.push('…');
    }
    text
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{place}: {}", self.fault),
            None => write!(f, "{}", self.fault),
        }
    }
}

impl std::error::Error for DefinitionError {}

impl From<Fault> for DefinitionError {
    fn from(fault: Fault) -> DefinitionError {
        DefinitionError { fault, place: None }
    }
}

/// The kind of mistake. Texts of the file are sanitized. Slots, pieces and points are numbered as the file
/// numbers them.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The file has no content.
    #[error("the file is empty")]
    Empty,
    /// The file is too long.
    #[error("the file has {bytes} bytes; the limit is {}", MAX_TEXT_BYTES)]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// The file is not text.
    #[error("the file is not UTF-8 text: byte {at} begins no character")]
    NotUtf8 {
        /// The offset of the first invalid byte.
        at: usize,
    },
    /// The content belongs to no known format.
    #[error(
        "expected twsearch text (.tws), KPuzzle JSON, GAP generators, a puzzle_info.csv of Santa 2023 or \
         CayleyPy JSON, found `{found}`"
    )]
    UnknownFormat {
        /// The beginning of the content.
        found: String,
    },
    /// Not the expected token.
    #[error("expected {expected}, found `{found}`")]
    Unexpected {
        /// The expected input in a few words.
        expected: String,
        /// The token.
        found: String,
    },
    /// The file ends too early.
    #[error("expected {expected}, found the end of the file")]
    UnexpectedEnd {
        /// The expected input in a few words.
        expected: String,
    },
    /// The text is not JSON.
    #[error("not valid JSON: {reason}")]
    Json {
        /// The reason of the JSON reader.
        reason: String,
    },
    /// The text is not CSV.
    #[error("not valid CSV: {reason}")]
    Csv {
        /// The reason of the CSV reader.
        reason: String,
    },
    /// A part of the definition is missing.
    #[error("{what} missing")]
    Missing {
        /// The part with its verb, such as `the block Solved is`.
        what: String,
    },
    /// A statement stands in the wrong place.
    #[error("`{keyword}` must come {place}")]
    Misplaced {
        /// The statement.
        keyword: String,
        /// The right place, such as `before Solved`.
        place: &'static str,
    },
    /// A name is used twice.
    #[error("the {what} `{name}` is already defined")]
    DuplicateName {
        /// The kind of name.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A name cannot be used in a sequence of moves.
    #[error(
        "`{name}` cannot be a {what}: a name has 1 to {} characters without blanks, `,`, `:`, `#`, `//`, \
         parentheses and brackets",
        MAX_NAME_BYTES
    )]
    InvalidName {
        /// The kind of name.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// Nothing has that name.
    #[error("there is no {what} `{name}`")]
    UnknownName {
        /// The kind of name.
        what: &'static str,
        /// The name.
        name: String,
        /// Similar or all known names.
        near: Vec<String>,
    },
    /// A list has the wrong number of items.
    #[error("expected {expected} {what}, found {found}")]
    Length {
        /// The items.
        what: &'static str,
        /// The right number.
        expected: usize,
        /// The number in the file.
        found: usize,
    },
    /// A number is too small or too large.
    #[error("expected {what} from {min} to {max}, found `{found}`")]
    OutOfRange {
        /// The kind of number.
        what: &'static str,
        /// The smallest allowed number.
        min: u64,
        /// The largest allowed number.
        max: u64,
        /// The text in the file.
        found: String,
    },
    /// A number occurs twice in a permutation.
    #[error("not a permutation: {value} occurs twice, as entries {first} and {second}; {missing} is missing")]
    NotAPermutation {
        /// The repeated number.
        value: usize,
        /// Its first entry, from 1.
        first: usize,
        /// Its second entry, from 1.
        second: usize,
        /// The smallest number that does not occur.
        missing: usize,
    },
    /// A point occurs twice in the cycles of a permutation.
    #[error("the point {point} occurs twice in the cycles")]
    RepeatedPoint {
        /// The point.
        point: usize,
    },
    /// Identical pieces whose orientation is known of some and ignored of others.
    #[error(
        "the orientation of piece {piece} is known in one slot and `?` in another; identical pieces agree"
    )]
    MixedOrientation {
        /// The piece.
        piece: usize,
    },
    /// A modulus does not divide the number of orientations.
    #[error("expected 0 or a divisor of the {orientations} orientations, found {found}")]
    Modulus {
        /// The number of orientations.
        orientations: u8,
        /// The modulus.
        found: u64,
    },
    /// The puzzle is too large.
    #[error("{found} {what}; the limit is {max}")]
    TooMany {
        /// The counted items.
        what: &'static str,
        /// Their number.
        found: usize,
        /// The limit.
        max: usize,
    },
    /// Definitions of moves refer to each other in a circle.
    #[error("the moves define each other in a circle: {}", .names.join(" -> "))]
    Cycle {
        /// The moves of the circle; the first is also the last.
        names: Vec<String>,
    },
    /// A mistake in a group of a sequence.
    #[error("{0}")]
    Group(GroupError),
    /// A move has too many powers to search all of them.
    #[error("the move {name} has order {order}; more than {max} powers cannot all be searched")]
    TooManyPowers {
        /// The move.
        name: String,
        /// Its order in decimal digits.
        order: String,
        /// The limit.
        max: usize,
    },
    /// A position has other pieces than the solved position.
    #[error("the orbit {orbit} holds other pieces, or other known orientations, than when solved")]
    ForeignPieces {
        /// The orbit.
        orbit: String,
    },
    /// A piece stands where it is not allowed.
    #[error("piece {piece} is not allowed in slot {slot} of {orbit}")]
    IllegalPlacement {
        /// The orbit.
        orbit: String,
        /// The slot, from 1.
        slot: usize,
        /// The piece, from 1 as in `Illegal`.
        piece: u32,
    },
    /// The file defines several puzzles, and none was chosen.
    #[error("the file defines {} puzzles; choose one by its name after the file name and a `#`", .names.len())]
    ChoosePuzzle {
        /// The puzzles.
        names: Vec<String>,
    },
    /// The notation does not suit the puzzle.
    #[error("{notation} describe puzzles of stickers, and this puzzle has oriented pieces or several orbits")]
    StickersOnly {
        /// The notation in the plural.
        notation: &'static str,
    },
}

impl Fault {
    /// A token that is not the expected one.
    pub(crate) fn unexpected(expected: impl Into<String>, found: &str) -> Fault {
        Fault::Unexpected { expected: expected.into(), found: sanitize(found) }
    }

    /// A name that is unknown, with the similar ones of the known names, or all of them if they are few.
    pub(crate) fn unknown<'a>(
        what: &'static str,
        name: &str,
        known: impl Iterator<Item = &'a str> + Clone,
    ) -> Fault {
        const FEW: usize = 12;
        // The comparison takes quadratic time, and an unknown word may be a file of noise.
        let short = name.len() <= 2 * MAX_NAME_BYTES;
        let mut near = if short { similar(name, known.clone().take(10_000)) } else { Vec::new() };
        near.truncate(FEW);
        if near.is_empty() && known.clone().nth(FEW).is_none() {
            near = known.map(str::to_owned).collect();
            near.sort_unstable();
        }
        Fault::UnknownName { what, name: sanitize(name), near }
    }

    /// The error at a byte range of a text.
    pub(crate) fn at(self, text: &str, span: Range<usize>) -> DefinitionError {
        DefinitionError { fault: self, place: Some(Place::of(text, span)) }
    }

    /// The error at a value of a structured file.
    pub(crate) fn at_path(self, path: impl Into<String>) -> DefinitionError {
        DefinitionError { fault: self, place: Some(Place::Value { line: None, path: path.into() }) }
    }

    /// The stable name of the mistake, in kebab-case.
    pub fn code(&self) -> &'static str {
        match self {
            Fault::Empty => "empty-definition",
            Fault::TooLong { .. } | Fault::TooMany { .. } => "definition-too-large",
            Fault::NotUtf8 { .. } | Fault::UnknownFormat { .. } => "unknown-definition-format",
            Fault::Unexpected { .. } | Fault::UnexpectedEnd { .. } => "definition-syntax",
            Fault::Json { .. } | Fault::Csv { .. } => "definition-syntax",
            Fault::Missing { .. } | Fault::Misplaced { .. } => "incomplete-definition",
            Fault::DuplicateName { .. } => "duplicate-name",
            Fault::InvalidName { .. } => "invalid-name",
            Fault::UnknownName { .. } => "unknown-name",
            Fault::Length { .. } => "wrong-length",
            Fault::OutOfRange { .. } | Fault::Modulus { .. } => "number-out-of-range",
            Fault::NotAPermutation { .. } | Fault::RepeatedPoint { .. } => "not-a-permutation",
            Fault::MixedOrientation { .. } => "mixed-orientation",
            Fault::Cycle { .. } => "cyclic-moves",
            Fault::Group(error) => error.fault.code(),
            Fault::TooManyPowers { .. } => "too-many-powers",
            Fault::ForeignPieces { .. } => "foreign-pieces",
            Fault::IllegalPlacement { .. } => "illegal-placement",
            Fault::ChoosePuzzle { .. } => "choose-a-puzzle",
            Fault::StickersOnly { .. } => "stickers-only",
        }
    }

    /// The expected input in a few words, if the mistake is a token.
    fn expected(&self) -> Option<String> {
        match self {
            Fault::Unexpected { expected, .. } | Fault::UnexpectedEnd { expected } => Some(expected.clone()),
            Fault::OutOfRange { what, min, max, .. } => Some(format!("{what} from {min} to {max}")),
            Fault::Length { what, expected, .. } => Some(format!("{expected} {what}")),
            Fault::Group(error) => error.fault.expected(),
            _ => None,
        }
    }
}

impl From<DefinitionError> for Diagnostic {
    fn from(error: DefinitionError) -> Diagnostic {
        let span = match &error.place {
            Some(Place::Token { span, .. }) => Some(span.clone()),
            _ => None,
        };
        let mut diagnostic = Diagnostic::new(error.fault.code(), error.to_string()).at(span);
        diagnostic.expected = error.fault.expected();
        match error.fault {
            Fault::UnknownName { what: "move", near, .. } => {
                diagnostic.with_alternatives(AlternativeKind::Move, near)
            }
            Fault::UnknownName { what: "puzzle", near, .. } | Fault::ChoosePuzzle { names: near } => {
                diagnostic.with_alternatives(AlternativeKind::Puzzle, near)
            }
            _ => diagnostic,
        }
    }
}
