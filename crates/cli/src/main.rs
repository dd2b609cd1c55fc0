//! untumble: solves permutation puzzles, on the command line.

mod amounts;
mod analysis;
mod answer;
mod batch;
mod bench;
mod cache;
mod checkpoint;
mod cli;
mod commands;
mod csv;
mod encoding;
mod exit;
mod figures;
#[cfg(feature = "gpu")]
mod gpu;
mod interrupt;
mod machine;
mod open;
mod output;
mod panics;
mod progress;
mod reading;
mod scrambling;
mod serve;
mod solvers;
mod table;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = cli::Cli::read();
    panics::guard(|| commands::run(arguments)).into()
}
