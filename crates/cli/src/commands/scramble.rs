//! `untumble scramble`: random positions, reproducible from a seed, as positions or as moves from solved.
//!
//! The moves of a walk (`--depth`) are those of the walk. A uniform position is written as the inverse of a
//! quick solution.

use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use untumble_search::frontend::{DynPuzzle, InputKind, Position};
use untumble_session::MoveScrambler;

use crate::cli::Scramble;
use crate::exit::{CliError, Exit};
use crate::output::{self, Answers};
use crate::puzzle_input;

/// One line of JSON.
#[derive(Serialize, Debug)]
struct ScrambleLine {
    puzzle: String,
    start: String,
    /// The moves from solved, if moves are printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<String>,
    seed: u64,
    depth: Option<u64>,
}

/// Prints the positions.
pub(crate) fn run(arguments: &Scramble) -> Result<Exit, CliError> {
    let puzzle = puzzle_input::open_puzzle(&arguments.puzzle)?;
    let depth = arguments.depth.map(untumble_session::scramble_depth).transpose()?;
    let as_moves = arguments.kind.unwrap_or_else(|| puzzle.scramble_kind()) == InputKind::Moves;
    let mut writer = match as_moves {
        true => Some(MoveWriter::new(&*puzzle, depth)?),
        false => None,
    };
    let seed = arguments.seed.unwrap_or_else(|| {
        let seed = untumble_session::random_seed();
        output::note(&format!("seed {seed} (repeat with --seed {seed})"));
        seed
    });
    let mut rng = untumble_session::seeded_rng(seed);
    let mut answers = Answers::new();
    for _ in 0..arguments.count {
        // The walk of a position draws the same numbers again.
        let before = rng.clone();
        let position = puzzle.scramble(&mut rng, depth);
        let moves = match &mut writer {
            Some(writer) => Some(writer.moves(&*puzzle, &position, before)?),
            None => None,
        };
        let start = puzzle.text(&position);
        if arguments.json {
            answers.json(&ScrambleLine {
                puzzle: puzzle.title(),
                start,
                moves,
                seed,
                depth: arguments.depth,
            })?;
        } else {
            answers.line(moves.as_deref().unwrap_or(&start))?;
        }
    }
    answers.flush()?;
    Ok(Exit::Success)
}

/// Writes positions as moves.
enum MoveWriter {
    /// The moves of a random walk of this length.
    Walk(usize),
    /// The inverse of a solution.
    Solver(Box<MoveScrambler>),
}

impl MoveWriter {
    fn new(puzzle: &dyn DynPuzzle, depth: Option<usize>) -> Result<MoveWriter, CliError> {
        match (depth, MoveScrambler::new(puzzle)?) {
            (Some(depth), _) => Ok(MoveWriter::Walk(depth)),
            (None, Some(scrambler)) => Ok(MoveWriter::Solver(Box::new(scrambler))),
            (None, None) => Err(no_moves(puzzle)),
        }
    }

    /// The moves that lead from solved to `position`; `before` is the generator that it was drawn with.
    fn moves(
        &mut self,
        puzzle: &dyn DynPuzzle,
        position: &Position,
        mut before: ChaCha8Rng,
    ) -> Result<String, CliError> {
        match self {
            MoveWriter::Solver(scrambler) => {
                scrambler.moves(puzzle, position)?.ok_or_else(|| no_moves(puzzle))
            }
            MoveWriter::Walk(depth) => {
                let walk = puzzle.scramble_walk(&mut before, *depth);
                let end = puzzle.apply(&puzzle.solved(), &walk).ok();
                let leads_there = end.is_some_and(|end| puzzle.text(&end) == puzzle.text(position));
                if leads_there { Ok(puzzle.format_moves(&walk)) } else { Err(no_moves(puzzle)) }
            }
        }
    }
}

/// The error of a puzzle whose positions are not written as moves.
fn no_moves(puzzle: &dyn DynPuzzle) -> CliError {
    CliError::usage(format!(
        "{} has no quick way to write a random position as moves; use --as position, or --depth for a \
         random walk",
        puzzle.title()
    ))
}
