//! Instructions per search, independent of the load of the machine: `cargo bench --bench instructions`.
//!
//! Needs valgrind and a `gungraun-runner` of the library's version.

#[cfg(unix)]
mod common;

#[cfg(unix)]
mod counted {
    use std::hint::black_box;

    use gungraun::prelude::*;
    use untumble_puzzles::tiles::{Board, Tiles};
    use untumble_search::control::Control;
    use untumble_search::ranked::distances;
    use untumble_search::report::Report;
    use untumble_search::solve::Solver;

    use crate::common;

    /// A puzzle, a solver with its tables, and a position.
    pub(crate) struct Search(Tiles<u64>, Box<dyn Solver<Tiles<u64>>>, Board<u64>);

    /// Korf's instance 79, the one with the fewest nodes: half a million.
    fn prepare(name: &str) -> Search {
        let tiles = common::fifteen();
        let (solver, board) = (common::solver(&tiles, name), common::instance(&tiles, 79).board);
        Search(tiles, solver, board)
    }

    #[library_benchmark]
    #[bench::ida_manhattan(args = ("ida+manhattan"), setup = prepare)]
    #[bench::ida_linear_conflict(args = ("ida+linear-conflict"), setup = prepare)]
    #[bench::ida_walking(args = ("ida+walking"), setup = prepare)]
    #[bench::astar_manhattan(args = ("astar+manhattan"), setup = prepare)]
    fn fifteen_puzzle(search: Search) -> Report {
        let Search(tiles, solver, board) = &search;
        common::solve(tiles, &**solver, black_box(*board))
    }

    /// Builds the move tables before the count begins.
    fn warm() -> Tiles<u64> {
        let tiles = common::eight();
        assert!(distances(&tiles, &Control::default()).is_ok());
        tiles
    }

    #[library_benchmark]
    #[bench::distances(args = (), setup = warm)]
    fn eight_puzzle(tiles: Tiles<u64>) -> Option<Vec<u8>> {
        distances(black_box(&tiles), &Control::default()).ok()
    }

    library_benchmark_group!(name = searches, benchmarks = [fifteen_puzzle, eight_puzzle]);
}

#[cfg(unix)]
use counted::searches;

#[cfg(unix)]
gungraun::main!(library_benchmark_groups = searches);

#[cfg(not(unix))]
fn main() {}
