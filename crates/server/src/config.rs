//! The configuration of the service, and the errors of its start.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use untumble_search::runtime::Runtime;

/// Addresses, resources and limits of a service.
pub struct Config {
    /// The address to listen on; port 0 selects a free port.
    pub listen: SocketAddr,
    /// Origins whose pages may use the API (CORS).
    pub allowed_origins: Vec<String>,
    /// Host names of requests that are answered, beside loopback names and the address that is listened on.
    pub allowed_hosts: Vec<String>,
    /// The token that requests to the API need.
    pub token: Option<String>,
    /// Whether a reverse proxy sets `X-Forwarded-For` to the client's address.
    pub behind_proxy: bool,
    /// Tables, devices and puzzle families.
    pub runtime: Runtime,
    /// The number of threads that serve connections, and of threads for `/solve`.
    pub workers: usize,
    /// The thread limit of one position of a job.
    pub search_threads: usize,
    /// Memory limit of all searches and tables together, in bytes.
    pub memory: u64,
    /// Time limit of one position of a job.
    pub job_time: Duration,
    /// Memory limit of one job, in bytes.
    pub job_memory: u64,
    /// The number of jobs that run concurrently; clients without a running job have more slots in reserve.
    pub jobs_running: usize,
    /// The capacity of the job queue.
    pub jobs_queued: usize,
    /// The largest number of positions in one job.
    pub max_positions: usize,
    /// How long a finished job is retained.
    pub retention: Duration,
    /// Time limit of a `/solve` request.
    pub solve_time: Duration,
    /// The capacity of the queue of `/solve` requests.
    pub solve_queued: usize,
    /// The largest request body, in bytes.
    pub max_body: u64,
    /// The largest number of API requests per second and client; 0 is no limit.
    pub rate: u32,
    /// The largest number of open event streams per client.
    pub streams: usize,
    /// The largest number of open connections.
    pub connections: usize,
    /// How long a job continues after its last event stream was closed.
    pub listener_grace: Duration,
    /// How long a client may take to send headers or a body, or pause while it reads a response.
    pub client_timeout: Duration,
    /// How long running searches may continue after a shutdown signal.
    pub grace: Duration,
}

/// Why a service does not start.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address cannot be bound.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address requested.
        address: SocketAddr,
        /// The error of the system.
        error: io::Error,
    },
    /// The asynchronous runtime cannot start.
    #[error("cannot start the server threads: {0}")]
    Runtime(io::Error),
    /// A worker thread cannot start.
    #[error("cannot start a worker thread: {0}")]
    Thread(io::Error),
    /// The signal handlers cannot be installed.
    #[error("cannot install the signal handlers: {0}")]
    Signals(io::Error),
}
