//! A portfolio of solvers: stages that run one after the other on one position and one [`Control`].
//!
//! Each stage knows the incumbent and the bound of the stages before it, so a quick solver supplies the
//! upper bound for the one that proves optimality. The solver of a stage is built when the stage begins.

use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use super::PuzzleFrontend;
use super::erased::ErasedPuzzle;
use crate::bounded_dfs::{PassResult, Subtree};
use crate::checkpoint::{Checkpointer, ProofState};
use crate::control::{Control, Event, Limits, Stop};
use crate::error::Error;
use crate::identity::PuzzleId;
use crate::locks::lock;
use crate::moves::{Move, MoveMask};
use crate::position::Position;
use crate::registry::{BuiltSolver, Guarantee, Registry};
use crate::report::{Counts, Outcome, Report};
use crate::runtime::Runtime;
use crate::spec::Spec;

/// The positions and limits that `auto` chooses its stages for.
#[derive(Clone, Copy, Debug)]
pub struct Workload<'a, S> {
    /// The position, if there is only one.
    pub position: Option<&'a S>,
    /// The number of positions.
    pub count: usize,
    /// The limits of each search.
    pub limits: Limits,
    /// Whether all optimal solutions are listed.
    pub all_solutions: bool,
}

impl<'a, S> Workload<'a, S> {
    /// A single position.
    pub fn one(position: &'a S, limits: Limits, all_solutions: bool) -> Workload<'a, S> {
        Workload { position: Some(position), count: 1, limits, all_solutions }
    }
}

/// One solver of a portfolio.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stage {
    /// The solver.
    pub spec: Spec,
    /// Nodes after which the next stage begins; `None` lets the solver finish.
    pub node_limit: Option<u64>,
}

impl From<Spec> for Stage {
    fn from(spec: Spec) -> Stage {
        Stage { spec, node_limit: None }
    }
}

/// The solvers of stages in the order in which they run: `beam+learned, then ida+manhattan`.
pub fn stage_names<'a>(stages: impl IntoIterator<Item = &'a Stage>) -> String {
    stages.into_iter().map(|stage| stage.spec.to_string()).collect::<Vec<_>>().join(", then ")
}

/// The warning that a stage is left out.
pub(super) fn skipping(spec: &Spec, error: &dyn std::error::Error) -> String {
    format!("skipping {spec}: {error}")
}

/// The answer of a portfolio to one position.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// Solution, bound, outcome and counts.
    pub report: Report,
    /// The solver of the last stage that ran, with all options as used.
    pub solver: String,
    /// The solver of the stage that found the best solution; `None` if there is none, or if it was known
    /// before the first stage.
    pub found_by: Option<String>,
    /// Time spent on building solvers and tables.
    pub preparation_time: Duration,
}

/// A portfolio whose first solver is built.
pub trait PreparedPortfolio: Send + Sync {
    /// The solvers in order, see [`stage_names`].
    fn names(&self) -> String;

    /// Solves one position. Every returned solution has been checked by replaying it. Fails only if the
    /// position belongs to another puzzle.
    fn solve(&self, position: &Position, control: &Control) -> Result<Answer, Error>;
}

/// A stage and its solver, which is built on first use.
struct StageSlot<P: PuzzleFrontend> {
    stage: Stage,
    built: OnceLock<BuiltSolver<P>>,
    /// Held while the solver is being built.
    building: Mutex<()>,
}

/// See [`PreparedPortfolio`].
pub(super) struct Portfolio<P: PuzzleFrontend> {
    puzzle: Arc<P>,
    registry: Arc<Registry<P>>,
    id: Arc<PuzzleId>,
    runtime: Runtime,
    slots: Vec<StageSlot<P>>,
}

impl<P: PuzzleFrontend> PreparedPortfolio for Portfolio<P> {
    fn names(&self) -> String {
        stage_names(self.slots.iter().map(|slot| &slot.stage))
    }

