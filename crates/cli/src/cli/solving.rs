//! The arguments of the commands that take positions: solve, batch, check and shorten.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum, ValueHint};
use untumble_session::line_checksum::LineFormat;

use super::{Input, InputFormatArgs, Limits, ProgressArgs, Puzzle, Resources, SolverArgs};
use crate::value_parsers;

/// Solve positions and print the shortest solution found
#[derive(Args, Debug)]
#[command(after_help = "\
The moves go to standard output, one line per position; everything else goes to standard error.
A file or standard input may hold many positions.

--checkpoint saves the proof of one position (ida, parida, iddfs) at intervals and when a limit or
Ctrl-C stops it. The same command with the same file resumes the proof; limits apply to each run.
The file is removed when the proof is finished.

Examples:
  untumble solve 8-puzzle 8 6 7 2 5 4 3 0 1
  untumble solve 15-puzzle \"0 3 6 8 2 12 9 4 5 1 11 15 14 7 13 10\" --with ida+manhattan
  untumble solve cube3 \"R U2 F' L D2 B R'\" --metric qtm
  untumble solve 15-puzzle --file boards.txt --goal blank-first --time 10 --json

Exit codes: 0 solved, 2 wrong usage, 3 invalid position, 4 unsolvable, 5 stopped by a limit,
            130 interrupted; several positions: the worst of them (1, 130, 3, 4, 5, 0)")]
pub(crate) struct Solve {
    #[command(flatten)]
    pub(crate) puzzle: Puzzle,
    #[command(flatten)]
    pub(crate) input: Input,

    #[command(flatten)]
    pub(crate) solver: SolverArgs,

    /// List all optimal solutions instead of one
    #[arg(long)]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) limits: Limits,

    /// Save the proof to this file while it runs; resume from the file if it exists
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Long proofs")]
    pub(crate) checkpoint: Option<PathBuf>,

    /// Save the proof at this interval (10 seconds, 500ms, 2m)
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "10",
        value_parser = value_parsers::duration,
        allow_hyphen_values = true,
        requires = "checkpoint",
        help_heading = "Long proofs"
    )]
    pub(crate) checkpoint_every: Duration,

    /// Print one line of JSON per position
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) progress: ProgressArgs,
}

/// Solve many positions on all cores and print one line per position in input order
#[derive(Args, Debug)]
#[command(after_help = "\
Positions are solved while the input is read, so its size is not limited. Answers are written in
input order; at most 100,000 answers or 64 MiB wait for a hard position before them. An invalid
line is answered with the outcome \"invalid\", and the batch continues. Limits apply to each
position; the memory is divided among the threads.

--resume checks that the answers in the file belong to this input and to the same arguments, replays
their moves, compares their checksums, removes an incomplete last line, and continues after them.
While a batch writes to a file, a second one on the same file is refused.

Examples:
  untumble batch 8-puzzle boards.txt --out answers.ndjson
  untumble batch 8-puzzle boards.txt --out answers.ndjson --resume
  untumble scramble 8-puzzle --count 1000 --seed 1 | untumble batch 8-puzzle - --format csv

Exit codes: 0 all lines answered (unsolvable ones included), 2 wrong usage, 3 some line is invalid,
            5 some search was stopped by a limit, 130 interrupted (continue with --resume)")]
pub(crate) struct Batch {
    #[command(flatten)]
    pub(crate) puzzle: Puzzle,

    /// Read positions from this file; `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) format_args: InputFormatArgs,

    #[command(flatten)]
    pub(crate) solver: SolverArgs,

    /// List all optimal solutions instead of one
    #[arg(long)]
    pub(crate) all: bool,

    /// Distribute positions to threads one by one (dynamic) or in equal shares beforehand (static:
    /// for comparison; reads the whole input into memory)
    #[arg(long, value_enum, value_name = "SCHEDULE", default_value = "dynamic")]
    pub(crate) schedule: Schedule,

    #[command(flatten)]
    pub(crate) limits: Limits,

    /// Write the answers to this file; it must not exist without --resume or --force [default: standard output]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,

