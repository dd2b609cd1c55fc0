//! Building the table of a pattern: breadth-first search over pairs of a placement and a region of the
//! blank.
//!
//! Only moves of the pattern's tiles count (Korf & Felner 2002); between them the blank moves freely within
//! its connected region of free cells. So a state is a placement of the tiles and a region.
//!
//! Placements are grouped by the set of cells that they occupy. If the tile in one cell moves to an adjacent
//! cell, all placements of a set change alike: the set becomes another set, and the permutation of the tiles
//! is rotated between the same two positions. So each level of the search is computed set by set: a set
//! gathers the frontiers of the sets from which a move leads into it. The permutations of one set fit the
//! first-level cache, and a single worker writes each set.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use untumble_search::control::{Control, Event, Stop, TablePhase};
use untumble_search::threads::run_parallel;

use super::pattern::Pattern;
use super::permutations::Permutations;
use crate::tiles::Size;

/// Largest table entry; entries are half of the cost above the tiles' Manhattan distance.
pub(super) const MAX_EXCESS: u8 = 15;

/// Adjacency of cells, computed on bit masks of cells.
struct Grid {
    size: Size,
    not_first_column: u32,
    not_last_column: u32,
    /// All cells of the board.
    all: u32,
}

impl Grid {
    fn new(size: Size) -> Grid {
        let column = |wanted: usize| {
            (0..size.cells()).filter(|&c| size.column(c) == wanted).fold(0, |mask, c| mask | 1 << c)
        };
        let all = (1u64 << size.cells()) as u32;
        let all = all.wrapping_sub(1);
        Grid {
            size,
            not_first_column: all & !column(0),
            not_last_column: all & !column(size.columns - 1),
            all,
        }
    }

    /// The cells adjacent to a set of cells.
    fn neighbours(&self, cells: u32) -> u32 {
        let sideways = (cells & self.not_last_column) << 1 | (cells & self.not_first_column) >> 1;
        (sideways | cells << self.size.columns | cells >> self.size.columns) & self.all
    }

    /// The connected region of free cells that contains `cell`.
    fn region(&self, free: u32, cell: usize) -> u32 {
        let mut region = 1 << cell;
        loop {
            let grown = region | self.neighbours(region) & free;
            if grown == region {
                return region;
            }
            region = grown;
        }
    }
}

/// A set of occupied cells and the connected regions of the free cells.
struct CellSet {
    cells: u32,
    /// The number of the region of each free cell.
    region_of: [u8; 32],
}

impl CellSet {
    fn new(grid: &Grid, cells: u32) -> CellSet {
        let free = grid.all & !cells;
        let mut region_of = [u8::MAX; 32];
        let (mut unassigned, mut regions) = (free, 0);
        while unassigned != 0 {
            let region = grid.region(free, unassigned.trailing_zeros() as usize);
            for (cell, region_number) in region_of.iter_mut().enumerate() {
                if region >> cell & 1 == 1 {
                    *region_number = regions;
                }
            }
            regions += 1;
            unassigned &= !region;
        }
        assert!(usize::from(regions) <= MAX_REGIONS, "eight tiles leave at most eight regions");
        CellSet { cells, region_of }
    }
}

/// A move that leads into a set: the source set, the rotation of the permutation, and the blank's region
/// before and after it.
struct IncomingMove {
    source: u32,
    rotation: u16,
    from_region: u8,
    to_region: u8,
}

/// The search results for the placements of one set, by rank of the permutation.
struct SetResults {
    /// Bit mask of the regions reached.
    seen: Box<[u8]>,
    /// The cost at which the first region was reached.
    cost: Box<[u8]>,
    /// The next frontier: rank in the upper bits, new regions in the lower 8.
    next: Vec<u32>,
}

/// The cost of an unreached placement.
pub(super) const UNREACHED: u8 = u8::MAX;
/// Largest number of regions of a set; region masks have 8 bits.
const MAX_REGIONS: usize = 8;

fn lock(results: &Mutex<SetResults>) -> MutexGuard<'_, SetResults> {
    results.lock().unwrap_or_else(PoisonError::into_inner)
}

/// All subsets of `count` cells, indexed in increasing order of their masks.
pub(super) struct CellSetIndex {
    /// By the upper bits of a mask: the index of the first set with these bits.
    base: Vec<u32>,
    /// By the lower bits of a mask: their rank among all lower bits with the same number of ones.
    rank: Vec<u32>,
    /// The sets, as bit masks of cells.
    pub(super) masks: Vec<u32>,
}

/// Number of lower bits of a mask.
const LOW_BITS: u32 = 13;

