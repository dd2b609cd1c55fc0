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

/// A family of puzzles that another crate adds to a [`Runtime`](crate::runtime::Runtime).
pub trait PuzzleFamily: Send + Sync {
    /// What is stated about the family.
    fn family(&self) -> &Family;

    /// The puzzle of a name with this goal and metric; `None` where the name is not one of the family's.
    fn open(
        &self,
        name: &str,
        goal: Option<&str>,
        metric: Option<&str>,
    ) -> Option<Result<Box<dyn DynPuzzle>, Error>>;
}
