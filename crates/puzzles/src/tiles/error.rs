//! Errors in the text of a board, of moves or of a goal, and unsolvable boards.

use std::ops::Range;

use untumble_search::error::{AlternativeKind, Diagnostic, PieceKind, PieceRef};

use super::Size;
use super::text::FORMATS;
use crate::sequence::GroupError;

/// An error in the text of a board, of moves or of a goal, or an unsolvable board. Items are counted from 1;
/// spans are byte ranges of the text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TilesError {
    /// There is no format with this name.
    #[error("there is no format `{name}`")]
    UnknownFormat {
        /// The format asked for.
        name: String,
    },
    /// Moves are expected, but the named format holds positions.
    #[error("format `{name}` holds positions, but moves are expected")]
    PositionFormatForMoves {
        /// The format asked for.
        name: String,
    },
    /// A position is expected, but the named format holds moves.
    #[error("format `moves` holds moves, but a position is expected")]
    MovesFormatForPosition,
    /// A line follows the whole board.
    #[error("expected nothing after {after}, found `{found}`")]
    TrailingLine {
        /// A description of the text before the line, such as `the first line`.
        after: String,
        /// The line.
        found: String,
        /// Its place in the text.
        span: Option<Range<usize>>,
    },
    /// The first line is not a row.
    #[error("expected a row of {columns} tiles, found `{found}`")]
    NotARow {
        /// Tiles in a row.
        columns: usize,
        /// The line.
        found: String,
        /// Its place in the text.
        span: Option<Range<usize>>,
    },
    /// Rows are missing.
    #[error("{}{}", missing_rows(*.done, *.rows, *.columns), next_line(.next.as_deref()))]
    MissingRows {
        /// Rows of the board.
        rows: usize,
        /// Tiles in a row.
        columns: usize,
        /// Rows in the text.
        done: usize,
        /// The line that is not the next row.
        next: Option<String>,
        /// Its place in the text.
        span: Option<Range<usize>>,
    },
    /// The size in the text is not that of the board.
    #[error("the size is {found}, but tiles-{size} has {} rows of {}{}", .size.rows, .size.columns,
            next_line(.next.as_deref()))]
    WrongSize {
        /// The size of the board.
        size: Size,
        /// The number of rows and columns in the text.
        found: usize,
        /// The line after the rows that were read.
        next: Option<String>,
        /// The place of the size line in the text.
        span: Option<Range<usize>>,
    },
    /// The number of cells of a board on one line does not decide its size.
    #[error("{cells} cells on one line may be {}", size_list(.sizes))]
    AmbiguousSize {
        /// Cells of the board.
        cells: usize,
        /// The sizes with this number of cells.
        sizes: Vec<Size>,
    },
    /// The line does not decide the size of its board.
    #[error("`{found}` has no size: expected a size line, a board with row separators, or a square board")]
    NoSize {
        /// The line.
        found: String,
    },
    /// A warning: files of this format usually mean another goal.
    #[error("files with a size line usually mean the goal {usual}; this run solves to {goal}")]
    UsualGoal {
        /// The goal of the puzzle.
        goal: String,
        /// The goal that such files usually mean.
        usual: &'static str,
    },
    /// The size line does not hold a valid size.
    #[error("expected {}, found `{found}`", size_line(*.size))]
    NotASize {
        /// The size of the board.
        size: Size,
        /// The line.
        found: String,
        /// Its place in the text.
        span: Option<Range<usize>>,
    },
    /// Too few or too many separators of rows.
    #[error("expected {rows} rows with {} between, found {}", separator_name(*.separator, 2),
            separator_count(*.separator, *.found))]
    SlashCount {
        /// Rows of the board.
        rows: usize,
        /// `/`, `;` or `|`.
        separator: char,
        /// Separators in the text.
        found: usize,
    },
    /// An array that is neither a list of tiles nor a list of rows.
    #[error("expected an array of {cells} tiles, or of {rows} rows of {columns} tiles, found {found}")]
    NotABoardArray {
        /// Cells of the board.
        cells: usize,
        /// Rows of the board.
        rows: usize,
        /// Tiles in a row.
        columns: usize,
        /// A description of the array in the text.
        found: String,
        /// Its place in the text.
        span: Option<Range<usize>>,
    },
    /// A row between slashes is too short or too long.
    #[error("row {row}: expected {columns} tiles, found {found}")]
    RowLength {
        /// The row, from 1.
        row: usize,
        /// Tiles in a row.
        columns: usize,
        /// Tiles in this row.
        found: usize,
        /// The place of this row in the text.
        span: Option<Range<usize>>,
    },
    /// The board is too large for one character per tile.
    #[error("a board of {cells} cells cannot be written in digits; put spaces between tiles")]
    TooLargeForDigits {
        /// Cells of the board.
        cells: usize,
    },
    /// Too few or too many characters.
    #[error("expected {cells} digits or letters, one for each cell, found {found}")]
    DigitCount {
        /// Cells of the board.
        cells: usize,
        /// Characters in the text.
        found: usize,
    },
    /// Too few or too many numbers after an instance number.
    #[error("expected an instance number and {cells} tiles, found {found}")]
    InstanceCount {
        /// Cells of the board.
        cells: usize,
        /// Words in the text.
        found: usize,
    },
    /// The instance number is not a number.
    #[error("expected an instance number before the {cells} tiles, found `{found}`")]
    NotAnInstance {
        /// Cells of the board.
        cells: usize,
        /// The word.
        found: String,
        /// Its place in the text.
        span: Option<Range<usize>>,
    },
    /// An item is not a tile of the board.
    #[error("item {item}: expected a tile 0..{}{}, found `{found}`{}", .cells - 1,
            if *.count_is_wrong { "" } else { " not used before" }, after_instance(.instance.as_deref()))]
    NotATile {
        /// The item's number, from 1.
        item: usize,
        /// Cells of the board.
        cells: usize,
        /// The word.
        found: String,
        /// Whether the number of items is also wrong. Then the item's number names no cell.
        count_is_wrong: bool,
        /// The instance number before the tiles.
        instance: Option<String>,
        /// The place of the word in the text.
        span: Option<Range<usize>>,
    },
    /// A tile occurs twice.
    #[error("item {second}: expected a tile 0..{} not used before, found `{found}`, which is item {first}; \
             {}{}",
            .cells - 1, missing_tiles(.missing), after_instance(.instance.as_deref()))]
    DuplicateTile {
        /// The tile.
        tile: usize,
        /// Its first item.
        first: usize,
        /// Its second item.
        second: usize,
        /// Cells of the board.
        cells: usize,
        /// The second item as written.
        found: String,
        /// The tiles that do not occur.
        missing: Vec<usize>,
        /// The instance number before the tiles.
        instance: Option<String>,
        /// The place of the second item in the text.
        span: Option<Range<usize>>,
    },
    /// Too few or too many tiles.
    #[error("expected {} tiles, {} in a row, or {} with an instance number, found {found}{}", .size.cells(),
            .size.columns, .size.cells() + 1, shortage(.missing))]
    TileCount {
        /// The size of the board.
        size: Size,
        /// Items in the text.
        found: usize,
        /// The tiles that do not occur, if there are too few items.
        missing: Vec<usize>,
        /// The place of the line in the text.
        span: Option<Range<usize>>,
    },
    /// The text holds neither tiles nor moves.
    #[error("expected {cells} tiles (0..{}) or moves (U D L R), found `{found}`", .cells - 1)]
    NotABoard {
        /// Cells of the board.
        cells: usize,
        /// The first word.
        found: String,
        /// Its place in the text.
        span: Option<Range<usize>>,
    },
    /// The letter of a move is unknown.
    #[error("move {number}: expected U, D, L or R, found `{found}`")]
    UnknownMove {
        /// The move's number, from 1.
        number: usize,
        /// The word.
        found: String,
        /// Its place in the text.
        span: Option<Range<usize>>,
    },
    /// A run is longer than the board allows.
    #[error("move {number}: expected a run of 1..{most} slides, found `{found}`")]
    RunLength {
        /// The move's number, from 1.
        number: usize,
        /// The longest possible run.
        most: usize,
        /// The word.
        found: String,
        /// Its place in the text.
        span: Option<Range<usize>>,
    },
    /// A mistake in a group of moves.
    #[error(transparent)]
    Group(#[from] GroupError),
    /// A move slides no tile.
    #[error("move {number}: `{name}` is illegal with the blank in row {row}, column {column}; \
             legal moves: {}",
            .legal.join(", "))]
    IllegalMove {
        /// The move's number, from 1.
        number: usize,
        /// The move.
        name: &'static str,
        /// The blank's row, from 1.
        row: usize,
        /// The blank's column, from 1.
        column: usize,
        /// The blank's cell, from 0.
        blank: usize,
        /// The legal moves.
        legal: Vec<&'static str>,
        /// The place of the move in the text.
        span: Option<Range<usize>>,
    },
    /// The permutation has the wrong parity: half of all arrangements are unsolvable.
    #[error("no moves solve it: the arrangement has the wrong parity, as half of all arrangements have{}",
            if .solvable_with.is_empty() { "; swapping any two tiles would make it solvable" } else { "" })]
    Parity {
        /// The named goals that the board can reach.
        solvable_with: Vec<&'static str>,
    },
}

