//! One pass of IDA*: divides the subtrees between the depth-first search and the SIMD batch search.
//!
//! The batch search is faster but visits nodes in another order. Solutions and node counts must nevertheless
//! be those of the depth-first search. The order matters only up to the first goal, so the result of a batch
//! of consecutive subtrees is valid if they contain no goal. A batch that meets a goal is abandoned, and its
//! subtrees are searched one by one. Subtrees that are too large for a batch are split. A batch
//! cannot stop at an exact node, so it first reserves a part of the remaining node limit; when too little is
//! left, the depth-first search takes over.
//!
//! The slack of a node is bound − g − h. A work item is a subtree; a group is a run of consecutive items
//! that are searched in one batch.

use std::ops::ControlFlow::{self, Break, Continue};

use untumble_search::bounded_dfs::{PassResult, Subtree};
use untumble_search::control::Meter;
use untumble_search::moves::{Move, MoveMask, MoveSet};
use untumble_search::puzzle::Cost;

use super::batch::{Abandoned, BatchCounts, BatchSearch, SLACK_LEVELS};
use super::dfs::{DepthFirst, Interruption, NodeBudget, NodeEvaluator};
use super::manhattan_slack::{ManhattanNode, ManhattanSlack};
use super::{Cells, ManhattanDfs, blank_cell};

/// Implements [`untumble_search::bounded_dfs::BoundedDfs::run_pass`].
pub(super) fn run(
    search: &ManhattanDfs<'_>,
    subtrees: Vec<Subtree>,
    bound: Cost,
    meter: &mut Meter<'_>,
) -> PassResult {
    let mut pass = Pass::new(search, subtrees, bound, meter);
    while pass.search_next().is_continue() {}
    pass.result.unsearched = pass.stack.into_iter().rev().map(|item| item.subtree).collect();
    pass.result
}

/// The board after `path`, and the blank's cell.
fn replay(start: u64, path: &[Move]) -> (u64, usize) {
    path.iter().fold((start, start.blank()), |(cells, blank), m| {
        match blank_cell::neighbours(blank)[m.index()] {
            Some(from) => (cells.slide(from, blank), from),
            None => unreachable!("the moves of a path are legal"),
        }
    })
}

/// A subtree to be searched.
#[derive(Clone)]
struct WorkItem {
    subtree: Subtree,
    /// Whether the root is still to be counted as expanded; false if the item holds the remaining children
    /// of a root that was counted.
    unexpanded: bool,
}

impl WorkItem {
    fn unexpanded(subtree: Subtree) -> WorkItem {
        WorkItem { subtree, unexpanded: true }
    }
}

/// The root of a work item.
struct Root {
    node: ManhattanNode,
    blank: usize,
    distance: Cost,
}

/// Base-2 logarithms of the smallest subtree worth a batch and of the largest that a batch accepts.
const MIN_BATCH_LOG2: Cost = 12;
const MAX_BATCH_LOG2: Cost = 16;
/// A group of consecutive subtrees is closed at this estimated number of nodes or at this number of
/// subtrees.
const GROUP_NODES: u64 = 1 << 18;
const GROUP_ITEMS: usize = 256;
/// The nodes that a batch reserves of a node limit. Of the groups of Korf's instance 1, 94 % generate fewer
/// than 2^19 nodes and none more than 2^21.
const RESERVED_NODES: u64 = 1 << 21;
/// The depth-first search, which stops exactly, takes over when fewer nodes than this can be reserved.
const MIN_RESERVED_NODES: u64 = 1 << 19;

// The batch search has one stack for each slack level (slack / 2) below `SLACK_LEVELS`. Subtrees of larger
// levels exceed `MAX_BATCH_LOG2`, so they are split and never batched.
const _: () = assert!(log2_nodes(SLACK_LEVELS as Cost, 0) > MAX_BATCH_LOG2);

/// Estimated base-2 logarithm of the number of nodes below a root with slack 2 × `level`: fitted to the
/// means over Korf's instances, within a factor of 4 in most cases.
const fn log2_nodes(level: Cost, distance: Cost) -> Cost {
    (11 * level + 2 * distance).saturating_sub(37) / 5
}

