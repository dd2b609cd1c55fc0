//! Beam search: of every level of the tree the best few states are kept.
//!
//! A level is one walk over one board (`beam/tour.rs`), not a list of boards. Moves are priced before they are made; what was priced goes into a
//! lossy table of hashes, so that a state is hardly ever kept twice, and the cutoff comes from a count of scores. Only
//! survivors are written down.

mod cutoff;
mod front;
mod seen_filter;
mod tour;

use crate::control::{Control, Level, Reserved, Stop};
use crate::heuristic::{Admissibility, DynHeuristic};
use crate::locks::lock;
use crate::moves::Move;
use crate::puzzle::{Cost, Puzzle, Requirements};
use crate::registry::{AlgorithmEntry, AlgorithmInfo, Guarantee, OptionSpec};
use crate::report::{Counts, Outcome, Report};
use crate::solve::{Solver, beam_options};
use crate::spec::OptionValues;
use crate::threads::run_parallel;
use crate::walker::{Priced, Walker};

use cutoff::{Candidate, Cutoff, noise};
use front::{Front, StagnationPolicy, Verdict};
use seen_filter::SeenFilter;
use tour::{Part, Tour};

/// A walker keeps what takes its steps back.
pub const REQUIREMENTS: Requirements = Requirements::NONE;

const WIDTH: OptionSpec = OptionSpec {
    name: "width",
    aliases: &[],
    summary: "how many states are kept of a level",
    values: OptionValues::Integer { least: 1, most: MAX_WIDTH as u64 },
    default: "1000",
};

const SEED: OptionSpec = OptionSpec {
    name: "seed",
    aliases: &[],
    summary: "decides between states of equal score",
    values: OptionValues::Integer { least: 0, most: OptionValues::LARGEST },
    default: "0",
};

/// The options of everything that runs beams.
pub(super) const OPTIONS: &[OptionSpec] = &[WIDTH, SEED];

/// The entry of beam search.
pub fn entry<P: Puzzle>() -> AlgorithmEntry<P> {
    let info = AlgorithmInfo {
        options: OPTIONS,
        requirements: REQUIREMENTS,
        takes_heuristic: true,
        guarantee: |_| Guarantee::None,
        ..AlgorithmInfo::new(
            "beam",
            "beam search on all threads: the best states of every level; widens where it is stuck",
        )
    };
    AlgorithmEntry::new(info, |context| {
        let (width, seed) = beam_options(context.spec);
        Ok(Box::new(Beam { heuristic: context.heuristic()?.erased(context)?, width, seed }))
    })
}

/// Wider beams would take more memory than there is.
pub const MAX_WIDTH: usize = 1 << 28;

/// Beam search by a heuristic.
pub struct Beam<P: Puzzle> {
    /// What states are ranked by.
    pub heuristic: Box<dyn DynHeuristic<P>>,
    /// How many states are kept of a level.
    pub width: usize,
    /// Decides between states of equal score.
    pub seed: u64,
}

impl<P: Puzzle> Solver<P> for Beam<P> {
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report {
        by_heuristic(&*self.heuristic, self.width, self.seed, puzzle, starts, control)
    }
}

/// Runs a beam that ranks states by a heuristic.
pub fn by_heuristic<P: Puzzle>(
    heuristic: &dyn DynHeuristic<P>,
    width: usize,
    seed: u64,
    puzzle: &P,
    starts: &[P::State],
    control: &Control,
) -> Report {
    let plan = Plan {
        width,
        seed,
        moves: puzzle.move_count(),
        cheapest: puzzle.cheapest(),
        admissible: heuristic.dyn_admissibility() != Admissibility::None,
    };
    let floor = |start| heuristic.estimate(puzzle, start);
    if let Some(floor) = starts.iter().map(floor).min().filter(|_| plan.admissible) {
        control.prove(floor);
    }
    if starts.iter().any(|start| puzzle.is_goal(start)) {
        control.offer(&[], 0);
        let counts = Counts { generated: 1, ..Counts::default() };
        return Report::from_control(Outcome::Solved, control, counts);
    }
    let walkers: Vec<_> = starts.iter().map(|start| heuristic.walker(puzzle, start)).collect();
    run(&plan, &walkers, &|path: &[Move]| puzzle.path_cost(path), &Unwatched, control)
}

