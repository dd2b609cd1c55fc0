//! Building a pattern's table: breadth-first over placements and gap regions.
//!
//! Only moves of the pattern's tiles count; between them the gap goes wherever it can, so a state is a placement
//! and the connected region of free cells that holds the gap. Placements are grouped by the *set* of cells they
//! occupy. All placements of a set move alike: a tile that goes from one cell to the next takes the set to another set and rotates the
//! order of tiles between the two places, whoever they are. So a level is a pull from row to row, each row small
//! enough for the nearest cache, and whoever owns a row writes it alone.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use untumble_search::control::{Control, Event, Stop};
use untumble_search::threads::run_parallel;

use super::orders::Orders;
use super::pattern::Pattern;
use crate::tiles::Size;

/// The entries of a finished table: half of what a placement costs above its tiles' Manhattan distance.
pub(super) const MOST_EXCESS: u8 = 15;

/// Which cells of a board lie next to each other, as bit masks.
struct Grid {
    size: Size,
    not_first_column: u32,
    not_last_column: u32,
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

    fn beside(&self, cells: u32) -> u32 {
        let across = (cells & self.not_last_column) << 1 | (cells & self.not_first_column) >> 1;
        (across | cells << self.size.columns | cells >> self.size.columns) & self.all
    }

    /// The free cells that the gap can reach from `cell`.
    fn region(&self, free: u32, cell: usize) -> u32 {
        let mut region = 1 << cell;
        loop {
            let grown = region | self.beside(region) & free;
            if grown == region {
                return region;
            }
            region = grown;
        }
    }
}

/// A set of occupied cells and the regions of the others.
struct Set {
    cells: u32,
    /// The region of each cell.
    region_of: [u8; 32],
}

/// One way into a row: from which row, by which rotation, from and to which region.
struct Pull {
    source: u32,
    rotation: u16,
    from_region: u8,
    to_region: u8,
}

/// What is known of a set's placements.
struct Row {
    /// The regions reached, by order of tiles.
    seen: Box<[u8]>,
    /// The cost when the first region was reached.
    cost: Box<[u8]>,
    /// The orders reached in the level under way, with their new regions: order in the upper bits, regions in the lower 8.
    next: Vec<u32>,
}

/// The cost of a placement that was not reached.
pub(super) const UNSEEN: u8 = u8::MAX;
/// A set has at most this many regions.
const MOST_REGIONS: usize = 8;

fn lock(row: &Mutex<Row>) -> MutexGuard<'_, Row> {
    row.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets by number: all subsets of `count` cells, in increasing order of their masks.
pub(super) struct Sets {
    /// By the upper bits of a mask: the number of its first set.
    base: Vec<u32>,
    /// By the lower bits: the rank among masks with as many bits.
    rank: Vec<u32>,
    pub(super) masks: Vec<u32>,
}

const LOW_BITS: u32 = 13;

impl Sets {
    pub(super) fn new(cells: usize, count: usize) -> Sets {
        let mut masks = Vec::new();
        let end = 1u64 << cells;
        let mut mask = (1u64 << count) - 1;
        while mask < end {
            masks.push(mask as u32);
            // The next larger number with as many bits.
            let lowest = mask & mask.wrapping_neg();
            let ripple = mask + lowest;
            mask = (((ripple ^ mask) >> 2) / lowest) | ripple;
        }
        let mut rank = vec![0; 1 << LOW_BITS];
        let mut met = [0; LOW_BITS as usize + 1];
        for (low, rank) in rank.iter_mut().enumerate() {
            *rank = met[low.count_ones() as usize];
            met[low.count_ones() as usize] += 1;
        }
        let mut base = vec![0; (1usize << cells >> LOW_BITS) + 1];
        for (number, mask) in masks.iter().enumerate().rev() {
            base[(mask >> LOW_BITS) as usize] = number as u32;
        }
        Sets { base, rank, masks }
    }

