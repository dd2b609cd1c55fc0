//! The state of the bidirectional beam search: a start board and a goal board that move towards each
//! other.
//!
//! Representation and evaluation follow R. Bocquet's winning program of the contest "Balto's Puzzle" (Al
//! Zimmermann's Programming Contests, 2024), which searches with an Euler-tour beam: one state walks
//! the tree of surviving paths by making and undoing moves. A move rotates the
//! empty cell and two tiles; moves alternate between clockwise and anticlockwise.
//!
//! The state consists of the relative permutation (it maps each cell of one board to the cell of the other
//! board that holds the same tile), the two empty cells and the directions of the two next moves. A move on
//! either board gives a successor. A solution is the moves of the start board followed by the inverses of
//! the goal board's moves in reverse order. Score and hash are updated incrementally, and a successor is
//! evaluated before its move is made.

use std::sync::Arc;

use untumble_search::control::Control;
use untumble_search::moves::Move;
use untumble_search::walker::{ScoredMove, Walker};

pub use super::eval_tables::EvalTables;
use super::insertion::{CycleInsertion, empty_cell_path};
use super::three_cycles::ThreeCycles;
use super::{Board, CLOCKWISE_MOVES, inverse_move, is_clockwise, rotation_directions};

/// Value of `last_move` before the first move.
const NO_MOVE: u8 = u8::MAX;
/// Bit of `solved_masks` for the cell itself; the bits below are its neighbours, clockwise from NE.
const SELF_SOLVED: u8 = 64;
/// Number of moves of each board. Move `m` of the goal board has the index `m + MOVES_PER_BOARD`.
const MOVES_PER_BOARD: u8 = 2 * CLOCKWISE_MOVES;
/// The start board's index in all pairs.
const START: usize = 0;
/// By direction `d`: the bit that stands for a cell in the mask of its neighbour in direction `d`. From that
/// neighbour, the cell lies in the opposite direction.
const OPPOSITE_BIT: [u8; 6] = [1 << 3, 1 << 4, 1 << 5, 1 << 0, 1 << 1, 1 << 2];

/// Start and goal board (index 0 and 1 of every pair) with an incrementally updated score and hash.
#[derive(Clone)]
pub struct BidirectionalState<'a> {
    tables: &'a EvalTables,
    /// The relative permutation and its inverse: for each cell of a board, the cell of the other board
    /// that holds the same content.
    relative: [Box<[u16]>; 2],
    /// For each cell, whether it ([`SELF_SOLVED`]) and each of its neighbours hold the same content on
    /// both boards.
    solved_masks: Box<[u8]>,
    empty_cell: [u16; 2],
    next_clockwise: [bool; 2],
    /// The last move of each board, or [`NO_MOVE`].
    last_move: [u8; 2],
    /// The number of cells that hold different contents on the two boards.
    unsolved: u16,
    score: i32,
    hash: u64,
    /// A board and the cell that attracts its empty cell while the search is perturbed.
    perturbation: Option<(usize, u16)>,
}

/// The values that [`Walker::undo`] restores instead of recomputing.
pub struct UndoRecord {
    last_move: u8,
    score: i32,
    hash: u64,
}

/// The changes caused by a move.
#[derive(Clone, Copy)]
struct Delta {
    score: i32,
    hash: u64,
    /// Change of the number of solved cells.
    solved: i16,
}

