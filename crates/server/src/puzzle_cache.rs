//! The puzzles that were asked for, open and shared, each with the solvers made ready for quick answers.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use untumble_search::frontend::Prepared;
use untumble_search::identity::PuzzleId;
use untumble_search::runtime::Runtime;
use untumble_session::{Plan, Problem, Session, Settings};

/// Puzzles that are kept open; then it begins anew.
const MOST_OPEN: usize = 256;
/// Solvers that are kept ready for a puzzle; then it begins anew.
const MOST_READY: usize = 16;

/// Solvers that stand ready.
pub(super) type Ready = Arc<dyn Prepared>;

/// An open puzzle.
pub(super) struct Opened {
    pub(super) session: Session,
    /// How many positions were asked for: as many may well come.
    seen: AtomicUsize,
    /// By plan: the run and the solvers that run in turn.
    ready: Mutex<Vec<(Plan, Ready)>>,
}

impl Opened {
    /// Counts a position, and says how many there were.
    pub(super) fn count(&self) -> usize {
        self.seen.fetch_add(1, Relaxed) + 1
    }

    /// The solvers of a plan, if they stand ready. Limits do not matter: they bind searches, not solvers.
    pub(super) fn ready(&self, plan: &Plan) -> Option<Ready> {
        let ready = lock(&self.ready);
        let same = |known: &Plan| known.run.puzzle == plan.run.puzzle && known.stages == plan.stages;
        ready.iter().find(|(known, _)| same(known)).map(|(_, solvers)| Arc::clone(solvers))
    }

    /// Keeps solvers for those who come after.
    pub(super) fn keep(&self, plan: Plan, solvers: Ready) {
        let mut ready = lock(&self.ready);
        if ready.len() >= MOST_READY {
            ready.clear();
        }
        ready.push((plan, solvers));
    }
}

/// All open puzzles, by identity: two spellings of one puzzle share its solvers.
pub(super) struct PuzzleCache {
    runtime: Runtime,
    open: Mutex<HashMap<PuzzleId, Arc<Opened>>>,
    /// The identities of names and settings that were asked for.
    names: Mutex<HashMap<(String, Settings), PuzzleId>>,
}

impl PuzzleCache {
    /// No puzzle open yet.
    pub(super) fn new(runtime: Runtime) -> PuzzleCache {
        PuzzleCache { runtime, open: Mutex::default(), names: Mutex::default() }
    }

    /// The puzzle of that name.
    pub(super) fn open(&self, name: &str, setting: &Settings) -> Result<Arc<Opened>, Problem> {
        let key = (name.to_owned(), setting.clone());
        let known = lock(&self.names).get(&key).cloned();
        if let Some(opened) = known.and_then(|id| lock(&self.open).get(&id).cloned()) {
            return Ok(opened);
        }
        let session = Session::open(&self.runtime, name, setting)?;
        let id = session.puzzle().id();
        let mut open = lock(&self.open);
        let mut names = lock(&self.names);
        if open.len() >= MOST_OPEN || names.len() >= MOST_OPEN {
            open.clear();
            names.clear();
        }
        names.insert(key, id.clone());
        let opened = open.entry(id).or_insert_with(|| {
            Arc::new(Opened { session, seen: AtomicUsize::new(0), ready: Mutex::default() })
        });
        Ok(Arc::clone(opened))
    }

    /// Lets go of all solvers, so that the memory of their tables can serve others.
    pub(super) fn forget(&self) {
        for opened in lock(&self.open).values() {
            opened.ready.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
