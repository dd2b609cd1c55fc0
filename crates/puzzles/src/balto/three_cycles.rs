//! A table of short move sequences that permute three tiles cyclically and leave every other cell
//! unchanged.
//!
//! Meeting in the middle finds them: if two sequences (halves) end with the same empty cell and differ in
//! the places of exactly three tiles, the first followed by the inverse of the second is a 3-cycle. All
//! cells of the torus are alike, so cells are stored relative to the empty cell, and one table serves the
//! whole board.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use untumble_search::control::Control;
use untumble_search::moves::Move;

use super::{Lattice, inverse_move, moves_of_direction, rotated_cells};

/// Longest half of a sequence, in moves.
const MAX_HALF_LENGTH: usize = 6;
/// Sequences kept per 3-cycle. Alternatives may cancel more moves where they are inserted.
const MAX_ALTERNATIVES: usize = 6;
/// No sequence moves a tile further than this from the empty cell.
pub(super) const MAX_DISTANCE: u32 = MAX_HALF_LENGTH as u32;

/// A 3-cycle of cells as offsets from the empty cell: each tile goes to the next cell, the last to the
/// first. The least offset comes first.
type Cycle = [u16; 3];
type CycleTable = HashMap<Cycle, Vec<CycleSequence>, FixedState>;

/// The sequences for each 3-cycle near the empty cell.
#[derive(Debug)]
pub(super) struct ThreeCycles {
    /// Indexed by whether the first move is clockwise.
    sequences: [CycleTable; 2],
}

/// A move sequence of at most twice [`MAX_HALF_LENGTH`] moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CycleSequence {
    length: u8,
    moves: [Move; 2 * MAX_HALF_LENGTH],
}

impl CycleSequence {
    /// `first` followed by the inverse of `second`.
    fn combine(first: &HalfSequence, second: &HalfSequence) -> CycleSequence {
        let mut sequence = CycleSequence { length: 0, moves: [Move(0); 2 * MAX_HALF_LENGTH] };
        let inverse = second.moves.iter().rev().map(|&m| inverse_move(m));
        for m in first.moves.iter().copied().chain(inverse) {
            sequence.moves[usize::from(sequence.length)] = m;
            sequence.length += 1;
        }
        sequence
    }

    pub(super) fn moves(&self) -> &[Move] {
        &self.moves[..usize::from(self.length)]
    }

    fn first_and_last(&self) -> [Option<&Move>; 2] {
        [self.moves().first(), self.moves().last()]
    }
}

/// A sequence that is combined with the inverse of another one of the same length.
struct HalfSequence {
    moves: Vec<Move>,
    /// Origin and destination of every displaced tile, sorted by origin.
    displaced: Vec<(u16, u16)>,
}

impl ThreeCycles {
    /// Builds the table of a lattice; `None` if the control stops the search.
    pub(super) fn new(lattice: &Lattice, control: &Control) -> Option<ThreeCycles> {
        Some(ThreeCycles { sequences: [build(lattice, false, control)?, build(lattice, true, control)?] })
    }

    /// The sequences that move the tile of each of `cells` to the next of them, shortest first.
    pub(super) fn find(
        &self,
        lattice: &Lattice,
        empty_cell: u16,
        clockwise: bool,
        cells: [u16; 3],
    ) -> &[CycleSequence] {
        let offsets = cells.map(|cell| lattice.offset(empty_cell, cell));
        self.sequences[usize::from(clockwise)].get(&canonical(offsets)).map_or(&[], Vec::as_slice)
    }
}

/// The cyclic rotation that begins with the least cell.
fn canonical([a, b, c]: [u16; 3]) -> Cycle {
    if a < b && a < c {
        [a, b, c]
    } else if b < c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

/// Builds the table of all sequences whose first move has the given direction.
fn build(lattice: &Lattice, clockwise: bool, control: &Control) -> Option<CycleTable> {
    let cells = lattice.cells() as u16;
    let mut generator = HalfGenerator {
        lattice,
        near: (0..cells).filter(|&cell| lattice.distance(0, cell) <= MAX_DISTANCE).collect(),
        origins: (0..cells).collect(),
        path: Vec::new(),
        halves: (0..cells).map(|_| std::array::from_fn(|_| Vec::new())).collect(),
    };
    generator.generate(clockwise, 0);
    let mut halves = generator.halves;
    for group in halves.iter_mut().flatten() {
        // On small boards many sequences have the same effect.
        group.sort_by(|one, other| one.displaced.cmp(&other.displaced));
        group.dedup_by(|one, other| one.displaced == other.displaced);
    }
    let mut sequences = CycleTable::default();
    // Both halves have the same length, so the direction of the next move is the same as before the
    // sequence.
    for length in 1..=MAX_HALF_LENGTH {
        for group in halves.iter().map(|by_length| &by_length[length]) {
            control.poll().ok()?;
            for (first, second) in
                group.iter().flat_map(|first| group.iter().map(move |second| (first, second)))
            {
                // Equal last moves cancel, so a shorter pair has the same effect.
                let irreducible = first.moves.last() != second.moves.last();
                let cycle = irreducible.then(|| three_cycle(&first.displaced, &second.displaced)).flatten();
                if let Some(cycle) = cycle {
                    let sequence = CycleSequence::combine(first, second);
                    insert_alternative(sequences.entry(cycle).or_default(), sequence);
                }
            }
        }
    }
    Some(sequences)
}

/// Adds a sequence unless the list is full or holds a shorter one with the same first and last move.
fn insert_alternative(known: &mut Vec<CycleSequence>, sequence: CycleSequence) {
    let distinct = known.iter().all(|other| other.first_and_last() != sequence.first_and_last());
    if known.len() < MAX_ALTERNATIVES && distinct {
        known.push(sequence);
    }
}

/// Depth-first enumeration of all sequences of up to [`MAX_HALF_LENGTH`] moves from empty cell 0.
struct HalfGenerator<'a> {
    lattice: &'a Lattice,
    /// The cells whose contents these sequences can change.
    near: Vec<u16>,
    /// Indexed by cell: the origin of its content.
    origins: Vec<u16>,
    path: Vec<Move>,
    /// Indexed by the final empty cell and the length.
    halves: Vec<[Vec<HalfSequence>; MAX_HALF_LENGTH + 1]>,
}

