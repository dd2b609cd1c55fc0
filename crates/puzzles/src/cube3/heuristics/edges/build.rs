//! Breadth-first search over all positions of the edges, in the memory of the table; one word holds all
//! flips of a permutation.

use std::sync::{Mutex, PoisonError};

use untumble_search::control::{Control, Stop, TablePhase, TableProgress};
use untumble_search::memory::advise_huge;
use untumble_search::tables::{TableBuild, fill_polled};
use untumble_search::threads::run_parallel;

use super::Pattern;

/// Largest distance.
const MAX_DISTANCE: u8 = 14;
/// The entry of an unreached position.
const UNREACHED: u8 = 15;

/// By bit of an index: the mask of the indices in which the bit is 0.
const BIT_CLEAR: [u128; 7] = [
    0x5555_5555_5555_5555_5555_5555_5555_5555,
    0x3333_3333_3333_3333_3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f_0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff_00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff_0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff_0000_0000_ffff_ffff,
    0x0000_0000_0000_0000_ffff_ffff_ffff_ffff,
];

/// Permutes the bits of a word: toggles the bits of `mask` in the index of each.
#[inline(always)]
fn toggle_flips(word: u128, mask: u8) -> u128 {
    let (mut word, mut rest) = (word, mask);
    while rest != 0 {
        let bit = rest.trailing_zeros();
        let (bit_clear, shift) = (BIT_CLEAR[bit as usize], 1 << bit);
        word = (word & bit_clear) << shift | (word >> shift) & bit_clear;
        rest &= rest - 1;
    }
    word
}

/// The entries of a row that equal `value`, as bits. A row holds 64 or 128 entries of four bits.
#[inline(always)]
fn entries_equal(row: &[u8], value: u8) -> u128 {
    const LOW_BITS: u64 = 0x1111_1111_1111_1111;
    let mut mask = 0;
    for (index, bytes) in row.chunks_exact(8).enumerate() {
        let mut word = [0; 8];
        word.copy_from_slice(bytes);
        let difference = u64::from_le_bytes(word) ^ (u64::from(value) * LOW_BITS);
        let any_bit = difference | difference >> 1;
        let equal = !(any_bit | any_bit >> 2) & LOW_BITS;
        // Compress every fourth bit.
        let pairs = (equal | equal >> 3) & 0x0303_0303_0303_0303;
        let fours = (pairs | pairs >> 6) & 0x000f_000f_000f_000f;
        let eights = (fours | fours >> 12) & 0x0000_00ff_0000_00ff;
        mask |= u128::from((eights | eights >> 24) & 0xffff) << (16 * index);
    }
    mask
}

/// The positions of one level, a bit for each, in as many 64-bit words as the flips of a row need.
struct LevelBits {
    words: Vec<u64>,
    words_per_row: usize,
}

impl LevelBits {
    fn new(pattern: &Pattern) -> LevelBits {
        let words_per_row = (1 << pattern.edges) / 64;
        let mut words = vec![0; pattern.sets.len() * pattern.permutations() * words_per_row];
        advise_huge(&mut words);
        LevelBits { words, words_per_row }
    }

    /// The words of the rows of a set.
    fn set_words(&self, set: usize, permutations: usize) -> &[u64] {
        let length = permutations * self.words_per_row;
        &self.words[set * length..][..length]
    }

    /// Collects the entries of the table that equal `value`.
    fn collect(
        &mut self,
        pattern: &Pattern,
        table: &[u8],
        value: u8,
        control: &Control,
    ) -> Result<u64, Stop> {
        let (permutations, words_per_row) = (pattern.permutations(), self.words_per_row);
        let (row_bytes, set_words) = ((1 << pattern.edges) / 2, permutations * words_per_row);
        let parts = self.words.chunks_mut(set_words).zip(table.chunks(permutations * row_bytes));
        let parts = Mutex::new(parts);
        let counts = run_parallel(control.threads(), |_| {
            let mut count = 0;
            loop {
                control.poll()?;
                let part = parts.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((words, rows)) = part else { return Ok(count) };
                for (words, row) in words.chunks_mut(words_per_row).zip(rows.chunks(row_bytes)) {
                    let mask = entries_equal(row, value);
                    count += u64::from(mask.count_ones());
                    words.iter_mut().enumerate().for_each(|(at, word)| *word = (mask >> (64 * at)) as u64);
                }
            }
        });
        counts.into_iter().sum()
    }
}

/// Memory of the build besides the table.
pub(super) fn build_bytes(table_bytes: usize) -> u64 {
    table_bytes as u64 / 4
}

/// Fills a table with the distances, four bits each. A level can be run again after an interruption.
pub(super) fn fill(pattern: &Pattern, table: &mut TableBuild<'_>, control: &Control) -> Result<(), Stop> {
    let _reserved = control.reserve(build_bytes(table.len()))?;
    let total = 2 * table.len() as u64;
    let work = BuildWork::new(pattern);
    let name = format!("pattern database edges:{}", pattern.edges);
    let progress = control.begin_table(name, TablePhase::Build, work.done(work.levels + 1, total));
    let first = match table.restore(&mut [], control)? {
        Some(level @ 1..=14) => level as u8,
        _ => {
            fill_polled(table, 0xff, control)?;
            // The solved position: the first slots (set 0), identity permutation, no flips.
            table[0] = UNREACHED << 4;
            1
        }
    };
    let mut level = LevelBits::new(pattern);
    let mut reached = total - level.collect(pattern, table, UNREACHED, control)?;
    progress.add_earlier(work.done(first, reached));
    for distance in first.. {
        if reached == total {
            break;
        }
        assert!(distance <= MAX_DISTANCE, "every position is reached within {MAX_DISTANCE} moves");
        level.collect(pattern, table, distance - 1, control)?;
        reached += expand_level(pattern, &level, table, distance, (&progress, &work), control)?;
        table.save_if_due(u32::from(distance) + 1, &[], control)?;
    }
    progress.finish();
    Ok(())
}

