//! The trained ranking of the beam search as a heuristic for other algorithms, computed from scratch for
//! each board. The beam itself updates it incrementally (`beam/walker.rs`).

use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::puzzle::{Cost, Edge};

use crate::tiles::beam::{EvalTables, TilesWalker};
use crate::tiles::{Board, Cells, Tiles};

/// The trained score of a board; inadmissible.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The weights, prepared for one goal.
    pub tables: EvalTables,
}

impl<C: Cells> Heuristic<Tiles<C>> for Learned {
    type Value = Cost;

    fn admissibility(&self) -> Admissibility {
        Admissibility::None
    }

    fn start(&self, tiles: &Tiles<C>, board: &Board<C>) -> Cost {
        TilesWalker::new(&self.tables, &tiles.tile_ids(board)).score().max(0) as Cost
    }

    fn step(&self, _value: &Cost, edge: &Edge<'_, Tiles<C>>, budget: Cost) -> Result<Cost, Cost> {
        let score = self.start(edge.puzzle, &edge.child());
        if score > budget { Err(score) } else { Ok(score) }
    }

    fn cost(&self, value: &Cost) -> Cost {
        *value
    }
}
