//! The puzzles of untumble. Each has a folder of its own; only [`catalog`]
//! and [`suites`] know them all.

pub mod balto;
pub mod catalog;
pub mod cube;
pub mod cube2;
pub mod cube3;
mod echo;
mod error;
mod mending;
pub mod suites;
pub mod tiles;
mod wgsl;

pub use error::PuzzleError;
