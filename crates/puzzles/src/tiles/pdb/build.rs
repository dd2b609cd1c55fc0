//! Building the table of a pattern: breadth-first search over pairs of a placement and a region of the
//! blank.
//!
//! Only moves of the pattern's tiles count (Korf & Felner 2002); between them the blank moves freely within
//! its connected region of free cells. So a state is a placement of the tiles and a region.
//!
//! Placements are grouped by the set of cells that they occupy. If the tile in one cell moves to an adjacent
//! cell, all placements of a set change alike: the set becomes another set, and the permutation of the tiles
//! is rotated between the same two positions. So each level of the search is computed set by set: a set
//! gathers the levels of the sets from which a move leads into it, and a single worker writes each set.
//!
//! Moves are invertible and change the checkerboard parity of the set, so the neighbours of a level lie in
//! the levels before and after it (frontier search; Korf, Zhang, Thayer & Hohwald 2005). One bit for each
//! state suffices: sets of one parity hold the last level while those of the other parity replace the level
//! before it by the next one. Costs are written to the table at once.

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

use untumble_search::control::{Control, Reservation, Stop, TablePhase, TableProgress};
use untumble_search::memory::{advise_huge, as_atomic, as_atomic_words, as_bytes, as_bytes_mut};
use untumble_search::prefetch::prefetch;
use untumble_search::tables::{POLL_BYTES, TableBuild, fill_polled};
use untumble_search::threads::run_parallel;

use super::cell_sets::{CellSetIndex, Grid, binomial};
use super::pattern::Pattern;
use super::permutations::Permutations;

/// Largest table entry; entries are half of the cost above the tiles' Manhattan distance. While the table is
/// built it also marks unreached placements.
const MAX_EXCESS: u8 = 15;
/// A pattern of at most eight tiles is solved in fewer moves.
const MAX_COST: u32 = 255;
/// The number of sets that a worker claims at a time: less than ten milliseconds with eight tiles.
const CHUNK: usize = 8;
/// The number of placements whose table entries are prefetched together.
const BATCH: usize = 64;

/// The number of placements of a pattern.
pub(super) fn placement_count(cells: usize, tiles: usize) -> u64 {
    ((cells - tiles + 1) as u64..=cells as u64).product()
}

/// The states of the last two levels, one bit each.
struct LevelBits {
    /// By set and region: a bit for each permutation.
    words: Vec<u64>,
    /// By set: the index of its first word; one more for the end.
    first_word: Vec<u32>,
    _reserved: Reservation,
}

impl LevelBits {
    fn new(
        grid: &Grid,
        sets: &CellSetIndex,
        words_per_region: usize,
        control: &Control,
    ) -> Result<LevelBits, Stop> {
        let mut first_word = Vec::with_capacity(sets.masks.len() + 1);
        let mut count = 0usize;
        for (index, &set) in sets.masks.iter().enumerate() {
            if index.is_multiple_of(1 << 12) {
                control.poll()?;
            }
            first_word.push(count as u32);
            count += grid.region_count(set) * words_per_region;
        }
        first_word.push(u32::try_from(count).map_err(|_| Stop::Memory)?);
        let reserved = control.reserve(8 * count as u64)?;
        let mut words = vec![0; count];
        advise_huge(&mut words);
        Ok(LevelBits { words, first_word, _reserved: reserved })
    }
}

/// The parts of a table index and of the Manhattan distance that depend on one tile: the former in the lower
/// 48 bits of a sum over tiles, the latter above.
type TileTerms = [[u64; Permutations::MAX_TILES]; Permutations::MAX_TILES];
const DISTANCE_SHIFT: u32 = 48;

struct Builder<'a> {
    pattern: &'a Pattern,
    grid: Grid,
    sets: CellSetIndex,
    permutations: Permutations,
    words_per_region: usize,
    /// By tile: its weight in the index of a placement.
    weights: Vec<u64>,
    /// By rank of a permutation: the part of the index that depends on it alone, subtracted.
    rank_terms: Vec<u32>,
}

