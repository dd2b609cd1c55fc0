//! The distribution of the values in a table, which measures how good a heuristic it is.

use std::borrow::Cow;

/// The number of entries of a table with each value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueDistribution {
    /// What is counted, in the plural: `positions`, `placements`.
    pub counted: Cow<'static, str>,
    /// What a value means, such as `moves to solve the corners`.
    pub value: Cow<'static, str>,
    /// Element `v` is the number with the value `v`; the last element is not 0.
    pub counts: Vec<u64>,
    /// Whether `counts` is a sample; otherwise every entry is counted.
    pub sampled: bool,
}

impl ValueDistribution {
    /// A distribution of all entries; removes zeros at the end of `counts`.
    pub fn new(
        counted: impl Into<Cow<'static, str>>,
        value: impl Into<Cow<'static, str>>,
        mut counts: Vec<u64>,
    ) -> ValueDistribution {
        counts.truncate(counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1));
        ValueDistribution { counted: counted.into(), value: value.into(), counts, sampled: false }
    }

    /// The mean value; `None` if nothing is counted.
    pub fn mean(&self) -> Option<f64> {
        let total: u64 = self.counts.iter().sum();
        let sum: u64 = (0..).zip(&self.counts).map(|(value, count)| value * count).sum();
        (total > 0).then(|| sum as f64 / total as f64)
    }
}

/// The number of four-bit entries with each value, the lower four bits of a byte first; `length` entries are
/// in use.
pub fn count_nibbles(bytes: &[u8], length: u64) -> Vec<u64> {
    let mut by_byte = [0u64; 256];
    let whole = (length / 2) as usize;
    bytes[..whole].iter().for_each(|&byte| by_byte[usize::from(byte)] += 1);
    let mut counts = vec![0; 16];
    for (byte, count) in by_byte.into_iter().enumerate() {
        counts[byte & 15] += count;
        counts[byte >> 4] += count;
    }
    if length % 2 == 1 {
        counts[usize::from(bytes[whole] & 15)] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nibbles_are_counted_up_to_the_length() {
        let bytes = [0x21, 0x10, 0xf3];
        assert_eq!(count_nibbles(&bytes, 4)[..4], [1, 2, 1, 0]);
        assert_eq!(count_nibbles(&bytes, 5)[..4], [1, 2, 1, 1]);
        assert_eq!(count_nibbles(&bytes, 6)[15], 1);
    }

    #[test]
    fn the_mean_weighs_values_by_their_counts() {
        let distribution = ValueDistribution::new("positions", "moves", vec![1, 0, 3, 0, 0]);
        assert_eq!((distribution.mean(), &*distribution.counts), (Some(1.5), &[1, 0, 3][..]));
        assert_eq!(ValueDistribution::new("positions", "moves", vec![0; 4]).mean(), None);
    }
}
