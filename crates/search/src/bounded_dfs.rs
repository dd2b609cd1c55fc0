//! One bounded depth-first pass over subtrees: the hot loop of iterative deepening.
//!
//! A pass that stops early returns what it has not searched as [`Subtree`]s. That one ability re-splits
//! heavy subtrees between threads, saves a checkpoint and feeds a device, so one driver
//! ([`crate::solve::ida`]) and one trait for what runs a pass ([`crate::executor`]) serve them all.

use std::borrow::Cow;
use std::ops::ControlFlow;

use crate::control::Meter;
use crate::heuristic::{Admissibility, Heuristic};
use crate::moves::{AutomatonState, Move, MoveAutomaton, MoveMask, MoveSet256};
use crate::puzzle::{Cost, Edge, Puzzle};

/// A part of the search tree: the children `untried` of the node that `path`
/// leads to from start number `root`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subtree {
    /// Which start.
    pub root: u8,
    /// From there to the node.
    pub path: Vec<Move>,
    /// The children still to do.
    pub untried: MoveSet256,
}

/// What a pass over subtrees gave.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PassResult {
    /// The least cost above the bound that a pruned node may lead to.
    pub next: Cost,
    /// Children made or priced.
    pub nodes: u64,
    /// Nodes whose children were made.
    pub expanded: u64,
    /// Paths to a goal within the bound: one, or all where all are wanted.
    pub found: Vec<Vec<Move>>,
    /// What was not done because the meter paused or a path was found.
    pub rest: Vec<Subtree>,
}

impl PassResult {
    /// Nothing yet.
    pub fn nothing() -> PassResult {
        PassResult { next: Cost::MAX, ..PassResult::default() }
    }

    /// Adds another pass; what is left to do is taken over as well.
    pub fn absorb(&mut self, other: PassResult) {
        self.next = self.next.min(other.next);
        self.nodes += other.nodes;
        self.expanded += other.expanded;
        self.found.extend(other.found);
        self.rest.extend(other.rest);
    }
}

/// Which solutions a bounded depth-first search looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SolutionMode {
    /// The first one ends the pass.
    #[default]
    First,
    /// The pass in which a solution is found is searched to its end, for exact node counts.
    Exhaust,
    /// Every sequence of least cost, also those that lead through the same states in another order.
    All,
}

impl SolutionMode {
    /// The mode of a search that lists all solutions, or that stops `early` or not.
    pub fn of(all_solutions: bool, early: bool) -> SolutionMode {
        match (all_solutions, early) {
            (true, _) => SolutionMode::All,
            (false, true) => SolutionMode::First,
            (false, false) => SolutionMode::Exhaust,
        }
    }

    /// Whether the first solution ends a pass.
    #[inline]
    pub fn stops_at_first(self) -> bool {
        self == SolutionMode::First
    }

    /// Whether every sequence of least cost is wanted.
    #[inline]
    pub fn lists_all(self) -> bool {
        self == SolutionMode::All
    }
}

/// A bounded depth-first search, prepared for one position.
pub trait BoundedDfs: Send + Sync {
    /// No solution costs less: the first bound.
    fn floor(&self) -> Cost;

    /// What a path costs.
    fn cost(&self, path: &[Move]) -> Cost;

    /// Which solutions it looks for.
    fn mode(&self) -> SolutionMode;

    /// Whether the floor and the pruning can be trusted.
    fn admissibility(&self) -> Admissibility;

    /// The whole tree.
    fn roots(&self) -> Vec<Subtree>;

    /// The whole tree for a pass within `bound`, split as suits the search. The result counts what splitting
    /// searched already; its `rest` is left of the pass.
    fn split(&self, _bound: Cost, _meter: &mut Meter<'_>) -> PassResult {
        PassResult { rest: self.roots(), ..PassResult::nothing() }
    }

