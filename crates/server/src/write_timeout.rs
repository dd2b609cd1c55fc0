//! A timeout for writes: a connection whose client stops reading is closed.
//!
//! The timeout restarts with every byte that the client takes, so slow downloads and event streams continue.

use std::io::{Error, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// A stream whose writes fail with [`ErrorKind::TimedOut`] after waiting for `timeout`.
pub(super) struct WriteTimeout<S> {
    stream: S,
    timeout: Duration,
    /// The end of the current wait; meaningful only while `waiting`.
    expiry: Pin<Box<Sleep>>,
    waiting: bool,
}

impl<S> WriteTimeout<S> {
    pub(super) fn new(stream: S, timeout: Duration) -> WriteTimeout<S> {
        WriteTimeout { stream, timeout, expiry: Box::pin(sleep(timeout)), waiting: false }
    }

    /// The result of a write, or a timeout error if it has been pending for too long.
    fn or_timeout<T>(
        &mut self,
        written: Poll<Result<T, Error>>,
        context: &mut Context<'_>,
    ) -> Poll<Result<T, Error>> {
        if written.is_ready() {
            self.waiting = false;
            return written;
        }
        if !self.waiting {
            self.waiting = true;
            self.expiry.as_mut().reset(Instant::now() + self.timeout);
        }
        ready!(self.expiry.as_mut().poll(context));
        Poll::Ready(Err(Error::new(ErrorKind::TimedOut, "the client does not read")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteTimeout<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<(), Error>> {
        Pin::new(&mut self.get_mut().stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteTimeout<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize, Error>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.or_timeout(written, context)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<Result<usize, Error>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write_vectored(context, parts);
        this.or_timeout(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        let this = self.get_mut();
        let flushed = Pin::new(&mut this.stream).poll_flush(context);
        this.or_timeout(flushed, context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        let this = self.get_mut();
        let shut_down = Pin::new(&mut this.stream).poll_shutdown(context);
        this.or_timeout(shut_down, context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    /// Runs a test on a clock that jumps to the next timer, so that no test waits.
    fn run(test: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
        runtime.expect("a runtime").block_on(test);
    }

    #[test]
    fn a_client_that_does_not_read_times_out() {
        run(async {
            let (server, _client) = duplex(16);
            let mut server = WriteTimeout::new(server, Duration::from_secs(10));
            let start = Instant::now();
            let error = server.write_all(&[0; 64]).await.expect_err("the client reads nothing");
            assert_eq!((error.kind(), start.elapsed().as_secs()), (ErrorKind::TimedOut, 10));
        });
    }

    #[test]
    fn every_byte_read_restarts_the_timeout() {
        run(async {
            let (server, mut client) = duplex(16);
            let mut server = WriteTimeout::new(server, Duration::from_secs(10));
            let reading = async {
                let mut bytes = [0; 16];
                for _ in 0..8 {
                    tokio::time::sleep(Duration::from_secs(9)).await;
                    client.read_exact(&mut bytes).await.expect("bytes");
                }
            };
            let (written, ()) = tokio::join!(server.write_all(&[0; 128]), reading);
            written.expect("a slow client that reads does not time out");
        });
    }
}
