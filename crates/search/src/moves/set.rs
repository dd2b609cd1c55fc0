//! Sets of moves as bit masks, of 64 or 256 bits.
//!
//! A [`Move`] is its index in the puzzle's list of moves, and bit `i` of a set stands for move `i`. A puzzle
//! chooses the narrower type that holds its moves; [`MoveMask`] is what both have in common.

use std::fmt::{self, Debug};
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, Sub};

use super::Move;

/// A set of moves as a bit mask. Iteration yields the moves in the order of the puzzle's list.
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
    /// The empty set.
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
    /// Bit `i` tells whether the set contains move `i`, for `i` below 64.
    fn low_bits(self) -> u64;
    /// The same set as [`MoveSet256`], which holds the moves of any puzzle.
    fn to_set256(self) -> MoveSet256;
    /// The moves of `wide` whose index is below [`MoveMask::CAPACITY`].
    fn narrow(wide: MoveSet256) -> Self;
}

/// A set of moves for puzzles with at most 64 moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct MoveSet(u64);

impl MoveSet {
    /// A set holds moves whose index is below this.
    pub const CAPACITY: usize = 64;
    /// The empty set.
    pub const EMPTY: MoveSet = MoveSet(0);

    /// The first `count` moves.
    ///
    /// # Panics
    /// If `count` exceeds [`MoveSet::CAPACITY`]; puzzles check that when they are made.
    pub fn first_n(count: usize) -> MoveSet {
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

/// A set of moves for puzzles with at most 256 moves. A [`Subtree`](crate::bounded_dfs::Subtree) holds its
/// untried moves in this type for every puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct MoveSet256([u64; 4]);

impl MoveSet256 {
    /// A set holds moves whose index is below this.
    pub const CAPACITY: usize = 256;
    /// The empty set.
    pub const EMPTY: MoveSet256 = MoveSet256([0; 4]);

    /// The first `count` moves.
    ///
    /// # Panics
    /// If `count` exceeds [`MoveSet256::CAPACITY`]; puzzles check that when they are made.
    pub fn first_n(count: usize) -> MoveSet256 {
        assert!(count <= Self::CAPACITY, "a puzzle has at most {} moves", Self::CAPACITY);
        Move::first_n(count).collect()
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
        let word_index = self.0.iter().position(|&word| word != 0)?;
        let word = &mut self.0[word_index];
        let m = Move((64 * word_index) as u8 + word.trailing_zeros() as u8);
        *word &= *word - 1;
        Some(m)
    }

    /// Combines the words of two sets pairwise.
    fn zip(self, other: MoveSet256, combine: impl Fn(u64, u64) -> u64) -> MoveSet256 {
        MoveSet256(std::array::from_fn(|index| combine(self.0[index], other.0[index])))
    }
}

impl From<MoveSet> for MoveSet256 {
    fn from(set: MoveSet) -> MoveSet256 {
        MoveSet256([set.0, 0, 0, 0])
    }
}

/// Iterator over the moves of a set, in the order of the puzzle's list.
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
    fn to_set256(self) -> MoveSet256 {
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
    fn to_set256(self) -> MoveSet256 {
        self
    }

    #[inline]
    fn narrow(wide: MoveSet256) -> MoveSet256 {
        wide
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_set_iterates_in_list_order() {
        let set: MoveSet = [Move(63), Move(0), Move(5)].into_iter().collect();
        assert_eq!(set.into_iter().collect::<Vec<_>>(), [Move(0), Move(5), Move(63)]);
        assert_eq!((set.len(), set.without(Move(5)).len()), (3, 2));
        assert_eq!(MoveSet::first_n(64).len(), 64);
        assert!((set - set).is_empty());
    }

    proptest! {
        /// For moves below 64, the wide set also agrees with [`MoveSet`].
        #[test]
        fn a_wide_set_agrees_with_a_sorted_set(
            a in prop::collection::btree_set(any::<u8>(), 0..40),
            b in prop::collection::btree_set(any::<u8>(), 0..40),
        ) {
            let set = |moves: &std::collections::BTreeSet<u8>| {
                moves.iter().copied().map(Move).collect::<MoveSet256>()
            };
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
            prop_assert_eq!(low.to_set256(), a.range(..64).copied().map(Move).collect());
            prop_assert_eq!(MoveSet256::from_words(set(&a).words()), set(&a));
        }
    }
}
