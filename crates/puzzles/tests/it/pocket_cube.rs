//! The pocket cube: all positions, heuristics and solvers.

use std::collections::HashMap;
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use untumble_puzzles::cube::{Metric, Stickers, Turn};
use untumble_puzzles::cube2::full::FullTable;
use untumble_puzzles::cube2::tiny::{BUCKETS, TinyTable};
use untumble_puzzles::cube2::{Corners, Cube2, Manhattan, TWISTS};
use untumble_search::control::{Control, Limits, Silent};
use untumble_search::error::Error;
use untumble_search::frontend::{InputFormat, Parsed, PuzzleFrontend, PuzzleText, below};
use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::laws;
use untumble_search::moves::Move;
use untumble_search::puzzle::{Cost, Puzzle, Ranked};
use untumble_search::ranked::{distance_histogram, distances};
use untumble_search::report::Outcome;
use untumble_search::runtime::Runtime;
use untumble_search::solve::Solver;
use untumble_search::tables::InMemory;

const METRICS: [Metric; 2] = [Metric::Htm, Metric::Qtm];
/// The published number of positions at each distance in the half-turn metric.
const HTM: [u64; 12] = [1, 9, 54, 321, 1847, 9992, 50136, 227_536, 870_072, 1_887_748, 623_800, 2644];
/// The published number of positions at each distance in the quarter-turn metric.
const QTM: [u64; 15] =
    [1, 6, 27, 120, 534, 2256, 8969, 33058, 114_149, 360_508, 930_588, 1_350_852, 782_536, 90_280, 276];

fn rng() -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(2)
}

fn control(threads: usize, all: bool) -> Control {
    Control::new(Limits { threads, ..Limits::default() }, Arc::new(Silent)).with_all_solutions(all)
}

fn full(cube: &Cube2) -> FullTable {
    FullTable::new(cube, &InMemory::default(), &Control::default()).expect("no limit")
}

/// The exact distance of every position.
fn truth(cube: &Cube2, full: &FullTable) -> HashMap<Corners, Cost> {
    let all = (0..cube.count()).map(|rank| cube.unrank(rank));
    all.map(|corners| (corners, full.distance(corners).expect("solvable"))).collect()
}

fn solver(cube: &Cube2, name: &str) -> Box<dyn Solver<Cube2>> {
    cube.solver(name, &Runtime::default(), &Control::default()).expect(name).solver
}

#[test]
fn distances_have_the_published_distribution() {
    for threads in [1, 2] {
        let histogram = |metric| {
            distance_histogram(&distances(&Cube2::new(metric), &control(threads, false)).expect("no limit"))
        };
        assert_eq!(histogram(Metric::Htm), HTM);
        assert_eq!(histogram(Metric::Qtm), QTM);
    }
}

#[test]
fn the_table_agrees_with_breadth_first_search_on_every_position() {
    for metric in METRICS {
        let cube = Cube2::new(metric);
        let (full, truth) = (full(&cube), distances(&cube, &control(2, false)).expect("no limit"));
        for (rank, &distance) in truth.iter().enumerate() {
            let corners = cube.unrank(rank as u64);
            assert_eq!(full.distance(corners), Some(distance.into()), "{metric:?} {corners:?}");
            let child =
                full.shortest_path(&cube, corners).next().map(|m| cube.rank(&cube.apply(&corners, m)));
            let expected = (distance > 0).then(|| distance - 1);
            assert_eq!(child.map(|rank| truth[rank as usize]), expected, "{metric:?} {corners:?}");
        }
    }
}

#[test]
fn the_puzzle_and_its_heuristics_satisfy_the_laws() {
    for metric in METRICS {
        let cube = Cube2::new(metric);
        laws::puzzle(&cube, &mut rng());
        laws::ranked(&cube, &mut rng());
        let full = full(&cube);
        laws::heuristic(&cube, &full, &mut rng());
        laws::heuristic_walker(&cube, &full, &mut rng());
        let tiny =
            TinyTable::new(&cube, BUCKETS, &InMemory::default(), &Control::default()).expect("no limit");
        laws::heuristic(&cube, &tiny, &mut rng());
        laws::admissible(&cube, &tiny, &truth(&cube, &full));
        assert_eq!(tiny.admissibility(), Admissibility::Admissible);
        let tinier =
            TinyTable::new(&cube, 1001, &InMemory::default(), &Control::default()).expect("no limit");
        laws::heuristic(&cube, &tinier, &mut rng());
        laws::admissible(&cube, &tinier, &truth(&cube, &full));
        let manhattan = Manhattan::new(&cube);
        laws::heuristic(&cube, &manhattan, &mut rng());
        laws::admissible(&cube, &manhattan, &truth(&cube, &full));
        let bound = |rank| f64::from(tiny.cost(&tiny.start(&cube, &cube.unrank(rank))));
        let mean = (0..cube.count()).map(bound).sum::<f64>() / cube.count() as f64;
        assert!(mean >= if metric == Metric::Htm { 7.6 } else { 9.1 }, "{mean}");
    }
}

#[test]
fn moves_agree_with_moves_of_stickers() {
    for metric in METRICS {
        let cube = Cube2::new(metric);
        let mut stickers = Stickers::<2>::solved();
        for (corners, m) in laws::random_walk(&cube, 300, &mut rng()) {
            let text: String = stickers.colours.iter().map(|colour| colour.letter()).collect();
            assert_eq!(cube.text(&corners), text);
            let parsed = cube.parse(&text, true, &InputFormat::default());
            assert_eq!(parsed, Ok(Parsed::Position(corners)));
            let (face, quarters) = cube.turns().all()[m.index()];
            stickers = stickers.apply(Turn::outer(face, quarters));
        }
    }
}

