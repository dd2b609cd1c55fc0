//! Training samples: for two states of one beam level, the features of the state on the solution path minus
//! those of the other.

use std::sync::Mutex;

use rand::Rng;

use super::{FeatureWalker, TrainingConfig, TrainingTask, beam_control};
use crate::control::Control;
use crate::locks::lock;
use crate::moves::Move;
use crate::puzzle::Cost;
use crate::solve::beam::{BeamConfig, BeamObserver, run};
use crate::threads::run_parallel;
use crate::walker::Walker;

/// A training sample: the nonzero feature differences of a pair of states, by feature index.
pub(super) type Sample = Vec<(u16, i16)>;

/// The level and the features of a state.
type LevelState = (usize, Vec<i32>);

/// Observes a beam search and records the features of some of its states.
struct Sampler<'a> {
    /// The number of features.
    feature_count: usize,
    seed: u64,
    /// The sampling probability times 2³².
    probability: u64,
    /// The recorded states.
    states: &'a Mutex<Vec<LevelState>>,
    /// The moves of the solution.
    solution: &'a Mutex<Vec<Move>>,
}

impl<W: FeatureWalker> BeamObserver<W> for Sampler<'_> {
    fn on_state(&self, level: usize, leaf: usize, walker: &W) {
        let index = (level as u64) << 32 | leaf as u64;
        let random = (index ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let random = (random ^ random >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32;
        if random < self.probability {
            let mut counts = vec![0; self.feature_count];
            walker.features(&mut counts);
            lock(self.states).push((level, counts));
        }
    }

    fn on_solution(&self, moves: &[Move]) {
        *lock(self.solution) = moves.to_vec();
    }
}

/// Runs beam searches on random positions until the elapsed time of `control` reaches `until` seconds, and
/// returns their samples.
pub(super) fn collect_samples<S: TrainingTask>(
    task: &S,
    weights: &[f64],
    config: &TrainingConfig,
    seed: u64,
    rng: &mut (dyn Rng + Send),
    control: &Control,
    until: f64,
) -> Vec<Sample> {
    let evaluator = task.evaluator(weights);
    let source = Mutex::new((rng, 0usize));
    let parts = run_parallel(control.threads(), |_| {
        let mut samples = Vec::new();
        loop {
            let (position, number) = {
                let (rng, number) = &mut *lock(&source);
                *number += 1;
                (task.random_position(&mut **rng), *number)
            };
            let mut walkers = task.walkers(&evaluator, &position);
            // Every width meets every start state.
            let width = config.widths[number / walkers.len() % config.widths.len()];
            let walker = walkers.swap_remove(number % walkers.len());
            let beam = task.beam_config(width, seed.wrapping_add(number as u64));
            sample_beam(task, &walker, &beam, config, control, &mut samples);
            if control.elapsed().as_secs_f64() >= until || control.poll().is_err() {
                return samples;
            }
        }
    });
    parts.into_iter().flatten().collect()
}

/// Adds the samples of one beam search.
fn sample_beam<'a, S: TrainingTask + 'a>(
    task: &S,
    start: &S::Walker<'a>,
    beam: &BeamConfig,
    config: &TrainingConfig,
    control: &Control,
    samples: &mut Vec<Sample>,
) {
    let features = task.feature_names().len();
    let (states, solution) = (Mutex::new(Vec::<LevelState>::new()), Mutex::default());
    let probability = (config.samples_per_level as f64 / beam.width as f64 * (1u64 << 32) as f64) as u64;
    let sampler = Sampler {
        feature_count: features,
        seed: beam.seed,
        probability,
        states: &states,
        solution: &solution,
    };
    let beam_control = beam_control(config, control);
    run(beam, std::slice::from_ref(start), &|path| path.len() as Cost, &sampler, &beam_control);
    let mut walker = start.clone();
    let mut states = std::mem::take(&mut *lock(&states));
    // A beam that backtracked visited some levels twice, so its states are not in order of level.
    states.sort_by_key(|&(level, _)| level);
    let mut states = states.into_iter().peekable();
    for (level, &m) in lock(&solution).iter().enumerate() {
        let mut on_path = vec![0; features];
        walker.features(&mut on_path);
        while let Some((_, other)) = states.next_if(|&(state_level, _)| state_level <= level) {
            let differences = on_path.iter().zip(&other).zip(0..).filter(|((a, b), _)| a != b);
            let sample: Sample = differences.map(|((a, b), index)| (index, (a - b) as i16)).collect();
            if !sample.is_empty() {
                samples.push(sample);
            }
        }
        walker.step(m);
    }
}
