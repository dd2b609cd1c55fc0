//! Rubik's cube: published numbers, admissible heuristics, solvers that agree.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use untumble_puzzles::cube::Metric;
use untumble_puzzles::cube3::heuristics::{Corners, Edges, Manhattan};
use untumble_puzzles::cube3::{Cube, Cube3};
use untumble_search::control::{Control, Limits, ManualClock, MemoryAccount, Silent, Stop};
use untumble_search::error::Error;
use untumble_search::frontend::{PuzzleFrontend, PuzzleText, Workload, into_dyn};
use untumble_search::heuristic::Heuristic;
use untumble_search::laws;
use untumble_search::puzzle::{Cost, Puzzle};
use untumble_search::runtime::Runtime;
use untumble_search::solve::Solver;
use untumble_search::tables::InMemory;

const METRICS: [Metric; 2] = [Metric::Htm, Metric::Qtm];

fn rng() -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(3)
}

fn control(threads: usize) -> Control {
    Control::new(Limits { threads, ..Limits::default() }, Arc::new(Silent))
}

fn solver(cube: &Cube3, name: &str, runtime: &Runtime) -> Box<dyn Solver<Cube3>> {
    cube.solver(name, runtime, &control(2)).expect(name).solver
}

/// All positions within `depth` moves and their distances.
fn ball(cube: &Cube3, depth: Cost) -> HashMap<Cube, Cost> {
    let mut costs: HashMap<Cube, Cost> = [(Cube::SOLVED, 0)].into();
    let mut level = vec![Cube::SOLVED];
    for cost in 1..=depth {
        let mut next = Vec::new();
        for position in &level {
            for m in cube.legal(position) {
                let child = cube.apply(position, m);
                costs.entry(child).or_insert_with(|| {
                    next.push(child);
                    cost
                });
            }
        }
        level = next;
    }
    costs
}

/// The number of positions at each distance.
fn distance_histogram(costs: &HashMap<Cube, Cost>) -> Vec<u64> {
    let mut counts = vec![0; costs.values().max().map_or(0, |&max| max as usize + 1)];
    costs.values().for_each(|&cost| counts[cost as usize] += 1);
    counts
}

/// The number of entries with each value in a four-bit table.
fn value_counts(bytes: &[u8]) -> Vec<u64> {
    let mut counts = vec![0; 16];
    for byte in bytes {
        counts[usize::from(byte & 15)] += 1;
        counts[usize::from(byte >> 4)] += 1;
    }
    counts.truncate(counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1));
    counts
}

#[test]
fn distances_have_the_published_distribution() {
    let htm = distance_histogram(&ball(&Cube3::new(Metric::Htm), 5));
    assert_eq!(htm, [1, 18, 243, 3240, 43239, 574_908]);
    let qtm = distance_histogram(&ball(&Cube3::new(Metric::Qtm), 6));
    assert_eq!(qtm, [1, 12, 114, 1068, 10011, 93840, 878_880]);
}

#[test]
fn the_puzzle_satisfies_the_laws() {
    for metric in METRICS {
        laws::puzzle(&Cube3::new(metric), &mut rng());
    }
}

/// Checks admissibility against known distances, and consistency along walks.
fn check_heuristic<H: Heuristic<Cube3>>(cube: &Cube3, h: &H, truth: &HashMap<Cube, Cost>) {
    laws::heuristic(cube, h, &mut rng());
    laws::admissible(cube, h, truth);
    laws::heuristic_walker(cube, h, &mut rng());
}

#[test]
fn heuristics_are_admissible_and_consistent() {
    for metric in METRICS {
        let cube = Cube3::new(metric);
        let truth = ball(&cube, 4);
        let (tables, control) = (InMemory::default(), control(2));
        match metric {
            Metric::Htm => check_heuristic(&cube, &Manhattan::<u128>::new(&cube), &truth),
            Metric::Qtm => check_heuristic(&cube, &Manhattan::<u64>::new(&cube), &truth),
        }
        let edges = Edges::new(&cube, "6", &tables, &control).expect("no limit");
        check_heuristic(&cube, &edges, &truth);
        assert_eq!(value_counts(edges.bytes()).iter().sum::<u64>(), 42_577_920);
        assert_eq!(value_counts(edges.bytes())[0], 1, "one position is solved");
    }
}

