//! Breadth-first search over a whole ranked state space: the distance of every state to a goal.
//!
//! ```
//! use untumble_search::control::Control;
//! use untumble_search::example::Dial;
//! use untumble_search::ranked::{distance_histogram, distances};
//!
//! // A counter modulo 6 with the moves +1 and -1 and the goal 0.
//! let distances = distances(&Dial::new(6), &Control::default()).unwrap();
//! assert_eq!(distances, [0, 1, 2, 3, 2, 1]);
//! assert_eq!(distance_histogram(&distances), [1, 2, 2, 1]);
//! ```

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use crate::control::{Control, Stop, TablePhase};
use crate::puzzle::Ranked;
use crate::threads::run_parallel;

/// The entry of [`distances`] for a state that cannot be reached from a goal.
pub const UNREACHED: u8 = u8::MAX;

/// The least number of moves from each state to a goal, indexed by rank. Every move counts 1, whatever its
/// cost. Requires inverses. Uses all threads of `control`; takes about 5 bytes per state.
///
/// # Panics
/// If a state is 255 moves or more from every goal.
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
    let progress = control.begin_table("table of distances", TablePhase::Build, count as u64);
    let mut distance = 0;
    while !frontier.is_empty() {
        progress.add(frontier.len() as u64);
        control.poll()?;
        distance += 1;
        assert!(distance < UNREACHED, "distances fit a byte");
        frontier = next_level(puzzle, &cells, &frontier, distance, control.threads());
    }
    progress.finish();
    Ok(cells.into_iter().map(AtomicU8::into_inner).collect())
}

/// The number of states of a level that is worth another thread.
const CHUNK: usize = 1 << 13;

/// Sets the distance of the unreached neighbours of `level`. Returns these neighbours.
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
            puzzle.neighbours(u64::from(rank), |neighbour| {
                let cell = &cells[neighbour as usize];
                if cell.load(Relaxed) == UNREACHED {
                    cell.store(distance, Relaxed);
                    next.push(neighbour as u32);
                }
            });
        }
        return next;
    }
    let cursor = AtomicUsize::new(0);
    let merged = Mutex::new(Vec::new());
    run_parallel(threads, |_| {
        let mut next = Vec::new();
        while let Some(chunk) = level.chunks(CHUNK).nth(cursor.fetch_add(1, Relaxed)) {
            for &rank in chunk {
                puzzle.neighbours(u64::from(rank), |neighbour| {
                    let cell = &cells[neighbour as usize];
                    // Two threads may reach a state at once; the swap lets one of them add it.
                    if cell.load(Relaxed) == UNREACHED && cell.swap(distance, Relaxed) == UNREACHED {
                        next.push(neighbour as u32);
                    }
                });
            }
        }
        merged.lock().unwrap_or_else(PoisonError::into_inner).append(&mut next);
    });
    merged.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The number of states at each distance, from 0 to the largest; unreachable states are not counted.
pub fn distance_histogram(distances: &[u8]) -> Vec<u64> {
    let mut counts = vec![0; 256];
    for &distance in distances {
        counts[usize::from(distance)] += 1;
    }
    counts.truncate(usize::from(UNREACHED));
    let length = counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
    counts.truncate(length);
    counts
}
