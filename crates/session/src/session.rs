//! The entry point of every search: open a puzzle, plan a portfolio, solve positions within limits.
//!
//! A portfolio is a list of stages, each one solver with a node limit or an expected cost; they run on the
//! same position. [`Session::plan`] chooses the stages for a [`Workload`] (the positions to be solved and
//! their limits), [`Session::solve`] runs them and returns a [`Record`]. The command line, the service, the
//! browser engine and the reports are adapters over [`Session`].
//!
//! There are three types of errors. An [`Error`] says why a search was not possible, a [`Diagnostic`] what
//! is wrong at which place of a text, and [`ProblemDetails`] is the form in which clients receive either
//! (RFC 9457).
//!
//! ```
//! use untumble_search::frontend::{InputFormat, Workload};
//! use untumble_search::control::Limits;
//! use untumble_search::runtime::Runtime;
//! use untumble_session::{SearchContext, Session, PuzzleSettings};
//!
//! let session = Session::open(&Runtime::default(), "8-puzzle", &PuzzleSettings::default()).unwrap();
//! let position = session.parse("8 6 7 2 5 4 3 0 1", &InputFormat::default()).unwrap();
//! let request = session.parse_solver("astar+manhattan", false).unwrap();
//! let plan = session.plan(request.as_ref(), &Workload::one(&position, Limits::default(), false));
//! let answer = session.solve(&position, &plan, &mut None, &SearchContext::default()).unwrap();
//! assert_eq!((answer.length, answer.optimal), (Some(31), true));
//! ```

use std::sync::Arc;

use untumble_search::checkpoint::{Checkpoint, Checkpointer};
use untumble_search::control::{Control, Event, Limits, MemoryAccount, Observer, Silent, Stop};
use untumble_search::error::{Diagnostic, Error};
use untumble_search::family::PuzzleSettings;
use untumble_search::frontend::{
    AutoStages, DynPuzzle, InputFormat, Position, PreparedPortfolio, Stage, Workload, distinct_solvers,
    stage_names,
};
use untumble_search::identity::{Difference, IdField, RunId};
use untumble_search::moves::Move;
use untumble_search::runtime::Runtime;
use untumble_search::spec::Spec;

use crate::file_identity::identify_files;
use crate::input;
use crate::problem::ProblemDetails;
use crate::record::{Record, ResourceUsage};
use crate::solver_request;

/// A puzzle opened for searches with the resources of a [`Runtime`]. Cloning shares both.
#[derive(Clone)]
pub struct Session {
    runtime: Runtime,
    puzzle: Arc<dyn DynPuzzle>,
}

/// Which solvers run on a position, and within which limits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The identity of the run: runs with the same identity give interchangeable answers.
    pub run_id: RunId,
    /// The solvers, each with its node limit or the expected cost by which it is scheduled.
    pub stages: Vec<Stage>,
    /// The limits of each position.
    pub limits: Limits,
    /// Messages about the stages that `auto`, the automatic choice of a portfolio, left out. A search passes
    /// them to its observer.
    pub warnings: Vec<String>,
}

impl Plan {
    /// The solvers in the order in which they run: `beam+learned, then ida+manhattan`.
    pub fn solvers(&self) -> String {
        stage_names(&self.stages)
    }

    /// The solvers of the stages as texts, each once.
    pub fn stage_solvers(&self) -> Vec<String> {
        distinct_solvers(&self.stages)
    }

    /// The same plan with other limits of time, memory or threads, which are not part of the identity of the
    /// run.
    #[must_use]
    pub fn with_limits(&self, limits: Limits) -> Plan {
        Plan { limits, ..self.clone() }
    }
}

/// Receives the [`Control`] (limits, cancellation, incumbent and bound) of a search before it begins.
pub type OnControl = dyn Fn(&Arc<Control>) + Send + Sync;

/// Makes a checkpointer once the first solver of a search is ready.
pub type MakeCheckpointer = dyn Fn() -> Arc<Checkpointer> + Send + Sync;

