//! The workers of a batch, and the thread that flushes answers and displays progress meanwhile.
//!
//! All workers share the plan of each puzzle (the solvers that run one after the other on a position, and the
//! limits of a position) and its prepared solvers. A worker claims a [`BatchTask`], solves its position and
//! puts the encoded answer into the reorder buffer.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use untumble_search::control::{Event, Limits, Observer, Stop};
use untumble_search::error::Error;
use untumble_search::frontend::Position;
use untumble_search::identity::PuzzleId;
use untumble_search::threads::run_parallel;
use untumble_session::{Record, SearchContext};

use super::input::InputProgress;
use super::progress::BatchProgress;
use super::reorder_buffer::ReorderBuffer;
use super::sessions::{BatchSessions, PreparedPuzzle, PuzzleSession};
use super::task_queue::TaskQueue;
use super::{AnswerKind, BatchTask, StopFlag};
use crate::answer::RecordExt;
use crate::exit::CliError;
use crate::explain::{InputWarnings, explain};
use crate::input_text::InputSource;
use crate::output::{self, LimitedErrors};
use crate::position_reader::InvalidPosition;

/// The interval of flushes and progress reports.
const TICK: Duration = Duration::from_millis(100);

/// Prepares the solvers of a puzzle beside tables of this size in bytes.
pub(crate) type PreparePuzzle<'a> =
    dyn Fn(&Arc<PuzzleSession>, u64) -> Result<PreparedPuzzle, CliError> + Sync + 'a;

/// The shared state of the workers.
pub(crate) struct WorkerPool<'a> {
    pub(crate) sessions: &'a BatchSessions,
    /// Prepares the solvers of a puzzle. The number is the memory of all tables so far in bytes.
    pub(crate) prepare: &'a PreparePuzzle<'a>,
    /// The puzzles whose solvers are prepared.
    pub(crate) prepared: Mutex<HashMap<PuzzleId, Arc<PreparedPuzzle>>>,
    /// The seconds spent on preparing tables; the first answer reports them.
    pub(crate) table_seconds: Mutex<f64>,
    pub(crate) task_queue: TaskQueue<'a>,
    pub(crate) reorder_buffer: ReorderBuffer,
    pub(crate) stop_flag: &'a Arc<StopFlag>,
    pub(crate) progress: &'a Arc<BatchProgress>,
    /// The source of the positions, for messages.
    pub(crate) source: InputSource,
    pub(crate) input_progress: Arc<InputProgress>,
    pub(crate) errors: Mutex<LimitedErrors>,
    /// The goal that the user chose.
    pub(crate) goal: Option<String>,
    pub(crate) warnings: InputWarnings,
    /// The number of workers that have ended.
    pub(crate) ended: Mutex<usize>,
    pub(crate) worker_ended: Condvar,
    /// The error of a worker.
    pub(crate) error: Mutex<Option<CliError>>,
}

/// The observer of every search of a batch.
struct BatchObserver {
    stop_flag: Arc<StopFlag>,
    progress: Arc<BatchProgress>,
}

impl Observer for BatchObserver {
    fn on_event(&self, event: &Event) {
        if let Event::Warning(warning) = event {
            self.progress.suspend(|| output::warning(warning));
        }
    }

