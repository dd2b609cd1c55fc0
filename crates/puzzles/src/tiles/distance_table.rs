//! The solver `table`: the exact distance of every position of a small board, by one breadth-first search
//! from the goal. A solution follows decreasing distances, so that each position of a batch costs only
//! table look-ups.

use std::ops::ControlFlow;
use std::sync::Arc;

use untumble_search::control::{BreakReason, Control, Stop};
use untumble_search::error::Error;
use untumble_search::frontend::PuzzleInfo;
use untumble_search::moves::Move;
use untumble_search::paths::{PathEnd, PathEnumerator};
use untumble_search::puzzle::{Cost, Puzzle, Ranked};
use untumble_search::ranked::distances;
use untumble_search::registry::{AlgorithmEntry, AlgorithmInfo, Unavailable};
use untumble_search::report::{Counts, Outcome, Report};
use untumble_search::solve::Solver;
use untumble_search::spec::SpecError;
use untumble_search::tables::{Table, TableId, Tables, ValueDistribution};

use super::{Board, Cells, Size, Tiles};

/// The algorithm's name in solver texts.
pub(super) const NAME: &str = "table";
/// Largest number of cells: 1.8 million positions (20 million with one cell more).
pub(super) const MAX_CELLS: usize = 10;

/// Whether the solver exists for boards of this size.
pub(super) fn is_available(size: Size) -> bool {
    size.cells() <= MAX_CELLS
}

/// The reason why the solver is not available for a board of this size.
pub(super) fn unavailable(size: Size) -> Unavailable {
    Unavailable::TooLarge {
        unit: "cells",
        most: MAX_CELLS.to_string(),
        actual: size.cells().to_string(),
        instead: None,
    }
}

/// The number of solvable positions of a board: half the factorial of its cells.
pub(super) fn position_count(size: Size) -> u64 {
    (3..=size.cells() as u64).product()
}

/// The identity of the table for goals with this home of the blank.
fn table_id(size: Size, blank_home: usize) -> TableId {
    TableId {
        puzzle: format!("tiles-{size}"),
        pattern: format!("distances-{blank_home}"),
        metric: String::new(),
        version: 1,
    }
}

/// The number of positions at each distance; `None` if the contents are not those of a distance table of
/// this size of board.
pub(super) fn distribution(size: Size, id: &TableId, contents: &[u8]) -> Option<ValueDistribution> {
    let known = is_available(size)
        && (0..size.cells()).any(|blank_home| *id == table_id(size, blank_home))
        && contents.len() as u64 == position_count(size);
    known.then(|| {
        let mut counts = vec![0; 256];
        contents.iter().for_each(|&distance| counts[usize::from(distance)] += 1);
        ValueDistribution::new("positions", "moves to the goal", counts)
    })
}

/// The registry entry.
pub(super) fn entry<C: Cells>() -> AlgorithmEntry<Tiles<C>> {
    let info = AlgorithmInfo::new(
        NAME,
        "breadth-first search of all positions once, then table look-ups (up to 10 cells; for batches)",
    );
    AlgorithmEntry::new(info, |context| {
        Ok(Box::new(DistanceTable::new(context.puzzle, &*context.runtime.tables, context.control)?))
    })
}

/// The distance to the goal of every position, by rank.
pub struct DistanceTable {
    table: Arc<Table>,
}

impl DistanceTable {
    /// Loads the table of a board of at most `MAX_CELLS` cells from `tables`, or builds it.
    pub fn new<C: Cells>(
        tiles: &Tiles<C>,
        tables: &dyn Tables,
        control: &Control,
    ) -> Result<DistanceTable, Error> {
        let size = tiles.size();
        if !is_available(size) {
            let (algorithm, puzzle) = (NAME.to_owned(), tiles.title());
            return Err(SpecError::Unavailable { algorithm, puzzle, why: Box::new(unavailable(size)) }.into());
        }
        let id = table_id(size, tiles.goal().blank_home());
        let table = tables.get(&id, position_count(size) as usize, control, &mut |bytes, control| {
            bytes.copy_from_slice(&distances(tiles, control)?);
            Ok(())
        })?;
        Ok(DistanceTable { table })
    }

    /// The distance of a solvable board.
    #[inline]
    pub(super) fn distance<C: Cells>(&self, tiles: &Tiles<C>, board: &Board<C>) -> Cost {
        Cost::from(self.table.bytes()[tiles.rank(board) as usize])
    }

