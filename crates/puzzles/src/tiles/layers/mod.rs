//! The constructive solver `layers`: solves the outer rows and columns one after the other, then the
//! remaining block of at most 3×3 cells optimally. The scheme is that of Parberry, "A real-time algorithm
//! for the (n²−1)-puzzle" (Information Processing Letters 56, 1995); here A* on a few tiles finds each step
//! (`subproblem.rs`).
//!
//! The number of tiles that one A* search tracks does not grow with the board, so boards of any size are
//! solved quickly. A line is removed from the side that keeps the blank's home inside the remaining region,
//! which makes the solver independent of the goal. The tiles of a line go home one by one, the last two
//! together. Several strategies order the lines differently; the shortest solution is kept.

mod region;
mod subproblem;

use untumble_search::control::{Control, Meter};
use untumble_search::moves::Move;
use untumble_search::puzzle::Cost;
use untumble_search::registry::{AlgorithmEntry, AlgorithmInfo, Guarantee};
use untumble_search::report::{Counts, Outcome, Report};
use untumble_search::solve::Solver;

use self::region::{Region, Strategy};
use super::{Board, Cells, DOWN, LEFT, RIGHT, Size, Tiles, UP};

/// The algorithm's name in solver texts.
pub(super) const NAME: &str = "layers";

/// The registry entry.
pub(super) fn entry<C: Cells>() -> AlgorithmEntry<Tiles<C>> {
    let info = AlgorithmInfo {
        guarantee: |_| Guarantee::None,
        guarantee_suffix: " (up to 3x3: optimal)",
        ..AlgorithmInfo::new(NAME, "solves rows and columns from the outside inwards; immediate on any size")
    };
    AlgorithmEntry::new(info, |_| Ok(Box::new(Layers)))
}

/// The constructive solver; see the module.
pub struct Layers;

/// Another strategy is tried while the total number of generated nodes is at most this.
const STRATEGY_NODES: u64 = 1 << 18;

impl<C: Cells> Solver<Tiles<C>> for Layers {
    fn solve(&self, tiles: &Tiles<C>, starts: &[Board<C>], control: &Control) -> Report {
        let mut meter = control.meter();
        let mut outcome = Outcome::Unsolvable;
        for start in starts {
            let ids = tiles.tile_ids(start);
            if tiles.goal().reachable(&ids) {
                let home_at = ids.iter().map(|&id| tiles.goal().home(id.into()) as u16).collect();
                let region =
                    Region::new(tiles.size(), home_at, usize::from(start.blank), tiles.goal().blank_home());
                outcome = try_strategies(&region, control, &mut meter);
            }
        }
        let generated = meter.nodes() + 1;
        Report::from_control(outcome, control, Counts { generated, ..Counts::default() })
    }
}

/// Moves that solve a board; `home_at` lists the home cell of the tile (or blank) in each cell.
pub(super) fn solve_homes(size: Size, home_at: Vec<u16>, blank: u16, blank_home: u16) -> Option<Vec<Move>> {
    let control = Control::default();
    let region = Region::new(size, home_at, blank.into(), blank_home.into());
    try_strategies(&region, &control, &mut control.meter());
    control.best()
}

/// Offers the solution of each strategy within the budget.
fn try_strategies(region: &Region, control: &Control, meter: &mut Meter<'_>) -> Outcome {
    control.raise_lower_bound(region.manhattan());
    for strategy in (0..Strategy::COUNT).map(Strategy).filter(|&strategy| region.is_distinct(strategy)) {
        let has_incumbent = strategy.0 > 0;
        if has_incumbent && (meter.nodes() > STRATEGY_NODES || control.upper_bound() <= control.lower_bound())
        {
            break;
        }
        let mut region = region.clone();
        match region.solve(strategy, meter) {
            Ok(()) => {
                let path = moves(region.size(), region.blank_path());
                control.offer(&path, path.len() as Cost);
            }
            // When a limit is reached, keep the incumbent of an earlier strategy.
            Err(_) if has_incumbent => break,
            Err(stop) => return Outcome::Stopped(stop),
        }
    }
    if region.is_block() {
        control.raise_lower_bound(control.upper_bound());
    }
    Outcome::Solved
}

