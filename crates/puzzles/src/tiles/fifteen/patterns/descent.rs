//! The depth-first search, compiled once for every cell of the gap.
//!
//! It is not the descent of Manhattan distance: the moves to try come from the automaton of words, a node's bound may be
//! raised by its children's, and where nodes run out it looks up without losing what it knows about the
//! nodes above, so that pieces of time leave no trace in the counts.

use untumble_search::bounded_dfs::{PassResult, Subtree};
use untumble_search::control::Meter;
use untumble_search::moves::{Move, MoveSet};
use untumble_search::puzzle::Cost;

use super::super::cell::{self, Cell, neighbours};
use super::super::descent::End;
use super::Position;
use super::reader::{Layouts, Node, Reader};
use super::trails::{LEFT_OUT, Trails, Ways};
use crate::tiles::Cells;

/// Searches `trees` in order, as [`untumble_search::bounded_dfs::BoundedDfs::probe`] demands.
pub(super) fn run<L: Layouts, const RAISE: bool>(
    position: &Position<'_>,
    trees: Vec<Subtree>,
    bound: Cost,
    meter: &mut Meter<'_>,
) -> PassResult {
    let before = meter.nodes();
    let mut descent = Descent {
        reader: &position.reader,
        trails: position.trails(),
        meter,
        expanded: 0,
        granted: 0,
        closest: i64::MIN,
        excess: Cost::MAX,
        end: None,
        path: Vec::new(),
        untried: Vec::new(),
    };
    let mut probed = PassResult::nothing();
    let mut todo = trees;
    todo.reverse();
    while let Some(tree) = todo.pop() {
        let start = position.starts[usize::from(tree.root)].cells;
        let Some(end) = descent.enter::<L, RAISE>(&tree, start, bound) else { continue };
        let rest = descent.unwound(&tree);
        if end == End::Found {
            probed.found.push(tree.path.iter().chain(descent.path.iter().rev()).copied().collect());
        }
        descent.path.clear();
        // The deepest part comes last here and is searched first, as if nothing had happened.
        todo.extend(rest);
        if end == End::Paused || position.mode.stops_at_first() {
            break;
        }
    }
    todo.reverse();
    probed.rest = todo;
    probed.expanded = descent.expanded;
    probed.next = bound.saturating_add(descent.excess);
    probed.nodes = meter.nodes() - before;
    probed
}

/// How many nodes may still be generated, and how many were expanded, in one word.
#[derive(Clone, Copy)]
struct Allowance(i64);

impl Allowance {
    const SHIFT: u32 = 22;
    const NODE: i64 = 1 << Self::SHIFT;
    /// What is left of one used up: only who expands a node looks whether it is used up, and on the way up from there every
    /// node may have children left that are pruned. So one below 0 is one that has ended, and nothing else.
    const RESERVE: i64 = 1 << (Self::SHIFT + 20);
    /// Far below what any spending leads to.
    const ENDED: i64 = 1 << 60;
    /// The most nodes it holds: expanded nodes are fewer and must not reach the others.
    const MOST: u64 = 1 << (Self::SHIFT - 1);

    #[inline(always)]
    fn used_up(self) -> bool {
        self.0 < Self::RESERVE + Self::NODE
    }

    #[inline(always)]
    fn tick(&mut self) {
        self.0 -= Self::NODE;
    }

    #[inline(always)]
    fn expand(&mut self) {
        self.0 += 1;
    }

    #[inline(always)]
    fn ended(self) -> bool {
        self.0 < 0
    }
}

struct Descent<'a, 'm, 'c> {
    reader: &'a Reader<'a>,
    trails: &'a Trails,
    meter: &'m mut Meter<'c>,
    expanded: u64,
    /// The allowance at first.
    granted: i64,
    /// The most that a pruned node of the tree under way may spare; less than nothing.
    closest: i64,
    /// How far the cheapest pruned node exceeds the bound.
    excess: Cost,
    end: Option<End>,
    /// The way down, last move first: filled while unwinding, so that the
    /// descent itself keeps no path.
    path: Vec<Move>,
    /// While unwinding: how long `path` was at a node, and its untried moves.
    untried: Vec<(usize, MoveSet)>,
}

/// What a subtree leaves: of the nodes allowed, and of what its root may spare.
#[derive(Clone, Copy)]
struct Left {
    allowance: Allowance,
    spare: i64,
}

