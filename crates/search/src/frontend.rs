//! A puzzle as people and programs meet it: text in, text out, and which
//! solvers there are. [`PuzzleFrontend`] is written per puzzle; [`DynPuzzle`] is
//! the same with the types erased, one blanket implementation for all.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use rand::Rng;

use crate::bounded_dfs::{PassResult, Subtree};
use crate::checkpoint::{Checkpointer, Proof, Saved};
use crate::control::{Control, Event, Limits, Stop};
use crate::error::{Diagnostic, Error, PieceRef};
use crate::identity::PuzzleId;
use crate::locks::lock;
use crate::moves::{Move, MoveMask};
pub use crate::perm::below;
pub use crate::position::{ApplyError, Position};
use crate::puzzle::Puzzle;
use crate::registry::{AlgorithmInfo, Built, Guarantee, HeuristicInfo, Registry};
use crate::report::{Counts, Outcome, Report};
use crate::runtime::Runtime;
use crate::solve::insertion;
use crate::spec::{Spec, SpecError};
use crate::tables::{TableId, Tables};
use crate::train::{Learning, TrainingConfig, TrainingContext};

/// What a drawing needs to know of a puzzle: what it is, and its sizes by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// How it is drawn.
    pub kind: &'static str,
    /// Such as `("rows", 4)`.
    pub sizes: Vec<(&'static str, usize)>,
}

/// A solver that fits a puzzle, for those who do not want to choose among all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Preset {
    /// As [`Spec`] reads it.
    pub solver: &'static str,
    /// In a few words.
    pub title: &'static str,
    /// Who should take it, in a sentence.
    pub why: &'static str,
}

impl Preset {
    /// The choice that is never wrong.
    pub const AUTO: Preset = Preset {
        solver: "auto",
        title: "Automatic",
        why: "What a knowledgeable person would choose for this position and these limits.",
    };
}

/// A position near a text that is none, or near a position that cannot be solved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repair {
    /// On one line, ready to be read.
    pub position: String,
    /// What was changed, in words.
    pub what: String,
    /// The same for programs.
    pub changes: Vec<Change>,
}

/// One change of a [`Repair`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// What is done to the pieces.
    pub kind: ChangeKind,
    /// The pieces; `found` is what is to be there.
    pub pieces: Vec<PieceRef>,
}

/// What a [`Change`] does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChangeKind {
    /// Another colour on a sticker.
    Paint,
    /// A corner turned clockwise by a third.
    TurnClockwise,
    /// A corner turned anticlockwise by a third.
    TurnAnticlockwise,
    /// An edge flipped.
    Flip,
    /// Two pieces exchanged.
    Exchange,
    /// Another tile in a cell.
    Replace,
}

impl ChangeKind {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            ChangeKind::Paint => "paint",
            ChangeKind::TurnClockwise => "turn-clockwise",
            ChangeKind::TurnAnticlockwise => "turn-anticlockwise",
            ChangeKind::Flip => "flip",
            ChangeKind::Exchange => "exchange",
            ChangeKind::Replace => "replace",
        }
    }
}

/// What is known about a way to write positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FormatOf {
    /// Its name.
    pub name: &'static str,
    /// What it looks like.
    pub what: &'static str,
}

/// How a text is to be read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InputFormat {
    /// As a position or as moves from solved; `None` finds out.
    pub kind: Option<Kind>,
    /// In one of the puzzle's formats; `None` finds out.
    pub format: Option<String>,
}

/// What a text stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A position.
    Position,
    /// Moves from solved.
    Moves,
}

/// What the lines read so far hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Parsed<S> {
    /// Nothing: blank lines and comments.
    Nothing,
    /// The beginning of a position.
    More,
    /// A whole position.
    Position(S),
    /// The lines before the last one are an unfinished position, and the last
    /// one does not go on with it.
    Broken(Box<Diagnostic>),
}

impl<S> Parsed<S> {
    fn map<T>(self, change: impl FnOnce(S) -> T) -> Parsed<T> {
        match self {
            Parsed::Nothing => Parsed::Nothing,
            Parsed::More => Parsed::More,
            Parsed::Position(state) => Parsed::Position(change(state)),
            Parsed::Broken(why) => Parsed::Broken(why),
        }
    }
}

