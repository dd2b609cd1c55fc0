//! HeuristicFactory for sliding tiles, and how a name becomes one.

mod learned;
mod linear_conflict;
mod manhattan;
mod nilsson;
mod per_tile;
mod walking;

use untumble_search::control::Control;
use untumble_search::error::Error;
use untumble_search::frontend::HeuristicOf;
use untumble_search::heuristic::{Admissibility, DynHeuristic, Heuristic, Largest, Max};
use untumble_search::solve::{HeuristicFactory, HeuristicVisitor};
use untumble_search::spec::HeuristicExpr;
use untumble_search::tables::Tables;

pub use learned::Learned;
pub use linear_conflict::LinearConflict;
pub use manhattan::Manhattan;
pub use nilsson::Nilsson;
pub use per_tile::PerTile;
pub use walking::Walking;

use super::beam::Sheet;
use super::pdb::Pdb;
use super::{Cells, Tiles};

/// The heuristics of sliding tiles.
pub const HEURISTICS: &[HeuristicOf] = &[
    HeuristicOf {
        name: "manhattan",
        aliases: &[],
        what: "rows and columns from each tile to its home",
        promise: Admissibility::Consistent,
        argument: "",
        file: false,
        memory: Some(0),
    },
    HeuristicOf {
        name: "linear-conflict",
        aliases: &[],
        what: "manhattan, plus 2 for every tile that must leave its home line to let another pass",
        promise: Admissibility::Consistent,
        argument: "",
        file: false,
        memory: Some(0),
    },
    HeuristicOf {
        name: "walking",
        aliases: &[],
        what: "walking distance: moves to bring every tile to its home row, plus the same for columns",
        promise: Admissibility::Consistent,
        argument: "",
        file: false,
        memory: None,
    },
    HeuristicOf {
        name: "pdb",
        aliases: &[],
        what: "pattern databases: the exact cost of getting groups of tiles home, added up; boards to 25 cells",
        promise: Admissibility::Admissible,
        argument: "5-5-5, 6-6-3, 7-8 … or tiles 1.2.5/3.4.6",
        file: false,
        memory: None,
    },
    HeuristicOf {
        name: "misplaced",
        aliases: &["hamming"],
        what: "tiles not at home",
        promise: Admissibility::Consistent,
        argument: "",
        file: false,
        memory: Some(0),
    },
    HeuristicOf {
        name: "euclidean",
        aliases: &[],
        what: "straight distances home, summed and rounded up",
        promise: Admissibility::Consistent,
        argument: "",
        file: false,
        memory: Some(0),
    },
    HeuristicOf {
        name: "diagonal",
        aliases: &[],
        what: "the larger of the rows and the columns from home, summed",
        promise: Admissibility::Consistent,
        argument: "",
        file: false,
        memory: Some(0),
    },
    HeuristicOf {
        name: "squared",
        aliases: &[],
        what: "squared distances home, summed: for beams",
        promise: Admissibility::None,
        argument: "",
        file: false,
        memory: Some(0),
    },
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
        name: "nilsson",
        aliases: &[],
        what: "manhattan + 3 times Nilsson's sequence score (3x3, gap in the centre); nilsson:place scores places",
        promise: Admissibility::None,
        argument: "place",
        file: false,
        memory: Some(0),
    },
];

/// The heuristics of one puzzle, made ready on demand.
pub struct Heuristics<'a, C> {
    tiles: &'a Tiles<C>,
    tables: &'a dyn Tables,
    control: &'a Control,
}

impl<'a, C: Cells> Heuristics<'a, C> {
    /// For `tiles`, with tables from `tables`.
    pub fn new(tiles: &'a Tiles<C>, tables: &'a dyn Tables, control: &'a Control) -> Heuristics<'a, C> {
        Heuristics { tiles, tables, control }
    }

    /// Any heuristic, its type erased.
    pub fn estimate(&self, bound: &HeuristicExpr) -> Result<Box<dyn DynHeuristic<Tiles<C>>>, Error> {
        self.resolve(bound, Erase)
    }

    fn largest<V: HeuristicVisitor<Tiles<C>>>(
        &self,
        parts: &[HeuristicExpr],
        visitor: V,
    ) -> Result<V::Out, Error> {
        let name = |part: &HeuristicExpr| match part {
            HeuristicExpr::Named { name, argument: None } => name.clone(),
            other => other.to_string(),
        };
        match parts.iter().map(name).collect::<Vec<_>>().iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [_] => self.resolve(&parts[0], visitor),
            // The pair that is worth a type of its own, in the order that prunes sooner.
            ["walking", "linear-conflict"] | ["linear-conflict", "walking"] => visitor.visit(Max(
                Walking::new(self.tiles.goal(), self.control)?,
                LinearConflict::new(self.tiles.goal()),
            )),
            _ => visitor
                .visit(Largest(parts.iter().map(|part| self.estimate(part)).collect::<Result<_, _>>()?)),
        }
    }
}

struct Erase;

impl<C: Cells> HeuristicVisitor<Tiles<C>> for Erase {
    type Out = Box<dyn DynHeuristic<Tiles<C>>>;

    fn visit<H: Heuristic<Tiles<C>>>(self, heuristic: H) -> Result<Self::Out, Error> {
        Ok(Box::new(heuristic))
    }
}

impl<C: Cells> HeuristicFactory<Tiles<C>> for Heuristics<'_, C> {
    fn resolve<V: HeuristicVisitor<Tiles<C>>>(
        &self,
        bound: &HeuristicExpr,
        visitor: V,
    ) -> Result<V::Out, Error> {
        let (name, argument) = match bound {
            HeuristicExpr::Max(parts) => return self.largest(parts, visitor),
            HeuristicExpr::Named { name, argument } => (name.as_str(), argument.as_deref()),
        };
        let goal = self.tiles.goal();
        if let (Some(argument), true) = (argument, !matches!(name, "nilsson" | "pdb" | "learned")) {
            return Err(Error::Usage(format!("{name} takes no argument; leave out `:{argument}`")));
        }
        match name {
            "manhattan" => visitor.visit(Manhattan::new(goal)),
            "linear-conflict" => visitor.visit(LinearConflict::new(goal)),
            "walking" => visitor.visit(Walking::new(goal, self.control)?),
            "pdb" => match argument {
                Some(text) => visitor.visit(Pdb::new(goal, text, self.tables, self.control)?),
                None => Err(Error::Usage("pdb needs a partition, as in pdb:5-5-5".into())),
            },
            "learned" => visitor.visit(Learned { sheet: Sheet::named(goal, argument)? }),
            "misplaced" | "hamming" => visitor.visit(PerTile::misplaced(goal)),
            "euclidean" => visitor.visit(PerTile::euclidean(goal)),
            "diagonal" => visitor.visit(PerTile::diagonal(goal)),
            "squared" => visitor.visit(PerTile::squared(goal)),
            "nilsson" => visitor.visit(Nilsson::new(goal, argument)?),
            _ => Err(Error::Usage(format!("there is no heuristic `{name}` for sliding tiles"))),
        }
    }

    fn default_heuristic(&self) -> HeuristicExpr {
        HeuristicExpr::named("manhattan")
    }
}
