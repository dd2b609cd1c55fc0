//! The positions of a small board, numbered: the gap's cell, then the tiles in
//! reading order.
//!
//! A move along a row leaves the reading order alone; one along a column takes
//! a tile past its `columns - 1` neighbours. Half of all orders can be reached for each cell of
//! the gap; two orders that differ in their last two tiles share a number.

use std::sync::OnceLock;

use untumble_search::puzzle::{Puzzle, Ranked};

use super::{Board, Cells, DOWN, LEFT, RIGHT, Tiles, UP};

/// Where orders go when a tile passes others: made on first use, where it is small and the parity of
/// orders is the same for every gap.
#[derive(Debug, Default)]
pub(super) struct Orders(OnceLock<Option<Passes>>);

#[derive(Debug)]
struct Passes {
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

/// The rank of an order among all in lexicographic order, halved.
fn half_rank(order: &[u16]) -> u64 {
    let mut rank = 0;
    for (place, &name) in order.iter().enumerate() {
        let smaller = order[place + 1..].iter().filter(|&&later| later < name).count() as u64;
        rank = rank * (order.len() - place) as u64 + smaller;
    }
    rank / 2
}

/// The order of a half-rank that is odd or even as asked.
fn order_of(half_rank: u64, tiles: usize, odd: bool) -> Vec<u16> {
    // The digits in the factorial number system; the last one that may differ from 0 decides the parity.
    let mut digits = vec![0; tiles];
    let mut rest = half_rank;
    for place in (0..tiles.saturating_sub(2)).rev() {
        let base = (tiles - place) as u64;
        digits[place] = rest % base;
        rest /= base;
    }
    if tiles >= 2 && (digits.iter().sum::<u64>() % 2 == 1) != odd {
        digits[tiles - 2] = 1;
    }
    let mut names: Vec<u16> = (1..=tiles as u16).collect();
    digits.into_iter().map(|digit| names.remove(digit as usize)).collect()
}

fn is_odd(order: &[u16]) -> bool {
    let inversions = |place: usize| order[place + 1..].iter().filter(|&&later| later < order[place]).count();
    (0..order.len()).map(inversions).sum::<usize>() % 2 == 1
}

impl<C: Cells> Tiles<C> {
    fn order(&self, board: &Board<C>) -> Vec<u16> {
        self.names(board).into_iter().filter(|&name| name != 0).collect()
    }

    /// Whether the orders that can be reached with the gap in this cell are odd.
    fn odd_with(&self, gap: usize) -> bool {
        let goal: Vec<u16> = self.goal().solved().into_iter().filter(|&name| name != 0).collect();
        let size = self.size();
        let rows = size.row(gap).abs_diff(size.row(self.goal().gap()));
        is_odd(&goal) ^ (size.columns.is_multiple_of(2) && rows % 2 == 1)
    }

    fn passes(&self) -> Option<&Passes> {
        let make = || {
            let (tiles, columns) = (self.size().cells() - 1, self.size().columns);
            let orders = half_factorial(tiles) as usize;
            if orders > MOST_ORDERS || columns % 2 == 0 {
                return None;
            }
            let places = tiles - columns;
            let mut passes =
                Passes { back: vec![0; (places + 1) * orders], forth: vec![0; (places + 1) * orders] };
            let odd = self.odd_with(0);
            for rank in 0..orders {
                let order = order_of(rank as u64, tiles, odd);
                for place in 0..=places {
                    let mut passed = order.clone();
                    passed[place..place + columns].rotate_left(1);
                    let other = half_rank(&passed) as usize;
                    passes.back[place * orders + rank] = other as u16;
                    passes.forth[place * orders + other] = rank as u16;
                }
            }
            Some(passes)
        };
        self.orders.0.get_or_init(make).as_ref()
    }
}

impl<C: Cells> Ranked for Tiles<C> {
    fn count(&self) -> u64 {
        let cells = self.size().cells();
        assert!(cells <= MOST_CELLS, "boards of up to {MOST_CELLS} cells are numbered");
        cells as u64 * half_factorial(cells - 1)
    }

    fn rank(&self, board: &Board<C>) -> u64 {
        let order = self.order(board);
        u64::from(board.gap) * half_factorial(order.len()) + half_rank(&order)
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
        let (cells, columns) = (self.size().cells(), self.size().columns);
        let orders = half_factorial(cells - 1);
        let Some(passes) = self.passes() else {
            let board = self.unrank(rank);
            for m in self.legal(&board) {
                each(self.rank(&self.apply(&board, m)));
            }
            return;
        };
        let (gap, order) = ((rank / orders) as usize, (rank % orders) as usize);
        let legal = self.legal[gap];
        if legal.contains(RIGHT) {
            each(rank - orders);
        }
        if legal.contains(LEFT) {
            each(rank + orders);
        }
        let orders = orders as usize;
        if legal.contains(DOWN) {
            let above = gap - columns;
            each((above * orders) as u64 + u64::from(passes.back[above * orders + order]));
        }
        if legal.contains(UP) {
            each(((gap + columns) * orders) as u64 + u64::from(passes.forth[gap * orders + order]));
        }
    }
}
