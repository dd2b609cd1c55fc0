//! The cells of a board, packed: one machine word where it fits.
//!
//! A cell holds the *name* of its tile (see [`super::Goal`]), 0 for the gap.

use std::fmt::Debug;
use std::hash::Hash;

/// The cells of tiles side by side in one word.
pub trait Places: Copy + Default + std::fmt::Debug + Send + Sync + 'static {
    /// Bits for a cell.
    const BITS: u32;

    /// A cell from the given bit on.
    fn at_bit(cell: u64, bit: u32) -> Self;

    /// The bits that differ.
    #[must_use]
    fn toggled(self, other: Self) -> Self;

    /// The 64 bits from the given one on.
    fn starting_at(self, bit: u32) -> u64;

    /// The number of a placement of up to eight tiles whose cells stand in `word`, first tile first. A tile's digit counts
    /// the cells before its own that earlier tiles leave free; weights beyond the last tile are 0.
    fn rank(word: u64, tiles: u32, weights: &[u32; 8]) -> usize;
}

impl Places for u64 {
    const BITS: u32 = 4;

    fn at_bit(cell: u64, bit: u32) -> u64 {
        cell << bit
    }

    #[inline(always)]
    fn toggled(self, other: u64) -> u64 {
        self ^ other
    }

    #[inline(always)]
    fn starting_at(self, bit: u32) -> u64 {
        self >> bit
    }

    /// The digits of all sixteen cells stand in one word; taking a cell takes one from those behind it.
    #[inline(always)]
    fn rank(word: u64, _tiles: u32, weights: &[u32; 8]) -> usize {
        const BEHIND: u64 = 0x1111_1111_1111_1110;
        let mut digits: u64 = 0xfedc_ba98_7654_3210;
        let mut index = 0;
        for (tile, &weight) in weights.iter().enumerate() {
            let bit = (word >> (4 * tile) & 15) << 2;
            index += (digits >> bit & 15) as usize * weight as usize;
            digits = digits.wrapping_sub(BEHIND << bit);
        }
        index
    }
}

impl Places for u128 {
    const BITS: u32 = 5;

    fn at_bit(cell: u64, bit: u32) -> u128 {
        u128::from(cell) << bit
    }

    #[inline(always)]
    fn toggled(self, other: u128) -> u128 {
        self ^ other
    }

    #[inline(always)]
    fn starting_at(self, bit: u32) -> u64 {
        (self >> bit) as u64
    }

    #[inline(always)]
    fn rank(word: u64, tiles: u32, weights: &[u32; 8]) -> usize {
        if tiles <= 6 { rank_of_lanes::<6>(word, weights) } else { rank_of_lanes::<8>(word, weights) }
    }
}

/// The rank of `TILES` cells of five bits. They are spread to bytes, and each is compared with those before it, all at
/// once: less work than counting bits of sets where no instruction does that.
#[inline(always)]
fn rank_of_lanes<const TILES: usize>(word: u64, weights: &[u32; 8]) -> usize {
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let cells = word & 0x0f_ffff | (word & 0xff_fff0_0000) << 12;
    let cells = cells & 0x0000_03ff_0000_03ff | (cells & 0x000f_fc00_000f_fc00) << 6;
    let cells = cells & 0x001f_001f_001f_001f | (cells & 0x03e0_03e0_03e0_03e0) << 3;
    // Lanes that are not there compare as smaller: so many too many for each tile.
    let mut digits = cells;
    for tile in 0..TILES {
        digits += (TILES as u64 - 1 - tile as u64) << (8 * tile);
    }
    for before in 1..TILES {
        let larger = ((cells | HIGHS) - (cells << (8 * before))) & HIGHS;
        digits = digits.wrapping_sub(larger >> 7);
    }
    (0..TILES).map(|tile| (digits >> (8 * tile) & 31) as usize * weights[tile] as usize).sum()
}

