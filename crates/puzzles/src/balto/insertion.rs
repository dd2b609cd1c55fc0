//! Completes a move sequence (skeleton) that leaves a few tiles unsolved by inserting 3-cycles into it.
//!
//! Insertions are the standard technique of the fewest-moves challenge on Rubik's cube; the program
//! Insertion Finder (xuanyan0x7c7/insertionfinder) searches for them. A 3-cycle may be inserted anywhere
//! in the skeleton. The cheapest place is one where the three tiles are close together and moves cancel. If
//! no place is suitable, a setup brings the tiles together and is undone after the 3-cycle (a conjugate).

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};

use foldhash::fast::FixedState;
use untumble_search::control::Control;
use untumble_search::moves::Move;
use untumble_search::puzzle::Puzzle;

use super::three_cycles::{MAX_DISTANCE, ThreeCycles};
use super::{Balto, Board, Lattice, inverse_move, is_clockwise, moves_of_direction, rotated_cells};

/// With more unsolved tiles, insertions take long and give long solutions.
const MAX_TILES: usize = 40;
/// Up to this many unsolved tiles, two consecutive tiles of a cycle are also combined with every other tile.
/// For cycles of two tiles this is always done.
const MAX_TILES_FOR_MIXED_TRIPLES: usize = 12;
/// Limit on the states of a setup search.
const MAX_SETUP_STATES: usize = 300_000;
/// Expansions of a setup search between two polls of the control.
const POLL_INTERVAL: usize = 10_000;

/// A skeleton and the tiles it leaves unsolved.
pub(super) struct CycleInsertion<'a> {
    lattice: &'a Lattice,
    cycles: &'a ThreeCycles,
    control: &'a Control,
    skeleton: Vec<Move>,
    /// The empty cell before the first move.
    empty_cell: u16,
    /// Whether the first move is clockwise.
    clockwise: bool,
    /// The unsolved tiles before the first move, as pairs of cells: where the tile is, and where it would
    /// have to be for the skeleton to solve it.
    unsolved: Vec<(u16, u16)>,
}

/// The empty cell, the direction of the next move and some tracked cells at one place of the skeleton.
#[derive(Clone)]
struct TrackedCells {
    empty_cell: u16,
    clockwise: bool,
    cells: Vec<u16>,
}

impl TrackedCells {
    fn apply(&mut self, lattice: &Lattice, m: Move) {
        let rotated = rotated_cells(lattice, self.empty_cell, m);
        for cell in &mut self.cells {
            *cell = destination(*cell, rotated);
        }
        self.empty_cell = rotated[1];
        self.clockwise = !is_clockwise(m);
    }
}

/// The cell to which a move takes the tile of `cell`. The move rotates the cells `[a, b, c]`
/// ([`rotated_cells`]): the empty cell goes from `a` to `b`, tiles go from `b` to `c` and from `c` to `a`.
#[inline]
fn destination(cell: u16, [a, b, c]: [u16; 3]) -> u16 {
    if cell == b {
        c
    } else if cell == c {
        a
    } else {
        cell
    }
}

/// Indices of three unsolved tiles to be cycled, and the number of tiles that the cycle solves.
type Triple = ([usize; 3], usize);

/// A sequence to be inserted.
struct Insertion {
    /// The number of moves of the skeleton before the sequence.
    index: usize,
    sequence: Vec<Move>,
    /// The number of moves by which the skeleton grows.
    cost: usize,
    triple: Triple,
}

impl Insertion {
    /// Whether `self` costs fewer moves per solved tile.
    fn is_cheaper_than(&self, other: &Insertion) -> bool {
        self.cost * other.triple.1 < other.cost * self.triple.1
    }
}

