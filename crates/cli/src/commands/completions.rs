//! `untumble completions`: completion scripts for shells, which know the puzzles and solvers.

use std::collections::BTreeSet;

use clap::builder::PossibleValuesParser;
use clap::{Command, CommandFactory};
use untumble_puzzles::catalog::{self, PuzzleSettings};

use crate::cli::{Cli, Completions};
use crate::exit::{CliError, Exit};
use crate::output::Answers;

/// Prints the script.
pub(crate) fn run(arguments: &Completions) -> Result<Exit, CliError> {
    let mut command = with_values(Cli::command(), &CompletionValues::new());
    // Written to memory first: the generators panic if a pipe is closed.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "untumble", &mut script);
    let mut answers = Answers::new();
    answers.text(&String::from_utf8_lossy(&script))?;
    answers.flush()?;
    Ok(Exit::Success)
}

/// The values that shells offer, from the catalogue and the registries. Other values are accepted, too.
struct CompletionValues {
    puzzles: Vec<String>,
    goals: Vec<String>,
    metrics: Vec<String>,
    solvers: Vec<String>,
}

impl CompletionValues {
    fn new() -> CompletionValues {
        let families = catalog::families();
        let sorted = |values: BTreeSet<String>| values.into_iter().collect::<Vec<_>>();
        let owned = |values: &'static [&'static str]| values.iter().map(|&value| value.to_owned());
        let puzzles = families.iter().flat_map(|family| owned(family.aliases).chain([family.example.into()]));
        let mut solvers = BTreeSet::from(["auto".to_owned()]);
        for family in families {
            let Ok(puzzle) = catalog::open(family.example, &PuzzleSettings::default()) else { continue };
            let heuristics = puzzle.heuristics();
            for algorithm in puzzle.algorithms() {
                if !algorithm.takes_heuristic {
                    solvers.insert(algorithm.name.to_string());
                    continue;
                }
                solvers.extend(heuristics.iter().map(|info| format!("{}+{}", algorithm.name, info.name)));
            }
        }
        CompletionValues {
            puzzles: sorted(puzzles.collect()),
            goals: sorted(families.iter().flat_map(|family| owned(family.goal_names)).collect()),
            metrics: sorted(families.iter().flat_map(|family| owned(family.metrics)).collect()),
            solvers: sorted(solvers),
        }
    }

    /// The values of an argument, by the name of its value in the help.
    fn of(&self, value_name: &str) -> Option<&[String]> {
        match value_name {
            "PUZZLE" => Some(&self.puzzles),
            "GOAL" => Some(&self.goals),
            "METRIC" => Some(&self.metrics),
            "SOLVER" => Some(&self.solvers),
            _ => None,
        }
    }
}

/// The command with the values that shells offer for its arguments. It serves only to generate scripts: as a
/// parser it would refuse all other values.
fn with_values(command: Command, values: &CompletionValues) -> Command {
    // Every argument in order: changing a single one would move it behind the others.
    let command = command.mut_args(|argument| {
        let name = argument.get_value_names().and_then(|names| names.first());
        match name.and_then(|name| values.of(name.as_str())) {
            Some(offered) => argument.value_parser(PossibleValuesParser::new(offered.to_vec())),
            None => argument,
        }
    });
    command.mut_subcommands(|subcommand| with_values(subcommand, values))
}
