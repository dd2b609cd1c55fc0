//! Random positions that a seed repeats.

use std::hash::{BuildHasher, RandomState};

pub(crate) use untumble_session::generator;

use crate::exit::CliError;

/// A seed from the system, small enough for every reader of JSON.
pub(crate) fn drawn() -> u64 {
    RandomState::new().hash_one("untumble") >> 16
}

/// A number of random moves; refuses one that takes too long.
pub(crate) fn depth(moves: u64) -> Result<usize, CliError> {
    Ok(untumble_session::depth(moves)?)
}
