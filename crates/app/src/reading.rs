//! Reading positions: from the command line, a file or standard input, one or
//! many, each with the line it begins on.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use untumble_search::catalogued::{AnyPuzzle, Form, Position, Taken};
use untumble_search::trouble::Invalid;

use crate::exit::{Exit, Failure};
use crate::figures;
use crate::output;

/// A text that holds positions.
pub(crate) struct Text {
    source: Source,
    bytes: Vec<u8>,
}

/// Where a text comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Source {
    CommandLine,
    StandardInput,
    File(PathBuf),
}

/// A position, or why there is none.
pub(crate) struct Item {
    /// The line it begins on, from 1.
    pub(crate) line: usize,
    /// What it holds.
    pub(crate) found: Result<Position, String>,
}

/// Nobody types or collects more than this; a device that never ends does.
const MOST_BYTES: u64 = 1 << 28;
/// A text that goes on like this holds no positions.
const MOST_BAD_IN_A_ROW: u64 = 100_000;

impl Text {
    /// The text given as words, or in `file`, or else on standard input. A
    /// single word that `reads` refuses and that names a file stands for the file.
    pub(crate) fn obtain(
        words: &[String],
        file: Option<&Path>,
        reads: impl FnOnce(&str) -> bool,
    ) -> Result<Text, Failure> {
        match (words, file) {
            (_, Some(file)) if file != Path::new("-") => Text::of_file(file),
            (_, Some(_)) | ([], None) => Text::of_standard_input(),
            ([word], None) if word == "-" => Text::of_standard_input(),
            ([word], None) if Path::new(word).is_file() && !reads(word) => Text::of_file(Path::new(word)),
            (words, None) => Ok(Text { source: Source::CommandLine, bytes: words.join(" ").into_bytes() }),
        }
    }

    fn of_file(path: &Path) -> Result<Text, Failure> {
        let source = Source::File(path.to_owned());
        let wrong = |error| Failure::usage(format!("{}: {error}", path.display()));
        Text::of_reader(source, File::open(path).map_err(wrong)?)
    }

    fn of_standard_input() -> Result<Text, Failure> {
        let input = io::stdin();
        if input.is_terminal() {
            let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
            output::note(&format!("waiting for positions on standard input; {end} ends them"));
        }
        Text::of_reader(Source::StandardInput, input.lock())
    }

    fn of_reader(source: Source, reader: impl Read) -> Result<Text, Failure> {
        let mut bytes = Vec::new();
        let wrong = |error| Failure::usage(format!("{}: {error}", source.name()));
        reader.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(wrong)?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(Failure::usage(format!(
                "{}: more than {} MiB of text; split it",
                source.name(),
                MOST_BYTES >> 20
            )));
        }
        Ok(Text { source, bytes: in_utf8(bytes) })
    }

    /// The positions, in order.
    pub(crate) fn positions<'a>(&'a self, puzzle: &'a dyn AnyPuzzle, form: &'a Form) -> Positions<'a> {
        Positions {
            puzzle,
            form,
            lines: Box::new(self.bytes.split(|&byte| byte == b'\n')),
            line: 0,
            pending: String::new(),
            first: 0,
            garbled: false,
            again: None,
            bad: 0,
        }
    }

    /// How a message about a line begins.
    pub(crate) fn place(&self, line: usize) -> String {
        match &self.source {
            Source::CommandLine if !self.bytes.contains(&b'\n') => String::new(),
            Source::CommandLine => format!("line {line}: "),
            Source::StandardInput => format!("standard input, line {line}: "),
            Source::File(path) => format!("{}:{line}: ", path.display()),
        }
    }

    /// Why an empty text is no answer, with an example to copy.
    pub(crate) fn empty(&self, puzzle: &dyn AnyPuzzle, name: &str, command: &str) -> Failure {
        let position = puzzle.text(&puzzle.scramble(&mut ChaCha8Rng::seed_from_u64(1), None));
        let example = if position.len() <= 80 {
            format!("untumble {command} {name} \"{position}\"")
        } else {
            format!("untumble scramble {name} | untumble {command} {name}")
        };
        Failure::Told {
            exit: Exit::Invalid,
            message: format!("{} holds no position; try: {example}", self.source.name()),
        }
    }
}

