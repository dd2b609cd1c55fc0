//! Error responses: `application/problem+json` (RFC 9457), optionally with `Retry-After`.

use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use untumble_search::error::Error;
use untumble_session::text::sanitize;
use untumble_session::{ProblemDetails, ProblemKind};

use super::extract::json;

/// The problem of a request or job that panicked.
pub(super) fn internal_problem() -> ProblemDetails {
    ProblemDetails::new(ProblemKind::Failure, "internal failure: this is a bug in untumble")
}

/// A problem as the response to a request.
#[derive(Debug)]
pub(super) struct ErrorResponse {
    problem: ProblemDetails,
    retry_after: Option<Duration>,
}

impl ErrorResponse {
    pub(super) fn new(kind: ProblemKind, detail: impl Into<String>) -> ErrorResponse {
        ProblemDetails::new(kind, detail).into()
    }

    /// The response to a request whose handler panicked.
    pub(super) fn internal() -> ErrorResponse {
        internal_problem().into()
    }

    /// The status code.
    #[cfg(test)]
    pub(super) fn status(&self) -> u16 {
        self.problem.status
    }

    /// The response to a request for which the client has no place in a queue.
    pub(super) fn overloaded() -> ErrorResponse {
        ErrorResponse::new(ProblemKind::Busy, "too many requests are waiting; retry later")
            .retry_after(Duration::from_secs(1))
    }

    /// Adds the time after which the client may retry; the header rounds it up to whole seconds.
    #[must_use]
    pub(super) fn retry_after(self, wait: Duration) -> ErrorResponse {
        ErrorResponse { retry_after: Some(wait), ..self }
    }
}

impl From<ProblemDetails> for ErrorResponse {
    fn from(mut problem: ProblemDetails) -> ErrorResponse {
        problem.detail = sanitize(&problem.detail);
        ErrorResponse { problem, retry_after: None }
    }
}

impl From<Error> for ErrorResponse {
    fn from(error: Error) -> ErrorResponse {
        ProblemDetails::from(error).into()
    }
}

impl IntoResponse for ErrorResponse {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = json(status, &self.problem);
        let media_type = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, media_type);
        if status == StatusCode::UNAUTHORIZED {
            // Browsers prompt for the password of the first challenge that they support.
            for challenge in ["Bearer realm=\"untumble\"", "Basic realm=\"untumble\", charset=\"UTF-8\""] {
                response.headers_mut().append(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
            }
        }
        if let Some(wait) = self.retry_after {
            let seconds = wait.as_secs_f64().ceil().max(1.0) as u64;
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}