impl<'a> BidirectionalState<'a> {
    /// The state before any move; both boards belong to the lattice of `tables`.
    pub fn new(tables: &'a EvalTables, start: &Board, goal: &Board) -> BidirectionalState<'a> {
        let cells = usize::from(tables.cells);
        // A tile is named by its home cell.
        let mut goal_cell_of = vec![0u16; cells];
        for (cell, &home) in (0..).zip(goal.cells()) {
            goal_cell_of[usize::from(home)] = cell;
        }
        let forward: Vec<u16> = start.cells().iter().map(|&home| goal_cell_of[usize::from(home)]).collect();
        let mut inverse = vec![0u16; cells];
        for (cell, &other) in (0..).zip(&forward) {
            inverse[usize::from(other)] = cell;
        }
        let mut state = BidirectionalState {
            tables,
            relative: [forward.into(), inverse.into()],
            solved_masks: vec![0; cells].into(),
            empty_cell: [start.empty_cell(), goal.empty_cell()],
            next_clockwise: [start.next_clockwise(), goal.next_clockwise()],
            last_move: [NO_MOVE; 2],
            unsolved: tables.cells,
            score: 0,
            hash: 0,
            perturbation: None,
        };
        (0..tables.cells).for_each(|cell| state.update_solved(cell));
        (state.score, state.hash) = state.score_and_hash();
        state
    }

    /// The evaluation; 0 if all tiles coincide, larger is worse.
    pub fn score(&self) -> i32 {
        self.score
    }

    /// Score and hash computed from scratch. A tile in cell `i` of the start board and cell `j` of the goal
    /// board adds its distance weight, the weight of the way from `i` to `j`, to the score, and the product
    /// of the random factors of `i` and `j` to the hash.
    fn score_and_hash(&self) -> (i32, u64) {
        let tables = self.tables;
        let [start_factors, goal_factors] = &tables.hash_factors;
        let mut hash = tables.empty_cell_hash[usize::from(self.empty_cell[START])];
        let mut score = 0;
        for (cell, &other) in (0..tables.cells).zip(&self.relative[START]) {
            if cell != self.empty_cell[START] {
                score += tables.distance_weight(cell, other);
            }
            score += tables.weights.neighbour_weight[usize::from(self.solved_masks[usize::from(cell)])];
            let product = start_factors[usize::from(cell)].wrapping_mul(goal_factors[usize::from(other)]);
            hash = hash.wrapping_add(product);
        }
        for board in 0..2 {
            if self.next_clockwise[board] {
                hash = hash.wrapping_add(tables.clockwise_hash[board]);
            }
            score += self.perturbation_score(board, self.empty_cell[board]);
        }
        (score, hash)
    }

    /// Score term of a board whose empty cell is `empty_cell`: 0 unless the board is perturbed.
    #[inline]
    fn perturbation_score(&self, board: usize, empty_cell: u16) -> i32 {
        match self.perturbation {
            Some((perturbed, target)) if perturbed == board => {
                // Like `distance_weight`, the table is indexed by the difference of two cells plus `cells`,
                // which is never negative.
                self.tables.perturbation_penalty[usize::from(target + self.tables.cells - empty_cell)]
            }
            _ => 0,
        }
    }

    /// Calls `visit` with the weight index of each feature of the trained evaluation that occurs in this
    /// state, once per occurrence.
    pub(super) fn for_each_feature(&self, mut visit: impl FnMut(u16)) {
        let tables = self.tables;
        for (cell, &other) in (0..tables.cells).zip(&self.relative[START]) {
            if cell != self.empty_cell[START] {
                visit(tables.features.displacement[usize::from(other + tables.cells - cell)]);
            }
        }
        for &mask in self.solved_masks.iter().filter(|&mask| mask & SELF_SOLVED == 0) {
            visit(tables.features.neighbour_mask[usize::from(mask)]);
        }
    }

    /// Updates the masks after the content of a cell has changed.
    #[inline]
    fn update_solved(&mut self, cell: u16) {
        let solved = self.relative[START][usize::from(cell)] == cell;
        if solved != (self.solved_masks[usize::from(cell)] & SELF_SOLVED != 0) {
            self.toggle_solved(cell);
        }
    }

    /// Toggles whether a cell is solved; returns the change of the score.
    fn toggle_solved(&mut self, cell: u16) -> i32 {
        let weight = &self.tables.weights.neighbour_weight;
        let mask = &mut self.solved_masks[usize::from(cell)];
        let mut delta = -weight[usize::from(*mask)];
        *mask ^= SELF_SOLVED;
        delta += weight[usize::from(*mask)];
        if *mask & SELF_SOLVED != 0 {
            self.unsolved -= 1;
        } else {
            self.unsolved += 1;
        }
        for (direction, offset) in self.tables.neighbour_offsets.into_iter().enumerate() {
            let mask = &mut self.solved_masks[usize::from(self.tables.translate(cell, offset))];
            delta -= weight[usize::from(*mask)];
            *mask ^= OPPOSITE_BIT[direction];
            delta += weight[usize::from(*mask)];
        }
        delta
    }

    /// The return value of [`Self::toggle_solved`] without its effect.
    #[inline]
    fn toggle_delta(&self, cell: u16) -> i32 {
        let weight = &self.tables.weights.neighbour_weight;
        let mask = self.solved_masks[usize::from(cell)];
        let mut delta = weight[usize::from(mask ^ SELF_SOLVED)] - weight[usize::from(mask)];
        for (direction, offset) in self.tables.neighbour_offsets.into_iter().enumerate() {
            let mask = self.solved_masks[usize::from(self.tables.translate(cell, offset))];
            delta += weight[usize::from(mask ^ OPPOSITE_BIT[direction])] - weight[usize::from(mask)];
        }
        delta
    }

    /// The three cells that a move rotates, as [`super::rotated_cells`]: the empty cell goes from the first
    /// to the second, the tile of the second to the third, the tile of the third to the first.
    #[inline]
    fn rotated_cells(&self, board: usize, m: u8) -> [u16; 3] {
        let (second, third) = rotation_directions(Move(m));
        let (empty_cell, offsets) = (self.empty_cell[board], &self.tables.neighbour_offsets);
        [
            empty_cell,
            self.tables.translate(empty_cell, offsets[second]),
            self.tables.translate(empty_cell, offsets[third]),
        ]
    }

    /// The changes caused by rotating three cells of one board. The state is unchanged on return.
    #[inline(always)]
    fn delta(&mut self, board: usize, [a, b, c]: [u16; 3]) -> Delta {
        let tables = self.tables;
        let relative = &self.relative[board];
        // Cells of the other board with the contents of a, b and c; a is empty.
        let (of_a, of_b, of_c) =
            (self.empty_cell[1 - board], relative[usize::from(b)], relative[usize::from(c)]);
        let mut score = tables.distance_weight(c, of_b) - tables.distance_weight(b, of_b)
            + tables.distance_weight(a, of_c)
            - tables.distance_weight(c, of_c);
        if self.perturbation.is_some() {
            score += self.perturbation_score(board, b) - self.perturbation_score(board, a);
        }
        // Which of the three cells are solved.
        let before = [of_a == a, of_b == b, of_c == c];
        let after = [of_c == a, of_a == b, of_b == c];
        let solved = after.map(i16::from).iter().sum::<i16>() - before.map(i16::from).iter().sum::<i16>();
        let toggled = [before[0] != after[0], before[1] != after[1], before[2] != after[2]];
        match toggled {
            [false, false, false] => {}
            [true, false, false] => score += self.toggle_delta(a),
            [false, true, false] => score += self.toggle_delta(b),
            [false, false, true] => score += self.toggle_delta(c),
            _ => {
                // The cells are neighbours, so each toggle changes the masks of the others: make all
                // toggles, then undo them.
                for (cell, _) in [a, b, c].into_iter().zip(toggled).filter(|&(_, toggled)| toggled) {
                    score += self.toggle_solved(cell);
                }
                for (cell, _) in [a, b, c].into_iter().zip(toggled).filter(|&(_, toggled)| toggled) {
                    self.toggle_solved(cell);
                }
            }
        }
        let (own_factors, other_factors) = (&tables.hash_factors[board], &tables.hash_factors[1 - board]);
        let own_factor = |cell: u16| own_factors[usize::from(cell)];
        let [fa, fb, fc] = [of_a, of_b, of_c].map(|cell| other_factors[usize::from(cell)]);
        let mut hash = own_factor(a)
            .wrapping_mul(fc.wrapping_sub(fa))
            .wrapping_add(own_factor(b).wrapping_mul(fa.wrapping_sub(fb)))
            .wrapping_add(own_factor(c).wrapping_mul(fb.wrapping_sub(fc)));
        if board == START {
            hash = hash
                .wrapping_add(tables.empty_cell_hash[usize::from(b)])
                .wrapping_sub(tables.empty_cell_hash[usize::from(a)]);
        }
        let direction_hash = tables.clockwise_hash[board];
        hash = if self.next_clockwise[board] {
            hash.wrapping_sub(direction_hash)
        } else {
            hash.wrapping_add(direction_hash)
        };
        Delta { score, hash, solved }
    }

    /// Gives each of the cells `to` of one board the content of the corresponding cell of `from`.
    #[inline]
    fn permute(&mut self, board: usize, to: [u16; 3], from: [u16; 3]) {
        let contents = from.map(|cell| self.relative[board][usize::from(cell)]);
        for (cell, content) in to.into_iter().zip(contents) {
            self.relative[board][usize::from(cell)] = content;
            self.relative[1 - board][usize::from(content)] = cell;
        }
        for cell in to {
            self.update_solved(cell);
        }
    }
}

/// Splits the index of a move into its board and the move of that board.
#[inline]
fn split_move(m: Move) -> (usize, u8) {
    (usize::from(m.0 / MOVES_PER_BOARD), m.0 % MOVES_PER_BOARD)
}

impl Walker for BidirectionalState<'_> {
    type Undo = UndoRecord;

