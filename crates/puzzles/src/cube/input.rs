//! Parses the text of a cube: distinguishes stickers from moves, detects incomplete input, and orders the
//! stickers of a net. `stickers.rs` turns the letters into a position.

use untumble_search::error::span_in;
use untumble_search::frontend::{FormatInfo, InputFormat, InputKind};

use super::error::CubeError;
use super::face::Face;
use super::notation;
use super::stickers::Turn;
use crate::sanitize::sanitize;
use crate::sequence;

/// Input formats of a cube.
pub(crate) const FORMATS: &[FormatInfo] = &[
    FormatInfo {
        name: "stickers",
        what: "every sticker, face by face (U R F D L B), each row by row, in any six letters: UUUUUUUUURRR…; spaces and line breaks are ignored",
    },
    FormatInfo {
        name: "net",
        what: "the stickers drawn as an unfolded net, a row on each line: U above, then L F R B, D below",
    },
    FormatInfo {
        name: "moves",
        what: "moves from solved: R U2 F' Rw M x, RU2F', (R U R' U')3, [R, U] or [R: U]",
    },
];

/// Letter of an unknown sticker.
pub(crate) const UNKNOWN: char = '.';
/// Accepted alternative for [`UNKNOWN`].
const UNKNOWN_ALIAS: char = '?';

/// The contents of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CubeInput {
    /// Only blanks and comments.
    Empty,
    /// The beginning of a position.
    NeedsMoreLines,
    /// One letter for each sticker.
    Stickers(StickerLetters),
    /// Moves from the solved position.
    Moves(Vec<Turn>),
    /// The last line does not continue the incomplete position before it; it may begin the next one. The
    /// error describes the incomplete position.
    Interrupted(CubeError),
    /// The lines do not form one position; each may list the moves of a position of its own. The error is
    /// for a caller that expects one position.
    SeparateLines(CubeError),
}

/// The stickers of a position in the order of [`Face::ALL`], row by row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StickerLetters {
    pub(crate) letters: Vec<char>,
    /// By sticker: the byte offset of its letter in the text.
    pub(crate) offsets: Vec<usize>,
}

/// An input format; see [`FORMATS`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Stickers,
    Net,
    Moves,
}

/// Parses a text for a cube with `side` layers. If `at_end`, no line follows, so an incomplete position is
/// an error.
pub(crate) fn parse_input(
    side: usize,
    text: &str,
    at_end: bool,
    requested: &InputFormat,
) -> Result<CubeInput, CubeError> {
    let lines: Vec<&str> = text.lines().map(strip_comment).filter(|line| !line.trim().is_empty()).collect();
    let Some(&first) = lines.first() else { return Ok(CubeInput::Empty) };
    let format = match requested_format(requested)? {
        Some(format) => format,
        None if looks_like_stickers(side, first) => Format::Stickers,
        None => Format::Moves,
    };
    // Whether the format is a guess from the first line, which later lines may contradict.
    let detected = requested_format(requested)?.is_none();
    if format != Format::Moves {
        // A caller that reads several positions adds a line only if the lines so far were incomplete. So if
        // the text is no position, the cause is its last line.
        let last_line = lines[lines.len() - 1].trim();
        let interrupts = || {
            is_certainly_moves(side, last_line)
                || !first.trim().contains(' ') && is_line_of_moves(side, last_line)
        };
        if detected && lines.len() > 1 && interrupts() {
            let stickers = lines[..lines.len() - 1].iter().flat_map(|line| line.chars());
            return Ok(CubeInput::Interrupted(CubeError::UnfinishedStickers {
                expected: 6 * side * side,
                found: stickers.filter(|c| !c.is_whitespace() && *c != ',').count(),
                next: sanitize(last_line),
                span: span_in(text, last_line),
            }));
        }
        return parse_stickers(side, text, &lines, at_end, format);
    }
    if detected
        && (is_ambiguous_line(side, first) || are_faces(side, &[first]))
        && (lines.len() > 1 || !at_end)
    {
        return parse_ambiguous_lines(side, text, &lines, at_end);
    }
    match lines.get(1) {
        None => notation::parse_moves_in(text, first, side).map(CubeInput::Moves),
        Some(second_line) => {
            let found = second_line.trim();
            Err(CubeError::TrailingLine { found: sanitize(found), span: span_in(text, found) })
        }
    }
}

