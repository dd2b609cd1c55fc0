//! The six variants of a position that the two-phase search starts from: each axis as the U-D axis, and the
//! inverse of each. Each variant leads to different short solutions (Kociemba's Cube Explorer; Rokicki's
//! cube20 solvers).

use untumble_search::moves::Move;

use super::coordinates::{FIRST_SLICE_EDGE, corner_permutation, sorted_edges};
use super::phase1::{Phase1, Phase1Node};
use crate::cube::FaceTurns;
use crate::cube::pieces::inverse;
use crate::cube3::Cube;
use crate::cube3::symmetry::{FACE_TURNS, Symmetry, face_turn};

/// One variant of a position with its start coordinates.
#[derive(Clone, Debug)]
pub(super) struct Variant {
    /// By face turn of the variant: the turn of the original position.
    original_turns: [u8; FACE_TURNS],
    /// Whether the variant starts from the inverse of the position.
    inverted: bool,
    pub(super) node: Phase1Node,
    pub(super) corner_permutation: u16,
    /// Sorted coordinate of the slice edges.
    pub(super) slice_sorted: u16,
    /// Sorted coordinate of the U edges.
    pub(super) u_edges: u16,
    /// Sorted coordinate of the D edges.
    pub(super) d_edges: u16,
}

impl Variant {
    /// All variants of a position; those equivalent to an earlier one under phase-1 symmetries are left out.
    pub(super) fn all(phase1: &Phase1, axis_rotations: &[Symmetry], cube: Cube) -> Vec<Variant> {
        let inverse = Cube::from_pieces(&inverse(&cube.corners(), 3), &inverse(&cube.edges(), 2));
        let mut seen: Vec<Cube> = Vec::new();
        let mut variants = Vec::new();
        for (cube, inverted) in [(cube, false), (inverse, true)] {
            for rotation in axis_rotations {
                let rotated = rotation.conjugate(cube);
                let is_seen = |symmetry: &Symmetry| seen.contains(&symmetry.conjugate(rotated));
                if !phase1.group.symmetries.iter().any(is_seen) {
                    seen.push(rotated);
                    variants.push(Variant::new(phase1, rotation, rotated, inverted));
                }
            }
        }
        variants
    }

    fn new(phase1: &Phase1, rotation: &Symmetry, cube: Cube, inverted: bool) -> Variant {
        let mut original_turns = [0; FACE_TURNS];
        (0..FACE_TURNS).for_each(|turn| original_turns[rotation.conjugate_turn(turn)] = turn as u8);
        let edges = cube.edges();
        Variant {
            original_turns,
            inverted,
            node: phase1.node(cube),
            corner_permutation: corner_permutation(&cube.corners()),
            slice_sorted: sorted_edges(&edges, FIRST_SLICE_EDGE),
            u_edges: sorted_edges(&edges, 0),
            d_edges: sorted_edges(&edges, 4),
        }
    }

    /// The solution of the original position, given the solution of the variant.
    pub(super) fn original_moves(
        &self,
        turns: &FaceTurns,
        path: impl DoubleEndedIterator<Item = u8>,
    ) -> Vec<Move> {
        let original = |turn: u8| {
            let (face, quarters) = face_turn(self.original_turns[usize::from(turn)].into());
            turns.moves_for(face, if self.inverted { 4 - quarters } else { quarters })
        };
        if self.inverted {
            path.rev().flat_map(original).collect()
        } else {
            path.flat_map(original).collect()
        }
    }
}
