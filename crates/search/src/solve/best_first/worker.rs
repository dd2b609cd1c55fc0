//! The workers of a best-first search: expansion, duplicate detection and the exchange of children.
//! Children are distributed by hash as in HDA\* (Kishimoto, Fukunaga & Botea, ICAPS 2009).

use std::hash::Hash;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use super::Weights;
use crate::bucket_queue::BucketQueue;
use crate::control::{BreakReason, Control, Meter, Stop};
use crate::heuristic::{DynHeuristic, EvaluatedChild};
use crate::locks::lock;
use crate::moves::{Move, MoveMask};
use crate::puzzle::{Cost, Puzzle};
use crate::state_table::{Insertion, StateTable, hash, partition_of};

/// A generated child, sent to the worker that owns its state.
pub(super) struct Child<K> {
    hash: u64,
    key: K,
    g: Cost,
    h: Cost,
    /// The move from its parent.
    last_move: Move,
}

/// Buffers for the children of the nodes being expanded, reused from expansion to expansion.
struct Buffers<P: Puzzle> {
    evaluated: Vec<EvaluatedChild<P>>,
    children: Vec<Child<P::Key>>,
}

/// The states that one worker owns, and its open list.
pub(super) struct Partition<K> {
    pub(super) states: StateTable<K>,
    pub(super) open: BucketQueue,
    pub(super) expanded: u64,
    pub(super) generated: u64,
}

impl<K: Eq + Hash> Partition<K> {
    /// An empty partition; `key_heap_bytes` is the number of heap bytes behind one packed state.
    pub(super) fn new(control: &Control, key_heap_bytes: usize) -> Result<Partition<K>, Stop> {
        Ok(Partition {
            states: StateTable::new(control, key_heap_bytes)?,
            open: BucketQueue::new(control)?,
            expanded: 0,
            generated: 0,
        })
    }

    /// Stores a child and opens it if it is new, or reopens it if it is now reached at a lower cost.
    fn insert(&mut self, child: Child<K>, weights: Weights) -> Result<(), Stop> {
        match self.states.insert(child.hash, child.key, child.g, Some(child.last_move))? {
            // The open list holds node numbers, which are indices into `states`.
            Insertion::New(number) => self.open.push(weights.priority(child.g, child.h), child.h, number),
            // In greedy search the priority does not depend on g, so the node stays where it is in the open
            // list.
            Insertion::Improved(_) if weights.g == 0 => Ok(()),
            Insertion::Improved(number) => {
                self.open.push(weights.priority(child.g, child.h), child.h, number)
            }
            Insertion::Known => Ok(()),
        }
    }
}

/// A reached goal: its cost, its parent state and the move from the parent. If a start state is a goal, it
/// is stored in place of the parent, without a move.
pub(super) type ReachedGoal<P> = (Cost, <P as Puzzle>::State, Option<Move>);

/// Data shared by the workers.
pub(super) struct Shared<'a, P: Puzzle> {
    pub(super) puzzle: &'a P,
    pub(super) heuristic: &'a dyn DynHeuristic<P>,
    /// The weights of g and h; a node's priority is their weighted sum, least first.
    pub(super) weights: Weights,
    pub(super) control: &'a Control,
    /// Children sent to each owner.
    pub(super) mailboxes: Vec<Mutex<Vec<Child<P::Key>>>>,
    /// The number of children in each mailbox, readable without locking.
    pub(super) mail_counts: Vec<AtomicUsize>,
    /// Active workers plus children in mailboxes; the search ends at 0.
    pub(super) outstanding: AtomicU64,
    /// The best goal. It is stored as parent and move, because its own node may still be in a mailbox when
    /// the search stops.
    pub(super) goal: Mutex<Option<ReachedGoal<P>>>,
    /// The least f-value of a node that was dropped when memory ran out.
    pub(super) least_dropped_f: AtomicU32,
    /// The cost of the best known solution; `Cost::MAX` if none is known.
    pub(super) upper: AtomicU64,
    /// Whether nodes whose g + h cannot improve the incumbent are pruned; requires an admissible heuristic.
    pub(super) prune: bool,
}

