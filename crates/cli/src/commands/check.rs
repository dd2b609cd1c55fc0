//! `untumble check`: validates a position, decides whether it is solvable, and replays moves on it.

use std::io::{self, IsTerminal};

use serde::Serialize;

use untumble_search::error::{Diagnostic, Error};
use untumble_search::frontend::{DynPuzzle, InputFormat, Position};
use untumble_search::moves::Move;
use untumble_search::puzzle::Cost;
use untumble_search::runtime::Runtime;
use untumble_session::{ErrorDetails, Repair, number_format};

use crate::answer::InvalidLine;
use crate::cli::Check;
use crate::exit::{CliError, Exit};
use crate::explain::{InputWarnings, explain};
use crate::output::{self, Answers, LimitedErrors};
use crate::position_reader::InvalidPosition;
use crate::puzzle_input;

/// Checks every position of the input in turn.
pub(crate) fn run(arguments: &Check) -> Result<Exit, CliError> {
    let puzzle = puzzle_input::open_puzzle(&arguments.puzzle)?;
    let format = puzzle_input::input_format(&*puzzle, &arguments.input.format_args)?;
    let moves = match &arguments.moves {
        Some(text) => Some(parse_moves(&*puzzle, text, arguments.json)?),
        None => None,
    };
    let text = puzzle_input::read_input(&*puzzle, &format, &arguments.input)?;
    let mut checker = Checker { arguments, puzzle: &*puzzle, moves, answers: Answers::new() };
    let warnings = InputWarnings::default();
    let mut errors = LimitedErrors::default();
    let mut worst = None;
    for item in text.positions(&*puzzle, &format) {
        warnings.add(item.warning.as_deref(), arguments.puzzle.goal.as_deref(), output::warning);
        let failed = match item.result {
            Ok(position) => match checker.check(&position)? {
                Ok(()) => None,
                Err(error @ Error::Parse(_)) => {
                    let text = puzzle.text(&position);
                    Some((Exit::Invalid, InvalidPosition::new(&text, Box::new(error.diagnostic()))))
                }
                Err(error) => {
                    let text = puzzle.text(&position);
                    let invalid = InvalidPosition::new(&text, Box::new(error.diagnostic()));
                    match CliError::from(error) {
                        CliError::Failed { exit, .. } => Some((exit, invalid)),
                        closed @ CliError::OutputClosed => return Err(closed),
                    }
                }
            },
            Err(invalid) => Some((Exit::Invalid, invalid)),
        };
        let exit = match failed {
            None => Exit::Success,
            Some((exit, invalid)) => {
                checker.answers.flush()?;
                errors.add(&format!("{}{}", text.location(item.line), invalid.message));
                let repairs = puzzle.repairs(&invalid.text, &format);
                if !arguments.json {
                    repairs.iter().for_each(|repair| output::note(&repair_text(repair)));
                } else if exit == Exit::Invalid {
                    let line = InvalidLine::new(&*puzzle, item.line, &invalid);
                    checker.answers.json(&line.with_repairs(repairs))?;
                }
                exit
            }
        };
        worst = worst.max(Some(exit));
    }
    checker.answers.flush()?;
    worst.ok_or_else(|| text.no_position(&*puzzle, &arguments.puzzle.name, "check"))
}

/// A repair as a line for people.
fn repair_text(repair: &Repair) -> String {
    format!("repair: {} ({})", repair.position, repair.what)
}

/// Parses the moves of `--moves`. With `json`, an error is also printed as an answer.
pub(super) fn parse_moves(puzzle: &dyn DynPuzzle, text: &str, json: bool) -> Result<Vec<Move>, CliError> {
    puzzle.parse_moves(text).or_else(|why| Err(reject_moves(puzzle, None, text, &why, json)?))
}

/// The error of the moves of `--moves`, which is also printed as an answer with `json`. `start` is the
/// position that they should solve.
pub(super) fn reject_moves(
    puzzle: &dyn DynPuzzle,
    start: Option<&str>,
    moves: &str,
    why: &Diagnostic,
    json: bool,
) -> Result<CliError, CliError> {
    if json {
        let invalid = InvalidPosition::new(moves, Box::new(why.clone()));
        let mut answers = Answers::new();
        answers.json(&InvalidLine::of_moves(puzzle, start, &invalid))?;
        answers.flush()?;
    }
    Ok(CliError::invalid("--moves: ", why))
}

/// One line of JSON.
#[derive(Serialize, Debug)]
struct CheckLine {
    puzzle: String,
    start: String,
    /// `solvable` or `unsolvable`; a text that is not a position becomes an [`InvalidLine`].
    outcome: &'static str,
    /// Whether the position is already solved.
    solved: bool,
    #[serde(flatten)]
    replay: Option<Replay>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(flatten)]
    details: ErrorDetails,
    /// A lower bound on the length of any solution, if the position is solvable.
    #[serde(skip_serializing_if = "Option::is_none")]
    lower_bound: Option<Cost>,
    /// The nearest solvable positions, if the position is not solvable.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    repairs: Vec<Repair>,
}

