//! All tests between the configurations of an analysis, at one common error rate.
//!
//! Every pair of configurations is compared by several quantities. Each test gets an equal share of
//! [`ERROR_RATE`] (Bonferroni), so the rate holds for all claims of the analysis together, and all
//! confidence intervals hold simultaneously at this rate. Holm's procedure would reject more, but has no such
//! intervals.

use std::collections::BTreeMap;

use super::analysis::{Rows, SolverResult};
use super::growth_difference::slope_is_positive;
use super::paired::{ERROR_RATE, Measure, PairedComparison, PairedTest};
use super::row::{Row, RowWithBest};

/// The results of all tests.
#[derive(Default)]
pub(crate) struct Comparisons {
    /// Every pair of configurations, compared on the common positions.
    pub(crate) paired: Vec<PairedComparison>,
    /// Pairs of labels whose nodes grow differently with the length, the slower growth first.
    pub(crate) growth_differences: Vec<(String, String)>,
}

/// The paired values of two configurations.
struct Sample<'a> {
    measure: Measure,
    solvers: [&'a SolverResult; 2],
    pairs: Vec<(f64, f64)>,
}

impl Sample<'_> {
    /// Whether the values vary from run to run. Counts of single-threaded searches are exact: their
    /// differences are facts, so they need no share of the error rate.
    fn is_noisy(&self) -> bool {
        let is_time = matches!(self.measure, Measure::CpuSeconds | Measure::Seconds);
        is_time || self.solvers.iter().any(|solver| solver.configuration.threads > 1)
    }
}

/// The nodes of two configurations: for every position that both solved, its length and the logarithm of the
/// second's nodes over the first's.
struct GrowthSample<'a> {
    solvers: [&'a SolverResult; 2],
    points: Vec<(f64, f64)>,
}

impl Comparisons {
    /// Runs all tests; paired values are compared on the common positions.
    pub(crate) fn of(solvers: &[SolverResult], common_positions: &[usize], rows: &Rows<'_>) -> Comparisons {
        let solved: Vec<BTreeMap<usize, &Row>> =
            solvers.iter().map(|solver| solved_rows(&rows.of(&solver.configuration))).collect();
        let samples = samples(solvers, &solved, common_positions);
        let growth = growth_samples(solvers, &solved, rows);
        let noisy = samples.iter().filter(|sample| sample.is_noisy() && !sample.pairs.is_empty()).count();
        let error_rate = ERROR_RATE / (noisy + growth.len()).max(1) as f64;
        let paired = samples.into_iter().map(|Sample { measure, solvers: [first, second], pairs }| {
            PairedTest::of(&pairs, error_rate).named(measure, &first.label, &second.label)
        });
        let mut growth_differences = Vec::new();
        for GrowthSample { solvers: [first, second], points } in growth {
            let reversed: Vec<(f64, f64)> = points.iter().map(|(length, log)| (*length, -log)).collect();
            for (slow, fast, points) in [(first, second, &points), (second, first, &reversed)] {
                if slope_is_positive(points, error_rate) {
                    growth_differences.push((slow.label.clone(), fast.label.clone()));
                }
            }
        }
        Comparisons { paired: paired.collect(), growth_differences }
    }
}

/// The solved positions of one configuration.
fn solved_rows<'a>(rows: &[RowWithBest<'a>]) -> BTreeMap<usize, &'a Row> {
    rows.iter().filter(|(row, _)| row.solved()).map(|(row, _)| (row.position, *row)).collect()
}

/// The indices of every pair of `count` configurations.
fn index_pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |first| (first + 1..count).map(move |second| (first, second)))
}

fn samples<'a>(
    solvers: &'a [SolverResult],
    solved: &[BTreeMap<usize, &Row>],
    common_positions: &[usize],
) -> Vec<Sample<'a>> {
    use Measure::{CpuSeconds, Generated, PeakBytes, Seconds};
    let mut samples = Vec::new();
    for measure in [CpuSeconds, Seconds, Generated, PeakBytes] {
        for (first, second) in index_pairs(solvers.len()) {
            let value_at = |index: usize, position| measure.value(solved[index].get(position)?);
            let pairs = common_positions
                .iter()
                .filter_map(|position| Some((value_at(first, position)?, value_at(second, position)?)))
                .collect();
            samples.push(Sample { measure, solvers: [&solvers[first], &solvers[second]], pairs });
        }
    }
    samples
}

fn growth_samples<'a>(
    solvers: &'a [SolverResult],
    solved: &[BTreeMap<usize, &Row>],
    rows: &Rows<'_>,
) -> Vec<GrowthSample<'a>> {
    let has_fit = |index: usize| solvers[index].growth.is_some();
    let fitted = index_pairs(solvers.len()).filter(|(first, second)| has_fit(*first) && has_fit(*second));
    let sample = |(first, second): (usize, usize)| {
        let points = solved[first].iter().filter_map(|(position, row)| {
            let length = rows.best_known(*position)?.length;
            let ratio = solved[second].get(position)?.generated as f64 / row.generated as f64;
            Some((f64::from(length), ratio.ln())).filter(|(_, log)| log.is_finite())
        });
        GrowthSample { solvers: [&solvers[first], &solvers[second]], points: points.collect() }
    };
    fitted.map(sample).collect()
}

#[cfg(test)]
mod tests {
    use super::super::analysis::tests::analysis;
    use super::super::paired::Verdict;
    use super::super::row::Row;
    use super::super::row::tests::solved;
    use super::*;

    /// Two solvers have two sign tests (CPU and wall time). The smallest two-sided p-value of n pairs is 2 ·
    /// 2^-n, which must be at most 0.01 / 2: nine positions. Four solvers have twelve tests and need twelve.
    #[test]
    fn more_tests_need_more_positions() {
        let names = ["a", "b", "c", "d"];
        for (count, smallest) in [(2, 9), (4, 12)] {
            for positions in [smallest - 1, smallest] {
                let rows: Vec<Row> = (1..=positions)
                    .flat_map(|position| {
                        names[..count]
                            .iter()
                            .enumerate()
                            .map(move |(index, name)| solved(position, name, 9, 100, 9f64.powi(index as i32)))
                    })
                    .collect();
                let verdict = analysis(&names[..count], &rows).verdict(Measure::CpuSeconds, "a", "b");
                let expected = if positions < smallest { Verdict::FewPositions } else { Verdict::Less };
                assert_eq!(verdict, expected, "{count} solvers on {positions} positions");
            }
        }
    }
}
