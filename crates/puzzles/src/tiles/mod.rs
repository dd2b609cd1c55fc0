//! Sliding-tile puzzles (8-, 15-, 24-puzzle, …) on a board of R rows and C columns.
//!
//! One decision serves every goal: inside the engine a tile is identified by its *tile id*, the number
//! of cells from the blank's home to the tile's home, counted cyclically in reading order. The blank
//! has id 0, and two goals differ only in the blank's home cell. The labels printed on the tiles occur
//! in text alone (`text.rs`, [`Goal`]).
//!
//! Moves are ordered as in Korf, "Depth-first iterative-deepening: an optimal admissible tree search"
//! (Artificial Intelligence 27, 1985), so that IDA* reproduces the published node counts.

pub mod beam;
pub mod cells;
mod detect_size;
pub mod device;
pub mod distance_table;
mod draw;
mod duplicate_operators;
mod error;
pub mod fifteen;
mod frontend;
mod goal;
pub mod heuristics;
mod instance_sets;
pub mod layers;
mod local_path;
pub mod pdb;
mod portfolio;
mod presets;
mod proofs;
mod ranked;
mod repair;

mod suites;
mod text;

use std::fmt;
use std::sync::OnceLock;

use untumble_search::moves::{Move, MoveAutomaton, MoveSet};
use untumble_search::puzzle::Puzzle;

pub use cells::Cells;
pub(crate) use detect_size::detect_size;
pub use error::TilesError;
pub use goal::{GOAL_NAMES, Goal};
pub use instance_sets::instance_sets;
pub use suites::suites;
pub use text::parse_goal;

/// The tile above the blank slides down.
///
/// A move is named for the direction in which its tile slides. Moves are numbered in the order in which
/// the blank goes up, left, right, down: Korf's operator order, which his node counts depend on.
pub const DOWN: Move = Move(0);
/// The tile left of the blank slides right.
pub const RIGHT: Move = Move(1);
/// The tile right of the blank slides left.
pub const LEFT: Move = Move(2);
/// The tile below the blank slides up.
pub const UP: Move = Move(3);

/// The size of a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Size {
    /// Number of rows, at least [`Size::MIN_SIDE`].
    pub rows: usize,
    /// Number of columns, at least [`Size::MIN_SIDE`].
    pub columns: usize,
}

impl Size {
    /// Smallest number of rows and of columns.
    pub const MIN_SIDE: usize = 2;
    /// Largest number of rows and of columns that the search algorithms accept; larger boards are
    /// left to the constructive solver.
    pub const MAX_SEARCH_SIDE: usize = 16;
    /// Largest number of rows and of columns.
    pub const MAX_SIDE: usize = 64;

    /// The number of cells, the blank's included.
    pub fn cells(self) -> usize {
        self.rows * self.columns
    }

    /// The row of a cell.
    #[inline]
    pub fn row(self, cell: usize) -> usize {
        cell / self.columns
    }

    /// The column of a cell.
    #[inline]
    pub fn column(self, cell: usize) -> usize {
        cell % self.columns
    }

    /// The Manhattan distance between two cells.
    pub fn distance(self, a: usize, b: usize) -> usize {
        self.row(a).abs_diff(self.row(b)) + self.column(a).abs_diff(self.column(b))
    }

    /// The cell of the tile that `m` slides into the blank's cell; `None` if that cell would lie beyond
    /// the edge of the board.
    pub fn sliding_cell(self, blank: usize, m: Move) -> Option<usize> {
        let (row, column) = (self.row(blank), self.column(blank));
        match m {
            DOWN if row > 0 => Some(blank - self.columns),
            RIGHT if column > 0 => Some(blank - 1),
            LEFT if column + 1 < self.columns => Some(blank + 1),
            UP if row + 1 < self.rows => Some(blank + self.columns),
            _ => None,
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.columns)
    }
}

/// A state: the tile in each cell, and the blank's cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board<C> {
    /// The tile id in each cell.
    pub cells: C,
    /// The cell that holds the blank.
    pub blank: u16,
}

/// The sliding-tile puzzle with one goal.
pub struct Tiles<C> {
    goal: Goal,
    solved: Board<C>,
    /// The cell of the sliding tile, by `4 * blank + move`.
    sliding_cells: Vec<u16>,
    /// Legal moves, by the blank's cell.
    legal: Vec<MoveSet>,
    /// The move-pruning automaton, built on first use.
    automaton: OnceLock<MoveAutomaton>,
    /// The effect of vertical moves on ranks (`ranked.rs`).
    rank_transitions: ranked::LazyTransitions,
}

