//! Arguments that several commands share: puzzle, input, limits, progress.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum, ValueHint};
use untumble_search::frontend::InputKind;
use untumble_session::machine;

use crate::value_parsers;

/// The puzzle with its goal and metric.
#[derive(Args, Debug)]
pub(crate) struct Puzzle {
    /// Name of the puzzle: 15-puzzle, tiles-3x5, cube3, balto-5 … (`untumble list`)
    #[arg(value_name = "PUZZLE")]
    pub(crate) name: String,

    /// Solve towards this goal: a name or a position (`untumble list`)
    #[arg(long, value_name = "GOAL")]
    pub(crate) goal: Option<String>,

    /// Count moves in this metric (`untumble list`)
    #[arg(long, value_name = "METRIC")]
    pub(crate) metric: Option<String>,
}

/// The source and the format of positions.
#[derive(Args, Debug)]
pub(crate) struct Input {
    /// A position, or moves from solved; `-` or nothing reads standard input
    #[arg(value_name = "POSITION", num_args = 0.., allow_negative_numbers = true)]
    pub(crate) position: Vec<String>,

    /// Read positions from a file
    #[arg(long, value_name = "FILE", conflicts_with = "position", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) format_args: InputFormatArgs,
}

/// The format of positions.
#[derive(Args, Debug)]
pub(crate) struct InputFormatArgs {
    /// Read the text as a position or as moves from solved [default: detected]
    #[arg(long = "as", value_parser = input_kind(), value_name = "KIND")]
    pub(crate) kind: Option<InputKind>,

    /// Read positions in this format (`untumble list solvers`) [default: detected]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format_in: Option<String>,
}

/// The limits of a search.
#[derive(Args, Debug)]
#[command(next_help_heading = "Limits")]
pub(crate) struct Limits {
    /// Stop each search after this time (2.5 seconds, 500ms, 2m)
    #[arg(long, value_name = "SECONDS", value_parser = value_parsers::duration, allow_hyphen_values = true)]
    pub(crate) time: Option<Duration>,

    /// Stop each search after this many generated nodes
    #[arg(long, value_name = "COUNT", value_parser = value_parsers::count, allow_hyphen_values = true)]
    pub(crate) nodes: Option<u64>,

    #[command(flatten)]
    pub(crate) resources: Resources,

    /// Stop at the first solution of at most this length, optimal or not
    #[arg(long, value_name = "MOVES", value_parser = value_parsers::length, allow_hyphen_values = true)]
    pub(crate) max_length: Option<u32>,

    /// Use this GPU for solvers named gpu-… (`untumble gpu`) [default: the first]
    #[cfg(feature = "gpu")]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) gpu: Option<usize>,
}

/// The part of the memory limit that is kept for the program itself: code, stacks and small data. They take
/// 10 to 11 MB; the tolerance of the limit, 2 % and 8 MB, covers the rest (`./accept limits`).
const PROCESS_BYTES: u64 = 6 << 20;

/// The memory limit of searches and tables in bytes, from the limit of the whole program. At least half of a
/// small limit is theirs. Without a limit it is that of the machine, `None` if its memory is unknown.
pub(crate) fn search_memory(program_limit: Option<u64>) -> Option<u64> {
    let limit = program_limit.map(|limit| limit - PROCESS_BYTES.min(limit / 2));
    limit.or_else(machine::default_memory_limit)
}

/// The resources that a command may use.
#[derive(Args, Debug)]
#[command(next_help_heading = "Limits")]
pub(crate) struct Resources {
    /// Use at most this much memory, not counting a GPU driver (300M, 2G; powers of 1024) [default: three
    /// quarters of the available memory]
    #[arg(long, value_name = "SIZE", value_parser = value_parsers::memory_size, allow_hyphen_values = true)]
    memory: Option<u64>,

    /// Use this many threads [default: all]
    #[arg(long, value_name = "COUNT", value_parser = value_parsers::threads, allow_hyphen_values = true)]
    threads: Option<usize>,
}

impl Resources {
    /// The memory limit of searches and tables in bytes; `None` if the machine's memory is unknown.
    pub(crate) fn memory(&self) -> Option<u64> {
        search_memory(self.memory)
    }

    /// The number of threads.
    pub(crate) fn threads(&self) -> usize {
        self.threads.unwrap_or_else(machine::available_threads)
    }
}

/// The solver.
#[derive(Args, Debug)]
pub(crate) struct SolverArgs {
    // Given as a string: in a doc comment the brackets would be a link.
    #[arg(
        long,
        value_name = "SOLVER",
        default_value = "auto",
        help = "Use this solver: algorithm[:option=value,…][+heuristic] (`untumble list solvers`)"
    )]
    pub(crate) with: String,
}

/// The display of progress.
#[derive(Args, Debug)]
pub(crate) struct ProgressArgs {
    /// Show progress on standard error: a bar on a terminal (auto), a bar or lines (bar), JSON events
    /// (json), nothing (none)
    #[arg(
        long = "progress",
        value_enum,
        value_name = "MODE",
        default_value = "auto",
        help_heading = "Output"
    )]
    pub(crate) mode: Progress,
}

impl ProgressArgs {
    /// Whether standard error carries JSON events.
    pub(crate) fn is_json(&self) -> bool {
        self.mode == Progress::Json
    }
}

// The values have no doc comments: clap would print each on a line of its own.

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Progress {
    // A bar on a terminal, nothing elsewhere.
    Auto,
    // A bar on a terminal, a line every second elsewhere.
    Bar,
    // One JSON object a line.
    Json,
    None,
}

pub(crate) fn input_kind() -> impl TypedValueParser<Value = InputKind> {
    PossibleValuesParser::new(["position", "moves"])
        .map(|name| if name == "moves" { InputKind::Moves } else { InputKind::Position })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_takes_a_part_of_its_memory_limit() {
        const MEBIBYTE: u64 = 1 << 20;
        let cases = [
            (1, 1),
            (MEBIBYTE, MEBIBYTE / 2),
            (12 * MEBIBYTE, 6 * MEBIBYTE),
            (300 * MEBIBYTE, 294 * MEBIBYTE),
        ];
        for (program, searches) in cases {
            assert_eq!(search_memory(Some(program)), Some(searches), "of {program} bytes");
        }
        assert_eq!(search_memory(None).is_some(), machine::default_memory_limit().is_some());
    }
}
