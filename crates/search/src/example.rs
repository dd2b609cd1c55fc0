//! A tiny puzzle for the examples of this documentation. The [crate documentation](crate) defines the same
//! puzzle.

use crate::heuristic::{Admissibility, Heuristic};
use crate::moves::{Move, MoveAutomaton, MoveSet};
use crate::puzzle::{Cost, Puzzle, Ranked};

/// A counter modulo `size` with the goal 0. Move 0 adds 1, move 1 subtracts 1.
pub struct Dial {
    size: u32,
    automaton: MoveAutomaton,
}

impl Dial {
    /// A counter modulo `size`, which is at least 1.
    pub fn new(size: u32) -> Dial {
        Dial { size, automaton: MoveAutomaton::no_undo(&[Move(1), Move(0)]) }
    }
}

impl Puzzle for Dial {
    type State = u32;
    type Key = u32;
    type Moves = MoveSet;

    fn solved(&self) -> u32 {
        0
    }

    fn goal_states(&self) -> Option<Vec<u32>> {
        Some(vec![0])
    }

    fn is_goal(&self, state: &u32) -> bool {
        *state == 0
    }

    fn legal(&self, _state: &u32) -> MoveSet {
        MoveSet::first_n(2)
    }

    fn apply(&self, state: &u32, m: Move) -> u32 {
        let step = if m == Move(0) { 1 } else { self.size - 1 };
        (state + step) % self.size
    }

    fn inverse(&self, m: Move) -> Option<Move> {
        Some(Move(1 - m.0))
    }

    fn automaton(&self) -> &MoveAutomaton {
        &self.automaton
    }

    fn pack(&self, state: &u32) -> u32 {
        *state
    }

    fn unpack(&self, key: &u32) -> u32 {
        *key
    }
}

impl Ranked for Dial {
    fn count(&self) -> u64 {
        self.size.into()
    }

    fn rank(&self, state: &u32) -> u64 {
        (*state).into()
    }

    fn unrank(&self, rank: u64) -> u32 {
        rank as u32
    }
}

/// The exact distance of a [`Dial`] to 0.
#[derive(Clone, Copy, Debug)]
pub struct DialDistance;

impl Heuristic<Dial> for DialDistance {
    type Value = Cost;

    fn admissibility(&self) -> Admissibility {
        Admissibility::Consistent
    }

    fn start(&self, puzzle: &Dial, state: &u32) -> Cost {
        (*state).min(puzzle.size - state)
    }

    fn cost(&self, value: &Cost) -> Cost {
        *value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    #[test]
    fn the_example_satisfies_the_laws() {
        let (puzzle, mut rng) = (Dial::new(10), ChaCha8Rng::seed_from_u64(1));
        laws::puzzle(&puzzle, &mut rng);
        laws::ranked(&puzzle, &mut rng);
        laws::heuristic(&puzzle, &DialDistance, &mut rng);
        laws::admissible(&puzzle, &DialDistance, &laws::exact_costs(&puzzle));
    }
}
