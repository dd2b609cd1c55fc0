//! Solves a scramble of Rubik's cube. The README and the guide show the lines below; `./test` compares them.
//!
//! ```sh
//! cargo run -p untumble-session --example quick_start
//! ```
#![allow(clippy::print_stdout)]

use untumble_search::control::Limits;
use untumble_search::frontend::{InputFormat, Workload};
use untumble_search::runtime::Runtime;
use untumble_session::{PuzzleSettings, SearchContext, Session};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let session =
        Session::open(&Runtime::default(), "cube3", &PuzzleSettings::default()).map_err(|e| e.detail)?;
    let position = session.parse("R U2 F' L D2 B R'", &InputFormat::default()).map_err(|e| e.to_string())?;
    let plan = session.plan(None, &Workload::one(&position, Limits::default(), false));
    let answer = session.solve(&position, &plan, &mut None, &SearchContext::default())?;
    println!("{} (optimal: {})", answer.moves.unwrap_or_default(), answer.optimal);
    Ok(())
}
