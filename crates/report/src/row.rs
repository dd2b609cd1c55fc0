//! One row of `results.csv`: the outcome and cost of one search. Every statistic is computed from rows.

use serde::{Deserialize, Serialize};

use untumble_puzzles::instance_sets::Reference;
use untumble_search::control::Stop;
use untumble_search::puzzle::Cost;
use untumble_session::Record;

use untumble_session::csv;

/// The search of one configuration on one position.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Row {
    /// The position's number, from 1.
    pub position: usize,
    /// The position as text.
    pub start: String,
    /// The number of random moves that produced the position; its optimal solution may be shorter.
    pub scramble_depth: Option<u64>,
    /// The solver text as requested.
    pub solver: String,
    /// The thread limit of the search.
    pub threads: usize,
    /// The completed solver text that ran.
    pub ran: String,
    /// `solved`, `unsolvable` or `stopped`.
    pub outcome: String,
    /// Cost of the solution; a stopped search may have one.
    pub length: Option<Cost>,
    /// Whether this search proved the solution optimal.
    pub optimal: bool,
    /// The proven lower bound.
    pub lower_bound: Cost,
    /// Nodes generated.
    pub generated: u64,
    /// Nodes expanded.
    pub expanded: u64,
    /// Distinct states if the solver counts them, otherwise nodes expanded.
    pub visited: u64,
    /// Wall-clock seconds, rounded to nanoseconds.
    pub seconds: f64,
    /// Peak memory in bytes, tables included.
    pub peak_bytes: u64,
    /// The limit that stopped the search.
    pub stop: Option<String>,
    /// CPU seconds of all threads, rounded to nanoseconds; `None` if the system does not measure them.
    #[serde(default)]
    pub cpu_seconds: Option<f64>,
    /// The name of the GPU that the search used.
    #[serde(default)]
    pub device: Option<String>,
    /// The number of the position in its published list.
    #[serde(default)]
    pub instance: Option<u32>,
    /// The published optimal length.
    #[serde(default)]
    pub reference_length: Option<Cost>,
    /// The published number of generated nodes.
    #[serde(default)]
    pub reference_nodes: Option<u64>,
}

/// The columns that identify a search, known before it runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowKey<'a> {
    pub position: usize,
    pub start: &'a str,
    pub scramble_depth: Option<u64>,
    pub solver: &'a str,
    pub threads: usize,
    pub reference: Option<Reference>,
}

impl RowKey<'_> {
    /// The row of a finished search that took `cpu_seconds` and used `table_bytes` of prepared tables.
    pub(crate) fn row(self, record: &Record, cpu_seconds: Option<f64>, table_bytes: u64) -> Row {
        // Rounded to the precision of the CSV file, so that JSON and CSV agree.
        let rounded = |seconds: f64| (seconds * 1e9).round() / 1e9;
        Row {
            position: self.position,
            start: self.start.to_owned(),
            scramble_depth: self.scramble_depth,
            solver: self.solver.to_owned(),
            threads: self.threads,
            ran: record.solver.clone().unwrap_or_default(),
            outcome: record.outcome.name().to_owned(),
            length: record.length,
            optimal: record.optimal,
            lower_bound: record.lower_bound,
            generated: record.generated,
            expanded: record.expanded,
            visited: record.visited,
            seconds: rounded(record.seconds),
            peak_bytes: record.peak_bytes + table_bytes,
            stop: record.stop.map(|stop| stop.name().to_owned()),
            cpu_seconds: cpu_seconds.map(rounded),
            device: record.device.clone(),
            instance: self.reference.map(|reference| reference.id),
            reference_length: self.reference.map(|reference| reference.optimal),
            reference_nodes: self.reference.and_then(|reference| reference.nodes),
        }
    }

    /// The row of a solver whose preparation a limit stopped: no search took place.
    pub(crate) fn unprepared(self, stop: Stop) -> Row {
        Row {
            position: self.position,
            start: self.start.to_owned(),
            scramble_depth: self.scramble_depth,
            solver: self.solver.to_owned(),
            threads: self.threads,
            ran: self.solver.to_owned(),
            outcome: "stopped".into(),
            length: None,
            optimal: false,
            lower_bound: 0,
            generated: 0,
            expanded: 0,
            visited: 0,
            seconds: 0.0,
            peak_bytes: 0,
            stop: Some(stop.name().to_owned()),
            cpu_seconds: None,
            device: None,
            instance: self.reference.map(|reference| reference.id),
            reference_length: self.reference.map(|reference| reference.optimal),
            reference_nodes: self.reference.and_then(|reference| reference.nodes),
        }
    }
}

impl Row {
    /// Whether the search finished with a solution.
    pub fn solved(&self) -> bool {
        self.outcome == "solved"
    }

    /// Whether a limit stopped the search. It may have found a solution before.
    pub fn stopped(&self) -> bool {
        self.outcome == "stopped"
    }

    /// The published results of the position.
    pub(crate) fn reference(&self) -> Option<Reference> {
        Some(Reference { id: self.instance?, optimal: self.reference_length?, nodes: self.reference_nodes })
    }

