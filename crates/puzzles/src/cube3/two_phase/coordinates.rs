//! What each phase has to know of a cube, in numbers, and what turns make of them.
//!
//! The first phase knows the twists of the corners, the flips of the edges and where the four edges of the middle layer are. The second knows
//! the orders of the corners, of the eight other edges and of those four. Where four edges are, each by itself (a *quartet*), leads from
//! the one to the other.

use untumble_search::perm;

use crate::cube::pieces::{Placed, after, solved, turned_corners, turned_edges};
use crate::cube3::heuristics::corners::{numbered, ordered, twisted};
use crate::cube3::heuristics::orders::{number, order};
use crate::cube3::symmetry::{TURNS, turned};

/// Ways to twist the corners.
pub(super) const TWISTS: usize = 2187;
/// Ways to flip the edges.
pub(super) const FLIPS: usize = 2048;
/// Sets of slots that the edges of the middle layer can be in.
pub(super) const SLICES: usize = 495;
/// Places of four edges.
pub(super) const QUARTETS: usize = 12 * 11 * 10 * 9;
/// Orders of eight corners, and of the eight edges around U and D.
pub(super) const ORDERS: usize = 40_320;
/// Orders of the four edges of the middle layer in their own slots.
pub(super) const MIDDLES: usize = 24;

/// The slots of the middle layer, which are also its edges, begin here.
pub(super) const MIDDLE: usize = 8;

/// The number of the twists.
pub(super) fn twist(corners: &[Placed; 8]) -> u16 {
    numbered(corners).1
}

/// The number of the corners' order.
pub(super) fn corner_order(corners: &[Placed; 8]) -> u16 {
    numbered(corners).0
}

/// The number of the flips; the last edge's follows from the others'.
pub(super) fn flip(edges: &[Placed; 12]) -> u16 {
    edges[..11].iter().enumerate().map(|(slot, placed)| (placed.turn as u16) << slot).sum()
}

/// The sets of four slots, as bits, by number.
pub(super) fn slices() -> Vec<u16> {
    perm::combinations(12, 4).map(|set| set as u16).collect()
}

/// The set of slots that hold edges of the middle layer.
pub(super) fn slice_set(edges: &[Placed; 12]) -> u16 {
    let middle = edges.iter().enumerate().filter(|(_, placed)| placed.piece >= MIDDLE);
    middle.map(|(slot, _)| 1u16 << slot).sum()
}

/// Edges that are flipped by `flip`, those of the middle layer in the slots of `set`.
pub(super) fn edges_of(set: u16, flip: u16) -> [Placed; 12] {
    let (mut middle, mut other) = (MIDDLE.., 0..);
    let last = (flip.count_ones() % 2) as usize;
    std::array::from_fn(|slot| {
        let piece = if set >> slot & 1 == 1 { middle.next() } else { other.next() };
        let turn = if slot == 11 { last } else { usize::from(flip >> slot & 1) };
        Placed { piece: piece.unwrap_or(0), turn }
    })
}

/// The number of the slots of four edges.
fn quartet_number(slots: [u8; 4]) -> u16 {
    perm::rank(&slots, 12) as u16
}

/// The slots of a number.
fn quartet_slots(number: usize) -> [u8; 4] {
    let slots = perm::unrank(number as u64, 4, 12);
    std::array::from_fn(|edge| slots[edge] as u8)
}

/// Where the four edges from `first` on are.
pub(super) fn quartet(edges: &[Placed; 12], first: usize) -> u16 {
    let slot = |edge: usize| edges.iter().position(|placed| placed.piece == edge).unwrap_or(0);
    quartet_number([0, 1, 2, 3].map(|place| slot(first + place) as u8))
}

/// A table of what each turn makes of each number: the numbers after the turns of one, side by side.
pub(super) struct Moves(Vec<u16>);

impl Moves {
    /// `quarter` tells what the quarter turns of all six faces make of a number; the others are those repeated.
    fn new(count: usize, mut quarter: impl FnMut(usize) -> [u16; 6]) -> Moves {
        let mut table = vec![0; count * TURNS];
        for number in 0..count {
            for (face, to) in quarter(number).into_iter().enumerate() {
                table[number * TURNS + 3 * face] = to;
            }
        }
        for quarters in 1..3 {
            for number in 0..count {
                for face in 0..6 {
                    let before = usize::from(table[number * TURNS + 3 * face + quarters - 1]);
                    table[number * TURNS + 3 * face + quarters] = table[before * TURNS + 3 * face];
                }
            }
        }
        Moves(table)
    }

    #[inline(always)]
    pub(super) fn after(&self, number: u16, turn: usize) -> u16 {
        self.0[usize::from(number) * TURNS + turn]
    }

    pub(super) fn bytes(&self) -> u64 {
        2 * self.0.len() as u64
    }
}

fn corner_turns() -> [[Placed; 8]; 6] {
    std::array::from_fn(|face| turned_corners(turned(3 * face).0, 1))
}

fn edge_turns() -> [[Placed; 12]; 6] {
    std::array::from_fn(|face| turned_edges(turned(3 * face).0, 1))
}

pub(super) fn twist_moves() -> Moves {
    let turns = corner_turns();
    Moves::new(TWISTS, |number| {
        let corners = twisted(number);
        turns.map(|turn| twist(&after(&corners, &turn, 3)))
    })
}

