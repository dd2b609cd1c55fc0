//! Scheduled portfolios on the test puzzle. Time per node is stated so large that slices are a few nodes.

use std::sync::Arc;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::{Answer, ProofCost, Stage, StageCost};
use crate::control::{Control, Limits, ManualClock, MemoryAccount, Silent, Stop};
use crate::frontend::{DynPuzzle, Position, into_dyn};
use crate::report::Outcome;
use crate::runtime::Runtime;
use crate::test_puzzle::TestPuzzle;

/// Milliseconds per node: the shortest slice is twenty nodes.
const NODE_PICOS: u64 = 1_000_000_000;

fn puzzle() -> Box<dyn DynPuzzle> {
    into_dyn(TestPuzzle::new(6, &[1, 3, 2, 5, 2, 2, 4, 1]))
}

fn stage(puzzle: &dyn DynPuzzle, name: &str, cost: StageCost) -> Stage {
    let spec = puzzle.complete(&name.parse().expect(name)).expect(name);
    Stage { cost, ..spec.into() }
}

fn proof(preparation: u64, reduction: u64) -> StageCost {
    let preparation = Duration::from_secs(preparation);
    StageCost::Proof(ProofCost { preparation, node_picos: NODE_PICOS, reduction })
}

fn improvement(seconds: u64) -> StageCost {
    StageCost::Improvement(Duration::from_secs(seconds))
}

/// Random positions from all over the state space.
fn positions(puzzle: &dyn DynPuzzle) -> Vec<Position> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    (0..40).map(|_| puzzle.scramble(&mut rng, None)).collect()
}

fn solve(puzzle: &dyn DynPuzzle, stages: &[Stage], position: &Position, control: &Control) -> Answer {
    let portfolio = puzzle.prepare_first(1, stages, &Runtime::default(), control).expect("known solvers");
    portfolio.solve(position, control).expect("a position of this puzzle")
}

#[test]
fn a_proof_in_slices_searches_the_nodes_of_an_uninterrupted_one() {
    let puzzle = puzzle();
    let whole = [stage(&*puzzle, "ida+half", StageCost::InOrder)];
    // The improvement takes so long that it never runs, but because of it the proof runs in slices.
    let sliced = [
        stage(&*puzzle, "ida+half", proof(0, 1)),
        stage(&*puzzle, "beam:width=1+half", improvement(1 << 30)),
    ];
    for position in positions(&*puzzle) {
        let whole = solve(&*puzzle, &whole, &position, &Control::default());
        let sliced = solve(&*puzzle, &sliced, &position, &Control::default());
        let nodes = |answer: &Answer| (answer.report.iterations.clone(), answer.report.counts.generated);
        assert_eq!(nodes(&sliced), nodes(&whole));
        assert_eq!(sliced.report.best, whole.report.best);
        assert!(sliced.report.optimal());
    }
}

#[test]
fn every_schedule_ends_with_an_optimal_solution() {
    let puzzle = puzzle();
    let stages = [
        Stage { node_limit: Some(50), ..stage(&*puzzle, "ida+zero", StageCost::InOrder) },
        stage(&*puzzle, "greedy+half", StageCost::InOrder),
        stage(&*puzzle, "beam:width=2+half", improvement(1)),
        stage(&*puzzle, "beam:width=9+half", improvement(5)),
        stage(&*puzzle, "ida+zero", proof(0, 1)),
        stage(&*puzzle, "ida+half", proof(2, 10)),
    ];
    let exact = [stage(&*puzzle, "uniform", StageCost::InOrder)];
    let mut provers = std::collections::BTreeSet::new();
    for position in positions(&*puzzle) {
        let answer = solve(&*puzzle, &stages, &position, &Control::default());
        let exact = solve(&*puzzle, &exact, &position, &Control::default());
        let cost = |answer: &Answer| answer.report.best.as_ref().map(|best| best.cost);
        assert_eq!(cost(&answer), cost(&exact), "{answer:?}");
        assert!(answer.report.optimal(), "{answer:?}");
        provers.insert(answer.solver);
    }
    assert!(provers.contains("ida+zero") && provers.contains("ida+half"), "{provers:?}");
}

#[test]
fn limits_keep_the_incumbent_and_the_bound() {
    let puzzle = puzzle();
    let stages = [
        stage(&*puzzle, "beam:width=9+half", StageCost::InOrder),
        stage(&*puzzle, "ida+zero", proof(0, 1)),
        stage(&*puzzle, "beam:width=50+half", improvement(1)),
    ];
    let mut stops = 0;
    for position in positions(&*puzzle) {
        let clock = Arc::new(ManualClock::stepping(Duration::from_millis(1)));
        let timed = Limits { time: Some(Duration::from_millis(40)), ..Limits::default() };
        let counted = Limits { nodes: Some(3000), ..Limits::default() };
        for (limits, stop) in [(timed, Stop::Time), (counted, Stop::Nodes)] {
            let account = MemoryAccount::default();
            let control = Control::with_clock(clock.clone(), &account, limits, Arc::new(Silent));
            let report = solve(&*puzzle, &stages, &position, &control).report;
            assert!(report.best.is_some() || report.outcome == Outcome::Stopped(stop), "{report:?}");
            if !report.optimal() {
                assert_eq!(report.outcome, Outcome::Stopped(stop));
                assert!(report.lower_bound > 0 && report.best.is_some(), "{report:?}");
                stops += 1;
            }
            if limits.nodes.is_some() {
                assert!(report.counts.generated <= 3200, "{} nodes", report.counts.generated);
            }
        }
    }
    assert!(stops > 10, "only {stops} searches were stopped");
}

#[test]
fn without_a_proof_the_improvements_run_in_order() {
    let puzzle = puzzle();
    let stages = [
        stage(&*puzzle, "greedy+half", StageCost::InOrder),
        stage(&*puzzle, "beam:width=2+half", improvement(1)),
        stage(&*puzzle, "beam:width=9+half", improvement(100)),
        stage(&*puzzle, "beam:width=20+half", StageCost::InOrder),
    ];
    for position in positions(&*puzzle) {
        let answer = solve(&*puzzle, &stages, &position, &Control::default());
        assert_eq!(answer.report.outcome, Outcome::Solved);
        assert!(answer.report.optimal() || answer.solver.contains("width=20"), "{answer:?}");
    }
}
