//! Permutation groups: order, membership and random elements from a base and strong generating set
//! (Schreier–Sims; Sims 1970, Seress 2003, "Permutation group algorithms").
//!
//! The chain is built with random elements, so it may miss some of the group, with a tiny probability; then
//! its order is too small, never too large. It is *verified* by one of two proofs. The cheap one compares its
//! order with the upper bound of the [`Structure`]; it succeeds where the group acts on its pieces in every
//! way that the invariants allow, as on cubes and the megaminx of any size. The other one sifts all Schreier
//! generators, which costs about the fifth power of the degree.

mod build;
mod chain;
mod sampler;
mod tree;
mod verify;

use num_bigint::BigUint;
use rand::Rng;

use self::chain::{Chain, Residue};
pub use self::verify::Verification;
use super::{Permutation, below};
use crate::control::{Control, Reservation, Stop};

pub use super::structure::{Invariant, InvariantKind, Obstruction, Structure};

/// How far the order of a group is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Certainty {
    /// The order is a lower bound; the chance that it is too small is below one in a thousand million.
    Random,
    /// The order equals an upper bound from the structure of the group.
    OrderBound,
    /// All Schreier generators are in the chain.
    SchreierGenerators,
}

impl Certainty {
    /// Whether the order and the membership test are proved.
    pub fn is_verified(self) -> bool {
        self != Certainty::Random
    }
}

/// Why no group was built.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BuildError {
    /// A limit was reached.
    #[error("the construction of the group stopped: {0}")]
    Stopped(Stop),
    /// A generator has another number of points.
    #[error("generator {generator} has {found} points instead of {expected}")]
    Degree {
        /// The number of the generator.
        generator: usize,
        /// The points of the group.
        expected: usize,
        /// The points of the generator.
        found: usize,
    },
    /// The random construction failed its checks again and again.
    #[error("the randomised construction of the group failed")]
    Incomplete,
}

impl From<Stop> for BuildError {
    fn from(stop: Stop) -> BuildError {
        BuildError::Stopped(stop)
    }
}

/// Whether an element is in a group, and the reason if not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Membership {
    /// The element is in the group.
    Member,
    /// Another number of points.
    Degree,
    /// The structure of the group shows why not.
    Obstructed(Obstruction),
    /// No element of the group agrees with it up to this base point.
    Sifted {
        /// The level, from 0.
        level: usize,
        /// The base point at which sifting fails or, if the residue fixes all base points of an orbit, a
        /// point of that orbit which it moves.
        point: u32,
        /// The image of the point under the residue: the element after the earlier base points are mapped
        /// back.
        image: u32,
    },
}

/// A permutation group with a stabiliser chain.
///
/// ```
/// use untumble_search::control::Control;
/// use untumble_search::perm::{Permutation, PermutationGroup};
///
/// // A cycle of five points and a swap generate all permutations; two 3-cycles only the even ones.
/// let new = |images: [u32; 5]| Permutation::new(images).unwrap();
/// let cycle = new([1, 2, 3, 4, 0]);
/// let swap = new([1, 0, 2, 3, 4]);
/// let all = PermutationGroup::new(5, &[cycle, swap.clone()], &Control::default()).unwrap();
/// assert_eq!(all.order().to_string(), "120");
///
/// let even = [new([1, 2, 0, 3, 4]), new([0, 1, 3, 4, 2])];
/// let even = PermutationGroup::new(5, &even, &Control::default()).unwrap();
/// assert_eq!(even.order().to_string(), "60");
/// assert!(even.certainty().is_verified() && !even.contains(&swap));
/// ```
pub struct PermutationGroup {
    generators: Vec<Permutation>,
    structure: Structure,
    chain: Chain,
    order: BigUint,
    certainty: Certainty,
    memory: Reservation,
}

impl PermutationGroup {
    /// The group that some permutations of `degree` points generate. The chain is random, and verified if
    /// its order equals the bound of the structure.
    pub fn new(
        degree: usize,
        generators: &[Permutation],
        control: &Control,
    ) -> Result<PermutationGroup, BuildError> {
        for (number, generator) in generators.iter().enumerate() {
            let found = generator.degree();
            if found != degree {
                return Err(BuildError::Degree { generator: number, expected: degree, found });
            }
        }
        let structure = Structure::new(degree, generators, control)?;
        let mut memory = control.reserve(4 * degree as u64 * generators.len() as u64)?;
        let (chain, full) = build::build(&structure, generators, &mut memory, control)?;
        let certainty = if full { Certainty::OrderBound } else { Certainty::Random };
        let (generators, order) = (generators.to_vec(), chain.order());
        Ok(PermutationGroup { generators, structure, chain, order, certainty, memory })
    }

    /// Verifies the chain by Schreier generators if this takes at most about `budget` steps (images
    /// computed; a few hundred million a second) and it is not verified yet.
    pub fn verify(&mut self, budget: u64, control: &Control) -> Result<Verification, Stop> {
        if self.certainty.is_verified() {
            return Ok(Verification::Complete);
        }
        if verify::cost(&self.chain) > BigUint::from(budget) {
            return Ok(Verification::TooExpensive);
        }
        if !verify::verify(&self.chain, control)? {
            return Ok(Verification::Incomplete);
        }
        self.certainty = Certainty::SchreierGenerators;
        Ok(Verification::Complete)
    }

