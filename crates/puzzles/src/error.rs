//! Errors in the name, size, goal or metric of a puzzle.

use untumble_search::error::{AlternativeKind, Diagnostic, Error, InputText, similar};

use crate::balto::Lattice;
use crate::cube::Metric;
use crate::tiles::{GOAL_NAMES, Size, TilesError};

/// Why a puzzle cannot be opened.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PuzzleError {
    /// No puzzle has that name.
    #[error("{}", unknown_puzzle(.name.as_deref()))]
    Unknown {
        /// The name; `None` if it is too long or has control characters.
        name: Option<String>,
        /// The names that may have been meant, the most similar first.
        near: Vec<String>,
    },
    /// A board of sliding tiles is too small or too large.
    #[error(
        "sliding tiles have sizes from {least}x{least} to {most}x{most}, not {rows}x{columns}",
        least = Size::MIN_SIDE, most = Size::MAX_SIDE
    )]
    TilesSize {
        /// Requested rows.
        rows: usize,
        /// Requested columns.
        columns: usize,
    },
    /// A name such as `16-puzzle` whose number of cells is not a square.
    #[error(
        "{tiles} tiles and a blank do not fill a square of {least}x{least} to {most}x{most}; \
         give rows and columns, as in tiles-3x4",
        least = Size::MIN_SIDE, most = Size::MAX_SIDE
    )]
    NotASquare {
        /// The number of tiles in the name.
        tiles: usize,
    },
    /// A family is named where one of its puzzles is needed.
    #[error("`{family}` names boards of every size; give rows and columns, as in {family}-4x4")]
    NoSize {
        /// The name of the family.
        family: &'static str,
    },
    /// A hexagon of Balto's puzzle is too small or too large.
    #[error("Balto's puzzle has sides of {} to {}, not {side}", Lattice::MIN_SIDE, Lattice::MAX_SIDE)]
    BaltoSide {
        /// The requested side.
        side: usize,
    },
    /// A goal was given for a puzzle with a single goal.
    #[error("{subject_and_verb} one goal")]
    OnlyOneGoal {
        /// Subject and verb, such as `cubes have`.
        subject_and_verb: &'static str,
    },
    /// A metric was given for a puzzle with a single metric.
    #[error("{subject_and_verb} one metric")]
    OnlyOneMetric {
        /// Subject and verb, such as `cubes have`.
        subject_and_verb: &'static str,
    },
    /// No goal has that name.
    #[error("there is no goal `{name}` (goals: {}, or {cells} tile numbers)", GOAL_NAMES.join(", "))]
    UnknownGoal {
        /// The requested goal.
        name: String,
        /// The number of cells of the board.
        cells: usize,
    },
    /// The goal is given as a board, and the board is invalid.
    #[error("goal: {0}")]
    Goal(TilesError),
    /// No metric has that name.
    #[error("there is no metric `{name}` (metrics: htm, qtm){}", slice_metric_note(.name))]
    UnknownMetric {
        /// The requested metric.
        name: String,
    },
    /// The heuristic does not support the goal of the puzzle.
    #[error("{heuristic} is defined for {reason}")]
    HeuristicGoal {
        /// The name of the heuristic.
        heuristic: &'static str,
        /// The goals that the heuristic supports; ends the sentence of the message.
        reason: String,
        /// A supported goal of the puzzle, if there is one.
        goal: Option<&'static str>,
        /// A heuristic that supports every goal of the puzzle, if no goal of it is supported.
        instead: Option<&'static str>,
    },
}

fn unknown_puzzle(name: Option<&str>) -> String {
    name.map_or_else(|| "there is no such puzzle".into(), |name| format!("there is no puzzle `{name}`"))
}

/// Whether a metric counts a slice turn as one move.
fn counts_slice_turns(metric: &str) -> bool {
    ["stm", "sqtm", "slice", "slice-turn"].iter().any(|name| name.eq_ignore_ascii_case(metric))
}

fn slice_metric_note(metric: &str) -> &'static str {
    if counts_slice_turns(metric) { "; a slice turn counts as two face turns, not as one move" } else { "" }
}

/// The boards with this number of cells, the most nearly square first.
fn boards_with(cells: usize) -> Vec<String> {
    let sides = Size::MIN_SIDE..=Size::MAX_SIDE;
    let columns = |rows: usize| cells.is_multiple_of(rows).then(|| cells / rows);
    let board = |rows| columns(rows).filter(|columns| rows <= *columns && sides.contains(columns));
    let name = |rows| board(rows).map(|columns| format!("tiles-{rows}x{columns}"));
    sides.clone().rev().filter_map(name).collect()
}

impl PuzzleError {
    fn code(&self) -> &'static str {
        match self {
            PuzzleError::Unknown { .. } => "unknown-puzzle",
            PuzzleError::TilesSize { .. } | PuzzleError::NotASquare { .. } => "unknown-size",
            PuzzleError::NoSize { .. } => "unknown-size",
            PuzzleError::BaltoSide { .. } => "unknown-size",
            PuzzleError::OnlyOneGoal { .. } => "only-one-goal",
            PuzzleError::OnlyOneMetric { .. } => "only-one-metric",
            PuzzleError::UnknownGoal { .. } => "unknown-goal",
            PuzzleError::Goal(_) => "wrong-goal",
            PuzzleError::UnknownMetric { .. } => "unknown-metric",
            PuzzleError::HeuristicGoal { .. } => "wrong-goal-for-heuristic",
        }
    }
}

impl From<PuzzleError> for Error {
    fn from(error: PuzzleError) -> Error {
        let diagnostic = Diagnostic::new(error.code(), error.to_string());
        Error::Puzzle(Box::new(match error {
            PuzzleError::Unknown { near, .. } => diagnostic.with_alternatives(AlternativeKind::Puzzle, near),
            PuzzleError::NotASquare { tiles } => diagnostic
                .expecting("rows and columns, as in tiles-3x4")
                .with_alternatives(AlternativeKind::Puzzle, boards_with(tiles.saturating_add(1))),
            PuzzleError::UnknownGoal { name, cells } => diagnostic
                .expecting(format!("{}, or {cells} tile numbers", GOAL_NAMES.join(", ")))
                .with_alternatives(AlternativeKind::Goal, similar(&name, GOAL_NAMES).into_iter().take(1)),
            PuzzleError::Goal(error) => {
                let inner: Box<Diagnostic> = error.into();
                diagnostic.at(inner.span).in_text(InputText::Goal).about(inner.pieces)
            }
            PuzzleError::UnknownMetric { name } => {
                let known = Metric::NAMES.iter().copied().filter(|_| !counts_slice_turns(&name));
                diagnostic.expecting(Metric::NAMES.join(", ")).with_alternatives(
                    AlternativeKind::Metric,
                    similar(&name.to_ascii_lowercase(), known).into_iter().take(1),
                )
            }
            PuzzleError::HeuristicGoal { goal, instead, .. } => diagnostic
                .with_alternatives(AlternativeKind::Goal, goal)
                .with_alternatives(AlternativeKind::Solver, instead),
            _ => diagnostic,
        }))
    }
}