/// The format that the caller requests; `None` if the text decides.
fn requested_format(requested: &InputFormat) -> Result<Option<Format>, CubeError> {
    let format = match requested.format.as_deref() {
        None => None,
        Some("stickers") => Some(Format::Stickers),
        Some("net") => Some(Format::Net),
        Some("moves") => Some(Format::Moves),
        Some(other) => {
            return Err(CubeError::UnknownFormat { name: sanitize(other) });
        }
    };
    match (requested.kind, format) {
        (Some(InputKind::Moves), None) => Ok(Some(Format::Moves)),
        (Some(InputKind::Position), None) => Ok(Some(Format::Stickers)),
        (Some(InputKind::Moves), Some(Format::Stickers | Format::Net)) => {
            Err(CubeError::PositionFormatForMoves)
        }
        (Some(InputKind::Position), Some(Format::Moves)) => Err(CubeError::MovesFormatForPosition),
        _ => Ok(format),
    }
}

fn strip_comment(line: &str) -> &str {
    sequence::without_comment(line).trim_end()
}

/// Whether a text that begins with `line` lists stickers rather than moves. Face letters occur in both, so
/// this is a guess from the characters, the length of the words and the frequency of the colours.
fn looks_like_stickers(side: usize, line: &str) -> bool {
    let total = 6 * side * side;
    if line.contains([UNKNOWN, UNKNOWN_ALIAS]) {
        return true;
    }
    if has_run_of_stickers(line) {
        return true;
    }
    let symbols: Vec<char> = line.chars().filter(|c| !c.is_whitespace()).collect();
    let count = symbols.len();
    // Other characters, such as `'`, occur in moves only.
    if !symbols.iter().all(|c| c.is_alphanumeric()) {
        return false;
    }
    let longest_word = line.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0);
    let only_letters = symbols.iter().all(|c| c.is_alphabetic());
    // A line that is not moves lists stickers if it has the length of a cube, a word as long as a face, or
    // mostly letters that name no face. Otherwise it is reported as wrong moves.
    if notation::parse_moves(line, side).is_err() {
        let other_letters = symbols.iter().filter(|c| Face::from_letter(**c).is_none()).count();
        return count == total || longest_word >= side * side || 2 * other_letters > count;
    }
    // The line can be read as moves. It lists stickers if its length is near that of a cube and one word is
    // as long as a face, if every colour occurs equally or nearly equally often, or if it is the indented
    // first row of a net.
    let margin = line.chars().take_while(|c| c.is_whitespace()).count();
    let equal_colours =
        Face::ALL.iter().all(|face| symbols.iter().filter(|&&c| c == face.letter()).count() == side * side);
    // Between 3/4 and 4/3 of the stickers.
    let nearly_complete = 3 * total <= 4 * count && 3 * count <= 4 * total;
    only_letters
        && ((nearly_complete && longest_word >= side * side)
            || equal_colours
            || is_nearly_a_cube(&symbols)
            || (margin >= side && count == side))
}

/// Whether two adjacent letters of a line are equal. Move sequences have no such letters, since U U is
/// written U2.
fn repeats_a_letter(line: &str) -> bool {
    let letters: Vec<char> = line.chars().filter(|c| !c.is_whitespace()).collect();
    letters.windows(2).any(|pair| pair[0] == pair[1])
}

/// Whether a line lists moves separated by blanks. Such a line does not continue a position whose rows have
/// no blanks.
fn is_line_of_moves(side: usize, line: &str) -> bool {
    line.contains(' ')
        && line.split_whitespace().all(|word| word.chars().count() <= 2)
        && !repeats_a_letter(line)
        && notation::parse_moves(line, side).is_ok()
}

