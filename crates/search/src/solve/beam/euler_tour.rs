//! The surviving paths of a beam as an Euler tour of their tree: a byte for every step down and every step
//! up.
//!
//! This is the Euler-tour beam search of AtCoder heuristic contests, as described by Rafbill (editorial of
//! the second place of AHC021, 2023). Surviving paths share long prefixes, so the tour is little longer than
//! the number of paths, and one mutable state that follows it visits all leaves. No other data of a state is
//! stored. The prefix common to all paths is cut off and made permanent.

use std::ops::{ControlFlow, Range};

use crate::moves::Move;
use crate::walker::Walker;

/// A step up the tree; all bytes but this one and [`STAY`] are moves.
const BACK: u8 = u8::MAX;
/// No step: the tour of the empty path, whose only leaf is the root.
const STAY: u8 = u8::MAX - 1;

/// A depth-first walk past all leaves, which have the same depth.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct EulerTour {
    /// Moves, [`BACK`] and [`STAY`].
    steps: Vec<u8>,
    /// The depth of the leaves.
    depth: usize,
    /// The number of leaves.
    leaves: usize,
    /// The buffer of the previous tour, reused by the next one.
    spare: Vec<u8>,
}

/// A clone has an empty spare buffer; `clone_from` reuses the allocation of the target.
impl Clone for EulerTour {
    fn clone(&self) -> EulerTour {
        EulerTour { steps: self.steps.clone(), spare: Vec::new(), ..*self }
    }

    fn clone_from(&mut self, other: &EulerTour) {
        self.steps.clone_from(&other.steps);
        (self.depth, self.leaves) = (other.depth, other.leaves);
    }
}

/// A part of a tour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct TourPart {
    /// The path from the root to the node where the part begins.
    pub(super) path: Vec<Move>,
    /// The index of the first leaf of the part.
    pub(super) first_leaf: usize,
    /// The indices of its steps in the tour.
    steps: Range<usize>,
}

impl EulerTour {
    /// The tour of the empty path.
    pub(super) fn new() -> EulerTour {
        EulerTour { steps: vec![STAY], depth: 0, leaves: 1, spare: Vec::new() }
    }

    /// The number of leaves.
    pub(super) fn leaves(&self) -> usize {
        self.leaves
    }

