//! Iterative deepening over a [`BoundedDfs`]: IDA\* (Korf 1985), iterative-deepening and depth-limited search.
//!
//! The driver owns the bounds, the proof and its checkpoints; an [`Executor`] runs the passes, on one thread,
//! on all of them or elsewhere. A pass that ends without a solution counts the same nodes on every executor.

use std::borrow::Cow;
use std::sync::Arc;

use crate::bounded_dfs::{BoundedDfs, GenericDfs, SolutionMode};
use crate::checkpoint::{Checkpointer, Proof};
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

/// Depth-first searches keep their path. Without inverses bidirectional pathmax raises nothing.
pub const REQUIREMENTS: Requirements = Requirements::NONE;

const BPMX: OptionSpec = OptionSpec {
    name: "bpmx",
    aliases: &["raise"],
    summary: "bidirectional pathmax: a child's bound raises its parent's and cuts the remaining siblings",
    values: OptionValues::SWITCH,
    default: "on",
};

/// Whether the last pass ends at its first solution. Shared by all algorithms that deepen iteratively.
pub const EARLY: OptionSpec = OptionSpec {
    name: "early",
    aliases: &[],
    summary: "whether the last pass ends at its first solution; off counts all of it",
    values: OptionValues::SWITCH,
    default: "on",
};

const DEPTH: OptionSpec = OptionSpec {
    name: "depth",
    aliases: &[],
    summary: "how deep to look",
    values: OptionValues::Integer { least: 0, most: MAX_DEPTH as u64 },
    default: "",
};

/// Recursions this deep still fit the stacks we ask for.
const MAX_DEPTH: Cost = 10_000;

/// The options of IDA*.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IdaOptions {
    /// Bidirectional pathmax (BPMX, Felner et al. 2005).
    pub bpmx: bool,
    /// Whether the runtime's executor runs the passes, or the calling thread alone.
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
    /// The options of a completed solver text.
    pub fn of(spec: &Spec) -> IdaOptions {
        IdaOptions {
            bpmx: spec.switch("bpmx", true),
            parallel: spec.algorithm == "parida",
            early: spec.switch("early", true),
        }
    }

    /// What runs the passes.
    pub fn executor(self, runtime: &Runtime) -> Arc<dyn Executor> {
        if self.parallel { Arc::clone(&runtime.executor) } else { Arc::new(Sequential) }
    }
}

/// The entries of IDA* and its relatives without a heuristic.
pub fn entries<P: Puzzle>() -> [AlgorithmEntry<P>; 4] {
    let ida = |name, aliases, summary| {
        let info = AlgorithmInfo {
            aliases,
            options: &[BPMX, EARLY],
            requirements: REQUIREMENTS,
            takes_heuristic: true,
            resumable: true,
            ..AlgorithmInfo::new(name, summary)
        };
        AlgorithmEntry::new(info, |context| context.heuristic()?.ida(context, IdaOptions::of(context.spec)))
    };
    let dfs = AlgorithmInfo {
        options: &[DEPTH],
        requirements: REQUIREMENTS,
        guarantee: |_| Guarantee::None,
        ..AlgorithmInfo::new("dfs", "depth-first search to a depth")
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
            let options = IdaOptions { bpmx: false, ..IdaOptions::of(context.spec) };
            Ok(Box::new(Ida::new(Zero, options, context.runtime)))
        }),
        ida("ida", &["ida*", "idastar", "ida-star"], "IDA* on one thread"),
        ida("parida", &["parida*"], "IDA* on all threads; uneven subtrees are split again"),
    ]
}

/// IDA\*.
pub struct Ida<H> {
    heuristic: H,
    options: IdaOptions,
    executor: Arc<dyn Executor>,
}

impl<H> Ida<H> {
    /// IDA* with a heuristic; the runtime's executor runs its passes if `options` say so.
    pub fn new(heuristic: H, options: IdaOptions, runtime: &Runtime) -> Ida<H> {
        Ida { heuristic, options, executor: options.executor(runtime) }
    }
}

/// The move sequences that a tree search tries: where all solutions are wanted every one, otherwise one of
/// those that lead to the same state.
pub(crate) fn automaton<P: Puzzle>(puzzle: &P, mode: SolutionMode) -> Cow<'_, MoveAutomaton<P::Moves>> {
    if mode.lists_all() {
        Cow::Owned(MoveAutomaton::no_undo(&puzzle.inverses()))
    } else {
        Cow::Borrowed(puzzle.automaton())
    }
}

impl<P: Puzzle, H: Heuristic<P>> Solver<P> for Ida<H> {
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report {
        let mode = SolutionMode::of(control.all(), self.options.early);
        let dfs = self.generic(puzzle, starts, mode);
        iterative_deepening(&dfs, control, &*self.executor)
    }

    fn bounded_dfs<'a>(
        &'a self,
        puzzle: &'a P,
        starts: &'a [P::State],
        mode: SolutionMode,
    ) -> Option<Box<dyn BoundedDfs + 'a>> {
        Some(Box::new(self.generic(puzzle, starts, mode)))
    }
}

