//! A stabiliser chain: base and strong generating set (Sims 1970), with Schreier trees.
//!
//! Points are renumbered so that each orbit of the group is a range, and the base lists the points of one
//! orbit after the other. The levels of one orbit form a stage. An element that reaches a stage fixes all
//! earlier points, so it is stored and multiplied only from the first point of its stage. Strong generators
//! occur in the levels of their own stage only, because those of later stages fix its points.

use super::tree::{NONE, Tree};
use crate::perm::{Orbits, Permutation};

/// An element of the group in internal numbers: the images of the points from the first one of its stage.
pub(super) struct StrongGenerator {
    /// The first level of the stage whose base point the element moves.
    pub(super) level: usize,
    images: Box<[u32]>,
}

/// One level: a base point and the tree of its orbit.
pub(super) struct Level {
    pub(super) base: u32,
    pub(super) tree: Tree,
}

/// The levels whose base points lie in one orbit of the group.
pub(super) struct Stage {
    /// The first point of the orbit and the one after its last.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) levels: Vec<Level>,
    pub(super) generators: Vec<StrongGenerator>,
}

/// A stabiliser chain.
pub(super) struct Chain {
    /// The internal number of each point, and the converse.
    pub(super) internal: Vec<u32>,
    pub(super) points: Vec<u32>,
    pub(super) stages: Vec<Stage>,
}

/// An element that is sifted. Its inverse is stored, because multiplying that from the left by a strong
/// generator needs no inverse of the generator.
pub(super) struct Residue {
    pub(super) inverse: Vec<u32>,
    scratch: Vec<u32>,
}

/// Where an element left the chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Failure {
    pub(super) stage: usize,
    /// The level of the stage; the number of levels if the element moves a point although it fixes all base
    /// points of the stage.
    pub(super) level: usize,
    /// The base point, or the first moved point, and its image.
    pub(super) point: u32,
    pub(super) image: u32,
}

impl Residue {
    pub(super) fn new(inverse: Vec<u32>) -> Residue {
        Residue { scratch: inverse.clone(), inverse }
    }

    /// Whether the element fixes all points from this one on.
    pub(super) fn is_identity_from(&self, start: usize) -> bool {
        self.inverse[start..].iter().zip(start as u32..).all(|(&image, point)| image == point)
    }
}

impl Stage {
    pub(super) fn new(start: usize, end: usize) -> Stage {
        Stage { start, end, levels: Vec::new(), generators: Vec::new() }
    }

    pub(super) fn images(&self, generator: usize) -> &[u32] {
        &self.generators[generator].images
    }

    /// The bytes of one more strong generator.
    pub(super) fn generator_bytes(&self, degree: usize) -> u64 {
        4 * (degree - self.start) as u64
    }

    /// Multiplies the residue by inverses of transversal elements until it fixes all points of the stage.
    pub(super) fn sift(&self, number: usize, residue: &mut Residue) -> Result<(), Failure> {
        let (start, end) = (self.start, self.end);
        for (level, Level { base, tree }) in self.levels.iter().enumerate() {
            let image = residue.inverse[start..end].iter().position(|&point| point == *base);
            let mut image = image.map_or(start, |at| at + start);
            if tree.edge(image - start) == NONE {
                return Err(Failure { stage: number, level, point: *base, image: image as u32 });
            }
            while image != *base as usize {
                let generator = self.images(tree.edge(image - start) as usize);
                multiply(residue, generator, start);
                image = start + tree.parent(image - start);
            }
        }
        // A moved point of the stage would be the next base point.
        let moved = (start..end).find(|&point| residue.inverse[point] != point as u32);
        match moved {
            None => Ok(()),
            Some(point) => {
                let image = residue.inverse[start..end].iter().position(|&image| image as usize == point);
                let image = (start + image.unwrap_or(point - start)) as u32;
                Err(Failure { stage: number, level: self.levels.len(), point: point as u32, image })
            }
        }
    }

    /// Adds an element, which fixes the base points before `level` and moves that of `level`, and extends
    /// the orbits of the levels up to this one. `images` are those from the start of the stage.
    pub(super) fn add(&mut self, level: usize, images: Box<[u32]>) {
        if level == self.levels.len() {
            let offset = images.iter().zip(self.start as u32..).position(|(&image, point)| image != point);
            let base = (self.start + offset.unwrap_or(0)) as u32;
            self.levels.push(Level { base, tree: Tree::default() });
        }
        self.generators.push(StrongGenerator { level, images });
        let added = self.generators.len() - 1;
        for at in (0..=level).rev() {
            let tree = &self.levels[at].tree;
            // Earlier base points are fixed, so the orbit cannot be larger.
            let complete = tree.len() == self.end - self.start - at;
            if tree.is_empty()
                || !complete && !tree.is_closed_under(&self.generators[added].images, self.start)
            {
                self.rebuild(at);
            }
        }
    }

