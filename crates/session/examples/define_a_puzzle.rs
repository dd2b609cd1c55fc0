//! Defines the pancake puzzle through the public API and solves it through a session.
//!
//! A stack of pancakes of different sizes is sorted by turning over the upper part of the stack (Goodman 1975).
//!
//! ```sh
//! cargo run --example define_a_puzzle
//! ```
#![allow(clippy::print_stdout)]

use std::borrow::Cow;
use std::error::Error;
use std::sync::Arc;

use rand::Rng;
use untumble_search::control::Limits;
use untumble_search::error::{Diagnostic, Error as SearchError};
use untumble_search::family::{Family, PuzzleFamily};
use untumble_search::frontend::{
    DynPuzzle, FormatInfo, InputFormat, Parsed, Preset, PuzzleFrontend, PuzzleInfo, PuzzleText, Shape, Stage,
    Workload, erase,
};
use untumble_search::heuristic::Zero;
use untumble_search::identity::PuzzleId;
use untumble_search::moves::{Move, MoveAutomaton, MoveSet};
use untumble_search::perm;
use untumble_search::puzzle::Puzzle;
use untumble_search::registry::{HeuristicEntry, HeuristicInfo, Registry};
use untumble_search::runtime::Runtime;
use untumble_search::solve;
use untumble_search::spec::Spec;
use untumble_search::tables::Tables;
use untumble_session::{SearchContext, Session, Setting};

/// The rules. Move `m` turns over the upper `m + 2` pancakes and is its own inverse.
struct Pancakes {
    count: usize,
    automaton: MoveAutomaton,
}

impl Pancakes {
    fn new(count: usize) -> Pancakes {
        let inverses: Vec<Move> = Move::first(count - 1).collect();
        Pancakes { count, automaton: MoveAutomaton::no_undo(&inverses) }
    }
}

impl Puzzle for Pancakes {
    type State = Box<[u8]>;
    type Key = Box<[u8]>;
    type Moves = MoveSet;

    fn solved(&self) -> Box<[u8]> {
        (1..=self.count as u8).collect()
    }

    fn goal_states(&self) -> Option<Vec<Box<[u8]>>> {
        Some(vec![self.solved()])
    }

    fn is_goal(&self, stack: &Box<[u8]>) -> bool {
        stack.is_sorted()
    }

    fn legal(&self, _stack: &Box<[u8]>) -> MoveSet {
        MoveSet::first(self.count - 1)
    }

    fn apply(&self, stack: &Box<[u8]>, m: Move) -> Box<[u8]> {
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

    fn pack(&self, stack: &Box<[u8]>) -> Box<[u8]> {
        stack.clone()
    }

    fn unpack(&self, key: &Box<[u8]>) -> Box<[u8]> {
        key.clone()
    }

    fn key_heap(&self) -> usize {
        self.count
    }
}

/// Names and text. Everything else follows from the registry.
impl PuzzleInfo for Pancakes {
    fn title(&self) -> String {
        format!("pancakes-{}", self.count)
    }

    fn id(&self) -> PuzzleId {
        PuzzleId::of("pancakes", Some(self.count.to_string()))
    }

    fn metric(&self) -> &str {
        "moves"
    }

    fn goal_text(&self) -> String {
        "solved".into()
    }

    fn formats(&self) -> Vec<FormatInfo> {
        vec![FormatInfo { name: "line", what: "the sizes from top to bottom" }]
    }

    fn shape(&self) -> Shape {
        Shape { kind: "stack", sizes: vec![("pancakes", self.count)] }
    }

    fn presets(&self) -> Vec<Preset> {
        vec![Preset::AUTO]
    }
}

impl PuzzleText for Pancakes {
    fn name(&self, m: Move) -> Cow<'_, str> {
        (m.index() + 2).to_string().into()
    }

