//! What another crate adds to untumble: one puzzle, one heuristic, one algorithm, each in one file with one entry.
//!
//! [`Pancakes`](pancake::Pancakes) goes to [`Runtime::with_family`](untumble_search::runtime::Runtime::with_family);
//! sessions, the service and its descriptions then know the family. Nothing else of untumble is edited.

pub mod enforced_hill_climbing;
pub mod gap;
pub mod pancake;