    fn solve(&self, position: &Position, control: &Control) -> Result<Answer, Error> {
        let starts = self.puzzle.start_states(position.state::<P>(&self.id)?);
        // A position that is not solved needs a move, so a solution of one move is optimal. The control does
        // not receive this bound: it would change the first pass of a search without heuristic.
        let solved = starts.iter().any(|start| self.puzzle.is_goal(start));
        let least_cost = if solved { 0 } else { self.puzzle.min_move_cost() };
        let mut answer: Option<Answer> = None;
        let mut preparation_time = Duration::ZERO;
        let (mut best_cost, mut found_by) = (control.upper_bound(), None);
        // The counts of a resumed proof include the stages that earlier runs finished.
        let mut earlier_counts =
            control.checkpointer().map_or_else(Counts::default, Checkpointer::earlier_counts);
        for (index, slot) in self.slots.iter().enumerate() {
            let begun = control.clock().now();
            let built = self.build(slot, control);
            preparation_time += control.clock().now().saturating_sub(begun);
            let BuiltSolver { spec, solver } = match (built, &mut answer) {
                (Ok(built), _) => built,
                // Keep the answer of the earlier stages.
                (Err(Error::Stopped(stop)), Some(answer)) => {
                    answer.report.outcome =
                        self.outcome_if_stopped(&answer.report, control.request_stop(stop));
                    break;
                }
                (Err(error), _) => {
                    control.emit(&Event::Warning(skipping(&slot.stage.spec, &error)));
                    continue;
                }
            };
            let last = index + 1 == self.slots.len();
            if let Some(checkpointer) = control.checkpointer() {
                checkpointer.set_earlier_counts(earlier_counts);
            }
            let search = |control: &Control| solver.solve(&*self.puzzle, &starts, control);
            let mut report = match self.stage_limits(slot, last, control) {
                None => search(control),
                Some(limits) if self.proves(slot) => run_within(limits, control, &search),
                Some(limits) => run_until_solved(limits, control, &search),
            };
            let solver = report.solver.take().unwrap_or_else(|| spec.to_string());
            if let Some(best) = report.best.as_ref().filter(|best| best.cost < best_cost) {
                best_cost = best.cost;
                found_by = Some(solver.clone());
            }
            report.counts += earlier_counts;
            earlier_counts = report.counts;
            if report.best.as_ref().is_some_and(|best| best.cost <= least_cost) {
                report.lower_bound = report.lower_bound.max(least_cost);
            }
            let listing_done = !control.all_solutions() || !report.solutions.is_empty();
            let done = report.optimal() && listing_done || control.max_length_reached();
            if !done && !last {
                if let Some(stop) = control.stop_reason() {
                    report.outcome = self.outcome_if_stopped(&report, stop);
                }
                if let Some(checkpointer) = control.checkpointer() {
                    checkpointer.set_earlier_counts(report.counts);
                    checkpointer.save(&self.unstarted_proof(&starts, control), control);
                }
            }
            answer = Some(Answer { report, solver, found_by: None, preparation_time });
            if done || control.stop_reason().is_some() {
                break;
            }
        }
        let mut answer = answer.expect("the first solver was built when the portfolio was prepared");
        answer.preparation_time = preparation_time;
        answer.found_by = found_by;
        // A short search may end before it polls.
        if control.limits().max_length.is_some_and(|max_length| max_length < answer.report.lower_bound) {
            answer.report.outcome = Outcome::Stopped(control.request_stop(Stop::MaxLength));
        }
        self.verify(&starts, &answer);
        Ok(answer)
    }
}

/// The factor by which the node limit of a stage grows while there is no solution.
const NODE_LIMIT_GROWTH: u64 = 4;

/// Runs a stage that guarantees nothing: it stops at its node limit only once there is an incumbent. Until
/// then it runs again with a larger limit, since the next stage may take much longer to its first solution.
fn run_until_solved(mut limits: Limits, control: &Control, search: &dyn Fn(&Control) -> Report) -> Report {
    let mut earlier = Counts::default();
    loop {
        let mut report = run_within(limits, control, search);
        report.counts += earlier;
        let at_node_limit = report.outcome == Outcome::Stopped(Stop::Nodes);
        if control.best().is_some() || control.stop_reason().is_some() || !at_node_limit {
            return report;
        }
        earlier = report.counts;
        limits.nodes = limits.nodes.map(|nodes| nodes.saturating_mul(NODE_LIMIT_GROWTH));
    }
}

/// Runs a stage within limits of its own. The portfolio continues if the stage reaches its node limit.
fn run_within(limits: Limits, control: &Control, search: &dyn Fn(&Control) -> Report) -> Report {
    // A phase shares incumbent, bound and observer with `control`; its limits are its own.
    let stage_control = control.phase(limits);
    let mut report = search(&stage_control);
    // The nodes of the stage count against the node limit of the portfolio.
    control.charge(report.counts.generated);
    if let Some(stop) = stage_control.stop_reason() {
        let only_this_stage = stop == Stop::Nodes && control.poll().is_ok();
        if !only_this_stage {
            control.request_stop(stop);
        } else if report.best.is_some() {
            report.outcome = Outcome::Solved;
        }
    }
    report
}

