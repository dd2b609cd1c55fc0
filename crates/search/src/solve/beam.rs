//! Beam search: only the best `width` states of every level of the tree are expanded (Lowerre, "The HARPY
//! Speech Recognition System", 1976).
//!
//! A level is not a list of states but the Euler tour of the tree of surviving paths (`beam/euler_tour.rs`),
//! as common in AtCoder heuristic contests: one mutable state walks the tour and evaluates the moves at
//! every leaf before they are made. A lossy hash table removes most duplicates, and the cutoff score comes
//! from a histogram of scores, not from sorting. Only survivors are stored, a byte per step of the tour.
//!
//! A beam whose best score stagnates is perturbed, widened or restarted from an earlier level
//! (`beam/stagnation.rs`).

mod cutoff;
mod euler_tour;
mod seen_filter;
mod stagnation;

use crate::control::{Control, Level, Reservation, Stop};
use crate::heuristic::{Admissibility, DynHeuristic};
use crate::locks::lock;
use crate::moves::Move;
use crate::puzzle::{Cost, Puzzle, Requirements};
use crate::registry::{AlgorithmEntry, AlgorithmInfo, Guarantee, OptionSpec};
use crate::report::{Counts, Outcome, Report};
use crate::solve::{Solver, beam_options};
use crate::spec::OptionValues;
use crate::threads::run_parallel;
use crate::walker::{ScoredMove, Walker};

use cutoff::{Candidate, Cutoff, noise};
use euler_tour::{EulerTour, TourPart};
use seen_filter::SeenFilter;
use stagnation::{Frontier, StagnationPolicy, Verdict};

/// None, not even inverses: a walker stores the data that undoes its steps.
pub const REQUIREMENTS: Requirements = Requirements::NONE;

const WIDTH: OptionSpec = OptionSpec {
    name: "width",
    aliases: &[],
    summary: "number of states kept per level",
    values: OptionValues::Integer { least: 1, most: MAX_WIDTH as u64 },
    default: "1000",
};

const SEED: OptionSpec = OptionSpec {
    name: "seed",
    aliases: &[],
    summary: "seed that breaks ties between equal scores",
    values: OptionValues::Integer { least: 0, most: OptionValues::LARGEST },
    default: "0",
};

/// The options of all algorithms that run beam searches.
pub(super) const OPTIONS: &[OptionSpec] = &[WIDTH, SEED];

/// The registry entry of `beam`.
pub fn entry<P: Puzzle>() -> AlgorithmEntry<P> {
    let info = AlgorithmInfo {
        options: OPTIONS,
        requirements: REQUIREMENTS,
        takes_heuristic: true,
        guarantee: |_| Guarantee::None,
        ..AlgorithmInfo::new("beam", "beam search on all threads; widens when its best score stagnates")
    };
    AlgorithmEntry::new(info, |context| {
        let (width, seed) = beam_options(context.spec);
        Ok(Box::new(Beam { heuristic: context.heuristic()?.erased(context)?, width, seed }))
    })
}

/// The largest beam width; wider beams exceed any memory.
pub const MAX_WIDTH: usize = 1 << 28;

/// Beam search that scores states with a heuristic.
///
/// ```
/// use untumble_search::control::Control;
/// use untumble_search::heuristic::Zero;
/// use untumble_search::solve::{Solver, beam::Beam};
/// # use untumble_search::example::Dial;
///
/// // `Dial` is a counter modulo 10 with the moves +1 and -1 and the goal 0.
/// let beam: Beam<Dial> = Beam { heuristic: Box::new(Zero), width: 4, seed: 0 };
/// let report = beam.solve(&Dial::new(10), &[3], &Control::default());
/// assert_eq!(report.best.unwrap().cost, 3);
/// ```
pub struct Beam<P: Puzzle> {
    /// The heuristic whose value is the score; it need not be admissible.
    pub heuristic: Box<dyn DynHeuristic<P>>,
    /// The number of states kept per level.
    pub width: usize,
    /// Breaks ties between equal scores.
    pub seed: u64,
}

impl<P: Puzzle> Solver<P> for Beam<P> {
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report {
        run_with_heuristic(&*self.heuristic, self.width, self.seed, puzzle, starts, control)
    }
}

