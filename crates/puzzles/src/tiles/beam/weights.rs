//! What makes a board of tiles look far from solved: a weight for each displacement of a tile, one for each ring that a displaced
//! tile belongs to, and one for each way in which an unsolved cell can be surrounded by solved ones.
//!
//! Rings are counted from where the gap belongs. Unsolved cells between solved ones are what a beam is stuck with in the end. Rows and columns
//! are alike, so boards of any shape share their weights.

use crate::tiles::{Goal, Size};

/// The ways to be surrounded, up to rotation and reflection.
const SURROUNDINGS: usize = 6;

/// How many of the neighbours are solved; two of them can lie at a corner or opposite.
const SURROUNDING_NAMES: [&str; SURROUNDINGS] =
    ["solved0", "solved1", "solved2", "solved2opposite", "solved3", "solved4"];

/// The class of each set of solved neighbours, a bit for each move that slides one of them in.
pub(super) fn surroundings() -> [usize; 16] {
    std::array::from_fn(|mask: usize| match mask.count_ones() {
        few @ 0..2 => few as usize,
        // Moves and their opposites add up to 3.
        2 if matches!(mask, 0b1001 | 0b0110) => 3,
        2 => 2,
        many => many as usize + 1,
    })
}

/// A weight for each class.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    side: usize,
    all: Vec<f64>,
}

/// How many classes of displacements a board has whose longer side has so many cells.
fn displacements(side: usize) -> usize {
    side * (side + 1) / 2
}

/// The place of a displacement, whichever part of it is longer.
pub(super) fn displaced(rows: usize, columns: usize) -> usize {
    displacements(rows.max(columns)) + rows.min(columns)
}

/// The place of the ring that a cell is in.
pub(super) fn ring(goal: &Goal, cell: usize) -> usize {
    let (size, gap) = (goal.size(), goal.gap());
    let rows = size.row(cell).abs_diff(size.row(gap));
    let columns = size.column(cell).abs_diff(size.column(gap));
    displacements(side(size)) + rows.max(columns)
}

/// The place of a class of surroundings.
pub(super) fn surrounded(side: usize, class: usize) -> usize {
    displacements(side) + side + class
}

/// The longer side of a board, which says how many weights it has.
pub fn side(size: Size) -> usize {
    size.rows.max(size.columns)
}

impl Weights {
    /// All weights of a board with that longer side, in the order of [`Weights::names`].
    pub fn new(side: usize, all: &[f64]) -> Weights {
        let mut all = all.to_vec();
        all.resize(surrounded(side, SURROUNDINGS), 0.0);
        Weights { side, all }
    }

    /// Weights that need no training.
    pub fn closed(side: usize) -> Weights {
        let parts = (0..side).flat_map(|long| (0..=long).map(move |short| (long as f64, short as f64)));
        let displaced = parts.map(|(long, short)| 8.0 * (long + short) + long * long + short * short);
        let rings = (0..side).map(|ring| 2.0 * ring as f64);
        let surrounded = [2.0, 4.0, 8.0, 8.0, 16.0, 32.0];
        Weights { side, all: displaced.chain(rings).chain(surrounded).collect() }
    }

    /// The names of all weights: the longer and the shorter part of a displacement, rings, surroundings.
    pub fn names(side: usize) -> Vec<String> {
        let parts = (0..side).flat_map(|long| (0..=long).map(move |short| format!("{long},{short}")));
        let rings = (0..side).map(|ring| format!("ring{ring}"));
        parts.chain(rings).chain(SURROUNDING_NAMES.map(str::to_owned)).collect()
    }

    /// Brings weights back to what is known of them: none is below 0, a tile at home weighs nothing, and one that is
    /// further in either direction weighs no less.
    pub fn project(side: usize, all: &mut [f64]) {
        all.iter_mut().for_each(|weight| *weight = weight.max(0.0));
        all[0] = 0.0;
        for long in 1..side {
            for short in 0..=long {
                // One step less in either direction; of two equal parts it does not matter which.
                let nearer = [
                    (long > short).then(|| displaced(long - 1, short)),
                    (short > 0).then(|| displaced(long, short - 1)),
                ];
                let least = nearer.into_iter().flatten().map(|place| all[place]).fold(0.0, f64::max);
                let weight = &mut all[displaced(long, short)];
                *weight = weight.max(least);
            }
        }
    }