    fn score_moves(&mut self, out: &mut Vec<ScoredMove>) {
        for board in 0..2 {
            let last_move = self.last_move[board];
            let undo = if last_move == NO_MOVE { NO_MOVE } else { inverse_move(Move(last_move)).0 };
            let first = if self.next_clockwise[board] { 0 } else { CLOCKWISE_MOVES };
            // Where the paths meet, the last start move is followed by the inverse of the last goal move. An
            // inverse turns the other way, so the directions alternate exactly if the two last moves have the
            // same direction, that is, if `next_clockwise` is equal on both boards. The move scored here
            // flips one entry, so the entries must differ before it.
            let may_join_after_move = self.next_clockwise[0] != self.next_clockwise[1];
            for m in (first..first + CLOCKWISE_MOVES).filter(|&m| m != undo) {
                let rotated = self.rotated_cells(board, m);
                let delta = self.delta(board, rotated);
                out.push(ScoredMove {
                    m: Move(m + MOVES_PER_BOARD * board as u8),
                    score: (self.score + delta.score).max(0) as u32,
                    // Hash tables use the lower bits; the upper half of a sum of products is better mixed.
                    hash: self.hash.wrapping_add(delta.hash).rotate_left(32),
                    solved: may_join_after_move && delta.solved == self.unsolved as i16,
                });
            }
        }
    }

