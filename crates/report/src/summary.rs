//! Summary statistics of one configuration (a solver with a thread limit), over all positions or those of
//! one group. They are computed from [`Row`]s, one for each search.

use std::collections::BTreeMap;

use serde::Serialize;

use super::quantity::{Quantity, Unit};
use super::row::{BestKnown, Row, RowWithBest};
use super::statistics::{effective_branching_factor, mean, quantile, standard_deviation};

/// Mean, quantiles and standard deviation of a sample.
#[derive(Serialize, Clone, Copy, PartialEq, Debug)]
pub struct Distribution {
    /// The arithmetic mean.
    pub mean: Quantity,
    /// The median.
    pub median: Quantity,
    /// The 5th percentile.
    pub p05: Quantity,
    /// The 95th percentile.
    pub p95: Quantity,
    /// The maximum.
    pub max: Quantity,
    /// The sample standard deviation; `None` for a single value.
    pub deviation: Option<Quantity>,
}

impl Distribution {
    /// The distribution of these values; `None` for an empty sample.
    pub fn of(unit: Unit, values: impl IntoIterator<Item = f64>) -> Option<Distribution> {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let quantity = |value: f64| Quantity::new(unit, value);
        let quantile = |p: f64| quantile(&values, p).map(quantity);
        Some(Distribution {
            mean: quantity(mean(&values)?),
            median: quantile(0.5)?,
            p05: quantile(0.05)?,
            p95: quantile(0.95)?,
            max: quantile(1.0)?,
            deviation: standard_deviation(&values).map(quantity),
        })
    }
}

/// Counts of solutions. Findings are derived from these exact counts, never from rounded shares.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolutionCounts {
    /// All solutions, including those of searches that a limit stopped.
    pub found: u64,
    /// Proven optimal by the search that found them.
    pub proven: u64,
    /// Proven optimal by any search.
    pub shortest: u64,
    /// Longer than the best known solution.
    pub longer: u64,
}

/// Counts and statistics of the searches of one configuration.
///
/// Time and nodes are summarised over solved positions only, because the full cost of a stopped search is
/// unknown. Solution statistics cover all solutions, including those of stopped searches.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Summary {
    /// The number of positions.
    pub positions: u64,
    /// Positions whose search finished with a solution.
    pub solved: u64,
    /// Searches that a limit stopped.
    pub stopped: u64,
    /// Stopped searches by the name of the limit.
    pub stops: BTreeMap<String, u64>,
    /// Counts of the solutions found.
    pub solutions: SolutionCounts,
    /// Wall-clock seconds.
    pub seconds: Option<Distribution>,
    /// CPU seconds of all threads; `None` if they were not measured.
    pub cpu_seconds: Option<Distribution>,
    /// Nodes generated.
    pub generated: Option<Distribution>,
    /// Distinct states if the solver counts them, otherwise nodes expanded.
    pub visited: Option<Distribution>,
    /// Generated nodes per second: total nodes divided by total time.
    pub rate: Option<Quantity>,
    /// Solution lengths.
    pub length: Option<Distribution>,
    /// The share of the solutions that their own search proved optimal.
    pub proven: Option<Quantity>,
    /// The share of the solutions that any search proved optimal.
    pub shortest: Option<Quantity>,
    /// The share of the solutions that are longer than the best known.
    pub longer: Option<Quantity>,
    /// The mean number of moves by which these longer solutions exceed the best known.
    pub excess: Option<Quantity>,
    /// Peak memory in bytes of all started searches, including stopped ones.
    pub peak_bytes: Option<Distribution>,
    /// The mean effective branching factor.
    pub branching: Option<Quantity>,
}

