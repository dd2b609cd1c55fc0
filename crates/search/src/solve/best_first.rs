//! Best-first search with an open list: A\* (Hart, Nilsson & Raphael 1968), weighted A\* (Pohl 1970), greedy
//! and uniform-cost search (Dijkstra 1959), and hash-distributed A\* (HDA\*; Kishimoto, Fukunaga & Botea,
//! ICAPS 2009).
//!
//! All of them order nodes by `g_weight * g + h_weight * h` and differ in the weights: A\* is (1, 1),
//! weighted A\* (1, w), greedy (0, 1), uniform-cost (1, 0). Ties are broken towards small h, then last in,
//! first out. Nodes are reopened whenever a cheaper path to them is found, except in greedy search.
//!
//! In HDA\* every state is owned by the worker its hash selects, so duplicate detection needs no locks;
//! children of another owner are sent to its mailbox. Termination: one shared counter of active workers and
//! children in mailboxes reaches zero.
//!
//! ```
//! use untumble_search::control::Control;
//! use untumble_search::heuristic::Zero;
//! use untumble_search::solve::{Solver, best_first::{BestFirst, Weights}};
//! # use untumble_search::example::Dial;
//!
//! // `Dial` is a counter modulo 10 with the moves +1 and -1 and the goal 0.
//! let astar = BestFirst::new(Zero, Weights::ASTAR);
//! let report = astar.solve(&Dial::new(10), &[4], &Control::default());
//! assert!(report.optimal());
//! assert_eq!(report.best.unwrap().cost, 4);
//! ```

use std::hash::Hash;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::bucket_queue::BucketQueue;
use crate::control::{Control, Meter, Pause, Stop};
use crate::executor::OnPanic;
use crate::heuristic::{Admissibility, DynHeuristic, EvaluatedChild, Zero};
use crate::locks::lock;
use crate::moves::{Move, MoveMask};
use crate::paths::{all_paths, goals_reached, path_to};
use crate::puzzle::{Cost, Puzzle, Requirements};
use crate::registry::{AlgorithmEntry, AlgorithmInfo, Guarantee, OptionSpec};
use crate::report::{Counts, Outcome, Report};
use crate::solve::Solver;
use crate::spec::OptionValues;
use crate::state_table::{Insertion, Node, StateTable, hash, owner};
use crate::threads::run_parallel;

/// The closed list stores the last move of a path, so paths are reconstructed with inverses.
pub const REQUIREMENTS: Requirements = Requirements::INVERSES;

const WEIGHT: OptionSpec = OptionSpec {
    name: "w",
    aliases: &["weight"],
    summary: "weight of the heuristic; the solution costs at most w times the optimum",
    values: OptionValues::Number { least: 1, most: 100, decimals: 2 },
    default: "1",
};

/// The registry entries of `astar`, `hda`, `greedy` and `uniform`.
pub fn entries<P: Puzzle>() -> [AlgorithmEntry<P>; 4] {
    let weighted = |name, aliases, summary, parallel| {
        let info = AlgorithmInfo {
            aliases,
            options: &[WEIGHT],
            requirements: REQUIREMENTS,
            takes_heuristic: true,
            guarantee: |spec| match spec.number("w", 1.0) {
                w if w > 1.0 => Guarantee::WithinFactor(w),
                _ => Guarantee::Optimal,
            },
            guarantee_note: " (w>1: within a factor w)",
            ..AlgorithmInfo::new(name, summary)
        };
        AlgorithmEntry::new(info, move |context| {
            let weights = Weights::weighted(context.spec.number("w", 1.0));
            let heuristic = context.heuristic()?.erased(context)?;
            Ok(Box::new(BestFirst { heuristic, weights, parallel }))
        })
    };
    let greedy = AlgorithmInfo {
        aliases: &["gbfs"],
        requirements: REQUIREMENTS,
        takes_heuristic: true,
        guarantee: |_| Guarantee::None,
        ..AlgorithmInfo::new("greedy", "best-first search by the heuristic alone")
    };
    let uniform = AlgorithmInfo {
        aliases: &["ucs", "dijkstra"],
        requirements: REQUIREMENTS,
        ..AlgorithmInfo::new("uniform", "best-first search by cost alone")
    };
    [
        weighted("astar", &["a*", "a-star"], "A*; reopens nodes if the heuristic is inconsistent", false),
        weighted(
            "hda",
            &["hda*", "parastar", "para*"],
            "hash-distributed A* on all threads: the hash of a state selects its owner",
            true,
        ),
        AlgorithmEntry::new(greedy, |context| {
            let heuristic = context.heuristic()?.erased(context)?;
            Ok(Box::new(BestFirst { heuristic, weights: Weights::GREEDY, parallel: false }))
        }),
        AlgorithmEntry::new(uniform, |_| Ok(Box::new(BestFirst::new(Zero, Weights::UNIFORM)))),
    ]
}

