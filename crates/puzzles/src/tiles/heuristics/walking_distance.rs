//! Walking distance (Ken'ichiro Takahashi): the least number of vertical moves that bring every tile to its
//! home row if tiles with the same home row are interchangeable, plus the same for columns.
//!
//! The two axes are independent: along one axis the lines are rows, along the other columns. For each axis,
//! a board is reduced to a matrix and the blank's line; entry (i, j) of the matrix is the number of tiles in
//! line i whose home is in line j. A breadth-first search from the solved matrix enumerates all matrices
//! (24,964 on a 4×4 board) with their distances and transitions. A node carries one matrix index per axis,
//! and a move takes one look-up.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use untumble_search::control::{Control, Reservation};
use untumble_search::error::Error;
use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::puzzle::{Cost, Edge};
use untumble_search::spec::SpecError;

use crate::tiles::{Board, Cells, DOWN, Goal, LEFT, RIGHT, Size, Tiles, UP};

/// The walking-distance heuristic.
#[derive(Clone)]
pub struct WalkingDistance {
    rows: Arc<Axis>,
    columns: Arc<Axis>,
    /// The home row and home column of each tile.
    home: Vec<(u8, u8)>,
    size: Size,
}

/// The value that a node carries: a matrix for each axis.
#[derive(Clone, Copy, Debug)]
pub struct WalkingValue {
    rows: Matrix,
    columns: Matrix,
}

/// A matrix: its index (upper 24 bits) and its distance from the solved one (lower 8 bits).
#[derive(Clone, Copy, Debug)]
struct Matrix(u32);

impl Matrix {
    #[inline]
    fn index(self) -> usize {
        (self.0 >> 8) as usize
    }

    #[inline]
    fn distance(self) -> Cost {
        self.0 & 0xff
    }
}

/// All matrices of one axis.
struct Axis {
    /// Number of rows, or of columns.
    lines: usize,
    /// The matrix after a move, by `(2 * index + direction) * lines + home line of the tile`. Direction 0
    /// moves the blank to the previous line, 1 to the next line.
    transitions: Vec<Matrix>,
    /// The matrices by their packed form (see [`MatrixLayout`]).
    by_key: HashMap<u128, Matrix, BuildHasherDefault<MatrixHasher>>,
    _reserved: Reservation,
}

/// A fast hash for packed matrices; untrusted input cannot choose the keys.
#[derive(Default)]
struct MatrixHasher(u64);

impl Hasher for MatrixHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u128(u128::from(byte));
        }
    }

    fn write_u128(&mut self, word: u128) {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let folded = (word as u64 ^ self.0).wrapping_mul(ODD) ^ ((word >> 64) as u64).wrapping_mul(!ODD);
        self.0 = (folded ^ folded >> 32).wrapping_mul(ODD);
        self.0 ^= self.0 >> 29;
    }
}

/// Limit of the table size; a larger table takes longer to build than it saves.
const MAX_MATRICES: u64 = 1_500_000;
/// Marks a transition without a tile to move.
const ILLEGAL: Matrix = Matrix(u32::MAX);

/// The packing of a matrix in one word: the blank's line in 8 bits, then the counts, row by row.
#[derive(Clone, Copy)]
struct MatrixLayout {
    lines: usize,
    /// Bits per count.
    bits: usize,
}

impl MatrixLayout {
    fn new(lines: usize, length: usize) -> Option<MatrixLayout> {
        let bits = (length + 1).next_power_of_two().trailing_zeros() as usize;
        (lines * lines * bits + 8 <= 128).then_some(MatrixLayout { lines, bits })
    }

    /// The first bit of the count of tiles in `line` whose home line is `home`.
    fn shift(self, line: usize, home: usize) -> usize {
        8 + (line * self.lines + home) * self.bits
    }

    fn count(self, matrix: u128, line: usize, home: usize) -> u128 {
        matrix >> self.shift(line, home) & ((1 << self.bits) - 1)
    }

    /// The matrix after a tile of home line `home` moves from line `from` to the blank's line.
    fn after_move(self, matrix: u128, from: usize, home: usize) -> u128 {
        let blank = (matrix & 0xff) as usize;
        matrix - (1 << self.shift(from, home)) + (1 << self.shift(blank, home)) - blank as u128 + from as u128
    }
}