/// Whether a line lists moves that cannot be stickers: it has letters and, as in `R U2 F'`, a prime or a
/// digit.
fn is_certainly_moves(side: usize, line: &str) -> bool {
    let is_mark = |c: char| c.is_ascii_digit() || matches!(c, '\'' | '’' | '′');
    line.contains(is_mark)
        && line.contains(|c: char| c.is_ascii_alphabetic())
        && notation::parse_moves(line, side).is_ok()
}

/// Whether a line contains at least 18 face letters in a row, two adjacent ones equal. Moves are not written
/// like this; the letters are the stickers of a cube of some size, even if other characters stand around
/// them.
fn has_run_of_stickers(line: &str) -> bool {
    const MIN_LENGTH: usize = 18;
    let is_face = |c: char| Face::from_letter(c.to_ascii_uppercase()).is_some();
    line.split(|c| !is_face(c)).any(|run| run.len() >= MIN_LENGTH && repeats_a_letter(run))
}

/// Whether letters are nearly the stickers of a 2×2×2 or a 3×3×3 cube, regardless of the expected size.
/// There may be one sticker too many or too few, and the count of each colour may be wrong by up to two. Two
/// adjacent letters must be equal, which excludes moves.
fn is_nearly_a_cube(letters: &[char]) -> bool {
    let count_of = |face: &Face| letters.iter().filter(|&&c| c == face.letter()).count();
    let near = |side: usize| {
        letters.len().abs_diff(6 * side * side) <= 1
            && Face::ALL.iter().all(|face| count_of(face).abs_diff(side * side) <= 2)
    };
    (near(2) || near(3)) && repeats_a_letter(&String::from_iter(letters))
}

/// Whether a line can be read both as moves and as a row or face of stickers: it has `side` or `side²`
/// letters, and all are face letters.
fn is_ambiguous_line(side: usize, line: &str) -> bool {
    let letters = || line.chars().filter(|c| !c.is_whitespace());
    let count = letters().count();
    letters().all(|c| c.is_ascii_uppercase() && Face::from_letter(c).is_some())
        && (count == side || count == side * side)
}

/// Whether lines are the faces of a cube rather than moves: every line is one word of `side²` face letters,
/// up to one letter more or less, and at least one line has two equal letters in a row.
fn are_faces(side: usize, lines: &[&str]) -> bool {
    let is_face = |line: &&str| {
        line.chars().all(|c| Face::from_letter(c).is_some()) && line.len().abs_diff(side * side) <= 1
    };
    lines.iter().all(is_face) && lines.iter().any(|line| repeats_a_letter(line))
}

/// Parses lines that may be stickers or moves. They are stickers if they are the faces of a cube, or if they
/// have equal length and form a complete cube, possibly with a few wrong colours.
fn parse_ambiguous_lines(
    side: usize,
    text: &str,
    lines: &[&str],
    at_end: bool,
) -> Result<CubeInput, CubeError> {
    let earlier_lines = &lines[..lines.len() - 1];
    // Either all lines (at least two) are faces, or all but the last (again at least two): the last line may
    // belong to the next position.
    if !earlier_lines.is_empty() && are_faces(side, lines)
        || earlier_lines.len() > 1 && are_faces(side, earlier_lines)
    {
        return parse_stickers(side, text, lines, at_end, Format::Stickers);
    }
    if earlier_lines.is_empty() && !at_end && are_faces(side, lines) {
        return Ok(CubeInput::NeedsMoreLines);
    }
    let width = |line: &str| line.chars().filter(|c| !c.is_whitespace()).count();
    let found: usize = lines.iter().map(|line| width(line)).sum();
    let equal_lines =
        lines.iter().all(|line| is_ambiguous_line(side, line) && width(line) == width(lines[0]));
    let total = 6 * side * side;
    if equal_lines && found < total && !at_end {
        return Ok(CubeInput::NeedsMoreLines);
    }
    let count_of =
        |face: &Face| lines.iter().flat_map(|line| line.chars()).filter(|&c| c == face.letter()).count();
    // Lines that repeat a letter are unlikely to be moves, so each colour may be off by `side`.
    let tolerance = if lines.iter().any(|line| repeats_a_letter(line)) { side } else { 0 };
    let few_wrong_colours = || Face::ALL.iter().all(|face| count_of(face).abs_diff(side * side) <= tolerance);
    if equal_lines && found == total && few_wrong_colours() {
        return parse_stickers(side, text, lines, at_end, Format::Stickers);
    }
    Ok(CubeInput::SeparateLines(CubeError::NotOneCube))
}

