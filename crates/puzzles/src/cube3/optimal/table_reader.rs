//! Maps a cube to its table entry and reads the entry.
//!
//! Sym-coordinate look-up as in Kociemba's Cube Explorer and H48: the corner coset selects a class and a
//! symmetry that carries it to the class representative; the edges, conjugated by that symmetry, select the
//! entry within the class. A line holds 62 entries (`layout.rs`). The entries of all slot sets of the second
//! slice fill eight lines, called stripes; a lane holds the stripes of one combination of parities
//! (`table_variant.rs`).

use std::sync::Arc;

use untumble_search::prefetch::prefetch;
use untumble_search::tables::Table;

use super::corner_separation::{self, CornerClasses};
use super::cube_bytes::CoordinateBits;
use super::edge_separation::{
    self, EIGHT_SETS, EdgeCosets, SLICE_BITS, THREE_COPIES, conjugate_slots, flipped_slots,
};
use super::layout::{self, LINE_BYTES, LINE_ENTRIES, STRIPES};
use super::table_variant::{TETRAD_TWIST, TableVariant};
use crate::cube3::symmetry::SymmetryGroup;

/// The location of a table entry.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct EntryRef {
    /// The line of the table.
    line: u32,
    /// The entry within the line.
    entry: u8,
}

/// The action of a symmetry on the slot sets of slices.
#[derive(Clone, Copy)]
struct SliceConjugation {
    /// Bit offsets, in the packed word, of the slices that become the first and the second.
    shifts: [u8; 2],
    /// Images of the subsets of the first six slots and of the last six.
    halves: [[u16; 64]; 2],
}

/// Coordinate tables and the pruning table. Look-up tables cover the whole range of their masked index, so
/// that the compiler drops the bounds checks.
pub(super) struct TableReader {
    pub(super) variant: TableVariant,
    table: Arc<Table>,
    /// By slots of the second tetrad: the first corner coset with these slots, without the tetrad twist.
    tetrad_base: Box<[u32; 256]>,
    /// By seven bits for corners of orientation 1 and seven for those of orientation 2: the rank of the
    /// orientation.
    twist_ranks: Box<[u16; 1 << 14]>,
    /// By corner coset: the first line of its class, shifted left by 6, and the symmetry to the
    /// representative.
    corner_classes: Vec<u32>,
    /// By symmetry: its action on the slices.
    slice_conjugations: Box<[SliceConjugation; 64]>,
    /// By slots of the second slice: stripe (shifted left by 6) and entry.
    stripes: Box<[u16; 1 << 12]>,
    /// By compressed slots of the first slice: the offset in lines.
    eight_set_lines: Box<[u32; 256]>,
    /// Packed by slice: the slots in which edges of orientation 0 are flipped.
    flipped_slots: u64,
    /// By the lower code bits of a tetrad's corners: the index of their pairing, 0 to 5.
    pairings: Box<[u8; 256]>,
    /// By pairings of the first and the second tetrad: the tetrad twist.
    tetrad_twists: [[u8; 8]; 8],
}

/// An array on the heap whose elements are `element(index)`.
fn boxed<T: Copy, const N: usize>(element: impl FnMut(usize) -> T) -> Box<[T; N]> {
    let elements: Vec<T> = (0..N).map(element).collect();
    match elements.into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("the vector has N elements"),
    }
}

impl TableReader {
    pub(super) fn new(
        variant: TableVariant,
        group: &SymmetryGroup,
        classes: &CornerClasses,
        table: Arc<Table>,
    ) -> TableReader {
        let edges = EdgeCosets::new();
        let twist_rank = |bits: usize| {
            let orientation = |slot: usize| (bits >> slot & 1) + 2 * (bits >> (7 + slot) & 1);
            (0..7).rev().fold(0, |rank, slot| 3 * rank + orientation(slot)) as u16
        };
        let slice_conjugation = |symmetry: usize| {
            let symmetry = &group.symmetries[symmetry % group.order()];
            let source = |axis: usize| (0..3).find(|&slice| symmetry.axis(slice) == axis).unwrap_or(0) as u8;
            let half =
                |shift: u32| std::array::from_fn(|set| conjugate_slots(symmetry, (set as u16) << shift));
            SliceConjugation {
                shifts: [0, 1].map(|axis| SLICE_BITS as u8 * source(axis)),
                halves: [half(0), half(6)],
            }
        };
        let stripe = |rank: u16| rank / LINE_ENTRIES as u16 * 64 + rank % LINE_ENTRIES as u16;
        let lines = (variant.lanes() * STRIPES) as u32;
        let first_line = |class: usize| class as u32 * EIGHT_SETS as u32 * lines;
        let (orders, pairings) = pairings();
        TableReader {
            variant,
            table,
            tetrad_base: boxed(|set| classes.cosets.index(classes.cosets.set_ranks[set].into(), 0) as u32),
            // A corner has one orientation, so indices with both bits of a slot are never read.
            twist_ranks: boxed(|bits| if bits & bits >> 7 & 127 == 0 { twist_rank(bits) } else { 0 }),
            corner_classes: classes
                .sym_coordinates
                .iter()
                .map(|sym| first_line(sym.class()) << 6 | sym.symmetry() as u32)
                .collect(),
            slice_conjugations: boxed(slice_conjugation),
            stripes: boxed(|set| stripe(edges.set_ranks[set])),
            eight_set_lines: boxed(|set| u32::from(edges.eight_set_ranks[set]) * lines),
            flipped_slots: flipped_slots()
                .iter()
                .rev()
                .fold(0, |all, &slots| all << SLICE_BITS | u64::from(slots)),
            pairings,
            tetrad_twists: std::array::from_fn(|first| {
                std::array::from_fn(|second| match (orders.get(first), orders.get(second)) {
                    (Some(&first), Some(&second)) => corner_separation::tetrad_twist(first, second) as u8,
                    _ => 0,
                })
            }),
        }
    }

