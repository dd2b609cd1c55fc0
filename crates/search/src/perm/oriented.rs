//! Permutations with orientations: elements of the wreath product of a cyclic group and a symmetric group,
//! the usual model of cubies.

use super::is_odd_permutation;

/// A piece in a slot, with its orientation relative to the solved state.
///
/// ```
/// use untumble_search::perm::{OrientedPiece, compose, identity, inverse};
///
/// // A 3-cycle of three corners that twists two of them.
/// let corner = |piece, orientation| OrientedPiece { piece, orientation };
/// let cycle = [corner(1, 1), corner(2, 2), corner(0, 0)];
/// assert_eq!(compose(&cycle, &inverse(&cycle, 3), 3), identity());
/// let third_power = compose(&compose(&cycle, &cycle, 3), &cycle, 3);
/// assert_eq!(third_power, identity(), "the twists add up to 3, which is no twist");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OrientedPiece {
    /// The number of the piece, which is the number of its home slot.
    pub piece: usize,
    /// The orientation: 0 to 2 for corners, 0 or 1 for edges.
    pub orientation: usize,
}

/// Every piece in its home slot with orientation 0.
pub fn identity<const N: usize>() -> [OrientedPiece; N] {
    std::array::from_fn(|piece| OrientedPiece { piece, orientation: 0 })
}

/// `pieces` after the move `applied`: slot `i` receives the piece of slot `applied[i].piece`, whose
/// orientation grows by `applied[i].orientation` modulo `orientations`.
pub fn compose<const N: usize>(
    pieces: &[OrientedPiece; N],
    applied: &[OrientedPiece; N],
    orientations: usize,
) -> [OrientedPiece; N] {
    applied.map(|from| {
        let OrientedPiece { piece, orientation } = pieces[from.piece];
        OrientedPiece { piece, orientation: (orientation + from.orientation) % orientations }
    })
}

/// The inverse: composed with `pieces` it gives [`identity`].
pub fn inverse<const N: usize>(pieces: &[OrientedPiece; N], orientations: usize) -> [OrientedPiece; N] {
    let mut inverse = identity::<N>();
    for (slot, placed) in pieces.iter().enumerate() {
        inverse[placed.piece] =
            OrientedPiece { piece: slot, orientation: (orientations - placed.orientation) % orientations };
    }
    inverse
}

/// Whether the permutation of the pieces is odd, whatever their orientations. Every piece occurs once.
pub fn is_odd(pieces: &[OrientedPiece]) -> bool {
    is_odd_permutation(pieces.len(), |slot| pieces[slot].piece)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perm::tests::all;

    /// All arrangements of three pieces with three orientations.
    fn arrangements() -> Vec<[OrientedPiece; 3]> {
        let turned = |turns: usize| [turns % 3, turns / 3 % 3, turns / 9];
        let placed = |order: &[usize], turns: usize| {
            std::array::from_fn(|slot| OrientedPiece { piece: order[slot], orientation: turned(turns)[slot] })
        };
        all(3).flat_map(|order| (0..27).map(|turns| placed(&order, turns)).collect::<Vec<_>>()).collect()
    }

    #[test]
    fn arrangements_form_a_group() {
        let all = arrangements();
        for a in &all {
            assert_eq!(compose(a, &identity(), 3), *a);
            assert_eq!(compose(&identity(), a, 3), *a);
            assert_eq!(compose(a, &inverse(a, 3), 3), identity());
            assert_eq!(compose(&inverse(a, 3), a, 3), identity());
            for b in &all {
                let product = compose(a, b, 3);
                assert!(all.contains(&product));
                assert_eq!(is_odd(&product), is_odd(a) != is_odd(b), "parity is a homomorphism");
                assert_eq!(inverse(&product, 3), compose(&inverse(b, 3), &inverse(a, 3), 3));
                for c in all.iter().step_by(17) {
                    assert_eq!(compose(&product, c, 3), compose(a, &compose(b, c, 3), 3));
                }
            }
        }
    }
}
