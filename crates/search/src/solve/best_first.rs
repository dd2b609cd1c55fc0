//! Best-first search with an open list: A\* (Hart, Nilsson & Raphael 1968), weighted A\* (Pohl 1970), greedy
//! and uniform-cost search (Dijkstra 1959), and hash-distributed A\* (HDA\*; Kishimoto, Fukunaga & Botea,
//! ICAPS 2009).
//!
//! All of them order nodes by `g_weight * g + h_weight * h` and differ in the weights: A\* is (1, 1),
//! weighted A\* (1, w), greedy (0, 1), uniform-cost (1, 0). Ties are broken towards small h, then last in,
//! first out. Nodes are reopened whenever a cheaper path to them is found, except in greedy search.
//!
//! In HDA\* the hash of a state selects the worker that owns it, so duplicate detection needs no locks. A
//! worker sends the children of other owners to their mailboxes. The search ends when one shared counter of
//! active workers and children in mailboxes reaches zero.
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

mod worker;

use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize};
use std::sync::{Mutex, PoisonError};

use crate::control::{Control, Stop};
use crate::executor::OnPanic;
use crate::heuristic::{Admissibility, DynHeuristic, Zero};
use crate::locks::lock;
use crate::paths::{all_paths, goals_reached, path_to};
use crate::puzzle::{Cost, Puzzle, Requirements};
use crate::registry::{AlgorithmEntry, AlgorithmInfo, Guarantee, OptionSpec};
use crate::report::{Counts, Outcome, Report};
use crate::solve::Solver;
use crate::spec::OptionValues;
use crate::state_table::{Insertion, Node, hash};
use crate::threads::run_parallel;
use worker::{Child, MAILBOX_THRESHOLD, Partition, Shared};

/// The name of A* in specs.
pub const NAME: &str = "astar";

/// The name of greedy best-first search in specs.
pub const GREEDY_NAME: &str = "greedy";

/// The closed list stores the last move of a path, so paths are reconstructed with inverses.
pub const REQUIREMENTS: Requirements = Requirements::INVERSES;

