//! Errors in boards and move sequences of Balto's puzzle.

use std::fmt;
use std::ops::Range;

use untumble_search::error::{AlternativeKind, Diagnostic, PieceKind, PieceRef};

use super::text::FORMATS;
use crate::sequence::GroupError;

/// Why a text is not a board or a move sequence, or why a board is unsolvable. Rows, tiles and moves are
/// numbered from 1; spans are byte ranges of the parsed text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BaltoError {
    /// No format has that name.
    #[error("there is no format `{name}`")]
    UnknownFormat {
        /// The requested format.
        name: String,
    },
    /// The first line is neither a side, a row, a board nor moves.
    #[error(
        "expected the side {side}, a first row of {side} tiles, all {cells} tiles or moves (1-6, A-F), \
         found {found} words"
    )]
    NotABoard {
        /// The side of the board.
        side: usize,
        /// The number of cells of the board.
        cells: usize,
        /// The number of words of the line.
        found: usize,
        /// The line.
        span: Option<Range<usize>>,
    },
    /// A line follows the whole board.
    #[error("expected nothing after {after}, found `{found}`")]
    TrailingLine {
        /// A description of the text before the line, such as `the first line`.
        after: String,
        /// The line, sanitized.
        found: String,
        /// The line.
        span: Option<Range<usize>>,
    },
    /// The first line of the contest format is not a side.
    #[error("expected the side, {side}, on a line of its own, found `{found}`")]
    NotASide {
        /// The side of the board.
        side: usize,
        /// The line, sanitized.
        found: String,
        /// The line.
        span: Option<Range<usize>>,
    },
    /// The side in the text is not that of the board.
    #[error("the side is {found}, not {side}")]
    WrongSide {
        /// The side of the board.
        side: usize,
        /// The side in the text.
        found: usize,
        /// The side in the text.
        span: Option<Range<usize>>,
    },
    /// A row is too short or too long.
    #[error("row {row} of {rows}: expected {expected} tiles, found {found}: `{line}`")]
    RowLength {
        /// The number of the row.
        row: usize,
        /// The number of rows of the board.
        rows: usize,
        /// The length of the row on the board.
        expected: usize,
        /// The number of tiles in the line.
        found: usize,
        /// The line, sanitized.
        line: String,
        /// The line.
        span: Option<Range<usize>>,
    },
    /// Rows are missing.
    #[error("the board has {done} of {rows} rows: {} missing", missing_rows(.rows - .done))]
    MissingRows {
        /// The number of rows in the text.
        done: usize,
        /// The number of rows of the board.
        rows: usize,
        /// Whether the text may be meant as a single move.
        single_move: bool,
    },
    /// A board on one line has too few or too many tiles.
    #[error("expected {cells} tiles on the line, found {found}")]
    TileCount {
        /// The number of cells of the board.
        cells: usize,
        /// The number of tiles in the line.
        found: usize,
        /// The line.
        span: Option<Range<usize>>,
    },
    /// A word is not a tile of the board.
    #[error("{location}: expected a tile 0..{max}, found `{found}`")]
    NotATile {
        /// The row and item of the word.
        location: TileLocation,
        /// Its cell in reading order, from 0.
        cell: usize,
        /// The largest tile of the board.
        max: usize,
        /// The word, sanitized.
        found: String,
        /// The word.
        span: Option<Range<usize>>,
    },
    /// A tile occurs twice.
    #[error("{location}: tile {tile} already occurs in {first}; missing: {}", list_tiles(.missing))]
    DuplicateTile {
        /// The tile.
        tile: usize,
        /// The location of the second occurrence.
        location: TileLocation,
        /// The location of the first occurrence.
        first: TileLocation,
        /// Both cells in reading order, from 0.
        cells: [usize; 2],
        /// The tiles that do not occur.
        missing: Vec<usize>,
        /// The second occurrence.
        span: Option<Range<usize>>,
    },
    /// The moves are for a board of another side.
    #[error("the moves are for a board of side `{found}`, not {side}")]
    MovesOfAnotherSide {
        /// The side of the board.
        side: usize,
        /// The side in the text, sanitized.
        found: String,
        /// The side in the text.
        span: Option<Range<usize>>,
    },
    /// A character is not a move.
    #[error("move {number}: expected 1-6 or A-F, found `{found}`")]
    UnknownMove {
        /// The number of the move.
        number: usize,
        /// The character, sanitized.
        found: String,
        /// The character.
        span: Option<Range<usize>>,
    },
    /// A mistake in a group of moves.
    #[error(transparent)]
    Group(#[from] GroupError),
    /// Two consecutive moves have the same direction.
    #[error(
        "move {number}: directions must alternate, but `{last}` and `{name}` are both {}; expected {}",
        if *.clockwise { "clockwise" } else { "anticlockwise" }, if *.clockwise { "A-F" } else { "1-6" }
    )]
    SameDirection {
        /// The number of the second move.
        number: usize,
        /// The first move.
        last: &'static str,
        /// The second move.
        name: &'static str,
        /// The direction of both.
        clockwise: bool,
        /// The second move.
        span: Option<Range<usize>>,
    },
    /// The board is an odd permutation of the solved one; every move is even.
    #[error(
        "no moves solve it: its parity is odd, and every move is an even permutation; \
         exchanging any two tiles would make it solvable"
    )]
    Parity,
}

