//! The puzzles of untumble. Each has a folder of its own; only [`catalog`]
//! and [`suites`] know them all.

pub mod catalog;
pub mod suites;
pub mod tiles;
