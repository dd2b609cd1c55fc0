//! Every algorithm on a puzzle with 198 moves, with and without inverses, with a goal that is listed and one that is
//! only a test: those that support it agree with a plain search, the others are refused.

use std::collections::HashMap;
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::best_first::{BestFirst, Weights};
use super::{Solver, beam, best_first, bidirectional, breadth, ida, insertion, tunnel};
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

type Truth = HashMap<Box<[u8]>, Cost>;
type Row = (&'static str, Requirements, Box<dyn Solver<WidePuzzle>>);

const POINTS: usize = 6;
/// The whole goal, and one that 24 states pass.
const PLACED: [usize; 2] = [POINTS, 2];
const INVERSES: [Inverses; 3] = [Inverses::All, Inverses::Involutions, Inverses::None];

fn control(threads: usize, all: bool) -> Control {
    Control::new(Limits { threads, ..Limits::default() }, Arc::new(Silent)).for_all(all)
}

fn rng() -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(16)
}

fn distorted(truth: &Truth, kind: Admissibility) -> DistortedHeuristic<Box<[u8]>> {
    DistortedHeuristic::new(truth.clone(), kind)
}

fn deepening<H>(heuristic: H, bpmx: bool, parallel: bool) -> Ida<H> {
    Ida::new(heuristic, IdaOptions { bpmx, parallel, early: true }, &Runtime::default())
}

/// The algorithms that find optimal solutions.
fn optimal(truth: &Truth) -> Vec<Row> {
    let half = || distorted(truth, Admissibility::Consistent);
    let moody = || distorted(truth, Admissibility::Admissible);
    let astar = |parallel| BestFirst { parallel, ..BestFirst::new(moody(), Weights::ASTAR) };
    vec![
        ("bfs", breadth::REQUIREMENTS, Box::new(breadth::Breadth { parallel: false })),
        ("parbfs", breadth::REQUIREMENTS, Box::new(breadth::Breadth { parallel: true })),
        ("bibfs", bidirectional::REQUIREMENTS, Box::new(bidirectional::Bidirectional)),
        ("iddfs", ida::REQUIREMENTS, Box::new(deepening(Zero, false, false))),
        ("ida", ida::REQUIREMENTS, Box::new(deepening(half(), true, false))),
        ("ida bpmx", ida::REQUIREMENTS, Box::new(deepening(moody(), true, false))),
        ("parida", ida::REQUIREMENTS, Box::new(deepening(moody(), true, true))),
        ("astar", best_first::REQUIREMENTS, Box::new(astar(false))),
        ("hda", best_first::REQUIREMENTS, Box::new(astar(true))),
        ("uniform", best_first::REQUIREMENTS, Box::new(BestFirst::new(half(), Weights::UNIFORM))),
    ]
}

/// The algorithms that find some solution.
fn suboptimal(truth: &Truth) -> Vec<Row> {
    let half = || distorted(truth, Admissibility::Consistent);
    let beam = half();
    let beams: tunnel::Beams<WidePuzzle> =
        Box::new(move |width, seed, puzzle: &WidePuzzle, starts, control| {
            beam::by_heuristic(&beam, width, seed, puzzle, starts, control)
        });
    vec![
        ("parbfs barrier=off", breadth::REQUIREMENTS, Box::new(breadth::Unordered)),
        ("dfs", ida::REQUIREMENTS, Box::new(ida::Dfs { depth: 12 })),
        ("greedy", best_first::REQUIREMENTS, Box::new(BestFirst::new(half(), Weights::GREEDY))),
        (
            "beam",
            beam::REQUIREMENTS,
            Box::new(beam::Beam { heuristic: Box::new(half()), width: 20, seed: 1 }),
        ),
        ("tunnel", tunnel::REQUIREMENTS, Box::new(tunnel::Tunnel { beams, width: 10, seed: 1 })),
    ]
}

/// What a puzzle lacks, as the requirements must report it.
fn lacking(requirements: Requirements, placed: usize, inverses: Inverses) -> Option<&'static str> {
    match (requirements, inverses, placed) {
        (Requirements { inverses: true, .. }, Inverses::Involutions | Inverses::None, _) => Some("inverses"),
        (Requirements { goal_states: true, .. }, _, placed) if placed < POINTS => Some("goal states"),
        _ => None,
    }
}