/// A shortest move sequence that takes the empty cell and the direction of the next move from `from` to
/// `to`.
pub(super) fn empty_cell_path(lattice: &Lattice, from: (u16, bool), to: (u16, bool)) -> Option<Vec<Move>> {
    let index = |(cell, clockwise): (u16, bool)| 2 * usize::from(cell) + usize::from(clockwise);
    // `None` for unreached states, `Some(None)` for the start.
    let mut reached_by: Vec<Option<Option<Move>>> = vec![None; 2 * lattice.cells()];
    reached_by[index(from)] = Some(None);
    let mut queue = VecDeque::from([from]);
    while let Some((empty_cell, clockwise)) = queue.pop_front() {
        if (empty_cell, clockwise) == to {
            let mut path = Vec::new();
            let mut state = to;
            while let Some(Some(m)) = reached_by[index(state)] {
                path.push(m);
                let [_, previous, _] = rotated_cells(lattice, state.0, inverse_move(m));
                state = (previous, is_clockwise(m));
            }
            path.reverse();
            return Some(path);
        }
        for m in moves_of_direction(clockwise) {
            let next = (rotated_cells(lattice, empty_cell, m)[1], !clockwise);
            if reached_by[index(next)].is_none() {
                reached_by[index(next)] = Some(Some(m));
                queue.push_back(next);
            }
        }
    }
    None
}

/// The number of moves of `sequence` that cancel with the moves before or after it.
fn cancellations(before: &[Move], sequence: &[Move], after: &[Move]) -> usize {
    let inverse = |&(&m, &next): &(&Move, &Move)| inverse_move(m) == next;
    let at_front = before.iter().rev().zip(sequence).take_while(inverse).count();
    let at_end = sequence[at_front..].iter().rev().zip(after).take_while(inverse).count();
    at_front + at_end
}

