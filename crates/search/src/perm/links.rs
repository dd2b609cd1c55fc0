//! Orbits that move alike: a bijection between two orbits that commutes with all generators.

use std::collections::HashMap;

use super::{Orbits, Permutation};
use crate::control::{Control, Stop};

/// A bijection from an earlier orbit that commutes with all generators.
pub(crate) struct Link {
    /// The earlier orbit.
    pub(crate) to: usize,
    /// The partner of each point of the earlier orbit.
    pub(crate) partner: HashMap<u32, u32>,
}

/// For each orbit, the link to the first orbit that moves like it, if that is another one. Fixed points are
/// not linked.
pub(crate) fn linked_orbits(
    orbits: &Orbits,
    generators: &[Permutation],
    control: &Control,
) -> Result<Vec<Option<Link>>, Stop> {
    // Linked orbits have equal numbers of fixed points and of points with equal second images.
    let fingerprint = |orbit: usize| {
        let points = orbits.points(orbit);
        let fixed = generators
            .iter()
            .map(|generator| points.iter().filter(|&&point| generator.image(point) == point).count());
        (points.len(), fixed.collect::<Vec<_>>())
    };
    let mut first: HashMap<(usize, Vec<usize>), Vec<usize>> = HashMap::new();
    let mut links = Vec::with_capacity(orbits.len());
    for orbit in 0..orbits.len() {
        control.poll()?;
        if orbits.points(orbit).len() == 1 {
            links.push(None);
            continue;
        }
        let earlier = first.entry(fingerprint(orbit)).or_default();
        let link = earlier.iter().find_map(|&to| {
            let partner = bijection(orbits.points(to)[0], orbits.points(orbit), generators)?;
            Some(Link { to, partner })
        });
        if link.is_none() {
            earlier.push(orbit);
        }
        links.push(link);
    }
    Ok(links)
}

/// A bijection from the orbit of `root` to another orbit of the same size that commutes with all generators.
fn bijection(root: u32, other: &[u32], generators: &[Permutation]) -> Option<HashMap<u32, u32>> {
    let fixes = |point: u32, generator: &Permutation| generator.image(point) == point;
    let candidates = other.iter().filter(|&&candidate| {
        generators.iter().all(|generator| fixes(root, generator) == fixes(candidate, generator))
    });
    let extend = |&candidate: &u32| {
        let mut partner = HashMap::from([(root, candidate)]);
        let mut queue = vec![root];
        while let Some(point) = queue.pop() {
            let with = partner[&point];
            for generator in generators {
                let (image, expected) = (generator.image(point), generator.image(with));
                match partner.insert(image, expected) {
                    None => queue.push(image),
                    Some(known) if known != expected => return None,
                    Some(_) => {}
                }
            }
        }
        // A map of transitive actions is onto, and the sizes are equal.
        Some(partner)
    };
    candidates.into_iter().find_map(extend)
}
