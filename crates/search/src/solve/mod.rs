//! The algorithms. Each file exports its registry entries; [`entries`] lists them.

pub mod beam;
pub mod best_first;
pub mod bidirectional;
pub mod breadth;
pub mod gpu;
pub mod ida;
pub mod insertion;
#[cfg(test)]
mod tests;
pub mod tunnel;
#[cfg(test)]
mod wide_tests;

use crate::bounded_dfs::{BoundedDfs, SolutionMode};
use crate::control::Control;
use crate::puzzle::Puzzle;
use crate::registry::AlgorithmEntry;
use crate::report::Report;
use crate::spec::Spec;

/// A prepared algorithm: tables loaded, ready for any number of positions.
pub trait Solver<P: Puzzle>: Send + Sync {
    /// Searches from `starts` within what `control` allows. Every path found
    /// has been offered to `control` when this returns.
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report;

    /// The bounded depth-first search inside, for drivers that run its passes themselves.
    fn bounded_dfs<'a>(
        &'a self,
        _puzzle: &'a P,
        _starts: &'a [P::State],
        _mode: SolutionMode,
    ) -> Option<Box<dyn BoundedDfs + 'a>> {
        None
    }
}

/// The entries of the algorithms that work for every puzzle, in the order of listings.
pub fn entries<P: Puzzle>() -> Vec<AlgorithmEntry<P>> {
    let [dfs, iddfs, ida, parida] = ida::entries();
    let [bfs, parbfs] = breadth::entries();
    let [astar, hda, greedy, uniform] = best_first::entries();
    let bibfs = bidirectional::entry();
    vec![
        bfs,
        parbfs,
        bibfs,
        dfs,
        iddfs,
        astar,
        hda,
        greedy,
        uniform,
        ida,
        parida,
        beam::entry(),
        tunnel::entry(),
    ]
}

/// The width and the seed of a beam.
pub fn beam_options(spec: &Spec) -> (usize, u64) {
    (spec.number("width", 1000), spec.number("seed", 0))
}
