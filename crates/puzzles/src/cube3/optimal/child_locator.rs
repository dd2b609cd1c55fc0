//! Locates the table entries of a node's children, on the normal and on the inverse side.
//!
//! A position is stored as one byte per piece ([`CubeBytes`]), and so is its inverse; each gives a table
//! entry, and both are lower bounds. All children of a node are located at once, so that their cache misses
//! overlap. Byte shuffles and `pext` replace the coordinate tables of older solvers, as in vcube (Skalski).
//! [`Kernels`] holds the implementation for the machine's instruction set, chosen at run time.

use untumble_search::moves::MoveSet;

use super::cube_bytes::{ByteMoves, CoordinateBits, CubeBytes, EdgeConjugation};
use super::table_reader::{EntryRef, TableReader};
use crate::cube3::symmetry::{FACE_TURNS, SymmetryGroup, is_quarter_turn};

/// Table entries of children by face turn. Turns that were not requested keep stale entries.
pub(super) type ChildEntries = [EntryRef; FACE_TURNS];

/// The two sides of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// The position itself.
    Normal,
    /// The inverse of the position.
    Inverse,
}

/// The table and the kernels that locate entries.
pub(super) struct ChildLocator {
    pub(super) reader: TableReader,
    pub(super) moves: ByteMoves,
    /// Read by the vector kernels only.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "there are no vector kernels"))]
    edge_conjugation: EdgeConjugation,
    kernels: Kernels,
}

/// Implementations for the instruction set of this machine.
#[derive(Clone, Copy)]
struct Kernels {
    locate_children: fn(&ChildLocator, &CubeBytes, MoveSet, u32, Side, &mut ChildEntries),
    apply: fn(&ByteMoves, &CubeBytes, usize, Side) -> CubeBytes,
}

impl ChildLocator {
    pub(super) fn new(reader: TableReader, group: &SymmetryGroup) -> ChildLocator {
        let kernels = Kernels::detect(reader.variant.bits());
        ChildLocator {
            reader,
            moves: ByteMoves::new(),
            edge_conjugation: EdgeConjugation::new(group),
            kernels,
        }
    }

    /// Memory without the pruning table.
    pub(super) fn bytes(&self) -> u64 {
        self.reader.bytes() + size_of::<ChildLocator>() as u64
    }

    /// The same locator with scalar kernels, against which tests check the vector kernels.
    #[cfg(test)]
    pub(super) fn with_scalar_kernels(self) -> ChildLocator {
        ChildLocator { kernels: Kernels::SCALAR, ..self }
    }

    /// Locates and prefetches the entries of a node's children on one side. `parity` is the permutation
    /// parity of the node, 0 or 1.
    #[inline(always)]
    pub(super) fn locate_children(
        &self,
        cube: &CubeBytes,
        turns: MoveSet,
        parity: u32,
        side: Side,
        entries: &mut ChildEntries,
    ) {
        (self.kernels.locate_children)(self, cube, turns, parity, side, entries);
    }

    /// One side of a child.
    #[inline(always)]
    pub(super) fn apply(&self, cube: &CubeBytes, turn: usize, side: Side) -> CubeBytes {
        (self.kernels.apply)(&self.moves, cube, turn, side)
    }
}

impl Kernels {
    const SCALAR: Kernels = Kernels { locate_children: locate_children_scalar, apply: apply_scalar };

    /// The fastest kernels of this machine for a table variant, given by its bits
    /// ([`super::table_variant::TableVariant::bits`]).
    fn detect(_variant: u8) -> Kernels {
        #[cfg(target_arch = "x86_64")]
        if let Some(kernels) = avx2::kernels(_variant) {
            return kernels;
        }
        Kernels::SCALAR
    }
}

fn locate_children_scalar(
    locator: &ChildLocator,
    cube: &CubeBytes,
    turns: MoveSet,
    parity: u32,
    side: Side,
    entries: &mut ChildEntries,
) {
    for turn in turns {
        let turn = turn.index();
        let child = apply_scalar(&locator.moves, cube, turn, side);
        let parity = parity ^ u32::from(is_quarter_turn(turn));
        let entry = locator.reader.locate(&CoordinateBits::of(&child), parity);
        locator.reader.prefetch(entry);
        entries[turn] = entry;
    }
}

