//! Beam search: of every level of the tree the best few states are kept.
//!
//! A level is one walk over one board (`beam/tour.rs`), not a list of boards. Moves are priced before they are made; what was priced goes into a
//! lossy table of hashes, so that a state is hardly ever kept twice, and the cutoff comes from a count of scores. Only
//! survivors are written down.

mod tour;

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::control::{Control, Reserved, Stop};
use crate::heuristic::{Heuristic, Promise};
use crate::memory;
use crate::moves::Move;
use crate::puzzle::{Cost, Puzzle};
use crate::report::{Counts, Outcome, Report};
use crate::solve::Solver;
use crate::threads::side_by_side;
use crate::walker::{Priced, Stroll, Walker};

use tour::{Part, Step, Tour};

/// Beam search by a heuristic.
pub struct Beam<H> {
    /// What states are ranked by.
    pub heuristic: H,
    /// How many states are kept of a level.
    pub width: usize,
    /// Decides between states of equal score.
    pub seed: u64,
}

impl Beam<()> {
    /// Wider beams would take more memory than there is.
    pub const WIDEST: usize = 1 << 28;
}

impl<P: Puzzle, H: Heuristic<P>> Solver<P> for Beam<H> {
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report {
        let plan = Plan {
            width: self.width,
            seed: self.seed,
            moves: puzzle.inverses().len(),
            cheapest: puzzle.cheapest(),
            admissible: self.heuristic.promise() != Promise::None,
        };
        let floor = |start| self.heuristic.cost(&self.heuristic.start(puzzle, start));
        if let Some(floor) = starts.iter().map(floor).min().filter(|_| plan.admissible) {
            control.prove(floor);
        }
        let mut counts = Counts { generated: 1, ..Counts::default() };
        let mut stopped = None;
        for start in starts {
            if puzzle.is_goal(start) {
                control.offer(&[], 0);
                break;
            }
            let mut search = Search::new(plan, control, &mut counts);
            let walker = Stroll::new(puzzle, &self.heuristic, start);
            if let Err(stop) = search.run(&walker, &|path: &[Move]| puzzle.path_cost(path)) {
                stopped = Some(control.halt(stop));
                break;
            }
        }
        let outcome = match stopped {
            Some(stop) if control.best().is_none() => Outcome::Stopped(stop),
            _ => Outcome::Solved,
        };
        let mut report = Report::from_control(outcome, control, counts);
        report.threads = control.threads();
        report
    }
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

/// Levels without a better score after which a beam is taken to be stuck and made twice as wide.
const PATIENCE: usize = 100;
/// A state has so many places in the table of hashes, so that few are overwritten while they matter.
const PLACES: usize = 16;
/// Fewer leaves are not worth another thread.
const LEAVES_PER_THREAD: usize = 1024;
/// A beam that has died so often, twice as wide each time, has seen all there is.
const LIVES: usize = 20;

/// A child that may be kept.
#[derive(Clone, Copy)]
struct Candidate {
    /// Its score, and below that what decides between equal ones.
    key: u32,
    leaf: u32,
    m: Move,
}

/// What a part of a level gave.
#[derive(Default)]
struct Gathered {
    candidates: Vec<Candidate>,
    solved: Vec<Vec<Move>>,
    generated: u64,
    expanded: u64,
    /// Children left out because they lead to nothing better than what is known.
    hopeless: u64,
    stop: Option<Stop>,
}

/// States met before, told by a part of their hash; the last one to come stays.
struct Met {
    tags: Vec<AtomicU32>,
    _reserved: Reserved,
}

impl Met {
    fn new(width: usize, control: &Control) -> Result<Met, Stop> {
        let places = (PLACES * width).next_power_of_two();
        let reserved = control.reserve(4 * places as u64)?;
        let mut tags: Vec<AtomicU32> = Vec::with_capacity(places);
        memory::advise_huge(tags.as_ptr(), places);
        while tags.len() < places {
            // So much memory takes a while.
            control.poll()?;
            let part = (places - tags.len()).min(1 << 20);
            tags.extend(std::iter::repeat_with(|| AtomicU32::new(0)).take(part));
        }
        Ok(Met { tags, _reserved: reserved })
    }