#[test]
fn the_corner_database_has_the_published_distribution() {
    let cube = Cube3::new(Metric::Htm);
    let corners = Corners::new(&cube, &InMemory::default(), &control(2)).expect("no limit");
    let known =
        [1, 18, 243, 2874, 28000, 205_416, 1_168_516, 5_402_628, 20_776_176, 45_391_616, 15_139_616, 64736];
    assert_eq!(value_counts(corners.bytes()), known);
    check_heuristic(&cube, &corners, &ball(&cube, 4));
}

#[test]
fn solvers_agree_with_breadth_first_search_near_the_goal() {
    for (metric, depth) in [(Metric::Htm, 4), (Metric::Qtm, 5)] {
        let cube = Cube3::new(metric);
        let truth = ball(&cube, depth);
        let mut positions: Vec<Cube> = truth.keys().copied().collect();
        positions.sort_unstable_by_key(|position| (position.edges, position.corners));
        let runtime = Runtime::default();
        for (name, step) in [
            ("bfs", 5000),
            ("parbfs", 5000),
            ("bibfs", 200),
            ("uniform", 5000),
            ("iddfs", 1000),
            ("astar+manhattan", 200),
            ("parastar+manhattan", 500),
            ("ida+manhattan", 20),
            ("ida+max(manhattan,edges:6)", 50),
            ("parida+manhattan", 500),
            ("ida+edges:6", 50),
        ] {
            let solver = solver(&cube, name, &runtime);
            for position in positions.iter().step_by(step) {
                laws::solver_is_optimal(&cube, &*solver, position, &truth, &control(2), name);
            }
        }
    }
}

#[test]
fn solvers_agree_with_each_other_farther_away() {
    for (metric, depths) in [(Metric::Htm, 5..=7), (Metric::Qtm, 6..=9)] {
        let (cube, erased) = (Cube3::new(metric), into_dyn(Cube3::new(metric)));
        let (runtime, mut rng) = (Runtime::default(), rng());
        let solvers = ["bibfs", "ida+edges:6", "parida+edges:6", "ida+manhattan"]
            .map(|name| solver(&cube, name, &runtime));
        for depth in depths {
            let text = erased.text(&erased.scramble(&mut rng, Some(depth)));
            let position = cube.parse(&text, true, &Default::default()).expect("stickers");
            let untumble_search::frontend::Parsed::Position(position) = position else { panic!("{text}") };
            let costs = solvers.each_ref().map(|solver| {
                let report = solver.solve(&cube, &[position], &control(2));
                assert!(report.optimal(), "{text}");
                let best = report.best.expect("a solution");
                assert!(laws::is_solution(&cube, &[position], &best.moves));
                best.cost
            });
            assert!(
                costs.iter().all(|&cost| cost == costs[0] && cost as usize <= depth),
                "{text}: {costs:?}"
            );
        }
    }
}

#[test]
fn all_optimal_solutions_are_listed_with_opposite_faces_in_both_orders() {
    let cube = Cube3::new(Metric::Htm);
    let position = cube.replay(&Cube::SOLVED, &cube.parse_moves("U D R L'").expect("moves")).expect("legal");
    for name in ["ida+manhattan", "bibfs", "bfs", "parida+manhattan"] {
        let solver = solver(&cube, name, &Runtime::default());
        let report = solver.solve(&cube, &[position], &control(2).with_all_solutions(true));
        let mut listed: Vec<String> = report.solutions.iter().map(|path| cube.format_moves(path)).collect();
        listed.sort();
        assert_eq!(listed, ["L R' D' U'", "L R' U' D'", "R' L D' U'", "R' L U' D'"], "{name}");
    }
}

