//! Breadth-first search, level by level, on one thread or on all of them.
//!
//! A level holds the states of one cost, so unequal move costs need no special case. The closed list is
//! split into one partition per worker, and the hash of a state selects its partition. The workers expand a
//! level in rounds of two phases. First they expand its states together and put each child into the outbox
//! of the child's partition. After a barrier each worker inserts the children of its own partition into the
//! closed list. The barriers keep the solution optimal at any number of threads; [`UnorderedBreadthFirst`]
//! is the search without them, whose solutions are often not optimal.
//!
//! ```
//! use untumble_search::control::Control;
//! use untumble_search::solve::{Solver, breadth_first::BreadthFirst};
//! # use untumble_search::example::Dial;
//!
//! // `Dial` is a counter modulo 10 with the moves +1 and -1 and the goal 0.
//! let report = BreadthFirst { parallel: false }.solve(&Dial::new(10), &[5], &Control::default());
//! assert!(report.optimal());
//! assert_eq!(report.best.unwrap().cost, 5);
//! ```

mod unordered;

pub use unordered::UnorderedBreadthFirst;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, RwLock};

use crate::control::{Control, Meter, Stop, WorkPool};
use crate::locks::{lock, read, write};
use crate::moves::Move;
use crate::paths::{all_paths, goals_reached, path_to};
use crate::puzzle::{Cost, Puzzle, Requirements};
use crate::registry::{AlgorithmEntry, AlgorithmInfo, Guarantee, OptionSpec};
use crate::report::{Counts, Outcome, Report};
use crate::solve::Solver;
use crate::spec::OptionValues;
use crate::state_table::{Insertion, Node, StateTable, hash, partition_of};
use crate::threads::{Worker, run_parallel};

/// The closed list stores the last move of a path, so paths are reconstructed with inverses.
pub const REQUIREMENTS: Requirements = Requirements::INVERSES;

const BARRIER: OptionSpec = OptionSpec {
    name: "barrier",
    aliases: &[],
    summary: "whether threads wait for each other at every level; without it solutions may not be optimal",
    values: OptionValues::SWITCH,
    default: "on",
};

/// The registry entries of `bfs` and `parbfs`.
pub fn entries<P: Puzzle>() -> [AlgorithmEntry<P>; 2] {
    let sequential = AlgorithmInfo {
        requirements: REQUIREMENTS,
        ..AlgorithmInfo::new("bfs", "breadth-first search on one thread")
    };
    let parallel = AlgorithmInfo {
        options: &[BARRIER],
        requirements: REQUIREMENTS,
        guarantee: |spec| if spec.switch("barrier", true) { Guarantee::Optimal } else { Guarantee::None },
        guarantee_suffix: " (barrier=off: none)",
        ..AlgorithmInfo::new("parbfs", "breadth-first search on all threads, with a barrier at every level")
    };
    [
        AlgorithmEntry::new(sequential, |_| Ok(Box::new(BreadthFirst { parallel: false }))),
        AlgorithmEntry::new(parallel, |context| {
            if context.spec.switch("barrier", true) {
                Ok(Box::new(BreadthFirst { parallel: true }))
            } else {
                Ok(Box::new(UnorderedBreadthFirst))
            }
        }),
    ]
}

/// Breadth-first search with a barrier after every level.
pub struct BreadthFirst {
    /// Whether to search on all threads.
    pub parallel: bool,
}

/// One part of the closed list: the states whose hashes select this partition.
struct Partition<K> {
    states: StateTable<K>,
    /// The states of each level by cost, as node numbers of `states`.
    levels: BTreeMap<Cost, Vec<u32>>,
}

/// A generated child in the outbox of its partition.
struct Child<K> {
    /// The packed state.
    key: K,
    cost: Cost,
    /// The move from the parent.
    last_move: Move,
}

/// The children that one worker generated for one partition. `children` is drained when they are entered into
/// the table; the hashes stay readable, so that the slots of later children can be prefetched.
struct Outbox<K> {
    hashes: Vec<u64>,
    children: Vec<Child<K>>,
}

impl<K> Default for Outbox<K> {
    fn default() -> Outbox<K> {
        Outbox { hashes: Vec::new(), children: Vec::new() }
    }
}

/// The largest size in bytes of the children of one round.
const ROUND_BYTES: usize = 16 << 20;
/// Bytes per node number in the list of a level: 4, doubled because a growing vector may be half empty.
pub(super) const LEVEL_ENTRY_BYTES: usize = 8;
/// The number of states that a worker takes from the level at once.
const CHUNK: usize = 256;
/// The number of insertions between two polls; any insertion may grow the table, which takes time.
const POLL_EVERY: usize = 512;
/// Index slots are prefetched this many insertions ahead.
const PREFETCH_DISTANCE: usize = 12;

