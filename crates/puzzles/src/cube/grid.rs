//! Positions that are a row and a column, where a move changes the one whatever the other: how they are measured.
//!
//! Breadth-first, a byte for each position while it lasts. While few are reached, those of the last level tell their neighbours; later, those
//! that are not reached look for a neighbour that is. Either way a row's neighbours lie in a few other rows, so nearly
//! everything happens in the near caches.

use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};

use untumble_search::control::{Control, Event, Stop};
use untumble_search::threads::run_parallel;

/// What each move makes of each row and of each column.
pub(crate) struct Grid {
    name: &'static str,
    moves: usize,
    rows: Vec<u16>,
    columns: Vec<u16>,
    width: usize,
    home: usize,
}

impl Grid {
    /// `row` and `column` tell what a move makes of one. Everything is at home in row 0, column 0.
    pub(crate) fn new(
        name: &'static str,
        moves: usize,
        height: usize,
        width: usize,
        row: impl Fn(usize, usize) -> u16,
        column: impl Fn(usize, usize) -> u16,
    ) -> Grid {
        let table = |length: usize, of: &dyn Fn(usize, usize) -> u16| {
            (0..length * moves).map(|at| of(at / moves, at % moves)).collect()
        };
        Grid { name, moves, rows: table(height, &row), columns: table(width, &column), width, home: 0 }
    }

    /// The same with home in another row.
    pub(crate) fn at_home_in(self, row: usize) -> Grid {
        Grid { home: row * self.width, ..self }
    }

    #[inline(always)]
    pub(crate) fn row(&self, row: u16, m: usize) -> u16 {
        self.rows[usize::from(row) * self.moves + m]
    }

    #[inline(always)]
    pub(crate) fn column(&self, column: u16, m: usize) -> u16 {
        self.columns[usize::from(column) * self.moves + m]
    }

    fn height(&self) -> usize {
        self.rows.len() / self.moves
    }
}

const UNREACHED: u8 = u8::MAX;
/// Four bits must do.
const MOST: u8 = 15;
/// Rows that a thread takes at a time.
const CHUNK: usize = 128;

/// The least number of moves from home to each position, row by row.
pub(crate) fn distances(grid: &Grid, control: &Control) -> Result<Vec<u8>, Stop> {
    let count = grid.height() * grid.width;
    let cells: Vec<AtomicU8> = (0..count).map(|_| AtomicU8::new(UNREACHED)).collect();
    cells[grid.home].store(0, Relaxed);
    let (mut level, mut left) = (1, count as u64 - 1);
    let mut distance = 0;
    while left > 0 {
        distance += 1;
        assert!(distance <= MOST && level > 0, "every position is reached within {MOST} moves");
        // Whoever looks for a neighbour may stop at the first.
        let pull = level > left / 4;
        level = each_row(grid, control, &|row, list| {
            if pull { grid.pull(&cells, row, distance, list) } else { grid.push(&cells, row, distance, list) }
        })?;
        left -= level;
        control.emit(&Event::Table { name: grid.name.into(), share: 1.0 - left as f64 / count as f64 });
    }
    Ok(cells.into_iter().map(AtomicU8::into_inner).collect())
}

/// Fills a table of four bits for each position with them.
pub(crate) fn fill(grid: &Grid, bytes: &mut [u8], control: &Control) -> Result<(), Stop> {
    let _reserved = control.reserve((grid.height() * grid.width) as u64)?;
    let distances = distances(grid, control)?;
    for (byte, pair) in bytes.iter_mut().zip(distances.chunks(2)) {
        let [low, high] = [0, 1].map(|at| pair.get(at).map_or(0, |&distance| distance));
        *byte = high << 4 | low;
    }
    Ok(())
}

/// Does `work` for every row on all threads; gives the sum of what it gives.
fn each_row(
    grid: &Grid,
    control: &Control,
    work: &(dyn Fn(usize, &mut Vec<u16>) -> u64 + Sync),
) -> Result<u64, Stop> {
    let (cursor, sum) = (AtomicUsize::new(0), AtomicU64::new(0));
    let ends = run_parallel(control.threads(), |_| {
        let mut list = Vec::with_capacity(grid.width);
        loop {
            control.poll()?;
            let first = cursor.fetch_add(CHUNK, Relaxed);
            if first >= grid.height() {
                return Ok(());
            }
            let rows = first..grid.height().min(first + CHUNK);
            sum.fetch_add(rows.map(|row| work(row, &mut list)).sum(), Relaxed);
        }
    });
    ends.into_iter().collect::<Result<Vec<()>, Stop>>()?;
    Ok(sum.into_inner())
}

impl Grid {
    /// The positions of a row reached last tell their neighbours. Gives how many of those are new.
    fn push(&self, cells: &[AtomicU8], row: usize, distance: u8, list: &mut Vec<u16>) -> u64 {
        self.gather(cells, row, distance - 1, list);
        if list.is_empty() {
            return 0;
        }
        let mut fresh = 0;
        for m in 0..self.moves {
            let other = self.other(cells, row, m);
            for &column in &*list {
                let cell = &other[usize::from(self.column(column, m))];
                // Two threads may meet here; only one of them may count it.
                if cell.load(Relaxed) == UNREACHED && cell.swap(distance, Relaxed) == UNREACHED {
                    fresh += 1;
                }
            }
        }
        fresh
    }

    /// The positions of a row not reached look for a neighbour reached last. Gives how many find one.
    fn pull(&self, cells: &[AtomicU8], row: usize, distance: u8, list: &mut Vec<u16>) -> u64 {
        self.gather(cells, row, UNREACHED, list);
        let before = list.len();
        let own = &cells[row * self.width..][..self.width];
        for m in 0..self.moves {
            let other = self.other(cells, row, m);
            list.retain(|&column| {
                let found = other[usize::from(self.column(column, m))].load(Relaxed) == distance - 1;
                if found {
                    own[usize::from(column)].store(distance, Relaxed);
                }
                !found
            });
        }
        (before - list.len()) as u64
    }

    /// The columns of a row that hold `value`.
    fn gather(&self, cells: &[AtomicU8], row: usize, value: u8, list: &mut Vec<u16>) {
        list.clear();
        let own = &cells[row * self.width..][..self.width];
        let with = |(column, cell): (u16, &AtomicU8)| (cell.load(Relaxed) == value).then_some(column);
        list.extend((0..).zip(own).filter_map(with));
    }

    /// The row that a move leads to.
    fn other<'a>(&self, cells: &'a [AtomicU8], row: usize, m: usize) -> &'a [AtomicU8] {
        &cells[usize::from(self.row(row as u16, m)) * self.width..][..self.width]
    }
}
