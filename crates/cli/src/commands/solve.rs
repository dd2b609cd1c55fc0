//! `untumble solve`: the command everything is for.

use std::sync::{Arc, Mutex, PoisonError};

use untumble_search::checkpoint::{Checkpoint, SearchId};
use untumble_search::control::{Control, Limits, MemoryAccount};
use untumble_search::error::Error;
use untumble_search::frontend::{DynPuzzle, Position, Prepared, Workload};
use untumble_search::identity::RunId;
use untumble_search::runtime::Runtime;
use untumble_search::spec::Spec;
use untumble_session::{Plan, Record, SearchContext, Session, figures, resumable};

use crate::answer::{Refusal, Told, unsolvable};
use crate::checkpoint::CheckpointHandle;
use crate::cli::{self, Solve};
use crate::exit::{CliError, Exit};
use crate::explain::explain;
use crate::interrupt;
use crate::open;
use crate::output::{self, Answers};
use crate::progress::Watch;
use crate::reading::{Complaints, Item, Text};
use untumble_session::machine;

/// Answers every position of the input in turn.
pub(crate) fn run(arguments: &Solve, runtime: &Runtime) -> Result<Exit, CliError> {
    if arguments.progress == cli::Progress::Json {
        output::speak_events();
    }
    let puzzle = open::puzzle(&arguments.puzzle)?;
    let form = open::form(&*puzzle, &arguments.input.reading)?;
    let session = Session::new(runtime, Arc::clone(&puzzle));
    let wanted = session.solver(&arguments.with, arguments.all)?;
    if let (Some(_), Some(spec)) = (&arguments.checkpoint, &wanted) {
        resumable(&*puzzle, runtime, spec)?;
    }
    let text = open::text(&*puzzle, &form, &arguments.input)?;
    // With a checkpoint, a second position is one too many.
    let most = if arguments.checkpoint.is_some() { 2 } else { usize::MAX };
    let items: Vec<Item> = text.positions(&*puzzle, &form).take(most).collect();
    let checkpoint = checkpoint(arguments, items.len())?;
    let count = items.iter().filter(|item| item.found.is_ok()).count();
    let mut bench = Bench {
        arguments,
        session,
        puzzle: &*puzzle,
        wanted,
        count,
        limits: limits(&arguments.limits),
        account: MemoryAccount::default(),
        checkpoint,
        plan: None,
        ready: None,
    };
    let mut answers = Answers::new();
    let mut complaints = Complaints::default();
    let mut worst = None;
    interrupt::listen()?;
    for item in items {
        if interrupt::asked() {
            output::note(&format!(
                "{}interrupted; this position and those after it were not tried",
                text.place(item.line)
            ));
            worst = worst.max(Some(Exit::Interrupted));
            break;
        }
        let exit = match item.found {
            Ok(position) => bench.answer(&position, &text, item.line, &mut answers, &mut complaints)?,
            Err(bad) => {
                complaints.add(&format!("{}{}", text.place(item.line), bad.message));
                if arguments.json {
                    answers.json(&Refusal::new(&*puzzle, item.line, &bad))?;
                }
                Exit::Invalid
            }
        };
        worst = worst.max(Some(exit));
    }
    answers.flush()?;
    worst.ok_or_else(|| text.empty(&*puzzle, &arguments.puzzle.name, "solve"))
}

/// The file of `--checkpoint`, which is for a single position.
fn checkpoint(arguments: &Solve, positions: usize) -> Result<Option<CheckpointHandle>, CliError> {
    if arguments.checkpoint.is_some() && positions > 1 {
        return Err(CliError::usage(
            "--checkpoint saves the proof of one position, and there are several; solve them one by one, or all with `untumble batch --out FILE`, which goes on with --resume",
        ));
    }
    CheckpointHandle::open(arguments)
}

/// What a proof belongs to, but for the solver. Limits only end the attempts at one proof.
pub(crate) fn search_id(puzzle: &dyn DynPuzzle, all_solutions: bool, start: &str) -> SearchId {
    let run = RunId { puzzle: puzzle.id(), all_solutions, ..RunId::default() };
    SearchId { run, start: start.to_owned() }
}

/// The limits asked for, filled up with what the machine has.
pub(super) fn limits(limits: &cli::Limits) -> Limits {
    Limits {
        time: limits.time,
        nodes: limits.nodes,
        memory: limits.memory.or_else(machine::memory),
        threads: limits.threads.unwrap_or_else(machine::threads),
        max_length: limits.max_length,
    }
}

/// A puzzle and the solvers to try on it.
struct Bench<'a> {
    arguments: &'a Solve,
    session: Session,
    puzzle: &'a dyn DynPuzzle,
    wanted: Option<Spec>,
    /// How many positions there are.
    count: usize,
    limits: Limits,
    /// What the tables take counts against the limit of every search.
    account: MemoryAccount,
    /// Where the proof is saved.
    checkpoint: Option<CheckpointHandle>,
    /// The solvers, chosen for the first position.
    plan: Option<Plan>,
    /// The solvers with their tables.
    ready: Option<Box<dyn Prepared>>,
}

