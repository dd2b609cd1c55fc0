//! Any puzzle with its types erased: [`DynPuzzle`], one blanket implementation for every [`PuzzleFrontend`].
//!
//! This is the only place where types are erased. Front ends hold a `dyn DynPuzzle` and exchange
//! [`Position`]s with it; everything below it, the searches included, has static types.

use std::sync::Arc;

use rand::Rng;

use super::defaults::{self, random_walk};
use super::portfolio::{Portfolio, skipping};
use super::{
    FormatInfo, InputFormat, InputKind, Parsed, PreparedPortfolio, Preset, PuzzleFrontend, Repair, Shape,
    Stage, Workload,
};
use crate::checkpoint::Checkpoint;
use crate::control::{Control, Stop};
use crate::error::{Diagnostic, Error, InputText};
use crate::identity::PuzzleId;
use crate::moves::Move;
use crate::perm::below;
use crate::position::{ApplyError, Position};
use crate::puzzle::Cost;
use crate::registry::{AlgorithmInfo, Guarantee, HeuristicInfo, Registry};
use crate::runtime::Runtime;
use crate::spec::{HeuristicExpr, Spec, SpecError};
use crate::tables::{Table, TableId, Tables, ValueDistribution};
use crate::train::{TrainingConfig, TrainingContext, TrainingResult};

