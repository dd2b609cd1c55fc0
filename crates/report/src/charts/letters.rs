//! Letters as strokes: enough to label a chart where there are no fonts.
//!
//! A glyph is a few lines through points `xy`, `x` from 0 to 8, `y` from 0 at the top of capitals to `c` (12) on the
//! baseline and `g` (16) where descenders end; small letters begin at 4.

/// The unit of the grid, as a part of the font's size.
const UNIT: f64 = 0.061;
/// Between two glyphs, in units.
const SPACING: f64 = 3.0;
/// Where the grid's baseline lies.
const BASELINE: f64 = 12.0;

/// A line through points, relative to the beginning of the text on its baseline.
pub(crate) type Stroke = Vec<(f64, f64)>;

/// The strokes of a text in a font of this size, and how wide it is.
pub(crate) fn strokes(text: &str, size: f64) -> (Vec<Stroke>, f64) {
    let unit = size * UNIT;
    let mut strokes = Vec::new();
    let mut left = 0.0;
    for letter in text.chars() {
        let mut width: f64 = 0.0;
        for line in glyph(letter).split(';').filter(|line| !line.is_empty()) {
            let points: Vec<(f64, f64)> = line.split(' ').map(point).collect();
            width = points.iter().fold(width, |width, (x, _)| width.max(*x));
            strokes.push(points.iter().map(|(x, y)| ((left + x) * unit, (y - BASELINE) * unit)).collect());
        }
        left += if letter == ' ' { SPACING + 1.0 } else { width + SPACING };
    }
    (strokes, (left - SPACING).max(0.0) * unit)
}

fn point(text: &str) -> (f64, f64) {
    let mut numbers = text.chars().map(|c| f64::from(c.to_digit(17).unwrap_or(0)));
    (numbers.next().unwrap_or(0.0), numbers.next().unwrap_or(0.0))
}

