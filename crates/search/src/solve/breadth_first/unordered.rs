//! Parallel breadth-first search without barriers, which loses optimality.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::control::{Control, Meter, Pause, Stop};
use crate::locks::lock;
use crate::moves::Move;
use crate::puzzle::{Cost, Puzzle};
use crate::report::{Counts, Outcome, Report};
use crate::solve::Solver;
use crate::state_table::{StateTable, hash, owner};
use crate::threads::run_parallel;

/// Parallel breadth-first search without barriers: each worker has a queue and steals from others when it is
/// empty. The first goal reached ends the search, and it is often not the nearest. It exists as the
/// counter-example to [`BreadthFirst`](super::BreadthFirst).
pub struct UnorderedBreadthFirst;

/// Data shared by the workers of an unordered search.
struct Shared<'a, P: Puzzle> {
    puzzle: &'a P,
    control: &'a Control,
    partitions: Vec<Mutex<StateTable<P::Key>>>,
    queues: Vec<Mutex<VecDeque<P::State>>>,
    /// The number of states that are queued or being expanded.
    open: AtomicUsize,
    peak: AtomicUsize,
    over: AtomicBool,
    goal: Mutex<Option<P::State>>,
}

/// The number of partitions, each behind a lock of its own.
const LOCKS: usize = 16;

impl<P: Puzzle> Shared<'_, P> {
    /// Inserts a state; false if it was known.
    fn insert(&self, state: &P::State, cost: Cost, last: Option<Move>) -> Result<bool, Stop> {
        let key = self.puzzle.pack(state);
        let hash = hash(&key);
        let mut states = lock(&self.partitions[owner(hash, LOCKS)]);
        if states.find(hash, &key).is_some() {
            return Ok(false);
        }
        states.insert(hash, key, cost, last)?;
        Ok(true)
    }

    /// The next state of the worker's queue, or one of half a queue stolen from another worker.
    fn take(&self, me: usize) -> Option<P::State> {
        if let Some(state) = lock(&self.queues[me]).pop_front() {
            return Some(state);
        }
        for other in (0..self.queues.len()).filter(|&other| other != me) {
            let mut queue = lock(&self.queues[other]);
            let kept = queue.len() / 2;
            let mut stolen = queue.split_off(kept);
            drop(queue);
            if let Some(state) = stolen.pop_front() {
                lock(&self.queues[me]).append(&mut stolen);
                return Some(state);
            }
        }
        None
    }

    fn work(&self, me: usize) -> (u64, u64) {
        let mut meter = self.control.meter();
        let mut expanded = 0;
        while !self.over.load(Ordering::Relaxed) {
            let Some(state) = self.take(me) else {
                if self.open.load(Ordering::SeqCst) == 0 || self.control.poll().is_err() {
                    break;
                }
                std::thread::yield_now();
                continue;
            };
            expanded += 1;
            let outcome = self.expand(me, &state, &mut meter);
            self.open.fetch_sub(1, Ordering::SeqCst);
            if let Err(stop) = outcome {
                self.control.request_stop(stop);
                self.over.store(true, Ordering::Relaxed);
            }
        }
        (meter.nodes(), expanded)
    }

    fn expand(&self, me: usize, state: &P::State, meter: &mut Meter<'_>) -> Result<(), Stop> {
        if let ControlFlow::Break(Pause::Stop(stop)) = meter.check() {
            return Err(stop);
        }
        let key = self.puzzle.pack(state);
        let (cost, last) = {
            let hash = hash(&key);
            let states = lock(&self.partitions[owner(hash, LOCKS)]);
            let Some(number) = states.find(hash, &key) else { return Ok(()) };
            (states.node(number).cost(), states.node(number).last())
        };
        for m in self.puzzle.legal(state) - self.puzzle.undo(last) {
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
            lock(&self.queues[me]).push_back(child);
        }
        Ok(())
    }
}

impl<P: Puzzle> Solver<P> for UnorderedBreadthFirst {
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report {
        let threads = control.threads();
        let partition =
            |_| StateTable::new(control, puzzle.key_heap() + size_of::<P::State>()).map(Mutex::new);
        let partitions = match (0..LOCKS).map(partition).collect::<Result<Vec<_>, Stop>>() {
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
        for (place, start) in starts.iter().enumerate() {
            if let Err(stop) = shared.insert(start, 0, None) {
                control.request_stop(stop);
            }
            lock(&shared.queues[place % threads]).push_back(start.clone());
            if puzzle.is_goal(start) {
                *lock(&shared.goal) = Some(start.clone());
                shared.over.store(true, Ordering::Relaxed);
            }
        }
        let sums = run_parallel(threads, |worker| shared.work(worker.index));
        let goal = lock(&shared.goal).take();
        if let Some(goal) = &goal {
            let path = unordered_path(&shared, goal);
            control.offer(&path, puzzle.path_cost(&path));
        }
        let outcome = match control.stop() {
            _ if goal.is_some() => Outcome::Solved,
            Some(stop) => Outcome::Stopped(stop),
            None => Outcome::Unsolvable,
        };
        let counts = Counts {
            generated: 1 + sums.iter().map(|(generated, _)| generated).sum::<u64>(),
            expanded: sums.iter().map(|(_, expanded)| expanded).sum(),
            visited: shared.partitions.iter().map(|partition| lock(partition).len() as u64).sum(),
            peak_open: shared.peak.load(Ordering::Relaxed) as u64,
        };
        let mut report = Report::from_control(outcome, control, counts);
        report.threads = threads;
        if control.all_solutions() { report.with_single_solution() } else { report }
    }
}

fn unordered_path<P: Puzzle>(shared: &Shared<'_, P>, goal: &P::State) -> Vec<Move> {
    let last = |state: &P::State| {
        let key = shared.puzzle.pack(state);
        let hash = hash(&key);
        let states = lock(&shared.partitions[owner(hash, LOCKS)]);
        states.find(hash, &key).and_then(|number| states.node(number).last())
    };
    let mut state = goal.clone();
    let mut path = Vec::new();
    while let Some(m) = last(&state) {
        path.push(m);
        state = shared.puzzle.undo_move(&state, m);
    }
    path.reverse();
    path
}
