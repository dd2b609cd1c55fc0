//! Lexicographic ranking of permutations and partial permutations (Lehmer code), and enumeration of subsets.
//!
//! The linear-time ranking of Myrvold & Ruskey ("Ranking and unranking permutations in linear time", 2001)
//! gives another order. Tables on disk and the move tables of tiles rely on the lexicographic one, which
//! takes one population count per digit with a bit mask (Korf & Schultze, AAAI 2005).

/// `count!`, for `count` at most 20.
pub fn factorial(count: usize) -> u64 {
    (1..=count as u64).product()
}

/// The rank of a sequence of distinct numbers below `count` among all such sequences of the same length, in
/// lexicographic order. Their number must be below 2⁶⁴.
///
/// ```
/// use untumble_search::perm::{rank, unrank};
///
/// // A pattern of two tiles of the 15-puzzle: their positions among 16 cells.
/// assert_eq!(rank(&[0u8, 1], 16), 0);
/// assert_eq!(rank(&[15u8, 14], 16), 16 * 15 - 1);
/// assert_eq!(unrank(16 * 15 - 1, 2, 16), [15, 14]);
/// ```
#[inline]
pub fn rank<T: Copy + Into<usize>>(sequence: &[T], count: usize) -> u64 {
    let (mut rank, mut used) = (0, 0u64);
    for (place, &number) in sequence.iter().enumerate() {
        let number: usize = number.into();
        let smaller = if count <= 64 {
            let smaller = (used & ((1 << number) - 1)).count_ones() as usize;
            used |= 1 << number;
            smaller
        } else {
            sequence[..place].iter().filter(|&&earlier| earlier.into() < number).count()
        };
        rank = rank * (count - place) as u64 + (number - smaller) as u64;
    }
    rank
}

/// The sequence of `length` distinct numbers below `count` with this rank: the inverse of [`rank`].
pub fn unrank(rank: u64, length: usize, count: usize) -> Vec<usize> {
    let mut remaining = rank;
    let mut digits = vec![0; length];
    for (place, digit) in digits.iter_mut().enumerate().rev() {
        let base = (count - place) as u64;
        *digit = (remaining % base) as usize;
        remaining /= base;
    }
    let mut free: Vec<usize> = (0..count).collect();
    digits.into_iter().map(|digit| free.remove(digit)).collect()
}

/// The subsets of size `size` of `count` items, at most 31, as bit masks in increasing order.
pub fn combinations(count: u32, size: u32) -> impl Iterator<Item = u32> {
    (0..1u32 << count).filter(move |set| set.count_ones() == size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All sequences in lexicographic order, extended one number at a time.
    fn sequences(length: usize, count: usize) -> Vec<Vec<usize>> {
        let mut sequences = vec![Vec::new()];
        for _ in 0..length {
            let longer = |sequence: &Vec<usize>| {
                let free = (0..count).filter(|number| !sequence.contains(number));
                free.map(|number| [&sequence[..], &[number]].concat()).collect::<Vec<_>>()
            };
            sequences = sequences.iter().flat_map(longer).collect();
        }
        sequences
    }

    #[test]
    fn ranks_are_lexicographic() {
        for count in 0..=6 {
            for length in 0..=count {
                let sequences = sequences(length, count);
                assert_eq!(sequences.len() as u64, factorial(count) / factorial(count - length));
                for (number, sequence) in sequences.iter().enumerate() {
                    assert_eq!(rank(sequence, count), number as u64, "{sequence:?} of {count}");
                    assert_eq!(unrank(number as u64, length, count), *sequence);
                }
            }
        }
    }

    #[test]
    fn combinations_are_complete_and_increasing() {
        for (count, size, expected) in [(12, 4, 495), (8, 4, 70), (5, 0, 1), (5, 5, 1), (3, 4, 0)] {
            let sets: Vec<u32> = combinations(count, size).collect();
            assert_eq!(sets.len(), expected, "{size} of {count}");
            assert!(sets.is_sorted() && sets.iter().all(|set| set.count_ones() == size));
        }
    }

    proptest! {
        #[test]
        fn unranked_sequences_rank_back(
            number in 0..2_432_902_008_176_640_000u64,
            part in 0..53_981_544_960u64,
        ) {
            prop_assert_eq!(rank(&unrank(number, 20, 20), 20), number);
            // Six tiles of a board with 64 cells.
            prop_assert_eq!(rank(&unrank(part, 6, 64), 64), part);
            // Larger boards, where the numbers do not fit a 64-bit mask.
            prop_assert_eq!(rank(&unrank(part, 6, 100), 100), part);
        }
    }
}
