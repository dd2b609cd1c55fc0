//! Boards near one that is none or cannot be solved.

use untumble_search::frontend::{InputFormat, Parsed, PuzzleText, Repair};

use super::{Balto, Board};
use crate::mending::{exchange, mended};

/// More would be no help.
const MOST: usize = 3;

impl Balto {
    /// See [`PuzzleText::repairs`].
    pub(super) fn near(&self, text: &str, form: &InputFormat) -> Vec<Repair> {
        if let Ok(Parsed::Position(board)) = self.parse_text(text, true, form) {
            return if self.check(&board).is_ok() { Vec::new() } else { self.exchanges(&board) };
        }
        let read = |tiles: &[usize]| {
            let line: Vec<String> = tiles.iter().map(ToString::to_string).collect();
            let line = line.join(" ");
            match self.parse_text(&line, true, &InputFormat::default()) {
                Ok(Parsed::Position(board)) if self.check(&board).is_ok() => Some(self.text(&board)),
                _ => None,
            }
        };
        let all = mended(text, self.lattice().cells()).into_iter();
        all.filter_map(|board| {
            Some(Repair { position: read(&board.tiles)?, what: board.what, changes: board.changes })
        })
        .take(MOST)
        .collect()
    }

    /// Neighbours exchanged: those that come nearest to their homes by it, which were likely mixed up.
    fn exchanges(&self, board: &Board) -> Vec<Repair> {
        let lattice = self.lattice();
        let held = |cell: u16| board.cells()[usize::from(cell)];
        let far = |cell: u16, home: u16| i64::from(lattice.distance(cell, home));
        // Three of the six neighbours make each pair once.
        let cells = 0..lattice.cells() as u16;
        let pairs = cells.flat_map(|cell| {
            lattice.ring().into_iter().take(3).map(move |step| (cell, lattice.plus(cell, step)))
        });
        let mut pairs: Vec<(u16, u16)> =
            pairs.filter(|&(a, b)| a != board.hole() && b != board.hole()).collect();
        pairs.sort_by_key(|&(a, b)| {
            (far(a, held(b)) + far(b, held(a)) - far(a, held(a)) - far(b, held(b)), a, b)
        });
        let tiles = self.tiles(board);
        let place = |cell: u16| lattice.order().iter().position(|&other| other == cell).unwrap_or(0);
        let tile = |cell: u16| tiles[place(cell)];
        let exchanged = |(a, b): (u16, u16)| {
            let mut cells: Box<[u16]> = board.cells().into();
            cells.swap(a.into(), b.into());
            let what = format!("exchange {} and {}", tile(a), tile(b));
            let changes = vec![exchange([a, b].map(|cell| (tile(cell), place(cell))))];
            Repair { position: self.text(&self.board(cells)), what, changes }
        };
        pairs.into_iter().take(MOST).map(exchanged).collect()
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
                panic!("{repair:?} is no board");
            };
            assert_eq!(balto.check(&board), Ok(()), "{repair:?}");
        }
        all.into_iter().map(|repair| (repair.position, repair.what)).collect()
    }

    #[test]
    fn the_likeliest_exchange_comes_first() {
        let solved = "1 2 3 0 4 5 6";
        assert!(repairs(solved).is_empty(), "nothing is wrong");
        let all = repairs("2 1 3 0 4 5 6");
        assert_eq!(all[0].0, solved);
        assert!(all[0].1 == "exchange 2 and 1" || all[0].1 == "exchange 1 and 2", "{all:?}");
    }

    #[test]
    fn a_tile_that_is_there_twice_makes_room() {
        assert_eq!(repairs("1 2 3 0 4 5 5"), [("1 2 3 0 4 5 6".into(), "make item 7 6 instead of 5".into())]);
        assert!(repairs("1 2 3").is_empty());
    }
}