#[test]
fn table_builds_obey_limits() {
    let cube = Cube3::new(Metric::Htm);
    let control_with = |limits: Limits| {
        let clock = Arc::new(ManualClock::stepping(Duration::from_millis(10)));
        Control::with_clock(clock, &MemoryAccount::default(), limits, Arc::new(Silent))
    };
    let time = Limits { time: Some(Duration::from_millis(50)), ..Limits::default() };
    let memory = Limits { memory: Some(40 << 20), ..Limits::default() };
    for name in ["ida+corners", "ida+edges:7"] {
        for (limits, stop) in [(time, Stop::Time), (memory, Stop::Memory)] {
            let error = cube.solver(name, &Runtime::default(), &control_with(limits)).err();
            assert_eq!(error, Some(Error::Stopped(stop)), "{name}");
        }
    }
    let wrong = cube.solver("ida+edges:9", &Runtime::default(), &control(1)).err();
    assert!(wrong.is_some_and(|why| why.to_string().contains("expected 6 or 7 edges")));
}

#[test]
fn auto_chooses_the_largest_tables_within_the_limits() {
    let (cube, tables) = (Cube3::new(Metric::Htm), InMemory::default());
    let last_stage = |limits: Limits| {
        let workload = Workload { position: None, count: 1, limits, all_solutions: false };
        cube.auto(&workload, &tables).pop().expect("a solver").spec.to_string()
    };
    let free = Limits::default();
    assert_eq!(last_stage(free), "optimal:table=243MB");
    assert_eq!(last_stage(Limits { memory: Some(300 << 20), ..free }), "optimal:table=243MB");
    assert_eq!(last_stage(Limits { memory: Some(150 << 20), ..free }), "optimal:table=61MB");
    assert_eq!(last_stage(Limits { time: Some(Duration::from_secs(45)), ..free }), "optimal:table=30MB");
    assert_eq!(last_stage(Limits { memory: Some(20 << 20), ..free }), "parida+manhattan");
    assert_eq!(last_stage(Limits { time: Some(Duration::from_secs(1)), ..free }), "parida+manhattan");
    let quarters = Cube3::new(Metric::Qtm);
    let last_stage = |limits: Limits| {
        let workload = Workload { position: None, count: 1, limits, all_solutions: false };
        quarters.auto(&workload, &tables).pop().expect("a solver").spec.to_string()
    };
    assert_eq!(last_stage(free), "parida+max(corners,edges:7)");
    assert_eq!(last_stage(Limits { memory: Some(200 << 20), ..free }), "parida+max(corners,edges:6)");
}

#[test]
fn auto_runs_two_phase_before_the_optimal_solver() {
    let (cube, tables) = (Cube3::new(Metric::Htm), InMemory::default());
    let names = |count, limits: Limits, all| {
        let workload = Workload { position: None, count, limits, all_solutions: all };
        cube.auto(&workload, &tables).iter().map(|stage| stage.spec.to_string()).collect::<Vec<_>>()
    };
    let free = Limits::default();
    let (near, small, proof) = ("parida+manhattan", "optimal:table=30MB", "optimal:table=243MB");
    let first = "three-cycles";
    assert_eq!(names(1, free, false), [near, first, "two-phase:tables=small", near, small, proof]);
    assert_eq!(names(1000, free, false), [near, "two-phase", near, small, proof]);
    assert_eq!(names(1, free, true), [near, small, proof]);
    let short = Limits { time: Some(Duration::from_secs(2)), ..free };
    let two_phase = "two-phase:tables=small";
    assert_eq!(names(1, short, false), [near, first, two_phase, two_phase, near], "no time for tables");
    assert_eq!(
        names(1, Limits { memory: Some(10 << 20), ..free }, false),
        [near, first, near],
        "no memory for two-phase"
    );
}
