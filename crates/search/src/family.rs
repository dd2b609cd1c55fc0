//! Families of puzzles: their description, and the trait by which another crate adds one.

use crate::error::Error;
use crate::frontend::DynPuzzle;

/// A family of puzzles that differ in size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Family {
    /// The pattern of its names, such as `tiles-RxC`.
    pub name: &'static str,
    /// Aliases of single puzzles.
    pub aliases: &'static [&'static str],
    /// A description.
    pub what: &'static str,
    /// The notation of moves.
    pub moves: &'static str,
    /// The goals, the default first.
    pub goals: &'static [&'static str],
    /// The metrics, the default first; empty if there is only one.
    pub metrics: &'static [&'static str],
    /// The name of a puzzle of the family.
    pub example: &'static str,
    /// A position of the puzzle `example`.
    pub position: &'static str,
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
