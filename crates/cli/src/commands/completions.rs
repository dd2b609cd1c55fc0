//! `untumble completions`: completion scripts for shells.

use clap::CommandFactory;

use crate::cli::{Cli, Completions};
use crate::exit::{CliError, Exit};
use crate::output::Answers;

/// Prints the script.
pub(crate) fn run(arguments: &Completions) -> Result<Exit, CliError> {
    // Written to memory first: the generators panic if a pipe is closed.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "untumble", &mut script);
    let mut answers = Answers::new();
    answers.text(&String::from_utf8_lossy(&script))?;
    answers.flush()?;
    Ok(Exit::Success)
}
