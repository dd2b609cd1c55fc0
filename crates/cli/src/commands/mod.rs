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
#[cfg(feature = "gpu")]
mod gpu;
#[cfg(test)]
mod identity;
mod list;
mod man;
mod scramble;
#[cfg(feature = "serve")]
mod serve;
mod shorten;
mod solve;
mod tables;
mod train;

use std::sync::Arc;

use untumble_search::runtime::Runtime;
use untumble_session::cache;
use untumble_session::text::sanitize;

use crate::cli::{Cli, Command};
use crate::exit::{CliError, Exit};
use crate::output;

/// Runs the command that was asked for and says what went wrong.
pub(crate) fn run(arguments: Cli) -> Exit {
    let runtime = &runtime(&arguments.command);
    let done = match arguments.command {
        Command::Solve(arguments) => solve::run(&arguments, runtime),
        Command::Batch(arguments) => batch::run(&arguments, runtime),
        #[cfg(feature = "report")]
        Command::Analyze(arguments) => analyze::run(&arguments, runtime),
        #[cfg(feature = "report")]
        Command::Compare(arguments) => compare::run(&arguments, runtime),
        #[cfg(feature = "report")]
        Command::Bench(arguments) => bench::run(&arguments, runtime),
        Command::Check(arguments) => check::run(&arguments),
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
        Command::Man(arguments) => man::run(&arguments),
    };
    match done {
        Ok(exit) => exit,
        Err(CliError::OutputClosed) => Exit::Solved,
        Err(CliError::Told { exit, message }) => {
            output::error(&sanitize(&message));
            exit
        }
    }
}

/// Tables of the cache folder, the graphics processor that was asked for, all threads.
fn runtime(command: &Command) -> Runtime {
    let runtime = Runtime::default().with_tables(Arc::new(cache::disk()));
    #[cfg(feature = "gpu")]
    let runtime = runtime.with_devices(crate::gpu::provider(command.gpu()));
    #[cfg(not(feature = "gpu"))]
    let _ = command;
    runtime
}
