//! Automorphisms of a set of moves: permutations of the points that conjugate every move to a move.
//!
//! The search assigns images to the moves one by one. Two pairs of moves can correspond only if the cycle
//! types of their products are equal. Under the assigned moves, the image of one point determines the images
//! of its orbit; an assignment is dropped if no image of a moved point is consistent. Conjugation by a
//! permutation that commutes with all moves changes nothing, so one permutation of points is kept for each
//! permutation of the moves.

use std::collections::HashMap;

use super::{Orbits, Permutation};
use crate::control::{Control, Stop};

/// A symmetry of a set of moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automorphism {
    /// The permutation of the points.
    pub points: Permutation,
    /// The move `points⁻¹ · move · points` of each move.
    pub moves: Permutation,
}

/// The automorphisms of a set of moves.
#[derive(Clone, Debug)]
pub struct Automorphisms {
    /// The automorphisms, the identity among them, ordered by the permutation of the moves.
    pub elements: Vec<Automorphism>,
    /// Whether all were found. Otherwise the list is no group.
    pub complete: bool,
}

/// What automorphisms preserve, and how many are searched for.
#[derive(Clone, Copy, Debug)]
pub struct AutomorphismOptions<'a> {
    /// A class for each move, such as its cost; empty for one class.
    pub move_classes: &'a [u32],
    /// A class for each point, such as its colour in the goal; empty for one class.
    pub point_classes: &'a [u32],
    /// The most automorphisms that are returned.
    pub limit: usize,
    /// The most tried images of moves.
    pub nodes: u64,
}

impl Default for AutomorphismOptions<'_> {
    fn default() -> Self {
        AutomorphismOptions { move_classes: &[], point_classes: &[], limit: 1000, nodes: 1_000_000 }
    }
}

/// Finds the automorphisms of a set of different moves on `degree` points.
pub fn automorphisms(
    degree: usize,
    moves: &[Permutation],
    options: &AutomorphismOptions<'_>,
    control: &Control,
) -> Result<Automorphisms, Stop> {
    let mut search = Search {
        moves,
        options,
        control,
        orbits: Orbits::new(degree, moves),
        relation: relations(moves, options.move_classes, control)?,
        fixing: fixing(degree, moves),
        order: connected_order(moves),
        images: Vec::new(),
        used: vec![false; moves.len()],
        nodes: 0,
        found: Vec::new(),
    };
    let complete = search.assign()?;
    let mut elements = search.found;
    elements.sort_by(|a, b| a.moves.cmp(&b.moves));
    Ok(Automorphisms { elements, complete })
}

/// For each pair of moves a number that automorphisms preserve: the class and the cycle type on the diagonal,
/// that of the product elsewhere.
fn relations(moves: &[Permutation], classes: &[u32], control: &Control) -> Result<Vec<u32>, Stop> {
    let mut numbers: HashMap<(Vec<usize>, u32), u32> = HashMap::new();
    let mut relation = Vec::with_capacity(moves.len() * moves.len());
    for (a, first) in moves.iter().enumerate() {
        control.poll()?;
        for (b, second) in moves.iter().enumerate() {
            let key = if a == b {
                (first.cycle_type(), classes.get(a).map_or(1, |&class| class.saturating_add(1)))
            } else {
                (first.then(second).cycle_type(), 0)
            };
            let next = numbers.len() as u32;
            relation.push(*numbers.entry(key).or_insert(next));
        }
    }
    Ok(relation)
}

/// The number of moves that fix each point.
fn fixing(degree: usize, moves: &[Permutation]) -> Vec<usize> {
    (0..degree as u32).map(|point| moves.iter().filter(|m| m.image(point) == point).count()).collect()
}

/// The moves in an order in which each one fails to commute with as many earlier ones as possible, so that the
/// orbits of the first moves are large.
fn connected_order(moves: &[Permutation]) -> Vec<usize> {
    let mut rest: Vec<(usize, usize)> = (0..moves.len()).map(|number| (number, 0)).collect();
    let mut order = Vec::with_capacity(moves.len());
    while let Some(at) = (0..rest.len()).max_by_key(|&at| (rest[at].1, moves.len() - rest[at].0)) {
        let (next, _) = rest.remove(at);
        order.push(next);
        for (number, conflicts) in &mut rest {
            *conflicts += usize::from(!moves[*number].commutes_with(&moves[next]));
        }
    }
    order
}

