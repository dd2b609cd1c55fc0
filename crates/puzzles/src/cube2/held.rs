//! How a pocket cube is held: the corner at DBL is called solved, whichever it is.

use std::sync::OnceLock;

use crate::cube::pieces::{CORNERS, Placed, piece, shown};
use crate::cube::{Face, rotations};

/// The slot of the corner that stays.
pub(super) const SLOT: usize = 6;

/// The same position with its colours called otherwise, so that the corner at DBL is at home.
pub(super) fn renamed(corners: &[Placed; 8]) -> [Placed; 8] {
    static NAMES: OnceLock<Vec<[Placed; 24]>> = OnceLock::new();
    let names = NAMES.get_or_init(|| (0..24).map(|code| new_names(placed(code))).collect());
    let names = &names[code(corners[SLOT])];
    corners.map(|placed| names[code(placed)])
}

fn code(placed: Placed) -> usize {
    placed.piece * 3 + placed.turn
}

fn placed(code: usize) -> Placed {
    Placed { piece: code / 3, turn: code % 3 }
}

/// What every corner is called where the one at DBL is `held`.
fn new_names(held: Placed) -> [Placed; 24] {
    let shows = |placed: Placed, names: &[Face; 6]| shown(&CORNERS, placed).map(|face| names[face.index()]);
    let names = rotations().into_iter().find(|names| shows(held, names) == CORNERS[SLOT]);
    let names = names.expect("any corner can be held any way");
    std::array::from_fn(|code| piece(&CORNERS, shows(placed(code), &names)).expect("rotations keep corners"))
}
