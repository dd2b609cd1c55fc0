//! The paths of a beam as one walk through their tree: a byte for every step down and every step back.
//!
//! Paths that survive share long beginnings, so the walk is little longer than there are paths, and one board that
//! steps to and fro visits all of them. Nothing else is kept of a state.

use std::ops::Range;

use crate::moves::Move;

/// A step back; all other bytes are moves.
const BACK: u8 = u8::MAX;

/// A depth-first walk past all leaves, which lie equally deep.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Tour {
    steps: Vec<u8>,
    depth: usize,
    leaves: usize,
}

/// What a walk does next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Down(Move),
    Back,
    /// It stands on a leaf.
    Leaf,
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
        Tour { steps: Vec::new(), depth: 0, leaves: 1 }
    }

    pub(super) fn leaves(&self) -> usize {
        self.leaves
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
            way.push(Move(step));
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

    /// The steps of a part.
    pub(super) fn walk<'a>(&'a self, part: &'a Part) -> impl Iterator<Item = Step> + 'a {
        let mut depth = part.way.len();
        // The path without moves is a leaf that no step leads to.
        let alone = (self.depth == 0).then_some(Step::Leaf);
        let steps = self.steps[part.steps.clone()].iter().flat_map(move |&step| {
            if step == BACK {
                depth -= 1;
                return [Some(Step::Back), None];
            }
            depth += 1;
            [Some(Step::Down(Move(step))), (depth == self.depth).then_some(Step::Leaf)]
        });
        alone.into_iter().chain(steps.flatten())
    }

    /// The walk one level deeper: to the children `kept`, told by their leaf, in the order of leaves. What all paths
    /// begin with is cut off and handed back.
    pub(super) fn grown(&self, kept: impl Iterator<Item = (usize, Move)>) -> (Tour, Vec<Move>) {
        let mut kept = kept.peekable();
        let mut steps = Vec::new();
        let (mut way, mut leaf, mut leaves) = (Vec::<Move>::new(), 0, 0);
        // How much of `way` stands in the new walk, and how deep the new walk stands.
        let (mut common, mut standing) = (0, 0);
        // Where the first path was left for another.
        let mut parted = usize::MAX;
        let whole = self.parts(1);
        for step in whole.iter().flat_map(|part| self.walk(part)) {
            match step {
                Step::Down(m) => way.push(m),
                Step::Back => {
                    way.pop();
                    common = common.min(way.len());
                }
                Step::Leaf => {
                    while let Some((_, m)) = kept.next_if(|&(of, _)| of == leaf) {
                        if leaves > 0 {
                            parted = parted.min(common);
                        }
                        steps.extend(std::iter::repeat_n(BACK, standing - common));
                        steps.extend(way[common..].iter().map(|m| m.0));
                        steps.push(m.0);
                        leaves += 1;
                        common = way.len();
                        standing = way.len() + 1;
                    }
                    leaf += 1;
                }
            }
        }
        let shared = if leaves == 0 { 0 } else { parted.min(self.depth + usize::from(leaves == 1)) };
        let base: Vec<Move> = steps.drain(..shared).map(Move).collect();
        (Tour { steps, depth: self.depth + 1 - shared, leaves }, base)
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
            for step in tour.walk(&part) {
                match step {
                    Step::Down(m) => way.push(m),
                    Step::Back => assert!(way.pop().is_some()),
                    Step::Leaf => paths.push(way.clone()),
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
                let (grown, shared) = tour.grown(children.into_iter());
                (tour, plain) = (grown, next);
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