impl<C: Cells> Tiles<C> {
    /// The puzzle whose solved state is `goal`.
    ///
    /// # Panics
    /// If the board has more than `C::CAPACITY` cells; the catalog selects a large enough `C`.
    pub fn new(goal: Goal) -> Tiles<C> {
        let size = goal.size();
        assert!(size.cells() <= C::CAPACITY, "a {size} board has more cells than `C` can hold");
        let moves = [DOWN, RIGHT, LEFT, UP];
        let mut sliding_cells = Vec::new();
        let mut legal = Vec::new();
        for blank in 0..size.cells() {
            sliding_cells.extend(moves.map(|m| size.sliding_cell(blank, m).unwrap_or(blank) as u16));
            legal.push(moves.into_iter().filter(|&m| size.sliding_cell(blank, m).is_some()).collect());
        }
        let solved = Board { cells: C::pack(&goal.solved()), blank: goal.blank_home() as u16 };
        let (automaton, rank_transitions) = (OnceLock::new(), ranked::LazyTransitions::default());
        Tiles { goal, solved, sliding_cells, legal, automaton, rank_transitions }
    }

    /// The goal.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.goal.size()
    }

    /// The cell of the tile that the legal move `m` slides into the blank's cell.
    #[inline]
    pub fn sliding_cell(&self, blank: u16, m: Move) -> usize {
        usize::from(self.sliding_cells[usize::from(blank) * 4 + m.index()])
    }

    /// The board with these tile ids, listed cell by cell.
    pub fn board(&self, ids: &[u16]) -> Board<C> {
        let cells = C::pack(ids);
        let blank = cells.blank() as u16;
        Board { cells, blank }
    }

    /// The tile ids of a board, listed cell by cell.
    pub fn tile_ids(&self, board: &Board<C>) -> Vec<u16> {
        (0..self.size().cells()).map(|cell| board.cells.get(cell) as u16).collect()
    }
}

/// The move that undoes `m`.
fn inverse(m: Move) -> Move {
    Move(3 - m.0)
}

impl<C: Cells> Puzzle for Tiles<C> {
    type State = Board<C>;
    type Key = C;
    type Moves = MoveSet;

    fn solved(&self) -> Board<C> {
        self.solved.clone()
    }

    fn goal_states(&self) -> Option<Vec<Board<C>>> {
        Some(vec![self.solved.clone()])
    }

    #[inline]
    fn is_goal(&self, board: &Board<C>) -> bool {
        board.cells == self.solved.cells
    }

    #[inline]
    fn legal(&self, board: &Board<C>) -> MoveSet {
        self.legal[usize::from(board.blank)]
    }

    #[inline]
    fn apply(&self, board: &Board<C>, m: Move) -> Board<C> {
        let from = self.sliding_cell(board.blank, m);
        Board { cells: board.cells.slide(from, usize::from(board.blank)), blank: from as u16 }
    }

    #[inline]
    fn inverse(&self, m: Move) -> Option<Move> {
        Some(inverse(m))
    }

    fn automaton(&self) -> &MoveAutomaton {
        // The published node counts of the 15-puzzle come from a search that prunes only the undo of the
        // last move.
        let keeps_published_counts = self.size().cells() <= 16;
        self.automaton.get_or_init(|| {
            if keeps_published_counts {
                duplicate_operators::no_undo()
            } else {
                duplicate_operators::without_duplicates(self.size())
            }
        })
    }

    // Overridden because the default builds the automaton only to count its moves.
    fn move_count(&self) -> usize {
        duplicate_operators::INVERSES.len()
    }

    fn constructive_solution(&self, board: &Board<C>) -> Option<Vec<Move>> {
        let homes = self.tile_ids(board).iter().map(|&id| self.goal().home(id.into()) as u16).collect();
        layers::solve_homes(self.size(), homes, board.blank, self.goal().blank_home() as u16)
    }

    #[inline]
    fn pack(&self, board: &Board<C>) -> C {
        board.cells.clone()
    }

    #[inline]
    fn unpack(&self, cells: &C) -> Board<C> {
        Board { cells: cells.clone(), blank: cells.blank() as u16 }
    }

    fn key_heap_bytes(&self) -> usize {
        C::heap_bytes(self.size().cells())
    }

    #[inline]
    fn min_move_cost(&self) -> u32 {
        1
    }
}
