//! Node counting in hot loops, with checks for limits, cancellation, idle workers and due checkpoints.
//!
//! Every worker has its own [`Meter`]. It takes nodes from the node limit in batches and checks the clock,
//! the limits and the observer between two batches, every few hundred microseconds. The loop pays one
//! subtraction per node and one comparison per expansion.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use super::Control;
use super::limits::Stop;
use crate::checkpoint::Checkpointer;

/// The reason why a metered loop pauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BreakReason {
    /// The search stops.
    Stop(Stop),
    /// Another worker is idle: donate a subtree.
    Donate,
    /// Another worker of the pool ended the common work.
    Done,
    /// A checkpoint is due.
    Save,
}

/// Flags shared by the workers of one search.
#[derive(Default)]
pub struct WorkPool {
    /// The number of subtrees that idle workers wait for.
    pub missing_subtrees: AtomicUsize,
    /// Whether all workers should end.
    pub done: AtomicBool,
}

/// The node counter of one worker.
pub struct Meter<'a> {
    control: &'a Control,
    pool: Option<&'a WorkPool>,
    /// The unused nodes of the granted batch; negative if the loop counted more than were granted.
    remaining: i64,
    /// The size of the granted batch.
    granted: i64,
    /// The size of the next batch.
    batch: u64,
    /// The nodes used of all earlier batches.
    settled: u64,
    /// Nodes since the last donation.
    since_donation: u64,
    /// The clock reading of the last check.
    last_check: Duration,
    /// The reason for the last pause.
    pause: Option<BreakReason>,
    checkpointer: Option<&'a Checkpointer>,
}

/// Nodes that [`Meter::reserve`] took from the node limit in advance.
#[derive(Clone, Copy, Debug)]
pub struct NodeReservation {
    /// The nodes taken from the node limit, in addition to the batch of the meter.
    taken: u64,
    max_nodes: u64,
}

impl NodeReservation {
    /// The most nodes that the loop can count without exceeding the node limit; `u64::MAX` without a limit.
    pub fn max_nodes(&self) -> u64 {
        self.max_nodes
    }
}

/// The sizes of the smallest batch, which is also the first one, and of the largest batch.
const MIN_BATCH: u64 = 64;
const MAX_BATCH: u64 = 1 << 20;
/// The least number of nodes between two donations. A donation costs about as much as a few hundred nodes.
const DONATE_AFTER: u64 = 4096;
/// The target time between two checks; batches grow and shrink towards it.
const CHECK_INTERVAL: Duration = Duration::from_micros(400);

impl<'a> Meter<'a> {
    pub(super) fn new(control: &'a Control) -> Meter<'a> {
        Meter {
            control,
            pool: None,
            remaining: 0,
            granted: 0,
            batch: MIN_BATCH,
            settled: 0,
            since_donation: 0,
            last_check: control.clock().now(),
            pause: None,
            checkpointer: None,
        }
    }

    /// Makes the meter pause when other workers of the pool are idle or the work is done.
    #[must_use]
    pub fn in_pool(mut self, pool: &'a WorkPool) -> Meter<'a> {
        self.pool = Some(pool);
        self
    }

    /// Makes the meter pause with [`BreakReason::Save`] when a checkpoint of the search is due.
    #[must_use]
    pub fn with_checkpoints(mut self) -> Meter<'a> {
        self.checkpointer = self.control.checkpointer();
        self
    }

    /// The search this meter belongs to.
    pub fn control(&self) -> &'a Control {
        self.control
    }

    /// Counts one node.
    #[inline]
    pub fn tick(&mut self) {
        self.remaining -= 1;
    }

    /// Counts several nodes.
    #[inline]
    pub fn count_nodes(&mut self, nodes: u64) {
        self.remaining -= nodes as i64;
    }

    /// Reserves up to `at_most` nodes of the node limit for a loop that cannot stop at an exact node. Near
    /// the limit the reservation is smaller, as a batch is.
    #[must_use]
    pub fn reserve(&mut self, at_most: u64) -> NodeReservation {
        if self.control.limits.nodes.is_none() {
            return NodeReservation { taken: 0, max_nodes: u64::MAX };
        }
        let share = |left: u64| self.share_of(left).min(left).min(at_most);
        let left = self.control.nodes_left.fetch_update(Relaxed, Relaxed, |left| Some(left - share(left)));
        let taken = left.map_or(0, share);
        NodeReservation { taken, max_nodes: self.nodes_until_check().saturating_add(taken) }
    }

