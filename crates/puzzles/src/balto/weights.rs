//! What makes a board look far from solved: a weight for each displacement of a tile, and one for each way in which an
//! unsolved cell can be surrounded by solved ones.
//!
//! Displacements are told apart up to the symmetries of the hexagon, surroundings as well, so a board of side 27 has 196 and 13
//! weights. They are the same for the board one starts from and the board one wants to get to.

use super::{Displacement, Lattice};

/// The ways to be surrounded, up to rotation and reflection.
pub const SURROUNDINGS: usize = 13;

/// A weight for each class of displacements and of surroundings.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    side: usize,
    displacements: Vec<f64>,
    surroundings: [f64; SURROUNDINGS],
}

/// How many classes of displacements there are on a hexagon of that side.
pub fn displacements(side: usize) -> usize {
    (0..side).map(|distance| distance / 2 + 1).sum()
}

/// The place of a displacement among the classes: by distance, then by the shorter part.
pub fn class(displacement: Displacement) -> usize {
    displacements(displacement.distance() as usize) + usize::from(displacement.short)
}

/// The class of each set of solved neighbours, a bit for each direction.
pub fn surroundings() -> [usize; 64] {
    let rotated = |mask: usize| (mask << 1 | mask >> 5) & 63;
    let mirrored = |mask: usize| (0..6).filter(|bit| mask >> bit & 1 == 1).map(|bit| 1 << (5 - bit)).sum();
    let least = |mask: usize| {
        let mut least = mask;
        for mut image in [mask, mirrored(mask)] {
            for _ in 0..6 {
                least = least.min(image);
                image = rotated(image);
            }
        }
        least
    };
    let mut leaders: Vec<usize> = (0..64).map(least).collect();
    leaders.sort_unstable();
    leaders.dedup();
    std::array::from_fn(|mask| leaders.binary_search(&least(mask)).unwrap_or(0))
}

/// Of a class, the solved neighbours in clockwise order, as its name: `000101` and the like.
pub fn surrounding_name(class: usize) -> String {
    let mask = surroundings().iter().position(|&of| of == class).unwrap_or(0);
    format!("{mask:06b}")
}

impl Weights {
    /// All weights of a board of that side, classes of displacements first.
    ///
    /// # Panics
    /// If there are not as many as classes.
    pub fn new(side: usize, all: &[f64]) -> Weights {
        let (displacements, surroundings) = all.split_at(displacements(side));
        Weights {
            side,
            displacements: displacements.to_vec(),
            surroundings: surroundings.try_into().expect("a weight for each surrounding"),
        }
    }

    /// A closed form that needs no training.
    pub fn closed(side: usize) -> Weights {
        let surroundings = std::array::from_fn(|class| {
            CLOSED_ALONE + CLOSED_SURROUNDED * surrounding_name(class).matches('1').count() as f64
        });
        Weights { surroundings, ..Weights::hamming(side) }
    }

    /// The same, every unsolved cell counting alike.
    pub fn hamming(side: usize) -> Weights {
        let mut displacements = Vec::new();
        for distance in 0..side {
            for short in 0..=distance / 2 {
                let (x, y) = ((distance - short) as f64, short as f64);
                displacements.push(3.0 * (x * x + x * y + y * y) + 7.0 * (x + y));
            }
        }
        Weights { side, displacements, surroundings: [CLOSED_ALONE; SURROUNDINGS] }
    }

    /// The names of all weights: the longer and the shorter part of a displacement, and the solved neighbours in clockwise order.
    pub fn names(side: usize) -> Vec<String> {
        let parts =
            (0..side).flat_map(|distance| (0..=distance / 2).map(move |short| (distance - short, short)));
        let displacements = parts.map(|(long, short)| format!("{long},{short}"));
        displacements.chain((0..SURROUNDINGS).map(surrounding_name)).collect()
    }