pub(super) fn corner_moves() -> Moves {
    let turns = corner_turns();
    Moves::new(ORDERS, |place| {
        let pieces = ordered(place).map(|placed| placed.piece as u8);
        turns.map(|turn| number(&turn.map(|from| pieces[from.piece])) as u16)
    })
}

pub(super) fn flip_moves() -> Moves {
    let turns = edge_turns();
    Moves::new(FLIPS, |number| {
        let edges = edges_of(0b1111 << MIDDLE, number as u16);
        turns.map(|turn| flip(&after(&edges, &turn, 2)))
    })
}

pub(super) fn slice_moves(sets: &[u16]) -> Moves {
    let turns = edge_turns();
    Moves::new(SLICES, |number| {
        let edges = edges_of(sets[number], 0);
        turns.map(|turn| slice_number(sets, slice_set(&after(&edges, &turn, 2))))
    })
}

/// The number of a set of slots.
pub(super) fn slice_number(sets: &[u16], set: u16) -> u16 {
    sets.binary_search(&set).expect("four slots") as u16
}

/// Where the edge of each slot goes.
fn goes(turn: &[Placed; 12]) -> [u8; 12] {
    let mut to = [0; 12];
    turn.iter().enumerate().for_each(|(slot, from)| to[from.piece] = slot as u8);
    to
}

pub(super) fn quartet_moves() -> Moves {
    let turns = edge_turns().map(|turn| goes(&turn));
    Moves::new(QUARTETS, |number| {
        let slots = quartet_slots(number);
        turns.map(|to| quartet_number(slots.map(|slot| to[usize::from(slot)])))
    })
}

/// The turns of the second phase, by place: all of U and D, and half turns of the others.
pub(super) const FINISHING: [usize; 10] = [0, 1, 2, 9, 10, 11, 4, 7, 13, 16];

/// Quartets as the second phase sees them.
pub(super) struct Quartets {
    slots: Vec<[u8; 4]>,
    middles: Vec<u8>,
}

impl Quartets {
    pub(super) fn new() -> Quartets {
        let slots: Vec<[u8; 4]> = (0..QUARTETS).map(quartet_slots).collect();
        // Those that are not in the middle layer have no order there; their number is never read.
        let middle = |slots: &[u8; 4]| {
            let inside = slots.iter().all(|&slot| usize::from(slot) >= MIDDLE);
            if inside { number(&slots.map(|slot| slot - MIDDLE as u8)) as u8 } else { 0 }
        };
        Quartets { middles: slots.iter().map(middle).collect(), slots }
    }

    /// The number of the order of the eight edges around U and D, from where they are.
    pub(super) fn around(&self, ups: u16, downs: u16) -> u16 {
        let ([a, b, c, d], [e, f, g, h]) = (self.slots[usize::from(ups)], self.slots[usize::from(downs)]);
        number(&[a, b, c, d, e, f, g, h]) as u16
    }

    /// The number of the order of the middle layer's edges, which are in their own slots, from where they are.
    #[inline(always)]
    pub(super) fn middle(&self, quartet: u16) -> u8 {
        self.middles[usize::from(quartet)]
    }
}

/// Edges of which those around U and D are in the slots of an order.
pub(super) fn around_placed(place: usize) -> [Placed; 12] {
    placed(0, &order(place, 8))
}

/// Edges of which those of the middle layer are in the slots of an order.
pub(super) fn middle_placed(place: usize) -> [Placed; 12] {
    placed(MIDDLE, &order(place, 4))
}

fn placed(first: usize, slots: &[u8]) -> [Placed; 12] {
    let mut edges = solved::<12>();
    for (edge, &slot) in slots.iter().enumerate() {
        edges[first + usize::from(slot)].piece = first + edge;
    }
    edges
}

/// The number of the order of the edges around U and D.
pub(super) fn around_order(edges: &[Placed; 12]) -> u16 {
    let mut slots = [0; 8];
    (0..8).for_each(|slot| slots[edges[usize::from(slot)].piece] = slot);
    number(&slots) as u16
}

/// The number of the order of the middle layer's edges.
pub(super) fn middle_order(edges: &[Placed; 12]) -> u8 {
    let mut slots = [0; 4];
    (0..4).for_each(|slot| slots[edges[MIDDLE + usize::from(slot)].piece - MIDDLE] = slot);
    number(&slots) as u8
}

/// What the turns of the second phase make of the orders of edges in a range of slots.
fn finishing_moves(first: usize, count: usize, orders: usize) -> Vec<u16> {
    let turns = FINISHING.map(|place| {
        let (face, quarters) = turned(place);
        goes(&turned_edges(face, quarters))
    });
    let mut table = Vec::with_capacity(orders * FINISHING.len());
    let mut slots = vec![0; count];
    for place in 0..orders {
        let from = order(place, count);
        for to in &turns {
            for (slot, &edge) in slots.iter_mut().zip(&from) {
                *slot = to[first + usize::from(edge)] - first as u8;
            }
            table.push(number(&slots) as u16);
        }
    }
    table
}

pub(super) fn around_moves() -> Vec<u16> {
    finishing_moves(0, 8, ORDERS)
}

pub(super) fn middle_moves() -> Vec<u16> {
    finishing_moves(MIDDLE, 4, MIDDLES)
}
