//! Heuristics, evaluated incrementally: every node carries a small value from which the value of a child is
//! derived.
//!
//! ```
//! use untumble_search::heuristic::{Admissibility, Heuristic, Max, Zero};
//! use untumble_search::example::{Dial, DialDistance};
//! use untumble_search::puzzle::Edge;
//! use untumble_search::moves::Move;
//!
//! // A counter modulo 10 with the moves +1 and -1, and its exact distance to 0.
//! let puzzle = Dial::new(10);
//! let h = Max(Zero, DialDistance);
//! assert_eq!(Heuristic::<Dial>::admissibility(&h), Admissibility::Consistent);
//! let value = h.start(&puzzle, &4);
//! assert_eq!(Heuristic::<Dial>::cost(&h, &value), 4);
//! // The child 5 has h = 5, which exceeds a budget of 4.
//! let edge = Edge { puzzle: &puzzle, parent: &4, m: Move(0) };
//! assert_eq!(h.step(&value, &edge, 4).err(), Some(5));
//! ```

use crate::moves::Move;
use crate::puzzle::{Cost, Edge, Puzzle};
use crate::walker::DynWalker;

/// The guarantee on the values of a heuristic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Admissibility {
    /// No guarantee: solutions are not proven optimal.
    None,
    /// The value is never above the cost of an optimal solution.
    Admissible,
    /// Admissible, and a move lowers the value by at most its cost. BPMX cannot help and is compiled out.
    Consistent,
}

impl Admissibility {
    /// All values, from the weakest guarantee to the strongest.
    pub const ALL: [Admissibility; 3] =
        [Admissibility::None, Admissibility::Admissible, Admissibility::Consistent];

    /// The name in listings: `none`, `admissible` or `consistent`.
    pub fn name(self) -> &'static str {
        match self {
            Admissibility::None => "none",
            Admissibility::Admissible => "admissible",
            Admissibility::Consistent => "consistent",
        }
    }
}

/// An estimate of the cost from a state to the nearest goal. It is 0 on every goal.
///
/// [`crate::laws::heuristic`] and [`crate::laws::admissible`] check an implementation.
pub trait Heuristic<P: Puzzle>: Send + Sync + 'static {
    /// The data that each node carries, such as table indices or the estimate itself.
    type Value: Clone + Send + Sync;

    /// Whether a search should call [`Heuristic::prefetch`] for all moves of a node before the first
    /// [`Heuristic::step`].
    const PREFETCHES: bool = false;

    /// The guarantee on its values.
    fn admissibility(&self) -> Admissibility;

    /// Computes the value of a state from scratch.
    fn start(&self, puzzle: &P, state: &P::State) -> Self::Value;

    /// Computes the value of a child from the value of its parent.
    ///
    /// If the child's estimate exceeds `budget`, returns `Err(h)`, where `h` also exceeds `budget` and is at
    /// most the estimate. So an implementation may return as soon as a part of the estimate exceeds the
    /// budget, for example before it reads a second table.
    #[inline]
    fn step(&self, _value: &Self::Value, edge: &Edge<'_, P>, budget: Cost) -> Result<Self::Value, Cost> {
        let value = self.start(edge.puzzle, &edge.child());
        let h = self.cost(&value);
        if h > budget { Err(h) } else { Ok(value) }
    }

    /// Prefetches the memory that `step` with the same arguments reads.
    #[inline]
    fn prefetch(&self, _value: &Self::Value, _edge: &Edge<'_, P>, _budget: Cost) {}

    /// The estimate h of a value.
    fn cost(&self, value: &Self::Value) -> Cost;
}

/// The zero heuristic: turns A\* into uniform-cost search and IDA\* into iterative deepening.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zero;

impl<P: Puzzle> Heuristic<P> for Zero {
    type Value = ();

    fn admissibility(&self) -> Admissibility {
        Admissibility::Consistent
    }

    #[inline]
    fn start(&self, _puzzle: &P, _state: &P::State) {}

    #[inline]
    fn step(&self, (): &(), _edge: &Edge<'_, P>, _budget: Cost) -> Result<(), Cost> {
        Ok(())
    }

    #[inline]
    fn cost(&self, (): &()) -> Cost {
        0
    }
}

/// The maximum of two heuristics. If the first one exceeds the budget, the second one is not evaluated.
#[derive(Clone, Debug)]
pub struct Max<A, B>(pub A, pub B);

impl<P: Puzzle, A: Heuristic<P>, B: Heuristic<P>> Heuristic<P> for Max<A, B> {
    type Value = (A::Value, B::Value);

    const PREFETCHES: bool = A::PREFETCHES || B::PREFETCHES;

