//! One answer of the command line: a line of JSON, a row of CSV, or a summary for people.
//!
//! A [`Record`] is the answer to a position, and its serialised fields are the keys of the JSON line.
//! [`RecordExt`] adds what only the command line needs.

use serde::Serialize;

use untumble_puzzles::catalog;
use untumble_search::control::Stop;
use untumble_search::error::Diagnostic;
use untumble_search::frontend::DynPuzzle;
use untumble_search::puzzle::Cost;
use untumble_search::report::Outcome;
use untumble_session::csv::RowWriter;
use untumble_session::number_format;
use untumble_session::{ErrorDetails, Record, Repair, round_to_six_digits, serialize_six_digits};

use crate::batch::AnswerKind;
use crate::exit::Exit;
use crate::explain::explain;
use crate::position_reader::InvalidPosition;

/// The answer to a text that is not a position or not moves, as a line of JSON.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub(crate) struct InvalidLine<'a> {
    /// The number of the line on which a position begins, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// In a batch, the identity of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<&'a str>,
    schema: u32,
    puzzle: String,
    metric: &'a str,
    goal: String,
    /// The text of the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<&'a str>,
    /// The text of the moves, if they are invalid.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<&'a str>,
    outcome: &'static str,
    error: &'a str,
    #[serde(flatten)]
    details: ErrorDetails,
    /// The nearest solvable positions, where they are requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    repairs: Vec<Repair>,
}

impl<'a> InvalidLine<'a> {
    /// The answer to the text that begins on `line`.
    pub(crate) fn new(
        puzzle: &'a dyn DynPuzzle,
        line: usize,
        invalid: &'a InvalidPosition,
    ) -> InvalidLine<'a> {
        InvalidLine {
            schema: Record::SCHEMA,
            puzzle: puzzle.title(),
            metric: puzzle.metric(),
            goal: puzzle.goal_text(),
            line: Some(line),
            run: None,
            start: Some(&invalid.text),
            moves: None,
            outcome: "invalid",
            error: &invalid.message,
            details: ErrorDetails::from(&*invalid.diagnostic),
            repairs: Vec::new(),
        }
    }

    /// The answer to a text that is not moves, or to moves that are no solution of the position `start`.
    pub(crate) fn of_moves(
        puzzle: &'a dyn DynPuzzle,
        start: Option<&'a str>,
        invalid: &'a InvalidPosition,
    ) -> InvalidLine<'a> {
        // The line number passed to `new` is discarded.
        InvalidLine { line: None, start, moves: Some(&invalid.text), ..InvalidLine::new(puzzle, 0, invalid) }
    }

    /// Adds the nearest solvable positions.
    pub(crate) fn with_repairs(self, repairs: Vec<Repair>) -> InvalidLine<'a> {
        InvalidLine { repairs, ..self }
    }

    /// The same with another name of the puzzle, for a text whose size is unknown.
    pub(crate) fn named(self, puzzle: String) -> InvalidLine<'a> {
        InvalidLine { puzzle, ..self }
    }

    /// Adds the identity of the run.
    pub(crate) fn with_run(self, run: &'a str) -> InvalidLine<'a> {
        InvalidLine { run: Some(run), ..self }
    }

    /// Appends the line of JSON to `out`.
    pub(crate) fn write_json(&self, out: &mut Vec<u8>) {
        write_json(self, out);
    }

    /// Appends the row of CSV to `out`, with the [`columns`] for `all_solutions`.
    pub(crate) fn write_csv(&self, all_solutions: bool, out: &mut Vec<u8>) {
        let mut row = RowWriter::new(out);
        for column in columns(all_solutions) {
            match column {
                "schema" => row.value(self.schema),
                "puzzle" => row.text(&self.puzzle),
                "metric" => row.text(self.metric),
                "goal" => row.text(&self.goal),
                "line" => row.optional_value(self.line),
                "run" => row.optional_text(self.run),
                "start" => row.optional_text(self.start),
                "outcome" => row.text(self.outcome),
                "error" => row.text(self.error),
                _ => row.empty(),
            }
        }
        row.end();
    }
}

fn write_json(value: &impl Serialize, out: &mut Vec<u8>) {
    serde_json::to_writer(&mut *out, value)
        .expect("answers have string keys, and writing to memory does not fail");
    out.push(b'\n');
}

