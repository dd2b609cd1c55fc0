//! A test puzzle with more moves than a machine word has bits: 198 permutations of a few points. States are
//! sized at run time, inverses may be missing, and the puzzle may have only a goal test.

use crate::moves::{Move, MoveAutomaton, MoveSet256};
use crate::perm;
use crate::puzzle::{Cost, Puzzle};

/// The moves that have inverses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Inverses {
    /// All of them.
    All,
    /// Only moves that are their own inverse; the inverse of a longer cycle is not a move.
    Involutions,
    /// No move.
    None,
}

/// Points in a row, permuted by [`WidePuzzle::MOVES`] moves of unequal cost.
pub(crate) struct WidePuzzle {
    points: usize,
    /// The number of points that the goal fixes; the goal state is listed if it fixes all.
    placed: usize,
    /// For each move and place, the place that the point comes from.
    moves: Vec<Box<[u8]>>,
    inverses: Vec<Option<Move>>,
    automaton: MoveAutomaton<MoveSet256>,
}

impl WidePuzzle {
    pub(crate) const MOVES: usize = 198;

    pub(crate) fn new(points: usize, placed: usize, inverses: Inverses) -> WidePuzzle {
        let moved_count =
            |permutation: &[u8]| permutation.iter().zip(0..).filter(|&(&from, to)| from != to).count();
        let mut candidates = permutations(points);
        // Permutations that move few points come first, so that many pairs commute.
        candidates.sort_by_key(|permutation| moved_count(permutation));
        let mut moves: Vec<Box<[u8]>> = Vec::new();
        for permutation in candidates.into_iter().skip(1) {
            let inverse = inverse(&permutation);
            let added = match inverses {
                _ if moves.contains(&permutation) => vec![],
                Inverses::All if permutation != inverse => vec![permutation, inverse],
                Inverses::Involutions if permutation > inverse => vec![],
                Inverses::None if permutation >= inverse => vec![],
                _ => vec![permutation],
            };
            if moves.len() + added.len() <= Self::MOVES {
                moves.extend(added);
            }
        }
        assert_eq!(moves.len(), Self::MOVES, "enough permutations of {points} points");
        let find_inverse =
            |m: &[u8]| moves.iter().position(|other| *other == inverse(m)).map(|m| Move(m as u8));
        let inverses: Vec<Option<Move>> = moves.iter().map(|m| find_inverse(m)).collect();
        let automaton = MoveAutomaton::try_forbid(Self::MOVES, &forbidden(&moves, &inverses));
        let automaton = automaton.expect("pairs of 198 moves fit");
        WidePuzzle { points, placed, moves, inverses, automaton }
    }

    /// Replaces the automaton by another one, sound or not.
    pub(crate) fn with_automaton(self, automaton: MoveAutomaton<MoveSet256>) -> WidePuzzle {
        WidePuzzle { automaton, ..self }
    }
}

/// The forbidden pairs: a move and its inverse, and one order of two moves that move different points.
fn forbidden(moves: &[Box<[u8]>], inverses: &[Option<Move>]) -> Vec<Vec<Move>> {
    let moved = |m: usize| moves[m].iter().zip(0..).map(|(&from, to)| from != to).collect::<Vec<bool>>();
    let mut pairs = Vec::new();
    for (first, back) in inverses.iter().enumerate() {
        for second in 0..moves.len() {
            let disjoint = moved(first).iter().zip(moved(second)).all(|(&a, b)| !(a && b));
            if *back == Some(Move(second as u8)) || (disjoint && second < first) {
                pairs.push(vec![Move(first as u8), Move(second as u8)]);
            }
        }
    }
    pairs
}

fn permutations(points: usize) -> Vec<Box<[u8]>> {
    let permutation =
        |rank| perm::unrank(rank, points, points).into_iter().map(|point| point as u8).collect();
    (0..perm::factorial(points)).map(permutation).collect()
}

fn inverse(permutation: &[u8]) -> Box<[u8]> {
    let place = |point| permutation.iter().position(|&image| image == point).map_or(0, |place| place as u8);
    (0..permutation.len() as u8).map(place).collect()
}

impl Puzzle for WidePuzzle {
    type State = Box<[u8]>;
    type Key = Box<[u8]>;
    type Moves = MoveSet256;

    fn solved(&self) -> Box<[u8]> {
        (0..self.points as u8).collect()
    }

    fn goal_states(&self) -> Option<Vec<Box<[u8]>>> {
        (self.placed == self.points).then(|| vec![self.solved()])
    }

    fn is_goal(&self, state: &Box<[u8]>) -> bool {
        state.iter().zip(0..).take(self.placed).all(|(&point, place)| point == place)
    }

    fn legal(&self, _state: &Box<[u8]>) -> MoveSet256 {
        MoveSet256::first_n(Self::MOVES)
    }

    fn apply(&self, state: &Box<[u8]>, m: Move) -> Box<[u8]> {
        self.moves[m.index()].iter().map(|&from| state[usize::from(from)]).collect()
    }

    fn inverse(&self, m: Move) -> Option<Move> {
        self.inverses[m.index()]
    }

    fn cost(&self, m: Move) -> Cost {
        2 + Cost::from(m.0) * 7 % 5
    }

    fn automaton(&self) -> &MoveAutomaton<MoveSet256> {
        &self.automaton
    }

    fn pack(&self, state: &Box<[u8]>) -> Box<[u8]> {
        state.clone()
    }

    fn unpack(&self, key: &Box<[u8]>) -> Box<[u8]> {
        key.clone()
    }

    fn key_heap_bytes(&self) -> usize {
        self.points
    }
}
