//! A pattern: a set of tiles, given by their home cells, and the indexing of their placements.

use std::fmt;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use untumble_search::control::{Control, Stop};
use untumble_search::perm;
use untumble_search::tables::TableId;
use untumble_search::threads::run_parallel;

use super::build::{MAX_EXCESS, UNREACHED, placement_count};
use super::permutations::Permutations;
use crate::tiles::Size;

/// Tiles whose costs are tabulated together, in the orientation of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// The size of the board.
    pub size: Size,
    /// The tiles' home cells, in increasing order.
    pub homes: Vec<usize>,
    /// The blank's home; the first free cell if the table does not depend on it.
    pub blank: usize,
}

/// The mapping from placements to table indices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// The concatenated cells of the tiles, 4 bits each: a fast index, but a table with unused entries.
    Sparse,
    /// The lexicographic rank of the placement: a table without unused entries.
    Compact,
}

/// Version of the table format.
const TABLE_VERSION: u32 = 1;
/// The number of chunks in which a table is written, in parallel.
const CHUNKS: usize = 256;
/// Patterns with more tiles have compact tables.
const MAX_SPARSE_TILES: usize = 6;

impl Pattern {
    /// The layout of the table.
    pub fn layout(&self) -> Layout {
        if self.size.cells() <= 16 && self.homes.len() <= MAX_SPARSE_TILES {
            Layout::Sparse
        } else {
            Layout::Compact
        }
    }

    /// The number of 4-bit entries in the table.
    pub fn entries(&self) -> u64 {
        match self.layout() {
            Layout::Sparse => 1 << (4 * self.homes.len()),
            Layout::Compact => placement_count(self.size.cells(), self.homes.len()),
        }
    }

    /// The size of the table in bytes; `usize::MAX`, which no memory limit allows, if it exceeds the
    /// address space.
    pub fn bytes(&self) -> usize {
        usize::try_from(self.entries().div_ceil(2)).unwrap_or(usize::MAX)
    }

    /// The identity of the table. The word `gap` is fixed by the file format.
    pub fn id(&self) -> TableId {
        let homes: Vec<String> = self.homes.iter().map(usize::to_string).collect();
        TableId {
            puzzle: format!("tiles-{}", self.size),
            pattern: format!("gap{}-{}", self.blank, homes.join(".")),
            metric: String::new(),
            version: TABLE_VERSION,
        }
    }

    /// The weight of each tile's digit in the rank of a placement.
    pub fn weights(&self) -> Vec<u32> {
        let (cells, tiles) = (self.size.cells(), self.homes.len());
        (0..tiles).map(|tile| ((cells - tiles + 1)..(cells - tile)).product::<usize>() as u32).collect()
    }

    /// The index of a placement; the reference for the faster implementations.
    pub fn index(&self, cells: &[usize]) -> usize {
        match self.layout() {
            Layout::Sparse => cells.iter().rev().fold(0, |index, cell| index << 4 | cell),
            Layout::Compact => perm::rank(cells, self.size.cells()) as usize,
        }
    }

    /// The table entry: half of the cost above the tiles' Manhattan distance, at most [`MAX_EXCESS`].
    #[inline]
    fn excess(&self, distance: usize, cost: u8) -> u8 {
        if cost == UNREACHED {
            // The placement is unsolvable, which happens only if the pattern contains all tiles.
            return 0;
        }
        debug_assert!(usize::from(cost) >= distance && (usize::from(cost) - distance).is_multiple_of(2));
        ((usize::from(cost).saturating_sub(distance) / 2) as u8).min(MAX_EXCESS)
    }

    /// Writes the entries of all placements; `cost` maps a set of cells and the rank of the tiles'
    /// permutation to the cost of the placement.
    pub(super) fn write_table(
        &self,
        bytes: &mut [u8],
        control: &Control,
        cost: impl Fn(u32, usize) -> u8 + Sync,
        permutations: &Permutations,
    ) -> Result<(), Stop> {
        let tiles = permutations.tiles();
        // In a compact table, placements that differ only in the last tile's cell form a run of consecutive
        // entries. A chunk holds an even number of runs, so it begins at a whole byte.
        let run_length = match self.layout() {
            Layout::Sparse => 1,
            Layout::Compact => self.size.cells() + 1 - tiles,
        };
        let chunk_bytes = run_length * bytes.len().div_ceil(CHUNKS * run_length);
        let chunks: Vec<Mutex<&mut [u8]>> = bytes.chunks_mut(chunk_bytes).map(Mutex::new).collect();
        let cursor = AtomicUsize::new(0);
        run_parallel(control.threads(), |_| {
            let mut placement = vec![0; tiles];
            loop {
                let chunk_index = cursor.fetch_add(1, Relaxed);
                if chunk_index >= chunks.len() || control.poll().is_err() {
                    return;
                }
                let mut bytes = chunks[chunk_index].lock().unwrap_or_else(PoisonError::into_inner);
                let first_entry = 2 * chunk_bytes * chunk_index;
                for entry in (0..2 * bytes.len()).step_by(run_length) {
                    if self.placement(first_entry + entry, &mut placement) {
                        self.write_run(&mut bytes, entry, run_length, &placement, &cost);
                    }
                }
            }
        });
        control.stop_reason().map_or(Ok(()), Err)
    }

