//! The region of the board that is not solved yet, and the steps that shrink it line by line.
//!
//! The constructive solver brings the tiles of an outer row or column home one by one, the last two
//! together, and never moves them again. Each of these steps is found by A* in an abstraction of the board
//! ([`AbstractState`]): the blank and the few tiles that the step moves; all others are indistinguishable.

use std::ops::Range;

use untumble_search::control::{Meter, Stop};
use untumble_search::puzzle::Cost;

use super::subproblem::{AbstractState, carry_cost, shortest_path};
use crate::tiles::Size;

/// A block of at most this many rows and columns is solved optimally.
const BLOCK: usize = 3;

/// The order in which lines and tiles are solved, encoded as `3 * lines + end`. `end` selects the end of a
/// line that is solved first: the cheaper one (0), the first (1) or the last (2). The four bits of `lines`
/// select the next line: bits 0 and 1 a row or a column, bits 2 and 3 the first or the last one.
#[derive(Clone, Copy)]
pub(super) struct Strategy(pub(super) u8);

impl Strategy {
    /// The number of strategies.
    pub(super) const COUNT: u8 = 48;

    /// Whether the tile of the line's first cell goes home before that of its last cell, given both costs.
    fn takes_first_end(self, first: Cost, last: Cost) -> bool {
        match self.0 % 3 {
            0 => first <= last,
            1 => true,
            _ => false,
        }
    }

    /// Whether the next line is a row rather than a column. Bit 0 decides if bit 1 is set or the region is
    /// square.
    fn takes_row(self, rows: usize, columns: usize) -> bool {
        let row = self.bit(0);
        // Otherwise the region is made more nearly square: tiles travel least in a square.
        if self.bit(1) { row } else { rows > columns || rows == columns && row }
    }

    /// Whether the last row is solved before the first.
    fn takes_last_row(self) -> bool {
        self.bit(2)
    }

    /// Whether the last column is solved before the first.
    fn takes_last_column(self) -> bool {
        self.bit(3)
    }

    /// A bit of the quotient.
    fn bit(self, bit: u8) -> bool {
        (self.0 / 3) >> bit & 1 == 1
    }
}

/// The outermost line of a region on one side, and the lines behind it.
struct Line {
    /// The cells by depth; those at depth 0 are the line to be solved.
    cells: [Vec<usize>; BLOCK],
}

impl Line {
    /// The cells around two neighbouring cells of the line, enough to bring both tiles home.
    fn window(&self, pair: &[usize]) -> Vec<usize> {
        let first = self.cells[0].iter().position(|cell| pair.contains(cell)).unwrap_or(0);
        let around = first.saturating_sub(1)..(first + 3).min(self.cells[0].len());
        self.cells.iter().flat_map(|cells| &cells[around.clone()]).copied().collect()
    }
}

/// A board with its unsolved region and the blank's path so far.
#[derive(Clone)]
pub(super) struct Region {
    size: Size,
    /// The home cell of the tile in each cell.
    home_at: Vec<u16>,
    /// The current cell of the tile that belongs in each cell.
    cell_of: Vec<u16>,
    blank: usize,
    blank_home: usize,
    /// Cells through which the blank may go; the others are blocked: they contain tiles that must not move.
    free: Vec<bool>,
    /// The rows of the region.
    rows: Range<usize>,
    /// The columns of the region.
    columns: Range<usize>,
    /// The cells that the blank has visited, its start included.
    blank_path: Vec<u16>,
}

impl Region {
    pub(super) fn new(size: Size, home_at: Vec<u16>, blank: usize, blank_home: usize) -> Region {
        let mut cell_of = vec![0; home_at.len()];
        for (cell, &home) in (0..).zip(&home_at) {
            cell_of[usize::from(home)] = cell;
        }
        Region {
            size,
            cell_of,
            blank,
            blank_home,
            free: vec![true; home_at.len()],
            rows: 0..size.rows,
            columns: 0..size.columns,
            blank_path: vec![blank as u16],
            home_at,
        }
    }

    pub(super) fn size(&self) -> Size {
        self.size
    }

    pub(super) fn blank_path(&self) -> &[u16] {
        &self.blank_path
    }

    /// The Manhattan distance of the whole board.
    pub(super) fn manhattan(&self) -> Cost {
        let tiles = (0..).zip(&self.home_at).filter(|&(cell, _)| cell != self.blank);
        tiles.map(|(cell, &home)| self.size.distance(cell, home.into()) as Cost).sum()
    }

    /// Whether the region is small enough to be solved optimally.
    pub(super) fn is_block(&self) -> bool {
        self.rows.len().max(self.columns.len()) <= BLOCK
    }

