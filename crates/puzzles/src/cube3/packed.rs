//! The cube in two words, and turns that are masks and rotations of them.
//!
//! A turn moves four lanes of each word. Moving lanes by masks and adding twists in all lanes at once takes some forty
//! instructions without a branch or an unsafe line; byte shuffles would take fewer, but could not be inlined where they are only
//! known to exist at run time.

use crate::cube::Face;
use crate::cube::pieces::{Placed, turned_corners, turned_edges};

/// A cube: what each slot holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cube {
    /// Five bits for each slot: twice the edge, plus 1 if it is flipped.
    pub edges: u64,
    /// Eight bits for each slot: the corner, plus 8 or 16 if it is twisted.
    pub corners: u64,
}

const EDGE_BITS: usize = 5;
const CORNER_BITS: usize = 8;
/// A byte in every lane.
const EACH: u64 = 0x0101_0101_0101_0101;

impl Cube {
    /// The solved cube.
    pub const SOLVED: Cube = Cube { edges: solved_edges(), corners: 0x0706_0504_0302_0100 };

    /// The code of the edge in a slot: below 24.
    #[inline]
    pub fn edge(self, slot: usize) -> usize {
        (self.edges >> (EDGE_BITS * slot)) as usize & 31
    }

    /// The code of the corner in a slot: below 24.
    #[inline]
    pub fn corner(self, slot: usize) -> usize {
        (self.corners >> (CORNER_BITS * slot)) as usize & 31
    }

    /// A cube of these pieces.
    pub fn of(corners: &[Placed; 8], edges: &[Placed; 12]) -> Cube {
        let mut cube = Cube { edges: 0, corners: 0 };
        for (slot, placed) in edges.iter().enumerate() {
            cube.edges |= (edge_code(*placed) as u64) << (EDGE_BITS * slot);
        }
        for (slot, placed) in corners.iter().enumerate() {
            cube.corners |= (corner_code(*placed) as u64) << (CORNER_BITS * slot);
        }
        cube
    }

    /// Its corners by slot.
    pub fn corners(self) -> [Placed; 8] {
        std::array::from_fn(|slot| {
            let code = self.corner(slot);
            Placed { piece: code % 8, turn: code / 8 }
        })
    }

    /// Its edges by slot.
    pub fn edges(self) -> [Placed; 12] {
        std::array::from_fn(|slot| {
            let code = self.edge(slot);
            Placed { piece: code / 2, turn: code % 2 }
        })
    }
}

/// The code of an edge and how it is flipped.
pub(super) fn edge_code(placed: Placed) -> usize {
    2 * placed.piece + placed.turn
}

/// The code of a corner and how it is twisted.
pub(super) fn corner_code(placed: Placed) -> usize {
    placed.piece + 8 * placed.turn
}

const fn solved_edges() -> u64 {
    let (mut edges, mut slot) = (0, 0);
    while slot < 12 {
        edges |= (2 * slot as u64) << (EDGE_BITS * slot);
        slot += 1;
    }
    edges
}

/// A turn, ready for two words.
#[derive(Clone, Debug)]
pub(super) struct Packed {
    edges: Lanes,
    /// Toggled after the edges have moved.
    flips: u64,
    corners: Lanes,
    /// Added after the corners have moved.
    twists: u64,
}

/// Four lanes that move, and those that stay.
#[derive(Clone, Debug, Default)]
struct Lanes {
    still: u64,
    moved: [(u64, u32); 4],
}

impl Lanes {
    fn new<const N: usize>(turn: &[Placed; N], bits: usize) -> Lanes {
        let lane = |slot: usize| ((1 << bits) - 1) << (bits * slot);
        let mut lanes = Lanes::default();
        let mut moved = 0;
        for (to, from) in turn.iter().enumerate() {
            if from.piece == to {
                lanes.still |= lane(to);
                continue;
            }
            let rotation = (64 + bits * to - bits * from.piece) % 64;
            lanes.moved[moved] = (lane(from.piece), rotation as u32);
            moved += 1;
        }
        lanes
    }

    #[inline(always)]
    fn turn(&self, word: u64) -> u64 {
        let [a, b, c, d] = self.moved.map(|(lane, rotation)| (word & lane).rotate_left(rotation));
        (word & self.still) | (a | b) | (c | d)
    }
}

impl Packed {
    pub(super) fn new(face: Face, quarters: u8) -> Packed {
        let (edges, corners) = (turned_edges(face, quarters), turned_corners(face, quarters));
        let turns = |turns: &[Placed], bits: usize, unit: u64| {
            turns.iter().enumerate().map(|(slot, placed)| (placed.turn as u64 * unit) << (bits * slot)).sum()
        };
        Packed {
            flips: turns(&edges, EDGE_BITS, 1),
            twists: turns(&corners, CORNER_BITS, 8),
            edges: Lanes::new(&edges, EDGE_BITS),
            corners: Lanes::new(&corners, CORNER_BITS),
        }
    }

    #[inline(always)]
    pub(super) fn turn(&self, cube: Cube) -> Cube {
        let edges = self.edges.turn(cube.edges) ^ self.flips;
        let sums = self.corners.turn(cube.corners) + self.twists;
        // Lanes of 24 and more begin again: 104 more brings those, and only those, to 128.
        let over = (sums + 104 * EACH) >> 7 & EACH;
        Cube { edges, corners: sums - 24 * over }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::pieces::{after, solved};
    use proptest::prelude::*;

    proptest! {
        /// The packed cube and its pieces one by one go the same ways.
        #[test]
        fn pieces_say_the_same(turns in prop::collection::vec((0usize..6, 1u8..4), 0..30)) {
            let (mut cube, mut corners, mut edges) = (Cube::SOLVED, solved(), solved());
            for (face, quarters) in turns {
                let face = Face::ALL[face];
                cube = Packed::new(face, quarters).turn(cube);
                corners = after(&corners, &turned_corners(face, quarters), 3);
                edges = after(&edges, &turned_edges(face, quarters), 2);
                prop_assert_eq!(cube, Cube::of(&corners, &edges));
                prop_assert_eq!((cube.corners(), cube.edges()), (corners, edges));
            }
        }
    }
}
