//! The positions that every solver is posed: random ones that a seed repeats, or those of a file.

use serde::{Deserialize, Serialize};

use untumble_search::error::Error;
use untumble_search::frontend::{DynPuzzle, Position};

use crate::cli::{self, Depths};
use crate::exit::{CliError, Exit};
use crate::figures;
use crate::open;
use crate::reading::{Complaints, Text};
use crate::scrambling;

/// A position to solve.
pub(crate) struct Posed {
    pub(crate) position: Position,
    /// Ready to be read again.
    pub(crate) text: String,
    /// How many random moves made it.
    pub(crate) scramble_depth: Option<u64>,
}

/// Where positions come from.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(tag = "from", rename_all = "lowercase")]
pub(crate) enum Origin {
    /// Drawn uniformly from all that can be solved.
    Random { count: u64, seed: u64 },
    /// So many for each number of random moves.
    Scrambled { depths: Depths, count: u64, seed: u64 },
    /// Read.
    File { name: String },
}

impl Origin {
    /// In words.
    pub(crate) fn text(&self) -> String {
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

/// The positions, and what is to be said about those that are none.
pub(crate) struct Collected {
    pub(crate) origin: Origin,
    pub(crate) posed: Vec<Posed>,
    /// The worst of what was left out.
    pub(crate) exit: Exit,
}

/// More would take years.
const MOST: u64 = 10_000_000;
/// How many are made where nobody says.
const USUAL: u64 = 100;
/// Without a seed everybody gets the same positions, so that runs can be compared.
const USUAL_SEED: u64 = 1;

/// What the command line asks for.
pub(crate) fn collect(puzzle: &dyn DynPuzzle, arguments: &cli::Measured) -> Result<Collected, CliError> {
    match &arguments.file {
        Some(file) => read(puzzle, arguments, file),
        None => make(puzzle, arguments),
    }
}

fn make(puzzle: &dyn DynPuzzle, arguments: &cli::Measured) -> Result<Collected, CliError> {
    let (count, seed) = (arguments.count.unwrap_or(USUAL), arguments.seed.unwrap_or(USUAL_SEED));
    let depths = arguments.depths.or(arguments.depth.map(|depth| Depths { least: depth, most: depth }));
    if count == 0 {
        return Err(CliError::usage("--count 0 leaves nothing to compare; it is at least 1"));
    }
    let walks = depths.map_or(1, |Depths { least, most }| (most - least).saturating_add(1));
    if count.saturating_mul(walks) > MOST {
        return Err(CliError::usage(format!("at most {} positions at a time", figures::grouped(MOST))));
    }
    let walks: Vec<Option<u64>> =
        depths.map_or_else(|| vec![None], |Depths { least, most }| (least..=most).map(Some).collect());
    let mut generator = scrambling::generator(seed);
    let mut posed = Vec::new();
    for scramble_depth in walks {
        let depth = scramble_depth.map(scrambling::depth).transpose()?;
        posed.extend((0..count).map(|_| {
            let position = puzzle.scramble(&mut generator, depth);
            Posed { text: puzzle.text(&position), position, scramble_depth }
        }));
    }
    let origin = match depths {
        Some(depths) => Origin::Scrambled { depths, count, seed },
        None => Origin::Random { count, seed },
    };
    Ok(Collected { origin, posed, exit: Exit::Solved })
}

fn read(
    puzzle: &dyn DynPuzzle,
    arguments: &cli::Measured,
    file: &std::path::Path,
) -> Result<Collected, CliError> {
    let form = open::form(puzzle, &arguments.reading)?;
    let text = Text::obtain(&[], Some(file), |_| false)?;
    let mut complaints = Complaints::default();
    let mut posed = Vec::new();
    let mut exit = Exit::Solved;
    for item in text.positions(puzzle, &form) {
        let checked = item.found.map_err(|why| (Exit::Invalid, why)).and_then(|position| {
            match puzzle.check(&position) {
                Ok(()) => Ok(position),
                Err(why @ Error::Unsolvable(_)) => Err((Exit::Unsolvable, why.to_string())),
                Err(why) => Err((Exit::Invalid, why.to_string())),
            }
        });
        match checked {
            Ok(position) => {
                posed.push(Posed { text: puzzle.text(&position), position, scramble_depth: None });
            }
            Err((kind, why)) => {
                complaints.add(&format!("{}{why}; left out", text.place(item.line)));
                exit = exit.max(kind);
            }
        }
    }
    let name = text.name();
    if posed.is_empty() {
        drop(complaints);
        // What was told of the positions counts; a text without any is no position.
        let exit = if exit == Exit::Solved { Exit::Invalid } else { exit };
        let message = format!("{name} holds no position that can be solved; there is nothing to compare");
        return Err(CliError::Told { exit, message });
    }
    Ok(Collected { origin: Origin::File { name }, posed, exit })
}
