//! Splits the tree of a pass into subtrees for a device, guided by the node counts of the previous pass.
//!
//! Subtrees of similar size keep all lanes of the device busy. The node counts of consecutive passes are
//! roughly proportional, so a subtree that was large in the previous pass is split further in this one. A
//! [`TreeProfile`] holds these counts; a branch is a node of the profile.

use crate::bounded_dfs::{GenericDfs, PassResult, Subtree};
use crate::control::{Control, Reservation};
use crate::device::Batch;
use crate::heuristic::Heuristic;
use crate::moves::{AutomatonState, Move, MoveMask};
use crate::puzzle::{Cost, Edge, Puzzle};
use crate::solve::gpu::Encode;

/// The top of a search tree with the number of nodes below each branch.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct TreeProfile {
    branches: Vec<Branch>,
    /// The root branches by start state.
    roots: Vec<u32>,
}

/// A node at the top of the tree. Children form a linked list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Branch {
    m: Move,
    /// The index of the parent; [`NONE`] for roots.
    parent: u32,
    /// The index of the last child, or [`NONE`].
    last_child: u32,
    /// The index of the previous sibling, or [`NONE`].
    previous_sibling: u32,
    /// The number of nodes below.
    nodes: u64,
}

const NONE: u32 = u32::MAX;

/// Memory is reserved for this many parts at once.
const PARTS_PER_RESERVATION: usize = 4096;
/// The path, the words, the result and the branch of a part.
const BYTES_PER_PART: u64 = 256;
/// The bytes of one reservation.
pub(super) const RESERVATION_BYTES: u64 = PARTS_PER_RESERVATION as u64 * BYTES_PER_PART;

impl TreeProfile {
    /// The number of nodes of the whole tree.
    pub(super) fn nodes(&self) -> u64 {
        self.roots.iter().map(|&root| self.nodes_of(root)).sum()
    }

    fn add_child(&mut self, parent: u32, m: Move) -> u32 {
        let index = self.branches.len() as u32;
        let previous_sibling = match self.branches.get_mut(parent as usize) {
            Some(parent) => std::mem::replace(&mut parent.last_child, index),
            None => NONE,
        };
        self.branches.push(Branch { m, parent, last_child: NONE, previous_sibling, nodes: 0 });
        index
    }

    /// Adds nodes to a branch.
    pub(super) fn add_nodes(&mut self, index: u32, nodes: u64) {
        if let Some(branch) = self.branches.get_mut(index as usize) {
            branch.nodes += nodes;
        }
    }

    /// Adds the nodes of every branch to its ancestors.
    pub(super) fn accumulate(&mut self) {
        // A child has a larger index than its parent.
        for index in (0..self.branches.len()).rev() {
            let Branch { parent, nodes, .. } = self.branches[index];
            self.add_nodes(parent, nodes);
        }
    }

    /// The child of a branch by a move.
    fn child(&self, index: u32, m: Move) -> Option<u32> {
        let mut child = self.branches.get(index as usize)?.last_child;
        while let Some(branch) = self.branches.get(child as usize) {
            if branch.m == m {
                return Some(child);
            }
            child = branch.previous_sibling;
        }
        None
    }

    fn is_leaf(&self, index: u32) -> bool {
        self.branches.get(index as usize).is_none_or(|branch| branch.last_child == NONE)
    }

    fn nodes_of(&self, index: u32) -> u64 {
        self.branches.get(index as usize).map_or(0, |branch| branch.nodes)
    }
}

/// A subtree for the device, with its branch.
pub(super) struct Part {
    pub(super) tree: Subtree,
    /// The index of its branch in the new profile.
    pub(super) branch: u32,
}

/// The subtrees of a pass and the part of it that the CPU searched.
pub(super) struct Split {
    /// The nodes searched while splitting.
    pub(super) result: PassResult,
    pub(super) parts: Vec<Part>,
    pub(super) batch: Batch,
    /// The profile of this pass.
    pub(super) profile: TreeProfile,
    /// The memory of all subtrees, on the CPU and on the device.
    pub(super) memory: Option<Reservation>,
}

