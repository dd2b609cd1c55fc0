//! Iterative deepening over a [`BoundedDfs`]: IDA\* (Korf, "Depth-first iterative-deepening: an optimal
//! admissible tree search", Artificial Intelligence 27, 1985), iterative-deepening and depth-limited search.
//!
//! The driver [`iterative_deepening`] chooses the bounds and owns the [`ProofState`]: the finished passes,
//! the current bound and the unsearched subtrees of the current pass. A checkpoint saves the proof state. An
//! [`Executor`] runs the passes, on one thread, on all of them or on a device. A pass without a solution
//! counts the same nodes on every executor.
//!
//! ```
//! use untumble_search::control::Control;
//! use untumble_search::heuristic::Zero;
//! use untumble_search::runtime::Runtime;
//! use untumble_search::solve::{Solver, ida::{Ida, IdaOptions}};
//! # use untumble_search::example::Dial;
//!
//! // `Dial` is a counter modulo 10 with the moves +1 and -1; position 7 is 3 moves from the goal 0.
//! let puzzle = Dial::new(10);
//! let ida = Ida::new(Zero, IdaOptions::default(), &Runtime::default());
//! let report = ida.solve(&puzzle, &[7], &Control::default());
//! assert!(report.optimal());
//! assert_eq!(report.best.unwrap().cost, 3);
//! // Without a heuristic there is one pass for each depth from 0 to 3.
//! let bounds: Vec<u32> = report.iterations.iter().map(|pass| pass.bound).collect();
//! assert_eq!(bounds, [0, 1, 2, 3]);
//! ```

use std::borrow::Cow;
use std::sync::Arc;

use crate::bounded_dfs::{BoundedDfs, GenericDfs, SolutionMode};
use crate::checkpoint::{Checkpointer, ProofState};
use crate::control::{Control, Stop};
use crate::executor::{Executor, Sequential};
use crate::heuristic::{Admissibility, Heuristic, Zero};
use crate::moves::MoveAutomaton;
use crate::puzzle::{Cost, Puzzle, Requirements};
use crate::registry::{AlgorithmEntry, AlgorithmInfo, Guarantee, OptionSpec};
use crate::report::{Counts, Iteration, Outcome, Report};
use crate::runtime::Runtime;
use crate::solve::Solver;
use crate::spec::{OptionValues, Spec};

/// The name of IDA* on one thread in specs.
pub const NAME: &str = "ida";

/// The name of IDA* on all threads in specs.
pub const PARALLEL_NAME: &str = "parida";

/// The two names of IDA* in specs, and for each the value of [`IdaOptions::parallel`].
pub const VARIANTS: [(&str, bool); 2] = [(NAME, false), (PARALLEL_NAME, true)];

/// Inverse moves are not needed: the recursion itself stores the parents. BPMX has no effect on moves
/// without an inverse.
pub const REQUIREMENTS: Requirements = Requirements::NONE;

const BPMX: OptionSpec = OptionSpec {
    name: "bpmx",
    aliases: &["raise"],
    summary: "bidirectional pathmax: a child's bound raises its parent's and prunes the remaining siblings",
    values: OptionValues::SWITCH,
    default: "on",
};

/// The option `early` of all iterative-deepening algorithms: whether the last pass ends at its first
/// solution.
pub const EARLY: OptionSpec = OptionSpec {
    name: "early",
    aliases: &[],
    summary: "whether the last pass ends at its first solution; off searches all of it",
    values: OptionValues::SWITCH,
    default: "on",
};

const DEPTH: OptionSpec = OptionSpec {
    name: "depth",
    aliases: &[],
    summary: "maximum depth",
    values: OptionValues::Integer { min: 0, max: MAX_DEPTH as u64 },
    // The option is required.
    default: "",
};

/// A recursion of this depth fits the stack size of [`crate::threads`].
const MAX_DEPTH: Cost = 10_000;

