//! HeuristicFactory and ratings for Balto's puzzle, and how a name becomes one.

use std::sync::Arc;

use untumble_search::error::Error;
use untumble_search::frontend::HeuristicOf;
use untumble_search::heuristic::{Admissibility, DynHeuristic, Heuristic, Largest};
use untumble_search::puzzle::{Cost, Edge, Puzzle};
use untumble_search::solve::{HeuristicFactory, HeuristicVisitor};
use untumble_search::spec::HeuristicExpr;

use super::ends::{Ends, Sheet};
use super::weights::Weights;
use super::{Balto, Board};

/// The heuristics of Balto's puzzle.
pub(super) const HEURISTICS: &[HeuristicOf] = &[
    HeuristicOf {
        name: "learned",
        aliases: &[],
        what: "trained weights for how far tiles are and how unsolved cells lie: for beams",
        promise: Admissibility::None,
        argument: "a file of `untumble train`",
        file: true,
        memory: Some(0),
    },
    HeuristicOf {
        name: "closed",
        aliases: &[],
        what: "the same in a closed form; closed:h2=hamming counts unsolved cells alike: for beams",
        promise: Admissibility::None,
        argument: "h2=hamming",
        file: false,
        memory: Some(0),
    },
    HeuristicOf {
        name: "torus",
        aliases: &[],
        what: "half of all tiles' distances from home; a turn carries two tiles",
        promise: Admissibility::Consistent,
        argument: "",
        file: false,
        memory: Some(0),
    },
];

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

/// The weights that a heuristic's name stands for; `None` where it has none.
pub(super) fn weights(balto: &Balto, name: &str, argument: Option<&str>) -> Result<Option<Weights>, Error> {
    let side = balto.lattice().side();
    match (name, argument) {
        ("closed", None) => Ok(Some(Weights::closed(side))),
        ("closed", Some("h2=hamming")) => Ok(Some(Weights::hamming(side))),
        ("closed", Some(other)) => {
            Err(Error::Usage(format!("closed:{other} should be closed or closed:h2=hamming")))
        }
        ("learned", None) => Ok(Some(Weights::learned(side))),
        ("learned", Some(file)) => Weights::read(side, file).map(Some),
        _ => Ok(None),
    }
}

/// The heuristics, made ready on demand.
pub(super) struct Heuristics<'a>(pub(super) &'a Balto);

impl Heuristics<'_> {
    fn estimate(&self, bound: &HeuristicExpr) -> Result<Box<dyn DynHeuristic<Balto>>, Error> {
        self.resolve(bound, Erase)
    }
}

struct Erase;

impl HeuristicVisitor<Balto> for Erase {
    type Out = Box<dyn DynHeuristic<Balto>>;

    fn visit<H: Heuristic<Balto>>(self, heuristic: H) -> Result<Self::Out, Error> {
        Ok(Box::new(heuristic))
    }
}

impl HeuristicFactory<Balto> for Heuristics<'_> {
    fn resolve<V: HeuristicVisitor<Balto>>(
        &self,
        bound: &HeuristicExpr,
        visitor: V,
    ) -> Result<V::Out, Error> {
        let (name, argument) = match bound {
            HeuristicExpr::Max(parts) if parts.len() == 1 => return self.resolve(&parts[0], visitor),
            HeuristicExpr::Max(parts) => {
                let parts = parts.iter().map(|part| self.estimate(part)).collect::<Result<_, _>>()?;
                return visitor.visit(Largest(parts));
            }
            HeuristicExpr::Named { name, argument } => (name.as_str(), argument.as_deref()),
        };
        if let Some(weights) = weights(self.0, name, argument)? {
            return visitor.visit(Rating::new(self.0, &weights));
        }
        match (name, argument) {
            ("torus", None) => visitor.visit(Torus),
            ("torus", Some(argument)) => {
                Err(Error::Usage(format!("torus takes no argument; leave out `:{argument}`")))
            }
            _ => Err(Error::Usage(format!("there is no heuristic `{name}` for Balto's puzzle"))),
        }
    }

    fn default_heuristic(&self) -> HeuristicExpr {
        HeuristicExpr::named("torus")
    }
}
