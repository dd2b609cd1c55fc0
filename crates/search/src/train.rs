//! Training of the weights that rank states in beam search.
//!
//! The score of a state is a weighted sum of small counts, its features. A round runs beam searches on
//! random positions. They show which states of a level lie on the path to the first solution; a pairwise
//! ranking loss fits weights that rank these states before the others of their level. The next round
//! searches with the new weights. This follows Bocquet's learned ranking for beam search. Training uses
//! random positions only, never the positions to be solved.

mod fit;
mod sampling;
pub mod weights;

use std::time::Duration;

use rand::Rng;

use crate::control::{Control, Limits};
use crate::heuristic::Heuristic;
use crate::puzzle::{Cost, Puzzle};
use crate::solve::beam::{BeamConfig, NoObserver, run};
use crate::threads::run_parallel;
use crate::walker::{HeuristicWalker, Walker};

use crate::error::Error;
use sampling::Sample;
use weights::WeightsFile;

/// The reason why a puzzle cannot be trained.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TrainingError {
    /// The puzzle has no features.
    #[error("{puzzle} has no features, so its ranking cannot be trained")]
    NoFeatures {
        /// The puzzle's name.
        puzzle: String,
    },
    /// The puzzle is too large.
    #[error("{puzzle} cannot be trained: {reason}")]
    TooLarge {
        /// The puzzle's name.
        puzzle: String,
        /// The limit that it exceeds.
        reason: String,
    },
}

impl TrainingError {
    /// A stable name of the kind of error, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            TrainingError::NoFeatures { .. } => "no-features",
            TrainingError::TooLarge { .. } => "too-large-to-train",
        }
    }
}

/// A walker whose score is a weighted sum of features.
pub trait FeatureWalker: Walker {
    /// Writes the features of the current state into `counts`, which has one element per feature.
    fn features(&self, counts: &mut [i32]);
}

/// A heuristic whose value is a weighted sum of features.
pub trait Features<P: Puzzle>: Heuristic<P> {
    /// Writes the features of a state into `counts`, which has one element per feature.
    fn features(&self, puzzle: &P, state: &P::State, counts: &mut [i32]);
}

impl<P: Puzzle, H: Features<P>> FeatureWalker for HeuristicWalker<'_, P, H> {
    fn features(&self, counts: &mut [i32]) {
        self.heuristic().features(self.puzzle(), self.state(), counts);
    }
}

/// The training interface of a puzzle.
pub trait TrainingTask: Sync {
    /// A position to train or validate on.
    type Position: Send + Sync;
    /// The data that walkers derive from the weights, such as tables.
    type Evaluator: Sync;
    /// The walker of the beam search.
    type Walker<'a>: FeatureWalker + Sync
    where
        Self: 'a;

    /// The name of each feature.
    fn feature_names(&self) -> Vec<String>;
    /// Untrained weights, one per feature. They give the scale of each weight; a weight of 0 stays 0.
    fn untrained_weights(&self) -> Vec<f64>;
    /// The initial weights: those of a file, given with its name for messages, or the best known ones.
    fn initial_weights(&self, from: Option<(&str, &WeightsFile)>) -> Result<Vec<f64>, Error>;
    /// Projects weights onto known constraints, such as that a larger distance never scores better.
    fn project(&self, weights: &mut [f64]);
    /// Derives the walkers' data from the weights.
    fn evaluator(&self, weights: &[f64]) -> Self::Evaluator;
    /// Draws a random position.
    fn random_position(&self, rng: &mut dyn Rng) -> Self::Position;
    /// A walker for each start state of a position.
    fn walkers<'a>(
        &'a self,
        evaluator: &'a Self::Evaluator,
        position: &Self::Position,
    ) -> Vec<Self::Walker<'a>>;
    /// The parameters of a beam search of `width`.
    fn beam_config(&self, width: usize, seed: u64) -> BeamConfig;
}

/// The parameters of a training.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingConfig {
    /// The time budget.
    pub budget: Duration,
    /// The widths of the beam searches, at least one: samples come from each in turn, lengths are measured
    /// with the first.
    pub widths: Vec<usize>,
    /// The average number of states that are sampled of each level of a beam search.
    pub samples_per_level: usize,
    /// The seed of the beam searches.
    pub seed: u64,
    /// The initial weights, with the name of their file.
    pub from: Option<(String, WeightsFile)>,
}

