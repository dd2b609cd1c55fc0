//! The reorder buffer: answers arrive in any order and are written in input order.
//!
//! The buffer is bounded: if it is full, workers wait before they claim a position. This cannot deadlock:
//! positions are claimed in order, so the missing answer belongs to a worker that is not waiting.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::output::Sink;
use super::{AnswerKind, OutcomeCounts, StopFlag};
use crate::exit::CliError;

/// The capacity of the buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    /// The largest number of positions from the first unanswered one on.
    pub(crate) answers: usize,
    /// The largest number of bytes of encoded answers.
    pub(crate) bytes: usize,
}

impl Window {
    /// The default, stated in the help of `batch`.
    pub(crate) const DEFAULT: Window = Window { answers: 100_000, bytes: 64 << 20 };
    /// No limit.
    pub(crate) const UNBOUNDED: Window = Window { answers: usize::MAX, bytes: usize::MAX };
}

/// Reorders answers and writes them.
pub(crate) struct ReorderBuffer {
    window: Window,
    state: Mutex<State>,
    /// Whether the buffer has reached its capacity.
    full: AtomicBool,
    /// Signalled when the buffer is no longer full.
    has_room: Condvar,
}

/// The part of the buffer behind its lock.
struct State {
    sink: Sink,
    /// The index of the next answer to be written.
    next: u64,
    /// The answers from index `next` on; `None` for an answer that is not found yet.
    waiting: VecDeque<Option<(AnswerKind, Vec<u8>)>>,
    /// The number of answers in `waiting`.
    waiting_count: u64,
    /// The bytes of the answers in `waiting`.
    bytes: usize,
    written: OutcomeCounts,
    error: Option<CliError>,
}

/// The answers so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AnswerCounts {
    /// Written.
    pub(crate) written: OutcomeCounts,
    /// Found and not yet written.
    pub(crate) waiting: u64,
}

impl AnswerCounts {
    /// All answers found.
    pub(crate) fn found(&self) -> u64 {
        self.written.total() + self.waiting
    }
}

impl ReorderBuffer {
    /// A buffer in front of `sink`, which already holds the answers counted in `written`.
    pub(crate) fn new(sink: Sink, written: OutcomeCounts, window: Window) -> ReorderBuffer {
        let state = State {
            sink,
            next: written.total(),
            waiting: VecDeque::new(),
            waiting_count: 0,
            bytes: 0,
            written,
            error: None,
        };
        ReorderBuffer {
            window,
            state: Mutex::new(state),
            full: AtomicBool::new(false),
            has_room: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the buffer is below its capacity or the stop flag is set.
    pub(crate) fn wait_for_room(&self, stop_flag: &StopFlag) {
        const POLL_INTERVAL: Duration = Duration::from_millis(20);
        while self.full.load(Relaxed) && !stop_flag.is_set() {
            let state = self.state();
            if self.full.load(Relaxed) {
                drop(self.has_room.wait_timeout(state, POLL_INTERVAL));
            }
        }
    }

    /// Adds the answer to the position at `index`; `flush` writes it out at once. A write error sets the
    /// stop flag.
    pub(crate) fn put(&self, index: u64, kind: AnswerKind, text: &[u8], flush: bool, stop_flag: &StopFlag) {
        let mut state = self.state();
        if state.error.is_some() {
            return;
        }
        let written =
            state.put(index, kind, text).and_then(|()| if flush { state.sink.flush() } else { Ok(()) });
        if let Err(error) = written {
            state.error = Some(error);
            stop_flag.set();
        }
        let full = state.waiting.len() >= self.window.answers || state.bytes >= self.window.bytes;
        if self.full.swap(full, Relaxed) && !full {
            self.has_room.notify_all();
        }
    }

    /// Flushes the sink.
    pub(crate) fn flush(&self, stop_flag: &StopFlag) {
        let mut state = self.state();
        if state.error.is_none()
            && let Err(error) = state.sink.flush()
        {
            state.error = Some(error);
            stop_flag.set();
        }
    }

    /// The number of answers so far.
    pub(crate) fn counts(&self) -> AnswerCounts {
        let state = self.state();
        AnswerCounts { written: state.written, waiting: state.waiting_count }
    }

    /// Flushes the sink and returns the counts of written answers. Answers behind a missing one are dropped.
    pub(crate) fn finish(self) -> Result<OutcomeCounts, CliError> {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = state.error {
            return Err(error);
        }
        state.sink.flush()?;
        Ok(state.written)
    }
}

impl State {
    fn put(&mut self, index: u64, kind: AnswerKind, text: &[u8]) -> Result<(), CliError> {
        let ahead = (index - self.next) as usize;
        if ahead > 0 {
            if self.waiting.len() <= ahead {
                self.waiting.resize_with(ahead + 1, || None);
            }
            self.waiting[ahead] = Some((kind, text.to_vec()));
            self.waiting_count += 1;
            self.bytes += text.len();
            return Ok(());
        }
        self.write(kind, text)?;
        self.waiting.pop_front();
        while let Some((kind, text)) = self.waiting.front_mut().and_then(Option::take) {
            self.waiting.pop_front();
            self.waiting_count -= 1;
            self.bytes -= text.len();
            self.write(kind, &text)?;
        }
        Ok(())
    }

    fn write(&mut self, kind: AnswerKind, text: &[u8]) -> Result<(), CliError> {
        self.sink.write(text)?;
        self.next += 1;
        self.written.add(kind);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;
    use std::thread;

    /// Four threads answer 2000 positions, every hundredth of which is slow, with a capacity of three
    /// answers.
    #[test]
    fn a_small_buffer_keeps_order_without_deadlock() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out");
        let sink = Sink::create(&path, false).expect("a file");
        let buffer = ReorderBuffer::new(sink, OutcomeCounts::default(), Window { answers: 3, bytes: 20 });
        let (stop_flag, next) = (StopFlag::default(), AtomicU64::new(0));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    loop {
                        buffer.wait_for_room(&stop_flag);
                        let index = next.fetch_add(1, Relaxed);
                        if index >= 2000 {
                            return;
                        }
                        if index.is_multiple_of(100) {
                            thread::sleep(Duration::from_millis(2));
                        }
                        buffer.put(
                            index,
                            AnswerKind::Solved,
                            format!("{index}\n").as_bytes(),
                            false,
                            &stop_flag,
                        );
                        let ahead = buffer.counts().waiting;
                        assert!(ahead <= 3 + 4, "{ahead} answers wait");
                    }
                });
            }
        });
        assert_eq!(buffer.finish().expect("written").solved, 2000);
        let text = std::fs::read_to_string(path).expect("answers");
        let expected: String = (0..2000).map(|index| format!("{index}\n")).collect();
        assert_eq!(text, expected);
    }

    #[test]
    fn answers_behind_a_missing_one_are_dropped() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out");
        let sink = Sink::create(&path, false).expect("a file");
        let buffer = ReorderBuffer::new(sink, OutcomeCounts::default(), Window::DEFAULT);
        let stop_flag = StopFlag::default();
        for index in [0, 1, 3, 4] {
            buffer.put(index, AnswerKind::Stopped, b"x", false, &stop_flag);
        }
        assert_eq!(buffer.counts().waiting, 2);
        assert_eq!(buffer.finish().expect("written").stopped, 2);
        assert_eq!(std::fs::read_to_string(path).expect("answers"), "xx");
    }
}