/// The result of replaying moves on a position.
#[derive(Serialize, Debug)]
struct Replay {
    moves: String,
    length: usize,
    end: String,
    solves: bool,
}

/// Checks positions and prints the results.
struct Checker<'a> {
    arguments: &'a Check,
    puzzle: &'a dyn DynPuzzle,
    moves: Option<Vec<Move>>,
    answers: Answers,
}

impl Checker<'_> {
    /// Checks one position and prints the result. The caller prints the inner error: the position is invalid
    /// or unsolvable, or a move is illegal.
    fn check(&mut self, position: &Position) -> Result<Result<(), Error>, CliError> {
        if !self.arguments.json {
            self.draw(position)?;
        }
        let solvable = self.puzzle.check_solvable(position);
        let end = match (&solvable, &self.moves) {
            (Ok(()) | Err(Error::Unsolvable(_)), None) => None,
            (Ok(()) | Err(Error::Unsolvable(_)), Some(moves)) => match self.replay(position, moves) {
                Ok(end) => Some(end),
                Err(illegal) => return Ok(Err(illegal)),
            },
            (Err(_), _) => return Ok(solvable),
        };
        if self.arguments.json {
            let line = self.line(position, &solvable, end.as_ref())?;
            self.answers.json(&line)?;
        } else {
            self.print_verdict(position, solvable.is_ok(), end.as_ref())?;
        }
        Ok(solvable)
    }

    /// The position after the moves.
    fn replay(&self, position: &Position, moves: &[Move]) -> Result<Position, Error> {
        untumble_session::replay(self.puzzle, position, moves)
    }

    /// A lower bound on the length of any solution.
    fn lower_bound(&self, position: &Position) -> Result<Cost, Error> {
        self.puzzle.lower_bound(position, &Runtime::default())
    }

    fn line(
        &self,
        position: &Position,
        solvable: &Result<(), Error>,
        end: Option<&Position>,
    ) -> Result<CheckLine, Error> {
        let moves = self.moves.as_deref().unwrap_or_default();
        let start = self.puzzle.text(position);
        Ok(CheckLine {
            lower_bound: solvable.is_ok().then(|| self.lower_bound(position)).transpose()?,
            repairs: match solvable {
                Ok(()) => Vec::new(),
                Err(_) => self.puzzle.repairs(&start, &InputFormat::default()),
            },
            puzzle: self.puzzle.title(),
            start,
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
        })
    }

    /// Prints whether the position is solved, or the steps of the moves. The caller prints the error of an
    /// unsolvable position.
    fn print_verdict(
        &mut self,
        position: &Position,
        solvable: bool,
        end: Option<&Position>,
    ) -> Result<(), CliError> {
        let Some(end) = end else {
            return match (solvable, self.puzzle.is_solved(position)) {
                (false, _) => Ok(()),
                (true, true) => self.answers.line("solved"),
                (true, false) => {
                    let bound = self.lower_bound(position)?;
                    self.answers.line(&format!("not solved; solvable; lower bound {bound}"))
                }
            };
        };
        self.draw_steps(position)?;
        let moves = self.moves.as_deref().unwrap_or_default();
        let count = number_format::pluralize(moves.len() as u64, "move");
        let verdict = if self.puzzle.is_solved(end) { "solved" } else { "not solved" };
        self.answers.line(&format!("{verdict} after {count}"))
    }

    /// Draws the position after each move, or after the first and the last three.
    fn draw_steps(&mut self, start: &Position) -> Result<(), CliError> {
        const MAX_DRAWN: usize = 30;
        const DRAWN_AT_ENDS: usize = 3;
        let moves = self.moves.take().unwrap_or_default();
        let draw_all = self.arguments.every || moves.len() <= MAX_DRAWN;
        let mut position = start.clone();
        for (index, &m) in moves.iter().enumerate() {
            // The whole sequence is legal, so each of its moves is.
            if let Ok(next) = self.puzzle.apply(&position, &[m]) {
                position = next;
            }
            if draw_all || index < DRAWN_AT_ENDS || index + DRAWN_AT_ENDS >= moves.len() {
                self.answers.line(&format!("move {}: {}", index + 1, self.puzzle.format_moves(&[m])))?;
                self.draw(&position)?;
            } else if index == DRAWN_AT_ENDS {
                let skipped = moves.len() - 2 * DRAWN_AT_ENDS;
                self.answers.line(&format!("… {skipped} moves (draw them with --every)\n"))?;
            }
        }
        self.moves = Some(moves);
        Ok(())
    }

    fn draw(&mut self, position: &Position) -> Result<(), CliError> {
        let colour = output::colours_enabled(io::stdout().is_terminal());
        self.answers.line(self.puzzle.draw(position, colour).trim_end())?;
        self.answers.line("")
    }
}
