//! The arguments of `compare`, `analyze` and `bench`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, ValueHint};
use untumble_report::DepthRange;

use super::{InputFormatArgs, ProgressArgs, Schedule};
use crate::exit_table;
use crate::value_parsers;

/// Compare solvers on the same positions in a table by solution length
#[derive(Args, Debug)]
#[command(after_help = exit_table::append("compare", "\
All solvers solve the same positions. Tables are built before and timed separately; limits apply to
each search. Times and nodes are averaged over the positions that a solver solved, lengths over all
solutions that it found. Positions are grouped by the length of the best solution found by any
solver.

Examples:
  untumble compare 8-puzzle --with bfs --with astar+manhattan --count 100
  untumble compare 15-puzzle --with ida+manhattan --with ida+walking --depths 20..30 --count 10
  untumble compare 15-puzzle --with parida+walking --threads 1,2 --file boards.txt --time 10
  untumble compare --set korf-100 --with ida+pdb:7-8 --with ida+walking --summary
  untumble compare 8-puzzle --with ida --threads 1,2,4 --schedule static,dynamic"))]
pub(crate) struct Compare {
    #[command(flatten)]
    pub(crate) comparison: ComparisonArgs,

    /// Print one line of JSON
    #[arg(long, conflicts_with = "summary", help_heading = "Output")]
    pub(crate) json: bool,
}

/// Compare solvers and write a report with tables and charts
#[derive(Args, Debug)]
#[command(after_help = exit_table::append("analyze", "\
Writes report.html (one self-contained file), results.csv (one row per position and solver),
results.json, and every chart as SVG and PNG. Finished searches are saved while it runs: after an
interruption, --resume continues.

Examples:
  untumble analyze 8-puzzle --with bfs --with parbfs --with astar+manhattan --count 1000 --out analysis
  untumble analyze 15-puzzle --with parida+walking --threads 1,2,4 --count 20 --out threads
  untumble analyze 8-puzzle --with bfs --with astar+manhattan --count 1000 --out analysis --resume"))]
pub(crate) struct Analyze {
    #[command(flatten)]
    pub(crate) comparison: ComparisonArgs,

    /// Write to this folder, which is created if necessary
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, help_heading = "Output")]
    pub(crate) out: PathBuf,

    /// Continue the interrupted run in the folder
    #[arg(long, conflicts_with = "force", help_heading = "Output")]
    pub(crate) resume: bool,

    /// Replace the results of an earlier run
    #[arg(long, help_heading = "Output")]
    pub(crate) force: bool,
}

/// Measure a suite of searches and compare it with a saved run
#[derive(Args, Debug)]
#[command(after_help = exit_table::append("bench", "\
Without a name, lists the suites. Every case is measured in several rounds; the table shows median,
minimum and maximum. Cases on one thread are measured in CPU time, others in wall-clock time. A
ratio is reported as noise unless every round of one run is at least 5 % faster than every round of
the other, with at least three rounds.

Examples:
  untumble bench
  untumble bench 8-puzzle --save before.json
  untumble bench 8-puzzle --against before.json
  untumble bench --set korf-100 --count 10 --with ida+walking"))]
#[command(group = ArgGroup::new("measured").args(["suite", "set"]))]
pub(crate) struct Bench {
    /// Measure this suite
    #[arg(value_name = "SUITE")]
    pub(crate) suite: Option<String>,

    /// Measure the solvers of --with on this published list of positions (`untumble list`) instead
    #[arg(long, value_name = "SET", requires = "with")]
    pub(crate) set: Option<String>,

    /// Measure this solver on the list; give --with for each solver
    #[arg(long, value_name = "SOLVER", requires = "set")]
    pub(crate) with: Vec<String>,

    /// Use only the first N positions of the list
    #[arg(
        long,
        value_name = "N",
        requires = "set",
        value_parser = position_count,
        allow_hyphen_values = true
    )]
    pub(crate) count: Option<u64>,

    /// Solve the positions of the list on this many threads [default: 1]
    #[arg(
        long,
        value_name = "COUNT",
        requires = "set",
        value_parser = value_parsers::threads,
        allow_hyphen_values = true
    )]
    pub(crate) threads: Option<usize>,

    /// Measure every case in this many rounds, after one warm-up round
    #[arg(long, value_name = "N", default_value = "5", value_parser = rounds, allow_hyphen_values = true)]
    pub(crate) rounds: usize,

    /// Use this GPU for solvers named gpu-… (`untumble gpu`) [default: the first]
    #[cfg(feature = "gpu")]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) gpu: Option<usize>,

    /// Compare with the results in this file
    #[arg(long, value_name = "FILE", requires = "measured", value_hint = ValueHint::FilePath)]
    pub(crate) against: Option<PathBuf>,

    /// Save the results to this file
    #[arg(
        long,
        value_name = "FILE",
        requires = "measured",
        value_hint = ValueHint::FilePath,
        help_heading = "Output"
    )]
    pub(crate) save: Option<PathBuf>,

    /// Print one line of JSON
    #[arg(long, requires = "measured", help_heading = "Output")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) progress: ProgressArgs,
}

/// The solvers, positions and limits of a comparison.
#[derive(Args, Debug)]
pub(crate) struct ComparisonArgs {
    /// Name of the puzzle: 15-puzzle, tiles-3x5, cube3, balto-5 … (`untumble list`); --set implies it
    #[arg(value_name = "PUZZLE", required_unless_present = "set")]
    pub(crate) name: Option<String>,

