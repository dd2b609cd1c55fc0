//! Korf's corner pattern database (AAAI 1997): the distances of all 8! · 3⁷ = 88,179,840 corner positions,
//! four bits each.

use std::sync::Arc;

use untumble_search::control::{Control, Stop};
use untumble_search::error::Error;
use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::prefetch::prefetch;
use untumble_search::puzzle::{Cost, Edge};
use untumble_search::tables::{Table, TableId, Tables, ValueDistribution, count_nibbles};

use super::permutations::{rank, unrank};
use crate::cube::coordinate_pair::{self, CoordinatePair};
use crate::cube::pieces::{Cubie, compose, corner_move, identity};
use crate::cube3::{Cube, Cube3};

/// Permutations of the corners.
pub(in crate::cube3) const PERMUTATIONS: usize = 40_320;
/// Orientations of the corners with sum 0.
pub(in crate::cube3) const TWISTS: usize = 2187;
pub(in crate::cube3) const TABLE_BYTES: usize = PERMUTATIONS * TWISTS / 2;
/// Bytes of memory while the table is built, including the table and its move tables.
pub(in crate::cube3) const BUILD_BYTES: u64 = (TABLE_BYTES + 2 * 18 * (PERMUTATIONS + TWISTS)) as u64;

/// The pattern database with its move tables.
pub struct Corners {
    table: Arc<Table>,
    /// Permutation (row) and twist (column).
    pub(in crate::cube3) pair: CoordinatePair,
}

/// Corner coordinates and their distance.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    pub(in crate::cube3) permutation: u16,
    pub(in crate::cube3) twist: u16,
    bound: u8,
}

/// The identifier of the table.
pub(in crate::cube3) fn id(cube: &Cube3) -> TableId {
    TableId {
        puzzle: "cube3".into(),
        pattern: "corners".into(),
        metric: cube.turns().metric().name().into(),
        version: 1,
    }
}

/// The coordinates of corners: the rank of the permutation, and the orientations of the first seven corners
/// in base 3 (the twist).
pub(in crate::cube3) fn coordinates(corners: &[Cubie; 8]) -> (u16, u16) {
    let pieces = corners.map(|cubie| cubie.piece as u8);
    let twist = corners[..7].iter().fold(0, |twist, cubie| 3 * twist + cubie.orientation);
    (rank(&pieces) as u16, twist as u16)
}

/// Corners with the permutation of rank `index` and orientation 0.
pub(in crate::cube3) fn corners_with_permutation(index: usize) -> [Cubie; 8] {
    let pieces = unrank(index, 8);
    std::array::from_fn(|slot| Cubie { piece: pieces[slot].into(), orientation: 0 })
}

/// Corners at home with the twist `index`.
pub(in crate::cube3) fn corners_with_twist(index: usize) -> [Cubie; 8] {
    let (mut corners, mut digits, mut sum) = (identity::<8>(), index, 0);
    for cubie in corners[..7].iter_mut().rev() {
        cubie.orientation = digits % 3;
        sum += cubie.orientation;
        digits /= 3;
    }
    corners[7].orientation = (21 - sum) % 3;
    corners
}

/// Builds the move tables.
fn build_pair(cube: &Cube3, control: &Control) -> Result<CoordinatePair, Stop> {
    let turns: Vec<_> =
        cube.turns().all().iter().map(|&(face, quarters)| corner_move(face, quarters)).collect();
    let row =
        |index: usize, m: usize| coordinates(&compose(&corners_with_permutation(index), &turns[m], 3)).0;
    let column = |index: usize, m: usize| coordinates(&compose(&corners_with_twist(index), &turns[m], 3)).1;
    CoordinatePair::new("corners", turns.len(), PERMUTATIONS, TWISTS, control, row, column)
}

impl Corners {
    /// Loads the table from `tables`, or builds it.
    pub fn new(cube: &Cube3, tables: &dyn Tables, control: &Control) -> Result<Corners, Error> {
        let pair = build_pair(cube, control)?;
        let table = tables.get(&id(cube), TABLE_BYTES, control, &mut |table, control| {
            coordinate_pair::fill(&pair, table, control)
        })?;
        Ok(Corners { table, pair })
    }

    /// The number of corner positions at each distance; `None` for other tables or contents of another
    /// length.
    pub(in crate::cube3) fn distribution(
        cube: &Cube3,
        table: &TableId,
        contents: &[u8],
    ) -> Option<ValueDistribution> {
        (*table == id(cube) && contents.len() == TABLE_BYTES).then(|| {
            let counts = count_nibbles(contents, 2 * TABLE_BYTES as u64);
            ValueDistribution::new("positions of the corners", "moves to solve the corners", counts)
        })
    }

    /// The bytes of the table: two distances each, the lower four bits first.
    pub fn bytes(&self) -> &[u8] {
        self.table.bytes()
    }

    #[inline(always)]
    fn index(permutation: u16, twist: u16) -> usize {
        usize::from(permutation) * TWISTS + usize::from(twist)
    }

    #[inline(always)]
    fn bound(&self, permutation: u16, twist: u16) -> u8 {
        let index = Corners::index(permutation, twist);
        self.table.bytes()[index / 2] >> (4 * (index % 2)) & 15
    }
}

impl Heuristic<Cube3> for Corners {
    type Value = Value;

    const PREFETCHES: bool = true;

    fn admissibility(&self) -> Admissibility {
        Admissibility::Consistent
    }

    fn start(&self, _puzzle: &Cube3, cube: &Cube) -> Value {
        let (permutation, twist) = coordinates(&cube.corners());
        Value { permutation, twist, bound: self.bound(permutation, twist) }
    }

    #[inline(always)]
    fn step(&self, value: &Value, edge: &Edge<'_, Cube3>, budget: Cost) -> Result<Value, Cost> {
        let m = edge.m.index();
        let (permutation, twist) =
            (self.pair.next_row(value.permutation, m), self.pair.next_column(value.twist, m));
        let bound = self.bound(permutation, twist);
        if Cost::from(bound) > budget { Err(bound.into()) } else { Ok(Value { permutation, twist, bound }) }
    }

    #[inline(always)]
    fn prefetch(&self, value: &Value, edge: &Edge<'_, Cube3>, _budget: Cost) {
        let m = edge.m.index();
        let index =
            Corners::index(self.pair.next_row(value.permutation, m), self.pair.next_column(value.twist, m));
        prefetch(self.table.bytes(), index / 2);
    }

    #[inline(always)]
    fn cost(&self, value: &Value) -> Cost {
        value.bound.into()
    }
}
