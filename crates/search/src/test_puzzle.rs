//! A puzzle made to be awkward, for tests: the direction of turning alternates,
//! there are two goals and two starts, states live on the heap, moves have unequal costs that differ
//! from their inverses', and names are given at run time. An algorithm that quietly
//! assumes a cube or a grid fails on it.

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

/// Tokens in a row; a move turns three neighbours, and turns must alternate in direction.
pub(crate) struct TestPuzzle {
    tokens: usize,
    names: Vec<String>,
    costs: Vec<Cost>,
    words: MoveAutomaton,
    legal: [MoveSet; 2],
}

/// The tokens, and whether the next turn goes backwards.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Turned {
    tokens: Box<[u8]>,
    backwards: bool,
}

impl TestPuzzle {
    /// `tokens` in a row, with the given move costs: forward turns, then backward ones.
    pub(crate) fn new(tokens: usize, costs: &[Cost]) -> TestPuzzle {
        let turns = tokens - 2;
        let names = (0..turns).map(|t| format!("turn-{t}")).chain((0..turns).map(|t| format!("back-{t}")));
        let forward = MoveSet::first(turns);
        let inverses: Vec<Move> = (0..2 * turns).map(|m| Move(((m + turns) % (2 * turns)) as u8)).collect();
        TestPuzzle {
            tokens,
            names: names.collect(),
            costs: (0..2 * turns).map(|m| costs[m % costs.len()]).collect(),
            words: MoveAutomaton::no_undo(&inverses),
            legal: [forward, MoveSet::first(2 * turns) - forward],
        }
    }

    fn turns(&self) -> usize {
        self.tokens - 2
    }

    fn sorted(&self) -> Box<[u8]> {
        (0..self.tokens as u8).collect()
    }
}

impl Puzzle for TestPuzzle {
    type State = Turned;
    type Key = (Box<[u8]>, bool);
    type Moves = MoveSet;

    fn solved(&self) -> Turned {
        Turned { tokens: self.sorted(), backwards: false }
    }

    fn goal_states(&self) -> Option<Vec<Turned>> {
        Some([false, true].map(|backwards| Turned { tokens: self.sorted(), backwards }).into())
    }

    fn starts(&self, position: &Turned) -> Vec<Turned> {
        [false, true].map(|backwards| Turned { tokens: position.tokens.clone(), backwards }).into()
    }

    fn is_goal(&self, state: &Turned) -> bool {
        state.tokens.is_sorted()
    }

    fn legal(&self, state: &Turned) -> MoveSet {
        self.legal[usize::from(state.backwards)]
    }

    fn apply(&self, state: &Turned, m: Move) -> Turned {
        let mut tokens = state.tokens.clone();
        let place = m.index() % self.turns();
        let three = &mut tokens[place..place + 3];
        if m.index() < self.turns() {
            three.rotate_left(1);
        } else {
            three.rotate_right(1);
        }
        Turned { tokens, backwards: !state.backwards }
    }

    fn inverse(&self, m: Move) -> Option<Move> {
        Some(Move(((m.index() + self.turns()) % (2 * self.turns())) as u8))
    }

    fn cost(&self, m: Move) -> Cost {
        self.costs[m.index()]
    }

    fn automaton(&self) -> &MoveAutomaton {
        &self.words
    }

    fn pack(&self, state: &Turned) -> (Box<[u8]>, bool) {
        (state.tokens.clone(), state.backwards)
    }

    fn unpack(&self, key: &(Box<[u8]>, bool)) -> Turned {
        Turned { tokens: key.0.clone(), backwards: key.1 }
    }

    fn key_heap(&self) -> usize {
        self.tokens
    }
}

impl Ranked for TestPuzzle {
    fn count(&self) -> u64 {
        2 * (1..=self.tokens as u64).product::<u64>()
    }

    fn rank(&self, state: &Turned) -> u64 {
        2 * perm::rank(&state.tokens, self.tokens) + u64::from(state.backwards)
    }

    fn unrank(&self, rank: u64) -> Turned {
        let tokens = perm::unrank(rank / 2, self.tokens, self.tokens);
        Turned { tokens: tokens.into_iter().map(|token| token as u8).collect(), backwards: rank % 2 == 1 }
    }
}

