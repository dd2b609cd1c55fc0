//! An extension of untumble by another crate: one puzzle, one heuristic and one algorithm, each in one file.
//!
//! A program adds the family of [`pancake`] with
//! [`Runtime::with_family`](untumble_search::runtime::Runtime::with_family); sessions, the service and its
//! descriptions then include the family. No file of untumble changes.

pub mod enforced_hill_climbing;
pub mod gap;
pub mod pancake;
