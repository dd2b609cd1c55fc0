//! `untumble scramble`: random positions that can be repeated.

use std::hash::{BuildHasher, RandomState};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use crate::cli::Scramble;
use crate::exit::{Exit, Failure};
use crate::open;
use crate::output::{self, Answers};

/// Walks longer than this mix nothing better.
const MOST_DEPTH: usize = 10_000_000;

/// One line of JSON.
#[derive(Serialize, Debug)]
struct Scrambled {
    puzzle: String,
    start: String,
    seed: u64,
    depth: Option<u64>,
}

/// Prints the positions.
pub(crate) fn run(arguments: &Scramble) -> Result<Exit, Failure> {
    let puzzle = open::puzzle(&arguments.puzzle)?;
    let seed = arguments.seed.unwrap_or_else(|| {
        let seed = drawn();
        output::note(&format!("seed {seed} (--seed {seed} repeats this)"));
        seed
    });
    // The positions of a seed are a promise: neither the generator nor the
    // order of draws may change.
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let depth = arguments.depth.map(|depth| usize::try_from(depth).unwrap_or(usize::MAX));
    if depth.is_some_and(|depth| depth > MOST_DEPTH) {
        return Err(Failure::usage(format!(
            "--depth is at most {MOST_DEPTH}; without --depth positions are drawn uniformly"
        )));
    }
    let mut answers = Answers::new();
    for _ in 0..arguments.count {
        let position = puzzle.text(&puzzle.scramble(&mut rng, depth));
        if arguments.json {
            let puzzle = puzzle.title();
            answers.json(&Scrambled { puzzle, start: position, seed, depth: arguments.depth })?;
        } else {
            answers.line(&position)?;
        }
    }
    answers.flush()?;
    Ok(Exit::Solved)
}

/// A seed from the system, small enough for every reader of JSON.
fn drawn() -> u64 {
    RandomState::new().hash_one("untumble") >> 16
}