    /// Write JSON lines (ndjson) or a table with a header (csv)
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "ndjson", help_heading = "Output")]
    pub(crate) format: Format,

    /// Continue after the answers in the file of --out
    #[arg(long, requires = "out", conflicts_with = "force", help_heading = "Output")]
    pub(crate) resume: bool,

    /// Replace the file of --out if it exists
    #[arg(long, requires = "out", help_heading = "Output")]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) progress: ProgressArgs,
}

/// Check a position, draw it, and replay moves on it
#[derive(Args, Debug)]
#[command(after_help = "\
Prints whether the position is solved or solvable; with --moves, draws the position after each
move and prints whether the moves solve it.

Examples:
  untumble check 15-puzzle 5 1 2 4 9 6 3 7 13 10 11 8 0 14 15 12
  untumble check 8-puzzle 1 2 3 4 5 6 0 7 8 --moves \"L L\"

Exit codes: 0 solvable (by these moves or others), 2 wrong usage,
            3 invalid position or move, 4 unsolvable")]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) puzzle: Puzzle,
    #[command(flatten)]
    pub(crate) input: Input,

    /// Replay these moves step by step
    #[arg(long, value_name = "MOVES")]
    pub(crate) moves: Option<String>,

    /// Draw every step of a long sequence, not only the first and the last three
    #[arg(long, requires = "moves")]
    pub(crate) every: bool,

    /// Print one line of JSON per position
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

/// Print the value of every heuristic for a position
#[derive(Args, Debug)]
#[command(after_help = "\
One row per heuristic of the puzzle: its value h and whether it is consistent, admissible or
neither. Where all distances fit a small table (cube2, boards of up to 10 cells), the true distance
follows. Tables of up to 8 MiB are built when they are missing; larger ones only with --build.

Examples:
  untumble heuristics 8-puzzle 8 6 7 2 5 4 3 0 1
  untumble heuristics cube3 \"R U2 F' L D2 B R'\" --build
  untumble scramble 15-puzzle --seed 7 | untumble heuristics 15-puzzle --json

Exit codes: 0 evaluated, 2 wrong usage, 3 invalid position, 4 unsolvable, 130 interrupted")]
pub(crate) struct Heuristics {
    #[command(flatten)]
    pub(crate) puzzle: Puzzle,
    #[command(flatten)]
    pub(crate) input: Input,

    /// Build missing tables, however large
    #[arg(long)]
    pub(crate) build: bool,

    #[command(flatten)]
    pub(crate) resources: Resources,

    /// Print one line of JSON per position
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) progress: ProgressArgs,
}

/// Make a solution shorter
#[derive(Args, Debug)]
#[command(after_help = "\
Searches near the given solution (tunneling), runs the solvers of `solve` in the remaining time,
and prints the shortest solution known, which is never longer than the given one. With --with, only
that solver runs. Without --time or --nodes the limit is ten seconds.

Examples:
  untumble shorten 8-puzzle 1 2 3 4 5 6 0 7 8 --moves \"D L U R D L U R D L U R L L\"
  untumble shorten cube3 \"R U R' U'\" --moves \"F F' U R U' U' U R'\" --time 2

Exit codes: 0 solved, 2 wrong usage, 3 invalid position, or moves that do not solve it,
            4 unsolvable, 130 interrupted (the best solution so far is printed)")]
pub(crate) struct Shorten {
    #[command(flatten)]
    pub(crate) puzzle: Puzzle,
    #[command(flatten)]
    pub(crate) input: Input,

    /// Shorten this solution
    #[arg(long, value_name = "MOVES")]
    pub(crate) moves: String,

    /// If the moves leave a few pieces unsolved, insert the missing moves where that is shortest
    #[arg(long)]
    pub(crate) finish: bool,

    #[command(flatten)]
    pub(crate) solver: SolverArgs,

    #[command(flatten)]
    pub(crate) limits: Limits,

    /// Print one line of JSON
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) progress: ProgressArgs,
}

// The values below have no doc comments: clap would print each on a line of its own.

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

impl From<Format> for LineFormat {
    fn from(format: Format) -> LineFormat {
        match format {
            Format::Ndjson => LineFormat::Ndjson,
            Format::Csv => LineFormat::Csv,
        }
    }
}
