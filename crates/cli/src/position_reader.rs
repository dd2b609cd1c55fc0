//! Reading positions: from the command line, a file or standard input, one or
//! many, each with the line it begins on.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use untumble_search::error::Diagnostic;
use untumble_search::frontend::{DynPuzzle, InputFormat, Parsed, Position};

use crate::encoding::Decoder;
use crate::exit::{CliError, Exit};
use crate::explain::explain;
use crate::output;
use untumble_session::figures;
use untumble_session::text::sanitize;

/// A text that holds positions.
pub(crate) struct Text {
    source: Source,
    bytes: Vec<u8>,
}

/// Where a text comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// The arguments.
    CommandLine,
    /// Standard input.
    StandardInput,
    /// A file.
    File(PathBuf),
}

/// A position, or why there is none.
pub(crate) struct Item {
    /// The line it begins on, from 1.
    pub(crate) line: usize,
    /// What it holds.
    pub(crate) found: Result<Position, BadPosition>,
}

/// A text that is no position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BadPosition {
    /// The text on one line, cut short and without control characters. Bytes keep their places, so that the
    /// span of the diagnostic is one of this text, too.
    pub(crate) text: String,
    /// What is wrong with it.
    pub(crate) diagnostic: Box<Diagnostic>,
    /// The same in the words of the command line.
    pub(crate) message: String,
}

impl BadPosition {
    /// Longer texts are cut short.
    const MOST_BYTES: usize = 4096;

    /// A text and what is wrong with it.
    pub(crate) fn new(text: &str, diagnostic: Box<Diagnostic>) -> BadPosition {
        let message = sanitize(&explain(&diagnostic));
        BadPosition { text: Self::sanitized(text), diagnostic, message }
    }

    fn sanitized(text: &str) -> String {
        let mut line = String::new();
        for c in text.trim_end().chars() {
            if line.len() + c.len_utf8() > Self::MOST_BYTES {
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
    ) -> Result<Text, CliError> {
        match (words, file) {
            (_, Some(file)) if file != Path::new("-") => Text::of_file(file),
            (_, Some(_)) | ([], None) => Text::of_standard_input(),
            ([word], None) if word == "-" => Text::of_standard_input(),
            ([word], None) if Path::new(word).is_file() && !reads(word) => Text::of_file(Path::new(word)),
            (words, None) => Ok(Text { source: Source::CommandLine, bytes: words.join(" ").into_bytes() }),
        }
    }

    fn of_file(path: &Path) -> Result<Text, CliError> {
        let source = Source::File(path.to_owned());
        let wrong = |error| CliError::usage(format!("{}: {error}", path.display()));
        Text::of_reader(source, File::open(path).map_err(wrong)?)
    }

    fn of_standard_input() -> Result<Text, CliError> {
        await_typing();
        Text::of_reader(Source::StandardInput, io::stdin().lock())
    }

    fn of_reader(source: Source, reader: impl Read) -> Result<Text, CliError> {
        let mut bytes = Vec::new();
        let wrong = |error| CliError::usage(format!("{}: {error}", source.name()));
        reader.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(wrong)?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(CliError::usage(format!(
                "{}: more than {} MiB of text; split it",
                source.name(),
                MOST_BYTES >> 20
            )));
        }
        Ok(Text { source, bytes: Decoder::default().decode(bytes, true) })
    }

    /// A text given byte by byte.
    #[cfg(test)]
    pub(crate) fn of_bytes(bytes: &[u8]) -> Text {
        Text { source: Source::StandardInput, bytes: Decoder::default().decode(bytes.to_vec(), true) }
    }

    /// The positions, in order.
    pub(crate) fn positions<'a>(&'a self, puzzle: &'a dyn DynPuzzle, form: &'a InputFormat) -> Positions<'a> {
        Positions {
            cutter: Cutter::new(puzzle, form),
            lines: Box::new(self.bytes.split(|&byte| byte == b'\n')),
            items: VecDeque::new(),
            ended: false,
        }
    }

    /// How a message about a line begins.
    pub(crate) fn place(&self, line: usize) -> String {
        match &self.source {
            Source::CommandLine if !self.bytes.contains(&b'\n') => String::new(),
            source => source.place(line),
        }
    }

    /// Where it comes from.
    #[cfg(feature = "report")]
    pub(crate) fn name(&self) -> String {
        self.source.name()
    }

    /// Why an empty text is no answer, with an example to copy.
    pub(crate) fn empty(&self, puzzle: &dyn DynPuzzle, name: &str, command: &str) -> CliError {
        let position = puzzle.text(&puzzle.scramble(&mut ChaCha8Rng::seed_from_u64(1), None));
        let example = if position.len() <= 80 {
            format!("untumble {command} {name} \"{position}\"")
        } else {
            format!("untumble scramble {name} | untumble {command} {name}")
        };
        CliError::Told {
            exit: Exit::Invalid,
            message: format!("{} holds no position; try: {example}", self.source.name()),
        }
    }
}

