//! Events of a job: the events of its searches, translated for clients of the service and the browser
//! engine.
//!
//! A job solves a list of positions. The engine reports [`Event`]s of one search to an [`Observer`];
//! `ObserverAdapter` turns them into [`JobEvent`]s, which name the position, and limits their rate.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;

use serde::Serialize;

use untumble_search::control::{Control, Event, MemoryAccount, Observer, Stop};
use untumble_search::frontend::DynPuzzle;
use untumble_search::puzzle::Cost;

use crate::job::{AnswerEvent, BestEvent, DoneEvent, ProgressEvent, StateEvent};
use crate::session::{Plan, SearchContext, Session};

/// An event of a job, serialised as its name (`event`) and its data (`data`).
#[derive(Serialize, Clone, PartialEq, Debug)]
#[serde(tag = "event", content = "data", rename_all = "lowercase")]
pub enum JobEvent {
    /// The state of the job changed.
    State(StateEvent),
    /// The progress of the running search.
    Progress(ProgressEvent),
    /// A new incumbent.
    Best(BestEvent),
    /// A warning; the search goes on.
    Warning(String),
    /// A position is finished.
    Answer(Box<AnswerEvent>),
    /// The job is finished; no event follows.
    Done(DoneEvent),
}

/// Receives the events of a job and may cancel it.
pub trait JobObserver: Send + Sync {
    /// Receives an event. Called from the thread that runs the search.
    fn on_event(&self, event: JobEvent);
    /// Whether the job is cancelled; polled every few hundred microseconds.
    fn cancelled(&self) -> bool;
}

/// The context of a search whose events go to `observer`, labelled with the index of its position.
pub fn observed_context(
    session: &Session,
    plan: &Plan,
    position: usize,
    account: &MemoryAccount,
    observer: &Arc<dyn JobObserver>,
) -> SearchContext {
    let adapter = Arc::new(ObserverAdapter {
        observer: Arc::clone(observer),
        puzzle: Arc::clone(session.puzzle()),
        position,
        solver: plan.solvers(),
        stages: plan.stage_solvers(),
        last_report: Mutex::default(),
        control: OnceLock::new(),
    });
    let engine: Arc<dyn Observer> = adapter.clone();
    SearchContext {
        account: account.clone(),
        // The event of a new incumbent has only its cost; the control has its moves.
        on_control: Some(Arc::new(move |control| {
            let _ = adapter.control.set(Arc::downgrade(control));
        })),
        ..SearchContext::observed_by(engine)
    }
}

/// Translates the events of a search into events of a job.
struct ObserverAdapter {
    observer: Arc<dyn JobObserver>,
    puzzle: Arc<dyn DynPuzzle>,
    /// The index of the position.
    position: usize,
    /// The solvers of the plan as one text.
    solver: String,
    /// The solvers of the plan.
    stages: Vec<String>,
    last_report: Mutex<LastReport>,
    /// The control of the search, which holds the moves of the incumbent; unset before the search begins.
    control: OnceLock<Weak<Control>>,
}

/// Time, counts and incumbent of the last events sent.
#[derive(Default)]
struct LastReport {
    /// The time of the last progress event.
    time: Option<Duration>,
    /// Nodes generated up to that event.
    nodes: u64,
    /// Seconds of search up to that event.
    seconds: f64,
    /// The cost of the last incumbent reported.
    best: Option<Cost>,
}

/// The minimum time between two progress events.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(95);

impl Observer for ObserverAdapter {
    fn on_event(&self, event: &Event) {
        match event {
            Event::Better(_) => self.report_best(),
            Event::Progress(_) => {
                self.report_best();
                self.report_progress(None);
            }
            Event::Table { name, phase, share, seconds_left } => {
                self.report_progress(Some((format!("{} {name}", phase.verb()), *share, *seconds_left)));
            }
            Event::Warning(warning) => self.observer.on_event(JobEvent::Warning(warning.clone())),
            Event::Bound(_) => {}
        }
    }

