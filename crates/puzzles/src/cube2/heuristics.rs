//! HeuristicFactory for the pocket cube, and how a name becomes one.

use untumble_search::control::Control;
use untumble_search::error::Error;
use untumble_search::frontend::HeuristicOf;
use untumble_search::heuristic::{Admissibility, DynHeuristic, Heuristic, Largest};
use untumble_search::solve::{HeuristicFactory, HeuristicVisitor};
use untumble_search::spec::HeuristicExpr;
use untumble_search::tables::Tables;

use super::Cube2;
use super::full::{self, Full};
use super::manhattan::Manhattan;
use super::tiny::Tiny;

/// The heuristics of the pocket cube.
pub(super) const HEURISTICS: &[HeuristicOf] = &[
    HeuristicOf {
        name: "full",
        aliases: &[],
        what: "the distances of all 3,674,160 positions (3.7 MB)",
        promise: Admissibility::Consistent,
        argument: "",
        file: false,
        memory: Some(full::LENGTH as u64),
    },
    HeuristicOf {
        name: "tiny",
        aliases: &[],
        what: "the least distance of the positions that share a bucket (330,000 buckets, 0.2 MB)",
        promise: Admissibility::Admissible,
        argument: "buckets, 1000 to 4000000",
        file: false,
        memory: None,
    },
    HeuristicOf {
        name: "manhattan",
        aliases: &[],
        what: "the moves each corner needs by itself; a move serves four of them",
        promise: Admissibility::Consistent,
        argument: "",
        file: false,
        memory: Some(0),
    },
];

/// The heuristics, made ready on demand.
pub struct Heuristics<'a> {
    cube: &'a Cube2,
    tables: &'a dyn Tables,
    control: &'a Control,
}

impl<'a> Heuristics<'a> {
    /// For `cube`, with tables from `tables`.
    pub fn new(cube: &'a Cube2, tables: &'a dyn Tables, control: &'a Control) -> Heuristics<'a> {
        Heuristics { cube, tables, control }
    }

    fn estimate(&self, bound: &HeuristicExpr) -> Result<Box<dyn DynHeuristic<Cube2>>, Error> {
        self.resolve(bound, Erase)
    }
}

struct Erase;

impl HeuristicVisitor<Cube2> for Erase {
    type Out = Box<dyn DynHeuristic<Cube2>>;

    fn visit<H: Heuristic<Cube2>>(self, heuristic: H) -> Result<Self::Out, Error> {
        Ok(Box::new(heuristic))
    }
}

impl HeuristicFactory<Cube2> for Heuristics<'_> {
    fn resolve<V: HeuristicVisitor<Cube2>>(
        &self,
        bound: &HeuristicExpr,
        visitor: V,
    ) -> Result<V::Out, Error> {
        match bound {
            HeuristicExpr::Max(parts) if parts.len() == 1 => self.resolve(&parts[0], visitor),
            HeuristicExpr::Max(parts) => visitor
                .visit(Largest(parts.iter().map(|part| self.estimate(part)).collect::<Result<_, _>>()?)),
            HeuristicExpr::Named { name, argument } => match (name.as_str(), argument.as_deref()) {
                ("full", None) => visitor.visit(Full::new(self.cube, self.tables, self.control)?),
                ("manhattan", None) => visitor.visit(Manhattan::new(self.cube)),
                ("tiny", argument) => {
                    visitor.visit(Tiny::sized(self.cube, argument, self.tables, self.control)?)
                }
                ("full" | "manhattan", Some(argument)) => {
                    Err(Error::Usage(format!("{name} takes no argument; leave out `:{argument}`")))
                }
                _ => Err(Error::Usage(format!("there is no heuristic `{name}` for the pocket cube"))),
            },
        }
    }

    fn default_heuristic(&self) -> HeuristicExpr {
        HeuristicExpr::named("full")
    }
}
