//! The rows of a coset table while it is built: two bits for each entry, in the memory of the finished row.
//!
//! The entries of all lanes of a class and edge coset form one word, so that a bottom-up step handles them
//! together. A row also holds the minimum of each line of the finished layout (`layout.rs`), in four bits.
//! Words and minima need less memory than the finished row, so the table is built in its own memory.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use super::edge_separation::{EDGE_COSETS, EIGHT_SETS, TWELVE_SETS};
use super::layout::{self, LINE_BYTES, LINE_ENTRIES, STRIPES};

/// The low bits and the high bits of the entries of one word, one bit for each lane.
pub(super) type LaneBits = (u8, u8);

/// The code of an entry that no level has reached.
#[cfg(test)]
const UNREACHED: u8 = 3;

/// The format of rows with `LANES` lanes: 1, 2, 4 or 8.
pub(super) struct LaneWords<const LANES: usize>;

impl<const LANES: usize> LaneWords<LANES> {
    /// The set of all lanes.
    pub(super) const ALL: u8 = ((1u16 << LANES) - 1) as u8;
    /// Bytes of the words of a row.
    const WORD_BYTES: usize = (EDGE_COSETS * 2 * LANES).div_ceil(8);
    /// Lines of a finished row.
    const LINES: usize = EIGHT_SETS * LANES * STRIPES;
    /// Bytes of a row.
    pub(super) const ROW_BYTES: usize = Self::LINES * LINE_BYTES;
    const FITS: () = assert!(Self::WORD_BYTES + Self::LINES.div_ceil(2) <= Self::ROW_BYTES);

    /// The byte and the shift of a word of up to four lanes.
    #[inline(always)]
    fn place(edge_coset: usize) -> (usize, u32) {
        let bit = edge_coset * 2 * LANES;
        (bit / 8, (bit % 8) as u32)
    }

    /// The bits of a word.
    #[inline(always)]
    pub(super) fn load(row: &[AtomicU8], edge_coset: usize) -> LaneBits {
        if LANES == 8 {
            return (row[2 * edge_coset].load(Relaxed), row[2 * edge_coset + 1].load(Relaxed));
        }
        let (byte, shift) = Self::place(edge_coset);
        let bits = row[byte].load(Relaxed) >> shift;
        (bits & Self::ALL, bits >> LANES & Self::ALL)
    }

    /// The lanes of a word whose entry is `code`, 0 to 2.
    #[inline(always)]
    pub(super) fn lanes_with_code((low, high): LaneBits, code: u8) -> u8 {
        match code {
            0 => !low & !high & Self::ALL,
            1 => low & !high,
            _ => !low & high,
        }
    }

    /// Changes unreached entries to `code`, 1 or 2. A code changes one bit of an entry, so concurrent readers
    /// see the old or the new entry. Only one thread may write to a row.
    #[inline(always)]
    pub(super) fn store(row: &[AtomicU8], edge_coset: usize, lanes: u8, code: u8) {
        let high_bit = code == 1;
        let (byte, clear) = if LANES == 8 {
            (2 * edge_coset + usize::from(high_bit), lanes)
        } else {
            let (byte, shift) = Self::place(edge_coset);
            (byte, lanes << shift << if high_bit { LANES } else { 0 })
        };
        row[byte].store(row[byte].load(Relaxed) & !clear, Relaxed);
    }

    /// The line of an entry in the finished row.
    #[inline(always)]
    fn line(edge_coset: usize, lane: usize) -> usize {
        let (eight_set, set) = (edge_coset / TWELVE_SETS, edge_coset % TWELVE_SETS);
        (eight_set * LANES + lane) * STRIPES + set / LINE_ENTRIES
    }

    /// The byte and the shift of the minimum of a line.
    #[inline(always)]
    fn minimum_place(line: usize) -> (usize, u32) {
        let () = Self::FITS;
        (Self::WORD_BYTES + line / 2, 4 * (line % 2) as u32)
    }

    /// Records a distance in the minimum of its line, if it is the first one. Only one thread may write to a
    /// row.
    #[inline(always)]
    pub(super) fn note_minimum(row: &[AtomicU8], edge_coset: usize, lane: usize, distance: u8) {
        let (byte, shift) = Self::minimum_place(Self::line(edge_coset, lane));
        let old = row[byte].load(Relaxed);
        if old >> shift & 15 == layout::UNSET {
            row[byte].store(old & !((layout::UNSET ^ distance) << shift), Relaxed);
        }
    }

