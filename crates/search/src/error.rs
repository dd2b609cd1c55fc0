//! Errors as values: code, place, expected value and alternatives.
//!
//! Each puzzle family has its own error enum, such as `TilesError`. At the boundary to the front ends, where
//! puzzle types are erased, an error becomes a [`Diagnostic`]. A front end renders or serialises it and
//! highlights its pieces. Suggestions are [`Alternative`]s and never part of a message, because only the
//! front end knows how its user chooses another goal, puzzle or format.

use std::fmt;
use std::ops::Range;

use crate::control::Stop;
use crate::spec::SpecError;
use crate::train::TrainingError;
use crate::train::weights::WeightsError;

/// The reason why a puzzle could not be opened, a text could not be parsed or a solver could not be built.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// The solver text is refused.
    #[error("{error}")]
    Spec {
        /// The reason.
        error: SpecError,
        /// The byte range of the error in the solver text, which [`Error::locate`] sets.
        span: Option<Range<usize>>,
    },
    /// An unknown puzzle, size, goal or metric.
    #[error("{0}")]
    Puzzle(Box<Diagnostic>),
    /// The text is not a position or not moves.
    #[error("{0}")]
    Parse(#[from] Box<Diagnostic>),
    /// The position is well-formed, but no moves solve it.
    #[error("{0}")]
    Unsolvable(Box<Diagnostic>),
    /// The position belongs to a puzzle of another identity.
    #[error("the position belongs to {found}, not to {expected}")]
    ForeignPosition {
        /// The identity of the puzzle that was given the position.
        expected: String,
        /// The identity of the puzzle that the position belongs to.
        found: String,
    },
    /// A limit was reached while tables were built.
    #[error("stopped by {0} while tables were built")]
    Stopped(Stop),
    /// A weights file cannot be used for the learned heuristic.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// The puzzle cannot be trained.
    #[error(transparent)]
    Training(#[from] TrainingError),
    /// A device of this machine is missing or failed.
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
}

/// A device that is missing or failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EnvironmentError {
    /// The program was built without GPU support.
    #[error("this program was built without GPU support")]
    NoDeviceSupport,
    /// No GPU was found.
    #[error("no GPU was found: {reason}")]
    NoDevice {
        /// The searched interfaces, and the solvers that work without a GPU.
        reason: String,
    },
    /// No device has this number.
    #[error("there is no GPU {number}; the numbers are 0 to {last}")]
    UnknownDevice {
        /// The requested number.
        number: usize,
        /// The highest number in use.
        last: usize,
    },
    /// The device cannot be opened.
    #[error("{device} cannot be used: {reason}")]
    Device {
        /// The device's name.
        device: String,
        /// The driver's message.
        reason: String,
    },
    /// The device cannot run a kernel.
    #[error("{device} cannot run {program}: {reason}")]
    Kernel {
        /// The device's name.
        device: String,
        /// The program's name.
        program: String,
        /// The driver's message.
        reason: String,
    },
}

impl EnvironmentError {
    fn code(&self) -> &'static str {
        match self {
            EnvironmentError::NoDeviceSupport => "no-device-support",
            EnvironmentError::NoDevice { .. } => "no-device",
            EnvironmentError::UnknownDevice { .. } => "unknown-device",
            EnvironmentError::Device { .. } => "device-failed",
            EnvironmentError::Kernel { .. } => "kernel-failed",
        }
    }
}

impl Error {
    /// The error as plain data.
    pub fn diagnostic(&self) -> Diagnostic {
        let code = match self {
            Error::Puzzle(diagnostic) | Error::Parse(diagnostic) | Error::Unsolvable(diagnostic) => {
                return (**diagnostic).clone();
            }
            Error::Weights(error) => return error.diagnostic(),
            Error::Spec { error, span } => {
                return error.diagnostic().at(span.clone()).in_text(InputText::Solver);
            }
            Error::Training(error) => error.code(),
            Error::ForeignPosition { .. } => "foreign-position",
            Error::Stopped(_) => "stopped",
            Error::Environment(error) => error.code(),
        };
        Diagnostic::new(code, self.to_string())
    }
}

