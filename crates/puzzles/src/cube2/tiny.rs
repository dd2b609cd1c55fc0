//! A bound from a table of few bytes: the least distance of all positions that fall into the same bucket.
//!
//! Positions that look alike from three sides count as one. Buckets are of unequal size, so that a position's bound may be poor where its
//! neighbours' are good: with raised parents that is worth more than the same bytes spread evenly.

use std::ops::RangeInclusive;
use std::sync::Arc;

use untumble_search::control::{Control, Stop};
use untumble_search::error::Error;
use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::puzzle::{Cost, Edge, Puzzle, Ranked};
use untumble_search::spec::SpecError;
use untumble_search::tables::{Table, TableId, Tables};

use super::symmetry::Symmetry;
use super::{Corners, Cube2, TWISTS, full, rank};

/// Buckets, four bits each, where no other number is asked for; 92 KB when deflated, 105 KB in quarter turns.
pub const BUCKETS: usize = 330_000;
/// Fewer hardly bound anything; more would be as large as all distances.
pub const SIZES: RangeInclusive<usize> = 1000..=4_000_000;

/// Where the buckets end and it is said how many positions have each bound, in four bytes each.
fn counts_at(buckets: usize) -> usize {
    buckets.div_ceil(2)
}

/// Bytes of the table.
fn length(buckets: usize) -> usize {
    counts_at(buckets) + 16 * 4
}

/// The table.
#[derive(Clone)]
pub struct Tiny {
    table: Arc<Table>,
    symmetry: Arc<Symmetry>,
    buckets: usize,
}

/// A position as seen from three sides, and its bound.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    seen: [Corners; 3],
    bound: u8,
}

impl Tiny {
    /// Made ready with so many buckets, built where `tables` does not have it.
    pub fn new(cube: &Cube2, buckets: usize, tables: &dyn Tables, control: &Control) -> Result<Tiny, Error> {
        let symmetry = Symmetry::new(cube);
        let table = tables.get(&id(cube, buckets), length(buckets), control, &mut |bytes, control| {
            fill(cube, buckets, &symmetry, bytes, control)
        })?;
        Ok(Tiny { table, symmetry: Arc::new(symmetry), buckets })
    }

    /// The same with as many buckets as an argument says.
    pub(super) fn sized(
        cube: &Cube2,
        argument: Option<&str>,
        tables: &dyn Tables,
        control: &Control,
    ) -> Result<Tiny, Error> {
        let buckets = argument.map_or(Some(BUCKETS), |text| text.parse().ok());
        let Some(buckets) = buckets.filter(|buckets| SIZES.contains(buckets)) else {
            return Err(SpecError::ArgumentInvalid {
                heuristic: "tiny".into(),
                argument: argument.unwrap_or_default().into(),
                reason: format!("expected a number of buckets from {} to {}", SIZES.start(), SIZES.end()),
            }
            .into());
        };
        Tiny::new(cube, buckets, tables, control)
    }

    /// How many positions have each bound, if the table is there.
    pub(super) fn counts(
        cube: &Cube2,
        buckets: usize,
        tables: &dyn Tables,
        control: &Control,
    ) -> Option<Vec<u64>> {
        let table = tables.get(&id(cube, buckets), length(buckets), control, &mut full::refuse).ok()?;
        let count = |bytes: &[u8]| bytes.iter().rev().fold(0, |count, &byte| count << 8 | u64::from(byte));
        Some(table.bytes()[counts_at(buckets)..].chunks(4).map(count).collect())
    }

    /// The table itself.
    pub fn bytes(&self) -> &[u8] {
        self.table.bytes()
    }

    #[inline]
    fn bound(&self, seen: &[Corners; 3]) -> u8 {
        let bucket = bucket(seen, self.buckets);
        self.table.bytes()[bucket / 2] >> (4 * (bucket % 2)) & 15
    }
}

fn id(cube: &Cube2, buckets: usize) -> TableId {
    let pattern = if buckets == BUCKETS { "tiny".into() } else { format!("tiny-{buckets}") };
    TableId { pattern, version: 2, ..full::id(cube) }
}

