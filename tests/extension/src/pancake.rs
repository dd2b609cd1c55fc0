//! The pancake puzzle (Goodman 1975; Gates & Papadimitriou 1979): sort a stack by flipping its top.
//!
//! A move flips the top 2 to N pancakes and is its own inverse. Every stack can be sorted.

use std::borrow::Cow;

use rand::Rng;
use untumble_search::error::{Diagnostic, Error};
use untumble_search::family::{Family, ListedPuzzle, PuzzleFamily, PuzzleSettings, SizeParameter};
use untumble_search::frontend::{
    DynPuzzle, FormatInfo, InputFormat, InputKind, Parsed, Preset, PuzzleFrontend, PuzzleInfo, PuzzleText,
    Shape, Stage, Workload, into_dyn,
};
use untumble_search::identity::PuzzleId;
use untumble_search::moves::{Move, MoveAutomaton, MoveSet};
use untumble_search::perm::shuffle;
use untumble_search::puzzle::Puzzle;
use untumble_search::registry::Registry;
use untumble_search::solve;
use untumble_search::spec::{HeuristicExpr, Spec};
use untumble_search::tables::Tables;

use crate::{enforced_hill_climbing, gap};

/// The family of stacks of 2 to 15 pancakes.
pub struct PancakeFamily;

const FAMILY: Family = Family {
    name: "pancake-N",
    title: "Pancakes",
    sizes: &[SizeParameter { symbol: "N", name: "count", min: *SIZES.start(), max: *SIZES.end() }],
    puzzles: &[ListedPuzzle { name: "pancake-7", title: "Pancakes" }],
    aliases: &[],
    what: "a stack of N = 2 to 15 pancakes, sorted by flipping its top",
    moves: "F2 to FN, the number of pancakes flipped",
    goals: &["solved"],
    goal_names: &["solved"],
    any_goal: false,
    metrics: &[],
    example: "pancake-7",
    example_position: "3 7 1 5 2 6 4",
};

const SIZES: std::ops::RangeInclusive<usize> = 2..=15;

impl PuzzleFamily for PancakeFamily {
    fn family(&self) -> &Family {
        &FAMILY
    }

    fn open(&self, name: &str, settings: &PuzzleSettings) -> Option<Result<Box<dyn DynPuzzle>, Error>> {
        let error =
            |code, message: String| Some(Err(Error::Puzzle(Box::new(Diagnostic::new(code, message)))));
        let count = name.strip_prefix("pancake-")?;
        match count.parse().ok().filter(|count| SIZES.contains(count)) {
            None => error("size", format!("a stack has 2 to 15 pancakes, not {count}")),
            Some(_) if settings.goal.as_ref().is_some_and(|goal| goal != "solved") => {
                error("only-one-goal", "pancakes have one goal: solved".into())
            }
            Some(_) if settings.metric.is_some() => {
                error("only-one-metric", "pancakes have one metric: the number of flips".into())
            }
            Some(count) => Some(Ok(into_dyn(Pancake::new(count)))),
        }
    }
}

/// The puzzle with pancakes of the sizes 1 to N. A state is the sizes from top to bottom.
pub struct Pancake {
    count: usize,
    automaton: MoveAutomaton,
}

/// The number of pancakes that a move flips.
pub fn flipped(m: Move) -> usize {
    m.index() + 2
}

impl Pancake {
    /// The puzzle with `count` pancakes.
    ///
    /// # Panics
    /// If `count` is not in 2 to 15.
    pub fn new(count: usize) -> Pancake {
        assert!(SIZES.contains(&count), "{count} pancakes");
        let inverses: Vec<Move> = Move::first_n(count - 1).collect();
        Pancake { count, automaton: MoveAutomaton::no_undo(&inverses) }
    }

    /// The number of pancakes.
    pub fn count(&self) -> usize {
        self.count
    }

    fn parse_position(&self, line: &str) -> Result<Box<[u8]>, Box<Diagnostic>> {
        let invalid = || {
            let message = format!("`{line}` is not a permutation of the sizes 1 to {}", self.count);
            Box::new(Diagnostic::new("not-a-permutation", message))
        };
        let stack: Result<Box<[u8]>, _> = line.split_whitespace().map(str::parse).collect();
        let stack = stack.map_err(|_| invalid())?;
        let mut sorted = stack.clone();
        sorted.sort_unstable();
        if sorted == self.solved() { Ok(stack) } else { Err(invalid()) }
    }
}