    /// Changes all reached entries of a row to code 0.
    pub(super) fn merge_reached(row: &mut [u8]) {
        let words = &mut row[..Self::WORD_BYTES];
        if LANES == 8 {
            for word in words.chunks_exact_mut(2) {
                let unreached = word[0] & word[1];
                word.fill(unreached);
            }
            return;
        }
        // The positions of the low bits in a byte.
        let low_bits = (0..8).filter(|bit| bit % (2 * LANES) < LANES).fold(0, |mask, bit| mask | 1u8 << bit);
        for byte in words {
            let unreached = *byte & *byte >> LANES & low_bits;
            *byte = unreached | unreached << LANES;
        }
    }

    /// The number of entries of a row with a code, 0 to 3.
    pub(super) fn count(row: &[AtomicU8], code: u8) -> u64 {
        let count = |edge_coset: usize| {
            let (low, high) = Self::load(row, edge_coset);
            let lanes = if code == 3 { low & high } else { Self::lanes_with_code((low, high), code) };
            u64::from(lanes.count_ones())
        };
        (0..EDGE_COSETS).map(count).sum()
    }

    /// Writes the finished row to `line_bytes`. Entries hold the distance minus `base`: code 0 for at most
    /// `base`, code 3 for `base` + 3 or more.
    pub(super) fn finish(row: &[AtomicU8], base: u8, line_bytes: &mut [u8]) {
        layout::clear(line_bytes);
        for edge_coset in 0..EDGE_COSETS {
            let (low, high) = Self::load(row, edge_coset);
            let entry = edge_coset % TWELVE_SETS % LINE_ENTRIES;
            for lane in 0..LANES {
                let code = (low >> lane & 1) | (high >> lane & 1) << 1;
                let line = Self::line(edge_coset, lane);
                layout::write_code(&mut line_bytes[line * LINE_BYTES..][..LINE_BYTES], entry, code, base);
            }
        }
        for (line, bytes) in line_bytes.chunks_exact_mut(LINE_BYTES).enumerate() {
            let (byte, shift) = Self::minimum_place(line);
            let minimum = row[byte].load(Relaxed) >> shift & 15;
            if minimum != layout::UNSET {
                layout::write_minimum(bytes, minimum);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use untumble_search::memory::as_atomic;
    use untumble_search::perm::SplitMix64;

    /// Fills a row with pseudo-random distances and compares the finished row with one written entry by entry.
    fn rows_hold_distances<const LANES: usize>() {
        let (base, mut rng) = (7u8, SplitMix64(LANES as u64));
        let distances: Vec<u8> = (0..EDGE_COSETS * LANES).map(|_| 4 + (rng.next_u64() % 8) as u8).collect();
        let mut bytes = vec![0xff; LaneWords::<LANES>::ROW_BYTES];
        let mut expected = bytes.clone();
        for distance in 4..=base + 4 {
            let code = match distance {
                _ if distance > base => distance - base,
                _ => 2 - distance % 2,
            };
            let row = as_atomic(&mut bytes);
            for (index, _) in distances.iter().enumerate().filter(|&(_, &other)| other == distance) {
                let (edge_coset, lane) = (index / LANES, index % LANES);
                if code < UNREACHED {
                    LaneWords::<LANES>::store(row, edge_coset, 1 << lane, code);
                }
                if distance <= base {
                    LaneWords::<LANES>::note_minimum(row, edge_coset, lane, distance);
                }
                let line =
                    &mut expected[LaneWords::<LANES>::line(edge_coset, lane) * LINE_BYTES..][..LINE_BYTES];
                layout::write(line, edge_coset % TWELVE_SETS % LINE_ENTRIES, distance, base);
            }
            let reached = distances.iter().filter(|&&other| other <= distance && other <= base + 2).count();
            let unreached = LaneWords::<LANES>::count(row, UNREACHED);
            assert_eq!(unreached as usize, distances.len() - reached, "{LANES} lanes, distance {distance}");
            if distance == base {
                LaneWords::<LANES>::merge_reached(&mut bytes);
            }
        }
        let mut finished = vec![0; bytes.len()];
        LaneWords::<LANES>::finish(as_atomic(&mut bytes), base, &mut finished);
        assert!(finished == expected, "{LANES} lanes");
    }

    #[test]
    fn finished_rows_equal_rows_written_entry_by_entry() {
        rows_hold_distances::<1>();
        rows_hold_distances::<2>();
        rows_hold_distances::<4>();
        rows_hold_distances::<8>();
    }
}
