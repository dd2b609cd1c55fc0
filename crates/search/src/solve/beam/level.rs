//! The expansion of one level of the beam.
//!
//! The surviving paths form a tree, stored as an [`EulerTour`]; its leaves are the states of the level. A
//! [`Walker`] visits them along the tour, and all their children are scored, filtered and collected.

use std::ops::ControlFlow;

use super::cutoff::{Candidate, Cutoff, noise};
use super::euler_tour::{EulerTour, TourPart};
use super::seen_filter::SeenFilter;
use super::{BeamObserver, BeamSearch};
use crate::control::{Reservation, Stop};
use crate::locks::lock;
use crate::moves::Move;
use crate::puzzle::Cost;
use crate::threads::run_parallel;
use crate::walker::{ScoredMove, Walker};

/// A worker collects at most this many times `width` candidates before it discards those beyond the cutoff.
pub(super) const CANDIDATE_FACTOR: usize = 3;

/// The successors that one worker collected from its part of a level.
#[derive(Default)]
pub(super) struct Successors {
    pub(super) candidates: Vec<Candidate>,
    /// Candidates beyond this cutoff are discarded.
    cutoff: Option<Cutoff>,
    /// The number of candidates, discarded ones included.
    distinct: u64,
    /// Paths to goals, relative to the root of the tour.
    pub(super) solved: Vec<Vec<Move>>,
    generated: u64,
    expanded: u64,
    /// Children pruned because they cannot improve the incumbent.
    pub(super) pruned: u64,
    /// The reason why the worker stopped before the end of its part.
    stop: Option<Stop>,
}

impl Successors {
    /// Counts a candidate, and stores it unless it is beyond the cutoff.
    #[inline]
    fn push(&mut self, candidate: Candidate) {
        self.distinct += 1;
        if self.cutoff.as_ref().is_none_or(|cutoff| cutoff.allows(&candidate)) {
            self.candidates.push(candidate);
        }
    }

    /// Discards all candidates but the best `width`.
    #[cold]
    fn truncate(&mut self, width: usize) {
        let Successors { candidates, cutoff, .. } = self;
        if let Some(new_cutoff) = Cutoff::new(|| std::iter::once(&candidates[..]), width) {
            candidates.retain(new_cutoff.filter());
            *cutoff = Some(new_cutoff);
        }
    }
}

/// The depth of the children, one more than the depth of the leaves, and the width of the beam.
#[derive(Clone, Copy)]
pub(super) struct LevelParams {
    pub(super) level: usize,
    pub(super) width: usize,
}

impl<O> BeamSearch<'_, O> {
    /// Reserves the most memory that the next level may need: the candidates, three tours (this one, the next
    /// one, and one saved so that a stagnating beam can return to it), and the `stored_bytes` of the levels
    /// saved earlier. Clears the candidates.
    pub(super) fn reserve_level(
        &self,
        tour: &EulerTour,
        stored_bytes: usize,
        width: usize,
        successors: &mut [Successors],
        reserved: &mut Reservation,
    ) -> Result<(), Stop> {
        let max_candidates = (CANDIDATE_FACTOR * width).min(tour.leaves() * self.config.max_branching)
            + self.config.max_branching;
        let needed = (successors.len() * max_candidates * size_of::<Candidate>()
            + 3 * tour.bytes()
            + stored_bytes) as u64;
        if needed > reserved.bytes() {
            reserved.grow(needed - reserved.bytes())?;
        }
        for of_worker in successors {
            of_worker.candidates.clear();
            of_worker.candidates.reserve_exact(max_candidates);
        }
        Ok(())
    }

    /// Evaluates the children of all leaves.
    pub(super) fn expand_level<W: Walker + Sync>(
        &mut self,
        walker: &W,
        tour: &EulerTour,
        parts: &[TourPart],
        seen: &SeenFilter,
        params: LevelParams,
        successors: &mut [Successors],
    ) -> Result<(), Stop>
    where
        O: BeamObserver<W>,
    {
        match (parts, &mut *successors) {
            ([whole], [all]) => self.expand_part(walker.clone(), tour, whole, seen, params, all),
            (parts, successors) => {
                let work: Vec<_> = parts.iter().zip(successors).map(std::sync::Mutex::new).collect();
                run_parallel(parts.len(), |worker| {
                    // There may be fewer threads than parts.
                    for pair in work.iter().skip(worker.index).step_by(worker.count) {
                        let (part, successors) = &mut *lock(pair);
                        self.expand_part(walker.clone(), tour, part, seen, params, successors);
                    }
                });
            }
        }
        for of_worker in &*successors {
            self.counts.generated += of_worker.generated;
            self.counts.expanded += of_worker.expanded;
            self.counts.visited += of_worker.distinct;
        }
        self.counts.peak_open = self.counts.peak_open.max(tour.leaves() as u64);
        successors.iter().find_map(|of_worker| of_worker.stop).map_or(Ok(()), Err)
    }

    /// Evaluates the children of the leaves in one part of the tour.
    fn expand_part<W: Walker>(
        &self,
        mut walker: W,
        tour: &EulerTour,
        part: &TourPart,
        seen: &SeenFilter,
        params: LevelParams,
        successors: &mut Successors,
    ) where
        O: BeamObserver<W>,
    {
        let candidates = std::mem::take(&mut successors.candidates);
        *successors = Successors { candidates, ..Successors::default() };
        let capacity = CANDIDATE_FACTOR * params.width;
        let min_cost = (params.level as Cost).saturating_mul(self.config.min_move_cost);
        let mut meter = self.control.meter();
        let mut scored: Vec<ScoredMove> = Vec::with_capacity(self.config.max_branching);
        tour.visit_leaves(part, &mut walker, |leaf, path, walker| {
            if meter.check().is_break() {
                successors.stop = self.control.stop_reason();
                return ControlFlow::Break(());
            }
            self.observer.on_state(params.level - 1, leaf, walker);
            scored.clear();
            walker.score_moves(&mut scored);
            meter.count_nodes(scored.len() as u64);
            successors.expanded += 1;
            successors.generated += scored.len() as u64;
            for child in &scored {
                seen.prefetch(child.hash);
            }
            let upper_bound = self.control.upper_bound();
            for child in &scored {
                let lower_bound =
                    if self.config.admissible { min_cost.saturating_add(child.score) } else { min_cost };
                if lower_bound >= upper_bound {
                    successors.pruned += 1;
                } else if child.solved {
                    successors.solved.push(path.iter().map(|(m, _)| *m).chain([child.m]).collect());
                } else if seen.insert(child.hash) {
                    // The noise decides between equal scores.
                    let (leaf, noise) = (leaf as u32, noise(child.hash, self.config.seed));
                    successors.push(Candidate { score: child.score, leaf, m: child.m, noise });
                }
            }
            if successors.candidates.len() >= capacity {
                successors.truncate(params.width);
            }
            ControlFlow::Continue(())
        });
    }
}