impl Puzzle for Pancake {
    type State = Box<[u8]>;
    /// Four bits for each pancake, the top one lowest.
    type Key = u64;
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
        MoveSet::first_n(self.count - 1)
    }

    fn apply(&self, stack: &Box<[u8]>, m: Move) -> Box<[u8]> {
        let mut stack = stack.clone();
        stack[..flipped(m)].reverse();
        stack
    }

    fn inverse(&self, m: Move) -> Option<Move> {
        Some(m)
    }

    fn automaton(&self) -> &MoveAutomaton {
        &self.automaton
    }

    fn pack(&self, stack: &Box<[u8]>) -> u64 {
        stack.iter().rev().fold(0, |key, &size| key << 4 | u64::from(size))
    }

    fn unpack(&self, key: &u64) -> Box<[u8]> {
        (0..self.count).map(|i| (key >> (4 * i) & 15) as u8).collect()
    }
}

impl PuzzleInfo for Pancake {
    fn title(&self) -> String {
        self.id().to_string()
    }

    fn id(&self) -> PuzzleId {
        PuzzleId::of("pancake", Some(self.count.to_string()))
    }

    fn metric(&self) -> &str {
        "moves"
    }

    fn goal_text(&self) -> String {
        "solved".into()
    }

    fn formats(&self) -> Vec<FormatInfo> {
        vec![FormatInfo { name: "sizes", what: "the sizes from the top of the stack, separated by spaces" }]
    }

    fn shape(&self) -> Shape {
        Shape { kind: "pancake", sizes: vec![("count", self.count)] }
    }

    fn presets(&self) -> Vec<Preset> {
        vec![Preset::AUTO]
    }
}

impl PuzzleText for Pancake {
    fn name(&self, m: Move) -> Cow<'_, str> {
        format!("F{}", flipped(m)).into()
    }

    fn parse_moves(&self, text: &str) -> Result<Vec<Move>, Box<Diagnostic>> {
        let flip = |word: &str| Move::first_n(self.count - 1).find(|&m| self.name(m) == word);
        let parse = |word| {
            flip(word).ok_or_else(|| {
                let message = format!("`{word}` is not a flip; expected F2 to F{}", self.count);
                Box::new(Diagnostic::new("unknown-move", message))
            })
        };
        text.split_whitespace().map(parse).collect()
    }

    fn parse(
        &self,
        text: &str,
        _at_end: bool,
        format: &InputFormat,
    ) -> Result<Parsed<Box<[u8]>>, Box<Diagnostic>> {
        let relevant = |line: &&str| !line.is_empty() && !line.starts_with('#');
        let Some(line) = text.lines().map(str::trim).find(relevant) else { return Ok(Parsed::Nothing) };
        let kind =
            format.kind.unwrap_or(if line.starts_with('F') { InputKind::Moves } else { InputKind::Position });
        Ok(Parsed::Position(match kind {
            InputKind::Position => self.parse_position(line)?,
            InputKind::Moves => {
                self.parse_moves(line)?.into_iter().fold(self.solved(), |stack, m| self.apply(&stack, m))
            }
        }))
    }

    fn check_solvable(&self, _stack: &Box<[u8]>) -> Result<(), Error> {
        Ok(())
    }

    fn text(&self, stack: &Box<[u8]>) -> String {
        stack.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
    }

    fn draw(&self, stack: &Box<[u8]>, _colour: bool) -> String {
        let pancake = |&size: &u8| format!("{:^1$}\n", "=".repeat(2 * usize::from(size)), 2 * self.count);
        stack.iter().map(pancake).collect()
    }
}

impl PuzzleFrontend for Pancake {
    fn registry(&self) -> Registry<Pancake> {
        Registry::new(self.title())
            .with_algorithms(solve::entries())
            .with_algorithms([enforced_hill_climbing::entry()])
            .with_heuristics([gap::entry()])
    }

    fn auto(&self, _workload: &Workload<'_, Box<[u8]>>, _tables: &dyn Tables) -> Vec<Stage> {
        vec![Spec::plain("ida", Some(HeuristicExpr::named(gap::NAME))).into()]
    }

    fn random(&self, rng: &mut dyn Rng) -> Box<[u8]> {
        let mut stack = self.solved();
        shuffle(&mut stack, rng);
        stack
    }
}
