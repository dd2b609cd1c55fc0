//! Parallel breadth-first search without barriers, which loses optimality.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::control::{BreakReason, Control, Meter, Stop};
use crate::locks::lock;
use crate::moves::Move;
use crate::puzzle::{Cost, Puzzle};
use crate::report::{Counts, Outcome, Report};
use crate::solve::Solver;
use crate::state_table::{StateTable, hash, partition_of};
use crate::threads::run_parallel;

/// Parallel breadth-first search without barriers: each worker has a queue and steals from others when it is
/// empty. The first goal reached ends the search, and it is often not the nearest. It exists as the
/// counter-example to [`BreadthFirst`](super::BreadthFirst).
pub struct UnorderedBreadthFirst;

/// Data shared by the workers of an unordered search.
struct Shared<'a, P: Puzzle> {
    puzzle: &'a P,
    control: &'a Control,
    /// The visited states, distributed by hash.
    partitions: Vec<Mutex<StateTable<P::Key>>>,
    /// The queue of each worker.
    queues: Vec<Mutex<VecDeque<P::State>>>,
    /// The number of states that are queued or being expanded.
    open: AtomicUsize,
    /// The largest value of `open`.
    peak: AtomicUsize,
    /// Whether the search is over.
    over: AtomicBool,
    /// The first goal reached.
    goal: Mutex<Option<P::State>>,
}

/// The number of partitions, each behind a lock of its own.
const PARTITIONS: usize = 16;

impl<P: Puzzle> Shared<'_, P> {
    /// Inserts a state; returns false if it was known.
    fn insert(&self, state: &P::State, cost: Cost, last_move: Option<Move>) -> Result<bool, Stop> {
        let key = self.puzzle.pack(state);
        let hash = hash(&key);
        let mut states = lock(&self.partitions[partition_of(hash, PARTITIONS)]);
        if states.find(hash, &key).is_some() {
            return Ok(false);
        }
        states.insert(hash, key, cost, last_move)?;
        Ok(true)
    }

    /// Takes the next state of the worker's queue. If the queue is empty, first steals half of another
    /// worker's queue.
    fn take(&self, worker: usize) -> Option<P::State> {
        if let Some(state) = lock(&self.queues[worker]).pop_front() {
            return Some(state);
        }
        for other in (0..self.queues.len()).filter(|&other| other != worker) {
            let mut queue = lock(&self.queues[other]);
            let kept = queue.len() / 2;
            let mut stolen = queue.split_off(kept);
            drop(queue);
            if let Some(state) = stolen.pop_front() {
                lock(&self.queues[worker]).append(&mut stolen);
                return Some(state);
            }
        }
        None
    }

    /// Runs one worker. Returns the numbers of generated and expanded nodes.
    fn work(&self, worker: usize) -> (u64, u64) {
        let mut meter = self.control.meter();
        let mut expanded = 0;
        while !self.over.load(Ordering::Relaxed) {
            let Some(state) = self.take(worker) else {
                if self.open.load(Ordering::SeqCst) == 0 || self.control.poll().is_err() {
                    break;
                }
                std::thread::yield_now();
                continue;
            };
            expanded += 1;
            let result = self.expand(worker, &state, &mut meter);
            self.open.fetch_sub(1, Ordering::SeqCst);
            if let Err(stop) = result {
                self.control.request_stop(stop);
                self.over.store(true, Ordering::Relaxed);
            }
        }
        (meter.nodes(), expanded)
    }

    fn expand(&self, worker: usize, state: &P::State, meter: &mut Meter<'_>) -> Result<(), Stop> {
        if let ControlFlow::Break(BreakReason::Stop(stop)) = meter.check() {
            return Err(stop);
        }
        let key = self.puzzle.pack(state);
        let (cost, last_move) = {
            let hash = hash(&key);
            let states = lock(&self.partitions[partition_of(hash, PARTITIONS)]);
            let Some(number) = states.find(hash, &key) else { return Ok(()) };
            (states.node(number).cost(), states.node(number).last_move())
        };
        for m in self.puzzle.legal(state) - self.puzzle.undo_set(last_move) {
            meter.tick();
            let child = self.puzzle.apply(state, m);
            if !self.insert(&child, cost + self.puzzle.cost(m), Some(m))? {
                continue;
            }
            if self.puzzle.is_goal(&child) {
                lock(&self.goal).get_or_insert(child);
                self.over.store(true, Ordering::Relaxed);
                return Ok(());
            }
            let open = self.open.fetch_add(1, Ordering::SeqCst) + 1;
            self.peak.fetch_max(open, Ordering::Relaxed);
            lock(&self.queues[worker]).push_back(child);
        }
        Ok(())
    }
}

impl<P: Puzzle> Solver<P> for UnorderedBreadthFirst {
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report {
        let threads = control.threads();
        // An open state is also in a queue, which may be half empty while it grows.
        let bytes = 2 * (puzzle.key_heap_bytes() + size_of::<P::State>());
        let partition = |_| StateTable::new(control, bytes).map(Mutex::new);
        let partitions = match (0..PARTITIONS).map(partition).collect::<Result<Vec<_>, Stop>>() {
            Ok(partitions) => partitions,
            Err(stop) => return Report::not_started(stop, control),
        };
        let shared = Shared {
            puzzle,
            control,
            partitions,
            queues: (0..threads).map(|_| Mutex::default()).collect(),
            open: AtomicUsize::new(starts.len()),
            peak: AtomicUsize::new(starts.len()),
            over: AtomicBool::new(false),
            goal: Mutex::new(None),
        };
        for (index, start) in starts.iter().enumerate() {
            if let Err(stop) = shared.insert(start, 0, None) {
                control.request_stop(stop);
            }
            lock(&shared.queues[index % threads]).push_back(start.clone());
            if puzzle.is_goal(start) {
                *lock(&shared.goal) = Some(start.clone());
                shared.over.store(true, Ordering::Relaxed);
            }
        }
        let node_counts = run_parallel(threads, |worker| shared.work(worker.index));
        let goal = lock(&shared.goal).take();
        if let Some(goal) = &goal {
            let path = unordered_path(&shared, goal);
            control.offer(&path, puzzle.path_cost(&path));
        }
        let outcome = match control.stop_reason() {
            _ if goal.is_some() => Outcome::Solved,
            Some(stop) => Outcome::Stopped(stop),
            None => Outcome::Unsolvable,
        };
        let counts = Counts {
            generated: 1 + node_counts.iter().map(|(generated, _)| generated).sum::<u64>(),
            expanded: node_counts.iter().map(|(_, expanded)| expanded).sum(),
            visited: shared.partitions.iter().map(|partition| lock(partition).len() as u64).sum(),
            peak_open: shared.peak.load(Ordering::Relaxed) as u64,
        };
        let mut report = Report::from_control(outcome, control, counts);
        report.threads = threads;
        if control.all_solutions() { report.listing_best_only() } else { report }
    }
}

/// The path to `goal`, found by undoing the last move of each state.
fn unordered_path<P: Puzzle>(shared: &Shared<'_, P>, goal: &P::State) -> Vec<Move> {
    let last_move = |state: &P::State| {
        let key = shared.puzzle.pack(state);
        let hash = hash(&key);
        let states = lock(&shared.partitions[partition_of(hash, PARTITIONS)]);
        states.find(hash, &key).and_then(|number| states.node(number).last_move())
    };
    let mut state = goal.clone();
    let mut path = Vec::new();
    while let Some(m) = last_move(&state) {
        path.push(m);
        state = shared.puzzle.undo_move(&state, m);
    }
    path.reverse();
    path
}
