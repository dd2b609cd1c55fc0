//! Parsing and formatting of boards, goals and moves.
//!
//! A board is written with labels, the numbers printed on the tiles; 0 is the blank. Inside the program a
//! tile has an id: the number of cells from the blank's home to the tile's home, counted cyclically in
//! reading order. So the blank has id 0, and the solved board, written as ids, depends only on the blank's
//! home. Two goals with the same home differ only in the label of each id. [`Goal`] translates between labels
//! and ids.
//!
//! The number of words in the first line decides the format of a position. A row has `columns` words. A
//! board on one line has one word per cell. A line of Korf's instance lists has one word more, the instance
//! number. A single word is the size line of a 42-school file or a board with one character per tile. Bars,
//! semicolons and brackets separate words like spaces; on a line that holds a whole board they also mark
//! its rows.

mod moves;

use untumble_search::error::{Diagnostic, Error, span_in};
use untumble_search::frontend::{FormatInfo, InputFormat, InputKind, Parsed};
use untumble_search::moves::Move;

pub(super) use self::moves::letter;
use self::moves::{from_letter, parse_moves};
use super::error::TilesError;
use super::goal::GOAL_NAMES;
use super::{Board, Cells, DOWN, Goal, LEFT, RIGHT, Size, Tiles, UP};
use crate::PuzzleError;
use crate::sanitize::sanitize;
use crate::sequence::{self, PlacedMove};

/// The input formats, in the order of [`Format::ALL`].
pub(super) const FORMATS: &[FormatInfo] = &[
    FormatInfo { name: "rows", what: "a row on each line" },
    FormatInfo { name: "42", what: "the size on a line, then a row on each line (42-school files)" },
    FormatInfo {
        name: "line",
        what: "the whole board on one line, separated by spaces or commas; 0, _, . or - is the gap",
    },
    FormatInfo { name: "korf", what: "a line that begins with an instance number (Korf's lists)" },
    FormatInfo { name: "slashes", what: "one line with /, ; or | between rows: 1 2 3/4 5 6/7 8 0" },
    FormatInfo { name: "json", what: "an array of tiles or of rows: [[1,2,3],[4,5,6],[7,8,0]]" },
    FormatInfo { name: "digits", what: "one character per tile, a for 10: 123456780 (up to 16 cells)" },
    FormatInfo { name: "moves", what: "moves from the solved board: L L U R D, L2URD, or (LURD)3" },
];

/// Largest number of cells of a board with one character per tile.
pub(super) const MAX_DIGIT_CELLS: usize = 16;
/// The largest length in bytes of a number, and of any word in a row. A line with a longer word is not a row.
/// The limit bounds the size of an unfinished board, which is parsed again after each added line.
const MAX_WORD_LENGTH: usize = 20;

/// An input format, see [`FORMATS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Rows,
    SizeLine,
    Line,
    Korf,
    Slashes,
    Json,
    Digits,
    Moves,
}

impl Format {
    /// In the order of [`FORMATS`].
    const ALL: [Format; 8] = [
        Format::Rows,
        Format::SizeLine,
        Format::Line,
        Format::Korf,
        Format::Slashes,
        Format::Json,
        Format::Digits,
        Format::Moves,
    ];

    /// The format that the caller requests, if any.
    fn requested(input: &InputFormat) -> Result<Option<Format>, TilesError> {
        let Some(name) = &input.format else {
            return Ok((input.kind == Some(InputKind::Moves)).then_some(Format::Moves));
        };
        let Some(index) = FORMATS.iter().position(|known| known.name == name) else {
            return Err(TilesError::UnknownFormat { name: sanitize(name) });
        };
        let format = Format::ALL[index];
        match input.kind {
            Some(InputKind::Moves) if format != Format::Moves => {
                Err(TilesError::PositionFormatForMoves { name: name.clone() })
            }
            Some(InputKind::Position) if format == Format::Moves => Err(TilesError::MovesFormatForPosition),
            _ => Ok(Some(format)),
        }
    }

