//! What happens while positions are solved, as the service and the browser engine report it.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;

use serde::Serialize;

use untumble_search::control::{Control, Event, MemoryAccount, Observer, Stop};
use untumble_search::frontend::DynPuzzle;
use untumble_search::puzzle::Cost;

use crate::jobs::{AnswerEvent, BestEvent, DoneEvent, ProgressEvent, StateEvent};
use crate::session::{Plan, SearchContext, Session};

/// An event of a job: a name and its data.
#[derive(Serialize, Clone, PartialEq, Debug)]
#[serde(tag = "event", content = "data", rename_all = "lowercase")]
pub enum JobEvent {
    /// How far the job has come.
    State(StateEvent),
    /// Where the search stands.
    Progress(ProgressEvent),
    /// A shorter solution than before.
    Best(BestEvent),
    /// Something a person should know and that stops nothing.
    Warning(String),
    /// A position is done with.
    Answer(Box<AnswerEvent>),
    /// The last event.
    Done(DoneEvent),
}

/// Receives the events of a job and may cancel it.
pub trait JobObserver: Send + Sync {
    /// Something happened.
    fn event(&self, event: JobEvent);
    /// Whether the job is cancelled; asked every few hundred microseconds.
    fn cancelled(&self) -> bool;
}

/// The context of a search whose events go to `observer`, as those of position number `place`.
pub fn observed(
    session: &Session,
    plan: &Plan,
    place: usize,
    account: &MemoryAccount,
    observer: &Arc<dyn JobObserver>,
) -> SearchContext {
    let adapter = Arc::new(ObserverAdapter {
        observer: Arc::clone(observer),
        puzzle: Arc::clone(session.puzzle()),
        place,
        solver: plan.solvers(),
        reported: Mutex::default(),
        control: OnceLock::new(),
    });
    let engine: Arc<dyn Observer> = adapter.clone();
    SearchContext {
        account: account.clone(),
        // An event only says that there is an incumbent; the control of the whole search has its moves.
        attach: Some(Arc::new(move |control| {
            let _ = adapter.control.set(Arc::downgrade(control));
        })),
        ..SearchContext::observed_by(engine)
    }
}

/// Turns the events of a search into those of a job.
struct ObserverAdapter {
    observer: Arc<dyn JobObserver>,
    puzzle: Arc<dyn DynPuzzle>,
    place: usize,
    solver: String,
    reported: Mutex<Reported>,
    control: OnceLock<Weak<Control>>,
}

/// What has been reported.
#[derive(Default)]
struct Reported {
    at: Option<Duration>,
    nodes: u64,
    seconds: f64,
    best: Option<Cost>,
}

/// Between two reports of progress.
const BETWEEN: Duration = Duration::from_millis(95);

