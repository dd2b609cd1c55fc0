//! The hot loop: a bounded depth-first pass over subtrees.
//!
//! A node is the cube and the cube that takes it back; either's entry bounds what is left. A half turn leaves what the table knows of the cube
//! that takes back as it is. So where that entry says that no move may be wasted, half turns are left out at once;
//! and after a half turn only the other entry is read. For all other turns the entries of the cubes that take back are asked for together,
//! then read; only for those that pass are the entries of the cubes themselves asked for.

use std::ops::ControlFlow::{self, Break, Continue};

use untumble_search::control::Meter;
use untumble_search::moves::{Move, MoveSet, Trail, Words};
use untumble_search::probe::Subtree;

use super::body::{Body, Seen};
use super::pricing::{Children, Ground, Side};
use crate::cube3::Cube;
use crate::cube3::symmetry::TURNS;

/// Why a subtree was left before it was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    Found,
    Paused,
}

/// A node on the way down.
#[derive(Clone, Copy)]
pub(super) struct Node {
    /// The cube.
    ahead: Body,
    /// The cube that takes it back, and what its entry says.
    behind: Body,
    bound: u8,
    /// 1 where pieces are in an odd order.
    parity: u32,
    trail: Trail,
}

/// What is known of a node's children before any of them is visited.
struct Frame {
    ahead: Children,
    behind: Children,
    /// What the entries of the cubes that take back say.
    bounds: [u8; TURNS],
}

/// Turns by a half.
pub(super) fn halves() -> MoveSet {
    (0..TURNS as u8).filter(|turn| turn % 3 == 1).map(Move).collect()
}

pub(super) struct Descent<'a, 'm, 'c> {
    ground: &'a Ground,
    words: &'a Words,
    pub(super) meter: &'m mut Meter<'c>,
    pub(super) expanded: u64,
    /// Whether any node was pruned.
    pub(super) pruned: bool,
    frames: Vec<Frame>,
    solved: Body,
    halves: MoveSet,
    /// The way down, last move first: filled while unwinding.
    pub(super) path: Vec<Move>,
    /// While unwinding: how long `path` was at a node, and its untried moves.
    untried: Vec<(usize, MoveSet)>,
}

impl<'a, 'm, 'c> Descent<'a, 'm, 'c> {
    pub(super) fn new(ground: &'a Ground, words: &'a Words, meter: &'m mut Meter<'c>, depth: usize) -> Self {
        let frame = || Frame { ahead: Children::new(), behind: Children::new(), bounds: [0; TURNS] };
        Descent {
            ground,
            words,
            meter,
            expanded: 0,
            pruned: false,
            frames: (0..=depth).map(|_| frame()).collect(),
            solved: Body::of(Cube::SOLVED),
            halves: halves(),
            path: Vec::new(),
            untried: Vec::new(),
        }
    }

    /// The node that some moves lead to from a cube, and the least that is left from there.
    pub(super) fn node(&self, cube: Cube, path: &[Move]) -> (Node, u8) {
        let (mut ahead, mut behind) = (Body::of(cube), Body::back(cube));
        let mut parity = u32::from(crate::cube::pieces::odd(&cube.corners()));
        for m in path {
            ahead = self.ground.steps.ahead(&ahead, m.index());
            behind = self.ground.steps.behind(&behind, m.index());
            parity ^= u32::from(m.index() % 3 != 1);
        }
        let says = |body: &Body| self.ground.reader.read(self.ground.reader.entry(&Seen::of(body), parity));
        let bound = says(&behind);
        let node = Node { ahead, behind, bound, parity, trail: self.words.trail(path) };
        (node, bound.max(says(&ahead)))
    }

    pub(super) fn is_solved(&self, node: &Node) -> bool {
        node.ahead.same(&self.solved)
    }

    /// The moves worth trying from a node with `left` moves to go: without half turns where no move may be wasted.
    #[inline(always)]
    fn worth(&self, node: &Node, moves: MoveSet, left: usize) -> MoveSet {
        if usize::from(node.bound) >= left { moves - self.halves } else { moves }
    }