impl Error {
    /// Sets the span of an error in a solver text; `solver` is that text. Other errors stay as they are.
    #[must_use]
    pub fn locate(self, solver: &str) -> Error {
        match self {
            Error::Spec { error, .. } => {
                let span = Some(error.span(solver));
                Error::Spec { error, span }
            }
            other => other,
        }
    }
}

impl From<SpecError> for Error {
    fn from(error: SpecError) -> Error {
        Error::Spec { error, span: None }
    }
}

impl From<Stop> for Error {
    fn from(stop: Stop) -> Error {
        Error::Stopped(stop)
    }
}

/// An error in a text, a position or a name, as plain data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// A stable kebab-case name, such as `duplicate-tile`.
    pub code: &'static str,
    /// The byte range of the offending token in the text that `span_in` names.
    pub span: Option<Range<usize>>,
    /// The text that `span` refers to. `None` until a caller that knows which text it parsed sets it.
    pub span_in: Option<InputText>,
    /// The pieces concerned, for highlighting.
    pub pieces: Vec<PieceRef>,
    /// The expected input in a few words.
    pub expected: Option<String>,
    /// Values that would be accepted, the likeliest first.
    pub alternatives: Vec<Alternative>,
    message: String,
}

impl Diagnostic {
    /// A diagnostic. The message is a sentence without an initial capital and without a full stop. It names
    /// the item and the place, and it mentions no front end.
    pub fn new(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            span: None,
            span_in: None,
            pieces: Vec::new(),
            expected: None,
            alternatives: Vec::new(),
            message: message.into(),
        }
    }

    /// The error in words.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The same with the place of the offending token.
    #[must_use]
    pub fn at(self, span: Option<Range<usize>>) -> Diagnostic {
        Diagnostic { span, ..self }
    }

    /// The same with the text that the span refers to.
    #[must_use]
    pub fn in_text(self, text: InputText) -> Diagnostic {
        Diagnostic { span_in: Some(text), ..self }
    }

    /// The same with pieces to highlight.
    #[must_use]
    pub fn about(self, pieces: impl IntoIterator<Item = PieceRef>) -> Diagnostic {
        Diagnostic { pieces: pieces.into_iter().collect(), ..self }
    }

    /// The same with the expected input.
    #[must_use]
    pub fn expecting(self, expected: impl Into<String>) -> Diagnostic {
        Diagnostic { expected: Some(expected.into()), ..self }
    }

    /// The same with more alternatives of one kind.
    #[must_use]
    pub fn with_alternatives<T: Into<String>>(
        mut self,
        kind: AlternativeKind,
        values: impl IntoIterator<Item = T>,
    ) -> Diagnostic {
        self.alternatives.extend(values.into_iter().map(|value| Alternative { kind, value: value.into() }));
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Diagnostic {}

/// A text that a user enters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ErrorText))]
pub enum InputText {
    /// A position, given by its pieces or by moves from the solved position.
    Position,
    /// Moves that are applied to a position.
    Moves,
    /// A solver with its options and heuristic.
    Solver,
    /// A goal, given by its pieces.
    Goal,
}

/// The part of the input that an error is about: a piece of a puzzle, a cell, a colour or a move.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ErrorPiece))]
pub struct PieceRef {
    /// The kind of piece.
    #[cfg_attr(feature = "openapi", schema(inline, example = "corner"))]
    pub kind: PieceKind,
    /// Its name, such as `U9`, `UFR` or `15`.
    #[cfg_attr(feature = "openapi", schema(example = "UFR"))]
    pub name: String,
    /// Its places, from 0: stickers in the order of faces U R F D L B, cells in reading order, moves in
    /// order.
    #[cfg_attr(feature = "openapi", schema(example = json!([8, 9, 20])))]
    pub places: Vec<usize>,
    /// The content of these places: the letters of the stickers, the item of the text.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "openapi", schema(example = "DRF"))]
    pub found: Option<String>,
}

impl PieceRef {
    /// A piece at places.
    pub fn new(
        kind: PieceKind,
        name: impl Into<String>,
        places: impl IntoIterator<Item = usize>,
    ) -> PieceRef {
        PieceRef { kind, name: name.into(), places: places.into_iter().collect(), found: None }
    }

    /// The same with the content of its places, [`PieceRef::found`].
    #[must_use]
    pub fn showing(self, found: impl Into<String>) -> PieceRef {
        PieceRef { found: Some(found.into()), ..self }
    }
}

/// The kind of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(rename_all = "lowercase"))]
pub enum PieceKind {
    /// One sticker of a cube.
    Sticker,
    /// The centre of a face.
    Centre,
    /// A corner of a cube.
    Corner,
    /// An edge of a cube.
    Edge,
    /// A colour of a cube; its places are all stickers that have it.
    Colour,
    /// A numbered tile.
    Tile,
    /// A cell of a board.
    Cell,
    /// A move of a sequence.
    Move,
}

impl PieceKind {
    /// Its name in messages and JSON.
    pub fn name(self) -> &'static str {
        match self {
            PieceKind::Sticker => "sticker",
            PieceKind::Centre => "centre",
            PieceKind::Corner => "corner",
            PieceKind::Edge => "edge",
            PieceKind::Colour => "colour",
            PieceKind::Tile => "tile",
            PieceKind::Cell => "cell",
            PieceKind::Move => "move",
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for PieceKind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A value that would be accepted instead.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ErrorAlternative))]
pub struct Alternative {
    /// The kind of value.
    #[cfg_attr(feature = "openapi", schema(inline, example = "goal"))]
    pub kind: AlternativeKind,
    /// The accepted value.
    #[cfg_attr(feature = "openapi", schema(example = "blank-first"))]
    pub value: String,
}

