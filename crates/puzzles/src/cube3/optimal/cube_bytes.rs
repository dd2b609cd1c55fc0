//! A cube as 32 bytes, one for each slot, so that a face turn is one byte shuffle (nxopt, Rokicki; vcube,
//! Skalski).
//!
//! Bytes 0..12 are edges: bits 3..2 slice, bits 1..0 index within the slice, bit 4 orientation. Bytes
//! 16..24 are corners: bits 2..0 as in [`corner_separation::code`], bits 5..4 orientation. A face turn of
//! the cube permutes bytes; the same turn acts on the inverse cube by relabelling them, since `(s·m)⁻¹ =
//! m⁻¹·s⁻¹`.

use super::{corner_separation, edge_separation};
use crate::cube::pieces::{Cubie, corner_move, edge_move, inverse};
use crate::cube3::Cube;
use crate::cube3::symmetry::{FACE_TURNS, SymmetryGroup, face_turn};

/// A cube as bytes by slot, aligned for 256-bit loads and stores.
#[repr(C, align(32))]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CubeBytes(pub(super) [u8; 32]);

/// Index of the first corner byte.
pub(super) const FIRST_CORNER: usize = 16;
/// One unit of orientation.
pub(super) const ORIENTATION_UNIT: u8 = 16;
/// The orientation bits.
pub(super) const ORIENTATION_MASK: u8 = 0x30;
/// Index in a byte shuffle that yields 0.
const ZEROED: u8 = 0x80;

/// The byte of an edge with orientation 0.
fn edge_byte(piece: usize) -> u8 {
    let slice = edge_separation::slice(piece);
    let within_slice = (0..piece).filter(|&other| edge_separation::slice(other) == slice).count();
    (4 * slice + within_slice) as u8
}

/// The byte of a corner with orientation 0.
fn corner_byte(piece: usize) -> u8 {
    corner_separation::code(piece) as u8
}

impl CubeBytes {
    /// The bytes of `cube`.
    pub(super) fn of(cube: Cube) -> CubeBytes {
        CubeBytes::from_pieces(&cube.corners(), &cube.edges())
    }

    /// The bytes of the inverse of `cube`.
    pub(super) fn of_inverse(cube: Cube) -> CubeBytes {
        CubeBytes::from_pieces(&inverse(&cube.corners(), 3), &inverse(&cube.edges(), 2))
    }

    fn from_pieces(corners: &[Cubie; 8], edges: &[Cubie; 12]) -> CubeBytes {
        let mut bytes = [0; 32];
        for (slot, cubie) in edges.iter().enumerate() {
            bytes[slot] = edge_byte(cubie.piece) + ORIENTATION_UNIT * cubie.orientation as u8;
        }
        for (slot, cubie) in corners.iter().enumerate() {
            bytes[FIRST_CORNER + slot] =
                corner_byte(cubie.piece) + ORIENTATION_UNIT * cubie.orientation as u8;
        }
        CubeBytes(bytes)
    }

    /// Whether two cubes are equal. Padding bytes are ignored: shuffles leave garbage in them.
    #[inline(always)]
    pub(super) fn same_cube(&self, other: &CubeBytes) -> bool {
        self.0[..12] == other.0[..12] && self.0[FIRST_CORNER..][..8] == other.0[FIRST_CORNER..][..8]
    }
}

/// The face turns as shuffles of [`CubeBytes`].
pub(super) struct ByteMoves {
    /// By turn and slot: the slot from which the byte comes, relative to the first edge or corner byte.
    pub(super) source: [CubeBytes; FACE_TURNS],
    /// By turn and slot: the orientation that the turn adds.
    pub(super) added: [CubeBytes; FACE_TURNS],
    /// By turn and piece (the lower four bits of its byte): the byte that replaces it on the inverse.
    pub(super) relabelled: [CubeBytes; FACE_TURNS],
    /// The orientation modulus: 2 units for edges, 3 for corners.
    pub(super) modulus: CubeBytes,
}

impl ByteMoves {
    pub(super) fn new() -> ByteMoves {
        let mut moves = ByteMoves {
            source: [CubeBytes([ZEROED; 32]); FACE_TURNS],
            added: [CubeBytes([0; 32]); FACE_TURNS],
            relabelled: [CubeBytes([0; 32]); FACE_TURNS],
            modulus: CubeBytes([0; 32]),
        };
        moves.modulus.0[..12].fill(2 * ORIENTATION_UNIT);
        moves.modulus.0[FIRST_CORNER..][..8].fill(3 * ORIENTATION_UNIT);
        for turn in 0..FACE_TURNS {
            let (face, quarters) = face_turn(turn);
            let (source, added, relabelled) =
                (&mut moves.source[turn].0, &mut moves.added[turn].0, &mut moves.relabelled[turn].0);
            for (slot, cubie) in edge_move(face, quarters).iter().enumerate() {
                source[slot] = cubie.piece as u8;
                added[slot] = ORIENTATION_UNIT * cubie.orientation as u8;
                relabelled[usize::from(edge_byte(cubie.piece))] =
                    edge_byte(slot) + ORIENTATION_UNIT * cubie.orientation as u8;
            }
            for (slot, cubie) in corner_move(face, quarters).iter().enumerate() {
                source[FIRST_CORNER + slot] = cubie.piece as u8;
                added[FIRST_CORNER + slot] = ORIENTATION_UNIT * cubie.orientation as u8;
                let inverse_orientation = ORIENTATION_UNIT * ((3 - cubie.orientation as u8) % 3);
                relabelled[FIRST_CORNER + usize::from(corner_byte(cubie.piece))] =
                    corner_byte(slot) + inverse_orientation;
            }
        }
        moves
    }