    /// Detects the format of `text` from `line`, its first line. `kind` says
    /// whether the text must be a position or moves; `None` allows both.
    fn detect(size: Size, text: &str, line: &str, kind: Option<InputKind>) -> Result<Format, TilesError> {
        let (cells, columns) = (size.cells(), size.columns);
        let mut words = words(line);
        let first = words.next().unwrap_or("");
        let count = 1 + words.count();
        let has_one_char_per_cell =
            count == 1 && cells <= MAX_DIGIT_CELLS && first.len() == cells && first.is_ascii();
        // `d` is both the move D and tile 13. A board with tile 13 also has tiles 10 to 12, written `a`, `b`
        // and `c`, which are no moves; so a word that starts with a move letter is a board only if it also
        // contains a letter that is no move.
        let in_group = line.trim_start_matches(['(', '[', ' ']);
        let starts_with_move = in_group.starts_with(|c| from_letter(c).is_some());
        let has_non_move_letter =
            has_one_char_per_cell && first.chars().any(|c| from_letter(c).is_none() && !c.is_ascii_digit());
        if starts_with_move && !has_non_move_letter && kind != Some(InputKind::Position) {
            return Ok(Format::Moves);
        }
        if line.contains('/') {
            return Ok(Format::Slashes);
        }
        if line.starts_with('[') && BoardArray::parse(line).is_some_and(|array| array.nested()) {
            return Ok(Format::Json);
        }
        let is_alphanumeric_word =
            cells <= MAX_DIGIT_CELLS && first.bytes().all(|byte| byte.is_ascii_alphanumeric());
        match count {
            1 if first.len() <= 2 && is_number(first) => Ok(Format::SizeLine),
            1 if has_one_char_per_cell
                || is_alphanumeric_word && first.starts_with(|c: char| c.is_ascii_digit()) =>
            {
                Ok(Format::Digits)
            }
            _ if count == columns && is_row(line, columns) => Ok(Format::Rows),
            _ if line.starts_with('[') && BoardArray::parse(line).is_some() => Ok(Format::Json),
            _ if row_separator(line).is_some() => Ok(Format::Slashes),
            _ if count == cells => Ok(Format::Line),
            _ if count == cells + 1 => Ok(Format::Korf),
            _ => Err(count_error(size, text, line)),
        }
    }
}

/// The contents of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
enum ParsedText {
    /// Only spaces and comments.
    Nothing,
    /// The first lines of a board; more must follow.
    More,
    /// The labels of a board, cell by cell.
    Labels(Vec<u16>),
    /// Moves with their byte ranges.
    Moves(Vec<PlacedMove<Move>>),
    /// The lines before the last one are an unfinished board that the last line does not continue. The
    /// caller may report the error and parse the last line as the start of the next position.
    Unfinished(TilesError),
}

/// Parses a text. After [`ParsedText::More`] the caller adds a line and parses again. `at_end` says that no
/// line follows, so that an unfinished board is an error.
fn parse(size: Size, text: &str, at_end: bool, input: &InputFormat) -> Result<ParsedText, TilesError> {
    let requested = Format::requested(input)?;
    let mut lines = text.lines().map(without_comment).filter(|line| !is_rule(line));
    let Some(first) = lines.next() else { return Ok(ParsedText::Nothing) };
    let format = requested.map_or_else(|| Format::detect(size, text, first, input.kind), Ok)?;
    match format {
        Format::Rows => return parse_rows(size, text, None, [first].into_iter().chain(lines), at_end),
        Format::SizeLine => return parse_rows(size, text, Some(first), lines, at_end),
        _ => {}
    }
    if let Some(next) = lines.next() {
        let (after, span) = ("the first line".into(), span_in(text, next));
        return Err(TilesError::TrailingLine { after, found: sanitize(next), span });
    }
    match format {
        Format::Moves => parse_moves(size, text, first).map(ParsedText::Moves),
        _ => parse_line(size, text, first, format).map(ParsedText::Labels),
    }
}

/// Whether a valid board begins with the size line of a 42-school file.
pub(super) fn has_size_line(size: Size, text: &str, input: &InputFormat) -> bool {
    let Some(first) = text.lines().map(without_comment).find(|line| !is_rule(line)) else { return false };
    let format = match Format::requested(input) {
        Ok(Some(format)) => Ok(format),
        _ => Format::detect(size, text, first, input.kind),
    };
    format == Ok(Format::SizeLine)
}