/// Observer, memory account and initial knowledge of one search.
#[derive(Clone)]
pub struct SearchContext {
    /// Receives events and may stop the search.
    pub observer: Arc<dyn Observer>,
    /// The account that all memory is charged to; searches may share one.
    pub account: MemoryAccount,
    /// Makes the checkpointer of the search, once its first solver is ready.
    pub checkpointer: Option<Arc<MakeCheckpointer>>,
    /// The checkpoint of an earlier run; its bound and incumbent are known from the start.
    pub resumed: Option<Checkpoint>,
    /// A solution known before the search.
    pub incumbent: Option<Vec<Move>>,
    /// Called with the control before the search begins.
    pub on_control: Option<Arc<OnControl>>,
}

impl Default for SearchContext {
    fn default() -> SearchContext {
        SearchContext::observed_by(Arc::new(Silent))
    }
}

impl SearchContext {
    /// A context without initial knowledge, with a memory account of its own.
    pub fn observed_by(observer: Arc<dyn Observer>) -> SearchContext {
        SearchContext {
            observer,
            account: MemoryAccount::default(),
            checkpointer: None,
            resumed: None,
            incumbent: None,
            on_control: None,
        }
    }
}

/// A portfolio prepared for many positions, and what its preparation cost.
pub struct PreparedSolvers {
    /// The portfolio with its tables loaded.
    pub portfolio: Box<dyn PreparedPortfolio>,
    /// The memory that the tables occupy, in bytes.
    pub bytes: u64,
    /// The duration of building or loading tables in seconds.
    pub seconds: f64,
    /// The limit that was reached during preparation, if any. The solvers are ready nevertheless, but the
    /// last table may not have been saved to disk.
    pub stop: Option<Stop>,
}

/// Emits the warnings of a plan.
fn emit_warnings(plan: &Plan, control: &Control) {
    plan.warnings.iter().for_each(|warning| control.emit(&Event::Warning(warning.clone())));
}

impl Session {
    /// Opens a puzzle by name.
    pub fn open(runtime: &Runtime, name: &str, settings: &PuzzleSettings) -> Result<Session, ProblemDetails> {
        Ok(Session::new(runtime, input::open_puzzle(runtime, name, settings)?))
    }

    /// A session of an opened puzzle.
    pub fn new(runtime: &Runtime, puzzle: Arc<dyn DynPuzzle>) -> Session {
        Session { runtime: runtime.clone(), puzzle }
    }

    /// The puzzle.
    pub fn puzzle(&self) -> &Arc<dyn DynPuzzle> {
        &self.puzzle
    }

    /// Tables, devices and threads.
    pub fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    /// Parses a text that is one position, or the moves that lead to it from the solved one.
    pub fn parse(&self, text: &str, format: &InputFormat) -> Result<Position, Box<Diagnostic>> {
        input::parse_position(&*self.puzzle, text, format)
    }

    /// Parses a solver text and fills in canonical names and the default heuristic; `None` for `auto`.
    pub fn parse_solver(&self, text: &str, all_solutions: bool) -> Result<Option<Spec>, Error> {
        solver_request::parse_solver(&*self.puzzle, &self.runtime, text, all_solutions)
    }

    /// The plan of one solver, or for `None` the portfolio that `auto` chooses for these positions and
    /// limits.
    pub fn plan(&self, solver: Option<&Spec>, workload: &Workload<'_, Position>) -> Plan {
        match solver {
            Some(spec) => self.plan_with_stages(vec![spec.clone().into()], solver, workload),
            None => {
                let AutoStages { stages, warnings } = self.puzzle.auto(workload, &*self.runtime.tables);
                Plan { warnings, ..self.plan_with_stages(stages, solver, workload) }
            }
        }
    }

    /// A plan with stages that the caller chose. `solver` is the requested solver (`None` is `auto`), which
    /// the identity of the run contains instead of the stages.
    pub fn plan_with_stages(
        &self,
        stages: Vec<Stage>,
        solver: Option<&Spec>,
        workload: &Workload<'_, Position>,
    ) -> Plan {
        let run_id = self.run_id(solver, workload.all_solutions, workload.limits);
        Plan { run_id, stages, limits: workload.limits, warnings: Vec::new() }
    }

    /// The identity of a run with a solver that [`Session::parse_solver`] returned; `None` is `auto`.
    pub fn run_id(&self, solver: Option<&Spec>, all_solutions: bool, limits: Limits) -> RunId {
        RunId {
            puzzle: self.puzzle.id(),
            solver: solver.map_or_else(|| "auto".into(), |spec| self.solver_id(spec)),
            all_solutions,
            nodes: limits.nodes,
            max_length: limits.max_length,
        }
    }