/// The options of IDA*.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IdaOptions {
    /// Whether to use bidirectional pathmax (BPMX; Felner, Zahavi, Schaeffer & Holte, IJCAI 2005).
    pub bpmx: bool,
    /// Whether the runtime's executor runs the passes; otherwise the calling thread does.
    pub parallel: bool,
    /// Whether the last pass ends at its first solution.
    pub early: bool,
}

impl Default for IdaOptions {
    fn default() -> IdaOptions {
        IdaOptions { bpmx: true, parallel: false, early: true }
    }
}

impl IdaOptions {
    /// Reads the options of a spec that [`Registry::complete`](crate::registry::Registry::complete) has
    /// checked.
    pub fn of(spec: &Spec, parallel: bool) -> IdaOptions {
        IdaOptions { bpmx: spec.switch("bpmx", true), parallel, early: spec.switch("early", true) }
    }

    /// The executor of the passes: the runtime's, or [`Sequential`].
    pub fn executor(self, runtime: &Runtime) -> Arc<dyn Executor> {
        if self.parallel { Arc::clone(&runtime.executor) } else { Arc::new(Sequential) }
    }
}

/// The registry entries of `dfs`, `iddfs`, `ida` and `parida`.
pub fn entries<P: Puzzle>() -> [AlgorithmEntry<P>; 4] {
    let ida = |(name, parallel), aliases, summary| {
        let info = AlgorithmInfo {
            aliases,
            options: &[BPMX, EARLY],
            requirements: REQUIREMENTS,
            takes_heuristic: true,
            resumable: true,
            ..AlgorithmInfo::new(name, summary)
        };
        AlgorithmEntry::new(info, move |context| {
            context.heuristic()?.ida(context, IdaOptions::of(context.spec, parallel))
        })
    };
    let dfs = AlgorithmInfo {
        options: &[DEPTH],
        requirements: REQUIREMENTS,
        guarantee: |_| Guarantee::None,
        ..AlgorithmInfo::new("dfs", "depth-limited depth-first search")
    };
    let iddfs = AlgorithmInfo {
        aliases: &["ids"],
        options: &[EARLY],
        requirements: REQUIREMENTS,
        resumable: true,
        ..AlgorithmInfo::new("iddfs", "iterative deepening without a heuristic")
    };
    [
        AlgorithmEntry::new(dfs, |context| Ok(Box::new(Dfs { depth: context.spec.number("depth", 0) }))),
        AlgorithmEntry::new(iddfs, |context| {
            let options = IdaOptions { bpmx: false, ..IdaOptions::of(context.spec, false) };
            Ok(Box::new(Ida::new(Zero, options, context.runtime)))
        }),
        ida(VARIANTS[0], &["ida*", "idastar", "ida-star"], "IDA* on one thread"),
        ida(VARIANTS[1], &["parida*"], "IDA* on all threads; idle threads take parts of large subtrees"),
    ]
}

/// IDA\* with a heuristic of static type, so that the hot loop is compiled for it.
pub struct Ida<H> {
    heuristic: H,
    options: IdaOptions,
    executor: Arc<dyn Executor>,
}

impl<H> Ida<H> {
    /// IDA* with `heuristic`; the runtime's executor runs the passes if [`IdaOptions::parallel`] is set.
    pub fn new(heuristic: H, options: IdaOptions, runtime: &Runtime) -> Ida<H> {
        Ida { heuristic, options, executor: options.executor(runtime) }
    }
}

/// The move-pruning automaton of a tree search: the puzzle's own, which prunes duplicate operator sequences.
/// If all solutions are listed, it prunes only the undo of the last move ([`MoveAutomaton::no_undo`]).
pub(crate) fn automaton<P: Puzzle>(puzzle: &P, mode: SolutionMode) -> Cow<'_, MoveAutomaton<P::Moves>> {
    if mode.lists_all() {
        Cow::Owned(MoveAutomaton::no_undo(&puzzle.inverses()))
    } else {
        Cow::Borrowed(puzzle.automaton())
    }
}

