//! Depth-first search of one subtree, compiled once for every cell of the blank and every last move.
//!
//! A [`NodeEvaluator`] defines the contents of a node and the evaluation of a move. This module defines the
//! move order and the node counts, and it reconstructs the path and the untried moves after a solution or a
//! pause. The search stores no path; the path is collected while the recursion unwinds.

use untumble_search::bounded_dfs::Subtree;
use untumble_search::moves::{Move, MoveSet};

use super::blank_cell::{self, BlankCell, moves};

/// The contents of a node and the evaluation of a step.
pub(super) trait NodeEvaluator: Send + Sync {
    /// A node; one or two machine words.
    type Node: Copy;

    /// The child after move `m` slides the tile in cell `from` to the blank in cell `to`; `None` if its f
    /// exceeds the bound. The hot loop passes constants for `from`, `to` and `m`, so that the compiler folds
    /// the look-ups.
    fn step(&self, node: Self::Node, from: usize, to: usize, m: usize) -> Option<Self::Node>;

    /// Whether the node is a goal.
    fn is_goal(&self, node: Self::Node) -> bool;
}

/// The number of nodes that may still be generated (upper bits) and the number of expanded nodes (lower 22
/// bits) in one word: one addition counts a node, and a negative word means that the search must unwind.
#[derive(Clone, Copy)]
pub(super) struct NodeBudget(i64);

impl NodeBudget {
    const SHIFT: u32 = 22;
    /// Subtracted to interrupt the search; far larger than any budget.
    const INTERRUPTED: i64 = 1 << 60;
    /// The largest budget. Fewer nodes are expanded than generated, so the lower bits cannot overflow.
    pub(super) const MAX_NODES: i64 = 1 << (Self::SHIFT - 1);

    /// A budget of `nodes`, plus 2: a node may be expanded while one node of the budget is left, and its
    /// children, at most 3, may then exceed the budget by 2.
    pub(super) fn new(nodes: i64) -> NodeBudget {
        NodeBudget((nodes.clamp(1, Self::MAX_NODES) + 2) << Self::SHIFT)
    }

    /// The numbers of generated and of expanded nodes since `NodeBudget::new(nodes)`.
    pub(super) fn spent(self, nodes: i64) -> (i64, u64) {
        let spent = NodeBudget::new(nodes).0 - self.0;
        let expanded = -spent & ((1 << Self::SHIFT) - 1);
        ((spent + expanded) >> Self::SHIFT, expanded as u64)
    }

    /// Counts one expanded node and its generated children.
    #[inline(always)]
    fn expand(self, children: usize) -> NodeBudget {
        NodeBudget(self.0 + 1 - ((children as i64) << Self::SHIFT))
    }

    /// Takes back children that were counted but not generated.
    #[inline(always)]
    fn refund(self, children: usize) -> NodeBudget {
        NodeBudget(self.0 + ((children as i64) << Self::SHIFT))
    }

    #[inline(always)]
    fn interrupted(self) -> bool {
        self.0 < 0
    }
}

/// The reason why a search ended before its subtree was exhausted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Interruption {
    /// It reached a goal.
    Found,
    /// The node budget is used up.
    Paused,
}

/// A depth-first search and the results that it leaves behind.
pub(super) struct DepthFirst<'a, E: NodeEvaluator> {
    pub(super) evaluator: &'a E,
    pub(super) interruption: Option<Interruption>,
    /// After an interruption: the path from the root of the subtree, last move first.
    pub(super) path: Vec<Move>,
    /// After an interruption: for each node on the path, deepest first, its height above the deepest node
    /// and its untried moves.
    pub(super) untried: Vec<(usize, MoveSet)>,
}

