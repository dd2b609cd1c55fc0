//! Pattern databases: the exact cost of getting some of the tiles home, tabulated.
//!
//! Patterns share no tile and only moves of their own tiles count, so their costs add up. A table keeps what a
//! placement costs *above* the Manhattan distance of its tiles, halved, in four bits: nodes carry the whole board's distance anyway, a move can
//! be pruned before any table is read, and tables are half the size. The same
//! table serves a pattern and its mirror images, whatever the goal: tiles are told by home cells, and the gap's home
//! matters only where the pattern at home parts the free cells.

mod build;
mod orders;
mod partition;
mod pattern;

use std::sync::Arc;

use untumble_search::control::Control;
use untumble_search::error::Error;
use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::moves::Move;
use untumble_search::prefetch::prefetch;
use untumble_search::puzzle::{Cost, Edge};
use untumble_search::spec::SpecError;
use untumble_search::tables::{Table, Tables};

pub use pattern::{Layout, Pattern};

use super::cells::{Cells, Places};
use super::heuristics::Manhattan;
use super::{Board, Goal, Tiles};

/// The sum of a partition's pattern databases, or of the mirrored board's where that is more.
pub struct Pdb<C: Cells> {
    manhattan: Manhattan,
    patterns: Vec<Lookup>,
    plain: View<C::Places>,
    /// Where the board can be mirrored along the diagonal onto itself, the gap's home included.
    mirrored: Option<View<C::Places>>,
    shift: u32,
}

/// A pattern's table and how to read it.
pub(super) struct Lookup {
    pub(super) table: Arc<Table>,
    pub(super) layout: Layout,
    /// Where the cells of its tiles begin in the packed word.
    pub(super) first_bit: u32,
    pub(super) tiles: u32,
    /// Of the tiles' digits; 0 beyond the last.
    pub(super) weights: Weights,
}

/// What each tile's digit counts in the number of a placement.
pub(super) type Weights = [u32; partition::MOST_TILES];

/// How a board, or its mirror image, is packed for look-up: the cell of each tile, pattern by pattern, turned the way the
/// pattern's table is.
pub(super) struct View<W> {
    /// The pattern of each tile; [`NO_PATTERN`] where it counts by itself.
    pattern_of: Vec<u8>,
    /// What a move changes in the word, by tile, gap and move.
    change: Vec<W>,
    /// Each tile's cell in its place of the word, by tile and cell.
    place: Vec<W>,
}

const NO_PATTERN: u8 = u8::MAX;

/// What a node carries.
#[derive(Clone, Copy, Debug)]
pub struct Value<W> {
    pub(super) distance: Cost,
    plain: Packed<W>,
    mirrored: Packed<W>,
}

/// A packed board, each pattern's entry in four bits, and their sum.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Packed<W> {
    pub(super) places: W,
    pub(super) entries: u32,
    pub(super) sum: u32,
}

impl<C: Cells> Pdb<C> {
    /// The partition that `text` names, its tables read or built.
    pub fn new(goal: &Goal, text: &str, tables: &dyn Tables, control: &Control) -> Result<Pdb<C>, Error> {
        let size = goal.size();
        if size.cells() > <u128 as Cells>::CAPACITY {
            return Err(SpecError::HeuristicTooLarge {
                heuristic: "pdb",
                puzzle: format!("tiles-{size}"),
                reason: format!(
                    "the board has {} cells, and a pattern database at most {}",
                    size.cells(),
                    <u128 as Cells>::CAPACITY
                ),
                alternative: Some("linear-conflict"),
            }
            .into());
        }
        let homes = partition::read(goal, text)?;
        let turned: Vec<Turned> = homes.iter().map(|homes| Turned::new(goal, homes)).collect();
        let patterns = lookups::<C>(&turned, tables, control)?;
        let plain = View::new(goal, &homes, &turned, &patterns, |cell| cell);
        let gap = goal.gap();
        let diagonal = size.rows == size.columns && size.row(gap) == size.column(gap);
        let across = |cell: usize| size.column(cell) * size.columns + size.row(cell);
        let mirrored = diagonal.then(|| View::new(goal, &homes, &turned, &patterns, across));
        let shift = size.cells().next_power_of_two().trailing_zeros();
        Ok(Pdb { manhattan: Manhattan::new(goal), patterns, plain, mirrored, shift })
    }

