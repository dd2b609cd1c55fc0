//! Executors run the passes of iterative deepening: on this thread, on all threads, on a device or
//! elsewhere.
//!
//! A pass is a list of subtrees and a bound. An executor may split subtrees further and search them in any
//! order; a pass without a solution must count exactly the nodes of the sequential one. Parallel IDA\* by
//! work stealing goes back to Rao, Kumar & Ramesh (AAAI 1987).

use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::bounded_dfs::{BoundedDfs, PassResult, Subtree};
use crate::control::{Control, Pause, WorkPool};
use crate::locks::lock;
use crate::moves::MoveSet256;
use crate::puzzle::Cost;
use crate::threads::run_parallel;

/// Runs the passes of [`iterative_deepening`](crate::solve::ida::iterative_deepening).
pub trait Executor: Send + Sync {
    /// Searches `subtrees` within `bound` until they are done, a solution ends the pass
    /// ([`SolutionMode::stops_at_first`](crate::bounded_dfs::SolutionMode::stops_at_first)), a checkpoint is
    /// due, or `control` stops the search. The `rest` of the result is the unsearched part.
    fn run_pass(
        &self,
        dfs: &dyn BoundedDfs,
        subtrees: Vec<Subtree>,
        bound: Cost,
        control: &Control,
    ) -> PassResult;

    /// The number of workers under `control`, for reports.
    fn workers(&self, control: &Control) -> usize;
}

/// Runs passes on the calling thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sequential;

impl Executor for Sequential {
    fn run_pass(
        &self,
        dfs: &dyn BoundedDfs,
        subtrees: Vec<Subtree>,
        bound: Cost,
        control: &Control,
    ) -> PassResult {
        dfs.run_pass(subtrees, bound, &mut control.meter().with_checkpoints())
    }

    fn workers(&self, _control: &Control) -> usize {
        1
    }
}

/// Runs passes on all threads that the control allows.
///
/// When no subtree is queued, a busy worker pauses its pass, which returns the unsearched part, donates one
/// subtree and continues. So a large subtree is split again and again, and no node is counted twice. The
/// donated subtree is the next one of a suitable size in search order, not the largest: in the last
/// iteration all workers then stay close to the position of a sequential search and search little beyond the
/// solution.
#[derive(Clone, Copy, Debug, Default)]
pub struct Threads;

impl Executor for Threads {
    fn run_pass(
        &self,
        dfs: &dyn BoundedDfs,
        mut subtrees: Vec<Subtree>,
        bound: Cost,
        control: &Control,
    ) -> PassResult {
        let threads = control.threads();
        if threads == 1 {
            return Sequential.run_pass(dfs, subtrees, bound, control);
        }
        // Deepest first, so that few of the small subtrees that a pause leaves remain at the next pause.
        subtrees.sort_by_key(|tree| std::cmp::Reverse(tree.path.len()));
        let queue = SubtreeQueue::new(subtrees);
        let parts = run_parallel(threads, |_| queue.work(dfs, bound, control));
        let mut sum = PassResult::empty();
        parts.into_iter().for_each(|part| sum.absorb(part));
        sum.rest.extend(queue.lock().subtrees.drain(..));
        sum
    }

    fn workers(&self, control: &Control) -> usize {
        control.threads()
    }
}

/// Runs a closure when its thread panics, so that other workers do not wait for it.
pub(crate) struct OnPanic<F: FnMut()>(pub(crate) F);

impl<F: FnMut()> Drop for OnPanic<F> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            (self.0)();
        }
    }
}

/// The subtrees of a pass that wait for a worker.
struct SubtreeQueue {
    state: Mutex<QueueState>,
    change: Condvar,
    pool: WorkPool,
}

struct QueueState {
    /// In search order.
    subtrees: VecDeque<Subtree>,
    busy: usize,
    waiting: usize,
    over: bool,
    /// The largest path length of a subtree that is worth donating, adapted to measured times.
    depth: usize,
}

/// Keep one subtree queued so that an idle worker never waits for a donor.
const STOCK: usize = 1;
/// The depth of donated subtrees before any of them has been timed.
const FIRST_DEPTH: usize = 8;
/// The suitable search time of a donated subtree. Shorter ones are not worth the overhead; longer ones take
/// the worker too far from the others.
const DONATION_TIME: RangeInclusive<Duration> = Duration::from_millis(5)..=Duration::from_millis(40);

impl SubtreeQueue {
    fn new(subtrees: Vec<Subtree>) -> SubtreeQueue {
        let state =
            QueueState { subtrees: subtrees.into(), busy: 0, waiting: 0, over: false, depth: FIRST_DEPTH };
        SubtreeQueue { state: Mutex::new(state), change: Condvar::new(), pool: WorkPool::default() }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        lock(&self.state)
    }