/// What lies ahead of a solver that is to be chosen.
#[derive(Clone, Copy, Debug)]
pub struct Workload<'a, S> {
    /// The position, where there is just one.
    pub position: Option<&'a S>,
    /// How many positions there are.
    pub count: usize,
    /// What each may take.
    pub limits: Limits,
    /// Whether every shortest sequence is wanted.
    pub all: bool,
}

impl<'a, S> Workload<'a, S> {
    /// A single position.
    pub fn one(position: &'a S, limits: Limits, all: bool) -> Workload<'a, S> {
        Workload { position: Some(position), count: 1, limits, all }
    }
}

/// A solver whose turn it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stage {
    /// Which.
    pub spec: Spec,
    /// Nodes after which the next one has its turn; `None` lets it finish.
    pub nodes: Option<u64>,
}

impl From<Spec> for Stage {
    fn from(spec: Spec) -> Stage {
        Stage { spec, nodes: None }
    }
}

/// Solvers that run in turn, in words.
pub fn in_words<'a>(turns: impl IntoIterator<Item = &'a Stage>) -> String {
    turns.into_iter().map(|turn| turn.spec.to_string()).collect::<Vec<_>>().join(", then ")
}

/// A puzzle with names.
pub trait PuzzleFrontend: Puzzle + Sized {
    /// Its name in the catalog, such as `tiles-4x4`.
    fn title(&self) -> String;

    /// Which problem it is: the family, size, metric and goal.
    fn id(&self) -> PuzzleId;

    /// The name of the metric in which answers are counted.
    fn metric(&self) -> &str;

    /// The canonical text of the goal.
    fn goal_text(&self) -> String;

    /// Its algorithms and heuristics: the engine's and its own.
    fn registry(&self) -> Registry<Self>;

    /// The solver that a text names, made ready.
    fn solver(&self, text: &str, runtime: &Runtime, control: &Control) -> Result<Built<Self>, Error> {
        self.registry().supported_by(self).solver(self, text, runtime, control)
    }

    /// The ways to write its positions.
    fn formats(&self) -> Vec<FormatOf>;

    /// What a drawing needs to know.
    fn shape(&self) -> Shape;

    /// Solvers that fit this puzzle, [`Preset::AUTO`] first.
    fn presets(&self) -> Vec<Preset>;

    /// A solution made of moves that leave some of the position unsolved, and what is put in to solve it. `None` where nothing
    /// short will do.
    fn finish(
        &self,
        starts: &[Self::State],
        moves: &[Move],
        control: &Control,
    ) -> Result<Option<Vec<Move>>, Stop> {
        insertion::finish(self, starts, moves, control)
    }

    /// What `auto` stands for: solvers to run in turn, quick ones first. Each
    /// knows what the ones before it found.
    fn auto(&self, ahead: &Workload<'_, Self::State>, tables: &dyn Tables) -> Vec<Stage>;

    /// The name of a move.
    fn name(&self, m: Move) -> Cow<'_, str>;

    /// A path in words, ready to be read again.
    fn format_moves(&self, path: &[Move]) -> String {
        path.iter().map(|&m| self.name(m)).collect::<Vec<_>>().join(" ")
    }

    /// The line that answers a position with a path, where that is more than the path in words: contests have their own form.
    fn answer_line(&self, path: &[Move]) -> String {
        self.format_moves(path)
    }

    /// Reads moves.
    fn read_moves(&self, text: &str) -> Result<Vec<Move>, Box<Diagnostic>>;

    /// Reads the lines of a text as far as they have come; `end` says that no
    /// more follow.
    fn take(&self, text: &str, end: bool, form: &InputFormat)
    -> Result<Parsed<Self::State>, Box<Diagnostic>>;

    /// Refuses a well-formed position that no moves solve, with the reason.
    fn check(&self, position: &Self::State) -> Result<(), Error>;

    /// The nearest positions that can be solved, for a text that stands for none: what somebody may have meant.
    fn repairs(&self, _text: &str, _form: &InputFormat) -> Vec<Repair> {
        Vec::new()
    }

    /// The position on one line, ready to be read again.
    fn text(&self, position: &Self::State) -> String;

    /// The position as a picture of characters.
    fn draw(&self, position: &Self::State, colour: bool) -> String;

    /// Learns weights to rank positions by, where the puzzle has features to weigh.
    fn learn(&self, _lesson: &TrainingConfig, _pupil: TrainingContext<'_>) -> Result<Learning, Error> {
        Err(Error::Usage(format!("{} has no ranking that could be trained", self.title())))
    }

    /// How many positions have each bound in one of its tables, where that tells how good the table is. Nothing is built.
    fn bounds_in(&self, _id: &TableId, _tables: &dyn Tables, _control: &Control) -> Option<Vec<u64>> {
        None
    }

    /// A position drawn uniformly from all that can be solved.
    fn random(&self, rng: &mut dyn Rng) -> Self::State;
}

/// What a prepared solver answers.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// What was found, proved and taken.
    pub report: Report,
    /// The solver that really ran.
    pub solver: String,
    /// The time in which tables were made ready between two solvers.
    pub preparing: Duration,
}