/// The work of a build: the positions that it reaches, and a pass over all sets for each level.
struct BuildWork {
    /// The largest distance in the finished table.
    levels: u8,
    /// The number of sets, and the time that a pass takes for one, in the time of reaching a position.
    sets: u64,
    per_set: u64,
}

impl BuildWork {
    /// A pass takes about a third of the time of reaching all positions (edges:7).
    const PASSES: u64 = 3;

    fn new(pattern: &Pattern) -> BuildWork {
        // Half turns count once or twice.
        let levels = if pattern.moves == 18 { pattern.edges + 4 } else { pattern.edges + 5 };
        let per_set = (pattern.permutations() << pattern.edges) as u64 / Self::PASSES;
        BuildWork { levels: levels as u8, sets: pattern.sets.len() as u64, per_set }
    }

    /// The work before the level at `distance`, in which `reached` positions are reached.
    fn done(&self, distance: u8, reached: u64) -> u64 {
        u64::from(distance - 1) * self.sets * self.per_set + reached
    }
}

/// Writes the distance of all unreached positions with a neighbour in `level`. Returns their number.
fn expand_level(
    pattern: &Pattern,
    level: &LevelBits,
    table: &mut [u8],
    distance: u8,
    (progress, work): (&TableProgress<'_>, &BuildWork),
    control: &Control,
) -> Result<u64, Stop> {
    let permutations = pattern.permutations();
    let sets = Mutex::new(table.chunks_mut((permutations << pattern.edges) / 2).enumerate());
    let counts = run_parallel(control.threads(), |_| {
        let (mut count, mut next) = (0, vec![0; permutations]);
        loop {
            control.poll()?;
            let part = sets.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((set, bytes)) = part else { return Ok(count) };
            if level.words_per_row == 2 {
                expand::<2>(pattern, set, level, &mut next);
            } else {
                expand::<1>(pattern, set, level, &mut next);
            }
            let fresh = record(pattern.edges, &next, bytes, distance);
            progress.add(work.per_set + fresh);
            count += fresh;
        }
    });
    counts.into_iter().sum()
}

/// Collects the positions of a set with a neighbour in the level, one move at a time. `WORDS` is the number of
/// words of a row.
fn expand<const WORDS: usize>(pattern: &Pattern, set: usize, level: &LevelBits, next: &mut [u128]) {
    let permutations = pattern.permutations();
    next.fill(0);
    for m in 0..pattern.moves {
        let set_move = pattern.set_moves[set * pattern.moves + m];
        let neighbours = level.set_words(usize::from(set_move.set), permutations);
        let permutation_maps = &pattern.permutation_maps[set_move.permutation_map as usize..][..permutations];
        let flips = &pattern.flips[set_move.flips as usize..][..permutations];
        for ((word, &permutation), &mask) in next.iter_mut().zip(permutation_maps).zip(flips) {
            let first = WORDS * usize::from(permutation);
            let bits = (0..WORDS).map(|at| u128::from(neighbours[first + at]) << (64 * at));
            *word |= toggle_flips(bits.fold(0, |all, bits| all | bits), mask);
        }
    }
}

/// Writes the distance of the unreached positions of `next`. Returns their number.
fn record(edges: usize, next: &[u128], bytes: &mut [u8], distance: u8) -> u64 {
    let width = (1 << edges) / 2;
    let mut count = 0;
    for (&next, row) in next.iter().zip(bytes.chunks_mut(width)) {
        if next == 0 {
            continue;
        }
        let mut rest = next & entries_equal(row, UNREACHED);
        count += u64::from(rest.count_ones());
        while rest != 0 {
            let flips = rest.trailing_zeros() as usize;
            row[flips / 2] &= !((UNREACHED ^ distance) << (4 * (flips % 2)));
            rest &= rest - 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_entries_are_found() {
        let row: Vec<u8> = (0..64u32).map(|at| ((at * at * 37) >> 2) as u8).collect();
        for value in 0..16 {
            let entry = |at: usize| row[at / 2] >> (4 * (at % 2)) & 15;
            let expected = (0..128).filter(|&at| entry(at) == value).fold(0, |mask, at| mask | 1u128 << at);
            assert_eq!(entries_equal(&row, value), expected, "{value}");
            assert_eq!(entries_equal(&row[..32], value), expected & u128::from(u64::MAX), "{value}");
        }
    }

    #[test]
    fn toggle_flips_xors_bit_indices() {
        for mask in 0..128u8 {
            for flips in 0..128u8 {
                assert_eq!(toggle_flips(1 << flips, mask), 1 << (flips ^ mask));
            }
        }
    }
}
