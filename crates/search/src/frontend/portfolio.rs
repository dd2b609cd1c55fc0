//! A portfolio of solvers: stages that run on one position and one [`Control`].
//!
//! Each stage knows the incumbent and the bound of the stages before it, so a quick solver supplies the
//! upper bound for the one that proves optimality. The first stages run in order. Stages with a
//! [`StageCost`] are scheduled by the measured growth of the proof, see [`schedule`]. The solver of a stage
//! is built when the stage begins.

mod run;
mod schedule;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use self::run::Run;
pub use self::schedule::{ProofCost, StageCost};
use super::PuzzleFrontend;
use super::erased::ErasedPuzzle;
use crate::control::{Control, Limits, Stop};
use crate::error::Error;
use crate::identity::PuzzleId;
use crate::locks::lock;
use crate::moves::Move;
use crate::position::Position;
use crate::puzzle::Cost;
use crate::registry::{BuiltSolver, Guarantee, Registry};
use crate::report::{Outcome, Report};
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
    /// Nodes after which the next stage begins; `None` lets the solver finish. A scheduled proof runs in
    /// slices and ignores it.
    pub node_limit: Option<u64>,
    /// A stage that guarantees nothing runs again with a larger node limit until the incumbent costs at most
    /// this; without a value, until there is an incumbent.
    pub target: Option<Cost>,
    /// When the stage runs, and its expected cost.
    pub cost: StageCost,
}

impl From<Spec> for Stage {
    fn from(spec: Spec) -> Stage {
        Stage { spec, node_limit: None, target: None, cost: StageCost::InOrder }
    }
}

impl Stage {
    /// A stage that runs in its place, for at most `nodes` nodes.
    pub fn within(nodes: u64, spec: Spec) -> Stage {
        Stage { node_limit: Some(nodes), ..spec.into() }
    }

    /// A scheduled proof.
    pub fn proof(cost: ProofCost, spec: Spec) -> Stage {
        Stage { cost: StageCost::Proof(cost), ..spec.into() }
    }

    /// A scheduled improvement of the incumbent that takes about `time` on one thread.
    pub fn improvement(time: Duration, spec: Spec) -> Stage {
        Stage { cost: StageCost::Improvement(time), ..spec.into() }
    }
}

/// The solvers of stages, each once, in the order of their first stages.
pub fn distinct_solvers<'a>(stages: impl IntoIterator<Item = &'a Stage>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for stage in stages {
        let name = stage.spec.to_string();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// As [`distinct_solvers`], in one line: `beam+learned, then ida+manhattan`.
pub fn stage_names<'a>(stages: impl IntoIterator<Item = &'a Stage>) -> String {
    distinct_solvers(stages).join(", then ")
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
        let answer = Run::new(self, &starts, control).run()?;
        self.verify(&starts, &answer);
        Ok(answer)
    }
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

    /// The outcome of a portfolio that stops before its end: solved if there is a solution and no scheduled
    /// or last stage would have proved it optimal.
    fn outcome_if_stopped(&self, report: &Report, stop: Stop) -> Outcome {
        let scheduled = self.slots.iter().any(|slot| matches!(slot.stage.cost, StageCost::Proof(_)));
        let proof_follows = scheduled || self.slots.last().is_some_and(|slot| self.proves(slot));
        let incomplete = report.best.is_none() || proof_follows;
        if incomplete { Outcome::Stopped(stop) } else { Outcome::Solved }
    }

    /// Whether a stage ends with an optimal solution.
    fn proves(&self, slot: &StageSlot<P>) -> bool {
        self.registry.guarantee(&slot.stage.spec) == Guarantee::Optimal
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
