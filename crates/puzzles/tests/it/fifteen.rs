//! Compares the bounded depth-first search specialised for the 15-puzzle with the generic one: both generate
//! the same nodes in the same order.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use untumble_puzzles::tiles::heuristics::Manhattan;
use untumble_puzzles::tiles::{Board, Goal, Size, Tiles, fifteen};
use untumble_search::bounded_dfs::{BoundedDfs, PassResult, SolutionMode, Subtree};
use untumble_search::control::{Control, Limits, Silent, Stop};
use untumble_search::puzzle::Puzzle;
use untumble_search::report::Outcome;
use untumble_search::runtime::Runtime;
use untumble_search::solve::Solver;
use untumble_search::solve::ida::{Ida, IdaOptions};

const SIZE: Size = Size { rows: 4, columns: 4 };

/// Puzzles with the named goals and with an arbitrary one.
fn puzzles() -> Vec<Tiles<u64>> {
    let named = ["blank-last", "blank-first", "snail"].map(|name| Goal::named(SIZE, name).expect("a goal"));
    let arbitrary = Goal::new(SIZE, vec![3, 1, 4, 15, 9, 2, 0, 5, 8, 7, 6, 10, 12, 11, 13, 14]);
    named.into_iter().chain([arbitrary]).map(Tiles::new).collect()
}

/// The board after `moves` random moves from solved.
fn scrambled(tiles: &Tiles<u64>, rng: &mut ChaCha8Rng, moves: usize) -> Board<u64> {
    (0..moves).fold(tiles.solved(), |board, _| {
        let legal: Vec<_> = tiles.legal(&board).into_iter().collect();
        tiles.apply(&board, legal[rng.next_u32() as usize % legal.len()])
    })
}

fn options(parallel: bool) -> IdaOptions {
    IdaOptions { bpmx: false, parallel, early: true }
}

fn generic(tiles: &Tiles<u64>, parallel: bool) -> Ida<Manhattan> {
    Ida::new(Manhattan::new(tiles.goal()), options(parallel), &Runtime::default())
}

fn specialized(tiles: &Tiles<u64>, parallel: bool) -> fifteen::Ida {
    fifteen::Ida::new(tiles, options(parallel), &Runtime::default()).expect("a 4x4 board")
}

fn control(threads: usize, nodes: Option<u64>) -> Control {
    Control::new(Limits { threads, nodes, ..Limits::default() }, Arc::new(Silent))
}

/// Calls `each` with the generic and the specialised search of many positions.
fn for_each_pair(
    moves: usize,
    mode: SolutionMode,
    mut each: impl FnMut(&dyn BoundedDfs, &dyn BoundedDfs, &mut ChaCha8Rng),
) {
    let mut rng = ChaCha8Rng::seed_from_u64(15);
    for tiles in puzzles() {
        let (generic, specialized) = (generic(&tiles, false), specialized(&tiles, false));
        for round in 0..24 {
            let starts = [scrambled(&tiles, &mut rng, moves * round / 23)];
            let (generic, specialized) = bounded_searches(&generic, &specialized, &tiles, &starts, mode);
            assert_eq!(
                (generic.first_bound(), generic.roots()),
                (specialized.first_bound(), specialized.roots()),
                "{starts:?}"
            );
            each(&*generic, &*specialized, &mut rng);
        }
    }
}

/// The bounded depth-first searches of the generic and of the specialised solver.
fn bounded_searches<'a>(
    generic: &'a Ida<Manhattan>,
    specialized: &'a fifteen::Ida,
    tiles: &'a Tiles<u64>,
    starts: &'a [Board<u64>],
    mode: SolutionMode,
) -> (Box<dyn BoundedDfs + 'a>, Box<dyn BoundedDfs + 'a>) {
    let generic = generic.bounded_dfs(tiles, starts, mode).expect("IDA* has a bounded search");
    let specialized = specialized.bounded_dfs(tiles, starts, mode).expect("IDA* has a bounded search");
    assert_eq!((generic.mode(), specialized.mode()), (mode, mode));
    (generic, specialized)
}

fn run_pass(dfs: &dyn BoundedDfs, bound: u32) -> PassResult {
    dfs.run_pass(dfs.roots(), bound, &mut Control::default().meter())
}

/// Even and odd bounds, from one below the first bound to the first bound with a solution.
#[test]
fn every_pass_equals_that_of_the_generic_search() {
    for_each_pair(90, SolutionMode::First, |generic, specialized, _| {
        for bound in generic.first_bound().saturating_sub(1).. {
            let expected = run_pass(generic, bound);
            assert_eq!(run_pass(specialized, bound), expected, "bound {bound}");
            if !expected.found.is_empty() {
                break;
            }
        }
    });
}

