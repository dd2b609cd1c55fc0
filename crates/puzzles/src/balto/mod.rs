//! Balto's puzzle: numbered tiles on a hexagonal board whose opposite sides are joined (a torus).
//!
//! From Al Zimmermann's Programming Contests, "Balto's Puzzle" (2024). A move rotates three mutually
//! adjacent cells, one of which is the empty cell; a board has six such triangles. Clockwise and
//! anticlockwise moves must alternate, so the direction of the next move is part of the state. The first
//! move may go either way, so every position has two start states and two goal states.

pub mod beam;
pub mod bidirectional;
mod draw;
mod error;
mod eval_tables;
mod frontend;
pub mod heuristics;
mod insertion;
mod lattice;
mod learned;
mod mitm;
mod portfolio;
mod repair;
mod text;
mod three_cycles;
mod training;
pub mod weights;

use untumble_search::memory::heap_bytes;
use untumble_search::moves::{Move, MoveAutomaton, MoveSet};
use untumble_search::puzzle::Puzzle;

pub use error::{BaltoError, TileLocation};
pub use lattice::{Displacement, Lattice};

/// Moves `0..6` are clockwise, moves `6..12` anticlockwise.
const CLOCKWISE_MOVES: u8 = 6;

/// A state: the arrangement of the tiles and the direction of the next move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// Indexed by cell: the home cell of its content. The home of the empty cell is the centre.
    cells: Box<[u16]>,
    empty_cell: u16,
    next_clockwise: bool,
}

impl Board {
    /// Indexed by cell: the home cell of its content.
    pub fn cells(&self) -> &[u16] {
        &self.cells
    }

    /// The cell without a tile.
    pub fn empty_cell(&self) -> u16 {
        self.empty_cell
    }

    /// Whether the next move must be clockwise.
    pub fn next_clockwise(&self) -> bool {
        self.next_clockwise
    }

    /// The same arrangement with the given direction of the next move.
    #[must_use]
    pub fn with_direction(&self, next_clockwise: bool) -> Board {
        Board { next_clockwise, ..self.clone() }
    }
}

/// The rules of Balto's puzzle on a board of one side length.
pub struct Balto {
    lattice: Lattice,
    automaton: MoveAutomaton,
    clockwise: MoveSet,
    anticlockwise: MoveSet,
}

impl Balto {
    /// The puzzle on a hexagon of `side` cells, [`Lattice::MIN_SIDE`] to [`Lattice::MAX_SIDE`].
    pub fn new(side: usize) -> Balto {
        let inverses: Vec<Move> = (0..2 * CLOCKWISE_MOVES).map(|m| inverse_move(Move(m))).collect();
        let all = MoveSet::first_n(inverses.len());
        let clockwise = MoveSet::first_n(usize::from(CLOCKWISE_MOVES));
        Balto {
            lattice: Lattice::new(side),
            automaton: MoveAutomaton::no_undo(&inverses),
            clockwise,
            anticlockwise: all - clockwise,
        }
    }

    /// The cells and their adjacency.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// The board with the given arrangement (the home cell of each cell's content), clockwise next.
    ///
    /// # Panics
    /// If no entry is the centre, the home of the empty cell; parsers check that.
    pub fn board(&self, cells: Box<[u16]>) -> Board {
        let empty_cell = cells.iter().position(|&home| home == self.lattice.centre());
        let empty_cell = empty_cell.expect("one cell is empty") as u16;
        Board { cells, empty_cell, next_clockwise: true }
    }
}

/// The three cells that a move rotates: the empty cell moves from the first to the second, the tile of
/// the second to the third, the tile of the third to the first.
#[inline]
fn rotated_cells(lattice: &Lattice, empty_cell: u16, m: Move) -> [u16; 3] {
    let (second, third) = rotation_directions(m);
    let offsets = lattice.neighbour_offsets();
    [
        empty_cell,
        lattice.translate(empty_cell, offsets[second]),
        lattice.translate(empty_cell, offsets[third]),
    ]
}

/// The directions (0 to 5, clockwise from NE) of the second and third rotated cell, seen from the empty
/// cell.
#[inline]
fn rotation_directions(m: Move) -> (usize, usize) {
    let corner = usize::from(m.0 % CLOCKWISE_MOVES);
    let next = usize::from((m.0 + 1) % CLOCKWISE_MOVES);
    if m.0 < CLOCKWISE_MOVES { (corner, next) } else { (next, corner) }
}

