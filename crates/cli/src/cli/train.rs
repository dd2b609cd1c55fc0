//! The arguments of `train`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};

use super::{ProgressArgs, Puzzle, Resources};
use crate::exit_table;
use crate::value_parsers;

/// Train the weights of the heuristic `learned`
#[derive(Args, Debug)]
#[command(after_help = exit_table::append("train", "\
Beam searches solve random positions. Weights are fitted that rank the states on solution paths
before the other states of their beam levels, and the beams run again with the new weights, until
there is no improvement or the budget is spent. From the first round on, the file holds the best
weights so far.

Examples:
  untumble train balto-6 --budget 60 --out six.weights
  untumble solve balto-6 --file board.txt --with beam:width=10000+learned:six.weights
  untumble train balto-7 --from six.weights --budget 5m --out seven.weights
  untumble train tiles-8x8 --budget 2m --out eight.weights
  untumble train balto-6 --widths 250,500,1000 --samples 4 --out six.weights"))]
pub(crate) struct Train {
    #[command(flatten)]
    pub(crate) puzzle: Puzzle,

    /// Train for about this time (60 seconds, 5m)
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "60",
        value_parser = value_parsers::duration,
        allow_hyphen_values = true
    )]
    pub(crate) budget: Duration,

    /// Write the weights to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) out: PathBuf,

    /// Replace the file of --out if it exists
    #[arg(long)]
    pub(crate) force: bool,

    /// Start from the weights in this file [default: the built-in weights]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) from: Option<PathBuf>,

    /// Keep this many states per beam level
    #[arg(
        long,
        value_name = "N",
        default_value = "500",
        value_parser = clap::value_parser!(u64).range(1..=1_000_000)
    )]
    width: u64,

    /// Use these widths (500,1000,2000) in turn for the searches that states are sampled from; the
    /// mean length is measured with the first
    #[arg(
        long,
        value_name = "N,N,…",
        value_delimiter = ',',
        num_args = 1,
        conflicts_with = "width",
        value_parser = clap::value_parser!(u64).range(1..=1_000_000)
    )]
    widths: Vec<u64>,

    /// Sample this many states of each beam level, on average, in every search
    #[arg(
        long,
        value_name = "N",
        default_value = "2",
        value_parser = clap::value_parser!(u64).range(1..=100)
    )]
    pub(crate) samples: u64,

    /// Use this seed for the positions
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "1",
        value_parser = value_parsers::count,
        allow_hyphen_values = true
    )]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) resources: Resources,

    /// Print one line of JSON per round
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) progress: ProgressArgs,
}

impl Train {
    /// The widths of the beam searches, at least one.
    pub(crate) fn widths(&self) -> &[u64] {
        if self.widths.is_empty() { std::slice::from_ref(&self.width) } else { &self.widths }
    }
}
