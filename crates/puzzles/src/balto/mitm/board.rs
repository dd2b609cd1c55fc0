//! A small board with an incremental distance sum and hash, and the enumeration of its paths.

use std::ops::ControlFlow;

use untumble_search::control::Meter;
use untumble_search::moves::Move;
use untumble_search::perm::SplitMix64;

use super::super::{Balto, Board, inverse_move, moves_of_direction, rotation_directions};

/// At least the number of cells of the largest supported board; a power of two.
const MAX_CELLS: usize = 32;

/// Tables that depend on the lattice only.
pub(super) struct BoardTables {
    neighbours: Vec<[u8; 6]>,
    /// Indexed by two cells.
    distance: Vec<[u8; MAX_CELLS]>,
    /// Zobrist keys (Zobrist, 1970), indexed by cell and tile.
    zobrist: Vec<[u64; MAX_CELLS]>,
}

impl BoardTables {
    pub(super) fn new(balto: &Balto) -> BoardTables {
        let lattice = balto.lattice();
        let cells = lattice.cells() as u16;
        let mut rng = SplitMix64(0x0042_616c_746f);
        let distance = |from: u16, to: usize| {
            if to < usize::from(cells) { lattice.distance(from, to as u16) as u8 } else { 0 }
        };
        BoardTables {
            neighbours: (0..cells).map(|cell| lattice.neighbours(cell).map(|cell| cell as u8)).collect(),
            distance: (0..cells).map(|from| std::array::from_fn(|to| distance(from, to))).collect(),
            zobrist: (0..cells).map(|_| std::array::from_fn(|_| rng.next_u64())).collect(),
        }
    }
}

/// A board on its way to a target board.
#[derive(Clone)]
pub(super) struct DistanceBoard<'a> {
    tables: &'a BoardTables,
    cells: [u8; MAX_CELLS],
    /// Indexed by tile: its cell on the target board.
    target: [u8; MAX_CELLS],
    empty_cell: usize,
    /// The sum of the distances of all tiles from their target cells. A move carries two tiles one step
    /// each, so half of the sum is a lower bound.
    pub(super) distance_sum: u32,
    hash: u64,
}

impl<'a> DistanceBoard<'a> {
    pub(super) fn new(tables: &'a BoardTables, from: &Board, to: &Board) -> DistanceBoard<'a> {
        let mut board = DistanceBoard {
            tables,
            cells: [0; MAX_CELLS],
            target: [0; MAX_CELLS],
            empty_cell: usize::from(from.empty_cell()),
            distance_sum: 0,
            hash: 0,
        };
        for (cell, &tile) in to.cells().iter().enumerate() {
            board.target[usize::from(tile)] = cell as u8;
        }
        for (cell, &tile) in from.cells().iter().enumerate() {
            board.cells[cell] = tile as u8;
            board.hash ^= tables.zobrist[cell][usize::from(tile)];
            if cell != board.empty_cell {
                board.distance_sum += u32::from(board.distance(cell, tile as u8));
            }
        }
        board
    }

    /// The distance of a tile in `cell` from its target cell.
    #[inline]
    fn distance(&self, cell: usize, tile: u8) -> u8 {
        self.tables.distance[cell][usize::from(self.target[usize::from(tile)])]
    }

    /// The two cells that a move rotates with the empty cell.
    #[inline]
    fn rotated_cells(&self, m: Move) -> (usize, usize) {
        let (second, third) = rotation_directions(m);
        let neighbours = &self.tables.neighbours[self.empty_cell];
        (usize::from(neighbours[second]), usize::from(neighbours[third]))
    }

    /// The distance sum after a move.
    #[inline]
    pub(super) fn distance_sum_after(&self, m: Move) -> u32 {
        let (second, third) = self.rotated_cells(m);
        let (tile, other) = (self.cells[second], self.cells[third]);
        let before = u32::from(self.distance(second, tile)) + u32::from(self.distance(third, other));
        let after = u32::from(self.distance(third, tile)) + u32::from(self.distance(self.empty_cell, other));
        self.distance_sum + after - before
    }

    /// Makes a move whose [`Self::distance_sum_after`] is `distance_sum`.
    #[inline]
    pub(super) fn apply(&mut self, m: Move, distance_sum: u32) {
        let (second, third) = self.rotated_cells(m);
        let first = self.empty_cell;
        let [empty, tile, other] = [first, second, third].map(|cell| self.cells[cell]);
        let zobrist = &self.tables.zobrist;
        let key = |cell: usize, tile: u8| zobrist[cell][usize::from(tile)];
        self.hash ^= key(first, empty) ^ key(second, tile) ^ key(third, other);
        (self.cells[first], self.cells[second], self.cells[third]) = (other, empty, tile);
        self.hash ^= key(first, other) ^ key(second, empty) ^ key(third, tile);
        (self.empty_cell, self.distance_sum) = (second, distance_sum);
    }

    pub(super) fn apply_all(&mut self, path: &[Move]) {
        for &m in path {
            self.apply(m, self.distance_sum_after(m));
        }
    }

    /// The hash of the board and the direction of its next move.
    #[inline]
    pub(super) fn hash(&self, clockwise: bool) -> u64 {
        (self.hash ^ u64::from(clockwise).wrapping_mul(0xd6e8_feb8_6659_fd93))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// Depth-first enumeration of all paths of `depth` moves that may be part of a solution of `total` moves.
pub(super) struct PathEnumerator<'a, 'm, F> {
    pub(super) meter: &'a mut Meter<'m>,
    pub(super) depth: usize,
    pub(super) total: u32,
    /// The moves made so far.
    pub(super) path: Vec<Move>,
    /// Called at the end of every path with the board, the direction of its next move and the path.
    pub(super) visit: F,
}

impl<F: FnMut(&DistanceBoard<'_>, bool, &[Move]) -> ControlFlow<()>> PathEnumerator<'_, '_, F> {
    /// Breaks if `visit` breaks or the search is stopped. `board` is unchanged on return.
    pub(super) fn run(&mut self, board: &mut DistanceBoard<'_>, clockwise: bool) -> ControlFlow<()> {
        if self.path.len() == self.depth {
            return (self.visit)(board, clockwise, &self.path);
        }
        if self.meter.check().is_break() {
            return ControlFlow::Break(());
        }
        let undo = self.path.last().map(|&m| inverse_move(m));
        let remaining = self.total - self.path.len() as u32 - 1;
        for m in moves_of_direction(clockwise).filter(|&m| Some(m) != undo) {
            self.meter.tick();
            let (after, before) = (board.distance_sum_after(m), board.distance_sum);
            if after.div_ceil(2) > remaining {
                continue;
            }
            board.apply(m, after);
            self.path.push(m);
            let flow = self.run(board, !clockwise);
            self.path.pop();
            board.apply(inverse_move(m), before);
            flow?;
        }
        ControlFlow::Continue(())
    }
}