/// What a beam search goes by.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How many states are kept of a level, to begin with.
    pub width: usize,
    /// Decides between states of equal score.
    pub seed: u64,
    /// How many moves there are at most.
    pub moves: usize,
    /// What a move costs at least.
    pub cheapest: Cost,
    /// Whether scores never exceed the cost that is left, so that states which cannot lead to a better answer are known.
    pub admissible: bool,
}

impl Plan {
    /// The bytes that a beam of that width takes, about.
    pub fn bytes(&self, width: usize) -> u64 {
        SeenFilter::bytes(width) + width as u64 * (size_of::<Candidate>() * self.moves.min(SPARE) + 16) as u64
    }
}

/// Who looks at the states that a beam keeps.
pub trait Watcher<W>: Sync {
    /// A state of a level; `leaf` is its place there.
    #[inline]
    fn look(&self, _level: usize, _leaf: usize, _walker: &W) {}

    /// The walk that led to the answer.
    fn answered(&self, _walked: &[Move]) {}
}

/// Nobody looks.
pub struct Unwatched;

impl<W> Watcher<W> for Unwatched {}

/// Runs a beam from each of `starts` and offers every answer that is better than what is known. Several beams run side by side as
/// far as threads and memory go round.
pub fn run<W: Walker + Sync>(
    plan: &Plan,
    starts: &[W],
    cost: &(dyn Fn(&[Move]) -> Cost + Sync),
    watcher: &impl Watcher<W>,
    control: &Control,
) -> Report {
    let threads = control.threads();
    let room = usize::try_from(control.room() / plan.bytes(plan.width).max(1)).unwrap_or(usize::MAX);
    let abreast = threads.min(starts.len()).min(room).max(1);
    let next = std::sync::Mutex::new(0);
    let done = run_parallel(abreast, |worker| {
        let mut counts = Counts::default();
        loop {
            let mine = {
                let mut next = lock(&next);
                *next += 1;
                *next - 1
            };
            let Some(start) = starts.get(mine) else { return (counts, None) };
            let mut search = Search {
                plan: *plan,
                threads: (threads / worker.count).max(1),
                control,
                counts: &mut counts,
                cost,
                watcher,
            };
            if let Err(stop) = search.run(start) {
                return (counts, Some(control.request_stop(stop)));
            }
        }
    });
    let mut counts = Counts { generated: 1, ..Counts::default() };
    done.iter().for_each(|(part, _)| counts += *part);
    let outcome = match done.iter().find_map(|(_, stop)| *stop) {
        Some(stop) if control.best().is_none() => Outcome::Stopped(stop),
        _ => Outcome::Solved,
    };
    let mut report = Report::from_control(outcome, control, counts);
    report.threads = threads;
    report
}

/// Fewer leaves are not worth another thread.
const LEAVES_PER_THREAD: usize = 1024;
/// A beam that has died so often, twice as wide each time, has seen all there is.
const LIVES: usize = 20;

/// A part of a level holds so many candidates for each state that may be kept; then those that cannot be are thrown out.
const SPARE: usize = 3;

/// What a part of a level gave.
#[derive(Default)]
struct Gathered {
    candidates: Vec<Candidate>,
    /// Candidates beyond this cannot be kept.
    limit: Option<Cutoff>,
    met: u64,
    solved: Vec<Vec<Move>>,
    generated: u64,
    expanded: u64,
    /// Children left out because they lead to nothing better than what is known.
    hopeless: u64,
    stop: Option<Stop>,
}