impl Source {
    /// What to call it.
    pub(crate) fn name(&self) -> String {
        match self {
            Source::CommandLine => "the position given".into(),
            Source::StandardInput => "standard input".into(),
            Source::File(path) => path.display().to_string(),
        }
    }

    /// How a message about one of its lines begins.
    pub(crate) fn place(&self, line: usize) -> String {
        match self {
            Source::CommandLine => format!("line {line}: "),
            Source::StandardInput => format!("standard input, line {line}: "),
            Source::File(path) => format!("{}:{line}: ", path.display()),
        }
    }
}

/// Tells whoever sits at a terminal that it is their turn.
pub(crate) fn await_typing() {
    if io::stdin().is_terminal() {
        let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
        output::note(&format!("waiting for positions on standard input; {end} ends them"));
    }
}

/// Cuts a text that comes line by line into positions: lines are handed to the puzzle until it has a
/// whole one or sees that there is none.
pub(crate) struct Cutter<'a> {
    puzzle: &'a dyn DynPuzzle,
    form: &'a InputFormat,
    /// The number of the last line read.
    line: usize,
    /// The lines of an unfinished position.
    pending: String,
    /// The numbers of those lines.
    numbers: Vec<usize>,
    /// The line on which it began.
    first: usize,
    /// Whether it holds what is no UTF-8.
    garbled: bool,
    /// How many bad positions there were since the last good one.
    bad: u64,
}

impl<'a> Cutter<'a> {
    /// Nothing read yet.
    pub(crate) fn new(puzzle: &'a dyn DynPuzzle, form: &'a InputFormat) -> Cutter<'a> {
        Cutter {
            puzzle,
            form,
            line: 0,
            pending: String::new(),
            numbers: Vec::new(),
            first: 0,
            garbled: false,
            bad: 0,
        }
    }

    /// Reads a line, without its end; what that completes is added to `items`.
    pub(crate) fn line(&mut self, bytes: &[u8], items: &mut VecDeque<Item>) {
        self.line += 1;
        let line = String::from_utf8_lossy(bytes.strip_suffix(b"\r").unwrap_or(bytes));
        if !self.pending.is_empty() && !self.go_on(&line, items) {
            return;
        }
        self.begin(&line, items);
    }

    /// Reads the first line of a position.
    fn begin(&mut self, line: &str, items: &mut VecDeque<Item>) {
        if line.trim().is_empty() {
            return;
        }
        self.first = self.line;
        self.garbled = false;
        match self.puzzle.parse(line, false, self.form) {
            Ok(Parsed::Nothing) => {}
            Ok(Parsed::More) => {
                self.garbled = is_garbled(line);
                self.pending.push_str(line);
                self.numbers = vec![self.line];
            }
            Ok(Parsed::Position(position)) => self.end(line, Ok(position), items),
            Ok(Parsed::Broken(why)) | Err(why) => {
                self.garbled = is_garbled(line);
                self.end(line, Err(why), items);
            }
        }
    }

    /// Reads a further line of a position; true where the line is still to be read, on its own.
    fn go_on(&mut self, line: &str, items: &mut VecDeque<Item>) -> bool {
        let before = self.pending.len();
        self.pending.push('\n');
        self.pending.push_str(line);
        self.numbers.push(self.line);
        match self.puzzle.parse(&self.pending, false, self.form) {
            Ok(Parsed::Nothing) => self.pending.clear(),
            Ok(Parsed::More) => {
                self.garbled |= is_garbled(line);
                if matches!(self.puzzle.parse(line, false, self.form), Ok(Parsed::Nothing)) {
                    // A million comments inside a position must not be read a million times.
                    self.pending.truncate(before);
                    self.numbers.pop();
                }
            }
            Ok(Parsed::Position(position)) => self.end("", Ok(position), items),
            Ok(Parsed::Broken(why)) => {
                self.pending.truncate(before);
                self.part(why, items);
                return true;
            }
            Err(why) => {
                self.garbled |= is_garbled(line);
                self.part(why, items);
            }
        }
        false
    }

    /// Takes lines apart that are no position together. Where the first is one by itself, or another is, they are read
    /// one by one; else all of them are one bad position.
    fn part(&mut self, why: Box<Diagnostic>, items: &mut VecDeque<Item>) {
        let text = std::mem::take(&mut self.pending);
        let lines: Vec<&str> = text.split('\n').collect();
        let whole = |line: &str| is_position(self.puzzle, self.form, line);
        let Some(place) = lines.iter().position(|line| whole(line)) else {
            return self.end(&text, Err(why), items);
        };
        let (numbers, last) = (std::mem::take(&mut self.numbers), self.line);
        if place > 0 {
            self.end(&lines[..place].join("\n"), Err(why), items);
        }
        for (&number, line) in numbers.iter().zip(&lines).skip(place) {
            (self.line, self.first) = (number, number);
            self.garbled = is_garbled(line);
            match self.puzzle.parse(line, true, self.form) {
                Ok(Parsed::Position(position)) => self.end(line, Ok(position), items),
                Ok(Parsed::Nothing) => {}
                Ok(Parsed::More) => self.end(line, Err(incomplete()), items),
                Ok(Parsed::Broken(why)) | Err(why) => self.end(line, Err(why), items),
            }
        }
        self.line = last;
    }

    /// Ends the text: reads what the last lines hold.
    pub(crate) fn finish(&mut self, items: &mut VecDeque<Item>) {
        if self.pending.is_empty() {
            return;
        }
        match self.puzzle.parse(&self.pending, true, self.form) {
            Ok(Parsed::Nothing) => self.pending.clear(),
            Ok(Parsed::Position(position)) => self.end("", Ok(position), items),
            Ok(Parsed::Broken(why)) | Err(why) => self.part(why, items),
            Ok(Parsed::More) => {
                let text = std::mem::take(&mut self.pending);
                self.end(&text, Err(incomplete()), items);
            }
        }
    }

    /// Refuses the line that comes next, without looking at it.
    pub(crate) fn refuse(&mut self, why: Diagnostic, items: &mut VecDeque<Item>) {
        self.line += 1;
        self.first = self.line;
        self.garbled = false;
        self.end("", Err(Box::new(why)), items);
    }

    /// Whether the rest of the text is not worth reading.
    pub(crate) fn given_up(&self) -> bool {
        self.bad > MOST_BAD_IN_A_ROW
    }

    fn end(&mut self, text: &str, found: Result<Position, Box<Diagnostic>>, items: &mut VecDeque<Item>) {
        self.pending.clear();
        if self.given_up() {
            return;
        }
        self.bad = if found.is_ok() { 0 } else { self.bad + 1 };
        let found = if self.given_up() {
            let count = figures::grouped(MOST_BAD_IN_A_ROW);
            let message = format!("after {count} bad positions in a row the rest was not read");
            Err(BadPosition::new(text, Box::new(Diagnostic::new("too-many-bad-positions", message))))
        } else {
            found.map_err(|mut diagnostic| {
                // The span of a line that does not go on with the position lies behind its end.
                diagnostic.span = diagnostic.span.filter(|span| span.end <= text.len());
                let mut bad = BadPosition::new(text, diagnostic);
                if self.garbled {
                    bad.message.push_str(" (the text is not UTF-8)");
                }
                bad
            })
        };
        items.push_back(Item { line: self.first, found });
    }
}