impl<'a, E: NodeEvaluator> DepthFirst<'a, E> {
    pub(super) fn new(evaluator: &'a E) -> DepthFirst<'a, E> {
        DepthFirst { evaluator, interruption: None, path: Vec::new(), untried: Vec::new() }
    }

    /// Searches the children `untried` of a node with the blank in cell `blank`.
    pub(super) fn search(
        &mut self,
        blank: usize,
        node: E::Node,
        untried: MoveSet,
        budget: NodeBudget,
    ) -> NodeBudget {
        macro_rules! dispatch {
            ($($name:ident)*) => {
                match blank {
                    $(
                        blank_cell::$name::CELL => {
                            search_children::<E, blank_cell::$name>(self, node, untried, budget)
                        }
                    )*
                    _ => unreachable!("a 4×4 board has sixteen cells"),
                }
            };
        }
        let budget = dispatch!(C0 C1 C2 C3 C4 C5 C6 C7 C8 C9 C10 C11 C12 C13 C14 C15);
        if self.interruption.is_some() { NodeBudget(budget.0 + NodeBudget::INTERRUPTED) } else { budget }
    }

    /// Removes and returns the unsearched subtrees of `tree` after an interruption, shallowest first.
    pub(super) fn take_unsearched(&mut self, tree: &Subtree) -> Vec<Subtree> {
        let mut path = std::mem::take(&mut self.path);
        path.extend(tree.path.iter().rev());
        path.reverse();
        let length = path.len();
        let nodes = self.untried.drain(..).rev().filter(|(_, untried)| !untried.is_empty());
        let subtree = |(height, untried): (usize, MoveSet)| Subtree {
            root: tree.root,
            path: path[..length - height].to_vec(),
            untried: untried.into(),
        };
        nodes.map(subtree).collect()
    }

    /// Interrupts the search at the current node: a negative budget makes the recursion unwind.
    #[cold]
    #[inline(never)]
    fn interrupt(&mut self, interruption: Interruption, budget: NodeBudget, untried: MoveSet) -> NodeBudget {
        self.interruption = Some(interruption);
        self.untried.push((0, untried));
        NodeBudget(budget.0 - NodeBudget::INTERRUPTED)
    }

    /// Records a node of the path while unwinding and refunds its untried children, which were not
    /// generated.
    #[cold]
    #[inline(never)]
    fn unwind(&mut self, m: usize, untried: MoveSet, budget: NodeBudget) -> NodeBudget {
        self.path.push(Move(m as u8));
        self.untried.push((self.path.len(), untried));
        budget.refund(untried.len())
    }
}

/// The moves of `set` that follow `m` in move order.
const fn moves_after(set: MoveSet, m: usize) -> MoveSet {
    let mut later_moves = set;
    let mut removed = 0;
    while removed <= m {
        later_moves = later_moves.without(Move(removed as u8));
        removed += 1;
    }
    later_moves
}

/// Generates the child by one move, if the move is in the set, and searches it if it is within the bound.
macro_rules! try_move {
    ($dfs:ident, $node:ident, $budget:ident, $moves:expr, $direction:ident, $m:literal) => {
        if $moves.contains(Move($m))
            && let Some(child) = $dfs.evaluator.step($node, B::$direction::CELL, B::CELL, $m)
        {
            $budget = visit::<E, B::$direction, $m>($dfs, child, $budget);
            if $budget.interrupted() {
                return $dfs.unwind($m, moves_after($moves, $m), $budget);
            }
        }
    };
}

/// Expands a node, restricted to the moves in `untried`.
fn search_children<E: NodeEvaluator, B: BlankCell>(
    dfs: &mut DepthFirst<'_, E>,
    node: E::Node,
    untried: MoveSet,
    budget: NodeBudget,
) -> NodeBudget {
    let mut budget = budget.expand(untried.len());
    try_move!(dfs, node, budget, untried, Up, 0);
    try_move!(dfs, node, budget, untried, Left, 1);
    try_move!(dfs, node, budget, untried, Right, 2);
    try_move!(dfs, node, budget, untried, Down, 3);
    budget
}

/// Searches a node within the bound that move `LAST` generated.
fn visit<E: NodeEvaluator, B: BlankCell, const LAST: usize>(
    dfs: &mut DepthFirst<'_, E>,
    node: E::Node,
    budget: NodeBudget,
) -> NodeBudget {
    if dfs.evaluator.is_goal(node) {
        return dfs.interrupt(Interruption::Found, budget, MoveSet::EMPTY);
    }
    let allowed = const { moves(B::CELL, LAST) };
    let unspent = budget;
    let mut budget = budget.expand(allowed.len());
    if budget.interrupted() {
        return dfs.interrupt(Interruption::Paused, unspent, allowed);
    }
    try_move!(dfs, node, budget, allowed, Up, 0);
    try_move!(dfs, node, budget, allowed, Left, 1);
    try_move!(dfs, node, budget, allowed, Right, 2);
    try_move!(dfs, node, budget, allowed, Down, 3);
    budget
}