    /// Brings all weights back to what is known of them: none is below 0, a tile at home weighs nothing, and one that is
    /// further in either direction weighs no less.
    pub fn project(side: usize, all: &mut [f64]) {
        let place = |long: usize, short: usize| displacements(long + short) + short.min(long);
        all.iter_mut().for_each(|weight| *weight = weight.max(0.0));
        all[0] = 0.0;
        for distance in 1..side {
            for short in 0..=distance / 2 {
                let long = distance - short;
                // One step less in either direction; of two equal parts it does not matter which.
                let nearer = [
                    (long > short).then(|| place(long - 1, short)),
                    (short > 0).then(|| place(long, short - 1)),
                ];
                let least = nearer.into_iter().flatten().map(|place| all[place]).fold(0.0, f64::max);
                let weight = &mut all[place(long, short)];
                *weight = weight.max(least);
            }
        }
    }

    /// The side of the boards they are for.
    pub fn side(&self) -> usize {
        self.side
    }

    /// All of them, classes of displacements first.
    pub fn all(&self) -> Vec<f64> {
        self.displacements.iter().chain(&self.surroundings).copied().collect()
    }

    /// The weight of each class of displacements.
    pub fn of_displacements(&self) -> &[f64] {
        &self.displacements
    }

    /// The weight of each class of surroundings.
    pub fn of_surroundings(&self) -> &[f64] {
        &self.surroundings
    }
}

/// What an unsolved cell counts in the closed form, and what each solved neighbour adds.
const CLOSED_ALONE: f64 = 5.0;
const CLOSED_SURROUNDED: f64 = 2.0;

/// Scores are whole numbers: so many make a weight of 1.
pub const UNIT: f64 = 64.0;

/// The place of each feature among the weights.
#[derive(Clone, Debug)]
pub(super) struct Classes {
    /// By the cell's number in the one board, plus the number of cells, minus the cell's number in the other.
    pub(super) far: Vec<u16>,
    /// By the set of solved neighbours.
    pub(super) alone: [u16; 64],
}

impl Classes {
    pub(super) fn new(lattice: &Lattice) -> Classes {
        let of = |cell: u16| class(lattice.displacement(0, cell)) as u16;
        let once: Vec<u16> = (0..lattice.cells() as u16).map(of).collect();
        let first = displacements(lattice.side());
        Classes { far: once.repeat(2), alone: surroundings().map(|class| (first + class) as u16) }
    }
}

/// Weights as tables for one lattice, in the places of [`Classes`].
#[derive(Clone, Debug)]
pub(super) struct Tables {
    pub(super) far: Vec<i32>,
    /// Nothing where the cell itself is solved, which is the bit above those of its neighbours.
    pub(super) alone: [i32; 128],
}

impl Tables {
    pub(super) fn new(lattice: &Lattice, weights: &Weights) -> Tables {
        let whole: Vec<i32> = weights.all().iter().map(|weight| (UNIT * weight).round() as i32).collect();
        let of = |&place: &u16| whole[usize::from(place)];
        let classes = Classes::new(lattice);
        Tables {
            far: classes.far.iter().map(of).collect(),
            alone: std::array::from_fn(|mark| classes.alone.get(mark).map_or(0, of)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_classes_are_those_counted() {
        assert_eq!(displacements(27), 196);
        let classes = surroundings();
        assert_eq!(classes.iter().max(), Some(&(SURROUNDINGS - 1)));
        assert_eq!(surrounding_name(0), "000000");
        assert_eq!(surrounding_name(SURROUNDINGS - 1), "111111");
        for side in [2, 5, 8] {
            let lattice = Lattice::new(side);
            let mut met: Vec<usize> =
                (0..lattice.cells() as u16).map(|cell| class(lattice.displacement(0, cell))).collect();
            met.sort_unstable();
            met.dedup();
            assert_eq!(met, (0..displacements(side)).collect::<Vec<_>>(), "side {side}");
        }
    }

    #[test]
    fn turned_and_mirrored_surroundings_weigh_the_same() {
        let classes = surroundings();
        for mask in 0..64usize {
            assert_eq!(classes[mask], classes[(mask << 1 | mask >> 5) & 63]);
            let mirrored: usize = (0..6).map(|bit| (mask >> bit & 1) << (5 - bit)).sum();
            assert_eq!(classes[mask], classes[mirrored]);
        }
    }
}