    fn admissibility(&self) -> Admissibility {
        self.0.admissibility().min(self.1.admissibility())
    }

    fn start(&self, puzzle: &P, state: &P::State) -> Self::Value {
        (self.0.start(puzzle, state), self.1.start(puzzle, state))
    }

    #[inline]
    fn step(&self, value: &Self::Value, edge: &Edge<'_, P>, budget: Cost) -> Result<Self::Value, Cost> {
        let first = self.0.step(&value.0, edge, budget)?;
        let second = self.1.step(&value.1, edge, budget)?;
        Ok((first, second))
    }

    #[inline]
    fn prefetch(&self, value: &Self::Value, edge: &Edge<'_, P>, budget: Cost) {
        self.0.prefetch(&value.0, edge, budget);
        self.1.prefetch(&value.1, edge, budget);
    }

    #[inline]
    fn cost(&self, value: &Self::Value) -> Cost {
        self.0.cost(&value.0).max(self.1.cost(&value.1))
    }
}

/// A child with its heuristic value, from [`DynHeuristic::evaluate_children`].
pub struct EvaluatedChild<P: Puzzle> {
    /// The move from the parent.
    pub m: Move,
    /// The state after the move.
    pub state: P::State,
    /// The heuristic value of that state.
    pub h: Cost,
}

/// A heuristic with its value type erased, for searches that evaluate all children of a node at once.
///
/// One virtual call per expansion costs A\* 2 to 3 % and saves an instantiation of the search for every
/// heuristic. IDA\*, which evaluates every node by itself, keeps the static type.
pub trait DynHeuristic<P: Puzzle>: Send + Sync + 'static {
    /// See [`Heuristic::admissibility`].
    fn dyn_admissibility(&self) -> Admissibility;

    /// The heuristic value h of a state, from scratch.
    fn estimate(&self, puzzle: &P, state: &P::State) -> Cost;

    /// Appends the children of `state` with `cost(m) + h` at most `budget`, in the order of `moves`. Returns
    /// the heuristic value of `state` itself.
    fn evaluate_children(
        &self,
        puzzle: &P,
        state: &P::State,
        moves: P::Moves,
        budget: Cost,
        children: &mut Vec<EvaluatedChild<P>>,
    ) -> Cost;

    /// A beam-search walker at `start` that scores states with this heuristic.
    fn walker<'a>(&'a self, puzzle: &'a P, start: &P::State) -> DynWalker<'a>;
}

impl<P: Puzzle, H: Heuristic<P>> DynHeuristic<P> for H {
    fn dyn_admissibility(&self) -> Admissibility {
        self.admissibility()
    }

    fn estimate(&self, puzzle: &P, state: &P::State) -> Cost {
        self.cost(&self.start(puzzle, state))
    }

    fn evaluate_children(
        &self,
        puzzle: &P,
        state: &P::State,
        moves: P::Moves,
        budget: Cost,
        children: &mut Vec<EvaluatedChild<P>>,
    ) -> Cost {
        let value = self.start(puzzle, state);
        for m in moves {
            let edge = Edge { puzzle, parent: state, m };
            let child_budget = budget.saturating_sub(puzzle.cost(m));
            if let Ok(value) = self.step(&value, &edge, child_budget) {
                children.push(EvaluatedChild { m, state: edge.child(), h: self.cost(&value) });
            }
        }
        self.cost(&value)
    }

    fn walker<'a>(&'a self, puzzle: &'a P, start: &P::State) -> DynWalker<'a> {
        DynWalker::new(puzzle, self, start)
    }
}

/// The maximum of any number of type-erased heuristics, each computed from scratch. [`Max`] is faster for
/// two heuristics of known type.
pub struct DynMax<P: Puzzle>(pub Vec<Box<dyn DynHeuristic<P>>>);

impl<P: Puzzle> Heuristic<P> for DynMax<P> {
    type Value = Cost;

    fn admissibility(&self) -> Admissibility {
        self.0.iter().map(|part| part.dyn_admissibility()).min().unwrap_or(Admissibility::Consistent)
    }

    fn start(&self, puzzle: &P, state: &P::State) -> Cost {
        self.0.iter().map(|part| part.estimate(puzzle, state)).max().unwrap_or(0)
    }

    fn step(&self, _value: &Cost, edge: &Edge<'_, P>, budget: Cost) -> Result<Cost, Cost> {
        let child = edge.child();
        let mut largest = 0;
        for part in &self.0 {
            largest = largest.max(part.estimate(edge.puzzle, &child));
            if largest > budget {
                return Err(largest);
            }
        }
        Ok(largest)
    }

    fn cost(&self, value: &Cost) -> Cost {
        *value
    }
}
