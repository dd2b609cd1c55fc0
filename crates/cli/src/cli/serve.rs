//! What the service may be told.

use std::net::SocketAddr;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::amounts;

/// Serve the page and the API
#[derive(Args, Debug)]
#[command(after_help = "\
The page is part of the program: open the address that is printed. The API is described at
/api/v1/docs and, for programs, at /api/v1/openapi.json. /healthz and /metrics are there for
those who watch over it. Ctrl-C or SIGTERM ends it in order.

Examples:
  untumble serve
  untumble serve --listen 127.0.0.1:0 --quiet
  untumble serve --listen 0.0.0.0:8081 --rate 5 --job-time 10s --job-memory 512M

Exit codes: 0 ended in order, 1 the address cannot be used, 2 wrong usage")]
pub(crate) struct Serve {
    /// Listen on this address; port 0 takes any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8081")]
    pub(crate) listen: SocketAddr,

    /// Let pages of this origin use the API (`https://example.org`); may be given several times
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    pub(crate) allow_origin: Vec<String>,

    /// Take clients from X-Forwarded-For: only behind a proxy that sets it
    #[arg(long)]
    pub(crate) behind_proxy: bool,

    /// Log requests as text or as JSON, on standard error
    #[arg(long, value_enum, value_name = "HOW", default_value = "text", help_heading = "Output")]
    pub(crate) log: Log,

    /// Log nothing but trouble
    #[arg(long, help_heading = "Output")]
    pub(crate) quiet: bool,

    /// Print the OpenAPI text and end
    #[arg(long, help_heading = "Output")]
    pub(crate) openapi: bool,

    /// Give no position of a job more threads; all where not given
    #[arg(long, value_name = "COUNT", value_parser = amounts::threads, help_heading = "Limits")]
    pub(crate) threads: Option<usize>,

    /// Search on this graphics processor where a solver is called gpu-… (`untumble gpu`); the first where not given
    #[cfg(feature = "gpu")]
    #[arg(long, value_name = "NUMBER", help_heading = "Limits")]
    pub(crate) gpu: Option<usize>,

    /// Give no position of a job more time
    #[arg(long, value_name = "SECONDS", default_value = "60s", value_parser = amounts::time, help_heading = "Limits")]
    pub(crate) job_time: Duration,

    /// Give no job more memory
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = amounts::size, help_heading = "Limits")]
    pub(crate) job_memory: u64,

    /// Never use more memory in all; three quarters of what is free where not given
    #[arg(long, value_name = "SIZE", value_parser = amounts::size, help_heading = "Limits")]
    pub(crate) memory: Option<u64>,

    /// Work on this many jobs at once; as many as there are cores where not given
    #[arg(long, value_name = "COUNT", value_parser = amounts::threads, help_heading = "Limits")]
    pub(crate) jobs_running: Option<usize>,

    /// Let this many jobs wait
    #[arg(long, value_name = "COUNT", default_value = "100", help_heading = "Limits")]
    pub(crate) jobs_queued: usize,

    /// Take this many positions in one job
    #[arg(long, value_name = "COUNT", default_value = "100", help_heading = "Limits")]
    pub(crate) max_positions: usize,

    /// Keep the answers of a job this long
    #[arg(long, value_name = "SECONDS", default_value = "10m", value_parser = amounts::time, help_heading = "Limits")]
    pub(crate) keep: Duration,

    /// Give no question of /solve more time; those that do not say get 2 seconds
    #[arg(long, value_name = "SECONDS", default_value = "5s", value_parser = amounts::time, help_heading = "Limits")]
    pub(crate) solve_time: Duration,

    /// Let this many questions of /solve wait
    #[arg(long, value_name = "COUNT", default_value = "1000", help_heading = "Limits")]
    pub(crate) solve_queued: usize,

    /// Take no larger body
    #[arg(long, value_name = "SIZE", default_value = "1M", value_parser = amounts::size, help_heading = "Limits")]
    pub(crate) max_body: u64,

    /// Answer this many requests a second of one client to the API; 0 is no limit
    #[arg(long, value_name = "COUNT", default_value = "20", help_heading = "Limits")]
    pub(crate) rate: u32,

    /// Give one client this many streams of events
    #[arg(long, value_name = "COUNT", default_value = "16", help_heading = "Limits")]
    pub(crate) streams: usize,

    /// Hold this many connections
    #[arg(long, value_name = "COUNT", default_value = "1000", help_heading = "Limits")]
    pub(crate) connections: usize,

    /// Wait this long for a slow client
    #[arg(long, value_name = "SECONDS", default_value = "10s", value_parser = amounts::time, help_heading = "Limits")]
    pub(crate) patience: Duration,

    /// Give running jobs this long when the service is to end
    #[arg(long, value_name = "SECONDS", default_value = "2s", value_parser = amounts::time, help_heading = "Limits")]
    pub(crate) grace: Duration,
}

// No doc comments on the values: clap would print each on a line of its own.

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Log {
    Text,
    Json,
}

/// Reads an origin: a scheme and a host, perhaps a port, and nothing behind it.
fn origin(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).unwrap_or("");
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']');
    if host.is_empty() || !host.chars().all(plain) {
        return Err("expected an origin without a path, as in https://example.org".into());
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_have_no_path() {
        for text in ["https://example.org", "http://localhost:5173", "http://[::1]:80"] {
            assert_eq!(origin(text).as_deref(), Ok(text));
        }
        for text in ["", "*", "example.org", "https://", "https://example.org/", "ftp://x", "https://a b"] {
            assert!(origin(text).is_err(), "{text} is no origin");
        }
    }
}
