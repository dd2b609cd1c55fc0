//! Parsing and formatting of boards and move sequences.
//!
//! A board is a hexagon of numbered tiles; 0 is the empty cell. The first line determines the format.
//! Letters mean moves. A single number is the side of a board whose rows follow. A row of `side` numbers
//! begins a board in rows. One number per cell is a whole board. Moves alternate between digits and letters,
//! so only a single move can be mistaken for a side.

use untumble_search::error::{Diagnostic, span_in};
use untumble_search::frontend::{FormatInfo, InputFormat, InputKind, Parsed};
use untumble_search::moves::Move;

use super::error::{BaltoError, TileLocation};
use super::{Balto, Board, CLOCKWISE_MOVES, Lattice, inverse_move, is_clockwise};
use crate::sanitize::sanitize;
use crate::sequence::{self, Notation, PlacedMove, parse_sequence};

/// The formats of a position, in the order of [`BoardFormat::ALL`].
pub(super) const FORMATS: &[FormatInfo] = &[
    FormatInfo { name: "contest", what: "the side on the first line, then one row per line" },
    FormatInfo { name: "rows", what: "one row per line" },
    FormatInfo {
        name: "line",
        what: "the whole board on one line, separated by spaces, commas, slashes, `;` or `|`, or a JSON array",
    },
    FormatInfo {
        name: "moves",
        what: "moves from the solved board: 1A3C, (1A)3, or 5:1A3C with the side first",
    },
];

/// Indexed by move.
const MOVE_NAMES: [&str; 12] = ["1", "2", "3", "4", "5", "6", "A", "B", "C", "D", "E", "F"];
/// The longest word that is read as a number.
const MAX_NUMBER_LENGTH: usize = 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BoardFormat {
    Contest,
    Rows,
    Line,
    Moves,
}

impl BoardFormat {
    const ALL: [BoardFormat; 4] =
        [BoardFormat::Contest, BoardFormat::Rows, BoardFormat::Line, BoardFormat::Moves];

    /// The format requested by the caller, if any.
    fn requested(input: &InputFormat) -> Result<Option<BoardFormat>, BaltoError> {
        let Some(name) = &input.format else {
            return Ok((input.kind == Some(InputKind::Moves)).then_some(BoardFormat::Moves));
        };
        let names = || FORMATS.iter().map(|info| info.name);
        match names().position(|known| known == name) {
            Some(index) => Ok(Some(BoardFormat::ALL[index])),
            None => Err(BaltoError::UnknownFormat { name: sanitize(name) }),
        }
    }

    /// Detects the format of `source` from its first line. The caller requires a position or moves with
    /// `kind`; `None` allows both.
    fn detect(
        lattice: &Lattice,
        source: &str,
        line: &str,
        kind: Option<InputKind>,
    ) -> Result<BoardFormat, BaltoError> {
        let moves = sequence::without_comment(line);
        let has_letters = moves.chars().any(|c| c.is_ascii_alphabetic() || c == ':');
        let count = words(line).count();
        match count {
            _ if has_letters && kind != Some(InputKind::Position) => Ok(BoardFormat::Moves),
            1 => Ok(BoardFormat::Contest),
            _ if count == lattice.side() && !line.contains('/') => Ok(BoardFormat::Rows),
            _ if count == lattice.cells() || count == lattice.cells() + 1 || line.contains('/') => {
                Ok(BoardFormat::Line)
            }
            _ => Err(BaltoError::NotABoard {
                side: lattice.side(),
                cells: lattice.cells(),
                found: count,
                span: span_in(source, line),
            }),
        }
    }
}

pub(super) fn move_name(m: Move) -> &'static str {
    MOVE_NAMES[m.index()]
}

/// The names of the moves without separators, such as `1A3C`.
pub(super) fn format_moves(path: &[Move]) -> String {
    path.iter().map(|&m| move_name(m)).collect()
}