/// Any puzzle, its types erased.
pub trait DynPuzzle: Send + Sync {
    /// See [`PuzzleFrontend::title`].
    fn title(&self) -> String;
    /// See [`PuzzleFrontend::id`].
    fn id(&self) -> PuzzleId;
    /// See [`PuzzleFrontend::metric`].
    fn metric(&self) -> &str;
    /// See [`PuzzleFrontend::goal_text`].
    fn goal_text(&self) -> String;
    /// See [`Registry::algorithms`].
    fn algorithms(&self) -> Vec<AlgorithmInfo>;
    /// See [`Registry::heuristics`].
    fn heuristics(&self) -> Vec<HeuristicInfo>;
    /// See [`PuzzleFrontend::formats`].
    fn formats(&self) -> Vec<FormatOf>;
    /// See [`PuzzleFrontend::shape`].
    fn shape(&self) -> Shape;
    /// See [`PuzzleFrontend::presets`].
    fn presets(&self) -> Vec<Preset>;
    /// The names of all moves there are.
    fn moves(&self) -> Vec<String>;
    /// The names of the moves of a path, one by one.
    fn names(&self, path: &[Move]) -> Vec<String>;
    /// See [`PuzzleFrontend::repairs`].
    fn repairs(&self, text: &str, form: &InputFormat) -> Vec<Repair>;
    /// See [`PuzzleFrontend::take`].
    fn take(&self, text: &str, end: bool, form: &InputFormat) -> Result<Parsed<Position>, Box<Diagnostic>>;
    /// See [`PuzzleFrontend::read_moves`].
    fn read_moves(&self, text: &str) -> Result<Vec<Move>, Box<Diagnostic>>;
    /// See [`PuzzleFrontend::format_moves`].
    fn format_moves(&self, path: &[Move]) -> String;
    /// See [`PuzzleFrontend::answer_line`].
    fn answer_line(&self, path: &[Move]) -> String;
    /// See [`PuzzleFrontend::check`].
    fn check(&self, position: &Position) -> Result<(), Error>;
    /// See [`PuzzleFrontend::text`].
    fn text(&self, position: &Position) -> String;
    /// See [`PuzzleFrontend::draw`].
    fn draw(&self, position: &Position, colour: bool) -> String;
    /// See [`PuzzleFrontend::learn`].
    fn learn(&self, lesson: &TrainingConfig, pupil: TrainingContext<'_>) -> Result<Learning, Error>;
    /// See [`PuzzleFrontend::bounds_in`].
    fn bounds_in(&self, id: &TableId, tables: &dyn Tables, control: &Control) -> Option<Vec<u64>>;
    /// The first solved position.
    fn solved(&self) -> Position;
    /// Whether the position is solved.
    fn is_solved(&self, position: &Position) -> bool;
    /// The position after `path`.
    fn apply(&self, position: &Position, path: &[Move]) -> Result<Position, ApplyError>;
    /// A random position: uniform, or `depth` random moves from solved, none of
    /// which takes back the one before.
    fn scramble(&self, rng: &mut dyn Rng, depth: Option<usize>) -> Position;
    /// Takes up the best path and the bound of what was saved of a proof; false where that is not possible from this position,
    /// see [`Saved::fits`].
    fn adopt_proof(&self, position: &Position, saved: &Saved, control: &Control) -> Result<bool, Error>;
    /// Makes a path known to a search; false where it does not solve the position.
    fn offer(&self, position: &Position, path: &[Move], control: &Control) -> Result<bool, Error>;
    /// See [`PuzzleFrontend::finish`].
    fn finish(
        &self,
        position: &Position,
        path: &[Move],
        control: &Control,
    ) -> Result<Option<Vec<Move>>, Error>;
    /// See [`Registry::complete`].
    fn complete(&self, spec: &Spec) -> Result<Spec, SpecError>;
    /// See [`Registry::guarantee`].
    fn guarantee(&self, spec: &Spec) -> Guarantee;
    /// What `auto` stands for here. A position of another puzzle counts as none; [`Prepared::solve`] refuses it.
    fn auto(&self, ahead: &Workload<'_, Position>, tables: &dyn Tables) -> Vec<Stage>;
    /// Makes solvers ready that run in turn on each position. Solver texts must be complete.
    fn prepare(
        &self,
        stages: &[Stage],
        runtime: &Runtime,
        control: &Control,
    ) -> Result<Box<dyn Prepared>, Error>;
    /// The same, but only the first is made ready now, the others when their turn comes, so that the answer of a quick one
    /// need not wait for the tables of a thorough one.
    fn prepare_lazily(
        &self,
        stages: &[Stage],
        runtime: &Runtime,
        control: &Control,
    ) -> Result<Box<dyn Prepared>, Error>;
}

/// Solvers made ready for a puzzle.
pub trait Prepared: Send + Sync {
    /// What they are called, in words.
    fn names(&self) -> String;
    /// Solves one position. Every solution has been replayed on it. The only error is a position of another puzzle.
    fn solve(&self, position: &Position, control: &Control) -> Result<Answer, Error>;
}

/// Erases the types of a puzzle.
pub fn erase<P: PuzzleFrontend>(puzzle: P) -> Box<dyn DynPuzzle> {
    let registry = puzzle.registry();
    erase_with(puzzle, registry)
}

/// Erases the types of a puzzle whose registry has been extended.
pub fn erase_with<P: PuzzleFrontend>(puzzle: P, registry: Registry<P>) -> Box<dyn DynPuzzle> {
    let registry = registry.supported_by(&puzzle);
    let id = Arc::new(puzzle.id());
    Box::new(Erased(Arc::new(puzzle), Arc::new(registry), id))
}

struct Erased<P: PuzzleFrontend>(Arc<P>, Arc<Registry<P>>, Arc<PuzzleId>);

impl<P: PuzzleFrontend> Erased<P> {
    fn state<'a>(&self, position: &'a Position) -> Result<&'a P::State, Error> {
        position.state::<P>(&self.2)
    }

