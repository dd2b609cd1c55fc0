//! Tests of the text formats: every format, every error with its span, and random text.

use super::*;
use proptest::prelude::*;

fn square(side: usize) -> Size {
    Size { rows: side, columns: side }
}

/// Parses a text after which no more lines follow.
fn position(size: Size, text: &str) -> Result<ParsedText, String> {
    parse(size, text, true, &InputFormat::default()).map_err(|why| why.to_string())
}

fn labels(size: Size, text: &str) -> Result<Vec<u16>, String> {
    match position(size, text)? {
        ParsedText::Labels(labels) => Ok(labels),
        other => Err(format!("{other:?}")),
    }
}

#[test]
fn formats_are_detected() {
    let expected: Vec<u16> = vec![1, 2, 3, 4, 5, 6, 8, 7, 0];
    for text in [
        "1 2 3\n4 5 6\n8 7 0",
        "# 42\n3\n1 2 3 # first\n\n4 5 6\n# rest\n8 7 0 \n",
        "1 2 3 4 5 6 8 7 0",
        "1,2,3, 4,5,6, 8,7,0",
        " 1\t2 3 4 5 6 08 7 0",
        "77 1 2 3 4 5 6 8 7 0",
        "1 2 3/4 5 6/8 7 0",
        "1,2,3/4,5,6/8,7,0",
        "123456870",
        "1 2 3 | 4 5 6 | 8 7 0",
        "|1 2 3|4 5 6|8 7 0|",
        "1|2|3|4|5|6|8|7|0",
        "1 2 3; 4 5 6; 8 7 _",
        "1;2;3;4;5;6;8;7;0",
        "1 2 3;\n4 5 6;\n8 7 0;",
        "| 1 | 2 | 3 |\n| 4 | 5 | 6 |\n| 8 | 7 | _ |",
        "+---+---+---+\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |\n| 8 | 7 |   |\n+---+---+---+\n",
        "1 2 3\n4 5 6\n8 7 _",
        "1 2 3 4 5 6 8 7 .",
        "1 2 3 4 5 6 8 7 -",
        "12345687_",
        "12345687.",
        "[1,2,3,4,5,6,8,7,0]",
        "[1, 2, 3, 4, 5, 6, 8, 7, null]",
        "[[1,2,3],[4,5,6],[8,7,0]]",
        "[ [1, 2, 3], [4, 5, 6], [8, 7, 0] ]",
        "[[1,2,3],\n [4,5,6],\n [8,7,0]]",
        "[\n  [1, 2, 3],\n  [4, 5, 6],\n  [8, 7, 0]\n]",
        "[[1 2 3]\n [4 5 6]\n [8 7 0]]",
        "1\u{a0}2 3\u{2009}4 5 6 8 7 0\u{feff}",
    ] {
        assert_eq!(labels(square(3), text), Ok(expected.clone()), "{text}");
    }
    for (rows, columns, text) in [
        (2, 2, "[[1,2],[3,0]]"),
        (2, 2, "[1,2,3,0]"),
        (2, 3, "[[1,2,3],[4,5,0]]"),
        (3, 2, "[[1,2],[3,4],[5,0]]"),
        (3, 2, "1 2|3 4|5 0"),
        (2, 3, "1 2 3;4 5 _"),
    ] {
        let size = Size { rows, columns };
        let expected = (1..size.cells() as u16).chain([0]).collect();
        assert_eq!(labels(size, text), Ok(expected), "{text}");
    }
    let sixteen = "fedcba9876543210";
    assert_eq!(labels(square(4), sixteen), Ok((0..16).rev().collect()));
    assert_eq!(labels(square(4), "DABCEF9876543210").map(|l| l[0]), Ok(13));
    for text in ["L L U R", "llur", "L2UR", "L 2" /* a space ends a run */] {
        let parsed = position(square(3), text);
        assert_eq!(matches!(parsed, Ok(ParsedText::Moves(..))), text != "L 2", "{text}: {parsed:?}");
    }
    assert_eq!(position(square(3), " # nothing\n\n"), Ok(ParsedText::Nothing));
}

