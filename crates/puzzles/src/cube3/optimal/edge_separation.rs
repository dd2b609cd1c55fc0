//! Edge coordinate of the table: edge separation (H48's `esep`; Tronto) and flip parity by slice.
//!
//! A *slice* is the four edges between two opposite faces. Half turns keep every edge in its slice and flip
//! none. So the slices of the edges in all slots identify a coset, one of 34,650, which half turns before a
//! sequence do not change. An edge in a slot of another slice shares exactly one axis with that slot; it
//! counts as flipped if its sticker of that axis is not on that axis. With this definition the symmetries
//! only permute the flip parities.

use untumble_search::control::{Control, Stop};
use untumble_search::perm;

use crate::cube::pieces::{EDGES, edge_move};
use crate::cube3::symmetry::{FACE_TURNS, Symmetry, SymmetryGroup, face_turn};

/// Sets of four slots out of twelve.
pub(super) const TWELVE_SETS: usize = 495;
/// Sets of four slots out of eight.
pub(super) const EIGHT_SETS: usize = 70;
/// Edge cosets: assignments of the twelve slots to three slices.
pub(super) const EDGE_COSETS: usize = TWELVE_SETS * EIGHT_SETS;
const ALL_SLOTS: u16 = 0xfff;

/// Bits of one slice in a word that packs the slot sets of all three slices.
pub(super) const SLICE_BITS: u32 = 12;

/// Packs the slot sets of all three slices, given those of the second and the third.
#[inline(always)]
pub(super) fn pack_slices(second: u32, third: u32) -> u64 {
    let first = u32::from(ALL_SLOTS) ^ second ^ third;
    u64::from(first) | u64::from(second) << SLICE_BITS | u64::from(third) << (2 * SLICE_BITS)
}

/// Multiplier that copies a slot set to all three slices.
pub(super) const THREE_COPIES: u64 = 1 | 1 << SLICE_BITS | 1 << (2 * SLICE_BITS);

/// The slice of a slot or of the edge that belongs there: the axis that it does not touch.
pub(super) fn slice(slot: usize) -> usize {
    3 - EDGES[slot].map(|face| face.index() % 3).iter().sum::<usize>()
}

/// Whether an edge of `edge_slice` with orientation 0 is flipped in a slot of `slot_slice`.
fn is_flipped_at_orientation_0(edge_slice: usize, slot_slice: usize) -> bool {
    if edge_slice == slot_slice {
        return false;
    }
    let shared_axis = 3 - edge_slice - slot_slice;
    let face_index = |of_slice: usize| {
        let faces = (0..12).find(|&slot| slice(slot) == of_slice).map(|slot| EDGES[slot]);
        faces.and_then(|faces| faces.iter().position(|face| face.index() % 3 == shared_axis))
    };
    face_index(edge_slice) != face_index(slot_slice)
}

/// For each slice, the slots in which its edges are flipped at orientation 0.
pub(super) fn flipped_slots() -> [u16; 3] {
    std::array::from_fn(|edge_slice| {
        (0..12).map(|slot| u16::from(is_flipped_at_orientation_0(edge_slice, slice(slot))) << slot).sum()
    })
}

/// Ranking and unranking of edge cosets: the slots of the second slice, then those of the first among the
/// others.
pub(super) struct EdgeCosets {
    /// By rank: a set of four slots out of twelve.
    pub(super) sets: Vec<u16>,
    /// By set of slots: its rank in `sets`.
    pub(super) set_ranks: Vec<u16>,
    /// By rank: a set of four slots out of eight.
    eight_sets: Vec<u8>,
    /// By set of slots: its rank in `eight_sets`.
    pub(super) eight_set_ranks: Vec<u8>,
}

/// Packs the bits of `set` that `mask` selects into the lowest bits (`pext`).
pub(super) fn compress(set: u16, mask: u16) -> u16 {
    let (mut packed, mut bit) = (0, 0);
    for slot in (0..12).filter(|slot| mask >> slot & 1 == 1) {
        packed |= (set >> slot & 1) << bit;
        bit += 1;
    }
    packed
}

