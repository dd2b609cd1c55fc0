//! The built-in puzzles of untumble: sliding tiles, pocket cube, Rubik's cube and Balto's puzzle.
//!
//! Each puzzle has its own folder with rules, text formats, heuristics and solvers. Only [`catalog`],
//! [`instance_sets`] and [`suites`] know all of them.

pub mod balto;
pub mod catalog;
pub mod cube;
pub mod cube2;
pub mod cube3;
pub mod definition;
mod error;
pub mod instance_sets;
mod sanitize;
mod sequence;
pub mod suites;
#[cfg(test)]
mod table_build_tests;
pub mod tiles;
mod typo_repair;
mod wgsl;

pub use error::PuzzleError;
pub use sequence::{GroupError, GroupFault};