impl<'a> CycleInsertion<'a> {
    /// Insertions into `skeleton`. The other arguments describe the state after its first `index` moves: the
    /// empty cell, whether the next move is clockwise, and for each unsolved tile a pair of cells in
    /// `permutation`: the cell of the tile, and the cell from which the rest of the skeleton would solve it.
    pub(super) fn new(
        (lattice, cycles): (&'a Lattice, &'a ThreeCycles),
        control: &'a Control,
        skeleton: Vec<Move>,
        index: usize,
        (empty_cell, clockwise): (u16, bool),
        permutation: &[(u16, u16)],
    ) -> CycleInsertion<'a> {
        let cells = permutation.iter().flat_map(|&(from, to)| [from, to]).collect();
        let mut tracked = TrackedCells { empty_cell, clockwise, cells };
        for &m in skeleton[..index].iter().rev() {
            tracked.apply(lattice, inverse_move(m));
        }
        let unsolved = tracked.cells.chunks(2).map(|pair| (pair[0], pair[1])).collect();
        let TrackedCells { empty_cell, clockwise, .. } = tracked;
        CycleInsertion { lattice, cycles, control, skeleton, empty_cell, clockwise, unsolved }
    }

    /// A complete solution. `None` if too many tiles are unsolved, a setup search fails or the control
    /// stops the search.
    pub(super) fn run(mut self) -> Option<Vec<Move>> {
        if self.unsolved.len() > MAX_TILES {
            return None;
        }
        while !self.unsolved.is_empty() {
            self.control.poll().ok()?;
            let triples = self.triples();
            let insertion =
                self.cheapest_insertion(&triples).or_else(|| self.conjugate_insertion(&triples))?;
            self.insert(&insertion);
        }
        Some(self.skeleton)
    }

    /// Triples worth cycling. Three consecutive tiles of a cycle of the permutation solve two tiles, or
    /// three if they are the whole cycle. Two consecutive tiles and any other tile solve one.
    fn triples(&self) -> Vec<Triple> {
        let index = |cell: u16| self.unsolved.iter().position(|&(from, _)| from == cell);
        let next: Vec<usize> =
            self.unsolved.iter().enumerate().map(|(tile, &(_, to))| index(to).unwrap_or(tile)).collect();
        let mut triples = Vec::new();
        for tile in 0..next.len() {
            let (second, third) = (next[tile], next[next[tile]]);
            if third != tile {
                let whole_cycle = next[third] == tile;
                // A whole 3-cycle is found from each of its tiles: keep one.
                if !whole_cycle || tile < second.min(third) {
                    triples.push(([tile, second, third], if whole_cycle { 3 } else { 2 }));
                }
            }
            if next.len() <= MAX_TILES_FOR_MIXED_TRIPLES || third == tile {
                let others = (0..next.len()).filter(|&other| ![tile, second, third].contains(&other));
                triples.extend(others.map(|other| ([tile, second, other], 1)));
            }
        }
        triples
    }

    /// Calls `visit` for each place of the skeleton where a sequence can be inserted, with the number of
    /// moves before it and the cells of the unsolved tiles.
    fn for_each_place(&self, mut visit: impl FnMut(usize, &TrackedCells)) {
        let cells = self.unsolved.iter().map(|&(from, _)| from).collect();
        let mut tracked = TrackedCells { empty_cell: self.empty_cell, clockwise: self.clockwise, cells };
        visit(0, &tracked);
        for (index, &m) in self.skeleton.iter().enumerate() {
            tracked.apply(self.lattice, m);
            visit(index + 1, &tracked);
        }
    }

    /// The cheapest insertion of a table sequence at any place of the skeleton.
    fn cheapest_insertion(&self, triples: &[Triple]) -> Option<Insertion> {
        let mut best: Option<Insertion> = None;
        self.for_each_place(|index, tracked| {
            let distance = |cell| self.lattice.distance(tracked.empty_cell, cell);
            let near: Vec<bool> = tracked.cells.iter().map(|&cell| distance(cell) <= MAX_DISTANCE).collect();
            for &triple in triples.iter().filter(|(tiles, _)| tiles.iter().all(|&tile| near[tile])) {
                let cells = triple.0.map(|tile| tracked.cells[tile]);
                for found in self.cycles.find(self.lattice, tracked.empty_cell, tracked.clockwise, cells) {
                    let sequence = found.moves();
                    let cancelled = cancellations(&self.skeleton[..index], sequence, &self.skeleton[index..]);
                    // A cancelled move also removes the move that it cancels.
                    let cost = sequence.len().saturating_sub(2 * cancelled);
                    let insertion = Insertion { index, sequence: Vec::new(), cost, triple };
                    if best.as_ref().is_none_or(|best| insertion.is_cheaper_than(best)) {
                        best = Some(Insertion { sequence: sequence.to_vec(), ..insertion });
                    }
                }
            }
        });
        best
    }

    /// Setup, 3-cycle and inverse setup, inserted where three tiles are nearest to each other.
    fn conjugate_insertion(&self, triples: &[Triple]) -> Option<Insertion> {
        let mut nearest: Option<(u32, usize, TrackedCells, Triple)> = None;
        self.for_each_place(|index, tracked| {
            for &triple in triples {
                let cells = triple.0.map(|tile| tracked.cells[tile]);
                // The spread per solved tile; 6 makes the division by 1, 2 or 3 exact.
                let spread = self.spread(tracked.empty_cell, cells) * 6 / triple.1 as u32;
                if nearest.as_ref().is_none_or(|(best, ..)| spread < *best) {
                    let tracked = TrackedCells { cells: cells.to_vec(), ..*tracked };
                    nearest = Some((spread, index, tracked, triple));
                }
            }
        });
        let (_, index, mut tracked, triple) = nearest?;
        let cells = [tracked.cells[0], tracked.cells[1], tracked.cells[2]];
        let setup = self.find_setup(tracked.empty_cell, tracked.clockwise, cells)?;
        setup.iter().for_each(|&m| tracked.apply(self.lattice, m));
        let cells = [tracked.cells[0], tracked.cells[1], tracked.cells[2]];
        let cycle = self.cycles.find(self.lattice, tracked.empty_cell, tracked.clockwise, cells).first()?;
        let sequence: Vec<Move> = setup
            .iter()
            .copied()
            .chain(cycle.moves().iter().copied())
            .chain(setup.iter().rev().map(|&m| inverse_move(m)))
            .collect();
        Some(Insertion { index, cost: sequence.len(), sequence, triple })
    }

    /// Twice the sum of the pairwise distances plus the distance of the empty cell from the nearest of
    /// the three.
    fn spread(&self, empty_cell: u16, [a, b, c]: [u16; 3]) -> u32 {
        let distance = |from, to| self.lattice.distance(from, to);
        let to_empty = distance(empty_cell, a).min(distance(empty_cell, b)).min(distance(empty_cell, c));
        2 * (distance(a, b) + distance(b, c) + distance(a, c)) + to_empty
    }

    /// Moves after which the table has a sequence for the three tiles: weighted A* on their spread, without
    /// reopening.
    fn find_setup(&self, empty_cell: u16, clockwise: bool, cells: [u16; 3]) -> Option<Vec<Move>> {
        /// The empty cell, whether the next move is clockwise, and the cells of the three tiles.
        type Key = (u16, bool, [u16; 3]);
        let start: Key = (empty_cell, clockwise, cells);
        let mut reached_by: HashMap<Key, Option<Move>, FixedState> = HashMap::default();
        let mut open = BinaryHeap::from([Reverse((0, 0u32, start))]);
        reached_by.insert(start, None);
        let mut expanded = 0;
        while let Some(Reverse((_, g, key))) = open.pop() {
            let (empty_cell, clockwise, cells) = key;
            if !self.cycles.find(self.lattice, empty_cell, clockwise, cells).is_empty() {
                let mut path = Vec::new();
                let mut state = key;
                while let Some(&Some(m)) = reached_by.get(&state) {
                    path.push(m);
                    let rotated = rotated_cells(self.lattice, state.0, inverse_move(m));
                    state = (rotated[1], is_clockwise(m), state.2.map(|cell| destination(cell, rotated)));
                }
                path.reverse();
                return Some(path);
            }
            expanded += 1;
            let stop = expanded % POLL_INTERVAL == 0 && self.control.poll().is_err();
            if stop || reached_by.len() > MAX_SETUP_STATES {
                return None;
            }
            for m in moves_of_direction(clockwise) {
                let rotated = rotated_cells(self.lattice, empty_cell, m);
                let next: Key = (rotated[1], !clockwise, cells.map(|cell| destination(cell, rotated)));
                reached_by.entry(next).or_insert_with(|| {
                    let h = 2 * self.spread(next.0, next.2);
                    open.push(Reverse((g + 1 + h, g + 1, next)));
                    Some(m)
                });
            }
        }
        None
    }

    /// Inserts a sequence into the skeleton, cancels adjacent inverse moves and updates the unsolved tiles.
    fn insert(&mut self, insertion: &Insertion) {
        // All cells are traced back to the beginning of the skeleton. There the 3-cycle moves the tile of each
        // of its cells to the next one, so a tile that belongs into one of them now belongs into the one before.
        let cells = insertion.triple.0.map(|tile| self.unsolved[tile].0);
        for (_, to) in &mut self.unsolved {
            if let Some(position) = cells.iter().position(|cell| cell == to) {
                *to = cells[(position + 2) % 3];
            }
        }
        self.unsolved.retain(|&(from, to)| from != to);
        let after = self.skeleton.split_off(insertion.index);
        for &m in insertion.sequence.iter().chain(&after) {
            if self.skeleton.last().is_some_and(|&last| inverse_move(last) == m) {
                self.skeleton.pop();
            } else {
                self.skeleton.push(m);
            }
        }
    }
}

