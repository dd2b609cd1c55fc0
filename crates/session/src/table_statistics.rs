//! Mean and distribution of the values of a table on disk.
//!
//! The table is read and verified once; the result is stored in a small file beside it, with the checksum of
//! the table that it belongs to. Later calls read only this file.

use std::fs;

use serde::{Deserialize, Serialize};

use untumble_search::control::Control;
use untumble_search::disk::{Disk, ReadError, TableFile};
use untumble_search::draft;
use untumble_search::family::PuzzleSettings;
use untumble_search::runtime::Runtime;
use untumble_search::tables::ValueDistribution;

use crate::input::open_puzzle;

/// The version of the meaning of stored statistics.
const FORMAT: u32 = 1;

/// The contents of a statistics file.
#[derive(Serialize, Deserialize, Debug)]
struct StoredStatistics {
    format: u32,
    /// The checksum and the size in bytes of the table.
    checksum: u32,
    bytes: u64,
    counted: String,
    value: String,
    counts: Vec<u64>,
    sampled: bool,
}

impl StoredStatistics {
    fn of(file: &TableFile, distribution: &ValueDistribution) -> StoredStatistics {
        StoredStatistics {
            format: FORMAT,
            checksum: file.checksum,
            bytes: file.bytes,
            counted: distribution.counted.to_string(),
            value: distribution.value.to_string(),
            counts: distribution.counts.clone(),
            sampled: distribution.sampled,
        }
    }

    fn belongs_to(&self, file: &TableFile) -> bool {
        (self.format, self.checksum, self.bytes) == (FORMAT, file.checksum, file.bytes)
    }
}

/// The statistics that an earlier call of [`table_statistics`] stored beside the table.
pub fn stored_table_statistics(file: &TableFile) -> Option<ValueDistribution> {
    let text = fs::read_to_string(file.statistics_path()).ok()?;
    let stored: StoredStatistics = serde_json::from_str(&text).ok()?;
    stored.belongs_to(file).then(|| ValueDistribution {
        counted: stored.counted.into(),
        value: stored.value.into(),
        counts: stored.counts,
        sampled: stored.sampled,
    })
}

/// The distribution of the values of a table: the stored one, or counted now and stored. `None` if no puzzle
/// of the runtime knows the table. Builds nothing.
pub fn table_statistics(
    runtime: &Runtime,
    disk: &Disk,
    file: &TableFile,
    control: &Control,
) -> Result<Option<ValueDistribution>, ReadError> {
    if let Some(stored) = stored_table_statistics(file) {
        return Ok(Some(stored));
    }
    let id = file.id.as_ref().map_err(Clone::clone)?;
    let metric = Some(id.metric.clone()).filter(|metric| !metric.is_empty());
    let settings = PuzzleSettings { goal: None, metric };
    let Ok(puzzle) = open_puzzle(runtime, &id.puzzle, &settings) else { return Ok(None) };
    let contents = disk.read(file, control)?.into();
    let Some(distribution) = puzzle.value_distribution(id, &contents, control)? else { return Ok(None) };
    if let Ok(text) = serde_json::to_vec(&StoredStatistics::of(file, &distribution)) {
        // In a folder that is read-only the values are counted again next time.
        let _ = draft::replace(&file.statistics_path(), &text);
    }
    Ok(Some(distribution))
}