    fn step(&mut self, m: Move) -> UndoRecord {
        let (board, m) = split_move(m);
        let rotated = self.rotated_cells(board, m);
        let delta = self.delta(board, rotated);
        let undo = UndoRecord { last_move: self.last_move[board], score: self.score, hash: self.hash };
        let [a, b, c] = rotated;
        self.permute(board, rotated, [c, a, b]);
        self.empty_cell[board] = b;
        self.next_clockwise[board] = !is_clockwise(Move(m));
        self.last_move[board] = m;
        self.score += delta.score;
        self.hash = self.hash.wrapping_add(delta.hash);
        undo
    }

    fn undo(&mut self, m: Move, undo: UndoRecord) {
        let (board, m) = split_move(m);
        let [b, a, c] = self.rotated_cells(board, inverse_move(Move(m)).0);
        self.permute(board, [a, b, c], [b, c, a]);
        self.empty_cell[board] = a;
        self.next_clockwise[board] = is_clockwise(Move(m));
        self.last_move[board] = undo.last_move;
        self.score = undo.score;
        self.hash = undo.hash;
    }

    fn solution(&self, walked: &[Move]) -> Vec<Move> {
        let start_moves = walked.iter().filter(|m| m.0 < MOVES_PER_BOARD).copied();
        let goal_moves = walked.iter().rev().filter(|m| m.0 >= MOVES_PER_BOARD);
        start_moves.chain(goal_moves.map(|m| inverse_move(Move(m.0 - MOVES_PER_BOARD)))).collect()
    }