impl Source {
    fn name(&self) -> String {
        match self {
            Source::CommandLine => "the position given".into(),
            Source::StandardInput => "standard input".into(),
            Source::File(path) => path.display().to_string(),
        }
    }
}

/// Takes off what Windows puts on: a byte order mark, or UTF-16 altogether.
fn in_utf8(bytes: Vec<u8>) -> Vec<u8> {
    let units = |unit: fn([u8; 2]) -> u16| {
        bytes[2..].chunks_exact(2).map(move |pair| unit([pair[0], pair[1]])).collect::<Vec<u16>>()
    };
    match bytes.as_slice() {
        [0xFF, 0xFE, ..] => String::from_utf16_lossy(&units(u16::from_le_bytes)).into_bytes(),
        [0xFE, 0xFF, ..] => String::from_utf16_lossy(&units(u16::from_be_bytes)).into_bytes(),
        [0xEF, 0xBB, 0xBF, rest @ ..] => rest.to_vec(),
        _ => bytes,
    }
}

/// Cuts a text into positions: lines are handed to the puzzle until it has a
/// whole one or sees that there is none.
pub(crate) struct Positions<'a> {
    puzzle: &'a dyn AnyPuzzle,
    form: &'a Form,
    lines: Box<dyn Iterator<Item = &'a [u8]> + 'a>,
    /// The number of the last line read.
    line: usize,
    /// The lines of an unfinished position.
    pending: String,
    /// The line on which it began.
    first: usize,
    /// Whether it holds what is no UTF-8.
    garbled: bool,
    /// A line to be read again, on its own.
    again: Option<Cow<'a, str>>,
    /// How many bad positions there were since the last good one.
    bad: u64,
}

impl<'a> Positions<'a> {
    fn next_line(&mut self) -> Option<Cow<'a, str>> {
        if let Some(line) = self.again.take() {
            return Some(line);
        }
        let bytes = self.lines.next()?;
        self.line += 1;
        Some(String::from_utf8_lossy(bytes.strip_suffix(b"\r").unwrap_or(bytes)))
    }

    /// Adds a line to those pending; an item where that ends a position.
    fn feed(&mut self, line: Cow<'a, str>) -> Option<Item> {
        if self.pending.is_empty() {
            if line.trim().is_empty() {
                return None;
            }
            self.first = self.line;
            self.garbled = false;
        } else {
            self.pending.push('\n');
        }
        let before = self.pending.len();
        self.pending.push_str(&line);
        match self.puzzle.take(&self.pending, false, self.form) {
            Ok(Taken::Nothing) => {
                self.pending.clear();
                None
            }
            Ok(Taken::More) => {
                self.garbled |= is_garbled(&line);
                if before > 0 && matches!(self.puzzle.take(&line, false, self.form), Ok(Taken::Nothing)) {
                    // A million comments inside a position must not be read a million times.
                    self.pending.truncate(before - 1);
                }
                None
            }
            Ok(Taken::Broken(why)) if before > 0 => {
                let item = self.end(Err(why));
                self.again = Some(line);
                Some(item)
            }
            Ok(Taken::Position(position)) => Some(self.end(Ok(position))),
            Ok(Taken::Broken(why)) | Err(why) => {
                self.garbled |= is_garbled(&line);
                Some(self.end(Err(why)))
            }
        }
    }

    fn end(&mut self, found: Result<Position, Invalid>) -> Item {
        self.pending.clear();
        let garbled = if self.garbled { " (the text is not UTF-8)" } else { "" };
        Item { line: self.first, found: found.map_err(|why| output::tame(&why.0) + garbled) }
    }

    /// What the last lines hold.
    fn finish(&mut self) -> Option<Item> {
        if self.pending.is_empty() {
            return None;
        }
        match self.puzzle.take(&self.pending, true, self.form) {
            Ok(Taken::Nothing) => {
                self.pending.clear();
                None
            }
            Ok(Taken::Position(position)) => Some(self.end(Ok(position))),
            Ok(Taken::Broken(why)) | Err(why) => Some(self.end(Err(why))),
            Ok(Taken::More) => Some(self.end(Err(Invalid("the position is not complete".into())))),
        }
    }
}