/// Passes that are large enough for the batch search, for the first and for all solutions of random boards.
#[test]
fn large_passes_equal_those_of_the_generic_search() {
    let mut rng = ChaCha8Rng::seed_from_u64(18);
    for tiles in puzzles() {
        let (generic, specialized) = (generic(&tiles, false), specialized(&tiles, false));
        for (round, moves) in [1000, 1000, 150, 120, 100, 100, 80, 80].into_iter().enumerate() {
            let mode = [SolutionMode::First, SolutionMode::All][round % 2];
            let starts = [scrambled(&tiles, &mut rng, moves)];
            let (generic, specialized) = bounded_searches(&generic, &specialized, &tiles, &starts, mode);
            for bound in generic.first_bound().. {
                let expected = run_pass(&*generic, bound);
                assert_eq!(run_pass(&*specialized, bound), expected, "{starts:?}, bound {bound}");
                if !expected.found.is_empty() || expected.nodes > 2_000_000 {
                    break;
                }
            }
        }
    }
}

#[test]
fn all_solutions_equal_those_of_the_generic_search() {
    for mode in [SolutionMode::All, SolutionMode::Exhaust] {
        for_each_pair(36, mode, |generic, specialized, _| {
            let mut solved = 0;
            for bound in generic.first_bound().. {
                let expected = run_pass(generic, bound);
                assert_eq!(run_pass(specialized, bound), expected, "{mode:?}, bound {bound}");
                solved += u32::from(!expected.found.is_empty());
                if solved == 3 {
                    break;
                }
            }
        });
    }
}

/// Runs a pass in pieces of `limit()` nodes until nothing is left or a goal is found; returns the sum of
/// the results and the number of pieces.
fn run_in_pieces(dfs: &dyn BoundedDfs, bound: u32, mut limit: impl FnMut() -> u64) -> (PassResult, usize) {
    let mut sum = PassResult::empty();
    let mut unsearched = dfs.roots();
    let mut piece_count = 0;
    loop {
        let nodes = limit();
        let control = control(1, Some(nodes));
        let mut meter = control.meter();
        let mut piece = dfs.run_pass(unsearched, bound, &mut meter);
        assert_eq!(piece.nodes, meter.nodes(), "the meter counts what the search counts");
        assert!(piece.nodes <= nodes + 20, "{} of {nodes} nodes were spent", piece.nodes);
        assert!(
            piece.unsearched.is_empty() || piece.nodes >= nodes || !piece.found.is_empty(),
            "the node limit is used up"
        );
        assert!(
            piece.unsearched.iter().all(|tree: &Subtree| !tree.untried.is_empty()),
            "every remaining subtree has untried moves"
        );
        let found = !piece.found.is_empty() && dfs.mode().stops_at_first();
        unsearched = std::mem::take(&mut piece.unsearched);
        sum.absorb(piece);
        piece_count += 1;
        if unsearched.is_empty() || found {
            sum.unsearched = unsearched;
            return (sum, piece_count);
        }
    }
}

#[test]
fn pieces_of_a_pass_sum_to_the_whole_pass() {
    for (mode, moves) in [(SolutionMode::First, 60), (SolutionMode::Exhaust, 30), (SolutionMode::All, 30)] {
        let mut max_pieces = 0;
        for_each_pair(moves, mode, |generic, specialized, rng| {
            for bound in generic.first_bound().. {
                let expected = run_pass(generic, bound);
                let limit = expected.nodes / 40 + 1;
                for dfs in [generic, specialized] {
                    let (sum, piece_count) = run_in_pieces(dfs, bound, || 1 + rng.next_u64() % limit);
                    max_pieces = max_pieces.max(piece_count);
                    // Each subtree that is resumed counts its root as expanded again.
                    let expected = PassResult { expanded: sum.expanded, ..expected.clone() };
                    assert_eq!(sum, expected, "bound {bound}");
                }
                if !expected.found.is_empty() {
                    break;
                }
            }
        });
        assert!(max_pieces > 50, "at most {max_pieces} pieces");
    }
}

