//! Packed boards: the tile id in each cell, in one machine word where it fits.
//!
//! [`Cells`] maps cells to tiles and is the state of the search. [`TileLocations`] is the inverse
//! permutation, tiles to cells, from which the index into a pattern database is computed.
//! Tile ids are explained at [`super::Goal`]; 0 is the blank.

use std::fmt::Debug;
use std::hash::Hash;

use untumble_search::memory::heap_bytes;

/// The cells of several tiles, concatenated in one integer.
pub trait TileLocations: Copy + Default + Debug + Send + Sync + 'static {
    /// The number of bits of a cell number.
    const BITS_PER_CELL: u32;

    /// A word that holds only `cell`, beginning at `bit`.
    fn at_bit(cell: u64, bit: u32) -> Self;

    /// Bitwise exclusive or.
    #[must_use]
    fn xor(self, other: Self) -> Self;

    /// The word shifted right by `bit`, truncated to 64 bits.
    fn bits_from(self, bit: u32) -> u64;

    /// The lexicographic rank of a placement of up to eight tiles; `word` concatenates their cells, first
    /// tile lowest. The rank is the sum of `weights[i]` times digit i. Digit i counts the cells before the
    /// cell of tile i that tiles 0 to i − 1 leave free. Weights beyond the last tile must be 0.
    fn rank(word: u64, tiles: u32, weights: &[u32; 8]) -> usize;
}

impl TileLocations for u64 {
    const BITS_PER_CELL: u32 = 4;

    fn at_bit(cell: u64, bit: u32) -> u64 {
        cell << bit
    }

    #[inline(always)]
    fn xor(self, other: u64) -> u64 {
        self ^ other
    }

    #[inline(always)]
    fn bits_from(self, bit: u32) -> u64 {
        self >> bit
    }

    /// `digits` holds the digit that a tile in each of the 16 cells would have; occupying a cell decrements
    /// the digits of all later cells.
    #[inline(always)]
    fn rank(word: u64, _tiles: u32, weights: &[u32; 8]) -> usize {
        const LATER_CELLS: u64 = 0x1111_1111_1111_1110;
        let mut digits: u64 = 0xfedc_ba98_7654_3210;
        let mut index = 0;
        for (tile, &weight) in weights.iter().enumerate() {
            let bit = (word >> (4 * tile) & 15) << 2;
            index += (digits >> bit & 15) as usize * weight as usize;
            digits = digits.wrapping_sub(LATER_CELLS << bit);
        }
        index
    }
}

impl TileLocations for u128 {
    const BITS_PER_CELL: u32 = 5;

    fn at_bit(cell: u64, bit: u32) -> u128 {
        u128::from(cell) << bit
    }

    #[inline(always)]
    fn xor(self, other: u128) -> u128 {
        self ^ other
    }

    #[inline(always)]
    fn bits_from(self, bit: u32) -> u64 {
        (self >> bit) as u64
    }

    #[inline(always)]
    fn rank(word: u64, tiles: u32, weights: &[u32; 8]) -> usize {
        if tiles <= 6 { rank_of_lanes::<6>(word, weights) } else { rank_of_lanes::<8>(word, weights) }
    }
}

/// The rank of `TILES` cells of five bits each. The cells are spread to one byte each and compared with all
/// earlier ones at once (SIMD within a register): faster than counting bits of an occupancy mask on targets
/// without a population-count instruction.
#[inline(always)]
fn rank_of_lanes<const TILES: usize>(word: u64, weights: &[u32; 8]) -> usize {
    const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
    let cells = word & 0x0f_ffff | (word & 0xff_fff0_0000) << 12;
    let cells = cells & 0x0000_03ff_0000_03ff | (cells & 0x000f_fc00_000f_fc00) << 6;
    let cells = cells & 0x001f_001f_001f_001f | (cells & 0x03e0_03e0_03e0_03e0) << 3;
    // The shifts below bring in zero bytes, which compare as smaller cells; their number is added in
    // advance.
    let mut digits = cells;
    for tile in 0..TILES {
        digits += (TILES as u64 - 1 - tile as u64) << (8 * tile);
    }
    for lane_distance in 1..TILES {
        let is_smaller = ((cells | HIGH_BITS) - (cells << (8 * lane_distance))) & HIGH_BITS;
        digits = digits.wrapping_sub(is_smaller >> 7);
    }
    (0..TILES).map(|tile| (digits >> (8 * tile) & 31) as usize * weights[tile] as usize).sum()
}

