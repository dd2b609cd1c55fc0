//! The symmetry of the pocket cube with a fixed corner: the rotations about the corner at DBL.

use untumble_search::moves::Move;

use super::coordinates::{coordinates_of, corners_of};
use super::fixed_corner::SLOT as FIXED_SLOT;
use super::{Corners, Cube2, PERMUTATIONS, TWISTS};
use crate::cube::pieces::{CORNERS, Cubie, find_piece, identity, visible_colours};
use crate::cube::{Face, rotations};

/// Conjugation of positions and moves by a rotation of 120° about DBL.
pub(super) struct Symmetry {
    permutations: Vec<u16>,
    /// By permutation: the twists added by conjugation.
    extra_twists: Vec<u16>,
    /// By twist, at the identity permutation: the conjugate twist.
    twists: Vec<u16>,
    moves: Vec<Move>,
}

impl Symmetry {
    pub(super) fn new(cube: &Cube2) -> Symmetry {
        let rotation = rotation();
        let image = |permutation: usize, twist: usize| {
            coordinates_of(&conjugated(
                &corners_of(Corners { permutation: permutation as u16, twist: twist as u16 }),
                &rotation,
            ))
        };
        let list = cube.turns().all();
        let conjugate_of = |&(face, quarters): &(Face, u8)| {
            let to = (rotation[face.index()], quarters);
            Move(list.iter().position(|&turn| turn == to).expect("U, R and F change places") as u8)
        };
        Symmetry {
            permutations: (0..PERMUTATIONS).map(|permutation| image(permutation, 0).permutation).collect(),
            extra_twists: (0..PERMUTATIONS).map(|permutation| image(permutation, 0).twist).collect(),
            twists: (0..TWISTS).map(|twist| image(0, twist).twist).collect(),
            moves: list.iter().map(conjugate_of).collect(),
        }
    }

    /// The conjugate of a solvable position.
    pub(super) fn conjugate(&self, corners: Corners) -> Corners {
        let permutation = usize::from(corners.permutation);
        let twist = add_twists(self.twists[usize::from(corners.twist)], self.extra_twists[permutation]);
        Corners { permutation: self.permutations[permutation], twist }
    }

    /// The conjugate of a move.
    #[inline]
    pub(super) fn conjugate_move(&self, m: Move) -> Move {
        self.moves[m.index()]
    }
}

/// The sum of two twists, digit by digit modulo 3.
fn add_twists(a: u16, b: u16) -> u16 {
    let (mut a, mut b, mut place, mut sum) = (a, b, 1, 0);
    while a + b > 0 {
        sum += (a % 3 + b % 3) % 3 * place;
        (a, b, place) = (a / 3, b / 3, 3 * place);
    }
    sum
}

/// The rotation D → B → L → D as images of the faces.
fn rotation() -> [Face; 6] {
    let [d, b, l] = CORNERS[FIXED_SLOT];
    let cycles_faces = |rotation: &[Face; 6]| [d, b, l].map(|face| rotation[face.index()]) == [b, l, d];
    rotations().into_iter().find(cycles_faces).expect("a cube can be turned around a corner")
}

/// Carries the corners to the images of their slots and renames them.
fn conjugated(corners: &[Cubie; 8], to: &[Face; 6]) -> [Cubie; 8] {
    let image =
        |faces: [Face; 3]| find_piece(&CORNERS, faces.map(|face| to[face.index()])).expect("a corner");
    let mut conjugated = identity::<8>();
    for (slot, &cubie) in corners.iter().enumerate() {
        // Orientations count from the first face of the image slot.
        let (slot, piece) = (image(CORNERS[slot]), image(visible_colours(&CORNERS, cubie)));
        conjugated[slot.piece] = Cubie { piece: piece.piece, turn: (piece.turn + 3 - slot.turn) % 3 };
    }
    conjugated
}
