//! Splits text into positions, line by line: lines are passed to the puzzle until they form a whole
//! position or an error. Each position carries the number of its first line.
//!
//! The puzzle answers each call with [`Parsed`]: nothing (only comments), more (a further line is needed), a
//! position, unfinished (the last line does not continue the incomplete position before it), or separate
//! (each line must be parsed by itself).

use std::collections::VecDeque;

use untumble_search::error::{Alternative, AlternativeKind, Diagnostic};
use untumble_search::frontend::{DynPuzzle, InputFormat, InputKind, Parsed, Position};

use untumble_session::number_format;
use untumble_session::text::sanitize;

use crate::explain::explain;
use crate::puzzle_set::ReaderPuzzles;

/// A position of the input, or the error in its text.
pub(crate) struct ParsedItem {
    /// The number of its first line, from 1.
    pub(crate) line: usize,
    /// The position or the error.
    pub(crate) result: Result<Position, InvalidPosition>,
    /// A warning about the text of a valid position.
    pub(crate) warning: Option<Box<Diagnostic>>,
}

/// A text that is not a position, or that is not moves where moves are expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct InvalidPosition {
    /// The text on one line, truncated and without control characters. Bytes keep their offsets, so that the
    /// span of the diagnostic applies to this text. A span beyond the truncated text is removed; a span
    /// across its end is shortened.
    pub(crate) text: String,
    /// The error.
    pub(crate) diagnostic: Box<Diagnostic>,
    /// The error as a message of the command line.
    pub(crate) message: String,
}

impl InvalidPosition {
    /// Longer texts are truncated.
    const MAX_BYTES: usize = 4096;

    /// A text and its error.
    pub(crate) fn new(text: &str, mut diagnostic: Box<Diagnostic>) -> InvalidPosition {
        let message = sanitize(&explain(&diagnostic));
        let text = Self::on_one_line(text);
        let end = text.len();
        diagnostic.span = match diagnostic.span {
            Some(span) if span.end > end => (span.start < end).then_some(span.start..end),
            other => other,
        };
        InvalidPosition { text, diagnostic, message }
    }

    fn on_one_line(text: &str) -> String {
        let mut line = String::new();
        for c in text.trim_end().chars() {
            if line.len() + c.len_utf8() > Self::MAX_BYTES {
                break;
            }
            match c {
                '\n' | '\t' | '\r' => line.push(' '),
                c if c.is_control() => line.extend(std::iter::repeat_n('?', c.len_utf8())),
                c => line.push(c),
            }
        }
        line
    }
}

/// Reading stops after this number of consecutive invalid positions.
const MAX_CONSECUTIVE_ERRORS: u64 = 100_000;

/// Splits a text that arrives line by line into positions.
pub(crate) struct PositionReader<'a> {
    puzzles: ReaderPuzzles<'a>,
    format: &'a InputFormat,
    /// The number of the last line read.
    line: usize,
    /// The lines read so far of a position that needs more lines.
    pending: String,
    /// The numbers of these lines.
    line_numbers: Vec<usize>,
    /// The number of the first line of the current position.
    first_line: usize,
    /// Whether the current position contains invalid UTF-8.
    invalid_utf8: bool,
    /// Invalid positions since the last valid one.
    consecutive_errors: u64,
}

