//! The tables that a search waits for. While one is prepared, progress events describe it instead of the
//! search, whose counters do not change meanwhile.
//!
//! A search and a table build under one [`Control`] never overlap: a portfolio builds the solver of a stage
//! before the stage begins, and a builder joins its workers before it returns. If a caller ran both at once,
//! events would describe the table, since the answer depends on it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::Control;
use super::event::{Event, TablePhase};
use crate::locks::lock;

/// An estimate of the remaining time needs at least this much time and this share of the work.
const MIN_TIME: Duration = Duration::from_secs(1);
const MIN_SHARE: f64 = 0.01;

/// What happens to a table, and how much of it is done.
pub(super) struct TableTask {
    name: String,
    phase: TablePhase,
    /// The clock reading at the beginning.
    begun: Duration,
    /// The units of work that an interrupted build had done before.
    done_before: AtomicU64,
    done: AtomicU64,
    total: u64,
}

impl TableTask {
    /// The event that describes the task.
    pub(super) fn event(&self, now: Duration) -> Event {
        let done = self.done.load(Relaxed).min(self.total);
        let share = if done == self.total { 1.0 } else { done as f64 / self.total as f64 };
        Event::Table {
            name: self.name.clone(),
            phase: self.phase,
            share,
            seconds_left: self.seconds_left(done, now),
        }
    }

    /// The estimated remaining time, from the rate since the beginning. What an interrupted build had done
    /// before says nothing about the rate.
    fn seconds_left(&self, done: u64, now: Duration) -> Option<f64> {
        let elapsed = now.saturating_sub(self.begun);
        let done_before = self.done_before.load(Relaxed);
        let new = done.saturating_sub(done_before) as f64;
        let to_do = self.total.saturating_sub(done_before) as f64;
        let known = elapsed >= MIN_TIME && new > 0.0 && new >= MIN_SHARE * to_do;
        known.then(|| elapsed.as_secs_f64() * (self.total - done) as f64 / new)
    }
}

/// Reports the progress of preparing a table until it is dropped, see [`Control::begin_table`]. If all the
/// work is done by then, a last event says so.
///
/// ```
/// use untumble_search::control::{Control, TablePhase};
///
/// let control = Control::default();
/// let progress = control.begin_table("pattern database 6-6-3", TablePhase::Build, 1000);
/// for _ in 0..10 {
///     // Reach a hundred positions, then:
///     progress.add(100);
///     control.poll().unwrap();
/// }
/// ```
pub struct TableProgress<'a> {
    control: &'a Control,
    task: Arc<TableTask>,
}

impl TableProgress<'_> {
    /// Counts units of work as done. The next due progress event shows them.
    pub fn add(&self, units: u64) {
        self.task.done.fetch_add(units, Relaxed);
    }

    /// Counts units of work that an interrupted build had done before: they say nothing about the rate.
    pub fn add_earlier(&self, units: u64) {
        self.task.done_before.fetch_add(units, Relaxed);
        self.add(units);
    }

    /// Counts all the work as done: the total was an upper bound or an estimate.
    pub fn finish(self) {
        self.task.done.store(self.task.total, Relaxed);
    }
}

impl Drop for TableProgress<'_> {
    fn drop(&mut self) {
        if self.task.done.load(Relaxed) >= self.task.total {
            self.control.emit(&self.task.event(self.control.clock().now()));
        }
        lock(&self.control.shared.tables).retain(|task| !Arc::ptr_eq(task, &self.task));
    }
}

impl Control {
    /// Emits an event for a table and, until the returned value is dropped, such events instead of
    /// [`Event::Progress`]. `total` is the number of units of work: positions for a build, bytes for a
    /// transfer. Tasks may be nested; the innermost one is shown.
    pub fn begin_table(&self, name: impl Into<String>, phase: TablePhase, total: u64) -> TableProgress<'_> {
        let begun = self.clock().now();
        let (done_before, done) = (AtomicU64::new(0), AtomicU64::new(0));
        let task = Arc::new(TableTask { name: name.into(), phase, begun, done_before, done, total });
        lock(&self.shared.tables).push(Arc::clone(&task));
        self.emit(&task.event(begun));
        TableProgress { control: self, task }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::{Limits, ManualClock, MemoryAccount, Observer};
    use std::sync::Mutex;

    #[derive(Default)]
    struct Recorder(Mutex<Vec<Event>>);

    impl Observer for Recorder {
        fn on_event(&self, event: &Event) {
            lock(&self.0).push(event.clone());
        }
    }

    /// A control under a clock that stands still, and what it emits.
    struct Setup {
        clock: Arc<ManualClock>,
        recorder: Arc<Recorder>,
        control: Control,
    }

    impl Setup {
        fn new() -> Setup {
            let (clock, recorder) = (Arc::new(ManualClock::new()), Arc::new(Recorder::default()));
            let account = MemoryAccount::default();
            let control = Control::with_clock(clock.clone(), &account, Limits::default(), recorder.clone());
            Setup { clock, recorder, control }
        }

