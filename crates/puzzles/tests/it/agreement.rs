//! Solvers that share little code agree, for every kind of goal: pattern databases of several partitions
//! agree with each other, with published lengths and, on rectangles, with Manhattan distance.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use untumble_puzzles::catalog::{PuzzleSettings, open};
use untumble_puzzles::cube::Metric;
use untumble_puzzles::cube3::{Cube, Cube3};
use untumble_search::bounded_dfs::SolutionMode;
use untumble_search::control::{Control, Limits, Silent};
use untumble_search::frontend::{
    DynPuzzle, InputFormat, Parsed, Position, PuzzleFrontend, PuzzleText, Stage,
};
use untumble_search::moves::AutomatonState;
use untumble_search::puzzle::Puzzle;
use untumble_search::runtime::Runtime;
use untumble_search::spec::Spec;

/// An arbitrary goal with the blank off the diagonal, so that boards have no reflection.
const ARBITRARY: &str = "5 1 9 13/2 6 0 14/3 10 7 11/4 8 12 15";
const GOALS: [&str; 4] = ["blank-last", "blank-first", "snail", ARBITRARY];

fn puzzle(name: &str, goal: &str) -> Box<dyn DynPuzzle> {
    let settings = PuzzleSettings { goal: Some(goal.to_owned()), ..PuzzleSettings::default() };
    open(name, &settings).expect("a puzzle with that goal")
}

/// The optimal length; asserts that all solvers prove the same one.
fn optimal_length(puzzle: &dyn DynPuzzle, position: &Position, solvers: &[&str], runtime: &Runtime) -> u32 {
    let mut lengths = solvers.iter().map(|solver| {
        let spec: Spec = solver.parse().expect("a spec");
        let stage = Stage::from(puzzle.complete(&spec).expect(solver));
        let control = || Control::new(Limits { threads: 2, ..Limits::default() }, Arc::new(Silent));
        let prepared = puzzle.prepare(&[stage], runtime, &control()).expect("tables fit");
        let report = prepared.solve(position, &control()).expect("a position of this puzzle").report;
        assert!(report.optimal(), "{solver}: {}", puzzle.text(position));
        (solver, report.best.expect("an optimal solution").cost)
    });
    let (_, first) = lengths.next().expect("a solver");
    for (other, length) in lengths {
        assert_eq!(length, first, "{other} and {}: {}", solvers[0], puzzle.text(position));
    }
    first
}

/// Solves Korf's instances, and random boards for every kind of goal.
fn assert_agreement_on_the_15_puzzle(solvers: &[&str], korf_count: usize, random_count: usize) {
    let runtime = Runtime::default();
    let blank_first = puzzle("15-puzzle", "blank-first");
    for line in include_str!("../golden/korf-15-puzzle.csv").lines().skip(2).take(korf_count) {
        let fields: Vec<&str> = line.split(',').collect();
        let Ok(Parsed::Position(position)) = blank_first.parse(fields[4], true, &InputFormat::default())
        else {
            panic!("{line}")
        };
        let length = optimal_length(&*blank_first, &position, solvers, &runtime);
        assert_eq!(length.to_string(), fields[2], "instance {}", fields[0]);
    }
    for (seed, goal) in GOALS.into_iter().enumerate() {
        let puzzle = puzzle("15-puzzle", goal);
        let mut rng = ChaCha8Rng::seed_from_u64(seed as u64);
        for _ in 0..random_count {
            optimal_length(&*puzzle, &puzzle.scramble(&mut rng, None), solvers, &runtime);
        }
    }
}

#[test]
fn partitions_of_the_15_puzzle_agree() {
    assert_agreement_on_the_15_puzzle(&["ida+pdb:6-6-3", "ida+pdb:5-5-5", "parida+pdb:6-6-3"], 100, 10);
}

/// The largest tables take minutes to build; `./accept` runs this test.
#[test]
#[ignore = "builds tables for a minute or two; ./accept agreement runs it"]
fn the_largest_partition_of_the_15_puzzle_agrees() {
    assert_agreement_on_the_15_puzzle(&["ida+pdb:7-8", "ida+pdb:6-6-3", "ida:raise=off+pdb:7-8"], 100, 40);
}

#[test]
fn rectangles_agree_with_manhattan_distance() {
    let runtime = Runtime::default();
    for (name, depth, partitions) in [
        ("tiles-3x4", None, ["ida+pdb:6-5", "ida+pdb:4-4-3", "parida+pdb:1.2.5/3.4.8"]),
        ("tiles-3x5", Some(60), ["ida+pdb:5-5-4", "ida+pdb:7-7", "parida+pdb:5-5-4"]),
        ("tiles-2x8", Some(60), ["ida+pdb:5-5-5", "ida+pdb:6-6-3", "parida+pdb:5-5-5"]),
        ("tiles-4x5", Some(60), ["ida+pdb:5-5-5-4", "ida+pdb:5-5-5-4", "parida+pdb:5-5-5-4"]),
    ] {
        for (seed, goal) in ["blank-last", "snail"].into_iter().enumerate() {
            let puzzle = puzzle(name, goal);
            let mut rng = ChaCha8Rng::seed_from_u64(seed as u64);
            let solvers: Vec<&str> = ["ida+manhattan"].into_iter().chain(partitions).collect();
            for _ in 0..10 {
                optimal_length(&*puzzle, &puzzle.scramble(&mut rng, depth), &solvers, &runtime);
            }
        }
    }
}

/// All positions within six moves, and every seventh sequence of seven moves.
#[test]
#[ignore = "takes minutes: `./accept agreement` runs it"]
fn the_optimal_heuristic_is_admissible_up_to_7_moves() {
    let cube = Cube3::new(Metric::Htm);
    let built = cube.solver("optimal:table=30MB", &Runtime::default(), &Control::default());
    let solver = built.expect("memory for a table").solver;
    let lower_bound = |position: Cube| {
        let starts = [position];
        solver.bounded_dfs(&cube, &starts, SolutionMode::First).expect("a bounded search").first_bound()
    };
    let mut level = vec![(Cube::SOLVED, AutomatonState::START)];
    for moves in 1..=7 {
        let next = level.iter().flat_map(|&(position, state)| {
            let after = move |m| (position, m, state);
            cube.automaton().allowed(state).into_iter().map(after)
        });
        // The last level is sampled and not kept.
        let (mut kept, mut generated) = (Vec::new(), 0u64);
        for (position, m, state) in next {
            generated += 1;
            if moves == 7 && generated % 7 != 0 {
                continue;
            }
            let child = cube.apply(&position, m);
            assert!(lower_bound(child) <= moves, "{}", cube.text(&child));
            if moves < 7 {
                kept.push((child, cube.automaton().next(state, m)));
            }
        }
        level = kept;
    }
}

/// Scrambles of eight to thirteen moves.
#[test]
#[ignore = "takes minutes: `./accept agreement` runs it"]
fn optimal_agrees_with_pattern_databases() {
    let (puzzle, runtime) =
        (open("cube3", &PuzzleSettings::default()).expect("a puzzle"), Runtime::default());
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    for round in 0..200 {
        let position = puzzle.scramble(&mut rng, Some(8 + round % 6));
        optimal_length(&*puzzle, &position, &["optimal:table=30MB", "parida+max(corners,edges:7)"], &runtime);
    }
}
