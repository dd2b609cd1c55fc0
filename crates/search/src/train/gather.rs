//! Examples to learn from: of two states of one level, the one that led to an answer first, less the other.

use std::sync::Mutex;

use rand::Rng;

use super::{FeatureWalker, TrainingConfig, TrainingTask, one_beam};
use crate::control::Control;
use crate::locks::lock;
use crate::moves::Move;
use crate::puzzle::Cost;
use crate::solve::beam::{Watcher, run};
use crate::threads::run_parallel;
use crate::walker::Walker;

/// The features of the state on the path less those of the other, where they differ.
pub(super) type Example = Vec<(u16, i16)>;

/// A state's level and features.
type Sample = (usize, Vec<i32>);

/// So many states are sampled of a level on average.
const SAMPLED: f64 = 2.0;

/// Watches a beam and remembers some of its states.
struct Sampler<'a> {
    features: usize,
    seed: u64,
    /// Of 2³², how many states are sampled.
    share: u64,
    samples: &'a Mutex<Vec<Sample>>,
    walked: &'a Mutex<Vec<Move>>,
}

impl<W: FeatureWalker> Watcher<W> for Sampler<'_> {
    fn look(&self, level: usize, leaf: usize, walker: &W) {
        let place = (level as u64) << 32 | leaf as u64;
        let chance = (place ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let chance = (chance ^ chance >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32;
        if chance < self.share {
            let mut counts = vec![0; self.features];
            walker.features(&mut counts);
            lock(self.samples).push((level, counts));
        }
    }

    fn answered(&self, walked: &[Move]) {
        *lock(self.walked) = walked.to_vec();
    }
}

/// Runs beams on random positions until so many seconds of `control` have passed.
pub(super) fn examples<S: TrainingTask>(
    school: &S,
    weights: &[f64],
    lesson: &TrainingConfig,
    seed: u64,
    rng: &mut (dyn Rng + Send),
    control: &Control,
    until: f64,
) -> Vec<Example> {
    let rating = school.rating(weights);
    let source = Mutex::new((rng, 0usize));
    let parts = run_parallel(control.threads(), |_| {
        let mut examples = Vec::new();
        loop {
            let (problem, number) = {
                let (rng, number) = &mut *lock(&source);
                *number += 1;
                (school.problem(&mut **rng), *number)
            };
            let mut walkers = school.walkers(&rating, &problem);
            let walker = walkers.swap_remove(number % walkers.len());
            learn_from(school, &walker, lesson, seed.wrapping_add(number as u64), control, &mut examples);
            if control.elapsed().as_secs_f64() >= until || control.poll().is_err() {
                return examples;
            }
        }
    });
    parts.into_iter().flatten().collect()
}

/// Adds what one beam teaches.
fn learn_from<'a, S: TrainingTask + 'a>(
    school: &S,
    start: &S::Walker<'a>,
    lesson: &TrainingConfig,
    seed: u64,
    control: &Control,
    examples: &mut Vec<Example>,
) {
    let features = school.names().len();
    let (samples, walked) = (Mutex::new(Vec::<Sample>::new()), Mutex::default());
    let share = (SAMPLED / lesson.width as f64 * (1u64 << 32) as f64) as u64;
    let sampler = Sampler { features, seed, share, samples: &samples, walked: &walked };
    let alone = one_beam(lesson, control);
    run(
        &school.plan(lesson.width, seed),
        std::slice::from_ref(start),
        &|path| path.len() as Cost,
        &sampler,
        &alone,
    );
    let mut walker = start.clone();
    let mut samples = std::mem::take(&mut *lock(&samples));
    // A beam that was stuck goes back, and comes to some levels twice.
    samples.sort_by_key(|&(level, _)| level);
    let mut samples = samples.into_iter().peekable();
    for (level, &m) in lock(&walked).iter().enumerate() {
        let mut here = vec![0; features];
        walker.features(&mut here);
        while let Some((_, other)) = samples.next_if(|&(of, _)| of <= level) {
            let differences = here.iter().zip(&other).zip(0..).filter(|((a, b), _)| a != b);
            let example: Example = differences.map(|((a, b), place)| (place, (a - b) as i16)).collect();
            if !example.is_empty() {
                examples.push(example);
            }
        }
        walker.step(m);
    }
}