    /// Memory without the pruning table.
    pub(super) fn bytes(&self) -> u64 {
        let large = size_of_val(&*self.tetrad_base)
            + size_of_val(&*self.twist_ranks)
            + size_of_val(&*self.slice_conjugations);
        let small =
            size_of_val(&*self.stripes) + size_of_val(&*self.eight_set_lines) + size_of_val(&*self.pairings);
        (large + small + size_of_val(&*self.corner_classes)) as u64
    }

    /// The corner coset, for a table with the coordinates `VARIANT` ([`TableVariant::bits`]). The arguments
    /// are those of [`CoordinateBits`].
    #[inline(always)]
    pub(super) fn corner_coset<const VARIANT: u8>(
        &self,
        tetrad: u32,
        twists: u32,
        tetrad_orders: [u32; 2],
    ) -> usize {
        let coset =
            self.tetrad_base[tetrad as usize & 255] + u32::from(self.twist_ranks[twists as usize & 0x3fff]);
        if VARIANT & TETRAD_TWIST == 0 {
            return coset as usize;
        }
        let [first, second] = tetrad_orders.map(|order| usize::from(self.pairings[order as usize & 255] & 7));
        corner_separation::with_tetrad_twist(coset as usize, self.tetrad_twists[first][second].into())
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn prefetch_corner_class(&self, corner_coset: usize) {
        prefetch(&self.corner_classes, corner_coset);
    }

    /// The first line of a corner coset's class, and the symmetry to its representative.
    #[inline(always)]
    pub(super) fn corner_class(&self, corner_coset: usize) -> (u32, usize) {
        let packed = self.corner_classes[corner_coset];
        (packed >> 6, packed as usize & 63)
    }

    /// The entry, given the first line of its class and lane, the slots of the second slice, and the slots
    /// of the first slice compressed to the other eight.
    #[inline(always)]
    pub(super) fn entry(&self, line: u32, second: u32, first: u32) -> EntryRef {
        let stripe = u32::from(self.stripes[second as usize & 0xfff]);
        EntryRef {
            line: line + self.eight_set_lines[first as usize & 255] + (stripe >> 6),
            entry: (stripe & 63) as u8,
        }
    }

    #[inline(always)]
    pub(super) fn prefetch(&self, entry: EntryRef) {
        prefetch(self.table.bytes(), entry.line as usize * LINE_BYTES);
    }

    /// The lower bound stored in an entry.
    #[inline(always)]
    pub(super) fn read(&self, entry: EntryRef) -> u8 {
        layout::read(self.table.bytes(), entry.line as usize, entry.entry.into(), self.variant.base)
    }

    /// The entry of a cube, without vector instructions.
    pub(super) fn locate(&self, bits: &CoordinateBits, permutation_parity: u32) -> EntryRef {
        let CoordinateBits { slices, edge_orientation, tetrad, twists, tetrad_orders } = *bits;
        let corner_coset = match self.variant.tetrad_twist {
            false => self.corner_coset::<0>(tetrad, twists, tetrad_orders),
            true => self.corner_coset::<TETRAD_TWIST>(tetrad, twists, tetrad_orders),
        };
        let (line, symmetry) = self.corner_class(corner_coset);
        let SliceConjugation { shifts, halves } = &self.slice_conjugations[symmetry];
        let flipped = ((u64::from(edge_orientation) * THREE_COPIES) ^ self.flipped_slots) & slices;
        let [first, second] = shifts.map(|shift| ((flipped >> shift) & 0xfff).count_ones() as usize & 1);
        let lane = self.variant.lane(permutation_parity as usize, first | second << 1);
        let [first, second] = shifts.map(|shift| {
            let set = (slices >> shift) as usize;
            halves[0][set & 63] | halves[1][set >> 6 & 63]
        });
        let first = edge_separation::compress(first, 0xfff ^ second);
        self.entry(line + (lane * STRIPES) as u32, second.into(), first.into())
    }
}

/// For each of the six pairings, one order of corner codes with this pairing; and for each order (two code
/// bits for each corner), the index of its pairing.
fn pairings() -> (Vec<[u8; 4]>, Box<[u8; 256]>) {
    let mut orders: Vec<[u8; 4]> = Vec::new();
    let pairings = boxed(|bits| {
        let codes: [u8; 4] = std::array::from_fn(|corner| (bits >> (2 * corner) & 3) as u8);
        if codes.iter().fold(0, |seen, code| seen | 1 << code) != 15 {
            return 0;
        }
        let pairing = corner_separation::pairing;
        let known = orders.iter().position(|&other| pairing(other) == pairing(codes));
        let index = known.unwrap_or(orders.len());
        if known.is_none() {
            orders.push(codes);
        }
        index as u8
    });
    (orders, pairings)
}
