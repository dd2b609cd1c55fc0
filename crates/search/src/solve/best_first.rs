//! Best-first search with an open list: A* and its relatives.
//!
//! All order nodes by `g_weight * g + h_weight * h` and differ in the weights:
//! A* is (1, 1), weighted A* (1, w), greedy (0, 1), uniform-cost (1, 0). On
//! several threads each state belongs to one of them by its hash; children are sent to
//! their owner, and the search is over when nobody holds or awaits a node
//! that could lead to something better. Nodes are reopened whenever a cheaper way to them turns up.

use std::hash::Hash;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::control::{Control, Meter, Pause, Stop};
use crate::executor::OnPanic;
use crate::heuristic::{Admissibility, DynHeuristic, PricedChild, Zero};
use crate::locks::lock;
use crate::moves::{Move, MoveMask};
use crate::paths::{all_paths, goals_reached, path_to};
use crate::puzzle::{Cost, Puzzle, Requirements};
use crate::queue::Queue;
use crate::registry::{AlgorithmEntry, AlgorithmInfo, Guarantee, OptionSpec};
use crate::report::{Counts, Outcome, Report};
use crate::solve::Solver;
use crate::spec::OptionValues;
use crate::states::{Entered, Node, States, hash, owner};
use crate::threads::run_parallel;

/// Best-first search reconstructs paths by taking moves back.
pub const REQUIREMENTS: Requirements = Requirements::INVERSES;

const WEIGHT: OptionSpec = OptionSpec {
    name: "w",
    aliases: &["weight"],
    summary: "weight of the heuristic; the answer is at most w times as long as the shortest",
    values: OptionValues::Number { least: 1, most: 100, decimals: 2 },
    default: "1",
};

/// The entries of A*, hash-distributed A*, greedy and uniform-cost search.
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
        weighted(
            "astar",
            &["a*", "a-star"],
            "A*; nodes are reopened where the heuristic is inconsistent",
            false,
        ),
        weighted(
            "hda",
            &["hda*", "parastar", "para*"],
            "hash-distributed A* on all threads: every state is owned by one of them",
            true,
        ),
        AlgorithmEntry::new(greedy, |context| {
            let heuristic = context.heuristic()?.erased(context)?;
            Ok(Box::new(BestFirst { heuristic, weights: Weights::GREEDY, parallel: false }))
        }),
        AlgorithmEntry::new(uniform, |_| Ok(Box::new(BestFirst::new(Zero, Weights::UNIFORM)))),
    ]
}

/// What a node's cost so far and its heuristic value count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weights {
    /// Of the cost so far.
    pub g: u32,
    /// Of the heuristic.
    pub h: u32,
}

impl Weights {
    /// A*.
    pub const ASTAR: Weights = Weights { g: 1, h: 1 };
    /// The heuristic alone.
    pub const GREEDY: Weights = Weights { g: 0, h: 1 };
    /// The cost alone.
    pub const UNIFORM: Weights = Weights { g: 1, h: 0 };

    /// A* with the heuristic weighted by a decimal from 1 to 100, to hundredths.
    pub fn weighted(w: f64) -> Weights {
        let hundredths = (100.0 * w).round().clamp(100.0, 10_000.0) as u32;
        let divisor = gcd(hundredths, 100);
        Weights { g: 100 / divisor, h: hundredths / divisor }
    }

    #[inline]
    fn priority(self, g: Cost, h: Cost) -> u64 {
        u64::from(self.g) * u64::from(g) + u64::from(self.h) * u64::from(h)
    }

