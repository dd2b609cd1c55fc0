//! The whole 8-puzzle: all 181,440 positions, every heuristic, every solver.

use std::collections::HashMap;
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use untumble_puzzles::tiles::heuristics::{
    DisplacementSum, LinearConflict, Manhattan, Nilsson, WalkingDistance,
};
use untumble_puzzles::tiles::{Goal, Size, Tiles};
use untumble_search::control::{Control, Limits, Silent};
use untumble_search::frontend::PuzzleFrontend;
use untumble_search::heuristic::{Admissibility, DynMax, Heuristic, Max};
use untumble_search::laws;
use untumble_search::puzzle::{Cost, Puzzle, Ranked};
use untumble_search::ranked::{distance_histogram, distances};
use untumble_search::report::Outcome;
use untumble_search::runtime::Runtime;
use untumble_search::solve::Solver;

const THREE: Size = Size { rows: 3, columns: 3 };

fn tiles(goal: &str) -> Tiles<u64> {
    Tiles::new(Goal::named(THREE, goal).expect("a known goal"))
}

/// An arbitrary goal with the blank on an edge, which no named goal has.
fn arbitrary_goal() -> Tiles<u64> {
    Tiles::new(Goal::new(THREE, vec![3, 0, 7, 1, 8, 2, 5, 4, 6]))
}

fn rng() -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(8)
}

fn all_distances(tiles: &Tiles<u64>) -> Vec<u8> {
    distances(tiles, &Control::default()).expect("no limit")
}

/// The exact distance of every position, by key.
fn truth(tiles: &Tiles<u64>) -> HashMap<u64, Cost> {
    let distances = all_distances(tiles);
    let key = |rank| tiles.pack(&tiles.unrank(rank));
    (0..).zip(distances).map(|(rank, distance)| (key(rank), Cost::from(distance))).collect()
}

fn control(threads: usize, all: bool) -> Control {
    Control::new(Limits { threads, ..Limits::default() }, Arc::new(Silent)).with_all_solutions(all)
}

fn solver(tiles: &Tiles<u64>, name: &str) -> Box<dyn Solver<Tiles<u64>>> {
    tiles.solver(name, &Runtime::default(), &Control::default()).expect(name).solver
}

/// The published numbers of positions at each distance, for goals with the blank in a corner and in the
/// centre.
fn golden() -> [Vec<u64>; 2] {
    let mut columns = [Vec::new(), Vec::new()];
    for line in include_str!("../golden/8-puzzle-distances.csv").lines().skip(2) {
        let mut fields = line.split(',').skip(1);
        for column in &mut columns {
            let count: u64 = fields.next().and_then(|f| f.parse().ok()).expect("a count");
            if count > 0 {
                column.push(count);
            }
        }
    }
    columns
}

#[test]
fn the_numbers_of_positions_at_each_distance_are_the_published_ones() {
    let [corner, centre] = golden();
    for threads in [1, 2] {
        for (goal, expected) in [("blank-last", &corner), ("blank-first", &corner), ("snail", &centre)] {
            let distances = distances(&tiles(goal), &control(threads, false)).expect("no limit");
            assert_eq!(&distance_histogram(&distances), expected, "{goal}");
            assert_eq!(distances.len(), 181_440);
        }
    }
    assert_eq!((corner.len() - 1, centre.len() - 1), (31, 30), "the radii");
    assert_eq!(distance_histogram(&all_distances(&arbitrary_goal())).iter().sum::<u64>(), 181_440);
}

#[test]
fn the_puzzle_satisfies_the_laws_of_moves_and_ranking() {
    for tiles in [tiles("blank-last"), tiles("blank-first"), tiles("snail"), arbitrary_goal()] {
        laws::puzzle(&tiles, &mut rng());
        laws::ranked(&tiles, &mut rng());
        assert_eq!(laws::exact_costs(&tiles), truth(&tiles), "breadth-first search by states and by ranks");
    }
    for (rows, columns) in [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 4), (2, 5)] {
        let goal = Goal::named(Size { rows, columns }, "snail").expect("a known goal");
        laws::puzzle(&Tiles::<u64>::new(goal.clone()), &mut rng());
        laws::puzzle(&Tiles::<u128>::new(goal.clone()), &mut rng());
        laws::ranked(&Tiles::<u64>::new(goal), &mut rng());
    }
}

fn assert_consistent<H: Heuristic<Tiles<u64>>>(tiles: &Tiles<u64>, h: &H, truth: &HashMap<u64, Cost>) {
    assert_eq!(h.admissibility(), Admissibility::Consistent);
    laws::heuristic(tiles, h, &mut rng());
    laws::admissible(tiles, h, truth);
    laws::heuristic_walker(tiles, h, &mut rng());
}