    /// Whether a strategy should be tried: false if one with a lower number solves the board in the same
    /// way. On a block all strategies do. If the blank's home is in an outermost row, the opposite row is
    /// solved first whatever the strategy says; the same holds for columns.
    pub(super) fn is_distinct(&self, strategy: Strategy) -> bool {
        let inner = |home: usize, count: usize| 0 < home && home + 1 < count;
        let rows = inner(self.size.row(self.blank_home), self.size.rows);
        let columns = inner(self.size.column(self.blank_home), self.size.columns);
        strategy.0 == 0
            || !self.is_block()
                && (rows || !strategy.takes_last_row())
                && (columns || !strategy.takes_last_column())
    }

    /// Solves the board.
    pub(super) fn solve(&mut self, strategy: Strategy, meter: &mut Meter<'_>) -> Result<(), Stop> {
        while !self.is_block() {
            let line = self.remove_line(strategy);
            self.solve_line(&line, strategy, meter)?;
        }
        self.solve_block(meter)
    }

    /// Removes the next line from the region.
    fn remove_line(&mut self, strategy: Strategy) -> Line {
        let (rows, columns) = (self.rows.len(), self.columns.len());
        let is_row = rows > BLOCK && (columns <= BLOCK || strategy.takes_row(rows, columns));
        // `across` are the indices of the lines, `along` those of the cells of a line.
        let (across, along, blank_line, last) = if is_row {
            (&mut self.rows, &self.columns, self.size.row(self.blank_home), strategy.takes_last_row())
        } else {
            (&mut self.columns, &self.rows, self.size.column(self.blank_home), strategy.takes_last_column())
        };
        // The blank's home must stay in the region.
        let last = across.start == blank_line || last && across.end - 1 != blank_line;
        let width = self.size.columns;
        let line = Line {
            cells: [0, 1, 2].map(|depth| {
                let line = if last { across.end - 1 - depth } else { across.start + depth };
                let cell = |index| if is_row { line * width + index } else { index * width + line };
                along.clone().map(cell).collect()
            }),
        };
        *across = if last { across.start..across.end - 1 } else { across.start + 1..across.end };
        line
    }

    /// Brings the tiles of a line home and blocks its cells.
    fn solve_line(&mut self, line: &Line, strategy: Strategy, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let mut unsolved = &line.cells[0][..];
        // Tiles go home from the ends inwards, so that no free cell is left between blocked ones.
        while let [first, between @ .., last] = unsolved
            && !between.is_empty()
        {
            // The number of moves that bring the tile home if no cell is blocked.
            let cost = |home: usize| carry_cost(self.size, self.blank as u16, self.cell_of[home], home);
            let next = if strategy.takes_first_end(cost(*first), cost(*last)) {
                unsolved = &unsolved[1..];
                *first
            } else {
                unsolved = &unsolved[..unsolved.len() - 1];
                *last
            };
            // This always succeeds: the end of the line belongs to a 2×2 square of free cells.
            self.bring(next, &[next], meter)?;
            self.free[next] = false;
        }
        self.solve_pair([unsolved[0], unsolved[1]], &line.window(unsolved), meter)?;
        for &cell in unsolved {
            self.free[cell] = false;
        }
        Ok(())
    }

    /// Brings the tile with this home to one of `targets`; false if blocked cells prevent it.
    fn bring(&mut self, home: usize, targets: &[usize], meter: &mut Meter<'_>) -> Result<bool, Stop> {
        let start = AbstractState { blank: self.blank as u16, tiles: [self.cell_of[home]] };
        let size = self.size;
        let estimate = |state: &AbstractState<1>| {
            let costs = targets.iter().map(|&target| carry_cost(size, state.blank, state.tiles[0], target));
            costs.min().unwrap_or(0)
        };
        self.search(start, estimate, meter)
    }