/// Parses stickers from lines of `text`.
fn parse_stickers(
    side: usize,
    text: &str,
    lines: &[&str],
    at_end: bool,
    format: Format,
) -> Result<CubeInput, CubeError> {
    let total = 6 * side * side;
    // The letters of a line with their byte offsets in the text.
    let letters_of = |line: &str| -> Vec<(char, usize)> {
        let start = span_in(text, line).map_or(0, |span| span.start);
        let normalized = |c: char| if c == UNKNOWN_ALIAS { UNKNOWN } else { c };
        let letters = line.char_indices().filter(|(_, c)| !c.is_whitespace() && *c != ',');
        letters.flat_map(|(at, c)| normalized(c).to_uppercase().map(move |c| (c, start + at))).collect()
    };
    let is_sticker = |c: char| c.is_alphanumeric() || c == UNKNOWN;
    let is_sticker_line = |line: &str| letters_of(line).iter().all(|&(c, _)| is_sticker(c));
    let (&last_line, earlier_lines) = lines.split_last().expect("the caller passes at least one line");
    let stickers: Vec<(char, usize)> = lines.iter().flat_map(|line| letters_of(line)).collect();
    let stickers_before_last_line = stickers.len() - letters_of(last_line).len();
    // As in `parse_input`, only the last line can fail to continue the position.
    if !earlier_lines.is_empty() && (!is_sticker_line(last_line) || stickers.len() > total) {
        let last_line = last_line.trim();
        return Ok(CubeInput::Interrupted(CubeError::UnfinishedStickers {
            expected: total,
            found: stickers_before_last_line,
            next: sanitize(last_line),
            span: span_in(text, last_line),
        }));
    }
    if let Some(index) = stickers.iter().position(|&(c, _)| !is_sticker(c)) {
        let start = stickers[index].1;
        let found = text[start..].chars().next().map_or_else(String::new, |c| c.to_string());
        let span = Some(start..start + found.len());
        return Err(CubeError::NotALetter { number: index + 1, found: sanitize(&found), span });
    }
    if stickers.len() < total && !at_end {
        return Ok(CubeInput::NeedsMoreLines);
    }
    if stickers.len() != total {
        return Err(CubeError::StickerCount { side, found: stickers.len() });
    }
    let widths: Vec<usize> = lines.iter().map(|line| letters_of(line).len()).collect();
    let net_widths = [vec![side; side], vec![4 * side; side], vec![side; side]].concat();
    let ordered = if widths == net_widths { net_to_face_order(side, &stickers) } else { stickers };
    if format == Format::Net && widths != net_widths {
        return Err(CubeError::NotANet { side });
    }
    let (letters, offsets) = ordered.into_iter().unzip();
    Ok(CubeInput::Stickers(StickerLetters { letters, offsets }))
}

