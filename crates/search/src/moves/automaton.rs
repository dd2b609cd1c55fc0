//! The automaton that prunes duplicate operator sequences (Taylor & Korf, AAAI 1993).

use super::{Move, MoveMask, MoveSet};

/// State of a [`MoveAutomaton`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AutomatonState(u16);

impl AutomatonState {
    /// Before the first move.
    pub const START: AutomatonState = AutomatonState(0);

    /// The number of the state, from 0.
    pub fn number(self) -> u16 {
        self.0
    }
}

/// A puzzle exceeds the capacity of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CapacityError {
    /// The puzzle has too many moves.
    #[error("the puzzle has {count} moves; at most {limit} are supported")]
    Moves {
        /// Moves of the puzzle.
        count: usize,
        /// Moves supported.
        limit: usize,
    },
    /// The automaton has too many states.
    #[error("the move automaton has {count} states; at most {limit} are supported")]
    AutomatonStates {
        /// States of the automaton.
        count: usize,
        /// States supported.
        limit: usize,
    },
}

/// A finite automaton that accepts the move sequences without forbidden subsequences: the duplicate operator
/// pruning of Taylor & Korf (AAAI 1993), built as an Aho–Corasick automaton (1975).
///
/// Every state of the puzzle must stay reachable at its least cost by an accepted sequence
/// ([`crate::laws::automaton`]). This depends on the moves and on their costs, not on the goal. Only tree
/// searches use the automaton. A graph search keeps only one of the sequences that reach a state, and the
/// automaton might forbid the needed next move after that one. So a graph search skips only the inverse of
/// the last move.
///
/// ```
/// use untumble_search::moves::{AutomatonState, Move, MoveAutomaton, MoveSet};
///
/// // Two faces that commute, with the moves A, A', B, B'. Forbid undoing a move, and B before A.
/// let [a, a_inverse, b, b_inverse] = [0, 1, 2, 3].map(Move);
/// let mut forbidden = vec![vec![a, a_inverse], vec![a_inverse, a], vec![b, b_inverse], vec![b_inverse, b]];
/// for first in [b, b_inverse] {
///     forbidden.extend([vec![first, a], vec![first, a_inverse]]);
/// }
/// let automaton = MoveAutomaton::<MoveSet>::forbid(4, &forbidden);
/// assert_eq!(automaton.allowed(AutomatonState::START), MoveSet::first_n(4));
/// assert_eq!(automaton.allowed(automaton.after(&[a])), [a, b, b_inverse].into_iter().collect());
/// assert_eq!(automaton.allowed(automaton.after(&[a, b])), MoveSet::only(b));
/// ```
#[derive(Clone, Debug)]
pub struct MoveAutomaton<M = MoveSet> {
    /// The number of moves of the puzzle.
    moves: usize,
    /// The allowed moves of each state.
    allowed: Vec<M>,
    /// The next state, by state and move.
    next: Vec<AutomatonState>,
}

impl<M: MoveMask> MoveAutomaton<M> {
    /// The automaton that accepts every sequence of `moves` moves.
    ///
    /// # Panics
    /// As [`MoveAutomaton::forbid`].
    pub fn unrestricted(moves: usize) -> MoveAutomaton<M> {
        MoveAutomaton::forbid(moves, &[])
    }

    /// The automaton that forbids a move directly followed by its inverse.
    ///
    /// # Panics
    /// As [`MoveAutomaton::forbid`].
    pub fn no_undo<I: Into<Option<Move>> + Copy>(inverses: &[I]) -> MoveAutomaton<M> {
        MoveAutomaton::forbid(inverses.len(), &undo_pairs(inverses))
    }

    /// [`MoveAutomaton::no_undo`] for a puzzle whose number of moves is not known to fit.
    pub fn try_no_undo<I: Into<Option<Move>> + Copy>(
        inverses: &[I],
    ) -> Result<MoveAutomaton<M>, CapacityError> {
        MoveAutomaton::try_forbid(inverses.len(), &undo_pairs(inverses))
    }