impl Root {
    fn log2_nodes(&self) -> Cost {
        log2_nodes((self.node.slack / 2) as Cost, self.distance)
    }

    /// Whether a child may be the goal, which only the depth-first search handles.
    fn is_near_goal(&self) -> bool {
        self.distance <= 1
    }
}

/// The state of the pass.
struct Pass<'a, 'm, 'c> {
    search: &'a ManhattanDfs<'a>,
    bound: Cost,
    meter: &'m mut Meter<'c>,
    /// Whether this machine has the batch search.
    use_batches: bool,
    batch: Option<BatchSearch<'a>>,
    /// The value of `result.nodes` that the current batch must not exceed.
    max_batch_nodes: u64,
    /// Number of items that must be searched one by one, because their group was abandoned.
    singles_left: usize,
    dfs: DepthFirst<'a, ManhattanSlack>,
    /// Remaining work, next item last.
    stack: Vec<WorkItem>,
    result: PassResult,
}

impl<'a, 'm, 'c> Pass<'a, 'm, 'c> {
    fn new(
        search: &'a ManhattanDfs<'a>,
        subtrees: Vec<Subtree>,
        bound: Cost,
        meter: &'m mut Meter<'c>,
    ) -> Pass<'a, 'm, 'c> {
        Pass {
            search,
            bound,
            meter,
            use_batches: BatchSearch::is_available(),
            batch: None,
            max_batch_nodes: 0,
            singles_left: 0,
            dfs: DepthFirst::new(search.evaluator),
            stack: subtrees.into_iter().rev().map(WorkItem::unexpanded).collect(),
            result: PassResult::empty(),
        }
    }
}

