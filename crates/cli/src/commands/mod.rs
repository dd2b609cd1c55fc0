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
mod list;
mod man;
mod scramble;
#[cfg(feature = "serve")]
mod serve;
mod shorten;
mod solve;
mod tables;
mod train;

use untumble_session::text::sanitize;

use crate::cli::{Cli, Command};
use crate::exit::{CliError, Exit};
use crate::output;

/// Runs the command that was asked for and says what went wrong.
pub(crate) fn run(arguments: Cli) -> Exit {
    #[cfg(feature = "gpu")]
    crate::gpu::register(arguments.command.gpu());
    let done = match arguments.command {
        Command::Solve(arguments) => solve::run(&arguments),
        Command::Batch(arguments) => batch::run(&arguments),
        #[cfg(feature = "report")]
        Command::Analyze(arguments) => analyze::run(&arguments),
        #[cfg(feature = "report")]
        Command::Compare(arguments) => compare::run(&arguments),
        #[cfg(feature = "report")]
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Shorten(arguments) => shorten::run(&arguments),
        Command::Scramble(arguments) => scramble::run(&arguments),
        Command::Train(arguments) => train::run(&arguments),
        #[cfg(feature = "serve")]
        Command::Serve(arguments) => serve::run(&arguments),
        #[cfg(feature = "gpu")]
        Command::Gpu(arguments) => gpu::run(&arguments),
        Command::List(arguments) => list::run(&arguments),
        Command::Tables(arguments) => tables::run(&arguments),
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
