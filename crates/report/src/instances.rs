//! The positions of an experiment: random ones, reproducible from a seed, or those of a file.

use serde::{Deserialize, Serialize};

use untumble_puzzles::instance_sets::Reference;
use untumble_search::frontend::{DynPuzzle, Position};
use untumble_session::number_format;

use crate::error::Error;

/// A range of scramble depths, both ends included.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct DepthRange {
    /// The smallest number of random moves.
    #[serde(rename = "least")]
    pub min: u64,
    /// The largest number of random moves.
    #[serde(rename = "most")]
    pub max: u64,
}

/// A position to solve.
pub struct Instance {
    /// The position itself.
    pub position: Position,
    /// The position as text that the puzzle can parse.
    pub text: String,
    /// The number of random moves that produced it; the optimal solution may be shorter.
    pub scramble_depth: Option<u64>,
    /// The published results, for a position of a published list.
    pub reference: Option<Reference>,
}

/// Where the positions of an experiment come from.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(tag = "from", rename_all = "lowercase")]
pub enum Origin {
    /// Uniformly distributed over the solvable positions.
    Random {
        /// The number of positions.
        count: u64,
        /// The seed of the generator.
        seed: u64,
    },
    /// Random moves from the solved position.
    Scrambled {
        /// The numbers of random moves.
        depths: DepthRange,
        /// The number of positions for each depth.
        count: u64,
        /// The seed of the generator.
        seed: u64,
    },
    /// A published list of positions.
    Set {
        /// The name of the list.
        name: String,
        /// The number and kind of the positions and their source.
        source: String,
        /// The solver of the published node counts.
        nodes_of: String,
    },
    /// Read from a file.
    File {
        /// The file's name.
        name: String,
    },
}

impl Origin {
    /// A phrase for the heading of a report.
    pub fn description(&self) -> String {
        match self {
            Origin::Random { count, seed } => {
                let positions = number_format::pluralize(*count, "uniformly random position");
                format!("{positions} (seed {seed})")
            }
            Origin::Scrambled { depths: DepthRange { min, max }, count, seed } if min == max => {
                let positions = number_format::pluralize(*count, "position");
                let moves = number_format::pluralize(*min, "random move");
                format!("{positions}, each {moves} from solved (seed {seed})")
            }
            Origin::Scrambled { depths: DepthRange { min, max }, count, seed } => {
                let positions = number_format::pluralize(*count, "position");
                format!("{positions} for each scramble depth from {min} to {max} (seed {seed})")
            }
            Origin::Set { name, source, .. } => format!("{name}: {source}"),
            Origin::File { name } => format!("the positions of {name}"),
        }
    }
}

/// The positions of an experiment and their origin.
pub struct InstanceSet {
    /// Where the positions come from.
    pub origin: Origin,
    /// The positions, in the order of measurement.
    pub instances: Vec<Instance>,
}

/// The largest number of positions; even 1 ms for each search would take hours.
const MAX_POSITIONS: u64 = 10_000_000;

/// Generates random positions: `count` in all, or `count` for each scramble depth.
pub fn generate(
    puzzle: &dyn DynPuzzle,
    depths: Option<DepthRange>,
    count: u64,
    seed: u64,
) -> Result<InstanceSet, Error> {
    if count == 0 {
        return Err(Error::NoPositions);
    }
    let depth_count = depths.map_or(1, |DepthRange { min, max }| (max - min).saturating_add(1));
    if count.saturating_mul(depth_count) > MAX_POSITIONS {
        return Err(Error::TooManyPositions { max: MAX_POSITIONS });
    }
    let scramble_depths: Vec<Option<u64>> =
        depths.map_or_else(|| vec![None], |DepthRange { min, max }| (min..=max).map(Some).collect());
    let mut generator = untumble_session::seeded_rng(seed);
    let mut instances = Vec::new();
    for scramble_depth in scramble_depths {
        let depth = scramble_depth.map(untumble_session::scramble_depth).transpose()?;
        instances.extend((0..count).map(|_| {
            let position = puzzle.scramble(&mut generator, depth);
            Instance { text: puzzle.text(&position), position, scramble_depth, reference: None }
        }));
    }
    let origin = match depths {
        Some(depths) => Origin::Scrambled { depths, count, seed },
        None => Origin::Random { count, seed },
    };
    Ok(InstanceSet { origin, instances })
}
