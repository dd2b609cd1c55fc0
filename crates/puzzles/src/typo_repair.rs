//! Suggested repairs of boards of numbered tiles in which one or two tiles are mistyped.

use untumble_search::error::{PieceKind, PieceRef};
use untumble_search::frontend::{Change, ChangeKind};

use crate::sequence::is_space;

/// The exchange of two tiles, each given with its cell.
pub(crate) fn exchange_change(tiles: [(usize, usize); 2]) -> Change {
    let piece = |(tile, cell): (usize, usize)| PieceRef::new(PieceKind::Tile, tile.to_string(), [cell]);
    Change { kind: ChangeKind::Exchange, pieces: tiles.map(piece).to_vec() }
}

/// Cells of the largest board to repair. Larger boards come from programs, which make no typing errors.
const MAX_CELLS: usize = 256;
/// Boards of up to this many cells may be written with one character per tile.
const MAX_COMPACT_CELLS: usize = 16;

/// A board that differs from the given one in one or two tiles.
pub(crate) struct RepairedBoard {
    /// The tile of each cell in reading order.
    pub(crate) tiles: Vec<usize>,
    /// The changes as a sentence.
    pub(crate) what: String,
    /// The changes as values.
    pub(crate) changes: Vec<Change>,
}

/// All boards obtained by writing the one or two missing tiles in place of duplicates and invalid tiles.
pub(crate) fn repaired_boards(text: &str, cells: usize) -> Vec<RepairedBoard> {
    let Some(found) = parse_items(text, cells) else { return Vec::new() };
    let count = |tile: usize| found.iter().filter(|&&other| other == Some(tile)).count();
    let missing: Vec<usize> = (0..cells).filter(|&tile| count(tile) == 0).collect();
    let suspects: Vec<usize> =
        (0..cells).filter(|&cell| found[cell].is_none_or(|tile| count(tile) > 1)).collect();
    let mut boards = Vec::new();
    match missing[..] {
        [one] => suspects.iter().for_each(|&cell| boards.extend(replace(&found, &[(cell, one)]))),
        [one, other] => {
            for &first in &suspects {
                for &second in suspects.iter().filter(|&&second| second != first) {
                    boards.extend(replace(&found, &[(first, one), (second, other)]));
                }
            }
        }
        _ => {}
    }
    boards
}

/// Writes each (cell, tile) of `replacements` into the board; `None` unless every tile then occurs once.
fn replace(found: &[Option<usize>], replacements: &[(usize, usize)]) -> Option<RepairedBoard> {
    let mut tiles = found.to_vec();
    replacements.iter().for_each(|&(cell, tile)| tiles[cell] = Some(tile));
    let mut seen = vec![false; tiles.len()];
    let tiles: Vec<usize> = tiles.into_iter().collect::<Option<_>>()?;
    if tiles.iter().any(|&tile| std::mem::replace(&mut seen[tile], true)) {
        return None;
    }
    let describe = |&(cell, tile): &(usize, usize)| match found[cell] {
        Some(old_tile) => format!("make item {} {tile} instead of {old_tile}", cell + 1),
        None => format!("make item {} {tile}", cell + 1),
    };
    let change = |&(cell, tile): &(usize, usize)| {
        let cell = PieceRef::new(PieceKind::Cell, (cell + 1).to_string(), [cell]).showing(tile.to_string());
        Change { kind: ChangeKind::Replace, pieces: vec![cell] }
    };
    let what = replacements.iter().map(describe).collect::<Vec<_>>().join(", ");
    Some(RepairedBoard { tiles, what, changes: replacements.iter().map(change).collect() })
}

/// The tile of each cell, or `None` for an invalid tile. Returns `None` unless there is one item per cell.
fn parse_items(text: &str, cells: usize) -> Option<Vec<Option<usize>>> {
    if cells > MAX_CELLS {
        return None;
    }
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or(""));
    let items: Vec<&str> = lines
        .flat_map(|line| line.split(|c: char| is_space(c) || matches!(c, ',' | '/' | ';' | '|' | '[' | ']')))
        .filter(|item| !item.is_empty())
        .take(cells + 2)
        .collect();
    let valid = |number: Option<usize>| number.filter(|&tile| tile < cells);
    let is_gap = |item: &str| matches!(item, "_" | "." | "-");
    let tile = |item: &str| if is_gap(item) { Some(0) } else { item.parse().ok() };
    match items[..] {
        [compact] if cells <= MAX_COMPACT_CELLS && compact.chars().count() == cells => {
            let tile = |c: char| if c == '_' { Some(0) } else { c.to_digit(36).map(|digit| digit as usize) };
            Some(compact.chars().map(|c| valid(tile(c))).collect())
        }
        // An additional first item is the size of the board or the number of the instance.
        _ if items.len() == cells || items.len() == cells + 1 => {
            Some(items[items.len() - cells..].iter().map(|item| valid(tile(item))).collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_tiles_replace_duplicate_and_invalid_ones() {
        let repairs =
            |text: &str| repaired_boards(text, 4).into_iter().map(|board| board.what).collect::<Vec<_>>();
        assert_eq!(repairs("1 2 2 0"), ["make item 2 3 instead of 2", "make item 3 3 instead of 2"]);
        assert_eq!(repairs("1 2 x 0"), ["make item 3 3"]);
        assert_eq!(repairs("2\n1 2\n9 0"), ["make item 3 3"]);
        assert_eq!(repairs("1 1 2 2").len(), 8, "two of four cells, two orders each");
        assert!(repairs("1 2 3").is_empty() && repairs("0 0 0 0").is_empty());
        assert!(repairs("1 2 3 0").is_empty(), "a complete board needs no repair");
        assert_eq!(repaired_boards("12x0", 4)[0].tiles, [1, 2, 3, 0]);
    }
}