    /// Waits for the next subtree; `None` when the pass is over.
    fn take(&self) -> Option<Subtree> {
        let mut state = self.lock();
        loop {
            if state.over {
                return None;
            }
            if let Some(tree) = state.subtrees.pop_front() {
                state.busy += 1;
                self.publish_demand(&state);
                return Some(tree);
            }
            if state.busy == 0 {
                state.over = true;
                self.change.notify_all();
                return None;
            }
            state.waiting += 1;
            self.publish_demand(&state);
            state = self.change.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
            self.publish_demand(&state);
        }
    }

    fn publish_demand(&self, state: &QueueState) {
        self.pool.idle_workers.store(state.wanted(), Relaxed);
    }

    /// Donates as many subtrees as idle workers wait for and keeps at least one.
    fn donate(&self, mine: &mut Vec<Subtree>) {
        let mut state = self.lock();
        for _ in 0..state.wanted() {
            match split(mine, state.depth) {
                Some(tree) => state.subtrees.push_back(tree),
                None => break,
            }
            self.change.notify_one();
        }
        self.publish_demand(&state);
    }

    /// Records that a taken subtree is done and how long it took.
    fn leave(&self, took: Duration) {
        let mut state = self.lock();
        if took < *DONATION_TIME.start() {
            state.depth = state.depth.saturating_sub(1);
        } else if took > *DONATION_TIME.end() {
            state.depth += 1;
        }
        state.busy -= 1;
        if state.busy == 0 && state.subtrees.is_empty() {
            self.change.notify_all();
        }
    }

    fn finish(&self) {
        self.pool.done.store(true, Relaxed);
        self.lock().over = true;
        self.change.notify_all();
    }

    fn work(&self, dfs: &dyn BoundedDfs, bound: Cost, control: &Control) -> PassResult {
        let _watch = OnPanic(|| self.finish());
        let mut meter = control.meter().in_pool(&self.pool).with_checkpoints();
        let mut sum = PassResult::empty();
        while let Some(tree) = self.take() {
            let begun = control.clock().now();
            let mut mine = vec![tree];
            while !mine.is_empty() {
                let mut result = dfs.run_pass(mine, bound, &mut meter);
                mine = std::mem::take(&mut result.rest);
                let found = !result.found.is_empty() && dfs.mode().stops_at_first();
                sum.absorb(result);
                if found || (!mine.is_empty() && meter.pause() != Some(Pause::Donate)) {
                    sum.rest.append(&mut mine);
                    self.finish();
                } else if !mine.is_empty() {
                    self.donate(&mut mine);
                    meter.resume();
                }
            }
            self.leave(control.clock().now().saturating_sub(begun));
        }
        sum
    }
}

impl QueueState {
    /// The number of subtrees to be donated.
    fn wanted(&self) -> usize {
        (self.waiting + STOCK).saturating_sub(self.subtrees.len())
    }
}

/// Takes one subtree out of `mine`, which is in search order: the first that lies no deeper than `depth`,
/// else the shallowest. At least one stays.
fn split(mine: &mut Vec<Subtree>, depth: usize) -> Option<Subtree> {
    // The owner continues with the first subtree, so all of it may only be donated if there are others.
    let place = mine.iter().position(|tree| tree.path.len() < depth).or(mine.len().checked_sub(1))?;
    let tree = &mut mine[place];
    let next = tree.untried.into_iter().next()?;
    let given = Subtree { untried: MoveSet256::only(next), ..tree.clone() };
    tree.untried = tree.untried.without(next);
    if !tree.untried.is_empty() {
        return Some(given);
    }
    if mine.len() == 1 {
        mine[0] = given;
        return None;
    }
    mine.remove(place);
    Some(given)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::Move;

    fn tree(path: &[u8], untried: &[u8]) -> Subtree {
        let untried = untried.iter().fold(MoveSet256::EMPTY, |set, &m| set | MoveSet256::only(Move(m)));
        Subtree { root: 0, path: path.iter().map(|&m| Move(m)).collect(), untried }
    }

    #[test]
    fn the_next_subtree_that_is_shallow_enough_is_donated() {
        let mut mine = vec![tree(&[1, 1, 1], &[2]), tree(&[1, 1], &[2, 3]), tree(&[1], &[2])];
        assert_eq!(split(&mut mine, 3), Some(tree(&[1, 1], &[2])));
        assert_eq!(mine, [tree(&[1, 1, 1], &[2]), tree(&[1, 1], &[3]), tree(&[1], &[2])]);
        assert_eq!(split(&mut mine, 2), Some(tree(&[1], &[2])));
        assert_eq!(split(&mut mine, 1), Some(tree(&[1, 1], &[3])), "the shallowest if all are too deep");
        assert_eq!(split(&mut mine, 9), None, "one stays");
        assert_eq!(mine, [tree(&[1, 1, 1], &[2])]);
    }
}
