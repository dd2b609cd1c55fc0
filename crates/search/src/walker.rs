//! A walker has one mutable state, makes and undoes moves on it, and scores moves before it makes them.
//!
//! Beam search runs on walkers. A puzzle may implement [`Walker`] for speed; [`HeuristicWalker`] works for
//! every puzzle and heuristic.
//!
//! ```
//! use untumble_search::example::{Dial, DialDistance};
//! use untumble_search::walker::{HeuristicWalker, Walker};
//!
//! // A counter modulo 10 with the moves +1 and -1, and its exact distance to 0 as heuristic.
//! let puzzle = Dial::new(10);
//! let mut walker = HeuristicWalker::new(&puzzle, &DialDistance, &4);
//! let mut moves = Vec::new();
//! walker.score_moves(&mut moves);
//! assert_eq!(moves.iter().map(|scored| scored.score).collect::<Vec<_>>(), [5, 3]);
//! let undo = walker.step(moves[1].m);
//! assert_eq!(*walker.state(), 3);
//! walker.undo(moves[1].m, undo);
//! assert_eq!(*walker.state(), 4);
//! ```

use crate::control::Control;
use crate::heuristic::Heuristic;
use crate::moves::Move;
use crate::puzzle::{Cost, Edge, Puzzle};
use crate::state_table::hash;

/// A move and the evaluation of the state that it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredMove {
    /// The move.
    pub m: Move,
    /// The score of the resulting state; lower is better.
    pub score: Cost,
    /// The hash of the resulting state.
    pub hash: u64,
    /// Whether the resulting state is a goal.
    pub solved: bool,
}

/// A mutable state with incremental scores.
pub trait Walker: Clone + Send {
    /// The data that undoes a step.
    type Undo;

    /// Appends the successors of the state with their scores, without making the moves. A walker may leave
    /// out moves that are not worth trying, such as the inverse of the last one.
    fn score_moves(&mut self, out: &mut Vec<ScoredMove>);

    /// Makes a move.
    fn step(&mut self, m: Move) -> Self::Undo;

    /// Undoes the last step, which made the move `m`.
    fn undo(&mut self, m: Move, undo: Self::Undo);

    /// Converts the `moves` made from the start to a solution of the puzzle. The two differ for walkers
    /// whose moves are not those of the puzzle, such as a walker that moves both the start and the goal.
    fn solution(&self, moves: &[Move]) -> Vec<Move>;

    /// Changes the scores so that a stagnating beam leaves its local minimum. Returns the number of levels
    /// for which the change should last, which grows with the failed `attempts`; `None` if the walker has no
    /// perturbation.
    fn perturb(&mut self, _attempts: u32) -> Option<usize> {
        None
    }

    /// Restores the scores from before [`Walker::perturb`].
    fn end_perturbation(&mut self) {}

    /// Moves that certainly make progress, though not on a shortest path, for a stagnating beam that is far
    /// from the goal. `None` near the goal, or if the walker knows no such moves.
    fn advance(&self) -> Option<Vec<Move>> {
        None
    }

    /// A complete solution that starts with `moves` and continues with a method that always terminates, for
    /// a stagnating beam. `None` if there is no such method, or if `control` stops it.
    fn finish(&self, _moves: &[Move], _control: &Control) -> Option<Vec<Move>> {
        None
    }
}

/// A walker on any puzzle with any heuristic.
pub struct HeuristicWalker<'a, P: Puzzle, H: Heuristic<P>> {
    puzzle: &'a P,
    heuristic: &'a H,
    state: P::State,
    /// The value of the heuristic for `state`.
    value: H::Value,
    last_move: Option<Move>,
}

impl<'a, P: Puzzle, H: Heuristic<P>> HeuristicWalker<'a, P, H> {
    /// A walker at `start`.
    pub fn new(puzzle: &'a P, heuristic: &'a H, start: &P::State) -> HeuristicWalker<'a, P, H> {
        let value = heuristic.start(puzzle, start);
        HeuristicWalker { puzzle, heuristic, state: start.clone(), value, last_move: None }
    }

    /// The rules.
    pub fn puzzle(&self) -> &'a P {
        self.puzzle
    }

    /// The heuristic whose value is the score.
    pub fn heuristic(&self) -> &'a H {
        self.heuristic
    }

    /// The current state.
    pub fn state(&self) -> &P::State {
        &self.state
    }
}

