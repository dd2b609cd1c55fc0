//! Permutations of many points, as the elements of permutation groups.
//!
//! Permutations act from the right: `a.then(b)` maps a point `x` to `b(a(x))`. A move of a puzzle is the
//! permutation that takes the content of point `x` to point `g(x)`, so a sequence of moves is the product of
//! its permutations in the same order.

use super::cycle_lengths;

/// A permutation of the points 0 to `degree() - 1`.
///
/// ```
/// use untumble_search::perm::Permutation;
///
/// let cycle = Permutation::new(vec![1, 2, 0]).unwrap();
/// let swap = Permutation::new(vec![1, 0, 2]).unwrap();
/// assert_eq!(cycle.then(&swap).images(), [0, 2, 1], "the cycle first");
/// assert_eq!(cycle.then(&cycle.inverse()), Permutation::identity(3));
/// assert_eq!(cycle.power(2), cycle.inverse());
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Permutation(Box<[u32]>);

/// Images that are no permutation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PermutationError {
    /// The image is no point.
    #[error("the image of point {point} is {image}, but there are {degree} points")]
    Range {
        /// The point.
        point: usize,
        /// Its image.
        image: u32,
        /// The number of points.
        degree: usize,
    },
    /// Two points have the same image.
    #[error("the points {first} and {second} have the same image {image}")]
    Duplicate {
        /// The image of both.
        image: u32,
        /// The smaller point.
        first: usize,
        /// The larger point.
        second: usize,
    },
}

impl Permutation {
    /// The permutation with these images.
    pub fn new(images: impl Into<Box<[u32]>>) -> Result<Permutation, PermutationError> {
        let images = images.into();
        let degree = images.len();
        let mut preimages = vec![usize::MAX; degree];
        for (point, &image) in images.iter().enumerate() {
            let preimage =
                preimages.get_mut(image as usize).ok_or(PermutationError::Range { point, image, degree })?;
            if *preimage != usize::MAX {
                return Err(PermutationError::Duplicate { image, first: *preimage, second: point });
            }
            *preimage = point;
        }
        Ok(Permutation(images))
    }

    /// Images that are known to be distinct points.
    pub(crate) fn from_images(images: Vec<u32>) -> Permutation {
        debug_assert!(Permutation::new(images.clone()).is_ok());
        Permutation(images.into())
    }

    /// The permutation that fixes all points.
    pub fn identity(degree: usize) -> Permutation {
        Permutation((0..degree as u32).collect())
    }

    /// The number of points.
    pub fn degree(&self) -> usize {
        self.0.len()
    }

    /// The images of all points.
    pub fn images(&self) -> &[u32] {
        &self.0
    }

    /// The image of a point.
    #[inline]
    pub fn image(&self, point: u32) -> u32 {
        self.0[point as usize]
    }

    /// This permutation followed by another one of the same degree.
    #[must_use]
    pub fn then(&self, next: &Permutation) -> Permutation {
        Permutation(self.0.iter().map(|&image| next.0[image as usize]).collect())
    }

    /// The inverse.
    #[must_use]
    pub fn inverse(&self) -> Permutation {
        let mut inverse = vec![0; self.degree()];
        for (point, &image) in self.0.iter().enumerate() {
            inverse[image as usize] = point as u32;
        }
        Permutation(inverse.into())
    }

    /// The power with a non-negative exponent.
    #[must_use]
    pub fn power(&self, exponent: u32) -> Permutation {
        let mut power = Permutation::identity(self.degree());
        let (mut square, mut rest) = (self.clone(), exponent);
        while rest > 0 {
            if rest & 1 == 1 {
                power = power.then(&square);
            }
            square = square.then(&square);
            rest >>= 1;
        }
        power
    }

    /// `by⁻¹ · self · by`: the same cycles with every point replaced by its image under `by`.
    #[must_use]
    pub fn conjugate(&self, by: &Permutation) -> Permutation {
        let mut images = vec![0; self.degree()];
        for (point, &image) in self.0.iter().enumerate() {
            images[by.image(point as u32) as usize] = by.image(image);
        }
        Permutation(images.into())
    }

    /// Whether all points are fixed.
    pub fn is_identity(&self) -> bool {
        self.support().next().is_none()
    }

    /// The points that are not fixed, in increasing order.
    pub fn support(&self) -> impl Iterator<Item = u32> {
        self.0
            .iter()
            .enumerate()
            .filter(|&(point, &image)| point as u32 != image)
            .map(|(point, _)| point as u32)
    }

    /// Whether two permutations of the same degree commute.
    pub fn commutes_with(&self, other: &Permutation) -> bool {
        let pairs = self.0.iter().zip(&other.0);
        pairs.enumerate().all(|(point, (&a, &b))| {
            // A point that both fix needs no look-up.
            (a == point as u32 && b == point as u32) || other.image(a) == self.image(b)
        })
    }

    /// The lengths of the cycles, increasing, fixed points included.
    pub fn cycle_type(&self) -> Vec<usize> {
        let mut lengths = cycle_lengths(self.degree(), |point| self.0[point] as usize);
        lengths.sort_unstable();
        lengths
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perm::tests::all;

    #[test]
    fn images_must_be_a_permutation() {
        let range = PermutationError::Range { point: 1, image: 2, degree: 2 };
        assert_eq!(Permutation::new(vec![0, 2]), Err(range));
        let duplicate = PermutationError::Duplicate { image: 0, first: 1, second: 2 };
        assert_eq!(Permutation::new(vec![1, 0, 0]), Err(duplicate));
        assert_eq!(Permutation::new(vec![]).map(|empty| empty.is_identity()), Ok(true));
    }

    #[test]
    fn permutations_form_a_group() {
        let permutations: Vec<Permutation> = all(4)
            .map(|images| Permutation::from_images(images.into_iter().map(|image| image as u32).collect()))
            .collect();
        let identity = Permutation::identity(4);
        for a in &permutations {
            assert_eq!(a.then(&a.inverse()), identity);
            assert_eq!(a.power(3), a.then(a).then(a));
            assert_eq!(a.power(0), identity);
            for b in &permutations {
                assert_eq!(a.commutes_with(b), a.then(b) == b.then(a), "{a:?} {b:?}");
                assert_eq!(a.conjugate(b), b.inverse().then(a).then(b), "{a:?} {b:?}");
                assert_eq!(a.conjugate(b).cycle_type(), a.cycle_type());
            }
        }
    }
}
