//! Patterns: states of a puzzle, with identical pieces and with orientations known in part.

use super::transformation::Transformation;

/// The state of one orbit.
///
/// Equal labels are identical pieces. The modulus of a slot says how much of the orientation of its piece is
/// known: the number of orientations if all of it, 1 if nothing, otherwise the orientation modulo it. The
/// modulus belongs to the piece and moves with it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct OrbitPattern {
    pieces: Box<[u32]>,
    orientation: Box<[u8]>,
    modulus: Box<[u8]>,
}

impl OrbitPattern {
    /// Distinct pieces in order, all with orientation 0 of `orientations`.
    pub fn solved(slots: usize, orientations: u8) -> OrbitPattern {
        OrbitPattern {
            pieces: (0..slots as u32).collect(),
            orientation: vec![0; slots].into(),
            modulus: vec![orientations; slots].into(),
        }
    }

    /// A pattern of three vectors of equal length. Orientations are reduced to what is known of them.
    pub(crate) fn new(pieces: Vec<u32>, orientation: &[u8], modulus: Vec<u8>) -> OrbitPattern {
        debug_assert!(pieces.len() == orientation.len() && pieces.len() == modulus.len());
        let reduced = orientation.iter().zip(&modulus).map(|(&value, &modulus)| value % modulus);
        OrbitPattern { pieces: pieces.into(), orientation: reduced.collect(), modulus: modulus.into() }
    }

    /// The label of the piece in each slot, as the file writes it (`.tws` counts from 1, labels from 0).
    pub fn pieces(&self) -> &[u32] {
        &self.pieces
    }

    /// The orientation of the piece in each slot, below the modulus of the slot.
    pub fn orientation(&self) -> &[u8] {
        &self.orientation
    }

    /// How much of the orientation of the piece in each slot is known; at least 1.
    pub fn modulus(&self) -> &[u8] {
        &self.modulus
    }

    /// Labels with moduli, sorted: the pieces regardless of their places.
    fn stock(&self) -> Vec<(u32, u8)> {
        let mut stock: Vec<_> = self.pieces.iter().copied().zip(self.modulus.iter().copied()).collect();
        stock.sort_unstable();
        stock
    }
}

/// A state of a puzzle: one [`OrbitPattern`] per orbit of the definition.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pattern {
    orbits: Box<[OrbitPattern]>,
}

impl Pattern {
    /// A pattern of all orbits, in the order of the definition.
    pub(crate) fn new(orbits: Vec<OrbitPattern>) -> Pattern {
        Pattern { orbits: orbits.into() }
    }

    /// One per orbit, in the order of the definition.
    pub fn orbits(&self) -> &[OrbitPattern] {
        &self.orbits
    }

    /// The pattern after a transformation of the same orbits.
    #[must_use]
    pub fn apply(&self, transformation: &Transformation) -> Pattern {
        let orbits = self.orbits.iter().zip(transformation.orbits()).map(|(pattern, moved)| {
            let sources = moved.from().iter().map(|&slot| usize::from(slot));
            let modulus: Box<[u8]> = sources.clone().map(|slot| pattern.modulus[slot]).collect();
            let orientation =
                sources.clone().zip(moved.twist()).zip(&modulus).map(|((slot, &twist), &modulus)| {
                    ((u16::from(pattern.orientation[slot]) + u16::from(twist)) % u16::from(modulus)) as u8
                });
            OrbitPattern {
                orientation: orientation.collect(),
                pieces: sources.map(|slot| pattern.pieces[slot]).collect(),
                modulus,
            }
        });
        Pattern { orbits: orbits.collect() }
    }

    /// The number of the first orbit that does not hold the same pieces in some order as in `other`; `None`
    /// if all do. No move changes the pieces of an orbit.
    pub fn first_foreign_orbit(&self, other: &Pattern) -> Option<usize> {
        (0..self.orbits.len()).find(|&orbit| self.orbits[orbit].stock() != other.orbits[orbit].stock())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::transformation::OrbitTransformation;

    #[test]
    fn orientations_move_with_their_modulus() {
        // Three pieces of four orientations: known, known mod 2, ignored.
        let pattern = Pattern::new(vec![OrbitPattern::new(vec![7, 7, 9], &[3, 3, 3], vec![4, 2, 1])]);
        assert_eq!(pattern.orbits()[0].orientation(), [3, 1, 0]);
        let moved = Transformation::new(vec![OrbitTransformation::new(vec![1, 2, 0], vec![1, 2, 3], 4)]);
        let after = pattern.apply(&moved);
        let orbit = &after.orbits()[0];
        assert_eq!((orbit.pieces(), orbit.modulus()), (&[7, 9, 7][..], &[2, 1, 4][..]));
        assert_eq!(orbit.orientation(), [0, 0, 2]);
        assert_eq!(after.apply(&moved.inverse()), pattern);
        assert_eq!(after.first_foreign_orbit(&pattern), None);
        let other = Pattern::new(vec![OrbitPattern::solved(3, 4)]);
        assert_eq!(other.first_foreign_orbit(&pattern), Some(0));
    }
}