    /// Whether a state is new, as far as is known.
    #[inline]
    fn enter(&self, hash: u64) -> bool {
        let tag = (hash >> 32) as u32 | 1;
        let place = &self.tags[hash as usize & (self.tags.len() - 1)];
        if place.load(Relaxed) == tag {
            return false;
        }
        place.store(tag, Relaxed);
        true
    }
}

/// One beam search.
pub(crate) struct Search<'a> {
    plan: Plan,
    control: &'a Control,
    counts: &'a mut Counts,
}

impl<'a> Search<'a> {
    pub(crate) fn new(plan: Plan, control: &'a Control, counts: &'a mut Counts) -> Search<'a> {
        Search { plan, control, counts }
    }

    /// Offers the first answer it comes to, if that is better than what is known.
    pub(crate) fn run<W: Walker + Sync>(
        &mut self,
        start: &W,
        cost: &dyn Fn(&[Move]) -> Cost,
    ) -> Result<(), Stop> {
        let mut width = self.plan.width;
        for _ in 0..LIVES {
            match self.live(start, &mut width, cost)? {
                Ended::Answered | Ended::Hopeless => return Ok(()),
                Ended::Died => width = widened(width),
            }
        }
        Err(Stop::Memory)
    }

    /// Runs a beam until it finds an answer, or no state is left in it.
    fn live<W: Walker + Sync>(
        &mut self,
        start: &W,
        width: &mut usize,
        cost: &dyn Fn(&[Move]) -> Cost,
    ) -> Result<Ended, Stop> {
        let mut met = Met::new(*width, self.control)?;
        let mut reserved = self.control.reserve(0)?;
        let (mut walker, mut base, mut tour) = (start.clone(), Vec::new(), Tour::new());
        let (mut best, mut since) = (u32::MAX, 0);
        for level in 1.. {
            let per_leaf = std::mem::size_of::<Candidate>() * self.plan.moves + 8;
            let needed = (tour.leaves() * per_leaf + 2 * tour.bytes()) as u64;
            if needed > reserved.bytes() {
                reserved.grow(needed - reserved.bytes())?;
            }
            let gathered = self.gather(&walker, &tour, &met, level)?;
            let solved = gathered.iter().flat_map(|part| &part.solved);
            let answers = solved.map(|path| walker.answer(&[&base[..], path].concat()));
            if let Some(answer) = answers.min_by_key(|path| cost(path)) {
                self.control.offer(&answer, cost(&answer));
                return Ok(Ended::Answered);
            }
            let Some(cutoff) = Cutoff::new(&gathered, *width) else {
                let hopeless = gathered.iter().any(|part| part.hopeless > 0);
                return Ok(if hopeless { Ended::Hopeless } else { Ended::Died });
            };
            if cutoff.least >> NOISE < best {
                (best, since) = (cutoff.least >> NOISE, 0);
            }
            let (grown, shared) = tour.grown(cutoff.kept(&gathered));
            tour = grown;
            for &m in &shared {
                walker.step(m);
            }
            base.extend(shared);
            since += 1;
            if since == PATIENCE {
                (*width, since) = (widened(*width), 0);
                drop(met);
                met = Met::new(*width, self.control)?;
            }
        }
        Ok(Ended::Died)
    }

    /// Prices the children of all leaves.
    fn gather<W: Walker + Sync>(
        &mut self,
        walker: &W,
        tour: &Tour,
        met: &Met,
        level: Cost,
    ) -> Result<Vec<Gathered>, Stop> {
        let threads = self.control.threads().min(tour.leaves().div_ceil(LEAVES_PER_THREAD)).max(1);
        let parts = tour.parts(threads);
        let spent = level.saturating_mul(self.plan.cheapest);
        let price = |part: &Part| self.price(walker.clone(), tour, part, met, spent);
        let gathered: Vec<Gathered> = match &parts[..] {
            [whole] => vec![price(whole)],
            parts => side_by_side(parts.len(), |worker| {
                // The system may have given fewer threads than there are parts.
                let mine =
                    parts.iter().enumerate().filter(|(number, _)| number % worker.count == worker.index);
                mine.map(|(number, part)| (number, price(part))).collect::<Vec<_>>()
            })
            .into_iter()
            .flatten()
            .collect::<std::collections::BTreeMap<_, _>>()
            .into_values()
            .collect(),
        };
        for part in &gathered {
            self.counts.generated += part.generated;
            self.counts.expanded += part.expanded;
            self.counts.visited += part.candidates.len() as u64;
        }
        self.counts.peak_open = self.counts.peak_open.max(tour.leaves() as u64);
        match gathered.iter().find_map(|part| part.stop) {
            Some(stop) => Err(stop),
            None => Ok(gathered),
        }
    }

    /// Prices the children of the leaves in one part.
    fn price<W: Walker>(&self, mut walker: W, tour: &Tour, part: &Part, met: &Met, spent: Cost) -> Gathered {
        let mut gathered = Gathered::default();
        let mut meter = self.control.meter();
        let mut way: Vec<(Move, W::Undo)> = Vec::new();
        for &m in &part.way {
            way.push((m, walker.step(m)));
        }
        let mut leaf = part.first_leaf as u32;
        let mut priced: Vec<Priced> = Vec::new();
        for step in tour.walk(part) {
            match step {
                Step::Down(m) => way.push((m, walker.step(m))),
                Step::Back => {
                    if let Some((m, undo)) = way.pop() {
                        walker.back(m, undo);
                    }
                }
                Step::Leaf => {
                    if meter.check().is_break() {
                        gathered.stop = self.control.stop();
                        return gathered;
                    }
                    priced.clear();
                    walker.price(&mut priced);
                    meter.spend(priced.len() as u64);
                    gathered.expanded += 1;
                    gathered.generated += priced.len() as u64;
                    for child in &priced {
                        let least =
                            if self.plan.admissible { spent.saturating_add(child.score) } else { spent };
                        if least >= self.control.upper() {
                            gathered.hopeless += 1;
                        } else if child.solved {
                            gathered.solved.push(way.iter().map(|(m, _)| *m).chain([child.m]).collect());
                        } else if met.enter(child.hash) {
                            let key = self.key(child);
                            gathered.candidates.push(Candidate { key, leaf, m: child.m });
                        }
                    }
                    leaf += 1;
                }
            }
        }
        gathered
    }

    #[inline]
    fn key(&self, child: &Priced) -> u32 {
        let noise = (child.hash ^ self.plan.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - NOISE);
        child.score.min(u32::MAX >> NOISE) << NOISE | noise as u32
    }
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
    (2 * width).min(Beam::WIDEST)
}

