//! Errors of requests as problem details (RFC 9457), with the messages of the command line.

use serde::Serialize;

use untumble_search::error::{Diagnostic, Error};
use untumble_search::frontend::Repair;

use crate::check::CheckError;
use crate::error_details::ErrorDetails;

/// The kind of a problem; decides type, title and HTTP status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProblemKind {
    /// The request is invalid: an unknown solver, a wrong option, a body that is not JSON.
    Usage,
    /// The request lacks the token of the service.
    Unauthorized,
    /// The request names an unknown host, or a page of another origin sends it.
    Forbidden,
    /// Unknown address, puzzle or job.
    NotFound,
    /// The address does not support the method.
    Method,
    /// The request was not received in time.
    Slow,
    /// The body is too large.
    TooLarge,
    /// The media type of the body is not JSON.
    MediaType,
    /// The text is not a position or not moves.
    Invalid,
    /// The client exceeded its rate limit.
    TooMany,
    /// The service is overloaded or shutting down.
    Busy,
    /// An internal error.
    Failure,
}

impl ProblemKind {
    /// The HTTP status code.
    pub fn status(self) -> u16 {
        match self {
            ProblemKind::Usage => 400,
            ProblemKind::Unauthorized => 401,
            ProblemKind::Forbidden => 403,
            ProblemKind::NotFound => 404,
            ProblemKind::Method => 405,
            ProblemKind::Slow => 408,
            ProblemKind::TooLarge => 413,
            ProblemKind::MediaType => 415,
            ProblemKind::Invalid => 422,
            ProblemKind::TooMany => 429,
            ProblemKind::Failure => 500,
            ProblemKind::Busy => 503,
        }
    }

    fn title(self) -> &'static str {
        match self {
            ProblemKind::Usage => "Invalid request",
            ProblemKind::Unauthorized => "Token required",
            ProblemKind::Forbidden => "Forbidden",
            ProblemKind::NotFound => "Not found",
            ProblemKind::Method => "Wrong method",
            ProblemKind::Slow => "The request took too long",
            ProblemKind::TooLarge => "Too large",
            ProblemKind::MediaType => "Not JSON",
            ProblemKind::Invalid => "Not a position",
            ProblemKind::TooMany => "Too many requests",
            ProblemKind::Busy => "Busy",
            ProblemKind::Failure => "Internal failure",
        }
    }

    /// The error code of a problem without a diagnostic.
    fn code(self) -> &'static str {
        match self {
            ProblemKind::Usage => "wrong-request",
            ProblemKind::Unauthorized => "unauthorized",
            ProblemKind::Forbidden => "forbidden",
            ProblemKind::NotFound => "not-found",
            ProblemKind::Method => "wrong-method",
            ProblemKind::Slow => "request-timeout",
            ProblemKind::TooLarge => "too-large",
            ProblemKind::MediaType => "wrong-media-type",
            ProblemKind::Invalid => "invalid",
            ProblemKind::TooMany => "too-many-requests",
            ProblemKind::Busy => "busy",
            ProblemKind::Failure => "internal-failure",
        }
    }

    /// The problem type.
    fn urn(self) -> &'static str {
        match self {
            ProblemKind::Usage => "urn:untumble:usage",
            ProblemKind::Unauthorized => "urn:untumble:unauthorized",
            ProblemKind::Forbidden => "urn:untumble:forbidden",
            ProblemKind::NotFound => "urn:untumble:not-found",
            ProblemKind::Method => "urn:untumble:method",
            ProblemKind::Slow => "urn:untumble:slow",
            ProblemKind::TooLarge => "urn:untumble:too-large",
            ProblemKind::MediaType => "urn:untumble:media-type",
            ProblemKind::Invalid => "urn:untumble:invalid",
            ProblemKind::TooMany => "urn:untumble:too-many",
            ProblemKind::Busy => "urn:untumble:busy",
            ProblemKind::Failure => "urn:untumble:failure",
        }
    }
}

/// Problem details, serialised as `application/problem+json`.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProblemDetails {
    /// The problem type, a URN.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "openapi", schema(rename = "type", example = "urn:untumble:invalid"))]
    pub name: &'static str,
    /// The problem type in words.
    pub title: &'static str,
    /// The HTTP status code.
    pub status: u16,
    /// The error message.
    pub detail: String,
    /// The error as data.
    #[serde(flatten)]
    pub details: ErrorDetails,
    /// The index of the invalid position in a request with several, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<usize>,
    /// The nearest solvable positions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub repairs: Vec<Repair>,
}

impl ProblemDetails {
    /// A problem with a message and the error code of its kind.
    pub fn new(kind: ProblemKind, detail: impl Into<String>) -> ProblemDetails {
        ProblemDetails {
            name: kind.urn(),
            title: kind.title(),
            status: kind.status(),
            detail: detail.into(),
            details: ErrorDetails::new(kind.code()),
            position: None,
            repairs: Vec::new(),
        }
    }

    /// A problem with the message and the details of a diagnostic.
    pub fn about(kind: ProblemKind, diagnostic: &Diagnostic) -> ProblemDetails {
        ProblemDetails { details: diagnostic.into(), ..ProblemDetails::new(kind, diagnostic.message()) }
    }

    /// The same problem, located at one of several positions.
    #[must_use]
    pub fn at(self, position: usize) -> ProblemDetails {
        ProblemDetails { position: Some(position), ..self }
    }
}

impl From<Error> for ProblemDetails {
    fn from(error: Error) -> ProblemDetails {
        let kind = match &error {
            Error::Spec { .. } | Error::Puzzle(_) | Error::Weights(_) | Error::Training(_) => {
                ProblemKind::Usage
            }
            Error::Parse(_) | Error::Unsolvable(_) => ProblemKind::Invalid,
            Error::Stopped(_) | Error::Environment(_) => ProblemKind::Busy,
            Error::ForeignPosition { .. } => ProblemKind::Failure,
        };
        ProblemDetails::about(kind, &error.diagnostic())
    }
}

impl From<CheckError> for ProblemDetails {
    fn from(error: CheckError) -> ProblemDetails {
        ProblemDetails { repairs: error.repairs, ..ProblemDetails::about(ProblemKind::Invalid, &error.why) }
    }
}
