//! The text that holds positions: from the command line, a file or standard input.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use untumble_search::frontend::{DynPuzzle, InputFormat};

use crate::encoding::Decoder;
use crate::exit::{CliError, Exit};
use crate::output;
use crate::position_reader::{ParsedItem, PositionReader};
use crate::puzzle_set::ReaderPuzzles;

/// A text that holds positions, in UTF-8 as far as the input is valid.
pub(crate) struct InputText {
    source: InputSource,
    bytes: Vec<u8>,
}

/// The source of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum InputSource {
    /// The arguments.
    CommandLine,
    /// Standard input.
    StandardInput,
    /// A file.
    File(PathBuf),
}

/// The largest text that is read at once: a device may never end.
const MAX_BYTES: u64 = 1 << 28;

impl InputText {
    /// Reads the text from `words`, or from `file`, or else from standard input. A single word that names a
    /// file stands for the file, unless `is_position` accepts the word.
    pub(crate) fn read(
        words: &[String],
        file: Option<&Path>,
        is_position: impl FnOnce(&str) -> bool,
    ) -> Result<InputText, CliError> {
        match (words, file) {
            (_, Some(file)) if file != Path::new("-") => InputText::from_file(file),
            (_, Some(_)) | ([], None) => InputText::from_standard_input(),
            ([word], None) if word == "-" => InputText::from_standard_input(),
            ([word], None) if Path::new(word).is_file() && !is_position(word) => {
                InputText::from_file(Path::new(word))
            }
            (words, None) => {
                Ok(InputText { source: InputSource::CommandLine, bytes: words.join(" ").into_bytes() })
            }
        }
    }

    /// Whether [`InputText::read`] with these arguments reads standard input.
    pub(crate) fn is_standard_input(words: &[String], file: Option<&Path>) -> bool {
        match (words, file) {
            (_, Some(file)) => file == Path::new("-"),
            ([], None) => true,
            ([word], None) => word == "-",
            _ => false,
        }
    }

    fn from_file(path: &Path) -> Result<InputText, CliError> {
        let source = InputSource::File(path.to_owned());
        let unreadable = |error| CliError::usage(format!("{}: {error}", path.display()));
        InputText::from_reader(source, File::open(path).map_err(unreadable)?)
    }

    fn from_standard_input() -> Result<InputText, CliError> {
        prompt_on_terminal();
        InputText::from_reader(InputSource::StandardInput, io::stdin().lock())
    }

    fn from_reader(source: InputSource, reader: impl Read) -> Result<InputText, CliError> {
        let mut bytes = Vec::new();
        let unreadable = |error| CliError::usage(format!("{}: {error}", source.name()));
        reader.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() as u64 > MAX_BYTES {
            let (name, mebibytes) = (source.name(), MAX_BYTES >> 20);
            return Err(CliError::usage(format!("{name}: more than {mebibytes} MiB of text; split it")));
        }
        Ok(InputText { source, bytes: Decoder::default().decode(bytes, true) })
    }

    /// A text for tests.
    #[cfg(test)]
    pub(crate) fn from_bytes(bytes: &[u8]) -> InputText {
        let bytes = Decoder::default().decode(bytes.to_vec(), true);
        InputText { source: InputSource::StandardInput, bytes }
    }

    /// The positions, in order.
    pub(crate) fn positions<'a>(
        &'a self,
        puzzles: impl Into<ReaderPuzzles<'a>>,
        format: &'a InputFormat,
    ) -> Positions<'a> {
        Positions {
            reader: PositionReader::new(puzzles, format),
            lines: Box::new(self.bytes.split(|&byte| byte == b'\n')),
            items: VecDeque::new(),
            ended: false,
        }
    }

    /// The prefix of a message about a line; empty for a single line of the command line.
    pub(crate) fn location(&self, line: usize) -> String {
        match &self.source {
            InputSource::CommandLine if !self.bytes.contains(&b'\n') => String::new(),
            source => source.location(line),
        }
    }

    /// The name of the source.
    #[cfg(feature = "report")]
    pub(crate) fn name(&self) -> String {
        self.source.name()
    }

    /// See [`InputSource::no_position`].
    pub(crate) fn no_position(&self, puzzle: &dyn DynPuzzle, name: &str, command: &str) -> CliError {
        self.source.no_position(puzzle, name, command)
    }

    /// Whether the text comes from the arguments.
    pub(crate) fn is_command_line(&self) -> bool {
        self.source == InputSource::CommandLine
    }
}

impl InputSource {
    /// The error of a text without positions, with an example command.
    pub(crate) fn no_position(&self, puzzle: &dyn DynPuzzle, name: &str, command: &str) -> CliError {
        let position = puzzle.text(&puzzle.scramble(&mut ChaCha8Rng::seed_from_u64(1), None));
        let example = if position.len() <= 80 {
            format!("untumble {command} {name} \"{position}\"")
        } else {
            format!("untumble scramble {name} | untumble {command} {name}")
        };
        let message = format!("{} holds no position; example: {example}", self.name());
        CliError::Failed { exit: Exit::Invalid, message }
    }

    /// The name in messages.
    pub(crate) fn name(&self) -> String {
        match self {
            InputSource::CommandLine => "the command line".into(),
            InputSource::StandardInput => "standard input".into(),
            InputSource::File(path) => path.display().to_string(),
        }
    }

    /// The prefix of a message about one of its lines.
    pub(crate) fn location(&self, line: usize) -> String {
        match self {
            InputSource::CommandLine => format!("line {line}: "),
            InputSource::StandardInput => format!("standard input, line {line}: "),
            InputSource::File(path) => format!("{}:{line}: ", path.display()),
        }
    }
}

/// Prints a prompt if standard input is a terminal.
pub(crate) fn prompt_on_terminal() {
    if io::stdin().is_terminal() {
        let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
        output::note(&format!("reading positions from standard input; {end} ends the input"));
    }
}

/// The positions of a text, in order.
pub(crate) struct Positions<'a> {
    reader: PositionReader<'a>,
    lines: Box<dyn Iterator<Item = &'a [u8]> + 'a>,
    /// Positions parsed but not yet returned.
    items: VecDeque<ParsedItem>,
    ended: bool,
}

impl Iterator for Positions<'_> {
    type Item = ParsedItem;

    fn next(&mut self) -> Option<ParsedItem> {
        while self.items.is_empty() && !self.ended {
            match self.lines.next() {
                Some(line) if !self.reader.too_many_errors() => self.reader.read_line(line, &mut self.items),
                _ => {
                    self.ended = true;
                    self.reader.finish(&mut self.items);
                }
            }
        }
        self.items.pop_front()
    }
}
