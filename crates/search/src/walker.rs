//! One mutable board that steps forward and back and prices its moves before
//! they are made: what beam search walks on.

use crate::control::Control;
use crate::heuristic::Heuristic;
use crate::moves::Move;
use crate::puzzle::{Cost, Edge, Puzzle};
use crate::states::hash;

/// A move and what it would lead to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Priced {
    /// The move.
    pub m: Move,
    /// How good its state is; lower is better.
    pub score: Cost,
    /// The hash of its state.
    pub hash: u64,
    /// Whether its state is solved.
    pub solved: bool,
}

/// A board to walk on.
pub trait Walker: Clone + Send {
    /// What `back` needs to undo a step.
    type Undo;

    /// Every move worth trying here, priced without being made.
    fn price(&mut self, out: &mut Vec<Priced>);

    /// Makes a move.
    fn step(&mut self, m: Move) -> Self::Undo;

    /// Takes back the move made last.
    fn back(&mut self, m: Move, undo: Self::Undo);

    /// The solution that the moves walked from the beginning stand for.
    fn answer(&self, walked: &[Move]) -> Vec<Move>;

    /// Told where a beam is stuck: ranks states so that they get away from there, and says for how many levels; further away the more
    /// often that was tried `before` in vain. `None` where it knows nothing better.
    fn perturb(&mut self, _before: u32) -> Option<usize> {
        None
    }

    /// Ranks as before [`Walker::perturb`].
    fn unlure(&mut self) {}

    /// Moves that get further for certain, if not by the shortest way: for a beam that is stuck with much left to do. `None` where
    /// there is little left, or no such way is known.
    fn advance(&self) -> Option<Vec<Move>> {
        None
    }

    /// An answer that begins with what was walked and goes on by means that always come to an end, for a beam that does not.
    /// `None` where there are none, or the control says stop.
    fn finish(&self, _walked: &[Move], _control: &Control) -> Option<Vec<Move>> {
        None
    }
}

/// A walker on any puzzle with any heuristic.
pub struct HeuristicWalker<'a, P: Puzzle, H: Heuristic<P>> {
    puzzle: &'a P,
    heuristic: &'a H,
    state: P::State,
    value: H::Value,
    last: Option<Move>,
}

impl<'a, P: Puzzle, H: Heuristic<P>> HeuristicWalker<'a, P, H> {
    /// A walker at `start`.
    pub fn new(puzzle: &'a P, heuristic: &'a H, start: &P::State) -> HeuristicWalker<'a, P, H> {
        let value = heuristic.start(puzzle, start);
        HeuristicWalker { puzzle, heuristic, state: start.clone(), value, last: None }
    }

    /// The rules.
    pub fn puzzle(&self) -> &'a P {
        self.puzzle
    }

    /// What ranks.
    pub fn heuristic(&self) -> &'a H {
        self.heuristic
    }

    /// Where it stands.
    pub fn state(&self) -> &P::State {
        &self.state
    }
}

impl<P: Puzzle, H: Heuristic<P>> Clone for HeuristicWalker<'_, P, H> {
    fn clone(&self) -> Self {
        HeuristicWalker { state: self.state.clone(), value: self.value.clone(), ..*self }
    }
}

/// Above every bound: nothing is pruned while pricing.
const NO_LIMIT: Cost = Cost::MAX;

impl<P: Puzzle, H: Heuristic<P>> Walker for HeuristicWalker<'_, P, H> {
    type Undo = (P::State, H::Value, Option<Move>);

    fn price(&mut self, out: &mut Vec<Priced>) {
        for m in self.puzzle.legal(&self.state) - self.puzzle.undo(self.last) {
            let edge = Edge { puzzle: self.puzzle, parent: &self.state, m };
            let score = match self.heuristic.step(&self.value, &edge, NO_LIMIT) {
                Ok(value) => self.heuristic.cost(&value),
                Err(h) => h,
            };
            let child = edge.child();
            let solved = self.puzzle.is_goal(&child);
            out.push(Priced { m, score, hash: hash(&self.puzzle.pack(&child)), solved });
        }
    }

    fn step(&mut self, m: Move) -> Self::Undo {
        let edge = Edge { puzzle: self.puzzle, parent: &self.state, m };
        let child = edge.child();
        let value = self
            .heuristic
            .step(&self.value, &edge, NO_LIMIT)
            .unwrap_or_else(|_| self.heuristic.start(self.puzzle, &child));
        let state = std::mem::replace(&mut self.state, child);
        let value = std::mem::replace(&mut self.value, value);
        (state, value, self.last.replace(m))
    }

    fn back(&mut self, _m: Move, undo: Self::Undo) {
        (self.state, self.value, self.last) = undo;
    }

    fn answer(&self, walked: &[Move]) -> Vec<Move> {
        walked.to_vec()
    }
}

/// A [`HeuristicWalker`] whose puzzle and heuristic nobody needs to know: one beam search is compiled for all of them. Walkers that were
/// written for speed are better off with one of their own.
pub struct DynWalker<'a>(Box<dyn Strolls + 'a>);

impl<'a> DynWalker<'a> {
    /// A walker at `start`.
    pub fn new<P: Puzzle, H: Heuristic<P>>(
        puzzle: &'a P,
        heuristic: &'a H,
        start: &P::State,
    ) -> DynWalker<'a> {
        DynWalker(Box::new((HeuristicWalker::new(puzzle, heuristic, start), Vec::new())))
    }
}

/// What [`DynWalker`] needs of a stroll; what undoes its steps it keeps itself.
trait Strolls: Send + Sync {
    fn price(&mut self, out: &mut Vec<Priced>);
    fn step(&mut self, m: Move);
    fn back(&mut self, m: Move);
    fn copy<'a>(&self) -> Box<dyn Strolls + 'a>
    where
        Self: 'a;
}

type Steps<'a, P, H> = Vec<<HeuristicWalker<'a, P, H> as Walker>::Undo>;

impl<'s, P: Puzzle, H: Heuristic<P>> Strolls for (HeuristicWalker<'s, P, H>, Steps<'s, P, H>) {
    fn price(&mut self, out: &mut Vec<Priced>) {
        self.0.price(out);
    }

    fn step(&mut self, m: Move) {
        let undo = self.0.step(m);
        self.1.push(undo);
    }

    fn back(&mut self, m: Move) {
        if let Some(undo) = self.1.pop() {
            self.0.back(m, undo);
        }
    }

    fn copy<'a>(&self) -> Box<dyn Strolls + 'a>
    where
        Self: 'a,
    {
        Box::new((self.0.clone(), Vec::new()))
    }
}

impl Clone for DynWalker<'_> {
    /// Stands in the same place; only steps made after this are taken back.
    fn clone(&self) -> Self {
        DynWalker(self.0.copy())
    }
}

impl Walker for DynWalker<'_> {
    type Undo = ();

    fn price(&mut self, out: &mut Vec<Priced>) {
        self.0.price(out);
    }

    fn step(&mut self, m: Move) {
        self.0.step(m);
    }

    fn back(&mut self, m: Move, (): ()) {
        self.0.back(m);
    }

    fn answer(&self, walked: &[Move]) -> Vec<Move> {
        walked.to_vec()
    }
}
