//! Handlers for jobs: create, status, event stream, cancel.

use std::convert::Infallible;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream};

use untumble_session::{
    AnswerEvent, BestEvent, DoneEvent, Job, JobRequest, JobState, ProblemDetails, ProblemKind, ProgressEvent,
    PuzzleSettings, StateEvent, ValidatedJob,
};

use super::client_limits::{Client, ClientPermit};
use super::error_response::ErrorResponse;
use super::extract::{JsonBody, JsonResponse, PathParams, json};
use super::job_entry::Listener;
use super::job_queue::SubmitError;
use super::{SharedService, ShutdownPhase};

/// The `Retry-After` of a response that refuses a job.
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// Create a job that solves one or several positions.
#[utoipa::path(post, path = "/api/v1/jobs", tag = "jobs", operation_id = "beginJob",
    request_body = JobRequest,
    responses(
        (status = 201, description = "The job is queued", body = Job,
            headers(("Location" = String, description = "The address of the job"))),
        (status = 400, description = "Invalid request", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 404, description = "Unknown puzzle", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 413, description = "Body too large", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 415, description = "Body is not JSON", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 422, description = "Invalid position", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 429, description = "Too many requests", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 503, description = "Job queue full; retry later", body = ProblemDetails,
            content_type = "application/problem+json")))]
pub(super) async fn create(
    State(service): State<SharedService>,
    Extension(client): Extension<Client>,
    JsonBody(request): JsonBody<JobRequest>,
) -> Result<Response, ErrorResponse> {
    // Validation runs on the threads for short computations; it is refused as busy if too many computations
    // of this client wait.
    let task = service.short_task(client, move |service| {
        let open = |name: &str, settings: &PuzzleSettings| {
            Ok(service.puzzle_cache.open(name, settings)?.session.clone())
        };
        Ok(ValidatedJob::new(&request, service.limits.positions, service.limits.job(), open)?)
    });
    let entry = service.jobs.submit(client.network(), task.await?).map_err(|error| {
        let (kind, detail) = match error {
            SubmitError::QueueFull => (ProblemKind::Busy, "the job queue is full; retry later"),
            SubmitError::ClientShare => (
                ProblemKind::TooMany,
                "as many jobs of this client wait as the queue has free places; retry later",
            ),
            SubmitError::Closing => (ProblemKind::Busy, "the service is shutting down"),
        };
        ErrorResponse::new(kind, detail).retry_after(RETRY_AFTER)
    })?;
    let ahead = service.jobs.find(&entry.id).map_or(0, |(_, ahead)| ahead);
    let mut response = json(StatusCode::CREATED, &entry.snapshot(ahead));
    if let Ok(location) = HeaderValue::from_str(&format!("/api/v1/jobs/{}", entry.id)) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    Ok(response)
}

fn unknown_job(id: &str) -> ErrorResponse {
    let id: String = id.chars().take(40).collect();
    ErrorResponse::new(
        ProblemKind::NotFound,
        format!("there is no job `{id}`; finished jobs are deleted after a while and when the service ends"),
    )
}

/// Get the state and the answers of a job.
#[utoipa::path(get, path = "/api/v1/jobs/{id}", tag = "jobs", operation_id = "lookAtJob",
    params(("id" = String, Path, description = "The job's id")),
    responses(
        (status = 200, description = "The job", body = Job),
        (status = 404, description = "Unknown or deleted job", body = ProblemDetails,
            content_type = "application/problem+json")))]
pub(super) async fn status(
    State(service): State<SharedService>,
    PathParams(id): PathParams<String>,
) -> Result<JsonResponse<Job>, ErrorResponse> {
    let (entry, ahead) = service.jobs.find(&id).ok_or_else(|| unknown_job(&id))?;
    Ok(JsonResponse(entry.snapshot(ahead)))
}

/// Cancel a job. Its answers so far remain available; a finished job does not change.
#[utoipa::path(delete, path = "/api/v1/jobs/{id}", tag = "jobs", operation_id = "cancelJob",
    params(("id" = String, Path, description = "The job's id")),
    responses(
        (status = 204, description = "The job ends within 0.2 s, or has already ended"),
        (status = 404, description = "Unknown or deleted job", body = ProblemDetails,
            content_type = "application/problem+json")))]
