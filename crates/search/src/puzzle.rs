//! The contract between the engine and a puzzle: its rules, and what an algorithm requires of them.

use std::fmt::Debug;
use std::hash::Hash;

use crate::moves::{Move, MoveAutomaton, MoveMask};

/// The cost of a move or a path. Every move costs at least 1.
pub type Cost = u32;

/// The rules of a permutation puzzle: one set of moves, with their costs and the goal.
///
/// A value of this type is one problem, not a family of them. What each derived fact depends on:
///
/// | fact | depends on |
/// |---|---|
/// | [`Puzzle::legal`], [`Puzzle::apply`], [`Puzzle::inverse`] | the moves |
/// | [`Puzzle::automaton`], bidirectional pathmax | the moves and their costs |
/// | [`Puzzle::is_goal`], [`Puzzle::goal_states`], [`Puzzle::solved`] | the goal |
/// | a heuristic's admissibility, parity steps of its bound | the moves, their costs and the goal |
///
/// A puzzle with other moves, costs or another goal must derive these facts again. Where a move has an inverse,
/// `inverse(m)` is legal after `m` and returns to the state before it. [`crate::laws::puzzle`] checks all of this.
pub trait Puzzle: Send + Sync + 'static {
    /// A machine word or two where speed counts, a boxed slice for states sized at run time.
    type State: Clone + Eq + Debug + Send + Sync;
    /// The state in few bytes, for tables.
    type Key: Clone + Eq + Hash + Debug + Send + Sync;
    /// Sets of moves: [`crate::moves::MoveSet`] for up to 64 moves, [`crate::moves::MoveSet256`] for more.
    type Moves: MoveMask;

    /// One goal state: what scrambles begin with.
    fn solved(&self) -> Self::State;

    /// Every goal state, or `None` where the goal is only a test, such as a partial goal with too many states to
    /// list. By default [`Puzzle::solved`] is the only one.
    fn goal_states(&self) -> Option<Vec<Self::State>> {
        Some(vec![self.solved()])
    }

    /// The states a position may be searched from; several where the position
    /// leaves a rule open, such as which way the first turn goes.
    fn starts(&self, position: &Self::State) -> Vec<Self::State> {
        vec![position.clone()]
    }

    /// Whether `state` is a goal: one of [`Puzzle::goal_states`], where they are listed. Searches call it for every
    /// node; the default builds [`Puzzle::solved`] each time.
    fn is_goal(&self, state: &Self::State) -> bool {
        *state == self.solved()
    }

    /// The moves that the rules allow; by default all of them.
    fn legal(&self, _state: &Self::State) -> Self::Moves {
        Move::first(self.move_count()).collect()
    }

    /// The state after a legal move.
    fn apply(&self, state: &Self::State, m: Move) -> Self::State;

    /// The move that takes `m` back wherever it was legal; `None` where the puzzle has no such move.
    fn inverse(&self, m: Move) -> Option<Move>;

    /// The cost of `m`, at least 1.
    #[inline]
    fn cost(&self, _m: Move) -> Cost {
        1
    }

    /// The automaton of move sequences worth trying; the plainest one only forbids
    /// taking a move back. Canonical sequences of the cube and duplicate operators of
    /// the 24-puzzle go here.
    fn automaton(&self) -> &MoveAutomaton<Self::Moves>;

    /// The number of moves.
    fn move_count(&self) -> usize {
        self.automaton().moves()
    }

    /// The state in few bytes.
    fn pack(&self, state: &Self::State) -> Self::Key;

    /// The state again.
    fn unpack(&self, key: &Self::Key) -> Self::State;

    /// Bytes on the heap behind one key, which `size_of` does not see.
    fn key_heap(&self) -> usize {
        0
    }

    /// The least cost of a move.
    fn cheapest(&self) -> Cost {
        Move::first(self.move_count()).map(|m| self.cost(m)).min().unwrap_or(1)
    }

    /// The cost of a path.
    fn path_cost(&self, path: &[Move]) -> Cost {
        path.iter().map(|&m| self.cost(m)).sum()
    }

    /// The inverse of every move: what [`MoveAutomaton::no_undo`] takes.
    fn inverses(&self) -> Vec<Option<Move>> {
        Move::first(self.move_count()).map(|m| self.inverse(m)).collect()
    }

    /// The undo of the last move, which searches that remember states leave out; empty where there is none.
    #[inline]
    fn undo(&self, last: Option<Move>) -> Self::Moves {
        last.and_then(|m| self.inverse(m)).map_or(Self::Moves::EMPTY, Self::Moves::only)
    }

    /// The state before `m` led to `state`.
    ///
    /// # Panics
    /// If `m` has no inverse: algorithms that call this require inverses ([`Requirements::inverses`]).
    #[inline]
    fn take_back(&self, state: &Self::State, m: Move) -> Self::State {
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
    /// If the goal is only a test.
    fn required_goal_states(&self) -> Vec<Self::State> {
        self.goal_states().expect("an algorithm that requires goal states was given a puzzle without them")
    }

    /// Where `path` leads from `start`, or the index of its first illegal move.
    fn replay(&self, start: &Self::State, path: &[Move]) -> Result<Self::State, usize> {
        let count = self.move_count();
        path.iter().enumerate().try_fold(start.clone(), |state, (at, &m)| {
            let legal = m.index() < count && self.legal(&state).contains(m);
            if legal { Ok(self.apply(&state, m)) } else { Err(at) }
        })
    }
}

/// What an algorithm needs of a puzzle beyond its moves and a goal test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Requirements {
    /// Every move has an inverse: paths are reconstructed by taking moves back, or the search runs backwards.
    pub inverses: bool,
    /// The goal states are listed: the search begins at them.
    pub goal_states: bool,
}

impl Requirements {
    /// Moves and a goal test suffice.
    pub const NONE: Requirements = Requirements { inverses: false, goal_states: false };
    /// Inverses, but no list of goal states.
    pub const INVERSES: Requirements = Requirements { inverses: true, goal_states: false };
    /// Inverses and a list of goal states.
    pub const INVERSES_AND_GOAL_STATES: Requirements = Requirements { inverses: true, goal_states: true };

    /// Refuses a puzzle that does not have what the algorithm needs.
    pub fn check<P: Puzzle>(self, puzzle: &P) -> Result<(), Unsupported> {
        if self.inverses
            && let Some(m) = Move::first(puzzle.move_count()).find(|&m| puzzle.inverse(m).is_none())
        {
            return Err(Unsupported::MoveWithoutInverse(m));
        }
        if self.goal_states && puzzle.goal_states().is_none() {
            return Err(Unsupported::GoalIsOnlyATest);
        }
        Ok(())
    }
}

/// Why an algorithm cannot solve a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unsupported {
    /// The algorithm requires inverses.
    #[error("the algorithm requires inverses, and move {} has none", .0.0)]
    MoveWithoutInverse(Move),
    /// The algorithm requires a list of goal states.
    #[error("the algorithm requires a list of goal states, and the goal of this puzzle is only a test")]
    GoalIsOnlyATest,
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
