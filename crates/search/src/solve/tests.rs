//! Every algorithm on the test puzzle, compared with exact costs.
//!
//! The heuristics of the test puzzle are derived from exact costs: `half` is consistent, `inconsistent` is
//! admissible but not consistent, `double` is inadmissible.

use std::sync::Arc;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::control::{Control, Limits, ManualClock, MemoryAccount, Silent, Stop};
use crate::error::Error;
use crate::frontend::{InputFormat, Parsed, PuzzleFrontend, PuzzleText, Workload, into_dyn};
use crate::heuristic::{Admissibility, Heuristic, Zero};
use crate::laws;
use crate::puzzle::{Cost, Puzzle};
use crate::ranked::{UNREACHED, distances};
use crate::registry::{BuiltSolver, Guarantee, HeuristicEntry, HeuristicInfo, Registry};
use crate::report::Outcome;
use crate::runtime::Runtime;
use crate::solve::Solver;
use crate::solve::ida::{Ida, IdaOptions};
use crate::spec::SpecError;
use crate::tables::InMemory;
use crate::test_puzzle::{DistortedHeuristic, TestPuzzle};

const EQUAL: [Cost; 1] = [1];
/// Forward rotations cost 1, 3, 2, 5; their inverses have other costs.
const UNEQUAL: [Cost; 8] = [1, 3, 2, 5, 2, 2, 4, 1];

fn test_puzzles() -> [TestPuzzle; 3] {
    [TestPuzzle::new(5, &EQUAL), TestPuzzle::new(5, &UNEQUAL[..6]), TestPuzzle::new(6, &UNEQUAL)]
}

fn control(threads: usize, all: bool) -> Control {
    Control::new(Limits { threads, ..Limits::default() }, Arc::new(Silent)).with_all_solutions(all)
}

fn rng() -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(1)
}

fn solver(puzzle: &TestPuzzle, name: &str) -> Box<dyn Solver<TestPuzzle>> {
    build(puzzle, name).expect(name).solver
}

fn build(puzzle: &TestPuzzle, name: &str) -> Result<BuiltSolver<TestPuzzle>, Error> {
    puzzle.registry().solver(puzzle, name, &Runtime::default(), &Control::default())
}

#[test]
fn the_test_puzzle_satisfies_the_laws() {
    for puzzle in test_puzzles() {
        laws::puzzle(&puzzle, &mut rng());
        laws::ranked(&puzzle, &mut rng());
        let exact = laws::exact_costs(&puzzle);
        for admissibility in [Admissibility::Consistent, Admissibility::Admissible] {
            let distorted = DistortedHeuristic::new(exact.clone(), admissibility);
            laws::admissible(&puzzle, &distorted, &exact);
            laws::heuristic_walker(&puzzle, &distorted, &mut rng());
        }
        laws::heuristic(
            &puzzle,
            &DistortedHeuristic::new(exact.clone(), Admissibility::Admissible),
            &mut rng(),
        );
        laws::heuristic(&puzzle, &Zero, &mut rng());
        laws::heuristic_walker(&puzzle, &Zero, &mut rng());
    }
}

#[test]
fn distances_are_exact_where_moves_cost_one() {
    let puzzle = TestPuzzle::new(6, &EQUAL);
    let exact = laws::exact_costs(&puzzle);
    for threads in [1, 3] {
        let distances = distances(&puzzle, &control(threads, false)).expect("no limit");
        for (rank, &distance) in distances.iter().enumerate() {
            let key = puzzle.pack(&crate::puzzle::Ranked::unrank(&puzzle, rank as u64));
            let known = exact.get(&key).map_or(UNREACHED, |&cost| cost as u8);
            assert_eq!(distance, known, "{key:?}");
        }
    }
}

