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

use super::gate::Client;
use super::patient::Patient;
use super::{Config, Error, Service, Shared, router};

/// What whoever comes when all connections are taken is told.
const TAKEN: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
/// The exit code after a second signal, as shells report it for Ctrl-C.
const INTERRUPTED: i32 = 130;
/// How long answers that are on their way may take when all is to end.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Serves until the process receives Ctrl-C or SIGTERM, then ends in order; a second signal ends the process at once.
/// `on_listening` receives the address once connections are accepted.
pub fn run(config: Config, on_listening: impl FnOnce(SocketAddr)) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(config.workers)
        .max_blocking_threads(config.workers + 2)
        .enable_all()
        .build()
        .map_err(Error::Runtime)?;
    let ended = runtime.block_on(serve(config, on_listening));
    // Searches that do not poll their cancellation end with the process.
    runtime.shutdown_background();
    ended
}

async fn serve(config: Config, on_listening: impl FnOnce(SocketAddr)) -> Result<(), Error> {
    let Config { listen, connections, behind_proxy, grace, .. } = config;
    let listener =
        TcpListener::bind(listen).await.map_err(|error| Error::Listen { address: listen, error })?;
    let address = listener.local_addr().unwrap_or(listen);
    let service = Arc::new(Service::new(config)?);
    let mut ends = Ends::listen()?;
    on_listening(address);
    let graceful = GracefulShutdown::new();
    let router = router(&service);
    let free = Arc::new(Semaphore::new(connections));
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
        let connection = connection(&service, &router, stream, peer.ip(), behind_proxy);
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
    tracing::info!("ending: no more connections, running jobs have {grace:?}");
    tokio::spawn(async move {
        ends.asked().await;
        std::process::exit(INTERRUPTED);
    });
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
    Ok(())
}

/// Those who may ask the service to end.
struct Ends {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl Ends {
    fn listen() -> Result<Ends, Error> {
        Ok(Ends {
            #[cfg(unix)]
            terminate: tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
                .map_err(Error::Signals)?,
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
