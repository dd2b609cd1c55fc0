//! The walker of the beam search: one board that steps forward and back and evaluates its moves
//! incrementally, by a few additions on boards of any size.
//!
//! The score is a sum of trained weights of features (`weights.rs`): the displacement of each tile, the home
//! ring of each misplaced tile (rings are counted outwards from the blank's home), and the surroundings of
//! each unsolved cell, which are the set of its solved neighbours.
//!
//! `neighbours[cell][d]` is the cell from which a tile slides into `cell` by `MOVES[d]`; the opposite
//! direction of `d` is `3 - d`.

use untumble_search::control::Control;
use untumble_search::moves::Move;
use untumble_search::walker::{ScoredMove, Walker};

use super::eval_tables::{EvalTables, MOVES, OFF_BOARD};
use crate::tiles::layers;

/// The lower 4 bits of a cell's flags, by direction: whether the neighbour is solved. Cells off the board
/// count as solved.
const SOLVED_NEIGHBOURS: u8 = 15;
/// Flag of a cell that holds its tile.
const SOLVED: u8 = 16;
/// Flag of the blank's cell, which counts as neither solved nor unsolved.
const BLANK: u8 = 32;

/// A board with its incremental score and hash.
#[derive(Clone)]
pub struct TilesWalker<'a> {
    tables: &'a EvalTables,
    /// The tile id in each cell.
    ids: Box<[u16]>,
    /// The flags of each cell.
    flags: Box<[u8]>,
    blank: u16,
    last_move: Option<Move>,
    /// Number of misplaced tiles.
    unsolved: u16,
    score: i32,
    hash: u64,
    /// The cell that attracts the blank while the beam leaves a local minimum.
    target: Option<u16>,
}

/// The values that undoing a step restores.
pub struct UndoInfo {
    last_move: Option<Move>,
    score: i32,
    hash: u64,
}