/// The kind of an alternative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum AlternativeKind {
    /// A puzzle's name.
    Puzzle,
    /// A goal.
    Goal,
    /// A metric.
    Metric,
    /// A solver, with its options and heuristic.
    Solver,
    /// A value of an option.
    Option,
    /// A format of positions.
    Format,
    /// The interpretation of a text: `position` or `moves`.
    Input,
    /// A position.
    Position,
    /// A move.
    Move,
}

/// The byte range of `part` in `text`; `None` if `part` is not a slice of `text`.
pub fn span_in(text: &str, part: &str) -> Option<Range<usize>> {
    let start = (part.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    let span = start..start.checked_add(part.len())?;
    (text.get(span.clone()) == Some(part)).then_some(span)
}

/// The known words that `word` may misspell, the likeliest first. Their Damerau–Levenshtein distance from
/// `word` is at most two or, for words of nine bytes or more, at most a third of their length.
pub fn similar<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut near: Vec<(usize, &str)> = known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(word, name), name))
        .filter(|&(distance, name)| distance <= 2.max(name.len() / 3))
        .collect();
    near.sort_unstable();
    near.into_iter().map(|(_, name)| name.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_those_of_slices() {
        let text = "1 2 3\n4 é 6";
        for word in text.split_whitespace() {
            assert_eq!(span_in(text, word).map(|span| &text[span]), Some(word));
        }
        assert_eq!(span_in(text, &String::from("4")), None);
        assert_eq!(span_in(&text[..3], &text[2..5]), None);
        assert_eq!(span_in(&text[2..], &text[..1]), None);
    }

    #[test]
    fn similar_words_are_suggested() {
        let known = ["blank-last", "blank-first", "snail"];
        assert_eq!(similar("snial", known), ["snail"]);
        assert_eq!(similar("blank-frist", known), ["blank-first", "blank-last"]);
        assert!(similar("zebra", known).is_empty());
    }
}
