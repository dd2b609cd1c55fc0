//! Extractors and responses of the handlers.
//!
//! The extractors wrap those of axum, so that every rejection is a problem document (RFC 9457) and every
//! body is read within limits of size and time.

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::{HeaderValue, StatusCode, header, request::Parts};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;

use untumble_session::{ProblemKind, json_error};

use super::SharedService;
use super::error_response::ErrorResponse;

/// A response with a JSON body.
pub(super) fn json(status: StatusCode, value: &impl Serialize) -> Response {
    let body = serde_json::to_vec(value).expect("responses are serialisable");
    let media_type = HeaderValue::from_static("application/json");
    let mut response = (status, Body::from(body)).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, media_type);
    response
}

/// The value of a handler, sent as JSON with status 200.
pub(super) struct JsonResponse<T>(pub(super) T);

impl<T: Serialize> IntoResponse for JsonResponse<T> {
    fn into_response(self) -> Response {
        json(StatusCode::OK, &self.0)
    }
}

/// The body of a request, parsed as JSON.
pub(super) struct JsonBody<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<SharedService> for JsonBody<T> {
    type Rejection = ErrorResponse;

    async fn from_request(request: Request, service: &SharedService) -> Result<JsonBody<T>, ErrorResponse> {
        let media_type = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let essence = media_type.and_then(|value| value.split(';').next()).map(str::trim);
        if !essence.is_some_and(|essence| essence.eq_ignore_ascii_case("application/json")) {
            let detail = "the body must be JSON with Content-Type: application/json";
            return Err(ErrorResponse::new(ProblemKind::MediaType, detail));
        }
        let bytes = read_body(request, service).await?;
        serde_json::from_slice(&bytes).map(JsonBody).map_err(|error| {
            ErrorResponse::new(ProblemKind::Usage, format!("the body: {}", json_error(&error)))
        })
    }
}

async fn read_body(request: Request, service: &SharedService) -> Result<Bytes, ErrorResponse> {
    let max = service.limits.body_bytes;
    let declared = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    let too_large =
        || ErrorResponse::new(ProblemKind::TooLarge, format!("the body is larger than {max} bytes"));
    if declared.and_then(|length| length.parse::<u64>().ok()).is_some_and(|length| length > max as u64) {
        return Err(too_large());
    }
    let reading = axum::body::to_bytes(request.into_body(), max);
    match tokio::time::timeout(service.limits.client_timeout, reading).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) => {
            let mut cause: Option<&dyn std::error::Error> = Some(&error);
            while let Some(error) = cause {
                if error.to_string().contains("length limit exceeded") {
                    return Err(too_large());
                }
                cause = error.source();
            }
            Err(ErrorResponse::new(ProblemKind::Usage, format!("the body is incomplete: {error}")))
        }
        Err(_) => Err(ErrorResponse::new(
            ProblemKind::Slow,
            format!("the body did not arrive within {} s", service.limits.client_timeout.as_secs()),
        )),
    }
}

/// The sentence for clients of a rejection by axum, such as `Failed to deserialize query string: nodes: invalid
/// digit found in string`. `part` is the part of the address.
fn plain(part: &str, rejection: &str) -> String {
    let reason = rejection.split_once(": ").map_or(rejection, |(_, reason)| reason);
    let reason = json_error(&reason)
        .replace("invalid digit found in string", "expected a whole number that is not negative")
        .replace("number too large to fit in target type", "the number is too large")
        .replace("cannot parse integer from empty string", "expected a whole number")
        .replace("provided string was not `true` or `false`", "expected true or false");
    format!("the {part}: {reason}")
}

/// The query string.
pub(super) struct QueryParams<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequestParts<SharedService> for QueryParams<T> {
    type Rejection = ErrorResponse;

    async fn from_request_parts(
        parts: &mut Parts,
        service: &SharedService,
    ) -> Result<QueryParams<T>, ErrorResponse> {
        match Query::<T>::from_request_parts(parts, service).await {
            Ok(Query(value)) => Ok(QueryParams(value)),
            Err(error) => Err(ErrorResponse::new(ProblemKind::Usage, plain("query", &error.body_text()))),
        }
    }
}

/// The parameters of the path.
pub(super) struct PathParams<T>(pub(super) T);

impl<T: DeserializeOwned + Send> FromRequestParts<SharedService> for PathParams<T> {
    type Rejection = ErrorResponse;

    async fn from_request_parts(
        parts: &mut Parts,
        service: &SharedService,
    ) -> Result<PathParams<T>, ErrorResponse> {
        match Path::<T>::from_request_parts(parts, service).await {
            Ok(Path(value)) => Ok(PathParams(value)),
            Err(error) => Err(ErrorResponse::new(ProblemKind::Usage, plain("path", &error.body_text()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only errors are tested")]
    struct Params {
        nodes: Option<u64>,
        all: Option<bool>,
        kind: Option<Kind>,
    }

    #[derive(Deserialize, Debug)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        Moves,
        Position,
    }

    #[test]
    fn rejections_of_queries_name_no_types() {
        for (query, expected) in [
            ("nodes=-1", "the query: nodes: expected a whole number that is not negative"),
            ("nodes=99999999999999999999", "the query: nodes: the number is too large"),
            ("nodes=", "the query: nodes: expected a whole number"),
            ("all=2", "the query: all: expected true or false"),
            ("kind=x", "the query: kind: unknown value `x`, expected `moves` or `position`"),
            ("other=1", "the query: other: unknown field `other`, expected one of `nodes`, `all`, `kind`"),
        ] {
            let uri = format!("/?{query}").parse().expect("an address");
            let error = Query::<Params>::try_from_uri(&uri).expect_err(query);
            assert_eq!(plain("query", &error.body_text()), expected);
        }
    }
}
