//! The sum of single-corner distances (the 3D Manhattan distance of Korf, AAAI 1997). A move moves four
//! corners, so a quarter of the sum, rounded up, is a lower bound.

use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::puzzle::{Cost, Edge, Puzzle};

use super::coordinates::{ANY_TWISTS, cubies_of};
use super::{Corners, Cube2, PERMUTATIONS};
use crate::cube::pieces::corner_move;
use crate::cube::single_piece::distances_to_home;

/// Corners that a move moves.
const MOVED: Cost = 4;

/// The heuristic: 73 KB of tables.
pub struct Manhattan {
    /// By permutation and slot: the index into `distances` of its corner with orientation 0.
    indices: Vec<[u8; 8]>,
    /// By twist and slot: the orientation, added to that index.
    twists: Vec<[u8; 8]>,
    /// By slot, corner and orientation: the distance of the corner from home.
    distances: Vec<u8>,
}

impl Manhattan {
    /// The heuristic for the moves of `cube`.
    pub fn new(cube: &Cube2) -> Manhattan {
        let turns: Vec<_> =
            cube.turns().all().iter().map(|&(face, quarters)| corner_move(face, quarters)).collect();
        let mut distances = vec![0; 8 * 24];
        for corner in 0..8 {
            for (index, distance) in distances_to_home(&turns, 3, corner).into_iter().enumerate() {
                distances[24 * (index / 3) + 3 * corner + index % 3] = distance;
            }
        }
        let with_permutation = |permutation| cubies_of(Corners { permutation: permutation as u16, twist: 0 });
        let with_twist = |twist| cubies_of(Corners { permutation: 0, twist: twist as u16 });
        Manhattan {
            indices: (0..PERMUTATIONS)
                .map(|permutation| {
                    std::array::from_fn(|slot| {
                        (24 * slot + 3 * with_permutation(permutation)[slot].piece) as u8
                    })
                })
                .collect(),
            twists: (0..ANY_TWISTS)
                .map(|twist| with_twist(twist).map(|cubie| cubie.orientation as u8))
                .collect(),
            distances,
        }
    }

    /// The lower bound of a position.
    #[inline]
    fn bound(&self, corners: Corners) -> Cost {
        let indices = &self.indices[usize::from(corners.permutation)];
        let twists = &self.twists[usize::from(corners.twist)];
        let sum: Cost = indices
            .iter()
            .zip(twists)
            .map(|(&index, &twist)| Cost::from(self.distances[usize::from(index) + usize::from(twist)]))
            .sum();
        sum.div_ceil(MOVED)
    }
}

impl Heuristic<Cube2> for Manhattan {
    type Value = Cost;

    fn admissibility(&self) -> Admissibility {
        Admissibility::Consistent
    }

    fn start(&self, _cube: &Cube2, corners: &Corners) -> Cost {
        self.bound(*corners)
    }

    #[inline]
    fn step(&self, _value: &Cost, edge: &Edge<'_, Cube2>, budget: Cost) -> Result<Cost, Cost> {
        let bound = self.bound(edge.puzzle.apply(edge.parent, edge.m));
        if bound > budget { Err(bound) } else { Ok(bound) }
    }

    #[inline]
    fn cost(&self, value: &Cost) -> Cost {
        *value
    }
}
