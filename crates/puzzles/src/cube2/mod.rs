//! The pocket cube (2×2×2): eight corners.
//!
//! Without centres the orientation of the whole cube is arbitrary, so the corner at DBL is fixed and
//! defines the orientation. Turns of U, R and F do not move this corner: 7! · 3⁶ = 3,674,160 positions.

mod coordinates;
pub mod device;
mod fixed_corner;
mod frontend;
pub mod full;
mod heuristics;
mod manhattan;
mod repair;
mod symmetry;
#[cfg(test)]
mod text_tests;
pub mod tiny;

use untumble_search::moves::{Move, MoveAutomaton, MoveSet};
use untumble_search::puzzle::{Puzzle, Ranked};

use crate::cube::{Face, FaceTurns, Metric};
use coordinates::MoveTables;
pub use coordinates::{PERMUTATIONS, TWISTS};
pub use manhattan::Manhattan;

/// The faces that turn.
const FACES: [Face; 3] = [Face::U, Face::R, Face::F];

/// A position: coordinates of the seven corners other than the fixed one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Corners {
    /// Rank of the permutation, below [`PERMUTATIONS`].
    pub permutation: u16,
    /// Orientations of the first six corners in base 3, plus [`TWISTS`] times the orientation sum modulo 3.
    /// Below [`TWISTS`] on solvable positions.
    pub twist: u16,
}

/// The pocket cube with its moves and move tables.
pub struct Cube2 {
    turns: FaceTurns,
    inverses: Vec<Move>,
    /// All moves; every move is always legal.
    legal: MoveSet,
    move_tables: MoveTables,
}

impl Cube2 {
    /// The pocket cube with the moves of a metric.
    pub fn new(metric: Metric) -> Cube2 {
        let turns = FaceTurns::new(&FACES, metric);
        Cube2 {
            inverses: turns.inverses(),
            legal: MoveSet::first_n(turns.count()),
            move_tables: MoveTables::new(&turns),
            turns,
        }
    }

    /// The moves and their notation.
    pub fn turns(&self) -> &FaceTurns {
        &self.turns
    }
}

impl Puzzle for Cube2 {
    type State = Corners;
    type Key = Corners;
    type Moves = MoveSet;

    fn solved(&self) -> Corners {
        Corners { permutation: 0, twist: 0 }
    }

    fn goal_states(&self) -> Option<Vec<Corners>> {
        Some(vec![self.solved()])
    }

    #[inline]
    fn is_goal(&self, corners: &Corners) -> bool {
        *corners == Corners { permutation: 0, twist: 0 }
    }

    #[inline]
    fn legal(&self, _corners: &Corners) -> MoveSet {
        self.legal
    }

    #[inline]
    fn apply(&self, corners: &Corners, m: Move) -> Corners {
        self.move_tables.after(*corners, m)
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
        (PERMUTATIONS * TWISTS) as u64
    }

    #[inline]
    fn rank(&self, corners: &Corners) -> u64 {
        rank(*corners) as u64
    }

    #[inline]
    fn unrank(&self, rank: u64) -> Corners {
        Corners { permutation: (rank / TWISTS as u64) as u16, twist: (rank % TWISTS as u64) as u16 }
    }

    #[inline]
    fn neighbours(&self, rank: u64, mut visit: impl FnMut(u64)) {
        let corners = self.unrank(rank);
        for m in 0..self.turns.count() {
            visit(self.rank(&self.apply(&corners, Move(m as u8))));
        }
    }
}

/// The rank of a solvable position.
#[inline]
fn rank(corners: Corners) -> usize {
    usize::from(corners.permutation) * TWISTS + usize::from(corners.twist)
}
