//! Iterative deepening over a [`BoundedDfs`]: IDA\*, IDDFS and depth-limited search,
//! on one thread or on all of them.
//!
//! The driver owns bounds and threads. Threads share by splitting: when no part waits to be
//! taken, whoever notices stops its probe, which hands back what
//! it has not done, gives a part away and goes on. So a heavy
//! subtree is cut again and again, wherever it lies, and nothing is
//! counted twice. The part given away is the next one of a fitting size in the order of the search, not the largest: in the last
//! iteration all threads then stay near where one thread would be, and little of what they do lies behind the solution.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::bounded_dfs::{BoundedDfs, Generic, PassResult, Subtree};
use crate::checkpoint::{Checkpointer, Proof};
use crate::control::{Control, Pause, Stop, WorkPool};
use crate::heuristic::{Admissibility, Heuristic, Zero};
use crate::locks::lock;
use crate::moves::{MoveAutomaton, MoveSet256};
use crate::puzzle::{Cost, Puzzle, Requirements};
use crate::report::{Counts, Iteration, Outcome, Report};
use crate::solve::Solver;
use crate::threads::run_parallel;

/// Depth-first searches keep their path. Without inverses bidirectional pathmax raises nothing.
pub const REQUIREMENTS: Requirements = Requirements::NONE;

/// IDA\*.
pub struct Ida<H> {
    /// The bound that prunes.
    pub heuristic: H,
    /// Whether a child's bound raises its parent's and cuts the remaining siblings.
    pub raise: bool,
    /// On all threads.
    pub parallel: bool,
}

impl Ida<Zero> {
    /// Iterative deepening without a heuristic.
    pub fn blind() -> Ida<Zero> {
        Ida { heuristic: Zero, raise: false, parallel: false }
    }
}

/// The words a tree search tries: where all shortest sequences are wanted,
/// each of them, not one of several that lead to the same state.
pub(crate) fn words<P: Puzzle>(puzzle: &P, all: bool) -> Cow<'_, MoveAutomaton<P::Moves>> {
    if all {
        Cow::Owned(MoveAutomaton::no_undo(&puzzle.inverses()))
    } else {
        Cow::Borrowed(puzzle.automaton())
    }
}

impl<P: Puzzle, H: Heuristic<P>> Solver<P> for Ida<H> {
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report {
        let threads = if self.parallel { control.threads() } else { 1 };
        match self.probe(puzzle, starts, control.all()) {
            Some(probe) => iterative_deepening(&*probe, control, threads),
            None => unreachable!("IDA* always has a probe"),
        }
    }

    fn probe<'a>(
        &'a self,
        puzzle: &'a P,
        starts: &'a [P::State],
        all: bool,
    ) -> Option<Box<dyn BoundedDfs + 'a>> {
        let (heuristic, words) = (&self.heuristic, words(puzzle, all));
        Some(Box::new(Generic { puzzle, heuristic, words, starts, raise: self.raise, all }))
    }
}

/// Depth-first search to a depth, without a promise.
pub struct Dfs {
    /// Paths of up to this cost are tried.
    pub depth: Cost,
}

impl<P: Puzzle> Solver<P> for Dfs {
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report {
        let all = control.all();
        let probe =
            Generic { puzzle, heuristic: &Zero, words: words(puzzle, all), starts, raise: false, all };
        let probed = probe.probe(probe.roots(), self.depth, &mut control.meter());
        let counts = counts(&[Iteration { bound: self.depth, generated: 1 + probed.nodes }], probed.expanded);
        for path in &probed.found {
            control.offer(path, puzzle.path_cost(path));
        }
        let outcome = match control.stop() {
            _ if !probed.found.is_empty() => Outcome::Solved,
            Some(stop) => Outcome::Stopped(stop),
            None => Outcome::Stopped(Stop::Depth),
        };
        if outcome == Outcome::Stopped(Stop::Depth) {
            control.prove(self.depth.saturating_add(1));
        }
        let report = Report::from_control(outcome, control, counts);
        if all { report.listing_best() } else { report }
    }
}

/// The nodes of all iterations; a search that had nothing to do has seen its root.
fn counts(iterations: &[Iteration], expanded: u64) -> Counts {
    let generated = iterations.iter().map(|i| i.generated).sum::<u64>().max(1);
    Counts { generated, expanded, visited: expanded, peak_open: 0 }
}

