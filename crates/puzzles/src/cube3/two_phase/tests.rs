//! Known numbers, bounds that hold, and answers that do.

use std::collections::HashMap;
use std::sync::Arc;

use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use untumble_search::control::{Account, Limits, ManualClock, Silent, Stop};
use untumble_search::frontend::PuzzleFrontend;
use untumble_search::frontend::{InputFormat, Parsed};
use untumble_search::puzzle::Puzzle;
use untumble_search::runtime::Runtime;
use untumble_search::spec::SpecError;

use super::coordinates::{FINISHING, MIDDLE, around_order, corner_order, middle_order, quartet};
use super::finish::{Ending, Finish, NO_FACE};
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
    cube.turns().list().iter().map(|&(face, quarters)| turn(face, quarters)).collect()
}

fn solver(cube: &Cube3, name: &str) -> Box<dyn Solver<Cube3>> {
    let control = limited(Limits { threads: 2, ..Limits::default() });
    cube.solver(name, &Runtime::default(), &control).expect(name).solver
}

const SMALL: &str = "two-phase:tables=small";

/// Solves, replays, and gives the report.
fn solve(cube: &Cube3, by: &dyn Solver<Cube3>, start: Cube, limits: Limits) -> Report {
    let report = by.solve(cube, &[start], &limited(limits));
    if let Some(best) = &report.best {
        let end = cube.replay(&start, &best.moves).expect("turns are always possible");
        assert!(cube.is_goal(&end), "a path solves");
        assert_eq!(best.cost as usize, best.moves.len());
        assert!(report.lower_bound <= best.cost, "no more is proven than is true");
    }
    report
}

fn length(report: &Report) -> Cost {
    report.best.as_ref().expect("an answer").cost
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]
    /// What moves make of numbers is what turns make of pieces.
    #[test]
    fn numbers_follow_the_cube(word in prop::collection::vec(0..TURNS, 0..20), end in prop::collection::vec(0..10usize, 0..20)) {
        static SHARED: std::sync::OnceLock<(Cube3, Ground)> = std::sync::OnceLock::new();
        let (cube, ground) = SHARED.get_or_init(|| {
            let cube = Cube3::new(Metric::Htm);
            let ground = Ground::new(cube.turns(), &Control::default()).expect("no limit");
            (cube, ground)
        });
        let moved = |cube3: Cube, place: usize| cube.apply(&cube3, untumble_search::moves::Move(place as u8));
        let (reduction, finish) = (&ground.reduction, &ground.finish);
        let mut now = Cube::SOLVED;
        let (mut node, mut corners) = (reduction.node(now), 0);
        let mut places = [MIDDLE, 0, 4].map(|first| quartet(&now.edges(), first));
        for place in word {
            now = moved(now, place);
            let frame = usize::from(node.frame);
            let (class, twist, symmetry) =
                reduction.after(node.class, node.twist, reduction.group.turn(frame, place));
            node = reduction::Node { class, twist, frame: reduction.group.product(symmetry, frame) as u8 };
            let fresh = reduction.node(now);
            prop_assert_eq!(node.class, fresh.class);
            corners = finish.corner_moves.after(corners, place);
            prop_assert_eq!(corners, corner_order(&now.corners()));
            places = places.map(|quartet| ground.quartet_moves.after(quartet, place));
            prop_assert_eq!(places, [MIDDLE, 0, 4].map(|first| quartet(&now.edges(), first)));
        }
        let back = Cube::of(&inverse(&now.corners(), 3), &inverse(&now.edges(), 2));
        let twice = Cube::of(&inverse(&back.corners(), 3), &inverse(&back.edges(), 2));
        prop_assert_eq!(twice, now);
        // Within the group of the second phase the quartets tell the orders.
        let now = end.into_iter().fold(Cube::SOLVED, |now, at| moved(now, FINISHING[at]));
        let [middle, ups, downs] = [MIDDLE, 0, 4].map(|first| quartet(&now.edges(), first));
        prop_assert_eq!(ground.quartets.middle(middle), middle_order(&now.edges()));
        prop_assert_eq!(ground.quartets.around(ups, downs), around_order(&now.edges()));
        prop_assert!(reduction.is_home(reduction.node(now)));
    }

    /// Any cube has an answer of God's number at most, and looking from elsewhere changes no bound.
    #[test]
    fn random_cubes_are_solved(seed in 0..u64::MAX) {
        static SHARED: std::sync::OnceLock<(Cube3, Box<dyn Solver<Cube3>>)> = std::sync::OnceLock::new();
        let (cube, by) = SHARED.get_or_init(|| {
            let cube = Cube3::new(Metric::Htm);
            let by = solver(&cube, SMALL);
            (cube, by)
        });
        let start = cube.random(&mut ChaCha8Rng::seed_from_u64(seed));
        let report = solve(cube, &**by, start, Limits { max_length: Some(21), ..Limits::default() });
        prop_assert!(length(&report) <= 21);
        prop_assert_eq!(report.outcome, Outcome::Solved);
    }
}