impl<'a> PositionReader<'a> {
    /// A reader at the beginning of a text.
    pub(crate) fn new(puzzles: impl Into<ReaderPuzzles<'a>>, format: &'a InputFormat) -> PositionReader<'a> {
        PositionReader {
            puzzles: puzzles.into(),
            format,
            line: 0,
            pending: String::new(),
            line_numbers: Vec::new(),
            first_line: 0,
            invalid_utf8: false,
            consecutive_errors: 0,
        }
    }

    /// Reads a line without its newline; appends the positions that it completes to `items`.
    pub(crate) fn read_line(&mut self, bytes: &[u8], items: &mut VecDeque<ParsedItem>) {
        self.line += 1;
        let line = String::from_utf8_lossy(bytes.strip_suffix(b"\r").unwrap_or(bytes));
        if !self.pending.is_empty() && !self.continue_position(&line, items) {
            return;
        }
        self.begin_position(&line, items);
    }

    /// Reads the first line of a position.
    fn begin_position(&mut self, line: &str, items: &mut VecDeque<ParsedItem>) {
        if line.trim().is_empty() {
            return;
        }
        self.first_line = self.line;
        self.invalid_utf8 = false;
        let parsed = match self.puzzles.select(line) {
            Ok(true) => self.puzzles.puzzle().parse(line, false, self.format),
            Ok(false) => Ok(Parsed::Nothing),
            Err(why) => Err(why),
        };
        match parsed {
            Ok(Parsed::Nothing) => {}
            Ok(Parsed::More) => {
                self.invalid_utf8 = has_invalid_utf8(line);
                self.pending.push_str(line);
                self.line_numbers = vec![self.line];
            }
            Ok(Parsed::Position(position)) => self.end_position(line, Ok(position), items),
            Ok(Parsed::Unfinished(why) | Parsed::Separate(why)) | Err(why) => {
                self.invalid_utf8 = has_invalid_utf8(line);
                self.end_position(line, Err(why), items);
            }
        }
    }

    /// Reads a further line of a position. Returns true if the line begins a new position instead.
    fn continue_position(&mut self, line: &str, items: &mut VecDeque<ParsedItem>) -> bool {
        let length_before = self.pending.len();
        self.pending.push('\n');
        self.pending.push_str(line);
        self.line_numbers.push(self.line);
        match self.puzzles.puzzle().parse(&self.pending, false, self.format) {
            Ok(Parsed::Nothing) => self.pending.clear(),
            Ok(Parsed::More) => {
                self.invalid_utf8 |= has_invalid_utf8(line);
                if matches!(self.puzzles.puzzle().parse(line, false, self.format), Ok(Parsed::Nothing)) {
                    // The pending text is parsed again with every line. The number of its rows is limited,
                    // that of comments is not, so comments are dropped.
                    self.pending.truncate(length_before);
                    self.line_numbers.pop();
                }
            }
            Ok(Parsed::Position(position)) => self.end_position("", Ok(position), items),
            Ok(Parsed::Unfinished(why)) => {
                self.pending.truncate(length_before);
                self.reject_pending(why, items);
                return true;
            }
            Ok(Parsed::Separate(_)) => {
                self.pending.truncate(length_before);
                self.parse_separately(items);
                return true;
            }
            Err(why) => {
                self.invalid_utf8 |= has_invalid_utf8(line);
                self.reject_pending(why, items);
            }
        }
        false
    }

    /// Handles pending lines that do not form a position together. Searches for the first line that is a
    /// whole position by itself. The lines before it are one invalid position; that line and all after it are
    /// parsed one by one. Unless moves are requested, a line of moves does not count as a position, since a
    /// row of stickers such as `R U F` also reads as moves.
    fn reject_pending(&mut self, why: Box<Diagnostic>, items: &mut VecDeque<ParsedItem>) {
        let text = std::mem::take(&mut self.pending);
        let lines: Vec<&str> = text.split('\n').collect();
        let format = InputFormat {
            kind: self.format.kind.or(Some(InputKind::Position)),
            format: self.format.format.clone(),
        };
        let whole = lines.iter().position(|line| {
            self.puzzles.select(line).is_ok_and(|selected| selected)
                && is_position(self.puzzles.puzzle(), &format, line)
        });
        let Some(index) = whole else {
            return self.end_position(&text, Err(why), items);
        };
        let line_numbers = std::mem::take(&mut self.line_numbers);
        if index > 0 {
            self.end_position(&lines[..index].join("\n"), Err(why), items);
        }
        self.parse_lines(&line_numbers[index..], &lines[index..], items);
    }

    /// Parses each pending line by itself.
    fn parse_separately(&mut self, items: &mut VecDeque<ParsedItem>) {
        let text = std::mem::take(&mut self.pending);
        let lines: Vec<&str> = text.split('\n').collect();
        let line_numbers = std::mem::take(&mut self.line_numbers);
        self.parse_lines(&line_numbers, &lines, items);
    }

    /// Parses each of these lines by itself.
    fn parse_lines(&mut self, line_numbers: &[usize], lines: &[&str], items: &mut VecDeque<ParsedItem>) {
        let last_line = self.line;
        for (&number, line) in line_numbers.iter().zip(lines) {
            (self.line, self.first_line) = (number, number);
            self.invalid_utf8 = has_invalid_utf8(line);
            let parsed = match self.puzzles.select(line) {
                Ok(true) => self.puzzles.puzzle().parse(line, true, self.format),
                Ok(false) => Ok(Parsed::Nothing),
                Err(why) => Err(why),
            };
            match parsed {
                Ok(Parsed::Position(position)) => self.end_position(line, Ok(position), items),
                Ok(Parsed::Nothing) => {}
                Ok(Parsed::More) => self.end_position(line, Err(incomplete()), items),
                Ok(Parsed::Unfinished(why) | Parsed::Separate(why)) | Err(why) => {
                    self.end_position(line, Err(why), items);
                }
            }
        }
        self.line = last_line;
    }

    /// Ends the text: parses the pending lines.
    pub(crate) fn finish(&mut self, items: &mut VecDeque<ParsedItem>) {
        if self.pending.is_empty() {
            return;
        }
        match self.puzzles.puzzle().parse(&self.pending, true, self.format) {
            Ok(Parsed::Nothing) => self.pending.clear(),
            Ok(Parsed::Position(position)) => self.end_position("", Ok(position), items),
            Ok(Parsed::Unfinished(why)) | Err(why) => self.reject_pending(why, items),
            Ok(Parsed::Separate(_)) => self.parse_separately(items),
            Ok(Parsed::More) => {
                let text = std::mem::take(&mut self.pending);
                self.end_position(&text, Err(incomplete()), items);
            }
        }
    }

    /// Ends the pending position, then rejects the next line without parsing it.
    pub(crate) fn reject_line(&mut self, why: Diagnostic, items: &mut VecDeque<ParsedItem>) {
        self.finish(items);
        self.line += 1;
        self.first_line = self.line;
        self.invalid_utf8 = false;
        self.end_position("", Err(Box::new(why)), items);
    }

    /// Whether too many consecutive positions were invalid; the rest of the text is not read.
    pub(crate) fn too_many_errors(&self) -> bool {
        self.consecutive_errors > MAX_CONSECUTIVE_ERRORS
    }

    /// Names the puzzle of another size of which a text is a position, if there is one.
    fn suggest_size(&self, text: &str, diagnostic: &mut Diagnostic) {
        if diagnostic.alternatives.is_empty()
            && let Some(name) = self.puzzles.other_size(text, self.format)
        {
            diagnostic.alternatives.push(Alternative { kind: AlternativeKind::Puzzle, value: name });
        }
    }

    fn end_position(
        &mut self,
        text: &str,
        found: Result<Position, Box<Diagnostic>>,
        items: &mut VecDeque<ParsedItem>,
    ) {
        let whole = if text.is_empty() { &self.pending } else { text };
        let warning = match &found {
            Ok(_) => self.puzzles.puzzle().input_warning(whole, self.format),
            Err(_) => None,
        };
        self.pending.clear();
        if self.too_many_errors() {
            return;
        }
        self.consecutive_errors = if found.is_ok() { 0 } else { self.consecutive_errors + 1 };
        let result = if self.too_many_errors() {
            let count = number_format::grouped(MAX_CONSECUTIVE_ERRORS);
            let message = format!("stopped reading after {count} consecutive invalid positions");
            Err(InvalidPosition::new(text, Box::new(Diagnostic::new("too-many-bad-positions", message))))
        } else {
            found.map_err(|mut diagnostic| {
                self.suggest_size(text, &mut diagnostic);
                // The error may lie in a later line, which is not part of `text`.
                diagnostic.span = diagnostic.span.filter(|span| span.end <= text.len());
                let mut invalid = InvalidPosition::new(text, diagnostic);
                if self.invalid_utf8 {
                    invalid.message.push_str(" (the text is not UTF-8)");
                }
                invalid
            })
        };
        items.push_back(ParsedItem { line: self.first_line, result, warning });
    }
}

