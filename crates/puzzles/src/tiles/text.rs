//! Boards, goals and moves as text.
//!
//! A line is known by how many numbers it holds: a row of them is a row, a board's
//! worth a board, one more a board behind its number in a list, and a
//! single one the size of a board to come or a board of one character per tile.

use std::ops::Range;

use untumble_search::error::{Diagnostic, Error, span_in};
use untumble_search::frontend::{FormatInfo, InputFormat, InputKind, Parsed};
use untumble_search::moves::Move;

use super::error::TilesError;
use super::goal::GOAL_NAMES;
use super::{Board, Cells, DOWN, Goal, LEFT, RIGHT, Size, Tiles, UP};
use crate::PuzzleError;
use crate::echo::echo;

/// The ways to write a board.
pub(super) const FORMATS: &[FormatInfo] = &[
    FormatInfo { name: "rows", what: "a row on each line" },
    FormatInfo { name: "42", what: "the size on a line, then a row on each line (42-school files)" },
    FormatInfo { name: "line", what: "the whole board on one line, blanks or commas between" },
    FormatInfo { name: "korf", what: "a line that begins with an instance number (Korf's lists)" },
    FormatInfo { name: "slashes", what: "one line, slashes between rows: 1 2 3/4 5 6/7 8 0" },
    FormatInfo { name: "digits", what: "a character per tile, a for 10: 123456780 (up to 16 cells)" },
    FormatInfo { name: "moves", what: "moves from solved: L L U R D, or L2URD" },
];

/// One character per tile can write boards of up to this many cells.
const MOST_DIGITS: usize = 16;
/// Longer words are no tile numbers; refusing them early keeps noise from being read again with every line.
const MOST_WORD: usize = 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Rows,
    School,
    Line,
    Korf,
    Slashes,
    Digits,
    Moves,
}

impl Format {
    /// In the order of [`FORMATS`].
    const ALL: [Format; 7] = [
        Format::Rows,
        Format::School,
        Format::Line,
        Format::Korf,
        Format::Slashes,
        Format::Digits,
        Format::Moves,
    ];

    /// The format that `form` asks for, if it does.
    fn asked(form: &InputFormat) -> Result<Option<Format>, TilesError> {
        let Some(name) = &form.format else {
            return Ok((form.kind == Some(InputKind::Moves)).then_some(Format::Moves));
        };
        let names = || FORMATS.iter().map(|format| format.name);
        let Some(place) = names().position(|known| known == name) else {
            return Err(TilesError::UnknownFormat { name: echo(name) });
        };
        let format = Format::ALL[place];
        match form.kind {
            Some(InputKind::Moves) if format != Format::Moves => {
                Err(TilesError::FormatOfPositions { name: name.clone() })
            }
            Some(InputKind::Position) if format == Format::Moves => Err(TilesError::FormatOfMoves),
            _ => Ok(Some(format)),
        }
    }

    /// The format of a text that begins with `line`.
    fn of(size: Size, source: &str, line: &str, kind: Option<InputKind>) -> Result<Format, TilesError> {
        let (cells, columns) = (size.cells(), size.columns);
        let mut words = words(line);
        let first = words.next().unwrap_or("");
        let count = 1 + words.count();
        let digits = count == 1 && cells <= MOST_DIGITS && first.len() == cells && first.is_ascii();
        // No board is written in the letters of moves alone: of 10 tiles or more one is `a`.
        let letters = first.starts_with(|c| direction(c).is_some());
        let spelled = digits && first.chars().any(|c| direction(c).is_none() && !c.is_ascii_digit());
        if letters && !spelled && kind != Some(InputKind::Position) {
            return Ok(Format::Moves);
        }
        if line.contains('/') {
            return Ok(Format::Slashes);
        }
        let alike = cells <= MOST_DIGITS && first.bytes().all(|byte| byte.is_ascii_alphanumeric());
        match count {
            1 if first.len() <= 2 && is_number(first) => Ok(Format::School),
            1 if digits || alike && first.starts_with(|c: char| c.is_ascii_digit()) => Ok(Format::Digits),
            _ if count == columns && is_row(line, columns) => Ok(Format::Rows),
            _ if count == cells => Ok(Format::Line),
            _ if count == cells + 1 => Ok(Format::Korf),
            _ => Err(miscounted(size, source, line)),
        }
    }
}

/// What a text holds.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Text {
    Nothing,
    More,
    Labels(Vec<u16>),
    /// Moves, and the place of their line.
    Moves(Vec<Move>, Option<Range<usize>>),
    Broken(TilesError),
}