impl Descent<'_, '_, '_> {
    /// Searches one subtree; tells why it ended before it was done.
    fn enter<L: Layouts, const RAISE: bool>(
        &mut self,
        tree: &Subtree,
        start: u64,
        bound: Cost,
    ) -> Option<End> {
        let (cells, gap) =
            tree.path.iter().fold((start, start.gap()), |(cells, gap), m| match neighbours(gap)[m.index()] {
                Some(from) => (cells.slide(from, gap), from),
                None => unreachable!("paths are legal"),
            });
        let left = i64::from(bound) - tree.path.len() as i64;
        let node = match self.reader.start(cells, left) {
            Ok(node) => node,
            Err(excess) => {
                self.excess = self.excess.min(excess);
                return None;
            }
        };
        if cells == self.reader.solved && tree.path.is_empty() {
            return Some(End::Found);
        }
        if left == 0 {
            // Whoever wants to go on from a goal has at least one move to make.
            self.excess = self.excess.min(1);
            return None;
        }
        let ways = self.trails.ways(self.trails.after(&tree.path));
        let untried = |m: usize| tree.untried.contains(Move(m as u8));
        let ways = std::array::from_fn(|m| if untried(m) { ways[m] } else { LEFT_OUT });
        self.closest = i64::MIN;
        let allowance = self.grant();
        let left_behind = self.expand_at::<L, RAISE>(gap, &node, ways, allowance);
        let allowance = if self.end.is_some() {
            Allowance(left_behind.allowance.0 + Allowance::ENDED)
        } else {
            left_behind.allowance
        };
        self.settle(allowance);
        if self.closest > i64::MIN {
            // A node spares half of what is left above its bound, rounded down.
            let odd = (left - self.reader.cost(cells)) % 2;
            self.excess = self.excess.min((-2 * self.closest - odd) as Cost);
        }
        self.end.take()
    }

    fn expand_at<L: Layouts, const RAISE: bool>(
        &mut self,
        gap: usize,
        node: &Node,
        ways: Ways,
        allowance: Allowance,
    ) -> Left {
        macro_rules! at {
            ($($name:ident)*) => {
                match gap {
                    $(cell::$name::CELL => expand::<L, cell::$name, RAISE>(self, node, ways, allowance),)*
                    _ => unreachable!("a board has sixteen cells"),
                }
            };
        }
        at!(C0 C1 C2 C3 C4 C5 C6 C7 C8 C9 C10 C11 C12 C13 C14 C15)
    }

    /// As much as the meter allows and the word holds.
    fn grant(&mut self) -> Allowance {
        self.granted =
            Allowance::RESERVE + ((self.meter.left().min(Allowance::MOST) as i64) << Allowance::SHIFT);
        Allowance(self.granted)
    }

    /// Books what was spent.
    fn settle(&mut self, allowance: Allowance) {
        let spent = self.granted - allowance.0;
        let expanded = -spent & (Allowance::NODE - 1);
        self.meter.spend(((spent + expanded) >> Allowance::SHIFT) as u64);
        self.expanded += expanded as u64;
    }

    /// A new allowance in the place of one used up, unless it is time to pause.
    #[cold]
    #[inline(never)]
    fn refill(&mut self, allowance: Allowance) -> Option<Allowance> {
        self.settle(allowance);
        let paused = self.meter.check().is_break();
        let allowance = self.grant();
        if paused { None } else { Some(allowance) }
    }

    /// What was left untried below `tree`, shallowest first.
    fn unwound(&mut self, tree: &Subtree) -> Vec<Subtree> {
        let length = self.path.len();
        let path = &self.path;
        let rest = self.untried.drain(..).rev().filter(|(_, untried)| !untried.is_empty());
        let subtree = |(below, untried): (usize, MoveSet)| {
            let mut prefix = tree.path.clone();
            prefix.extend(path[below..length].iter().rev());
            Subtree { root: tree.root, path: prefix, untried: untried.into() }
        };
        rest.map(subtree).collect()
    }

    #[cold]
    #[inline(never)]
    fn finish(&mut self, end: End, allowance: Allowance, untried: MoveSet) -> Left {
        self.end = Some(end);
        if !untried.is_empty() {
            self.untried.push((0, untried));
        }
        Left { allowance: Allowance(allowance.0 - Allowance::ENDED), spare: 0 }
    }

    /// On the way up past a node.
    #[cold]
    #[inline(never)]
    fn unwind(&mut self, m: usize, untried: MoveSet, allowance: Allowance) -> Left {
        self.path.push(Move(m as u8));
        self.untried.push((self.path.len(), untried));
        Left { allowance, spare: 0 }
    }
}

