//! Lower bounds, carried from node to node as a small value.

use crate::moves::Move;
use crate::puzzle::{Cost, Edge, Puzzle};
use crate::walker::DynWalker;

/// What holds for the values of a heuristic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Admissibility {
    /// Nothing: solutions are not proven optimal.
    None,
    /// Never above the cost of an optimal solution.
    Admissible,
    /// Admissible, and a move lowers the value by at most its cost: bidirectional pathmax cannot help and is
    /// compiled out.
    Consistent,
}

impl Admissibility {
    /// From the weakest to the strongest.
    pub const ALL: [Admissibility; 3] =
        [Admissibility::None, Admissibility::Admissible, Admissibility::Consistent];

    /// The name in listings.
    pub fn name(self) -> &'static str {
        match self {
            Admissibility::None => "none",
            Admissibility::Admissible => "admissible",
            Admissibility::Consistent => "consistent",
        }
    }
}

/// An estimate of the cost still to pay. It is 0 on every goal.
pub trait Heuristic<P: Puzzle>: Send + Sync + 'static {
    /// What each node carries.
    type Value: Clone + Send + Sync;

    /// Whether [`Heuristic::prefetch`] is worth calling for all moves before the first is made.
    const PREFETCHES: bool = false;

    /// What it promises.
    fn admissibility(&self) -> Admissibility;

    /// The value of a state from scratch.
    fn start(&self, puzzle: &P, state: &P::State) -> Self::Value;

    /// The value of a child, or `Err(h)` as soon as `h > left` is known for
    /// some `h` that is at most the child's bound: the mirror, the second table stay untouched.
    #[inline]
    fn step(&self, _value: &Self::Value, edge: &Edge<'_, P>, left: Cost) -> Result<Self::Value, Cost> {
        let value = self.start(edge.puzzle, &edge.child());
        let h = self.cost(&value);
        if h > left { Err(h) } else { Ok(value) }
    }

    /// Asks for the memory that `step` is about to read.
    #[inline]
    fn prefetch(&self, _value: &Self::Value, _edge: &Edge<'_, P>, _left: Cost) {}

    /// The bound a value stands for.
    fn cost(&self, value: &Self::Value) -> Cost;
}

/// No knowledge at all: turns A* into uniform-cost search and IDA* into
/// iterative deepening.
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
    fn step(&self, (): &(), _edge: &Edge<'_, P>, _left: Cost) -> Result<(), Cost> {
        Ok(())
    }

    #[inline]
    fn cost(&self, (): &()) -> Cost {
        0
    }
}

/// The larger of two bounds, the first one tried first.
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
    fn step(&self, value: &Self::Value, edge: &Edge<'_, P>, left: Cost) -> Result<Self::Value, Cost> {
        let first = self.0.step(&value.0, edge, left)?;
        let second = self.1.step(&value.1, edge, left)?;
        Ok((first, second))
    }

    #[inline]
    fn prefetch(&self, value: &Self::Value, edge: &Edge<'_, P>, left: Cost) {
        self.0.prefetch(&value.0, edge, left);
        self.1.prefetch(&value.1, edge, left);
    }

    #[inline]
    fn cost(&self, value: &Self::Value) -> Cost {
        self.0.cost(&value.0).max(self.1.cost(&value.1))
    }
}

/// A child and its lower bound, as [`DynHeuristic::price_children`] reports it.
pub struct PricedChild<P: Puzzle> {
    /// The move from the parent.
    pub m: Move,
    /// The state after the move.
    pub state: P::State,
    /// The heuristic value of that state.
    pub h: Cost,
}

/// A heuristic with its value type erased, for searches that price a whole expansion at a time.
///
/// One virtual call per expansion costs A* 2 to 3 % and saves an instantiation of the search for
/// every heuristic; IDA*, which evaluates every node, keeps the static type.
pub trait DynHeuristic<P: Puzzle>: Send + Sync + 'static {
    /// See [`Heuristic::admissibility`].
    fn dyn_admissibility(&self) -> Admissibility;

    /// The heuristic value of a state, from scratch.
    fn estimate(&self, puzzle: &P, state: &P::State) -> Cost;

    /// Appends the children of `state` whose value leaves `cost(m) + h` within `budget`, in the order
    /// of `moves`. Returns the value of `state` itself.
    fn price_children(
        &self,
        puzzle: &P,
        state: &P::State,
        moves: P::Moves,
        budget: Cost,
        children: &mut Vec<PricedChild<P>>,
    ) -> Cost;

    /// A walker at `start` that ranks states by this heuristic.
    fn walker<'a>(&'a self, puzzle: &'a P, start: &P::State) -> DynWalker<'a>;
}

impl<P: Puzzle, H: Heuristic<P>> DynHeuristic<P> for H {
    fn dyn_admissibility(&self) -> Admissibility {
        self.admissibility()
    }

    fn estimate(&self, puzzle: &P, state: &P::State) -> Cost {
        self.cost(&self.start(puzzle, state))
    }

    fn price_children(
        &self,
        puzzle: &P,
        state: &P::State,
        moves: P::Moves,
        budget: Cost,
        children: &mut Vec<PricedChild<P>>,
    ) -> Cost {
        let value = self.start(puzzle, state);
        for m in moves {
            let edge = Edge { puzzle, parent: state, m };
            let left = budget.saturating_sub(puzzle.cost(m));
            if let Ok(value) = self.step(&value, &edge, left) {
                children.push(PricedChild { m, state: edge.child(), h: self.cost(&value) });
            }
        }
        self.cost(&value)
    }

    fn walker<'a>(&'a self, puzzle: &'a P, start: &P::State) -> DynWalker<'a> {
        DynWalker::new(puzzle, self, start)
    }
}

/// The largest of any number of bounds, each computed from scratch: for the
/// mixes that nobody needs fast enough to deserve a type of their own.
pub struct Largest<P: Puzzle>(pub Vec<Box<dyn DynHeuristic<P>>>);

impl<P: Puzzle> Heuristic<P> for Largest<P> {
    type Value = Cost;

    fn admissibility(&self) -> Admissibility {
        self.0.iter().map(|part| part.dyn_admissibility()).min().unwrap_or(Admissibility::Consistent)
    }

    fn start(&self, puzzle: &P, state: &P::State) -> Cost {
        self.0.iter().map(|part| part.estimate(puzzle, state)).max().unwrap_or(0)
    }

    fn step(&self, _value: &Cost, edge: &Edge<'_, P>, left: Cost) -> Result<Cost, Cost> {
        let child = edge.child();
        let mut largest = 0;
        for part in &self.0 {
            largest = largest.max(part.estimate(edge.puzzle, &child));
            if largest > left {
                return Err(largest);
            }
        }
        Ok(largest)
    }

    fn cost(&self, value: &Cost) -> Cost {
        *value
    }
}
