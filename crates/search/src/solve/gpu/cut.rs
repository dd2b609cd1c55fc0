//! The tree cut into parts for a device, finer where the last pass had much to do.

use crate::bounded_dfs::{GenericDfs, PassResult, Subtree};
use crate::control::{Control, Reserved};
use crate::device::Batch;
use crate::heuristic::Heuristic;
use crate::moves::{AutomatonState, Move, MoveMask};
use crate::puzzle::{Cost, Edge, Puzzle};
use crate::solve::gpu::Encode;

/// The top of a tree, and how many nodes each branch took.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Plan {
    branches: Vec<Branch>,
    /// The branches that grow from nowhere, by start.
    roots: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Branch {
    m: Move,
    /// The branch it grows from; [`NOWHERE`] for roots.
    parent: u32,
    /// The last branch that grows from it, and the one before this that grows from the same.
    last: u32,
    before: u32,
    nodes: u64,
}

const NOWHERE: u32 = u32::MAX;

impl Plan {
    /// Nodes of all branches.
    pub(super) fn nodes(&self) -> u64 {
        self.roots.iter().map(|&root| self.nodes_of(root)).sum()
    }

    fn grow(&mut self, parent: u32, m: Move) -> u32 {
        let place = self.branches.len() as u32;
        let before = match self.branches.get_mut(parent as usize) {
            Some(parent) => std::mem::replace(&mut parent.last, place),
            None => NOWHERE,
        };
        self.branches.push(Branch { m, parent, last: NOWHERE, before, nodes: 0 });
        place
    }

    /// Notes what was counted in a branch.
    pub(super) fn learn(&mut self, place: u32, nodes: u64) {
        if let Some(branch) = self.branches.get_mut(place as usize) {
            branch.nodes += nodes;
        }
    }

    /// Adds what was counted to all branches below.
    pub(super) fn sum_up(&mut self) {
        for place in (0..self.branches.len()).rev() {
            let Branch { parent, nodes, .. } = self.branches[place];
            self.learn(parent, nodes);
        }
    }

    /// The branch that a move leads to.
    fn follow(&self, place: u32, m: Move) -> Option<u32> {
        let mut at = self.branches.get(place as usize)?.last;
        while let Some(branch) = self.branches.get(at as usize) {
            if branch.m == m {
                return Some(at);
            }
            at = branch.before;
        }
        None
    }

    /// Whether nothing is known of what grows from a branch.
    fn ends(&self, place: u32) -> bool {
        self.branches.get(place as usize).is_none_or(|branch| branch.last == NOWHERE)
    }

    fn nodes_of(&self, place: u32) -> u64 {
        self.branches.get(place as usize).map_or(0, |branch| branch.nodes)
    }
}

/// A part of the tree for the device.
pub(super) struct Part {
    pub(super) tree: Subtree,
    /// Its branch in the new plan.
    pub(super) place: u32,
}

/// What cutting gave.
pub(super) struct Cut {
    /// What was done on the way.
    pub(super) probed: PassResult,
    pub(super) parts: Vec<Part>,
    pub(super) batch: Batch,
    pub(super) plan: Plan,
    /// The memory that all of it takes, on both sides.
    room: Option<Reserved>,
}

/// Cuts a tree: what it expands it counts as [`GenericDfs`] does.
pub(super) struct Cutter<'a, 'p, P: Puzzle, H: Heuristic<P>> {
    twin: &'a GenericDfs<'p, P, H>,
    encode: &'a Encode<P, H>,
    bound: Cost,
    old: &'a Plan,
    /// Branches that took more nodes in the last pass are cut.
    limit: u64,
    control: &'a Control,
    excess: Cost,
    cut: Cut,
    /// The branch that all parts count for, where they are parts of a part.
    credit: Option<u32>,
    root: u8,
    path: Vec<Move>,
}

/// A node on the way.
struct Node<'a, P: Puzzle, H: Heuristic<P>> {
    state: &'a P::State,
    value: &'a H::Value,
    trail: AutomatonState,
    untried: P::Moves,
    left: Cost,
    /// Its branch in the old plan, if it has one, and in the new.
    old: Option<u32>,
    place: u32,
    /// What it may take, as far as the last pass tells.
    estimate: u64,
}

impl<'a, 'p, P: Puzzle, H: Heuristic<P>> Cutter<'a, 'p, P, H> {
    pub(super) fn new(
        twin: &'a GenericDfs<'p, P, H>,
        encode: &'a Encode<P, H>,
        bound: Cost,
        old: &'a Plan,
        limit: u64,
        control: &'a Control,
    ) -> Self {
        let cut = Cut {
            probed: PassResult::nothing(),
            parts: Vec::new(),
            batch: Batch::default(),
            plan: Plan::default(),
            room: None,
        };
        Cutter {
            control,
            twin,
            encode,
            bound,
            old,
            limit,
            excess: Cost::MAX,
            cut,
            credit: None,
            root: 0,
            path: Vec::new(),
        }
    }

