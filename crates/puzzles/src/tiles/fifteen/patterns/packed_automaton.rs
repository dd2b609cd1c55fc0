//! The move-pruning automaton with 16-bit states: expanding a node takes one 8-byte load.

use std::collections::HashMap;

use untumble_search::moves::{AutomatonState, Move, MoveAutomaton};

/// Marks a transition that the automaton forbids.
pub(super) const PRUNED: u16 = u16::MAX;

/// The next state by each of the four moves, or [`PRUNED`].
pub(super) type Transitions = [u16; 4];

/// The transitions of a [`MoveAutomaton`] by state number; state 0 is the start.
pub(super) struct PackedAutomaton(Vec<Transitions>);

impl PackedAutomaton {
    /// # Panics
    /// If the automaton has 65,535 states or more.
    pub(super) fn new(automaton: &MoveAutomaton) -> PackedAutomaton {
        let mut numbers: HashMap<AutomatonState, u16> = HashMap::from([(AutomatonState::START, 0)]);
        let mut queue = vec![AutomatonState::START];
        let mut table = Vec::new();
        while let Some(&state) = queue.get(table.len()) {
            let mut transitions = [PRUNED; 4];
            for m in automaton.allowed(state) {
                let next = automaton.next(state, m);
                transitions[m.index()] = *numbers.entry(next).or_insert_with(|| {
                    queue.push(next);
                    (queue.len() - 1) as u16
                });
            }
            table.push(transitions);
        }
        assert!(table.len() < usize::from(PRUNED), "too many automaton states for 16 bits");
        PackedAutomaton(table)
    }

    /// The transitions from a state.
    #[inline(always)]
    pub(super) fn transitions(&self, state: u16) -> Transitions {
        self.0[usize::from(state)]
    }

    /// The state after a path. A path that contains a pruned sequence leads to the start state, from which
    /// more moves are tried than necessary.
    pub(super) fn state_after(&self, path: &[Move]) -> u16 {
        let next =
            |state: u16, m: &Move| Some(self.transitions(state)[m.index()]).filter(|&next| next != PRUNED);
        path.iter().try_fold(0, next).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiles::Size;
    use crate::tiles::duplicate_operators;

    /// Compares both automata on all accepted sequences of up to 13 moves.
    #[test]
    fn the_packed_automaton_accepts_the_same_sequences() {
        let size = Size { rows: 4, columns: 4 };
        for automaton in [duplicate_operators::no_undo(), duplicate_operators::without_duplicates(size)] {
            let packed = PackedAutomaton::new(&automaton);
            let mut level = vec![(AutomatonState::START, 0)];
            for length in 0..13 {
                let mut next = Vec::new();
                for (state, number) in level {
                    let transitions = packed.transitions(number);
                    for m in (0..4).map(Move) {
                        let allowed = automaton.allowed(state).contains(m);
                        assert_eq!(transitions[m.index()] != PRUNED, allowed, "after {length} moves, {m:?}");
                        if allowed {
                            next.push((automaton.next(state, m), transitions[m.index()]));
                        }
                    }
                }
                level = next;
            }
        }
    }
}
