//! Moves, sets of moves, and the automaton that prunes duplicate operator sequences (Taylor & Korf, "Pruning
//! duplicate nodes in depth-first search", AAAI 1993).
//!
//! A move is its index in the puzzle's list of moves. A set of moves is a bit mask whose width the puzzle
//! chooses ([`MoveMask`]): one machine word for the built-in puzzles, four for puzzles with up to
//! [`Move::LIMIT`] moves.
//!
//! ```
//! use untumble_search::moves::{Move, MoveSet};
//!
//! let set: MoveSet = [Move(5), Move(0)].into_iter().collect();
//! assert!(set.contains(Move(5)) && !set.contains(Move(1)));
//! assert_eq!(set.into_iter().collect::<Vec<_>>(), [Move(0), Move(5)]);
//! assert_eq!(MoveSet::first_n(8) - set, (1..8).filter(|&m| m != 5).map(Move).collect());
//! ```

mod automaton;
mod set;

pub use automaton::{AutomatonState, CapacityError, MoveAutomaton};
pub use set::{MoveMask, MoveSet, MoveSet256, Moves};

/// A move: its index in the puzzle's list of moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move(pub u8);

impl Move {
    /// The largest number of moves of a puzzle. The two byte values from here on are markers in tables and
    /// in the Euler tours of beam search.
    pub const LIMIT: usize = 254;

    /// The index as `usize`.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The first `count` moves; `count` is at most 256.
    pub fn first_n(count: usize) -> impl Iterator<Item = Move> {
        (0..count).map(|m| Move(m as u8))
    }
}
