//! Orbits of a permutation group, and its systems of blocks of imprimitivity (Atkinson 1975).

use super::Permutation;
use crate::control::{Control, Stop};

/// The orbits of the group that some permutations generate.
#[derive(Clone, Debug)]
pub struct Orbits {
    /// The number of the orbit of each point.
    orbit_of: Vec<u32>,
    /// The points of each orbit in increasing order; orbits are ordered by their smallest point.
    points: Vec<Vec<u32>>,
}

impl Orbits {
    /// The orbits of the group that these permutations of `degree` points generate.
    pub fn new(degree: usize, generators: &[Permutation]) -> Orbits {
        let mut orbit_of = vec![u32::MAX; degree];
        let mut points: Vec<Vec<u32>> = Vec::new();
        for first in 0..degree as u32 {
            if orbit_of[first as usize] != u32::MAX {
                continue;
            }
            let number = points.len() as u32;
            orbit_of[first as usize] = number;
            let mut orbit = vec![first];
            let mut next = 0;
            while next < orbit.len() {
                for generator in generators {
                    let image = generator.image(orbit[next]);
                    if orbit_of[image as usize] == u32::MAX {
                        orbit_of[image as usize] = number;
                        orbit.push(image);
                    }
                }
                next += 1;
            }
            orbit.sort_unstable();
            points.push(orbit);
        }
        Orbits { orbit_of, points }
    }

    /// The number of orbits, fixed points included.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// The number of the orbit of a point.
    pub fn orbit_of(&self, point: u32) -> usize {
        self.orbit_of[point as usize] as usize
    }

    /// The points of an orbit, in increasing order.
    pub fn points(&self, orbit: usize) -> &[u32] {
        &self.points[orbit]
    }

    /// The points of each orbit.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.points.iter().map(Vec::as_slice)
    }
}

/// A partition of an orbit into blocks: the group maps blocks to blocks.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BlockSystem {
    /// The blocks, each in increasing order, ordered by their smallest point.
    pub blocks: Vec<Vec<u32>>,
}

/// The finest block systems in which the first point of the orbit shares its block with another point: one
/// for each such point, without repetitions, finer ones first. The minimal block systems are among them; the
/// last one may be the whole orbit as one block.
///
/// Takes about `n²·g` steps for `n` points and `g` generators.
pub fn block_systems(
    orbit: &[u32],
    generators: &[Permutation],
    control: &Control,
) -> Result<Vec<BlockSystem>, Stop> {
    let mut systems: Vec<BlockSystem> = Vec::new();
    let Some(&first) = orbit.first() else { return Ok(systems) };
    let mut partition = Partition::new(orbit);
    for &point in &orbit[1..] {
        control.poll()?;
        let system = partition.finest_blocks(first, point, generators);
        if !systems.contains(&system) {
            systems.push(system);
        }
    }
    systems.sort_by_key(|system| system.blocks[0].len());
    Ok(systems)
}

/// The block systems without another non-trivial one below them: blocks of a primitive action on a block.
pub fn minimal_block_systems(
    orbit: &[u32],
    generators: &[Permutation],
    control: &Control,
) -> Result<Vec<BlockSystem>, Stop> {
    let systems = block_systems(orbit, generators, control)?;
    let refines = |fine: &BlockSystem, coarse: &BlockSystem| {
        fine != coarse && fine.blocks[0].iter().all(|point| coarse.blocks[0].contains(point))
    };
    let minimal = |system: &&BlockSystem| {
        system.blocks.len() > 1 && !systems.iter().any(|other| refines(other, system))
    };
    Ok(systems.iter().filter(minimal).cloned().collect())
}

/// A union-find structure over the points of one orbit.
struct Partition<'a> {
    orbit: &'a [u32],
    /// The index in the orbit of each point up to the largest.
    index: Vec<u32>,
    parent: Vec<u32>,
    size: Vec<u32>,
}

