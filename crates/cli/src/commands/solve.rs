//! `untumble solve`: the command everything is for.

use std::sync::Arc;
use std::time::Instant;

use untumble_search::checkpoint::SearchId;
use untumble_search::control::{Account, Control, Limits, Observer};
use untumble_search::error::Error;
use untumble_search::frontend::{DynPuzzle, Position, Prepared, Stage, Workload, in_words};
use untumble_search::identity::RunId;
use untumble_search::runtime::Runtime;
use untumble_search::spec::Spec;
use untumble_session::{Record, Took, resumable};

use crate::answer::{Refusal, Told, unsolvable};
use crate::checkpoint::Checkpoint;
use crate::cli::{self, Solve};
use crate::exit::{CliError, Exit};
use crate::explain::explain;
use crate::interrupt;
use crate::open;
use crate::output::{self, Answers};
use crate::progress::Watch;
use crate::reading::{Complaints, Text};
use crate::solvers;
use untumble_session::machine;

/// Answers every position of the input in turn.
pub(crate) fn run(arguments: &Solve, runtime: &Runtime) -> Result<Exit, CliError> {
    if arguments.progress == cli::Progress::Json {
        output::speak_events();
    }
    let puzzle = open::puzzle(&arguments.puzzle)?;
    let form = open::form(&*puzzle, &arguments.input.reading)?;
    let wanted = solvers::wanted(&*puzzle, &arguments.with, arguments.all)?;
    if let (Some(_), Some(spec)) = (&arguments.checkpoint, &wanted) {
        resumable(&*puzzle, spec)?;
    }
    let text = open::text(&*puzzle, &form, &arguments.input)?;
    let checkpoint = checkpoint(arguments, text.positions(&*puzzle, &form).take(2).count())?;
    let count = text.positions(&*puzzle, &form).filter(|item| item.found.is_ok()).count();
    let mut bench = Bench {
        arguments,
        puzzle: &*puzzle,
        wanted,
        count,
        limits: limits(&arguments.limits),
        runtime,
        account: Account::default(),
        checkpoint,
        ready: None,
    };
    let mut answers = Answers::new();
    let mut complaints = Complaints::default();
    let mut worst = None;
    interrupt::listen()?;
    for item in text.positions(&*puzzle, &form) {
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
                    answers.json(&Refusal::new(item.line, &bad))?;
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
fn checkpoint(arguments: &Solve, positions: usize) -> Result<Option<Checkpoint>, CliError> {
    if arguments.checkpoint.is_some() && positions > 1 {
        return Err(CliError::usage(
            "--checkpoint saves the proof of one position, and there are several; solve them one by one, or all with `untumble batch --out FILE`, which goes on with --resume",
        ));
    }
    Checkpoint::open(arguments)
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
    puzzle: &'a dyn DynPuzzle,
    wanted: Option<Spec>,
    /// How many positions there are.
    count: usize,
    limits: Limits,
    runtime: &'a Runtime,
    /// What the tables take counts against the limit of every search.
    account: Account,
    /// Where the proof is saved.
    checkpoint: Option<Checkpoint>,
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
                self.solve(position, start)?
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
    fn solve(&mut self, position: &Position, start: String) -> Result<Record, CliError> {
        let watch = Arc::new(Watch::new(self.arguments.progress));
        let observer: Arc<dyn Observer> = watch.clone();
        let control = Control::charged_to(&self.account, self.limits, observer).for_all(self.arguments.all);
        let mut took = Took::default();
        let mut search = self.search(&start);
        if self.ready.is_none() {
            let turns = self.turns(position, &search, &control)?;
            if let (None, Some(last)) = (&self.wanted, turns.last())
                && self.checkpoint.is_some()
                && resumable(self.puzzle, &last.spec).is_err()
            {
                output::note(&format!("{} takes so little time that it is not saved", last.spec));
                self.checkpoint = None;
            }
            search.run.solver = turns.last().map(|turn| turn.spec.to_string()).unwrap_or_default();
            let begun = Instant::now();
            let prepared = self.puzzle.prepare_lazily(&turns, self.runtime, &control);
            took.table_seconds = begun.elapsed().as_secs_f64();
            match prepared {
                Ok(solvers) => self.ready = Some(solvers),
                Err(Error::Stopped(stop)) => {
                    watch.finish();
                    took.peak_bytes = control.peak_bytes();
                    let before = self.checkpoint.as_ref().map(Checkpoint::before);
                    if let Some(Some(before)) = &before {
                        took.seconds += before.seconds;
                    }
                    let record =
                        Record::unprepared(self.puzzle, start, in_words(&turns), stop, took, &control);
                    return Ok(match before {
                        Some(before) => record.after(before),
                        None => record,
                    });
                }
                Err(other) => {
                    watch.finish();
                    return Err(other.into());
                }
            }
        }
        let solvers = self.ready.as_ref().expect("the solvers were made ready above");
        let (control, before) = match &mut self.checkpoint {
            None => (control, None),
            Some(checkpoint) => {
                let (checkpointer, before) = checkpoint.checkpointer(search);
                checkpointer.check_writable(&control);
                (control.with_checkpointer(checkpointer), Some(before))
            }
        };
        let begun = Instant::now();
        let answer = solvers.solve(position, &control);
        took.seconds = (begun.elapsed() - answer.preparing).as_secs_f64();
        took.table_seconds += answer.preparing.as_secs_f64();
        took.peak_bytes = control.peak_bytes();
        watch.finish();
        if let Some(Some(before)) = before {
            took.seconds += before.seconds;
        }
        let record = Record::of(self.puzzle, start, answer, took, &control);
        Ok(match before {
            Some(before) => record.after(before),
            None => record,
        })
    }

    /// What a proof belongs to, but for the solver. Limits only end the attempts at one proof.
    fn search(&self, start: &str) -> SearchId {
        let (puzzle, all_solutions) = (self.puzzle.id(), self.arguments.all);
        SearchId { run: RunId { puzzle, all_solutions, ..RunId::default() }, start: start.to_owned() }
    }

    /// The solvers asked for, those that `auto` picks and says, or the one whose proof is to be taken up.
    fn turns(
        &self,
        position: &Position,
        search: &SearchId,
        control: &Control,
    ) -> Result<Vec<Stage>, CliError> {
        let Some(checkpoint) = &self.checkpoint else { return Ok(self.picked(position)) };
        if let Some(left) = checkpoint.left(search)? {
            let spec = checkpoint.solver(left, self.wanted.as_ref())?;
            let spec = self.puzzle.complete(&spec)?;
            if !self.puzzle.adopt_proof(position, left, control) {
                return Err(checkpoint.refuse("no proof that begins with this position"));
            }
            return Ok(vec![spec.into()]);
        }
        let mut turns = self.picked(position);
        if let Some(last) = turns.last_mut() {
            // Who wants a proof to outlive the day has the time.
            last.nodes = None;
        }
        Ok(turns)
    }

    /// The solvers asked for, or those that `auto` picks and says.
    fn picked(&self, position: &Position) -> Vec<Stage> {
        if let Some(spec) = &self.wanted {
            return vec![spec.clone().into()];
        }
        let only = (self.count == 1).then_some(position);
        let (count, limits, all) = (self.count, self.limits, self.arguments.all);
        let turns = self.puzzle.auto(&Workload { position: only, count, limits, all }, &*self.runtime.tables);
        if !self.arguments.json {
            let threads = untumble_session::figures::counted(self.limits.threads as u64, "thread");
            output::note(&format!("auto: {}, up to {threads}", in_words(&turns)));
        }
        turns
    }
}