/// The cubes that the second phase solves, as far as `depth`.
fn near_ends(cube: &Cube3, depth: u8) -> HashMap<Cube, u8> {
    let mut costs: HashMap<Cube, u8> = [(Cube::SOLVED, 0)].into();
    let mut level = vec![Cube::SOLVED];
    for cost in 1..=depth {
        let mut next = Vec::new();
        for now in &level {
            for place in FINISHING {
                let child = cube.apply(now, untumble_search::moves::Move(place as u8));
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
fn the_second_phase_ends_the_shortest_way() {
    let cube = Cube3::new(Metric::Htm);
    let finish = Finish::new(Metric::Htm, &crate::cube3::symmetry::Group::upright(), &Control::default())
        .expect("no limit");
    let truth = near_ends(&cube, 5);
    let mut counts = [0; 6];
    truth.values().for_each(|&cost| counts[usize::from(cost)] += 1);
    assert_eq!(counts, [1, 10, 67, 456, 3079, 19948], "the known distribution");
    let mut ending = Ending::new(&finish);
    for (now, &cost) in &truth {
        let edges = now.edges();
        let rest = finish.rest(corner_order(&now.corners()), around_order(&edges), middle_order(&edges));
        assert!(finish.bound(&rest) <= cost, "admissible");
        assert!(ending.search(rest, NO_FACE, cost), "found");
        assert_eq!(ending.path.len(), usize::from(cost), "no end is shorter");
        assert!(cost == 0 || !ending.search(rest, NO_FACE, cost - 1));
    }
    assert!(finish.largest().iter().all(|&most| (11..=18).contains(&most)), "{:?}", finish.largest());
}

/// Checks the bound of the first phase from many cubes: near ones by the truth, and far ones by what they look like from elsewhere.
fn holds(cube: &Cube3, ground: &Ground, bound: &impl Bound, exact: Option<&Exact>) {
    let reduction = &ground.reduction;
    let start = |now: Cube| bound.start(reduction, reduction.node(now));
    let mut level = vec![Cube::SOLVED];
    for cost in 0..=3 {
        assert!(level.iter().all(|&now| start(now) <= cost), "admissible");
        level =
            level.iter().flat_map(|now| cube.legal(now).into_iter().map(|m| cube.apply(now, m))).collect();
    }
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    for _ in 0..200 {
        let now = cube.random(&mut rng);
        let distance = start(now);
        assert!(distance <= 12, "the known largest distance");
        for symmetry in &reduction.group.list {
            assert_eq!(start(symmetry.cube(now)), distance, "seen from elsewhere");
        }
        if let Some(exact) = exact {
            assert!(distance <= exact.start(reduction, reduction.node(now)), "admissible");
        }
        for m in cube.legal(&now) {
            let child = cube.apply(&now, m);
            let node = reduction.node(child);
            assert_eq!(
                bound.step(distance, node.class, node.twist),
                start(child),
                "a step agrees with a start"
            );
            assert!(!bound.excludes(node.class.into(), start(child).into()));
        }
    }
}

/// The large table: built once for all that there is to say about it.
#[test]
fn the_first_phase_is_as_known() {
    let cube = Cube3::new(Metric::Htm);
    let (runtime, control) = (Runtime::default(), limited(Limits { threads: 2, ..Limits::default() }));
    let ground = Ground::new(cube.turns(), &Control::default()).expect("no limit");
    let exact = Exact::new(&ground.reduction, Metric::Htm, &turns(&cube), &*runtime.tables, &control)
        .expect("no limit");
    // Positions at distances 0 to 12, those three apart together.
    let known = [
        [1u64, 592, 1_043_817, 821_605_960, 476],
        [4, 7156, 12_070_278, 1_199_128_738, 0],
        [50, 87_236, 124_946_368, 58_202_444, 0],
    ]
    .map(|levels| levels.iter().sum());
    assert_eq!(exact.remainders(&ground.reduction)[..3], known);
    holds(&cube, &ground, &exact, None);
    let pairs = Pairs::new(&ground.reduction, &turns(&cube), &control).expect("no limit");
    holds(&cube, &ground, &pairs, Some(&exact));

    let by = cube.solver(&format!("{NAME}:tables=large"), &runtime, &control).expect("it stands").solver;
    let superflip = position(&cube, "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2");
    let report = solve(&cube, &*by, superflip, Limits { threads: 2, ..Limits::default() });
    assert_eq!(length(&report), 20, "the superflip");
    for (text, optimal) in known_lengths() {
        let start = position(&cube, text);
        let limits = Limits { nodes: Some(300_000), threads: 2, ..Limits::default() };
        let found = length(&solve(&cube, &*by, start, limits));
        assert!((optimal..=21).contains(&found), "{text}: {found} of {optimal}");
        assert!(optimal > 9 || found == optimal, "{text}: near positions are proven");
    }
}

/// Positions whose shortest lengths are proven.
fn known_lengths() -> impl Iterator<Item = (&'static str, Cost)> {
    let lines = include_str!("../../../tests/golden/cube3-optimal.csv").lines().skip(2);
    lines.filter_map(|line| {
        let (text, length) = line.rsplit_once(',')?;
        Some((text, length.parse().ok()?))
    })
}

#[test]
fn what_is_near_is_solved_the_shortest_way() {
    for metric in [Metric::Htm, Metric::Qtm] {
        let cube = Cube3::new(metric);
        let by = solver(&cube, SMALL);
        let report = solve(&cube, &*by, Cube::SOLVED, Limits::default());
        assert_eq!((length(&report), report.optimal()), (0, true));
        for m in cube.legal(&Cube::SOLVED) {
            let one = cube.apply(&Cube::SOLVED, m);
            let report = solve(&cube, &*by, one, Limits { nodes: Some(1_000_000), ..Limits::default() });
            assert_eq!((length(&report), report.optimal()), (1, true));
        }
        // Within the second phase, and just outside of it.
        let known: &[(&str, Cost)] = match metric {
            Metric::Htm => &[("U2 R2 D F2 L2", 5), ("U2 R2 D F2 L", 5), ("R L' U2 F", 4)],
            Metric::Qtm => &[("U2 R2", 4), ("R L' U2 F", 5)],
        };
        for &(text, known) in known {
            let limits = Limits { nodes: Some(10_000_000), ..Limits::default() };
            let report = solve(&cube, &*by, position(&cube, text), limits);
            assert_eq!((length(&report), report.optimal()), (known, true), "{text}");
        }
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        for _ in 0..2 {
            let report =
                solve(&cube, &*by, cube.random(&mut rng), Limits { threads: 2, ..Limits::default() });
            assert!(length(&report) <= gods_number(metric), "without limits God's number is enough");
        }
    }
}

#[test]
fn limits_and_wishes_are_obeyed() {
    let cube = Cube3::new(Metric::Htm);
    let by = solver(&cube, SMALL);
    let start = position(&cube, "D2 B2 R2 F2 U' B2 U2 R2 F2 R F2 L' B2 U R' U' B R' F' U");
    for threads in [1, 2] {
        let nodes = Limits { nodes: Some(1_000_000), threads, ..Limits::default() };
        let report = solve(&cube, &*by, start, nodes);
        assert_eq!(
            report.outcome,
            Outcome::Solved,
            "an answer is one, even if a limit ended its improvement"
        );
        assert!((18..=20).contains(&length(&report)));
        // An end of the second phase may be under way.
        assert!(report.counts.generated < 1_100_000, "{}", report.counts.generated);
        let wish = Limits { max_length: Some(23), threads, ..Limits::default() };
        let report = solve(&cube, &*by, start, wish);
        assert!((18..=23).contains(&length(&report)));
    }
    let none = solve(&cube, &*by, start, Limits { nodes: Some(1), ..Limits::default() });
    assert_eq!((none.outcome, none.best), (Outcome::Stopped(Stop::Nodes), None));
    // Looks at the clock 0.5 ms apart, each after the smallest batch of nodes: the limit leaves about a million nodes.
    let time = Limits { time: Some(Duration::from_secs(8)), threads: 2, ..Limits::default() };
    let clock = Arc::new(ManualClock::stepping(Duration::from_micros(500)));
    let timed = Control::with_clock(clock, &Account::default(), time, Arc::new(Silent));
    let report = by.solve(&cube, &[start], &timed);
    assert!(report.best.is_some());
    let elapsed = timed.elapsed();
    assert!((8.0..8.1).contains(&elapsed.as_secs_f64()), "looked at the clock until {elapsed:?}");
    let at_once = limited(Limits { time: Some(Duration::ZERO), ..Limits::default() });
    let refused = cube.solver(SMALL, &Runtime::default(), &at_once);
    assert_eq!(refused.err(), Some(Error::Stopped(Stop::Time)));
    let tight = limited(Limits { memory: Some(1 << 20), ..Limits::default() });
    let refused = cube.solver(SMALL, &Runtime::default(), &tight);
    assert_eq!(refused.err(), Some(Error::Stopped(Stop::Memory)));
    let room = limited(Limits { memory: Some(64 << 20), ..Limits::default() });
    let built = cube.solver(NAME, &Runtime::default(), &room).expect("small ones");
    assert_eq!(built.spec.to_string(), SMALL, "the completed text names the tables that were built");
    let wrong = cube.registry().complete(&"two-phase:tables=huge".parse().expect("a spec"));
    let wrong = wrong.expect_err("tables are large or small");
    assert!(
        matches!(&wrong, SpecError::OptionValue { option: "tables", value, .. } if value == "huge"),
        "{wrong:?}"
    );
    assert!(wrong.to_string().contains("should be large or small"), "{wrong}");
}

#[test]
fn views_that_look_alike_are_left_out() {
    let cube = Cube3::new(Metric::Htm);
    let ground = Ground::new(cube.turns(), &Control::default()).expect("no limit");
    let count = |text: &str| View::all(&ground.reduction, &Symmetry::axes(), position(&cube, text)).len();
    assert_eq!(count("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"), 1, "the superflip");
    assert_eq!(count("D2 B2 R2 F2 U' B2 U2 R2 F2 R F2 L' B2 U R' U' B R' F' U"), 6);
}
