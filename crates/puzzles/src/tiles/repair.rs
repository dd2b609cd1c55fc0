//! Suggested corrections of a board with typing errors or with the wrong parity.

use untumble_search::frontend::{InputFormat, Parsed, Repair};

use super::{Cells, Tiles};
use crate::typo_repair::{exchange_change, repaired_boards};

/// Largest number of suggestions.
const MAX_SUGGESTIONS: usize = 3;

impl<C: Cells> Tiles<C> {
    /// See [`untumble_search::frontend::PuzzleText::repairs`].
    pub(super) fn suggest_repairs(&self, text: &str, format: &InputFormat) -> Vec<Repair> {
        if let Ok(Parsed::Position(board)) = self.parse_text(text, true, format) {
            let ids = self.tile_ids(&board);
            return if self.goal().reachable(&ids) { Vec::new() } else { self.swaps(&ids) };
        }
        let solvable_text = |labels: &[usize]| {
            let ids: Vec<u16> = labels.iter().map(|&label| self.goal().tile_id(label as u16)).collect();
            self.goal().reachable(&ids).then(|| self.format_line(&self.board(&ids)))
        };
        let all = repaired_boards(text, self.size().cells()).into_iter();
        all.filter_map(|board| {
            Some(Repair { position: solvable_text(&board.tiles)?, what: board.what, changes: board.changes })
        })
        .take(MAX_SUGGESTIONS)
        .collect()
    }

    /// Swaps of adjacent tiles, which change the parity; swaps that bring the tiles closest to home come
    /// first.
    fn swaps(&self, ids: &[u16]) -> Vec<Repair> {
        let (cells, columns) = (ids.len(), self.size().columns);
        let home = |cell: usize| {
            let home = self.goal().home(ids[cell].into());
            (home / columns, home % columns)
        };
        let distance = |(row, column): (usize, usize), cell: usize| {
            row.abs_diff(cell / columns) + column.abs_diff(cell % columns)
        };
        let horizontal = (0..cells).filter(|cell| cell % columns + 1 < columns).map(|cell| (cell, cell + 1));
        let vertical = (0..cells.saturating_sub(columns)).map(|cell| (cell, cell + columns));
        let mut pairs: Vec<(usize, usize)> =
            horizontal.chain(vertical).filter(|&(a, b)| ids[a] != 0 && ids[b] != 0).collect();
        pairs.sort_by_key(|&(a, b)| {
            let old_sum = distance(home(a), a) + distance(home(b), b);
            let new_sum = distance(home(a), b) + distance(home(b), a);
            (new_sum + cells - old_sum.min(new_sum + cells), a, b)
        });
        let swapped = |(a, b): (usize, usize)| {
            let mut swapped_ids = ids.to_vec();
            swapped_ids.swap(a, b);
            let label = |cell: usize| self.goal().label(ids[cell].into());
            Repair {
                position: self.format_line(&self.board(&swapped_ids)),
                what: format!("exchange {} and {}", label(a), label(b)),
                changes: vec![exchange_change([a, b].map(|cell| (label(cell).into(), cell)))],
            }
        };
        pairs.into_iter().take(MAX_SUGGESTIONS).map(swapped).collect()
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
                panic!("{repair:?} is not a board");
            };
            assert_eq!(tiles.check_solvable(&board), Ok(()), "{repair:?}");
        }
        all.into_iter().map(|repair| (repair.position, repair.what)).collect()
    }

    #[test]
    fn the_swap_that_brings_tiles_home_comes_first() {
        let first = |goal, text| repairs(goal, text).remove(0);
        let expected = |position: &str, what: &str| (position.to_owned(), what.to_owned());
        assert_eq!(
            first("blank-last", "1 2 3 4 5 6 8 7 0"),
            expected("1 2 3 4 5 6 7 8 0", "exchange 8 and 7")
        );
        assert_eq!(first("snail", "2 1 3 8 0 4 7 6 5"), expected("1 2 3 8 0 4 7 6 5", "exchange 2 and 1"));
        assert!(repairs("blank-last", "1 2 3 4 5 6 7 8 0").is_empty(), "the board is solvable");
    }

    #[test]
    fn only_solvable_corrections_are_suggested() {
        assert_eq!(
            repairs("blank-last", "1 2 3 4 5 6 7 7 0"),
            [("1 2 3 4 5 6 7 8 0".to_owned(), "make item 8 8 instead of 7".to_owned())]
        );
        assert_eq!(repairs("blank-last", "123456780").len(), 0);
        assert_eq!(repairs("blank-last", "12345678x").len(), 1);
        assert!(repairs("blank-last", "hello").is_empty());
    }
}
