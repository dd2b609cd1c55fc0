//! Checks tables against published numbers, bounds for admissibility, and solutions by replaying them.

use std::collections::HashMap;
use std::sync::Arc;

use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use untumble_search::control::{Limits, ManualClock, MemoryAccount, Silent, Stop};
use untumble_search::frontend::PuzzleFrontend;
use untumble_search::frontend::{InputFormat, Parsed};
use untumble_search::puzzle::Puzzle;
use untumble_search::runtime::Runtime;
use untumble_search::spec::SpecError;

use super::coordinates::{
    FIRST_SLICE_EDGE, PHASE2_MOVES, corner_permutation, slice_permutation, sorted_edges, ud_edges,
};
use super::phase1::Phase1Node;
use super::phase2::{NO_FACE, Phase2, Phase2Search};
use super::*;
use crate::cube::Metric;
use crate::cube::pieces::inverse;

fn position(cube: &Cube3, text: &str) -> Cube {
    match cube.parse(text, true, &InputFormat::default()) {
        Ok(Parsed::Position(position)) => position,
        other => panic!("{text}: {other:?}"),
    }
}

fn limited(limits: Limits) -> Control {
    Control::new(limits, Arc::new(Silent))
}

fn turns(cube: &Cube3) -> Vec<usize> {
    cube.turns().all().iter().map(|&(face, quarters)| turn_index(face, quarters)).collect()
}

fn solver(cube: &Cube3, name: &str) -> Box<dyn Solver<Cube3>> {
    let control = limited(Limits { threads: 2, ..Limits::default() });
    cube.solver(name, &Runtime::default(), &control).expect(name).solver
}

const SMALL: &str = "two-phase:tables=small";

/// Solves, and checks the solution by replaying it.
fn solve(cube: &Cube3, solver: &dyn Solver<Cube3>, start: Cube, limits: Limits) -> Report {
    let report = solver.solve(cube, &[start], &limited(limits));
    if let Some(best) = &report.best {
        let end = cube.replay(&start, &best.moves).expect("every move is legal");
        assert!(cube.is_goal(&end), "the solution leads to the goal");
        assert_eq!(best.cost as usize, best.moves.len());
        assert!(report.lower_bound <= best.cost, "the lower bound holds");
    }
    report
}

fn length(report: &Report) -> Cost {
    report.best.as_ref().expect("a solution").cost
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]
    #[test]
    fn move_tables_agree_with_moves_of_the_cube(
        sequence in prop::collection::vec(0..FACE_TURNS, 0..20),
        phase2_sequence in prop::collection::vec(0..10usize, 0..20),
    ) {
        static SHARED: std::sync::OnceLock<(Cube3, TwoPhaseTables)> = std::sync::OnceLock::new();
        let (cube, tables) = SHARED.get_or_init(|| {
            let cube = Cube3::new(Metric::Htm);
            let tables = TwoPhaseTables::new(cube.turns(), &Control::default()).expect("no limit");
            (cube, tables)
        });
        let apply = |position: Cube, turn: usize| cube.apply(&position, untumble_search::moves::Move(turn as u8));
        let (phase1, phase2) = (&tables.phase1, &tables.phase2);
        let mut position = Cube::SOLVED;
        let sorted = |position: Cube| [FIRST_SLICE_EDGE, 0, 4].map(|first| sorted_edges(&position.edges(), first));
        let (mut node, mut corners, mut edges) = (phase1.node(position), 0, sorted(position));
        for turn in sequence {
            position = apply(position, turn);
            let symmetry = usize::from(node.symmetry);
            let (class, twist, change) =
                phase1.after(node.class, node.twist, phase1.group.conjugate_turn(symmetry, turn));
            node = Phase1Node { class, twist, symmetry: phase1.group.product(change, symmetry) as u8 };
            prop_assert_eq!(node.class, phase1.node(position).class);
            corners = phase2.corner_moves.after(corners, turn);
            prop_assert_eq!(corners, corner_permutation(&position.corners()));
            edges = edges.map(|coordinate| tables.sorted_edges_moves.after(coordinate, turn));
            prop_assert_eq!(edges, sorted(position));
        }
        let inverted = |cube: Cube| Cube::from_pieces(&inverse(&cube.corners(), 3), &inverse(&cube.edges(), 2));
        prop_assert_eq!(inverted(inverted(position)), position);
        // Within G1 the sorted coordinates determine the permutations of phase 2.
        let in_g1 = phase2_sequence.into_iter().fold(Cube::SOLVED, |cube, m| apply(cube, PHASE2_MOVES[m]));
        let [slice, u_edges, d_edges] = sorted(in_g1);
        prop_assert_eq!(tables.sorted_edges.slice_permutation(slice), slice_permutation(&in_g1.edges()));
        prop_assert_eq!(tables.sorted_edges.ud_edges(u_edges, d_edges), ud_edges(&in_g1.edges()));
        prop_assert!(phase1.is_goal(phase1.node(in_g1)));
    }

    #[test]
    fn random_positions_are_solved_within_21_moves(seed in 0..u64::MAX) {
        static SHARED: std::sync::OnceLock<(Cube3, Box<dyn Solver<Cube3>>)> = std::sync::OnceLock::new();
        let (cube, solver) = SHARED.get_or_init(|| {
            let cube = Cube3::new(Metric::Htm);
            let solver = solver(&cube, SMALL);
            (cube, solver)
        });
        let start = cube.random(&mut ChaCha8Rng::seed_from_u64(seed));
        let report = solve(cube, &**solver, start, Limits { max_length: Some(21), ..Limits::default() });
        prop_assert!(length(&report) <= 21);
        prop_assert_eq!(report.outcome, Outcome::Solved);
    }
}

