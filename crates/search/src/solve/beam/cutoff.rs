//! The cutoff of a beam level: the best `width` candidates, found with a histogram of scores in linear time
//! instead of sorting.

use crate::moves::Move;
use crate::puzzle::Cost;

/// A child of the current level that may be kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) score: Cost,
    /// The index of the parent in the level.
    pub(super) leaf: u32,
    pub(super) m: Move,
    /// Breaks ties between equal scores.
    pub(super) noise: u8,
}

/// A pseudo-random byte of a state, which breaks ties between equal scores.
#[inline]
pub(super) fn noise(hash: u64, seed: u64) -> u8 {
    ((hash ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8
}

/// The largest number of buckets of the histogram.
const BUCKETS: Cost = 1 << 12;

/// Selects the best candidates of a level.
#[derive(Debug)]
pub(super) struct Cutoff {
    /// The best (least) score of all candidates.
    best_score: Cost,
    /// All candidates with a smaller key are kept.
    key: u64,
    /// The number of candidates with exactly the key `key` that are kept; the first ones are.
    kept_ties: usize,
}

/// The sort key of a candidate: score, then noise.
#[inline]
fn key(candidate: &Candidate) -> u64 {
    u64::from(candidate.score) << 8 | u64::from(candidate.noise)
}

impl Cutoff {
    /// The cutoff that keeps `width` candidates of all parts; `None` if there are no candidates.
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
            return Some(Cutoff { best_score: least, key: u64::MAX, kept_ties: 0 });
        }
        let mut shift = 0;
        while (most - least) >> shift >= BUCKETS {
            shift += 1;
        }
        let bucket = |candidate: &Candidate| ((candidate.score - least) >> shift) as usize;
        let mut counts = vec![0usize; ((most - least) >> shift) as usize + 1];
        all().for_each(|candidate| counts[bucket(candidate)] += 1);
        let mut remaining = width;
        let cutoff_bucket = counts.iter().position(|&count| {
            let crosses = count >= remaining;
            remaining -= if crosses { 0 } else { count };
            crosses
        });
        // There are more candidates than `width`, so the count crosses `width` in one of the buckets.
        let cutoff_bucket = cutoff_bucket.unwrap_or(counts.len() - 1);
        let mut keys: Vec<u64> =
            all().filter(|candidate| bucket(candidate) == cutoff_bucket).map(key).collect();
        let (below, &mut key, _) = keys.select_nth_unstable(remaining.saturating_sub(1));
        let equal = remaining - below.iter().filter(|&&other| other < key).count();
        Some(Cutoff { best_score: least, key, kept_ties: equal })
    }

    /// The best (least) score of all candidates.
    pub(super) fn best_score(&self) -> Cost {
        self.best_score
    }

    /// Whether a candidate found after the cutoff was computed is better than the cutoff.
    #[inline]
    pub(super) fn allows(&self, candidate: &Candidate) -> bool {
        key(candidate) < self.key
    }

    /// A predicate that selects the kept ones among the candidates given to [`Cutoff::new`]. It must see all
    /// of them in the same order.
    pub(super) fn filter(&self) -> impl FnMut(&Candidate) -> bool + use<> {
        let (limit, mut equal) = (self.key, self.kept_ties);
        move |candidate| {
            let key = key(candidate);
            let kept = key < limit || (key == limit && equal > 0);
            equal -= usize::from(kept && key == limit);
            kept
        }
    }

    /// The kept candidates in the order of leaves, as leaf and move.
    pub(super) fn kept<'a>(
        &self,
        parts: impl Iterator<Item = &'a [Candidate]>,
    ) -> impl Iterator<Item = (usize, Move)> {
        let mut filter = self.filter();
        parts.flatten().filter(move |candidate| filter(candidate)).map(|c| (c.leaf as usize, c.m))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The kept candidates are those that sorting selects, in the order of leaves.
        #[test]
        fn a_cutoff_keeps_what_sorting_selects(
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
            prop_assert_eq!(cutoff.best_score(), all.iter().map(|c| c.score).min().unwrap_or(0));
        }
    }
}
