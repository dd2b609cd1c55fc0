//! Rubik's cube: eight corners, twelve edges and six fixed centres, which identify the faces.

pub mod device;
mod frontend;
pub mod heuristics;
mod optimal;
mod packed;
mod portfolio;
mod repair;
mod suites;
mod symmetry;
mod symmetry_classes;
#[cfg(test)]
mod text_tests;
mod three_cycles;
mod two_phase;

use untumble_search::moves::{Move, MoveAutomaton, MoveSet};
use untumble_search::puzzle::Puzzle;

use crate::cube::{Face, FaceTurns, Metric};
pub use packed::Cube;
use packed::PackedMove;
pub use suites::suites;

/// Rubik's cube with its moves and move tables.
pub struct Cube3 {
    turns: FaceTurns,
    inverses: Vec<Move>,
    /// All moves; every move is always legal.
    legal: MoveSet,
    packed_moves: Vec<PackedMove>,
}

impl Cube3 {
    /// Rubik's cube with the moves of a metric.
    pub fn new(metric: Metric) -> Cube3 {
        let turns = FaceTurns::new(&Face::ALL, metric);
        Cube3 {
            inverses: turns.inverses(),
            legal: MoveSet::first_n(turns.count()),
            packed_moves: turns
                .all()
                .iter()
                .map(|&(face, quarters)| PackedMove::new(face, quarters))
                .collect(),
            turns,
        }
    }

    /// The moves and their notation.
    pub fn turns(&self) -> &FaceTurns {
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
        self.packed_moves[m.index()].apply(*cube)
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
