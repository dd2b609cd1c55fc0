//! Disjoint (additive) pattern databases: Korf & Felner, "Disjoint pattern database heuristics" (Artificial
//! Intelligence 134, 2002), after Culberson & Schaeffer, "Pattern databases" (Computational Intelligence 14,
//! 1998).
//!
//! The patterns of a partition share no tile, and only moves of a pattern's own tiles count in its table,
//! so the costs of the patterns can be summed. The same tables also give a lower bound for the board
//! reflected along the diagonal, which has the same distance; the larger sum is used.
//!
//! A placement gives each tile of a pattern a cell. A table entry is the cost of a placement minus the
//! Manhattan distance of its tiles, divided by 2, in 4 bits. Nodes carry the Manhattan distance of the whole
//! board, so a move can often be pruned before any look-up.
//!
//! A table depends on home cells, not on labels, so goals with other labels share it. Of the rotations and
//! reflections of a pattern only one is tabulated; `OrientedPattern` is that one, with the symmetry that
//! leads to it.

mod build;
mod cell_sets;
mod distribution;
mod orientation;
mod partition;
mod pattern;
mod permutations;

use std::sync::Arc;

use untumble_search::control::Control;
use untumble_search::error::Error;
use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::moves::Move;
use untumble_search::prefetch::prefetch;
use untumble_search::puzzle::{Cost, Edge};
use untumble_search::spec::SpecError;
use untumble_search::tables::{Table, Tables};

pub(super) use self::distribution::distribution;
use self::orientation::OrientedPattern;
pub(super) use self::partition::{canonical as canonical_partition, example as example_partition};
pub use self::pattern::{Layout, Pattern};

use super::cells::{Cells, TileLocations};
use super::heuristics::{LINEAR_CONFLICT, Manhattan};
use super::{Board, Goal, Tiles};

/// The name of the heuristic in specs.
pub(super) const NAME: &str = "pdb";

/// The heuristic of one partition: the larger of the sums for the board and for its reflection.
///
/// The type `C` stores the contents of the cells; `C::TileLocations` is an integer type that stores the
/// cells of the tiles.
pub struct Pdb<C: Cells> {
    manhattan: Manhattan,
    pattern_tables: Vec<PatternTable>,
    /// The view of the board as it is.
    plain: View<C::TileLocations>,
    /// Present if the reflection along the diagonal maps the goal's blank to itself.
    reflected: Option<View<C::TileLocations>>,
    /// Bits of a cell number in the indices of [`View`].
    cell_bits: u32,
}

/// The table of a pattern, and where the cells of its tiles lie in the packed locations.
pub(super) struct PatternTable {
    pub(super) table: Arc<Table>,
    /// Whether the index is the packed locations (sparse) or the rank of the placement (compact).
    pub(super) layout: Layout,
    /// The bit at which the cells of the pattern's tiles begin.
    pub(super) first_bit: u32,
    /// Number of tiles.
    pub(super) tiles: u32,
    /// Weights of the rank digits; 0 beyond the last tile.
    pub(super) weights: Weights,
}

/// The weight of each tile's digit in the rank of a placement.
pub(super) type Weights = [u32; partition::MAX_TILES];

/// Translates a board, or its reflection, to packed tile locations: one integer of type `W` that lists the
/// cell of each tile in 4 or 5 bits, pattern by pattern. A cell is stored as its
/// image under the view's reflection and the symmetry that leads to the tabulated pattern.
pub(super) struct View<W> {
    /// The index of each tile's pattern; [`NO_PATTERN`] if only the tile's Manhattan distance counts.
    pattern_of: Vec<u8>,
    /// The bits that a move changes, by `(tile << cell_bits | blank) << 2 | move`.
    change: Vec<W>,
    /// The packed location of one tile, by `tile << cell_bits | cell`.
    location: Vec<W>,
}

/// Marks a tile without a pattern.
const NO_PATTERN: u8 = u8::MAX;

/// The value that a node carries.
#[derive(Clone, Copy, Debug)]
pub struct PdbValue<W> {
    /// The Manhattan distance of the whole board.
    pub(super) distance: Cost,
    plain: ViewValue<W>,
    reflected: ViewValue<W>,
}

/// The value of one view of a board.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ViewValue<W> {
    /// The packed tile locations.
    pub(super) locations: W,
    /// The table entry of each of at most 8 patterns, in 4 bits each.
    pub(super) entries: u32,
    /// The sum of the entries.
    pub(super) sum: u32,
}