    /// Solve towards this goal: a name or a position (`untumble list`)
    #[arg(long, value_name = "GOAL")]
    pub(crate) goal: Option<String>,

    /// Count moves in this metric (`untumble list`)
    #[arg(long, value_name = "METRIC")]
    pub(crate) metric: Option<String>,

    #[arg(
        long,
        value_name = "SOLVER",
        required = true,
        help = "Compare this solver: algorithm[:option=value,…][+heuristic]; give --with for each solver"
    )]
    pub(crate) with: Vec<String>,

    /// Generate this many positions, with --depths this many per depth [default: 100]; with --set, use its
    /// first N
    #[arg(long, value_name = "N", value_parser = position_count, allow_hyphen_values = true)]
    pub(crate) count: Option<u64>,

    /// Generate positions by this many random moves [default: drawn uniformly]
    #[arg(long, value_name = "MOVES", value_parser = value_parsers::count, allow_hyphen_values = true)]
    pub(crate) depth: Option<u64>,

    /// Generate positions for each number of random moves in this range, as in 4..12
    #[arg(long, value_name = "FROM..TO", conflicts_with = "depth", value_parser = depths)]
    pub(crate) depths: Option<DepthRange>,

    /// Use this seed; the same seed gives the same positions [default: 1]
    #[arg(long, value_name = "NUMBER", value_parser = value_parsers::count, allow_hyphen_values = true)]
    pub(crate) seed: Option<u64>,

    /// Read positions from a file; `-` is standard input
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["count", "depth", "depths", "seed"],
        value_hint = ValueHint::FilePath
    )]
    pub(crate) file: Option<PathBuf>,

    /// Use a published list of positions with its goal, and show the published results: korf-100 (15-puzzle),
    /// korf-felner-50 (24-puzzle)
    #[arg(
        long,
        value_name = "SET",
        conflicts_with_all = ["depth", "depths", "seed", "file", "kind", "format_in"]
    )]
    pub(crate) set: Option<String>,

    #[command(flatten)]
    pub(crate) format_args: InputFormatArgs,

    /// Stop each search after this time (2.5 seconds, 500ms, 2m)
    #[arg(
        long,
        value_name = "SECONDS",
        value_parser = value_parsers::duration,
        allow_hyphen_values = true,
        help_heading = "Limits"
    )]
    pub(crate) time: Option<Duration>,

    /// Stop each search after this many generated nodes
    #[arg(
        long,
        value_name = "COUNT",
        value_parser = value_parsers::count,
        allow_hyphen_values = true,
        help_heading = "Limits"
    )]
    pub(crate) nodes: Option<u64>,

    /// Use at most this much memory (300M, 2G; powers of 1024) [default: three quarters of the available
    /// memory]
    #[arg(
        long,
        value_name = "SIZE",
        value_parser = value_parsers::memory_size,
        allow_hyphen_values = true,
        help_heading = "Limits"
    )]
    pub(crate) memory: Option<u64>,

    /// Measure on this many threads, or on each of several numbers (1,2,4) [default: all]
    #[arg(
        long,
        value_name = "COUNTS",
        value_delimiter = ',',
        value_parser = value_parsers::threads,
        allow_hyphen_values = true,
        help_heading = "Limits"
    )]
    pub(crate) threads: Vec<usize>,

    /// Measure also all positions as one batch on each number of threads, every search on one thread, with
    /// each of these schedules [default of --threads: 1, 2, 4 … all]
    #[arg(long, value_enum, value_name = "SCHEDULES", value_delimiter = ',', help_heading = "Limits")]
    pub(crate) schedule: Vec<Schedule>,

    /// Print totals only: no lines by solution length or by position
    #[arg(long, help_heading = "Output")]
    pub(crate) summary: bool,

    /// Use this GPU for solvers named gpu-… (`untumble gpu`) [default: the first]
    #[cfg(feature = "gpu")]
    #[arg(long, value_name = "NUMBER", help_heading = "Limits")]
    pub(crate) gpu: Option<usize>,

    #[command(flatten)]
    pub(crate) progress: ProgressArgs,
}

/// Parses a number of positions. Zero is accepted here and rejected later with a specific error.
fn position_count(text: &str) -> Result<u64, String> {
    value_parsers::count(text).map_err(|_| "expected an integer, at least 1".into())
}

/// Parses a range of depths, as in `4..12`.
fn depths(text: &str) -> Result<DepthRange, String> {
    let numbers = text.split_once("..").and_then(|(min, max)| Some((min.parse().ok()?, max.parse().ok()?)));
    match numbers {
        Some((min, max)) if min <= max => Ok(DepthRange { min, max }),
        Some((min, max)) => Err(format!("the range is empty; expected {max}..{min}")),
        None => Err("expected two integers, as in 4..12".into()),
    }
}

/// Parses a number of rounds, from 1 to 1000.
fn rounds(text: &str) -> Result<usize, String> {
    const MAX: usize = 1000;
    text.parse()
        .ok()
        .filter(|rounds| (1..=MAX).contains(rounds))
        .ok_or_else(|| format!("expected a whole number from 1 to {MAX}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_of_depths_includes_both_ends() {
        assert_eq!(depths("4..12"), Ok(DepthRange { min: 4, max: 12 }));
        assert_eq!(depths("7..7"), Ok(DepthRange { min: 7, max: 7 }));
        for text in ["", "4", "4..", "..4", "12..4", "a..b", "-1..4", "4..=12", "1.5..2"] {
            assert!(depths(text).is_err(), "{text} is not a range");
        }
    }
}
