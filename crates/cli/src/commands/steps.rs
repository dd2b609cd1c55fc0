//! `solve --steps`: the moves of a solution with their numbers, and the position after each where it fits.

use std::io::{self, IsTerminal};

use untumble_search::frontend::{DynPuzzle, Position};

use crate::exit::CliError;
use crate::output::{self, Answers};

/// A longer solution is printed without drawings.
const MAX_DRAWN_MOVES: usize = 200;
/// A higher drawing does not fit on a screen together with its move.
const MAX_DRAWN_ROWS: usize = 40;
/// The moves on a line of a solution without drawings.
const MOVES_PER_LINE: usize = 10;

/// Prints the steps of a solution of `start`.
pub(super) fn print(
    puzzle: &dyn DynPuzzle,
    start: &Position,
    moves: &str,
    answers: &mut Answers,
) -> Result<(), CliError> {
    let path = puzzle.parse_moves(moves).map_err(|why| CliError::invalid("", &why))?;
    let number_width = path.len().to_string().len();
    let drawing = puzzle.draw(start, false);
    let width = drawing.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let fits = width <= output::width() && drawing.lines().count() <= MAX_DRAWN_ROWS;
    if !fits || path.len() > MAX_DRAWN_MOVES {
        let lines = path.chunks(MOVES_PER_LINE).enumerate();
        return lines.into_iter().try_for_each(|(index, moves)| {
            let number = index * MOVES_PER_LINE + 1;
            answers.line(&format!("{number:>number_width$}  {}", puzzle.names(moves).join(" ")))
        });
    }
    let colour = output::colours_enabled(io::stdout().is_terminal());
    answers.line(puzzle.draw(start, colour).trim_end())?;
    for (index, &m) in path.iter().enumerate() {
        let names = puzzle.names(&[m]).join(" ");
        answers.line(&format!("{:>number_width$}  {names}", index + 1))?;
        // The moves up to here: a single move may be illegal as the first one.
        if let Ok(position) = puzzle.apply(start, &path[..=index]) {
            answers.line(puzzle.draw(&position, colour).trim_end())?;
        }
    }
    Ok(())
}