/// A puzzle with its types erased. Make one with [`into_dyn`].
pub trait DynPuzzle: Send + Sync {
    /// See [`PuzzleInfo::title`](super::PuzzleInfo::title).
    fn title(&self) -> String;
    /// See [`PuzzleInfo::id`](super::PuzzleInfo::id).
    fn id(&self) -> PuzzleId;
    /// See [`PuzzleInfo::metric`](super::PuzzleInfo::metric).
    fn metric(&self) -> &str;
    /// See [`PuzzleInfo::goal_text`](super::PuzzleInfo::goal_text).
    fn goal_text(&self) -> String;
    /// See [`Registry::algorithms`].
    fn algorithms(&self) -> Vec<AlgorithmInfo>;
    /// See [`Registry::heuristics`].
    fn heuristics(&self) -> Vec<HeuristicInfo>;
    /// See [`PuzzleInfo::formats`](super::PuzzleInfo::formats).
    fn formats(&self) -> Vec<FormatInfo>;
    /// See [`PuzzleInfo::shape`](super::PuzzleInfo::shape).
    fn shape(&self) -> Shape;
    /// See [`PuzzleInfo::scramble_kind`](super::PuzzleInfo::scramble_kind).
    fn scramble_kind(&self) -> InputKind;
    /// See [`PuzzleInfo::scramble_solver`](super::PuzzleInfo::scramble_solver).
    fn scramble_solver(&self) -> Option<(&'static str, Option<Cost>)>;
    /// See [`PuzzleInfo::presets`](super::PuzzleInfo::presets).
    fn presets(&self) -> Vec<Preset>;
    /// The names of all moves, by index.
    fn moves(&self) -> Vec<String>;
    /// The names of the moves of a path.
    fn names(&self, path: &[Move]) -> Vec<String>;
    /// See [`PuzzleText::repairs`](super::PuzzleText::repairs).
    fn repairs(&self, text: &str, format: &InputFormat) -> Vec<Repair>;
    /// See [`PuzzleText::parse`](super::PuzzleText::parse).
    fn parse(
        &self,
        text: &str,
        at_end: bool,
        format: &InputFormat,
    ) -> Result<Parsed<Position>, Box<Diagnostic>>;
    /// See [`PuzzleText::input_warning`](super::PuzzleText::input_warning).
    fn input_warning(&self, text: &str, format: &InputFormat) -> Option<Box<Diagnostic>>;
    /// See [`PuzzleText::parse_moves`](super::PuzzleText::parse_moves).
    fn parse_moves(&self, text: &str) -> Result<Vec<Move>, Box<Diagnostic>>;
    /// See [`PuzzleText::format_moves`](super::PuzzleText::format_moves).
    fn format_moves(&self, path: &[Move]) -> String;
    /// See [`PuzzleText::answer_line`](super::PuzzleText::answer_line).
    fn answer_line(&self, path: &[Move]) -> String;
    /// See [`PuzzleText::check_solvable`](super::PuzzleText::check_solvable).
    fn check_solvable(&self, position: &Position) -> Result<(), Error>;
    /// See [`PuzzleText::text`](super::PuzzleText::text).
    fn text(&self, position: &Position) -> String;
    /// See [`PuzzleText::draw`](super::PuzzleText::draw).
    fn draw(&self, position: &Position, colour: bool) -> String;
    /// Trains the weights of the learned heuristic, see [`PuzzleFrontend::learn`].
    fn learn(&self, config: &TrainingConfig, context: TrainingContext<'_>) -> Result<TrainingResult, Error>;
    /// See [`PuzzleFrontend::value_distribution`].
    fn value_distribution(
        &self,
        id: &TableId,
        contents: &Arc<Table>,
        control: &Control,
    ) -> Result<Option<ValueDistribution>, Stop>;
    /// See [`PuzzleFrontend::exact_distance`].
    fn exact_distance(
        &self,
        position: &Position,
        tables: &dyn Tables,
        control: &Control,
    ) -> Result<Option<Cost>, Error>;
    /// The value of a heuristic for a position, the least over its start states. Tables are loaded or built.
    fn heuristic_value(
        &self,
        position: &Position,
        heuristic: &HeuristicExpr,
        runtime: &Runtime,
        control: &Control,
    ) -> Result<Cost, Error>;
    /// A lower bound on the cost of any solution, from the admissible heuristics that need no tables.
    fn lower_bound(&self, position: &Position, runtime: &Runtime) -> Result<Cost, Error>;
    /// The solved position; the first one if the puzzle has several goal states.
    fn solved(&self) -> Position;
    /// Whether the position is solved.
    fn is_solved(&self, position: &Position) -> bool;
    /// The position after `path`, or the index of the first illegal move.
    fn apply(&self, position: &Position, path: &[Move]) -> Result<Position, ApplyError>;
    /// The moves that lead back along a path; `None` if a move has no inverse.
    fn inverse_path(&self, path: &[Move]) -> Option<Vec<Move>>;
    /// The moves of [`DynPuzzle::scramble`] with this depth and the same random numbers.
    fn scramble_walk(&self, rng: &mut dyn Rng, depth: usize) -> Vec<Move>;
    /// A random position: uniform, or after `depth` random moves from solved without immediate undos.
    fn scramble(&self, rng: &mut dyn Rng, depth: Option<usize>) -> Position;
    /// Passes the incumbent and the lower bound of a saved proof to `control`. Returns false if the proof
    /// belongs to another position, see [`Checkpoint::is_valid_for`].
    fn restore_checkpoint(
        &self,
        position: &Position,
        saved: &Checkpoint,
        control: &Control,
    ) -> Result<bool, Error>;
    /// Offers a solution as the incumbent. Returns false if it does not solve the position or is not better
    /// than the incumbent.
    fn offer(&self, position: &Position, path: &[Move], control: &Control) -> Result<bool, Error>;
    /// Completes a path that leaves pieces unsolved, see [`PuzzleFrontend::finish`].
    fn finish(
        &self,
        position: &Position,
        path: &[Move],
        control: &Control,
    ) -> Result<Option<Vec<Move>>, Error>;
    /// See [`Registry::complete`].
    fn complete(&self, spec: &Spec) -> Result<Spec, SpecError>;
    /// See [`Registry::canonical`].
    fn canonical(&self, spec: &Spec) -> Spec;
    /// See [`Registry::guarantee`].
    fn guarantee(&self, spec: &Spec) -> Guarantee;
    /// The stages that `auto` stands for. Ignores a position of another puzzle, which
    /// [`PreparedPortfolio::solve`] refuses.
    fn auto(&self, workload: &Workload<'_, Position>, tables: &dyn Tables) -> AutoStages;
    /// A portfolio of stages (solvers that run one after the other). Its first `count` solvers are built
    /// now, each of the others when its stage begins: with a count of 1, the answer of a fast solver does not
    /// wait for the tables of a slower one. The specs must be complete, see [`DynPuzzle::complete`].
    fn prepare_first(
        &self,
        count: usize,
        stages: &[Stage],
        runtime: &Runtime,
        control: &Control,
    ) -> Result<Box<dyn PreparedPortfolio>, Error>;
    /// A portfolio with all solvers built, before many positions are solved with them.
    fn prepare(
        &self,
        stages: &[Stage],
        runtime: &Runtime,
        control: &Control,
    ) -> Result<Box<dyn PreparedPortfolio>, Error> {
        self.prepare_first(stages.len(), stages, runtime, control)
    }
}

/// The stages that `auto` stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AutoStages {
    /// The stages, with complete specs; at least one.
    pub stages: Vec<Stage>,
    /// The stages that the puzzle chose and its registry cannot build, each with the reason.
    pub warnings: Vec<String>,
}

/// Erases the types of a puzzle.
pub fn into_dyn<P: PuzzleFrontend>(puzzle: P) -> Box<dyn DynPuzzle> {
    let registry = puzzle.registry();
    erase_with(puzzle, registry)
}

/// Erases the types of a puzzle whose registry has been extended.
pub fn erase_with<P: PuzzleFrontend>(puzzle: P, registry: Registry<P>) -> Box<dyn DynPuzzle> {
    let registry = registry.supported_by(&puzzle);
    let id = Arc::new(puzzle.id());
    Box::new(ErasedPuzzle { puzzle: Arc::new(puzzle), registry: Arc::new(registry), id })
}

/// A puzzle, its registry and its identity, shared with the portfolios that solve it.
pub(super) struct ErasedPuzzle<P: PuzzleFrontend> {
    pub(super) puzzle: Arc<P>,
    pub(super) registry: Arc<Registry<P>>,
    pub(super) id: Arc<PuzzleId>,
}

impl<P: PuzzleFrontend> ErasedPuzzle<P> {
    fn state<'a>(&self, position: &'a Position) -> Result<&'a P::State, Error> {
        position.state::<P>(&self.id)
    }