    /// Whether the tables of a partition need not be built.
    pub fn stands(goal: &Goal, text: &str, tables: &dyn Tables) -> bool {
        partition::read(goal, text).is_ok_and(|homes| {
            let patterns = homes.iter().map(|homes| Turned::new(goal, homes).pattern);
            patterns.into_iter().all(|pattern| tables.has(&pattern.id(), pattern.bytes()))
        })
    }

    /// The layout of all tables, if it is the same.
    pub(super) fn layout(&self) -> Option<Layout> {
        let first = self.patterns.first().map_or(Layout::Bits, |lookup| lookup.layout);
        self.patterns.iter().all(|lookup| lookup.layout == first).then_some(first)
    }

    /// How the board is packed, and its mirror image; the board again where it has none.
    pub(super) fn views(&self) -> [&View<C::Places>; 2] {
        [&self.plain, self.mirrored.as_ref().unwrap_or(&self.plain)]
    }

    /// How many of these views differ.
    pub(super) fn view_count(&self) -> usize {
        1 + usize::from(self.mirrored.is_some())
    }

    /// The patterns.
    pub(super) fn lookups(&self) -> &[Lookup] {
        &self.patterns
    }

    /// What these views show of a board.
    pub(super) fn packed(&self, value: &Value<C::Places>) -> [Packed<C::Places>; 2] {
        [value.plain, if self.mirrored.is_some() { value.mirrored } else { value.plain }]
    }

    /// The pattern of a tile and its number, where it has one.
    pub(super) fn lookup(&self, view: &View<C::Places>, name: usize) -> Option<(usize, &Lookup)> {
        let number = usize::from(view.pattern_of[name]);
        Some((number, self.patterns.get(number)?))
    }

    fn pack(&self, view: &View<C::Places>, board: &Board<C>, cells: usize) -> Packed<C::Places> {
        let mut places = C::Places::default();
        for cell in 0..cells {
            places = places.toggled(view.place[board.cells.get(cell) << self.shift | cell]);
        }
        let mut packed = Packed { places, entries: 0, sum: 0 };
        for (number, lookup) in self.patterns.iter().enumerate() {
            let entry = lookup.entry(places);
            packed.entries |= entry << (4 * number);
            packed.sum += entry;
        }
        packed
    }
}

impl Lookup {
    #[inline(always)]
    fn index<W: Places>(&self, places: W) -> usize {
        let word = places.starting_at(self.first_bit);
        match self.layout {
            Layout::Bits => (word & ((1 << (4 * self.tiles)) - 1)) as usize,
            Layout::Rank => W::rank(word, self.tiles, &self.weights),
        }
    }

    #[inline(always)]
    fn entry<W: Places>(&self, places: W) -> u32 {
        let index = self.index(places);
        u32::from(self.table.bytes()[index / 2] >> (4 * (index % 2)) & 15)
    }

    #[inline(always)]
    fn prefetch<W: Places>(&self, places: W) {
        prefetch(self.table.bytes(), self.index(places) / 2);
    }
}

/// A pattern and how the board is turned to look at its table.
struct Turned {
    pattern: Pattern,
    /// Where each cell goes.
    turn: Vec<usize>,
}

impl Turned {
    /// Of all images of a pattern, the first in order.
    fn new(goal: &Goal, homes: &[usize]) -> Turned {
        let size = goal.size();
        let apart = !connected(goal, homes);
        let image = |turn: Vec<usize>| {
            let mut turned: Vec<usize> = homes.iter().map(|&home| turn[home]).collect();
            turned.sort_unstable();
            let free = (0..size.cells()).find(|cell| !turned.contains(cell)).unwrap_or(0);
            let gap = if apart { turn[goal.gap()] } else { free };
            Turned { pattern: Pattern { size, homes: turned, gap }, turn }
        };
        let images = partition::symmetries(size).into_iter().map(image);
        images
            .min_by(|a, b| (&a.pattern.homes, a.pattern.gap).cmp(&(&b.pattern.homes, b.pattern.gap)))
            .expect("a board can be left as it is")
    }
}

