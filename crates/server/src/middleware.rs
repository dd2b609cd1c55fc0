//! Middleware of all requests: access, rate limit, CORS, security headers, log and metrics.

use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::access::{LocalAddress, is_api};
use super::client_limits::Client;
use super::error_response::ErrorResponse;
use super::{Service, SharedService};

/// The Content-Security-Policy: resources of this origin only; WebAssembly compilation and workers are
/// allowed.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
    worker-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

const SECURITY_HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
];

/// The metric label of a method; unusual methods share one, which bounds the number of labels.
fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// Refuses a request of an unknown host, of a foreign page, above the rate limit or without the token.
fn admit(service: &Service, request: &Request, preflight: bool) -> Result<(), ErrorResponse> {
    let (policy, path) = (&service.access, request.uri().path());
    let local = request.extensions().get::<LocalAddress>().map(|local| local.0);
    policy.check_host(request.uri(), request.headers(), local)?;
    if is_api(path) {
        policy.check_origin(request.headers())?;
    }
    let needs_token = policy.needs_token(request.method(), path) && !preflight;
    if path.starts_with("/api/") || needs_token {
        // Also limits the rate at which a client can guess tokens.
        request.extensions().get::<Client>().map_or(Ok(()), |client| service.rate_limiter.check(*client))?;
    }
    if needs_token { policy.check_token(request.headers()) } else { Ok(()) }
}

/// Handles a request: decides whether it is admitted, adds headers, logs and records metrics.
pub(super) async fn handle(State(service): State<SharedService>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let method = method_label(request.method());
    let path = request.uri().path().to_owned();
    let matched = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let route = matched.unwrap_or_else(|| "page".into());
    let client = request.extensions().get::<Client>().copied();
    let allowed_origin = service.access.allowed_origin(request.headers());
    let preflight = request.method() == Method::OPTIONS
        && allowed_origin.is_some()
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = match admit(&service, &request, preflight) {
        Err(error) => error.into_response(),
        Ok(()) if preflight => StatusCode::NO_CONTENT.into_response(),
        Ok(()) => next.run(request).await,
    };
    add_headers(response.headers_mut(), &path, allowed_origin, preflight);
    let (status, elapsed) = (response.status().as_u16(), start.elapsed());
    service.metrics.record(method, &route, status, elapsed);
    let client = client.map(|client| client.0.to_string()).unwrap_or_default();
    // A long path must not make a log line long.
    let path: String = path.chars().take(200).collect();
    tracing::info!(client, method, path, status, microseconds = elapsed.as_micros() as u64, "request");
    response
}

fn add_headers(headers: &mut HeaderMap, path: &str, allowed_origin: Option<HeaderValue>, preflight: bool) {
    for (name, value) in SECURITY_HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if path.starts_with("/api/") && !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    if let Some(origin) = allowed_origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.append(header::VARY, HeaderValue::from_static("origin"));
        headers
            .insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("location, retry-after"));
    }
    if preflight {
        let allow = [
            (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, DELETE"),
            (header::ACCESS_CONTROL_ALLOW_HEADERS, "authorization, content-type, last-event-id"),
            (header::ACCESS_CONTROL_MAX_AGE, "600"),
        ];
        allow.into_iter().for_each(|(name, value)| {
            headers.insert(name, HeaderValue::from_static(value));
        });
    }
}