impl<P: Puzzle, H: Heuristic<P>> Clone for HeuristicWalker<'_, P, H> {
    fn clone(&self) -> Self {
        HeuristicWalker { state: self.state.clone(), value: self.value.clone(), ..*self }
    }
}

/// A budget that prunes nothing.
const NO_LIMIT: Cost = Cost::MAX;

impl<P: Puzzle, H: Heuristic<P>> Walker for HeuristicWalker<'_, P, H> {
    type Undo = (P::State, H::Value, Option<Move>);

    fn score_moves(&mut self, out: &mut Vec<ScoredMove>) {
        for m in self.puzzle.legal(&self.state) - self.puzzle.undo_set(self.last_move) {
            let edge = Edge { puzzle: self.puzzle, parent: &self.state, m };
            let score = match self.heuristic.step(&self.value, &edge, NO_LIMIT) {
                Ok(value) => self.heuristic.cost(&value),
                Err(h) => h,
            };
            let child = edge.child();
            let solved = self.puzzle.is_goal(&child);
            out.push(ScoredMove { m, score, hash: hash(&self.puzzle.pack(&child)), solved });
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
        (state, value, self.last_move.replace(m))
    }

    fn undo(&mut self, _m: Move, undo: Self::Undo) {
        (self.state, self.value, self.last_move) = undo;
    }

    fn solution(&self, moves: &[Move]) -> Vec<Move> {
        moves.to_vec()
    }

    fn finish(&self, moves: &[Move], _control: &Control) -> Option<Vec<Move>> {
        Some([moves, &self.puzzle.constructive_solution(&self.state)?].concat())
    }
}

/// A type-erased [`HeuristicWalker`], so that beam search is compiled once for all puzzles and heuristics.
/// Puzzles with a fast walker of their own use it directly.
pub struct DynWalker<'a>(Box<dyn ErasedWalker + 'a>);

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

/// The object-safe part of [`HeuristicWalker`]; the walker stores its undo data itself.
trait ErasedWalker: Send + Sync {
    fn score_moves(&mut self, out: &mut Vec<ScoredMove>);
    fn step(&mut self, m: Move);
    fn undo(&mut self, m: Move);
    fn finish(&self, moves: &[Move], control: &Control) -> Option<Vec<Move>>;
    fn copy<'a>(&self) -> Box<dyn ErasedWalker + 'a>
    where
        Self: 'a;
}

type UndoStack<'a, P, H> = Vec<<HeuristicWalker<'a, P, H> as Walker>::Undo>;

impl<'s, P: Puzzle, H: Heuristic<P>> ErasedWalker for (HeuristicWalker<'s, P, H>, UndoStack<'s, P, H>) {
    fn score_moves(&mut self, out: &mut Vec<ScoredMove>) {
        self.0.score_moves(out);
    }

    fn step(&mut self, m: Move) {
        let undo = self.0.step(m);
        self.1.push(undo);
    }

    fn undo(&mut self, m: Move) {
        if let Some(undo) = self.1.pop() {
            self.0.undo(m, undo);
        }
    }

    fn finish(&self, moves: &[Move], control: &Control) -> Option<Vec<Move>> {
        self.0.finish(moves, control)
    }

    fn copy<'a>(&self) -> Box<dyn ErasedWalker + 'a>
    where
        Self: 'a,
    {
        Box::new((self.0.clone(), Vec::new()))
    }
}

impl Clone for DynWalker<'_> {
    /// The clone is at the same state. It can undo only the steps that it makes itself.
    fn clone(&self) -> Self {
        DynWalker(self.0.copy())
    }
}

impl Walker for DynWalker<'_> {
    type Undo = ();

    fn score_moves(&mut self, out: &mut Vec<ScoredMove>) {
        self.0.score_moves(out);
    }

    fn step(&mut self, m: Move) {
        self.0.step(m);
    }

    fn undo(&mut self, m: Move, (): ()) {
        self.0.undo(m);
    }

    fn solution(&self, moves: &[Move]) -> Vec<Move> {
        moves.to_vec()
    }

    fn finish(&self, moves: &[Move], control: &Control) -> Option<Vec<Move>> {
        self.0.finish(moves, control)
    }
}
