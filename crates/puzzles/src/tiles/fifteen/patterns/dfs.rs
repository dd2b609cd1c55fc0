//! Depth-first search with pattern databases, compiled once for every cell of the blank.
//!
//! It differs in three points from the search with Manhattan distance (`fifteen/dfs.rs`). A move-pruning
//! automaton selects the moves. Bidirectional pathmax (BPMX; Felner, Zahavi, Schaeffer & Holte, "Dual
//! lookups in pattern databases", IJCAI 2005) raises the h-values of inner nodes. The meter grants the
//! search a budget of nodes at a time; an exhausted budget is refilled without unwinding the recursion, so
//! that the node counts do not depend on the size of the budgets.

use untumble_search::bounded_dfs::{PassResult, Subtree};
use untumble_search::control::Meter;
use untumble_search::moves::{Move, MoveSet};
use untumble_search::puzzle::Cost;

use super::super::blank_cell::{self, BlankCell, neighbours};
use super::super::dfs::Interruption;
use super::PatternDfs;
use super::evaluator::{PatternEvaluator, PatternNode, TableLayouts};
use super::packed_automaton::{PRUNED, PackedAutomaton, Transitions};
use crate::tiles::Cells;

/// Implements [`untumble_search::bounded_dfs::BoundedDfs::run_pass`]. `L` says which table layouts occur
/// among the pattern databases, so that the loop is compiled for them.
pub(super) fn run<L: TableLayouts, const BPMX: bool>(
    search: &PatternDfs<'_>,
    subtrees: Vec<Subtree>,
    bound: Cost,
    meter: &mut Meter<'_>,
) -> PassResult {
    let nodes_before = meter.nodes();
    let mut dfs = DepthFirst {
        evaluator: &search.evaluator,
        automaton: search.automaton(),
        meter,
        expanded: 0,
        granted: 0,
        best_pruned_slack: i64::MIN,
        min_excess: Cost::MAX,
        interruption: None,
        path: Vec::new(),
        untried: Vec::new(),
    };
    let mut result = PassResult::empty();
    let mut stack = subtrees;
    stack.reverse();
    while let Some(subtree) = stack.pop() {
        let start = search.starts[usize::from(subtree.root)].cells;
        let Some(interruption) = dfs.search::<L, BPMX>(&subtree, start, bound) else { continue };
        let unsearched = dfs.take_unsearched(&subtree);
        if interruption == Interruption::Found {
            result.found.push(subtree.path.iter().chain(dfs.path.iter().rev()).copied().collect());
        }
        dfs.path.clear();
        // The deepest subtree comes last and is searched next, which continues the depth-first order.
        stack.extend(unsearched);
        if interruption == Interruption::Paused || search.mode.stops_at_first() {
            break;
        }
    }
    stack.reverse();
    result.unsearched = stack;
    result.expanded = dfs.expanded;
    result.next_bound = bound.saturating_add(dfs.min_excess);
    result.nodes = meter.nodes() - nodes_before;
    result
}

/// The number of nodes that may still be generated (upper bits) and the number of expanded nodes (lower 22
/// bits) in one word. An exhausted budget is replaced while the search continues; the `NodeBudget` of the
/// search with Manhattan distance (`fifteen/dfs.rs`) ends the search instead.
#[derive(Clone, Copy)]
struct RefillableBudget(i64);

impl RefillableBudget {
    const SHIFT: u32 = 22;
    const NODE: i64 = 1 << Self::SHIFT;
    /// Added to every budget, so that only an interruption makes the word negative. Without a reserve an
    /// exhausted budget could become negative too: it is checked only when a node is expanded, and before
    /// the next expansion every ancestor may generate children that are pruned at once.
    const RESERVE: i64 = 1 << (Self::SHIFT + 20);
    /// Subtracted to interrupt the search; far larger than any budget.
    const INTERRUPTED: i64 = 1 << 60;
    /// The largest budget. Fewer nodes are expanded than generated, so the lower bits cannot overflow.
    const MAX_NODES: u64 = 1 << (Self::SHIFT - 1);