fn separator_name(separator: char, count: usize) -> String {
    match (separator, count) {
        ('/', 1) => "slash".into(),
        ('/', _) => "slashes".into(),
        (separator, _) => format!("`{separator}`"),
    }
}

fn separator_count(separator: char, count: usize) -> String {
    format!("{count} {}", separator_name(separator, count))
}

fn missing_rows(done: usize, rows: usize, columns: usize) -> String {
    let left = rows - done;
    let (s, are) = if left == 1 { ("", "is") } else { ("s", "are") };
    format!("the board has {done} of {rows} rows: {left} row{s} ({} tiles) {are} missing", left * columns)
}

fn next_line(next: Option<&str>) -> String {
    next.map_or_else(String::new, |next| format!("; the next line is `{next}`"))
}

fn size_line(size: Size) -> String {
    // A size line holds one number, so it describes a square board. No size line fits a board with unequal
    // sides; the message says what the line would have to hold.
    if size.rows == size.columns {
        format!("the size, {}, on a line of its own", size.rows)
    } else {
        format!("the size of a square board, {}..{}", Size::MIN_SIDE, Size::MAX_SIDE)
    }
}

fn after_instance(instance: Option<&str>) -> String {
    let counted = |instance| format!(" (counted after the instance number `{instance}`)");
    instance.map_or_else(String::new, counted)
}