/// The positions of G1 within `depth` moves of phase 2, and their distances.
fn g1_positions(cube: &Cube3, depth: u8) -> HashMap<Cube, u8> {
    let mut costs: HashMap<Cube, u8> = [(Cube::SOLVED, 0)].into();
    let mut level = vec![Cube::SOLVED];
    for cost in 1..=depth {
        let mut next = Vec::new();
        for position in &level {
            for turn in PHASE2_MOVES {
                let child = cube.apply(position, untumble_search::moves::Move(turn as u8));
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

#[test]
fn phase_2_is_optimal_up_to_5_moves() {
    let cube = Cube3::new(Metric::Htm);
    let group = crate::cube3::symmetry::SymmetryGroup::fixing_ud_axis();
    let phase2 = Phase2::new(Metric::Htm, &group, &Control::default()).expect("no limit");
    let truth = g1_positions(&cube, 5);
    let mut counts = [0; 6];
    truth.values().for_each(|&cost| counts[usize::from(cost)] += 1);
    assert_eq!(counts, [1, 10, 67, 456, 3079, 19948], "the published distribution");
    let mut search = Phase2Search::new(&phase2);
    for (position, &cost) in &truth {
        let edges = position.edges();
        let corners = corner_permutation(&position.corners());
        let node = phase2.node(corners, ud_edges(&edges), slice_permutation(&edges));
        assert!(phase2.bound(&node) <= cost, "the bound is admissible");
        assert!(search.search(node, NO_FACE, cost), "a solution is found");
        assert_eq!(search.path.len(), usize::from(cost), "the solution is optimal");
        assert!(cost == 0 || !search.search(node, NO_FACE, cost - 1));
    }
    assert!(phase2.maxima().iter().all(|&most| (11..=18).contains(&most)), "{:?}", phase2.maxima());
}

/// Checks that a phase-1 bound is admissible near the goal and against `exact`, is invariant under
/// symmetries, and is the same from scratch and from the parent.
fn check_phase1_bound(
    cube: &Cube3,
    tables: &TwoPhaseTables,
    bound: &impl Phase1Pruning,
    exact: Option<&ExactTable>,
) {
    let phase1 = &tables.phase1;
    let start = |position: Cube| bound.start(phase1, phase1.node(position));
    let mut level = vec![Cube::SOLVED];
    for cost in 0..=3 {
        assert!(level.iter().all(|&position| start(position) <= cost), "the bound is admissible");
        level = level.iter().flat_map(|at| cube.legal(at).into_iter().map(|m| cube.apply(at, m))).collect();
    }
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    for _ in 0..200 {
        let position = cube.random(&mut rng);
        let distance = start(position);
        assert!(distance <= 12, "the published maximum");
        for symmetry in &phase1.group.symmetries {
            assert_eq!(
                start(symmetry.conjugate(position)),
                distance,
                "the bound is invariant under symmetries"
            );
        }
        if let Some(exact) = exact {
            assert!(distance <= exact.start(phase1, phase1.node(position)), "the bound is admissible");
        }
        for m in cube.legal(&position) {
            let child = cube.apply(&position, m);
            let node = phase1.node(child);
            assert_eq!(
                bound.step(distance, node.class, node.twist),
                start(child),
                "the bound from the parent equals the bound from scratch"
            );
            assert!(!bound.prunes_class(node.class.into(), start(child).into()));
        }
    }
}

/// Builds the large table once for several checks.
#[test]
fn phase_1_has_the_published_distribution_and_the_solver_finds_known_lengths() {
    let cube = Cube3::new(Metric::Htm);
    let (runtime, control) = (Runtime::default(), limited(Limits { threads: 2, ..Limits::default() }));
    let tables = TwoPhaseTables::new(cube.turns(), &Control::default()).expect("no limit");
    let exact = ExactTable::new(&tables.phase1, Metric::Htm, &turns(&cube), &*runtime.tables, &control)
        .expect("no limit");
    // Published numbers of positions at distances 0 to 12, grouped by remainder modulo 3.
    let known = [
        [1u64, 592, 1_043_817, 821_605_960, 476],
        [4, 7156, 12_070_278, 1_199_128_738, 0],
        [50, 87_236, 124_946_368, 58_202_444, 0],
    ]
    .map(|levels| levels.iter().sum::<u64>());
    assert_eq!(exact.remainder_counts(&tables.phase1)[..3], known);
    check_phase1_bound(&cube, &tables, &exact, None);
    let pairs = PairTables::new(&tables.phase1, &turns(&cube), &control).expect("no limit");
    check_phase1_bound(&cube, &tables, &pairs, Some(&exact));

    let solver =
        cube.solver(&format!("{NAME}:tables=large"), &runtime, &control).expect("the table is built").solver;
    let superflip = position(&cube, "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2");
    let report = solve(&cube, &*solver, superflip, Limits { threads: 2, ..Limits::default() });
    assert_eq!(length(&report), 20, "the superflip");
    for (text, optimal) in known_lengths() {
        let start = position(&cube, text);
        let limits = Limits { nodes: Some(300_000), threads: 2, ..Limits::default() };
        let found = length(&solve(&cube, &*solver, start, limits));
        assert!((optimal..=21).contains(&found), "{text}: {found} of {optimal}");
        assert!(optimal > 9 || found == optimal, "{text}: short solutions are optimal");
    }
}

/// Positions with their optimal lengths.
fn known_lengths() -> impl Iterator<Item = (&'static str, Cost)> {
    let lines = include_str!("../../../tests/golden/cube3-optimal.csv").lines().skip(2);
    lines.filter_map(|line| {
        let (text, length) = line.rsplit_once(',')?;
        Some((text, length.parse().ok()?))
    })
}

#[test]
fn short_scrambles_are_solved_optimally() {
    for metric in [Metric::Htm, Metric::Qtm] {
        let cube = Cube3::new(metric);
        let solver = solver(&cube, SMALL);
        let report = solve(&cube, &*solver, Cube::SOLVED, Limits::default());
        assert_eq!((length(&report), report.optimal()), (0, true));
        for m in cube.legal(&Cube::SOLVED) {
            let one = cube.apply(&Cube::SOLVED, m);
            let report = solve(&cube, &*solver, one, Limits { nodes: Some(1_000_000), ..Limits::default() });
            assert_eq!((length(&report), report.optimal()), (1, true));
        }
        // In G1, and outside of it.
        let known: &[(&str, Cost)] = match metric {
            Metric::Htm => &[("U2 R2 D F2 L2", 5), ("U2 R2 D F2 L", 5), ("R L' U2 F", 4)],
            Metric::Qtm => &[("U2 R2", 4), ("R L' U2 F", 5)],
        };
        for &(text, known) in known {
            let limits = Limits { nodes: Some(10_000_000), ..Limits::default() };
            let report = solve(&cube, &*solver, position(&cube, text), limits);
            assert_eq!((length(&report), report.optimal()), (known, true), "{text}");
        }
        let report = solve(&cube, &*solver, position(&cube, "R U F"), Limits::default());
        assert_eq!((length(&report), report.optimal()), (3, true), "without limits too");
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        for _ in 0..2 {
            let report =
                solve(&cube, &*solver, cube.random(&mut rng), Limits { threads: 2, ..Limits::default() });
            assert!(length(&report) <= gods_number(metric), "at most God's number without limits");
        }
    }
}

#[test]
fn limits_and_requested_lengths_are_obeyed() {
    let cube = Cube3::new(Metric::Htm);
    let solver = solver(&cube, SMALL);
    let start = position(&cube, "D2 B2 R2 F2 U' B2 U2 R2 F2 R F2 L' B2 U R' U' B R' F' U");
    for threads in [1, 2] {
        let nodes = Limits { nodes: Some(1_000_000), threads, ..Limits::default() };
        let report = solve(&cube, &*solver, start, nodes);
        assert_eq!(
            report.outcome,
            Outcome::Solved,
            "a solution counts, even if a limit ended its improvement"
        );
        assert!((18..=20).contains(&length(&report)));
        // The limit does not interrupt a phase-2 search, so the count may exceed it.
        assert!(report.counts.generated < 1_100_000, "{}", report.counts.generated);
        let requested = Limits { max_length: Some(23), threads, ..Limits::default() };
        let report = solve(&cube, &*solver, start, requested);
        assert!((18..=23).contains(&length(&report)));
    }
    let none = solve(&cube, &*solver, start, Limits { nodes: Some(1), ..Limits::default() });
    assert_eq!((none.outcome, none.best), (Outcome::Stopped(Stop::Nodes), None));
    // The meter reads the clock once for each smallest batch, and each reading advances the clock by 0.5 ms:
    // the limit is reached after about a million nodes.
    let time = Limits { time: Some(Duration::from_secs(8)), threads: 2, ..Limits::default() };
    let clock = Arc::new(ManualClock::stepping(Duration::from_micros(500)));
    let timed = Control::with_clock(clock, &MemoryAccount::default(), time, Arc::new(Silent));
    let report = solver.solve(&cube, &[start], &timed);
    assert!(report.best.is_some());
    let elapsed = timed.elapsed();
    assert!((8.0..8.1).contains(&elapsed.as_secs_f64()), "the search ended after {elapsed:?}");
    let at_once = limited(Limits { time: Some(Duration::ZERO), ..Limits::default() });
    let refused = cube.solver(SMALL, &Runtime::default(), &at_once);
    assert_eq!(refused.err(), Some(Error::Stopped(Stop::Time)));
    let tight = limited(Limits { memory: Some(1 << 20), ..Limits::default() });
    let refused = cube.solver(SMALL, &Runtime::default(), &tight);
    assert_eq!(refused.err(), Some(Error::Stopped(Stop::Memory)));
    let room = limited(Limits { memory: Some(48 << 20), ..Limits::default() });
    let built = cube.solver(NAME, &Runtime::default(), &room).expect("small tables fit");
    assert_eq!(built.spec.to_string(), SMALL, "the spec names the tables that were built");
    let wrong = cube.registry().complete(&"two-phase:tables=huge".parse().expect("a spec"));
    let wrong = wrong.expect_err("tables are large or small");
    assert!(
        matches!(&wrong, SpecError::OptionValue { option: "tables", value, .. } if value == "huge"),
        "{wrong:?}"
    );
    assert!(wrong.to_string().contains("should be large or small"), "{wrong}");
}

#[test]
fn equivalent_variants_are_left_out() {
    let cube = Cube3::new(Metric::Htm);
    let tables = TwoPhaseTables::new(cube.turns(), &Control::default()).expect("no limit");
    let rotations = Symmetry::axis_rotations();
    let count = |text: &str| Variant::all(&tables.phase1, &rotations, position(&cube, text)).len();
    assert_eq!(count("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"), 1, "the superflip");
    assert_eq!(count("D2 B2 R2 F2 U' B2 U2 R2 F2 R F2 L' B2 U R' U' B R' F' U"), 6);
}
