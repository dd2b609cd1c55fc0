use super::*;
use crate::definition::parse;

fn definition() -> Definition {
    let text = "Set C 3 3\nSet E 2 2\nSet X 2 1\nSolved\nC\n1 2 3\nE\n1 1\n? ?\nX\n1 2\nEnd\n\
                Move U\nC\n2 3 1\n0 1 2\nX\n2 1\nEnd\n";
    parse(text.as_bytes(), "a.tws").unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn blocks_count_from_one_and_states_from_zero() {
    let definition = definition();
    let text = "# positions\nScramble first\nC\n2 3 1\n1 2 0\nE\n1 1\n? 1\nX\n2 1\nEnd\n\n\
                ScrambleState second\nC\n1 2 0\n1 2 0\nX\n1 0\nEnd\nScrambleAlg third\nU U\nU' (U)\nU'\nEnd\n\
                CPOS 4800010\n";
    let positions = parse_scrambles(&definition, text);
    let positions = positions.unwrap_or_else(|error| panic!("{error}"));
    let names: Vec<&str> = positions.iter().map(|one| &*one.name).collect();
    assert_eq!(names, ["first", "second", "third", ""]);
    let moved = definition.solved().apply(&definition.moves()[0].transformation);
    for one in &positions {
        assert_eq!(one.position, moved, "{}", one.name);
    }
}

#[test]
fn mistakes_are_located() {
    for (text, expected) in [
        (
            "Scramble a\nC\n1 2 2\nEnd\n",
            "line 1, column 1: the orbit C holds other pieces, or other known \
          orientations, than when solved",
        ),
        (
            "Scramble a\nC\n1 2 4\nEnd\n",
            "line 3, column 5: expected a piece of the solved position, found `4`",
        ),
        ("Scramble a\nC\n1 2 3\n? 0 0\nEnd\n", "line 4, column 1: expected an orientation, found `?`"),
        ("Scramble a\nC\n1 2 3\n", "line 1, column 1: the End of the block `Scramble a` is missing"),
        ("ScrambleAlg a\nU\nU W\n", "line 3, column 3: there is no move `W`"),
        ("ScrambleAlg a\nU\n", "line 1, column 1: the End of `ScrambleAlg a` is missing"),
        ("CPOS 480-010\n", "line 1, column 6: expected digits and letters of ASCII, found `480-010`"),
        ("CPOS 480001\n", "line 1, column 6: expected a digit of CPOS, found the end of the file"),
        ("CPOS 48000101\n", "line 1, column 6: expected fewer digits, found `48000101`"),
        (
            "CPOS z800010\n",
            "line 1, column 6: the orbit C holds other pieces, or other known orientations, \
          than when solved",
        ),
        (
            "Twist\n",
            "line 1, column 1: expected Scramble, ScrambleState, StartState, ScrambleAlg or CPOS, \
          found `Twist`",
        ),
        ("# nothing\n", "the file is empty"),
    ] {
        let error = parse_scrambles(&definition(), text).expect_err(text).to_string();
        assert_eq!(error, expected, "{text}");
    }
}