    /// A goal state, drawn uniformly if the puzzle lists several.
    fn random_goal(&self, rng: &mut dyn Rng) -> P::State {
        let mut goals = self.puzzle.goal_states().unwrap_or_else(|| vec![self.puzzle.solved()]);
        // With one goal state, draw no number: a seed must give the same scramble in all versions.
        let goal = if goals.len() > 1 { below(rng, goals.len()) } else { 0 };
        goals.swap_remove(goal)
    }

    fn position(&self, state: P::State) -> Position {
        Position::new(&self.puzzle, &self.id, state)
    }
}

impl<P: PuzzleFrontend> DynPuzzle for ErasedPuzzle<P> {
    fn title(&self) -> String {
        self.puzzle.title()
    }

    fn id(&self) -> PuzzleId {
        self.puzzle.id()
    }

    fn metric(&self) -> &str {
        self.puzzle.metric()
    }

    fn goal_text(&self) -> String {
        self.puzzle.goal_text()
    }

    fn algorithms(&self) -> Vec<AlgorithmInfo> {
        self.registry.algorithms().cloned().collect()
    }

    fn heuristics(&self) -> Vec<HeuristicInfo> {
        self.registry.heuristics().cloned().collect()
    }

    fn formats(&self) -> Vec<FormatInfo> {
        self.puzzle.formats()
    }

    fn shape(&self) -> Shape {
        self.puzzle.shape()
    }

    fn scramble_kind(&self) -> InputKind {
        self.puzzle.scramble_kind()
    }

    fn scramble_solver(&self) -> Option<(&'static str, Option<Cost>)> {
        self.puzzle.scramble_solver()
    }