impl Balto {
    /// The shortest solution obtained from `moves`, made from one of `starts`, by moving the empty cell
    /// to the centre and inserting 3-cycles.
    pub(super) fn finish_by_insertion(
        &self,
        starts: &[Board],
        moves: &[Move],
        control: &Control,
    ) -> Option<Vec<Move>> {
        let lattice = self.lattice();
        let cycles = ThreeCycles::new(lattice, control)?;
        let ends = starts.iter().filter_map(|start| self.replay(start, moves).ok());
        let mut solutions = Vec::new();
        for end in ends {
            for clockwise in [false, true] {
                let from = (end.empty_cell(), end.next_clockwise());
                let Some(to_centre) = empty_cell_path(lattice, from, (lattice.centre(), clockwise)) else {
                    continue;
                };
                let Ok(centred) = self.replay(&end, &to_centre) else { continue };
                let skeleton = [moves, &to_centre].concat();
                let permutation: Vec<(u16, u16)> =
                    (0..).zip(centred.cells().iter().copied()).filter(|(cell, home)| cell != home).collect();
                let (index, at) = (skeleton.len(), (centred.empty_cell(), centred.next_clockwise()));
                let insertion =
                    CycleInsertion::new((lattice, &cycles), control, skeleton, index, at, &permutation);
                solutions.extend(insertion.run());
            }
        }
        solutions.into_iter().min_by_key(Vec::len)
    }
}

#[cfg(test)]
mod tests;
