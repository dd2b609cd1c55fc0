//! Descriptive statistics, a least-squares fit of exponential growth, and the effective branching factor.
//!
//! Quantiles interpolate linearly between order statistics (type 7 of Hyndman & Fan, The American
//! Statistician, 1996). The effective branching factor is that of Russell & Norvig, Artificial Intelligence:
//! A Modern Approach, section "The effect of heuristic accuracy on performance".

/// The arithmetic mean; `None` for an empty sample.
pub(crate) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The sample standard deviation (divisor n − 1); `None` for fewer than two values.
pub(crate) fn standard_deviation(values: &[f64]) -> Option<f64> {
    let mean = mean(values).filter(|_| values.len() > 1)?;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Some((squares / (values.len() - 1) as f64).sqrt())
}

/// The `p`-quantile, 0 ≤ p ≤ 1, of a sample in ascending order, interpolated linearly; `None` for an empty
/// sample.
pub(crate) fn quantile(sorted: &[f64], p: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let index = p * last as f64;
    let (below, above) = (sorted[index.floor() as usize], sorted[index.ceil() as usize]);
    Some(below + (above - below) * index.fract())
}

/// The function `factor · base^x`, fitted to data points.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ExponentialFit {
    /// The growth per unit of `x`.
    pub(crate) base: f64,
    /// The value at `x = 0`.
    pub(crate) factor: f64,
    /// The coefficient of determination of the fit to the logarithms, 0 to 1.
    pub(crate) r_squared: f64,
}

impl ExponentialFit {
    /// The smallest number of points; fewer determine a line with almost no residual.
    pub(crate) const MIN_POINTS: usize = 5;
    /// The smallest number of distinct `x`.
    pub(crate) const MIN_DEPTHS: usize = 3;

    /// The least-squares fit of `ln y` against `x`; `None` for too few points or distinct `x`.
    pub(crate) fn fit(points: &[(f64, f64)]) -> Option<ExponentialFit> {
        let points: Vec<(f64, f64)> =
            points.iter().filter(|(_, y)| *y > 0.0).map(|(x, y)| (*x, y.ln())).collect();
        let mut depths: Vec<f64> = points.iter().map(|(x, _)| *x).collect();
        depths.sort_by(f64::total_cmp);
        // A zero variance of x is no reliable test for equal values: rounding errors make it positive.
        depths.dedup();
        if points.len() < ExponentialFit::MIN_POINTS || depths.len() < ExponentialFit::MIN_DEPTHS {
            return None;
        }
        let count = points.len() as f64;
        let (sum_x, sum_y) = points.iter().fold((0.0, 0.0), |(sum_x, sum_y), (x, y)| (sum_x + x, sum_y + y));
        let (mean_x, mean_y) = (sum_x / count, sum_y / count);
        let sum = |term: fn(f64, f64) -> f64| {
            let terms = points.iter().map(|(x, y)| term(x - mean_x, y - mean_y));
            terms.sum::<f64>()
        };
        let (xx, xy, yy) = (sum(|x, _| x * x), sum(|x, y| x * y), sum(|_, y| y * y));
        let slope = xy / xx;
        let r_squared = if yy > 0.0 { xy * xy / (xx * yy) } else { 1.0 };
        Some(ExponentialFit { base: slope.exp(), factor: (mean_y - slope * mean_x).exp(), r_squared })
    }

    /// The fitted value at `x`.
    pub(crate) fn at(&self, x: f64) -> f64 {
        self.factor * self.base.powf(x)
    }
}

