//! The puzzles that were asked for, open and shared, each with the solvers made ready for quick answers.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use untumble_search::frontend::{DynPuzzle, Prepared};
use untumble_session::{Problem, Setting};

/// Puzzles that are kept open; then it begins anew.
const MOST_OPEN: usize = 256;
/// Solvers that are kept ready for a puzzle; then it begins anew.
const MOST_READY: usize = 16;

/// Solvers that stand ready.
pub(super) type Ready = Arc<dyn Prepared>;

/// An open puzzle.
pub(super) struct Opened {
    pub(super) puzzle: Arc<dyn DynPuzzle>,
    /// How many positions were asked for: as many may well come.
    seen: AtomicUsize,
    /// By the names of the solvers that run in turn.
    ready: Mutex<HashMap<String, Ready>>,
}

impl Opened {
    /// Counts a position, and says how many there were.
    pub(super) fn count(&self) -> usize {
        self.seen.fetch_add(1, Relaxed) + 1
    }

    /// The solvers of that name, if they stand ready.
    pub(super) fn ready(&self, name: &str) -> Option<Ready> {
        self.ready.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// Keeps solvers for those who come after.
    pub(super) fn keep(&self, name: String, solvers: Ready) {
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        if ready.len() >= MOST_READY {
            ready.clear();
        }
        ready.insert(name, solvers);
    }
}

/// All open puzzles.
#[derive(Default)]
pub(super) struct Shop {
    open: Mutex<HashMap<(String, Setting), Arc<Opened>>>,
}

impl Shop {
    /// The puzzle of that name.
    pub(super) fn open(&self, name: &str, setting: &Setting) -> Result<Arc<Opened>, Problem> {
        let key = (name.to_owned(), setting.clone());
        let known = || self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(opened) = known().get(&key) {
            return Ok(Arc::clone(opened));
        }
        let opened = Arc::new(Opened {
            puzzle: untumble_session::open(name, setting)?,
            seen: AtomicUsize::new(0),
            ready: Mutex::default(),
        });
        let mut open = known();
        if open.len() >= MOST_OPEN {
            open.clear();
        }
        open.insert(key, Arc::clone(&opened));
        Ok(opened)
    }

    /// Lets go of all solvers, so that the memory of their tables can serve others.
    pub(super) fn forget(&self) {
        for opened in self.open.lock().unwrap_or_else(PoisonError::into_inner).values() {
            opened.ready.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }
}
