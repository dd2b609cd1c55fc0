//! The command line: what may be said, and the help that says so.

#[cfg(feature = "report")]
mod measuring;
#[cfg(feature = "serve")]
mod serving;
mod training;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use untumble_search::frontend::InputKind;

use crate::amounts;
#[cfg(feature = "report")]
pub(crate) use measuring::{Analyze, Bench, Compare, Measured};
#[cfg(feature = "serve")]
pub(crate) use serving::{Log, Serve};
pub(crate) use training::Train;

/// Solve permutation puzzles: the shortest way wherever that can be proven,
/// the best way in the time allowed wherever it cannot.
#[derive(Parser, Debug)]
#[command(name = "untumble", version, arg_required_else_help = true, max_term_width = 100)]
#[command(after_help = "\
Examples:
  untumble solve 8-puzzle 8 6 7 2 5 4 3 0 1
  untumble scramble 15-puzzle --seed 7 | untumble solve 15-puzzle --json
  untumble scramble 8-puzzle --count 1000 --seed 1 | untumble batch 8-puzzle -
  untumble list

Exit codes: 0 solved, 1 internal failure, 2 wrong usage, 3 invalid position, 4 unsolvable,
            5 stopped by a limit (what was found is still printed), 130 interrupted (likewise)")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// What the program was told; ends it with help or a complaint where that makes no sense.
    pub(crate) fn read() -> Cli {
        Cli::parse_from(std::env::args_os().map(unmistakable))
    }
}

/// A quoted position may begin with a wrong tile such as -1. The blank put
/// before it keeps it from being taken for a flag, and is read over.
fn unmistakable(argument: OsString) -> OsString {
    match argument.to_str() {
        Some(text) if is_negative_position(text) => format!(" {text}").into(),
        _ => argument,
    }
}

fn is_negative_position(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next() == Some('-')
        && letters.next().is_some_and(|c| c.is_ascii_digit())
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
    Man(Man),
}

#[cfg(feature = "gpu")]
impl Command {
    /// The graphics processor asked for.
    pub(crate) fn gpu(&self) -> Option<usize> {
        match self {
            Command::Solve(arguments) => arguments.limits.gpu,
            Command::Batch(arguments) => arguments.limits.gpu,
            Command::Shorten(arguments) => arguments.limits.gpu,
            #[cfg(feature = "report")]
            Command::Compare(arguments) => arguments.measured.gpu,
            #[cfg(feature = "report")]
            Command::Analyze(arguments) => arguments.measured.gpu,
            #[cfg(feature = "report")]
            Command::Bench(arguments) => arguments.gpu,
            #[cfg(feature = "serve")]
            Command::Serve(arguments) => arguments.gpu,
            _ => None,
        }
    }
}

/// Solve positions and print the shortest sequence of moves found
#[derive(Args, Debug)]
#[command(after_help = "\
The moves go to standard output, a line for each position, all else to standard error.
A file or standard input may hold many positions.

--checkpoint saves the proof of one position (ida, parida, iddfs) at intervals and when a limit or
Ctrl-C stops it. The same command with the same file goes on from there; limits hold for each run.
When the proof is finished the file is removed.

Examples:
  untumble solve 8-puzzle 8 6 7 2 5 4 3 0 1
  untumble solve 15-puzzle \"0 3 6 8 2 12 9 4 5 1 11 15 14 7 13 10\" --with ida+manhattan
  untumble solve cube3 \"R U2 F' L D2 B R'\" --metric qtm
  untumble solve 15-puzzle --file boards.txt --goal blank-first --time 10 --json

Exit codes: 0 solved, 2 wrong usage, 3 invalid position, 4 unsolvable, 5 stopped by a limit,
            130 interrupted; of many positions the worst counts (1, 130, 3, 4, 5, 0)")]
pub(crate) struct Solve {
    #[command(flatten)]
    pub(crate) puzzle: Puzzle,
    #[command(flatten)]
    pub(crate) input: Input,