/// The moves that lead the blank along a path of cells, the first cell being its start.
fn moves(size: Size, blank_path: &[u16]) -> Vec<Move> {
    let step = |pair: &[u16]| {
        let (from, to) = (usize::from(pair[0]), usize::from(pair[1]));
        [DOWN, RIGHT, LEFT, UP].into_iter().find(|&m| size.sliding_cell(from, m) == Some(to))
    };
    blank_path.windows(2).map(|pair| step(pair).expect("consecutive cells of a path are adjacent")).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::Goal;
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use untumble_search::control::{Limits, Silent, Stop};
    use untumble_search::frontend::{PuzzleFrontend, PuzzleText};
    use untumble_search::perm::shuffle;
    use untumble_search::puzzle::Puzzle;

    type Plain = Tiles<Box<[u16]>>;
    type PlainBoard = Board<Box<[u16]>>;

    fn shuffled(count: usize, rng: &mut ChaCha8Rng) -> Vec<u16> {
        let mut labels: Vec<u16> = (0..count as u16).collect();
        shuffle(&mut labels, rng);
        labels
    }

    fn puzzle(rows: usize, columns: usize, rng: &mut ChaCha8Rng) -> Plain {
        let size = Size { rows, columns };
        Tiles::new(Goal::new(size, shuffled(size.cells(), rng)))
    }

    /// Solves, replays, and returns the length.
    fn length(tiles: &Plain, board: &PlainBoard) -> Cost {
        let control = Control::default();
        let report = Layers.solve(tiles, std::slice::from_ref(board), &control);
        assert_eq!(report.outcome, Outcome::Solved, "{board:?}");
        let best = report.best.expect("a solved board has a solution");
        let end = tiles.replay(board, &best.moves).expect("every move is legal");
        assert!(tiles.is_goal(&end), "the solution of {board:?} reaches the goal");
        assert_eq!(best.cost as usize, best.moves.len());
        assert!(report.lower_bound <= best.cost && report.counts.generated > 0);
        let undoes = best.moves.windows(2).any(|pair| tiles.inverse(pair[0]) == Some(pair[1]));
        assert!(!undoes, "no move undoes the one before");
        best.cost
    }

    /// The distance of every solvable board, by breadth-first search.
    fn distances(tiles: &Plain) -> HashMap<Box<[u16]>, (PlainBoard, Cost)> {
        let goal = tiles.solved();
        let mut known = HashMap::from([(tiles.pack(&goal), (goal.clone(), 0))]);
        let mut level = vec![goal];
        for depth in 1.. {
            let mut next = Vec::new();
            for board in &level {
                for child in tiles.legal(board).into_iter().map(|m| tiles.apply(board, m)) {
                    known.entry(tiles.pack(&child)).or_insert_with(|| {
                        next.push(child.clone());
                        (child, depth)
                    });
                }
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        known
    }

    #[test]
    fn boards_of_up_to_3x3_are_solved_optimally() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for (rows, columns, count) in [(2, 2, 12), (2, 3, 360), (3, 2, 360)] {
            let tiles = puzzle(rows, columns, &mut rng);
            let known = distances(&tiles);
            assert_eq!(known.len(), count);
            for (board, distance) in known.values() {
                assert_eq!(length(&tiles, board), *distance, "{board:?}");
            }
        }
        let tiles = puzzle(3, 3, &mut rng);
        let known = distances(&tiles);
        for _ in 0..2000 {
            let board = tiles.random(&mut rng);
            assert_eq!(length(&tiles, &board), known[&tiles.pack(&board)].1, "{board:?}");
        }
    }

    #[test]
    fn boards_of_every_shape_and_goal_are_solved() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for rows in 2..=8 {
            for columns in 2..=8 {
                for _ in 0..6 {
                    let tiles = puzzle(rows, columns, &mut rng);
                    let board = tiles.random(&mut rng);
                    length(&tiles, &board);
                }
            }
        }
    }

    /// The bound 8/3 n³ is the expected length of Parberry's algorithm (Parberry, "Solving the
    /// (n²−1)-puzzle with 8/3 n³ expected moves", Algorithms 8, 2015).
    #[test]
    fn solutions_of_large_boards_are_shorter_than_parberrys_expectation() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for (rows, columns) in [(10, 10), (16, 16), (64, 64), (64, 2), (2, 64), (64, 3), (5, 64)] {
            let tiles = puzzle(rows, columns, &mut rng);
            let board = tiles.random(&mut rng);
            let moves = length(&tiles, &board) as usize;
            let side = rows.max(columns);
            assert!(3 * moves < 8 * side.pow(3), "{rows}x{columns} took {moves} moves");
        }
    }

    #[test]
    fn a_solved_board_needs_no_moves() {
        let tiles = puzzle(5, 4, &mut ChaCha8Rng::seed_from_u64(4));
        assert_eq!(length(&tiles, &tiles.solved()), 0);
    }

    #[test]
    fn a_board_of_the_wrong_parity_is_unsolvable() {
        let goal = Goal::named(Size { rows: 4, columns: 4 }, "blank-last").expect("a known goal");
        let tiles = Plain::new(goal);
        let mut ids = tiles.goal().solved();
        ids.swap(13, 14);
        let report = Layers.solve(&tiles, &[tiles.board(&ids)], &Control::default());
        assert_eq!((report.outcome, report.best), (Outcome::Unsolvable, None));
        assert!(tiles.check_solvable(&tiles.board(&ids)).is_err());
    }

    #[test]
    fn node_limits_are_respected() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let tiles = puzzle(16, 16, &mut rng);
        let board = tiles.random(&mut rng);
        let stopped = |nodes| {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let control = Control::new(limits, std::sync::Arc::new(Silent));
            let report = Layers.solve(&tiles, std::slice::from_ref(&board), &control);
            assert!(report.counts.generated <= nodes + 5, "{} of {nodes}", report.counts.generated);
            report.outcome
        };
        assert_eq!(stopped(1000), Outcome::Stopped(Stop::Nodes));
        assert_eq!(stopped(120_000), Outcome::Solved, "the first strategy was completed");
    }
}
