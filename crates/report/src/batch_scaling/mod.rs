//! Scaling of whole batches with threads: all positions are distributed to workers, and every search runs on
//! one thread. A batch is measured for each schedule on each number of threads.

mod run;

use serde::{Deserialize, Serialize};

use super::quantity::{Quantity, Unit};
use super::statistics::quantile;

pub(crate) use run::BatchSeries;

/// The distribution of positions to the workers of a batch.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum BatchSchedule {
    /// Equal consecutive shares, cut beforehand.
    Static,
    /// One by one.
    Dynamic,
}

impl BatchSchedule {
    /// The name in tables and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            BatchSchedule::Static => "static",
            BatchSchedule::Dynamic => "dynamic",
        }
    }
}

/// The batches to measure.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct BatchPlan {
    /// Thread counts, ascending.
    pub threads: Vec<usize>,
    /// Schedules, in the order of the tables.
    pub schedules: Vec<BatchSchedule>,
}

/// The time of a batch on a number of threads.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct BatchScaling {
    /// The solver text as requested.
    pub solver: String,
    /// The distribution of positions to threads.
    pub schedule: BatchSchedule,
    /// The number of threads.
    pub threads: usize,
    /// The smallest number of threads measured.
    #[serde(rename = "against")]
    pub baseline_threads: usize,
    /// The number of positions.
    pub positions: usize,
    /// The number of positions solved, in the round with the fewest.
    pub solved: usize,
    /// The number of measurements.
    pub rounds: usize,
    /// The median of the wall-clock seconds of a batch.
    pub seconds: Quantity,
    /// The smallest number of seconds.
    #[serde(rename = "least")]
    pub min_seconds: Quantity,
    /// The largest number of seconds.
    #[serde(rename = "most")]
    pub max_seconds: Quantity,
    /// The median of the CPU seconds of all threads.
    pub cpu_seconds: Option<Quantity>,
    /// Time on the baseline divided by time on these threads.
    pub speedup: Quantity,
    /// The speed-up divided by the ratio of thread counts.
    pub efficiency: Quantity,
}

/// One measurement of a batch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct BatchTime {
    pub(crate) seconds: f64,
    pub(crate) cpu_seconds: Option<f64>,
    pub(crate) solved: usize,
}

/// All measurements of a batch.
pub(crate) struct BatchMeasurement {
    pub(crate) solver: String,
    pub(crate) schedule: BatchSchedule,
    pub(crate) threads: usize,
    pub(crate) times: Vec<BatchTime>,
}

impl BatchMeasurement {
    fn sorted(&self, value: impl Fn(&BatchTime) -> Option<f64>) -> Vec<f64> {
        let mut values: Vec<f64> = self.times.iter().filter_map(value).collect();
        values.sort_by(f64::total_cmp);
        values
    }

    fn median_seconds(&self) -> Option<f64> {
        quantile(&self.sorted(|time| Some(time.seconds)), 0.5)
    }
}

/// Compares the batches of each solver and schedule with the one on the fewest threads.
pub(crate) fn scalings(measurements: &[BatchMeasurement], positions: usize) -> Vec<BatchScaling> {
    let scaling = |batch: &BatchMeasurement| {
        let same =
            |other: &&BatchMeasurement| other.solver == batch.solver && other.schedule == batch.schedule;
        let baseline = measurements.iter().filter(same).min_by_key(|other| other.threads)?;
        let wall = batch.sorted(|time| Some(time.seconds));
        let cpu = batch.sorted(|time| time.cpu_seconds);
        let seconds = |value: f64| Quantity::new(Unit::Seconds, value);
        let median = batch.median_seconds()?;
        let speedup = baseline.median_seconds()? / median.max(1e-9);
        let thread_ratio = batch.threads as f64 / baseline.threads as f64;
        Some(BatchScaling {
            solver: batch.solver.clone(),
            schedule: batch.schedule,
            threads: batch.threads,
            baseline_threads: baseline.threads,
            positions,
            solved: batch.times.iter().map(|time| time.solved).min()?,
            rounds: batch.times.len(),
            seconds: seconds(median),
            min_seconds: seconds(*wall.first()?),
            max_seconds: seconds(*wall.last()?),
            cpu_seconds: quantile(&cpu, 0.5).map(seconds),
            speedup: Quantity::new(Unit::Factor, speedup),
            efficiency: Quantity::new(Unit::Share, speedup / thread_ratio),
        })
    };
    measurements.iter().filter_map(scaling).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Batches of one solver with these wall times.
    pub(crate) fn batches(solver: &str, times: &[(BatchSchedule, usize, [f64; 3])]) -> Vec<BatchScaling> {
        let measurement = |&(schedule, threads, seconds): &(BatchSchedule, usize, [f64; 3])| {
            let time = |seconds| BatchTime { seconds, cpu_seconds: Some(2.0 * seconds), solved: 9 };
            BatchMeasurement { solver: solver.to_owned(), schedule, threads, times: seconds.map(time).into() }
        };
        scalings(&times.iter().map(measurement).collect::<Vec<_>>(), 10)
    }

    #[test]
    fn speedup_is_the_ratio_of_medians_within_a_schedule() {
        use BatchSchedule::{Dynamic, Static};
        let found = batches(
            "a",
            &[
                (Static, 1, [4.0, 5.0, 4.0]),
                (Dynamic, 1, [4.4, 4.2, 4.0]),
                (Static, 2, [2.5, 9.0, 2.0]),
                (Dynamic, 2, [2.0, 2.1, 2.2]),
            ],
        );
        let figures: Vec<[f64; 4]> = found
            .iter()
            .map(|batch| {
                [batch.seconds, batch.max_seconds, batch.speedup, batch.efficiency].map(Quantity::value)
            })
            .collect();
        assert_eq!(
            figures,
            [[4.0, 5.0, 1.0, 1.0], [4.2, 4.4, 1.0, 1.0], [2.5, 9.0, 1.6, 0.8], [2.1, 2.2, 2.0, 1.0]]
        );
        assert_eq!((found[0].solved, found[0].rounds, found[0].positions), (9, 3, 10));
    }
}
