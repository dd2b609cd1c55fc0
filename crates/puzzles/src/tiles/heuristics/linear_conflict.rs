//! Manhattan distance plus linear conflicts: of the tiles that are in their
//! home line, those that must step out of it to let the others pass add two moves each.
//!
//! In a line the fewest that must step out are all but a longest increasing
//! sequence. A move along a line changes no order in it, so only the two lines it
//! crosses are looked at again.

use untumble_search::heuristic::{Admissibility, Heuristic};
use untumble_search::moves::Move;
use untumble_search::puzzle::{Cost, Edge};

use super::Manhattan;
use crate::tiles::{Board, Cells, DOWN, Goal, Size, Tiles, UP};

/// Manhattan distance with linear conflicts.
#[derive(Clone, Debug)]
pub struct LinearConflict {
    manhattan: Manhattan,
    size: Size,
    /// The home cell of each tile.
    home: Vec<u16>,
    /// Conflicts of lines of up to four cells in a board of one word: rows, then columns, by the line's 16 bits.
    table: Vec<u8>,
    crossed: Vec<(u8, u8)>,
}

/// What a node carries.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    distance: Cost,
    conflict: Cost,
    /// Each line's conflict, four bits each: rows, then columns. Only for boards with a table.
    lines: u32,
}

const LINE_BITS: usize = 16;
const MOST_IN_TABLE: usize = 4;

impl LinearConflict {
    /// For boards that are to become `goal`.
    pub fn new(goal: &Goal) -> LinearConflict {
        let size = goal.size();
        let home = (0..size.cells()).map(|name| goal.home(name) as u16).collect();
        let mut conflicts = LinearConflict {
            manhattan: Manhattan::new(goal),
            size,
            home,
            table: Vec::new(),
            crossed: crossings(size),
        };
        if size.rows <= MOST_IN_TABLE && size.columns <= MOST_IN_TABLE {
            conflicts.table = conflicts.tabulate();
        }
        conflicts
    }

    fn tabulate(&self) -> Vec<u8> {
        let mut table = vec![0; (self.size.rows + self.size.columns) << LINE_BITS];
        for line in 0..self.size.rows + self.size.columns {
            let length = if line < self.size.rows { self.size.columns } else { self.size.rows };
            for code in 0..1usize << (4 * length) {
                let names = (0..length).map(|place| code >> (4 * place) & 15);
                let conflict = self.count(line, names.filter(|&name| name < self.size.cells()));
                table[line << LINE_BITS | code] = conflict as u8;
            }
        }
        table
    }

    /// Two for every tile of the line that must step out of it.
    fn count(&self, line: usize, names: impl Iterator<Item = usize>) -> Cost {
        // The least last place of an increasing sequence of each length.
        let mut ends = [0u16; Size::SEARCHED];
        let (mut longest, mut tiles) = (0, 0);
        for name in names.filter(|&name| name != 0) {
            let home = usize::from(self.home[name]);
            let (home_line, place) = if line < self.size.rows {
                (self.size.row(home), self.size.column(home))
            } else {
                (self.size.rows + self.size.column(home), self.size.row(home))
            };
            if home_line != line {
                continue;
            }
            tiles += 1;
            let at = ends[..longest].iter().position(|&end| end >= place as u16).unwrap_or(longest);
            ends[at] = place as u16;
            longest = longest.max(at + 1);
        }
        2 * (tiles - longest) as Cost
    }

    #[inline]
    fn cell(&self, line: usize, place: usize) -> usize {
        if line < self.size.rows {
            line * self.size.columns + place
        } else {
            place * self.size.columns + line - self.size.rows
        }
    }

    /// The conflict of a line, counted.
    fn counted<C: Cells>(&self, board: &Board<C>, line: usize) -> Cost {
        let length = if line < self.size.rows { self.size.columns } else { self.size.rows };
        self.count(line, (0..length).map(|place| board.cells.get(self.cell(line, place))))
    }