/// The effective branching factor: the `b` for which a uniform tree of this depth has `nodes` nodes
/// including the root, `1 + b + b² + … + b^depth`. `None` for depth 0 and for a root without children.
pub(crate) fn effective_branching_factor(nodes: u64, depth: u32) -> Option<f64> {
    if depth == 0 || nodes < 2 {
        return None;
    }
    let nodes = nodes as f64;
    // The geometric sum in closed form, with `exp_m1` and `ln_1p` for accuracy near b = 1.
    let too_small = |b: f64| {
        let levels = f64::from(depth) + 1.0;
        let excess = b - 1.0;
        let tree_size = if excess == 0.0 { levels } else { (levels * excess.ln_1p()).exp_m1() / excess };
        tree_size < nodes
    };
    let (mut low, mut high) = (0.0, nodes);
    // Bisection to the precision of f64.
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if too_small(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some((low + high) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn statistics_of_small_samples_match_hand_computation() {
        let sorted = [1.0, 2.0, 3.0, 10.0];
        assert_eq!(mean(&sorted), Some(4.0));
        assert_eq!(quantile(&sorted, 0.5), Some(2.5));
        assert_eq!(quantile(&sorted, 1.0), Some(10.0));
        assert_eq!(quantile(&[7.0], 0.95), Some(7.0));
        assert!((standard_deviation(&sorted).expect("four values") - (50.0f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!((mean(&[]), quantile(&[], 0.5), standard_deviation(&[1.0])), (None, None, None));
    }

    #[test]
    fn a_fit_needs_several_points_and_depths() {
        assert_eq!(ExponentialFit::fit(&[]), None);
        let points: Vec<(f64, f64)> = (0..5).map(|x| (f64::from(x), 2f64.powi(x))).collect();
        assert_eq!(ExponentialFit::fit(&points[..4]), None, "four points");
        assert!(ExponentialFit::fit(&points).is_some());
        let two = [3.0, 3.0, 4.0, 4.0, 4.0].map(|x| (x, 7.0 * x));
        assert_eq!(ExponentialFit::fit(&two), None, "two depths");
    }

    #[test]
    fn branching_factors_match_published_and_exact_values() {
        // The example of Russell and Norvig: depth 5, 52 nodes besides the root.
        let b = effective_branching_factor(53, 5).expect("a tree");
        assert!((b - 1.92).abs() < 0.005, "{b}");
        assert_eq!(effective_branching_factor(1, 0), None);
        // A depth whose geometric sum takes too long to add up term by term.
        let deep = effective_branching_factor(1 << 40, u32::MAX).expect("a tree");
        assert!((1.0..1.001).contains(&deep), "{deep}");
        let chain = effective_branching_factor(8, 7).expect("a tree");
        assert!((chain - 1.0).abs() < 1e-9, "{chain}");
    }

    proptest! {
        /// In floating point, the mean of equal depths may differ from the depth itself.
        #[test]
        fn one_depth_gives_no_fit(
            depth in 0u32..1000,
            nodes in prop::collection::vec(1u64..1_000_000, 1..60),
        ) {
            let points: Vec<(f64, f64)> = nodes.iter().map(|&y| (f64::from(depth), y as f64)).collect();
            prop_assert_eq!(ExponentialFit::fit(&points), None);
        }

        #[test]
        fn exact_growth_is_recovered(base in 1.01f64..6.0, factor in 0.1f64..100.0, from in 0u32..20) {
            let points: Vec<(f64, f64)> =
                (from..from + 9).map(|x| (f64::from(x), factor * base.powi(x as i32))).collect();
            let growth = ExponentialFit::fit(&points).expect("nine depths");
            prop_assert!((growth.base / base - 1.0).abs() < 1e-9);
            prop_assert!((growth.factor / factor - 1.0).abs() < 1e-6);
            prop_assert!(growth.r_squared > 1.0 - 1e-9);
            prop_assert!((growth.at(4.0) / (factor * base.powi(4)) - 1.0).abs() < 1e-6);
        }

        #[test]
        fn a_uniform_tree_has_its_own_branching_factor(b in 1u64..8, depth in 1u32..12) {
            let nodes = (0..depth).fold(1, |sum, _| sum * b + 1);
            let found = effective_branching_factor(nodes, depth).expect("a tree");
            prop_assert!((found - b as f64).abs() < 1e-6, "{found} instead of {b}");
        }

        #[test]
        fn quantiles_are_monotonic(mut values in prop::collection::vec(-1e6f64..1e6, 1..50)) {
            values.sort_by(f64::total_cmp);
            let p = [0.0, 0.05, 0.5, 0.95, 1.0];
            let found: Vec<f64> = p.iter().filter_map(|&p| quantile(&values, p)).collect();
            prop_assert!(found.is_sorted());
            prop_assert_eq!(found.first(), values.first());
            prop_assert_eq!(found.last(), values.last());
        }
    }
}
