//! The distribution of the costs in a pattern database.

use untumble_search::control::{Control, Stop, TablePhase, TableProgress};
use untumble_search::tables::{TableId, ValueDistribution};

use super::pattern::Pattern;
use crate::tiles::Size;

/// The pattern of a table with this identity; `None` for other tables.
fn pattern_of(size: Size, id: &TableId) -> Option<Pattern> {
    let (blank, homes) = id.pattern.strip_prefix("gap")?.split_once('-')?;
    let homes: Option<Vec<usize>> = homes.split('.').map(|home| home.parse().ok()).collect();
    let pattern = Pattern { size, homes: homes?, blank: blank.parse().ok()? };
    let valid = pattern.homes.len() < size.cells()
        && pattern.homes.windows(2).all(|pair| pair[0] < pair[1])
        && pattern.homes.iter().chain([&pattern.blank]).all(|&home| home < size.cells());
    (valid && pattern.id() == *id).then_some(pattern)
}

/// The number of placements with each cost; `None` if the table is not a pattern database of this size of
/// board or has another length.
pub(in crate::tiles) fn distribution(
    size: Size,
    id: &TableId,
    contents: &[u8],
    control: &Control,
) -> Result<Option<ValueDistribution>, Stop> {
    let Some(pattern) = pattern_of(size, id).filter(|pattern| pattern.bytes() == contents.len()) else {
        return Ok(None);
    };
    let (cells, tiles) = (size.cells() as u64, pattern.homes.len() as u64);
    // The placements of all tiles but the last two.
    let total = (cells + 3 - tiles.max(2)..=cells).product();
    let name = format!("the values of {}", pattern.database_name());
    let progress = control.begin_table(name, TablePhase::Count, total);
    // No pattern of at most 8 tiles on at most 25 cells costs more than 255.
    let mut counter = Counter { pattern: &pattern, contents, control, counts: vec![0; 256], progress };
    let weights = pattern.index_weights();
    counter.count(&weights, &mut Vec::new(), 0, 0)?;
    counter.progress.finish();
    let value = "moves of these tiles to their homes, the least over the places of the blank";
    Ok(Some(ValueDistribution::new("placements", value, counter.counts)))
}

/// Enumerates placements in the order of their ranks.
struct Counter<'a> {
    pattern: &'a Pattern,
    contents: &'a [u8],
    control: &'a Control,
    counts: Vec<u64>,
    /// Counts the placements of all tiles but the last two.
    progress: TableProgress<'a>,
}

impl Counter<'_> {
    /// Counts the placements that extend `cells`, given the sums of their index and Manhattan distance.
    fn count(
        &mut self,
        weights: &[u64],
        cells: &mut Vec<usize>,
        index: u64,
        distance: u32,
    ) -> Result<(), Stop> {
        let Pattern { size, homes, .. } = self.pattern;
        let (tile, all) = (cells.len(), size.cells());
        if tile == homes.len() {
            if self.pattern.reachable(cells) {
                let entry = self.contents[(index / 2) as usize] >> (4 * (index % 2)) & 15;
                self.counts[(distance + 2 * u32::from(entry)) as usize] += 1;
            }
            return Ok(());
        }
        if tile + 2 == homes.len() {
            self.progress.add(1);
            self.control.poll()?;
        }
        let mut rank = 0;
        for cell in 0..all {
            if cells.contains(&cell) {
                continue;
            }
            let digit = if self.pattern.is_sparse() { cell as u64 } else { rank };
            rank += 1;
            let distance = distance + size.distance(cell, homes[tile]) as u32;
            cells.push(cell);
            self.count(weights, cells, index + digit * weights[tile], distance)?;
            cells.pop();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiles::pdb::build;
    use untumble_search::tables::{InMemory, Tables};

    /// The costs by the definition: each placement's entry at `Pattern::index` plus its Manhattan distance.
    #[test]
    fn every_reachable_placement_is_counted_once() {
        let control = Control::default();
        for (rows, columns, homes, blank) in [
            (3, 3, vec![1, 2, 4, 7], 0),
            (2, 4, vec![0, 1, 2, 3, 4, 5, 6], 7),
            (4, 4, vec![1, 4, 5], 0),
            (4, 5, vec![2, 3, 9], 0),
        ] {
            let size = Size { rows, columns };
            let pattern = Pattern { size, homes, blank };
            let id = pattern.id();
            let table = InMemory::default().get(&id, pattern.bytes(), &control, &mut |table, control| {
                build::fill(&pattern, table, control)
            });
            let table = table.expect("a small table");
            let mut counts = vec![0u64; 256];
            let mut placement = vec![0; pattern.homes.len()];
            let cells = size.cells();
            for number in 0..cells.pow(pattern.homes.len() as u32) {
                let mut rest = number;
                for cell in &mut placement {
                    *cell = rest % cells;
                    rest /= cells;
                }
                let distinct = (0..placement.len()).all(|tile| !placement[..tile].contains(&placement[tile]));
                if distinct && pattern.reachable(&placement) {
                    let index = pattern.index(&placement);
                    let entry = table.bytes()[index / 2] >> (4 * (index % 2)) & 15;
                    let distance: usize =
                        placement.iter().zip(&pattern.homes).map(|(&a, &b)| size.distance(a, b)).sum();
                    counts[distance + 2 * usize::from(entry)] += 1;
                }
            }
            let found = distribution(size, &id, table.bytes(), &control).expect("not stopped");
            let expected = ValueDistribution::new("placements", "", counts).counts;
            assert_eq!(found.map(|found| found.counts), Some(expected), "{pattern}");
            assert_eq!(distribution(size, &id, &table.bytes()[1..], &control), Ok(None), "a byte is missing");
        }
    }

    #[test]
    fn only_the_name_of_a_pattern_is_accepted() {
        let size = Size { rows: 4, columns: 4 };
        let id = |pattern: &str| TableId {
            puzzle: "tiles-4x4".into(),
            pattern: pattern.into(),
            metric: String::new(),
            version: 1,
        };
        assert!(pattern_of(size, &id("gap0-1.2.5")).is_some());
        for wrong in ["gap0-2.1", "gap0-16", "gap99-1", "gap0-", "gap-1", "1.2", "gap0-01", ""] {
            assert_eq!(pattern_of(size, &id(wrong)), None, "{wrong}");
        }
    }
}
