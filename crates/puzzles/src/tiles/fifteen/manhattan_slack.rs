//! Nodes of IDA* with Manhattan distance, evaluated by their slack.
//!
//! The slack of a node is bound − g − h, never negative within the bound. A step that brings its tile closer
//! to home keeps the slack (g rises by 1, h falls by 1); any other step reduces it by 2.

use untumble_search::puzzle::Cost;

use super::super::Goal;
use super::batch::StepTables;
use super::blank_cell::neighbours;
use super::dfs::NodeEvaluator;

/// The tables of one goal.
pub(super) struct ManhattanSlack {
    goal_cells: u64,
    /// By the blank's cell and the move: a bit for each tile that the move brings closer to home.
    closer_bits: [[u16; 4]; 16],
    /// The distance from home, by tile and cell.
    distance: [[u8; 16]; 16],
    /// The same tables in the layout of the batch search.
    pub(super) batch_tables: StepTables,
}

/// A board and its slack.
#[derive(Clone, Copy)]
pub(super) struct ManhattanNode {
    pub(super) cells: u64,
    pub(super) slack: i64,
}

impl ManhattanSlack {
    pub(super) fn new(goal: &Goal, goal_cells: u64) -> ManhattanSlack {
        let mut distance = [[0; 16]; 16];
        for (tile, row) in distance.iter_mut().enumerate().skip(1) {
            for (cell, distance) in row.iter_mut().enumerate() {
                *distance = goal.size().distance(cell, goal.home(tile)) as u8;
            }
        }
        let mut closer_bits = [[0; 4]; 16];
        for (blank, row) in closer_bits.iter_mut().enumerate() {
            for (tiles, from) in row.iter_mut().zip(neighbours(blank)) {
                let Some(from) = from else { continue };
                let closer = |&tile: &usize| distance[tile][blank] < distance[tile][from];
                *tiles = (1..16).filter(closer).map(|tile| 1 << tile).sum();
            }
        }
        let batch_tables = StepTables::new(goal_cells, &closer_bits);
        ManhattanSlack { goal_cells, closer_bits, distance, batch_tables }
    }

    /// The Manhattan distance of a board.
    pub(super) fn distance(&self, cells: u64) -> Cost {
        let distance = |cell: usize| Cost::from(self.distance[(cells >> (4 * cell) & 15) as usize][cell]);
        (0..16).map(distance).sum()
    }
}

impl NodeEvaluator for ManhattanSlack {
    type Node = ManhattanNode;

    #[inline(always)]
    fn step(&self, node: ManhattanNode, from: usize, to: usize, m: usize) -> Option<ManhattanNode> {
        let tile = node.cells >> (4 * from) & 15;
        let closer = i64::from(self.closer_bits[to][m] >> tile & 1);
        let slack = node.slack - 2 + 2 * closer;
        let cells = node.cells ^ (tile << (4 * from) | tile << (4 * to));
        (slack >= 0).then_some(ManhattanNode { cells, slack })
    }

    #[inline(always)]
    fn is_goal(&self, node: ManhattanNode) -> bool {
        node.cells == self.goal_cells
    }
}
