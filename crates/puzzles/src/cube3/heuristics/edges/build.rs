//! Breadth-first search over all positions of the edges; one word holds all flips of a permutation.

use std::sync::{Mutex, PoisonError};

use untumble_search::control::{Control, Event, Stop, TablePhase};
use untumble_search::memory::advise_huge;
use untumble_search::threads::run_parallel;

use super::Pattern;

/// Largest distance that fits four bits.
const MAX_DISTANCE: u8 = 15;

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

/// A vector of zeros on huge pages, if the system grants them.
fn words(count: usize) -> Vec<u128> {
    let words = vec![0; count];
    advise_huge(words.as_ptr(), count);
    words
}

/// Fills a table with the distances, four bits each.
pub(super) fn fill(pattern: &Pattern, bytes: &mut [u8], control: &Control) -> Result<(), Stop> {
    let permutations = pattern.permutations();
    let rows = pattern.sets.len() * permutations;
    let _reserved = control.reserve(3 * 16 * rows as u64)?;
    let (mut reached, mut frontier, mut next) = (words(rows), words(rows), words(rows));
    // The solved position: the first slots (set 0), identity permutation, no flips.
    (reached[0], frontier[0]) = (1, 1);
    let total = (rows << pattern.edges) as u64;
    let mut count_reached = 1;
    for distance in 1.. {
        if count_reached == total {
            return Ok(());
        }
        assert!(distance <= MAX_DISTANCE, "every position is reached within {MAX_DISTANCE} moves");
        let share = count_reached as f64 / total as f64;
        let name = format!("pattern database edges:{}", pattern.edges);
        control.emit(&Event::Table { name, phase: TablePhase::Build, share });
        let parts = reached.chunks_mut(permutations).zip(next.chunks_mut(permutations));
        let parts = parts.zip(bytes.chunks_mut((permutations << pattern.edges) / 2)).enumerate();
        let parts = Mutex::new(parts);
        let counts = run_parallel(control.threads(), |_| {
            let mut count = 0;
            loop {
                control.poll()?;
                let part = parts.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((set, ((reached, next), bytes))) = part else { return Ok(count) };
                expand(pattern, set, &frontier, next);
                count += record(pattern.edges, reached, next, bytes, distance);
            }
        });
        count_reached += counts.into_iter().sum::<Result<u64, Stop>>()?;
        std::mem::swap(&mut frontier, &mut next);
    }
    Ok(())
}

/// Collects the positions of a set with a neighbour in the frontier, one move at a time.
fn expand(pattern: &Pattern, set: usize, frontier: &[u128], next: &mut [u128]) {
    let permutations = pattern.permutations();
    next.fill(0);
    for m in 0..pattern.moves {
        let set_move = pattern.set_moves[set * pattern.moves + m];
        let neighbours = &frontier[usize::from(set_move.set) * permutations..][..permutations];
        let permutation_maps = &pattern.permutation_maps[set_move.permutation_map as usize..][..permutations];
        let flips = &pattern.flips[set_move.flips as usize..][..permutations];
        for ((word, &permutation), &mask) in next.iter_mut().zip(permutation_maps).zip(flips) {
            *word |= toggle_flips(neighbours[usize::from(permutation)], mask);
        }
    }
}

/// Keeps the unreached positions of `next` and writes their distance. Returns their number.
fn record(edges: usize, reached: &mut [u128], next: &mut [u128], bytes: &mut [u8], distance: u8) -> u64 {
    let width = (1 << edges) / 2;
    let mut count = 0;
    for ((reached, next), row) in reached.iter_mut().zip(next).zip(bytes.chunks_mut(width)) {
        *next &= !*reached;
        *reached |= *next;
        count += u64::from(next.count_ones());
        let mut rest = *next;
        while rest != 0 {
            let flips = rest.trailing_zeros() as usize;
            row[flips / 2] |= distance << (4 * (flips % 2));
            rest &= rest - 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn toggle_flips_xors_bit_indices() {
        for mask in 0..128u8 {
            for flips in 0..128u8 {
                assert_eq!(toggle_flips(1 << flips, mask), 1 << (flips ^ mask));
            }
        }
    }
}