    fn poll(&self) -> ControlFlow<Stop> {
        if self.stop_flag.is_set() {
            ControlFlow::Break(Stop::Interrupted)
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl WorkerPool<'_> {
    /// Runs `threads` workers until all positions are answered or the stop flag is set. The calling thread
    /// calls `show` at every [`TICK`].
    pub(crate) fn run(&self, threads: usize, show: impl Fn() + Sync) {
        run_parallel(threads + 1, |worker| match (worker.index, worker.count) {
            (_, 1) => self.work(0, 1),
            (0, count) => self.flush_until_ended(count - 1, &show),
            (index, count) => self.work(index - 1, count - 1),
        });
    }

    /// Flushes answers and shows progress until all workers have ended.
    fn flush_until_ended(&self, workers: usize, show: &impl Fn()) {
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        while *ended < workers {
            (ended, _) = self.worker_ended.wait_timeout(ended, TICK).unwrap_or_else(PoisonError::into_inner);
            if *ended < workers {
                drop(ended);
                self.reorder_buffer.flush(self.stop_flag);
                show();
                ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// The loop of one worker.
    fn work(&self, worker: usize, workers: usize) {
        let _guard = WorkerGuard(self);
        let observer: Arc<dyn Observer> = Arc::new(BatchObserver {
            stop_flag: Arc::clone(self.stop_flag),
            progress: Arc::clone(self.progress),
        });
        let mut text = Vec::new();
        loop {
            self.reorder_buffer.wait_for_room(self.stop_flag);
            if self.stop_flag.is_set() {
                return;
            }
            let Some(task) = self.task_queue.claim(worker, workers, self.stop_flag) else { return };
            text.clear();
            match self.answer(&task, &observer, &mut text) {
                Ok(Some(kind)) => {
                    // A program that waits for this answer before it sends more must get it at once.
                    let flush = self.input_progress.waiting_for_input.load(Relaxed);
                    self.reorder_buffer.put(task.index, kind, &text, flush, self.stop_flag);
                }
                // Interrupted: there is no answer to write.
                Ok(None) => return,
                Err(error) => {
                    *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    self.stop_flag.set();
                    return;
                }
            }
        }
    }

    /// Appends the answer to a position to `text`; `None` if the search was interrupted.
    fn answer(
        &self,
        task: &BatchTask,
        observer: &Arc<dyn Observer>,
        text: &mut Vec<u8>,
    ) -> Result<Option<AnswerKind>, CliError> {
        let line = task.item.line;
        let position = match &task.item.result {
            Ok(position) => position,
            Err(invalid) => return Ok(Some(self.reject(line, invalid, text))),
        };
        let warn = |message: &str| self.progress.suspend(|| output::warning(message));
        self.warnings.add(task.item.warning.as_deref(), self.goal.as_deref(), warn);
        let prepared = self.prepared(position)?;
        let mut record = self.solve(&prepared, position, task.threads, observer)?;
        if let Some(why) = &record.unsolvable {
            record.error = Some(explain(why));
        }
        if record.interrupted() {
            return Ok(None);
        }
        prepared.puzzle.encoder.encode_record(line, &record, text);
        Ok(Some(record.kind()))
    }

    /// The solvers of a position's puzzle. The first position of a puzzle waits until they are ready, and so
    /// do the other workers, since the tables share the memory limit.
    fn prepared(&self, position: &Position) -> Result<Arc<PreparedPuzzle>, CliError> {
        let mut prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(puzzle) = prepared.get(position.id()) {
            return Ok(Arc::clone(puzzle));
        }
        let bytes = prepared.values().map(|puzzle| puzzle.solvers.bytes).sum();
        let puzzle = Arc::new((self.prepare)(&self.sessions.of(position)?, bytes)?);
        *self.table_seconds.lock().unwrap_or_else(PoisonError::into_inner) += puzzle.solvers.seconds;
        prepared.insert(position.id().clone(), Arc::clone(&puzzle));
        Ok(puzzle)
    }

    /// Reports a text that is not a position and appends its answer to `text`.
    fn reject(&self, line: usize, invalid: &InvalidPosition, text: &mut Vec<u8>) -> AnswerKind {
        let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        self.progress.suspend(|| errors.add(&format!("{}{}", self.source.location(line), invalid.message)));
        self.sessions.encode_invalid(line, invalid, text);
        AnswerKind::Invalid
    }

    fn solve(
        &self,
        prepared: &PreparedPuzzle,
        position: &Position,
        threads: usize,
        observer: &Arc<dyn Observer>,
    ) -> Result<Record, Error> {
        let PreparedPuzzle { puzzle, plan, solvers } = prepared;
        let plan = plan.with_limits(Limits { threads, ..plan.limits });
        let context = SearchContext::observed_by(Arc::clone(observer));
        let mut record = puzzle.session.solve_with(&*solvers.portfolio, position, &plan, &context)?;
        if record.search_ran() {
            record.peak_bytes += solvers.bytes;
            record.table_seconds +=
                std::mem::take(&mut *self.table_seconds.lock().unwrap_or_else(PoisonError::into_inner));
        }
        Ok(record)
    }
}

/// Counts the worker as ended when dropped; after a panic it also stops the other workers.
struct WorkerGuard<'a, 'b>(&'a WorkerPool<'b>);

impl Drop for WorkerGuard<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop_flag.set();
        }
        *self.0.ended.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.worker_ended.notify_all();
    }
}
