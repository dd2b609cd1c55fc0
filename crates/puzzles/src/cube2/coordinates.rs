//! Orders and twists by number, and what moves make of them.
//!
//! A turn changes the order whatever the twists and the twists whatever the order, so two small tables are all the rules.

use untumble_search::moves::Move;
use untumble_search::perm;

use super::Corners;
use super::held::SLOT as HELD;
use crate::cube::Turns;
use crate::cube::pieces::{Placed, after, solved, turned_corners};

/// How many orders seven corners have.
pub const ORDERS: usize = 5040;
/// How many ways there are to twist seven corners that can be solved.
pub const TWISTS: usize = 729;
/// The same where all twists together need not be whole turns.
pub(super) const ANY_TWISTS: usize = 3 * TWISTS;

/// The slots of the corners that turn.
const SLOTS: [usize; 7] = [0, 1, 2, 3, 4, 5, 7];

/// What each move makes of each order and each twist.
pub(super) struct Coordinates {
    moves: usize,
    orders: Vec<u16>,
    twists: Vec<u16>,
}

impl Coordinates {
    pub(super) fn new(turns: &Turns) -> Coordinates {
        let moves = turns.count();
        let (mut orders, mut twists) = (vec![0; ORDERS * moves], vec![0; ANY_TWISTS * moves]);
        for (m, &(face, quarters)) in turns.list().iter().enumerate() {
            let turn = turned_corners(face, quarters);
            for order in 0..ORDERS {
                let corners = placed(Corners { order: order as u16, twist: 0 });
                orders[order * moves + m] = numbered(&after(&corners, &turn, 3)).order;
            }
            for twist in 0..ANY_TWISTS {
                let corners = placed(Corners { order: 0, twist: twist as u16 });
                twists[twist * moves + m] = numbered(&after(&corners, &turn, 3)).twist;
            }
        }
        Coordinates { moves, orders, twists }
    }

    /// The position after a move.
    #[inline]
    pub(super) fn after(&self, corners: Corners, m: Move) -> Corners {
        Corners {
            order: self.orders[usize::from(corners.order) * self.moves + m.index()],
            twist: self.twists[usize::from(corners.twist) * self.moves + m.index()],
        }
    }
}

/// The numbers of a position that is held so that DBL is at home.
pub(super) fn numbered(corners: &[Placed; 8]) -> Corners {
    let seven = SLOTS.map(|slot| corners[slot]);
    // The held corner's number is left out.
    let order = perm::rank(&seven.map(|placed| placed.piece - usize::from(placed.piece > HELD)), 7);
    let mut twist = 0;
    for placed in &seven[..6] {
        twist = 3 * twist + placed.turn;
    }
    let sum: usize = seven.iter().map(|placed| placed.turn).sum();
    Corners { order: order as u16, twist: (sum % 3 * TWISTS + twist) as u16 }
}

/// The corners of a position by slot.
pub(super) fn placed(corners: Corners) -> [Placed; 8] {
    let (sum, mut twist) = (usize::from(corners.twist) / TWISTS, usize::from(corners.twist) % TWISTS);
    let mut placed = solved::<8>();
    for (slot, number) in SLOTS.into_iter().zip(perm::unrank(corners.order.into(), 7, 7)) {
        placed[slot].piece = SLOTS[number];
    }
    let mut all = 0;
    for slot in SLOTS[..6].iter().rev() {
        placed[*slot].turn = twist % 3;
        all += twist % 3;
        twist /= 3;
    }
    placed[SLOTS[6]].turn = (sum + 18 - all) % 3;
    debug_assert_eq!(placed[HELD], Placed { piece: HELD, turn: 0 });
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_for_one_position_each() {
        for order in (0..ORDERS as u16).step_by(7) {
            for twist in (0..ANY_TWISTS as u16).step_by(11) {
                let corners = Corners { order, twist };
                assert_eq!(numbered(&placed(corners)), corners);
            }
        }
        assert_eq!(numbered(&solved()), Corners { order: 0, twist: 0 });
    }
}