    /// Builds the tree of a level anew. Elements that shorten its paths become strong generators.
    fn rebuild(&mut self, level: usize) {
        let (start, base) = (self.start, self.levels[level].base as usize - self.start);
        let mut rounds = 0;
        loop {
            let usable: Vec<usize> =
                (0..self.generators.len()).filter(|&number| self.generators[number].level >= level).collect();
            let size = self.end - start;
            let tree = Tree::new(base, (start, size, size - level), &usable, |number| self.images(number));
            let deepest = tree.deepest();
            let bound = 2 * tree.len().ilog2() as usize + 4;
            let word = tree.path(deepest);
            self.levels[level].tree = tree;
            rounds += 1;
            if word.len() <= bound || rounds > 64 {
                return;
            }
            // The product of the first half of the longest path is as good a shortcut as any.
            let half = &word[..word.len().div_ceil(2)];
            let images = self.product(half);
            self.generators.push(StrongGenerator { level, images });
        }
    }

    /// The product of strong generators.
    fn product(&self, word: &[u32]) -> Box<[u32]> {
        let mut product = self.images(word[0] as usize).to_vec();
        for &generator in &word[1..] {
            let images = self.images(generator as usize);
            for image in &mut product {
                *image = images[*image as usize - self.start];
            }
        }
        product.into()
    }

    /// Drops the strong generators that no tree uses: the transversals generate the group.
    pub(super) fn drop_unused(&mut self) {
        let mut used = vec![false; self.generators.len()];
        for level in &self.levels {
            level.tree.mark_generators(&mut used);
        }
        let mut number = 0;
        let numbers: Vec<u32> = used
            .iter()
            .map(|&used| {
                number += u32::from(used);
                number.saturating_sub(1)
            })
            .collect();
        let mut at = 0;
        self.generators.retain(|_| {
            at += 1;
            used[at - 1]
        });
        self.generators.shrink_to_fit();
        for level in &mut self.levels {
            level.tree.renumber(&numbers);
        }
    }
}

/// `residue := residue · generator⁻¹`, that is `inverse := generator · inverse`.
fn multiply(residue: &mut Residue, generator: &[u32], start: usize) {
    let Residue { inverse, scratch } = residue;
    for (new, &image) in scratch[start..].iter_mut().zip(generator) {
        *new = inverse[image as usize];
    }
    std::mem::swap(inverse, scratch);
}

impl Chain {
    /// A chain without levels.
    pub(super) fn new(orbits: &Orbits) -> Chain {
        let points: Vec<u32> = orbits.iter().flatten().copied().collect();
        let mut internal = vec![0; points.len()];
        for (number, &point) in points.iter().enumerate() {
            internal[point as usize] = number as u32;
        }
        let mut start = 0;
        let stages = orbits.iter().map(|orbit| {
            start += orbit.len();
            Stage::new(start - orbit.len(), start)
        });
        Chain { stages: stages.collect(), internal, points }
    }

    /// The images of a permutation in internal numbers.
    pub(super) fn to_internal(&self, permutation: &Permutation) -> Vec<u32> {
        self.points.iter().map(|&point| self.internal[permutation.image(point) as usize]).collect()
    }

    /// The permutation with these images in internal numbers.
    pub(super) fn to_permutation(&self, images: &[u32]) -> Permutation {
        let image = |&number: &u32| self.points[images[number as usize] as usize];
        Permutation::from_images(self.internal.iter().map(image).collect())
    }

    /// Sifts an element through the stages from this one on.
    pub(super) fn sift_from(&self, stage: usize, residue: &mut Residue) -> Result<(), Failure> {
        self.stages[stage..].iter().enumerate().try_for_each(|(at, next)| {
            if residue.inverse.get(next.start).is_none() {
                return Ok(());
            }
            let result = next.sift(stage + at, residue);
            // `scratch` may lag behind in the points of earlier stages, which are fixed from here on.
            residue.settle(next.start, next.end);
            result
        })
    }
}

impl Residue {
    /// Makes both buffers agree in the points of a finished stage.
    pub(super) fn settle(&mut self, start: usize, end: usize) {
        let Residue { inverse, scratch } = self;
        scratch[start..end].copy_from_slice(&inverse[start..end]);
    }
}
