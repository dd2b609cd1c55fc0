//! The available coset tables: which coordinates each one contains, and its size.
//!
//! Every table contains corner separation, corner orientation and edge separation (H48's k = 0 table;
//! Tronto). Larger tables add coordinates that are invariant under the 48 symmetries and unchanged by half
//! turns: permutation parity, flip parity by slice, and the tetrad twist of the corners. H48 and cube48opt
//! (Chen) add edge orientation bits instead, which are not coordinates and take longer to build.

use untumble_search::tables::TableId;

use super::edge_separation::EIGHT_SETS;
use super::layout::{LINE_BYTES, STRIPES};

/// Coordinates and parameters of one table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::cube3) struct TableVariant {
    /// Value of the option `table`: the approximate size.
    pub(in crate::cube3) name: &'static str,
    /// Contains the tetrad twist of the corners (6 values), which implies the permutation parity.
    pub(super) tetrad_twist: bool,
    /// Contains, for each slice, the parity of the number of its edges that are flipped.
    pub(super) flip_parity: bool,
    /// Contains the permutation parity.
    pub(super) permutation_parity: bool,
    /// Largest distance with code 0; see [`super::layout`].
    pub(super) base: u8,
    /// Approximate build time on one core.
    pub(super) build_seconds: u64,
}

/// The smallest table, H48's k = 0.
const K0: TableVariant = TableVariant {
    name: "30MB",
    tetrad_twist: false,
    flip_parity: false,
    permutation_parity: false,
    base: 7,
    build_seconds: 20,
};

/// All tables by ascending size. Twice the size about halves the nodes of a search.
pub(super) const VARIANTS: [TableVariant; 5] = [
    K0,
    TableVariant { name: "61MB", permutation_parity: true, base: 8, build_seconds: 25, ..K0 },
    TableVariant { name: "122MB", flip_parity: true, base: 8, build_seconds: 40, ..K0 },
    TableVariant {
        name: "243MB",
        flip_parity: true,
        permutation_parity: true,
        base: 8,
        build_seconds: 70,
        ..K0
    },
    TableVariant { name: "714MB", tetrad_twist: true, flip_parity: true, base: 9, build_seconds: 250, ..K0 },
];

/// Bit of [`TableVariant::bits`] for the permutation parity.
pub(super) const PERMUTATION_PARITY: u8 = 1;
/// Bit for the flip parities of the slices.
pub(super) const FLIP_PARITY: u8 = 2;
/// Bit for the tetrad twist.
pub(super) const TETRAD_TWIST: u8 = 4;

/// [`TableVariant::lane`] of a variant given by its bits.
#[inline(always)]
pub(super) const fn parity_lane(bits: u8, permutation_parity: usize, flip_parities: usize) -> usize {
    match (bits & PERMUTATION_PARITY != 0, bits & FLIP_PARITY != 0) {
        (false, false) => 0,
        (true, false) => permutation_parity,
        (false, true) => flip_parities,
        (true, true) => 2 * flip_parities + permutation_parity,
    }
}

impl TableVariant {
    /// The variant with this name.
    pub(super) fn named(name: &str) -> Option<TableVariant> {
        VARIANTS.into_iter().find(|variant| variant.name == name)
    }

    /// The number of symmetry classes of corner cosets.
    pub(super) fn classes(&self) -> usize {
        if self.tetrad_twist { 19_926 } else { 3393 }
    }

    /// Entries for each pair of a corner class and an edge coset: one for each combination of parities.
    pub(super) fn lanes(&self) -> usize {
        (if self.flip_parity { 4 } else { 1 }) * (if self.permutation_parity { 2 } else { 1 })
    }

    /// The coordinates as bits, for use as a const generic argument.
    pub(super) const fn bits(&self) -> u8 {
        self.permutation_parity as u8 | (self.flip_parity as u8) << 1 | (self.tetrad_twist as u8) << 2
    }

    /// The lane of a permutation parity and the flip parities of the first two slices (bits 0 and 1). The
    /// third slice's flip parity follows from the edge coset.
    #[inline(always)]
    pub(super) fn lane(&self, permutation_parity: usize, flip_parities: usize) -> usize {
        parity_lane(self.bits(), permutation_parity, flip_parities)
    }

    /// Bytes of one corner class.
    pub(super) fn row_bytes(&self) -> usize {
        EIGHT_SETS * self.lanes() * STRIPES * LINE_BYTES
    }

    /// Bytes of the table.
    pub(super) fn bytes(&self) -> usize {
        self.classes() * self.row_bytes()
    }

    pub(super) fn id(&self) -> TableId {
        let pattern = format!("optimal-{}", self.name.to_lowercase());
        TableId { puzzle: "cube3".into(), pattern, metric: "htm".into(), version: 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_table_sizes() {
        let sizes = VARIANTS.map(|variant| format!("{}MB", (variant.bytes() as f64 / 1e6).round()));
        assert_eq!(sizes, VARIANTS.map(|variant| variant.name.to_owned()));
    }
}
