//! Moves, sets of moves, and the automaton of move sequences worth trying (Taylor & Korf, AAAI 1993).
//!
//! A move is its index in the puzzle's list. A set of moves is a bit mask of the width the puzzle chooses
//! ([`MoveMask`]): one machine word for the built-in puzzles, four for puzzles with up to [`Move::LIMIT`] moves.

use std::fmt::{self, Debug};
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, Sub};

/// A move: its index in the puzzle's list of moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move(pub u8);

impl Move {
    /// A puzzle has at most this many moves. The two byte values above mark "no move" and the steps of a beam's tour.
    pub const LIMIT: usize = 254;

    /// The number as an index.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The first `count` moves; `count` is at most 256.
    pub fn first(count: usize) -> impl Iterator<Item = Move> {
        (0..count).map(|m| Move(m as u8))
    }
}

/// A set of moves, as wide as the puzzle needs. Iterating yields the moves in the order of the puzzle's list.
pub trait MoveMask:
    Copy
    + Eq
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Sub<Output = Self>
    + FromIterator<Move>
    + IntoIterator<Item = Move>
    + 'static
{
    /// A set holds moves whose index is below this.
    const CAPACITY: usize;
    /// No move.
    const EMPTY: Self;

    /// The set of one move, whose index is below [`MoveMask::CAPACITY`].
    fn only(m: Move) -> Self;
    /// The number of moves in the set.
    fn len(self) -> usize;
    /// Whether the set holds no move.
    fn is_empty(self) -> bool;
    /// Whether the set holds `m`, whose index is below [`MoveMask::CAPACITY`].
    fn contains(self, m: Move) -> bool;
    /// Removes the first move.
    fn pop(&mut self) -> Option<Move>;
    /// The first 64 moves, a bit each, the first one lowest.
    fn low_bits(self) -> u64;
    /// The same set in the type that does not depend on the puzzle.
    fn widen(self) -> MoveSet256;
    /// The moves of `wide` whose index is below [`MoveMask::CAPACITY`].
    fn narrow(wide: MoveSet256) -> Self;
}

/// A set of moves of a puzzle with at most 64.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct MoveSet(u64);

impl MoveSet {
    /// A set holds moves whose index is below this.
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

    /// The number of moves in the set.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set holds no move.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set holds `m`, whose index is below [`MoveSet::CAPACITY`].
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