impl<'a> TilesWalker<'a> {
    /// The walker of a board, given its tile ids.
    pub fn new(tables: &'a EvalTables, ids: &[u16]) -> TilesWalker<'a> {
        let blank = ids.iter().position(|&tile| tile == 0).unwrap_or(0) as u16;
        let mut walker = TilesWalker {
            tables,
            ids: ids.into(),
            flags: vec![0; tables.cells].into(),
            blank,
            last_move: None,
            unsolved: 0,
            score: 0,
            hash: 0,
            target: None,
        };
        for (cell, neighbours) in tables.neighbours.iter().enumerate() {
            walker.flags[cell] |=
                (0..4).filter(|&d| neighbours[d] == OFF_BOARD).map(|d| 1u8 << d).sum::<u8>();
        }
        walker.flags[usize::from(blank)] |= BLANK;
        for (cell, &tile) in (0u16..).zip(ids) {
            if tile == 0 {
                continue;
            }
            if tables.homes[usize::from(tile)] == cell {
                walker.toggle_solved(cell);
            } else {
                walker.unsolved += 1;
            }
        }
        (walker.score, walker.hash) = walker.evaluate();
        walker
    }

    /// Score and hash, computed from scratch.
    pub(super) fn evaluate(&self) -> (i32, u64) {
        let tables = self.tables;
        let tiles = || (0u16..).zip(&*self.ids).filter(|(_, tile)| **tile != 0);
        // `distance_weight` contains the displacement and the home ring; the surroundings weigh nothing for
        // solved cells and the blank.
        let distances: i32 = tiles().map(|(cell, &tile)| tables.distance_weight(tile, cell)).sum();
        let surroundings: i32 =
            self.flags.iter().map(|&flags| tables.surroundings_weight[usize::from(flags)]).sum();
        let product = |(cell, &tile): (u16, &u16)| {
            tables.tile_factors[usize::from(tile)].wrapping_mul(tables.cell_factors[usize::from(cell)])
        };
        let attraction = |target| tables.perturbation_weight * tables.distance(self.blank, target) as i32;
        let perturbation = self.target.map_or(0, attraction);
        (distances + surroundings + perturbation, tiles().map(product).fold(0, u64::wrapping_add))
    }

    /// The score: lower is closer to solved.
    pub fn score(&self) -> i32 {
        self.score
    }

    /// Calls `visit` with the weight index of each feature of the board, once per occurrence.
    pub(super) fn for_each_feature(&self, mut visit: impl FnMut(u16)) {
        for (cell, (&tile, &flags)) in self.ids.iter().zip(&*self.flags).enumerate() {
            if flags & BLANK != 0 {
                continue;
            }
            visit(self.tables.displacement_features[usize::from(tile) * self.tables.cells + cell]);
            if flags & SOLVED == 0 {
                visit(self.tables.ring_features[usize::from(tile)]);
                visit(self.tables.surroundings_features[usize::from(flags & SOLVED_NEIGHBOURS)]);
            }
        }
    }

    /// Toggles whether a cell is solved, in its own flags and in those of its neighbours.
    #[inline]
    fn toggle_solved(&mut self, cell: u16) {
        self.flags[usize::from(cell)] ^= SOLVED;
        for (d, &other) in self.tables.neighbours[usize::from(cell)].iter().enumerate() {
            if other != OFF_BOARD {
                self.flags[usize::from(other)] ^= 1 << (3 - d);
            }
        }
    }

    /// The change of the score when the tile in `from`, the neighbour of the blank in direction `d`, slides;
    /// whether the tile leaves its home; and whether it arrives there.
    #[inline(always)]
    fn change(&self, from: u16, d: usize) -> (i32, bool, bool) {
        let tables = self.tables;
        let tile = self.ids[usize::from(from)];
        let (from_flags, to_flags) = (self.flags[usize::from(from)], self.flags[usize::from(self.blank)]);
        let (leaves, arrives) = (from_flags & SOLVED != 0, tables.homes[usize::from(tile)] == self.blank);
        let tile_weights = &tables.distance_weight[usize::from(tile) * tables.cells..][..tables.cells];
        let mut sum = tile_weights[usize::from(self.blank)] - tile_weights[usize::from(from)];
        if !leaves {
            sum -= tables.surroundings_weight[usize::from(from_flags & SOLVED_NEIGHBOURS)];
        }
        if !arrives {
            let vacated = if leaves { 1 << d } else { 0 };
            sum += tables.surroundings_weight[usize::from(to_flags & SOLVED_NEIGHBOURS & !vacated)];
        }
        if leaves || arrives {
            // One cell becomes solved or unsolved, which changes the flags of its other neighbours.
            let (cell, excluded) = if leaves { (from, 3 - d) } else { (self.blank, d) };
            for (direction, &other) in tables.neighbours[usize::from(cell)].iter().enumerate() {
                if direction != excluded && other != OFF_BOARD {
                    let before = self.flags[usize::from(other)];
                    let after = before ^ 1 << (3 - direction);
                    sum += tables.surroundings_weight[usize::from(after)]
                        - tables.surroundings_weight[usize::from(before)];
                }
            }
        }
        if let Some(target) = self.target {
            let change = tables.distance(from, target) as i32 - tables.distance(self.blank, target) as i32;
            sum += tables.perturbation_weight * change;
        }
        (sum, leaves, arrives)
    }

    /// The number of tiles in the longer line of the board.
    fn line_length(&self) -> u16 {
        self.tables.size.rows.max(self.tables.size.columns) as u16
    }

    /// Whether so much of the board is unsolved that wider beams and perturbations do not help, because
    /// tiles block each other everywhere.
    fn is_far_from_solved(&self) -> bool {
        const LINES: u16 = 6;
        self.unsolved >= LINES * self.line_length()
    }

    /// Moves that solve the board, by the constructive solver (`layers`), which is fast but far from
    /// optimal.
    fn solve_by_layers(&self) -> Option<Vec<Move>> {
        let homes = self.ids.iter().map(|&tile| self.tables.homes[usize::from(tile)]).collect();
        layers::solve_homes(self.tables.size, homes, self.blank, self.tables.homes[0])
    }

    /// The hash after the tile in `from` slides.
    #[inline(always)]
    fn hash_after(&self, from: u16) -> u64 {
        let tables = self.tables;
        let factors = &tables.cell_factors;
        let difference = factors[usize::from(self.blank)].wrapping_sub(factors[usize::from(from)]);
        self.hash.wrapping_add(
            tables.tile_factors[usize::from(self.ids[usize::from(from)])].wrapping_mul(difference),
        )
    }

    /// Slides the tile in `from` to the blank; updates the board but not score and hash.
    #[inline]
    fn slide(&mut self, from: u16) {
        let (tile, to) = (self.ids[usize::from(from)], self.blank);
        if self.flags[usize::from(from)] & SOLVED != 0 {
            self.toggle_solved(from);
            self.unsolved += 1;
        }
        self.ids.swap(from.into(), to.into());
        self.flags[usize::from(to)] ^= BLANK;
        self.flags[usize::from(from)] ^= BLANK;
        self.blank = from;
        if self.tables.homes[usize::from(tile)] == to {
            self.toggle_solved(to);
            self.unsolved -= 1;
        }
    }
}

impl Walker for TilesWalker<'_> {
    type Undo = UndoInfo;

