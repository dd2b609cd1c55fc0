//! Reading a definition of any format.

use super::cayleypy;
use super::error::{DefinitionError, Fault, Place};
use super::gap::parse_gap;
use super::json::Json;
use super::kpuzzle;
use super::limits::MAX_TEXT_BYTES;
use super::model::Definition;
use super::santa::parse_puzzle_info;
use super::tws::parse_tws;
use crate::sanitize::sanitize;

/// A format of definitions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// twsearch text.
    Tws,
    /// KPuzzle JSON.
    KPuzzle,
    /// GAP generators.
    Gap,
    /// `puzzle_info.csv` of Santa 2023.
    Santa,
    /// CayleyPy JSON.
    CayleyPy,
}

/// Parses a definition of any format, which the content tells or, where it does not, the extension. `hint`
/// is the name of the file, perhaps followed by `#` and the name of a puzzle in it, as in
/// `puzzle_info.csv#cube_4/4/4`. The name of a puzzle without a name is that of its file.
///
/// ```
/// use untumble_puzzles::definition::parse;
///
/// let text = "Set EDGE 3 2\nSolved\nEnd\nMove U\nEDGE\n2 3 1\n1 0 0\nEnd\n";
/// let definition = parse(text.as_bytes(), "ring.tws").unwrap();
/// assert_eq!(definition.name(), "ring");
/// assert_eq!(definition.moves()[0].transformation.order().to_string(), "6");
/// let error = parse(b"Set EDGE 3 2\nSet EDGE 4 1\n", "ring.tws").unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 5: the set `EDGE` is already defined");
/// ```
///
/// # Errors
/// The first mistake with its place. Takes time linear in the length of the content.
pub fn parse(bytes: &[u8], hint: &str) -> Result<Definition, DefinitionError> {
    const BYTE_ORDER_MARK: &str = "\u{feff}";
    if bytes.len() > MAX_TEXT_BYTES {
        return Err(Fault::TooLong { bytes: bytes.len() }.into());
    }
    let text = std::str::from_utf8(bytes).map_err(|error| Fault::NotUtf8 { at: error.valid_up_to() })?;
    match text.strip_prefix(BYTE_ORDER_MARK) {
        None => parse_text(text, hint),
        Some(text) => parse_text(text, hint).map_err(|error| shifted(error, BYTE_ORDER_MARK.len())),
    }
}

/// Moves the span of an error to the right.
fn shifted(error: DefinitionError, bytes: usize) -> DefinitionError {
    let place = error.place.map(|place| match place {
        Place::Token { line, column, span } => {
            Place::Token { line, column, span: span.start + bytes..span.end + bytes }
        }
        value @ Place::Value { .. } => value,
    });
    DefinitionError { place, ..error }
}

fn parse_text(text: &str, hint: &str) -> Result<Definition, DefinitionError> {
    if text.trim().is_empty() {
        return Err(Fault::Empty.into());
    }
    let (file, fragment) = hint.rsplit_once('#').map_or((hint, None), |(file, name)| (file, Some(name)));
    let base = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let stem = base.split_once('.').map_or(base, |(stem, _)| stem);
    let name = &sanitize(if stem.is_empty() { "puzzle" } else { stem });
    if text.trim_start().starts_with(['{', '[']) {
        let json = Json::parse(text)?;
        let definition = if cayleypy::is_definition(&json) && !kpuzzle::is_definition(&json) {
            cayleypy::read_definition(&json, name)?
        } else {
            kpuzzle::read_definition(text, &json, name)?
        };
        return single(definition, fragment);
    }
    let Some(format) = format_of_content(text).or_else(|| format_of_extension(base)) else {
        let first = text.split_whitespace().next().unwrap_or_default();
        let start = text.len() - text.trim_start().len();
        let fault = Fault::UnknownFormat { found: sanitize(first) };
        return Err(fault.at(text, start..start + first.len()));
    };
    match format {
        Format::Tws => single(parse_tws(text, name)?, fragment),
        Format::Gap => single(parse_gap(text, name)?, fragment),
        Format::Santa => parse_puzzle_info(text, fragment),
        // The content begins like no JSON, so the reader names the first wrong character.
        Format::KPuzzle | Format::CayleyPy => single(kpuzzle::parse_kpuzzle(text, name)?, fragment),
    }
}

/// Refuses the name of a puzzle where the file has only one.
fn single(definition: Definition, fragment: Option<&str>) -> Result<Definition, DefinitionError> {
    match fragment {
        Some(wanted) if wanted != definition.name() => {
            let known = [definition.name()];
            Err(Fault::unknown("puzzle", wanted, known.into_iter()).into())
        }
        _ => Ok(definition),
    }
}

/// The format that the first statement of a text shows.
fn format_of_content(text: &str) -> Option<Format> {
    let first = text.lines().find(|line| !line.starts_with('#') && !line.trim().is_empty())?;
    let word = first.split_whitespace().next()?;
    let keywords = ["Name", "Set", "Solved", "StartState", "Move", "MoveTransformation"];
    let assigns = |line: &str| {
        let name = line.trim_start();
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
        end > 0 && name[end..].trim_start().starts_with(":=")
    };
    if keywords.contains(&word) {
        Some(Format::Tws)
    } else if assigns(first) {
        Some(Format::Gap)
    } else if first.split(',').any(|field| matches!(field.trim(), "puzzle_type" | "allowed_moves")) {
        Some(Format::Santa)
    } else {
        None
    }
}

