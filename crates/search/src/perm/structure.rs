//! The structure of a permutation group on its orbits, without a stabiliser chain: pieces, linked orbits and
//! invariants.
//!
//! On each orbit the group lies in a wreath product: it permutes the blocks of a block system, and a local
//! group acts within a block (Seress 2003, section 1.2; for a cube, the blocks are pieces and the local group
//! twists them). The wreath product has homomorphisms to cyclic groups: the parity of the permutation of the
//! blocks and the sum of the local exponents. The images of the generators span a subgroup of the product
//! of these cyclic groups. This gives an upper bound for the order of the group, and a reason why most
//! permutations are not in the group.

use num_bigint::BigUint;

use super::abelian::AbelianSubgroup;
use super::local_action::{LocalGroup, LocalInvariant, LocalPermutation};
use super::{BlockSystem, Orbits, Permutation, block_systems, is_odd_permutation};
use crate::control::{Control, Stop};

/// A homomorphism from the wreath product of an orbit to a cyclic group.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Invariant {
    /// The number of the orbit.
    pub orbit: usize,
    /// What it measures.
    pub kind: InvariantKind,
}

/// What an invariant measures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InvariantKind {
    /// The parity of the permutation of the blocks.
    BlockParity,
    /// The sum of the twists of all blocks.
    TwistSum {
        /// The number of twists of a block.
        modulus: u32,
    },
    /// The parity of the permutations within the blocks together.
    LocalParity,
}

impl Invariant {
    /// The order of the cyclic group.
    pub fn modulus(&self) -> u32 {
        match self.kind {
            InvariantKind::TwistSum { modulus } => modulus,
            InvariantKind::BlockParity | InvariantKind::LocalParity => 2,
        }
    }
}

/// Why a permutation is not in a group, as far as the structure of the group shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Obstruction {
    /// A point and its image lie in different orbits.
    LeavesOrbit {
        /// The point.
        point: u32,
        /// Its image.
        image: u32,
    },
    /// The images of the points of a block lie in different blocks: a piece is taken apart.
    SplitsBlock {
        /// The orbit.
        orbit: usize,
        /// The points of the block.
        block: Vec<u32>,
    },
    /// No element of the group maps the points of the block in this way: a piece is reflected.
    LocalAction {
        /// The orbit.
        orbit: usize,
        /// The points of the block.
        block: Vec<u32>,
    },
    /// Two orbits move alike in every element of the group, but not here.
    LinkedOrbits {
        /// A point.
        point: u32,
        /// The point that is linked with it.
        linked: u32,
    },
    /// These invariants satisfy a relation in every element of the group, but not here. The relation
    /// involves each of them. A single one is zero in every element, up to a proper divisor of its modulus.
    Invariants(Vec<Invariant>),
}

/// The wreath product around the action on one orbit.
#[derive(Clone, Debug)]
pub(crate) struct OrbitStructure {
    pub(crate) orbit: usize,
    /// The points of each block; corresponding positions are related by elements of the group.
    pub(crate) blocks: Vec<Vec<u32>>,
    pub(crate) local: LocalGroup,
    /// The orbits that move alike: for each point of this orbit, in the order of the blocks, its partner.
    pub(crate) links: Vec<Vec<Vec<u32>>>,
    /// The positions of the invariants in the list of all.
    pub(crate) parity: Option<usize>,
    pub(crate) twist: Option<usize>,
}

/// Orbits, blocks and invariants of a permutation group.
#[derive(Clone, Debug)]
pub struct Structure {
    orbits: Orbits,
    pub(crate) parts: Vec<OrbitStructure>,
    /// The block of each point in its part, and the position within.
    place: Vec<(u32, u16)>,
    invariants: Vec<Invariant>,
    pub(crate) moduli: Vec<u32>,
    pub(crate) image: AbelianSubgroup,
}

impl Structure {
    /// The structure of the group that some permutations of `degree` points generate.
    pub fn new(degree: usize, generators: &[Permutation], control: &Control) -> Result<Structure, Stop> {
        let orbits = Orbits::new(degree, generators);
        let links = super::links::linked_orbits(&orbits, generators, control)?;
        let mut structure = Structure {
            parts: Vec::new(),
            place: vec![(0, 0); degree],
            invariants: Vec::new(),
            moduli: Vec::new(),
            image: AbelianSubgroup::trivial(&[]),
            orbits,
        };
        for (orbit, link) in links.iter().enumerate() {
            if structure.orbits.points(orbit).len() > 1 && link.is_none() {
                let (blocks, local) = wreath_product(structure.orbits.points(orbit), generators, control)?;
                structure.add_part(orbit, blocks, local);
            }
        }
        for link in links.into_iter().flatten() {
            if let Some(part) = structure.parts.iter_mut().find(|part| part.orbit == link.to) {
                let partner = |point: &u32| link.partner[point];
                let partners = part.blocks.iter().map(|block| block.iter().map(partner).collect());
                part.links.push(partners.collect());
            }
        }
        structure.image = AbelianSubgroup::trivial(&structure.moduli);
        for generator in generators {
            if let Ok(values) = structure.values(generator) {
                structure.image.insert(&values);
            }
        }
        Ok(structure)
    }

