//! The distances of all positions of a small board, and the way down them: built
//! once, it answers any number of positions by looking them up.

use std::ops::ControlFlow;
use std::sync::Arc;

use untumble_search::control::{Control, Pause, Stop};
use untumble_search::error::Error;
use untumble_search::frontend::PuzzleInfo;
use untumble_search::moves::Move;
use untumble_search::paths::{End, Ways};
use untumble_search::puzzle::{Cost, Puzzle, Ranked};
use untumble_search::ranked::distances;
use untumble_search::registry::{AlgorithmEntry, AlgorithmInfo, Unavailable};
use untumble_search::report::{Counts, Outcome, Report};
use untumble_search::solve::Solver;
use untumble_search::spec::SpecError;
use untumble_search::tables::{Table, TableId, Tables};

use super::{Board, Cells, Size, Tiles};

/// The name of the algorithm.
pub(super) const NAME: &str = "table";
/// Boards of so many cells have 1.8 million positions; with one more they would have twenty million.
pub(super) const MAX_CELLS: usize = 10;

/// Whether the positions of this board are few enough.
pub(super) fn possible(size: Size) -> bool {
    size.cells() <= MAX_CELLS
}

/// Why larger boards are refused.
pub(super) fn too_large(size: Size) -> Unavailable {
    Unavailable::TooLarge {
        unit: "cells",
        most: MAX_CELLS.to_string(),
        actual: size.cells().to_string(),
        instead: None,
    }
}

/// How many positions a board has.
pub(super) fn positions(size: Size) -> u64 {
    (3..=size.cells() as u64).product()
}

/// The entry of the table of all distances.
pub(super) fn entry<C: Cells>() -> AlgorithmEntry<Tiles<C>> {
    let info = AlgorithmInfo::new(
        NAME,
        "the distances of all positions once, then down them (up to 10 cells; for batches)",
    );
    AlgorithmEntry::new(info, |context| {
        Ok(Box::new(Distances::new(context.puzzle, &*context.runtime.tables, context.control)?))
    })
}

/// The least number of moves from every position, by its number.
pub struct Distances {
    table: Arc<Table>,
}

impl Distances {
    /// Made ready for a board of at most 10 cells, built where `tables` does not have it.
    pub fn new<C: Cells>(
        tiles: &Tiles<C>,
        tables: &dyn Tables,
        control: &Control,
    ) -> Result<Distances, Error> {
        let size = tiles.size();
        if !possible(size) {
            let (algorithm, puzzle) = (NAME.to_owned(), tiles.title());
            return Err(SpecError::Unavailable { algorithm, puzzle, why: Box::new(too_large(size)) }.into());
        }
        let id = TableId {
            puzzle: format!("tiles-{size}"),
            pattern: format!("distances-{}", tiles.goal().gap()),
            metric: String::new(),
            version: 1,
        };
        let table = tables.get(&id, positions(size) as usize, control, &mut |bytes, control| {
            bytes.copy_from_slice(&distances(tiles, control)?);
            Ok(())
        })?;
        Ok(Distances { table })
    }

    #[inline]
    fn of<C: Cells>(&self, tiles: &Tiles<C>, board: &Board<C>) -> Cost {
        Cost::from(self.table.bytes()[tiles.rank(board) as usize])
    }

    /// Follows the table from `start` to the goal.
    fn descend<C: Cells>(
        &self,
        tiles: &Tiles<C>,
        start: &Board<C>,
        control: &Control,
        counts: &mut Counts,
    ) -> Result<(), Stop> {
        let distance = self.of(tiles, start);
        control.prove(distance);
        let mut meter = control.meter();
        let mut path: Vec<Move> = Vec::with_capacity(distance as usize);
        let mut board = start.clone();
        for left in (0..distance).rev() {
            if let ControlFlow::Break(Pause::Stop(stop)) = meter.check() {
                return Err(stop);
            }
            counts.expanded += 1;
            let down = tiles.legal(&board).into_iter().find_map(|m| {
                if path.last().is_some_and(|&last| Some(m) == tiles.inverse(last)) {
                    return None;
                }
                meter.tick();
                counts.generated += 1;
                let next = tiles.apply(&board, m);
                (self.of(tiles, &next) == left).then_some((m, next))
            });
            let (m, next) = down.expect("a position that can be solved has a neighbour nearer to the goal");
            path.push(m);
            board = next;
        }
        control.offer(&path, distance);
        Ok(())
    }

