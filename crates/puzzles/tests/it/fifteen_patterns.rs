//! Compares the bounded depth-first search specialised for the 15-puzzle with pattern databases with the
//! generic one: both generate the same nodes in the same order.

use std::borrow::Cow;
use std::sync::Arc;

use SolutionMode::{All, Exhaust, First};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use untumble_puzzles::tiles::fifteen::PatternIda;
use untumble_puzzles::tiles::pdb::Pdb;
use untumble_puzzles::tiles::{Board, Goal, Size, Tiles};
use untumble_search::bounded_dfs::{BoundedDfs, GenericDfs, PassResult, SolutionMode, Subtree};
use untumble_search::control::{Control, Limits, Silent};
use untumble_search::executor::Sequential;
use untumble_search::frontend::PuzzleFrontend;
use untumble_search::puzzle::Puzzle;
use untumble_search::runtime::Runtime;
use untumble_search::solve::Solver;
use untumble_search::solve::ida::{IdaOptions, iterative_deepening};

const SIZE: Size = Size { rows: 4, columns: 4 };

/// The named goals, and two arbitrary ones with the blank off and on the diagonal; only the latter has a
/// reflection.
fn goals() -> Vec<Goal> {
    let named = ["blank-last", "blank-first", "snail"].map(|name| Goal::named(SIZE, name).expect("a goal"));
    let off_diagonal = Goal::new(SIZE, vec![3, 1, 4, 15, 9, 2, 0, 5, 8, 7, 6, 10, 12, 11, 13, 14]);
    let on_diagonal = Goal::new(SIZE, vec![3, 1, 4, 15, 9, 0, 2, 5, 8, 7, 6, 10, 12, 11, 13, 14]);
    named.into_iter().chain([off_diagonal, on_diagonal]).collect()
}

/// Partitions given by sizes and by tiles; in the last two some tiles belong to no pattern.
const PARTITIONS: [&str; 4] = ["5-5-5", "4-4-4-3", "2-2-2-2-2-2-2", "1.2.3.5/6.15.14"];

/// The board after `moves` random moves from solved.
fn scrambled(tiles: &Tiles<u64>, rng: &mut ChaCha8Rng, moves: usize) -> Board<u64> {
    (0..moves).fold(tiles.solved(), |board, _| {
        let legal: Vec<_> = tiles.legal(&board).into_iter().collect();
        tiles.apply(&board, legal[rng.next_u32() as usize % legal.len()])
    })
}

fn control(threads: usize, nodes: Option<u64>) -> Control {
    Control::new(Limits { threads, nodes, ..Limits::default() }, Arc::new(Silent))
}

/// The generic heuristic and the specialised solver for a goal and a partition.
struct Pair {
    tiles: Tiles<u64>,
    pdb: Pdb<u64>,
    specialized: PatternIda,
    bpmx: bool,
    name: String,
}

impl Pair {
    fn generic<'a>(
        &'a self,
        starts: &'a [Board<u64>],
        mode: SolutionMode,
    ) -> GenericDfs<'a, Tiles<u64>, Pdb<u64>> {
        let automaton = Cow::Owned(PatternIda::automaton(mode.lists_all()));
        GenericDfs { puzzle: &self.tiles, heuristic: &self.pdb, automaton, starts, bpmx: self.bpmx, mode }
    }

    fn specialized<'a>(&'a self, starts: &'a [Board<u64>], mode: SolutionMode) -> Box<dyn BoundedDfs + 'a> {
        self.specialized.bounded_dfs(&self.tiles, starts, mode).expect("IDA* has a bounded search")
    }
}

/// Every goal with every partition, with and without BPMX.
fn for_each_pair(partitions: &[&str], each: impl FnMut(&Pair, &mut ChaCha8Rng)) {
    for_each_pair_of(goals(), partitions, each);
}

