//! The solver `three-cycles`: a constructive solution without tables, as in blindfold solving (Pochmann 2004).
//!
//! A conjugate `S A S⁻¹` of a sequence `A` that cycles three edges, or three corners, cycles any three of
//! them and leaves all others unchanged. A breadth-first search over the places of three pieces, about 10,000
//! triples, finds the shortest setup `S` of every cycle. Each cycle solves one piece or two.

use std::collections::VecDeque;
use std::sync::OnceLock;

use untumble_search::control::Control;
use untumble_search::moves::Move;
use untumble_search::puzzle::{Cost, Puzzle};
use untumble_search::registry::{AlgorithmEntry, AlgorithmInfo, Guarantee};
use untumble_search::report::{Counts, Outcome, Report};
use untumble_search::solve::Solver;

use super::{Cube, Cube3};
use crate::cube::Face;
use crate::cube::pieces::{Cubie, corner_move, edge_move, is_odd};

/// Name of the algorithm in solver texts.
pub(super) const NAME: &str = "three-cycles";

/// The registry entry.
pub(super) fn entry() -> AlgorithmEntry<Cube3> {
    let info = AlgorithmInfo {
        guarantee: |_| Guarantee::None,
        ..AlgorithmInfo::new(
            NAME,
            "constructive: one piece after the other, by 3-cycles; immediate, no tables",
        )
    };
    AlgorithmEntry::new(info, |_| Ok(Box::new(Constructive)))
}

/// A face turn: three times the face's index plus the quarters minus one.
type Turn = u8;
const TURNS: u8 = 18;

fn inverse(turn: Turn) -> Turn {
    turn / 3 * 3 + 2 - turn % 3
}

/// Cycles three edges: R2 U R U R' U' R' U' R' U R'.
const EDGE_CYCLE: &[(Face, u8)] = &[
    (Face::R, 2),
    (Face::U, 1),
    (Face::R, 1),
    (Face::U, 1),
    (Face::R, 3),
    (Face::U, 3),
    (Face::R, 3),
    (Face::U, 3),
    (Face::R, 3),
    (Face::U, 1),
    (Face::R, 3),
];
/// Cycles three corners: R' F R' B2 R F' R' B2 R2.
const CORNER_CYCLE: &[(Face, u8)] = &[
    (Face::R, 3),
    (Face::F, 1),
    (Face::R, 3),
    (Face::B, 2),
    (Face::R, 1),
    (Face::F, 3),
    (Face::R, 3),
    (Face::B, 2),
    (Face::R, 2),
];

/// A slot and the orientation of a piece in it.
type Place = Cubie;

/// Edges or corners: how turns move them, and the setup of every 3-cycle.
struct Orbit {
    slots: usize,
    orientations: usize,
    /// By turn and place: the place to which the turn takes a piece.
    destination: Vec<Vec<Place>>,
    cycle: Vec<Turn>,
    /// By triple of places: the first turn of its setup, [`NO_SETUP`] or [`UNREACHED`].
    first_turns: Vec<u8>,
}

const NO_SETUP: u8 = 254;
const UNREACHED: u8 = 255;

impl Orbit {
    fn new(orientations: usize, cycle: &[(Face, u8)], turn_of: &dyn Fn(Face, u8) -> Vec<Cubie>) -> Orbit {
        let slots = turn_of(Face::U, 1).len();
        let destinations = |turn: Turn| {
            let mut to = vec![Place { piece: 0, orientation: 0 }; slots * orientations];
            let turned = turn_of(Face::ALL[usize::from(turn / 3)], turn % 3 + 1);
            for (slot, from) in turned.into_iter().enumerate() {
                for orientation in 0..orientations {
                    let sum = (orientation + from.orientation) % orientations;
                    to[from.piece * orientations + orientation] = Place { piece: slot, orientation: sum };
                }
            }
            to
        };
        let mut orbit = Orbit {
            slots,
            orientations,
            destination: (0..TURNS).map(destinations).collect(),
            cycle: cycle.iter().map(|&(face, quarters)| (3 * face.index()) as u8 + quarters - 1).collect(),
            first_turns: vec![UNREACHED; (slots * orientations).pow(3)],
        };
        orbit.find_setups();
        orbit
    }

