//! Edges as the group of half turns leaves them: which slice each slot's edge belongs to, and how many of a slice are flipped.
//!
//! A slice is the four edges between two opposite faces. Half turns keep each edge within its slice and flip none, so what half
//! turns before a sequence change is not seen here. An edge outside of its slice shares one axis with its slot; it is
//! called flipped where its sticker of that axis does not lie on it. Said so, symmetries carry flips along without changing them.

use untumble_search::perm;

use crate::cube::pieces::{EDGES, turned_edges};
use crate::cube3::symmetry::{Group, Symmetry, TURNS, turned};

/// Sets of four slots of twelve, and of four slots of eight.
pub(super) const SETS: usize = 495;
pub(super) const EIGHTS: usize = 70;
/// Arrangements of three slices.
pub(super) const ARRANGEMENTS: usize = SETS * EIGHTS;
/// All slots.
const ALL: u16 = 0xfff;

/// Bits of a slice where the sets of all three stand in one word.
pub(super) const BITS: u32 = 12;

/// The sets of all three slices in one word, given those of the second and the last.
#[inline(always)]
pub(super) fn packed(second: u32, last: u32) -> u64 {
    u64::from(u32::from(ALL) ^ second ^ last) | u64::from(second) << BITS | u64::from(last) << (2 * BITS)
}

/// A set three times.
pub(super) const THRICE: u64 = 1 | 1 << BITS | 1 << (2 * BITS);

/// The slice of a slot, which is also that of the edge at home there: the axis that it does not touch.
pub(super) fn slice(slot: usize) -> usize {
    3 - EDGES[slot].map(|face| face.index() % 3).iter().sum::<usize>()
}

/// Whether an edge of slice `edge` in a slot of slice `slot` is flipped when it is called unturned by its first face, and the other way around.
fn twisted(edge: usize, slot: usize) -> bool {
    if edge == slot {
        return false;
    }
    let shared = 3 - edge - slot;
    let place = |slice_of: usize| {
        let faces = (0..12).find(|&slot| slice(slot) == slice_of).map(|slot| EDGES[slot]);
        faces.and_then(|faces| faces.iter().position(|face| face.index() % 3 == shared))
    };
    place(edge) != place(slot)
}

/// For each slice, the slots in which its edges are [`twisted`].
pub(super) fn odd_slots() -> [u16; 3] {
    std::array::from_fn(|edge| (0..12).map(|slot| u16::from(twisted(edge, slice(slot))) << slot).sum())
}

/// Numbers for arrangements of slices: the set of the second, and that of the first among the slots left.
pub(super) struct Numbers {
    /// The sets of four slots, as bits, and the place of each among them.
    pub(super) sets: Vec<u16>,
    pub(super) places: Vec<u16>,
    fours: Vec<u8>,
    /// The place of each set of four slots of eight.
    pub(super) eights: Vec<u8>,
}

/// The bits of `set` that lie under `mask`, moved together.
pub(super) fn compress(set: u16, mask: u16) -> u16 {
    let (mut packed, mut at) = (0, 0);
    for slot in (0..12).filter(|slot| mask >> slot & 1 == 1) {
        packed |= (set >> slot & 1) << at;
        at += 1;
    }
    packed
}

impl Numbers {
    pub(super) fn new() -> Numbers {
        let sets: Vec<u16> = perm::combinations(12, 4).map(|set| set as u16).collect();
        let fours: Vec<u8> = perm::combinations(8, 4).map(|set| set as u8).collect();
        let (mut places, mut eights) = (vec![0; 1 << 12], vec![0; 1 << 8]);
        (0..).zip(&sets).for_each(|(place, &set)| places[usize::from(set)] = place);
        (0..).zip(&fours).for_each(|(place, &set)| eights[usize::from(set)] = place);
        Numbers { sets, places, fours, eights }
    }

    /// The number of the arrangement in which the slices are in these sets of slots.
    pub(super) fn number(&self, sets: [u16; 3]) -> usize {
        let packed = compress(sets[0], ALL ^ sets[1]);
        usize::from(self.eights[usize::from(packed)]) * SETS + usize::from(self.places[usize::from(sets[1])])
    }

    /// The sets of slots that the slices are in.
    fn slots(&self, number: usize) -> [u16; 3] {
        let second = self.sets[number % SETS];
        let four = self.fours[number / SETS];
        let (mut first, mut at) = (0, 0);
        for slot in (0..12).filter(|slot| second >> slot & 1 == 0) {
            first |= u16::from(four >> at & 1) << slot;
            at += 1;
        }
        [first, second, ALL ^ first ^ second]
    }

    /// The arrangement of a solved cube.
    pub(super) fn home(&self) -> usize {
        let set = |wanted: usize| (0..12).map(|slot| u16::from(slice(slot) == wanted) << slot).sum();
        self.number([set(0), set(1), set(2)])
    }
}

/// Where each slot goes by a symmetry.
pub(super) fn carried(symmetry: &Symmetry, set: u16) -> u16 {
    (0..12).filter(|slot| set >> slot & 1 == 1).map(|slot| 1 << symmetry.edge_slot(slot)).sum()
}

/// What turns and symmetries make of arrangements.
pub(super) struct Slices {
    pub(super) numbers: Numbers,
    /// By turn and arrangement.
    after: Vec<u16>,
    /// Whether the turn flips an odd number of edges of the first and the second slice, and whether the number of all edges flipped is odd
    /// in the arrangement that it leads to: a bit each.
    flips: Vec<u8>,
    /// Whether the number of all edges flipped is odd in an arrangement.
    odd: Vec<u8>,
    /// By symmetry and arrangement.
    seen: Vec<u16>,
}