/// An answer of a batch, as a line of JSON.
#[derive(Serialize)]
struct BatchLine<'a> {
    line: usize,
    run: &'a str,
    #[serde(flatten)]
    record: &'a Record,
}

/// The answer to a position that the puzzle recognises as unsolvable without a search. The error is the
/// command line's message, which also names the options that would help.
pub(crate) fn unsolvable(
    puzzle: &dyn DynPuzzle,
    start: String,
    why: &Diagnostic,
    all_solutions: bool,
) -> Record {
    let mut record = Record::unsolvable(puzzle, start, why, all_solutions);
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

/// The columns of a batch; `solutions` only if all solutions are listed.
pub(crate) fn columns(all_solutions: bool) -> impl Iterator<Item = &'static str> {
    COLUMNS.into_iter().filter(move |&column| all_solutions || column != "solutions")
}

/// The last event of a search.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub(crate) struct DoneEvent {
    event: &'static str,
    outcome: &'static str,
    length: Option<Cost>,
    bound: Cost,
    nodes: u64,
    #[serde(serialize_with = "serialize_six_digits")]
    seconds: f64,
}

/// The representations of an answer on the command line.
pub(crate) trait RecordExt {
    /// The exit code.
    fn exit(&self) -> Exit;
    /// The kind under which a batch counts the answer.
    fn kind(&self) -> AnswerKind;
    /// Appends the answer to the position on `line` to `out`, as a line of JSON; `run` is the identity of
    /// the batch's run.
    fn write_json(&self, line: usize, run: &str, out: &mut Vec<u8>);
    /// Appends the answer as a row of CSV with the [`columns`] for `all_solutions`.
    fn write_csv(&self, line: usize, run: &str, all_solutions: bool, out: &mut Vec<u8>);
    /// The last event of `--progress json`.
    fn done_event(&self) -> DoneEvent;
    /// The answer on one line, for people: `31 moves, optimal · ida+manhattan · 1,234 nodes in 0.01 s`.
    fn summary(&self) -> String;
}

impl RecordExt for Record {
    fn exit(&self) -> Exit {
        match self.outcome {
            Outcome::Solved => Exit::Success,
            Outcome::Unsolvable => Exit::Unsolvable,
            Outcome::Stopped(stop) => Exit::from(stop),
        }
    }

    fn kind(&self) -> AnswerKind {
        match self.outcome {
            Outcome::Solved => AnswerKind::Solved,
            Outcome::Unsolvable => AnswerKind::Unsolvable,
            Outcome::Stopped(_) => AnswerKind::Stopped,
        }
    }

    fn write_json(&self, line: usize, run: &str, out: &mut Vec<u8>) {
        write_json(&BatchLine { line, run, record: self }, out);
    }

    fn write_csv(&self, line: usize, run: &str, all_solutions: bool, out: &mut Vec<u8>) {
        let mut row = RowWriter::new(out);
        row.value(line);
        row.text(run);
        row.value(self.schema);
        row.text(&self.puzzle);
        row.text(&self.metric);
        row.text(&self.goal);
        row.text(&self.start);
        row.optional_text(self.solver.as_deref());
        row.text(self.outcome.name());
        row.optional_text(self.moves.as_deref());
        row.optional_value(self.length);
        row.value(self.optimal);
        row.value(self.lower_bound);
        row.value(self.generated);
        row.value(self.expanded);
        row.value(self.visited);
        row.value(self.peak_open);
        row.value(round_to_six_digits(self.seconds));
        row.value(round_to_six_digits(self.table_seconds));
        row.value(self.peak_bytes);
        row.value(self.threads);
        row.optional_text(self.device.as_deref());
        row.optional_text(self.stop.map(Stop::name));
        if all_solutions {
            row.text(&self.solutions.as_ref().map_or_else(String::new, |solutions| solutions.join(";")));
        }
        row.optional_text(self.error.as_deref());
        row.end();
    }

    fn done_event(&self) -> DoneEvent {
        DoneEvent {
            event: "done",
            outcome: self.outcome.name(),
            length: self.length,
            bound: self.lower_bound,
            nodes: self.generated,
            seconds: self.seconds,
        }
    }

