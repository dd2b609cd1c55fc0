//! Sums over tiles of something that depends on each tile's place alone.

use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::puzzle::{Cost, Edge};

use crate::tiles::{Board, Cells, Goal, Tiles};

/// A sum over tiles, in fixed point and rounded up.
#[derive(Clone, Debug)]
pub struct PerTile {
    /// What a tile adds, by tile and cell.
    part: Vec<u32>,
    cells: usize,
    /// Binary places behind the point.
    places: u32,
    promise: Admissibility,
}

impl PerTile {
    /// `part` tells what a tile that is so many rows and columns from home adds.
    fn new(goal: &Goal, places: u32, promise: Admissibility, part: impl Fn(usize, usize) -> u32) -> PerTile {
        let (size, cells) = (goal.size(), goal.size().cells());
        let mut parts = vec![0; cells * cells];
        for name in 1..cells {
            let home = goal.home(name);
            for cell in 0..cells {
                let rows = size.row(cell).abs_diff(size.row(home));
                let columns = size.column(cell).abs_diff(size.column(home));
                parts[name * cells + cell] = part(rows, columns);
            }
        }
        PerTile { part: parts, cells, places, promise }
    }

    /// Tiles not at home.
    pub fn misplaced(goal: &Goal) -> PerTile {
        PerTile::new(goal, 0, Admissibility::Consistent, |rows, columns| u32::from(rows + columns > 0))
    }

    /// Straight distances. Each is rounded down to a fraction, so the sum
    /// rounded up is never above the truth.
    pub fn euclidean(goal: &Goal) -> PerTile {
        const PLACES: u32 = 16;
        let straight = |rows: usize, columns: usize| {
            let square = (rows * rows + columns * columns) as u64;
            (square << (2 * PLACES)).isqrt() as u32
        };
        PerTile::new(goal, PLACES, Admissibility::Consistent, straight)
    }

    /// The larger of rows and columns.
    pub fn diagonal(goal: &Goal) -> PerTile {
        PerTile::new(goal, 0, Admissibility::Consistent, |rows, columns| rows.max(columns) as u32)
    }

    /// Squared distances: not a bound.
    pub fn squared(goal: &Goal) -> PerTile {
        PerTile::new(goal, 0, Admissibility::None, |rows, columns| (rows * rows + columns * columns) as u32)
    }
}

impl<C: Cells> Heuristic<Tiles<C>> for PerTile {
    type Value = u32;

    fn admissibility(&self) -> Admissibility {
        self.promise
    }

    fn start(&self, _puzzle: &Tiles<C>, board: &Board<C>) -> u32 {
        (0..self.cells).map(|cell| self.part[board.cells.get(cell) * self.cells + cell]).sum()
    }

    #[inline]
    fn step(&self, value: &u32, edge: &Edge<'_, Tiles<C>>, left: Cost) -> Result<u32, Cost> {
        let to = usize::from(edge.parent.gap);
        let from = edge.puzzle.source(edge.parent.gap, edge.m);
        let row = edge.parent.cells.get(from) * self.cells;
        let sum = value - self.part[row + from] + self.part[row + to];
        let h = sum.div_ceil(1 << self.places);
        if h > left { Err(h) } else { Ok(sum) }
    }

    #[inline]
    fn cost(&self, value: &u32) -> Cost {
        value.div_ceil(1 << self.places)
    }
}
