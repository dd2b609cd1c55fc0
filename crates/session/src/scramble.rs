//! Random positions, reproducible from a seed.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use untumble_puzzles::catalog;
use untumble_search::control::Limits;
use untumble_search::error::{Diagnostic, Error};
use untumble_search::family::PuzzleSettings;
use untumble_search::frontend::{DynPuzzle, InputFormat, Position, PreparedPortfolio, Workload};
use untumble_search::runtime::Runtime;

use crate::input::parse_position;
use crate::session::{Plan, SearchContext, Session};

/// Longer random walks take long and mix no better.
const MAX_DEPTH: u64 = 10_000_000;

/// The generator of scrambles. A seed must give the same positions in all versions, so neither the generator
/// nor the order of draws may change.
pub fn seeded_rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// A seed of 48 bits from the operating system; every JSON parser represents 48 bits exactly. In the browser
/// the page chooses the seed.
#[cfg(not(target_arch = "wasm32"))]
pub fn random_seed() -> u64 {
    getrandom::u64().expect("the system has a source of random numbers") >> 16
}

/// Validates the number of random moves of a scramble: at most 10 million.
pub fn scramble_depth(moves: u64) -> Result<usize, Error> {
    usize::try_from(moves).ok().filter(|_| moves <= MAX_DEPTH).ok_or_else(|| {
        let message = format!("a scramble has at most {MAX_DEPTH} moves");
        Error::Puzzle(Box::new(Diagnostic::new("depth-too-large", message)))
    })
}

/// A request for random positions.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ScrambleRequest {
    /// The number of random moves from solved; if omitted, positions are drawn uniformly from all solvable
    /// ones.
    #[cfg_attr(feature = "openapi", schema(maximum = 10000000))]
    pub depth: Option<u64>,
    /// The number of positions; 1 if omitted.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, example = 1))]
    pub count: Option<u64>,
    /// The seed; the same seed gives the same positions. If omitted, one is drawn and returned.
    pub seed: Option<u64>,
    /// The goal: a name or a position; the puzzle's default if omitted.
    pub goal: Option<String>,
    /// The metric in which moves are counted; the puzzle's default if omitted.
    pub metric: Option<String>,
}

impl ScrambleRequest {
    /// The goal and the metric, for opening the puzzle.
    pub fn settings(&self) -> PuzzleSettings {
        PuzzleSettings { goal: self.goal.clone(), metric: self.metric.clone() }
    }
}

/// The result of [`scramble`].
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Scrambled))]
pub struct ScrambleResult {
    /// The puzzle's full name.
    pub puzzle: String,
    /// The positions, each on one line.
    pub positions: Vec<String>,
    /// The seed that repeats them.
    pub seed: u64,
}

/// Draws random positions; `default_seed` is used if the request has no seed.
pub fn scramble(
    puzzle: &dyn DynPuzzle,
    request: &ScrambleRequest,
    default_seed: u64,
) -> Result<ScrambleResult, Error> {
    let seed = request.seed.unwrap_or(default_seed);
    let depth = request.depth.map(scramble_depth).transpose()?;
    let mut rng = seeded_rng(seed);
    let position = |_| puzzle.text(&puzzle.scramble(&mut rng, depth));
    let positions = (0..request.count.unwrap_or(1)).map(position).collect();
    Ok(ScrambleResult { puzzle: puzzle.title(), positions, seed })
}

/// Writes positions as the moves that lead to them from solved: the inverses of quick solutions.
///
/// The solver runs on one thread and without a time limit, so a position always gives the same moves. Its
/// tables are small and stay in memory.
pub struct MoveScrambler {
    /// The puzzle in its default metric, for which the solver is quick.
    session: Session,
    plan: Plan,
    prepared: Option<Box<dyn PreparedPortfolio>>,
}

impl MoveScrambler {
    /// A scrambler for a puzzle; `None` if the puzzle has no quick solver
    /// ([`PuzzleInfo::scramble_solver`](untumble_search::frontend::PuzzleInfo::scramble_solver)).
    pub fn new(puzzle: &dyn DynPuzzle) -> Result<Option<MoveScrambler>, Error> {
        let Some((solver, max_length)) = puzzle.scramble_solver() else { return Ok(None) };
        let settings = PuzzleSettings { goal: puzzle.id().goal, metric: None };
        let default_metric = catalog::open(&puzzle.id().name(), &settings)?;
        let session = Session::new(&Runtime::default(), default_metric.into());
        let spec = session.parse_solver(solver, false)?;
        let limits = Limits { max_length, ..Limits::default() };
        let workload = Workload { position: None, count: 1, limits, all_solutions: false };
        let plan = session.plan(spec.as_ref(), &workload);
        Ok(Some(MoveScrambler { session, plan, prepared: None }))
    }

    /// Moves of `puzzle` that lead from solved to `position`, as text; `None` if no solution is found or the
    /// moves cannot be inverted.
    pub fn moves(&mut self, puzzle: &dyn DynPuzzle, position: &Position) -> Result<Option<String>, Error> {
        let text = puzzle.text(position);
        let start = parse_position(&**self.session.puzzle(), &text, &InputFormat::default())?;
        let record = self.session.solve(&start, &self.plan, &mut self.prepared, &SearchContext::default())?;
        let Some(solution) = &record.moves else { return Ok(None) };
        let solver_puzzle = &**self.session.puzzle();
        let inverse = solver_puzzle.inverse_path(&solver_puzzle.parse_moves(solution)?);
        let Some(moves) = inverse.map(|path| solver_puzzle.format_moves(&path)) else { return Ok(None) };
        let end = puzzle.apply(&puzzle.solved(), &puzzle.parse_moves(&moves)?).ok();
        Ok(end.filter(|end| puzzle.text(end) == text).map(|_| moves))
    }
}
