//! `untumble check`: is this a position, can it be solved, do these moves solve it.

use std::io::{self, IsTerminal};

use serde::Serialize;

use untumble_search::error::Error;
use untumble_search::frontend::{DynPuzzle, Position};
use untumble_search::moves::Move;
use untumble_session::ErrorDetails;

use crate::answer::Refusal;
use crate::cli::Check;
use crate::exit::{CliError, Exit};
use crate::explain::explain;
use crate::open;
use crate::output::{self, Answers};
use crate::reading::{BadPosition, Complaints};
use untumble_session::figures;

/// Checks every position of the input in turn.
pub(crate) fn run(arguments: &Check) -> Result<Exit, CliError> {
    let puzzle = open::puzzle(&arguments.puzzle)?;
    let form = open::form(&*puzzle, &arguments.input.reading)?;
    let moves = match &arguments.moves {
        Some(text) => Some(parse_moves(&*puzzle, text)?),
        None => None,
    };
    let text = open::text(&*puzzle, &form, &arguments.input)?;
    let mut desk = Desk { arguments, puzzle: &*puzzle, moves, answers: Answers::new() };
    let mut complaints = Complaints::default();
    let mut worst = None;
    for item in text.positions(&*puzzle, &form) {
        let bad = match item.found {
            Ok(position) => match desk.check(&position)? {
                Ok(()) => None,
                Err(error @ Error::Parse(_)) => {
                    let text = puzzle.text(&position);
                    Some((Exit::Invalid, BadPosition::new(&text, Box::new(error.diagnostic()))))
                }
                Err(error) => {
                    let text = puzzle.text(&position);
                    let bad = BadPosition::new(&text, Box::new(error.diagnostic()));
                    match CliError::from(error) {
                        CliError::Told { exit, .. } => Some((exit, bad)),
                        closed @ CliError::OutputClosed => return Err(closed),
                    }
                }
            },
            Err(bad) => Some((Exit::Invalid, bad)),
        };
        let exit = match bad {
            None => Exit::Solved,
            Some((exit, bad)) => {
                desk.answers.flush()?;
                complaints.add(&format!("{}{}", text.place(item.line), bad.message));
                if arguments.json && exit == Exit::Invalid {
                    desk.answers.json(&Refusal::new(&*puzzle, item.line, &bad))?;
                }
                exit
            }
        };
        worst = worst.max(Some(exit));
    }
    desk.answers.flush()?;
    worst.ok_or_else(|| text.empty(&*puzzle, &arguments.puzzle.name, "check"))
}

/// The moves that `--moves` gives.
pub(super) fn parse_moves(puzzle: &dyn DynPuzzle, text: &str) -> Result<Vec<Move>, CliError> {
    puzzle.parse_moves(text).map_err(|why| CliError::invalid("--moves: ", &why))
}

/// One line of JSON.
#[derive(Serialize, Debug)]
struct Checked {
    puzzle: String,
    start: String,
    /// `solvable` or `unsolvable`; what is no position becomes a [`Refusal`].
    outcome: &'static str,
    /// Whether the position is solved as it stands.
    solved: bool,
    #[serde(flatten)]
    replay: Option<Replay>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(flatten)]
    details: ErrorDetails,
}

/// What moves make of a position.
#[derive(Serialize, Debug)]
struct Replay {
    moves: String,
    length: usize,
    end: String,
    solves: bool,
}

struct Desk<'a> {
    arguments: &'a Check,
    puzzle: &'a dyn DynPuzzle,
    moves: Option<Vec<Move>>,
    answers: Answers,
}

impl Desk<'_> {
    /// Says all about one position, except what is wrong with it.
    fn check(&mut self, position: &Position) -> Result<Result<(), Error>, CliError> {
        if !self.arguments.json {
            self.draw(position)?;
        }
        let solvable = self.puzzle.check(position);
        let end = match (&solvable, &self.moves) {
            (Err(Error::Unsolvable(_)), _) | (Ok(()), None) => None,
            (Ok(()), Some(moves)) => match self.replay(position, moves) {
                Ok(end) => Some(end),
                Err(illegal) => return Ok(Err(illegal)),
            },
            (Err(_), _) => return Ok(solvable),
        };
        if self.arguments.json {
            let checked = self.checked(position, &solvable, end.as_ref());
            self.answers.json(&checked)?;
        } else if solvable.is_ok() {
            self.tell(position, end.as_ref())?;
        }
        Ok(solvable)
    }

    /// Where the moves lead.
    fn replay(&self, position: &Position, moves: &[Move]) -> Result<Position, Error> {
        untumble_session::replay(self.puzzle, position, moves)
    }

    fn checked(&self, position: &Position, solvable: &Result<(), Error>, end: Option<&Position>) -> Checked {
        let moves = self.moves.as_deref().unwrap_or_default();
        Checked {
            puzzle: self.puzzle.title(),
            start: self.puzzle.text(position),
            outcome: if solvable.is_ok() { "solvable" } else { "unsolvable" },
            solved: self.puzzle.is_solved(position),
            replay: end.map(|end| Replay {
                moves: self.puzzle.format_moves(moves),
                length: moves.len(),
                end: self.puzzle.text(end),
                solves: self.puzzle.is_solved(end),
            }),
            error: solvable.as_ref().err().map(|error| explain(&error.diagnostic())),
            details: solvable
                .as_ref()
                .err()
                .map_or_else(ErrorDetails::default, |error| (&error.diagnostic()).into()),
        }
    }

    fn tell(&mut self, position: &Position, end: Option<&Position>) -> Result<(), CliError> {
        let Some(end) = end else {
            let verdict =
                if self.puzzle.is_solved(position) { "solved" } else { "not solved; it can be solved" };
            return self.answers.line(verdict);
        };
        self.draw_steps(position)?;
        let moves = self.moves.as_deref().unwrap_or_default();
        let count = figures::counted(moves.len() as u64, "move");
        let verdict = if self.puzzle.is_solved(end) { "solved" } else { "not solved" };
        self.answers.line(&format!("{verdict} after {count}"))
    }

    /// The position after each move, or after the first and the last few.
    fn draw_steps(&mut self, start: &Position) -> Result<(), CliError> {
        const DRAWN_WHOLE: usize = 30;
        const DRAWN_PART: usize = 3;
        let moves = self.moves.take().unwrap_or_default();
        let whole = self.arguments.every || moves.len() <= DRAWN_WHOLE;
        let mut position = start.clone();
        for (at, &m) in moves.iter().enumerate() {
            // The whole sequence is legal, so each of its moves is.
            if let Ok(next) = self.puzzle.apply(&position, &[m]) {
                position = next;
            }
            if whole || at < DRAWN_PART || at + DRAWN_PART >= moves.len() {
                self.answers.line(&format!("move {}: {}", at + 1, self.puzzle.format_moves(&[m])))?;
                self.draw(&position)?;
            } else if at == DRAWN_PART {
                let left_out = moves.len() - 2 * DRAWN_PART;
                self.answers.line(&format!("… {left_out} moves (--every draws them)\n"))?;
            }
        }
        self.moves = Some(moves);
        Ok(())
    }

    fn draw(&mut self, position: &Position) -> Result<(), CliError> {
        let colour = output::colourful(io::stdout().is_terminal());
        self.answers.line(self.puzzle.draw(position, colour).trim_end())?;
        self.answers.line("")
    }
}
