//! How moves are counted, and what follows from it: the list of moves and the words of them worth trying.

use untumble_search::error::Error;
use untumble_search::identity::PuzzleId;
use untumble_search::moves::{Move, MoveAutomaton};

use super::face::Face;
use crate::PuzzleError;
use crate::sanitize::sanitize as echo;

/// How moves are counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Metric {
    /// Half-turn metric: any turn of a face is one move.
    Htm,
    /// Quarter-turn metric: a half turn counts two.
    Qtm,
}

impl Metric {
    /// The names, the default first.
    pub const NAMES: &'static [&'static str] = &["htm", "qtm"];

    /// Its name.
    pub fn name(self) -> &'static str {
        Metric::NAMES[self as usize]
    }

    /// The identity of a cube in this metric.
    pub(crate) fn identity(self, family: &str) -> PuzzleId {
        let metric = (self != Metric::Htm).then(|| self.name().to_owned());
        PuzzleId { metric, ..PuzzleId::of(family, None) }
    }

    /// The metric of a name.
    pub fn named(name: &str) -> Result<Metric, Error> {
        match name.to_ascii_lowercase().as_str() {
            "htm" => Ok(Metric::Htm),
            "qtm" => Ok(Metric::Qtm),
            _ => Err(PuzzleError::UnknownMetric { name: echo(name) }.into()),
        }
    }
}

/// The names of turns, by face and quarters.
const NAMES: [[&str; 3]; 6] = [
    ["U", "U2", "U'"],
    ["R", "R2", "R'"],
    ["F", "F2", "F'"],
    ["D", "D2", "D'"],
    ["L", "L2", "L'"],
    ["B", "B2", "B'"],
];

/// The moves of a cube.
#[derive(Clone, Debug)]
pub struct Turns {
    metric: Metric,
    list: Vec<(Face, u8)>,
    words: MoveAutomaton,
}

impl Turns {
    /// The moves that turn one of `faces`.
    pub fn new(faces: &[Face], metric: Metric) -> Turns {
        let quarters: &[u8] = match metric {
            Metric::Htm => &[1, 2, 3],
            Metric::Qtm => &[1, 3],
        };
        let list: Vec<(Face, u8)> =
            faces.iter().flat_map(|&face| quarters.iter().map(move |&quarters| (face, quarters))).collect();
        let words = MoveAutomaton::forbid(list.len(), &superfluous(&list, metric));
        Turns { metric, list, words }
    }

    /// How moves are counted.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// How many moves there are.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// All moves: the face and the quarters, by place.
    pub fn list(&self) -> &[(Face, u8)] {
        &self.list
    }

    /// The words of moves worth trying.
    pub fn automaton(&self) -> &MoveAutomaton {
        &self.words
    }

    /// The name of a move.
    pub fn name(&self, m: Move) -> &'static str {
        let (face, quarters) = self.list[m.index()];
        NAMES[face.index()][usize::from(quarters) - 1]
    }

    /// The moves that turn a face by so many quarters, 1 to 3. It must be one of those that turn.
    pub fn of(&self, face: Face, quarters: u8) -> Vec<Move> {
        let place = |quarters: u8| {
            let place = self.list.iter().position(|&turn| turn == (face, quarters));
            Move(place.expect("notation gives turns of the faces that turn") as u8)
        };
        match (self.metric, quarters) {
            (Metric::Qtm, 2) => vec![place(1); 2],
            _ => vec![place(quarters)],
        }
    }

    /// A path in words; where quarter turns are counted, two equal ones are written as the half turn they are.
    pub fn format_moves(&self, path: &[Move]) -> String {
        let mut words = Vec::new();
        let mut rest = path;
        while let [m, after @ ..] = rest {
            let (face, _) = self.list[m.index()];
            let twice = self.metric == Metric::Qtm && after.first() == Some(m);
            words.push(if twice { NAMES[face.index()][1] } else { self.name(*m) });
            rest = &after[usize::from(twice)..];
        }
        words.join(" ")
    }

    /// The move that takes each one back, by place.
    pub fn inverses(&self) -> Vec<Move> {
        let back = |&(face, quarters): &(Face, u8)| {
            let place = self.list.iter().position(|&turn| turn == (face, 4 - quarters));
            Move(place.expect("turns come with their inverses") as u8)
        };
        self.list.iter().map(back).collect()
    }
}

/// The words that a smaller one can stand in for: a face turned again, and opposite faces in the wrong order.
fn superfluous(list: &[(Face, u8)], metric: Metric) -> Vec<Vec<Move>> {
    let turns = || (0..).map(Move).zip(list.iter().copied());
    let mut words = Vec::new();
    for (a, (first, quarters)) in turns() {
        for (b, (second, other)) in turns() {
            let again = first == second;
            // Of two quarter turns that make a half turn, the clockwise ones stay.
            let half = metric == Metric::Qtm && quarters == 1 && other == 1;
            if (again && !half) || (first.opposite() == second && first > second) {
                words.push(vec![a, b]);
            }
            if again && half {
                words.push(vec![a; 3]);
            }
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Stickers, Turn};
    use std::collections::HashSet;
    use untumble_search::moves::AutomatonState;

    /// How many words of each length the automaton lets through, and how many positions they and all words lead to.
    fn counts(metric: Metric, length: usize) -> Vec<(usize, usize)> {
        let turns = Turns::new(&Face::ALL, metric);
        let solved = Stickers::<3>::solved();
        let mut seen: HashSet<Vec<Face>> = [solved.colours.clone()].into();
        let mut level = vec![(solved, AutomatonState::START)];
        let mut counts = vec![(1, 1)];
        for _ in 0..length {
            let mut next = Vec::new();
            for (cube, trail) in &level {
                for m in turns.automaton().allowed(*trail) {
                    let (face, quarters) = turns.list()[m.index()];
                    next.push((cube.turned(Turn::of(face, quarters)), turns.automaton().next(*trail, m)));
                }
            }
            let fresh = next.iter().filter(|(cube, _)| seen.insert(cube.colours.clone())).count();
            counts.push((next.len(), fresh));
            level = next;
        }
        counts
    }

    #[test]
    fn canonical_words_reach_every_position_and_few_twice() {
        assert_eq!(counts(Metric::Htm, 3), [(1, 1), (18, 18), (243, 243), (3240, 3240)]);
        assert_eq!(counts(Metric::Qtm, 4), [(1, 1), (12, 12), (114, 114), (1068, 1068), (10011, 10011)]);
    }

    #[test]
    fn half_turns_are_spelled_as_such() {
        let turns = Turns::new(&Face::ALL, Metric::Qtm);
        let path = [(Face::R, 1), (Face::U, 2), (Face::U, 1), (Face::B, 3), (Face::B, 3), (Face::L, 3)];
        let path: Vec<Move> =
            path.into_iter().flat_map(|(face, quarters)| turns.of(face, quarters)).collect();
        assert_eq!(turns.format_moves(&path), "R U2 U B2 L'");
        assert_eq!(path.len(), 7);
    }
}