/// Bits that decide between states of equal score.
const NOISE: u32 = 8;

/// Which candidates are kept.
struct Cutoff {
    least: u32,
    shift: u32,
    /// All candidates in lower buckets are kept, and the first so many of this one.
    bucket: usize,
    of_bucket: usize,
}

/// So many buckets the keys of a level are counted in at most.
const BUCKETS: u32 = 1 << 16;

impl Cutoff {
    /// Keeps `width` candidates, if there are any.
    fn new(gathered: &[Gathered], width: usize) -> Option<Cutoff> {
        let keys = || gathered.iter().flat_map(|part| part.candidates.iter().map(|candidate| candidate.key));
        let (least, most) = (keys().min()?, keys().max()?);
        let mut shift = 0;
        while (most - least) >> shift >= BUCKETS {
            shift += 1;
        }
        let mut counts = vec![0usize; ((most - least) >> shift) as usize + 1];
        keys().for_each(|key| counts[((key - least) >> shift) as usize] += 1);
        let mut left = width;
        for (bucket, &count) in counts.iter().enumerate() {
            if count >= left {
                return Some(Cutoff { least, shift, bucket, of_bucket: left });
            }
            left -= count;
        }
        Some(Cutoff { least, shift, bucket: counts.len(), of_bucket: 0 })
    }

    /// The candidates kept, leaf by leaf.
    fn kept<'a>(&'a self, gathered: &'a [Gathered]) -> impl Iterator<Item = (usize, Move)> + 'a {
        let mut left = self.of_bucket;
        let candidates = gathered.iter().flat_map(|part| &part.candidates);
        candidates.filter_map(move |candidate| {
            let bucket = ((candidate.key - self.least) >> self.shift) as usize;
            let kept = bucket < self.bucket || (bucket == self.bucket && left > 0);
            left -= usize::from(kept && bucket == self.bucket);
            kept.then_some((candidate.leaf as usize, candidate.m))
        })
    }
}