/// A heuristic derived from the true costs, with as little structure as its admissibility allows.
#[derive(Clone)]
pub(crate) struct DistortedHeuristic<K> {
    truth: HashMap<K, Cost>,
    kind: Admissibility,
}

impl<K> DistortedHeuristic<K> {
    pub(crate) fn new(truth: HashMap<K, Cost>, kind: Admissibility) -> DistortedHeuristic<K> {
        DistortedHeuristic { truth, kind }
    }
}

impl<P: Puzzle> Heuristic<P> for DistortedHeuristic<P::Key> {
    type Value = Cost;

    fn admissibility(&self) -> Admissibility {
        self.kind
    }

    fn start(&self, puzzle: &P, state: &P::State) -> Cost {
        let key = puzzle.pack(state);
        let cost = self.truth[&key];
        let mut hasher = std::hash::DefaultHasher::new();
        key.hash(&mut hasher);
        let chance = hasher.finish() % 4;
        match self.kind {
            Admissibility::Consistent => cost / 2,
            // Now the truth, now nothing: as inconsistent as can be.
            Admissibility::Admissible => [cost, 0, cost / 2, cost][chance as usize],
            Admissibility::None => cost * 2,
        }
    }

    fn cost(&self, value: &Cost) -> Cost {
        *value
    }
}

/// Its heuristics: half the truth, an inconsistent one, twice the truth, none.
fn heuristics() -> [HeuristicEntry<TestPuzzle>; 4] {
    let distorted = |name, kind| {
        let info = HeuristicInfo { admissibility: kind, ..HeuristicInfo::new(name, "a distorted truth") };
        HeuristicEntry::new(info, move |context: &BuildContext<'_, TestPuzzle>, _| {
            Ok(DistortedHeuristic::new(crate::laws::truth(context.puzzle), kind))
        })
    };
    [
        distorted("half", Admissibility::Consistent),
        distorted("moody", Admissibility::Admissible),
        distorted("double", Admissibility::None),
        HeuristicEntry::new(HeuristicInfo::new("zero", "no knowledge"), |_, _| Ok(Zero)),
    ]
}

impl PuzzleInfo for TestPuzzle {
    fn title(&self) -> String {
        format!("oddity-{}", self.tokens)
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
        Shape { kind: "oddity", sizes: Vec::new() }
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
        let read = |word: &str| {
            let place = self.names.iter().position(|name| name == word);
            place.map(|m| Move(m as u8)).ok_or_else(|| {
                Box::new(Diagnostic::new("unknown-move", format!("there is no move `{word}`")))
            })
        };
        text.split_whitespace().map(read).collect()
    }

    fn parse(&self, text: &str, _end: bool, _form: &InputFormat) -> Result<Parsed<Turned>, Box<Diagnostic>> {
        let tokens: Box<[u8]> = text.bytes().map(|byte| byte.wrapping_sub(b'a')).collect();
        let mut sorted = tokens.clone();
        sorted.sort_unstable();
        if sorted != self.sorted() {
            let message = format!("expected each of the first {} letters once", self.tokens);
            return Err(Box::new(Diagnostic::new("not-a-position", message)));
        }
        Ok(Parsed::Position(Turned { tokens, backwards: false }))
    }

    fn check(&self, _position: &Turned) -> Result<(), Error> {
        Ok(())
    }

    fn text(&self, position: &Turned) -> String {
        position.tokens.iter().map(|token| char::from(b'a' + token)).collect()
    }

    fn draw(&self, position: &Turned, _colour: bool) -> String {
        self.text(position)
    }
}

impl PuzzleFrontend for TestPuzzle {
    fn registry(&self) -> Registry<TestPuzzle> {
        Registry::new(self.title()).with_algorithms(solve::entries()).with_heuristics(heuristics())
    }

    fn auto(&self, _ahead: &Workload<'_, Turned>, _tables: &dyn Tables) -> Vec<Stage> {
        vec![Spec::plain("greedy", None).into(), Spec::plain("ida", None).into()]
    }

    fn random(&self, rng: &mut dyn Rng) -> Turned {
        let states: Vec<_> = crate::laws::walk(self, 64, rng);
        states[below(rng, states.len())].0.clone()
    }
}
