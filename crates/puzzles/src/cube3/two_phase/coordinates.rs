//! Coordinates of both phases and their move tables, with Kociemba's names (Cube Explorer).
//!
//! Phase 1: corner twist, edge flip, and the slots of the four edges of the UD slice. Phase 2: permutations
//! of the corners, of the eight U and D edges (`ud_edges`), and of the slice edges. Phase 1 tracks the
//! *sorted* coordinates of the U edges, the D edges and the slice edges, that is, the slot of each of the
//! four edges; at the end they give the permutations of phase 2.

use untumble_search::perm;

use crate::cube::pieces::{Cubie, compose, corner_move, edge_move, identity};
use crate::cube3::heuristics::corners::{coordinates, corners_with_permutation, corners_with_twist};
use crate::cube3::heuristics::permutations::{rank, unrank};
use crate::cube3::symmetry::{FACE_TURNS, face_turn};

/// Orientations of the corners with sum 0.
pub(super) const TWISTS: usize = 2187;
/// Orientations of the edges with sum 0.
pub(super) const FLIPS: usize = 2048;
/// Sets of slots of the slice edges.
pub(super) const SLICES: usize = 495;
/// Values of the sorted coordinate of four edges.
pub(super) const SORTED_EDGES: usize = 12 * 11 * 10 * 9;
/// Permutations of the eight corners, and of the eight U and D edges.
pub(super) const PERMUTATIONS: usize = 40_320;
/// Permutations of the slice edges within the slice.
pub(super) const SLICE_PERMUTATIONS: usize = 24;

/// Edges and slots of the UD slice are 8 to 11.
pub(super) const FIRST_SLICE_EDGE: usize = 8;
/// The slots of the UD slice, as bits.
pub(super) const SOLVED_SLICE: u16 = 0b1111 << FIRST_SLICE_EDGE;

pub(super) fn twist(corners: &[Cubie; 8]) -> u16 {
    coordinates(corners).1
}

pub(super) fn corner_permutation(corners: &[Cubie; 8]) -> u16 {
    coordinates(corners).0
}

/// The orientations of the first eleven edges, as bits; that of the last one follows.
pub(super) fn flip(edges: &[Cubie; 12]) -> u16 {
    edges[..11].iter().enumerate().map(|(slot, cubie)| (cubie.orientation as u16) << slot).sum()
}

/// The sets of four slots that the slice edges can occupy, as bits, by rank.
pub(super) fn slice_slot_sets() -> Vec<u16> {
    perm::combinations(12, 4).map(|set| set as u16).collect()
}

/// The slots of the slice edges, as bits.
pub(super) fn slice_set(edges: &[Cubie; 12]) -> u16 {
    let slice = edges.iter().enumerate().filter(|(_, cubie)| cubie.piece >= FIRST_SLICE_EDGE);
    slice.map(|(slot, _)| 1u16 << slot).sum()
}

/// Edges with the given flip and with the slice edges in the slots `slice_set`, in a fixed order.
pub(super) fn edges_with(slice_set: u16, flip: u16) -> [Cubie; 12] {
    let (mut slice, mut other) = (FIRST_SLICE_EDGE.., 0..);
    let last_orientation = (flip.count_ones() % 2) as usize;
    std::array::from_fn(|slot| {
        let piece = if slice_set >> slot & 1 == 1 { slice.next() } else { other.next() };
        let orientation = if slot == 11 { last_orientation } else { usize::from(flip >> slot & 1) };
        Cubie { piece: piece.unwrap_or(0), orientation }
    })
}

/// The sorted coordinate of four edges in these slots.
fn sorted_rank(slots: [u8; 4]) -> u16 {
    perm::rank(&slots, 12) as u16
}

/// The slots of four edges with this sorted coordinate.
fn sorted_slots(coordinate: usize) -> [u8; 4] {
    let slots = perm::unrank(coordinate as u64, 4, 12);
    std::array::from_fn(|edge| slots[edge] as u8)
}

/// The sorted coordinate of the four edges from `first` on.
pub(super) fn sorted_edges(edges: &[Cubie; 12], first: usize) -> u16 {
    let slot = |edge: usize| edges.iter().position(|cubie| cubie.piece == edge).unwrap_or(0);
    sorted_rank([0, 1, 2, 3].map(|edge| slot(first + edge) as u8))
}