impl Gathered {
    /// Takes a candidate, unless it cannot be kept.
    #[inline]
    fn enter(&mut self, candidate: Candidate) {
        self.met += 1;
        if self.limit.as_ref().is_none_or(|limit| limit.allows(&candidate)) {
            self.candidates.push(candidate);
        }
    }

    /// Throws out all but the best `width`.
    #[cold]
    fn throw_out(&mut self, width: usize) {
        let Gathered { candidates, limit, .. } = self;
        if let Some(cutoff) = Cutoff::new(|| std::iter::once(&candidates[..]), width) {
            candidates.retain(cutoff.checkpointer());
            *limit = Some(cutoff);
        }
    }
}

/// How deep a beam is, and how wide.
#[derive(Clone, Copy)]
struct Stage {
    level: usize,
    width: usize,
}

/// One beam.
struct Search<'a, L> {
    plan: Plan,
    threads: usize,
    control: &'a Control,
    counts: &'a mut Counts,
    cost: &'a (dyn Fn(&[Move]) -> Cost + Sync),
    watcher: &'a L,
}

/// How a beam ended.
enum Ended {
    /// With an answer.
    Answered,
    /// Nothing better than what is known can come of it.
    Hopeless,
    /// Everything it came to it had met before.
    Died,
}

fn widened(width: usize) -> usize {
    (2 * width).min(MAX_WIDTH)
}

