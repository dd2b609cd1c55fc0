//! Sliding tiles on a board of R rows and C columns.
//!
//! One decision serves every goal: a tile's *name* is its home cell counted
//! from the gap's home, cyclically, so the gap is 0 and every goal becomes the same
//! arrangement. What depends on the goal is only where the gap's home lies; labels
//! appear in text alone.

pub mod beam;
pub mod cells;
mod choice;
mod detours;
pub mod device;
mod draw;
mod error;
pub mod fifteen;
mod frontend;
mod goal;
pub mod heuristics;
pub mod layers;
pub mod pdb;
mod ranked;
mod repair;
mod suites;
pub mod table;
mod text;

use std::fmt;
use std::sync::OnceLock;

use untumble_search::moves::{Move, MoveAutomaton, MoveSet};
use untumble_search::puzzle::Puzzle;

pub use cells::Cells;
pub use error::TilesError;
pub use goal::{GOAL_NAMES, Goal};
pub use suites::suites;
pub use text::read_goal;

/// A move is the direction in which a tile slides. They stand in the order in
/// which the gap goes up, left, right, down: Korf's, whose published node counts depend on it.
pub const DOWN: Move = Move(0);
/// The tile left of the gap slides right.
pub const RIGHT: Move = Move(1);
/// The tile right of the gap slides left.
pub const LEFT: Move = Move(2);
/// The tile below the gap slides up.
pub const UP: Move = Move(3);

/// The size of a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Size {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
}

impl Size {
    /// The least number of rows and columns.
    pub const LEAST: usize = 2;
    /// The most rows and columns that are searched.
    pub const SEARCHED: usize = 16;
    /// The most rows and columns there can be.
    pub const MOST: usize = 64;

    /// How many cells.
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

    /// How many rows and columns lie between two cells, together.
    pub fn distance(self, a: usize, b: usize) -> usize {
        self.row(a).abs_diff(self.row(b)) + self.column(a).abs_diff(self.column(b))
    }

    /// The cell from which `m` slides a tile into `gap`.
    pub fn source(self, gap: usize, m: Move) -> Option<usize> {
        let (row, column) = (self.row(gap), self.column(gap));
        match m {
            DOWN if row > 0 => Some(gap - self.columns),
            RIGHT if column > 0 => Some(gap - 1),
            LEFT if column + 1 < self.columns => Some(gap + 1),
            UP if row + 1 < self.rows => Some(gap + self.columns),
            _ => None,
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.columns)
    }
}

/// A board: what each cell holds, and where the gap is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board<C> {
    /// The names of the tiles.
    pub cells: C,
    /// The gap's cell.
    pub gap: u16,
}

/// Sliding tiles with a goal.
pub struct Tiles<C> {
    goal: Goal,
    solved: Board<C>,
    /// The cell each move slides a tile from, by gap and move.
    source: Vec<u16>,
    legal: Vec<MoveSet>,
    words: OnceLock<MoveAutomaton>,
    orders: ranked::Orders,
}

impl<C: Cells> Tiles<C> {
    /// The puzzle of getting to `goal`.
    ///
    /// # Panics
    /// If the board does not fit `C`; the catalog chooses one that does.
    pub fn new(goal: Goal) -> Tiles<C> {
        let size = goal.size();
        assert!(size.cells() <= C::CAPACITY, "a board of {size} does not fit its cells");
        let moves = [DOWN, RIGHT, LEFT, UP];
        let mut source = Vec::new();
        let mut legal = Vec::new();
        for gap in 0..size.cells() {
            source.extend(moves.map(|m| size.source(gap, m).unwrap_or(gap) as u16));
            legal.push(moves.into_iter().filter(|&m| size.source(gap, m).is_some()).collect());
        }
        let solved = Board { cells: C::pack(&goal.solved()), gap: goal.gap() as u16 };
        let (words, orders) = (OnceLock::new(), ranked::Orders::default());
        Tiles { goal, solved, source, legal, words, orders }
    }

    /// What to get to.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.goal.size()
    }

    /// The cell from which `m` slides a tile into `gap`.
    #[inline]
    pub fn source(&self, gap: u16, m: Move) -> usize {
        usize::from(self.source[usize::from(gap) * 4 + m.index()])
    }

    /// The board of names, cell by cell.
    pub fn board(&self, names: &[u16]) -> Board<C> {
        let cells = C::pack(names);
        let gap = cells.gap() as u16;
        Board { cells, gap }
    }

    /// The names on a board, cell by cell.
    pub fn names(&self, board: &Board<C>) -> Vec<u16> {
        (0..self.size().cells()).map(|cell| board.cells.get(cell) as u16).collect()
    }
}

/// The move that takes `m` back.
fn back(m: Move) -> Move {
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
        self.legal[usize::from(board.gap)]
    }

    #[inline]
    fn apply(&self, board: &Board<C>, m: Move) -> Board<C> {
        let from = self.source(board.gap, m);
        Board { cells: board.cells.slide(from, usize::from(board.gap)), gap: from as u16 }
    }

    #[inline]
    fn inverse(&self, m: Move) -> Option<Move> {
        Some(back(m))
    }

    fn automaton(&self) -> &MoveAutomaton {
        // Published node counts of the 15-puzzle are those of words that only never take a move back.
        let plain = self.size().cells() <= 16;
        self.words.get_or_init(|| if plain { detours::none() } else { detours::left_out(self.size()) })
    }

    // Without this the automaton would be built to be counted.
    fn move_count(&self) -> usize {
        detours::INVERSES.len()
    }

    #[inline]
    fn pack(&self, board: &Board<C>) -> C {
        board.cells.clone()
    }

    #[inline]
    fn unpack(&self, cells: &C) -> Board<C> {
        Board { cells: cells.clone(), gap: cells.gap() as u16 }
    }

    fn key_heap(&self) -> usize {
        C::heap(self.size().cells())
    }

    #[inline]
    fn cheapest(&self) -> u32 {
        1
    }
}