    /// Every shortest sequence, in order.
    fn all<C: Cells>(
        &self,
        tiles: &Tiles<C>,
        start: &Board<C>,
        control: &Control,
    ) -> Result<Vec<Vec<Move>>, Stop> {
        let cost = |cells: &C| Some(self.of(tiles, &tiles.unpack(cells)));
        let mut ways = Ways::new(tiles, control, End::Goal, &cost)?.of(start, self.of(tiles, start))?;
        ways.sort();
        Ok(ways)
    }
}

impl<C: Cells> Solver<Tiles<C>> for Distances {
    fn solve(&self, tiles: &Tiles<C>, starts: &[Board<C>], control: &Control) -> Report {
        let mut counts = Counts { generated: starts.len() as u64, ..Counts::default() };
        let mut solutions = Vec::new();
        let mut outcome = Outcome::Unsolvable;
        // Boards of the wrong parity have no number of their own.
        for start in starts.iter().filter(|start| tiles.goal().reachable(&tiles.names(start))) {
            let found = self.descend(tiles, start, control, &mut counts).and_then(|()| {
                if control.all() {
                    solutions.append(&mut self.all(tiles, start, control)?);
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

    fn ready(tiles: &Tiles<u64>) -> Distances {
        Distances::new(tiles, &InMemory::default(), &Control::default()).expect("few positions")
    }

    #[test]
    fn every_position_of_small_boards_is_solved_the_shortest_way() {
        for (rows, columns) in [(2, 2), (2, 3), (3, 2)] {
            for goal in ["blank-last", "blank-first", "snail"] {
                let tiles = tiles(rows, columns, goal);
                assert_eq!(positions(tiles.size()), tiles.count());
                let table = ready(&tiles);
                let truth = laws::truth(&tiles);
                for start in truth.keys().map(|cells| tiles.unpack(cells)) {
                    for all in [false, true] {
                        let control = Control::default().for_all(all);
                        laws::shortest(&tiles, &table, &start, &truth, &control, NAME);
                    }
                }
            }
        }
    }

    #[test]
    fn a_board_of_the_wrong_parity_is_unsolvable() {
        let tiles = tiles(3, 3, "blank-last");
        let start = tiles.board(&[1, 2, 3, 4, 5, 6, 8, 7, 0]);
        let report = ready(&tiles).solve(&tiles, &[start], &Control::default());
        assert_eq!(report.outcome, Outcome::Unsolvable);
    }

    #[test]
    fn limits_leave_the_bound() {
        let tiles = tiles(3, 3, "blank-last");
        let table = ready(&tiles);
        let hardest = tiles.board(&[8, 6, 7, 2, 5, 4, 3, 0, 1]);
        let limits = Limits { nodes: Some(10), ..Limits::default() };
        let report = table.solve(&tiles, &[hardest], &Control::new(limits, Arc::new(Silent)));
        assert_eq!((report.outcome, report.lower_bound), (Outcome::Stopped(Stop::Nodes), 31));
    }

    #[test]
    fn larger_boards_are_refused_with_the_reason() {
        let refused = Distances::new(&tiles(3, 4, "snail"), &InMemory::default(), &Control::default());
        let expected = "table cannot solve tiles-3x4: at most 10 cells, and it has 12";
        assert_eq!(refused.err().map(|why| why.to_string()).as_deref(), Some(expected));
    }
}
