//! Boards of numbered tiles with a mistake in them, and what may have been meant.

use untumble_search::error::{PieceKind, PieceRef};
use untumble_search::frontend::{Change, ChangeKind};

/// The exchange of two tiles, each with its cell.
pub(crate) fn exchange(tiles: [(usize, usize); 2]) -> Change {
    let piece = |(tile, cell): (usize, usize)| PieceRef::new(PieceKind::Tile, tile.to_string(), [cell]);
    Change { kind: ChangeKind::Exchange, pieces: tiles.map(piece).to_vec() }
}

/// Boards larger than this are not mended: nobody types them.
const MOST_CELLS: usize = 256;
/// One character per tile can write boards of up to this many cells.
const MOST_DIGITS: usize = 16;

/// A board near the one that was written.
pub(crate) struct Mended {
    /// The tile in each cell, in reading order.
    pub(crate) tiles: Vec<usize>,
    /// What was changed, in words.
    pub(crate) what: String,
    /// The same for programs.
    pub(crate) changes: Vec<Change>,
}

/// The boards that come of a text in which one or two tiles are wrong: those that are there twice, or are no tiles,
/// make room for those that are missing.
pub(crate) fn mended(text: &str, cells: usize) -> Vec<Mended> {
    let Some(found) = numbers(text, cells) else { return Vec::new() };
    let count = |tile: usize| found.iter().filter(|&&other| other == Some(tile)).count();
    let missing: Vec<usize> = (0..cells).filter(|&tile| count(tile) == 0).collect();
    let wrong: Vec<usize> =
        (0..cells).filter(|&cell| found[cell].is_none_or(|tile| count(tile) > 1)).collect();
    let mut all = Vec::new();
    match missing[..] {
        [one] => wrong.iter().for_each(|&cell| all.extend(with(&found, &[(cell, one)]))),
        [one, other] => {
            for &first in &wrong {
                for &second in wrong.iter().filter(|&&second| second != first) {
                    all.extend(with(&found, &[(first, one), (second, other)]));
                }
            }
        }
        _ => {}
    }
    all
}

/// The board with other tiles in some cells, if each tile is there once then.
fn with(found: &[Option<usize>], changes: &[(usize, usize)]) -> Option<Mended> {
    let mut tiles = found.to_vec();
    changes.iter().for_each(|&(cell, tile)| tiles[cell] = Some(tile));
    let mut seen = vec![false; tiles.len()];
    let tiles: Vec<usize> = tiles.into_iter().collect::<Option<_>>()?;
    if tiles.iter().any(|&tile| std::mem::replace(&mut seen[tile], true)) {
        return None;
    }
    let change = |&(cell, tile): &(usize, usize)| match found[cell] {
        Some(before) => format!("make item {} {tile} instead of {before}", cell + 1),
        None => format!("make item {} {tile}", cell + 1),
    };
    let replace = |&(cell, tile): &(usize, usize)| {
        let cell = PieceRef::new(PieceKind::Cell, (cell + 1).to_string(), [cell]).showing(tile.to_string());
        Change { kind: ChangeKind::Replace, pieces: vec![cell] }
    };
    let what = changes.iter().map(change).collect::<Vec<_>>().join(", ");
    Some(Mended { tiles, what, changes: changes.iter().map(replace).collect() })
}

/// The tile in each cell as far as it is one; nothing where the text has not as many items as the board has cells.
fn numbers(text: &str, cells: usize) -> Option<Vec<Option<usize>>> {
    if cells > MOST_CELLS {
        return None;
    }
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or(""));
    let words: Vec<&str> = lines
        .flat_map(|line| line.split(|c: char| c.is_whitespace() || c == ',' || c == '/'))
        .filter(|word| !word.is_empty())
        .take(cells + 2)
        .collect();
    let tile = |number: Option<usize>| number.filter(|&tile| tile < cells);
    match words[..] {
        [word] if cells <= MOST_DIGITS && word.chars().count() == cells => {
            Some(word.chars().map(|c| tile(c.to_digit(36).map(|digit| digit as usize))).collect())
        }
        // A size or an instance number stands in front.
        _ if words.len() == cells || words.len() == cells + 1 => {
            Some(words[words.len() - cells..].iter().map(|word| tile(word.parse().ok())).collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_twice_makes_room_for_what_is_missing() {
        let said = |text: &str| mended(text, 4).into_iter().map(|board| board.what).collect::<Vec<_>>();
        assert_eq!(said("1 2 2 0"), ["make item 2 3 instead of 2", "make item 3 3 instead of 2"]);
        assert_eq!(said("1 2 x 0"), ["make item 3 3"]);
        assert_eq!(said("2\n1 2\n9 0"), ["make item 3 3"]);
        assert_eq!(said("1 1 2 2").len(), 8, "two of four, either way round");
        assert!(said("1 2 3").is_empty() && said("0 0 0 0").is_empty() && said("1 2 3 0").is_empty());
        assert_eq!(mended("12x0", 4)[0].tiles, [1, 2, 3, 0]);
    }
}
