//! What a board is to become, and the names that makes tiles of.

use untumble_search::error::Error;
use untumble_search::perm::is_odd_permutation;

use super::Size;
use crate::PuzzleError;

/// An arrangement of labels (0 for the gap) to get to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    size: Size,
    /// The label that belongs in each cell.
    labels: Vec<u16>,
    /// The name of each label.
    names: Vec<u16>,
    gap: usize,
}

/// The goals that have a name.
pub const GOAL_NAMES: [&str; 3] = ["blank-last", "blank-first", "snail"];

impl Goal {
    /// The goal of a name.
    pub fn named(size: Size, name: &str) -> Result<Goal, Error> {
        let cells = size.cells() as u16;
        let labels = match name {
            "blank-last" => (1..cells).chain([0]).collect(),
            "blank-first" => (0..cells).collect(),
            "snail" => snail(size),
            _ => {
                return Err(PuzzleError::UnknownGoal { name: name.into(), cells: cells.into() }.into());
            }
        };
        Ok(Goal::new(size, labels))
    }

    /// The goal of an arrangement in which each of 0, 1, … stands once.
    ///
    /// # Panics
    /// If it is not such an arrangement; texts are checked where they are read.
    pub fn new(size: Size, labels: Vec<u16>) -> Goal {
        let cells = size.cells();
        let mut home = vec![usize::MAX; cells];
        for (cell, &label) in labels.iter().enumerate() {
            home[usize::from(label)] = cell;
        }
        assert!(labels.len() == cells && !home.contains(&usize::MAX), "a goal holds every label once");
        let gap = home[0];
        let names = home.iter().map(|cell| ((cell + cells - gap) % cells) as u16).collect();
        Goal { size, labels, names, gap }
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The gap's home.
    pub fn gap(&self) -> usize {
        self.gap
    }

    /// The home cell of a name.
    pub fn home(&self, name: usize) -> usize {
        (name + self.gap) % self.size.cells()
    }

    /// The name of a label.
    pub fn name(&self, label: u16) -> u16 {
        self.names[usize::from(label)]
    }

    /// The label of a name.
    pub fn label(&self, name: usize) -> u16 {
        self.labels[self.home(name)]
    }

    /// The label that belongs in each cell.
    pub fn labels(&self) -> &[u16] {
        &self.labels
    }

    /// The solved board's names, cell by cell.
    pub fn solved(&self) -> Vec<u16> {
        let cells = self.size.cells();
        (0..cells).map(|cell| ((cell + cells - self.gap) % cells) as u16).collect()
    }

    /// Whether sliding can bring a board of these names to the goal: the
    /// permutation's parity must be that of the gap's distance from home.
    pub fn reachable(&self, names: &[u16]) -> bool {
        let odd = is_odd_permutation(names.len(), |cell| self.home(usize::from(names[cell])));
        let gap = names.iter().position(|&name| name == 0).unwrap_or(self.gap);
        odd == (self.size.distance(gap, self.gap) % 2 == 1)
    }
}

/// 1 2 3 … clockwise from the top left corner inwards, the gap last.
fn snail(size: Size) -> Vec<u16> {
    let mut labels = vec![0; size.cells()];
    let (mut top, mut bottom, mut left, mut right) = (0, size.rows, 0, size.columns);
    let mut ring = Vec::new();
    while top < bottom && left < right {
        ring.extend((left..right).map(|column| (top, column)));
        ring.extend((top + 1..bottom).map(|row| (row, right - 1)));
        if bottom - top > 1 {
            ring.extend((left..right - 1).rev().map(|column| (bottom - 1, column)));
        }
        if right - left > 1 {
            ring.extend((top + 1..bottom - 1).rev().map(|row| (row, left)));
        }
        (top, bottom, left, right) = (top + 1, bottom - 1, left + 1, right - 1);
    }
    for (label, &(row, column)) in (1..).zip(&ring[..ring.len() - 1]) {
        labels[row * size.columns + column] = label;
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_snail_winds_inwards() {
        assert_eq!(snail(Size { rows: 3, columns: 3 }), [1, 2, 3, 8, 0, 4, 7, 6, 5]);
        assert_eq!(
            snail(Size { rows: 4, columns: 4 }),
            [1, 2, 3, 4, 12, 13, 14, 5, 11, 0, 15, 6, 10, 9, 8, 7]
        );
        assert_eq!(snail(Size { rows: 2, columns: 4 }), [1, 2, 3, 4, 0, 7, 6, 5]);
        assert_eq!(snail(Size { rows: 3, columns: 2 }), [1, 2, 0, 3, 5, 4]);
    }

    #[test]
    fn names_count_from_the_gaps_home() {
        let goal = Goal::named(Size { rows: 3, columns: 3 }, "snail").expect("a known goal");
        assert_eq!(goal.gap(), 4);
        assert_eq!((goal.name(0), goal.name(4), goal.name(3)), (0, 1, 7));
        assert_eq!(
            (0..9).map(|name| goal.name(goal.label(name))).collect::<Vec<_>>(),
            (0..9).collect::<Vec<_>>()
        );
    }

    #[test]
    fn parity_tells_the_famous_swap_apart() {
        let goal = Goal::named(Size { rows: 4, columns: 4 }, "blank-last").expect("a known goal");
        let mut names = goal.solved();
        assert!(goal.reachable(&names));
        names.swap(13, 14);
        assert!(!goal.reachable(&names), "Loyd's 14-15 puzzle");
        names.swap(15, 11);
        assert!(!goal.reachable(&names), "sliding does not mend it");
        names.swap(0, 1);
        assert!(goal.reachable(&names), "a second swap does");
    }
}
