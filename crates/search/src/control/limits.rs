//! Limits of a search, and the reasons for which it stops before it is done.

use std::fmt;
use std::time::Duration;

use crate::puzzle::Cost;

/// Why a search ended before it was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The time limit.
    Time,
    /// The node limit.
    Nodes,
    /// The memory limit.
    Memory,
    /// A request from outside: Ctrl-C, a cancelled job.
    Interrupted,
    /// The depth limit of a depth-first search.
    Depth,
}

impl Stop {
    /// Every reason.
    pub const ALL: [Stop; 5] = [Stop::Time, Stop::Nodes, Stop::Memory, Stop::Interrupted, Stop::Depth];

    /// The word used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Stop::Time => "time",
            Stop::Nodes => "nodes",
            Stop::Memory => "memory",
            Stop::Interrupted => "interrupted",
            Stop::Depth => "depth",
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
        })
    }
}

/// Resources that a search may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Generated nodes.
    pub nodes: Option<u64>,
    /// Bytes.
    pub memory: Option<u64>,
    /// Threads for the algorithms that use several.
    pub threads: usize,
    /// A path of at most this cost ends the search, optimal or not.
    pub max_length: Option<Cost>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: None, nodes: None, memory: None, threads: 1, max_length: None }
    }
}
