//! Perfect ranking of the solvable positions of small boards, by the blank's cell, then by the permutation
//! of the tiles in reading order.
//!
//! A horizontal move leaves the reading order unchanged; a vertical move takes a tile past `columns - 1`
//! others. For each cell of the blank, half of all permutations are reachable. Two permutations that differ
//! only in their last two tiles have different parity, so exactly one of them is reachable, and the
//! lexicographic rank divided by 2, the half-rank, is dense. Ranking the blank separately, so that
//! horizontal moves keep the rest of the index, follows Korf & Schultze, "Large-scale parallel
//! breadth-first search" (AAAI 2005).
//!
//! The effect of vertical moves on half-ranks is tabulated, so that a breadth-first search need not unrank.

use std::sync::OnceLock;

use untumble_search::perm;
use untumble_search::puzzle::{Puzzle, Ranked};

use super::{Board, Cells, DOWN, LEFT, RIGHT, Tiles, UP};

/// [`Transitions`], built on first use; `None` if the table would be too large, or if the parity of the
/// reachable permutations depends on the blank's row (even number of columns).
#[derive(Debug, Default)]
pub(super) struct LazyTransitions(OnceLock<Option<Transitions>>);

/// Effect of vertical moves on half-ranks.
#[derive(Debug)]
struct Transitions {
    /// Number of half-ranks.
    permutations: usize,
    /// By `first * permutations + half-rank`: the half-rank after the tile at index `first` of the reading
    /// order moves behind its next `columns - 1` neighbours.
    down: Vec<u16>,
    /// The inverse of `down`.
    up: Vec<u16>,
}

/// Half-ranks in [`Transitions`] have 16 bits.
const MAX_TABULATED: usize = 1 << 16;
/// Largest number of cells that is ranked: 12!/2 = 240 million positions.
pub(super) const MAX_CELLS: usize = 12;

fn half_factorial(tiles: usize) -> u64 {
    (3..=tiles as u64).product()
}

/// Test oracle: the lexicographic rank of a permutation of tile ids 1, 2, …, divided by 2.
#[cfg(test)]
fn half_rank(permutation: &[u16]) -> u64 {
    let from_zero: Vec<u16> = permutation.iter().map(|id| id - 1).collect();
    perm::rank(&from_zero, from_zero.len()) / 2
}

/// The permutation with this half-rank and parity.
fn unrank_half(half_rank: u64, tiles: usize, odd: bool) -> Vec<u16> {
    let mut permutation = perm::unrank(2 * half_rank, tiles, tiles);
    // Two ranks share a half-rank; their permutations differ in the last two tiles.
    if tiles >= 2 && perm::is_odd_permutation(tiles, |index| permutation[index]) != odd {
        permutation.swap(tiles - 2, tiles - 1);
    }
    permutation.into_iter().map(|tile| tile as u16 + 1).collect()
}

impl<C: Cells> Tiles<C> {
    /// Whether the permutations reachable with the blank in this cell are odd.
    fn is_odd_with_blank_at(&self, blank: usize) -> bool {
        let goal: Vec<u16> = self.goal().solved().into_iter().filter(|&id| id != 0).collect();
        let size = self.size();
        let row_distance = size.row(blank).abs_diff(size.row(self.goal().blank_home()));
        let odd = perm::is_odd_permutation(goal.len(), |index| usize::from(goal[index]) - 1);
        odd ^ (size.columns.is_multiple_of(2) && row_distance % 2 == 1)
    }

    #[inline]
    fn transitions(&self) -> Option<&Transitions> {
        self.rank_transitions.0.get_or_init(|| self.build_transitions()).as_ref()
    }

