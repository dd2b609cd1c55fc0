//! Fitting weights to examples: the mean of tanh(w·Δ) made small, by Adam on few places at a time.

use rand::Rng;

use super::TrainingTask;
use super::gather::Example;
use crate::perm::shuffle;

/// Examples that make a step together.
const BATCH: usize = 256;
/// Every example is seen so often.
const EPOCHS: usize = 12;
/// How far a step goes at first, as a share of a weight.
const RATE: f64 = 0.02;
/// How strongly a weight is held at the size it has by and large: what is seldom met should not run away.
const HOLD: f64 = 0.002;
const MOMENTUM: f64 = 0.9;
const SPREAD: f64 = 0.999;

/// Fits weights; returns the loss before and after.
pub(super) fn fit<S: TrainingTask>(
    school: &S,
    weights: &mut [f64],
    examples: &[&Example],
    rng: &mut (dyn Rng + Send),
) -> (f64, f64) {
    let scale = scale(weights, examples);
    let before = loss(weights, examples, scale);
    // Steps are shares of what a weight was to begin with: weights of far tiles are a hundred times those of near ones.
    let size = school.first();
    let (mut mean, mut square) = (vec![0.0; weights.len()], vec![0.0; weights.len()]);
    let mut gradient = vec![0.0; weights.len()];
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let steps = EPOCHS * examples.len().div_ceil(BATCH);
    let mut step = 0;
    for _ in 0..EPOCHS {
        shuffle(&mut order, rng);
        for batch in order.chunks(BATCH) {
            step += 1;
            gradient.fill(0.0);
            for &number in batch {
                let example = examples[number];
                let slope = 1.0 - (scale * dot(weights, example)).tanh().powi(2);
                for &(place, difference) in example {
                    gradient[usize::from(place)] += slope * f64::from(difference) / batch.len() as f64;
                }
            }
            // Slower and slower, so that it comes to rest.
            let rate = RATE * (1.0 - f64::from(step) / steps as f64);
            let warm = |decay: f64| 1.0 - decay.powi(step);
            for place in 0..weights.len() {
                let held = if size[place] > 0.0 { HOLD * (weights[place] / size[place] - 1.0) } else { 0.0 };
                let slope = gradient[place] * size[place] * scale + held;
                mean[place] = MOMENTUM * mean[place] + (1.0 - MOMENTUM) * slope;
                square[place] = SPREAD * square[place] + (1.0 - SPREAD) * slope * slope;
                let way = mean[place] / warm(MOMENTUM) / ((square[place] / warm(SPREAD)).sqrt() + 1e-12);
                weights[place] -= rate * size[place] * way;
            }
            school.project(weights);
        }
    }
    let after = loss(weights, examples, scale);
    rescale(weights, &size);
    (before, after)
}

/// Only ratios matter to a ranking: brings weights back to the size they began with.
fn rescale(weights: &mut [f64], size: &[f64]) {
    let (now, then) = (weights.iter().sum::<f64>(), size.iter().sum::<f64>());
    if now > 0.0 {
        weights.iter_mut().for_each(|weight| *weight *= then / now);
    }
}

/// What makes the usual w·Δ about 1, where tanh tells most.
fn scale(weights: &[f64], examples: &[&Example]) -> f64 {
    let sum: f64 = examples.iter().map(|example| dot(weights, example).abs()).sum();
    if sum > 0.0 { examples.len() as f64 / sum } else { 1.0 }
}

fn dot(weights: &[f64], example: &Example) -> f64 {
    example.iter().map(|&(place, difference)| weights[usize::from(place)] * f64::from(difference)).sum()
}

fn loss(weights: &[f64], examples: &[&Example], scale: f64) -> f64 {
    let sum: f64 = examples.iter().map(|example| (scale * dot(weights, example)).tanh()).sum();
    sum / examples.len() as f64
}
