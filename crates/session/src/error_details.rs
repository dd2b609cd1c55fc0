//! Errors as JSON: the keys shared by invalid lines, unsolvable positions and HTTP problems.

use serde::Serialize;

use untumble_search::error::{Alternative, Diagnostic, PieceRef};

/// An error as data, in addition to its message. All keys are optional: empty ones are left out, so that the
/// default value serialises to nothing.
#[derive(Serialize, Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ErrorDetails {
    /// The stable kebab-case name of the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(example = "duplicate-tile"))]
    pub code: Option<&'static str>,
    /// The first byte and the byte after the last of the offending token, in UTF-8: in the solver text for
    /// errors of solvers, otherwise in the position or the moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(example = json!([16, 17])))]
    pub span: Option<[usize; 2]>,
    /// The pieces concerned.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub pieces: Vec<ErrorPiece>,
    /// Values that would be accepted, the likeliest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub alternatives: Vec<ErrorAlternative>,
}

/// A piece, a place or a move that an error is about.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ErrorPiece {
    /// `sticker`, `centre`, `corner`, `edge`, `colour`, `tile`, `cell` or `move`.
    #[cfg_attr(feature = "openapi", schema(example = "corner"))]
    pub kind: &'static str,
    /// The name of the piece, such as `UFR` or `15`.
    #[cfg_attr(feature = "openapi", schema(example = "UFR"))]
    pub name: String,
    /// The places of the piece, from 0: stickers face by face (U R F D L B), cells in reading order, moves
    /// in order.
    #[cfg_attr(feature = "openapi", schema(example = json!([8, 9, 20])))]
    pub places: Vec<usize>,
    /// The content found at these places.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(example = "DRF"))]
    pub found: Option<String>,
}

/// A value that would be accepted.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ErrorAlternative {
    /// The kind of value: `puzzle`, `goal`, `metric`, `solver`, `option`, `format`, `input`, `position` or
    /// `move`.
    #[cfg_attr(feature = "openapi", schema(example = "goal"))]
    pub kind: &'static str,
    /// The accepted value.
    #[cfg_attr(feature = "openapi", schema(example = "blank-first"))]
    pub value: String,
}

impl ErrorDetails {
    /// Details that consist of a code only.
    pub fn new(code: &'static str) -> ErrorDetails {
        ErrorDetails { code: Some(code), ..ErrorDetails::default() }
    }
}

impl From<&Diagnostic> for ErrorDetails {
    fn from(diagnostic: &Diagnostic) -> ErrorDetails {
        ErrorDetails {
            code: Some(diagnostic.code),
            span: diagnostic.span.as_ref().map(|span| [span.start, span.end]),
            pieces: diagnostic.pieces.iter().map(ErrorPiece::from).collect(),
            alternatives: diagnostic.alternatives.iter().map(ErrorAlternative::from).collect(),
        }
    }
}

impl From<&PieceRef> for ErrorPiece {
    fn from(piece: &PieceRef) -> ErrorPiece {
        ErrorPiece {
            kind: piece.kind.name(),
            name: piece.name.clone(),
            places: piece.places.clone(),
            found: piece.found.clone(),
        }
    }
}

impl From<&Alternative> for ErrorAlternative {
    fn from(alternative: &Alternative) -> ErrorAlternative {
        ErrorAlternative { kind: alternative.kind.name(), value: alternative.value.clone() }
    }
}
