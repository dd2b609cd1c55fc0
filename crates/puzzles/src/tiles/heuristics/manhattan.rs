//! Rows and columns from each tile to its home.

use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::moves::Move;
use untumble_search::puzzle::{Cost, Edge};

use crate::tiles::{Board, Cells, Goal, Tiles};

/// Manhattan distance.
#[derive(Clone, Debug)]
pub struct Manhattan {
    /// What a move adds, by tile, gap and move.
    change: Vec<i8>,
    /// Bits of a cell number.
    shift: u32,
    /// Each tile's distance from home, by tile and cell.
    distance: Vec<u16>,
}

impl Manhattan {
    /// For boards that are to become `goal`.
    pub fn new(goal: &Goal) -> Manhattan {
        let (size, cells) = (goal.size(), goal.size().cells());
        let shift = cells.next_power_of_two().trailing_zeros();
        let mut change = vec![0; (4 * cells) << shift];
        let mut distance = vec![0; cells << shift];
        for name in 1..cells {
            let far = |cell: usize| size.distance(cell, goal.home(name));
            for gap in 0..cells {
                distance[name << shift | gap] = far(gap) as u16;
                for m in (0..4).map(Move) {
                    let Some(from) = size.source(gap, m) else { continue };
                    let change = &mut change[(name << shift | gap) << 2 | m.index()];
                    *change = if far(gap) > far(from) { 1 } else { -1 };
                }
            }
        }
        Manhattan { change, shift, distance }
    }

    /// What a move adds to the distance, by its place: tile, gap and move packed as `(tile << bits | gap) << 2 | move`.
    #[inline(always)]
    pub(in crate::tiles) fn change_at(&self, place: usize) -> i32 {
        i32::from(self.change[place])
    }

    /// What a move adds to the distance.
    #[inline]
    pub(super) fn change<C: Cells>(&self, edge: &Edge<'_, Tiles<C>>) -> i32 {
        let gap = edge.parent.gap;
        let name = edge.parent.cells.get(edge.puzzle.source(gap, edge.m));
        i32::from(self.change[(name << self.shift | usize::from(gap)) << 2 | edge.m.index()])
    }
}

impl<C: Cells> Heuristic<Tiles<C>> for Manhattan {
    type Value = Cost;

    fn admissibility(&self) -> Admissibility {
        Admissibility::Consistent
    }

    #[inline]
    fn start(&self, puzzle: &Tiles<C>, board: &Board<C>) -> Cost {
        let distance = |cell: usize| Cost::from(self.distance[board.cells.get(cell) << self.shift | cell]);
        (0..puzzle.size().cells()).map(distance).sum()
    }

    #[inline]
    fn step(&self, value: &Cost, edge: &Edge<'_, Tiles<C>>, left: Cost) -> Result<Cost, Cost> {
        let h = value.wrapping_add_signed(self.change(edge));
        if h > left { Err(h) } else { Ok(h) }
    }

    #[inline]
    fn cost(&self, value: &Cost) -> Cost {
        *value
    }
}