/// The lines of a letter; a box for one that is not here.
fn glyph(letter: char) -> &'static str {
    match letter {
        ' ' => "",
        'A' => "0c 40 8c;18 78",
        'B' => "06 56 74 72 50 00 0c 5c 7a 78 56",
        'C' => "82 60 30 03 09 3c 6c 8a",
        'D' => "00 0c 4c 89 83 40 00",
        'E' => "70 00 0c 7c;06 56",
        'F' => "70 00 0c;06 56",
        'G' => "82 60 30 03 09 3c 5c 8a 87 57",
        'H' => "00 0c;80 8c;06 86",
        'I' => "20 2c;00 40;0c 4c",
        'J' => "60 69 4c 2c 09",
        'K' => "00 0c;80 07;34 8c",
        'L' => "00 0c 7c",
        'M' => "0c 00 47 80 8c",
        'N' => "0c 00 8c 80",
        'O' => "30 50 83 89 5c 3c 09 03 30",
        'P' => "0c 00 60 82 85 67 07",
        'Q' => "30 50 83 89 5c 3c 09 03 30;58 8c",
        'R' => "0c 00 60 82 85 67 07;47 8c",
        'S' => "82 60 20 02 04 26 66 88 8a 6c 2c 0a",
        'T' => "00 80;40 4c",
        'U' => "00 09 3c 5c 89 80",
        'V' => "00 4c 80",
        'W' => "00 2c 44 6c 80",
        'X' => "00 8c;80 0c",
        'Y' => "00 46 80;46 4c",
        'Z' => "00 80 0c 8c",
        'a' => "64 6c;66 44 24 06 0a 2c 4c 6a",
        'b' => "00 0c;06 24 44 66 6a 4c 2c 0a",
        'c' => "66 44 24 06 0a 2c 4c 6a",
        'd' => "60 6c;66 44 24 06 0a 2c 4c 6a",
        'e' => "08 68 66 44 24 06 0a 2c 4c 6b",
        'f' => "50 30 22 2c;04 44",
        'g' => "64 6e 4g 2g 0f;66 44 24 06 0a 2c 4c 6a",
        'h' => "00 0c;06 24 44 66 6c",
        'i' => "14 1c;10 11",
        'j' => "24 2e 1g 0g;20 21",
        'k' => "00 0c;54 09;27 6c",
        'l' => "00 0a 1c 2c",
        'm' => "04 0c;06 14 34 46 4c;46 54 74 86 8c",
        'n' => "04 0c;06 24 44 66 6c",
        'o' => "24 44 66 6a 4c 2c 0a 06 24",
        'p' => "04 0g;06 24 44 66 6a 4c 2c 0a",
        'q' => "64 6g;66 44 24 06 0a 2c 4c 6a",
        'r' => "04 0c;07 24 44",
        's' => "65 54 14 05 07 18 58 69 6b 5c 1c 0b",
        't' => "21 2a 3c 5c;04 54",
        'u' => "04 0a 2c 4c 6a;64 6c",
        'v' => "04 3c 64",
        'w' => "04 2c 46 6c 84",
        'x' => "04 6c;64 0c",
        'y' => "04 3c;64 2g 0g",
        'z' => "04 64 0c 6c",
        '0' => "20 40 63 69 4c 2c 09 03 20",
        '1' => "03 30 3c;0c 6c",
        '2' => "02 20 40 62 64 0c 6c",
        '3' => "01 20 40 62 64 46 68 6a 4c 2c 0b;26 46",
        '4' => "4c 40 08 68",
        '5' => "60 00 05 45 67 6a 4c 2c 0b",
        '6' => "51 40 20 03 09 2c 4c 6a 68 46 26 08",
        '7' => "00 60 2c",
        '8' => "20 40 62 64 46 26 04 02 20;26 08 0a 2c 4c 6a 68 46",
        '9' => "1b 2c 4c 69 63 40 20 02 04 26 46 64",
        '.' => "0b 0c",
        ',' => "1b 0e",
        ':' => "05 06;0b 0c",
        ';' => "15 16;1b 0e",
        '!' => "00 08;0b 0c",
        '?' => "02 20 40 62 64 36 38;3b 3c",
        '\'' => "00 03",
        '"' => "00 03;20 23",
        '+' => "34 3a;07 67",
        '-' => "07 47",
        '–' | '−' => "07 67",
        '=' => "05 65;09 69",
        '(' => "30 13 1a 3d",
        ')' => "00 23 2a 0d",
        '[' => "30 00 0d 3d",
        ']' => "00 30 3d 0d",
        '/' => "60 0d",
        '\\' => "00 6d",
        '|' => "00 0e",
        '_' => "0d 6d",
        '^' => "03 30 63",
        '<' => "64 08 6c",
        '>' => "04 68 0c",
        '*' => "32 38;03 67;63 07",
        '%' => "00 20 23 03 00;59 79 7c 5c 59;70 0c",
        '#' => "20 1c;60 5c;04 74;08 78",
        '~' => "08 16 36 48 68 76",
        '@' => "67 55 37 39 5a 67 6a 89 84 50 30 03 09 3c 6c",
        '&' => "8c 13 20 40 53 06 0a 2c 4c 78",
        '$' => "72 52 22 04 26 56 78 5a 2a 0a;40 4c",
        '·' => "07 08",
        '×' => "04 6a;64 0a",
        'µ' => "04 0g;0a 2c 4c 6a;64 6c",
        '²' => "00 10 31 32 05 35",
        '…' => "0b 0c;3b 3c;6b 6c",
        _ => "00 60 6c 0c 00",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_that_names_are_made_of_has_strokes_of_its_own() {
        let unknown = glyph('\u{1F9E9}');
        for letter in ('!'..='~').filter(|letter| !"`{}".contains(*letter)) {
            assert!(letter == ' ' || !glyph(letter).is_empty(), "{letter}");
            assert_ne!(glyph(letter), unknown, "{letter}");
            for (x, y) in glyph(letter).split([' ', ';']).map(point) {
                assert!((0.0..=8.0).contains(&x) && (0.0..=16.0).contains(&y), "{letter}: {x}, {y}");
            }
        }
    }

    #[test]
    fn longer_texts_are_wider() {
        let widths = ["", "a", "ab", "ab c"].map(|text| strokes(text, 10.0).1);
        assert!(widths.is_sorted_by(|a, b| a < b), "{widths:?}");
        assert_eq!(strokes(" ", 10.0).0, Vec::<Stroke>::new());
    }
}
