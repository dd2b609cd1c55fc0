//! Breadth-first search: level by level, on one thread or on all of them.
//!
//! A level holds the states of one cost, so unequal move costs are no special
//! case. Each state belongs to one part by its hash. Threads take turns: all expand a round of the level and sort the children by
//! owner, meet, then each enters the children of its own part, and meet again. That barrier is what keeps
//! the answer shortest at any number of threads; [`Unordered`] shows what happens without.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, RwLock};

use crate::control::{Control, Meter, Pause, Stop, WorkPool};
use crate::locks::{lock, read, write};
use crate::moves::Move;
use crate::paths::{all_paths, goals_reached, path_to};
use crate::puzzle::{Cost, Puzzle, Requirements};
use crate::registry::{AlgorithmEntry, AlgorithmInfo, Guarantee, OptionSpec};
use crate::report::{Counts, Outcome, Report};
use crate::solve::Solver;
use crate::spec::OptionValues;
use crate::states::{Entered, Node, States, hash, owner};
use crate::threads::{Worker, run_parallel};

/// Breadth-first search reconstructs paths by taking moves back.
pub const REQUIREMENTS: Requirements = Requirements::INVERSES;

const BARRIER: OptionSpec = OptionSpec {
    name: "barrier",
    aliases: &[],
    summary: "whether threads wait for each other at every level; off shows what happens without",
    values: OptionValues::SWITCH,
    default: "on",
};

/// The entries of breadth-first search on one thread and on all of them.
pub fn entries<P: Puzzle>() -> [AlgorithmEntry<P>; 2] {
    let alone = AlgorithmInfo {
        requirements: REQUIREMENTS,
        ..AlgorithmInfo::new("bfs", "breadth-first search on one thread")
    };
    let parallel = AlgorithmInfo {
        options: &[BARRIER],
        requirements: REQUIREMENTS,
        guarantee: |spec| if spec.switch("barrier", true) { Guarantee::Optimal } else { Guarantee::None },
        guarantee_note: " (barrier=off: none)",
        ..AlgorithmInfo::new("parbfs", "breadth-first search on all threads, with a barrier at every level")
    };
    [
        AlgorithmEntry::new(alone, |_| Ok(Box::new(Breadth { parallel: false }))),
        AlgorithmEntry::new(parallel, |context| {
            if context.spec.switch("barrier", true) {
                Ok(Box::new(Breadth { parallel: true }))
            } else {
                Ok(Box::new(Unordered))
            }
        }),
    ]
}

/// Breadth-first search.
pub struct Breadth {
    /// On all threads.
    pub parallel: bool,
}

/// What one thread owns: its states, and which of them each level holds.
struct Part<K> {
    states: States<K>,
    levels: BTreeMap<Cost, Vec<u32>>,
}

/// A child sorted by owner.
struct Child<K> {
    key: K,
    cost: Cost,
    last: Move,
}

/// Children made by one thread for one part. Their hashes stand apart, to be read ahead.
struct Outbox<K> {
    hashes: Vec<u64>,
    children: Vec<Child<K>>,
}

impl<K> Default for Outbox<K> {
    fn default() -> Outbox<K> {
        Outbox { hashes: Vec::new(), children: Vec::new() }
    }
}

/// Children made between two meetings take at most this many bytes.
const ROUND_BYTES: usize = 16 << 20;
/// Bytes for a state's number in the list of its level, which may be half empty while it grows.
pub(super) const LISTED: usize = 8;
/// States taken at once from the level.
const CHUNK: usize = 256;
/// Children entered between two looks at the clock: a table may grow at any of them.
const POLL_EVERY: usize = 512;
/// Keys are asked for this far ahead.
const AHEAD: usize = 12;

struct Level {
    cost: Cost,
    /// How far the level has been handed out.
    handed: usize,
    /// Where this round ends.
    until: usize,
    length: usize,
    over: bool,
}

