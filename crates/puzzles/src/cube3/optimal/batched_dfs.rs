//! Bounded depth-first search that expands [`BATCH`] nodes at a time to overlap their cache misses.
//!
//! A node holds the position (normal side) and its inverse (inverse side); the table entry of either side is
//! a lower bound. The table holds a distance for each coset of a subgroup that contains the half turns, so a
//! half turn does not change the coset of the inverse. This gives two rules (nxopt, Rokicki; H48, Tronto),
//! where `I` is the bound of the inverse side and `d` the number of remaining moves:
//!
//! * if `I = d`, no solution of length `d` starts with a half turn, so half turns are not generated;
//! * after a half turn only the normal side is looked up.
//!
//! Each step runs for the whole batch before the next one starts: (1) locate and prefetch the inverse sides
//! of the children by quarter turns; (2) read these entries, and locate the normal sides of the children
//! that survive; (3) read these entries and push the children that remain.

use untumble_search::bounded_dfs::Subtree;
use untumble_search::control::Meter;
use untumble_search::moves::{AutomatonState, Move, MoveAutomaton, MoveMask, MoveSet};

use super::child_locator::{ChildEntries, ChildLocator, Side};
use super::cube_bytes::{CoordinateBits, CubeBytes};
use super::table_reader::EntryRef;
use crate::cube::pieces::is_odd;
use crate::cube3::Cube;
use crate::cube3::symmetry::{FACE_TURNS, is_quarter_turn};

/// Nodes expanded together.
pub(super) const BATCH: usize = 16;

/// A node on the stack.
#[derive(Clone, Copy)]
pub(super) struct Node {
    /// The position.
    normal: CubeBytes,
    /// The inverse of the position.
    inverse: CubeBytes,
    path: Path,
    /// The moves still to try.
    untried: MoveSet,
    automaton_state: AutomatonState,
    /// The lower bound of the inverse side.
    inverse_h: u8,
    /// Remaining moves within the bound.
    remaining: u8,
    /// The permutation parity, 0 or 1; part of the coordinate in some table variants.
    parity: u8,
    /// The index of the start position.
    root: u8,
}

/// Moves packed into one word, the last in the lowest bits.
#[derive(Clone, Copy)]
pub(super) struct Path {
    word: u128,
    length: u8,
}

impl Path {
    const BITS_PER_MOVE: u32 = 5;
    /// Capacity. God's number is 20.
    pub(super) const MAX_LENGTH: usize = (u128::BITS / Path::BITS_PER_MOVE) as usize;

    fn of(moves: &[Move]) -> Path {
        moves.iter().fold(Path { word: 0, length: 0 }, |path, &m| path.then(m))
    }

    /// The path followed by a move.
    #[inline(always)]
    fn then(self, m: Move) -> Path {
        Path { word: self.word << Path::BITS_PER_MOVE | u128::from(m.0), length: self.length + 1 }
    }

    fn moves(self) -> Vec<Move> {
        self.prefix(self.length()).collect()
    }

    pub(super) fn length(self) -> usize {
        self.length.into()
    }

    /// The first `count` moves.
    #[inline(always)]
    pub(super) fn prefix(self, count: usize) -> impl Iterator<Item = Move> {
        // Counted from the last move.
        let move_at =
            move |index: usize| Move((self.word >> (Path::BITS_PER_MOVE as usize * index)) as u8 & 31);
        (self.length() - count..self.length()).rev().map(move_at)
    }
}

impl Node {
    pub(super) fn path(&self) -> Path {
        self.path
    }

    /// The unexplored subtree below this node.
    pub(super) fn subtree(&self) -> Subtree {
        Subtree { root: self.root, path: self.path.moves(), untried: self.untried.into() }
    }
}

fn half_turns() -> MoveSet {
    (0..FACE_TURNS as u8).filter(|&turn| !is_quarter_turn(turn.into())).map(Move).collect()
}

