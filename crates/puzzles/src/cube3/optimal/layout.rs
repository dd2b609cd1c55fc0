//! Two-bit table layout with a fallback value: 62 entries and their minimum in one 16-byte line.
//!
//! An entry stores `distance - base`, clamped to 0..=3. Code 0 stands for "at most `base`", which is rare;
//! the line's minimum, stored in its last four bits, is then the lower bound. Two-bit entries with a
//! fallback in the same cache line are used by nxopt (Rokicki), vcube (Skalski) and H48 (Tronto).

use untumble_search::control::Stop;

/// Bytes of a line.
pub(super) const LINE_BYTES: usize = 16;
/// Entries of a line.
pub(super) const LINE_ENTRIES: usize = 62;
/// Lines that hold one entry for each of the 495 sets of four slots out of twelve.
pub(super) const STRIPES: usize = 8;
/// Line minimum before the first entry is written.
pub(super) const UNSET: u8 = 15;

/// Sets all entries to the largest code and all line minima to [`UNSET`].
pub(super) fn clear(bytes: &mut [u8]) {
    bytes.fill(0xff);
}

/// Writes the code of an entry; the minimum becomes the least distance that a code of the line stands for.
#[inline]
pub(super) fn write_code(line: &mut [u8], entry: usize, code: u8, base: u8) {
    line[entry / 4] &= !((3 ^ code) << (2 * (entry % 4)));
    if base + code < line[LINE_BYTES - 1] >> 4 {
        write_minimum(line, base + code);
    }
}

/// Writes the minimum of a line.
pub(super) fn write_minimum(line: &mut [u8], distance: u8) {
    line[LINE_BYTES - 1] = line[LINE_BYTES - 1] & 15 | distance << 4;
}

/// Writes a distance; the reference for tables that are written code by code. Distances must be written in
/// ascending order: the first one of a line becomes its minimum.
#[cfg(test)]
pub(super) fn write(line: &mut [u8], entry: usize, distance: u8, base: u8) {
    let code = distance.saturating_sub(base).min(3);
    let shift = 2 * (entry % 4);
    line[entry / 4] &= !((3 ^ code) << shift);
    if line[LINE_BYTES - 1] >> 4 == UNSET {
        write_minimum(line, distance);
    }
}

/// A lower bound for the distance written to an entry; exact from `base + 1` to `base + 3`. Lines beyond
/// the end of the table yield 0.
#[inline(always)]
pub(super) fn read(bytes: &[u8], line: usize, entry: usize, base: u8) -> u8 {
    let Some(line) = bytes.get(line * LINE_BYTES..line * LINE_BYTES + LINE_BYTES) else { return 0 };
    match line[(entry / 4) & (LINE_BYTES - 1)] >> (2 * (entry % 4)) & 3 {
        0 => line[LINE_BYTES - 1] >> 4,
        code => base + code,
    }
}

/// The number of entries with each lower bound that [`read`] returns. The last entry of every eighth line is
/// not in use: eight lines hold 495 entries.
pub(super) fn count_values(
    bytes: &[u8],
    base: u8,
    poll: &mut dyn FnMut() -> Result<(), Stop>,
) -> Result<Vec<u64>, Stop> {
    /// Lines between two polls.
    const BLOCK: usize = 1 << 16;
    const LOW_BITS: u128 = u128::MAX / 3;
    let mut counts = vec![0; 16];
    for block in bytes.chunks(BLOCK * LINE_BYTES) {
        poll()?;
        for (index, line) in block.chunks_exact(LINE_BYTES).enumerate() {
            let entries =
                if index % STRIPES == STRIPES - 1 { 495 - 62 * (STRIPES - 1) } else { LINE_ENTRIES };
            let word = line.iter().rev().fold(0, |word, &byte| word << 8 | u128::from(byte));
            let used = LOW_BITS & ((1 << (2 * entries)) - 1);
            let (low, high) = (word & used, word >> 1 & used);
            let [ones, twos, threes] =
                [low & !high, high & !low, low & high].map(|bits| u64::from(bits.count_ones()));
            for (code, count) in [ones, twos, threes].into_iter().enumerate() {
                counts[usize::from(base) + 1 + code] += count;
            }
            counts[usize::from(line[LINE_BYTES - 1] >> 4)] += entries as u64 - ones - twos - threes;
        }
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_values_are_those_that_are_read() {
        let mut rng = untumble_search::perm::SplitMix64(3);
        let bytes: Vec<u8> = (0..3 * STRIPES * LINE_BYTES).map(|_| rng.next_u64() as u8).collect();
        let base = 7;
        let mut expected = vec![0; 16];
        for line in 0..3 * STRIPES {
            let entries = if line % STRIPES == STRIPES - 1 { LINE_ENTRIES - 1 } else { LINE_ENTRIES };
            (0..entries).for_each(|entry| expected[usize::from(read(&bytes, line, entry, base))] += 1);
        }
        assert_eq!(expected.iter().sum::<u64>(), 3 * 495);
        assert_eq!(count_values(&bytes, base, &mut || Ok(())), Ok(expected));
    }

    #[test]
    fn entries_are_exact_above_the_base_and_the_line_minimum_below() {
        let base = 7;
        for minimum in 0..13u8 {
            let mut line = [0; LINE_BYTES];
            clear(&mut line);
            let distances: [u8; LINE_ENTRIES] =
                std::array::from_fn(|entry| minimum + (entry * entry % 7) as u8);
            for distance in 0..20 {
                for entry in (0..LINE_ENTRIES).filter(|&entry| distances[entry] == distance) {
                    write(&mut line, entry, distance, base);
                }
            }
            for (entry, &distance) in distances.iter().enumerate() {
                let stored = read(&line, 0, entry, base);
                let expected = if distance <= base { minimum } else { distance.min(base + 3) };
                assert_eq!(stored, expected, "{distance} of {distances:?}");
            }
        }
    }
}