/// Runs every solver with an optimality guarantee on positions of small state spaces, with every kind of
/// heuristic, for one solution and for all optimal sequences.
#[test]
fn optimal_solvers_are_optimal_at_every_thread_count() {
    let names = [
        "bfs",
        "parbfs",
        "bibfs",
        "iddfs",
        "uniform",
        "astar+half",
        "astar+inconsistent",
        "parastar+half",
        "parastar+inconsistent",
        "ida+half",
        "ida+inconsistent",
        "ida:bpmx=off+inconsistent",
        "parida+half",
        "parida+inconsistent",
        "parida:bpmx=off+inconsistent",
        "ida+zero",
        "astar:w=1+inconsistent",
    ];
    for puzzle in test_puzzles() {
        let exact = laws::exact_costs(&puzzle);
        let positions: Vec<_> =
            laws::random_walk(&puzzle, 40, &mut rng()).into_iter().map(|(s, _)| s).collect();
        for name in names {
            let solver = solver(&puzzle, name);
            let threads: &[usize] = if name.starts_with("par") { &[1, 2, 4, 8] } else { &[1] };
            for position in &positions {
                for &threads in threads {
                    for all in [false, true] {
                        let control = control(threads, all);
                        laws::solver_is_optimal(&puzzle, &*solver, position, &exact, &control, name);
                    }
                }
            }
        }
    }
}

#[test]
fn suboptimal_solvers_stay_within_their_guarantees() {
    for puzzle in test_puzzles() {
        let exact = laws::exact_costs(&puzzle);
        for (position, _) in laws::random_walk(&puzzle, 60, &mut rng()) {
            let starts = puzzle.start_states(&position);
            let optimum = starts.iter().map(|start| exact[&puzzle.pack(start)]).min().expect("two starts");
            // Each solver with twice the factor by which its solutions may exceed the optimum.
            for (name, twice_factor) in [
                ("greedy+half", Cost::MAX),
                ("greedy+double", Cost::MAX),
                ("astar+double", Cost::MAX),
                ("ida+double", Cost::MAX),
                ("astar:w=1.5+inconsistent", 3),
                ("parastar:w=1.5+inconsistent", 3),
                ("parbfs:barrier=off", Cost::MAX),
                ("dfs:depth=25", Cost::MAX),
                ("beam:width=1+half", Cost::MAX),
                ("beam:width=50,seed=7+double", Cost::MAX),
            ] {
                let control = control(3, false);
                let report = solver(&puzzle, name).solve(&puzzle, &starts, &control);
                let best = report.best.clone().unwrap_or_else(|| panic!("{name} found nothing"));
                assert_eq!(report.outcome, Outcome::Solved, "{name}");
                assert!(laws::is_solution(&puzzle, &starts, &best.moves), "{name} does not end at a goal");
                assert!(
                    2 * best.cost <= optimum.saturating_mul(twice_factor),
                    "{name} found a solution of cost {}; the optimum is {optimum}",
                    best.cost
                );
                assert!(
                    report.lower_bound <= optimum,
                    "{name} proved a lower bound of {}; the optimum is {optimum}",
                    report.lower_bound
                );
                if name.contains("double") {
                    assert_eq!(report.lower_bound, 0, "{name} cannot prove a lower bound");
                }
            }
        }
    }
}

/// BPMX raises a parent to the child's bound minus the cost of the inverse, also where costs differ.
#[test]
fn bpmx_saves_nodes_and_keeps_solutions_optimal() {
    let puzzle = TestPuzzle::new(6, &UNEQUAL);
    let exact = laws::exact_costs(&puzzle);
    let (mut with_bpmx, mut without) = (0, 0);
    for (position, _) in laws::random_walk(&puzzle, 200, &mut rng()) {
        for (bpmx, sum) in [(true, &mut with_bpmx), (false, &mut without)] {
            let heuristic = DistortedHeuristic::new(exact.clone(), Admissibility::Admissible);
            let ida = Ida::new(heuristic, IdaOptions { bpmx, ..IdaOptions::default() }, &Runtime::default());
            let report = laws::solver_is_optimal(&puzzle, &ida, &position, &exact, &control(1, false), "ida");
            *sum += report.counts.generated;
        }
    }
    assert!(
        with_bpmx < without * 9 / 10,
        "BPMX should save at least a tenth of {without} nodes, but {with_bpmx} are left"
    );
}