/// The positions at the maximum distance in the half-turn metric.
fn antipodes(cube: &Cube2, full: &FullTable) -> Vec<Corners> {
    let all = (0..cube.count()).map(|rank| cube.unrank(rank));
    all.filter(|&corners| full.distance(corners) == Some(11)).collect()
}

#[test]
fn all_2644_antipodes_take_11_moves_with_every_solver() {
    let cube = Cube2::new(Metric::Htm);
    let full = full(&cube);
    let antipodes = antipodes(&cube, &full);
    assert_eq!(antipodes.len(), 2644);
    let truth: HashMap<Corners, Cost> = antipodes.iter().map(|&corners| (corners, 11)).collect();
    for (name, step) in [
        ("table", 1),
        ("ida+full", 1),
        ("ida+tiny", 1),
        ("ida:raise=off+tiny", 1),
        ("astar+tiny", 40),
        ("bibfs", 40),
        ("parida+tiny", 100),
    ] {
        let solver = solver(&cube, name);
        for position in antipodes.iter().step_by(step) {
            laws::solver_is_optimal(&cube, &*solver, position, &truth, &control(2, false), name);
        }
    }
}

#[test]
fn solvers_are_optimal_on_random_positions() {
    for metric in METRICS {
        let cube = Cube2::new(metric);
        let (full, mut rng) = (full(&cube), rng());
        let positions: Vec<Corners> = (0..1000).map(|_| cube.random(&mut rng)).collect();
        let known = |corners: &Corners| (*corners, full.distance(*corners).expect("solvable"));
        let truth: HashMap<Corners, Cost> = positions.iter().map(known).collect();
        for (name, count) in [
            ("table", 1000),
            ("ida+full", 1000),
            ("ida+tiny", 1000),
            ("ida:raise=off+tiny", 200),
            ("parida+tiny", 50),
            ("astar+tiny", 100),
            ("parastar+max(tiny,full)", 20),
            ("bibfs", 50),
            ("bfs", 1),
            ("parbfs", 1),
            ("uniform", 1),
        ] {
            let solver = solver(&cube, name);
            for position in positions.iter().take(count) {
                laws::solver_is_optimal(&cube, &*solver, position, &truth, &control(2, false), name);
            }
        }
        let iddfs = solver(&cube, "iddfs");
        for position in positions.iter().filter(|position| truth[*position] <= 7).take(20) {
            laws::solver_is_optimal(&cube, &*iddfs, position, &truth, &control(1, false), "iddfs");
        }
    }
}

#[test]
fn all_optimal_solutions_are_listed() {
    for metric in METRICS {
        let cube = Cube2::new(metric);
        let truth = truth(&cube, &full(&cube));
        for name in ["table", "ida+tiny", "ida+full", "astar+tiny", "bibfs"] {
            let (solver, mut rng) = (solver(&cube, name), rng());
            for _ in 0..5 {
                let position = cube.random(&mut rng);
                laws::solver_is_optimal(&cube, &*solver, &position, &truth, &control(1, true), name);
            }
        }
    }
}

#[test]
fn a_twisted_corner_is_unsolvable() {
    let cube = Cube2::new(Metric::Htm);
    let mut stickers = Stickers::<2>::solved().apply(Turn::outer(untumble_puzzles::cube::Face::R, 1)).colours;
    let [a, b, c] = untumble_puzzles::cube::pieces::corner_stickers::<2>()[1];
    (stickers[a], stickers[b], stickers[c]) = (stickers[c], stickers[a], stickers[b]);
    let text: String = stickers.iter().map(|colour| colour.letter()).collect();
    let Ok(Parsed::Position(twisted)) = cube.parse(&text, true, &InputFormat::default()) else {
        panic!("{text}")
    };
    assert_eq!(cube.text(&twisted), text, "the text is preserved");
    let error = cube.check_solvable(&twisted).expect_err("no moves solve it");
    assert!(
        matches!(&error, Error::Unsolvable(error) if error.message().contains("turn any one corner anticlockwise")),
        "{error}"
    );
    let report = solver(&cube, "table").solve(&cube, &[twisted], &Control::default());
    assert_eq!(report.outcome, Outcome::Unsolvable);
    let limits = Limits { nodes: Some(10_000), ..Limits::default() };
    let control = Control::new(limits, Arc::new(Silent));
    let report = solver(&cube, "ida+tiny").solve(&cube, &[twisted], &control);
    assert!(report.best.is_none() && matches!(report.outcome, Outcome::Stopped(_)));
}

#[test]
fn random_positions_are_uniform() {
    let (cube, mut rng) = (Cube2::new(Metric::Htm), rng());
    let mut counts = vec![0; 7];
    for _ in 0..7000 {
        let corners = cube.random(&mut rng);
        assert!(usize::from(corners.twist) < TWISTS);
        counts[usize::from(corners.permutation) / 720] += 1;
    }
    assert!(counts.iter().all(|&count| (870..1130).contains(&count)), "{counts:?}");
    let m = below(&mut rng, 9) as u8;
    assert_eq!(cube.inverse(cube.required_inverse(Move(m))), Some(Move(m)));
}
