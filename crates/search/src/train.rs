//! Learning what to rank states by.
//!
//! A ranking is a sum of small counts, the features of a state, times weights. Beams on random positions tell which of the states
//! that lay side by side in a level led to an answer first; weights are fitted that would have ranked those
//! before the others, and the beams run again with them. No position that somebody wants solved is ever looked at.

pub mod file;
mod fit;
mod gather;

use std::time::Duration;

use rand::Rng;

use crate::control::{Control, Limits};
use crate::heuristic::Heuristic;
use crate::puzzle::{Cost, Puzzle};
use crate::solve::beam::{Plan, Unwatched, run};
use crate::threads::run_parallel;
use crate::walker::{HeuristicWalker, Walker};

use crate::error::Error;
use file::File;
use gather::Example;

/// Why a puzzle cannot be trained.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TrainingError {
    /// The puzzle has no features to weigh.
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
        /// The limit.
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

/// A walker whose score is a sum of features times weights.
pub trait FeatureWalker: Walker {
    /// Counts the features of the state it stands on, into as many places as there are features.
    fn features(&self, counts: &mut [i32]);
}

/// A heuristic whose value is a sum of features times weights.
pub trait Features<P: Puzzle>: Heuristic<P> {
    /// Counts the features of a state, into as many places as there are features.
    fn features(&self, puzzle: &P, state: &P::State, counts: &mut [i32]);
}

impl<P: Puzzle, H: Features<P>> FeatureWalker for HeuristicWalker<'_, P, H> {
    fn features(&self, counts: &mut [i32]) {
        self.heuristic().features(self.puzzle(), self.state(), counts);
    }
}

/// A puzzle as one learns on it.
pub trait TrainingTask: Sync {
    /// A random position.
    type Problem: Send + Sync;
    /// Weights made ready for walkers.
    type Rating: Sync;
    /// What walks.
    type Walker<'a>: FeatureWalker + Sync
    where
        Self: 'a;

    /// The name of each feature.
    fn names(&self) -> Vec<String>;
    /// Weights that need no training, one for each feature: how large they are about. Those that are 0 stay so.
    fn first(&self) -> Vec<f64>;
    /// The weights to begin with: those of a file, by the name it has, or the best that are known.
    fn begin(&self, from: Option<(&str, &File)>) -> Result<Vec<f64>, Error>;
    /// Brings weights back to what is known of them, such as that further is never better.
    fn project(&self, weights: &mut [f64]);
    /// Makes weights ready.
    fn rating(&self, weights: &[f64]) -> Self::Rating;
    /// Draws a position.
    fn problem(&self, rng: &mut dyn Rng) -> Self::Problem;
    /// A walker for each way to begin.
    fn walkers<'a>(&'a self, rating: &'a Self::Rating, problem: &Self::Problem) -> Vec<Self::Walker<'a>>;
    /// What a beam of that width goes by.
    fn plan(&self, width: usize, seed: u64) -> Plan;
}

/// How to learn.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingConfig {
    /// How long.
    pub budget: Duration,
    /// The width of the beams.
    pub width: usize,
    /// What repeats the positions.
    pub seed: u64,
    /// The weights to begin with, and the name of their file.
    pub from: Option<(String, File)>,
}

/// What a round gave.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Round {
    /// From 0, which measures the weights to begin with.
    pub number: usize,
    /// Pairs of states that were compared.
    pub pairs: usize,
    /// The loss before and after the fit: −1 if every pair is ranked rightly by far, 1 if wrongly.
    pub loss: Option<(f64, f64)>,
    /// The mean length of solutions of positions that are not learned from.
    pub length: f64,
    /// Whether that is the shortest so far.
    pub best: bool,
    /// Seconds since the beginning.
    pub seconds: f64,
}

/// What was learned so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Learning {
    /// The weights of the best round, by name.
    pub weights: Vec<(String, f64)>,
    /// Rounds in all.
    pub rounds: usize,
    /// The mean length of solutions with them.
    pub length: f64,
    /// The same with the weights to begin with.
    pub first_length: f64,
}

/// Who learns: where positions are drawn from, what limits it, and who is told of every round.
pub struct TrainingContext<'a> {
    /// Draws positions.
    pub rng: &'a mut (dyn Rng + Send),
    /// Threads, memory, and whether to go on.
    pub control: &'a Control,
    /// Told of every round and what is learned by then.
    pub tell: &'a mut dyn FnMut(&Round, &Learning),
}

/// Positions that are measured on, not learned from.
const MEASURED: usize = 32;
/// So many at least, however long they take.
const LEAST_MEASURED: usize = 4;
/// The share of the budget that beams of a round may take.
const GATHER_SHARE: f64 = 0.08;
/// The share of the budget that a measurement should take; fewer positions are measured where it would take more.
const MEASURE_SHARE: f64 = 0.08;
/// The share of the budget that one beam may take: one that is stuck must not take it all.
const BEAM_SHARE: f64 = 0.04;
/// A beam that finds nothing counts as if its answer were so many times as long as the longest found.
const NOTHING_FOUND: f64 = 2.0;
/// Examples of so many rounds are fitted together.
const REMEMBERED: usize = 3;
/// Rounds without gain after which there is no more to be had.
const PATIENCE: usize = 4;

