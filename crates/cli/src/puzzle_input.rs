//! From arguments to the puzzle, the input format and the text with the positions.

use std::sync::Arc;

use untumble_puzzles::catalog::{self, PuzzleSettings};
use untumble_search::frontend::{DynPuzzle, InputFormat, InputKind};

use crate::cli;
use crate::exit::CliError;
use crate::explain::did_you_mean;
use crate::input_text::InputText;
use crate::position_reader::is_position;

/// Opens the puzzle that the arguments name.
pub(crate) fn open_puzzle(arguments: &cli::Puzzle) -> Result<Arc<dyn DynPuzzle>, CliError> {
    let name = &arguments.name;
    if looks_like_a_position(name) {
        let known = catalog::families().iter().flat_map(|family| family.aliases);
        let puzzle = known.copied().find(|alias| is_position_of(alias, name)).unwrap_or("PUZZLE");
        return Err(CliError::usage(format!(
            "`{}` looks like a position; the puzzle comes first, as in `untumble solve {puzzle} …` \
             (`untumble list puzzles`)",
            truncated(name),
        )));
    }
    let settings = PuzzleSettings { goal: arguments.goal.clone(), metric: arguments.metric.clone() };
    Ok(Arc::from(catalog::open(name, &settings)?))
}

/// Whether `name` is a number or several words. No puzzle has such a name, so the user forgot the puzzle.
fn looks_like_a_position(name: &str) -> bool {
    let name = name.trim();
    name.contains(char::is_whitespace) || (!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a text is a position of the puzzle with this name.
fn is_position_of(puzzle: &str, text: &str) -> bool {
    catalog::open(puzzle, &PuzzleSettings::default())
        .is_ok_and(|puzzle| is_position(&*puzzle, &InputFormat::default(), text))
}

/// The first 40 characters of a text, for messages.
fn truncated(text: &str) -> String {
    const MAX_CHARS: usize = 40;
    let mut short: String = text.chars().take(MAX_CHARS).collect();
    if text.chars().nth(MAX_CHARS).is_some() {
        short.push('…');
    }
    short
}

/// The input format that the arguments choose.
pub(crate) fn input_format(
    puzzle: &dyn DynPuzzle,
    input: &cli::InputFormatArgs,
) -> Result<InputFormat, CliError> {
    if let Some(format) = &input.format_in {
        let contradicts = match input.kind {
            Some(InputKind::Position) => format == "moves",
            Some(InputKind::Moves) => format != "moves",
            None => false,
        };
        if contradicts {
            return Err(CliError::usage(format!(
                "--as and --format-in {format} contradict each other; leave out one of them"
            )));
        }
        let formats = puzzle.formats();
        if !formats.iter().any(|known| known.name == format) {
            let names: Vec<&str> = formats.iter().map(|known| known.name).collect();
            let suggestion = did_you_mean(format, names.iter().copied());
            return Err(CliError::usage(format!(
                "{} has no format `{format}`{suggestion} (formats: {})",
                puzzle.title(),
                names.join(", ")
            )));
        }
    }
    Ok(InputFormat { kind: input.kind, format: input.format_in.clone() })
}

/// Reads the text that holds the positions.
pub(crate) fn read_input(
    puzzle: &dyn DynPuzzle,
    format: &InputFormat,
    input: &cli::Input,
) -> Result<InputText, CliError> {
    let is_position = |word: &str| is_position(puzzle, format, word);
    InputText::read(&input.position, input.file.as_deref(), is_position)
}
