//! A cache of open puzzles, each with its prepared solvers for `/solve` requests.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use untumble_search::frontend::PreparedPortfolio;
use untumble_search::identity::PuzzleId;
use untumble_search::runtime::Runtime;
use untumble_session::{Plan, ProblemDetails, PuzzleSettings, Session};

/// The capacity of the cache; a full cache is cleared.
const MAX_PUZZLES: usize = 256;
/// Plans with prepared solvers per puzzle; a full list is cleared.
const MAX_PREPARED_PLANS: usize = 16;

/// The prepared solvers of a plan.
pub(super) type SharedSolvers = Arc<dyn PreparedPortfolio>;

/// An open puzzle.
pub(super) struct CachedPuzzle {
    pub(super) session: Session,
    /// The number of positions requested so far.
    requests: AtomicUsize,
    solvers: Mutex<Vec<(Plan, SharedSolvers)>>,
}

impl CachedPuzzle {
    /// Counts a request and returns the number of requests so far, this one included.
    pub(super) fn count_request(&self) -> usize {
        self.requests.fetch_add(1, Relaxed) + 1
    }

    /// The prepared solvers of a plan, if cached. Limits are ignored, because they apply to single searches.
    pub(super) fn solvers(&self, plan: &Plan) -> Option<SharedSolvers> {
        let solvers = lock(&self.solvers);
        solvers.iter().find(|(known, _)| same_solvers(known, plan)).map(|(_, solvers)| Arc::clone(solvers))
    }

    /// Caches the prepared solvers of a plan.
    pub(super) fn insert_solvers(&self, plan: Plan, solvers: SharedSolvers) {
        let mut cached = lock(&self.solvers);
        // Another request may have prepared the same solvers in the meantime.
        cached.retain(|(known, _)| !same_solvers(known, &plan));
        if cached.len() >= MAX_PREPARED_PLANS {
            cached.clear();
        }
        cached.push((plan, solvers));
    }
}

/// Whether two plans need the same solvers.
fn same_solvers(left: &Plan, right: &Plan) -> bool {
    left.run_id.puzzle == right.run_id.puzzle && left.stages == right.stages
}

/// Open puzzles by identity, so that all spellings of a puzzle share its solvers.
pub(super) struct PuzzleCache {
    runtime: Runtime,
    puzzles: Mutex<HashMap<PuzzleId, Arc<CachedPuzzle>>>,
    /// The identities of the names and settings requested so far.
    names: Mutex<HashMap<(String, PuzzleSettings), PuzzleId>>,
}

impl PuzzleCache {
    pub(super) fn new(runtime: Runtime) -> PuzzleCache {
        PuzzleCache { runtime, puzzles: Mutex::default(), names: Mutex::default() }
    }

    /// The puzzle of this name and settings, opened if it is not cached.
    pub(super) fn open(
        &self,
        name: &str,
        settings: &PuzzleSettings,
    ) -> Result<Arc<CachedPuzzle>, ProblemDetails> {
        let key = (name.to_owned(), settings.clone());
        let known = lock(&self.names).get(&key).cloned();
        if let Some(puzzle) = known.and_then(|id| lock(&self.puzzles).get(&id).cloned()) {
            return Ok(puzzle);
        }
        let session = Session::open(&self.runtime, name, settings)?;
        let id = session.puzzle().id();
        let mut puzzles = lock(&self.puzzles);
        let mut names = lock(&self.names);
        if puzzles.len() >= MAX_PUZZLES || names.len() >= MAX_PUZZLES {
            puzzles.clear();
            names.clear();
        }
        names.insert(key, id.clone());
        let puzzle = puzzles.entry(id).or_insert_with(|| {
            Arc::new(CachedPuzzle { session, requests: AtomicUsize::new(0), solvers: Mutex::default() })
        });
        Ok(Arc::clone(puzzle))
    }

    /// Drops all prepared solvers, which frees the memory of their tables.
    pub(super) fn clear_solvers(&self) {
        for puzzle in lock(&self.puzzles).values() {
            lock(&puzzle.solvers).clear();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
