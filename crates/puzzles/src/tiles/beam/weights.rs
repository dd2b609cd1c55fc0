//! The features and weights of the trained ranking. The score of a board is linear in three kinds of
//! features: the displacement of each tile, the home ring of each misplaced tile, and the solved neighbours
//! of each unsolved cell.
//!
//! Rings are counted outwards from the blank's home. The neighbour features penalise unsolved cells between
//! solved ones, in which a beam gets stuck. Rows and columns are treated alike, so the weights depend only
//! on the longer side of the board.

use crate::tiles::{Goal, Size};

/// Number of classes of solved neighbours, up to rotation and reflection.
const SURROUNDINGS_COUNT: usize = 6;

/// Weight names of the classes: the number of solved neighbours; two are either adjacent or opposite.
const SURROUNDING_NAMES: [&str; SURROUNDINGS_COUNT] =
    ["solved0", "solved1", "solved2", "solved2opposite", "solved3", "solved4"];

/// The class of each set of solved neighbours; each neighbour has the bit of the move that would slide it.
pub(super) fn surroundings_classes() -> [usize; 16] {
    std::array::from_fn(|mask: usize| match mask.count_ones() {
        few @ 0..2 => few as usize,
        // A move and its inverse have numbers that sum to 3.
        2 if matches!(mask, 0b1001 | 0b0110) => 3,
        2 => 2,
        many => many as usize + 1,
    })
}

/// The weights of all features for boards with a given longer side.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    side: usize,
    values: Vec<f64>,
}

/// The number of displacement features of a board with this longer side.
fn displacement_count(side: usize) -> usize {
    side * (side + 1) / 2
}

/// The feature index of a displacement; symmetric in rows and columns.
pub(super) fn displacement_index(rows: usize, columns: usize) -> usize {
    displacement_count(rows.max(columns)) + rows.min(columns)
}

/// The feature index of the ring that contains a cell.
pub(super) fn ring_index(goal: &Goal, cell: usize) -> usize {
    let (size, blank) = (goal.size(), goal.blank_home());
    let rows = size.row(cell).abs_diff(size.row(blank));
    let columns = size.column(cell).abs_diff(size.column(blank));
    displacement_count(longer_side(size)) + rows.max(columns)
}

/// The feature index of a class of solved neighbours.
pub(super) fn surroundings_index(side: usize, class: usize) -> usize {
    displacement_count(side) + side + class
}

/// The longer side of a board, which determines its number of weights.
pub fn longer_side(size: Size) -> usize {
    size.rows.max(size.columns)
}

impl Weights {
    /// Weights in the order of [`Weights::names`]; missing ones are 0.
    pub fn new(side: usize, values: &[f64]) -> Weights {
        let mut values = values.to_vec();
        values.resize(surroundings_index(side, SURROUNDINGS_COUNT), 0.0);
        Weights { side, values }
    }

    /// Untrained weights, by formula; the starting point of training.
    pub fn closed_form(side: usize) -> Weights {
        let parts = (0..side).flat_map(|long| (0..=long).map(move |short| (long as f64, short as f64)));
        let displaced = parts.map(|(long, short)| 8.0 * (long + short) + long * long + short * short);
        let rings = (0..side).map(|ring| 2.0 * ring as f64);
        let surrounded = [2.0, 4.0, 8.0, 8.0, 16.0, 32.0];
        Weights { side, values: displaced.chain(rings).chain(surrounded).collect() }
    }

    /// The names of the weights in files: displacements as `longer,shorter`, then rings, then neighbour
    /// classes.
    pub fn names(side: usize) -> Vec<String> {
        let parts = (0..side).flat_map(|long| (0..=long).map(move |short| format!("{long},{short}")));
        let rings = (0..side).map(|ring| format!("ring{ring}"));
        parts.chain(rings).chain(SURROUNDING_NAMES.map(str::to_owned)).collect()
    }

    /// Projects weights onto the constraints: no weight is negative, the displacement 0 has weight 0, and
    /// weights are monotone in both parts of a displacement.
    pub fn project(side: usize, values: &mut [f64]) {
        values.iter_mut().for_each(|weight| *weight = weight.max(0.0));
        values[0] = 0.0;
        for long in 1..side {
            for short in 0..=long {
                // The displacements that are shorter by one; if both parts are equal, only one is stored.
                let shorter = [
                    (long > short).then(|| displacement_index(long - 1, short)),
                    (short > 0).then(|| displacement_index(long, short - 1)),
                ];
                let minimum = shorter.into_iter().flatten().map(|index| values[index]).fold(0.0, f64::max);
                let weight = &mut values[displacement_index(long, short)];
                *weight = weight.max(minimum);
            }
        }
    }

