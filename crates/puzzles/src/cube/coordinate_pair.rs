//! Distances of all pairs of two coordinates that moves change independently of each other.
//!
//! Breadth-first search with one byte for each pair, or with four bits in the memory of a table. Small
//! levels are expanded top-down: each pair of the last level reaches its neighbours. Large ones are expanded
//! bottom-up: each unreached pair looks for a parent (direction-optimizing BFS; Beamer, Asanović &
//! Patterson, SC 2012). The neighbours of a row lie in a few other rows, so most accesses hit the caches.

use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};

use untumble_search::control::{Control, Stop, TablePhase, TableProgress};
use untumble_search::memory::as_atomic;
use untumble_search::tables::{TableBuild, fill_polled};
use untumble_search::threads::run_parallel;

/// Two coordinates, called row and column, with their move tables.
pub(crate) struct CoordinatePair {
    /// The name in progress events.
    name: &'static str,
    /// Number of moves.
    moves: usize,
    /// By row and move: the row after the move.
    rows: Vec<u16>,
    /// By column and move: the column after the move.
    columns: Vec<u16>,
    /// Number of columns.
    width: usize,
    /// Index of the solved pair.
    solved: usize,
}

impl CoordinatePair {
    /// `row` and `column` return the coordinate after a move. The solved pair is row 0, column 0.
    pub(crate) fn new(
        name: &'static str,
        moves: usize,
        height: usize,
        width: usize,
        control: &Control,
        row: impl Fn(usize, usize) -> u16,
        column: impl Fn(usize, usize) -> u16,
    ) -> Result<CoordinatePair, Stop> {
        let table = |length: usize, next: &dyn Fn(usize, usize) -> u16| {
            let entry = |index: usize| {
                if index.is_multiple_of(1 << 12) {
                    control.poll()?;
                }
                Ok(next(index / moves, index % moves))
            };
            (0..length * moves).map(entry).collect::<Result<Vec<u16>, Stop>>()
        };
        let (rows, columns) = (table(height, &row)?, table(width, &column)?);
        Ok(CoordinatePair { name, moves, rows, columns, width, solved: 0 })
    }

    /// The same coordinates with the solved pair in column 0 of another row.
    pub(crate) fn with_solved_row(self, row: usize) -> CoordinatePair {
        CoordinatePair { solved: row * self.width, ..self }
    }

    /// The row after a move.
    #[inline(always)]
    pub(crate) fn next_row(&self, row: u16, m: usize) -> u16 {
        self.rows[usize::from(row) * self.moves + m]
    }

    /// The column after a move.
    #[inline(always)]
    pub(crate) fn next_column(&self, column: u16, m: usize) -> u16 {
        self.columns[usize::from(column) * self.moves + m]
    }

    fn height(&self) -> usize {
        self.rows.len() / self.moves
    }
}

/// The distances of all pairs while they are computed.
trait Cells: Sync {
    /// The value of an unreached pair.
    const UNREACHED: u8;

    fn get(&self, index: usize) -> u8;

    /// Sets an unreached pair. Returns false if another thread was faster. `exclusive` tells that no other
    /// thread writes to the same [`CHUNK`] of rows.
    fn set(&self, index: usize, distance: u8, exclusive: bool) -> bool;
}

/// One byte for each pair.
impl Cells for [AtomicU8] {
    const UNREACHED: u8 = u8::MAX;

    #[inline(always)]
    fn get(&self, index: usize) -> u8 {
        self[index].load(Relaxed)
    }

    #[inline(always)]
    fn set(&self, index: usize, distance: u8, exclusive: bool) -> bool {
        if exclusive {
            self[index].store(distance, Relaxed);
            return true;
        }
        self[index].swap(distance, Relaxed) == Self::UNREACHED
    }
}

/// Four bits for each pair, the lower half of a byte first.
struct Nibbles<'a>(&'a [AtomicU8]);

