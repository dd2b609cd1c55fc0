//! How distances lie in a table: sixteen bytes for 62 of them, two bits each, and the least of them in four bits.
//!
//! An entry says how far it is beyond the table's base, up to three. Those that are nearer than that are few; for them the
//! least distance of their line stands, which is in the same cache line.

/// Bytes of a line.
pub(super) const LINE: usize = 16;
/// Entries of a line.
pub(super) const ENTRIES: usize = 62;
/// Lines for all sets of four slots of twelve.
pub(super) const STRIPES: usize = 8;
/// What the four bits say while nothing is known.
const UNKNOWN: u8 = 15;

/// Makes all lines say that everything is far.
pub(super) fn clear(bytes: &mut [u8]) {
    bytes.fill(0xff);
}

/// Writes a distance. Distances must come in their order: the first of a line is its least.
#[inline]
pub(super) fn write(line: &mut [u8], entry: usize, distance: u8, base: u8) {
    let code = distance.saturating_sub(base).min(3);
    let shift = 2 * (entry % 4);
    line[entry / 4] &= !((3 ^ code) << shift);
    if line[LINE - 1] >> 4 == UNKNOWN {
        line[LINE - 1] = line[LINE - 1] & 15 | distance << 4;
    }
}

/// What an entry says: the distance, or less.
#[inline(always)]
pub(super) fn read(bytes: &[u8], line: usize, entry: usize, base: u8) -> u8 {
    let Some(line) = bytes.get(line * LINE..line * LINE + LINE) else { return 0 };
    match line[(entry / 4) & (LINE - 1)] >> (2 * (entry % 4)) & 3 {
        0 => line[LINE - 1] >> 4,
        beyond => base + beyond,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_say_what_was_written_or_less() {
        let base = 7;
        for least in 0..13u8 {
            let mut line = [0; LINE];
            clear(&mut line);
            let distances: [u8; ENTRIES] = std::array::from_fn(|entry| least + (entry * entry % 7) as u8);
            for distance in 0..20 {
                for entry in (0..ENTRIES).filter(|&entry| distances[entry] == distance) {
                    write(&mut line, entry, distance, base);
                }
            }
            for (entry, &distance) in distances.iter().enumerate() {
                let said = read(&line, 0, entry, base);
                let expected = if distance <= base { least } else { distance.min(base + 3) };
                assert_eq!(said, expected, "{distance} of {distances:?}");
            }
        }
    }
}
