//! One search from the question to the answer, with somebody who listens and may end it.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;

use web_time::Instant;

use untumble_search::control::{Account, Control, Event, Limits, Observer, Stop};
use untumble_search::error::Error;
use untumble_search::frontend::{DynPuzzle, Position, Prepared, Stage, Workload, in_words};
use untumble_search::puzzle::Cost;
use untumble_search::runtime::Runtime;
use untumble_search::spec::Spec;

use crate::jobs::{BestEvent, ProgressEvent};
use crate::record::{Record, Took};

/// What happens while a position is being solved.
#[derive(Clone, PartialEq, Debug)]
pub enum Happening {
    /// Where the search stands.
    Progress(ProgressEvent),
    /// A shorter solution than before.
    Best(BestEvent),
    /// Something a person should know and that stops nothing.
    Warning(String),
}

/// Who listens to a search and may end it.
pub trait Listener: Send + Sync {
    /// Something happened.
    fn hear(&self, happening: Happening);
    /// Whether to go on; asked every few hundred microseconds.
    fn goes_on(&self) -> bool;
}

/// A position to be solved.
pub struct Search<'a> {
    /// The puzzle.
    pub puzzle: &'a Arc<dyn DynPuzzle>,
    /// The position.
    pub position: &'a Position,
    /// Which of the positions asked for, from 0.
    pub place: usize,
    /// How many positions of this kind are to come, as far as one knows.
    pub count: usize,
    /// The solver; `None` is `auto`.
    pub wanted: Option<&'a Spec>,
    /// What it may take.
    pub limits: Limits,
    /// Whether every shortest solution is wanted.
    pub all: bool,
    /// Tables, devices and the executor.
    pub runtime: &'a Runtime,
    /// What memory is taken from.
    pub account: &'a Account,
}

impl Search<'_> {
    /// The solvers asked for, or those that `auto` picks.
    pub fn turns(&self) -> Vec<Stage> {
        if let Some(spec) = self.wanted {
            return vec![spec.clone().into()];
        }
        let position = (self.count == 1).then_some(self.position);
        let ahead = Workload { position, count: self.count, limits: self.limits, all: self.all };
        self.puzzle.auto(&ahead, &*self.runtime.tables)
    }

    /// The answer where the rules alone give it: the position cannot be solved.
    fn refused(&self, start: &str) -> Result<Option<Record>, Error> {
        match self.puzzle.check(self.position) {
            Ok(()) => Ok(None),
            Err(Error::Unsolvable(why)) => {
                Ok(Some(Record::unsolvable(&**self.puzzle, start.to_owned(), &why, self.all)))
            }
            Err(other) => Err(other),
        }
    }

    /// Solves it, making the solvers ready first.
    pub fn run(&self, listener: &Arc<dyn Listener>) -> Result<Record, Error> {
        self.run_keeping(&mut None, listener)
    }

    /// The same with the solvers that are kept from a position before, or kept for one to come.
    pub fn run_keeping(
        &self,
        kept: &mut Option<Box<dyn Prepared>>,
        listener: &Arc<dyn Listener>,
    ) -> Result<Record, Error> {
        if let Some(solvers) = kept {
            return self.run_with(&**solvers, listener);
        }
        let start = self.puzzle.text(self.position);
        if let Some(record) = self.refused(&start)? {
            return Ok(record);
        }
        let turns = self.turns();
        let control = self.control(listener, in_words(&turns));
        let begun = Instant::now();
        let prepared = self.puzzle.prepare_lazily(&turns, self.runtime, &control);
        let table_seconds = begun.elapsed().as_secs_f64();
        match prepared {
            Ok(solvers) => {
                let record = self.answer(&*solvers, start, table_seconds, &control);
                *kept = Some(solvers);
                Ok(record)
            }
            Err(Error::Stopped(stop)) => {
                let peak_bytes = control.peak_bytes();
                let took = Took { seconds: 0.0, table_seconds, peak_bytes };
                Ok(Record::unprepared(&**self.puzzle, start, in_words(&turns), stop, took, &control))
            }
            Err(other) => Err(other),
        }
    }

    /// Solves it with solvers that stand ready.
    pub fn run_with(&self, solvers: &dyn Prepared, listener: &Arc<dyn Listener>) -> Result<Record, Error> {
        let start = self.puzzle.text(self.position);
        match self.refused(&start)? {
            Some(record) => Ok(record),
            None => Ok(self.answer(solvers, start, 0.0, &self.control(listener, solvers.names()))),
        }
    }

    fn answer(&self, solvers: &dyn Prepared, start: String, table_seconds: f64, control: &Control) -> Record {
        let begun = Instant::now();
        let answer = solvers.solve(self.position, control);
        let took = Took {
            seconds: begun.elapsed().saturating_sub(answer.preparing).as_secs_f64(),
            table_seconds: table_seconds + answer.preparing.as_secs_f64(),
            peak_bytes: control.peak_bytes(),
        };
        Record::of(&**self.puzzle, start, answer, took, control)
    }

    /// The leash of the search, with an ear at its end.
    fn control(&self, listener: &Arc<dyn Listener>, solver: String) -> Arc<Control> {
        let ear = Arc::new(Ear {
            listener: Arc::clone(listener),
            puzzle: Arc::clone(self.puzzle),
            place: self.place,
            solver,
            told: Mutex::default(),
            control: OnceLock::new(),
        });
        let observer: Arc<dyn Observer> = ear.clone();
        let control = Arc::new(Control::charged_to(self.account, self.limits, observer).for_all(self.all));
        // Only whoever leads the search knows its best path; an event tells no more than that there is one.
        let _ = ear.control.set(Arc::downgrade(&control));
        control
    }
}