fn for_each_pair_of(goals: Vec<Goal>, partitions: &[&str], mut each: impl FnMut(&Pair, &mut ChaCha8Rng)) {
    let runtime = Runtime::default();
    let mut rng = ChaCha8Rng::seed_from_u64(15);
    for goal in goals {
        for text in partitions {
            for bpmx in [true, false] {
                let (tiles, control) = (Tiles::new(goal.clone()), Control::default());
                let options = IdaOptions { bpmx, parallel: true, early: true };
                let specialized = PatternIda::new(&tiles, text, options, &runtime, &control);
                let specialized = specialized.expect("tables").expect("a 4x4 board");
                let pdb = Pdb::new(&goal, text, &*runtime.tables, &control).expect("tables");
                let name = format!("pdb:{text}, blank at {}, BPMX {bpmx}", goal.blank_home());
                each(&Pair { tiles, pdb, specialized, bpmx, name }, &mut rng);
            }
        }
    }
}

fn run_pass(dfs: &dyn BoundedDfs, bound: u32) -> PassResult {
    dfs.run_pass(dfs.roots(), bound, &mut Control::default().meter())
}

/// Even and odd bounds, from one below the first bound to the first bound with a solution.
#[test]
fn every_pass_equals_that_of_the_generic_search() {
    for_each_pair(&PARTITIONS, |pair, rng| {
        compare_passes(pair, rng, &[(0, First), (1, First), (2, First), (9, All), (40, First), (80, First)]);
        compare_passes(pair, rng, &[(9, Exhaust)]);
    });
}

/// Compares the passes over boards scrambled by the given numbers of moves.
fn compare_passes(pair: &Pair, rng: &mut ChaCha8Rng, boards: &[(usize, SolutionMode)]) {
    for &(moves, mode) in boards {
        let starts = [scrambled(&pair.tiles, rng, moves)];
        let (generic, specialized) = (pair.generic(&starts, mode), pair.specialized(&starts, mode));
        assert_eq!(
            (generic.first_bound(), generic.roots()),
            (specialized.first_bound(), specialized.roots()),
            "{}",
            pair.name
        );
        for bound in generic.first_bound().saturating_sub(1).. {
            let expected = run_pass(&generic, bound);
            assert_eq!(run_pass(&*specialized, bound), expected, "{}, {starts:?}, bound {bound}", pair.name);
            if !expected.found.is_empty() || expected.nodes > 100_000 {
                break;
            }
        }
    }
}

/// The table of seven tiles is compact, the other one is sparse.
#[test]
fn mixed_layouts_equal_the_generic_search() {
    let goal = Goal::named(SIZE, "blank-first").expect("a goal");
    for_each_pair_of(vec![goal], &["1.4.5.8.9.12.13/2.3.6.7"], |pair, rng| {
        compare_passes(pair, rng, &[(2, First), (40, All), (1000, First), (1000, First)]);
    });
}

/// Passes of many nodes, for the first and for all solutions.
#[test]
fn large_passes_equal_those_of_the_generic_search() {
    for_each_pair(&["5-5-5"], |pair, rng| compare_passes(pair, rng, &[(1000, First), (90, All)]));
}

/// Runs a pass in pieces of `limit()` nodes until nothing is left or a goal is found.
fn run_in_pieces(dfs: &dyn BoundedDfs, bound: u32, mut limit: impl FnMut() -> u64) -> Vec<PassResult> {
    let mut pieces = Vec::new();
    let mut unsearched = dfs.roots();
    loop {
        let nodes = limit();
        let control = control(1, Some(nodes));
        let mut meter = control.meter();
        let piece = dfs.run_pass(unsearched, bound, &mut meter);
        assert_eq!(piece.nodes, meter.nodes(), "the meter counts what the search counts");
        let untried = |tree: &Subtree| !tree.untried.is_empty();
        assert!(piece.unsearched.iter().all(untried), "every remaining subtree has untried moves");
        let done = piece.unsearched.is_empty() || !piece.found.is_empty() && dfs.mode().stops_at_first();
        unsearched = piece.unsearched.clone();
        pieces.push(piece);
        if done {
            return pieces;
        }
    }
}