impl<C: Cells> Pdb<C> {
    /// The heuristic of a partition such as `6-6-3` or `1.2.5/3.4`. Missing tables are built.
    pub fn new(
        goal: &Goal,
        partition: &str,
        tables: &dyn Tables,
        control: &Control,
    ) -> Result<Pdb<C>, Error> {
        let size = goal.size();
        if size.cells() > <u128 as Cells>::CAPACITY {
            return Err(SpecError::HeuristicTooLarge {
                heuristic: NAME,
                puzzle: format!("tiles-{size}"),
                reason: format!(
                    "the board has {} cells, and a pattern database at most {}",
                    size.cells(),
                    <u128 as Cells>::CAPACITY
                ),
                alternative: Some(LINEAR_CONFLICT),
            }
            .into());
        }
        // The home cells of the tiles of each pattern.
        let homes = partition::parse(goal, partition)?;
        let oriented: Vec<OrientedPattern> =
            homes.iter().map(|homes| OrientedPattern::new(goal, homes)).collect();
        let pattern_tables = load_tables::<C>(&oriented, tables, control)?;
        let plain = View::new(goal, &homes, &oriented, &pattern_tables, |cell| cell);
        let blank = goal.blank_home();
        let has_reflection = size.rows == size.columns && size.row(blank) == size.column(blank);
        let transpose = |cell: usize| size.column(cell) * size.columns + size.row(cell);
        let reflected =
            has_reflection.then(|| View::new(goal, &homes, &oriented, &pattern_tables, transpose));
        let cell_bits = size.cells().next_power_of_two().trailing_zeros();
        Ok(Pdb { manhattan: Manhattan::new(goal), pattern_tables, plain, reflected, cell_bits })
    }

    /// Whether all tables of a partition are in memory or on disk already.
    pub fn tables_exist(goal: &Goal, partition: &str, tables: &dyn Tables) -> bool {
        partition::parse(goal, partition).is_ok_and(|homes| {
            let patterns = homes.iter().map(|homes| OrientedPattern::new(goal, homes).pattern);
            patterns.into_iter().all(|pattern| tables.is_available(&pattern.id(), pattern.bytes()))
        })
    }

    /// The common layout of all tables, if there is one.
    pub(super) fn layout(&self) -> Option<Layout> {
        let first = self.pattern_tables.first().map_or(Layout::Sparse, |table| table.layout);
        self.pattern_tables.iter().all(|table| table.layout == first).then_some(first)
    }

    /// The view of the board and that of its reflection; the former twice if there is no reflection.
    pub(super) fn views(&self) -> [&View<C::TileLocations>; 2] {
        [&self.plain, self.reflected.as_ref().unwrap_or(&self.plain)]
    }

    /// The number of different views.
    pub(super) fn view_count(&self) -> usize {
        1 + usize::from(self.reflected.is_some())
    }

    /// The tables, pattern by pattern.
    pub(super) fn pattern_tables(&self) -> &[PatternTable] {
        &self.pattern_tables
    }

    /// The values of both views, in the order of [`Pdb::views`].
    pub(super) fn view_values(&self, value: &PdbValue<C::TileLocations>) -> [ViewValue<C::TileLocations>; 2] {
        [value.plain, if self.reflected.is_some() { value.reflected } else { value.plain }]
    }

    /// The index and the table of a tile's pattern, if it has one.
    pub(super) fn table_of(
        &self,
        view: &View<C::TileLocations>,
        tile: usize,
    ) -> Option<(usize, &PatternTable)> {
        let pattern_index = usize::from(view.pattern_of[tile]);
        Some((pattern_index, self.pattern_tables.get(pattern_index)?))
    }

    /// Computes a view's value from scratch.
    fn evaluate(
        &self,
        view: &View<C::TileLocations>,
        board: &Board<C>,
        cells: usize,
    ) -> ViewValue<C::TileLocations> {
        let mut locations = C::TileLocations::default();
        for cell in 0..cells {
            locations = locations.xor(view.location[board.cells.get(cell) << self.cell_bits | cell]);
        }
        let mut value = ViewValue { locations, entries: 0, sum: 0 };
        for (pattern_index, pattern_table) in self.pattern_tables.iter().enumerate() {
            let entry = pattern_table.entry(locations);
            value.entries |= entry << (4 * pattern_index);
            value.sum += entry;
        }
        value
    }
}

impl PatternTable {
    #[inline(always)]
    fn index<W: TileLocations>(&self, locations: W) -> usize {
        // The cells of this pattern's tiles are the lowest bits of `word`.
        let word = locations.bits_from(self.first_bit);
        match self.layout {
            Layout::Sparse => (word & ((1 << (4 * self.tiles)) - 1)) as usize,
            Layout::Compact => W::rank(word, self.tiles, &self.weights),
        }
    }

