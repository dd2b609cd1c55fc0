//! Executors run the passes of iterative deepening: on this thread, on all threads, on a device or
//! elsewhere.
//!
//! A pass is a list of subtrees and a bound. An executor may split subtrees further and search them in any
//! order. A pass without a solution must count exactly the nodes of the sequential one; with BPMX it may
//! count a few more, because a pause discards raised bounds. Parallel IDA\* by work stealing goes back to
//! Rao, Kumar & Ramesh (AAAI 1987).

use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::bounded_dfs::{BoundedDfs, PassResult, Subtree};
use crate::control::{BreakReason, Control, WorkPool};
use crate::locks::lock;
use crate::moves::MoveSet256;
use crate::puzzle::Cost;
use crate::threads::run_parallel;

/// Runs the passes of [`iterative_deepening`](crate::solve::ida::iterative_deepening).
pub trait Executor: Send + Sync {
    /// Searches `subtrees` within `bound` until they are done, a solution ends the pass
    /// ([`SolutionMode::stops_at_first`](crate::bounded_dfs::SolutionMode::stops_at_first)), a checkpoint is
    /// due, or `control` stops the search. The result lists the subtrees that remain `unsearched`.
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
/// When too few subtrees are queued, a busy worker pauses its pass (at most every few thousand nodes),
/// donates some of the unsearched subtrees and continues with the rest. So a large subtree is split again
/// and again, and no node is counted twice. A donated subtree is the next one of a suitable size in search
/// order, not the largest. So all workers stay close to where a sequential search would be, and in the last
/// iteration they search little beyond the solution.
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
        // A pause leaves many small, deep subtrees. Search them first, so that few remain at the next pause.
        subtrees.sort_by_key(|tree| std::cmp::Reverse(tree.path.len()));
        let queue = SubtreeQueue::new(subtrees);
        let results = run_parallel(threads, |_| queue.work(dfs, bound, control));
        let mut sum = PassResult::empty();
        results.into_iter().for_each(|result| sum.absorb(result));
        sum.unsearched.extend(queue.lock().subtrees.drain(..));
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
    /// Wakes waiting workers when a subtree is queued or the pass may be over.
    change: Condvar,
    /// Tells the meters of all workers when to donate subtrees and when the pass has ended.
    pool: WorkPool,
}

/// The part of the queue behind its lock.
struct QueueState {
    /// The queued subtrees; the front one is taken next.
    subtrees: VecDeque<Subtree>,
    /// The number of workers that search a subtree.
    busy: usize,
    /// The number of workers that wait for a subtree.
    waiting: usize,
    /// Whether the pass has ended for all workers.
    over: bool,
    /// The greatest depth at which a donated child may lie, adapted to measured times.
    max_donation_depth: usize,
}

/// The number of subtrees to keep queued, so that an idle worker need not wait for a donor.
const SPARE_SUBTREES: usize = 1;
/// The depth of donated subtrees before any of them has been timed.
const FIRST_DEPTH: usize = 8;
/// The suitable search time of a donated subtree. A shorter one is not worth the overhead; a longer one
/// takes its worker too far from the position of the others.
const DONATION_TIME: RangeInclusive<Duration> = Duration::from_millis(5)..=Duration::from_millis(40);

