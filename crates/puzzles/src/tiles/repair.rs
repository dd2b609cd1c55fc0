//! Boards near one that is none or cannot be solved.

use untumble_search::frontend::{InputFormat, Parsed, Repair};

use super::{Cells, Tiles};
use crate::mending::{exchange, mended};

/// More would be no help.
const MOST: usize = 3;

impl<C: Cells> Tiles<C> {
    /// See [`untumble_search::frontend::PuzzleText::repairs`].
    pub(super) fn near(&self, text: &str, form: &InputFormat) -> Vec<Repair> {
        if let Ok(Parsed::Position(board)) = self.parse_text(text, true, form) {
            let names = self.names(&board);
            return if self.goal().reachable(&names) { Vec::new() } else { self.exchanges(&names) };
        }
        let named = |tiles: &[usize]| {
            let names: Vec<u16> = tiles.iter().map(|&tile| self.goal().name(tile as u16)).collect();
            self.goal().reachable(&names).then(|| self.line(&self.board(&names)))
        };
        let all = mended(text, self.size().cells()).into_iter();
        all.filter_map(|board| {
            Some(Repair { position: named(&board.tiles)?, what: board.what, changes: board.changes })
        })
        .take(MOST)
        .collect()
    }

    /// Neighbours exchanged: those that come nearest to their homes by it, which were likely mixed up.
    fn exchanges(&self, names: &[u16]) -> Vec<Repair> {
        let (cells, columns) = (names.len(), self.size().columns);
        let home = |cell: usize| {
            let home = self.goal().home(names[cell].into());
            (home / columns, home % columns)
        };
        let far = |(row, column): (usize, usize), cell: usize| {
            row.abs_diff(cell / columns) + column.abs_diff(cell % columns)
        };
        let beside = (0..cells).filter(|cell| cell % columns + 1 < columns).map(|cell| (cell, cell + 1));
        let below = (0..cells.saturating_sub(columns)).map(|cell| (cell, cell + columns));
        let mut pairs: Vec<(usize, usize)> =
            beside.chain(below).filter(|&(a, b)| names[a] != 0 && names[b] != 0).collect();
        pairs.sort_by_key(|&(a, b)| {
            let (before, after) = (far(home(a), a) + far(home(b), b), far(home(a), b) + far(home(b), a));
            (after + cells - before.min(after + cells), a, b)
        });
        let exchanged = |(a, b): (usize, usize)| {
            let mut other = names.to_vec();
            other.swap(a, b);
            let label = |cell: usize| self.goal().label(names[cell].into());
            Repair {
                position: self.line(&self.board(&other)),
                what: format!("exchange {} and {}", label(a), label(b)),
                changes: vec![exchange([a, b].map(|cell| (label(cell).into(), cell)))],
            }
        };
        pairs.into_iter().take(MOST).map(exchanged).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Goal, Size};
    use super::*;
    use untumble_search::frontend::PuzzleText;

    fn repairs(goal: &str, text: &str) -> Vec<(String, String)> {
        let tiles = Tiles::<u64>::new(Goal::named(Size { rows: 3, columns: 3 }, goal).expect("a goal"));
        let all = tiles.repairs(text, &InputFormat::default());
        for repair in &all {
            let Ok(Parsed::Position(board)) = tiles.parse(&repair.position, true, &InputFormat::default())
            else {
                panic!("{repair:?} is no board");
            };
            assert_eq!(tiles.check(&board), Ok(()), "{repair:?}");
        }
        all.into_iter().map(|repair| (repair.position, repair.what)).collect()
    }

    #[test]
    fn the_likeliest_exchange_comes_first() {
        let first = |goal, text| repairs(goal, text).remove(0);
        let expected = |position: &str, what: &str| (position.to_owned(), what.to_owned());
        assert_eq!(
            first("blank-last", "1 2 3 4 5 6 8 7 0"),
            expected("1 2 3 4 5 6 7 8 0", "exchange 8 and 7")
        );
        assert_eq!(first("snail", "2 1 3 8 0 4 7 6 5"), expected("1 2 3 8 0 4 7 6 5", "exchange 2 and 1"));
        assert!(repairs("blank-last", "1 2 3 4 5 6 7 8 0").is_empty(), "nothing is wrong");
    }

    #[test]
    fn of_two_ways_to_fill_in_a_tile_one_can_be_solved() {
        assert_eq!(
            repairs("blank-last", "1 2 3 4 5 6 7 7 0"),
            [("1 2 3 4 5 6 7 8 0".to_owned(), "make item 8 8 instead of 7".to_owned())]
        );
        assert_eq!(repairs("blank-last", "123456780").len(), 0);
        assert_eq!(repairs("blank-last", "12345678x").len(), 1);
        assert!(repairs("blank-last", "hello").is_empty());
    }
}
