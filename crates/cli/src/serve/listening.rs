//! Connections: who is let in, for how long, and how all of it ends in order.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tower_service::Service as _;
use tracing::level_filters::LevelFilter;

use super::gate::Client;
use super::patient::Patient;
use super::{Service, Shared, router};
use crate::cli::{Log, Serve};
use crate::exit::{CliError, Exit};
use crate::machine;
use crate::output;

/// What whoever comes when all connections are taken is told.
const TAKEN: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
/// How long answers that are on their way may take when all is to end.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Serves until somebody ends it.
pub(super) fn run(arguments: &Serve) -> Result<Exit, CliError> {
    speak(arguments);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(machine::threads())
        .max_blocking_threads(machine::threads() + 2)
        .enable_all()
        .build()
        .map_err(|error| CliError::environment(format!("no thread to serve on: {error}")))?;
    let ended = runtime.block_on(serve(arguments));
    // Searches that do not listen end with the program.
    runtime.shutdown_background();
    ended
}

/// Where the log goes, and what a bug looks like in it.
fn speak(arguments: &Serve) {
    let level = if arguments.quiet { LevelFilter::WARN } else { LevelFilter::INFO };
    let log = tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr).with_target(false);
    match arguments.log {
        Log::Json => log.json().flatten_event(true).init(),
        Log::Text => log.with_ansi(output::colourful(output::watched())).init(),
    }
    std::panic::set_hook(Box::new(|panic| tracing::error!("internal failure: {panic}")));
}

async fn serve(arguments: &Serve) -> Result<Exit, CliError> {
    let listener = TcpListener::bind(arguments.listen).await.map_err(|error| {
        let way_out = match error.kind() {
            std::io::ErrorKind::AddrInUse => {
                "; another program listens there: end it, or choose another port, as in --listen 127.0.0.1:0"
            }
            std::io::ErrorKind::PermissionDenied => {
                "; ports below 1024 are for the administrator: choose another, as in --listen 127.0.0.1:8081"
            }
            _ => "; --listen takes an address of this machine, as in 127.0.0.1:8081",
        };
        CliError::environment(format!("cannot listen on {}: {error}{way_out}", arguments.listen))
    })?;
    let address = listener.local_addr().unwrap_or(arguments.listen);
    let service = Arc::new(Service::new(arguments)?);
    let mut ends = Ends::listen()?;
    greet(address);
    let graceful = GracefulShutdown::new();
    let router = router(&service);
    let free = Arc::new(Semaphore::new(arguments.connections));
    loop {
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Such as no file left to open: others will close theirs.
                    tracing::warn!("a connection was lost: {error}");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            () = ends.asked() => break,
        };
        let Ok(permit) = Arc::clone(&free).try_acquire_owned() else {
            service.metrics.turned_away.fetch_add(1, Relaxed);
            // There is room for so few bytes, or nobody to read them.
            let _ = stream.try_write(TAKEN);
            continue;
        };
        let connection = connection(&service, &router, stream, peer.ip(), arguments.behind_proxy);
        let connection = graceful.watch(connection);
        let service = Arc::clone(&service);
        tokio::spawn(async move {
            service.metrics.connections.fetch_add(1, Relaxed);
            // A client that breaks off is no trouble of ours.
            let _ = connection.await;
            service.metrics.connections.fetch_sub(1, Relaxed);
            drop(permit);
        });
    }
    drop(listener);
    tracing::info!("ending: no more connections, running jobs have {:?}", arguments.grace);
    tokio::spawn(async move {
        ends.asked().await;
        std::process::exit(i32::from(Exit::Interrupted.code()));
    });
    let grace = arguments.grace;
    let jobs = Arc::clone(&service.jobs);
    let closing = async {
        let _ = tokio::task::spawn_blocking(move || jobs.close(grace)).await;
        service.closing.send_replace(true);
    };
    let all = async { tokio::join!(closing, graceful.shutdown()) };
    if tokio::time::timeout(grace + LAST_WORDS, all).await.is_err() {
        tracing::warn!("some connections did not end in time");
    }
    tracing::info!("ended");
    Ok(Exit::Solved)
}

/// Says where to look, and what it means if others can look, too.
fn greet(address: SocketAddr) {
    let shown = match address {
        SocketAddr::V4(v4) if v4.ip().is_unspecified() => format!("127.0.0.1:{}", v4.port()),
        SocketAddr::V6(v6) if v6.ip().is_unspecified() => format!("[::1]:{}", v6.port()),
        other => other.to_string(),
    };
    output::note(&format!("untumble serves at http://{shown}/ (Ctrl-C ends it)"));
    if !address.ip().is_loopback() {
        output::warning(&format!(
            "{address} can be reached from other machines. There are no passwords: whoever reaches it can use the processors and the memory of this machine up to the limits (`untumble serve --help`)"
        ));
    }
}

/// Those who may ask the service to end.
struct Ends {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl Ends {
    fn listen() -> Result<Ends, CliError> {
        Ok(Ends {
            #[cfg(unix)]
            terminate: tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
                .map_err(|error| CliError::environment(format!("cannot listen for signals: {error}")))?,
        })
    }

    /// Waits until one of them does.
    async fn asked(&mut self) {
        #[cfg(unix)]
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = self.terminate.recv() => {}
        }
        #[cfg(not(unix))]
        let _ = tokio::signal::ctrl_c().await;
    }
}

/// A connection with its manners: no dawdling over headers, no waiting for ever between requests.
fn connection(
    service: &Shared,
    router: &Router,
    stream: TcpStream,
    peer: IpAddr,
    proxied: bool,
) -> impl hyper_util::server::graceful::GracefulConnection<Error = hyper::Error> + Send + use<> {
    let _ = stream.set_nodelay(true);
    let router = router.clone();
    let handle = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        let client = Client::of(peer, request.headers(), proxied);
        request.extensions_mut().insert(client);
        router.clone().call(request)
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(service.caps.patience)
        .max_buf_size(64 << 10)
        .serve_connection(TokioIo::new(Patient::new(stream, service.caps.patience)), handle)
}
