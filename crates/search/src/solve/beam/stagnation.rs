//! The reaction to a beam whose best score stagnates.
//!
//! Every level of a beam adds a move to its solution, so a stagnating beam first returns to the level of its
//! best score. Then the policy tries, in this order: let the walker (the state that the beam moves) perturb
//! its scores, widen the beam, backtrack to earlier and earlier levels. Backtracking is needed because some
//! mistakes are made early: a large sliding-tile puzzle solved pair by pair may end with two tiles
//! exchanged.

use crate::moves::Move;
use crate::puzzle::Cost;
use crate::walker::Walker;

use super::euler_tour::EulerTour;

/// The level to be expanded next, as an Euler tour of its states.
#[derive(Clone)]
pub(super) struct Frontier<W> {
    pub(super) level: usize,
    /// Stands on the root of the tour.
    pub(super) walker: W,
    /// The moves from the start to the root of the tour.
    pub(super) prefix: Vec<Move>,
    pub(super) tour: EulerTour,
}

impl<W: Walker> Frontier<W> {
    /// Advances to the level of the kept children, each given by its parent leaf and its move.
    pub(super) fn advance(&mut self, kept: impl Iterator<Item = (usize, Move)>) {
        // `grow` removes the moves that begin all kept paths and returns them; the root moves along them.
        for m in self.tour.grow(kept) {
            self.walker.step(m);
            self.prefix.push(m);
        }
        self.level += 1;
    }

    /// Copies another frontier and reuses allocations.
    fn copy_from(&mut self, other: &Frontier<W>) {
        self.level = other.level;
        self.walker.clone_from(&other.walker);
        self.prefix.clone_from(&other.prefix);
        self.tour.clone_from(&other.tour);
    }
}

/// The decision of the policy after a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// Nothing to do.
    Continue,
    /// The score has improved for a while: a widened beam may become narrower.
    Narrow,
    /// No improvement for a while. The beam is back at its best level: widen it.
    Widen,
    /// As [`Verdict::Widen`], and moderate widening did not help: advance by constructive moves
    /// (`Walker::advance`), or widen further.
    AdvanceOrWiden,
    /// The beam is back at its best level, and the walker perturbs its scores.
    Perturbed,
    /// The beam is back at an earlier level.
    Backtracked,
}

/// A beam stagnates after this many levels without a better score. Levels are stored at this interval.
const PATIENCE: usize = 100;
/// A stagnating beam becomes at most this many times as wide before it backtracks.
const MAX_WIDENING: usize = 16;
/// A beam that stagnates although it is this many times as wide may advance by constructive moves.
const STAGNATED_WIDENING: usize = 4;
/// The number of perturbations, each stronger than the one before, before anything else is tried.
const MAX_PERTURBATIONS: u32 = 3;
/// After this many backtracks without a better score, a beam that has a solution ends.
const MAX_BACKTRACKS: u32 = 3;
/// The number of earlier levels stored for backtracking; gaps grow with age.
const MAX_STORED: usize = 8;

/// Tracks the best score of a beam and decides how to react to stagnation.
pub(super) struct StagnationPolicy<W> {
    /// The best score since the policy last started over.
    best_score: Cost,
    /// The frontier after the level with the best score.
    best_level: Frontier<W>,
    /// The number of levels since `best_level`.
    levels_since_best: usize,
    /// The number of improvements since the last stagnation.
    gains: usize,
    /// The level at which the current perturbation ends.
    perturbed_until: Option<usize>,
    /// The number of perturbations since the last progress.
    perturbations: u32,
    /// The best score at which the beam ever stagnated.
    best_stagnated_score: Cost,
    /// The number of backtracks since the score was better than `best_stagnated_score`.
    backtracks: u32,
    /// The levels to backtrack to, oldest first; the first one is the start.
    stored_levels: Vec<Frontier<W>>,
}

impl<W: Walker> StagnationPolicy<W> {
    pub(super) fn new(start: &Frontier<W>) -> StagnationPolicy<W> {
        StagnationPolicy {
            best_score: Cost::MAX,
            best_level: start.clone(),
            levels_since_best: 0,
            gains: 0,
            perturbed_until: None,
            perturbations: 0,
            best_stagnated_score: Cost::MAX,
            backtracks: 0,
            stored_levels: vec![start.clone()],
        }
    }