fn incomplete() -> Box<Diagnostic> {
    Box::new(Diagnostic::new("incomplete-position", "the position is incomplete"))
}

fn has_invalid_utf8(line: &str) -> bool {
    line.contains(char::REPLACEMENT_CHARACTER)
}

/// Whether a text is one whole position.
pub(crate) fn is_position(puzzle: &dyn DynPuzzle, format: &InputFormat, text: &str) -> bool {
    matches!(puzzle.parse(text, true, format), Ok(Parsed::Position(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input_text::InputText;
    use proptest::prelude::*;
    use untumble_puzzles::catalog::{self, PuzzleSettings};

    /// The first line of every position, with the position or `None`.
    fn positions(bytes: &[u8]) -> Vec<(usize, Option<String>)> {
        let puzzle = catalog::open("8-puzzle", &PuzzleSettings::default()).expect("a known puzzle");
        let text = InputText::from_bytes(bytes);
        let format = InputFormat::default();
        let items = text.positions(&*puzzle, &format);
        items.map(|item| (item.line, item.result.ok().map(|position| puzzle.text(&position)))).collect()
    }

    const SOLVED: &str = "1 2 3 4 5 6 7 8 0";

    fn solved(line: usize) -> (usize, Option<String>) {
        (line, Some(SOLVED.into()))
    }

    #[test]
    fn a_position_has_the_number_of_its_first_line() {
        assert_eq!(positions(b""), []);
        assert_eq!(positions(b"\n# nothing\n\n"), []);
        assert_eq!(positions(SOLVED.as_bytes()), [solved(1)]);
        assert_eq!(
            positions(b"# a board\n1 2 3\n4 5 6\n7 8 0\n\n3\n1 2 3\n4 5 6\n7 8 0"),
            [solved(2), solved(6)]
        );
        assert_eq!(positions(b"1 2 3\r\n# between\r\n\r\n4 5 6\r\n7 8 0\r\n"), [solved(1)]);
    }

    #[test]
    fn an_unfinished_board_does_not_swallow_the_next() {
        let text = format!("1 2 3\n4 5 6\n{SOLVED}\nx\n1 2 3\n4 5 6\n");
        assert_eq!(positions(text.as_bytes()), [(1, None), solved(3), (4, None), (5, None)]);
    }

    #[test]
    fn an_invalid_position_keeps_its_text_and_span() {
        let puzzle = catalog::open("8-puzzle", &PuzzleSettings::default()).expect("a known puzzle");
        let format = InputFormat::default();
        for (bytes, token) in [
            (&b"1 2 3 4 5 6 7 8 8\n"[..], Some("8")),
            (b"1 2 3\n4 x 6\n7 8 0\n", Some("x")),
            (b"3\r\n1 2 3\r\n4 5 6\r\n7 8 9\r\n", Some("9")),
            (b"1 2 3\n4 5 6\n", None),
            (b"1 2 3 4 \x1b[2J 6 7 8 0\n", Some("?[2J")),
        ] {
            let text = InputText::from_bytes(bytes);
            let item = text.positions(&*puzzle, &format).next().expect("an item");
            let invalid = item.result.err().expect("an invalid position");
            assert!(!invalid.text.contains(char::is_control), "{:?}", invalid.text);
            let span = invalid.diagnostic.span.clone();
            assert_eq!(span.map(|span| &invalid.text[span]), token, "{invalid:?}");
        }
        let long = InvalidPosition::new(&"é".repeat(10_000), Box::new(Diagnostic::new("x", "x")));
        assert_eq!(long.text.len(), 4096);
        let span_of = |span| {
            let why = Box::new(Diagnostic::new("x", "x").at(Some(span)));
            InvalidPosition::new(&"é".repeat(10_000), why).diagnostic.span
        };
        assert_eq!(
            [4094..4096, 4094..9000, 4096..4098, 9000..9002].map(span_of),
            [Some(4094..4096), Some(4094..4096), None, None]
        );
    }

    #[test]
    fn reading_stops_after_many_consecutive_errors() {
        let items = positions(&b"x\n".repeat(MAX_CONSECUTIVE_ERRORS as usize * 2));
        assert_eq!(items.len() as u64, MAX_CONSECUTIVE_ERRORS + 1);
    }

    proptest! {
        #[test]
        fn any_bytes_give_positions_in_line_order(
            bytes in prop::collection::vec(
                prop_oneof![any::<u8>(), Just(b'\n'), b'0'..b':', Just(b' ')],
                0..200,
            )
        ) {
            let lines: Vec<usize> = positions(&bytes).into_iter().map(|(line, _)| line).collect();
            prop_assert!(lines.is_sorted_by(|a, b| a < b), "{lines:?}");
            prop_assert!(lines.iter().all(|&line| (1..=201).contains(&line)));
        }
    }
}
