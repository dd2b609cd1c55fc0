//! `untumble solve`: solves positions one after the other.
//!
//! The first position decides the [`Plan`], that is, the solvers that run one after the other on each
//! position; their tables are loaded once. With `--checkpoint` there is one position, and its proof is saved
//! and resumed. The exit code is that of the worst answer.

use std::sync::{Arc, Mutex, PoisonError};

use untumble_search::checkpoint::{Checkpoint, SearchId};
use untumble_search::control::{Control, Limits, MemoryAccount};
use untumble_search::error::Error;
use untumble_search::frontend::{DynPuzzle, Position, PreparedPortfolio, Workload};
use untumble_search::identity::RunId;
use untumble_search::runtime::Runtime;
use untumble_search::spec::Spec;
use untumble_session::{Plan, Record, SearchContext, Session, check_resumable, number_format};

use crate::answer::{InvalidLine, RecordExt, unsolvable};
use crate::checkpoint::CheckpointSession;
use crate::cli::{self, Solve};
use crate::exit::{CliError, Exit};
use crate::explain::explain;
use crate::input_text::InputText;
use crate::interrupt;
use crate::output::{self, Answers, LimitedErrors};
use crate::position_reader::ParsedItem;
use crate::progress::SearchProgress;
use crate::puzzle_input;

/// Answers every position of the input in turn.
pub(crate) fn run(arguments: &Solve, runtime: &Runtime) -> Result<Exit, CliError> {
    if arguments.progress.is_json() {
        output::enable_json_events();
    }
    let puzzle = puzzle_input::open_puzzle(&arguments.puzzle)?;
    let format = puzzle_input::input_format(&*puzzle, &arguments.input.format_args)?;
    let session = Session::new(runtime, Arc::clone(&puzzle));
    let solver = session.parse_solver(&arguments.solver.with, arguments.all)?;
    if let (Some(_), Some(spec)) = (&arguments.checkpoint, &solver) {
        check_resumable(&*puzzle, runtime, spec)?;
    }
    let text = puzzle_input::read_input(&*puzzle, &format, &arguments.input)?;
    // Several positions with a checkpoint are an error; two items suffice to detect it.
    let max_items = if arguments.checkpoint.is_some() { 2 } else { usize::MAX };
    let items: Vec<ParsedItem> = text.positions(&*puzzle, &format).take(max_items).collect();
    let checkpoint = open_checkpoint(arguments, items.len())?;
    let count = items.iter().filter(|item| item.result.is_ok()).count();
    let mut run = SolveRun {
        arguments,
        session,
        puzzle: &*puzzle,
        solver,
        count,
        limits: limits(&arguments.limits),
        account: MemoryAccount::default(),
        checkpoint,
        plan: None,
        prepared: None,
    };
    let mut answers = Answers::new();
    let mut errors = LimitedErrors::default();
    let mut worst = None;
    interrupt::install_handler()?;
    for item in items {
        if interrupt::requested() {
            output::note(&format!(
                "{}interrupted; this position and the following ones were skipped",
                text.location(item.line)
            ));
            worst = worst.max(Some(Exit::Interrupted));
            break;
        }
        let exit = match item.result {
            Ok(position) => run.answer(&position, &text, item.line, &mut answers, &mut errors)?,
            Err(invalid) => {
                errors.add(&format!("{}{}", text.location(item.line), invalid.message));
                if arguments.json {
                    answers.json(&InvalidLine::new(&*puzzle, item.line, &invalid))?;
                }
                Exit::Invalid
            }
        };
        worst = worst.max(Some(exit));
    }
    answers.flush()?;
    worst.ok_or_else(|| text.no_position(&*puzzle, &arguments.puzzle.name, "solve"))
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

/// The state shared by the positions of one command.
struct SolveRun<'a> {
    arguments: &'a Solve,
    session: Session,
    puzzle: &'a dyn DynPuzzle,
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
        text: &InputText,
        line: usize,
        answers: &mut Answers,
        errors: &mut LimitedErrors,
    ) -> Result<Exit, CliError> {
        let start = self.puzzle.text(position);
        let location = if self.count == 1 { String::new() } else { text.location(line) };
        let record = match self.puzzle.check_solvable(position) {
            Ok(()) => {
                if output::stderr_is_terminal() && !self.arguments.json {
                    output::note(self.puzzle.draw(position, output::colours_enabled(true)).trim_end());
                }
                self.solve(position, &start)?
            }
            Err(Error::Unsolvable(why)) => {
                errors.add(&format!("{}{}", text.location(line), explain(&why)));
                unsolvable(self.puzzle, start, &why, self.arguments.all)
            }
            Err(other) => return Err(other.into()),
        };
        if self.arguments.json {
            answers.json(&record)?;
        } else {
            for solution in record.solution_lines() {
                answers.line(solution)?;
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
        let mut search = search_id(self.puzzle, self.arguments.all, start);
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
            && check_resumable(self.puzzle, self.session.runtime(), &last.spec).is_err()
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
            output::note(&format!("auto: {}, up to {threads}", plan.solvers()));
        }
        plan
    }
}
