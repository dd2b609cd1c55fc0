//! Manhattan distance plus linear conflicts (Hansson, Mayer & Yung, "Criticizing solutions to relaxed models
//! yields powerful admissible heuristics", Information Sciences 63, 1992).
//!
//! Two tiles conflict if both are in their home line (row or column) in reversed order: one of them must
//! leave the line and return, which adds two moves. At least all tiles of the line outside a longest
//! increasing subsequence of home positions must leave it. A move within a line changes no order in that
//! line, so only the two lines that the tile leaves and enters are evaluated again. On boards of up to 4×4
//! the conflict of a line is read from a table indexed by the line's 16 bits.

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
    /// The conflict of a line, by `line << 16 | contents of the line`, 4 bits per cell; lines are the rows,
    /// then the columns. Empty on boards with a side of more than four cells.
    table: Vec<u8>,
    /// The lines that the sliding tile leaves and enters, by `blank << 2 | move`.
    changed_lines: Vec<(u8, u8)>,
}

/// The value that a node carries.
#[derive(Clone, Copy, Debug)]
pub struct ConflictValue {
    /// The Manhattan distance.
    distance: Cost,
    /// The sum of the conflicts of all lines.
    conflict: Cost,
    /// The conflict of each line, 4 bits each: rows, then columns. Used only on boards with a table.
    lines: u32,
}

const LINE_BITS: usize = 16;
const MAX_TABLE_SIDE: usize = 4;

impl LinearConflict {
    /// Builds the tables for one goal.
    pub fn new(goal: &Goal) -> LinearConflict {
        let size = goal.size();
        let home = (0..size.cells()).map(|tile| goal.home(tile) as u16).collect();
        let mut heuristic = LinearConflict {
            manhattan: Manhattan::new(goal),
            size,
            home,
            table: Vec::new(),
            changed_lines: changed_lines(size),
        };
        if size.rows <= MAX_TABLE_SIDE && size.columns <= MAX_TABLE_SIDE {
            heuristic.table = heuristic.tabulate();
        }
        heuristic
    }

    /// Computes `table`.
    fn tabulate(&self) -> Vec<u8> {
        let mut table = vec![0; (self.size.rows + self.size.columns) << LINE_BITS];
        for line in 0..self.size.rows + self.size.columns {
            let length = if line < self.size.rows { self.size.columns } else { self.size.rows };
            for code in 0..1usize << (4 * length) {
                let tiles_in_line = (0..length).map(|position| code >> (4 * position) & 15);
                let conflict = self.conflict(line, tiles_in_line.filter(|&tile| tile < self.size.cells()));
                table[line << LINE_BITS | code] = conflict as u8;
            }
        }
        table
    }

    /// Twice the number of tiles that must leave the line.
    fn conflict(&self, line: usize, tiles_in_line: impl Iterator<Item = usize>) -> Cost {
        // Patience sorting: the smallest last element of an increasing subsequence, by its length − 1.
        let mut tails = [0u16; Size::MAX_SEARCH_SIDE];
        let (mut longest, mut tiles) = (0, 0);
        for tile in tiles_in_line.filter(|&tile| tile != 0) {
            let home = usize::from(self.home[tile]);
            let (home_line, position) = if line < self.size.rows {
                (self.size.row(home), self.size.column(home))
            } else {
                (self.size.rows + self.size.column(home), self.size.row(home))
            };
            if home_line != line {
                continue;
            }
            tiles += 1;
            let length = tails[..longest].iter().position(|&tail| tail >= position as u16).unwrap_or(longest);
            tails[length] = position as u16;
            longest = longest.max(length + 1);
        }
        2 * (tiles - longest) as Cost
    }

    /// The cell at a position of a line.
    #[inline]
    fn cell(&self, line: usize, position: usize) -> usize {
        if line < self.size.rows {
            line * self.size.columns + position
        } else {
            position * self.size.columns + line - self.size.rows
        }
    }

    /// The conflict of a line, without the table.
    fn conflict_of_line<C: Cells>(&self, board: &Board<C>, line: usize) -> Cost {
        let length = if line < self.size.rows { self.size.columns } else { self.size.rows };
        self.conflict(line, (0..length).map(|position| board.cells.get(self.cell(line, position))))
    }