fn incomplete() -> Box<Diagnostic> {
    Box::new(Diagnostic::new("incomplete-position", "the position is not complete"))
}

fn is_garbled(line: &str) -> bool {
    line.contains(char::REPLACEMENT_CHARACTER)
}

/// The positions of a text, in order.
pub(crate) struct Positions<'a> {
    cutter: Cutter<'a>,
    lines: Box<dyn Iterator<Item = &'a [u8]> + 'a>,
    /// Cut and not yet asked for.
    items: VecDeque<Item>,
    ended: bool,
}

impl Iterator for Positions<'_> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        while self.items.is_empty() && !self.ended {
            match self.lines.next() {
                Some(line) if !self.cutter.given_up() => self.cutter.line(line, &mut self.items),
                _ => {
                    self.ended = true;
                    self.cutter.finish(&mut self.items);
                }
            }
        }
        self.items.pop_front()
    }
}

/// Whether a text is one whole position.
pub(crate) fn is_position(puzzle: &dyn DynPuzzle, form: &InputFormat, text: &str) -> bool {
    matches!(puzzle.parse(text, true, form), Ok(Parsed::Position(_)))
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
        let text = Text::of_bytes(bytes);
        let form = InputFormat::default();
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
    fn bad_positions_keep_their_text_and_their_span() {
        let puzzle = catalog::open("8-puzzle", &Settings::default()).expect("a known puzzle");
        let form = InputFormat::default();
        for (bytes, token) in [
            (&b"1 2 3 4 5 6 7 8 8\n"[..], Some("8")),
            (b"1 2 3\n4 x 6\n7 8 0\n", Some("x")),
            (b"3\r\n1 2 3\r\n4 5 6\r\n7 8 9\r\n", Some("9")),
            (b"1 2 3\n4 5 6\n", None),
            (b"1 2 3 4 \x1b[2J 6 7 8 0\n", Some("?[2J")),
        ] {
            let text = Text::of_bytes(bytes);
            let item = text.positions(&*puzzle, &form).next().expect("an item");
            let bad = item.found.err().expect("a bad position");
            assert!(!bad.text.contains(char::is_control), "{:?}", bad.text);
            let span = bad.diagnostic.span.clone();
            assert_eq!(span.map(|span| &bad.text[span]), token, "{bad:?}");
        }
        let long = BadPosition::new(&"é".repeat(10_000), Box::new(Diagnostic::new("x", "x")));
        assert_eq!(long.text.len(), 4096);
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