/// Whether a move rotates clockwise.
#[inline]
fn is_clockwise(m: Move) -> bool {
    m.0 < CLOCKWISE_MOVES
}

/// The inverse of a move. It has the opposite direction, so it may always follow the move.
#[inline]
fn inverse_move(m: Move) -> Move {
    if is_clockwise(m) {
        Move(CLOCKWISE_MOVES + (m.0 + 2) % CLOCKWISE_MOVES)
    } else {
        Move((m.0 - CLOCKWISE_MOVES + 4) % CLOCKWISE_MOVES)
    }
}

/// The six moves of a direction.
fn moves_of_direction(clockwise: bool) -> impl Iterator<Item = Move> {
    let first = if clockwise { 0 } else { CLOCKWISE_MOVES };
    (first..first + CLOCKWISE_MOVES).map(Move)
}

impl Puzzle for Balto {
    type State = Board;
    /// The arrangement; the number of cells is added to the first entry if the next move is anticlockwise.
    type Key = Box<[u16]>;
    type Moves = MoveSet;

    fn solved(&self) -> Board {
        self.board((0..self.lattice.cells() as u16).collect())
    }

    fn goal_states(&self) -> Option<Vec<Board>> {
        Some(self.start_states(&self.solved()))
    }

    fn start_states(&self, position: &Board) -> Vec<Board> {
        [true, false].map(|clockwise| position.with_direction(clockwise)).into()
    }

    fn is_goal(&self, board: &Board) -> bool {
        board.empty_cell == self.lattice.centre()
            && board.cells.iter().zip(0..).all(|(&home, cell)| home == cell)
    }

    #[inline]
    fn legal(&self, board: &Board) -> MoveSet {
        if board.next_clockwise { self.clockwise } else { self.anticlockwise }
    }

    #[inline]
    fn apply(&self, board: &Board, m: Move) -> Board {
        let rotated = rotated_cells(&self.lattice, board.empty_cell, m);
        let mut cells = board.cells.clone();
        let [a, b, c] = rotated.map(usize::from);
        (cells[a], cells[b], cells[c]) = (cells[c], cells[a], cells[b]);
        Board { cells, empty_cell: rotated[1], next_clockwise: !board.next_clockwise }
    }

    #[inline]
    fn inverse(&self, m: Move) -> Option<Move> {
        Some(inverse_move(m))
    }

    fn automaton(&self) -> &MoveAutomaton {
        &self.automaton
    }

    fn pack(&self, board: &Board) -> Box<[u16]> {
        let mut key = board.cells.clone();
        if !board.next_clockwise {
            key[0] += self.lattice.cells() as u16;
        }
        key
    }

    fn unpack(&self, key: &Box<[u16]>) -> Board {
        let mut cells = key.clone();
        let count = self.lattice.cells() as u16;
        let clockwise = cells[0] < count;
        if !clockwise {
            cells[0] -= count;
        }
        self.board(cells).with_direction(clockwise)
    }

    fn key_heap_bytes(&self) -> usize {
        heap_bytes(size_of::<u16>() * self.lattice.cells())
    }

    #[inline]
    fn min_move_cost(&self) -> u32 {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use untumble_search::laws;

    #[test]
    fn balto_satisfies_the_puzzle_laws() {
        for side in [2, 3, 5, 27, 40] {
            laws::puzzle(&Balto::new(side), &mut ChaCha8Rng::seed_from_u64(1));
        }
    }

    /// For each move, the contest's rules state where the empty cell goes and where the other tile comes
    /// from.
    #[test]
    fn moves_rotate_the_triangles_of_the_contest_rules() {
        let names = ["NE", "E", "SE", "SW", "W", "NW"];
        let directions: Vec<(&str, &str)> =
            (0..12).map(|m| rotation_directions(Move(m))).map(|(b, c)| (names[b], names[c])).collect();
        assert_eq!(
            directions,
            [
                ("NE", "E"),
                ("E", "SE"),
                ("SE", "SW"),
                ("SW", "W"),
                ("W", "NW"),
                ("NW", "NE"),
                ("E", "NE"),
                ("SE", "E"),
                ("SW", "SE"),
                ("W", "SW"),
                ("NW", "W"),
                ("NE", "NW"),
            ]
        );
    }

    #[test]
    fn side_2_reaches_every_even_permutation() {
        let distances = laws::exact_costs(&Balto::new(2));
        assert_eq!(distances.len(), 2520 * 2, "7!/2 arrangements times two directions of the next move");
    }
}
