//! Ranks of permutations in lexicographic order (Lehmer code), also of some of the things in a row, and subsets.
//!
//! Ranking in linear time (Myrvold & Ruskey, 2001) gives another order; the lexicographic one is what tables on disk
//! and move tables of tiles rely on, and with a bit mask it takes one population count a digit.

/// The number of orders of `count` things, at most 20.
pub fn factorial(count: usize) -> u64 {
    (1..=count as u64).product()
}

/// The rank of a row of different numbers below `count`, among all rows of that length in lexicographic order.
/// There are fewer than 2⁶⁴ such rows.
#[inline]
pub fn rank<T: Copy + Into<usize>>(row: &[T], count: usize) -> u64 {
    let (mut rank, mut used) = (0, 0u64);
    for (place, &number) in row.iter().enumerate() {
        let number: usize = number.into();
        let smaller = if count <= 64 {
            let smaller = (used & ((1 << number) - 1)).count_ones() as usize;
            used |= 1 << number;
            smaller
        } else {
            row[..place].iter().filter(|&&earlier| earlier.into() < number).count()
        };
        rank = rank * (count - place) as u64 + (number - smaller) as u64;
    }
    rank
}

/// The row of `length` different numbers below `count` that has this rank.
pub fn unrank(rank: u64, length: usize, count: usize) -> Vec<usize> {
    let mut rest = rank;
    let mut digits = vec![0; length];
    for (place, digit) in digits.iter_mut().enumerate().rev() {
        let base = (count - place) as u64;
        *digit = (rest % base) as usize;
        rest /= base;
    }
    let mut free: Vec<usize> = (0..count).collect();
    digits.into_iter().map(|digit| free.remove(digit)).collect()
}

/// The subsets of `size` of `count` things, at most 31, as bit masks in increasing order.
pub fn combinations(count: u32, size: u32) -> impl Iterator<Item = u32> {
    (0..1u32 << count).filter(move |set| set.count_ones() == size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Rows in lexicographic order, made one number at a time.
    fn rows(length: usize, count: usize) -> Vec<Vec<usize>> {
        let mut rows = vec![Vec::new()];
        for _ in 0..length {
            let longer = |row: &Vec<usize>| {
                let free = (0..count).filter(|number| !row.contains(number));
                free.map(|number| [&row[..], &[number]].concat()).collect::<Vec<_>>()
            };
            rows = rows.iter().flat_map(longer).collect();
        }
        rows
    }

    #[test]
    fn ranks_number_all_rows_in_lexicographic_order() {
        for count in 0..=6 {
            for length in 0..=count {
                let rows = rows(length, count);
                assert_eq!(rows.len() as u64, factorial(count) / factorial(count - length));
                for (number, row) in rows.iter().enumerate() {
                    assert_eq!(rank(row, count), number as u64, "{row:?} of {count}");
                    assert_eq!(unrank(number as u64, length, count), *row);
                }
            }
        }
    }

    #[test]
    fn combinations_are_all_and_increase() {
        for (count, size, expected) in [(12, 4, 495), (8, 4, 70), (5, 0, 1), (5, 5, 1), (3, 4, 0)] {
            let sets: Vec<u32> = combinations(count, size).collect();
            assert_eq!(sets.len(), expected, "{size} of {count}");
            assert!(sets.is_sorted() && sets.iter().all(|set| set.count_ones() == size));
        }
    }

    proptest! {
        #[test]
        fn long_rows_come_back(number in 0..2_432_902_008_176_640_000u64, part in 0..53_981_544_960u64) {
            prop_assert_eq!(rank(&unrank(number, 20, 20), 20), number);
            // Six tiles of a board with 64 cells.
            prop_assert_eq!(rank(&unrank(part, 6, 64), 64), part);
            // Of larger boards, where the numbers do not fit a mask.
            prop_assert_eq!(rank(&unrank(part, 6, 100), 100), part);
        }
    }
}
