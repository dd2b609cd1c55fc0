//! Pieces in slots, each turned one of a few ways: permutations with orientations.

use super::is_odd_permutation;

/// A piece in a slot. Its turn says how it sits there, counted from the way it sits at home.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Placed {
    /// Which piece.
    pub piece: usize,
    /// How it is turned: below the number of ways a piece fits a slot.
    pub turn: usize,
}

/// Every piece at home.
pub fn identity<const N: usize>() -> [Placed; N] {
    std::array::from_fn(|piece| Placed { piece, turn: 0 })
}

/// `pieces` after a move: slot `i` gets the piece of slot `after[i].piece`, turned further by `after[i].turn`. A piece
/// fits a slot in `ways` ways.
pub fn compose<const N: usize>(pieces: &[Placed; N], after: &[Placed; N], ways: usize) -> [Placed; N] {
    after.map(|from| {
        let Placed { piece, turn } = pieces[from.piece];
        Placed { piece, turn: (turn + from.turn) % ways }
    })
}

/// The arrangement that composed with `pieces` gives [`identity`].
pub fn inverse<const N: usize>(pieces: &[Placed; N], ways: usize) -> [Placed; N] {
    let mut inverse = identity::<N>();
    for (slot, placed) in pieces.iter().enumerate() {
        inverse[placed.piece] = Placed { piece: slot, turn: (ways - placed.turn) % ways };
    }
    inverse
}

/// Whether the pieces, whatever their turns, take an odd number of exchanges. Each of them is there once.
pub fn is_odd(pieces: &[Placed]) -> bool {
    is_odd_permutation(pieces.len(), |slot| pieces[slot].piece)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perm::tests::all;

    /// All arrangements of three pieces that fit in three ways.
    fn arrangements() -> Vec<[Placed; 3]> {
        let turned = |turns: usize| [turns % 3, turns / 3 % 3, turns / 9];
        let placed = |order: &[usize], turns: usize| {
            std::array::from_fn(|slot| Placed { piece: order[slot], turn: turned(turns)[slot] })
        };
        all(3).flat_map(|order| (0..27).map(|turns| placed(&order, turns)).collect::<Vec<_>>()).collect()
    }

    #[test]
    fn arrangements_are_a_group() {
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
