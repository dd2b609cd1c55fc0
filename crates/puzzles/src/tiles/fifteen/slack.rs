//! Manhattan distance, carried as slack.
//!
//! Slack is what a node may still waste: bound − moves made − distance. A step that brings its tile
//! nearer keeps it, one that takes it away costs 2: the move, and the way back.

use untumble_search::puzzle::Cost;

use super::super::Goal;
use super::cell::neighbours;
use super::descent::Pricing;
use super::sweep::Steps;

/// The distances of one goal.
pub(super) struct Slack {
    solved: u64,
    /// Which tiles get nearer, one bit each, by the gap's cell and the move.
    nearer: [[u16; 4]; 16],
    /// Each tile's distance from home, by tile and cell.
    distance: [[u8; 16]; 16],
    /// The same steps for sweeps.
    pub(super) steps: Steps,
}

/// A board and its slack.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) cells: u64,
    pub(super) slack: i64,
}

impl Slack {
    pub(super) fn new(goal: &Goal, solved: u64) -> Slack {
        let mut distance = [[0; 16]; 16];
        for (name, row) in distance.iter_mut().enumerate().skip(1) {
            for (cell, far) in row.iter_mut().enumerate() {
                *far = goal.size().distance(cell, goal.home(name)) as u8;
            }
        }
        let mut nearer = [[0; 4]; 16];
        for (gap, row) in nearer.iter_mut().enumerate() {
            for (tiles, from) in row.iter_mut().zip(neighbours(gap)) {
                let Some(from) = from else { continue };
                let closes = |&name: &usize| distance[name][gap] < distance[name][from];
                *tiles = (1..16).filter(closes).map(|name| 1 << name).sum();
            }
        }
        let steps = Steps::new(solved, &nearer);
        Slack { solved, nearer, distance, steps }
    }

    /// The distance of a whole board.
    pub(super) fn distance(&self, cells: u64) -> Cost {
        let far = |cell: usize| Cost::from(self.distance[(cells >> (4 * cell) & 15) as usize][cell]);
        (0..16).map(far).sum()
    }
}

impl Pricing for Slack {
    type Node = Node;

    #[inline(always)]
    fn step(&self, node: Node, from: usize, to: usize, m: usize) -> Option<Node> {
        let tile = node.cells >> (4 * from) & 15;
        let nearer = i64::from(self.nearer[to][m] >> tile & 1);
        let slack = node.slack - 2 + 2 * nearer;
        let cells = node.cells ^ (tile << (4 * from) | tile << (4 * to));
        (slack >= 0).then_some(Node { cells, slack })
    }

    #[inline(always)]
    fn solved(&self, node: Node) -> bool {
        node.cells == self.solved
    }
}
