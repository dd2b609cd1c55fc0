//! Depth-first search over all phase-1 sequences of one length; phase 2 completes each of them.
//!
//! A node is a symmetry class of positions (Kociemba's sym-coordinates), so its turns are those of the class
//! representative: a turn of the position, conjugated by the node's symmetry. The path keeps the turns of
//! the position itself.

use std::ops::ControlFlow::{self, Break, Continue};

use untumble_search::control::{BreakReason, Control, Meter, Stop};
use untumble_search::puzzle::Cost;

use super::MAX_PHASE2;
use super::coordinates::{MoveTable, SortedEdges, sorted_edges_moves};
use super::phase1::{PHASE1_LAST_TURNS, Phase1, Phase1Node};
use super::phase1_pruning::Phase1Pruning;
use super::phase2::{NO_FACE, Phase2, Phase2Search};
use super::variant::Variant;
use crate::cube::{FaceTurns, Metric};
use crate::cube3::symmetry::{FACE_TURNS, face_turn};
use crate::cube3::symmetry_classes::SymCoordinate;

/// Exclusive bound for phase-1 lengths; more than God's number in both metrics.
pub(super) const MAX_PHASE1: usize = 40;

/// All tables except the pruning table of phase 1.
pub(super) struct TwoPhaseTables {
    pub(super) phase1: Phase1,
    pub(super) phase2: Phase2,
    pub(super) sorted_edges: SortedEdges,
    pub(super) sorted_edges_moves: MoveTable,
}

impl TwoPhaseTables {
    pub(super) fn new(turns: &FaceTurns, control: &Control) -> Result<TwoPhaseTables, Stop> {
        let phase1 = Phase1::new(turns, control)?;
        Ok(TwoPhaseTables {
            phase2: Phase2::new(turns.metric(), &phase1.group, control)?,
            phase1,
            sorted_edges: SortedEdges::new(),
            sorted_edges_moves: sorted_edges_moves(),
        })
    }

    pub(super) fn bytes(&self) -> u64 {
        self.phase1.bytes() + self.phase2.bytes() + self.sorted_edges_moves.bytes()
    }
}

/// Why a pass ends early.
pub(super) enum PassEnd {
    /// The incumbent is within the requested length.
    ShortEnough,
    /// The meter requests a pause.
    Pause(BreakReason),
}

/// A child that its class alone does not prune.
#[derive(Clone, Copy, Default)]
struct Child {
    sym: SymCoordinate,
    twist: u16,
    /// The turn, conjugated by the parent's symmetry.
    conjugated_turn: u8,
}

/// The search of one worker from one variant of the position (rotated or inverted, see `variant.rs`). The
/// type `B` is the pruning table.
pub(super) struct Phase1Search<'a, 'm, B> {
    pub(super) tables: &'a TwoPhaseTables,
    /// The pruning table of phase 1.
    pub(super) pruning: &'a B,
    pub(super) turns: &'a FaceTurns,
    pub(super) meter: &'a mut Meter<'m>,
    /// A solution of at most this cost ends the search.
    pub(super) max_length: Cost,
    variant: &'a Variant,
    /// The turns allowed as first and second move, as bits.
    first_turns: [u32; 2],
    phase2: Phase2Search<'a>,
    /// The current sequence in turns of the variant.
    path: [u8; MAX_PHASE1],
    /// The corner permutation after each move of `path`, valid for the first `valid_length` moves.
    corner_permutations: [u16; MAX_PHASE1 + 1],
    /// The sorted coordinate of the slice edges, valid likewise.
    slice_sorted: [u16; MAX_PHASE1 + 1],
    /// Number of moves for which the coordinates above are up to date.
    valid_length: usize,
    pub(super) expanded: u64,
}

impl<'a, 'm, B: Phase1Pruning> Phase1Search<'a, 'm, B> {
    pub(super) fn new(
        tables: &'a TwoPhaseTables,
        pruning: &'a B,
        turns: &'a FaceTurns,
        variant: &'a Variant,
        meter: &'a mut Meter<'m>,
        max_length: Cost,
    ) -> Phase1Search<'a, 'm, B> {
        let mut search = Phase1Search {
            tables,
            pruning,
            turns,
            meter,
            max_length,
            variant,
            first_turns: [u32::MAX; 2],
            phase2: Phase2Search::new(&tables.phase2),
            path: [0; MAX_PHASE1],
            corner_permutations: [0; MAX_PHASE1 + 1],
            slice_sorted: [0; MAX_PHASE1 + 1],
            valid_length: 0,
            expanded: 0,
        };
        search.corner_permutations[0] = variant.corner_permutation;
        search.slice_sorted[0] = variant.slice_sorted;
        search
    }

    /// Searches all phase-1 sequences of `length` moves from the variant, whose lower bound is `distance`.
    /// The first two moves are taken from `first_turns`.
    pub(super) fn search(
        &mut self,
        length: usize,
        distance: u8,
        first_turns: [u32; 2],
    ) -> ControlFlow<PassEnd> {
        self.first_turns = first_turns;
        if length == 0 {
            return if distance == 0 { self.complete(0) } else { Continue(()) };
        }
        if usize::from(distance) > length {
            return Continue(());
        }
        self.dfs(self.variant.node, distance, 0, 0, length)
    }

