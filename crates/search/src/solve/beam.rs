//! Beam search: only the best `width` states of every level of the tree are expanded (Lowerre, "The HARPY
//! Speech Recognition System", 1976).
//!
//! A level is stored as the Euler tour of the tree of surviving paths (`beam/euler_tour.rs`) instead of a
//! list of states, a technique common in AtCoder heuristic contests. A [`Walker`], one mutable state that
//! makes and undoes moves, follows the tour and scores the successors of every leaf without making the
//! moves. A lossy hash table removes most duplicates, and the cutoff score comes from a histogram of scores,
//! not from sorting. Only surviving paths are stored, at one byte per step of the tour. For several threads
//! the tour is cut into parts, one per thread.
//!
//! A beam whose best score stagnates returns to an earlier level and repeats it with perturbed scores, with a
//! greater width or unchanged (`beam/stagnation.rs`).

mod cutoff;
mod euler_tour;
mod level;
mod seen_filter;
mod stagnation;

use std::ops::ControlFlow;

use crate::control::{Control, Level, Stop};
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

use cutoff::{Candidate, Cutoff};
use euler_tour::EulerTour;
use level::{CANDIDATE_FACTOR, LevelParams, Successors};
use seen_filter::SeenFilter;
use stagnation::{Frontier, StagnationPolicy, Verdict};

/// The name of the algorithm in specs.
pub const NAME: &str = "beam";

/// Inverse moves are not needed: a [`Walker`] stores the data that undoes its steps.
pub const REQUIREMENTS: Requirements = Requirements::NONE;

const WIDTH: OptionSpec = OptionSpec {
    name: "width",
    aliases: &[],
    summary: "number of states kept per level",
    values: OptionValues::Integer { min: 1, max: MAX_WIDTH as u64 },
    default: "1000",
};

const SEED: OptionSpec = OptionSpec {
    name: "seed",
    aliases: &[],
    summary: "seed that breaks ties between equal scores",
    values: OptionValues::Integer { min: 0, max: OptionValues::LARGEST },
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
        ..AlgorithmInfo::new(NAME, "beam search on all threads; widens when its best score stagnates")
    };
    AlgorithmEntry::new(info, |context| {
        let (width, seed) = beam_options(context.spec);
        Ok(Box::new(Beam { heuristic: context.heuristic()?.build_dyn(context)?, width, seed }))
    })
}

/// The approximate size of the stored tours, in bytes per state of a level.
const TOUR_BYTES_PER_STATE: usize = 16;

/// The largest beam width; wider beams would not fit in memory.
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
        max_branching: puzzle.move_count(),
        min_move_cost: puzzle.min_move_cost(),
        admissible: heuristic.dyn_admissibility() != Admissibility::None,
    };
    let h = |start| heuristic.estimate(puzzle, start);
    if let Some(least_h) = starts.iter().map(h).min().filter(|_| config.admissible) {
        control.raise_lower_bound(least_h);
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
    /// The largest number of legal moves in any state.
    pub max_branching: usize,
    /// The least cost of a move.
    pub min_move_cost: Cost,
    /// Whether scores are admissible. Then states are pruned by cost plus score, otherwise by cost alone.
    pub admissible: bool,
}

impl BeamConfig {
    /// The approximate memory of a beam of `width`, in bytes.
    pub fn bytes(&self, width: usize) -> u64 {
        // A worker collects up to `CANDIDATE_FACTOR` times `width` candidates before it discards the worst.
        let candidates_per_state = self.max_branching.min(CANDIDATE_FACTOR);
        let bytes_per_state = size_of::<Candidate>() * candidates_per_state + TOUR_BYTES_PER_STATE;
        SeenFilter::bytes(width) + width as u64 * bytes_per_state as u64
    }
}

/// Observes the states that a beam search expands, for training.
pub trait BeamObserver<W>: Sync {
    /// Called before the state of `walker` is expanded; `leaf` is its index in `level`. Levels count
    /// from 0 here, one less than `Frontier::level`.
    #[inline]
    fn on_state(&self, _level: usize, _leaf: usize, _walker: &W) {}

    /// Called with the moves made from the start to the solution.
    fn on_solution(&self, _moves: &[Move]) {}
}