/// The level being expanded. A round expands the states from the end of the previous round to `round_end`.
struct Level {
    cost: Cost,
    /// The index in the level at which this round ends.
    round_end: usize,
    /// The number of states of the level.
    length: usize,
    /// Whether the search is over.
    over: bool,
}

/// Data shared by the workers.
struct Shared<'a, P: Puzzle> {
    puzzle: &'a P,
    control: &'a Control,
    partitions: Vec<RwLock<Partition<P::Key>>>,
    /// Indexed by the worker that generates the children, then by their partition.
    outboxes: Vec<Vec<Mutex<Outbox<P::Key>>>>,
    level: RwLock<Level>,
    /// The index in the level of the next state to expand.
    cursor: AtomicUsize,
    min_move_cost: Cost,
    /// The number of states that all workers together expand in one round.
    round_length: usize,
    /// The best goal reached: its cost, its parent and the move to it.
    goal: Mutex<Option<(Cost, P::State, Move)>>,
    /// The cost of `goal`, readable without locking; `Cost::MAX` before the first goal.
    best_goal_cost: AtomicU64,
    /// Only the flag `done` is used. The worker that reaches an optimal goal sets it, and the meters of all
    /// workers then end the round.
    pool: WorkPool,
    /// The number of states in the largest level.
    peak: AtomicUsize,
}

