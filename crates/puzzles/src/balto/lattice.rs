//! The hexagon as a torus, and the torus as the numbers modulo its cells.
//!
//! Cell (u, v) has the number v + (1−3n)·u modulo k. Then each of the six neighbours is a fixed number away, and so is
//! every displacement: no tables of pairs of cells are needed anywhere.

/// The six directions clockwise, as steps in (u, v): NE, E, SE, SW, W, NW.
const RING: [(isize, isize); 6] = [(-1, 0), (0, 1), (1, 1), (1, 0), (0, -1), (-1, -1)];

/// How far one cell is from another: so many steps in one direction and so many in one next to it, the larger first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Displacement {
    /// The larger number of steps.
    pub long: u8,
    /// The smaller number.
    pub short: u8,
}

impl Displacement {
    /// The steps in all.
    pub fn distance(self) -> u32 {
        u32::from(self.long) + u32::from(self.short)
    }
}

/// A hexagon whose opposite sides are joined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lattice {
    side: usize,
    cells: usize,
    /// What is added to a cell's number to get to each neighbour, clockwise from NE.
    ring: [u16; 6],
    /// The cells in reading order.
    order: Vec<u16>,
    /// What each difference of two cells' numbers means.
    displacements: Vec<Displacement>,
}

impl Lattice {
    /// The shortest side there is.
    pub const LEAST: usize = 2;
    /// The longest side there is.
    pub const MOST: usize = 40;

    /// A hexagon of that side.
    ///
    /// # Panics
    /// If the side is not one of those there are; the catalog checks that.
    pub fn new(side: usize) -> Lattice {
        assert!((Self::LEAST..=Self::MOST).contains(&side), "a hexagon has a side of 2 to 40");
        let cells = 3 * side * (side - 1) + 1;
        let number = |u: isize, v: isize| (v + (1 - 3 * side as isize) * u).rem_euclid(cells as isize) as u16;
        let ring = RING.map(|(u, v)| number(u, v));
        let order = (0..2 * side - 1)
            .flat_map(|u| columns(side, u).map(move |v| (u as isize, v as isize)))
            .map(|(u, v)| number(u, v))
            .collect();
        let mut displacements = vec![Displacement { long: 0, short: 0 }; cells];
        for direction in 0..6 {
            let (ahead, beside) = (usize::from(ring[direction]), usize::from(ring[(direction + 1) % 6]));
            for steps in 1..side {
                for aside in 0..steps {
                    let (a, b) = (steps - aside, aside);
                    displacements[(a * ahead + b * beside) % cells] =
                        Displacement { long: a.max(b) as u8, short: a.min(b) as u8 };
                }
            }
        }
        Lattice { side, cells, ring, order, displacements }
    }

    /// The side.
    pub fn side(&self) -> usize {
        self.side
    }

    /// How many cells.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// How many cells each row has.
    pub fn rows(&self) -> impl Iterator<Item = usize> + Clone + use<> {
        let side = self.side;
        (0..2 * side - 1).map(move |u| columns(side, u).len())
    }

    /// The cells in reading order.
    pub fn order(&self) -> &[u16] {
        &self.order
    }

    /// The cell in the middle.
    pub fn centre(&self) -> u16 {
        self.order[self.cells / 2]
    }

    /// What is added to a cell's number to get to each neighbour, clockwise from NE; modulo the number of cells.
    pub fn ring(&self) -> [u16; 6] {
        self.ring
    }

    /// The neighbours of a cell, clockwise from NE.
    #[inline]
    pub fn around(&self, cell: u16) -> [u16; 6] {
        self.ring.map(|step| self.plus(cell, step))
    }

    /// A cell moved on.
    #[inline]
    pub fn plus(&self, cell: u16, step: u16) -> u16 {
        let sum = cell + step;
        if sum >= self.cells as u16 { sum - self.cells as u16 } else { sum }
    }

    /// What is to be added to `from` to get to `cell`.
    #[inline]
    pub fn minus(&self, cell: u16, from: u16) -> u16 {
        if cell >= from { cell - from } else { cell + self.cells as u16 - from }
    }

    /// How far it is from one cell to another.
    #[inline]
    pub fn displacement(&self, from: u16, to: u16) -> Displacement {
        self.displacements[usize::from(self.minus(to, from))]
    }

    /// The steps from one cell to another.
    #[inline]
    pub fn distance(&self, from: u16, to: u16) -> u32 {
        self.displacement(from, to).distance()
    }
}

/// The places of row `u`.
fn columns(side: usize, u: usize) -> std::ops::Range<usize> {
    (u + 1).saturating_sub(side)..(2 * side - 1).min(u + side)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    fn sides() -> impl Iterator<Item = usize> {
        (2..=9).chain([27, 40])
    }

    #[test]
    fn every_cell_has_one_number_and_six_neighbours() {
        for side in sides() {
            let lattice = Lattice::new(side);
            let mut numbers = lattice.order().to_vec();
            assert_eq!(lattice.rows().sum::<usize>(), lattice.cells());
            assert_eq!(lattice.rows().next(), Some(side));
            numbers.sort_unstable();
            assert_eq!(numbers, (0..lattice.cells() as u16).collect::<Vec<_>>(), "side {side}");
            let mut around = lattice.around(lattice.centre()).to_vec();
            around.sort_unstable();
            around.dedup();
            assert_eq!(around.len(), 6);
            // The right neighbour of a cell within a row is the next in reading order.
            let inner = lattice.order()[side * 3 / 2];
            assert_eq!(lattice.plus(inner, lattice.ring()[1]), lattice.order()[side * 3 / 2 + 1]);
        }
    }

    /// The joined sides are those of the rules: cells that differ by (2n−1, n−1) or (n, 2n−1) are one.
    #[test]
    fn the_torus_is_the_one_of_the_rules() {
        for side in sides() {
            let lattice = Lattice::new(side);
            let n = side as isize;
            let number = |u: isize, v: isize| (v + (1 - 3 * n) * u).rem_euclid(lattice.cells() as isize);
            assert_eq!(number(2 * n - 1, n - 1), 0);
            assert_eq!(number(n, 2 * n - 1), 0);
        }
    }

    /// Distances are those of walking from neighbour to neighbour.
    #[test]
    fn displacements_are_shortest() {
        for side in sides() {
            let lattice = Lattice::new(side);
            let mut steps = vec![u32::MAX; lattice.cells()];
            steps[0] = 0;
            let mut queue = VecDeque::from([0u16]);
            while let Some(cell) = queue.pop_front() {
                for next in lattice.around(cell) {
                    if steps[usize::from(next)] == u32::MAX {
                        steps[usize::from(next)] = steps[usize::from(cell)] + 1;
                        queue.push_back(next);
                    }
                }
            }
            for cell in 0..lattice.cells() as u16 {
                let displacement = lattice.displacement(0, cell);
                assert_eq!(displacement.distance(), steps[usize::from(cell)], "side {side}, cell {cell}");
                assert!(displacement.long >= displacement.short);
                assert_eq!(displacement, lattice.displacement(cell, 0), "the way back is alike");
            }
        }
    }
}