/// What each cell of a board holds.
pub trait Cells: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// How many cells fit.
    const CAPACITY: usize;

    /// The other way round: which cell each tile is in. Boards too large for it have no use for it.
    type Places: Places;

    /// Packs names, cell by cell.
    fn pack(names: &[u16]) -> Self;

    /// The name in `cell`.
    fn get(&self, cell: usize) -> usize;

    /// The same cells after the tile in `from` slid to the gap in `to`.
    #[must_use]
    fn slide(&self, from: usize, to: usize) -> Self;

    /// Where the gap is.
    fn gap(&self) -> usize;

    /// The cells as one word of 4 bits each, where that is what they are.
    #[inline]
    fn word(&self) -> Option<u64> {
        None
    }

    /// Bytes on the heap.
    fn heap(_cells: usize) -> usize {
        0
    }
}

/// Up to 16 cells of 4 bits.
impl Cells for u64 {
    const CAPACITY: usize = 16;

    type Places = u64;

    fn pack(names: &[u16]) -> u64 {
        names.iter().rev().fold(0, |word, &name| word << 4 | u64::from(name))
    }

    #[inline]
    fn get(&self, cell: usize) -> usize {
        (self >> (4 * cell) & 15) as usize
    }

    #[inline]
    fn slide(&self, from: usize, to: usize) -> u64 {
        let tile = self >> (4 * from) & 15;
        self ^ (tile << (4 * from) | tile << (4 * to))
    }

    #[inline]
    fn word(&self) -> Option<u64> {
        Some(*self)
    }

    #[inline]
    fn gap(&self) -> usize {
        // The lowest nibble that is 0: the lowest borrow of this subtraction is exact.
        const ONES: u64 = 0x1111_1111_1111_1111;
        const HIGHS: u64 = 0x8888_8888_8888_8888;
        ((self.wrapping_sub(ONES) & !self & HIGHS).trailing_zeros() / 4) as usize
    }
}

/// Up to 25 cells of 5 bits.
impl Cells for u128 {
    const CAPACITY: usize = 25;

    type Places = u128;

    fn pack(names: &[u16]) -> u128 {
        names.iter().rev().fold(0, |word, &name| word << 5 | u128::from(name))
    }

    #[inline]
    fn get(&self, cell: usize) -> usize {
        (self >> (5 * cell)) as usize & 31
    }

    #[inline]
    fn slide(&self, from: usize, to: usize) -> u128 {
        let tile = self >> (5 * from) & 31;
        self ^ (tile << (5 * from) | tile << (5 * to))
    }

    #[inline]
    fn gap(&self) -> usize {
        const ONES: u128 = 0x0108_4210_8421_0842_1084_2108_4210_8421;
        const HIGHS: u128 = ONES << 4;
        ((self.wrapping_sub(ONES) & !self & HIGHS).trailing_zeros() / 5) as usize
    }
}

/// Any number of cells.
impl Cells for Box<[u16]> {
    const CAPACITY: usize = 1 << 16;

    type Places = u128;

    fn pack(names: &[u16]) -> Box<[u16]> {
        names.into()
    }

    #[inline]
    fn get(&self, cell: usize) -> usize {
        usize::from(self[cell])
    }

    #[inline]
    fn slide(&self, from: usize, to: usize) -> Box<[u16]> {
        let mut cells = self.clone();
        cells.swap(from, to);
        cells
    }

    fn gap(&self) -> usize {
        self.iter().position(|&name| name == 0).unwrap_or(0)
    }

    fn heap(cells: usize) -> usize {
        2 * cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn agree<C: Cells>(names: &[u16], from: usize) {
        let cells = C::pack(names);
        let gap = names.iter().position(|&name| name == 0).expect("a gap");
        assert_eq!(cells.gap(), gap, "{names:?}");
        assert!((0..names.len()).all(|cell| cells.get(cell) == usize::from(names[cell])), "{names:?}");
        let mut slid = names.to_vec();
        slid.swap(from, gap);
        assert_eq!(cells.slide(from, gap), C::pack(&slid), "{names:?}");
    }

    proptest! {
        #[test]
        fn packed_cells_are_the_plain_ones(
            count in 4usize..=25,
            names in Just((0u16..25).collect::<Vec<_>>()).prop_shuffle(),
            from in 0usize..25,
        ) {
            let names: Vec<u16> = names.into_iter().filter(|&n| usize::from(n) < count).collect();
            let from = from % count;
            agree::<Box<[u16]>>(&names, from);
            agree::<u128>(&names, from);
            if count <= 16 {
                agree::<u64>(&names, from);
            }
        }
    }
}
