//! Evaluation of nodes with pattern databases by their slack.
//!
//! The slack of a node is bound − g − h, and a node with negative slack is pruned. A move that takes a tile
//! away from its home reduces the slack by 2 moves, and a table entry is half the cost above Manhattan
//! distance. So slack is counted in units of 2 moves, rounded down. One word holds the entries of all
//! patterns and the slack that results from them; one multiplication replaces an entry and adjusts the
//! slack.
//!
//! A position and its reflection along the diagonal have the same distance; both are looked up, and the
//! larger sum counts (Culberson & Schaeffer, "Pattern databases", Computational Intelligence 14, 1998).

use untumble_search::heuristic::Heuristic;
use untumble_search::prefetch::prefetch;
use untumble_search::puzzle::Cost;

use super::super::blank_cell::neighbours;
use crate::tiles::cells::TileLocations;
use crate::tiles::pdb::{Layout, Pdb, View, Weights};
use crate::tiles::{Board, Cells, Tiles};

/// The entries of the patterns, 4 bits each (lower 32 bits), and the slack (upper 32 bits).
#[derive(Clone, Copy)]
pub(super) struct SlackAndEntries(i64);

impl SlackAndEntries {
    const SLACK_SHIFT: u32 = 32;
    /// Bit position of an entry that is always 0: fifteen tiles form at most seven patterns of two or more
    /// tiles.
    const ZERO_ENTRY: u32 = 28;

    fn new(slack: i64, entries: u32) -> SlackAndEntries {
        SlackAndEntries(slack << Self::SLACK_SHIFT | i64::from(entries))
    }

    #[inline(always)]
    pub(super) fn slack(self) -> i64 {
        self.0 >> Self::SLACK_SHIFT
    }

    #[inline(always)]
    fn is_negative(self) -> bool {
        self.0 < 0
    }

    #[inline(always)]
    fn reduced_by(self, units: u64) -> SlackAndEntries {
        SlackAndEntries(self.0 - ((units as i64) << Self::SLACK_SHIFT))
    }

    #[inline(always)]
    fn increased_by(self, units: i64) -> SlackAndEntries {
        SlackAndEntries(self.0 + (units << Self::SLACK_SHIFT))
    }
}

/// One view of a node (the board as it is, or reflected), in the form in which tables are indexed.
#[derive(Clone, Copy)]
pub(super) struct ViewState {
    /// The cells of all tiles, pattern by pattern, 4 bits each.
    locations: u64,
    pub(super) packed: SlackAndEntries,
}

/// A node: the board and its two views, plain and reflected.
#[derive(Clone, Copy)]
pub(super) struct PatternNode {
    /// The tile in each cell, 4 bits each.
    pub(super) cells: u64,
    pub(super) plain: ViewState,
    /// A copy of `plain` if the goal has no reflection: the copy avoids a branch, and its entry is already
    /// in the cache.
    pub(super) reflected: ViewState,
}

impl PatternNode {
    /// The smaller slack of both views.
    #[inline(always)]
    pub(super) fn slack(&self) -> i64 {
        self.plain.packed.slack().min(self.reflected.packed.slack())
    }
}

/// Location of a tile's pattern in the packed words, and its table.
struct TileLookup<'a> {
    table: &'a [u8],
    /// First bit of the pattern's cells in [`ViewState::locations`].
    location_shift: u32,
    /// First bit of the pattern's entry in [`SlackAndEntries`].
    entry_shift: u32,
    /// Mask of the pattern's cells, after the shift.
    mask: u64,
    /// The change of a [`SlackAndEntries`] when the entry rises by 1.
    entry_unit: i64,
    layout: Layout,
    weights: Weights,
}

/// The layouts that occur among the tables of a partition, known at compile time.
pub(super) trait TableLayouts {
    /// Whether the entries of all children are prefetched before the first one is read.
    const PREFETCH: bool;

    /// The index of a placement; `locations` begins with the pattern's cells.
    fn index(layout: Layout, locations: u64, mask: u64, weights: &Weights) -> usize;
}

/// All tables are sparse.
pub(super) enum SparseOnly {}

impl TableLayouts for SparseOnly {
    /// Prefetching entries that may never be read takes 1.07 times as long with 6-6-3, 1.26 times with
    /// 5-5-5.
    const PREFETCH: bool = false;