struct Common<'a, P: Puzzle> {
    puzzle: &'a P,
    control: &'a Control,
    parts: Vec<RwLock<Part<P::Key>>>,
    /// Children by the thread that made them and the part that owns them.
    made: Vec<Vec<Mutex<Outbox<P::Key>>>>,
    level: RwLock<Level>,
    cursor: AtomicUsize,
    cheapest: Cost,
    /// States expanded between two meetings, by all threads together.
    round: usize,
    /// The best goal met: its cost, its parent and the move to it.
    goal: Mutex<Option<(Cost, P::State, Move)>>,
    upper: AtomicU64,
    done: WorkPool,
    peak: AtomicUsize,
}

impl<P: Puzzle> Common<'_, P> {
    fn part_of(&self, hash: u64) -> usize {
        owner(hash, self.parts.len())
    }

    fn upper(&self) -> Cost {
        self.upper.load(Ordering::Relaxed) as Cost
    }

    fn found(&self, cost: Cost, parent: &P::State, m: Move) {
        let mut goal = lock(&self.goal);
        if goal.as_ref().is_none_or(|&(best, ..)| cost < best) {
            *goal = Some((cost, parent.clone(), m));
            self.upper.fetch_min(u64::from(cost), Ordering::Relaxed);
        }
    }

    /// One thread's share of the whole search: nodes generated and expanded.
    fn work(&self, worker: &Worker<'_>) -> (u64, u64) {
        let mut meter = self.control.meter().among(&self.done);
        let mut expanded = 0;
        loop {
            if worker.barrier() {
                self.next_round();
            }
            worker.barrier();
            if read(&self.level).over {
                return (meter.nodes(), expanded);
            }
            expanded += self.expand_round(worker.index, &mut meter);
            worker.barrier();
            if let Err(stop) = self.enter_own(worker.index, worker.count) {
                self.control.request_stop(stop);
            }
        }
    }

    /// Alone: decides what comes next.
    fn next_round(&self) {
        let mut level = write(&self.level);
        if self.control.poll().is_err() {
            level.over = true;
            return;
        }
        // A goal dearer than what the level can still lead to must wait.
        let settled = |cost: Cost| {
            let least = cost.saturating_add(self.cheapest);
            if self.control.all() { self.upper() < least } else { self.upper() <= least }
        };
        if !self.control.all() && settled(level.cost) {
            level.over = true;
            return;
        }
        if level.handed == level.length {
            let next = self
                .parts
                .iter()
                .filter_map(|part| {
                    let mut part = write(part);
                    part.levels.remove(&level.cost);
                    part.levels.keys().next().copied()
                })
                .min();
            let Some(cost) = next.filter(|&cost| !settled(cost)) else {
                level.over = true;
                return;
            };
            self.control.prove(cost.saturating_add(self.cheapest).min(self.upper()));
            *level = Level { cost, handed: 0, until: 0, length: self.length_of(cost), over: false };
            self.peak.fetch_max(level.length, Ordering::Relaxed);
        }
        self.cursor.store(level.handed, Ordering::Relaxed);
        level.until = level.length.min(level.handed + self.round);
        level.handed = level.until;
    }

    fn length_of(&self, cost: Cost) -> usize {
        self.parts.iter().map(|part| read(part).levels.get(&cost).map_or(0, Vec::len)).sum()
    }

    /// Expands chunks of the level until the round is handed out.
    fn expand_round(&self, me: usize, meter: &mut Meter<'_>) -> u64 {
        let (cost, until) = {
            let level = read(&self.level);
            (level.cost, level.until)
        };
        let parts: Vec<_> = self.parts.iter().map(read).collect();
        let lists: Vec<&[u32]> =
            parts.iter().map(|part| part.levels.get(&cost).map_or(&[][..], Vec::as_slice)).collect();
        let mut made: Vec<_> = self.made[me].iter().map(lock).collect();
        let mut expanded = 0;
        loop {
            let from = self.cursor.fetch_add(CHUNK, Ordering::Relaxed);
            if from >= until {
                return expanded;
            }
            for place in from..until.min(from + CHUNK) {
                let Some((part, number)) = find_place(&lists, place) else { continue };
                let node = parts[part].states.node(number);
                // A cheaper way was found since: it was expanded there.
                if node.cost() != cost {
                    continue;
                }
                if meter.check().is_break() {
                    return expanded;
                }
                expanded += 1;
                let state = self.puzzle.unpack(&node.key);
                for m in self.puzzle.legal(&state) - self.puzzle.undo(node.last()) {
                    meter.tick();
                    let child = self.puzzle.apply(&state, m);
                    let cost = cost + self.puzzle.cost(m);
                    let key = self.puzzle.pack(&child);
                    let hash = hash(&key);
                    let part = self.part_of(hash);
                    made[part].hashes.push(hash);
                    made[part].children.push(Child { key, cost, last: m });
                    if self.puzzle.is_goal(&child) {
                        self.found(cost, &state, m);
                        if !self.control.all() && cost <= node.cost() + self.cheapest {
                            self.done.done.store(true, Ordering::Relaxed);
                            return expanded;
                        }
                    }
                }
            }
        }
    }

    /// Enters the children that belong to this thread's parts.
    fn enter_own(&self, me: usize, workers: usize) -> Result<(), Stop> {
        for own in (me..self.parts.len()).step_by(workers) {
            let mut part = write(&self.parts[own]);
            let Part { states, levels } = &mut *part;
            for from in &self.made {
                let mut outbox = lock(&from[own]);
                let Outbox { hashes, children } = &mut *outbox;
                hashes.iter().take(AHEAD).for_each(|&hash| states.prefetch(hash));
                let mut list = List::default();
                let mut result = Ok(());
                for (place, child) in children.drain(..).enumerate() {
                    if let Some(&ahead) = hashes.get(place + AHEAD) {
                        states.prefetch(ahead);
                    }
                    if place % POLL_EVERY == POLL_EVERY - 1 && self.control.poll().is_err() {
                        break;
                    }
                    match states.enter(hashes[place], child.key, child.cost, Some(child.last)) {
                        Ok(Entered::New(number) | Entered::Better(number)) => {
                            list.push(levels, child.cost, number);
                        }
                        Ok(Entered::Known) => {}
                        Err(stop) => {
                            result = Err(stop);
                            break;
                        }
                    }
                }
                hashes.clear();
                list.put_back(levels);
                result?;
            }
        }
        Ok(())
    }
}

