//! The positions of a small board, numbered: the gap's cell, then the tiles in
//! reading order.
//!
//! A move along a row leaves the reading order alone; one along a column takes
//! a tile past its `columns - 1` neighbours. Half of all orders can be reached for each cell of
//! the gap; two orders that differ in their last two tiles share a number.

use std::sync::OnceLock;

use untumble_search::perm;
use untumble_search::puzzle::{Puzzle, Ranked};

use super::{Board, Cells, DOWN, LEFT, RIGHT, Tiles, UP};

/// Where orders go when a tile passes others: made on first use, where it is small and the parity of
/// orders is the same for every gap.
#[derive(Debug, Default)]
pub(super) struct Orders(OnceLock<Option<Passes>>);

#[derive(Debug)]
struct Passes {
    orders: usize,
    /// By first place and half-rank: the tile there goes back behind its neighbours.
    back: Vec<u16>,
    /// The other way round.
    forth: Vec<u16>,
}

/// Half-ranks must fit 16 bits.
const MOST_ORDERS: usize = 1 << 16;
/// So many cells can be numbered: 12!/2 positions, 240 million.
pub(super) const MOST_CELLS: usize = 12;

fn half_factorial(tiles: usize) -> u64 {
    (3..=tiles as u64).product()
}

/// The rank of an order among all in lexicographic order, halved: plainly, for the tests.
#[cfg(test)]
fn half_rank(order: &[u16]) -> u64 {
    let numbers: Vec<u16> = order.iter().map(|name| name - 1).collect();
    perm::rank(&numbers, numbers.len()) / 2
}

/// The order of a half-rank that is odd or even as asked.
fn order_of(half_rank: u64, tiles: usize, odd: bool) -> Vec<u16> {
    let mut order = perm::unrank(2 * half_rank, tiles, tiles);
    // Two ranks share a half-rank; their orders differ in the last two tiles.
    if tiles >= 2 && perm::is_odd_permutation(tiles, |place| order[place]) != odd {
        order.swap(tiles - 2, tiles - 1);
    }
    order.into_iter().map(|tile| tile as u16 + 1).collect()
}

impl<C: Cells> Tiles<C> {
    /// Whether the orders that can be reached with the gap in this cell are odd.
    fn odd_with(&self, gap: usize) -> bool {
        let goal: Vec<u16> = self.goal().solved().into_iter().filter(|&name| name != 0).collect();
        let size = self.size();
        let rows = size.row(gap).abs_diff(size.row(self.goal().gap()));
        let odd = perm::is_odd_permutation(goal.len(), |place| usize::from(goal[place]) - 1);
        odd ^ (size.columns.is_multiple_of(2) && rows % 2 == 1)
    }

    #[inline]
    fn passes(&self) -> Option<&Passes> {
        self.orders.0.get_or_init(|| self.make_passes()).as_ref()
    }

    /// Only the digits of the places that a tile passes change, and only by what stands among those places.
    fn make_passes(&self) -> Option<Passes> {
        let (tiles, columns) = (self.size().cells() - 1, self.size().columns);
        let orders = half_factorial(tiles) as usize;
        if orders > MOST_ORDERS || columns.is_multiple_of(2) {
            return None;
        }
        let last = tiles - columns;
        let mut passes =
            Passes { orders, back: vec![0; (last + 1) * orders], forth: vec![0; (last + 1) * orders] };
        // What a digit of each place counts in the rank.
        let weights: Vec<i64> = (0..tiles).map(|place| (1..(tiles - place) as i64).product()).collect();
        let odd = self.odd_with(0);
        for rank in 0..orders {
            let order = order_of(rank as u64, tiles, odd);
            let among = |places: &[u16], place: usize| {
                places[place + 1..].iter().filter(|&&later| later < places[place]).count() as i64
            };
            let whole =
                2 * rank as i64 + if tiles >= 2 { i64::from(order[tiles - 2] > order[tiles - 1]) } else { 0 };
            for first in 0..=last {
                let passed = &order[first..first + columns];
                // The tile in front goes behind the others, which move up one place.
                let mut other = whole;
                for place in 0..columns {
                    let beyond =
                        order[first + columns..].iter().filter(|&&t| t < passed[place]).count() as i64;
                    let (to, within) = if place == 0 {
                        (columns - 1, 0)
                    } else {
                        (place - 1, among(passed, place) + i64::from(passed[0] < passed[place]))
                    };
                    other += weights[first + to] * (beyond + within);
                    other -= weights[first + place] * (beyond + among(passed, place));
                }
                let other = (other / 2) as usize;
                passes.back[first * orders + rank] = other as u16;
                passes.forth[first * orders + other] = rank as u16;
            }
        }
        Some(passes)
    }
}

