//! The setup of an experiment: everything that two runs must share for their rows to be combined.

use serde::{Deserialize, Serialize};

use super::batch_scaling::BatchPlan;
use super::instances::Origin;

/// The setup of an experiment, as written into the results.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Setup {
    /// The version of untumble.
    #[serde(rename = "untumble")]
    pub untumble_version: String,
    /// The puzzle's full name.
    pub puzzle: String,
    /// The goal as requested; `None` is the default of the puzzle.
    pub goal: Option<String>,
    /// The metric as requested; `None` is the default of the puzzle.
    pub metric: Option<String>,
    /// Where the positions come from.
    pub origin: Origin,
    /// The number of positions.
    pub positions: usize,
    /// Limits of each search.
    pub limits: RequestedLimits,
    /// The configurations, in the order in which all tables list them.
    #[serde(rename = "entrants")]
    pub configurations: Vec<Configuration>,
    /// The whole batches to measure besides the searches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch_plan: Option<BatchPlan>,
}

/// The limits of each search as requested; `None` is no limit.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
pub struct RequestedLimits {
    /// Seconds.
    pub seconds: Option<f64>,
    /// Generated nodes.
    pub nodes: Option<u64>,
    /// Bytes of memory.
    pub memory: Option<u64>,
}

/// A solver on a number of threads.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Configuration {
    /// The solver text as requested.
    pub solver: String,
    /// The thread limit of each search.
    pub threads: usize,
}

impl Setup {
    /// The name of a configuration in tables: the solver, with its threads if it has several configurations.
    pub fn label(&self, configuration: &Configuration) -> String {
        let Configuration { solver, threads } = configuration;
        let count = self.configurations.iter().filter(|other| other.solver == *solver).count();
        match (count, threads) {
            (0 | 1, _) => solver.clone(),
            (_, 1) => format!("{solver} (1 thread)"),
            (_, threads) => format!("{solver} ({threads} threads)"),
        }
    }
}
