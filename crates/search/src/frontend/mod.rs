//! The interface between puzzles and front ends: descriptions, parsing and formatting, solvers.
//!
//! Three traits are implemented per puzzle: [`PuzzleInfo`] describes it, [`PuzzleText`] parses and formats,
//! [`PuzzleFrontend`] names its solvers. [`DynPuzzle`] is all of them with the types erased. A title and
//! the text of a position are enough to begin with: every other method has a default.

mod defaults;
mod erased;
mod info;
mod input;
mod portfolio;
mod repair;

use std::borrow::Cow;
use std::sync::Arc;

use rand::Rng;

use crate::control::{Control, Stop};
use crate::error::{Diagnostic, Error};
use crate::identity::PuzzleId;
use crate::moves::Move;
pub use crate::perm::below;
pub use crate::position::{ApplyError, Position};
use crate::puzzle::{Cost, Puzzle};
use crate::registry::{BuiltSolver, Registry};
use crate::runtime::Runtime;
use crate::solve::insertion;
use crate::tables::{Table, TableId, Tables, ValueDistribution};
use crate::train::{TrainingConfig, TrainingContext, TrainingError, TrainingResult};

pub use erased::{AutoStages, DynPuzzle, erase_with, into_dyn};
pub use info::{FormatInfo, Preset, Shape};
pub use input::{InputFormat, InputKind, Parsed};
pub use portfolio::{
    Answer, PreparedPortfolio, ProofCost, Stage, StageCost, Workload, distinct_solvers, stage_names,
};
pub use repair::{Change, ChangeKind, Repair};

/// Names and descriptions of a puzzle.
pub trait PuzzleInfo: Puzzle {
    /// The name in the catalog, such as `tiles-4x4`.
    fn title(&self) -> String;

    /// The identity of the problem: family, size, metric, goal. By default the title is the identity, which
    /// is right only for a puzzle that has one metric and one goal.
    fn id(&self) -> PuzzleId {
        let title = self.title();
        title.parse().unwrap_or_else(|_| PuzzleId::of(&title, None))
    }

    /// The metric in which solutions are counted, such as `htm`.
    fn metric(&self) -> &str {
        "moves"
    }

    /// The canonical text of the goal.
    fn goal_text(&self) -> String {
        "solved".into()
    }

    /// The text formats of positions.
    fn formats(&self) -> Vec<FormatInfo> {
        defaults::FORMATS.to_vec()
    }

    /// The shape that a drawing needs.
    fn shape(&self) -> Shape {
        Shape { kind: "text", sizes: Vec::new() }
    }

    /// How scrambles are usually written.
    fn scramble_kind(&self) -> InputKind {
        InputKind::Position
    }

    /// A quick solver without large tables, and a length that suffices for every position. The inverse of its
    /// solution is the scramble of a position as moves. `None` if the puzzle has no such solver.
    fn scramble_solver(&self) -> Option<(&'static str, Option<Cost>)> {
        None
    }

    /// Solvers that fit this puzzle, [`Preset::AUTO`] first.
    fn presets(&self) -> Vec<Preset> {
        vec![Preset::AUTO]
    }
}