    /// Searches `subtrees` in order for goals of cost at most `bound`. Ends when done, when `meter` pauses,
    /// or at the first goal where [`SolutionMode::stops_at_first`].
    fn run_pass(&self, subtrees: Vec<Subtree>, bound: Cost, meter: &mut Meter<'_>) -> PassResult;
}

/// The bounded depth-first search of any puzzle with any heuristic.
pub struct GenericDfs<'a, P: Puzzle, H: Heuristic<P>> {
    /// The rules.
    pub puzzle: &'a P,
    /// The bound that prunes.
    pub heuristic: &'a H,
    /// The move sequences to try.
    pub automaton: Cow<'a, MoveAutomaton<P::Moves>>,
    /// The states to start from.
    pub starts: &'a [P::State],
    /// Whether to use bidirectional pathmax (BPMX): a child's bound raises its parent's.
    pub bpmx: bool,
    /// Which solutions to look for.
    pub mode: SolutionMode,
}

impl<P: Puzzle, H: Heuristic<P>> BoundedDfs for GenericDfs<'_, P, H> {
    fn floor(&self) -> Cost {
        let costs = self.starts.iter().map(|s| self.heuristic.cost(&self.heuristic.start(self.puzzle, s)));
        costs.min().unwrap_or(0)
    }

    fn cost(&self, path: &[Move]) -> Cost {
        self.puzzle.path_cost(path)
    }

    fn mode(&self) -> SolutionMode {
        self.mode
    }

    fn admissibility(&self) -> Admissibility {
        self.heuristic.admissibility()
    }

    fn roots(&self) -> Vec<Subtree> {
        let roots = (0..).zip(self.starts).map(|(root, start)| Subtree {
            root,
            path: Vec::new(),
            untried: (self.puzzle.legal(start) & self.automaton.allowed(AutomatonState::START)).widen(),
        });
        roots.collect()
    }

    fn run_pass(&self, subtrees: Vec<Subtree>, bound: Cost, meter: &mut Meter<'_>) -> PassResult {
        if self.bpmx && self.heuristic.admissibility() != Admissibility::Consistent {
            self.run::<true>(subtrees, bound, meter)
        } else {
            self.run::<false>(subtrees, bound, meter)
        }
    }
}

impl<P: Puzzle, H: Heuristic<P>> GenericDfs<'_, P, H> {
    fn run<const BPMX: bool>(
        &self,
        subtrees: Vec<Subtree>,
        bound: Cost,
        meter: &mut Meter<'_>,
    ) -> PassResult {
        let before = meter.nodes();
        let mut descent = Descent::<P, H, BPMX> {
            puzzle: self.puzzle,
            heuristic: self.heuristic,
            automaton: &self.automaton,
            cheapest: self.puzzle.cheapest(),
            meter,
            excess: Cost::MAX,
            expanded: 0,
            path: Vec::new(),
            untried: Vec::new(),
        };
        let mut result = PassResult::nothing();
        let mut todo = subtrees;
        todo.reverse();
        while let Some(tree) = todo.pop() {
            let Some(end) = descent.enter(&tree, &self.starts[usize::from(tree.root)], bound) else {
                continue;
            };
            let rest = descent.unwound(&tree);
            if end == End::Found {
                let mut path = tree.path;
                path.extend(descent.path.drain(..).rev());
                result.found.push(path);
            }
            descent.path.clear();
            // The deepest part comes last here and is searched first, as if nothing had happened.
            todo.extend(rest);
            if end == End::Paused || self.mode.stops_at_first() {
                break;
            }
        }
        todo.reverse();
        result.rest = todo;
        result.expanded = descent.expanded;
        result.next = bound.saturating_add(descent.excess);
        result.nodes = meter.nodes() - before;
        result
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Found,
    Paused,
}

struct Descent<'a, 'm, P: Puzzle, H: Heuristic<P>, const BPMX: bool> {
    puzzle: &'a P,
    heuristic: &'a H,
    automaton: &'a MoveAutomaton<P::Moves>,
    cheapest: Cost,
    meter: &'a mut Meter<'m>,
    /// How far the cheapest pruned node exceeds the bound.
    excess: Cost,
    expanded: u64,
    /// The way down, last move first: filled while unwinding, so that the
    /// descent itself keeps no path.
    path: Vec<Move>,
    /// While unwinding: how long `path` was at a node, and its untried moves.
    untried: Vec<(usize, P::Moves)>,
}