fn read(size: Size, text: &str, end: bool, form: &InputFormat) -> Result<Text, TilesError> {
    let asked = Format::asked(form)?;
    let mut lines = text.lines().map(uncommented).filter(|line| !line.is_empty());
    let Some(first) = lines.next() else { return Ok(Text::Nothing) };
    let format = asked.map_or_else(|| Format::of(size, text, first, form.kind), Ok)?;
    match format {
        Format::Rows => return read_rows(size, text, None, [first].into_iter().chain(lines), end),
        Format::School => return read_rows(size, text, Some(first), lines, end),
        _ => {}
    }
    if let Some(next) = lines.next() {
        let (after, span) = ("the first line".into(), span_in(text, next));
        return Err(TilesError::TrailingLine { after, found: echo(next), span });
    }
    match format {
        Format::Moves => parse_moves(size, text, first).map(|moves| Text::Moves(moves, span_in(text, first))),
        _ => read_line(size, text, first, format).map(Text::Labels),
    }
}

/// Reads rows, one a line, after a line with their size in a 42-school file.
fn read_rows<'a>(
    size: Size,
    source: &str,
    size_line: Option<&str>,
    lines: impl Iterator<Item = &'a str>,
    end: bool,
) -> Result<Text, TilesError> {
    let side = size_line.map(|line| read_side(size, source, line)).transpose()?;
    let (rows, columns) = side.map_or((size.rows, size.columns), |side| (side, side));
    let announced = size_line.and_then(|line| span_in(source, line));
    let unfinished = |done: usize, line: Option<&str>| {
        let next = line.map(echo);
        if size == (Size { rows, columns }) {
            let span = line.and_then(|line| span_in(source, line));
            TilesError::MissingRows { rows, columns, done, next, span }
        } else {
            TilesError::WrongSize { size, found: rows, next, span: announced.clone() }
        }
    };
    let mut board: Vec<&str> = Vec::new();
    let mut lines = lines.peekable();
    while let Some(line) = lines.next() {
        let done = board.len() / columns;
        if done == rows {
            let (after, span) = (format!("{rows} rows"), span_in(source, line));
            return Err(TilesError::TrailingLine { after, found: echo(line), span });
        }
        if !is_row(line, columns) {
            if done == 0 && size_line.is_none() {
                let span = span_in(source, line);
                return Err(TilesError::NotARow { columns, found: echo(line), span });
            }
            let why = unfinished(done, Some(line));
            return if lines.peek().is_none() { Ok(Text::Broken(why)) } else { Err(why) };
        }
        board.extend(words(line));
    }
    let done = board.len() / columns;
    if done < rows {
        return if end { Err(unfinished(done, None)) } else { Ok(Text::More) };
    }
    // Only now, so that the rows of a board of another size are not taken for boards.
    if size != (Size { rows, columns }) {
        return Err(TilesError::WrongSize { size, found: rows, next: None, span: announced });
    }
    read_tiles(size, source, None, board, number).map(Text::Labels)
}

/// Reads the line that says the size of a square board.
fn read_side(size: Size, source: &str, line: &str) -> Result<usize, TilesError> {
    match line.parse() {
        Ok(side @ Size::LEAST..=Size::MOST) if is_number(line) => Ok(side),
        _ => Err(TilesError::NotASize { size, found: echo(line), span: span_in(source, line) }),
    }
}

/// Reads a board that stands on one line.
fn read_line(size: Size, source: &str, line: &str, format: Format) -> Result<Vec<u16>, TilesError> {
    let cells = size.cells();
    match format {
        Format::Slashes => {
            let rows: Vec<&str> = line.split('/').take(Size::MOST + 2).collect();
            if rows.len() != size.rows {
                return Err(TilesError::SlashCount { rows: size.rows, found: rows.len() - 1 });
            }
            for (row, text) in (1..).zip(&rows) {
                let (columns, found) = (size.columns, words(text).count());
                if found != columns {
                    let span = span_in(source, text.trim());
                    return Err(TilesError::RowLength { row, columns, found, span });
                }
            }
            read_tiles(size, source, None, rows.into_iter().flat_map(words), number)
        }
        Format::Digits => {
            let found = line.chars().count();
            if cells > MOST_DIGITS {
                return Err(TilesError::TooLargeForDigits { cells });
            }
            if found != cells {
                return Err(TilesError::DigitCount { cells, found });
            }
            let letters = line.char_indices().map(|(at, c)| &line[at..at + c.len_utf8()]);
            read_tiles(size, source, None, letters, |c| usize::from_str_radix(c, 36).ok())
        }
        Format::Korf => {
            let mut words_of = words(line);
            let instance = words_of.next().unwrap_or("");
            let found = words(line).count();
            if found != cells + 1 {
                return Err(TilesError::InstanceCount { cells, found });
            }
            if !is_number(instance) {
                let span = span_in(source, instance);
                return Err(TilesError::NotAnInstance { cells, found: echo(instance), span });
            }
            read_tiles(size, source, Some(instance), words_of, number)
        }
        _ if words(line).count() == cells => read_tiles(size, source, None, words(line), number),
        _ => Err(miscounted(size, source, line)),
    }
}

