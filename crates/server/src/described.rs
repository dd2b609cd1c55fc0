//! The API in words: the OpenAPI text for programs, and the same as a page for people.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use utoipa::OpenApi;

use super::{jobs, puzzles, quick, viewer};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "untumble",
        description = "Solve permutation puzzles: the shortest way wherever that can be proven, the best way in the time allowed wherever it cannot. Errors are problems of RFC 9457 with the words of the command line; that a position cannot be solved is an answer, not an error.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
        contact()
    ),
    paths(
        puzzles::list,
        puzzles::one,
        puzzles::checked,
        puzzles::scrambled,
        puzzles::applied,
        jobs::begin,
        jobs::look,
        jobs::cancel,
        jobs::listen,
        quick::solve
    ),
    tags(
        (name = "puzzles", description = "Puzzles, positions and moves"),
        (name = "jobs", description = "Positions to be solved, with events while that goes on"),
        (name = "solve", description = "One position, one answer")
    )
)]
struct Api;

/// The OpenAPI description of the service, as JSON.
pub fn text() -> String {
    let mut api = Api::openapi();
    api.merge(jobs::Events::openapi());
    let mut text = api.to_pretty_json().expect("the description fits JSON");
    text.push('\n');
    text
}

/// A text of that kind.
fn sent(text: impl Into<String>, kind: &'static str) -> Response {
    let mut response = text.into().into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// Sends the text.
pub(super) async fn openapi() -> Response {
    sent(text(), "application/json")
}

/// Sends the page.
pub(super) async fn docs() -> Response {
    sent(viewer::page(&text()), "text/html; charset=utf-8")
}

/// Sends how the page looks.
pub(super) async fn looks() -> Response {
    sent(viewer::LOOKS, "text/css; charset=utf-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_that_is_committed_is_up_to_date() {
        let committed = include_str!("../../../web/openapi.json");
        assert!(text() == committed, "renew it: untumble serve --openapi > web/openapi.json");
    }

    #[test]
    fn the_page_says_all_there_is() {
        let page = viewer::page(&text());
        for part in ["/api/v1/jobs/{id}/events", "id=\"JobRequest\"", "href=\"#Problem\"", "may be left out"]
        {
            assert!(page.contains(part), "{part} is missing");
        }
        assert!(!page.contains("<script") && !page.contains("style="), "nothing that the headers forbid");
    }
}
