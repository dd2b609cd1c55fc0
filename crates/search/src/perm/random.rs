//! Random numbers: uniform draws and shuffles from a generator, and SplitMix64 (Steele, Lea & Flood, OOPSLA 2014; constants
//! and test vectors as published by Vigna).
//!
//! The numbers a seed gives are part of the interface: `scramble --seed` must print the same positions in every version.

use rand::Rng;

/// A number below `count`, uniform; 0 where `count` is 0.
pub fn below(rng: &mut dyn Rng, count: usize) -> usize {
    // Rejection keeps it uniform whatever the count.
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

/// Brings things into an order drawn uniformly (Fisher & Yates, from the end): one number for each but the first.
pub fn shuffle<T>(things: &mut [T], rng: &mut dyn Rng) {
    for last in (1..things.len()).rev() {
        things.swap(last, below(rng, last + 1));
    }
}

/// Deterministic pseudo-random numbers, for hash keys and tests.
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

    /// The first numbers that the published algorithm gives for 0.
    #[test]
    fn numbers_are_those_of_the_algorithm() {
        let known = [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f];
        assert_eq!(SplitMix64(0).numbers(3), known);
    }

    /// Of 24,000 shuffles of four things each order gets about 1,000: twice 4.5 standard deviations are 280.
    #[test]
    fn every_order_is_as_likely() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut counts: HashMap<Vec<u8>, u32> = HashMap::new();
        for _ in 0..24_000 {
            let mut things = vec![0, 1, 2, 3];
            shuffle(&mut things, &mut rng);
            *counts.entry(things).or_default() += 1;
        }
        assert_eq!(counts.len(), 24);
        assert!(counts.values().all(|count| (860..1140).contains(count)), "{counts:?}");
    }

    /// Positions of a seed are a promise: these must not change.
    #[test]
    fn a_seed_gives_the_same_order_for_ever() {
        let mut things: Vec<u8> = (0..8).collect();
        shuffle(&mut things, &mut ChaCha8Rng::seed_from_u64(42));
        let mut plain: Vec<u8> = (0..8).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(42);
        for last in (1..8usize).rev() {
            // No draw of these is rejected, so each is one number modulo the count.
            plain.swap(last, (rand::Rng::next_u64(&mut rng) % (last as u64 + 1)) as usize);
        }
        assert_eq!(things, plain);
        assert_eq!(below(&mut ChaCha8Rng::seed_from_u64(42), 0), 0);
    }
}
