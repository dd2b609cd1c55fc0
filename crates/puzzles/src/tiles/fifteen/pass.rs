//! One pass: which part of the tree is searched next, and how.
//!
//! What counts is the order of a depth-first search, and the speed of a sweep. So parts that are too large for
//! a sweep are split, those that follow one another are swept together, and if the goal is
//! among them they are searched again, one by one, until the descent finds it in its place.

use std::ops::ControlFlow::{self, Break, Continue};

use untumble_search::bounded_dfs::{PassResult, Subtree};
use untumble_search::control::Meter;
use untumble_search::moves::{Move, MoveMask, MoveSet};
use untumble_search::puzzle::Cost;

use super::descent::{Descent, End, Pricing, Purse};
use super::slack::{Node, Slack};
use super::sweep::{GivenUp, LEVELS, Sweep, Swept};
use super::{Cells, Fifteen, cell};

/// Searches `trees` in order, as [`untumble_search::bounded_dfs::BoundedDfs::probe`] demands.
pub(super) fn run(
    fifteen: &Fifteen<'_>,
    trees: Vec<Subtree>,
    bound: Cost,
    meter: &mut Meter<'_>,
) -> PassResult {
    // Sweeps cannot be cut where a node limit falls.
    let sweeps = meter.control().limits().nodes.is_none() && Sweep::possible();
    let mut pass = Pass {
        fifteen,
        bound,
        meter,
        sweeps,
        sweep: None,
        alone: 0,
        descent: Descent::new(fifteen.slack),
        todo: trees.into_iter().rev().map(Part::fresh).collect(),
        probed: PassResult::nothing(),
    };
    while pass.round().is_continue() {}
    pass.probed.rest = pass.todo.into_iter().rev().map(|part| part.tree).collect();
    pass.probed
}

/// The board after `path`, and the gap's cell.
fn walk(start: u64, path: &[Move]) -> (u64, usize) {
    path.iter().fold((start, start.gap()), |(cells, gap), m| match cell::neighbours(gap)[m.index()] {
        Some(from) => (cells.slide(from, gap), from),
        None => unreachable!("paths are legal"),
    })
}

/// A part of the tree, and whether entering it expands its node; not if it is the rest
/// of a node that was expanded before.
#[derive(Clone)]
struct Part {
    tree: Subtree,
    fresh: bool,
}

impl Part {
    fn fresh(tree: Subtree) -> Part {
        Part { tree, fresh: true }
    }
}

/// The node a part begins with.
struct Root {
    node: Node,
    gap: usize,
    distance: Cost,
}

/// Parts of fewer nodes are not worth a sweep of their own, and those of more are too much for one; as powers of two.
const LARGE: Cost = 12;
const TOO_LARGE: Cost = 16;
/// Parts are swept together until they have so many nodes or are so many.
const GROUP_NODES: u64 = 1 << 18;
const GROUP_PARTS: usize = 256;

// What a sweep has no stack for is too large for it.
const _: () = assert!(power(LEVELS as Cost, 0) > TOO_LARGE);

/// About how many nodes there are below a root, as a power of two: fitted to the means of Korf's
/// instances, right within a factor of 4 in most cases.
const fn power(level: Cost, distance: Cost) -> Cost {
    (11 * level + 2 * distance).saturating_sub(37) / 5
}

impl Root {
    fn power(&self) -> Cost {
        power((self.node.slack / 2) as Cost, self.distance)
    }

    /// Whether a child may be the goal, which only the descent knows how to treat.
    fn near(&self) -> bool {
        self.distance <= 1
    }
}

struct Pass<'a, 'm, 'c> {
    fifteen: &'a Fifteen<'a>,
    bound: Cost,
    meter: &'m mut Meter<'c>,
    /// Whether there are sweeps.
    sweeps: bool,
    sweep: Option<Sweep<'a>>,
    /// So many parts have to be searched one by one.
    alone: usize,
    descent: Descent<'a, Slack>,
    /// What is left to do, in the order of the search from the end.
    todo: Vec<Part>,
    probed: PassResult,
}

