//! Progress of a series of measurements.

use std::fmt::Arguments;

use untumble_search::control::Observer;

/// Observes a series of searches. It is also the [`Observer`] of each search, so a
/// [`poll`](Observer::poll) that breaks interrupts the series.
pub trait SeriesObserver: Observer {
    /// Preparation has ended. The series has `total` searches, of which an earlier run measured `done`.
    fn start(&self, total: usize, done: usize);
    /// A search begins; `label` names the configuration and the position.
    fn begin(&self, label: Arguments<'_>);
    /// The current search has ended.
    fn end(&self);
}
