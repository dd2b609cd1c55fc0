//! The contract between the engine and a puzzle: the rules, and the requirements of an algorithm.
//!
//! The [crate documentation](crate) defines a complete small puzzle.

use std::fmt::Debug;
use std::hash::Hash;

use crate::moves::{Move, MoveAutomaton, MoveMask};

/// The cost of a move or a path. Every move costs at least 1.
pub type Cost = u32;

/// The rules of a permutation puzzle: one set of moves, with their costs and the goal.
///
/// A value of this type is one problem, not a family of problems. The facts derived from it depend on these
/// parts:
///
/// | fact | depends on |
/// |---|---|
/// | [`Puzzle::legal`], [`Puzzle::apply`], [`Puzzle::inverse`] | the moves |
/// | [`Puzzle::automaton`], bidirectional pathmax | the moves and their costs |
/// | [`Puzzle::is_goal`], [`Puzzle::goal_states`], [`Puzzle::solved`] | the goal |
/// | a heuristic's admissibility and the increments of its bound | the moves, their costs and the goal |
///
/// A puzzle with other moves, other costs or another goal must derive these facts again. If a move has an
/// inverse, `inverse(m)` is legal after `m` and leads back to the state before it. [`crate::laws::puzzle`]
/// checks all of this.
pub trait Puzzle: Send + Sync + 'static {
    /// A state: a machine word or two for speed, or a boxed slice for states sized at run time.
    type State: Clone + Eq + Debug + Send + Sync;
    /// A packed state, for hash tables. Equal states have equal keys.
    type Key: Clone + Eq + Hash + Debug + Send + Sync;
    /// Sets of moves: [`crate::moves::MoveSet`] for up to 64 moves, [`crate::moves::MoveSet256`] for more.
    type Moves: MoveMask;

    /// One goal state, from which scrambles start.
    fn solved(&self) -> Self::State;

    /// Every goal state, or `None` if the puzzle has only a goal test, such as for a partial goal with too
    /// many states to list. By default [`Puzzle::solved`] is the only one.
    fn goal_states(&self) -> Option<Vec<Self::State>> {
        Some(vec![self.solved()])
    }

    /// The states from which a position is searched; several if the position leaves a part of the state
    /// open, such as the direction of the first rotation.
    fn start_states(&self, position: &Self::State) -> Vec<Self::State> {
        vec![position.clone()]
    }

    /// Whether `state` is a goal. Searches call it for every node; the default builds [`Puzzle::solved`]
    /// each time.
    fn is_goal(&self, state: &Self::State) -> bool {
        *state == self.solved()
    }

    /// The legal moves of a state; by default all moves.
    fn legal(&self, _state: &Self::State) -> Self::Moves {
        Move::first_n(self.move_count()).collect()
    }

    /// The state after the legal move `m`.
    fn apply(&self, state: &Self::State, m: Move) -> Self::State;

    /// The move that undoes `m`; `None` if the puzzle has no such move.
    fn inverse(&self, m: Move) -> Option<Move>;

    /// The cost of `m`, at least 1.
    #[inline]
    fn cost(&self, _m: Move) -> Cost {
        1
    }

    /// The automaton that prunes duplicate operator sequences in tree searches. The simplest one is
    /// [`MoveAutomaton::no_undo`]; the cube restricts sequences to canonical ones.
    fn automaton(&self) -> &MoveAutomaton<Self::Moves>;

    /// The number of moves.
    fn move_count(&self) -> usize {
        self.automaton().move_count()
    }

    /// Packs a state into its key.
    fn pack(&self, state: &Self::State) -> Self::Key;

    /// Unpacks the state of a key.
    fn unpack(&self, key: &Self::Key) -> Self::State;

    /// The number of heap bytes behind one key, which `size_of` does not count. A key that is one allocation
    /// takes [`heap_bytes`](crate::memory::heap_bytes) of its length.
    fn key_heap_bytes(&self) -> usize {
        0
    }

    /// Moves from `state` to a goal by a method that always ends soon, of any length; `None` if the puzzle
    /// has no such method. A beam search that stagnates completes its solution with it.
    fn constructive_solution(&self, _state: &Self::State) -> Option<Vec<Move>> {
        None
    }

    /// The least cost of a move.
    fn min_move_cost(&self) -> Cost {
        Move::first_n(self.move_count()).map(|m| self.cost(m)).min().unwrap_or(1)
    }

    /// The cost of a path.
    fn path_cost(&self, path: &[Move]) -> Cost {
        path.iter().map(|&m| self.cost(m)).sum()
    }

    /// The inverse of every move, as [`MoveAutomaton::no_undo`] takes them.
    fn inverses(&self) -> Vec<Option<Move>> {
        Move::first_n(self.move_count()).map(|m| self.inverse(m)).collect()
    }

    /// The set of moves that undo the last move, which graph searches skip: its inverse, or empty if it has
    /// none.
    #[inline]
    fn undo_set(&self, last_move: Option<Move>) -> Self::Moves {
        last_move.and_then(|m| self.inverse(m)).map_or(Self::Moves::EMPTY, Self::Moves::only)
    }

    /// The state from which `m` led to `state`.
    ///
    /// # Panics
    /// If `m` has no inverse: algorithms that call this require inverses ([`Requirements::inverses`]).
    #[inline]
    fn undo_move(&self, state: &Self::State, m: Move) -> Self::State {
        self.apply(state, self.required_inverse(m))
    }

    /// [`Puzzle::inverse`] for algorithms that require inverses ([`Requirements::inverses`]).
    ///
    /// # Panics
    /// If `m` has no inverse.
    #[inline]
    fn required_inverse(&self, m: Move) -> Move {
        self.inverse(m).expect("an algorithm that requires inverses was given a puzzle without them")
    }

    /// [`Puzzle::goal_states`] for algorithms that require them ([`Requirements::goal_states`]).
    ///
    /// # Panics
    /// If the puzzle has only a goal test.
    fn required_goal_states(&self) -> Vec<Self::State> {
        self.goal_states().expect("an algorithm that requires goal states was given a puzzle without them")
    }

    /// The state that `path` reaches from `start`, or the index of its first illegal move.
    ///
    /// ```
    /// use untumble_search::{example::Dial, moves::Move, puzzle::Puzzle};
    ///
    /// // A counter modulo 10 with the moves +1 (0) and -1 (1).
    /// let puzzle = Dial::new(10);
    /// assert_eq!(puzzle.replay(&9, &[Move(0), Move(0)]), Ok(1));
    /// assert_eq!(puzzle.replay(&9, &[Move(0), Move(7)]), Err(1));
    /// ```
    fn replay(&self, start: &Self::State, path: &[Move]) -> Result<Self::State, usize> {
        let count = self.move_count();
        path.iter().enumerate().try_fold(start.clone(), |state, (index, &m)| {
            let legal = m.index() < count && self.legal(&state).contains(m);
            if legal { Ok(self.apply(&state, m)) } else { Err(index) }
        })
    }
}