    /// Counts several nodes and gives the rest of the reservation back to the node limit. The nodes also
    /// bring the next check closer, as those of [`Meter::count_nodes`] do.
    pub fn count_reserved(&mut self, reservation: NodeReservation, nodes: u64) {
        if self.control.limits.nodes.is_none() {
            return self.count_nodes(nodes);
        }
        let from_batch = nodes.min(self.nodes_until_check());
        let from_reservation = nodes - from_batch;
        self.remaining -= from_batch as i64;
        self.granted += from_reservation as i64;
        self.give_back(reservation.taken as i64 - from_reservation as i64);
    }

    /// Gives unused nodes back to the node limit; a negative number takes nodes that were used in excess.
    fn give_back(&self, unused: i64) {
        let add = |left: u64| Some(left.saturating_add_signed(unused));
        let _ = self.control.nodes_left.fetch_update(Relaxed, Relaxed, add);
    }

    /// The nodes of the node limit that one worker may take at once when `left` are left. The share shrinks
    /// as the limit approaches, so that no worker holds many nodes when another finds none left.
    fn share_of(&self, left: u64) -> u64 {
        left / (2 * self.control.threads() as u64) + 1
    }

    /// The number of nodes until [`Meter::check`] next checks the limits, for loops that count nodes
    /// themselves.
    #[inline]
    pub fn nodes_until_check(&self) -> u64 {
        self.remaining.max(0) as u64
    }

    /// Breaks if the loop must pause; to be called once per expansion.
    #[inline]
    pub fn check(&mut self) -> ControlFlow<BreakReason> {
        if self.remaining <= 0 { self.refill() } else { ControlFlow::Continue(()) }
    }

    /// The number of nodes counted so far.
    #[inline]
    pub fn nodes(&self) -> u64 {
        self.settled + (self.granted - self.remaining) as u64
    }

    /// The reason for the last pause.
    pub fn break_reason(&self) -> Option<BreakReason> {
        self.pause
    }

    /// Continues after [`BreakReason::Donate`].
    pub fn resume(&mut self) {
        self.pause = None;
        self.since_donation = 0;
    }

    /// Counts the used nodes of the batch and gives the unused ones back to the node limit.
    fn settle(&mut self) {
        let used = (self.granted - self.remaining) as u64;
        self.settled += used;
        self.since_donation += used;
        self.control.shared.nodes.fetch_add(used, Relaxed);
        if self.control.limits.nodes.is_some() {
            self.give_back(self.remaining);
        }
        self.remaining = 0;
        self.granted = 0;
    }

    fn break_with(&mut self, pause: BreakReason) -> ControlFlow<BreakReason> {
        self.pause = Some(pause);
        ControlFlow::Break(pause)
    }

    /// Settles the batch, pauses if there is a reason to, and otherwise grants the next batch.
    #[cold]
    #[inline(never)]
    fn refill(&mut self) -> ControlFlow<BreakReason> {
        self.settle();
        let now = self.control.clock().now();
        if let Err(stop) = self.control.poll_at(now) {
            return self.break_with(BreakReason::Stop(stop));
        }
        if let Some(pool) = self.pool {
            if pool.done.load(Relaxed) {
                return self.break_with(BreakReason::Done);
            }
            if self.since_donation >= DONATE_AFTER && pool.missing_subtrees.load(Relaxed) > 0 {
                return self.break_with(BreakReason::Donate);
            }
        }
        // A worker spends at least one batch before it pauses, so that the search advances however often it
        // saves.
        if self.settled > 0 && self.checkpointer.is_some_and(Checkpointer::is_due) {
            return self.break_with(BreakReason::Save);
        }
        let batch_time = now.saturating_sub(self.last_check);
        self.last_check = now;
        self.batch = if batch_time < CHECK_INTERVAL { self.batch * 2 } else { self.batch / 2 };
        self.batch = self.batch.clamp(MIN_BATCH, MAX_BATCH);
        let mut grant = self.batch;
        if self.control.limits.nodes.is_some() {
            let next_grant = |left: u64| self.batch.min(self.share_of(left));
            let deduct = |left: u64| (left > 0).then(|| left - next_grant(left));
            match self.control.nodes_left.fetch_update(Relaxed, Relaxed, deduct) {
                Ok(left) => grant = next_grant(left),
                Err(_) => {
                    let stop = self.control.request_stop(Stop::Nodes);
                    return self.break_with(BreakReason::Stop(stop));
                }
            }
        }
        self.granted = grant as i64;
        self.remaining = self.granted;
        ControlFlow::Continue(())
    }
}

