//! Puzzle definitions of every format, and positions of defined puzzles.

use std::sync::LazyLock;

use untumble_puzzles::definition::growth::{read_growth, write_growth};
use untumble_puzzles::definition::santa::parse_puzzles;
use untumble_puzzles::definition::scramble::parse_scrambles;
use untumble_puzzles::definition::{
    Definition, DefinitionError, Loss, MoveCost, Place, WriteError, Written, parse, pattern_to_kpuzzle,
    pattern_to_tws, to_gap, to_kpuzzle, to_tws,
};
use untumble_search::error::Diagnostic;

use crate::laws::{assert_plain, select};

/// Names of files, which matter where the content does not tell the format.
const HINTS: [&str; 7] = ["a.tws", "a.json", "a.gap", "a.csv", "a.csv#t", "a", "a.ksolve#N"];

/// An error has a plain message of bounded length, and a span that lies in the text.
fn assert_error(error: &DefinitionError, text: &str) {
    // The place quotes names of the file, which may end with a colon.
    assert_plain(&error.fault.to_string(), text);
    let message = error.to_string();
    assert!(message.len() < 2000, "a long message: {message}");
    if let Some(Place::Token { span, .. }) = &error.place {
        assert!(text.get(span.clone()).is_some(), "{span:?} is not a part of {text:?}");
    }
    let diagnostic = Diagnostic::from(error.clone());
    assert!(diagnostic.code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'));
}

/// Definitions: what parses is written and parses back to the same digest. The first byte selects the name
/// of the file.
pub fn definition(data: &[u8]) {
    let (hint, data) = select(data, HINTS.len());
    let text = String::from_utf8_lossy(data);
    match parse(data, HINTS[hint]) {
        Ok(definition) => {
            assert_written(&definition, "a.json", to_kpuzzle);
            assert_written(&definition, "a.tws", to_tws);
            assert_written(&definition, "a.gap", to_gap);
            assert_moves(&definition);
        }
        Err(error) => assert_error(&error, &text),
    }
}

fn assert_written(
    definition: &Definition,
    hint: &str,
    write: impl Fn(&Definition) -> Result<Written, WriteError>,
) {
    let written = match write(definition) {
        Ok(written) => written,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let text = &written.text;
    let again = parse(text.as_bytes(), hint).unwrap_or_else(|error| panic!("{error}: {text}"));
    let changed = written.losses.iter().any(Loss::changes_digest);
    assert_eq!(again.digest() != definition.digest(), changed, "{:?}: {text}", written.losses);
    assert_eq!(write(&again).map(|second| second.text).as_ref(), Ok(text));
}

/// The names of searched moves mean these moves.
fn assert_moves(definition: &Definition) {
    // The order may be too large; then the error says so.
    let Ok(moves) = definition.searched_moves(MoveCost::Quanta) else { return };
    for one in moves.iter().take(50) {
        let read = definition.parse_moves(&one.name).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(definition.transformation_of(&read), one.transformation, "{}", one.name);
        // A generator that moves nothing is searched only because it is listed.
        if !one.transformation.is_identity() {
            let selected = definition.selected_moves([&*one.name], MoveCost::Quanta);
            assert_eq!(selected.as_deref(), Ok(std::slice::from_ref(one)));
        }
    }
    assert_eq!(definition.check_position(definition.solved()), Ok(()));
}

static DEFINITIONS: LazyLock<Vec<Definition>> = LazyLock::new(|| {
    let pieces = "Set C 3 3\nSet E 3 2\nSolved\nC\n1 2 3\nE\n1 1 2\n? ? 0\nEnd\n\
                  Move U\nC\n2 3 1\n0 1 2\nE\n2 1 3\nEnd\nMove x\nE\n2 3 1\n1 1 0\nEnd\nIllegal C 1 3\n";
    let stickers = "a:=(1,2,3);b1:=(2,4);Gen:=[a,b1];ip:=[[1,2]];";
    let partial = r#"{"orbits": [{"orbitName": "A", "numPieces": 2, "numOrientations": 4}],
        "defaultPattern": {"A": {"pieces": [3, 300], "orientation": [1, 1], "orientationMod": [2, 0]}},
        "moves": {"U": {"A": {"permutation": [1, 0], "orientationDelta": [3, 0]}}}}"#;
    let all = [(pieces, "p.tws"), (stickers, "s.gap"), (partial, "k.json")];
    all.map(|(text, hint)| parse(text.as_bytes(), hint).expect("a valid definition")).into()
});

/// Positions and tables of other programs. The first byte selects a puzzle, or a format without one.
pub fn definition_position(data: &[u8]) {
    let (index, data) = select(data, DEFINITIONS.len() + 2);
    let text = &String::from_utf8_lossy(data);
    let Some(definition) = DEFINITIONS.get(index) else {
        return match index - DEFINITIONS.len() {
            0 => match read_growth(text) {
                Ok(rows) => assert_eq!(read_growth(&write_growth(&rows)), Ok(rows)),
                Err(error) => assert_error(&error, text),
            },
            _ => match parse_puzzles(text) {
                Ok(puzzles) => assert!(puzzles.iter().all(|puzzle| !puzzle.solved.is_empty())),
                Err(error) => assert_error(&error, text),
            },
        };
    };
    if let Err(error) = parse_scrambles(definition, text) {
        assert_error(&error, text);
    }
    match definition.parse_position(text) {
        Ok(position) => {
            assert_eq!(definition.check_position(&position), Ok(()));
            let json = pattern_to_kpuzzle(definition, &position);
            assert_eq!(definition.parse_position(&json).as_ref(), Ok(&position), "{json}");
            match pattern_to_tws(definition, &position, text) {
                Ok(tws) => assert_eq!(definition.parse_position(&tws).as_ref(), Ok(&position), "{tws}"),
                Err(error) => assert!(matches!(error, WriteError::Orientation { .. }), "{error}"),
            }
        }
        Err(error) => assert_error(&error, text),
    }
}
