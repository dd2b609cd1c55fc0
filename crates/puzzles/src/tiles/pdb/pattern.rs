//! A pattern: some tiles of a board, told by their home cells, and the numbers of their placements.

use std::fmt;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use untumble_search::control::{Control, Stop};
use untumble_search::perm;
use untumble_search::tables::TableId;
use untumble_search::threads::run_parallel;

use super::build::{MOST_EXCESS, UNSEEN, placements};
use super::orders::Orders;
use crate::tiles::Size;

/// Tiles of a board whose costs are tabulated together, in the orientation in which the table is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// The board.
    pub size: Size,
    /// The tiles' home cells, in increasing order.
    pub homes: Vec<usize>,
    /// The gap's home, or the first free cell where it makes no difference.
    pub gap: usize,
}

/// How a placement becomes a place in the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// The cells of the tiles side by side, four bits each: quick, for small patterns.
    Bits,
    /// A number without holes: for big ones.
    Rank,
}

/// Changes whenever tables built before are of no use any more.
const VERSION: u32 = 1;
/// A table is filled in so many parts.
const PARTS: usize = 256;
/// Patterns with more tiles have numbers without holes.
const MOST_BITS: usize = 6;

impl Pattern {
    /// Which layout its table has.
    pub fn layout(&self) -> Layout {
        if self.size.cells() <= 16 && self.homes.len() <= MOST_BITS { Layout::Bits } else { Layout::Rank }
    }

    /// How many entries of four bits its table has.
    pub fn entries(&self) -> u64 {
        match self.layout() {
            Layout::Bits => 1 << (4 * self.homes.len()),
            Layout::Rank => placements(self.size.cells(), self.homes.len()),
        }
    }

    /// The length of its table; as much as there can be where addresses are too short for it, which no limit allows.
    pub fn bytes(&self) -> usize {
        usize::try_from(self.entries().div_ceil(2)).unwrap_or(usize::MAX)
    }

    /// What its table is called.
    pub fn id(&self) -> TableId {
        let homes: Vec<String> = self.homes.iter().map(usize::to_string).collect();
        TableId {
            puzzle: format!("tiles-{}", self.size),
            pattern: format!("gap{}-{}", self.gap, homes.join(".")),
            metric: String::new(),
            version: VERSION,
        }
    }

    /// The weight of each tile's digit in the number of a placement.
    pub fn weights(&self) -> Vec<u32> {
        let (cells, tiles) = (self.size.cells(), self.homes.len());
        (0..tiles).map(|tile| ((cells - tiles + 1)..(cells - tile)).product::<usize>() as u32).collect()
    }

    /// The place of a placement in the table: the reference for the faster ones.
    pub fn index(&self, cells: &[usize]) -> usize {
        match self.layout() {
            Layout::Bits => cells.iter().rev().fold(0, |index, cell| index << 4 | cell),
            Layout::Rank => perm::rank(cells, self.size.cells()) as usize,
        }
    }

    /// Half of what a cost exceeds the tiles' Manhattan distance by.
    #[inline]
    fn excess(&self, distance: usize, cost: u8) -> u8 {
        if cost == UNSEEN {
            // No board leads here; a pattern of all tiles has such placements.
            return 0;
        }
        debug_assert!(usize::from(cost) >= distance && (usize::from(cost) - distance).is_multiple_of(2));
        ((usize::from(cost).saturating_sub(distance) / 2) as u8).min(MOST_EXCESS)
    }

