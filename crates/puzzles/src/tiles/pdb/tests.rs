//! Pattern databases against a search of the abstract (projected) state space.

use std::collections::{HashMap, VecDeque};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use untumble_search::control::Control;
use untumble_search::heuristic::Heuristic;
use untumble_search::laws;
use untumble_search::moves::Move;
use untumble_search::puzzle::Puzzle;
use untumble_search::tables::{InMemory, TableBuild};

use super::*;
use crate::tiles::Size;

/// The cost of every placement, by 0-1 breadth-first search over placements and the blank's cell: moves of
/// other tiles are free.
fn abstract_costs(pattern: &Pattern) -> HashMap<Vec<usize>, u32> {
    let size = pattern.size;
    let start = (pattern.homes.clone(), pattern.blank);
    let mut costs = HashMap::from([(start.clone(), 0)]);
    let mut queue = VecDeque::from([start]);
    while let Some(state) = queue.pop_front() {
        let cost = costs[&state];
        let (tiles, blank) = state;
        for from in (0..4).filter_map(|m| size.sliding_cell(blank, Move(m))) {
            let mut next = tiles.clone();
            let step = match next.iter_mut().find(|cell| **cell == from) {
                Some(cell) => {
                    *cell = blank;
                    1
                }
                None => 0,
            };
            let state = (next, from);
            let known = costs.entry(state.clone()).or_insert(u32::MAX);
            if cost + step < *known {
                *known = cost + step;
                if step == 0 { queue.push_front(state) } else { queue.push_back(state) }
            }
        }
    }
    let mut cheapest = HashMap::new();
    for ((tiles, _), cost) in costs {
        let known = cheapest.entry(tiles).or_insert(u32::MAX);
        *known = cost.min(*known);
    }
    cheapest
}

#[test]
fn tables_equal_a_search_of_the_abstract_space() {
    for (rows, columns, homes, blank) in [
        (3, 3, vec![1, 2, 4], 0),
        (3, 3, vec![1, 3], 0),
        (3, 3, vec![1, 3, 5, 7], 4),
        (3, 4, vec![0, 1, 5, 6], 11),
        (4, 4, vec![3, 6, 7], 0),
        (4, 4, vec![1, 4, 5, 8], 0),
        (2, 8, vec![0, 8, 9], 15),
        (5, 5, vec![3, 4, 9], 0),
    ] {
        let size = Size { rows, columns };
        let pattern = Pattern { size, homes, blank };
        for threads in [1, 2] {
            let limits = untumble_search::control::Limits { threads, ..Default::default() };
            let control = Control::new(limits, std::sync::Arc::new(untumble_search::control::Silent));
            let mut fill =
                |table: &mut TableBuild<'_>, control: &Control| build::fill(&pattern, table, control);
            let table = InMemory::default().get(&pattern.id(), pattern.bytes(), &control, &mut fill);
            let table = table.expect("no limit");
            let bytes = table.bytes();
            let expected = abstract_costs(&pattern);
            for (cells, cost) in &expected {
                let distance: usize =
                    cells.iter().zip(&pattern.homes).map(|(&cell, &home)| size.distance(cell, home)).sum();
                let index = pattern.index(cells);
                let entry = bytes[index / 2] >> (4 * (index % 2)) & 15;
                assert_eq!(distance as u32 + 2 * u32::from(entry), *cost, "{pattern} at {cells:?}");
            }
        }
    }
}

fn rng() -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(5)
}

#[test]
fn pattern_databases_are_admissible_for_every_goal() {
    let tables = InMemory::default();
    let control = Control::default();
    let three = Size { rows: 3, columns: 3 };
    let explicit = Goal::new(three, vec![3, 0, 7, 1, 8, 2, 5, 4, 6]);
    let named = ["blank-last", "blank-first", "snail"].map(|name| Goal::named(three, name).expect("a goal"));
    for goal in named.into_iter().chain([explicit]) {
        let tiles = Tiles::<u64>::new(goal.clone());
        let truth = laws::exact_costs(&tiles);
        for text in ["4-4", "3-5", "8", "2-2", "1.2.3/5.8"] {
            let pdb = Pdb::<u64>::new(&goal, text, &tables, &control).expect(text);
            laws::heuristic(&tiles, &pdb, &mut rng());
            laws::admissible(&tiles, &pdb, &truth);
            laws::heuristic_walker(&tiles, &pdb, &mut rng());
            if text == "8" {
                // With all tiles in one pattern, only the blank's position is abstracted away.
                let close = truth
                    .iter()
                    .filter(|&(key, &cost)| pdb.cost(&pdb.start(&tiles, &tiles.unpack(key))) + 2 >= cost);
                assert!(close.count() * 10 > truth.len() * 9, "a pattern of all tiles is nearly exact");
            }
        }
        let wide = Tiles::<u128>::new(goal.clone());
        let pdb = Pdb::<u128>::new(&goal, "4-4", &tables, &control).expect("4-4");
        laws::heuristic(&wide, &pdb, &mut rng());
    }
    for (rows, columns, text) in [(3, 4, "6-5"), (2, 6, "4-7"), (4, 3, "3-8"), (4, 5, "5-5-5-4")] {
        let goal = Goal::named(Size { rows, columns }, "snail").expect("a goal");
        let tiles = Tiles::<u128>::new(goal.clone());
        let pdb = Pdb::<u128>::new(&goal, text, &tables, &control).expect(text);
        laws::heuristic(&tiles, &pdb, &mut rng());
    }
}

