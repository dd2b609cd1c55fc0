//! A proof that outlives its process: what is saved of it, when, and how a later run takes it up.
//!
//! A probe that pauses hands back what it has not done, so a proof by iterative deepening is at any moment a few numbers and a
//! list of subtrees. [`crate::solve::ida::iterative_deepening`] lets all threads pause when a [`Checkpointer`] says
//! that it is time, hands it what there is, and goes on with exactly that; so does the run that reads it again.

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

/// Which search a proof belongs to: the run, and the position. What was saved of one says nothing about another.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchId {
    /// The puzzle, the solver whose proof it is, and the limits that change answers.
    pub run: RunId,
    /// The position, as the puzzle writes it.
    pub start: String,
}

/// A proof by iterative deepening that is under way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The passes that are done.
    pub iterations: Vec<Iteration>,
    /// Nodes expanded in them.
    pub expanded: u64,
    /// The bound of the pass that is under way.
    pub bound: Cost,
    /// What that pass has given so far; its `rest` is what is left of it.
    pub pass: PassResult,
}

impl Proof {
    /// Nothing done yet but to cut the first pass, which is the whole tree.
    pub fn begin(bound: Cost, pass: PassResult) -> Proof {
        Proof { iterations: Vec::new(), expanded: 0, bound, pass }
    }

    /// Whether anything is done.
    pub fn begun(&self) -> bool {
        !self.iterations.is_empty() || self.pass.nodes > 0
    }

    /// Nodes generated in the pass that is under way. The root is generated once, in the first.
    fn generated_in_pass(&self) -> u64 {
        u64::from(self.iterations.is_empty()) + self.pass.nodes
    }

    /// Nodes generated so far.
    pub fn generated(&self) -> u64 {
        let done: u64 = self.iterations.iter().map(|pass| pass.generated).sum();
        if self.begun() { done + self.generated_in_pass() } else { 0 }
    }

    /// Ends the pass, and gives what became of it.
    pub fn close(&mut self) -> PassResult {
        let generated = self.generated_in_pass();
        self.iterations.push(Iteration { bound: self.bound, generated });
        self.expanded += self.pass.expanded;
        std::mem::replace(&mut self.pass, PassResult::nothing())
    }
}

/// All that a later run needs to go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Saved {
    /// What it belongs to.
    pub search: SearchId,
    /// How long the search has run.
    pub time: Duration,
    /// The nodes of other solvers that had their turn before.
    pub earlier: Counts,
    /// No path costs less.
    pub proven: Cost,
    /// The best path known.
    pub best: Option<Vec<Move>>,
    /// How far the proof has come.
    pub proof: Proof,
}

impl Saved {
    /// Nodes generated so far, by all who had their turn.
    pub fn generated(&self) -> u64 {
        self.earlier.generated + self.proof.generated()
    }

    /// Whether its paths are possible from `starts` and those to a goal lead there. A file that was not written by us, or
    /// for other rules, would make the search stumble.
    pub fn fits<P: Puzzle>(&self, puzzle: &P, starts: &[P::State]) -> bool {
        let solves = |path: &Vec<Move>| {
            starts.iter().any(|start| puzzle.replay(start, path).is_ok_and(|end| puzzle.is_goal(&end)))
        };
        let possible = |tree: &Subtree| {
            let start = starts.get(usize::from(tree.root));
            let node = start.and_then(|start| puzzle.replay(start, &tree.path).ok());
            node.is_some_and(|node| (tree.untried - puzzle.legal(&node).widen()).is_empty())
        };
        let PassResult { found, rest, .. } = &self.proof.pass;
        found.iter().chain(&self.best).all(solves) && rest.iter().all(possible)
    }
}

/// Where a proof is kept.
pub trait CheckpointStore: Send + Sync {
    /// Tells early what would make saving fail.
    fn check_writable(&self) -> Result<(), String> {
        Ok(())
    }

    /// Keeps this instead of what was kept before. Whoever is killed meanwhile leaves one or the other.
    fn save(&self, saved: &Saved) -> Result<(), String>;
}

