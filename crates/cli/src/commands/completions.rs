//! `untumble completions`: a script that lets a shell finish what is typed.

use clap::CommandFactory;

use crate::cli::{Cli, Completions};
use crate::exit::{CliError, Exit};
use crate::output::Answers;

/// Prints the script.
pub(crate) fn run(arguments: &Completions) -> Result<Exit, CliError> {
    // Written to memory first: the generators panic where a pipe closes.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "untumble", &mut script);
    let mut answers = Answers::new();
    answers.text(&String::from_utf8_lossy(&script))?;
    answers.flush()?;
    Ok(Exit::Solved)
}
