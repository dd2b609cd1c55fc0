//! `untumble solve`: solves positions one after the other.
//!
//! The first position of a puzzle decides the [`Plan`], that is, the solvers that run one after the other on
//! each position; their tables are loaded once. With `--checkpoint` there is one position, and its proof is
//! saved and resumed. The exit code is that of the worst answer.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, PoisonError};

use untumble_search::checkpoint::{Checkpoint, SearchId};
use untumble_search::control::{Control, Limits, MemoryAccount};
use untumble_search::error::Error;
use untumble_search::frontend::{DynPuzzle, Position, PreparedPortfolio, Workload};
use untumble_search::identity::{PuzzleId, RunId};
use untumble_search::runtime::Runtime;
use untumble_search::spec::Spec;
use untumble_session::{Plan, Record, SearchContext, Session, check_resumable, number_format};

use super::solve_input::{Items, Place};
use super::steps;
use crate::answer::{InvalidLine, RecordExt, unsolvable};
use crate::batch::StopFlag;
use crate::checkpoint::CheckpointSession;
use crate::cli::{self, Solve};
use crate::exit::{CliError, Exit};
use crate::explain::{InputWarnings, auto_stages, explain};
use crate::interrupt;
use crate::output::{self, Answers, LimitedErrors};
use crate::progress::SearchProgress;
use crate::puzzle_input;
use crate::puzzle_set::PuzzleSet;

/// Answers every position of the input in turn. Positions of standard input are answered as they arrive.
pub(crate) fn run(arguments: &Solve, runtime: &Runtime) -> Result<Exit, CliError> {
    if arguments.progress.is_json() {
        output::enable_json_events();
    }
    let puzzles = PuzzleSet::open(&arguments.puzzle)?;
    let example = &**puzzles.example();
    let format = puzzle_input::input_format(example, &arguments.input.format_args)?;
    if !puzzles.is_family() {
        parse_solver(arguments, &Session::new(runtime, Arc::clone(puzzles.example())))?;
    }
    interrupt::install_handler()?;
    let stop_flag = StopFlag::default();
    let (mut items, count) = Items::open(arguments, &puzzles, &format, &stop_flag)?;
    let checkpoint = open_checkpoint(arguments, items.known_positions())?;
    let limits = limits(&arguments.limits);
    let account = MemoryAccount::default();
    let runs = HashMap::new();
    let mut runs = Runs { arguments, runtime, puzzles: &puzzles, count, limits, account, checkpoint, runs };
    let mut answers = Answers::new();
    let mut errors = LimitedErrors::default();
    let warnings = InputWarnings::default();
    let mut worst = None;
    while let Some(item) = items.next() {
        if interrupt::requested() {
            output::note(&format!(
                "{}interrupted; this position and the following ones were skipped",
                items.location(item.line)
            ));
            worst = worst.max(Some(Exit::Interrupted));
            break;
        }
        warnings.add(item.warning.as_deref(), arguments.puzzle.goal.as_deref(), output::warning);
        let exit = match item.result {
            Ok(position) => {
                let place = Place { line: item.line, items: &items };
                runs.of(&position)?.answer(&position, place, &mut answers, &mut errors)?
            }
            Err(invalid) => {
                errors.add(&format!("{}{}", items.location(item.line), invalid.message));
                if arguments.json {
                    answers.json(&InvalidLine::new(example, item.line, &invalid).named(puzzles.title()))?;
                } else if items.prints_every_line() {
                    answers.line("")?;
                }
                answers.flush()?;
                Exit::Invalid
            }
        };
        worst = worst.max(Some(exit));
    }
    if interrupt::requested() {
        worst = worst.max(Some(Exit::Interrupted));
    }
    answers.flush()?;
    if let Some(error) = items.read_error() {
        return Err(error);
    }
    worst.ok_or_else(|| items.no_position(example, &arguments.puzzle.name))
}

/// Parses the solver and checks that it supports the other arguments.
fn parse_solver(arguments: &Solve, session: &Session) -> Result<Option<Spec>, CliError> {
    let solver = session.parse_solver(&arguments.solver.with, arguments.all)?;
    if let (Some(_), Some(spec)) = (&arguments.checkpoint, &solver) {
        check_resumable(&**session.puzzle(), session.runtime(), spec)?;
    }
    Ok(solver)
}

/// The runs of a command, one for each puzzle among its positions.
struct Runs<'a> {
    arguments: &'a Solve,
    runtime: &'a Runtime,
    puzzles: &'a PuzzleSet,
    /// The number of valid positions.
    count: usize,
    limits: Limits,
    account: MemoryAccount,
    /// The checkpoint, until the run of its position takes it.
    checkpoint: Option<CheckpointSession>,
    runs: HashMap<PuzzleId, SolveRun<'a>>,
}