    fn presets(&self) -> Vec<Preset> {
        self.puzzle.presets()
    }

    fn moves(&self) -> Vec<String> {
        Move::first_n(self.puzzle.move_count()).map(|m| self.puzzle.name(m).into_owned()).collect()
    }

    fn names(&self, path: &[Move]) -> Vec<String> {
        path.iter().map(|&m| self.puzzle.name(m).into_owned()).collect()
    }

    fn repairs(&self, text: &str, format: &InputFormat) -> Vec<Repair> {
        self.puzzle.repairs(text, format)
    }

    fn parse(
        &self,
        text: &str,
        at_end: bool,
        format: &InputFormat,
    ) -> Result<Parsed<Position>, Box<Diagnostic>> {
        match self.puzzle.parse(text, at_end, format) {
            Ok(parsed) => Ok(parsed.map(|state| self.position(state))),
            Err(error) => Err(Box::new(error.in_text(InputText::Position))),
        }
    }

    fn input_warning(&self, text: &str, format: &InputFormat) -> Option<Box<Diagnostic>> {
        self.puzzle.input_warning(text, format)
    }

    fn parse_moves(&self, text: &str) -> Result<Vec<Move>, Box<Diagnostic>> {
        self.puzzle.parse_moves(text).map_err(|error| Box::new(error.in_text(InputText::Moves)))
    }

    fn format_moves(&self, path: &[Move]) -> String {
        self.puzzle.format_moves(path)
    }

    fn answer_line(&self, path: &[Move]) -> String {
        self.puzzle.answer_line(path)
    }

    fn check_solvable(&self, position: &Position) -> Result<(), Error> {
        self.puzzle.check_solvable(self.state(position)?)
    }

    fn text(&self, position: &Position) -> String {
        position.text()
    }

    fn draw(&self, position: &Position, colour: bool) -> String {
        position.draw(colour)
    }

    fn learn(&self, config: &TrainingConfig, context: TrainingContext<'_>) -> Result<TrainingResult, Error> {
        self.puzzle.learn(config, context)
    }

    fn value_distribution(
        &self,
        id: &TableId,
        contents: &Arc<Table>,
        control: &Control,
    ) -> Result<Option<ValueDistribution>, Stop> {
        self.puzzle.value_distribution(id, contents, control)
    }

    fn exact_distance(
        &self,
        position: &Position,
        tables: &dyn Tables,
        control: &Control,
    ) -> Result<Option<Cost>, Error> {
        self.puzzle.exact_distance(self.state(position)?, tables, control)
    }

    fn heuristic_value(
        &self,
        position: &Position,
        heuristic: &HeuristicExpr,
        runtime: &Runtime,
        control: &Control,
    ) -> Result<Cost, Error> {
        let state = self.state(position)?;
        let heuristic = self.registry.build_heuristic(&self.puzzle, heuristic, runtime, control)?;
        let starts = self.puzzle.start_states(state);
        let values = starts.iter().map(|start| heuristic.estimate(&self.puzzle, start));
        Ok(values.min().unwrap_or(0))
    }

    fn lower_bound(&self, position: &Position, runtime: &Runtime) -> Result<Cost, Error> {
        let starts = self.puzzle.start_states(self.state(position)?);
        if starts.iter().any(|start| self.puzzle.is_goal(start)) {
            return Ok(0);
        }
        let bounds = self.registry.quick_bounds(&self.puzzle, runtime);
        let best = |start| bounds.iter().map(|bound| bound.estimate(&self.puzzle, start)).max();
        let bound = starts.iter().filter_map(best).min().unwrap_or(0);
        Ok(bound.max(self.puzzle.min_move_cost()))
    }

    fn solved(&self) -> Position {
        self.position(self.puzzle.solved())
    }

    fn is_solved(&self, position: &Position) -> bool {
        position.is_solved()
    }

