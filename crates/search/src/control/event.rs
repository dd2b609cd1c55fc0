//! Events of a running search and the observer that receives them.

use std::ops::ControlFlow;

use super::limits::Stop;
use crate::puzzle::Cost;

/// An event of a running search.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// Counters, about twenty times a second; not while a table is prepared.
    Progress(Progress),
    /// A new incumbent of this cost.
    Better(Cost),
    /// A new lower bound: the optimum costs at least this.
    Bound(Cost),
    /// A table is being prepared; also about twenty times a second.
    Table {
        /// The table, in words: `pattern database 1.2.5.6`.
        name: String,
        /// What happens to it.
        phase: TablePhase,
        /// The finished fraction, from 0 to 1.
        share: f64,
        /// An estimate of the remaining time in seconds, from the rate so far.
        seconds_left: Option<f64>,
    },
    /// A message for the user; the search continues.
    Warning(String),
}

/// What happens to a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TablePhase {
    /// It is computed.
    Build,
    /// It is read from disk.
    Load,
    /// Its checksum is verified on disk.
    Verify,
    /// Its values are counted.
    Count,
    /// It is written to disk.
    Store,
    /// Another search or process builds it.
    Wait,
}

impl TablePhase {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            TablePhase::Build => "build",
            TablePhase::Load => "load",
            TablePhase::Verify => "verify",
            TablePhase::Count => "count",
            TablePhase::Store => "store",
            TablePhase::Wait => "wait",
        }
    }

    /// The verb before the name of the table in messages.
    pub fn verb(self) -> &'static str {
        match self {
            TablePhase::Build => "building",
            TablePhase::Load => "loading",
            TablePhase::Verify => "verifying",
            TablePhase::Count => "counting",
            TablePhase::Store => "storing",
            TablePhase::Wait => "waiting for another build of",
        }
    }
}

/// Counters of a running search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Nodes generated so far.
    pub nodes: u64,
    /// Seconds since the search started.
    pub seconds: f64,
    /// The proven lower bound.
    pub bound: Cost,
    /// The cost of the incumbent.
    pub best: Option<Cost>,
    /// Bytes in the memory account.
    pub bytes: u64,
    /// The level of a beam search.
    pub level: Option<Level>,
}

/// The level that a beam search has reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// The number of the level, from 1.
    pub number: u32,
    /// The best score of the level; lower is better.
    pub score: Cost,
}

/// Receives the events of a search and may stop it. The engine itself never prints.
pub trait Observer: Send + Sync {
    /// Called by the worker that caused the event; a slow observer slows the search.
    fn on_event(&self, _event: &Event) {}
    /// Whether to continue; called every few hundred microseconds by every worker.
    fn poll(&self) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }
}

/// An observer that ignores all events and stops nothing.
pub struct Silent;

impl Observer for Silent {}

/// Passes no events to an observer, which can still stop the search.
pub(super) struct WithoutEvents(pub(super) std::sync::Arc<dyn Observer>);

impl Observer for WithoutEvents {
    fn poll(&self) -> ControlFlow<Stop> {
        self.0.poll()
    }
}