impl Pass<'_, '_, '_> {
    fn round(&mut self) -> ControlFlow<()> {
        let Some(part) = self.todo.pop() else { return Break(()) };
        let Some(root) = self.root(&part) else { return Continue(()) };
        if part.tree.path.is_empty() && root.distance == 0 {
            return self.found(Vec::new());
        }
        if self.meter.check().is_break() {
            if !part.tree.untried.is_empty() {
                self.todo.push(part);
            }
            return Break(());
        }
        let before = self.probed.nodes;
        let flow = if !self.sweeps || root.near() || root.power() < LARGE {
            self.alone = self.alone.saturating_sub(1);
            self.descend(part, &root)
        } else if self.alone > 0 {
            self.single(part, &root)
        } else {
            self.todo.push(part);
            self.group();
            Continue(())
        };
        self.meter.spend(self.probed.nodes - before);
        flow
    }

    /// The node a part begins with, if it is within the bound.
    fn root(&mut self, part: &Part) -> Option<Root> {
        let (cells, gap) = walk(self.fifteen.starts[usize::from(part.tree.root)], &part.tree.path);
        let distance = self.fifteen.slack.distance(cells);
        let mut least = part.tree.path.len() as Cost + distance;
        if distance == 0 && !part.tree.path.is_empty() {
            // Whoever wants to go on from a goal has at least one move to make.
            least += 1;
        }
        if least > self.bound {
            self.probed.next = self.probed.next.min(least);
            return None;
        }
        let spent = part.tree.path.len() as Cost + distance;
        Some(Root { node: Node { cells, slack: i64::from(self.bound - spent) }, gap, distance })
    }

    fn found(&mut self, path: Vec<Move>) -> ControlFlow<()> {
        self.probed.found.push(path);
        // Whoever searches on after a goal begins anew with every part.
        self.todo.iter_mut().for_each(|part| part.fresh = true);
        if self.fifteen.mode.stops_at_first() { Break(()) } else { Continue(()) }
    }

    /// Counts children, and those of them that were visited; the others are pruned.
    fn count(&mut self, nodes: u64, visited: u64, root: &Root) {
        self.probed.nodes += nodes;
        if nodes > visited {
            // A step costs 0 or 2, so the first one too many leads from 0 or 1 to 2 or 1 beyond the bound.
            let next = self.bound.saturating_add(2 - (root.node.slack % 2) as Cost);
            self.probed.next = self.probed.next.min(next);
        }
    }

    /// Searches a part in order, as far as the meter allows.
    fn descend(&mut self, part: Part, root: &Root) -> ControlFlow<()> {
        let Part { tree, fresh } = part;
        let allowance = self.meter.left() as i64;
        let purse =
            self.descent.enter(root.gap, root.node, MoveSet::narrow(tree.untried), Purse::new(allowance));
        let (nodes, expanded) = purse.spent(allowance);
        let end = self.descent.end.take();
        // Below the root, a node was expanded, is the goal, or waits for the next purse.
        self.count(nodes as u64, expanded - 1 + u64::from(end.is_some()), root);
        self.probed.expanded += expanded - u64::from(!fresh);
        let Some(end) = end else { return Continue(()) };
        let path: Vec<Move> = tree.path.iter().chain(self.descent.path.iter().rev()).copied().collect();
        let deepest = path.len();
        let flow = if end == End::Found { self.found(path) } else { Continue(()) };
        let parts = self.descent.unwound(&tree).into_iter().map(|tree| {
            let fresh = end == End::Found || tree.path.len() == deepest;
            Part { tree, fresh }
        });
        self.todo.extend(parts);
        flow
    }

    /// Makes the first child of a part a part of its own.
    fn split(&mut self, mut part: Part, root: &Root) {
        let Some(m) = part.tree.untried.pop() else { return };
        self.count(1, 1, root);
        self.probed.expanded += u64::from(part.fresh);
        let mut path = part.tree.path.clone();
        path.push(m);
        let gap = cell::neighbours(root.gap)[m.index()].unwrap_or(root.gap);
        let tree = Subtree { root: part.tree.root, path, untried: cell::moves(gap, m.index()).into() };
        if !part.tree.untried.is_empty() {
            self.todo.push(Part { fresh: false, ..part });
        }
        self.todo.push(Part::fresh(tree));
    }

    /// Adds a part to the next sweep and tells how many of its children were within the bound.
    fn add(&mut self, part: &Part, root: &Root) -> u64 {
        let sweep = self.sweep.get_or_insert_with(|| Sweep::new(&self.fifteen.slack.steps));
        let mut visited = 0;
        for m in part.tree.untried {
            let Some(from) = cell::neighbours(root.gap)[m.index()] else { continue };
            if let Some(child) = self.fifteen.slack.step(root.node, from, root.gap, m.index()) {
                sweep.add(child.cells, from, child.slack as usize, m);
                visited += 1;
            }
        }
        visited
    }

    /// Counts the children of a part that was added.
    fn count_added(&mut self, part: &Part, root: &Root, visited: u64) {
        self.count(part.tree.untried.len() as u64, visited, root);
        self.probed.expanded += u64::from(part.fresh);
    }

    /// Sweeps the `added` nodes, of the parity of `root`, and counts what is below them.
    fn sweep(&mut self, added: u64, root: &Root) -> Result<(), GivenUp> {
        let Some(sweep) = &mut self.sweep else { return Ok(()) };
        let Swept { nodes, expanded } = sweep.run()?;
        self.count(nodes, expanded - added, root);
        self.probed.expanded += expanded;
        Ok(())
    }

    /// Sweeps one part, or splits it if it is too large. Where the goal is in it, the order counts.
    fn single(&mut self, part: Part, root: &Root) -> ControlFlow<()> {
        if root.power() > TOO_LARGE {
            self.split(part, root);
            return Continue(());
        }
        let added = self.add(&part, root);
        match self.sweep(added, root) {
            Err(GivenUp::TooMuch) => {
                self.split(part, root);
                return Continue(());
            }
            Err(GivenUp::Goal) => {
                self.alone -= 1;
                return self.descend(part, root);
            }
            Ok(()) => self.count_added(&part, root, added),
        }
        self.alone -= 1;
        Continue(())
    }

    /// Sweeps the next parts together. If that is given up, nothing has happened.
    fn group(&mut self) {
        let before = (self.todo.clone(), self.probed.nodes, self.probed.expanded, self.probed.next);
        let (mut parts, mut size, mut added) = (0, 0, 0);
        let mut first: Option<Root> = None;
        while parts < GROUP_PARTS && size < GROUP_NODES {
            let Some(part) = self.todo.pop() else { break };
            let Some(root) = self.root(&part) else { continue };
            let odd = |root: &Root| root.node.slack % 2 == 1;
            if root.near() || first.as_ref().is_some_and(|first| odd(first) != odd(&root)) {
                self.todo.push(part);
                break;
            }
            if root.power() > TOO_LARGE {
                self.split(part, &root);
                continue;
            }
            let visited = self.add(&part, &root);
            self.count_added(&part, &root, visited);
            (parts, size, added) = (parts + 1, size + (1 << root.power()), added + visited);
            first.get_or_insert(root);
        }
        let Some(first) = first else { return };
        if self.sweep(added, &first).is_err() {
            (self.todo, self.probed.nodes, self.probed.expanded, self.probed.next) = before;
            self.alone = parts;
        }
    }
}
