//! Boards, goals and moves as text.
//!
//! A line is known by how many numbers it holds: a row of them is a row, a board's
//! worth a board, one more a board behind its number in a list, and a
//! single one the size of a board to come or a board of one character per tile.

use untumble_search::error::{Diagnostic, Error, invalid};
use untumble_search::frontend::{FormatOf, InputFormat, Kind, Parsed};
use untumble_search::moves::Move;

use super::goal::GOAL_NAMES;
use super::{Board, Cells, DOWN, Goal, LEFT, RIGHT, Size, Tiles, UP};
use crate::echo::echo;

/// The ways to write a board.
pub(super) const FORMATS: &[FormatOf] = &[
    FormatOf { name: "rows", what: "a row on each line" },
    FormatOf { name: "42", what: "the size on a line, then a row on each line (42-school files)" },
    FormatOf { name: "line", what: "the whole board on one line, blanks or commas between" },
    FormatOf { name: "korf", what: "a line that begins with an instance number (Korf's lists)" },
    FormatOf { name: "slashes", what: "one line, slashes between rows: 1 2 3/4 5 6/7 8 0" },
    FormatOf { name: "digits", what: "a character per tile, a for 10: 123456780 (up to 16 cells)" },
    FormatOf { name: "moves", what: "moves from solved: L L U R D, or L2URD" },
];

/// One character per tile can write boards of up to this many cells.
const MOST_DIGITS: usize = 16;
/// Longer words are no tile numbers; refusing them early keeps noise from being read again with every line.
const MOST_WORD: usize = 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Rows,
    TrainingTask,
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
        Format::TrainingTask,
        Format::Line,
        Format::Korf,
        Format::Slashes,
        Format::Digits,
        Format::Moves,
    ];

    /// The format that `form` asks for, if it does.
    fn asked(form: &InputFormat) -> Result<Option<Format>, Box<Diagnostic>> {
        let Some(name) = &form.format else {
            return Ok((form.kind == Some(Kind::Moves)).then_some(Format::Moves));
        };
        let names = || FORMATS.iter().map(|format| format.name);
        let Some(place) = names().position(|known| known == name) else {
            let known = names().collect::<Vec<_>>().join(", ");
            return Err(invalid(format!("there is no format `{}` (formats: {known})", echo(name))));
        };
        let format = Format::ALL[place];
        match form.kind {
            Some(Kind::Moves) if format != Format::Moves => {
                Err(invalid(format!("format `{name}` writes positions, not moves")))
            }
            Some(Kind::Position) if format == Format::Moves => {
                Err(invalid("format `moves` writes moves, not a position"))
            }
            _ => Ok(Some(format)),
        }
    }

    /// The format of a text that begins with `line`.
    fn of(size: Size, line: &str, kind: Option<Kind>) -> Result<Format, Box<Diagnostic>> {
        let (cells, columns) = (size.cells(), size.columns);
        let mut words = words(line);
        let first = words.next().unwrap_or("");
        let count = 1 + words.count();
        let digits = count == 1 && cells <= MOST_DIGITS && first.len() == cells && first.is_ascii();
        // No board is written in the letters of moves alone: of 10 tiles or more one is `a`.
        let letters = first.starts_with(|c| direction(c).is_some());
        let spelled = digits && first.chars().any(|c| direction(c).is_none() && !c.is_ascii_digit());
        if letters && !spelled && kind != Some(Kind::Position) {
            return Ok(Format::Moves);
        }
        if line.contains('/') {
            return Ok(Format::Slashes);
        }
        let alike = cells <= MOST_DIGITS && first.bytes().all(|byte| byte.is_ascii_alphanumeric());
        match count {
            1 if first.len() <= 2 && is_number(first) => Ok(Format::TrainingTask),
            1 if digits || alike && first.starts_with(|c: char| c.is_ascii_digit()) => Ok(Format::Digits),
            _ if count == columns && is_row(line, columns) => Ok(Format::Rows),
            _ if count == cells => Ok(Format::Line),
            _ if count == cells + 1 => Ok(Format::Korf),
            _ => Err(miscounted(size, line)),
        }
    }
}