/// The list of one level, taken out while states are added to it: most children cost the same.
#[derive(Default)]
struct List {
    cost: Cost,
    numbers: Vec<u32>,
}

impl List {
    #[inline]
    fn push(&mut self, levels: &mut BTreeMap<Cost, Vec<u32>>, cost: Cost, number: u32) {
        if cost != self.cost {
            self.put_back(levels);
            self.numbers = std::mem::take(levels.entry(cost).or_default());
            self.cost = cost;
        }
        self.numbers.push(number);
    }

    fn put_back(&mut self, levels: &mut BTreeMap<Cost, Vec<u32>>) {
        if !self.numbers.is_empty() {
            levels.insert(self.cost, std::mem::take(&mut self.numbers));
        }
    }
}

/// The part and the number at a place of a level that is spread over all parts.
#[inline]
fn find_place(lists: &[&[u32]], mut place: usize) -> Option<(usize, u32)> {
    for (part, numbers) in lists.iter().enumerate() {
        if let Some(&number) = numbers.get(place) {
            return Some((part, number));
        }
        place -= numbers.len();
    }
    None
}

impl<P: Puzzle> Solver<P> for Breadth {
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report {
        let threads = if self.parallel { control.threads() } else { 1 };
        search(puzzle, starts, control, threads).unwrap_or_else(|stop| Report::not_begun(stop, control))
    }
}