    /// The text that identifies a solver that [`Session::parse_solver`] returned: its canonical form, with
    /// digests instead of the names of weights files.
    pub fn solver_id(&self, spec: &Spec) -> String {
        let mut spec = spec.clone();
        if let Some(heuristic) = &mut spec.heuristic {
            identify_files(heuristic, &self.puzzle.heuristics());
        }
        self.puzzle.canonical(&spec).to_string()
    }

    /// The first field in which an earlier run differs from a run of this session. A metric or goal of
    /// `None` in a run id is the default of the puzzle; the returned difference contains the default's name.
    pub fn difference(&self, earlier: &RunId, run: &RunId) -> Option<Difference> {
        let mut difference = earlier.difference(run)?;
        let default = match difference.field {
            IdField::Metric => self.puzzle_with_defaults().map(|puzzle| puzzle.metric().to_owned()),
            IdField::Goal => self.puzzle_with_defaults().map(|puzzle| puzzle.goal_text()),
            _ => None,
        };
        difference.left = difference.left.or_else(|| default.clone());
        difference.right = difference.right.or(default);
        Some(difference)
    }

    /// The puzzle of this name with its default metric and goal, if the runtime can open it.
    fn puzzle_with_defaults(&self) -> Option<Arc<dyn DynPuzzle>> {
        let id = self.puzzle.id();
        if id.metric.is_none() && id.goal.is_none() {
            return Some(Arc::clone(&self.puzzle));
        }
        input::open_puzzle(&self.runtime, &id.name(), &PuzzleSettings::default()).ok()
    }

    /// Prepares all solvers of a plan before the first position, that is, loads or builds their tables. The
    /// plan's limits of time and nodes do not apply, because they are limits per position.
    pub fn prepare(&self, plan: &Plan, context: &SearchContext) -> Result<PreparedSolvers, Error> {
        self.prepare_within(Limits { time: None, nodes: None, ..plan.limits }, plan, context)
    }

    /// Like [`Session::prepare`], but the plan's limits of time and nodes also apply; for building tables
    /// ahead of time.
    pub fn build_tables(&self, plan: &Plan, context: &SearchContext) -> Result<PreparedSolvers, Error> {
        self.prepare_within(plan.limits, plan, context)
    }

    fn prepare_within(
        &self,
        limits: Limits,
        plan: &Plan,
        context: &SearchContext,
    ) -> Result<PreparedSolvers, Error> {
        let control = Control::with_account(&context.account, limits, Arc::clone(&context.observer));
        emit_warnings(plan, &control);
        let begun = control.clock().now();
        let portfolio = self.puzzle.prepare(&plan.stages, &self.runtime, &control)?;
        let seconds = control.clock().now().saturating_sub(begun).as_secs_f64();
        let (bytes, stop) = (context.account.used(), control.stop_reason());
        Ok(PreparedSolvers { portfolio, bytes, seconds, stop })
    }

    /// Solves a position with the solvers in `prepared`. If it is `None`, the first solver is prepared now
    /// and each other one when its stage begins; afterwards `prepared` holds them for the next position.
    /// A search stopped by a limit and an unsolvable position are answers, not errors.
    pub fn solve(
        &self,
        position: &Position,
        plan: &Plan,
        prepared: &mut Option<Box<dyn PreparedPortfolio>>,
        context: &SearchContext,
    ) -> Result<Record, Error> {
        let start = self.puzzle.text(position);
        if let Some(record) = self.unsolvable_record(position, &start, plan)? {
            return Ok(record);
        }
        let control = self.new_control(position, plan, context)?;
        if let Some(record) = self.impossible_record(position, &start, plan, &control)? {
            return Ok(record);
        }
        let begun = control.clock().now();
        let solvers = match prepared.take() {
            Some(solvers) => Ok(solvers),
            None => {
                emit_warnings(plan, &control);
                // Only the first solver, so that its answer does not wait for the tables of the others.
                self.puzzle.prepare_first(1, &plan.stages, &self.runtime, &control)
            }
        };
        let table_seconds = control.clock().now().saturating_sub(begun).as_secs_f64();
        match solvers {
            Ok(solvers) => {
                if let Some(make) = &context.checkpointer {
                    let checkpointer = make();
                    // Warns before the search, not hours later, that checkpoints cannot be saved.
                    checkpointer.check_writable(&control);
                    control.set_checkpointer(checkpointer);
                }
                let record = self.run(&*solvers, position, start, table_seconds, &control)?;
                *prepared = Some(solvers);
                Ok(record)
            }
            Err(Error::Stopped(stop)) => {
                control.raise_lower_bound(self.puzzle.lower_bound(position, &self.runtime)?);
                let usage = ResourceUsage { seconds: 0.0, table_seconds, peak_bytes: control.peak_bytes() };
                let solver = plan.solvers();
                Ok(Record::stopped_before_search(&*self.puzzle, start, solver, stop, usage, &control))
            }
            Err(other) => Err(other),
        }
    }