/// What a text holds.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Text {
    Nothing,
    More,
    Labels(Vec<u16>),
    Moves(Vec<Move>),
    Broken(Box<Diagnostic>),
}

fn read(size: Size, text: &str, end: bool, form: &InputFormat) -> Result<Text, Box<Diagnostic>> {
    let asked = Format::asked(form)?;
    let mut lines = text.lines().map(uncommented).filter(|line| !line.is_empty());
    let Some(first) = lines.next() else { return Ok(Text::Nothing) };
    let format = asked.map_or_else(|| Format::of(size, first, form.kind), Ok)?;
    match format {
        Format::Rows => return read_rows(size, None, [first].into_iter().chain(lines), end),
        Format::TrainingTask => return read_rows(size, Some(first), lines, end),
        _ => {}
    }
    if let Some(next) = lines.next() {
        return Err(invalid(format!("expected nothing after the first line, found `{}`", echo(next))));
    }
    match format {
        Format::Moves => read_moves(size, first).map(Text::Moves),
        _ => read_line(size, first, format).map(Text::Labels),
    }
}

/// Reads rows, one a line, after a line with their size in a 42-school file.
fn read_rows<'a>(
    size: Size,
    size_line: Option<&str>,
    lines: impl Iterator<Item = &'a str>,
    end: bool,
) -> Result<Text, Box<Diagnostic>> {
    let side = size_line.map(|line| read_side(size, line)).transpose()?;
    let (rows, columns) = side.map_or((size.rows, size.columns), |side| (side, side));
    let mut board: Vec<&str> = Vec::new();
    let mut lines = lines.peekable();
    while let Some(line) = lines.next() {
        let done = board.len() / columns;
        if done == rows {
            return Err(invalid(format!("expected nothing after {rows} rows, found `{}`", echo(line))));
        }
        if !is_row(line, columns) {
            if done == 0 && size_line.is_none() {
                return Err(invalid(format!("expected a row of {columns} tiles, found `{}`", echo(line))));
            }
            let missing = unfinished(size, rows, columns, done);
            let why = invalid(format!("{missing}; the next line is `{}`", echo(line)));
            return if lines.peek().is_none() { Ok(Text::Broken(why)) } else { Err(why) };
        }
        board.extend(words(line));
    }
    let done = board.len() / columns;
    if done < rows {
        return if end { Err(unfinished(size, rows, columns, done)) } else { Ok(Text::More) };
    }
    // Only now, so that the rows of a board of another size are not taken for boards.
    if let Some(why) = misfit(size, rows, columns) {
        return Err(why);
    }
    read_tiles(size, board, number).map(Text::Labels)
}

/// Reads the line that says the size of a square board.
fn read_side(size: Size, line: &str) -> Result<usize, Box<Diagnostic>> {
    match line.parse() {
        Ok(side @ Size::LEAST..=Size::MOST) if is_number(line) => Ok(side),
        _ => {
            let (least, most) = (Size::LEAST, Size::MOST);
            let found = echo(line);
            Err(invalid(if size.rows == size.columns {
                format!("expected the size, {}, on a line of its own, found `{found}`", size.rows)
            } else {
                format!("expected the size of a square board, {least}..{most}, found `{found}`")
            }))
        }
    }
}

