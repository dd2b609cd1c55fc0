//! `untumble completions`: completion scripts for shells; and the hidden command `complete`, which the
//! scripts run.

use clap::{Command, CommandFactory};
use clap_complete::Shell;

use crate::cli::{Cli, Complete, Completions};
use crate::completion::{Completion, complete};
use crate::exit::{CliError, Exit};
use crate::output::Answers;

/// Prints the script.
pub(crate) fn run(arguments: &Completions) -> Result<Exit, CliError> {
    let mut answers = Answers::new();
    match arguments.shell {
        Shell::Bash => answers.text(include_str!("../completion/untumble.bash"))?,
        Shell::Zsh => answers.text(include_str!("../completion/untumble.zsh"))?,
        Shell::Fish => answers.text(include_str!("../completion/untumble.fish"))?,
        // Only commands and flags.
        shell => {
            // Written to memory first: the generators panic if a pipe is closed.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut visible(&Cli::command()), "untumble", &mut script);
            answers.text(&String::from_utf8_lossy(&script))?;
        }
    }
    answers.flush()?;
    Ok(Exit::Success)
}

/// The command without hidden subcommands.
fn visible(command: &Command) -> Command {
    let subcommands: Vec<Command> =
        command.get_subcommands().filter(|command| !command.is_hide_set()).cloned().collect();
    let mut visible = Command::new("untumble").version(env!("CARGO_PKG_VERSION"));
    for argument in command.get_arguments() {
        visible = visible.arg(argument.clone());
    }
    visible.subcommands(subcommands)
}

/// Prints the completions of the last word, one on each line: the word, a tab and a description. `:file N`
/// or `:folder N` leaves the completion of a path, from byte N of the word, to the shell.
pub(crate) fn run_complete(arguments: &Complete) -> Result<Exit, CliError> {
    let words: Vec<String> = arguments.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let mut answers = Answers::new();
    match complete(Cli::command(), &words) {
        Completion::File(start) => answers.line(&format!(":file {start}"))?,
        Completion::Folder(start) => answers.line(&format!(":folder {start}"))?,
        Completion::Words(candidates) => {
            for candidate in candidates {
                answers.line(&format!("{}\t{}", candidate.word, candidate.what))?;
            }
        }
    }
    answers.flush()?;
    Ok(Exit::Success)
}