    fn position(&self, state: P::State) -> Position {
        Position::new(&self.0, &self.2, state)
    }
}

impl<P: PuzzleFrontend> DynPuzzle for Erased<P> {
    fn title(&self) -> String {
        self.0.title()
    }

    fn id(&self) -> PuzzleId {
        self.0.id()
    }

    fn metric(&self) -> &str {
        self.0.metric()
    }

    fn goal_text(&self) -> String {
        self.0.goal_text()
    }

    fn algorithms(&self) -> Vec<AlgorithmInfo> {
        self.1.algorithms().cloned().collect()
    }

    fn heuristics(&self) -> Vec<HeuristicInfo> {
        self.1.heuristics().cloned().collect()
    }

    fn formats(&self) -> Vec<FormatOf> {
        self.0.formats()
    }

    fn shape(&self) -> Shape {
        self.0.shape()
    }

    fn presets(&self) -> Vec<Preset> {
        self.0.presets()
    }

    fn moves(&self) -> Vec<String> {
        Move::first(self.0.move_count()).map(|m| self.0.name(m).into_owned()).collect()
    }

    fn names(&self, path: &[Move]) -> Vec<String> {
        path.iter().map(|&m| self.0.name(m).into_owned()).collect()
    }

    fn repairs(&self, text: &str, form: &InputFormat) -> Vec<Repair> {
        self.0.repairs(text, form)
    }

