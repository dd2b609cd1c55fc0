//! Every algorithm on a puzzle with 198 moves, with and without inverses, with listed goal states and with a
//! goal test only. Algorithms that support the puzzle agree with exact costs; the others are refused.

use std::collections::HashMap;
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::best_first::{BestFirst, Weights};
use super::{Solver, beam, best_first, bidirectional, breadth_first, ida, insertion, tunnel};
use crate::control::{Control, Limits, Silent};
use crate::heuristic::{Admissibility, Zero};
use crate::laws;
use crate::moves::{Move, MoveAutomaton};
use crate::puzzle::{Cost, Puzzle, Requirements, Unsupported};
use crate::report::Outcome;
use crate::runtime::Runtime;
use crate::solve::ida::{Ida, IdaOptions};
use crate::test_puzzle::DistortedHeuristic;
use crate::wide_puzzle::{Inverses, WidePuzzle};

type ExactCosts = HashMap<Box<[u8]>, Cost>;
/// The name, the requirements and the solver of an algorithm.
type Row = (&'static str, Requirements, Box<dyn Solver<WidePuzzle>>);

const POINTS: usize = 6;
/// The number of points that the goal fixes: all of them, or two, which leaves 24 goal states.
const PLACED: [usize; 2] = [POINTS, 2];
const INVERSES: [Inverses; 3] = [Inverses::All, Inverses::Involutions, Inverses::None];

fn control(threads: usize, all: bool) -> Control {
    Control::new(Limits { threads, ..Limits::default() }, Arc::new(Silent)).with_all_solutions(all)
}

fn rng() -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(16)
}

fn distorted(exact: &ExactCosts, kind: Admissibility) -> DistortedHeuristic<Box<[u8]>> {
    DistortedHeuristic::new(exact.clone(), kind)
}

fn deepening<H>(heuristic: H, bpmx: bool, parallel: bool) -> Ida<H> {
    Ida::new(heuristic, IdaOptions { bpmx, parallel, early: true }, &Runtime::default())
}

/// The algorithms that find optimal solutions.
fn optimal(exact: &ExactCosts) -> Vec<Row> {
    let half = || distorted(exact, Admissibility::Consistent);
    let inconsistent = || distorted(exact, Admissibility::Admissible);
    let astar = |parallel| BestFirst { parallel, ..BestFirst::new(inconsistent(), Weights::ASTAR) };
    vec![
        ("bfs", breadth_first::REQUIREMENTS, Box::new(breadth_first::BreadthFirst { parallel: false })),
        ("parbfs", breadth_first::REQUIREMENTS, Box::new(breadth_first::BreadthFirst { parallel: true })),
        ("bibfs", bidirectional::REQUIREMENTS, Box::new(bidirectional::Bidirectional)),
        ("iddfs", ida::REQUIREMENTS, Box::new(deepening(Zero, false, false))),
        ("ida", ida::REQUIREMENTS, Box::new(deepening(half(), true, false))),
        ("ida bpmx", ida::REQUIREMENTS, Box::new(deepening(inconsistent(), true, false))),
        ("parida", ida::REQUIREMENTS, Box::new(deepening(inconsistent(), true, true))),
        ("astar", best_first::REQUIREMENTS, Box::new(astar(false))),
        ("hda", best_first::REQUIREMENTS, Box::new(astar(true))),
        ("uniform", best_first::REQUIREMENTS, Box::new(BestFirst::new(half(), Weights::UNIFORM))),
    ]
}

/// The algorithms that find some solution.
fn suboptimal(exact: &ExactCosts) -> Vec<Row> {
    let half = || distorted(exact, Admissibility::Consistent);
    let beam = half();
    let run_beam: tunnel::BeamRunner<WidePuzzle> =
        Box::new(move |width, seed, puzzle: &WidePuzzle, starts, control| {
            beam::run_with_heuristic(&beam, width, seed, puzzle, starts, control)
        });
    vec![
        ("parbfs barrier=off", breadth_first::REQUIREMENTS, Box::new(breadth_first::UnorderedBreadthFirst)),
        ("dfs", ida::REQUIREMENTS, Box::new(ida::Dfs { depth: 12 })),
        ("greedy", best_first::REQUIREMENTS, Box::new(BestFirst::new(half(), Weights::GREEDY))),
        (
            "beam",
            beam::REQUIREMENTS,
            Box::new(beam::Beam { heuristic: Box::new(half()), width: 20, seed: 1 }),
        ),
        ("tunnel", tunnel::REQUIREMENTS, Box::new(tunnel::Tunneling { run_beam, width: 10, seed: 1 })),
    ]
}

/// The requirement that a puzzle does not meet, if any.
fn unmet(requirements: Requirements, placed: usize, inverses: Inverses) -> Option<&'static str> {
    match (requirements, inverses, placed) {
        (Requirements { inverses: true, .. }, Inverses::Involutions | Inverses::None, _) => Some("inverses"),
        (Requirements { goal_states: true, .. }, _, placed) if placed < POINTS => Some("goal states"),
        _ => None,
    }
}