/// Splits a tree. Nodes that it expands are counted as [`GenericDfs`] counts them.
pub(super) struct Splitter<'a, 'p, P: Puzzle, H: Heuristic<P>> {
    cpu: &'a GenericDfs<'p, P, H>,
    encode: &'a Encode<P, H>,
    bound: Cost,
    /// The profile of the previous pass.
    previous: &'a TreeProfile,
    /// Branches with more nodes in the previous pass are split.
    split_threshold: u64,
    control: &'a Control,
    /// The least amount by which the f-value of a pruned node exceeds the bound.
    min_excess: Cost,
    split: Split,
    /// Set while a part is split again whose stack overflowed on the device: its branch, to which the nodes
    /// of all its subtrees count.
    overflowed_branch: Option<u32>,
    /// The index of the start state of the current node.
    root: u8,
    /// The moves from the start state to the current node.
    path: Vec<Move>,
}

/// A node at the top of the tree.
struct Node<'a, P: Puzzle, H: Heuristic<P>> {
    state: &'a P::State,
    value: &'a H::Value,
    automaton_state: AutomatonState,
    untried: P::Moves,
    budget: Cost,
    /// The branch in the previous profile, if it has one.
    previous: Option<u32>,
    /// The branch in the new profile.
    branch: u32,
    /// The expected number of nodes below, from the previous profile.
    estimate: u64,
}

impl<'a, 'p, P: Puzzle, H: Heuristic<P>> Splitter<'a, 'p, P, H> {
    pub(super) fn new(
        cpu: &'a GenericDfs<'p, P, H>,
        encode: &'a Encode<P, H>,
        bound: Cost,
        previous: &'a TreeProfile,
        split_threshold: u64,
        control: &'a Control,
    ) -> Self {
        let split = Split {
            result: PassResult::empty(),
            parts: Vec::new(),
            batch: Batch::default(),
            profile: TreeProfile::default(),
            memory: None,
        };
        Splitter {
            control,
            cpu,
            encode,
            bound,
            previous,
            split_threshold,
            min_excess: Cost::MAX,
            split,
            overflowed_branch: None,
            root: 0,
            path: Vec::new(),
        }
    }

    /// Splits a subtree wherever the previous pass had many nodes.
    pub(super) fn split(&mut self, tree: &Subtree) {
        let root_branch = self.previous.roots.get(usize::from(tree.root)).copied();
        let previous = root_branch.filter(|_| tree.path.is_empty());
        let estimate = previous.map_or(0, |index| self.previous.nodes_of(index));
        let branch = self.split.profile.add_child(NONE, Move(0));
        self.split.profile.roots.push(branch);
        self.enter(tree, previous, branch, estimate);
    }

    /// Splits a part that overflowed at its root, whatever its estimate.
    pub(super) fn split_part(&mut self, part: &Part) {
        self.overflowed_branch = Some(part.branch);
        self.enter(&part.tree, None, NONE, u64::MAX);
    }

    /// Splits the subtree of a node; `previous`, `branch` and `estimate` are as in [`Node`].
    fn enter(&mut self, tree: &Subtree, previous: Option<u32>, branch: u32, estimate: u64) {
        let GenericDfs { puzzle, heuristic, automaton, starts, .. } = self.cpu;
        let start = &starts[usize::from(tree.root)];
        let state = tree.path.iter().fold(start.clone(), |state, &m| puzzle.apply(&state, m));
        let value = heuristic.start(puzzle, &state);
        let (g, h) = (puzzle.path_cost(&tree.path), heuristic.cost(&value));
        let Some(budget) = self.bound.checked_sub(g).filter(|&budget| h <= budget) else {
            self.min_excess = self.min_excess.min(g.saturating_add(h).saturating_sub(self.bound));
            return;
        };
        self.root = tree.root;
        self.path.clone_from(&tree.path);
        if tree.path.is_empty() && h == 0 && puzzle.is_goal(&state) {
            self.split.result.found.push(Vec::new());
        } else if budget == 0 {
            self.min_excess = self.min_excess.min(1);
        } else {
            let (automaton_state, untried) = (automaton.after(&tree.path), P::Moves::narrow(tree.untried));
            self.expand(&Node::<P, H> {
                state: &state,
                value: &value,
                automaton_state,
                untried,
                budget,
                previous,
                branch,
                estimate,
            });
        }
    }

