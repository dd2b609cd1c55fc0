//! The trained ranking of beams for whichever other search wants it: measured anew for each board.

use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::puzzle::{Cost, Edge};

use crate::tiles::beam::{Sheet, Slide};
use crate::tiles::{Board, Cells, Tiles};

/// How far from solved a board looks. Promises nothing.
#[derive(Clone, Debug)]
pub struct Learned {
    /// What boards are ranked by.
    pub sheet: Sheet,
}

impl<C: Cells> Heuristic<Tiles<C>> for Learned {
    type Value = Cost;

    fn admissibility(&self) -> Admissibility {
        Admissibility::None
    }

    fn start(&self, tiles: &Tiles<C>, board: &Board<C>) -> Cost {
        Slide::new(&self.sheet, &tiles.names(board)).score().max(0) as Cost
    }

    fn step(&self, _value: &Cost, edge: &Edge<'_, Tiles<C>>, left: Cost) -> Result<Cost, Cost> {
        let score = self.start(edge.puzzle, &edge.child());
        if score > left { Err(score) } else { Ok(score) }
    }

    fn cost(&self, value: &Cost) -> Cost {
        *value
    }
}