impl<'a> Partition<'a> {
    fn new(orbit: &'a [u32]) -> Partition<'a> {
        let mut index = vec![0; orbit.last().map_or(0, |&last| last as usize + 1)];
        for (number, &point) in orbit.iter().enumerate() {
            index[point as usize] = number as u32;
        }
        Partition { orbit, index, parent: Vec::new(), size: Vec::new() }
    }

    fn root(&mut self, index: u32) -> u32 {
        let mut at = index;
        while self.parent[at as usize] != at {
            let above = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = above;
            at = above;
        }
        at
    }

    /// Joins two classes. Returns the root that is no longer one.
    fn join(&mut self, a: u32, b: u32) -> Option<u32> {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return None;
        }
        let (kept, gone) = if self.size[a as usize] >= self.size[b as usize] { (a, b) } else { (b, a) };
        self.parent[gone as usize] = kept;
        self.size[kept as usize] += self.size[gone as usize];
        Some(gone)
    }

    /// Atkinson's algorithm: joins two points, and then the images of joined points, until nothing changes.
    fn finest_blocks(&mut self, a: u32, b: u32, generators: &[Permutation]) -> BlockSystem {
        self.parent = (0..self.orbit.len() as u32).collect();
        self.size = vec![1; self.orbit.len()];
        let mut queue: Vec<u32> =
            self.join(self.index[a as usize], self.index[b as usize]).into_iter().collect();
        while let Some(gone) = queue.pop() {
            let root = self.root(gone);
            for generator in generators {
                let image = |index: u32| generator.image(self.orbit[index as usize]) as usize;
                let (one, other) = (self.index[image(gone)], self.index[image(root)]);
                queue.extend(self.join(one, other));
            }
        }
        let mut number_of = vec![usize::MAX; self.orbit.len()];
        let mut blocks: Vec<Vec<u32>> = Vec::new();
        for index in 0..self.orbit.len() as u32 {
            let root = self.root(index) as usize;
            if number_of[root] == usize::MAX {
                number_of[root] = blocks.len();
                blocks.push(Vec::new());
            }
            blocks[number_of[root]].push(self.orbit[index as usize]);
        }
        BlockSystem { blocks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perm::test_groups::{cube, cycle, dihedral, m24};

    #[test]
    fn a_cycle_has_a_block_system_for_every_divisor() {
        let systems = block_systems(&(0..12).collect::<Vec<_>>(), &[cycle(12)], &Control::default()).unwrap();
        let sizes: Vec<usize> = systems.iter().map(|system| system.blocks[0].len()).collect();
        assert_eq!(sizes, [2, 3, 4, 6, 12]);
        let minimal = minimal_block_systems(&(0..12).collect::<Vec<_>>(), &[cycle(12)], &Control::default());
        let sizes: Vec<usize> = minimal.unwrap().iter().map(|system| system.blocks[0].len()).collect();
        assert_eq!(sizes, [2, 3]);
    }

    #[test]
    fn stickers_of_a_cube_form_pieces() {
        let (degree, generators) = cube(3);
        let orbits = Orbits::new(degree, &generators);
        let mut found: Vec<(usize, Vec<usize>)> = Vec::new();
        for orbit in orbits.iter().filter(|orbit| orbit.len() > 1) {
            let minimal = minimal_block_systems(orbit, &generators, &Control::default()).unwrap();
            found.push((orbit.len(), minimal.iter().map(|system| system.blocks[0].len()).collect()));
        }
        found.sort();
        assert_eq!(found, [(24, vec![2]), (24, vec![3])], "edges have two stickers, corners three");
    }

    #[test]
    fn blocks_are_mapped_to_blocks() {
        for generators in [vec![cycle(30)], dihedral(24), m24()] {
            let orbit: Vec<u32> = (0..generators[0].degree() as u32).collect();
            for system in block_systems(&orbit, &generators, &Control::default()).unwrap() {
                for generator in &generators {
                    for block in &system.blocks {
                        let mut image: Vec<u32> = block.iter().map(|&point| generator.image(point)).collect();
                        image.sort_unstable();
                        assert!(system.blocks.contains(&image), "{image:?} is no block of {system:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_primitive_group_has_no_blocks() {
        let orbit: Vec<u32> = (0..24).collect();
        assert_eq!(minimal_block_systems(&orbit, &m24(), &Control::default()).unwrap(), []);
    }
}
