use super::*;
use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use untumble_search::frontend::{PuzzleFrontend, PuzzleText};
use untumble_search::puzzle::Puzzle;

fn parse_board(balto: &Balto, text: &str) -> Result<Board, String> {
    match balto.parse(text, true, &InputFormat::default()) {
        Ok(Parsed::Position(board)) => Ok(board),
        Ok(other) => Err(format!("{other:?}")),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn formats_are_detected() {
    let balto = Balto::new(2);
    let solved = "1 2\n3 0 4\n5 6";
    for text in [
        solved,
        "# a board\n2\n1 2 # first\n\n3 0 4\n5 6\n",
        "1 2 3 0 4 5 6",
        "1,2, 3,0,4, 5,6",
        "1 2/3 0 4/5 6",
        "2 1 2 3 0 4 5 6",
        "1C",
        "2:1 C",
    ] {
        let board = parse_board(&balto, text).expect(text);
        assert!(balto.is_goal(&board), "{text}: {board:?}");
    }
    let board = parse_board(&balto, "1A").expect("two moves");
    assert_eq!(balto.text(&board), balto.text(&parse_board(&balto, "1a").expect("lower case")));
    assert!(!balto.is_goal(&board));
}

/// Move 1: the empty cell goes NE, the tile there goes E, and the tile there goes to the former
/// empty cell.
#[test]
fn single_moves_give_the_boards_of_the_contest_rules() {
    let balto = Balto::new(3);
    let input = InputFormat { kind: Some(InputKind::Moves), format: None };
    for (m, text) in [
        ("1", "1 2 3/4 5 0 7/8 9 10 6 11/12 13 14 15/16 17 18"),
        ("A", "1 2 3/4 5 10 7/8 9 6 0 11/12 13 14 15/16 17 18"),
        ("4", "1 2 3/4 5 6 7/8 13 9 10 11/12 0 14 15/16 17 18"),
    ] {
        let Ok(Parsed::Position(board)) = balto.parse(m, true, &input) else { panic!("{m} is a move") };
        assert_eq!(balto.text(&board), text.replace('/', " "), "{m}");
    }
}

#[test]
fn boards_are_parsed_from_incomplete_input() {
    let balto = Balto::new(2);
    let parse = |text: &str| balto.parse(text, false, &InputFormat::default());
    assert_eq!(parse("# nothing"), Ok(Parsed::Nothing));
    assert_eq!(parse("2"), Ok(Parsed::More));
    assert_eq!(parse("2\n1 2"), Ok(Parsed::More));
    assert_eq!(parse("1 2\n3 0 4"), Ok(Parsed::More));
    assert!(matches!(parse("2\n1 2\n3 0 4\n5 6"), Ok(Parsed::Position(_))));
    assert!(matches!(parse("2\n1 2\n2"), Ok(Parsed::Unfinished(_))), "the next board begins");
    // A board of another side is consumed before it is refused.
    assert_eq!(parse("3\n1 2 3\n4 5 6 7"), Ok(Parsed::More));
}

#[test]
fn error_messages_name_the_mistake() {
    let balto = Balto::new(2);
    for (text, part) in [
        ("2\n1 2\n3 0 4\n5 5", "row 3, tile 2: tile 5 already occurs in row 3, tile 1; missing: 6"),
        ("2\n1 2\n3 0 7\n5 6", "row 2, tile 3: expected a tile 0..6, found `7`"),
        ("2\n1 2\n3 0 x\n5 6", "found `x`"),
        ("2\n1 2\n3 0 4", "the board has 2 of 3 rows: 1 row is missing"),
        ("2\n1 2\n3 0\n5 6", "row 2 of 3: expected 3 tiles, found 2"),
        ("3\n1 2 3\n4 5 6 7\n8 9 0 10 11\n12 13 14 15\n16 17 18", "the side is 3, not 2"),
        ("41", "expected the side, 2, on a line of its own, found `41`"),
        ("2", "0 of 3 rows: 3 rows are missing"),
        ("1 2 3 4", "found 4 words"),
        ("1B3G", "move 4: expected 1-6 or A-F, found `G`"),
        ("1A2 3", "move 4: directions must alternate, but `2` and `3` are both clockwise; expected A-F"),
        ("5:1A", "for a board of side `5`, not 2"),
    ] {
        let message = parse_board(&balto, text).expect_err(text);
        assert!(message.contains(part), "{text}: {message}");
    }
}

/// For every parse error, also if comments and empty lines precede it.
#[test]
fn spans_cover_the_offending_token() {
    let balto = Balto::new(2);
    for (text, code, token) in [
        ("2\n1 2\n3 0 4\n5 5", "duplicate-tile", Some("5")),
        ("2\n1 2\n3 0 7\n5 6", "not-a-tile", Some("7")),
        ("1 2/3 0 é/5 6", "not-a-tile", Some("é")),
        ("2\n1 2\n3 0 4", "missing-rows", None),
        ("2", "missing-rows", None),
        ("2\n1 2\n3 0\n5 6", "row-length", Some("3 0")),
        ("3\n1 2 3", "wrong-size", Some("3")),
        ("41", "not-a-size", Some("41")),
        ("1 2 3 4", "not-a-board", Some("1 2 3 4")),
        ("1 2/3 0/5 6", "tile-count", Some("1 2/3 0/5 6")),
        ("2\n1 2\n3 0 4\n5 6\n7", "trailing-line", Some("7")),
        ("1B\nmore", "trailing-line", Some("more")),
        ("1B3G", "unknown-move", Some("G")),
        ("1A2 3", "same-direction", Some("3")),
        ("(1A2)2", "same-direction", Some("1")),
        ("(1A", "unclosed-group", Some("(")),
        ("[1A 2B]", "bracket-separator", Some("[1A 2B]")),
        ("(1A)1000000000", "groups-too-long", Some("(1A)1000000000")),
        ("5:1A", "wrong-size", Some("5")),
    ] {
        for prefix in ["", "# é comment\n\n  ", "\r\n\t"] {
            let text = format!("{prefix}{text}  # comment\n");
            let error = match balto.parse(&text, true, &InputFormat::default()) {
                Err(error) | Ok(Parsed::Unfinished(error)) => error,
                other => panic!("{text}: {other:?}"),
            };
            assert_eq!(error.code, code, "{text}: {error}");
            assert_eq!(error.span.clone().map(|span| &text[span]), token, "{text}: {error:?}");
        }
    }
    let single = balto.parse("2", true, &InputFormat::default()).expect_err("no rows");
    assert_eq!(single.alternatives[0].value, "moves");
}

/// A number directly after a group is its count; after a space it is a move.
#[test]
fn groups_of_moves_are_expanded() {
    let balto = Balto::new(3);
    let moves = |text: &str| parse_moves(balto.lattice(), text, text).map(|moves| format_moves(&moves));
    for (text, expanded) in [
        ("(1A)3", "1A1A1A"),
        ("(1A) 3C", "1A3C"),
        ("(1A)2 3C", "1A1A3C"),
        ("(1A)'", "5C"),
        ("[1A: 2B]", "1A2B5C"),
        ("[1A, 2B]", "1A2B5C6D"),
        ("3:[1A: 2B] // comment", "1A2B5C"),
    ] {
        assert_eq!(moves(text).as_deref(), Ok(expanded), "{text}");
    }
}

proptest! {
    #[test]
    fn no_text_panics(text in "([0-9A-Fa-f:/#\n ,x()\\[\\]']|.){0,80}") {
        for end in [false, true] {
            let _ = Balto::new(2).parse(&text, end, &InputFormat::default());
        }
    }

    #[test]
    fn formatting_and_parsing_are_inverse(side in 2usize..9, seed in any::<u64>()) {
        let balto = Balto::new(side);
        let board = balto.random(&mut ChaCha8Rng::seed_from_u64(seed));
        prop_assert_eq!(parse_board(&balto, &balto.text(&board)), Ok(board.clone()));
        let mut tiles = balto.tiles(&board).into_iter();
        let rows = balto.lattice().rows().map(|length| {
            tiles.by_ref().take(length).map(|tile| tile.to_string()).collect::<Vec<_>>().join(" ")
        });
        let text = [side.to_string()].into_iter().chain(rows).collect::<Vec<_>>().join("\n");
        prop_assert_eq!(parse_board(&balto, &text), Ok(board));
    }
}
