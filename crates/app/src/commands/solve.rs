//! `untumble solve`: the command everything is for.

use std::sync::Arc;
use std::time::Instant;

use untumble_search::catalogued::{AnyPuzzle, Position, Prepared};
use untumble_search::control::{Control, Limits, Observer};
use untumble_search::spec::Spec;
use untumble_search::tables::InMemory;
use untumble_search::trouble::Trouble;

use crate::answer::{Record, Refusal, Took};
use crate::cli::{self, Solve};
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::machine;
use crate::open;
use crate::output::{self, Answers};
use crate::progress::Watch;
use crate::reading::{Complaints, Text};

/// Answers every position of the input in turn.
pub(crate) fn run(arguments: &Solve) -> Result<Exit, Failure> {
    if arguments.progress == cli::Progress::Json {
        output::speak_events();
    }
    let puzzle = open::puzzle(&arguments.puzzle)?;
    let form = open::form(&*puzzle, &arguments.input.reading)?;
    let wanted = wanted(&*puzzle, &arguments.with)?;
    let text = open::text(&*puzzle, &form, &arguments.input)?;
    let count = text.positions(&*puzzle, &form).filter(|item| item.found.is_ok()).count();
    let mut bench = Bench {
        arguments,
        puzzle: &*puzzle,
        wanted,
        count,
        limits: limits(&arguments.limits),
        tables: InMemory::default(),
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

/// The solver asked for; `None` is `auto`. What can be told to be wrong
/// without building tables is told at once.
pub(super) fn wanted(puzzle: &dyn AnyPuzzle, with: &str) -> Result<Option<Spec>, Failure> {
    let spec: Spec = with.parse()?;
    if spec.algorithm == "auto" {
        if spec != Spec::plain("auto", None) {
            return Err(Failure::usage(format!(
                "solver `{with}`: auto chooses options and heuristic itself; say auto alone, or name an algorithm (`untumble list solvers`)"
            )));
        }
        return Ok(None);
    }
    puzzle.vet(&spec)?;
    Ok(Some(spec))
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
    tables: InMemory,
    ready: Option<Ready>,
}

/// Solvers with their tables.
struct Ready {
    solvers: Box<dyn Prepared>,
    /// The bytes their tables hold, which no later search may use.
    held: u64,
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
                Record::unsolvable(self.puzzle, start, &why)
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
        let held = self.ready.as_ref().map_or(0, |ready| ready.held);
        let memory = self.limits.memory.map(|memory| memory.saturating_sub(held));
        let control = Control::new(Limits { memory, ..self.limits }, observer).for_all(self.arguments.all);
        let mut took = Took::default();
        if self.ready.is_none() {
            let specs = self.specs(position);
            let begun = Instant::now();
            let prepared = self.puzzle.prepare(&specs, &self.tables, &control);
            took.table_seconds = begun.elapsed().as_secs_f64();
            match prepared {
                Ok(solvers) => self.ready = Some(Ready { solvers, held: control.progress().bytes }),
                Err(Trouble::Stopped(stop)) => {
                    watch.finish();
                    took.peak_bytes = control.peak_bytes();
                    let names: Vec<String> = specs.iter().map(Spec::to_string).collect();
                    let names = names.join(", then ");
                    return Ok(Record::unprepared(self.puzzle, start, names, stop, took, &control));
                }
                Err(other) => {
                    watch.finish();
                    return Err(other.into());
                }
            }
        }
        let ready = self.ready.as_ref().expect("the solvers were made ready above");
        let begun = Instant::now();
        let answer = ready.solvers.solve(position, &control);
        took.seconds = begun.elapsed().as_secs_f64();
        took.peak_bytes = control.peak_bytes() + held;
        watch.finish();
        Ok(Record::of(self.puzzle, start, answer, took, &control))
    }

    /// The solvers asked for, or those that `auto` picks and says.
    fn specs(&self, position: &Position) -> Vec<Spec> {
        if let Some(spec) = &self.wanted {
            return vec![spec.clone()];
        }
        let only = (self.count == 1).then_some(position);
        let specs = self.puzzle.auto(only, self.count, self.limits, &self.tables);
        if !self.arguments.json {
            let names: Vec<String> = specs.iter().map(Spec::to_string).collect();
            let threads = crate::figures::counted(self.limits.threads as u64, "thread");
            output::note(&format!("auto: {}, up to {threads}", names.join(", then ")));
        }
        specs
    }
}
