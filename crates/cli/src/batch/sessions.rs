//! The sessions of a batch: one, or one for each size among the boards of a family, with the identity that
//! the answers of its puzzle carry.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use untumble_search::control::Limits;
use untumble_search::error::Error;
use untumble_search::frontend::Position;
use untumble_search::identity::PuzzleId;
use untumble_search::runtime::Runtime;
use untumble_search::spec::Spec;
use untumble_session::{Plan, PreparedSolvers, Session};

use super::output::AnswerEncoder;
use crate::cli;
use crate::position_reader::InvalidPosition;
use crate::puzzle_set::PuzzleSet;

/// A puzzle of a batch.
pub(crate) struct PuzzleSession {
    pub(crate) session: Session,
    /// The solver; `None` is `auto`.
    pub(crate) solver: Option<Spec>,
    /// Writes the answers to positions of this puzzle.
    pub(crate) encoder: AnswerEncoder,
}

/// A puzzle of a batch with its solvers.
pub(crate) struct PreparedPuzzle {
    pub(crate) puzzle: Arc<PuzzleSession>,
    /// The plan of each position; the task gives the number of threads.
    pub(crate) plan: Plan,
    pub(crate) solvers: PreparedSolvers,
}

/// The puzzles of a batch.
pub(crate) struct BatchSessions {
    runtime: Runtime,
    puzzles: PuzzleSet,
    with: String,
    all_solutions: bool,
    limits: Limits,
    format: cli::Format,
    /// The puzzle; of a family its example, whose encoder writes the answers to texts without a size.
    base: Arc<PuzzleSession>,
    opened: Mutex<HashMap<PuzzleId, Arc<PuzzleSession>>>,
}

impl BatchSessions {
    /// The sessions for a puzzle or a family. The solver is validated here unless it depends on the size.
    pub(crate) fn new(
        arguments: &cli::Batch,
        runtime: &Runtime,
        puzzles: PuzzleSet,
        limits: Limits,
    ) -> Result<BatchSessions, Error> {
        let session = Session::new(runtime, Arc::clone(puzzles.example()));
        let (all_solutions, format) = (arguments.all, arguments.format);
        let solver = match puzzles.is_family() {
            true => None,
            false => session.parse_solver(&arguments.solver.with, all_solutions)?,
        };
        let mut run = session.run_id(solver.as_ref(), all_solutions, limits);
        if puzzles.is_family() {
            run.puzzle = puzzles.id();
            run.solver.clone_from(&arguments.solver.with);
        }
        let encoder = AnswerEncoder::new(format, run);
        Ok(BatchSessions {
            runtime: runtime.clone(),
            puzzles,
            with: arguments.solver.with.clone(),
            all_solutions,
            limits,
            format,
            base: Arc::new(PuzzleSession { session, solver, encoder }),
            opened: Mutex::default(),
        })
    }

    /// The puzzle, or the example of the family.
    pub(crate) fn base(&self) -> &Arc<PuzzleSession> {
        &self.base
    }

    /// The puzzle or the family.
    pub(crate) fn puzzles(&self) -> &PuzzleSet {
        &self.puzzles
    }

    /// The session of a position's puzzle.
    pub(crate) fn of(&self, position: &Position) -> Result<Arc<PuzzleSession>, Error> {
        if !self.puzzles.is_family() {
            return Ok(Arc::clone(&self.base));
        }
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(puzzle) = opened.get(position.id()) {
            return Ok(Arc::clone(puzzle));
        }
        let session = Session::new(&self.runtime, self.puzzles.of_position(position)?);
        let solver = session.parse_solver(&self.with, self.all_solutions)?;
        let run = session.run_id(solver.as_ref(), self.all_solutions, self.limits);
        let encoder = AnswerEncoder::new(self.format, run);
        let puzzle = Arc::new(PuzzleSession { session, solver, encoder });
        opened.insert(position.id().clone(), Arc::clone(&puzzle));
        Ok(puzzle)
    }

    /// Appends the answer to an invalid text on `line` to `out`.
    pub(crate) fn encode_invalid(&self, line: usize, invalid: &InvalidPosition, out: &mut Vec<u8>) {
        let title = self.puzzles.title();
        self.base.encoder.encode_invalid(&**self.base.session.puzzle(), title, line, invalid, out);
    }
}