/// The moves and positions of a puzzle as text.
pub trait PuzzleText: Puzzle {
    /// The name of a move, without white space; by default its number, counted from 1.
    fn name(&self, m: Move) -> Cow<'_, str> {
        (m.index() + 1).to_string().into()
    }

    /// A path as text that [`parse_moves`](Self::parse_moves) accepts.
    fn format_moves(&self, path: &[Move]) -> String {
        path.iter().map(|&m| self.name(m)).collect::<Vec<_>>().join(" ")
    }

    /// The line that submits a path as a solution to a contest; by default the text of
    /// [`format_moves`](Self::format_moves).
    fn answer_line(&self, path: &[Move]) -> String {
        self.format_moves(path)
    }

    /// Parses a sequence of moves; by default names separated by white space.
    fn parse_moves(&self, text: &str) -> Result<Vec<Move>, Box<Diagnostic>> {
        defaults::parse_moves(self, text)
    }

    /// Parses a position on one line, as [`text`](Self::text) writes it. Only the default of
    /// [`parse`](Self::parse) calls it.
    fn parse_position(&self, line: &str) -> Result<Self::State, Box<Diagnostic>> {
        Err(defaults::no_position_format(line))
    }

    /// Parses the lines of a text read so far; `at_end` is true if no more follow. By default every line is
    /// a position ([`parse_position`](Self::parse_position)) or moves from solved, and `#` begins a comment
    /// line.
    fn parse(
        &self,
        text: &str,
        _at_end: bool,
        format: &InputFormat,
    ) -> Result<Parsed<Self::State>, Box<Diagnostic>> {
        defaults::parse(self, text, format)
    }

    /// A warning about a text that [`parse`](Self::parse) accepts, such as a format whose files usually mean
    /// another goal.
    fn input_warning(&self, _text: &str, _format: &InputFormat) -> Option<Box<Diagnostic>> {
        None
    }

    /// An error with the reason if no moves solve the position; by default every position is solvable.
    fn check_solvable(&self, _position: &Self::State) -> Result<(), Error> {
        Ok(())
    }

    /// The solvable positions nearest to a text that is not a solvable position.
    fn repairs(&self, _text: &str, _format: &InputFormat) -> Vec<Repair> {
        Vec::new()
    }

    /// The position on one line, as [`parse`](Self::parse) accepts it.
    fn text(&self, position: &Self::State) -> String;

    /// The position drawn with characters; by default its [`text`](Self::text).
    fn draw(&self, position: &Self::State, _colour: bool) -> String {
        self.text(position)
    }
}

/// A puzzle with a description, text and solvers: everything a front end needs.
pub trait PuzzleFrontend: PuzzleInfo + PuzzleText + Sized {
    /// All algorithms and heuristics: the engine's and the puzzle's own. By default the engine's algorithms
    /// with the heuristic `zero`.
    fn registry(&self) -> Registry<Self> {
        defaults::registry(self)
    }

    /// Builds the solver of a solver text.
    fn solver(&self, text: &str, runtime: &Runtime, control: &Control) -> Result<BuiltSolver<Self>, Error> {
        self.registry().supported_by(self).solver(self, text, runtime, control)
    }

    /// Completes moves that leave some pieces unsolved by inserting a short sequence. `None` if no sequence
    /// is found.
    fn finish(
        &self,
        starts: &[Self::State],
        moves: &[Move],
        control: &Control,
    ) -> Result<Option<Vec<Move>>, Stop> {
        insertion::finish(self, starts, moves, control)
    }

    /// The stages that `auto` stands for, quick solvers first. The default is bidirectional breadth-first
    /// search if the puzzle has inverses and lists its goal states, and iterative deepening otherwise. Stages
    /// whose solver the registry lacks are skipped.
    fn auto(&self, _workload: &Workload<'_, Self::State>, _tables: &dyn Tables) -> Vec<Stage> {
        vec![defaults::auto(self).into()]
    }

    /// Trains the weights of the learned heuristic.
    fn learn(
        &self,
        _config: &TrainingConfig,
        _context: TrainingContext<'_>,
    ) -> Result<TrainingResult, Error> {
        Err(TrainingError::NoFeatures { puzzle: self.title() }.into())
    }

    /// The distribution of the values in a table of this puzzle, whatever its goal; `None` for an unknown
    /// table or contents of the wrong length.
    fn value_distribution(
        &self,
        _id: &TableId,
        _contents: &Arc<Table>,
        _control: &Control,
    ) -> Result<Option<ValueDistribution>, Stop> {
        Ok(None)
    }

    /// The distance of a solvable position to the goal, from a table of all positions that `tables` loads or
    /// builds; `None` if the puzzle has no such table.
    fn exact_distance(
        &self,
        _position: &Self::State,
        _tables: &dyn Tables,
        _control: &Control,
    ) -> Result<Option<Cost>, Error> {
        Ok(None)
    }

    /// A solvable position, drawn uniformly. The default only approximates that, by a long random walk from
    /// solved.
    fn random(&self, rng: &mut dyn Rng) -> Self::State {
        defaults::random_walk(self, self.solved(), 1000, rng, |_| {})
    }
}