impl<P: Puzzle, H: Heuristic<P>> Solver<P> for Ida<H> {
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report {
        let mode = SolutionMode::of(control.all_solutions(), self.options.early);
        let dfs = self.dfs(puzzle, starts, mode);
        iterative_deepening(&dfs, control, &*self.executor)
    }

    fn bounded_dfs<'a>(
        &'a self,
        puzzle: &'a P,
        starts: &'a [P::State],
        mode: SolutionMode,
    ) -> Option<Box<dyn BoundedDfs + 'a>> {
        Some(Box::new(self.dfs(puzzle, starts, mode)))
    }
}

impl<H> Ida<H> {
    fn dfs<'a, P: Puzzle>(
        &'a self,
        puzzle: &'a P,
        starts: &'a [P::State],
        mode: SolutionMode,
    ) -> GenericDfs<'a, P, H>
    where
        H: Heuristic<P>,
    {
        let (heuristic, bpmx) = (&self.heuristic, self.options.bpmx);
        GenericDfs { puzzle, heuristic, automaton: automaton(puzzle, mode), starts, bpmx, mode }
    }
}

/// Depth-limited depth-first search; the solution it finds need not be optimal.
pub struct Dfs {
    /// The largest cost of a path that is tried.
    pub depth: Cost,
}

impl<P: Puzzle> Solver<P> for Dfs {
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report {
        let mode = SolutionMode::of(control.all_solutions(), true);
        let automaton = automaton(puzzle, mode);
        let dfs = GenericDfs { puzzle, heuristic: &Zero, automaton, starts, bpmx: false, mode };
        let result = dfs.run_pass(dfs.roots(), self.depth, &mut control.meter());
        let counts = counts(&[Iteration { bound: self.depth, generated: 1 + result.nodes }], result.expanded);
        for path in &result.found {
            control.offer(path, puzzle.path_cost(path));
        }
        let outcome = match control.stop_reason() {
            _ if !result.found.is_empty() => Outcome::Solved,
            Some(stop) => Outcome::Stopped(stop),
            None => Outcome::Stopped(Stop::Depth),
        };
        if outcome == Outcome::Stopped(Stop::Depth) {
            control.raise_lower_bound(self.depth.saturating_add(1));
        }
        let report = Report::from_control(outcome, control, counts);
        // No solution is proven optimal, so the best one is listed alone.
        if control.all_solutions() { report.listing_best_only() } else { report }
    }
}

/// The node counts of all iterations. A search without any iteration has still generated its root.
fn counts(iterations: &[Iteration], expanded: u64) -> Counts {
    let generated = iterations.iter().map(|i| i.generated).sum::<u64>().max(1);
    // Nothing is stored, so every expansion counts as one visited state.
    Counts { generated, expanded, visited: expanded, peak_open: 0 }
}