    /// Adds the subtree of a node to the batch if it is small, and otherwise splits it at its children.
    fn expand(&mut self, node: &Node<'_, P, H>) {
        // A part that overflowed has the estimate `u64::MAX` and is split in any case.
        if node.estimate <= self.split_threshold && node.estimate < u64::MAX {
            return self.add_part(node);
        }
        let GenericDfs { puzzle, heuristic, automaton, .. } = self.cpu;
        self.split.result.expanded += 1;
        let child_budget = node.budget - 1;
        // A branch without children in the profile divides its estimate equally among its moves.
        let unknown = node.previous.is_none_or(|index| self.previous.is_leaf(index));
        let share = if unknown && node.estimate < u64::MAX {
            node.estimate / node.untried.len().max(1) as u64
        } else {
            0
        };
        for m in node.untried {
            if self.control.stop_reason().is_some() {
                return;
            }
            self.split.result.nodes += 1;
            let edge = Edge { puzzle: *puzzle, parent: node.state, m };
            let value = match heuristic.step(node.value, &edge, child_budget) {
                Ok(value) => value,
                Err(h) => {
                    self.min_excess = self.min_excess.min(h - child_budget);
                    continue;
                }
            };
            let state = edge.child();
            self.path.push(m);
            if heuristic.cost(&value) == 0 && puzzle.is_goal(&state) {
                self.split.result.found.push(self.path.clone());
            } else if child_budget == 0 {
                self.min_excess = self.min_excess.min(1);
            } else {
                let automaton_state = automaton.next(node.automaton_state, m);
                let previous = node.previous.and_then(|index| self.previous.child(index, m));
                let child = Node::<P, H> {
                    untried: puzzle.legal(&state) & automaton.allowed(automaton_state),
                    state: &state,
                    value: &value,
                    automaton_state,
                    budget: child_budget,
                    previous,
                    branch: self.split.profile.add_child(node.branch, m),
                    estimate: previous.map_or(share, |index| self.previous.nodes_of(index)),
                };
                self.expand(&child);
            }
            self.path.pop();
        }
    }

    /// Polls the limits and reserves memory for more parts. If there is none, the remaining subtrees are not
    /// split further.
    fn reserve(&mut self) {
        if !self.split.parts.len().is_multiple_of(PARTS_PER_RESERVATION) {
            return;
        }
        let bytes = RESERVATION_BYTES;
        let _ = self.control.poll();
        let reserved = match &mut self.split.memory {
            _ if self.control.available_bytes() < bytes => false,
            None => {
                self.split.memory = self.control.reserve(bytes).ok();
                true
            }
            Some(memory) => memory.grow(bytes).is_ok(),
        };
        if !reserved {
            self.split_threshold = u64::MAX;
        }
    }

    /// Adds the subtree of a node to the batch of the device.
    fn add_part(&mut self, node: &Node<'_, P, H>) {
        self.reserve();
        (self.encode)(self.cpu.heuristic, node.state, node.value, &mut self.split.batch.words);
        self.split.batch.add(node.untried.low_bits() as u32, node.automaton_state.number(), node.budget);
        let tree = Subtree { root: self.root, path: self.path.clone(), untried: node.untried.to_set256() };
        self.split.parts.push(Part { tree, branch: self.overflowed_branch.unwrap_or(node.branch) });
    }

    /// Sets the bound of the next pass and returns the split.
    pub(super) fn finish(mut self) -> Split {
        self.split.result.next_bound = self.bound.saturating_add(self.min_excess);
        self.split
    }
}
