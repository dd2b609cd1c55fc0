//! The solver that the command line names.

use untumble_search::catalogued::AnyPuzzle;
use untumble_search::spec::Spec;

use crate::exit::Failure;

/// The solver asked for; `None` is `auto`. What can be told to be wrong
/// without building tables is told at once.
pub(crate) fn wanted(puzzle: &dyn AnyPuzzle, with: &str, all: bool) -> Result<Option<Spec>, Failure> {
    Ok(untumble_api::solver(puzzle, with, all)?)
}

/// Refuses a solver that the puzzle does not have.
pub(crate) fn vet(puzzle: &dyn AnyPuzzle, spec: &Spec) -> Result<(), Failure> {
    Ok(untumble_api::vet(puzzle, spec)?)
}