/// A move table: the coordinate after each face turn, by coordinate and turn.
pub(super) struct MoveTable(Vec<u16>);

impl MoveTable {
    /// `quarter_turns` returns the coordinate after a clockwise quarter turn of each face; the other turns
    /// repeat it.
    fn new(count: usize, mut quarter_turns: impl FnMut(usize) -> [u16; 6]) -> MoveTable {
        let mut table = vec![0; count * FACE_TURNS];
        for coordinate in 0..count {
            for (face, after) in quarter_turns(coordinate).into_iter().enumerate() {
                table[coordinate * FACE_TURNS + 3 * face] = after;
            }
        }
        for quarters in 1..3 {
            for coordinate in 0..count {
                for face in 0..6 {
                    let previous = usize::from(table[coordinate * FACE_TURNS + 3 * face + quarters - 1]);
                    table[coordinate * FACE_TURNS + 3 * face + quarters] =
                        table[previous * FACE_TURNS + 3 * face];
                }
            }
        }
        MoveTable(table)
    }

    /// The coordinate after a face turn.
    #[inline(always)]
    pub(super) fn after(&self, coordinate: u16, turn: usize) -> u16 {
        self.0[usize::from(coordinate) * FACE_TURNS + turn]
    }

    pub(super) fn bytes(&self) -> u64 {
        2 * self.0.len() as u64
    }
}

fn corner_quarter_turns() -> [[Cubie; 8]; 6] {
    std::array::from_fn(|face| corner_move(face_turn(3 * face).0, 1))
}

fn edge_quarter_turns() -> [[Cubie; 12]; 6] {
    std::array::from_fn(|face| edge_move(face_turn(3 * face).0, 1))
}

pub(super) fn twist_moves() -> MoveTable {
    let turns = corner_quarter_turns();
    MoveTable::new(TWISTS, |coordinate| {
        let corners = corners_with_twist(coordinate);
        turns.map(|turn| twist(&compose(&corners, &turn, 3)))
    })
}

pub(super) fn corner_permutation_moves() -> MoveTable {
    let turns = corner_quarter_turns();
    MoveTable::new(PERMUTATIONS, |coordinate| {
        let pieces = corners_with_permutation(coordinate).map(|cubie| cubie.piece as u8);
        turns.map(|turn| rank(&turn.map(|from| pieces[from.piece])) as u16)
    })
}

pub(super) fn flip_moves() -> MoveTable {
    let turns = edge_quarter_turns();
    MoveTable::new(FLIPS, |coordinate| {
        let edges = edges_with(SOLVED_SLICE, coordinate as u16);
        turns.map(|turn| flip(&compose(&edges, &turn, 2)))
    })
}

pub(super) fn slice_moves(slices: &[u16]) -> MoveTable {
    let turns = edge_quarter_turns();
    MoveTable::new(SLICES, |coordinate| {
        let edges = edges_with(slices[coordinate], 0);
        turns.map(|turn| slice_rank(slices, slice_set(&compose(&edges, &turn, 2))))
    })
}

/// The rank of a set of four slots.
pub(super) fn slice_rank(slices: &[u16], set: u16) -> u16 {
    slices.binary_search(&set).expect("four slots") as u16
}

/// The slot that the edge of each slot moves to.
fn destinations(turn: &[Cubie; 12]) -> [u8; 12] {
    let mut destinations = [0; 12];
    turn.iter().enumerate().for_each(|(slot, from)| destinations[from.piece] = slot as u8);
    destinations
}

pub(super) fn sorted_edges_moves() -> MoveTable {
    let turns = edge_quarter_turns().map(|turn| destinations(&turn));
    MoveTable::new(SORTED_EDGES, |coordinate| {
        let slots = sorted_slots(coordinate);
        turns.map(|destinations| sorted_rank(slots.map(|slot| destinations[usize::from(slot)])))
    })
}

/// The moves of phase 2 by turn index: all turns of U and D, half turns of the other faces.
pub(super) const PHASE2_MOVES: [usize; 10] = [0, 1, 2, 9, 10, 11, 4, 7, 13, 16];

