//! The workers of a batch, and the thread that flushes answers and displays progress meanwhile.
//!
//! All workers share one [`Plan`] (the solvers that run one after the other on a position, and the limits of
//! a position) and its prepared solvers. A worker claims a [`BatchTask`], solves its position and puts the
//! encoded answer into the reorder buffer.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use untumble_search::control::{Event, Limits, Observer, Stop};
use untumble_search::error::Error;
use untumble_search::frontend::{Position, PreparedPortfolio};
use untumble_search::threads::run_parallel;
use untumble_session::{Plan, Record, SearchContext, Session};

use super::input::InputProgress;
use super::output::AnswerEncoder;
use super::progress::BatchProgress;
use super::reorder_buffer::ReorderBuffer;
use super::task_queue::TaskQueue;
use super::{AnswerKind, BatchTask, StopFlag};
use crate::answer::RecordExt;
use crate::exit::CliError;
use crate::explain::explain;
use crate::input_text::InputSource;
use crate::output::{self, LimitedErrors};
use crate::position_reader::InvalidPosition;

/// The interval of flushes and progress reports.
const TICK: Duration = Duration::from_millis(100);

/// The shared state of the workers.
pub(crate) struct WorkerPool<'a> {
    pub(crate) session: &'a Session,
    /// The plan of each position; the task gives the number of threads.
    pub(crate) plan: Plan,
    pub(crate) solvers: &'a dyn PreparedPortfolio,
    /// The memory of the solvers' tables in bytes.
    pub(crate) table_bytes: u64,
    /// The seconds spent on preparing tables; the first answer reports them.
    pub(crate) table_seconds: Mutex<f64>,
    pub(crate) encoder: AnswerEncoder,
    pub(crate) task_queue: TaskQueue<'a>,
    pub(crate) reorder_buffer: ReorderBuffer,
    pub(crate) stop_flag: &'a Arc<StopFlag>,
    pub(crate) progress: &'a Arc<BatchProgress>,
    /// The source of the positions, for messages.
    pub(crate) source: InputSource,
    pub(crate) input_progress: Arc<InputProgress>,
    pub(crate) errors: Mutex<LimitedErrors>,
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
        let mut record = self.solve(position, task.threads, observer)?;
        if let Some(why) = &record.unsolvable {
            record.error = Some(explain(why));
        }
        if record.interrupted() {
            return Ok(None);
        }
        self.encoder.encode_record(line, &record, text);
        Ok(Some(record.kind()))
    }

    /// Reports a text that is not a position and appends its answer to `text`.
    fn reject(&self, line: usize, invalid: &InvalidPosition, text: &mut Vec<u8>) -> AnswerKind {
        let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        self.progress.suspend(|| errors.add(&format!("{}{}", self.source.location(line), invalid.message)));
        self.encoder.encode_invalid(&**self.session.puzzle(), line, invalid, text);
        AnswerKind::Invalid
    }

    fn solve(
        &self,
        position: &Position,
        threads: usize,
        observer: &Arc<dyn Observer>,
    ) -> Result<Record, Error> {
        let plan = self.plan.with_limits(Limits { threads, ..self.plan.limits });
        let context = SearchContext::observed_by(Arc::clone(observer));
        let mut record = self.session.solve_with(self.solvers, position, &plan, &context)?;
        if record.search_ran() {
            record.peak_bytes += self.table_bytes;
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
