//! The size of a board from its first line, for lists of boards of several sizes.
//!
//! A size line (42-school files), row separators and nested arrays state the size. Otherwise the number of
//! words decides: a square number of different tiles is a whole board, a further word before it an instance
//! number (Korf's lists), and any other number the columns of a square board with a row on each line. A
//! board that is not square therefore needs row separators; `12` cells on one line could be 2x6, 3x4, 4x3
//! or 6x2.

use super::text::{
    BoardArray, MAX_DIGIT_CELLS, is_number, is_rule, parse_label, row_separator, without_comment, words,
};
use super::{Size, TilesError};
use crate::sanitize::sanitize;

/// The smallest board on one line without row separators: four words are a row of four tiles.
const MIN_CELLS_ON_ONE_LINE: usize = 9;

/// The size of the board that begins with `line`; `None` if the line is empty or a comment.
pub(crate) fn detect_size(line: &str) -> Result<Option<Size>, TilesError> {
    let line = without_comment(line);
    if is_rule(line) {
        return Ok(None);
    }
    let (rows, columns) = dimensions(line)?;
    let sides = Size::MIN_SIDE..=Size::MAX_SIDE;
    if !sides.contains(&rows) || !sides.contains(&columns) {
        return Err(TilesError::NoSize { found: sanitize(line) });
    }
    Ok(Some(Size { rows, columns }))
}

/// Rows and columns of the board that begins with a line that is not empty.
fn dimensions(line: &str) -> Result<(usize, usize), TilesError> {
    let no_size = || TilesError::NoSize { found: sanitize(line) };
    if let Some(BoardArray::Rows(rows)) = BoardArray::parse(line) {
        return Ok((rows.len(), rows.first().map_or(0, |row| words(row).count())));
    }
    if let Some(separator) = row_separator(line) {
        let rows: Vec<&str> = line.trim_matches(|c| c == separator).split(separator).collect();
        let columns = rows.first().map_or(0, |row| words(row).count());
        // A single tile between bars: the bars separate tiles.
        if separator == '/' || columns > 1 {
            return Ok((rows.len(), columns));
        }
    }
    let labels: Vec<&str> = words(line).collect();
    match labels[..] {
        [word] if word.len() <= 2 && is_number(word) => {
            let side = word.parse().map_err(|_| no_size())?;
            Ok((side, side))
        }
        // One character per tile.
        [word] if word.len() <= MAX_DIGIT_CELLS && word.starts_with(|c: char| c.is_ascii_digit()) => {
            square(word.len()).ok_or_else(|| ambiguous(word.len()))
        }
        [_] | [] => Err(no_size()),
        _ if !labels.iter().any(|word| is_number(word)) => Err(no_size()),
        _ => Ok(match (is_board(&labels), is_board(&labels[1..])) {
            (true, _) => square(labels.len()).ok_or_else(|| ambiguous(labels.len()))?,
            (_, true) if is_number(labels[0]) => {
                square(labels.len() - 1).ok_or_else(|| ambiguous(labels.len() - 1))?
            }
            _ => (labels.len(), labels.len()),
        }),
    }
}

/// Whether the words are all tiles of a board, each once, and at least [`MIN_CELLS_ON_ONE_LINE`].
fn is_board(labels: &[&str]) -> bool {
    let mut seen = vec![false; labels.len()];
    labels.len() >= MIN_CELLS_ON_ONE_LINE
        && labels.iter().all(|word| {
            let cell = parse_label(word).and_then(|label| seen.get_mut(label));
            cell.is_some_and(|seen| !std::mem::replace(seen, true))
        })
}

/// The sides of a square board with this number of cells.
fn square(cells: usize) -> Option<(usize, usize)> {
    let side = cells.isqrt();
    (side * side == cells).then_some((side, side))
}

fn ambiguous(cells: usize) -> TilesError {
    let sides = Size::MIN_SIDE..=Size::MAX_SIDE;
    let fits = |rows: &usize| cells.is_multiple_of(*rows) && sides.contains(&(cells / rows));
    let sizes = sides.clone().filter(fits).map(|rows| Size { rows, columns: cells / rows });
    TilesError::AmbiguousSize { cells, sizes: sizes.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_decides_the_size() {
        for (line, expected) in [
            ("3", "3x3"),
            ("12 # size", "12x12"),
            ("8 6 7 2 5 4 3 0 1", "3x3"),
            ("1 2 3 4 5 6 7 8 _", "3x3"),
            ("17 8 6 7 2 5 4 3 0 1", "3x3"),
            ("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", "4x4"),
            ("1 14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", "4x4"),
            ("123456780", "3x3"),
            ("1 2 3", "3x3"),
            ("0 1 2 3", "4x4"),
            ("1 2 3 4/5 6 7 8/9 10 11 0", "3x4"),
            ("1 2 3; 4 5 0", "2x3"),
            ("| 1 | 2 | 3 |", "3x3"),
            ("[[1,2,3],[4,5,0]]", "2x3"),
            ("[1,2,3,4,5,6,7,8,0]", "3x3"),
        ] {
            let found =
                detect_size(line).map(|size| size.map(|size| format!("{}x{}", size.rows, size.columns)));
            assert_eq!(found, Ok(Some(expected.into())), "{line}");
        }
        for line in ["", "# comment", "+---+"] {
            assert_eq!(detect_size(line), Ok(None), "{line}");
        }
    }

    #[test]
    fn shapes_without_a_size_are_refused() {
        let error = detect_size("1 2 3 4 5 6 7 8 9 10 11 0").expect_err("2x6, 3x4, 4x3 or 6x2");
        assert_eq!(error.to_string(), "12 cells on one line may be 2x6, 3x4, 4x3 or 6x2");
        for line in ["L L U", "nonsense", "0", "99", "1/2/3"] {
            let error = detect_size(line).expect_err(line).to_string();
            assert!(error.contains("no size"), "{line}: {error}");
        }
    }
}