/// The weights of g (cost so far) and h (heuristic value) in the priority of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weights {
    /// The weight of g, the cost so far.
    pub g: u32,
    /// The weight of h, the heuristic value.
    pub h: u32,
}

impl Weights {
    /// A\*: f = g + h.
    pub const ASTAR: Weights = Weights { g: 1, h: 1 };
    /// Greedy best-first search: h alone.
    pub const GREEDY: Weights = Weights { g: 0, h: 1 };
    /// Uniform-cost search: g alone.
    pub const UNIFORM: Weights = Weights { g: 1, h: 0 };

    /// Weighted A\*: f = g + w·h. `w` is rounded to hundredths and clamped to 1 … 100.
    ///
    /// ```
    /// use untumble_search::solve::best_first::Weights;
    ///
    /// assert_eq!(Weights::weighted(1.5), Weights { g: 2, h: 3 });
    /// assert_eq!(Weights::weighted(1.0), Weights::ASTAR);
    /// ```
    pub fn weighted(w: f64) -> Weights {
        let hundredths = (100.0 * w).round().clamp(100.0, 10_000.0) as u32;
        let divisor = gcd(hundredths, 100);
        Weights { g: 100 / divisor, h: hundredths / divisor }
    }

    #[inline]
    fn priority(self, g: Cost, h: Cost) -> u64 {
        u64::from(self.g) * u64::from(g) + u64::from(self.h) * u64::from(h)
    }

    /// Whether the first goal in order of priority is optimal, given an admissible heuristic.
    fn finds_optimal(self) -> bool {
        self.g > 0 && self.h <= self.g
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Best-first search with one priority function.
pub struct BestFirst<P: Puzzle> {
    /// The heuristic, type-erased so that the search is compiled once per puzzle.
    pub heuristic: Box<dyn DynHeuristic<P>>,
    /// The priority function.
    pub weights: Weights,
    /// Whether to search on all threads (HDA\*).
    pub parallel: bool,
}

impl<P: Puzzle> BestFirst<P> {
    /// A best-first search on one thread.
    pub fn new(heuristic: impl DynHeuristic<P>, weights: Weights) -> BestFirst<P> {
        BestFirst { heuristic: Box::new(heuristic), weights, parallel: false }
    }
}

/// A generated child, sent to the worker that owns its state.
struct Child<K> {
    hash: u64,
    key: K,
    g: Cost,
    h: Cost,
    last: Move,
}

/// Buffers for the children of the nodes being expanded, reused from expansion to expansion.
struct Buffers<P: Puzzle> {
    evaluated: Vec<EvaluatedChild<P>>,
    children: Vec<Child<P::Key>>,
}

/// The states that one worker owns, and its open list.
struct Owner<K> {
    states: StateTable<K>,
    open: BucketQueue,
    expanded: u64,
    generated: u64,
}

impl<K: Eq + Hash> Owner<K> {
    fn new(control: &Control, heap: usize) -> Result<Owner<K>, Stop> {
        Ok(Owner {
            states: StateTable::new(control, heap)?,
            open: BucketQueue::new(control)?,
            expanded: 0,
            generated: 0,
        })
    }

    fn insert(&mut self, child: Child<K>, weights: Weights) -> Result<(), Stop> {
        match self.states.insert(child.hash, child.key, child.g, Some(child.last))? {
            Insertion::New(number) => self.open.push(weights.priority(child.g, child.h), child.h, number),
            // Greedy search: the priority does not depend on g, so the node keeps its place in the open list.
            Insertion::Improved(_) if weights.g == 0 => Ok(()),
            Insertion::Improved(number) => {
                self.open.push(weights.priority(child.g, child.h), child.h, number)
            }
            Insertion::Known => Ok(()),
        }
    }
}

/// A reached goal: its cost, its parent and the move to it; a start state has no move.
type ReachedGoal<P> = (Cost, <P as Puzzle>::State, Option<Move>);

/// Data shared by the workers.
struct Shared<'a, P: Puzzle> {
    puzzle: &'a P,
    heuristic: &'a dyn DynHeuristic<P>,
    weights: Weights,
    control: &'a Control,
    /// Children sent to each owner.
    mailboxes: Vec<Mutex<Vec<Child<P::Key>>>>,
    /// The number of children in each mailbox, readable without locking.
    mail_counts: Vec<AtomicUsize>,
    /// Active workers plus children in mailboxes; the search ends at 0.
    outstanding: AtomicU64,
    /// The best goal, as parent and move: its own node may still be in a mailbox when the search stops.
    goal: Mutex<Option<ReachedGoal<P>>>,
    /// The least f-value of a node that was dropped when memory ran out.
    least_dropped: AtomicU32,
    /// The cost of the best goal or of the incumbent; `Cost::MAX` before the first.
    upper: AtomicU64,
    /// Whether nodes whose g + h cannot improve the incumbent are pruned; requires an admissible heuristic.
    prune: bool,
}

/// Children are sent in batches of at least this size.
const SEND_BATCH: usize = 32;
/// While any mailbox holds more children than this, no worker expands nodes.
const MAILBOX_CAPACITY: usize = 1 << 13;
/// A table with more states outgrows the caches. Then [`EXPANSION_BATCH`] nodes are expanded together, so
/// that their cache misses overlap: on Korf's instance 2, 2.1 M expansions/s become 3.4 M.
const BEYOND_CACHE: usize = 1 << 16;
const EXPANSION_BATCH: usize = 8;
/// No limit; half of the maximum, so that a move cost can be added.
const NO_LIMIT: Cost = Cost::MAX / 2;

impl<P: Puzzle> Shared<'_, P> {
    fn owner_of(&self, hash: u64) -> usize {
        owner(hash, self.mailboxes.len())
    }

