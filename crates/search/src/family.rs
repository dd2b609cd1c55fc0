//! Families of puzzles: their description, and the trait by which another crate adds one.

use crate::error::Error;
use crate::frontend::DynPuzzle;

/// A puzzle of a family that front ends offer in a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ListedPuzzle {
    /// A name that opens it.
    pub name: &'static str,
    /// A heading of a few words.
    pub title: &'static str,
}

/// A size in the names of a family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SizeParameter {
    /// The part of the family's name that stands for the number; it occurs there once.
    pub symbol: &'static str,
    /// The name of the size, as in the shape of a puzzle: `rows`.
    pub name: &'static str,
    /// The smallest number.
    pub min: usize,
    /// The largest number.
    pub max: usize,
}

/// A family of puzzles that differ in size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Family {
    /// The pattern of its names, such as `tiles-RxC`.
    pub name: &'static str,
    /// A heading of a few words, such as `Sliding tiles`.
    pub title: &'static str,
    /// The sizes in the name, in order; empty if the family has only one puzzle.
    pub sizes: &'static [SizeParameter],
    /// Well-known puzzles of the family; at least one.
    pub puzzles: &'static [ListedPuzzle],
    /// A description.
    pub what: &'static str,
    /// Aliases of single puzzles.
    pub aliases: &'static [&'static str],
    /// The notation of moves.
    pub moves: &'static str,
    /// The goals for a reader, the default first: names, and words for a goal that has no name.
    pub goals: &'static [&'static str],
    /// The names of the goals, the default first.
    pub goal_names: &'static [&'static str],
    /// Whether a position is accepted as the goal, too.
    pub any_goal: bool,
    /// The metrics, the default first; empty if there is only one.
    pub metrics: &'static [&'static str],
    /// The name of a puzzle of the family.
    pub example: &'static str,
    /// A position of the puzzle `example`.
    #[cfg_attr(feature = "serde", serde(rename = "position"))]
    pub example_position: &'static str,
}

impl Family {
    /// The name without the size, as in a [`PuzzleId`](crate::identity::PuzzleId): `tiles` of `tiles-RxC`.
    pub fn base_name(&self) -> &'static str {
        self.name.split_once('-').map_or(self.name, |(stem, _)| stem)
    }
}

/// The goal and the metric of a puzzle, if not the defaults of its family.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(deny_unknown_fields))]
pub struct PuzzleSettings {
    /// The goal: a name or a position. The default is the first goal of the family.
    pub goal: Option<String>,
    /// The metric in which moves are counted, for puzzles that have several.
    pub metric: Option<String>,
}

/// A family of puzzles that another crate adds to a [`Runtime`](crate::runtime::Runtime).
pub trait PuzzleFamily: Send + Sync {
    /// The description of the family.
    fn family(&self) -> &Family;

    /// Opens a puzzle by name; `None` if no puzzle of the family has that name.
    fn open(&self, name: &str, settings: &PuzzleSettings) -> Option<Result<Box<dyn DynPuzzle>, Error>>;
}
