//! Cubies: corners and edges, their stickers, and the face turns as permutations of them.

use std::sync::OnceLock;

/// A corner or edge in a slot. Its orientation is the index of the slot's face that shows the cubie's first
/// colour: 0 to 2 for corners, 0 or 1 for edges.
pub use untumble_search::perm::{OrientedPiece as Cubie, compose, identity, inverse, is_odd};

use super::face::Face::{self, B, D, F, L, R, U};
use super::stickers::{Stickers, Turn, sticker};

/// The corners by the faces of their home slot, clockwise, the face on U or D first. Slots have the same
/// indices.
pub const CORNERS: [[Face; 3]; 8] =
    [[U, R, F], [U, F, L], [U, L, B], [U, B, R], [D, F, R], [D, L, F], [D, B, L], [D, R, B]];

/// The edges by the faces of their home slot: the face on U or D first, otherwise the one on F or B.
pub const EDGES: [[Face; 2]; 12] =
    [[U, R], [U, F], [U, L], [U, B], [D, R], [D, F], [D, L], [D, B], [F, R], [F, L], [B, L], [B, R]];

/// Names of the corners and their slots.
pub const CORNER_NAMES: [&str; 8] = ["UFR", "UFL", "UBL", "UBR", "DFR", "DFL", "DBL", "DBR"];
/// Names of the edges and their slots.
pub const EDGE_NAMES: [&str; 12] = ["UR", "UF", "UL", "UB", "DR", "DF", "DL", "DB", "FR", "FL", "BL", "BR"];

/// The cubie that shows `colours`, clockwise from the slot's first face. `home_faces` is [`CORNERS`] or
/// [`EDGES`].
pub fn find_piece<const N: usize>(home_faces: &[[Face; N]], colours: [Face; N]) -> Option<Cubie> {
    (0..home_faces.len()).flat_map(|piece| (0..N).map(move |orientation| Cubie { piece, orientation })).find(
        |&cubie| {
            let shown = visible_colours(home_faces, cubie);
            shown == colours
        },
    )
}

/// The colours that a cubie shows, clockwise from the slot's first face.
pub fn visible_colours<const N: usize>(
    home_faces: &[[Face; N]],
    Cubie { piece, orientation }: Cubie,
) -> [Face; N] {
    std::array::from_fn(|at| home_faces[piece][(at + N - orientation) % N])
}

/// The sticker indices of each corner slot, clockwise from its first face.
pub fn corner_stickers<const SIDE: usize>() -> [[usize; 3]; 8] {
    static BY_SIDE: [OnceLock<[[usize; 3]; 8]>; 4] = [const { OnceLock::new() }; 4];
    *BY_SIDE[SIDE].get_or_init(|| {
        CORNERS.map(|[a, b, c]| [[a, b, c], [b, c, a], [c, a, b]].map(|faces| sticker::<SIDE>(&faces)))
    })
}

/// The sticker indices of each edge slot of Rubik's cube.
pub fn edge_stickers() -> [[usize; 2]; 12] {
    static ALL: OnceLock<[[usize; 2]; 12]> = OnceLock::new();
    *ALL.get_or_init(|| EDGES.map(|[a, b]| [[a, b], [b, a]].map(|faces| sticker::<3>(&faces))))
}

/// A face turn by 1 to 3 quarters as an element of the corner group: by slot, the slot its corner comes
/// from and the orientation added.
pub fn corner_move(face: Face, quarters: u8) -> [Cubie; 8] {
    static ALL: OnceLock<Vec<[Cubie; 8]>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let slots = corner_stickers::<2>();
        let turned = |turn: usize| {
            let cube = Stickers::<2>::solved().apply(Turn::outer(Face::ALL[turn / 3], turn as u8 % 3 + 1));
            slots.map(|stickers| {
                let found = find_piece(&CORNERS, stickers.map(|at| cube.colours[at]));
                found.expect("turns keep corners whole")
            })
        };
        (0..18).map(turned).collect()
    });
    all[3 * face.index() + usize::from(quarters) - 1]
}

/// A face turn by 1 to 3 quarters as an element of the edge group; see [`corner_move`].
pub fn edge_move(face: Face, quarters: u8) -> [Cubie; 12] {
    static ALL: OnceLock<Vec<[Cubie; 12]>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let turned = |turn: usize| {
            let cube = Stickers::<3>::solved().apply(Turn::outer(Face::ALL[turn / 3], turn as u8 % 3 + 1));
            edge_stickers().map(|stickers| {
                let found = find_piece(&EDGES, stickers.map(|at| cube.colours[at]));
                found.expect("turns keep edges whole")
            })
        };
        (0..18).map(turned).collect()
    });
    all[3 * face.index() + usize::from(quarters) - 1]
}

/// Calls `put` with the index and the colour of every sticker of the pieces, centres excluded.
pub fn for_each_sticker<const N: usize>(
    home_faces: &[[Face; N]],
    slots: &[[usize; N]],
    pieces: &[Cubie],
    mut put: impl FnMut(usize, Face),
) {
    for (stickers, &cubie) in slots.iter().zip(pieces) {
        stickers.iter().zip(visible_colours(home_faces, cubie)).for_each(|(&at, colour)| put(at, colour));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solved_cube_has_every_piece_at_home() {
        let cube = Stickers::<3>::solved();
        for (slot, stickers) in corner_stickers::<3>().into_iter().enumerate() {
            let found = find_piece(&CORNERS, stickers.map(|at| cube.colours[at]));
            assert_eq!(found, Some(Cubie { piece: slot, orientation: 0 }));
        }
        for (slot, stickers) in edge_stickers().into_iter().enumerate() {
            let found = find_piece(&EDGES, stickers.map(|at| cube.colours[at]));
            assert_eq!(found, Some(Cubie { piece: slot, orientation: 0 }));
        }
        // Kociemba's facelet numbers, counted from 0.
        assert_eq!(corner_stickers::<3>()[0], [8, 9, 20]);
        assert_eq!(corner_stickers::<3>()[6], [33, 53, 42]);
        assert_eq!(edge_stickers()[8], [23, 12]);
        assert_eq!(corner_stickers::<2>()[6], [14, 23, 18]);
    }

    #[test]
    fn names_consist_of_face_letters() {
        let sorted = |mut letters: Vec<char>| {
            letters.sort_unstable();
            letters
        };
        for (faces, name) in CORNERS.iter().zip(CORNER_NAMES) {
            let letters = faces.iter().map(|face| face.letter()).collect();
            assert_eq!(sorted(letters), sorted(name.chars().collect()));
        }
        for (faces, name) in EDGES.iter().zip(EDGE_NAMES) {
            let letters = faces.iter().map(|face| face.letter()).collect();
            assert_eq!(sorted(letters), sorted(name.chars().collect()));
        }
    }
}