    #[inline(always)]
    fn is_exhausted(self) -> bool {
        self.0 < Self::RESERVE + Self::NODE
    }

    /// Counts a generated node.
    #[inline(always)]
    fn tick(&mut self) {
        self.0 -= Self::NODE;
    }

    /// Counts an expanded node.
    #[inline(always)]
    fn expand(&mut self) {
        self.0 += 1;
    }

    #[inline(always)]
    fn interrupted(self) -> bool {
        self.0 < 0
    }
}

/// The depth-first search of one pass. The slack of a node is bound − g − h, in units of two moves (see
/// `evaluator.rs`).
struct DepthFirst<'a, 'm, 'c> {
    evaluator: &'a PatternEvaluator<'a>,
    automaton: &'a PackedAutomaton,
    meter: &'m mut Meter<'c>,
    expanded: u64,
    /// The word of the current budget before any node was spent.
    granted: i64,
    /// The largest slack, always negative, of a pruned node in the current subtree.
    best_pruned_slack: i64,
    /// The least amount, in moves, by which the f-value of a pruned node exceeds the bound.
    min_excess: Cost,
    interruption: Option<Interruption>,
    /// After an interruption: the path from the root of the subtree, last move first.
    path: Vec<Move>,
    /// After an interruption: for each node on the path, deepest first, the number of moves from it to the
    /// end of the path, and its untried moves.
    untried: Vec<(usize, MoveSet)>,
}

/// The remaining budget after a subtree, and the slack of its root, which BPMX may have reduced.
#[derive(Clone, Copy)]
struct SubtreeResult {
    budget: RefillableBudget,
    slack: i64,
}

