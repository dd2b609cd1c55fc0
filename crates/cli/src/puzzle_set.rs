//! The puzzle of a command: one puzzle, or a family whose positions state their size, such as `tiles` for
//! boards of every size.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use untumble_puzzles::catalog::{self, PuzzleSettings};
use untumble_search::error::{Diagnostic, Error};
use untumble_search::frontend::{DynPuzzle, InputFormat, Position};
use untumble_search::identity::PuzzleId;

use crate::cli;
use crate::exit::CliError;
use crate::position_reader::is_position;
use crate::puzzle_input::open_puzzle;

/// One puzzle or the puzzles of a family.
pub(crate) struct PuzzleSet {
    /// The puzzle; of a family its example, whose formats and metric are those of the others.
    example: Arc<dyn DynPuzzle>,
    family: Option<Family>,
}

/// A family and its puzzles that were opened so far, by name.
struct Family {
    name: String,
    settings: PuzzleSettings,
    opened: Mutex<HashMap<String, Arc<dyn DynPuzzle>>>,
}

impl PuzzleSet {
    /// The puzzle or the family that the arguments name.
    pub(crate) fn open(arguments: &cli::Puzzle) -> Result<PuzzleSet, CliError> {
        if !catalog::is_family(&arguments.name) {
            return Ok(PuzzleSet { example: open_puzzle(arguments)?, family: None });
        }
        let name = arguments.name.to_ascii_lowercase();
        let settings = PuzzleSettings { goal: arguments.goal.clone(), metric: arguments.metric.clone() };
        let listed = catalog::families().iter().find(|family| family.base_name() == name);
        let example = listed.map_or(&*name, |family| family.example);
        let example = Arc::from(catalog::open(example, &settings)?);
        Ok(PuzzleSet { example, family: Some(Family { name, settings, opened: Mutex::default() }) })
    }

    /// The puzzle, or an example of the family.
    pub(crate) fn example(&self) -> &Arc<dyn DynPuzzle> {
        &self.example
    }

    /// Whether the positions state their size.
    pub(crate) fn is_family(&self) -> bool {
        self.family.is_some()
    }

    /// The name for texts whose puzzle is unknown.
    pub(crate) fn title(&self) -> String {
        self.family.as_ref().map_or_else(|| self.example.title(), |family| family.name.clone())
    }

    /// The identity of the problem for texts whose puzzle is unknown.
    pub(crate) fn id(&self) -> PuzzleId {
        match &self.family {
            Some(family) => PuzzleId { goal: self.example.id().goal, ..PuzzleId::of(&family.name, None) },
            None => self.example.id(),
        }
    }

    /// The puzzle whose position begins with `line`; `None` if the line is empty or a comment.
    pub(crate) fn of_line(&self, line: &str) -> Result<Option<Arc<dyn DynPuzzle>>, Box<Diagnostic>> {
        let Some(family) = &self.family else { return Ok(Some(Arc::clone(&self.example))) };
        let Some(name) = catalog::puzzle_of_line(line)? else { return Ok(None) };
        family.puzzle(&name).map(Some).map_err(|error| Box::new(error.diagnostic()))
    }

    /// The puzzle of a position that [`PuzzleSet::of_line`]'s puzzle has parsed.
    pub(crate) fn of_position(&self, position: &Position) -> Result<Arc<dyn DynPuzzle>, Error> {
        match &self.family {
            Some(family) => family.puzzle(&position.id().name()),
            None => Ok(Arc::clone(&self.example)),
        }
    }
}

impl Family {
    fn puzzle(&self, name: &str) -> Result<Arc<dyn DynPuzzle>, Error> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(puzzle) = opened.get(name) {
            return Ok(Arc::clone(puzzle));
        }
        let puzzle: Arc<dyn DynPuzzle> = Arc::from(catalog::open(name, &self.settings)?);
        opened.insert(name.to_owned(), Arc::clone(&puzzle));
        Ok(puzzle)
    }
}

/// The puzzle whose positions a text holds.
pub(crate) enum ReaderPuzzles<'a> {
    /// One puzzle.
    One(&'a dyn DynPuzzle),
    /// The puzzle of each position follows from its first line.
    Set {
        set: &'a PuzzleSet,
        /// The puzzle of the current position.
        current: Arc<dyn DynPuzzle>,
    },
}

impl<'a> From<&'a dyn DynPuzzle> for ReaderPuzzles<'a> {
    fn from(puzzle: &'a dyn DynPuzzle) -> ReaderPuzzles<'a> {
        ReaderPuzzles::One(puzzle)
    }
}

impl<'a> From<&'a PuzzleSet> for ReaderPuzzles<'a> {
    fn from(set: &'a PuzzleSet) -> ReaderPuzzles<'a> {
        ReaderPuzzles::Set { set, current: Arc::clone(set.example()) }
    }
}

impl ReaderPuzzles<'_> {
    /// The puzzle of the current position.
    pub(crate) fn puzzle(&self) -> &dyn DynPuzzle {
        match self {
            ReaderPuzzles::One(puzzle) => *puzzle,
            ReaderPuzzles::Set { current, .. } => &**current,
        }
    }

    /// Selects the puzzle of the position that begins with `line`; false if the line begins none.
    pub(crate) fn select(&mut self, line: &str) -> Result<bool, Box<Diagnostic>> {
        if let ReaderPuzzles::Set { set, current } = self {
            match set.of_line(line)? {
                Some(puzzle) => *current = puzzle,
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    /// The name of the puzzle of another size of which the text is a position; `None` with a family.
    pub(crate) fn other_size(&self, text: &str, format: &InputFormat) -> Option<String> {
        let puzzle = match self {
            ReaderPuzzles::One(puzzle) => *puzzle,
            ReaderPuzzles::Set { set, .. } if set.is_family() => return None,
            ReaderPuzzles::Set { set, .. } => &**set.example(),
        };
        if !catalog::is_family(&puzzle.id().family) {
            return None;
        }
        let name = text.lines().find_map(|line| catalog::puzzle_of_line(line).transpose())?.ok()?;
        let other = catalog::open(&name, &PuzzleSettings::default()).ok()?;
        (name != puzzle.id().name() && is_position(&*other, format, text)).then_some(name)
    }
}