/// The tile id in each cell of a board.
pub trait Cells: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// The largest number of cells.
    const CAPACITY: usize;

    /// The inverse permutation, for pattern databases. Unused on boards of more than 25 cells.
    type TileLocations: TileLocations;

    /// Packs tile ids, listed cell by cell.
    fn pack(ids: &[u16]) -> Self;

    /// The tile id in `cell`.
    fn get(&self, cell: usize) -> usize;

    /// The board after the tile in `from` slides to the blank in `to`.
    #[must_use]
    fn slide(&self, from: usize, to: usize) -> Self;

    /// The blank's cell.
    fn blank(&self) -> usize;

    /// The board as one word of 4 bits per cell, if that is its representation.
    #[inline]
    fn word(&self) -> Option<u64> {
        None
    }

    /// Heap memory in bytes of a board with this many cells.
    fn heap_bytes(_cells: usize) -> usize {
        0
    }
}

/// Up to 16 cells of 4 bits each.
impl Cells for u64 {
    const CAPACITY: usize = 16;

    type TileLocations = u64;

    fn pack(ids: &[u16]) -> u64 {
        ids.iter().rev().fold(0, |word, &id| word << 4 | u64::from(id))
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
    fn blank(&self) -> usize {
        // Finds the lowest zero nibble: no borrow reaches the nibbles below it.
        const ONES: u64 = 0x1111_1111_1111_1111;
        const HIGH_BITS: u64 = 0x8888_8888_8888_8888;
        ((self.wrapping_sub(ONES) & !self & HIGH_BITS).trailing_zeros() / 4) as usize
    }
}

/// Up to 25 cells of 5 bits each.
impl Cells for u128 {
    const CAPACITY: usize = 25;

    type TileLocations = u128;

    fn pack(ids: &[u16]) -> u128 {
        ids.iter().rev().fold(0, |word, &id| word << 5 | u128::from(id))
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
    fn blank(&self) -> usize {
        const ONES: u128 = 0x0108_4210_8421_0842_1084_2108_4210_8421;
        const HIGH_BITS: u128 = ONES << 4;
        ((self.wrapping_sub(ONES) & !self & HIGH_BITS).trailing_zeros() / 5) as usize
    }
}

/// Any number of cells.
impl Cells for Box<[u16]> {
    const CAPACITY: usize = 1 << 16;

    type TileLocations = u128;

    fn pack(ids: &[u16]) -> Box<[u16]> {
        ids.into()
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

    fn blank(&self) -> usize {
        self.iter().position(|&id| id == 0).unwrap_or(0)
    }

    fn heap_bytes(cells: usize) -> usize {
        heap_bytes(2 * cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn assert_packs<C: Cells>(ids: &[u16], from: usize) {
        let cells = C::pack(ids);
        let blank = ids.iter().position(|&id| id == 0).expect("a blank");
        assert_eq!(cells.blank(), blank, "{ids:?}");
        assert!((0..ids.len()).all(|cell| cells.get(cell) == usize::from(ids[cell])), "{ids:?}");
        let mut slid = ids.to_vec();
        slid.swap(from, blank);
        assert_eq!(cells.slide(from, blank), C::pack(&slid), "{ids:?}");
    }

    proptest! {
        #[test]
        fn packed_cells_equal_the_list_of_tile_ids(
            count in 4usize..=25,
            ids in Just((0u16..25).collect::<Vec<_>>()).prop_shuffle(),
            from in 0usize..25,
        ) {
            let ids: Vec<u16> = ids.into_iter().filter(|&id| usize::from(id) < count).collect();
            let from = from % count;
            assert_packs::<Box<[u16]>>(&ids, from);
            assert_packs::<u128>(&ids, from);
            if count <= 16 {
                assert_packs::<u64>(&ids, from);
            }
        }
    }
}
