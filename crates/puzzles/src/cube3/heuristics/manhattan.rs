//! The moves each piece needs by itself, added up.
//!
//! A move takes four corners and four edges along, so a quarter of the corners' sum is a bound, and a quarter of the edges' sum. A node
//! carries what every move would change: each slot adds a word with four bits for each move, and the sum of the words
//! prices all children at once. A child that is pruned costs two shifts and a comparison; only those that are not are made.

use std::ops::Add;

use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::puzzle::{Cost, Edge};

use crate::cube::alone::{far, goes};
use crate::cube::pieces::{Placed, turned_corners, turned_edges};
use crate::cube3::packed::{corner_code, edge_code};
use crate::cube3::{Cube, Cube3};

/// A word with four bits for each move.
pub trait Word: Copy + Default + Add<Output = Self> + Send + Sync + std::fmt::Debug + 'static {
    /// `value` in the place of a move.
    fn at(value: u64, m: usize) -> Self;
    /// What stands in the place of a move.
    fn of(self, m: usize) -> u32;
}

macro_rules! word {
    ($word:ty) => {
        impl Word for $word {
            #[inline(always)]
            fn at(value: u64, m: usize) -> $word {
                <$word>::from(value) << (4 * m)
            }

            #[inline(always)]
            fn of(self, m: usize) -> u32 {
                (self >> (4 * m)) as u32 & 15
            }
        }
    };
}

word!(u64);
word!(u128);

/// How many pieces of a kind a move takes along.
const MOVED: u32 = 4;
/// Codes of a piece in a slot, a power of two.
const CODES: usize = 32;

/// The bound. `W` is wide enough for the moves of the metric.
pub struct Manhattan<W> {
    edges: Kind<W, 12>,
    corners: Kind<W, 8>,
}

/// What is known about one kind of piece in each slot.
struct Kind<W, const SLOTS: usize> {
    far: [[u8; CODES]; SLOTS],
    /// 1 more than what each move changes, for the moves that move the slot.
    changes: [[W; CODES]; SLOTS],
}

impl<W: Word, const SLOTS: usize> Kind<W, SLOTS> {
    /// `ways` is in how many ways a piece fits a slot.
    fn new(turns: &[[Placed; SLOTS]], ways: usize, code: impl Fn(Placed) -> usize) -> Kind<W, SLOTS> {
        let mut kind = Kind { far: [[0; CODES]; SLOTS], changes: [[W::default(); CODES]; SLOTS] };
        for piece in 0..SLOTS {
            let distance = far(turns, ways, piece);
            let far = |slot: usize, way: usize| distance[slot * ways + way];
            for slot in 0..SLOTS {
                for way in 0..ways {
                    let code = code(Placed { piece, turn: way });
                    kind.far[slot][code] = far(slot, way);
                    let mut word = W::default();
                    for (m, turn) in turns.iter().enumerate() {
                        let (to, turned) = goes(turn, ways, slot, way);
                        if to != slot {
                            let change = i64::from(far(to, turned)) - i64::from(far(slot, way));
                            word = word + W::at((change + 1) as u64, m);
                        }
                    }
                    kind.changes[slot][code] = word;
                }
            }
        }
        kind
    }
}

/// What a node carries: both sums, and what each move changes of them, plus four so that nothing is negative.
#[derive(Clone, Copy, Debug)]
pub struct Value<W> {
    edges: u32,
    corners: u32,
    edge_changes: W,
    corner_changes: W,
}

#[inline(always)]
fn bound(edges: u32, corners: u32) -> Cost {
    edges.max(corners).div_ceil(MOVED)
}

impl<W: Word> Manhattan<W> {
    /// For the moves of `cube`.
    pub fn new(cube: &Cube3) -> Manhattan<W> {
        let turns = cube.turns().list();
        let edges: Vec<_> = turns.iter().map(|&(face, quarters)| turned_edges(face, quarters)).collect();
        let corners: Vec<_> = turns.iter().map(|&(face, quarters)| turned_corners(face, quarters)).collect();
        Manhattan { edges: Kind::new(&edges, 2, edge_code), corners: Kind::new(&corners, 3, corner_code) }
    }

    /// The value of a cube whose sums are known.
    #[inline(always)]
    fn value(&self, cube: Cube, edges: u32, corners: u32) -> Value<W> {
        let (mut edge_changes, mut corner_changes) = (W::default(), W::default());
        for slot in 0..12 {
            edge_changes = edge_changes + self.edges.changes[slot][cube.edge(slot)];
        }
        for slot in 0..8 {
            corner_changes = corner_changes + self.corners.changes[slot][cube.corner(slot)];
        }
        Value { edges, corners, edge_changes, corner_changes }
    }
}

impl<W: Word> Heuristic<Cube3> for Manhattan<W> {
    type Value = Value<W>;

    fn admissibility(&self) -> Admissibility {
        Admissibility::Consistent
    }

    fn start(&self, _puzzle: &Cube3, cube: &Cube) -> Value<W> {
        let edges = (0..12).map(|slot| u32::from(self.edges.far[slot][cube.edge(slot)])).sum();
        let corners = (0..8).map(|slot| u32::from(self.corners.far[slot][cube.corner(slot)])).sum();
        self.value(*cube, edges, corners)
    }

    #[inline(always)]
    fn step(&self, value: &Value<W>, edge: &Edge<'_, Cube3>, left: Cost) -> Result<Value<W>, Cost> {
        let m = edge.m.index();
        let edges = value.edges + value.edge_changes.of(m) - MOVED;
        let corners = value.corners + value.corner_changes.of(m) - MOVED;
        let h = bound(edges, corners);
        if h > left { Err(h) } else { Ok(self.value(edge.child(), edges, corners)) }
    }

    #[inline(always)]
    fn cost(&self, value: &Value<W>) -> Cost {
        bound(value.edges, value.corners)
    }
}
