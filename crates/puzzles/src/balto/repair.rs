//! Suggestions for boards with a typo or wrong parity.

use untumble_search::frontend::{InputFormat, Parsed, PuzzleText, Repair};

use super::{Balto, Board};
use crate::typo_repair::{exchange_change, repaired_boards};

const MAX_SUGGESTIONS: usize = 3;

impl Balto {
    /// See [`PuzzleText::repairs`].
    pub(super) fn suggest_repairs(&self, text: &str, input: &InputFormat) -> Vec<Repair> {
        if let Ok(Parsed::Position(board)) = self.parse_text(text, true, input) {
            return if self.check_solvable(&board).is_ok() {
                Vec::new()
            } else {
                self.parity_repairs(&board)
            };
        }
        let solvable_text = |tiles: &[usize]| {
            let line: Vec<String> = tiles.iter().map(ToString::to_string).collect();
            let line = line.join(" ");
            match self.parse_text(&line, true, &InputFormat::default()) {
                Ok(Parsed::Position(board)) if self.check_solvable(&board).is_ok() => Some(self.text(&board)),
                _ => None,
            }
        };
        repaired_boards(text, self.lattice().cells())
            .into_iter()
            .filter_map(|board| {
                let position = solvable_text(&board.tiles)?;
                Some(Repair { position, what: board.what, changes: board.changes })
            })
            .take(MAX_SUGGESTIONS)
            .collect()
    }

    /// Exchanges of two adjacent tiles, which repair the parity; first the exchanges that bring both
    /// tiles nearest to their homes, because such tiles were most likely mixed up.
    fn parity_repairs(&self, board: &Board) -> Vec<Repair> {
        let lattice = self.lattice();
        let content = |cell: u16| board.cells()[usize::from(cell)];
        let distance = |cell: u16, home: u16| i64::from(lattice.distance(cell, home));
        // Three of the six directions give each pair once.
        let cells = 0..lattice.cells() as u16;
        let pairs = cells.flat_map(|cell| {
            let offsets = lattice.neighbour_offsets().into_iter().take(3);
            offsets.map(move |offset| (cell, lattice.translate(cell, offset)))
        });
        let empty_cell = board.empty_cell();
        let mut pairs: Vec<(u16, u16)> = pairs.filter(|&(a, b)| a != empty_cell && b != empty_cell).collect();
        pairs.sort_by_key(|&(a, b)| {
            let before = distance(a, content(a)) + distance(b, content(b));
            let after = distance(a, content(b)) + distance(b, content(a));
            (after - before, a, b)
        });
        let tiles = self.tiles(board);
        let index = |cell: u16| lattice.reading_order().iter().position(|&other| other == cell).unwrap_or(0);
        let tile = |cell: u16| tiles[index(cell)];
        let exchanged = |(a, b): (u16, u16)| {
            let mut cells: Box<[u16]> = board.cells().into();
            cells.swap(a.into(), b.into());
            let what = format!("exchange {} and {}", tile(a), tile(b));
            let changes = vec![exchange_change([a, b].map(|cell| (tile(cell), index(cell))))];
            Repair { position: self.text(&self.board(cells)), what, changes }
        };
        pairs.into_iter().take(MAX_SUGGESTIONS).map(exchanged).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repairs(text: &str) -> Vec<(String, String)> {
        let balto = Balto::new(2);
        let all = balto.repairs(text, &InputFormat::default());
        for repair in &all {
            let Ok(Parsed::Position(board)) = balto.parse(&repair.position, true, &InputFormat::default())
            else {
                panic!("{repair:?} is not a board");
            };
            assert_eq!(balto.check_solvable(&board), Ok(()), "{repair:?}");
        }
        all.into_iter().map(|repair| (repair.position, repair.what)).collect()
    }

    #[test]
    fn the_exchange_nearest_to_home_comes_first() {
        let solved = "1 2 3 0 4 5 6";
        assert!(repairs(solved).is_empty(), "a solvable board needs no repair");
        let all = repairs("2 1 3 0 4 5 6");
        assert_eq!(all[0].0, solved);
        assert!(all[0].1 == "exchange 2 and 1" || all[0].1 == "exchange 1 and 2", "{all:?}");
    }

    #[test]
    fn a_duplicate_tile_is_replaced_by_the_missing_one() {
        assert_eq!(repairs("1 2 3 0 4 5 5"), [("1 2 3 0 4 5 6".into(), "make item 7 6 instead of 5".into())]);
        assert!(repairs("1 2 3").is_empty());
    }
}
