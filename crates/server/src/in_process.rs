//! The service without a network, for fuzzing: the bytes of requests in, the bytes of responses out.

use std::io::Error as IoError;
use std::net::{IpAddr, Ipv4Addr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use axum::Router;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::listener::{ConnectionContext, connection};
use super::{Config, Error, Service, SharedService, router};

/// A service whose connections are in memory. It treats them as connections of the loopback address.
pub struct InProcessService {
    runtime: tokio::runtime::Runtime,
    service: SharedService,
    router: Router,
}

impl InProcessService {
    /// Starts the worker threads. The addresses, the connection limit and `grace` of the configuration have
    /// no effect.
    pub fn start(config: Config) -> Result<InProcessService, Error> {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_time().build().map_err(Error::Runtime)?;
        let service = Arc::new(Service::new(config)?);
        let router = router(&service);
        Ok(InProcessService { runtime, service, router })
    }

    /// Sends bytes on a new connection, then sends no more. Returns all bytes that the service writes until
    /// it closes the connection.
    pub fn exchange(&self, bytes: &[u8]) -> Vec<u8> {
        let written = Arc::default();
        let stream = MemoryStream { unread: bytes.to_vec(), read: 0, written: Arc::clone(&written) };
        let loopback = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let context = ConnectionContext {
            peer: loopback,
            local: Some(loopback),
            behind_proxy: false,
            half_close: true,
        };
        // A malformed request ends the connection with an error, after its response.
        let _ = self
            .runtime
            .block_on(async { connection(&self.service, &self.router, stream, context).http.await });
        std::mem::take(&mut *written.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A stream that reads given bytes and collects the bytes that are written.
struct MemoryStream {
    unread: Vec<u8>,
    /// The number of bytes that were read.
    read: usize,
    written: Arc<Mutex<Vec<u8>>>,
}

impl AsyncRead for MemoryStream {
    fn poll_read(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<(), IoError>> {
        let stream = self.get_mut();
        let count = buffer.remaining().min(stream.unread.len() - stream.read);
        buffer.put_slice(&stream.unread[stream.read..stream.read + count]);
        stream.read += count;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for MemoryStream {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize, IoError>> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), IoError>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), IoError>> {
        Poll::Ready(Ok(()))
    }
}