impl DepthFirst<'_, '_, '_> {
    /// Searches one subtree; returns the reason if the search ends before the subtree is exhausted.
    fn search<L: TableLayouts, const BPMX: bool>(
        &mut self,
        subtree: &Subtree,
        start: u64,
        bound: Cost,
    ) -> Option<Interruption> {
        let (cells, blank) = subtree.path.iter().fold((start, start.blank()), |(cells, blank), m| {
            match neighbours(blank)[m.index()] {
                Some(from) => (cells.slide(from, blank), from),
                None => unreachable!("the moves of a path are legal"),
            }
        });
        let moves_left = i64::from(bound) - subtree.path.len() as i64;
        let node = match self.evaluator.start(cells, moves_left) {
            Ok(node) => node,
            Err(excess) => {
                self.min_excess = self.min_excess.min(excess);
                return None;
            }
        };
        if cells == self.evaluator.goal && subtree.path.is_empty() {
            return Some(Interruption::Found);
        }
        if moves_left == 0 {
            // Since h is 0, the root is the goal, which was recorded when the search first reached it. Any
            // other solution needs at least one more move.
            self.min_excess = self.min_excess.min(1);
            return None;
        }
        let transitions = self.automaton.transitions(self.automaton.state_after(&subtree.path));
        let untried = |m: usize| subtree.untried.contains(Move(m as u8));
        let transitions = std::array::from_fn(|m| if untried(m) { transitions[m] } else { PRUNED });
        self.best_pruned_slack = i64::MIN;
        let budget = self.grant();
        let mut budget = self.expand_at::<L, BPMX>(blank, &node, transitions, budget).budget;
        if self.interruption.is_some() {
            budget.0 += RefillableBudget::INTERRUPTED;
        }
        self.count_spent(budget);
        if self.best_pruned_slack > i64::MIN {
            // A slack of −k units is an excess of 2k moves. If the bound exceeds the root's f-value by an
            // odd number of moves, the rounding of the slack lost one move, and the excess is 2k − 1.
            let odd = (moves_left - self.evaluator.cost(cells)) % 2;
            self.min_excess = self.min_excess.min((-2 * self.best_pruned_slack - odd) as Cost);
        }
        self.interruption.take()
    }

    /// Calls the [`expand`] that is compiled for the blank's cell.
    fn expand_at<L: TableLayouts, const BPMX: bool>(
        &mut self,
        blank: usize,
        node: &PatternNode,
        transitions: Transitions,
        budget: RefillableBudget,
    ) -> SubtreeResult {
        macro_rules! dispatch {
            ($($name:ident)*) => {
                match blank {
                    $(
                        blank_cell::$name::CELL => {
                            expand::<L, blank_cell::$name, BPMX>(self, node, transitions, budget)
                        }
                    )*
                    _ => unreachable!("a 4×4 board has sixteen cells"),
                }
            };
        }
        dispatch!(C0 C1 C2 C3 C4 C5 C6 C7 C8 C9 C10 C11 C12 C13 C14 C15)
    }

    /// Grants a budget of as many nodes as the meter allows, but no more than one word holds.
    fn grant(&mut self) -> RefillableBudget {
        self.granted = RefillableBudget::RESERVE
            + ((self.meter.nodes_until_check().min(RefillableBudget::MAX_NODES) as i64)
                << RefillableBudget::SHIFT);
        RefillableBudget(self.granted)
    }

    /// Adds the nodes spent from a budget to the meter and to the counts.
    fn count_spent(&mut self, budget: RefillableBudget) {
        // A generated node subtracts `NODE` and an expanded one adds 1: spent = generated · NODE − expanded.
        let spent = self.granted - budget.0;
        let expanded = -spent & (RefillableBudget::NODE - 1);
        self.meter.count_nodes(((spent + expanded) >> RefillableBudget::SHIFT) as u64);
        self.expanded += expanded as u64;
    }

    /// Replaces an exhausted budget by a new one; `None` if the search must pause.
    #[cold]
    #[inline(never)]
    fn refill(&mut self, budget: RefillableBudget) -> Option<RefillableBudget> {
        self.count_spent(budget);
        let paused = self.meter.check().is_break();
        let budget = self.grant();
        if paused { None } else { Some(budget) }
    }

    /// Removes and returns the unsearched subtrees of `tree` after an interruption, shallowest first.
    fn take_unsearched(&mut self, tree: &Subtree) -> Vec<Subtree> {
        let length = self.path.len();
        let path = &self.path;
        let nodes = self.untried.drain(..).rev().filter(|(_, untried)| !untried.is_empty());
        let subtree = |(moves_below, untried): (usize, MoveSet)| {
            let mut prefix = tree.path.clone();
            prefix.extend(path[moves_below..length].iter().rev());
            Subtree { root: tree.root, path: prefix, untried: untried.into() }
        };
        nodes.map(subtree).collect()
    }

    /// Interrupts the search at the current node: a negative budget makes the recursion unwind.
    #[cold]
    #[inline(never)]
    fn interrupt(
        &mut self,
        interruption: Interruption,
        budget: RefillableBudget,
        untried: MoveSet,
    ) -> SubtreeResult {
        self.interruption = Some(interruption);
        if !untried.is_empty() {
            self.untried.push((0, untried));
        }
        SubtreeResult { budget: RefillableBudget(budget.0 - RefillableBudget::INTERRUPTED), slack: 0 }
    }

    /// Records a node of the path while unwinding.
    #[cold]
    #[inline(never)]
    fn unwind(&mut self, m: usize, untried: MoveSet, budget: RefillableBudget) -> SubtreeResult {
        self.path.push(Move(m as u8));
        self.untried.push((self.path.len(), untried));
        SubtreeResult { budget, slack: 0 }
    }
}

/// The moves from number `first` on that are legal with the blank in `cell` and not pruned.
fn untried_moves(cell: usize, transitions: Transitions, first: usize) -> MoveSet {
    let legal = neighbours(cell);
    (first..4).filter(|&m| legal[m].is_some() && transitions[m] != PRUNED).map(|m| Move(m as u8)).collect()
}

/// Searches a node within the bound.
fn visit<L: TableLayouts, B: BlankCell, const BPMX: bool>(
    dfs: &mut DepthFirst<'_, '_, '_>,
    node: &PatternNode,
    state: u16,
    budget: RefillableBudget,
) -> SubtreeResult {
    if node.cells == dfs.evaluator.goal {
        return dfs.interrupt(Interruption::Found, budget, MoveSet::EMPTY);
    }
    expand::<L, B, BPMX>(dfs, node, dfs.automaton.transitions(state), budget)
}