fn format_of_extension(file: &str) -> Option<Format> {
    let (_, extension) = file.rsplit_once('.')?;
    match extension.to_ascii_lowercase().as_str() {
        "tws" | "ksolve" | "def" => Some(Format::Tws),
        "json" => Some(Format::KPuzzle),
        "gap" | "g" => Some(Format::Gap),
        "csv" => Some(Format::Santa),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(bytes: &[u8], hint: &str) -> String {
        parse(bytes, hint).expect_err(hint).to_string()
    }

    const TWS: &str = "Set A 3 1\nSolved\nEnd\nMove U\nA\n2 3 1\nEnd\n";
    const JSON: &str = r#"{"name": "n", "orbits": [{"orbitName": "A", "numPieces": 2,
        "numOrientations": 1}], "defaultPattern": {"A": {"pieces": [0, 1]}},
        "moves": {"U": {"A": {"permutation": [1, 0]}}}}"#;

    #[test]
    fn the_format_is_recognised_by_content() {
        for (text, hint, name) in [
            (TWS, "a.tws", "a"),
            (TWS, "folder.d/b", "b"),
            ("\u{feff}# c\n\nName N\nSet A 2 1\nSolved\nEnd\nMove U\nA\n2 1\nEnd\n", "x.txt", "N"),
            ("# c\nM_A:=(1,2);", "g", "g"),
            ("A := (1,2);", "", "puzzle"),
            (JSON, "k", "n"),
            (JSON, "k.json#n", "n"),
            (r#"{"generators": [[1, 0]]}"#, "c.json", "c"),
            ("puzzle_type,allowed_moves\nt,\"{'a': [1, 0]}\"\n", "i.csv", "t"),
            ("puzzle_type,allowed_moves\ns,\"{'a': [1, 0]}\"\nt,\"{'a': [1, 0]}\"\n", "i.csv#t", "t"),
        ] {
            let definition = parse(text.as_bytes(), hint).unwrap_or_else(|error| panic!("{hint}: {error}"));
            assert_eq!(definition.name(), name, "{hint}");
        }
    }

    #[test]
    fn files_that_are_no_definitions_are_refused() {
        assert_eq!(message(b" \n", "a.tws"), "the file is empty");
        assert_eq!(message(b"Set A\xff", "a.tws"), "the file is not UTF-8 text: byte 5 begins no character");
        let unknown = message(b"hello world", "a.txt");
        assert!(unknown.starts_with("line 1, column 1: expected twsearch text (.tws)"), "{unknown}");
        assert!(unknown.ends_with("found `hello`"), "{unknown}");
        assert_eq!(message(b"hello", "a.json"), "line 1: not valid JSON: expected value");
        assert_eq!(message(JSON.as_bytes(), "a.json#m"), "there is no puzzle `m`");
        let choose = "the file defines 2 puzzles; choose one by its name after the file name and a `#`";
        assert_eq!(message(b"puzzle_type,allowed_moves\na,{}\nb,{}\n", "i.csv"), choose);
        let long = vec![b' '; MAX_TEXT_BYTES + 1];
        assert_eq!(message(&long, "a"), "the file has 33554433 bytes; the limit is 33554432");
        let error = parse("\u{feff}Set A 3 1\nSet A 3 1\n".as_bytes(), "a.tws").expect_err("twice");
        assert_eq!(error.place, Some(Place::Token { line: 2, column: 5, span: 17..18 }));
    }

    /// Ten megabytes of noise in every format: an error that quotes little, without much time or memory.
    #[test]
    fn noise_is_refused() {
        let mut state = 1u64;
        let mut noise = |alphabet: &[u8], bytes: usize| -> Vec<u8> {
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                alphabet[(state >> 33) as usize % alphabet.len()]
            };
            (0..bytes).map(|_| next()).collect()
        };
        for (prefix, hint) in [
            ("", "a.tws"),
            ("", "a.json"),
            ("", "a.gap"),
            ("", "a.csv"),
            ("", "a"),
            ("Name ", "a"),
            ("Set A 3 1\nSolved\nA\n", "a.tws"),
            ("Set A 3 1\nSolved\nEnd\nMove U\nA\n2 3 1\nEnd\nMoveSequence V ", "a.tws"),
            ("{\"orbits\": ", "a.json"),
            ("{\"generators\": [[", "a.json"),
            ("a:=(", "a.gap"),
            ("a:=(1,2);ip:=[[", "a.gap"),
            ("puzzle_type,allowed_moves\na,\"{'a': [", "a.csv"),
        ] {
            let long: (&[u8], usize) = (b"abcdefgh 0123456789\n", 10 << 20);
            let short: [&[u8]; 8] = [b"0123456789 ", b"0, ", b"(", b"[", b"\"", b"{\"a\":", b"'", b"U "];
            let short = short.map(|alphabet| (alphabet, 1 << 18));
            for (alphabet, count) in [long].into_iter().chain(short) {
                let mut bytes = prefix.as_bytes().to_vec();
                bytes.extend(noise(alphabet, count));
                let message = message(&bytes, hint);
                assert!(message.len() < 400, "{prefix:?} {hint}: {message}");
            }
        }
    }
}
