//! Manhattan distance: the number of rows and columns between each tile and its home, summed over the tiles.
//! One table look-up per move updates the value, as in Burns, Hatem, Leighton & Ruml, "Implementing fast
//! heuristic search code" (SoCS 2012).

use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::moves::Move;
use untumble_search::puzzle::{Cost, Edge};

use crate::tiles::{Board, Cells, Goal, Tiles};

/// Manhattan distance.
#[derive(Clone, Debug)]
pub struct Manhattan {
    /// The change of the distance, +1 or −1, by `(tile << shift | blank) << 2 | move`.
    change: Vec<i8>,
    /// Number of bits of a cell number in the indices.
    shift: u32,
    /// The distance of a tile from home, by `tile << shift | cell`.
    distance: Vec<u16>,
}

impl Manhattan {
    /// Builds the tables for one goal.
    pub fn new(goal: &Goal) -> Manhattan {
        let (size, cells) = (goal.size(), goal.size().cells());
        let shift = cells.next_power_of_two().trailing_zeros();
        let mut change = vec![0; (4 * cells) << shift];
        let mut distance = vec![0; cells << shift];
        for tile in 1..cells {
            let distance_to_home = |cell: usize| size.distance(cell, goal.home(tile));
            for blank in 0..cells {
                distance[tile << shift | blank] = distance_to_home(blank) as u16;
                for m in (0..4).map(Move) {
                    let Some(from) = size.sliding_cell(blank, m) else { continue };
                    let change = &mut change[(tile << shift | blank) << 2 | m.index()];
                    *change = if distance_to_home(blank) > distance_to_home(from) { 1 } else { -1 };
                }
            }
        }
        Manhattan { change, shift, distance }
    }

    /// The change of the distance at index `(tile << shift | blank) << 2 | move`.
    #[inline(always)]
    pub(in crate::tiles) fn change_at(&self, index: usize) -> i32 {
        i32::from(self.change[index])
    }

    /// The change of the distance by a move.
    #[inline]
    pub(super) fn change<C: Cells>(&self, edge: &Edge<'_, Tiles<C>>) -> i32 {
        let blank = edge.parent.blank;
        let tile = edge.parent.cells.get(edge.puzzle.sliding_cell(blank, edge.m));
        i32::from(self.change[(tile << self.shift | usize::from(blank)) << 2 | edge.m.index()])
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
    fn step(&self, value: &Cost, edge: &Edge<'_, Tiles<C>>, budget: Cost) -> Result<Cost, Cost> {
        let h = value.wrapping_add_signed(self.change(edge));
        if h > budget { Err(h) } else { Ok(h) }
    }

    #[inline]
    fn cost(&self, value: &Cost) -> Cost {
        *value
    }
}
