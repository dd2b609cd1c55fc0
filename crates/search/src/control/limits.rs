//! Limits of a search, and the reasons why it stops early.

use std::fmt;
use std::time::Duration;

use crate::puzzle::Cost;

/// The reason why a search stopped early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The time limit was reached.
    Time,
    /// The node limit was reached.
    Nodes,
    /// The memory limit was reached.
    Memory,
    /// The caller interrupted the search: Ctrl-C or a cancelled job.
    Interrupted,
    /// The depth limit of a depth-first search was reached.
    Depth,
    /// The lower bound exceeds [`Limits::max_length`]: no solution is short enough.
    MaxLength,
}

impl Stop {
    /// All reasons.
    pub const ALL: [Stop; 6] =
        [Stop::Time, Stop::Nodes, Stop::Memory, Stop::Interrupted, Stop::Depth, Stop::MaxLength];

    /// The word used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Stop::Time => "time",
            Stop::Nodes => "nodes",
            Stop::Memory => "memory",
            Stop::Interrupted => "interrupted",
            Stop::Depth => "depth",
            Stop::MaxLength => "max-length",
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stop::Time => "the time limit",
            Stop::Nodes => "the node limit",
            Stop::Memory => "the memory limit",
            Stop::Interrupted => "an interrupt",
            Stop::Depth => "the depth limit",
            Stop::MaxLength => "the maximum length",
        })
    }
}

/// The resource limits of a search. The default has none and uses one thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The wall-clock time limit.
    pub time: Option<Duration>,
    /// The limit of generated nodes.
    pub nodes: Option<u64>,
    /// The memory limit in bytes, for all bytes of the [`MemoryAccount`](super::MemoryAccount).
    pub memory: Option<u64>,
    /// The number of threads of parallel algorithms.
    pub threads: usize,
    /// A solution of at most this cost ends the search, optimal or not. So does the proof that there is none.
    pub max_length: Option<Cost>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: None, nodes: None, memory: None, threads: 1, max_length: None }
    }
}
