//! Random positions that a seed repeats.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use untumble_search::error::{Diagnostic, Error};
use untumble_search::frontend::DynPuzzle;

use untumble_search::family::Settings;

/// Walks longer than this mix nothing better.
const MOST_DEPTH: u64 = 10_000_000;

/// Where the positions of a seed come from. They are a promise: neither the generator nor the order of draws may change.
pub fn generator(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// A seed of 48 bits from the system, so that every reader of JSON keeps it exactly. In the browser the page
/// chooses the seed.
#[cfg(not(target_arch = "wasm32"))]
pub fn random_seed() -> u64 {
    getrandom::u64().expect("the system has a source of random numbers") >> 16
}

/// A number of random moves; refuses one that takes too long.
pub fn depth(moves: u64) -> Result<usize, Error> {
    usize::try_from(moves).ok().filter(|_| moves <= MOST_DEPTH).ok_or_else(|| {
        let message = format!("a scramble has at most {MOST_DEPTH} moves");
        Error::Puzzle(Box::new(Diagnostic::new("depth-too-large", message)))
    })
}

/// Random positions wanted.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ScrambleRequest {
    /// So many random moves from solved; drawn uniformly from all that can be solved where not given.
    #[cfg_attr(feature = "openapi", schema(maximum = 10000000))]
    pub depth: Option<u64>,
    /// So many positions; one where not given.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, example = 1))]
    pub count: Option<u64>,
    /// Repeats what this seed gave; without it one is drawn and told.
    pub seed: Option<u64>,
    /// What to get to.
    pub goal: Option<String>,
    /// How moves are counted.
    pub metric: Option<String>,
}

impl ScrambleRequest {
    /// What the puzzle is told.
    pub fn settings(&self) -> Settings {
        Settings { goal: self.goal.clone(), metric: self.metric.clone() }
    }
}

/// Random positions.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Scrambled {
    /// The puzzle's full name.
    pub puzzle: String,
    /// The positions, each on one line.
    pub positions: Vec<String>,
    /// The seed that repeats them.
    pub seed: u64,
}

/// Makes random positions; `fresh` is the seed where none was given.
pub fn scramble(puzzle: &dyn DynPuzzle, request: &ScrambleRequest, fresh: u64) -> Result<Scrambled, Error> {
    let seed = request.seed.unwrap_or(fresh);
    let depth = request.depth.map(depth).transpose()?;
    let mut generator = generator(seed);
    let position = |_| puzzle.text(&puzzle.scramble(&mut generator, depth));
    let positions = (0..request.count.unwrap_or(1)).map(position).collect();
    Ok(Scrambled { puzzle: puzzle.title(), positions, seed })
}