/// Parses moves: digits and letters, optionally separated by spaces, optionally preceded by the side and
/// a colon; groups as in [`crate::sequence`]. `text` is a part of `source`, the whole input; the spans of
/// errors are byte ranges of `source`.
pub(super) fn parse_moves(lattice: &Lattice, source: &str, text: &str) -> Result<Vec<Move>, BaltoError> {
    // A colon inside brackets belongs to a conjugate.
    let moves = match text.split_once(':').filter(|(before, _)| !before.contains('[')) {
        None => text,
        Some((found, _)) if parse_number(found.trim()) != Some(lattice.side()) => {
            let (side, found) = (lattice.side(), found.trim());
            let span = span_in(source, found);
            return Err(BaltoError::MovesOfAnotherSide { side, found: sanitize(found), span });
        }
        Some((_, moves)) => moves,
    };
    let range = span_in(source, moves).unwrap_or(0..source.len());
    let moves = parse_sequence(&BaltoNotation, source, range)?;
    for (number, pair) in (2..).zip(moves.windows(2)) {
        let [last, m] = [pair[0].item, pair[1].item];
        if is_clockwise(last) == is_clockwise(m) {
            return Err(BaltoError::SameDirection {
                number,
                last: move_name(last),
                name: move_name(m),
                clockwise: is_clockwise(m),
                span: Some(pair[1].span()),
            });
        }
    }
    Ok(moves.into_iter().map(|placed| placed.item).collect())
}

/// One digit or letter is a move. A number after a group is its count.
struct BaltoNotation;

impl Notation for BaltoNotation {
    type Item = Move;
    type Error = BaltoError;

    fn read(
        &self,
        text: &str,
        start: usize,
        number: usize,
        moves: &mut Vec<PlacedMove<Move>>,
    ) -> Result<usize, BaltoError> {
        let c = text[start..].chars().next().unwrap_or_default();
        let span = start..start + c.len_utf8();
        let item = match c.to_ascii_uppercase() {
            digit @ '1'..='6' => Move(digit as u8 - b'1'),
            letter @ 'A'..='F' => Move(letter as u8 - b'A' + CLOCKWISE_MOVES),
            _ => {
                let found = sanitize(&text[span.clone()]);
                return Err(BaltoError::UnknownMove { number, found, span: Some(span) });
            }
        };
        moves.push(PlacedMove::new(item, &span));
        Ok(span.end)
    }

    fn inverse(&self, m: Move) -> Move {
        inverse_move(m)
    }
}

impl Balto {
    /// See [`untumble_search::frontend::PuzzleText::parse`].
    pub(super) fn parse_text(
        &self,
        text: &str,
        at_end: bool,
        input: &InputFormat,
    ) -> Result<Parsed<Board>, Box<Diagnostic>> {
        Ok(match self.parse_board_text(text, at_end, input)? {
            ParsedBoard::Nothing => Parsed::Nothing,
            ParsedBoard::More => Parsed::More,
            ParsedBoard::Board(board) => Parsed::Position(board),
            ParsedBoard::Unfinished(error) => Parsed::Unfinished(error.into()),
        })
    }

    fn parse_board_text(
        &self,
        text: &str,
        at_end: bool,
        input: &InputFormat,
    ) -> Result<ParsedBoard, BaltoError> {
        let lattice = self.lattice();
        let requested = BoardFormat::requested(input)?;
        let mut lines = text.lines().map(strip_comment).filter(|line| !line.is_empty());
        let Some(first) = lines.next() else { return Ok(ParsedBoard::Nothing) };
        let format = requested.map_or_else(|| BoardFormat::detect(lattice, text, first, input.kind), Ok)?;
        match format {
            BoardFormat::Contest => return self.parse_rows(text, Some(first), lines, at_end),
            BoardFormat::Rows => {
                return self.parse_rows(text, None, [first].into_iter().chain(lines), at_end);
            }
            BoardFormat::Line | BoardFormat::Moves => {}
        }
        if let Some(next) = lines.next() {
            let (after, span) = ("the first line".into(), span_in(text, next));
            return Err(BaltoError::TrailingLine { after, found: sanitize(next), span });
        }
        if format == BoardFormat::Moves {
            return Ok(ParsedBoard::Board(self.after_moves(&parse_moves(lattice, text, first)?)));
        }
        self.parse_line(text, first).map(ParsedBoard::Board)
    }