fn hopeless(line: usize) -> Item {
    let count = figures::grouped(MOST_BAD_IN_A_ROW);
    Item { line, found: Err(format!("after {count} bad positions in a row the rest was not read")) }
}

fn is_garbled(line: &str) -> bool {
    line.contains(char::REPLACEMENT_CHARACTER)
}

impl Iterator for Positions<'_> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        if self.bad > MOST_BAD_IN_A_ROW {
            return None;
        }
        while let Some(line) = self.next_line() {
            if let Some(item) = self.feed(line) {
                self.bad = if item.found.is_ok() { 0 } else { self.bad + 1 };
                return Some(if self.bad > MOST_BAD_IN_A_ROW { hopeless(item.line) } else { item });
            }
        }
        self.finish()
    }
}

/// Whether a text is one whole position.
pub(crate) fn is_position(puzzle: &dyn AnyPuzzle, form: &Form, text: &str) -> bool {
    matches!(puzzle.take(text, true, form), Ok(Taken::Position(_)))
}

/// Messages about bad positions: the first few are told, the rest counted.
#[derive(Default)]
pub(crate) struct Complaints {
    count: u64,
}

impl Complaints {
    const TOLD: u64 = 20;

    /// Tells or counts one.
    pub(crate) fn add(&mut self, message: &str) {
        self.count += 1;
        if self.count <= Self::TOLD {
            output::error(message);
        }
    }
}

impl Drop for Complaints {
    fn drop(&mut self) {
        if self.count > Self::TOLD {
            output::error(&format!("… and {} more", figures::grouped(self.count - Self::TOLD)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use untumble_puzzles::catalog::{self, Settings};

    /// The lines on which positions begin, with the position or `None`.
    fn cut(bytes: &[u8]) -> Vec<(usize, Option<String>)> {
        let puzzle = catalog::open("8-puzzle", &Settings::default()).expect("a known puzzle");
        let text = Text { source: Source::StandardInput, bytes: in_utf8(bytes.to_vec()) };
        let form = Form::default();
        let items = text.positions(&*puzzle, &form);
        items.map(|item| (item.line, item.found.ok().map(|position| puzzle.text(&position)))).collect()
    }

    const SOLVED: &str = "1 2 3 4 5 6 7 8 0";

    fn solved(line: usize) -> (usize, Option<String>) {
        (line, Some(SOLVED.into()))
    }

    #[test]
    fn positions_know_the_line_they_begin_on() {
        assert_eq!(cut(b""), []);
        assert_eq!(cut(b"\n# nothing\n\n"), []);
        assert_eq!(cut(SOLVED.as_bytes()), [solved(1)]);
        assert_eq!(cut(b"# a board\n1 2 3\n4 5 6\n7 8 0\n\n3\n1 2 3\n4 5 6\n7 8 0"), [solved(2), solved(6)]);
        assert_eq!(cut(b"1 2 3\r\n# between\r\n\r\n4 5 6\r\n7 8 0\r\n"), [solved(1)]);
    }

    #[test]
    fn a_broken_board_does_not_swallow_the_next() {
        let text = format!("1 2 3\n4 5 6\n{SOLVED}\nx\n1 2 3\n4 5 6\n");
        assert_eq!(cut(text.as_bytes()), [(1, None), solved(3), (4, None), (5, None)]);
    }

    #[test]
    fn noise_without_end_is_given_up() {
        let items = cut(&b"x\n".repeat(MOST_BAD_IN_A_ROW as usize * 2));
        assert_eq!(items.len() as u64, MOST_BAD_IN_A_ROW + 1);
    }

    proptest! {
        #[test]
        fn any_bytes_are_cut_in_order(bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'\n'), b'0'..b':', Just(b' ')], 0..200)) {
            let lines: Vec<usize> = cut(&bytes).into_iter().map(|(line, _)| line).collect();
            prop_assert!(lines.is_sorted_by(|a, b| a < b), "{lines:?}");
            prop_assert!(lines.iter().all(|&line| (1..=201).contains(&line)));
        }
    }
}
