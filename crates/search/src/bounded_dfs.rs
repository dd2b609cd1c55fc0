//! One bounded depth-first pass over subtrees: the hot loop of iterative deepening.
//!
//! The pass prunes with a heuristic (IDA\*; Korf 1985), a move automaton (Taylor & Korf, AAAI 1993) and
//! bidirectional pathmax (BPMX; Felner, Zahavi, Schaeffer & Holte, IJCAI 2005). A pass that stops early
//! returns the unsearched part of the tree as [`Subtree`]s. Threads split large subtrees this way,
//! checkpoints store them and devices receive them, so one driver ([`crate::solve::ida`]) and one executor
//! trait ([`crate::executor`]) serve all of these.

use std::borrow::Cow;
use std::ops::ControlFlow;

use crate::control::Meter;
use crate::heuristic::{Admissibility, Heuristic};
use crate::moves::{AutomatonState, Move, MoveAutomaton, MoveMask, MoveSet256};
use crate::puzzle::{Cost, Edge, Puzzle};

/// A part of the search tree: the children by the moves `untried` of the node that `path` reaches from the
/// start state number `root`.
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
    /// The least f-value above the bound of a pruned node, which is the bound of the next pass; `Cost::MAX`
    /// where no node was pruned.
    pub next: Cost,
    /// Generated nodes, pruned ones included.
    pub nodes: u64,
    /// Expanded nodes.
    pub expanded: u64,
    /// Paths to a goal within the bound: one, or all in the modes other than [`SolutionMode::First`].
    pub found: Vec<Vec<Move>>,
    /// The subtrees that were not searched because the meter paused or a solution ended the pass.
    pub rest: Vec<Subtree>,
}

impl PassResult {
    /// The result of a pass over no subtrees.
    pub fn empty() -> PassResult {
        PassResult { next: Cost::MAX, ..PassResult::default() }
    }

    /// Adds the result of another part of the same pass, its unsearched subtrees included.
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
    /// One solution; the first one ends the pass.
    #[default]
    First,
    /// One solution; the pass is still searched to its end, for exact node counts.
    Exhaust,
    /// Every optimal sequence, also two that differ only in the order of commuting moves.
    All,
}

impl SolutionMode {
    /// The mode for the option `all_solutions` and the option `early` of the solver.
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
    fn floor(&self) -> Cost;

    /// The cost of a path.
    fn cost(&self, path: &[Move]) -> Cost;

    /// The solutions to search for.
    fn mode(&self) -> SolutionMode;

    /// The admissibility of the heuristic; without it a finished pass proves no lower bound.
    fn admissibility(&self) -> Admissibility;

    /// The whole tree: one subtree for each start state.
    fn roots(&self) -> Vec<Subtree>;

