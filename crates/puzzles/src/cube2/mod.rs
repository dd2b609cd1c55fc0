//! The pocket cube: eight corners and nothing else.
//!
//! A cube in the hand has no centres that tell how it is held, so the corner at DBL does: it is called solved where it is, and the others
//! are told by it. Turns of U, R and F leave it alone; that makes 7! · 3⁶ = 3,674,160 positions.

mod coordinates;
pub mod device;
mod frontend;
pub mod full;
mod held;
mod heuristics;
mod manhattan;
mod repair;
mod symmetry;
#[cfg(test)]
mod text_tests;
pub mod tiny;

use untumble_search::moves::{Move, MoveAutomaton, MoveSet};
use untumble_search::puzzle::{Puzzle, Ranked};

use crate::cube::{Face, Metric, Turns};
use coordinates::Coordinates;
pub use coordinates::{ORDERS, TWISTS};
pub use manhattan::Manhattan;

/// The faces that turn.
const FACES: [Face; 3] = [Face::U, Face::R, Face::F];

/// The corners other than the one at DBL: the number of their order, and of how they are twisted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Corners {
    /// Below [`ORDERS`].
    pub order: u16,
    /// Below [`TWISTS`] where it can be solved; beyond that, twisted by one or two thirds of a turn in all.
    pub twist: u16,
}

/// The pocket cube.
pub struct Cube2 {
    turns: Turns,
    inverses: Vec<Move>,
    legal: MoveSet,
    coordinates: Coordinates,
}

impl Cube2 {
    /// The pocket cube, its moves counted this way.
    pub fn new(metric: Metric) -> Cube2 {
        let turns = Turns::new(&FACES, metric);
        Cube2 {
            inverses: turns.inverses(),
            legal: MoveSet::first(turns.count()),
            coordinates: Coordinates::new(&turns),
            turns,
        }
    }

    /// The moves.
    pub fn turns(&self) -> &Turns {
        &self.turns
    }
}

impl Puzzle for Cube2 {
    type State = Corners;
    type Key = Corners;
    type Moves = MoveSet;

    fn solved(&self) -> Corners {
        Corners { order: 0, twist: 0 }
    }

    fn goal_states(&self) -> Option<Vec<Corners>> {
        Some(vec![self.solved()])
    }

    #[inline]
    fn is_goal(&self, corners: &Corners) -> bool {
        *corners == Corners { order: 0, twist: 0 }
    }

    #[inline]
    fn legal(&self, _corners: &Corners) -> MoveSet {
        self.legal
    }

    #[inline]
    fn apply(&self, corners: &Corners, m: Move) -> Corners {
        self.coordinates.after(*corners, m)
    }

    #[inline]
    fn inverse(&self, m: Move) -> Option<Move> {
        Some(self.inverses[m.index()])
    }

    fn automaton(&self) -> &MoveAutomaton {
        self.turns.automaton()
    }

    #[inline]
    fn pack(&self, corners: &Corners) -> Corners {
        *corners
    }

    #[inline]
    fn unpack(&self, key: &Corners) -> Corners {
        *key
    }
}

impl Ranked for Cube2 {
    fn count(&self) -> u64 {
        (ORDERS * TWISTS) as u64
    }

    #[inline]
    fn rank(&self, corners: &Corners) -> u64 {
        rank(*corners) as u64
    }

    #[inline]
    fn unrank(&self, rank: u64) -> Corners {
        Corners { order: (rank / TWISTS as u64) as u16, twist: (rank % TWISTS as u64) as u16 }
    }

    #[inline]
    fn neighbours(&self, rank: u64, mut each: impl FnMut(u64)) {
        let corners = self.unrank(rank);
        for m in 0..self.turns.count() {
            each(self.rank(&self.apply(&corners, Move(m as u8))));
        }
    }
}

/// The number of a position that can be solved.
#[inline]
fn rank(corners: Corners) -> usize {
    usize::from(corners.order) * TWISTS + usize::from(corners.twist)
}
