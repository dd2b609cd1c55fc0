//! Tunneling (iterative shortening of a given solution) on built-in puzzles.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use untumble_puzzles::catalog::{self, PuzzleSettings};
use untumble_search::control::{Control, Limits, Silent};
use untumble_search::frontend::{DynPuzzle, Position, Stage, below};
use untumble_search::moves::Move;
use untumble_search::runtime::Runtime;
use untumble_search::spec::Spec;

use std::sync::Arc;

/// A random position with a solution of `length` moves without immediate undos. `names` lists each move
/// next to its inverse.
fn position_with_long_solution(
    puzzle: &dyn DynPuzzle,
    names: &[&str],
    length: usize,
    rng: &mut ChaCha8Rng,
) -> (Position, Vec<Move>) {
    let moves: Vec<Move> = names.iter().map(|name| puzzle.parse_moves(name).expect("a move")[0]).collect();
    let inverse = |m: Move| moves[moves.iter().position(|&other| other == m).expect("known") ^ 1];
    let (mut position, mut path): (_, Vec<Move>) = (puzzle.solved(), Vec::new());
    while path.len() < length {
        let m = moves[below(rng, moves.len())];
        if path.first() == Some(&m) {
            continue;
        }
        if let Ok(next) = puzzle.apply(&position, &[m]) {
            position = next;
            path.insert(0, inverse(m));
        }
    }
    (position, path)
}

fn stage(puzzle: &dyn DynPuzzle, solver: &str) -> Stage {
    puzzle.complete(&solver.parse::<Spec>().expect("a solver")).expect(solver).into()
}

/// The length of `path` after the tunnel solver has shortened it.
fn shortened_length(puzzle: &dyn DynPuzzle, position: &Position, path: &[Move], limits: Limits) -> usize {
    let control = Control::new(limits, Arc::new(Silent));
    assert_eq!(puzzle.offer(position, path, &control), Ok(true), "a solution");
    let stages = [stage(puzzle, "tunnel")];
    let prepared = puzzle.prepare(&stages, &Runtime::default(), &control).expect("no limit");
    let answer = prepared.solve(position, &control).expect("a position of this puzzle");
    answer.report.best.expect("at least the given solution").moves.len()
}

/// The optimal length according to `solver`.
fn optimal_length(puzzle: &dyn DynPuzzle, position: &Position, solver: &str) -> usize {
    let stages = [stage(puzzle, solver)];
    let prepared = puzzle.prepare(&stages, &Runtime::default(), &Control::default()).expect("no limit");
    let report = prepared.solve(position, &Control::default()).expect("a position of this puzzle").report;
    assert!(report.optimal());
    report.best.expect("solved").moves.len()
}

#[test]
fn tunneling_reaches_the_optimum_on_the_8_puzzle() {
    let puzzle = catalog::open("8-puzzle", &PuzzleSettings::default()).expect("a puzzle");
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for length in [1, 2, 3, 20, 51, 100, 200] {
        let (position, path) = position_with_long_solution(&*puzzle, &["U", "D", "L", "R"], length, &mut rng);
        let limits = Limits { threads: 2, ..Limits::default() };
        let moves = shortened_length(&*puzzle, &position, &path, limits);
        assert_eq!(moves, optimal_length(&*puzzle, &position, "astar+manhattan"), "{length}");
    }
}

#[test]
fn tunneling_shortens_long_solutions_of_the_15_puzzle() {
    let puzzle = catalog::open("15-puzzle", &PuzzleSettings::default()).expect("a puzzle");
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let (position, path) = position_with_long_solution(&*puzzle, &["U", "D", "L", "R"], 200, &mut rng);
    let limits = Limits { nodes: Some(8_000_000), ..Limits::default() };
    let moves = shortened_length(&*puzzle, &position, &path, limits);
    assert!(moves <= 140, "200 moves shortened to {moves}");
    assert!(moves >= optimal_length(&*puzzle, &position, "ida+linear-conflict"));
}

#[test]
fn tunneling_nearly_reaches_the_optimum_on_the_pocket_cube() {
    let puzzle = catalog::open("cube2", &PuzzleSettings::default()).expect("a puzzle");
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for length in [5, 30] {
        let (position, path) =
            position_with_long_solution(&*puzzle, &["U", "U'", "R", "R'", "F", "F'"], length, &mut rng);
        let moves = shortened_length(&*puzzle, &position, &path, Limits::default());
        let optimal = optimal_length(&*puzzle, &position, "bibfs");
        let limit = optimal.max(path.len().min(12));
        assert!((optimal..=limit).contains(&moves), "{moves} moves, optimal {optimal}");
    }
}
