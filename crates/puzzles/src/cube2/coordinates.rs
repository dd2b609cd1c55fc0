//! Coordinates of the pocket cube and their move tables.
//!
//! Moves change permutation and twist independently of each other, so two small tables are the complete
//! rules.

use untumble_search::moves::Move;
use untumble_search::perm;

use super::Corners;
use super::fixed_corner::SLOT as FIXED_SLOT;
use crate::cube::FaceTurns;
use crate::cube::pieces::{Cubie, compose, corner_move, identity};

/// Permutations of seven corners.
pub const PERMUTATIONS: usize = 5040;
/// Orientations of seven corners with sum 0.
pub const TWISTS: usize = 729;
/// Orientations of seven corners with any sum.
pub(super) const ANY_TWISTS: usize = 3 * TWISTS;

/// The slots of the corners that move.
const SLOTS: [usize; 7] = [0, 1, 2, 3, 4, 5, 7];

/// Move tables of permutation and twist.
pub(super) struct MoveTables {
    /// Number of moves.
    moves: usize,
    /// By permutation and move: the permutation after the move.
    permutations: Vec<u16>,
    /// By twist and move: the twist after the move.
    twists: Vec<u16>,
}

impl MoveTables {
    pub(super) fn new(turns: &FaceTurns) -> MoveTables {
        let moves = turns.count();
        let (mut permutations, mut twists) = (vec![0; PERMUTATIONS * moves], vec![0; ANY_TWISTS * moves]);
        let turns: Vec<_> = turns.all().iter().map(|&(face, quarters)| corner_move(face, quarters)).collect();
        for permutation in 0..PERMUTATIONS {
            let corners = cubies_of(Corners { permutation: permutation as u16, twist: 0 });
            for (m, turn) in turns.iter().enumerate() {
                permutations[permutation * moves + m] =
                    coordinates_of(&compose(&corners, turn, 3)).permutation;
            }
        }
        for twist in 0..ANY_TWISTS {
            let corners = cubies_of(Corners { permutation: 0, twist: twist as u16 });
            for (m, turn) in turns.iter().enumerate() {
                twists[twist * moves + m] = coordinates_of(&compose(&corners, turn, 3)).twist;
            }
        }
        MoveTables { moves, permutations, twists }
    }

    /// The position after a move.
    #[inline]
    pub(super) fn after(&self, corners: Corners, m: Move) -> Corners {
        Corners {
            permutation: self.permutations[usize::from(corners.permutation) * self.moves + m.index()],
            twist: self.twists[usize::from(corners.twist) * self.moves + m.index()],
        }
    }
}

/// The coordinates of corners whose fixed corner is at home.
pub(super) fn coordinates_of(corners: &[Cubie; 8]) -> Corners {
    let seven = SLOTS.map(|slot| corners[slot]);
    // The corners above the fixed one move down by one index.
    let permutation = perm::rank(&seven.map(|cubie| cubie.piece - usize::from(cubie.piece > FIXED_SLOT)), 7);
    let mut twist = 0;
    for cubie in &seven[..6] {
        twist = 3 * twist + cubie.orientation;
    }
    let sum: usize = seven.iter().map(|cubie| cubie.orientation).sum();
    Corners { permutation: permutation as u16, twist: (sum % 3 * TWISTS + twist) as u16 }
}

/// The cubies of a position by slot.
pub(super) fn cubies_of(corners: Corners) -> [Cubie; 8] {
    let (sum, mut twist) = (usize::from(corners.twist) / TWISTS, usize::from(corners.twist) % TWISTS);
    let mut cubies = identity::<8>();
    for (slot, index) in SLOTS.into_iter().zip(perm::unrank(corners.permutation.into(), 7, 7)) {
        cubies[slot].piece = SLOTS[index];
    }
    let mut known_sum = 0;
    for slot in SLOTS[..6].iter().rev() {
        cubies[*slot].orientation = twist % 3;
        known_sum += twist % 3;
        twist /= 3;
    }
    cubies[SLOTS[6]].orientation = (sum + 18 - known_sum) % 3;
    debug_assert_eq!(cubies[FIXED_SLOT], Cubie { piece: FIXED_SLOT, orientation: 0 });
    cubies
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_and_corners_are_inverse_maps() {
        for permutation in (0..PERMUTATIONS as u16).step_by(7) {
            for twist in (0..ANY_TWISTS as u16).step_by(11) {
                let corners = Corners { permutation, twist };
                assert_eq!(coordinates_of(&cubies_of(corners)), corners);
            }
        }
        assert_eq!(coordinates_of(&identity()), Corners { permutation: 0, twist: 0 });
    }
}