    /// Removes the first move.
    #[inline]
    pub fn pop(&mut self) -> Option<Move> {
        if self.0 == 0 {
            return None;
        }
        let m = Move(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(m)
    }

    /// Removes the last move.
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

/// A set of moves of a puzzle with up to 256; the type of [`crate::bounded_dfs::Subtree::untried`] for every puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct MoveSet256([u64; 4]);

impl MoveSet256 {
    /// A set holds moves whose index is below this.
    pub const CAPACITY: usize = 256;
    /// No move.
    pub const EMPTY: MoveSet256 = MoveSet256([0; 4]);

    /// The first `count` moves.
    ///
    /// # Panics
    /// If `count` exceeds [`MoveSet256::CAPACITY`]; puzzles check that when they are made.
    pub fn first(count: usize) -> MoveSet256 {
        assert!(count <= Self::CAPACITY, "a puzzle has at most {} moves", Self::CAPACITY);
        Move::first(count).collect()
    }

    /// The set with these bits, 64 moves a word, the first move lowest.
    pub const fn from_words(words: [u64; 4]) -> MoveSet256 {
        MoveSet256(words)
    }

    /// A bit for each move, 64 moves a word, the first move lowest.
    pub const fn words(self) -> [u64; 4] {
        self.0
    }

    /// The set of one move.
    #[inline]
    pub const fn only(m: Move) -> MoveSet256 {
        MoveSet256::EMPTY.with(m)
    }

    /// The number of moves in the set.
    pub fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set holds no move.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == [0; 4]
    }

    /// Whether the set holds `m`.
    #[inline]
    pub const fn contains(self, m: Move) -> bool {
        self.0[m.0 as usize / 64] >> (m.0 % 64) & 1 == 1
    }

    /// The same set with `m`.
    #[inline]
    #[must_use]
    pub const fn with(self, m: Move) -> MoveSet256 {
        let mut words = self.0;
        words[m.0 as usize / 64] |= 1 << (m.0 % 64);
        MoveSet256(words)
    }

    /// The same set without `m`.
    #[inline]
    #[must_use]
    pub const fn without(self, m: Move) -> MoveSet256 {
        let mut words = self.0;
        words[m.0 as usize / 64] &= !(1 << (m.0 % 64));
        MoveSet256(words)
    }

    /// Removes the first move.
    #[inline]
    pub fn pop(&mut self) -> Option<Move> {
        let place = self.0.iter().position(|&word| word != 0)?;
        let word = &mut self.0[place];
        let m = Move((64 * place) as u8 + word.trailing_zeros() as u8);
        *word &= *word - 1;
        Some(m)
    }

    fn zip(self, other: MoveSet256, each: impl Fn(u64, u64) -> u64) -> MoveSet256 {
        MoveSet256(std::array::from_fn(|place| each(self.0[place], other.0[place])))
    }
}

impl From<MoveSet> for MoveSet256 {
    fn from(set: MoveSet) -> MoveSet256 {
        MoveSet256([set.0, 0, 0, 0])
    }
}

/// The moves of a set, first to last.
pub struct Moves<M = MoveSet>(M);

impl<M: MoveMask> Iterator for Moves<M> {
    type Item = Move;
    #[inline]
    fn next(&mut self) -> Option<Move> {
        self.0.pop()
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

impl IntoIterator for MoveSet {
    type Item = Move;
    type IntoIter = Moves<MoveSet>;
    #[inline]
    fn into_iter(self) -> Moves<MoveSet> {
        Moves(self)
    }
}

impl Debug for MoveSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

impl BitAnd for MoveSet256 {
    type Output = MoveSet256;
    #[inline]
    fn bitand(self, other: MoveSet256) -> MoveSet256 {
        self.zip(other, |a, b| a & b)
    }
}

impl BitOr for MoveSet256 {
    type Output = MoveSet256;
    #[inline]
    fn bitor(self, other: MoveSet256) -> MoveSet256 {
        self.zip(other, |a, b| a | b)
    }
}

impl Sub for MoveSet256 {
    type Output = MoveSet256;
    #[inline]
    fn sub(self, other: MoveSet256) -> MoveSet256 {
        self.zip(other, |a, b| a & !b)
    }
}

impl FromIterator<Move> for MoveSet256 {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> MoveSet256 {
        moves.into_iter().fold(MoveSet256::EMPTY, MoveSet256::with)
    }
}

impl IntoIterator for MoveSet256 {
    type Item = Move;
    type IntoIter = Moves<MoveSet256>;
    #[inline]
    fn into_iter(self) -> Moves<MoveSet256> {
        Moves(self)
    }
}

impl Debug for MoveSet256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

impl MoveMask for MoveSet {
    const CAPACITY: usize = MoveSet::CAPACITY;
    const EMPTY: MoveSet = MoveSet::EMPTY;

    #[inline]
    fn only(m: Move) -> MoveSet {
        MoveSet::only(m)
    }

    #[inline]
    fn len(self) -> usize {
        MoveSet::len(self)
    }

    #[inline]
    fn is_empty(self) -> bool {
        MoveSet::is_empty(self)
    }

    #[inline]
    fn contains(self, m: Move) -> bool {
        MoveSet::contains(self, m)
    }

    #[inline]
    fn pop(&mut self) -> Option<Move> {
        MoveSet::pop(self)
    }

    #[inline]
    fn low_bits(self) -> u64 {
        self.0
    }

    #[inline]
    fn widen(self) -> MoveSet256 {
        self.into()
    }

    #[inline]
    fn narrow(wide: MoveSet256) -> MoveSet {
        MoveSet(wide.0[0])
    }
}

impl MoveMask for MoveSet256 {
    const CAPACITY: usize = MoveSet256::CAPACITY;
    const EMPTY: MoveSet256 = MoveSet256::EMPTY;

    #[inline]
    fn only(m: Move) -> MoveSet256 {
        MoveSet256::only(m)
    }

    #[inline]
    fn len(self) -> usize {
        MoveSet256::len(self)
    }

    #[inline]
    fn is_empty(self) -> bool {
        MoveSet256::is_empty(self)
    }

    #[inline]
    fn contains(self, m: Move) -> bool {
        MoveSet256::contains(self, m)
    }

    #[inline]
    fn pop(&mut self) -> Option<Move> {
        MoveSet256::pop(self)
    }

    #[inline]
    fn low_bits(self) -> u64 {
        self.0[0]
    }

    #[inline]
    fn widen(self) -> MoveSet256 {
        self
    }

    #[inline]
    fn narrow(wide: MoveSet256) -> MoveSet256 {
        wide
    }
}

/// State of a [`MoveAutomaton`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AutomatonState(u16);

impl AutomatonState {
    /// Before the first move.
    pub const START: AutomatonState = AutomatonState(0);

    /// Its number, below the number of states.
    pub fn number(self) -> u16 {
        self.0
    }
}

/// A puzzle exceeds what the engine can hold.
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

/// The automaton of move sequences worth trying.
///
/// Dropping a sequence must lose no state at its least cost when the sequences are explored as a tree
/// ([`crate::laws::automaton`]). That depends on the moves and on their costs, not on the goal. It says nothing about
/// graph searches, which drop the second sequence to a state whatever its continuations: they only skip the undo of
/// the last move.
#[derive(Clone, Debug)]
pub struct MoveAutomaton<M = MoveSet> {
    moves: usize,
    allowed: Vec<M>,
    next: Vec<AutomatonState>,
}

impl<M: MoveMask> MoveAutomaton<M> {
    /// Every sequence of `moves` moves.
    ///
    /// # Panics
    /// As [`MoveAutomaton::forbid`].
    pub fn unrestricted(moves: usize) -> MoveAutomaton<M> {
        MoveAutomaton::forbid(moves, &[])
    }

    /// Every sequence that never takes back the move just made; a move without inverse is never taken back.
    ///
    /// # Panics
    /// As [`MoveAutomaton::forbid`].
    pub fn no_undo<I: Into<Option<Move>> + Copy>(inverses: &[I]) -> MoveAutomaton<M> {
        MoveAutomaton::forbid(inverses.len(), &undos(inverses))
    }

    /// [`MoveAutomaton::no_undo`] for a puzzle whose number of moves is not known to fit.
    pub fn try_no_undo<I: Into<Option<Move>> + Copy>(
        inverses: &[I],
    ) -> Result<MoveAutomaton<M>, CapacityError> {
        MoveAutomaton::try_forbid(inverses.len(), &undos(inverses))
    }

    /// Every sequence that contains none of the `forbidden` ones.
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
        // The states are the prefixes of forbidden sequences; a sequence leads to its longest suffix among them. A prefix
        // that ends in a forbidden sequence is dead: nothing leads there.
        let mut prefixes = Prefixes::of(moves, forbidden);
        let order = prefixes.link();
        let mut state = vec![AutomatonState::START; order.len()];
        let live: Vec<usize> = order.into_iter().filter(|&prefix| !prefixes.dead[prefix]).collect();
        let too_many = CapacityError::AutomatonStates { count: live.len(), limit: 1 << 16 };
        for (number, &prefix) in live.iter().enumerate() {
            state[prefix] = AutomatonState(u16::try_from(number).map_err(|_| too_many)?);
        }
        let mut automaton = MoveAutomaton { moves, allowed: Vec::new(), next: Vec::new() };
        for prefix in live {
            let next = &prefixes.next[prefix * moves..][..moves];
            automaton.allowed.push(Move::first(moves).filter(|m| !prefixes.dead[next[m.index()]]).collect());
            automaton.next.extend(next.iter().map(|&prefix| state[prefix]));
        }
        Ok(automaton)
    }

    /// The number of moves of the puzzle.
    #[inline]
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// All states by number.
    pub fn states(&self) -> impl Iterator<Item = AutomatonState> {
        (0..self.allowed.len()).map(|number| AutomatonState(number as u16))
    }

    /// The moves worth trying in `state`.
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

/// Every move followed by its inverse, where it has one.
fn undos<I: Into<Option<Move>> + Copy>(inverses: &[I]) -> Vec<Vec<Move>> {
    let undo = |(m, &inverse): (usize, &I)| Some(vec![Move(u8::try_from(m).ok()?), inverse.into()?]);
    inverses.iter().enumerate().filter_map(undo).collect()
}

/// The prefixes of sequences, numbered, the empty one first.
struct Prefixes {
    moves: usize,
    /// Where a move leads, by prefix and move; 0 stands for nowhere until [`Prefixes::link`] has filled it in.
    next: Vec<usize>,
    /// Which are forbidden sequences or end in one.
    dead: Vec<bool>,
}

impl Prefixes {
    fn of(moves: usize, sequences: &[Vec<Move>]) -> Prefixes {
        let mut prefixes = Prefixes { moves, next: vec![0; moves], dead: vec![false] };
        for sequence in sequences.iter().filter(|sequence| !sequence.is_empty()) {
            let mut prefix = 0;
            for m in sequence {
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
    fn the_number_of_moves_is_checked() {
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
        assert_eq!(fits.allowed(AutomatonState::START), MoveSet256::first(254));
        let forbidden: Vec<Vec<Move>> = (0..254u8)
            .flat_map(|a| (0..254).map(move |b| vec![Move(a), Move(b), Move(0), Move(0)]))
            .chain((0..254).flat_map(|a| (1..8).map(move |b| vec![Move(a), Move(b), Move(1), Move(0)])))
            .collect();
        let states = MoveAutomaton::<MoveSet256>::try_forbid(254, &forbidden).err();
        assert!(matches!(states, Some(CapacityError::AutomatonStates { limit: 65_536, .. })), "{states:?}");
    }

    #[test]
    fn free_words_allow_everything() {
        let words = MoveAutomaton::<MoveSet>::unrestricted(3);
        assert_eq!(words.allowed(words.after(&[Move(1), Move(1)])), MoveSet::first(3));
    }

    proptest! {
        /// A wide set behaves as a sorted set of numbers does, and as a narrow one below 64.
        #[test]
        fn a_wide_set_is_a_set(a in prop::collection::btree_set(any::<u8>(), 0..40), b in prop::collection::btree_set(any::<u8>(), 0..40)) {
            let set = |moves: &std::collections::BTreeSet<u8>| moves.iter().copied().map(Move).collect::<MoveSet256>();
            let list = |set: MoveSet256| set.into_iter().map(|m| m.0).collect::<Vec<_>>();
            prop_assert_eq!(list(set(&a)), a.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(list(set(&a) & set(&b)), a.intersection(&b).copied().collect::<Vec<_>>());
            prop_assert_eq!(list(set(&a) | set(&b)), a.union(&b).copied().collect::<Vec<_>>());
            prop_assert_eq!(list(set(&a) - set(&b)), a.difference(&b).copied().collect::<Vec<_>>());
            prop_assert_eq!(set(&a).len(), a.len());
            for m in 0..=255 {
                prop_assert_eq!(set(&a).contains(Move(m)), a.contains(&m));
                prop_assert!(!set(&a).without(Move(m)).contains(Move(m)));
                prop_assert_eq!(MoveSet256::only(Move(m)), set(&[m].into()));
            }
            let low: MoveSet = a.range(..64).copied().map(Move).collect();
            prop_assert_eq!(<MoveSet as MoveMask>::narrow(set(&a)), low);
            prop_assert_eq!(low.widen(), a.range(..64).copied().map(Move).collect());
            prop_assert_eq!(MoveSet256::from_words(set(&a).words()), set(&a));
        }

        /// The automaton agrees with looking for forbidden factors by eye.
        #[test]
        fn forbidden_words_never_occur(
            forbidden in prop::collection::vec(prop::collection::vec(0u8..3, 1..4), 0..5),
            word in prop::collection::vec(0u8..3, 0..12),
        ) {
            let forbidden: Vec<Vec<Move>> =
                forbidden.into_iter().map(|w| w.into_iter().map(Move).collect()).collect();
            let word: Vec<Move> = word.into_iter().map(Move).collect();
            let words = MoveAutomaton::<MoveSet>::forbid(3, &forbidden);
            let mut trail = AutomatonState::START;
            for end in 0..word.len() {
                let bad = forbidden.iter().any(|f| word[..=end].ends_with(f));
                prop_assert_eq!(words.allowed(trail).contains(word[end]), !bad);
                if bad { break; }
                trail = words.next(trail, word[end]);
            }
        }
    }
}
