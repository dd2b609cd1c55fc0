//! One answer, for programs (a line of JSON) and for people (a sentence).

use serde::Serialize;

use std::collections::HashSet;
use std::time::Duration;

use untumble_search::catalogued::{Answer, AnyPuzzle};
use untumble_search::control::{Control, Stop};
use untumble_search::moves::Move;
use untumble_search::puzzle::Cost;
use untumble_search::report::{Counts, Outcome, Report};

use crate::batch::Kind;
use crate::csv::Row;
use crate::exit::Exit;
use crate::figures;

/// All there is to say about one position. The fields are the JSON line, in its order.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub(crate) struct Record {
    puzzle: String,
    start: String,
    /// What really ran; nothing where the position was refused before.
    solver: Option<String>,
    outcome: &'static str,
    moves: Option<String>,
    length: Option<Cost>,
    optimal: bool,
    lower_bound: Cost,
    generated: u64,
    expanded: u64,
    visited: u64,
    peak_open: u64,
    iterations: Vec<Pass>,
    seconds: f64,
    table_seconds: f64,
    peak_bytes: u64,
    threads: usize,
    device: Option<String>,
    stop: Option<&'static str>,
    /// With a checkpoint: what earlier runs did, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    resumed: Option<Option<Before>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// How the search ended.
    #[serde(skip)]
    end: Outcome,
    /// The reason of `stop`.
    #[serde(skip)]
    halted: Option<Stop>,
    /// The length that would have been enough and was not reached.
    #[serde(skip)]
    missed: Option<Cost>,
    /// How many moves `moves` has.
    #[serde(skip)]
    steps: usize,
    /// The answer as people get it, one line for each solution.
    #[serde(skip)]
    lines: Vec<String>,
}

/// One pass of iterative deepening.
#[derive(Serialize, Clone, PartialEq, Debug)]
struct Pass {
    bound: Cost,
    generated: u64,
}

/// What earlier runs did of a search; its figures include it.
#[derive(Serialize, Clone, Copy, PartialEq, Debug)]
pub(crate) struct Before {
    pub(crate) seconds: f64,
    pub(crate) generated: u64,
}

/// A text that is no position, as a line of JSON.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub(crate) struct Refusal<'a> {
    line: usize,
    outcome: &'static str,
    error: &'a str,
}

impl<'a> Refusal<'a> {
    /// The refusal of what begins on `line`.
    pub(crate) fn new(line: usize, error: &'a str) -> Refusal<'a> {
        Refusal { line, outcome: "invalid", error }
    }

    /// Adds the line of JSON to `out`.
    pub(crate) fn write_json(&self, out: &mut Vec<u8>) {
        write_json(self, out);
    }

    /// Adds the row of CSV to `out`.
    pub(crate) fn write_csv(&self, all: bool, out: &mut Vec<u8>) {
        let mut row = Row::new(out);
        for column in columns(all) {
            match column {
                "line" => row.figure(self.line),
                "outcome" => row.text(self.outcome),
                "error" => row.text(self.error),
                _ => row.nothing(),
            }
        }
        row.end();
    }
}

fn write_json(value: &impl Serialize, out: &mut Vec<u8>) {
    serde_json::to_writer(&mut *out, value).expect("an answer fits JSON and memory takes it");
    out.push(b'\n');
}

/// An answer of a batch, as a line of JSON.
#[derive(Serialize)]
struct Numbered<'a> {
    line: usize,
    #[serde(flatten)]
    record: &'a Record,
}

/// The columns of answers as CSV: the keys of the JSON line without `iterations`.
const COLUMNS: [&str; 21] = [
    "line",
    "puzzle",
    "start",
    "solver",
    "outcome",
    "moves",
    "length",
    "optimal",
    "lower_bound",
    "generated",
    "expanded",
    "visited",
    "peak_open",
    "seconds",
    "table_seconds",
    "peak_bytes",
    "threads",
    "device",
    "stop",
    "solutions",
    "error",
];

/// The columns of a batch; `solutions` is among them where all are asked for.
pub(crate) fn columns(all: bool) -> impl Iterator<Item = &'static str> {
    COLUMNS.into_iter().filter(move |&column| all || column != "solutions")
}

/// The last event of a search.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub(crate) struct Done {
    event: &'static str,
    outcome: &'static str,
    length: Option<Cost>,
    bound: Cost,
    nodes: u64,
    seconds: f64,
}

/// What an answer took beside the search itself.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Took {
    /// Seconds of the search.
    pub(crate) seconds: f64,
    /// Seconds until tables stood.
    pub(crate) table_seconds: f64,
    /// The most bytes held at any time.
    pub(crate) peak_bytes: u64,
}

