//! What can be wrong with a board or moves of Balto's puzzle.

use std::fmt;
use std::ops::Range;

use untumble_search::error::{AlternativeKind, Diagnostic, PieceKind, PieceRef};

use super::text::FORMATS;

/// Why a text is not a board or not moves, or why a board cannot be solved. Rows, tiles and moves count from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BaltoError {
    /// The format is none of Balto's.
    #[error("there is no format `{name}`")]
    UnknownFormat {
        /// The format asked for.
        name: String,
    },
    /// The first line is neither a side, a row, a board nor moves.
    #[error(
        "expected the side {side}, a first row of {side} tiles, all {cells} tiles or moves (1-6, A-F), found {found} words"
    )]
    NotABoard {
        /// The side of the board.
        side: usize,
        /// Its cells.
        cells: usize,
        /// Words in the line.
        found: usize,
        /// The place of the line in the text.
        span: Option<Range<usize>>,
    },
    /// A line follows the whole board.
    #[error("expected nothing after {after}, found `{found}`")]
    TrailingLine {
        /// What the line follows, such as `the first line`.
        after: String,
        /// The line.
        found: String,
        /// Its place in the text.
        span: Option<Range<usize>>,
    },
    /// The line of the side is not one.
    #[error("expected the side, {side}, on a line of its own, found `{found}`")]
    NotASide {
        /// The side of the board.
        side: usize,
        /// The line.
        found: String,
        /// Its place in the text.
        span: Option<Range<usize>>,
    },
    /// The side in the text is another one.
    #[error("the side is {found}, not {side}")]
    WrongSide {
        /// The side of the board.
        side: usize,
        /// The side in the text.
        found: usize,
        /// Its place in the text.
        span: Option<Range<usize>>,
    },
    /// A row is too short or too long.
    #[error("row {row} of {rows}: expected {expected} tiles, found {found}: `{line}`")]
    RowLength {
        /// The row.
        row: usize,
        /// Rows of the board.
        rows: usize,
        /// Tiles that belong in it.
        expected: usize,
        /// Tiles in it.
        found: usize,
        /// The line.
        line: String,
        /// Its place in the text.
        span: Option<Range<usize>>,
    },
    /// Rows are missing.
    #[error("the board has {done} of {rows} rows: {} missing", missing_rows(.rows - .done))]
    MissingRows {
        /// Rows in the text.
        done: usize,
        /// Rows of the board.
        rows: usize,
        /// Whether the text may be a single turn.
        single_turn: bool,
    },
    /// Too few or too many tiles.
    #[error("expected {cells} tiles on the line, found {found}")]
    TileCount {
        /// Cells of the board.
        cells: usize,
        /// Tiles in the line.
        found: usize,
        /// The place of the line in the text.
        span: Option<Range<usize>>,
    },
    /// A word is not a tile of the board.
    #[error("{place}: expected a tile 0..{most}, found `{found}`")]
    NotATile {
        /// Its row and its place there.
        place: Place,
        /// Its cell in reading order, from 0.
        cell: usize,
        /// The largest tile.
        most: usize,
        /// The word.
        found: String,
        /// Its place in the text.
        span: Option<Range<usize>>,
    },
    /// A tile is there twice.
    #[error("{place}: tile {tile} is there before, in {before}; missing: {}", named(.missing))]
    DuplicateTile {
        /// The tile.
        tile: usize,
        /// The second place.
        place: Place,
        /// The first place.
        before: Place,
        /// Both cells in reading order, from 0.
        cells: [usize; 2],
        /// The tiles that are missing.
        missing: Vec<usize>,
        /// The place of the second one in the text.
        span: Option<Range<usize>>,
    },
    /// The moves are for a board of another side.
    #[error("the moves are for a board of side `{found}`, not {side}")]
    MovesOfAnotherSide {
        /// The side of the board.
        side: usize,
        /// The side in the text.
        found: String,
        /// Its place in the text.
        span: Option<Range<usize>>,
    },
    /// A character is not a move.
    #[error("move {number}: expected 1-6 or A-F, found `{found}`")]
    UnknownMove {
        /// The move's number.
        number: usize,
        /// The character.
        found: String,
        /// Its place in the text.
        span: Option<Range<usize>>,
    },
    /// Two turns in one direction follow each other.
    #[error(
        "move {number}: turns alternate, and `{last}` before `{name}` turns {} too; expected {}",
        if *.clockwise { "clockwise" } else { "anticlockwise" }, if *.clockwise { "A-F" } else { "1-6" }
    )]
    SameDirection {
        /// The move's number.
        number: usize,
        /// The move before.
        last: &'static str,
        /// The move.
        name: &'static str,
        /// The direction of both.
        clockwise: bool,
        /// The place of the move in the text.
        span: Option<Range<usize>>,
    },
    /// An odd number of exchanges makes the board.
    #[error(
        "no moves solve it: its parity is odd, an odd number of exchanges makes it, and a turn of three is always two; \
         swapping any two tiles would make it solvable"
    )]
    Parity,
}

/// Where a tile stands in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The row, from 1.
    pub row: usize,
    /// The tile in the row, from 1.
    pub item: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}, tile {}", self.row, self.item)
    }
}

fn missing_rows(left: usize) -> String {
    if left == 1 { "1 row is".into() } else { format!("{left} rows are") }
}

fn named(tiles: &[usize]) -> String {
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
            BaltoError::UnknownFormat { .. } | BaltoError::MissingRows { .. } | BaltoError::Parity => None,
        }
    }

    fn pieces(&self) -> Vec<PieceRef> {
        let cell = |cell: usize, place: &Place| PieceRef::new(PieceKind::Cell, place.to_string(), [cell]);
        match self {
            BaltoError::NotATile { place, cell: at, found, .. } => {
                vec![cell(*at, place).showing(found.clone())]
            }
            BaltoError::DuplicateTile { tile, place, before, cells: [first, second], missing, .. } => {
                let twice = [cell(*first, before), cell(*second, place)];
                let missing = missing.iter().map(|tile| PieceRef::new(PieceKind::Tile, tile.to_string(), []));
                twice.into_iter().map(|cell| cell.showing(tile.to_string())).chain(missing).collect()
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
}

impl From<BaltoError> for Box<Diagnostic> {
    fn from(error: BaltoError) -> Box<Diagnostic> {
        let diagnostic =
            Diagnostic::new(error.code(), error.to_string()).at(error.span()).about(error.pieces());
        Box::new(match &error {
            BaltoError::UnknownFormat { .. } => {
                diagnostic.or(AlternativeKind::Format, FORMATS.iter().map(|format| format.name))
            }
            BaltoError::WrongSide { found, .. } => {
                diagnostic.or(AlternativeKind::Puzzle, [format!("balto-{found}")])
            }
            BaltoError::MissingRows { single_turn: true, .. } => {
                diagnostic.or(AlternativeKind::Input, ["moves"])
            }
            BaltoError::NotATile { most, .. } => diagnostic.expecting(format!("a tile 0..{most}")),
            BaltoError::TileCount { cells, .. } => diagnostic.expecting(format!("{cells} tiles")),
            BaltoError::UnknownMove { .. } => diagnostic.expecting("1-6 or A-F"),
            _ => diagnostic,
        })
    }
}
