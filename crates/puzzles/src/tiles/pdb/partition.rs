//! Which tiles go together: a partition of a board's tiles, named by sizes or tile by tile.

use untumble_search::error::Error;
use untumble_search::spec::SpecError;

use crate::tiles::{Goal, Size};

/// The most patterns a partition may have.
pub(super) const MOST_PATTERNS: usize = 8;
/// The most tiles a pattern may have.
pub(super) const MOST_TILES: usize = 8;

/// The partitions in use since Korf and Felner (2002), for the gap's home in the first cell.
const CLASSIC: &[(Size, &[&[usize]])] = &[
    (Size { rows: 4, columns: 4 }, &[&[3, 6, 7, 10, 11, 15], &[1, 2, 4, 5, 8, 9], &[12, 13, 14]]),
    (
        Size { rows: 5, columns: 5 },
        &[&[1, 2, 5, 6, 7, 12], &[3, 4, 8, 9, 13, 14], &[10, 11, 15, 16, 20, 21], &[17, 18, 19, 22, 23, 24]],
    ),
];

/// The home cells of each pattern of more than one tile, as `text` says: `7-8` by sizes, `1.2.5/3.4` tile by tile.
/// Tiles that are left out count by themselves.
pub(super) fn read(goal: &Goal, text: &str) -> Result<Vec<Vec<usize>>, Error> {
    let wrong = |reason: String| {
        Error::from(SpecError::ArgumentInvalid { heuristic: "pdb".into(), argument: text.into(), reason })
    };
    let patterns = if text.contains(['.', '/']) { tiles(goal, text) } else { sizes(goal, text) };
    let patterns = patterns.map_err(wrong)?;
    if patterns.len() > MOST_PATTERNS {
        return Err(wrong(format!("{} patterns, at most {MOST_PATTERNS} are possible", patterns.len())));
    }
    match patterns.iter().find(|pattern| pattern.len() > MOST_TILES) {
        Some(big) => {
            Err(wrong(format!("a pattern of {} tiles, at most {MOST_TILES} are possible", big.len())))
        }
        None => Ok(patterns.into_iter().filter(|pattern| pattern.len() > 1).collect()),
    }
}

fn tiles(goal: &Goal, text: &str) -> Result<Vec<Vec<usize>>, String> {
    let cells = goal.size().cells();
    let mut used = vec![false; cells];
    let mut patterns = Vec::new();
    for part in text.split('/') {
        let mut homes = Vec::new();
        for word in part.split('.') {
            let label = word.parse::<u16>().ok().filter(|&label| label > 0 && usize::from(label) < cells);
            let label =
                label.ok_or_else(|| format!("`{word}` is not a tile; expected 1 to {}", cells - 1))?;
            if std::mem::replace(&mut used[usize::from(label)], true) {
                return Err(format!("tile {label} appears twice"));
            }
            homes.push(goal.home(usize::from(goal.name(label))));
        }
        homes.sort_unstable();
        patterns.push(homes);
    }
    Ok(patterns)
}

fn sizes(goal: &Goal, text: &str) -> Result<Vec<Vec<usize>>, String> {
    let tiles = goal.size().cells() - 1;
    let read = |word: &str| word.parse::<usize>().ok().filter(|&size| size > 0);
    let sizes: Option<Vec<usize>> = text.split('-').map(read).collect();
    let sizes = sizes.ok_or("expected sizes such as 7-8, or tiles such as 1.2.5/3.4")?;
    let sum = sizes.iter().try_fold(0usize, |sum, &size| sum.checked_add(size));
    match sum {
        Some(sum) if sum <= tiles => Ok(classic(goal, &sizes).unwrap_or_else(|| compact(goal, &sizes))),
        _ => Err(format!("the sizes add up to more than {tiles} tiles")),
    }
}

/// A classic partition, turned so that its gap lies where the goal's does.
fn classic(goal: &Goal, sizes: &[usize]) -> Option<Vec<Vec<usize>>> {
    let (_, patterns) = CLASSIC.iter().find(|(size, patterns)| {
        *size == goal.size() && patterns.iter().map(|pattern| pattern.len()).eq(sizes.iter().copied())
    })?;
    let turn = symmetries(goal.size()).into_iter().find(|turn| turn[0] == goal.gap())?;
    let turned = |pattern: &&[usize]| {
        let mut homes: Vec<usize> = pattern.iter().map(|&cell| turn[cell]).collect();
        homes.sort_unstable();
        homes
    };
    Some(patterns.iter().map(turned).collect())
}