/// Every iteration without a solution has the same node count on several threads as on one, however its tree
/// was split.
#[test]
fn splitting_subtrees_keeps_node_counts() {
    let puzzle = TestPuzzle::new(7, &EQUAL);
    let exact = laws::exact_costs(&puzzle);
    let (far, depth) = exact.iter().max_by_key(|(_, cost)| **cost).expect("not empty");
    let far = puzzle.unpack(far);
    let starts = std::slice::from_ref(&far);
    let options = IdaOptions { bpmx: false, ..IdaOptions::default() };
    let sequential = Ida::new(Zero, options, &Runtime::default());
    let expected = sequential.solve(&puzzle, starts, &control(1, false)).iterations;
    assert_eq!(expected.len(), *depth as usize + 1, "one iteration per move");
    for threads in [2, 3, 8] {
        let parallel = Ida::new(Zero, IdaOptions { parallel: true, ..options }, &Runtime::default());
        let iterations = parallel.solve(&puzzle, starts, &control(threads, false)).iterations;
        assert_eq!(iterations[..iterations.len() - 1], expected[..expected.len() - 1], "{threads} threads");
    }
}

#[test]
fn limits_stop_every_algorithm_with_a_lower_bound() {
    let puzzle = TestPuzzle::new(9, &EQUAL);
    let position = match puzzle.parse("ihgfedcba", true, &InputFormat::default()) {
        Ok(Parsed::Position(position)) => position,
        other => panic!("{other:?}"),
    };
    let starts = puzzle.start_states(&position);
    let limits = |nodes, memory| Limits {
        time: Some(Duration::from_millis(1)),
        nodes,
        memory,
        threads: 2,
        max_length: None,
    };
    for name in ["bfs", "parbfs", "bibfs", "iddfs", "uniform", "parbfs:barrier=off"] {
        let solver = uninformed_solver(name);
        // The clock stands still, except for the time limit, where every reading advances it by 250 µs.
        for (limits, step, expected) in [
            (limits(Some(20_000), None), 0, Stop::Nodes),
            (limits(None, None), 250, Stop::Time),
            (limits(None, Some(2_000_000)), 0, Stop::Memory),
        ] {
            if name == "iddfs" && expected == Stop::Memory {
                continue;
            }
            let clock = Arc::new(ManualClock::stepping(Duration::from_micros(step)));
            let control = Control::with_clock(clock, &MemoryAccount::default(), limits, Arc::new(Silent));
            let report = solver.solve(&puzzle, &starts, &control);
            assert_eq!(report.outcome, Outcome::Stopped(expected), "{name}");
            let proved = report.lower_bound >= 1 || name == "parbfs:barrier=off";
            assert!(proved, "{name} should prove a lower bound of at least 1");
            if expected == Stop::Time {
                // A batch doubles with every reading, so four readings 250 µs apart are thousands of nodes
                // at most.
                let elapsed = control.elapsed();
                assert!(elapsed < Duration::from_millis(2), "{name} stopped after {elapsed:?}");
            }
            if expected == Stop::Nodes {
                // One of two workers may hold up to a quarter of the limit when the other finds none left.
                let least = if name.starts_with("par") { 14_900 } else { 18_000 };
                let generated = report.counts.generated;
                assert!((least..20_100).contains(&generated), "{name} generated {generated}");
            }
        }
    }
}

fn uninformed_solver(name: &str) -> Box<dyn Solver<TestPuzzle>> {
    let puzzle = TestPuzzle::new(5, &EQUAL);
    let zero = HeuristicEntry::new(HeuristicInfo::new("zero", "no knowledge"), |_, _| Ok(Zero));
    let registry =
        Registry::new("uninformed").with_algorithms(crate::solve::entries()).with_heuristics([zero]);
    registry.solver(&puzzle, name, &Runtime::default(), &Control::default()).expect(name).solver
}

#[test]
fn a_dyn_puzzle_parses_solves_and_formats() {
    let puzzle = into_dyn(TestPuzzle::new(6, &UNEQUAL));
    let Ok(Parsed::Position(position)) = puzzle.parse("edcbaf", true, &InputFormat::default()) else {
        panic!("six letters are a position")
    };
    let workload =
        Workload { position: Some(&position), count: 1, limits: Limits::default(), all_solutions: false };
    let stages = puzzle.auto(&workload, &InMemory::default()).stages;
    let control = Control::default();
    let prepared = puzzle.prepare(&stages, &Runtime::default(), &control).expect("both exist");
    let answer = prepared.solve(&position, &control).expect("a position of this puzzle");
    assert_eq!(answer.solver, "ida+half", "the last stage proved the solution optimal");
    assert!(answer.report.optimal());
    let best = answer.report.best.expect("solvable");
    let text = puzzle.format_moves(&best.moves);
    assert_eq!(puzzle.parse_moves(&text).expect("formatted moves parse"), best.moves, "{text}");
    let end = puzzle.apply(&position, &best.moves).expect("legal");
    assert!(puzzle.is_solved(&end) && !puzzle.is_solved(&position));
}

