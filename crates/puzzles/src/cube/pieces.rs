//! Corners and edges: which there are, and which of them the stickers of a cube show.

use std::sync::OnceLock;

/// A turn of a [`Placed`] piece says which of the slot's faces shows its first colour: 0 to 2 for corners, 0 or 1 for edges.
pub use untumble_search::perm::{Placed, compose as after, identity as solved, inverse, is_odd as odd};

use super::face::Face::{self, B, D, F, L, R, U};
use super::stickers::{Stickers, Turn, sticker};

/// The corners by the faces they belong on, clockwise, the one on U or D first. A slot is named like the corner at home in it.
pub const CORNERS: [[Face; 3]; 8] =
    [[U, R, F], [U, F, L], [U, L, B], [U, B, R], [D, F, R], [D, L, F], [D, B, L], [D, R, B]];

/// The edges by the faces they belong on, the one on U or D first, else the one on F or B.
pub const EDGES: [[Face; 2]; 12] =
    [[U, R], [U, F], [U, L], [U, B], [D, R], [D, F], [D, L], [D, B], [F, R], [F, L], [B, L], [B, R]];

/// How people call the corners.
pub const CORNER_NAMES: [&str; 8] = ["UFR", "UFL", "UBL", "UBR", "DFR", "DFL", "DBL", "DBR"];
/// How people call the edges.
pub const EDGE_NAMES: [&str; 12] = ["UR", "UF", "UL", "UB", "DR", "DF", "DL", "DB", "FR", "FL", "BL", "BR"];

/// The piece that shows `colours`, clockwise from the slot's first face.
pub fn piece<const N: usize>(all: &[[Face; N]], colours: [Face; N]) -> Option<Placed> {
    (0..all.len()).flat_map(|piece| (0..N).map(move |turn| Placed { piece, turn })).find(|&placed| {
        let shown = shown(all, placed);
        shown == colours
    })
}

/// The colours that a piece in a slot shows, clockwise from the slot's first face.
pub fn shown<const N: usize>(all: &[[Face; N]], Placed { piece, turn }: Placed) -> [Face; N] {
    std::array::from_fn(|at| all[piece][(at + N - turn) % N])
}

/// The numbers of the stickers of each corner slot, clockwise from its first face.
pub fn corner_stickers<const SIDE: usize>() -> [[usize; 3]; 8] {
    static BY_SIDE: [OnceLock<[[usize; 3]; 8]>; 4] = [const { OnceLock::new() }; 4];
    *BY_SIDE[SIDE].get_or_init(|| {
        CORNERS.map(|[a, b, c]| [[a, b, c], [b, c, a], [c, a, b]].map(|faces| sticker::<SIDE>(&faces)))
    })
}

/// The numbers of the stickers of each edge slot of Rubik's cube.
pub fn edge_stickers() -> [[usize; 2]; 12] {
    static ALL: OnceLock<[[usize; 2]; 12]> = OnceLock::new();
    *ALL.get_or_init(|| EDGES.map(|[a, b]| [[a, b], [b, a]].map(|faces| sticker::<3>(&faces))))
}

/// What a turn of a face by 1 to 3 quarters brings into each corner slot: the slot it comes from and the twist it gets.
pub fn turned_corners(face: Face, quarters: u8) -> [Placed; 8] {
    static ALL: OnceLock<Vec<[Placed; 8]>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let slots = corner_stickers::<2>();
        let turned = |turn: usize| {
            let cube = Stickers::<2>::solved().turned(Turn::of(Face::ALL[turn / 3], turn as u8 % 3 + 1));
            slots.map(|stickers| {
                let found = piece(&CORNERS, stickers.map(|at| cube.colours[at]));
                found.expect("turns keep corners whole")
            })
        };
        (0..18).map(turned).collect()
    });
    all[3 * face.index() + usize::from(quarters) - 1]
}

/// The same for edges.
pub fn turned_edges(face: Face, quarters: u8) -> [Placed; 12] {
    static ALL: OnceLock<Vec<[Placed; 12]>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let turned = |turn: usize| {
            let cube = Stickers::<3>::solved().turned(Turn::of(Face::ALL[turn / 3], turn as u8 % 3 + 1));
            edge_stickers().map(|stickers| {
                let found = piece(&EDGES, stickers.map(|at| cube.colours[at]));
                found.expect("turns keep edges whole")
            })
        };
        (0..18).map(turned).collect()
    });
    all[3 * face.index() + usize::from(quarters) - 1]
}

/// The stickers of a cube, without the centres' say: `put` is told each sticker's number and colour.
pub fn each_sticker<const N: usize>(
    all: &[[Face; N]],
    slots: &[[usize; N]],
    pieces: &[Placed],
    mut put: impl FnMut(usize, Face),
) {
    for (stickers, &placed) in slots.iter().zip(pieces) {
        stickers.iter().zip(shown(all, placed)).for_each(|(&at, colour)| put(at, colour));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solved_cube_has_every_piece_at_home() {
        let cube = Stickers::<3>::solved();
        for (slot, stickers) in corner_stickers::<3>().into_iter().enumerate() {
            let found = piece(&CORNERS, stickers.map(|at| cube.colours[at]));
            assert_eq!(found, Some(Placed { piece: slot, turn: 0 }));
        }
        for (slot, stickers) in edge_stickers().into_iter().enumerate() {
            let found = piece(&EDGES, stickers.map(|at| cube.colours[at]));
            assert_eq!(found, Some(Placed { piece: slot, turn: 0 }));
        }
        // The usual numbers of the stickers, counted from 0.
        assert_eq!(corner_stickers::<3>()[0], [8, 9, 20]);
        assert_eq!(corner_stickers::<3>()[6], [33, 53, 42]);
        assert_eq!(edge_stickers()[8], [23, 12]);
        assert_eq!(corner_stickers::<2>()[6], [14, 23, 18]);
    }

    #[test]
    fn names_are_the_faces() {
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