    #[inline(always)]
    fn entry<W: TileLocations>(&self, locations: W) -> u32 {
        let index = self.index(locations);
        u32::from(self.table.bytes()[index / 2] >> (4 * (index % 2)) & 15)
    }

    #[inline(always)]
    fn prefetch<W: TileLocations>(&self, locations: W) {
        prefetch(self.table.bytes(), self.index(locations) / 2);
    }
}

/// Loads the tables of the patterns, building those that are missing.
fn load_tables<C: Cells>(
    oriented: &[OrientedPattern],
    tables: &dyn Tables,
    control: &Control,
) -> Result<Vec<PatternTable>, Error> {
    let mut first_bit = 0;
    let mut pattern_tables: Vec<PatternTable> = Vec::new();
    for OrientedPattern { pattern, .. } in oriented {
        let tiles = pattern.homes.len();
        let table = tables.get(&pattern.id(), pattern.bytes(), control, &mut |table, control| {
            build::fill(pattern, table, control)
        })?;
        let mut weights = [0; partition::MAX_TILES];
        weights[..tiles].copy_from_slice(&pattern.weights());
        let layout = pattern.layout();
        pattern_tables.push(PatternTable { table, layout, first_bit, tiles: tiles as u32, weights });
        first_bit += C::TileLocations::BITS_PER_CELL * tiles as u32;
    }
    Ok(pattern_tables)
}

impl<W: TileLocations> View<W> {
    /// The packed location of one tile.
    pub(super) fn location(&self, tile: usize, cell: usize) -> W {
        let cell_bits = self.pattern_of.len().next_power_of_two().trailing_zeros();
        self.location[tile << cell_bits | cell]
    }

    /// The view of the board under `reflect`, which maps each cell to its image. `homes` holds the home
    /// cells of each pattern; `oriented` and `pattern_tables` have the same order.
    fn new(
        goal: &Goal,
        homes: &[Vec<usize>],
        oriented: &[OrientedPattern],
        pattern_tables: &[PatternTable],
        reflect: impl Fn(usize) -> usize,
    ) -> View<W> {
        let (size, cells) = (goal.size(), goal.size().cells());
        let cell_bits = cells.next_power_of_two().trailing_zeros();
        let mut view = View {
            pattern_of: vec![NO_PATTERN; cells],
            change: vec![W::default(); (4 * cells) << cell_bits],
            location: vec![W::default(); cells << cell_bits],
        };
        for tile in 1..cells {
            let home = reflect(goal.home(tile));
            let Some(pattern_index) = homes.iter().position(|homes| homes.contains(&home)) else { continue };
            // `cell_map` maps each cell to its image under the symmetry that leads to the tabulated pattern.
            let OrientedPattern { pattern, cell_map } = &oriented[pattern_index];
            let tile_index = pattern.homes.iter().position(|&other| other == cell_map[home]);
            let tile_index =
                tile_index.expect("the symmetry maps the pattern's home cells to those of its table") as u32;
            let bit = pattern_tables[pattern_index].first_bit + W::BITS_PER_CELL * tile_index;
            view.pattern_of[tile] = pattern_index as u8;
            // The image of the cell, shifted to `bit`.
            let location = |cell: usize| W::at_bit(cell_map[reflect(cell)] as u64, bit);
            for cell in 0..cells {
                view.location[tile << cell_bits | cell] = location(cell);
                for m in (0..4).map(Move) {
                    let Some(from) = size.sliding_cell(cell, m) else { continue };
                    let index = (tile << cell_bits | cell) << 2 | m.index();
                    view.change[index] = location(from).xor(location(cell));
                }
            }
        }
        view
    }
}

impl<C: Cells> Pdb<C> {
    /// The sum without the entry of a tile's pattern: a lower bound on the sum after any move of that tile.
    #[inline(always)]
    fn sum_without(view: &View<C::TileLocations>, value: &ViewValue<C::TileLocations>, tile: usize) -> u32 {
        match view.pattern_of[tile] {
            NO_PATTERN => value.sum,
            pattern_index => value.sum - (value.entries >> (4 * u32::from(pattern_index)) & 15),
        }
    }

