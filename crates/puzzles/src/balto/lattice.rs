//! The hexagonal torus as the cyclic group Z_k, where k is the number of cells.
//!
//! Cell (u, v) of a hexagon of side n gets the number v + (1 − 3n)·u mod k. Every neighbour then lies at
//! a fixed offset mod k, and so does every displacement: all tables are indexed by the difference of two
//! cells instead of by pairs of cells.

/// The six directions clockwise (NE, E, SE, SW, W, NW) as steps in (u, v).
const DIRECTIONS: [(isize, isize); 6] = [(-1, 0), (0, 1), (1, 1), (1, 0), (0, -1), (-1, -1)];

/// A shortest way between two cells, up to the symmetries of the hexagon: `long` steps in one direction and
/// `short` steps in an adjacent direction, `long >= short`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Displacement {
    /// The larger number of steps.
    pub long: u8,
    /// The smaller number of steps.
    pub short: u8,
}

impl Displacement {
    /// The total number of steps.
    pub fn distance(self) -> u32 {
        u32::from(self.long) + u32::from(self.short)
    }
}

/// A hexagon of cells whose opposite sides are joined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lattice {
    side: usize,
    /// The number of cells.
    cells: usize,
    /// Clockwise from NE.
    neighbour_offsets: [u16; 6],
    reading_order: Vec<u16>,
    /// Indexed by the offset from one cell to another.
    displacements: Vec<Displacement>,
}

impl Lattice {
    /// The shortest supported side.
    pub const MIN_SIDE: usize = 2;
    /// The longest supported side; its 4681 cells and sums of two cell numbers fit in 16 bits.
    pub const MAX_SIDE: usize = 40;

    /// The hexagon with `side` cells on each edge, 3·side·(side − 1) + 1 cells in all.
    ///
    /// # Panics
    /// If the side is not within [`Lattice::MIN_SIDE`] and [`Lattice::MAX_SIDE`]; the catalog checks that.
    pub fn new(side: usize) -> Lattice {
        assert!((Self::MIN_SIDE..=Self::MAX_SIDE).contains(&side), "a hexagon has a side of 2 to 40");
        let cells = 3 * side * (side - 1) + 1;
        let number = |u: isize, v: isize| (v + (1 - 3 * side as isize) * u).rem_euclid(cells as isize) as u16;
        let neighbour_offsets = DIRECTIONS.map(|(u, v)| number(u, v));
        let reading_order = (0..2 * side - 1)
            .flat_map(|u| columns(side, u).map(move |v| (u as isize, v as isize)))
            .map(|(u, v)| number(u, v))
            .collect();
        let mut displacements = vec![Displacement { long: 0, short: 0 }; cells];
        for direction in 0..6 {
            let first = usize::from(neighbour_offsets[direction]);
            let second = usize::from(neighbour_offsets[(direction + 1) % 6]);
            for distance in 1..side {
                for b in 0..distance {
                    let a = distance - b;
                    displacements[(a * first + b * second) % cells] =
                        Displacement { long: a.max(b) as u8, short: a.min(b) as u8 };
                }
            }
        }
        Lattice { side, cells, neighbour_offsets, reading_order, displacements }
    }

    /// The number of cells on each edge of the hexagon.
    pub fn side(&self) -> usize {
        self.side
    }

    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// The lengths of the rows from top to bottom.
    pub fn rows(&self) -> impl Iterator<Item = usize> + Clone + use<> {
        let side = self.side;
        (0..2 * side - 1).map(move |u| columns(side, u).len())
    }

    /// All cells, row by row from the top, each row from the left.
    pub fn reading_order(&self) -> &[u16] {
        &self.reading_order
    }

    /// The central cell, home of the empty cell.
    pub fn centre(&self) -> u16 {
        self.reading_order[self.cells / 2]
    }

    /// The offsets of the six neighbours of any cell, clockwise from NE.
    pub fn neighbour_offsets(&self) -> [u16; 6] {
        self.neighbour_offsets
    }

    /// The neighbours of a cell, clockwise from NE.
    #[inline]
    pub fn neighbours(&self, cell: u16) -> [u16; 6] {
        self.neighbour_offsets.map(|offset| self.translate(cell, offset))
    }

    /// `cell + offset` modulo the number of cells.
    #[inline]
    pub fn translate(&self, cell: u16, offset: u16) -> u16 {
        let sum = cell + offset;
        if sum >= self.cells as u16 { sum - self.cells as u16 } else { sum }
    }

    /// `to - from` modulo the number of cells.
    #[inline]
    pub fn offset(&self, from: u16, to: u16) -> u16 {
        if to >= from { to - from } else { to + self.cells as u16 - from }
    }

    /// The displacement between two cells; symmetric.
    #[inline]
    pub fn displacement(&self, from: u16, to: u16) -> Displacement {
        self.displacements[usize::from(self.offset(from, to))]
    }

    /// The length of a shortest path over neighbouring cells.
    #[inline]
    pub fn distance(&self, from: u16, to: u16) -> u32 {
        self.displacement(from, to).distance()
    }
}

/// The range of v in row `u`.
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
            let mut numbers = lattice.reading_order().to_vec();
            assert_eq!(lattice.rows().sum::<usize>(), lattice.cells());
            assert_eq!(lattice.rows().next(), Some(side));
            numbers.sort_unstable();
            assert_eq!(numbers, (0..lattice.cells() as u16).collect::<Vec<_>>(), "side {side}");
            let mut neighbours = lattice.neighbours(lattice.centre()).to_vec();
            neighbours.sort_unstable();
            neighbours.dedup();
            assert_eq!(neighbours.len(), 6);
            // The eastern neighbour of a cell within a row is the next cell in reading order.
            let (place, order) = (side * 3 / 2, lattice.reading_order());
            assert_eq!(lattice.translate(order[place], lattice.neighbour_offsets()[1]), order[place + 1]);
        }
    }

    /// The contest's rules identify cells that differ by (2n−1, n−1) or (n, 2n−1).
    #[test]
    fn joined_sides_agree_with_the_contest_rules() {
        for side in sides() {
            let lattice = Lattice::new(side);
            let n = side as isize;
            let number = |u: isize, v: isize| (v + (1 - 3 * n) * u).rem_euclid(lattice.cells() as isize);
            assert_eq!(number(2 * n - 1, n - 1), 0);
            assert_eq!(number(n, 2 * n - 1), 0);
        }
    }

    #[test]
    fn displacements_are_shortest_paths() {
        for side in sides() {
            let lattice = Lattice::new(side);
            let mut distance = vec![u32::MAX; lattice.cells()];
            distance[0] = 0;
            let mut queue = VecDeque::from([0u16]);
            while let Some(cell) = queue.pop_front() {
                for next in lattice.neighbours(cell) {
                    if distance[usize::from(next)] == u32::MAX {
                        distance[usize::from(next)] = distance[usize::from(cell)] + 1;
                        queue.push_back(next);
                    }
                }
            }
            for cell in 0..lattice.cells() as u16 {
                let displacement = lattice.displacement(0, cell);
                assert_eq!(displacement.distance(), distance[usize::from(cell)], "side {side}, cell {cell}");
                assert!(displacement.long >= displacement.short);
                assert_eq!(displacement, lattice.displacement(cell, 0), "displacements are symmetric");
            }
        }
    }
}
