//! Moves, sets of moves, and the automaton of move words worth trying.
//!
//! A move is nothing but its place in the puzzle's list, so a set of moves is
//! a bit mask and a rule such as "no face twice" is a table walked by number.

use std::fmt;
use std::ops::{BitAnd, BitOr, Sub};

/// A move: its place in the puzzle's list of moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move(pub u8);

impl Move {
    /// The place as an index.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A set of moves. Iterating yields them in the order of the puzzle's list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct MoveSet(u64);

impl MoveSet {
    /// How many moves a puzzle may have.
    pub const CAPACITY: usize = 64;
    /// No move.
    pub const EMPTY: MoveSet = MoveSet(0);

    /// The first `count` moves.
    ///
    /// # Panics
    /// If `count` exceeds [`MoveSet::CAPACITY`]; puzzles check that when they are made.
    pub fn first(count: usize) -> MoveSet {
        assert!(count <= Self::CAPACITY, "a puzzle has at most {} moves", Self::CAPACITY);
        MoveSet(if count == Self::CAPACITY { u64::MAX } else { (1 << count) - 1 })
    }

    /// The set of one move.
    #[inline]
    pub const fn only(m: Move) -> MoveSet {
        MoveSet(1 << m.0)
    }

    /// A bit for each move, the first one lowest.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// How many moves it holds.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether it holds none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it holds `m`.
    #[inline]
    pub const fn contains(self, m: Move) -> bool {
        self.0 >> m.0 & 1 == 1
    }

    /// The same set with `m`.
    #[inline]
    #[must_use]
    pub const fn with(self, m: Move) -> MoveSet {
        MoveSet(self.0 | 1 << m.0)
    }

    /// The same set without `m`.
    #[inline]
    #[must_use]
    pub const fn without(self, m: Move) -> MoveSet {
        MoveSet(self.0 & !(1 << m.0))
    }

    /// Takes the first move out.
    #[inline]
    pub fn pop(&mut self) -> Option<Move> {
        if self.0 == 0 {
            return None;
        }
        let m = Move(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(m)
    }

    /// Takes the last move out.
    #[inline]
    pub fn pop_last(&mut self) -> Option<Move> {
        if self.0 == 0 {
            return None;
        }
        let m = Move(63 - self.0.leading_zeros() as u8);
        self.0 ^= 1 << m.0;
        Some(m)
    }
}

impl BitAnd for MoveSet {
    type Output = MoveSet;
    #[inline]
    fn bitand(self, other: MoveSet) -> MoveSet {
        MoveSet(self.0 & other.0)
    }
}

impl BitOr for MoveSet {
    type Output = MoveSet;
    #[inline]
    fn bitor(self, other: MoveSet) -> MoveSet {
        MoveSet(self.0 | other.0)
    }
}

impl Sub for MoveSet {
    type Output = MoveSet;
    #[inline]
    fn sub(self, other: MoveSet) -> MoveSet {
        MoveSet(self.0 & !other.0)
    }
}

impl FromIterator<Move> for MoveSet {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> MoveSet {
        moves.into_iter().fold(MoveSet::EMPTY, MoveSet::with)
    }
}

/// The moves of a set, first to last.
pub struct Moves(MoveSet);

impl Iterator for Moves {
    type Item = Move;
    #[inline]
    fn next(&mut self) -> Option<Move> {
        self.0.pop()
    }
}

impl IntoIterator for MoveSet {
    type Item = Move;
    type IntoIter = Moves;
    #[inline]
    fn into_iter(self) -> Moves {
        Moves(self)
    }
}

impl fmt::Debug for MoveSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// Where a move word has led the automaton [`MoveAutomaton`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AutomatonState(u16);

impl AutomatonState {
    /// Its number, below that of all trails.
    pub fn number(self) -> u16 {
        self.0
    }
}

/// The automaton of move words worth trying.
///
/// Leaving a word out must lose no state at its least cost when the words are
/// explored as a tree. That promise says nothing about graph searches, which
/// drop the second word to a state whatever its continuations: they only skip
/// the undo of the last move.
#[derive(Clone, Debug)]
pub struct MoveAutomaton {
    moves: usize,
    allowed: Vec<MoveSet>,
    next: Vec<AutomatonState>,
}

impl MoveAutomaton {
    /// Before the first move.
    pub const START: AutomatonState = AutomatonState(0);

    /// Every word of `moves` moves.
    pub fn unrestricted(moves: usize) -> MoveAutomaton {
        MoveAutomaton::forbid(moves, &[])
    }

    /// Every word that never takes back the move just made.
    pub fn no_undo(inverse: &[Move]) -> MoveAutomaton {
        let undos: Vec<Vec<Move>> = (0..).map(Move).zip(inverse).map(|(m, &back)| vec![m, back]).collect();
        MoveAutomaton::forbid(inverse.len(), &undos)
    }