    /// The cube after a face turn.
    pub(super) fn apply(&self, cube: &CubeBytes, turn: usize) -> CubeBytes {
        let (source, added) = (&self.source[turn].0, &self.added[turn].0);
        self.reduced(|index| {
            let first = index & FIRST_CORNER;
            if source[index] == ZEROED {
                0
            } else {
                cube.0[first + usize::from(source[index])] + added[index]
            }
        })
    }

    /// The inverse of `s·turn`, given the inverse of `s`.
    pub(super) fn apply_to_inverse(&self, inverse: &CubeBytes, turn: usize) -> CubeBytes {
        let relabelled = &self.relabelled[turn].0;
        self.reduced(|index| {
            let first = index & FIRST_CORNER;
            relabelled[first + usize::from(inverse.0[index] & 15)] + (inverse.0[index] & ORIENTATION_MASK)
        })
    }

    /// The cube with the bytes `byte(index)` after their orientations are reduced by the modulus.
    fn reduced(&self, byte: impl Fn(usize) -> u8) -> CubeBytes {
        CubeBytes(std::array::from_fn(|index| {
            let byte = byte(index);
            byte.min(byte.wrapping_sub(self.modulus.0[index]))
        }))
    }
}

/// Sixteen bytes, aligned for 128-bit loads.
#[repr(C, align(16))]
#[derive(Clone, Copy)]
pub(super) struct Bytes16(pub(super) [u8; 16]);

/// The action of symmetries on edge bytes. Tables by symmetry have 64 entries so that a masked index needs
/// no bounds check.
pub(super) struct EdgeConjugation {
    /// By symmetry and slot: the slot from which the edge comes.
    pub(super) source: Box<[Bytes16; 64]>,
    /// By symmetry and edge (lower four bits): 64 if its slice becomes the first, 128 if it becomes the
    /// second.
    pub(super) slice_marks: Box<[Bytes16; 64]>,
    /// By edge: one bit for its slice.
    pub(super) slice_bits: Bytes16,
    /// By slot: the slices whose edges are flipped there if their orientation is 0, one bit each.
    pub(super) flipped_slices: Bytes16,
}

impl EdgeConjugation {
    pub(super) fn new(group: &SymmetryGroup) -> EdgeConjugation {
        let symmetry = |index: usize| &group.symmetries[index % group.order()];
        let mut conjugation = EdgeConjugation {
            source: Box::new([Bytes16([ZEROED; 16]); 64]),
            slice_marks: Box::new([Bytes16([0; 16]); 64]),
            slice_bits: Bytes16([0; 16]),
            flipped_slices: Bytes16([0; 16]),
        };
        for index in 0..64 {
            for edge in 0..12 {
                conjugation.source[index].0[symmetry(index).edge_slot(edge)] = edge as u8;
                let mark = [64, 128, 0][symmetry(index).axis(edge / 4)];
                conjugation.slice_marks[index].0[edge] = mark;
            }
        }
        for edge in 0..12 {
            conjugation.slice_bits.0[edge] = 1 << (edge / 4);
        }
        for (slice, slots) in edge_separation::flipped_slots().into_iter().enumerate() {
            (0..12).for_each(|slot| {
                conjugation.flipped_slices.0[slot] |= ((slots >> slot & 1) as u8) << slice;
            });
        }
        conjugation
    }
}

/// The parts of a cube that the coordinates depend on, as sets of slots (bits).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CoordinateBits {
    /// Slots of the edges of each slice, [`edge_separation::SLICE_BITS`] bits for each.
    pub(super) slices: u64,
    /// Slots of edges with orientation 1.
    pub(super) edge_orientation: u32,
    /// Slots of the second tetrad's corners.
    pub(super) tetrad: u32,
    /// Slots of the first seven corners with orientation 1 (low seven bits) and 2.
    pub(super) twists: u32,
    /// For each tetrad, the lower two code bits of its corners in slot order.
    pub(super) tetrad_orders: [u32; 2],
}

impl CoordinateBits {
    /// The bits of `cube`.
    pub(super) fn of(cube: &CubeBytes) -> CoordinateBits {
        let bits = |bit: u32, first: usize, count: usize| {
            (0..count).map(|slot| u32::from(cube.0[first + slot] >> bit & 1) << slot).sum::<u32>()
        };
        CoordinateBits {
            slices: edge_separation::pack_slices(bits(2, 0, 12), bits(3, 0, 12)),
            edge_orientation: bits(4, 0, 12),
            tetrad: bits(2, FIRST_CORNER, 8),
            twists: bits(4, FIRST_CORNER, 7) | bits(5, FIRST_CORNER, 7) << 7,
            tetrad_orders: [0, 1].map(|tetrad| {
                let corners =
                    cube.0[FIRST_CORNER..][..8].iter().rev().filter(|&byte| byte >> 2 & 1 == tetrad);
                corners.fold(0, |order, byte| order << 2 | u32::from(byte & 3))
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube3::packed::PackedMove;

    #[test]
    fn byte_moves_agree_with_packed_moves_on_cube_and_inverse() {
        let moves = ByteMoves::new();
        let mut cube = Cube::SOLVED;
        let (mut normal, mut inverse) = (CubeBytes::of(cube), CubeBytes::of_inverse(cube));
        for step in 0..2000usize {
            let turn = step * step * 7 % 55 % FACE_TURNS;
            let (face, quarters) = face_turn(turn);
            cube = PackedMove::new(face, quarters).apply(cube);
            (normal, inverse) = (moves.apply(&normal, turn), moves.apply_to_inverse(&inverse, turn));
            assert!(normal.same_cube(&CubeBytes::of(cube)), "after {step}");
            assert!(inverse.same_cube(&CubeBytes::of_inverse(cube)), "after {step}");
        }
    }
}
