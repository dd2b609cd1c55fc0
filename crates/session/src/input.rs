//! What somebody asks for: a puzzle, a position, a solver.

use std::sync::Arc;

use untumble_puzzles::catalog;
use untumble_search::error::{Diagnostic, Error, PieceKind, PieceRef};
use untumble_search::family::Settings;
use untumble_search::frontend::{ApplyError, DynPuzzle, InputFormat, Parsed, Position};
use untumble_search::moves::Move;
use untumble_search::registry::{AlgorithmInfo, Guarantee};
use untumble_search::runtime::Runtime;
use untumble_search::spec::{HeuristicExpr, Spec, SpecError};

use crate::listing::available;
use crate::problem::{Kind as ProblemKind, Problem};
use crate::session::Session;

/// The puzzle of that name: of a family that was added to the runtime, or a built-in one.
pub fn open(runtime: &Runtime, name: &str, settings: &Settings) -> Result<Arc<dyn DynPuzzle>, Problem> {
    let added = runtime.families.iter().find_map(|family| family.open(name, settings));
    if let Some(opened) = added {
        return opened.map(Arc::from).map_err(Problem::from);
    }
    let opened = catalog::open(name, settings);
    opened.map(Arc::from).map_err(|trouble| match catalog::family(name) {
        // What is wrong with a name and not with a setting is that there is no such thing.
        None => Problem::about(ProblemKind::NotFound, &trouble.diagnostic()),
        Some(_) => trouble.into(),
    })
}

/// The position that a text stands for.
pub fn read(puzzle: &dyn DynPuzzle, text: &str, form: &InputFormat) -> Result<Position, Box<Diagnostic>> {
    match puzzle.parse(text, true, form)? {
        Parsed::Position(position) => Ok(position),
        Parsed::Broken(why) => Err(why),
        Parsed::Nothing | Parsed::More => {
            Err(Box::new(Diagnostic::new("no-position", "the text holds no position")))
        }
    }
}

/// Where moves lead; the first that is not possible is named.
pub fn replay(puzzle: &dyn DynPuzzle, position: &Position, moves: &[Move]) -> Result<Position, Error> {
    puzzle.apply(position, moves).map_err(|error| {
        let at = match error {
            ApplyError::Illegal(at) => at,
            ApplyError::Foreign(error) => return error,
        };
        let before = puzzle.apply(position, &moves[..at]);
        let place = before.map_or_else(|_| String::new(), |before| puzzle.text(&before));
        let place = if place.len() <= 80 { place } else { "that position".into() };
        let (m, count) = (puzzle.format_moves(&moves[at..=at]), moves.len());
        let message = format!("move {} of {count}, `{m}`, is not possible in {place}", at + 1);
        let illegal = PieceRef::new(PieceKind::Move, m, [at]);
        Error::Parse(Box::new(Diagnostic::new("illegal-move", message).about([illegal])))
    })
}

/// The moves that a text stands for, legal one after the other from `position`.
pub fn moves(
    puzzle: &dyn DynPuzzle,
    position: &Position,
    text: &str,
) -> Result<(Vec<Move>, Position), Error> {
    let moves = puzzle.parse_moves(text)?;
    let end = replay(puzzle, position, &moves)?;
    Ok((moves, end))
}

/// Parses and completes a solver text; `None` is `auto`. Errors that need no tables to be built are found here and
/// carry their place in the text.
pub fn solver(
    puzzle: &dyn DynPuzzle,
    runtime: &Runtime,
    text: &str,
    all_solutions: bool,
) -> Result<Option<Spec>, Error> {
    complete(puzzle, runtime, text, all_solutions).map_err(|error| Error::from(error).locate(text))
}

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
        return Ok(None);
    }
    let spec = puzzle.complete(&spec)?;
    let runs = available(puzzle, runtime);
    if !runs.iter().any(|info| info.is_called(&spec.algorithm)) {
        return Err(SpecError::NoDeviceSupport { algorithm: spec.algorithm });
    }
    if all_solutions && puzzle.guarantee(&spec) != Guarantee::Optimal {
        let optimal =
            |info: &AlgorithmInfo| (info.guarantee)(&Spec::plain(&info.name, None)) == Guarantee::Optimal;
        let alternatives = runs.into_iter().filter(optimal).map(|info| info.name.into_owned());
        let (solver, alternatives) = (spec.to_string(), alternatives.collect());
        return Err(SpecError::NotOptimal { solver, alternatives });
    }
    Ok(Some(spec))
}

