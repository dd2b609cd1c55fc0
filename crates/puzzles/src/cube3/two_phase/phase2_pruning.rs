//! Pruning tables of phase 2: each pairs a permutation of eight pieces, reduced by symmetry, with a small
//! coordinate (Kociemba).
//!
//! The 16 symmetries divide the 40,320 permutations into 2,768 classes, so that the tables stay in the L2
//! cache.

use untumble_search::control::{Control, Stop};

use crate::cube3::symmetry::SymmetryGroup;
use crate::cube3::symmetry_classes::{self, SymmetryClasses};

/// The symmetry classes of permutations.
pub(super) struct PermutationClasses {
    /// By permutation: its class and symmetry.
    sym_coordinates: Vec<SymCoordinate16>,
    /// By class: its representative.
    representatives: Vec<u16>,
    /// By class: the stabilizer of its representative, as bits.
    stabilizers: Vec<u16>,
}

impl PermutationClasses {
    /// `conjugate` returns the conjugate of a permutation under a symmetry.
    pub(super) fn new(
        group: &SymmetryGroup,
        count: usize,
        control: &Control,
        conjugate: impl Fn(usize, usize) -> usize,
    ) -> Result<PermutationClasses, Stop> {
        let conjugate = &conjugate;
        let classes = SymmetryClasses::new(group, count, control, |permutation| {
            (0..group.order()).map(move |symmetry| conjugate(permutation, symmetry))
        })?;
        Ok(PermutationClasses {
            sym_coordinates: classes.sym_coordinates.iter().map(SymCoordinate16::from_wide).collect(),
            representatives: classes.representatives.iter().map(|&permutation| permutation as u16).collect(),
            stabilizers: classes.stabilizers.iter().map(|&set| set as u16).collect(),
        })
    }

    pub(super) fn bytes(&self) -> u64 {
        2 * (self.sym_coordinates.len() + 2 * self.representatives.len()) as u64
    }

    #[inline(always)]
    pub(super) fn sym_coordinate(&self, permutation: u16) -> SymCoordinate16 {
        self.sym_coordinates[usize::from(permutation)]
    }
}

/// [`symmetry_classes::SymCoordinate`] in 16 bits, which halves its cache footprint.
#[derive(Clone, Copy)]
pub(super) struct SymCoordinate16(u16);

impl SymCoordinate16 {
    fn from_wide(wide: &symmetry_classes::SymCoordinate) -> SymCoordinate16 {
        SymCoordinate16((wide.class() << 4 | wide.symmetry()) as u16)
    }
}

/// A coordinate that moves change independently of the permutation.
pub(super) struct SmallCoordinate {
    /// Number of values.
    pub(super) count: usize,
    /// By value and phase-2 move: the value after the move.
    pub(super) moves: Vec<u8>,
    /// By symmetry and value: the conjugate value.
    pub(super) conjugates: Vec<u8>,
    /// The value of the solved position.
    pub(super) solved: u8,
}

/// The cost to solve a permutation and a small coordinate together.
pub(super) struct PruningTable {
    /// By class and small coordinate: the cost.
    cells: Vec<u8>,
    /// By symmetry and small coordinate: the conjugate of the small coordinate.
    conjugates: Vec<u8>,
    /// Number of values of the small coordinate.
    width: usize,
}

impl PruningTable {
    /// `moves` is indexed by permutation and move; `costs` of the moves are 1 or 2.
    pub(super) fn new(
        classes: &PermutationClasses,
        moves: &[u16],
        small: &SmallCoordinate,
        costs: &[u8],
    ) -> PruningTable {
        let width = small.count;
        let cells = vec![u8::MAX; classes.representatives.len() * width];
        let table = PruningTable { cells, conjugates: small.conjugates.clone(), width };
        let mut builder = TableBuilder { table, stabilizers: &classes.stabilizers };
        let mut level = Vec::new();
        builder.reach(classes.sym_coordinate(0), small.solved, 0, &mut level);
        // Moves cost 1 or 2, so a level depends on the two before it.
        let mut previous_level = Vec::new();
        for cost in 1.. {
            if previous_level.is_empty() && level.is_empty() {
                break;
            }
            let mut next = Vec::new();
            for (cells, move_cost) in [(&level, 1), (&previous_level, 2)] {
                for &cell in cells {
                    let (permutation, value) =
                        (usize::from(classes.representatives[cell / width]), cell % width);
                    for m in (0..costs.len()).filter(|&m| costs[m] == move_cost) {
                        let to = classes.sym_coordinate(moves[permutation * costs.len() + m]);
                        builder.reach(to, small.moves[value * costs.len() + m], cost, &mut next);
                    }
                }
            }
            (previous_level, level) = (level, next);
        }
        builder.table
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.cells.len() + self.conjugates.len()) as u64
    }

    /// The index of the cell of a permutation and a value of the small coordinate.
    #[inline(always)]
    fn cell(&self, sym: SymCoordinate16, value: u8) -> usize {
        let (class, symmetry) = (usize::from(sym.0 >> 4), usize::from(sym.0 & 15));
        class * self.width + usize::from(self.conjugates[symmetry * self.width + usize::from(value)])
    }

    /// The cost for a permutation, by sym-coordinate, and a value of the small coordinate.
    #[inline(always)]
    pub(super) fn get(&self, sym: SymCoordinate16, value: u8) -> u8 {
        self.cells[self.cell(sym, value)]
    }

    /// The largest cost.
    #[cfg(test)]
    pub(super) fn max(&self) -> u8 {
        self.cells.iter().copied().max().unwrap_or(0)
    }
}

struct TableBuilder<'a> {
    table: PruningTable,
    stabilizers: &'a [u16],
}

impl TableBuilder<'_> {
    /// Marks an unreached cell and its images under the stabilizer of its class.
    fn reach(&mut self, sym: SymCoordinate16, value: u8, cost: u8, level: &mut Vec<usize>) {
        let width = self.table.width;
        let cell = self.table.cell(sym, value);
        if self.table.cells[cell] != u8::MAX {
            return;
        }
        let class = cell / width;
        for symmetry in (0..16).filter(|symmetry| self.stabilizers[class] >> symmetry & 1 == 1) {
            let image = class * width + usize::from(self.table.conjugates[symmetry * width + cell % width]);
            if self.table.cells[image] == u8::MAX {
                self.table.cells[image] = cost;
                level.push(image);
            }
        }
    }
}
