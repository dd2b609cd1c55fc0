//! Iterative deepening over a [`Probe`]: IDA\*, IDDFS and depth-limited search,
//! on one thread or on all of them.
//!
//! The driver owns bounds and threads. Threads share by splitting: who runs out of
//! work raises a hand, and whoever notices stops its probe, which hands back what
//! it has not done, gives the shallowest part away and goes on. So a heavy
//! subtree is cut again and again, wherever it lies, and nothing is
//! counted twice.

use std::borrow::Cow;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::checkpoint::{Keeper, Proof};
use crate::control::{Control, Crowd, Pause, Stop};
use crate::heuristic::{Heuristic, Promise, Zero};
use crate::locks::lock;
use crate::moves::Words;
use crate::probe::{Generic, Probe, Probed, Subtree};
use crate::puzzle::{Cost, Puzzle};
use crate::report::{Counts, Iteration, Outcome, Report};
use crate::solve::Solver;
use crate::threads::side_by_side;

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
pub(crate) fn words<P: Puzzle>(puzzle: &P, all: bool) -> Cow<'_, Words> {
    if all { Cow::Owned(Words::no_undo(&puzzle.inverses())) } else { Cow::Borrowed(puzzle.words()) }
}

impl<P: Puzzle, H: Heuristic<P>> Solver<P> for Ida<H> {
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report {
        let threads = if self.parallel { control.threads() } else { 1 };
        match self.probe(puzzle, starts, control.all()) {
            Some(probe) => deepen(&*probe, control, threads),
            None => unreachable!("IDA* always has a probe"),
        }
    }

    fn probe<'a>(&'a self, puzzle: &'a P, starts: &'a [P::State], all: bool) -> Option<Box<dyn Probe + 'a>> {
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
/// best path already known, or until the control says stop. Takes up what the control's keeper has of an earlier run, and lets it save.
pub fn deepen(probe: &dyn Probe, control: &Control, threads: usize) -> Report {
    let trusted = probe.promise() != Promise::None;
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
        if let (Some(_), Some(keeper)) = (stopped, control.keeper()) {
            keeper.save(&proof, control);
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
        proof.pass.rest = probe.roots();
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
fn begin(probe: &dyn Probe, control: &Control, trusted: bool) -> Proof {
    if let Some(saved) = control.keeper().and_then(Keeper::take) {
        if let Some(best) = &saved.best {
            control.offer(best, probe.cost(best));
        }
        control.prove(saved.proven);
        if saved.proof.begun() {
            return saved.proof;
        }
    }
    let floor = if trusted { probe.floor().max(control.bound()) } else { probe.floor() };
    Proof::begin(floor, probe.roots())
}

/// One pass over what is left of the tree, with a rest whenever the proof is to be saved.
fn pass(probe: &dyn Probe, proof: &mut Proof, control: &Control, threads: usize) {
    loop {
        let trees = std::mem::take(&mut proof.pass.rest);
        let probed = round(probe, trees, proof.bound, control, threads);
        for path in &probed.found {
            control.offer(path, probe.cost(path));
        }
        proof.pass.absorb(probed);
        let found = !proof.pass.found.is_empty() && !control.all();
        match control.keeper() {
            Some(keeper) if !proof.pass.rest.is_empty() && !found && control.stop().is_none() => {
                keeper.save(proof, control);
            }
            _ => return,
        }
    }
}

/// Searches `trees` until they are done, a path is found or somebody calls a halt.
fn round(
    probe: &dyn Probe,
    mut trees: Vec<Subtree>,
    bound: Cost,
    control: &Control,
    threads: usize,
) -> Probed {
    if threads == 1 {
        return probe.probe(trees, bound, &mut control.meter().saving());
    }
    // The deepest are taken first: of the small ones that every rest leaves, few are there at the next.
    trees.sort_by_key(|tree| tree.path.len());
    let exchange = Exchange::new(trees);
    let parts = side_by_side(threads, |_| exchange.work(probe, bound, control));
    let mut sum = Probed::nothing();
    parts.into_iter().for_each(|part| sum.absorb(part));
    sum.rest.append(&mut exchange.lock().trees);
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
    crowd: Crowd,
}

struct Desk {
    trees: Vec<Subtree>,
    busy: usize,
    waiting: usize,
    over: bool,
}

impl Exchange {
    fn new(trees: Vec<Subtree>) -> Exchange {
        Exchange {
            desk: Mutex::new(Desk { trees, busy: 0, waiting: 0, over: false }),
            change: Condvar::new(),
            crowd: Crowd::default(),
        }
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
            if let Some(tree) = desk.trees.pop() {
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
        self.crowd.hungry.store(desk.waiting.saturating_sub(desk.trees.len()), Relaxed);
    }

    /// Gives the shallowest subtrees away, one for each hungry thread, and keeps at least one.
    fn share(&self, mine: &mut Vec<Subtree>) {
        let mut desk = self.lock();
        let hungry = desk.waiting.saturating_sub(desk.trees.len());
        for _ in 0..hungry {
            match split(mine) {
                Some(tree) => desk.trees.push(tree),
                None => break,
            }
            self.change.notify_one();
        }
        self.count_hungry(&desk);
    }

    fn leave(&self) {
        let mut desk = self.lock();
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

    fn work(&self, probe: &dyn Probe, bound: Cost, control: &Control) -> Probed {
        let _watch = OnPanic(|| self.finish());
        let mut meter = control.meter().among(&self.crowd).saving();
        let mut sum = Probed::nothing();
        while let Some(tree) = self.take() {
            let mut mine = vec![tree];
            while !mine.is_empty() {
                let mut probed = probe.probe(mine, bound, &mut meter);
                mine = std::mem::take(&mut probed.rest);
                let found = !probed.found.is_empty() && !control.all();
                sum.absorb(probed);
                if found || (!mine.is_empty() && meter.pause() != Some(Pause::Share)) {
                    sum.rest.append(&mut mine);
                    self.finish();
                } else if !mine.is_empty() {
                    self.share(&mut mine);
                    meter.resume();
                }
            }
            self.leave();
        }
        sum
    }
}

/// Takes the shallowest part out of what is left to do, which stands last.
fn split(mine: &mut Vec<Subtree>) -> Option<Subtree> {
    if mine.len() > 1 {
        return mine.pop();
    }
    let only = mine.last_mut().filter(|tree| tree.untried.len() > 1)?;
    let last = only.untried.into_iter().last()?;
    only.untried = only.untried.without(last);
    Some(Subtree { untried: crate::moves::MoveSet::only(last), ..only.clone() })
}
