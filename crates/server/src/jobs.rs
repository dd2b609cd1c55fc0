//! Jobs over HTTP: begun, looked at, listened to, cancelled.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream};

use untumble_session::{
    AnswerEvent, BestEvent, DoneEvent, Job, JobRequest, JobState, Problem, ProblemKind, ProgressEvent,
    Settings, StateEvent, Task,
};

use super::Shared;
use super::rate_limit::{Client, StreamPermit};
use super::refusal::{Addressed, Refused, Said, Sent, json};
use super::work::{Entry, Full};

/// After so long a refused job is worth another try.
const RETRY: Duration = Duration::from_secs(2);

/// Begin a job: positions to be solved one after the other.
#[utoipa::path(post, path = "/api/v1/jobs", tag = "jobs", operation_id = "beginJob",
    request_body = JobRequest,
    responses(
        (status = 201, description = "It waits for its turn", body = Job, headers(("Location" = String, description = "Where to look at it"))),
        (status = 400, description = "The request makes no sense", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such puzzle", body = Problem, content_type = "application/problem+json"),
        (status = 413, description = "The body is too large", body = Problem, content_type = "application/problem+json"),
        (status = 415, description = "The body is not JSON", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "One of the texts is no position", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "Too many requests", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "Too many jobs wait; try again later", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn begin(
    State(service): State<Shared>,
    Sent(request): Sent<JobRequest>,
) -> Result<Response, Refused> {
    let task = service.blocking(move |service| {
        let open =
            |name: &str, setting: &Settings| Ok(service.puzzle_cache.open(name, setting)?.session.clone());
        Ok(Task::new(&request, service.caps.positions, service.caps.job(), open)?)
    });
    let entry = service.jobs.take(task.await?).map_err(|full| {
        let why = match full {
            Full::Queue => "as many jobs wait as may; try again later",
            Full::Closing => "the service is about to end",
        };
        Refused::new(ProblemKind::Busy, why).retry_after(RETRY)
    })?;
    let ahead = service.jobs.find(&entry.id).map_or(0, |(_, ahead)| ahead);
    let mut response = json(StatusCode::CREATED, &entry.job(ahead));
    if let Ok(place) = HeaderValue::from_str(&format!("/api/v1/jobs/{}", entry.id)) {
        response.headers_mut().insert(header::LOCATION, place);
    }
    Ok(response)
}

fn unknown(id: &str) -> Refused {
    let id: String = id.chars().take(40).collect();
    Refused::new(
        ProblemKind::NotFound,
        format!(
            "there is no job `{id}`; jobs are kept for a while after they end, and none outlives the service"
        ),
    )
}

/// Look at a job.
#[utoipa::path(get, path = "/api/v1/jobs/{id}", tag = "jobs", operation_id = "lookAtJob",
    params(("id" = String, Path, description = "The job's id")),
    responses(
        (status = 200, description = "As it stands", body = Job),
        (status = 404, description = "Unknown or forgotten", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn look(
    State(service): State<Shared>,
    Addressed(id): Addressed<String>,
) -> Result<Said<Job>, Refused> {
    let (entry, ahead) = service.jobs.find(&id).ok_or_else(|| unknown(&id))?;
    Ok(Said(entry.job(ahead)))
}

/// Cancel a job. What it has found so far stays to be looked at; one that has ended stays as it is.
#[utoipa::path(delete, path = "/api/v1/jobs/{id}", tag = "jobs", operation_id = "cancelJob",
    params(("id" = String, Path, description = "The job's id")),
    responses(
        (status = 204, description = "It ends within 0.2 s, or has ended"),
        (status = 404, description = "Unknown or forgotten", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn cancel(
    State(service): State<Shared>,
    Addressed(id): Addressed<String>,
) -> Result<StatusCode, Refused> {
    if service.jobs.cancel(&id) { Ok(StatusCode::NO_CONTENT) } else { Err(unknown(&id)) }
}

/// Listen to a job: events `state`, `progress`, `best`, `answer` and at last `done`, each with an id; data is JSON of the
/// schemas StateEvent, ProgressEvent, BestEvent, AnswerEvent, DoneEvent.
/// Who comes late hears what still matters, who comes back with Last-Event-ID only what is new.
#[utoipa::path(get, path = "/api/v1/jobs/{id}/events", tag = "jobs", operation_id = "listenToJob",
    params(
        ("id" = String, Path, description = "The job's id"),
        ("Last-Event-ID" = Option<u64>, Header, description = "The last event heard")),
    responses(
        (status = 200, description = "The events as they come", body = String, content_type = "text/event-stream"),
        (status = 404, description = "Unknown or forgotten", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "Too many streams for one client", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn listen(
    State(service): State<Shared>,
    Extension(client): Extension<Client>,
    Addressed(id): Addressed<String>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let (entry, _) = service.jobs.find(&id).ok_or_else(|| unknown(&id))?;
    let permit = service.stream_limiter.acquire(client)?;
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()).and_then(|id| id.parse().ok());
    // An id from the future is none of ours.
    let heard = last.filter(|&last| last <= entry.course().last()).unwrap_or(0);
    let events = events(&service, entry, heard, permit);
    let mut response = Sse::new(events).keep_alive(KeepAlive::default()).into_response();
    // Proxies that collect what they pass on would make the events useless.
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

/// What the schemas of events are for; they are in no body of their own.
#[derive(utoipa::OpenApi)]
#[openapi(components(schemas(StateEvent, ProgressEvent, BestEvent, AnswerEvent, DoneEvent, JobState)))]
pub(super) struct Events;

/// The events of a job from one on, until it ends or the service does.
fn events(
    service: &Shared,
    entry: Arc<Entry>,
    heard: u64,
    permit: StreamPermit,
) -> impl Stream<Item = Result<Event, Infallible>> + use<> {
    let (pulse, closing) = (entry.listen(), service.closing.subscribe());
    let begin = (entry, pulse, closing, heard, Vec::new().into_iter(), false, permit);
    stream::unfold(
        begin,
        |(entry, mut pulse, mut closing, mut heard, mut ready, mut over, permit)| async move {
            loop {
                if let Some(event) = ready.next() {
                    return Some((Ok(event), (entry, pulse, closing, heard, ready, over, permit)));
                }
                if over {
                    return None;
                }
                pulse.borrow_and_update();
                let last = {
                    let course = entry.course();
                    let (new, end) = course.after(heard);
                    (ready, over) = (new.into_iter(), end);
                    course.last()
                };
                heard = last;
                if ready.len() == 0 && !over {
                    // What was told before all was to end is heard first.
                    tokio::select! {
                        biased;
                        changed = pulse.changed() => over = changed.is_err(),
                        _ = closing.wait_for(|closing| *closing) => over = true,
                    }
                }
            }
        },
    )
}
