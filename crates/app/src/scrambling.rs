//! Random positions that a seed repeats.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::exit::Failure;

/// Walks longer than this mix nothing better.
const MOST_DEPTH: u64 = 10_000_000;

/// Where the positions of a seed come from. They are a promise: neither the generator nor the order of draws may change.
pub(crate) fn generator(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// A number of random moves; refuses one that takes too long.
pub(crate) fn depth(moves: u64) -> Result<usize, Failure> {
    usize::try_from(moves).ok().filter(|_| moves <= MOST_DEPTH).ok_or_else(|| {
        Failure::usage(format!(
            "--depth is at most {MOST_DEPTH}; without --depth positions are drawn uniformly"
        ))
    })
}