    /// The automaton that accepts every sequence without a `forbidden` one as contiguous subsequence.
    ///
    /// # Panics
    /// If there are more moves than `M` holds, or more than 65,536 prefixes of forbidden sequences.
    pub fn forbid(moves: usize, forbidden: &[Vec<Move>]) -> MoveAutomaton<M> {
        match MoveAutomaton::try_forbid(moves, forbidden) {
            Ok(automaton) => automaton,
            Err(error) => panic!("{error}"),
        }
    }

    /// [`MoveAutomaton::forbid`] for a puzzle whose number of moves is not known to fit.
    pub fn try_forbid(moves: usize, forbidden: &[Vec<Move>]) -> Result<MoveAutomaton<M>, CapacityError> {
        let limit = M::CAPACITY.min(Move::LIMIT);
        if moves > limit {
            return Err(CapacityError::Moves { count: moves, limit });
        }
        // The states are the prefixes of forbidden sequences; a sequence leads to its longest suffix among
        // them. A prefix that ends in a forbidden sequence is dead: no transition leads there.
        let mut prefixes = Prefixes::of(moves, forbidden);
        let order = prefixes.link();
        let mut state_of = vec![AutomatonState::START; order.len()];
        let live: Vec<usize> = order.into_iter().filter(|&prefix| !prefixes.dead[prefix]).collect();
        let too_many = CapacityError::AutomatonStates { count: live.len(), limit: 1 << 16 };
        for (number, &prefix) in live.iter().enumerate() {
            state_of[prefix] = AutomatonState(u16::try_from(number).map_err(|_| too_many)?);
        }
        let mut automaton = MoveAutomaton { moves, allowed: Vec::new(), next: Vec::new() };
        for prefix in live {
            let next = &prefixes.next[prefix * moves..][..moves];
            automaton
                .allowed
                .push(Move::first_n(moves).filter(|m| !prefixes.dead[next[m.index()]]).collect());
            automaton.next.extend(next.iter().map(|&prefix| state_of[prefix]));
        }
        Ok(automaton)
    }

    /// The number of moves of the puzzle.
    #[inline]
    pub fn move_count(&self) -> usize {
        self.moves
    }

    /// All states in the order of their numbers.
    pub fn states(&self) -> impl Iterator<Item = AutomatonState> {
        (0..self.allowed.len()).map(|number| AutomatonState(number as u16))
    }

    /// The moves allowed in `state`.
    #[inline]
    pub fn allowed(&self, state: AutomatonState) -> M {
        self.allowed[usize::from(state.0)]
    }

    /// The state that `m` leads to from `state`.
    #[inline]
    pub fn next(&self, state: AutomatonState, m: Move) -> AutomatonState {
        self.next[usize::from(state.0) * self.moves + m.index()]
    }

    /// The state that a whole sequence leads to.
    pub fn after(&self, sequence: &[Move]) -> AutomatonState {
        sequence.iter().fold(AutomatonState::START, |state, &m| self.next(state, m))
    }
}

/// The sequence of each move and its inverse, for the moves that have one.
fn undo_pairs<I: Into<Option<Move>> + Copy>(inverses: &[I]) -> Vec<Vec<Move>> {
    let undo = |(m, &inverse): (usize, &I)| Some(vec![Move(u8::try_from(m).ok()?), inverse.into()?]);
    inverses.iter().enumerate().filter_map(undo).collect()
}

/// The prefixes of sequences, numbered, the empty one first.
struct Prefixes {
    moves: usize,
    /// The next prefix, by prefix and move. Before [`Prefixes::link`], 0 means that there is none.
    next: Vec<usize>,
    /// Whether a prefix is a forbidden sequence or ends in one.
    dead: Vec<bool>,
}

impl Prefixes {
    fn of(moves: usize, sequences: &[Vec<Move>]) -> Prefixes {
        let mut prefixes = Prefixes { moves, next: vec![0; moves], dead: vec![false] };
        for sequence in sequences.iter().filter(|sequence| !sequence.is_empty()) {
            let mut prefix = 0;
            for m in sequence {
                let transition = prefix * moves + m.index();
                if prefixes.next[transition] == 0 {
                    prefixes.next[transition] = prefixes.dead.len();
                    prefixes.dead.push(false);
                    prefixes.next.resize(prefixes.next.len() + moves, 0);
                }
                prefix = prefixes.next[transition];
            }
            prefixes.dead[prefix] = true;
        }
        prefixes
    }

