//! The linear evaluation of a pair of boards, after R. Bocquet ("Balto's Puzzle", Al Zimmermann's
//! Programming Contests, 2024): a weight per displacement of a tile plus a weight per pattern of solved
//! cells around an unsolved cell.
//!
//! Displacements and patterns are classified up to the symmetries of the hexagon, so side 27 has 196 +
//! 13 weights. The evaluation is symmetric in the two boards.

use super::{Displacement, Lattice};

/// Number of patterns of solved neighbours up to rotation and reflection.
pub const NEIGHBOUR_CLASSES: usize = 13;

/// One weight per class of displacements and per class of neighbour patterns.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    side: usize,
    displacements: Vec<f64>,
    neighbours: [f64; NEIGHBOUR_CLASSES],
}

/// The number of displacement classes on a hexagon of that side.
pub fn displacement_class_count(side: usize) -> usize {
    (0..side).map(|distance| distance / 2 + 1).sum()
}

/// The class of a displacement. A displacement is a long and a short part, the numbers of steps along two
/// adjacent directions. Classes are ordered by distance, then by the short part.
pub fn displacement_class(displacement: Displacement) -> usize {
    displacement_class_count(displacement.distance() as usize) + usize::from(displacement.short)
}

/// The class of each set of solved neighbours; bit `d` is the neighbour in direction `d`, clockwise from NE.
pub fn neighbour_classes() -> [usize; 64] {
    let rotate = |mask: usize| (mask << 1 | mask >> 5) & 63;
    let reflect = |mask: usize| (0..6).filter(|bit| mask >> bit & 1 == 1).map(|bit| 1 << (5 - bit)).sum();
    let representative = |mask: usize| {
        let mut smallest = mask;
        for mut image in [mask, reflect(mask)] {
            for _ in 0..6 {
                smallest = smallest.min(image);
                image = rotate(image);
            }
        }
        smallest
    };
    let mut representatives: Vec<usize> = (0..64).map(representative).collect();
    representatives.sort_unstable();
    representatives.dedup();
    std::array::from_fn(|mask| representatives.binary_search(&representative(mask)).unwrap_or(0))
}

/// The name of a neighbour class in weights files: its smallest mask in binary, such as `000101`.
pub fn neighbour_class_name(class: usize) -> String {
    let mask = neighbour_classes().iter().position(|&other| other == class).unwrap_or(0);
    format!("{mask:06b}")
}

impl Weights {
    /// The weights of a board of that side, displacement classes first.
    ///
    /// # Panics
    /// If the number of weights is not the number of classes.
    pub fn new(side: usize, weights: &[f64]) -> Weights {
        let (displacements, neighbours) = weights.split_at(displacement_class_count(side));
        Weights {
            side,
            displacements: displacements.to_vec(),
            neighbours: neighbours.try_into().expect("one weight per neighbour class"),
        }
    }

    /// A closed form that needs no training.
    pub fn closed_form(side: usize) -> Weights {
        Weights::closed_form_with(side, NeighbourTerm::Weighted)
    }

    /// The closed form of displacements, 3 (x² + xy + y²) + 7 (x + y), with a choice of its neighbour term.
    pub fn closed_form_with(side: usize, term: NeighbourTerm) -> Weights {
        let mut displacements = Vec::new();
        for distance in 0..side {
            for short in 0..=distance / 2 {
                let (x, y) = ((distance - short) as f64, short as f64);
                displacements.push(3.0 * (x * x + x * y + y * y) + 7.0 * (x + y));
            }
        }
        let neighbours = std::array::from_fn(|class| {
            let solved = neighbour_class_name(class).matches('1').count() as f64;
            match term {
                NeighbourTerm::Weighted => CLOSED_UNSOLVED + CLOSED_PER_SOLVED_NEIGHBOUR * solved,
                NeighbourTerm::SolvedNeighbours => solved,
                NeighbourTerm::Off => 0.0,
            }
        });
        Weights { side, displacements, neighbours }
    }

    /// The names of all weights in files: `long,short` of a displacement, then [`neighbour_class_name`]s.
    pub fn names(side: usize) -> Vec<String> {
        let parts =
            (0..side).flat_map(|distance| (0..=distance / 2).map(move |short| (distance - short, short)));
        let displacements = parts.map(|(long, short)| format!("{long},{short}"));
        displacements.chain((0..NEIGHBOUR_CLASSES).map(neighbour_class_name)).collect()
    }