    fn apply(&self, position: &Position, path: &[Move]) -> Result<Position, ApplyError> {
        // A position has several start states if, for example, the direction of its first move is free. The
        // error names the move that is illegal from all of them.
        let starts = self.puzzle.start_states(self.state(position)?);
        let mut first_illegal = 0;
        for start in starts {
            match self.puzzle.replay(&start, path) {
                Ok(state) => return Ok(self.position(state)),
                Err(index) => first_illegal = first_illegal.max(index),
            }
        }
        Err(ApplyError::Illegal(first_illegal))
    }

    fn inverse_path(&self, path: &[Move]) -> Option<Vec<Move>> {
        path.iter().rev().map(|&m| self.puzzle.inverse(m)).collect()
    }

    fn scramble_walk(&self, rng: &mut dyn Rng, depth: usize) -> Vec<Move> {
        let mut path = Vec::new();
        random_walk(&*self.puzzle, self.random_goal(rng), depth, rng, |m| path.push(m));
        path
    }

    fn scramble(&self, rng: &mut dyn Rng, depth: Option<usize>) -> Position {
        let Some(depth) = depth else { return self.position(self.puzzle.random(rng)) };
        self.position(random_walk(&*self.puzzle, self.random_goal(rng), depth, rng, |_| {}))
    }

    fn restore_checkpoint(
        &self,
        position: &Position,
        saved: &Checkpoint,
        control: &Control,
    ) -> Result<bool, Error> {
        let valid = saved.is_valid_for(&*self.puzzle, &self.puzzle.start_states(self.state(position)?));
        if valid {
            control.raise_lower_bound(saved.lower_bound);
            if let Some(best) = &saved.best {
                control.offer(best, self.puzzle.path_cost(best));
            }
        }
        Ok(valid)
    }

    fn offer(&self, position: &Position, path: &[Move], control: &Control) -> Result<bool, Error> {
        let solves =
            |start: &P::State| self.puzzle.replay(start, path).is_ok_and(|end| self.puzzle.is_goal(&end));
        let solved = self.puzzle.start_states(self.state(position)?).iter().any(solves);
        Ok(solved && control.offer(path, self.puzzle.path_cost(path)))
    }

    fn finish(
        &self,
        position: &Position,
        path: &[Move],
        control: &Control,
    ) -> Result<Option<Vec<Move>>, Error> {
        Ok(self.puzzle.finish(&self.puzzle.start_states(self.state(position)?), path, control)?)
    }

    fn complete(&self, spec: &Spec) -> Result<Spec, SpecError> {
        self.registry.complete(spec)
    }

    fn canonical(&self, spec: &Spec) -> Spec {
        self.registry.canonical(spec)
    }

    fn guarantee(&self, spec: &Spec) -> Guarantee {
        self.registry.guarantee(spec)
    }

    fn auto(&self, workload: &Workload<'_, Position>, tables: &dyn Tables) -> AutoStages {
        let Workload { position, count, limits, all_solutions } = *workload;
        let position = position.and_then(|position| self.state(position).ok());
        let mut stages = self.puzzle.auto(&Workload { position, count, limits, all_solutions }, tables);
        let mut warnings = Vec::new();
        // Leave out stages that this registry cannot build. If none is left, use the default.
        stages.retain_mut(|stage| match self.registry.complete(&stage.spec) {
            Ok(spec) => {
                stage.spec = spec;
                true
            }
            Err(error) => {
                warnings.push(skipping(&stage.spec, &error));
                false
            }
        });
        if stages.is_empty() {
            stages.push(defaults::auto(&*self.puzzle).into());
        }
        AutoStages { stages, warnings }
    }

    fn prepare_first(
        &self,
        count: usize,
        stages: &[Stage],
        runtime: &Runtime,
        control: &Control,
    ) -> Result<Box<dyn PreparedPortfolio>, Error> {
        let portfolio = Portfolio::new(self, stages, runtime);
        portfolio.build_first(count, control)?;
        Ok(Box::new(portfolio))
    }
}
