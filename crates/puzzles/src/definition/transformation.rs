//! Transformations of a puzzle: what a move or a sequence of moves does to every slot.

use super::order::Order;

/// What a transformation does to one orbit: slot `i` receives the content of slot `from[i]`, twisted by
/// `twist[i]`: `p'[i] = p[from[i]]` and `q'[i] = (q[from[i]] + twist[i]) mod orientations`.
///
/// This is the semantics of KPuzzle. The readers of other formats convert to it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct OrbitTransformation {
    from: Box<[u16]>,
    twist: Box<[u8]>,
    orientations: u8,
}

impl OrbitTransformation {
    /// The transformation that moves nothing.
    pub fn identity(slots: usize, orientations: u8) -> OrbitTransformation {
        let from = (0..slots).map(|slot| slot as u16).collect();
        OrbitTransformation { from, twist: vec![0; slots].into(), orientations }
    }

    /// A transformation of an orbit. The caller has verified that `from` is a permutation and that every
    /// twist is below `orientations`.
    pub(crate) fn new(from: Vec<u16>, twist: Vec<u8>, orientations: u8) -> OrbitTransformation {
        debug_assert_eq!(from.len(), twist.len(), "one twist per slot");
        OrbitTransformation { from: from.into(), twist: twist.into(), orientations }
    }

    /// For each slot the slot that its new content comes from.
    pub fn from(&self) -> &[u16] {
        &self.from
    }

    /// For each slot the twist that its new content receives.
    pub fn twist(&self) -> &[u8] {
        &self.twist
    }

    /// The number of orientations of a piece.
    pub fn orientations(&self) -> u8 {
        self.orientations
    }

    /// Whether it moves nothing.
    pub fn is_identity(&self) -> bool {
        self.from.iter().enumerate().all(|(slot, &from)| slot == usize::from(from))
            && self.twist.iter().all(|&twist| twist == 0)
    }

    fn then(&self, next: &OrbitTransformation) -> OrbitTransformation {
        let sources = next.from.iter().map(|&slot| usize::from(slot));
        let from = sources.clone().map(|slot| self.from[slot]).collect();
        let twist = sources.zip(&next.twist).map(|(slot, &twist)| self.turned(self.twist[slot], twist));
        OrbitTransformation { from, twist: twist.collect(), orientations: self.orientations }
    }

    /// The sum of two orientations.
    fn turned(&self, a: u8, b: u8) -> u8 {
        ((u16::from(a) + u16::from(b)) % u16::from(self.orientations)) as u8
    }

    fn inverse(&self) -> OrbitTransformation {
        let (mut from, mut twist) = (vec![0; self.from.len()], vec![0; self.from.len()]);
        for (slot, (&source, &turn)) in self.from.iter().zip(&self.twist).enumerate() {
            from[usize::from(source)] = slot as u16;
            twist[usize::from(source)] = if turn == 0 { 0 } else { self.orientations - turn };
        }
        OrbitTransformation::new(from, twist, self.orientations)
    }

    /// A cycle of length n whose twists add up to t has order n · m / gcd(m, t).
    fn include_order(&self, order: &mut Order) {
        let mut seen = vec![false; self.from.len()];
        for first in 0..self.from.len() {
            let (mut at, mut length, mut twist) = (first, 0u32, 0u8);
            while !std::mem::replace(&mut seen[at], true) {
                twist = self.turned(twist, self.twist[at]);
                at = usize::from(self.from[at]);
                length += 1;
            }
            if length > 0 {
                let turns = u32::from(self.orientations / gcd(self.orientations, twist));
                order.include(length * turns);
            }
        }
    }
}

