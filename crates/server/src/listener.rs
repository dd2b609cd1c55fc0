//! The accept loop: connection limit, timeouts and graceful shutdown.
//!
//! `axum::serve` has no header-read timeout and no buffer limit, so the loop uses hyper directly.

use std::future;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulConnection, GracefulShutdown, Watcher};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tower_service::Service as _;

use super::access::LocalAddress;
use super::client_limits::{Client, ConnectionLimiter, ConnectionRefusal};
use super::write_timeout::WriteTimeout;
use super::{Config, Error, Service, SharedService, ShutdownPhase, memory, router};

/// Response sent when a client has its share of connections.
const CLIENT_SHARE: &[u8] =
    b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nCross-Origin-Resource-Policy: same-origin\r\n\
    Content-Length: 0\r\nConnection: close\r\n\r\n";
/// Response sent when the connection limit is reached.
const CONNECTION_LIMIT: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nCross-Origin-Resource-Policy: same-origin\r\n\
    Content-Length: 0\r\nConnection: close\r\n\r\n";
/// The exit code after a second signal, as shells report it for Ctrl-C.
const INTERRUPTED: i32 = 130;
/// The time to send responses at shutdown, after all searches have ended.
const RESPONSE_GRACE: Duration = Duration::from_millis(700);
/// The time for cancelled searches to end at shutdown; they poll far more often.
const CANCEL_GRACE: Duration = Duration::from_millis(200);
/// The interval of checks whether a `/solve` request is in progress at shutdown.
const IDLE_INTERVAL: Duration = Duration::from_millis(10);

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
        let _ = stream.set_nodelay(true);
        let local = stream.local_addr().ok().map(|local| local.ip());
        let context = ConnectionContext { peer: peer.ip(), local, behind_proxy, half_close: false };
        let connection = connection(&service, &router, stream, context);
        let (service, watcher) = (Arc::clone(&service), graceful.watcher());
        tokio::spawn(async move {
            service.metrics.connections.inc();
            connection.serve(watcher, service.shutdown.subscribe()).await;
            service.metrics.connections.dec();
            drop(permit);
        });
    }
    drop(listener);
    tracing::info!("shutting down: no new connections, running searches have {grace:?}");
    tokio::spawn(async move {
        signals.received().await;
        std::process::exit(INTERRUPTED);
    });
    service.shutdown.send_replace(ShutdownPhase::Draining);
    let connections = tokio::spawn(graceful.shutdown());
    end_searches(&service, grace).await;
    // Event streams end now; every other response is complete or about to be.
    service.shutdown.send_replace(ShutdownPhase::Closing);
    match tokio::time::timeout(RESPONSE_GRACE, connections).await {
        Ok(_) => tracing::info!("shut down"),
        Err(_) => tracing::warn!("shut down; some connections did not close in time"),
    }
    Ok(())
}

/// Waits until jobs and `/solve` requests have ended; after `grace` they are cancelled.
async fn end_searches(service: &SharedService, grace: Duration) {
    let deadline = Instant::now() + grace;
    let jobs = Arc::clone(&service.jobs);
    let jobs = tokio::task::spawn_blocking(move || jobs.close(grace, CANCEL_GRACE));
    let requests = async {
        let idle = || service.short_pool.is_idle() && service.solve_pool.is_idle();
        while !idle() && Instant::now() < deadline {
            tokio::time::sleep(IDLE_INTERVAL).await;
        }
        service.cancel_requests();
        while !idle() && Instant::now() < deadline + CANCEL_GRACE {
            tokio::time::sleep(IDLE_INTERVAL).await;
        }
    };
    let (jobs, ()) = tokio::join!(jobs, requests);
    if !jobs.unwrap_or(false) {
        tracing::warn!("some searches did not end in time");
    }
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

/// The addresses of a connection and its rules.
#[derive(Clone, Copy)]
pub(super) struct ConnectionContext {
    pub(super) peer: IpAddr,
    pub(super) local: Option<IpAddr>,
    /// Whether the peer is a reverse proxy that names the client.
    pub(super) behind_proxy: bool,
    /// Whether a peer that sends no more still receives responses.
    pub(super) half_close: bool,
}

/// A connection with timeouts for headers, for the pause between requests and for stalled writes.
pub(super) fn connection<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
    service: &SharedService,
    router: &Router,
    stream: S,
    context: ConnectionContext,
) -> Connection<impl GracefulConnection<Error = hyper::Error> + Send + use<S>> {
    let router = router.clone();
    let used = Arc::new(AtomicBool::new(false));
    let received = Arc::clone(&used);
    let handle = service_fn(move |request: Request<Incoming>| {
        received.store(true, Relaxed);
        let mut request = request.map(Body::new);
        let client = Client::of(context.peer, request.headers(), context.behind_proxy);
        request.extensions_mut().insert(client);
        if let Some(local) = context.local {
            request.extensions_mut().insert(LocalAddress(local));
        }
        router.clone().call(request)
    });
    let http = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(service.limits.client_timeout)
        .max_buf_size(64 << 10)
        .half_close(context.half_close)
        .serve_connection(TokioIo::new(WriteTimeout::new(stream, service.limits.client_timeout)), handle);
    Connection { http, used }
}

/// An accepted connection.
pub(super) struct Connection<C> {
    pub(super) http: C,
    /// Whether a request was received.
    used: Arc<AtomicBool>,
}

impl<C: GracefulConnection> Connection<C> {
    /// Serves requests until the client closes the connection or the service shuts down.
    async fn serve(self, watcher: Watcher, mut shutdown: watch::Receiver<ShutdownPhase>) {
        let Connection { http, used } = self;
        // hyper closes an idle connection at shutdown only after a first request. Browsers open connections
        // ahead of requests, and a shutdown would wait for them.
        let unused = async {
            let draining = shutdown.wait_for(|phase| *phase != ShutdownPhase::Running).await.is_ok();
            if !draining || used.load(Relaxed) {
                future::pending::<()>().await;
            }
        };
        tokio::select! {
            // A client may close its connection at any time.
            _ = watcher.watch(http) => {}
            () = unused => {}
        }
    }
}
