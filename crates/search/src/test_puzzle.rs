//! A test puzzle with unusual properties: the direction of rotation alternates, there are two goals and two
//! starts, states live on the heap, a move may cost more than its inverse, and move names are made at run
//! time. An algorithm that makes an assumption about cubes or grids fails on it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use rand::Rng;

use crate::error::{Diagnostic, Error};
use crate::frontend::{
    FormatInfo, InputFormat, Parsed, Preset, PuzzleFrontend, PuzzleInfo, PuzzleText, Shape, Stage, Workload,
    below,
};
use crate::heuristic::{Admissibility, Heuristic, Zero};
use crate::identity::PuzzleId;
use crate::moves::{Move, MoveAutomaton, MoveSet};
use crate::perm;
use crate::puzzle::{Cost, Puzzle, Ranked};
use crate::registry::{BuildContext, HeuristicEntry, HeuristicInfo, Registry};
use crate::solve;
use crate::spec::Spec;
use crate::tables::Tables;

/// Tokens in a row. A move rotates three neighbours, and the direction of rotation must alternate.
pub(crate) struct TestPuzzle {
    tokens: usize,
    names: Vec<String>,
    costs: Vec<Cost>,
    automaton: MoveAutomaton,
    /// The legal moves if the next rotation is forward, and if it is backward.
    legal: [MoveSet; 2],
}

/// The tokens, and the direction of the next rotation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TokenState {
    tokens: Box<[u8]>,
    backwards: bool,
}

impl TestPuzzle {
    /// `tokens` in a row, with the given move costs: forward rotations, then backward ones.
    pub(crate) fn new(tokens: usize, costs: &[Cost]) -> TestPuzzle {
        let rotations = tokens - 2;
        let names =
            (0..rotations).map(|t| format!("turn-{t}")).chain((0..rotations).map(|t| format!("back-{t}")));
        let forward = MoveSet::first_n(rotations);
        let inverses: Vec<Move> =
            (0..2 * rotations).map(|m| Move(((m + rotations) % (2 * rotations)) as u8)).collect();
        TestPuzzle {
            tokens,
            names: names.collect(),
            costs: (0..2 * rotations).map(|m| costs[m % costs.len()]).collect(),
            automaton: MoveAutomaton::no_undo(&inverses),
            legal: [forward, MoveSet::first_n(2 * rotations) - forward],
        }
    }

    fn rotations(&self) -> usize {
        self.tokens - 2
    }

    fn sorted(&self) -> Box<[u8]> {
        (0..self.tokens as u8).collect()
    }
}

impl Puzzle for TestPuzzle {
    type State = TokenState;
    type Key = (Box<[u8]>, bool);
    type Moves = MoveSet;

    fn solved(&self) -> TokenState {
        TokenState { tokens: self.sorted(), backwards: false }
    }

    fn goal_states(&self) -> Option<Vec<TokenState>> {
        Some([false, true].map(|backwards| TokenState { tokens: self.sorted(), backwards }).into())
    }

    fn start_states(&self, position: &TokenState) -> Vec<TokenState> {
        [false, true].map(|backwards| TokenState { tokens: position.tokens.clone(), backwards }).into()
    }

    fn is_goal(&self, state: &TokenState) -> bool {
        state.tokens.is_sorted()
    }

    fn legal(&self, state: &TokenState) -> MoveSet {
        self.legal[usize::from(state.backwards)]
    }

    fn apply(&self, state: &TokenState, m: Move) -> TokenState {
        let mut tokens = state.tokens.clone();
        let place = m.index() % self.rotations();
        let three = &mut tokens[place..place + 3];
        if m.index() < self.rotations() {
            three.rotate_left(1);
        } else {
            three.rotate_right(1);
        }
        TokenState { tokens, backwards: !state.backwards }
    }

    fn inverse(&self, m: Move) -> Option<Move> {
        Some(Move(((m.index() + self.rotations()) % (2 * self.rotations())) as u8))
    }

    fn cost(&self, m: Move) -> Cost {
        self.costs[m.index()]
    }

    fn automaton(&self) -> &MoveAutomaton {
        &self.automaton
    }

    fn pack(&self, state: &TokenState) -> (Box<[u8]>, bool) {
        (state.tokens.clone(), state.backwards)
    }

    fn unpack(&self, key: &(Box<[u8]>, bool)) -> TokenState {
        TokenState { tokens: key.0.clone(), backwards: key.1 }
    }

    fn key_heap_bytes(&self) -> usize {
        self.tokens
    }
}

impl Ranked for TestPuzzle {
    fn count(&self) -> u64 {
        2 * (1..=self.tokens as u64).product::<u64>()
    }

    fn rank(&self, state: &TokenState) -> u64 {
        2 * perm::rank(&state.tokens, self.tokens) + u64::from(state.backwards)
    }

    fn unrank(&self, rank: u64) -> TokenState {
        let tokens = perm::unrank(rank / 2, self.tokens, self.tokens);
        TokenState { tokens: tokens.into_iter().map(|token| token as u8).collect(), backwards: rank % 2 == 1 }
    }
}

