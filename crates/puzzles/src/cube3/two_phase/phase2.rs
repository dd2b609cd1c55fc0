//! Phase 2: solves a position of G1 with the moves of G1 by IDA\* (Kociemba's two-phase algorithm).
//!
//! Kociemba's pruning tables pair a permutation of eight pieces (the corners, or the U and D edges) with the
//! slice permutation, that of the four edges between the U and D layers. Two more tables pair the corner
//! permutation with the set of slots of the U edges, and the permutation of the U and D edges with the set
//! of slots of the U corners.

use untumble_search::control::{Control, Stop};

use super::coordinates::{
    MoveTable, PERMUTATIONS, PHASE2_MOVES, SLICE_PERMUTATIONS, corner_permutation, corner_permutation_moves,
    edges_with_slice_permutation, edges_with_ud_edges, slice_permutation, slice_permutation_moves, ud_edges,
    ud_edges_moves,
};
use super::phase2_pruning::{PermutationClasses, PruningTable, SmallCoordinate};
use crate::cube::{Face, Metric};
use crate::cube3::heuristics::corners::corners_with_permutation;
use crate::cube3::heuristics::permutations::unrank;
use crate::cube3::symmetry::{SymmetryGroup, face_turn};

/// Moves of phase 2.
const MOVES: usize = PHASE2_MOVES.len();
/// Sets of four slots out of eight.
const SETS: usize = 70;
/// The value of `last_face` at the start of a sequence.
pub(super) const NO_FACE: usize = 6;

/// The phase-2 coordinates of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Phase2Node {
    corner_permutation: u16,
    ud_edges: u16,
    slice_permutation: u8,
    /// Rank of the set of slots of the U corners.
    u_corner_slots: u8,
    /// Rank of the set of slots of the U edges.
    u_edge_slots: u8,
}

/// Move tables and pruning tables of phase 2. Move tables are indexed by coordinate, then phase-2 move.
pub(super) struct Phase2 {
    /// Corner permutations after all face turns, for phase 1.
    pub(super) corner_moves: MoveTable,
    corner_permutation_moves: Vec<u16>,
    ud_edges_moves: Vec<u16>,
    slice_permutation_moves: Vec<u8>,
    u_corner_slots_moves: Vec<u8>,
    u_edge_slots_moves: Vec<u8>,
    /// By corner permutation: the rank of the set of slots of the U corners.
    u_corner_slots: Vec<u8>,
    /// By permutation of the U and D edges: the rank of the set of slots of the U edges.
    u_edge_slots: Vec<u8>,
    corner_classes: PermutationClasses,
    ud_edges_classes: PermutationClasses,
    corners_and_slice: PruningTable,
    ud_edges_and_slice: PruningTable,
    corners_and_u_edge_slots: PruningTable,
    ud_edges_and_u_corner_slots: PruningTable,
    /// The cost of each move in the metric.
    costs: [u8; MOVES],
    /// By last face: the moves allowed, as bits.
    allowed: [u16; 7],
}

/// By permutation of eight: the rank of a set of four slots that `slots` computes from it.
fn slot_set_ranks(slots: impl Fn(&[u8]) -> u8) -> Vec<u8> {
    let all: Vec<u8> = (0..=u8::MAX).filter(|set| set.count_ones() == 4).collect();
    let rank = |set: u8| all.binary_search(&set).expect("four slots") as u8;
    (0..PERMUTATIONS).map(|permutation| rank(slots(&unrank(permutation, 8)))).collect()
}

/// Derives the coordinate of slot sets from permutations. `sets` is indexed by permutation, `moves` by
/// permutation and phase-2 move; `conjugate` returns the conjugate of a permutation under a symmetry.
fn slot_set_coordinate(
    sets: &[u8],
    moves: &[u16],
    group: &SymmetryGroup,
    conjugate: impl Fn(usize, usize) -> usize,
) -> SmallCoordinate {
    let mut coordinate = SmallCoordinate {
        count: SETS,
        moves: vec![0; SETS * MOVES],
        conjugates: vec![0; group.order() * SETS],
        solved: sets[0],
    };
    let mut known = [false; SETS];
    for (permutation, &set) in sets.iter().enumerate() {
        let set = usize::from(set);
        if std::mem::replace(&mut known[set], true) {
            continue;
        }
        for m in 0..MOVES {
            coordinate.moves[set * MOVES + m] = sets[usize::from(moves[permutation * MOVES + m])];
        }
        for symmetry in 0..group.order() {
            coordinate.conjugates[symmetry * SETS + set] = sets[conjugate(permutation, symmetry)];
        }
    }
    coordinate
}

