//! Walking distance: how many vertical moves bring every tile to its home row when tiles of the same home row are
//! alike, plus the same for columns.
//!
//! For one axis a board becomes a matrix, how many tiles of home line j stand in line i, and the gap's line.
//! All such matrices, numbered, with their distances from the solved one and their
//! transitions, are the table; a node carries two numbers.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use untumble_search::control::{Control, Reserved};
use untumble_search::error::Error;
use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::puzzle::{Cost, Edge};
use untumble_search::spec::SpecError;

use crate::tiles::{Board, Cells, DOWN, Goal, LEFT, RIGHT, Size, Tiles, UP};

/// Walking distance.
#[derive(Clone)]
pub struct Walking {
    rows: Arc<Axis>,
    columns: Arc<Axis>,
    /// The home row and column of each tile.
    home: Vec<(u8, u8)>,
    size: Size,
}

/// What a node carries: a number and a distance on each axis.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    rows: Step,
    columns: Step,
}

/// Where a matrix leads: its number and its distance, in one word.
#[derive(Clone, Copy, Debug)]
struct Step(u32);

impl Step {
    #[inline]
    fn number(self) -> usize {
        (self.0 >> 8) as usize
    }

    #[inline]
    fn distance(self) -> Cost {
        self.0 & 0xff
    }
}

/// The matrices of one axis.
struct Axis {
    lines: usize,
    /// Where the gap's move to the line before or behind takes a matrix, by
    /// number, direction and home line of the tile that moves.
    steps: Vec<Step>,
    numbers: HashMap<u128, Step, BuildHasherDefault<Mix>>,
    _reserved: Reserved,
}

/// A hash for matrices: keys are our own numbers, so anything that mixes will do.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u128(u128::from(byte));
        }
    }

    fn write_u128(&mut self, word: u128) {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let folded = (word as u64 ^ self.0).wrapping_mul(ODD) ^ ((word >> 64) as u64).wrapping_mul(!ODD);
        self.0 = (folded ^ folded >> 32).wrapping_mul(ODD);
        self.0 ^= self.0 >> 29;
    }
}

/// More matrices than this make a table that takes longer to build than it saves.
const MOST: u64 = 1_500_000;
const UNSET: Step = Step(u32::MAX);

/// A matrix in one word: the gap's line, then the counts, row by row.
#[derive(Clone, Copy)]
struct Layout {
    lines: usize,
    bits: usize,
}

impl Layout {
    fn new(lines: usize, length: usize) -> Option<Layout> {
        let bits = (length + 1).next_power_of_two().trailing_zeros() as usize;
        (lines * lines * bits + 8 <= 128).then_some(Layout { lines, bits })
    }

    fn shift(self, line: usize, home: usize) -> usize {
        8 + (line * self.lines + home) * self.bits
    }

    fn count(self, matrix: u128, line: usize, home: usize) -> u128 {
        matrix >> self.shift(line, home) & ((1 << self.bits) - 1)
    }

    /// The matrix after a tile of home line `home` moved from line `from` to the gap's line.
    fn moved(self, matrix: u128, from: usize, home: usize) -> u128 {
        let gap = (matrix & 0xff) as usize;
        matrix - (1 << self.shift(from, home)) + (1 << self.shift(gap, home)) - gap as u128 + from as u128
    }
}

/// How many matrices there are: for each line of the gap, the ways to fill line after line while the tiles
/// of each home line last. `None` where even counting takes too long.
fn matrices(lines: usize, length: usize, gap_home: usize) -> Option<u64> {
    const MOST_LEFT: usize = 20_000;
    if (length + 1).checked_pow(lines as u32).is_none_or(|left| left > MOST_LEFT) {
        return None;
    }
    /// Adds up the ways to take `take` tiles from the home lines from `home` on.
    fn fill(left: &mut [u8], home: usize, take: usize, ways: u64, sum: &mut HashMap<Vec<u8>, u64>) {
        if home == left.len() {
            if take == 0 {
                *sum.entry(left.to_vec()).or_default() += ways;
            }
            return;
        }
        for count in 0..=take.min(usize::from(left[home])) {
            left[home] -= count as u8;
            fill(left, home + 1, take - count, ways, sum);
            left[home] += count as u8;
        }
    }
    let tiles = |line: usize, gap: usize| length - usize::from(line == gap);
    let with_gap_in = |gap: usize| {
        let left: Vec<u8> = (0..lines).map(|home| tiles(home, gap_home) as u8).collect();
        let mut ways = HashMap::from([(left, 1)]);
        for line in 0..lines {
            let mut next = HashMap::new();
            for (mut left, count) in ways {
                fill(&mut left, 0, tiles(line, gap), count, &mut next);
            }
            ways = next;
        }
        ways.values().sum::<u64>()
    };
    Some((0..lines).map(with_gap_in).sum())
}