/// A heuristic derived from exact costs, as irregular as its admissibility allows.
#[derive(Clone)]
pub(crate) struct DistortedHeuristic<K> {
    exact: HashMap<K, Cost>,
    kind: Admissibility,
}

impl<K> DistortedHeuristic<K> {
    pub(crate) fn new(exact: HashMap<K, Cost>, kind: Admissibility) -> DistortedHeuristic<K> {
        DistortedHeuristic { exact, kind }
    }
}

impl<P: Puzzle> Heuristic<P> for DistortedHeuristic<P::Key> {
    type Value = Cost;

    fn admissibility(&self) -> Admissibility {
        self.kind
    }

    fn start(&self, puzzle: &P, state: &P::State) -> Cost {
        let key = puzzle.pack(state);
        let cost = self.exact[&key];
        let mut hasher = std::hash::DefaultHasher::new();
        key.hash(&mut hasher);
        let choice = hasher.finish() % 4;
        match self.kind {
            Admissibility::Consistent => cost / 2,
            // Exact, half or zero, depending on a hash: as inconsistent as possible.
            Admissibility::Admissible => [cost, 0, cost / 2, cost][choice as usize],
            Admissibility::None => cost * 2,
        }
    }

    fn cost(&self, value: &Cost) -> Cost {
        *value
    }
}

/// The heuristics: half the exact cost, an inconsistent one, twice the exact cost, zero.
fn heuristics() -> [HeuristicEntry<TestPuzzle>; 4] {
    let distorted = |name, kind| {
        let info = HeuristicInfo { admissibility: kind, ..HeuristicInfo::new(name, "distorted exact costs") };
        HeuristicEntry::new(info, move |context: &BuildContext<'_, TestPuzzle>, _| {
            Ok(DistortedHeuristic::new(crate::laws::exact_costs(context.puzzle), kind))
        })
    };
    [
        distorted("half", Admissibility::Consistent),
        distorted("inconsistent", Admissibility::Admissible),
        distorted("double", Admissibility::None),
        HeuristicEntry::new(HeuristicInfo::new("zero", "no knowledge"), |_, _| Ok(Zero)),
    ]
}

impl PuzzleInfo for TestPuzzle {
    fn title(&self) -> String {
        format!("test-{}", self.tokens)
    }

    fn id(&self) -> PuzzleId {
        PuzzleId::of("test", Some(self.tokens.to_string()))
    }

    fn metric(&self) -> &str {
        "moves"
    }

    fn goal_text(&self) -> String {
        "solved".into()
    }

    fn shape(&self) -> Shape {
        Shape { kind: "test", sizes: Vec::new() }
    }

    fn presets(&self) -> Vec<Preset> {
        vec![Preset::AUTO]
    }

    fn formats(&self) -> Vec<FormatInfo> {
        Vec::new()
    }
}

impl PuzzleText for TestPuzzle {
    fn name(&self, m: Move) -> Cow<'_, str> {
        Cow::Borrowed(&self.names[m.index()])
    }

    fn parse_moves(&self, text: &str) -> Result<Vec<Move>, Box<Diagnostic>> {
        let parse = |word: &str| {
            let place = self.names.iter().position(|name| name == word);
            place.map(|m| Move(m as u8)).ok_or_else(|| {
                Box::new(Diagnostic::new("unknown-move", format!("there is no move `{word}`")))
            })
        };
        text.split_whitespace().map(parse).collect()
    }

    fn parse(
        &self,
        text: &str,
        _at_end: bool,
        _format: &InputFormat,
    ) -> Result<Parsed<TokenState>, Box<Diagnostic>> {
        let tokens: Box<[u8]> = text.bytes().map(|byte| byte.wrapping_sub(b'a')).collect();
        let mut sorted = tokens.clone();
        sorted.sort_unstable();
        if sorted != self.sorted() {
            let message = format!("expected each of the first {} letters once", self.tokens);
            return Err(Box::new(Diagnostic::new("not-a-position", message)));
        }
        Ok(Parsed::Position(TokenState { tokens, backwards: false }))
    }

    fn check_solvable(&self, _position: &TokenState) -> Result<(), Error> {
        Ok(())
    }

    fn text(&self, position: &TokenState) -> String {
        position.tokens.iter().map(|token| char::from(b'a' + token)).collect()
    }

    fn draw(&self, position: &TokenState, _colour: bool) -> String {
        self.text(position)
    }
}

impl PuzzleFrontend for TestPuzzle {
    fn registry(&self) -> Registry<TestPuzzle> {
        Registry::new(self.title()).with_algorithms(solve::entries()).with_heuristics(heuristics())
    }

    fn auto(&self, _workload: &Workload<'_, TokenState>, _tables: &dyn Tables) -> Vec<Stage> {
        vec![Spec::plain("greedy", None).into(), Spec::plain("ida", None).into()]
    }

    fn random(&self, rng: &mut dyn Rng) -> TokenState {
        let states: Vec<_> = crate::laws::random_walk(self, 64, rng);
        states[below(rng, states.len())].0.clone()
    }
}
