//! Suites of measurements: a stable table of figures (`run`), the file they are kept in (`saving`), and how they compare
//! with an earlier one (`against`).

pub mod against;
mod clock;
mod run;
mod saving;

pub use clock::Kind as Clock;
pub use run::run;
pub use saving::Target;

use serde::{Deserialize, Serialize};

use crate::figure::{Figure, Unit};
use crate::statistics::quantile;
use untumble_session::layout;
use untumble_session::machine::Machine;

/// What a suite came to; also the file of `--save`.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Figures {
    /// The suite's name.
    pub suite: String,
    /// The version of untumble.
    pub untumble: String,
    /// Rounds that count.
    pub rounds: usize,
    /// Where it was measured.
    pub machine: Machine,
    /// The graphics processor, where one was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// The cases, in the order of the suite.
    pub cases: Vec<Measured>,
}

/// What a case came to.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Measured {
    /// The name, unique in its list.
    pub name: String,
    /// Threads of each search.
    pub threads: usize,
    /// The number of positions.
    pub positions: usize,
    /// The lengths of all solutions, added up.
    pub moves: u64,
    /// Generated in one round; of searches with several threads it varies.
    pub nodes: u64,
    /// What the seconds were taken with.
    pub clock: clock::Kind,
    /// Seconds.
    pub seconds: Band,
}

/// Seconds of a round: the middle one, and the span of all.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
pub struct Band {
    /// The median.
    pub median: f64,
    /// The smallest.
    pub least: f64,
    /// The largest.
    pub most: f64,
}

impl Band {
    /// Of some rounds; nothing of none.
    pub fn of(mut seconds: Vec<f64>) -> Option<Band> {
        seconds.sort_by(f64::total_cmp);
        let at = |share| quantile(&seconds, share).map(|seconds| Figure::new(Unit::Seconds, seconds).value());
        Some(Band { median: at(0.5)?, least: at(0.0)?, most: at(1.0)? })
    }

    /// Whether these are seconds that rounds can take: what comes from a file is not believed.
    pub fn plausible(self) -> bool {
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
    pub fn table(&self) -> String {
        let mut rows = vec![
            ["case", "positions", "moves", "nodes", "clock", "median", "least", "most", "nodes/s"]
                .map(str::to_owned),
        ];
        rows.extend(self.cases.iter().map(|case| {
            let [median, least, most] = case.seconds.texts();
            let rate = Figure::new(Unit::PerSecond, case.nodes as f64 / case.seconds.median.max(1e-9));
            [
                case.name.clone(),
                untumble_session::figures::grouped(case.positions as u64),
                untumble_session::figures::grouped(case.moves),
                untumble_session::figures::grouped(case.nodes),
                case.clock.text().to_owned(),
                median,
                least,
                most,
                rate.text(),
            ]
        }));
        layout::columns(&rows, layout::Side::Right)
    }
}