/// Reads as many tiles as the board has cells.
fn read_tiles<'a>(
    size: Size,
    source: &str,
    instance: Option<&str>,
    words: impl IntoIterator<Item = &'a str>,
    value: impl Fn(&str) -> Option<usize>,
) -> Result<Vec<u16>, TilesError> {
    let cells = size.cells();
    let instance = || instance.map(echo);
    let mut item_of = vec![None; cells];
    let mut labels = Vec::with_capacity(cells);
    let mut twice = None;
    for (item, word) in (1..).zip(words) {
        let Some(label) = value(word).filter(|&label| label < cells) else {
            let (found, instance, span) = (echo(word), instance(), span_in(source, word));
            return Err(TilesError::NotATile { item, cells, found, counted: false, instance, span });
        };
        if let Some(first) = item_of[label] {
            twice.get_or_insert((label, first, item, word));
        }
        item_of[label] = Some(item);
        labels.push(label as u16);
    }
    match twice {
        None => Ok(labels),
        Some((tile, first, second, word)) => Err(TilesError::DuplicateTile {
            tile,
            first,
            second,
            cells,
            found: echo(word),
            missing: missing(&item_of),
            instance: instance(),
            span: span_in(source, word),
        }),
    }
}

/// The labels that were not found.
fn missing<T>(found: &[Option<T>]) -> Vec<usize> {
    (0..found.len()).filter(|&label| found[label].is_none()).collect()
}

/// What is wrong with a line of too few or too many words.
fn miscounted(size: Size, source: &str, line: &str) -> TilesError {
    let cells = size.cells();
    let mut seen = vec![None; cells];
    let mut found = 0;
    for (item, word) in (1..).zip(words(line)) {
        found = item;
        let span = || span_in(source, word);
        match number(word) {
            Some(label) if label < cells => seen[label] = Some(()),
            // Nothing like a board: say what would be.
            None if item == 1 => return TilesError::NotABoard { cells, found: echo(word), span: span() },
            _ if item <= cells => {
                let (found, span) = (echo(word), span());
                return TilesError::NotATile { item, cells, found, counted: true, instance: None, span };
            }
            _ => {}
        }
    }
    let missing = if found < cells { missing(&seen) } else { Vec::new() };
    TilesError::TileCount { size, found, missing, span: span_in(source, line) }
}

/// A line without its comment.
fn uncommented(line: &str) -> &str {
    line.split('#').next().unwrap_or("").trim()
}

/// What stands between blanks and commas.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty())
}

/// Whether a line may be a row: the right number of words, one of them a number.
fn is_row(line: &str, columns: usize) -> bool {
    let row = || words(line).take(columns + 1);
    row().count() == columns && row().any(is_number) && row().all(|word| word.len() <= MOST_WORD)
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.len() <= MOST_WORD && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn number(word: &str) -> Option<usize> {
    if is_number(word) { word.parse().ok() } else { None }
}

/// The names of the moves, by place.
const NAMES: [&str; 4] = ["D", "R", "L", "U"];

/// The name of a move.
pub(super) fn name(m: Move) -> &'static str {
    NAMES[m.index()]
}

fn direction(c: char) -> Option<Move> {
    match c {
        'D' | 'd' => Some(DOWN),
        'R' | 'r' => Some(RIGHT),
        'L' | 'l' => Some(LEFT),
        'U' | 'u' => Some(UP),
        _ => None,
    }
}

/// A letter of moves and the number behind it.
struct Run {
    letter: char,
    count: usize,
    /// Its place in the text.
    span: Range<usize>,
}

/// The letters of a text with the numbers behind them; blanks and commas are left out.
fn runs(text: &str) -> impl Iterator<Item = Run> {
    let mut rest = text.char_indices().peekable();
    std::iter::from_fn(move || {
        while rest.next_if(|&(_, c)| c.is_whitespace() || c == ',').is_some() {}
        let (start, letter) = rest.next()?;
        let mut end = start + letter.len_utf8();
        let mut count: Option<usize> = None;
        while let Some((at, digit)) = rest.peek().and_then(|&(at, c)| Some((at, c.to_digit(10)?))) {
            count = Some(count.unwrap_or(0).saturating_mul(10).saturating_add(digit as usize));
            end = at + 1;
            rest.next();
        }
        Some(Run { letter, count: count.unwrap_or(1), span: start..end })
    })
}