fn search<P: Puzzle>(
    puzzle: &P,
    starts: &[P::State],
    control: &Control,
    threads: usize,
) -> Result<Report, Stop> {
    let mut parts = (0..threads)
        .map(|_| {
            Ok(Part { states: States::new(control, puzzle.key_heap() + LISTED)?, levels: BTreeMap::new() })
        })
        .collect::<Result<Vec<_>, Stop>>()?;
    let mut solved = false;
    for start in starts {
        let key = puzzle.pack(start);
        let hash = hash(&key);
        let part = &mut parts[owner(hash, threads)];
        if let Entered::New(number) = part.states.enter(hash, key, 0, None)? {
            part.levels.entry(0).or_default().push(number);
        }
        solved |= puzzle.is_goal(start);
    }
    if solved {
        control.offer(&[], 0);
        let counts = Counts { generated: 1, visited: 1, ..Counts::default() };
        let report = Report::from_control(Outcome::Solved, control, counts);
        return Ok(if control.all() { report.listing_best() } else { report });
    }
    let per_child = size_of::<Child<P::Key>>() + 8 + puzzle.key_heap();
    let per_state = per_child * puzzle.move_count();
    // Lists may be half empty while they grow.
    let least = |memory: u64| usize::try_from(memory / 16).map_or(ROUND_BYTES, |most| most.min(ROUND_BYTES));
    let most = control.limits().memory.map_or(ROUND_BYTES, least);
    let round = (most / per_state).max(CHUNK);
    let _reserved = control.reserve(2 * (round * per_state) as u64)?;
    let common = Common {
        puzzle,
        control,
        parts: parts.into_iter().map(RwLock::new).collect(),
        made: (0..threads).map(|_| (0..threads).map(|_| Mutex::default()).collect()).collect(),
        level: RwLock::new(Level { cost: 0, handed: 0, until: 0, length: starts.len(), over: false }),
        cursor: AtomicUsize::new(0),
        cheapest: puzzle.cheapest(),
        round,
        goal: Mutex::new(None),
        upper: AtomicU64::new(u64::from(Cost::MAX)),
        done: WorkPool::default(),
        peak: AtomicUsize::new(starts.len()),
    };
    write(&common.level).length = common.length_of(0);
    control.prove(common.cheapest);
    let sums = run_parallel(threads, |worker| common.work(&worker));
    Ok(conclude(&common, &sums))
}

fn conclude<P: Puzzle>(common: &Common<'_, P>, sums: &[(u64, u64)]) -> Report {
    let (puzzle, control) = (common.puzzle, common.control);
    let parts: Vec<_> = common.parts.iter().map(read).collect();
    let node = |key: &P::Key| {
        let hash = hash(key);
        let states = &parts[common.part_of(hash)].states;
        states.find(hash, key).map(|number| states.node(number))
    };
    let stopped = control.stop();
    if let Some((cost, parent, m)) = lock(&common.goal).take() {
        let mut path = path_to(puzzle, &parent, &node);
        path.push(m);
        debug_assert!(puzzle.path_cost(&path) <= cost);
        control.offer(&path, puzzle.path_cost(&path));
        if stopped.is_none() {
            control.prove(control.upper());
        }
    }
    let outcome = match stopped {
        Some(_) if control.upper() <= control.bound() && !control.all() => Outcome::Solved,
        Some(stop) => Outcome::Stopped(stop),
        None if control.upper() < Cost::MAX => Outcome::Solved,
        None => Outcome::Unsolvable,
    };
    let visited: u64 = parts.iter().map(|part| part.states.len() as u64).sum();
    let counts = Counts {
        generated: 1 + sums.iter().map(|(generated, _)| generated).sum::<u64>(),
        expanded: sums.iter().map(|(_, expanded)| expanded).sum(),
        visited,
        peak_open: common.peak.load(Ordering::Relaxed) as u64,
    };
    let mut report = Report::from_control(outcome, control, counts);
    report.threads = parts.len();
    if control.all() && outcome == Outcome::Solved {
        let kept = parts.iter().flat_map(|part| part.states.nodes());
        let goals = goals_reached(puzzle, kept, control.upper());
        let paths = all_paths(puzzle, goals, control.upper(), control, &|key| node(key).map(Node::cost));
        return report.listing(paths, control);
    }
    report
}