impl Slices {
    pub(super) fn new(group: &Group) -> Slices {
        let numbers = Numbers::new();
        let all: Vec<[u16; 3]> = (0..ARRANGEMENTS).map(|number| numbers.slots(number)).collect();
        let (mut after, mut flips, mut seen) = (Vec::new(), Vec::new(), Vec::new());
        let odd = odd_slots();
        let parity = |set: u16| (set.count_ones() & 1) as u8;
        let whole = |sets: &[u16; 3]| (0..3).fold(0, |sum, edge| sum ^ parity(sets[edge] & odd[edge]));
        for turn in 0..TURNS {
            let (face, quarters) = turned(turn);
            let turned = turned_edges(face, quarters);
            let moved = |set: u16| (0..12).map(|slot| (set >> turned[slot].piece & 1) << slot).sum::<u16>();
            // The slots in which an edge of each slice arrives flipped, though it was not, and the other way around.
            let flipped: [u16; 3] = std::array::from_fn(|edge| {
                let bit = |slot: usize| {
                    let (from, to) = (odd[edge] >> turned[slot].piece & 1, odd[edge] >> slot & 1);
                    (turned[slot].turn as u16 ^ from ^ to) << slot
                };
                (0..12).map(bit).sum()
            });
            for sets in &all {
                let sets = sets.map(moved);
                after.push(numbers.number(sets) as u16);
                let change = [0, 1].map(|edge| parity(sets[edge] & flipped[edge]));
                flips.push(change[0] | change[1] << 1 | whole(&sets) << 2);
            }
        }
        for symmetry in &group.list {
            // A set of six slots at a time.
            let halves: Vec<u16> =
                (0..64).chain((0..64).map(|set| set << 6)).map(|set| carried(symmetry, set)).collect();
            for sets in &all {
                let mut images = [0; 3];
                for (edge, &set) in sets.iter().enumerate() {
                    let set = usize::from(set);
                    images[symmetry.axis(edge)] = halves[set & 63] | halves[64 + (set >> 6)];
                }
                seen.push(numbers.number(images) as u16);
            }
        }
        Slices { numbers, after, flips, odd: all.iter().map(whole).collect(), seen }
    }

    /// All arrangements after a turn.
    pub(super) fn after(&self, turn: usize) -> &[u16] {
        &self.after[turn * ARRANGEMENTS..][..ARRANGEMENTS]
    }

    /// What the turn flips, in all arrangements.
    pub(super) fn flips(&self, turn: usize) -> &[u8] {
        &self.flips[turn * ARRANGEMENTS..][..ARRANGEMENTS]
    }

    /// 1 where the number of all edges flipped is odd in an arrangement.
    pub(super) fn odd(&self, arrangement: usize) -> u8 {
        self.odd[arrangement]
    }

    /// All arrangements seen by a symmetry.
    pub(super) fn seen(&self, symmetry: usize) -> &[u16] {
        &self.seen[symmetry * ARRANGEMENTS..][..ARRANGEMENTS]
    }

    /// Bytes that it takes.
    pub(super) const BYTES: u64 = (ARRANGEMENTS * (1 + 3 * TURNS + 2 * 48)) as u64;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::pieces::{Placed, after, solved};

    /// The slots of each slice's edges, and whether an odd number of them is flipped.
    fn seen(edges: &[Placed; 12]) -> ([u16; 3], [u8; 3]) {
        let (odd, mut sets, mut flips) = (odd_slots(), [0; 3], [0; 3]);
        for (slot, placed) in edges.iter().enumerate() {
            let edge = slice(placed.piece);
            sets[edge] |= 1 << slot;
            flips[edge] ^= placed.turn as u8 ^ (odd[edge] >> slot & 1) as u8;
        }
        (sets, flips)
    }

    #[test]
    fn turns_and_symmetries_do_to_numbers_what_they_do_to_edges() {
        let group = Group::all();
        let slices = Slices::new(&group);
        let mut edges = solved::<12>();
        assert_eq!(slices.numbers.number(seen(&edges).0), slices.numbers.home());
        for step in 0..2000usize {
            let turn = step * step * 7 % 55 % TURNS;
            let (sets, flips) = seen(&edges);
            let number = slices.numbers.number(sets);
            assert_eq!(slices.numbers.slots(number), sets);
            assert_eq!(flips.iter().fold(0, |sum, flip| sum ^ flip), slices.odd(number));
            for (place, symmetry) in group.list.iter().enumerate() {
                let (images, carried) = seen(&symmetry.edges(&edges));
                assert_eq!(slices.numbers.number(images), usize::from(slices.seen(place)[number]));
                assert_eq!([0, 1, 2].map(|edge| carried[symmetry.axis(edge)]), flips);
            }
            let (face, quarters) = turned(turn);
            edges = after(&edges, &turned_edges(face, quarters), 2);
            let (sets, after) = seen(&edges);
            assert_eq!(slices.numbers.number(sets), usize::from(slices.after(turn)[number]));
            let change = [0, 1].map(|edge| (after[edge] ^ flips[edge]) << edge).iter().sum::<u8>();
            let whole = after.iter().fold(0, |sum, flip| sum ^ flip);
            assert_eq!(slices.flips(turn)[number], change | whole << 2);
        }
    }
}