    fn take(&self, text: &str, end: bool, form: &InputFormat) -> Result<Parsed<Position>, Box<Diagnostic>> {
        self.0.take(text, end, form).map(|taken| taken.map(|state| self.position(state)))
    }

    fn read_moves(&self, text: &str) -> Result<Vec<Move>, Box<Diagnostic>> {
        self.0.read_moves(text)
    }

    fn format_moves(&self, path: &[Move]) -> String {
        self.0.format_moves(path)
    }

    fn answer_line(&self, path: &[Move]) -> String {
        self.0.answer_line(path)
    }

    fn check(&self, position: &Position) -> Result<(), Error> {
        self.0.check(self.state(position)?)
    }

    fn text(&self, position: &Position) -> String {
        position.text()
    }

    fn draw(&self, position: &Position, colour: bool) -> String {
        position.draw(colour)
    }

    fn learn(&self, lesson: &TrainingConfig, pupil: TrainingContext<'_>) -> Result<Learning, Error> {
        self.0.learn(lesson, pupil)
    }

    fn bounds_in(&self, id: &TableId, tables: &dyn Tables, control: &Control) -> Option<Vec<u64>> {
        self.0.bounds_in(id, tables, control)
    }

    fn solved(&self) -> Position {
        self.position(self.0.solved())
    }

    fn is_solved(&self, position: &Position) -> bool {
        position.is_solved()
    }

    fn apply(&self, position: &Position, path: &[Move]) -> Result<Position, ApplyError> {
        let starts = self.0.starts(self.state(position)?);
        let mut furthest = 0;
        for start in starts {
            match self.0.replay(&start, path) {
                Ok(state) => return Ok(self.position(state)),
                Err(at) => furthest = furthest.max(at),
            }
        }
        Err(ApplyError::Illegal(furthest))
    }

    fn scramble(&self, rng: &mut dyn Rng, depth: Option<usize>) -> Position {
        let Some(depth) = depth else { return self.position(self.0.random(rng)) };
        let mut goals = self.0.goal_states().unwrap_or_else(|| vec![self.0.solved()]);
        // Where there is one goal nothing is drawn: the positions of a seed are a promise.
        let goal = if goals.len() > 1 { below(rng, goals.len()) } else { 0 };
        let mut state = goals.swap_remove(goal);
        let mut last: Option<Move> = None;
        for _ in 0..depth {
            let moves: Vec<Move> = (self.0.legal(&state) - self.0.undo(last)).into_iter().collect();
            let Some(&m) = moves.get(below(rng, moves.len())) else { break };
            state = self.0.apply(&state, m);
            last = Some(m);
        }
        self.position(state)
    }

    fn adopt_proof(&self, position: &Position, saved: &Saved, control: &Control) -> Result<bool, Error> {
        let fits = saved.fits(&*self.0, &self.0.starts(self.state(position)?));
        if fits {
            control.prove(saved.proven);
            if let Some(best) = &saved.best {
                control.offer(best, self.0.path_cost(best));
            }
        }
        Ok(fits)
    }

    fn offer(&self, position: &Position, path: &[Move], control: &Control) -> Result<bool, Error> {
        let solves = |start: &P::State| self.0.replay(start, path).is_ok_and(|end| self.0.is_goal(&end));
        let solved = self.0.starts(self.state(position)?).iter().any(solves);
        Ok(solved && control.offer(path, self.0.path_cost(path)))
    }

    fn finish(
        &self,
        position: &Position,
        path: &[Move],
        control: &Control,
    ) -> Result<Option<Vec<Move>>, Error> {
        Ok(self.0.finish(&self.0.starts(self.state(position)?), path, control)?)
    }