impl SubtreeQueue {
    fn new(subtrees: Vec<Subtree>) -> SubtreeQueue {
        let state = QueueState {
            subtrees: subtrees.into(),
            busy: 0,
            waiting: 0,
            over: false,
            max_donation_depth: FIRST_DEPTH,
        };
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

    /// Tells the meters of the workers how many subtrees are missing from the queue. A meter pauses its
    /// worker while any is missing.
    fn publish_demand(&self, state: &QueueState) {
        self.pool.missing_subtrees.store(state.missing_subtrees(), Relaxed);
    }

    /// Moves the missing number of subtrees from `mine` to the queue; at least one stays.
    fn donate(&self, mine: &mut Vec<Subtree>) {
        let mut state = self.lock();
        for _ in 0..state.missing_subtrees() {
            match take_donation(mine, state.max_donation_depth) {
                Some(tree) => state.subtrees.push_back(tree),
                None => break,
            }
            self.change.notify_one();
        }
        self.publish_demand(&state);
    }

    /// Records that a subtree from the queue is done and how long its search took.
    fn record_done(&self, duration: Duration) {
        let mut state = self.lock();
        if duration < *DONATION_TIME.start() {
            state.max_donation_depth = state.max_donation_depth.saturating_sub(1);
        } else if duration > *DONATION_TIME.end() {
            state.max_donation_depth += 1;
        }
        state.busy -= 1;
        if state.busy == 0 && state.subtrees.is_empty() {
            self.change.notify_all();
        }
    }

    /// Ends the pass for all workers.
    fn end_pass(&self) {
        self.pool.done.store(true, Relaxed);
        self.lock().over = true;
        self.change.notify_all();
    }

    /// Searches queued subtrees until the pass is over: the loop of one worker.
    fn work(&self, dfs: &dyn BoundedDfs, bound: Cost, control: &Control) -> PassResult {
        let _guard = OnPanic(|| self.end_pass());
        let mut meter = control.meter().in_pool(&self.pool).with_checkpoints();
        let mut sum = PassResult::empty();
        while let Some(tree) = self.take() {
            let begun = control.clock().now();
            let mut mine = vec![tree];
            while !mine.is_empty() {
                let mut result = dfs.run_pass(mine, bound, &mut meter);
                mine = std::mem::take(&mut result.unsearched);
                let found = !result.found.is_empty() && dfs.mode().stops_at_first();
                sum.absorb(result);
                if found || (!mine.is_empty() && meter.break_reason() != Some(BreakReason::Donate)) {
                    sum.unsearched.append(&mut mine);
                    self.end_pass();
                } else if !mine.is_empty() {
                    self.donate(&mut mine);
                    meter.resume();
                }
            }
            self.record_done(control.clock().now().saturating_sub(begun));
        }
        sum
    }
}

impl QueueState {
    /// The number of subtrees that the queue lacks: one per waiting worker, and [`SPARE_SUBTREES`].
    fn missing_subtrees(&self) -> usize {
        (self.waiting + SPARE_SUBTREES).saturating_sub(self.subtrees.len())
    }
}

/// Takes one child out of `mine`, which is in search order, from deep to shallow: the first child that lies no
/// deeper than `depth`, else a child of the last node. At least one child stays.
fn take_donation(mine: &mut Vec<Subtree>, depth: usize) -> Option<Subtree> {
    // `mine` must not become empty, so the last child of a node is donated only if there are other nodes.
    let index = mine.iter().position(|tree| tree.path.len() < depth).or(mine.len().checked_sub(1))?;
    let tree = &mut mine[index];
    let next = tree.untried.into_iter().next()?;
    let donated = Subtree { untried: MoveSet256::only(next), ..tree.clone() };
    tree.untried = tree.untried.without(next);
    if !tree.untried.is_empty() {
        return Some(donated);
    }
    if mine.len() == 1 {
        mine[0] = donated;
        return None;
    }
    mine.remove(index);
    Some(donated)
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
        assert_eq!(take_donation(&mut mine, 3), Some(tree(&[1, 1], &[2])));
        assert_eq!(mine, [tree(&[1, 1, 1], &[2]), tree(&[1, 1], &[3]), tree(&[1], &[2])]);
        assert_eq!(take_donation(&mut mine, 2), Some(tree(&[1], &[2])));
        assert_eq!(
            take_donation(&mut mine, 1),
            Some(tree(&[1, 1], &[3])),
            "the shallowest if all are too deep"
        );
        assert_eq!(take_donation(&mut mine, 9), None, "one stays");
        assert_eq!(mine, [tree(&[1, 1, 1], &[2])]);
    }
}