impl CellSetIndex {
    pub(super) fn new(cells: usize, count: usize) -> CellSetIndex {
        let mut masks = Vec::new();
        let end = 1u64 << cells;
        let mut mask = (1u64 << count) - 1;
        while mask < end {
            masks.push(mask as u32);
            // The next larger number with the same number of ones (Gosper's hack).
            let lowest = mask & mask.wrapping_neg();
            let ripple = mask + lowest;
            mask = (((ripple ^ mask) >> 2) / lowest) | ripple;
        }
        let mut rank = vec![0; 1 << LOW_BITS];
        let mut counts = [0; LOW_BITS as usize + 1];
        for (low, rank) in rank.iter_mut().enumerate() {
            *rank = counts[low.count_ones() as usize];
            counts[low.count_ones() as usize] += 1;
        }
        let mut base = vec![0; (1usize << cells >> LOW_BITS) + 1];
        for (index, mask) in masks.iter().enumerate().rev() {
            base[(mask >> LOW_BITS) as usize] = index as u32;
        }
        CellSetIndex { base, rank, masks }
    }

    #[inline]
    pub(super) fn index(&self, mask: u32) -> usize {
        let low = mask & ((1 << LOW_BITS) - 1);
        (self.base[(mask >> LOW_BITS) as usize] + self.rank[low as usize]) as usize
    }
}

/// The number of placements of a pattern.
pub(super) fn placement_count(cells: usize, tiles: usize) -> u64 {
    ((cells - tiles + 1) as u64..=cells as u64).product()
}

/// Memory in bytes for building, without the table itself.
pub(super) fn building_bytes(cells: usize, tiles: usize) -> u64 {
    // One byte each for regions and costs; the frontiers hold only a fraction of the placements.
    placement_count(cells, tiles) * 3
}

struct Builder<'a> {
    pattern: &'a Pattern,
    sets: CellSetIndex,
    permutations: Permutations,
    /// The moves into each set.
    incoming: Vec<Vec<IncomingMove>>,
    /// The results of each set.
    results: Vec<Mutex<SetResults>>,
    /// The current frontier, by set.
    frontier: Vec<Vec<u32>>,
    /// The solved state: its set, and its frontier entry.
    start: (usize, u32),
}

