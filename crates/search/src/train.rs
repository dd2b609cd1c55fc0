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
use crate::puzzle::Cost;
use crate::solve::beam::{Plan, Unwatched, run};
use crate::threads::side_by_side;
use crate::walker::Walker;

use gather::Example;

/// A walker whose score is a sum of features times weights.
pub trait Featured: Walker {
    /// Counts the features of the state it stands on, into as many places as there are features.
    fn features(&self, counts: &mut [i32]);
}

/// A puzzle as one learns on it.
pub trait School: Sync {
    /// A random position.
    type Problem: Send + Sync;
    /// Weights made ready for walkers.
    type Rating: Sync;
    /// What walks.
    type Walker<'a>: Featured + Sync
    where
        Self: 'a;

    /// The name of each feature.
    fn names(&self) -> Vec<String>;
    /// The weights to begin with, one for each feature; those that are 0 stay so.
    fn first(&self) -> Vec<f64>;
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lesson {
    /// How long.
    pub budget: Duration,
    /// The width of the beams.
    pub width: usize,
    /// What repeats the positions.
    pub seed: u64,
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

/// What was learned.
#[derive(Clone, PartialEq, Debug)]
pub struct Learned {
    /// The weights of the best round.
    pub weights: Vec<f64>,
    /// Rounds in all.
    pub rounds: usize,
    /// The mean length of solutions with them.
    pub length: f64,
    /// The same with the weights to begin with.
    pub first_length: f64,
}

/// Positions that are measured on, not learned from.
const MEASURED: usize = 24;
/// The share of the budget that beams of a round may take.
const GATHER_SHARE: f64 = 0.08;
/// The share of the budget that a measurement should take; fewer positions are measured where it would take more.
const MEASURE_SHARE: f64 = 0.08;
/// Examples of so many rounds are fitted together.
const REMEMBERED: usize = 3;
/// Rounds without gain after which there is no more to be had.
const PATIENCE: usize = 4;

/// Learns until nothing is gained any more, the budget is spent or `control` says stop; tells every round. There are always
/// weights: at worst those to begin with.
pub fn learn<S: School>(
    school: &S,
    lesson: &Lesson,
    rng: &mut (dyn Rng + Send),
    control: &Control,
    tell: &mut dyn FnMut(&Round),
) -> Learned {
    let budget = lesson.budget.as_secs_f64();
    let spent = || control.elapsed().as_secs_f64();
    let problems: Vec<S::Problem> = (0..MEASURED).map(|_| school.problem(rng)).collect();
    let mut weights = school.first();
    school.project(&mut weights);
    let mut count = MEASURED;
    let (first_length, took) = measure(school, &weights, &problems, lesson, control, budget);
    if took > MEASURE_SHARE * budget {
        count = ((MEASURED as f64 * MEASURE_SHARE * budget / took) as usize).clamp(4, MEASURED);
    }
    let (first_length, _) = if count == MEASURED {
        (first_length, took)
    } else {
        measure(school, &weights, &problems[..count], lesson, control, budget)
    };
    let mut learned = Learned { weights: weights.clone(), rounds: 0, length: first_length, first_length };
    tell(&Round { number: 0, pairs: 0, loss: None, length: first_length, best: true, seconds: spent() });
    let mut memory: Vec<Vec<Example>> = Vec::new();
    let mut since = 0;
    while since < PATIENCE && spent() < budget && control.poll().is_ok() {
        let number = learned.rounds + 1;
        let until = (spent() + GATHER_SHARE * budget).min(budget);
        let seed = lesson.seed.wrapping_add(number as u64);
        memory.push(gather::examples(school, &weights, lesson, seed, rng, control, until));
        if memory.len() > REMEMBERED {
            memory.remove(0);
        }
        let examples: Vec<&Example> = memory.iter().flatten().collect();
        if examples.is_empty() {
            break;
        }
        let loss = fit::fit(school, &mut weights, &examples, rng);
        let (length, _) = measure(school, &weights, &problems[..count], lesson, control, budget);
        let best = length < learned.length;
        since = if best { 0 } else { since + 1 };
        if best {
            learned.weights.clone_from(&weights);
            learned.length = length;
        }
        learned.rounds = number;
        let pairs = examples.len();
        tell(&Round { number, pairs, loss: Some(loss), length, best, seconds: spent() });
    }
    learned
}

/// The mean length of solutions, and the seconds that took. Each position is begun in one way.
fn measure<S: School>(
    school: &S,
    weights: &[f64],
    problems: &[S::Problem],
    lesson: &Lesson,
    control: &Control,
    budget: f64,
) -> (f64, f64) {
    let begun = control.elapsed();
    let rating = school.rating(weights);
    let plan = school.plan(lesson.width, lesson.seed);
    let parts = side_by_side(control.threads(), |worker| {
        let (mut sum, mut count) = (0.0, 0usize);
        for (number, problem) in problems.iter().enumerate().skip(worker.index).step_by(worker.count) {
            let mut walkers = school.walkers(&rating, problem);
            let walker = walkers.swap_remove(number % walkers.len());
            let left = (budget - control.elapsed().as_secs_f64()).max(0.0);
            if count > 0 && left == 0.0 {
                break;
            }
            if let Some(length) = length(&plan, walker, control) {
                sum += f64::from(length);
                count += 1;
            }
        }
        (sum, count)
    });
    let (sum, count) = parts.iter().fold((0.0, 0), |(sum, count), part| (sum + part.0, count + part.1));
    let seconds = (control.elapsed() - begun).as_secs_f64();
    (if count == 0 { f64::INFINITY } else { sum / count as f64 }, seconds)
}

/// The length of what one beam finds.
fn length<W: Walker + Sync>(plan: &Plan, walker: W, control: &Control) -> Option<Cost> {
    let alone = control.apart(Limits { threads: 1, ..control.limits() });
    run(plan, &[walker], &|path| path.len() as Cost, &Unwatched, &alone);
    alone.best().map(|path| path.len() as Cost)
}