impl HalfGenerator<'_> {
    fn generate(&mut self, clockwise: bool, empty_cell: u16) {
        let half = HalfSequence { moves: self.path.clone(), displaced: self.displaced(empty_cell) };
        self.halves[usize::from(empty_cell)][self.path.len()].push(half);
        if self.path.len() == MAX_HALF_LENGTH {
            return;
        }
        for m in moves_of_direction(clockwise) {
            if self.path.last().is_some_and(|&last| inverse_move(last) == m) {
                continue;
            }
            let cells = rotated_cells(self.lattice, empty_cell, m);
            let [a, b, c] = cells.map(usize::from);
            let origins = &mut self.origins;
            (origins[a], origins[b], origins[c]) = (origins[c], origins[a], origins[b]);
            self.path.push(m);
            self.generate(!clockwise, cells[1]);
            self.path.pop();
            let origins = &mut self.origins;
            (origins[a], origins[b], origins[c]) = (origins[b], origins[c], origins[a]);
        }
    }

    /// Origin and destination of every displaced tile, sorted by origin.
    fn displaced(&self, empty_cell: u16) -> Vec<(u16, u16)> {
        let contents = self.near.iter().map(|&cell| (self.origins[usize::from(cell)], cell));
        let mut displaced: Vec<(u16, u16)> =
            contents.filter(|&(origin, cell)| cell != origin && cell != empty_cell).collect();
        displaced.sort_unstable();
        displaced
    }
}

/// The permutation "`first`, then the inverse of `second`" if it is a 3-cycle. Both lists are sorted by
/// origin.
fn three_cycle(first: &[(u16, u16)], second: &[(u16, u16)]) -> Option<Cycle> {
    // The tiles that the two sequences take to different cells: origin, destination by `first`, destination
    // by `second`.
    let mut different = [(0, 0, 0); 3];
    let mut count = 0;
    let (mut i, mut j) = (0, 0);
    while i < first.len() || j < second.len() {
        let (a, b) = (first.get(i), second.get(j));
        let origin = a.into_iter().chain(b).map(|tile| tile.0).min()?;
        let destination = |tile: Option<&(u16, u16)>, index: &mut usize| match tile {
            Some(&(from, to)) if from == origin => {
                *index += 1;
                to
            }
            _ => origin,
        };
        let (by_first, by_second) = (destination(a, &mut i), destination(b, &mut j));
        if by_first != by_second {
            *different.get_mut(count)? = (origin, by_first, by_second);
            count += 1;
        }
    }
    if count < 3 {
        return None;
    }
    // The inverse of `second` takes a tile in cell `to` to the origin whose tile `second` takes to `to`.
    let undo_second = |to: u16| different.iter().find(|tile| tile.2 == to).map(|tile| tile.0);
    let a = different[0].0;
    let b = undo_second(different[0].1)?;
    let c = undo_second(different.iter().find(|tile| tile.0 == b)?.1)?;
    Some(canonical([a, b, c]))
}

#[cfg(test)]
mod tests {
    use super::super::Balto;
    use super::*;
    use untumble_search::puzzle::Puzzle;

    #[test]
    fn every_sequence_is_exactly_its_three_cycle() {
        for side in [3, 5, 9] {
            let balto = Balto::new(side);
            let lattice = balto.lattice();
            let cycles = ThreeCycles::new(lattice, &Control::default()).expect("no limit");
            let solved = balto.solved();
            for clockwise in [false, true] {
                let known = &cycles.sequences[usize::from(clockwise)];
                assert!(known.len() > 400, "side {side}: {}", known.len());
                for (&cycle, sequences) in known.iter().step_by(7) {
                    let cells = cycle.map(|offset| lattice.translate(offset, solved.empty_cell()));
                    let mut expected = solved.cells().to_vec();
                    for (from, to) in [(0, 1), (1, 2), (2, 0)] {
                        expected[usize::from(cells[to])] = cells[from];
                    }
                    for sequence in sequences {
                        let end = balto.replay(&solved.with_direction(clockwise), sequence.moves());
                        let end = end.expect("directions alternate");
                        assert_eq!(end.cells(), expected, "side {side}, {cycle:?}, {sequence:?}");
                        assert_eq!(end.next_clockwise(), clockwise);
                    }
                    assert_eq!(cycles.find(lattice, solved.empty_cell(), clockwise, cells), sequences);
                    assert!(sequences.is_sorted_by_key(|sequence| sequence.moves().len()));
                }
            }
        }
    }
}