    /// Completes the transitions with Aho–Corasick's failure links: where the extended sequence is not a
    /// prefix, the move leads to its longest suffix that is one. Returns all prefixes, shorter ones first.
    fn link(&mut self) -> Vec<usize> {
        let mut order = vec![0];
        // For each prefix, its longest proper suffix that is a prefix. `order` visits shorter prefixes
        // first, so the transitions of the suffix are complete.
        let mut suffix = vec![0; self.dead.len()];
        let mut visited = 0;
        while let Some(&prefix) = order.get(visited) {
            visited += 1;
            self.dead[prefix] |= self.dead[suffix[prefix]];
            for m in 0..self.moves {
                let fallback = if prefix == 0 { 0 } else { self.next[suffix[prefix] * self.moves + m] };
                match &mut self.next[prefix * self.moves + m] {
                    0 => self.next[prefix * self.moves + m] = fallback,
                    &mut longer => {
                        suffix[longer] = fallback;
                        order.push(longer);
                    }
                }
            }
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::super::MoveSet256;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn too_many_moves_or_states_are_errors() {
        let inverses = |count: usize| vec![None::<Move>; count];
        let narrow = MoveAutomaton::<MoveSet>::try_no_undo(&inverses(65)).err();
        assert_eq!(narrow, Some(CapacityError::Moves { count: 65, limit: 64 }));
        let wide = MoveAutomaton::<MoveSet256>::try_no_undo(&inverses(255)).err();
        assert_eq!(wide, Some(CapacityError::Moves { count: 255, limit: 254 }));
        assert_eq!(
            wide.map(|error| error.to_string()).as_deref(),
            Some("the puzzle has 255 moves; at most 254 are supported")
        );
        let fits = MoveAutomaton::<MoveSet256>::try_no_undo(&inverses(254)).expect("254 moves fit");
        assert_eq!(fits.allowed(AutomatonState::START), MoveSet256::first_n(254));
        let forbidden: Vec<Vec<Move>> = (0..254u8)
            .flat_map(|a| (0..254).map(move |b| vec![Move(a), Move(b), Move(0), Move(0)]))
            .chain((0..254).flat_map(|a| (1..8).map(move |b| vec![Move(a), Move(b), Move(1), Move(0)])))
            .collect();
        let states = MoveAutomaton::<MoveSet256>::try_forbid(254, &forbidden).err();
        assert!(matches!(states, Some(CapacityError::AutomatonStates { limit: 65_536, .. })), "{states:?}");
    }

    #[test]
    fn an_unrestricted_automaton_allows_every_move() {
        let automaton = MoveAutomaton::<MoveSet>::unrestricted(3);
        assert_eq!(automaton.allowed(automaton.after(&[Move(1), Move(1)])), MoveSet::first_n(3));
    }

    proptest! {
        /// The automaton agrees with a search for forbidden subsequences.
        #[test]
        fn forbidden_sequences_are_never_accepted(
            forbidden in prop::collection::vec(prop::collection::vec(0u8..3, 1..4), 0..5),
            sequence in prop::collection::vec(0u8..3, 0..12),
        ) {
            let forbidden: Vec<Vec<Move>> =
                forbidden.into_iter().map(|w| w.into_iter().map(Move).collect()).collect();
            let sequence: Vec<Move> = sequence.into_iter().map(Move).collect();
            let automaton = MoveAutomaton::<MoveSet>::forbid(3, &forbidden);
            let mut state = AutomatonState::START;
            for end in 0..sequence.len() {
                let bad = forbidden.iter().any(|f| sequence[..=end].ends_with(f));
                prop_assert_eq!(automaton.allowed(state).contains(sequence[end]), !bad);
                if bad { break; }
                state = automaton.next(state, sequence[end]);
            }
        }
    }
}
