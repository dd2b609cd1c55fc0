//! The arithmetic: means, quantiles, a fitted growth, a branching factor.

/// The arithmetic mean; `None` of nothing.
pub(crate) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The standard deviation of a sample; `None` of fewer than two.
pub(crate) fn deviation(values: &[f64]) -> Option<f64> {
    let mean = mean(values).filter(|_| values.len() > 1)?;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Some((squares / (values.len() - 1) as f64).sqrt())
}

/// The value below which this share of the others lies, between two of them in proportion; `sorted` is in
/// ascending order.
pub(crate) fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = share * last as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    Some(below + (above - below) * place.fract())
}

/// A growth `factor · base^x`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Growth {
    /// What each step multiplies by.
    pub(crate) base: f64,
    /// The value at 0.
    pub(crate) factor: f64,
    /// How much of the scatter of the logarithms it explains, from 0 to 1.
    pub(crate) determination: f64,
}

impl Growth {
    /// Through fewer points a line fits whatever they are: two of them always lie on one.
    pub(crate) const LEAST_POINTS: usize = 5;
    /// The same for different `x`.
    pub(crate) const LEAST_DEPTHS: usize = 3;

    /// The least squares fit of `ln y` against `x`; `None` where there is too little to fit it to.
    pub(crate) fn fit(points: &[(f64, f64)]) -> Option<Growth> {
        let points: Vec<(f64, f64)> =
            points.iter().filter(|(_, y)| *y > 0.0).map(|(x, y)| (*x, y.ln())).collect();
        let mut depths: Vec<f64> = points.iter().map(|(x, _)| *x).collect();
        depths.sort_by(f64::total_cmp);
        // Counted, not told by the scatter of x: that is binary dust where all are alike.
        depths.dedup();
        if points.len() < Growth::LEAST_POINTS || depths.len() < Growth::LEAST_DEPTHS {
            return None;
        }
        let count = points.len() as f64;
        let (x, y) = points.iter().fold((0.0, 0.0), |(sx, sy), (x, y)| (sx + x, sy + y));
        let (x, y) = (x / count, y / count);
        let sum = |term: fn(f64, f64) -> f64| points.iter().map(|(px, py)| term(px - x, py - y)).sum::<f64>();
        let (xx, xy, yy) = (sum(|x, _| x * x), sum(|x, y| x * y), sum(|_, y| y * y));
        let slope = xy / xx;
        let determination = if yy > 0.0 { xy * xy / (xx * yy) } else { 1.0 };
        Some(Growth { base: slope.exp(), factor: (y - slope * x).exp(), determination })
    }

    /// The value at `x`.
    pub(crate) fn at(&self, x: f64) -> f64 {
        self.factor * self.base.powf(x)
    }
}

/// The effective branching factor: the `b` for which a uniform tree of this depth, `1 + b + b² + … + b^depth`, has
/// this many nodes, the root among them.
pub(crate) fn branching(nodes: u64, depth: u32) -> Option<f64> {
    if depth == 0 || nodes < 2 {
        return None;
    }
    let nodes = nodes as f64;
    // The sum in closed form, exact near 1 too: adding it up would take as long as the tree is deep.
    let fewer = |b: f64| {
        let levels = f64::from(depth) + 1.0;
        let more = b - 1.0;
        let tree = if more == 0.0 { levels } else { (levels * more.ln_1p()).exp_m1() / more };
        tree < nodes
    };
    let (mut low, mut high) = (0.0, nodes);
    // Halving until doubles cannot tell the ends apart.
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if fewer(middle) {
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
    fn small_samples_by_hand() {
        let sorted = [1.0, 2.0, 3.0, 10.0];
        assert_eq!(mean(&sorted), Some(4.0));
        assert_eq!(quantile(&sorted, 0.5), Some(2.5));
        assert_eq!(quantile(&sorted, 1.0), Some(10.0));
        assert_eq!(quantile(&[7.0], 0.95), Some(7.0));
        assert!((deviation(&sorted).expect("four values") - (50.0f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!((mean(&[]), quantile(&[], 0.5), deviation(&[1.0])), (None, None, None));
    }

    #[test]
    fn a_growth_needs_several_depths_and_points() {
        assert_eq!(Growth::fit(&[]), None);
        let points: Vec<(f64, f64)> = (0..5).map(|x| (f64::from(x), 2f64.powi(x))).collect();
        assert_eq!(Growth::fit(&points[..4]), None, "four points");
        assert!(Growth::fit(&points).is_some());
        let two = [3.0, 3.0, 4.0, 4.0, 4.0].map(|x| (x, 7.0 * x));
        assert_eq!(Growth::fit(&two), None, "two depths");
    }

    #[test]
    fn known_branching_factors() {
        // The example of Russell and Norvig: depth 5, 52 nodes besides the root.
        let b = branching(53, 5).expect("a tree");
        assert!((b - 1.92).abs() < 0.005, "{b}");
        assert_eq!(branching(1, 0), None);
        // Depths that take too long to add up.
        let deep = branching(1 << 40, u32::MAX).expect("a tree");
        assert!((1.0..1.001).contains(&deep), "{deep}");
        let chain = branching(8, 7).expect("a tree");
        assert!((chain - 1.0).abs() < 1e-9, "{chain}");
    }

    proptest! {
        /// Ten times 0.9 is not 9 in binary: the mean of equal depths is not that depth.
        #[test]
        fn no_growth_is_fitted_to_one_depth(
            depth in 0u32..1000,
            nodes in prop::collection::vec(1u64..1_000_000, 1..60),
        ) {
            let points: Vec<(f64, f64)> = nodes.iter().map(|&y| (f64::from(depth), y as f64)).collect();
            prop_assert_eq!(Growth::fit(&points), None);
        }

        #[test]
        fn an_exact_growth_is_found(base in 1.01f64..6.0, factor in 0.1f64..100.0, from in 0u32..20) {
            let points: Vec<(f64, f64)> =
                (from..from + 9).map(|x| (f64::from(x), factor * base.powi(x as i32))).collect();
            let growth = Growth::fit(&points).expect("nine depths");
            prop_assert!((growth.base / base - 1.0).abs() < 1e-9);
            prop_assert!((growth.factor / factor - 1.0).abs() < 1e-6);
            prop_assert!(growth.determination > 1.0 - 1e-9);
            prop_assert!((growth.at(4.0) / (factor * base.powi(4)) - 1.0).abs() < 1e-6);
        }

        #[test]
        fn a_uniform_tree_has_its_own_branching_factor(b in 1u64..8, depth in 1u32..12) {
            let nodes = (0..depth).fold(1, |sum, _| sum * b + 1);
            let found = branching(nodes, depth).expect("a tree");
            prop_assert!((found - b as f64).abs() < 1e-6, "{found} instead of {b}");
        }

        #[test]
        fn quantiles_lie_in_order(mut values in prop::collection::vec(-1e6f64..1e6, 1..50)) {
            values.sort_by(f64::total_cmp);
            let found: Vec<f64> = [0.0, 0.05, 0.5, 0.95, 1.0].iter().filter_map(|&q| quantile(&values, q)).collect();
            prop_assert!(found.is_sorted());
            prop_assert_eq!(found.first(), values.first());
            prop_assert_eq!(found.last(), values.last());
        }
    }
}
