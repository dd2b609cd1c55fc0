//! Adds a heuristic to the built-in 8-puzzle and compares it with the built-in ones.
//!
//! Gaschnig's relaxed-adjacency heuristic (1979) is the number of moves if any tile may jump into the blank.
//! It is the exact cost of a relaxed problem, hence consistent.
//!
//! ```sh
//! cargo run --example write_a_heuristic
//! ```
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::sync::Arc;

use untumble_puzzles::tiles::{Board, Cells, Goal, Size, Tiles};
use untumble_search::control::Limits;
use untumble_search::frontend::{InputFormat, PuzzleFrontend, Workload, erase_with};
use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::puzzle::Cost;
use untumble_search::registry::{HeuristicEntry, HeuristicInfo};
use untumble_search::runtime::Runtime;
use untumble_session::{SearchContext, Session};

struct Gaschnig;

impl<C: Cells> Heuristic<Tiles<C>> for Gaschnig {
    type Value = Cost;

    fn admissibility(&self) -> Admissibility {
        Admissibility::Consistent
    }

    /// Sorts the tiles by jumps into the blank. `step` could update the value instead; its default computes
    /// the value anew.
    fn start(&self, puzzle: &Tiles<C>, board: &Board<C>) -> Cost {
        let (goal, cells) = (puzzle.goal(), puzzle.goal().size().cells());
        // The cell of each tile, indexed by the tile's home.
        let mut cell_of = vec![0; cells];
        for cell in 0..cells {
            cell_of[goal.home(board.cells.get(cell))] = cell;
        }
        let mut jumps = 0;
        loop {
            let blank = cell_of[goal.blank_home()];
            let jumping_tile = if blank == goal.blank_home() {
                // The blank is home: any misplaced tile opens the next cycle.
                match (0..cells).find(|&home| cell_of[home] != home) {
                    Some(home) => home,
                    None => return jumps,
                }
            } else {
                blank
            };
            cell_of.swap(goal.blank_home(), jumping_tile);
            jumps += 1;
        }
    }

    fn cost(&self, value: &Cost) -> Cost {
        *value
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let goal = Goal::named(Size { rows: 3, columns: 3 }, "blank-last")?;
    let puzzle = Tiles::<u64>::new(goal);
    let info = HeuristicInfo::new("gaschnig", "moves if any tile may jump into the blank");
    let registry = puzzle.registry().with_heuristics([HeuristicEntry::new(info, |_, _| Ok(Gaschnig))]);
    let session = Session::new(&Runtime::default(), Arc::from(erase_with(puzzle, registry)));

    let position =
        session.parse("8 6 7 2 5 4 3 0 1", &InputFormat::default()).map_err(|why| why.to_string())?;
    let workload = Workload::one(&position, Limits::default(), false);
    println!("{:<34} {:>6} {:>9}", "solver", "length", "nodes");
    for heuristic in ["misplaced", "gaschnig", "manhattan", "max(gaschnig,manhattan)"] {
        let solver = session.parse_solver(&format!("astar+{heuristic}"), false)?;
        let plan = session.plan(solver.as_ref(), &workload);
        let answer = session.solve(&position, &plan, &mut None, &SearchContext::default())?;
        println!("{:<34} {:>6} {:>9}", plan.solvers(), answer.length.unwrap_or(0), answer.generated);
    }
    Ok(())
}
