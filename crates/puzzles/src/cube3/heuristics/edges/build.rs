//! Breadth-first search over rows of flips, a row a word.

use std::sync::{Mutex, PoisonError};

use untumble_search::control::{Control, Event, Stop};
use untumble_search::memory::advise_huge;
use untumble_search::threads::run_parallel;

use super::Pattern;

/// Four bits must do.
const MOST: u8 = 15;

/// Where flip `bit` is not set, in a word of all flips.
const WITHOUT: [u128; 7] = [
    0x5555_5555_5555_5555_5555_5555_5555_5555,
    0x3333_3333_3333_3333_3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f_0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff_00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff_0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff_0000_0000_ffff_ffff,
    0x0000_0000_0000_0000_ffff_ffff_ffff_ffff,
];

/// The word in which every flip stands where `mask` takes it.
#[inline(always)]
fn flipped(word: u128, mask: u8) -> u128 {
    let (mut word, mut rest) = (word, mask);
    while rest != 0 {
        let bit = rest.trailing_zeros();
        let (without, by) = (WITHOUT[bit as usize], 1 << bit);
        word = (word & without) << by | (word >> by) & without;
        rest &= rest - 1;
    }
    word
}

fn words(count: usize) -> Vec<u128> {
    let words = vec![0; count];
    advise_huge(words.as_ptr(), count);
    words
}

/// Fills a table of four bits for each position with the least number of moves from home.
pub(super) fn fill(pattern: &Pattern, bytes: &mut [u8], control: &Control) -> Result<(), Stop> {
    let orders = pattern.orders();
    let rows = pattern.sets.len() * orders;
    let _reserved = control.reserve(3 * 16 * rows as u64)?;
    let (mut reached, mut level, mut next) = (words(rows), words(rows), words(rows));
    // At home the edges are in the first slots, in order, none flipped: the first set is the least.
    (reached[0], level[0]) = (1, 1);
    let total = (rows << pattern.edges) as u64;
    let mut done = 1;
    for distance in 1.. {
        if done == total {
            return Ok(());
        }
        assert!(distance <= MOST, "no edges take more than {MOST} moves");
        let share = done as f64 / total as f64;
        control.emit(&Event::Table { name: format!("edges:{}", pattern.edges), share });
        let parts = reached.chunks_mut(orders).zip(next.chunks_mut(orders));
        let parts = parts.zip(bytes.chunks_mut((orders << pattern.edges) / 2)).enumerate();
        let parts = Mutex::new(parts);
        let counts = run_parallel(control.threads(), |_| {
            let mut count = 0;
            loop {
                control.poll()?;
                let part = parts.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((set, ((reached, next), bytes))) = part else { return Ok(count) };
                look(pattern, set, &level, next);
                count += enter(pattern.edges, reached, next, bytes, distance);
            }
        });
        done += counts.into_iter().sum::<Result<u64, Stop>>()?;
        std::mem::swap(&mut level, &mut next);
    }
    Ok(())
}

/// What the neighbours of a set's rows have reached in the last level, a neighbouring set at a time.
fn look(pattern: &Pattern, set: usize, level: &[u128], next: &mut [u128]) {
    let orders = pattern.orders();
    next.fill(0);
    for m in 0..pattern.moves {
        let step = pattern.steps[set * pattern.moves + m];
        let near = &level[usize::from(step.set) * orders..][..orders];
        let changes = &pattern.changes[step.change as usize..][..orders];
        let flips = &pattern.flips[step.flips as usize..][..orders];
        for ((word, &order), &mask) in next.iter_mut().zip(changes).zip(flips) {
            *word |= flipped(near[usize::from(order)], mask);
        }
    }
}

/// Keeps of `next` what is new, and writes it down. Gives how much that is.
fn enter(edges: usize, reached: &mut [u128], next: &mut [u128], bytes: &mut [u8], distance: u8) -> u64 {
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
    fn flips_go_where_the_mask_takes_them() {
        for mask in 0..128u8 {
            for flips in 0..128u8 {
                assert_eq!(flipped(1 << flips, mask), 1 << (flips ^ mask));
            }
        }
    }
}