/// Reads moves: letters with or without blanks between, `L3` for `L L L`.
fn parse_moves(size: Size, source: &str, text: &str) -> Result<Vec<Move>, TilesError> {
    let mut moves = Vec::new();
    for Run { letter, count, span } in runs(text) {
        let number = moves.len() + 1;
        let word = || words(&text[span.start..]).next().unwrap_or("");
        let Some(m) = direction(letter) else {
            let (found, span) = (echo(word()), span_in(source, word()));
            return Err(TilesError::UnknownMove { number, found, span });
        };
        let most = if m == UP || m == DOWN { size.rows - 1 } else { size.columns - 1 };
        if !(1..=most).contains(&count) {
            let (found, span) = (echo(word()), span_in(source, word()));
            return Err(TilesError::RunLength { number, most, found, span });
        }
        moves.extend(std::iter::repeat_n(m, count));
    }
    Ok(moves)
}

/// The place of a move, from 1, in a text that [`parse_moves`] reads.
fn span_of_move(text: &str, number: usize) -> Option<Range<usize>> {
    let mut before = 0;
    let mut holds = |run: &Run| {
        before += run.count;
        number <= before
    };
    runs(text).find(|run| holds(run)).map(|run| run.span)
}

/// Reads a goal: its name, or an arrangement on one line.
pub fn read_goal(size: Size, source: &str) -> Result<Goal, Error> {
    let text = source.trim();
    let lower = text.to_ascii_lowercase();
    if GOAL_NAMES.contains(&lower.as_str()) {
        return Goal::named(size, &lower);
    }
    if !text.contains(|c: char| c.is_ascii_digit()) {
        return Goal::named(size, &echo(&lower));
    }
    let wrong = |error: TilesError| Error::from(PuzzleError::Goal(error));
    let format = match Format::of(size, source, text, Some(InputKind::Position)).map_err(wrong)? {
        format @ (Format::Slashes | Format::Digits) => format,
        _ => Format::Line,
    };
    let labels = read_line(size, source, text, format).map_err(wrong)?;
    Ok(Goal::new(size, labels))
}

impl<C: Cells> Tiles<C> {
    /// See [`untumble_search::frontend::PuzzleText::parse`].
    pub(super) fn parse_text(
        &self,
        text: &str,
        end: bool,
        form: &InputFormat,
    ) -> Result<Parsed<Board<C>>, Box<Diagnostic>> {
        Ok(match read(self.size(), text, end, form)? {
            Text::Nothing => Parsed::Nothing,
            Text::More => Parsed::More,
            Text::Labels(labels) => {
                let names: Vec<u16> = labels.iter().map(|&label| self.goal().name(label)).collect();
                Parsed::Position(self.board(&names))
            }
            Text::Moves(moves, line) => Parsed::Position(self.after(&moves).map_err(|mut error| {
                if let (TilesError::IllegalMove { number, span, .. }, Some(line)) = (&mut error, line) {
                    let within = span_of_move(&text[line.clone()], *number);
                    *span = within.map(|within| line.start + within.start..line.start + within.end);
                }
                error
            })?),
            Text::Broken(why) => Parsed::Broken(why.into()),
        })
    }

    /// Reads moves.
    pub(super) fn parse_move_text(&self, text: &str) -> Result<Vec<Move>, Box<Diagnostic>> {
        Ok(parse_moves(self.size(), text, text)?)
    }

    /// The board after moves from solved.
    fn after(&self, moves: &[Move]) -> Result<Board<C>, TilesError> {
        let size = self.size();
        let (mut names, mut gap) = (self.goal().solved(), self.goal().gap());
        for (number, &m) in (1..).zip(moves) {
            let Some(from) = size.source(gap, m) else {
                let legal = [UP, DOWN, LEFT, RIGHT].into_iter().filter(|&m| size.source(gap, m).is_some());
                return Err(TilesError::IllegalMove {
                    number,
                    name: name(m),
                    row: size.row(gap) + 1,
                    column: size.column(gap) + 1,
                    gap,
                    legal: legal.map(name).collect(),
                    span: None,
                });
            };
            names.swap(from, gap);
            gap = from;
        }
        Ok(self.board(&names))
    }

    /// The label in each cell, 0 for the gap.
    pub(super) fn labels<'a>(&'a self, board: &'a Board<C>) -> impl Iterator<Item = u16> + 'a {
        (0..self.size().cells()).map(|cell| self.goal().label(board.cells.get(cell)))
    }

