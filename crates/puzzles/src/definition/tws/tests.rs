use super::*;

fn read(text: &str) -> Definition {
    parse_tws(text, "test").unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Three pieces of three orientations in a ring.
const RING: &str = "Name Ring\nSet C 3 3\n\nSolved\nC\n1 2 3\nEnd\n";

#[test]
fn the_orientations_of_a_move_are_by_piece_and_of_everything_else_by_slot() {
    // Slot 1 receives the content of slot 2. By piece, piece 2 is twisted by 1; by slot, slot 1 is.
    let by_piece = read(&format!("{RING}Move U\nC\n2 3 1\n0 1 2\nEnd\n"));
    let by_slot = read(&format!("{RING}MoveTransformation U\nC\n1 2 0\n1 2 0\nEnd\n"));
    let other = read(&format!("{RING}MoveTransformation U\nC\n1 2 0\n0 1 2\nEnd\n"));
    assert_eq!(by_piece.moves()[0].transformation, by_slot.moves()[0].transformation);
    assert_eq!(by_piece.digest(), by_slot.digest());
    assert_ne!(by_piece.moves()[0].transformation, other.moves()[0].transformation);
    let after = by_piece.solved().apply(&by_piece.moves()[0].transformation);
    assert_eq!(after.orbits()[0].pieces(), [1, 2, 0]);
    assert_eq!(after.orbits()[0].orientation(), [1, 2, 0]);
}

#[test]
fn blocks_may_leave_out_sets_and_orientations() {
    let text = "# comment\r\nSet A 2 2\r\nSet B 3 1\r\nSolved\r\nA\r\n1 1\r\n0 ?\r\nEnd\r\n";
    let error = parse_tws(text, "").expect_err("mixed").to_string();
    let expected = "line 7, column 3: the orientation of piece 1 is known in one slot and `?` in another; \
                    identical pieces agree";
    assert_eq!(error, expected);
    let text = "Set A 3 2\nSet B 3 1\nSolved\nA\n4 1 1\n1 ? ?\nEnd\nMove U\nB\n 2\t3 1\nEnd\n";
    let definition = read(text);
    assert_eq!(definition.name(), "test");
    let solved = definition.solved().orbits();
    assert_eq!((solved[0].pieces(), solved[0].orientation()), (&[3, 0, 0][..], &[1, 0, 0][..]));
    assert_eq!((solved[0].modulus(), solved[1].pieces()), (&[2, 1, 1][..], &[0, 1, 2][..]));
    let moved = definition.moves()[0].transformation.orbits();
    assert!(moved[0].is_identity());
    assert_eq!(moved[1].from(), [1, 2, 0]);
}

#[test]
fn aliases_and_sequences_refer_to_later_moves() {
    let text = format!(
        "{RING}MoveAlias T S\nMoveSequence S V2 U'\nMove U\nC\n2 3 1\nEnd\nMove V\nC\n1 2 3\n1 1 1\nEnd\n\
         MoveSequence Q (S U)3' [U, V]\n"
    );
    let definition = read(&text);
    let of = |moves: &str| {
        let moves = definition.parse_moves(moves).unwrap_or_else(|error| panic!("{error}"));
        definition.transformation_of(&moves)
    };
    assert_eq!(of("S"), of("V V U'"));
    assert_eq!(of("T"), of("S"));
    assert_eq!(of("Q"), of("V2' V2' V2'"));
    let kinds: Vec<MoveKind> = definition.moves().iter().map(|named| named.kind).collect();
    use MoveKind::{Move, Sequence};
    assert_eq!(kinds, [Sequence, Sequence, Move, Move, Sequence]);
}

#[test]
fn forbidden_placements_are_read() {
    let text = "Set A 3 1\nSolved\nA\n1 1 9\nEnd\nMove U\nA\n2 3 1\nEnd\nIllegal A 2 9 9\nIllegal A 1 9\n";
    let definition = read(text);
    let illegal: Vec<(usize, u32)> = definition.illegal().iter().map(|i| (i.slot, i.piece)).collect();
    assert_eq!(illegal, [(0, 8), (1, 8)]);
    let after = definition.solved().apply(&definition.moves()[0].transformation);
    let message = definition.check_position(&after).expect_err("forbidden").to_string();
    assert_eq!(message, "piece 9 is not allowed in slot 2 of A");
}

#[test]
fn mistakes_name_line_token_and_reason() {
    let ring = |rest: &str| format!("{RING}{rest}");
    for (text, expected) in [
        ("Set A 256 1\n".into(), "line 1, column 7: expected a number of pieces from 1 to 255, found `256`"),
        (
            "Set A 99999999999999999999 1\n".into(),
            "line 1, column 7: expected a number of pieces from 1 to 255, found `99999999999999999999`",
        ),
        (
            "Set A 2 128\n".into(),
            "line 1, column 9: expected a number of orientations from 1 to 127, found `128`",
        ),
        ("Set A 2\n".into(), "line 1, column 1: expected Set NAME PIECES ORIENTATIONS, found `Set A 2`"),
        ("Set A 2 1\nSet A 3 1\n".into(), "line 2, column 5: the set `A` is already defined"),
        ("Set A 2 1\nMove U\nEnd\n".into(), "line 2, column 1: `Move` must come after the block Solved"),
        (ring("Set D 2 1\n"), "line 8, column 1: `Set` must come before Solved"),
        (ring("Solved\nEnd\n"), "line 8, column 1: `Solved` must come once"),
        ("Solved\nEnd\n".into(), "line 1, column 1: `Solved` must come after the sets"),
        ("Set A 2 1\n".into(), "line 2, column 1: expected the block Solved, found the end of the file"),
        (ring(""), "the moves are missing"),
        (ring("Move U\nC\n2 3 1\n"), "line 8, column 1: the End of the block `Move U` is missing"),
        (
            ring("Move U\nC\nEnd\n"),
            "line 10, column 1: expected the permutation of 3 numbers of C, found `End`",
        ),
        (ring("Move U\nC\n2 3\nEnd\n"), "line 10, column 1: expected 3 numbers, found 2"),
        (
            ring("Move U\nC\n2 3 2\nEnd\n"),
            "line 10, column 5: not a permutation: 2 occurs twice, as entries 1 and 3; 1 is missing",
        ),
        (ring("Move U\nC\n2 3 4\nEnd\n"), "line 10, column 5: expected a piece from 1 to 3, found `4`"),
        (ring("Move U\nC\n2 3 0\nEnd\n"), "line 10, column 5: expected a piece from 1 to 3, found `0`"),
        (
            ring("Move U\nC\n2 3 1\n0 3 0\nEnd\n"),
            "line 11, column 3: expected an orientation from 0 to 2, found `3`",
        ),
        (
            ring("Move U\nC\n2 3 1\n0 ? 0\nEnd\n"),
            "line 11, column 3: expected an orientation from 0 to 2, found `?`",
        ),
        (
            ring("Move U\nC\n2 3 1\n0 0 0\n0 0 0\nEnd\n"),
            "line 12, column 1: expected the name of a set or End, found `0`",
        ),
        (ring("Move U\nD\n2 3 1\nEnd\n"), "line 9, column 1: there is no set `D`"),
        (
            ring("Move U\nC\n2 3 1\nC\n2 3 1\nEnd\n"),
            "line 11, column 1: the set in this block `C` is already defined",
        ),
        (ring("Move U\nEnd\nMove U\nEnd\n"), "line 10, column 6: the move `U` is already defined"),
        (
            ring("Move U V\nEnd\n"),
            "line 8, column 8: expected the end of the line after Move NAME, found `V`",
        ),
        (
            ring("Move U\nEnd\nMoveSequence A B\nMoveSequence B U A\n"),
            "line 10, column 14: the moves define each other in a circle: A -> B -> A",
        ),
        (
            ring("Move U\nEnd\nMoveAlias A A\n"),
            "line 10, column 11: the moves define each other in a circle: A -> A",
        ),
        (ring("Move U\nEnd\nMoveAlias A W\n"), "line 10, column 11: there is no move `W`"),
        (
            ring("Move U\nEnd\nMoveSequence A\n"),
            "line 10, column 1: expected MoveSequence NAME MOVES, found `MoveSequence A`",
        ),
        (
            ring("Twist U\n"),
            "line 8, column 1: expected Name, Set, Solved, StartState, Move, \
          MoveTransformation, MoveAlias, MoveSequence or Illegal, found `Twist`",
        ),
        (ring("Illegal C 4 1\n"), "line 8, column 11: expected a slot from 1 to 3, found `4`"),
        (ring("Illegal C 1 4\n"), "line 8, column 13: expected a piece from 1 to 3, found `4`"),
        (ring("Move U\nEnd\nIllegal C 1 1\n"), "piece 1 is not allowed in slot 1 of C"),
        (
            ring("Move (U)\nEnd\n"),
            "line 8, column 6: `(U)` cannot be a move: a name has 1 to 64 characters \
          without blanks, `,`, `:`, `#`, `//`, parentheses and brackets",
        ),
    ] {
        let error = parse_tws(&text, "test").expect_err(&text).to_string();
        assert_eq!(error, expected, "{text}");
    }
}

#[test]
fn the_span_of_an_error_is_its_token() {
    let text = format!("{RING}Move U\nC\n2 3 1\n0 77 0\nEnd\n");
    let error = parse_tws(&text, "test").expect_err("77");
    let diagnostic = untumble_search::error::Diagnostic::from(error);
    assert_eq!(diagnostic.span.map(|span| &text[span]), Some("77"));
    assert_eq!(diagnostic.expected.as_deref(), Some("an orientation from 0 to 2"));
    let error = parse_tws(&format!("{RING}Move Uw\nEnd\nMoveAlias A Uv\n"), "test").expect_err("Uv");
    let diagnostic = untumble_search::error::Diagnostic::from(error);
    let alternatives: Vec<&str> = diagnostic.alternatives.iter().map(|one| &*one.value).collect();
    assert_eq!(alternatives, ["Uw", "A"]);
}

#[test]
fn long_chains_of_sequences_need_no_stack() {
    let mut text = format!("{RING}Move U\nC\n2 3 1\nEnd\n");
    let count = 10_000;
    for number in 0..count {
        let next = if number + 1 == count { "U".to_owned() } else { format!("s{}x", number + 1) };
        text.push_str(&format!("MoveSequence s{number}x {next} U\n"));
    }
    let definition = read(&text);
    let first = &definition.moves()[1];
    // U has order 3, and the chain applies it 10,001 times.
    assert_eq!(first.transformation, definition.moves()[0].transformation.power(10_001));
    let last = text.replace("s9999x U U", "s9999x s0x U");
    let error = parse_tws(&last, "test").expect_err("a circle").to_string();
    assert!(
        error.ends_with(
            "s0x -> s1x -> s2x -> s3x -> s4x -> s5x -> … -> s9995x -> s9996x -> s9997x -> \
                             s9998x -> s9999x -> s0x"
        ),
        "{error}"
    );
}

#[test]
fn sequences_cannot_multiply_without_limit() {
    let mut text = format!("{RING}Move U\nC\n2 3 1\nEnd\n");
    for number in 0..1000 {
        text.push_str(&format!("MoveSequence s{number}x (U U)50000\n"));
    }
    let error = parse_tws(&text, "test").expect_err("too long").to_string();
    assert!(error.contains("moves in sequences; the limit is"), "{error}");
}