#[test]
fn every_algorithm_can_be_built_from_its_description() {
    let puzzle = TestPuzzle::new(5, &EQUAL);
    for algorithm in puzzle.registry().algorithms() {
        let options: Vec<String> = algorithm
            .options
            .iter()
            .map(|o| format!("{}={}", o.name, if o.default.is_empty() { "9" } else { o.default }))
            .collect();
        let mut name = algorithm.name.to_string();
        if !options.is_empty() {
            name = format!("{name}:{}", options.join(","));
        }
        let full = build(&puzzle, &name).expect(&name).spec;
        assert_eq!(full.heuristic.is_some(), algorithm.takes_heuristic, "{name}");
    }
}

#[test]
fn mistakes_in_a_spec_are_named() {
    let puzzle = TestPuzzle::new(5, &EQUAL);
    for (name, part) in [
        ("astr+half", "there is no algorithm `astr`"),
        ("bfs+half", "uses no heuristic"),
        ("bfs:width=3", "takes none"),
        ("ida:bpm=off", "it takes bpmx, early"),
        ("ida:raise=maybe", "on or off"),
        ("dfs", "needs depth"),
        ("dfs:depth=deep", "an integer from 0 to 10000"),
        ("dfs:depth=99999999", "from 0 to 10000"),
        ("astar:w=0.5", "from 1 to 100"),
        ("astar:w=1.234", "astar: w=1.234 should be a number from 1 to 100 with at most 2 decimals"),
        ("astar:w=nan", "from 1 to 100"),
        ("beam:width=0", "an integer from 1 to 268435456"),
        ("beam:seed=-1", "an integer below 2^53"),
        ("astar:w=1e9", "from 1 to 100"),
    ] {
        let text = build(&puzzle, name).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(text.contains(part), "{name}: {text}");
    }
}

#[test]
fn usual_spellings_resolve_to_primary_names() {
    let registry = TestPuzzle::new(5, &EQUAL).registry();
    for (given, primary) in [
        ("A*+half", "astar+half"),
        ("IDA*", "ida+half"),
        ("ida*:raise=off+zero", "ida:bpmx=off+zero"),
        ("idastar", "ida+half"),
        ("parastar:weight=2+HALF", "hda:w=2+half"),
        ("HDA*", "hda+half"),
        ("dijkstra", "uniform"),
    ] {
        let spec = registry.complete(&given.parse().expect(given)).expect(given);
        assert_eq!(spec.to_string(), primary, "{given}");
    }
    let twice = registry.complete(&"ida:raise=off,bpmx=on".parse().expect("well-formed"));
    assert_eq!(twice, Err(SpecError::RepeatedOption { option: "bpmx".into(), given: "bpmx".into() }));
    let unknown = registry.complete(&"astr".parse().expect("well-formed"));
    assert!(
        matches!(&unknown, Err(SpecError::UnknownAlgorithm { alternatives, .. }) if alternatives[0] == "astar"),
        "{unknown:?}"
    );
}

#[test]
fn a_guarantee_needs_an_admissible_heuristic() {
    let registry = TestPuzzle::new(5, &EQUAL).registry();
    for (text, expected) in [
        ("ida+inconsistent", Guarantee::Optimal),
        ("ida+double", Guarantee::None),
        ("astar+max(half,double)", Guarantee::None),
        ("astar:w=1.5+half", Guarantee::WithinFactor(1.5)),
        ("parbfs:barrier=off", Guarantee::None),
        ("greedy+half", Guarantee::None),
        ("bibfs", Guarantee::Optimal),
    ] {
        assert_eq!(registry.guarantee(&text.parse().expect(text)), expected, "{text}");
    }
}