    /// The conflict of a line, looked up.
    #[inline]
    fn looked_up(&self, word: u64, line: usize) -> u8 {
        let Size { rows, columns } = self.size;
        let code = if line < rows {
            word >> (4 * columns * line) & ((1 << (4 * columns)) - 1)
        } else if rows == 4 && columns == 4 {
            // Every fourth nibble, brought together in the top 16 bits.
            const EVERY_FOURTH: u64 = 0x000f_000f_000f_000f;
            const TOGETHER: u64 = 1 << 48 | 1 << 36 | 1 << 24 | 1 << 12;
            (word >> (4 * (line - rows)) & EVERY_FOURTH).wrapping_mul(TOGETHER) >> 48
        } else {
            (0..rows)
                .fold(0, |code, row| code | (word >> (4 * (row * columns + line - rows)) & 15) << (4 * row))
        };
        self.table[line << LINE_BITS | code as usize]
    }
}

/// The two lines that each move crosses, by gap and move: rows for the tiles that slide up and down, columns for the others.
fn crossings(size: Size) -> Vec<(u8, u8)> {
    let mut crossed = Vec::new();
    for gap in 0..size.cells() {
        for m in (0..4).map(Move) {
            let from = size.source(gap, m).unwrap_or(gap);
            let line = |cell: usize| match m {
                UP | DOWN => size.row(cell) as u8,
                _ => (size.rows + size.column(cell)) as u8,
            };
            crossed.push((line(from), line(gap)));
        }
    }
    crossed
}

impl<C: Cells> Heuristic<Tiles<C>> for LinearConflict {
    type Value = Value;

    fn admissibility(&self) -> Admissibility {
        Admissibility::Consistent
    }

    fn start(&self, puzzle: &Tiles<C>, board: &Board<C>) -> Value {
        let distance = self.manhattan.start(puzzle, board);
        let (mut conflict, mut lines) = (0, 0);
        for line in 0..self.size.rows + self.size.columns {
            let own = self.counted(board, line);
            conflict += own;
            if !self.table.is_empty() {
                lines |= own << (4 * line);
            }
        }
        Value { distance, conflict, lines }
    }

    #[inline(always)]
    fn step(&self, value: &Value, edge: &Edge<'_, Tiles<C>>, left: Cost) -> Result<Value, Cost> {
        let distance = value.distance.wrapping_add_signed(self.manhattan.change(edge));
        if distance > left {
            return Err(distance);
        }
        let (from, to) = self.crossed[usize::from(edge.parent.gap) << 2 | edge.m.index()];
        let (from, to) = (usize::from(from), usize::from(to));
        let child = edge.child();
        let mut stepped = Value { distance, ..*value };
        match child.cells.word() {
            Some(word) if !self.table.is_empty() => {
                for line in [from, to] {
                    let (new, shift) = (Cost::from(self.looked_up(word, line)), 4 * line);
                    let old = stepped.lines >> shift & 15;
                    stepped.conflict = stepped.conflict + new - old;
                    stepped.lines ^= (old ^ new) << shift;
                }
            }
            _ => {
                for line in [from, to] {
                    stepped.conflict =
                        stepped.conflict + self.counted(&child, line) - self.counted(edge.parent, line);
                }
            }
        }
        let h = stepped.distance + stepped.conflict;
        if h > left { Err(h) } else { Ok(stepped) }
    }

    #[inline]
    fn cost(&self, value: &Value) -> Cost {
        value.distance + value.conflict
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conflict(labels: &[u16]) -> Cost {
        let tiles =
            Tiles::<u64>::new(Goal::named(Size { rows: 3, columns: 3 }, "blank-last").expect("a known goal"));
        let names: Vec<u16> = labels.iter().map(|&label| tiles.goal().name(label)).collect();
        LinearConflict::new(tiles.goal()).start(&tiles, &tiles.board(&names)).conflict
    }

    #[test]
    fn conflicts_count_by_hand() {
        assert_eq!(conflict(&[1, 2, 3, 4, 5, 6, 7, 8, 0]), 0);
        assert_eq!(conflict(&[2, 1, 3, 4, 5, 6, 7, 8, 0]), 2, "one of 1 and 2 steps out");
        assert_eq!(conflict(&[3, 2, 1, 4, 5, 6, 7, 8, 0]), 4, "two of three step out");
        assert_eq!(conflict(&[4, 2, 3, 1, 5, 6, 7, 8, 0]), 2, "in a column");
        assert_eq!(conflict(&[8, 2, 3, 4, 5, 6, 7, 1, 0]), 0, "neither is in its home line with the other");
    }
}
