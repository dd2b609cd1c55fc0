//! Families of puzzles: what is stated about one, and how another crate adds its own.

use crate::error::Error;
use crate::frontend::DynPuzzle;

/// A family of puzzles that differ in size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Family {
    /// How its names are made.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// What it is.
    pub what: &'static str,
    /// How moves are written.
    pub moves: &'static str,
    /// What one can get to.
    pub goals: &'static [&'static str],
    /// How moves can be counted; empty where there is no choice.
    pub metrics: &'static [&'static str],
    /// A name of the family.
    pub example: &'static str,
    /// A position of that puzzle.
    pub position: &'static str,
}

impl Family {
    /// The name without the size, as a [`PuzzleId`](crate::identity::PuzzleId) names the family: `tiles` of `tiles-RxC`.
    pub fn stem(&self) -> &'static str {
        self.name.split_once('-').map_or(self.name, |(stem, _)| stem)
    }
}

/// The goal and the metric of a puzzle, where they are not the default ones of its family.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(deny_unknown_fields))]
pub struct Settings {
    /// The goal: a name or a position. The default is the first goal of the family.
    pub goal: Option<String>,
    /// The metric in which moves are counted, for puzzles that have several.
    pub metric: Option<String>,
}

/// A family of puzzles that another crate adds to a [`Runtime`](crate::runtime::Runtime).
pub trait PuzzleFamily: Send + Sync {
    /// What is stated about the family.
    fn family(&self) -> &Family;

    /// The puzzle of a name; `None` if no puzzle of the family has that name.
    fn open(&self, name: &str, settings: &Settings) -> Option<Result<Box<dyn DynPuzzle>, Error>>;
}