#[test]
fn the_wide_puzzle_satisfies_the_laws() {
    for placed in PLACED {
        for inverses in INVERSES {
            let puzzle = WidePuzzle::new(POINTS, placed, inverses);
            laws::puzzle(&puzzle, &mut rng());
            let exact = laws::exact_costs_by_goal_test(&puzzle, &[puzzle.solved()]);
            assert_eq!(exact.len(), 720, "every permutation of six points");
            assert_eq!(laws::exact_costs(&puzzle), exact, "{inverses:?}: forward and backward agree");
            for kind in [Admissibility::Consistent, Admissibility::Admissible] {
                laws::admissible(&puzzle, &distorted(&exact, kind), &exact);
            }
            laws::heuristic(&puzzle, &distorted(&exact, Admissibility::Admissible), &mut rng());
            laws::heuristic_walker(&puzzle, &distorted(&exact, Admissibility::Admissible), &mut rng());
        }
    }
}

/// Applying a cycle twice does not undo it, and a single move to the same state costs more.
#[test]
#[should_panic(expected = "the automaton loses")]
fn the_laws_reject_an_automaton_that_ignores_costs() {
    let repeated: Vec<Vec<Move>> = Move::first_n(WidePuzzle::MOVES).map(|m| vec![m, m]).collect();
    let automaton = MoveAutomaton::forbid(WidePuzzle::MOVES, &repeated);
    let puzzle = WidePuzzle::new(POINTS, POINTS, Inverses::None).with_automaton(automaton);
    laws::automaton(&puzzle, &puzzle.solved(), 720);
}

#[test]
fn algorithms_agree_with_exact_costs_or_are_refused() {
    for placed in PLACED {
        for inverses in INVERSES {
            let puzzle = WidePuzzle::new(POINTS, placed, inverses);
            let exact = laws::exact_costs_by_goal_test(&puzzle, &[puzzle.solved()]);
            let positions: Vec<_> =
                laws::random_walk(&puzzle, 12, &mut rng()).into_iter().map(|(s, _)| s).collect();
            for (name, requirements, solver) in optimal(&exact) {
                if unmet(requirements, placed, inverses).is_some() {
                    continue;
                }
                let threads: &[usize] = if name.starts_with("par") || name == "hda" { &[1, 3] } else { &[1] };
                for position in &positions {
                    for (&threads, all) in threads.iter().flat_map(|t| [(t, false), (t, true)]) {
                        laws::solver_is_optimal(
                            &puzzle,
                            &*solver,
                            position,
                            &exact,
                            &control(threads, all),
                            name,
                        );
                    }
                }
            }
            for (name, requirements, solver) in suboptimal(&exact) {
                if unmet(requirements, placed, inverses).is_some() {
                    continue;
                }
                for position in &positions {
                    let starts = std::slice::from_ref(position);
                    let report = solver.solve(&puzzle, starts, &control(2, false));
                    let best =
                        report.best.unwrap_or_else(|| panic!("{name} found nothing from {position:?}"));
                    assert_eq!(report.outcome, Outcome::Solved, "{name}");
                    assert!(laws::is_solution(&puzzle, starts, &best.moves), "{name} from {position:?}");
                    assert!(report.lower_bound <= exact[position], "{name} from {position:?}");
                }
            }
        }
    }
}

#[test]
fn requirements_refuse_puzzles_that_do_not_meet_them() {
    for placed in PLACED {
        for inverses in INVERSES {
            let puzzle = WidePuzzle::new(POINTS, placed, inverses);
            let exact = ExactCosts::new();
            for (name, requirements, _) in optimal(&exact).into_iter().chain(suboptimal(&exact)) {
                let refused = match requirements.check(&puzzle) {
                    Ok(()) => None,
                    Err(Unsupported::MoveWithoutInverse(m)) => {
                        assert_eq!(puzzle.inverse(m), None, "the reported move has no inverse");
                        Some("inverses")
                    }
                    Err(Unsupported::GoalIsOnlyATest) => Some("goal states"),
                };
                assert_eq!(refused, unmet(requirements, placed, inverses), "{name}, {inverses:?}");
            }
            let solution =
                insertion::finish(&puzzle, &[puzzle.solved()], &[], &control(1, false)).expect("no limit");
            let supported = insertion::REQUIREMENTS.check(&puzzle).is_ok();
            assert_eq!(solution.is_some(), supported, "insertion requires inverses and goal states");
        }
    }
}

/// Without inverses BPMX must not change the searched nodes.
#[test]
fn bpmx_has_no_effect_without_inverses() {
    let puzzle = WidePuzzle::new(POINTS, POINTS, Inverses::None);
    let exact = laws::exact_costs_by_goal_test(&puzzle, &[puzzle.solved()]);
    for (position, _) in laws::random_walk(&puzzle, 12, &mut rng()) {
        let nodes = [true, false].map(|bpmx| {
            let heuristic = distorted(&exact, Admissibility::Admissible);
            let ida = deepening(heuristic, bpmx, false);
            laws::solver_is_optimal(&puzzle, &ida, &position, &exact, &control(1, true), "ida")
                .counts
                .generated
        });
        assert_eq!(nodes[0], nodes[1], "from {position:?}");
    }
}
