//! Points for pieces with orientations: a puzzle state as a permutation.

use super::{Permutation, PermutationError};

/// Sets of slots with orientations, numbered as points: set after set, slot after slot, one point for each
/// orientation.
///
/// A move gives each slot `i` of a set the piece of slot `from[i]`, turned by `twists[i]`. Its permutation
/// takes the point of slot `from[i]` with orientation `o` to that of slot `i` with orientation
/// `o + twists[i]`, so sequences of moves are products in the same order.
///
/// ```
/// use untumble_search::perm::OrientedLayout;
///
/// // Three corners with three orientations, and two edges without.
/// let layout = OrientedLayout::new(&[(3, 3), (2, 1)]);
/// assert_eq!(layout.degree(), 11);
/// let cycle = layout.permutation(&[(&[2, 0, 1], &[0, 1, 2]), (&[1, 0], &[0, 0])]).unwrap();
/// assert_eq!(cycle.image(layout.point(0, 0, 1)), layout.point(0, 1, 2), "slot 0 goes to slot 1, turned by 1");
/// assert_eq!(layout.place(4), (0, 1, 1), "set, slot and orientation");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OrientedLayout {
    /// The first point, the slots and the orientations of each set.
    sets: Vec<(usize, usize, usize)>,
    degree: usize,
}

impl OrientedLayout {
    /// The layout for sets of some slots with some orientations, at least one each.
    pub fn new(sets: &[(usize, usize)]) -> OrientedLayout {
        let mut degree = 0;
        let numbered = sets.iter().map(|&(slots, orientations)| {
            degree += slots * orientations.max(1);
            (degree - slots * orientations.max(1), slots, orientations.max(1))
        });
        OrientedLayout { sets: numbered.collect(), degree }
    }

    /// The number of points.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The point of a slot with an orientation.
    pub fn point(&self, set: usize, slot: usize, orientation: usize) -> u32 {
        let (start, _, orientations) = self.sets[set];
        (start + slot * orientations + orientation) as u32
    }

    /// The set, slot and orientation of a point.
    pub fn place(&self, point: u32) -> (usize, usize, usize) {
        let point = point as usize;
        let set = self.sets.partition_point(|&(start, _, _)| start <= point) - 1;
        // An empty set shares its start with the next one.
        let (start, _, orientations) = self.sets[set];
        (set, (point - start) / orientations, (point - start) % orientations)
    }

    /// The permutation of a move: for each set the slot that each slot receives its piece from, and the
    /// twists. Missing sets and twists are the identity.
    pub fn permutation(&self, moves: &[(&[usize], &[usize])]) -> Result<Permutation, PermutationError> {
        let mut images: Vec<u32> = (0..self.degree as u32).collect();
        for (set, (from, twists)) in moves.iter().enumerate().take(self.sets.len()) {
            let (start, slots, orientations) = self.sets[set];
            for (slot, &source) in from.iter().enumerate().take(slots) {
                if source >= slots {
                    let image = self.degree as u32;
                    let point = start + slot * orientations;
                    return Err(PermutationError::Range { point, image, degree: self.degree });
                }
                let twist = twists.get(slot).copied().unwrap_or(0);
                for orientation in 0..orientations {
                    images[self.point(set, source, orientation) as usize] =
                        self.point(set, slot, (orientation + twist) % orientations);
                }
            }
        }
        Permutation::new(images)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn arrangement() -> impl Strategy<Value = (Vec<usize>, Vec<usize>)> {
        (Just((0..5).collect::<Vec<usize>>()).prop_shuffle(), proptest::collection::vec(0..3usize, 5))
    }

    proptest! {
        /// The product of two moves as the formats define it: `f[i] = a.f[b.f[i]]`,
        /// `d[i] = a.d[b.f[i]] + b.d[i]`.
        #[test]
        fn products_agree_with_the_composition_of_moves(a in arrangement(), b in arrangement()) {
            let layout = OrientedLayout::new(&[(2, 2), (5, 3)]);
            let permutation = |from: &[usize], twists: &[usize]| {
                layout.permutation(&[(&[0, 1], &[]), (from, twists)]).expect("a permutation")
            };
            let from: Vec<usize> = b.0.iter().map(|&slot| a.0[slot]).collect();
            let twists: Vec<usize> = (0..5).map(|slot| (a.1[b.0[slot]] + b.1[slot]) % 3).collect();
            let product = permutation(&a.0, &a.1).then(&permutation(&b.0, &b.1));
            prop_assert_eq!(product, permutation(&from, &twists));
        }
    }

    #[test]
    fn points_and_places_agree() {
        let layout = OrientedLayout::new(&[(3, 2), (0, 4), (2, 5)]);
        for point in 0..layout.degree() as u32 {
            let (set, slot, orientation) = layout.place(point);
            assert_eq!(layout.point(set, slot, orientation), point);
        }
        let outside = layout.permutation(&[(&[0, 1, 3], &[])]);
        assert!(matches!(outside, Err(PermutationError::Range { point: 4, .. })), "{outside:?}");
        let twice = layout.permutation(&[(&[0, 1, 1], &[])]);
        assert!(matches!(twice, Err(PermutationError::Range { .. } | PermutationError::Duplicate { .. })));
    }
}
