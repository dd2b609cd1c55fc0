//! The action of a group on one block, as a small group with all its elements.

use std::collections::HashMap;

/// Larger groups are not enumerated.
const MAX_ELEMENTS: usize = 1000;

/// The images of the points of a block, as positions in the block.
pub(crate) type LocalPermutation = Box<[u16]>;

/// A homomorphism from the local group to a cyclic group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LocalInvariant {
    /// There is none but the trivial one, or none is used.
    None,
    /// The group is cyclic: the exponent of the element.
    Exponent,
    /// The parity of the permutation of the block.
    Sign,
}

/// A group of permutations of the positions of a block.
#[derive(Clone, Debug)]
pub(crate) struct LocalGroup {
    /// The value of the invariant of each element.
    elements: HashMap<LocalPermutation, u32>,
    pub(crate) invariant: LocalInvariant,
    /// The number of values of the invariant; 1 without one.
    pub(crate) modulus: u32,
}

fn product(first: &[u16], second: &[u16]) -> LocalPermutation {
    first.iter().map(|&image| second[image as usize]).collect()
}

fn identity(size: usize) -> LocalPermutation {
    (0..size as u16).collect()
}

impl LocalGroup {
    /// The group that some permutations of `size` positions generate; `None` if it is large.
    pub(crate) fn generated(size: usize, generators: &[LocalPermutation]) -> Option<LocalGroup> {
        if size > usize::from(u16::MAX) {
            return None;
        }
        let mut elements = HashMap::from([(identity(size), 0)]);
        let mut queue = vec![identity(size)];
        while let Some(element) = queue.pop() {
            for generator in generators {
                let next = product(&element, generator);
                if !elements.contains_key(&next) {
                    elements.insert(next.clone(), 0);
                    queue.push(next);
                }
            }
            if elements.len() > MAX_ELEMENTS {
                return None;
            }
        }
        let mut group = LocalGroup { elements, invariant: LocalInvariant::None, modulus: 1 };
        group.find_invariant(size);
        Some(group)
    }

    fn find_invariant(&mut self, size: usize) {
        let order = self.order();
        if order == 1 {
            return;
        }
        let powers = |element: &LocalPermutation| {
            let mut powers = vec![identity(size)];
            loop {
                let next = product(&powers[powers.len() - 1], element);
                if next == powers[0] {
                    return powers;
                }
                powers.push(next);
            }
        };
        // The smallest generator, so that the exponents do not depend on the order of the table.
        let generates = |element: &&LocalPermutation| {
            super::order(size, |at| usize::from(element[at])) == Some(order as u64)
        };
        let generator = self.elements.keys().filter(generates).min().cloned();
        if let Some(generator) = generator {
            for (exponent, power) in powers(&generator).into_iter().enumerate() {
                self.elements.insert(power, exponent as u32);
            }
            (self.invariant, self.modulus) = (LocalInvariant::Exponent, order as u32);
            return;
        }
        for (element, value) in &mut self.elements {
            *value = u32::from(super::is_odd_permutation(size, |at| usize::from(element[at])));
        }
        if self.elements.values().any(|&value| value == 1) {
            (self.invariant, self.modulus) = (LocalInvariant::Sign, 2);
        }
    }

    /// The number of elements.
    pub(crate) fn order(&self) -> usize {
        self.elements.len()
    }

    /// The invariant of an element; `None` if the group does not contain it.
    pub(crate) fn value(&self, element: &[u16]) -> Option<u32> {
        self.elements.get(element).copied()
    }

    /// The elements with their invariants, in a fixed order.
    pub(crate) fn elements(&self) -> Vec<(&LocalPermutation, u32)> {
        let mut elements: Vec<_> = self.elements.iter().map(|(element, &value)| (element, value)).collect();
        elements.sort_unstable();
        elements
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_groups_have_a_homomorphism() {
        let cases: [(usize, Vec<Vec<u16>>, usize, LocalInvariant); 5] = [
            (1, vec![], 1, LocalInvariant::None),
            (3, vec![vec![1, 2, 0]], 3, LocalInvariant::Exponent),
            (6, vec![vec![1, 0, 2, 3, 4, 5], vec![0, 1, 3, 4, 2, 5]], 6, LocalInvariant::Exponent),
            (3, vec![vec![1, 0, 2], vec![1, 2, 0]], 6, LocalInvariant::Sign),
            (4, vec![vec![1, 0, 3, 2], vec![2, 3, 0, 1]], 4, LocalInvariant::None),
        ];
        for (size, generators, order, invariant) in cases {
            let generators: Vec<LocalPermutation> = generators.into_iter().map(Into::into).collect();
            let group = LocalGroup::generated(size, &generators).expect("a small group");
            assert_eq!((group.order(), group.invariant), (order, invariant), "{generators:?}");
            for (a, value) in group.elements() {
                for (b, other) in group.elements() {
                    let sum = (value + other) % group.modulus;
                    assert_eq!(group.value(&product(a, b)), Some(sum), "{a:?} {b:?}");
                }
            }
        }
    }
}
