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

/// Move `m` turns over the upper `m + 2` pancakes; it is its own inverse.
struct Pancakes {
    count: u8,
    automaton: MoveAutomaton,
}

impl Puzzle for Pancakes {
    type State = Vec<u8>;
    type Key = Vec<u8>;
    type Moves = MoveSet;

    fn solved(&self) -> Vec<u8> {
        (1..=self.count).collect()
    }
    fn apply(&self, stack: &Vec<u8>, m: Move) -> Vec<u8> {
        let mut stack = stack.clone();
        stack[..m.index() + 2].reverse();
        stack
    }
    fn inverse(&self, m: Move) -> Option<Move> {
        Some(m)
    }
    fn automaton(&self) -> &MoveAutomaton {
        &self.automaton
    }
    fn pack(&self, stack: &Vec<u8>) -> Vec<u8> {
        stack.clone()
    }
    fn unpack(&self, key: &Vec<u8>) -> Vec<u8> {
        key.clone()
    }
    fn key_heap_bytes(&self) -> usize {
        self.count.into()
    }
}

impl PuzzleInfo for Pancakes {
    fn title(&self) -> String {
        format!("pancakes-{}", self.count)
    }
}

impl PuzzleText for Pancakes {
    fn text(&self, stack: &Vec<u8>) -> String {
        stack.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
    }
    fn parse_position(&self, line: &str) -> Result<Vec<u8>, Box<Diagnostic>> {
        let stack: Vec<u8> = line.split_whitespace().map(|size| size.parse().unwrap_or(0)).collect();
        let mut sorted = stack.clone();
        sorted.sort_unstable();
        if sorted == self.solved() {
            Ok(stack)
        } else {
            Err(Box::new(Diagnostic::new("stack", "not a stack")))
        }
    }
}

/// Names, formats, solvers, `auto` and scrambles have defaults.
impl PuzzleFrontend for Pancakes {}

fn main() -> Result<(), Box<dyn Error>> {
    let inverses: Vec<Move> = Move::first_n(7).collect();
    let pancakes = Pancakes { count: 8, automaton: MoveAutomaton::no_undo(&inverses) };
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