    /// Writes every placement's excess into `bytes`, given its cost by set of cells and order of tiles.
    pub(super) fn spread(
        &self,
        bytes: &mut [u8],
        control: &Control,
        cost: impl Fn(u32, usize) -> u8 + Sync,
        orders: &Orders,
    ) -> Result<(), Stop> {
        let tiles = orders.tiles();
        // Entries that differ in the last tile's cell alone stand side by side in a table of ranks; two such runs
        // fill whole bytes.
        let run = match self.layout() {
            Layout::Bits => 1,
            Layout::Rank => self.size.cells() + 1 - tiles,
        };
        let part = run * bytes.len().div_ceil(PARTS * run);
        let parts: Vec<Mutex<&mut [u8]>> = bytes.chunks_mut(part).map(Mutex::new).collect();
        let cursor = AtomicUsize::new(0);
        run_parallel(control.threads(), |_| {
            let mut placement = vec![0; tiles];
            loop {
                let number = cursor.fetch_add(1, Relaxed);
                if number >= parts.len() || control.poll().is_err() {
                    return;
                }
                let mut bytes = parts[number].lock().unwrap_or_else(PoisonError::into_inner);
                let first = 2 * part * number;
                for entry in (0..2 * bytes.len()).step_by(run) {
                    if self.placement(first + entry, &mut placement) {
                        self.write_run(&mut bytes, entry, run, &placement, &cost);
                    }
                }
            }
        });
        control.stop().map_or(Ok(()), Err)
    }

    /// Writes the entries of a placement and of those that differ from it in the last tile's cell, which is the first free one.
    #[inline]
    fn write_run(
        &self,
        bytes: &mut [u8],
        entry: usize,
        run: usize,
        placement: &[usize],
        cost: &impl Fn(u32, usize) -> u8,
    ) {
        let mut put = |entry: usize, excess: u8| bytes[entry / 2] |= excess << (4 * (entry % 2));
        if run == 1 {
            let (mask, order) = told(placement);
            return put(entry, self.excess(self.distance(placement), cost(mask, order)));
        }
        let (last, others) = (placement.len() - 1, &placement[..placement.len() - 1]);
        let (mask, order) = told(others);
        let distance = self.distance(others);
        let factorial: usize = (1..=last).product();
        let free = (0..self.size.cells()).filter(|cell| mask >> cell & 1 == 0);
        for (digit, cell) in free.enumerate() {
            // Of the cells before it, those that are not free hold earlier tiles.
            let order = order + factorial * (cell - digit);
            let distance = distance + self.size.distance(cell, self.homes[last]);
            put(entry + digit, self.excess(distance, cost(mask | 1 << cell, order)));
        }
    }

    /// The Manhattan distance of the first tiles of a placement.
    fn distance(&self, cells: &[usize]) -> usize {
        cells.iter().zip(&self.homes).map(|(&cell, &home)| self.size.distance(cell, home)).sum()
    }

    /// The placement at a place of the table; false where there is none.
    fn placement(&self, index: usize, cells: &mut [usize]) -> bool {
        let count = self.size.cells();
        match self.layout() {
            Layout::Bits => {
                let mut taken = 0u32;
                for (tile, cell) in cells.iter_mut().enumerate() {
                    *cell = index >> (4 * tile) & 15;
                    if *cell >= count || taken >> *cell & 1 == 1 {
                        return false;
                    }
                    taken |= 1 << *cell;
                }
                true
            }
            Layout::Rank => {
                if index as u64 >= self.entries() {
                    return false;
                }
                let mut rest = index;
                let tiles = cells.len();
                for tile in (0..tiles).rev() {
                    let base = count - tile;
                    cells[tile] = rest % base;
                    rest /= base;
                }
                // A digit counts the cells before it that earlier tiles leave free.
                let mut free = (1u64 << count) - 1;
                for cell in cells.iter_mut() {
                    let mut left = free;
                    for _ in 0..*cell {
                        left &= left - 1;
                    }
                    *cell = left.trailing_zeros() as usize;
                    free &= !(1 << *cell);
                }
                true
            }
        }
    }
}

/// The set of cells of a placement and the number of its order.
fn told(cells: &[usize]) -> (u32, usize) {
    let (mut mask, mut order, mut factorial) = (0u32, 0, 1);
    for (tile, &cell) in cells.iter().enumerate() {
        factorial *= tile.max(1);
        order += factorial * (mask & ((1 << cell) - 1)).count_ones() as usize;
        mask |= 1 << cell;
    }
    (mask, order)
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let homes: Vec<String> = self.homes.iter().map(usize::to_string).collect();
        write!(f, "tiles-{} pattern {}", self.size, homes.join("."))
    }
}
