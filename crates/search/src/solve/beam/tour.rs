//! The paths of a beam as one walk through their tree: a byte for every step down and every step back.
//!
//! Paths that survive share long beginnings, so the walk is little longer than there are paths, and one board that
//! steps to and fro visits all of them. Nothing else is kept of a state.

use std::ops::Range;

use crate::moves::Move;

/// A step back; all bytes but this and the next are moves.
pub(super) const BACK: u8 = u8::MAX;
/// No step at all: the path without moves is a leaf that no step leads to.
pub(super) const STAY: u8 = u8::MAX - 1;

/// A depth-first walk past all leaves, which lie equally deep.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Tour {
    steps: Vec<u8>,
    depth: usize,
    leaves: usize,
    /// The walk before this one, to be written over by the next.
    spare: Vec<u8>,
}

/// Copies do without what is to be written over, and are put where another walk was without asking for memory.
impl Clone for Tour {
    fn clone(&self) -> Tour {
        Tour { steps: self.steps.clone(), spare: Vec::new(), ..*self }
    }

    fn clone_from(&mut self, other: &Tour) {
        self.steps.clone_from(&other.steps);
        (self.depth, self.leaves) = (other.depth, other.leaves);
    }
}

/// A part of a walk, with the way to its beginning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Part {
    pub(super) way: Vec<Move>,
    pub(super) first_leaf: usize,
    steps: Range<usize>,
}

impl Tour {
    /// The walk of one path without moves.
    pub(super) fn new() -> Tour {
        Tour { steps: vec![STAY], depth: 0, leaves: 1, spare: Vec::new() }
    }

    pub(super) fn leaves(&self) -> usize {
        self.leaves
    }

    /// How deep the leaves lie.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// The bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        self.steps.len()
    }

    /// Cuts it into parts of about equally many leaves.
    pub(super) fn parts(&self, count: usize) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        let mut way = Vec::new();
        let (mut leaf, mut begin) = (0, Part { way: Vec::new(), first_leaf: 0, steps: 0..0 });
        for (at, &step) in self.steps.iter().enumerate().filter(|_| count > 1) {
            if step == BACK {
                way.pop();
                continue;
            }
            if step != STAY {
                way.push(Move(step));
            }
            leaf += usize::from(way.len() == self.depth);
            if way.len() == self.depth
                && leaf * count >= self.leaves * (parts.len() + 1)
                && leaf < self.leaves
            {
                let next = Part { way: way.clone(), first_leaf: leaf, steps: at + 1..at + 1 };
                parts.push(Part { steps: begin.steps.start..at + 1, ..std::mem::replace(&mut begin, next) });
            }
        }
        begin.steps.end = self.steps.len();
        parts.push(begin);
        parts
    }

    /// The steps of a part: moves, [`BACK`] and [`STAY`].
    pub(super) fn steps(&self, part: &Part) -> impl Iterator<Item = u8> {
        self.steps[part.steps.clone()].iter().copied()
    }

    /// Goes one level deeper: to the children `kept`, told by their leaf, in the order of leaves. What all paths
    /// begin with is cut off and handed back.
    pub(super) fn grow(&mut self, mut kept: impl Iterator<Item = (usize, Move)>) -> Vec<Move> {
        let mut steps = std::mem::take(&mut self.spare);
        steps.clear();
        let (mut way, mut leaf, mut leaves) = (Vec::<u8>::new(), 0, 0);
        // How much of `way` stands in the new walk, and how deep the new walk stands.
        let (mut common, mut standing) = (0, 0);
        // Where the first path was left for another.
        let mut parted = usize::MAX;
        let mut next = kept.next();
        for &step in &self.steps {
            if step == BACK {
                way.pop();
                common = common.min(way.len());
                continue;
            }
            if step != STAY {
                way.push(step);
            }
            if way.len() < self.depth {
                continue;
            }
            while let Some((_, m)) = next.filter(|&(of, _)| of == leaf) {
                if leaves > 0 {
                    parted = parted.min(common);
                }
                steps.resize(steps.len() + standing - common, BACK);
                steps.extend_from_slice(&way[common..]);
                steps.push(m.0);
                leaves += 1;
                common = way.len();
                standing = way.len() + 1;
                next = kept.next();
            }
            leaf += 1;
        }
        let shared = if leaves == 0 { 0 } else { parted.min(self.depth + usize::from(leaves == 1)) };
        let base: Vec<Move> = steps.drain(..shared).map(Move).collect();
        if leaves == 1 {
            steps.push(STAY);
        }
        self.spare = std::mem::replace(&mut self.steps, steps);
        (self.depth, self.leaves) = (self.depth + 1 - shared, leaves);
        base
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The paths to all leaves, part by part.
    fn paths(tour: &Tour, parts: usize) -> Vec<Vec<Move>> {
        let mut paths = Vec::new();
        for part in tour.parts(parts) {
            assert_eq!(part.first_leaf, paths.len());
            let mut way = part.way.clone();
            for step in tour.steps(&part) {
                match step {
                    BACK => assert!(way.pop().is_some()),
                    STAY => {}
                    m => way.push(Move(m)),
                }
                if step != BACK && way.len() == tour.depth() {
                    paths.push(way.clone());
                }
            }
        }
        paths
    }

    proptest! {
        /// Grown level by level, it leads to exactly the paths kept, in order, however it is cut.
        #[test]
        fn a_tour_is_the_list_of_its_paths(levels in prop::collection::vec(prop::collection::vec(0u8..16, 1..40), 1..9)) {
            let mut tour = Tour::new();
            let (mut base, mut plain) = (Vec::new(), vec![Vec::new()]);
            for masks in levels {
                let children: Vec<(usize, Move)> = (0..plain.len())
                    .flat_map(|leaf| (0..4).filter(|m| masks[leaf % masks.len()] >> m & 1 == 1).map(move |m| (leaf, Move(m))).collect::<Vec<_>>())
                    .take(200)
                    .collect();
                if children.is_empty() {
                    break;
                }
                let next = children.iter().map(|&(leaf, m)| plain[leaf].iter().copied().chain([m]).collect()).collect();
                let shared = tour.grow(children.into_iter());
                plain = next;
                base.extend(shared);
                prop_assert_eq!(tour.leaves(), plain.len());
                for parts in [1, 2, 3, 7] {
                    let whole: Vec<Vec<Move>> = paths(&tour, parts).into_iter().map(|path| base.iter().copied().chain(path).collect()).collect();
                    prop_assert_eq!(&whole, &plain);
                }
            }
        }
    }
}