/// The layout of an axis whose table is small enough, or the reason why not.
fn fits(lines: usize, length: usize, gap_home: usize) -> Result<Layout, SpecError> {
    let count = matrices(lines, length, gap_home);
    if let (Some(layout), Some(..=MOST)) = (Layout::new(lines, length), count) {
        return Ok(layout);
    }
    let entries = count.map_or_else(|| format!("more than {MOST}"), |count| count.to_string());
    Err(SpecError::HeuristicTooLarge {
        heuristic: "walking",
        puzzle: format!("{lines} lines of {length} cells"),
        reason: format!("the table has {entries} entries, at most {MOST} are possible"),
        alternative: Some("linear-conflict"),
    })
}

impl Axis {
    /// All matrices of `lines` lines of `length` cells, by distance from the solved one.
    fn build(lines: usize, length: usize, gap_home: usize, control: &Control) -> Result<Axis, Error> {
        let layout = fits(lines, length, gap_home)?;
        let mut solved = gap_home as u128;
        for line in 0..lines {
            let tiles = length - usize::from(line == gap_home);
            solved |= (tiles as u128) << layout.shift(line, line);
        }
        let mut reserved = control.reserve(0)?;
        let mut numbers: HashMap<u128, Step, BuildHasherDefault<Mix>> = HashMap::default();
        numbers.insert(solved, Step(0));
        let mut matrices = vec![(solved, 0)];
        let mut steps = Vec::new();
        let mut at = 0;
        while let Some(&(matrix, distance)) = matrices.get(at) {
            at += 1;
            if at % 8192 == 1 {
                control.poll()?;
                reserved.grow(8192 * (64 + 8 * lines as u64))?;
            }
            let gap = (matrix & 0xff) as usize;
            for from in [gap.checked_sub(1), Some(gap + 1).filter(|&line| line < lines)] {
                for home in 0..lines {
                    let Some(from) = from.filter(|&from| layout.count(matrix, from, home) > 0) else {
                        steps.push(UNSET);
                        continue;
                    };
                    let next = layout.moved(matrix, from, home);
                    let new = Step((matrices.len() as u32) << 8 | (distance + 1));
                    let step = *numbers.entry(next).or_insert(new);
                    if step.0 == new.0 {
                        matrices.push((next, distance + 1));
                    }
                    steps.push(step);
                }
            }
        }
        Ok(Axis { lines, steps, numbers, _reserved: reserved })
    }

    #[inline]
    fn step(&self, from: Step, direction: usize, home: u8) -> Step {
        self.steps[(2 * from.number() + direction) * self.lines + usize::from(home)]
    }
}

impl Walking {
    /// For boards that are to become `goal`; refused where the table gets too large.
    pub fn new(goal: &Goal, control: &Control) -> Result<Walking, Error> {
        let size = goal.size();
        let (gap_row, gap_column) = (size.row(goal.gap()), size.column(goal.gap()));
        let rows = Arc::new(Axis::build(size.rows, size.columns, gap_row, control)?);
        // A square board whose gap belongs on the diagonal has the same table both ways.
        let columns = if size.rows == size.columns && gap_row == gap_column {
            Arc::clone(&rows)
        } else {
            Arc::new(Axis::build(size.columns, size.rows, gap_column, control)?)
        };
        let home = (0..size.cells())
            .map(|name| (size.row(goal.home(name)) as u8, size.column(goal.home(name)) as u8))
            .collect();
        Ok(Walking { rows, columns, home, size })
    }

