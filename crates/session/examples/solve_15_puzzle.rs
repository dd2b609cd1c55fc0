//! Opens the 15-puzzle, solves one position optimally and prints the answer.
//!
//! ```sh
//! cargo run --example solve_15_puzzle
//! ```
#![allow(clippy::print_stdout)]

use std::error::Error;

use untumble_search::control::Limits;
use untumble_search::frontend::{InputFormat, Workload};
use untumble_search::runtime::Runtime;
use untumble_session::{PuzzleSettings, SearchContext, Session};

fn main() -> Result<(), Box<dyn Error>> {
    let session = Session::open(&Runtime::default(), "15-puzzle", &PuzzleSettings::default())
        .map_err(|problem| problem.detail)?;
    let text = "0 3 6 8 2 12 9 4 5 1 11 15 14 7 13 10";
    let position = session.parse(text, &InputFormat::default()).map_err(|why| why.to_string())?;
    println!("{}", session.puzzle().draw(&position, false));

    // `None` instead of a solver would be `auto`.
    let solver = session.parse_solver("IDA*+linear-conflict", false)?;
    let workload = Workload::one(&position, Limits::default(), false);
    let plan = session.plan(solver.as_ref(), &workload);
    let answer = session.solve(&position, &plan, &mut None, &SearchContext::default())?;

    println!("run:    {}", plan.run_id);
    println!("moves:  {}", answer.moves.as_deref().unwrap_or("none"));
    println!("length: {}, optimal: {}", answer.length.unwrap_or(0), answer.optimal);
    println!("nodes:  {} generated in {} passes", answer.generated, answer.iterations.len());
    Ok(())
}