pub(super) async fn cancel(
    State(service): State<SharedService>,
    PathParams(id): PathParams<String>,
) -> Result<StatusCode, ErrorResponse> {
    if service.jobs.cancel(&id) { Ok(StatusCode::NO_CONTENT) } else { Err(unknown_job(&id)) }
}

/// Stream the events of a job: `state`, `progress`, `best`, `answer` and finally `done`, each with an id.
/// The data is JSON of the schemas StateEvent, ProgressEvent, BestEvent, AnswerEvent and DoneEvent. A new
/// client receives the newest progress, the best solution so far and all answers; with Last-Event-ID, only
/// events after that id. A job whose streams are
/// all closed is cancelled after a while.
#[utoipa::path(get, path = "/api/v1/jobs/{id}/events", tag = "jobs", operation_id = "listenToJob",
    params(
        ("id" = String, Path, description = "The job's id"),
        ("Last-Event-ID" = Option<u64>, Header, description = "The id of the last event received")),
    responses(
        (status = 200, description = "Server-sent events", body = String, content_type = "text/event-stream"),
        (status = 404, description = "Unknown or deleted job", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 429, description = "Too many event streams from one client", body = ProblemDetails,
            content_type = "application/problem+json")))]
pub(super) async fn events(
    State(service): State<SharedService>,
    Extension(client): Extension<Client>,
    PathParams(id): PathParams<String>,
    headers: HeaderMap,
) -> Result<Response, ErrorResponse> {
    let (entry, _) = service.jobs.find(&id).ok_or_else(|| unknown_job(&id))?;
    let permit = service.stream_limiter.acquire(client)?;
    let last_event_id =
        headers.get("last-event-id").and_then(|id| id.to_str().ok()).and_then(|id| id.parse().ok());
    // An id beyond the last event does not belong to this job.
    let received = last_event_id.filter(|&id| id <= entry.log().last_id()).unwrap_or(0);
    let listener = Listener::new(&service.jobs, &entry, service.limits.listener_grace);
    let events = event_stream(&service, listener, received, permit);
    let mut response = Sse::new(events).keep_alive(KeepAlive::default()).into_response();
    // Disables response buffering in nginx.
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

/// The schemas of the events. No operation has them as its body, so they are added explicitly.
#[derive(utoipa::OpenApi)]
#[openapi(components(schemas(StateEvent, ProgressEvent, BestEvent, AnswerEvent, DoneEvent, JobState)))]
pub(super) struct EventSchemas;

/// The events of a job after the event with the id `received`, until the job or the service ends.
fn event_stream(
    service: &SharedService,
    listener: Listener,
    received: u64,
    permit: ClientPermit,
) -> impl Stream<Item = Result<Event, Infallible>> + use<> {
    let (updates, closing) = (listener.entry().subscribe(), service.shutdown.subscribe());
    let start = (listener, updates, closing, received, Vec::new().into_iter(), false, permit);
    stream::unfold(
        start,
        |(listener, mut updates, mut closing, mut received, mut pending, mut ended, permit)| async move {
            loop {
                if let Some(event) = pending.next() {
                    let state = (listener, updates, closing, received, pending, ended, permit);
                    return Some((Ok(event), state));
                }
                if ended {
                    return None;
                }
                updates.borrow_and_update();
                let last = {
                    let log = listener.entry().log();
                    let (new, end) = log.after(received);
                    (pending, ended) = (new.into_iter(), end);
                    log.last_id()
                };
                received = last;
                if pending.len() == 0 && !ended {
                    // Biased: events logged before the shutdown are sent before the stream ends.
                    tokio::select! {
                        biased;
                        changed = updates.changed() => ended = changed.is_err(),
                        _ = closing.wait_for(|phase| *phase == ShutdownPhase::Closing) => ended = true,
                    }
                }
            }
        },
    )
}