#[test]
fn a_board_may_be_parsed_line_by_line() {
    let input = InputFormat::default();
    for (text, needs_more) in [("3", true), ("3\n1 2 3", true), ("3\n1 2 3\n4 5 6\n8 7 0", false)] {
        let parsed = parse(square(3), text, false, &input).expect("no mistake");
        assert_eq!(parsed == ParsedText::More, needs_more, "{text}");
    }
    let broken = parse(square(3), "1 2 3\n4 5 6 7 8 0", false, &input);
    let why = "the board has 1 of 3 rows: 2 rows (6 tiles) are missing; the next line is `4 5 6 7 8 0`";
    assert!(matches!(&broken, Ok(ParsedText::Unfinished(error)) if error.to_string() == why), "{broken:?}");
}

#[test]
fn errors_name_the_item_and_the_expected_text() {
    for (side, text, part) in [
        (3, "1 2 3 4 5 6 7 8", "found 8: 0 is missing"),
        (
            3,
            "1 2 3 4 5 6 7 8 8",
            "item 9: expected a tile 0..8 not used before, found `8`, which is item 8; 0 is missing",
        ),
        (3, "1 2 3 4 5 9 7 8 0", "item 6: expected a tile 0..8 not used before, found `9`"),
        (3, "1 2 3 4 5 x 7 8 0", "item 6: expected a tile 0..8 not used before, found `x`"),
        (3, "1 2 3 4 5 -6 7 8 0", "item 6"),
        (3, "1 2 3 4 5 6 7 8 99999999999999999999", "item 9"),
        (3, "1 2 3\n4 x 6\n7 8 0", "item 5"),
        (3, "1 2 3\n4 5 6", "the board has 2 of 3 rows: 1 row (3 tiles) is missing"),
        (3, "3\n", "the board has 0 of 3 rows"),
        (3, "4", "the size is 4, but tiles-3x3 has 3 rows of 3"),
        (2, "3\n1 2 3\n4 5 6\n7 8 0", "the size is 3, but tiles-2x2"),
        (3, "99", "expected the size, 3,"),
        (
            3,
            "9 1 2 3 4 5 6 7 8 8",
            "item 9: expected a tile 0..8 not used before, found `8`, which is item 8; 0 is missing \
             (counted after the instance number `9`)",
        ),
        (3, "one 1 2 3 4 5 6 7 8 0", "expected an instance number before the 9 tiles, found `one`"),
        (3, "1 2 3 4 5 6 7 8 0 1 2", "found 11"),
        (3, "1 2 3/4 5 6", "expected 3 rows with slashes between, found 1 slash"),
        (3, "1 2 3/4 5/6 7 8 0", "row 2: expected 3 tiles, found 2"),
        (3, "1 2 3|4 5|6 7 8 0", "row 2: expected 3 tiles, found 2"),
        (3, "1 2 3;4 5 6", "expected 3 rows with `;` between, found 1 `;`"),
        (3, "[[1,2,3],[4,5],[6,7,8,0]]", "row 2: expected 3 tiles, found 2"),
        (3, "[[1,2],[3,0]]", "expected an array of 9 tiles, or of 3 rows of 3 tiles, found 2 rows"),
        (3, "[1,2,3,4]", "or of 3 rows of 3 tiles, found 4 tiles"),
        (3, "[1,2,3,4,5,6,7,8,8]", "item 9: expected a tile 0..8 not used before, found `8`"),
        (3, "1 2 3 4 _ 6 7 8 _", "item 9: expected a tile 0..8 not used before, found `_`, which is item 5"),
        (3, "(L U", "expected `)` at the end of the group, found `(`"),
        (3, "(L U)1000000000", "the groups stand for more than 100,000 moves"),
        (3, "(L U X)2", "move 3: expected U, D, L or R, found `X`"),
        (3, "12345678", "expected 9 digits or letters, one for each cell, found 8"),
        (3, "123456788", "item 9"),
        (3, "hello", "expected 9 tiles (0..8) or moves (U D L R), found `hello`"),
        (3, "one two three", "found `one`"),
        (3, "L L X", "move 3: expected U, D, L or R, found `X`"),
        (3, "L3", "move 1: expected a run of 1..2 slides, found `L3`"),
        (3, "L99999999999999999999999", "move 1"),
        (3, "\u{1b}[2J", "found `\u{fffd}[2J`"),
        (3, "1 2 3\n4 5 6\n7 8 0\n1 2 3", "expected nothing after 3 rows"),
    ] {
        let error = match position(square(side), text) {
            Err(why) => why,
            Ok(ParsedText::Unfinished(why)) => why.to_string(),
            other => panic!("{text}: {other:?}"),
        };
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn a_requested_format_is_enforced() {
    let parse_with = |format: &str, kind: Option<InputKind>, text: &str| {
        let input = InputFormat { kind, format: Some(format.into()) };
        parse(square(3), text, true, &input).map_err(|why| why.to_string())
    };
    assert!(matches!(parse_with("line", None, "1 2 3 4 5 6 7 8 0"), Ok(ParsedText::Labels(_))));
    assert!(matches!(parse_with("moves", Some(InputKind::Moves), "RD"), Ok(ParsedText::Moves(..))));
    for (format, kind, text, part) in [
        ("lines", None, "1", "there is no format `lines`"),
        ("rows", None, "1 2 3 4 5 6 7 8 0", "expected a row of 3 tiles"),
        ("42", None, "1 2 3", "expected the size, 3, on a line of its own, found `1 2 3`"),
        ("line", None, "1 2 3", "expected 9 tiles"),
        ("korf", None, "1 2 3 4 5 6 7 8 0", "expected an instance number and 9 tiles, found 9"),
        ("slashes", None, "1 2 3 4 5 6 7 8 0", "found 0 slashes"),
        ("digits", None, "1 2 3", "expected 9 digits"),
        ("moves", None, "1 2 3", "move 1: expected U, D, L or R, found `1`"),
        ("rows", Some(InputKind::Moves), "L", "holds positions, but moves are expected"),
        ("moves", Some(InputKind::Position), "L", "holds moves, but a position is expected"),
    ] {
        let error = parse_with(format, kind, text).expect_err(text);
        assert!(error.contains(part), "{format}, {text}: {error}");
    }
    let forced = InputFormat { kind: Some(InputKind::Position), format: None };
    assert!(parse(square(3), "LLU", true, &forced).is_err(), "moves are not a position");
}

#[test]
fn moves_apply_to_the_solved_board_or_name_the_illegal_one() {
    let tiles = Tiles::<u64>::new(Goal::named(square(3), "blank-last").expect("a known goal"));
    let parse_board = |text: &str| tiles.parse_text(text, true, &InputFormat::default());
    let Ok(Parsed::Position(board)) = parse_board("R D L U") else { panic!("four legal moves") };
    assert_eq!(tiles.format_line(&board), "1 2 3 4 6 8 7 5 0");
    let error = parse_board("D D D").expect_err("the board has three rows").to_string();
    let expected = "move 3: `D` is illegal with the blank in row 1, column 3; legal moves: U, R";
    assert_eq!(error, expected);
}

#[test]
fn goals_are_parsed_by_name_or_by_labels() {
    let goal = |text: &str| parse_goal(square(3), text).map_err(|why| why.to_string());
    assert_eq!(goal("Snail").map(|goal| goal.blank_home()), Ok(4));
    for text in ["8 7 6 5 4 3 2 1 0", "8 7 6/5 4 3/2 1 0", "876543210", "8,7,6,5,4,3,2,1,0"] {
        assert_eq!(goal(text).map(|goal| goal.labels().to_vec()), Ok((0..9).rev().collect()), "{text}");
    }
    for (text, part) in [
        ("snial", "there is no goal `snial`"),
        ("", "there is no goal ``"),
        ("1 2 3", "goal: expected 9 tiles"),
        ("1 2 3 4 5 6 7 8 8", "goal: item 9"),
        ("1 1 2 3 4 5 6 7 8 0", "goal: expected 9 tiles"),
        ("4", "goal: "),
    ] {
        let error = goal(text).expect_err(text);
        assert!(error.contains(part), "{text}: {error}");
    }
}

/// Every error of the parser, with comments and empty lines around the text.
#[test]
fn spans_cover_the_offending_token() {
    for (text, code, token) in [
        ("1 2 3 4 5 6 7 8 8", "duplicate-tile", Some("8")),
        ("1 2 3 4 5 x7 6 8 0", "not-a-tile", Some("x7")),
        ("1 2 3\n4 5 99\n7 8 0", "not-a-tile", Some("99")),
        ("3\n1 2 3\n4 5 6\n7 8 08", "duplicate-tile", Some("08")),
        ("17 1 2 3 4 5 6 7 8 8", "duplicate-tile", Some("8")),
        ("one 1 2 3 4 5 6 7 8 0", "not-an-instance", Some("one")),
        ("1 2 3 4 5 6 7 8", "tile-count", Some("1 2 3 4 5 6 7 8")),
        ("1 2 3 4 y 6", "not-a-tile", Some("y")),
        ("hello world", "not-a-board", Some("hello")),
        ("1 2 3/4 5/6 7 8 0", "row-length", Some("4 5")),
        ("1 2 3/4 5 6/7 é 0", "not-a-tile", Some("é")),
        ("1 2 3/4 5 6", "slash-count", None),
        ("123456788", "duplicate-tile", Some("8")),
        ("12345é780", "not-a-board", Some("12345é780")),
        ("1234567z0", "not-a-tile", Some("z")),
        ("12345678", "tile-count", None),
        ("1 2 3\n4 5 6", "missing-rows", None),
        ("1 2 3\n4 5 6\nx", "missing-rows", Some("x")),
        ("4\n1 2 3 4", "wrong-size", Some("4")),
        ("99", "not-a-size", Some("99")),
        ("1 2 3\n4 5 6\n7 8 0\nmore", "trailing-line", Some("more")),
        ("1 2 3 4 5 6 7 8 0\nmore", "trailing-line", Some("more")),
        ("L L Xy", "unknown-move", Some("Xy")),
        ("R3", "run-length", Some("R3")),
        ("R2 D2 LU2 U", "illegal-move", Some("U")),
        ("DD2", "illegal-move", Some("D2")),
        ("(D R)3", "illegal-move", Some("D")),
        ("[D, U] // the inverse of D", "illegal-move", Some("D")),
        ("L ((U)2", "unclosed-group", Some("(")),
        ("(U D)0", "group-count", Some("(U D)0")),
        ("1 2 3;4 5;6 7 8 0", "row-length", Some("4 5")),
        ("[[1,2,3],[4,5,é],[7,8,0]]", "not-a-tile", Some("é")),
        ("[[1,2],[3,0]]", "not-a-board-array", Some("[[1,2],[3,0]]")),
    ] {
        let tiles = Tiles::<u64>::new(Goal::named(square(3), "blank-last").expect("a known goal"));
        for prefix in ["", "# é comment\n\n  ", "\r\n\t"] {
            let text = format!("{prefix}{text}  # comment\n");
            let error: Box<Diagnostic> = match tiles.parse_text(&text, true, &InputFormat::default()) {
                Err(error) | Ok(Parsed::Unfinished(error)) => error,
                other => panic!("{text}: {other:?}"),
            };
            assert_eq!(error.code, code, "{text}: {error}");
            assert_eq!(error.span.clone().map(|span| &text[span]), token, "{text}: {error:?}");
        }
    }
    for (format, text, token) in [
        ("rows", "# a\n1 2 3 4", Some("1 2 3 4")),
        ("42", "1 2 3", Some("1 2 3")),
        ("moves", "1 2", Some("1")),
        ("korf", "1 2", None),
    ] {
        let input = InputFormat { kind: None, format: Some(format.into()) };
        let error: Box<Diagnostic> = parse(square(3), text, true, &input).expect_err(text).into();
        assert_eq!(error.span.map(|span| &text[span]), token, "{format}: {text}");
    }
}

#[test]
fn diagnostics_carry_pieces_and_alternatives() {
    let error = |text: &str| -> Box<Diagnostic> {
        parse(square(3), text, true, &InputFormat::default()).expect_err(text).into()
    };
    let duplicate = error("1 2 3 4 5 6 7 7 0");
    let cells: Vec<&[usize]> = duplicate.pieces.iter().map(|piece| &piece.places[..]).collect();
    assert_eq!(cells, [&[6][..], &[7], &[]]);
    assert_eq!(duplicate.pieces[2].name, "8", "the tile that is missing");
    let size = error("4");
    assert_eq!(size.alternatives[0].value, "tiles-4x4");
}

#[test]
fn ten_megabytes_of_noise_get_a_short_error() {
    let bytes = 10_000_000;
    for noise in ["x", "1", "1 ", "L", "/", "#", ",", "é", "LR", "1 2 3 4\n"] {
        let text = noise.repeat(bytes / noise.len());
        for (size, end) in [(square(4), true), (square(64), false)] {
            let input = InputFormat::default();
            match parse(size, &text, end, &input) {
                Err(why) => assert!(why.to_string().chars().count() < 300, "{noise}: {why}"),
                Ok(parsed) => {
                    assert!(matches!(parsed, ParsedText::Nothing | ParsedText::Moves(..)), "{noise}");
                }
            }
        }
    }
}

/// A board of any small size, and its labels.
fn boards() -> impl Strategy<Value = (Size, Vec<u16>)> {
    (2usize..=6, 2usize..=6).prop_flat_map(|(rows, columns)| {
        let labels: Vec<u16> = (0..(rows * columns) as u16).collect();
        (Just(Size { rows, columns }), Just(labels).prop_shuffle())
    })
}

/// The board in every format that can write it.
fn formatted(size: Size, labels: &[u16]) -> Vec<(&'static str, String)> {
    let word = |labels: &[u16], between: &str| {
        labels.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
    };
    let rows: Vec<String> = labels.chunks(size.columns).map(|row| word(row, " ")).collect();
    let mut texts = vec![
        ("rows", rows.join("\n")),
        ("line", word(labels, " ")),
        ("line", word(labels, ",")),
        ("korf", format!("12 {}", word(labels, "  "))),
        ("slashes", rows.join("/")),
        ("slashes", rows.join(" | ")),
        ("slashes", rows.join(";")),
        ("json", format!("[{}]", word(labels, ","))),
        ("json", format!("[[{}]]", rows.join("], [").replace(' ', ", ").replace(",,", ","))),
        ("line", format!(" {} ", word(labels, " ")).replace(" 0 ", " _ ")),
    ];
    if size.rows == size.columns {
        texts.push(("42", format!("# board\n{}\n{}", size.rows, rows.join(" # row\n"))));
    }
    if size.cells() <= MAX_DIGIT_CELLS {
        let digit = |&label: &u16| char::from_digit(label.into(), 36).unwrap_or('?');
        texts.push(("digits", labels.iter().map(digit).collect()));
    }
    texts
}

proptest! {
    #[test]
    fn any_text_is_parsed_or_rejected_without_panic(
        text in "(?s).{0,80}",
        end: bool,
        rows in 2usize..6,
        columns in 2usize..6,
    ) {
        let size = Size { rows, columns };
        let tiles = Tiles::<Box<[u16]>>::new(Goal::named(size, "snail").expect("a known goal"));
        let _ = tiles.parse_text(&text, end, &InputFormat::default());
        let _ = tiles.parse_move_text(&text);
        let _ = parse_goal(size, &text);
    }

    #[test]
    fn any_board_like_text_is_parsed_or_rejected_without_panic(
        text in "[0-9a-fUDLRudlr /,#\nx-]{0,60}",
        end: bool,
        side in 2usize..5,
        format in 0usize..8,
    ) {
        let size = square(side);
        let tiles = Tiles::<Box<[u16]>>::new(Goal::named(size, "blank-first").expect("a known goal"));
        let format = FORMATS.get(format).map(|format| format.name.to_owned());
        let _ = tiles.parse_text(&text, end, &InputFormat { kind: None, format });
        let _ = tiles.parse_move_text(&text);
        let _ = parse_goal(size, &text);
    }

    #[test]
    fn every_format_round_trips((size, board) in boards()) {
        for (format, text) in formatted(size, &board) {
            prop_assert_eq!(labels(size, &text), Ok(board.clone()), "{}: {}", format, text);
            let input = InputFormat { kind: Some(InputKind::Position), format: Some(format.into()) };
            let parsed = parse(size, &text, true, &input);
            prop_assert_eq!(parsed, Ok(ParsedText::Labels(board.clone())), "{}", text);
        }
        let goal = parse_goal(size, &formatted(size, &board)[1].1).map(|goal| goal.labels().to_vec());
        prop_assert_eq!(goal, Ok(board));
    }

    #[test]
    fn formatted_boards_parse_to_the_same_text((size, board) in boards()) {
        let goal = Goal::named(size, "snail").expect("a known goal");
        let tiles = Tiles::<Box<[u16]>>::new(goal);
        let text = board.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let Ok(Parsed::Position(parsed)) = tiles.parse_text(&text, true, &InputFormat::default()) else {
            return Err(TestCaseError::fail(text));
        };
        prop_assert_eq!(tiles.format_line(&parsed), text);
    }

    #[test]
    fn a_single_mistake_is_rejected_with_its_item(
        (size, board) in boards(),
        at: prop::sample::Index,
        other: prop::sample::Index,
    ) {
        let (cells, at, other) = (size.cells(), at.index(size.cells()), other.index(size.cells()));
        let text = |board: &[u16]| formatted(size, board)[1].1.clone();
        let mut dropped = board.clone();
        let label = dropped.remove(at);
        let why = labels(size, &text(&dropped)).expect_err("a tile is missing");
        let named = format!(": {label} is missing");
        prop_assert!(why.ends_with(&named), "{}", why);
        let mut replaced = board.clone();
        replaced[at] = cells as u16;
        for (format, text) in formatted(size, &replaced).into_iter().filter(|_| cells < 36) {
            let why = labels(size, &text).expect_err("a tile is out of range");
            let named = format!("item {}:", at + 1);
            prop_assert!(why.contains(&named), "{}: {}", format, why);
        }
        if at != other {
            let mut repeated = board.clone();
            repeated[at] = board[other];
            for (format, text) in formatted(size, &repeated) {
                let why = labels(size, &text).expect_err("a tile is repeated");
                let (first, second) = (at.min(other) + 1, at.max(other) + 1);
                let (second, first) = (format!("item {second}:"), format!("is item {first};"));
                prop_assert!(why.contains(&second) && why.contains(&first), "{}: {}", format, why);
            }
        }
    }

    #[test]
    fn moves_round_trip(moves in prop::collection::vec(0u8..4, 0..40)) {
        let moves: Vec<Move> = moves.into_iter().map(Move).collect();
        let letters: Vec<&str> = moves.iter().map(|&m| letter(m)).collect();
        let items = |text: &str| -> Result<Vec<Move>, TilesError> {
            Ok(parse_moves(square(3), text, text)?.into_iter().map(|placed| placed.item).collect())
        };
        for between in [" ", "", ", "] {
            prop_assert_eq!(items(&letters.join(between)), Ok(moves.clone()));
        }
        prop_assert_eq!(items(&letters.join(" ").to_lowercase()), Ok(moves));
    }
}