/// The slice permutation as a coordinate.
fn slice_coordinate(group: &SymmetryGroup) -> SmallCoordinate {
    let conjugate = |(symmetry, permutation): (usize, usize)| {
        let edges = edges_with_slice_permutation(permutation);
        slice_permutation(&group.symmetries[symmetry].conjugate_edges(&edges))
    };
    let pairs = (0..group.order())
        .flat_map(|symmetry| (0..SLICE_PERMUTATIONS).map(move |permutation| (symmetry, permutation)));
    SmallCoordinate {
        count: SLICE_PERMUTATIONS,
        moves: slice_permutation_moves().into_iter().map(|permutation| permutation as u8).collect(),
        conjugates: pairs.map(conjugate).collect(),
        solved: 0,
    }
}

impl Phase2 {
    pub(super) fn new(metric: Metric, group: &SymmetryGroup, control: &Control) -> Result<Phase2, Stop> {
        let costs = PHASE2_MOVES.map(|turn| match metric {
            Metric::Qtm if face_turn(turn).1 == 2 => 2,
            Metric::Htm | Metric::Qtm => 1,
        });
        let corner_moves = corner_permutation_moves();
        let corner_permutation_moves: Vec<u16> = (0..PERMUTATIONS as u16)
            .flat_map(|permutation| PHASE2_MOVES.map(|turn| corner_moves.after(permutation, turn)))
            .collect();
        control.poll()?;
        let ud_edges_moves = ud_edges_moves();
        control.poll()?;
        let conjugate_corners = |permutation: usize, symmetry: usize| {
            let corners = corners_with_permutation(permutation);
            usize::from(corner_permutation(&group.symmetries[symmetry].conjugate_corners(&corners)))
        };
        let conjugate_ud_edges = |permutation: usize, symmetry: usize| {
            let edges = edges_with_ud_edges(permutation);
            usize::from(ud_edges(&group.symmetries[symmetry].conjugate_edges(&edges)))
        };
        // Corner permutations list the corner in each slot, edge permutations the slot of each edge.
        let u_corner_slots =
            slot_set_ranks(|corners| (0..8).filter(|&slot| corners[slot] < 4).map(|slot| 1 << slot).sum());
        let u_edge_slots = slot_set_ranks(|slots| slots[..4].iter().map(|slot| 1 << slot).sum());
        let corner_slots =
            slot_set_coordinate(&u_corner_slots, &corner_permutation_moves, group, conjugate_corners);
        let edge_slots = slot_set_coordinate(&u_edge_slots, &ud_edges_moves, group, conjugate_ud_edges);
        let slice = slice_coordinate(group);
        control.poll()?;
        let corner_classes = PermutationClasses::new(group, PERMUTATIONS, control, conjugate_corners)?;
        let ud_edges_classes = PermutationClasses::new(group, PERMUTATIONS, control, conjugate_ud_edges)?;
        let table = |classes: &PermutationClasses, moves: &[u16], small: &SmallCoordinate| {
            control.poll()?;
            Ok::<_, Stop>(PruningTable::new(classes, moves, small, &costs))
        };
        Ok(Phase2 {
            corners_and_slice: table(&corner_classes, &corner_permutation_moves, &slice)?,
            ud_edges_and_slice: table(&ud_edges_classes, &ud_edges_moves, &slice)?,
            corners_and_u_edge_slots: table(&corner_classes, &corner_permutation_moves, &edge_slots)?,
            ud_edges_and_u_corner_slots: table(&ud_edges_classes, &ud_edges_moves, &corner_slots)?,
            allowed: std::array::from_fn(allowed_after),
            slice_permutation_moves: slice.moves,
            u_corner_slots_moves: corner_slots.moves,
            u_edge_slots_moves: edge_slots.moves,
            corner_moves,
            corner_permutation_moves,
            ud_edges_moves,
            u_corner_slots,
            u_edge_slots,
            corner_classes,
            ud_edges_classes,
            costs,
        })
    }

    fn pruning_tables(&self) -> [&PruningTable; 4] {
        [
            &self.corners_and_slice,
            &self.ud_edges_and_slice,
            &self.corners_and_u_edge_slots,
            &self.ud_edges_and_u_corner_slots,
        ]
    }

    pub(super) fn bytes(&self) -> u64 {
        let moves = 2 * (self.corner_permutation_moves.len() + self.ud_edges_moves.len())
            + self.u_corner_slots.len()
            + self.u_edge_slots.len();
        self.corner_moves.bytes()
            + moves as u64
            + self.corner_classes.bytes()
            + self.ud_edges_classes.bytes()
            + self.pruning_tables().iter().map(|table| table.bytes()).sum::<u64>()
    }

    /// The lower bound from the corner and the slice permutation alone.
    #[inline(always)]
    pub(super) fn corner_slice_bound(&self, corner_permutation: u16, slice_permutation: u8) -> u8 {
        self.corners_and_slice.get(self.corner_classes.sym_coordinate(corner_permutation), slice_permutation)
    }

    /// The phase-2 node with these coordinates.
    pub(super) fn node(&self, corner_permutation: u16, ud_edges: u16, slice_permutation: u8) -> Phase2Node {
        let u_corner_slots = self.u_corner_slots[usize::from(corner_permutation)];
        let u_edge_slots = self.u_edge_slots[usize::from(ud_edges)];
        Phase2Node { corner_permutation, ud_edges, slice_permutation, u_corner_slots, u_edge_slots }
    }

