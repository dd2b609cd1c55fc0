//! Metrics, the moves of a metric, and the automaton of canonical sequences (Taylor & Korf, AAAI 1993).

use untumble_search::error::Error;
use untumble_search::identity::PuzzleId;
use untumble_search::moves::{Move, MoveAutomaton};

use super::face::Face;
use crate::PuzzleError;
use crate::sanitize::sanitize;

/// How moves are counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Metric {
    /// Half-turn metric: any turn of a face is one move.
    Htm,
    /// Quarter-turn metric: a half turn is two moves.
    Qtm,
}

impl Metric {
    /// Names of the metrics, the default first.
    pub const NAMES: &'static [&'static str] = &["htm", "qtm"];

    /// The name as in [`Metric::NAMES`].
    pub fn name(self) -> &'static str {
        Metric::NAMES[self as usize]
    }

    /// The identity of a cube puzzle in this metric.
    pub(crate) fn identity(self, family: &str) -> PuzzleId {
        let metric = (self != Metric::Htm).then(|| self.name().to_owned());
        PuzzleId { metric, ..PuzzleId::of(family, None) }
    }

    /// The metric with this name; upper and lower case are equal.
    pub fn named(name: &str) -> Result<Metric, Error> {
        match name.to_ascii_lowercase().as_str() {
            "htm" => Ok(Metric::Htm),
            "qtm" => Ok(Metric::Qtm),
            _ => Err(PuzzleError::UnknownMetric { name: sanitize(name) }.into()),
        }
    }
}

/// Names of the face turns, by face and quarters.
const NAMES: [[&str; 3]; 6] = [
    ["U", "U2", "U'"],
    ["R", "R2", "R'"],
    ["F", "F2", "F'"],
    ["D", "D2", "D'"],
    ["L", "L2", "L'"],
    ["B", "B2", "B'"],
];

/// The moves of a cube in a metric.
#[derive(Clone, Debug)]
pub struct FaceTurns {
    metric: Metric,
    /// By move: its face and number of clockwise quarter turns.
    list: Vec<(Face, u8)>,
    automaton: MoveAutomaton,
}

impl FaceTurns {
    /// The turns of `faces`.
    pub fn new(faces: &[Face], metric: Metric) -> FaceTurns {
        let quarters: &[u8] = match metric {
            Metric::Htm => &[1, 2, 3],
            Metric::Qtm => &[1, 3],
        };
        let list: Vec<(Face, u8)> =
            faces.iter().flat_map(|&face| quarters.iter().map(move |&quarters| (face, quarters))).collect();
        let automaton = MoveAutomaton::forbid(list.len(), &redundant_sequences(&list, metric));
        FaceTurns { metric, list, automaton }
    }

    /// The metric that defines these moves.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Number of moves.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// Face and quarters of each move.
    pub fn all(&self) -> &[(Face, u8)] {
        &self.list
    }

    /// The automaton that accepts canonical sequences only.
    pub fn automaton(&self) -> &MoveAutomaton {
        &self.automaton
    }

    /// The name of a move in notation.
    pub fn name(&self, m: Move) -> &'static str {
        let (face, quarters) = self.list[m.index()];
        NAMES[face.index()][usize::from(quarters) - 1]
    }

    /// The moves that turn a face by 1 to 3 quarters. Panics if the puzzle does not turn that face.
    pub fn moves_for(&self, face: Face, quarters: u8) -> Vec<Move> {
        let index = |quarters: u8| {
            let index = self.list.iter().position(|&turn| turn == (face, quarters));
            Move(index.expect("the puzzle turns this face") as u8)
        };
        match (self.metric, quarters) {
            (Metric::Qtm, 2) => vec![index(1); 2],
            _ => vec![index(quarters)],
        }
    }

    /// A path in notation. In quarter-turn metric two equal moves are written as a half turn.
    pub fn format_moves(&self, path: &[Move]) -> String {
        let mut names = Vec::new();
        let mut remaining = path;
        while let [m, after @ ..] = remaining {
            let (face, _) = self.list[m.index()];
            let twice = self.metric == Metric::Qtm && after.first() == Some(m);
            names.push(if twice { NAMES[face.index()][1] } else { self.name(*m) });
            remaining = &after[usize::from(twice)..];
        }
        names.join(" ")
    }

    /// The inverse of each move.
    pub fn inverses(&self) -> Vec<Move> {
        let inverse = |&(face, quarters): &(Face, u8)| {
            let index = self.list.iter().position(|&turn| turn == (face, 4 - quarters));
            Move(index.expect("turns come with their inverses") as u8)
        };
        self.list.iter().map(inverse).collect()
    }
}

/// Redundant sequences: the same face twice, and opposite faces in the wrong order.
fn redundant_sequences(list: &[(Face, u8)], metric: Metric) -> Vec<Vec<Move>> {
    let turns = || (0..).map(Move).zip(list.iter().copied());
    let mut sequences = Vec::new();
    for (a, (first, first_quarters)) in turns() {
        for (b, (second, second_quarters)) in turns() {
            let same_face = first == second;
            // Of the two ways to write a half turn in quarter turns, keep the clockwise one.
            let is_half_turn = metric == Metric::Qtm && first_quarters == 1 && second_quarters == 1;
            if (same_face && !is_half_turn) || (first.opposite() == second && first > second) {
                sequences.push(vec![a, b]);
            }
            if same_face && is_half_turn {
                sequences.push(vec![a; 3]);
            }
        }
    }
    sequences
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Stickers, Turn};
    use std::collections::HashSet;
    use untumble_search::moves::AutomatonState;

    /// By length: the number of canonical sequences, and the number of positions that they reach first.
    fn counts(metric: Metric, length: usize) -> Vec<(usize, usize)> {
        let turns = FaceTurns::new(&Face::ALL, metric);
        let solved = Stickers::<3>::solved();
        let mut seen: HashSet<Vec<Face>> = [solved.colours.clone()].into();
        let mut level = vec![(solved, AutomatonState::START)];
        let mut counts = vec![(1, 1)];
        for _ in 0..length {
            let mut next = Vec::new();
            for (cube, state) in &level {
                for m in turns.automaton().allowed(*state) {
                    let (face, quarters) = turns.all()[m.index()];
                    next.push((cube.apply(Turn::outer(face, quarters)), turns.automaton().next(*state, m)));
                }
            }
            let fresh = next.iter().filter(|(cube, _)| seen.insert(cube.colours.clone())).count();
            counts.push((next.len(), fresh));
            level = next;
        }
        counts
    }

    #[test]
    fn canonical_sequences_reach_every_near_position_once() {
        assert_eq!(counts(Metric::Htm, 3), [(1, 1), (18, 18), (243, 243), (3240, 3240)]);
        assert_eq!(counts(Metric::Qtm, 4), [(1, 1), (12, 12), (114, 114), (1068, 1068), (10011, 10011)]);
    }

    #[test]
    fn qtm_paths_write_double_quarter_turns_as_half_turns() {
        let turns = FaceTurns::new(&Face::ALL, Metric::Qtm);
        let path = [(Face::R, 1), (Face::U, 2), (Face::U, 1), (Face::B, 3), (Face::B, 3), (Face::L, 3)];
        let path: Vec<Move> =
            path.into_iter().flat_map(|(face, quarters)| turns.moves_for(face, quarters)).collect();
        assert_eq!(turns.format_moves(&path), "R U2 U B2 L'");
        assert_eq!(path.len(), 7);
    }
}
