//! One bounded depth-first pass over subtrees: the hot loop of iterative deepening.
//!
//! The pass prunes with a heuristic (IDA\*; Korf 1985), a move automaton (Taylor & Korf, AAAI 1993) and
//! bidirectional pathmax (BPMX; Felner, Zahavi, Schaeffer & Holte, IJCAI 2005). A pass that stops early
//! returns the unsearched part of the tree as [`Subtree`]s. Subtrees are the units of work that threads
//! donate to each other, that checkpoints store and that devices receive. So one driver
//! ([`crate::solve::ida`]) and one executor trait ([`crate::executor`]) suffice for threads, checkpoints and
//! devices. A [`Meter`] counts the nodes of a pass and pauses it when a limit is reached, a checkpoint is
//! due or another worker is idle.

use std::borrow::Cow;
use std::ops::ControlFlow;

use crate::control::Meter;
use crate::heuristic::{Admissibility, Heuristic};
use crate::moves::{AutomatonState, Move, MoveAutomaton, MoveMask, MoveSet256};
use crate::puzzle::{Cost, Edge, Puzzle};

/// A part of the search tree: the children that the moves `untried` lead to, from the node that `path`
/// reaches from start state number `root`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subtree {
    /// The index of the start state.
    pub root: u8,
    /// The moves from the start state to the node.
    pub path: Vec<Move>,
    /// The moves to the children that are still to be searched.
    pub untried: MoveSet256,
}

/// The result of a pass over subtrees.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PassResult {
    /// The least f-value of a pruned node, which is the bound of the next pass; `Cost::MAX` if no node was
    /// pruned.
    pub next_bound: Cost,
    /// Generated nodes, pruned ones included.
    pub nodes: u64,
    /// Expanded nodes.
    pub expanded: u64,
    /// Paths to a goal within the bound: the first one in mode [`SolutionMode::First`], all in other modes.
    pub found: Vec<Vec<Move>>,
    /// The subtrees that were not searched because the meter paused or a solution ended the pass.
    pub unsearched: Vec<Subtree>,
}

impl PassResult {
    /// The result of a pass over no subtrees.
    pub fn empty() -> PassResult {
        PassResult { next_bound: Cost::MAX, ..PassResult::default() }
    }

    /// Adds the result of another part of the same pass, its unsearched subtrees included.
    pub fn absorb(&mut self, other: PassResult) {
        self.next_bound = self.next_bound.min(other.next_bound);
        self.nodes += other.nodes;
        self.expanded += other.expanded;
        self.found.extend(other.found);
        self.unsearched.extend(other.unsearched);
    }
}

/// Which solutions a bounded depth-first search looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SolutionMode {
    /// One solution; the first one ends the pass.
    #[default]
    First,
    /// One solution is wanted, but the pass runs to its end, so that node counts do not depend on the order
    /// of search. The pass may find further solutions.
    Exhaust,
    /// Every optimal sequence, including sequences that differ only in the order of commuting moves.
    All,
}

impl SolutionMode {
    /// The mode of a solver with these options; with `early`, the first solution ends a pass.
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

    /// Whether every optimal sequence is listed.
    #[inline]
    pub fn lists_all(self) -> bool {
        self == SolutionMode::All
    }
}

/// A bounded depth-first search, prepared for one position.
pub trait BoundedDfs: Send + Sync {
    /// The bound of the first pass: the least heuristic value of a start state.
    fn first_bound(&self) -> Cost;

    /// The cost of a path.
    fn cost(&self, path: &[Move]) -> Cost;

    /// The solutions to search for.
    fn mode(&self) -> SolutionMode;

    /// The admissibility of the heuristic. If it is not admissible, a finished pass proves no lower bound.
    fn admissibility(&self) -> Admissibility;

    /// The whole tree: one subtree for each start state.
    fn roots(&self) -> Vec<Subtree>;

    /// Splits a pass within `bound` into subtrees. They are returned in search order, as
    /// [`PassResult::unsearched`]. The default is one per start state. A search may split further, for
    /// example to try promising subtrees first; then the result also counts the nodes searched while
    /// splitting.
    fn split(&self, _bound: Cost, _meter: &mut Meter<'_>) -> PassResult {
        PassResult { unsearched: self.roots(), ..PassResult::empty() }
    }