/// Threads that do not wait for each other: each works through a queue of its
/// own and steals when it runs dry. The first goal met ends it, and that is
/// often not the nearest: the labelled counter-example.
pub struct Unordered;

struct Heap<'a, P: Puzzle> {
    puzzle: &'a P,
    control: &'a Control,
    parts: Vec<Mutex<States<P::Key>>>,
    queues: Vec<Mutex<VecDeque<P::State>>>,
    /// States in queues or in hands.
    open: AtomicUsize,
    peak: AtomicUsize,
    over: AtomicBool,
    goal: Mutex<Option<P::State>>,
}

const LOCKS: usize = 16;

impl<P: Puzzle> Heap<'_, P> {
    fn enter(&self, state: &P::State, cost: Cost, last: Option<Move>) -> Result<bool, Stop> {
        let key = self.puzzle.pack(state);
        let hash = hash(&key);
        let mut states = lock(&self.parts[owner(hash, LOCKS)]);
        if states.find(hash, &key).is_some() {
            return Ok(false);
        }
        states.enter(hash, key, cost, last)?;
        Ok(true)
    }

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
            let states = lock(&self.parts[owner(hash, LOCKS)]);
            let Some(number) = states.find(hash, &key) else { return Ok(()) };
            (states.node(number).cost(), states.node(number).last())
        };
        for m in self.puzzle.legal(state) - self.puzzle.undo(last) {
            meter.tick();
            let child = self.puzzle.apply(state, m);
            if !self.enter(&child, cost + self.puzzle.cost(m), Some(m))? {
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

impl<P: Puzzle> Solver<P> for Unordered {
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report {
        let threads = control.threads();
        let part = |_| States::new(control, puzzle.key_heap() + size_of::<P::State>()).map(Mutex::new);
        let parts = match (0..LOCKS).map(part).collect::<Result<Vec<_>, Stop>>() {
            Ok(parts) => parts,
            Err(stop) => return Report::not_begun(stop, control),
        };
        let heap = Heap {
            puzzle,
            control,
            parts,
            queues: (0..threads).map(|_| Mutex::default()).collect(),
            open: AtomicUsize::new(starts.len()),
            peak: AtomicUsize::new(starts.len()),
            over: AtomicBool::new(false),
            goal: Mutex::new(None),
        };
        for (place, start) in starts.iter().enumerate() {
            if let Err(stop) = heap.enter(start, 0, None) {
                control.request_stop(stop);
            }
            lock(&heap.queues[place % threads]).push_back(start.clone());
            if puzzle.is_goal(start) {
                *lock(&heap.goal) = Some(start.clone());
                heap.over.store(true, Ordering::Relaxed);
            }
        }
        let sums = run_parallel(threads, |worker| heap.work(worker.index));
        let goal = lock(&heap.goal).take();
        if let Some(goal) = &goal {
            let path = unordered_path(&heap, goal);
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
            visited: heap.parts.iter().map(|part| lock(part).len() as u64).sum(),
            peak_open: heap.peak.load(Ordering::Relaxed) as u64,
        };
        let mut report = Report::from_control(outcome, control, counts);
        report.threads = threads;
        if control.all() { report.listing_best() } else { report }
    }
}

fn unordered_path<P: Puzzle>(heap: &Heap<'_, P>, goal: &P::State) -> Vec<Move> {
    let last = |state: &P::State| {
        let key = heap.puzzle.pack(state);
        let hash = hash(&key);
        let states = lock(&heap.parts[owner(hash, LOCKS)]);
        states.find(hash, &key).and_then(|number| states.node(number).last())
    };
    let mut state = goal.clone();
    let mut path = Vec::new();
    while let Some(m) = last(&state) {
        path.push(m);
        state = heap.puzzle.take_back(&state, m);
    }
    path.reverse();
    path
}
