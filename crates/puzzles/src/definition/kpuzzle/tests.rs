use super::*;
use crate::definition::{MoveKind, parse};

/// A definition of one orbit `A` of three pieces with four orientations.
fn with(solved: &str, moves: &str, rest: &str) -> String {
    format!(
        r#"{{"name": "k", "orbits": [{{"orbitName": "A", "numPieces": 3, "numOrientations": 4}}],
            "defaultPattern": {{"A": {{{solved}}}}}, "moves": {{{moves}}}{rest}}}"#
    )
}

const SOLVED: &str = r#""pieces": [0, 1, 2], "orientation": [0, 0, 0]"#;
const U: &str = r#""U": {"A": {"permutation": [1, 2, 0], "orientationDelta": [1, 0, 0]}}"#;
const V: &str = r#""V": {"A": {"permutation": [0, 2, 1], "orientationDelta": [0, 0, 0]}}"#;

fn read(text: &str) -> Definition {
    parse(text.as_bytes(), "k.json").unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn derived_moves_resolve_recursively() {
    let derived =
        r#", "derivedMoves": {"a": "b2 V'", "b": "[U: V]", "c": "[U, V]2", "y": "(U V)3'", "e": ""}"#;
    let definition = read(&with(SOLVED, &format!("{U}, {V}"), derived));
    let of = |moves: &str| {
        let moves = definition.parse_moves(moves).unwrap_or_else(|error| panic!("{error}"));
        definition.transformation_of(&moves)
    };
    for (name, moves) in [
        ("b", "U V U'"),
        ("a", "U V V U' V'"),
        ("c", "U V U' V' U V U' V'"),
        ("y", "V' U' V' U' V' U'"),
        ("e", "U U'"),
    ] {
        assert_eq!(of(name), of(moves), "{name}");
    }
    let kinds: Vec<(&str, MoveKind)> =
        definition.moves().iter().map(|named| (&*named.name, named.kind)).collect();
    assert_eq!(kinds[2..4], [("a", MoveKind::Move), ("b", MoveKind::Move)]);
    assert_eq!(kinds[5], ("y", MoveKind::Rotation));
    assert_eq!(of("U").order().to_string(), "12");
}

#[test]
fn patterns_know_orientations_in_part() {
    let solved = r#""pieces": [7, 7, 9], "orientation": [3, 3, 3], "orientationMod": [0, 1, 2]"#;
    let definition = read(&with(solved, U, ""));
    let orbit = &definition.solved().orbits()[0];
    assert_eq!((orbit.pieces(), orbit.orientation()), (&[7, 7, 9][..], &[3, 0, 1][..]));
    assert_eq!(orbit.modulus(), [4, 1, 2]);
    let target = r#"{"A": {"pieces": [5, 5, 5], "orientation": [0, 0, 1]}}"#;
    let target = parse_pattern(&definition, target).unwrap_or_else(|error| panic!("{error}"));
    assert!(definition.check_position(&target).is_err());
    let definition = definition.with_solved(target.clone());
    let moved = target.apply(&definition.moves()[0].transformation);
    assert_eq!(definition.check_position(&moved), Ok(()));
}

#[test]
fn mistakes_name_the_path() {
    let with_u = |u: &str| with(SOLVED, &format!(r#""U": {u}"#), "");
    for (text, expected) in [
        (
            with_u(r#"{"A": {"permutation": [1, 2, 1], "orientationDelta": [0, 0, 0]}}"#),
            "moves.U.A.permutation[2]: not a permutation: 1 occurs twice, as entries 1 and 3; 0 is missing",
        ),
        (
            with_u(r#"{"A": {"permutation": [1, 2, 3], "orientationDelta": [0, 0, 0]}}"#),
            "moves.U.A.permutation[2]: expected an entry from 0 to 2, found `3`",
        ),
        (
            with_u(r#"{"A": {"permutation": [1, 2, -1], "orientationDelta": [0, 0, 0]}}"#),
            "moves.U.A.permutation[2]: expected a whole number below 2^32, found `-1`",
        ),
        (
            with_u(r#"{"A": {"permutation": [1, 2], "orientationDelta": [0, 0, 0]}}"#),
            "moves.U.A.permutation: expected 3 numbers, found 2",
        ),
        (
            with_u(r#"{"A": {"permutation": [1, 2, 0], "orientationDelta": [0, 4, 0]}}"#),
            "moves.U.A.orientationDelta[1]: expected an orientation from 0 to 3, found `4`",
        ),
        (
            with_u(r#"{"A": {"permutation": [1, 2, 0], "orientation": [0, 0, 0]}}"#),
            "moves.U.A: the key `orientationDelta` is missing",
        ),
        (with_u(r#"{"B": {}}"#), "moves.U: there is no orbit `B`"),
        (with_u("[]"), "moves.U: expected an object, found `[…]`"),
        (with(SOLVED, "", ""), "the moves are missing"),
        (with(SOLVED, U, r#", "derivedMoves": {"a": "W"}"#), "derivedMoves.a: there is no move `W`"),
        (
            with(SOLVED, U, r#", "derivedMoves": {"U": "U"}"#),
            "derivedMoves.U: the move `U` is already defined",
        ),
        (
            with(SOLVED, U, r#", "derivedMoves": {"a": "U b", "b": "[c: U]", "c": "a"}"#),
            "derivedMoves.a: the moves define each other in a circle: a -> b -> c -> a",
        ),
        (
            with(SOLVED, U, r#", "derivedMoves": {"a": "[U U"}"#),
            "derivedMoves.a: expected `]` at the end of the group, found `[`",
        ),
        (
            with(SOLVED, U, r#", "derivedMoves": {"a": 3}"#),
            "derivedMoves.a: expected a text in quotes, found `3`",
        ),
        (
            with(&format!(r#"{SOLVED}, "orientationMod": [0, 3, 0]"#), U, ""),
            "defaultPattern.A.orientationMod[1]: expected 0 or a divisor of the 4 orientations, found 3",
        ),
        (with(r#""pieces": [0, 1, 2]"#, U, ""), "defaultPattern.A: the key `orientation` is missing"),
        (with(SOLVED, &format!("{U}, {U}"), ""), "line 2: not valid JSON: the key `U` occurs twice"),
        (r#"{"orbits": {"A": 1}}"#.into(), "orbits: expected a list, found `{…}`"),
        (
            r#"{"orbits": [{"orbitName": "A", "numPieces": 65537, "numOrientations": 1}]}"#.into(),
            "orbits[0].numPieces: expected a number of pieces from 1 to 65536, found `65537`",
        ),
        (
            r#"{"orbits": [{"orbitName": "A", "numPieces": 1, "numOrientations": 256}]}"#.into(),
            "orbits[0].numOrientations: expected a number of orientations from 1 to 255, found `256`",
        ),
        (r#"{"orbits": []}"#.into(), "orbits: the orbits are missing"),
        ("{}".into(), "the key `orbits` is missing"),
        ("[]".into(), "expected an object, found `[…]`"),
        ("{\"a\": [1,\n2".into(), "line 2: not valid JSON: EOF while parsing a list"),
    ] {
        let error = parse(text.as_bytes(), "k.json").expect_err(&text).to_string();
        assert_eq!(error.trim_start_matches(": "), expected, "{text}");
    }
}
