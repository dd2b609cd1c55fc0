//! Text input of the pocket cube.

use std::sync::OnceLock;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use untumble_search::frontend::{InputFormat, Parsed, PuzzleFrontend, PuzzleText, below};
use untumble_search::puzzle::Puzzle;

use super::{Corners, Cube2};
use crate::cube::pieces::{CORNER_NAMES, CORNERS, corner_stickers, find_piece};
use crate::cube::{Face, Metric};

fn cube() -> &'static Cube2 {
    static CUBE: OnceLock<Cube2> = OnceLock::new();
    CUBE.get_or_init(|| Cube2::new(Metric::Htm))
}

fn parsed(text: &str) -> Result<Corners, String> {
    match cube().parse(text, true, &InputFormat::default()) {
        Ok(Parsed::Position(corners)) => Ok(corners),
        Ok(other) => Err(format!("{other:?}")),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn rotated_solved_cubes_are_solved() {
    for text in [
        "x",
        "y2 z'",
        "Rw",
        "U D'",
        "L' R",
        "UUUURRRRFFFFDDDDLLLLBBBB",
        "FFFFRRRRDDDDBBBBLLLLUUUU",
        "1111 2222 3333 4444 5555 6666",
    ] {
        assert_eq!(parsed(text).map(|corners| cube().is_goal(&corners)), Ok(true), "{text}");
    }
}

#[test]
fn solutions_refer_to_the_final_orientation() {
    let cube = cube();
    for (text, answer) in [
        ("R U F'", "F U' R'"),
        ("x R U", "U' R'"),
        ("R x", "R'"),
        ("U x", "F'"),
        ("U y x'", "F'"),
        ("L", "R'"),
        ("D2 y", "U2"),
    ] {
        let path = cube.parse_moves(answer).expect(answer);
        let end = parsed(text).map(|corners| cube.replay(&corners, &path).map(|end| cube.is_goal(&end)));
        // `U x` brings the turned layer to the back, which contains the fixed corner, so the answer turns F.
        assert_eq!(end, Ok(Ok(true)), "{text}: {answer}");
    }
}

#[test]
fn any_six_letters_are_accepted() {
    let cube = cube();
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..200 {
        let corners = cube.random(&mut rng);
        let text = cube.text(&corners);
        let painted = |colours: [char; 6]| -> String {
            text.chars().map(|c| colours[Face::from_letter(c).expect("a face").index()]).collect()
        };
        assert_eq!(parsed(&text), Ok(corners));
        assert_eq!(parsed(&painted(['W', 'R', 'G', 'Y', 'O', 'B'])), Ok(corners));
        assert_eq!(parsed(&painted(['a', 'b', 'c', 'd', 'e', 'f'])), Ok(corners));
        let mirrored = parsed(&painted(['U', 'L', 'F', 'D', 'R', 'B'])).expect_err("the mirror image");
        assert!(mirrored.contains("mirror image"), "{mirrored}");
    }
}

#[test]
fn unknown_stickers_that_the_rest_determines_are_completed() {
    let cube = cube();
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for _ in 0..100 {
        let corners = cube.random(&mut rng);
        let text = cube.text(&corners);
        // Hide all stickers of one corner and one sticker of another.
        let mut stickers: Vec<char> = text.chars().collect();
        let slots = corner_stickers::<2>();
        let (first, second) = (below(&mut rng, 8), below(&mut rng, 8));
        for at in slots[first] {
            stickers[at] = '.';
        }
        stickers[slots[second][0]] = '.';
        let known: String = stickers.iter().collect();
        if first != 6 {
            assert_eq!(parsed(&known), Ok(corners), "{known} of {text}");
        } else {
            // Without the fixed corner, the other letters may leave the orientation open.
            assert!(
                parsed(&known).is_ok() || parsed(&known).is_err_and(|error| error.contains("several")),
                "{known}"
            );
        }
    }
    assert!(parsed(&".".repeat(24)).is_err_and(|error| error.contains("several positions match")));
    assert!(parsed("UU..RRRRFFFFUU..LLLLBBBB").is_err_and(|error| error.contains("no pocket cube matches")));
}

#[test]
fn errors_of_two_exchanged_stickers_are_correct() {
    let cube = cube();
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let slots = corner_stickers::<2>();
    for _ in 0..10_000 {
        let mut stickers: Vec<char> = cube.text(&cube.random(&mut rng)).chars().collect();
        stickers.swap(below(&mut rng, 24), below(&mut rng, 24));
        let text: String = stickers.iter().collect();
        let colours = |slot: usize| slots[slot].map(|at| Face::from_letter(stickers[at]).expect("a face"));
        let found: Vec<Option<usize>> =
            (0..8).map(|slot| find_piece(&CORNERS, colours(slot)).map(|cubie| cubie.piece)).collect();
        let invalid_slot = (0..8).find(|&slot| found[slot].is_none());
        let duplicate_slot = (0..8).find(|&slot| found[..slot].contains(&found[slot]));
        match (invalid_slot, duplicate_slot, parsed(&text)) {
            (Some(slot), _, Err(error)) => {
                let [a, b, c] = slots[slot].map(|at| stickers[at]);
                let named = format!("the corner at {} has colours {a}, {b}, {c}", CORNER_NAMES[slot]);
                assert!(
                    error.starts_with(&named) && error.contains("which no corner has"),
                    "{text}: {error}"
                );
            }
            (None, Some(slot), Err(error)) => {
                assert!(
                    error.contains("occurs twice") && error.contains(CORNER_NAMES[slot]),
                    "{text}: {error}"
                );
            }
            (None, None, Ok(corners)) => assert!(cube.check_solvable(&corners).is_ok(), "{text}"),
            (_, _, other) => panic!("{text}: {other:?}"),
        }
    }
}
