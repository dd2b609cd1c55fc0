//! Normalizes the orientation of a pocket cube: the corner at DBL counts as solved, whichever it is.

use std::sync::OnceLock;

use crate::cube::pieces::{CORNERS, Cubie, find_piece, visible_colours};
use crate::cube::{Face, rotations};

/// The slot DBL.
pub(super) const SLOT: usize = 6;

/// Renames the colours so that the corner at DBL is at home.
pub(super) fn normalize(corners: &[Cubie; 8]) -> [Cubie; 8] {
    static RELABELLINGS: OnceLock<Vec<[Cubie; 24]>> = OnceLock::new();
    let relabellings = RELABELLINGS.get_or_init(|| (0..24).map(|code| relabelling(cubie(code))).collect());
    let relabelled = &relabellings[code(corners[SLOT])];
    corners.map(|cubie| relabelled[code(cubie)])
}

/// An index of a cubie, below 24.
fn code(cubie: Cubie) -> usize {
    cubie.piece * 3 + cubie.orientation
}

/// The inverse of [`code`].
fn cubie(code: usize) -> Cubie {
    Cubie { piece: code / 3, orientation: code % 3 }
}

/// By code of a cubie: the renamed cubie, for a cube that has `corner` at DBL.
fn relabelling(corner: Cubie) -> [Cubie; 24] {
    let rotated = |cubie: Cubie, rotation: &[Face; 6]| {
        visible_colours(&CORNERS, cubie).map(|face| rotation[face.index()])
    };
    let rotation = rotations().into_iter().find(|rotation| rotated(corner, rotation) == CORNERS[SLOT]);
    let rotation = rotation.expect("a rotation carries any corner to any orientation");
    std::array::from_fn(|code| {
        find_piece(&CORNERS, rotated(cubie(code), &rotation)).expect("a rotated corner is a corner")
    })
}
