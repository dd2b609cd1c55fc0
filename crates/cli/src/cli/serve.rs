//! The arguments of `serve`.

use std::net::SocketAddr;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::exit_table;
use crate::value_parsers;

/// Serve the web page and the HTTP API
#[derive(Args, Debug)]
#[command(after_help = exit_table::append("serve", "\
The page is part of the program: open the printed address in a browser. The API is documented at
/api/v1/docs and /api/v1/openapi.json; /healthz and /metrics serve monitoring. Ctrl-C or SIGTERM
shuts the service down gracefully.

Every queue and the connections are shared: a client holds at most as many places as are free, and
another client's first search starts at once. Other users of this machine see the value of --token
in the list of processes; UNTUMBLE_TOKEN avoids that.

Examples:
  untumble serve
  untumble serve --listen 127.0.0.1:0 --quiet
  untumble serve --listen 0.0.0.0:8081 --rate 5 --job-time 10s --job-memory 512M"))]
pub(crate) struct Serve {
    /// Listen on this address; port 0 selects a free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8081")]
    pub(crate) listen: SocketAddr,

    /// Allow pages of this origin to use the API (`https://example.org`); may be repeated
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    pub(crate) allow_origin: Vec<String>,

    /// Answer requests to this host name [default: only localhost and the address of the machine]; may be
    /// repeated
    #[arg(long, value_name = "NAME", value_parser = host)]
    pub(crate) allow_host: Vec<String>,

    /// Require this token for the API and the page [environment: UNTUMBLE_TOKEN]
    #[arg(long, value_name = "TOKEN", value_parser = token)]
    pub(crate) token: Option<String>,

    /// Identify clients by X-Forwarded-For; only behind a proxy that sets it
    #[arg(long)]
    pub(crate) behind_proxy: bool,

    /// Log requests as text or as JSON, on standard error
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    pub(crate) log: Log,

    /// Log only warnings and errors
    #[arg(long, help_heading = "Output")]
    pub(crate) quiet: bool,

    /// Print the OpenAPI description and exit
    #[arg(long, help_heading = "Output")]
    pub(crate) openapi: bool,

    /// Use at most this many threads per position [default: all]
    #[arg(long, value_name = "COUNT", value_parser = value_parsers::threads, help_heading = "Limits")]
    pub(crate) threads: Option<usize>,

    /// Use this GPU for solvers named gpu-… (`untumble gpu`) [default: the first]
    #[cfg(feature = "gpu")]
    #[arg(long, value_name = "NUMBER", help_heading = "Limits")]
    pub(crate) gpu: Option<usize>,

    /// Limit the time per position of a job
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "60s",
        value_parser = value_parsers::duration,
        help_heading = "Limits"
    )]
    pub(crate) job_time: Duration,

    /// Limit the memory per job
    #[arg(
        long,
        value_name = "SIZE",
        default_value = "1G",
        value_parser = value_parsers::memory_size,
        help_heading = "Limits"
    )]
    pub(crate) job_memory: u64,

    /// Limit the memory of all jobs [default: three quarters of the available memory]
    #[arg(long, value_name = "SIZE", value_parser = value_parsers::memory_size, help_heading = "Limits")]
    pub(crate) memory: Option<u64>,

    /// Run this many jobs at once [default: the number of cores]
    #[arg(long, value_name = "COUNT", value_parser = value_parsers::threads, help_heading = "Limits")]
    pub(crate) jobs_running: Option<usize>,

    /// Queue at most this many jobs
    #[arg(long, value_name = "COUNT", default_value = "100", help_heading = "Limits")]
    pub(crate) jobs_queued: usize,

    /// Accept at most this many positions per job
    #[arg(long, value_name = "COUNT", default_value = "100", help_heading = "Limits")]
    pub(crate) max_positions: usize,

    /// Keep the answers of a finished job for this time
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "10m",
        value_parser = value_parsers::duration,
        help_heading = "Limits"
    )]
    pub(crate) keep: Duration,

    /// Limit the time per request to /solve; requests without a limit get 2 seconds
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "5s",
        value_parser = value_parsers::duration,
        help_heading = "Limits"
    )]
    pub(crate) solve_time: Duration,

    /// Queue at most this many requests to /solve
    #[arg(long, value_name = "COUNT", default_value = "1000", help_heading = "Limits")]
    pub(crate) solve_queued: usize,

    /// Limit the size of a request body
    #[arg(
        long,
        value_name = "SIZE",
        default_value = "1M",
        value_parser = value_parsers::memory_size,
        help_heading = "Limits"
    )]
    pub(crate) max_body: u64,

    /// Limit the API requests per second and client; 0 is no limit
    #[arg(long, value_name = "COUNT", default_value = "20", help_heading = "Limits")]
    pub(crate) rate: u32,

    /// Limit the event streams per client
    #[arg(long, value_name = "COUNT", default_value = "16", help_heading = "Limits")]
    pub(crate) streams: usize,

    /// Cancel a job this time after its last event stream was closed
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "10s",
        value_parser = value_parsers::duration,
        help_heading = "Limits"
    )]
    pub(crate) stream_grace: Duration,

    /// Limit the number of connections
    #[arg(long, value_name = "COUNT", default_value = "1000", help_heading = "Limits")]
    pub(crate) connections: usize,

    /// Wait at most this time for a slow client
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "10s",
        value_parser = value_parsers::duration,
        help_heading = "Limits"
    )]
    pub(crate) patience: Duration,

    /// Wait at most this time for running searches at shutdown
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "1s",
        value_parser = value_parsers::duration,
        help_heading = "Limits"
    )]
    pub(crate) grace: Duration,
}

// The values have no doc comments: clap would print each on a line of its own.

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Log {
    Text,
    Json,
}

/// Parses an origin: a scheme, a host and an optional port, without a path.
fn origin(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).unwrap_or("");
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']');
    if host.is_empty() || !host.chars().all(plain) {
        return Err("expected an origin without a path, as in https://example.org".into());
    }
    Ok(text.to_owned())
}

/// Parses a host name.
fn host(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    if text.is_empty() || !text.chars().all(plain) {
        return Err("expected a host name without a port, as in puzzles.example.org".into());
    }
    Ok(text.to_owned())
}

/// Parses a bearer token (RFC 6750).
pub(crate) fn token(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._~+/=".contains(c);
    if text.is_empty() || !text.chars().all(plain) {
        return Err("expected letters, digits and the characters - . _ ~ + / =".into());
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_have_no_port_and_tokens_no_spaces() {
        assert_eq!(host("puzzles.example.org").as_deref(), Ok("puzzles.example.org"));
        for text in ["", "*", "example.org:80", "https://example.org", "a b"] {
            assert!(host(text).is_err(), "{text} is no host name");
        }
        assert_eq!(token("aZ09-._~+/=").as_deref(), Ok("aZ09-._~+/="));
        for text in ["", "two words", "é", "a:b"] {
            assert!(token(text).is_err(), "{text} is no token");
        }
    }

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