/// Reads a board that stands on one line.
fn read_line(size: Size, line: &str, format: Format) -> Result<Vec<u16>, Box<Diagnostic>> {
    let cells = size.cells();
    match format {
        Format::Slashes => {
            let rows: Vec<&str> = line.split('/').take(Size::MOST + 2).collect();
            if rows.len() != size.rows {
                let found = rows.len() - 1;
                return Err(invalid(format!(
                    "expected {} rows with slashes between, found {found} slash{}",
                    size.rows,
                    if found == 1 { "" } else { "es" }
                )));
            }
            for (row, found) in rows.iter().map(|row| words(row).count()).enumerate() {
                if found != size.columns {
                    let columns = size.columns;
                    return Err(invalid(format!("row {}: expected {columns} tiles, found {found}", row + 1)));
                }
            }
            read_tiles(size, rows.into_iter().flat_map(words), number)
        }
        Format::Digits => {
            let count = line.chars().count();
            if cells > MOST_DIGITS || count != cells {
                return Err(invalid(if cells > MOST_DIGITS {
                    format!("a board of {cells} cells is not written in digits; put blanks between tiles")
                } else {
                    format!("expected {cells} digits or letters, one for each cell, found {count}")
                }));
            }
            let letters = line.char_indices().map(|(at, c)| &line[at..at + c.len_utf8()]);
            read_tiles(size, letters, |c| usize::from_str_radix(c, 36).ok())
        }
        Format::Korf => {
            let mut words_of = words(line);
            let instance = words_of.next().unwrap_or("");
            let count = words(line).count();
            if count != cells + 1 {
                return Err(invalid(format!("expected an instance number and {cells} tiles, found {count}")));
            }
            if !is_number(instance) {
                let found = echo(instance);
                return Err(invalid(format!(
                    "expected an instance number before the {cells} tiles, found `{found}`"
                )));
            }
            read_tiles(size, words_of, number).map_err(|why| {
                invalid(format!("{why} (counted after the instance number `{}`)", echo(instance)))
            })
        }
        _ if words(line).count() == cells => read_tiles(size, words(line), number),
        _ => Err(miscounted(size, line)),
    }
}

/// Reads as many tiles as the board has cells.
fn read_tiles<'a>(
    size: Size,
    words: impl IntoIterator<Item = &'a str>,
    value: impl Fn(&str) -> Option<usize>,
) -> Result<Vec<u16>, Box<Diagnostic>> {
    let cells = size.cells();
    let mut item_of = vec![None; cells];
    let mut labels = Vec::with_capacity(cells);
    let mut twice = None;
    for (item, word) in (1..).zip(words) {
        let expected = format_args!("item {item}: expected a tile 0..{} not used before", cells - 1);
        let Some(label) = value(word).filter(|&label| label < cells) else {
            return Err(invalid(format!("{expected}, found `{}`", echo(word))));
        };
        if let Some(before) = item_of[label] {
            twice
                .get_or_insert_with(|| format!("{expected}, found `{}`, which is item {before}", echo(word)));
        }
        item_of[label] = Some(item);
        labels.push(label as u16);
    }
    match twice {
        None => Ok(labels),
        Some(why) => Err(invalid(format!("{why}; {}", missing(&item_of)))),
    }
}

/// "5 is missing", of the labels that were not found.
fn missing<T>(found: &[Option<T>]) -> String {
    let missing: Vec<usize> = (0..found.len()).filter(|&label| found[label].is_none()).collect();
    let named: Vec<String> = missing.iter().take(8).map(ToString::to_string).collect();
    let more = if missing.len() > named.len() { " …" } else { "" };
    format!("{}{more} {} missing", named.join(", "), if missing.len() == 1 { "is" } else { "are" })
}

/// What is wrong with a line of too few or too many words.
fn miscounted(size: Size, line: &str) -> Box<Diagnostic> {
    let (cells, columns) = (size.cells(), size.columns);
    let mut found = vec![None; cells];
    let mut count = 0;
    for (item, word) in (1..).zip(words(line)) {
        count = item;
        match number(word) {
            Some(label) if label < cells => found[label] = Some(()),
            // Nothing like a board: say what would be.
            None if item == 1 => {
                return invalid(format!(
                    "expected {cells} tiles (0..{}) or moves (U D L R), found `{}`",
                    cells - 1,
                    echo(word)
                ));
            }
            _ if item <= cells => {
                let last = cells - 1;
                return invalid(format!("item {item}: expected a tile 0..{last}, found `{}`", echo(word)));
            }
            _ => {}
        }
    }
    let hint = if count < cells { format!(": {}", missing(&found)) } else { String::new() };
    invalid(format!(
        "expected {cells} tiles, {columns} in a row, or {} with an instance number, found {count}{hint}",
        cells + 1
    ))
}

/// Why a board of the size that was announced is not wanted here.
fn misfit(size: Size, rows: usize, columns: usize) -> Option<Box<Diagnostic>> {
    (size != Size { rows, columns }).then(|| {
        invalid(format!(
            "the size is {rows}, but tiles-{size} has {} rows of {}; did you mean tiles-{rows}x{columns}?",
            size.rows, size.columns
        ))
    })
}