/// With `early=off` all passes have equal node counts on one thread and on several, the last one included.
#[test]
fn exhaustive_last_passes_have_equal_node_counts_on_all_executors() {
    let puzzle = TestPuzzle::new(6, &UNEQUAL);
    let (alone, many) = (solver(&puzzle, "ida:early=off+half"), solver(&puzzle, "parida:early=off+half"));
    let first = solver(&puzzle, "ida+half");
    for seed in 0..5 {
        let state = laws::random_walk(&puzzle, 12, &mut ChaCha8Rng::seed_from_u64(seed));
        let starts = puzzle.start_states(&state.last().expect("twelve steps").0);
        let [alone, many, first] = [(&alone, 1), (&many, 4), (&first, 1)]
            .map(|(solver, threads)| solver.solve(&puzzle, &starts, &control(threads, false)));
        assert_eq!(alone.iterations, many.iterations, "seed {seed}");
        assert_eq!(alone.best.map(|best| best.cost), first.best.map(|best| best.cost), "seed {seed}");
        let (whole, early) = (alone.counts.generated, first.counts.generated);
        assert!(whole >= early, "seed {seed}: {whole} nodes to the end, {early} to the first solution");
    }
}

#[test]
fn an_inadmissible_heuristic_is_inadmissible() {
    let puzzle = TestPuzzle::new(5, &EQUAL);
    let exact = laws::exact_costs(&puzzle);
    let distorted = DistortedHeuristic::new(exact.clone(), Admissibility::None);
    let above = exact.iter().any(|(key, &cost)| distorted.start(&puzzle, &puzzle.unpack(key)) > cost);
    assert!(above, "the test heuristic must exceed some exact cost");
}

/// The test puzzles include unequal move costs, two starts and two goals.
#[test]
fn tunneling_finds_a_shortest_path_between_the_ends_of_a_solution() {
    for puzzle in test_puzzles() {
        let solver = solver(&puzzle, "tunnel+zero");
        for seed in 0..20 {
            let walk = laws::random_walk(&puzzle, 30 + seed, &mut ChaCha8Rng::seed_from_u64(seed as u64));
            // The inverse of a walk from a goal is a solution.
            let mut state = puzzle.solved();
            let mut path = Vec::new();
            for m in walk.iter().map(|&(_, m)| m) {
                if puzzle.legal(&state).contains(m) {
                    state = puzzle.apply(&state, m);
                    path.insert(0, puzzle.required_inverse(m));
                }
            }
            let given = puzzle.path_cost(&path);
            assert!(puzzle.replay(&state, &path).is_ok_and(|end| puzzle.is_goal(&end)));
            for threads in [1, 3] {
                let control = control(threads, false);
                control.offer(&path, given);
                let report = solver.solve(&puzzle, std::slice::from_ref(&state), &control);
                let best = report.best.expect("the given path at least");
                assert!(best.cost <= given && best.cost == puzzle.path_cost(&best.moves));
                let end = puzzle.replay(&state, &best.moves).expect("legal moves");
                assert!(puzzle.is_goal(&end), "the solution may end at another goal");
                // The state space is so small that one tunnel contains all states.
                let optimum = shortest_between(&puzzle, &state, &end);
                assert_eq!(best.cost, optimum, "{path:?}");
            }
        }
    }
}

/// The cost of a shortest path between two states, by uniform-cost search.
fn shortest_between(
    puzzle: &TestPuzzle,
    from: &<TestPuzzle as Puzzle>::State,
    to: &<TestPuzzle as Puzzle>::State,
) -> Cost {
    use std::collections::{BTreeSet, HashMap};
    let mut costs = HashMap::from([(puzzle.pack(from), 0)]);
    let mut open = BTreeSet::from([(0, 0usize)]);
    let mut states = vec![from.clone()];
    while let Some((spent, number)) = open.pop_first() {
        let state = states[number].clone();
        if state == *to {
            return spent;
        }
        for m in puzzle.legal(&state) {
            let (next, cost) = (puzzle.apply(&state, m), spent + puzzle.cost(m));
            let known = costs.entry(puzzle.pack(&next)).or_insert(Cost::MAX);
            if cost < *known {
                *known = cost;
                states.push(next);
                open.insert((cost, states.len() - 1));
            }
        }
    }
    unreachable!("the puzzle connects all states")
}
