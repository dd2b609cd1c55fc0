//! Paired comparison of two configurations on the same positions.
//!
//! Times vary from run to run, so two means always differ. The sign test decides instead: the median of the
//! ratios of paired values, one per position, has a confidence interval between two order statistics,
//! whatever the distribution of the noise (Conover, Practical Nonparametric Statistics, section 3.4). The
//! configurations differ if the whole interval and the ratio of the totals are on the same side of 1, by at
//! least [`MARGIN`]. Effects of memory layout and of the order of the searches stay below that margin.

use serde::Serialize;

use super::quantity::{Quantity, Unit};
use super::row::Row;

/// The family-wise error rate: the probability that an analysis reports at least one false difference, over
/// all its pairs and quantities.
pub const ERROR_RATE: f64 = 0.01;
/// The smallest relative difference that counts.
pub const MARGIN: f64 = 0.05;

/// The quantity that is compared.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// CPU time of all threads.
    CpuSeconds,
    /// Wall-clock time.
    Seconds,
    /// Nodes generated; they vary if several threads search.
    Generated,
    /// Peak memory; it varies if several threads search.
    PeakBytes,
}

impl Measure {
    /// The quantity of one search; `None` if it was not measured.
    pub(crate) fn value(self, row: &Row) -> Option<f64> {
        match self {
            Measure::CpuSeconds => row.cpu_seconds,
            Measure::Seconds => Some(row.seconds),
            Measure::Generated => Some(row.generated as f64),
            Measure::PeakBytes => Some(row.peak_bytes as f64),
        }
    }
}

/// The result of a paired comparison.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The first configuration has smaller values.
    Less,
    /// The first configuration has larger values.
    Greater,
    /// The difference is within noise.
    Noise,
    /// There are too few positions for a test at this error rate.
    FewPositions,
}

impl Verdict {
    /// The verdict with first and second exchanged.
    pub(crate) fn reversed(self) -> Verdict {
        match self {
            Verdict::Less => Verdict::Greater,
            Verdict::Greater => Verdict::Less,
            same => same,
        }
    }
}

/// Two configurations compared on their common positions.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct PairedComparison {
    /// The quantity.
    pub measure: Measure,
    /// The label of the first configuration.
    pub first: String,
    /// The label of the second configuration.
    pub second: String,
    /// The number of positions with a value of both.
    pub positions: usize,
    /// The median over the positions of the first value divided by the second.
    pub ratio: Option<Quantity>,
    /// The smallest ratio of the confidence interval; `None` for too few positions.
    pub low: Option<Quantity>,
    /// The largest ratio of the confidence interval.
    pub high: Option<Quantity>,
    /// Which configuration has smaller values.
    pub verdict: Verdict,
}

/// The test of one pair, without labels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct PairedTest {
    pub(crate) positions: usize,
    pub(crate) ratio: Option<f64>,
    pub(crate) interval: Option<(f64, f64)>,
    pub(crate) verdict: Verdict,
}

impl PairedTest {
    /// Tests pairs of positive values at this error rate; other pairs are left out.
    pub(crate) fn of(pairs: &[(f64, f64)], error_rate: f64) -> PairedTest {
        let usable = pairs.iter().filter(|(a, b)| *a > 0.0 && *b > 0.0);
        let mut ratios: Vec<f64> = usable.clone().map(|(a, b)| a / b).collect();
        ratios.sort_by(f64::total_cmp);
        let (total_a, total_b) = usable.fold((0.0, 0.0), |(sum_a, sum_b), (a, b)| (sum_a + a, sum_b + b));
        let total_ratio = total_a / total_b;
        let interval = interval_rank(ratios.len(), error_rate)
            .map(|rank| (ratios[rank - 1], ratios[ratios.len() - rank]));
        let verdict = match interval {
            None => Verdict::FewPositions,
            Some((low, _)) if low.min(total_ratio) > 1.0 + MARGIN => Verdict::Greater,
            Some((_, high)) if high.max(total_ratio) < 1.0 / (1.0 + MARGIN) => Verdict::Less,
            Some(_) => Verdict::Noise,
        };
        let ratio = super::statistics::quantile(&ratios, 0.5);
        PairedTest { positions: ratios.len(), ratio, interval, verdict }
    }

    pub(crate) fn named(self, measure: Measure, first: &str, second: &str) -> PairedComparison {
        let factor = |value: f64| Quantity::new(Unit::Factor, value);
        PairedComparison {
            measure,
            first: first.to_owned(),
            second: second.to_owned(),
            positions: self.positions,
            ratio: self.ratio.map(factor),
            low: self.interval.map(|(low, _)| factor(low)),
            high: self.interval.map(|(_, high)| factor(high)),
            verdict: self.verdict,
        }
    }
}

/// The largest `rank` for which the values of rank `rank` from below and from above enclose the median of the
/// distribution with probability 1 − `error_rate`; `None` if even the extremes do not.
fn interval_rank(count: usize, error_rate: f64) -> Option<usize> {
    // The number of values below the median is binomial with p = 1/2. Logarithms avoid underflow.
    let mut log_term = -(count as f64) * std::f64::consts::LN_2;
    let mut tail = 0.0;
    let mut rank = 0;
    while 2 * rank < count {
        tail += log_term.exp();
        if 2.0 * tail > error_rate {
            break;
        }
        log_term += ((count - rank) as f64 / (rank + 1) as f64).ln();
        rank += 1;
    }
    (rank > 0).then_some(rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table of the sign test (Conover, table A3): the ranks of the 95 % and 99 % intervals of the median.
    #[test]
    fn ranks_of_intervals_match_published_ones() {
        for (count, rank95, rank99) in [(5, None, None), (6, Some(1), None), (8, Some(1), Some(1))] {
            assert_eq!((interval_rank(count, 0.05), interval_rank(count, 0.01)), (rank95, rank99), "{count}");
        }
        for (count, rank95, rank99) in [(10, 2, 1), (20, 6, 4), (50, 18, 16), (100, 40, 37)] {
            assert_eq!(interval_rank(count, 0.05), Some(rank95), "{count}");
            assert_eq!(interval_rank(count, 0.01), Some(rank99), "{count}");
        }
    }

    #[test]
    fn many_positions_do_not_underflow() {
        let rank = interval_rank(1_000_000, 0.01).expect("an interval");
        // The normal approximation: half the count less 2.576 standard deviations of √count / 2.
        assert!(rank.abs_diff(500_000 - 1288) <= 2, "{rank}");
    }

    #[test]
    fn a_difference_needs_positions_margin_and_agreeing_totals() {
        let verdict = |pairs: &[(f64, f64)]| PairedTest::of(pairs, ERROR_RATE).verdict;
        assert_eq!(verdict(&[(1.0, 9.0); 7]), Verdict::FewPositions);
        assert_eq!(verdict(&[(1.0, 9.0); 8]), Verdict::Less);
        assert_eq!(verdict(&[(9.0, 1.0); 8]), Verdict::Greater);
        assert_eq!(verdict(&[(1.04, 1.0); 100]), Verdict::Noise, "below the margin");
        let mut pairs = vec![(1.0, 2.0); 99];
        pairs.push((1000.0, 1.0));
        assert_eq!(verdict(&pairs), Verdict::Noise, "the totals disagree");
        assert_eq!(verdict(&[(0.0, 1.0); 100]), Verdict::FewPositions, "no ratios");
    }
}