    /// The value after a move; `Err` with the sum of its entries if the sum exceeds `step.max_sum`.
    #[inline(always)]
    fn step_view(
        &self,
        view: &View<C::TileLocations>,
        value: &ViewValue<C::TileLocations>,
        step: &PendingStep,
    ) -> Result<ViewValue<C::TileLocations>, u32> {
        let pattern_index = view.pattern_of[step.tile];
        if pattern_index == NO_PATTERN {
            return Ok(*value);
        }
        let shift = 4 * u32::from(pattern_index);
        let old = value.entries >> shift & 15;
        let locations = value.locations.xor(view.change[step.index]);
        let entry = self.pattern_tables[usize::from(pattern_index)].entry(locations);
        let sum = value.sum - old + entry;
        if sum > step.max_sum {
            return Err(sum);
        }
        Ok(ViewValue { locations, entries: value.entries ^ (old ^ entry) << shift, sum })
    }

    /// Evaluates a move without a look-up in a pattern table. `budget` is the largest h that the search
    /// accepts; `Err` with a lower bound on h if that bound exceeds it.
    #[inline(always)]
    fn pending_step(
        &self,
        value: &PdbValue<C::TileLocations>,
        edge: &Edge<'_, Tiles<C>>,
        budget: Cost,
    ) -> Result<PendingStep, Cost> {
        let blank = edge.parent.blank;
        let tile = edge.parent.cells.get(edge.puzzle.sliding_cell(blank, edge.m));
        let index = (tile << self.cell_bits | usize::from(blank)) << 2 | edge.m.index();
        let distance = value.distance.wrapping_add_signed(self.manhattan.change_at(index));
        let Some(slack) = budget.checked_sub(distance) else { return Err(distance) };
        let max_sum = slack / 2;
        // The entries of the other patterns do not change.
        let min_sum = Self::sum_without(&self.plain, &value.plain, tile);
        let reflected = |view| Self::sum_without(view, &value.reflected, tile);
        let min_sum = min_sum.max(self.reflected.as_ref().map_or(0, reflected));
        if min_sum > max_sum {
            Err(distance + 2 * min_sum)
        } else {
            Ok(PendingStep { tile, index, distance, max_sum })
        }
    }
}

/// A move that may be within the bound, before its look-ups.
struct PendingStep {
    /// The tile that slides.
    tile: usize,
    /// The index in [`View::change`].
    index: usize,
    /// Manhattan distance after the move.
    distance: Cost,
    /// The largest sum of entries within the bound.
    max_sum: u32,
}

impl<C: Cells> Heuristic<Tiles<C>> for Pdb<C> {
    type Value = PdbValue<C::TileLocations>;

    const PREFETCHES: bool = true;

    /// Not consistent: the tiles of a pattern may divide the other cells into regions, and an entry is the
    /// minimum over all regions in which the blank may be. So a move can change an entry by more than its
    /// cost.
    fn admissibility(&self) -> Admissibility {
        Admissibility::Admissible
    }

    fn start(&self, puzzle: &Tiles<C>, board: &Board<C>) -> Self::Value {
        let cells = puzzle.size().cells();
        PdbValue {
            distance: self.manhattan.start(puzzle, board),
            plain: self.evaluate(&self.plain, board, cells),
            reflected: self
                .reflected
                .as_ref()
                .map_or_else(ViewValue::default, |view| self.evaluate(view, board, cells)),
        }
    }

    #[inline(always)]
    fn step(
        &self,
        value: &Self::Value,
        edge: &Edge<'_, Tiles<C>>,
        budget: Cost,
    ) -> Result<Self::Value, Cost> {
        let step = self.pending_step(value, edge, budget)?;
        let h = |sum: u32| step.distance + 2 * sum;
        let plain = self.step_view(&self.plain, &value.plain, &step).map_err(h)?;
        let reflected = match &self.reflected {
            None => value.reflected,
            Some(view) => self.step_view(view, &value.reflected, &step).map_err(h)?,
        };
        Ok(PdbValue { distance: step.distance, plain, reflected })
    }

    #[inline(always)]
    fn prefetch(&self, value: &Self::Value, edge: &Edge<'_, Tiles<C>>, budget: Cost) {
        let Ok(PendingStep { tile, index, .. }) = self.pending_step(value, edge, budget) else { return };
        let prefetch_view = |view: &View<C::TileLocations>, value: &ViewValue<C::TileLocations>| {
            if let Some(pattern_table) = self.pattern_tables.get(usize::from(view.pattern_of[tile])) {
                pattern_table.prefetch(value.locations.xor(view.change[index]));
            }
        };
        prefetch_view(&self.plain, &value.plain);
        if let Some(view) = &self.reflected {
            prefetch_view(view, &value.reflected);
        }
    }

    #[inline(always)]
    fn cost(&self, value: &Self::Value) -> Cost {
        value.distance + 2 * value.plain.sum.max(value.reflected.sum)
    }
}

#[cfg(test)]
mod tests;
