//! HeuristicFactory for Rubik's cube, and how a name becomes one.

pub(super) mod corners;
pub(super) mod edges;
pub(super) mod manhattan;
pub(super) mod orders;

use untumble_search::control::Control;
use untumble_search::error::Error;
use untumble_search::frontend::HeuristicOf;
use untumble_search::heuristic::{Admissibility, DynHeuristic, Heuristic, Largest, Max};
use untumble_search::solve::{HeuristicFactory, HeuristicVisitor};
use untumble_search::spec::HeuristicExpr;
use untumble_search::tables::Tables;

pub use corners::Corners;
pub use edges::Edges;
pub use manhattan::{Manhattan, Word};

use super::Cube3;
use crate::cube::Metric;

/// The heuristics of Rubik's cube.
pub(super) const HEURISTICS: &[HeuristicOf] = &[
    HeuristicOf {
        name: "manhattan",
        aliases: &[],
        what: "the moves each corner and each edge needs by itself; a move serves four of each",
        promise: Admissibility::Consistent,
        argument: "",
        file: false,
        memory: Some(0),
    },
    HeuristicOf {
        name: "corners",
        aliases: &[],
        what: "pattern database: the exact cost of getting all corners home (44 MB)",
        promise: Admissibility::Consistent,
        argument: "",
        file: false,
        memory: Some(corners::LENGTH as u64),
    },
    HeuristicOf {
        name: "edges",
        aliases: &[],
        what: "pattern database: the exact cost of getting six (21 MB) or seven (255 MB) of the edges home",
        promise: Admissibility::Consistent,
        argument: "6 or 7, the default",
        file: false,
        memory: None,
    },
];

/// The heuristics, made ready on demand.
pub struct Heuristics<'a> {
    cube: &'a Cube3,
    tables: &'a dyn Tables,
    control: &'a Control,
}

impl<'a> Heuristics<'a> {
    /// For `cube`, with tables from `tables`.
    pub fn new(cube: &'a Cube3, tables: &'a dyn Tables, control: &'a Control) -> Heuristics<'a> {
        Heuristics { cube, tables, control }
    }

    fn corners(&self) -> Result<Corners, Error> {
        Corners::new(self.cube, self.tables, self.control)
    }

    fn edges(&self, argument: Option<&str>) -> Result<Edges, Error> {
        Edges::new(self.cube, argument, self.tables, self.control)
    }

    fn estimate(&self, bound: &HeuristicExpr) -> Result<Box<dyn DynHeuristic<Cube3>>, Error> {
        self.resolve(bound, Erase)
    }
}

/// The name and the argument of a bound that is not made of others.
fn named(bound: &HeuristicExpr) -> (Option<&str>, Option<&str>) {
    match bound {
        HeuristicExpr::Named { name, argument } => (Some(name), argument.as_deref()),
        HeuristicExpr::Max(_) => (None, None),
    }
}

struct Erase;

impl HeuristicVisitor<Cube3> for Erase {
    type Out = Box<dyn DynHeuristic<Cube3>>;

    fn visit<H: Heuristic<Cube3>>(self, heuristic: H) -> Result<Self::Out, Error> {
        Ok(Box::new(heuristic))
    }
}

impl HeuristicFactory<Cube3> for Heuristics<'_> {
    fn resolve<V: HeuristicVisitor<Cube3>>(
        &self,
        bound: &HeuristicExpr,
        visitor: V,
    ) -> Result<V::Out, Error> {
        let (name, argument) = match bound {
            HeuristicExpr::Max(parts) if parts.len() == 1 => return self.resolve(&parts[0], visitor),
            HeuristicExpr::Max(parts) => {
                // The pair that is worth a type of its own, in the order that prunes sooner.
                if let [a, b] = &parts[..]
                    && let [(a, None), (b, argument)] | [(b, argument), (a, None)] = [named(a), named(b)]
                    && (a, b) == (Some("corners"), Some("edges"))
                {
                    return visitor.visit(Max(self.corners()?, self.edges(argument)?));
                }
                let parts = parts.iter().map(|part| self.estimate(part)).collect::<Result<_, _>>()?;
                return visitor.visit(Largest(parts));
            }
            HeuristicExpr::Named { name, argument } => (name.as_str(), argument.as_deref()),
        };
        match (name, argument) {
            ("manhattan", None) => match self.cube.turns().metric() {
                Metric::Htm => visitor.visit(Manhattan::<u128>::new(self.cube)),
                Metric::Qtm => visitor.visit(Manhattan::<u64>::new(self.cube)),
            },
            ("corners", None) => visitor.visit(self.corners()?),
            ("edges", argument) => visitor.visit(self.edges(argument)?),
            ("manhattan" | "corners", Some(argument)) => {
                Err(Error::Usage(format!("{name} takes no argument; leave out `:{argument}`")))
            }
            _ => Err(Error::Usage(format!("there is no heuristic `{name}` for Rubik's cube"))),
        }
    }

    fn default_heuristic(&self) -> HeuristicExpr {
        HeuristicExpr::named("manhattan")
    }
}