    /// Writes a run: the entries of `placement`, whose last tile is in the first free cell, and of the
    /// placements that differ from it in the last tile's cell.
    #[inline]
    fn write_run(
        &self,
        bytes: &mut [u8],
        entry: usize,
        run_length: usize,
        placement: &[usize],
        cost: &impl Fn(u32, usize) -> u8,
    ) {
        let mut put = |entry: usize, excess: u8| bytes[entry / 2] |= excess << (4 * (entry % 2));
        if run_length == 1 {
            let (mask, rank) = cell_set_and_rank(placement);
            return put(entry, self.excess(self.distance(placement), cost(mask, rank)));
        }
        let (last, others) = (placement.len() - 1, &placement[..placement.len() - 1]);
        let (mask, rank) = cell_set_and_rank(others);
        let distance = self.distance(others);
        let factorial: usize = (1..=last).product();
        let free = (0..self.size.cells()).filter(|cell| mask >> cell & 1 == 0);
        for (digit, cell) in free.enumerate() {
            // The cells before `cell` that are not free hold earlier tiles.
            let rank = rank + factorial * (cell - digit);
            let distance = distance + self.size.distance(cell, self.homes[last]);
            put(entry + digit, self.excess(distance, cost(mask | 1 << cell, rank)));
        }
    }

    /// The Manhattan distance of the first `cells.len()` tiles.
    fn distance(&self, cells: &[usize]) -> usize {
        cells.iter().zip(&self.homes).map(|(&cell, &home)| self.size.distance(cell, home)).sum()
    }

    /// Writes the placement with this index to `cells`; false for an unused index.
    fn placement(&self, index: usize, cells: &mut [usize]) -> bool {
        let count = self.size.cells();
        match self.layout() {
            Layout::Sparse => {
                let mut occupied = 0u32;
                for (tile, cell) in cells.iter_mut().enumerate() {
                    *cell = index >> (4 * tile) & 15;
                    if *cell >= count || occupied >> *cell & 1 == 1 {
                        return false;
                    }
                    occupied |= 1 << *cell;
                }
                true
            }
            Layout::Compact => {
                if index as u64 >= self.entries() {
                    return false;
                }
                let mut quotient = index;
                let tiles = cells.len();
                for tile in (0..tiles).rev() {
                    let base = count - tile;
                    cells[tile] = quotient % base;
                    quotient /= base;
                }
                // Digit i is the number of cells before the cell of tile i that earlier tiles leave free.
                let mut free = (1u64 << count) - 1;
                for cell in cells.iter_mut() {
                    let mut candidates = free;
                    for _ in 0..*cell {
                        candidates &= candidates - 1;
                    }
                    *cell = candidates.trailing_zeros() as usize;
                    free &= !(1 << *cell);
                }
                true
            }
        }
    }
}

/// The occupied cells of a placement as a bit mask, and the rank of the tiles' permutation.
fn cell_set_and_rank(cells: &[usize]) -> (u32, usize) {
    let (mut mask, mut rank, mut factorial) = (0u32, 0, 1);
    for (tile, &cell) in cells.iter().enumerate() {
        factorial *= tile.max(1);
        rank += factorial * (mask & ((1 << cell) - 1)).count_ones() as usize;
        mask |= 1 << cell;
    }
    (mask, rank)
}

impl Pattern {
    /// The name in progress messages: `pattern database 1.2.5.6`.
    pub(super) fn database_name(&self) -> String {
        format!("pattern database {}", self.homes_text())
    }

    fn homes_text(&self) -> String {
        self.homes.iter().map(usize::to_string).collect::<Vec<_>>().join(".")
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tiles-{} pattern {}", self.size, self.homes_text())
    }
}
