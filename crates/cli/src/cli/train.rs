//! The arguments of `train`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};

use super::{Progress, Puzzle};
use crate::amounts;

/// Learn weights that rank positions, for beams
#[derive(Args, Debug)]
#[command(after_help = "\
Beams solve random positions; weights are fitted that rank the states which led to a solution
before those that lay beside them; beams run again with the new weights, until nothing is gained
or the budget is spent. The file holds the best weights so far from the first round on.

Examples:
  untumble train balto-6 --budget 60 --out six.weights
  untumble solve balto-6 --file board.txt --with beam:width=10000+learned:six.weights
  untumble train balto-7 --from six.weights --budget 5m --out seven.weights
  untumble train tiles-8x8 --budget 2m --out eight.weights

Exit codes: 0 learned, 1 the file could not be written, 2 wrong usage, 3 --from holds no such
            weights, 130 interrupted (the best weights so far are kept)")]
pub(crate) struct Train {
    #[command(flatten)]
    pub(crate) puzzle: Puzzle,

    /// Learn for about this long (60 seconds, 5m)
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = amounts::time, allow_hyphen_values = true)]
    pub(crate) budget: Duration,

    /// Write the weights to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) out: PathBuf,

    /// Replace the file of --out where it exists
    #[arg(long)]
    pub(crate) force: bool,

    /// Begin with the weights of this file instead of those that ship
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) from: Option<PathBuf>,

    /// Keep this many states of each level in beams
    #[arg(long, value_name = "N", default_value = "500", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) width: u64,

    /// Draw the positions of this seed
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = amounts::count, allow_hyphen_values = true)]
    pub(crate) seed: u64,

    /// Never use more memory (300M, 2G; powers of 1024); three quarters of what is free where not given
    #[arg(long, value_name = "SIZE", value_parser = amounts::size, allow_hyphen_values = true, help_heading = "Limits")]
    pub(crate) memory: Option<u64>,

    /// Use this many threads; all where not given
    #[arg(long, value_name = "COUNT", value_parser = amounts::threads, allow_hyphen_values = true, help_heading = "Limits")]
    pub(crate) threads: Option<usize>,

    /// Print one line of JSON for each round
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Show progress on standard error: a bar on a terminal (auto), also elsewhere (bar), events
    /// (json), nothing (none)
    #[arg(long, value_enum, value_name = "HOW", default_value = "auto", help_heading = "Output")]
    pub(crate) progress: Progress,
}
