//! What the engine asks of a puzzle: its rules, and nothing else.

use std::fmt::Debug;
use std::hash::Hash;

use crate::moves::{Move, MoveAutomaton, MoveSet};

/// What a move or a path costs. Every move costs at least 1.
pub type Cost = u32;

/// The rules of a permutation puzzle.
///
/// Moves can be taken back: `inverse(m)` is legal after `m` and returns to the
/// state before it. Searches rely on that (see [`crate::laws::puzzle`]).
pub trait Puzzle: Send + Sync + 'static {
    /// A machine word or two where speed counts, a boxed slice for big boards.
    type State: Clone + Eq + Debug + Send + Sync;
    /// The same in few bytes, for tables.
    type Key: Clone + Eq + Hash + Debug + Send + Sync;

    /// The solved states; several where the rules carry more than the board.
    fn goals(&self) -> Vec<Self::State>;

    /// The states a position may be searched from; several where the position
    /// leaves a rule open, such as which way the first turn goes.
    fn starts(&self, position: &Self::State) -> Vec<Self::State> {
        vec![position.clone()]
    }

    /// Whether `state` is one of [`Puzzle::goals`].
    fn is_goal(&self, state: &Self::State) -> bool;

    /// The moves that the rules allow.
    fn legal(&self, state: &Self::State) -> MoveSet;

    /// The state after a legal move.
    fn apply(&self, state: &Self::State, m: Move) -> Self::State;

    /// The move that takes `m` back.
    fn inverse(&self, m: Move) -> Move;

    /// What `m` costs.
    #[inline]
    fn cost(&self, _m: Move) -> Cost {
        1
    }

    /// The automaton of move words worth trying; the plainest one only forbids
    /// taking a move back. Canonical half-turn sequences, duplicate words of
    /// the 24-puzzle go here.
    fn automaton(&self) -> &MoveAutomaton;

    /// The state in few bytes.
    fn pack(&self, state: &Self::State) -> Self::Key;

    /// The state again.
    fn unpack(&self, key: &Self::Key) -> Self::State;

    /// Bytes on the heap behind one key, which `size_of` does not see.
    fn key_heap(&self) -> usize {
        0
    }

    /// The least that a move costs.
    fn cheapest(&self) -> Cost {
        (0..self.automaton().moves()).map(|m| self.cost(Move(m as u8))).min().unwrap_or(1)
    }

    /// The cost of a path.
    fn path_cost(&self, path: &[Move]) -> Cost {
        path.iter().map(|&m| self.cost(m)).sum()
    }

    /// The moves of every inverse, by place: what [`MoveAutomaton::no_undo`] takes.
    fn inverses(&self) -> Vec<Move> {
        (0..self.automaton().moves()).map(|m| self.inverse(Move(m as u8))).collect()
    }

    /// The undo of the last move, which searches that remember states leave out.
    #[inline]
    fn undo(&self, last: Option<Move>) -> MoveSet {
        last.map_or(MoveSet::EMPTY, |m| MoveSet::only(self.inverse(m)))
    }

    /// Where `path` leads from `start`, or the place of its first illegal move.
    fn replay(&self, start: &Self::State, path: &[Move]) -> Result<Self::State, usize> {
        path.iter().enumerate().try_fold(start.clone(), |state, (at, &m)| {
            if self.legal(&state).contains(m) { Ok(self.apply(&state, m)) } else { Err(at) }
        })
    }
}

/// A move not yet made: the child on demand.
pub struct Edge<'a, P: Puzzle> {
    /// The rules.
    pub puzzle: &'a P,
    /// The state the move starts from.
    pub parent: &'a P::State,
    /// The move.
    pub m: Move,
}

impl<P: Puzzle> Edge<'_, P> {
    /// The state the move leads to.
    #[inline]
    pub fn child(&self) -> P::State {
        self.puzzle.apply(self.parent, self.m)
    }
}

/// A puzzle whose states can be numbered without gaps.
pub trait Ranked: Puzzle {
    /// How many states there are.
    fn count(&self) -> u64;
    /// The number of a state.
    fn rank(&self, state: &Self::State) -> u64;
    /// The state of a number.
    fn unrank(&self, rank: u64) -> Self::State;

    /// The numbers of the states one move away; move tables make it faster.
    #[inline]
    fn neighbours(&self, rank: u64, mut each: impl FnMut(u64)) {
        let state = self.unrank(rank);
        for m in self.legal(&state) {
            each(self.rank(&self.apply(&state, m)));
        }
    }
}
