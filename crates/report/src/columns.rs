//! The columns of the result tables, shared by the terminal and the HTML report.

use super::quantity::Quantity;
use super::summary::{Distribution, Summary};
use untumble_session::number_format;

/// A table: columns under a common title.
pub(crate) struct Section {
    pub(crate) title: &'static str,
    pub(crate) columns: &'static [Column],
}

/// A column of a table.
pub(crate) struct Column {
    pub(crate) title: &'static str,
    /// The tooltip of its heading.
    pub(crate) description: &'static str,
    pub(crate) cell: fn(&Summary) -> Cell,
}

/// The contents of a table cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Cell {
    Empty,
    Count(u64),
    Quantity(Quantity),
}

impl Cell {
    /// The displayed text; `–` for an empty cell.
    pub(crate) fn text(self) -> String {
        match self {
            Cell::Empty => "–".into(),
            Cell::Count(count) => number_format::grouped(count),
            Cell::Quantity(quantity) => quantity.text(),
        }
    }

    /// The number behind the text.
    pub(crate) fn value(self) -> Option<f64> {
        match self {
            Cell::Empty => None,
            Cell::Count(count) => Some(count as f64),
            Cell::Quantity(quantity) => Some(quantity.value()),
        }
    }
}

impl From<Option<Quantity>> for Cell {
    fn from(quantity: Option<Quantity>) -> Cell {
        quantity.map_or(Cell::Empty, Cell::Quantity)
    }
}

/// Columns for mean, median, 95th percentile and maximum of one distribution of a summary.
macro_rules! distribution_columns {
    ($field:ident) => {
        &[
            Column {
                title: "mean",
                description: "mean over the positions solved",
                cell: |summary| of(summary.$field, |distribution| distribution.mean),
            },
            Column {
                title: "median",
                description: "median over the positions solved",
                cell: |summary| of(summary.$field, |distribution| distribution.median),
            },
            Column {
                title: "p95",
                description: "95th percentile over the positions solved",
                cell: |summary| of(summary.$field, |distribution| distribution.p95),
            },
            Column {
                title: "max",
                description: "maximum over the positions solved",
                cell: |summary| of(summary.$field, |distribution| distribution.max),
            },
        ]
    };
}

/// The cell for one statistic of a distribution; empty without a distribution.
fn of(distribution: Option<Distribution>, statistic: fn(&Distribution) -> Quantity) -> Cell {
    distribution.as_ref().map(statistic).into()
}

/// The tables, in the order of presentation.
pub(crate) const SECTIONS: &[Section] = &[
    Section {
        title: "solutions",
        columns: &[
            Column {
                title: "positions",
                description: "positions measured",
                cell: |summary| Cell::Count(summary.positions),
            },
            Column {
                title: "solved",
                description: "positions whose search finished with a solution",
                cell: |summary| Cell::Count(summary.solved),
            },
            Column {
                title: "stopped",
                description: "searches stopped by a limit",
                cell: |summary| Cell::Count(summary.stopped),
            },
            Column {
                title: "found",
                description: "solutions found, including those of stopped searches",
                cell: |summary| Cell::Count(summary.solutions.found),
            },
            Column {
                title: "length",
                description: "mean solution length in moves",
                cell: |summary| of(summary.length, |distribution| distribution.mean),
            },
            Column {
                title: "proven",
                description: "share of the solutions that this solver proved optimal",
                cell: |summary| summary.proven.into(),
            },
            Column {
                title: "optimal",
                description: "share of the solutions that any solver proved optimal",
                cell: |summary| summary.shortest.into(),
            },
            Column {
                title: "longer",
                description: "share of the solutions that are longer than the best known",
                cell: |summary| summary.longer.into(),
            },
            Column {
                title: "excess",
                description: "mean number of moves by which the longer solutions exceed the best known",
                cell: |summary| summary.excess.into(),
            },
            Column {
                title: "nodes/s",
                description: "generated nodes per second of search",
                cell: |summary| summary.rate.into(),
            },
        ],
    },
    Section { title: "CPU time", columns: distribution_columns!(cpu_seconds) },
    Section { title: "wall time", columns: distribution_columns!(seconds) },
    Section { title: "generated nodes", columns: distribution_columns!(generated) },
    Section { title: "visited nodes", columns: distribution_columns!(visited) },
];