    fn complete(&self, spec: &Spec) -> Result<Spec, SpecError> {
        self.1.complete(spec)
    }

    fn guarantee(&self, spec: &Spec) -> Guarantee {
        self.1.guarantee(spec)
    }

    fn auto(&self, ahead: &Workload<'_, Position>, tables: &dyn Tables) -> Vec<Stage> {
        let Workload { position, count, limits, all } = *ahead;
        self.0.auto(
            &Workload { position: position.and_then(|p| self.state(p).ok()), count, limits, all },
            tables,
        )
    }

    fn prepare(
        &self,
        stages: &[Stage],
        runtime: &Runtime,
        control: &Control,
    ) -> Result<Box<dyn Prepared>, Error> {
        let portfolio = Portfolio::new(self, stages, runtime);
        portfolio.solvers.iter().try_for_each(|slot| portfolio.ready(slot, control).map(|_| ()))?;
        Ok(Box::new(portfolio))
    }

    fn prepare_lazily(
        &self,
        stages: &[Stage],
        runtime: &Runtime,
        control: &Control,
    ) -> Result<Box<dyn Prepared>, Error> {
        let portfolio = Portfolio::new(self, stages, runtime);
        if let Some(first) = portfolio.solvers.first() {
            portfolio.ready(first, control)?;
        }
        Ok(Box::new(portfolio))
    }
}

/// A stage and its solver, once that is made ready.
struct Slot<P: PuzzleFrontend> {
    stage: Stage,
    built: OnceLock<Built<P>>,
    /// Locked while the solver is made ready.
    building: Mutex<()>,
}

/// Solvers that run one after the other on the same position; each knows the incumbent and the bound so far.
struct Portfolio<P: PuzzleFrontend> {
    puzzle: Arc<P>,
    registry: Arc<Registry<P>>,
    id: Arc<PuzzleId>,
    runtime: Runtime,
    solvers: Vec<Slot<P>>,
}

impl<P: PuzzleFrontend> Prepared for Portfolio<P> {
    fn names(&self) -> String {
        in_words(self.solvers.iter().map(|slot| &slot.stage))
    }

    fn solve(&self, position: &Position, control: &Control) -> Result<Answer, Error> {
        let starts = self.puzzle.starts(position.state::<P>(&self.id)?);
        let mut answer: Option<Answer> = None;
        let mut preparing = Duration::ZERO;
        // Of a proof that is taken up, others had their turn in an earlier run.
        let mut earlier = control.checkpointer().map_or_else(Counts::default, Checkpointer::earlier);
        for (place, slot) in self.solvers.iter().enumerate() {
            let begun = control.clock().now();
            let ready = self.ready(slot, control);
            preparing += control.clock().now().saturating_sub(begun);
            let Built { spec, solver } = match (ready, &mut answer) {
                (Ok(ready), _) => ready,
                // What there is stands.
                (Err(Error::Stopped(stop)), Some(answer)) => {
                    let stop = control.request_stop(stop);
                    answer.report.outcome =
                        if self.owe(&answer.report) { Outcome::Stopped(stop) } else { Outcome::Solved };
                    break;
                }
                (Err(trouble), _) => {
                    control.emit(&Event::Warning(format!("{} is left out: {trouble}", slot.stage.spec)));
                    continue;
                }
            };
            if let Some(checkpointer) = control.checkpointer() {
                checkpointer.note_earlier(earlier);
            }
            // What is saved is the proof of the last one; the others are quick.
            let kept = control.checkpointer().is_some() && place + 1 < self.solvers.len();
            let (nodes, limits) = (slot.stage.nodes, control.limits());
            let phase = (nodes.is_some() || kept).then(|| Limits { nodes: nodes.or(limits.nodes), ..limits });
            let mut report = match phase {
                None => solver.solve(&*self.puzzle, &starts, control),
                Some(limits) => {
                    let turn = control.within(limits);
                    let mut report = solver.solve(&*self.puzzle, &starts, &turn);
                    control.charge(report.counts.generated);
                    if let Some(stop) = turn.stop() {
                        let only_its_turn = stop == Stop::Nodes && control.poll().is_ok();
                        if !only_its_turn {
                            control.request_stop(stop);
                        } else if report.best.is_some() {
                            // What there is stands.
                            report.outcome = Outcome::Solved;
                        }
                    }
                    report
                }
            };
            let solver = report.solver.take().unwrap_or_else(|| spec.to_string());
            report.counts += earlier;
            earlier = report.counts;
            let listed = !control.all() || !report.solutions.is_empty();
            let over = report.optimal() && listed || control.satisfied();
            if let Some(stop) = control.stop().filter(|_| !over && place + 1 < self.solvers.len()) {
                // Whoever would have gone on did not get a turn.
                report.outcome = if self.owe(&report) { Outcome::Stopped(stop) } else { Outcome::Solved };
            }
            if let Some(checkpointer) =
                control.checkpointer().filter(|_| !over && place + 1 < self.solvers.len())
            {
                // The proof has not begun, but what there is should not be lost.
                checkpointer.note_earlier(report.counts);
                let root = |(root, start)| Subtree {
                    root,
                    path: Vec::new(),
                    untried: self.puzzle.legal(start).widen(),
                };
                let pass =
                    PassResult { rest: (0..).zip(&starts).map(root).collect(), ..PassResult::nothing() };
                checkpointer.save(&Proof::begin(control.bound(), pass), control);
            }
            let done = over || control.stop().is_some();
            answer = Some(Answer { report, solver, preparing });
            if done {
                break;
            }
        }
        let mut answer = answer.expect("the first solver was made ready");
        answer.preparing = preparing;
        self.verify(&starts, &answer);
        Ok(answer)
    }
}