impl<P: Puzzle> Shared<'_, P> {
    fn partition_of(&self, hash: u64) -> usize {
        partition_of(hash, self.partitions.len())
    }

    /// The cost of the best goal; `Cost::MAX` before the first goal.
    fn best_goal_cost(&self) -> Cost {
        self.best_goal_cost.load(Ordering::Relaxed) as Cost
    }

    /// Records a goal, the child of `parent` by `m`, if it is the best so far.
    fn record_goal(&self, cost: Cost, parent: &P::State, m: Move) {
        let mut goal = lock(&self.goal);
        if goal.as_ref().is_none_or(|&(best, ..)| cost < best) {
            *goal = Some((cost, parent.clone(), m));
            self.best_goal_cost.fetch_min(u64::from(cost), Ordering::Relaxed);
        }
    }

    /// Runs one worker. Returns the numbers of generated and expanded nodes.
    fn work(&self, worker: &Worker<'_>) -> (u64, u64) {
        // The meter counts this worker's nodes, polls the limits of the search, and breaks the round once
        // `pool.done` is set.
        let mut meter = self.control.meter().in_pool(&self.pool);
        let mut expanded = 0;
        loop {
            // `barrier` returns true in exactly one worker.
            if worker.barrier() {
                self.next_round();
            }
            worker.barrier();
            if read(&self.level).over {
                return (meter.nodes(), expanded);
            }
            expanded += self.expand_round(worker.index, &mut meter);
            worker.barrier();
            if let Err(stop) = self.insert_children(worker.index, worker.count) {
                self.control.request_stop(stop);
            }
        }
    }

    /// Called by one worker between two barriers: selects the next round or ends the search.
    fn next_round(&self) {
        let mut level = write(&self.level);
        if self.control.poll().is_err() {
            level.over = true;
            return;
        }
        // Whether a child of the level of `cost` can be useful: it costs less than the best goal or, when all
        // solutions are wanted, as much.
        let is_useful = |cost: Cost| {
            let (child_cost, best) = (cost.saturating_add(self.min_move_cost), self.best_goal_cost());
            if self.control.all_solutions() { child_cost <= best } else { child_cost < best }
        };
        // A search for one solution may end between two rounds of a level.
        if !is_useful(level.cost) {
            level.over = true;
            return;
        }
        if level.round_end == level.length {
            let next_cost = self
                .partitions
                .iter()
                .filter_map(|partition| {
                    let mut partition = write(partition);
                    partition.levels.remove(&level.cost);
                    partition.levels.keys().next().copied()
                })
                .min();
            let Some(cost) = next_cost.filter(|&cost| is_useful(cost)) else {
                level.over = true;
                return;
            };
            let child_cost = cost.saturating_add(self.min_move_cost);
            self.control.raise_lower_bound(child_cost.min(self.best_goal_cost()));
            *level = Level { cost, round_end: 0, length: self.length_of(cost), over: false };
            self.peak.fetch_max(level.length, Ordering::Relaxed);
        }
        self.cursor.store(level.round_end, Ordering::Relaxed);
        level.round_end = level.length.min(level.round_end + self.round_length);
    }

    /// The number of states of the level of `cost`.
    fn length_of(&self, cost: Cost) -> usize {
        self.partitions.iter().map(|partition| read(partition).levels.get(&cost).map_or(0, Vec::len)).sum()
    }

    /// Expands chunks of the level until all states of the round are taken. Returns the number of expanded
    /// states.
    fn expand_round(&self, worker: usize, meter: &mut Meter<'_>) -> u64 {
        let (cost, round_end) = {
            let level = read(&self.level);
            (level.cost, level.round_end)
        };
        let partitions: Vec<_> = self.partitions.iter().map(read).collect();
        let lists: Vec<&[u32]> = partitions
            .iter()
            .map(|partition| partition.levels.get(&cost).map_or(&[][..], Vec::as_slice))
            .collect();
        let mut outboxes: Vec<_> = self.outboxes[worker].iter().map(lock).collect();
        let mut expanded = 0;
        loop {
            let chunk_start = self.cursor.fetch_add(CHUNK, Ordering::Relaxed);
            if chunk_start >= round_end {
                return expanded;
            }
            for index in chunk_start..round_end.min(chunk_start + CHUNK) {
                let Some((partition, number)) = locate(&lists, index) else { continue };
                let node = partitions[partition].states.node(number);
                // The entry is stale: the state was later reached at a lower cost and expanded in the level
                // of that cost.
                if node.cost() != cost {
                    continue;
                }
                if meter.check().is_break() {
                    return expanded;
                }
                expanded += 1;
                let state = self.puzzle.unpack(&node.key);
                // All legal moves except those that undo the last move.
                for m in self.puzzle.legal(&state) - self.puzzle.undo_set(node.last_move()) {
                    meter.tick();
                    let child = self.puzzle.apply(&state, m);
                    let cost = cost + self.puzzle.cost(m);
                    let key = self.puzzle.pack(&child);
                    let hash = hash(&key);
                    let partition = self.partition_of(hash);
                    outboxes[partition].hashes.push(hash);
                    outboxes[partition].children.push(Child { key, cost, last_move: m });
                    if self.puzzle.is_goal(&child) {
                        self.record_goal(cost, &state, m);
                        if !self.control.all_solutions() && cost <= node.cost() + self.min_move_cost {
                            // No goal can be cheaper; `next_round` ends the search.
                            self.pool.done.store(true, Ordering::Relaxed);
                            return expanded;
                        }
                    }
                }
            }
        }
    }

    /// Inserts the children of this worker's partitions. A worker owns several partitions if the system
    /// refused to start all threads.
    fn insert_children(&self, worker: usize, workers: usize) -> Result<(), Stop> {
        for partition_index in (worker..self.partitions.len()).step_by(workers) {
            let mut partition = write(&self.partitions[partition_index]);
            let Partition { states, levels } = &mut *partition;
            for outboxes_of_worker in &self.outboxes {
                let mut outbox = lock(&outboxes_of_worker[partition_index]);
                let Outbox { hashes, children } = &mut *outbox;
                hashes.iter().take(PREFETCH_DISTANCE).for_each(|&hash| states.prefetch(hash));
                let mut list = LevelList::default();
                let mut result = Ok(());
                for (index, child) in children.drain(..).enumerate() {
                    if let Some(&ahead) = hashes.get(index + PREFETCH_DISTANCE) {
                        states.prefetch(ahead);
                    }
                    if index % POLL_EVERY == POLL_EVERY - 1 && self.control.poll().is_err() {
                        break;
                    }
                    match states.insert(hashes[index], child.key, child.cost, Some(child.last_move)) {
                        Ok(Insertion::New(number) | Insertion::Improved(number)) => {
                            list.push(levels, child.cost, number);
                        }
                        Ok(Insertion::Known) => {}
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

/// The list of one level, taken out of the map while children are appended. Most children have equal costs,
/// so the map is rarely consulted.
#[derive(Default)]
struct LevelList {
    /// The cost of the level. Before the first child it is 0, a cost that no child has.
    cost: Cost,
    /// Node numbers, as in [`Partition::levels`].
    numbers: Vec<u32>,
}

impl LevelList {
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

/// The partition and the node number of the state at an index of a level. `lists` holds the level's list of
/// each partition; the index counts through them one after the other.
#[inline]
fn locate(lists: &[&[u32]], mut index: usize) -> Option<(usize, u32)> {
    for (partition, numbers) in lists.iter().enumerate() {
        if let Some(&number) = numbers.get(index) {
            return Some((partition, number));
        }
        index -= numbers.len();
    }
    None
}

impl<P: Puzzle> Solver<P> for BreadthFirst {
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report {
        let threads = if self.parallel { control.threads() } else { 1 };
        search(puzzle, starts, control, threads).unwrap_or_else(|stop| Report::not_started(stop, control))
    }
}

/// Searches from all `starts` at once, as if one root had them as children of cost 0.
fn search<P: Puzzle>(
    puzzle: &P,
    starts: &[P::State],
    control: &Control,
    threads: usize,
) -> Result<Report, Stop> {
    let mut partitions = (0..threads)
        .map(|_| {
            Ok(Partition {
                states: StateTable::new(control, puzzle.key_heap_bytes() + LEVEL_ENTRY_BYTES)?,
                levels: BTreeMap::new(),
            })
        })
        .collect::<Result<Vec<_>, Stop>>()?;
    let mut solved = false;
    for start in starts {
        let key = puzzle.pack(start);
        let hash = hash(&key);
        let partition = &mut partitions[partition_of(hash, threads)];
        if let Insertion::New(number) = partition.states.insert(hash, key, 0, None)? {
            partition.levels.entry(0).or_default().push(number);
        }
        solved |= puzzle.is_goal(start);
    }
    if solved {
        // The empty path is the only optimal solution, so it is the whole list of all solutions.
        control.offer(&[], 0);
        let counts = Counts { generated: 1, visited: 1, ..Counts::default() };
        let report = Report::from_control(Outcome::Solved, control, counts);
        return Ok(if control.all_solutions() { report.listing_best_only() } else { report });
    }
    // The hash of a child takes 8 bytes; its key may own memory on the heap, which `size_of` does not count.
    let child_bytes = size_of::<Child<P::Key>>() + 8 + puzzle.key_heap_bytes();
    let bytes_per_state = child_bytes * puzzle.move_count();
    // A round uses at most a sixteenth of the memory limit.
    let share = |memory: u64| usize::try_from(memory / 16).map_or(ROUND_BYTES, |most| most.min(ROUND_BYTES));
    let round_bytes = control.limits().memory.map_or(ROUND_BYTES, share);
    let round_length = (round_bytes / bytes_per_state).max(CHUNK);
    // Reserve twice the size, because vectors may be half empty while they grow.
    let _reserved = control.reserve(2 * (round_length * bytes_per_state) as u64)?;
    let shared = Shared {
        puzzle,
        control,
        partitions: partitions.into_iter().map(RwLock::new).collect(),
        outboxes: (0..threads).map(|_| (0..threads).map(|_| Mutex::default()).collect()).collect(),
        level: RwLock::new(Level { cost: 0, round_end: 0, length: starts.len(), over: false }),
        cursor: AtomicUsize::new(0),
        min_move_cost: puzzle.min_move_cost(),
        round_length,
        goal: Mutex::new(None),
        best_goal_cost: AtomicU64::new(u64::from(Cost::MAX)),
        pool: WorkPool::default(),
        peak: AtomicUsize::new(starts.len()),
    };
    write(&shared.level).length = shared.length_of(0);
    control.raise_lower_bound(shared.min_move_cost);
    let node_counts = run_parallel(threads, |worker| shared.work(&worker));
    Ok(conclude(&shared, &node_counts))
}

/// Offers the best goal, raises the lower bound and makes the report. `node_counts` holds the numbers of
/// generated and expanded nodes of each worker.
fn conclude<P: Puzzle>(shared: &Shared<'_, P>, node_counts: &[(u64, u64)]) -> Report {
    let (puzzle, control) = (shared.puzzle, shared.control);
    let partitions: Vec<_> = shared.partitions.iter().map(read).collect();
    let node = |key: &P::Key| {
        let hash = hash(key);
        let states = &partitions[shared.partition_of(hash)].states;
        states.find(hash, key).map(|number| states.node(number))
    };
    let stopped = control.stop_reason();
    if let Some((cost, parent, m)) = lock(&shared.goal).take() {
        let mut path = path_to(puzzle, &parent, &node);
        path.push(m);
        debug_assert!(puzzle.path_cost(&path) <= cost);
        control.offer(&path, puzzle.path_cost(&path));
        if stopped.is_none() {
            control.raise_lower_bound(control.upper_bound());
        }
    }
    let outcome = match stopped {
        Some(_) if control.upper_bound() <= control.lower_bound() && !control.all_solutions() => {
            Outcome::Solved
        }
        Some(stop) => Outcome::Stopped(stop),
        None if control.upper_bound() < Cost::MAX => Outcome::Solved,
        None => Outcome::Unsolvable,
    };
    let visited: u64 = partitions.iter().map(|partition| partition.states.len() as u64).sum();
    let counts = Counts {
        generated: 1 + node_counts.iter().map(|(generated, _)| generated).sum::<u64>(),
        expanded: node_counts.iter().map(|(_, expanded)| expanded).sum(),
        visited,
        peak_open: shared.peak.load(Ordering::Relaxed) as u64,
    };
    let mut report = Report::from_control(outcome, control, counts);
    report.threads = partitions.len();
    if control.all_solutions() && outcome == Outcome::Solved {
        let nodes = partitions.iter().flat_map(|partition| partition.states.nodes());
        let goals = goals_reached(puzzle, nodes, control.upper_bound());
        let paths =
            all_paths(puzzle, goals, control.upper_bound(), control, &|key| node(key).map(Node::cost));
        return report.with_solutions(paths, control);
    }
    report
}
