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

use crate::published::Agreement;
use crate::quantity::{Quantity, Unit};
use crate::statistics::quantile;
use untumble_search::puzzle::Cost;
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
    /// The searches on published positions in the last round.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub published: Vec<PublishedSearch>,
}

/// A search on a published position beside the published results.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
pub struct PublishedSearch {
    /// The number in the published list.
    pub instance: u32,
    /// The published optimal length.
    pub published_length: Cost,
    /// The published number of generated nodes.
    pub published_nodes: Option<u64>,
    /// The length of the solution.
    pub length: Cost,
    /// Nodes generated.
    pub nodes: u64,
    /// The length compared with the published one.
    pub agreement: Agreement,
}

impl CaseResult {
    /// The agreement with the published lengths as a sentence; `None` for other positions.
    fn published_sentence(&self) -> Option<String> {
        let with = |agreement| self.published.iter().filter(move |search| search.agreement == agreement);
        let instances = |agreement| {
            with(agreement).map(|search| search.instance.to_string()).collect::<Vec<_>>().join(", ")
        };
        let (equal, all) = (with(Agreement::Equal).count(), self.published.len());
        if all == 0 {
            return None;
        }
        let [equal, all] = [equal, all].map(|count| grouped(count as u64));
        let mut text = format!("{}: {equal} of {all} solutions have the published length", self.name);
        if with(Agreement::Longer).next().is_some() {
            text.push_str(&format!("; longer: instance {}", instances(Agreement::Longer)));
        }
        if with(Agreement::Contradiction).next().is_some() {
            let numbers = instances(Agreement::Contradiction);
            text.push_str(&format!("; CONTRADICTION: another optimal length at instance {numbers}"));
        }
        Some(text + ".")
    }
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
    /// The agreement of each case with the published lengths.
    pub fn published_sentences(&self) -> Vec<String> {
        self.cases.iter().filter_map(CaseResult::published_sentence).collect()
    }

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
