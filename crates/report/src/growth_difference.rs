//! Whether the nodes of two solvers grow differently with the solution length.
//!
//! Both solved the same positions, so the logarithms of the ratios of their nodes are fitted by a line; its
//! slope is the difference of the growth rates. A t-test of the slope (Draper & Smith, Applied Regression
//! Analysis, section 1.4) tells it from the scatter of the positions.

/// Whether the slope of a least-squares line is positive beyond its standard error, two-sided at
/// `error_rate`. False for fewer than five points or points at fewer than three places.
pub(crate) fn slope_is_positive(points: &[(f64, f64)], error_rate: f64) -> bool {
    let count = points.len() as f64;
    let mut places: Vec<f64> = points.iter().map(|(x, _)| *x).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    if points.len() < 5 || places.len() < 3 {
        return false;
    }
    let mean = |value: fn(&(f64, f64)) -> f64| points.iter().map(value).sum::<f64>() / count;
    let (mean_x, mean_y) = (mean(|point| point.0), mean(|point| point.1));
    let sum =
        |term: fn(f64, f64) -> f64| -> f64 { points.iter().map(|(x, y)| term(x - mean_x, y - mean_y)).sum() };
    let (xx, xy, yy) = (sum(|x, _| x * x), sum(|x, y| x * y), sum(|_, y| y * y));
    let slope = xy / xx;
    let residual = (yy - slope * xy).max(0.0);
    let freedom = count - 2.0;
    let standard_error = (residual / freedom / xx).sqrt();
    // Equal counts have a slope of exactly 0; the tolerance covers rounding.
    slope > 1e-9 && slope > t_quantile(1.0 - error_rate / 2.0, freedom) * standard_error
}

/// The quantile of Student's t-distribution, by bisection on the integral of its density.
fn t_quantile(p: f64, freedom: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1000.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if t_probability(middle, freedom) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// P(T ≤ t) for t ≥ 0. With t = √ν·tan θ the density becomes cos^(ν−1) θ, which Simpson's rule integrates.
fn t_probability(t: f64, freedom: f64) -> f64 {
    const STEPS: usize = 2000;
    let integral = |end: f64| {
        let width = end / STEPS as f64;
        let sum: f64 = (0..=STEPS)
            .map(|step| {
                let weight = match step {
                    0 | STEPS => 1.0,
                    odd if odd % 2 == 1 => 4.0,
                    _ => 2.0,
                };
                weight * (step as f64 * width).cos().max(0.0).powf(freedom - 1.0)
            })
            .sum();
        sum * width / 3.0
    };
    0.5 + 0.5 * integral((t / freedom.sqrt()).atan()) / integral(std::f64::consts::FRAC_PI_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_match_the_published_table() {
        for (p, freedom, published) in
            [(0.975, 3.0, 3.182), (0.995, 3.0, 5.841), (0.995, 10.0, 3.169), (0.995, 98.0, 2.627)]
        {
            let found = t_quantile(p, freedom);
            assert!((found - published).abs() < 1e-3, "{found} instead of {published}");
        }
    }

    #[test]
    fn a_slope_within_the_scatter_is_no_difference() {
        let scatter = [0.3, -0.2, 0.1, -0.3, 0.2, -0.1];
        let line = |slope: f64| -> Vec<(f64, f64)> {
            scatter.iter().enumerate().map(|(x, noise)| (x as f64, slope * x as f64 + noise)).collect()
        };
        assert!(slope_is_positive(&line(1.0), 0.01));
        assert!(!slope_is_positive(&line(0.1), 0.01) && !slope_is_positive(&line(-1.0), 0.01));
        let exact = [0.0, 1.0, 2.0, 3.0, 4.0];
        assert!(!slope_is_positive(&exact.map(|x| (x, 0.0)), 0.01), "equal counts");
        assert!(slope_is_positive(&exact.map(|x| (x, 0.5 * x)), 0.01), "no scatter");
        assert!(!slope_is_positive(&[(1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (4.0, 4.0)], 0.01), "four points");
        assert!(!slope_is_positive(&[(1.0, 1.0), (1.0, 1.0), (2.0, 2.0), (2.0, 2.0), (2.0, 2.0)], 0.01));
    }
}