    #[inline]
    fn score_moves(&mut self, out: &mut Vec<ScoredMove>) {
        for (d, &from) in self.tables.neighbours[usize::from(self.blank)].iter().enumerate() {
            // Direction 3 − d undoes direction d.
            if from == OFF_BOARD || self.last_move.is_some_and(|last_move| last_move.index() == 3 - d) {
                continue;
            }
            let (change, leaves, arrives) = self.change(from, d);
            // Solved if no tile is misplaced after the move: unsolved + leaves − arrives = 0.
            let solved = self.unsolved + u16::from(leaves) == u16::from(arrives);
            let score = (self.score + change).max(0) as u32;
            out.push(ScoredMove { m: MOVES[d], score, hash: self.hash_after(from), solved });
        }
    }

    #[inline]
    fn step(&mut self, m: Move) -> UndoInfo {
        let undo = UndoInfo { last_move: self.last_move, score: self.score, hash: self.hash };
        let from = self.tables.neighbours[usize::from(self.blank)][m.index()];
        self.score += self.change(from, m.index()).0;
        self.hash = self.hash_after(from);
        self.slide(from);
        self.last_move = Some(m);
        undo
    }

    #[inline]
    fn undo(&mut self, m: Move, undo: UndoInfo) {
        let from = self.tables.neighbours[usize::from(self.blank)][3 - m.index()];
        self.slide(from);
        UndoInfo { last_move: self.last_move, score: self.score, hash: self.hash } = undo;
    }

    fn solution(&self, moves: &[Move]) -> Vec<Move> {
        moves.to_vec()
    }

    /// Attracts the blank to a distant cell with badly placed tiles around it.
    fn perturb(&mut self, attempts: u32) -> Option<usize> {
        /// Least distance of the target in the first attempt; it doubles with every further one.
        const MIN_DISTANCE: usize = 3;
        /// Targets are compared by the score of the tiles around them, divided by the distance plus this
        /// offset.
        const DISTANCE_OFFSET: usize = 4;
        if self.is_far_from_solved() {
            return None;
        }
        let tables = self.tables;
        let score = |cell: u16| tables.distance_weight(self.ids[usize::from(cell)], cell);
        let score_around = |cell: u16| {
            let others = tables.neighbours[usize::from(cell)].iter().filter(|other| **other != OFF_BOARD);
            score(cell) + others.map(|&other| score(other)).sum::<i32>()
        };
        let targets = (0..tables.cells as u16)
            .map(|cell| (score_around(cell), tables.distance(self.blank, cell), cell));
        let (_, steps, cell) = targets
            .filter(|&(score, steps, _)| score > 0 && steps >= MIN_DISTANCE << attempts)
            // The factor keeps six binary digits of the quotient.
            .max_by_key(|&(score, steps, _)| 64 * i64::from(score) / (steps + DISTANCE_OFFSET) as i64)?;
        self.target = Some(cell);
        (self.score, _) = self.evaluate();
        Some(2 * steps)
    }

    fn end_perturbation(&mut self) {
        self.target = None;
        (self.score, _) = self.evaluate();
    }

