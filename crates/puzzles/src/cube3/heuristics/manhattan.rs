//! Sums of single-piece distances (the 3D Manhattan distance of Korf, AAAI 1997).
//!
//! A move moves four corners and four edges, so a quarter of either sum, rounded up, is a lower bound. A
//! node holds the change of both sums by every move: each slot contributes a word with four bits for each
//! move, and the sum of the words evaluates all children at once. A pruned child costs two shifts and a
//! comparison; its state is never computed.

use std::ops::Add;

use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::puzzle::{Cost, Edge};

use crate::cube::pieces::{Cubie, corner_move, edge_move};
use crate::cube::single_piece::{destination, distances_to_home};
use crate::cube3::packed::{corner_code, edge_code};
use crate::cube3::{Cube, Cube3};

/// A word with four bits for each move.
pub trait MoveNibbles: Copy + Default + Add<Output = Self> + Send + Sync + std::fmt::Debug + 'static {
    /// A word with `value` in the bits of a move.
    fn at(value: u64, m: usize) -> Self;
    /// The bits of a move.
    fn get(self, m: usize) -> u32;
}

macro_rules! move_nibbles {
    ($word:ty) => {
        impl MoveNibbles for $word {
            #[inline(always)]
            fn at(value: u64, m: usize) -> $word {
                <$word>::from(value) << (4 * m)
            }

            #[inline(always)]
            fn get(self, m: usize) -> u32 {
                (self >> (4 * m)) as u32 & 15
            }
        }
    };
}

move_nibbles!(u64);
move_nibbles!(u128);

/// Number of corners, and of edges, that a move moves.
const MOVED: u32 = 4;
/// Number of piece codes, rounded up to a power of two.
const CODES: usize = 32;

/// The heuristic. `W` has room for all moves of the metric.
pub struct Manhattan<W> {
    edges: PieceTable<W, 12>,
    corners: PieceTable<W, 8>,
}

/// Tables of the corners or of the edges, by slot and piece code.
struct PieceTable<W, const SLOTS: usize> {
    distances: [[u8; CODES]; SLOTS],
    /// For each move that moves the slot: the change of the distance, plus 1.
    deltas: [[W; CODES]; SLOTS],
}

impl<W: MoveNibbles, const SLOTS: usize> PieceTable<W, SLOTS> {
    /// The tables of some moves. A piece has `orientations` possible orientations, and `code` is its code.
    fn new(
        turns: &[[Cubie; SLOTS]],
        orientations: usize,
        code: impl Fn(Cubie) -> usize,
    ) -> PieceTable<W, SLOTS> {
        let mut table = PieceTable { distances: [[0; CODES]; SLOTS], deltas: [[W::default(); CODES]; SLOTS] };
        for piece in 0..SLOTS {
            let home_distances = distances_to_home(turns, orientations, piece);
            let distance =
                |slot: usize, orientation: usize| home_distances[slot * orientations + orientation];
            for slot in 0..SLOTS {
                for orientation in 0..orientations {
                    let code = code(Cubie { piece, orientation });
                    table.distances[slot][code] = distance(slot, orientation);
                    let mut word = W::default();
                    for (m, turn) in turns.iter().enumerate() {
                        let (to, to_orientation) = destination(turn, orientations, slot, orientation);
                        if to != slot {
                            let delta = i64::from(distance(to, to_orientation))
                                - i64::from(distance(slot, orientation));
                            word = word + W::at((delta + 1) as u64, m);
                        }
                    }
                    table.deltas[slot][code] = word;
                }
            }
        }
        table
    }
}

/// Both sums, and for each move their change plus 4.
#[derive(Clone, Copy, Debug)]
pub struct Value<W> {
    /// Sum of the distances of the edges.
    edge_sum: u32,
    /// Sum of the distances of the corners.
    corner_sum: u32,
    edge_deltas: W,
    corner_deltas: W,
}

/// The lower bound from both sums.
#[inline(always)]
fn bound(edge_sum: u32, corner_sum: u32) -> Cost {
    edge_sum.max(corner_sum).div_ceil(MOVED)
}

impl<W: MoveNibbles> Manhattan<W> {
    /// The heuristic for the moves of `cube`.
    pub fn new(cube: &Cube3) -> Manhattan<W> {
        let turns = cube.turns().all();
        let edges: Vec<_> = turns.iter().map(|&(face, quarters)| edge_move(face, quarters)).collect();
        let corners: Vec<_> = turns.iter().map(|&(face, quarters)| corner_move(face, quarters)).collect();
        Manhattan {
            edges: PieceTable::new(&edges, 2, edge_code),
            corners: PieceTable::new(&corners, 3, corner_code),
        }
    }

    /// The value of a cube with known sums.
    #[inline(always)]
    fn value(&self, cube: Cube, edge_sum: u32, corner_sum: u32) -> Value<W> {
        let (mut edge_deltas, mut corner_deltas) = (W::default(), W::default());
        for slot in 0..12 {
            edge_deltas = edge_deltas + self.edges.deltas[slot][cube.edge(slot)];
        }
        for slot in 0..8 {
            corner_deltas = corner_deltas + self.corners.deltas[slot][cube.corner(slot)];
        }
        Value { edge_sum, corner_sum, edge_deltas, corner_deltas }
    }
}

impl<W: MoveNibbles> Heuristic<Cube3> for Manhattan<W> {
    type Value = Value<W>;

    fn admissibility(&self) -> Admissibility {
        Admissibility::Consistent
    }

    fn start(&self, _puzzle: &Cube3, cube: &Cube) -> Value<W> {
        let edge_sum = (0..12).map(|slot| u32::from(self.edges.distances[slot][cube.edge(slot)])).sum();
        let corner_sum = (0..8).map(|slot| u32::from(self.corners.distances[slot][cube.corner(slot)])).sum();
        self.value(*cube, edge_sum, corner_sum)
    }

    #[inline(always)]
    fn step(&self, value: &Value<W>, edge: &Edge<'_, Cube3>, budget: Cost) -> Result<Value<W>, Cost> {
        let m = edge.m.index();
        let edge_sum = value.edge_sum + value.edge_deltas.get(m) - MOVED;
        let corner_sum = value.corner_sum + value.corner_deltas.get(m) - MOVED;
        let h = bound(edge_sum, corner_sum);
        if h > budget { Err(h) } else { Ok(self.value(edge.child(), edge_sum, corner_sum)) }
    }

    #[inline(always)]
    fn cost(&self, value: &Value<W>) -> Cost {
        bound(value.edge_sum, value.corner_sum)
    }
}
