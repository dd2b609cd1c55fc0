//! Permutations: composition, parity, order, ranking, random permutations and permutation groups.
//!
//! A permutation of `count` items is given by its images: `image(i)` is below `count`. Pieces with an
//! orientation, such as cubies, are [`OrientedPiece`]s: elements of a wreath product. These functions are
//! for setup and tests; hot loops use tables built with them.
//!
//! For groups of [`Permutation`]s:
//!
//! | question | item |
//! |---|---|
//! | order, membership with the reason, random elements | [`PermutationGroup`] |
//! | pieces, linked orbits, invariants | [`group::Structure`], [`OrientedLayout`] |
//! | an element as a product of generators | [`Words`] |
//! | states with identical pieces: their number, and whether one is reachable | [`colouring_orbit_size`], [`map_colouring`] |
//! | symmetries of a set of moves | [`automorphisms()`] |
//! | which moves commute | [`Commutation`] |
//!
//! ```
//! use untumble_search::perm::{cycle_lengths, is_odd_permutation, order, rank, unrank};
//!
//! let permutation = [1, 2, 0, 4, 3];
//! assert_eq!(cycle_lengths(5, |i| permutation[i]), [3, 2]);
//! assert!(is_odd_permutation(5, |i| permutation[i]));
//! assert_eq!(order(5, |i| permutation[i]), Some(6));
//!
//! let number = rank(&permutation, 5);
//! assert_eq!(unrank(number, 5, 5), permutation);
//! ```

mod abelian;
mod automorphisms;
mod colouring;
mod commutation;
pub mod group;
mod layout;
mod links;
mod local_action;
mod orbits;
mod oriented;
mod permutation;
mod random;
mod rank;
mod structure;
#[cfg(test)]
pub(crate) mod test_groups;
mod words;

pub use automorphisms::{Automorphism, AutomorphismOptions, Automorphisms, automorphisms};
pub use colouring::{ColourMapping, colouring_orbit_size, colouring_stabilizer, map_colouring};
pub use commutation::{Commutation, Product};
pub use group::PermutationGroup;
pub use layout::OrientedLayout;
pub use orbits::{BlockSystem, Orbits, block_systems, minimal_block_systems};
pub use oriented::{OrientedPiece, compose, identity, inverse, is_odd};
pub use permutation::{Permutation, PermutationError};
pub use random::{SplitMix64, below, shuffle};
pub use rank::{combinations, factorial, rank, unrank};
pub use words::{Letter, Words, WordsBudget};

/// The lengths of the cycles of a permutation of `count` items, ordered by the smallest member of each
/// cycle.
pub fn cycle_lengths(count: usize, image: impl Fn(usize) -> usize) -> Vec<usize> {
    let mut seen = vec![false; count];
    let mut lengths = Vec::new();
    for first in 0..count {
        let (mut at, mut length) = (first, 0);
        while !std::mem::replace(&mut seen[at], true) {
            at = image(at);
            length += 1;
        }
        if length > 0 {
            lengths.push(length);
        }
    }
    lengths
}

/// Whether a permutation is odd.
pub fn is_odd_permutation(count: usize, image: impl Fn(usize) -> usize) -> bool {
    // A cycle of length n is a product of n - 1 transpositions.
    (count - cycle_lengths(count, image).len()) % 2 == 1
}

/// The order of a permutation: the least positive power that is the identity. `None` if it exceeds 64 bits.
pub fn order(count: usize, image: impl Fn(usize) -> usize) -> Option<u64> {
    cycle_lengths(count, image).into_iter().try_fold(1, |multiple: u64, length| {
        let length = length as u64;
        multiple.checked_mul(length / greatest_common_divisor(multiple, length))
    })
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every permutation of `count` items, by rank.
    pub(super) fn all(count: usize) -> impl Iterator<Item = Vec<usize>> {
        (0..factorial(count)).map(move |number| unrank(number, count, count))
    }

    fn composed(a: &[usize], b: &[usize]) -> Vec<usize> {
        b.iter().map(|&image| a[image]).collect()
    }

    #[test]
    fn parity_is_the_parity_of_the_inversions() {
        for count in 0..=6 {
            for permutation in all(count) {
                let inversions = (0..count)
                    .flat_map(|a| (a..count).map(move |b| (a, b)))
                    .filter(|&(a, b)| permutation[a] > permutation[b])
                    .count();
                let odd = is_odd_permutation(count, |at| permutation[at]);
                assert_eq!(odd, inversions % 2 == 1, "{permutation:?}");
            }
        }
    }

    #[test]
    fn cycle_lengths_sum_to_the_count_and_give_the_order() {
        for count in 0..=6 {
            let identity: Vec<usize> = (0..count).collect();
            for permutation in all(count) {
                let lengths = cycle_lengths(count, |at| permutation[at]);
                assert_eq!(lengths.iter().sum::<usize>(), count);
                let mut power = permutation.clone();
                let mut times = 1;
                while power != identity {
                    power = composed(&permutation, &power);
                    times += 1;
                }
                assert_eq!(order(count, |at| permutation[at]), Some(times), "{permutation:?}");
            }
        }
        // Cycles of the lengths 2, 3, 5, 7 … 53, whose product exceeds 64 bits.
        let primes = [2usize, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53];
        let mut images = Vec::new();
        for length in primes {
            let first = images.len();
            images.extend((0..length).map(|at| first + (at + 1) % length));
        }
        assert_eq!(cycle_lengths(images.len(), |at| images[at]), primes);
        assert_eq!(order(images.len(), |at| images[at]), None);
    }
}
