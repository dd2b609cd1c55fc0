//! `GET /solve/{puzzle}/{position}`: one position, one answer.
//!
//! Requests wait in a short queue for worker threads of their own, so that long jobs do not delay them.
//! Prepared solvers are cached and shared. The workload given to `auto` is the number of positions
//! requested so far, as an estimate of the number of future requests.

use std::collections::VecDeque;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use axum::extract::State;
use serde::Deserialize;
use tokio::sync::oneshot;

use untumble_search::control::{Limits, MemoryAccount};
use untumble_search::error::Error;
use untumble_search::frontend::{Position, Workload};
use untumble_search::spec::Spec;
use untumble_session::quantity::parse_duration;
use untumble_session::{
    InputKind, JobEvent, JobLimits, JobObserver, ProblemDetails, ProblemKind, PuzzleSettings, Record,
    observed_context, parse_position, parse_remote_solver,
};

use super::error_response::ErrorResponse;
use super::extract::{JsonResponse, PathParams, QueryParams};
use super::puzzle_cache::{CachedPuzzle, SharedSolvers};
use super::{Service, SharedService};

/// Query parameters of a `/solve` request.
#[derive(Deserialize, utoipa::IntoParams, Debug)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct SolveParams {
    /// The solver, with `+` encoded as %2B; the default is `auto`.
    #[param(example = "ida%2Bmanhattan")]
    with: Option<String>,
    /// Time limit in seconds, up to the limit of the service; the default is 2 s.
    #[param(example = "2")]
    time: Option<String>,
    /// Whether the text is a position or moves; the default is to recognise it.
    #[serde(rename = "as")]
    #[param(rename = "as", inline, value_type = Option<untumble_session::TextKind>)]
    kind: Option<InputKind>,
    /// The goal; the default is that of the puzzle.
    goal: Option<String>,
    /// The metric; the default is that of the puzzle.
    metric: Option<String>,
}

/// Solve one position and wait for the answer.
#[utoipa::path(get, path = "/api/v1/solve/{puzzle}/{position}", tag = "solve", operation_id = "solve",
    params(
        ("puzzle" = String, Path, description = "The puzzle's name", example = "8-puzzle"),
        ("position" = String, Path, description = "A position, or moves from solved",
            example = "8 6 7 2 5 4 3 0 1"),
        SolveParams),
    responses(
        (status = 200, description = "The answer", body = Record),
        (status = 400, description = "Invalid request", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 404, description = "Unknown puzzle", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 422, description = "Invalid position", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 429, description = "Too many requests", body = ProblemDetails,
            content_type = "application/problem+json"),
        (status = 503, description = "Service overloaded; retry later", body = ProblemDetails,
            content_type = "application/problem+json")))]
pub(super) async fn solve(
    State(service): State<SharedService>,
    PathParams((name, position)): PathParams<(String, String)>,
    QueryParams(params): QueryParams<SolveParams>,
) -> Result<JsonResponse<Record>, ErrorResponse> {
    let (sender, receiver) = oneshot::channel();
    let shared = Arc::clone(&service);
    let task = move || {
        if sender.is_closed() {
            // The client has disconnected while the request waited.
            return;
        }
        let observer = Arc::new(DisconnectObserver(Mutex::new(Some(sender))));
        let result = panic::catch_unwind(AssertUnwindSafe(|| {
            solve_request(&shared, &name, &position, params, &observer)
        }));
        let result = result.unwrap_or_else(|_| Err(ErrorResponse::internal()));
        if let Some(sender) = observer.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = sender.send(result);
        }
    };
    if !service.solve_pool.submit(Box::new(task)) {
        return Err(overloaded());
    }
    receiver.await.unwrap_or_else(|_| Err(overloaded())).map(JsonResponse)
}

fn overloaded() -> ErrorResponse {
    ErrorResponse::new(ProblemKind::Busy, "too many requests are waiting; retry later")
        .retry_after(Duration::from_secs(1))
}

type ResultSender = oneshot::Sender<Result<Record, ErrorResponse>>;

/// Cancels a search when its client disconnects.
struct DisconnectObserver(Mutex<Option<ResultSender>>);

impl JobObserver for DisconnectObserver {
    fn on_event(&self, event: JobEvent) {
        if let JobEvent::Warning(warning) = event {
            tracing::warn!("{warning}");
        }
    }

