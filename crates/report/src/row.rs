//! One search: what it found and what it took. All that is said later is computed from these.

use serde::{Deserialize, Serialize};

use untumble_search::control::Stop;
use untumble_search::puzzle::Cost;
use untumble_session::Record;

use untumble_session::csv;

/// One position, solved or not by one solver on so many threads.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Row {
    /// The position's number, from 1.
    pub position: usize,
    /// The position as text.
    pub start: String,
    /// How many random moves made it; its solution may be shorter.
    pub scramble_depth: Option<u64>,
    /// The solver asked for.
    pub solver: String,
    /// How many threads it could use.
    pub threads: usize,
    /// What really ran.
    pub ran: String,
    /// `solved`, `unsolvable` or `stopped`.
    pub outcome: String,
    /// Cost of the solution.
    pub length: Option<Cost>,
    /// Whether the solution is proven optimal.
    pub optimal: bool,
    /// The proven lower bound.
    pub lower_bound: Cost,
    /// Nodes generated.
    pub generated: u64,
    /// Nodes expanded.
    pub expanded: u64,
    /// Distinct states seen.
    pub visited: u64,
    /// Seconds.
    pub seconds: f64,
    /// The most memory, tables included.
    pub peak_bytes: u64,
    /// The limit that ended it.
    pub stop: Option<String>,
}

/// Who was asked what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    pub position: usize,
    pub start: &'a str,
    pub scramble_depth: Option<u64>,
    pub solver: &'a str,
    pub threads: usize,
}

impl Asked<'_> {
    /// The row of an answer; `held` bytes of tables lay ready for it.
    pub(crate) fn answered(self, answer: &Record, held: u64) -> Row {
        Row {
            position: self.position,
            start: self.start.to_owned(),
            scramble_depth: self.scramble_depth,
            solver: self.solver.to_owned(),
            threads: self.threads,
            ran: answer.solver.clone().unwrap_or_default(),
            outcome: answer.outcome.name().to_owned(),
            length: answer.length,
            optimal: answer.optimal,
            lower_bound: answer.lower_bound,
            generated: answer.generated,
            expanded: answer.expanded,
            visited: answer.visited,
            // Whole nanoseconds, as the files say them.
            seconds: (answer.seconds * 1e9).round() / 1e9,
            peak_bytes: answer.peak_bytes + held,
            stop: answer.stop.map(|stop| stop.name().to_owned()),
        }
    }

    /// The row of a solver that a limit kept from being made ready.
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
        }
    }
}

impl Row {
    /// Whether it ended with a solution.
    pub fn solved(&self) -> bool {
        self.outcome == "solved"
    }

    /// Whether a limit ended it before it was done; there may be a solution all the same.
    pub fn stopped(&self) -> bool {
        self.outcome == "stopped"
    }

    /// Whether there was a search at all: a solver whose tables do not fit the memory never begins.
    pub fn begun(&self) -> bool {
        !(self.stopped() && self.generated == 0)
    }
}

/// A row, and the best known solution of its position.
pub(crate) type Known<'a> = (&'a Row, Option<Best>);

/// The best that anybody found for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Best {
    /// The length of the shortest solution found.
    pub length: Cost,
    /// Whether there is none shorter.
    pub proven: bool,
}

impl Best {
    /// The best of all rows about one position.
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a Row> + Clone) -> Option<Best> {
        let length = rows.clone().into_iter().filter_map(|row| row.length).min()?;
        let proven = rows.into_iter().any(|row| row.lower_bound >= length);
        Some(Best { length, proven })
    }
}

/// The columns of `results.csv`.
const COLUMNS: [&str; 19] = [
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
];

/// Rows with the best known solutions of their positions, as CSV with a header.
pub(crate) fn table<'a>(rows: impl IntoIterator<Item = Known<'a>>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut header = csv::Row::new(&mut out);
    COLUMNS.iter().for_each(|column| header.text(column));
    header.end();
    for (row, best) in rows {
        let mut line = csv::Row::new(&mut out);
        line.figure(row.position);
        line.text(&row.start);
        line.figure_or_nothing(row.scramble_depth);
        line.figure_or_nothing(best.map(|best| best.length));
        line.figure_or_nothing(best.map(|best| best.proven));
        line.text(&row.solver);
        line.figure(row.threads);
        line.text(&row.ran);
        line.text(&row.outcome);
        line.figure_or_nothing(row.length);
        line.figure(row.optimal);
        line.figure(row.lower_bound);
        line.figure_or_nothing(best.zip(row.length).map(|(best, length)| length - best.length));
        line.figure(row.generated);
        line.figure(row.expanded);
        line.figure(row.visited);
        line.figure(format_args!("{:.9}", row.seconds));
        line.figure(row.peak_bytes);
        line.text_or_nothing(row.stop.as_deref());
        line.end();
    }
    out
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A solved search, proven shortest.
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
        }
    }

    /// A search that ran out of time.
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
    fn the_best_is_the_shortest_and_proven_by_anybody() {
        let unproven = Row { optimal: false, lower_bound: 0, ..solved(1, "a", 12, 5, 0.1) };
        assert_eq!(Best::of(&[stopped(1, "a")]), None);
        assert_eq!(Best::of(std::slice::from_ref(&unproven)), Some(Best { length: 12, proven: false }));
        let rows = [unproven, solved(1, "b", 10, 5, 0.1)];
        assert_eq!(Best::of(&rows), Some(Best { length: 10, proven: true }));
    }

    #[test]
    fn csv_has_a_field_for_every_column() {
        let rows = [solved(1, "astar:w=1.5,x=2+m", 12, 5, 0.000_012_345), stopped(2, "b")];
        let text = table(rows.iter().map(|row| (row, Best::of([row]))));
        let text = String::from_utf8(text).expect("text");
        for line in text.lines() {
            assert_eq!(csv::fields(line).map(|fields| fields.len()), Some(COLUMNS.len()), "{line}");
        }
        assert!(text.contains("\"astar:w=1.5,x=2+m\"") && text.contains(",0.000012345,"), "{text}");
    }
}