/// The number of matrices of an axis with `lines` lines of `length` cells, by dynamic programming over
/// lines: the state is the number of unplaced tiles of each home line. `None` if that takes too long.
fn matrix_count(lines: usize, length: usize, blank_home: usize) -> Option<u64> {
    const MAX_STATES: usize = 20_000;
    if (length + 1).checked_pow(lines as u32).is_none_or(|states| states > MAX_STATES) {
        return None;
    }
    /// Chooses `to_place` of the `unplaced` tiles whose home line is `home` or later, in every way, and adds
    /// `ways` to the sum of each resulting state.
    fn fill(unplaced: &mut [u8], home: usize, to_place: usize, ways: u64, sum: &mut HashMap<Vec<u8>, u64>) {
        if home == unplaced.len() {
            if to_place == 0 {
                *sum.entry(unplaced.to_vec()).or_default() += ways;
            }
            return;
        }
        for count in 0..=to_place.min(usize::from(unplaced[home])) {
            unplaced[home] -= count as u8;
            fill(unplaced, home + 1, to_place - count, ways, sum);
            unplaced[home] += count as u8;
        }
    }
    let tiles = |line: usize, blank: usize| length - usize::from(line == blank);
    let with_blank_in = |blank: usize| {
        let unplaced: Vec<u8> = (0..lines).map(|home| tiles(home, blank_home) as u8).collect();
        let mut ways = HashMap::from([(unplaced, 1)]);
        for line in 0..lines {
            let mut next = HashMap::new();
            for (mut unplaced, count) in ways {
                fill(&mut unplaced, 0, tiles(line, blank), count, &mut next);
            }
            ways = next;
        }
        ways.values().sum::<u64>()
    };
    Some((0..lines).map(with_blank_in).sum())
}

/// The layout of an axis, or an error if its table would be too large.
fn layout_if_small(lines: usize, length: usize, blank_home: usize) -> Result<MatrixLayout, SpecError> {
    let count = matrix_count(lines, length, blank_home);
    if let (Some(layout), Some(..=MAX_MATRICES)) = (MatrixLayout::new(lines, length), count) {
        return Ok(layout);
    }
    let entries = count.map_or_else(|| format!("more than {MAX_MATRICES}"), |count| count.to_string());
    Err(SpecError::HeuristicTooLarge {
        heuristic: "walking",
        puzzle: format!("{lines} lines of {length} cells"),
        reason: format!("the table has {entries} entries, at most {MAX_MATRICES} are possible"),
        alternative: Some("linear-conflict"),
    })
}

impl Axis {
    /// Breadth-first search of the matrices of `lines` lines of `length` cells.
    fn build(lines: usize, length: usize, blank_home: usize, control: &Control) -> Result<Axis, Error> {
        let layout = layout_if_small(lines, length, blank_home)?;
        let mut solved = blank_home as u128;
        for line in 0..lines {
            let tiles = length - usize::from(line == blank_home);
            solved |= (tiles as u128) << layout.shift(line, line);
        }
        let mut reserved = control.reserve(0)?;
        let mut by_key: HashMap<u128, Matrix, BuildHasherDefault<MatrixHasher>> = HashMap::default();
        by_key.insert(solved, Matrix(0));
        let mut queue = vec![(solved, 0)];
        let mut transitions = Vec::new();
        let mut expanded = 0;
        while let Some(&(matrix, distance)) = queue.get(expanded) {
            expanded += 1;
            if expanded % 8192 == 1 {
                control.poll()?;
                reserved.grow(8192 * (64 + 8 * lines as u64))?;
            }
            let blank = (matrix & 0xff) as usize;
            for from in [blank.checked_sub(1), Some(blank + 1).filter(|&line| line < lines)] {
                for home in 0..lines {
                    let Some(from) = from.filter(|&from| layout.count(matrix, from, home) > 0) else {
                        transitions.push(ILLEGAL);
                        continue;
                    };
                    let next = layout.after_move(matrix, from, home);
                    let new = Matrix((queue.len() as u32) << 8 | (distance + 1));
                    let known = *by_key.entry(next).or_insert(new);
                    if known.0 == new.0 {
                        queue.push((next, distance + 1));
                    }
                    transitions.push(known);
                }
            }
        }
        Ok(Axis { lines, transitions, by_key, _reserved: reserved })
    }

    #[inline]
    fn next(&self, from: Matrix, direction: usize, home: u8) -> Matrix {
        self.transitions[(2 * from.index() + direction) * self.lines + usize::from(home)]
    }
}

impl WalkingDistance {
    /// Builds the tables for one goal; an error if they would be too large.
    pub fn new(goal: &Goal, control: &Control) -> Result<WalkingDistance, Error> {
        let size = goal.size();
        let (blank_row, blank_column) = (size.row(goal.blank_home()), size.column(goal.blank_home()));
        let rows = Arc::new(Axis::build(size.rows, size.columns, blank_row, control)?);
        // If the blank's home is on the diagonal of a square board, both axes have the same table.
        let columns = if size.rows == size.columns && blank_row == blank_column {
            Arc::clone(&rows)
        } else {
            Arc::new(Axis::build(size.columns, size.rows, blank_column, control)?)
        };
        let home = (0..size.cells())
            .map(|tile| (size.row(goal.home(tile)) as u8, size.column(goal.home(tile)) as u8))
            .collect();
        Ok(WalkingDistance { rows, columns, home, size })
    }

