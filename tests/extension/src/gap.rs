//! The gap heuristic (Helmert, SoCS 2010): the number of adjacent pancakes whose sizes are not consecutive.
//!
//! A flip separates one pair of neighbours and joins another, so it closes at most one gap: the heuristic is
//! consistent.

use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::puzzle::{Cost, Edge};
use untumble_search::registry::{HeuristicEntry, HeuristicInfo};

use crate::pancake::{Pancake, flipped};

/// The name in solver texts.
pub const NAME: &str = "gap";

/// The registry entry.
pub fn entry() -> HeuristicEntry<Pancake> {
    let info = HeuristicInfo::new(NAME, "adjacent pancakes whose sizes are not consecutive");
    HeuristicEntry::new(info, |_, _| Ok(Gap))
}

/// The number of gaps, updated along a path.
pub struct Gap;

/// 1 if two adjacent pancakes leave a gap, else 0; the plate counts as a pancake of size `count + 1`.
fn gap(upper: u8, lower: Option<&u8>, count: usize) -> Cost {
    let lower = lower.copied().unwrap_or(count as u8 + 1);
    Cost::from(upper.abs_diff(lower) != 1)
}

impl Heuristic<Pancake> for Gap {
    type Value = Cost;

    fn admissibility(&self) -> Admissibility {
        Admissibility::Consistent
    }

    fn start(&self, puzzle: &Pancake, stack: &Box<[u8]>) -> Cost {
        let gaps = stack.iter().enumerate().map(|(i, &size)| gap(size, stack.get(i + 1), puzzle.count()));
        gaps.sum()
    }

    fn step(&self, gaps: &Cost, edge: &Edge<'_, Pancake>, budget: Cost) -> Result<Cost, Cost> {
        let (stack, flipped_count, count) = (edge.parent, flipped(edge.m), edge.puzzle.count());
        let below = stack.get(flipped_count);
        let h = gaps + gap(stack[0], below, count) - gap(stack[flipped_count - 1], below, count);
        if h > budget { Err(h) } else { Ok(h) }
    }

    fn cost(&self, gaps: &Cost) -> Cost {
        *gaps
    }
}
