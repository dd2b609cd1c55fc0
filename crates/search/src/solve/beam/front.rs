//! How far a beam has come, and what to do where it gets no further.
//!
//! Every level of a beam is a move of its answer. So a beam that is stuck goes back to where it was best before it tries something else.

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
    /// It has not got better for a while, and stands again where it was best.
    Stuck,
}

/// Levels without a better score after which a beam is taken to be stuck.
const PATIENCE: usize = 100;
/// A beam that is stuck is made so many times as wide before it is lured away, and twice that after each time it did not help.
const WIDER: usize = 16;

/// The fortune of a beam.
pub(super) struct Luck<W> {
    best: Cost,
    /// Where it was best.
    at: Front<W>,
    /// Levels since then.
    since: usize,
    /// How often it got better since it was stuck.
    gains: usize,
    /// The level up to which it is lured away.
    lured: Option<usize>,
    /// How much wider a beam may become before it is lured away.
    wider: usize,
}

impl<W: Walker> Luck<W> {
    pub(super) fn new(start: Front<W>) -> Luck<W> {
        Luck { best: Cost::MAX, at: start, since: 0, gains: 0, lured: None, wider: WIDER }
    }

    /// Looks at a level that is done; `now` is the one after it.
    pub(super) fn after(&mut self, least: Cost, now: &mut Front<W>) -> Verdict {
        if let Some(level) = self.lured {
            if now.level >= level {
                now.walker.unlure();
                self.begin_again(now);
            }
            return Verdict::Fine;
        }
        if least < self.best {
            (self.best, self.since) = (least, 0);
            self.at.become_like(now);
            self.gains += 1;
            if self.gains == PATIENCE {
                (self.gains, self.wider) = (0, WIDER);
                return Verdict::GoesWell;
            }
            return Verdict::Fine;
        }
        self.since += 1;
        if self.since < PATIENCE {
            return Verdict::Fine;
        }
        (self.since, self.gains) = (0, 0);
        now.become_like(&self.at);
        Verdict::Stuck
    }

    /// Whether a beam so many times as wide is worth a try before it is lured away.
    pub(super) fn prefers(&self, wider: usize) -> bool {
        wider <= self.wider
    }

    /// Lures the beam away, if its walker knows where to.
    pub(super) fn lure(&mut self, now: &mut Front<W>) -> bool {
        self.wider *= 2;
        self.lured = now.walker.lure().map(|levels| now.level + levels);
        self.lured.is_some()
    }

    /// Whatever comes next is the best.
    fn begin_again(&mut self, now: &Front<W>) {
        (self.best, self.since, self.gains, self.lured) = (Cost::MAX, 0, 0, None);
        self.at.become_like(now);
    }
}
