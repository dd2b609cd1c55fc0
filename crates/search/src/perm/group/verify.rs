//! Verification of a stabiliser chain by Schreier generators (Sims 1970; Seress 2003, section 4.2).
//!
//! A chain is complete if the Schreier generators of every level sift to the identity. The strong generators
//! of later orbits need less: conjugates by the strong generators of a stage must lie in the chain of the
//! later stages, which is then normalised by the whole stage.

use num_bigint::BigUint;

use super::chain::{Chain, Residue, Stage};
use crate::control::{Control, Stop};

/// The result of a check within a budget.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verification {
    /// The chain is complete.
    Complete,
    /// An element of the group is missing from the chain.
    Incomplete,
    /// The check needs more steps than the budget allows.
    TooExpensive,
}

/// The approximate number of steps of [`verify`]: images computed.
pub(super) fn cost(chain: &Chain) -> BigUint {
    let degree = chain.points.len() as u64;
    let depths: Vec<u64> = chain.stages.iter().map(|stage| 3 * stage.levels.len() as u64).collect();
    let mut total = BigUint::ZERO;
    let mut later_depth: u64 = depths.iter().sum();
    let mut later_generators: u64 = chain.stages.iter().map(|stage| stage.generators.len() as u64).sum();
    for (stage, depth) in chain.stages.iter().zip(&depths) {
        let generators = stage.generators.len() as u64;
        later_generators -= generators;
        let schreier: u64 = stage.levels.iter().map(|level| level.tree.len() as u64 * generators / 2).sum();
        let suffix = degree - stage.start as u64;
        total += BigUint::from(schreier + generators * later_generators) * later_depth * suffix;
        later_depth -= depth;
    }
    total
}

/// Whether the chain is complete. The generators of the group have been sifted before.
pub(super) fn verify(chain: &Chain, control: &Control) -> Result<bool, Stop> {
    for number in 0..chain.stages.len() {
        if !schreier_generators_sift(chain, number, control)? || !normalises(chain, number, control)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn full(stage: &Stage, generator: usize) -> Vec<u32> {
    (0..stage.start as u32).chain(stage.images(generator).iter().copied()).collect()
}

fn invert(images: &[u32]) -> Vec<u32> {
    let mut inverse = vec![0; images.len()];
    for (point, &image) in images.iter().enumerate() {
        inverse[image as usize] = point as u32;
    }
    inverse
}

/// The elements `u·s` for all transversal elements `u` and strong generators `s` of each level must sift to
/// the identity.
fn schreier_generators_sift(chain: &Chain, number: usize, control: &Control) -> Result<bool, Stop> {
    let stage = &chain.stages[number];
    for (at, level) in stage.levels.iter().enumerate() {
        for &point in level.tree.orbit() {
            let mut transversal: Vec<u32> = (0..chain.points.len() as u32).collect();
            for generator in level.tree.path(point as usize) {
                apply(&mut transversal, stage, generator as usize);
            }
            for (generator, strong) in stage.generators.iter().enumerate() {
                if strong.level < at {
                    continue;
                }
                control.poll()?;
                let mut product = transversal.clone();
                apply(&mut product, stage, generator);
                if chain.sift_from(number, &mut Residue::new(invert(&product))).is_err() {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}

/// Multiplies by a strong generator from the right.
pub(super) fn apply(images: &mut [u32], stage: &Stage, generator: usize) {
    let by = stage.images(generator);
    for image in images {
        // Smaller points are fixed.
        if let Some(at) = (*image as usize).checked_sub(stage.start) {
            *image = by[at];
        }
    }
}

/// Whether the strong generators of a stage normalise the group of the later stages.
fn normalises(chain: &Chain, number: usize, control: &Control) -> Result<bool, Stop> {
    let stage = &chain.stages[number];
    for by in 0..stage.generators.len() {
        let by = full(stage, by);
        for later in &chain.stages[number + 1..] {
            for generator in 0..later.generators.len() {
                control.poll()?;
                let element = full(later, generator);
                let mut conjugate = vec![0; element.len()];
                for (point, &image) in element.iter().enumerate() {
                    conjugate[by[point] as usize] = by[image as usize];
                }
                if chain.sift_from(number + 1, &mut Residue::new(conjugate)).is_err() {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}
