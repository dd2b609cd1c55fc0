//! Solver texts that a caller requests: parsed, completed and checked before any table is built.

use untumble_search::error::Error;
use untumble_search::frontend::DynPuzzle;
use untumble_search::registry::{AlgorithmInfo, Guarantee};
use untumble_search::runtime::Runtime;
use untumble_search::spec::{HeuristicExpr, Spec, SpecError};

use crate::listing::available_algorithms;
use crate::session::Session;

/// Parses and completes a solver text; `None` is `auto`. `all_solutions` requires a solver that guarantees
/// optimality. An error carries its span in the text.
pub fn parse_solver(
    puzzle: &dyn DynPuzzle,
    runtime: &Runtime,
    text: &str,
    all_solutions: bool,
) -> Result<Option<Spec>, Error> {
    complete(puzzle, runtime, text, all_solutions).map_err(|error| Error::from(error).locate(text))
}

/// As [`parse_solver`], without spans in errors.
fn complete(
    puzzle: &dyn DynPuzzle,
    runtime: &Runtime,
    text: &str,
    all_solutions: bool,
) -> Result<Option<Spec>, SpecError> {
    let spec: Spec = text.parse()?;
    if spec.algorithm == "auto" {
        if spec != Spec::plain("auto", None) {
            return Err(SpecError::AutoTakesNothing { text: text.to_owned() });
        }
        // Such as boards too large to be searched.
        if all_solutions && optimal_algorithms(puzzle, runtime).is_empty() {
            return Err(SpecError::NotOptimal { solver: text.to_owned(), alternatives: Vec::new() });
        }
        return Ok(None);
    }
    let spec = puzzle.complete(&spec)?;
    let available = available_algorithms(puzzle, runtime);
    if !available.iter().any(|info| info.is_called(&spec.algorithm)) {
        return Err(SpecError::NoDeviceSupport { algorithm: spec.algorithm });
    }
    if all_solutions && puzzle.guarantee(&spec) != Guarantee::Optimal {
        let alternatives = optimal_algorithms(puzzle, runtime);
        return Err(SpecError::NotOptimal { solver: spec.to_string(), alternatives });
    }
    Ok(Some(spec))
}

/// The algorithms that guarantee optimal solutions.
fn optimal_algorithms(puzzle: &dyn DynPuzzle, runtime: &Runtime) -> Vec<String> {
    let is_optimal =
        |info: &AlgorithmInfo| (info.guarantee)(&Spec::plain(&info.name, None)) == Guarantee::Optimal;
    let available = available_algorithms(puzzle, runtime);
    available.into_iter().filter(is_optimal).map(|info| info.name.into_owned()).collect()
}

/// Returns an error if a checkpoint cannot save the proof of this solver.
pub fn check_resumable(puzzle: &dyn DynPuzzle, runtime: &Runtime, spec: &Spec) -> Result<(), SpecError> {
    let resumable: Vec<AlgorithmInfo> =
        available_algorithms(puzzle, runtime).into_iter().filter(|info| info.resumable).collect();
    if resumable.iter().any(|info| info.is_called(&spec.algorithm)) {
        return Ok(());
    }
    let alternatives = resumable.into_iter().map(|info| info.name.into_owned()).collect();
    Err(SpecError::NotResumable { solver: spec.to_string(), alternatives })
}

/// Parses the solver text of a remote client. Such a client must not name files of this machine.
pub fn parse_remote_solver(
    session: &Session,
    text: &str,
    all_solutions: bool,
) -> Result<Option<Spec>, Error> {
    let solver = session.parse_solver(text, all_solutions)?;
    let check = |spec| check_no_files(&**session.puzzle(), spec).map_err(|error| error.locate(text));
    solver.iter().try_for_each(check)?;
    Ok(solver)
}

/// Returns an error if the solver would read a file.
fn check_no_files(puzzle: &dyn DynPuzzle, spec: &Spec) -> Result<(), Error> {
    let heuristics = puzzle.heuristics();
    let reads_file = |name: &str| heuristics.iter().any(|info| info.reads_file && info.is_called(name));
    spec.heuristic.as_ref().map_or(Ok(()), |expr| check_no_file_arguments(expr, &reads_file))
}

fn check_no_file_arguments(expr: &HeuristicExpr, reads_file: &dyn Fn(&str) -> bool) -> Result<(), Error> {
    match expr {
        HeuristicExpr::Max(parts) => {
            parts.iter().try_for_each(|part| check_no_file_arguments(part, reads_file))
        }
        HeuristicExpr::Named { name, argument: Some(_) } if reads_file(name) => {
            Err(SpecError::FileNotAllowed { heuristic: name.clone() }.into())
        }
        HeuristicExpr::Named { .. } => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use untumble_puzzles::catalog;
    use untumble_search::family::PuzzleSettings;

    #[test]
    fn a_remote_solver_names_no_file_at_any_depth() {
        let puzzle = catalog::open("balto-5", &PuzzleSettings::default()).expect("a known puzzle");
        let refused = |text: &str| {
            let spec = text.parse().expect("a solver text");
            check_no_files(&*puzzle, &spec).is_err()
        };
        assert!(refused("beam+learned:/etc/passwd"));
        assert!(refused("beam+max(torus,max(torus,learned:x))"));
        assert!(!refused("beam+learned") && !refused("beam+closed:h2=hamming") && !refused("bfs"));
    }

    #[test]
    fn option_values_are_validated() {
        let puzzle = catalog::open("cube3", &PuzzleSettings::default()).expect("a known puzzle");
        let accepted = |text: &str| puzzle.complete(&text.parse().expect("a solver text")).is_ok();
        for text in ["beam:width=1", "astar:w=1.5", "ida:raise=off", "two-phase:tables=small", "bfs"] {
            assert!(accepted(text), "{text}");
        }
        for text in [
            "beam:width=x",
            "beam:width=0",
            "astar:w=0.5",
            "astar:w=nan",
            "ida:raise=maybe",
            "two-phase:tables=big",
        ] {
            assert!(!accepted(text), "{text}");
        }
    }
}
