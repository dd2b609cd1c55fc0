//! The exact cost of bringing all corners home, tabulated: 8! · 3⁷ = 88,179,840 positions, four bits each.

use std::sync::Arc;

use untumble_search::control::Control;
use untumble_search::error::Error;
use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::prefetch::prefetch;
use untumble_search::puzzle::{Cost, Edge};
use untumble_search::tables::{Table, TableId, Tables};

use super::orders::{number, order};
use crate::cube::grid::{self, Grid};
use crate::cube::pieces::{Placed, after, solved, turned_corners};
use crate::cube3::{Cube, Cube3};

pub(in crate::cube3) const ORDERS: usize = 40_320;
pub(in crate::cube3) const TWISTS: usize = 2187;
/// Bytes of the table.
pub(in crate::cube3) const LENGTH: usize = ORDERS * TWISTS / 2;
/// Bytes while it is built.
pub(in crate::cube3) const BUILDING: u64 = (LENGTH + ORDERS * TWISTS) as u64;

/// The table, and what moves make of orders and twists.
pub struct Corners {
    table: Arc<Table>,
    pub(in crate::cube3) grid: Grid,
}

/// Where the corners are, and what they need.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    pub(in crate::cube3) order: u16,
    pub(in crate::cube3) twist: u16,
    bound: u8,
}

pub(in crate::cube3) fn id(cube: &Cube3) -> TableId {
    TableId {
        puzzle: "cube3".into(),
        pattern: "corners".into(),
        metric: cube.turns().metric().name().into(),
        version: 1,
    }
}

/// The number of the corners' order, and of their twists.
pub(in crate::cube3) fn numbered(corners: &[Placed; 8]) -> (u16, u16) {
    let pieces = corners.map(|placed| placed.piece as u8);
    let twist = corners[..7].iter().fold(0, |twist, placed| 3 * twist + placed.turn);
    (number(&pieces) as u16, twist as u16)
}

/// The order of a number, nothing twisted.
pub(in crate::cube3) fn ordered(place: usize) -> [Placed; 8] {
    let pieces = order(place, 8);
    std::array::from_fn(|slot| Placed { piece: pieces[slot].into(), turn: 0 })
}

/// The twists of a number, everything in order.
pub(in crate::cube3) fn twisted(place: usize) -> [Placed; 8] {
    let (mut corners, mut rest, mut sum) = (solved::<8>(), place, 0);
    for placed in corners[..7].iter_mut().rev() {
        placed.turn = rest % 3;
        sum += placed.turn;
        rest /= 3;
    }
    corners[7].turn = (21 - sum) % 3;
    corners
}

fn grid(cube: &Cube3) -> Grid {
    let turns: Vec<_> =
        cube.turns().list().iter().map(|&(face, quarters)| turned_corners(face, quarters)).collect();
    let row = |place: usize, m: usize| numbered(&after(&ordered(place), &turns[m], 3)).0;
    let column = |place: usize, m: usize| numbered(&after(&twisted(place), &turns[m], 3)).1;
    Grid::new("corners", turns.len(), ORDERS, TWISTS, row, column)
}

impl Corners {
    /// Made ready, built where `tables` does not have it.
    pub fn new(cube: &Cube3, tables: &dyn Tables, control: &Control) -> Result<Corners, Error> {
        let grid = grid(cube);
        let table = tables
            .get(&id(cube), LENGTH, control, &mut |bytes, control| grid::fill(&grid, bytes, control))?;
        Ok(Corners { table, grid })
    }

    /// The table itself: four bits for each position, the lower ones first.
    pub fn bytes(&self) -> &[u8] {
        self.table.bytes()
    }

    #[inline(always)]
    fn place(order: u16, twist: u16) -> usize {
        usize::from(order) * TWISTS + usize::from(twist)
    }

    #[inline(always)]
    fn bound(&self, order: u16, twist: u16) -> u8 {
        let place = Corners::place(order, twist);
        self.table.bytes()[place / 2] >> (4 * (place % 2)) & 15
    }
}

impl Heuristic<Cube3> for Corners {
    type Value = Value;

    const PREFETCHES: bool = true;

    fn admissibility(&self) -> Admissibility {
        Admissibility::Consistent
    }

    fn start(&self, _puzzle: &Cube3, cube: &Cube) -> Value {
        let (order, twist) = numbered(&cube.corners());
        Value { order, twist, bound: self.bound(order, twist) }
    }

    #[inline(always)]
    fn step(&self, value: &Value, edge: &Edge<'_, Cube3>, left: Cost) -> Result<Value, Cost> {
        let m = edge.m.index();
        let (order, twist) = (self.grid.row(value.order, m), self.grid.column(value.twist, m));
        let bound = self.bound(order, twist);
        if Cost::from(bound) > left { Err(bound.into()) } else { Ok(Value { order, twist, bound }) }
    }

    #[inline(always)]
    fn prefetch(&self, value: &Value, edge: &Edge<'_, Cube3>, _left: Cost) {
        let m = edge.m.index();
        let place = Corners::place(self.grid.row(value.order, m), self.grid.column(value.twist, m));
        prefetch(self.table.bytes(), place / 2);
    }

    #[inline(always)]
    fn cost(&self, value: &Value) -> Cost {
        value.bound.into()
    }
}
