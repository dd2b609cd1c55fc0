//! Backtrack search over the base images of a stabiliser chain (Butler 1982; Leon 1991).
//!
//! A node fixes the images of the first base points. It is pruned if a base point and its image have
//! different colours, or if an orbit of the remaining stabiliser and its image have different numbers of
//! points of some colour.

use num_bigint::BigUint;

use super::ColourMapping;
use crate::control::{Control, Stop};
use crate::perm::group::PermutationGroup;
use crate::perm::{Orbits, Permutation};

/// Larger tables of transversals are not built.
const MAX_TABLE_IMAGES: usize = 1 << 26;

struct Level {
    base: u32,
    /// The orbit of the base point with transversal elements.
    orbit: Vec<(u32, Permutation)>,
    /// The orbits of the stabiliser of this base point and all earlier ones, without fixed points.
    next_orbits: Vec<Vec<u32>>,
}

struct Search<'a> {
    levels: Vec<Level>,
    from: &'a [u32],
    to: &'a [u32],
    budget: u64,
    control: &'a Control,
}

/// The result of a search: an element, none, or the budget is used up.
enum Found {
    Element(Permutation),
    None,
    Budget,
}

fn levels(group: &PermutationGroup) -> Option<Vec<Level>> {
    let base = group.base();
    let images: usize = base.iter().map(|(_, size)| size * group.degree()).sum();
    if images > MAX_TABLE_IMAGES {
        return None;
    }
    let mut strong: Vec<Permutation> = Vec::new();
    let mut levels: Vec<Level> = Vec::new();
    for level in (0..base.len()).rev() {
        let orbits = Orbits::new(group.degree(), &strong);
        let next_orbits = orbits.iter().filter(|orbit| orbit.len() > 1).map(<[u32]>::to_vec).collect();
        let orbit = group.transversal(level);
        // Transversal elements generate the stabiliser; those of one level beyond a few add little, but
        // all are needed to be sure.
        strong.extend(orbit.iter().map(|(_, element)| element.clone()));
        levels.push(Level { base: base[level].0, orbit, next_orbits });
    }
    levels.reverse();
    Some(levels)
}

impl Search<'_> {
    /// An element of the stabiliser of the first `level` base points, multiplied by `element`, that takes one
    /// colouring to the other.
    fn find(&mut self, level: usize, element: &Permutation) -> Result<Found, Stop> {
        if self.budget == 0 {
            return Ok(Found::Budget);
        }
        self.budget -= 1;
        self.control.poll()?;
        let Some(here) = self.levels.get(level) else {
            let preserved =
                |(point, &colour): (usize, &u32)| self.to[element.image(point as u32) as usize] == colour;
            let all = self.from.iter().enumerate().all(preserved);
            return Ok(if all { Found::Element(element.clone()) } else { Found::None });
        };
        let colour = self.from[here.base as usize];
        for choice in 0..here.orbit.len() {
            let here = &self.levels[level];
            let (point, transversal) = &here.orbit[choice];
            if self.to[element.image(*point) as usize] != colour {
                continue;
            }
            let next = transversal.then(element);
            if self.orbits_agree(level, &next) {
                match self.find(level + 1, &next)? {
                    Found::None => {}
                    other => return Ok(other),
                }
            }
        }
        Ok(Found::None)
    }

    /// Whether each orbit of the remaining stabiliser has the colours of its image.
    fn orbits_agree(&self, level: usize, element: &Permutation) -> bool {
        let sorted = |mut colours: Vec<u32>| {
            colours.sort_unstable();
            colours
        };
        self.levels[level].next_orbits.iter().all(|orbit| {
            let here = orbit.iter().map(|&point| self.from[point as usize]).collect();
            let there = orbit.iter().map(|&point| self.to[element.image(point) as usize]).collect();
            sorted(here) == sorted(there)
        })
    }
}

/// The order of the stabiliser of a colouring: the product of the orbits of the base points under the
/// stabilisers of the earlier ones, from the last level to the first.
pub(super) fn stabilizer_order(
    group: &PermutationGroup,
    colours: &[u32],
    budget: u64,
    control: &Control,
) -> Result<Option<BigUint>, Stop> {
    let Some(levels) = levels(group) else { return Ok(None) };
    let count = levels.len();
    let mut search = Search { levels, from: colours, to: colours, budget, control };
    let mut found: Vec<Permutation> = Vec::new();
    let mut order = BigUint::from(1u32);
    for level in (0..count).rev() {
        let base = search.levels[level].base;
        let mut orbits = Orbits::new(group.degree(), &found);
        let mut refused: Vec<u32> = Vec::new();
        for choice in 0..search.levels[level].orbit.len() {
            let (point, transversal) = search.levels[level].orbit[choice].clone();
            let same = |other: u32| orbits.orbit_of(other) == orbits.orbit_of(point);
            let skipped = same(base) || refused.iter().any(|&other| same(other));
            if skipped || colours[point as usize] != colours[base as usize] {
                continue;
            }
            let result = if search.orbits_agree(level, &transversal) {
                search.find(level + 1, &transversal)?
            } else {
                Found::None
            };
            match result {
                Found::Element(element) => {
                    found.push(element);
                    orbits = Orbits::new(group.degree(), &found);
                }
                Found::None => refused.push(point),
                Found::Budget => return Ok(None),
            }
        }
        order *= orbits.points(orbits.orbit_of(base)).len();
    }
    Ok(Some(order))
}

/// An element that takes one colouring to another.
pub(super) fn map(
    group: &PermutationGroup,
    from: &[u32],
    to: &[u32],
    budget: u64,
    control: &Control,
) -> Result<ColourMapping, Stop> {
    let Some(levels) = levels(group) else { return Ok(ColourMapping::Unknown) };
    let mut search = Search { levels, from, to, budget, control };
    Ok(match search.find(0, &Permutation::identity(group.degree()))? {
        Found::Element(element) => ColourMapping::Element(element),
        Found::None => ColourMapping::Exhausted,
        Found::Budget => ColourMapping::Unknown,
    })
}