impl Cells for Nibbles<'_> {
    const UNREACHED: u8 = 15;

    #[inline(always)]
    fn get(&self, index: usize) -> u8 {
        self.0[index / 2].load(Relaxed) >> (4 * (index % 2)) & 15
    }

    #[inline(always)]
    fn set(&self, index: usize, distance: u8, exclusive: bool) -> bool {
        let (byte, shift) = (&self.0[index / 2], 4 * (index % 2));
        let clear = (Self::UNREACHED ^ distance) << shift;
        if exclusive {
            byte.store(byte.load(Relaxed) & !clear, Relaxed);
            return true;
        }
        // Two threads that reach the pair at once clear the same bits.
        byte.fetch_and(!clear, Relaxed) >> shift & 15 == Self::UNREACHED
    }
}

/// Largest distance.
const MAX_DISTANCE: u8 = 14;
/// Rows that a worker claims at a time: a few milliseconds. Even, so that two chunks share no byte.
const CHUNK: usize = 32;

/// The distance of each pair from the solved one, row by row.
pub(crate) fn distances(pair: &CoordinatePair, control: &Control) -> Result<Vec<u8>, Stop> {
    let progress = pair.begin_build(control);
    let mut bytes = vec![0; pair.count()];
    fill_polled(&mut bytes, <[AtomicU8]>::UNREACHED, control)?;
    bytes[pair.solved] = 0;
    let (mut last_count, mut unreached) = (1, pair.count() as u64 - 1);
    progress.add(1);
    for distance in 1.. {
        if unreached == 0 {
            break;
        }
        let cells = as_atomic(&mut bytes);
        last_count = pair.expand_level(cells, distance, last_count, unreached, &progress, control)?;
        unreached -= last_count;
    }
    Ok(bytes)
}

/// Fills a table with the distances, four bits each, the lower half of a byte first, in its own memory.
pub(crate) fn fill(pair: &CoordinatePair, table: &mut TableBuild<'_>, control: &Control) -> Result<(), Stop> {
    let progress = pair.begin_build(control);
    let mut distance = match table.restore(&mut [], control)? {
        Some(level @ 1..=14) => level as u8,
        _ => {
            fill_polled(table, 0xff, control)?;
            Nibbles(as_atomic(table)).set(pair.solved, 0, true);
            1
        }
    };
    let mut last_count = pair.count_cells(&Nibbles(as_atomic(table)), distance - 1, control)?;
    let mut unreached = pair.count_cells(&Nibbles(as_atomic(table)), Nibbles::UNREACHED, control)?;
    progress.add_earlier(pair.count() as u64 - unreached);
    while unreached > 0 {
        let cells = Nibbles(as_atomic(table));
        last_count = pair.expand_level(&cells, distance, last_count, unreached, &progress, control)?;
        unreached -= last_count;
        distance += 1;
        table.save_if_due(distance.into(), &[], control)?;
    }
    if pair.count() % 2 == 1
        && let Some(last) = table.last_mut()
    {
        *last &= 15;
    }
    Ok(())
}

/// Runs `work` for every row in parallel, with whether only one thread works. Returns the sum of the
/// results.
fn for_each_row(
    pair: &CoordinatePair,
    control: &Control,
    work: &(dyn Fn(usize, bool, &mut Vec<u16>) -> u64 + Sync),
) -> Result<u64, Stop> {
    let (cursor, sum) = (AtomicUsize::new(0), AtomicU64::new(0));
    let results = run_parallel(control.threads(), |worker| {
        let mut columns = Vec::with_capacity(pair.width);
        loop {
            control.poll()?;
            let first = cursor.fetch_add(CHUNK, Relaxed);
            if first >= pair.height() {
                return Ok(());
            }
            let rows = first..pair.height().min(first + CHUNK);
            sum.fetch_add(rows.map(|row| work(row, worker.count == 1, &mut columns)).sum(), Relaxed);
        }
    });
    results.into_iter().collect::<Result<(), Stop>>()?;
    Ok(sum.into_inner())
}

