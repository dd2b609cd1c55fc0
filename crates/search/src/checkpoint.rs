//! Checkpoints of iterative deepening: a search that is interrupted can be resumed by a later process.
//!
//! A bounded depth-first pass that pauses returns the unsearched part of the tree. So the state of a search
//! is always a few numbers and a list of subtrees ([`ProofState`]). When a [`Checkpointer`] reports that a
//! checkpoint is due, [`crate::solve::ida::iterative_deepening`] pauses all workers, saves that state and
//! continues from it; a later run continues from the same state.

#[cfg(not(target_arch = "wasm32"))]
pub mod file;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::bounded_dfs::{PassResult, Subtree};
use crate::control::{Clock, Control, Event, SystemClock};
use crate::identity::RunId;
use crate::locks::lock;
use crate::moves::{Move, MoveMask};
use crate::puzzle::{Cost, Puzzle};
use crate::report::{Counts, Iteration};

/// The largest number of nodes of a checkpoint, beyond a century of searching. Sums of a valid checkpoint and
/// of a resumed search do not overflow.
#[cfg(not(target_arch = "wasm32"))]
const MAX_NODES: u64 = 1 << 62;
/// The longest running time of a checkpoint, some thirty thousand years.
#[cfg(not(target_arch = "wasm32"))]
const MAX_TIME: Duration = Duration::from_secs(1 << 40);

/// The identity of a search: the run and the position. A checkpoint resumes only the search with the same
/// identity.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchId {
    /// The puzzle, the solver and the limits that change solutions.
    pub run: RunId,
    /// The position in the puzzle's text format.
    pub start: String,
}

/// The state of a search by iterative deepening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofState {
    /// The finished passes.
    pub iterations: Vec<Iteration>,
    /// The nodes expanded in the finished passes.
    pub expanded: u64,
    /// The bound of the current pass.
    pub bound: Cost,
    /// The result of the current pass so far; its `unsearched` subtrees are the remaining work.
    pub pass: PassResult,
}

impl ProofState {
    /// The state before the first pass; `pass` is the result of
    /// [`BoundedDfs::split`](crate::bounded_dfs::BoundedDfs::split).
    pub fn new(bound: Cost, pass: PassResult) -> ProofState {
        ProofState { iterations: Vec::new(), expanded: 0, bound, pass }
    }

    /// Whether any node was searched.
    pub fn started(&self) -> bool {
        !self.iterations.is_empty() || self.pass.nodes > 0
    }

    /// The nodes generated in the current pass. The root is counted once, in the first pass.
    fn generated_in_pass(&self) -> u64 {
        u64::from(self.iterations.is_empty()) + self.pass.nodes
    }

    /// The nodes generated so far.
    pub fn generated(&self) -> u64 {
        let finished: u64 = self.iterations.iter().map(|pass| pass.generated).sum();
        if self.started() { finished + self.generated_in_pass() } else { 0 }
    }

    /// Records the current pass as finished and returns its result.
    pub fn finish_pass(&mut self) -> PassResult {
        let generated = self.generated_in_pass();
        self.iterations.push(Iteration { bound: self.bound, generated });
        self.expanded += self.pass.expanded;
        std::mem::replace(&mut self.pass, PassResult::empty())
    }
}

/// The data that a later run needs to resume a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checkpoint {
    /// The search that the checkpoint belongs to.
    pub search: SearchId,
    /// The running time of the search, earlier runs included.
    pub time: Duration,
    /// The nodes of earlier stages of the portfolio.
    pub earlier_counts: Counts,
    /// The lower bound.
    pub lower_bound: Cost,
    /// The incumbent.
    pub best: Option<Vec<Move>>,
    /// The state of iterative deepening.
    pub proof: ProofState,
}

impl Checkpoint {
    /// The nodes generated so far, by all stages of the portfolio.
    pub fn generated(&self) -> u64 {
        self.earlier_counts.generated + self.proof.generated()
    }

    /// Whether time and node counts are small enough that a resumed search can add to them.
    #[cfg(not(target_arch = "wasm32"))]
    fn has_plausible_totals(&self) -> bool {
        let ProofState { iterations, expanded, pass, .. } = &self.proof;
        let Counts { generated, expanded: earlier_expanded, visited, peak_open } = self.earlier_counts;
        let within = |counts: &[u64]| {
            let sum = counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
            sum.is_some_and(|sum| sum <= MAX_NODES)
        };
        let passes = iterations.iter().map(|pass| pass.generated);
        within(&passes.chain([generated, pass.nodes]).collect::<Vec<_>>())
            && within(&[earlier_expanded, *expanded, pass.expanded])
            && within(&[visited, *expanded, pass.expanded])
            && peak_open <= MAX_NODES
            && self.time <= MAX_TIME
    }

    /// Whether all paths of the checkpoint are legal from `starts` and all its solutions reach a goal. A
    /// forged file, or one written under other rules, fails this check.
    pub fn is_valid_for<P: Puzzle>(&self, puzzle: &P, starts: &[P::State]) -> bool {
        let solves = |path: &Vec<Move>| {
            starts.iter().any(|start| puzzle.replay(start, path).is_ok_and(|end| puzzle.is_goal(&end)))
        };
        let legal = |tree: &Subtree| {
            let start = starts.get(usize::from(tree.root));
            let node = start.and_then(|start| puzzle.replay(start, &tree.path).ok());
            node.is_some_and(|node| (tree.untried - puzzle.legal(&node).to_set256()).is_empty())
        };
        let PassResult { found, unsearched, .. } = &self.proof.pass;
        found.iter().chain(&self.best).all(solves) && unsearched.iter().all(legal)
    }
}