#[test]
fn consistent_heuristics_are_admissible_on_all_positions() {
    for tiles in [tiles("blank-last"), tiles("blank-first"), tiles("snail"), arbitrary_goal()] {
        let (goal, truth, control) = (tiles.goal(), truth(&tiles), Control::default());
        let walking = WalkingDistance::new(goal, &control).expect("a small table");
        assert_consistent(&tiles, &Manhattan::new(goal), &truth);
        assert_consistent(&tiles, &LinearConflict::new(goal), &truth);
        assert_consistent(&tiles, &DisplacementSum::misplaced(goal), &truth);
        assert_consistent(&tiles, &DisplacementSum::euclidean(goal), &truth);
        assert_consistent(&tiles, &DisplacementSum::diagonal(goal), &truth);
        assert_consistent(&tiles, &Max(walking.clone(), LinearConflict::new(goal)), &truth);
        let largest = DynMax(vec![
            Box::new(DisplacementSum::euclidean(goal)),
            Box::new(walking.clone()),
            Box::new(Manhattan::new(goal)),
        ]);
        assert_consistent(&tiles, &largest, &truth);
        assert_consistent(&tiles, &walking, &truth);
    }
}

/// Linear conflict and walking distance are never below Manhattan distance.
#[test]
fn linear_conflict_and_walking_distance_dominate_manhattan() {
    let tiles = tiles("blank-last");
    let (goal, control) = (tiles.goal(), Control::default());
    let walking = WalkingDistance::new(goal, &control).expect("a small table");
    let (manhattan, conflict) = (Manhattan::new(goal), LinearConflict::new(goal));
    let (mut sum_manhattan, mut sum_conflict, mut sum_walking) = (0u64, 0u64, 0u64);
    for rank in 0..tiles.count() {
        let board = tiles.unrank(rank);
        let m = manhattan.start(&tiles, &board);
        let c = Heuristic::<Tiles<u64>>::cost(&conflict, &conflict.start(&tiles, &board));
        let w = Heuristic::<Tiles<u64>>::cost(&walking, &walking.start(&tiles, &board));
        assert!(c >= m && w >= m, "{board:?}");
        sum_manhattan += u64::from(m);
        sum_conflict += u64::from(c);
        sum_walking += u64::from(w);
    }
    assert!(sum_manhattan < sum_conflict && sum_manhattan < sum_walking);
}

const OPTIMAL_SOLVERS: [&str; 14] = [
    "bfs",
    "parbfs",
    "bibfs",
    "uniform",
    "astar+manhattan",
    "astar+linear-conflict",
    "astar+max(misplaced,euclidean)",
    "parastar+manhattan",
    "parastar+walking",
    "ida+manhattan",
    "ida+max(walking,linear-conflict)",
    "ida+diagonal",
    "parida+manhattan",
    "parida+linear-conflict",
];

/// Solvers without a heuristic, which generate a hundred times as many nodes.
const UNINFORMED: [&str; 4] = ["bfs", "parbfs", "bibfs", "uniform"];

/// Solves 1,000 random positions, 100 without a heuristic. Parallel solvers use 1, 2, 4 and 8 threads in
/// turn.
#[test]
fn optimal_solvers_agree_with_breadth_first_search() {
    let tiles = tiles("blank-last");
    let truth = truth(&tiles);
    let mut rng = rng();
    let positions: Vec<_> =
        (0..1000).map(|_| tiles.unrank(untumble_search::frontend::below(&mut rng, 181_440) as u64)).collect();
    for name in OPTIMAL_SOLVERS {
        let solver = solver(&tiles, name);
        let threads = if name.starts_with("par") { [1, 2, 4, 8] } else { [1; 4] };
        let count = if UNINFORMED.contains(&name) { 100 } else { positions.len() };
        for (position, threads) in positions[..count].iter().zip(threads.into_iter().cycle()) {
            laws::solver_is_optimal(&tiles, &*solver, position, &truth, &control(threads, false), name);
        }
    }
}

/// Without a heuristic iterative deepening is slow, so only positions up to distance 16 are solved.
#[test]
fn iterative_deepening_without_heuristic_is_optimal() {
    let tiles = tiles("snail");
    let truth = truth(&tiles);
    let solver = solver(&tiles, "iddfs");
    let near: Vec<&u64> = truth.iter().filter(|&(_, &cost)| cost <= 16).map(|(key, _)| key).collect();
    for key in near.into_iter().step_by(97) {
        laws::solver_is_optimal(&tiles, &*solver, &tiles.unpack(key), &truth, &control(1, false), "iddfs");
    }
}

