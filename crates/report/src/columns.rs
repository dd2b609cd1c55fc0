//! The columns of the tables, for the terminal and the report alike.

use super::figure::Figure;
use super::tally::{Spread, Tally};
use untumble_session::figures;

/// Columns that belong together.
pub(crate) struct Section {
    pub(crate) title: &'static str,
    pub(crate) columns: &'static [Column],
}

/// A column.
pub(crate) struct Column {
    pub(crate) title: &'static str,
    /// What stands in it.
    pub(crate) what: &'static str,
    pub(crate) cell: fn(&Tally) -> Cell,
}

/// What stands in a column.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Cell {
    Nothing,
    Count(u64),
    Figure(Figure),
}

impl Cell {
    /// As people read it.
    pub(crate) fn text(self) -> String {
        match self {
            Cell::Nothing => "–".into(),
            Cell::Count(count) => figures::grouped(count),
            Cell::Figure(figure) => figure.text(),
        }
    }

    /// The number itself.
    pub(crate) fn value(self) -> Option<f64> {
        match self {
            Cell::Nothing => None,
            Cell::Count(count) => Some(count as f64),
            Cell::Figure(figure) => Some(figure.value()),
        }
    }
}

impl From<Option<Figure>> for Cell {
    fn from(figure: Option<Figure>) -> Cell {
        figure.map_or(Cell::Nothing, Cell::Figure)
    }
}

/// Mean, median, 95 % and most of one of a tally's spreads.
macro_rules! spread {
    ($field:ident) => {
        &[
            Column {
                title: "mean",
                what: "mean over the positions solved",
                cell: |tally| of(tally.$field, |spread| spread.mean),
            },
            Column {
                title: "median",
                what: "half of them lie below",
                cell: |tally| of(tally.$field, |spread| spread.median),
            },
            Column {
                title: "p95",
                what: "95 % of them lie below",
                cell: |tally| of(tally.$field, |spread| spread.p95),
            },
            Column { title: "max", what: "the most", cell: |tally| of(tally.$field, |spread| spread.max) },
        ]
    };
}

fn of(spread: Option<Spread>, part: fn(&Spread) -> Figure) -> Cell {
    spread.as_ref().map(part).into()
}

/// All of them.
pub(crate) const SECTIONS: &[Section] = &[
    Section {
        title: "answers",
        columns: &[
            Column { title: "posed", what: "positions", cell: |tally| Cell::Count(tally.positions) },
            Column {
                title: "solved",
                what: "of these solved, the search done",
                cell: |tally| Cell::Count(tally.solved),
            },
            Column {
                title: "stopped",
                what: "of these stopped by a limit (time-outs)",
                cell: |tally| Cell::Count(tally.stopped),
            },
            Column {
                title: "found",
                what: "solutions found, those in hand when a search was stopped among them",
                cell: |tally| Cell::Count(tally.solutions.found),
            },
            Column {
                title: "length",
                what: "mean length of its solutions, in moves",
                cell: |tally| of(tally.length, |spread| spread.mean),
            },
            Column {
                title: "proven",
                what: "share of its solutions that it proved shortest",
                cell: |tally| tally.proven.into(),
            },
            Column {
                title: "shortest",
                what: "share of its solutions that are shortest, whoever proved it",
                cell: |tally| tally.shortest.into(),
            },
            Column {
                title: "longer",
                what: "share of its solutions that are longer than the best known",
                cell: |tally| tally.longer.into(),
            },
            Column {
                title: "by",
                what: "how many moves those are longer, on average",
                cell: |tally| tally.excess.into(),
            },
            Column {
                title: "nodes/s",
                what: "generated nodes per second of search",
                cell: |tally| tally.rate.into(),
            },
        ],
    },
    Section { title: "time", columns: spread!(seconds) },
    Section { title: "generated nodes", columns: spread!(generated) },
    Section { title: "visited nodes", columns: spread!(visited) },
];