    /// Whether the first goal in order of priority is a shortest one.
    fn shortest(self) -> bool {
        self.g > 0 && self.h <= self.g
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Best-first search.
pub struct BestFirst<P: Puzzle> {
    /// Its type is erased: the search is compiled once per puzzle.
    pub heuristic: Box<dyn DynHeuristic<P>>,
    /// What counts.
    pub weights: Weights,
    /// On all threads.
    pub parallel: bool,
}

impl<P: Puzzle> BestFirst<P> {
    /// On one thread.
    pub fn new(heuristic: impl DynHeuristic<P>, weights: Weights) -> BestFirst<P> {
        BestFirst { heuristic: Box::new(heuristic), weights, parallel: false }
    }
}

/// A child on its way to the thread that owns it.
struct Child<K> {
    hash: u64,
    key: K,
    g: Cost,
    h: Cost,
    last: Move,
}

/// The children of the nodes in hand, reused from expansion to expansion.
struct Buffers<P: Puzzle> {
    priced: Vec<PricedChild<P>>,
    children: Vec<Child<P::Key>>,
}

/// What one thread owns.
struct Owner<K> {
    states: States<K>,
    queue: Queue,
    expanded: u64,
    generated: u64,
}

impl<K: Eq + Hash> Owner<K> {
    fn new(control: &Control, heap: usize) -> Result<Owner<K>, Stop> {
        Ok(Owner {
            states: States::new(control, heap)?,
            queue: Queue::new(control)?,
            expanded: 0,
            generated: 0,
        })
    }

    fn enter(&mut self, child: Child<K>, weights: Weights) -> Result<(), Stop> {
        match self.states.enter(child.hash, child.key, child.g, Some(child.last))? {
            Entered::New(number) => self.queue.push(weights.priority(child.g, child.h), child.h, number),
            // Without g in the order there is nothing to gain from going there again.
            Entered::Better(_) if weights.g == 0 => Ok(()),
            Entered::Better(number) => self.queue.push(weights.priority(child.g, child.h), child.h, number),
            Entered::Known => Ok(()),
        }
    }
}

/// A goal met: its cost, its parent and the move to it, none at a start.
type Found<P> = (Cost, <P as Puzzle>::State, Option<Move>);

/// What the threads have in common.
struct Common<'a, P: Puzzle> {
    puzzle: &'a P,
    heuristic: &'a dyn DynHeuristic<P>,
    weights: Weights,
    control: &'a Control,
    /// Children on their way, by owner.
    mail: Vec<Mutex<Vec<Child<P::Key>>>>,
    /// How many lie in each mailbox, to look without locking.
    waiting: Vec<AtomicUsize>,
    /// Threads at work plus children on their way: 0 ends the search.
    work: AtomicU64,
    /// The best goal. It may itself still be on its way to its owner when the search stops. Its cost stands in `upper` too.
    goal: Mutex<Option<Found<P>>>,
    /// The least cost of a path through a node that was dropped when memory ran out.
    lost: AtomicU32,
    upper: AtomicU64,
    /// Nodes above the best path may be left out.
    prune: bool,
}

/// Children are sent in parcels; while a mailbox is this full, nobody makes more of them.
const PARCEL: usize = 32;
const MAILBOX: usize = 1 << 13;
/// States beyond which the table outgrows the caches, and how many nodes are then expanded together:
/// on Korf's instance 2, 2.1 M expansions/s become 3.4 M.
const BEYOND_CACHE: usize = 1 << 16;
const TOGETHER: usize = 8;
const NEVER: Cost = Cost::MAX / 2;

impl<P: Puzzle> Common<'_, P> {
    fn owner_of(&self, hash: u64) -> usize {
        owner(hash, self.mail.len())
    }

    fn upper(&self) -> Cost {
        self.upper.load(Ordering::Relaxed) as Cost
    }

    /// Whether nodes of this priority and beyond cannot improve the answer.
    fn settled(&self, priority: u64) -> bool {
        let upper = self.upper();
        if upper == Cost::MAX {
            return false;
        }
        let threshold = self.weights.priority(upper, 0);
        if self.control.all() && self.weights.shortest() {
            priority > threshold
        } else {
            priority >= threshold
        }
    }

    fn found(&self, cost: Cost, parent: &P::State, last: Option<Move>) {
        let mut goal = lock(&self.goal);
        if cost < self.upper() || (goal.is_none() && cost == self.upper()) {
            *goal = Some((cost, parent.clone(), last));
            self.upper.store(u64::from(cost), Ordering::Relaxed);
        }
    }

    /// What a child may cost from here on.
    fn left(&self, g: Cost) -> Cost {
        let upper = self.upper();
        if !self.prune || upper == Cost::MAX {
            return NEVER;
        }
        // With all wanted, equals count too.
        let most = if self.control.all() { upper } else { upper - 1 };
        most.saturating_sub(g)
    }

