//! The search engine of untumble: the concepts that every puzzle and every
//! algorithm share, and the algorithms. It knows no puzzle, prints nothing and
//! runs wherever Rust does, browsers included.

pub mod catalogued;
pub mod control;
pub mod heuristic;
pub mod laws;
pub mod moves;
pub mod probe;
pub mod puzzle;
pub mod ranked;
pub mod report;
pub mod solve;
pub mod spec;
pub mod states;
pub mod tables;
pub mod threads;
pub mod trouble;
pub mod walker;
