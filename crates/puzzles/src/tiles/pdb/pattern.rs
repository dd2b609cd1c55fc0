//! A pattern: a set of tiles, given by their home cells, and the indexing of their placements.

use std::fmt;

use untumble_search::control::{Control, Stop};
use untumble_search::perm;
use untumble_search::tables::TableId;

use super::build::placement_count;
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

    pub(super) fn is_sparse(&self) -> bool {
        self.layout() == Layout::Sparse
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

    /// By tile: the weight of its cell in [`Pattern::index`].
    pub(super) fn index_weights(&self) -> Vec<u64> {
        match self.layout() {
            Layout::Sparse => (0..self.homes.len()).map(|tile| 1 << (4 * tile)).collect(),
            Layout::Compact => self.weights().into_iter().map(u64::from).collect(),
        }
    }

    /// The amount by which each earlier tile in a smaller cell lowers the index, given the weight of a tile.
    pub(super) fn rank_weight(&self, weight: u64) -> u32 {
        match self.layout() {
            Layout::Sparse => 0,
            Layout::Compact => weight as u32,
        }
    }

    /// Sets the entries of indices without a reachable placement to 0. While the table is built they hold the
    /// largest value.
    pub(super) fn clear_unreachable(&self, bytes: &mut [u8], control: &Control) -> Result<(), Stop> {
        let mut placement = vec![0; self.homes.len()];
        let mut clear = |byte: &mut u8, index: usize| {
            for half in 0..2 {
                let shift = 4 * half;
                let unset = *byte >> shift & 15 == 15;
                if unset && !(self.placement(2 * index + half, &mut placement) && self.reachable(&placement))
                {
                    *byte &= !(15 << shift);
                }
            }
        };
        let all_reachable = self.layout() == Layout::Compact && self.homes.len() + 1 < self.size.cells();
        let first = if all_reachable { bytes.len().saturating_sub(1) } else { 0 };
        for (index, byte) in bytes.iter_mut().enumerate().skip(first) {
            if index.is_multiple_of(1 << 14) {
                control.poll()?;
            }
            clear(byte, index);
        }
        Ok(())
    }

    /// Whether the homes can be reached from a placement; not always if the pattern contains all tiles.
    pub(super) fn reachable(&self, cells: &[usize]) -> bool {
        if self.homes.len() + 1 < self.size.cells() {
            return true;
        }
        let blank = (0..self.size.cells()).find(|cell| !cells.contains(cell)).unwrap_or(0);
        // The permutation of tiles and blank is odd if the blank's distance is odd.
        let (mut homes, mut at) = (self.homes.clone(), cells.to_vec());
        homes.push(self.blank);
        at.push(blank);
        let order = |list: &[usize]| {
            (0..list.len())
                .flat_map(|i| (0..i).map(move |j| (i, j)))
                .filter(|&(i, j)| list[i] < list[j])
                .count()
        };
        (order(&homes) + order(&at) + self.size.distance(blank, self.blank)).is_multiple_of(2)
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