    /// Solves a position with prepared solvers that other threads may use at the same time.
    pub fn solve_with(
        &self,
        solvers: &dyn PreparedPortfolio,
        position: &Position,
        plan: &Plan,
        context: &SearchContext,
    ) -> Result<Record, Error> {
        let start = self.puzzle.text(position);
        if let Some(record) = self.unsolvable_record(position, &start, plan)? {
            return Ok(record);
        }
        let control = self.new_control(position, plan, context)?;
        if let Some(record) = self.impossible_record(position, &start, plan, &control)? {
            return Ok(record);
        }
        self.run(solvers, position, start, 0.0, &control)
    }

    /// The record of a position whose lower bound exceeds the maximum length before a search; otherwise
    /// `None`. No solver is built for it.
    fn impossible_record(
        &self,
        position: &Position,
        start: &str,
        plan: &Plan,
        control: &Control,
    ) -> Result<Option<Record>, Error> {
        let Some(max_length) = plan.limits.max_length else { return Ok(None) };
        let bound = self.puzzle.lower_bound(position, &self.runtime)?;
        if bound <= max_length {
            // The search starts without this bound, so that the limit does not change its node counts.
            return Ok(None);
        }
        control.raise_lower_bound(bound);
        let solver = plan.stages.first().map(|stage| stage.spec.to_string()).unwrap_or_default();
        let (start, usage) = (start.to_owned(), ResourceUsage::default());
        let stop = Stop::MaxLength;
        Ok(Some(Record::stopped_before_search(&*self.puzzle, start, solver, stop, usage, control)))
    }

    /// The record of a position that the puzzle recognises as unsolvable without a search; otherwise `None`.
    fn unsolvable_record(
        &self,
        position: &Position,
        start: &str,
        plan: &Plan,
    ) -> Result<Option<Record>, Error> {
        match self.puzzle.check_solvable(position) {
            Ok(()) => Ok(None),
            Err(Error::Unsolvable(why)) => {
                Ok(Some(Record::unsolvable(&*self.puzzle, start.to_owned(), &why, plan.run_id.all_solutions)))
            }
            Err(other) => Err(other),
        }
    }

    /// Creates the control of a search, with the context's checkpoint and incumbent.
    fn new_control(
        &self,
        position: &Position,
        plan: &Plan,
        context: &SearchContext,
    ) -> Result<Arc<Control>, Error> {
        let observer = Arc::clone(&context.observer);
        let control = Control::with_account(&context.account, plan.limits, observer);
        let control = Arc::new(control.with_all_solutions(plan.run_id.all_solutions));
        if let Some(on_control) = &context.on_control {
            on_control(&control);
        }
        if let Some(saved) = &context.resumed {
            self.puzzle.restore_checkpoint(position, saved, &control)?;
        }
        if let Some(path) = &context.incumbent {
            self.puzzle.offer(position, path, &control)?;
        }
        Ok(control)
    }

    /// Runs the search and measures its resources. Every search of a session passes through here.
    fn run(
        &self,
        solvers: &dyn PreparedPortfolio,
        position: &Position,
        start: String,
        table_seconds: f64,
        control: &Control,
    ) -> Result<Record, Error> {
        let begun = control.clock().now();
        let answer = solvers.solve(position, control)?;
        let seconds = control.clock().now().saturating_sub(begun).saturating_sub(answer.preparation_time);
        let usage = ResourceUsage {
            seconds: seconds.as_secs_f64(),
            table_seconds: table_seconds + answer.preparation_time.as_secs_f64(),
            peak_bytes: control.peak_bytes(),
        };
        Ok(Record::from_answer(&*self.puzzle, start, answer, usage, control))
    }
}