impl<H> Ida<H> {
    fn generic<'a, P: Puzzle>(
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

/// Depth-first search to a depth, without a guarantee.
pub struct Dfs {
    /// Paths of up to this cost are tried.
    pub depth: Cost,
}

impl<P: Puzzle> Solver<P> for Dfs {
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report {
        let mode = SolutionMode::of(control.all(), true);
        let automaton = automaton(puzzle, mode);
        let dfs = GenericDfs { puzzle, heuristic: &Zero, automaton, starts, bpmx: false, mode };
        let result = dfs.run_pass(dfs.roots(), self.depth, &mut control.meter());
        let counts = counts(&[Iteration { bound: self.depth, generated: 1 + result.nodes }], result.expanded);
        for path in &result.found {
            control.offer(path, puzzle.path_cost(path));
        }
        let outcome = match control.stop() {
            _ if !result.found.is_empty() => Outcome::Solved,
            Some(stop) => Outcome::Stopped(stop),
            None => Outcome::Stopped(Stop::Depth),
        };
        if outcome == Outcome::Stopped(Stop::Depth) {
            control.prove(self.depth.saturating_add(1));
        }
        let report = Report::from_control(outcome, control, counts);
        if control.all() { report.listing_best() } else { report }
    }
}

/// The nodes of all iterations; a search that had nothing to do has generated its root.
fn counts(iterations: &[Iteration], expanded: u64) -> Counts {
    let generated = iterations.iter().map(|i| i.generated).sum::<u64>().max(1);
    Counts { generated, expanded, visited: expanded, peak_open: 0 }
}

/// Runs passes with growing bounds until a path is found, until the bound meets the incumbent, or until
/// `control` stops the search. Resumes what the control's checkpointer holds of an earlier run, and lets it save.
pub fn iterative_deepening(dfs: &dyn BoundedDfs, control: &Control, executor: &dyn Executor) -> Report {
    let trusted = dfs.admissibility() != Admissibility::None;
    let first = dfs.mode().stops_at_first();
    let (mut proof, mut resumed) = begin(dfs, control, trusted);
    let mut solutions = Vec::new();
    let outcome = loop {
        if trusted {
            control.prove(proof.bound);
        }
        // Unless the first solution ends a pass, the pass of the incumbent's cost is searched to its end.
        if proof.bound > control.upper() || (proof.bound == control.upper() && first) {
            if resumed {
                proof.close();
            }
            break Outcome::Solved;
        }
        resumed = false;
        pass(dfs, &mut proof, control, executor);
        // Unless one solution is enough, the pass must be complete.
        let enough = !proof.pass.found.is_empty() && first;
        let stopped = control.stop().filter(|_| !proof.pass.rest.is_empty() && !enough);
        if let (Some(_), Some(checkpointer)) = (stopped, control.checkpointer()) {
            checkpointer.save(&proof, control);
        }
        let done = proof.close();
        solutions = done.found;
        if let Some(stop) = stopped {
            break Outcome::Stopped(stop);
        }
        if !solutions.is_empty() {
            break Outcome::Solved;
        }
        if done.next == Cost::MAX {
            break if control.best().is_some() { Outcome::Solved } else { Outcome::Unsolvable };
        }
        proof.bound = done.next;
        proof.pass = dfs.split(proof.bound, &mut control.meter());
    };
    let mut report = Report::from_control(outcome, control, counts(&proof.iterations, proof.expanded));
    report.iterations = proof.iterations;
    report.threads = executor.workers(control);
    if control.all() {
        solutions.retain(|path| dfs.cost(path) == control.upper());
        report = report.listing(Ok(solutions), control);
    }
    report
}

/// The proof to continue, and whether an earlier run left it.
fn begin(dfs: &dyn BoundedDfs, control: &Control, trusted: bool) -> (Proof, bool) {
    if let Some(saved) = control.checkpointer().and_then(Checkpointer::take) {
        if let Some(best) = &saved.best {
            control.offer(best, dfs.cost(best));
        }
        control.prove(saved.proven);
        if saved.proof.begun() {
            return (saved.proof, true);
        }
    }
    let floor = if trusted { dfs.floor().max(control.bound()) } else { dfs.floor() };
    (Proof::begin(floor, dfs.split(floor, &mut control.meter())), false)
}

/// One pass over what is left of the tree; pauses whenever the proof is to be saved.
fn pass(dfs: &dyn BoundedDfs, proof: &mut Proof, control: &Control, executor: &dyn Executor) {
    let first = dfs.mode().stops_at_first();
    // Splitting may have found some.
    for path in &proof.pass.found {
        control.offer(path, dfs.cost(path));
    }
    if !proof.pass.found.is_empty() && first {
        return;
    }
    loop {
        let subtrees = std::mem::take(&mut proof.pass.rest);
        let result = executor.run_pass(dfs, subtrees, proof.bound, control);
        for path in &result.found {
            control.offer(path, dfs.cost(path));
        }
        proof.pass.absorb(result);
        let found = !proof.pass.found.is_empty() && first;
        match control.checkpointer() {
            Some(checkpointer) if !proof.pass.rest.is_empty() && !found && control.stop().is_none() => {
                checkpointer.save(proof, control);
            }
            _ => return,
        }
    }
}
