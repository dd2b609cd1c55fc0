//! The HTTP service: API, jobs and web page.
//!
//! A few asynchronous threads serve all connections and never search. Jobs run on the worker threads of
//! `job_queue`. Short requests have a pool of their own, in which `/solve` requests start; those that take
//! longer move to another. Every queue gives each client a share (`fair_queue`).

mod access;
mod api_docs;
mod assets;
mod client_limits;
mod config;
mod error_response;
mod events;
mod extract;
mod fair_queue;
#[cfg(test)]
mod identity_tests;
mod in_process;
mod job_entry;
mod job_queue;
mod jobs;
mod listener;
mod memory;
mod memory_shares;
mod metrics;
mod middleware;
mod openapi;
mod puzzle_cache;
mod puzzles;
mod rate_limit;
mod solve;
mod worker_pool;
mod write_timeout;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderName, StatusCode, header};
use axum::routing::{get, post};
use tokio::sync::{oneshot, watch};

use untumble_session::{LimitCap, ProblemKind};

pub use config::{Config, Error};
use error_response::ErrorResponse;
pub use in_process::InProcessService;
pub use listener::run;
pub use openapi::text as openapi;

/// Time limit of a `/solve` request that gives no limit.
const DEFAULT_SOLVE_TIME: Duration = Duration::from_secs(2);
/// The smallest number of places for short requests.
const MIN_SHORT_QUEUED: usize = 256;

/// Limits of one request and one job.
struct RequestLimits {
    body_bytes: usize,
    positions: usize,
    /// How long a client may take to send headers or a body, or pause while it reads a response.
    client_timeout: Duration,
    job_time: Duration,
    job_memory: u64,
    solve_time: Duration,
    threads: usize,
    /// How long a job continues after its last event stream was closed.
    listener_grace: Duration,
}

impl RequestLimits {
    /// The limits of one position of a job.
    fn job(&self) -> LimitCap {
        LimitCap { time: Some(self.job_time), memory: Some(self.job_memory), threads: self.threads }
    }

    /// The limits of a `/solve` request. Without a given time, [`DEFAULT_SOLVE_TIME`] applies as well.
    fn solve(&self, time_given: bool) -> LimitCap {
        let time = if time_given { self.solve_time } else { self.solve_time.min(DEFAULT_SOLVE_TIME) };
        LimitCap { time: Some(time), memory: Some(self.job_memory), threads: 1 }
    }
}

/// The state shared by all requests.
struct Service {
    limits: RequestLimits,
    puzzle_cache: puzzle_cache::PuzzleCache,
    context: Arc<job_queue::WorkerContext>,
    jobs: Arc<job_queue::JobQueue>,
    /// Runs requests that take milliseconds.
    short_pool: Arc<worker_pool::WorkerPool>,
    /// Runs `/solve` requests that take longer.
    solve_pool: Arc<worker_pool::WorkerPool>,
    access: access::AccessPolicy,
    rate_limiter: rate_limit::RateLimiter,
    stream_limiter: client_limits::StreamLimiter,
    metrics: metrics::Metrics,
    assets: assets::Assets,
    /// How far the shutdown is.
    shutdown: watch::Sender<ShutdownPhase>,
    /// Whether `/solve` requests must end.
    requests_cancelled: AtomicBool,
}

/// How far the shutdown of the service is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ShutdownPhase {
    Running,
    /// Requests in progress are answered; other connections are closed.
    Draining,
    /// Event streams end.
    Closing,
}

/// The state as handlers receive it.
type SharedService = Arc<Service>;