    fn edges() -> &'static Orbit {
        static EDGES: OnceLock<Orbit> = OnceLock::new();
        EDGES.get_or_init(|| Orbit::new(2, EDGE_CYCLE, &|face, quarters| edge_move(face, quarters).to_vec()))
    }

    fn corners() -> &'static Orbit {
        static CORNERS: OnceLock<Orbit> = OnceLock::new();
        CORNERS.get_or_init(|| {
            Orbit::new(3, CORNER_CYCLE, &|face, quarters| corner_move(face, quarters).to_vec())
        })
    }

    fn turn(&self, turn: Turn, place: Place) -> Place {
        self.destination[usize::from(turn)][self.code(place)]
    }

    fn code(&self, place: Place) -> usize {
        place.piece * self.orientations + place.orientation
    }

    fn index(&self, triple: [Place; 3]) -> usize {
        let places = self.slots * self.orientations;
        triple.into_iter().fold(0, |index, place| index * places + self.code(place))
    }

    /// Breadth-first search backwards from the triples that the sequence itself cycles.
    fn find_setups(&mut self) {
        let places = (0..self.slots)
            .flat_map(|piece| (0..self.orientations).map(move |orientation| Place { piece, orientation }));
        let after = |place: Place| self.cycle.iter().fold(place, |place, &turn| self.turn(turn, place));
        let moved: Vec<[Place; 3]> = places
            .filter(|&place| after(place) != place)
            .map(|place| [place, after(place), after(after(place))])
            .collect();
        let mut queue: VecDeque<[Place; 3]> = moved.into();
        for triple in &queue {
            let index = self.index(*triple);
            self.first_turns[index] = NO_SETUP;
        }
        while let Some(triple) = queue.pop_front() {
            for turn in 0..TURNS {
                let before = triple.map(|place| self.turn(inverse(turn), place));
                let index = self.index(before);
                if self.first_turns[index] == UNREACHED {
                    self.first_turns[index] = turn;
                    queue.push_back(before);
                }
            }
        }
    }

    /// The setup that takes a triple to the places of the cycle.
    fn setup(&self, mut triple: [Place; 3]) -> Vec<Turn> {
        let mut setup = Vec::new();
        while let turn @ 0..TURNS = self.first_turns[self.index(triple)] {
            setup.push(turn);
            triple = triple.map(|place| self.turn(turn, place));
        }
        setup
    }

    /// Appends a 3-cycle of these places to `turns` and makes it.
    fn make(&self, triple: [Place; 3], pieces: &mut [Cubie], turns: &mut Vec<Turn>) {
        let setup = self.setup(triple);
        turns.extend(&setup);
        turns.extend(&self.cycle);
        turns.extend(setup.iter().rev().map(|&turn| inverse(turn)));
        let before = pieces.to_vec();
        for (from, to) in [(0, 1), (1, 2), (2, 0)].map(|(from, to)| (triple[from], triple[to])) {
            let Cubie { piece, orientation } = before[from.piece];
            let turned = orientation + to.orientation + self.orientations - from.orientation;
            pieces[to.piece] = Cubie { piece, orientation: turned % self.orientations };
        }
    }

    /// Solves all pieces, given by slot. The permutation must be even and the sum of the orientations zero.
    fn solve(&self, pieces: &mut [Cubie], turns: &mut Vec<Turn>) -> Option<()> {
        // Every cycle solves a piece, except one for each pair of pieces that are only turned in their slots.
        for _ in 0..2 * self.slots {
            let unsolved = |slot: usize| pieces[slot] != Cubie { piece: slot, orientation: 0 };
            let Some(any) = (0..self.slots).find(|&slot| unsolved(slot)) else { return Some(()) };
            let cycles = (0..self.slots).filter(|&slot| pieces[slot].piece != slot);
            let triples = cycles.map(|slot| self.triple(slot, pieces));
            let shortest = triples.min_by_key(|&(solved, triple)| (2 - solved, self.setup(triple).len()));
            let triple = match shortest {
                Some((_, triple)) => triple,
                None => self.triple_of_turned(any, pieces),
            };
            self.make(triple, pieces, turns);
        }
        None
    }

    /// A cycle that takes the piece of `slot` home, and the number of pieces that it solves.
    fn triple(&self, slot: usize, pieces: &[Cubie]) -> (usize, [Place; 3]) {
        let Cubie { piece: home, orientation } = pieces[slot];
        let [first, second] = [Place { piece: slot, orientation }, Place { piece: home, orientation: 0 }];
        // The piece that gives way goes home too, unless its home is the slot that becomes free.
        let other = pieces[home];
        if other.piece != slot {
            let orientation = (self.orientations - other.orientation) % self.orientations;
            return (2, [first, second, Place { piece: other.piece, orientation }]);
        }
        (1, [first, second, self.third_place([slot, home], pieces)])
    }

    /// A cycle of pieces that are in their own slots, one of them turned in `slot`.
    fn triple_of_turned(&self, slot: usize, pieces: &[Cubie]) -> [Place; 3] {
        let first = Place { piece: slot, orientation: 0 };
        let second = self.third_place([slot, slot], pieces);
        [first, second, self.third_place([slot, second.piece], pieces)]
    }

    /// A place in another slot, whose piece is unsolved if possible.
    fn third_place(&self, used: [usize; 2], pieces: &[Cubie]) -> Place {
        let free = (0..self.slots).filter(|slot| !used.contains(slot));
        let solved = |slot: &usize| pieces[*slot] == Cubie { piece: *slot, orientation: 0 };
        Place { piece: free.min_by_key(solved).unwrap_or(0), orientation: 0 }
    }
}

