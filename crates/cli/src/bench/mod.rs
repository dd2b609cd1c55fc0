//! Suites of measurements: a stable table of figures ([`run`]), the file they are kept in ([`saving`]), and how they compare
//! with an earlier one ([`against`]).

pub(crate) mod against;
pub(crate) mod clock;
pub(crate) mod run;
pub(crate) mod saving;

use serde::{Deserialize, Serialize};

use crate::analysis::figure::{Figure, Unit};
use crate::analysis::statistics::quantile;
use crate::machine::Machine;
use crate::table;

/// What a suite came to; also the file of `--save`.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub(crate) struct Figures {
    pub(crate) suite: String,
    /// The version of untumble.
    pub(crate) untumble: String,
    pub(crate) rounds: usize,
    pub(crate) machine: Machine,
    /// The graphics processor, where one was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) device: Option<String>,
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

    /// Whether these are seconds that rounds can take: what comes from a file is not believed.
    pub(crate) fn plausible(self) -> bool {
        /// A clock tells no less, and nobody waits longer.
        const SENSIBLE: std::ops::RangeInclusive<f64> = 1e-9..=1e9;
        let Band { median, least, most } = self;
        [least, median, most].is_sorted() && SENSIBLE.contains(&least) && SENSIBLE.contains(&most)
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
        table::columns(&rows, table::Side::Right)
    }
}