struct Search<'a> {
    moves: &'a [Permutation],
    options: &'a AutomorphismOptions<'a>,
    control: &'a Control,
    orbits: Orbits,
    relation: Vec<u32>,
    /// The number of moves that fix each point.
    fixing: Vec<usize>,
    /// The moves in the order of their assignment.
    order: Vec<usize>,
    /// The images of the first of them.
    images: Vec<usize>,
    used: Vec<bool>,
    nodes: u64,
    found: Vec<Automorphism>,
}

impl Search<'_> {
    /// Tries all images of the next move. Returns whether the search was complete.
    fn assign(&mut self) -> Result<bool, Stop> {
        let Some(&next) = self.order.get(self.images.len()) else {
            if self.found.len() >= self.options.limit {
                return Ok(false);
            }
            self.found.extend(self.extend_to_points());
            return Ok(true);
        };
        for image in 0..self.moves.len() {
            if self.used[image] || !self.agrees(next, image) {
                continue;
            }
            self.nodes += 1;
            self.control.poll()?;
            if self.nodes > self.options.nodes {
                return Ok(false);
            }
            self.images.push(image);
            if self.is_consistent_at(next) {
                self.used[image] = true;
                let complete = self.assign()?;
                self.used[image] = false;
                if !complete {
                    return Ok(false);
                }
            }
            self.images.pop();
        }
        Ok(true)
    }

    /// The assigned moves with their images.
    fn assigned(&self) -> impl Iterator<Item = (&Permutation, &Permutation)> {
        self.order.iter().zip(&self.images).map(|(&number, &image)| (&self.moves[number], &self.moves[image]))
    }

    /// Whether the relations of a move to itself and to the earlier moves agree with those of its image.
    fn agrees(&self, number: usize, image: usize) -> bool {
        let count = self.moves.len();
        let relation = |a: usize, b: usize| self.relation[a * count + b];
        relation(number, number) == relation(image, image)
            && self.order.iter().zip(&self.images).all(|(&earlier, &to)| {
                relation(earlier, number) == relation(to, image)
                    && relation(number, earlier) == relation(image, to)
            })
    }

    /// Whether some image of a point that the last move moves is consistent with the assigned moves.
    fn is_consistent_at(&self, last: usize) -> bool {
        let Some(root) = self.moves[last].support().next() else { return true };
        let mut images = vec![u32::MAX; self.fixing.len()];
        let candidates = (0..self.fixing.len() as u32).filter(|&candidate| {
            self.fixing[candidate as usize] == self.fixing[root as usize]
                && self.class(candidate) == self.class(root)
        });
        candidates.into_iter().any(|candidate| self.map_orbit(root, candidate, &mut images))
    }

    fn class(&self, point: u32) -> Option<u32> {
        self.options.point_classes.get(point as usize).copied()
    }

    /// The permutation of the points for the assigned images, if there is one.
    fn extend_to_points(&self) -> Option<Automorphism> {
        let mut images = vec![u32::MAX; self.fixing.len()];
        let mut taken = vec![false; self.orbits.len()];
        for orbit in self.orbits.iter() {
            let root = orbit[0];
            let candidates = (0..self.fixing.len() as u32).filter(|&candidate| {
                let other = self.orbits.orbit_of(candidate);
                !taken[other]
                    && self.orbits.points(other).len() == orbit.len()
                    && self.fixing[candidate as usize] == self.fixing[root as usize]
                    && self.class(candidate) == self.class(root)
            });
            let to =
                candidates.into_iter().find(|&candidate| self.map_orbit(root, candidate, &mut images))?;
            taken[self.orbits.orbit_of(to)] = true;
        }
        let mut moves = vec![0; self.moves.len()];
        for (&number, &image) in self.order.iter().zip(&self.images) {
            moves[number] = image as u32;
        }
        Some(Automorphism {
            points: Permutation::from_images(images),
            moves: Permutation::from_images(moves),
        })
    }

    /// Maps the orbit of a point under the assigned moves so that the point goes to `candidate`. A failure
    /// leaves the images unset.
    fn map_orbit(&self, root: u32, candidate: u32, images: &mut [u32]) -> bool {
        let mut queue = vec![root];
        images[root as usize] = candidate;
        let mut next = 0;
        let mut consistent = true;
        'points: while next < queue.len() {
            let point = queue[next];
            let image = images[point as usize];
            for (from, to) in self.assigned() {
                let (after, expected) = (from.image(point), to.image(image));
                let known = images[after as usize];
                if known == u32::MAX && self.class(after) == self.class(expected) {
                    images[after as usize] = expected;
                    queue.push(after);
                } else if known != expected {
                    consistent = false;
                    break 'points;
                }
            }
            next += 1;
        }
        // Once all moves are assigned, the map is onto: it is equivariant, and the orbits have equal sizes.
        if !consistent {
            for point in queue {
                images[point as usize] = u32::MAX;
            }
        }
        consistent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perm::test_groups::{cube, cube_layers, cube_stickers, megaminx, powers, topspin};
    use crate::perm::tests::all;
    use std::collections::HashSet;

    fn count(moves: &[Permutation]) -> usize {
        let found =
            automorphisms(moves[0].degree(), moves, &AutomorphismOptions::default(), &Control::default());
        let found = found.expect("no limits");
        assert!(found.complete);
        for Automorphism { points, moves: numbers } in &found.elements {
            for (number, m) in moves.iter().enumerate() {
                let image = numbers.image(number as u32) as usize;
                assert_eq!(m.conjugate(points), moves[image], "move {number} under {points:?}");
            }
        }
        found.elements.len()
    }

    #[test]
    fn polyhedra_have_their_symmetries() {
        assert_eq!(count(&powers(&cube(3).1)), 48, "3x3x3, all turns of six faces");
        // Rotations by a third of a turn that permute the positive axes, and the point reflection.
        assert_eq!(count(&cube(3).1), 6, "3x3x3, quarter turns about the positive axes");
        assert_eq!(count(&powers(&cube(2).1)), 48, "2x2x2");
        assert_eq!(count(&powers(&megaminx().1)), 120, "megaminx");
    }

    /// Clockwise turns, seen from outside of the cube, have the rotations only.
    #[test]
    fn clockwise_turns_have_rotations_only() {
        let (_, turns) = cube_layers(3, &[-2, 2]);
        let clockwise: Vec<Permutation> = turns
            .iter()
            .enumerate()
            .map(|(number, turn)| if number % 2 == 0 { turn.clone() } else { turn.inverse() })
            .collect();
        assert_eq!(count(&clockwise), 24);
    }

    #[test]
    fn classes_are_preserved() {
        let moves = powers(&cube(3).1);
        // Moves of the first axis cost more.
        let classes: Vec<u32> = (0..18).map(|number| u32::from(number < 6)).collect();
        let options = AutomorphismOptions { move_classes: &classes, ..AutomorphismOptions::default() };
        let found = automorphisms(54, &moves, &options, &Control::default()).expect("no limits");
        assert_eq!(found.elements.len(), 16, "an axis is kept");
        // The stickers of one face look different.
        let classes: Vec<u32> =
            cube_stickers(3).iter().map(|&(_, normal)| u32::from(normal == [1, 0, 0])).collect();
        let options = AutomorphismOptions { point_classes: &classes, ..AutomorphismOptions::default() };
        let found = automorphisms(54, &moves, &options, &Control::default()).expect("no limits");
        assert_eq!(found.elements.len(), 8, "a face is kept");
        assert!(found.elements.iter().all(|symmetry| {
            (0..54).all(|point| classes[point] == classes[symmetry.points.image(point as u32) as usize])
        }));
    }

    /// All permutations of up to seven points, grouped by their action on the moves.
    #[test]
    fn small_sets_agree_with_brute_force() {
        let random = |seed: u64, degree: usize, moves: usize| {
            let mut rng = crate::perm::SplitMix64(seed);
            let list: Vec<Vec<usize>> = all(degree).collect();
            let mut pick = || &list[(rng.next_u64() % list.len() as u64) as usize];
            let mut set: Vec<Permutation> = (0..moves)
                .map(|_| Permutation::from_images(pick().iter().map(|&image| image as u32).collect()))
                .collect();
            set.sort();
            set.dedup();
            set
        };
        let mut sets: Vec<Vec<Permutation>> = (0..40).map(|seed| random(seed, 5, 3)).collect();
        sets.extend((0..20).map(|seed| powers(&random(seed, 6, 2))));
        sets.push(powers(&topspin(6, 4)));
        sets.push(powers(&topspin(7, 4)));
        for moves in sets.into_iter().filter(|moves| !moves.is_empty()) {
            let degree = moves[0].degree();
            let mut actions = HashSet::new();
            for images in all(degree) {
                let points = Permutation::from_images(images.into_iter().map(|image| image as u32).collect());
                let action: Option<Vec<usize>> = moves
                    .iter()
                    .map(|m| moves.iter().position(|other| *other == m.conjugate(&points)))
                    .collect();
                actions.extend(action);
            }
            assert_eq!(count(&moves), actions.len(), "{moves:?}");
        }
    }
}
