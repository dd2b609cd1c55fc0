//! Suites of measurements: a stable table of figures ([`run`]), and how they compare with an earlier one ([`against`]).

pub(crate) mod against;
pub(crate) mod clock;
pub(crate) mod run;

use serde::{Deserialize, Serialize};

use crate::analysis::figure::{Figure, Unit};
use crate::analysis::statistics::quantile;
use crate::machine::Machine;

/// What a suite came to; also the file of `--save`.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub(crate) struct Figures {
    pub(crate) suite: String,
    /// The version of untumble.
    pub(crate) untumble: String,
    pub(crate) rounds: usize,
    pub(crate) machine: Machine,
    pub(crate) cases: Vec<Measured>,
}

/// What a case came to.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub(crate) struct Measured {
    pub(crate) name: String,
    pub(crate) threads: usize,
    pub(crate) positions: usize,
    /// The lengths of all solutions, added up.
    pub(crate) moves: u64,
    /// Generated in one round; of searches with several threads it varies.
    pub(crate) nodes: u64,
    /// What the seconds were taken with.
    pub(crate) clock: clock::Kind,
    pub(crate) seconds: Band,
}

/// Seconds of a round: the middle one, and the span of all.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
pub(crate) struct Band {
    pub(crate) median: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl Band {
    /// Of some rounds; nothing of none.
    pub(crate) fn of(mut seconds: Vec<f64>) -> Option<Band> {
        seconds.sort_by(f64::total_cmp);
        let at = |share| quantile(&seconds, share).map(|seconds| Figure::new(Unit::Seconds, seconds).value());
        Some(Band { median: at(0.5)?, least: at(0.0)?, most: at(1.0)? })
    }

    fn texts(self) -> [String; 3] {
        [self.median, self.least, self.most].map(|seconds| Figure::new(Unit::Seconds, seconds).text())
    }
}

impl Figures {
    /// The table.
    pub(crate) fn table(&self) -> String {
        let mut rows = vec![
            ["case", "positions", "moves", "nodes", "clock", "median", "least", "most", "nodes/s"]
                .map(str::to_owned),
        ];
        rows.extend(self.cases.iter().map(|case| {
            let [median, least, most] = case.seconds.texts();
            let rate = Figure::new(Unit::PerSecond, case.nodes as f64 / case.seconds.median.max(1e-9));
            [
                case.name.clone(),
                crate::figures::grouped(case.positions as u64),
                crate::figures::grouped(case.moves),
                crate::figures::grouped(case.nodes),
                case.clock.text().to_owned(),
                median,
                least,
                most,
                rate.text(),
            ]
        }));
        columns(&rows)
    }
}

/// Rows under each other, the first column on the left, the others on the right.
fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let length = |text: &String| text.chars().count();
    let widths: [usize; N] =
        std::array::from_fn(|column| rows.iter().map(|row| length(&row[column])).max().unwrap_or(0));
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(widths).enumerate().map(|(place, (cell, width))| {
            if place == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}