/// Both searches, paused at the same nodes, leave the same subtrees; without BPMX the pieces sum to the
/// whole pass.
#[test]
fn pieces_of_a_pass_equal_those_of_the_generic_search() {
    let mut max_pieces = 0;
    for_each_pair(&["4-4-4-3", "1.2.3.5/6.15.14"], |pair, rng| {
        for mode in [First, All] {
            let starts = [scrambled(&pair.tiles, rng, 70)];
            let (generic, specialized) = (pair.generic(&starts, mode), pair.specialized(&starts, mode));
            for bound in generic.first_bound().. {
                let expected = run_pass(&generic, bound);
                let (seed, limit) = (rng.next_u64(), expected.nodes / 40 + 1);
                let pieces_of = |dfs: &dyn BoundedDfs| {
                    let mut limits = ChaCha8Rng::seed_from_u64(seed);
                    run_in_pieces(dfs, bound, || 1 + limits.next_u64() % limit)
                };
                let pieces = pieces_of(&*specialized);
                assert_eq!(pieces, pieces_of(&generic), "{}, {starts:?}, bound {bound}", pair.name);
                max_pieces = max_pieces.max(pieces.len());
                if !pair.bpmx {
                    let mut sum = PassResult::empty();
                    pieces
                        .into_iter()
                        .for_each(|piece| sum.absorb(PassResult { unsearched: Vec::new(), ..piece }));
                    // Each subtree that is resumed counts its root as expanded again.
                    let expected =
                        PassResult { expanded: sum.expanded, unsearched: Vec::new(), ..expected.clone() };
                    assert_eq!(sum, expected, "{}, {starts:?}, bound {bound}", pair.name);
                }
                if !expected.found.is_empty() || expected.nodes > 30_000 {
                    break;
                }
            }
        }
    });
    assert!(max_pieces > 50, "at most {max_pieces} pieces");
}

#[test]
fn parallel_search_finds_the_same_lengths_and_solutions() {
    for_each_pair(&["5-5-5"], |pair, rng| {
        let starts = [scrambled(&pair.tiles, rng, 70)];
        let one = iterative_deepening(&pair.generic(&starts, First), &control(1, None), &Sequential);
        let last = one.iterations.len() - 1;
        let all_control = control(1, None).with_all_solutions(true);
        let all = iterative_deepening(&pair.generic(&starts, All), &all_control, &Sequential);
        for threads in [1, 2, 4] {
            let many = pair.specialized.solve(&pair.tiles, &starts, &control(threads, None));
            assert_eq!(many.best.as_ref().map(|best| best.cost), one.best.as_ref().map(|best| best.cost));
            assert!(many.optimal());
            if threads == 1 || !pair.bpmx {
                // An h-value raised by BPMX does not reach the subtrees of another thread.
                assert_eq!(many.iterations[..last], one.iterations[..last], "{}, {starts:?}", pair.name);
            }
            let many = pair.specialized.solve(
                &pair.tiles,
                &starts,
                &control(threads, None).with_all_solutions(true),
            );
            assert_eq!(many.solutions, all.solutions, "{}, {starts:?}, {threads} threads", pair.name);
        }
    });
}

/// The registry selects the specialised search, which, unlike the puzzle's automaton, prunes duplicate
/// operators.
#[test]
fn a_solver_text_with_a_partition_selects_the_specialized_search() {
    let (runtime, partition) = (Runtime::default(), "4-4-4-3");
    let tiles: Tiles<u64> = Tiles::new(Goal::named(SIZE, "blank-last").expect("a goal"));
    let pdb = Pdb::new(tiles.goal(), partition, &*runtime.tables, &Control::default()).expect("tables");
    let starts = [scrambled(&tiles, &mut ChaCha8Rng::seed_from_u64(19), 100)];
    let generic = |automaton| {
        let (puzzle, heuristic) = (&tiles, &pdb);
        let dfs = GenericDfs { puzzle, heuristic, automaton, starts: &starts, bpmx: false, mode: First };
        iterative_deepening(&dfs, &control(1, None), &Sequential)
    };
    let solver = tiles.solver(&format!("ida:bpmx=off+pdb:{partition}"), &runtime, &Control::default());
    let report = solver.expect("tables").solver.solve(&tiles, &starts, &control(1, None));
    assert_eq!(report, generic(Cow::Owned(PatternIda::automaton(false))));
    let unpruned = generic(Cow::Borrowed(tiles.automaton()));
    assert_eq!(unpruned.best.map(|best| best.cost), report.best.map(|best| best.cost));
    assert!(
        unpruned.counts.generated > report.counts.generated,
        "{:?}, {:?}",
        unpruned.counts,
        report.counts
    );
}
