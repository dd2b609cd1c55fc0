//! Text rendering of a board.

use super::{Balto, Board};

const GREEN: &str = "\x1b[32m";
const PLAIN: &str = "\x1b[0m";

impl Balto {
    /// One line per row, indented to a hexagon; the empty cell is a dot. With `colour`, tiles at home
    /// are green.
    pub(super) fn picture(&self, board: &Board, colour: bool) -> String {
        let lattice = self.lattice();
        let digits = (lattice.cells() - 1).to_string().len();
        // Even, so that rows can be indented by half a cell.
        let pitch = (digits + 1).next_multiple_of(2);
        let tiles = self.tiles(board);
        let cells: Vec<String> = tiles
            .iter()
            .zip(lattice.reading_order())
            .map(|(&tile, &cell)| {
                let text = if tile == 0 { "·".to_owned() } else { tile.to_string() };
                let text = format!("{text:>pitch$}");
                let is_home = tile != 0 && board.cells[usize::from(cell)] == cell;
                if colour && is_home { format!("{GREEN}{text}{PLAIN}") } else { text }
            })
            .collect();
        let longest = 2 * lattice.side() - 1;
        let mut rest = &cells[..];
        let mut lines = Vec::new();
        for length in lattice.rows() {
            let (row, after) = rest.split_at(length);
            rest = after;
            lines.push(" ".repeat((longest - length) * pitch / 2) + &row.concat());
        }
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use untumble_search::puzzle::Puzzle;

    #[test]
    fn side_3_is_drawn_as_a_hexagon() {
        let balto = Balto::new(3);
        let solved = balto.solved();
        let picture = "       1   2   3
     4   5   6   7
   8   9   ·  10  11
    12  13  14  15
      16  17  18";
        let drawn = balto.picture(&solved, false);
        assert_eq!(drawn, picture);
        assert_eq!(balto.picture(&solved, true).matches(GREEN).count(), 18);
    }
}
