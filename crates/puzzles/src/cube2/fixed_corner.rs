//! Normalizes the orientation of a pocket cube: whatever corner is at DBL counts as solved.

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

fn code(cubie: Cubie) -> usize {
    cubie.piece * 3 + cubie.turn
}

fn cubie(code: usize) -> Cubie {
    Cubie { piece: code / 3, turn: code % 3 }
}

/// By code: the renamed corners of a cube that has `corner` at DBL.
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
