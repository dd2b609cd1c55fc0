//! A* on abstract states: the blank and the few tiles that a step of the constructive solver moves; all
//! other tiles are interchangeable.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, HashMap};
use std::ops::ControlFlow;

use foldhash::fast::FixedState;
use untumble_search::control::{BreakReason, Meter, Stop};
use untumble_search::puzzle::Cost;

use crate::tiles::{DOWN, LEFT, RIGHT, Size, UP};

/// The cells of the blank and of `K` tracked tiles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct AbstractState<const K: usize> {
    pub(super) blank: u16,
    pub(super) tiles: [u16; K],
}

/// A* from `start` to a state whose `estimate` is 0, over free cells; returns the blank's path without its
/// start. For one tile the estimate has weight 17/16, so its path need not be optimal.
pub(super) fn shortest_path<const K: usize>(
    size: Size,
    free: &[bool],
    start: AbstractState<K>,
    estimate: impl Fn(&AbstractState<K>) -> Cost,
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<u16>>, Stop> {
    // Blocked cells make the path of a single tile slightly longer than the estimate. Weighted A* then
    // saves half the nodes of a 64×64 board, for less than 1 % more moves.
    let weight = if K == 1 { 17 } else { 16 };
    let f = |g: Cost, h: Cost| Reverse(16 * g + weight * h);
    // Each node with the index of its parent.
    let mut nodes: Vec<(AbstractState<K>, usize)> = vec![(start, 0)];
    let mut reached: HashMap<AbstractState<K>, Cost, FixedState> = HashMap::from_iter([(start, 0)]);
    // Lowest f first; ties are broken in favour of the larger g.
    let mut queue = BinaryHeap::from([(f(0, estimate(&start)), 0, 0)]);
    let mut reserved = meter.control().reserve(0)?;
    while let Some((priority, g, node)) = queue.pop() {
        let (state, parent) = nodes[node];
        // The estimate is 0.
        if priority == f(g, 0) {
            return Ok(Some(reconstruct(&nodes, node)));
        }
        if reached[&state] < g {
            continue;
        }
        if let ControlFlow::Break(BreakReason::Stop(stop)) = meter.check() {
            return Err(stop);
        }
        for m in [DOWN, RIGHT, LEFT, UP] {
            let Some(cell) = size.sliding_cell(state.blank.into(), m) else { continue };
            let blank = cell as u16;
            if !free[cell] || node > 0 && blank == nodes[parent].0.blank {
                continue;
            }
            meter.tick();
            let child = AbstractState {
                blank,
                tiles: state.tiles.map(|tile| if tile == blank { state.blank } else { tile }),
            };
            match reached.entry(child) {
                Entry::Occupied(entry) if *entry.get() <= g + 1 => continue,
                entry => {
                    entry.insert_entry(g + 1);
                }
            }
            if nodes.len() == nodes.capacity() {
                reserved.grow(bytes_for::<K>(2 * nodes.len()).saturating_sub(reserved.bytes()))?;
            }
            queue.push((f(g + 1, estimate(&child)), g + 1, nodes.len()));
            nodes.push((child, node));
        }
    }
    Ok(None)
}

/// Bytes of the arrays of a search with up to `nodes` nodes, all of which grow by doubling: nodes and queue,
/// and a hash table that is at most half full and has its predecessor beside it while it grows.
fn bytes_for<const K: usize>(nodes: usize) -> u64 {
    let (node, entry) = (size_of::<(AbstractState<K>, usize)>(), size_of::<(AbstractState<K>, Cost)>() + 1);
    let queued = size_of::<(Reverse<Cost>, Cost, usize)>();
    (nodes.next_power_of_two() * (node + queued + 3 * entry)) as u64
}

/// The blank's path from the first node to `node`.
fn reconstruct<const K: usize>(nodes: &[(AbstractState<K>, usize)], mut node: usize) -> Vec<u16> {
    let mut path = Vec::new();
    while node > 0 {
        path.push(nodes[node].0.blank);
        node = nodes[node].1;
    }
    path.reverse();
    path
}

/// The least number of moves that carry `tile` to `target` on a board without blocked cells.
///
/// For the first slide, the blank goes to the cell that the tile slides into, around the tile if it is behind
/// the tile: the length of that path + 1 moves. Each further slide costs 3 moves if the direction changes and
/// 5 if it stays, because the blank must go around the tile. The cheapest route therefore changes direction
/// as often as possible.
pub(super) fn carry_cost(size: Size, blank: u16, tile: u16, target: usize) -> Cost {
    let (blank, tile) = (usize::from(blank), usize::from(tile));
    if tile == target {
        return 0;
    }
    let (row, column) = (size.row(tile), size.column(tile));
    let across = column.abs_diff(size.column(target));
    let down = row.abs_diff(size.row(target));
    let slides = |first: usize, second: usize| {
        let turns = if first > second { 2 * second } else { 2 * first - 1 };
        1 + 3 * turns + 5 * (first + second - 1 - turns)
    };
    let mut min_cost = usize::MAX;
    if across > 0 {
        let right = size.column(target) > column;
        let side = if right { tile + 1 } else { tile - 1 };
        let behind = size.row(blank) == row && (size.column(blank) < column) == right;
        min_cost = size.distance(blank, side) + 2 * usize::from(behind) + slides(across, down);
    }
    if down > 0 {
        let below = size.row(target) > row;
        let side = if below { tile + size.columns } else { tile - size.columns };
        let behind = size.column(blank) == column && (size.row(blank) < row) == below;
        let cost = size.distance(blank, side) + 2 * usize::from(behind) + slides(down, across);
        min_cost = min_cost.min(cost);
    }
    min_cost as Cost
}

#[cfg(test)]
mod tests {
    use super::*;
    use untumble_search::control::{Control, Limits, Silent};

    #[test]
    fn memory_is_reserved_before_it_is_used() {
        let size = Size { rows: 20, columns: 20 };
        let free = vec![true; size.cells()];
        let start = AbstractState { blank: 0, tiles: [1, 399] };
        // No state has estimate 0, so the search would visit all 400 · 399 · 398 states.
        let search = |memory: u64| {
            let limits = Limits { memory: Some(memory), ..Limits::default() };
            let control = Control::new(limits, std::sync::Arc::new(Silent));
            let mut meter = control.meter();
            let result = shortest_path(size, &free, start, |_| 1, &mut meter);
            (result, control.peak_bytes(), meter.nodes())
        };
        let (result, peak, nodes) = search(8 << 20);
        assert_eq!(result, Err(Stop::Memory));
        assert!((4 << 20..=8 << 20).contains(&peak), "{peak} bytes reserved");
        // Every stored node takes at least its own size in the three arrays.
        assert!(nodes < 8 << 20 >> 5, "{nodes} nodes");
    }

    #[test]
    fn carry_cost_is_admissible() {
        let size = Size { rows: 4, columns: 5 };
        let free = vec![true; size.cells()];
        let control = Control::default();
        let mut meter = control.meter();
        for (blank, tile, target) in (0..20u16)
            .flat_map(|blank| {
                (0..20u16).flat_map(move |tile| (0..20usize).map(move |target| (blank, tile, target)))
            })
            .filter(|&(blank, tile, _)| blank != tile)
        {
            let blind = |state: &AbstractState<1>| Cost::from(usize::from(state.tiles[0]) != target);
            let start = AbstractState { blank, tiles: [tile] };
            let truth =
                shortest_path(size, &free, start, blind, &mut meter).expect("no limit").expect("a path");
            assert!(carry_cost(size, blank, tile, target) <= truth.len() as Cost, "{blank} {tile} {target}");
        }
    }
}