/// The moves after the first `gone` that are legal in `cell` and not left out.
fn tried(cell: usize, ways: Ways, gone: usize) -> MoveSet {
    let legal = neighbours(cell);
    (gone..4).filter(|&m| legal[m].is_some() && ways[m] != LEFT_OUT).map(|m| Move(m as u8)).collect()
}

/// Visits a node within the bound.
fn visit<L: Layouts, G: Cell, const RAISE: bool>(
    descent: &mut Descent<'_, '_, '_>,
    node: &Node,
    trail: u16,
    allowance: Allowance,
) -> Left {
    if node.cells == descent.reader.solved {
        return descent.finish(End::Found, allowance, MoveSet::EMPTY);
    }
    expand::<L, G, RAISE>(descent, node, descent.trails.ways(trail), allowance)
}

/// Tries one move where the rules and the words have it, and goes on below.
macro_rules! try_move {
    ($descent:ident, $node:ident, $ways:ident, $allowance:ident, $raised:ident, $way:ident, $m:literal, $aim:expr) => {
        if const { neighbours(G::CELL)[$m].is_some() } && $ways[$m] != LEFT_OUT {
            $allowance.tick();
            let taken = match $aim {
                Some(aim) => $descent.reader.take($node, &aim, G::$way::CELL, G::CELL),
                None => Err(-1),
            };
            let spare = match taken {
                Err(spare) => {
                    if !RAISE {
                        $descent.closest = $descent.closest.max(spare);
                    }
                    spare
                }
                Ok(child) => {
                    let left = visit::<L, G::$way, RAISE>($descent, &child, $ways[$m], $allowance);
                    $allowance = left.allowance;
                    if $allowance.ended() {
                        return $descent.unwind($m, tried(G::CELL, $ways, $m + 1), $allowance);
                    }
                    left.spare
                }
            };
            if RAISE {
                // From the parent one could go to the child and back: no more than this it may spare.
                $raised = $raised.min(spare + 1);
                if $raised < 0 {
                    $descent.closest = $descent.closest.max($raised);
                    return Left { allowance: $allowance, spare: $raised };
                }
                if spare < 0 {
                    $descent.closest = $descent.closest.max(spare);
                }
            }
        }
    };
}

/// Searches the children of a node to which there are `ways`.
fn expand<L: Layouts, G: Cell, const RAISE: bool>(
    descent: &mut Descent<'_, '_, '_>,
    node: &Node,
    ways: Ways,
    mut allowance: Allowance,
) -> Left {
    if allowance.used_up() {
        match descent.refill(allowance) {
            Some(full) => allowance = full,
            None => return descent.finish(End::Paused, Allowance(descent.granted), tried(G::CELL, ways, 0)),
        }
    }
    allowance.expand();
    let mut raised = if RAISE { node.spare() } else { 0 };
    macro_rules! aim {
        ($way:ident, $m:literal) => {
            if const { neighbours(G::CELL)[$m].is_some() } && ways[$m] != LEFT_OUT {
                descent.reader.aim::<L>(node, G::$way::CELL, G::CELL, $m)
            } else {
                None
            }
        };
    }
    if L::PREFETCH {
        let (up, left, right, down) = (aim!(Up, 0), aim!(Left, 1), aim!(Right, 2), aim!(Down, 3));
        try_move!(descent, node, ways, allowance, raised, Up, 0, up);
        try_move!(descent, node, ways, allowance, raised, Left, 1, left);
        try_move!(descent, node, ways, allowance, raised, Right, 2, right);
        try_move!(descent, node, ways, allowance, raised, Down, 3, down);
    } else {
        try_move!(descent, node, ways, allowance, raised, Up, 0, aim!(Up, 0));
        try_move!(descent, node, ways, allowance, raised, Left, 1, aim!(Left, 1));
        try_move!(descent, node, ways, allowance, raised, Right, 2, aim!(Right, 2));
        try_move!(descent, node, ways, allowance, raised, Down, 3, aim!(Down, 3));
    }
    Left { allowance, spare: raised }
}
