//! The commands that measure: what is compared, on which positions, how it is told.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};
use untumble_report::DepthRange;

use super::{Progress, Puzzle, Reading};
use crate::amounts;

/// Compare solvers on the same positions, in a table by solution length
#[derive(Args, Debug)]
#[command(after_help = "\
Every solver gets the same positions, in turn; tables are built before and timed apart, and a search
that runs into a limit spoils no other. Times and nodes are averaged over the positions that a solver
solved, lengths over all solutions that it found; the length of a group is that of the best solution
any of them found.

Examples:
  untumble compare 8-puzzle --with bfs --with astar+manhattan --count 100
  untumble compare 15-puzzle --with ida+manhattan --with ida+walking --depths 20..30 --count 10
  untumble compare 15-puzzle --with parida+walking --threads 1,2 --file boards.txt --time 10

Exit codes: 0 measured, 2 wrong usage, 3 some line is no position, 4 some position cannot be solved,
            5 some search was stopped by a limit, 130 interrupted (what is done is still shown)")]
pub(crate) struct Compare {
    #[command(flatten)]
    pub(crate) measured: Measured,

    /// Print one line of JSON
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

/// Compare solvers and write tables, charts and a report
#[derive(Args, Debug)]
#[command(after_help = "\
Writes report.html (one file, works without a network, prints), results.csv (a row for each position
and solver), results.json, and every chart as SVG and PNG. Rows are kept while it runs: after an
interruption --resume goes on where it stopped.

Examples:
  untumble analyze 8-puzzle --with bfs --with parbfs --with astar+manhattan --count 1000 --out study
  untumble analyze 15-puzzle --with parida+walking --threads 1,2,4 --count 20 --out threads
  untumble analyze 8-puzzle --with bfs --with astar+manhattan --count 1000 --out study --resume

Exit codes: 0 written, 1 the files could not be written, 2 wrong usage, 3 some line is no position,
            4 some position cannot be solved, 5 some search was stopped by a limit,
            130 interrupted (--resume goes on)")]
pub(crate) struct Analyze {
    #[command(flatten)]
    pub(crate) measured: Measured,

    /// Write into this folder, which is made where it is missing
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, help_heading = "Output")]
    pub(crate) out: PathBuf,

    /// Go on with what an interrupted run left in the folder
    #[arg(long, conflicts_with = "force", help_heading = "Output")]
    pub(crate) resume: bool,

    /// Replace the results of an earlier run
    #[arg(long, help_heading = "Output")]
    pub(crate) force: bool,
}

/// Measure a named suite of searches, and compare with a saved run
#[derive(Args, Debug)]
#[command(after_help = "\
Without a name it lists the suites. Every case is measured several times; median,
least and most are over these rounds. One thread is measured in CPU time, several in time on the
wall. A ratio is called noise unless every round of one run was faster by 5 % than every round of
the other, three rounds at least.

Examples:
  untumble bench
  untumble bench 8-puzzle --save before.json
  untumble bench 8-puzzle --against before.json

Exit codes: 0 measured, 1 the figures could not be saved, 2 wrong usage, 130 interrupted")]
pub(crate) struct Bench {
    /// Measure this suite
    #[arg(value_name = "SUITE")]
    pub(crate) suite: Option<String>,

    /// Measure every case so many times, after one that does not count
    #[arg(long, value_name = "N", default_value = "5", value_parser = rounds, allow_hyphen_values = true)]
    pub(crate) rounds: usize,

    /// Measure this graphics processor where a solver is called gpu-… (`untumble gpu`); the first where not given
    #[cfg(feature = "gpu")]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) gpu: Option<usize>,

    /// Compare with the figures of this file
    #[arg(long, value_name = "FILE", requires = "suite", value_hint = ValueHint::FilePath)]
    pub(crate) against: Option<PathBuf>,

    /// Keep the figures in this file
    #[arg(long, value_name = "FILE", requires = "suite", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub(crate) save: Option<PathBuf>,

    /// Print one line of JSON
    #[arg(long, requires = "suite", help_heading = "Output")]
    pub(crate) json: bool,

    /// Show progress on standard error: a bar on a terminal (auto), also elsewhere (bar), events
    /// (json), nothing (none)
    #[arg(long, value_enum, value_name = "HOW", default_value = "auto", help_heading = "Output")]
    pub(crate) progress: Progress,
}