/// Parses one row per line, after the size line of a 42-school file if there is one. Here and below `text`
/// is the whole input; the spans of errors are byte ranges of it.
fn parse_rows<'a>(
    size: Size,
    text: &str,
    size_line: Option<&str>,
    lines: impl Iterator<Item = &'a str>,
    at_end: bool,
) -> Result<ParsedText, TilesError> {
    let announced_side = size_line.map(|line| parse_size_line(size, text, line)).transpose()?;
    let (rows, columns) = announced_side.map_or((size.rows, size.columns), |side| (side, side));
    let size_span = size_line.and_then(|line| span_in(text, line));
    // The error for a board of `done` rows that is followed by `line`, which is not a row, or by nothing. Its
    // message quotes that line as `next`.
    let unfinished = |done: usize, line: Option<&str>| {
        let next = line.map(sanitize);
        if size == (Size { rows, columns }) {
            let span = line.and_then(|line| span_in(text, line));
            TilesError::MissingRows { rows, columns, done, next, span }
        } else {
            TilesError::WrongSize { size, found: rows, next, span: size_span.clone() }
        }
    };
    let mut board: Vec<&str> = Vec::new();
    let mut done = 0;
    // The first row of a wrong length. The rows after it still belong to this board.
    let mut wrong_row = None;
    let mut lines = lines.peekable();
    while let Some(line) = lines.next() {
        if done == rows {
            let (after, span) = (format!("{rows} rows"), span_in(text, line));
            return Err(TilesError::TrailingLine { after, found: sanitize(line), span });
        }
        if is_row_of_wrong_length(line, columns) && (done > 0 || size_line.is_some()) {
            let (found, span) = (words(line).count(), span_in(text, line));
            wrong_row.get_or_insert(TilesError::RowLength { row: done + 1, columns, found, span });
        } else if !is_row(line, columns) {
            if done == 0 && size_line.is_none() {
                let span = span_in(text, line);
                return Err(TilesError::NotARow { columns, found: sanitize(line), span });
            }
            let error = wrong_row.unwrap_or_else(|| unfinished(done, Some(line)));
            // `Unfinished` tells the caller to parse this line again, so it must be the last one.
            return if lines.peek().is_none() { Ok(ParsedText::Unfinished(error)) } else { Err(error) };
        }
        board.extend(words(line));
        done += 1;
    }
    if done < rows && !at_end {
        return Ok(ParsedText::More);
    }
    if done < rows {
        return Err(wrong_row.unwrap_or_else(|| unfinished(done, None)));
    }
    // The size is checked only after all rows, so that a whole board of the wrong size gives one error.
    if size != (Size { rows, columns }) {
        return Err(TilesError::WrongSize { size, found: rows, next: None, span: size_span });
    }
    match wrong_row {
        Some(error) => Err(error),
        None => parse_tiles(size, text, None, board, parse_label).map(ParsedText::Labels),
    }
}

/// Parses the size line of a 42-school file.
fn parse_size_line(size: Size, text: &str, line: &str) -> Result<usize, TilesError> {
    match line.parse() {
        Ok(side @ Size::MIN_SIDE..=Size::MAX_SIDE) if is_number(line) => Ok(side),
        _ => Err(TilesError::NotASize { size, found: sanitize(line), span: span_in(text, line) }),
    }
}