/// The location of a tile in the text of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TileLocation {
    /// The row, from 1.
    pub row: usize,
    /// The tile within the row, from 1.
    pub item: usize,
}

impl fmt::Display for TileLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}, tile {}", self.row, self.item)
    }
}

fn missing_rows(count: usize) -> String {
    if count == 1 { "1 row is".into() } else { format!("{count} rows are") }
}

/// At most eight tiles, separated by commas.
fn list_tiles(tiles: &[usize]) -> String {
    tiles.iter().take(8).map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl BaltoError {
    fn code(&self) -> &'static str {
        match self {
            BaltoError::UnknownFormat { .. } => "unknown-format",
            BaltoError::NotABoard { .. } => "not-a-board",
            BaltoError::TrailingLine { .. } => "trailing-line",
            BaltoError::NotASide { .. } => "not-a-size",
            BaltoError::WrongSide { .. } | BaltoError::MovesOfAnotherSide { .. } => "wrong-size",
            BaltoError::RowLength { .. } => "row-length",
            BaltoError::MissingRows { .. } => "missing-rows",
            BaltoError::TileCount { .. } => "tile-count",
            BaltoError::NotATile { .. } => "not-a-tile",
            BaltoError::DuplicateTile { .. } => "duplicate-tile",
            BaltoError::UnknownMove { .. } => "unknown-move",
            BaltoError::Group(error) => error.fault.code(),
            BaltoError::SameDirection { .. } => "same-direction",
            BaltoError::Parity => "wrong-parity",
        }
    }

    fn span(&self) -> Option<Range<usize>> {
        match self {
            BaltoError::NotABoard { span, .. }
            | BaltoError::TrailingLine { span, .. }
            | BaltoError::NotASide { span, .. }
            | BaltoError::WrongSide { span, .. }
            | BaltoError::RowLength { span, .. }
            | BaltoError::TileCount { span, .. }
            | BaltoError::NotATile { span, .. }
            | BaltoError::DuplicateTile { span, .. }
            | BaltoError::MovesOfAnotherSide { span, .. }
            | BaltoError::UnknownMove { span, .. }
            | BaltoError::SameDirection { span, .. } => span.clone(),
            BaltoError::Group(error) => Some(error.span.clone()),
            BaltoError::UnknownFormat { .. } | BaltoError::MissingRows { .. } | BaltoError::Parity => None,
        }
    }

    fn pieces(&self) -> Vec<PieceRef> {
        let piece = |cell: usize, location: &TileLocation| {
            PieceRef::new(PieceKind::Cell, location.to_string(), [cell])
        };
        match self {
            BaltoError::NotATile { location, cell, found, .. } => {
                vec![piece(*cell, location).showing(found.clone())]
            }
            BaltoError::DuplicateTile { tile, location, first, cells, missing, .. } => {
                let occurrences = [piece(cells[0], first), piece(cells[1], location)];
                let missing = missing.iter().map(|tile| PieceRef::new(PieceKind::Tile, tile.to_string(), []));
                occurrences.into_iter().map(|cell| cell.showing(tile.to_string())).chain(missing).collect()
            }
            BaltoError::UnknownMove { number, found, .. } => {
                vec![PieceRef::new(PieceKind::Move, found.clone(), [number - 1])]
            }
            BaltoError::SameDirection { number, name, .. } => {
                vec![PieceRef::new(PieceKind::Move, *name, [number - 1])]
            }
            _ => Vec::new(),
        }
    }

    /// The input that the message expects.
    fn expected(&self) -> Option<String> {
        Some(match self {
            BaltoError::NotABoard { side, cells, .. } => {
                format!("the side {side}, a first row of {side} tiles, all {cells} tiles or moves (1-6, A-F)")
            }
            BaltoError::TrailingLine { after, .. } => format!("nothing after {after}"),
            BaltoError::NotASide { side, .. } => format!("the side, {side}, on a line of its own"),
            BaltoError::RowLength { expected, .. } => format!("{expected} tiles"),
            BaltoError::TileCount { cells, .. } => format!("{cells} tiles"),
            BaltoError::NotATile { max, .. } => format!("a tile 0..{max}"),
            BaltoError::UnknownMove { .. } => "1-6 or A-F".into(),
            BaltoError::Group(error) => error.fault.expected()?,
            BaltoError::SameDirection { clockwise, .. } => if *clockwise { "A-F" } else { "1-6" }.into(),
            _ => return None,
        })
    }
}

impl From<BaltoError> for Box<Diagnostic> {
    fn from(error: BaltoError) -> Box<Diagnostic> {
        let mut diagnostic =
            Diagnostic::new(error.code(), error.to_string()).at(error.span()).about(error.pieces());
        diagnostic.expected = error.expected();
        Box::new(match &error {
            BaltoError::UnknownFormat { .. } => diagnostic
                .with_alternatives(AlternativeKind::Format, FORMATS.iter().map(|format| format.name)),
            BaltoError::WrongSide { found, .. } => {
                diagnostic.with_alternatives(AlternativeKind::Puzzle, [format!("balto-{found}")])
            }
            BaltoError::MissingRows { single_move: true, .. } => {
                diagnostic.with_alternatives(AlternativeKind::Input, ["moves"])
            }
            _ => diagnostic,
        })
    }
}