/// What is missing of a board that has `done` rows.
fn unfinished(size: Size, rows: usize, columns: usize, done: usize) -> Box<Diagnostic> {
    misfit(size, rows, columns).unwrap_or_else(|| {
        let left = rows - done;
        let tiles = left * columns;
        let (s, are) = if left == 1 { ("", "is") } else { ("s", "are") };
        invalid(format!("the board has {done} of {rows} rows: {left} row{s} ({tiles} tiles) {are} missing"))
    })
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

/// Reads moves: letters with or without blanks between, `L3` for `L L L`.
fn read_moves(size: Size, text: &str) -> Result<Vec<Move>, Box<Diagnostic>> {
    let mut moves = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        if c.is_whitespace() || c == ',' {
            continue;
        }
        let place = moves.len() + 1;
        let found = || echo(words(&text[at..]).next().unwrap_or(""));
        let Some(m) = direction(c) else {
            return Err(invalid(format!("move {place}: expected U, D, L or R, found `{}`", found())));
        };
        let mut run: Option<usize> = None;
        while let Some(digit) = rest.peek().and_then(|&(_, c)| c.to_digit(10)) {
            run = Some(run.unwrap_or(0).saturating_mul(10).saturating_add(digit as usize));
            rest.next();
        }
        let most = if m == UP || m == DOWN { size.rows - 1 } else { size.columns - 1 };
        let run = run.unwrap_or(1);
        if !(1..=most).contains(&run) {
            let found = found();
            return Err(invalid(format!(
                "move {place}: expected a run of 1..{most} slides, found `{found}`"
            )));
        }
        moves.extend(std::iter::repeat_n(m, run));
    }
    Ok(moves)
}

/// Reads a goal: its name, or an arrangement on one line.
pub fn read_goal(size: Size, text: &str) -> Result<Goal, Error> {
    let text = text.trim();
    let lower = text.to_ascii_lowercase();
    if GOAL_NAMES.contains(&lower.as_str()) {
        return Goal::named(size, &lower);
    }
    if !text.contains(|c: char| c.is_ascii_digit()) {
        return Goal::named(size, &echo(&lower));
    }
    let wrong = |why: Box<Diagnostic>| Error::Usage(format!("goal: {why}"));
    let format = match Format::of(size, text, Some(Kind::Position)).map_err(wrong)? {
        format @ (Format::Slashes | Format::Digits) => format,
        _ => Format::Line,
    };
    let labels = read_line(size, text, format).map_err(wrong)?;
    Ok(Goal::new(size, labels))
}

