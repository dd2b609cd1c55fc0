//! Handlers for puzzles, positions and moves, which need no search.

use axum::Extension;
use axum::extract::State;

use untumble_session::{
    ApplyRequest, ApplyResult, CheckRequest, CheckResult, Description, Family, ProblemDetails, ProblemKind,
    PuzzleSettings, ScrambleRequest, ScrambleResult, apply, check, describe, families, scramble,
};

use super::SharedService;
use super::client_limits::Client;
use super::error_response::ErrorResponse;
use super::extract::{JsonBody, JsonResponse, PathParams, QueryParams};

type HandlerResult<T> = Result<JsonResponse<T>, ErrorResponse>;

/// List the puzzle families.
#[utoipa::path(get, path = "/api/v1/puzzles", tag = "puzzles", operation_id = "listPuzzles",
    responses((status = 200, description = "The puzzle families", body = Vec<Family>)))]
pub(super) async fn list(State(service): State<SharedService>) -> JsonResponse<Vec<Family>> {
    JsonResponse(families(&service.context.runtime))
}

/// Describe a puzzle: moves, solvers with their options, text formats, and the shape for drawing.
#[utoipa::path(get, path = "/api/v1/puzzles/{puzzle}", tag = "puzzles", operation_id = "describePuzzle",
    params(("puzzle" = String, Path, description = "The puzzle's name", example = "15-puzzle"),
        ("goal" = Option<String>, Query, description = "A goal by name, or a position; by default the first goal"),
        ("metric" = Option<String>, Query, description = "The metric in which moves are counted")),
    responses(
        (status = 200, description = "The puzzle", body = Description),
        (status = 400, description = "Invalid goal or metric", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 404, description = "Unknown puzzle", body = ProblemDetails,
            content_type = "application/problem+json")))]
pub(super) async fn describe_puzzle(
    State(service): State<SharedService>,
    Extension(client): Extension<Client>,
    PathParams(name): PathParams<String>,
    QueryParams(settings): QueryParams<PuzzleSettings>,
) -> HandlerResult<Description> {
    service
        .short_task(client, move |service| {
            let puzzle = service.puzzle_cache.open(&name, &settings)?;
            Ok(JsonResponse(describe(&**puzzle.session.puzzle(), &service.context.runtime)))
        })
        .await
}

/// Check whether a text is a valid and solvable position.
#[utoipa::path(post, path = "/api/v1/puzzles/{puzzle}/check", tag = "puzzles", operation_id = "checkPosition",
    params(("puzzle" = String, Path, description = "The puzzle's name", example = "8-puzzle")),
    request_body = CheckRequest,
    responses(
        (status = 200, description = "The position is valid", body = CheckResult),
        (status = 400, description = "Invalid request", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 404, description = "Unknown puzzle", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 413, description = "Body too large", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 415, description = "Body is not JSON", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 422, description = "Invalid position, with repairs where some are near", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 429, description = "Too many requests", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 503, description = "Service overloaded; retry later", body = ProblemDetails,
            content_type = "application/problem+json")))]
pub(super) async fn check_position(
    State(service): State<SharedService>,
    Extension(client): Extension<Client>,
    PathParams(name): PathParams<String>,
    JsonBody(request): JsonBody<CheckRequest>,
) -> HandlerResult<CheckResult> {
    service
        .short_task(client, move |service| {
            let puzzle = service.puzzle_cache.open(&name, &request.settings())?;
            check(&**puzzle.session.puzzle(), &request)
                .map(JsonResponse)
                .map_err(|error| ProblemDetails::from(error).into())
        })
        .await
}

/// Random moves in one request; more would delay other requests.
const MAX_RANDOM_MOVES: u64 = 1_000_000;

/// Generate random positions.
#[utoipa::path(post, path = "/api/v1/puzzles/{puzzle}/scramble", tag = "puzzles", operation_id = "scramble",
    params(("puzzle" = String, Path, description = "The puzzle's name", example = "cube3")),
    request_body = ScrambleRequest,
    responses(
        (status = 200, description = "The positions", body = ScrambleResult),
        (status = 400, description = "Invalid request", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 404, description = "Unknown puzzle", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 413, description = "Body too large", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 415, description = "Body is not JSON", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 429, description = "Too many requests", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 503, description = "Service overloaded; retry later", body = ProblemDetails,
            content_type = "application/problem+json")))]
pub(super) async fn scramble_positions(
    State(service): State<SharedService>,
    Extension(client): Extension<Client>,
    PathParams(name): PathParams<String>,
    JsonBody(request): JsonBody<ScrambleRequest>,
) -> HandlerResult<ScrambleResult> {
    let (count, max) = (request.count.unwrap_or(1), service.limits.positions as u64);
    if !(1..=max).contains(&count) {
        return Err(ErrorResponse::new(ProblemKind::Usage, format!("count must be 1 to {max}, not {count}")));
    }
    if request.depth.is_some_and(|depth| depth.saturating_mul(count) > MAX_RANDOM_MOVES) {
        return Err(ErrorResponse::new(
            ProblemKind::Usage,
            format!(
                "depth times count must be at most {MAX_RANDOM_MOVES}; without depth, positions are uniformly \
                 random"
            ),
        ));
    }
    service
        .short_task(client, move |service| {
            let puzzle = service.puzzle_cache.open(&name, &request.settings())?;
            Ok(JsonResponse(scramble(&**puzzle.session.puzzle(), &request, untumble_session::random_seed())?))
        })
        .await
}

/// Apply moves to a position.
#[utoipa::path(post, path = "/api/v1/puzzles/{puzzle}/apply", tag = "puzzles", operation_id = "applyMoves",
    params(("puzzle" = String, Path, description = "The puzzle's name", example = "8-puzzle")),
    request_body = ApplyRequest,
    responses(
        (status = 200, description = "The resulting position", body = ApplyResult),
        (status = 400, description = "Invalid request", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 404, description = "Unknown puzzle", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 413, description = "Body too large", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 415, description = "Body is not JSON", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 422, description = "Invalid position, invalid moves, or an illegal move", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 429, description = "Too many requests", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 503, description = "Service overloaded; retry later", body = ProblemDetails,
            content_type = "application/problem+json")))]
pub(super) async fn apply_moves(
    State(service): State<SharedService>,
    Extension(client): Extension<Client>,
    PathParams(name): PathParams<String>,
    JsonBody(request): JsonBody<ApplyRequest>,
) -> HandlerResult<ApplyResult> {
    service
        .short_task(client, move |service| {
            let puzzle = service.puzzle_cache.open(&name, &request.settings())?;
            Ok(JsonResponse(apply(&**puzzle.session.puzzle(), &request)?))
        })
        .await
}