/// Converts stickers from net order to the order of [`Face::ALL`].
fn net_to_face_order<T: Copy>(side: usize, net: &[T]) -> Vec<T> {
    let (face, middle_rows) = (side * side, 4 * side * side);
    let sticker = |number: usize| {
        let (row, column) = (number % face / side, number % side);
        // Faces L, F, R and B form the middle rows of the net.
        let middle = |index: usize| net[face + row * 4 * side + index * side + column];
        match Face::ALL[number / face] {
            Face::U => net[row * side + column],
            Face::L => middle(0),
            Face::F => middle(1),
            Face::R => middle(2),
            Face::B => middle(3),
            Face::D => net[face + middle_rows + row * side + column],
        }
    };
    (0..6 * face).map(sticker).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Stickers, net};
    use proptest::prelude::*;

    fn parse_all(side: usize, text: &str) -> Result<CubeInput, String> {
        parse_input(side, text, true, &InputFormat::default()).map_err(|error| error.to_string())
    }

    fn letters(side: usize, text: &str) -> Result<String, String> {
        match parse_all(side, text)? {
            CubeInput::Stickers(symbols) => Ok(symbols.letters.into_iter().collect()),
            other => Err(format!("{other:?}")),
        }
    }

    const MIXED: &str = "UUUUUUFFFUBBRRRRRRRRRFFDFFDDDBDDBDDBFFDLLLLLLLLLUBBUBB";

    #[test]
    fn stickers_and_moves_are_distinguished() {
        let stickers = |side: usize, text: &str| matches!(parse_all(side, text), Ok(CubeInput::Stickers(_)));
        let moves = |side: usize, text: &str| matches!(parse_all(side, text), Ok(CubeInput::Moves(_)));
        assert!(stickers(3, MIXED));
        assert!(stickers(3, &MIXED.to_lowercase()));
        assert!(stickers(3, &MIXED.chars().map(|c| format!("{c} ")).collect::<String>()));
        let colours =
            |text: &str| text.replace('U', "W").replace('L', "O").replace('F', "G").replace('D', "Y");
        assert!(stickers(3, &colours(MIXED)));
        assert!(stickers(2, "UUUU RRRR FFFF DDDD LLLL BBBB"));
        assert!(stickers(2, "WWWW\nRRRR\nGGGG\nYYYY\nOOOO\nBBBB"));
        assert!(stickers(2, "UUUURRRRFFFF....LLLLBBBB"));
        for text in ["R", "U U U", "RUR'U'", "R U F R U F", "M2 E2 S2", "x y z", "R2 L2", "r u"] {
            assert!(moves(3, text), "{text}");
        }
        assert!(moves(2, "R U F R U F R U F R U F R U F R U F R U F R U F"), "24 moves with blanks between");
        assert!(matches!(parse_all(3, " # nothing\n"), Ok(CubeInput::Empty)));
    }

    #[test]
    fn a_drawn_net_is_parsed() {
        let faces: Vec<Face> = MIXED.chars().filter_map(Face::from_letter).collect();
        let drawn = net(3, &faces, false);
        assert_eq!(letters(3, &drawn).as_deref(), Ok(MIXED));
        // Line by line.
        let lines: Vec<&str> = drawn.lines().collect();
        for count in 1..9 {
            let text = lines[..count].join("\n");
            assert_eq!(
                parse_input(3, &text, false, &InputFormat::default()),
                Ok(CubeInput::NeedsMoreLines),
                "{count} lines"
            );
        }
        let text = format!("{}\nR U R'", lines[..4].join("\n"));
        let broken = parse_input(3, &text, false, &InputFormat::default());
        assert!(
            matches!(&broken, Ok(CubeInput::Interrupted(error)) if error.to_string() == "expected 54 stickers, found 21; the next line is `R U R'`"),
            "{broken:?}"
        );
        let two = net(2, &Stickers::<2>::solved().colours, false);
        assert_eq!(letters(2, &two).as_deref(), Ok("UUUURRRRFFFFDDDDLLLLBBBB"));
    }

    #[test]
    fn lines_are_one_cube_or_separate_moves() {
        let chunks = |text: &str, width: usize| -> String {
            let letters: Vec<char> = text.chars().collect();
            letters.chunks(width).map(String::from_iter).collect::<Vec<_>>().join("\n")
        };
        let wrong = MIXED.replacen('U', "R", 1);
        for width in [3, 9] {
            assert_eq!(letters(3, &chunks(MIXED, width)).as_deref(), Ok(MIXED), "rows of {width}");
            assert_eq!(letters(3, &chunks(&wrong, width)).as_deref(), Ok(&*wrong), "rows of {width}");
        }
        let missing = chunks(MIXED, 9).replacen('F', "", 1);
        assert_eq!(
            parse_all(3, &missing),
            Err(CubeError::StickerCount { side: 3, found: 53 }.to_string()),
            "{missing}"
        );
        for moves in ["RUF\nRUB", "R U F D L B R U F\nF U R F U R F U R", "RUF\nR2"] {
            assert_eq!(parse_all(3, moves), Ok(CubeInput::SeparateLines(CubeError::NotOneCube)), "{moves}");
        }
    }

    #[test]
    fn invalid_input_is_reported() {
        for (side, text, part) in [
            (
                3,
                &MIXED[1..],
                "expected 54 stickers, 9 on each face, or moves such as R U2 F', found 53 stickers",
            ),
            (2, "UUUURRRRFFFFDDDDLLLLBBB", "expected 24 stickers, 4 on each face"),
            (3, "R U X", "move 3: expected a turn"),
            (3, "hello", "found 5 stickers"),
            (3, "UUUURRRRFFFFDDDDLLLLBBBB", "found 24 stickers"),
            (3, "U U U U R R R R F F F F D D D D L L L L B B B B", "found 24 stickers"),
            (2, MIXED, "found 54 stickers"),
            (3, &format!("{MIXED}R"), "found 55 stickers"),
            (3, &format!("{MIXED} R"), "found 55 stickers"),
            (3, &format!("{MIXED}2"), "found 55 stickers"),
            (3, &format!("{MIXED}'"), "sticker 55: expected a letter, found `'`"),
            (
                3,
                &MIXED.chars().chain(['B']).map(|c| format!("{c} ")).collect::<String>(),
                "found 55 stickers",
            ),
        ] {
            let error = parse_all(side, text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
        let forced = |format: &str, kind: Option<InputKind>, text: &str| {
            parse_input(3, text, true, &InputFormat { kind, format: Some(format.into()) })
                .map_err(|error| error.to_string())
        };
        assert!(forced("net", None, MIXED).is_err_and(|error| error.contains("expected a net: 3 rows of 3")));
        assert!(forced("moves", None, "R\nU").is_err_and(|error| error.contains("after the line of moves")));
        assert!(forced("nets", None, "R").is_err_and(|error| error.contains("unknown format `nets`")));
        assert!(forced("net", Some(InputKind::Moves), "R").is_err());
        let position = InputFormat { kind: Some(InputKind::Position), format: None };
        assert!(
            parse_input(3, "R U", true, &position).is_err_and(|error| error.to_string().contains("found 2"))
        );
    }

    proptest! {
        #[test]
        fn parsing_never_panics(text in "(.{0,60}|[URFDLB. \n]{0,80})", at_end: bool) {
            let _ = parse_input(2, &text, at_end, &InputFormat::default());
            let _ = parse_input(3, &text, at_end, &InputFormat::default());
        }
    }

    /// A bad line does not take the lines after it with it.
    #[test]
    fn certain_moves_interrupt_stickers() {
        let read = |text: &str| parse_input(3, text, false, &InputFormat::default());
        for text in ["bad thing here\nR U F2", "todo scramble\nR'", "no idea\n2R U"] {
            assert!(matches!(read(text), Ok(CubeInput::Interrupted(_))), "{text}: {:?}", read(text));
        }
        let rows = read("WWW RRR\nR U F");
        assert!(!matches!(rows, Ok(CubeInput::Interrupted(_))), "rows of stickers: {rows:?}");
    }
}