/// Looks after the proof of one search: knows what an earlier run left, says when it is time to save, and saves.
pub struct Checkpointer {
    search: SearchId,
    every: Duration,
    store: Arc<dyn CheckpointStore>,
    /// What an earlier run left, until the search takes it up.
    left: Mutex<Option<Saved>>,
    /// How long earlier runs took.
    before: Duration,
    clock: Arc<dyn Clock>,
    begun: Duration,
    /// When it is time to save, in microseconds after `begun`.
    due: AtomicU64,
    earlier: Mutex<Counts>,
    /// Whether the latest state is safe.
    stands: AtomicBool,
    /// Whether it was said that nothing is saved.
    warned: AtomicBool,
}

impl Checkpointer {
    /// Saves the proof of `search` at the interval `every` of the system's clock, beginning with the state an earlier
    /// run `left`.
    pub fn new(
        search: SearchId,
        every: Duration,
        store: Arc<dyn CheckpointStore>,
        left: Option<Saved>,
    ) -> Checkpointer {
        Checkpointer::with_clock(Arc::new(SystemClock::new()), search, every, store, left)
    }

    /// The same with intervals of a given clock.
    pub fn with_clock(
        clock: Arc<dyn Clock>,
        search: SearchId,
        every: Duration,
        store: Arc<dyn CheckpointStore>,
        left: Option<Saved>,
    ) -> Checkpointer {
        let (before, earlier) = left.as_ref().map_or_else(Default::default, |left| (left.time, left.earlier));
        let checkpointer = Checkpointer {
            search,
            every,
            store,
            left: Mutex::new(left),
            before,
            begun: clock.now(),
            clock,
            due: AtomicU64::new(0),
            earlier: Mutex::new(earlier),
            stands: AtomicBool::new(false),
            warned: AtomicBool::new(false),
        };
        checkpointer.schedule();
        checkpointer
    }

    /// Time since this run began.
    fn elapsed(&self) -> Duration {
        self.clock.now().saturating_sub(self.begun)
    }

    /// Schedules the next checkpoint.
    fn schedule(&self) {
        let next = self.elapsed().saturating_add(self.every).as_micros();
        self.due.store(u64::try_from(next).unwrap_or(u64::MAX), Relaxed);
    }

    /// Whether a checkpoint is due.
    pub fn due(&self) -> bool {
        self.elapsed().as_micros() >= u128::from(self.due.load(Relaxed))
    }

    /// What an earlier run left, once.
    pub fn take(&self) -> Option<Saved> {
        lock(&self.left).take()
    }

    /// The nodes of the solvers that had their turn before this one.
    pub fn earlier(&self) -> Counts {
        *lock(&self.earlier)
    }

    /// Notes what the solvers before the one whose proof is saved have counted.
    pub fn note_earlier(&self, counts: Counts) {
        *lock(&self.earlier) = counts;
    }

    /// How long the search has run, earlier runs included.
    pub fn time(&self) -> Duration {
        self.before + self.elapsed()
    }

    /// Whether all that was done is safe: the last that was saved is the last there was to save.
    pub fn stands(&self) -> bool {
        self.stands.load(Relaxed)
    }

    /// Tells early what would make saving fail.
    pub fn check_writable(&self, control: &Control) {
        if let Err(why) = self.store.check_writable() {
            self.warn(&why, control);
        }
    }

    /// Saves the proof with what `control` knows. Where that fails the search goes on, and it is said once.
    pub fn save(&self, proof: &Proof, control: &Control) {
        let saved = Saved {
            search: self.search.clone(),
            time: self.time(),
            earlier: self.earlier(),
            proven: control.bound(),
            best: control.best(),
            proof: proof.clone(),
        };
        let result = self.store.save(&saved);
        self.stands.store(result.is_ok(), Relaxed);
        if let Err(why) = result {
            self.warn(&why, control);
        }
        self.schedule();
    }

    fn warn(&self, why: &str, control: &Control) {
        if !self.warned.swap(true, Relaxed) {
            control.emit(&Event::Warning(format!("{why}; the search goes on, but it is not saved")));
        }
    }
}