fn missing_tiles(missing: &[usize]) -> String {
    let named: Vec<String> = missing.iter().take(8).map(ToString::to_string).collect();
    let more = if missing.len() > named.len() { " …" } else { "" };
    format!("{}{more} {} missing", named.join(", "), if missing.len() == 1 { "is" } else { "are" })
}

fn shortage(missing: &[usize]) -> String {
    if missing.is_empty() { String::new() } else { format!(": {}", missing_tiles(missing)) }
}

/// `2x6, 3x4, 4x3 or 6x2`.
fn size_list(sizes: &[Size]) -> String {
    let mut names: Vec<String> = sizes.iter().map(Size::to_string).collect();
    match names.pop() {
        None => "no board".into(),
        Some(last) if names.is_empty() => last,
        Some(last) => format!("{} or {last}", names.join(", ")),
    }
}

impl TilesError {
    fn code(&self) -> &'static str {
        match self {
            TilesError::UnknownFormat { .. } => "unknown-format",
            TilesError::PositionFormatForMoves { .. } | TilesError::MovesFormatForPosition => "wrong-format",
            TilesError::TrailingLine { .. } => "trailing-line",
            TilesError::NotARow { .. } => "not-a-row",
            TilesError::MissingRows { .. } => "missing-rows",
            TilesError::WrongSize { .. } => "wrong-size",
            TilesError::NotASize { .. } => "not-a-size",
            TilesError::AmbiguousSize { .. } => "ambiguous-size",
            TilesError::NoSize { .. } => "no-size",
            TilesError::UsualGoal { .. } => "usual-goal",
            TilesError::SlashCount { .. } => "slash-count",
            TilesError::NotABoardArray { .. } => "not-a-board-array",
            TilesError::RowLength { .. } => "row-length",
            TilesError::TooLargeForDigits { .. } => "too-large-for-digits",
            TilesError::DigitCount { .. } | TilesError::InstanceCount { .. } => "tile-count",
            TilesError::NotAnInstance { .. } => "not-an-instance",
            TilesError::NotATile { .. } => "not-a-tile",
            TilesError::DuplicateTile { .. } => "duplicate-tile",
            TilesError::TileCount { .. } => "tile-count",
            TilesError::NotABoard { .. } => "not-a-board",
            TilesError::UnknownMove { .. } => "unknown-move",
            TilesError::RunLength { .. } => "run-length",
            TilesError::Group(error) => error.fault.code(),
            TilesError::IllegalMove { .. } => "illegal-move",
            TilesError::Parity { .. } => "wrong-parity",
        }
    }

    fn span(&self) -> Option<Range<usize>> {
        match self {
            TilesError::TrailingLine { span, .. }
            | TilesError::NotARow { span, .. }
            | TilesError::MissingRows { span, .. }
            | TilesError::WrongSize { span, .. }
            | TilesError::NotASize { span, .. }
            | TilesError::NotABoardArray { span, .. }
            | TilesError::RowLength { span, .. }
            | TilesError::NotAnInstance { span, .. }
            | TilesError::NotATile { span, .. }
            | TilesError::DuplicateTile { span, .. }
            | TilesError::TileCount { span, .. }
            | TilesError::NotABoard { span, .. }
            | TilesError::UnknownMove { span, .. }
            | TilesError::RunLength { span, .. }
            | TilesError::IllegalMove { span, .. } => span.clone(),
            TilesError::Group(error) => Some(error.span.clone()),
            _ => None,
        }
    }

    fn pieces(&self) -> Vec<PieceRef> {
        let cell = |item: usize, found: &str| {
            PieceRef::new(PieceKind::Cell, item.to_string(), [item - 1]).showing(found)
        };
        let tile = |&tile: &usize| PieceRef::new(PieceKind::Tile, tile.to_string(), []);
        match self {
            TilesError::NotATile { item, found, count_is_wrong: false, .. } => vec![cell(*item, found)],
            TilesError::DuplicateTile { first, second, found, missing, .. } => {
                let twice = [cell(*first, found), cell(*second, found)];
                twice.into_iter().chain(missing.iter().map(tile)).collect()
            }
            TilesError::TileCount { missing, .. } => missing.iter().map(tile).collect(),
            TilesError::UnknownMove { number, found, .. } | TilesError::RunLength { number, found, .. } => {
                vec![PieceRef::new(PieceKind::Move, found.clone(), [number - 1])]
            }
            TilesError::IllegalMove { number, name, blank, .. } => vec![
                PieceRef::new(PieceKind::Move, *name, [number - 1]),
                PieceRef::new(PieceKind::Cell, (blank + 1).to_string(), [*blank]).showing("0"),
            ],
            _ => Vec::new(),
        }
    }

    /// The input that the message expects.
    fn expected(&self) -> Option<String> {
        Some(match self {
            TilesError::TrailingLine { after, .. } => format!("nothing after {after}"),
            TilesError::NotARow { columns, .. } => format!("a row of {columns} tiles"),
            TilesError::NotASize { size, .. } => size_line(*size),
            TilesError::SlashCount { rows, separator, .. } => {
                format!("{rows} rows with {} between", separator_name(*separator, 2))
            }
            TilesError::NotABoardArray { cells, rows, columns, .. } => {
                format!("an array of {cells} tiles, or of {rows} rows of {columns} tiles")
            }
            TilesError::RowLength { columns, .. } => format!("{columns} tiles"),
            TilesError::DigitCount { cells, .. } => {
                format!("{cells} digits or letters, one for each cell")
            }
            TilesError::InstanceCount { cells, .. } => format!("an instance number and {cells} tiles"),
            TilesError::NotAnInstance { cells, .. } => {
                format!("an instance number before the {cells} tiles")
            }
            TilesError::NotATile { cells, count_is_wrong: true, .. } => format!("a tile 0..{}", cells - 1),
            TilesError::NotATile { cells, .. } | TilesError::DuplicateTile { cells, .. } => {
                format!("a tile 0..{} not used before", cells - 1)
            }
            TilesError::TileCount { size, .. } => format!("{} tiles", size.cells()),
            TilesError::NotABoard { cells, .. } => {
                format!("{cells} tiles (0..{}) or moves (U D L R)", cells - 1)
            }
            TilesError::UnknownMove { .. } => "U, D, L or R".into(),
            TilesError::RunLength { most, .. } => format!("a run of 1..{most} slides"),
            TilesError::Group(error) => error.fault.expected()?,
            _ => return None,
        })
    }
}