impl<L> Search<'_, L> {
    /// Offers the first answer it comes to, if that is better than what is known.
    fn run<W: Walker + Sync>(&mut self, start: &W) -> Result<(), Stop>
    where
        L: Watcher<W>,
    {
        let mut width = self.plan.width;
        for _ in 0..LIVES {
            match self.live(start, &mut width)? {
                Ended::Answered | Ended::Hopeless => return Ok(()),
                Ended::Died => width = widened(width),
            }
        }
        Err(Stop::Memory)
    }

    /// Runs a beam until it finds an answer, or no state is left in it.
    fn live<W: Walker + Sync>(&mut self, start: &W, width: &mut usize) -> Result<Ended, Stop>
    where
        L: Watcher<W>,
    {
        let mut met = SeenFilter::new(*width, self.control)?;
        let mut reserved = self.control.reserve(0)?;
        let mut gathered: Vec<Gathered> = Vec::new();
        let mut now = Front { level: 1, walker: start.clone(), base: Vec::new(), tour: Tour::new() };
        let mut luck = StagnationPolicy::new(&now);
        let mut finished = false;
        loop {
            let Front { level, walker, tour, .. } = &now;
            let parts = tour.parts(self.threads.min(tour.leaves().div_ceil(LEAVES_PER_THREAD)).max(1));
            gathered.resize_with(parts.len(), Gathered::default);
            self.make_room(tour, luck.bytes(), *width, &mut gathered, &mut reserved)?;
            let stage = Stage { level: *level, width: *width };
            self.gather(walker, tour, &parts, &met, stage, &mut gathered)?;
            if let Some(walked) = self.answered(&now, &gathered) {
                self.watcher.answered(&walked);
                let answer = now.walker.answer(&walked);
                self.control.offer(&answer, (self.cost)(&answer));
                return Ok(Ended::Answered);
            }
            let parts = || gathered.iter().map(|part| &part.candidates[..]);
            let Some(cutoff) = Cutoff::new(parts, *width) else {
                let hopeless = gathered.iter().any(|part| part.hopeless > 0);
                return Ok(if hopeless { Ended::Hopeless } else { Ended::Died });
            };
            self.control.note_level(Level { number: now.level as u32, score: cutoff.least() });
            now.advance(cutoff.kept(parts()));
            let room = self.plan.bytes(widened(*width)) <= self.control.room();
            let wider = if room { *width / self.plan.width } else { usize::MAX };
            match luck.after(cutoff.least(), &mut now, wider) {
                Verdict::Fine => continue,
                Verdict::GoesWell => {
                    *width = (*width / 2).max(self.plan.width);
                    continue;
                }
                Verdict::Stagnated if self.advance(&mut now) => luck.begin_anew(&now),
                Verdict::Widen | Verdict::Stagnated => {
                    finished |= self.finish(&now);
                    if room {
                        *width = widened(*width);
                    }
                }
                // Whoever has an answer need not go back and back.
                Verdict::Returned if finished && luck.gone_back_in_vain() => return Ok(Ended::Answered),
                Verdict::Lured => finished |= self.finish(&now),
                Verdict::Returned => {}
            }
            // The states around here were met, but not by those who come now, who shall not do the same again.
            self.plan.seed = self.plan.seed.wrapping_add(1);
            drop(met);
            met = SeenFilter::new(*width, self.control)?;
        }
    }

    /// Offers what the walker makes of the best state there is. Tells whether that is an answer.
    fn finish<W: Walker>(&self, now: &Front<W>) -> bool {
        let Some((path, walker)) = self.best_state(now) else { return false };
        let walked = [&now.base[..], &path].concat();
        let Some(answer) = walker.finish(&walked, self.control) else { return false };
        self.control.offer(&answer, (self.cost)(&answer));
        true
    }

    /// Goes on from the best state there is by moves that the walker knows to get further. Tells whether there are such.
    fn advance<W: Walker>(&self, now: &mut Front<W>) -> bool {
        let Some((path, mut walker)) = self.best_state(now) else { return false };
        let Some(moves) = walker.advance() else { return false };
        for &m in &moves {
            walker.step(m);
        }
        now.base.extend(path.into_iter().chain(moves));
        now.level = now.base.len() + 1;
        (now.walker, now.tour) = (walker, Tour::new());
        true
    }

    /// The best of the children of all leaves, and the way to it.
    fn best_state<W: Walker>(&self, now: &Front<W>) -> Option<(Vec<Move>, W)> {
        let mut walker = now.walker.clone();
        let mut way: Vec<(Move, W::Undo)> = Vec::new();
        let mut priced: Vec<Priced> = Vec::with_capacity(self.plan.moves);
        let mut best: Option<(Cost, Vec<Move>)> = None;
        for step in now.tour.parts(1).iter().flat_map(|whole| now.tour.steps(whole)) {
            if step == tour::BACK {
                if let Some((m, undo)) = way.pop() {
                    walker.back(m, undo);
                }
                continue;
            }
            if step != tour::STAY {
                way.push((Move(step), walker.step(Move(step))));
            }
            if way.len() < now.tour.depth() {
                continue;
            }
            priced.clear();
            walker.price(&mut priced);
            let least = priced.iter().min_by_key(|child| child.score);
            if let Some(child) =
                least.filter(|child| best.as_ref().is_none_or(|(score, _)| child.score < *score))
            {
                best = Some((child.score, way.iter().map(|(m, _)| *m).chain([child.m]).collect()));
            }
        }
        let (_, path) = best?;
        let mut walker = now.walker.clone();
        for &m in &path {
            walker.step(m);
        }
        Some((path, walker))
    }

    /// The cheapest walk among those that solve.
    fn answered<W: Walker>(&self, now: &Front<W>, gathered: &[Gathered]) -> Option<Vec<Move>> {
        let walks = gathered.iter().flat_map(|part| &part.solved).map(|path| [&now.base[..], path].concat());
        walks.min_by_key(|walked| (self.cost)(&now.walker.answer(walked)))
    }

    /// Makes room for what a level takes at most, accounted for before it is taken: candidates, the tour, the next one and one more to come back
    /// to, besides those `kept`.
    fn make_room(
        &self,
        tour: &Tour,
        kept: usize,
        width: usize,
        gathered: &mut [Gathered],
        reserved: &mut Reserved,
    ) -> Result<(), Stop> {
        let most = (SPARE * width).min(tour.leaves() * self.plan.moves) + self.plan.moves;
        let needed = (gathered.len() * most * size_of::<Candidate>() + 3 * tour.bytes() + kept) as u64;
        if needed > reserved.bytes() {
            reserved.grow(needed - reserved.bytes())?;
        }
        for part in gathered {
            part.candidates.clear();
            part.candidates.reserve_exact(most);
        }
        Ok(())
    }

    /// Prices the children of all leaves.
    fn gather<W: Walker + Sync>(
        &mut self,
        walker: &W,
        tour: &Tour,
        parts: &[Part],
        met: &SeenFilter,
        stage: Stage,
        gathered: &mut [Gathered],
    ) -> Result<(), Stop>
    where
        L: Watcher<W>,
    {
        match (parts, &mut *gathered) {
            ([whole], [all]) => self.price(walker.clone(), tour, whole, met, stage, all),
            (parts, gathered) => {
                let work: Vec<_> = parts.iter().zip(gathered).map(std::sync::Mutex::new).collect();
                run_parallel(parts.len(), |worker| {
                    // The system may have given fewer threads than there are parts.
                    for pair in work.iter().skip(worker.index).step_by(worker.count) {
                        let (part, gathered) = &mut *lock(pair);
                        self.price(walker.clone(), tour, part, met, stage, gathered);
                    }
                });
            }
        }
        for part in &*gathered {
            self.counts.generated += part.generated;
            self.counts.expanded += part.expanded;
            self.counts.visited += part.met;
        }
        self.counts.peak_open = self.counts.peak_open.max(tour.leaves() as u64);
        gathered.iter().find_map(|part| part.stop).map_or(Ok(()), Err)
    }

    /// Prices the children of the leaves in one part.
    fn price<W: Walker>(
        &self,
        mut walker: W,
        tour: &Tour,
        part: &Part,
        met: &SeenFilter,
        stage: Stage,
        gathered: &mut Gathered,
    ) where
        L: Watcher<W>,
    {
        let candidates = std::mem::take(&mut gathered.candidates);
        *gathered = Gathered { candidates, ..Gathered::default() };
        let full = SPARE * stage.width;
        let spent = (stage.level as Cost).saturating_mul(self.plan.cheapest);
        let mut meter = self.control.meter();
        let mut way: Vec<(Move, W::Undo)> = Vec::new();
        for &m in &part.way {
            way.push((m, walker.step(m)));
        }
        let mut leaf = part.first_leaf;
        let mut priced: Vec<Priced> = Vec::with_capacity(self.plan.moves);
        for step in tour.steps(part) {
            if step == tour::BACK {
                if let Some((m, undo)) = way.pop() {
                    walker.back(m, undo);
                }
                continue;
            }
            if step != tour::STAY {
                way.push((Move(step), walker.step(Move(step))));
            }
            if way.len() < tour.depth() {
                continue;
            }
            if meter.check().is_break() {
                gathered.stop = self.control.stop();
                return;
            }
            self.watcher.look(stage.level - 1, leaf, &walker);
            priced.clear();
            walker.price(&mut priced);
            meter.spend(priced.len() as u64);
            gathered.expanded += 1;
            gathered.generated += priced.len() as u64;
            for child in &priced {
                met.expect(child.hash);
            }
            let upper = self.control.upper();
            for child in &priced {
                let least = if self.plan.admissible { spent.saturating_add(child.score) } else { spent };
                if least >= upper {
                    gathered.hopeless += 1;
                } else if child.solved {
                    gathered.solved.push(way.iter().map(|(m, _)| *m).chain([child.m]).collect());
                } else if met.enter(child.hash) {
                    let (leaf, noise) = (leaf as u32, noise(child.hash, self.plan.seed));
                    gathered.enter(Candidate { score: child.score, leaf, m: child.m, noise });
                }
            }
            if gathered.candidates.len() >= full {
                gathered.throw_out(stage.width);
            }
            leaf += 1;
        }
    }
}
