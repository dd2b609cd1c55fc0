//! The 15-puzzle's own IDA\* probe with Manhattan distance, for every goal.
//!
//! It generates the nodes of [`untumble_search::bounded_dfs::Generic`] one for one and faster: the loop is compiled for each cell
//! of the gap and each last move (`descent.rs`), a node is a word and its slack (`slack.rs`).

mod cell;
mod descent;
mod pass;
mod patterns;
mod slack;
mod sweep;

use untumble_search::bounded_dfs::{BoundedDfs, PassResult, Subtree};
use untumble_search::control::{Control, Meter};
use untumble_search::error::Error;
use untumble_search::heuristic::Admissibility;
use untumble_search::moves::Move;
use untumble_search::puzzle::Cost;
use untumble_search::report::Report;
use untumble_search::solve::Solver;
use untumble_search::solve::ida::iterative_deepening;
use untumble_search::spec::{HeuristicExpr, Spec};
use untumble_search::tables::Tables;

pub use self::patterns::{Options, PatternIda};
use self::slack::Slack;
use super::{Board, Cells, Size, Tiles};

/// IDA\* with Manhattan distance on boards of 4×4.
pub struct Ida {
    slack: Slack,
    parallel: bool,
}

impl Ida {
    /// For boards that are to become the goal of `tiles`, on all threads or on one;
    /// nothing if they are not 4×4.
    pub fn new<C: Cells>(tiles: &Tiles<C>, parallel: bool) -> Option<Ida> {
        let fits = tiles.size() == Size { rows: 4, columns: 4 };
        let solved = tiles.solved.cells.word().filter(|_| fits)?;
        Some(Ida { slack: Slack::new(tiles.goal(), solved), parallel })
    }
}

/// The solver a completed spec names, if it is one of these.
pub fn named<C: Cells>(
    tiles: &Tiles<C>,
    spec: &Spec,
    tables: &dyn Tables,
    control: &Control,
) -> Result<Option<Box<dyn Solver<Tiles<C>>>>, Error> {
    let parallel = match spec.algorithm.as_str() {
        "ida" => false,
        "parida" => true,
        _ => return Ok(None),
    };
    let raise = spec.switch("raise", true);
    let Some(HeuristicExpr::Named { name, argument }) = &spec.heuristic else { return Ok(None) };
    Ok(match (name.as_str(), argument) {
        // Manhattan distance is consistent, so raising parents changes nothing.
        ("manhattan", None) => Ida::new(tiles, parallel).map(|own| Box::new(own) as _),
        ("pdb", Some(text)) => {
            let own = PatternIda::new(tiles, text, Options { raise, parallel }, tables, control)?;
            own.map(|own| Box::new(own) as _)
        }
        _ => None,
    })
}

impl<C: Cells> Solver<Tiles<C>> for Ida {
    fn solve(&self, tiles: &Tiles<C>, starts: &[Board<C>], control: &Control) -> Report {
        let threads = if self.parallel { control.threads() } else { 1 };
        match self.probe(tiles, starts, control.all()) {
            Some(probe) => iterative_deepening(&*probe, control, threads),
            None => unreachable!("boards of 4x4 are words"),
        }
    }

    fn probe<'a>(
        &'a self,
        _tiles: &'a Tiles<C>,
        starts: &'a [Board<C>],
        all: bool,
    ) -> Option<Box<dyn BoundedDfs + 'a>> {
        let starts = starts.iter().map(|board| board.cells.word()).collect::<Option<_>>()?;
        Some(Box::new(Fifteen { slack: &self.slack, starts, all }))
    }
}

/// The probe of one position.
struct Fifteen<'a> {
    slack: &'a Slack,
    starts: Vec<u64>,
    all: bool,
}

impl BoundedDfs for Fifteen<'_> {
    fn floor(&self) -> Cost {
        self.starts.iter().map(|&cells| self.slack.distance(cells)).min().unwrap_or(0)
    }

    fn cost(&self, path: &[Move]) -> Cost {
        path.len() as Cost
    }

    fn admissibility(&self) -> Admissibility {
        Admissibility::Consistent
    }

    fn roots(&self) -> Vec<Subtree> {
        let roots = (0..).zip(&self.starts).map(|(root, &start)| Subtree {
            root,
            path: Vec::new(),
            untried: cell::moves(start.gap(), cell::NONE).into(),
        });
        roots.collect()
    }

    fn probe(&self, trees: Vec<Subtree>, bound: Cost, meter: &mut Meter<'_>) -> PassResult {
        pass::run(self, trees, bound, meter)
    }
}
