//! Puzzles defined by data: the model, and readers and writers of the formats in use.
//!
//! | format | reader | writer |
//! |---|---|---|
//! | twsearch text (`.tws`, `.ksolve`), positions (`.scr`) | [`tws`], [`scramble`] | [`to_tws`] |
//! | KPuzzle JSON of cubing.js, patterns | [`kpuzzle`] | [`to_kpuzzle`] |
//! | GAP generators | [`gap`] | [`to_gap`] |
//! | CSV files of Kaggle's Santa 2023 | [`santa`] | |
//! | CayleyPy JSON, growth tables | [`cayleypy`], [`growth`] | [`growth`] |
//!
//! [`parse`] recognises the format. All formats share one model: a puzzle has orbits of pieces, a move is a
//! [`Transformation`], a state is a [`Pattern`]. [`Definition::digest`] identifies a definition regardless
//! of its format.

pub mod cayleypy;
mod derivation;
mod digest;
mod error;
#[cfg(test)]
mod facts;
pub mod gap;
pub mod growth;
mod json;
pub mod kpuzzle;
pub mod limits;
mod model;
mod moves;
mod notation;
mod orbits;
mod order;
mod pattern;
mod permutation;
mod position;
mod read;
#[cfg(test)]
mod round_trips;
pub mod santa;
pub mod scramble;
mod transformation;
pub mod tws;
mod tws_block;
mod write_gap;
mod write_kpuzzle;
mod write_tws;
mod written;

pub use error::{DefinitionError, Fault, Place};
pub use model::{Definition, Illegal, MoveKind, NamedMove, Orbit, SearchedPowers};
pub use moves::{MoveCost, SearchedMove};
pub use notation::MovePower;
pub use order::Order;
pub use pattern::{OrbitPattern, Pattern};
pub use read::{Format, parse};
pub use transformation::{OrbitTransformation, Transformation};
pub use write_gap::to_gap;
pub use write_kpuzzle::{pattern_to_kpuzzle, to_kpuzzle};
pub use write_tws::{pattern_to_tws, to_tws};
pub use written::{Loss, WriteError, Written};
