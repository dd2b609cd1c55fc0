//! The arguments and help texts of the commands.

#[cfg(feature = "report")]
mod comparison;
#[cfg(feature = "serve")]
mod serve;
mod shared;
mod solving;
mod tables;
mod train;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use untumble_search::frontend::InputKind;

use crate::exit_table;
use crate::value_parsers;
#[cfg(feature = "report")]
pub(crate) use comparison::{Analyze, Bench, Compare, ComparisonArgs};
#[cfg(feature = "serve")]
pub(crate) use serve::{Log, Serve, token};
#[cfg(feature = "report")]
pub(crate) use shared::search_memory;
pub(crate) use shared::{
    Input, InputFormatArgs, Limits, Progress, ProgressArgs, Puzzle, Resources, SolverArgs, input_kind,
};
pub(crate) use solving::{Batch, Check, Format, Heuristics, Schedule, Shorten, Solve};
pub(crate) use tables::{Tables, TablesBuild, TablesCommand, TablesList, TablesRemove, TablesVerify};
pub(crate) use train::Train;

/// Solve permutation puzzles: optimally where a proof is possible, as well as the limits allow elsewhere.
#[derive(Parser, Debug)]
#[command(name = "untumble", version, arg_required_else_help = true, max_term_width = 100)]
#[command(after_help = exit_table::append("", "\
Examples:
  untumble solve 8-puzzle 8 6 7 2 5 4 3 0 1
  untumble scramble 15-puzzle --seed 7 | untumble solve 15-puzzle --json
  untumble scramble 8-puzzle --count 1000 --seed 1 | untumble batch 8-puzzle -
  untumble list"))]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// Parses the arguments of the program; ends it with help or an error if they are wrong.
    pub(crate) fn from_args() -> Cli {
        Cli::parse_from(std::env::args_os().map(protect_negative_position))
    }
}

/// Adds a leading space to a quoted position that begins with an invalid tile such as -1, so that clap does
/// not parse it as a flag. Parsers of positions skip the space.
fn protect_negative_position(argument: OsString) -> OsString {
    match argument.to_str() {
        Some(text) if starts_with_negative_tile(text) => format!(" {text}").into(),
        _ => argument,
    }
}

fn starts_with_negative_tile(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next() == Some('-')
        && chars.next().is_some_and(|c| c.is_ascii_digit())
        && text.contains(char::is_whitespace)
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Solve(Solve),
    Batch(Batch),
    #[cfg(feature = "report")]
    Compare(Compare),
    #[cfg(feature = "report")]
    Analyze(Analyze),
    Check(Check),
    Heuristics(Heuristics),
    Shorten(Shorten),
    Scramble(Scramble),
    #[cfg(feature = "report")]
    Bench(Bench),
    Train(Train),
    #[cfg(feature = "serve")]
    Serve(Serve),
    #[cfg(feature = "gpu")]
    Gpu(Gpu),
    List(List),
    Tables(Tables),
    Completions(Completions),
    Complete(Complete),
    Man(Man),
}

#[cfg(feature = "gpu")]
impl Command {
    /// The number of the GPU that `--gpu` selects.
    pub(crate) fn gpu(&self) -> Option<usize> {
        match self {
            Command::Solve(arguments) => arguments.limits.gpu,
            Command::Batch(arguments) => arguments.limits.gpu,
            Command::Shorten(arguments) => arguments.limits.gpu,
            #[cfg(feature = "report")]
            Command::Compare(arguments) => arguments.comparison.gpu,
            #[cfg(feature = "report")]
            Command::Analyze(arguments) => arguments.comparison.gpu,
            #[cfg(feature = "report")]
            Command::Bench(arguments) => arguments.gpu,
            #[cfg(feature = "serve")]
            Command::Serve(arguments) => arguments.gpu,
            _ => None,
        }
    }
}

/// Generate random positions, one per line
#[derive(Args, Debug)]
#[command(after_help = "\
Without --depth, positions are drawn uniformly from all solvable ones. A seed gives the same
positions in every version. Cubes print moves, which lead from solved to the position.

Examples:
  untumble scramble 15-puzzle
  untumble scramble cube3 --count 5
  untumble scramble cube3 --as position
  untumble scramble 8-puzzle --count 1000 --seed 1 > boards.txt
  untumble scramble 24-puzzle --depth 30 --json")]
pub(crate) struct Scramble {
    #[command(flatten)]
    pub(crate) puzzle: Puzzle,

    /// Make this many random moves from solved, without immediate undos
    #[arg(long, value_name = "MOVES", value_parser = value_parsers::count, allow_hyphen_values = true)]
    pub(crate) depth: Option<u64>,

    /// Generate this many positions
    #[arg(
        long,
        value_name = "N",
        default_value = "1",
        value_parser = value_parsers::count,
        allow_hyphen_values = true
    )]
    pub(crate) count: u64,

    /// Use this seed [default: a random one, printed on standard error]
    #[arg(long, value_name = "NUMBER", value_parser = value_parsers::count, allow_hyphen_values = true)]
    pub(crate) seed: Option<u64>,

    /// Print moves from solved, or positions [default: moves for cubes, else positions]
    #[arg(long = "as", value_parser = input_kind(), value_name = "KIND", help_heading = "Output")]
    pub(crate) kind: Option<InputKind>,

    /// Print one line of JSON per position
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

/// List the puzzles, or the solvers of a puzzle
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  untumble list
  untumble list solvers 8-puzzle
  untumble list solvers 24-puzzle --json")]
pub(crate) struct List {
    /// List the puzzles, or the solvers and position formats of one puzzle
    #[arg(value_enum, default_value = "puzzles")]
    pub(crate) what: ListKind,

    /// List the solvers of this puzzle [default: 15-puzzle]
    #[arg(value_name = "PUZZLE")]
    pub(crate) puzzle: Option<String>,

    /// Print JSON
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

/// List GPUs and check their node counts
#[cfg(feature = "gpu")]
#[derive(Args, Debug)]
#[command(after_help = exit_table::append("gpu", "\
Solvers named gpu-… search on a GPU: the first of the list, or the one of --gpu. The check solves a
position of Rubik's cube with both kernels and compares the node counts of every pass with the CPU.
`untumble bench gpu` measures the speed.

Examples:
  untumble gpu
  untumble gpu --json
  untumble solve cube3 \"R U F' L D B R' U'\" --metric qtm --with gpu-ida+manhattan --gpu 0"))]
pub(crate) struct Gpu {
    /// Only list the GPUs
    #[arg(long)]
    pub(crate) no_check: bool,

    /// Print one line of JSON per GPU
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

/// Print a completion script for a shell
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  untumble completions bash > ~/.local/share/bash-completion/completions/untumble
  untumble completions fish > ~/.config/fish/completions/untumble.fish
  untumble completions zsh > ~/.zfunc/_untumble")]
pub(crate) struct Completions {
    /// Choose the shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// Complete a partial command line (for the scripts of `completions`)
#[derive(Args, Debug)]
#[command(hide = true)]
pub(crate) struct Complete {
    /// The words after the name of the program; the last one is completed
    #[arg(value_name = "WORD", allow_hyphen_values = true, trailing_var_arg = true)]
    pub(crate) words: Vec<OsString>,
}

/// Print the manual page, or write the pages of all commands
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  untumble man | man -l -
  untumble man --out ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// Write the pages of all commands to this folder
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) out: Option<PathBuf>,
}

// The values below have no doc comments: clap would print each on a line of its own.

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ListKind {
    Puzzles,
    // The algorithms, heuristics and formats of a puzzle.
    Solvers,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