/// A place to store checkpoints, such as a file.
pub trait CheckpointStore: Send + Sync {
    /// An error message if saving would fail; called before the search starts.
    fn check_writable(&self) -> Result<(), String> {
        Ok(())
    }

    /// Replaces the stored checkpoint atomically: a process that is killed leaves either the old or the new
    /// one.
    fn save(&self, checkpoint: &Checkpoint) -> Result<(), String>;
}

/// Restores and saves the checkpoints of one search, at regular intervals.
pub struct Checkpointer {
    search: SearchId,
    /// The time between two checkpoints.
    interval: Duration,
    store: Arc<dyn CheckpointStore>,
    /// The checkpoint of an earlier run, until the search restores it.
    restored: Mutex<Option<Checkpoint>>,
    /// The running time of earlier runs.
    earlier_time: Duration,
    clock: Arc<dyn Clock>,
    /// The clock reading at the start of this run.
    begun: Duration,
    /// The time of the next checkpoint in microseconds after `begun`.
    due: AtomicU64,
    /// The nodes of earlier stages of the portfolio.
    earlier_counts: Mutex<Counts>,
    /// Whether the last save succeeded.
    saved: AtomicBool,
    /// Whether a failure was reported.
    warned: AtomicBool,
}

impl Checkpointer {
    /// Saves the search once per `interval` of the system clock; `restored` is the checkpoint of an earlier
    /// run.
    pub fn new(
        search: SearchId,
        interval: Duration,
        store: Arc<dyn CheckpointStore>,
        restored: Option<Checkpoint>,
    ) -> Checkpointer {
        Checkpointer::with_clock(Arc::new(SystemClock::new()), search, interval, store, restored)
    }

    /// As [`Checkpointer::new`] with a given clock.
    pub fn with_clock(
        clock: Arc<dyn Clock>,
        search: SearchId,
        interval: Duration,
        store: Arc<dyn CheckpointStore>,
        restored: Option<Checkpoint>,
    ) -> Checkpointer {
        let (earlier_time, earlier_counts) = restored
            .as_ref()
            .map_or_else(Default::default, |checkpoint| (checkpoint.time, checkpoint.earlier_counts));
        let checkpointer = Checkpointer {
            search,
            interval,
            store,
            restored: Mutex::new(restored),
            earlier_time,
            begun: clock.now(),
            clock,
            due: AtomicU64::new(0),
            earlier_counts: Mutex::new(earlier_counts),
            saved: AtomicBool::new(false),
            warned: AtomicBool::new(false),
        };
        checkpointer.schedule();
        checkpointer
    }

    /// The time since this run started.
    fn elapsed(&self) -> Duration {
        self.clock.now().saturating_sub(self.begun)
    }

    /// Schedules the next checkpoint.
    fn schedule(&self) {
        let next = self.elapsed().saturating_add(self.interval).as_micros();
        self.due.store(u64::try_from(next).unwrap_or(u64::MAX), Relaxed);
    }

    /// Whether a checkpoint is due.
    pub fn is_due(&self) -> bool {
        self.elapsed().as_micros() >= u128::from(self.due.load(Relaxed))
    }

    /// The checkpoint of an earlier run; only the first call returns it.
    pub fn take_restored(&self) -> Option<Checkpoint> {
        lock(&self.restored).take()
    }

    /// The nodes of earlier stages of the portfolio.
    pub fn earlier_counts(&self) -> Counts {
        *lock(&self.earlier_counts)
    }

    /// Sets the nodes of earlier stages of the portfolio.
    pub fn set_earlier_counts(&self, counts: Counts) {
        *lock(&self.earlier_counts) = counts;
    }

    /// The running time of the search, earlier runs included.
    pub fn time(&self) -> Duration {
        self.earlier_time + self.elapsed()
    }

    /// Whether the last attempt to save a checkpoint succeeded.
    pub fn is_saved(&self) -> bool {
        self.saved.load(Relaxed)
    }

    /// Emits a warning if saving would fail.
    pub fn check_writable(&self, control: &Control) {
        if let Err(reason) = self.store.check_writable() {
            self.warn(&reason, control);
        }
    }

    /// Saves the proof state with the incumbent and the lower bound of `control`. A failure does not stop
    /// the search; the first failure emits a warning.
    pub fn save(&self, proof: &ProofState, control: &Control) {
        let checkpoint = Checkpoint {
            search: self.search.clone(),
            time: self.time(),
            earlier_counts: self.earlier_counts(),
            lower_bound: control.lower_bound(),
            best: control.best(),
            proof: proof.clone(),
        };
        let result = self.store.save(&checkpoint);
        self.saved.store(result.is_ok(), Relaxed);
        if let Err(reason) = result {
            self.warn(&reason, control);
        }
        self.schedule();
    }

    /// Emits a warning; only the first call has an effect.
    fn warn(&self, reason: &str, control: &Control) {
        if !self.warned.swap(true, Relaxed) {
            control.emit(&Event::Warning(format!("{reason}; the search continues without checkpoints")));
        }
    }
}
