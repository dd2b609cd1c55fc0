//! Partitions of a board's tiles into patterns, given by sizes (`6-6-3`) or tile by tile (`1.2.5/3.4`).

use untumble_search::error::Error;
use untumble_search::spec::SpecError;

use crate::tiles::{Goal, Size};

/// Largest number of patterns in a partition.
pub(super) const MAX_PATTERNS: usize = 8;
/// Largest number of tiles in a pattern.
pub(super) const MAX_TILES: usize = 8;

/// The 6-6-3 and 6-6-6-6 partitions of Korf & Felner, "Disjoint pattern database heuristics" (Artificial
/// Intelligence 134, 2002), as home cells for a goal with the blank in the first cell.
const PUBLISHED: &[(Size, &[&[usize]])] = &[
    (Size { rows: 4, columns: 4 }, &[&[3, 6, 7, 10, 11, 15], &[1, 2, 4, 5, 8, 9], &[12, 13, 14]]),
    (
        Size { rows: 5, columns: 5 },
        &[&[1, 2, 5, 6, 7, 12], &[3, 4, 8, 9, 13, 14], &[10, 11, 15, 16, 20, 21], &[17, 18, 19, 22, 23, 24]],
    ),
];

/// A partition of boards of this size whose tables are built quickly, where that is possible.
pub(in crate::tiles) fn example(size: Size) -> &'static str {
    match size.cells() {
        ..=4 => "3",
        5..=6 => "5",
        7..=8 => "4-3",
        9 => "4-4",
        10..=12 => "5-4",
        13..=15 => "5-5",
        16..=24 => "5-5-5",
        _ => "6-6-6-6",
    }
}

/// Parses a partition; returns the home cells of each pattern with more than one tile. Only the Manhattan
/// distance of the remaining tiles counts.
pub(super) fn parse(goal: &Goal, text: &str) -> Result<Vec<Vec<usize>>, Error> {
    let invalid = |reason: String| {
        Error::from(SpecError::ArgumentInvalid {
            heuristic: super::NAME.into(),
            argument: text.into(),
            reason,
        })
    };
    let patterns = if text.contains(['.', '/']) { parse_tiles(goal, text) } else { parse_sizes(goal, text) };
    let patterns = patterns.map_err(invalid)?;
    if patterns.len() > MAX_PATTERNS {
        return Err(invalid(format!("{} patterns, at most {MAX_PATTERNS} are possible", patterns.len())));
    }
    match patterns.iter().find(|pattern| pattern.len() > MAX_TILES) {
        Some(large) => {
            Err(invalid(format!("a pattern of {} tiles, at most {MAX_TILES} are possible", large.len())))
        }
        None => Ok(patterns.into_iter().filter(|pattern| pattern.len() > 1).collect()),
    }
}

/// The canonical text of a partition: numbers without leading zeros, the tiles of a pattern in ascending
/// order; `None` if the text is not a partition. The order of the patterns stays, because a search evaluates
/// them in this order.
pub(in crate::tiles) fn canonical(text: &str) -> Option<String> {
    let numbers = |part: &str, separator: char| -> Option<Vec<u16>> {
        part.split(separator).map(|word| word.parse().ok()).collect()
    };
    let join = |numbers: Vec<u16>, separator| {
        numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(separator)
    };
    if !text.contains(['.', '/']) {
        return numbers(text, '-').map(|sizes| join(sizes, "-"));
    }
    let pattern = |part: &str| {
        let mut tiles = numbers(part, '.')?;
        tiles.sort_unstable();
        Some(join(tiles, "."))
    };
    text.split('/').map(pattern).collect::<Option<Vec<_>>>().map(|patterns| patterns.join("/"))
}

fn parse_tiles(goal: &Goal, text: &str) -> Result<Vec<Vec<usize>>, String> {
    let cells = goal.size().cells();
    let mut used = vec![false; cells];
    let mut patterns = Vec::new();
    for pattern_text in text.split('/') {
        let mut homes = Vec::new();
        for word in pattern_text.split('.') {
            let label = word.parse::<u16>().ok().filter(|&label| label > 0 && usize::from(label) < cells);
            let label =
                label.ok_or_else(|| format!("`{word}` is not a tile; expected 1 to {}", cells - 1))?;
            if std::mem::replace(&mut used[usize::from(label)], true) {
                return Err(format!("tile {label} appears twice"));
            }
            homes.push(goal.home(usize::from(goal.tile_id(label))));
        }
        homes.sort_unstable();
        patterns.push(homes);
    }
    Ok(patterns)
}

