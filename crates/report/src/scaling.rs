//! Scaling of a search with its threads.

use serde::Serialize;

use super::analysis::Rows;
use super::quantity::{Quantity, Unit};
use super::setup::Configuration;

/// The speed-up of a solver relative to its run with the fewest threads, the baseline.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct ThreadScaling {
    /// Solver and threads.
    #[serde(flatten)]
    pub configuration: Configuration,
    /// The smallest thread count that the solver was measured on.
    #[serde(rename = "against")]
    pub baseline_threads: usize,
    /// The number of positions that both configurations solved.
    pub positions: usize,
    /// Time on the baseline divided by time on these threads.
    pub speedup: Quantity,
    /// The speed-up divided by the ratio of thread counts.
    pub efficiency: Quantity,
}

/// Compares the configurations of each solver that was measured on several thread counts with its baseline,
/// the configuration with the fewest threads. The baseline itself is listed too.
pub(crate) fn scaling(configurations: &[Configuration], rows: &Rows<'_>) -> Vec<ThreadScaling> {
    let mut scalings = Vec::new();
    for configuration in configurations {
        let of_solver = configurations.iter().filter(|other| other.solver == configuration.solver);
        let Some(baseline) = of_solver.clone().min_by_key(|other| other.threads) else { continue };
        if of_solver.count() < 2 {
            continue;
        }
        let solved_by_both = rows.solved_by_all(&[configuration, baseline]);
        let total_seconds = |configuration: &Configuration| -> f64 {
            let rows = rows.of(configuration);
            rows.iter()
                .filter(|(row, _)| solved_by_both.binary_search(&row.position).is_ok())
                .map(|(row, _)| row.seconds)
                .sum()
        };
        let (baseline_seconds, seconds) = (total_seconds(baseline), total_seconds(configuration));
        if seconds <= 0.0 {
            continue;
        }
        let speedup = baseline_seconds / seconds;
        let thread_ratio = configuration.threads as f64 / baseline.threads as f64;
        scalings.push(ThreadScaling {
            configuration: configuration.clone(),
            baseline_threads: baseline.threads,
            positions: solved_by_both.len(),
            speedup: Quantity::new(Unit::Factor, speedup),
            efficiency: Quantity::new(Unit::Share, speedup / thread_ratio),
        });
    }
    scalings
}
