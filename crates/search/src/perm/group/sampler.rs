//! Random elements of a group by product replacement (Celler, Leedham-Green, Murray, Niemeyer & O'Brien
//! 1995) with an accumulator.
//!
//! The elements are nearly uniform, which the construction of a chain needs only for its speed.

use crate::perm::SplitMix64;

/// Product replacement on elements that fix all points before `start`.
pub(super) struct Sampler {
    start: usize,
    slots: Vec<Vec<u32>>,
    accumulator: Vec<u32>,
    scratch: Vec<u32>,
    random: SplitMix64,
}

impl Sampler {
    /// The sampler of the group that these elements generate; there is at least one.
    pub(super) fn new(generators: &[Vec<u32>], start: usize, seed: u64) -> Sampler {
        let count = (generators.len() + 2).max(10);
        let slots: Vec<Vec<u32>> = generators.iter().cycle().take(count).cloned().collect();
        let identity: Vec<u32> = (0..slots[0].len() as u32).collect();
        let random = SplitMix64(seed);
        let mut sampler = Sampler { start, slots, scratch: identity.clone(), accumulator: identity, random };
        for _ in 0..3 * count + 30 {
            sampler.step();
        }
        sampler
    }

    fn below(&mut self, count: usize) -> usize {
        (self.random.next_u64() % count as u64) as usize
    }

    fn step(&mut self) {
        let changed = self.below(self.slots.len());
        let other = (changed + 1 + self.below(self.slots.len() - 1)) % self.slots.len();
        let (first, second) = if self.below(2) == 0 { (changed, other) } else { (other, changed) };
        for point in self.start..self.scratch.len() {
            self.scratch[point] = self.slots[second][self.slots[first][point] as usize];
        }
        std::mem::swap(&mut self.scratch, &mut self.slots[changed]);
        let slot = &self.slots[changed];
        for image in &mut self.accumulator[self.start..] {
            *image = slot[*image as usize];
        }
    }

    /// The next element. The points before the start are fixed.
    pub(super) fn sample(&mut self) -> &[u32] {
        self.step();
        &self.accumulator
    }
}
