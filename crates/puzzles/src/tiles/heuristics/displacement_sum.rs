//! Heuristics that are a sum over tiles of a function of the tile's displacement from home: misplaced tiles,
//! Euclidean and Chebyshev distance, squared distance.

use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::puzzle::{Cost, Edge};

use crate::tiles::{Board, Cells, Goal, Tiles};

/// A sum of per-tile terms in fixed-point arithmetic, rounded up.
#[derive(Clone, Debug)]
pub struct DisplacementSum {
    /// The term of a tile, by `tile * cells + cell`.
    term: Vec<u32>,
    cells: usize,
    /// Number of fraction bits of the terms.
    fraction_bits: u32,
    admissibility: Admissibility,
}

impl DisplacementSum {
    /// `term(rows, columns)` is the term of a tile displaced by `rows` rows and `columns` columns.
    fn new(
        goal: &Goal,
        fraction_bits: u32,
        admissibility: Admissibility,
        term: impl Fn(usize, usize) -> u32,
    ) -> DisplacementSum {
        let (size, cells) = (goal.size(), goal.size().cells());
        let mut terms = vec![0; cells * cells];
        for tile in 1..cells {
            let home = goal.home(tile);
            for cell in 0..cells {
                let rows = size.row(cell).abs_diff(size.row(home));
                let columns = size.column(cell).abs_diff(size.column(home));
                terms[tile * cells + cell] = term(rows, columns);
            }
        }
        DisplacementSum { term: terms, cells, fraction_bits, admissibility }
    }

    /// The number of misplaced tiles (Hamming distance).
    pub fn misplaced(goal: &Goal) -> DisplacementSum {
        DisplacementSum::new(goal, 0, Admissibility::Consistent, |rows, columns| {
            u32::from(rows + columns > 0)
        })
    }

    /// The sum of Euclidean distances. Terms are rounded down and the sum is rounded up to an integer, so it
    /// stays admissible.
    pub fn euclidean(goal: &Goal) -> DisplacementSum {
        const FRACTION_BITS: u32 = 16;
        let distance = |rows: usize, columns: usize| {
            let square = (rows * rows + columns * columns) as u64;
            (square << (2 * FRACTION_BITS)).isqrt() as u32
        };
        DisplacementSum::new(goal, FRACTION_BITS, Admissibility::Consistent, distance)
    }

    /// The sum of Chebyshev distances: the larger of rows and columns.
    pub fn diagonal(goal: &Goal) -> DisplacementSum {
        DisplacementSum::new(goal, 0, Admissibility::Consistent, |rows, columns| rows.max(columns) as u32)
    }

    /// The sum of squared Euclidean distances; inadmissible.
    pub fn squared(goal: &Goal) -> DisplacementSum {
        DisplacementSum::new(goal, 0, Admissibility::None, |rows, columns| {
            (rows * rows + columns * columns) as u32
        })
    }
}

impl<C: Cells> Heuristic<Tiles<C>> for DisplacementSum {
    type Value = u32;

    fn admissibility(&self) -> Admissibility {
        self.admissibility
    }

    fn start(&self, _puzzle: &Tiles<C>, board: &Board<C>) -> u32 {
        (0..self.cells).map(|cell| self.term[board.cells.get(cell) * self.cells + cell]).sum()
    }

    #[inline]
    fn step(&self, value: &u32, edge: &Edge<'_, Tiles<C>>, budget: Cost) -> Result<u32, Cost> {
        let to = usize::from(edge.parent.blank);
        let from = edge.puzzle.sliding_cell(edge.parent.blank, edge.m);
        let tile_offset = edge.parent.cells.get(from) * self.cells;
        let sum = value - self.term[tile_offset + from] + self.term[tile_offset + to];
        let h = sum.div_ceil(1 << self.fraction_bits);
        if h > budget { Err(h) } else { Ok(sum) }
    }

    #[inline]
    fn cost(&self, value: &u32) -> Cost {
        value.div_ceil(1 << self.fraction_bits)
    }
}