fn apply_scalar(moves: &ByteMoves, cube: &CubeBytes, turn: usize, side: Side) -> CubeBytes {
    match side {
        Side::Normal => moves.apply(cube, turn),
        Side::Inverse => moves.apply_to_inverse(cube, turn),
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    //! Kernels with AVX2 and BMI2.

    use std::arch::x86_64::*;

    use untumble_search::moves::Move;

    use super::*;
    use crate::cube3::optimal::cube_bytes::{Bytes16, ORIENTATION_MASK, ORIENTATION_UNIT};
    use crate::cube3::optimal::layout::STRIPES;
    use crate::cube3::optimal::table_variant::{FLIP_PARITY, TETRAD_TWIST, parity_lane};
    use crate::cube3::symmetry::QUARTER_TURN_MASK;

    /// The kernels for a table variant, given by its bits; `None` if the machine lacks an instruction set.
    pub(super) fn kernels(variant: u8) -> Option<Kernels> {
        let supported = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        if !supported {
            return None;
        }
        // The bits of every table in `VARIANTS`.
        Some(match variant {
            0 => kernels_for::<0>(),
            1 => kernels_for::<1>(),
            2 => kernels_for::<2>(),
            3 => kernels_for::<3>(),
            _ => kernels_for::<{ TETRAD_TWIST | FLIP_PARITY }>(),
        })
    }

    /// The kernels compiled for one table variant. Only [`kernels`] may call this, after its feature check.
    fn kernels_for<const VARIANT: u8>() -> Kernels {
        Kernels {
            locate_children: |locator, cube, turns, parity, side, entries| {
                // SAFETY: `kernels` detected the target features before it created this function pointer.
                unsafe { locate_children::<VARIANT>(locator, cube, turns, parity, side, entries) }
            },
            apply: |moves, cube, turn, side| {
                // SAFETY: as above.
                unsafe { apply(moves, cube, turn, side) }
            },
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn load(cube: &CubeBytes) -> __m256i {
        // SAFETY: `CubeBytes` is 32 bytes, aligned to 32.
        unsafe { _mm256_load_si256(cube.0.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn store(bytes: __m256i, cube: &mut CubeBytes) {
        // SAFETY: `CubeBytes` is 32 bytes, aligned to 32.
        unsafe { _mm256_store_si256(cube.0.as_mut_ptr().cast(), bytes) }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn load16(bytes: &Bytes16) -> __m128i {
        // SAFETY: `Bytes16` is 16 bytes, aligned to 16.
        unsafe { _mm_load_si128(bytes.0.as_ptr().cast()) }
    }

    /// The corner coset of a cube (see `corner_separation.rs`).
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn corner_coset<const VARIANT: u8>(reader: &TableReader, bytes: __m256i) -> usize {
        let corners = _mm256_extracti128_si256::<1>(bytes);
        // Shift bit n of every byte to bit 7, then collect.
        let tetrad = _mm_movemask_epi8(_mm_slli_epi16::<5>(corners)) as u32 & 0xff;
        let orientation_1 = _mm_movemask_epi8(_mm_slli_epi16::<3>(corners)) as u32 & 0x7f;
        let orientation_2 = _mm_movemask_epi8(_mm_slli_epi16::<2>(corners)) as u32 & 0x7f;
        let tetrad_orders = if VARIANT & TETRAD_TWIST == 0 {
            [0; 2]
        } else {
            let codes = _pext_u64(_mm_cvtsi128_si64(corners) as u64, 0x0303_0303_0303_0303) as u32;
            let low_bits = _pdep_u32(tetrad, 0x5555);
            let both_bits = low_bits | low_bits << 1;
            [_pext_u32(codes, !both_bits), _pext_u32(codes, both_bits)]
        };
        reader.corner_coset::<VARIANT>(tetrad, orientation_1 | orientation_2 << 7, tetrad_orders)
    }

    /// The cube after a face turn (`NORMAL`), or the inverse of the turned cube, given its inverse.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn turned<const NORMAL: bool>(moves: &ByteMoves, bytes: __m256i, turn: usize) -> __m256i {
        let sum = if NORMAL {
            _mm256_add_epi8(_mm256_shuffle_epi8(bytes, load(&moves.source[turn])), load(&moves.added[turn]))
        } else {
            let orientation = _mm256_and_si256(bytes, _mm256_set1_epi8(ORIENTATION_MASK as i8));
            _mm256_add_epi8(_mm256_shuffle_epi8(load(&moves.relabelled[turn]), bytes), orientation)
        };
        _mm256_min_epu8(sum, _mm256_sub_epi8(sum, load(&moves.modulus)))
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn apply(moves: &ByteMoves, cube: &CubeBytes, turn: usize, side: Side) -> CubeBytes {
        let bytes = load(cube);
        let mut child = *cube;
        match side {
            Side::Normal => store(turned::<true>(moves, bytes, turn), &mut child),
            Side::Inverse => store(turned::<false>(moves, bytes, turn), &mut child),
        }
        child
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn locate_children<const VARIANT: u8>(
        locator: &ChildLocator,
        cube: &CubeBytes,
        turns: MoveSet,
        parity: u32,
        side: Side,
        entries: &mut ChildEntries,
    ) {
        match side {
            Side::Normal => locate_side::<VARIANT, true>(locator, cube, turns, parity, entries),
            Side::Inverse => locate_side::<VARIANT, false>(locator, cube, turns, parity, entries),
        }
    }

    /// The entry of the child by `turn`, given its bytes, its corner coset and the parity of the parent.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn locate<const VARIANT: u8>(
        locator: &ChildLocator,
        bytes: __m256i,
        corner_coset: usize,
        parity: u32,
        turn: usize,
    ) -> EntryRef {
        let (reader, conjugation) = (&locator.reader, &locator.edge_conjugation);
        let (line, symmetry) = reader.corner_class(corner_coset);
        let mut edges = _mm256_castsi256_si128(bytes);
        if VARIANT & FLIP_PARITY != 0 {
            // Convert orientations to the definition of a flip that all 48 symmetries preserve, see
            // `edge_separation.rs`.
            let toggled = _mm_and_si128(
                _mm_shuffle_epi8(load16(&conjugation.slice_bits), edges),
                load16(&conjugation.flipped_slices),
            );
            let unchanged = _mm_cmpeq_epi8(toggled, _mm_setzero_si128());
            let unit = _mm_set1_epi8(ORIENTATION_UNIT as i8);
            edges = _mm_xor_si128(edges, _mm_andnot_si128(unchanged, unit));
        }
        let edges = _mm_shuffle_epi8(edges, load16(&conjugation.source[symmetry]));
        // Per edge slot, bit 7: an edge of the second slice; bit 6: of the first. Only bit 7 is read, so the
        // shift selects the first slice.
        let second_marks = _mm_shuffle_epi8(load16(&conjugation.slice_marks[symmetry]), edges);
        let first_marks = _mm_slli_epi16::<1>(second_marks);
        let slots = |marks: __m128i| _mm_movemask_epi8(marks) as u32 & 0xfff;
        let flip_parities = if VARIANT & FLIP_PARITY == 0 {
            0
        } else {
            let flipped = _mm_slli_epi16::<3>(edges);
            let odd = |marks: __m128i| slots(_mm_and_si128(marks, flipped)).count_ones() as usize & 1;
            odd(first_marks) | odd(second_marks) << 1
        };
        let lane = parity_lane(VARIANT, (parity ^ QUARTER_TURN_MASK >> turn) as usize & 1, flip_parities);
        let second = slots(second_marks);
        let first = _pext_u32(slots(first_marks), !second);
        // A corner class has a lane of `STRIPES` lines for each combination of parities, see `layout.rs`.
        let entry = reader.entry(line + (lane * STRIPES) as u32, second, first);
        reader.prefetch(entry);
        entry
    }

    /// Locates the children on one side: the normal side if `NORMAL`, otherwise the inverse side.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn locate_side<const VARIANT: u8, const NORMAL: bool>(
        locator: &ChildLocator,
        cube: &CubeBytes,
        turns: MoveSet,
        parity: u32,
        entries: &mut ChildEntries,
    ) {
        let (moves, reader) = (&locator.moves, &locator.reader);
        let bytes = load(cube);
        // The table that maps corner cosets to symmetry classes exceeds the L1 cache: prefetch the entries
        // of all children before reading the first.
        let mut children = [(bytes, 0); FACE_TURNS];
        for turn in turns.into_iter().map(Move::index).take_while(|&turn| turn < FACE_TURNS) {
            let child = turned::<NORMAL>(moves, bytes, turn);
            let corner_coset = corner_coset::<VARIANT>(reader, child);
            reader.prefetch_corner_class(corner_coset);
            children[turn] = (child, corner_coset);
        }
        for turn in turns.into_iter().map(Move::index).take_while(|&turn| turn < FACE_TURNS) {
            let (child, corner_coset) = children[turn];
            entries[turn] = locate::<VARIANT>(locator, child, corner_coset, parity, turn);
        }
    }
}