    fn run(&self, index: usize, owner: &mut Owner<P::Key>) -> Result<(), Stop> {
        let mut meter = self.control.meter();
        let mut parcels: Vec<Vec<Child<P::Key>>> = self.mail.iter().map(|_| Vec::new()).collect();
        let mut buffers = Buffers { priced: Vec::new(), children: Vec::new() };
        let mut proved = 0;
        let alone = self.mail.len() == 1;
        let result = loop {
            if let Err(stop) = self.receive(index, owner) {
                break Err(stop);
            }
            let ready = owner.queue.front().filter(|&front| !self.settled(front));
            let Some(front) = ready else {
                if alone {
                    break Ok(());
                }
                self.post(&mut parcels, 0);
                match self.wait(index) {
                    Ok(true) => continue,
                    Ok(false) => break Ok(()),
                    Err(stop) => break Err(stop),
                }
            };
            if alone && self.prune && self.weights == Weights::ASTAR && front > proved {
                proved = front;
                self.control.prove(front.min(u64::from(self.upper())) as Cost);
            }
            if let ControlFlow::Break(Pause::Stop(stop)) = meter.check() {
                break Err(stop);
            }
            self.expand_some(front, owner, &mut meter, &mut buffers);
            if let Err(stop) = self.deliver(index, owner, &mut buffers.children, &mut parcels) {
                break Err(stop);
            }
            self.post(&mut parcels, PARCEL);
            if let Err(stop) = self.let_others_read(index, owner) {
                break Err(stop);
            }
        };
        if let Err(stop) = result {
            self.control.request_stop(stop);
        }
        // What was on its way counts for the bound of a search that stopped.
        self.post(&mut parcels, 0);
        owner.generated = meter.nodes();
        result
    }

