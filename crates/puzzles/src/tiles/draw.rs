//! Drawing a board with box characters.

use super::{Board, Cells, Tiles};

const GREEN: &str = "\x1b[32m";
const PLAIN: &str = "\x1b[0m";

impl<C: Cells> Tiles<C> {
    /// A grid of right-aligned labels, with an empty cell for the blank; with `colour`, tiles at home are
    /// green.
    pub(super) fn picture(&self, board: &Board<C>, colour: bool) -> String {
        let size = self.size();
        let width = (size.cells() - 1).to_string().len();
        let rule = |left: &str, cross: &str, right: &str| {
            format!("{left}{}{right}", vec!["─".repeat(width + 2); size.columns].join(cross))
        };
        let labels: Vec<u16> = self.labels(board).collect();
        let tile = |cell: usize| {
            let label = labels[cell];
            let text = if label == 0 { String::new() } else { label.to_string() };
            if colour && label != 0 && label == self.goal().labels()[cell] {
                format!(" {GREEN}{text:>width$}{PLAIN} ")
            } else {
                format!(" {text:>width$} ")
            }
        };
        let mut lines = vec![rule("┌", "┬", "┐")];
        for row in 0..size.rows {
            if row > 0 {
                lines.push(rule("├", "┼", "┤"));
            }
            let cells = row * size.columns..(row + 1) * size.columns;
            lines.push(format!("│{}│", cells.map(tile).collect::<Vec<_>>().join("│")));
        }
        lines.push(rule("└", "┴", "┘"));
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Goal, Size};
    use super::*;

    fn board(ids: [u16; 9]) -> (Tiles<u64>, Board<u64>) {
        let goal = Goal::named(Size { rows: 3, columns: 3 }, "blank-first").expect("a known goal");
        let tiles = Tiles::new(goal);
        let board = tiles.board(&ids);
        (tiles, board)
    }

    #[test]
    fn a_board_is_drawn_as_a_grid() {
        let (tiles, board) = board([8, 1, 2, 3, 0, 5, 6, 7, 4]);
        let picture = "\
┌───┬───┬───┐
│ 8 │ 1 │ 2 │
├───┼───┼───┤
│ 3 │   │ 5 │
├───┼───┼───┤
│ 6 │ 7 │ 4 │
└───┴───┴───┘";
        assert_eq!(tiles.picture(&board, false), picture);
    }

    #[test]
    fn tiles_at_home_are_green() {
        let (tiles, board) = board([1, 0, 2, 3, 4, 5, 6, 7, 8]);
        let picture = tiles.picture(&board, true);
        assert_eq!(picture.lines().nth(1), Some("│ 1 │   │ \x1b[32m2\x1b[0m │"));
        assert_eq!(picture.matches(GREEN).count(), 7);
    }

    #[test]
    fn lines_have_equal_width_on_any_size() {
        for (rows, columns) in [(2, 2), (4, 4), (2, 6), (64, 64)] {
            let goal = Goal::named(Size { rows, columns }, "snail").expect("a known goal");
            let tiles = Tiles::<Box<[u16]>>::new(goal);
            let solved = tiles.board(&tiles.goal().solved());
            let picture = tiles.picture(&solved, false);
            let widths: Vec<usize> = picture.lines().map(|line| line.chars().count()).collect();
            assert_eq!(widths.len(), 2 * rows + 1);
            assert!(widths.iter().all(|&width| width == widths[0]), "{rows}x{columns}");
        }
    }
}