    /// The longer side of the boards that these weights are for.
    pub fn side(&self) -> usize {
        self.side
    }

    /// The weights in the order of [`Weights::names`].
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Weights for boards of another size. Displacements that do not occur on the smaller board are
    /// extrapolated in proportion to the closed form.
    #[must_use]
    pub fn resized(&self, side: usize) -> Weights {
        let closed_form = Weights::closed_form(side);
        let (own_count, new_count) = (displacement_count(self.side), displacement_count(side));
        // The factor is averaged over the outer half: single large displacements are rare, so their weights
        // are uncertain.
        let outer = displacement_count(self.side.min(side) / 2)..own_count.min(new_count);
        let growth =
            self.values[outer.clone()].iter().sum::<f64>() / closed_form.values[outer].iter().sum::<f64>();
        let displaced = (0..new_count).map(|index| {
            if index < own_count { self.values[index] } else { growth * closed_form.values[index] }
        });
        // The outermost ring stays outermost; the others are scaled proportionally.
        let ring = |ring: usize| self.values[own_count + ring * (self.side - 1) / (side - 1).max(1)];
        let surrounded = &self.values[surroundings_index(self.side, 0)..];
        let mut values: Vec<f64> =
            displaced.chain((0..side).map(ring)).chain(surrounded.iter().copied()).collect();
        Weights::project(side, &mut values);
        Weights { side, values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_has_a_name() {
        for side in 2..=16 {
            let names = Weights::names(side);
            assert_eq!(names.len(), Weights::closed_form(side).values().len());
            assert_eq!(names[displacement_index(1, side - 1)], format!("{},1", side - 1));
            assert_eq!(names[surroundings_index(side, 3)], "solved2opposite");
        }
        let goal = Goal::named(Size { rows: 3, columns: 5 }, "blank-last").expect("a known goal");
        assert_eq!(Weights::names(5)[ring_index(&goal, 0)], "ring4");
        assert_eq!(Weights::names(5)[ring_index(&goal, 9)], "ring1");
    }

    #[test]
    fn projection_is_monotone_and_idempotent() {
        let mut weights: Vec<f64> =
            (0..Weights::names(6).len()).map(|n| (n * 37 % 23) as f64 - 5.0).collect();
        Weights::project(6, &mut weights);
        assert!(weights.iter().all(|&weight| weight >= 0.0));
        assert_eq!(weights[0], 0.0);
        assert!(
            weights[displacement_index(3, 1)]
                >= weights[displacement_index(2, 1)].max(weights[displacement_index(3, 0)])
        );
        assert!(weights[displacement_index(2, 2)] >= weights[displacement_index(2, 1)]);
        let mut again = weights.clone();
        Weights::project(6, &mut again);
        assert_eq!(again, weights);
    }

    #[test]
    fn resizing_keeps_the_common_displacements() {
        let closed_form = Weights::closed_form(8);
        assert_eq!(closed_form.resized(8), closed_form);
        let larger = closed_form.resized(12);
        assert_eq!(larger.side(), 12);
        assert_eq!(larger.values().len(), Weights::names(12).len());
        assert_eq!(larger.values()[..displacement_count(8)], closed_form.values()[..displacement_count(8)]);
        assert_eq!(
            larger.resized(8).values()[..displacement_count(8)],
            closed_form.values()[..displacement_count(8)]
        );
    }

    #[test]
    fn neighbour_classes_are_invariant_under_rotation() {
        let classes = surroundings_classes();
        assert_eq!((classes[0], classes[15]), (0, 5));
        for (mask, class) in classes.into_iter().enumerate() {
            // A quarter turn of the board permutes the moves.
            let rotated = [(0, 1), (1, 3), (3, 2), (2, 0)]
                .map(|(from, to)| (mask >> from & 1) << to)
                .iter()
                .sum::<usize>();
            assert_eq!(classes[rotated], class, "{mask:04b}");
        }
    }
}
