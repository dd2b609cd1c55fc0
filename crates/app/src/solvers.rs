//! The solver that the command line names.

use untumble_search::catalogued::AnyPuzzle;
use untumble_search::solve::lists_all;
use untumble_search::spec::Spec;

use crate::exit::Failure;

/// The solver asked for; `None` is `auto`. What can be told to be wrong
/// without building tables is told at once.
pub(crate) fn wanted(puzzle: &dyn AnyPuzzle, with: &str, all: bool) -> Result<Option<Spec>, Failure> {
    let spec: Spec = with.parse()?;
    if spec.algorithm == "auto" {
        if spec != Spec::plain("auto", None) {
            return Err(Failure::usage(format!(
                "solver `{with}`: auto chooses options and heuristic itself; say auto alone, or name an algorithm (`untumble list solvers`)"
            )));
        }
        return Ok(None);
    }
    puzzle.vet(&spec)?;
    if all {
        lists_all(&spec, &puzzle.algorithms())?;
    }
    Ok(Some(spec))
}