/// Children are sent in batches of at least this size.
const SEND_BATCH: usize = 32;
/// While any mailbox holds more children than this, no worker expands nodes.
pub(super) const MAILBOX_THRESHOLD: usize = 1 << 13;
/// A table with more states outgrows the caches. Then [`EXPANSION_BATCH`] nodes are expanded together, so
/// that their cache misses overlap: on Korf's instance 2, 2.1 M expansions/s become 3.4 M.
const MAX_CACHED_STATES: usize = 1 << 16;
const EXPANSION_BATCH: usize = 8;
/// No limit; half of the maximum, so that a move cost can be added.
const NO_LIMIT: Cost = Cost::MAX / 2;

impl<P: Puzzle> Shared<'_, P> {
    /// The index of the worker that owns the state with this hash.
    pub(super) fn owner_index(&self, hash: u64) -> usize {
        partition_of(hash, self.mailboxes.len())
    }

    fn upper(&self) -> Cost {
        self.upper.load(Ordering::Relaxed) as Cost
    }

    /// True if no open node with this priority or a larger one leads to a better solution than the incumbent
    /// or, when all optimal solutions are listed, to one as good.
    fn cannot_improve(&self, priority: u64) -> bool {
        let upper = self.upper();
        if upper == Cost::MAX {
            return false;
        }
        let threshold = self.weights.priority(upper, 0);
        if self.control.all_solutions() && self.weights.finds_optimal() {
            priority > threshold
        } else {
            priority >= threshold
        }
    }

    /// Records a goal if it is the best so far. The goal is the state that `m` leads to from `parent`; if
    /// `m` is `None`, it is `parent` itself.
    pub(super) fn record_goal(&self, cost: Cost, parent: &P::State, m: Option<Move>) {
        let mut goal = lock(&self.goal);
        if cost < self.upper() || (goal.is_none() && cost == self.upper()) {
            *goal = Some((cost, parent.clone(), m));
            self.upper.store(u64::from(cost), Ordering::Relaxed);
        }
    }

    /// The largest additional cost with which a node of cost `g` can still improve the incumbent.
    fn budget(&self, g: Cost) -> Cost {
        let upper = self.upper();
        if !self.prune || upper == Cost::MAX {
            return NO_LIMIT;
        }
        // When all optimal solutions are listed, paths of equal cost must not be pruned.
        let max_cost = if self.control.all_solutions() { upper } else { upper - 1 };
        max_cost.saturating_sub(g)
    }

    /// Runs worker number `index` until the search ends.
    pub(super) fn run(&self, index: usize, partition: &mut Partition<P::Key>) -> Result<(), Stop> {
        // The meter counts this worker's nodes and polls the limits of the search.
        let mut meter = self.control.meter();
        let mut outgoing: Vec<Vec<Child<P::Key>>> = self.mailboxes.iter().map(|_| Vec::new()).collect();
        let mut buffers = Buffers { evaluated: Vec::new(), children: Vec::new() };
        // The lower bound proven so far; only sequential A* proves one while it searches.
        let mut proven = 0;
        let sequential = self.mailboxes.len() == 1;
        let result = loop {
            if let Err(stop) = self.receive(index, partition) {
                break Err(stop);
            }
            let front = partition.open.front_priority().filter(|&front| !self.cannot_improve(front));
            let Some(front) = front else {
                if sequential {
                    break Ok(());
                }
                self.send(&mut outgoing, 0);
                match self.wait_for_mail(index) {
                    Ok(true) => continue,
                    Ok(false) => break Ok(()),
                    Err(stop) => break Err(stop),
                }
            };
            if sequential && self.prune && self.weights == Weights::ASTAR && front > proven {
                proven = front;
                self.control.raise_lower_bound(front.min(u64::from(self.upper())) as Cost);
            }
            // The other reasons to break concern depth-first search only.
            if let ControlFlow::Break(BreakReason::Stop(stop)) = meter.check() {
                break Err(stop);
            }
            self.expand_batch(front, partition, &mut meter, &mut buffers);
            if let Err(stop) = self.deliver(index, partition, &mut buffers.children, &mut outgoing) {
                break Err(stop);
            }
            self.send(&mut outgoing, SEND_BATCH);
            if let Err(stop) = self.drain_while_full(index, partition) {
                break Err(stop);
            }
        };
        if let Err(stop) = result {
            self.control.request_stop(stop);
        }
        // Send the remaining children even after a stop: the lower bound includes those in mailboxes.
        self.send(&mut outgoing, 0);
        partition.generated = meter.nodes();
        result
    }

    /// Expands the first node of the open list, or a batch of nodes of the same priority if the table is
    /// larger than the caches.
    fn expand_batch(
        &self,
        front: u64,
        partition: &mut Partition<P::Key>,
        meter: &mut Meter<'_>,
        buffers: &mut Buffers<P>,
    ) {
        let batch = if partition.states.len() < MAX_CACHED_STATES || self.weights.g == 0 {
            1
        } else {
            EXPANSION_BATCH
        };
        let mut batch_nodes = [(0, 0); EXPANSION_BATCH];
        let mut count = 0;
        while count < batch && partition.open.front_priority() == Some(front) {
            let Some(popped) = partition.open.pop() else { break };
            partition.states.prefetch_node(popped.number);
            batch_nodes[count] = (popped.number, popped.h);
            count += 1;
        }
        for &(number, h) in &batch_nodes[..count] {
            let node = partition.states.node(number);
            let g = node.cost();
            // The entry is stale: the node was later reached at a lower cost and queued again.
            if self.weights.g > 0 && self.weights.priority(g, h) != front {
                continue;
            }
            let (state, last_move) = (self.puzzle.unpack(&node.key), node.last_move());
            // A goal was recorded when it was generated; no optimal path leads through it.
            if h == 0 && self.puzzle.is_goal(&state) {
                continue;
            }
            partition.expanded += 1;
            self.expand(&state, g, last_move, meter, buffers);
        }
    }

    fn expand(
        &self,
        state: &P::State,
        g: Cost,
        last_move: Option<Move>,
        meter: &mut Meter<'_>,
        buffers: &mut Buffers<P>,
    ) {
        // All legal moves except those that undo the last move.
        let moves = self.puzzle.legal(state) - self.puzzle.undo_set(last_move);
        // `evaluate_children` returns the h of the parent and leaves out children beyond the budget.
        let parent_h = self.heuristic.evaluate_children(
            self.puzzle,
            state,
            moves,
            self.budget(g),
            &mut buffers.evaluated,
        );
        let priority = self.weights.priority(g, parent_h);
        let mut generated = moves.len() as u64;
        for EvaluatedChild { m, state: child, h } in buffers.evaluated.drain(..) {
            let g = g + self.puzzle.cost(m);
            // A goal among the siblings may have lowered the upper bound since the children were evaluated.
            if h > self.budget(g) {
                continue;
            }
            let key = self.puzzle.pack(&child);
            buffers.children.push(Child { hash: hash(&key), key, g, h, last_move: m });
            if h == 0 && self.puzzle.is_goal(&child) {
                self.record_goal(g, state, Some(m));
                // If no open node can lead to a better goal, the search ends: count only the children up to
                // this one.
                if self.mailboxes.len() == 1 && self.cannot_improve(priority) {
                    let position = moves.into_iter().position(|generated_move| generated_move == m);
                    generated = position.map_or(generated, |index| index as u64 + 1);
                    break;
                }
            }
        }
        meter.count_nodes(generated);
    }

    /// Inserts the children that this worker owns and collects the others for sending.
    fn deliver(
        &self,
        index: usize,
        partition: &mut Partition<P::Key>,
        children: &mut Vec<Child<P::Key>>,
        outgoing: &mut [Vec<Child<P::Key>>],
    ) -> Result<(), Stop> {
        let sequential = self.mailboxes.len() == 1;
        let is_own = |child: &&Child<P::Key>| sequential || self.owner_index(child.hash) == index;
        // Prefetch all index slots first, then all nodes they point at, so that cache misses overlap.
        children.iter().filter(is_own).for_each(|child| partition.states.prefetch(child.hash));
        children.iter().filter(is_own).for_each(|child| partition.states.prefetch_match(child.hash));
        let mut result = Ok(());
        for child in children.drain(..) {
            let recipient = self.owner_index(child.hash);
            if recipient == index {
                result = result.and(self.insert(partition, child));
            } else {
                outgoing[recipient].push(child);
            }
        }
        result
    }

    /// Inserts a child; if memory runs out, records its f-value as dropped.
    fn insert(&self, partition: &mut Partition<P::Key>, child: Child<P::Key>) -> Result<(), Stop> {
        let f = child.g.saturating_add(child.h);
        partition.insert(child, self.weights).inspect_err(|_| {
            self.least_dropped_f.fetch_min(f, Ordering::Relaxed);
        })
    }

    /// Inserts the children that other workers sent.
    fn receive(&self, index: usize, partition: &mut Partition<P::Key>) -> Result<(), Stop> {
        if self.mail_counts[index].load(Ordering::Relaxed) == 0 {
            return Ok(());
        }
        let received = std::mem::take(&mut *lock(&self.mailboxes[index]));
        let count = received.len();
        self.mail_counts[index].fetch_sub(count, Ordering::Relaxed);
        for child in &received {
            partition.states.prefetch(child.hash);
        }
        let mut result = Ok(());
        for child in received {
            result = result.and(self.insert(partition, child));
        }
        self.outstanding.fetch_sub(count as u64, Ordering::SeqCst);
        result
    }

    /// Sends the nonempty batches of at least `min_size` children.
    fn send(&self, outgoing: &mut [Vec<Child<P::Key>>], min_size: usize) {
        for (recipient, batch) in outgoing.iter_mut().enumerate() {
            if batch.len() < min_size.max(1) {
                continue;
            }
            self.outstanding.fetch_add(batch.len() as u64, Ordering::SeqCst);
            self.mail_counts[recipient].fetch_add(batch.len(), Ordering::Relaxed);
            lock(&self.mailboxes[recipient]).append(batch);
        }
    }

    /// While a mailbox is full, receives children and expands nothing.
    fn drain_while_full(&self, index: usize, partition: &mut Partition<P::Key>) -> Result<(), Stop> {
        let full = |count: &AtomicUsize| count.load(Ordering::Relaxed) > MAILBOX_THRESHOLD;
        while self.mail_counts.iter().any(full) {
            self.receive(index, partition)?;
            self.control.poll()?;
            std::thread::yield_now();
        }
        Ok(())
    }

    /// Waits for children from other workers; returns false when the search is over.
    fn wait_for_mail(&self, index: usize) -> Result<bool, Stop> {
        self.outstanding.fetch_sub(1, Ordering::SeqCst);
        let mut rounds = 0u32;
        loop {
            if self.mail_counts[index].load(Ordering::Relaxed) > 0 {
                // `outstanding` counts children until they are inserted, so it has not reached zero yet.
                self.outstanding.fetch_add(1, Ordering::SeqCst);
                return Ok(true);
            }
            if self.outstanding.load(Ordering::SeqCst) == 0 {
                return Ok(false);
            }
            self.control.poll()?;
            rounds += 1;
            if rounds < 50 {
                std::thread::yield_now();
            } else {
                std::thread::sleep(Duration::from_micros(50));
            }
        }
    }

    /// The least f-value of an open node: queued, in a mailbox or dropped.
    pub(super) fn least_open_f(&self, partitions: &[Partition<P::Key>]) -> Cost {
        let f_value = |(priority, h): (u64, Cost)| match self.weights.g {
            // Greedy search: the priority does not contain g, so 0 is the only known bound.
            0 => 0,
            weight => {
                let g = (priority - u64::from(self.weights.h) * u64::from(h)) / u64::from(weight);
                g as Cost + h
            }
        };
        let queued =
            partitions.iter().flat_map(|partition| partition.open.priority_h_pairs().map(f_value)).min();
        let mailed =
            self.mailboxes.iter().filter_map(|mail| lock(mail).iter().map(|c| c.g + c.h).min()).min();
        queued.into_iter().chain(mailed).fold(self.least_dropped_f.load(Ordering::Relaxed), Cost::min)
    }
}
