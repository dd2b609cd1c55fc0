//! Is this a position, can it be solved, what may have been meant, and where do moves lead.

use serde::{Deserialize, Serialize};

use untumble_search::error::{Diagnostic, Error};
use untumble_search::frontend::{self, DynPuzzle, InputFormat, InputKind};

use untumble_search::family::Settings;

use crate::asking::{moves, read};
use crate::details::{ErrorDetails, ErrorPiece};

/// A text to be checked.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CheckRequest {
    /// A position in any of the puzzle's formats, or moves from solved.
    #[cfg_attr(feature = "openapi", schema(example = "8 6 7 2 5 4 3 0 1"))]
    pub position: String,
    /// What the text stands for; without it one finds out.
    #[serde(rename = "as")]
    #[cfg_attr(feature = "openapi", schema(rename = "as", value_type = Option<crate::TextKind>))]
    pub kind: Option<InputKind>,
    /// What to get to.
    pub goal: Option<String>,
    /// How moves are counted.
    pub metric: Option<String>,
}

impl CheckRequest {
    /// What the puzzle is told.
    pub fn settings(&self) -> Settings {
        Settings { goal: self.goal.clone(), metric: self.metric.clone() }
    }
}

/// A position near the text that was given.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Repair {
    /// On one line, ready to be read.
    pub position: String,
    /// What was changed, in words.
    pub what: String,
    /// The same for programs.
    pub changes: Vec<RepairChange>,
}

/// One change of a repair.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RepairChange {
    /// `paint`, `turn-clockwise`, `turn-anticlockwise`, `flip`, `exchange` or `replace`.
    #[cfg_attr(feature = "openapi", schema(example = "flip"))]
    pub kind: &'static str,
    /// The pieces; `found` is what is to be there.
    pub pieces: Vec<ErrorPiece>,
}

impl From<frontend::Repair> for Repair {
    fn from(repair: frontend::Repair) -> Repair {
        let change = |change: &frontend::Change| RepairChange {
            kind: change.kind.name(),
            pieces: change.pieces.iter().map(ErrorPiece::from).collect(),
        };
        let changes = repair.changes.iter().map(change).collect();
        Repair { position: repair.position, what: repair.what, changes }
    }
}

/// What there is to say about a position.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Checked {
    /// The puzzle's full name.
    pub puzzle: String,
    /// The position on one line.
    pub start: String,
    /// Whether moves solve it.
    pub outcome: Verdict,
    /// Whether it is solved as it stands.
    pub solved: bool,
    /// Why no moves solve it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The same for programs.
    #[serde(flatten)]
    pub details: ErrorDetails,
    /// The position as a picture of characters.
    pub picture: String,
    /// Where the text was moves from solved that lead to this position: their names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<String>>,
    /// Where no moves solve it: the nearest positions that can be solved.
    pub repairs: Vec<Repair>,
}

/// Whether moves solve a position.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Verdict {
    /// They do.
    Solvable,
    /// None do.
    Unsolvable,
}

/// A text that is no position, and what may have been meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// What is wrong with it.
    pub why: Box<Diagnostic>,
    /// The nearest positions.
    pub repairs: Vec<Repair>,
}

/// Checks a text.
pub fn check(puzzle: &dyn DynPuzzle, request: &CheckRequest) -> Result<Checked, Unreadable> {
    let form = InputFormat::from(request.kind);
    let repairs = || -> Vec<Repair> {
        puzzle.repairs(&request.position, &form).into_iter().map(Repair::from).collect()
    };
    let position = match read(puzzle, &request.position, &form) {
        Ok(position) => position,
        Err(why) => return Err(Unreadable { why, repairs: repairs() }),
    };
    let solvable = puzzle.check(&position);
    let start = puzzle.text(&position);
    Ok(Checked {
        puzzle: puzzle.title(),
        outcome: if solvable.is_ok() { Verdict::Solvable } else { Verdict::Unsolvable },
        solved: puzzle.is_solved(&position),
        reason: solvable.as_ref().err().map(Error::to_string),
        details: details(&solvable),
        picture: puzzle.draw(&position, false),
        moves: given_as_moves(puzzle, &request.position, &form, &start),
        repairs: if solvable.is_ok() { Vec::new() } else { repairs() },
        start,
    })
}

fn details(checked: &Result<(), Error>) -> ErrorDetails {
    let error = checked.as_ref().err();
    error.map_or_else(ErrorDetails::default, |error| (&error.diagnostic()).into())
}

/// The moves of a text that is one thing only, moves from solved, if they lead to the position as it is seen in the end: where
/// a cube is rotated on the way, they do not.
fn given_as_moves(
    puzzle: &dyn DynPuzzle,
    text: &str,
    form: &InputFormat,
    start: &str,
) -> Option<Vec<String>> {
    let position = InputFormat { kind: Some(InputKind::Position), ..form.clone() };
    let doubtful = form.kind.is_none() && read(puzzle, text, &position).is_ok();
    if form.kind == Some(InputKind::Position) || doubtful {
        return None;
    }
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or("").trim());
    let path = puzzle.parse_moves(lines.into_iter().find(|line| !line.is_empty())?).ok()?;
    let end = puzzle.apply(&puzzle.solved(), &path).ok()?;
    (puzzle.text(&end) == start).then(|| puzzle.names(&path))
}

/// Moves to be made.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ApplyRequest {
    /// Where they begin; solved where not given.
    #[cfg_attr(feature = "openapi", schema(example = "1 2 3 4 5 6 0 7 8"))]
    pub position: Option<String>,
    /// The moves as text, such as an answer's.
    #[cfg_attr(feature = "openapi", schema(example = "L L"))]
    pub moves: String,
    /// What to get to.
    pub goal: Option<String>,
    /// How moves are counted.
    pub metric: Option<String>,
}

impl ApplyRequest {
    /// What the puzzle is told.
    pub fn settings(&self) -> Settings {
        Settings { goal: self.goal.clone(), metric: self.metric.clone() }
    }
}

/// Where moves lead.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Applied {
    /// The puzzle's full name.
    pub puzzle: String,
    /// Where they began.
    pub start: String,
    /// Where they end.
    pub end: String,
    /// Whether that is solved.
    pub solved: bool,
    /// Their names, one by one.
    pub moves: Vec<String>,
}

/// Makes moves.
pub fn apply(puzzle: &dyn DynPuzzle, request: &ApplyRequest) -> Result<Applied, Error> {
    let start = match &request.position {
        Some(text) => read(puzzle, text, &InputFormat::default())?,
        None => puzzle.solved(),
    };
    let (path, end) = moves(puzzle, &start, &request.moves)?;
    Ok(Applied {
        puzzle: puzzle.title(),
        start: puzzle.text(&start),
        end: puzzle.text(&end),
        solved: puzzle.is_solved(&end),
        moves: puzzle.names(&path),
    })
}
