//! Who gets which position next.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::vec;

use super::input::Input;
use super::{Alarm, Task};
use crate::exit::CliError;

/// Where the threads of a batch find work.
pub(crate) struct Supply<'a> {
    source: Mutex<Source<'a>>,
    /// Equal parts cut off beforehand, one for each thread: what not to do when positions
    /// differ in difficulty. Empty where each position goes to whoever is free.
    parts: Vec<Mutex<vec::IntoIter<Task>>>,
}

/// The input, and how far it was handed out.
struct Source<'a> {
    input: Input<'a>,
    /// The place of the next position.
    place: u64,
    /// How many threads there are.
    threads: usize,
}

impl<'a> Supply<'a> {
    /// Hands positions out one by one, the first of them at `place`.
    pub(crate) fn new(input: Input<'a>, place: u64, threads: usize) -> Supply<'a> {
        Supply { source: Mutex::new(Source { input, place, threads }), parts: Vec::new() }
    }

    /// Reads everything and cuts it into parts of equal length.
    #[must_use]
    pub(crate) fn in_parts(mut self, alarm: &Alarm) -> Supply<'a> {
        let mut source = self.source();
        let mut tasks: Vec<Task> = std::iter::from_fn(|| source.claim(alarm)).collect();
        let length = tasks.len().div_ceil(source.threads).max(1);
        drop(source);
        while !tasks.is_empty() {
            let rest = tasks.split_off(length.min(tasks.len()));
            self.parts.push(Mutex::new(tasks.into_iter()));
            tasks = rest;
        }
        self
    }

    fn source(&self) -> MutexGuard<'_, Source<'a>> {
        self.source.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next position for one of `threads` threads; `None` where there is none or everybody is to stop.
    pub(crate) fn claim(&self, thread: usize, threads: usize, alarm: &Alarm) -> Option<Task> {
        if self.parts.is_empty() {
            return self.source().claim(alarm);
        }
        // Fewer threads than parts where the system gave no more.
        let mut own = self.parts.iter().skip(thread).step_by(threads);
        own.find_map(|part| part.lock().unwrap_or_else(PoisonError::into_inner).next())
    }

    /// Why reading ended before the input did.
    pub(crate) fn failure(&self) -> Option<CliError> {
        self.source().input.failure()
    }
}

impl Source<'_> {
    fn claim(&mut self, alarm: &Alarm) -> Option<Task> {
        let item = self.input.next(alarm)?;
        let threads = match self.input.left(self.threads, alarm) {
            Some(behind) => threads_each(self.threads, behind + 1),
            None => 1,
        };
        self.place += 1;
        Some(Task { place: self.place - 1, item, threads })
    }
}

/// While many positions wait each gets one thread; the last ones share all.
fn threads_each(threads: usize, positions: usize) -> usize {
    threads.div_ceil(positions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_positions_share_the_threads() {
        assert_eq!([1, 2, 3, 4, 5, 100].map(|left| threads_each(4, left)), [4, 2, 2, 1, 1, 1]);
    }
}
