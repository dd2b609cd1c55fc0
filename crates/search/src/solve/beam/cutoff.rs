//! Which children of a level are kept: the best so many, found by counting scores instead of sorting them.

use crate::moves::Move;
use crate::puzzle::Cost;

/// A child that may be kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) score: Cost,
    pub(super) leaf: u32,
    pub(super) m: Move,
    /// Decides between equal scores.
    pub(super) noise: u8,
}

/// What decides between states of equal score.
#[inline]
pub(super) fn noise(hash: u64, seed: u64) -> u8 {
    ((hash ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8
}

/// So many buckets the scores of a level are counted in at most.
const BUCKETS: Cost = 1 << 12;

/// Which candidates are kept.
#[derive(Debug)]
pub(super) struct Cutoff {
    least: Cost,
    /// All below are kept, and of those equal the first so many.
    key: u64,
    equal: usize,
}

/// The order of candidates.
#[inline]
fn key(candidate: &Candidate) -> u64 {
    u64::from(candidate.score) << 8 | u64::from(candidate.noise)
}

impl Cutoff {
    /// Keeps `width` candidates of all parts, if there are any.
    pub(super) fn new<'a, I>(parts: impl Fn() -> I, width: usize) -> Option<Cutoff>
    where
        I: Iterator<Item = &'a [Candidate]>,
    {
        let all = || parts().flatten();
        let (least, most, count) = all().fold((Cost::MAX, 0, 0), |(least, most, count), candidate| {
            (candidate.score.min(least), candidate.score.max(most), count + 1)
        });
        if count == 0 {
            return None;
        }
        if count <= width {
            return Some(Cutoff { least, key: u64::MAX, equal: 0 });
        }
        let mut shift = 0;
        while (most - least) >> shift >= BUCKETS {
            shift += 1;
        }
        let bucket = |candidate: &Candidate| ((candidate.score - least) >> shift) as usize;
        let mut counts = vec![0usize; ((most - least) >> shift) as usize + 1];
        all().for_each(|candidate| counts[bucket(candidate)] += 1);
        let mut left = width;
        let last = counts.iter().position(|&count| {
            let last = count >= left;
            left -= if last { 0 } else { count };
            last
        });
        // More candidates than the width: one of the buckets goes beyond it.
        let last = last.unwrap_or(counts.len() - 1);
        let mut keys: Vec<u64> = all().filter(|candidate| bucket(candidate) == last).map(key).collect();
        let (below, &mut key, _) = keys.select_nth_unstable(left.saturating_sub(1));
        let equal = left - below.iter().filter(|&&other| other < key).count();
        Some(Cutoff { least, key, equal })
    }

    /// The least score of all.
    pub(super) fn least(&self) -> Cost {
        self.least
    }

    /// Whether a candidate that was not counted could be among the best.
    #[inline]
    pub(super) fn allows(&self, candidate: &Candidate) -> bool {
        key(candidate) < self.key
    }

    /// Tells of each candidate that was counted, in their order, whether it is kept.
    pub(super) fn checkpointer(&self) -> impl FnMut(&Candidate) -> bool + use<> {
        let (limit, mut equal) = (self.key, self.equal);
        move |candidate| {
            let key = key(candidate);
            let kept = key < limit || (key == limit && equal > 0);
            equal -= usize::from(kept && key == limit);
            kept
        }
    }

    /// The candidates kept, leaf by leaf.
    pub(super) fn kept<'a>(
        &self,
        parts: impl Iterator<Item = &'a [Candidate]>,
    ) -> impl Iterator<Item = (usize, Move)> {
        let mut keeps = self.checkpointer();
        parts.flatten().filter(move |candidate| keeps(candidate)).map(|c| (c.leaf as usize, c.m))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// What is kept is what sorting would keep, in the order of leaves.
        #[test]
        fn the_best_are_kept(
            scores in prop::collection::vec((prop_oneof![0u32..20, any::<u32>()], any::<u8>()), 1..300),
            width in 1usize..200,
            cut in 0usize..300,
        ) {
            let all: Vec<Candidate> = scores
                .iter()
                .zip(0..)
                .map(|(&(score, noise), leaf)| Candidate { score, leaf, m: Move(0), noise })
                .collect();
            let parts = all.split_at(cut.min(all.len()));
            let parts = || [parts.0, parts.1].into_iter();
            let cutoff = Cutoff::new(parts, width).expect("there are candidates");
            let kept: Vec<usize> = cutoff.kept(parts()).map(|(leaf, _)| leaf).collect();
            let mut sorted: Vec<(u64, usize)> = all.iter().map(|c| (key(c), c.leaf as usize)).collect();
            sorted.sort_unstable();
            let mut expected: Vec<usize> = sorted.into_iter().take(width).map(|(_, leaf)| leaf).collect();
            expected.sort_unstable();
            prop_assert_eq!(kept, expected);
            prop_assert_eq!(cutoff.least(), all.iter().map(|c| c.score).min().unwrap_or(0));
        }
    }
}