    /// Every word that contains none of the `forbidden` words.
    ///
    /// # Panics
    /// If there are more than 64 moves, or more than 65,536 prefixes of forbidden words.
    pub fn forbid(moves: usize, forbidden: &[Vec<Move>]) -> MoveAutomaton {
        // The prefixes of forbidden words are the trails; a word leads to its longest suffix among them. A prefix that
        // ends in a forbidden word is dead: nothing leads there.
        let all = MoveSet::first(moves);
        let mut prefixes = Prefixes::of(moves, forbidden);
        let order = prefixes.link();
        let mut trail = vec![MoveAutomaton::START; order.len()];
        let live: Vec<usize> = order.into_iter().filter(|&prefix| !prefixes.dead[prefix]).collect();
        for (number, &prefix) in live.iter().enumerate() {
            trail[prefix] = AutomatonState(u16::try_from(number).expect("too many forbidden words"));
        }
        let mut words = MoveAutomaton { moves, allowed: Vec::new(), next: Vec::new() };
        for prefix in live {
            let next = &prefixes.next[prefix * moves..][..moves];
            words.allowed.push(all.into_iter().filter(|m| !prefixes.dead[next[m.index()]]).collect());
            words.next.extend(next.iter().map(|&prefix| trail[prefix]));
        }
        words
    }

    /// How many moves the puzzle has.
    #[inline]
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// All trails by number.
    pub fn trails(&self) -> impl Iterator<Item = AutomatonState> {
        (0..self.allowed.len()).map(|number| AutomatonState(number as u16))
    }

    /// The moves worth trying after `trail`.
    #[inline]
    pub fn allowed(&self, trail: AutomatonState) -> MoveSet {
        self.allowed[usize::from(trail.0)]
    }

    /// Where `m` leads from `trail`.
    #[inline]
    pub fn next(&self, trail: AutomatonState, m: Move) -> AutomatonState {
        self.next[usize::from(trail.0) * self.moves + m.index()]
    }

    /// Where a whole word leads.
    pub fn trail(&self, word: &[Move]) -> AutomatonState {
        word.iter().fold(MoveAutomaton::START, |trail, &m| self.next(trail, m))
    }
}

/// The prefixes of words, numbered, the empty one first.
struct Prefixes {
    moves: usize,
    /// Where a move leads, by prefix and move; 0 stands for nowhere until [`Prefixes::link`] has filled it in.
    next: Vec<usize>,
    /// Which are forbidden words or end in one.
    dead: Vec<bool>,
}

impl Prefixes {
    fn of(moves: usize, words: &[Vec<Move>]) -> Prefixes {
        let mut prefixes = Prefixes { moves, next: vec![0; moves], dead: vec![false] };
        for word in words.iter().filter(|word| !word.is_empty()) {
            let mut prefix = 0;
            for m in word {
                let at = prefix * moves + m.index();
                if prefixes.next[at] == 0 {
                    prefixes.next[at] = prefixes.dead.len();
                    prefixes.dead.push(false);
                    prefixes.next.resize(prefixes.next.len() + moves, 0);
                }
                prefix = prefixes.next[at];
            }
            prefixes.dead[prefix] = true;
        }
        prefixes
    }

    /// Lets every move lead somewhere: to the longest suffix that is a prefix. Gives all prefixes, shorter ones first.
    fn link(&mut self) -> Vec<usize> {
        let mut order = vec![0];
        // The longest proper suffix of each that is a prefix; shorter ones are linked already.
        let mut suffix = vec![0; self.dead.len()];
        let mut at = 0;
        while let Some(&prefix) = order.get(at) {
            at += 1;
            self.dead[prefix] |= self.dead[suffix[prefix]];
            for m in 0..self.moves {
                let elsewhere = if prefix == 0 { 0 } else { self.next[suffix[prefix] * self.moves + m] };
                match &mut self.next[prefix * self.moves + m] {
                    0 => self.next[prefix * self.moves + m] = elsewhere,
                    &mut longer => {
                        suffix[longer] = elsewhere;
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
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_set_iterates_in_list_order_and_counts() {
        let set: MoveSet = [Move(63), Move(0), Move(5)].into_iter().collect();
        assert_eq!(set.into_iter().collect::<Vec<_>>(), [Move(0), Move(5), Move(63)]);
        assert_eq!((set.len(), set.without(Move(5)).len()), (3, 2));
        assert_eq!(MoveSet::first(64).len(), 64);
        assert!((set - set).is_empty());
    }

    #[test]
    fn free_words_allow_everything() {
        let words = MoveAutomaton::unrestricted(3);
        assert_eq!(words.allowed(words.trail(&[Move(1), Move(1)])), MoveSet::first(3));
    }

    proptest! {
        /// The automaton agrees with looking for forbidden factors by eye.
        #[test]
        fn forbidden_words_never_occur(
            forbidden in prop::collection::vec(prop::collection::vec(0u8..3, 1..4), 0..5),
            word in prop::collection::vec(0u8..3, 0..12),
        ) {
            let forbidden: Vec<Vec<Move>> =
                forbidden.into_iter().map(|w| w.into_iter().map(Move).collect()).collect();
            let word: Vec<Move> = word.into_iter().map(Move).collect();
            let words = MoveAutomaton::forbid(3, &forbidden);
            let mut trail = MoveAutomaton::START;
            for end in 0..word.len() {
                let bad = forbidden.iter().any(|f| word[..=end].ends_with(f));
                prop_assert_eq!(words.allowed(trail).contains(word[end]), !bad);
                if bad { break; }
                trail = words.next(trail, word[end]);
            }
        }
    }
}
