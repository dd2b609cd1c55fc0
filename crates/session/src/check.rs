//! Requests that need no search: check a position, propose repairs, apply moves.

use serde::{Deserialize, Serialize};

use untumble_search::error::{Diagnostic, Error};
use untumble_search::family::PuzzleSettings;
use untumble_search::frontend::{DynPuzzle, InputFormat, InputKind, Repair};

use crate::error_details::ErrorDetails;
use crate::input::{parse_moves, parse_position};

/// A text to check.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CheckRequest {
    /// A position in any of the puzzle's formats, or moves from solved.
    #[cfg_attr(feature = "openapi", schema(example = "8 6 7 2 5 4 3 0 1"))]
    pub position: String,
    /// Whether the text is a position or moves from solved; detected if omitted.
    #[serde(rename = "as")]
    #[cfg_attr(feature = "openapi", schema(rename = "as"))]
    pub kind: Option<InputKind>,
    /// The goal: a name or a position; the puzzle's default if omitted.
    pub goal: Option<String>,
    /// The metric in which moves are counted; the puzzle's default if omitted.
    pub metric: Option<String>,
}

impl CheckRequest {
    /// The goal and the metric, for opening the puzzle.
    pub fn settings(&self) -> PuzzleSettings {
        PuzzleSettings { goal: self.goal.clone(), metric: self.metric.clone() }
    }
}

/// The result of [`check`] for a well-formed position.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Checked))]
pub struct CheckResult {
    /// The puzzle's full name.
    pub puzzle: String,
    /// The position on one line.
    pub start: String,
    /// Whether any sequence of moves solves the position.
    pub outcome: Solvability,
    /// Whether the position is already solved.
    pub solved: bool,
    /// Why no sequence of moves solves the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The reason as data.
    #[serde(flatten)]
    pub details: ErrorDetails,
    /// The position drawn with characters.
    pub picture: String,
    /// The names of the moves, if the text was moves from solved that lead to this position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<String>>,
    /// The nearest solvable positions; empty if the position is solvable.
    pub repairs: Vec<Repair>,
}

/// Whether a position can be solved.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Verdict))]
pub enum Solvability {
    /// Some sequence of moves solves it.
    Solvable,
    /// No sequence of moves solves it.
    Unsolvable,
}

/// A text that is not a position, with the positions that may have been meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckError {
    /// The error.
    pub why: Box<Diagnostic>,
    /// The nearest solvable positions.
    pub repairs: Vec<Repair>,
}

/// Parses a text and decides whether the position can be solved.
pub fn check(puzzle: &dyn DynPuzzle, request: &CheckRequest) -> Result<CheckResult, CheckError> {
    let format = InputFormat::from(request.kind);
    let repairs = || puzzle.repairs(&request.position, &format);
    let position = match parse_position(puzzle, &request.position, &format) {
        Ok(position) => position,
        Err(why) => return Err(CheckError { why, repairs: repairs() }),
    };
    let solvable = puzzle.check_solvable(&position);
    let start = puzzle.text(&position);
    Ok(CheckResult {
        puzzle: puzzle.title(),
        outcome: if solvable.is_ok() { Solvability::Solvable } else { Solvability::Unsolvable },
        solved: puzzle.is_solved(&position),
        reason: solvable.as_ref().err().map(Error::to_string),
        details: error_details(&solvable),
        picture: puzzle.draw(&position, false),
        moves: move_names(puzzle, &request.position, &format, &start),
        repairs: if solvable.is_ok() { Vec::new() } else { repairs() },
        start,
    })
}

fn error_details(checked: &Result<(), Error>) -> ErrorDetails {
    let error = checked.as_ref().err();
    error.map_or_else(ErrorDetails::default, |error| (&error.diagnostic()).into())
}

/// The names of the moves in a text that is unambiguously moves from solved. `None` if replaying them gives
/// another text than `start`, as after a rotation of the whole cube.
fn move_names(puzzle: &dyn DynPuzzle, text: &str, format: &InputFormat, start: &str) -> Option<Vec<String>> {
    let as_position = InputFormat { kind: Some(InputKind::Position), ..format.clone() };
    let ambiguous = format.kind.is_none() && parse_position(puzzle, text, &as_position).is_ok();
    if format.kind == Some(InputKind::Position) || ambiguous {
        return None;
    }
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or("").trim());
    let path = puzzle.parse_moves(lines.into_iter().find(|line| !line.is_empty())?).ok()?;
    let end = puzzle.apply(&puzzle.solved(), &path).ok()?;
    (puzzle.text(&end) == start).then(|| puzzle.names(&path))
}

/// Moves to apply to a position.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ApplyRequest {
    /// The position before the moves; solved if omitted.
    #[cfg_attr(feature = "openapi", schema(example = "1 2 3 4 5 6 0 7 8"))]
    pub position: Option<String>,
    /// The moves as text, as in the `moves` of an answer.
    #[cfg_attr(feature = "openapi", schema(example = "L L"))]
    pub moves: String,
    /// The goal: a name or a position; the puzzle's default if omitted.
    pub goal: Option<String>,
    /// The metric in which moves are counted; the puzzle's default if omitted.
    pub metric: Option<String>,
}

impl ApplyRequest {
    /// The goal and the metric, for opening the puzzle.
    pub fn settings(&self) -> PuzzleSettings {
        PuzzleSettings { goal: self.goal.clone(), metric: self.metric.clone() }
    }
}

/// The result of [`apply`].
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Applied))]
pub struct ApplyResult {
    /// The puzzle's full name.
    pub puzzle: String,
    /// The position before the moves.
    pub start: String,
    /// The position after the moves.
    pub end: String,
    /// Whether `end` is solved.
    pub solved: bool,
    /// The names of the moves.
    pub moves: Vec<String>,
}

/// Applies moves to a position.
pub fn apply(puzzle: &dyn DynPuzzle, request: &ApplyRequest) -> Result<ApplyResult, Error> {
    let start = match &request.position {
        Some(text) => parse_position(puzzle, text, &InputFormat::default())?,
        None => puzzle.solved(),
    };
    let (path, end) = parse_moves(puzzle, &start, &request.moves)?;
    Ok(ApplyResult {
        puzzle: puzzle.title(),
        start: puzzle.text(&start),
        end: puzzle.text(&end),
        solved: puzzle.is_solved(&end),
        moves: puzzle.names(&path),
    })
}