impl<'a> Runs<'a> {
    /// The run of the position's puzzle.
    fn of(&mut self, position: &Position) -> Result<&mut SolveRun<'a>, CliError> {
        Ok(match self.runs.entry(position.id().clone()) {
            Entry::Occupied(run) => run.into_mut(),
            Entry::Vacant(place) => {
                let puzzle = self.puzzles.of_position(position)?;
                let session = Session::new(self.runtime, Arc::clone(&puzzle));
                let solver = parse_solver(self.arguments, &session)?;
                place.insert(SolveRun {
                    arguments: self.arguments,
                    session,
                    puzzle,
                    solver,
                    count: self.count,
                    limits: self.limits,
                    account: self.account.clone(),
                    checkpoint: self.checkpoint.take(),
                    plan: None,
                    prepared: None,
                })
            }
        })
    }
}

/// Opens the file of `--checkpoint`, which holds the proof of a single position.
fn open_checkpoint(arguments: &Solve, positions: usize) -> Result<Option<CheckpointSession>, CliError> {
    if arguments.checkpoint.is_some() && positions > 1 {
        return Err(CliError::usage(
            "--checkpoint saves the proof of one position, but the input has several; solve them one by one, or \
             with `untumble batch --out FILE`, which can be continued with --resume",
        ));
    }
    CheckpointSession::open(arguments)
}

/// The identity of a proof, without the solver. Limits are not part of it: they end a run, and
/// the next run may continue the same proof under others.
pub(crate) fn search_id(puzzle: &dyn DynPuzzle, all_solutions: bool, start: &str) -> SearchId {
    let run = RunId { puzzle: puzzle.id(), all_solutions, ..RunId::default() };
    SearchId { run, start: start.to_owned() }
}

/// The limits of the arguments; memory and threads default to those of the machine.
pub(super) fn limits(limits: &cli::Limits) -> Limits {
    Limits {
        time: limits.time,
        nodes: limits.nodes,
        memory: limits.resources.memory(),
        threads: limits.resources.threads(),
        max_length: limits.max_length,
    }
}

/// The state shared by the positions of one puzzle.
struct SolveRun<'a> {
    arguments: &'a Solve,
    session: Session,
    puzzle: Arc<dyn DynPuzzle>,
    /// The solver; `None` is `auto`.
    solver: Option<Spec>,
    /// The number of valid positions.
    count: usize,
    limits: Limits,
    /// Shared by all searches, so that tables count against the limit of each.
    account: MemoryAccount,
    checkpoint: Option<CheckpointSession>,
    /// The plan, made for the first position.
    plan: Option<Plan>,
    /// The solvers with their tables, once prepared.
    prepared: Option<Box<dyn PreparedPortfolio>>,
}