/// Probes with growing bounds until a path is found, until the bound meets the
/// best path already known, or until the control says stop. Takes up what the control's checkpointer has of an earlier run, and lets it save.
pub fn iterative_deepening(probe: &dyn BoundedDfs, control: &Control, threads: usize) -> Report {
    let trusted = probe.admissibility() != Admissibility::None;
    let mut proof = begin(probe, control, trusted);
    let mut solutions = Vec::new();
    let outcome = loop {
        if trusted {
            control.prove(proof.bound);
        }
        if proof.bound > control.upper() || (proof.bound == control.upper() && !control.all()) {
            break Outcome::Solved;
        }
        pass(probe, &mut proof, control, threads);
        // With all wanted, some are only an answer when the pass is done.
        let enough = !proof.pass.found.is_empty() && !control.all();
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
        proof.pass = probe.cut(proof.bound, &mut control.meter());
    };
    let mut report = Report::from_control(outcome, control, counts(&proof.iterations, proof.expanded));
    report.iterations = proof.iterations;
    report.threads = threads;
    if control.all() {
        solutions.retain(|path| probe.cost(path) == control.upper());
        report = report.listing(Ok(solutions), control);
    }
    report
}

/// The proof as an earlier run left it, or from its beginning.
fn begin(probe: &dyn BoundedDfs, control: &Control, trusted: bool) -> Proof {
    if let Some(saved) = control.checkpointer().and_then(Checkpointer::take) {
        if let Some(best) = &saved.best {
            control.offer(best, probe.cost(best));
        }
        control.prove(saved.proven);
        if saved.proof.begun() {
            return saved.proof;
        }
    }
    let floor = if trusted { probe.floor().max(control.bound()) } else { probe.floor() };
    Proof::begin(floor, probe.cut(floor, &mut control.meter()))
}

/// One pass over what is left of the tree, with a rest whenever the proof is to be saved.
fn pass(probe: &dyn BoundedDfs, proof: &mut Proof, control: &Control, threads: usize) {
    // Cutting may have met some.
    for path in &proof.pass.found {
        control.offer(path, probe.cost(path));
    }
    if !proof.pass.found.is_empty() && !control.all() {
        return;
    }
    loop {
        let trees = std::mem::take(&mut proof.pass.rest);
        let probed = round(probe, trees, proof.bound, control, threads);
        for path in &probed.found {
            control.offer(path, probe.cost(path));
        }
        proof.pass.absorb(probed);
        let found = !proof.pass.found.is_empty() && !control.all();
        match control.checkpointer() {
            Some(checkpointer) if !proof.pass.rest.is_empty() && !found && control.stop().is_none() => {
                checkpointer.save(proof, control);
            }
            _ => return,
        }
    }
}

/// Searches `trees` until they are done, a path is found or somebody calls a halt.
pub(crate) fn round(
    probe: &dyn BoundedDfs,
    mut trees: Vec<Subtree>,
    bound: Cost,
    control: &Control,
    threads: usize,
) -> PassResult {
    if threads == 1 {
        return probe.probe(trees, bound, &mut control.meter().saving());
    }
    // The deepest are taken first: of the small ones that every rest leaves, few are there at the next.
    trees.sort_by_key(|tree| std::cmp::Reverse(tree.path.len()));
    let exchange = Exchange::new(trees);
    let parts = run_parallel(threads, |_| exchange.work(probe, bound, control));
    let mut sum = PassResult::nothing();
    parts.into_iter().for_each(|part| sum.absorb(part));
    sum.rest.extend(exchange.lock().trees.drain(..));
    sum
}

/// Does something when its thread panics, so that the others do not wait for it.
pub(crate) struct OnPanic<F: FnMut()>(pub(crate) F);

impl<F: FnMut()> Drop for OnPanic<F> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            (self.0)();
        }
    }
}

/// Where threads meet to hand over subtrees.
struct Exchange {
    desk: Mutex<Desk>,
    change: Condvar,
    crowd: WorkPool,
}

struct Desk {
    /// In the order of the search.
    trees: VecDeque<Subtree>,
    busy: usize,
    waiting: usize,
    over: bool,
    /// How deep a subtree should lie to be worth handing over, as far as is known.
    depth: usize,
}

/// One part is kept waiting, so that who runs out need not wait until somebody notices.
const STOCK: usize = 1;
/// Where subtrees are handed over before any of them has been timed.
const FIRST_DEPTH: usize = 8;
/// Parts that take less are not worth handing over, those that take more lead too far from the others.
const FITTING: RangeInclusive<Duration> = Duration::from_millis(5)..=Duration::from_millis(40);

