//! The solver that the command line names.

use untumble_search::catalogued::AnyPuzzle;
use untumble_search::solve::lists_all;
use untumble_search::spec::Spec;
use untumble_search::trouble::did_you_mean;

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
    vet(puzzle, &spec)?;
    if all {
        lists_all(&spec, &puzzle.algorithms())?;
    }
    Ok(Some(spec))
}

/// Refuses a solver that the puzzle does not have.
pub(crate) fn vet(puzzle: &dyn AnyPuzzle, spec: &Spec) -> Result<(), Failure> {
    let algorithms = puzzle.algorithms();
    if !algorithms.iter().any(|known| known.name == spec.algorithm) {
        let near = did_you_mean(&spec.algorithm, algorithms.iter().map(|known| known.name).chain(["auto"]));
        let (name, title) = (&spec.algorithm, puzzle.title());
        // Another puzzle may well have it.
        return Err(Failure::usage(format!(
            "there is no algorithm `{name}` for {title}{near} (`untumble list solvers {title}`)"
        )));
    }
    Ok(puzzle.vet(spec)?)
}