impl<P: PuzzleFrontend> Portfolio<P> {
    /// None of the solvers ready.
    fn new(erased: &Erased<P>, stages: &[Stage], runtime: &Runtime) -> Portfolio<P> {
        let Erased(puzzle, registry, id) = erased;
        let slot =
            |stage: &Stage| Slot { stage: stage.clone(), built: OnceLock::new(), building: Mutex::default() };
        Portfolio {
            puzzle: Arc::clone(puzzle),
            registry: Arc::clone(registry),
            id: Arc::clone(id),
            runtime: runtime.clone(),
            solvers: stages.iter().map(slot).collect(),
        }
    }

    /// The solver of a stage, built if that has not been done.
    fn ready<'a>(&self, slot: &'a Slot<P>, control: &Control) -> Result<&'a Built<P>, Error> {
        if let Some(built) = slot.built.get() {
            return Ok(built);
        }
        let _building = lock(&slot.building);
        if let Some(built) = slot.built.get() {
            return Ok(built);
        }
        let spec = self.registry.complete(&slot.stage.spec)?;
        let built = self.registry.build(&self.puzzle, &spec, &self.runtime, control)?;
        Ok(slot.built.get_or_init(|| built))
    }

    /// Whether something is missing if they are stopped now: an answer, or the proof that the last of them guarantees.
    fn owe(&self, report: &Report) -> bool {
        let proves = |slot: &Slot<P>| self.registry.guarantee(&slot.stage.spec) == Guarantee::Optimal;
        report.best.is_none() || self.solvers.last().is_some_and(proves)
    }

    /// A solver that returns a wrong path is a bug that stops the program.
    fn verify(&self, starts: &[P::State], answer: &Answer) {
        let puzzle = &*self.puzzle;
        let solves = |path: &[Move]| {
            starts.iter().any(|start| puzzle.replay(start, path).is_ok_and(|end| puzzle.is_goal(&end)))
        };
        let report = &answer.report;
        if let Some(best) = &report.best {
            assert!(solves(&best.moves), "{} returned a path that does not solve", answer.solver);
            assert_eq!(puzzle.path_cost(&best.moves), best.cost, "{} misjudged its path", answer.solver);
            assert!(best.cost >= report.lower_bound, "{} proved too much", answer.solver);
        }
        for path in &report.solutions {
            assert!(solves(path), "{} listed a path that does not solve", answer.solver);
        }
    }
}