/// Blank-first and blank-last are rotations of each other.
#[test]
fn goals_that_are_rotations_of_each_other_share_tables() {
    let ids = |name: &str| {
        let goal = Goal::named(Size { rows: 4, columns: 4 }, name).expect("a goal");
        let patterns = partition::parse(&goal, "6-6-3").expect("sizes");
        let mut ids: Vec<String> = patterns
            .iter()
            .map(|homes| OrientedPattern::new(&goal, homes).pattern.id().to_string())
            .collect();
        ids.sort();
        ids
    };
    assert_eq!(ids("blank-first"), ids("blank-last"));
    let goal = Goal::named(Size { rows: 5, columns: 5 }, "blank-first").expect("a goal");
    let patterns = partition::parse(&goal, "6-6-6-6").expect("sizes");
    let mut ids: Vec<String> =
        patterns.iter().map(|homes| OrientedPattern::new(&goal, homes).pattern.id().to_string()).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 2, "three of the four patterns are congruent");
}

#[test]
fn compact_indices_are_dense() {
    let pattern = Pattern { size: Size { rows: 3, columns: 4 }, homes: vec![0, 1, 2, 3, 4, 5, 6], blank: 11 };
    assert_eq!(pattern.layout(), Layout::Compact);
    let mut seen = vec![false; pattern.entries() as usize];
    fn enumerate(pattern: &Pattern, cells: &mut Vec<usize>, seen: &mut [bool]) {
        if cells.len() == pattern.homes.len() {
            let index = pattern.index(cells);
            assert!(!std::mem::replace(&mut seen[index], true), "{cells:?}");
            return;
        }
        for cell in 0..pattern.size.cells() {
            if !cells.contains(&cell) {
                cells.push(cell);
                enumerate(pattern, cells, seen);
                cells.pop();
            }
        }
    }
    enumerate(&pattern, &mut Vec::new(), &mut seen);
    assert!(seen.into_iter().all(|seen| seen));
}

/// Both packed ranks equal the reference, whatever follows the pattern's tiles in the word.
#[test]
fn packed_ranks_equal_the_reference() {
    let mut rng = rng();
    for (rows, columns) in [(4, 4), (5, 5), (3, 4), (4, 6)] {
        let size = Size { rows, columns };
        for tiles in 2..=8 {
            let pattern = Pattern { size, homes: (0..tiles).collect(), blank: size.cells() - 1 };
            let mut weights = Weights::default();
            weights[..tiles].copy_from_slice(&pattern.weights());
            let reference = |cells: &[usize]| {
                let digit = |i: usize| cells[i] - cells[..i].iter().filter(|&&c| c < cells[i]).count();
                (0..tiles).map(|i| digit(i) * weights[i] as usize).sum::<usize>()
            };
            for _ in 0..500 {
                let mut cells: Vec<usize> = (0..size.cells()).collect();
                for index in 0..12 {
                    let other = index + rng.next_u32() as usize % (cells.len() - index);
                    cells.swap(index, other);
                }
                let expected = reference(&cells[..tiles]);
                if pattern.layout() == Layout::Compact {
                    assert_eq!(pattern.index(&cells[..tiles]), expected);
                }
                let packed = |bits: usize| {
                    cells[..12]
                        .iter()
                        .enumerate()
                        .fold(0, |word, (tile, &cell)| word | (cell as u64) << (bits * tile))
                };
                if size.cells() <= 16 {
                    assert_eq!(u64::rank(packed(4), tiles as u32, &weights), expected, "{size} {cells:?}");
                }
                assert_eq!(u128::rank(packed(5), tiles as u32, &weights), expected, "{size} {cells:?}");
            }
        }
    }
}
