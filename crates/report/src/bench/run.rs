//! Measures a suite in rounds over all its cases.
//!
//! Rounds interleave the cases, so that a temporary slowdown of the machine widens the range of every case
//! instead of distorting one.

use std::sync::Arc;

use untumble_puzzles::instance_sets::Reference;
use untumble_puzzles::suites::{Case, Positions, Suite};
use untumble_search::control::{Limits, Observer, Stop};
use untumble_search::error::Error as SearchError;
use untumble_search::frontend::{DynPuzzle, InputFormat, Parsed, Position, PreparedPortfolio, Workload};
use untumble_search::puzzle::Cost;
use untumble_search::report::Outcome;
use untumble_search::runtime::Runtime;
use untumble_search::solve::gpu;

use super::{CaseResult, Clock, PublishedSearch, RoundTimes, SuiteResults};
use crate::error::Error;
use crate::progress::SeriesObserver;
use crate::published::Agreement;
use untumble_session::machine::{self, Machine};
use untumble_session::{Plan, PuzzleSettings, Record, SearchContext, Session};

/// A case with its solver prepared, and its measurements so far.
struct PreparedCase<'a> {
    case: &'a Case,
    session: Session,
    plan: Plan,
    solver: Box<dyn PreparedPortfolio>,
    /// Positions, some with published results.
    positions: Vec<(Position, Option<Reference>)>,
    clock: Clock,
    /// The time of each recorded round.
    seconds: Vec<f64>,
    /// The sum of the solution lengths of the last round.
    moves: u64,
    /// Nodes generated in the last round.
    nodes: u64,
    /// The name of the GPU that the last round used.
    device: Option<String>,
    /// The searches of the last round on published positions.
    published: Vec<PublishedSearch>,
}

/// The work of one round.
#[derive(Default)]
struct RoundTotals {
    moves: u64,
    nodes: u64,
    device: Option<String>,
    published: Vec<PublishedSearch>,
}

impl RoundTotals {
    fn add(&mut self, record: Record, length: Cost, reference: Option<Reference>) {
        self.moves += u64::from(length);
        self.nodes += record.generated;
        self.published.extend(reference.map(|reference| PublishedSearch {
            instance: reference.id,
            published_length: reference.optimal,
            published_nodes: reference.nodes,
            length,
            nodes: record.generated,
            agreement: Agreement::of(reference.optimal, Some(length), record.lower_bound),
        }));
        self.device = record.device;
    }
}

/// Measures a suite: one warm-up round and `rounds` rounds that count.
pub fn run(
    suite: &Suite,
    rounds: usize,
    runtime: &Runtime,
    series: &Arc<dyn SeriesObserver>,
) -> Result<SuiteResults, Error> {
    let observer: Arc<dyn Observer> = series.clone();
    let mut cases = Vec::new();
    for case in &suite.cases {
        cases.push(PreparedCase::new(case, runtime, &observer)?);
    }
    // Round 0 is the warm-up.
    series.start((rounds + 1) * cases.len(), 0);
    for round in 0..=rounds {
        for case in &mut cases {
            match round {
                0 => series.begin(format_args!("{}, warm-up", case.case.name)),
                _ => series.begin(format_args!("{}, round {round} of {rounds}", case.case.name)),
            }
            case.measure(round > 0, &observer)?;
            series.end();
        }
    }
    let result = |prepared: PreparedCase<'_>| {
        Some(CaseResult {
            name: prepared.case.name.clone(),
            threads: prepared.case.threads,
            positions: prepared.positions.len(),
            moves: prepared.moves,
            nodes: prepared.nodes,
            clock: prepared.clock,
            seconds: RoundTimes::of(prepared.seconds)?,
            published: prepared.published,
        })
    };
    Ok(SuiteResults {
        suite: suite.name.to_owned(),
        untumble: env!("CARGO_PKG_VERSION").to_owned(),
        rounds,
        machine: Machine::detect(),
        device: cases.iter().find_map(|case| case.device.clone()),
        cases: cases.into_iter().filter_map(result).collect(),
    })
}

