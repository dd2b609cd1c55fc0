//! Colourings under the largest group with a given structure.
//!
//! The stabiliser of a colouring in a wreath product permutes the blocks of equal colours and acts within
//! each block by the stabiliser of its colours. Its invariants, and those of the group, are subgroups of one
//! finite abelian group.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::ColourMapping;
use crate::perm::Permutation;
use crate::perm::abelian::{AbelianSubgroup, lcm};
use crate::perm::local_action::LocalPermutation;
use crate::perm::structure::{OrbitStructure, Structure};

/// The colours of one block, by position: that of the point and those of its linked points.
type BlockColours = Vec<Vec<u32>>;

fn block_colours(part: &OrbitStructure, colours: &[u32]) -> Vec<BlockColours> {
    let colour = |point: u32| colours[point as usize];
    let position = |block: usize, at: usize, point: u32| {
        let linked = part.links.iter().map(|partners| colour(partners[block][at]));
        std::iter::once(colour(point)).chain(linked).collect()
    };
    let block = |(block, points): (usize, &Vec<u32>)| {
        points.iter().enumerate().map(|(at, &point)| position(block, at, point)).collect()
    };
    part.blocks.iter().enumerate().map(block).collect()
}

/// `colours` moved by an element of the local group.
fn moved(colours: &BlockColours, by: &[u16]) -> BlockColours {
    let mut moved = vec![Vec::new(); colours.len()];
    for (position, colours) in colours.iter().enumerate() {
        moved[usize::from(by[position])].clone_from(colours);
    }
    moved
}

/// The blocks by the smallest image of their colours, each with an element that leads there.
type Classes<'a> = BTreeMap<BlockColours, Vec<(usize, &'a LocalPermutation)>>;

fn classes<'a>(part: &'a OrbitStructure, colours: &[u32]) -> Classes<'a> {
    let elements = part.local.elements();
    let mut classes = Classes::new();
    for (block, colours) in block_colours(part, colours).iter().enumerate() {
        let images = elements.iter().map(|&(element, _)| (moved(colours, element), element));
        if let Some((least, element)) = images.min() {
            classes.entry(least).or_default().push((block, element));
        }
    }
    classes
}

/// A generator of the abelian image of the stabiliser, with an element of the stabiliser.
struct StabilizerGenerator {
    values: Vec<u32>,
    element: Permutation,
}

/// The order of the stabiliser in the wreath product of an orbit.
fn wreath_stabilizer_order(part: &OrbitStructure, classes: &Classes<'_>) -> BigUint {
    let mut order = BigUint::from(1u32);
    for (colours, blocks) in classes {
        let fixing = part.local.elements().iter().filter(|(by, _)| moved(colours, by) == *colours).count();
        order *=
            (1..=blocks.len() as u64).product::<BigUint>() * BigUint::from(fixing).pow(blocks.len() as u32);
    }
    order
}

/// An element that maps blocks to blocks, with a local element that leads there.
fn element(degree: usize, part: &OrbitStructure, blocks: &[(usize, usize, LocalPermutation)]) -> Permutation {
    let mut images: Vec<u32> = (0..degree as u32).collect();
    set_images(&mut images, part, blocks);
    Permutation::from_images(images)
}

fn set_images(images: &mut [u32], part: &OrbitStructure, blocks: &[(usize, usize, LocalPermutation)]) {
    for (from, to, local) in blocks {
        for (position, &target) in local.iter().enumerate() {
            let target = usize::from(target);
            images[part.blocks[*from][position] as usize] = part.blocks[*to][target];
            for partners in &part.links {
                images[partners[*from][position] as usize] = partners[*to][target];
            }
        }
    }
}

fn product(first: &[u16], second: &[u16]) -> LocalPermutation {
    first.iter().map(|&at| second[usize::from(at)]).collect()
}

fn inverse(local: &[u16]) -> LocalPermutation {
    let mut inverse = vec![0; local.len()];
    for (position, &image) in local.iter().enumerate() {
        inverse[usize::from(image)] = position as u16;
    }
    inverse.into()
}

