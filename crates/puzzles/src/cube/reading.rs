//! Cubes as text: is it stickers or moves, is it all there, and in which order.

use untumble_search::error::span_in;
use untumble_search::frontend::{FormatInfo, InputFormat, InputKind};

use super::error::CubeError;
use super::face::Face;
use super::notation;
use super::stickers::Turn;
use crate::sanitize::sanitize as echo;

/// The ways to write a cube.
pub(crate) const FORMATS: &[FormatInfo] = &[
    FormatInfo {
        name: "stickers",
        what: "every sticker, face by face (U R F D L B), each row by row, in any six letters: UUUUUUUUURRR…; blanks and lines as you like",
    },
    FormatInfo {
        name: "net",
        what: "the same as an unfolded net, a row on each line: U above, L F R B, D below",
    },
    FormatInfo { name: "moves", what: "moves from solved: R U2 F' Rw M x, or RU2F'" },
];

/// What stands for a sticker that is not known.
pub(crate) const UNKNOWN: char = '.';
/// What people write for it, too.
const ALSO_UNKNOWN: char = '?';

/// What a text holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Text {
    /// Nothing but blanks and comments.
    Nothing,
    /// The beginning of a cube.
    More,
    /// A letter for each sticker, in the order of faces.
    Stickers(Symbols),
    /// Moves from solved.
    Moves(Vec<Turn>),
    /// Stickers that end before they are all there, and a line that does not go on with them.
    Broken(CubeError),
}

/// The stickers of a cube as they are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Symbols {
    /// A letter for each, in the order of faces.
    pub(crate) letters: Vec<char>,
    /// Where each stands in the text.
    pub(crate) offsets: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Stickers,
    Net,
    Moves,
}

/// Reads a text as far as it has come.
pub(crate) fn read(side: usize, text: &str, end: bool, form: &InputFormat) -> Result<Text, CubeError> {
    let lines: Vec<&str> = text.lines().map(uncommented).filter(|line| !line.trim().is_empty()).collect();
    let Some(&first) = lines.first() else { return Ok(Text::Nothing) };
    let format = match asked(form)? {
        Some(format) => format,
        None if is_stickers(side, first) => Format::Stickers,
        None => Format::Moves,
    };
    if format != Format::Moves {
        return stickers(side, text, &lines, end, format);
    }
    if asked(form)?.is_none() && bare(side, first) && (lines.len() > 1 || !end) {
        return in_doubt(side, text, &lines, end);
    }
    match lines.get(1) {
        None => notation::read_part(text, first, side).map(Text::Moves),
        Some(next) => {
            let next = next.trim();
            Err(CubeError::TrailingLine { found: echo(next), span: span_in(text, next) })
        }
    }
}

/// The format that `form` asks for, if it does.
fn asked(form: &InputFormat) -> Result<Option<Format>, CubeError> {
    let format = match form.format.as_deref() {
        None => None,
        Some("stickers") => Some(Format::Stickers),
        Some("net") => Some(Format::Net),
        Some("moves") => Some(Format::Moves),
        Some(other) => {
            return Err(CubeError::UnknownFormat { name: echo(other) });
        }
    };
    match (form.kind, format) {
        (Some(InputKind::Moves), None) => Ok(Some(Format::Moves)),
        (Some(InputKind::Position), None) => Ok(Some(Format::Stickers)),
        (Some(InputKind::Moves), Some(Format::Stickers | Format::Net)) => Err(CubeError::FormatOfPositions),
        (Some(InputKind::Position), Some(Format::Moves)) => Err(CubeError::FormatOfMoves),
        _ => Ok(format),
    }
}

/// A line without its comment.
fn uncommented(line: &str) -> &str {
    line.split('#').next().unwrap_or("").trim_end()
}

