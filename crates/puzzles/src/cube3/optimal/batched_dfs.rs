//! Bounded depth-first search that expands [`BATCH`] nodes at a time to overlap their cache misses.
//!
//! A node holds the position and its inverse; a table entry of either side is a lower bound (N and I
//! below). A half turn does not change the coset of the inverse, hence, with `d` remaining moves (the rules
//! of nxopt, Rokicki, and of H48, Tronto):
//!
//! * if I = d, no solution of length d starts with a half turn, so half turns are not generated;
//! * after a half turn only the normal side is looked up.
//!
//! Each step runs for the whole batch before the next one starts: locate and prefetch the inverse sides of
//! the children by quarter turns; read them, and locate the normal sides of the survivors; read those and
//! push the children that remain.

use untumble_search::bounded_dfs::Subtree;
use untumble_search::control::Meter;
use untumble_search::moves::{AutomatonState, Move, MoveAutomaton, MoveMask, MoveSet};

use super::cube_bytes::{CoordinateBits, CubeBytes};
use super::estimator::{ChildEntries, Estimator, Side};
use super::table_reader::EntryRef;
use crate::cube::pieces::is_odd;
use crate::cube3::Cube;
use crate::cube3::symmetry::{FACE_TURNS, is_quarter_turn};

/// Nodes expanded together.
pub(super) const BATCH: usize = 16;

/// A node on the stack.
#[derive(Clone, Copy)]
pub(super) struct Node {
    normal: CubeBytes,
    inverse: CubeBytes,
    path: Path,
    /// The moves still to be tried.
    untried: MoveSet,
    automaton_state: AutomatonState,
    /// The lower bound of the inverse side.
    inverse_h: u8,
    /// Remaining moves within the bound.
    remaining: u8,
    /// The permutation parity, 0 or 1.
    parity: u8,
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
        let at = move |index: usize| Move((self.word >> (Path::BITS_PER_MOVE as usize * index)) as u8 & 31);
        (self.length() - count..self.length()).rev().map(at)
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
pub(super) struct BatchedDfs<'a, 'm, 'c> {
    estimator: &'a Estimator,
    automaton: &'a MoveAutomaton,
    pub(super) meter: &'m mut Meter<'c>,
    pub(super) expanded: u64,
    /// Whether any node was pruned by the bound.
    pub(super) pruned: bool,
    /// Nodes to be expanded, the next one last.
    pub(super) stack: Vec<Node>,
    /// Solutions found.
    pub(super) found: Vec<Vec<Move>>,
    solved: CubeBytes,
    half_turns: MoveSet,
    batch: Vec<Node>,
    /// By node of the batch: the entries of its children on the side looked up last.
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
        estimator: &'a Estimator,
        automaton: &'a MoveAutomaton,
        meter: &'m mut Meter<'c>,
    ) -> Self {
        BatchedDfs {
            estimator,
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

    fn look_up(&self, cube: &CubeBytes, parity: u32) -> u8 {
        let reader = &self.estimator.reader;
        reader.read(reader.locate(&CoordinateBits::of(cube), parity))
    }

    /// Pushes the root of a subtree, unless its heuristic value exceeds the bound.
    pub(super) fn push_subtree(&mut self, cube: Cube, subtree: &Subtree, bound: usize) {
        let (mut normal, mut inverse) = (CubeBytes::of(cube), CubeBytes::of_inverse(cube));
        let mut parity = u32::from(is_odd(&cube.corners()));
        for m in &subtree.path {
            normal = self.estimator.apply(&normal, m.index(), Side::Normal);
            inverse = self.estimator.apply(&inverse, m.index(), Side::Inverse);
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

    /// Expands up to `most` nodes from the top of the stack, at most [`BATCH`].
    pub(super) fn expand(&mut self, most: usize) {
        let first = self.stack.len().saturating_sub(most.min(BATCH));
        self.batch.clear();
        self.batch.extend(self.stack.drain(first..));
        self.expanded += self.batch.len() as u64;
        for at in 0..self.batch.len() {
            self.locate_inverse_children(at);
        }
        for at in 0..self.batch.len() {
            self.locate_normal_children(at);
        }
        for at in 0..self.batch.len() {
            self.push_children(at);
        }
    }

    /// Locates and prefetches the inverse sides of the children by quarter turns.
    #[inline(always)]
    fn locate_inverse_children(&mut self, at: usize) {
        let node = &self.batch[at];
        // A half turn leaves the inverse bound unchanged, so at I = d it leads beyond the bound.
        let tight = node.inverse_h >= node.remaining;
        let generated = if tight { node.untried - self.half_turns } else { node.untried };
        self.pruned |= generated != node.untried;
        self.generated[at] = generated;
        self.meter.spend(generated.len() as u64);
        let quarter_turns = generated - self.half_turns;
        let (parity, entries) = (node.parity.into(), &mut self.entries[at]);
        self.estimator.locate_children(&node.inverse, quarter_turns, parity, Side::Inverse, entries);
    }

    /// Reads the inverse sides, then locates and prefetches the normal sides of the surviving children.
    #[inline(always)]
    fn locate_normal_children(&mut self, at: usize) {
        let (node, remaining) = (&self.batch[at], self.batch[at].remaining - 1);
        let (entries, inverse_h) = (&mut self.entries[at], &mut self.inverse_h[at]);
        let mut surviving = self.generated[at] & self.half_turns;
        for m in self.generated[at] - self.half_turns {
            let bound = self.estimator.reader.read(entries[m.index()]);
            inverse_h[m.index()] = bound;
            if bound <= remaining {
                surviving = surviving.with(m);
            } else if bound > remaining + 2 {
                // Pathmax: the parent is at most one move nearer than the child, hence beyond the bound
                // itself.
                surviving = MoveSet::EMPTY;
                break;
            }
        }
        self.surviving[at] = surviving;
        self.estimator.locate_children(&node.normal, surviving, node.parity.into(), Side::Normal, entries);
    }

    /// Reads the normal sides and pushes the surviving children, the last move first.
    #[inline(always)]
    fn push_children(&mut self, at: usize) {
        let node = self.batch[at];
        let remaining = node.remaining - 1;
        let surviving = self.surviving[at]
            .into_iter()
            .filter(|m| self.estimator.reader.read(self.entries[at][m.index()]) <= remaining)
            .collect::<MoveSet>();
        self.pruned |= surviving != self.generated[at];
        let mut left = surviving;
        while let Some(m) = left.pop_last() {
            let turn = m.index();
            let is_half_turn = !is_quarter_turn(turn);
            let normal = self.estimator.apply(&node.normal, turn, Side::Normal);
            let path = node.path.then(m);
            let inverse_h = if is_half_turn { node.inverse_h } else { self.inverse_h[at][turn] };
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
                inverse: self.estimator.apply(&node.inverse, turn, Side::Inverse),
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
