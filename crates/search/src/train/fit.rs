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
/// The initial learning rate, relative to the untrained weight.
const RATE: f64 = 0.02;
/// The strength of the regularization towards the untrained weights, which holds the weights of rare
/// features in place.
const REGULARIZATION: f64 = 0.002;
/// The decay rates of Adam's first and second moment estimates.
const BETA1: f64 = 0.9;
const BETA2: f64 = 0.999;

/// Fits weights; returns the loss before and after the fit.
pub(super) fn fit<S: TrainingTask>(
    task: &S,
    weights: &mut [f64],
    samples: &[&Sample],
    rng: &mut (dyn Rng + Send),
) -> (f64, f64) {
    let scale = scale(weights, samples);
    let before = loss(weights, samples, scale);
    // Steps are relative to the untrained weights, since the weights of far tiles are a hundred times those
    // of near ones.
    let untrained = task.untrained_weights();
    let (mut first_moment, mut second_moment) = (vec![0.0; weights.len()], vec![0.0; weights.len()]);
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
                let regularization = if untrained[index] > 0.0 {
                    REGULARIZATION * (weights[index] / untrained[index] - 1.0)
                } else {
                    0.0
                };
                let scaled = gradient[index] * untrained[index] * scale + regularization;
                first_moment[index] = BETA1 * first_moment[index] + (1.0 - BETA1) * scaled;
                second_moment[index] = BETA2 * second_moment[index] + (1.0 - BETA2) * scaled * scaled;
                let direction = first_moment[index]
                    / bias_correction(BETA1)
                    / ((second_moment[index] / bias_correction(BETA2)).sqrt() + 1e-12);
                weights[index] -= rate * untrained[index] * direction;
            }
            task.project(weights);
        }
    }
    let after = loss(weights, samples, scale);
    rescale(weights, &untrained);
    (before, after)
}

/// Scales the weights to the sum of the untrained weights; only ratios matter to a ranking.
fn rescale(weights: &mut [f64], untrained: &[f64]) {
    let (sum, untrained_sum) = (weights.iter().sum::<f64>(), untrained.iter().sum::<f64>());
    if sum > 0.0 {
        weights.iter_mut().for_each(|weight| *weight *= untrained_sum / sum);
    }
}

/// The factor that makes the mean of |w·Δ| equal to 1, where tanh discriminates well.
fn scale(weights: &[f64], samples: &[&Sample]) -> f64 {
    let sum: f64 = samples.iter().map(|sample| dot(weights, sample).abs()).sum();
    if sum > 0.0 { samples.len() as f64 / sum } else { 1.0 }
}

/// w·Δ for one sample.
fn dot(weights: &[f64], sample: &Sample) -> f64 {
    sample.iter().map(|&(index, difference)| weights[usize::from(index)] * f64::from(difference)).sum()
}

/// The mean of tanh(w·Δ), with w·Δ multiplied by `scale`.
fn loss(weights: &[f64], samples: &[&Sample], scale: f64) -> f64 {
    let sum: f64 = samples.iter().map(|sample| (scale * dot(weights, sample)).tanh()).sum();
    sum / samples.len() as f64
}
