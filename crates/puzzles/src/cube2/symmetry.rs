//! The symmetry of the pocket cube with a fixed corner: the rotations about the corner at DBL.

use untumble_search::moves::Move;

use super::coordinates::{coordinates_of, cubies_of};
use super::fixed_corner::SLOT as FIXED_SLOT;
use super::{Corners, Cube2, PERMUTATIONS, TWISTS};
use crate::cube::pieces::{CORNERS, Cubie, find_piece, identity, visible_colours};
use crate::cube::{Face, rotations};

/// Conjugation of positions and moves by a rotation of 120° about DBL.
pub(super) struct Symmetry {
    /// By permutation: the conjugate permutation.
    permutations: Vec<u16>,
    /// By permutation: the twists added by conjugation.
    extra_twists: Vec<u16>,
    /// By twist, at the identity permutation: the conjugate twist.
    twists: Vec<u16>,
    /// By move: the conjugate move.
    moves: Vec<Move>,
}

impl Symmetry {
    pub(super) fn new(cube: &Cube2) -> Symmetry {
        let rotation = rotation();
        let image = |permutation: usize, twist: usize| {
            coordinates_of(&conjugated(
                &cubies_of(Corners { permutation: permutation as u16, twist: twist as u16 }),
                &rotation,
            ))
        };
        let list = cube.turns().all();
        let conjugate_of = |&(face, quarters): &(Face, u8)| {
            let to = (rotation[face.index()], quarters);
            Move(list.iter().position(|&turn| turn == to).expect("the rotation permutes U, R and F") as u8)
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
    rotations().into_iter().find(cycles_faces).expect("a cube has rotations about every corner")
}

/// Conjugates corners by a rotation: carries each corner to the image of its slot and renames it.
fn conjugated(corners: &[Cubie; 8], rotation: &[Face; 6]) -> [Cubie; 8] {
    let image = |faces: [Face; 3]| {
        find_piece(&CORNERS, faces.map(|face| rotation[face.index()]))
            .expect("a rotation carries corners to corners")
    };
    let mut conjugated = identity::<8>();
    for (slot, &cubie) in corners.iter().enumerate() {
        let (slot_image, corner_image) = (image(CORNERS[slot]), image(visible_colours(&CORNERS, cubie)));
        // Orientations count from the first face of the image slot.
        let orientation = (corner_image.orientation + 3 - slot_image.orientation) % 3;
        conjugated[slot_image.piece] = Cubie { piece: corner_image.piece, orientation };
    }
    conjugated
}