/// The search and its counters.
///
/// The table entry of each side of a child is first located and prefetched ([`ChildLocator`]), and read
/// later.
pub(super) struct BatchedDfs<'a, 'm, 'c> {
    locator: &'a ChildLocator,
    automaton: &'a MoveAutomaton,
    pub(super) meter: &'m mut Meter<'c>,
    pub(super) expanded: u64,
    /// Whether any node was pruned by the bound.
    pub(super) pruned: bool,
    /// Nodes to expand, the next one last.
    pub(super) stack: Vec<Node>,
    /// The solutions found so far.
    pub(super) found: Vec<Vec<Move>>,
    solved: CubeBytes,
    half_turns: MoveSet,
    batch: Vec<Node>,
    /// By node of the batch: the entries of its children, first of the inverse sides, then of the normal
    /// sides. Entries of moves that were not requested are stale.
    entries: [ChildEntries; BATCH],
    /// By node of the batch: the moves generated.
    generated: [MoveSet; BATCH],
    /// By node of the batch: the moves that the inverse side does not prune.
    surviving: [MoveSet; BATCH],
    /// By node of the batch and move: the lower bound of the child's inverse side.
    inverse_h: [[u8; FACE_TURNS]; BATCH],
}

impl<'a, 'm, 'c> BatchedDfs<'a, 'm, 'c> {
    pub(super) fn new(
        locator: &'a ChildLocator,
        automaton: &'a MoveAutomaton,
        meter: &'m mut Meter<'c>,
    ) -> Self {
        BatchedDfs {
            locator,
            automaton,
            meter,
            expanded: 0,
            pruned: false,
            stack: Vec::new(),
            found: Vec::new(),
            solved: CubeBytes::of(Cube::SOLVED),
            half_turns: half_turns(),
            batch: Vec::with_capacity(BATCH),
            entries: [[EntryRef::default(); FACE_TURNS]; BATCH],
            generated: [MoveSet::EMPTY; BATCH],
            surviving: [MoveSet::EMPTY; BATCH],
            inverse_h: [[0; FACE_TURNS]; BATCH],
        }
    }

    /// The heuristic value of a position: the larger bound of both sides.
    pub(super) fn heuristic_value(&self, cube: Cube) -> u8 {
        let parity = u32::from(is_odd(&cube.corners()));
        let bound = |bytes: CubeBytes| self.look_up(&bytes, parity);
        bound(CubeBytes::of(cube)).max(bound(CubeBytes::of_inverse(cube)))
    }

    /// The lower bound of one side.
    fn look_up(&self, cube: &CubeBytes, parity: u32) -> u8 {
        let reader = &self.locator.reader;
        reader.read(reader.locate(&CoordinateBits::of(cube), parity))
    }

    /// Pushes the root of a subtree, unless its heuristic value exceeds the bound.
    pub(super) fn push_subtree(&mut self, cube: Cube, subtree: &Subtree, bound: usize) {
        let (mut normal, mut inverse) = (CubeBytes::of(cube), CubeBytes::of_inverse(cube));
        let mut parity = u32::from(is_odd(&cube.corners()));
        for m in &subtree.path {
            normal = self.locator.apply(&normal, m.index(), Side::Normal);
            inverse = self.locator.apply(&inverse, m.index(), Side::Inverse);
            parity ^= u32::from(is_quarter_turn(m.index()));
        }
        let inverse_h = self.look_up(&inverse, parity);
        let h = inverse_h.max(self.look_up(&normal, parity));
        let remaining = bound.checked_sub(subtree.path.len()).filter(|&remaining| remaining >= h.into());
        if subtree.path.is_empty() && normal.same_cube(&self.solved) {
            self.found.push(Vec::new());
            return;
        }
        let Some(remaining) = remaining.filter(|&remaining| remaining > 0) else {
            self.pruned = true;
            return;
        };
        self.stack.push(Node {
            normal,
            inverse,
            path: Path::of(&subtree.path),
            untried: MoveSet::narrow(subtree.untried),
            automaton_state: self.automaton.after(&subtree.path),
            inverse_h,
            remaining: remaining as u8,
            parity: parity as u8,
            root: subtree.root,
        });
    }