    // Given as a string: in a doc comment the brackets would be a link.
    #[arg(
        long,
        value_name = "SOLVER",
        default_value = "auto",
        help = "Search with this: algorithm[:option=value,…][+heuristic] (`untumble list solvers`)"
    )]
    pub(crate) with: String,

    /// List every shortest sequence, not just one
    #[arg(long)]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) limits: Limits,

    /// Save the proof to this file while it runs; where the file exists, go on from it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Long proofs")]
    pub(crate) checkpoint: Option<PathBuf>,

    /// Save the proof this often (10 seconds, 500ms, 2m)
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "10",
        value_parser = amounts::time,
        allow_hyphen_values = true,
        requires = "checkpoint",
        help_heading = "Long proofs"
    )]
    pub(crate) checkpoint_every: Duration,

    /// Print one line of JSON for each position
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Show progress on standard error: a bar on a terminal (auto), also elsewhere (bar), events
    /// (json), nothing (none)
    #[arg(long, value_enum, value_name = "HOW", default_value = "auto", help_heading = "Output")]
    pub(crate) progress: Progress,
}

/// Solve many positions on all cores, and print one line for each in input order
#[derive(Args, Debug)]
#[command(after_help = "\
Positions are read as they come, and each answer is written once all before it are; at most
100,000 answers or 64 MiB of them wait for a hard position in front, so any number fits. A bad
line is answered with the outcome \"invalid\", and the batch goes on. Limits hold for each position;
the memory is shared out among the threads. Without --out the answers go to standard output.

--resume reads the answers in the file, cuts off a torn last line, makes sure that they belong to
this input, and goes on behind them.

Examples:
  untumble batch 8-puzzle boards.txt --out answers.ndjson
  untumble batch 8-puzzle boards.txt --out answers.ndjson --resume
  untumble scramble 8-puzzle --count 1000 --seed 1 | untumble batch 8-puzzle - --format csv

Exit codes: 0 every line answered (unsolvable ones too), 2 wrong usage, 3 some line is no position,
            else 5 some line stopped by a limit, 130 interrupted (--resume goes on)")]
pub(crate) struct Batch {
    #[command(flatten)]
    pub(crate) puzzle: Puzzle,

    /// Read the positions of this file; `-` reads standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) reading: Reading,

    #[arg(
        long,
        value_name = "SOLVER",
        default_value = "auto",
        help = "Search with this: algorithm[:option=value,…][+heuristic] (`untumble list solvers`)"
    )]
    pub(crate) with: String,

    /// List every shortest sequence, not just one
    #[arg(long)]
    pub(crate) all: bool,

    /// Hand positions to threads one by one (dynamic), or in equal parts beforehand (static: for
    /// comparison; holds the whole input in memory)
    #[arg(long, value_enum, value_name = "HOW", default_value = "dynamic")]
    pub(crate) schedule: Schedule,

    #[command(flatten)]
    pub(crate) limits: Limits,

    /// Write the answers to this file, which must not exist yet; else to standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,

    /// Write lines of JSON (ndjson) or a table with a header (csv)
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "ndjson", help_heading = "Output")]
    pub(crate) format: Format,

    /// Go on behind the answers that the file of --out already holds
    #[arg(long, requires = "out", conflicts_with = "force", help_heading = "Output")]
    pub(crate) resume: bool,

    /// Replace the file of --out where it exists
    #[arg(long, requires = "out", help_heading = "Output")]
    pub(crate) force: bool,

    /// Show progress on standard error: a bar on a terminal (auto), also elsewhere (bar), events
    /// (json), nothing (none)
    #[arg(long, value_enum, value_name = "HOW", default_value = "auto", help_heading = "Output")]
    pub(crate) progress: Progress,
}

/// Check a position, draw it, and replay moves on it
#[derive(Args, Debug)]
#[command(after_help = "\
Says whether the position is solved or can be solved; with --moves, what becomes of it
move by move, and whether it is solved in the end.

