//! The OpenAPI description of the API, as JSON for programs and as a page for people.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::{Modify, OpenApi};

use super::{api_docs, jobs, puzzles, solve};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "untumble",
        description = "Solve permutation puzzles: optimally where that can be proven, otherwise with the best \
            solution found within the limits. Errors are problem details (RFC 9457). An unsolvable position is \
            an answer, not an error. Every request needs one Host header (otherwise 400) that names a known \
            host, and must not come from a page of another origin (otherwise 403). If the service has a \
            token, every request needs it (otherwise 401).",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
        contact()
    ),
    paths(
        puzzles::list,
        puzzles::describe_puzzle,
        puzzles::check_position,
        puzzles::scramble_positions,
        puzzles::apply_moves,
        jobs::create,
        jobs::status,
        jobs::cancel,
        jobs::events,
        solve::solve
    ),
    tags(
        (name = "puzzles", description = "Puzzles, positions and moves"),
        (name = "jobs", description = "Jobs: solve positions in the background and follow the events"),
        (name = "solve", description = "Solve one position in one request")
    ),
    // No token, or the token of the service.
    security((), ("token" = [])),
    modifiers(&TokenScheme)
)]
struct ApiDoc;

/// Adds the scheme of the optional token.
struct TokenScheme;

impl Modify for TokenScheme {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        let scheme = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
        api.components.get_or_insert_default().add_security_scheme("token", scheme);
    }
}

/// The OpenAPI description of the service, as JSON.
pub fn text() -> String {
    let mut api = ApiDoc::openapi();
    api.merge(jobs::EventSchemas::openapi());
    let mut text = api.to_pretty_json().expect("the description is serialisable");
    text.push('\n');
    text
}

fn response(text: impl Into<String>, media_type: &'static str) -> Response {
    let mut response = text.into().into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}

/// `GET /api/v1/openapi.json`.
pub(super) async fn document() -> Response {
    response(text(), "application/json")
}

/// `GET /api/v1/docs`.
pub(super) async fn docs() -> Response {
    response(api_docs::page(&text()), "text/html; charset=utf-8")
}

/// `GET /api/v1/docs.css`.
pub(super) async fn docs_stylesheet() -> Response {
    response(api_docs::STYLESHEET, "text/css; charset=utf-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_description_is_up_to_date() {
        let committed = include_str!("../../../web/openapi.json");
        assert!(
            text() == committed,
            "web/openapi.json is outdated; run: untumble serve --openapi > web/openapi.json"
        );
    }

    #[test]
    fn the_page_documents_operations_and_schemas() {
        let page = api_docs::page(&text());
        for part in ["/api/v1/jobs/{id}/events", "id=\"JobRequest\"", "href=\"#ProblemDetails\"", "optional"]
        {
            assert!(page.contains(part), "{part} is missing");
        }
        assert!(
            !page.contains("<script") && !page.contains("style="),
            "the security headers forbid scripts and inline styles"
        );
    }
}