/// The shared arrays of one level.
struct LevelView<'a> {
    cost: u32,
    words: &'a [AtomicU64],
    first_word: &'a [u32],
    /// By set: the number of states in its last level.
    counts: &'a [AtomicU32],
    table: &'a [AtomicU8],
}

impl<'a> Builder<'a> {
    fn new(pattern: &'a Pattern, control: &Control) -> Result<Builder<'a>, Stop> {
        let (cells, tiles) = (pattern.size.cells(), pattern.homes.len());
        let permutations = Permutations::new(tiles, control)?;
        let weights = pattern.index_weights();
        let rank_term = |rank: usize| {
            let tiles = permutations.smaller_before(rank).into_iter().zip(&weights);
            tiles.map(|(smaller, &weight)| pattern.rank_weight(weight) * u32::from(smaller)).sum()
        };
        let rank_terms = (0..permutations.count()).map(rank_term).collect();
        Ok(Builder {
            grid: Grid::new(pattern.size),
            sets: CellSetIndex::new(cells, tiles, control)?,
            words_per_region: permutations.count().div_ceil(64),
            pattern,
            permutations,
            weights,
            rank_terms,
        })
    }

    /// Bytes of the builder itself.
    fn bytes(cells: usize, tiles: usize) -> u64 {
        let permutations: u64 = (1..=tiles as u64).product();
        // Masks, first words and counts by set; rotations, positions and rank terms by permutation.
        12 * binomial(cells, tiles) + permutations * (2 * (tiles * tiles) as u64 + 12)
    }

    fn run(
        &self,
        table: &mut TableBuild<'_>,
        progress: &TableProgress<'_>,
        control: &Control,
    ) -> Result<(), Stop> {
        let mut level = LevelBits::new(&self.grid, &self.sets, self.words_per_region, control)?;
        let mut cost = match table.restore(as_bytes_mut(&mut level.words), control)? {
            Some(cost) if cost < MAX_COST => {
                progress.add_earlier(reached_count(table, control)?);
                cost
            }
            _ => {
                self.start(table, &mut level, control)?;
                0
            }
        };
        let counts = self.counts(&level, control)?;
        loop {
            cost += 1;
            assert!(cost < MAX_COST, "a pattern of at most eight tiles is solved in fewer than 255 moves");
            let view = LevelView {
                cost,
                words: as_atomic_words(&mut level.words),
                first_word: &level.first_word,
                counts: &counts,
                table: as_atomic(table),
            };
            let states = self.expand_level(&view, progress, control)?;
            if states == 0 {
                return Ok(());
            }
            table.save_if_due(cost, as_bytes(&level.words), control)?;
        }
    }

    /// Marks all placements as unreached except the solved one.
    fn start(
        &self,
        table: &mut TableBuild<'_>,
        level: &mut LevelBits,
        control: &Control,
    ) -> Result<(), Stop> {
        fill_polled(table, MAX_EXCESS << 4 | MAX_EXCESS, control)?;
        let home = self.pattern.homes.iter().fold(0, |mask, &cell| mask | 1 << cell);
        let (set, region) = (self.sets.index(home), self.grid.region_of(home, self.pattern.blank));
        // Homes are listed in increasing order, so the solved permutation is the identity.
        let rank = self.permutations.identity();
        let first = level.first_word[set] as usize + region * self.words_per_region;
        level.words[first + rank / 64] |= 1 << (rank % 64);
        let index = self.pattern.index(&self.pattern.homes);
        table[index / 2] &= !(MAX_EXCESS << (4 * (index % 2)));
        Ok(())
    }

    /// By set: the number of states in the last level of the set.
    fn counts(&self, level: &LevelBits, control: &Control) -> Result<Vec<AtomicU32>, Stop> {
        let count = |index: usize| {
            if index.is_multiple_of(1 << 10) {
                control.poll()?;
            }
            let words = &level.words[level.first_word[index] as usize..level.first_word[index + 1] as usize];
            Ok(AtomicU32::new(words.iter().map(|word| word.count_ones()).sum()))
        };
        (0..self.sets.masks.len()).map(count).collect()
    }

    /// Computes the next level. Returns the number of its states.
    fn expand_level(
        &self,
        view: &LevelView<'_>,
        progress: &TableProgress<'_>,
        control: &Control,
    ) -> Result<u64, Stop> {
        let solved = self.pattern.homes.iter().fold(0, |mask, &cell| mask | 1 << cell);
        let parity = (self.grid.parity(solved) + view.cost) % 2;
        let cursor = AtomicUsize::new(0);
        let results = run_parallel(control.threads(), |_| {
            let mut buffer = Vec::new();
            let mut states = 0;
            loop {
                control.poll()?;
                let from = cursor.fetch_add(CHUNK, Relaxed);
                if from >= self.sets.masks.len() {
                    return Ok(states);
                }
                for set in from..self.sets.masks.len().min(from + CHUNK) {
                    if self.grid.parity(self.sets.masks[set]) == parity {
                        let found = self.gather(set, view, &mut buffer);
                        view.counts[set].store(found as u32, Relaxed);
                        states += found;
                        progress.add(self.write_costs(set, view, &buffer, found));
                    }
                }
            }
        });
        results.into_iter().sum()
    }

    /// Replaces the states of a set by those of the next level and returns their number. Afterwards `buffer`
    /// holds them.
    fn gather(&self, set: usize, view: &LevelView<'_>, buffer: &mut Vec<u64>) -> u64 {
        let own = &view.words[view.first_word[set] as usize..view.first_word[set + 1] as usize];
        buffer.clear();
        buffer.resize(own.len(), 0);
        let mut touched = false;
        self.for_each_incoming(self.sets.masks[set], view, |source, rotation, to_region| {
            touched = true;
            let rotation = self.permutations.rotation(rotation);
            let to = &mut buffer[to_region * self.words_per_region..][..self.words_per_region];
            for (index, word) in source.iter().enumerate() {
                let mut rest = word.load(Relaxed);
                while rest != 0 {
                    let rank = usize::from(rotation[64 * index + rest.trailing_zeros() as usize]);
                    rest &= rest - 1;
                    to[rank / 64] |= 1 << (rank % 64);
                }
            }
        });
        if !touched && view.counts[set].load(Relaxed) == 0 {
            return 0;
        }
        let mut states = 0;
        for (new, own) in buffer.iter_mut().zip(own) {
            // States of the level before the last.
            *new &= !own.load(Relaxed);
            own.store(*new, Relaxed);
            states += u64::from(new.count_ones());
        }
        states
    }

    /// Calls `visit` for every move into a set whose source has states: a tile, now in `to`, came from the
    /// adjacent free cell `from` while the blank was in `to`. The arguments are the states of the source, the
    /// rotation of the permutation and the blank's region after the move.
    #[inline]
    fn for_each_incoming<'v>(
        &self,
        set: u32,
        view: &LevelView<'v>,
        mut visit: impl FnMut(&'v [AtomicU64], usize, usize),
    ) {
        let tiles = self.pattern.homes.len();
        let position = |cells: u32, cell: usize| (cells & ((1 << cell) - 1)).count_ones() as usize;
        let mut occupied = set;
        while occupied != 0 {
            let to = occupied.trailing_zeros() as usize;
            occupied &= occupied - 1;
            let mut free_neighbours = self.grid.neighbours(1 << to) & !set;
            while free_neighbours != 0 {
                let from = free_neighbours.trailing_zeros() as usize;
                free_neighbours &= free_neighbours - 1;
                let source_cells = set & !(1 << to) | 1 << from;
                let source = self.sets.index(source_cells);
                if view.counts[source].load(Relaxed) == 0 {
                    continue;
                }
                let from_region = self.grid.region_of(source_cells, to);
                let first = view.first_word[source] as usize + from_region * self.words_per_region;
                let rotation = position(source_cells, from) * tiles + position(set, to);
                let to_region = self.grid.region_of(set, from);
                visit(&view.words[first..first + self.words_per_region], rotation, to_region);
            }
        }
    }

    /// Writes the cost of the placements of a set that are reached for the first time; `buffer` holds the
    /// states of the set in this level. Returns the number of these placements.
    fn write_costs(&self, set: usize, view: &LevelView<'_>, buffer: &[u64], states: u64) -> u64 {
        if states == 0 {
            return 0;
        }
        let terms = self.tile_terms(self.sets.masks[set]);
        let (mut batch, mut length, mut written) = ([(0usize, 0u8); BATCH], 0, 0);
        for word in 0..self.words_per_region {
            let mut rest =
                buffer[word..].iter().step_by(self.words_per_region).fold(0, |all, word| all | word);
            while rest != 0 {
                let rank = 64 * word + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let positions = self.permutations.positions(rank).iter();
                let sum: u64 =
                    positions.zip(&terms).map(|(&position, terms)| terms[usize::from(position)]).sum();
                let index = (sum & ((1 << DISTANCE_SHIFT) - 1)) as usize - self.rank_terms[rank] as usize;
                let distance = (sum >> DISTANCE_SHIFT) as u32;
                debug_assert!(view.cost >= distance && (view.cost - distance).is_multiple_of(2));
                let excess = ((view.cost - distance) / 2).min(MAX_EXCESS.into()) as u8;
                prefetch(view.table, index / 2);
                batch[length] = (index, excess);
                length += 1;
                if length == BATCH {
                    written += write_entries(view.table, &batch);
                    length = 0;
                }
            }
        }
        written + write_entries(view.table, &batch[..length])
    }

    /// By tile and position: its terms of the index and of the Manhattan distance.
    fn tile_terms(&self, set: u32) -> TileTerms {
        let mut terms = TileTerms::default();
        let cells = (0..self.pattern.size.cells()).filter(|cell| set >> cell & 1 == 1);
        for (position, cell) in cells.enumerate() {
            for (tile, (&home, &weight)) in self.pattern.homes.iter().zip(&self.weights).enumerate() {
                let distance = self.pattern.size.distance(cell, home) as u64;
                terms[tile][position] = (weight * cell as u64) | (distance << DISTANCE_SHIFT);
            }
        }
        terms
    }
}

/// The number of entries of placements that are reached. Those with the largest excess look unreached.
fn reached_count(table: &[u8], control: &Control) -> Result<u64, Stop> {
    let reached = |byte: &u8| u64::from(byte & 15 != MAX_EXCESS) + u64::from(byte >> 4 != MAX_EXCESS);
    let counts = table.chunks(POLL_BYTES).map(|chunk| {
        control.poll()?;
        Ok(chunk.iter().map(reached).sum::<u64>())
    });
    counts.sum()
}

/// Writes the entries that are unreached. Returns their number.
fn write_entries(table: &[AtomicU8], entries: &[(usize, u8)]) -> u64 {
    let mut written = 0;
    for &(index, excess) in entries {
        let (byte, shift) = (&table[index / 2], 4 * (index % 2));
        if byte.load(Relaxed) >> shift & 15 == MAX_EXCESS {
            // Another thread may write the other half of the byte.
            byte.fetch_and(!((MAX_EXCESS ^ excess) << shift), Relaxed);
            written += 1;
        }
    }
    written
}

/// Builds the table of a pattern: for every placement, at [`Pattern::index`], half of its cost above
/// Manhattan distance, in 4 bits.
pub(super) fn fill(pattern: &Pattern, table: &mut TableBuild<'_>, control: &Control) -> Result<(), Stop> {
    let (cells, tiles) = (pattern.size.cells(), pattern.homes.len());
    let _reserved = control.reserve(Builder::bytes(cells, tiles))?;
    let total = placement_count(cells, tiles);
    let progress = control.begin_table(pattern.database_name(), TablePhase::Build, total);
    Builder::new(pattern, control)?.run(table, &progress, control)?;
    pattern.clear_unreachable(table, control)?;
    // Half of the placements of all tiles are unreachable.
    progress.finish();
    Ok(())
}