/// Random boards with a bound whose pass the generic search finishes in 1.5 to 12 million nodes, which is
/// enough for the batch search under a node limit.
fn large_passes(tiles: &Tiles<u64>, seed: u64) -> impl Iterator<Item = (Board<u64>, u32, PassResult)> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let boards = std::iter::repeat_with(move || scrambled(tiles, &mut rng, 1000));
    boards.flat_map(move |board| {
        let (solver, starts) = (generic(tiles, false), [board]);
        let dfs = solver.bounded_dfs(tiles, &starts, SolutionMode::First).expect("IDA* has a bounded search");
        let mut pass = PassResult::empty();
        let bound = (dfs.first_bound()..).step_by(2).find(|&bound| {
            pass = run_pass(&*dfs, bound);
            pass.nodes >= 1_500_000 || !pass.found.is_empty()
        });
        let fits = (1_500_000..12_000_000).contains(&pass.nodes) && pass.found.is_empty();
        bound.filter(|_| fits).map(|bound| (board, bound, pass))
    })
}

#[test]
fn large_passes_in_pieces_sum_to_the_whole_pass() {
    let mut rng = ChaCha8Rng::seed_from_u64(19);
    for tiles in puzzles() {
        let specialized = specialized(&tiles, false);
        for (board, bound, expected) in large_passes(&tiles, 20).take(2) {
            let starts = [board];
            let dfs = specialized.bounded_dfs(&tiles, &starts, SolutionMode::First).expect("IDA* is bounded");
            let (sum, pieces) = run_in_pieces(&*dfs, bound, || 1 + rng.next_u64() % 3_000_000);
            // Each subtree that is resumed counts its root as expanded again.
            let whole = PassResult { expanded: sum.expanded, ..expected };
            assert_eq!(sum, whole, "{board:?}, bound {bound}, {pieces} pieces");
        }
    }
}

#[test]
fn a_node_limit_ends_the_search_exactly_or_changes_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    for tiles in puzzles() {
        let solver = specialized(&tiles, false);
        let (board, unlimited) = std::iter::repeat_with(|| scrambled(&tiles, &mut rng, 250))
            .map(|board| (board, solver.solve(&tiles, &[board], &control(1, None))))
            .find(|(_, report)| (4_000_000..40_000_000).contains(&report.counts.generated))
            .expect("some board needs that many nodes");
        let nodes = unlimited.counts.generated;
        for limit in [nodes + 1, nodes + 3_000_000, 100 * nodes] {
            let limited = solver.solve(&tiles, &[board], &control(1, Some(limit)));
            assert_eq!(limited, unlimited, "{board:?}, limit {limit}");
        }
        for limit in [nodes / 7, nodes / 2, nodes - 1_000] {
            let limited = solver.solve(&tiles, &[board], &control(1, Some(limit)));
            let simple = generic(&tiles, false).solve(&tiles, &[board], &control(1, Some(limit)));
            assert_eq!(limited.outcome, Outcome::Stopped(Stop::Nodes), "{board:?}, limit {limit}");
            assert!((limit..limit + 20).contains(&limited.counts.generated), "{:?}", limited.counts);
            assert_eq!(limited.lower_bound, simple.lower_bound, "{board:?}, limit {limit}");
            let finished = limited.iterations.len() - 1;
            assert_eq!(limited.iterations.len(), simple.iterations.len());
            assert_eq!(limited.iterations[..finished], simple.iterations[..finished]);
        }
    }
}

#[test]
fn parallel_passes_generate_the_same_nodes() {
    let mut rng = ChaCha8Rng::seed_from_u64(16);
    for tiles in puzzles() {
        for _ in 0..6 {
            let board = scrambled(&tiles, &mut rng, 120);
            let one = generic(&tiles, false).solve(&tiles, &[board], &control(1, None));
            let last = one.iterations.len() - 1;
            for threads in [1, 2, 4, 8] {
                let many = specialized(&tiles, true).solve(&tiles, &[board], &control(threads, None));
                assert_eq!(many.best.as_ref().map(|best| best.cost), one.best.as_ref().map(|best| best.cost));
                assert_eq!(many.iterations[..last], one.iterations[..last], "{board:?}, {threads} threads");
                assert!(many.optimal());
            }
        }
    }
}

#[test]
fn parallel_search_lists_the_same_solutions() {
    let mut rng = ChaCha8Rng::seed_from_u64(17);
    for tiles in puzzles() {
        let board = scrambled(&tiles, &mut rng, 60);
        let one = generic(&tiles, false).solve(&tiles, &[board], &control(1, None).with_all_solutions(true));
        for threads in [1, 2, 4] {
            let many = specialized(&tiles, true).solve(
                &tiles,
                &[board],
                &control(threads, None).with_all_solutions(true),
            );
            assert_eq!(many.solutions, one.solutions, "{board:?}, {threads} threads");
            assert_eq!(many.iterations, one.iterations, "{board:?}, {threads} threads");
        }
    }
}
