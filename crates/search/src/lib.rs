//! The search engine of untumble: the concepts that every puzzle and every
//! algorithm share, and the algorithms. It knows no puzzle, prints nothing and
//! runs wherever Rust does, browsers included.

pub mod bounded_dfs;
pub mod checkpoint;
pub mod control;
pub mod device;
#[cfg(not(target_arch = "wasm32"))]
pub mod disk;
#[cfg(not(target_arch = "wasm32"))]
pub mod draft;
pub mod encoding;
pub mod error;
pub mod executor;
pub mod family;
pub mod frontend;
pub mod heuristic;
pub mod identity;
pub mod laws;
mod locks;
pub mod memory;
pub mod moves;
pub mod paths;
pub mod perm;
mod position;
pub mod prefetch;
pub mod puzzle;
pub mod queue;
pub mod ranked;
pub mod registry;
pub mod report;
pub mod runtime;
pub mod solve;
pub mod spec;
pub mod states;
pub mod tables;
#[cfg(test)]
mod test_puzzle;
pub mod threads;
pub mod train;
pub mod walker;
#[cfg(test)]
mod wide_puzzle;