    /// Searches the subtree of `node`, whose lower bound is `distance`, with `remaining` moves.
    fn dfs(
        &mut self,
        node: Phase1Node,
        distance: u8,
        automaton_state: u8,
        depth: usize,
        remaining: usize,
    ) -> ControlFlow<PassEnd> {
        let phase1 = &self.tables.phase1;
        self.expanded += 1;
        if let Break(pause) = self.meter.check() {
            return Break(PassEnd::Pause(pause));
        }
        let mut turns = phase1.allowed(node.symmetry, automaton_state);
        if remaining == 1 {
            turns &= PHASE1_LAST_TURNS;
        }
        let group = &phase1.group;
        let inverse_symmetry = group.inverse(node.symmetry.into());
        if depth < 2 {
            // Other workers search the other first moves.
            let allowed = (0..FACE_TURNS).filter(|&turn| {
                self.first_turns[depth] >> group.conjugate_turn(inverse_symmetry, turn) & 1 == 1
            });
            turns &= allowed.fold(0, |turns, turn| turns | 1 << turn);
        }
        self.meter.count_nodes(turns.count_ones().into());
        // Prefetch all entries before reading the first, so that cache misses overlap.
        let mut children = [Child::default(); FACE_TURNS];
        let mut count = 0;
        while turns != 0 {
            let turn = turns.trailing_zeros() as usize;
            turns &= turns - 1;
            let sym = phase1.classes.after(node.class.into(), turn);
            if self.pruning.prunes_class(sym.class(), remaining - 1) {
                continue;
            }
            let twist = phase1.conjugate_twist(phase1.twist_after(node.twist, turn), sym.symmetry());
            self.pruning.prefetch(sym.class(), twist);
            children[count] = Child { sym, twist, conjugated_turn: turn as u8 };
            count += 1;
        }
        for &Child { sym, twist, conjugated_turn } in &children[..count] {
            let class = sym.class() as u16;
            let distance = self.pruning.step(distance, class, twist);
            if usize::from(distance) >= remaining {
                continue;
            }
            let turn = group.conjugate_turn(inverse_symmetry, conjugated_turn.into());
            self.path[depth] = turn as u8;
            self.valid_length = self.valid_length.min(depth);
            if remaining == 1 {
                self.complete(depth + 1)?;
                continue;
            }
            let symmetry = group.product(sym.symmetry(), node.symmetry.into()) as u8;
            let child = Phase1Node { class, twist, symmetry };
            let automaton_state = phase1.next_state(automaton_state, turn);
            self.dfs(child, distance, automaton_state, depth + 1, remaining - 1)?;
        }
        Continue(())
    }

    /// Runs phase 2 after the first `length` moves of `path`, which lead to G1.
    fn complete(&mut self, length: usize) -> ControlFlow<PassEnd> {
        let control = self.meter.control();
        let Some(max_phase2_length) = control.upper_bound().checked_sub(length as Cost + 1) else {
            return Continue(());
        };
        let max_phase2_length = max_phase2_length.min(MAX_PHASE2.into()) as u8;
        let TwoPhaseTables { phase2, sorted_edges, sorted_edges_moves, .. } = self.tables;
        for index in self.valid_length..length {
            let turn = usize::from(self.path[index]);
            self.corner_permutations[index + 1] =
                phase2.corner_moves.after(self.corner_permutations[index], turn);
            self.slice_sorted[index + 1] = sorted_edges_moves.after(self.slice_sorted[index], turn);
        }
        self.valid_length = length;
        let corners = self.corner_permutations[length];
        let slice = sorted_edges.slice_permutation(self.slice_sorted[length]);
        // This rejects most sequences before the U and D edges are computed.
        if phase2.corner_slice_bound(corners, slice) > max_phase2_length {
            return Continue(());
        }
        let path = &self.path[..length];
        let after_path = |coordinate: u16| {
            path.iter().fold(coordinate, |value, &turn| sorted_edges_moves.after(value, turn.into()))
        };
        let ud_edges =
            sorted_edges.ud_edges(after_path(self.variant.u_edges), after_path(self.variant.d_edges));
        let last_face = path.last().map_or(NO_FACE, |&turn| face_turn(turn.into()).0.index());
        let found = self.phase2.search(phase2.node(corners, ud_edges, slice), last_face, max_phase2_length);
        self.meter.count_nodes(std::mem::take(&mut self.phase2.nodes));
        if !found {
            return Continue(());
        }
        let solution = path.iter().chain(&self.phase2.path).copied();
        let moves = self.variant.original_moves(self.turns, solution.collect::<Vec<_>>().into_iter());
        let cost = moves.len() as Cost;
        control.offer(&moves, cost);
        if control.upper_bound() <= self.max_length { Break(PassEnd::ShortEnough) } else { Continue(()) }
    }
}

/// God's number: every position has a solution of at most this length (Rokicki, Kociemba, Davidson &
/// Dethridge, 2010 and 2014).
pub(in crate::cube3) const fn gods_number(metric: Metric) -> Cost {
    match metric {
        Metric::Htm => 20,
        Metric::Qtm => 26,
    }
}