    fn add_part(&mut self, orbit: usize, blocks: Vec<Vec<u32>>, local: LocalGroup) {
        for (number, block) in blocks.iter().enumerate() {
            for (position, &point) in block.iter().enumerate() {
                self.place[point as usize] = (number as u32, position as u16);
            }
        }
        let kind = match local.invariant {
            LocalInvariant::None => None,
            LocalInvariant::Exponent => Some(InvariantKind::TwistSum { modulus: local.modulus }),
            LocalInvariant::Sign => Some(InvariantKind::LocalParity),
        };
        let mut add = |kind: InvariantKind| {
            let invariant = Invariant { orbit, kind };
            self.invariants.push(invariant);
            self.moduli.push(invariant.modulus());
            self.moduli.len() - 1
        };
        let parity = (blocks.len() > 1).then(|| add(InvariantKind::BlockParity));
        let twist = kind.map(add);
        self.parts.push(OrbitStructure { orbit, blocks, local, links: Vec::new(), parity, twist });
    }

    /// The number of points.
    pub fn degree(&self) -> usize {
        self.place.len()
    }

    /// The orbits.
    pub fn orbits(&self) -> &Orbits {
        &self.orbits
    }

    /// The invariants.
    pub fn invariants(&self) -> &[Invariant] {
        &self.invariants
    }

    /// The blocks of an orbit: its pieces. `None` for a fixed point, and for an orbit that moves like an
    /// earlier one.
    pub fn blocks(&self, orbit: usize) -> Option<&[Vec<u32>]> {
        self.parts.iter().find(|part| part.orbit == orbit).map(|part| part.blocks.as_slice())
    }

    /// The orbits that move like an earlier orbit in every element, with that orbit.
    pub fn linked(&self) -> Vec<(usize, usize)> {
        let link =
            |part: &OrbitStructure, partners: &[Vec<u32>]| (self.orbits.orbit_of(partners[0][0]), part.orbit);
        let links = |part| OrbitStructure::links(part).map(move |partners| link(part, partners));
        self.parts.iter().flat_map(links).collect()
    }

    /// The order of the largest group with these blocks, local groups, links and invariants: an upper bound
    /// for the order of the group.
    pub fn order_bound(&self) -> BigUint {
        let wreath: BigUint = self.parts.iter().map(OrbitStructure::wreath_order).product();
        let images: BigUint = self.moduli.iter().map(|&modulus| BigUint::from(modulus)).product();
        wreath / images * self.image.order()
    }

    /// The invariants of a permutation, or why it has none.
    pub fn values(&self, permutation: &Permutation) -> Result<Vec<u32>, Obstruction> {
        for (point, &image) in permutation.images().iter().enumerate() {
            let point = point as u32;
            if self.orbits.orbit_of(point) != self.orbits.orbit_of(image) {
                return Err(Obstruction::LeavesOrbit { point, image });
            }
        }
        let mut values = vec![0; self.moduli.len()];
        for part in &self.parts {
            let mut images = Vec::with_capacity(part.blocks.len());
            let mut twists = 0;
            for block in &part.blocks {
                let (image, local) = self.block_image(part, block, permutation)?;
                images.push(image as usize);
                let outside = || Obstruction::LocalAction { orbit: part.orbit, block: block.clone() };
                twists += part.local.value(&local).ok_or_else(outside)?;
            }
            if let Some(parity) = part.parity {
                values[parity] = u32::from(is_odd_permutation(images.len(), |block| images[block]));
            }
            if let Some(twist) = part.twist {
                values[twist] = twists % self.moduli[twist];
            }
            self.check_links(part, permutation)?;
        }
        Ok(values)
    }

    /// The image of a block, and the positions of the images of its points.
    fn block_image(
        &self,
        part: &OrbitStructure,
        block: &[u32],
        permutation: &Permutation,
    ) -> Result<(u32, LocalPermutation), Obstruction> {
        let place = |point: &u32| self.place[permutation.image(*point) as usize];
        let (image, _) = place(&block[0]);
        if block.iter().any(|point| place(point).0 != image) {
            return Err(Obstruction::SplitsBlock { orbit: part.orbit, block: block.to_vec() });
        }
        Ok((image, block.iter().map(|point| place(point).1).collect()))
    }

    fn check_links(&self, part: &OrbitStructure, permutation: &Permutation) -> Result<(), Obstruction> {
        for partners in &part.links {
            for (&point, &linked) in part.blocks.iter().flatten().zip(partners.iter().flatten()) {
                let (block, position) = self.place[permutation.image(point) as usize];
                if permutation.image(linked) != partners[block as usize][position as usize] {
                    return Err(Obstruction::LinkedOrbits { point, linked });
                }
            }
        }
        Ok(())
    }