/// Parses a board on one line.
fn parse_line(size: Size, text: &str, line: &str, format: Format) -> Result<Vec<u16>, TilesError> {
    let cells = size.cells();
    match format {
        Format::Slashes => {
            let separator = row_separator(line).unwrap_or('/');
            let inner = if separator == '/' { line } else { line.trim_matches(|c| c == separator) };
            let rows: Vec<&str> = inner.split(separator).take(size.cells().max(Size::MAX_SIDE) + 2).collect();
            if rows.len() == cells && separator != '/' && rows.iter().all(|cell| words(cell).count() <= 1) {
                // The separator stands between tiles, not between rows.
                return parse_tiles(size, text, None, words(line), parse_label);
            }
            if rows.len() != size.rows {
                return Err(TilesError::SlashCount { rows: size.rows, separator, found: rows.len() - 1 });
            }
            check_rows(size, text, &rows)?;
            parse_tiles(size, text, None, rows.into_iter().flat_map(words), parse_label)
        }
        Format::Json => {
            let (rows, columns) = (size.rows, size.columns);
            let wrong = |found: String| TilesError::NotABoardArray {
                cells,
                rows,
                columns,
                found,
                span: span_in(text, line),
            };
            match BoardArray::parse(line) {
                None => Err(wrong(format!("`{}`", sanitize(line)))),
                Some(BoardArray::Rows(found)) if found.len() == rows => {
                    check_rows(size, text, &found)?;
                    parse_tiles(size, text, None, found.into_iter().flat_map(words), parse_label)
                }
                Some(BoardArray::Rows(found)) => Err(wrong(format!("{} rows", found.len()))),
                Some(BoardArray::Tiles) if words(line).count() == cells => {
                    parse_tiles(size, text, None, words(line), parse_label)
                }
                Some(BoardArray::Tiles) => Err(wrong(format!("{} tiles", words(line).count()))),
            }
        }
        Format::Digits => {
            let found = line.chars().count();
            if cells > MAX_DIGIT_CELLS {
                return Err(TilesError::TooLargeForDigits { cells });
            }
            if found != cells {
                return Err(TilesError::DigitCount { cells, found });
            }
            let characters = line.char_indices().map(|(at, c)| &line[at..at + c.len_utf8()]);
            let label = |c: &str| if is_gap(c) { Some(0) } else { usize::from_str_radix(c, 36).ok() };
            parse_tiles(size, text, None, characters, label)
        }
        Format::Korf => {
            let mut items = words(line);
            let instance = items.next().unwrap_or("");
            let found = words(line).count();
            if found != cells + 1 {
                return Err(TilesError::InstanceCount { cells, found });
            }
            if !is_number(instance) {
                let span = span_in(text, instance);
                return Err(TilesError::NotAnInstance { cells, found: sanitize(instance), span });
            }
            parse_tiles(size, text, Some(instance), items, parse_label)
        }
        _ if words(line).count() == cells => parse_tiles(size, text, None, words(line), parse_label),
        _ => Err(count_error(size, text, line)),
    }
}

/// Parses the labels of a board; the caller has checked their number. `instance` is the instance number of a
/// line of Korf's lists, for errors.
fn parse_tiles<'a>(
    size: Size,
    text: &str,
    instance: Option<&str>,
    words: impl IntoIterator<Item = &'a str>,
    parse_label: impl Fn(&str) -> Option<usize>,
) -> Result<Vec<u16>, TilesError> {
    let cells = size.cells();
    let instance = || instance.map(sanitize);
    // The 1-based position of each label among the words.
    let mut item_of = vec![None; cells];
    let mut labels = Vec::with_capacity(cells);
    let mut duplicate = None;
    for (item, word) in (1..).zip(words) {
        let Some(label) = parse_label(word).filter(|&label| label < cells) else {
            let (found, instance, span) = (sanitize(word), instance(), span_in(text, word));
            return Err(TilesError::NotATile { item, cells, found, count_is_wrong: false, instance, span });
        };
        if let Some(first) = item_of[label] {
            duplicate.get_or_insert((label, first, item, word));
        }
        item_of[label] = Some(item);
        labels.push(label as u16);
    }
    match duplicate {
        None => Ok(labels),
        Some((tile, first, second, word)) => Err(TilesError::DuplicateTile {
            tile,
            first,
            second,
            cells,
            found: sanitize(word),
            missing: missing_labels(&item_of),
            instance: instance(),
            span: span_in(text, word),
        }),
    }
}

/// The labels that do not occur; `found` is indexed by label.
fn missing_labels<T>(found: &[Option<T>]) -> Vec<usize> {
    (0..found.len()).filter(|&label| found[label].is_none()).collect()
}

/// The error for a line with the wrong number of words. If a word is no tile, the error is about that word;
/// `count_is_wrong` then says that the number of words is wrong as well.
fn count_error(size: Size, text: &str, line: &str) -> TilesError {
    let cells = size.cells();
    let mut seen = vec![None; cells];
    let mut found = 0;
    for (item, word) in (1..).zip(words(line)) {
        found = item;
        let span = || span_in(text, word);
        match parse_label(word) {
            Some(label) if label < cells => seen[label] = Some(()),
            // The first word is not a number, so the message explains what a board looks like.
            None if item == 1 => return TilesError::NotABoard { cells, found: sanitize(word), span: span() },
            _ if item <= cells => {
                let (found, span) = (sanitize(word), span());
                return TilesError::NotATile {
                    item,
                    cells,
                    found,
                    count_is_wrong: true,
                    instance: None,
                    span,
                };
            }
            _ => {}
        }
    }
    let missing = if found < cells { missing_labels(&seen) } else { Vec::new() };
    TilesError::TileCount { size, found, missing, span: span_in(text, line) }
}