/// The tiles in the order of a path over the board, cut into pieces: of several paths the one whose pieces hang together best.
fn compact(goal: &Goal, sizes: &[usize]) -> Vec<Vec<usize>> {
    let size = goal.size();
    let mut best: Option<(usize, Vec<Vec<usize>>)> = None;
    for path in paths(size) {
        let mut homes = path.into_iter().filter(|&cell| cell != goal.gap());
        let pieces: Vec<Vec<usize>> = sizes
            .iter()
            .map(|&count| {
                let mut piece: Vec<usize> = homes.by_ref().take(count).collect();
                piece.sort_unstable();
                piece
            })
            .collect();
        let beside = |piece: &Vec<usize>| {
            let pairs = piece.iter().flat_map(|&a| piece.iter().map(move |&b| (a, b)));
            pairs.filter(|&(a, b)| a < b && size.distance(a, b) == 1).count()
        };
        let score = pieces.iter().map(beside).sum();
        if best.as_ref().is_none_or(|&(known, _)| score > known) {
            best = Some((score, pieces));
        }
    }
    best.map_or_else(Vec::new, |(_, pieces)| pieces)
}

/// Paths over a board: in strips of one or two lines, along rows and along columns, to and fro.
fn paths(size: Size) -> Vec<Vec<usize>> {
    let mut paths = Vec::new();
    for by_rows in [false, true] {
        let (lines, length) = if by_rows { (size.rows, size.columns) } else { (size.columns, size.rows) };
        let cell = |line: usize, place: usize| {
            if by_rows { line * size.columns + place } else { place * size.columns + line }
        };
        for width in [2, 1] {
            for to_and_fro in [false, true] {
                let mut path = Vec::new();
                for (strip, first) in (0..lines).step_by(width).enumerate() {
                    for place in 0..length {
                        let place = if to_and_fro && strip % 2 == 1 { length - 1 - place } else { place };
                        path.extend((first..lines.min(first + width)).map(|line| cell(line, place)));
                    }
                }
                paths.push(path);
            }
        }
    }
    paths
}

/// The ways to turn and mirror a board onto itself: where each cell goes.
pub(super) fn symmetries(size: Size) -> Vec<Vec<usize>> {
    let (rows, columns) = (size.rows, size.columns);
    let mut maps = Vec::new();
    for transpose in [false, true] {
        if transpose && rows != columns {
            continue;
        }
        for (flip_rows, flip_columns) in [(false, false), (true, true), (false, true), (true, false)] {
            let map = |cell: usize| {
                let (row, column) = (size.row(cell), size.column(cell));
                let (row, column) = if transpose { (column, row) } else { (row, column) };
                let row = if flip_rows { rows - 1 - row } else { row };
                let column = if flip_columns { columns - 1 - column } else { column };
                row * columns + column
            };
            maps.push((0..size.cells()).map(map).collect());
        }
    }
    maps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goal(rows: usize, columns: usize, name: &str) -> Goal {
        Goal::named(Size { rows, columns }, name).expect("a known goal")
    }

    #[test]
    fn sizes_share_out_every_tile_once() {
        for (rows, columns, text) in
            [(4, 4, "5-5-5"), (4, 4, "6-6-3"), (4, 4, "7-8"), (5, 5, "6-6-6-6"), (3, 4, "6-5")]
        {
            for name in ["blank-last", "blank-first", "snail"] {
                let goal = goal(rows, columns, name);
                let patterns = read(&goal, text).expect(text);
                let mut homes: Vec<usize> = patterns.concat();
                homes.push(goal.gap());
                homes.sort_unstable();
                assert!(homes.into_iter().eq(0..rows * columns), "{text} for {name}");
            }
        }
        assert_eq!(read(&goal(4, 4, "blank-first"), "7-8").expect("sizes")[0], [1, 4, 5, 8, 9, 12, 13]);
    }

    #[test]
    fn mistakes_are_named() {
        let goal = goal(4, 4, "blank-last");
        for (text, part) in [
            ("8-8", "more than 15 tiles"),
            ("9", "at most 8"),
            ("0-5", "expected sizes"),
            ("a-b", "expected sizes"),
            ("1.2.1", "appears twice"),
            ("1.2/16", "`16` is not a tile"),
            ("1.2/0", "`0` is not a tile"),
            ("1-1-1-1-1-1-1-1-1", "at most 8"),
            ("99999999999999999999-1", "expected sizes"),
        ] {
            let trouble = read(&goal, text).expect_err(text).to_string();
            assert!(trouble.contains(part), "{text}: {trouble}");
        }
        assert_eq!(read(&goal, "1.2.3/5").map(|patterns| patterns.len()), Ok(1), "one tile needs no table");
    }
}