    /// The whole tree for a pass within `bound`, split as suits the search. The result counts the nodes
    /// searched while splitting; its `rest` is the remaining work of the pass.
    fn split(&self, _bound: Cost, _meter: &mut Meter<'_>) -> PassResult {
        PassResult { rest: self.roots(), ..PassResult::empty() }
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
    /// Whether to use bidirectional pathmax (BPMX). A consistent heuristic gains nothing from it, so the
    /// pass is then compiled without it.
    pub bpmx: bool,
    /// The solutions to search for.
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
        let mut result = PassResult::empty();
        let mut todo = subtrees;
        todo.reverse();
        while let Some(tree) = todo.pop() {
            let Some(end) = descent.enter(&tree, &self.starts[usize::from(tree.root)], bound) else {
                continue;
            };
            let rest = descent.take_unsearched(&tree);
            if end == Interruption::Found {
                let mut path = tree.path;
                path.extend(descent.path.drain(..).rev());
                result.found.push(path);
            }
            descent.path.clear();
            // `todo` is a stack: the deepest subtree is pushed last and searched next, in the original
            // order.
            todo.extend(rest);
            if end == Interruption::Paused || self.mode.stops_at_first() {
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

/// The reason why the search of a subtree was interrupted before its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Interruption {
    Found,
    Paused,
}

/// The recursion of one pass.
struct Descent<'a, 'm, P: Puzzle, H: Heuristic<P>, const BPMX: bool> {
    puzzle: &'a P,
    heuristic: &'a H,
    automaton: &'a MoveAutomaton<P::Moves>,
    cheapest: Cost,
    meter: &'a mut Meter<'m>,
    /// The least amount by which the f-value of a pruned node exceeds the bound.
    excess: Cost,
    expanded: u64,
    /// The current path, last move first. It is filled while the recursion unwinds, so that the descent
    /// itself stores no path.
    path: Vec<Move>,
    /// Filled while unwinding: the length of `path` at each node and the node's untried moves.
    untried: Vec<(usize, P::Moves)>,
}

impl<P: Puzzle, H: Heuristic<P>, const BPMX: bool> Descent<'_, '_, P, H, BPMX> {
    /// Searches one subtree; `None` if it was searched to its end.
    fn enter(&mut self, tree: &Subtree, start: &P::State, bound: Cost) -> Option<Interruption> {
        let node = tree.path.iter().fold(start.clone(), |state, &m| self.puzzle.apply(&state, m));
        let value = self.heuristic.start(self.puzzle, &node);
        let automaton_state = self.automaton.after(&tree.path);
        let spent = self.puzzle.path_cost(&tree.path);
        let h = self.heuristic.cost(&value);
        let Some(budget) = bound.checked_sub(spent).filter(|&budget| h <= budget) else {
            self.excess = self.excess.min(spent.saturating_add(h).saturating_sub(bound));
            return None;
        };
        let end = if tree.path.is_empty() && h == 0 && self.puzzle.is_goal(&node) {
            ControlFlow::Break(Interruption::Found)
        } else if budget < self.cheapest {
            self.excess = self.excess.min(self.cheapest - budget);
            return None;
        } else {
            self.expand(&node, &value, automaton_state, P::Moves::narrow(tree.untried), budget)
        };
        end.break_value()
    }

    /// Converts the untried moves collected while unwinding to subtrees, shallowest first.
    fn take_unsearched(&mut self, tree: &Subtree) -> Vec<Subtree> {
        let length = self.path.len();
        let path = &self.path;
        let rest = self.untried.drain(..).rev().filter(|(_, untried)| !untried.is_empty());
        let subtree = |(depth, untried): (usize, P::Moves)| {
            let mut prefix = tree.path.clone();
            prefix.extend(path[depth..length].iter().rev());
            Subtree { root: tree.root, path: prefix, untried: untried.widen() }
        };
        rest.map(subtree).collect()
    }

    /// Searches a node within the bound. Continues with its h-value, raised by its descendants if `BPMX`.
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
        if budget < self.cheapest {
            self.excess = self.excess.min(self.cheapest - budget);
            return ControlFlow::Continue(h);
        }
        let moves = self.puzzle.legal(state) & self.automaton.allowed(automaton_state);
        self.expand(state, value, automaton_state, moves, budget)
    }

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
                self.excess = self.excess.min(cost - budget);
                continue;
            }
            let edge = Edge { puzzle: self.puzzle, parent: state, m };
            let child_budget = budget - cost;
            let h = match self.heuristic.step(value, &edge, child_budget) {
                Err(h) => {
                    if !BPMX {
                        self.excess = self.excess.min(h - child_budget);
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
                    ControlFlow::Break(end) => {
                        self.path.push(m);
                        self.untried.push((self.path.len(), untried));
                        return ControlFlow::Break(end);
                    }
                },
            };
            if BPMX {
                // BPMX: the inverse leads from the child back to the parent, so h(parent) is at least
                // h(child) minus the cost of the inverse. A move without inverse raises nothing.
                if let Some(back) = self.puzzle.inverse(m) {
                    raised = raised.max(h.saturating_sub(self.puzzle.cost(back)));
                }
                if raised > budget {
                    self.excess = self.excess.min(raised - budget);
                    return ControlFlow::Continue(raised);
                }
                if h > child_budget {
                    self.excess = self.excess.min(h - child_budget);
                }
            }
        }
        ControlFlow::Continue(raised)
    }
}
