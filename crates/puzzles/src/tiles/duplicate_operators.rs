//! Duplicate operator pruning for sliding tiles (Taylor & Korf, "Pruning duplicate nodes in depth-first
//! search", AAAI 1993).
//!
//! Different move sequences of equal length can have the same effect: the two ways around a 2×2 block, for
//! example, 6 moves clockwise and 6 anticlockwise. Of all sequences with the same effect the
//! lexicographically smallest one is kept, and a finite automaton forbids the others in a tree search.
//!
//! A sequence is forbidden only if its replacement is legal wherever the sequence is: the replacement must
//! keep the blank within the bounding box of its path in the sequence (Holte & Burch, "Automatic move
//! pruning for single-agent search", AI Communications 27, 2014, state the general condition). Each
//! replacement is lexicographically smaller, so repeated replacement ends, and every position keeps an
//! optimal path that the automaton accepts.

use untumble_search::moves::{AutomatonState, Move, MoveAutomaton};

use super::{Size, inverse};

/// A sequence of up to sixteen moves, 2 bits each, the first move in the highest bits, so that the derived
/// order of sequences of equal length is lexicographic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct MoveSequence {
    packed: u32,
    length: u32,
}

impl MoveSequence {
    const EMPTY: MoveSequence = MoveSequence { packed: 0, length: 0 };

    fn then(self, m: Move) -> MoveSequence {
        MoveSequence { packed: self.packed << 2 | u32::from(m.0), length: self.length + 1 }
    }

    fn moves(self) -> Vec<Move> {
        (0..self.length).rev().map(|index| Move((self.packed >> (2 * index) & 3) as u8)).collect()
    }
}

/// Bounding box of the blank's path: the farthest that it goes up, left, right and down from its start.
type Extent = [u8; 4];

/// Row and column of the centre of the board on which sequences are compared; no sequence reaches its edge.
const CENTRE: usize = 16;
const SIDE: usize = 2 * CENTRE + 1;

/// A move sequence with a hash of its effect and the bounding box of the blank's path.
#[derive(Clone, Copy)]
struct Effect {
    hash: u64,
    extent: Extent,
    sequence: MoveSequence,
}

/// A board large enough that no sequence reaches its edge. A tile is identified by its initial cell.
#[derive(Clone, PartialEq, Eq)]
struct UnboundedBoard {
    cells: Vec<u16>,
    blank: usize,
}

impl UnboundedBoard {
    fn new() -> UnboundedBoard {
        UnboundedBoard { cells: (0..(SIDE * SIDE) as u16).collect(), blank: CENTRE * SIDE + CENTRE }
    }

    fn after(sequence: MoveSequence) -> UnboundedBoard {
        let mut board = UnboundedBoard::new();
        sequence.moves().into_iter().for_each(|m| {
            board.apply(m);
        });
        board
    }

    /// Applies a move; returns the difference that it makes to the hash.
    fn apply(&mut self, m: Move) -> u64 {
        let (blank, from) = (self.blank, self.sliding_cell(m));
        let tile = self.cells[from];
        self.cells.swap(blank, from);
        self.blank = from;
        hash_term(blank, tile).wrapping_sub(hash_term(from, tile))
    }

    fn sliding_cell(&self, m: Move) -> usize {
        [self.blank - SIDE, self.blank - 1, self.blank + 1, self.blank + SIDE][m.index()]
    }

    /// `extent`, enlarged to contain the blank.
    fn enlarge(&self, extent: Extent) -> Extent {
        let (row, column) = (self.blank / SIDE, self.blank % SIDE);
        let reach = [
            CENTRE.saturating_sub(row),
            CENTRE.saturating_sub(column),
            column.saturating_sub(CENTRE),
            row.saturating_sub(CENTRE),
        ];
        std::array::from_fn(|side| extent[side].max(reach[side] as u8))
    }
}