/// A line without its comment.
pub(super) fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or("").trim()
}

/// Checks the number of tiles in each row of a board on one line.
fn check_rows(size: Size, text: &str, rows: &[&str]) -> Result<(), TilesError> {
    for (row, row_text) in (1..).zip(rows) {
        let (columns, found) = (size.columns, words(row_text).count());
        if found != columns {
            let span = span_in(text, row_text.trim());
            return Err(TilesError::RowLength { row, columns, found, span });
        }
    }
    Ok(())
}

/// The character between the rows of a board on one line.
pub(super) fn row_separator(line: &str) -> Option<char> {
    line.chars().find(|c| matches!(c, '/' | ';' | '|' | '│'))
}

/// A board as an array on one line, as JSON and many programming languages write it.
pub(super) enum BoardArray<'a> {
    /// An array of tiles.
    Tiles,
    /// An array of arrays, each the text of a row.
    Rows(Vec<&'a str>),
}

impl BoardArray<'_> {
    /// The array on a line; `None` if the brackets do not match or nest more than two deep, or if anything
    /// but separators stands outside the innermost ones.
    pub(super) fn parse(line: &str) -> Option<BoardArray<'_>> {
        let inner = line.trim().strip_prefix('[')?.strip_suffix(']')?;
        if !inner.contains(['[', ']']) {
            return Some(BoardArray::Tiles);
        }
        let mut rows = Vec::new();
        let mut parts = inner.split('[');
        let is_outside = |text: &str| text.chars().all(|c| sequence::is_space(c) || c == ',');
        if !is_outside(parts.next()?) {
            return None;
        }
        for part in parts {
            let (row, after) = part.split_once(']')?;
            if !is_outside(after) {
                return None;
            }
            rows.push(row);
        }
        Some(BoardArray::Rows(rows))
    }

    fn nested(&self) -> bool {
        matches!(self, BoardArray::Rows(_))
    }
}

/// The words of a line, separated by spaces, commas, semicolons or bars, and by brackets if the line begins
/// with one. In a line between two bars, such as `| 1 | 2 |   |`, an empty cell is returned as a word of
/// spaces, which stands for the blank.
pub(super) fn words(line: &str) -> impl Iterator<Item = &str> {
    let is_bar = |c: char| matches!(c, '|' | '│');
    let cells = line.trim().strip_prefix(is_bar).and_then(|rest| rest.strip_suffix(is_bar));
    let framed = cells.is_some();
    let array = line.trim_start().starts_with('[');
    let is_separator = move |c: char| {
        sequence::is_space(c) || matches!(c, ',' | ';' | '|' | '│') || (array && matches!(c, '[' | ']'))
    };
    cells.unwrap_or(line).split(move |c| framed && is_bar(c)).flat_map(move |cell| {
        let empty_cell = (framed && !cell.is_empty() && cell.chars().all(sequence::is_space)).then_some(cell);
        empty_cell.into_iter().chain(cell.split(is_separator).filter(|word| !word.is_empty()))
    })
}

/// Whether a line holds no tiles: an empty line, the ruled line of a drawn board, or brackets of an array.
pub(super) fn is_rule(line: &str) -> bool {
    let is_drawing = |c: char| matches!(c, '\u{2500}'..='\u{257f}' | '+' | '-' | '=' | '|' | '[' | ']' | ',');
    line.chars().all(|c| sequence::is_space(c) || is_drawing(c))
}

/// Whether a line may be a row: it has the right number of words, none too long, at least one a number.
fn is_row(line: &str, columns: usize) -> bool {
    let row = || words(line).take(columns + 1);
    row().count() == columns && row().any(is_number) && row().all(|word| word.len() <= MAX_WORD_LENGTH)
}

/// Whether a line is a row with too few or too many tiles rather than another board or a size.
fn is_row_of_wrong_length(line: &str, columns: usize) -> bool {
    let count = words(line).take(2 * columns).count();
    count != columns && (2..2 * columns).contains(&count) && words(line).all(is_label)
}

