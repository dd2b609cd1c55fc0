//! Distances of all states of a puzzle whose states can be numbered.

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use crate::control::{Control, Stop};
use crate::puzzle::Ranked;
use crate::threads::run_parallel;

/// What [`distances`] holds for a state that no moves reach.
pub const UNREACHED: u8 = u8::MAX;

/// The least number of moves from each state to a goal, by number. Requires inverses, and counts every move as one. Level by level on the control's threads.
pub fn distances<P: Ranked>(puzzle: &P, control: &Control) -> Result<Vec<u8>, Stop> {
    let count = usize::try_from(puzzle.count()).map_err(|_| Stop::Memory)?;
    let _reserved = control.reserve(5 * count as u64)?;
    let cells: Vec<AtomicU8> = (0..count).map(|_| AtomicU8::new(UNREACHED)).collect();
    let mut frontier: Vec<u32> = Vec::new();
    let goals: Vec<u64> = match puzzle.goal_states() {
        Some(goals) => goals.iter().map(|goal| puzzle.rank(goal)).collect(),
        None => (0..puzzle.count()).filter(|&rank| puzzle.is_goal(&puzzle.unrank(rank))).collect(),
    };
    for rank in goals {
        let rank = rank as u32;
        if cells[rank as usize].swap(0, Relaxed) == UNREACHED {
            frontier.push(rank);
        }
    }
    let mut distance = 0;
    while !frontier.is_empty() {
        control.poll()?;
        distance += 1;
        assert!(distance < UNREACHED, "no puzzle here needs 255 moves");
        frontier = next_level(puzzle, &cells, &frontier, distance, control.threads());
    }
    Ok(cells.into_iter().map(AtomicU8::into_inner).collect())
}

/// Levels below this are not worth a thread.
const CHUNK: usize = 1 << 13;

fn next_level<P: Ranked>(
    puzzle: &P,
    cells: &[AtomicU8],
    level: &[u32],
    distance: u8,
    threads: usize,
) -> Vec<u32> {
    let threads = threads.min(level.len().div_ceil(CHUNK));
    if threads == 1 {
        let mut next = Vec::with_capacity(2 * level.len());
        for &rank in level {
            puzzle.neighbours(u64::from(rank), |other| {
                let cell = &cells[other as usize];
                if cell.load(Relaxed) == UNREACHED {
                    cell.store(distance, Relaxed);
                    next.push(other as u32);
                }
            });
        }
        return next;
    }
    let cursor = AtomicUsize::new(0);
    let sum = Mutex::new(Vec::new());
    run_parallel(threads, |_| {
        let mut next = Vec::new();
        while let Some(chunk) = level.chunks(CHUNK).nth(cursor.fetch_add(1, Relaxed)) {
            for &rank in chunk {
                puzzle.neighbours(u64::from(rank), |other| {
                    let cell = &cells[other as usize];
                    // Two threads may meet at a state; only one gets to keep it.
                    if cell.load(Relaxed) == UNREACHED && cell.swap(distance, Relaxed) == UNREACHED {
                        next.push(other as u32);
                    }
                });
            }
        }
        sum.lock().unwrap_or_else(PoisonError::into_inner).append(&mut next);
    });
    sum.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// How many states there are at each distance.
pub fn census(distances: &[u8]) -> Vec<u64> {
    let mut counts = vec![0; 256];
    for &distance in distances {
        counts[usize::from(distance)] += 1;
    }
    counts.truncate(usize::from(UNREACHED));
    let length = counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
    counts.truncate(length);
    counts
}
