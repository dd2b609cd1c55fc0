//! What can be wrong with the name of a puzzle, its size, its goal or its metric.

use untumble_search::error::{AlternativeKind, Diagnostic, Error, nearest};

use crate::balto::Lattice;
use crate::cube::Metric;
use crate::tiles::{GOAL_NAMES, Size, TilesError};

/// Why a puzzle cannot be opened.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PuzzleError {
    /// There is no such puzzle.
    #[error("{}", no_puzzle(.name.as_deref()))]
    Unknown {
        /// The name, where it is fit to be repeated.
        name: Option<String>,
        /// The name that may be meant.
        near: Option<String>,
    },
    /// A board is too small or too large.
    #[error("tiles go from {least}x{least} to {most}x{most}, not {rows}x{columns}", least = Size::MIN_SIDE, most = Size::MAX_SIDE)]
    TilesSize {
        /// Rows asked for.
        rows: usize,
        /// Columns asked for.
        columns: usize,
    },
    /// No square holds that many tiles.
    #[error(
        "{tiles} tiles and a gap fill no square of {least}x{least} to {most}x{most}; name it by its size, as in tiles-3x4",
        least = Size::MIN_SIDE, most = Size::MAX_SIDE
    )]
    NotASquare {
        /// Tiles asked for.
        tiles: usize,
    },
    /// A hexagon is too small or too large.
    #[error("Balto's hexagons have a side of {} to {}, not {side}", Lattice::LEAST, Lattice::MOST)]
    BaltoSide {
        /// The side asked for.
        side: usize,
    },
    /// The puzzle has no choice of goals.
    #[error("{family} one goal")]
    OnlyOneGoal {
        /// Subject and verb, such as `cubes have`.
        family: &'static str,
    },
    /// The puzzle has no choice of metrics.
    #[error("{family} one metric")]
    OnlyOneMetric {
        /// Subject and verb, such as `cubes have`.
        family: &'static str,
    },
    /// There is no goal of that name.
    #[error("there is no goal `{name}` (goals: {}, or {cells} tile numbers)", GOAL_NAMES.join(", "))]
    UnknownGoal {
        /// The name.
        name: String,
        /// Cells of the board.
        cells: usize,
    },
    /// The arrangement to reach is not one.
    #[error("goal: {0}")]
    Goal(TilesError),
    /// There is no metric of that name.
    #[error("cubes are counted in htm or qtm, not in `{name}`")]
    UnknownMetric {
        /// The name.
        name: String,
    },
    /// A heuristic is for another goal.
    #[error("{heuristic} is defined for {reason}")]
    HeuristicGoal {
        /// The heuristic.
        heuristic: &'static str,
        /// What it needs.
        reason: String,
        /// A goal that it fits, if the puzzle has one.
        goal: Option<&'static str>,
    },
}

fn no_puzzle(name: Option<&str>) -> String {
    name.map_or_else(|| "there is no such puzzle".into(), |name| format!("there is no puzzle `{name}`"))
}

impl PuzzleError {
    fn code(&self) -> &'static str {
        match self {
            PuzzleError::Unknown { .. } => "unknown-puzzle",
            PuzzleError::TilesSize { .. } | PuzzleError::NotASquare { .. } => "unknown-size",
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
            PuzzleError::Unknown { near, .. } => diagnostic.or(AlternativeKind::Puzzle, near),
            PuzzleError::UnknownGoal { name, .. } => {
                diagnostic.or(AlternativeKind::Goal, nearest(&name, GOAL_NAMES))
            }
            // The span is that of the goal's text.
            PuzzleError::Goal(error) => {
                let inner: Box<Diagnostic> = error.into();
                diagnostic.at(inner.span).about(inner.pieces)
            }
            PuzzleError::UnknownMetric { name } => {
                let known = Metric::NAMES.iter().copied();
                diagnostic.or(AlternativeKind::Metric, nearest(&name.to_ascii_lowercase(), known))
            }
            PuzzleError::HeuristicGoal { goal, .. } => diagnostic.or(AlternativeKind::Goal, goal),
            _ => diagnostic,
        }))
    }
}
