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
    pub pieces: Vec<PieceRef>,
    /// The expected input in a few words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(example = "a number from 0 to 15"))]
    pub expected: Option<String>,
    /// Values that would be accepted, the likeliest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub alternatives: Vec<Alternative>,
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
            pieces: diagnostic.pieces.clone(),
            expected: diagnostic.expected.clone(),
            alternatives: diagnostic.alternatives.clone(),
        }
    }
}