    /// Builds the table; `None` as in [`LazyTransitions`]. A vertical move changes only the rank digits of a
    /// window of `columns` tiles, and only by the number of inversions among them.
    fn build_transitions(&self) -> Option<Transitions> {
        let (tiles, columns) = (self.size().cells() - 1, self.size().columns);
        let permutations = half_factorial(tiles) as usize;
        if permutations > MAX_TABULATED || columns.is_multiple_of(2) {
            return None;
        }
        let last_window = tiles - columns;
        let entries = (last_window + 1) * permutations;
        let mut transitions = Transitions { permutations, down: vec![0; entries], up: vec![0; entries] };
        // The weight of each index's digit in the rank.
        let weights: Vec<i64> = (0..tiles).map(|index| (1..(tiles - index) as i64).product()).collect();
        let odd = self.is_odd_with_blank_at(0);
        for half_rank in 0..permutations {
            let permutation = unrank_half(half_rank as u64, tiles, odd);
            let smaller_behind = |tiles: &[u16], index: usize| {
                tiles[index + 1..].iter().filter(|&&later| later < tiles[index]).count() as i64
            };
            let rank = 2 * half_rank as i64
                + if tiles >= 2 { i64::from(permutation[tiles - 2] > permutation[tiles - 1]) } else { 0 };
            for first in 0..=last_window {
                let window = &permutation[first..first + columns];
                // The first tile of the window moves behind the others, which move forward by one.
                let mut rank_after = rank;
                for index in 0..columns {
                    let beyond =
                        permutation[first + columns..].iter().filter(|&&t| t < window[index]).count();
                    let smaller_beyond = beyond as i64;
                    let (to, smaller_within) = if index == 0 {
                        (columns - 1, 0)
                    } else {
                        (index - 1, smaller_behind(window, index) + i64::from(window[0] < window[index]))
                    };
                    rank_after += weights[first + to] * (smaller_beyond + smaller_within);
                    rank_after -= weights[first + index] * (smaller_beyond + smaller_behind(window, index));
                }
                let half_after = (rank_after / 2) as usize;
                transitions.down[first * permutations + half_rank] = half_after as u16;
                transitions.up[first * permutations + half_after] = half_rank as u16;
            }
        }
        Some(transitions)
    }
}

impl<C: Cells> Ranked for Tiles<C> {
    fn count(&self) -> u64 {
        let cells = self.size().cells();
        assert!(cells <= MAX_CELLS, "boards of up to {MAX_CELLS} cells are ranked");
        cells as u64 * half_factorial(cells - 1)
    }

    #[inline]
    fn rank(&self, board: &Board<C>) -> u64 {
        let (tiles, blank) = (self.size().cells() - 1, usize::from(board.blank));
        let (mut rank, mut permutations) = (0, 1);
        // For each tile id, in 4 bits, the number of smaller ids not yet seen: the tile's rank digit. Tests
        // compare the result with `half_rank`.
        let mut smaller: u64 = 0x000B_A987_6543_2100;
        for (index, cell) in (0..=tiles).filter(|&cell| cell != blank).enumerate() {
            let tile = board.cells.get(cell);
            let unseen = (tiles - index) as u64;
            rank = rank * unseen + (smaller >> (4 * tile) & 15);
            smaller = smaller.wrapping_sub(0x0111_1111_1111_1110 << (4 * tile));
            permutations *= unseen;
        }
        blank as u64 * (permutations / 2) + rank / 2
    }

    fn unrank(&self, rank: u64) -> Board<C> {
        let tiles = self.size().cells() - 1;
        let permutations = half_factorial(tiles);
        let blank = (rank / permutations) as usize;
        let mut ids = unrank_half(rank % permutations, tiles, self.is_odd_with_blank_at(blank));
        ids.insert(blank, 0);
        self.board(&ids)
    }

    #[inline]
    fn neighbours(&self, rank: u64, mut visit: impl FnMut(u64)) {
        let Some(transitions) = self.transitions() else {
            let board = self.unrank(rank);
            for m in self.legal(&board) {
                visit(self.rank(&self.apply(&board, m)));
            }
            return;
        };
        let (permutations, columns) = (transitions.permutations, self.size().columns);
        let (blank, half_rank) = (rank as usize / permutations, rank as usize % permutations);
        let legal = self.legal[blank];
        if legal.contains(RIGHT) {
            visit(rank - permutations as u64);
        }
        if legal.contains(LEFT) {
            visit(rank + permutations as u64);
        }
        if legal.contains(DOWN) {
            let above = blank - columns;
            let next = transitions.down[above * permutations + half_rank];
            visit((above * permutations) as u64 + u64::from(next));
        }
        if legal.contains(UP) {
            let next = transitions.up[blank * permutations + half_rank];
            visit(((blank + columns) * permutations) as u64 + u64::from(next));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Goal, Size};
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use untumble_search::laws::random_walk;

    #[test]
    fn the_rank_without_lists_equals_the_lexicographic_half_rank() {
        for (rows, columns) in [(2, 2), (2, 3), (3, 3), (2, 5), (3, 4), (6, 2)] {
            let goal = Goal::named(Size { rows, columns }, "snail").expect("a known goal");
            let tiles: Tiles<u64> = Tiles::new(goal);
            for (board, _) in random_walk(&tiles, 5000, &mut ChaCha8Rng::seed_from_u64(1)) {
                let permutation: Vec<u16> =
                    tiles.tile_ids(&board).into_iter().filter(|&id| id != 0).collect();
                let expected =
                    u64::from(board.blank) * half_factorial(permutation.len()) + half_rank(&permutation);
                assert_eq!(tiles.rank(&board), expected, "{board:?}");
            }
        }
    }
}