fn gcd(a: u8, b: u8) -> u8 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// What a move or a sequence of moves does: one [`OrbitTransformation`] per orbit of the definition.
///
/// ```
/// use untumble_puzzles::definition::parse;
///
/// let pancake = parse(b"p2:=(1,2); p3:=(1,3);", "pancakes.gap").unwrap();
/// let [flip_two, flip_all] = [0, 1].map(|index| &pancake.moves()[index].transformation);
/// let both = flip_two.then(flip_all);
/// assert_eq!(both.order().to_string(), "3");
/// assert!(both.then(&both.inverse()).is_identity());
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Transformation {
    orbits: Box<[OrbitTransformation]>,
}

impl Transformation {
    /// A transformation of all orbits, in the order of the definition.
    pub(crate) fn new(orbits: Vec<OrbitTransformation>) -> Transformation {
        Transformation { orbits: orbits.into() }
    }

    /// One per orbit, in the order of the definition.
    pub fn orbits(&self) -> &[OrbitTransformation] {
        &self.orbits
    }

    /// The identity on the same orbits.
    #[must_use]
    pub fn identity(&self) -> Transformation {
        let identity =
            |orbit: &OrbitTransformation| OrbitTransformation::identity(orbit.from.len(), orbit.orientations);
        Transformation { orbits: self.orbits.iter().map(identity).collect() }
    }

    /// Whether it moves nothing.
    pub fn is_identity(&self) -> bool {
        self.orbits.iter().all(OrbitTransformation::is_identity)
    }

    /// This transformation followed by `next`, which has the same orbits.
    #[must_use]
    pub fn then(&self, next: &Transformation) -> Transformation {
        Transformation { orbits: self.orbits.iter().zip(&next.orbits).map(|(a, b)| a.then(b)).collect() }
    }

    /// The transformation that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Transformation {
        Transformation { orbits: self.orbits.iter().map(OrbitTransformation::inverse).collect() }
    }

    /// The transformation applied `exponent` times; a negative exponent applies the inverse.
    #[must_use]
    pub fn power(&self, exponent: i64) -> Transformation {
        let mut base = if exponent < 0 { self.inverse() } else { self.clone() };
        let mut rest = exponent.unsigned_abs();
        let mut result = self.identity();
        while rest > 0 {
            if rest % 2 == 1 {
                result = result.then(&base);
            }
            rest /= 2;
            if rest > 0 {
                base = base.then(&base);
            }
        }
        result
    }

    /// The least positive exponent whose power is the identity.
    pub fn order(&self) -> Order {
        let mut order = Order::one();
        self.orbits.iter().for_each(|orbit| orbit.include_order(&mut order));
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Transformations of an orbit of 7 pieces with 6 orientations and one of 3 with 1.
    fn transformations() -> impl Strategy<Value = Transformation> {
        let permutation = |n: u16| Just((0..n).collect::<Vec<u16>>()).prop_shuffle();
        (permutation(7), proptest::collection::vec(0u8..6, 7), permutation(3)).prop_map(|(a, twist, b)| {
            Transformation::new(vec![
                OrbitTransformation::new(a, twist, 6),
                OrbitTransformation::new(b, vec![0; 3], 1),
            ])
        })
    }

    proptest! {
        #[test]
        fn transformations_are_a_group(
            a in transformations(), b in transformations(), c in transformations()
        ) {
            prop_assert_eq!(a.then(&b).then(&c), a.then(&b.then(&c)));
            prop_assert!(a.then(&a.inverse()).is_identity() && a.inverse().then(&a).is_identity());
            prop_assert_eq!(a.then(&a.identity()), a.clone());
            prop_assert_eq!(a.then(&b).inverse(), b.inverse().then(&a.inverse()));
        }

        #[test]
        fn powers_and_orders_agree(a in transformations(), exponent in -40i64..40) {
            let step = if exponent < 0 { a.inverse() } else { a.clone() };
            let repeated = (0..exponent.abs()).fold(a.identity(), |product, _| product.then(&step));
            prop_assert_eq!(a.power(exponent), repeated);
            let order = a.order().to_u128().expect("a small order") as i64;
            let first = (1..).find(|&n| a.power(n).is_identity()).expect("an order");
            prop_assert_eq!(order, first);
        }
    }
}