    /// The moves of `tried` whose children may be solved in one less than `left`; their frame is filled.
    #[inline(always)]
    fn promising(&mut self, node: &Node, tried: MoveSet, left: usize) -> MoveSet {
        let Frame { ahead, behind, bounds } = &mut self.frames[left];
        let (ground, below) = (self.ground, left as u8 - 1);
        let quarters = tried - self.halves;
        ground.price(&node.behind, quarters, node.parity, Side::Behind, behind);
        let mut passing = tried & self.halves;
        for m in quarters {
            let bound = ground.reader.read(behind.0[m.index()].place);
            if bound <= below {
                bounds[m.index()] = bound;
                passing = passing.with(m);
            } else if bound > below + 2 {
                // From here one could go there and back: so this node is too far, too.
                return MoveSet::EMPTY;
            }
        }
        ground.price(&node.ahead, passing, node.parity, Side::Ahead, ahead);
        passing.into_iter().filter(|m| ground.reader.read(ahead.0[m.index()].place) <= below).collect()
    }

    /// The child by a promising move.
    #[inline(always)]
    fn child(&self, node: &Node, m: Move, left: usize) -> Node {
        let (frame, turn) = (&self.frames[left], m.index());
        let half = turn % 3 == 1;
        Node {
            ahead: frame.ahead.0[turn].body,
            behind: if half {
                self.ground.steps.behind(&node.behind, turn)
            } else {
                frame.behind.0[turn].body
            },
            bound: if half { node.bound } else { frame.bounds[turn] },
            parity: node.parity ^ u32::from(!half),
            trail: self.words.next(node.trail, m),
        }
    }

    /// Tries some moves from a node.
    pub(super) fn expand(&mut self, node: &Node, moves: MoveSet, left: usize) -> ControlFlow<End> {
        if self.meter.check().is_break() {
            self.untried.push((self.path.len(), moves));
            return Break(End::Paused);
        }
        self.expanded += 1;
        let mut tried = self.worth(node, moves, left);
        let promising = self.promising(node, tried, left);
        self.pruned |= promising != moves;
        for m in promising {
            let later = after(tried, m);
            self.meter.spend((tried.len() - later.len()) as u64);
            tried = later;
            let child = self.child(node, m, left);
            let end = if left == 1 || (child.bound == 0 && self.is_solved(&child)) {
                if self.is_solved(&child) {
                    Break(End::Found)
                } else {
                    self.pruned = true;
                    Continue(())
                }
            } else {
                self.expand(&child, self.words.allowed(child.trail), left - 1)
            };
            if end.is_break() {
                self.path.push(m);
                self.untried.push((self.path.len(), tried));
                return end;
            }
        }
        self.meter.spend(tried.len() as u64);
        Continue(())
    }

    /// The children of a node that may be solved in one less than `left`, with the moves to them. Counts all.
    pub(super) fn children(&mut self, node: &Node, left: usize) -> Vec<(Move, Node)> {
        self.expanded += 1;
        let moves = self.words.allowed(node.trail);
        let tried = self.worth(node, moves, left);
        self.meter.spend(tried.len() as u64);
        let promising = self.promising(node, tried, left);
        self.pruned |= promising != moves;
        promising.into_iter().map(|m| (m, self.child(node, m, left))).collect()
    }

    /// The moves that may follow a node.
    pub(super) fn allowed(&self, node: &Node) -> MoveSet {
        self.words.allowed(node.trail)
    }

    /// What was left untried on the way up, shallowest first.
    pub(super) fn unwound(&mut self, tree: &Subtree) -> Vec<Subtree> {
        let length = self.path.len();
        let path = &self.path;
        let rest = self.untried.drain(..).rev().filter(|(_, untried)| !untried.is_empty());
        let subtree = |(below, untried): (usize, MoveSet)| {
            let mut prefix = tree.path.clone();
            prefix.extend(path[below..length].iter().rev());
            Subtree { root: tree.root, path: prefix, untried }
        };
        rest.map(subtree).collect()
    }
}

/// The moves of a set that come after one.
#[inline(always)]
fn after(set: MoveSet, m: Move) -> MoveSet {
    set - MoveSet::first(m.index() + 1)
}
