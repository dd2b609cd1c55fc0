//! From names and texts to puzzles, positions and moves.

use std::sync::Arc;

use untumble_puzzles::catalog;
use untumble_search::error::{Diagnostic, Error, PieceKind, PieceRef};
use untumble_search::family::PuzzleSettings;
use untumble_search::frontend::{ApplyError, DynPuzzle, InputFormat, Parsed, Position};
use untumble_search::moves::Move;
use untumble_search::runtime::Runtime;

use crate::problem::{ProblemDetails, ProblemKind};

/// Opens a puzzle by name: one of a family that was added to the runtime, or a built-in one.
pub fn open_puzzle(
    runtime: &Runtime,
    name: &str,
    settings: &PuzzleSettings,
) -> Result<Arc<dyn DynPuzzle>, ProblemDetails> {
    let added = runtime.families.iter().find_map(|family| family.open(name, settings));
    if let Some(opened) = added {
        return opened.map(Arc::from).map_err(ProblemDetails::from);
    }
    let opened = catalog::open(name, settings);
    opened.map(Arc::from).map_err(|error| match catalog::family(name) {
        // The name itself is unknown; otherwise one of the settings is wrong.
        None => ProblemDetails::about(ProblemKind::NotFound, &error.diagnostic()),
        Some(_) => error.into(),
    })
}

/// Parses a text that holds one whole position, or moves from solved.
pub fn parse_position(
    puzzle: &dyn DynPuzzle,
    text: &str,
    format: &InputFormat,
) -> Result<Position, Box<Diagnostic>> {
    match puzzle.parse(text, true, format)? {
        Parsed::Position(position) => Ok(position),
        Parsed::Unfinished(why) | Parsed::Separate(why) => Err(why),
        Parsed::Nothing | Parsed::More => {
            Err(Box::new(Diagnostic::new("no-position", "the text holds no position")))
        }
    }
}

/// The position after `moves`. The error names the first illegal move and the position in which it is
/// illegal.
pub fn replay(puzzle: &dyn DynPuzzle, position: &Position, moves: &[Move]) -> Result<Position, Error> {
    puzzle.apply(position, moves).map_err(|error| {
        let index = match error {
            ApplyError::Illegal(index) => index,
            ApplyError::Foreign(error) => return error,
        };
        let before = puzzle.apply(position, &moves[..index]);
        let text = before.map_or_else(|_| String::new(), |before| puzzle.text(&before));
        let place = if text.len() <= 80 { text } else { "that position".into() };
        let (m, count) = (puzzle.format_moves(&moves[index..=index]), moves.len());
        let message = format!("move {} of {count}, `{m}`, is not possible in {place}", index + 1);
        let illegal = PieceRef::new(PieceKind::Move, m, [index]);
        Error::Parse(Box::new(Diagnostic::new("illegal-move", message).about([illegal])))
    })
}

/// Parses moves and replays them from `position`; returns them with the position they lead to.
pub fn parse_moves(
    puzzle: &dyn DynPuzzle,
    position: &Position,
    text: &str,
) -> Result<(Vec<Move>, Position), Error> {
    let moves = puzzle.parse_moves(text)?;
    let end = replay(puzzle, position, &moves)?;
    Ok((moves, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_or_unfinished_text_is_no_position() {
        let puzzle = catalog::open("8-puzzle", &PuzzleSettings::default()).expect("a known puzzle");
        for text in ["", "  \n# nothing", "1 2 3\n4 5 6"] {
            assert!(parse_position(&*puzzle, text, &InputFormat::default()).is_err(), "{text}");
        }
        assert!(parse_position(&*puzzle, "1 2 3\n4 5 6\n7 8 0", &InputFormat::default()).is_ok());
    }
}
