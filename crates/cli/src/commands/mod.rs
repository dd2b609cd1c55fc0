//! The commands, one file each.

#[cfg(feature = "report")]
mod analyze;
mod batch;
#[cfg(feature = "report")]
mod bench;
mod check;
#[cfg(feature = "report")]
mod compare;
mod completions;
#[cfg(test)]
mod damaged_answers_tests;
#[cfg(feature = "gpu")]
mod gpu;
mod heuristics;
mod list;
mod man;
#[cfg(test)]
mod run_identity_tests;
mod scramble;
#[cfg(feature = "serve")]
mod serve;
mod shorten;
mod solve;
mod solve_input;
mod steps;
mod tables;
mod train;

use std::sync::Arc;

use untumble_search::runtime::Runtime;
use untumble_session::cache;
use untumble_session::text::sanitize;

use crate::cli::{Cli, Command};
use crate::exit::{CliError, Exit};
use crate::output;

/// Runs the command and prints its error.
pub(crate) fn run(arguments: Cli) -> Exit {
    let runtime = &runtime(&arguments.command);
    let result = match arguments.command {
        Command::Solve(arguments) => solve::run(&arguments, runtime),
        Command::Batch(arguments) => batch::run(&arguments, runtime),
        #[cfg(feature = "report")]
        Command::Analyze(arguments) => analyze::run(&arguments, runtime),
        #[cfg(feature = "report")]
        Command::Compare(arguments) => compare::run(&arguments, runtime),
        #[cfg(feature = "report")]
        Command::Bench(arguments) => bench::run(&arguments, runtime),
        Command::Check(arguments) => check::run(&arguments),
        Command::Heuristics(arguments) => heuristics::run(&arguments, runtime),
        Command::Shorten(arguments) => shorten::run(&arguments, runtime),
        Command::Scramble(arguments) => scramble::run(&arguments),
        Command::Train(arguments) => train::run(&arguments),
        #[cfg(feature = "serve")]
        Command::Serve(arguments) => serve::run(&arguments, runtime),
        #[cfg(feature = "gpu")]
        Command::Gpu(arguments) => gpu::run(&arguments),
        Command::List(arguments) => list::run(&arguments, runtime),
        Command::Tables(arguments) => tables::run(&arguments, runtime),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Complete(arguments) => completions::run_complete(&arguments),
        Command::Man(arguments) => man::run(&arguments),
    };
    match result {
        Ok(exit) => exit,
        Err(CliError::OutputClosed) => Exit::OutputClosed,
        Err(CliError::Failed { exit, message }) => {
            output::error(&sanitize(&message));
            exit
        }
    }
}

/// The runtime of a command: the tables of the cache folder, the GPU of `--gpu`, all threads.
fn runtime(command: &Command) -> Runtime {
    let runtime = Runtime::default().with_tables(Arc::new(cache::disk()));
    #[cfg(feature = "gpu")]
    let runtime = runtime.with_devices(crate::gpu::provider(command.gpu()));
    #[cfg(not(feature = "gpu"))]
    let _ = command;
    runtime
}
