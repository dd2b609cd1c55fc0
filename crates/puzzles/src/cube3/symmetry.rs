//! The 48 symmetries of the cube (rotations and reflections) and their action by conjugation.
//!
//! Conjugating a position by a symmetry rotates or reflects the whole cube and renames its pieces
//! accordingly. It preserves the number of moves to the goal.

use crate::cube::pieces::{CORNERS, Cubie, EDGES, identity};
use crate::cube::{Face, rotations};
use crate::cube3::Cube;

/// Number of face turns, half turns included. [`turn_index`] numbers them.
pub(in crate::cube3) const FACE_TURNS: usize = 18;

/// The index of a face turn: three for each face in the order of [`Face::ALL`], by quarters.
pub(in crate::cube3) const fn turn_index(face: Face, quarters: u8) -> usize {
    3 * face.index() + quarters as usize - 1
}

/// The face and the number of quarters, 1 to 3, of a turn index.
pub(in crate::cube3) const fn face_turn(index: usize) -> (Face, u8) {
    (Face::ALL[index / 3], index as u8 % 3 + 1)
}

/// The set of quarter turns, as bits by turn index.
pub(in crate::cube3) const QUARTER_TURN_MASK: u32 = {
    let (mut set, mut index) = (0, 0);
    while index < FACE_TURNS {
        set |= ((face_turn(index).1 != 2) as u32) << index;
        index += 1;
    }
    set
};

#[inline(always)]
pub(in crate::cube3) const fn is_quarter_turn(index: usize) -> bool {
    QUARTER_TURN_MASK >> index & 1 == 1
}

/// A symmetry of the cube.
#[derive(Clone, Debug)]
pub(in crate::cube3) struct Symmetry {
    /// The image of each face.
    faces: [Face; 6],
    mirrored: bool,
    /// The images of the corner slots; see [`slot_images`].
    corners: [Cubie; 8],
    /// The images of the edge slots.
    edges: [Cubie; 12],
}

/// By slot: the slot that a symmetry carries it to (`piece`), and the index of the image of its first face
/// among the faces of that slot (`orientation`). `face_images` are the images of the faces.
fn slot_images<const N: usize, const COUNT: usize>(
    slot_faces: &[[Face; N]; COUNT],
    face_images: &[Face; 6],
) -> [Cubie; COUNT] {
    std::array::from_fn(|slot| {
        let faces = slot_faces[slot].map(|face| face_images[face.index()]);
        let has_faces = |other: &[Face; N]| faces.iter().all(|face| other.contains(face));
        let piece = slot_faces.iter().position(has_faces).expect("a symmetry carries slots to slots");
        let orientation = slot_faces[piece].iter().position(|&face| face == faces[0]);
        Cubie { piece, orientation: orientation.expect("the slot has all faces") }
    })
}

/// Conjugates pieces: carries them to the images of their slots and renames them.
fn conjugated<const COUNT: usize>(
    pieces: &[Cubie; COUNT],
    slot_images: &[Cubie; COUNT],
    orientations: usize,
    mirrored: bool,
) -> [Cubie; COUNT] {
    let mut conjugated = identity::<COUNT>();
    for (slot, cubie) in pieces.iter().enumerate() {
        let (slot_image, piece_image) = (slot_images[slot], slot_images[cubie.piece]);
        // A reflection reverses the direction of orientations.
        let orientation = if mirrored { orientations - cubie.orientation } else { cubie.orientation };
        conjugated[slot_image.piece] = Cubie {
            piece: piece_image.piece,
            orientation: (slot_image.orientation + orientation + orientations - piece_image.orientation)
                % orientations,
        };
    }
    conjugated
}

impl Symmetry {
    fn new(faces: [Face; 6], mirrored: bool) -> Symmetry {
        Symmetry {
            corners: slot_images(&CORNERS, &faces),
            edges: slot_images(&EDGES, &faces),
            faces,
            mirrored,
        }
    }

    /// All 48, the identity first.
    pub(in crate::cube3) fn all() -> Vec<Symmetry> {
        let mirror = |face: Face| match face {
            Face::R | Face::L => face.opposite(),
            _ => face,
        };
        let rotations = rotations();
        let mirrored = rotations.iter().map(|faces| Symmetry::new(faces.map(mirror), true));
        rotations.iter().map(|&faces| Symmetry::new(faces, false)).chain(mirrored).collect()
    }

    /// The 16 that map the U-D axis to itself (D4h).
    pub(in crate::cube3) fn fixing_ud_axis() -> Vec<Symmetry> {
        let fixes_axis = |symmetry: &Symmetry| matches!(symmetry.faces[0], Face::U | Face::D);
        Symmetry::all().into_iter().filter(fixes_axis).collect()
    }

    /// The three rotations about the corner URF, which bring each axis to the U-D axis; the identity first.
    pub(in crate::cube3) fn axis_rotations() -> Vec<Symmetry> {
        let rotation = |n: usize| {
            let permutes_axes = move |faces: &[Face; 6]| {
                [Face::U, Face::R, Face::F].map(|face| faces[face.index()])
                    == [0, 1, 2].map(|index| Face::ALL[(index + n) % 3])
            };
            rotations().into_iter().find(permutes_axes).expect("the rotations about a corner exist")
        };
        (0..3).map(|n| Symmetry::new(rotation(n), false)).collect()
    }

    /// The conjugate of a face turn, by index.
    pub(in crate::cube3) fn conjugate_turn(&self, index: usize) -> usize {
        let (face, quarters) = face_turn(index);
        turn_index(self.faces[face.index()], if self.mirrored { 4 - quarters } else { quarters })
    }