    fn parse_moves(&self, text: &str) -> Result<Vec<Move>, Box<Diagnostic>> {
        let read = |word: &str| Move::first(self.count - 1).find(|&m| self.name(m) == word);
        let moves = text.split_whitespace().map(|word| {
            read(word).ok_or_else(|| Box::new(Diagnostic::new("unknown-move", format!("no move `{word}`"))))
        });
        moves.collect()
    }

    fn parse(
        &self,
        text: &str,
        _end: bool,
        _format: &InputFormat,
    ) -> Result<Parsed<Box<[u8]>>, Box<Diagnostic>> {
        let stack: Box<[u8]> = text.split_whitespace().map(|size| size.parse().unwrap_or(0)).collect();
        let mut sorted = stack.clone();
        sorted.sort_unstable();
        if sorted == self.solved() {
            return Ok(Parsed::Position(stack));
        }
        let message = format!("expected each of the sizes 1 to {} once", self.count);
        Err(Box::new(Diagnostic::new("not-a-stack", message)))
    }

    fn check(&self, _stack: &Box<[u8]>) -> Result<(), SearchError> {
        Ok(())
    }

    fn text(&self, stack: &Box<[u8]>) -> String {
        stack.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
    }

    fn draw(&self, stack: &Box<[u8]>, _colour: bool) -> String {
        let pancake = |&size: &u8| format!("{:^1$}\n", "==".repeat(size.into()), 2 * self.count);
        stack.iter().map(pancake).collect()
    }
}

impl PuzzleFrontend for Pancakes {
    fn registry(&self) -> Registry<Pancakes> {
        let none = HeuristicEntry::new(HeuristicInfo::new("zero", "no knowledge"), |_, _| Ok(Zero));
        Registry::new(self.title()).with_algorithms(solve::entries()).with_heuristics([none])
    }

    fn auto(&self, _workload: &Workload<'_, Box<[u8]>>, _tables: &dyn Tables) -> Vec<Stage> {
        vec![Spec::plain("bibfs", None).into()]
    }

    fn random(&self, rng: &mut dyn Rng) -> Box<[u8]> {
        let mut stack = self.solved();
        perm::shuffle(&mut stack, rng);
        stack
    }
}

/// The family, so that sessions, the service and its describe call find the puzzle by name.
struct PancakeFamily;

const FAMILY: Family = Family {
    name: "pancakes",
    aliases: &[],
    what: "a stack of 2 to 64 pancakes, sorted by turning over its upper part",
    moves: "the number of pancakes that are turned over",
    goals: &["solved"],
    metrics: &[],
    example: "pancakes-8",
    position: "3 1 4 8 5 2 7 6",
};

impl PuzzleFamily for PancakeFamily {
    fn family(&self) -> &Family {
        &FAMILY
    }

    fn open(
        &self,
        name: &str,
        _goal: Option<&str>,
        _metric: Option<&str>,
    ) -> Option<Result<Box<dyn DynPuzzle>, SearchError>> {
        let count = name.strip_prefix("pancakes-")?.parse().ok().filter(|count| (2..=64).contains(count))?;
        Some(Ok(erase(Pancakes::new(count))))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let runtime = Runtime::default().with_family(Arc::new(PancakeFamily));
    let session =
        Session::open(&runtime, "pancakes-8", &Setting::default()).map_err(|problem| problem.detail)?;
    let position = session.parse(FAMILY.position, &InputFormat::default()).map_err(|why| why.to_string())?;
    println!("{}", session.puzzle().draw(&position, false));

    let workload = Workload::one(&position, Limits::default(), false);
    for solver in ["auto", "bfs", "A*"] {
        let solver = session.solver(solver, false)?;
        let plan = session.plan(solver.as_ref(), &workload);
        let answer = session.solve(&position, &plan, &mut None, &SearchContext::default())?;
        let moves = answer.moves.as_deref().unwrap_or("none");
        println!("{:<11} {moves} (optimal: {}, {} nodes)", plan.solvers(), answer.optimal, answer.generated);
    }
    Ok(())
}