    /// The approximate number of steps that [`PermutationGroup::verify`] takes.
    pub fn verification_cost(&self) -> BigUint {
        verify::cost(&self.chain)
    }

    /// The number of points.
    pub fn degree(&self) -> usize {
        self.chain.points.len()
    }

    /// The generators.
    pub fn generators(&self) -> &[Permutation] {
        &self.generators
    }

    /// Orbits, blocks and invariants.
    pub fn structure(&self) -> &Structure {
        &self.structure
    }

    /// The number of elements; a lower bound unless the group is verified.
    pub fn order(&self) -> &BigUint {
        &self.order
    }

    /// How far the order is known.
    pub fn certainty(&self) -> Certainty {
        self.certainty
    }

    /// Whether the group consists of all permutations that its structure allows.
    pub fn is_full(&self) -> bool {
        self.certainty == Certainty::OrderBound
    }

    /// The bytes of the chain.
    pub fn bytes(&self) -> u64 {
        self.memory.bytes()
    }

    /// The base points and the sizes of their orbits, whose product is the order.
    pub fn base(&self) -> Vec<(u32, usize)> {
        let levels = self.chain.stages.iter().flat_map(|stage| &stage.levels);
        levels.map(|level| (self.chain.points[level.base as usize], level.tree.len())).collect()
    }

    /// The orbit of a base point under the stabiliser of the earlier ones: each point with an element of that
    /// stabiliser that takes the base point to it. Empty if there is no such level.
    pub fn transversal(&self, level: usize) -> Vec<(u32, Permutation)> {
        let levels =
            self.chain.stages.iter().flat_map(|stage| stage.levels.iter().map(move |at| (stage, at)));
        let Some((stage, level)) = levels.into_iter().nth(level) else { return Vec::new() };
        let element = |&point: &u32| {
            let mut images: Vec<u32> = (0..self.degree() as u32).collect();
            for generator in level.tree.path(point as usize) {
                verify::apply(&mut images[stage.start..], stage, generator as usize);
            }
            (self.chain.points[stage.start + point as usize], self.chain.to_permutation(&images))
        };
        level.tree.orbit().iter().map(element).collect()
    }

    /// The number of strong generators.
    pub fn strong_generators(&self) -> usize {
        self.chain.stages.iter().map(|stage| stage.generators.len()).sum()
    }

    /// Whether the group contains an element.
    pub fn contains(&self, element: &Permutation) -> bool {
        self.sift(element).is_none()
    }

    /// Whether an element is in the group, with the reason if not.
    pub fn membership(&self, element: &Permutation) -> Membership {
        if element.degree() != self.degree() {
            return Membership::Degree;
        }
        let Some(sifted) = self.sift(element) else { return Membership::Member };
        self.structure.obstruction(element).map_or(sifted, Membership::Obstructed)
    }

    fn sift(&self, element: &Permutation) -> Option<Membership> {
        if element.degree() != self.degree() {
            return Some(Membership::Degree);
        }
        let orbits = self.structure.orbits();
        let leaves = |(point, &image): (usize, &u32)| {
            let point = point as u32;
            (orbits.orbit_of(point) != orbits.orbit_of(image)).then_some((point, image))
        };
        if let Some((point, image)) = element.images().iter().enumerate().find_map(leaves) {
            return Some(Membership::Obstructed(Obstruction::LeavesOrbit { point, image }));
        }
        let mut residue = Residue::new(self.chain.to_internal(&element.inverse()));
        let failure = self.chain.sift_from(0, &mut residue).err()?;
        let earlier = self.chain.stages[..failure.stage].iter().map(|stage| stage.levels.len());
        let point = |number: u32| self.chain.points[number as usize];
        Some(Membership::Sifted {
            level: earlier.sum::<usize>() + failure.level,
            point: point(failure.point),
            image: point(failure.image),
        })
    }

    /// A uniformly random element, up to the quality of the generator of random numbers. Draws one number for
    /// each base point whose orbit has several points.
    pub fn random(&self, rng: &mut dyn Rng) -> Permutation {
        let mut images: Vec<u32> = (0..self.degree() as u32).collect();
        for stage in self.chain.stages.iter().rev() {
            for level in stage.levels.iter().rev() {
                let orbit = level.tree.orbit();
                for generator in level.tree.path(orbit[below(rng, orbit.len())] as usize) {
                    verify::apply(&mut images[stage.start..], stage, generator as usize);
                }
            }
        }
        self.chain.to_permutation(&images)
    }
}

impl Chain {
    /// The product of the sizes of the orbits of the base points.
    fn order(&self) -> BigUint {
        let levels = self.stages.iter().flat_map(|stage| &stage.levels);
        levels.map(|level| BigUint::from(level.tree.len())).product()
    }
}

#[cfg(test)]
mod tests;