fn parse_sizes(goal: &Goal, text: &str) -> Result<Vec<Vec<usize>>, String> {
    let tiles = goal.size().cells() - 1;
    let parse = |word: &str| word.parse::<usize>().ok().filter(|&size| size > 0);
    let sizes: Option<Vec<usize>> = text.split('-').map(parse).collect();
    let sizes = sizes.ok_or("expected sizes such as 7-8, or tiles such as 1.2.5/3.4")?;
    let sum = sizes.iter().try_fold(0usize, |sum, &size| sum.checked_add(size));
    match sum {
        Some(sum) if sum <= tiles => Ok(published(goal, &sizes).unwrap_or_else(|| compact(goal, &sizes))),
        _ => Err(format!("the sizes add up to more than {tiles} tiles")),
    }
}

/// A published partition, mapped by the symmetry that takes its blank to the goal's blank.
fn published(goal: &Goal, sizes: &[usize]) -> Option<Vec<Vec<usize>>> {
    let (_, patterns) = PUBLISHED.iter().find(|(size, patterns)| {
        *size == goal.size() && patterns.iter().map(|pattern| pattern.len()).eq(sizes.iter().copied())
    })?;
    let cell_map = symmetries(goal.size()).into_iter().find(|cell_map| cell_map[0] == goal.blank_home())?;
    let mapped = |pattern: &&[usize]| {
        let mut homes: Vec<usize> = pattern.iter().map(|&cell| cell_map[cell]).collect();
        homes.sort_unstable();
        homes
    };
    Some(patterns.iter().map(mapped).collect())
}

/// A partition into compact patterns: paths over the board are cut into pieces of the given sizes, and the
/// path whose pieces have the most adjacent pairs of tiles is chosen.
fn compact(goal: &Goal, sizes: &[usize]) -> Vec<Vec<usize>> {
    let size = goal.size();
    let mut best: Option<(usize, Vec<Vec<usize>>)> = None;
    for path in strip_paths(size) {
        let mut homes = path.into_iter().filter(|&cell| cell != goal.blank_home());
        let patterns: Vec<Vec<usize>> = sizes
            .iter()
            .map(|&count| {
                let mut pattern: Vec<usize> = homes.by_ref().take(count).collect();
                pattern.sort_unstable();
                pattern
            })
            .collect();
        let adjacent_pairs = |pattern: &Vec<usize>| {
            let pairs = pattern.iter().flat_map(|&a| pattern.iter().map(move |&b| (a, b)));
            pairs.filter(|&(a, b)| a < b && size.distance(a, b) == 1).count()
        };
        let score = patterns.iter().map(adjacent_pairs).sum();
        if best.as_ref().is_none_or(|&(best_score, _)| score > best_score) {
            best = Some((score, patterns));
        }
    }
    best.map_or_else(Vec::new, |(_, patterns)| patterns)
}

/// Paths over all cells of a board, in strips of one or two rows or columns, with constant or alternating
/// direction.
fn strip_paths(size: Size) -> Vec<Vec<usize>> {
    let mut paths = Vec::new();
    for by_rows in [false, true] {
        let (lines, length) = if by_rows { (size.rows, size.columns) } else { (size.columns, size.rows) };
        let cell = |line: usize, position: usize| {
            if by_rows { line * size.columns + position } else { position * size.columns + line }
        };
        for width in [2, 1] {
            for alternating in [false, true] {
                let mut path = Vec::new();
                for (strip, first) in (0..lines).step_by(width).enumerate() {
                    for position in 0..length {
                        let position =
                            if alternating && strip % 2 == 1 { length - 1 - position } else { position };
                        path.extend((first..lines.min(first + width)).map(|line| cell(line, position)));
                    }
                }
                paths.push(path);
            }
        }
    }
    paths
}

/// The symmetries of a board, each as the image of every cell.
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
    fn partitions_by_size_contain_every_tile_once() {
        for (rows, columns, text) in
            [(4, 4, "5-5-5"), (4, 4, "6-6-3"), (4, 4, "7-8"), (5, 5, "6-6-6-6"), (3, 4, "6-5")]
        {
            for name in ["blank-last", "blank-first", "snail"] {
                let goal = goal(rows, columns, name);
                let patterns = parse(&goal, text).expect(text);
                let mut homes: Vec<usize> = patterns.concat();
                homes.push(goal.blank_home());
                homes.sort_unstable();
                assert!(homes.into_iter().eq(0..rows * columns), "{text} for {name}");
            }
        }
        assert_eq!(parse(&goal(4, 4, "blank-first"), "7-8").expect("sizes")[0], [1, 4, 5, 8, 9, 12, 13]);
    }

    #[test]
    fn invalid_partitions_are_rejected_with_the_reason() {
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
            let error = parse(&goal, text).expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert_eq!(parse(&goal, "1.2.3/5").map(|patterns| patterns.len()), Ok(1), "one tile needs no table");
    }
}
