//! Puzzles, positions and moves: what needs no search.

use axum::extract::State;

use untumble_session::{
    Applied, ApplyRequest, CheckRequest, Checked, Description, Family, Problem, ProblemKind, ScrambleRequest,
    Scrambled, Settings, apply, check, describe, families, scramble,
};

use super::Shared;
use super::refusal::{Addressed, Queried, Refused, Said, Sent};

type Answered<T> = Result<Said<T>, Refused>;

/// List the families of puzzles.
#[utoipa::path(get, path = "/api/v1/puzzles", tag = "puzzles", operation_id = "listPuzzles",
    responses((status = 200, description = "The families", body = Vec<Family>)))]
pub(super) async fn list(State(service): State<Shared>) -> Said<Vec<Family>> {
    Said(families(&service.means.runtime))
}

/// Describe a puzzle: moves, solvers, options, formats, and what a drawing needs.
#[utoipa::path(get, path = "/api/v1/puzzles/{puzzle}", tag = "puzzles", operation_id = "describePuzzle",
    params(("puzzle" = String, Path, description = "The puzzle's name", example = "15-puzzle"),
        ("goal" = Option<String>, Query, description = "A goal by name, or a position; by default the first goal"),
        ("metric" = Option<String>, Query, description = "The metric in which moves are counted")),
    responses(
        (status = 200, description = "All that is known", body = Description),
        (status = 400, description = "The setting makes no sense", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such puzzle", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn one(
    State(service): State<Shared>,
    Addressed(name): Addressed<String>,
    Queried(setting): Queried<Settings>,
) -> Answered<Description> {
    service
        .blocking(move |service| {
            Ok(Said(describe(
                &**service.puzzle_cache.open(&name, &setting)?.session.puzzle(),
                &service.means.runtime,
            )))
        })
        .await
}

/// Check a text: is it a position, can it be solved, what may have been meant.
#[utoipa::path(post, path = "/api/v1/puzzles/{puzzle}/check", tag = "puzzles", operation_id = "checkPosition",
    params(("puzzle" = String, Path, description = "The puzzle's name", example = "8-puzzle")),
    request_body = CheckRequest,
    responses(
        (status = 200, description = "It is a position", body = Checked),
        (status = 400, description = "The request makes no sense", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such puzzle", body = Problem, content_type = "application/problem+json"),
        (status = 413, description = "The body is too large", body = Problem, content_type = "application/problem+json"),
        (status = 415, description = "The body is not JSON", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "It is no position; perhaps some are near", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "Too many requests", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "Busy; try again later", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn checked(
    State(service): State<Shared>,
    Addressed(name): Addressed<String>,
    Sent(request): Sent<CheckRequest>,
) -> Answered<Checked> {
    service
        .blocking(move |service| {
            let opened = service.puzzle_cache.open(&name, &request.settings())?;
            check(&**opened.session.puzzle(), &request)
                .map(Said)
                .map_err(|unreadable| Problem::from(unreadable).into())
        })
        .await
}

/// Moves beyond this many in one request would keep others waiting.
const MOST_STEPS: u64 = 1_000_000;

/// Make random positions.
#[utoipa::path(post, path = "/api/v1/puzzles/{puzzle}/scramble", tag = "puzzles", operation_id = "scramble",
    params(("puzzle" = String, Path, description = "The puzzle's name", example = "cube3")),
    request_body = ScrambleRequest,
    responses(
        (status = 200, description = "The positions", body = Scrambled),
        (status = 400, description = "The request makes no sense", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such puzzle", body = Problem, content_type = "application/problem+json"),
        (status = 413, description = "The body is too large", body = Problem, content_type = "application/problem+json"),
        (status = 415, description = "The body is not JSON", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "Too many requests", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "Busy; try again later", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn scrambled(
    State(service): State<Shared>,
    Addressed(name): Addressed<String>,
    Sent(request): Sent<ScrambleRequest>,
) -> Answered<Scrambled> {
    let (count, most) = (request.count.unwrap_or(1), service.caps.positions as u64);
    if !(1..=most).contains(&count) {
        return Err(Refused::new(ProblemKind::Usage, format!("count is 1 to {most} here, not {count}")));
    }
    if request.depth.is_some_and(|depth| depth.saturating_mul(count) > MOST_STEPS) {
        return Err(Refused::new(
            ProblemKind::Usage,
            format!(
                "depth times count is at most {MOST_STEPS} here; without depth positions are drawn uniformly"
            ),
        ));
    }
    service
        .blocking(move |service| {
            let opened = service.puzzle_cache.open(&name, &request.settings())?;
            Ok(Said(scramble(&**opened.session.puzzle(), &request, untumble_session::random_seed())?))
        })
        .await
}

/// Make moves on a position.
#[utoipa::path(post, path = "/api/v1/puzzles/{puzzle}/apply", tag = "puzzles", operation_id = "applyMoves",
    params(("puzzle" = String, Path, description = "The puzzle's name", example = "8-puzzle")),
    request_body = ApplyRequest,
    responses(
        (status = 200, description = "Where they lead", body = Applied),
        (status = 400, description = "The request makes no sense", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such puzzle", body = Problem, content_type = "application/problem+json"),
        (status = 413, description = "The body is too large", body = Problem, content_type = "application/problem+json"),
        (status = 415, description = "The body is not JSON", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "No position, no moves, or a move that is not possible", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "Too many requests", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "Busy; try again later", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn applied(
    State(service): State<Shared>,
    Addressed(name): Addressed<String>,
    Sent(request): Sent<ApplyRequest>,
) -> Answered<Applied> {
    service
        .blocking(move |service| {
            let opened = service.puzzle_cache.open(&name, &request.settings())?;
            Ok(Said(apply(&**opened.session.puzzle(), &request)?))
        })
        .await
}
