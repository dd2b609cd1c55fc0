//! Orders of a few pieces by number, as [`perm`] ranks them, in bytes.

use untumble_search::perm;

/// The number of orders of `count` pieces.
pub(super) fn factorial(count: usize) -> usize {
    perm::factorial(count) as usize
}

/// The number of an order of the pieces 0, 1, 2 …
#[inline]
pub(in crate::cube3) fn number(order: &[u8]) -> usize {
    perm::rank(order, order.len()) as usize
}

/// The order of a number.
pub(in crate::cube3) fn order(number: usize, count: usize) -> Vec<u8> {
    perm::unrank(number as u64, count, count).into_iter().map(|piece| piece as u8).collect()
}