    fn summary(&self) -> String {
        if self.outcome == Outcome::Solved && self.move_count == 0 {
            return ["(already solved)".into()].into_iter().chain(goal(self)).collect::<Vec<_>>().join(" · ");
        }
        let mut parts = vec![verdict(self)];
        parts.extend(goal(self));
        if self.stop == Some(Stop::MaxLength) && self.generated == 0 {
            // No solver ran.
            return parts.join(" · ");
        }
        // Of several stages, the one that found the solution.
        parts.extend(self.found_by.clone().or_else(|| self.solver.clone()));
        parts.extend(self.device.as_ref().map(|device| format!("on {device}")));
        if self.generated > 0 {
            let rate = self.generated as f64 / self.seconds.max(1e-9);
            let rate = if self.generated < 1000 {
                String::new()
            } else {
                format!(" ({} nodes/s)", number_format::compact(rate))
            };
            let nodes = number_format::pluralize(self.generated, "node");
            parts.push(format!("{nodes} in {}{rate}", number_format::seconds(self.seconds)));
        }
        if self.table_seconds >= 0.01 {
            parts.push(format!("tables in {}", number_format::seconds(self.table_seconds)));
        }
        if self.peak_open > 0 {
            parts.push(format!("peak open {}", number_format::grouped(self.peak_open)));
        }
        if self.peak_bytes > 0 {
            parts.push(number_format::bytes(self.peak_bytes));
        }
        parts.join(" · ")
    }
}

/// The goal, if the puzzle has several: `goal snail`. A long text of tiles is truncated.
fn goal(record: &Record) -> Option<String> {
    const MAX_CHARS: usize = 40;
    catalog::family(&record.puzzle).filter(|family| family.goal_names.len() > 1)?;
    let mut goal: String = record.goal.chars().take(MAX_CHARS).collect();
    if record.goal.chars().nth(MAX_CHARS).is_some() {
        goal.push('…');
    }
    Some(format!("goal {goal}"))
}

/// The solution and its proof: `31 moves, optimal`.
fn verdict(record: &Record) -> String {
    let length = record.length.map(|length| length_text(record, length));
    match (record.outcome, length) {
        (Outcome::Unsolvable, _) => "unsolvable: every reachable position was visited".into(),
        (Outcome::Solved | Outcome::Stopped(Stop::MaxLength), Some(length)) => {
            solved_verdict(record, &length)
        }
        (Outcome::Stopped(Stop::MaxLength), None) => {
            let (bound, requested) = (record.lower_bound, record.unmet_max_length.unwrap_or_default());
            format!("impossible: at most {requested} requested, lower bound {bound}")
        }
        (Outcome::Stopped(stop), Some(length)) if record.optimal => {
            format!("stopped by {stop}: {length}, optimal; the list of solutions is incomplete")
        }
        (Outcome::Stopped(stop), Some(length)) => {
            format!("stopped by {stop}: {length}, {}", lower_bound(record))
        }
        (Outcome::Stopped(stop), None) if record.lower_bound == 0 => {
            format!("stopped by {stop}: no solution yet")
        }
        (Outcome::Stopped(stop), None) => {
            format!("stopped by {stop}: {}, no solution yet", lower_bound(record))
        }
        (Outcome::Solved, None) => "solved".into(),
    }
}

fn solved_verdict(record: &Record, length: &str) -> String {
    let proof = if record.optimal { "optimal".into() } else { lower_bound(record) };
    let count = match &record.solutions {
        Some(all) => format!(", {}", number_format::pluralize(all.len() as u64, "solution")),
        None => String::new(),
    };
    let stop = record.stop.filter(|&stop| stop != Stop::MaxLength);
    let stopped = stop.map_or_else(String::new, |stop| format!(", improvement stopped by {stop}"));
    let unmet = record.unmet_max_length.map_or_else(String::new, |max_length| {
        let result = if record.lower_bound > max_length { "none exists" } else { "none found" };
        format!("; at most {} requested: {result}", number_format::pluralize(max_length.into(), "move"))
    });
    format!("{length}, {proof}{count}{stopped}{unmet}")
}

/// The proven bound of a solution that is not proven optimal.
fn lower_bound(record: &Record) -> String {
    match record.lower_bound {
        0 => "not proven optimal".into(),
        bound => format!("lower bound {bound}"),
    }
}

/// The number of moves of the solution, and its cost in the metric if that differs.
fn length_text(record: &Record, cost: Cost) -> String {
    let moves = number_format::pluralize(record.move_count as u64, "move");
    if u64::from(cost) == record.move_count as u64 {
        moves
    } else {
        format!("{moves}, cost {cost} in {}", record.metric)
    }
}