    /// Projects weights onto the constraints: no weight is negative, the weight of displacement 0 is 0, and
    /// displacement weights are monotone in both parts.
    pub fn project(side: usize, weights: &mut [f64]) {
        let index = |long: usize, short: usize| displacement_class_count(long + short) + short.min(long);
        weights.iter_mut().for_each(|weight| *weight = weight.max(0.0));
        weights[0] = 0.0;
        for distance in 1..side {
            for short in 0..=distance / 2 {
                let long = distance - short;
                // One step less in either direction. If both parts are equal, either choice is the same
                // class.
                let nearer = [
                    (long > short).then(|| index(long - 1, short)),
                    (short > 0).then(|| index(long, short - 1)),
                ];
                let min_weight = nearer.into_iter().flatten().map(|class| weights[class]).fold(0.0, f64::max);
                let weight = &mut weights[index(long, short)];
                *weight = weight.max(min_weight);
            }
        }
    }

    /// The side of the boards that the weights are for.
    pub fn side(&self) -> usize {
        self.side
    }

    /// All weights in the order of [`Weights::names`].
    pub fn to_vec(&self) -> Vec<f64> {
        self.displacements.iter().chain(&self.neighbours).copied().collect()
    }

    /// The weight of each displacement class.
    pub fn displacement_weights(&self) -> &[f64] {
        &self.displacements
    }

    /// The weight of each neighbour class.
    pub fn neighbour_weights(&self) -> &[f64] {
        &self.neighbours
    }
}

/// The term of the closed form that unsolved cells add, by the number of their solved neighbours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NeighbourTerm {
    /// 5 for the cell and 2 for each solved neighbour.
    Weighted,
    /// The number of solved neighbours, as Bocquet defined it first.
    SolvedNeighbours,
    /// Nothing: displacements alone.
    Off,
}

/// Closed form: the weight of an unsolved cell without solved neighbours.
const CLOSED_UNSOLVED: f64 = 5.0;
/// Closed form: added per solved neighbour, so isolated unsolved cells weigh most.
const CLOSED_PER_SOLVED_NEIGHBOUR: f64 = 2.0;

/// Integer scores are weights times this factor, rounded.
pub const SCORE_SCALE: f64 = 64.0;

/// The weight index of each feature.
#[derive(Clone, Debug)]
pub(super) struct FeatureIndex {
    /// Indexed by `to + cells - from` for a tile in cell `from` of one board and cell `to` of the other.
    pub(super) displacement: Vec<u16>,
    /// Indexed by the set of solved neighbours of an unsolved cell.
    pub(super) neighbour_mask: [u16; 64],
}

impl FeatureIndex {
    pub(super) fn new(lattice: &Lattice) -> FeatureIndex {
        let class = |cell: u16| displacement_class(lattice.displacement(0, cell)) as u16;
        let period: Vec<u16> = (0..lattice.cells() as u16).map(class).collect();
        let first_neighbour = displacement_class_count(lattice.side());
        FeatureIndex {
            displacement: period.repeat(2),
            neighbour_mask: neighbour_classes().map(|class| (first_neighbour + class) as u16),
        }
    }
}

/// Integer weights of one lattice, indexed as in [`FeatureIndex`].
#[derive(Clone, Debug)]
pub(super) struct WeightTables {
    pub(super) distance_weight: Vec<i32>,
    /// Masks with bit 6 set (the cell itself is solved) weigh 0.
    pub(super) neighbour_weight: [i32; 128],
}

impl WeightTables {
    pub(super) fn new(lattice: &Lattice, weights: &Weights) -> WeightTables {
        let scaled: Vec<i32> =
            weights.to_vec().iter().map(|weight| (SCORE_SCALE * weight).round() as i32).collect();
        let weight = |&index: &u16| scaled[usize::from(index)];
        let index = FeatureIndex::new(lattice);
        WeightTables {
            distance_weight: index.displacement.iter().map(weight).collect(),
            neighbour_weight: std::array::from_fn(|mask| index.neighbour_mask.get(mask).map_or(0, weight)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_counts_are_as_stated() {
        assert_eq!(displacement_class_count(27), 196);
        let classes = neighbour_classes();
        assert_eq!(classes.iter().max(), Some(&(NEIGHBOUR_CLASSES - 1)));
        assert_eq!(neighbour_class_name(0), "000000");
        assert_eq!(neighbour_class_name(NEIGHBOUR_CLASSES - 1), "111111");
        for side in [2, 5, 8] {
            let lattice = Lattice::new(side);
            let mut classes: Vec<usize> = (0..lattice.cells() as u16)
                .map(|cell| displacement_class(lattice.displacement(0, cell)))
                .collect();
            classes.sort_unstable();
            classes.dedup();
            assert_eq!(classes, (0..displacement_class_count(side)).collect::<Vec<_>>(), "side {side}");
        }
    }

    #[test]
    fn neighbour_classes_are_invariant_under_rotation_and_reflection() {
        let classes = neighbour_classes();
        for mask in 0..64usize {
            assert_eq!(classes[mask], classes[(mask << 1 | mask >> 5) & 63]);
            let reflected: usize = (0..6).map(|bit| (mask >> bit & 1) << (5 - bit)).sum();
            assert_eq!(classes[mask], classes[reflected]);
        }
    }
}
