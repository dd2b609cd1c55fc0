//! Numbers that have little to do with each other, the same every time: what hashes are made of.

/// An endless row of them, told apart by the number it begins with (splitmix64).
#[derive(Clone, Debug)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    /// The next one.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// The next so many.
    pub fn numbers(&mut self, count: usize) -> Vec<u64> {
        std::iter::repeat_with(|| self.number()).take(count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers that the published algorithm gives for 0.
    #[test]
    fn numbers_are_those_of_the_algorithm() {
        let known = [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f];
        assert_eq!(SplitMix64(0).numbers(3), known);
    }
}