impl Drop for Meter<'_> {
    fn drop(&mut self) {
        self.settle();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Limits, ManualClock, MemoryAccount, Silent};
    use super::*;

    #[test]
    fn a_node_limit_is_overrun_by_one_expansion_at_most() {
        let control = Control::new(Limits { nodes: Some(100_000), ..Limits::default() }, Arc::new(Silent));
        let mut meter = control.meter();
        let mut spent = 0;
        while meter.check().is_continue() {
            (0..3).for_each(|_| meter.tick());
            spent += 3;
        }
        assert_eq!(meter.nodes(), spent, "every node is counted");
        assert!((100_000..100_003).contains(&spent), "{spent} of 100000 nodes were spent");
        assert_eq!(control.stop_reason(), Some(Stop::Nodes));
    }

    #[test]
    fn reserved_nodes_are_counted_once_and_never_exceed_the_limit() {
        for (threads, used_share) in [(1, 1), (1, 3), (4, 2)] {
            let limits = Limits { nodes: Some(100_000), threads, ..Limits::default() };
            let control = Control::new(limits, Arc::new(Silent));
            let mut meter = control.meter();
            let mut spent = 0;
            while meter.check().is_continue() {
                let reservation = meter.reserve(5_000);
                let nodes = reservation.max_nodes() / used_share;
                meter.count_reserved(reservation, nodes.max(1));
                spent += nodes.max(1);
                let left = control.nodes_left.load(Relaxed);
                let held = meter.nodes_until_check();
                assert_eq!(spent + held + left, 100_000, "every node is spent, held or left");
            }
            assert_eq!((meter.nodes(), spent), (100_000, 100_000), "{threads} threads");
            assert_eq!(control.stop_reason(), Some(Stop::Nodes));
        }
    }

    #[test]
    fn without_a_node_limit_a_reservation_is_unlimited() {
        let control = Control::default();
        let mut meter = control.meter();
        assert!(meter.check().is_continue());
        let reservation = meter.reserve(5_000);
        assert_eq!(reservation.max_nodes(), u64::MAX);
        meter.count_reserved(reservation, 1 << 40);
        assert_eq!((meter.nodes(), meter.nodes_until_check()), (1 << 40, 0));
    }

    /// Runs a loop whose nodes take `node` each, under a time limit. Returns the time at which it stopped.
    fn stopped_after(node: Duration, limit: Duration) -> Duration {
        let clock = Arc::new(ManualClock::new());
        let limits = Limits { time: Some(limit), ..Limits::default() };
        let control = Control::with_clock(clock.clone(), &MemoryAccount::default(), limits, Arc::new(Silent));
        let mut meter = control.meter();
        while meter.check().is_continue() {
            meter.tick();
            clock.advance(node);
        }
        assert_eq!(meter.break_reason(), Some(BreakReason::Stop(Stop::Time)));
        control.elapsed()
    }

    #[test]
    fn a_time_limit_is_overrun_by_at_most_two_check_intervals() {
        let limit = Duration::from_millis(50);
        // For fast nodes the batch grows first; it never takes more than twice the check interval.
        for node in [50, 200, 1_000, 6_000].map(Duration::from_nanos) {
            let stopped = stopped_after(node, limit);
            let latest = limit + (2 * CHECK_INTERVAL).max(MIN_BATCH as u32 * node);
            assert!((limit..=latest).contains(&stopped), "nodes of {node:?}: stopped after {stopped:?}");
        }
        // The smallest batch bounds the delay of slow nodes.
        let stopped = stopped_after(Duration::from_millis(1), limit);
        assert!(stopped <= Duration::from_millis(128), "stopped after {stopped:?}");
    }
}