const WEIGHT: OptionSpec = OptionSpec {
    name: "w",
    aliases: &["weight"],
    summary: "weight of the heuristic; the solution costs at most w times the optimum",
    values: OptionValues::Number { min: 1, max: 100, decimals: 2 },
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
            guarantee_suffix: " (w>1: within a factor w)",
            ..AlgorithmInfo::new(name, summary)
        };
        AlgorithmEntry::new(info, move |context| {
            let weights = Weights::weighted(context.spec.number("w", 1.0));
            let heuristic = context.heuristic()?.build_dyn(context)?;
            Ok(Box::new(BestFirst { heuristic, weights, parallel }))
        })
    };
    let greedy = AlgorithmInfo {
        aliases: &["gbfs"],
        requirements: REQUIREMENTS,
        takes_heuristic: true,
        guarantee: |_| Guarantee::None,
        ..AlgorithmInfo::new(GREEDY_NAME, "best-first search by the heuristic alone")
    };
    let uniform = AlgorithmInfo {
        aliases: &["ucs", "dijkstra"],
        requirements: REQUIREMENTS,
        ..AlgorithmInfo::new("uniform", "best-first search by cost alone")
    };
    [
        weighted(NAME, &["a*", "a-star"], "A*; reopens nodes if the heuristic is inconsistent", false),
        weighted(
            "hda",
            &["hda*", "parastar", "para*"],
            "hash-distributed A* on all threads: the hash of a state selects its owner",
            true,
        ),
        AlgorithmEntry::new(greedy, |context| {
            let heuristic = context.heuristic()?.build_dyn(context)?;
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

impl<P: Puzzle> Solver<P> for BestFirst<P> {
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report {
        let threads = if self.parallel { control.threads() } else { 1 };
        self.search(puzzle, starts, control, threads)
            .unwrap_or_else(|stop| Report::not_started(stop, control))
    }
}

impl<P: Puzzle> BestFirst<P> {
    /// Searches on `threads` threads; starts again with fewer if not all of them can be started.
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
            least_dropped_f: AtomicU32::new(Cost::MAX),
            upper: AtomicU64::new(u64::from(if admissible { control.upper_bound() } else { Cost::MAX })),
            prune: admissible,
        };
        // A growing vector may be half empty.
        let child_bytes = 2 * size_of::<Child<P::Key>>() + puzzle.key_heap_bytes();
        // Expansions in progress may fill a mailbox to twice its threshold.
        let mail_bytes = if threads > 1 { 2 * threads * MAILBOX_THRESHOLD * child_bytes } else { 0 };
        let _mail = control.reserve(mail_bytes as u64)?;
        let mut partitions = (0..threads)
            .map(|_| Partition::new(control, puzzle.key_heap_bytes()))
            .collect::<Result<Vec<_>, _>>()?;
        let mut least_h = Cost::MAX;
        for start in starts {
            let h = self.heuristic.estimate(puzzle, start);
            let key = puzzle.pack(start);
            let hash = hash(&key);
            let partition = &mut partitions[shared.owner_index(hash)];
            if let Insertion::New(number) = partition.states.insert(hash, key, 0, None)? {
                partition.open.push(self.weights.priority(0, h), h, number)?;
            }
            least_h = least_h.min(h);
            if h == 0 && puzzle.is_goal(start) {
                shared.record_goal(0, start, None);
            }
        }
        if admissible && least_h < Cost::MAX {
            let solved = lock(&shared.goal).is_some();
            control.raise_lower_bound(if solved { 0 } else { least_h.max(puzzle.min_move_cost()) });
        }
        // Each worker locks its own partition for the whole search.
        let slots: Vec<Mutex<Partition<P::Key>>> = partitions.into_iter().map(Mutex::new).collect();
        let results = run_parallel(threads, |worker| {
            // Every owner needs a thread, so with fewer threads the search starts again.
            if worker.count < threads {
                return Err(Some(worker.count));
            }
            // If a worker panics, the others stop: they would wait forever for it to empty its mailbox.
            let _stop_others = OnPanic(|| {
                control.request_stop(Stop::Interrupted);
            });
            shared.run(worker.index, &mut lock(&slots[worker.index])).map_err(|_| None)
        });
        if let Some(Err(Some(fewer))) = results.first() {
            return self.search(puzzle, starts, control, *fewer);
        }
        let partitions: Vec<Partition<P::Key>> =
            slots.into_iter().map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner)).collect();
        let stopped =
            results.iter().any(Result::is_err).then(|| control.stop_reason().unwrap_or(Stop::Interrupted));
        Ok(self.conclude(&shared, &partitions, admissible, stopped))
    }

    /// Whether the incumbent is within the guarantee of the algorithm: optimal, or within a factor w.
    /// Always true without a guarantee, that is, for greedy search or an inadmissible heuristic.
    fn within_guarantee(&self, admissible: bool, control: &Control) -> bool {
        let Weights { g, h } = self.weights;
        let (upper, lower) = (u64::from(control.upper_bound()), u64::from(control.lower_bound()));
        !admissible || g == 0 || upper * u64::from(g) <= lower * u64::from(h.max(g))
    }

    /// Offers the best goal, raises the lower bound and writes the report.
    fn conclude(
        &self,
        shared: &Shared<'_, P>,
        partitions: &[Partition<P::Key>],
        admissible: bool,
        stopped: Option<Stop>,
    ) -> Report {
        let (puzzle, control) = (shared.puzzle, shared.control);
        let node = |key: &P::Key| -> Option<&Node<P::Key>> {
            let hash = hash(key);
            let states = &partitions[shared.owner_index(hash)].states;
            states.find(hash, key).map(|number| states.node(number))
        };
        let goal = lock(&shared.goal).take();
        if let Some((_, parent, last_move)) = &goal {
            let mut path = path_to(puzzle, parent, &node);
            path.extend(*last_move);
            control.offer(&path, puzzle.path_cost(&path));
        }
        if admissible {
            let bound = shared.least_open_f(partitions).min(control.upper_bound());
            if bound < Cost::MAX {
                control.raise_lower_bound(bound);
            }
        }
        let solved = control.upper_bound() < Cost::MAX;
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
            generated: 1 + partitions.iter().map(|partition| partition.generated).sum::<u64>(),
            expanded: partitions.iter().map(|partition| partition.expanded).sum(),
            visited: partitions.iter().map(|partition| partition.states.len() as u64).sum(),
            peak_open: partitions.iter().map(|partition| partition.open.peak() as u64).sum(),
        };
        let mut report = Report::from_control(outcome, control, counts);
        report.threads = partitions.len();
        if control.all_solutions() && !(admissible && self.weights.finds_optimal()) {
            return report.listing_best_only();
        }
        if control.all_solutions() && solved && stopped.is_none() {
            let nodes = partitions.iter().flat_map(|partition| partition.states.nodes());
            let goals = goals_reached(puzzle, nodes, control.upper_bound());
            let paths =
                all_paths(puzzle, goals, control.upper_bound(), control, &|key| node(key).map(Node::cost));
            return report.with_solutions(paths, control);
        }
        report
    }
}
