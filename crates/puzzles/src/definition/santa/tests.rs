use super::*;
use crate::definition::MoveCost;

const INFO: &str = "puzzle_type,allowed_moves\n\
    swap,\"{'a': [1, 0]}\"\n\
    ring_3/1,\"{'f0': [1, 2, 0, 3], \"\"r0\"\": [0, 1, 3, 2],}\"\n";

const PUZZLES: &str = "id,puzzle_type,solution_state,initial_state,num_wildcards\n\
    0,ring_3/1,A;A;B;C,B;A;A;C,0\n7,ring_3/1,N0;N1;N2;N3,N1;N2;N0;N3,4\n";

fn ring() -> Definition {
    parse_puzzle_info(INFO, Some("ring_3/1")).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn moves_and_their_inverses_are_searched() {
    let definition = ring();
    assert_eq!(definition.name(), "ring_3/1");
    let moves = definition.searched_moves(MoveCost::Unit).unwrap_or_else(|error| panic!("{error}"));
    let names: Vec<&str> = moves.iter().map(|one| &*one.name).collect();
    assert_eq!(names, ["f0", "-f0", "r0"]);
    let of = |text: &str| {
        let moves = definition.parse_moves(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        definition.transformation_of(&moves)
    };
    assert_eq!(of("f0.-r0.-f0"), of("f0 r0 f0'"));
    assert_eq!(of("f0.f0"), of("-f0"));
    // A count cannot follow a name that ends with a digit.
    assert!(definition.parse_moves("f02").is_err());
}

#[test]
fn states_are_those_of_puzzles_csv() {
    let puzzles = parse_puzzles(PUZZLES).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((&*puzzles[1].id, puzzles[1].wildcards), ("7", 4));
    let first = puzzles[0].apply(ring()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(first.solved().orbits()[0].pieces(), [0, 0, 1, 2]);
    assert_eq!(first.start().map(|start| start.orbits()[0].pieces().to_vec()), Some(vec![1, 0, 0, 2]));
    let second = puzzles[1].apply(ring()).unwrap_or_else(|error| panic!("{error}"));
    let moved = second.solved().apply(&second.moves()[0].transformation);
    assert_eq!(second.start(), Some(&moved));
    let swap = parse_puzzle_info(INFO, Some("swap")).unwrap_or_else(|error| panic!("{error}"));
    let error = puzzles[0].apply(swap).expect_err("two slots").to_string();
    assert_eq!(error, "expected 2 stickers, found 4");
}

#[test]
fn mistakes_are_located() {
    let row = |moves: &str| format!("puzzle_type,allowed_moves\nx,\"{moves}\"\n");
    for (text, expected) in [
        (INFO.into(), "the file defines 2 puzzles; choose one by its name after the file name and a `#`"),
        (
            row("{'a': [1, 1]}"),
            "line 2, allowed_moves.a[1]: not a permutation: 1 occurs twice, as entries 1 \
          and 2; 0 is missing",
        ),
        (row("{'a': [1, 0], 'b': [0]}"), "line 2, allowed_moves.b: expected 2 numbers, found 1"),
        (row("{'a': [1, x]}"), "line 2, allowed_moves.a[1]: expected a whole number below 2^32, found `x`"),
        (row("{'a': [1, 0]"), "line 2, allowed_moves.a: expected `,` or `}`, found the end of the file"),
        (row("{'a': [1, 0], 'a': [1, 0]}"), "line 2, allowed_moves.a: the move `a` is already defined"),
        (row("{'a': [1, 0]} b"), "line 2, allowed_moves: expected the end of the dictionary, found `b`"),
        (row("{a: [1, 0]}"), "line 2, allowed_moves: expected a name in quotes, found `a`"),
        (row("{}"), "line 2, allowed_moves: the moves are missing"),
        (
            row("{'a': []}"),
            "line 2, allowed_moves.a[0]: expected a number of slots from 1 to 65536, found `0`",
        ),
        ("puzzle_type,moves\n".into(), "line 1: the column `allowed_moves` is missing"),
        ("puzzle_type,allowed_moves\n".into(), "the rows of puzzles are missing"),
        ("puzzle_type,allowed_moves\na,b,c\n".into(), "line 2: not valid CSV: expected 2 fields, found 3"),
    ] {
        let error = parse_puzzle_info(&text, None).expect_err(&text).to_string();
        assert_eq!(error, expected, "{text}");
    }
    let error = parse_puzzle_info(INFO, Some("ring")).expect_err("ring").to_string();
    assert_eq!(error, "there is no puzzle `ring`");
    let state = |text: &str| parse_state(&ring(), text).expect_err(text).to_string();
    assert_eq!(state("A;B;c;D"), "[2]: expected a capital letter, or N and a number, found `c`");
    assert_eq!(state("A;N1;B;C"), "[1]: expected all letters or all numbers, found `N1`");
}

/// As large as the largest type of the contest, a 33×33×33 cube.
#[test]
fn the_largest_puzzle_is_read() {
    let (moves, stickers) = (99, 6534);
    let numbers: Vec<String> = (0..stickers).map(|slot| ((slot + 1) % stickers).to_string()).collect();
    let list = numbers.join(", ");
    let entries: Vec<String> = (0..moves).map(|number| format!("'f{number}': [{list}]")).collect();
    let text = format!("puzzle_type,allowed_moves\nbig,\"{{{}}}\"\n", entries.join(", "));
    let definition = parse_puzzle_info(&text, Some("big")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((definition.moves().len(), definition.slots()), (moves, stickers));
    // All moves are equal here, so one and its inverse remain.
    let searched = definition.searched_moves(MoveCost::Unit).map(|moves| moves.len());
    assert_eq!(searched, Ok(2));
}