impl TrainingConfig {
    /// The default of `samples_per_level`.
    pub const SAMPLES_PER_LEVEL: usize = 2;

    /// The width with which lengths are measured.
    fn validation_width(&self) -> usize {
        self.widths.first().copied().unwrap_or(1)
    }
}

/// The result of one training round.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrainingRound {
    /// The number of the round. Round 0 only measures the initial weights.
    pub number: usize,
    /// The number of training samples: pairs of states of one level.
    pub pairs: usize,
    /// The loss before and after the fit, from −1 (all pairs ranked correctly by far) to 1.
    pub loss: Option<(f64, f64)>,
    /// The mean solution length on the validation positions.
    pub length: f64,
    /// Whether `length` is the shortest so far.
    pub best: bool,
    /// Seconds since the start.
    pub seconds: f64,
}

/// The result of a training so far.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingResult {
    /// The weights of the best round, by name.
    pub weights: Vec<(String, f64)>,
    /// The number of rounds.
    pub rounds: usize,
    /// The mean solution length on the validation positions with these weights.
    pub length: f64,
    /// The mean solution length with the initial weights.
    pub first_length: f64,
}

/// The environment of a training: random numbers, limits and the callback of every round.
pub struct TrainingContext<'a> {
    /// The source of random positions.
    pub rng: &'a mut (dyn Rng + Send),
    /// Threads, memory limit and cancellation.
    pub control: &'a Control,
    /// Called after every round with its result and the result so far.
    pub on_round: &'a mut dyn FnMut(&TrainingRound, &TrainingResult),
}

/// The number of validation positions, which are not used for samples.
const VALIDATION_POSITIONS: usize = 32;
/// The least number of validation positions, however long they take.
const MIN_VALIDATION_POSITIONS: usize = 4;
/// The fraction of the budget for the beam searches of a round.
const SAMPLING_SHARE: f64 = 0.08;
/// The target fraction of the budget for one validation; fewer positions are used if it would take longer.
const VALIDATION_SHARE: f64 = 0.08;
/// The largest fraction of the budget for one beam search, in case it stagnates.
const BEAM_SHARE: f64 = 0.04;
/// An unsolved position counts as this multiple of the longest solution found.
const UNSOLVED_FACTOR: f64 = 2.0;
/// The number of rounds whose samples are fitted together.
const SAMPLE_ROUNDS: usize = 3;
/// The number of rounds without improvement after which training ends.
const PATIENCE: usize = 4;