/// Converts sorted coordinates to the permutations of phase 2.
pub(super) struct SortedEdges {
    /// By sorted coordinate: the slots of the four edges.
    slots: Vec<[u8; 4]>,
    /// By sorted coordinate of the slice edges: their permutation.
    slice_permutations: Vec<u8>,
}

impl SortedEdges {
    pub(super) fn new() -> SortedEdges {
        let slots: Vec<[u8; 4]> = (0..SORTED_EDGES).map(sorted_slots).collect();
        // 0 for edges outside of the slice: these entries are never read.
        let slice_permutation = |slots: &[u8; 4]| {
            let inside = slots.iter().all(|&slot| usize::from(slot) >= FIRST_SLICE_EDGE);
            if inside { rank(&slots.map(|slot| slot - FIRST_SLICE_EDGE as u8)) as u8 } else { 0 }
        };
        SortedEdges { slice_permutations: slots.iter().map(slice_permutation).collect(), slots }
    }

    /// The permutation of the U and D edges. The slice edges must be in the slice.
    pub(super) fn ud_edges(&self, u_edges: u16, d_edges: u16) -> u16 {
        let ([a, b, c, d], [e, f, g, h]) =
            (self.slots[usize::from(u_edges)], self.slots[usize::from(d_edges)]);
        rank(&[a, b, c, d, e, f, g, h]) as u16
    }

    /// The permutation of the slice edges. They must be in the slice.
    #[inline(always)]
    pub(super) fn slice_permutation(&self, slice_sorted: u16) -> u8 {
        self.slice_permutations[usize::from(slice_sorted)]
    }
}

/// Edges that are solved except for the given permutation of the U and D edges.
pub(super) fn edges_with_ud_edges(coordinate: usize) -> [Cubie; 12] {
    edges_in_slots(0, &unrank(coordinate, 8))
}

/// Edges that are solved except for the given permutation of the slice edges.
pub(super) fn edges_with_slice_permutation(coordinate: usize) -> [Cubie; 12] {
    edges_in_slots(FIRST_SLICE_EDGE, &unrank(coordinate, 4))
}

/// Edges that are solved except for those from `first` on, which are in `slots`, counted from `first`.
fn edges_in_slots(first: usize, slots: &[u8]) -> [Cubie; 12] {
    let mut edges = identity::<12>();
    for (edge, &slot) in slots.iter().enumerate() {
        edges[first + usize::from(slot)].piece = first + edge;
    }
    edges
}

/// The permutation of the U and D edges.
pub(super) fn ud_edges(edges: &[Cubie; 12]) -> u16 {
    let mut slots = [0; 8];
    (0..8).for_each(|slot| slots[edges[usize::from(slot)].piece] = slot);
    rank(&slots) as u16
}

/// The permutation of the slice edges.
pub(super) fn slice_permutation(edges: &[Cubie; 12]) -> u8 {
    let mut slots = [0; 4];
    (0..4).for_each(|slot| {
        slots[edges[FIRST_SLICE_EDGE + usize::from(slot)].piece - FIRST_SLICE_EDGE] = slot;
    });
    rank(&slots) as u8
}

/// Phase-2 move table of the permutations of `count` edges from `first` on: by permutation and phase-2 move.
fn phase2_edge_moves(first: usize, count: usize, permutations: usize) -> Vec<u16> {
    let turns = PHASE2_MOVES.map(|turn| {
        let (face, quarters) = face_turn(turn);
        destinations(&edge_move(face, quarters))
    });
    let mut table = Vec::with_capacity(permutations * PHASE2_MOVES.len());
    let mut slots = vec![0; count];
    for permutation in 0..permutations {
        let from_slots = unrank(permutation, count);
        for destinations in &turns {
            for (slot, &from_slot) in slots.iter_mut().zip(&from_slots) {
                *slot = destinations[first + usize::from(from_slot)] - first as u8;
            }
            table.push(rank(&slots) as u16);
        }
    }
    table
}

pub(super) fn ud_edges_moves() -> Vec<u16> {
    phase2_edge_moves(0, 8, PERMUTATIONS)
}

pub(super) fn slice_permutation_moves() -> Vec<u16> {
    phase2_edge_moves(FIRST_SLICE_EDGE, 4, SLICE_PERMUTATIONS)
}
