//! IDA* specialised for 4×4 boards with disjoint pattern databases (Korf & Felner, "Disjoint pattern
//! database heuristics", Artificial Intelligence 134, 2002), for every goal and partition.
//!
//! It generates exactly the nodes of [`untumble_search::bounded_dfs::GenericDfs`] with the same automaton and
//! the same [`Pdb`], only faster: the loop is compiled for each cell of the blank (`dfs.rs`), and a node is
//! evaluated by a few additions and two table look-ups (`evaluator.rs`).

mod dfs;
mod evaluator;
mod packed_automaton;

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

use self::evaluator::{MixedLayouts, PatternEvaluator, SparseOnly};
use self::packed_automaton::PackedAutomaton;
use super::blank_cell;
use crate::tiles::pdb::{Layout, Pdb};
use crate::tiles::{Board, Cells, Size, Tiles, duplicate_operators};

/// IDA\* with the pattern databases of one partition on 4×4 boards.
pub struct PatternIda {
    tiles: Tiles<u64>,
    pdb: Pdb<u64>,
    automaton: PackedAutomaton,
    options: IdaOptions,
    executor: Arc<dyn Executor>,
}

impl PatternIda {
    /// The solver for the goal of `tiles` and a partition such as `6-6-3`; `None` if the board is not 4×4.
    pub fn new<C: Cells>(
        tiles: &Tiles<C>,
        partition: &str,
        options: IdaOptions,
        runtime: &Runtime,
        control: &Control,
    ) -> Result<Option<PatternIda>, Error> {
        let is_4x4 = tiles.size() == Size { rows: 4, columns: 4 };
        if !is_4x4 || tiles.solved.cells.word().is_none() {
            return Ok(None);
        }
        let pdb = Pdb::new(tiles.goal(), partition, &*runtime.tables, control)?;
        let automaton = PackedAutomaton::new(&PatternIda::automaton(false));
        let (tiles, executor) = (Tiles::new(tiles.goal().clone()), options.executor(runtime));
        Ok(Some(PatternIda { tiles, pdb, automaton, options, executor }))
    }

    /// The move-pruning automaton. Unless all solutions are wanted, it prunes duplicate operator sequences:
    /// there are no published node counts of searches with pattern databases to reproduce.
    pub fn automaton(all_solutions: bool) -> MoveAutomaton {
        if all_solutions {
            duplicate_operators::no_undo()
        } else {
            duplicate_operators::without_duplicates(Size { rows: 4, columns: 4 })
        }
    }
}

impl<C: Cells> Solver<Tiles<C>> for PatternIda {
    fn solve(&self, tiles: &Tiles<C>, starts: &[Board<C>], control: &Control) -> Report {
        match self.bounded_dfs(tiles, starts, SolutionMode::of(control.all_solutions(), self.options.early)) {
            Some(dfs) => iterative_deepening(&*dfs, control, &*self.executor),
            None => unreachable!("a 4×4 board fits one word"),
        }
    }

    fn bounded_dfs<'a>(
        &'a self,
        _tiles: &'a Tiles<C>,
        starts: &'a [Board<C>],
        mode: SolutionMode,
    ) -> Option<Box<dyn BoundedDfs + 'a>> {
        let board = |start: &Board<C>| Some(Board { cells: start.cells.word()?, blank: start.blank });
        let starts = starts.iter().map(board).collect::<Option<_>>()?;
        let complete_automaton = mode.lists_all().then(|| PackedAutomaton::new(&PatternIda::automaton(true)));
        Some(Box::new(PatternDfs {
            ida: self,
            evaluator: PatternEvaluator::new(&self.tiles, &self.pdb),
            complete_automaton,
            starts,
            mode,
        }))
    }
}

/// The bounded depth-first search of one problem.
struct PatternDfs<'a> {
    ida: &'a PatternIda,
    evaluator: PatternEvaluator<'a>,
    /// Replaces the solver's automaton where all solutions are wanted.
    complete_automaton: Option<PackedAutomaton>,
    starts: Vec<Board<u64>>,
    mode: SolutionMode,
}

impl PatternDfs<'_> {
    fn automaton(&self) -> &PackedAutomaton {
        self.complete_automaton.as_ref().unwrap_or(&self.ida.automaton)
    }
}

impl BoundedDfs for PatternDfs<'_> {
    fn first_bound(&self) -> Cost {
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
            untried: blank_cell::moves(start.cells.blank(), blank_cell::NO_MOVE).into(),
        });
        roots.collect()
    }

    fn run_pass(&self, subtrees: Vec<Subtree>, bound: Cost, meter: &mut Meter<'_>) -> PassResult {
        match (self.ida.pdb.layout(), self.ida.options.bpmx) {
            (Some(Layout::Sparse), false) => dfs::run::<SparseOnly, false>(self, subtrees, bound, meter),
            (Some(Layout::Sparse), true) => dfs::run::<SparseOnly, true>(self, subtrees, bound, meter),
            (_, false) => dfs::run::<MixedLayouts, false>(self, subtrees, bound, meter),
            (_, true) => dfs::run::<MixedLayouts, true>(self, subtrees, bound, meter),
        }
    }
}