impl From<TilesError> for Box<Diagnostic> {
    fn from(error: TilesError) -> Box<Diagnostic> {
        let mut diagnostic =
            Diagnostic::new(error.code(), error.to_string()).at(error.span()).about(error.pieces());
        diagnostic.expected = error.expected();
        Box::new(match &error {
            TilesError::UnknownFormat { .. } => diagnostic
                .with_alternatives(AlternativeKind::Format, FORMATS.iter().map(|format| format.name)),
            TilesError::WrongSize { found, .. } => {
                diagnostic.with_alternatives(AlternativeKind::Puzzle, [format!("tiles-{found}x{found}")])
            }
            TilesError::TileCount { size, found, .. } => {
                let side = found.isqrt();
                let other = side * side == *found && *found != size.cells();
                let other = other && (Size::MIN_SIDE..=Size::MAX_SIDE).contains(&side);
                diagnostic
                    .with_alternatives(AlternativeKind::Puzzle, other.then(|| format!("tiles-{side}x{side}")))
            }
            TilesError::AmbiguousSize { sizes, .. } => diagnostic
                .expecting("row separators, as in 1 2 3/4 5 0")
                .with_alternatives(AlternativeKind::Puzzle, sizes.iter().map(|size| format!("tiles-{size}"))),
            TilesError::UsualGoal { usual, .. } => {
                diagnostic.with_alternatives(AlternativeKind::Goal, [*usual])
            }
            TilesError::UnknownMove { .. } => {
                diagnostic.with_alternatives(AlternativeKind::Move, ["U", "D", "L", "R"])
            }
            TilesError::IllegalMove { legal, .. } => {
                diagnostic.with_alternatives(AlternativeKind::Move, legal.iter().copied())
            }
            TilesError::Parity { solvable_with } => {
                diagnostic.with_alternatives(AlternativeKind::Goal, solvable_with.iter().copied())
            }
            _ => diagnostic,
        })
    }
}
