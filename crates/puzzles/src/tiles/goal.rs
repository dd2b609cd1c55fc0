//! Goal states, and the translation between tile labels and tile ids.

use untumble_search::error::Error;
use untumble_search::perm::is_odd_permutation;

use super::Size;
use crate::PuzzleError;

/// The goal state: the label that belongs in each cell, 0 for the blank.
///
/// A *label* is the number printed on a tile. A *tile id* is the number of cells from the blank's home
/// to the tile's home, counted cyclically in reading order; the blank has id 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    size: Size,
    /// The label that belongs in each cell.
    labels: Vec<u16>,
    /// The tile id of each label.
    tile_ids: Vec<u16>,
    blank_home: usize,
}

/// Names of the predefined goals; the first one is the default.
pub const GOAL_NAMES: [&str; 3] = ["blank-last", "blank-first", "snail"];

impl Goal {
    /// The predefined goal with this name, one of [`GOAL_NAMES`].
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

    /// The goal with these labels, cell by cell.
    ///
    /// # Panics
    /// If `labels` is not a permutation of 0, 1, …; parsers check this first.
    pub fn new(size: Size, labels: Vec<u16>) -> Goal {
        let cells = size.cells();
        let mut home_of = vec![usize::MAX; cells];
        for (cell, &label) in labels.iter().enumerate() {
            home_of[usize::from(label)] = cell;
        }
        assert!(
            labels.len() == cells && !home_of.contains(&usize::MAX),
            "a goal is a permutation of the labels"
        );
        let blank_home = home_of[0];
        let tile_ids = home_of.iter().map(|cell| ((cell + cells - blank_home) % cells) as u16).collect();
        Goal { size, labels, tile_ids, blank_home }
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The blank's home cell.
    pub fn blank_home(&self) -> usize {
        self.blank_home
    }

    /// The home cell of a tile id.
    pub fn home(&self, tile: usize) -> usize {
        (tile + self.blank_home) % self.size.cells()
    }

    /// The tile id of a label.
    pub fn tile_id(&self, label: u16) -> u16 {
        self.tile_ids[usize::from(label)]
    }

    /// The label of a tile id.
    pub fn label(&self, tile: usize) -> u16 {
        self.labels[self.home(tile)]
    }

    /// The label that belongs in each cell.
    pub fn labels(&self) -> &[u16] {
        &self.labels
    }

    /// The tile ids of the solved board, cell by cell.
    pub fn solved(&self) -> Vec<u16> {
        let cells = self.size.cells();
        (0..cells).map(|cell| ((cell + cells - self.blank_home) % cells) as u16).collect()
    }

    /// Whether the board with these tile ids can be solved: the parity of its permutation must equal the
    /// parity of the blank's distance from home (Johnson & Story, "Notes on the 15 puzzle", American
    /// Journal of Mathematics 2, 1879).
    pub fn reachable(&self, ids: &[u16]) -> bool {
        let odd = is_odd_permutation(ids.len(), |cell| self.home(usize::from(ids[cell])));
        let blank = ids.iter().position(|&id| id == 0).unwrap_or(self.blank_home);
        odd == (self.size.distance(blank, self.blank_home) % 2 == 1)
    }
}

/// The labels 1 2 3 … in a clockwise spiral from the top left corner inwards, the blank last.
fn snail(size: Size) -> Vec<u16> {
    let mut labels = vec![0; size.cells()];
    let (mut top, mut bottom, mut left, mut right) = (0, size.rows, 0, size.columns);
    let mut spiral = Vec::new();
    while top < bottom && left < right {
        spiral.extend((left..right).map(|column| (top, column)));
        spiral.extend((top + 1..bottom).map(|row| (row, right - 1)));
        if bottom - top > 1 {
            spiral.extend((left..right - 1).rev().map(|column| (bottom - 1, column)));
        }
        if right - left > 1 {
            spiral.extend((top + 1..bottom - 1).rev().map(|row| (row, left)));
        }
        (top, bottom, left, right) = (top + 1, bottom - 1, left + 1, right - 1);
    }
    for (label, &(row, column)) in (1..).zip(&spiral[..spiral.len() - 1]) {
        labels[row * size.columns + column] = label;
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snail_goals_spiral_clockwise_inwards() {
        assert_eq!(snail(Size { rows: 3, columns: 3 }), [1, 2, 3, 8, 0, 4, 7, 6, 5]);
        assert_eq!(
            snail(Size { rows: 4, columns: 4 }),
            [1, 2, 3, 4, 12, 13, 14, 5, 11, 0, 15, 6, 10, 9, 8, 7]
        );
        assert_eq!(snail(Size { rows: 2, columns: 4 }), [1, 2, 3, 4, 0, 7, 6, 5]);
        assert_eq!(snail(Size { rows: 3, columns: 2 }), [1, 2, 0, 3, 5, 4]);
    }

    #[test]
    fn tile_ids_count_from_the_blanks_home() {
        let goal = Goal::named(Size { rows: 3, columns: 3 }, "snail").expect("a known goal");
        assert_eq!(goal.blank_home(), 4);
        assert_eq!((goal.tile_id(0), goal.tile_id(4), goal.tile_id(3)), (0, 1, 7));
        assert_eq!(
            (0..9).map(|id| goal.tile_id(goal.label(id))).collect::<Vec<_>>(),
            (0..9).collect::<Vec<_>>()
        );
    }

    #[test]
    fn loyds_14_15_puzzle_has_the_wrong_parity() {
        let goal = Goal::named(Size { rows: 4, columns: 4 }, "blank-last").expect("a known goal");
        let mut ids = goal.solved();
        assert!(goal.reachable(&ids));
        ids.swap(13, 14);
        assert!(!goal.reachable(&ids), "Loyd's 14-15 puzzle");
        ids.swap(15, 11);
        assert!(!goal.reachable(&ids), "a slide preserves unsolvability");
        ids.swap(0, 1);
        assert!(goal.reachable(&ids), "a second transposition restores the parity");
    }
}
