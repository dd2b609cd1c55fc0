//! Benchmark suites: measuring them ([`run`]), saving the results as a baseline ([`OutputFile`]) and
//! comparing with an earlier [`baseline`].

pub mod baseline;
mod clock;
mod output_file;
mod run;

pub use clock::Clock;
pub use output_file::OutputFile;
pub use run::run;

use serde::{Deserialize, Serialize};

use crate::quantity::{Quantity, Unit};
use crate::statistics::quantile;
use untumble_session::machine::Machine;
use untumble_session::number_format::grouped;
use untumble_session::text_table;

/// The results of a suite; serialised it is a baseline file.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct SuiteResults {
    /// The suite's name.
    pub suite: String,
    /// The version of untumble.
    pub untumble: String,
    /// Measured rounds, without the warm-up round.
    pub rounds: usize,
    /// The machine it ran on.
    pub machine: Machine,
    /// The name of the GPU, if a case used one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// The cases, in the order of the suite.
    pub cases: Vec<CaseResult>,
}

/// The result of one case.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct CaseResult {
    /// The name, unique in the suite.
    pub name: String,
    /// The thread limit of each search.
    pub threads: usize,
    /// The number of positions.
    pub positions: usize,
    /// The sum of the solution lengths.
    pub moves: u64,
    /// Nodes generated in the last round; with several threads the number varies.
    pub nodes: u64,
    /// The clock of `seconds`.
    pub clock: Clock,
    /// Seconds of a round.
    pub seconds: RoundTimes,
}

/// Median and range of the seconds of all rounds.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
pub struct RoundTimes {
    /// The median.
    pub median: f64,
    /// The minimum.
    #[serde(rename = "least")]
    pub min: f64,
    /// The maximum.
    #[serde(rename = "most")]
    pub max: f64,
}

impl RoundTimes {
    /// Summarises the seconds of all rounds; `None` for no rounds.
    pub fn of(mut seconds: Vec<f64>) -> Option<RoundTimes> {
        seconds.sort_by(f64::total_cmp);
        let at = |p| quantile(&seconds, p).map(|seconds| Quantity::new(Unit::Seconds, seconds).value());
        Some(RoundTimes { median: at(0.5)?, min: at(0.0)?, max: at(1.0)? })
    }

    /// Whether a measurement can have produced these values; a file may contain anything.
    pub fn plausible(self) -> bool {
        /// From the resolution of a clock to thirty years.
        const SECONDS: std::ops::RangeInclusive<f64> = 1e-9..=1e9;
        let RoundTimes { median, min, max } = self;
        [min, median, max].is_sorted() && SECONDS.contains(&min) && SECONDS.contains(&max)
    }

    fn texts(self) -> [String; 3] {
        [self.median, self.min, self.max].map(|seconds| Quantity::new(Unit::Seconds, seconds).text())
    }
}

impl SuiteResults {
    /// The results as a table for the terminal.
    pub fn table(&self) -> String {
        let mut rows = vec![
            ["case", "positions", "moves", "nodes", "clock", "median", "min", "max", "nodes/s"]
                .map(str::to_owned),
        ];
        rows.extend(self.cases.iter().map(|case| {
            let [median, min, max] = case.seconds.texts();
            let rate = Quantity::new(Unit::PerSecond, case.nodes as f64 / case.seconds.median.max(1e-9));
            [
                case.name.clone(),
                grouped(case.positions as u64),
                grouped(case.moves),
                grouped(case.nodes),
                case.clock.name().to_owned(),
                median,
                min,
                max,
                rate.text(),
            ]
        }));
        text_table::align_columns(&rows, text_table::Alignment::Right)
    }
}