impl Bench<'_> {
    /// Solves and prints.
    fn answer(
        &mut self,
        position: &Position,
        text: &Text,
        line: usize,
        answers: &mut Answers,
        complaints: &mut Complaints,
    ) -> Result<Exit, CliError> {
        let start = self.puzzle.text(position);
        let place = if self.count == 1 { String::new() } else { text.place(line) };
        let record = match self.puzzle.check(position) {
            Ok(()) => {
                if output::watched() && !self.arguments.json {
                    output::note(self.puzzle.draw(position, output::colourful(true)).trim_end());
                }
                self.solve(position, &start)?
            }
            Err(Error::Unsolvable(why)) => {
                complaints.add(&format!("{}{}", text.place(line), explain(&why)));
                unsolvable(self.puzzle, start, &why, self.arguments.all)
            }
            Err(other) => return Err(other.into()),
        };
        if self.arguments.json {
            answers.json(&record)?;
        } else {
            for path in record.paths() {
                answers.line(path)?;
            }
        }
        // The answer stands before anything is said about it.
        answers.flush()?;
        if self.arguments.progress == cli::Progress::Json {
            output::event(&record.done());
        } else if !self.arguments.json && record.searched() {
            output::note(&format!("{place}{}", record.summary()));
        }
        if let Some(checkpoint) = &self.checkpoint {
            checkpoint.settle(&record);
        }
        Ok(record.exit())
    }

    /// One search under limits of its own; tables are made ready for the first.
    fn solve(&mut self, position: &Position, start: &str) -> Result<Record, CliError> {
        let mut search = search_id(self.puzzle, self.arguments.all, start);
        let mut adopted = None;
        let plan = match self.plan.take() {
            Some(plan) => plan,
            None => self.first_plan(position, &search, &mut adopted)?,
        };
        let last = plan.stages.last();
        search.run.solver = last.map(|stage| self.session.solver_id(&stage.spec)).unwrap_or_default();
        let watch = Arc::new(Watch::new(self.arguments.progress));
        let mut context = SearchContext {
            account: self.account.clone(),
            adopted,
            ..SearchContext::observed_by(watch.clone())
        };
        let before = self.checkpoint.as_ref().map(CheckpointHandle::before);
        let checkpoint = self.checkpoint.take().map(|checkpoint| Arc::new(Mutex::new(checkpoint)));
        if let Some(checkpoint) = &checkpoint {
            let checkpoint = Arc::clone(checkpoint);
            context.checkpointer = Some(Arc::new(move || {
                checkpoint.lock().unwrap_or_else(PoisonError::into_inner).checkpointer(search.clone())
            }));
        }
        let record = self.session.solve(position, &plan, &mut self.ready, &context);
        watch.finish();
        drop(context);
        self.checkpoint = checkpoint
            .and_then(Arc::into_inner)
            .map(|checkpoint| checkpoint.into_inner().unwrap_or_else(PoisonError::into_inner));
        self.plan = Some(plan);
        let mut record = record?;
        if let Some(Some(before)) = &before {
            record.seconds += before.seconds;
        }
        Ok(match before {
            Some(before) => record.after(before),
            None => record,
        })
    }

    /// The plan for the first position; a proof that is resumed goes into `adopted`.
    fn first_plan(
        &mut self,
        position: &Position,
        search: &SearchId,
        adopted: &mut Option<Checkpoint>,
    ) -> Result<Plan, CliError> {
        let plan = self.stages(position, search, adopted)?;
        if let (None, Some(last)) = (&self.wanted, plan.stages.last())
            && self.checkpoint.is_some()
            && resumable(self.puzzle, self.session.runtime(), &last.spec).is_err()
        {
            output::note(&format!("{} takes so little time that it is not saved", last.spec));
            self.checkpoint = None;
        }
        Ok(plan)
    }

    /// The solvers asked for, those that `auto` picks and says, or the one whose proof is resumed.
    fn stages(
        &self,
        position: &Position,
        search: &SearchId,
        adopted: &mut Option<Checkpoint>,
    ) -> Result<Plan, CliError> {
        let Some(checkpoint) = &self.checkpoint else { return Ok(self.picked(position)) };
        if let Some((left, spec)) = checkpoint.left(&self.session, search, self.wanted.as_ref())? {
            if !self.puzzle.adopt_proof(position, left, &Control::default())? {
                return Err(checkpoint.refuse("no proof that begins with this position"));
            }
            *adopted = Some(left.clone());
            return Ok(self.session.plan(Some(&spec), &self.workload(position)));
        }
        let mut plan = self.picked(position);
        if let Some(last) = plan.stages.last_mut() {
            // A proof that is saved may take as long as it needs.
            last.nodes = None;
        }
        Ok(plan)
    }

    fn workload<'p>(&self, position: &'p Position) -> Workload<'p, Position> {
        let (count, limits, all) = (self.count, self.limits, self.arguments.all);
        Workload { position: (count == 1).then_some(position), count, limits, all }
    }

    /// The solvers asked for, or those that `auto` picks and says.
    fn picked(&self, position: &Position) -> Plan {
        let plan = self.session.plan(self.wanted.as_ref(), &self.workload(position));
        if self.wanted.is_none() && !self.arguments.json {
            let threads = figures::counted(self.limits.threads as u64, "thread");
            output::note(&format!("auto: {}, up to {threads}", plan.solvers()));
        }
        plan
    }
}