    /// Cuts a tree wherever the last pass had much to do.
    pub(super) fn cut(&mut self, tree: &Subtree) {
        let known = self.old.roots.get(usize::from(tree.root)).copied();
        let old = known.filter(|_| tree.path.is_empty());
        let estimate = old.map_or(0, |place| self.old.nodes_of(place));
        let place = self.cut.plan.grow(NOWHERE, Move(0));
        self.cut.plan.roots.push(place);
        self.enter(tree, old, place, estimate);
    }

    /// Cuts a part at its first node, whatever the last pass says.
    pub(super) fn split(&mut self, part: &Part) {
        self.credit = Some(part.place);
        self.enter(&part.tree, None, NOWHERE, u64::MAX);
    }

    fn enter(&mut self, tree: &Subtree, old: Option<u32>, place: u32, estimate: u64) {
        let GenericDfs { puzzle, heuristic, automaton, starts, .. } = self.twin;
        let start = &starts[usize::from(tree.root)];
        let state = tree.path.iter().fold(start.clone(), |state, &m| puzzle.apply(&state, m));
        let value = heuristic.start(puzzle, &state);
        let (spent, h) = (puzzle.path_cost(&tree.path), heuristic.cost(&value));
        let Some(left) = self.bound.checked_sub(spent).filter(|&left| h <= left) else {
            self.excess = self.excess.min(spent.saturating_add(h).saturating_sub(self.bound));
            return;
        };
        self.root = tree.root;
        self.path.clone_from(&tree.path);
        if tree.path.is_empty() && h == 0 && puzzle.is_goal(&state) {
            self.cut.probed.found.push(Vec::new());
        } else if left == 0 {
            self.excess = self.excess.min(1);
        } else {
            let (trail, untried) = (automaton.after(&tree.path), P::Moves::narrow(tree.untried));
            self.expand(&Node::<P, H> {
                state: &state,
                value: &value,
                trail,
                untried,
                left,
                old,
                place,
                estimate,
            });
        }
    }

    fn expand(&mut self, node: &Node<'_, P, H>) {
        // What overflowed is cut in any case.
        if node.estimate <= self.limit && node.estimate < u64::MAX {
            return self.leave(node);
        }
        let GenericDfs { puzzle, heuristic, automaton, .. } = self.twin;
        self.cut.probed.expanded += 1;
        let below = node.left - 1;
        // What nothing is known about is a fair share of what lies above it.
        let unknown = node.old.is_none_or(|place| self.old.ends(place));
        let share = if unknown && node.estimate < u64::MAX {
            node.estimate / node.untried.len().max(1) as u64
        } else {
            0
        };
        for m in node.untried {
            if self.control.stop().is_some() {
                return;
            }
            self.cut.probed.nodes += 1;
            let edge = Edge { puzzle: *puzzle, parent: node.state, m };
            let value = match heuristic.step(node.value, &edge, below) {
                Ok(value) => value,
                Err(h) => {
                    self.excess = self.excess.min(h - below);
                    continue;
                }
            };
            let state = edge.child();
            self.path.push(m);
            if heuristic.cost(&value) == 0 && puzzle.is_goal(&state) {
                self.cut.probed.found.push(self.path.clone());
            } else if below == 0 {
                self.excess = self.excess.min(1);
            } else {
                let trail = automaton.next(node.trail, m);
                let old = node.old.and_then(|place| self.old.follow(place, m));
                let child = Node::<P, H> {
                    untried: puzzle.legal(&state) & automaton.allowed(trail),
                    state: &state,
                    value: &value,
                    trail,
                    left: below,
                    old,
                    place: self.cut.plan.grow(node.place, m),
                    estimate: old.map_or(share, |place| self.old.nodes_of(place)),
                };
                self.expand(&child);
            }
            self.path.pop();
        }
    }

    /// Makes room for more parts and looks up; where there is none, those to come are left as large as they are.
    fn reserve(&mut self) {
        const AT_ONCE: usize = 4096;
        // Path, words and results of a part, and its branch.
        const BYTES: u64 = 256;
        if !self.cut.parts.len().is_multiple_of(AT_ONCE) {
            return;
        }
        let more = AT_ONCE as u64 * BYTES;
        let _ = self.control.poll();
        let grown = match &mut self.cut.room {
            _ if self.control.room() < more => false,
            None => {
                self.cut.room = self.control.reserve(more).ok();
                true
            }
            Some(room) => room.grow(more).is_ok(),
        };
        if !grown {
            self.limit = u64::MAX;
        }
    }

    /// Leaves a node to the device.
    fn leave(&mut self, node: &Node<'_, P, H>) {
        self.reserve();
        (self.encode)(self.twin.heuristic, node.state, node.value, &mut self.cut.batch.words);
        self.cut.batch.add(node.untried.low_bits() as u32, node.trail.number(), node.left);
        let tree = Subtree { root: self.root, path: self.path.clone(), untried: node.untried.widen() };
        self.cut.parts.push(Part { tree, place: self.credit.unwrap_or(node.place) });
    }

    /// All that was cut.
    pub(super) fn done(mut self) -> Cut {
        self.cut.probed.next = self.bound.saturating_add(self.excess);
        self.cut
    }
}