    fn cancelled(&self) -> bool {
        let sender = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sender.as_ref().is_none_or(oneshot::Sender::is_closed)
    }
}

/// Validates the request and solves the position.
fn solve_request(
    service: &Service,
    name: &str,
    text: &str,
    params: SolveParams,
    observer: &Arc<DisconnectObserver>,
) -> Result<Record, ErrorResponse> {
    let puzzle =
        service.puzzle_cache.open(name, &PuzzleSettings { goal: params.goal, metric: params.metric })?;
    let solver_text = params.with.as_deref().unwrap_or("auto");
    let solver = parse_remote_solver(&puzzle.session, solver_text, false)?;
    let time = params.time.as_deref().map(parse_duration).transpose();
    let time = time.map_err(|error| ErrorResponse::new(ProblemKind::Usage, format!("time: {error}")))?;
    let position =
        parse_position(&**puzzle.session.puzzle(), text, &params.kind.into()).map_err(Error::from)?;
    let requested = JobLimits { time: time.map(|time| time.as_secs_f64()), ..JobLimits::default() };
    let limits = requested.capped(service.limits.solve(time.is_some()), None);
    let observer: Arc<dyn JobObserver> = observer.clone();
    let record = solve_cached(service, &puzzle, &position, solver.as_ref(), limits, &observer);
    Ok(record.map_err(|error| error.locate(solver_text))?)
}

/// Solves with the cached solvers of the plan, or prepares and caches them.
fn solve_cached(
    service: &Service,
    puzzle: &CachedPuzzle,
    position: &Position,
    solver: Option<&Spec>,
    limits: Limits,
    observer: &Arc<dyn JobObserver>,
) -> Result<Record, Error> {
    let context = &service.context;
    let account = MemoryAccount::within(&context.account, context.memory_limit);
    let (session, count) = (&puzzle.session, puzzle.count_request());
    let single_position = (count == 1).then_some(position);
    let workload = Workload { position: single_position, count, limits, all_solutions: false };
    let plan = session.plan(solver, &workload);
    let search_context = observed_context(session, &plan, 0, &account, observer);
    if let Some(solvers) = puzzle.solvers(&plan) {
        let record = session.solve_with(&*solvers, position, &plan, &search_context)?;
        service.jobs.add_nodes(record.generated);
        return Ok(record);
    }
    if context.account.used() > context.memory_limit / 2 {
        service.puzzle_cache.clear_solvers();
    }
    let mut prepared = None;
    let record = session.solve(position, &plan, &mut prepared, &search_context)?;
    service.jobs.add_nodes(record.generated);
    if let Some(solvers) = prepared {
        puzzle.insert_solvers(plan, SharedSolvers::from(solvers));
    }
    Ok(record)
}

type SolveTask = Box<dyn FnOnce() + Send>;

/// A thread pool with a bounded queue.
pub(super) struct SolvePool {
    queue: Mutex<VecDeque<SolveTask>>,
    available: Condvar,
    capacity: usize,
}

impl SolvePool {
    /// Starts the threads; `capacity` tasks may wait for them.
    pub(super) fn start(threads: usize, capacity: usize) -> std::io::Result<Arc<SolvePool>> {
        let pool = Arc::new(SolvePool { queue: Mutex::default(), available: Condvar::new(), capacity });
        for number in 0..threads {
            let pool = Arc::clone(&pool);
            thread::Builder::new().name(format!("solve-{number}")).spawn(move || pool.work())?;
        }
        Ok(pool)
    }

    /// The number of waiting tasks.
    pub(super) fn waiting(&self) -> usize {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Queues a task. Returns false if the queue is full.
    fn submit(&self, task: SolveTask) -> bool {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        if queue.len() >= self.capacity {
            return false;
        }
        queue.push_back(task);
        drop(queue);
        self.available.notify_one();
        true
    }

    /// The loop of a worker thread.
    fn work(&self) {
        loop {
            let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
            let task = loop {
                match queue.pop_front() {
                    Some(task) => break task,
                    None => queue = self.available.wait(queue).unwrap_or_else(PoisonError::into_inner),
                }
            };
            drop(queue);
            task();
        }
    }
}
