//! `untumble serve`: starts the service with the limits of the command line.

use std::io::ErrorKind;
use std::net::SocketAddr;

use tracing::level_filters::LevelFilter;

use untumble_search::allocator;
use untumble_search::runtime::Runtime;
use untumble_server::{Config, Error};
use untumble_session::machine;

use crate::cli::{self, Log, Serve};
use crate::exit::{CliError, Exit};
use crate::output::{self, Answers};

/// Serves until a signal ends it, or prints the OpenAPI description.
pub(crate) fn run(arguments: &Serve, runtime: &Runtime) -> Result<Exit, CliError> {
    if arguments.openapi {
        let mut answers = Answers::new();
        answers.text(&untumble_server::openapi())?;
        answers.flush()?;
        return Ok(Exit::Success);
    }
    let config = config(arguments, runtime)?;
    // SAFETY: the program has not started another thread yet.
    unsafe { allocator::return_large_blocks() };
    start_log(arguments);
    let has_token = config.token.is_some();
    untumble_server::run(config, |address| announce(address, has_token))
        .map_err(|error| with_hint(&error))?;
    Ok(Exit::Success)
}

/// The token of the arguments or of the environment.
fn token(arguments: &Serve) -> Result<Option<String>, CliError> {
    let from_environment = || {
        let text = std::env::var_os("UNTUMBLE_TOKEN").filter(|text| !text.is_empty())?;
        let checked = cli::token(&text.to_string_lossy());
        Some(checked.map_err(|error| CliError::usage(format!("UNTUMBLE_TOKEN: {error}"))))
    };
    arguments.token.clone().map(Ok).or_else(from_environment).transpose()
}

fn config(arguments: &Serve, runtime: &Runtime) -> Result<Config, CliError> {
    let cores = machine::available_threads();
    Ok(Config {
        listen: arguments.listen,
        allowed_origins: arguments.allow_origin.clone(),
        allowed_hosts: arguments.allow_host.clone(),
        token: token(arguments)?,
        behind_proxy: arguments.behind_proxy,
        runtime: runtime.clone(),
        workers: cores,
        search_threads: arguments.threads.unwrap_or(cores),
        memory: arguments.memory.or_else(machine::default_memory_limit).unwrap_or(u64::MAX),
        job_time: arguments.job_time,
        job_memory: arguments.job_memory,
        jobs_running: arguments.jobs_running.unwrap_or(cores),
        jobs_queued: arguments.jobs_queued,
        max_positions: arguments.max_positions,
        retention: arguments.keep,
        solve_time: arguments.solve_time,
        solve_queued: arguments.solve_queued,
        max_body: arguments.max_body,
        rate: arguments.rate,
        streams: arguments.streams,
        listener_grace: arguments.stream_grace,
        connections: arguments.connections,
        client_timeout: arguments.patience,
        grace: arguments.grace,
    })
}

/// Sends the log to standard error; panics of any thread become log lines.
fn start_log(arguments: &Serve) {
    let level = if arguments.quiet { LevelFilter::WARN } else { LevelFilter::INFO };
    let log = tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr).with_target(false);
    match arguments.log {
        Log::Json => log.json().flatten_event(true).init(),
        Log::Text => log.with_ansi(output::colours_enabled(output::stderr_is_terminal())).init(),
    }
    std::panic::set_hook(Box::new(|panic| tracing::error!("internal failure: {panic}")));
}

/// The error with the flag that avoids it.
fn with_hint(error: &Error) -> CliError {
    let hint = match error {
        Error::Listen { error, .. } => match error.kind() {
            ErrorKind::AddrInUse => {
                "; the port is in use: stop the other program, or choose a free port with --listen 127.0.0.1:0"
            }
            ErrorKind::PermissionDenied => {
                "; ports below 1024 need administrator rights: choose another, as in --listen 127.0.0.1:8081"
            }
            _ => "; --listen takes an address of this machine, as in 127.0.0.1:8081",
        },
        _ => "",
    };
    CliError::environment(format!("{error}{hint}"))
}

/// Prints the address, with a warning if other machines can reach it.
fn announce(address: SocketAddr, has_token: bool) {
    let shown = match address {
        SocketAddr::V4(v4) if v4.ip().is_unspecified() => format!("127.0.0.1:{}", v4.port()),
        SocketAddr::V6(v6) if v6.ip().is_unspecified() => format!("[::1]:{}", v6.port()),
        other => other.to_string(),
    };
    output::note(&format!("serving http://{shown}/ (stop with Ctrl-C)"));
    if !address.ip().is_loopback() {
        let risk = if has_token {
            "The token and all requests are sent without TLS: use a proxy that adds it"
        } else {
            "There is no authentication: every client can use the processors and memory of this machine up \
             to the limits; --token or UNTUMBLE_TOKEN adds a token (`untumble serve --help`)"
        };
        output::warning(&format!("{address} is reachable from other machines. {risk}"));
    }
}
