//! The moves each corner needs by itself, added up: a move takes four corners along, so a quarter of the sum is a bound.

use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::puzzle::{Cost, Edge, Puzzle};

use super::coordinates::{ANY_TWISTS, placed};
use super::{Corners, Cube2, ORDERS};
use crate::cube::alone::far;
use crate::cube::pieces::turned_corners;

/// How many corners a move takes along.
const MOVED: Cost = 4;

/// The bound: 73 KB.
pub struct Manhattan {
    /// For each order, the place in `far` of the corner in each slot, not twisted.
    places: Vec<[u8; 8]>,
    /// For each twist, what adds to that.
    twists: Vec<[u8; 8]>,
    /// By slot, corner and twist.
    far: Vec<u8>,
}

impl Manhattan {
    /// For the moves of `cube`.
    pub fn new(cube: &Cube2) -> Manhattan {
        let turns: Vec<_> =
            cube.turns().list().iter().map(|&(face, quarters)| turned_corners(face, quarters)).collect();
        let mut table = vec![0; 8 * 24];
        for corner in 0..8 {
            for (place, distance) in far(&turns, 3, corner).into_iter().enumerate() {
                table[24 * (place / 3) + 3 * corner + place % 3] = distance;
            }
        }
        let order = |order| placed(Corners { order: order as u16, twist: 0 });
        let twist = |twist| placed(Corners { order: 0, twist: twist as u16 });
        Manhattan {
            places: (0..ORDERS)
                .map(|number| std::array::from_fn(|slot| (24 * slot + 3 * order(number)[slot].piece) as u8))
                .collect(),
            twists: (0..ANY_TWISTS).map(|number| twist(number).map(|placed| placed.turn as u8)).collect(),
            far: table,
        }
    }

    #[inline]
    fn bound(&self, corners: Corners) -> Cost {
        let places = &self.places[usize::from(corners.order)];
        let twists = &self.twists[usize::from(corners.twist)];
        let sum: Cost = places
            .iter()
            .zip(twists)
            .map(|(&place, &twist)| Cost::from(self.far[usize::from(place) + usize::from(twist)]))
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
    fn step(&self, _value: &Cost, edge: &Edge<'_, Cube2>, left: Cost) -> Result<Cost, Cost> {
        let bound = self.bound(edge.puzzle.apply(edge.parent, edge.m));
        if bound > left { Err(bound) } else { Ok(bound) }
    }

    #[inline]
    fn cost(&self, value: &Cost) -> Cost {
        *value
    }
}
