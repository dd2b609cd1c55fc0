//! `GET /solve/{puzzle}/{position}`: one position, one answer.
//!
//! A request first has [`SHORT_TIME`] in the pool of short requests, so that a small puzzle never waits for a
//! large one. If that is not enough, the search starts again in a pool for longer ones, which each client
//! shares. Prepared solvers are cached and shared. The workload given to `auto` is the number of positions
//! requested so far, as an estimate of the number of future requests.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use serde::Deserialize;
use tokio::sync::oneshot;

use untumble_search::control::{Limits, Stop};
use untumble_search::error::Error;
use untumble_search::frontend::{Position, Workload};
use untumble_session::quantity::parse_duration;
use untumble_session::{
    InputKind, JobEvent, JobLimits, JobObserver, Plan, ProblemDetails, ProblemKind, PuzzleSettings, Record,
    observed_context, parse_position, parse_remote_solver,
};

use super::client_limits::Client;
use super::error_response::ErrorResponse;
use super::extract::{JsonResponse, PathParams, QueryParams};
use super::puzzle_cache::{CachedPuzzle, SharedSolvers};
use super::{Service, SharedService};

/// The time of a search among the short requests. A longer search loses this time.
const SHORT_TIME: Duration = Duration::from_millis(50);

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
    #[param(rename = "as", inline)]
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
    Extension(client): Extension<Client>,
    PathParams((name, position)): PathParams<(String, String)>,
    QueryParams(params): QueryParams<SolveParams>,
) -> Result<JsonResponse<Record>, ErrorResponse> {
    let (sender, receiver) = oneshot::channel();
    let waiting =
        WaitingRequest { service: Arc::clone(&service), client, reply: Reply::new(sender, &service) };
    if !service.short_pool.submit(client, move || waiting.begin(&name, &position, params)) {
        return Err(ErrorResponse::overloaded());
    }
    // A panic of the search drops the sender.
    receiver.await.unwrap_or_else(|_| Err(ErrorResponse::internal())).map(JsonResponse)
}

type SearchResult = Result<Record, ErrorResponse>;

/// Sends the result of a search. As an observer it cancels the search when its client has disconnected or
/// the service ends.
struct Reply {
    sender: Mutex<Option<oneshot::Sender<SearchResult>>>,
    service: SharedService,
}

impl Reply {
    fn new(sender: oneshot::Sender<SearchResult>, service: &SharedService) -> Arc<Reply> {
        Arc::new(Reply { sender: Mutex::new(Some(sender)), service: Arc::clone(service) })
    }

    fn send(&self, result: SearchResult) {
        if let Some(sender) = self.sender.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = sender.send(result);
        }
    }
}

impl JobObserver for Reply {
    fn on_event(&self, event: JobEvent) {
        if let JobEvent::Warning(warning) = event {
            tracing::warn!("{warning}");
        }
    }

    fn cancelled(&self) -> bool {
        let sender = self.sender.lock().unwrap_or_else(PoisonError::into_inner);
        self.service.requests_cancelled() || sender.as_ref().is_none_or(oneshot::Sender::is_closed)
    }
}

/// A request whose client waits for the reply.
struct WaitingRequest {
    service: SharedService,
    client: Client,
    reply: Arc<Reply>,
}

impl WaitingRequest {
    /// Validates the request and searches for [`SHORT_TIME`]; queues the search if it needs longer.
    fn begin(self, name: &str, text: &str, params: SolveParams) {
        if self.reply.cancelled() {
            return self.refuse();
        }
        let search = match Search::new(&self.service, self.client, name, text, params) {
            Ok(search) => search,
            Err(error) => return self.reply.send(Err(error)),
        };
        let time = search.plan.limits.time.map_or(SHORT_TIME, |time| time.min(SHORT_TIME));
        let short = Limits { time: Some(time), ..search.plan.limits };
        let record = search.run(&self.service, short, &self.reply);
        let unfinished = record.as_ref().is_ok_and(|record| record.stop == Some(Stop::Time));
        if !unfinished || short == search.plan.limits {
            return self.reply.send(record);
        }
        let (service, client) = (Arc::clone(&self.service), self.client);
        let reply = Arc::clone(&self.reply);
        let task = move || {
            if self.reply.cancelled() {
                return self.refuse();
            }
            let record = search.run(&self.service, search.plan.limits, &self.reply);
            self.reply.send(record);
        };
        if !service.solve_pool.submit(client, task) {
            reply.send(Err(ErrorResponse::overloaded()));
        }
    }

    /// Answers a request that was cancelled before its search. A client that has disconnected gets nothing.
    fn refuse(&self) {
        let ended = ErrorResponse::new(ProblemKind::Busy, "the service ended before the search started");
        self.reply.send(Err(ended));
    }
}

/// A validated request.
struct Search {
    client: Client,
    puzzle: Arc<CachedPuzzle>,
    position: Position,
    /// The plan with all limits of the request.
    plan: Plan,
    /// The solver text, which the spans of errors refer to.
    solver_text: String,
}

impl Search {
    fn new(
        service: &Service,
        client: Client,
        name: &str,
        text: &str,
        params: SolveParams,
    ) -> Result<Search, ErrorResponse> {
        let settings = PuzzleSettings { goal: params.goal, metric: params.metric };
        let puzzle = service.puzzle_cache.open(name, &settings)?;
        let solver_text = params.with.unwrap_or_else(|| "auto".into());
        let solver = parse_remote_solver(&puzzle.session, &solver_text, false)?;
        let time = params.time.as_deref().map(parse_duration).transpose();
        let time = time.map_err(|error| ErrorResponse::new(ProblemKind::Usage, format!("time: {error}")))?;
        let position =
            parse_position(&**puzzle.session.puzzle(), text, &params.kind.into()).map_err(Error::from)?;
        let requested = JobLimits { time: time.map(|time| time.as_secs_f64()), ..JobLimits::default() };
        let limits = requested.capped(service.limits.solve(time.is_some()), None);
        let count = puzzle.count_request();
        let single_position = (count == 1).then_some(&position);
        let workload = Workload { position: single_position, count, limits, all_solutions: false };
        let plan = puzzle.session.plan(solver.as_ref(), &workload);
        Ok(Search { client, puzzle, position, plan, solver_text })
    }

    /// Searches within these limits.
    fn run(&self, service: &Service, limits: Limits, reply: &Arc<Reply>) -> SearchResult {
        let record = self.solve_cached(service, &self.plan.with_limits(limits), reply);
        Ok(record.map_err(|error| error.locate(&self.solver_text))?)
    }

    /// Solves with the cached solvers of the plan, or prepares and caches them.
    fn solve_cached(&self, service: &Service, plan: &Plan, reply: &Arc<Reply>) -> Result<Record, Error> {
        let (context, session) = (&service.context, &self.puzzle.session);
        let account = context.memory.search_account(self.client.network());
        let observer: Arc<dyn JobObserver> = reply.clone();
        let search_context = observed_context(session, plan, 0, &account, &observer);
        if let Some(solvers) = self.puzzle.solvers(plan) {
            let record = session.solve_with(&*solvers, &self.position, plan, &search_context)?;
            service.jobs.add_nodes(record.generated);
            return Ok(record);
        }
        if context.memory.used() > context.memory.limit() / 2 {
            service.puzzle_cache.clear_solvers();
        }
        let mut prepared = None;
        let record = session.solve(&self.position, plan, &mut prepared, &search_context)?;
        service.jobs.add_nodes(record.generated);
        if let Some(solvers) = prepared {
            self.puzzle.insert_solvers(plan.clone(), SharedSolvers::from(solvers));
        }
        Ok(record)
    }
}
