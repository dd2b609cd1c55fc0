//! untumble: solves permutation puzzles, on the command line.

mod amounts;
mod answer;
mod batch;
mod checkpoint;
mod cli;
mod commands;
mod encoding;
mod exit;
mod explain;
#[cfg(feature = "gpu")]
mod gpu;
mod interrupt;
#[cfg(feature = "report")]
mod measuring;
mod open;
mod output;
mod panics;
mod progress;
mod reading;
#[cfg(feature = "report")]
mod series;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = cli::Cli::read();
    panics::guard(|| commands::run(arguments)).into()
}