impl Service {
    fn new(config: Config) -> Result<Service, Error> {
        let context = Arc::new(job_queue::WorkerContext {
            runtime: config.runtime,
            memory: memory_shares::MemoryShares::new(config.memory),
        });
        let jobs = job_queue::JobQueue::new(config.jobs_queued, config.jobs_running, config.retention);
        let jobs = Arc::new(jobs);
        jobs.start(&context).map_err(Error::Thread)?;
        let pool = |name, places| {
            worker_pool::WorkerPool::start(name, config.workers, places).map_err(Error::Thread)
        };
        let token = config.token.as_deref();
        Ok(Service {
            limits: RequestLimits {
                body_bytes: usize::try_from(config.max_body).unwrap_or(usize::MAX),
                positions: config.max_positions,
                client_timeout: config.client_timeout,
                job_time: config.job_time,
                job_memory: config.job_memory,
                solve_time: config.solve_time,
                threads: config.search_threads,
                listener_grace: config.listener_grace,
            },
            puzzle_cache: puzzle_cache::PuzzleCache::new(context.runtime.clone()),
            context,
            jobs,
            short_pool: pool("short", config.solve_queued.max(MIN_SHORT_QUEUED))?,
            solve_pool: pool("solve", config.solve_queued)?,
            access: access::AccessPolicy::new(&config.allowed_hosts, &config.allowed_origins, token),
            rate_limiter: rate_limit::RateLimiter::new(config.rate),
            stream_limiter: client_limits::StreamLimiter::new(config.streams),
            metrics: metrics::Metrics::new(),
            assets: assets::Assets::new(),
            shutdown: watch::Sender::new(ShutdownPhase::Running),
            requests_cancelled: AtomicBool::new(false),
        })
    }

    /// Ends the searches of all `/solve` requests; those that wait for a search are refused.
    fn cancel_requests(&self) {
        self.requests_cancelled.store(true, Relaxed);
    }

    /// Whether `/solve` requests must end.
    fn requests_cancelled(&self) -> bool {
        self.requests_cancelled.load(Relaxed)
    }

    /// Runs a short computation for a client; fails as busy if too many computations of the client wait.
    async fn short_task<T: Send + 'static>(
        self: &Arc<Service>,
        client: client_limits::Client,
        work: impl FnOnce(&Service) -> Result<T, ErrorResponse> + Send + 'static,
    ) -> Result<T, ErrorResponse> {
        let (sender, receiver) = oneshot::channel();
        let service = Arc::clone(self);
        let task = move || {
            let _ = sender.send(work(&service));
        };
        if !self.short_pool.submit(client, task) {
            return Err(ErrorResponse::overloaded());
        }
        // A panic of the task drops the sender.
        receiver.await.unwrap_or_else(|_| Err(ErrorResponse::internal()))
    }
}

/// All routes.
fn router(service: &SharedService) -> Router {
    Router::new()
        .route("/api/v1/puzzles", get(puzzles::list))
        .route("/api/v1/puzzles/{puzzle}", get(puzzles::describe_puzzle))
        .route("/api/v1/puzzles/{puzzle}/check", post(puzzles::check_position))
        .route("/api/v1/puzzles/{puzzle}/scramble", post(puzzles::scramble_positions))
        .route("/api/v1/puzzles/{puzzle}/apply", post(puzzles::apply_moves))
        .route("/api/v1/jobs", post(jobs::create))
        .route("/api/v1/jobs/{id}", get(jobs::status).delete(jobs::cancel))
        .route("/api/v1/jobs/{id}/events", get(jobs::events))
        .route("/api/v1/solve/{puzzle}/{position}", get(solve::solve))
        // A short form that people can type.
        .route("/solve/{puzzle}/{position}", get(solve::solve))
        .route("/api/v1/openapi.json", get(openapi::document))
        .route("/api/v1/docs", get(openapi::docs))
        .route("/api/v1/docs.css", get(openapi::docs_stylesheet))
        .route("/healthz", get(health))
        .route("/metrics", get(metrics))
        .fallback(assets::serve_file)
        .method_not_allowed_fallback(async || {
            ErrorResponse::new(
                ProblemKind::Method,
                "this address does not support the method; see /api/v1/docs",
            )
        })
        .layer(axum::middleware::from_fn_with_state(Arc::clone(service), middleware::handle))
        .with_state(Arc::clone(service))
}

/// The liveness check.
async fn health() -> (StatusCode, &'static str) {
    (StatusCode::OK, "ok\n")
}

async fn metrics(State(service): State<SharedService>) -> ([(HeaderName, &'static str); 1], String) {
    ([(header::CONTENT_TYPE, metrics::CONTENT_TYPE)], service.metrics.text(&service))
}