impl<P: PuzzleFrontend> Portfolio<P> {
    /// A portfolio without built solvers. The specs of `stages` must be complete, see
    /// [`Registry::complete`].
    pub(super) fn new(erased: &ErasedPuzzle<P>, stages: &[Stage], runtime: &Runtime) -> Portfolio<P> {
        let slot = |stage: &Stage| StageSlot {
            stage: stage.clone(),
            built: OnceLock::new(),
            building: Mutex::default(),
        };
        Portfolio {
            puzzle: Arc::clone(&erased.puzzle),
            registry: Arc::clone(&erased.registry),
            id: Arc::clone(&erased.id),
            runtime: runtime.clone(),
            slots: stages.iter().map(slot).collect(),
        }
    }

    /// Builds the solvers of the first `count` stages.
    pub(super) fn build_first(&self, count: usize, control: &Control) -> Result<(), Error> {
        self.slots.iter().take(count).try_for_each(|slot| self.build(slot, control).map(|_| ()))
    }

    /// The solver of a stage, built on first use.
    fn build<'a>(&self, slot: &'a StageSlot<P>, control: &Control) -> Result<&'a BuiltSolver<P>, Error> {
        if let Some(built) = slot.built.get() {
            return Ok(built);
        }
        let _building = lock(&slot.building);
        if let Some(built) = slot.built.get() {
            return Ok(built);
        }
        let built = self.registry.build(&self.puzzle, &slot.stage.spec, &self.runtime, control)?;
        Ok(slot.built.get_or_init(|| built))
    }

    /// The limits of a stage that runs on a control of its own; `None` if it runs on the portfolio's
    /// control. A stage with a node limit has its own control. So has, if there is a checkpointer, every
    /// stage but the last: only the last stage may write checkpoints.
    fn stage_limits(&self, slot: &StageSlot<P>, last: bool, control: &Control) -> Option<Limits> {
        let nodes = slot.stage.node_limit;
        let limits = control.limits();
        let own_control = nodes.is_some() || (control.checkpointer().is_some() && !last);
        own_control.then(|| Limits { nodes: nodes.or(limits.nodes), ..limits })
    }

    /// The outcome of a portfolio that stops before its last stage: solved if there is a solution and the
    /// last stage would not have proved it optimal.
    fn outcome_if_stopped(&self, report: &Report, stop: Stop) -> Outcome {
        let proves = |slot: &StageSlot<P>| self.proves(slot);
        let incomplete = report.best.is_none() || self.slots.last().is_some_and(proves);
        if incomplete { Outcome::Stopped(stop) } else { Outcome::Solved }
    }

    /// Whether a stage ends with an optimal solution.
    fn proves(&self, slot: &StageSlot<P>) -> bool {
        self.registry.guarantee(&slot.stage.spec) == Guarantee::Optimal
    }

    /// The state of the last stage's search before its first node. A checkpoint of it preserves the
    /// incumbent and the lower bound so far.
    fn unstarted_proof(&self, starts: &[P::State], control: &Control) -> ProofState {
        let subtree =
            |(root, start)| Subtree { root, path: Vec::new(), untried: self.puzzle.legal(start).to_set256() };
        let unsearched = (0..).zip(starts).map(subtree).collect();
        ProofState::new(control.lower_bound(), PassResult { unsearched, ..PassResult::empty() })
    }

    /// Panics if a solver returned a wrong solution, which is a bug: no wrong answer may leave the program.
    fn verify(&self, starts: &[P::State], answer: &Answer) {
        let puzzle = &*self.puzzle;
        let solves = |path: &[Move]| {
            starts.iter().any(|start| puzzle.replay(start, path).is_ok_and(|end| puzzle.is_goal(&end)))
        };
        let Answer { report, solver, .. } = answer;
        if let Some(best) = &report.best {
            assert!(solves(&best.moves), "{solver} returned moves that do not solve the position");
            assert_eq!(puzzle.path_cost(&best.moves), best.cost, "{solver} returned a wrong cost");
            assert!(best.cost >= report.lower_bound, "{solver} proved a bound above its own solution");
        }
        for path in &report.solutions {
            assert!(solves(path), "{solver} listed moves that do not solve the position");
        }
    }
}