impl Exchange {
    fn new(trees: Vec<Subtree>) -> Exchange {
        let desk = Desk { trees: trees.into(), busy: 0, waiting: 0, over: false, depth: FIRST_DEPTH };
        Exchange { desk: Mutex::new(desk), change: Condvar::new(), crowd: WorkPool::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Desk> {
        lock(&self.desk)
    }

    /// The next subtree, once there is one; `None` when the pass is over.
    fn take(&self) -> Option<Subtree> {
        let mut desk = self.lock();
        loop {
            if desk.over {
                return None;
            }
            if let Some(tree) = desk.trees.pop_front() {
                desk.busy += 1;
                self.count_hungry(&desk);
                return Some(tree);
            }
            if desk.busy == 0 {
                desk.over = true;
                self.change.notify_all();
                return None;
            }
            desk.waiting += 1;
            self.count_hungry(&desk);
            desk = self.change.wait(desk).unwrap_or_else(PoisonError::into_inner);
            desk.waiting -= 1;
            self.count_hungry(&desk);
        }
    }

    fn count_hungry(&self, desk: &Desk) {
        self.crowd.idle_workers.store(desk.wanted(), Relaxed);
    }

    /// Gives subtrees away, as many as are wanted, and keeps at least one.
    fn share(&self, mine: &mut Vec<Subtree>) {
        let mut desk = self.lock();
        for _ in 0..desk.wanted() {
            match split(mine, desk.depth) {
                Some(tree) => desk.trees.push_back(tree),
                None => break,
            }
            self.change.notify_one();
        }
        self.count_hungry(&desk);
    }

    /// Says that a subtree that was taken is done, and how long that took.
    fn leave(&self, took: Duration) {
        let mut desk = self.lock();
        if took < *FITTING.start() {
            desk.depth = desk.depth.saturating_sub(1);
        } else if took > *FITTING.end() {
            desk.depth += 1;
        }
        desk.busy -= 1;
        if desk.busy == 0 && desk.trees.is_empty() {
            self.change.notify_all();
        }
    }

    fn finish(&self) {
        self.crowd.done.store(true, Relaxed);
        self.lock().over = true;
        self.change.notify_all();
    }

    fn work(&self, probe: &dyn BoundedDfs, bound: Cost, control: &Control) -> PassResult {
        let _watch = OnPanic(|| self.finish());
        let mut meter = control.meter().among(&self.crowd).saving();
        let mut sum = PassResult::nothing();
        while let Some(tree) = self.take() {
            let begun = control.clock().now();
            let mut mine = vec![tree];
            while !mine.is_empty() {
                let mut probed = probe.probe(mine, bound, &mut meter);
                mine = std::mem::take(&mut probed.rest);
                let found = !probed.found.is_empty() && !control.all();
                sum.absorb(probed);
                if found || (!mine.is_empty() && meter.pause() != Some(Pause::Donate)) {
                    sum.rest.append(&mut mine);
                    self.finish();
                } else if !mine.is_empty() {
                    self.share(&mut mine);
                    meter.resume();
                }
            }
            self.leave(control.clock().now().saturating_sub(begun));
        }
        sum
    }
}

impl Desk {
    /// How many subtrees should be handed over.
    fn wanted(&self) -> usize {
        (self.waiting + STOCK).saturating_sub(self.trees.len())
    }
}

/// Takes a subtree out of what is left to do, which is in the order of the search: the first that lies no deeper than `depth`, else the
/// shallowest there is. At least one stays.
fn split(mine: &mut Vec<Subtree>, depth: usize) -> Option<Subtree> {
    // The first one is where its owner goes on; all of it may only be given away if there are others.
    let place = mine.iter().position(|tree| tree.path.len() < depth).or(mine.len().checked_sub(1))?;
    let tree = &mut mine[place];
    let next = tree.untried.into_iter().next()?;
    let given = Subtree { untried: MoveSet256::only(next), ..tree.clone() };
    tree.untried = tree.untried.without(next);
    if !tree.untried.is_empty() {
        return Some(given);
    }
    if mine.len() == 1 {
        mine[0] = given;
        return None;
    }
    mine.remove(place);
    Some(given)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::Move;

    fn tree(path: &[u8], untried: &[u8]) -> Subtree {
        let untried = untried.iter().fold(MoveSet256::EMPTY, |set, &m| set.with(Move(m)));
        Subtree { root: 0, path: path.iter().map(|&m| Move(m)).collect(), untried }
    }

    #[test]
    fn the_next_part_that_lies_shallow_enough_is_given_away() {
        let mut mine = vec![tree(&[1, 1, 1], &[2]), tree(&[1, 1], &[2, 3]), tree(&[1], &[2])];
        assert_eq!(split(&mut mine, 3), Some(tree(&[1, 1], &[2])));
        assert_eq!(mine, [tree(&[1, 1, 1], &[2]), tree(&[1, 1], &[3]), tree(&[1], &[2])]);
        assert_eq!(split(&mut mine, 2), Some(tree(&[1], &[2])));
        assert_eq!(split(&mut mine, 1), Some(tree(&[1, 1], &[3])), "the shallowest, if all lie too deep");
        assert_eq!(split(&mut mine, 9), None, "one stays");
        assert_eq!(mine, [tree(&[1, 1, 1], &[2])]);
    }
}