    /// Attracts the empty cell of one board to a target cell. Returns the number of beam levels that this
    /// lasts: two for each step of distance. Board and target maximise a ratio: the displacement of the tiles
    /// at and around the target, divided by the distance from the empty cell to the target. Targets nearer
    /// than a minimum distance are skipped; every failed attempt doubles it.
    fn perturb(&mut self, attempts: u32) -> Option<usize> {
        const MIN_DISTANCE: i32 = 3;
        /// Added to the distance before the division, so that near targets are not preferred too strongly.
        const DISTANCE_OFFSET: i32 = 8;
        let tables = self.tables;
        let displacement = |cell: u16| {
            let other = self.relative[START][usize::from(cell)];
            if cell == self.empty_cell[START] { 0 } else { tables.distance_weight(cell, other) }
        };
        let neighbourhood = |cell: u16| {
            let neighbours =
                tables.neighbour_offsets.map(|offset| displacement(tables.translate(cell, offset)));
            displacement(cell) + neighbours.iter().sum::<i32>()
        };
        let distance = |board: usize, cell: u16| {
            let offset = usize::from(cell + tables.cells - self.empty_cell[board]);
            // The table has period `cells`, so index 1 is an adjacent cell. The penalty is proportional to
            // the distance, so the quotient is the distance in steps.
            tables.perturbation_penalty[offset] / tables.perturbation_penalty[1]
        };
        let targets = (0..tables.cells).map(|cell| (cell, neighbourhood(cell))).filter(|&(_, gain)| gain > 0);
        let candidates =
            targets.flat_map(|(cell, gain)| [0, 1].map(|board| (gain, distance(board, cell), board, cell)));
        let (_, distance, board, cell) =
            candidates.filter(|&(_, distance, ..)| distance >= MIN_DISTANCE << attempts).max_by_key(
                |&(gain, distance, ..)| 64 * i64::from(gain) / i64::from(distance + DISTANCE_OFFSET),
            )?;
        self.perturbation = Some((board, cell));
        (self.score, _) = self.score_and_hash();
        Some(2 * distance as usize)
    }

    fn end_perturbation(&mut self) {
        self.perturbation = None;
        (self.score, _) = self.score_and_hash();
    }

    /// Moves the start board's empty cell onto that of the goal board, which completes the path except for
    /// some unsolved tiles, then inserts 3-cycles for these (`insertion.rs`).
    fn finish(&self, walked: &[Move], control: &Control) -> Option<Vec<Move>> {
        let lattice = &self.tables.lattice;
        // Where the path of each board ends: its empty cell and whether its next move is clockwise.
        let [start_junction, goal_junction] =
            [0, 1].map(|board| (self.empty_cell[board], self.next_clockwise[board]));
        let connection = empty_cell_path(lattice, start_junction, goal_junction)?;
        let mut joined = self.clone();
        for &m in &connection {
            joined.step(m);
        }
        let skeleton = self.solution(&[walked, &connection].concat());
        let insertion_index = walked.iter().filter(|m| m.0 < MOVES_PER_BOARD).count() + connection.len();
        let permutation: Vec<(u16, u16)> =
            (0..).zip(joined.relative[START].iter().copied()).filter(|(cell, other)| cell != other).collect();
        let cycles = match self.tables.three_cycles.get() {
            Some(cycles) => cycles,
            None => {
                let cycles = Arc::new(ThreeCycles::new(lattice, control)?);
                self.tables.three_cycles.get_or_init(|| cycles)
            }
        };
        let junction = (joined.empty_cell[START], joined.next_clockwise[START]);
        CycleInsertion::new((lattice, cycles), control, skeleton, insertion_index, junction, &permutation)
            .run()
    }
}

#[cfg(test)]
mod tests;