impl CoordinatePair {
    /// Reports the progress of a build in reached pairs.
    fn begin_build<'a>(&self, control: &'a Control) -> TableProgress<'a> {
        control.begin_table(format!("pruning table {}", self.name), TablePhase::Build, self.count() as u64)
    }

    /// The number of pairs.
    fn count(&self) -> usize {
        self.height() * self.width
    }

    /// The number of pairs with a value.
    fn count_cells<C: Cells + ?Sized>(&self, cells: &C, value: u8, control: &Control) -> Result<u64, Stop> {
        for_each_row(self, control, &|row, _, _| {
            let indices = row * self.width..(row + 1) * self.width;
            indices.filter(|&index| cells.get(index) == value).count() as u64
        })
    }

    /// Sets the pairs at `distance`, given the size of the last level and the number of unreached pairs.
    /// Returns their number.
    fn expand_level<C: Cells + ?Sized>(
        &self,
        cells: &C,
        distance: u8,
        last_count: u64,
        unreached: u64,
        progress: &TableProgress<'_>,
        control: &Control,
    ) -> Result<u64, Stop> {
        assert!(
            distance <= MAX_DISTANCE && last_count > 0,
            "every position is reached within {MAX_DISTANCE} moves"
        );
        // Bottom-up search stops at the first parent of a node, so it pays off early.
        let bottom_up = last_count > unreached / 4;
        for_each_row(self, control, &|row, single_thread, columns| {
            let fresh = if bottom_up {
                self.expand_bottom_up(cells, row, distance, columns)
            } else {
                self.expand_top_down(cells, row, distance, single_thread, columns)
            };
            progress.add(fresh);
            fresh
        })
    }

    /// Expands the pairs of a row that are in the last level. Returns the number of newly reached pairs.
    fn expand_top_down<C: Cells + ?Sized>(
        &self,
        cells: &C,
        row: usize,
        distance: u8,
        single_thread: bool,
        columns: &mut Vec<u16>,
    ) -> u64 {
        self.collect_columns(cells, row, distance - 1, columns);
        if columns.is_empty() {
            return 0;
        }
        let mut reached = 0;
        for m in 0..self.moves {
            let first = self.first_after_move(row, m);
            for &column in &*columns {
                let index = first + usize::from(self.next_column(column, m));
                // Two threads may reach the cell at once; only the first counts it.
                if cells.get(index) == C::UNREACHED && cells.set(index, distance, single_thread) {
                    reached += 1;
                }
            }
        }
        reached
    }

    /// Marks the unreached pairs of a row that have a neighbour in the last level, and returns their number.
    fn expand_bottom_up<C: Cells + ?Sized>(
        &self,
        cells: &C,
        row: usize,
        distance: u8,
        columns: &mut Vec<u16>,
    ) -> u64 {
        self.collect_columns(cells, row, C::UNREACHED, columns);
        let unreached_before = columns.len();
        for m in 0..self.moves {
            let first = self.first_after_move(row, m);
            columns.retain(|&column| {
                let found = cells.get(first + usize::from(self.next_column(column, m))) == distance - 1;
                if found {
                    cells.set(row * self.width + usize::from(column), distance, true);
                }
                !found
            });
        }
        (unreached_before - columns.len()) as u64
    }

    /// Collects the columns of a row whose cell is `value`.
    fn collect_columns<C: Cells + ?Sized>(&self, cells: &C, row: usize, value: u8, columns: &mut Vec<u16>) {
        columns.clear();
        let first = row * self.width;
        columns
            .extend((0..self.width as u16).filter(|&column| cells.get(first + usize::from(column)) == value));
    }

    /// The index of the first pair of the row that a move leads to.
    fn first_after_move(&self, row: usize, m: usize) -> usize {
        usize::from(self.next_row(row as u16, m)) * self.width
    }
}
