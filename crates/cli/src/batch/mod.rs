//! Batches: a thread reads positions ahead ([`input`]), workers claim them one by one ([`task_queue`]) and
//! solve them ([`worker_pool`]), answers are put back into input order ([`reorder_buffer`]) and written
//! ([`output`]), after the answers of an earlier run if the batch is resumed ([`resume`]).
//!
//! A hard position delays only the writing of the answers after it. Further positions are solved until the
//! reorder buffer is full.

pub(crate) mod input;
pub(crate) mod output;
pub(crate) mod progress;
pub(crate) mod reorder_buffer;
pub(crate) mod resume;
pub(crate) mod sessions;
pub(crate) mod task_queue;
pub(crate) mod worker_pool;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::exit::Exit;
use crate::interrupt;
use crate::position_reader::ParsedItem;

/// One position of the input to be answered.
pub(crate) struct BatchTask {
    /// The index of the position in the input, from 0.
    pub(crate) index: u64,
    /// The position or the error in its text.
    pub(crate) item: ParsedItem,
    /// The number of threads that its search may use.
    pub(crate) threads: usize,
}

/// Whether all threads must stop: after Ctrl-C, or after an error in one thread.
#[derive(Default)]
pub(crate) struct StopFlag(AtomicBool);

impl StopFlag {
    /// Makes all threads stop.
    pub(crate) fn set(&self) {
        self.0.store(true, Relaxed);
    }

    /// Whether all threads must stop.
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Relaxed) || interrupt::requested()
    }
}

/// The kind of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AnswerKind {
    /// A solution.
    Solved,
    /// A proof that there is no solution.
    Unsolvable,
    /// A limit stopped the search.
    Stopped,
    /// The text is not a position.
    Invalid,
}

impl AnswerKind {
    /// The kind of an `outcome` in JSON.
    pub(crate) fn from_outcome(outcome: &str) -> Option<AnswerKind> {
        match outcome {
            "solved" => Some(AnswerKind::Solved),
            "unsolvable" => Some(AnswerKind::Unsolvable),
            "stopped" => Some(AnswerKind::Stopped),
            "invalid" => Some(AnswerKind::Invalid),
            _ => None,
        }
    }
}

/// The number of answers of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct OutcomeCounts {
    /// Solutions.
    pub(crate) solved: u64,
    /// Proofs that there is no solution.
    pub(crate) unsolvable: u64,
    /// Searches that a limit stopped.
    pub(crate) stopped: u64,
    /// Texts that are not positions.
    pub(crate) invalid: u64,
}

impl OutcomeCounts {
    /// Counts an answer.
    pub(crate) fn add(&mut self, kind: AnswerKind) {
        *match kind {
            AnswerKind::Solved => &mut self.solved,
            AnswerKind::Unsolvable => &mut self.unsolvable,
            AnswerKind::Stopped => &mut self.stopped,
            AnswerKind::Invalid => &mut self.invalid,
        } += 1;
    }

    /// The number of all answers.
    pub(crate) fn total(&self) -> u64 {
        self.solved + self.unsolvable + self.stopped + self.invalid
    }

    /// The exit code of the batch. An unsolvable position counts as answered.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            OutcomeCounts { invalid: 1.., .. } => Exit::Invalid,
            OutcomeCounts { stopped: 1.., .. } => Exit::Stopped,
            _ => Exit::Success,
        }
    }
}
