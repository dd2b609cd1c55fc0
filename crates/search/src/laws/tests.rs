//! The laws reject puzzles that violate them.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::*;
use crate::example::Dial;
use crate::moves::{MoveAutomaton, MoveSet};

/// A [`Dial`] of ten states with the given start states of a position.
struct DialWithStarts {
    dial: Dial,
    starts: fn(u32) -> Vec<u32>,
}

impl Puzzle for DialWithStarts {
    type State = u32;
    type Key = u32;
    type Moves = MoveSet;

    fn solved(&self) -> u32 {
        self.dial.solved()
    }

    fn start_states(&self, position: &u32) -> Vec<u32> {
        (self.starts)(*position)
    }

    fn legal(&self, state: &u32) -> MoveSet {
        self.dial.legal(state)
    }

    fn apply(&self, state: &u32, m: Move) -> u32 {
        self.dial.apply(state, m)
    }

    fn inverse(&self, m: Move) -> Option<Move> {
        self.dial.inverse(m)
    }

    fn automaton(&self) -> &MoveAutomaton {
        self.dial.automaton()
    }

    fn pack(&self, state: &u32) -> u32 {
        *state
    }

    fn unpack(&self, key: &u32) -> u32 {
        *key
    }
}

fn check(starts: fn(u32) -> Vec<u32>) {
    puzzle(&DialWithStarts { dial: Dial::new(10), starts }, &mut ChaCha8Rng::seed_from_u64(1));
}

#[test]
fn the_state_itself_is_a_valid_start_state() {
    check(|state| vec![state]);
}

#[test]
#[should_panic(expected = "a state is a start state of its position")]
fn start_states_without_the_state_are_rejected() {
    check(|state| vec![(state + 1) % 10]);
}

#[test]
#[should_panic(expected = "the start states have the same start states")]
fn start_states_that_depend_on_the_representative_are_rejected() {
    check(|state| vec![state, (state + 1) % 10]);
}

#[test]
#[should_panic(expected = "all start states are goals, or none is")]
fn goals_beside_other_start_states_are_rejected() {
    check(|state| vec![state / 2 * 2, state / 2 * 2 + 1]);
}