    /// Offers the solution that follows decreasing distances from `start`, each time by the first such move
    /// in move order.
    fn follow<C: Cells>(
        &self,
        tiles: &Tiles<C>,
        start: &Board<C>,
        control: &Control,
        counts: &mut Counts,
    ) -> Result<(), Stop> {
        let distance = self.distance(tiles, start);
        control.raise_lower_bound(distance);
        let mut meter = control.meter();
        let mut path: Vec<Move> = Vec::with_capacity(distance as usize);
        let mut board = start.clone();
        for remaining in (0..distance).rev() {
            if let ControlFlow::Break(BreakReason::Stop(stop)) = meter.check() {
                return Err(stop);
            }
            counts.expanded += 1;
            let closer = tiles.legal(&board).into_iter().find_map(|m| {
                if path.last().is_some_and(|&last| Some(m) == tiles.inverse(last)) {
                    return None;
                }
                meter.tick();
                counts.generated += 1;
                let next = tiles.apply(&board, m);
                (self.distance(tiles, &next) == remaining).then_some((m, next))
            });
            let (m, next) = closer.expect("an unsolved position has a successor closer to the goal");
            path.push(m);
            board = next;
        }
        control.offer(&path, distance);
        Ok(())
    }

    /// All optimal solutions, in lexicographic order.
    fn all_solutions<C: Cells>(
        &self,
        tiles: &Tiles<C>,
        start: &Board<C>,
        control: &Control,
    ) -> Result<Vec<Vec<Move>>, Stop> {
        let cost = |cells: &C| Some(self.distance(tiles, &tiles.unpack(cells)));
        let mut solutions = PathEnumerator::new(tiles, control, PathEnd::Goal, &cost)?
            .paths_of(start, self.distance(tiles, start))?;
        solutions.sort();
        Ok(solutions)
    }
}

impl<C: Cells> Solver<Tiles<C>> for DistanceTable {
    fn solve(&self, tiles: &Tiles<C>, starts: &[Board<C>], control: &Control) -> Report {
        let mut counts = Counts { generated: starts.len() as u64, ..Counts::default() };
        let mut solutions = Vec::new();
        let mut outcome = Outcome::Unsolvable;
        // A board of the wrong parity shares the rank of a solvable one.
        for start in starts.iter().filter(|start| tiles.goal().reachable(&tiles.tile_ids(start))) {
            let found = self.follow(tiles, start, control, &mut counts).and_then(|()| {
                if control.all_solutions() {
                    solutions.append(&mut self.all_solutions(tiles, start, control)?);
                }
                Ok(())
            });
            outcome = match found {
                Ok(()) => Outcome::Solved,
                Err(stop) => Outcome::Stopped(stop),
            };
        }
        counts.visited = counts.generated;
        Report { solutions, ..Report::from_control(outcome, control, counts) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Goal;
    use super::*;
    use std::sync::Arc;
    use untumble_search::control::{Limits, Silent};
    use untumble_search::laws;
    use untumble_search::tables::InMemory;

    fn tiles(rows: usize, columns: usize, goal: &str) -> Tiles<u64> {
        Tiles::new(Goal::named(Size { rows, columns }, goal).expect("a known goal"))
    }

    fn build(tiles: &Tiles<u64>) -> DistanceTable {
        DistanceTable::new(tiles, &InMemory::default(), &Control::default()).expect("at most 10 cells")
    }

    #[test]
    fn every_position_of_small_boards_is_solved_optimally() {
        for (rows, columns) in [(2, 2), (2, 3), (3, 2)] {
            for goal in ["blank-last", "blank-first", "snail"] {
                let tiles = tiles(rows, columns, goal);
                assert_eq!(position_count(tiles.size()), tiles.count());
                let table = build(&tiles);
                let truth = laws::exact_costs(&tiles);
                for start in truth.keys().map(|cells| tiles.unpack(cells)) {
                    for all in [false, true] {
                        let control = Control::default().with_all_solutions(all);
                        laws::solver_is_optimal(&tiles, &table, &start, &truth, &control, NAME);
                    }
                }
            }
        }
    }

    #[test]
    fn a_board_of_the_wrong_parity_is_unsolvable() {
        let tiles = tiles(3, 3, "blank-last");
        let start = tiles.board(&[1, 2, 3, 4, 5, 6, 8, 7, 0]);
        let report = build(&tiles).solve(&tiles, &[start], &Control::default());
        assert_eq!(report.outcome, Outcome::Unsolvable);
    }

    #[test]
    fn a_node_limit_keeps_the_exact_lower_bound() {
        let tiles = tiles(3, 3, "blank-last");
        let table = build(&tiles);
        let hardest = tiles.board(&[8, 6, 7, 2, 5, 4, 3, 0, 1]);
        let limits = Limits { nodes: Some(10), ..Limits::default() };
        let report = table.solve(&tiles, &[hardest], &Control::new(limits, Arc::new(Silent)));
        assert_eq!((report.outcome, report.lower_bound), (Outcome::Stopped(Stop::Nodes), 31));
    }

    #[test]
    fn boards_of_more_than_ten_cells_are_rejected_with_the_limit() {
        let rejected = DistanceTable::new(&tiles(3, 4, "snail"), &InMemory::default(), &Control::default());
        let expected = "table cannot solve tiles-3x4: at most 10 cells, and it has 12";
        assert_eq!(rejected.err().map(|why| why.to_string()).as_deref(), Some(expected));
    }
}
