//! Helpers of all benchmarks: Korf's instances and solvers by name.
#![allow(dead_code, reason = "each benchmark uses some of the helpers")]

use std::sync::Arc;

use untumble_puzzles::tiles::{Board, Goal, Size, Tiles, heuristics};
use untumble_search::control::{Control, Limits, Silent};
use untumble_search::registry::Registry;
use untumble_search::report::Report;
use untumble_search::runtime::Runtime;
use untumble_search::solve::{Solver, entries};

/// One of Korf's 100 15-puzzles (Korf, Artificial Intelligence 27, 1985).
pub(crate) struct Instance {
    pub(crate) id: usize,
    /// The optimal length.
    pub(crate) optimal: u32,
    pub(crate) board: Board<u64>,
}

/// The 15-puzzle with Korf's goal, the blank first.
pub(crate) fn fifteen() -> Tiles<u64> {
    Tiles::new(Goal::named(Size { rows: 4, columns: 4 }, "blank-first").expect("a known goal"))
}

/// The 8-puzzle with the default goal.
pub(crate) fn eight() -> Tiles<u64> {
    Tiles::new(Goal::named(Size { rows: 3, columns: 3 }, "blank-last").expect("a known goal"))
}

/// All 100 instances in order.
pub(crate) fn korf(tiles: &Tiles<u64>) -> Vec<Instance> {
    let parse = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let tile_numbers: Vec<u16> = fields[4].split(' ').map(|tile| tile.parse().expect("a tile")).collect();
        Instance {
            id: fields[0].parse().expect("an instance number"),
            optimal: fields[2].parse().expect("a length"),
            board: tiles.board(&tile_numbers),
        }
    };
    include_str!("../../tests/golden/korf-15-puzzle.csv").lines().skip(2).map(parse).collect()
}

/// The instance with that number, from 1.
pub(crate) fn instance(tiles: &Tiles<u64>, id: usize) -> Instance {
    korf(tiles).swap_remove(id - 1)
}

/// The generic solver of a solver text, with its tables built and without the specialisations for 4x4
/// boards.
pub(crate) fn solver(tiles: &Tiles<u64>, name: &str) -> Box<dyn Solver<Tiles<u64>>> {
    let registry =
        heuristics::register(Registry::new("tiles").with_algorithms(entries()), tiles.goal().size());
    registry.solver(tiles, name, &Runtime::default(), &Control::default()).expect(name).solver
}

/// A control with only these limits.
pub(crate) fn control(threads: usize, nodes: Option<u64>) -> Control {
    Control::new(Limits { threads, nodes, ..Limits::default() }, Arc::new(Silent))
}

/// Solves one board on one thread.
pub(crate) fn solve(tiles: &Tiles<u64>, solver: &dyn Solver<Tiles<u64>>, board: Board<u64>) -> Report {
    solver.solve(tiles, &[board], &control(1, None))
}