    fn poll(&self) -> ControlFlow<Stop> {
        if self.observer.cancelled() {
            ControlFlow::Break(Stop::Interrupted)
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl ObserverAdapter {
    fn control(&self) -> Option<Arc<Control>> {
        self.control.get().and_then(Weak::upgrade)
    }

    /// Reports the incumbent if it is better than the last one reported. Nested searches have incumbents of
    /// their own, which are not reported.
    fn report_best(&self) {
        let Some(control) = self.control() else { return };
        let mut last = self.last_report.lock().unwrap_or_else(PoisonError::into_inner);
        let upper_bound = control.upper_bound();
        if upper_bound >= last.best.unwrap_or(Cost::MAX) {
            return;
        }
        // If another thread improved the incumbent in between, its own event follows.
        if let Some(path) = control.best()
            && control.upper_bound() == upper_bound
        {
            last.best = Some(upper_bound);
            let moves = self.puzzle.format_moves(&path);
            let best = BestEvent { position: self.position, moves, length: upper_bound };
            self.observer.on_event(JobEvent::Best(best));
        }
    }

    /// Reports the progress of the search unless the last event is too recent. While a table is built or
    /// loaded, `table` describes that activity and gives the finished share and the seconds left.
    fn report_progress(&self, table: Option<(String, f64, Option<f64>)>) {
        let Some(control) = self.control() else { return };
        let mut last = self.last_report.lock().unwrap_or_else(PoisonError::into_inner);
        let now = control.clock().now();
        if last.time.is_some_and(|time| now.saturating_sub(time) < PROGRESS_INTERVAL) {
            return;
        }
        let progress = control.progress();
        let nodes = progress.nodes.saturating_sub(last.nodes);
        let seconds = progress.seconds - last.seconds;
        *last =
            LastReport { time: Some(now), nodes: progress.nodes, seconds: progress.seconds, best: last.best };
        self.observer.on_event(JobEvent::Progress(ProgressEvent {
            position: self.position,
            solver: self.solver.clone(),
            stages: self.stages.clone(),
            bound: progress.bound,
            nodes: progress.nodes,
            nodes_per_second: if seconds > 0.0 { nodes as f64 / seconds } else { 0.0 },
            seconds: progress.seconds,
            best: progress.best,
            share: table.as_ref().map(|(_, share, _)| *share),
            left: table.as_ref().and_then(|(.., left)| *left),
            what: table.map(|(text, ..)| text),
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use untumble_search::control::Limits;
    use untumble_search::family::PuzzleSettings;
    use untumble_search::frontend::{InputFormat, Workload};
    use untumble_search::report::Outcome;
    use untumble_search::runtime::Runtime;

    use crate::record::Record;

    /// Collects events and cancels the job at the given number of incumbents.
    struct Collector {
        events: Mutex<Vec<JobEvent>>,
        max_incumbents: usize,
    }

    impl JobObserver for Collector {
        fn on_event(&self, event: JobEvent) {
            self.events.lock().expect("no panic").push(event);
        }

        fn cancelled(&self) -> bool {
            let events = self.events.lock().expect("no panic");
            events.iter().filter(|event| matches!(event, JobEvent::Best(_))).count() >= self.max_incumbents
        }
    }

    fn solve(name: &str, text: &str, solver: &str, max_incumbents: usize) -> (Record, Vec<JobEvent>) {
        let session =
            Session::open(&Runtime::default(), name, &PuzzleSettings::default()).expect("a known puzzle");
        let position = session.parse(text, &InputFormat::default()).expect("a position");
        let solver = session.parse_solver(solver, false).expect("a solver");
        let plan = session.plan(solver.as_ref(), &Workload::one(&position, Limits::default(), false));
        let collector = Arc::new(Collector { events: Mutex::default(), max_incumbents });
        let observer: Arc<dyn JobObserver> = collector.clone();
        let context = observed_context(&session, &plan, 3, &MemoryAccount::default(), &observer);
        let record = session.solve(&position, &plan, &mut None, &context).expect("an answer");
        let events = collector.events.lock().expect("no panic").clone();
        (record, events)
    }

    #[test]
    fn the_last_incumbent_event_is_the_answer() {
        let (record, events) = solve("8-puzzle", "8 6 7 2 5 4 3 0 1", "auto", usize::MAX);
        assert_eq!((record.length, record.optimal), (Some(31), true));
        let last = events.iter().rev().find_map(|event| match event {
            JobEvent::Best(best) => Some((best.position, best.length, Some(best.moves.clone()))),
            _ => None,
        });
        assert_eq!(last, Some((3, 31, record.moves)));
    }

    #[test]
    fn incumbents_get_shorter_and_an_observer_cancels_the_search() {
        let text = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13";
        let (record, events) = solve("24-puzzle", text, "auto", 3);
        let lengths: Vec<u32> = events
            .iter()
            .filter_map(|event| match event {
                JobEvent::Best(best) => Some(best.length),
                _ => None,
            })
            .collect();
        assert!(lengths.len() >= 3 && lengths.is_sorted_by(|a, b| a > b), "{lengths:?}");
        assert!(record.interrupted() && record.outcome == Outcome::Stopped(Stop::Interrupted), "{record:?}");
    }

    /// The second position, whose solvers are already prepared, has the same names.
    #[test]
    fn progress_names_the_solvers_of_the_plan() {
        let session = Session::open(&Runtime::default(), "24-puzzle", &PuzzleSettings::default())
            .expect("a known puzzle");
        let text = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13";
        let position = session.parse(text, &InputFormat::default()).expect("a position");
        let limits = Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
        let workload = Workload { position: None, count: 2, limits, all_solutions: false };
        let plan = session.plan(None, &workload);
        let (expected, mut prepared) = (plan.solvers(), None);
        for _ in 0..2 {
            let collector = Arc::new(Collector { events: Mutex::default(), max_incumbents: usize::MAX });
            let observer: Arc<dyn JobObserver> = collector.clone();
            let context = observed_context(&session, &plan, 0, &MemoryAccount::default(), &observer);
            session.solve(&position, &plan, &mut prepared, &context).expect("an answer");
            let events = collector.events.lock().expect("no panic");
            let names: Vec<(&str, String)> = events
                .iter()
                .filter_map(|event| match event {
                    JobEvent::Progress(progress) => {
                        Some((progress.solver.as_str(), progress.stages.join(", then ")))
                    }
                    _ => None,
                })
                .collect();
            let both = |(text, list): &(&str, String)| *text == expected && *list == expected;
            assert!(!names.is_empty() && names.iter().all(both), "{names:?}");
            assert!(plan.stages.len() > 1, "{expected} is a portfolio");
        }
    }

    #[test]
    fn an_unsolvable_position_is_answered_without_a_search() {
        let (record, events) = solve("8-puzzle", "1 2 3 4 5 6 8 7 0", "auto", usize::MAX);
        assert_eq!((record.outcome, record.solver), (Outcome::Unsolvable, None));
        assert!(record.error.is_some_and(|why| why.contains("no moves solve it")) && events.is_empty());
    }
}
