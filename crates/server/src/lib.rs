//! The HTTP service: the API, its jobs and the page.
//!
//! Connections are served by a few asynchronous threads that never search. What takes long happens elsewhere: jobs on threads of
//! their own (`work.rs`), one-line questions on others (`quick.rs`), reading and drawing where blocking is allowed.

mod assets;
mod config;
mod described;
mod events;
#[cfg(test)]
mod identity_tests;
mod jobs;
mod listening;
mod metrics;
mod middleware;
mod puzzle_cache;
mod puzzles;
mod quick;
mod rate_limit;
mod refusal;
mod viewer;
mod work;
mod write_timeout;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::routing::{get, post};
use tokio::sync::{Semaphore, watch};

use untumble_search::control::MemoryAccount;
use untumble_session::{Cap, ProblemKind};

pub use config::{Config, Error};
pub use described::text as openapi;
pub use listening::run;
use refusal::Refused;

/// The time of a question that does not say.
const QUICK_TIME: Duration = Duration::from_secs(2);
/// Short work that may wait for a thread.
const MOST_BLOCKING: usize = 256;

/// What one request and one job may take.
struct Caps {
    body: usize,
    positions: usize,
    patience: Duration,
    job_time: Duration,
    job_memory: u64,
    solve_time: Duration,
    threads: usize,
}

impl Caps {
    /// The most for a position of a job.
    fn job(&self) -> Cap {
        Cap { time: Some(self.job_time), memory: Some(self.job_memory), threads: self.threads }
    }

    /// The most for a one-line question; less where it `asks` for nothing.
    fn quick(&self, asks: bool) -> Cap {
        let time = if asks { self.solve_time } else { self.solve_time.min(QUICK_TIME) };
        Cap { time: Some(time), memory: Some(self.job_memory), threads: 1 }
    }
}

/// All that requests share.
struct Service {
    caps: Caps,
    puzzle_cache: puzzle_cache::PuzzleCache,
    means: Arc<work::Means>,
    jobs: Arc<work::Jobs>,
    quick: Arc<quick::Quick>,
    rate_limiter: rate_limit::RateLimiter,
    stream_limiter: rate_limit::StreamLimiter,
    metrics: metrics::Metrics,
    page: assets::Page,
    origins: Vec<HeaderValue>,
    /// Whether streams are to end.
    closing: watch::Sender<bool>,
    /// For short work that blocks.
    blocking: Semaphore,
}

/// The service as handlers have it.
type Shared = Arc<Service>;

impl Service {
    fn new(config: Config) -> Result<Service, Error> {
        let means = Arc::new(work::Means {
            // A service lives as long as its program.
            runtime: config.runtime,
            account: MemoryAccount::default(),
            memory: config.memory,
        });
        let jobs = Arc::new(work::Jobs::new(config.jobs_queued, config.keep));
        jobs.start(config.jobs_running, &means).map_err(Error::Thread)?;
        Ok(Service {
            caps: Caps {
                body: usize::try_from(config.max_body).unwrap_or(usize::MAX),
                positions: config.max_positions,
                patience: config.patience,
                job_time: config.job_time,
                job_memory: config.job_memory,
                solve_time: config.solve_time,
                threads: config.search_threads,
            },
            puzzle_cache: puzzle_cache::PuzzleCache::new(means.runtime.clone()),
            means,
            jobs,
            quick: quick::Quick::start(config.workers, config.solve_queued).map_err(Error::Thread)?,
            rate_limiter: rate_limit::RateLimiter::new(config.rate),
            stream_limiter: rate_limit::StreamLimiter::new(config.streams),
            metrics: metrics::Metrics::new(),
            page: assets::Page::new(),
            origins: config.allowed_origins.iter().filter_map(|origin| origin.parse().ok()).collect(),
            closing: watch::Sender::new(false),
            blocking: Semaphore::new(MOST_BLOCKING),
        })
    }

    /// Runs what takes a moment where that holds nobody up.
    async fn blocking<T: Send + 'static>(
        self: &Arc<Service>,
        work: impl FnOnce(&Service) -> Result<T, Refused> + Send + 'static,
    ) -> Result<T, Refused> {
        let Ok(_permit) = self.blocking.try_acquire() else {
            return Err(Refused::new(ProblemKind::Busy, "too much to do; try again later")
                .retry_after(Duration::from_secs(1)));
        };
        let service = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || work(&service)).await;
        done.unwrap_or_else(|_| {
            Err(Refused::new(ProblemKind::Failure, "internal failure: this is a bug in untumble"))
        })
    }
}

/// Everything there is, by address.
fn router(service: &Shared) -> Router {
    Router::new()
        .route("/api/v1/puzzles", get(puzzles::list))
        .route("/api/v1/puzzles/{puzzle}", get(puzzles::one))
        .route("/api/v1/puzzles/{puzzle}/check", post(puzzles::checked))
        .route("/api/v1/puzzles/{puzzle}/scramble", post(puzzles::scrambled))
        .route("/api/v1/puzzles/{puzzle}/apply", post(puzzles::applied))
        .route("/api/v1/jobs", post(jobs::begin))
        .route("/api/v1/jobs/{id}", get(jobs::look).delete(jobs::cancel))
        .route("/api/v1/jobs/{id}/events", get(jobs::listen))
        .route("/api/v1/solve/{puzzle}/{position}", get(quick::solve))
        // The same, short enough to be typed.
        .route("/solve/{puzzle}/{position}", get(quick::solve))
        .route("/api/v1/openapi.json", get(described::openapi))
        .route("/api/v1/docs", get(described::docs))
        .route("/api/v1/docs.css", get(described::looks))
        .route("/healthz", get(healthy))
        .route("/metrics", get(measured))
        .fallback(assets::file)
        .method_not_allowed_fallback(async || {
            Refused::new(ProblemKind::Method, "this address is used otherwise; see /api/v1/docs")
        })
        .layer(axum::middleware::from_fn_with_state(Arc::clone(service), middleware::pass))
        .with_state(Arc::clone(service))
}

/// Says that the service lives.
async fn healthy() -> (StatusCode, &'static str) {
    (StatusCode::OK, "ok\n")
}

async fn measured(State(service): State<Shared>) -> ([(HeaderName, &'static str); 1], String) {
    ([(header::CONTENT_TYPE, metrics::CONTENT_TYPE)], service.metrics.text(&service))
}
