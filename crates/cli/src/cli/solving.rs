//! The arguments of the commands that take positions: solve, batch, check and shorten.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum, ValueHint};
use untumble_session::line_checksum::LineFormat;

use super::{Input, InputFormatArgs, Limits, ProgressArgs, Puzzle, Resources, SolverArgs};
use crate::exit_table;
use crate::value_parsers;

/// Solve positions and print the shortest solution found
#[derive(Args, Debug)]
#[command(after_help = exit_table::append("solve", "\
The moves go to standard output, one line per position; everything else goes to standard error.
A file or standard input may hold many positions. A position of a file or of standard input without
solution prints an empty line; standard input is answered as it arrives. The puzzle `tiles` stands
for boards of every size.

--checkpoint saves the proof of one position (ida, parida, iddfs) at intervals and when a limit or
Ctrl-C stops it. The same command with the same file resumes the proof; limits apply to each run.
The file is removed when the proof is finished.

Examples:
  untumble solve 8-puzzle 8 6 7 2 5 4 3 0 1
  untumble solve 15-puzzle \"0 3 6 8 2 12 9 4 5 1 11 15 14 7 13 10\" --with ida+manhattan
  untumble solve cube3 \"R U2 F' L D2 B R'\" --metric qtm
  untumble solve 15-puzzle --file boards.txt --goal blank-first --time 10 --json"))]
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

    /// Number the moves, and draw the position after each where it fits
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    pub(crate) steps: bool,

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
#[command(after_help = exit_table::append("batch", "\
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
  untumble scramble 8-puzzle --count 1000 --seed 1 | untumble batch 8-puzzle - --format csv"))]
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
#[command(after_help = exit_table::append("check", "\
Prints whether the position is solved or solvable, with a lower bound on the length of a solution,
and the nearest solvable positions if it is not. With --moves, draws the position after each move
and prints whether the moves solve it.

Examples:
  untumble check 15-puzzle 5 1 2 4 9 6 3 7 13 10 11 8 0 14 15 12
  untumble check 8-puzzle 1 2 3 4 5 6 0 7 8 --moves \"L L\""))]
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
#[command(after_help = exit_table::append("heuristics", "\
One row per heuristic of the puzzle: its value h and whether it is consistent, admissible or
neither. Where all distances fit a small table (cube2, boards of up to 10 cells), the true distance
follows. Tables of up to 8 MiB are built when they are missing; larger ones only with --build.

Examples:
  untumble heuristics 8-puzzle 8 6 7 2 5 4 3 0 1
  untumble heuristics cube3 \"R U2 F' L D2 B R'\" --build
  untumble scramble 15-puzzle --seed 7 | untumble heuristics 15-puzzle --json"))]
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
#[command(after_help = exit_table::append("shorten", "\
Searches near the given solution (tunneling), runs the solvers of `solve` in the remaining time,
and prints the shortest solution known, which is never longer than the given one. With --with, only
that solver runs. Without --time or --nodes the limit is ten seconds.

Examples:
  untumble shorten 8-puzzle 1 2 3 4 5 6 0 7 8 --moves \"D L U R D L U R D L U R L L\"
  untumble shorten cube3 \"R U R' U'\" --moves \"F F' U R U' U' U R'\" --time 2"))]
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