        /// Polls after some seconds. Returns the events since the last call: the table (`-` for counters of
        /// the search), the share and the seconds left.
        fn after(&self, seconds: u64) -> Vec<(String, f64, Option<f64>)> {
            self.clock.advance(Duration::from_secs(seconds));
            self.control.poll().expect("no limit");
            self.events()
        }

        fn events(&self) -> Vec<(String, f64, Option<f64>)> {
            let describe = |event: Event| match event {
                Event::Table { name, share, seconds_left, .. } => (name, share, seconds_left),
                Event::Progress(_) => ("-".to_owned(), 0.0, None),
                other => panic!("{other:?} is not expected"),
            };
            lock(&self.recorder.0).drain(..).map(describe).collect()
        }
    }

    fn event(name: &str, share: f64, left: Option<f64>) -> (String, f64, Option<f64>) {
        (name.to_owned(), share, left)
    }

    #[test]
    fn events_describe_the_table_until_it_is_ready() {
        let setup = Setup::new();
        assert_eq!(setup.after(1), [event("-", 0.0, None)]);
        let progress = setup.control.begin_table("t", TablePhase::Build, 200);
        assert_eq!(setup.events(), [event("t", 0.0, None)]);
        assert_eq!(setup.after(9), [event("t", 0.0, None)], "nothing is known about the rate");
        progress.add(50);
        assert_eq!(setup.after(1), [event("t", 0.25, Some(30.0))], "50 in 10 s, 150 left");
        progress.add(50);
        assert_eq!(setup.after(0), [], "the next event is not due");
        assert_eq!(setup.after(10), [event("t", 0.5, Some(20.0))], "100 in 20 s, 100 left");
        progress.add(100);
        drop(progress);
        assert_eq!(setup.events(), [event("t", 1.0, Some(0.0))]);
        assert_eq!(setup.after(1), [event("-", 0.0, None)], "the search again");
    }

    #[test]
    fn work_of_an_interrupted_build_counts_for_the_share_and_not_for_the_rate() {
        let setup = Setup::new();
        let progress = setup.control.begin_table("t", TablePhase::Build, 1000);
        progress.add_earlier(600);
        assert_eq!(setup.after(10)[1], event("t", 0.6, None));
        progress.add(100);
        assert_eq!(setup.after(10), [event("t", 0.7, Some(60.0))], "100 in 20 s, 300 left");
    }

    #[test]
    fn an_estimate_needs_a_second_and_a_hundredth_of_the_work() {
        let setup = Setup::new();
        let progress = setup.control.begin_table("t", TablePhase::Build, 1000);
        progress.add_earlier(500);
        setup.events();
        progress.add(100);
        setup.clock.advance(Duration::from_millis(100));
        assert_eq!(setup.after(0), [event("t", 0.6, None)], "too early");
        drop(progress);
        assert_eq!(setup.events(), [], "it was stopped, so there is no last event");

        let progress = setup.control.begin_table("t", TablePhase::Build, 1000);
        progress.add_earlier(500);
        progress.add(4);
        assert_eq!(setup.after(100)[1], event("t", 0.504, None), "too little of 500");
        progress.add(1);
        assert_eq!(setup.after(0), []);
        assert_eq!(setup.after(1), [event("t", 0.505, Some(9999.0))], "5 in 101 s, 495 left");
    }

    #[test]
    fn the_innermost_table_is_shown() {
        let setup = Setup::new();
        let build = setup.control.begin_table("build", TablePhase::Build, 10);
        build.add(1);
        let save = setup.control.begin_table("save", TablePhase::Store, 4);
        save.add(2);
        assert_eq!(
            setup.after(2),
            [event("build", 0.0, None), event("save", 0.0, None), event("save", 0.5, Some(2.0))]
        );
        save.finish();
        assert_eq!(setup.events(), [event("save", 1.0, Some(0.0))]);
        assert_eq!(setup.after(2), [event("build", 0.1, Some(36.0))]);
        let phase = setup.control.phase(Limits::default());
        setup.clock.advance(Duration::from_secs(1));
        phase.poll().expect("no limit");
        assert_eq!(setup.events(), [event("build", 0.1, Some(45.0))], "phases share the tables");
    }

    #[test]
    fn more_work_than_expected_counts_as_all_of_it() {
        let setup = Setup::new();
        let progress = setup.control.begin_table("t", TablePhase::Build, 10);
        progress.add(11);
        assert_eq!(setup.after(2)[1], event("t", 1.0, Some(0.0)));
        drop(progress);
        let empty = setup.control.begin_table("empty", TablePhase::Store, 0);
        drop(empty);
        assert_eq!(setup.events()[1..], [event("empty", 1.0, None), event("empty", 1.0, None)]);
    }
}