    /// Parses one row per line; `side_line` is the first line of the contest format.
    fn parse_rows<'a>(
        &self,
        source: &str,
        side_line: Option<&str>,
        lines: impl Iterator<Item = &'a str>,
        at_end: bool,
    ) -> Result<ParsedBoard, BaltoError> {
        let lattice = self.lattice();
        let side = side_line.map_or(Ok(lattice.side()), |line| parse_side(lattice, source, line))?;
        // The error if the side of the contest format is not that of this puzzle.
        let wrong_side = || {
            let span = side_line.and_then(|line| span_in(source, line));
            let error = BaltoError::WrongSide { side: lattice.side(), found: side, span };
            (side != lattice.side()).then_some(error)
        };
        let mut rows: Vec<&str> = Vec::new();
        let mut row_lengths = Lattice::new(side).rows();
        let row_count = 2 * side - 1;
        // The first row of a wrong length. The rows after it still belong to this board.
        let mut wrong_row = None;
        let mut lines = lines.peekable();
        while let Some(line) = lines.next() {
            let Some(length) = row_lengths.next() else {
                let (after, span) = (format!("{row_count} rows"), span_in(source, line));
                return Err(BaltoError::TrailingLine { after, found: sanitize(line), span });
            };
            let found = words(line).count();
            if found != length {
                let error = wrong_row.take().unwrap_or_else(|| BaltoError::RowLength {
                    row: rows.len() + 1,
                    rows: row_count,
                    expected: length,
                    found,
                    line: sanitize(line),
                    span: span_in(source, line),
                });
                // Without a line for the side, a row of `side` tiles may begin the next board.
                let begins_board = side_line.is_none() && found == side;
                if (2..2 * length).contains(&found) && !begins_board && words(line).all(is_number) {
                    wrong_row = Some(error);
                    rows.push(line);
                    continue;
                }
                let error = wrong_side().unwrap_or(error);
                return if lines.peek().is_none() { Ok(ParsedBoard::Unfinished(error)) } else { Err(error) };
            }
            rows.push(line);
        }
        if rows.len() < row_count {
            if !at_end {
                return Ok(ParsedBoard::More);
            }
            let single_move = side_line.is_some() && rows.is_empty() && side <= usize::from(CLOCKWISE_MOVES);
            let missing = BaltoError::MissingRows { done: rows.len(), rows: row_count, single_move };
            return Err(wrong_side().or(wrong_row).unwrap_or(missing));
        }
        // The side is checked after all rows are consumed: otherwise the caller would parse the remaining
        // rows as boards.
        match wrong_side().or(wrong_row) {
            Some(error) => Err(error),
            None => self.parse_tiles(source, rows.iter().flat_map(|row| words(row))).map(ParsedBoard::Board),
        }
    }

    /// Parses a board on one line, optionally preceded by its side.
    fn parse_line(&self, source: &str, line: &str) -> Result<Board, BaltoError> {
        let lattice = self.lattice();
        let cells = lattice.cells();
        let mut tiles = words(line);
        match words(line).count() {
            count if count == cells => {}
            count
                if count == cells + 1
                    && words(line).next().and_then(parse_number) == Some(lattice.side()) =>
            {
                tiles.next();
            }
            found => return Err(BaltoError::TileCount { cells, found, span: span_in(source, line) }),
        }
        self.parse_tiles(source, tiles)
    }

    /// Parses the tiles of a board in reading order; the caller has checked their number.
    fn parse_tiles<'a>(
        &self,
        source: &str,
        words: impl Iterator<Item = &'a str>,
    ) -> Result<Board, BaltoError> {
        let lattice = self.lattice();
        let max = lattice.cells() - 1;
        let homes = self.homes();
        let mut cells = vec![0; lattice.cells()];
        // By tile: where it occurs in the text.
        let mut seen: Vec<Option<(usize, TileLocation)>> = vec![None; lattice.cells()];
        let mut duplicate = None;
        let places = self.locations().zip(lattice.reading_order()).enumerate();
        for ((index, (location, &cell)), word) in places.zip(words) {
            let Some(tile) = parse_number(word).filter(|&tile| tile <= max) else {
                let (found, span) = (sanitize(word), span_in(source, word));
                return Err(BaltoError::NotATile { location, cell: index, max, found, span });
            };
            if let Some(first) = seen[tile].replace((index, location)) {
                duplicate.get_or_insert((tile, first, (index, location), span_in(source, word)));
            }
            cells[usize::from(cell)] = homes[tile];
        }
        let Some((tile, (first_cell, first), (cell, location), span)) = duplicate else {
            return Ok(self.board(cells.into()));
        };
        let missing = (0..=max).filter(|&tile| seen[tile].is_none()).collect();
        Err(BaltoError::DuplicateTile { tile, location, first, cells: [first_cell, cell], missing, span })
    }

    /// The row and item of each cell in reading order.
    fn locations(&self) -> impl Iterator<Item = TileLocation> {
        let rows = self.lattice().rows().enumerate();
        rows.flat_map(|(row, length)| (1..=length).map(move |item| TileLocation { row: row + 1, item }))
    }

    /// Indexed by tile: its home cell. Tile 0 is the empty cell.
    fn homes(&self) -> Vec<u16> {
        let centre = self.lattice().centre();
        let tiles = self.lattice().reading_order().iter().copied().filter(|&cell| cell != centre);
        [centre].into_iter().chain(tiles).collect()
    }

    /// The tiles in reading order, 0 for the empty cell.
    pub(super) fn tiles(&self, board: &Board) -> Vec<usize> {
        let mut tile_of = vec![0; self.lattice().cells()];
        for (tile, home) in self.homes().into_iter().enumerate() {
            tile_of[usize::from(home)] = tile;
        }
        let tile_in = |&cell: &u16| tile_of[usize::from(board.cells[usize::from(cell)])];
        self.lattice().reading_order().iter().map(tile_in).collect()
    }

    /// The solved board after `moves`.
    fn after_moves(&self, moves: &[Move]) -> Board {
        use untumble_search::puzzle::Puzzle;
        moves.iter().fold(self.solved(), |board, &m| self.apply(&board, m))
    }
}

/// [`Parsed`] with [`BaltoError`] instead of a diagnostic.
enum ParsedBoard {
    Nothing,
    More,
    Board(Board),
    Unfinished(BaltoError),
}

/// Parses the first line of the contest format.
fn parse_side(lattice: &Lattice, source: &str, line: &str) -> Result<usize, BaltoError> {
    let supported = Lattice::MIN_SIDE..=Lattice::MAX_SIDE;
    parse_number(line).filter(|side| supported.contains(side)).ok_or_else(|| BaltoError::NotASide {
        side: lattice.side(),
        found: sanitize(line),
        span: span_in(source, line),
    })
}

fn strip_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or("").trim()
}

/// The words of a line, separated by spaces, commas, slashes, semicolons, bars or brackets.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let separates = |c: char| sequence::is_space(c) || matches!(c, ',' | '/' | ';' | '|' | '[' | ']');
    line.split(separates).filter(|word| !word.is_empty())
}

/// Parses a word of digits.
fn parse_number(word: &str) -> Option<usize> {
    if is_number(word) { word.parse().ok() } else { None }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.len() <= MAX_NUMBER_LENGTH && word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests;