Examples:
  untumble check 15-puzzle 5 1 2 4 9 6 3 7 13 10 11 8 0 14 15 12
  untumble check 8-puzzle 1 2 3 4 5 6 0 7 8 --moves \"L L\"

Exit codes: 0 can be solved (by these moves or others), 2 wrong usage,
            3 invalid position or move, 4 unsolvable")]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) puzzle: Puzzle,
    #[command(flatten)]
    pub(crate) input: Input,

    /// Replay these moves, step by step
    #[arg(long, value_name = "MOVES")]
    pub(crate) moves: Option<String>,

    /// Draw every step of a long sequence, not only the first and last three
    #[arg(long, requires = "moves")]
    pub(crate) every: bool,

    /// Print one line of JSON for each position
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

/// Make a solution shorter
#[derive(Args, Debug)]
#[command(after_help = "\
Searches the surroundings of the moves given, tries what `solve` would do in the time that is left, and
prints the shortest solution known in the end, which is never longer than the one given.
Without --time or --nodes it takes ten seconds at most.

Examples:
  untumble shorten 8-puzzle 1 2 3 4 5 6 0 7 8 --moves \"D L U R D L U R D L U R L L\"
  untumble shorten cube3 \"R U R' U'\" --moves \"F F' U R U' U' U R'\" --time 2

Exit codes: 0 with a solution, 2 wrong usage, 3 invalid position, or moves that do not solve it,
            4 unsolvable, 130 interrupted (what was found is still printed)")]
pub(crate) struct Shorten {
    #[command(flatten)]
    pub(crate) puzzle: Puzzle,
    #[command(flatten)]
    pub(crate) input: Input,

    /// The solution to begin with
    #[arg(long, value_name = "MOVES")]
    pub(crate) moves: String,

    /// Where the moves leave a few pieces unsolved: put in what solves them, wherever that is shortest
    #[arg(long)]
    pub(crate) finish: bool,

    #[arg(
        long,
        value_name = "SOLVER",
        default_value = "auto",
        help = "Search with this alone: algorithm[:option=value,…][+heuristic] (`untumble list solvers`)"
    )]
    pub(crate) with: String,

    #[command(flatten)]
    pub(crate) limits: Limits,

    /// Print one line of JSON
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Show progress on standard error: a bar on a terminal (auto), also elsewhere (bar), events
    /// (json), nothing (none)
    #[arg(long, value_enum, value_name = "HOW", default_value = "auto", help_heading = "Output")]
    pub(crate) progress: Progress,
}

/// Make random positions, one on each line
#[derive(Args, Debug)]
#[command(after_help = "\
Without --depth they are drawn uniformly from all positions that can be solved.
The same seed gives the same positions, today and in later versions.

Examples:
  untumble scramble 15-puzzle
  untumble scramble 8-puzzle --count 1000 --seed 1 > boards.txt
  untumble scramble 24-puzzle --depth 30 --json")]
pub(crate) struct Scramble {
    #[command(flatten)]
    pub(crate) puzzle: Puzzle,

    /// Make this many random moves from solved, none of which takes back the one before
    #[arg(long, value_name = "MOVES", value_parser = amounts::count, allow_hyphen_values = true)]
    pub(crate) depth: Option<u64>,

    /// Make this many positions
    #[arg(long, value_name = "N", default_value = "1", value_parser = amounts::count, allow_hyphen_values = true)]
    pub(crate) count: u64,

    /// Repeat what this seed gave; without it one is drawn and told on standard error
    #[arg(long, value_name = "NUMBER", value_parser = amounts::count, allow_hyphen_values = true)]
    pub(crate) seed: Option<u64>,

    /// Print one line of JSON for each position
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
    /// Choose what to list: the puzzles, or what solves one and how its positions are written
    #[arg(value_enum, default_value = "puzzles")]
    pub(crate) what: Listed,

    /// List the solvers of this puzzle; 15-puzzle where none is named
    #[arg(value_name = "PUZZLE")]
    pub(crate) puzzle: Option<String>,