impl<C: Cells> Ranked for Tiles<C> {
    fn count(&self) -> u64 {
        let cells = self.size().cells();
        assert!(cells <= MOST_CELLS, "boards of up to {MOST_CELLS} cells are numbered");
        cells as u64 * half_factorial(cells - 1)
    }

    #[inline]
    fn rank(&self, board: &Board<C>) -> u64 {
        let (tiles, gap) = (self.size().cells() - 1, usize::from(board.gap));
        let (mut rank, mut orders) = (0, 1);
        // How many smaller names are left, by name, 4 bits each: no list is made or looked through.
        // `half_rank` says the same plainly and is its oracle.
        let mut smaller: u64 = 0x000B_A987_6543_2100;
        for (place, cell) in (0..=tiles).filter(|&cell| cell != gap).enumerate() {
            let name = board.cells.get(cell);
            let left = (tiles - place) as u64;
            rank = rank * left + (smaller >> (4 * name) & 15);
            smaller = smaller.wrapping_sub(0x0111_1111_1111_1110 << (4 * name));
            orders *= left;
        }
        gap as u64 * (orders / 2) + rank / 2
    }

    fn unrank(&self, rank: u64) -> Board<C> {
        let tiles = self.size().cells() - 1;
        let orders = half_factorial(tiles);
        let gap = (rank / orders) as usize;
        let mut names = order_of(rank % orders, tiles, self.odd_with(gap));
        names.insert(gap, 0);
        self.board(&names)
    }

    #[inline]
    fn neighbours(&self, rank: u64, mut each: impl FnMut(u64)) {
        let Some(passes) = self.passes() else {
            let board = self.unrank(rank);
            for m in self.legal(&board) {
                each(self.rank(&self.apply(&board, m)));
            }
            return;
        };
        let (orders, columns) = (passes.orders, self.size().columns);
        let (gap, order) = (rank as usize / orders, rank as usize % orders);
        let legal = self.legal[gap];
        if legal.contains(RIGHT) {
            each(rank - orders as u64);
        }
        if legal.contains(LEFT) {
            each(rank + orders as u64);
        }
        if legal.contains(DOWN) {
            let above = gap - columns;
            each((above * orders) as u64 + u64::from(passes.back[above * orders + order]));
        }
        if legal.contains(UP) {
            each(((gap + columns) * orders) as u64 + u64::from(passes.forth[gap * orders + order]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Goal, Size};
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use untumble_search::laws::walk;

    #[test]
    fn the_fast_number_is_the_plain_one() {
        for (rows, columns) in [(2, 2), (2, 3), (3, 3), (2, 5), (3, 4), (6, 2)] {
            let goal = Goal::named(Size { rows, columns }, "snail").expect("a known goal");
            let tiles: Tiles<u64> = Tiles::new(goal);
            for (board, _) in walk(&tiles, 5000, &mut ChaCha8Rng::seed_from_u64(1)) {
                let order: Vec<u16> = tiles.names(&board).into_iter().filter(|&name| name != 0).collect();
                let plain = u64::from(board.gap) * half_factorial(order.len()) + half_rank(&order);
                assert_eq!(tiles.rank(&board), plain, "{board:?}");
            }
        }
    }
}
