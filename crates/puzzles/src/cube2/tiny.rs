//! A small admissible table: the least distance of all positions that hash to the same bucket
//! (min-compression; Felner, Korf, Meshulam & Holte, *Compressed Pattern Databases*, JAIR 2007).
//!
//! Positions that are conjugate under the three rotations about DBL share a bucket. Bucket sizes are
//! deliberately unequal, which makes the heuristic inconsistent: a position with a poor bound often has a
//! neighbour with a good one, and BPMX (Felner et al., 2005) propagates it.

use std::ops::RangeInclusive;
use std::sync::Arc;

use untumble_search::control::{Control, Stop};
use untumble_search::error::Error;
use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::puzzle::{Cost, Edge, Puzzle, Ranked};
use untumble_search::spec::SpecError;
use untumble_search::tables::{Table, TableId, Tables, ValueDistribution};

use super::symmetry::Symmetry;
use super::{Corners, Cube2, TWISTS, full, rank};

/// The name of the heuristic in specs.
pub(super) const NAME: &str = "tiny";
/// The number of buckets if the argument is missing.
pub(super) const DEFAULT_ARGUMENT: &str = "330000";
/// Default number of buckets, four bits each. The table deflates to 92 KB, in quarter-turn metric to 105 KB.
pub const BUCKETS: usize = match usize::from_str_radix(DEFAULT_ARGUMENT, 10) {
    Ok(buckets) => buckets,
    Err(_) => panic!("the default is not a number"),
};
/// Accepted numbers of buckets.
pub const SIZES: RangeInclusive<usize> = 1000..=4_000_000;

/// Byte offset of the counts, which follow the buckets: the number of positions with each bound, in four
/// bytes each.
fn counts_offset(buckets: usize) -> usize {
    buckets.div_ceil(2)
}

/// Bytes of the table.
fn table_bytes(buckets: usize) -> usize {
    counts_offset(buckets) + 16 * 4
}

/// The table with its symmetry.
#[derive(Clone)]
pub struct TinyTable {
    table: Arc<Table>,
    symmetry: Arc<Symmetry>,
    buckets: usize,
}

/// The conjugates of a position, and its bound.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    conjugates: [Corners; 3],
    bound: u8,
}

impl TinyTable {
    /// Loads the table with a number of buckets from `tables`, or builds it.
    pub fn new(
        cube: &Cube2,
        buckets: usize,
        tables: &dyn Tables,
        control: &Control,
    ) -> Result<TinyTable, Error> {
        let symmetry = Symmetry::new(cube);
        let table =
            tables.get(&id(cube, buckets), table_bytes(buckets), control, &mut |bytes, control| {
                fill(cube, buckets, &symmetry, bytes, control)
            })?;
        Ok(TinyTable { table, symmetry: Arc::new(symmetry), buckets })
    }

    /// Like [`TinyTable::new`], with the number of buckets given as a heuristic argument.
    pub(super) fn with_argument(
        cube: &Cube2,
        argument: &str,
        tables: &dyn Tables,
        control: &Control,
    ) -> Result<TinyTable, Error> {
        let Some(buckets) = parse_buckets(argument) else {
            return Err(SpecError::ArgumentInvalid {
                heuristic: NAME.into(),
                argument: argument.into(),
                reason: format!("expected a number of buckets from {} to {}", SIZES.start(), SIZES.end()),
            }
            .into());
        };
        TinyTable::new(cube, buckets, tables, control)
    }

    /// The number of positions with each bound; `None` for contents of another length.
    pub(super) fn distribution(buckets: usize, contents: &[u8]) -> Option<ValueDistribution> {
        let count = |bytes: &[u8]| bytes.iter().rev().fold(0, |count, &byte| count << 8 | u64::from(byte));
        (contents.len() == table_bytes(buckets)).then(|| {
            let counts = contents[counts_offset(buckets)..].chunks(4).map(count).collect();
            ValueDistribution::new("positions", "lower bound: least moves to solved in the bucket", counts)
        })
    }

    /// The bytes of the table.
    pub fn bytes(&self) -> &[u8] {
        self.table.bytes()
    }

    /// The lower bound of a position, given by its conjugates.
    #[inline]
    fn bound(&self, conjugates: &[Corners; 3]) -> u8 {
        let bucket = bucket(conjugates, self.buckets);
        self.table.bytes()[bucket / 2] >> (4 * (bucket % 2)) & 15
    }
}

/// The number of buckets in a heuristic argument; `None` if it is not a possible one.
pub(super) fn parse_buckets(text: &str) -> Option<usize> {
    text.parse().ok().filter(|buckets| SIZES.contains(buckets))
}

