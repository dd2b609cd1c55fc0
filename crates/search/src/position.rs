//! Type-erased positions.
//!
//! A position carries the identity of its puzzle, so it can format and draw itself, and a puzzle with
//! another identity refuses it.

use std::any::Any;
use std::sync::Arc;

use crate::error::Error;
use crate::frontend::PuzzleFrontend;
use crate::identity::PuzzleId;

/// A position of some puzzle.
#[derive(Clone)]
pub struct Position(Arc<dyn ErasedPosition>);

trait ErasedPosition: Send + Sync {
    fn id(&self) -> &PuzzleId;
    fn state(&self) -> &dyn Any;
    fn text(&self) -> String;
    fn draw(&self, colour: bool) -> String;
    fn is_solved(&self) -> bool;
}

/// A state with its puzzle, before the types are erased.
struct TypedPosition<P: PuzzleFrontend> {
    puzzle: Arc<P>,
    id: Arc<PuzzleId>,
    state: P::State,
}

impl<P: PuzzleFrontend> ErasedPosition for TypedPosition<P> {
    fn id(&self) -> &PuzzleId {
        &self.id
    }

    fn state(&self) -> &dyn Any {
        &self.state
    }

    fn text(&self) -> String {
        self.puzzle.text(&self.state)
    }

    fn draw(&self, colour: bool) -> String {
        self.puzzle.draw(&self.state, colour)
    }

    fn is_solved(&self) -> bool {
        self.puzzle.start_states(&self.state).iter().any(|start| self.puzzle.is_goal(start))
    }
}

impl Position {
    /// A state of `puzzle`, whose identity is `id`.
    pub(crate) fn new<P: PuzzleFrontend>(puzzle: &Arc<P>, id: &Arc<PuzzleId>, state: P::State) -> Position {
        Position(Arc::new(TypedPosition { puzzle: Arc::clone(puzzle), id: Arc::clone(id), state }))
    }

    /// The state; an error unless `id` is the identity of its puzzle.
    pub(crate) fn state<P: PuzzleFrontend>(&self, id: &PuzzleId) -> Result<&P::State, Error> {
        let foreign = || Error::ForeignPosition { expected: id.to_string(), found: self.id().to_string() };
        self.0.state().downcast_ref().filter(|_| self.id() == id).ok_or_else(foreign)
    }

    /// The identity of the puzzle it belongs to.
    pub fn id(&self) -> &PuzzleId {
        self.0.id()
    }

    /// The position on one line, in a format that the puzzle parses.
    pub fn text(&self) -> String {
        self.0.text()
    }

    /// The position drawn with characters, with ANSI colours if `colour` is set.
    pub fn draw(&self, colour: bool) -> String {
        self.0.draw(colour)
    }

    /// Whether the position is solved.
    pub fn is_solved(&self) -> bool {
        self.0.is_solved()
    }
}

/// The reason why a sequence of moves cannot be applied to a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ApplyError {
    /// The move at this index, from 0, is illegal.
    #[error("move {} is not legal", .0 + 1)]
    Illegal(usize),
    /// The position belongs to another puzzle.
    #[error(transparent)]
    Foreign(#[from] Error),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::{Control, Limits};
    use crate::frontend::{Workload, into_dyn};
    use crate::runtime::Runtime;
    use crate::spec::Spec;
    use crate::tables::InMemory;
    use crate::test_puzzle::TestPuzzle;

    #[test]
    fn a_position_of_another_puzzle_is_an_error() {
        let (small, large) = (into_dyn(TestPuzzle::new(5, &[1; 8])), into_dyn(TestPuzzle::new(6, &[1; 8])));
        let foreign = large.solved();
        let control = Control::default();
        let refused = |error: Error| assert!(matches!(error, Error::ForeignPosition { .. }), "{error}");
        refused(small.check_solvable(&foreign).expect_err("another puzzle"));
        refused(small.offer(&foreign, &[], &control).expect_err("another puzzle"));
        refused(small.finish(&foreign, &[], &control).expect_err("another puzzle"));
        assert!(matches!(small.apply(&foreign, &[]), Err(ApplyError::Foreign(_))));
        let stages = [Spec::plain("bfs", None).into()];
        let prepared = small.prepare(&stages, &Runtime::default(), &control).expect("a known solver");
        refused(prepared.solve(&foreign, &control).expect_err("another puzzle"));
        // A foreign position is formatted by its own puzzle, and `auto` ignores it.
        assert_eq!(small.text(&foreign), large.text(&foreign));
        assert!(small.is_solved(&foreign));
        let workload =
            Workload { position: Some(&foreign), count: 1, limits: Limits::default(), all_solutions: false };
        assert!(!small.auto(&workload, &InMemory::default()).stages.is_empty());
    }

    #[test]
    fn the_same_puzzle_opened_twice_shares_positions() {
        let (one, other) = (into_dyn(TestPuzzle::new(5, &[1; 8])), into_dyn(TestPuzzle::new(5, &[1; 8])));
        assert_eq!(one.check_solvable(&other.solved()), Ok(()));
    }
}