/// Runs a beam search that scores states with `heuristic`, on [`DynWalker`](crate::walker::DynWalker)s.
pub fn run_with_heuristic<P: Puzzle>(
    heuristic: &dyn DynHeuristic<P>,
    width: usize,
    seed: u64,
    puzzle: &P,
    starts: &[P::State],
    control: &Control,
) -> Report {
    let config = BeamConfig {
        width,
        seed,
        moves: puzzle.move_count(),
        cheapest: puzzle.cheapest(),
        admissible: heuristic.dyn_admissibility() != Admissibility::None,
    };
    let h = |start| heuristic.estimate(puzzle, start);
    if let Some(floor) = starts.iter().map(h).min().filter(|_| config.admissible) {
        control.prove(floor);
    }
    if starts.iter().any(|start| puzzle.is_goal(start)) {
        control.offer(&[], 0);
        let counts = Counts { generated: 1, ..Counts::default() };
        return Report::from_control(Outcome::Solved, control, counts);
    }
    let walkers: Vec<_> = starts.iter().map(|start| heuristic.walker(puzzle, start)).collect();
    run(&config, &walkers, &|path: &[Move]| puzzle.path_cost(path), &NoObserver, control)
}

/// The parameters of a beam search.
#[derive(Clone, Copy, Debug)]
pub struct BeamConfig {
    /// The number of states kept per level at the start; a beam that stagnates becomes wider.
    pub width: usize,
    /// Breaks ties between equal scores.
    pub seed: u64,
    /// The largest number of moves of a state.
    pub moves: usize,
    /// The least cost of a move.
    pub cheapest: Cost,
    /// Whether scores are admissible. Then states are pruned by cost plus score, otherwise by cost alone.
    pub admissible: bool,
}

impl BeamConfig {
    /// The approximate memory of a beam of `width`, in bytes.
    pub fn bytes(&self, width: usize) -> u64 {
        SeenFilter::bytes(width)
            + width as u64 * (size_of::<Candidate>() * self.moves.min(CANDIDATE_FACTOR) + 16) as u64
    }
}

/// Observes the states that a beam search expands, for training.
pub trait BeamObserver<W>: Sync {
    /// Called before the state of `walker` is expanded; `leaf` is its index in `level`. Levels count from 0.
    #[inline]
    fn on_state(&self, _level: usize, _leaf: usize, _walker: &W) {}

    /// Called with the moves made from the start to the solution.
    fn on_solution(&self, _moves: &[Move]) {}
}

/// An observer that ignores all states.
pub struct NoObserver;

impl<W> BeamObserver<W> for NoObserver {}

/// Runs a beam search from each of `starts` and offers every solution that improves the incumbent; `cost` is
/// the cost of a solution. Beams of several starts run in parallel as far as threads and memory allow.
pub fn run<W: Walker + Sync>(
    config: &BeamConfig,
    starts: &[W],
    cost: &(dyn Fn(&[Move]) -> Cost + Sync),
    observer: &impl BeamObserver<W>,
    control: &Control,
) -> Report {
    let threads = control.threads();
    let affordable =
        usize::try_from(control.available_bytes() / config.bytes(config.width).max(1)).unwrap_or(usize::MAX);
    let parallel = threads.min(starts.len()).min(affordable).max(1);
    let next = std::sync::Mutex::new(0);
    let results = run_parallel(parallel, |worker| {
        let mut counts = Counts::default();
        loop {
            let index = {
                let mut next = lock(&next);
                *next += 1;
                *next - 1
            };
            let Some(start) = starts.get(index) else { return (counts, None) };
            let mut search = BeamSearch {
                config: *config,
                threads: (threads / worker.count).max(1),
                control,
                counts: &mut counts,
                cost,
                observer,
            };
            if let Err(stop) = search.run(start) {
                return (counts, Some(control.request_stop(stop)));
            }
        }
    });
    let mut counts = Counts { generated: 1, ..Counts::default() };
    results.iter().for_each(|(part, _)| counts += *part);
    let outcome = match results.iter().find_map(|(_, stop)| *stop) {
        Some(stop) if control.best().is_none() => Outcome::Stopped(stop),
        _ => Outcome::Solved,
    };
    let mut report = Report::from_control(outcome, control, counts);
    report.threads = threads;
    report
}

/// The least number of leaves that is worth another thread.
const LEAVES_PER_THREAD: usize = 1024;
/// The search is given up after this many beams, each twice as wide as the one before, have run empty.
const MAX_RESTARTS: usize = 20;

