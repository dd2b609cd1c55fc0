//! Rubik's cube: eight corners, twelve edges, and centres that tell which colour is which face's.

mod choice;
pub mod device;
mod frontend;
pub mod heuristics;
mod optimal;
mod packed;
mod repair;
mod suites;
mod symmetry;
mod symmetry_classes;
#[cfg(test)]
mod text_tests;
mod two_phase;

use untumble_search::moves::{Move, MoveAutomaton, MoveSet};
use untumble_search::puzzle::Puzzle;

use crate::cube::{Face, Metric, Turns};
pub use packed::Cube;
use packed::Packed;
pub use suites::suites;

/// Rubik's cube.
pub struct Cube3 {
    turns: Turns,
    inverses: Vec<Move>,
    legal: MoveSet,
    packed: Vec<Packed>,
}

impl Cube3 {
    /// Rubik's cube, its moves counted this way.
    pub fn new(metric: Metric) -> Cube3 {
        let turns = Turns::new(&Face::ALL, metric);
        Cube3 {
            inverses: turns.inverses(),
            legal: MoveSet::first(turns.count()),
            packed: turns.list().iter().map(|&(face, quarters)| Packed::new(face, quarters)).collect(),
            turns,
        }
    }

    /// The moves.
    pub fn turns(&self) -> &Turns {
        &self.turns
    }
}

impl Puzzle for Cube3 {
    type State = Cube;
    type Key = Cube;
    type Moves = MoveSet;

    fn solved(&self) -> Cube {
        Cube::SOLVED
    }

    fn goal_states(&self) -> Option<Vec<Cube>> {
        Some(vec![Cube::SOLVED])
    }

    #[inline]
    fn is_goal(&self, cube: &Cube) -> bool {
        *cube == Cube::SOLVED
    }

    #[inline]
    fn legal(&self, _cube: &Cube) -> MoveSet {
        self.legal
    }

    #[inline]
    fn apply(&self, cube: &Cube, m: Move) -> Cube {
        self.packed[m.index()].turn(*cube)
    }

    #[inline]
    fn inverse(&self, m: Move) -> Option<Move> {
        Some(self.inverses[m.index()])
    }

    fn automaton(&self) -> &MoveAutomaton {
        self.turns.automaton()
    }

    #[inline]
    fn pack(&self, cube: &Cube) -> Cube {
        *cube
    }

    #[inline]
    fn unpack(&self, key: &Cube) -> Cube {
        *key
    }
}