/// Generates the child by one move, if it is legal and not pruned, and searches it if it is within the
/// bound. `$candidate` is the child before its look-ups, or `None` if it exceeds the bound whatever the
/// tables contain; its slack is then −1 or less.
macro_rules! try_move {
    (
        $dfs:ident, $node:ident, $transitions:ident, $budget:ident, $slack:ident,
        $direction:ident, $m:literal, $candidate:expr
    ) => {
        if const { neighbours(B::CELL)[$m].is_some() } && $transitions[$m] != PRUNED {
            $budget.tick();
            let evaluated = match $candidate {
                Some(candidate) => $dfs.evaluator.evaluate($node, &candidate, B::$direction::CELL, B::CELL),
                None => Err(-1),
            };
            let child_slack = match evaluated {
                Err(child_slack) => {
                    if !BPMX {
                        $dfs.best_pruned_slack = $dfs.best_pruned_slack.max(child_slack);
                    }
                    child_slack
                }
                Ok(child) => {
                    let result = visit::<L, B::$direction, BPMX>($dfs, &child, $transitions[$m], $budget);
                    $budget = result.budget;
                    if $budget.interrupted() {
                        return $dfs.unwind($m, untried_moves(B::CELL, $transitions, $m + 1), $budget);
                    }
                    result.slack
                }
            };
            if BPMX {
                // h(parent) ≥ h(child) − 1, so the parent's slack is at most one unit above the child's.
                $slack = $slack.min(child_slack + 1);
                if $slack < 0 {
                    $dfs.best_pruned_slack = $dfs.best_pruned_slack.max($slack);
                    return SubtreeResult { budget: $budget, slack: $slack };
                }
                if child_slack < 0 {
                    $dfs.best_pruned_slack = $dfs.best_pruned_slack.max(child_slack);
                }
            }
        }
    };
}

/// Expands a node; `transitions` has the automaton's next state for each move.
fn expand<L: TableLayouts, B: BlankCell, const BPMX: bool>(
    dfs: &mut DepthFirst<'_, '_, '_>,
    node: &PatternNode,
    transitions: Transitions,
    mut budget: RefillableBudget,
) -> SubtreeResult {
    if budget.is_exhausted() {
        match dfs.refill(budget) {
            Some(full) => budget = full,
            None => {
                let untried = untried_moves(B::CELL, transitions, 0);
                // `refill` has counted the old budget; nothing of the new one is spent.
                return dfs.interrupt(Interruption::Paused, RefillableBudget(dfs.granted), untried);
            }
        }
    }
    budget.expand();
    let mut slack = if BPMX { node.slack() } else { 0 };
    macro_rules! candidate {
        ($direction:ident, $m:literal) => {
            if const { neighbours(B::CELL)[$m].is_some() } && transitions[$m] != PRUNED {
                dfs.evaluator.candidate::<L>(node, B::$direction::CELL, B::CELL, $m)
            } else {
                None
            }
        };
    }
    if L::PREFETCH {
        let (up, left, right, down) =
            (candidate!(Up, 0), candidate!(Left, 1), candidate!(Right, 2), candidate!(Down, 3));
        try_move!(dfs, node, transitions, budget, slack, Up, 0, up);
        try_move!(dfs, node, transitions, budget, slack, Left, 1, left);
        try_move!(dfs, node, transitions, budget, slack, Right, 2, right);
        try_move!(dfs, node, transitions, budget, slack, Down, 3, down);
    } else {
        try_move!(dfs, node, transitions, budget, slack, Up, 0, candidate!(Up, 0));
        try_move!(dfs, node, transitions, budget, slack, Left, 1, candidate!(Left, 1));
        try_move!(dfs, node, transitions, budget, slack, Right, 2, candidate!(Right, 2));
        try_move!(dfs, node, transitions, budget, slack, Down, 3, candidate!(Down, 3));
    }
    SubtreeResult { budget, slack }
}