    /// The conflict of a line, from the table.
    #[inline]
    fn conflict_from_table(&self, word: u64, line: usize) -> u8 {
        let Size { rows, columns } = self.size;
        let code = if line < rows {
            word >> (4 * columns * line) & ((1 << (4 * columns)) - 1)
        } else if rows == 4 && columns == 4 {
            // Gathers every fourth nibble in the top 16 bits.
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

/// The lines that the sliding tile leaves and enters, by `blank << 2 | move`: rows for vertical moves,
/// columns for horizontal ones.
fn changed_lines(size: Size) -> Vec<(u8, u8)> {
    let mut lines = Vec::new();
    for blank in 0..size.cells() {
        for m in (0..4).map(Move) {
            let from = size.sliding_cell(blank, m).unwrap_or(blank);
            let line = |cell: usize| match m {
                UP | DOWN => size.row(cell) as u8,
                _ => (size.rows + size.column(cell)) as u8,
            };
            lines.push((line(from), line(blank)));
        }
    }
    lines
}

impl<C: Cells> Heuristic<Tiles<C>> for LinearConflict {
    type Value = ConflictValue;

    fn admissibility(&self) -> Admissibility {
        Admissibility::Consistent
    }

    fn start(&self, puzzle: &Tiles<C>, board: &Board<C>) -> ConflictValue {
        let distance = self.manhattan.start(puzzle, board);
        let (mut conflict, mut lines) = (0, 0);
        for line in 0..self.size.rows + self.size.columns {
            let line_conflict = self.conflict_of_line(board, line);
            conflict += line_conflict;
            if !self.table.is_empty() {
                lines |= line_conflict << (4 * line);
            }
        }
        ConflictValue { distance, conflict, lines }
    }

    #[inline(always)]
    fn step(
        &self,
        value: &ConflictValue,
        edge: &Edge<'_, Tiles<C>>,
        budget: Cost,
    ) -> Result<ConflictValue, Cost> {
        let distance = value.distance.wrapping_add_signed(self.manhattan.change(edge));
        if distance > budget {
            return Err(distance);
        }
        let (old_line, new_line) = self.changed_lines[usize::from(edge.parent.blank) << 2 | edge.m.index()];
        let changed_lines = [usize::from(old_line), usize::from(new_line)];
        let child = edge.child();
        let mut next = ConflictValue { distance, ..*value };
        match child.cells.word() {
            Some(word) if !self.table.is_empty() => {
                for line in changed_lines {
                    let (new, shift) = (Cost::from(self.conflict_from_table(word, line)), 4 * line);
                    let old = next.lines >> shift & 15;
                    next.conflict = next.conflict + new - old;
                    next.lines ^= (old ^ new) << shift;
                }
            }
            _ => {
                for line in changed_lines {
                    next.conflict = next.conflict + self.conflict_of_line(&child, line)
                        - self.conflict_of_line(edge.parent, line);
                }
            }
        }
        let h = next.distance + next.conflict;
        if h > budget { Err(h) } else { Ok(next) }
    }

    #[inline]
    fn cost(&self, value: &ConflictValue) -> Cost {
        value.distance + value.conflict
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conflict(labels: &[u16]) -> Cost {
        let tiles =
            Tiles::<u64>::new(Goal::named(Size { rows: 3, columns: 3 }, "blank-last").expect("a known goal"));
        let ids: Vec<u16> = labels.iter().map(|&label| tiles.goal().tile_id(label)).collect();
        LinearConflict::new(tiles.goal()).start(&tiles, &tiles.board(&ids)).conflict
    }

    #[test]
    fn conflicts_equal_those_counted_by_hand() {
        assert_eq!(conflict(&[1, 2, 3, 4, 5, 6, 7, 8, 0]), 0);
        assert_eq!(conflict(&[2, 1, 3, 4, 5, 6, 7, 8, 0]), 2, "1 or 2 leaves the row");
        assert_eq!(conflict(&[3, 2, 1, 4, 5, 6, 7, 8, 0]), 4, "two of three leave the row");
        assert_eq!(conflict(&[4, 2, 3, 1, 5, 6, 7, 8, 0]), 2, "in a column");
        assert_eq!(conflict(&[8, 2, 3, 4, 5, 6, 7, 1, 0]), 0, "1 and 8 do not share a home line");
    }
}