impl Observer for ObserverAdapter {
    fn on_event(&self, event: &Event) {
        match event {
            Event::Better(_) => self.report_best(),
            Event::Progress(_) => {
                self.report_best();
                self.report_progress(None);
            }
            Event::Table { name, share } => self.report_progress(Some((name, *share))),
            Event::Warning(warning) => self.observer.event(JobEvent::Warning(warning.clone())),
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

    /// Reports the incumbent, where it is better than the one before. Searches within the search may have
    /// found something of their own, which does not count.
    fn report_best(&self) {
        let Some(control) = self.control() else { return };
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        let upper = control.upper();
        if upper >= reported.best.unwrap_or(Cost::MAX) {
            return;
        }
        // Where another one came in between, its own event follows.
        if let Some(path) = control.best()
            && control.upper() == upper
        {
            reported.best = Some(upper);
            let moves = self.puzzle.format_moves(&path);
            self.observer.event(JobEvent::Best(BestEvent { position: self.place, moves, length: upper }));
        }
    }

    fn report_progress(&self, table: Option<(&str, f64)>) {
        let Some(control) = self.control() else { return };
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        let clock = control.clock().now();
        if reported.at.is_some_and(|at| clock.saturating_sub(at) < BETWEEN) {
            return;
        }
        let now = control.progress();
        let (nodes, seconds) = (now.nodes.saturating_sub(reported.nodes), now.seconds - reported.seconds);
        *reported = Reported { at: Some(clock), nodes: now.nodes, seconds: now.seconds, best: reported.best };
        self.observer.event(JobEvent::Progress(ProgressEvent {
            position: self.place,
            solver: self.solver.clone(),
            bound: now.bound,
            nodes: now.nodes,
            nodes_per_second: if seconds > 0.0 { nodes as f64 / seconds } else { 0.0 },
            seconds: now.seconds,
            best: now.best,
            what: table.map(|(name, _)| format!("preparing {name}")),
            share: table.map(|(_, share)| share),
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use untumble_search::family::Settings;
    use untumble_search::report::Outcome;

    use crate::record::Record;
    use untumble_search::control::Limits;
    use untumble_search::frontend::{InputFormat, Workload};
    use untumble_search::runtime::Runtime;

    /// Keeps all it hears; ends the search after so many bests.
    struct Keeps {
        heard: Mutex<Vec<JobEvent>>,
        enough: usize,
    }

    impl JobObserver for Keeps {
        fn event(&self, event: JobEvent) {
            self.heard.lock().expect("no panic").push(event);
        }

        fn cancelled(&self) -> bool {
            let heard = self.heard.lock().expect("no panic");
            heard.iter().filter(|heard| matches!(heard, JobEvent::Best(_))).count() >= self.enough
        }
    }

    fn solved(name: &str, text: &str, with: &str, enough: usize) -> (Record, Vec<JobEvent>) {
        let session = Session::open(&Runtime::default(), name, &Settings::default()).expect("a known puzzle");
        let position = session.parse(text, &InputFormat::default()).expect("a position");
        let wanted = session.solver(with, false).expect("a solver");
        let plan = session.plan(wanted.as_ref(), &Workload::one(&position, Limits::default(), false));
        let keeps = Arc::new(Keeps { heard: Mutex::default(), enough });
        let observer: Arc<dyn JobObserver> = keeps.clone();
        let context = observed(&session, &plan, 3, &MemoryAccount::default(), &observer);
        let record = session.solve(&position, &plan, &mut None, &context).expect("an answer");
        let heard = keeps.heard.lock().expect("no panic").clone();
        (record, heard)
    }

    #[test]
    fn the_best_is_told_before_the_answer_and_is_the_answer() {
        let (record, heard) = solved("8-puzzle", "8 6 7 2 5 4 3 0 1", "auto", usize::MAX);
        assert_eq!((record.length, record.optimal), (Some(31), true));
        let last = heard.iter().rev().find_map(|heard| match heard {
            JobEvent::Best(best) => Some((best.position, best.length, Some(best.moves.clone()))),
            _ => None,
        });
        assert_eq!(last, Some((3, 31, record.moves)));
    }

    #[test]
    fn bests_get_shorter_and_a_listener_ends_the_search() {
        let text = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13";
        let (record, heard) = solved("24-puzzle", text, "auto", 3);
        let lengths: Vec<u32> = heard
            .iter()
            .filter_map(|heard| match heard {
                JobEvent::Best(best) => Some(best.length),
                _ => None,
            })
            .collect();
        assert!(lengths.len() >= 3 && lengths.is_sorted_by(|a, b| a > b), "{lengths:?}");
        assert!(record.interrupted() && record.outcome == Outcome::Stopped(Stop::Interrupted), "{record:?}");
    }

    /// Solvers that stand ready are not chosen again, and still have their names.
    #[test]
    fn progress_names_the_solvers_made_ready_or_kept() {
        let session =
            Session::open(&Runtime::default(), "24-puzzle", &Settings::default()).expect("a known puzzle");
        let text = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13";
        let position = session.parse(text, &InputFormat::default()).expect("a position");
        let limits = Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
        let workload = Workload { position: None, count: 2, limits, all: false };
        let plan = session.plan(None, &workload);
        let (expected, mut kept) = (plan.solvers(), None);
        for _ in 0..2 {
            let keeps = Arc::new(Keeps { heard: Mutex::default(), enough: usize::MAX });
            let observer: Arc<dyn JobObserver> = keeps.clone();
            let context = observed(&session, &plan, 0, &MemoryAccount::default(), &observer);
            session.solve(&position, &plan, &mut kept, &context).expect("an answer");
            let heard = keeps.heard.lock().expect("no panic");
            let names: Vec<&str> = heard
                .iter()
                .filter_map(|heard| match heard {
                    JobEvent::Progress(progress) => Some(progress.solver.as_str()),
                    _ => None,
                })
                .collect();
            assert!(!names.is_empty() && names.iter().all(|name| *name == expected), "{names:?}");
        }
    }

    #[test]
    fn what_cannot_be_solved_is_answered_without_a_search() {
        let (record, heard) = solved("8-puzzle", "1 2 3 4 5 6 8 7 0", "auto", usize::MAX);
        assert_eq!((record.outcome, record.solver), (Outcome::Unsolvable, None));
        assert!(record.error.is_some_and(|why| why.contains("no moves solve it")) && heard.is_empty());
    }
}