impl EdgeCosets {
    pub(super) fn new() -> EdgeCosets {
        let sets: Vec<u16> = perm::combinations(12, 4).map(|set| set as u16).collect();
        let eight_sets: Vec<u8> = perm::combinations(8, 4).map(|set| set as u8).collect();
        let (mut set_ranks, mut eight_set_ranks) = (vec![0; 1 << 12], vec![0; 1 << 8]);
        (0..).zip(&sets).for_each(|(rank, &set)| set_ranks[usize::from(set)] = rank);
        (0..).zip(&eight_sets).for_each(|(rank, &set)| eight_set_ranks[usize::from(set)] = rank);
        EdgeCosets { sets, set_ranks, eight_sets, eight_set_ranks }
    }

    /// The coset with these slot sets of the three slices.
    pub(super) fn rank(&self, slices: [u16; 3]) -> usize {
        let first = compress(slices[0], ALL_SLOTS ^ slices[1]);
        usize::from(self.eight_set_ranks[usize::from(first)]) * TWELVE_SETS
            + usize::from(self.set_ranks[usize::from(slices[1])])
    }

    /// The slot sets of the three slices.
    fn unrank(&self, coset: usize) -> [u16; 3] {
        let second = self.sets[coset % TWELVE_SETS];
        let eight_set = self.eight_sets[coset / TWELVE_SETS];
        let (mut first, mut bit) = (0, 0);
        for slot in (0..12).filter(|slot| second >> slot & 1 == 0) {
            first |= u16::from(eight_set >> bit & 1) << slot;
            bit += 1;
        }
        [first, second, ALL_SLOTS ^ first ^ second]
    }

    /// The coset of solved edges.
    pub(super) fn solved(&self) -> usize {
        let slots = |index: usize| (0..12).map(|slot| u16::from(slice(slot) == index) << slot).sum();
        self.rank([slots(0), slots(1), slots(2)])
    }
}

/// The image of a set of slots under a symmetry.
pub(super) fn conjugate_slots(symmetry: &Symmetry, set: u16) -> u16 {
    (0..12).filter(|slot| set >> slot & 1 == 1).map(|slot| 1 << symmetry.edge_slot(slot)).sum()
}

/// Move and conjugation tables of edge cosets.
pub(super) struct EdgeTables {
    pub(super) cosets: EdgeCosets,
    /// By face turn and coset: the coset after the turn.
    moves: Vec<u16>,
    /// By face turn and coset: see [`EdgeTables::parity_changes`].
    parity_changes: Vec<u8>,
    /// By coset: the parity of the number of flipped edges.
    flip_parity: Vec<u8>,
    /// By symmetry and coset: the conjugate coset.
    conjugates: Vec<u16>,
}

impl EdgeTables {
    pub(super) fn new(group: &SymmetryGroup, control: &Control) -> Result<EdgeTables, Stop> {
        let cosets = EdgeCosets::new();
        let all: Vec<[u16; 3]> = (0..EDGE_COSETS).map(|coset| cosets.unrank(coset)).collect();
        let (mut moves, mut parity_changes, mut conjugates) = (Vec::new(), Vec::new(), Vec::new());
        let flipped_slots = flipped_slots();
        let parity = |set: u16| (set.count_ones() & 1) as u8;
        let flip_parity = |slices: &[u16; 3]| {
            (0..3).fold(0, |sum, slice| sum ^ parity(slices[slice] & flipped_slots[slice]))
        };
        for turn in 0..FACE_TURNS {
            control.poll()?;
            let (face, quarters) = face_turn(turn);
            let edge_move = edge_move(face, quarters);
            let moved =
                |set: u16| (0..12).map(|slot| (set >> edge_move[slot].piece & 1) << slot).sum::<u16>();
            // By slice: the slots in which the turn toggles whether an arriving edge is flipped.
            let toggled: [u16; 3] = std::array::from_fn(|slice| {
                let bit = |slot: usize| {
                    let (from, to) =
                        (flipped_slots[slice] >> edge_move[slot].piece & 1, flipped_slots[slice] >> slot & 1);
                    (edge_move[slot].orientation as u16 ^ from ^ to) << slot
                };
                (0..12).map(bit).sum()
            });
            for slices in &all {
                let slices = slices.map(moved);
                moves.push(cosets.rank(slices) as u16);
                let change = [0, 1].map(|slice| parity(slices[slice] & toggled[slice]));
                parity_changes.push(change[0] | change[1] << 1 | flip_parity(&slices) << 2);
            }
        }
        for symmetry in &group.symmetries {
            control.poll()?;
            // Images of all subsets of the first six slots and of the last six.
            let halves: Vec<u16> = (0..64)
                .chain((0..64).map(|set| set << 6))
                .map(|set| conjugate_slots(symmetry, set))
                .collect();
            for slices in &all {
                let mut images = [0; 3];
                for (slice, &set) in slices.iter().enumerate() {
                    let set = usize::from(set);
                    images[symmetry.axis(slice)] = halves[set & 63] | halves[64 + (set >> 6)];
                }
                conjugates.push(cosets.rank(images) as u16);
            }
        }
        let flip_parity = all.iter().map(flip_parity).collect();
        Ok(EdgeTables { cosets, moves, parity_changes, flip_parity, conjugates })
    }

