//! Text input of Rubik's cube.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use untumble_search::error::Error;
use untumble_search::frontend::{InputFormat, Parsed, PuzzleFrontend, PuzzleText, below};
use untumble_search::puzzle::Puzzle;

use super::{Cube, Cube3};
use crate::cube::pieces::{
    CORNER_NAMES, CORNERS, Cubie, EDGE_NAMES, EDGES, corner_stickers, edge_stickers, find_piece,
};
use crate::cube::{Face, Metric, Stickers, Turn};

fn cube3() -> Cube3 {
    Cube3::new(Metric::Htm)
}

fn parsed(cube3: &Cube3, text: &str) -> Result<Cube, String> {
    match cube3.parse(text, true, &InputFormat::default()) {
        Ok(Parsed::Position(cube)) => Ok(cube),
        Ok(other) => Err(format!("{other:?}")),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn rotated_solved_cubes_are_solved() {
    let cube3 = cube3();
    let solved = Stickers::<3>::solved();
    let text = |colours: [char; 6]| -> String {
        solved.colours.iter().map(|colour| colours[colour.index()]).collect()
    };
    for text in [
        "x".to_owned(),
        "y2 z'".into(),
        "Rw L'".into(),
        "M L R'".into(),
        "r' R M'".into(),
        text(['U', 'R', 'F', 'D', 'L', 'B']),
        text(['B', 'R', 'U', 'F', 'L', 'D']),
        text(['w', 'r', 'g', 'y', 'o', 'b']),
    ] {
        assert_eq!(parsed(&cube3, &text), Ok(Cube::SOLVED), "{text}");
    }
}

#[test]
fn solutions_refer_to_the_final_orientation() {
    let cube3 = cube3();
    for (text, answer) in [
        ("R U F'", "F U' R'"),
        ("x R U", "U' R'"),
        ("U x", "B'"),
        ("Rw U", "U' L'"),
        ("M", "L R'"),
        ("M U", "U' L R'"),
        ("y' R2 y U", "U' F2"),
    ] {
        let path = cube3.parse_moves(answer).expect(answer);
        let end = parsed(&cube3, text).map(|cube| cube3.replay(&cube, &path));
        assert_eq!(end, Ok(Ok(Cube::SOLVED)), "{text}: {answer}");
    }
}

#[test]
fn packed_moves_agree_with_moves_of_stickers() {
    for metric in [Metric::Htm, Metric::Qtm] {
        let cube3 = Cube3::new(metric);
        let mut stickers = Stickers::<3>::solved();
        for (cube, m) in untumble_search::laws::random_walk(&cube3, 200, &mut ChaCha8Rng::seed_from_u64(1)) {
            let text: String = stickers.colours.iter().map(|colour| colour.letter()).collect();
            assert_eq!(cube3.text(&cube), text);
            assert_eq!(parsed(&cube3, &text), Ok(cube));
            assert_eq!(parsed(&cube3, &cube3.draw(&cube, false)), Ok(cube));
            let (face, quarters) = cube3.turns().all()[m.index()];
            stickers = stickers.apply(Turn::outer(face, quarters));
        }
    }
}

#[test]
fn invalid_cubes_are_reported() {
    let cube3 = cube3();
    let solved: Vec<char> = cube3.text(&Cube::SOLVED).chars().collect();
    let recoloured = |changes: &[(usize, char)]| -> String {
        let mut stickers = solved.clone();
        changes.iter().for_each(|&(at, c)| stickers[at] = c);
        stickers.into_iter().collect()
    };
    for (text, part) in [
        (recoloured(&[(0, 'X')]), "sticker U1 is `X`, a colour that no centre has"),
        (recoloured(&[(0, 'F')]), "found 8 of `U`, 10 of `F`"),
        (recoloured(&[(4, 'F')]), "the centres of U and F are both `F`"),
        (
            recoloured(&[(8, 'D'), (29, 'U')]),
            "the corner at UFR has colours D, R, F clockwise, which no corner has",
        ),
        (recoloured(&[(9, 'F'), (20, 'R')]), "the real one has U, R, F"),
        (recoloured(&[(8, 'B'), (51, 'U')]), "the corner at UFR has colours B, R, F, which no corner has"),
        (recoloured(&[(7, 'B'), (46, 'U')]), "the edge at UF has colours B, F, which no edge has"),
        (recoloured(&[(13, 'U'), (4, 'D'), (31, 'R')]), "the corner at UFL"),
        (recoloured(&[(4, 'D'), (31, 'U')]), "mirror image"),
    ] {
        let error = parsed(&cube3, &text).expect_err(&text);
        assert!(error.contains(part), "{text}: {error}");
    }
    // An unknown sticker follows from the rest.
    assert_eq!(parsed(&cube3, &recoloured(&[(0, '.')])), Ok(Cube::SOLVED));
    for (text, parts) in [
        (recoloured(&[(7, 'F'), (19, 'U')]), vec!["an edge is flipped"]),
        (recoloured(&[(19, 'R'), (10, 'F')]), vec!["two pieces are exchanged"]),
        (
            recoloured(&[(8, 'F'), (9, 'U'), (20, 'R')]),
            vec!["a corner is twisted (turn any one corner anticlockwise"],
        ),
        (
            recoloured(&[(8, 'R'), (9, 'F'), (20, 'U'), (7, 'F'), (19, 'U')]),
            vec!["clockwise by a third", "flipped"],
        ),
    ] {
        let cube = parsed(&cube3, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(cube3.text(&cube), text, "the text is preserved");
        let Err(Error::Unsolvable(error)) = cube3.check_solvable(&cube) else { panic!("{text} is solvable") };
        assert!(parts.iter().all(|part| error.message().contains(part)), "{text}: {error}");
    }
}

/// Checks every parse error, also after comments and across several lines.
#[test]
fn spans_cover_the_offending_token() {
    let cube3 = cube3();
    let solved: Vec<char> = cube3.text(&Cube::SOLVED).chars().collect();
    let recoloured = |changes: &[(usize, &str)]| -> String {
        let mut stickers: Vec<String> = solved.iter().map(char::to_string).collect();
        changes.iter().for_each(|&(at, letter)| stickers[at] = letter.into());
        stickers.concat()
    };
    let rows = |text: &str| -> String {
        let letters: Vec<char> = text.chars().collect();
        letters.chunks(9).map(|face| String::from_iter(face) + " # a face\n").collect()
    };
    // Corner UFR: stickers U9, R1 and F3; edge UF: U8 and F2.
    for (text, code, token, pieces) in [
        (recoloured(&[(0, "X")]), "strange-colour", Some("X"), vec![0]),
        (recoloured(&[(4, "F")]), "same-centres", Some("F"), vec![4, 22]),
        (recoloured(&[(8, "D"), (29, "U")]), "mirrored-corner", Some("D"), vec![8, 9, 20]),
        (recoloured(&[(8, "B"), (51, "U")]), "no-such-corner", Some("B"), vec![8, 9, 20]),
        (recoloured(&[(7, "B"), (46, "U")]), "no-such-edge", Some("B"), vec![7, 19]),
        (recoloured(&[(4, "D"), (31, "U")]), "mirror-image", None, vec![]),
        (recoloured(&[(5, "é")]), "strange-colour", Some("é"), vec![5]),
        (recoloured(&[(3, "!")]), "not-a-sticker", Some("!"), vec![]),
    ] {
        for text in [text.clone(), format!("# é\n\n  {text} # all\n"), rows(&text)] {
            let form =
                InputFormat { kind: Some(untumble_search::frontend::InputKind::Position), format: None };
            let error = match cube3.parse(&text, true, &form) {
                Err(error) | Ok(Parsed::Unfinished(error)) => error,
                other => panic!("{text}: {other:?}"),
            };
            assert_eq!(error.code, code, "{text}: {error}");
            assert_eq!(error.span.clone().map(|span| &text[span]), token, "{text}: {error:?}");
            let places: Vec<usize> = error.pieces.iter().flat_map(|piece| piece.places.clone()).collect();
            assert_eq!(places, pieces, "{text}: {error:?}");
        }
    }
    for (text, code, token) in [
        ("# é\nR U Xy # end", "unknown-move", Some("Xy")),
        ("R U R0", "unknown-move", Some("R0")),
        ("R U F''", "unknown-move", Some("F''")),
        ("R U F'\nmore", "trailing-line", Some("more")),
        ("WWWWWWWWW\nRRRRRRRRR\nR U R'", "incomplete-position", Some("R U R'")),
    ] {
        let error = match cube3.parse(text, true, &InputFormat::default()) {
            Err(error) | Ok(Parsed::Unfinished(error)) => error,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(
            (error.code, error.span.clone().map(|span| &text[span])),
            (code, token),
            "{text}: {error:?}"
        );
    }
    let counted = parse_error(&cube3, &recoloured(&[(0, "F")]));
    let colours: Vec<(&str, usize)> =
        counted.pieces.iter().map(|piece| (&piece.name[..], piece.places.len())).collect();
    assert_eq!((counted.code, &colours[..]), ("colour-count", &[("U", 8), ("F", 10)][..]));
}

fn parse_error(cube3: &Cube3, text: &str) -> Box<untumble_search::error::Diagnostic> {
    cube3.parse(text, true, &InputFormat::default()).expect_err(text)
}

#[test]
fn errors_of_two_exchanged_stickers_are_correct() {
    let cube3 = cube3();
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let (corners, edges) = (corner_stickers::<3>(), edge_stickers());
    for _ in 0..10_000 {
        let mut stickers: Vec<char> = cube3.text(&cube3.random(&mut rng)).chars().collect();
        let (a, b) = (below(&mut rng, 54), below(&mut rng, 54));
        stickers.swap(a, b);
        let text: String = stickers.iter().collect();
        let parsed = parsed(&cube3, &text);
        if (a % 9 == 4 || b % 9 == 4) && stickers[a] != stickers[b] {
            // Now two centres are equal, or two centres are exchanged and the pieces no longer fit.
            let error = parsed.expect_err(&text);
            let equal_centres = (a % 9 == 4) != (b % 9 == 4);
            assert_eq!(equal_centres, error.contains("the centres of"), "{text}: {error}");
            continue;
        }
        let face = |at: usize| Face::from_letter(stickers[at]).expect("a face");
        let found_corners: Vec<Option<Cubie>> =
            corners.iter().map(|slot| find_piece(&CORNERS, slot.map(face))).collect();
        let found_edges: Vec<Option<Cubie>> =
            edges.iter().map(|slot| find_piece(&EDGES, slot.map(face))).collect();
        let duplicate_slot = |found: &[Option<Cubie>]| {
            let pieces: Vec<Option<usize>> =
                found.iter().map(|found| found.map(|cubie| cubie.piece)).collect();
            (0..found.len()).find(|&slot| pieces[..slot].contains(&pieces[slot]))
        };
        let (bad_corner, bad_edge) =
            (found_corners.iter().position(Option::is_none), found_edges.iter().position(Option::is_none));
        match parsed {
            Ok(cube) => {
                assert!(bad_corner.is_none() && bad_edge.is_none(), "{text}");
                assert!(
                    duplicate_slot(&found_corners).is_none() && duplicate_slot(&found_edges).is_none(),
                    "{text}"
                );
                let sum = |found: &[Option<Cubie>]| {
                    found.iter().flatten().map(|cubie| cubie.orientation).sum::<usize>()
                };
                let cycle_count = |found: &[Option<Cubie>]| {
                    let pieces: Vec<usize> = found.iter().flatten().map(|cubie| cubie.piece).collect();
                    cycles(&pieces)
                };
                let error =
                    cube3.check_solvable(&cube).map_or_else(|error| error.to_string(), |()| String::new());
                assert_eq!(error.contains("twisted"), sum(&found_corners) % 3 != 0, "{text}: {error}");
                assert_eq!(error.contains("flipped"), sum(&found_edges) % 2 != 0, "{text}: {error}");
                let parities_differ =
                    (8 - cycle_count(&found_corners)) % 2 != (12 - cycle_count(&found_edges)) % 2;
                assert_eq!(error.contains("exchanged"), parities_differ, "{text}: {error}");
            }
            Err(error) => match (bad_corner, bad_edge) {
                (Some(slot), _) => {
                    let named = format!("the corner at {} has colours", CORNER_NAMES[slot]);
                    assert!(error.starts_with(&named), "{text}: {error} should contain {named}");
                }
                (None, Some(slot)) if duplicate_slot(&found_corners).is_none() => {
                    let named = format!("the edge at {} has colours", EDGE_NAMES[slot]);
                    assert!(error.starts_with(&named), "{text}: {error} should contain {named}");
                }
                _ => {
                    let pairs = |found: &[Option<Cubie>], names: &[&str]| {
                        let same =
                            |&(a, b): &(usize, usize)| found[a].map(|p| p.piece) == found[b].map(|p| p.piece);
                        let all = (0..names.len()).flat_map(|b| (0..b).map(move |a| (a, b))).filter(same);
                        let named: Vec<String> = all
                            .map(|(a, b)| format!("occurs twice, at {} and at {};", names[a], names[b]))
                            .collect();
                        named.iter().any(|named| error.contains(named))
                    };
                    assert!(
                        pairs(&found_corners, &CORNER_NAMES) || pairs(&found_edges, &EDGE_NAMES),
                        "{text}: {error}"
                    );
                }
            },
        }
    }
}

/// The number of cycles of a permutation.
fn cycles(pieces: &[usize]) -> usize {
    let mut seen = vec![false; pieces.len()];
    let mut cycles = 0;
    for first in 0..pieces.len() {
        let mut at = first;
        cycles += usize::from(!seen[first]);
        while !std::mem::replace(&mut seen[at], true) {
            at = pieces[at];
        }
    }
    cycles
}

#[test]
fn random_positions_are_solvable() {
    let cube3 = cube3();
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut at_home = 0;
    for _ in 0..2000 {
        let cube = cube3.random(&mut rng);
        assert!(cube3.check_solvable(&cube).is_ok(), "{cube:?}");
        at_home += (0..8).filter(|&slot| cube.corner(slot) == slot).count();
    }
    // Of the 24 states of a corner, one is at home.
    assert!((550..790).contains(&at_home), "{at_home} corners at home");
}