#[test]
fn optimal_solvers_list_all_optimal_solutions() {
    let tiles = tiles("blank-last");
    let truth = truth(&tiles);
    let mut rng = rng();
    for name in OPTIMAL_SOLVERS {
        let solver = solver(&tiles, name);
        for _ in 0..12 {
            let position = tiles.unrank(untumble_search::frontend::below(&mut rng, 181_440) as u64);
            laws::solver_is_optimal(&tiles, &*solver, &position, &truth, &control(4, true), name);
        }
    }
}

/// A* with Nilsson's sequence score often finds longer solutions.
#[test]
fn solutions_with_the_inadmissible_nilsson_heuristic_are_never_reported_optimal() {
    let tiles = tiles("snail");
    let truth = truth(&tiles);
    for (argument, name) in [(None, "astar+nilsson"), (Some("place"), "astar+nilsson:place")] {
        let nilsson = Nilsson::new(tiles.goal(), argument).expect("the goal's blank is in the centre");
        assert_eq!(Heuristic::<Tiles<u64>>::admissibility(&nilsson), Admissibility::None);
        laws::heuristic(&tiles, &nilsson, &mut rng());
        let above = truth.iter().filter(|&(key, &cost)| nilsson.start(&tiles, &tiles.unpack(key)) > cost);
        assert!(above.count() > 90_000, "{name} overestimates most positions");
        let solver = solver(&tiles, name);
        let mut longer = 0;
        for key in truth.keys().step_by(900) {
            let start = tiles.unpack(key);
            let report = solver.solve(&tiles, std::slice::from_ref(&start), &control(1, false));
            let best = report.best.clone().expect("solved");
            assert!(!report.optimal() || best.cost == 0, "{name} proves nothing");
            longer += usize::from(best.cost > truth[key]);
        }
        assert!(longer > 20, "{name}: {longer} of about 200 solutions are not optimal");
    }
}

/// Without the barrier between levels, parallel breadth-first search may return longer solutions.
#[test]
fn breadth_first_search_without_barrier_is_valid_but_not_reported_optimal() {
    let tiles = tiles("blank-last");
    let truth = truth(&tiles);
    let solver = solver(&tiles, "parbfs:barrier=off");
    for key in truth.keys().step_by(6000) {
        let start = tiles.unpack(key);
        let report = solver.solve(&tiles, std::slice::from_ref(&start), &control(4, false));
        let best = report.best.clone().expect("solved");
        assert!(laws::is_solution(&tiles, &[start], &best.moves));
        assert!(best.cost >= truth[key] && (!report.optimal() || best.cost <= 1));
    }
}

/// When a limit ends a search, the lower bound is admissible, the solution is valid, and a solution that is
/// reported optimal is optimal.
#[test]
fn results_are_correct_at_any_node_or_memory_limit() {
    let tiles = tiles("blank-last");
    let truth = truth(&tiles);
    let names = [
        "bfs",
        "parbfs",
        "bibfs",
        "astar+manhattan",
        "astar:w=2+manhattan",
        "parastar+manhattan",
        "uniform",
        "greedy+manhattan",
        "ida+manhattan",
        "parida+misplaced",
        "parastar:w=1.5+misplaced",
    ];
    let mut rng = rng();
    for name in names {
        let solver = solver(&tiles, name);
        for round in 0..150u64 {
            let position = tiles.unrank(untumble_search::frontend::below(&mut rng, 181_440) as u64);
            let cost = truth[&tiles.pack(&position)];
            let mut draw = |limit: usize| untumble_search::frontend::below(&mut rng, limit) as u64;
            let limits = Limits {
                nodes: (round % 2 == 0).then(|| 1 + draw(20_000)),
                memory: (round % 2 == 1).then(|| 1 + draw(3_000_000)),
                threads: 1 + (round % 4) as usize,
                ..Limits::default()
            };
            let control = Control::new(limits, Arc::new(Silent)).with_all_solutions(round % 5 == 0);
            let starts = std::slice::from_ref(&position);
            let report = solver.solve(&tiles, starts, &control);
            assert!(report.lower_bound <= cost, "{name}, {limits:?}: bound {} of {cost}", report.lower_bound);
            if let Some(best) = &report.best {
                assert!(
                    laws::is_solution(&tiles, starts, &best.moves),
                    "{name}, {limits:?}: invalid solution"
                );
                assert!(!report.optimal() || best.cost == cost, "{name}, {limits:?}: not optimal");
            }
            if control.all_solutions() && report.optimal() && report.outcome == Outcome::Solved {
                let expected = laws::optimal_sequences(&tiles, starts, &truth);
                let lists_all = !name.contains("greedy") && !name.contains("w=");
                assert!(!lists_all || report.solutions == expected, "{name}, {limits:?}: {report:?}");
            }
        }
    }
}