impl Summary {
    /// Summarises rows of one configuration.
    pub fn of(rows: &[RowWithBest<'_>]) -> Summary {
        let solved: Vec<&RowWithBest<'_>> = rows.iter().filter(|(row, _)| row.solved()).collect();
        let values = |value: fn(&Row) -> f64| solved.iter().map(move |(row, _)| value(row));
        let count = |condition: fn(&Row, BestKnown) -> bool| {
            rows.iter().filter(|(row, best)| best.is_some_and(|best| condition(row, best))).count() as u64
        };
        let solutions = SolutionCounts {
            found: count(|row, _| row.length.is_some()),
            proven: count(|row, _| row.length.is_some() && row.optimal),
            shortest: count(|row, best| best.optimal && row.length == Some(best.length)),
            longer: count(|row, best| row.length > Some(best.length)),
        };
        let share = |count: u64| {
            (solutions.found > 0).then(|| Quantity::new(Unit::Share, count as f64 / solutions.found as f64))
        };
        let mut stops = BTreeMap::new();
        for (row, _) in rows.iter().filter(|(row, _)| row.stopped()) {
            *stops.entry(row.stop.clone().unwrap_or_default()).or_insert(0) += 1;
        }
        let seconds: f64 = values(|row| row.seconds).sum();
        let excess: Vec<f64> = rows.iter().filter_map(|(row, best)| excess(row, *best)).collect();
        let branching_factors: Vec<f64> = solved
            .iter()
            .filter_map(|(row, best)| effective_branching_factor(row.generated, (*best)?.length))
            .collect();
        Summary {
            positions: rows.len() as u64,
            solved: solved.len() as u64,
            stopped: stops.values().sum(),
            stops,
            solutions,
            seconds: Distribution::of(Unit::Seconds, values(|row| row.seconds)),
            cpu_seconds: Distribution::of(
                Unit::Seconds,
                solved.iter().filter_map(|(row, _)| row.cpu_seconds),
            ),
            generated: Distribution::of(Unit::Count, values(|row| row.generated as f64)),
            visited: Distribution::of(Unit::Count, values(|row| row.visited as f64)),
            rate: (seconds > 0.0).then(|| {
                Quantity::new(Unit::PerSecond, values(|row| row.generated as f64).sum::<f64>() / seconds)
            }),
            length: Distribution::of(
                Unit::Count,
                rows.iter().filter_map(|(row, _)| row.length.map(f64::from)),
            ),
            proven: share(solutions.proven),
            shortest: share(solutions.shortest),
            longer: share(solutions.longer),
            excess: mean(&excess).map(|mean| Quantity::new(Unit::Count, mean)),
            peak_bytes: Distribution::of(
                Unit::Bytes,
                rows.iter().filter(|(row, _)| row.started()).map(|(row, _)| row.peak_bytes as f64),
            ),
            branching: mean(&branching_factors).map(|mean| Quantity::new(Unit::Factor, mean)),
        }
    }

    /// Whether there is at least one solution and every solution is proven optimal by some search.
    pub fn all_optimal(&self) -> bool {
        self.solutions.found > 0 && self.solutions.shortest == self.solutions.found
    }
}

/// The excess of a solution over the best known, in moves; `None` if there is no excess.
fn excess(row: &Row, best: Option<BestKnown>) -> Option<f64> {
    let excess = row.length?.checked_sub(best?.length)?;
    (excess > 0).then(|| f64::from(excess))
}

#[cfg(test)]
mod tests {
    use super::super::row::tests::{solved, stopped};
    use super::*;

    #[test]
    fn means_exclude_stopped_searches() {
        let best = Some(BestKnown { length: 10, optimal: true });
        let long = Row { length: Some(14), optimal: false, ..solved(2, "a", 14, 300, 0.3) };
        let rows = [solved(1, "a", 10, 100, 0.1), long, stopped(3, "a")];
        let rows: Vec<RowWithBest<'_>> = rows.iter().map(|row| (row, best)).collect();
        let summary = Summary::of(&rows);
        assert_eq!((summary.positions, summary.solved, summary.stopped), (3, 2, 1));
        assert_eq!(summary.stops.get("time"), Some(&1));
        let value = |quantity: Option<Quantity>| quantity.map(Quantity::value);
        assert_eq!(summary.seconds.map(|distribution| distribution.mean.value()), Some(0.2));
        assert_eq!(summary.generated.map(|distribution| distribution.max.value()), Some(300.0));
        assert_eq!(value(summary.rate), Some(1000.0));
        assert_eq!(value(summary.proven), Some(0.5));
        assert_eq!(value(summary.shortest), Some(0.5));
        assert_eq!((value(summary.longer), value(summary.excess)), (Some(0.5), Some(4.0)));
    }

    #[test]
    fn solutions_of_stopped_searches_are_counted() {
        let best = Some(BestKnown { length: 10, optimal: false });
        let rows = [
            Row { length: Some(12), peak_bytes: 1 << 20, ..stopped(1, "a") },
            Row { optimal: false, lower_bound: 0, ..solved(2, "a", 10, 100, 0.1) },
        ];
        let rows: Vec<RowWithBest<'_>> = rows.iter().map(|row| (row, best)).collect();
        let summary = Summary::of(&rows);
        assert_eq!((summary.solved, summary.stopped), (1, 1));
        assert_eq!(summary.solutions, SolutionCounts { found: 2, proven: 0, shortest: 0, longer: 1 });
        assert_eq!(summary.length.map(|distribution| distribution.mean.value()), Some(11.0));
        assert_eq!(summary.longer.map(Quantity::value), Some(0.5));
        assert_eq!(summary.excess.map(Quantity::value), Some(2.0));
        assert_eq!(
            summary.seconds.map(|distribution| distribution.max.value()),
            Some(0.1),
            "the full time of a stopped search is unknown"
        );
        assert_eq!(summary.peak_bytes.map(|distribution| distribution.max.value()), Some(f64::from(1 << 20)));
    }

    #[test]
    fn rounded_shares_never_reach_all_or_none() {
        let best = Some(BestKnown { length: 10, optimal: true });
        let long = Row { optimal: false, ..solved(1, "a", 12, 100, 0.1) };
        let short = solved(2, "a", 10, 100, 0.1);
        let mut rows: Vec<RowWithBest<'_>> = vec![(&short, best); 29_999];
        rows.push((&long, best));
        let summary = Summary::of(&rows);
        assert!(!summary.all_optimal());
        let text = |share: Option<Quantity>| share.map(Quantity::text).expect("a share");
        assert_eq!(
            [summary.proven, summary.shortest, summary.longer].map(text),
            ["99.99 %", "99.99 %", "0.01 %"]
        );
    }

    #[test]
    fn no_solved_position_gives_no_statistics() {
        let row = stopped(1, "a");
        let summary = Summary::of(&[(&row, None)]);
        assert_eq!((summary.seconds, summary.rate, summary.proven, summary.excess), (None, None, None, None));
        assert!(!summary.all_optimal());
    }
}
