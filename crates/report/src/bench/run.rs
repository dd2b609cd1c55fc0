//! Measures a suite: its cases in turn, several rounds of all of them, so that a slow minute of the machine meets every
//! case and shows as a wide band instead of a wrong figure.

use std::sync::Arc;

use untumble_puzzles::suites::{Case, Positions, Suite};
use untumble_search::control::{Limits, Observer, Stop};
use untumble_search::error::Error as SearchError;
use untumble_search::frontend::{DynPuzzle, InputFormat, Parsed, Position, Prepared, Workload};
use untumble_search::report::Outcome;
use untumble_search::runtime::Runtime;
use untumble_search::solve::gpu;

use super::clock;
use super::{Band, Figures, Measured};
use crate::error::Error;
use crate::progress::SeriesObserver;
use untumble_session::machine::{self, Machine};
use untumble_session::{Plan, SearchContext, Session, Settings};

/// A case with its solver made ready.
struct Ready<'a> {
    case: &'a Case,
    session: Session,
    plan: Plan,
    solver: Box<dyn Prepared>,
    positions: Vec<Position>,
    clock: clock::Kind,
    seconds: Vec<f64>,
    moves: u64,
    nodes: u64,
    device: Option<String>,
}

/// The figures of a suite after so many rounds.
pub fn run(
    suite: &Suite,
    rounds: usize,
    runtime: &Runtime,
    series: &Arc<dyn SeriesObserver>,
) -> Result<Figures, Error> {
    let observer: Arc<dyn Observer> = series.clone();
    let mut cases = Vec::new();
    for case in &suite.cases {
        cases.push(Ready::new(case, runtime, &observer)?);
    }
    // The first round warms up and does not count.
    series.start((rounds + 1) * cases.len(), 0);
    for round in 0..=rounds {
        for case in &mut cases {
            match round {
                0 => series.begin(format_args!("{}, warming up", case.case.name)),
                _ => series.begin(format_args!("{}, round {round} of {rounds}", case.case.name)),
            }
            case.measure(round > 0, &observer)?;
            series.end();
        }
    }
    let measured = |ready: Ready<'_>| {
        Some(Measured {
            name: ready.case.name.clone(),
            threads: ready.case.threads,
            positions: ready.positions.len(),
            moves: ready.moves,
            nodes: ready.nodes,
            clock: ready.clock,
            seconds: Band::of(ready.seconds)?,
        })
    };
    Ok(Figures {
        suite: suite.name.to_owned(),
        untumble: env!("CARGO_PKG_VERSION").to_owned(),
        rounds,
        machine: Machine::here(),
        device: cases.iter().find_map(|case| case.device.clone()),
        cases: cases.into_iter().filter_map(measured).collect(),
    })
}

impl<'a> Ready<'a> {
    fn new(case: &'a Case, runtime: &Runtime, observer: &Arc<dyn Observer>) -> Result<Ready<'a>, Error> {
        let setting = Settings { goal: case.goal.map(Into::into), metric: case.metric.map(Into::into) };
        let session = Session::open(runtime, case.puzzle, &setting)
            .map_err(|problem| Error::Case { case: case.name.clone(), why: problem.detail })?;
        let limits = Limits { memory: machine::memory(), threads: case.threads, ..Limits::default() };
        let spec = session.solver(case.with, false)?;
        let workload = Workload { position: None, count: 1, limits, all: false };
        let plan = session.plan(spec.as_ref(), &workload);
        let context = SearchContext::observed_by(Arc::clone(observer));
        let solver = session.prepare(&plan, &context)?.prepared;
        let positions = positions(&**session.puzzle(), &case.positions)?;
        Ok(Ready {
            case,
            session,
            plan,
            solver,
            positions,
            // What a device does takes no time of ours.
            clock: if spec.is_some_and(|spec| spec.algorithm == gpu::NAME) {
                clock::Kind::Wall
            } else {
                clock::Kind::of(case.threads)
            },
            seconds: Vec::new(),
            moves: 0,
            nodes: 0,
            device: None,
        })
    }

    /// Solves every position once.
    fn measure(&mut self, counts: bool, observer: &Arc<dyn Observer>) -> Result<(), Error> {
        let (seconds, solved) = self.clock.time(|| {
            let mut sums = (0, 0, None);
            for position in &self.positions {
                let context = SearchContext::observed_by(Arc::clone(observer));
                let solved = self.session.solve_with(&*self.solver, position, &self.plan, &context);
                let record = solved.map_err(|_| None)?;
                match (record.outcome, record.length) {
                    (Outcome::Solved, Some(length)) => {
                        sums.0 += u64::from(length);
                        sums.1 += record.generated;
                    }
                    (Outcome::Stopped(stop), _) => return Err(Some(stop)),
                    _ => return Err(None),
                }
                sums.2 = record.device;
            }
            Ok(sums)
        });
        (self.moves, self.nodes, self.device) = solved.map_err(|stop| match stop {
            Some(Stop::Interrupted) => Error::Interrupted("; a suite that is not finished leaves no figures"),
            Some(stop) => Error::StoppedCase { case: self.case.name.clone(), stop },
            None => Error::UnsolvableCase { case: self.case.name.clone() },
        })?;
        if counts {
            self.seconds.push(seconds);
        }
        Ok(())
    }
}

fn positions(puzzle: &dyn DynPuzzle, positions: &Positions) -> Result<Vec<Position>, Error> {
    match positions {
        Positions::Random { count, seed } => {
            let mut generator = untumble_session::generator(*seed);
            Ok((0..*count).map(|_| puzzle.scramble(&mut generator, None)).collect())
        }
        Positions::Listed(texts) => {
            let read = |text: &String| match puzzle.parse(text, true, &InputFormat::default()) {
                Ok(Parsed::Position(position)) => Ok(position),
                Ok(_) => Err(Error::NoPosition { text: text.clone(), puzzle: puzzle.title() }),
                Err(why) => Err(SearchError::from(why).into()),
            };
            texts.iter().map(read).collect()
        }
    }
}