impl<'a> PreparedCase<'a> {
    fn new(
        case: &'a Case,
        runtime: &Runtime,
        observer: &Arc<dyn Observer>,
    ) -> Result<PreparedCase<'a>, Error> {
        let settings =
            PuzzleSettings { goal: case.goal.map(Into::into), metric: case.metric.map(Into::into) };
        let session = Session::open(runtime, case.puzzle, &settings)
            .map_err(|problem| Error::InvalidCase { case: case.name.clone(), reason: problem.detail })?;
        let limits =
            Limits { memory: machine::default_memory_limit(), threads: case.threads, ..Limits::default() };
        let spec = session.parse_solver(&case.solver, false)?;
        let workload = Workload { position: None, count: 1, limits, all_solutions: false };
        let plan = session.plan(spec.as_ref(), &workload);
        let context = SearchContext::observed_by(Arc::clone(observer));
        let solver = session.prepare(&plan, &context)?.portfolio;
        let positions = positions(&**session.puzzle(), &case.positions)?;
        Ok(PreparedCase {
            case,
            session,
            plan,
            solver,
            positions,
            // The work of a GPU takes no CPU time of the process.
            clock: if spec.is_some_and(|spec| spec.algorithm == gpu::NAME) {
                Clock::Wall
            } else {
                Clock::for_threads(case.threads)
            },
            seconds: Vec::new(),
            moves: 0,
            nodes: 0,
            device: None,
            published: Vec::new(),
        })
    }

    /// Solves every position once; the warm-up round is not `recorded`.
    fn measure(&mut self, recorded: bool, observer: &Arc<dyn Observer>) -> Result<(), Error> {
        let (seconds, totals) = self.clock.time(|| {
            let mut totals = RoundTotals::default();
            for (position, reference) in &self.positions {
                let context = SearchContext::observed_by(Arc::clone(observer));
                let result = self.session.solve_with(&*self.solver, position, &self.plan, &context);
                let record = result.map_err(|_| None)?;
                match (record.outcome, record.length) {
                    (Outcome::Solved, Some(length)) => totals.add(record, length, *reference),
                    (Outcome::Stopped(stop), _) => return Err(Some(stop)),
                    _ => return Err(None),
                }
            }
            Ok(totals)
        });
        let RoundTotals { moves, nodes, device, published } = totals.map_err(|stop| match stop {
            Some(Stop::Interrupted) => Error::Interrupted("; an unfinished suite has no results"),
            Some(stop) => Error::StoppedCase { case: self.case.name.clone(), stop },
            None => Error::UnsolvableCase { case: self.case.name.clone() },
        })?;
        (self.moves, self.nodes, self.device, self.published) = (moves, nodes, device, published);
        if recorded {
            self.seconds.push(seconds);
        }
        Ok(())
    }
}

/// Generates or parses the positions of a case.
fn positions(
    puzzle: &dyn DynPuzzle,
    positions: &Positions,
) -> Result<Vec<(Position, Option<Reference>)>, Error> {
    let parse = |text: &String, reference| match puzzle.parse(text, true, &InputFormat::default()) {
        Ok(Parsed::Position(position)) => Ok((position, reference)),
        Ok(_) => Err(Error::NotAPosition { text: text.clone(), puzzle: puzzle.title() }),
        Err(diagnostic) => Err(SearchError::from(diagnostic).into()),
    };
    match positions {
        Positions::Random { count, seed } => {
            let mut generator = untumble_session::seeded_rng(*seed);
            Ok((0..*count).map(|_| (puzzle.scramble(&mut generator, None), None)).collect())
        }
        Positions::Listed(texts) => texts.iter().map(|text| parse(text, None)).collect(),
        Positions::Published(listed) => {
            listed.iter().map(|(text, reference)| parse(text, Some(*reference))).collect()
        }
    }
}