    /// The size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.steps.len()
    }

    /// Splits the tour into `count` parts with about the same number of leaves.
    pub(super) fn parts(&self, count: usize) -> Vec<TourPart> {
        let mut parts: Vec<TourPart> = Vec::new();
        let mut path = Vec::new();
        let (mut leaf, mut current) = (0, TourPart { path: Vec::new(), first_leaf: 0, steps: 0..0 });
        for (index, &step) in self.steps.iter().enumerate().filter(|_| count > 1) {
            if step == BACK {
                path.pop();
                continue;
            }
            if step != STAY {
                path.push(Move(step));
            }
            leaf += usize::from(path.len() == self.depth);
            if path.len() == self.depth
                && leaf * count >= self.leaves * (parts.len() + 1)
                && leaf < self.leaves
            {
                let next = TourPart { path: path.clone(), first_leaf: leaf, steps: index + 1..index + 1 };
                parts.push(TourPart {
                    steps: current.steps.start..index + 1,
                    ..std::mem::replace(&mut current, next)
                });
            }
        }
        current.steps.end = self.steps.len();
        parts.push(current);
        parts
    }

    /// Moves `walker` from the root of the tour to every leaf of a part, in order. Calls `visit` at each leaf
    /// with its index, the path to it from the root, and the walker; ends when `visit` breaks.
    #[inline]
    pub(super) fn visit_leaves<W: Walker>(
        &self,
        part: &TourPart,
        walker: &mut W,
        mut visit: impl FnMut(usize, &[(Move, W::Undo)], &mut W) -> ControlFlow<()>,
    ) {
        let mut path: Vec<(Move, W::Undo)> = Vec::with_capacity(self.depth);
        for &m in &part.path {
            path.push((m, walker.step(m)));
        }
        let mut leaf = part.first_leaf;
        for &step in &self.steps[part.steps.clone()] {
            if step == BACK {
                if let Some((m, undo)) = path.pop() {
                    walker.undo(m, undo);
                }
                continue;
            }
            if step != STAY {
                path.push((Move(step), walker.step(Move(step))));
            }
            if path.len() < self.depth {
                continue;
            }
            if visit(leaf, &path, walker).is_break() {
                return;
            }
            leaf += 1;
        }
    }

    /// Replaces the tour by the tour of the next level. Its leaves are the children `kept`, each given by its
    /// parent leaf and its move, in the order of leaves. Cuts off and returns the prefix common to all
    /// paths.
    pub(super) fn grow(&mut self, mut kept: impl Iterator<Item = (usize, Move)>) -> Vec<Move> {
        let mut steps = std::mem::take(&mut self.spare);
        steps.clear();
        let (mut path, mut leaf, mut leaves) = (Vec::<u8>::new(), 0, 0);
        // The length of the prefix that `path` shares with the last path of the new tour, and the length of
        // that last path.
        let (mut common, mut depth) = (0, 0);
        // The least depth at which two consecutive paths of the new tour branch.
        let mut branching = usize::MAX;
        let mut next = kept.next();
        for &step in &self.steps {
            if step == BACK {
                path.pop();
                common = common.min(path.len());
                continue;
            }
            if step != STAY {
                path.push(step);
            }
            if path.len() < self.depth {
                continue;
            }
            while let Some((_, m)) = next.filter(|&(parent, _)| parent == leaf) {
                if leaves > 0 {
                    branching = branching.min(common);
                }
                steps.resize(steps.len() + depth - common, BACK);
                steps.extend_from_slice(&path[common..]);
                steps.push(m.0);
                leaves += 1;
                common = path.len();
                depth = path.len() + 1;
                next = kept.next();
            }
            leaf += 1;
        }
        let shared = if leaves == 0 { 0 } else { branching.min(self.depth + usize::from(leaves == 1)) };
        let prefix: Vec<Move> = steps.drain(..shared).map(Move).collect();
        if leaves == 1 {
            steps.push(STAY);
        }
        self.spare = std::mem::replace(&mut self.steps, steps);
        (self.depth, self.leaves) = (self.depth + 1 - shared, leaves);
        prefix
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walker::ScoredMove;
    use proptest::prelude::*;

    /// A walker that records the moves from the root.
    #[derive(Clone)]
    struct Recorder(Vec<Move>);

    impl Walker for Recorder {
        type Undo = ();

        fn score_moves(&mut self, _: &mut Vec<ScoredMove>) {}

        fn step(&mut self, m: Move) {
            self.0.push(m);
        }

        fn undo(&mut self, m: Move, (): ()) {
            assert_eq!(self.0.pop(), Some(m));
        }

        fn solution(&self, moves: &[Move]) -> Vec<Move> {
            moves.to_vec()
        }
    }

    /// The paths to all leaves, part by part.
    fn paths(tour: &EulerTour, parts: usize) -> Vec<Vec<Move>> {
        let mut paths = Vec::new();
        for part in tour.parts(parts) {
            assert_eq!(part.first_leaf, paths.len());
            let mut recorder = Recorder(Vec::new());
            tour.visit_leaves(&part, &mut recorder, |leaf, path, recorder| {
                assert_eq!(leaf, paths.len());
                assert!(path.iter().map(|(m, ())| m).eq(&recorder.0), "the walker is at the leaf");
                paths.push(recorder.0.clone());
                ControlFlow::Continue(())
            });
        }
        paths
    }

    proptest! {
        /// Grown level by level, a tour visits exactly the kept paths, in order, however it is split.
        #[test]
        fn a_tour_visits_exactly_the_kept_paths(
            levels in prop::collection::vec(prop::collection::vec(0u8..16, 1..40), 1..9),
        ) {
            let mut tour = EulerTour::new();
            let (mut prefix, mut expected) = (Vec::new(), vec![Vec::<Move>::new()]);
            for masks in levels {
                let children: Vec<(usize, Move)> = (0..expected.len())
                    .flat_map(|leaf| {
                        let kept = (0..4u8).filter(|m| masks[leaf % masks.len()] >> m & 1 == 1);
                        kept.map(move |m| (leaf, Move(m))).collect::<Vec<_>>()
                    })
                    .take(200)
                    .collect();
                if children.is_empty() {
                    break;
                }
                expected = children
                    .iter()
                    .map(|&(leaf, m)| expected[leaf].iter().copied().chain([m]).collect())
                    .collect();
                prefix.extend(tour.grow(children.into_iter()));
                prop_assert_eq!(tour.leaves(), expected.len());
                for parts in [1, 2, 3, 7] {
                    let visited: Vec<Vec<Move>> = paths(&tour, parts)
                        .into_iter()
                        .map(|path| prefix.iter().copied().chain(path).collect())
                        .collect();
                    prop_assert_eq!(&visited, &expected);
                }
            }
        }
    }
}
