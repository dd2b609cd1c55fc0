//! Defines the pancake puzzle in about 40 lines and solves it through a session.
//!
//! A move turns over the upper part of a stack of pancakes; the goal is the stack sorted by size (Goodman
//! 1975).
//!
//! ```sh
//! cargo run -p untumble-session --example define_a_puzzle
//! ```
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::sync::Arc;

use untumble_search::control::Limits;
use untumble_search::error::Diagnostic;
use untumble_search::frontend::{InputFormat, PuzzleFrontend, PuzzleInfo, PuzzleText, Workload, into_dyn};
use untumble_search::moves::{Move, MoveAutomaton, MoveSet};
use untumble_search::puzzle::Puzzle;
use untumble_search::runtime::Runtime;
use untumble_session::{SearchContext, Session};

const SORTED: [u8; 8] = [1, 2, 3, 4, 5, 6, 7, 8];

/// Move `m` turns over the upper `m + 2` pancakes; it is its own inverse.
struct Pancakes(MoveAutomaton);

impl Puzzle for Pancakes {
    type State = [u8; 8];
    type Key = [u8; 8];
    type Moves = MoveSet;

    fn solved(&self) -> [u8; 8] {
        SORTED
    }
    fn apply(&self, stack: &[u8; 8], m: Move) -> [u8; 8] {
        let mut stack = *stack;
        stack[..m.index() + 2].reverse();
        stack
    }
    fn inverse(&self, m: Move) -> Option<Move> {
        Some(m)
    }
    fn automaton(&self) -> &MoveAutomaton {
        &self.0
    }
    fn pack(&self, stack: &[u8; 8]) -> [u8; 8] {
        *stack
    }
    fn unpack(&self, key: &[u8; 8]) -> [u8; 8] {
        *key
    }
}

impl PuzzleInfo for Pancakes {
    fn title(&self) -> String {
        "pancakes-8".into()
    }
}

impl PuzzleText for Pancakes {
    fn text(&self, stack: &[u8; 8]) -> String {
        stack.map(|size| size.to_string()).join(" ")
    }
    fn parse_position(&self, line: &str) -> Result<[u8; 8], Box<Diagnostic>> {
        let sizes: Vec<u8> = line.split_whitespace().map(|size| size.parse().unwrap_or(0)).collect();
        let stack = <[u8; 8]>::try_from(sizes).ok();
        let stack = stack.filter(|stack| SORTED.iter().all(|size| stack.contains(size)));
        stack.ok_or_else(|| Diagnostic::new("stack", "expected the sizes 1 to 8, each once").into())
    }
}

/// Names, formats, solvers, `auto` and scrambles have defaults.
impl PuzzleFrontend for Pancakes {}

fn main() -> Result<(), Box<dyn Error>> {
    let inverses: Vec<Move> = Move::first_n(7).collect();
    let pancakes = Pancakes(MoveAutomaton::no_undo(&inverses));
    let session = Session::new(&Runtime::default(), Arc::from(into_dyn(pancakes)));

    // A position by the sizes from top to bottom, and one by moves from solved.
    for text in ["3 1 4 8 5 2 7 6", "7 3 5 2 6 4"] {
        let position = session.parse(text, &InputFormat::default())?;
        let workload = Workload::one(&position, Limits::default(), false);
        for solver in ["auto", "bfs", "IDA*"] {
            let solver = session.parse_solver(solver, false)?;
            let plan = session.plan(solver.as_ref(), &workload);
            let answer = session.solve(&position, &plan, &mut None, &SearchContext::default())?;
            let moves = answer.moves.as_deref().unwrap_or("none");
            println!(
                "{:<9} {moves} (optimal: {}, {} nodes)",
                plan.solvers(),
                answer.optimal,
                answer.generated
            );
        }
    }
    Ok(())
}