    fn upper(&self) -> Cost {
        self.upper.load(Ordering::Relaxed) as Cost
    }

    /// Whether no node of this or a larger priority can improve the incumbent.
    fn settled(&self, priority: u64) -> bool {
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

    fn record_goal(&self, cost: Cost, parent: &P::State, last: Option<Move>) {
        let mut goal = lock(&self.goal);
        if cost < self.upper() || (goal.is_none() && cost == self.upper()) {
            *goal = Some((cost, parent.clone(), last));
            self.upper.store(u64::from(cost), Ordering::Relaxed);
        }
    }

    /// The largest h with which a node of cost `g` can still improve the incumbent.
    fn budget(&self, g: Cost) -> Cost {
        let upper = self.upper();
        if !self.prune || upper == Cost::MAX {
            return NO_LIMIT;
        }
        // Paths of equal cost count if all optimal solutions are listed.
        let max_cost = if self.control.all_solutions() { upper } else { upper - 1 };
        max_cost.saturating_sub(g)
    }

    fn run(&self, index: usize, owner: &mut Owner<P::Key>) -> Result<(), Stop> {
        let mut meter = self.control.meter();
        let mut outgoing: Vec<Vec<Child<P::Key>>> = self.mailboxes.iter().map(|_| Vec::new()).collect();
        let mut buffers = Buffers { evaluated: Vec::new(), children: Vec::new() };
        let mut proven = 0;
        let sequential = self.mailboxes.len() == 1;
        let result = loop {
            if let Err(stop) = self.receive(index, owner) {
                break Err(stop);
            }
            let ready = owner.open.front().filter(|&front| !self.settled(front));
            let Some(front) = ready else {
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
                self.control.prove(front.min(u64::from(self.upper())) as Cost);
            }
            if let ControlFlow::Break(Pause::Stop(stop)) = meter.check() {
                break Err(stop);
            }
            self.expand_batch(front, owner, &mut meter, &mut buffers);
            if let Err(stop) = self.deliver(index, owner, &mut buffers.children, &mut outgoing) {
                break Err(stop);
            }
            self.send(&mut outgoing, SEND_BATCH);
            if let Err(stop) = self.drain_while_full(index, owner) {
                break Err(stop);
            }
        };
        if let Err(stop) = result {
            self.control.request_stop(stop);
        }
        // Unsent children count for the lower bound of a search that stopped.
        self.send(&mut outgoing, 0);
        owner.generated = meter.nodes();
        result
    }

    /// Expands the first node of the open list, or a batch of nodes of the same priority if the table is
    /// larger than the caches.
    fn expand_batch(
        &self,
        front: u64,
        owner: &mut Owner<P::Key>,
        meter: &mut Meter<'_>,
        buffers: &mut Buffers<P>,
    ) {
        let batch =
            if owner.states.len() < BEYOND_CACHE || self.weights.g == 0 { 1 } else { EXPANSION_BATCH };
        let mut numbers = [(0, 0); EXPANSION_BATCH];
        let mut count = 0;
        while count < batch && owner.open.front() == Some(front) {
            let Some(popped) = owner.open.pop() else { break };
            owner.states.prefetch_node(popped.number);
            numbers[count] = (popped.number, popped.h);
            count += 1;
        }
        for &(number, h) in &numbers[..count] {
            let node = owner.states.node(number);
            let g = node.cost();
            // A stale entry: the node was since reached at a lower cost and queued again.
            if self.weights.g > 0 && self.weights.priority(g, h) != front {
                continue;
            }
            let (state, last) = (self.puzzle.unpack(&node.key), node.last());
            if h == 0 && self.puzzle.is_goal(&state) {
                continue;
            }
            owner.expanded += 1;
            self.expand(&state, g, last, meter, buffers);
        }
    }

    fn expand(
        &self,
        state: &P::State,
        g: Cost,
        last: Option<Move>,
        meter: &mut Meter<'_>,
        buffers: &mut Buffers<P>,
    ) {
        let moves = self.puzzle.legal(state) - self.puzzle.undo(last);
        let h = self.heuristic.evaluate_children(
            self.puzzle,
            state,
            moves,
            self.budget(g),
            &mut buffers.evaluated,
        );
        let priority = self.weights.priority(g, h);
        let mut ticks = moves.len() as u64;
        for EvaluatedChild { m, state: child, h } in buffers.evaluated.drain(..) {
            let g = g + self.puzzle.cost(m);
            // A sibling that is a goal has lowered the upper bound since the children were evaluated.
            if h > self.budget(g) {
                continue;
            }
            let key = self.puzzle.pack(&child);
            buffers.children.push(Child { hash: hash(&key), key, g, h, last: m });
            if h == 0 && self.puzzle.is_goal(&child) {
                self.record_goal(g, state, Some(m));
                // No open node is better: the remaining siblings are not generated.
                if self.mailboxes.len() == 1 && self.settled(priority) {
                    ticks = moves.into_iter().position(|tried| tried == m).map_or(ticks, |at| at as u64 + 1);
                    break;
                }
            }
        }
        meter.spend(ticks);
    }

    /// Inserts the children that this worker owns and collects the others for sending.
    fn deliver(
        &self,
        index: usize,
        owner: &mut Owner<P::Key>,
        children: &mut Vec<Child<P::Key>>,
        outgoing: &mut [Vec<Child<P::Key>>],
    ) -> Result<(), Stop> {
        let sequential = self.mailboxes.len() == 1;
        let own = |child: &&Child<P::Key>| sequential || self.owner_of(child.hash) == index;
        // First all index slots, then all nodes they point at, so that cache misses overlap.
        children.iter().filter(own).for_each(|child| owner.states.prefetch(child.hash));
        children.iter().filter(own).for_each(|child| owner.states.prefetch_match(child.hash));
        let mut result = Ok(());
        for child in children.drain(..) {
            let to = self.owner_of(child.hash);
            if to == index {
                result = result.and(self.insert(owner, child));
            } else {
                outgoing[to].push(child);
            }
        }
        result
    }

    /// Inserts a child; if memory runs out, records its f-value as dropped.
    fn insert(&self, owner: &mut Owner<P::Key>, child: Child<P::Key>) -> Result<(), Stop> {
        let f = child.g.saturating_add(child.h);
        owner.insert(child, self.weights).inspect_err(|_| {
            self.least_dropped.fetch_min(f, Ordering::Relaxed);
        })
    }

    /// Inserts the children that other workers sent.
    fn receive(&self, index: usize, owner: &mut Owner<P::Key>) -> Result<(), Stop> {
        if self.mail_counts[index].load(Ordering::Relaxed) == 0 {
            return Ok(());
        }
        let received = std::mem::take(&mut *lock(&self.mailboxes[index]));
        let count = received.len();
        self.mail_counts[index].fetch_sub(count, Ordering::Relaxed);
        for child in &received {
            owner.states.prefetch(child.hash);
        }
        let mut result = Ok(());
        for child in received {
            result = result.and(self.insert(owner, child));
        }
        self.outstanding.fetch_sub(count as u64, Ordering::SeqCst);
        result
    }

    /// Sends the batches that hold at least `least` children and are not empty.
    fn send(&self, outgoing: &mut [Vec<Child<P::Key>>], least: usize) {
        for (to, batch) in outgoing.iter_mut().enumerate() {
            if batch.len() < least.max(1) {
                continue;
            }
            self.outstanding.fetch_add(batch.len() as u64, Ordering::SeqCst);
            self.mail_counts[to].fetch_add(batch.len(), Ordering::Relaxed);
            lock(&self.mailboxes[to]).append(batch);
        }
    }

    /// While a mailbox is full, receives children and expands nothing.
    fn drain_while_full(&self, index: usize, owner: &mut Owner<P::Key>) -> Result<(), Stop> {
        let full = |count: &AtomicUsize| count.load(Ordering::Relaxed) > MAILBOX_CAPACITY;
        while self.mail_counts.iter().any(full) {
            self.receive(index, owner)?;
            self.control.poll()?;
            std::thread::yield_now();
        }
        Ok(())
    }

    /// Waits for children from other workers; false when the search is over.
    fn wait_for_mail(&self, index: usize) -> Result<bool, Stop> {
        self.outstanding.fetch_sub(1, Ordering::SeqCst);
        let mut rounds = 0u32;
        loop {
            if self.mail_counts[index].load(Ordering::Relaxed) > 0 {
                // Children are counted until they are inserted, so the counter has not reached zero yet.
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
    fn open_bound(&self, owners: &[Owner<P::Key>]) -> Cost {
        let total = |(priority, h): (u64, Cost)| match self.weights.g {
            0 => 0,
            weight => {
                let g = (priority - u64::from(self.weights.h) * u64::from(h)) / u64::from(weight);
                g as Cost + h
            }
        };
        let queued = owners.iter().flat_map(|owner| owner.open.entries().map(total)).min();
        let mailed =
            self.mailboxes.iter().filter_map(|mail| lock(mail).iter().map(|c| c.g + c.h).min()).min();
        queued.into_iter().chain(mailed).fold(self.least_dropped.load(Ordering::Relaxed), Cost::min)
    }
}

impl<P: Puzzle> Solver<P> for BestFirst<P> {
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report {
        let threads = if self.parallel { control.threads() } else { 1 };
        self.search(puzzle, starts, control, threads)
            .unwrap_or_else(|stop| Report::not_started(stop, control))
    }
}

impl<P: Puzzle> BestFirst<P> {
    fn search(
        &self,
        puzzle: &P,
        starts: &[P::State],
        control: &Control,
        threads: usize,
    ) -> Result<Report, Stop> {
        let admissible = self.heuristic.dyn_admissibility() != Admissibility::None;
        let threads = if cfg!(target_arch = "wasm32") { 1 } else { threads };
        let shared = Shared {
            puzzle,
            heuristic: &*self.heuristic,
            weights: self.weights,
            control,
            mailboxes: (0..threads).map(|_| Mutex::default()).collect(),
            mail_counts: (0..threads).map(|_| AtomicUsize::new(0)).collect(),
            outstanding: AtomicU64::new(threads as u64),
            goal: Mutex::new(None),
            least_dropped: AtomicU32::new(Cost::MAX),
            upper: AtomicU64::new(u64::from(if admissible { control.upper() } else { Cost::MAX })),
            prune: admissible,
        };
        // Mailboxes may hold twice the capacity, in vectors that are half empty while they grow.
        let mail_bytes =
            if threads > 1 { 4 * threads * MAILBOX_CAPACITY * size_of::<Child<P::Key>>() } else { 0 };
        let _mail = control.reserve(mail_bytes as u64)?;
        let mut owners =
            (0..threads).map(|_| Owner::new(control, puzzle.key_heap())).collect::<Result<Vec<_>, _>>()?;
        let mut floor = Cost::MAX;
        for start in starts {
            let h = self.heuristic.estimate(puzzle, start);
            let key = puzzle.pack(start);
            let hash = hash(&key);
            let owner = &mut owners[shared.owner_of(hash)];
            if let Insertion::New(number) = owner.states.insert(hash, key, 0, None)? {
                owner.open.push(self.weights.priority(0, h), h, number)?;
            }
            floor = floor.min(h);
            if h == 0 && puzzle.is_goal(start) {
                shared.record_goal(0, start, None);
            }
        }
        if admissible && floor < Cost::MAX {
            let solved = lock(&shared.goal).is_some();
            control.prove(if solved { 0 } else { floor.max(puzzle.cheapest()) });
        }
        let slots: Vec<Mutex<Owner<P::Key>>> = owners.into_iter().map(Mutex::new).collect();
        let results = run_parallel(threads, |worker| {
            // Every owner needs a thread; with fewer threads the search starts again.
            if worker.count < threads {
                return Err(Some(worker.count));
            }
            let _watch = OnPanic(|| {
                control.request_stop(Stop::Interrupted);
            });
            shared.run(worker.index, &mut lock(&slots[worker.index])).map_err(|_| None)
        });
        if let Some(Err(Some(fewer))) = results.first() {
            return self.search(puzzle, starts, control, *fewer);
        }
        let owners: Vec<Owner<P::Key>> =
            slots.into_iter().map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner)).collect();
        let stopped = results.iter().any(Result::is_err).then(|| control.stop().unwrap_or(Stop::Interrupted));
        Ok(self.conclude(&shared, &owners, admissible, stopped))
    }

    /// Whether the incumbent is within the guarantee of the algorithm.
    fn within_guarantee(&self, admissible: bool, control: &Control) -> bool {
        let Weights { g, h } = self.weights;
        let (upper, bound) = (u64::from(control.upper()), u64::from(control.bound()));
        !admissible || g == 0 || upper * u64::from(g) <= bound * u64::from(h.max(g))
    }

    fn conclude(
        &self,
        shared: &Shared<'_, P>,
        owners: &[Owner<P::Key>],
        admissible: bool,
        stopped: Option<Stop>,
    ) -> Report {
        let (puzzle, control) = (shared.puzzle, shared.control);
        let node = |key: &P::Key| -> Option<&Node<P::Key>> {
            let hash = hash(key);
            let states = &owners[shared.owner_of(hash)].states;
            states.find(hash, key).map(|number| states.node(number))
        };
        let goal = lock(&shared.goal).take();
        if let Some((_, parent, last)) = &goal {
            let mut path = path_to(puzzle, parent, &node);
            path.extend(*last);
            control.offer(&path, puzzle.path_cost(&path));
        }
        if admissible {
            let bound = shared.open_bound(owners).min(control.upper());
            if bound < Cost::MAX {
                control.prove(bound);
            }
        }
        let solved = control.upper() < Cost::MAX;
        let outcome = match stopped {
            // An incumbent within the guarantee is a solution, whatever stopped the search.
            Some(_)
                if goal.is_some()
                    && !control.all_solutions()
                    && self.within_guarantee(admissible, control) =>
            {
                Outcome::Solved
            }
            Some(stop) => Outcome::Stopped(stop),
            None if solved => Outcome::Solved,
            None => Outcome::Unsolvable,
        };
        let counts = Counts {
            generated: 1 + owners.iter().map(|owner| owner.generated).sum::<u64>(),
            expanded: owners.iter().map(|owner| owner.expanded).sum(),
            visited: owners.iter().map(|owner| owner.states.len() as u64).sum(),
            peak_open: owners.iter().map(|owner| owner.open.peak() as u64).sum(),
        };
        let mut report = Report::from_control(outcome, control, counts);
        report.threads = owners.len();
        if control.all_solutions() && !(admissible && self.weights.finds_optimal()) {
            return report.with_single_solution();
        }
        if control.all_solutions() && solved && stopped.is_none() {
            let nodes = owners.iter().flat_map(|owner| owner.states.nodes());
            let goals = goals_reached(puzzle, nodes, control.upper());
            let paths = all_paths(puzzle, goals, control.upper(), control, &|key| node(key).map(Node::cost));
            return report.with_solutions(paths, control);
        }
        report
    }
}