    /// Whether a search took place. A solver whose tables exceed the memory limit never starts one.
    pub fn started(&self) -> bool {
        !(self.stopped() && self.generated == 0)
    }
}

/// A row and the best known solution of its position.
pub(crate) type RowWithBest<'a> = (&'a Row, Option<BestKnown>);

/// The shortest solution of a position over all configurations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BestKnown {
    /// Its cost.
    pub length: Cost,
    /// Whether some search proved the lower bound `length`.
    pub optimal: bool,
}

impl BestKnown {
    /// The best of all rows of one position; `None` if none has a solution.
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a Row> + Clone) -> Option<BestKnown> {
        let length = rows.clone().into_iter().filter_map(|row| row.length).min()?;
        let optimal = rows.into_iter().any(|row| row.lower_bound >= length);
        Some(BestKnown { length, optimal })
    }
}

/// The columns of `results.csv`.
const COLUMNS: [&str; 24] = [
    "position",
    "start",
    "scramble_depth",
    "best_known",
    "best_proven",
    "solver",
    "threads",
    "ran",
    "outcome",
    "length",
    "optimal",
    "lower_bound",
    "excess",
    "generated",
    "expanded",
    "visited",
    "seconds",
    "peak_bytes",
    "stop",
    "cpu_seconds",
    "device",
    "instance",
    "reference_length",
    "reference_nodes",
];

/// The contents of `results.csv`, header included.
pub(crate) fn csv_table<'a>(rows: impl IntoIterator<Item = RowWithBest<'a>>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut header = csv::RowWriter::new(&mut out);
    COLUMNS.iter().for_each(|column| header.text(column));
    header.end();
    for (row, best) in rows {
        let mut line = csv::RowWriter::new(&mut out);
        line.value(row.position);
        line.text(&row.start);
        line.optional_value(row.scramble_depth);
        line.optional_value(best.map(|best| best.length));
        line.optional_value(best.map(|best| best.optimal));
        line.text(&row.solver);
        line.value(row.threads);
        line.text(&row.ran);
        line.text(&row.outcome);
        line.optional_value(row.length);
        line.value(row.optimal);
        line.value(row.lower_bound);
        line.optional_value(best.zip(row.length).map(|(best, length)| length - best.length));
        line.value(row.generated);
        line.value(row.expanded);
        line.value(row.visited);
        line.value(format_args!("{:.9}", row.seconds));
        line.value(row.peak_bytes);
        line.optional_text(row.stop.as_deref());
        line.optional_value(row.cpu_seconds.map(|seconds| format!("{seconds:.9}")));
        line.optional_text(row.device.as_deref());
        line.optional_value(row.instance);
        line.optional_value(row.reference_length);
        line.optional_value(row.reference_nodes);
        line.end();
    }
    out
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A search that found and proved an optimal solution.
    pub(crate) fn solved(position: usize, solver: &str, length: Cost, nodes: u64, seconds: f64) -> Row {
        Row {
            position,
            start: format!("position {position}"),
            scramble_depth: None,
            solver: solver.into(),
            threads: 1,
            ran: solver.into(),
            outcome: "solved".into(),
            length: Some(length),
            optimal: true,
            lower_bound: length,
            generated: nodes,
            expanded: nodes / 2,
            visited: nodes / 2,
            seconds,
            peak_bytes: 16 * nodes,
            stop: None,
            cpu_seconds: Some(seconds),
            device: None,
            instance: None,
            reference_length: None,
            reference_nodes: None,
        }
    }

    /// A search that the time limit stopped without a solution.
    pub(crate) fn stopped(position: usize, solver: &str) -> Row {
        Row {
            outcome: "stopped".into(),
            length: None,
            optimal: false,
            lower_bound: 3,
            stop: Some("time".into()),
            ..solved(position, solver, 9, 1000, 1.0)
        }
    }

    #[test]
    fn the_best_known_is_the_shortest_and_any_search_may_prove_it() {
        let unproven = Row { optimal: false, lower_bound: 0, ..solved(1, "a", 12, 5, 0.1) };
        assert_eq!(BestKnown::of(&[stopped(1, "a")]), None);
        assert_eq!(
            BestKnown::of(std::slice::from_ref(&unproven)),
            Some(BestKnown { length: 12, optimal: false })
        );
        let rows = [unproven, solved(1, "b", 10, 5, 0.1)];
        assert_eq!(BestKnown::of(&rows), Some(BestKnown { length: 10, optimal: true }));
    }

    #[test]
    fn every_csv_line_has_a_field_for_every_column() {
        let rows = [solved(1, "astar:w=1.5,x=2+m", 12, 5, 0.000_012_345), stopped(2, "b")];
        let text = csv_table(rows.iter().map(|row| (row, BestKnown::of([row]))));
        let text = String::from_utf8(text).expect("text");
        for line in text.lines() {
            assert_eq!(csv::parse_row(line).map(|fields| fields.len()), Some(COLUMNS.len()), "{line}");
        }
        assert!(text.contains("\"astar:w=1.5,x=2+m\"") && text.contains(",0.000012345,"), "{text}");
    }
}
