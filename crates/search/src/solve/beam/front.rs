//! How far a beam has come, and what to do where it gets no further.
//!
//! Every level of a beam is a move of its answer. So a beam that is stuck goes back to where it was best before it tries something
//! else: lured elsewhere by its walker for as long as that gets it further, then wider, then from further and further back. Some of those who go back must have
//! gone wrong early: tiles that were brought home two by two may leave a last pair exchanged here and another there.

use crate::moves::Move;
use crate::puzzle::Cost;
use crate::walker::Walker;

use super::tour::Tour;

/// The level to be priced next: the states, and the way to what they have in common.
#[derive(Clone)]
pub(super) struct Front<W> {
    pub(super) level: usize,
    pub(super) walker: W,
    pub(super) base: Vec<Move>,
    pub(super) tour: Tour,
}

impl<W: Walker> Front<W> {
    /// Goes on to the children that are kept.
    pub(super) fn advance(&mut self, kept: impl Iterator<Item = (usize, Move)>) {
        for m in self.tour.grow(kept) {
            self.walker.step(m);
            self.base.push(m);
        }
        self.level += 1;
    }

    /// Takes over another one, keeping what memory there is.
    fn become_like(&mut self, other: &Front<W>) {
        self.level = other.level;
        self.walker.clone_from(&other.walker);
        self.base.clone_from(&other.base);
        self.tour.clone_from(&other.tour);
    }
}

/// What a level says about a beam.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Fine,
    /// It has got better for a while.
    GoesWell,
    /// It has not got better for a while, and stands again where it was best: try it wider.
    Widen,
    /// The same, and being a little wider did not help: go on by other means if there are any, or try it wider.
    Stagnated,
    /// It stands there and is lured away.
    Lured,
    /// It has gone back a good way.
    Returned,
}

/// Levels without a better score after which a beam is taken to be stuck.
const PATIENCE: usize = 100;
/// Beams that are stuck become so many times as wide before anything else is tried.
const WIDEST: usize = 16;
/// Stuck though it is so many times as wide, a beam may go on by other means.
const JAMMED: usize = 4;
/// So often a beam is lured away, further every time, before anything else is tried.
const LURES: u32 = 3;
/// A beam that went back so often and never got further will not.
const IN_VAIN: u32 = 3;
/// So many earlier levels are kept at most, the older the further apart.
const KEPT: usize = 8;

/// The fortune of a beam.
pub(super) struct StagnationPolicy<W> {
    best: Cost,
    /// Where it was best.
    at: Front<W>,
    /// Levels since then.
    since: usize,
    /// How often it got better since it was stuck.
    gains: usize,
    /// The level up to which it is lured away, and how often it was since it got further.
    lured: Option<usize>,
    lures: u32,
    /// The best score it was ever stuck at, and how often it went back since it was better.
    record: Cost,
    returns: u32,
    /// Where it can go back to.
    earlier: Vec<Front<W>>,
}

impl<W: Walker> StagnationPolicy<W> {
    pub(super) fn new(start: &Front<W>) -> StagnationPolicy<W> {
        StagnationPolicy {
            best: Cost::MAX,
            at: start.clone(),
            since: 0,
            gains: 0,
            lured: None,
            lures: 0,
            record: Cost::MAX,
            returns: 0,
            earlier: vec![start.clone()],
        }
    }

    /// The bytes that the levels kept take.
    pub(super) fn bytes(&self) -> usize {
        self.at.tour.bytes() + self.earlier.iter().map(|front| front.tour.bytes()).sum::<usize>()
    }

    /// Looks at a level that is done; `now` is the one after it, `wider` how many times as wide as planned the beam is.
    pub(super) fn after(&mut self, least: Cost, now: &mut Front<W>, wider: usize) -> Verdict {
        if let Some(level) = self.lured {
            if now.level >= level {
                now.walker.unlure();
                self.begin_again(now);
            }
            return Verdict::Fine;
        }
        if now.level.is_multiple_of(PATIENCE) {
            self.keep(now);
        }
        if least < self.best {
            (self.best, self.since) = (least, 0);
            self.at.become_like(now);
            return self.gain();
        }
        self.since += 1;
        if self.since < PATIENCE {
            return Verdict::Fine;
        }
        self.stuck(now, wider)
    }

    fn gain(&mut self) -> Verdict {
        self.gains += 1;
        if self.gains < PATIENCE {
            return Verdict::Fine;
        }
        (self.gains, self.lures) = (0, 0);
        if self.best < self.record {
            self.returns = 0;
        }
        Verdict::GoesWell
    }

    fn stuck(&mut self, now: &mut Front<W>, wider: usize) -> Verdict {
        (self.since, self.gains) = (0, 0);
        if self.best < self.record {
            // It got further than ever: what helped may help again.
            (self.lures, self.returns) = (0, 0);
        }
        self.record = self.record.min(self.best);
        now.become_like(&self.at);
        if self.lures < LURES {
            self.lured = now.walker.perturb(self.lures).map(|levels| now.level + levels);
            self.lures += 1;
            if self.lured.is_some() {
                return Verdict::Lured;
            }
        }
        if wider < WIDEST {
            return if wider < JAMMED { Verdict::Widen } else { Verdict::Stagnated };
        }
        let back = PATIENCE << self.returns.min(16);
        self.returns += 1;
        let far = |earlier: &Front<W>| earlier.level + back <= now.level;
        let place = self.earlier.iter().rposition(far).unwrap_or(0);
        self.earlier.truncate(place + 1);
        now.become_like(&self.earlier[place]);
        self.begin_again(now);
        // Wider from there where going back has not helped for a while.
        if self.returns.is_multiple_of(4) { Verdict::Widen } else { Verdict::Returned }
    }

