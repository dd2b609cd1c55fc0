//! The pocket cube seen from three sides: it can be held three ways that leave the corner at DBL where it is.

use untumble_search::moves::Move;

use super::coordinates::{numbered, placed};
use super::held::SLOT as HELD;
use super::{Corners, Cube2, ORDERS, TWISTS};
use crate::cube::pieces::{CORNERS, Placed, piece, shown, solved};
use crate::cube::{Face, rotations};

/// What a third of a turn around the corner at DBL makes of positions and moves.
pub(super) struct Symmetry {
    orders: Vec<u16>,
    /// The twists that the corners of each order get on top.
    added: Vec<u16>,
    /// Where the twists go.
    twists: Vec<u16>,
    moves: Vec<Move>,
}

impl Symmetry {
    pub(super) fn new(cube: &Cube2) -> Symmetry {
        let third = third();
        let image = |order: usize, twist: usize| {
            numbered(&carried(&placed(Corners { order: order as u16, twist: twist as u16 }), &third))
        };
        let list = cube.turns().list();
        let carried_move = |&(face, quarters): &(Face, u8)| {
            let to = (third[face.index()], quarters);
            Move(list.iter().position(|&turn| turn == to).expect("U, R and F change places") as u8)
        };
        Symmetry {
            orders: (0..ORDERS).map(|order| image(order, 0).order).collect(),
            added: (0..ORDERS).map(|order| image(order, 0).twist).collect(),
            twists: (0..TWISTS).map(|twist| image(0, twist).twist).collect(),
            moves: list.iter().map(carried_move).collect(),
        }
    }

    /// A position that can be solved, seen from the next side.
    pub(super) fn seen(&self, corners: Corners) -> Corners {
        let order = usize::from(corners.order);
        let twist = sum(self.twists[usize::from(corners.twist)], self.added[order]);
        Corners { order: self.orders[order], twist }
    }

    /// A move, seen from the next side.
    #[inline]
    pub(super) fn seen_move(&self, m: Move) -> Move {
        self.moves[m.index()]
    }
}

/// Two twists, corner by corner.
fn sum(a: u16, b: u16) -> u16 {
    let (mut a, mut b, mut place, mut sum) = (a, b, 1, 0);
    while a + b > 0 {
        sum += (a % 3 + b % 3) % 3 * place;
        (a, b, place) = (a / 3, b / 3, 3 * place);
    }
    sum
}

/// Where the faces go: D to B, B to L, L to D.
fn third() -> [Face; 6] {
    let [d, b, l] = CORNERS[HELD];
    let goes = |held: &[Face; 6]| [d, b, l].map(|face| held[face.index()]) == [b, l, d];
    rotations().into_iter().find(goes).expect("a cube can be turned around a corner")
}

/// The position on a cube that is turned as a whole and then renamed.
fn carried(corners: &[Placed; 8], to: &[Face; 6]) -> [Placed; 8] {
    let image = |faces: [Face; 3]| piece(&CORNERS, faces.map(|face| to[face.index()])).expect("a corner");
    let mut carried = solved::<8>();
    for (slot, &placed) in corners.iter().enumerate() {
        // The slot's first face may not be the first one where it goes.
        let (slot, piece) = (image(CORNERS[slot]), image(shown(&CORNERS, placed)));
        carried[slot.piece] = Placed { piece: piece.piece, turn: (piece.turn + 3 - slot.turn) % 3 };
    }
    carried
}