/// An observer that ignores all states.
pub struct NoObserver;

impl<W> BeamObserver<W> for NoObserver {}

/// Runs a beam search from each of `starts` and offers every solution that improves the incumbent; `cost`
/// computes the cost of a solution. Beams of several starts run in parallel as far as threads and memory
/// allow.
pub fn run<W: Walker + Sync>(
    config: &BeamConfig,
    starts: &[W],
    cost: &(dyn Fn(&[Move]) -> Cost + Sync),
    observer: &impl BeamObserver<W>,
    control: &Control,
) -> Report {
    let threads = control.threads();
    // The number of beams that fit in memory at the same time.
    let max_beams =
        usize::try_from(control.available_bytes() / config.bytes(config.width).max(1)).unwrap_or(usize::MAX);
    let parallel_beams = threads.min(starts.len()).min(max_beams).max(1);
    let next_start = std::sync::Mutex::new(0);
    let results = run_parallel(parallel_beams, |worker| {
        let mut counts = Counts::default();
        loop {
            let index = {
                let mut next_start = lock(&next_start);
                *next_start += 1;
                *next_start - 1
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
    results.iter().for_each(|(worker_counts, _)| counts += *worker_counts);
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
/// The largest number of beams. Each is twice as wide as the one before, which ran out of states.
const MAX_RESTARTS: usize = 20;

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
        // Only a still wider beam, and so more memory, could find another solution.
        if self.control.best().is_some() { Ok(()) } else { Err(Stop::Memory) }
    }

    /// Runs one beam until it finds a solution or no state is left. Updates `width` when the beam becomes
    /// wider or narrower.
    fn run_beam<W: Walker + Sync>(&mut self, start: &W, width: &mut usize) -> Result<BeamEnd, Stop>
    where
        O: BeamObserver<W>,
    {
        let mut seen = SeenFilter::new(*width, self.config.max_branching, self.control)?;
        // Grows with the largest level so far.
        let mut reserved = self.control.reserve(0)?;
        let mut successors: Vec<Successors> = Vec::new();
        let mut frontier =
            Frontier { level: 1, walker: start.clone(), prefix: Vec::new(), tour: EulerTour::new() };
        let mut stagnation = StagnationPolicy::new(&frontier);
        let mut has_solution = false;
        loop {
            let Frontier { level, walker, tour, .. } = &frontier;
            let parts = tour.parts(self.threads.min(tour.leaves().div_ceil(LEAVES_PER_THREAD)).max(1));
            successors.resize_with(parts.len(), Successors::default);
            self.reserve_level(tour, stagnation.bytes(), *width, &mut successors, &mut reserved)?;
            let max_successors = tour.leaves().saturating_mul(self.config.max_branching);
            if !seen.suffices(*width, max_successors) {
                // A larger filter starts empty, so states of earlier levels may return. It has room for many
                // times the level, so it is rarely replaced.
                drop(seen);
                seen = SeenFilter::new(*width, max_successors.saturating_mul(16), self.control)?;
            }
            let params = LevelParams { level: *level, width: *width };
            self.expand_level(walker, tour, &parts, &seen, params, &mut successors)?;
            if let Some(moves) = self.best_solution(&frontier, &successors) {
                self.observer.on_solution(&moves);
                // The moves of a walker may differ from those of the puzzle.
                let solution = frontier.walker.solution(&moves);
                self.control.offer(&solution, (self.cost)(&solution));
                return Ok(BeamEnd::Solved);
            }
            let candidates = || successors.iter().map(|part| &part.candidates[..]);
            let Some(cutoff) = Cutoff::new(candidates, *width) else {
                let pruned = successors.iter().any(|part| part.pruned > 0);
                return Ok(if pruned { BeamEnd::Pruned } else { BeamEnd::Empty });
            };
            self.control.note_level(Level { number: frontier.level as u32, score: cutoff.best_score() });
            frontier.advance(cutoff.kept(candidates()));
            let can_widen = self.config.bytes(widened(*width)) <= self.control.available_bytes();
            // Above a maximum ratio the policy backtracks instead of widening. A beam that cannot become
            // wider is treated as if it had reached the maximum.
            let width_ratio = if can_widen { *width / self.config.width } else { usize::MAX };
            // With every verdict except `Continue` and `Narrow` the policy has moved `frontier` back to an
            // earlier level, from whose best state `finish` completes a solution.
            match stagnation.after_level(cutoff.best_score(), &mut frontier, width_ratio) {
                Verdict::Continue => continue,
                Verdict::Narrow => {
                    *width = (*width / 2).max(self.config.width);
                    continue;
                }
                Verdict::AdvanceOrWiden if self.advance_by_known_moves(&mut frontier) => {
                    stagnation.restart(&frontier);
                }
                Verdict::Widen | Verdict::AdvanceOrWiden => {
                    has_solution |= self.finish(&frontier);
                    if can_widen {
                        *width = widened(*width);
                    }
                }
                // If a solution is known, backtracking without progress ends the beam.
                Verdict::Backtracked if has_solution && stagnation.backtracked_without_progress() => {
                    return Ok(BeamEnd::Solved);
                }
                Verdict::Perturbed => has_solution |= self.finish(&frontier),
                Verdict::Backtracked => {}
            }
            // The beam repeats levels: an empty filter accepts their states again, and another seed breaks
            // ties differently.
            self.config.seed = self.config.seed.wrapping_add(1);
            let max_successors = frontier.tour.leaves().saturating_mul(self.config.max_branching);
            drop(seen);
            seen = SeenFilter::new(*width, max_successors, self.control)?;
        }
    }

    /// Lets the walker complete a solution from the best state of the level ([`Walker::finish`]) and offers
    /// it. Returns false if the walker cannot complete one.
    fn finish<W: Walker>(&self, frontier: &Frontier<W>) -> bool {
        let Some((path, walker)) = self.best_state(frontier) else { return false };
        let moves = [&frontier.prefix[..], &path].concat();
        let Some(solution) = walker.finish(&moves, self.control) else { return false };
        self.control.offer(&solution, (self.cost)(&solution));
        true
    }

    /// Continues from the best state of the level with moves that the walker knows to make progress
    /// ([`Walker::advance`]). Returns false if the walker knows none.
    fn advance_by_known_moves<W: Walker>(&self, frontier: &mut Frontier<W>) -> bool {
        let Some((path, mut walker)) = self.best_state(frontier) else { return false };
        let Some(moves) = walker.advance() else { return false };
        for &m in &moves {
            walker.step(m);
        }
        frontier.prefix.extend(path.into_iter().chain(moves));
        frontier.level = frontier.prefix.len() + 1;
        (frontier.walker, frontier.tour) = (walker, EulerTour::new());
        true
    }

    /// The child with the best score among the children of all leaves: the moves to it from the root of the
    /// tour, and a walker on it.
    fn best_state<W: Walker>(&self, frontier: &Frontier<W>) -> Option<(Vec<Move>, W)> {
        let mut walker = frontier.walker.clone();
        let mut scored: Vec<ScoredMove> = Vec::with_capacity(self.config.max_branching);
        let mut best: Option<(Cost, Vec<Move>)> = None;
        for part in frontier.tour.parts(1) {
            frontier.tour.visit_leaves(&part, &mut walker, |_, path, walker| {
                scored.clear();
                walker.score_moves(&mut scored);
                let best_child = scored.iter().min_by_key(|child| child.score);
                let improves = |score: Cost| best.as_ref().is_none_or(|(best, _)| score < *best);
                if let Some(child) = best_child.filter(|child| improves(child.score)) {
                    best = Some((child.score, path.iter().map(|(m, _)| *m).chain([child.m]).collect()));
                }
                ControlFlow::Continue(())
            });
        }
        let (_, path) = best?;
        let mut walker = frontier.walker.clone();
        for &m in &path {
            walker.step(m);
        }
        Some((path, walker))
    }

    /// The cheapest solution found in this level, as moves from the start.
    fn best_solution<W: Walker>(
        &self,
        frontier: &Frontier<W>,
        successors: &[Successors],
    ) -> Option<Vec<Move>> {
        let solutions =
            successors.iter().flat_map(|part| &part.solved).map(|path| [&frontier.prefix[..], path].concat());
        solutions.min_by_key(|moves| (self.cost)(&frontier.walker.solution(moves)))
    }
}
