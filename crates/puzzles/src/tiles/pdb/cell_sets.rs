//! The sets of cells that a pattern's tiles occupy, and the connected regions of the free cells.

use untumble_search::control::{Control, Stop};

use crate::tiles::Size;

/// Largest number of regions of a set.
pub(super) const MAX_REGIONS: usize = 9;

/// Adjacency of cells, computed on bit masks of cells.
pub(super) struct Grid {
    size: Size,
    not_first_column: u32,
    not_last_column: u32,
    /// All cells of the board.
    all: u32,
    /// The black squares of a checkerboard.
    black: u32,
}

impl Grid {
    pub(super) fn new(size: Size) -> Grid {
        let column = |wanted: usize| {
            (0..size.cells()).filter(|&c| size.column(c) == wanted).fold(0, |mask, c| mask | 1 << c)
        };
        let all = (1u64 << size.cells()) as u32;
        let all = all.wrapping_sub(1);
        Grid {
            size,
            not_first_column: all & !column(0),
            not_last_column: all & !column(size.columns - 1),
            all,
            black: (0..size.cells())
                .filter(|&cell| (size.row(cell) + size.column(cell)) % 2 == 1)
                .fold(0, |mask, cell| mask | 1 << cell),
        }
    }

    /// The cells adjacent to a set of cells.
    pub(super) fn neighbours(&self, cells: u32) -> u32 {
        let sideways = (cells & self.not_last_column) << 1 | (cells & self.not_first_column) >> 1;
        (sideways | cells << self.size.columns | cells >> self.size.columns) & self.all
    }

    /// The connected region of free cells that contains `cell`, a mask of one cell.
    fn region(&self, free: u32, cell: u32) -> u32 {
        let mut region = cell;
        loop {
            let grown = region | self.neighbours(region) & free;
            if grown == region {
                return region;
            }
            region = grown;
        }
    }

    /// The regions of the cells that a set leaves free, in the order of their first cells.
    fn regions(&self, set: u32) -> impl Iterator<Item = u32> + '_ {
        let free = self.all & !set;
        let mut rest = free;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let region = self.region(free, rest & rest.wrapping_neg());
                rest &= !region;
                region
            })
        })
    }

    /// The number of regions of a set.
    pub(super) fn region_count(&self, set: u32) -> usize {
        let count = self.regions(set).count();
        assert!(count <= MAX_REGIONS, "eight tiles leave at most {MAX_REGIONS} regions");
        count
    }

    /// The index of the region that contains a free cell.
    pub(super) fn region_of(&self, set: u32, cell: usize) -> usize {
        self.regions(set).position(|region| region >> cell & 1 == 1).expect("the cell is free")
    }

    /// The parity of the number of cells on black squares; every move changes it.
    pub(super) fn parity(&self, set: u32) -> u32 {
        (set & self.black).count_ones() % 2
    }
}

/// All subsets of `count` cells, indexed in increasing order of their masks.
pub(super) struct CellSetIndex {
    /// By the upper bits of a mask: the index of the first set with these bits.
    base: Vec<u32>,
    /// By the lower bits of a mask: their rank among all lower bits with the same number of ones.
    rank: Vec<u32>,
    /// The sets, as bit masks of cells.
    pub(super) masks: Vec<u32>,
}

/// Number of lower bits of a mask.
const LOW_BITS: u32 = 13;

impl CellSetIndex {
    pub(super) fn new(cells: usize, count: usize, control: &Control) -> Result<CellSetIndex, Stop> {
        let mut masks = Vec::with_capacity(binomial(cells, count) as usize);
        let end = 1u64 << cells;
        let mut mask = (1u64 << count) - 1;
        while mask < end {
            if masks.len().is_multiple_of(1 << 16) {
                control.poll()?;
            }
            masks.push(mask as u32);
            // The next larger number with the same number of ones (Gosper's hack).
            let lowest = mask & mask.wrapping_neg();
            let ripple = mask + lowest;
            mask = (((ripple ^ mask) >> 2) / lowest) | ripple;
        }
        let mut rank = vec![0; 1 << LOW_BITS];
        let mut counts = [0; LOW_BITS as usize + 1];
        for (low, rank) in rank.iter_mut().enumerate() {
            *rank = counts[low.count_ones() as usize];
            counts[low.count_ones() as usize] += 1;
        }
        let mut base = vec![0; (1usize << cells >> LOW_BITS) + 1];
        for (index, mask) in masks.iter().enumerate().rev() {
            base[(mask >> LOW_BITS) as usize] = index as u32;
        }
        Ok(CellSetIndex { base, rank, masks })
    }

    #[inline]
    pub(super) fn index(&self, mask: u32) -> usize {
        let low = mask & ((1 << LOW_BITS) - 1);
        (self.base[(mask >> LOW_BITS) as usize] + self.rank[low as usize]) as usize
    }
}

/// The number of subsets of `count` cells.
pub(super) fn binomial(cells: usize, count: usize) -> u64 {
    (0..count as u64).fold(1, |product, index| product * (cells as u64 - index) / (index + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_indexed_in_order_and_their_regions_partition_the_free_cells() {
        for (rows, columns, tiles) in [(3, 3, 4), (4, 4, 8), (2, 8, 5), (5, 5, 3)] {
            let size = Size { rows, columns };
            let (grid, control) = (Grid::new(size), Control::default());
            let sets = CellSetIndex::new(size.cells(), tiles, &control).expect("no limit");
            assert_eq!(sets.masks.len() as u64, binomial(size.cells(), tiles));
            for (index, &set) in sets.masks.iter().enumerate() {
                assert_eq!(sets.index(set), index);
                assert_eq!(grid.regions(set).fold(set, |all, region| all ^ region), grid.all);
                assert!(grid.regions(set).all(|region| grid.neighbours(region) & !set & !region == 0));
                for cell in (0..size.cells()).filter(|cell| set >> cell & 1 == 0) {
                    let region = grid.regions(set).nth(grid.region_of(set, cell));
                    assert!(region.is_some_and(|region| region >> cell & 1 == 1), "{set:b} {cell}");
                }
            }
        }
    }
}
