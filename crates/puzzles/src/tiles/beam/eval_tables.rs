//! Evaluation tables of the trained ranking: the weights as integers, arranged by tile and cell for one
//! goal.

use untumble_search::moves::Move;
use untumble_search::perm::SplitMix64;

use super::weights::{
    Weights, displacement_index, longer_side, ring_index, surroundings_classes, surroundings_index,
};
use crate::tiles::{DOWN, Goal, LEFT, RIGHT, Size, UP};

/// Scores are integers in units of 1/64 of a weight.
pub(super) const UNIT: f64 = 64.0;
/// Marks a neighbour beyond the edge of the board.
pub(super) const OFF_BOARD: u16 = u16::MAX;
/// The moves by direction; direction d is that of the neighbour that slides, and 3 − d is opposite to d.
pub(super) const MOVES: [Move; 4] = [DOWN, RIGHT, LEFT, UP];

/// The tables that all walkers with one goal share.
#[derive(Clone, Debug)]
pub struct EvalTables {
    pub(super) size: Size,
    pub(super) cells: usize,
    /// The home cell of each tile.
    pub(super) homes: Vec<u16>,
    /// The neighbours of each cell, by direction.
    pub(super) neighbours: Vec<[u16; 4]>,
    /// The score of a tile's displacement and home ring, by `tile * cells + cell`.
    pub(super) distance_weight: Vec<i32>,
    /// The score of a cell's solved neighbours, by the cell's flags (see `walker.rs`); 0 for solved cells
    /// and the blank.
    pub(super) surroundings_weight: [i32; 64],
    /// The score of each step between the blank and its target during a perturbation; larger than the
    /// change of the score by any move.
    pub(super) perturbation_weight: i32,
    /// Random factors of the hash, which is the sum over tiles of tile factor × cell factor.
    pub(super) tile_factors: Vec<u64>,
    /// See `tile_factors`.
    pub(super) cell_factors: Vec<u64>,
    /// The feature index of a tile's displacement, by `tile * cells + cell`.
    pub(super) displacement_features: Vec<u16>,
    /// The feature index of a tile's home ring, by tile.
    pub(super) ring_features: Vec<u16>,
    /// The feature index of a set of solved neighbours.
    pub(super) surroundings_features: [u16; 16],
}

impl EvalTables {
    /// Tables for one goal.
    ///
    /// # Panics
    /// If the weights are for another board size.
    pub fn new(goal: &Goal, weights: &Weights) -> EvalTables {
        let (size, cells) = (goal.size(), goal.size().cells());
        let side = longer_side(size);
        assert_eq!(weights.side(), side, "the weights are for another board size");
        let scores: Vec<i32> = weights.values().iter().map(|weight| (UNIT * weight).round() as i32).collect();
        let homes: Vec<usize> = (0..cells).map(|tile| goal.home(tile)).collect();
        let displacement = |index: usize| {
            let (home, cell) = (homes[index / cells], index % cells);
            let rows = size.row(cell).abs_diff(size.row(home));
            let columns = size.column(cell).abs_diff(size.column(home));
            displacement_index(rows, columns) as u16
        };
        let displacement_features: Vec<u16> = (0..cells * cells).map(displacement).collect();
        let ring_features: Vec<u16> = homes.iter().map(|&home| ring_index(goal, home) as u16).collect();
        let distance_weight = |index: usize| {
            let (tile, cell) = (index / cells, index % cells);
            let ring = if cell == homes[tile] { 0 } else { scores[usize::from(ring_features[tile])] };
            if tile == 0 { 0 } else { scores[usize::from(displacement_features[index])] + ring }
        };
        let surroundings_features =
            surroundings_classes().map(|class| surroundings_index(side, class) as u16);
        let mut surroundings_weight = [0; 64];
        for (flags, &feature) in surroundings_features.iter().enumerate() {
            surroundings_weight[flags] = scores[usize::from(feature)];
        }
        let max_ring = ring_features.iter().map(|&feature| scores[usize::from(feature)]).max().unwrap_or(0);
        let max_step = scores[displacement_index(1, 0)] + max_ring;
        let max_surroundings = surroundings_weight.iter().max().copied().unwrap_or(0);
        EvalTables {
            size,
            cells,
            neighbours: (0..cells)
                .map(|cell| MOVES.map(|m| size.sliding_cell(cell, m).map_or(OFF_BOARD, |other| other as u16)))
                .collect(),
            distance_weight: (0..cells * cells).map(distance_weight).collect(),
            surroundings_weight,
            perturbation_weight: 2 * max_step + 4 * max_surroundings + 1,
            tile_factors: SplitMix64(1).numbers(cells),
            cell_factors: SplitMix64(2).numbers(cells),
            homes: homes.into_iter().map(|home| home as u16).collect(),
            displacement_features,
            ring_features,
            surroundings_features,
        }
    }

    /// The score of a tile in a cell, without its surroundings.
    pub(super) fn distance_weight(&self, tile: u16, cell: u16) -> i32 {
        self.distance_weight[usize::from(tile) * self.cells + usize::from(cell)]
    }

    /// The Manhattan distance between two cells.
    pub(super) fn distance(&self, from: u16, to: u16) -> usize {
        self.size.distance(from.into(), to.into())
    }
}