impl Record {
    /// The answer of a solver; `control` is what led it.
    pub(crate) fn of(
        puzzle: &dyn AnyPuzzle,
        start: String,
        answer: Answer,
        took: Took,
        control: &Control,
    ) -> Record {
        let Answer { report, solver, .. } = answer;
        let optimal = report.optimal();
        let halted = halted(&report, control);
        let lines = match &report.solutions[..] {
            [] => report.best.iter().map(|best| puzzle.answer_line(&best.moves)).collect(),
            all => told_once(all, |path| puzzle.answer_line(path)),
        };
        Record {
            puzzle: puzzle.title(),
            start,
            solver: Some(solver),
            outcome: word(report.outcome),
            moves: report.best.as_ref().map(|best| puzzle.spell(&best.moves)),
            length: report.best.as_ref().map(|best| best.cost),
            optimal,
            lower_bound: report.lower_bound,
            generated: report.counts.generated,
            expanded: report.counts.expanded,
            visited: report.counts.visited,
            peak_open: report.counts.peak_open,
            iterations: report
                .iterations
                .iter()
                .map(|pass| Pass { bound: pass.bound, generated: pass.generated })
                .collect(),
            seconds: took.seconds,
            table_seconds: took.table_seconds,
            peak_bytes: took.peak_bytes,
            threads: report.threads,
            device: report.device,
            stop: halted.map(Stop::name),
            resumed: None,
            solutions: control.all().then(|| told_once(&report.solutions, |path| puzzle.spell(path))),
            error: None,
            end: report.outcome,
            halted,
            missed: control.limits().enough.filter(|_| !control.satisfied()),
            steps: report.best.map_or(0, |best| best.moves.len()),
            lines,
        }
    }

    /// The same with what earlier runs did, told because it was a search with a checkpoint.
    #[must_use]
    pub(crate) fn after(self, before: Option<Before>) -> Record {
        Record { resumed: Some(before), ..self }
    }

    /// The answer where a limit was reached before the search could begin.
    pub(crate) fn unprepared(
        puzzle: &dyn AnyPuzzle,
        start: String,
        solver: String,
        stop: Stop,
        took: Took,
        control: &Control,
    ) -> Record {
        let report = Report::from_control(Outcome::Stopped(stop), control, Counts::default());
        let answer = Answer { report, solver, preparing: Duration::ZERO };
        Record::of(puzzle, start, answer, took, control)
    }

    /// The answer where the rules already say that there is no solution.
    pub(crate) fn unsolvable(puzzle: &dyn AnyPuzzle, start: String, why: &str, all: bool) -> Record {
        let control = Control::default().for_all(all);
        let report = Report::from_control(Outcome::Unsolvable, &control, Counts::default());
        let answer = Answer { report, solver: String::new(), preparing: Duration::ZERO };
        let record = Record::of(puzzle, start, answer, Took::default(), &control);
        Record { solver: None, error: Some(why.to_owned()), ..record }
    }

    /// What it means for the exit code.
    pub(crate) fn exit(&self) -> Exit {
        match self.end {
            Outcome::Solved => Exit::Solved,
            Outcome::Unsolvable => Exit::Unsolvable,
            Outcome::Stopped(stop) => Exit::from(stop),
        }
    }

    /// What it counts as in a batch.
    pub(crate) fn kind(&self) -> Kind {
        match self.end {
            Outcome::Solved => Kind::Solved,
            Outcome::Unsolvable => Kind::Unsolvable,
            Outcome::Stopped(_) => Kind::Stopped,
        }
    }

    /// Whether the search came to its end.
    pub(crate) fn finished(&self) -> bool {
        self.halted.is_none()
    }

    /// Whether the search was interrupted before it was done.
    pub(crate) fn interrupted(&self) -> bool {
        self.halted == Some(Stop::Interrupted)
    }

    /// Adds the answer of the position on `line` to `out`, as a line of JSON.
    pub(crate) fn write_json(&self, line: usize, out: &mut Vec<u8>) {
        write_json(&Numbered { line, record: self }, out);
    }

    /// Adds it as a row of CSV, with the [`columns`] for `all`.
    pub(crate) fn write_csv(&self, line: usize, all: bool, out: &mut Vec<u8>) {
        let mut row = Row::new(out);
        row.figure(line);
        row.text(&self.puzzle);
        row.text(&self.start);
        row.text_or_nothing(self.solver.as_deref());
        row.text(self.outcome);
        row.text_or_nothing(self.moves.as_deref());
        row.figure_or_nothing(self.length);
        row.figure(self.optimal);
        row.figure(self.lower_bound);
        row.figure(self.generated);
        row.figure(self.expanded);
        row.figure(self.visited);
        row.figure(self.peak_open);
        row.figure(self.seconds);
        row.figure(self.table_seconds);
        row.figure(self.peak_bytes);
        row.figure(self.threads);
        row.text_or_nothing(self.device.as_deref());
        row.text_or_nothing(self.stop);
        if all {
            row.text(&self.solutions.as_ref().map_or_else(String::new, |all| all.join(";")));
        }
        row.text_or_nothing(self.error.as_deref());
        row.end();
    }

