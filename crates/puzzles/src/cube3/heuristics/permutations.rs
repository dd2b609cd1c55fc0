//! Ranks permutations of bytes in the order of [`perm`].

use untumble_search::perm;

pub(super) fn factorial(count: usize) -> usize {
    perm::factorial(count) as usize
}

/// The rank of a permutation of 0, 1, 2, …
#[inline]
pub(in crate::cube3) fn rank(permutation: &[u8]) -> usize {
    perm::rank(permutation, permutation.len()) as usize
}

/// The permutation of 0 to `count - 1` with the given rank.
pub(in crate::cube3) fn unrank(rank: usize, count: usize) -> Vec<u8> {
    perm::unrank(rank as u64, count, count).into_iter().map(|piece| piece as u8).collect()
}