    /// Whether the tables of this goal are small enough, so that [`WalkingDistance::new`] builds them.
    pub fn is_available(goal: &Goal) -> bool {
        let Size { rows, columns } = goal.size();
        let blank = goal.blank_home();
        layout_if_small(rows, columns, goal.size().row(blank)).is_ok()
            && layout_if_small(columns, rows, goal.size().column(blank)).is_ok()
    }

    /// The number of matrices of the rows and of the columns.
    pub fn matrix_count(&self) -> (usize, usize) {
        (self.rows.by_key.len(), self.columns.by_key.len())
    }

    /// The matrix of a board along one axis; `tiles` yields the current line and the home line of each tile.
    fn matrix(
        &self,
        axis: &Axis,
        length: usize,
        blank_line: usize,
        tiles: impl Iterator<Item = (usize, usize)>,
    ) -> Matrix {
        let layout = MatrixLayout::new(axis.lines, length).expect("the axis was built with this layout");
        let counts = tiles.fold(0, |matrix, (line, home)| matrix + (1u128 << layout.shift(line, home)));
        axis.by_key[&(counts | blank_line as u128)]
    }
}

impl<C: Cells> Heuristic<Tiles<C>> for WalkingDistance {
    type Value = WalkingValue;

    fn admissibility(&self) -> Admissibility {
        Admissibility::Consistent
    }

    fn start(&self, _puzzle: &Tiles<C>, board: &Board<C>) -> WalkingValue {
        let size = self.size;
        let tiles = || {
            (0..size.cells())
                .map(|cell| (cell, board.cells.get(cell)))
                .filter(|&(_, tile)| tile != 0)
                .map(|(cell, tile)| (cell, self.home[tile]))
        };
        let blank = usize::from(board.blank);
        let by_rows = tiles().map(|(cell, home)| (size.row(cell), usize::from(home.0)));
        let by_columns = tiles().map(|(cell, home)| (size.column(cell), usize::from(home.1)));
        WalkingValue {
            rows: self.matrix(&self.rows, size.columns, size.row(blank), by_rows),
            columns: self.matrix(&self.columns, size.rows, size.column(blank), by_columns),
        }
    }

    #[inline(always)]
    fn step(
        &self,
        value: &WalkingValue,
        edge: &Edge<'_, Tiles<C>>,
        budget: Cost,
    ) -> Result<WalkingValue, Cost> {
        let from = edge.puzzle.sliding_cell(edge.parent.blank, edge.m);
        let home = self.home[edge.parent.cells.get(from)];
        let mut next = *value;
        // The blank goes to the previous line (direction 0) when the tile slides down or right.
        match edge.m {
            DOWN => next.rows = self.rows.next(value.rows, 0, home.0),
            UP => next.rows = self.rows.next(value.rows, 1, home.0),
            RIGHT => next.columns = self.columns.next(value.columns, 0, home.1),
            LEFT => next.columns = self.columns.next(value.columns, 1, home.1),
            _ => {}
        }
        let h = next.rows.distance() + next.columns.distance();
        if h > budget { Err(h) } else { Ok(next) }
    }

    #[inline]
    fn cost(&self, value: &WalkingValue) -> Cost {
        value.rows.distance() + value.columns.distance()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_the_8_and_15_puzzle_have_the_published_sizes() {
        let control = Control::default();
        for (rows, columns, known) in [(3, 3, 105), (4, 4, 24_964)] {
            let goal = Goal::named(Size { rows, columns }, "blank-last").expect("a known goal");
            let walking = WalkingDistance::new(&goal, &control).expect("small enough");
            assert_eq!(walking.matrix_count(), (known, known), "{rows}x{columns}");
            assert_eq!(matrix_count(rows, columns, rows - 1), Some(known as u64), "{rows}x{columns}");
        }
    }

    #[test]
    fn tables_that_are_too_large_are_rejected() {
        let control = Control::default();
        for (rows, columns) in [(5, 5), (2, 16), (8, 8)] {
            let goal = Goal::named(Size { rows, columns }, "blank-last").expect("a known goal");
            let message = WalkingDistance::new(&goal, &control).err().map(|error| error.to_string());
            assert!(message.is_some_and(|text| text.contains("is not available")), "{rows}x{columns}");
        }
    }
}
