//! The 15-puzzle's own IDA\* probe with pattern databases, for every goal and partition.
//!
//! It generates the nodes of [`untumble_search::bounded_dfs::Generic`] with the same words and the same [`Pdb`] one for one: the
//! loop is compiled for each cell of the gap (`descent.rs`), a node is priced by a few additions (`reader.rs`).

mod descent;
mod reader;
mod trails;

use untumble_search::bounded_dfs::{BoundedDfs, PassResult, Subtree};
use untumble_search::control::{Control, Meter};
use untumble_search::error::Error;
use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::moves::{Move, MoveAutomaton};
use untumble_search::puzzle::Cost;
use untumble_search::report::Report;
use untumble_search::solve::Solver;
use untumble_search::solve::ida::iterative_deepening;
use untumble_search::tables::Tables;

use self::reader::{Bits, Mixed, Reader};
use self::trails::Trails;
use super::cell;
use crate::tiles::pdb::{Layout, Pdb};
use crate::tiles::{Board, Cells, Size, Tiles, detours};

/// How the search goes about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether a child's bound raises its parent's and cuts the remaining siblings.
    pub raise: bool,
    /// On all threads.
    pub parallel: bool,
}

/// IDA\* with the pattern databases of one partition on boards of 4×4.
pub struct PatternIda {
    tiles: Tiles<u64>,
    pdb: Pdb<u64>,
    trails: Trails,
    options: Options,
}

impl PatternIda {
    /// For boards that are to become the goal of `tiles`, with the partition that `text` names; nothing if
    /// they are not 4×4.
    pub fn new<C: Cells>(
        tiles: &Tiles<C>,
        text: &str,
        options: Options,
        tables: &dyn Tables,
        control: &Control,
    ) -> Result<Option<PatternIda>, Error> {
        let fits = tiles.size() == Size { rows: 4, columns: 4 };
        if !fits || tiles.solved.cells.word().is_none() {
            return Ok(None);
        }
        let pdb = Pdb::new(tiles.goal(), text, tables, control)?;
        let trails = Trails::new(&PatternIda::words(false));
        Ok(Some(PatternIda { tiles: Tiles::new(tiles.goal().clone()), pdb, trails, options }))
    }

    /// The words it tries: no published counts bind a search with pattern databases, so it leaves out detours. Where
    /// all solutions are wanted, it tries every word.
    pub fn words(all: bool) -> MoveAutomaton {
        if all { detours::none() } else { detours::left_out(Size { rows: 4, columns: 4 }) }
    }
}

impl<C: Cells> Solver<Tiles<C>> for PatternIda {
    fn solve(&self, tiles: &Tiles<C>, starts: &[Board<C>], control: &Control) -> Report {
        let threads = if self.options.parallel { control.threads() } else { 1 };
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
        let board = |start: &Board<C>| Some(Board { cells: start.cells.word()?, gap: start.gap });
        let starts = starts.iter().map(board).collect::<Option<_>>()?;
        let plain = all.then(|| Trails::new(&PatternIda::words(true)));
        Some(Box::new(Position {
            ida: self,
            reader: Reader::new(&self.tiles, &self.pdb),
            plain,
            starts,
            all,
        }))
    }
}

/// The probe of one position.
struct Position<'a> {
    ida: &'a PatternIda,
    reader: Reader<'a>,
    /// The words to try where they are not the solver's.
    plain: Option<Trails>,
    starts: Vec<Board<u64>>,
    all: bool,
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

    fn probe(&self, trees: Vec<Subtree>, bound: Cost, meter: &mut Meter<'_>) -> PassResult {
        match (self.ida.pdb.layout(), self.ida.options.raise) {
            (Some(Layout::Bits), false) => descent::run::<Bits, false>(self, trees, bound, meter),
            (Some(Layout::Bits), true) => descent::run::<Bits, true>(self, trees, bound, meter),
            (_, false) => descent::run::<Mixed, false>(self, trees, bound, meter),
            (_, true) => descent::run::<Mixed, true>(self, trees, bound, meter),
        }
    }
}
