//! The depth-first search, compiled once for every cell of the gap and every last move.
//!
//! What a node carries and how a step is priced is a [`Pricing`]; everything else, the
//! order of moves, the counting, the way up from a goal or a pause, is here.

use untumble_search::bounded_dfs::Subtree;
use untumble_search::moves::{Move, MoveSet};

use super::cell::{self, Cell, moves};

/// What a node carries, and what a step does to it.
pub(super) trait Pricing: Send + Sync {
    /// A word or two.
    type Node: Copy;

    /// The node after the tile in cell `from` slid to the gap in cell `to` by move
    /// number `m`, or nothing if that exceeds the bound. All three are constants where it counts.
    fn step(&self, node: Self::Node, from: usize, to: usize, m: usize) -> Option<Self::Node>;

    /// Whether the node is the goal.
    fn solved(&self, node: Self::Node) -> bool;
}

/// How many nodes may still be generated, and how many were expanded, in one word:
/// a node is counted by one addition, and the sign tells when to stop.
#[derive(Clone, Copy)]
pub(super) struct Purse(i64);

impl Purse {
    const SHIFT: u32 = 22;
    /// Far below what any spending leads to.
    const ENDED: i64 = 1 << 60;
    /// The most nodes it holds: expanded nodes are fewer and must not reach the others.
    pub(super) const MOST: i64 = 1 << (Self::SHIFT - 1);

    /// A purse of `nodes`. A node is expanded where at least one is left, and has up to three children.
    pub(super) fn new(nodes: i64) -> Purse {
        Purse((nodes.clamp(1, Self::MOST) + 2) << Self::SHIFT)
    }

    /// What was spent of `nodes` and how many nodes were expanded.
    pub(super) fn spent(self, nodes: i64) -> (i64, u64) {
        let spent = Purse::new(nodes).0 - self.0;
        let expanded = -spent & ((1 << Self::SHIFT) - 1);
        ((spent + expanded) >> Self::SHIFT, expanded as u64)
    }

    #[inline(always)]
    fn expand(self, children: usize) -> Purse {
        Purse(self.0 + 1 - ((children as i64) << Self::SHIFT))
    }

    #[inline(always)]
    fn refund(self, children: usize) -> Purse {
        Purse(self.0 + ((children as i64) << Self::SHIFT))
    }

    #[inline(always)]
    fn ended(self) -> bool {
        self.0 < 0
    }
}

/// How a descent ended before it was done.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// At a goal.
    Found,
    /// With the purse empty.
    Paused,
}

/// One descent and what it leaves behind.
pub(super) struct Descent<'a, P: Pricing> {
    pub(super) pricing: &'a P,
    pub(super) end: Option<End>,
    /// The way down, last move first: filled while unwinding, so that the
    /// descent itself keeps no path.
    pub(super) path: Vec<Move>,
    /// While unwinding: how long `path` was at a node, and its untried moves.
    pub(super) untried: Vec<(usize, MoveSet)>,
}

impl<'a, P: Pricing> Descent<'a, P> {
    pub(super) fn new(pricing: &'a P) -> Descent<'a, P> {
        Descent { pricing, end: None, path: Vec::new(), untried: Vec::new() }
    }

    /// Searches the children `untried` of a node with the gap in cell `gap`.
    pub(super) fn enter(&mut self, gap: usize, node: P::Node, untried: MoveSet, purse: Purse) -> Purse {
        macro_rules! at {
            ($($name:ident)*) => {
                match gap {
                    $(cell::$name::CELL => some::<P, cell::$name>(self, node, untried, purse),)*
                    _ => unreachable!("a board has sixteen cells"),
                }
            };
        }
        let purse = at!(C0 C1 C2 C3 C4 C5 C6 C7 C8 C9 C10 C11 C12 C13 C14 C15);
        if self.end.is_some() { Purse(purse.0 + Purse::ENDED) } else { purse }
    }

    /// What was left untried below `tree`, shallowest first.
    pub(super) fn unwound(&mut self, tree: &Subtree) -> Vec<Subtree> {
        let mut path = std::mem::take(&mut self.path);
        path.extend(tree.path.iter().rev());
        path.reverse();
        let length = path.len();
        let left = self.untried.drain(..).rev().filter(|(_, untried)| !untried.is_empty());
        let subtree = |(below, untried): (usize, MoveSet)| Subtree {
            root: tree.root,
            path: path[..length - below].to_vec(),
            untried: untried.into(),
        };
        left.map(subtree).collect()
    }

    #[cold]
    #[inline(never)]
    fn finish(&mut self, end: End, purse: Purse, untried: MoveSet) -> Purse {
        self.end = Some(end);
        self.untried.push((0, untried));
        Purse(purse.0 - Purse::ENDED)
    }

    /// On the way up past a node: the children not tried were not generated.
    #[cold]
    #[inline(never)]
    fn unwind(&mut self, m: usize, untried: MoveSet, purse: Purse) -> Purse {
        self.path.push(Move(m as u8));
        self.untried.push((self.path.len(), untried));
        purse.refund(untried.len())
    }
}

/// The moves of a set after `m`.
const fn after(set: MoveSet, m: usize) -> MoveSet {
    let mut rest = set;
    let mut gone = 0;
    while gone <= m {
        rest = rest.without(Move(gone as u8));
        gone += 1;
    }
    rest
}

/// Tries one move where the rules have it, and goes on below.
macro_rules! try_move {
    ($descent:ident, $node:ident, $purse:ident, $moves:expr, $way:ident, $m:literal) => {
        if $moves.contains(Move($m))
            && let Some(child) = $descent.pricing.step($node, G::$way::CELL, G::CELL, $m)
        {
            $purse = visit::<P, G::$way, $m>($descent, child, $purse);
            if $purse.ended() {
                return $descent.unwind($m, after($moves, $m), $purse);
            }
        }
    };
}

/// Searches some children of a node.
fn some<P: Pricing, G: Cell>(
    descent: &mut Descent<'_, P>,
    node: P::Node,
    untried: MoveSet,
    purse: Purse,
) -> Purse {
    let mut purse = purse.expand(untried.len());
    try_move!(descent, node, purse, untried, Up, 0);
    try_move!(descent, node, purse, untried, Left, 1);
    try_move!(descent, node, purse, untried, Right, 2);
    try_move!(descent, node, purse, untried, Down, 3);
    purse
}

/// Searches a node within the bound to which move `LAST` led.
fn visit<P: Pricing, G: Cell, const LAST: usize>(
    descent: &mut Descent<'_, P>,
    node: P::Node,
    purse: Purse,
) -> Purse {
    if descent.pricing.solved(node) {
        return descent.finish(End::Found, purse, MoveSet::EMPTY);
    }
    let all = const { moves(G::CELL, LAST) };
    let before = purse;
    let mut purse = purse.expand(all.len());
    if purse.ended() {
        return descent.finish(End::Paused, before, all);
    }
    try_move!(descent, node, purse, all, Up, 0);
    try_move!(descent, node, purse, all, Left, 1);
    try_move!(descent, node, purse, all, Right, 2);
    try_move!(descent, node, purse, all, Down, 3);
    purse
}