/// Hears what a search tells and passes on what it means.
struct Ear {
    listener: Arc<dyn Listener>,
    puzzle: Arc<dyn DynPuzzle>,
    place: usize,
    solver: String,
    told: Mutex<Told>,
    control: OnceLock<Weak<Control>>,
}

/// What has been passed on.
#[derive(Default)]
struct Told {
    at: Option<Instant>,
    nodes: u64,
    seconds: f64,
    best: Option<Cost>,
}

/// Between two reports of progress.
const BETWEEN: Duration = Duration::from_millis(95);

impl Observer for Ear {
    fn on_event(&self, event: &Event) {
        match event {
            Event::Better(_) => self.tell_best(),
            Event::Progress(_) => {
                self.tell_best();
                self.tell_progress(None);
            }
            Event::Table { name, share } => self.tell_progress(Some((name, *share))),
            Event::Warning(warning) => self.listener.hear(Happening::Warning(warning.clone())),
            Event::Bound(_) => {}
        }
    }

    fn poll(&self) -> ControlFlow<Stop> {
        if self.listener.goes_on() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(Stop::Interrupted)
        }
    }
}

impl Ear {
    fn control(&self) -> Option<Arc<Control>> {
        self.control.get().and_then(Weak::upgrade)
    }

    /// Passes on the best solution, where it is better than the one before. Searches within the search may have
    /// found something of their own, which does not count.
    fn tell_best(&self) {
        let Some(control) = self.control() else { return };
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let upper = control.upper();
        if upper >= told.best.unwrap_or(Cost::MAX) {
            return;
        }
        // Where another one came in between, its own event follows.
        if let Some(path) = control.best()
            && control.upper() == upper
        {
            told.best = Some(upper);
            let moves = self.puzzle.format_moves(&path);
            self.listener.hear(Happening::Best(BestEvent { position: self.place, moves, length: upper }));
        }
    }

