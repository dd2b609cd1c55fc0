//! Distribution of positions to workers: one by one (dynamic schedule), or in equal shares cut beforehand
//! (static schedule). A task is a position, or the error in its text, with its index in the input.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::vec;

use super::input::Input;
use super::{BatchTask, StopFlag};
use crate::exit::CliError;

/// Hands out the positions of a batch to its workers.
pub(crate) struct TaskQueue<'a> {
    source: Mutex<TaskSource<'a>>,
    /// Equal shares, one for each worker, with `--schedule static`, which is slow if positions differ in
    /// difficulty. Empty with the dynamic schedule.
    shares: Vec<Mutex<vec::IntoIter<BatchTask>>>,
}

/// The input and the index of the next task.
struct TaskSource<'a> {
    input: Input<'a>,
    next_index: u64,
    /// The number of threads of the batch.
    threads: usize,
}

impl<'a> TaskQueue<'a> {
    /// Hands out positions one by one; the first one has the index `next_index`.
    pub(crate) fn new(input: Input<'a>, next_index: u64, threads: usize) -> TaskQueue<'a> {
        TaskQueue { source: Mutex::new(TaskSource { input, next_index, threads }), shares: Vec::new() }
    }

    /// Reads the whole input and splits it into shares of equal length.
    #[must_use]
    pub(crate) fn with_static_shares(mut self, stop_flag: &StopFlag) -> TaskQueue<'a> {
        let mut source = self.source();
        let mut tasks: Vec<BatchTask> = std::iter::from_fn(|| source.claim(stop_flag)).collect();
        let length = tasks.len().div_ceil(source.threads).max(1);
        drop(source);
        while !tasks.is_empty() {
            let remaining = tasks.split_off(length.min(tasks.len()));
            self.shares.push(Mutex::new(tasks.into_iter()));
            tasks = remaining;
        }
        self
    }

    fn source(&self) -> MutexGuard<'_, TaskSource<'a>> {
        self.source.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next task of a worker; `None` at the end of the input or after a stop.
    pub(crate) fn claim(&self, worker: usize, workers: usize, stop_flag: &StopFlag) -> Option<BatchTask> {
        if self.shares.is_empty() {
            return self.source().claim(stop_flag);
        }
        // There are fewer workers than shares if the system could not start all threads.
        let mut own_shares = self.shares.iter().skip(worker).step_by(workers);
        own_shares.find_map(|share| share.lock().unwrap_or_else(PoisonError::into_inner).next())
    }

    /// The error that ended reading before the end of the input.
    pub(crate) fn read_error(&self) -> Option<CliError> {
        self.source().input.read_error()
    }
}

impl TaskSource<'_> {
    fn claim(&mut self, stop_flag: &StopFlag) -> Option<BatchTask> {
        let item = self.input.next(stop_flag)?;
        let threads = match self.input.remaining(self.threads, stop_flag) {
            Some(remaining) => threads_per_position(self.threads, remaining + 1),
            None => 1,
        };
        self.next_index += 1;
        Some(BatchTask { index: self.next_index - 1, item, threads })
    }
}

/// The number of threads of a position: one while many positions remain; the last ones share all threads.
fn threads_per_position(threads: usize, positions: usize) -> usize {
    threads.div_ceil(positions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_positions_share_the_threads() {
        assert_eq!(
            [1, 2, 3, 4, 5, 100].map(|remaining| threads_per_position(4, remaining)),
            [4, 2, 2, 1, 1, 1]
        );
    }
}