/// Learns until nothing is gained any more, the budget is spent or the control says stop. There are always
/// weights: at worst those to begin with.
pub fn learn<S: TrainingTask>(
    school: &S,
    lesson: &TrainingConfig,
    pupil: TrainingContext<'_>,
) -> Result<Learning, Error> {
    let TrainingContext { rng, control, tell } = pupil;
    let budget = lesson.budget.as_secs_f64();
    let spent = || control.elapsed().as_secs_f64();
    let named = |weights: &[f64]| school.names().into_iter().zip(weights.iter().copied()).collect();
    let mut problems: Vec<S::Problem> = (0..MEASURED).map(|_| school.problem(rng)).collect();
    let mut weights = school.begin(lesson.from.as_ref().map(|(name, file)| (name.as_str(), file)))?;
    school.project(&mut weights);
    // A first look at how long a beam takes says how many positions can be measured.
    let took = measure(school, &weights, &problems[..control.threads().min(MEASURED)], lesson, control).1;
    let affordable = MEASURE_SHARE * budget / took.max(1e-9) * control.threads() as f64;
    problems.truncate((affordable as usize).clamp(LEAST_MEASURED, MEASURED));
    let first_length = measure(school, &weights, &problems, lesson, control).0;
    let mut learning = Learning { weights: named(&weights), rounds: 0, length: first_length, first_length };
    let first = Round { number: 0, pairs: 0, loss: None, length: first_length, best: true, seconds: spent() };
    tell(&first, &learning);
    let mut memory: Vec<Vec<Example>> = Vec::new();
    let mut since = 0;
    while since < PATIENCE && spent() < budget && control.poll().is_ok() {
        let number = learning.rounds + 1;
        let until = (spent() + GATHER_SHARE * budget).min(budget);
        let seed = lesson.seed.wrapping_add((number as u64) << 32);
        memory.push(gather::examples(school, &weights, lesson, seed, rng, control, until));
        if memory.len() > REMEMBERED {
            memory.remove(0);
        }
        let examples: Vec<&Example> = memory.iter().flatten().collect();
        if examples.is_empty() || control.poll().is_err() {
            break;
        }
        let loss = fit::fit(school, &mut weights, &examples, rng);
        // As large as a file may say.
        weights.iter_mut().for_each(|weight| *weight = weight.clamp(0.0, file::LARGEST));
        learning.rounds = number;
        let length = measure(school, &weights, &problems, lesson, control).0;
        let best = length < learning.length;
        since = if best { 0 } else { since + 1 };
        if best {
            learning.weights = named(&weights);
            learning.length = length;
        }
        let pairs = examples.len();
        let round = Round { number, pairs, loss: Some(loss), length, best, seconds: spent() };
        tell(&round, &learning);
    }
    Ok(learning)
}

/// The mean length of solutions, and the seconds that took. Each position is begun in one way. Infinite where none is found.
fn measure<S: TrainingTask>(
    school: &S,
    weights: &[f64],
    problems: &[S::Problem],
    lesson: &TrainingConfig,
    control: &Control,
) -> (f64, f64) {
    let begun = control.elapsed();
    let rating = school.rating(weights);
    let plan = school.plan(lesson.width, lesson.seed);
    let parts = run_parallel(control.threads(), |worker| {
        let mine = problems.iter().enumerate().skip(worker.index).step_by(worker.count);
        let lengths = mine.map(|(number, problem)| {
            let mut walkers = school.walkers(&rating, problem);
            let walker = walkers.swap_remove(number % walkers.len());
            length(&plan, walker, &one_beam(lesson, control))
        });
        lengths.collect::<Vec<_>>()
    });
    let lengths: Vec<Option<Cost>> = parts.into_iter().flatten().collect();
    (mean(&lengths), (control.elapsed() - begun).as_secs_f64())
}

/// The mean of what was found.
fn mean(lengths: &[Option<Cost>]) -> f64 {
    let Some(longest) = lengths.iter().flatten().max() else { return f64::INFINITY };
    let nothing = NOTHING_FOUND * f64::from(*longest);
    lengths.iter().map(|length| length.map_or(nothing, f64::from)).sum::<f64>() / lengths.len() as f64
}

/// What limits one beam of a lesson.
fn one_beam(lesson: &TrainingConfig, control: &Control) -> Control {
    let time = Some(lesson.budget.mul_f64(BEAM_SHARE));
    control.apart(Limits { threads: 1, time, ..control.limits() })
}

/// The length of what one beam finds.
fn length<W: Walker + Sync>(plan: &Plan, walker: W, control: &Control) -> Option<Cost> {
    run(plan, &[walker], &|path| path.len() as Cost, &Unwatched, control);
    control.best().map(|path| path.len() as Cost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_found_counts_more_than_what_is() {
        assert_eq!(mean(&[Some(10), Some(20)]), 15.0);
        assert_eq!(mean(&[Some(10), None, Some(30)]), 100.0 / 3.0);
        assert_eq!(mean(&[None, None]), f64::INFINITY);
    }
}
