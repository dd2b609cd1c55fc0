//! `untumble solve`: the command everything is for.

use std::sync::Arc;
use std::time::Instant;

use untumble_search::catalogued::{Ahead, AnyPuzzle, Position, Prepared, Turn};
use untumble_search::control::{Account, Control, Limits, Observer};
use untumble_search::disk::Disk;
use untumble_search::spec::Spec;
use untumble_search::trouble::Trouble;

use crate::answer::{Record, Refusal, Took};
use crate::cache;
use crate::cli::{self, Solve};
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::machine;
use crate::open;
use crate::output::{self, Answers};
use crate::progress::Watch;
use crate::reading::{Complaints, Text};
use crate::solvers;

/// Answers every position of the input in turn.
pub(crate) fn run(arguments: &Solve) -> Result<Exit, Failure> {
    if arguments.progress == cli::Progress::Json {
        output::speak_events();
    }
    let puzzle = open::puzzle(&arguments.puzzle)?;
    let form = open::form(&*puzzle, &arguments.input.reading)?;
    let wanted = solvers::wanted(&*puzzle, &arguments.with, arguments.all)?;
    let text = open::text(&*puzzle, &form, &arguments.input)?;
    let count = text.positions(&*puzzle, &form).filter(|item| item.found.is_ok()).count();
    let mut bench = Bench {
        arguments,
        puzzle: &*puzzle,
        wanted,
        count,
        limits: limits(&arguments.limits),
        tables: cache::disk(),
        account: Account::default(),
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
            Err(why) => {
                complaints.add(&format!("{}{why}", text.place(item.line)));
                if arguments.json {
                    answers.json(&Refusal::new(item.line, &why))?;
                }
                Exit::Invalid
            }
        };
        worst = worst.max(Some(exit));
    }
    answers.flush()?;
    worst.ok_or_else(|| text.empty(&*puzzle, &arguments.puzzle.name, "solve"))
}

/// The limits asked for, filled up with what the machine has.
pub(super) fn limits(limits: &cli::Limits) -> Limits {
    Limits {
        time: limits.time,
        nodes: limits.nodes,
        memory: limits.memory.or_else(machine::memory),
        threads: limits.threads.unwrap_or_else(machine::threads),
    }
}

/// A puzzle and the solvers to try on it.
struct Bench<'a> {
    arguments: &'a Solve,
    puzzle: &'a dyn AnyPuzzle,
    wanted: Option<Spec>,
    /// How many positions there are.
    count: usize,
    limits: Limits,
    tables: Disk,
    /// What the tables take counts against the limit of every search.
    account: Account,
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
    ) -> Result<Exit, Failure> {
        let start = self.puzzle.text(position);
        let place = if self.count == 1 { String::new() } else { text.place(line) };
        let record = match self.puzzle.check(position) {
            Ok(()) => {
                if output::watched() && !self.arguments.json {
                    output::note(self.puzzle.draw(position, output::colourful(true)).trim_end());
                }
                self.solve(position, start)?
            }
            Err(Trouble::Unsolvable(why)) => {
                complaints.add(&format!("{}{why}", text.place(line)));
                Record::unsolvable(self.puzzle, start, &why, self.arguments.all)
            }
            Err(Trouble::Invalid(why)) => {
                complaints.add(&format!("{}{why}", text.place(line)));
                if self.arguments.json {
                    answers.json(&Refusal::new(line, &why.0))?;
                }
                return Ok(Exit::Invalid);
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
        Ok(record.exit())
    }

    /// One search under limits of its own; tables are made ready for the first.
    fn solve(&mut self, position: &Position, start: String) -> Result<Record, Failure> {
        let watch = Arc::new(Watch::new(self.arguments.progress));
        let observer: Arc<dyn Observer> = watch.clone();
        let control = Control::charged_to(&self.account, self.limits, observer).for_all(self.arguments.all);
        let mut took = Took::default();
        if self.ready.is_none() {
            let turns = self.turns(position);
            let begun = Instant::now();
            let prepared = self.puzzle.prepare(&turns, &self.tables, &control);
            took.table_seconds = begun.elapsed().as_secs_f64();
            match prepared {
                Ok(solvers) => self.ready = Some(solvers),
                Err(Trouble::Stopped(stop)) => {
                    watch.finish();
                    took.peak_bytes = control.peak_bytes();
                    let names: Vec<String> = turns.iter().map(|turn| turn.spec.to_string()).collect();
                    let names = names.join(", then ");
                    return Ok(Record::unprepared(self.puzzle, start, names, stop, took, &control));
                }
                Err(other) => {
                    watch.finish();
                    return Err(other.into());
                }
            }
        }
        let solvers = self.ready.as_ref().expect("the solvers were made ready above");
        let begun = Instant::now();
        let answer = solvers.solve(position, &control);
        took.seconds = begun.elapsed().as_secs_f64();
        took.peak_bytes = control.peak_bytes();
        watch.finish();
        Ok(Record::of(self.puzzle, start, answer, took, &control))
    }

    /// The solvers asked for, or those that `auto` picks and says.
    fn turns(&self, position: &Position) -> Vec<Turn> {
        if let Some(spec) = &self.wanted {
            return vec![spec.clone().into()];
        }
        let only = (self.count == 1).then_some(position);
        let (count, limits, all) = (self.count, self.limits, self.arguments.all);
        let turns = self.puzzle.auto(&Ahead { position: only, count, limits, all }, &self.tables);
        if !self.arguments.json {
            let names: Vec<String> = turns.iter().map(|turn| turn.spec.to_string()).collect();
            let threads = crate::figures::counted(self.limits.threads as u64, "thread");
            output::note(&format!("auto: {}, up to {threads}", names.join(", then ")));
        }
        turns
    }
}