    #[inline]
    pub(super) fn number(&self, mask: u32) -> usize {
        let low = mask & ((1 << LOW_BITS) - 1);
        (self.base[(mask >> LOW_BITS) as usize] + self.rank[low as usize]) as usize
    }
}

/// How many placements a pattern has.
pub(super) fn placements(cells: usize, tiles: usize) -> u64 {
    ((cells - tiles + 1) as u64..=cells as u64).product()
}

/// Bytes that building takes beside the table itself.
pub(super) fn building_bytes(cells: usize, tiles: usize) -> u64 {
    // Regions seen and costs, and the levels' lists, of which the longest hold a fraction.
    placements(cells, tiles) * 3
}

struct Builder<'a> {
    pattern: &'a Pattern,
    sets: Sets,
    orders: Orders,
    pulls: Vec<Vec<Pull>>,
    rows: Vec<Mutex<Row>>,
    /// The last level, by row.
    fresh: Vec<Vec<u32>>,
    start: (usize, u32),
}

impl<'a> Builder<'a> {
    fn new(pattern: &'a Pattern, control: &Control) -> Result<Builder<'a>, Stop> {
        let (size, tiles) = (pattern.size, pattern.homes.len());
        let cells = size.cells();
        let grid = Grid::new(size);
        let sets = Sets::new(cells, tiles);
        let orders = Orders::new(tiles);
        let described: Vec<Set> = sets.masks.iter().map(|&mask| describe(&grid, mask)).collect();
        let polled = |number: usize| if number.is_multiple_of(64) { control.poll() } else { Ok(()) };
        let pull = |(number, set)| polled(number).map(|()| pulls(&grid, &sets, &described, set, tiles));
        let pulls = described.iter().enumerate().map(pull).collect::<Result<_, _>>()?;
        let row = || Row {
            seen: vec![0; orders.count()].into_boxed_slice(),
            cost: vec![UNSEEN; orders.count()].into_boxed_slice(),
            next: Vec::new(),
        };
        let rows = (0..sets.masks.len()).map(|number| polled(number).map(|()| Mutex::new(row())));
        let rows = rows.collect::<Result<_, _>>()?;
        let home = pattern.homes.iter().fold(0, |mask, &cell| mask | 1 << cell);
        let set = sets.number(home);
        let region = described[set].region_of[pattern.gap];
        // Homes are listed in increasing order, so the solved order is the first one.
        let solved = orders.solved() << 8 | 1 << region;
        let fresh = vec![Vec::new(); sets.masks.len()];
        Ok(Builder { pattern, sets, orders, pulls, rows, fresh, start: (set, solved) })
    }

    fn run(&mut self, control: &Control) -> Result<(), Stop> {
        let (set, solved) = self.start;
        self.fresh[set].push(solved);
        {
            let mut row = lock(&self.rows[set]);
            row.seen[(solved >> 8) as usize] = solved as u8;
            row.cost[(solved >> 8) as usize] = 0;
        }
        let total = placements(self.pattern.size.cells(), self.pattern.homes.len()) as f64;
        let mut reached = 1;
        let mut cost = 0;
        while self.fresh.iter().any(|row| !row.is_empty()) {
            control.poll()?;
            cost += 1;
            assert!(cost < UNSEEN, "patterns are solved in fewer than 255 moves");
            reached += self.level(cost, control)?;
            control.emit(&Event::Table {
                name: self.pattern.to_string(),
                share: (reached as f64 / total).min(1.0) * 0.95,
            });
        }
        Ok(())
    }

    /// One level: every row pulls what its neighbours reached last. Returns how many placements are new.
    fn level(&mut self, cost: u8, control: &Control) -> Result<u64, Stop> {
        const CHUNK: usize = 32;
        let cursor = AtomicUsize::new(0);
        let this = &*self;
        let new = run_parallel(control.threads(), |_| {
            let mut buffer = vec![0; this.orders.count()];
            let mut new = 0;
            loop {
                let from = cursor.fetch_add(CHUNK, Relaxed);
                if from >= this.rows.len() || control.poll().is_err() {
                    return new;
                }
                for set in from..this.rows.len().min(from + CHUNK) {
                    new += this.pull(set, cost, &mut buffer);
                }
            }
        });
        if let Some(stop) = control.stop() {
            return Err(stop);
        }
        for (fresh, row) in self.fresh.iter_mut().zip(&self.rows) {
            *fresh = std::mem::take(&mut lock(row).next);
        }
        Ok(new.into_iter().sum())
    }

    fn pull(&self, set: usize, cost: u8, buffer: &mut [u8]) -> u64 {
        let mut touched = false;
        for pull in &self.pulls[set] {
            let source = &self.fresh[pull.source as usize];
            if source.is_empty() {
                continue;
            }
            touched = true;
            let rotation = self.orders.rotation(pull.rotation);
            for &entry in source {
                let reached = entry >> pull.from_region & 1;
                buffer[usize::from(rotation[(entry >> 8) as usize])] |= (reached as u8) << pull.to_region;
            }
        }
        if !touched {
            return 0;
        }
        let mut row = lock(&self.rows[set]);
        let Row { seen, cost: costs, next } = &mut *row;
        let mut new = 0;
        for (order, reached) in buffer.iter_mut().enumerate() {
            let fresh = std::mem::take(reached) & !seen[order];
            if fresh != 0 {
                if seen[order] == 0 {
                    costs[order] = cost;
                    new += 1;
                }
                seen[order] |= fresh;
                next.push((order as u32) << 8 | u32::from(fresh));
            }
        }
        new
    }
}

fn describe(grid: &Grid, cells: u32) -> Set {
    let free = grid.all & !cells;
    let mut region_of = [u8::MAX; 32];
    let (mut left, mut regions) = (free, 0);
    while left != 0 {
        let region = grid.region(free, left.trailing_zeros() as usize);
        for (cell, name) in region_of.iter_mut().enumerate() {
            if region >> cell & 1 == 1 {
                *name = regions;
            }
        }
        regions += 1;
        left &= !region;
    }
    assert!(usize::from(regions) <= MOST_REGIONS, "eight tiles make at most eight regions");
    Set { cells, region_of }
}

/// The ways into a set: a tile now in `to` came from the free cell `from` beside it, while the gap was in `to`.
fn pulls(grid: &Grid, sets: &Sets, described: &[Set], set: &Set, tiles: usize) -> Vec<Pull> {
    let mut pulls = Vec::new();
    for to in (0..grid.size.cells()).filter(|&cell| set.cells >> cell & 1 == 1) {
        let around = grid.beside(1 << to) & !set.cells;
        for from in (0..grid.size.cells()).filter(|&cell| around >> cell & 1 == 1) {
            let before = set.cells & !(1 << to) | 1 << from;
            let source = sets.number(before);
            let place = |cells: u32, cell: usize| (cells & ((1 << cell) - 1)).count_ones() as u16;
            let rotation = place(before, from) * tiles as u16 + place(set.cells, to);
            pulls.push(Pull {
                source: source as u32,
                rotation,
                from_region: described[source].region_of[to],
                to_region: set.region_of[from],
            });
        }
    }
    pulls
}

/// Fills the table of a pattern: for every placement, in the order of [`Pattern::index`], half of its cost above Manhattan
/// distance, four bits each.
pub(super) fn fill(pattern: &Pattern, bytes: &mut [u8], control: &Control) -> Result<(), Stop> {
    let (cells, tiles) = (pattern.size.cells(), pattern.homes.len());
    let _reserved = control.reserve(building_bytes(cells, tiles))?;
    let mut builder = Builder::new(pattern, control)?;
    builder.run(control)?;
    let Builder { sets, orders, rows, .. } = builder;
    let costs: Vec<Box<[u8]>> =
        rows.into_iter().map(|row| row.into_inner().unwrap_or_else(PoisonError::into_inner).cost).collect();
    pattern.spread(bytes, control, |mask, order| costs[sets.number(mask)][order], &orders)?;
    control.emit(&Event::Table { name: pattern.to_string(), share: 1.0 });
    Ok(())
}