/// The identifier of the table with a number of buckets.
fn id(cube: &Cube2, buckets: usize) -> TableId {
    let pattern = if buckets == BUCKETS { NAME.into() } else { format!("tiny-{buckets}") };
    TableId { pattern, version: 2, ..full::id(cube) }
}

/// The number of buckets of a table with this id; `None` for other tables.
pub(super) fn buckets_of(cube: &Cube2, table: &TableId) -> Option<usize> {
    let buckets = match table.pattern.strip_prefix("tiny-") {
        Some(buckets) => parse_buckets(buckets)?,
        None => BUCKETS,
    };
    (*table == id(cube, buckets)).then_some(buckets)
}

/// The bucket of a position, equal for its conjugates.
#[inline]
fn bucket(conjugates: &[Corners; 3], buckets: usize) -> usize {
    let min_rank = rank(conjugates[0]).min(rank(conjugates[1])).min(rank(conjugates[2]));
    let hash = (min_rank as u32).wrapping_mul(0x9E37_79B1);
    // Squaring the hash makes the last buckets half as full as the mean and the first ones much fuller.
    // BPMX then saves 49 % of the nodes instead of 33 % with equal buckets, and the total is smaller.
    let square = (u64::from(hash) * u64::from(hash)) >> 32;
    ((square * buckets as u64) >> 32) as usize
}

/// A position and its conjugates under the rotations by 120° and 240°.
fn conjugates(symmetry: &Symmetry, corners: Corners) -> [Corners; 3] {
    let second = symmetry.conjugate(corners);
    [corners, second, symmetry.conjugate(second)]
}

/// Fills the buckets and the counts.
fn fill(
    cube: &Cube2,
    buckets: usize,
    symmetry: &Symmetry,
    bytes: &mut [u8],
    control: &Control,
) -> Result<(), Stop> {
    let _reserved = control.reserve((full::TABLE_BYTES + 4 * buckets) as u64)?;
    let distances = full::distances(cube, control)?;
    let (bytes, counts) = bytes.split_at_mut(counts_offset(buckets));
    let mut bucket_sizes = vec![0u32; buckets];
    bytes.fill(0xff);
    for (rank, &distance) in distances.iter().enumerate() {
        if rank.is_multiple_of(1 << 16) {
            control.poll()?;
        }
        let bucket = bucket(&conjugates(symmetry, cube.unrank(rank as u64)), buckets);
        bucket_sizes[bucket] += 1;
        let (byte, shift) = (&mut bytes[bucket / 2], 4 * (bucket % 2));
        if *byte >> shift & 15 > distance {
            *byte = *byte & !(15 << shift) | distance << shift;
        }
    }
    let mut positions_by_bound = [0u32; 16];
    for (bucket, size) in bucket_sizes.into_iter().enumerate() {
        positions_by_bound[usize::from(bytes[bucket / 2] >> (4 * (bucket % 2)) & 15)] += size;
    }
    for (bytes, count) in counts.chunks_mut(4).zip(positions_by_bound) {
        bytes.copy_from_slice(&count.to_le_bytes());
    }
    Ok(())
}

impl Heuristic<Cube2> for TinyTable {
    type Value = Value;

    fn admissibility(&self) -> Admissibility {
        Admissibility::Admissible
    }

    fn start(&self, _cube: &Cube2, corners: &Corners) -> Value {
        // Callers reject unsolvable positions before a search. If one searches them anyway, the bound 1
        // never counts as solved.
        let twist = corners.twist % TWISTS as u16;
        let conjugates = conjugates(&self.symmetry, Corners { twist, ..*corners });
        let bound = if twist == corners.twist { self.bound(&conjugates) } else { 1 };
        Value { conjugates, bound }
    }

    #[inline]
    fn step(&self, value: &Value, edge: &Edge<'_, Cube2>, budget: Cost) -> Result<Value, Cost> {
        let second = self.symmetry.conjugate_move(edge.m);
        let third = self.symmetry.conjugate_move(second);
        let [a, b, c] = &value.conjugates;
        let cube = edge.puzzle;
        let conjugates = [cube.apply(a, edge.m), cube.apply(b, second), cube.apply(c, third)];
        let bound = self.bound(&conjugates);
        if Cost::from(bound) > budget { Err(bound.into()) } else { Ok(Value { conjugates, bound }) }
    }

    #[inline]
    fn cost(&self, value: &Value) -> Cost {
        value.bound.into()
    }
}