    /// Searches a shortest path from `start` to a state with `estimate` 0 and applies it; false if there is
    /// none. `estimate` is an admissible heuristic.
    fn search<const K: usize>(
        &mut self,
        start: AbstractState<K>,
        estimate: impl Fn(&AbstractState<K>) -> Cost,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stop> {
        let Some(path) = shortest_path(self.size, &self.free, start, estimate, meter)? else {
            return Ok(false);
        };
        for cell in path {
            self.step(cell.into());
        }
        Ok(true)
    }

    /// Moves the blank to the adjacent `cell`.
    fn step(&mut self, cell: usize) {
        let blank = self.blank;
        self.home_at.swap(blank, cell);
        self.cell_of[usize::from(self.home_at[blank])] = blank as u16;
        self.cell_of[usize::from(self.home_at[cell])] = cell as u16;
        self.blank = cell;
        // A step that undoes the last one cancels it.
        if self.blank_path.len() > 1 && self.blank_path[self.blank_path.len() - 2] == cell as u16 {
            self.blank_path.pop();
        } else {
            self.blank_path.push(cell as u16);
        }
    }

    /// Brings the last two tiles of a line home: first each of them into the window, in the order that gives
    /// the shorter path, then both together.
    fn solve_pair(&mut self, pair: [usize; 2], window: &[usize], meter: &mut Meter<'_>) -> Result<(), Stop> {
        let [a, b] = pair;
        // The first tile of an order waits in one of `hold_cells` while the second one is brought. If it
        // waits at the home of the second, the second can always reach the window. Another cell of the
        // window may give a shorter path, or cut the second tile off.
        let orders: [([usize; 2], &[usize]); 4] =
            [([a, b], &[b]), ([b, a], &[a]), ([a, b], window), ([b, a], window)];
        let mut best: Option<Region> = None;
        for (order, hold_cells) in orders {
            let mut region = self.clone();
            if region.bring_into_window(order, hold_cells, window, meter)?
                && region.place_pair(pair, window, meter)?
                && best.as_ref().is_none_or(|best| region.blank_path.len() < best.blank_path.len())
            {
                best = Some(region);
            }
        }
        *self = best.expect("holding one tile at the home of the other always works");
        Ok(())
    }

    /// Brings two tiles and the blank into the window, the first tile to one of `hold_cells`; false if
    /// blocked cells prevent it.
    fn bring_into_window(
        &mut self,
        [first, second]: [usize; 2],
        hold_cells: &[usize],
        window: &[usize],
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stop> {
        if !self.bring(first, hold_cells, meter)? {
            return Ok(false);
        }
        self.free[usize::from(self.cell_of[first])] = false;
        if !self.bring(second, window, meter)? {
            return Ok(false);
        }
        self.free[usize::from(self.cell_of[second])] = false;
        let size = self.size;
        let estimate = |state: &AbstractState<0>| {
            let distances = window.iter().map(|&cell| size.distance(state.blank.into(), cell) as Cost);
            distances.min().unwrap_or(0)
        };
        let done = self.search(AbstractState { blank: self.blank as u16, tiles: [] }, estimate, meter)?;
        for home in [first, second] {
            self.free[usize::from(self.cell_of[home])] = true;
        }
        Ok(done)
    }

    /// Brings two tiles home without leaving the window, which contains both and the blank.
    fn place_pair(
        &mut self,
        pair: [usize; 2],
        window: &[usize],
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stop> {
        let mut free = vec![false; self.free.len()];
        for &cell in window {
            free[cell] = self.free[cell];
        }
        std::mem::swap(&mut free, &mut self.free);
        let start = AbstractState { blank: self.blank as u16, tiles: pair.map(|home| self.cell_of[home]) };
        let size = self.size;
        let estimate = |state: &AbstractState<2>| {
            let cost = |index: usize| carry_cost(size, state.blank, state.tiles[index], pair[index]);
            cost(0).max(cost(1))
        };
        let done = self.search(start, estimate, meter)?;
        self.free = free;
        Ok(done)
    }

    /// Solves the last block optimally.
    fn solve_block(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let size = self.size;
        let cells = self
            .rows
            .clone()
            .flat_map(|row| self.columns.clone().map(move |column| row * size.columns + column));
        // A smaller block has fewer tiles; `usize::MAX` marks the rest of the array.
        let mut homes = [usize::MAX; BLOCK * BLOCK - 1];
        for (slot, cell) in homes.iter_mut().zip(cells.filter(|&cell| cell != self.blank_home)) {
            *slot = cell;
        }
        let cell_of = |home: usize| self.cell_of.get(home).copied().unwrap_or(u16::MAX);
        let start = AbstractState { blank: self.blank as u16, tiles: homes.map(cell_of) };
        let blank_home = self.blank_home;
        let estimate = |state: &AbstractState<8>| {
            let tiles = state.tiles.iter().zip(homes).filter(|&(_, home)| home != usize::MAX);
            let sum: usize = tiles.map(|(&tile, home)| size.distance(tile.into(), home)).sum();
            // If all tiles are home, so is the blank.
            debug_assert!(sum > 0 || usize::from(state.blank) == blank_home);
            sum as Cost
        };
        let done = self.search(start, estimate, meter)?;
        assert!(done, "the last block of a solvable board is solvable");
        Ok(())
    }
}