    /// Searches `subtrees` in order for goals of cost at most `bound`. Returns when all are searched, when
    /// `meter` pauses, or at the first goal if [`SolutionMode::stops_at_first`].
    fn run_pass(&self, subtrees: Vec<Subtree>, bound: Cost, meter: &mut Meter<'_>) -> PassResult;
}

/// The bounded depth-first search of any puzzle with any heuristic.
pub struct GenericDfs<'a, P: Puzzle, H: Heuristic<P>> {
    /// The rules.
    pub puzzle: &'a P,
    /// The heuristic that prunes.
    pub heuristic: &'a H,
    /// The automaton that prunes duplicate operator sequences.
    pub automaton: Cow<'a, MoveAutomaton<P::Moves>>,
    /// The states to start from.
    pub starts: &'a [P::State],
    /// Whether to use bidirectional pathmax (BPMX). It is ignored for a consistent heuristic, which BPMX
    /// cannot raise.
    pub bpmx: bool,
    /// The solutions to search for.
    pub mode: SolutionMode,
}

impl<P: Puzzle, H: Heuristic<P>> BoundedDfs for GenericDfs<'_, P, H> {
    fn first_bound(&self) -> Cost {
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
            untried: (self.puzzle.legal(start) & self.automaton.allowed(AutomatonState::START)).to_set256(),
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
        let nodes_before = meter.nodes();
        let mut descent = Descent::<P, H, BPMX> {
            puzzle: self.puzzle,
            heuristic: self.heuristic,
            automaton: &self.automaton,
            min_move_cost: self.puzzle.min_move_cost(),
            meter,
            min_excess: Cost::MAX,
            expanded: 0,
            path: Vec::new(),
            untried: Vec::new(),
        };
        let mut result = PassResult::empty();
        let mut stack = subtrees;
        stack.reverse();
        while let Some(tree) = stack.pop() {
            let start = &self.starts[usize::from(tree.root)];
            let Some(interruption) = descent.enter(&tree, start, bound) else {
                continue;
            };
            let unsearched = descent.take_unsearched(&tree);
            if interruption == Interruption::Found {
                let mut path = tree.path;
                path.extend(descent.path.drain(..).rev());
                result.found.push(path);
            }
            descent.path.clear();
            // The deepest subtree is pushed last and searched next, so that interruptions do not change the
            // search order.
            stack.extend(unsearched);
            if interruption == Interruption::Paused || self.mode.stops_at_first() {
                break;
            }
        }
        stack.reverse();
        result.unsearched = stack;
        result.expanded = descent.expanded;
        result.next_bound = bound.saturating_add(descent.min_excess);
        result.nodes = meter.nodes() - nodes_before;
        result
    }
}

/// The reason why the search of a subtree was interrupted before its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Interruption {
    /// A goal was reached.
    Found,
    /// The meter paused the pass.
    Paused,
}

/// The state of the depth-first recursion of one pass.
struct Descent<'a, 'm, P: Puzzle, H: Heuristic<P>, const BPMX: bool> {
    puzzle: &'a P,
    heuristic: &'a H,
    automaton: &'a MoveAutomaton<P::Moves>,
    /// The least cost of a move.
    min_move_cost: Cost,
    meter: &'a mut Meter<'m>,
    /// The least amount by which the f-value of a pruned node exceeds the bound.
    min_excess: Cost,
    expanded: u64,
    /// The current path, last move first. It is filled while the recursion unwinds, so that the descent
    /// itself stores no path.
    path: Vec<Move>,
    /// For each node from the interrupted one up to the root of the subtree: the number `n` of moves from it
    /// down to the interrupted node, and its untried moves. `path[n..]`, reversed, leads from the root to it.
    untried: Vec<(usize, P::Moves)>,
}

impl<P: Puzzle, H: Heuristic<P>, const BPMX: bool> Descent<'_, '_, P, H, BPMX> {
    /// Searches one subtree; `None` if it was searched to its end.
    fn enter(&mut self, tree: &Subtree, start: &P::State, bound: Cost) -> Option<Interruption> {
        let node = tree.path.iter().fold(start.clone(), |state, &m| self.puzzle.apply(&state, m));
        // The data from which the heuristic computes h and, incrementally, the data of the children.
        let value = self.heuristic.start(self.puzzle, &node);
        let automaton_state = self.automaton.after(&tree.path);
        let g = self.puzzle.path_cost(&tree.path);
        let h = self.heuristic.cost(&value);
        let Some(budget) = bound.checked_sub(g).filter(|&budget| h <= budget) else {
            self.min_excess = self.min_excess.min(g.saturating_add(h).saturating_sub(bound));
            return None;
        };
        // A node below the start was already tested for a goal when the search first reached it.
        let flow = if tree.path.is_empty() && h == 0 && self.puzzle.is_goal(&node) {
            ControlFlow::Break(Interruption::Found)
        } else if budget < self.min_move_cost {
            self.min_excess = self.min_excess.min(self.min_move_cost - budget);
            return None;
        } else {
            self.expand(&node, &value, automaton_state, P::Moves::narrow(tree.untried), budget)
        };
        flow.break_value()
    }