impl<P: Puzzle, H: Heuristic<P>, const BPMX: bool> Descent<'_, '_, P, H, BPMX> {
    /// Searches one subtree; tells why it ended before it was done.
    fn enter(&mut self, tree: &Subtree, start: &P::State, bound: Cost) -> Option<End> {
        let node = tree.path.iter().fold(start.clone(), |state, &m| self.puzzle.apply(&state, m));
        let value = self.heuristic.start(self.puzzle, &node);
        let trail = self.automaton.after(&tree.path);
        let spent = self.puzzle.path_cost(&tree.path);
        let h = self.heuristic.cost(&value);
        let Some(left) = bound.checked_sub(spent).filter(|&left| h <= left) else {
            self.excess = self.excess.min(spent.saturating_add(h).saturating_sub(bound));
            return None;
        };
        let end = if tree.path.is_empty() && h == 0 && self.puzzle.is_goal(&node) {
            ControlFlow::Break(End::Found)
        } else if left < self.cheapest {
            self.excess = self.excess.min(self.cheapest - left);
            return None;
        } else {
            self.expand(&node, &value, trail, P::Moves::narrow(tree.untried), left)
        };
        end.break_value()
    }

    /// What was left untried on the way up, shallowest first.
    fn unwound(&mut self, tree: &Subtree) -> Vec<Subtree> {
        let length = self.path.len();
        let path = &self.path;
        let rest = self.untried.drain(..).rev().filter(|(_, untried)| !untried.is_empty());
        let subtree = |(below, untried): (usize, P::Moves)| {
            let mut prefix = tree.path.clone();
            prefix.extend(path[below..length].iter().rev());
            Subtree { root: tree.root, path: prefix, untried: untried.widen() }
        };
        rest.map(subtree).collect()
    }

    /// Visits a node within the bound. Continues with its bound, raised by its
    /// descendants where `BPMX` says so.
    fn visit(
        &mut self,
        state: &P::State,
        value: &H::Value,
        trail: AutomatonState,
        left: Cost,
    ) -> ControlFlow<End, Cost> {
        let h = self.heuristic.cost(value);
        if h == 0 && self.puzzle.is_goal(state) {
            return ControlFlow::Break(End::Found);
        }
        if left < self.cheapest {
            self.excess = self.excess.min(self.cheapest - left);
            return ControlFlow::Continue(h);
        }
        let moves = self.puzzle.legal(state) & self.automaton.allowed(trail);
        self.expand(state, value, trail, moves, left)
    }

    #[inline]
    fn expand(
        &mut self,
        state: &P::State,
        value: &H::Value,
        trail: AutomatonState,
        mut untried: P::Moves,
        left: Cost,
    ) -> ControlFlow<End, Cost> {
        let mut raised = if BPMX { self.heuristic.cost(value) } else { 0 };
        if self.meter.check().is_break() {
            self.untried.push((self.path.len(), untried));
            return ControlFlow::Break(End::Paused);
        }
        self.expanded += 1;
        if H::PREFETCHES {
            for m in untried {
                let below = left.saturating_sub(self.puzzle.cost(m));
                self.heuristic.prefetch(value, &Edge { puzzle: self.puzzle, parent: state, m }, below);
            }
        }
        while let Some(m) = untried.pop() {
            self.meter.tick();
            let cost = self.puzzle.cost(m);
            if cost > left {
                self.excess = self.excess.min(cost - left);
                continue;
            }
            let edge = Edge { puzzle: self.puzzle, parent: state, m };
            let below = left - cost;
            let h = match self.heuristic.step(value, &edge, below) {
                Err(h) => {
                    if !BPMX {
                        self.excess = self.excess.min(h - below);
                        continue;
                    }
                    h
                }
                Ok(value) => match self.visit(&edge.child(), &value, self.automaton.next(trail, m), below) {
                    ControlFlow::Continue(h) => h,
                    ControlFlow::Break(end) => {
                        self.path.push(m);
                        self.untried.push((self.path.len(), untried));
                        return ControlFlow::Break(end);
                    }
                },
            };
            if BPMX {
                // BPMX: one can go from the parent to the child and back.
                // A move without inverse raises nothing.
                if let Some(back) = self.puzzle.inverse(m) {
                    raised = raised.max(h.saturating_sub(self.puzzle.cost(back)));
                }
                if raised > left {
                    self.excess = self.excess.min(raised - left);
                    return ControlFlow::Continue(raised);
                }
                if h > below {
                    self.excess = self.excess.min(h - below);
                }
            }
        }
        ControlFlow::Continue(raised)
    }
}
