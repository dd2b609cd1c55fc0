//! What the service is told when it starts, and why it may not start.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use untumble_search::runtime::Runtime;

/// Addresses, resources and limits of a service.
pub struct Config {
    /// The address to listen on; port 0 takes any free one.
    pub listen: SocketAddr,
    /// Origins whose pages may use the API.
    pub allowed_origins: Vec<String>,
    /// Take the client's address from `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// Where tables are kept.
    pub runtime: Runtime,
    /// Threads that serve connections, and threads that answer one-line questions.
    pub workers: usize,
    /// Threads of one position of a job.
    pub search_threads: usize,
    /// Bytes of all searches and tables together.
    pub memory: u64,
    /// Time of one position of a job.
    pub job_time: Duration,
    /// Bytes of one job.
    pub job_memory: u64,
    /// Jobs that run at once.
    pub jobs_running: usize,
    /// Jobs that may wait.
    pub jobs_queued: usize,
    /// Positions of one job.
    pub max_positions: usize,
    /// How long the answers of a finished job are kept.
    pub keep: Duration,
    /// Time of a one-line question.
    pub solve_time: Duration,
    /// One-line questions that may wait.
    pub solve_queued: usize,
    /// Bytes of a request body.
    pub max_body: u64,
    /// Requests a second of one client to the API; 0 is no limit.
    pub rate: u32,
    /// Event streams of one client.
    pub streams: usize,
    /// Connections at a time.
    pub connections: usize,
    /// How long a slow client may stall.
    pub patience: Duration,
    /// How long running jobs may go on after the service is asked to end.
    pub grace: Duration,
}

/// Why a service does not start.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address asked for.
        address: SocketAddr,
        /// What the system says.
        error: io::Error,
    },
    /// The system gives no thread to serve on.
    #[error("no thread to serve on: {0}")]
    Runtime(io::Error),
    /// The system gives no thread to search on.
    #[error("no thread to work on: {0}")]
    Thread(io::Error),
    /// Signals cannot be received.
    #[error("cannot listen for signals: {0}")]
    Signals(io::Error),
}