/// The properties of a puzzle, beyond moves and a goal test, that an algorithm requires.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Requirements {
    /// Every move has an inverse: the algorithm undoes moves to reconstruct paths, or searches backwards.
    pub inverses: bool,
    /// The goal states are listed: the algorithm starts at them.
    pub goal_states: bool,
}

impl Requirements {
    /// Only moves and a goal test.
    pub const NONE: Requirements = Requirements { inverses: false, goal_states: false };
    /// Inverses, but no list of goal states.
    pub const INVERSES: Requirements = Requirements { inverses: true, goal_states: false };
    /// Inverses and a list of goal states.
    pub const INVERSES_AND_GOAL_STATES: Requirements = Requirements { inverses: true, goal_states: true };

    /// An error if `puzzle` does not meet the requirements.
    ///
    /// ```
    /// use untumble_search::{example::Dial, puzzle::Requirements};
    ///
    /// assert!(Requirements::INVERSES_AND_GOAL_STATES.check(&Dial::new(10)).is_ok());
    /// ```
    pub fn check<P: Puzzle>(self, puzzle: &P) -> Result<(), Unsupported> {
        if self.inverses
            && let Some(m) = Move::first_n(puzzle.move_count()).find(|&m| puzzle.inverse(m).is_none())
        {
            return Err(Unsupported::MoveWithoutInverse(m));
        }
        if self.goal_states && puzzle.goal_states().is_none() {
            return Err(Unsupported::GoalIsOnlyATest);
        }
        Ok(())
    }
}

/// The requirement of an algorithm that a puzzle does not meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unsupported {
    /// The algorithm requires inverses.
    #[error("the algorithm requires inverses, and move {} has none", .0.0)]
    MoveWithoutInverse(Move),
    /// The algorithm requires a list of goal states.
    #[error("the algorithm requires a list of goal states, and this puzzle has only a goal test")]
    GoalIsOnlyATest,
}

/// An edge of the state graph: a parent and a legal move. The child is computed on demand.
pub struct Edge<'a, P: Puzzle> {
    /// The rules.
    pub puzzle: &'a P,
    /// The state before the move.
    pub parent: &'a P::State,
    /// The move.
    pub m: Move,
}

impl<P: Puzzle> Edge<'_, P> {
    /// The state after the move.
    #[inline]
    pub fn child(&self) -> P::State {
        self.puzzle.apply(self.parent, self.m)
    }
}

/// A puzzle with a perfect hash: its states are numbered from 0 without gaps.
pub trait Ranked: Puzzle {
    /// The number of ranks, that is, of states.
    fn count(&self) -> u64;
    /// The rank of a state, below [`Ranked::count`].
    fn rank(&self, state: &Self::State) -> u64;
    /// The state of a rank.
    fn unrank(&self, rank: u64) -> Self::State;

    /// Calls `visit` with the rank of every neighbour of a state. The default unranks the state; an
    /// implementation with move tables is faster.
    #[inline]
    fn neighbours(&self, rank: u64, mut visit: impl FnMut(u64)) {
        let state = self.unrank(rank);
        for m in self.legal(&state) {
            visit(self.rank(&self.apply(&state, m)));
        }
    }
}