/// Whether the cells without the pattern's tiles hang together.
fn connected(goal: &Goal, homes: &[usize]) -> bool {
    let size = goal.size();
    let mut reached = vec![goal.gap()];
    let mut at = 0;
    while let Some(&cell) = reached.get(at) {
        at += 1;
        for next in (0..4).filter_map(|m| size.source(cell, Move(m))) {
            if !homes.contains(&next) && !reached.contains(&next) {
                reached.push(next);
            }
        }
    }
    reached.len() + homes.len() == size.cells()
}

fn lookups<C: Cells>(
    turned: &[Turned],
    tables: &dyn Tables,
    control: &Control,
) -> Result<Vec<Lookup>, Error> {
    let mut first_bit = 0;
    let mut lookups: Vec<Lookup> = Vec::new();
    for Turned { pattern, .. } in turned {
        let tiles = pattern.homes.len();
        let table = tables.get(&pattern.id(), pattern.bytes(), control, &mut |bytes, control| {
            build::fill(pattern, bytes, control)
        })?;
        let mut weights = [0; partition::MOST_TILES];
        weights[..tiles].copy_from_slice(&pattern.weights());
        let layout = pattern.layout();
        lookups.push(Lookup { table, layout, first_bit, tiles: tiles as u32, weights });
        first_bit += C::Places::BITS * tiles as u32;
    }
    Ok(lookups)
}

impl<W: Places> View<W> {
    /// A tile's cell in its place of the word.
    pub(super) fn place(&self, name: usize, cell: usize) -> W {
        let shift = self.pattern_of.len().next_power_of_two().trailing_zeros();
        self.place[name << shift | cell]
    }

    /// `image` tells where a cell goes when the board is looked at this way.
    fn new(
        goal: &Goal,
        homes: &[Vec<usize>],
        turned: &[Turned],
        lookups: &[Lookup],
        image: impl Fn(usize) -> usize,
    ) -> View<W> {
        let (size, cells) = (goal.size(), goal.size().cells());
        let shift = cells.next_power_of_two().trailing_zeros();
        let mut view = View {
            pattern_of: vec![NO_PATTERN; cells],
            change: vec![W::default(); (4 * cells) << shift],
            place: vec![W::default(); cells << shift],
        };
        for name in 1..cells {
            let home = image(goal.home(name));
            let Some(number) = homes.iter().position(|homes| homes.contains(&home)) else { continue };
            let Turned { pattern, turn } = &turned[number];
            let tile = pattern.homes.iter().position(|&other| other == turn[home]);
            let bit =
                lookups[number].first_bit + W::BITS * tile.expect("a turned pattern keeps its tiles") as u32;
            view.pattern_of[name] = number as u8;
            let at = |cell: usize| W::at_bit(turn[image(cell)] as u64, bit);
            for cell in 0..cells {
                view.place[name << shift | cell] = at(cell);
                for m in (0..4).map(Move) {
                    let Some(from) = size.source(cell, m) else { continue };
                    view.change[(name << shift | cell) << 2 | m.index()] = at(from).toggled(at(cell));
                }
            }
        }
        view
    }
}

impl<C: Cells> Pdb<C> {
    /// The sum without the entry of a tile's pattern: no move of that tile leads to less.
    #[inline(always)]
    fn others(view: &View<C::Places>, packed: &Packed<C::Places>, name: usize) -> u32 {
        match view.pattern_of[name] {
            NO_PATTERN => packed.sum,
            number => packed.sum - (packed.entries >> (4 * u32::from(number)) & 15),
        }
    }

