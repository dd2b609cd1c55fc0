//! `untumble man`: the manual pages.

use std::fs;
use std::path::Path;

use clap::CommandFactory;
use clap_mangen::Man;

use crate::cli::{self, Cli};
use crate::exit::{CliError, Exit};
use crate::output::{self, Answers};

/// Prints the main page, or writes all pages into a folder.
pub(crate) fn run(arguments: &cli::Man) -> Result<Exit, CliError> {
    match &arguments.out {
        None => print(),
        Some(folder) => write_all(folder),
    }
}

fn print() -> Result<Exit, CliError> {
    let mut page = Vec::new();
    Man::new(Cli::command())
        .render(&mut page)
        .map_err(|error| CliError::environment(format!("the manual page: {error}")))?;
    let mut answers = Answers::new();
    answers.text(&String::from_utf8_lossy(&page))?;
    answers.flush()?;
    Ok(Exit::Success)
}

fn write_all(folder: &Path) -> Result<Exit, CliError> {
    let unwritable = |error| CliError::usage(format!("{}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(unwritable)?;
    let command = Cli::command().disable_help_subcommand(true);
    clap_mangen::generate_to(command, folder).map_err(unwritable)?;
    output::note(&format!("manual pages written to {}", folder.display()));
    Ok(Exit::Success)
}
