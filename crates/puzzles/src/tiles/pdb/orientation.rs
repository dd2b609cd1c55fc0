//! Canonical orientation of a pattern: only one of its images under the symmetries of the board is tabulated,
//! so that congruent patterns, and goals that are rotations or reflections of each other, share a table.

use untumble_search::moves::Move;

use super::partition;
use super::pattern::Pattern;
use crate::tiles::Goal;

/// A pattern in canonical orientation, with the symmetry that leads to it.
pub(super) struct OrientedPattern {
    pub(super) pattern: Pattern,
    /// The symmetry: the image of each cell.
    pub(super) cell_map: Vec<usize>,
}

impl OrientedPattern {
    /// The image of a pattern with the lexicographically smallest home cells.
    pub(super) fn new(goal: &Goal, homes: &[usize]) -> OrientedPattern {
        let size = goal.size();
        let is_connected = free_cells_are_connected(goal, homes);
        let image = |cell_map: Vec<usize>| {
            let mut images: Vec<usize> = homes.iter().map(|&home| cell_map[home]).collect();
            images.sort_unstable();
            let free = (0..size.cells()).find(|cell| !images.contains(cell)).unwrap_or(0);
            let blank = if is_connected { free } else { cell_map[goal.blank_home()] };
            OrientedPattern { pattern: Pattern { size, homes: images, blank }, cell_map }
        };
        let images = partition::symmetries(size).into_iter().map(image);
        images
            .min_by(|a, b| (&a.pattern.homes, a.pattern.blank).cmp(&(&b.pattern.homes, b.pattern.blank)))
            .expect("the identity is a symmetry")
    }
}

/// Whether the blank can reach all other free cells while the pattern's tiles are at home. The table depends
/// on the blank's home only if it cannot.
fn free_cells_are_connected(goal: &Goal, homes: &[usize]) -> bool {
    let size = goal.size();
    let mut reached = vec![goal.blank_home()];
    let mut expanded = 0;
    while let Some(&cell) = reached.get(expanded) {
        expanded += 1;
        for next in (0..4).filter_map(|m| size.sliding_cell(cell, Move(m))) {
            if !homes.contains(&next) && !reached.contains(&next) {
                reached.push(next);
            }
        }
    }
    reached.len() + homes.len() == size.cells()
}
