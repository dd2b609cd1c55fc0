//! Distances of all pairs of two coordinates that moves change independently of each other.
//!
//! Breadth-first search with one byte for each pair. Small levels are expanded top-down from the frontier,
//! large ones bottom-up (direction-optimizing BFS; Beamer, Asanović & Patterson, SC 2012). The neighbours
//! of a row lie in a few other rows, so most accesses hit the caches.

use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};

use untumble_search::control::{Control, Event, Stop, TablePhase};
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
        row: impl Fn(usize, usize) -> u16,
        column: impl Fn(usize, usize) -> u16,
    ) -> CoordinatePair {
        let table = |length: usize, next: &dyn Fn(usize, usize) -> u16| {
            (0..length * moves).map(|index| next(index / moves, index % moves)).collect()
        };
        CoordinatePair {
            name,
            moves,
            rows: table(height, &row),
            columns: table(width, &column),
            width,
            solved: 0,
        }
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

const UNREACHED: u8 = u8::MAX;
/// Largest distance that fits four bits.
const MAX_DISTANCE: u8 = 15;
/// Rows that a worker claims at a time.
const CHUNK: usize = 128;

/// The distance of each pair from the solved one, row by row.
pub(crate) fn distances(pair: &CoordinatePair, control: &Control) -> Result<Vec<u8>, Stop> {
    let count = pair.height() * pair.width;
    let cells: Vec<AtomicU8> = (0..count).map(|_| AtomicU8::new(UNREACHED)).collect();
    cells[pair.solved].store(0, Relaxed);
    let (mut level_size, mut unreached) = (1, count as u64 - 1);
    let mut distance = 0;
    while unreached > 0 {
        distance += 1;
        assert!(
            distance <= MAX_DISTANCE && level_size > 0,
            "every position is reached within {MAX_DISTANCE} moves"
        );
        // Bottom-up search stops at the first parent of a node, so it pays off early.
        let bottom_up = level_size > unreached / 4;
        level_size = for_each_row(pair, control, &|row, columns| {
            if bottom_up {
                pair.expand_bottom_up(&cells, row, distance, columns)
            } else {
                pair.expand_top_down(&cells, row, distance, columns)
            }
        })?;
        unreached -= level_size;
        control.emit(&Event::Table {
            name: format!("pruning table {}", pair.name),
            phase: TablePhase::Build,
            share: 1.0 - unreached as f64 / count as f64,
        });
    }
    Ok(cells.into_iter().map(AtomicU8::into_inner).collect())
}

/// Fills a table with the distances, four bits each, the lower half of a byte first.
pub(crate) fn fill(pair: &CoordinatePair, bytes: &mut [u8], control: &Control) -> Result<(), Stop> {
    let _reserved = control.reserve((pair.height() * pair.width) as u64)?;
    let distances = distances(pair, control)?;
    for (byte, nibbles) in bytes.iter_mut().zip(distances.chunks(2)) {
        let [low, high] = [0, 1].map(|at| nibbles.get(at).map_or(0, |&distance| distance));
        *byte = high << 4 | low;
    }
    Ok(())
}

/// Runs `work` for every row in parallel. Returns the sum of the results.
fn for_each_row(
    pair: &CoordinatePair,
    control: &Control,
    work: &(dyn Fn(usize, &mut Vec<u16>) -> u64 + Sync),
) -> Result<u64, Stop> {
    let (cursor, sum) = (AtomicUsize::new(0), AtomicU64::new(0));
    let results = run_parallel(control.threads(), |_| {
        let mut columns = Vec::with_capacity(pair.width);
        loop {
            control.poll()?;
            let first = cursor.fetch_add(CHUNK, Relaxed);
            if first >= pair.height() {
                return Ok(());
            }
            let rows = first..pair.height().min(first + CHUNK);
            sum.fetch_add(rows.map(|row| work(row, &mut columns)).sum(), Relaxed);
        }
    });
    results.into_iter().collect::<Result<Vec<()>, Stop>>()?;
    Ok(sum.into_inner())
}

impl CoordinatePair {
    /// Expands the pairs of a row that are in the last level. Returns the number of newly reached pairs.
    fn expand_top_down(&self, cells: &[AtomicU8], row: usize, distance: u8, columns: &mut Vec<u16>) -> u64 {
        self.collect_columns(cells, row, distance - 1, columns);
        if columns.is_empty() {
            return 0;
        }
        let mut reached = 0;
        for m in 0..self.moves {
            let neighbours = self.cells_after_move(cells, row, m);
            for &column in &*columns {
                let cell = &neighbours[usize::from(self.next_column(column, m))];
                // Two threads may reach the cell at once; only the first counts it.
                if cell.load(Relaxed) == UNREACHED && cell.swap(distance, Relaxed) == UNREACHED {
                    reached += 1;
                }
            }
        }
        reached
    }

    /// Marks the unreached pairs of a row that have a neighbour in the last level, and returns their number.
    fn expand_bottom_up(&self, cells: &[AtomicU8], row: usize, distance: u8, columns: &mut Vec<u16>) -> u64 {
        self.collect_columns(cells, row, UNREACHED, columns);
        let unreached_before = columns.len();
        let row_cells = &cells[row * self.width..][..self.width];
        for m in 0..self.moves {
            let neighbours = self.cells_after_move(cells, row, m);
            columns.retain(|&column| {
                let found =
                    neighbours[usize::from(self.next_column(column, m))].load(Relaxed) == distance - 1;
                if found {
                    row_cells[usize::from(column)].store(distance, Relaxed);
                }
                !found
            });
        }
        (unreached_before - columns.len()) as u64
    }

    /// Collects the columns of a row whose cell is `value`.
    fn collect_columns(&self, cells: &[AtomicU8], row: usize, value: u8, columns: &mut Vec<u16>) {
        columns.clear();
        let row_cells = &cells[row * self.width..][..self.width];
        let matching_column =
            |(column, cell): (u16, &AtomicU8)| (cell.load(Relaxed) == value).then_some(column);
        columns.extend((0..).zip(row_cells).filter_map(matching_column));
    }

    /// The cells of the row that a move leads to.
    fn cells_after_move<'a>(&self, cells: &'a [AtomicU8], row: usize, m: usize) -> &'a [AtomicU8] {
        &cells[usize::from(self.next_row(row as u16, m)) * self.width..][..self.width]
    }
}
