//! Those who solve a batch side by side, and the one who watches them.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use untumble_search::control::{Event, Limits, Observer, Stop};
use untumble_search::error::Error;
use untumble_search::frontend::{Position, Prepared};
use untumble_search::threads::run_parallel;
use untumble_session::{Plan, Record, SearchContext, Session};

use super::input::Gauge;
use super::order::Order;
use super::output::Layout;
use super::pace::Pace;
use super::supply::Supply;
use super::{Alarm, Kind, Task};
use crate::answer::Told;
use crate::exit::CliError;
use crate::explain::explain;
use crate::output;
use crate::reading::BadPosition;
use crate::reading::{Complaints, Source};

/// Answers are on their way this soon, and progress is shown this often.
const BEAT: Duration = Duration::from_millis(100);

/// All that the threads of a batch share.
pub(crate) struct Crew<'a> {
    pub(crate) session: &'a Session,
    /// For each position; its threads are those of its task.
    pub(crate) plan: Plan,
    pub(crate) solvers: &'a dyn Prepared,
    /// The bytes that their tables hold.
    pub(crate) held: u64,
    /// How long the tables took; the first answer says so.
    pub(crate) table_seconds: Mutex<f64>,
    pub(crate) layout: Layout,
    pub(crate) supply: Supply<'a>,
    pub(crate) order: Order,
    pub(crate) alarm: &'a Arc<Alarm>,
    pub(crate) pace: &'a Arc<Pace>,
    /// Where positions come from, for messages.
    pub(crate) source: Source,
    pub(crate) gauge: Arc<Gauge>,
    pub(crate) complaints: Mutex<Complaints>,
    /// How many threads have ended.
    pub(crate) ended: Mutex<usize>,
    pub(crate) end: Condvar,
    pub(crate) failure: Mutex<Option<CliError>>,
}

/// Listens to every search of a batch.
struct Leash {
    alarm: Arc<Alarm>,
    pace: Arc<Pace>,
}

impl Observer for Leash {
    fn on_event(&self, event: &Event) {
        if let Event::Warning(warning) = event {
            self.pace.aside(|| output::warning(warning));
        }
    }

    fn poll(&self) -> ControlFlow<Stop> {
        if self.alarm.raised() { ControlFlow::Break(Stop::Interrupted) } else { ControlFlow::Continue(()) }
    }
}

impl Crew<'_> {
    /// Works on `threads` threads until all is answered or everybody is to stop; this one calls `show` at every beat.
    pub(crate) fn run(&self, threads: usize, show: impl Fn() + Sync) {
        run_parallel(threads + 1, |worker| match (worker.index, worker.count) {
            (_, 1) => self.work(0, 1),
            (0, count) => self.watch(count - 1, &show),
            (index, count) => self.work(index - 1, count - 1),
        });
    }

    /// Sees to it that answers leave and progress is shown while others work.
    fn watch(&self, threads: usize, show: &impl Fn()) {
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        while *ended < threads {
            (ended, _) = self.end.wait_timeout(ended, BEAT).unwrap_or_else(PoisonError::into_inner);
            if *ended < threads {
                drop(ended);
                self.order.flush(self.alarm);
                show();
                ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    fn work(&self, thread: usize, threads: usize) {
        let _leaving = Leaving(self);
        let leash: Arc<dyn Observer> =
            Arc::new(Leash { alarm: Arc::clone(self.alarm), pace: Arc::clone(self.pace) });
        let mut text = Vec::new();
        loop {
            self.order.wait_for_room(self.alarm);
            if self.alarm.raised() {
                return;
            }
            let Some(task) = self.supply.claim(thread, threads, self.alarm) else { return };
            text.clear();
            match self.answer(&task, &leash, &mut text) {
                Ok(Some(kind)) => {
                    let soon = self.gauge.dry.load(Relaxed);
                    self.order.put(task.place, kind, &text, soon, self.alarm);
                }
                // Interrupted: without an answer nothing is written.
                Ok(None) => return,
                Err(failure) => {
                    *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure);
                    self.alarm.raise();
                    return;
                }
            }
        }
    }

    /// Adds the answer to a position to `text`; none where the search was interrupted.
    fn answer(
        &self,
        task: &Task,
        leash: &Arc<dyn Observer>,
        text: &mut Vec<u8>,
    ) -> Result<Option<Kind>, CliError> {
        let line = task.item.line;
        let position = match &task.item.found {
            Ok(position) => position,
            Err(bad) => return Ok(Some(self.refuse(line, bad, text))),
        };
        let mut record = self.solve(position, task.threads, leash)?;
        if let Some(why) = &record.unsolvable {
            record.error = Some(explain(why));
        }
        if record.interrupted() {
            return Ok(None);
        }
        self.layout.record(line, &record, text);
        Ok(Some(record.kind()))
    }

    fn refuse(&self, line: usize, bad: &BadPosition, text: &mut Vec<u8>) -> Kind {
        let mut complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        self.pace.aside(|| complaints.add(&format!("{}{}", self.source.place(line), bad.message)));
        self.layout.refusal(&**self.session.puzzle(), line, bad, text);
        Kind::Invalid
    }

    fn solve(&self, position: &Position, threads: usize, leash: &Arc<dyn Observer>) -> Result<Record, Error> {
        let plan = self.plan.within(Limits { threads, ..self.plan.limits });
        let context = SearchContext::observed_by(Arc::clone(leash));
        let mut record = self.session.solve_with(self.solvers, position, &plan, &context)?;
        if record.searched() {
            record.peak_bytes += self.held;
            record.table_seconds +=
                std::mem::take(&mut *self.table_seconds.lock().unwrap_or_else(PoisonError::into_inner));
        }
        Ok(record)
    }
}

/// Counts a thread that ends; one that ends by a bug makes the others end too.
struct Leaving<'a, 'b>(&'a Crew<'b>);

impl Drop for Leaving<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.alarm.raise();
        }
        *self.0.ended.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.end.notify_all();
    }
}
