//! Errors as JSON: the keys shared by invalid lines, unsolvable positions and HTTP problems.

use serde::Serialize;

use untumble_search::error::{Alternative, Diagnostic, InputText, PieceRef};

/// An error as data, in addition to its message. All keys are optional: empty ones are left out, so that the
/// default value serialises to nothing.
#[derive(Serialize, Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ErrorDetails {
    /// The stable kebab-case name of the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(example = "duplicate-tile"))]
    pub code: Option<&'static str>,
    /// The first byte of the offending token and the byte after its last, in UTF-8, in the text that
    /// `span_in` names.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(example = json!([16, 17])))]
    pub span: Option<[usize; 2]>,
    /// The text that `span` refers to; present if and only if `span` is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(inline, example = "position"))]
    pub span_in: Option<InputText>,
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
            span_in: diagnostic.span_in.filter(|_| diagnostic.span.is_some()),
            pieces: diagnostic.pieces.clone(),
            expected: diagnostic.expected.clone(),
            alternatives: diagnostic.alternatives.clone(),
        }
    }
}
