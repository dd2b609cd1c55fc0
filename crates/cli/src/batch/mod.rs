//! Many positions at once: read as they come ([`input`]), handed to whoever is
//! free ([`supply`]), solved ([`crew`]), brought back into order ([`order`]) and written
//! ([`output`]), perhaps behind what an earlier run wrote ([`resume`]).
//!
//! A position is claimed, solved and handed in on its own, so a hard one holds up nobody but the answers that
//! must be written after it, and those only up to a bound.

pub(crate) mod crew;
pub(crate) mod input;
pub(crate) mod order;
pub(crate) mod output;
pub(crate) mod pace;
pub(crate) mod resume;
pub(crate) mod supply;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::exit::Exit;
use crate::interrupt;
use crate::reading::Item;

/// What is to be done with one position of the input.
pub(crate) struct Task {
    /// Its place in the input, from 0.
    pub(crate) place: u64,
    /// What was read.
    pub(crate) item: Item,
    /// How many threads it may use.
    pub(crate) threads: usize,
}

/// Whether everybody is to stop: somebody pressed Ctrl-C, or a thread met with an accident.
#[derive(Default)]
pub(crate) struct Alarm(AtomicBool);

impl Alarm {
    /// Makes everybody stop.
    pub(crate) fn raise(&self) {
        self.0.store(true, Relaxed);
    }

    /// Whether to stop.
    pub(crate) fn raised(&self) -> bool {
        self.0.load(Relaxed) || interrupt::asked()
    }
}

/// How a position was answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// With moves.
    Solved,
    /// With the proof that there are none.
    Unsolvable,
    /// A limit came first.
    Stopped,
    /// It was no position.
    Invalid,
}

impl Kind {
    /// The kind that a record names.
    pub(crate) fn named(outcome: &str) -> Option<Kind> {
        match outcome {
            "solved" => Some(Kind::Solved),
            "unsolvable" => Some(Kind::Unsolvable),
            "stopped" => Some(Kind::Stopped),
            "invalid" => Some(Kind::Invalid),
            _ => None,
        }
    }
}

/// How many answers of each kind there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tally {
    /// With moves.
    pub(crate) solved: u64,
    /// With the proof that there are none.
    pub(crate) unsolvable: u64,
    /// A limit came first.
    pub(crate) stopped: u64,
    /// No position.
    pub(crate) invalid: u64,
}

impl Tally {
    /// Counts one more.
    pub(crate) fn add(&mut self, kind: Kind) {
        *match kind {
            Kind::Solved => &mut self.solved,
            Kind::Unsolvable => &mut self.unsolvable,
            Kind::Stopped => &mut self.stopped,
            Kind::Invalid => &mut self.invalid,
        } += 1;
    }

    /// How many there are.
    pub(crate) fn answers(&self) -> u64 {
        self.solved + self.unsolvable + self.stopped + self.invalid
    }

    /// What they mean for the exit code. That a position cannot be solved is an answer.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Tally { invalid: 1.., .. } => Exit::Invalid,
            Tally { stopped: 1.., .. } => Exit::Stopped,
            _ => Exit::Solved,
        }
    }
}