/// The turns that solve a cube; `None` if no turns do.
fn solve(cube: Cube) -> Option<Vec<Turn>> {
    let (mut edges, mut corners, mut turns) = (cube.edges(), cube.corners(), Vec::new());
    if is_odd(&corners) {
        // A quarter turn makes both permutations even.
        let turned = |pieces: &[Cubie], moves: &[Cubie], orientations: usize| -> Vec<Cubie> {
            let from = |of: &Cubie| {
                let Cubie { piece, orientation } = pieces[of.piece];
                Cubie { piece, orientation: (orientation + of.orientation) % orientations }
            };
            moves.iter().map(from).collect()
        };
        let turned_edges = turned(&edges, &edge_move(Face::ALL[0], 1), 2);
        let turned_corners = turned(&corners, &corner_move(Face::ALL[0], 1), 3);
        edges.copy_from_slice(&turned_edges);
        corners.copy_from_slice(&turned_corners);
        turns.push(0);
    }
    Orbit::edges().solve(&mut edges, &mut turns)?;
    Orbit::corners().solve(&mut corners, &mut turns)?;
    Some(cancel(&turns))
}

/// Joins consecutive turns of the same face.
fn cancel(turns: &[Turn]) -> Vec<Turn> {
    let mut result: Vec<Turn> = Vec::with_capacity(turns.len());
    for &turn in turns {
        match result.last() {
            Some(&last) if last / 3 == turn / 3 => {
                result.pop();
                let quarters = (last % 3 + turn % 3 + 2) % 4;
                if quarters > 0 {
                    result.push(turn / 3 * 3 + quarters - 1);
                }
            }
            _ => result.push(turn),
        }
    }
    result
}

/// The solver; see the module.
struct Constructive;

impl Solver<Cube3> for Constructive {
    fn solve(&self, cube: &Cube3, starts: &[Cube], control: &Control) -> Report {
        let mut outcome = Outcome::Unsolvable;
        for turns in starts.iter().filter_map(|&start| solve(start)) {
            let moves = |turn: Turn| cube.turns().moves_for(Face::ALL[usize::from(turn / 3)], turn % 3 + 1);
            let path: Vec<Move> = turns.into_iter().flat_map(moves).collect();
            let cost: Cost = cube.path_cost(&path);
            control.offer(&path, cost);
            outcome = Outcome::Solved;
        }
        let report = Report::from_control(outcome, control, Counts { generated: 1, ..Counts::default() });
        if control.all_solutions() { report.listing_best_only() } else { report }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Metric;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use untumble_search::frontend::PuzzleFrontend;

    #[test]
    fn every_cycle_has_a_setup() {
        for (orbit, triples) in [(Orbit::edges(), 12 * 11 * 10 * 8), (Orbit::corners(), 8 * 7 * 6 * 27)] {
            let reached = orbit.first_turns.iter().filter(|&&turn| turn != UNREACHED).count();
            assert_eq!(reached, triples);
            let sources = orbit.first_turns.iter().filter(|&&turn| turn == NO_SETUP).count();
            assert_eq!(sources, 3 * orbit.orientations, "the sequence moves three pieces");
        }
    }

    #[test]
    fn every_cube_is_solved_in_some_200_moves() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for metric in [Metric::Htm, Metric::Qtm] {
            let puzzle = Cube3::new(metric);
            let mut sum = 0;
            for _ in 0..300 {
                let start = puzzle.random(&mut rng);
                let report = Constructive.solve(&puzzle, &[start], &Control::default());
                let best = report.best.expect("every reachable cube is solved");
                assert_eq!(puzzle.replay(&start, &best.moves), Ok(Cube::SOLVED), "{start:?}");
                sum += best.moves.len();
            }
            assert!((100..300).contains(&(sum / 300)), "{} moves on average", sum / 300);
        }
        let flipped = Cube { edges: Cube::SOLVED.edges ^ 1, ..Cube::SOLVED };
        assert!(solve(flipped).is_none(), "one flipped edge has no solution");
    }

    #[test]
    fn pieces_turned_in_their_slots_are_solved() {
        let slots =
            |count: usize| (0..count).map(|piece| Cubie { piece, orientation: 0 }).collect::<Vec<_>>();
        for count in (2..=12).step_by(2) {
            let mut edges = slots(12);
            edges[..count].iter_mut().for_each(|edge| edge.orientation = 1);
            assert!(Orbit::edges().solve(&mut edges, &mut Vec::new()).is_some(), "{count} flipped edges");
        }
        for (twists, count) in [([1, 2, 0], 2), ([1, 1, 1], 3), ([2, 2, 2], 3)] {
            let mut corners = slots(8);
            (0..3).for_each(|slot| corners[slot].orientation = twists[slot]);
            assert!(
                Orbit::corners().solve(&mut corners, &mut Vec::new()).is_some(),
                "{count} twisted corners"
            );
        }
    }
}