/// A worker collects at most this many times `width` candidates before it discards those beyond the cutoff.
const CANDIDATE_FACTOR: usize = 3;

/// The successors that one worker collected from its part of a level.
#[derive(Default)]
struct Successors {
    candidates: Vec<Candidate>,
    /// Candidates beyond this cutoff are discarded.
    limit: Option<Cutoff>,
    /// The number of candidates, discarded ones included.
    distinct: u64,
    /// Paths to goals, relative to the root of the tour.
    solved: Vec<Vec<Move>>,
    generated: u64,
    expanded: u64,
    /// Children pruned because they cannot improve the incumbent.
    pruned: u64,
    stop: Option<Stop>,
}

impl Successors {
    /// Adds a candidate that is within the cutoff.
    #[inline]
    fn push(&mut self, candidate: Candidate) {
        self.distinct += 1;
        if self.limit.as_ref().is_none_or(|limit| limit.allows(&candidate)) {
            self.candidates.push(candidate);
        }
    }

    /// Discards all candidates but the best `width`.
    #[cold]
    fn truncate(&mut self, width: usize) {
        let Successors { candidates, limit, .. } = self;
        if let Some(cutoff) = Cutoff::new(|| std::iter::once(&candidates[..]), width) {
            candidates.retain(cutoff.filter());
            *limit = Some(cutoff);
        }
    }
}

/// The depth and the width of the current level.
#[derive(Clone, Copy)]
struct LevelSize {
    level: usize,
    width: usize,
}

/// The beam search from one start.
struct BeamSearch<'a, O> {
    config: BeamConfig,
    threads: usize,
    control: &'a Control,
    counts: &'a mut Counts,
    cost: &'a (dyn Fn(&[Move]) -> Cost + Sync),
    observer: &'a O,
}

/// The end of a beam.
enum BeamEnd {
    /// A solution was found.
    Solved,
    /// No state is left that can improve the incumbent.
    Pruned,
    /// No successor is left: all were duplicates, or there were none.
    Empty,
}

fn widened(width: usize) -> usize {
    (2 * width).min(MAX_WIDTH)
}