    /// The longer side of the boards they are for.
    pub fn side(&self) -> usize {
        self.side
    }

    /// All of them.
    pub fn all(&self) -> &[f64] {
        &self.all
    }

    /// The same for boards of another size. What the smaller board does not have grows as the closed form does.
    #[must_use]
    pub fn resized(&self, side: usize) -> Weights {
        let closed = Weights::closed(side);
        let (here, there) = (displacements(self.side), displacements(side));
        // The outermost are seldom met and so least certain: the outer half decides.
        let outer = displacements(self.side.min(side) / 2)..here.min(there);
        let growth = self.all[outer.clone()].iter().sum::<f64>() / closed.all[outer].iter().sum::<f64>();
        let displaced =
            (0..there).map(|place| if place < here { self.all[place] } else { growth * closed.all[place] });
        // The outermost ring stays that, the others lie between as before.
        let ring = |ring: usize| self.all[here + ring * (self.side - 1) / (side - 1).max(1)];
        let surrounded = &self.all[surrounded(self.side, 0)..];
        let mut all: Vec<f64> =
            displaced.chain((0..side).map(ring)).chain(surrounded.iter().copied()).collect();
        Weights::project(side, &mut all);
        Weights { side, all }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_weight_for_every_name() {
        for side in 2..=16 {
            let names = Weights::names(side);
            assert_eq!(names.len(), Weights::closed(side).all().len());
            assert_eq!(names[displaced(1, side - 1)], format!("{},1", side - 1));
            assert_eq!(names[surrounded(side, 3)], "solved2opposite");
        }
        let goal = Goal::named(Size { rows: 3, columns: 5 }, "blank-last").expect("a known goal");
        assert_eq!(Weights::names(5)[ring(&goal, 0)], "ring4");
        assert_eq!(Weights::names(5)[ring(&goal, 9)], "ring1");
    }

    #[test]
    fn what_is_projected_is_monotone_and_stays() {
        let mut weights: Vec<f64> =
            (0..Weights::names(6).len()).map(|n| (n * 37 % 23) as f64 - 5.0).collect();
        Weights::project(6, &mut weights);
        assert!(weights.iter().all(|&weight| weight >= 0.0));
        assert_eq!(weights[0], 0.0);
        assert!(weights[displaced(3, 1)] >= weights[displaced(2, 1)].max(weights[displaced(3, 0)]));
        assert!(weights[displaced(2, 2)] >= weights[displaced(2, 1)]);
        let mut again = weights.clone();
        Weights::project(6, &mut again);
        assert_eq!(again, weights);
    }

    #[test]
    fn weights_are_carried_over_to_other_sizes() {
        let closed = Weights::closed(8);
        assert_eq!(closed.resized(8), closed);
        let larger = closed.resized(12);
        assert_eq!(larger.side(), 12);
        assert_eq!(larger.all().len(), Weights::names(12).len());
        assert_eq!(larger.all()[..displacements(8)], closed.all()[..displacements(8)]);
        assert_eq!(larger.resized(8).all()[..displacements(8)], closed.all()[..displacements(8)]);
    }

    #[test]
    fn surroundings_are_told_up_to_symmetry() {
        let classes = surroundings();
        assert_eq!((classes[0], classes[15]), (0, 5));
        for (mask, class) in classes.into_iter().enumerate() {
            // Up and left are neighbours of left and down, and so on; turning a board turns the sets.
            let turned = [(0, 1), (1, 3), (3, 2), (2, 0)]
                .map(|(from, to)| (mask >> from & 1) << to)
                .iter()
                .sum::<usize>();
            assert_eq!(classes[turned], class, "{mask:04b}");
        }
    }
}