    /// The child by a phase-2 move and its lower bound, if that is at most `remaining`.
    #[inline(always)]
    fn child(&self, node: &Phase2Node, m: usize, remaining: u8) -> Option<(Phase2Node, u8)> {
        let slice_permutation = self.slice_permutation_moves[usize::from(node.slice_permutation) * MOVES + m];
        let corner_permutation =
            self.corner_permutation_moves[usize::from(node.corner_permutation) * MOVES + m];
        let u_edge_slots = self.u_edge_slots_moves[usize::from(node.u_edge_slots) * MOVES + m];
        let sym = self.corner_classes.sym_coordinate(corner_permutation);
        let bound = self
            .corners_and_slice
            .get(sym, slice_permutation)
            .max(self.corners_and_u_edge_slots.get(sym, u_edge_slots));
        if bound > remaining {
            return None;
        }
        let ud_edges = self.ud_edges_moves[usize::from(node.ud_edges) * MOVES + m];
        let u_corner_slots = self.u_corner_slots_moves[usize::from(node.u_corner_slots) * MOVES + m];
        let child =
            Phase2Node { corner_permutation, ud_edges, slice_permutation, u_corner_slots, u_edge_slots };
        let bound = bound.max(self.ud_edges_bound(&child));
        (bound <= remaining).then_some((child, bound))
    }

    /// The larger bound of the two tables with the U and D edges.
    #[inline(always)]
    fn ud_edges_bound(&self, node: &Phase2Node) -> u8 {
        let sym = self.ud_edges_classes.sym_coordinate(node.ud_edges);
        self.ud_edges_and_slice
            .get(sym, node.slice_permutation)
            .max(self.ud_edges_and_u_corner_slots.get(sym, node.u_corner_slots))
    }

    /// The lower bound: the maximum of all four tables. 0 only for the solved position.
    pub(super) fn bound(&self, node: &Phase2Node) -> u8 {
        let sym = self.corner_classes.sym_coordinate(node.corner_permutation);
        let corners = self.corners_and_slice.get(sym, node.slice_permutation);
        corners.max(self.corners_and_u_edge_slots.get(sym, node.u_edge_slots)).max(self.ud_edges_bound(node))
    }
}

#[cfg(test)]
impl Phase2 {
    /// The maximum of each pruning table.
    pub(super) fn maxima(&self) -> [u8; 4] {
        self.pruning_tables().map(PruningTable::max)
    }
}

/// The moves allowed after a turn of `last_face`, as bits: no face twice, opposite faces in one order.
fn allowed_after(last_face: usize) -> u16 {
    let is_allowed = |&turn: &usize| {
        let face = face_turn(turn).0;
        let Some(&last) = Face::ALL.get(last_face) else { return true };
        face != last && (face.opposite() != last || face > last)
    };
    let set = PHASE2_MOVES.iter().enumerate().filter(|(_, turn)| is_allowed(turn));
    set.fold(0, |set, (index, _)| set | 1 << index)
}

/// A phase-2 search with its path and node count.
pub(super) struct Phase2Search<'a> {
    phase2: &'a Phase2,
    /// The solution, by turn index.
    pub(super) path: Vec<u8>,
    /// Generated nodes since the caller last reset the count.
    pub(super) nodes: u64,
}

impl<'a> Phase2Search<'a> {
    pub(super) fn new(phase2: &'a Phase2) -> Phase2Search<'a> {
        Phase2Search { phase2, path: Vec::new(), nodes: 0 }
    }

    /// Searches by iterative deepening for a cheapest solution of cost at most `max_cost`. `last_face` is
    /// the face of the previous move. Returns whether `path` holds a solution.
    pub(super) fn search(&mut self, node: Phase2Node, last_face: usize, max_cost: u8) -> bool {
        self.path.clear();
        let bound = self.phase2.bound(&node);
        // Bound 0 is the solved position.
        bound <= max_cost && (bound == 0 || (bound..=max_cost).any(|depth| self.dfs(&node, last_face, depth)))
    }

    /// Extends `path` by a solution of cost at most `remaining`. Returns whether there is one.
    fn dfs(&mut self, node: &Phase2Node, last_face: usize, remaining: u8) -> bool {
        let phase2 = self.phase2;
        let mut moves = phase2.allowed[last_face];
        self.nodes += u64::from(moves.count_ones());
        while moves != 0 {
            let m = moves.trailing_zeros() as usize;
            moves &= moves - 1;
            let Some(remaining) = remaining.checked_sub(phase2.costs[m]) else { continue };
            let Some((child, bound)) = phase2.child(node, m, remaining) else { continue };
            self.path.push(PHASE2_MOVES[m] as u8);
            let face = face_turn(PHASE2_MOVES[m]).0.index();
            if bound == 0 || self.dfs(&child, face, remaining) {
                return true;
            }
            self.path.pop();
        }
        false
    }
}