impl<O> BeamSearch<'_, O> {
    /// Runs beams, each twice as wide as the one before, until one ends with a solution or is pruned.
    fn run<W: Walker + Sync>(&mut self, start: &W) -> Result<(), Stop>
    where
        O: BeamObserver<W>,
    {
        let mut width = self.config.width;
        for _ in 0..MAX_RESTARTS {
            match self.run_beam(start, &mut width)? {
                BeamEnd::Solved | BeamEnd::Pruned => return Ok(()),
                BeamEnd::Empty => width = widened(width),
            }
        }
        Err(Stop::Memory)
    }

    /// Runs one beam until it finds a solution or no state is left.
    fn run_beam<W: Walker + Sync>(&mut self, start: &W, width: &mut usize) -> Result<BeamEnd, Stop>
    where
        O: BeamObserver<W>,
    {
        let mut seen = SeenFilter::new(*width, self.control)?;
        let mut reserved = self.control.reserve(0)?;
        let mut successors: Vec<Successors> = Vec::new();
        let mut frontier =
            Frontier { level: 1, walker: start.clone(), base: Vec::new(), tour: EulerTour::new() };
        let mut stagnation = StagnationPolicy::new(&frontier);
        let mut has_solution = false;
        loop {
            let Frontier { level, walker, tour, .. } = &frontier;
            let parts = tour.parts(self.threads.min(tour.leaves().div_ceil(LEAVES_PER_THREAD)).max(1));
            successors.resize_with(parts.len(), Successors::default);
            self.reserve_level(tour, stagnation.bytes(), *width, &mut successors, &mut reserved)?;
            let size = LevelSize { level: *level, width: *width };
            self.expand_level(walker, tour, &parts, &seen, size, &mut successors)?;
            if let Some(moves) = self.best_solution(&frontier, &successors) {
                self.observer.on_solution(&moves);
                let solution = frontier.walker.solution(&moves);
                self.control.offer(&solution, (self.cost)(&solution));
                return Ok(BeamEnd::Solved);
            }
            let parts = || successors.iter().map(|part| &part.candidates[..]);
            let Some(cutoff) = Cutoff::new(parts, *width) else {
                let pruned = successors.iter().any(|part| part.pruned > 0);
                return Ok(if pruned { BeamEnd::Pruned } else { BeamEnd::Empty });
            };
            self.control.note_level(Level { number: frontier.level as u32, score: cutoff.least() });
            frontier.advance(cutoff.kept(parts()));
            let can_widen = self.config.bytes(widened(*width)) <= self.control.available_bytes();
            let wider = if can_widen { *width / self.config.width } else { usize::MAX };
            match stagnation.after_level(cutoff.least(), &mut frontier, wider) {
                Verdict::Continue => continue,
                Verdict::Narrow => {
                    *width = (*width / 2).max(self.config.width);
                    continue;
                }
                Verdict::Stagnated if self.advance(&mut frontier) => stagnation.restart(&frontier),
                Verdict::Widen | Verdict::Stagnated => {
                    has_solution |= self.finish(&frontier);
                    if can_widen {
                        *width = widened(*width);
                    }
                }
                // With a solution in hand, fruitless backtracking ends the beam.
                Verdict::Backtracked if has_solution && stagnation.backtracked_without_progress() => {
                    return Ok(BeamEnd::Solved);
                }
                Verdict::Perturbed => has_solution |= self.finish(&frontier),
                Verdict::Backtracked => {}
            }
            // States of the abandoned levels may be reached again, and another seed breaks ties differently.
            self.config.seed = self.config.seed.wrapping_add(1);
            drop(seen);
            seen = SeenFilter::new(*width, self.control)?;
        }
    }

    /// Lets the walker complete a solution from the best state of the level and offers it. False if it
    /// cannot.
    fn finish<W: Walker>(&self, frontier: &Frontier<W>) -> bool {
        let Some((path, walker)) = self.best_state(frontier) else { return false };
        let moves = [&frontier.base[..], &path].concat();
        let Some(solution) = walker.finish(&moves, self.control) else { return false };
        self.control.offer(&solution, (self.cost)(&solution));
        true
    }

    /// Continues from the best state of the level with moves that the walker knows to make progress. False
    /// if it knows none.
    fn advance<W: Walker>(&self, frontier: &mut Frontier<W>) -> bool {
        let Some((path, mut walker)) = self.best_state(frontier) else { return false };
        let Some(moves) = walker.advance() else { return false };
        for &m in &moves {
            walker.step(m);
        }
        frontier.base.extend(path.into_iter().chain(moves));
        frontier.level = frontier.base.len() + 1;
        (frontier.walker, frontier.tour) = (walker, EulerTour::new());
        true
    }

    /// The best child of all leaves: the path to it, and a walker that stands on it.
    fn best_state<W: Walker>(&self, frontier: &Frontier<W>) -> Option<(Vec<Move>, W)> {
        let mut walker = frontier.walker.clone();
        let mut path: Vec<(Move, W::Undo)> = Vec::new();
        let mut scored: Vec<ScoredMove> = Vec::with_capacity(self.config.moves);
        let mut best: Option<(Cost, Vec<Move>)> = None;
        for step in frontier.tour.parts(1).iter().flat_map(|whole| frontier.tour.steps(whole)) {
            if step == euler_tour::BACK {
                if let Some((m, undo)) = path.pop() {
                    walker.undo(m, undo);
                }
                continue;
            }
            if step != euler_tour::STAY {
                path.push((Move(step), walker.step(Move(step))));
            }
            if path.len() < frontier.tour.depth() {
                continue;
            }
            scored.clear();
            walker.score_moves(&mut scored);
            let least = scored.iter().min_by_key(|child| child.score);
            if let Some(child) =
                least.filter(|child| best.as_ref().is_none_or(|(score, _)| child.score < *score))
            {
                best = Some((child.score, path.iter().map(|(m, _)| *m).chain([child.m]).collect()));
            }
        }
        let (_, path) = best?;
        let mut walker = frontier.walker.clone();
        for &m in &path {
            walker.step(m);
        }
        Some((path, walker))
    }

    /// The cheapest of the solutions found in this level, as moves from the start.
    fn best_solution<W: Walker>(
        &self,
        frontier: &Frontier<W>,
        successors: &[Successors],
    ) -> Option<Vec<Move>> {
        let walks =
            successors.iter().flat_map(|part| &part.solved).map(|path| [&frontier.base[..], path].concat());
        walks.min_by_key(|moves| (self.cost)(&frontier.walker.solution(moves)))
    }

    /// Reserves the largest memory that the next level may need: candidates, the tour, its successor and one
    /// stored level, besides the `stored` bytes of earlier levels.
    fn reserve_level(
        &self,
        tour: &EulerTour,
        stored: usize,
        width: usize,
        successors: &mut [Successors],
        reserved: &mut Reservation,
    ) -> Result<(), Stop> {
        let most = (CANDIDATE_FACTOR * width).min(tour.leaves() * self.config.moves) + self.config.moves;
        let needed = (successors.len() * most * size_of::<Candidate>() + 3 * tour.bytes() + stored) as u64;
        if needed > reserved.bytes() {
            reserved.grow(needed - reserved.bytes())?;
        }
        for part in successors {
            part.candidates.clear();
            part.candidates.reserve_exact(most);
        }
        Ok(())
    }

    /// Evaluates the children of all leaves.
    fn expand_level<W: Walker + Sync>(
        &mut self,
        walker: &W,
        tour: &EulerTour,
        parts: &[TourPart],
        seen: &SeenFilter,
        size: LevelSize,
        successors: &mut [Successors],
    ) -> Result<(), Stop>
    where
        O: BeamObserver<W>,
    {
        match (parts, &mut *successors) {
            ([whole], [all]) => self.expand_part(walker.clone(), tour, whole, seen, size, all),
            (parts, successors) => {
                let work: Vec<_> = parts.iter().zip(successors).map(std::sync::Mutex::new).collect();
                run_parallel(parts.len(), |worker| {
                    // There may be fewer threads than parts.
                    for pair in work.iter().skip(worker.index).step_by(worker.count) {
                        let (part, successors) = &mut *lock(pair);
                        self.expand_part(walker.clone(), tour, part, seen, size, successors);
                    }
                });
            }
        }
        for part in &*successors {
            self.counts.generated += part.generated;
            self.counts.expanded += part.expanded;
            self.counts.visited += part.distinct;
        }
        self.counts.peak_open = self.counts.peak_open.max(tour.leaves() as u64);
        successors.iter().find_map(|part| part.stop).map_or(Ok(()), Err)
    }

    /// Evaluates the children of the leaves in one part of the tour.
    fn expand_part<W: Walker>(
        &self,
        mut walker: W,
        tour: &EulerTour,
        part: &TourPart,
        seen: &SeenFilter,
        size: LevelSize,
        successors: &mut Successors,
    ) where
        O: BeamObserver<W>,
    {
        let candidates = std::mem::take(&mut successors.candidates);
        *successors = Successors { candidates, ..Successors::default() };
        let capacity = CANDIDATE_FACTOR * size.width;
        let spent = (size.level as Cost).saturating_mul(self.config.cheapest);
        let mut meter = self.control.meter();
        let mut path: Vec<(Move, W::Undo)> = Vec::new();
        for &m in &part.path {
            path.push((m, walker.step(m)));
        }
        let mut leaf = part.first_leaf;
        let mut scored: Vec<ScoredMove> = Vec::with_capacity(self.config.moves);
        for step in tour.steps(part) {
            if step == euler_tour::BACK {
                if let Some((m, undo)) = path.pop() {
                    walker.undo(m, undo);
                }
                continue;
            }
            if step != euler_tour::STAY {
                path.push((Move(step), walker.step(Move(step))));
            }
            if path.len() < tour.depth() {
                continue;
            }
            if meter.check().is_break() {
                successors.stop = self.control.stop();
                return;
            }
            self.observer.on_state(size.level - 1, leaf, &walker);
            scored.clear();
            walker.score_moves(&mut scored);
            meter.spend(scored.len() as u64);
            successors.expanded += 1;
            successors.generated += scored.len() as u64;
            for child in &scored {
                seen.prefetch(child.hash);
            }
            let upper = self.control.upper();
            for child in &scored {
                let least = if self.config.admissible { spent.saturating_add(child.score) } else { spent };
                if least >= upper {
                    successors.pruned += 1;
                } else if child.solved {
                    successors.solved.push(path.iter().map(|(m, _)| *m).chain([child.m]).collect());
                } else if seen.insert(child.hash) {
                    let (leaf, noise) = (leaf as u32, noise(child.hash, self.config.seed));
                    successors.push(Candidate { score: child.score, leaf, m: child.m, noise });
                }
            }
            if successors.candidates.len() >= capacity {
                successors.truncate(size.width);
            }
            leaf += 1;
        }
    }
}