    fn tell_progress(&self, table: Option<(&str, f64)>) {
        let Some(control) = self.control() else { return };
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.at.is_some_and(|at| at.elapsed() < BETWEEN) {
            return;
        }
        let now = control.progress();
        let (nodes, seconds) = (now.nodes.saturating_sub(told.nodes), now.seconds - told.seconds);
        *told = Told { at: Some(Instant::now()), nodes: now.nodes, seconds: now.seconds, best: told.best };
        self.listener.hear(Happening::Progress(ProgressEvent {
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
    use crate::record::Ending;
    use untumble_puzzles::catalog::{self, Settings};
    use untumble_search::frontend::InputFormat;

    /// Keeps all it hears; ends the search after so many bests.
    struct Keeps {
        heard: Mutex<Vec<Happening>>,
        max_length: usize,
    }

    impl Listener for Keeps {
        fn hear(&self, happening: Happening) {
            self.heard.lock().expect("no panic").push(happening);
        }

        fn goes_on(&self) -> bool {
            let heard = self.heard.lock().expect("no panic");
            heard.iter().filter(|heard| matches!(heard, Happening::Best(_))).count() < self.max_length
        }
    }

    fn solved(name: &str, text: &str, with: &str, max_length: usize) -> (Record, Vec<Happening>) {
        let puzzle: Arc<dyn DynPuzzle> =
            Arc::from(catalog::open(name, &Settings::default()).expect("a known puzzle"));
        let position = crate::read(&*puzzle, text, &InputFormat::default()).expect("a position");
        let wanted = crate::solver(&*puzzle, with, false).expect("a solver");
        let keeps = Arc::new(Keeps { heard: Mutex::default(), max_length });
        let listener: Arc<dyn Listener> = keeps.clone();
        let search = Search {
            puzzle: &puzzle,
            position: &position,
            place: 3,
            count: 1,
            wanted: wanted.as_ref(),
            limits: Limits::default(),
            all: false,
            runtime: &Runtime::default(),
            account: &Account::default(),
        };
        let record = search.run(&listener).expect("an answer");
        let heard = keeps.heard.lock().expect("no panic").clone();
        (record, heard)
    }

    #[test]
    fn the_best_is_told_before_the_answer_and_is_the_answer() {
        let (record, heard) = solved("8-puzzle", "8 6 7 2 5 4 3 0 1", "auto", usize::MAX);
        assert_eq!((record.length, record.optimal), (Some(31), true));
        let last = heard.iter().rev().find_map(|heard| match heard {
            Happening::Best(best) => Some((best.position, best.length, Some(best.moves.clone()))),
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
                Happening::Best(best) => Some(best.length),
                _ => None,
            })
            .collect();
        assert!(lengths.len() >= 3 && lengths.is_sorted_by(|a, b| a > b), "{lengths:?}");
        assert!(record.interrupted() && record.outcome == Ending::Stopped, "{record:?}");
    }

    /// Solvers that stand ready are not chosen again, and still have their names.
    #[test]
    fn progress_names_the_solvers_made_ready_or_kept() {
        let puzzle = crate::open("24-puzzle", &crate::Setting::default()).expect("a known puzzle");
        let text = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13";
        let position = crate::read(&*puzzle, text, &InputFormat::default()).expect("a position");
        let limits = Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
        let (runtime, account) = (Runtime::default(), Account::default());
        let (wanted, all) = (None, false);
        let search = Search {
            puzzle: &puzzle,
            position: &position,
            place: 0,
            count: 2,
            wanted,
            limits,
            all,
            runtime: &runtime,
            account: &account,
        };
        let (expected, mut kept) = (in_words(&search.turns()), None);
        for _ in 0..2 {
            let keeps = Arc::new(Keeps { heard: Mutex::default(), max_length: usize::MAX });
            let listener: Arc<dyn Listener> = keeps.clone();
            search.run_keeping(&mut kept, &listener).expect("an answer");
            let heard = keeps.heard.lock().expect("no panic");
            let names: Vec<&str> = heard
                .iter()
                .filter_map(|heard| match heard {
                    Happening::Progress(progress) => Some(progress.solver.as_str()),
                    _ => None,
                })
                .collect();
            assert!(!names.is_empty() && names.iter().all(|name| *name == expected), "{names:?}");
        }
    }

    #[test]
    fn what_cannot_be_solved_is_answered_without_a_search() {
        let (record, heard) = solved("8-puzzle", "1 2 3 4 5 6 8 7 0", "auto", usize::MAX);
        assert_eq!((record.outcome, record.solver), (Ending::Unsolvable, None));
        assert!(record.error.is_some_and(|why| why.contains("no moves solve it")) && heard.is_empty());
    }
}