/// Elements of the stabiliser whose invariants generate those of the stabiliser in the wreath product.
fn generators(
    structure: &Structure,
    part: &OrbitStructure,
    classes: &Classes<'_>,
) -> Vec<StabilizerGenerator> {
    let degree = structure.degree();
    let mut found = Vec::new();
    let mut add = |blocks: &[(usize, usize, LocalPermutation)]| {
        let element = element(degree, part, blocks);
        if let Ok(values) = structure.values(&element)
            && values.iter().any(|&value| value != 0)
        {
            found.push(StabilizerGenerator { values, element });
        }
    };
    for (colours, blocks) in classes {
        let (first, to_least) = &blocks[0];
        if let Some((second, other)) = blocks.get(1) {
            let there = product(to_least, &inverse(other));
            add(&[(*first, *second, there.clone()), (*second, *first, inverse(&there))]);
        }
        for (by, _) in part.local.elements() {
            if moved(colours, by) == *colours {
                add(&[(*first, *first, product(&product(to_least, by), &inverse(to_least)))]);
            }
        }
    }
    found
}

/// The order of the stabiliser of a colouring in the largest group with this structure.
pub(super) fn stabilizer_order(structure: &Structure, colours: &[u32]) -> BigUint {
    let mut order = BigUint::from(1u32);
    let mut image = AbelianSubgroup::trivial(&structure.moduli);
    let mut sum = structure.image.clone();
    for part in &structure.parts {
        let classes = classes(part, colours);
        order *= wreath_stabilizer_order(part, &classes);
        for generator in generators(structure, part, &classes) {
            image.insert(&generator.values);
            sum.insert(&generator.values);
        }
    }
    // The kernel of the invariants on the stabiliser, times the values that the group attains as well.
    let common = structure.image.order() * image.order() / sum.order();
    order / image.order() * common
}

/// An element of the largest group with this structure that takes one colouring to another.
pub(super) fn map(structure: &Structure, from: &[u32], to: &[u32]) -> ColourMapping {
    let mut images: Vec<u32> = (0..structure.degree() as u32).collect();
    let mut stabilizer = Vec::new();
    for orbit in structure.orbits().iter().filter(|orbit| orbit.len() == 1) {
        if from[orbit[0] as usize] != to[orbit[0] as usize] {
            return ColourMapping::Pieces { orbit: structure.orbits().orbit_of(orbit[0]) };
        }
    }
    for part in &structure.parts {
        let (start, target) = (classes(part, from), classes(part, to));
        let sizes = |classes: &Classes<'_>| -> Vec<(BlockColours, usize)> {
            classes.iter().map(|(colours, blocks)| (colours.clone(), blocks.len())).collect()
        };
        if sizes(&start) != sizes(&target) {
            return ColourMapping::Pieces { orbit: part.orbit };
        }
        for (blocks, targets) in start.values().zip(target.values()) {
            for ((block, to_least), (image, other)) in blocks.iter().zip(targets) {
                let local = product(to_least, &inverse(other));
                set_images(&mut images, part, &[(*block, *image, local)]);
            }
        }
        stabilizer.extend(generators(structure, part, &target));
    }
    let element = Permutation::from_images(images);
    match structure.values(&element) {
        Ok(values) => adjust(structure, element, &values, &stabilizer),
        Err(_) => ColourMapping::Exhausted,
    }
}

/// Multiplies an element by elements of the stabiliser so that its invariants are those of the group.
fn adjust(
    structure: &Structure,
    element: Permutation,
    values: &[u32],
    stabilizer: &[StabilizerGenerator],
) -> ColourMapping {
    let count = values.len();
    // Each generator has a further coordinate that counts how often it is used.
    let mut independent: Vec<&StabilizerGenerator> = Vec::new();
    let mut sum = structure.image.clone();
    for generator in stabilizer {
        if sum.insert(&generator.values) {
            independent.push(generator);
        }
    }
    if !sum.contains(values) {
        let violated = structure.violated(&sum, values).unwrap_or_default();
        return ColourMapping::Invariants(violated);
    }
    let exponent = structure.moduli.iter().fold(1, |multiple, &modulus| lcm(multiple, modulus));
    let moduli: Vec<u32> =
        structure.moduli.iter().copied().chain(independent.iter().map(|_| exponent)).collect();
    let mut extended = AbelianSubgroup::trivial(&moduli);
    for row in structure.image.generators() {
        extended.insert(&[&row[..], &vec![0; independent.len()]].concat());
    }
    for (number, generator) in independent.iter().enumerate() {
        let mut row = [&generator.values[..], &vec![0; independent.len()]].concat();
        row[count + number] = 1 % exponent;
        extended.insert(&row);
    }
    // What remains in the further coordinates is minus the number of uses, which cancels the values.
    let rest = extended.reduce(&[values, &vec![0; independent.len()]].concat());
    let adjusted = independent
        .iter()
        .zip(&rest[count..])
        .fold(element, |element, (generator, &times)| element.then(&generator.element.power(times)));
    ColourMapping::Element(adjusted)
}
