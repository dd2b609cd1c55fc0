//! `untumble scramble`: random positions, reproducible from a seed.

use serde::Serialize;

use crate::cli::Scramble;
use crate::exit::{CliError, Exit};
use crate::output::{self, Answers};
use crate::puzzle_input;

/// One line of JSON.
#[derive(Serialize, Debug)]
struct ScrambleLine {
    puzzle: String,
    start: String,
    seed: u64,
    depth: Option<u64>,
}

/// Prints the positions.
pub(crate) fn run(arguments: &Scramble) -> Result<Exit, CliError> {
    let puzzle = puzzle_input::open_puzzle(&arguments.puzzle)?;
    let seed = arguments.seed.unwrap_or_else(|| {
        let seed = untumble_session::random_seed();
        output::note(&format!("seed {seed} (repeat with --seed {seed})"));
        seed
    });
    let mut rng = untumble_session::seeded_rng(seed);
    let depth = arguments.depth.map(untumble_session::scramble_depth).transpose()?;
    let mut answers = Answers::new();
    for _ in 0..arguments.count {
        let position = puzzle.text(&puzzle.scramble(&mut rng, depth));
        if arguments.json {
            let puzzle = puzzle.title();
            answers.json(&ScrambleLine { puzzle, start: position, seed, depth: arguments.depth })?;
        } else {
            answers.line(&position)?;
        }
    }
    answers.flush()?;
    Ok(Exit::Success)
}