    /// The board on one line.
    pub(super) fn line(&self, board: &Board<C>) -> String {
        self.labels(board).map(|label| label.to_string()).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn square(side: usize) -> Size {
        Size { rows: side, columns: side }
    }

    fn position(size: Size, text: &str) -> Result<Text, String> {
        read(size, text, true, &InputFormat::default()).map_err(|why| why.to_string())
    }

    fn labels(size: Size, text: &str) -> Result<Vec<u16>, String> {
        match position(size, text)? {
            Text::Labels(labels) => Ok(labels),
            other => Err(format!("{other:?}")),
        }
    }

    #[test]
    fn the_formats_are_told_apart() {
        let expected: Vec<u16> = vec![1, 2, 3, 4, 5, 6, 8, 7, 0];
        for text in [
            "1 2 3\n4 5 6\n8 7 0",
            "# 42\n3\n1 2 3 # first\n\n4 5 6\n# rest\n8 7 0 \n",
            "1 2 3 4 5 6 8 7 0",
            "1,2,3, 4,5,6, 8,7,0",
            " 1\t2 3 4 5 6 08 7 0",
            "77 1 2 3 4 5 6 8 7 0",
            "1 2 3/4 5 6/8 7 0",
            "1,2,3/4,5,6/8,7,0",
            "123456870",
        ] {
            assert_eq!(labels(square(3), text), Ok(expected.clone()), "{text}");
        }
        let sixteen = "fedcba9876543210";
        assert_eq!(labels(square(4), sixteen), Ok((0..16).rev().collect()));
        assert_eq!(labels(square(4), "DABCEF9876543210").map(|l| l[0]), Ok(13));
        for text in ["L L U R", "llur", "L2UR", "L 2" /* a blank ends a run */] {
            let read = position(square(3), text);
            assert_eq!(matches!(read, Ok(Text::Moves(..))), text != "L 2", "{text}: {read:?}");
        }
        assert_eq!(position(square(3), " # nothing\n\n"), Ok(Text::Nothing));
    }

    #[test]
    fn lines_that_come_one_by_one_make_a_board() {
        let form = InputFormat::default();
        for (text, begun) in [("3", true), ("3\n1 2 3", true), ("3\n1 2 3\n4 5 6\n8 7 0", false)] {
            let taken = read(square(3), text, false, &form).expect("no mistake");
            assert_eq!(taken == Text::More, begun, "{text}");
        }
        let broken = read(square(3), "1 2 3\n4 5 6 7 8 0", false, &form);
        let why = "the board has 1 of 3 rows: 2 rows (6 tiles) are missing; the next line is `4 5 6 7 8 0`";
        assert!(matches!(&broken, Ok(Text::Broken(error)) if error.to_string() == why), "{broken:?}");
    }

    #[test]
    fn mistakes_name_the_item_and_the_way_out() {
        for (side, text, part) in [
            (3, "1 2 3 4 5 6 7 8", "found 8: 0 is missing"),
            (
                3,
                "1 2 3 4 5 6 7 8 8",
                "item 9: expected a tile 0..8 not used before, found `8`, which is item 8; 0 is missing",
            ),
            (3, "1 2 3 4 5 9 7 8 0", "item 6: expected a tile 0..8 not used before, found `9`"),
            (3, "1 2 3 4 5 x 7 8 0", "item 6: expected a tile 0..8 not used before, found `x`"),
            (3, "1 2 3 4 5 -6 7 8 0", "item 6"),
            (3, "1 2 3 4 5 6 7 8 99999999999999999999", "item 9"),
            (3, "1 2 3\n4 x 6\n7 8 0", "item 5"),
            (3, "1 2 3\n4 5 6", "the board has 2 of 3 rows: 1 row (3 tiles) is missing"),
            (3, "3\n", "the board has 0 of 3 rows"),
            (3, "4", "the size is 4, but tiles-3x3 has 3 rows of 3"),
            (2, "3\n1 2 3\n4 5 6\n7 8 0", "the size is 3, but tiles-2x2"),
            (3, "99", "expected the size, 3,"),
            (
                3,
                "9 1 2 3 4 5 6 7 8 8",
                "item 9: expected a tile 0..8 not used before, found `8`, which is item 8; 0 is missing (counted after the instance number `9`)",
            ),
            (3, "one 1 2 3 4 5 6 7 8 0", "expected an instance number before the 9 tiles, found `one`"),
            (3, "1 2 3 4 5 6 7 8 0 1 2", "found 11"),
            (3, "1 2 3/4 5 6", "expected 3 rows with slashes between, found 1 slash"),
            (3, "1 2 3/4 5/6 7 8 0", "row 2: expected 3 tiles, found 2"),
            (3, "12345678", "expected 9 digits or letters, one for each cell, found 8"),
            (3, "123456788", "item 9"),
            (3, "hello", "expected 9 tiles (0..8) or moves (U D L R), found `hello`"),
            (3, "one two three", "found `one`"),
            (3, "L L X", "move 3: expected U, D, L or R, found `X`"),
            (3, "L3", "move 1: expected a run of 1..2 slides, found `L3`"),
            (3, "L99999999999999999999999", "move 1"),
            (3, "\u{1b}[2J", "found `\u{fffd}[2J`"),
            (3, "1 2 3\n4 5 6\n7 8 0\n1 2 3", "expected nothing after 3 rows"),
        ] {
            let error = match position(square(side), text) {
                Err(why) => why,
                Ok(Text::Broken(why)) => why.to_string(),
                other => panic!("{text}: {other:?}"),
            };
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn a_format_can_be_forced() {
        let with = |format: &str, kind: Option<InputKind>, text: &str| {
            let form = InputFormat { kind, format: Some(format.into()) };
            read(square(3), text, true, &form).map_err(|why| why.to_string())
        };
        assert!(matches!(with("line", None, "1 2 3 4 5 6 7 8 0"), Ok(Text::Labels(_))));
        assert!(matches!(with("moves", Some(InputKind::Moves), "RD"), Ok(Text::Moves(..))));
        for (format, kind, text, part) in [
            ("lines", None, "1", "there is no format `lines`"),
            ("rows", None, "1 2 3 4 5 6 7 8 0", "expected a row of 3 tiles"),
            ("42", None, "1 2 3", "expected the size, 3, on a line of its own, found `1 2 3`"),
            ("line", None, "1 2 3", "expected 9 tiles"),
            ("korf", None, "1 2 3 4 5 6 7 8 0", "expected an instance number and 9 tiles, found 9"),
            ("slashes", None, "1 2 3 4 5 6 7 8 0", "found 0 slashes"),
            ("digits", None, "1 2 3", "expected 9 digits"),
            ("moves", None, "1 2 3", "move 1: expected U, D, L or R, found `1`"),
            ("rows", Some(InputKind::Moves), "L", "writes positions, not moves"),
            ("moves", Some(InputKind::Position), "L", "writes moves, not a position"),
        ] {
            let error = with(format, kind, text).expect_err(text);
            assert!(error.contains(part), "{format}, {text}: {error}");
        }
        let forced = InputFormat { kind: Some(InputKind::Position), format: None };
        assert!(read(square(3), "LLU", true, &forced).is_err(), "moves are no position");
    }

    #[test]
    fn moves_lead_from_solved_or_name_the_illegal_one() {
        let tiles = Tiles::<u64>::new(Goal::named(square(3), "blank-last").expect("a known goal"));
        let take = |text: &str| tiles.parse_text(text, true, &InputFormat::default());
        let Ok(Parsed::Position(board)) = take("R D L U") else { panic!("four legal moves") };
        assert_eq!(tiles.line(&board), "1 2 3 4 6 8 7 5 0");
        let error = take("D D D").expect_err("the board has three rows").to_string();
        let expected = "move 3: `D` slides no tile, the gap is in row 1, column 3; there U, R can be slid";
        assert_eq!(error, expected);
    }

    #[test]
    fn goals_have_names_or_are_spelled_out() {
        let read = |text: &str| read_goal(square(3), text).map_err(|why| why.to_string());
        assert_eq!(read("Snail").map(|goal| goal.gap()), Ok(4));
        for text in ["8 7 6 5 4 3 2 1 0", "8 7 6/5 4 3/2 1 0", "876543210", "8,7,6,5,4,3,2,1,0"] {
            assert_eq!(read(text).map(|goal| goal.labels().to_vec()), Ok((0..9).rev().collect()), "{text}");
        }
        for (text, part) in [
            ("snial", "there is no goal `snial`"),
            ("", "there is no goal ``"),
            ("1 2 3", "goal: expected 9 tiles"),
            ("1 2 3 4 5 6 7 8 8", "goal: item 9"),
            ("1 1 2 3 4 5 6 7 8 0", "goal: expected 9 tiles"),
            ("4", "goal: "),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    /// Every error of the parser, in lines before and after comments: the span covers the offending token.
    #[test]
    fn spans_cover_the_offending_token() {
        for (text, code, token) in [
            ("1 2 3 4 5 6 7 8 8", "duplicate-tile", Some("8")),
            ("1 2 3 4 5 x7 6 8 0", "not-a-tile", Some("x7")),
            ("1 2 3\n4 5 99\n7 8 0", "not-a-tile", Some("99")),
            ("3\n1 2 3\n4 5 6\n7 8 08", "duplicate-tile", Some("08")),
            ("17 1 2 3 4 5 6 7 8 8", "duplicate-tile", Some("8")),
            ("one 1 2 3 4 5 6 7 8 0", "not-an-instance", Some("one")),
            ("1 2 3 4 5 6 7 8", "tile-count", Some("1 2 3 4 5 6 7 8")),
            ("1 2 3 4 y 6", "not-a-tile", Some("y")),
            ("hello world", "not-a-board", Some("hello")),
            ("1 2 3/4 5/6 7 8 0", "row-length", Some("4 5")),
            ("1 2 3/4 5 6/7 é 0", "not-a-tile", Some("é")),
            ("1 2 3/4 5 6", "slash-count", None),
            ("123456788", "duplicate-tile", Some("8")),
            ("12345é780", "not-a-board", Some("12345é780")),
            ("1234567z0", "not-a-tile", Some("z")),
            ("12345678", "tile-count", None),
            ("1 2 3\n4 5 6", "missing-rows", None),
            ("1 2 3\n4 5 6\nx", "missing-rows", Some("x")),
            ("4\n1 2 3 4", "wrong-size", Some("4")),
            ("99", "not-a-size", Some("99")),
            ("1 2 3\n4 5 6\n7 8 0\nmore", "trailing-line", Some("more")),
            ("1 2 3 4 5 6 7 8 0\nmore", "trailing-line", Some("more")),
            ("L L Xy", "unknown-move", Some("Xy")),
            ("R3", "run-length", Some("R3")),
            ("R2 D2 LU2 U", "illegal-move", Some("U")),
            ("DD2", "illegal-move", Some("D2")),
        ] {
            let tiles = Tiles::<u64>::new(Goal::named(square(3), "blank-last").expect("a known goal"));
            for before in ["", "# é comment\n\n  ", "\r\n\t"] {
                let text = format!("{before}{text}  # and so on\n");
                let error: Box<Diagnostic> = match tiles.parse_text(&text, true, &InputFormat::default()) {
                    Err(error) | Ok(Parsed::Broken(error)) => error,
                    other => panic!("{text}: {other:?}"),
                };
                assert_eq!(error.code, code, "{text}: {error}");
                assert_eq!(error.span.clone().map(|span| &text[span]), token, "{text}: {error:?}");
            }
        }
        for (format, text, token) in [
            ("rows", "# a\n1 2 3 4", Some("1 2 3 4")),
            ("42", "1 2 3", Some("1 2 3")),
            ("moves", "1 2", Some("1")),
            ("korf", "1 2", None),
        ] {
            let form = InputFormat { kind: None, format: Some(format.into()) };
            let error: Box<Diagnostic> = read(square(3), text, true, &form).expect_err(text).into();
            assert_eq!(error.span.map(|span| &text[span]), token, "{format}: {text}");
        }
    }

    #[test]
    fn pieces_and_alternatives_are_data() {
        let error = |text: &str| -> Box<Diagnostic> {
            read(square(3), text, true, &InputFormat::default()).expect_err(text).into()
        };
        let twice = error("1 2 3 4 5 6 7 7 0");
        let cells: Vec<&[usize]> = twice.pieces.iter().map(|piece| &piece.places[..]).collect();
        assert_eq!(cells, [&[6][..], &[7], &[]]);
        assert_eq!(twice.pieces[2].name, "8", "the tile that is missing");
        let size = error("4");
        assert_eq!(size.alternatives[0].value, "tiles-4x4");
    }

    #[test]
    fn ten_megabytes_of_noise_are_refused_briefly() {
        let million = 10_000_000;
        for noise in ["x", "1", "1 ", "L", "/", "#", ",", "é", "LR", "1 2 3 4\n"] {
            let text = noise.repeat(million / noise.len());
            for (size, end) in [(square(4), true), (square(64), false)] {
                let form = InputFormat::default();
                match read(size, &text, end, &form) {
                    Err(why) => assert!(why.to_string().chars().count() < 300, "{noise}: {why}"),
                    Ok(read) => assert!(matches!(read, Text::Nothing | Text::Moves(..)), "{noise}"),
                }
            }
        }
    }

    /// A board of any small size, and its labels.
    fn boards() -> impl Strategy<Value = (Size, Vec<u16>)> {
        (2usize..=6, 2usize..=6).prop_flat_map(|(rows, columns)| {
            let labels: Vec<u16> = (0..(rows * columns) as u16).collect();
            (Just(Size { rows, columns }), Just(labels).prop_shuffle())
        })
    }

    /// The board in every format that can write it.
    fn written(size: Size, labels: &[u16]) -> Vec<(&'static str, String)> {
        let word = |labels: &[u16], between: &str| {
            labels.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
        };
        let rows: Vec<String> = labels.chunks(size.columns).map(|row| word(row, " ")).collect();
        let mut texts = vec![
            ("rows", rows.join("\n")),
            ("line", word(labels, " ")),
            ("line", word(labels, ",")),
            ("korf", format!("12 {}", word(labels, "  "))),
            ("slashes", rows.join("/")),
        ];
        if size.rows == size.columns {
            texts.push(("42", format!("# board\n{}\n{}", size.rows, rows.join(" # row\n"))));
        }
        if size.cells() <= MOST_DIGITS {
            let digit = |&label: &u16| char::from_digit(label.into(), 36).unwrap_or('?');
            texts.push(("digits", labels.iter().map(digit).collect()));
        }
        texts
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "(?s).{0,80}", end: bool, rows in 2usize..6, columns in 2usize..6) {
            let size = Size { rows, columns };
            let tiles = Tiles::<Box<[u16]>>::new(Goal::named(size, "snail").expect("a known goal"));
            let _ = tiles.parse_text(&text, end, &InputFormat::default());
            let _ = tiles.parse_move_text(&text);
            let _ = read_goal(size, &text);
        }

        #[test]
        fn likely_texts_too(text in "[0-9a-fUDLRudlr /,#\nx-]{0,60}", end: bool, side in 2usize..5, format in 0usize..8) {
            let size = square(side);
            let tiles = Tiles::<Box<[u16]>>::new(Goal::named(size, "blank-first").expect("a known goal"));
            let format = FORMATS.get(format).map(|format| format.name.to_owned());
            let _ = tiles.parse_text(&text, end, &InputFormat { kind: None, format });
            let _ = tiles.parse_move_text(&text);
            let _ = read_goal(size, &text);
        }

        #[test]
        fn what_is_written_reads_back_the_same((size, board) in boards()) {
            for (format, text) in written(size, &board) {
                prop_assert_eq!(labels(size, &text), Ok(board.clone()), "{}: {}", format, text);
                let form = InputFormat { kind: Some(InputKind::Position), format: Some(format.into()) };
                prop_assert_eq!(read(size, &text, true, &form), Ok(Text::Labels(board.clone())), "{}", text);
            }
            let goal = read_goal(size, &written(size, &board)[1].1).map(|goal| goal.labels().to_vec());
            prop_assert_eq!(goal, Ok(board));
        }

        #[test]
        fn boards_print_what_they_read((size, board) in boards()) {
            let goal = Goal::named(size, "snail").expect("a known goal");
            let tiles = Tiles::<Box<[u16]>>::new(goal);
            let text = board.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            let Ok(Parsed::Position(read)) = tiles.parse_text(&text, true, &InputFormat::default()) else {
                return Err(TestCaseError::fail(text));
            };
            prop_assert_eq!(tiles.line(&read), text);
        }

        #[test]
        fn a_single_mistake_is_refused_and_named((size, board) in boards(), at: prop::sample::Index, other: prop::sample::Index) {
            let (cells, at, other) = (size.cells(), at.index(size.cells()), other.index(size.cells()));
            let text = |board: &[u16]| written(size, board)[1].1.clone();
            let mut dropped = board.clone();
            let label = dropped.remove(at);
            let why = labels(size, &text(&dropped)).expect_err("a tile is missing");
            let named = format!(": {label} is missing");
            prop_assert!(why.ends_with(&named), "{}", why);
            let mut replaced = board.clone();
            replaced[at] = cells as u16;
            for (format, text) in written(size, &replaced).into_iter().filter(|_| cells < 36) {
                let why = labels(size, &text).expect_err("a tile is out of range");
                let named = format!("item {}:", at + 1);
                prop_assert!(why.contains(&named), "{}: {}", format, why);
            }
            if at != other {
                let mut repeated = board.clone();
                repeated[at] = board[other];
                for (format, text) in written(size, &repeated) {
                    let why = labels(size, &text).expect_err("a tile is repeated");
                    let (first, second) = (at.min(other) + 1, at.max(other) + 1);
                    let (second, first) = (format!("item {second}:"), format!("is item {first};"));
                    prop_assert!(why.contains(&second) && why.contains(&first), "{}: {}", format, why);
                }
            }
        }

        #[test]
        fn moves_read_back_the_same(moves in prop::collection::vec(0u8..4, 0..40)) {
            let moves: Vec<Move> = moves.into_iter().map(Move).collect();
            let names: Vec<&str> = moves.iter().map(|&m| name(m)).collect();
            for between in [" ", "", ", "] {
                prop_assert_eq!(parse_moves(square(3), "", &names.join(between)), Ok(moves.clone()));
            }
            prop_assert_eq!(parse_moves(square(3), "", &names.join(" ").to_lowercase()), Ok(moves));
        }
    }
}