    /// Whether a search ran, so that there is something to sum up.
    pub(crate) fn searched(&self) -> bool {
        self.solver.is_some()
    }

    /// The sequences of moves, one on each line of standard output.
    pub(crate) fn paths(&self) -> &[String] {
        &self.lines
    }

    /// The end of the search as an event of `--progress json`.
    pub(crate) fn done(&self) -> Done {
        Done {
            event: "done",
            outcome: self.outcome,
            length: self.length,
            bound: self.lower_bound,
            nodes: self.generated,
            seconds: self.seconds,
        }
    }

    /// The answer in a sentence.
    pub(crate) fn summary(&self) -> String {
        if self.end == Outcome::Solved && self.steps == 0 {
            return "(already solved)".into();
        }
        let mut parts = vec![self.verdict()];
        parts.extend(self.solver.clone());
        if self.generated > 0 {
            let rate = self.generated as f64 / self.seconds.max(1e-9);
            let rate = if self.generated < 1000 {
                String::new()
            } else {
                format!(" ({} nodes/s)", figures::rounded(rate))
            };
            let nodes = figures::counted(self.generated, "node");
            parts.push(format!("{nodes} in {}{rate}", figures::seconds(self.seconds)));
        }
        if self.table_seconds >= 0.01 {
            parts.push(format!("tables in {}", figures::seconds(self.table_seconds)));
        }
        parts.join(" · ")
    }

    fn verdict(&self) -> String {
        let bound = figures::counted(u64::from(self.lower_bound), "move");
        let length = self.length.map(|length| self.measured(length));
        let unproven = if self.lower_bound > 0 {
            format!("not proven shortest (at least {bound})")
        } else {
            "not proven shortest".into()
        };
        match (self.end, length) {
            (Outcome::Unsolvable, _) => "cannot be solved: every position within reach was seen".into(),
            (Outcome::Solved, Some(length)) => {
                let proof = if self.optimal { "proven shortest".into() } else { unproven };
                let also = match &self.solutions {
                    Some(all) => format!(", {}", figures::counted(all.len() as u64, "solution")),
                    None => String::new(),
                };
                let halted =
                    self.halted.map_or_else(String::new, |stop| format!(", no shorter one before {stop}"));
                let missed = self.missed.map_or_else(String::new, |most| {
                    let none = if self.lower_bound > most { "there is none" } else { "found none" };
                    format!("; {none} of at most {}", figures::counted(most.into(), "move"))
                });
                format!("{length}, {proof}{also}{halted}{missed}")
            }
            (Outcome::Stopped(stop), Some(length)) if self.optimal => {
                format!("stopped by {stop}: best found {length}, proven shortest; there may be more like it")
            }
            (Outcome::Stopped(stop), Some(length)) => {
                format!("stopped by {stop}: at least {bound}, best found {length} (not proven shortest)")
            }
            (Outcome::Stopped(stop), None) if self.lower_bound == 0 => {
                format!("stopped by {stop}: nothing found or proven yet")
            }
            (Outcome::Stopped(stop), None) => {
                format!("stopped by {stop}: at least {bound}, none found yet")
            }
            (Outcome::Solved, None) => "solved".into(),
        }
    }

    /// A path's moves, and its cost where that differs.
    fn measured(&self, cost: Cost) -> String {
        let moves = figures::counted(self.steps as u64, "move");
        if u64::from(cost) == self.steps as u64 { moves } else { format!("{moves} that count {cost}") }
    }
}

/// Paths as text, each text once: where quarter turns are counted, both ways to turn a face by half are spelled alike.
fn told_once(paths: &[Vec<Move>], text: impl Fn(&[Move]) -> String) -> Vec<String> {
    let mut seen = HashSet::new();
    paths.iter().map(|path| text(path)).filter(|text| seen.insert(text.clone())).collect()
}

/// The limit that ended a search, or that ended the attempts to shorten what it had found.
pub(crate) fn halted(report: &Report, control: &Control) -> Option<Stop> {
    match report.outcome {
        Outcome::Stopped(stop) => Some(stop),
        Outcome::Solved if !report.optimal() => control.stop(),
        Outcome::Solved | Outcome::Unsolvable => None,
    }
}

/// The word for an outcome.
pub(crate) fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Solved => "solved",
        Outcome::Unsolvable => "unsolvable",
        Outcome::Stopped(_) => "stopped",
    }
}
