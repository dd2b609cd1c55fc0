//! Tables for the incremental evaluation of two boards, one set for each lattice and set of weights.

use std::sync::{Arc, OnceLock};

use untumble_search::perm::SplitMix64;

use super::Lattice;
use super::three_cycles::ThreeCycles;
use super::weights::{FeatureIndex, WeightTables, Weights};

/// Read-only tables shared by all [`BidirectionalState`](super::bidirectional::BidirectionalState)s of a
/// search.
///
/// Tables over pairs of cells are indexed by `to + cells - from`, so the index needs no reduction modulo
/// the number of cells and the tables hold two periods.
#[derive(Clone, Debug)]
pub struct EvalTables {
    pub(super) lattice: Lattice,
    /// The number of cells.
    pub(super) cells: u16,
    pub(super) neighbour_offsets: [u16; 6],
    pub(super) weights: WeightTables,
    pub(super) features: FeatureIndex,
    /// Indexed by the offset from the empty cell to its target: the penalty while the search is perturbed.
    pub(super) perturbation_penalty: Vec<i32>,
    /// Random factors of the hash: one per cell of the start board, one per cell of the goal board.
    pub(super) hash_factors: [Vec<u64>; 2],
    /// Hash term of the start board's empty cell.
    pub(super) empty_cell_hash: Vec<u64>,
    /// Hash term of each board if its next move is clockwise.
    pub(super) clockwise_hash: [u64; 2],
    /// Built when the first stagnated beam needs it.
    pub(super) three_cycles: OnceLock<Arc<ThreeCycles>>,
}

impl EvalTables {
    /// Tables for boards on `lattice` evaluated with `weights`.
    pub fn new(lattice: &Lattice, weights: &Weights) -> EvalTables {
        let mut rng = SplitMix64(0x0062_616c_746f_0001);
        let mut per_cell = || rng.numbers(lattice.cells());
        let (hash_factors, empty_cell_hash) = ([per_cell(), per_cell()], per_cell());
        let clockwise_hash = [rng.next_u64(), rng.next_u64()];
        let weights = WeightTables::new(lattice, weights);
        EvalTables {
            lattice: lattice.clone(),
            cells: lattice.cells() as u16,
            neighbour_offsets: lattice.neighbour_offsets(),
            perturbation_penalty: perturbation_penalty(lattice, &weights),
            weights,
            features: FeatureIndex::new(lattice),
            hash_factors,
            empty_cell_hash,
            clockwise_hash,
            three_cycles: OnceLock::new(),
        }
    }

    /// See [`Lattice::translate`].
    #[inline(always)]
    pub(super) fn translate(&self, cell: u16, offset: u16) -> u16 {
        let sum = cell + offset;
        if sum >= self.cells { sum - self.cells } else { sum }
    }

    /// Score term of a tile in cell `from` of one board and in cell `to` of the other.
    #[inline(always)]
    pub(super) fn distance_weight(&self, from: u16, to: u16) -> i32 {
        self.weights.distance_weight[usize::from(to + self.cells - from)]
    }
}

/// The distance to each offset times a step penalty. The penalty saved by a step towards the target must
/// exceed everything that a move can worsen: two tiles and the neighbourhoods of the rotated cells.
fn perturbation_penalty(lattice: &Lattice, weights: &WeightTables) -> Vec<i32> {
    let max_neighbour_weight = weights.neighbour_weight.iter().max().copied().unwrap_or(0);
    let step = 8 * weights.distance_weight[1] + 4 * max_neighbour_weight + 1;
    let period: Vec<i32> =
        (0..lattice.cells() as u16).map(|cell| step * lattice.distance(0, cell) as i32).collect();
    period.repeat(2)
}