/// Whether a text that begins with this line is stickers rather than moves. The letters of the faces serve both, so
/// it is the look that decides: so many letters without a blank, all colours equally often, the margin of a net.
fn is_stickers(side: usize, line: &str) -> bool {
    let total = 6 * side * side;
    if line.contains([UNKNOWN, ALSO_UNKNOWN]) {
        return true;
    }
    let symbols: Vec<char> = line.chars().filter(|c| !c.is_whitespace()).collect();
    let count = symbols.len();
    if !symbols.iter().all(|c| c.is_alphanumeric()) {
        return false;
    }
    let longest = line.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0);
    let letters = symbols.iter().all(|c| c.is_alphabetic());
    if notation::read(line, side).is_err() {
        let strange = symbols.iter().filter(|c| Face::of(**c).is_none()).count();
        return count == total || longest >= side * side || 2 * strange > count;
    }
    let margin = line.chars().take_while(|c| c.is_whitespace()).count();
    let equal =
        Face::ALL.iter().all(|face| symbols.iter().filter(|&&c| c == face.letter()).count() == side * side);
    let nearly = 3 * total <= 4 * count && 3 * count <= 4 * total;
    letters && ((nearly && longest >= side * side) || equal || (margin >= side && count == side))
}

/// Whether a line could be a row or a face of stickers as well as moves: the letters of faces, as many as belong there.
fn bare(side: usize, line: &str) -> bool {
    let letters = || line.chars().filter(|c| !c.is_whitespace());
    let count = letters().count();
    letters().all(|c| c.is_ascii_uppercase() && Face::of(c).is_some())
        && (count == side || count == side * side)
}

/// Reads lines that may be stickers or moves: they are stickers if all of them are alike and together make a whole cube.
/// Where they do not, each is by itself.
fn in_doubt(side: usize, text: &str, lines: &[&str], end: bool) -> Result<Text, CubeError> {
    let width = |line: &str| line.chars().filter(|c| !c.is_whitespace()).count();
    let total: usize = lines.iter().map(|line| width(line)).sum();
    let alike = lines.iter().all(|line| bare(side, line) && width(line) == width(lines[0]));
    let whole = 6 * side * side;
    if alike && total < whole && !end {
        return Ok(Text::More);
    }
    let often =
        |face: &Face| lines.iter().flat_map(|line| line.chars()).filter(|&c| c == face.letter()).count();
    if alike && total == whole && Face::ALL.iter().all(|face| often(face) == side * side) {
        return stickers(side, text, lines, end, Format::Stickers);
    }
    Ok(Text::Broken(CubeError::NotOneCube))
}

/// Reads stickers from lines of `text`.
fn stickers(side: usize, text: &str, lines: &[&str], end: bool, format: Format) -> Result<Text, CubeError> {
    let total = 6 * side * side;
    // The letters of a line, each with its place in the text.
    let symbols = |line: &str| -> Vec<(char, usize)> {
        let start = span_in(text, line).map_or(0, |span| span.start);
        let known = |c: char| if c == ALSO_UNKNOWN { UNKNOWN } else { c };
        let letters = line.char_indices().filter(|(_, c)| !c.is_whitespace() && *c != ',');
        letters.flat_map(|(at, c)| known(c).to_uppercase().map(move |c| (c, start + at))).collect()
    };
    let is_sticker = |c: char| c.is_alphanumeric() || c == UNKNOWN;
    let fits = |line: &str| symbols(line).iter().all(|&(c, _)| is_sticker(c));
    let (&last, before) = lines.split_last().expect("the caller has a line");
    let all: Vec<(char, usize)> = lines.iter().flat_map(|line| symbols(line)).collect();
    let so_far = all.len() - symbols(last).len();
    if !before.is_empty() && (!fits(last) || all.len() > total) {
        let next = last.trim();
        return Ok(Text::Broken(CubeError::BrokenOff {
            expected: total,
            found: so_far,
            next: echo(next),
            span: span_in(text, next),
        }));
    }
    if let Some(place) = all.iter().position(|&(c, _)| !is_sticker(c)) {
        let start = all[place].1;
        let found = text[start..].chars().next().map_or_else(String::new, |c| c.to_string());
        let span = Some(start..start + found.len());
        return Err(CubeError::NotALetter { number: place + 1, found: echo(&found), span });
    }
    if all.len() < total && !end {
        return Ok(Text::More);
    }
    if all.len() != total {
        return Err(CubeError::StickerCount { side, found: all.len() });
    }
    let widths: Vec<usize> = lines.iter().map(|line| symbols(line).len()).collect();
    let unfolded = [vec![side; side], vec![4 * side; side], vec![side; side]].concat();
    let ordered = if widths == unfolded { folded(side, &all) } else { all };
    if format == Format::Net && widths != unfolded {
        return Err(CubeError::NotANet { side });
    }
    let (letters, offsets) = ordered.into_iter().unzip();
    Ok(Text::Stickers(Symbols { letters, offsets }))
}