    /// Expands the first node of the queue, or several of the same priority
    /// where the table is so large that their misses should overlap.
    fn expand_some(
        &self,
        front: u64,
        owner: &mut Owner<P::Key>,
        meter: &mut Meter<'_>,
        buffers: &mut Buffers<P>,
    ) {
        let together = if owner.states.len() < BEYOND_CACHE || self.weights.g == 0 { 1 } else { TOGETHER };
        let mut numbers = [(0, 0); TOGETHER];
        let mut count = 0;
        while count < together && owner.queue.front() == Some(front) {
            let Some(popped) = owner.queue.pop() else { break };
            owner.states.prefetch_node(popped.number);
            numbers[count] = (popped.number, popped.h);
            count += 1;
        }
        for &(number, h) in &numbers[..count] {
            let node = owner.states.node(number);
            let g = node.cost();
            // Reached at a lower cost since, and queued anew.
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
        let h = self.heuristic.price_children(self.puzzle, state, moves, self.left(g), &mut buffers.priced);
        let floor = self.weights.priority(g, h);
        let mut ticks = moves.len() as u64;
        for PricedChild { m, state: child, h } in buffers.priced.drain(..) {
            let g = g + self.puzzle.cost(m);
            // A sibling that is a goal has lowered the upper bound since the children were priced.
            if h > self.left(g) {
                continue;
            }
            let key = self.puzzle.pack(&child);
            buffers.children.push(Child { hash: hash(&key), key, g, h, last: m });
            if h == 0 && self.puzzle.is_goal(&child) {
                self.found(g, state, Some(m));
                // No open node is better: the remaining siblings are not generated.
                if self.mail.len() == 1 && self.settled(floor) {
                    ticks = moves.into_iter().position(|tried| tried == m).map_or(ticks, |at| at as u64 + 1);
                    break;
                }
            }
        }
        meter.spend(ticks);
    }

    /// Enters the children that are this owner's and packs up the others.
    fn deliver(
        &self,
        index: usize,
        owner: &mut Owner<P::Key>,
        children: &mut Vec<Child<P::Key>>,
        parcels: &mut [Vec<Child<P::Key>>],
    ) -> Result<(), Stop> {
        let alone = self.mail.len() == 1;
        let own = |child: &&Child<P::Key>| alone || self.owner_of(child.hash) == index;
        // First all slots, then all states they point at: misses overlap.
        children.iter().filter(own).for_each(|child| owner.states.prefetch(child.hash));
        children.iter().filter(own).for_each(|child| owner.states.prefetch_match(child.hash));
        let mut result = Ok(());
        for child in children.drain(..) {
            let to = self.owner_of(child.hash);
            if to == index {
                result = result.and(self.enter(owner, child));
            } else {
                parcels[to].push(child);
            }
        }
        result
    }

    /// Enters a child, or remembers what is lost with it.
    fn enter(&self, owner: &mut Owner<P::Key>, child: Child<P::Key>) -> Result<(), Stop> {
        let least = child.g.saturating_add(child.h);
        owner.enter(child, self.weights).inspect_err(|_| {
            self.lost.fetch_min(least, Ordering::Relaxed);
        })
    }

    /// Enters what others sent.
    fn receive(&self, index: usize, owner: &mut Owner<P::Key>) -> Result<(), Stop> {
        if self.waiting[index].load(Ordering::Relaxed) == 0 {
            return Ok(());
        }
        let parcel = std::mem::take(&mut *lock(&self.mail[index]));
        let count = parcel.len();
        self.waiting[index].fetch_sub(count, Ordering::Relaxed);
        for child in &parcel {
            owner.states.prefetch(child.hash);
        }
        let mut entered = Ok(());
        for child in parcel {
            entered = entered.and(self.enter(owner, child));
        }
        self.work.fetch_sub(count as u64, Ordering::SeqCst);
        entered
    }

    /// Sends the parcels that hold at least `least` children and are not empty.
    fn post(&self, parcels: &mut [Vec<Child<P::Key>>], least: usize) {
        for (to, parcel) in parcels.iter_mut().enumerate() {
            if parcel.len() < least.max(1) {
                continue;
            }
            self.work.fetch_add(parcel.len() as u64, Ordering::SeqCst);
            self.waiting[to].fetch_add(parcel.len(), Ordering::Relaxed);
            lock(&self.mail[to]).append(parcel);
        }
    }

    /// While a mailbox is full, reads its own mail and makes nothing new.
    fn let_others_read(&self, index: usize, owner: &mut Owner<P::Key>) -> Result<(), Stop> {
        let full = |waiting: &AtomicUsize| waiting.load(Ordering::Relaxed) > MAILBOX;
        while self.waiting.iter().any(full) {
            self.receive(index, owner)?;
            self.control.poll()?;
            std::thread::yield_now();
        }
        Ok(())
    }

    /// Waits for mail; false when the search is over.
    fn wait(&self, index: usize) -> Result<bool, Stop> {
        self.work.fetch_sub(1, Ordering::SeqCst);
        let mut rounds = 0u32;
        loop {
            if self.waiting[index].load(Ordering::Relaxed) > 0 {
                // The children on their way are counted until they are entered, so this never comes too late.
                self.work.fetch_add(1, Ordering::SeqCst);
                return Ok(true);
            }
            if self.work.load(Ordering::SeqCst) == 0 {
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

    /// The least that a path through anything still open costs.
    fn open_bound(&self, owners: &[Owner<P::Key>]) -> Cost {
        let total = |(priority, h): (u64, Cost)| match self.weights.g {
            0 => 0,
            weight => {
                let g = (priority - u64::from(self.weights.h) * u64::from(h)) / u64::from(weight);
                g as Cost + h
            }
        };
        let queued = owners.iter().flat_map(|owner| owner.queue.waiting().map(total)).min();
        let mailed = self.mail.iter().filter_map(|mail| lock(mail).iter().map(|c| c.g + c.h).min()).min();
        queued.into_iter().chain(mailed).fold(self.lost.load(Ordering::Relaxed), Cost::min)
    }
}

impl<P: Puzzle> Solver<P> for BestFirst<P> {
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report {
        let threads = if self.parallel { control.threads() } else { 1 };
        self.search(puzzle, starts, control, threads).unwrap_or_else(|stop| Report::not_begun(stop, control))
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
        let trusted = self.heuristic.dyn_admissibility() != Admissibility::None;
        let threads = if cfg!(target_arch = "wasm32") { 1 } else { threads };
        let common = Common {
            puzzle,
            heuristic: &*self.heuristic,
            weights: self.weights,
            control,
            mail: (0..threads).map(|_| Mutex::default()).collect(),
            waiting: (0..threads).map(|_| AtomicUsize::new(0)).collect(),
            work: AtomicU64::new(threads as u64),
            goal: Mutex::new(None),
            lost: AtomicU32::new(Cost::MAX),
            upper: AtomicU64::new(u64::from(if trusted { control.upper() } else { Cost::MAX })),
            prune: trusted,
        };
        // Mailboxes may be twice as full as allowed, and half empty while they grow.
        let mailed = if threads > 1 { 4 * threads * MAILBOX * size_of::<Child<P::Key>>() } else { 0 };
        let _mail = control.reserve(mailed as u64)?;
        let mut owners =
            (0..threads).map(|_| Owner::new(control, puzzle.key_heap())).collect::<Result<Vec<_>, _>>()?;
        let mut floor = Cost::MAX;
        for start in starts {
            let h = self.heuristic.estimate(puzzle, start);
            let key = puzzle.pack(start);
            let hash = hash(&key);
            let owner = &mut owners[common.owner_of(hash)];
            if let Entered::New(number) = owner.states.enter(hash, key, 0, None)? {
                owner.queue.push(self.weights.priority(0, h), h, number)?;
            }
            floor = floor.min(h);
            if h == 0 && puzzle.is_goal(start) {
                common.found(0, start, None);
            }
        }
        if trusted && floor < Cost::MAX {
            let solved = lock(&common.goal).is_some();
            control.prove(if solved { 0 } else { floor.max(puzzle.cheapest()) });
        }
        let slots: Vec<Mutex<Owner<P::Key>>> = owners.into_iter().map(Mutex::new).collect();
        let ends = run_parallel(threads, |worker| {
            // An owner without a thread would be waited for in vain.
            if worker.count < threads {
                return Err(Some(worker.count));
            }
            let _watch = OnPanic(|| {
                control.request_stop(Stop::Interrupted);
            });
            common.run(worker.index, &mut lock(&slots[worker.index])).map_err(|_| None)
        });
        if let Some(Err(Some(fewer))) = ends.first() {
            return self.search(puzzle, starts, control, *fewer);
        }
        let owners: Vec<Owner<P::Key>> =
            slots.into_iter().map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner)).collect();
        let stopped = ends.iter().any(Result::is_err).then(|| control.stop().unwrap_or(Stop::Interrupted));
        Ok(self.conclude(&common, &owners, trusted, stopped))
    }

    /// Whether the best path is as short as the algorithm promises.
    fn kept(&self, trusted: bool, control: &Control) -> bool {
        let Weights { g, h } = self.weights;
        let (upper, bound) = (u64::from(control.upper()), u64::from(control.bound()));
        !trusted || g == 0 || upper * u64::from(g) <= bound * u64::from(h.max(g))
    }

    fn conclude(
        &self,
        common: &Common<'_, P>,
        owners: &[Owner<P::Key>],
        trusted: bool,
        stopped: Option<Stop>,
    ) -> Report {
        let (puzzle, control) = (common.puzzle, common.control);
        let node = |key: &P::Key| -> Option<&Node<P::Key>> {
            let hash = hash(key);
            let states = &owners[common.owner_of(hash)].states;
            states.find(hash, key).map(|number| states.node(number))
        };
        let goal = lock(&common.goal).take();
        if let Some((_, parent, last)) = &goal {
            let mut path = path_to(puzzle, parent, &node);
            path.extend(*last);
            control.offer(&path, puzzle.path_cost(&path));
        }
        if trusted {
            let bound = common.open_bound(owners).min(control.upper());
            if bound < Cost::MAX {
                control.prove(bound);
            }
        }
        let solved = control.upper() < Cost::MAX;
        let outcome = match stopped {
            // Something in hand that keeps what was promised is an answer, whatever ended the search.
            Some(_) if goal.is_some() && !control.all() && self.kept(trusted, control) => Outcome::Solved,
            Some(stop) => Outcome::Stopped(stop),
            None if solved => Outcome::Solved,
            None => Outcome::Unsolvable,
        };
        let counts = Counts {
            generated: 1 + owners.iter().map(|owner| owner.generated).sum::<u64>(),
            expanded: owners.iter().map(|owner| owner.expanded).sum(),
            visited: owners.iter().map(|owner| owner.states.len() as u64).sum(),
            peak_open: owners.iter().map(|owner| owner.queue.peak() as u64).sum(),
        };
        let mut report = Report::from_control(outcome, control, counts);
        report.threads = owners.len();
        if control.all() && !(trusted && self.weights.shortest()) {
            return report.listing_best();
        }
        if control.all() && solved && stopped.is_none() {
            let kept = owners.iter().flat_map(|owner| owner.states.nodes());
            let goals = goals_reached(puzzle, kept, control.upper());
            let paths = all_paths(puzzle, goals, control.upper(), control, &|key| node(key).map(Node::cost));
            return report.listing(paths, control);
        }
        report
    }
}
