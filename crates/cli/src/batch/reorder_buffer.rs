//! Answers come as they are found and leave in the order of the input. What waits
//! for a hard position in front is bounded: beyond that, threads wait too. The position that is
//! waited for is never one of those that wait, since positions are claimed in order.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::output::Sink;
use super::{Alarm, Kind, Tally};
use crate::exit::CliError;

/// How much may wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    /// How many positions ahead of the first unanswered one.
    pub(crate) answers: usize,
    /// Bytes of finished answers.
    pub(crate) bytes: usize,
}

impl Window {
    /// What the help says.
    pub(crate) const USUAL: Window = Window { answers: 100_000, bytes: 64 << 20 };
    /// As much as there is.
    pub(crate) const UNBOUNDED: Window = Window { answers: usize::MAX, bytes: usize::MAX };
}

/// Puts answers in order and writes them.
pub(crate) struct Order {
    window: Window,
    state: Mutex<State>,
    /// Whether as much waits as may.
    full: AtomicBool,
    room: Condvar,
}

struct State {
    sink: Sink,
    /// The place of the next answer to be written.
    next: u64,
    /// The answers from there on, where they are known.
    waiting: VecDeque<Option<(Kind, Vec<u8>)>>,
    /// How many of them are known.
    known: u64,
    bytes: usize,
    written: Tally,
    failure: Option<CliError>,
}

/// How far the answers are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Standing {
    /// Those written.
    pub(crate) written: Tally,
    /// Those found and not written yet.
    pub(crate) waiting: u64,
}

impl Standing {
    /// All that were found.
    pub(crate) fn answers(&self) -> u64 {
        self.written.answers() + self.waiting
    }
}

impl Order {
    /// Writes to `sink`, which already holds the answers of `written`.
    pub(crate) fn new(sink: Sink, written: Tally, window: Window) -> Order {
        let state = State {
            sink,
            next: written.answers(),
            waiting: VecDeque::new(),
            known: 0,
            bytes: 0,
            written,
            failure: None,
        };
        Order { window, state: Mutex::new(state), full: AtomicBool::new(false), room: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until an answer may be found, or everybody is to stop.
    pub(crate) fn wait_for_room(&self, alarm: &Alarm) {
        const GLANCE: Duration = Duration::from_millis(20);
        while self.full.load(Relaxed) && !alarm.raised() {
            let state = self.state();
            if self.full.load(Relaxed) {
                drop(self.room.wait_timeout(state, GLANCE));
            }
        }
    }

    /// Hands in the answer to the position at `place`; where `soon` is set, whoever reads is not kept waiting for it.
    /// Trouble with writing raises the alarm.
    pub(crate) fn put(&self, place: u64, kind: Kind, text: &[u8], soon: bool, alarm: &Alarm) {
        let mut state = self.state();
        if state.failure.is_some() {
            return;
        }
        let done = state.put(place, kind, text).and_then(|()| if soon { state.sink.flush() } else { Ok(()) });
        if let Err(failure) = done {
            state.failure = Some(failure);
            alarm.raise();
        }
        let full = state.waiting.len() >= self.window.answers || state.bytes >= self.window.bytes;
        if self.full.swap(full, Relaxed) && !full {
            self.room.notify_all();
        }
    }

    /// Writes out what stands in buffers.
    pub(crate) fn flush(&self, alarm: &Alarm) {
        let mut state = self.state();
        if state.failure.is_none()
            && let Err(failure) = state.sink.flush()
        {
            state.failure = Some(failure);
            alarm.raise();
        }
    }

    /// How far the answers are.
    pub(crate) fn standing(&self) -> Standing {
        let state = self.state();
        Standing { written: state.written, waiting: state.known }
    }

    /// Ends writing. What waits for an answer that never came is dropped.
    pub(crate) fn finish(self) -> Result<Tally, CliError> {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(failure) = state.failure {
            return Err(failure);
        }
        state.sink.flush()?;
        Ok(state.written)
    }
}

impl State {
    fn put(&mut self, place: u64, kind: Kind, text: &[u8]) -> Result<(), CliError> {
        let ahead = (place - self.next) as usize;
        if ahead > 0 {
            if self.waiting.len() <= ahead {
                self.waiting.resize_with(ahead + 1, || None);
            }
            self.waiting[ahead] = Some((kind, text.to_vec()));
            self.known += 1;
            self.bytes += text.len();
            return Ok(());
        }
        self.write(kind, text)?;
        self.waiting.pop_front();
        while let Some((kind, text)) = self.waiting.front_mut().and_then(Option::take) {
            self.waiting.pop_front();
            self.known -= 1;
            self.bytes -= text.len();
            self.write(kind, &text)?;
        }
        Ok(())
    }

    fn write(&mut self, kind: Kind, text: &[u8]) -> Result<(), CliError> {
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

    /// Four threads answer 2000 positions of which every hundredth is slow, and may be three ahead.
    #[test]
    fn a_narrow_window_keeps_order_and_does_not_lock_up() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out");
        let sink = Sink::create(&path, false).expect("a file");
        let order = Order::new(sink, Tally::default(), Window { answers: 3, bytes: 20 });
        let (alarm, next) = (Alarm::default(), AtomicU64::new(0));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    loop {
                        order.wait_for_room(&alarm);
                        let place = next.fetch_add(1, Relaxed);
                        if place >= 2000 {
                            return;
                        }
                        if place.is_multiple_of(100) {
                            thread::sleep(Duration::from_millis(2));
                        }
                        order.put(place, Kind::Solved, format!("{place}\n").as_bytes(), false, &alarm);
                        let ahead = order.standing().waiting;
                        assert!(ahead <= 3 + 4, "{ahead} answers wait");
                    }
                });
            }
        });
        assert_eq!(order.finish().expect("written").solved, 2000);
        let text = std::fs::read_to_string(path).expect("answers");
        let expected: String = (0..2000).map(|place| format!("{place}\n")).collect();
        assert_eq!(text, expected);
    }

    #[test]
    fn what_waits_for_an_answer_that_never_comes_is_dropped() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out");
        let sink = Sink::create(&path, false).expect("a file");
        let order = Order::new(sink, Tally::default(), Window::USUAL);
        let alarm = Alarm::default();
        for place in [0, 1, 3, 4] {
            order.put(place, Kind::Stopped, b"x", false, &alarm);
        }
        assert_eq!(order.standing().waiting, 2);
        assert_eq!(order.finish().expect("written").stopped, 2);
        assert_eq!(std::fs::read_to_string(path).expect("answers"), "xx");
    }
}