    pub(in crate::cube3) fn conjugate_corners(&self, corners: &[Cubie; 8]) -> [Cubie; 8] {
        conjugated(corners, &self.corners, 3, self.mirrored)
    }

    /// The image of an edge slot.
    pub(in crate::cube3) fn edge_slot(&self, slot: usize) -> usize {
        self.edges[slot].piece
    }

    /// The image of an axis: 0 is U-D, 1 is R-L, 2 is F-B.
    pub(in crate::cube3) fn axis(&self, axis: usize) -> usize {
        self.faces[axis].index() % 3
    }

    pub(in crate::cube3) fn conjugate_edges(&self, edges: &[Cubie; 12]) -> [Cubie; 12] {
        conjugated(edges, &self.edges, 2, self.mirrored)
    }

    pub(in crate::cube3) fn conjugate(&self, cube: Cube) -> Cube {
        Cube::from_pieces(&self.conjugate_corners(&cube.corners()), &self.conjugate_edges(&cube.edges()))
    }

    /// The images of the faces under `other` followed by `self`.
    fn compose_faces(&self, other: &Symmetry) -> [Face; 6] {
        other.faces.map(|face| self.faces[face.index()])
    }
}

/// A group of symmetries with its multiplication table. Symmetries are given by index; 0 is the identity.
pub(in crate::cube3) struct SymmetryGroup {
    pub(in crate::cube3) symmetries: Vec<Symmetry>,
    /// By symmetry: the conjugates of the face turns.
    turns: Vec<[u8; FACE_TURNS]>,
    /// By two symmetries: their product; see [`SymmetryGroup::product`].
    products: Vec<u8>,
    /// By symmetry: its inverse.
    inverses: Vec<u8>,
}

impl SymmetryGroup {
    /// All 48 symmetries.
    pub(in crate::cube3) fn full() -> SymmetryGroup {
        SymmetryGroup::new(Symmetry::all())
    }

    /// The 16 symmetries that map the U-D axis to itself.
    pub(in crate::cube3) fn fixing_ud_axis() -> SymmetryGroup {
        SymmetryGroup::new(Symmetry::fixing_ud_axis())
    }

    fn new(symmetries: Vec<Symmetry>) -> SymmetryGroup {
        let find = |faces: [Face; 6]| {
            let index = symmetries.iter().position(|symmetry| symmetry.faces == faces);
            index.expect("products stay in the group") as u8
        };
        let products: Vec<u8> = symmetries
            .iter()
            .flat_map(|a| symmetries.iter().map(|b| find(a.compose_faces(b))).collect::<Vec<_>>())
            .collect();
        let inverse_in = |row: &[u8]| row.iter().position(|&product| product == 0);
        let inverses = products
            .chunks(symmetries.len())
            .map(|row| inverse_in(row).expect("every symmetry has an inverse") as u8)
            .collect();
        let turns = symmetries
            .iter()
            .map(|symmetry| std::array::from_fn(|index| symmetry.conjugate_turn(index) as u8))
            .collect();
        SymmetryGroup { symmetries, turns, products, inverses }
    }

    pub(in crate::cube3) fn order(&self) -> usize {
        self.symmetries.len()
    }

    /// The symmetry that applies `b`, then `a`.
    #[inline(always)]
    pub(in crate::cube3) fn product(&self, a: usize, b: usize) -> usize {
        self.products[a * self.inverses.len() + b].into()
    }

    #[inline(always)]
    pub(in crate::cube3) fn inverse(&self, a: usize) -> usize {
        self.inverses[a].into()
    }

    /// The conjugate of a face turn, by index.
    #[inline(always)]
    pub(in crate::cube3) fn conjugate_turn(&self, a: usize, index: usize) -> usize {
        self.turns[a][index].into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::pieces::{compose, corner_move, edge_move};

    fn apply_turn(cube: Cube, index: usize) -> Cube {
        let (face, quarters) = face_turn(index);
        Cube::from_pieces(
            &compose(&cube.corners(), &corner_move(face, quarters), 3),
            &compose(&cube.edges(), &edge_move(face, quarters), 2),
        )
    }

    #[test]
    fn conjugation_commutes_with_face_turns() {
        assert_eq!((Symmetry::all().len(), Symmetry::fixing_ud_axis().len()), (48, 16));
        for symmetry in Symmetry::all() {
            let (mut cube, mut conjugate) = (Cube::SOLVED, Cube::SOLVED);
            assert_eq!(symmetry.conjugate(cube), cube, "the solved cube is symmetric");
            for step in 0..100 {
                let index = step * step * 7 % 55 % FACE_TURNS;
                (cube, conjugate) =
                    (apply_turn(cube, index), apply_turn(conjugate, symmetry.conjugate_turn(index)));
                assert_eq!(symmetry.conjugate(cube), conjugate);
            }
        }
    }

    #[test]
    fn the_multiplication_table_agrees_with_conjugation() {
        let group = SymmetryGroup::fixing_ud_axis();
        let cube = (0..FACE_TURNS).fold(Cube::SOLVED, apply_turn);
        for a in 0..group.order() {
            assert_eq!(group.product(a, group.inverse(a)), 0);
            for b in 0..group.order() {
                let product = group.product(a, b);
                assert_eq!(
                    group.symmetries[product].conjugate(cube),
                    group.symmetries[a].conjugate(group.symmetries[b].conjugate(cube))
                );
                for index in 0..FACE_TURNS {
                    assert_eq!(
                        group.conjugate_turn(product, index),
                        group.conjugate_turn(a, group.conjugate_turn(b, index))
                    );
                }
            }
        }
        for (n, rotation) in Symmetry::axis_rotations().iter().enumerate() {
            assert_eq!(rotation.conjugate_turn(0), 3 * n);
        }
    }
}