/// Runs passes with growing bounds until a solution is found, the bound reaches the cost of the incumbent,
/// or `control` stops the search.
///
/// If the control has a [`Checkpointer`], the search resumes from the checkpoint of an earlier run and saves
/// its own whenever one is due. Lower bounds are reported only if the search is admissible.
pub fn iterative_deepening(dfs: &dyn BoundedDfs, control: &Control, executor: &dyn Executor) -> Report {
    let admissible = dfs.admissibility() != Admissibility::None;
    let stops_at_first = dfs.mode().stops_at_first();
    let (mut proof, mut restored) = initial_proof(dfs, control, admissible);
    let mut solutions = Vec::new();
    let outcome = loop {
        if admissible {
            control.raise_lower_bound(proof.bound);
        }
        // The incumbent is optimal if no cheaper solution can exist. The modes `Exhaust` and `All` still
        // search the whole pass at the incumbent's cost.
        if proof.bound > control.upper_bound() || (proof.bound == control.upper_bound() && stops_at_first) {
            if restored {
                // Count the nodes of the restored pass, which is not continued.
                proof.finish_pass();
            }
            break Outcome::Solved;
        }
        restored = false;
        run_pass(dfs, &mut proof, control, executor);
        // A pass that ends at its first solution counts as finished, even if subtrees are left.
        let ended_by_solution = !proof.pass.found.is_empty() && stops_at_first;
        let stopped =
            control.stop_reason().filter(|_| !proof.pass.unsearched.is_empty() && !ended_by_solution);
        if let (Some(_), Some(checkpointer)) = (stopped, control.checkpointer()) {
            checkpointer.save(&proof, control);
        }
        let finished = proof.finish_pass();
        solutions = finished.found;
        if let Some(stop) = stopped {
            break Outcome::Stopped(stop);
        }
        if !solutions.is_empty() {
            break Outcome::Solved;
        }
        if finished.next_bound == Cost::MAX {
            break if control.best().is_some() { Outcome::Solved } else { Outcome::Unsolvable };
        }
        proof.bound = finished.next_bound;
        proof.pass = dfs.split(proof.bound, &mut control.meter());
    };
    let mut report = Report::from_control(outcome, control, counts(&proof.iterations, proof.expanded));
    report.iterations = proof.iterations;
    report.threads = executor.workers(control);
    if control.all_solutions() {
        // Always `Ok`: the passes have found the solutions, and listing them takes no further search.
        solutions.retain(|path| dfs.cost(path) == control.upper_bound());
        report = report.with_solutions(Ok(solutions), control);
    }
    report
}

/// The proof state to start from, and whether it was restored from a checkpoint.
fn initial_proof(dfs: &dyn BoundedDfs, control: &Control, admissible: bool) -> (ProofState, bool) {
    if let Some(checkpoint) = control.checkpointer().and_then(Checkpointer::take_restored) {
        if let Some(best) = &checkpoint.best {
            control.offer(best, dfs.cost(best));
        }
        control.raise_lower_bound(checkpoint.lower_bound);
        let mut proof = checkpoint.proof;
        // Another prover may have excluded the bound of the interrupted pass since.
        if proof.started() && admissible && proof.bound < control.lower_bound() {
            proof.finish_pass();
            proof.bound = control.lower_bound();
            proof.pass = dfs.split(proof.bound, &mut control.meter());
            return (proof, false);
        }
        if proof.started() {
            return (proof, true);
        }
    }
    let bound = if admissible { dfs.first_bound().max(control.lower_bound()) } else { dfs.first_bound() };
    (ProofState::new(bound, dfs.split(bound, &mut control.meter())), false)
}

/// Runs the unsearched subtrees of one pass. The executor returns early when a checkpoint is due; the pass
/// is then saved and continued.
fn run_pass(dfs: &dyn BoundedDfs, proof: &mut ProofState, control: &Control, executor: &dyn Executor) {
    let stops_at_first = dfs.mode().stops_at_first();
    // Splitting the tree may already have reached goals.
    for path in &proof.pass.found {
        control.offer(path, dfs.cost(path));
    }
    if !proof.pass.found.is_empty() && stops_at_first {
        return;
    }
    loop {
        let subtrees = std::mem::take(&mut proof.pass.unsearched);
        let result = executor.run_pass(dfs, subtrees, proof.bound, control);
        for path in &result.found {
            control.offer(path, dfs.cost(path));
        }
        proof.pass.absorb(result);
        let ended_by_solution = !proof.pass.found.is_empty() && stops_at_first;
        match control.checkpointer() {
            Some(checkpointer)
                if !proof.pass.unsearched.is_empty()
                    && !ended_by_solution
                    && control.stop_reason().is_none() =>
            {
                checkpointer.save(proof, control);
            }
            _ => return,
        }
    }
}
