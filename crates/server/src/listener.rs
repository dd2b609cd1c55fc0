//! The accept loop: connection limit, timeouts and graceful shutdown.
//!
//! `axum::serve` has no header-read timeout and no buffer limit, so the loop uses hyper directly.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
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
use tower_service::Service as _;

use super::access::LocalAddress;
use super::client_limits::{Client, ConnectionLimiter, ConnectionRefusal};
use super::write_timeout::WriteTimeout;
use super::{Config, Error, Service, SharedService, memory, router};

/// Response sent when a client has its share of connections.
const CLIENT_SHARE: &[u8] =
    b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
/// Response sent when the connection limit is reached.
const CONNECTION_LIMIT: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
/// The exit code after a second signal, as shells report it for Ctrl-C.
const INTERRUPTED: i32 = 130;
/// Additional time for responses in progress at shutdown.
const RESPONSE_GRACE: Duration = Duration::from_secs(5);

/// Serves until the process receives Ctrl-C or SIGTERM, then shuts down gracefully; a second signal exits
/// at once. `on_listening` is called with the bound address before the first connection is accepted.
pub fn run(config: Config, on_listening: impl FnOnce(SocketAddr)) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(config.workers)
        .max_blocking_threads(config.workers + 2)
        .enable_all()
        .build()
        .map_err(Error::Runtime)?;
    let result = runtime.block_on(serve(config, on_listening));
    // Searches that do not poll for cancellation end with the process.
    runtime.shutdown_background();
    result
}

async fn serve(config: Config, on_listening: impl FnOnce(SocketAddr)) -> Result<(), Error> {
    let Config { listen, connections, behind_proxy, grace, .. } = config;
    let listener =
        TcpListener::bind(listen).await.map_err(|error| Error::Listen { address: listen, error })?;
    let address = listener.local_addr().unwrap_or(listen);
    let service = Arc::new(Service::new(config)?);
    let mut signals = ShutdownSignals::listen()?;
    tokio::spawn(memory::maintain(Arc::downgrade(&service)));
    on_listening(address);
    let graceful = GracefulShutdown::new();
    let router = router(&service);
    let limiter = ConnectionLimiter::new(connections, behind_proxy);
    loop {
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Too many files may be open: wait until some are closed.
                    tracing::warn!("cannot accept a connection: {error}");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            () = signals.received() => break,
        };
        let permit = match limiter.acquire(peer.ip()) {
            Ok(permit) => permit,
            Err(refusal) => {
                service.metrics.connections_refused.inc();
                // The empty send buffer of a new connection holds the whole response.
                let _ = stream.try_write(match refusal {
                    ConnectionRefusal::ClientShare => CLIENT_SHARE,
                    ConnectionRefusal::Full => CONNECTION_LIMIT,
                });
                continue;
            }
        };
        let connection = connection(&service, &router, stream, peer.ip(), behind_proxy);
        let connection = graceful.watch(connection);
        let service = Arc::clone(&service);
        tokio::spawn(async move {
            service.metrics.connections.inc();
            // A client may close its connection at any time.
            let _ = connection.await;
            service.metrics.connections.dec();
            drop(permit);
        });
    }
    drop(listener);
    tracing::info!("shutting down: no new connections, running jobs have {grace:?}");
    tokio::spawn(async move {
        signals.received().await;
        std::process::exit(INTERRUPTED);
    });
    let jobs = Arc::clone(&service.jobs);
    let closing = async {
        let _ = tokio::task::spawn_blocking(move || jobs.close(grace)).await;
        service.closing.send_replace(true);
    };
    let shutdown = async { tokio::join!(closing, graceful.shutdown()) };
    if tokio::time::timeout(grace + RESPONSE_GRACE, shutdown).await.is_err() {
        tracing::warn!("some connections did not close in time");
    }
    tracing::info!("shut down");
    Ok(())
}

/// The signals that shut the service down.
struct ShutdownSignals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl ShutdownSignals {
    fn listen() -> Result<ShutdownSignals, Error> {
        Ok(ShutdownSignals {
            #[cfg(unix)]
            terminate: tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
                .map_err(Error::Signals)?,
        })
    }

    /// Waits for a signal.
    async fn received(&mut self) {
        #[cfg(unix)]
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = self.terminate.recv() => {}
        }
        #[cfg(not(unix))]
        let _ = tokio::signal::ctrl_c().await;
    }
}

/// A connection with timeouts for headers, for the pause between requests and for stalled writes.
fn connection(
    service: &SharedService,
    router: &Router,
    stream: TcpStream,
    peer: IpAddr,
    proxied: bool,
) -> impl hyper_util::server::graceful::GracefulConnection<Error = hyper::Error> + Send + use<> {
    let _ = stream.set_nodelay(true);
    let local = stream.local_addr().ok();
    let router = router.clone();
    let handle = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        let client = Client::of(peer, request.headers(), proxied);
        request.extensions_mut().insert(client);
        if let Some(local) = local {
            request.extensions_mut().insert(LocalAddress(local.ip()));
        }
        router.clone().call(request)
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(service.limits.client_timeout)
        .max_buf_size(64 << 10)
        .serve_connection(TokioIo::new(WriteTimeout::new(stream, service.limits.client_timeout)), handle)
}
