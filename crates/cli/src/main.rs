//! The program `untumble`: solves permutation puzzles on the command line.

mod answer;
mod batch;
mod checkpoint;
mod cli;
mod commands;
#[cfg(feature = "report")]
mod comparison;
mod completion;
mod encoding;
mod exit;
mod exit_table;
mod explain;
#[cfg(feature = "gpu")]
mod gpu;
mod input_text;
mod interrupt;
#[cfg(feature = "report")]
mod measurement_progress;
mod output;
mod panics;
mod position_reader;
#[cfg(feature = "report")]
mod position_set;
mod progress;
mod puzzle_input;
mod puzzle_set;
mod standard_output;
mod value_parsers;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = cli::Cli::from_args();
    panics::guard(|| commands::run(arguments)).into()
}