    /// Whether the tables are small enough.
    pub fn possible(goal: &Goal) -> bool {
        let Size { rows, columns } = goal.size();
        let gap = goal.gap();
        fits(rows, columns, goal.size().row(gap)).is_ok()
            && fits(columns, rows, goal.size().column(gap)).is_ok()
    }

    /// How many matrices each axis has.
    pub fn matrices(&self) -> (usize, usize) {
        (self.rows.numbers.len(), self.columns.numbers.len())
    }

    fn matrix(
        &self,
        axis: &Axis,
        length: usize,
        gap_line: usize,
        tiles: impl Iterator<Item = (usize, usize)>,
    ) -> Step {
        let layout = Layout::new(axis.lines, length).expect("the axis was built with it");
        let counts = tiles.fold(0, |matrix, (line, home)| matrix + (1u128 << layout.shift(line, home)));
        axis.numbers[&(counts | gap_line as u128)]
    }
}

impl<C: Cells> Heuristic<Tiles<C>> for Walking {
    type Value = Value;

    fn admissibility(&self) -> Admissibility {
        Admissibility::Consistent
    }

    fn start(&self, _puzzle: &Tiles<C>, board: &Board<C>) -> Value {
        let size = self.size;
        let tiles = || {
            (0..size.cells())
                .map(|cell| (cell, board.cells.get(cell)))
                .filter(|&(_, name)| name != 0)
                .map(|(cell, name)| (cell, self.home[name]))
        };
        let gap = usize::from(board.gap);
        let by_rows = tiles().map(|(cell, home)| (size.row(cell), usize::from(home.0)));
        let by_columns = tiles().map(|(cell, home)| (size.column(cell), usize::from(home.1)));
        Value {
            rows: self.matrix(&self.rows, size.columns, size.row(gap), by_rows),
            columns: self.matrix(&self.columns, size.rows, size.column(gap), by_columns),
        }
    }

    #[inline(always)]
    fn step(&self, value: &Value, edge: &Edge<'_, Tiles<C>>, left: Cost) -> Result<Value, Cost> {
        let from = edge.puzzle.source(edge.parent.gap, edge.m);
        let home = self.home[edge.parent.cells.get(from)];
        let mut stepped = *value;
        // The gap goes to the line before when the tile slides down or right.
        match edge.m {
            DOWN => stepped.rows = self.rows.step(value.rows, 0, home.0),
            UP => stepped.rows = self.rows.step(value.rows, 1, home.0),
            RIGHT => stepped.columns = self.columns.step(value.columns, 0, home.1),
            LEFT => stepped.columns = self.columns.step(value.columns, 1, home.1),
            _ => {}
        }
        let h = stepped.rows.distance() + stepped.columns.distance();
        if h > left { Err(h) } else { Ok(stepped) }
    }

    #[inline]
    fn cost(&self, value: &Value) -> Cost {
        value.rows.distance() + value.columns.distance()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_have_the_known_sizes() {
        let control = Control::default();
        for (rows, columns, known) in [(3, 3, 105), (4, 4, 24_964)] {
            let goal = Goal::named(Size { rows, columns }, "blank-last").expect("a known goal");
            let walking = Walking::new(&goal, &control).expect("small enough");
            assert_eq!(walking.matrices(), (known, known), "{rows}x{columns}");
            assert_eq!(matrices(rows, columns, rows - 1), Some(known as u64), "{rows}x{columns}");
        }
    }

    #[test]
    fn tables_too_large_are_refused_with_the_reason() {
        let control = Control::default();
        for (rows, columns) in [(5, 5), (2, 16), (8, 8)] {
            let goal = Goal::named(Size { rows, columns }, "blank-last").expect("a known goal");
            let refused = Walking::new(&goal, &control).err().map(|trouble| trouble.to_string());
            assert!(refused.is_some_and(|text| text.contains("is not available")), "{rows}x{columns}");
        }
    }
}
