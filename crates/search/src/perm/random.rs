//! Random numbers: uniform draws, shuffles (Fisher & Yates 1938; Durstenfeld 1964) and SplitMix64 (Steele,
//! Lea & Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014; test vectors as published by
//! Vigna).
//!
//! The sequence of a seed is part of the interface: a seeded scramble must be the same position in every
//! version.

use rand::Rng;

/// A uniform random number below `count`; 0 if `count` is 0.
pub fn below(rng: &mut dyn Rng, count: usize) -> usize {
    // Rejection sampling keeps the draw uniform for every count.
    let count = count as u64;
    if count == 0 {
        return 0;
    }
    let fair = u64::MAX - u64::MAX % count;
    loop {
        let drawn = rng.next_u64();
        if drawn < fair {
            return (drawn % count) as usize;
        }
    }
}

/// Permutes items uniformly at random (Fisher–Yates, from the end); draws one number for each item but the
/// first.
pub fn shuffle<T>(items: &mut [T], rng: &mut dyn Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(rng, last + 1));
    }
}

/// Deterministic pseudo-random numbers, for hash keys and tests; the field is the seed.
///
/// ```
/// use untumble_search::perm::SplitMix64;
///
/// let mut random = SplitMix64(0);
/// assert_eq!(random.next_u64(), 0xe220_a839_7b1d_cdaf);
/// assert_eq!(random.numbers(2), [0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]);
/// ```
#[derive(Clone, Debug)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// The next `count` numbers.
    pub fn numbers(&mut self, count: usize) -> Vec<u64> {
        std::iter::repeat_with(|| self.next_u64()).take(count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use std::collections::HashMap;

    /// The first numbers of the seed 0, as published.
    #[test]
    fn splitmix64_matches_the_published_sequence() {
        let known = [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f];
        assert_eq!(SplitMix64(0).numbers(3), known);
    }

    /// In 24,000 shuffles of four items each order occurs about 1,000 times. The tolerance of 140 is 4.5
    /// standard deviations.
    #[test]
    fn shuffles_are_uniform() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut counts: HashMap<Vec<u8>, u32> = HashMap::new();
        for _ in 0..24_000 {
            let mut items = vec![0, 1, 2, 3];
            shuffle(&mut items, &mut rng);
            *counts.entry(items).or_default() += 1;
        }
        assert_eq!(counts.len(), 24);
        assert!(counts.values().all(|count| (860..1140).contains(count)), "{counts:?}");
    }

    /// The sequence of a seed must not change.
    #[test]
    fn a_seed_always_gives_the_same_permutation() {
        let mut items: Vec<u8> = (0..8).collect();
        shuffle(&mut items, &mut ChaCha8Rng::seed_from_u64(42));
        let mut plain: Vec<u8> = (0..8).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(42);
        for last in (1..8usize).rev() {
            // None of these draws is rejected, so each is one number modulo the count.
            plain.swap(last, (rand::Rng::next_u64(&mut rng) % (last as u64 + 1)) as usize);
        }
        assert_eq!(items, plain);
        assert_eq!(below(&mut ChaCha8Rng::seed_from_u64(42), 0), 0);
    }
}
