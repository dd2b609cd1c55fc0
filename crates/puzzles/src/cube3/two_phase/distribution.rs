//! The distribution of the distances in the pruning table of phase 1, estimated from a sample.
//!
//! The table holds distances modulo 3. A distance takes a walk to G1, too long for all 141 million entries.

use std::sync::Arc;

use untumble_search::control::{Control, Stop};
use untumble_search::perm::SplitMix64;
use untumble_search::tables::{Table, TableId, ValueDistribution};

use super::coordinates::TWISTS;
use super::phase1::{Phase1, Phase1Node};
use super::phase1_pruning::{self, ExactTable, Phase1Pruning};
use crate::cube3::Cube3;
use crate::cube3::symmetry::turn_index;

/// The number of positions in the sample: the mean is right to about 0.003 moves, and a sample takes 0.1 s.
const SAMPLES: u64 = 50_000;

/// The distances of a sample of phase-1 positions; `None` for other tables or contents of another length.
pub(in crate::cube3) fn distribution(
    cube: &Cube3,
    id: &TableId,
    contents: &Arc<Table>,
    control: &Control,
) -> Result<Option<ValueDistribution>, Stop> {
    let metric = cube.turns().metric();
    if *id != phase1_pruning::id(metric) || contents.bytes().len() != phase1_pruning::TABLE_BYTES {
        return Ok(None);
    }
    let phase1 = Phase1::new(cube.turns(), control)?;
    let turns: Vec<usize> =
        cube.turns().all().iter().map(|&(face, quarters)| turn_index(face, quarters)).collect();
    let table = ExactTable::with_contents(&phase1, &turns, Arc::clone(contents));
    let counts = sampled_distances(&table, &phase1, control)?;
    let value = "moves to the subgroup of phase 1 (the table holds them modulo 3)";
    Ok(Some(ValueDistribution { sampled: true, ..ValueDistribution::new("positions", value, counts) }))
}

/// The distances of pseudo-random phase-1 positions, drawn uniformly.
fn sampled_distances(table: &ExactTable, phase1: &Phase1, control: &Control) -> Result<Vec<u64>, Stop> {
    // By class: the number of positions in it and all classes before it.
    let mut ends: Vec<u64> = Vec::new();
    for stabilizer in &phase1.classes.stabilizers {
        let orbit = u64::from(16 / stabilizer.count_ones());
        ends.push(ends.last().unwrap_or(&0) + orbit);
    }
    let total = ends.last().copied().unwrap_or(1);
    let mut rng = SplitMix64(1);
    let mut counts = vec![0; 32];
    for number in 0..SAMPLES {
        if number.is_multiple_of(1 << 10) {
            control.poll()?;
        }
        let position = rng.next_u64() % total;
        let class = ends.partition_point(|&end| end <= position) as u16;
        let twist = (rng.next_u64() % TWISTS as u64) as u16;
        let distance = table.start(phase1, Phase1Node { class, twist, symmetry: 0 });
        counts[usize::from(distance)] += 1;
    }
    Ok(counts)
}
