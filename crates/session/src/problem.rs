//! What is wrong with a request, as RFC 9457 has it: the same words as on the command line.

use serde::Serialize;

use untumble_search::error::{Diagnostic, Error};

use crate::checking::{Repair, Unreadable};
use crate::details::ErrorDetails;

/// The kinds of problems.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The request makes no sense: an unknown solver, a wrong option, a body that is no JSON.
    Usage,
    /// There is no such thing.
    NotFound,
    /// The address is right and the method is not.
    Method,
    /// The request did not come in time.
    Slow,
    /// The body is too large.
    TooLarge,
    /// The body is not JSON.
    MediaType,
    /// The text is no position, or no moves.
    Invalid,
    /// Too many requests.
    TooMany,
    /// Too much to do, or about to end.
    Busy,
    /// A bug.
    Failure,
}

impl Kind {
    /// The status of HTTP.
    pub fn status(self) -> u16 {
        match self {
            Kind::Usage => 400,
            Kind::NotFound => 404,
            Kind::Method => 405,
            Kind::Slow => 408,
            Kind::TooLarge => 413,
            Kind::MediaType => 415,
            Kind::Invalid => 422,
            Kind::TooMany => 429,
            Kind::Failure => 500,
            Kind::Busy => 503,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Kind::Usage => "The request makes no sense",
            Kind::NotFound => "Not found",
            Kind::Method => "Wrong method",
            Kind::Slow => "The request took too long",
            Kind::TooLarge => "Too large",
            Kind::MediaType => "Not JSON",
            Kind::Invalid => "Not a position",
            Kind::TooMany => "Too many requests",
            Kind::Busy => "Busy",
            Kind::Failure => "Internal failure",
        }
    }

    /// The code of a problem that has no other.
    fn code(self) -> &'static str {
        match self {
            Kind::Usage => "wrong-request",
            Kind::NotFound => "not-found",
            Kind::Method => "wrong-method",
            Kind::Slow => "request-timeout",
            Kind::TooLarge => "too-large",
            Kind::MediaType => "wrong-media-type",
            Kind::Invalid => "invalid",
            Kind::TooMany => "too-many-requests",
            Kind::Busy => "busy",
            Kind::Failure => "internal-failure",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Usage => "urn:untumble:usage",
            Kind::NotFound => "urn:untumble:not-found",
            Kind::Method => "urn:untumble:method",
            Kind::Slow => "urn:untumble:slow",
            Kind::TooLarge => "urn:untumble:too-large",
            Kind::MediaType => "urn:untumble:media-type",
            Kind::Invalid => "urn:untumble:invalid",
            Kind::TooMany => "urn:untumble:too-many",
            Kind::Busy => "urn:untumble:busy",
            Kind::Failure => "urn:untumble:failure",
        }
    }
}

/// A problem, `application/problem+json`.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Problem {
    /// Which kind of problem.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "openapi", schema(rename = "type", example = "urn:untumble:invalid"))]
    pub name: &'static str,
    /// The kind in words.
    pub title: &'static str,
    /// The status of HTTP.
    pub status: u16,
    /// What is wrong, and where.
    pub detail: String,
    /// The same for programs.
    #[serde(flatten)]
    pub details: ErrorDetails,
    /// Of several positions, the place of the wrong one, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<usize>,
    /// The nearest positions, where some are near.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub repairs: Vec<Repair>,
}

impl Problem {
    /// A problem in words.
    pub fn new(kind: Kind, detail: impl Into<String>) -> Problem {
        Problem {
            name: kind.name(),
            title: kind.title(),
            status: kind.status(),
            detail: detail.into(),
            details: ErrorDetails::new(kind.code()),
            position: None,
            repairs: Vec::new(),
        }
    }

    /// A problem of a kind, with what a diagnostic says about it.
    pub fn about(kind: Kind, diagnostic: &Diagnostic) -> Problem {
        Problem { details: diagnostic.into(), ..Problem::new(kind, diagnostic.message()) }
    }

    /// The same about one of several positions.
    #[must_use]
    pub fn at(self, position: usize) -> Problem {
        Problem { position: Some(position), ..self }
    }
}

impl From<Error> for Problem {
    fn from(trouble: Error) -> Problem {
        let kind = match &trouble {
            Error::Spec { .. } | Error::Puzzle(_) | Error::Weights(_) | Error::Training(_) => Kind::Usage,
            Error::Parse(_) | Error::Unsolvable(_) => Kind::Invalid,
            Error::Stopped(_) | Error::Environment(_) => Kind::Busy,
            Error::ForeignPosition { .. } => Kind::Failure,
        };
        Problem::about(kind, &trouble.diagnostic())
    }
}

impl From<Unreadable> for Problem {
    fn from(unreadable: Unreadable) -> Problem {
        Problem { repairs: unreadable.repairs, ..Problem::about(Kind::Invalid, &unreadable.why) }
    }
}
