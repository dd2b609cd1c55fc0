//! The 15-puzzle's own bounded depth-first search with pattern databases, for every goal and partition.
//!
//! It generates the nodes of [`untumble_search::bounded_dfs::GenericDfs`] with the same words and the same [`Pdb`] one for one: the
//! loop is compiled for each cell of the gap (`descent.rs`), a node is priced by a few additions (`reader.rs`).

mod descent;
mod reader;
mod trails;

use std::sync::Arc;

use untumble_search::bounded_dfs::{BoundedDfs, PassResult, SolutionMode, Subtree};
use untumble_search::control::{Control, Meter};
use untumble_search::error::Error;
use untumble_search::executor::Executor;
use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::moves::{Move, MoveAutomaton};
use untumble_search::puzzle::Cost;
use untumble_search::report::Report;
use untumble_search::runtime::Runtime;
use untumble_search::solve::Solver;
use untumble_search::solve::ida::{IdaOptions, iterative_deepening};

use self::reader::{Bits, Mixed, Reader};
use self::trails::Trails;
use super::cell;
use crate::tiles::pdb::{Layout, Pdb};
use crate::tiles::{Board, Cells, Size, Tiles, detours};

/// IDA\* with the pattern databases of one partition on boards of 4×4.
pub struct PatternIda {
    tiles: Tiles<u64>,
    pdb: Pdb<u64>,
    trails: Trails,
    options: IdaOptions,
    executor: Arc<dyn Executor>,
}

impl PatternIda {
    /// For boards that are to become the goal of `tiles`, with the partition that `text` names; nothing if
    /// they are not 4×4.
    pub fn new<C: Cells>(
        tiles: &Tiles<C>,
        text: &str,
        options: IdaOptions,
        runtime: &Runtime,
        control: &Control,
    ) -> Result<Option<PatternIda>, Error> {
        let fits = tiles.size() == Size { rows: 4, columns: 4 };
        if !fits || tiles.solved.cells.word().is_none() {
            return Ok(None);
        }
        let pdb = Pdb::new(tiles.goal(), text, &*runtime.tables, control)?;
        let trails = Trails::new(&PatternIda::words(false));
        let (tiles, executor) = (Tiles::new(tiles.goal().clone()), options.executor(runtime));
        Ok(Some(PatternIda { tiles, pdb, trails, options, executor }))
    }

    /// The words it tries: no published counts bind a search with pattern databases, so it leaves out detours. Where
    /// all solutions are wanted, it tries every word.
    pub fn words(all: bool) -> MoveAutomaton {
        if all { detours::none() } else { detours::left_out(Size { rows: 4, columns: 4 }) }
    }
}

impl<C: Cells> Solver<Tiles<C>> for PatternIda {
    fn solve(&self, tiles: &Tiles<C>, starts: &[Board<C>], control: &Control) -> Report {
        match self.bounded_dfs(tiles, starts, SolutionMode::of(control.all(), self.options.early)) {
            Some(dfs) => iterative_deepening(&*dfs, control, &*self.executor),
            None => unreachable!("boards of 4x4 are words"),
        }
    }

    fn bounded_dfs<'a>(
        &'a self,
        _tiles: &'a Tiles<C>,
        starts: &'a [Board<C>],
        mode: SolutionMode,
    ) -> Option<Box<dyn BoundedDfs + 'a>> {
        let board = |start: &Board<C>| Some(Board { cells: start.cells.word()?, gap: start.gap });
        let starts = starts.iter().map(board).collect::<Option<_>>()?;
        let plain = mode.lists_all().then(|| Trails::new(&PatternIda::words(true)));
        Some(Box::new(Position {
            ida: self,
            reader: Reader::new(&self.tiles, &self.pdb),
            plain,
            starts,
            mode,
        }))
    }
}

/// The bounded depth-first search of one position.
struct Position<'a> {
    ida: &'a PatternIda,
    reader: Reader<'a>,
    /// The words to try where they are not the solver's.
    plain: Option<Trails>,
    starts: Vec<Board<u64>>,
    mode: SolutionMode,
}

impl Position<'_> {
    fn trails(&self) -> &Trails {
        self.plain.as_ref().unwrap_or(&self.ida.trails)
    }
}

impl BoundedDfs for Position<'_> {
    fn floor(&self) -> Cost {
        let PatternIda { tiles, pdb, .. } = self.ida;
        self.starts.iter().map(|start| pdb.cost(&pdb.start(tiles, start))).min().unwrap_or(0)
    }

    fn cost(&self, path: &[Move]) -> Cost {
        path.len() as Cost
    }

    fn mode(&self) -> SolutionMode {
        self.mode
    }

    fn admissibility(&self) -> Admissibility {
        Admissibility::Admissible
    }

    fn roots(&self) -> Vec<Subtree> {
        let roots = (0..).zip(&self.starts).map(|(root, start)| Subtree {
            root,
            path: Vec::new(),
            untried: cell::moves(start.cells.gap(), cell::NONE).into(),
        });
        roots.collect()
    }

    fn run_pass(&self, subtrees: Vec<Subtree>, bound: Cost, meter: &mut Meter<'_>) -> PassResult {
        match (self.ida.pdb.layout(), self.ida.options.bpmx) {
            (Some(Layout::Bits), false) => descent::run::<Bits, false>(self, subtrees, bound, meter),
            (Some(Layout::Bits), true) => descent::run::<Bits, true>(self, subtrees, bound, meter),
            (_, false) => descent::run::<Mixed, false>(self, subtrees, bound, meter),
            (_, true) => descent::run::<Mixed, true>(self, subtrees, bound, meter),
        }
    }
}