/// Trains weights until they stop improving, the budget is spent or the control stops the training. Returns
/// the best weights, at worst the initial ones.
pub fn train<S: TrainingTask>(
    task: &S,
    config: &TrainingConfig,
    context: TrainingContext<'_>,
) -> Result<TrainingResult, Error> {
    let TrainingContext { rng, control, on_round } = context;
    let budget = config.budget.as_secs_f64();
    let spent = || control.elapsed().as_secs_f64();
    let named = |weights: &[f64]| task.feature_names().into_iter().zip(weights.iter().copied()).collect();
    let mut positions: Vec<S::Position> =
        (0..VALIDATION_POSITIONS).map(|_| task.random_position(rng)).collect();
    let mut weights = task.initial_weights(config.from.as_ref().map(|(name, file)| (name.as_str(), file)))?;
    task.project(&mut weights);
    // The time of one beam search per thread decides how many validation positions the budget allows.
    let seconds =
        validate(task, &weights, &positions[..control.threads().min(VALIDATION_POSITIONS)], config, control)
            .1;
    let affordable = VALIDATION_SHARE * budget / seconds.max(1e-9) * control.threads() as f64;
    positions.truncate((affordable as usize).clamp(MIN_VALIDATION_POSITIONS, VALIDATION_POSITIONS));
    let first_length = validate(task, &weights, &positions, config, control).0;
    let mut result =
        TrainingResult { weights: named(&weights), rounds: 0, length: first_length, first_length };
    let first =
        TrainingRound { number: 0, pairs: 0, loss: None, length: first_length, best: true, seconds: spent() };
    on_round(&first, &result);
    let mut sample_rounds: Vec<Vec<Sample>> = Vec::new();
    let mut rounds_without_gain = 0;
    while rounds_without_gain < PATIENCE && spent() < budget && control.poll().is_ok() {
        let number = result.rounds + 1;
        let sampling_end = (spent() + SAMPLING_SHARE * budget).min(budget);
        let seed = config.seed.wrapping_add((number as u64) << 32);
        let samples = sampling::collect_samples(task, &weights, config, seed, rng, control, sampling_end);
        sample_rounds.push(samples);
        if sample_rounds.len() > SAMPLE_ROUNDS {
            sample_rounds.remove(0);
        }
        let samples: Vec<&Sample> = sample_rounds.iter().flatten().collect();
        if samples.is_empty() || control.poll().is_err() {
            break;
        }
        let loss = fit::fit(task, &mut weights, &samples, rng);
        // A weights file holds only weights in this range.
        weights.iter_mut().for_each(|weight| *weight = weight.clamp(0.0, weights::MAX_WEIGHT));
        result.rounds = number;
        let length = validate(task, &weights, &positions, config, control).0;
        let best = length < result.length;
        rounds_without_gain = if best { 0 } else { rounds_without_gain + 1 };
        if best {
            result.weights = named(&weights);
            result.length = length;
        }
        let pairs = samples.len();
        let round = TrainingRound { number, pairs, loss: Some(loss), length, best, seconds: spent() };
        on_round(&round, &result);
    }
    Ok(result)
}

/// The mean solution length on the validation positions, and the seconds taken. Each position is searched
/// from one of its start states. The mean is infinite if no position is solved.
fn validate<S: TrainingTask>(
    task: &S,
    weights: &[f64],
    positions: &[S::Position],
    config: &TrainingConfig,
    control: &Control,
) -> (f64, f64) {
    let begun = control.elapsed();
    let evaluator = task.evaluator(weights);
    let beam = task.beam_config(config.validation_width(), config.seed);
    let lengths_by_worker = run_parallel(control.threads(), |worker| {
        let own_positions = positions.iter().enumerate().skip(worker.index).step_by(worker.count);
        let lengths = own_positions.map(|(number, position)| {
            let mut walkers = task.walkers(&evaluator, position);
            let walker = walkers.swap_remove(number % walkers.len());
            solution_length(&beam, walker, &beam_control(config, control))
        });
        lengths.collect::<Vec<_>>()
    });
    let lengths: Vec<Option<Cost>> = lengths_by_worker.into_iter().flatten().collect();
    (mean(&lengths), (control.elapsed() - begun).as_secs_f64())
}

/// The mean length, with unsolved positions counted as [`UNSOLVED_FACTOR`] times the longest one.
fn mean(lengths: &[Option<Cost>]) -> f64 {
    let Some(longest) = lengths.iter().flatten().max() else { return f64::INFINITY };
    let unsolved = UNSOLVED_FACTOR * f64::from(*longest);
    lengths.iter().map(|length| length.map_or(unsolved, f64::from)).sum::<f64>() / lengths.len() as f64
}

/// The control of one beam search, limited to a fraction of the budget.
fn beam_control(config: &TrainingConfig, control: &Control) -> Control {
    let time = Some(config.budget.mul_f64(BEAM_SHARE));
    control.sibling(Limits { threads: 1, time, ..control.limits() })
}

/// The length of the solution of one beam search.
fn solution_length<W: Walker + Sync>(beam: &BeamConfig, walker: W, control: &Control) -> Option<Cost> {
    run(beam, &[walker], &|path| path.len() as Cost, &NoObserver, control);
    control.best().map(|path| path.len() as Cost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsolved_positions_count_more_than_solved_ones() {
        assert_eq!(mean(&[Some(10), Some(20)]), 15.0);
        assert_eq!(mean(&[Some(10), None, Some(30)]), 100.0 / 3.0);
        assert_eq!(mean(&[None, None]), f64::INFINITY);
    }
}