impl Pass<'_, '_, '_> {
    /// Searches the next item or group of items; breaks if the pass ends.
    fn search_next(&mut self) -> ControlFlow<()> {
        let Some(item) = self.stack.pop() else { return Break(()) };
        let Some(root) = self.root(&item) else { return Continue(()) };
        if item.subtree.path.is_empty() && root.distance == 0 {
            return self.record_solution(Vec::new());
        }
        if self.meter.check().is_break() {
            if !item.subtree.untried.is_empty() {
                self.stack.push(item);
            }
            return Break(());
        }
        let nodes_before = self.result.nodes;
        if self.use_batches && !root.is_near_goal() && root.log2_nodes() >= MIN_BATCH_LOG2 {
            // A batch cannot stop at an exact node, so it runs only with nodes that are reserved for it.
            let reservation = self.meter.reserve(RESERVED_NODES);
            if reservation.max_nodes() >= MIN_RESERVED_NODES {
                self.max_batch_nodes = nodes_before.saturating_add(reservation.max_nodes());
                let flow = self.search_in_batch(item, &root);
                self.meter.count_reserved(reservation, self.result.nodes - nodes_before);
                return flow;
            }
            self.meter.count_reserved(reservation, 0);
        }
        self.singles_left = self.singles_left.saturating_sub(1);
        let flow = self.search_depth_first(item, &root);
        self.meter.count_nodes(self.result.nodes - nodes_before);
        flow
    }

    /// Searches the next item, or a group of items that begins with it, in a batch.
    fn search_in_batch(&mut self, item: WorkItem, root: &Root) -> ControlFlow<()> {
        if self.singles_left > 0 {
            return self.search_single(item, root);
        }
        self.stack.push(item);
        self.search_group();
        Continue(())
    }

    /// The root of an item; `None` if it is not within the bound.
    fn root(&mut self, item: &WorkItem) -> Option<Root> {
        let (cells, blank) = replay(self.search.starts[usize::from(item.subtree.root)], &item.subtree.path);
        let distance = self.search.evaluator.distance(cells);
        let f = item.subtree.path.len() as Cost + distance;
        // A goal that is not a start state was recorded when it was reached; another solution through it
        // costs at least one move more.
        let least_cost = if distance == 0 && !item.subtree.path.is_empty() { f + 1 } else { f };
        if least_cost > self.bound {
            self.result.next_bound = self.result.next_bound.min(least_cost);
            return None;
        }
        Some(Root { node: ManhattanNode { cells, slack: i64::from(self.bound - f) }, blank, distance })
    }

    /// Records a solution; breaks if it ends the pass.
    fn record_solution(&mut self, path: Vec<Move>) -> ControlFlow<()> {
        self.result.found.push(path);
        // After a goal the generic depth-first search enters each remaining subtree anew and counts its root
        // as expanded a second time. The counts must be equal, so these roots are counted again.
        self.stack.iter_mut().for_each(|item| item.unexpanded = true);
        if self.search.mode.stops_at_first() { Break(()) } else { Continue(()) }
    }

    /// Counts `nodes` generated nodes, of which `visited` are within the bound; the others are pruned.
    fn count(&mut self, nodes: u64, visited: u64, root: &Root) {
        self.result.nodes += nodes;
        if nodes > visited {
            // A step reduces the slack by 0 or 2, so a pruned node exceeds the bound by 2 (even slack) or 1
            // (odd).
            let next = self.bound.saturating_add(2 - (root.node.slack % 2) as Cost);
            self.result.next_bound = self.result.next_bound.min(next);
        }
    }

    /// Searches an item depth-first, as far as the meter allows.
    fn search_depth_first(&mut self, item: WorkItem, root: &Root) -> ControlFlow<()> {
        let WorkItem { subtree, unexpanded } = item;
        let nodes_left = self.meter.nodes_until_check() as i64;
        let budget = self.dfs.search(
            root.blank,
            root.node,
            MoveSet::narrow(subtree.untried),
            NodeBudget::new(nodes_left),
        );
        let (nodes, expanded) = budget.spent(nodes_left);
        let interruption = self.dfs.interruption.take();
        // All visited nodes are expanded, except the last one of an interrupted search: the goal or the node
        // where it paused. The root is expanded but is not below itself.
        self.count(nodes as u64, expanded - 1 + u64::from(interruption.is_some()), root);
        self.result.expanded += expanded - u64::from(!unexpanded);
        let Some(interruption) = interruption else { return Continue(()) };
        let path: Vec<Move> = subtree.path.iter().chain(self.dfs.path.iter().rev()).copied().collect();
        let interrupted_depth = path.len();
        let flow =
            if interruption == Interruption::Found { self.record_solution(path) } else { Continue(()) };
        let items = self.dfs.take_unsearched(&subtree).into_iter().map(|subtree| {
            let unexpanded = interruption == Interruption::Found || subtree.path.len() == interrupted_depth;
            WorkItem { subtree, unexpanded }
        });
        self.stack.extend(items);
        flow
    }

    /// Splits the first child of an item off into an item of its own.
    fn split(&mut self, mut item: WorkItem, root: &Root) {
        let Some(m) = item.subtree.untried.pop() else { return };
        self.count(1, 1, root);
        self.result.expanded += u64::from(item.unexpanded);
        let mut path = item.subtree.path.clone();
        path.push(m);
        let blank = blank_cell::neighbours(root.blank)[m.index()].unwrap_or(root.blank);
        let subtree =
            Subtree { root: item.subtree.root, path, untried: blank_cell::moves(blank, m.index()).into() };
        if !item.subtree.untried.is_empty() {
            self.stack.push(WorkItem { unexpanded: false, ..item });
        }
        self.stack.push(WorkItem::unexpanded(subtree));
    }

    /// Adds the children of an item's root to the next batch; returns the number of children within the
    /// bound.
    fn add_to_batch(&mut self, item: &WorkItem, root: &Root) -> u64 {
        let batch = self.batch.get_or_insert_with(|| BatchSearch::new(&self.search.evaluator.batch_tables));
        let mut visited = 0;
        for m in item.subtree.untried {
            let Some(from) = blank_cell::neighbours(root.blank)[m.index()] else { continue };
            if let Some(child) = self.search.evaluator.step(root.node, from, root.blank, m.index()) {
                batch.add(child.cells, from, child.slack as usize, m);
                visited += 1;
            }
        }
        visited
    }

    /// Counts the children of an item that was added to a batch.
    fn count_added(&mut self, item: &WorkItem, root: &Root, visited: u64) {
        self.count(item.subtree.untried.len() as u64, visited, root);
        self.result.expanded += u64::from(item.unexpanded);
    }

    /// Searches the `added` nodes, whose slack has the parity of `root`'s, and counts the nodes below them.
    fn run_batch(&mut self, added: u64, root: &Root) -> Result<(), Abandoned> {
        let Some(batch) = &mut self.batch else { return Ok(()) };
        let BatchCounts { nodes, expanded } = batch.run()?;
        if self.result.nodes + nodes > self.max_batch_nodes {
            return Err(Abandoned::NodeLimit);
        }
        self.count(nodes, expanded - added, root);
        self.result.expanded += expanded;
        Ok(())
    }

    /// Searches one item in a batch; splits it if it is too large, searches it depth-first if it contains
    /// the goal or exceeds the node limit.
    fn search_single(&mut self, item: WorkItem, root: &Root) -> ControlFlow<()> {
        if root.log2_nodes() > MAX_BATCH_LOG2 {
            self.split(item, root);
            return Continue(());
        }
        let added = self.add_to_batch(&item, root);
        match self.run_batch(added, root) {
            Err(Abandoned::TooLarge) => {
                self.split(item, root);
                return Continue(());
            }
            Err(Abandoned::Goal | Abandoned::NodeLimit) => {
                self.singles_left -= 1;
                return self.search_depth_first(item, root);
            }
            Ok(()) => self.count_added(&item, root, added),
        }
        self.singles_left -= 1;
        Continue(())
    }

    /// Searches the next items in one batch. If the batch is abandoned, the state before the call is
    /// restored.
    fn search_group(&mut self) {
        let saved = (self.stack.clone(), self.result.nodes, self.result.expanded, self.result.next_bound);
        let (mut items, mut estimated_nodes, mut added) = (0, 0, 0);
        let mut first: Option<Root> = None;
        while items < GROUP_ITEMS && estimated_nodes < GROUP_NODES {
            let Some(item) = self.stack.pop() else { break };
            let Some(root) = self.root(&item) else { continue };
            let odd = |root: &Root| root.node.slack % 2 == 1;
            if root.is_near_goal() || first.as_ref().is_some_and(|first| odd(first) != odd(&root)) {
                self.stack.push(item);
                break;
            }
            if root.log2_nodes() > MAX_BATCH_LOG2 {
                self.split(item, &root);
                continue;
            }
            let visited = self.add_to_batch(&item, &root);
            self.count_added(&item, &root, visited);
            (items, added) = (items + 1, added + visited);
            estimated_nodes += 1 << root.log2_nodes();
            first.get_or_insert(root);
        }
        let Some(first) = first else { return };
        if self.run_batch(added, &first).is_err() {
            (self.stack, self.result.nodes, self.result.expanded, self.result.next_bound) = saved;
            self.singles_left = items;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::tiles::{Goal, Size, Tiles};
    use untumble_search::bounded_dfs::{BoundedDfs, SolutionMode};
    use untumble_search::control::{Control, Limits, Silent};
    use untumble_search::puzzle::Puzzle;

    #[test]
    fn batches_are_used_until_the_node_limit_is_near() {
        if !BatchSearch::is_available() {
            return;
        }
        let goal = Goal::named(Size { rows: 4, columns: 4 }, "blank-first").expect("a known goal");
        let tiles: Tiles<u64> = Tiles::new(goal);
        let evaluator = ManhattanSlack::new(tiles.goal(), tiles.solved().cells);
        // Korf's instance 1 in the pass before last: about ten million nodes without a solution.
        let board = tiles.board(&[14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3]);
        let search =
            ManhattanDfs { evaluator: &evaluator, starts: vec![board.cells], mode: SolutionMode::First };
        for (nodes, uses_batches) in [(None, true), (Some(4_000_000), true), (Some(200_000), false)] {
            let control = Control::new(Limits { nodes, ..Limits::default() }, Arc::new(Silent));
            let mut meter = control.meter();
            let mut pass = Pass::new(&search, search.roots(), 53, &mut meter);
            while pass.search_next().is_continue() {}
            assert_eq!(pass.batch.is_some(), uses_batches, "limit {nodes:?}");
            let spent = pass.result.nodes;
            if let Some(nodes) = nodes {
                assert!((nodes..nodes + 20).contains(&spent), "{spent} of {nodes} nodes");
            }
        }
    }
}