    /// Expands up to `count` nodes from the top of the stack, but no more than [`BATCH`].
    pub(super) fn expand(&mut self, count: usize) {
        let first = self.stack.len().saturating_sub(count.min(BATCH));
        self.batch.clear();
        self.batch.extend(self.stack.drain(first..));
        self.expanded += self.batch.len() as u64;
        for index in 0..self.batch.len() {
            self.locate_inverse_children(index);
        }
        for index in 0..self.batch.len() {
            self.locate_normal_children(index);
        }
        for index in 0..self.batch.len() {
            self.push_children(index);
        }
    }

    /// Locates and prefetches the inverse sides of the children by quarter turns.
    #[inline(always)]
    fn locate_inverse_children(&mut self, index: usize) {
        let node = &self.batch[index];
        // A half turn leaves `inverse_h` unchanged and uses up a move, so at `I = d` the child would exceed
        // its remaining moves.
        let prunes_half_turns = node.inverse_h >= node.remaining;
        let generated = if prunes_half_turns { node.untried - self.half_turns } else { node.untried };
        self.pruned |= generated != node.untried;
        self.generated[index] = generated;
        self.meter.count_nodes(generated.len() as u64);
        let quarter_turns = generated - self.half_turns;
        let (parity, entries) = (node.parity.into(), &mut self.entries[index]);
        self.locator.locate_children(&node.inverse, quarter_turns, parity, Side::Inverse, entries);
    }

    /// Reads the inverse sides, then locates and prefetches the normal sides of the surviving children.
    #[inline(always)]
    fn locate_normal_children(&mut self, index: usize) {
        let (node, remaining) = (&self.batch[index], self.batch[index].remaining - 1);
        let (entries, inverse_h) = (&mut self.entries[index], &mut self.inverse_h[index]);
        let mut surviving = self.generated[index] & self.half_turns;
        for m in self.generated[index] - self.half_turns {
            let child_h = self.locator.reader.read(entries[m.index()]);
            inverse_h[m.index()] = child_h;
            if child_h <= remaining {
                surviving = surviving.with(m);
            } else if child_h > node.remaining + 1 {
                // Pathmax: h(parent) ≥ h(child) − 1 > `node.remaining`.
                surviving = MoveSet::EMPTY;
                break;
            }
        }
        self.surviving[index] = surviving;
        self.locator.locate_children(&node.normal, surviving, node.parity.into(), Side::Normal, entries);
    }

    /// Reads the normal sides and pushes the surviving children, the last move first.
    #[inline(always)]
    fn push_children(&mut self, index: usize) {
        let node = self.batch[index];
        let remaining = node.remaining - 1;
        let surviving = self.surviving[index]
            .into_iter()
            .filter(|m| self.locator.reader.read(self.entries[index][m.index()]) <= remaining)
            .collect::<MoveSet>();
        self.pruned |= surviving != self.generated[index];
        let mut unpushed = surviving;
        while let Some(m) = unpushed.pop_last() {
            let turn = m.index();
            let is_half_turn = !is_quarter_turn(turn);
            let normal = self.locator.apply(&node.normal, turn, Side::Normal);
            let path = node.path.then(m);
            let inverse_h = if is_half_turn { node.inverse_h } else { self.inverse_h[index][turn] };
            if (remaining == 0 || inverse_h == 0) && normal.same_cube(&self.solved) {
                self.found.push(path.moves());
                continue;
            }
            if remaining == 0 {
                self.pruned = true;
                continue;
            }
            let automaton_state = self.automaton.next(node.automaton_state, m);
            self.stack.push(Node {
                normal,
                inverse: self.locator.apply(&node.inverse, turn, Side::Inverse),
                path,
                untried: self.automaton.allowed(automaton_state),
                automaton_state,
                inverse_h,
                remaining,
                parity: node.parity ^ u8::from(!is_half_turn),
                root: node.root,
            });
        }
    }
}