/// How many buckets a table of this name has, if it is one of these.
pub(super) fn buckets_of(cube: &Cube2, table: &TableId) -> Option<usize> {
    let buckets = match table.pattern.strip_prefix("tiny-") {
        Some(buckets) => buckets.parse().ok().filter(|buckets| SIZES.contains(buckets))?,
        None => BUCKETS,
    };
    (*table == id(cube, buckets)).then_some(buckets)
}

/// Where a position goes, from whichever side it is seen.
#[inline]
fn bucket(seen: &[Corners; 3], buckets: usize) -> usize {
    let least = rank(seen[0]).min(rank(seen[1])).min(rank(seen[2]));
    let mixed = (least as u32).wrapping_mul(0x9E37_79B1);
    // Squared: the last buckets are half as full as the mean one, the first ones much fuller. Evenly filled, raising
    // parents saves 33 % of the nodes, like this 49 %, and fewer nodes are left.
    let squared = (u64::from(mixed) * u64::from(mixed)) >> 32;
    ((squared * buckets as u64) >> 32) as usize
}

fn sides(symmetry: &Symmetry, corners: Corners) -> [Corners; 3] {
    let second = symmetry.seen(corners);
    [corners, second, symmetry.seen(second)]
}

fn fill(
    cube: &Cube2,
    buckets: usize,
    symmetry: &Symmetry,
    bytes: &mut [u8],
    control: &Control,
) -> Result<(), Stop> {
    let _reserved = control.reserve((full::LENGTH + 4 * buckets) as u64)?;
    let distances = full::distances(cube, control)?;
    let (bytes, counts) = bytes.split_at_mut(counts_at(buckets));
    let mut sizes = vec![0u32; buckets];
    bytes.fill(0xff);
    for (place, &distance) in distances.iter().enumerate() {
        if place.is_multiple_of(1 << 16) {
            control.poll()?;
        }
        let bucket = bucket(&sides(symmetry, cube.unrank(place as u64)), buckets);
        sizes[bucket] += 1;
        let (byte, shift) = (&mut bytes[bucket / 2], 4 * (bucket % 2));
        if *byte >> shift & 15 > distance {
            *byte = *byte & !(15 << shift) | distance << shift;
        }
    }
    let mut positions = [0u32; 16];
    for (bucket, size) in sizes.into_iter().enumerate() {
        positions[usize::from(bytes[bucket / 2] >> (4 * (bucket % 2)) & 15)] += size;
    }
    for (bytes, count) in counts.chunks_mut(4).zip(positions) {
        bytes.copy_from_slice(&count.to_le_bytes());
    }
    Ok(())
}

impl Heuristic<Cube2> for Tiny {
    type Value = Value;

    fn admissibility(&self) -> Admissibility {
        Admissibility::Admissible
    }

    fn start(&self, _cube: &Cube2, corners: &Corners) -> Value {
        // Twists that cannot be undone are refused before any search; a bound of 1 keeps one going that is told to try.
        let twist = corners.twist % TWISTS as u16;
        let seen = sides(&self.symmetry, Corners { twist, ..*corners });
        let bound = if twist == corners.twist { self.bound(&seen) } else { 1 };
        Value { seen, bound }
    }

    #[inline]
    fn step(&self, value: &Value, edge: &Edge<'_, Cube2>, left: Cost) -> Result<Value, Cost> {
        let second = self.symmetry.seen_move(edge.m);
        let third = self.symmetry.seen_move(second);
        let [a, b, c] = &value.seen;
        let cube = edge.puzzle;
        let seen = [cube.apply(a, edge.m), cube.apply(b, second), cube.apply(c, third)];
        let bound = self.bound(&seen);
        if Cost::from(bound) > left { Err(bound.into()) } else { Ok(Value { seen, bound }) }
    }

    #[inline]
    fn cost(&self, value: &Value) -> Cost {
        value.bound.into()
    }
}