impl SolveRun<'_> {
    /// Solves a position and prints the answer.
    fn answer(
        &mut self,
        position: &Position,
        Place { line, items }: Place<'_>,
        answers: &mut Answers,
        errors: &mut LimitedErrors,
    ) -> Result<Exit, CliError> {
        let start = self.puzzle.text(position);
        let location = if self.count == 1 { String::new() } else { items.location(line) };
        let record = match self.puzzle.check_solvable(position) {
            Ok(()) => {
                if output::stderr_is_terminal() && !self.arguments.json {
                    output::note(self.puzzle.draw(position, output::colours_enabled(true)).trim_end());
                }
                self.solve(position, &start)?
            }
            Err(Error::Unsolvable(why)) => {
                errors.add(&format!("{}{}", items.location(line), explain(&why)));
                unsolvable(&*self.puzzle, start, &why, self.arguments.all)
            }
            Err(other) => return Err(other.into()),
        };
        if self.arguments.json {
            answers.json(&record)?;
        } else {
            for solution in record.solution_lines() {
                answers.line(solution)?;
            }
            if record.solution_lines().is_empty() && items.prints_every_line() {
                answers.line("")?;
            }
            if let Some(moves) = record.moves.as_deref().filter(|_| self.arguments.steps) {
                steps::print(&*self.puzzle, position, moves, answers)?;
            }
        }
        // Flush the answer before its summary goes to standard error.
        answers.flush()?;
        if self.arguments.progress.is_json() {
            output::event(&record.done_event());
        } else if !self.arguments.json && record.search_ran() {
            output::note(&format!("{location}{}", record.summary()));
        }
        if let Some(checkpoint) = &self.checkpoint {
            checkpoint.finish(&record);
        }
        Ok(record.exit())
    }

    /// Runs one search; the first search prepares the tables for all searches.
    fn solve(&mut self, position: &Position, start: &str) -> Result<Record, CliError> {
        let mut search = search_id(&*self.puzzle, self.arguments.all, start);
        let mut resumed = None;
        let plan = match self.plan.take() {
            Some(plan) => plan,
            None => self.first_plan(position, &search, &mut resumed)?,
        };
        let last_stage = plan.stages.last();
        search.run.solver = last_stage.map(|stage| self.session.solver_id(&stage.spec)).unwrap_or_default();
        let progress = Arc::new(SearchProgress::new(self.arguments.progress.mode));
        let mut context = SearchContext {
            account: self.account.clone(),
            resumed,
            ..SearchContext::observed_by(progress.clone())
        };
        // `None` without a checkpoint; `Some(None)` if no earlier run saved its state.
        let earlier = self.checkpoint.as_ref().map(CheckpointSession::earlier_runs);
        let checkpoint = self.checkpoint.take().map(|checkpoint| Arc::new(Mutex::new(checkpoint)));
        if let Some(checkpoint) = &checkpoint {
            let checkpoint = Arc::clone(checkpoint);
            context.checkpointer = Some(Arc::new(move || {
                checkpoint.lock().unwrap_or_else(PoisonError::into_inner).start_checkpointer(search.clone())
            }));
        }
        let record = self.session.solve(position, &plan, &mut self.prepared, &context);
        progress.finish();
        drop(context);
        self.checkpoint = checkpoint
            .and_then(Arc::into_inner)
            .map(|checkpoint| checkpoint.into_inner().unwrap_or_else(PoisonError::into_inner));
        self.plan = Some(plan);
        let mut record = record?;
        if let Some(Some(earlier)) = &earlier {
            record.seconds += earlier.seconds;
        }
        Ok(match earlier {
            Some(earlier) => record.with_earlier_runs(earlier),
            None => record,
        })
    }

    /// The plan for the first position; sets `resumed` to the checkpoint that is resumed.
    fn first_plan(
        &mut self,
        position: &Position,
        search: &SearchId,
        resumed: &mut Option<Checkpoint>,
    ) -> Result<Plan, CliError> {
        let plan = self.plan_or_resume(position, search, resumed)?;
        if let (None, Some(last)) = (&self.solver, plan.stages.last())
            && self.checkpoint.is_some()
            && check_resumable(&*self.puzzle, self.session.runtime(), &last.spec).is_err()
        {
            output::note(&format!("{} cannot be resumed from a checkpoint; nothing is saved", last.spec));
            self.checkpoint = None;
        }
        Ok(plan)
    }

    /// The plan that continues the proof of the checkpoint, or a new plan if there is none. `resumed` is set
    /// to the checkpoint that is continued.
    fn plan_or_resume(
        &self,
        position: &Position,
        search: &SearchId,
        resumed: &mut Option<Checkpoint>,
    ) -> Result<Plan, CliError> {
        let Some(checkpoint) = &self.checkpoint else { return Ok(self.new_plan(position)) };
        if let Some((saved, spec)) = checkpoint.resumable(&self.session, search, self.solver.as_ref())? {
            if !self.puzzle.restore_checkpoint(position, saved, &Control::default())? {
                return Err(checkpoint.refuse("the file was written for another position"));
            }
            *resumed = Some(saved.clone());
            return Ok(self.session.plan(Some(&spec), &self.workload(position)));
        }
        let mut plan = self.new_plan(position);
        if let Some(last) = plan.stages.last_mut() {
            // The last stage may be resumed until it has a proof, so it has no node limit.
            last.node_limit = None;
        }
        Ok(plan)
    }

    /// What `auto` knows when it chooses solvers.
    fn workload<'p>(&self, position: &'p Position) -> Workload<'p, Position> {
        let (count, limits, all) = (self.count, self.limits, self.arguments.all);
        Workload { position: (count == 1).then_some(position), count, limits, all_solutions: all }
    }

    /// The plan of the given solver, or the one that `auto` chooses, which is printed.
    fn new_plan(&self, position: &Position) -> Plan {
        let plan = self.session.plan(self.solver.as_ref(), &self.workload(position));
        if self.solver.is_none() && !self.arguments.json {
            let threads = number_format::pluralize(self.limits.threads as u64, "thread");
            output::note(&format!("auto: {}, up to {threads}", auto_stages(&plan)));
        }
        plan
    }
}
