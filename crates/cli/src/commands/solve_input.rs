//! The positions of `solve`: of a text that is read at once, or of standard input as they arrive.

use std::time::Duration;
use std::vec;

use untumble_search::frontend::{DynPuzzle, InputFormat};

use crate::batch::StopFlag;
use crate::batch::input::Input;
use crate::cli::Solve;
use crate::exit::CliError;
use crate::input_text::InputText;
use crate::position_reader::ParsedItem;
use crate::puzzle_input;
use crate::puzzle_set::PuzzleSet;

/// The number of positions that are read from standard input before `auto` chooses a solver, and the longest
/// time to wait for them.
const LOOK_AHEAD: usize = 1000;
const LOOK_AHEAD_TIME: Duration = Duration::from_millis(200);

/// The positions of the input.
pub(super) enum Items<'a> {
    /// All positions of a text.
    Text { text: InputText, items: vec::IntoIter<ParsedItem> },
    /// The positions of standard input as they arrive.
    Stream { input: Box<Input<'a>>, stop_flag: &'a StopFlag },
}

impl<'a> Items<'a> {
    /// Opens the input. Returns the positions and the number of valid ones; if a pipe has not ended, at
    /// least 2.
    pub(super) fn open(
        arguments: &Solve,
        puzzles: &'a PuzzleSet,
        format: &'a InputFormat,
        stop_flag: &'a StopFlag,
    ) -> Result<(Items<'a>, usize), CliError> {
        let (words, file) = (&arguments.input.position, arguments.input.file.as_deref());
        if InputText::is_standard_input(words, file) && arguments.checkpoint.is_none() {
            let mut input = Input::open_stream(puzzles, format)?;
            let ended = input.remaining_within(LOOK_AHEAD, LOOK_AHEAD_TIME, stop_flag).is_some();
            let count = if ended { input.valid_ahead() } else { input.valid_ahead().max(2) };
            return Ok((Items::Stream { input: Box::new(input), stop_flag }, count));
        }
        let text = puzzle_input::read_input(&**puzzles.example(), format, &arguments.input)?;
        // Several positions with a checkpoint are an error; two items suffice to detect it.
        let max_items = if arguments.checkpoint.is_some() { 2 } else { usize::MAX };
        let items: Vec<ParsedItem> = text.positions(puzzles, format).take(max_items).collect();
        let count = items.iter().filter(|item| item.result.is_ok()).count();
        Ok((Items::Text { text, items: items.into_iter() }, count))
    }

    /// The next position.
    pub(super) fn next(&mut self) -> Option<ParsedItem> {
        match self {
            Items::Text { items, .. } => items.next(),
            Items::Stream { input, stop_flag } => input.next(stop_flag),
        }
    }

    /// The number of positions that are known but not yet answered.
    pub(super) fn known_positions(&self) -> usize {
        match self {
            Items::Text { items, .. } => items.len(),
            Items::Stream { input, .. } => input.parsed_ahead(),
        }
    }

    /// The prefix of a message about a line.
    pub(super) fn location(&self, line: usize) -> String {
        match self {
            Items::Text { text, .. } => text.location(line),
            Items::Stream { input, .. } => input.source.location(line),
        }
    }

    /// Whether a position without solution prints an empty line, so that lines of the output belong to
    /// positions of the input.
    pub(super) fn prints_every_line(&self) -> bool {
        match self {
            Items::Text { text, .. } => !text.is_command_line(),
            Items::Stream { .. } => true,
        }
    }

    /// The error that ended reading before the end of the input.
    pub(super) fn read_error(&mut self) -> Option<CliError> {
        match self {
            Items::Text { .. } => None,
            Items::Stream { input, .. } => input.read_error(),
        }
    }

    /// The error of an input without positions.
    pub(super) fn no_position(&self, puzzle: &dyn DynPuzzle, name: &str) -> CliError {
        match self {
            Items::Text { text, .. } => text.no_position(puzzle, name, "solve"),
            Items::Stream { input, .. } => input.source.no_position(puzzle, name, "solve"),
        }
    }
}

/// The place of a position in the input.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) line: usize,
    pub(super) items: &'a Items<'a>,
}