    /// Whether it went back often enough and never got further.
    pub(super) fn gone_back_in_vain(&self) -> bool {
        self.returns >= IN_VAIN
    }

    /// Begins anew from where other means have led it.
    pub(super) fn begin_anew(&mut self, now: &Front<W>) {
        (self.record, self.lures, self.returns) = (Cost::MAX, 0, 0);
        self.begin_again(now);
    }

    /// Whatever comes next is the best.
    fn begin_again(&mut self, now: &Front<W>) {
        (self.best, self.since, self.gains, self.lured) = (Cost::MAX, 0, 0, None);
        self.at.become_like(now);
    }

    /// Keeps a level to come back to, and lets go of one whose neighbours are near for their age.
    fn keep(&mut self, now: &Front<W>) {
        if self.earlier.last().is_some_and(|last| last.level >= now.level) {
            return;
        }
        self.earlier.push(now.clone());
        if self.earlier.len() > KEPT {
            let age = |place: usize| now.level - self.earlier[place].level + 1;
            // The start is kept for good.
            let gap = |&place: &usize| {
                (self.earlier[place + 1].level - self.earlier[place - 1].level) as f64 / age(place) as f64
            };
            let places = 1..self.earlier.len() - 1;
            if let Some(crowded) = places.min_by(|a, b| gap(a).total_cmp(&gap(b))) {
                self.earlier.remove(crowded);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walker::Priced;

    /// A board with one move that leads on and on.
    #[derive(Clone)]
    struct Line {
        lures: bool,
        lured: bool,
    }

    impl Walker for Line {
        type Undo = ();
        fn price(&mut self, _out: &mut Vec<Priced>) {}
        fn step(&mut self, _m: Move) {}
        fn back(&mut self, _m: Move, (): ()) {}
        fn answer(&self, walked: &[Move]) -> Vec<Move> {
            walked.to_vec()
        }
        fn perturb(&mut self, _before: u32) -> Option<usize> {
            self.lured = self.lures;
            self.lures.then_some(10)
        }
        fn unlure(&mut self) {
            self.lured = false;
        }
    }

    fn start(lures: bool) -> Front<Line> {
        Front { level: 1, walker: Line { lures, lured: false }, base: Vec::new(), tour: Tour::new() }
    }

    /// Goes on until something is to be done about it; scores fall by 1 until they are `floor`.
    fn until_verdict(
        now: &mut Front<Line>,
        luck: &mut StagnationPolicy<Line>,
        floor: Cost,
        wider: usize,
    ) -> Verdict {
        for _ in 0..10 * PATIENCE {
            let least = 2000u32.saturating_sub(now.level as Cost).max(floor);
            now.advance([(0, Move(0))].into_iter());
            match luck.after(least, now, wider) {
                Verdict::Fine | Verdict::GoesWell => {}
                verdict => return verdict,
            }
        }
        Verdict::Fine
    }

    #[test]
    fn who_is_stuck_goes_back_to_where_it_was_best_and_then_further_and_further() {
        let mut now = start(false);
        let mut luck = StagnationPolicy::new(&now);
        // The best score is that of level 900, so it is best before level 901.
        for _ in 0..3 {
            assert_eq!(until_verdict(&mut now, &mut luck, 1100, 1), Verdict::Widen);
            assert_eq!((now.level, now.base.len()), (901, 900), "no move is lost");
        }
        let mut levels = Vec::new();
        for _ in 0..3 {
            assert_eq!(until_verdict(&mut now, &mut luck, 1100, WIDEST), Verdict::Returned);
            assert_eq!(now.base.len() + 1, now.level);
            levels.push(now.level);
        }
        assert!(levels[0] <= 801 && levels[1] <= 701 && levels[2] <= 501, "{levels:?}");
        while now.level < 1200 {
            let least = 2000 - now.level as Cost;
            now.advance([(0, Move(0))].into_iter());
            assert!(matches!(luck.after(least, &mut now, WIDEST), Verdict::Fine | Verdict::GoesWell));
        }
        assert_eq!(luck.returns, 0, "it is better than ever");
    }

    #[test]
    fn a_walker_lures_a_few_times_before_it_goes_back() {
        let mut now = start(true);
        let mut luck = StagnationPolicy::new(&now);
        for _ in 0..LURES {
            assert_eq!(until_verdict(&mut now, &mut luck, 1100, WIDEST), Verdict::Lured);
            assert!(now.walker.lured);
        }
        assert_eq!(until_verdict(&mut now, &mut luck, 1100, WIDEST), Verdict::Returned);
        assert!(!now.walker.lured, "it ranks as before again");
    }

    #[test]
    fn earlier_levels_are_few_and_far_between() {
        let mut now = start(false);
        let mut luck = StagnationPolicy::new(&now);
        for _ in 0..50 * PATIENCE {
            now.advance([(0, Move(0))].into_iter());
            luck.after(u32::MAX - now.level as Cost, &mut now, 1);
        }
        let levels: Vec<usize> = luck.earlier.iter().map(|front| front.level).collect();
        assert_eq!(levels[0], 1, "the start is among them");
        assert!(levels.len() <= KEPT && levels.is_sorted());
        assert!(levels.last().is_some_and(|&last| now.level - last <= 2 * PATIENCE), "{levels:?}");
        let ages: Vec<usize> = levels.iter().rev().map(|level| now.level - level).collect();
        assert!(ages.windows(2).skip(1).all(|pair| pair[1] <= 6 * pair[0].max(PATIENCE)), "{ages:?}");
    }
}