    /// Converts the untried moves collected while unwinding to subtrees, shallowest first.
    fn take_unsearched(&mut self, tree: &Subtree) -> Vec<Subtree> {
        let length = self.path.len();
        let path = &self.path;
        let nodes = self.untried.drain(..).rev().filter(|(_, untried)| !untried.is_empty());
        let subtree = |(moves_below, untried): (usize, P::Moves)| {
            let mut prefix = tree.path.clone();
            prefix.extend(path[moves_below..length].iter().rev());
            Subtree { root: tree.root, path: prefix, untried: untried.to_set256() }
        };
        nodes.map(subtree).collect()
    }

    /// Searches a node whose h-value is at most `budget`, the bound minus the cost of its path. Returns the
    /// h-value of the node, which its descendants raise if `BPMX` is set, or the reason for an interruption.
    fn visit(
        &mut self,
        state: &P::State,
        value: &H::Value,
        automaton_state: AutomatonState,
        budget: Cost,
    ) -> ControlFlow<Interruption, Cost> {
        let h = self.heuristic.cost(value);
        if h == 0 && self.puzzle.is_goal(state) {
            return ControlFlow::Break(Interruption::Found);
        }
        if budget < self.min_move_cost {
            self.min_excess = self.min_excess.min(self.min_move_cost - budget);
            return ControlFlow::Continue(h);
        }
        let moves = self.puzzle.legal(state) & self.automaton.allowed(automaton_state);
        self.expand(state, value, automaton_state, moves, budget)
    }

    /// Searches the children that the moves `untried` lead to. The other parameters and the result are those
    /// of [`Descent::visit`].
    #[inline]
    fn expand(
        &mut self,
        state: &P::State,
        value: &H::Value,
        automaton_state: AutomatonState,
        mut untried: P::Moves,
        budget: Cost,
    ) -> ControlFlow<Interruption, Cost> {
        let mut raised = if BPMX { self.heuristic.cost(value) } else { 0 };
        if self.meter.check().is_break() {
            self.untried.push((self.path.len(), untried));
            return ControlFlow::Break(Interruption::Paused);
        }
        self.expanded += 1;
        if H::PREFETCHES {
            for m in untried {
                let child_budget = budget.saturating_sub(self.puzzle.cost(m));
                self.heuristic.prefetch(value, &Edge { puzzle: self.puzzle, parent: state, m }, child_budget);
            }
        }
        while let Some(m) = untried.pop() {
            self.meter.tick();
            let cost = self.puzzle.cost(m);
            if cost > budget {
                self.min_excess = self.min_excess.min(cost - budget);
                continue;
            }
            let edge = Edge { puzzle: self.puzzle, parent: state, m };
            let child_budget = budget - cost;
            let h = match self.heuristic.step(value, &edge, child_budget) {
                // The child's h exceeds its budget: it is pruned.
                Err(h) => {
                    if !BPMX {
                        self.min_excess = self.min_excess.min(h - child_budget);
                        continue;
                    }
                    h
                }
                Ok(value) => match self.visit(
                    &edge.child(),
                    &value,
                    self.automaton.next(automaton_state, m),
                    child_budget,
                ) {
                    ControlFlow::Continue(h) => h,
                    ControlFlow::Break(interruption) => {
                        self.path.push(m);
                        self.untried.push((self.path.len(), untried));
                        return ControlFlow::Break(interruption);
                    }
                },
            };
            if BPMX {
                // BPMX: the inverse leads from the child back to the parent, so h(parent) is at least
                // h(child) minus the cost of the inverse. A move without an inverse raises nothing.
                if let Some(back) = self.puzzle.inverse(m) {
                    raised = raised.max(h.saturating_sub(self.puzzle.cost(back)));
                }
                if raised > budget {
                    self.min_excess = self.min_excess.min(raised - budget);
                    return ControlFlow::Continue(raised);
                }
                if h > child_budget {
                    self.min_excess = self.min_excess.min(h - child_budget);
                }
            }
        }
        ControlFlow::Continue(raised)
    }
}