    /// Why a permutation is not in the group; `None` if the structure shows no reason.
    pub fn obstruction(&self, permutation: &Permutation) -> Option<Obstruction> {
        match self.values(permutation) {
            Err(obstruction) => Some(obstruction),
            Ok(values) => self.violated(&self.image, &values).map(Obstruction::Invariants),
        }
    }

    /// A minimal set of invariants that satisfy a relation in the subgroup, but not in the given values.
    pub(crate) fn violated(&self, subgroup: &AbelianSubgroup, values: &[u32]) -> Option<Vec<Invariant>> {
        if subgroup.contains(values) {
            return None;
        }
        let violates = |set: &[usize]| !subgroup.projected(set).contains(&pick(values, set));
        let count = self.moduli.len();
        let singles = (0..count).map(|a| vec![a]);
        // Pairs are tried as long as this takes little time; then invariants are left out one by one.
        let limit = if count <= 100 { count } else { 0 };
        let pairs = (0..limit).flat_map(|b| (0..b).map(move |a| vec![a, b]));
        let small = singles.chain(pairs).find(|set| violates(set));
        let set = small.unwrap_or_else(|| {
            (0..count).fold((0..count).collect(), |set: Vec<usize>, dropped| {
                let fewer: Vec<usize> = set.iter().copied().filter(|&kept| kept != dropped).collect();
                if violates(&fewer) { fewer } else { set }
            })
        });
        Some(set.into_iter().map(|number| self.invariants[number]).collect())
    }
}

fn pick(values: &[u32], set: &[usize]) -> Vec<u32> {
    set.iter().map(|&number| values[number]).collect()
}

impl OrbitStructure {
    fn links(&self) -> impl Iterator<Item = &[Vec<u32>]> {
        self.links.iter().map(Vec::as_slice)
    }

    /// The order of the wreath product.
    fn wreath_order(&self) -> BigUint {
        let blocks = self.blocks.len();
        let factorial: BigUint = (1..=blocks as u64).product();
        factorial * BigUint::from(self.local.order()).pow(blocks as u32)
    }
}

/// The smallest wreath product around the action on an orbit, over its block systems.
fn wreath_product(
    orbit: &[u32],
    generators: &[Permutation],
    control: &Control,
) -> Result<(Vec<Vec<u32>>, LocalGroup), Stop> {
    let points = BlockSystem { blocks: orbit.iter().map(|&point| vec![point]).collect() };
    let whole = BlockSystem { blocks: vec![orbit.to_vec()] };
    let systems = block_systems(orbit, generators, control)?;
    let trivial = LocalGroup::generated(1, &[]).map(|local| (points.blocks, local));
    let mut best = trivial.ok_or(Stop::Memory)?;
    let weight = |(blocks, local): &(Vec<Vec<u32>>, LocalGroup)| {
        let factorial: f64 = (1..=blocks.len()).map(|n| (n as f64).ln()).sum();
        factorial + blocks.len() as f64 * (local.order() as f64).ln()
    };
    for system in systems.into_iter().chain([whole]) {
        control.poll()?;
        if let Some(candidate) = coordinates(&system, generators)
            && weight(&candidate) < weight(&best) - 1e-9
        {
            best = candidate;
        }
    }
    Ok(best)
}

/// Orders the points of each block so that an element of the group relates equal positions of two blocks, and
/// finds the group that acts on a block. `None` if that group is large.
fn coordinates(system: &BlockSystem, generators: &[Permutation]) -> Option<(Vec<Vec<u32>>, LocalGroup)> {
    let last = system.blocks.iter().flatten().max()?;
    let mut place = vec![(u32::MAX, 0u16); *last as usize + 1];
    let mut blocks: Vec<Vec<u32>> = Vec::new();
    let mut queue = vec![system.blocks[0].clone()];
    let mut local: Vec<LocalPermutation> = Vec::new();
    let size = system.blocks[0].len();
    if size > usize::from(u16::MAX) {
        return None;
    }
    while let Some(block) = queue.pop() {
        if place[block[0] as usize].0 != u32::MAX {
            continue;
        }
        for (position, &point) in block.iter().enumerate() {
            place[point as usize] = (blocks.len() as u32, position as u16);
        }
        for generator in generators {
            queue.push(block.iter().map(|&point| generator.image(point)).collect());
        }
        blocks.push(block);
    }
    for block in &blocks {
        for generator in generators {
            let images = block.iter().map(|&point| place[generator.image(point) as usize].1);
            local.push(images.collect());
        }
    }
    local.sort_unstable();
    local.dedup();
    Some((blocks, LocalGroup::generated(size, &local)?))
}
