//! The solver that the command line names.

use untumble_search::frontend::DynPuzzle;
use untumble_search::spec::Spec;

use crate::exit::CliError;

/// The solver asked for; `None` is `auto`. What can be told to be wrong
/// without building tables is told at once.
pub(crate) fn wanted(puzzle: &dyn DynPuzzle, with: &str, all: bool) -> Result<Option<Spec>, CliError> {
    Ok(untumble_session::solver(puzzle, with, all)?)
}
