//! The search algorithms. Each module exports its registry entries; [`entries`] lists them.
//!
//! | module | algorithms |
//! |---|---|
//! | [`ida`] | IDA\*, iterative-deepening and depth-limited depth-first search |
//! | [`best_first`] | A\*, weighted A\*, hash-distributed A\*, greedy and uniform-cost search |
//! | [`breadth_first`] | breadth-first search, sequential and parallel |
//! | [`bidirectional`] | bidirectional breadth-first search |
//! | [`beam`] | beam search |
//! | [`tunnel`] | iterative tunneling, which shortens a known solution |
//! | [`insertion`] | completion of a partial solution by inserting short sequences |
//! | [`gpu`] | IDA\* on a graphics processor |

pub mod beam;
pub mod best_first;
pub mod bidirectional;
pub mod breadth_first;
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

/// A prepared algorithm: its tables are loaded and it can search any number of positions.
pub trait Solver<P: Puzzle>: Send + Sync {
    /// Searches from `starts` within the limits of `control`. Reports the incumbent, the lower bound and all
    /// events through `control`; the returned report repeats the final incumbent and lower bound.
    fn solve(&self, puzzle: &P, starts: &[P::State], control: &Control) -> Report;

    /// The bounded depth-first search of this algorithm, for drivers that run the passes themselves; `None`
    /// for algorithms that do not deepen iteratively.
    fn bounded_dfs<'a>(
        &'a self,
        _puzzle: &'a P,
        _starts: &'a [P::State],
        _mode: SolutionMode,
    ) -> Option<Box<dyn BoundedDfs + 'a>> {
        None
    }
}

/// The registry entries of the algorithms that work for every puzzle, in the order of listings.
pub fn entries<P: Puzzle>() -> Vec<AlgorithmEntry<P>> {
    let [dfs, iddfs, ida, parida] = ida::entries();
    let [bfs, parbfs] = breadth_first::entries();
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

/// The options `width` (default 1000) and `seed` (default 0) of a beam search.
pub fn beam_options(spec: &Spec) -> (usize, u64) {
    (spec.number("width", 1000), spec.number("seed", 0))
}