/// Refuses a solver whose proof cannot be saved.
pub fn resumable(puzzle: &dyn DynPuzzle, runtime: &Runtime, spec: &Spec) -> Result<(), SpecError> {
    let resumable: Vec<AlgorithmInfo> =
        available(puzzle, runtime).into_iter().filter(|info| info.resumable).collect();
    if resumable.iter().any(|info| info.is_called(&spec.algorithm)) {
        return Ok(());
    }
    let alternatives = resumable.into_iter().map(|info| info.name.into_owned()).collect();
    Err(SpecError::NotResumable { solver: spec.to_string(), alternatives })
}

/// The solver that somebody asks for from afar, who does not choose what is read on this machine.
pub fn solver_from_afar(session: &Session, text: &str, all: bool) -> Result<Option<Spec>, Error> {
    let solver = session.solver(text, all)?;
    let without_files = |spec| without_files(&**session.puzzle(), spec).map_err(|error| error.locate(text));
    solver.iter().try_for_each(without_files)?;
    Ok(solver)
}

/// Refuses a solver that would read a file.
fn without_files(puzzle: &dyn DynPuzzle, spec: &Spec) -> Result<(), Error> {
    let heuristics = puzzle.heuristics();
    let reads = |name: &str| heuristics.iter().any(|known| known.reads_file && known.is_called(name));
    spec.heuristic.as_ref().map_or(Ok(()), |bound| refuse_files(bound, &reads))
}

fn refuse_files(bound: &HeuristicExpr, reads: &dyn Fn(&str) -> bool) -> Result<(), Error> {
    match bound {
        HeuristicExpr::Max(parts) => parts.iter().try_for_each(|part| refuse_files(part, reads)),
        HeuristicExpr::Named { name, argument: Some(_) } if reads(name) => {
            Err(SpecError::FileNotAllowed { heuristic: name.clone() }.into())
        }
        HeuristicExpr::Named { .. } => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_refused_wherever_they_are_named() {
        let puzzle = catalog::open("balto-5", &Settings::default()).expect("a known puzzle");
        let refused = |text: &str| {
            let spec = text.parse().expect("a solver's text");
            without_files(&*puzzle, &spec).is_err()
        };
        assert!(refused("beam+learned:/etc/passwd"));
        assert!(refused("beam+max(torus,max(torus,learned:x))"));
        assert!(!refused("beam+learned") && !refused("beam+closed:h2=hamming") && !refused("bfs"));
    }

    #[test]
    fn options_have_sensible_values() {
        let puzzle = catalog::open("cube3", &Settings::default()).expect("a known puzzle");
        let sensible = |text: &str| puzzle.complete(&text.parse().expect("a solver's text")).is_ok();
        for text in ["beam:width=1", "astar:w=1.5", "ida:raise=off", "two-phase:tables=small", "bfs"] {
            assert!(sensible(text), "{text}");
        }
        for text in [
            "beam:width=x",
            "beam:width=0",
            "astar:w=0.5",
            "astar:w=nan",
            "ida:raise=maybe",
            "two-phase:tables=big",
        ] {
            assert!(!sensible(text), "{text}");
        }
    }

    #[test]
    fn nothing_is_no_position() {
        let puzzle = catalog::open("8-puzzle", &Settings::default()).expect("a known puzzle");
        for text in ["", "  \n# nothing", "1 2 3\n4 5 6"] {
            assert!(read(&*puzzle, text, &InputFormat::default()).is_err(), "{text}");
        }
        assert!(read(&*puzzle, "1 2 3\n4 5 6\n7 8 0", &InputFormat::default()).is_ok());
    }
}