    /// Moves of the constructive solver that bring home as many tiles as a line has. A beam needs them on
    /// large boards, where tiles may block each other all around the blank.
    fn advance(&self) -> Option<Vec<Move>> {
        if !self.is_far_from_solved() {
            return None;
        }
        let line_length = self.line_length();
        let mut moves = self.solve_by_layers()?;
        let mut walker = self.clone();
        let done = moves.iter().position(|&m| {
            walker.step(m);
            walker.unsolved + line_length <= self.unsolved
        })?;
        moves.truncate(done + 1);
        Some(moves)
    }

    /// Completes the path with the constructive solver, which keeps most of the solved lines.
    fn finish(&self, moves: &[Move], _control: &Control) -> Option<Vec<Move>> {
        Some([moves, &self.solve_by_layers()?].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::super::eval_tables::UNIT;
    use super::super::weights::{Weights, longer_side};
    use super::*;
    use rand::RngExt;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use untumble_search::frontend::PuzzleFrontend;
    use untumble_search::puzzle::Puzzle;

    use crate::tiles::{Goal, Size, Tiles};

    /// On a random walk, evaluating a move equals making it and evaluating from scratch; undoing restores
    /// the walker.
    #[test]
    fn incremental_evaluation_equals_evaluation_from_scratch() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        for (rows, columns, goal) in
            [(2, 2, "blank-last"), (3, 5, "snail"), (4, 4, "blank-first"), (9, 7, "blank-last")]
        {
            let goal = Goal::named(Size { rows, columns }, goal).expect("a known goal");
            let tiles = Tiles::<Box<[u16]>>::new(goal.clone());
            let mut weights = Weights::closed_form(longer_side(goal.size())).values().to_vec();
            weights.iter_mut().zip(1u32..).for_each(|(weight, n)| *weight += f64::from(n % 7));
            let tables = EvalTables::new(&goal, &Weights::new(longer_side(goal.size()), &weights));
            let mut board = tiles.random(&mut rng);
            let mut walker = TilesWalker::new(&tables, &tiles.tile_ids(&board));
            for step in 0..2000 {
                if step % 500 == 400 {
                    walker.perturb(0);
                } else if step % 500 == 450 {
                    walker.end_perturbation();
                }
                let mut scored = Vec::new();
                walker.score_moves(&mut scored);
                let contents = |walker: &TilesWalker<'_>| {
                    (walker.score, walker.hash, walker.unsolved, walker.flags.clone(), walker.ids.clone())
                };
                let before = contents(&walker);
                for child in &scored {
                    let undo = walker.step(child.m);
                    let fresh =
                        TilesWalker { target: walker.target, ..TilesWalker::new(&tables, &walker.ids) };
                    assert_eq!((child.score as i32, child.hash), fresh.evaluate());
                    assert_eq!((walker.score, walker.hash), fresh.evaluate());
                    assert_eq!((walker.unsolved, &walker.flags), (fresh.unsolved, &fresh.flags));
                    assert_eq!(child.solved, tiles.is_goal(&tiles.apply(&board, child.m)));
                    walker.undo(child.m, undo);
                    assert_eq!(contents(&walker), before);
                }
                let child = scored[rng.random_range(0..scored.len())];
                board = tiles.apply(&board, child.m);
                walker.step(child.m);
                assert_eq!(*walker.ids, *tiles.tile_ids(&board));
            }
        }
    }

    #[test]
    fn the_score_is_the_sum_of_feature_weights() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let goal = Goal::named(Size { rows: 5, columns: 6 }, "snail").expect("a known goal");
        let tiles = Tiles::<Box<[u16]>>::new(goal.clone());
        let weights = Weights::closed_form(6);
        let tables = EvalTables::new(&goal, &weights);
        for _ in 0..20 {
            let walker = TilesWalker::new(&tables, &tiles.tile_ids(&tiles.random(&mut rng)));
            let mut sum = 0;
            walker.for_each_feature(|feature| {
                sum += (UNIT * weights.values()[usize::from(feature)]).round() as i32;
            });
            assert_eq!(sum, walker.score());
        }
    }
}