impl<'a> Builder<'a> {
    fn new(pattern: &'a Pattern, control: &Control) -> Result<Builder<'a>, Stop> {
        let (size, tiles) = (pattern.size, pattern.homes.len());
        let cells = size.cells();
        let grid = Grid::new(size);
        let sets = CellSetIndex::new(cells, tiles);
        let permutations = Permutations::new(tiles);
        let cell_sets: Vec<CellSet> = sets.masks.iter().map(|&mask| CellSet::new(&grid, mask)).collect();
        let poll_at = |index: usize| if index.is_multiple_of(64) { control.poll() } else { Ok(()) };
        let moves_into =
            |(index, set)| poll_at(index).map(|()| incoming_moves(&grid, &sets, &cell_sets, set, tiles));
        let incoming = cell_sets.iter().enumerate().map(moves_into).collect::<Result<_, _>>()?;
        let unreached = || SetResults {
            seen: vec![0; permutations.count()].into_boxed_slice(),
            cost: vec![UNREACHED; permutations.count()].into_boxed_slice(),
            next: Vec::new(),
        };
        let results = (0..sets.masks.len()).map(|index| poll_at(index).map(|()| Mutex::new(unreached())));
        let results = results.collect::<Result<_, _>>()?;
        let home = pattern.homes.iter().fold(0, |mask, &cell| mask | 1 << cell);
        let set = sets.index(home);
        let region = cell_sets[set].region_of[pattern.blank];
        // Homes are listed in increasing order, so the solved permutation is the identity.
        let solved = permutations.identity() << 8 | 1 << region;
        let frontier = vec![Vec::new(); sets.masks.len()];
        let start = (set, solved);
        Ok(Builder { pattern, sets, permutations, incoming, results, frontier, start })
    }

    fn run(&mut self, control: &Control) -> Result<(), Stop> {
        let (set, solved) = self.start;
        self.frontier[set].push(solved);
        {
            let mut results = lock(&self.results[set]);
            results.seen[(solved >> 8) as usize] = solved as u8;
            results.cost[(solved >> 8) as usize] = 0;
        }
        let total = placement_count(self.pattern.size.cells(), self.pattern.homes.len()) as f64;
        let mut reached = 1;
        let mut cost = 0;
        while self.frontier.iter().any(|set| !set.is_empty()) {
            control.poll()?;
            cost += 1;
            assert!(cost < UNREACHED, "a pattern of at most eight tiles is solved in fewer than 255 moves");
            reached += self.expand_level(cost, control)?;
            control.emit(&Event::Table {
                name: self.pattern.database_name(),
                phase: TablePhase::Build,
                share: (reached as f64 / total).min(1.0) * 0.95,
            });
        }
        Ok(())
    }

    /// Computes the next level; returns the number of placements reached for the first time.
    fn expand_level(&mut self, cost: u8, control: &Control) -> Result<u64, Stop> {
        const CHUNK: usize = 32;
        let cursor = AtomicUsize::new(0);
        let this = &*self;
        let counts = run_parallel(control.threads(), |_| {
            let mut buffer = vec![0; this.permutations.count()];
            let mut newly_reached = 0;
            loop {
                let from = cursor.fetch_add(CHUNK, Relaxed);
                if from >= this.results.len() || control.poll().is_err() {
                    return newly_reached;
                }
                for set in from..this.results.len().min(from + CHUNK) {
                    newly_reached += this.gather(set, cost, &mut buffer);
                }
            }
        });
        if let Some(stop) = control.stop_reason() {
            return Err(stop);
        }
        for (frontier, results) in self.frontier.iter_mut().zip(&self.results) {
            *frontier = std::mem::take(&mut lock(results).next);
        }
        Ok(counts.into_iter().sum())
    }

    /// Gathers the frontiers of all source sets into one set; `buffer` has one byte per permutation, all zero
    /// before and after the call. Returns the number of placements reached for the first time.
    fn gather(&self, set: usize, cost: u8, buffer: &mut [u8]) -> u64 {
        let mut touched = false;
        for incoming in &self.incoming[set] {
            let source = &self.frontier[incoming.source as usize];
            if source.is_empty() {
                continue;
            }
            touched = true;
            let rotation = self.permutations.rotation(incoming.rotation);
            for &entry in source {
                let reached = entry >> incoming.from_region & 1;
                buffer[usize::from(rotation[(entry >> 8) as usize])] |= (reached as u8) << incoming.to_region;
            }
        }
        if !touched {
            return 0;
        }
        let mut results = lock(&self.results[set]);
        let SetResults { seen, cost: costs, next } = &mut *results;
        let mut new = 0;
        for (rank, reached) in buffer.iter_mut().enumerate() {
            let new_regions = std::mem::take(reached) & !seen[rank];
            if new_regions != 0 {
                if seen[rank] == 0 {
                    costs[rank] = cost;
                    new += 1;
                }
                seen[rank] |= new_regions;
                next.push((rank as u32) << 8 | u32::from(new_regions));
            }
        }
        new
    }
}

/// The moves into a set: a tile, now in `to`, came from the adjacent free cell `from` while the blank was
/// in `to`.
fn incoming_moves(
    grid: &Grid,
    sets: &CellSetIndex,
    cell_sets: &[CellSet],
    set: &CellSet,
    tiles: usize,
) -> Vec<IncomingMove> {
    let mut incoming = Vec::new();
    for to in (0..grid.size.cells()).filter(|&cell| set.cells >> cell & 1 == 1) {
        let free_neighbours = grid.neighbours(1 << to) & !set.cells;
        for from in (0..grid.size.cells()).filter(|&cell| free_neighbours >> cell & 1 == 1) {
            let source_cells = set.cells & !(1 << to) | 1 << from;
            let source = sets.index(source_cells);
            let position = |cells: u32, cell: usize| (cells & ((1 << cell) - 1)).count_ones() as u16;
            let rotation = position(source_cells, from) * tiles as u16 + position(set.cells, to);
            incoming.push(IncomingMove {
                source: source as u32,
                rotation,
                from_region: cell_sets[source].region_of[to],
                to_region: set.region_of[from],
            });
        }
    }
    incoming
}

/// Builds the table of a pattern: for every placement, at [`Pattern::index`], half of its cost above
/// Manhattan distance, in 4 bits.
pub(super) fn fill(pattern: &Pattern, bytes: &mut [u8], control: &Control) -> Result<(), Stop> {
    let (cells, tiles) = (pattern.size.cells(), pattern.homes.len());
    let _reserved = control.reserve(building_bytes(cells, tiles))?;
    let mut builder = Builder::new(pattern, control)?;
    builder.run(control)?;
    let Builder { sets, permutations, results, .. } = builder;
    let costs: Vec<Box<[u8]>> = results
        .into_iter()
        .map(|set| set.into_inner().unwrap_or_else(PoisonError::into_inner).cost)
        .collect();
    pattern.write_table(bytes, control, |mask, rank| costs[sets.index(mask)][rank], &permutations)?;
    control.emit(&Event::Table { name: pattern.database_name(), phase: TablePhase::Build, share: 1.0 });
    Ok(())
}
