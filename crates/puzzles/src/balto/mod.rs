//! Balto's puzzle: a hexagon of tiles on a torus, turned three cells at a time around the corners of the hole.
//!
//! A move takes the hole to a neighbour and carries two tiles around the corner between. Turns alternate in
//! direction, so the direction of the next one is part of a state; it is open in the beginning, which makes two
//! starts and two goals of every position.

pub mod beam;
mod choice;
mod cycles;
mod draw;
pub mod ends;
mod error;
mod finish;
mod frontend;
pub mod heuristics;
mod lattice;
mod learned;
mod meet;
mod repair;
mod school;
mod text;
pub mod weights;

use untumble_search::moves::{Move, MoveAutomaton, MoveSet};
use untumble_search::puzzle::Puzzle;

pub use error::{BaltoError, Place};
pub use lattice::{Displacement, Lattice};

/// Moves that turn clockwise, and as many that turn back.
const TURNS: u8 = 6;

/// The tiles of a board, and which way the next turn goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// The home of what each cell holds; the hole's is the centre.
    cells: Box<[u16]>,
    hole: u16,
    clockwise: bool,
}

impl Board {
    /// The home of what each cell holds.
    pub fn cells(&self) -> &[u16] {
        &self.cells
    }

    /// The cell without a tile.
    pub fn hole(&self) -> u16 {
        self.hole
    }

    /// Whether the next turn goes clockwise.
    pub fn clockwise(&self) -> bool {
        self.clockwise
    }

    /// The same board, the next turn going that way.
    #[must_use]
    pub fn turning(&self, clockwise: bool) -> Board {
        Board { clockwise, ..self.clone() }
    }
}

/// Balto's puzzle on a hexagon of some side.
pub struct Balto {
    lattice: Lattice,
    words: MoveAutomaton,
    clockwise: MoveSet,
    anticlockwise: MoveSet,
}

impl Balto {
    /// The puzzle on a hexagon of that side, one of [`Lattice::LEAST`] to [`Lattice::MOST`].
    pub fn new(side: usize) -> Balto {
        let inverses: Vec<Move> = (0..2 * TURNS).map(|m| back(Move(m))).collect();
        let (all, clockwise) = (MoveSet::first(inverses.len()), MoveSet::first(usize::from(TURNS)));
        Balto {
            lattice: Lattice::new(side),
            words: MoveAutomaton::no_undo(&inverses),
            clockwise,
            anticlockwise: all - clockwise,
        }
    }

    /// Its cells.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// The board on which each cell holds the tile of that home.
    ///
    /// # Panics
    /// If no cell is the hole's; readers check that.
    pub fn board(&self, cells: Box<[u16]>) -> Board {
        let hole = cells.iter().position(|&home| home == self.lattice.centre());
        let hole = hole.expect("one of the cells is the hole") as u16;
        Board { cells, hole, clockwise: true }
    }

    /// The cells that a move turns: the hole goes from the first to the second, a tile from there to the third, and
    /// another from there to the first.
    #[inline]
    fn turned(&self, hole: u16, m: Move) -> [u16; 3] {
        let (second, third) = corners(m);
        let ring = self.lattice.ring();
        [hole, self.lattice.plus(hole, ring[second]), self.lattice.plus(hole, ring[third])]
    }
}

/// The directions, clockwise from NE, in which the hole goes and the other tile comes from.
#[inline]
fn corners(m: Move) -> (usize, usize) {
    let (turn, next) = (usize::from(m.0 % TURNS), usize::from((m.0 + 1) % TURNS));
    if m.0 < TURNS { (turn, next) } else { (next, turn) }
}

/// Whether a move turns clockwise.
#[inline]
fn is_clockwise(m: Move) -> bool {
    m.0 < TURNS
}

/// The move that takes `m` back.
#[inline]
fn back(m: Move) -> Move {
    if is_clockwise(m) { Move(TURNS + (m.0 + 2) % TURNS) } else { Move((m.0 - TURNS + 4) % TURNS) }
}

impl Puzzle for Balto {
    type State = Board;
    /// The cells; the first is raised by their number where the next turn goes anticlockwise.
    type Key = Box<[u16]>;
    type Moves = MoveSet;

    fn solved(&self) -> Board {
        self.board((0..self.lattice.cells() as u16).collect())
    }

    fn goal_states(&self) -> Option<Vec<Board>> {
        Some(self.starts(&self.solved()))
    }

    fn starts(&self, position: &Board) -> Vec<Board> {
        [true, false].map(|clockwise| position.turning(clockwise)).into()
    }

    fn is_goal(&self, board: &Board) -> bool {
        board.hole == self.lattice.centre() && board.cells.iter().zip(0..).all(|(&home, cell)| home == cell)
    }

    #[inline]
    fn legal(&self, board: &Board) -> MoveSet {
        if board.clockwise { self.clockwise } else { self.anticlockwise }
    }

    #[inline]
    fn apply(&self, board: &Board, m: Move) -> Board {
        let turned = self.turned(board.hole, m);
        let mut cells = board.cells.clone();
        let [a, b, c] = turned.map(usize::from);
        (cells[a], cells[b], cells[c]) = (cells[c], cells[a], cells[b]);
        Board { cells, hole: turned[1], clockwise: !board.clockwise }
    }

    #[inline]
    fn inverse(&self, m: Move) -> Option<Move> {
        Some(back(m))
    }

    fn automaton(&self) -> &MoveAutomaton {
        &self.words
    }

    fn pack(&self, board: &Board) -> Box<[u16]> {
        let mut key = board.cells.clone();
        if !board.clockwise {
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
        self.board(cells).turning(clockwise)
    }

    fn key_heap(&self) -> usize {
        size_of::<u16>() * self.lattice.cells()
    }

    #[inline]
    fn cheapest(&self) -> u32 {
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
    fn the_rules_keep_the_laws() {
        for side in [2, 3, 5, 27, 40] {
            laws::puzzle(&Balto::new(side), &mut ChaCha8Rng::seed_from_u64(1));
        }
    }

    /// What the rules say of each move: where the hole goes, and where the other tile comes from.
    #[test]
    fn moves_turn_the_corners_of_the_rules() {
        let names = ["NE", "E", "SE", "SW", "W", "NW"];
        let told: Vec<(&str, &str)> =
            (0..12).map(|m| corners(Move(m))).map(|(b, c)| (names[b], names[c])).collect();
        assert_eq!(
            told,
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
    fn the_smallest_board_reaches_every_even_arrangement() {
        let truth = laws::truth(&Balto::new(2));
        assert_eq!(truth.len(), 2520 * 2, "half of 7! arrangements, each with the next turn either way");
    }
}