    /// Print JSON
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

/// Manage the tables that solvers build and keep on disk
#[derive(Args, Debug)]
#[command(after_help = "\
Tables are built when a solver first needs them. They are kept in the folder that UNTUMBLE_CACHE
names, else in the user's cache folder (~/.cache/untumble on Linux, ~/Library/Caches/untumble on
macOS, %LOCALAPPDATA%\\untumble on Windows). A damaged file is never trusted: it is named and
rebuilt.

Examples:
  untumble tables list
  untumble tables verify
  untumble tables build 15-puzzle --with ida+pdb:5-5-5
  untumble tables remove --all")]
pub(crate) struct Tables {
    #[command(subcommand)]
    pub(crate) command: TablesCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum TablesCommand {
    List(TablesList),
    Verify(TablesVerify),
    Remove(TablesRemove),
    Build(TablesBuild),
}

/// List the tables on disk: what they are, how big and how old
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  untumble tables list
  untumble tables list --json")]
pub(crate) struct TablesList {
    /// List only these
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,

    /// Print one line of JSON for each table
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

/// Verify every byte of the tables on disk
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  untumble tables verify
  untumble tables verify --json

Exit codes: 0 all are whole, 1 some are damaged, 2 wrong usage, 130 interrupted")]
pub(crate) struct TablesVerify {
    /// Verify only these
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,

    /// Print one line of JSON for each table
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Show progress on standard error: a bar on a terminal (auto), also elsewhere (bar), events
    /// (json), nothing (none)
    #[arg(long, value_enum, value_name = "HOW", default_value = "auto", help_heading = "Output")]
    pub(crate) progress: Progress,
}

/// Remove tables from disk; they are built again when they are needed
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  untumble tables list
  untumble tables remove --all")]
pub(crate) struct TablesRemove {
    /// Remove these (`untumble tables list`)
    #[arg(value_name = "NAME", required_unless_present = "all")]
    pub(crate) names: Vec<String>,

    /// Remove all of them
    #[arg(long, conflicts_with = "names")]
    pub(crate) all: bool,

    /// Print one line of JSON for each table
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

/// Build the tables of a solver ahead of time
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  untumble tables build 15-puzzle --with ida+pdb:5-5-5

Exit codes: 0 they stand in the cache, 1 they could not be kept, 2 wrong usage,
            5 stopped by a limit, 130 interrupted")]
pub(crate) struct TablesBuild {
    #[command(flatten)]
    pub(crate) puzzle: Puzzle,

    // Given as a string: in a doc comment the brackets would be a link.
    #[arg(
        long,
        value_name = "SOLVER",
        help = "Build what this needs: algorithm[:option=value,…][+heuristic] (`untumble list solvers`)"
    )]
    pub(crate) with: String,

    /// Stop after this long (2.5 seconds, 500ms, 2m)
    #[arg(long, value_name = "SECONDS", value_parser = amounts::time, allow_hyphen_values = true, help_heading = "Limits")]
    pub(crate) time: Option<Duration>,

    /// Never use more memory (300M, 2G; powers of 1024); three quarters of what is free where not given
    #[arg(long, value_name = "SIZE", value_parser = amounts::size, allow_hyphen_values = true, help_heading = "Limits")]
    pub(crate) memory: Option<u64>,

    /// Use this many threads; all where not given
    #[arg(long, value_name = "COUNT", value_parser = amounts::threads, allow_hyphen_values = true, help_heading = "Limits")]
    pub(crate) threads: Option<usize>,

    /// Print one line of JSON for each table
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Show progress on standard error: a bar on a terminal (auto), also elsewhere (bar), events
    /// (json), nothing (none)
    #[arg(long, value_enum, value_name = "HOW", default_value = "auto", help_heading = "Output")]
    pub(crate) progress: Progress,
}

/// List graphics processors, and check that they count right
#[cfg(feature = "gpu")]
#[derive(Args, Debug)]
#[command(after_help = "\
Solvers called gpu-… search on a graphics processor: the first of the list, or the one of --gpu.
The check searches a position of Rubik's cube with both kernels and compares every pass but the
last with the processor's own search, node by node. `untumble bench gpu` measures.

Examples:
  untumble gpu
  untumble gpu --json
  untumble solve cube3 \"R U F' L D B R' U'\" --metric qtm --with gpu-ida+manhattan --gpu 0

Exit codes: 0 all count right, 1 one does not, or there is none, 2 wrong usage, 130 interrupted")]
pub(crate) struct Gpu {
    /// Only list them
    #[arg(long)]
    pub(crate) no_check: bool,

