//! Fits weights to training samples: minimizes the mean of tanh(w·Δ), where Δ is a feature difference, with
//! Adam (Kingma & Ba, ICLR 2015) on mini-batches.

use rand::Rng;

use super::TrainingTask;
use super::sampling::Sample;
use crate::perm::shuffle;

/// The number of samples per step.
const BATCH: usize = 256;
/// The number of passes over all samples.
const EPOCHS: usize = 12;
/// The initial learning rate, relative to the scale of a weight.
const RATE: f64 = 0.02;
/// The regularization towards the scale of a weight, which holds the weights of rare features.
const REGULARIZATION: f64 = 0.002;
/// The decay rates of Adam's first and second moment estimates.
const BETA1: f64 = 0.9;
const BETA2: f64 = 0.999;

/// Fits weights; returns the loss before and after.
pub(super) fn fit<S: TrainingTask>(
    task: &S,
    weights: &mut [f64],
    samples: &[&Sample],
    rng: &mut (dyn Rng + Send),
) -> (f64, f64) {
    let scale = scale(weights, samples);
    let before = loss(weights, samples, scale);
    // Steps are relative to the untrained weights, since those of far tiles are a hundred times those of
    // near ones.
    let size = task.untrained_weights();
    let (mut mean, mut square) = (vec![0.0; weights.len()], vec![0.0; weights.len()]);
    let mut gradient = vec![0.0; weights.len()];
    let mut order: Vec<usize> = (0..samples.len()).collect();
    let steps = EPOCHS * samples.len().div_ceil(BATCH);
    let mut step = 0;
    for _ in 0..EPOCHS {
        shuffle(&mut order, rng);
        for batch in order.chunks(BATCH) {
            step += 1;
            gradient.fill(0.0);
            for &number in batch {
                let sample = samples[number];
                let slope = 1.0 - (scale * dot(weights, sample)).tanh().powi(2);
                for &(index, difference) in sample {
                    gradient[usize::from(index)] += slope * f64::from(difference) / batch.len() as f64;
                }
            }
            // Linear decay of the learning rate.
            let rate = RATE * (1.0 - f64::from(step) / steps as f64);
            let bias_correction = |decay: f64| 1.0 - decay.powi(step);
            for index in 0..weights.len() {
                let regularization = if size[index] > 0.0 {
                    REGULARIZATION * (weights[index] / size[index] - 1.0)
                } else {
                    0.0
                };
                let slope = gradient[index] * size[index] * scale + regularization;
                mean[index] = BETA1 * mean[index] + (1.0 - BETA1) * slope;
                square[index] = BETA2 * square[index] + (1.0 - BETA2) * slope * slope;
                let direction = mean[index]
                    / bias_correction(BETA1)
                    / ((square[index] / bias_correction(BETA2)).sqrt() + 1e-12);
                weights[index] -= rate * size[index] * direction;
            }
            task.project(weights);
        }
    }
    let after = loss(weights, samples, scale);
    rescale(weights, &size);
    (before, after)
}

/// Restores the sum of the untrained weights; only ratios matter to a ranking.
fn rescale(weights: &mut [f64], size: &[f64]) {
    let (now, then) = (weights.iter().sum::<f64>(), size.iter().sum::<f64>());
    if now > 0.0 {
        weights.iter_mut().for_each(|weight| *weight *= then / now);
    }
}

/// The factor that makes the mean of |w·Δ| equal to 1, where tanh discriminates well.
fn scale(weights: &[f64], samples: &[&Sample]) -> f64 {
    let sum: f64 = samples.iter().map(|sample| dot(weights, sample).abs()).sum();
    if sum > 0.0 { samples.len() as f64 / sum } else { 1.0 }
}

fn dot(weights: &[f64], sample: &Sample) -> f64 {
    sample.iter().map(|&(index, difference)| weights[usize::from(index)] * f64::from(difference)).sum()
}

fn loss(weights: &[f64], samples: &[&Sample], scale: f64) -> f64 {
    let sum: f64 = samples.iter().map(|sample| (scale * dot(weights, sample)).tanh()).sum();
    sum / samples.len() as f64
}