/// The contribution of a tile in a cell to the hash of a board. [`duplicates`] compares boards whose hashes
/// are equal.
fn hash_term(cell: usize, tile: u16) -> u64 {
    let mut bits = (cell as u64) << 16 | u64::from(tile);
    for _ in 0..2 {
        bits = (bits ^ bits >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    bits ^ bits >> 29
}

/// The inverse of each move.
pub(super) const INVERSES: [Move; 4] = [Move(3), Move(2), Move(1), Move(0)];

/// Length of the longest sequences that are compared. Length 14 prunes another 6 % of the nodes, but the
/// automaton then exceeds the first-level cache and takes seven times as long to build.
const MAX_LENGTH: u32 = 12;

/// The automaton that forbids only the undo of the last move.
pub(super) fn no_undo() -> MoveAutomaton {
    MoveAutomaton::no_undo(&INVERSES)
}

/// The automaton that forbids every duplicate sequence of up to [`MAX_LENGTH`] moves on boards of a size.
pub(super) fn without_duplicates(size: Size) -> MoveAutomaton {
    let mut forbidden: Vec<Vec<Move>> = (0..4).map(Move).map(|m| vec![m, inverse(m)]).collect();
    let mut automaton = no_undo();
    for length in 1..=MAX_LENGTH {
        let board = UnboundedBoard::new();
        let mut enumeration = Enumeration { size, automaton: &automaton, board, length, effects: Vec::new() };
        let root = Effect { hash: 0, extent: [0; 4], sequence: MoveSequence::EMPTY };
        enumeration.visit(root, AutomatonState::START);
        let mut effects = enumeration.effects;
        effects.sort_unstable_by_key(|effect| (effect.hash, effect.sequence));
        let equal_hashes = effects.chunk_by(|a, b| a.hash == b.hash);
        let found: Vec<MoveSequence> = equal_hashes.flat_map(duplicates).collect();
        if !found.is_empty() {
            forbidden.extend(found.into_iter().map(MoveSequence::moves));
            automaton = MoveAutomaton::forbid(INVERSES.len(), &forbidden);
        }
    }
    automaton
}

/// The sequences that a smaller one in `candidates` can replace. `candidates` have equal hashes and are in
/// lexicographic order.
fn duplicates(candidates: &[Effect]) -> Vec<MoveSequence> {
    let fits_within = |a: &Effect, b: &Effect| (0..4).all(|side| a.extent[side] <= b.extent[side]);
    let duplicate = |(index, effect): (usize, &Effect)| {
        let mut smaller = candidates[..index].iter().filter(|other| fits_within(other, effect));
        let same_effect =
            |other: &Effect| UnboundedBoard::after(other.sequence) == UnboundedBoard::after(effect.sequence);
        smaller.any(same_effect).then_some(effect.sequence)
    };
    candidates.iter().enumerate().filter_map(duplicate).collect()
}

/// Depth-first enumeration of the sequences of one length that fit the board and that the automaton accepts.
struct Enumeration<'a> {
    size: Size,
    automaton: &'a MoveAutomaton,
    board: UnboundedBoard,
    length: u32,
    effects: Vec<Effect>,
}

impl Enumeration<'_> {
    fn visit(&mut self, effect: Effect, state: AutomatonState) {
        if effect.sequence.length == self.length {
            self.effects.push(effect);
            return;
        }
        for m in self.automaton.allowed(state) {
            let difference = self.board.apply(m);
            let extent = self.board.enlarge(effect.extent);
            let [up, left, right, down] = extent.map(usize::from);
            if up + down < self.size.rows && left + right < self.size.columns {
                let hash = effect.hash.wrapping_add(difference);
                let next = Effect { hash, extent, sequence: effect.sequence.then(m) };
                self.visit(next, self.automaton.next(state, m));
            }
            self.board.apply(inverse(m));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::{Board, Cells, Goal, Tiles};
    use super::*;
    use untumble_search::puzzle::Puzzle;

    /// Asserts that the automaton reaches every board at its breadth-first depth, for all depths up to
    /// `depth`. Returns the number of boards and the number of nodes of the pruned tree.
    fn assert_complete<C: Cells>(rows: usize, columns: usize, goal: &str, depth: usize) -> (usize, usize) {
        let size = Size { rows, columns };
        let tiles: Tiles<C> = Tiles::new(Goal::named(size, goal).expect("a known goal"));
        let automaton = without_duplicates(size);
        let start = tiles.solved();
        let mut seen = HashSet::from([start.cells.clone()]);
        let mut reached = seen.clone();
        let mut level = vec![start.clone()];
        let mut nodes: Vec<(Board<C>, AutomatonState)> = vec![(start, AutomatonState::START)];
        let (mut board_count, mut node_count) = (1, 1);
        for moves in 1..=depth {
            let mut next = Vec::new();
            for board in &level {
                for m in tiles.legal(board) {
                    let child = tiles.apply(board, m);
                    if seen.insert(child.cells.clone()) {
                        next.push(child);
                    }
                }
            }
            level = next;
            let mut children = Vec::new();
            for (board, state) in nodes {
                for m in tiles.legal(&board) & automaton.allowed(state) {
                    children.push((tiles.apply(&board, m), automaton.next(state, m)));
                }
            }
            nodes = children;
            reached.extend(nodes.iter().map(|(board, _)| board.cells.clone()));
            assert!(reached == seen, "{size} {goal}: some boards are not reached in {moves} moves");
            (board_count, node_count) = (board_count + level.len(), node_count + nodes.len());
        }
        (board_count, node_count)
    }

    #[test]
    fn every_board_keeps_an_optimal_path() {
        for (rows, columns, depth) in [(2, 2, 6), (2, 3, 21), (2, 5, 20), (3, 3, 20), (3, 4, 15), (4, 4, 13)]
        {
            for goal in ["blank-last", "blank-first", "snail"] {
                assert_complete::<u64>(rows, columns, goal, depth);
            }
        }
        for goal in ["blank-last", "snail"] {
            assert_complete::<u128>(5, 5, goal, 12);
        }
        assert_complete::<Box<[u16]>>(3, 9, "snail", 12);
    }

    #[test]
    fn few_duplicate_nodes_remain() {
        let (boards, nodes) = assert_complete::<u128>(5, 5, "snail", 12);
        // A few duplicates remain because a sequence does not know how far the edge of the board is.
        assert!(nodes < boards + boards / 40, "{nodes} nodes for {boards} boards");
        let kept = [0, 1, 3, 2, 0, 1].map(Move);
        let pruned = [1, 0, 2, 3, 1, 0].map(Move);
        let automaton = without_duplicates(Size { rows: 2, columns: 2 });
        let accepts = |sequence: &[Move]| {
            (0..sequence.len())
                .all(|at| automaton.allowed(automaton.after(&sequence[..at])).contains(sequence[at]))
        };
        assert!(accepts(&kept) && !accepts(&pruned), "the smaller of the two ways around a block is kept");
    }
}
