//! The state of Rubik's cube in two words, and face turns as masks and rotations of them.
//!
//! A face turn moves four lanes of each word. Masks and one addition for all orientations take some forty
//! instructions without branches or `unsafe`. Byte shuffles take fewer but cannot be inlined where the
//! instruction set is detected at run time; the optimal solver uses them in kernels.

use crate::cube::Face;
use crate::cube::pieces::{Cubie, corner_move, edge_move};

/// A position: the cubie in each slot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cube {
    /// Five bits for each slot: `2 * edge + orientation`.
    pub edges: u64,
    /// Eight bits for each slot: `corner + 8 * orientation`.
    pub corners: u64,
}

const EDGE_BITS: usize = 5;
const CORNER_BITS: usize = 8;
/// The value 1 in every corner lane.
const CORNER_ONES: u64 = 0x0101_0101_0101_0101;

impl Cube {
    /// The solved position.
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

    /// Packs corners and edges, both by slot.
    pub fn from_pieces(corners: &[Cubie; 8], edges: &[Cubie; 12]) -> Cube {
        let mut cube = Cube { edges: 0, corners: 0 };
        for (slot, cubie) in edges.iter().enumerate() {
            cube.edges |= (edge_code(*cubie) as u64) << (EDGE_BITS * slot);
        }
        for (slot, cubie) in corners.iter().enumerate() {
            cube.corners |= (corner_code(*cubie) as u64) << (CORNER_BITS * slot);
        }
        cube
    }

    /// The corners by slot.
    pub fn corners(self) -> [Cubie; 8] {
        std::array::from_fn(|slot| {
            let code = self.corner(slot);
            Cubie { piece: code % 8, orientation: code / 8 }
        })
    }

    /// The edges by slot.
    pub fn edges(self) -> [Cubie; 12] {
        std::array::from_fn(|slot| {
            let code = self.edge(slot);
            Cubie { piece: code / 2, orientation: code % 2 }
        })
    }
}

/// The code of an edge in its lane of `Cube::edges`.
pub(super) fn edge_code(cubie: Cubie) -> usize {
    2 * cubie.piece + cubie.orientation
}

/// The code of a corner in its lane of `Cube::corners`.
pub(super) fn corner_code(cubie: Cubie) -> usize {
    cubie.piece + 8 * cubie.orientation
}

const fn solved_edges() -> u64 {
    let (mut edges, mut slot) = (0, 0);
    while slot < 12 {
        edges |= (2 * slot as u64) << (EDGE_BITS * slot);
        slot += 1;
    }
    edges
}

/// A face turn of a packed cube.
#[derive(Clone, Debug)]
pub(super) struct PackedMove {
    edges: LaneMoves,
    /// The orientation bits to toggle after the edges have moved.
    flips: u64,
    corners: LaneMoves,
    /// The orientations to add after the corners have moved.
    twists: u64,
}

/// A face turn as a permutation of the lanes of a word.
#[derive(Clone, Debug, Default)]
struct LaneMoves {
    /// The mask of the lanes that stay.
    fixed: u64,
    /// For each lane that moves: its mask, and the rotation of the word that moves it.
    moved: [(u64, u32); 4],
}

impl LaneMoves {
    fn new<const N: usize>(turn: &[Cubie; N], bits: usize) -> LaneMoves {
        let lane = |slot: usize| ((1 << bits) - 1) << (bits * slot);
        let mut lanes = LaneMoves::default();
        let mut moved = 0;
        for (to, from) in turn.iter().enumerate() {
            if from.piece == to {
                lanes.fixed |= lane(to);
                continue;
            }
            let rotation = (64 + bits * to - bits * from.piece) % 64;
            lanes.moved[moved] = (lane(from.piece), rotation as u32);
            moved += 1;
        }
        lanes
    }

    #[inline(always)]
    fn apply(&self, word: u64) -> u64 {
        let [a, b, c, d] = self.moved.map(|(lane, rotation)| (word & lane).rotate_left(rotation));
        (word & self.fixed) | (a | b) | (c | d)
    }
}

impl PackedMove {
    pub(super) fn new(face: Face, quarters: u8) -> PackedMove {
        let (edges, corners) = (edge_move(face, quarters), corner_move(face, quarters));
        let orientations = |cubies: &[Cubie], bits: usize, unit: u64| {
            cubies
                .iter()
                .enumerate()
                .map(|(slot, cubie)| (cubie.orientation as u64 * unit) << (bits * slot))
                .sum()
        };
        PackedMove {
            flips: orientations(&edges, EDGE_BITS, 1),
            twists: orientations(&corners, CORNER_BITS, 8),
            edges: LaneMoves::new(&edges, EDGE_BITS),
            corners: LaneMoves::new(&corners, CORNER_BITS),
        }
    }

    #[inline(always)]
    pub(super) fn apply(&self, cube: Cube) -> Cube {
        let edges = self.edges.apply(cube.edges) ^ self.flips;
        let sums = self.corners.apply(cube.corners) + self.twists;
        // Reduce lanes of 24 or more: adding 104 sets bit 7 in exactly those lanes.
        let over = (sums + 104 * CORNER_ONES) >> 7 & CORNER_ONES;
        Cube { edges, corners: sums - 24 * over }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::pieces::{compose, identity};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn packed_moves_agree_with_moves_of_single_cubies(turns in prop::collection::vec((0usize..6, 1u8..4), 0..30)) {
            let (mut cube, mut corners, mut edges) = (Cube::SOLVED, identity(), identity());
            for (face, quarters) in turns {
                let face = Face::ALL[face];
                cube = PackedMove::new(face, quarters).apply(cube);
                corners = compose(&corners, &corner_move(face, quarters), 3);
                edges = compose(&edges, &edge_move(face, quarters), 2);
                prop_assert_eq!(cube, Cube::from_pieces(&corners, &edges));
                prop_assert_eq!((cube.corners(), cube.edges()), (corners, edges));
            }
        }
    }
}
