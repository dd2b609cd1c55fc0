//! `untumble scramble`: random positions that can be repeated.

use serde::Serialize;

use crate::cli::Scramble;
use crate::exit::{CliError, Exit};
use crate::open;
use crate::output::{self, Answers};

/// One line of JSON.
#[derive(Serialize, Debug)]
struct Scrambled {
    puzzle: String,
    start: String,
    seed: u64,
    depth: Option<u64>,
}

/// Prints the positions.
pub(crate) fn run(arguments: &Scramble) -> Result<Exit, CliError> {
    let puzzle = open::puzzle(&arguments.puzzle)?;
    let seed = arguments.seed.unwrap_or_else(|| {
        let seed = untumble_session::random_seed();
        output::note(&format!("seed {seed} (--seed {seed} repeats this)"));
        seed
    });
    let mut generator = untumble_session::generator(seed);
    let depth = arguments.depth.map(untumble_session::depth).transpose()?;
    let mut answers = Answers::new();
    for _ in 0..arguments.count {
        let position = puzzle.text(&puzzle.scramble(&mut generator, depth));
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
