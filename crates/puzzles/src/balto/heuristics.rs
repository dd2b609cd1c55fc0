//! Heuristics of Balto's puzzle and their registry entries.
//!
//! `torus`, the analogue of Manhattan distance, is consistent. `learned` and `closed` are inadmissible
//! linear evaluations for beam search ([`super::weights`]).

use std::sync::Arc;

use untumble_search::error::Error;
use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::puzzle::{Cost, Edge, Puzzle};
use untumble_search::registry::{Argument, BuildContext, HeuristicEntry, HeuristicInfo};
use untumble_search::spec::SpecError;

use super::bidirectional::{BidirectionalState, EvalTables};
use super::weights::{NeighbourTerm, Weights};
use super::{Balto, Board, rotated_cells};

/// Names in specs.
pub(super) const LEARNED: &str = "learned";
pub(super) const CLOSED: &str = "closed";
pub(super) const TORUS: &str = "torus";

/// The arguments of `closed` in words.
const CLOSED_ARGUMENTS: &str = "h2=hamming or h2=off";

/// The registry entries.
pub(super) fn entries() -> [HeuristicEntry<Balto>; 3] {
    let inadmissible = |name, summary, values| HeuristicInfo {
        admissibility: Admissibility::None,
        argument: Argument::Optional { values, default: None },
        ..HeuristicInfo::new(name, summary)
    };
    let learned = inadmissible(
        LEARNED,
        "trained weights of tile displacements and unsolved cells; for beam search",
        "a file of trained weights",
    );
    let closed = inadmissible(
        CLOSED,
        "closed-form weights of tile displacements and unsolved cells; for beam search; \
         closed:h2=hamming counts the solved neighbours of every unsolved cell, \
         closed:h2=off leaves cells out",
        CLOSED_ARGUMENTS,
    );
    let torus = HeuristicInfo::new(TORUS, "half the sum of all tiles' distances from home on the torus");
    [
        HeuristicEntry::new(HeuristicInfo { reads_file: true, ..learned }, |context, file| {
            Ok(LinearEvaluation::new(context.puzzle, &trained_weights(context, file)?))
        }),
        HeuristicEntry::new(closed, |context, form| {
            Ok(LinearEvaluation::new(context.puzzle, &closed_form_weights(context, form)?))
        }),
        HeuristicEntry::new(torus, |_, _| Ok(TorusDistance)),
    ]
}

/// Half the sum of all tiles' distances from home, rounded up: a move carries two tiles one step each.
#[derive(Clone, Copy, Debug, Default)]
pub struct TorusDistance;

impl TorusDistance {
    fn distance(balto: &Balto, cell: u16, home: u16) -> u32 {
        if home == balto.lattice().centre() { 0 } else { balto.lattice().distance(cell, home) }
    }
}

impl Heuristic<Balto> for TorusDistance {
    /// The sum of the distances.
    type Value = u32;

    fn admissibility(&self) -> Admissibility {
        Admissibility::Consistent
    }

    fn start(&self, balto: &Balto, board: &Board) -> u32 {
        (0..).zip(board.cells()).map(|(cell, &home)| TorusDistance::distance(balto, cell, home)).sum()
    }

    #[inline]
    fn step(&self, sum: &u32, edge: &Edge<'_, Balto>, budget: Cost) -> Result<u32, Cost> {
        let (balto, board) = (edge.puzzle, edge.parent);
        let lattice = balto.lattice();
        let [a, b, c] = rotated_cells(lattice, board.empty_cell, edge.m);
        let (home_b, home_c) = (board.cells[usize::from(b)], board.cells[usize::from(c)]);
        let before = lattice.distance(b, home_b) + lattice.distance(c, home_c);
        let after = lattice.distance(c, home_b) + lattice.distance(a, home_c);
        let sum = sum + after - before;
        let h = self.cost(&sum);
        if h > budget { Err(h) } else { Ok(sum) }
    }

    #[inline]
    fn cost(&self, sum: &u32) -> Cost {
        sum.div_ceil(2)
    }
}

/// The score of [`BidirectionalState`] as a heuristic of single boards. Inadmissible; beam search
/// evaluates on [`BidirectionalState`] itself.
#[derive(Clone, Debug)]
pub struct LinearEvaluation(Arc<EvalTables>);

impl LinearEvaluation {
    /// The evaluation with the given weights.
    pub fn new(balto: &Balto, weights: &Weights) -> LinearEvaluation {
        LinearEvaluation(Arc::new(EvalTables::new(balto.lattice(), weights)))
    }

    /// The tables for [`BidirectionalState::new`].
    pub fn tables(&self) -> &EvalTables {
        &self.0
    }
}

impl Heuristic<Balto> for LinearEvaluation {
    type Value = Cost;

    fn admissibility(&self) -> Admissibility {
        Admissibility::None
    }

    fn start(&self, balto: &Balto, board: &Board) -> Cost {
        BidirectionalState::new(&self.0, board, &balto.solved()).score().max(0) as Cost
    }

    fn cost(&self, value: &Cost) -> Cost {
        *value
    }
}

pub(super) fn trained_weights(
    context: &BuildContext<'_, Balto>,
    file: Option<&str>,
) -> Result<Weights, Error> {
    let side = context.puzzle.lattice().side();
    file.map_or_else(|| Ok(Weights::learned(side)), |file| Weights::from_path(side, file, context.control))
}

pub(super) fn closed_form_weights(
    context: &BuildContext<'_, Balto>,
    form: Option<&str>,
) -> Result<Weights, Error> {
    let side = context.puzzle.lattice().side();
    let term = match form {
        None => NeighbourTerm::Weighted,
        Some("h2=hamming") => NeighbourTerm::SolvedNeighbours,
        Some("h2=off") => NeighbourTerm::Off,
        Some(other) => {
            return Err(SpecError::ArgumentInvalid {
                heuristic: CLOSED.into(),
                argument: other.into(),
                reason: "expected closed, closed:h2=hamming or closed:h2=off".into(),
            }
            .into());
        }
    };
    Ok(Weights::closed_form_with(side, term))
}