impl<C: Cells> Tiles<C> {
    /// See [`untumble_search::frontend::PuzzleFrontend::take`].
    pub(super) fn take_text(
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
            Text::Moves(moves) => Parsed::Position(self.after(&moves)?),
            Text::Broken(why) => Parsed::Broken(why),
        })
    }

    /// Reads moves.
    pub(super) fn take_moves(&self, text: &str) -> Result<Vec<Move>, Box<Diagnostic>> {
        read_moves(self.size(), text)
    }

    /// The board after moves from solved.
    fn after(&self, moves: &[Move]) -> Result<Board<C>, Box<Diagnostic>> {
        let size = self.size();
        let (mut names, mut gap) = (self.goal().solved(), self.goal().gap());
        for (place, &m) in (1..).zip(moves) {
            let Some(from) = size.source(gap, m) else {
                let legal = [UP, DOWN, LEFT, RIGHT].into_iter().filter(|&m| size.source(gap, m).is_some());
                return Err(invalid(format!(
                    "move {place}: `{}` slides no tile, the gap is in row {}, column {}; there {} can be slid",
                    name(m),
                    size.row(gap) + 1,
                    size.column(gap) + 1,
                    legal.map(name).collect::<Vec<_>>().join(", "),
                )));
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
            assert_eq!(matches!(read, Ok(Text::Moves(_))), text != "L 2", "{text}: {read:?}");
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
        assert_eq!(broken, Ok(Text::Broken(invalid(why))));
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
            (3, "4", "the size is 4, but tiles-3x3 has 3 rows of 3; did you mean tiles-4x4?"),
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
        let with = |format: &str, kind: Option<Kind>, text: &str| {
            let form = InputFormat { kind, format: Some(format.into()) };
            read(square(3), text, true, &form).map_err(|why| why.to_string())
        };
        assert!(matches!(with("line", None, "1 2 3 4 5 6 7 8 0"), Ok(Text::Labels(_))));
        assert!(matches!(with("moves", Some(Kind::Moves), "RD"), Ok(Text::Moves(_))));
        for (format, kind, text, part) in [
            (
                "lines",
                None,
                "1",
                "there is no format `lines` (formats: rows, 42, line, korf, slashes, digits, moves)",
            ),
            ("rows", None, "1 2 3 4 5 6 7 8 0", "expected a row of 3 tiles"),
            ("42", None, "1 2 3", "expected the size, 3, on a line of its own, found `1 2 3`"),
            ("line", None, "1 2 3", "expected 9 tiles"),
            ("korf", None, "1 2 3 4 5 6 7 8 0", "expected an instance number and 9 tiles, found 9"),
            ("slashes", None, "1 2 3 4 5 6 7 8 0", "found 0 slashes"),
            ("digits", None, "1 2 3", "expected 9 digits"),
            ("moves", None, "1 2 3", "move 1: expected U, D, L or R, found `1`"),
            ("rows", Some(Kind::Moves), "L", "writes positions, not moves"),
            ("moves", Some(Kind::Position), "L", "writes moves, not a position"),
        ] {
            let error = with(format, kind, text).expect_err(text);
            assert!(error.contains(part), "{format}, {text}: {error}");
        }
        let forced = InputFormat { kind: Some(Kind::Position), format: None };
        assert!(read(square(3), "LLU", true, &forced).is_err(), "moves are no position");
    }

    #[test]
    fn moves_lead_from_solved_or_name_the_illegal_one() {
        let tiles = Tiles::<u64>::new(Goal::named(square(3), "blank-last").expect("a known goal"));
        let take = |text: &str| tiles.take_text(text, true, &InputFormat::default());
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
            ("snial", "there is no goal `snial`; did you mean `snail`?"),
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

    #[test]
    fn ten_megabytes_of_noise_are_refused_at_once() {
        let begun = std::time::Instant::now();
        let million = 10_000_000;
        for noise in ["x", "1", "1 ", "L", "/", "#", ",", "é", "LR", "1 2 3 4\n"] {
            let text = noise.repeat(million / noise.len());
            for (size, end) in [(square(4), true), (square(64), false)] {
                let form = InputFormat::default();
                match read(size, &text, end, &form) {
                    Err(why) => assert!(why.message().chars().count() < 300, "{noise}: {why}"),
                    Ok(read) => assert!(matches!(read, Text::Nothing | Text::Moves(_)), "{noise}"),
                }
            }
        }
        assert!(begun.elapsed().as_secs() < 10, "20 texts took {:?}", begun.elapsed());
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
            let _ = tiles.take_text(&text, end, &InputFormat::default());
            let _ = tiles.take_moves(&text);
            let _ = read_goal(size, &text);
        }

        #[test]
        fn likely_texts_too(text in "[0-9a-fUDLRudlr /,#\nx-]{0,60}", end: bool, side in 2usize..5, format in 0usize..8) {
            let size = square(side);
            let tiles = Tiles::<Box<[u16]>>::new(Goal::named(size, "blank-first").expect("a known goal"));
            let format = FORMATS.get(format).map(|format| format.name.to_owned());
            let _ = tiles.take_text(&text, end, &InputFormat { kind: None, format });
            let _ = tiles.take_moves(&text);
            let _ = read_goal(size, &text);
        }

        #[test]
        fn what_is_written_reads_back_the_same((size, board) in boards()) {
            for (format, text) in written(size, &board) {
                prop_assert_eq!(labels(size, &text), Ok(board.clone()), "{}: {}", format, text);
                let form = InputFormat { kind: Some(Kind::Position), format: Some(format.into()) };
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
            let Ok(Parsed::Position(read)) = tiles.take_text(&text, true, &InputFormat::default()) else {
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
                prop_assert_eq!(read_moves(square(3), &names.join(between)), Ok(moves.clone()));
            }
            prop_assert_eq!(read_moves(square(3), &names.join(" ").to_lowercase()), Ok(moves));
        }
    }
}
