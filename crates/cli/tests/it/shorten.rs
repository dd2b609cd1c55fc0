//! `untumble shorten`.

use crate::common::run;

const EASY: &str = "1 2 3 4 5 6 0 7 8";

#[test]
fn a_detour_is_shortened_to_the_optimum() {
    let moves = "D L U R D L U R D L U R L L";
    let done = run(&["shorten", "8-puzzle", EASY, "--moves", moves])
        .exits(0)
        .stderr_contains("2 moves instead of 14");
    assert_eq!(done.out, "L L\n");
    let json = run(&["shorten", "8-puzzle", EASY, "--moves", moves, "--json"]).exits(0);
    let line: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!((line["length"].as_u64(), line["outcome"].as_str()), (Some(2), Some("solved")));
    assert_eq!((line["moves"].as_str(), line["optimal"].as_bool()), (Some("L L"), Some(true)));
}

#[test]
fn an_optimal_solution_is_unchanged() {
    let done = run(&["shorten", "8-puzzle", EASY, "--moves", "L L"]).exits(0);
    assert_eq!(done.out, "L L\n");
    let _ = done.stderr_contains("no solution shorter than 2 moves found");
    run(&["shorten", "8-puzzle", "1 2 3 4 5 6 7 8 0", "--moves", ""])
        .exits(0)
        .stderr_contains("already solved");
    let round = run(&["shorten", "cube3", "R R'", "--moves", "R U U' R'", "--time", "1"]);
    assert_eq!(round.exits(0).out, "\n");
}

#[test]
fn at_a_limit_the_given_solution_remains() {
    let superflip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
    let back = "F2 U2 B2 L' R F' R2 D U R' B2 L' U2 R' B2 R' B' F' R2 U'";
    let done =
        run(&["shorten", "cube3", superflip, "--moves", back, "--with", "tunnel", "--time", "0.3"]).exits(0);
    assert_eq!(done.out.split_whitespace().count(), 20);
}

#[test]
fn moves_that_do_not_solve_are_refused() {
    let refused = |arguments: &[&str], code: i32, part: &str| {
        run(arguments).exits(code).stderr_contains(part);
    };
    refused(&["shorten", "8-puzzle", EASY, "--moves", "L"], 3, "these moves do not solve the position");
    refused(&["shorten", "8-puzzle", EASY, "--moves", "L X"], 3, "--moves:");
    refused(&["shorten", "8-puzzle", EASY, "--moves", "D D L L"], 3, "do not solve");
    refused(&["shorten", "8-puzzle", EASY], 2, "--moves");
    refused(&["shorten", "8-puzzle", "1 2 3 4 5 6 8 7 0", "--moves", "L"], 4, "no moves solve it");
    refused(&["shorten", "8-puzzle", "1 2 3", "--moves", "L"], 3, "");
    refused(&["shorten", "tiles-2x40", "--moves", "L"], 3, "");
}

/// With `--json`, invalid input is an answer with the keys of an invalid line of `solve`.
#[test]
fn errors_are_json_answers() {
    let keys = |answer: &serde_json::Value| -> Vec<String> {
        answer.as_object().expect("an object").keys().cloned().collect()
    };
    let solved = run(&["solve", "8-puzzle", "1 2 3 4 5 6 7 8 8", "--json"]).exits(3).json();
    let shortened =
        run(&["shorten", "8-puzzle", "1 2 3 4 5 6 7 8 8", "--moves", "L", "--json"]).exits(3).json();
    assert_eq!(shortened, solved);
    for (arguments, code, outcome, error_code) in [
        (&["shorten", "8-puzzle", EASY, "--moves", "L X", "--json"][..], 3, "invalid", "unknown-move"),
        (&["check", "8-puzzle", EASY, "--moves", "L X", "--json"], 3, "invalid", "unknown-move"),
        (&["shorten", "8-puzzle", EASY, "--moves", "L", "--json"], 3, "invalid", "not-a-solution"),
        (
            &["shorten", "8-puzzle", EASY, "--moves", "R", "--finish", "--json"],
            3,
            "invalid",
            "not-a-solution",
        ),
        (&["check", "8-puzzle", EASY, "--moves", "R", "--json"], 3, "invalid", "illegal-move"),
        (
            &["shorten", "8-puzzle", "1 2 3 4 5 6 8 7 0", "--moves", "L", "--json"],
            4,
            "unsolvable",
            "wrong-parity",
        ),
    ] {
        let answers = run(arguments).exits(code).json();
        let [answer] = &answers[..] else { panic!("one answer: {answers:?}") };
        assert_eq!((&answer["outcome"], &answer["code"]), (&outcome.into(), &error_code.into()), "{answer}");
        for key in ["schema", "puzzle", "metric", "goal", "error"] {
            assert!(keys(answer).iter().any(|known| known == key), "{key} is missing: {answer}");
        }
    }
    let answer = &run(&["check", "8-puzzle", EASY, "--moves", "L X", "--json"]).exits(3).json()[0];
    assert_eq!((&answer["moves"], &answer["span"]), (&"L X".into(), &serde_json::json!([2, 3])));
}

/// Missing moves are inserted where that is shortest, on any puzzle.
#[test]
fn finish_completes_an_incomplete_solution() {
    // The sune's cycle of corners is missing between the two halves.
    let scramble = "F2 R' D2 L U2 R2 B' R U R' U R U2 R'";
    let halves = "B R2 U2 L' D2 R F2";
    run(&["shorten", "cube3", scramble, "--moves", halves]).exits(3).stderr_contains("--finish");
    let done =
        run(&["shorten", "cube3", scramble, "--moves", halves, "--finish", "--nodes", "3000000"]).exits(0);
    assert!(done.out.split_whitespace().count() <= 14, "{}", done.out);
    let _ = done.stderr_contains("completed to ");
    let tiles = run(&["shorten", "8-puzzle", EASY, "--moves", "L", "--finish"]).exits(0);
    assert_eq!(tiles.out, "L L\n");
    // The given move is illegal: no tile can slide to the right.
    run(&["shorten", "8-puzzle", EASY, "--moves", "R", "--finish"])
        .exits(3)
        .stderr_contains("no short insertion");
    // Three tiles far apart, and no moves at all.
    let apart = "2 3 1 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 0 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36";
    run(&["shorten", "balto-4", apart, "--moves", "", "--finish", "--nodes", "2000000"])
        .exits(0)
        .stderr_contains("completed to ");
}