pub(super) fn is_number(word: &str) -> bool {
    !word.is_empty() && word.len() <= MAX_WORD_LENGTH && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a word stands for the blank: `_`, `.`, `-`, `null`, or an empty cell of a drawn board.
fn is_gap(word: &str) -> bool {
    matches!(word, "." | "-" | "−" | "–" | "null")
        || word.chars().all(|c| c == '_')
        || word.chars().all(sequence::is_space)
}

fn is_label(word: &str) -> bool {
    is_number(word) || is_gap(word)
}

/// The label that a word stands for.
pub(super) fn parse_label(word: &str) -> Option<usize> {
    if is_number(word) { word.parse().ok() } else { is_gap(word).then_some(0) }
}

/// Parses a goal: its name, or its labels on one line.
pub fn parse_goal(size: Size, text: &str) -> Result<Goal, Error> {
    let line = text.trim();
    let lower = line.to_ascii_lowercase();
    if GOAL_NAMES.contains(&lower.as_str()) {
        return Goal::named(size, &lower);
    }
    if !line.contains(|c: char| c.is_ascii_digit()) {
        return Goal::named(size, &sanitize(&lower));
    }
    let goal_error = |error: TilesError| Error::from(PuzzleError::Goal(error));
    let format = match Format::detect(size, text, line, Some(InputKind::Position)).map_err(goal_error)? {
        format @ (Format::Slashes | Format::Digits | Format::Json) => format,
        _ => Format::Line,
    };
    let labels = parse_line(size, text, line, format).map_err(goal_error)?;
    Ok(Goal::new(size, labels))
}

// `C` is the representation of the cells of a board.
impl<C: Cells> Tiles<C> {
    /// See [`untumble_search::frontend::PuzzleText::parse`].
    pub(super) fn parse_text(
        &self,
        text: &str,
        at_end: bool,
        input: &InputFormat,
    ) -> Result<Parsed<Board<C>>, Box<Diagnostic>> {
        Ok(match parse(self.size(), text, at_end, input)? {
            ParsedText::Nothing => Parsed::Nothing,
            ParsedText::More => Parsed::More,
            ParsedText::Labels(labels) => {
                let ids: Vec<u16> = labels.iter().map(|&label| self.goal().tile_id(label)).collect();
                Parsed::Position(self.board(&ids))
            }
            ParsedText::Moves(moves) => Parsed::Position(self.board_after(&moves)?),
            ParsedText::Unfinished(error) => Parsed::Unfinished(error.into()),
        })
    }

    /// See [`untumble_search::frontend::PuzzleText::parse_moves`].
    pub(super) fn parse_move_text(&self, text: &str) -> Result<Vec<Move>, Box<Diagnostic>> {
        Ok(parse_moves(self.size(), text, text)?.into_iter().map(|placed| placed.item).collect())
    }

    /// The board after moves from the solved board.
    fn board_after(&self, moves: &[PlacedMove<Move>]) -> Result<Board<C>, TilesError> {
        let size = self.size();
        let (mut ids, mut blank) = (self.goal().solved(), self.goal().blank_home());
        for (number, placed) in (1..).zip(moves) {
            let m = placed.item;
            let Some(from) = size.sliding_cell(blank, m) else {
                let legal =
                    [UP, DOWN, LEFT, RIGHT].into_iter().filter(|&m| size.sliding_cell(blank, m).is_some());
                return Err(TilesError::IllegalMove {
                    number,
                    name: letter(m),
                    row: size.row(blank) + 1,
                    column: size.column(blank) + 1,
                    blank,
                    legal: legal.map(letter).collect(),
                    span: Some(placed.span()),
                });
            };
            ids.swap(from, blank);
            blank = from;
        }
        Ok(self.board(&ids))
    }

    /// The label in each cell, 0 for the blank.
    pub(super) fn labels<'a>(&'a self, board: &'a Board<C>) -> impl Iterator<Item = u16> + 'a {
        (0..self.size().cells()).map(|cell| self.goal().label(board.cells.get(cell)))
    }

    /// The board on one line.
    pub(super) fn format_line(&self, board: &Board<C>) -> String {
        self.labels(board).map(|label| label.to_string()).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests;
