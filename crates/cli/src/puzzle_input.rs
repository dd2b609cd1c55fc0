//! From the words of the command line to the puzzle and its positions.

use std::sync::Arc;

use untumble_puzzles::catalog::{self, Settings};
use untumble_search::frontend::{DynPuzzle, InputFormat, InputKind};

use crate::cli;
use crate::exit::CliError;
use crate::explain::did_you_mean;
use crate::reading::{self, Text};

/// The puzzle named.
pub(crate) fn puzzle(arguments: &cli::Puzzle) -> Result<Arc<dyn DynPuzzle>, CliError> {
    let name = &arguments.name;
    if looks_like_a_position(name) {
        let known = catalog::families().iter().flat_map(|family| family.aliases);
        let fits = known.copied().find(|alias| reads(alias, name)).unwrap_or("PUZZLE");
        return Err(CliError::usage(format!(
            "`{}` looks like a position; the puzzle comes first, as in `untumble solve {fits} …` (`untumble list puzzles`)",
            shortened(name),
        )));
    }
    let settings = Settings { goal: arguments.goal.clone(), metric: arguments.metric.clone() };
    Ok(Arc::from(catalog::open(name, &settings)?))
}

/// No puzzle's name is a number or several words; a forgotten puzzle is.
fn looks_like_a_position(name: &str) -> bool {
    let name = name.trim();
    name.contains(char::is_whitespace) || (!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether the text is a position of that puzzle.
fn reads(puzzle: &str, text: &str) -> bool {
    catalog::open(puzzle, &Settings::default())
        .is_ok_and(|puzzle| reading::is_position(&*puzzle, &InputFormat::default(), text))
}

/// As much of a text as a message needs.
fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    let mut short: String = text.chars().take(MOST).collect();
    if text.chars().nth(MOST).is_some() {
        short.push('…');
    }
    short
}

/// How the positions are to be read.
pub(crate) fn form(puzzle: &dyn DynPuzzle, input: &cli::Reading) -> Result<InputFormat, CliError> {
    if let Some(format) = &input.format_in {
        let contradicts = match input.kind {
            Some(InputKind::Position) => format == "moves",
            Some(InputKind::Moves) => format != "moves",
            None => false,
        };
        if contradicts {
            return Err(CliError::usage(format!(
                "--as and --format-in {format} contradict each other; give one of them"
            )));
        }
        let formats = puzzle.formats();
        if !formats.iter().any(|known| known.name == format) {
            let names: Vec<&str> = formats.iter().map(|known| known.name).collect();
            let near = did_you_mean(format, names.iter().copied());
            return Err(CliError::usage(format!(
                "{} has no format `{format}`{near} (formats: {})",
                puzzle.title(),
                names.join(", ")
            )));
        }
    }
    Ok(InputFormat { kind: input.kind, format: input.format_in.clone() })
}

/// The text that holds the positions.
pub(crate) fn text(puzzle: &dyn DynPuzzle, form: &InputFormat, input: &cli::Input) -> Result<Text, CliError> {
    let reads = |word: &str| reading::is_position(puzzle, form, word);
    Text::obtain(&input.position, input.file.as_deref(), reads)
}
