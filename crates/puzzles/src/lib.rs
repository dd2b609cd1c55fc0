//! The puzzles of untumble. Each has a folder of its own; only [`catalog`]
//! knows them all.

pub mod catalog;
pub mod tiles;
