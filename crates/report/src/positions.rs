//! The positions that every solver is posed: random ones that a seed repeats, or those of a file.

use serde::{Deserialize, Serialize};

use untumble_search::frontend::{DynPuzzle, Position};
use untumble_session::figures;

use crate::error::Error;

/// Numbers of random moves, both ends included.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Depths {
    /// The first.
    pub least: u64,
    /// The last.
    pub most: u64,
}

/// A position to solve.
pub struct Posed {
    /// The position itself.
    pub position: Position,
    /// Ready to be read again.
    pub text: String,
    /// How many random moves made it.
    pub scramble_depth: Option<u64>,
}

/// Where positions come from.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(tag = "from", rename_all = "lowercase")]
pub enum Origin {
    /// Drawn uniformly from all that can be solved.
    Random {
        /// How many.
        count: u64,
        /// The seed that repeats them.
        seed: u64,
    },
    /// So many for each number of random moves.
    Scrambled {
        /// The numbers of random moves.
        depths: Depths,
        /// How many for each.
        count: u64,
        /// The seed that repeats them.
        seed: u64,
    },
    /// Read.
    File {
        /// The file's name.
        name: String,
    },
}

impl Origin {
    /// In words.
    pub fn text(&self) -> String {
        match self {
            Origin::Random { count, seed } => {
                let positions = figures::counted(*count, "position");
                format!("{positions} drawn uniformly from all that can be solved (seed {seed})")
            }
            Origin::Scrambled { depths: Depths { least, most }, count, seed } if least == most => {
                let positions = figures::counted(*count, "position");
                let moves = figures::counted(*least, "random move");
                format!("{positions}, each {moves} from solved (seed {seed})")
            }
            Origin::Scrambled { depths: Depths { least, most }, count, seed } => {
                let positions = figures::counted(*count, "position");
                format!("{positions} for each scramble depth from {least} to {most} (seed {seed})")
            }
            Origin::File { name } => format!("the positions of {name}"),
        }
    }
}

/// Positions and where they come from.
pub struct Collected {
    /// Where they come from.
    pub origin: Origin,
    /// The positions, in order.
    pub posed: Vec<Posed>,
}

/// More positions would take years.
const MOST: u64 = 10_000_000;

/// Makes random positions: `count` in all, or `count` for each scramble depth.
pub fn generate(
    puzzle: &dyn DynPuzzle,
    depths: Option<Depths>,
    count: u64,
    seed: u64,
) -> Result<Collected, Error> {
    if count == 0 {
        return Err(Error::NoPositions);
    }
    let walks = depths.map_or(1, |Depths { least, most }| (most - least).saturating_add(1));
    if count.saturating_mul(walks) > MOST {
        return Err(Error::TooManyPositions { most: MOST });
    }
    let walks: Vec<Option<u64>> =
        depths.map_or_else(|| vec![None], |Depths { least, most }| (least..=most).map(Some).collect());
    let mut generator = untumble_session::generator(seed);
    let mut posed = Vec::new();
    for scramble_depth in walks {
        let depth = scramble_depth.map(untumble_session::depth).transpose()?;
        posed.extend((0..count).map(|_| {
            let position = puzzle.scramble(&mut generator, depth);
            Posed { text: puzzle.text(&position), position, scramble_depth }
        }));
    }
    let origin = match depths {
        Some(depths) => Origin::Scrambled { depths, count, seed },
        None => Origin::Random { count, seed },
    };
    Ok(Collected { origin, posed })
}
