//! Randomised construction of a stabiliser chain, one orbit after the other (Seress 2003, chapter 4).
//!
//! The random Schreier–Sims algorithm sifts random elements and adds the residues. Sifting each of them
//! through all levels costs the product of the degree and the length of the base, which is too slow for
//! thousands of stickers. Here an element is sifted through the levels of one orbit only. What remains fixes
//! that orbit; some of these residues generate the group of the next stage, from which the next random
//! elements come. The number of residues follows the invariants of the [`Structure`], because random
//! elements generate a large perfect group soon, but its abelian quotient only one factor at a time.

use super::chain::{Chain, Residue};
use super::sampler::Sampler;
use super::tree::Tree;
use super::{BuildError, Structure};
use crate::control::{Control, Reservation};
use crate::perm::Permutation;
use crate::perm::abelian::AbelianSubgroup;

/// The number of successive random elements without news that ends a stage.
const FIRST_PATIENCE: usize = 10;
/// Random elements that must sift through the whole chain.
const FINAL_CHECKS: usize = 30;
/// The patience doubles after a failed check, up to this often.
const ATTEMPTS: u32 = 6;

/// Builds a chain. The last `bool` is whether its order equals the upper bound of the structure.
pub(super) fn build(
    structure: &Structure,
    generators: &[Permutation],
    memory: &mut Reservation,
    control: &Control,
) -> Result<(Chain, bool), BuildError> {
    let bound = structure.order_bound();
    for attempt in 0..ATTEMPTS {
        let held = memory.bytes();
        let patience = FIRST_PATIENCE << attempt;
        let builder = Builder { structure, patience, seed: u64::from(attempt) << 32, control };
        let chain = builder.run(generators, memory)?;
        if chain.order() == bound {
            return Ok((chain, true));
        }
        if builder.passes_checks(&chain, generators)? {
            return Ok((chain, false));
        }
        memory.shrink(memory.bytes() - held);
    }
    Err(BuildError::Incomplete)
}

struct Builder<'a> {
    structure: &'a Structure,
    patience: usize,
    seed: u64,
    control: &'a Control,
}

impl Builder<'_> {
    fn run(&self, generators: &[Permutation], memory: &mut Reservation) -> Result<Chain, BuildError> {
        let mut chain = Chain::new(self.structure.orbits());
        let mut generators: Vec<Vec<u32>> =
            generators.iter().map(|generator| chain.to_internal(generator)).collect();
        let is_identity = |images: &Vec<u32>| images.iter().zip(0u32..).all(|(&image, point)| image == point);
        generators.retain(|images| !is_identity(images));
        for stage in 0..chain.stages.len() {
            let (start, end) = (chain.stages[stage].start, chain.stages[stage].end);
            let moves = |images: &Vec<u32>| (start..end).any(|point| images[point] != point as u32);
            if generators.iter().any(moves) {
                generators = self.run_stage(&mut chain, stage, &generators, memory)?;
            }
        }
        Ok(chain)
    }

    /// Completes a stage. Returns generators of the subgroup that fixes its points.
    fn run_stage(
        &self,
        chain: &mut Chain,
        stage: usize,
        generators: &[Vec<u32>],
        memory: &mut Reservation,
    ) -> Result<Vec<Vec<u32>>, BuildError> {
        let degree = chain.points.len();
        let (start, end) = (chain.stages[stage].start, chain.stages[stage].end);
        let mut sampler = Sampler::new(generators, start, self.seed + stage as u64);
        let mut residues: Vec<Vec<u32>> = Vec::new();
        let mut image = AbelianSubgroup::trivial(&self.structure.moduli);
        let held = memory.bytes();
        memory.grow(4 * degree as u64 * 2 * generators.len().max(10) as u64)?;
        let mut quiet = 0;
        while quiet < self.patience {
            self.control.poll()?;
            let mut residue = Residue::new(sampler.sample().to_vec());
            if let Err(failure) = chain.stages[stage].sift(stage, &mut residue) {
                let next = &mut chain.stages[stage];
                memory.grow(next.generator_bytes(degree))?;
                next.add(failure.level, residue.inverse[start..].into());
                quiet = 0;
                continue;
            }
            quiet += 1;
            residue.settle(start, end);
            if !residue.is_identity_from(end) {
                // The structure describes the generators, so their products have values.
                let values = self.structure.values(&chain.to_permutation(&residue.inverse));
                if values.is_ok_and(|values| image.insert(&values)) {
                    quiet = 0;
                }
                residues.push(residue.inverse);
            }
        }
        let next = &mut chain.stages[stage];
        next.drop_unused();
        memory.shrink(memory.bytes() - held);
        let trees = next.levels.len() as u64 * Tree::bytes(end - start);
        memory.grow(trees + next.generators.len() as u64 * next.generator_bytes(degree))?;
        Ok(residues)
    }

    /// Whether all generators and some random elements sift through the chain.
    fn passes_checks(&self, chain: &Chain, generators: &[Permutation]) -> Result<bool, BuildError> {
        let generators: Vec<Vec<u32>> =
            generators.iter().map(|generator| chain.to_internal(generator)).collect();
        let passes = |element: Vec<u32>| chain.sift_from(0, &mut Residue::new(element)).is_ok();
        for generator in &generators {
            self.control.poll()?;
            if !passes(generator.clone()) {
                return Ok(false);
            }
        }
        if generators.is_empty() {
            return Ok(true);
        }
        let mut sampler = Sampler::new(&generators, 0, !self.seed);
        for _ in 0..FINAL_CHECKS {
            self.control.poll()?;
            if !passes(sampler.sample().to_vec()) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