    /// By coset: the coset after a face turn.
    pub(super) fn after(&self, turn: usize) -> &[u16] {
        &self.moves[turn * EDGE_COSETS..][..EDGE_COSETS]
    }

    /// By coset: the effect of a face turn on flip parities. Bit 0 is set if the turn toggles the
    /// flip parity of the first slice, bit 1 that of the second; bit 2 is the flip parity of all edges after
    /// the turn.
    pub(super) fn parity_changes(&self, turn: usize) -> &[u8] {
        &self.parity_changes[turn * EDGE_COSETS..][..EDGE_COSETS]
    }

    /// The parity of the number of flipped edges in a coset.
    pub(super) fn flip_parity(&self, coset: usize) -> u8 {
        self.flip_parity[coset]
    }

    /// By coset: its conjugate under a symmetry.
    pub(super) fn conjugates(&self, symmetry: usize) -> &[u16] {
        &self.conjugates[symmetry * EDGE_COSETS..][..EDGE_COSETS]
    }

    /// Bytes of memory of all tables.
    pub(super) const BYTES: u64 = (EDGE_COSETS * (1 + 3 * FACE_TURNS + 2 * 48)) as u64;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::pieces::{Cubie, compose, identity};

    /// By slice: the slots and the flip parity of its edges.
    fn slices_and_flip_parities(edges: &[Cubie; 12]) -> ([u16; 3], [u8; 3]) {
        let (flipped_slots, mut slices, mut parities) = (flipped_slots(), [0; 3], [0; 3]);
        for (slot, cubie) in edges.iter().enumerate() {
            let slice_index = slice(cubie.piece);
            slices[slice_index] |= 1 << slot;
            parities[slice_index] ^= cubie.orientation as u8 ^ (flipped_slots[slice_index] >> slot & 1) as u8;
        }
        (slices, parities)
    }

    #[test]
    fn tables_agree_with_moves_and_symmetries_of_edges() {
        let group = SymmetryGroup::full();
        let tables = EdgeTables::new(&group, &Control::default()).expect("no limit");
        let mut edges = identity::<12>();
        assert_eq!(tables.cosets.rank(slices_and_flip_parities(&edges).0), tables.cosets.solved());
        for step in 0..2000usize {
            let turn = step * step * 7 % 55 % FACE_TURNS;
            let (slices, parities) = slices_and_flip_parities(&edges);
            let coset = tables.cosets.rank(slices);
            assert_eq!(tables.cosets.unrank(coset), slices);
            assert_eq!(parities.iter().fold(0, |sum, flip| sum ^ flip), tables.flip_parity(coset));
            for (index, symmetry) in group.symmetries.iter().enumerate() {
                let (images, conjugated) = slices_and_flip_parities(&symmetry.conjugate_edges(&edges));
                assert_eq!(tables.cosets.rank(images), usize::from(tables.conjugates(index)[coset]));
                assert_eq!([0, 1, 2].map(|edge| conjugated[symmetry.axis(edge)]), parities);
            }
            let (face, quarters) = face_turn(turn);
            edges = compose(&edges, &edge_move(face, quarters), 2);
            let (slices, after) = slices_and_flip_parities(&edges);
            assert_eq!(tables.cosets.rank(slices), usize::from(tables.after(turn)[coset]));
            let change = [0, 1].map(|edge| (after[edge] ^ parities[edge]) << edge).iter().sum::<u8>();
            let total = after.iter().fold(0, |sum, flip| sum ^ flip);
            assert_eq!(tables.parity_changes(turn)[coset], change | total << 2);
        }
    }
}
