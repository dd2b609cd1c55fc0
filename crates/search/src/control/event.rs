//! Events of a running search and the observer that receives them.

use std::ops::ControlFlow;

use super::limits::Stop;
use crate::puzzle::Cost;

/// Something that happened in a search.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// Sent about twenty times a second.
    Progress(Progress),
    /// A shorter path was found.
    Better(Cost),
    /// The cost of a shortest path is at least this.
    Bound(Cost),
    /// A table is being built or read.
    Table {
        /// The table's name.
        name: String,
        /// The finished part, from 0 to 1.
        share: f64,
    },
    /// Something a person should know and that stops nothing.
    Warning(String),
}

/// Counters of a running search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Nodes generated so far.
    pub nodes: u64,
    /// Seconds since the search began.
    pub seconds: f64,
    /// The proven lower bound.
    pub bound: Cost,
    /// The cost of the incumbent.
    pub best: Option<Cost>,
    /// Bytes accounted for.
    pub bytes: u64,
    /// The level of a beam search.
    pub level: Option<Level>,
}

/// The level that a beam search has reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// From 1.
    pub number: u32,
    /// The best score in it.
    pub score: Cost,
}

/// Receives the events of a search and may stop it. Libraries never print.
pub trait Observer: Send + Sync {
    /// Called by the thread that caused the event; a slow observer slows the search.
    fn on_event(&self, _event: &Event) {}
    /// Whether to go on; called every few hundred microseconds.
    fn poll(&self) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }
}

/// An observer that ignores all events and stops nothing.
pub struct Silent;

impl Observer for Silent {}
