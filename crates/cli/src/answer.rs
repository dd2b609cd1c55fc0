//! One answer, for programs (a line of JSON) and for people (a sentence).

use serde::Serialize;

use untumble_search::control::Stop;
use untumble_search::error::Diagnostic;
use untumble_search::frontend::DynPuzzle;
use untumble_search::puzzle::Cost;
use untumble_search::report::Outcome;
use untumble_session::{ErrorDetails, Record, rounded, six_digits};

use crate::batch::Kind;
use crate::exit::Exit;
use crate::explain::explain;
use crate::reading::BadPosition;
use untumble_session::csv::Row;
use untumble_session::figures;

/// A text that is no position, as a line of JSON.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub(crate) struct Refusal<'a> {
    line: usize,
    /// In a batch, the identity of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<&'a str>,
    schema: u32,
    puzzle: String,
    metric: &'a str,
    goal: String,
    start: &'a str,
    outcome: &'static str,
    error: &'a str,
    #[serde(flatten)]
    details: ErrorDetails,
}

impl<'a> Refusal<'a> {
    /// The refusal of what begins on `line`.
    pub(crate) fn new(puzzle: &'a dyn DynPuzzle, line: usize, bad: &'a BadPosition) -> Refusal<'a> {
        Refusal {
            schema: Record::SCHEMA,
            puzzle: puzzle.title(),
            metric: puzzle.metric(),
            goal: puzzle.goal_text(),
            line,
            run: None,
            start: &bad.text,
            outcome: "invalid",
            error: &bad.message,
            details: ErrorDetails::from(&*bad.diagnostic),
        }
    }

    /// The same as an answer of a run.
    pub(crate) fn of_run(self, run: &'a str) -> Refusal<'a> {
        Refusal { run: Some(run), ..self }
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
                "schema" => row.figure(self.schema),
                "puzzle" => row.text(&self.puzzle),
                "metric" => row.text(self.metric),
                "goal" => row.text(&self.goal),
                "line" => row.figure(self.line),
                "run" => row.text_or_nothing(self.run),
                "start" => row.text(self.start),
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
    run: &'a str,
    #[serde(flatten)]
    record: &'a Record,
}

/// The answer to a position that the rules alone refuse, in the words of the command line.
pub(crate) fn unsolvable(puzzle: &dyn DynPuzzle, start: String, why: &Diagnostic, all: bool) -> Record {
    let mut record = Record::unsolvable(puzzle, start, why, all);
    record.error = Some(explain(why));
    record
}

/// The columns of answers as CSV: the keys of the JSON line without `iterations`.
const COLUMNS: [&str; 25] = [
    "line",
    "run",
    "schema",
    "puzzle",
    "metric",
    "goal",
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
    #[serde(serialize_with = "six_digits")]
    seconds: f64,
}

/// What the command line says about an answer.
pub(crate) trait Told {
    /// What it means for the exit code.
    fn exit(&self) -> Exit;
    /// What it counts as in a batch.
    fn kind(&self) -> Kind;
    /// Adds the answer of the position on `line` to `out`, as a line of JSON.
    fn write_json(&self, line: usize, run: &str, out: &mut Vec<u8>);
    /// Adds it as a row of CSV, with the [`columns`] for `all`.
    fn write_csv(&self, line: usize, run: &str, all: bool, out: &mut Vec<u8>);
    /// The end of the search as an event of `--progress json`.
    fn done(&self) -> Done;
    /// The answer in a sentence.
    fn summary(&self) -> String;
}

impl Told for Record {
    fn exit(&self) -> Exit {
        match self.outcome {
            Outcome::Solved => Exit::Solved,
            Outcome::Unsolvable => Exit::Unsolvable,
            Outcome::Stopped(stop) => Exit::from(stop),
        }
    }

    fn kind(&self) -> Kind {
        match self.outcome {
            Outcome::Solved => Kind::Solved,
            Outcome::Unsolvable => Kind::Unsolvable,
            Outcome::Stopped(_) => Kind::Stopped,
        }
    }

    fn write_json(&self, line: usize, run: &str, out: &mut Vec<u8>) {
        write_json(&Numbered { line, run, record: self }, out);
    }

    fn write_csv(&self, line: usize, run: &str, all: bool, out: &mut Vec<u8>) {
        let mut row = Row::new(out);
        row.figure(line);
        row.text(run);
        row.figure(self.schema);
        row.text(&self.puzzle);
        row.text(&self.metric);
        row.text(&self.goal);
        row.text(&self.start);
        row.text_or_nothing(self.solver.as_deref());
        row.text(self.outcome.name());
        row.text_or_nothing(self.moves.as_deref());
        row.figure_or_nothing(self.length);
        row.figure(self.optimal);
        row.figure(self.lower_bound);
        row.figure(self.generated);
        row.figure(self.expanded);
        row.figure(self.visited);
        row.figure(self.peak_open);
        row.figure(rounded(self.seconds));
        row.figure(rounded(self.table_seconds));
        row.figure(self.peak_bytes);
        row.figure(self.threads);
        row.text_or_nothing(self.device.as_deref());
        row.text_or_nothing(self.stop.map(Stop::name));
        if all {
            row.text(&self.solutions.as_ref().map_or_else(String::new, |all| all.join(";")));
        }
        row.text_or_nothing(self.error.as_deref());
        row.end();
    }

    fn done(&self) -> Done {
        Done {
            event: "done",
            outcome: self.outcome.name(),
            length: self.length,
            bound: self.lower_bound,
            nodes: self.generated,
            seconds: self.seconds,
        }
    }

    fn summary(&self) -> String {
        if self.outcome == Outcome::Solved && self.steps == 0 {
            return "(already solved)".into();
        }
        let mut parts = vec![verdict(self)];
        parts.extend(self.solver.clone());
        parts.extend(self.device.as_ref().map(|device| format!("on {device}")));
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
}

fn verdict(record: &Record) -> String {
    let bound = figures::counted(u64::from(record.lower_bound), "move");
    let length = record.length.map(|length| measured(record, length));
    let unproven = if record.lower_bound > 0 {
        format!("not proven shortest (at least {bound})")
    } else {
        "not proven shortest".into()
    };
    match (record.outcome, length) {
        (Outcome::Unsolvable, _) => "cannot be solved: every position within reach was seen".into(),
        (Outcome::Solved, Some(length)) => {
            let proof = if record.optimal { "proven shortest".into() } else { unproven };
            let also = match &record.solutions {
                Some(all) => format!(", {}", figures::counted(all.len() as u64, "solution")),
                None => String::new(),
            };
            let halted =
                record.stop.map_or_else(String::new, |stop| format!(", no shorter one before {stop}"));
            let missed = record.missed.map_or_else(String::new, |most| {
                let none = if record.lower_bound > most { "there is none" } else { "found none" };
                format!("; {none} of at most {}", figures::counted(most.into(), "move"))
            });
            format!("{length}, {proof}{also}{halted}{missed}")
        }
        (Outcome::Stopped(stop), Some(length)) if record.optimal => {
            format!("stopped by {stop}: best found {length}, proven shortest; there may be more like it")
        }
        (Outcome::Stopped(stop), Some(length)) => {
            format!("stopped by {stop}: at least {bound}, best found {length} (not proven shortest)")
        }
        (Outcome::Stopped(stop), None) if record.lower_bound == 0 => {
            format!("stopped by {stop}: nothing found or proven yet")
        }
        (Outcome::Stopped(stop), None) => {
            format!("stopped by {stop}: at least {bound}, none found yet")
        }
        (Outcome::Solved, None) => "solved".into(),
    }
}

/// A path's moves, and its cost where that differs.
fn measured(record: &Record, cost: Cost) -> String {
    let moves = figures::counted(record.steps as u64, "move");
    if u64::from(cost) == record.steps as u64 { moves } else { format!("{moves} that count {cost}") }
}
