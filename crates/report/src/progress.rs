//! How a series of measurements reports where it stands.

use std::fmt::Arguments;

use untumble_search::control::Observer;

/// Follows a series of searches. As the [`Observer`] of each search it also ends the series: a
/// [`poll`](Observer::poll) that breaks is an interruption.
pub trait SeriesObserver: Observer {
    /// The series has `total` searches, of which `done` were measured before. Preparation ends here.
    fn start(&self, total: usize, done: usize);
    /// A search begins.
    fn begin(&self, label: Arguments<'_>);
    /// The search has ended.
    fn end(&self);
}