    /// Print one line of JSON for each
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

/// Print the manual page, or write a page for each command
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  untumble man | man -l -
  untumble man --out ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// Write the pages of all commands into this folder instead
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) out: Option<PathBuf>,
}

/// Which puzzle, and what counts as solved and as a move.
#[derive(Args, Debug)]
pub(crate) struct Puzzle {
    /// Name the puzzle: 15-puzzle, tiles-3x5, cube3, balto-5 … (`untumble list`)
    #[arg(value_name = "PUZZLE")]
    pub(crate) name: String,

    /// Solve towards this: a goal's name or a position (`untumble list`)
    #[arg(long, value_name = "GOAL")]
    pub(crate) goal: Option<String>,

    /// Count moves this way, where the puzzle has a choice (`untumble list`)
    #[arg(long, value_name = "METRIC")]
    pub(crate) metric: Option<String>,
}

/// Where positions come from and how they are read.
#[derive(Args, Debug)]
pub(crate) struct Input {
    /// Give a position, or moves from solved; `-` or nothing reads standard input
    #[arg(value_name = "POSITION", num_args = 0.., allow_negative_numbers = true)]
    pub(crate) position: Vec<String>,

    /// Read the positions of a file
    #[arg(long, value_name = "FILE", conflicts_with = "position", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// How positions are read.
#[derive(Args, Debug)]
pub(crate) struct Reading {
    /// Read the text as this instead of finding out; moves start from solved
    #[arg(long = "as", value_parser = input_kind(), value_name = "WHAT")]
    pub(crate) kind: Option<InputKind>,

    /// Read positions in this format instead of finding out (`untumble list solvers`)
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format_in: Option<String>,
}

/// How much a search may take.
#[derive(Args, Debug)]
#[command(next_help_heading = "Limits")]
pub(crate) struct Limits {
    /// Stop each position after this long (2.5 seconds, 500ms, 2m)
    #[arg(long, value_name = "SECONDS", value_parser = amounts::time, allow_hyphen_values = true)]
    pub(crate) time: Option<Duration>,

    /// Stop each position after this many generated nodes
    #[arg(long, value_name = "COUNT", value_parser = amounts::count, allow_hyphen_values = true)]
    pub(crate) nodes: Option<u64>,

    /// Never use more memory (300M, 2G; powers of 1024); three quarters of what is free where not given
    #[arg(long, value_name = "SIZE", value_parser = amounts::size, allow_hyphen_values = true)]
    pub(crate) memory: Option<u64>,

    /// Use this many threads; all where not given
    #[arg(long, value_name = "COUNT", value_parser = amounts::threads, allow_hyphen_values = true)]
    pub(crate) threads: Option<usize>,

    /// Stop as soon as an answer of at most this length is known, proven shortest or not
    #[arg(long, value_name = "MOVES", value_parser = amounts::length, allow_hyphen_values = true)]
    pub(crate) max_length: Option<u32>,

    /// Search on this graphics processor where the solver is called gpu-… (`untumble gpu`); the first where not given
    #[cfg(feature = "gpu")]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) gpu: Option<usize>,
}

// The values below have no doc comments: clap would print each on a line of its own.

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

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Schedule {
    Dynamic,
    // Equal consecutive parts, one for each thread.
    Static,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    Ndjson,
    Csv,
}

fn input_kind() -> impl TypedValueParser<Value = InputKind> {
    PossibleValuesParser::new(["position", "moves"])
        .map(|name| if name == "moves" { InputKind::Moves } else { InputKind::Position })
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Listed {
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