    #[inline(always)]
    fn index(_layout: Layout, locations: u64, mask: u64, _weights: &Weights) -> usize {
        (locations & mask) as usize
    }
}

/// Some tables are compact.
pub(super) enum MixedLayouts {}

impl TableLayouts for MixedLayouts {
    const PREFETCH: bool = true;

    #[inline(always)]
    fn index(layout: Layout, locations: u64, mask: u64, weights: &Weights) -> usize {
        match layout {
            Layout::Sparse => (locations & mask) as usize,
            Layout::Compact => u64::rank(locations, 8, weights),
        }
    }
}

impl<'a> TileLookup<'a> {
    fn new(pdb: &'a Pdb<u64>, view: &View<u64>, tile: usize) -> TileLookup<'a> {
        match pdb.table_of(view, tile) {
            Some((pattern, pattern_table)) => TileLookup {
                table: pattern_table.table.bytes(),
                location_shift: pattern_table.first_bit,
                entry_shift: 4 * pattern as u32,
                mask: (1 << (4 * pattern_table.tiles)) - 1,
                entry_unit: (1 << (4 * pattern)) - (1 << SlackAndEntries::SLACK_SHIFT),
                layout: pattern_table.layout,
                weights: pattern_table.weights,
            },
            // A tile without a pattern: only its Manhattan distance counts, and its entry is always 0.
            None => TileLookup {
                table: &[0],
                location_shift: 0,
                entry_shift: SlackAndEntries::ZERO_ENTRY,
                mask: 0,
                entry_unit: 0,
                layout: Layout::Sparse,
                weights: Weights::default(),
            },
        }
    }

    #[inline(always)]
    fn index<L: TableLayouts>(&self, locations: u64) -> usize {
        L::index(self.layout, locations >> self.location_shift, self.mask, &self.weights)
    }

    #[inline(always)]
    fn read(&self, index: usize) -> i64 {
        i64::from(self.table[index / 2] >> (4 * (index % 2)) & 15)
    }

    #[inline(always)]
    fn old_entry(&self, view: &ViewState) -> i64 {
        view.packed.0 >> self.entry_shift & 15
    }

    /// Looks up the view after a step; `Err` with the negative slack if the step exceeds the bound.
    #[inline(always)]
    fn evaluate(&self, candidate: &ViewCandidate) -> Result<ViewState, i64> {
        let change = (self.read(candidate.index) - candidate.old_entry) * self.entry_unit;
        let packed = SlackAndEntries(candidate.packed.0 + change);
        if packed.is_negative() {
            return Err(packed.slack());
        }
        Ok(ViewState { locations: candidate.locations, packed })
    }
}

/// The tables that evaluate a step.
pub(super) struct PatternEvaluator<'a> {
    tiles: &'a Tiles<u64>,
    pdb: &'a Pdb<u64>,
    pub(super) goal: u64,
    /// By the blank's cell and the move: a bit for each tile that the move takes away from home.
    farther_bits: [[u16; 4]; 16],
    /// The bits that change in the locations of both views, by pair of cells and tile.
    change: [[[u64; 2]; 16]; CELL_PAIRS],
    /// By view and tile.
    lookups: [[TileLookup<'a>; 16]; 2],
}

/// The number of pairs of adjacent cells.
const CELL_PAIRS: usize = 24;

/// The index of an unordered pair of adjacent cells.
const fn cell_pair(a: usize, b: usize) -> usize {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    if high - low == 4 { 12 + low } else { low / 4 * 3 + low % 4 }
}

/// A child that may be within the bound: only the look-up of two entries is missing.
pub(super) struct Candidate {
    tile: usize,
    plain: ViewCandidate,
    reflected: ViewCandidate,
}

/// One view of a [`Candidate`].
struct ViewCandidate {
    locations: u64,
    /// Its slack includes the new Manhattan distance but still the old entry.
    packed: SlackAndEntries,
    old_entry: i64,
    /// Index of the new entry.
    index: usize,
}

impl<'a> PatternEvaluator<'a> {
    pub(super) fn new(tiles: &'a Tiles<u64>, pdb: &'a Pdb<u64>) -> PatternEvaluator<'a> {
        let goal = tiles.goal();
        let distance = |tile: usize, cell: usize| goal.size().distance(cell, goal.home(tile));
        let views = pdb.views();
        let mut farther_bits = [[0; 4]; 16];
        let mut change = [[[0; 2]; 16]; CELL_PAIRS];
        for to in 0..16 {
            for (m, from) in neighbours(to).into_iter().enumerate() {
                let Some(from) = from else { continue };
                let is_farther = |&tile: &usize| distance(tile, to) > distance(tile, from);
                farther_bits[to][m] = (1..16).filter(is_farther).map(|tile| 1 << tile).sum();
                for (tile, change) in change[cell_pair(from, to)].iter_mut().enumerate() {
                    *change = views.map(|view| view.location(tile, from) ^ view.location(tile, to));
                }
            }
        }
        let lookups = views.map(|view| std::array::from_fn(|tile| TileLookup::new(pdb, view, tile)));
        PatternEvaluator { tiles, pdb, goal: tiles.solved.cells, farther_bits, change, lookups }
    }

    /// The node of a board that may cost `budget` more moves; `Err` with the excess if h is larger.
    pub(super) fn start(&self, cells: u64, budget: i64) -> Result<PatternNode, Cost> {
        let board = Board { cells, blank: cells.blank() as u16 };
        let value = self.pdb.start(self.tiles, &board);
        let cost = i64::from(self.pdb.cost(&value));
        if cost > budget {
            return Err((cost - budget) as Cost);
        }
        let slack = (budget - i64::from(value.distance)) / 2;
        let [plain, reflected] = self.pdb.view_values(&value).map(|view| ViewState {
            locations: view.locations,
            packed: SlackAndEntries::new(slack - i64::from(view.sum), view.entries),
        });
        Ok(PatternNode { cells, plain, reflected })
    }

    /// The h-value of a board.
    pub(super) fn cost(&self, cells: u64) -> i64 {
        let board = Board { cells, blank: cells.blank() as u16 };
        i64::from(self.pdb.cost(&self.pdb.start(self.tiles, &board)))
    }

    /// The child after move `m` slides the tile in cell `from` to the blank in cell `to`, before any
    /// look-up; `None` if it exceeds the bound even with an entry of 0. The hot loop passes constants for
    /// `from`, `to` and `m`.
    #[inline(always)]
    pub(super) fn candidate<L: TableLayouts>(
        &self,
        node: &PatternNode,
        from: usize,
        to: usize,
        m: usize,
    ) -> Option<Candidate> {
        let tile = (node.cells >> (4 * from) & 15) as usize;
        let farther = u64::from(self.farther_bits[to][m] >> tile & 1);
        let [plain, reflected] = [&self.lookups[0][tile], &self.lookups[1][tile]];
        let (old_entry, old_entry_reflected) =
            (plain.old_entry(&node.plain), reflected.old_entry(&node.reflected));
        let (packed, packed_reflected) =
            (node.plain.packed.reduced_by(farther), node.reflected.packed.reduced_by(farther));
        if packed.increased_by(old_entry).is_negative()
            || packed_reflected.increased_by(old_entry_reflected).is_negative()
        {
            return None;
        }
        let [change, change_reflected] = self.change[cell_pair(from, to)][tile];
        let locations = node.plain.locations ^ change;
        let locations_reflected = node.reflected.locations ^ change_reflected;
        let candidate = Candidate {
            tile,
            plain: ViewCandidate { locations, packed, old_entry, index: plain.index::<L>(locations) },
            reflected: ViewCandidate {
                locations: locations_reflected,
                packed: packed_reflected,
                old_entry: old_entry_reflected,
                index: reflected.index::<L>(locations_reflected),
            },
        };
        if L::PREFETCH {
            prefetch(plain.table, candidate.plain.index / 2);
            prefetch(reflected.table, candidate.reflected.index / 2);
        }
        Some(candidate)
    }

    /// Completes a candidate; `Err` with the negative slack if it exceeds the bound.
    #[inline(always)]
    pub(super) fn evaluate(
        &self,
        node: &PatternNode,
        candidate: &Candidate,
        from: usize,
        to: usize,
    ) -> Result<PatternNode, i64> {
        let plain = self.lookups[0][candidate.tile].evaluate(&candidate.plain)?;
        let reflected = self.lookups[1][candidate.tile].evaluate(&candidate.reflected)?;
        let tile = candidate.tile as u64;
        Ok(PatternNode { cells: node.cells ^ (tile << (4 * from) | tile << (4 * to)), plain, reflected })
    }
}
