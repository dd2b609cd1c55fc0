//! Which tables there are: how much each knows of a cube, and what it takes to keep.

use untumble_search::tables::TableId;

use super::layout::{LINE, STRIPES};
use super::slices::EIGHTS;

/// What a table knows besides the tetrads and twists of corners and the slices of edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::cube3) struct Kind {
    /// The name by which it is asked for: about what it takes.
    pub(in crate::cube3) name: &'static str,
    /// How the two tetrads of corners are ordered, seen from each other: one of six ways.
    pub(super) thirds: bool,
    /// For each slice, whether an odd number of its edges is flipped.
    pub(super) flips: bool,
    /// Whether pieces are in an odd order. The six ways tell that, too.
    pub(super) parity: bool,
    /// Up to this distance an entry only says that it is near; the least of its stripe stands in for it.
    pub(super) base: u8,
    /// Seconds that it takes to build, on one core.
    pub(super) seconds: u64,
}

/// All of them, the smallest first. Each has about half as many nodes to search as the one before, per byte the same.
pub(super) const KINDS: [Kind; 5] = [
    Kind { name: "30MB", thirds: false, flips: false, parity: false, base: 7, seconds: 20 },
    Kind { name: "61MB", thirds: false, flips: false, parity: true, base: 8, seconds: 25 },
    Kind { name: "122MB", thirds: false, flips: true, parity: false, base: 8, seconds: 40 },
    Kind { name: "243MB", thirds: false, flips: true, parity: true, base: 8, seconds: 70 },
    Kind { name: "714MB", thirds: true, flips: true, parity: false, base: 9, seconds: 250 },
];

/// The bits of [`Kind::bits`].
pub(super) const PARITY: u8 = 1;
pub(super) const FLIPS: u8 = 2;
pub(super) const THIRDS: u8 = 4;

/// [`Kind::lane`] by what a kind knows.
#[inline(always)]
pub(super) const fn lane(bits: u8, parity: usize, flips: usize) -> usize {
    match (bits & PARITY != 0, bits & FLIPS != 0) {
        (false, false) => 0,
        (true, false) => parity,
        (false, true) => flips,
        (true, true) => 2 * flips + parity,
    }
}

impl Kind {
    /// The table of that name.
    pub(super) fn named(name: &str) -> Option<Kind> {
        KINDS.into_iter().find(|kind| kind.name == name)
    }

    /// How many classes its corners come in.
    pub(super) fn classes(&self) -> usize {
        if self.thirds { 19_926 } else { 3393 }
    }

    /// How many entries there are for each class of corners and arrangement of slices.
    pub(super) fn lanes(&self) -> usize {
        (if self.flips { 4 } else { 1 }) * (if self.parity { 2 } else { 1 })
    }

    /// What it knows, as bits, for code that is compiled for each.
    pub(super) const fn bits(&self) -> u8 {
        self.parity as u8 | (self.flips as u8) << 1 | (self.thirds as u8) << 2
    }

    /// Which of the lanes belongs to flips of the first two slices, a bit each, and a parity.
    #[inline(always)]
    pub(super) fn lane(&self, parity: usize, flips: usize) -> usize {
        lane(self.bits(), parity, flips)
    }

    /// Bytes of a class of corners.
    pub(super) fn row(&self) -> usize {
        EIGHTS * self.lanes() * STRIPES * LINE
    }

    /// Bytes of the table.
    pub(super) fn length(&self) -> usize {
        self.classes() * self.row()
    }

    /// The name of the table.
    pub(super) fn id(&self) -> TableId {
        let pattern = format!("optimal-{}", self.name.to_lowercase());
        TableId { puzzle: "cube3".into(), pattern, metric: "htm".into(), version: 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_tables_take() {
        let sizes = KINDS.map(|kind| format!("{}MB", (kind.length() as f64 / 1e6).round()));
        assert_eq!(sizes, KINDS.map(|kind| kind.name.to_owned()));
    }
}