/// Who is compared on what.
#[derive(Args, Debug)]
pub(crate) struct Measured {
    #[command(flatten)]
    pub(crate) puzzle: Puzzle,

    #[arg(
        long,
        value_name = "SOLVER",
        required = true,
        help = "Compare this, as often as there are solvers: algorithm[:option=value,…][+heuristic]"
    )]
    pub(crate) with: Vec<String>,

    /// Make this many positions [default: 100]; with --depths this many for each depth
    #[arg(long, value_name = "N", value_parser = several, allow_hyphen_values = true)]
    pub(crate) count: Option<u64>,

    /// Make positions by this many random moves; without it they are drawn uniformly
    #[arg(long, value_name = "MOVES", value_parser = amounts::count, allow_hyphen_values = true)]
    pub(crate) depth: Option<u64>,

    /// Make positions for each number of random moves from the first to the last, as in 4..12
    #[arg(long, value_name = "FROM..TO", conflicts_with = "depth", value_parser = depths)]
    pub(crate) depths: Option<DepthRange>,

    /// Draw other positions; the same seed gives the same ones [default: 1]
    #[arg(long, value_name = "NUMBER", value_parser = amounts::count, allow_hyphen_values = true)]
    pub(crate) seed: Option<u64>,

    /// Read the positions of a file; `-` reads standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["count", "depth", "depths", "seed"], value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: Reading,

    /// Stop each search after this long (2.5 seconds, 500ms, 2m)
    #[arg(long, value_name = "SECONDS", value_parser = amounts::time, allow_hyphen_values = true, help_heading = "Limits")]
    pub(crate) time: Option<Duration>,

    /// Stop each search after this many generated nodes
    #[arg(long, value_name = "COUNT", value_parser = amounts::count, allow_hyphen_values = true, help_heading = "Limits")]
    pub(crate) nodes: Option<u64>,

    /// Never use more memory (300M, 2G; powers of 1024); three quarters of what is free where not given
    #[arg(long, value_name = "SIZE", value_parser = amounts::size, allow_hyphen_values = true, help_heading = "Limits")]
    pub(crate) memory: Option<u64>,

    /// Measure on this many threads, or on each of several numbers (1,2,4); all where not given
    #[arg(
        long,
        value_name = "COUNTS",
        value_delimiter = ',',
        value_parser = amounts::threads,
        allow_hyphen_values = true,
        help_heading = "Limits"
    )]
    pub(crate) threads: Vec<usize>,

    /// Search on this graphics processor where a solver is called gpu-… (`untumble gpu`); the first where not given
    #[cfg(feature = "gpu")]
    #[arg(long, value_name = "NUMBER", help_heading = "Limits")]
    pub(crate) gpu: Option<usize>,

    /// Show progress on standard error: a bar on a terminal (auto), also elsewhere (bar), events
    /// (json), nothing (none)
    #[arg(long, value_enum, value_name = "HOW", default_value = "auto", help_heading = "Output")]
    pub(crate) progress: Progress,
}

/// Reads a number of positions; that none are too few is told where they are made.
fn several(text: &str) -> Result<u64, String> {
    amounts::count(text).map_err(|_| "expected a whole number, at least 1".into())
}

/// Reads `4..12`.
fn depths(text: &str) -> Result<DepthRange, String> {
    let numbers =
        text.split_once("..").and_then(|(least, most)| Some((least.parse().ok()?, most.parse().ok()?)));
    match numbers {
        Some((least, most)) if least <= most => Ok(DepthRange { min: least, max: most }),
        Some((least, most)) => Err(format!("from {least} down to {most}; expected {most}..{least}")),
        None => Err("expected two whole numbers, as in 4..12".into()),
    }
}

/// Reads a number of rounds.
fn rounds(text: &str) -> Result<usize, String> {
    const MOST: usize = 1000;
    text.parse()
        .ok()
        .filter(|rounds| (1..=MOST).contains(rounds))
        .ok_or_else(|| format!("expected a whole number from 1 to {MOST}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_read_with_both_ends() {
        assert_eq!(depths("4..12"), Ok(DepthRange { min: 4, max: 12 }));
        assert_eq!(depths("7..7"), Ok(DepthRange { min: 7, max: 7 }));
        for text in ["", "4", "4..", "..4", "12..4", "a..b", "-1..4", "4..=12", "1.5..2"] {
            assert!(depths(text).is_err(), "{text} is no range");
        }
    }
}
