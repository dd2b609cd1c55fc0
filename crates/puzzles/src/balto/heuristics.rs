//! Heuristics for Balto's puzzle, and their registry entries.

use std::sync::Arc;

use untumble_search::error::Error;
use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::puzzle::{Cost, Edge, Puzzle};
use untumble_search::registry::{Argument, HeuristicEntry, HeuristicInfo};
use untumble_search::spec::SpecError;

use super::ends::{Ends, Sheet};
use super::weights::Weights;
use super::{Balto, Board};

/// The heuristics of Balto's puzzle.
pub(super) fn entries() -> [HeuristicEntry<Balto>; 3] {
    let inadmissible = |name, summary, values| HeuristicInfo {
        admissibility: Admissibility::None,
        argument: Argument::Optional { values },
        ..HeuristicInfo::new(name, summary)
    };
    let learned = inadmissible(
        "learned",
        "trained weights for how far tiles are and how unsolved cells lie: for beams",
        "a file of trained weights",
    );
    let closed = inadmissible(
        "closed",
        "the same in a closed form; closed:h2=hamming counts unsolved cells alike: for beams",
        "h2=hamming",
    );
    let torus =
        HeuristicInfo::new("torus", "half of all tiles' distances from home; a turn carries two tiles");
    [
        HeuristicEntry::new(HeuristicInfo { reads_file: true, ..learned }, |context, file| {
            Ok(Rating::new(context.puzzle, &trained_weights(context.puzzle, file)?))
        }),
        HeuristicEntry::new(closed, |context, form| {
            Ok(Rating::new(context.puzzle, &closed_weights(context.puzzle, form)?))
        }),
        HeuristicEntry::new(torus, |_, _| Ok(Torus)),
    ]
}

/// Half of all tiles' distances from home, rounded up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Torus;

impl Torus {
    fn distance(balto: &Balto, cell: u16, home: u16) -> u32 {
        if home == balto.lattice().centre() { 0 } else { balto.lattice().distance(cell, home) }
    }
}

impl Heuristic<Balto> for Torus {
    /// The sum of the distances.
    type Value = u32;

    fn admissibility(&self) -> Admissibility {
        Admissibility::Consistent
    }

    fn start(&self, balto: &Balto, board: &Board) -> u32 {
        (0..).zip(board.cells()).map(|(cell, &home)| Torus::distance(balto, cell, home)).sum()
    }

    #[inline]
    fn step(&self, sum: &u32, edge: &Edge<'_, Balto>, left: Cost) -> Result<u32, Cost> {
        let (balto, board) = (edge.puzzle, edge.parent);
        let lattice = balto.lattice();
        let [a, b, c] = balto.turned(board.hole, edge.m);
        let (first, second) = (board.cells[usize::from(b)], board.cells[usize::from(c)]);
        let before = lattice.distance(b, first) + lattice.distance(c, second);
        let after = lattice.distance(c, first) + lattice.distance(a, second);
        let sum = sum + after - before;
        let h = self.cost(&sum);
        if h > left { Err(h) } else { Ok(sum) }
    }

    #[inline]
    fn cost(&self, sum: &u32) -> Cost {
        sum.div_ceil(2)
    }
}

/// How far from solved a board looks by its weights. Promises nothing; beams walk on [`Ends`] instead.
#[derive(Clone, Debug)]
pub struct Rating(Arc<Sheet>);

impl Rating {
    /// By these weights.
    pub fn new(balto: &Balto, weights: &Weights) -> Rating {
        Rating(Arc::new(Sheet::new(balto.lattice(), weights)))
    }

    /// What walkers share.
    pub fn sheet(&self) -> &Sheet {
        &self.0
    }
}

impl Heuristic<Balto> for Rating {
    type Value = Cost;

    fn admissibility(&self) -> Admissibility {
        Admissibility::None
    }

    fn start(&self, balto: &Balto, board: &Board) -> Cost {
        Ends::new(&self.0, board, &balto.solved()).score().max(0) as Cost
    }

    fn cost(&self, value: &Cost) -> Cost {
        *value
    }
}

fn trained_weights(balto: &Balto, file: Option<&str>) -> Result<Weights, Error> {
    let side = balto.lattice().side();
    file.map_or_else(|| Ok(Weights::learned(side)), |file| Weights::read(side, file))
}

fn closed_weights(balto: &Balto, form: Option<&str>) -> Result<Weights, Error> {
    let side = balto.lattice().side();
    match form {
        None => Ok(Weights::closed(side)),
        Some("h2=hamming") => Ok(Weights::hamming(side)),
        Some(other) => Err(SpecError::ArgumentInvalid {
            heuristic: "closed".into(),
            argument: other.into(),
            reason: "it should be closed or closed:h2=hamming".into(),
        }
        .into()),
    }
}

/// The weights that a heuristic stands for; `None` where it has none.
pub(super) fn weights(balto: &Balto, name: &str, argument: Option<&str>) -> Result<Option<Weights>, Error> {
    match name {
        "learned" => trained_weights(balto, argument).map(Some),
        "closed" => closed_weights(balto, argument).map(Some),
        _ => Ok(None),
    }
}
