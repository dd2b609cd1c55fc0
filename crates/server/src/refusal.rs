//! Requests as they come in, and what is said where they make no sense.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::{HeaderValue, StatusCode, header, request::Parts};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;

use untumble_search::error::Error;
use untumble_session::text::sanitize;
use untumble_session::{Problem, ProblemKind};

use super::Shared;

/// A problem, and perhaps when to try again.
#[derive(Debug)]
pub(super) struct Refused {
    problem: Problem,
    retry: Option<Duration>,
}

impl Refused {
    /// A problem in words.
    pub(super) fn new(kind: ProblemKind, detail: impl Into<String>) -> Refused {
        Problem::new(kind, detail).into()
    }

    /// The same, worth another try after a while.
    #[must_use]
    pub(super) fn retry_after(self, wait: Duration) -> Refused {
        Refused { retry: Some(wait), ..self }
    }
}

impl From<Problem> for Refused {
    fn from(mut problem: Problem) -> Refused {
        problem.detail = sanitize(&problem.detail);
        Refused { problem, retry: None }
    }
}

impl From<Error> for Refused {
    fn from(trouble: Error) -> Refused {
        Problem::from(trouble).into()
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = json(status, &self.problem);
        let kind = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        if let Some(wait) = self.retry {
            let seconds = wait.as_secs_f64().ceil().max(1.0) as u64;
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

/// A value as JSON.
pub(super) fn json(status: StatusCode, value: &impl Serialize) -> Response {
    let body = serde_json::to_vec(value).expect("what is said fits JSON");
    let kind = HeaderValue::from_static("application/json");
    let mut response = (status, Body::from(body)).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

/// What a handler gives back as JSON.
pub(super) struct Said<T>(pub(super) T);

impl<T: Serialize> IntoResponse for Said<T> {
    fn into_response(self) -> Response {
        json(StatusCode::OK, &self.0)
    }
}

/// The body of a request, read as JSON within the limits of size and time.
pub(super) struct Sent<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<Shared> for Sent<T> {
    type Rejection = Refused;

    async fn from_request(request: Request, service: &Shared) -> Result<Sent<T>, Refused> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let essence = kind.and_then(|kind| kind.split(';').next()).map(str::trim);
        if !essence.is_some_and(|essence| essence.eq_ignore_ascii_case("application/json")) {
            return Err(Refused::new(
                ProblemKind::MediaType,
                "expected a body of JSON; say so with Content-Type: application/json",
            ));
        }
        let bytes = read(request, service).await?;
        serde_json::from_slice(&bytes)
            .map(Sent)
            .map_err(|error| Refused::new(ProblemKind::Usage, format!("the body: {error}")))
    }
}

async fn read(request: Request, service: &Shared) -> Result<Bytes, Refused> {
    let most = service.caps.body;
    let declared = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    let large = || {
        Refused::new(
            ProblemKind::TooLarge,
            format!("the body has more than {most} bytes; send less at a time"),
        )
    };
    if declared.and_then(|length| length.parse::<u64>().ok()).is_some_and(|length| length > most as u64) {
        return Err(large());
    }
    let reading = axum::body::to_bytes(request.into_body(), most);
    match tokio::time::timeout(service.caps.patience, reading).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) => {
            let mut cause: Option<&dyn std::error::Error> = Some(&error);
            while let Some(error) = cause {
                if error.to_string().contains("length limit exceeded") {
                    return Err(large());
                }
                cause = error.source();
            }
            Err(Refused::new(ProblemKind::Usage, format!("the body broke off: {error}")))
        }
        Err(_) => Err(Refused::new(
            ProblemKind::Slow,
            format!("the body did not come within {} s", service.caps.patience.as_secs()),
        )),
    }
}

/// What stands behind the question mark.
pub(super) struct Queried<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequestParts<Shared> for Queried<T> {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, service: &Shared) -> Result<Queried<T>, Refused> {
        match Query::<T>::from_request_parts(parts, service).await {
            Ok(Query(value)) => Ok(Queried(value)),
            Err(error) => Err(Refused::new(ProblemKind::Usage, error.body_text())),
        }
    }
}

/// The parts of the address.
pub(super) struct Addressed<T>(pub(super) T);

impl<T: DeserializeOwned + Send> FromRequestParts<Shared> for Addressed<T> {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, service: &Shared) -> Result<Addressed<T>, Refused> {
        match Path::<T>::from_request_parts(parts, service).await {
            Ok(Path(value)) => Ok(Addressed(value)),
            Err(error) => Err(Refused::new(ProblemKind::Usage, error.body_text())),
        }
    }
}