    /// The packed board after a move, unless the sum of entries would be too much; then that sum.
    #[inline(always)]
    fn step_view(
        &self,
        view: &View<C::Places>,
        packed: &Packed<C::Places>,
        aim: &Aim,
    ) -> Result<Packed<C::Places>, u32> {
        let number = view.pattern_of[aim.name];
        if number == NO_PATTERN {
            return Ok(*packed);
        }
        let bits = 4 * u32::from(number);
        let old = packed.entries >> bits & 15;
        let places = packed.places.toggled(view.change[aim.at]);
        let entry = self.patterns[usize::from(number)].entry(places);
        let sum = packed.sum - old + entry;
        if sum > aim.most {
            return Err(sum);
        }
        Ok(Packed { places, entries: packed.entries ^ (old ^ entry) << bits, sum })
    }

    /// A move as far as it is known before any table is read; its bound where that is too much already.
    #[inline(always)]
    fn aim(&self, value: &Value<C::Places>, edge: &Edge<'_, Tiles<C>>, left: Cost) -> Result<Aim, Cost> {
        let gap = edge.parent.gap;
        let name = edge.parent.cells.get(edge.puzzle.source(gap, edge.m));
        let at = (name << self.shift | usize::from(gap)) << 2 | edge.m.index();
        let distance = value.distance.wrapping_add_signed(self.manhattan.change_at(at));
        let Some(spare) = left.checked_sub(distance) else { return Err(distance) };
        let most = spare / 2;
        // Whatever the tables say, the other patterns' entries stay.
        let others = Self::others(&self.plain, &value.plain, name);
        let mirrored = |view| Self::others(view, &value.mirrored, name);
        let others = others.max(self.mirrored.as_ref().map_or(0, mirrored));
        if others > most { Err(distance + 2 * others) } else { Ok(Aim { name, at, distance, most }) }
    }
}

/// A move that may be affordable.
struct Aim {
    /// The tile that moves.
    name: usize,
    /// The place of tile, gap and move in tables.
    at: usize,
    /// Manhattan distance after it.
    distance: Cost,
    /// The largest sum of entries within the bound.
    most: u32,
}

impl<C: Cells> Heuristic<Tiles<C>> for Pdb<C> {
    type Value = Value<C::Places>;

    const PREFETCHES: bool = true;

    /// A table keeps the least over all regions of the gap, so a move can change an entry by more than it costs.
    fn admissibility(&self) -> Admissibility {
        Admissibility::Admissible
    }

    fn start(&self, puzzle: &Tiles<C>, board: &Board<C>) -> Self::Value {
        let cells = puzzle.size().cells();
        Value {
            distance: self.manhattan.start(puzzle, board),
            plain: self.pack(&self.plain, board, cells),
            mirrored: self
                .mirrored
                .as_ref()
                .map_or_else(Packed::default, |view| self.pack(view, board, cells)),
        }
    }

    #[inline(always)]
    fn step(&self, value: &Self::Value, edge: &Edge<'_, Tiles<C>>, left: Cost) -> Result<Self::Value, Cost> {
        let aim = self.aim(value, edge, left)?;
        let above = |sum: u32| aim.distance + 2 * sum;
        let plain = self.step_view(&self.plain, &value.plain, &aim).map_err(above)?;
        let mirrored = match &self.mirrored {
            None => value.mirrored,
            Some(view) => self.step_view(view, &value.mirrored, &aim).map_err(above)?,
        };
        Ok(Value { distance: aim.distance, plain, mirrored })
    }

    #[inline(always)]
    fn prefetch(&self, value: &Self::Value, edge: &Edge<'_, Tiles<C>>, left: Cost) {
        let Ok(Aim { name, at, .. }) = self.aim(value, edge, left) else { return };
        let ask = |view: &View<C::Places>, packed: &Packed<C::Places>| {
            if let Some(lookup) = self.patterns.get(usize::from(view.pattern_of[name])) {
                lookup.prefetch(packed.places.toggled(view.change[at]));
            }
        };
        ask(&self.plain, &value.plain);
        if let Some(view) = &self.mirrored {
            ask(view, &value.mirrored);
        }
    }

    #[inline(always)]
    fn cost(&self, value: &Self::Value) -> Cost {
        value.distance + 2 * value.plain.sum.max(value.mirrored.sum)
    }
}

#[cfg(test)]
mod tests;