#[test]
fn the_wide_puzzle_keeps_the_laws() {
    for placed in PLACED {
        for inverses in INVERSES {
            let puzzle = WidePuzzle::new(POINTS, placed, inverses);
            laws::puzzle(&puzzle, &mut rng());
            let truth = laws::truth_by_test(&puzzle, &[puzzle.solved()]);
            assert_eq!(truth.len(), 720, "every permutation of six points");
            assert_eq!(laws::truth(&puzzle), truth, "{inverses:?}: forward and backward agree");
            for kind in [Admissibility::Consistent, Admissibility::Admissible] {
                laws::admissible(&puzzle, &distorted(&truth, kind), &truth);
            }
            laws::heuristic(&puzzle, &distorted(&truth, Admissibility::Admissible), &mut rng());
            laws::stroll(&puzzle, &distorted(&truth, Admissibility::Admissible), &mut rng());
        }
    }
}

/// Repeating a cycle is not its undo, and the single move that leads to the same state costs more.
#[test]
#[should_panic(expected = "the automaton loses")]
fn the_laws_notice_an_automaton_that_ignores_costs() {
    let repeated: Vec<Vec<Move>> = Move::first(WidePuzzle::MOVES).map(|m| vec![m, m]).collect();
    let automaton = MoveAutomaton::forbid(WidePuzzle::MOVES, &repeated);
    let puzzle = WidePuzzle::new(POINTS, POINTS, Inverses::None).with_automaton(automaton);
    laws::automaton(&puzzle, &puzzle.solved(), 720);
}

#[test]
fn algorithms_agree_with_a_plain_search_or_are_refused() {
    for placed in PLACED {
        for inverses in INVERSES {
            let puzzle = WidePuzzle::new(POINTS, placed, inverses);
            let truth = laws::truth_by_test(&puzzle, &[puzzle.solved()]);
            let positions: Vec<_> = laws::walk(&puzzle, 12, &mut rng()).into_iter().map(|(s, _)| s).collect();
            for (name, requirements, solver) in optimal(&truth) {
                if lacking(requirements, placed, inverses).is_some() {
                    continue;
                }
                let threads: &[usize] = if name.starts_with("par") || name == "hda" { &[1, 3] } else { &[1] };
                for position in &positions {
                    for (&threads, all) in threads.iter().flat_map(|t| [(t, false), (t, true)]) {
                        laws::shortest(&puzzle, &*solver, position, &truth, &control(threads, all), name);
                    }
                }
            }
            for (name, requirements, solver) in suboptimal(&truth) {
                if lacking(requirements, placed, inverses).is_some() {
                    continue;
                }
                for position in &positions {
                    let starts = std::slice::from_ref(position);
                    let report = solver.solve(&puzzle, starts, &control(2, false));
                    let best =
                        report.best.unwrap_or_else(|| panic!("{name} found nothing from {position:?}"));
                    assert_eq!(report.outcome, Outcome::Solved, "{name}");
                    assert!(laws::replays(&puzzle, starts, &best.moves), "{name} from {position:?}");
                    assert!(report.lower_bound <= truth[position], "{name} from {position:?}");
                }
            }
        }
    }
}

#[test]
fn requirements_refuse_what_a_puzzle_lacks() {
    for placed in PLACED {
        for inverses in INVERSES {
            let puzzle = WidePuzzle::new(POINTS, placed, inverses);
            let truth = Truth::new();
            for (name, requirements, _) in optimal(&truth).into_iter().chain(suboptimal(&truth)) {
                let refused = match requirements.check(&puzzle) {
                    Ok(()) => None,
                    Err(Unsupported::MoveWithoutInverse(m)) => {
                        assert_eq!(puzzle.inverse(m), None, "the move named has no inverse");
                        Some("inverses")
                    }
                    Err(Unsupported::GoalIsOnlyATest) => Some("goal states"),
                };
                assert_eq!(refused, lacking(requirements, placed, inverses), "{name}, {inverses:?}");
            }
            let word =
                insertion::finish(&puzzle, &[puzzle.solved()], &[], &control(1, false)).expect("no limit");
            let supported = insertion::REQUIREMENTS.check(&puzzle).is_ok();
            assert_eq!(word.is_some(), supported, "insertion does nothing where it cannot");
        }
    }
}

/// Without inverses bidirectional pathmax must not change what is searched.
#[test]
fn pathmax_is_off_without_inverses() {
    let puzzle = WidePuzzle::new(POINTS, POINTS, Inverses::None);
    let truth = laws::truth_by_test(&puzzle, &[puzzle.solved()]);
    for (position, _) in laws::walk(&puzzle, 12, &mut rng()) {
        let nodes = [true, false].map(|raise| {
            let heuristic = distorted(&truth, Admissibility::Admissible);
            let ida = deepening(heuristic, raise, false);
            laws::shortest(&puzzle, &ida, &position, &truth, &control(1, true), "ida").counts.generated
        });
        assert_eq!(nodes[0], nodes[1], "from {position:?}");
    }
}