/// The stickers of a net in the order of faces.
fn folded<T: Copy>(side: usize, net: &[T]) -> Vec<T> {
    let (face, belt) = (side * side, 4 * side * side);
    let sticker = |number: usize| {
        let (row, column) = (number % face / side, number % side);
        // Where the face begins in the belt of four around the cube.
        let belted = |place: usize| net[face + row * 4 * side + place * side + column];
        match Face::ALL[number / face] {
            Face::U => net[row * side + column],
            Face::L => belted(0),
            Face::F => belted(1),
            Face::R => belted(2),
            Face::B => belted(3),
            Face::D => net[face + belt + row * side + column],
        }
    };
    (0..6 * face).map(sticker).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Stickers, net};
    use proptest::prelude::*;

    fn whole(side: usize, text: &str) -> Result<Text, String> {
        read(side, text, true, &InputFormat::default()).map_err(|why| why.to_string())
    }

    fn letters(side: usize, text: &str) -> Result<String, String> {
        match whole(side, text)? {
            Text::Stickers(symbols) => Ok(symbols.letters.into_iter().collect()),
            other => Err(format!("{other:?}")),
        }
    }

    const MIXED: &str = "UUUUUUFFFUBBRRRRRRRRRFFDFFDDDBDDBDDBFFDLLLLLLLLLUBBUBB";

    #[test]
    fn stickers_and_moves_are_told_apart() {
        let stickers = |side: usize, text: &str| matches!(whole(side, text), Ok(Text::Stickers(_)));
        let moves = |side: usize, text: &str| matches!(whole(side, text), Ok(Text::Moves(_)));
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
        assert!(matches!(whole(3, " # nothing\n"), Ok(Text::Nothing)));
    }

    #[test]
    fn a_net_is_read_as_it_is_drawn() {
        let faces: Vec<Face> = MIXED.chars().filter_map(Face::of).collect();
        let drawn = net(3, &faces, false);
        assert_eq!(letters(3, &drawn).as_deref(), Ok(MIXED));
        // Line by line.
        let lines: Vec<&str> = drawn.lines().collect();
        for count in 1..9 {
            let text = lines[..count].join("\n");
            assert_eq!(read(3, &text, false, &InputFormat::default()), Ok(Text::More), "{count} lines");
        }
        let text = format!("{}\nR U R'", lines[..4].join("\n"));
        let broken = read(3, &text, false, &InputFormat::default());
        assert!(
            matches!(&broken, Ok(Text::Broken(why)) if why.to_string() == "expected 54 stickers, found 21; the next line is `R U R'`"),
            "{broken:?}"
        );
        let two = net(2, &Stickers::<2>::solved().colours, false);
        assert_eq!(letters(2, &two).as_deref(), Ok("UUUURRRRFFFFDDDDLLLLBBBB"));
    }

    #[test]
    fn mistakes_are_named() {
        for (side, text, part) in [
            (
                3,
                &MIXED[1..],
                "expected 54 stickers, 9 on each face, or moves such as R U2 F', found 53 stickers",
            ),
            (2, "UUUURRRRFFFFDDDDLLLLBBB", "expected 24 stickers, 4 on each face"),
            (3, "R U X", "move 3: expected a turn"),
            (3, "hello", "found 5 stickers"),
        ] {
            let error = whole(side, text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
        let forced = |format: &str, kind: Option<InputKind>, text: &str| {
            read(3, text, true, &InputFormat { kind, format: Some(format.into()) })
                .map_err(|why| why.to_string())
        };
        assert!(forced("net", None, MIXED).is_err_and(|why| why.contains("expected a net: 3 rows of 3")));
        assert!(forced("moves", None, "R\nU").is_err_and(|why| why.contains("after the line of moves")));
        assert!(forced("nets", None, "R").is_err_and(|why| why.contains("no format `nets`")));
        assert!(forced("net", Some(InputKind::Moves), "R").is_err());
        let position = InputFormat { kind: Some(InputKind::Position), format: None };
        assert!(read(3, "R U", true, &position).is_err_and(|why| why.to_string().contains("found 2")));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "(.{0,60}|[URFDLB. \n]{0,80})", end: bool) {
            let _ = read(2, &text, end, &InputFormat::default());
            let _ = read(3, &text, end, &InputFormat::default());
        }
    }
}
