//! The API in words: the OpenAPI text for programs, and the same as a page for people.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use utoipa::OpenApi;

use super::{jobs, puzzles, quick};

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

/// The OpenAPI text.
pub(super) fn text() -> String {
    let mut api = Api::openapi();
    api.merge(jobs::Events::openapi());
    let mut text = api.to_pretty_json().expect("the description fits JSON");
    text.push('\n');
    text
}

/// Sends the text.
pub(super) async fn openapi() -> Response {
    let mut response = text().into_response();
    let kind = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