    /// The size of the stored levels in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.best_level.tour.bytes()
            + self.stored_levels.iter().map(|level| level.tour.bytes()).sum::<usize>()
    }

    /// Updates the policy after a level: `level_best` is its best score, `frontier` the next level,
    /// `width_ratio` the ratio of the current width to the configured one. May move `frontier` back.
    pub(super) fn after_level(
        &mut self,
        level_best: Cost,
        frontier: &mut Frontier<W>,
        width_ratio: usize,
    ) -> Verdict {
        if let Some(level) = self.perturbed_until {
            if frontier.level >= level {
                frontier.walker.end_perturbation();
                self.reset_best(frontier);
            }
            return Verdict::Continue;
        }
        if frontier.level.is_multiple_of(PATIENCE) {
            self.store(frontier);
        }
        if level_best < self.best_score {
            (self.best_score, self.levels_since_best) = (level_best, 0);
            self.best_level.copy_from(frontier);
            return self.improved();
        }
        self.levels_since_best += 1;
        if self.levels_since_best < PATIENCE {
            return Verdict::Continue;
        }
        self.stagnated(frontier, width_ratio)
    }

    fn improved(&mut self) -> Verdict {
        self.gains += 1;
        if self.gains < PATIENCE {
            return Verdict::Continue;
        }
        (self.gains, self.perturbations) = (0, 0);
        if self.best_score < self.best_stagnated_score {
            self.backtracks = 0;
        }
        Verdict::Narrow
    }

    fn stagnated(&mut self, frontier: &mut Frontier<W>, width_ratio: usize) -> Verdict {
        (self.levels_since_best, self.gains) = (0, 0);
        if self.best_score < self.best_stagnated_score {
            // The beam made progress, so perturbations and backtracking may help again.
            (self.perturbations, self.backtracks) = (0, 0);
        }
        self.best_stagnated_score = self.best_stagnated_score.min(self.best_score);
        frontier.copy_from(&self.best_level);
        if self.perturbations < MAX_PERTURBATIONS {
            self.perturbed_until =
                frontier.walker.perturb(self.perturbations).map(|levels| frontier.level + levels);
            self.perturbations += 1;
            if self.perturbed_until.is_some() {
                return Verdict::Perturbed;
            }
        }
        if width_ratio < MAX_WIDENING {
            return if width_ratio < STAGNATED_WIDENING { Verdict::Widen } else { Verdict::AdvanceOrWiden };
        }
        let distance = PATIENCE << self.backtracks.min(16);
        self.backtracks += 1;
        let far_enough = |earlier: &Frontier<W>| earlier.level + distance <= frontier.level;
        let index = self.stored_levels.iter().rposition(far_enough).unwrap_or(0);
        self.stored_levels.truncate(index + 1);
        frontier.copy_from(&self.stored_levels[index]);
        self.reset_best(frontier);
        // Every fourth backtrack also widens the beam.
        if self.backtracks.is_multiple_of(4) { Verdict::Widen } else { Verdict::Backtracked }
    }

    /// Whether the beam has backtracked [`MAX_BACKTRACKS`] times without a better score.
    pub(super) fn backtracked_without_progress(&self) -> bool {
        self.backtracks >= MAX_BACKTRACKS
    }

    /// Starts over at `frontier`, which was reached by constructive moves.
    pub(super) fn restart(&mut self, frontier: &Frontier<W>) {
        (self.best_stagnated_score, self.perturbations, self.backtracks) = (Cost::MAX, 0, 0);
        self.reset_best(frontier);
    }

    /// Forgets the best score, so that the next level becomes the best one.
    fn reset_best(&mut self, frontier: &Frontier<W>) {
        (self.best_score, self.levels_since_best, self.gains, self.perturbed_until) = (Cost::MAX, 0, 0, None);
        self.best_level.copy_from(frontier);
    }

    /// Stores a level for backtracking. If there are too many, drops the level whose neighbours are closest
    /// together, relative to its age.
    fn store(&mut self, frontier: &Frontier<W>) {
        if self.stored_levels.last().is_some_and(|last| last.level >= frontier.level) {
            return;
        }
        self.stored_levels.push(frontier.clone());
        if self.stored_levels.len() > MAX_STORED {
            let age = |index: usize| frontier.level - self.stored_levels[index].level + 1;
            let gap = |&index: &usize| {
                (self.stored_levels[index + 1].level - self.stored_levels[index - 1].level) as f64
                    / age(index) as f64
            };
            // The start and the newest level are never dropped.
            let indices = 1..self.stored_levels.len() - 1;
            if let Some(crowded) = indices.min_by(|a, b| gap(a).total_cmp(&gap(b))) {
                self.stored_levels.remove(crowded);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walker::ScoredMove;

    /// A walker on an endless line with one move.
    #[derive(Clone)]
    struct Line {
        perturbs: bool,
        perturbed: bool,
    }

    impl Walker for Line {
        type Undo = ();
        fn score_moves(&mut self, _out: &mut Vec<ScoredMove>) {}
        fn step(&mut self, _m: Move) {}
        fn undo(&mut self, _m: Move, (): ()) {}
        fn solution(&self, moves: &[Move]) -> Vec<Move> {
            moves.to_vec()
        }
        fn perturb(&mut self, _attempts: u32) -> Option<usize> {
            self.perturbed = self.perturbs;
            self.perturbs.then_some(10)
        }
        fn end_perturbation(&mut self) {
            self.perturbed = false;
        }
    }

    fn start(perturbs: bool) -> Frontier<Line> {
        Frontier {
            level: 1,
            walker: Line { perturbs, perturbed: false },
            prefix: Vec::new(),
            tour: EulerTour::new(),
        }
    }

    /// Advances until the policy reacts; scores fall by 1 per level down to `floor`.
    fn until_verdict(
        frontier: &mut Frontier<Line>,
        policy: &mut StagnationPolicy<Line>,
        floor: Cost,
        width_ratio: usize,
    ) -> Verdict {
        for _ in 0..10 * PATIENCE {
            let least = 2000u32.saturating_sub(frontier.level as Cost).max(floor);
            frontier.advance([(0, Move(0))].into_iter());
            match policy.after_level(least, frontier, width_ratio) {
                Verdict::Continue | Verdict::Narrow => {}
                verdict => return verdict,
            }
        }
        Verdict::Continue
    }

    #[test]
    fn a_stagnating_beam_returns_to_its_best_level_and_then_to_earlier_and_earlier_ones() {
        let mut frontier = start(false);
        let mut policy = StagnationPolicy::new(&frontier);
        // The best score is that of level 900, so the frontier of the best level is level 901.
        for _ in 0..3 {
            assert_eq!(until_verdict(&mut frontier, &mut policy, 1100, 1), Verdict::Widen);
            assert_eq!((frontier.level, frontier.prefix.len()), (901, 900), "no move is lost");
        }
        let mut levels = Vec::new();
        for _ in 0..3 {
            assert_eq!(until_verdict(&mut frontier, &mut policy, 1100, MAX_WIDENING), Verdict::Backtracked);
            assert_eq!(frontier.prefix.len() + 1, frontier.level);
            levels.push(frontier.level);
        }
        assert!(levels[0] <= 801 && levels[1] <= 701 && levels[2] <= 501, "{levels:?}");
        while frontier.level < 1200 {
            let least = 2000 - frontier.level as Cost;
            frontier.advance([(0, Move(0))].into_iter());
            assert!(matches!(
                policy.after_level(least, &mut frontier, MAX_WIDENING),
                Verdict::Continue | Verdict::Narrow
            ));
        }
        assert_eq!(policy.backtracks, 0, "a better score resets the backtracks");
    }

    #[test]
    fn perturbations_come_before_backtracking() {
        let mut frontier = start(true);
        let mut policy = StagnationPolicy::new(&frontier);
        for _ in 0..MAX_PERTURBATIONS {
            assert_eq!(until_verdict(&mut frontier, &mut policy, 1100, MAX_WIDENING), Verdict::Perturbed);
            assert!(frontier.walker.perturbed);
        }
        assert_eq!(until_verdict(&mut frontier, &mut policy, 1100, MAX_WIDENING), Verdict::Backtracked);
        assert!(!frontier.walker.perturbed, "the perturbation has ended");
    }

    #[test]
    fn few_levels_are_stored_and_gaps_grow_with_age() {
        let mut frontier = start(false);
        let mut policy = StagnationPolicy::new(&frontier);
        for _ in 0..50 * PATIENCE {
            frontier.advance([(0, Move(0))].into_iter());
            policy.after_level(u32::MAX - frontier.level as Cost, &mut frontier, 1);
        }
        let levels: Vec<usize> = policy.stored_levels.iter().map(|stored| stored.level).collect();
        assert_eq!(levels[0], 1, "the start is stored");
        assert!(levels.len() <= MAX_STORED && levels.is_sorted());
        assert!(levels.last().is_some_and(|&last| frontier.level - last <= 2 * PATIENCE), "{levels:?}");
        let ages: Vec<usize> = levels.iter().rev().map(|level| frontier.level - level).collect();
        assert!(ages.windows(2).skip(1).all(|pair| pair[1] <= 6 * pair[0].max(PATIENCE)), "{ages:?}");
    }
}
