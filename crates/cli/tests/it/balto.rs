//! Balto's puzzle on the command line: contest files, answers, errors, training.

use crate::common::{Running, run, run_with};

const SOLVED_2: &str = "2\n1 2\n3 0 4\n5 6\n";

#[test]
fn contest_files_hold_many_boards() {
    let boards =
        format!("# two boards\r\n{}\r\n\r\n2\r\n2 1\r\n4 0 3\r\n5 6\r\n", SOLVED_2.replace('\n', "\r\n"));
    let ran = run_with(&["solve", "balto-2", "--json"], boards).exits(0);
    let lines = ran.json();
    assert_eq!(lines.len(), 2);
    assert_eq!((&lines[0]["length"], &lines[0]["start"]), (&0.into(), &"1 2 3 0 4 5 6".into()));
    assert_eq!(lines[1]["optimal"], true);
    let (start, moves) =
        (lines[1]["start"].as_str().expect("a board"), lines[1]["moves"].as_str().expect("moves"));
    let checked = run(&["check", "balto-2", start, "--moves", moves, "--json"]).exits(0);
    assert_eq!(checked.json()[0]["solves"], true);
}

#[test]
fn answers_have_the_format_of_the_contest() {
    let ran = run(&["solve", "balto-3", "1A4D", "--with", "bibfs"]).exits(0);
    let moves = ran.out.trim().strip_prefix("3:").expect("the side in front").to_owned();
    assert_eq!(moves.len(), 4);
    run(&["check", "balto-3", "1A4D", "--moves", &format!("3:{moves}")]).exits(0);
    let json = run(&["solve", "balto-3", "1A4D", "--with", "bibfs", "--json"]).exits(0).json();
    assert_eq!(json[0]["moves"], moves.as_str());
    run(&["check", "balto-3", "1A4D", "--moves", "12"]).exits(3).stderr_contains("directions must alternate");
}

#[test]
fn an_invalid_board_is_refused_with_row_and_tile() {
    for (text, code, part) in [
        ("2\n1 2\n3 0 4\n5 5\n", 3, "row 3, tile 2: tile 5 already occurs"),
        ("2\n1 2\n3 0 4\n", 3, "1 row is missing"),
        ("3\n1 2 3\n4 5 6 7\n8 9 0 10 11\n12 13 14 15\n16 17 18\n", 3, "did you mean `balto-3`?"),
        ("2\n2 1\n3 0 4\n5 6\n", 4, "exchanging any two tiles"),
    ] {
        run_with(&["solve", "balto-2"], text).exits(code).stderr_contains(part);
        run_with(&["check", "balto-2"], text).exits(code).stderr_contains(part);
    }
    run(&["solve", "balto-41", "1A"]).exits(2).stderr_contains("sides of 2 to 40");
    run(&["solve", "balto-3", "1A", "--goal", "snail"]).exits(2).stderr_contains("leave out --goal");
    run(&["solve", "balto-3", "1A", "--with", "beam+closed:h2=none"])
        .exits(2)
        .stderr_contains("closed:h2=hamming or closed:h2=off");
    run(&["solve", "balto-3", "1A", "--with", "ida+torus:1"]).exits(2).stderr_contains("takes no argument");
}

#[test]
fn the_hexagon_is_drawn() {
    let ran = run_with(&["check", "balto-2"], SOLVED_2).exits(0);
    assert!(ran.out.starts_with("  1 2\n 3 · 4\n  5 6\n"), "{}", ran.out);
}

#[test]
fn auto_solves_a_board_within_a_node_limit() {
    let board = run(&["scramble", "balto-5", "--seed", "3"]).exits(0).out;
    let ran = run(&["solve", "balto-5", board.trim(), "--nodes", "10000000", "--json"]);
    let line = &ran.json()[0];
    assert_eq!(line["optimal"], false);
    assert!(line["length"].as_u64().is_some_and(|length| (80..230).contains(&length)), "{line}");
    let is_expected = |name: &str| name.starts_with("beam:width=") || name == "tunnel+learned";
    assert!(line["solver"].as_str().is_some_and(is_expected), "{line}");
}

#[test]
fn progress_includes_the_level_of_a_beam() {
    let board = run(&["scramble", "balto-12", "--seed", "3"]).exits(0).out;
    let arguments = ["solve", "balto-12", board.trim(), "--with", "beam:width=2000", "--progress", "json"];
    let mut running = Running::start(&arguments);
    let line = running.wait_for("\"level\":");
    assert!(line.contains("\"score\":"), "{line}");
    running.kill();
}

#[test]
fn weights_are_trained_saved_used_and_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let file = path("three.weights");
    let train = |puzzle: &str, more: &[&str]| {
        run(&[&["train", puzzle, "--budget", "1", "--width", "20", "--seed", "2"][..], more].concat())
    };
    let ran = train("balto-3", &["--out", &file]).exits(0);
    assert!(ran.out.contains("round 0: initial weights · mean length"), "{}", ran.out);
    assert!(ran.out.contains("round 1: loss "), "{}", ran.out);
    let text = std::fs::read_to_string(&file).expect("the weights");
    assert!(text.starts_with("untumble weights 1\npuzzle balto-3\norigin untumble "), "{text}");
    assert!(text.contains("seed 2, width 20, budget 1 s"), "{text}");

    let with = |file: &str| format!("beam:width=50+learned:{file}");
    let solved = run(&["solve", "balto-3", "1A4D2C5F", "--with", &with(&file), "--json"]).exits(0);
    assert_eq!(solved.json()[0]["solver"], with(&file).as_str());

    train("balto-3", &["--out", &file]).exits(2).stderr_contains("--force");
    train("balto-3", &["--out", &file, "--force", "--json"]).exits(0);
    train("balto-4", &["--out", &path("four.weights"), "--from", &file]).exits(0);
    train("tiles-3x3", &["--out", &path("tiles.weights")]).exits(0);
    run(&[
        "solve",
        "8-puzzle",
        "8 6 7 2 5 4 3 0 1",
        "--with",
        &format!("beam+learned:{}", path("tiles.weights")),
    ])
    .exits(0);
    train("cube2", &["--out", &path("cube.weights")]).exits(2).stderr_contains("cube2 has no features");
    train("balto-3", &["--out", &path("no/such/folder")]).exits(1);

    let adapted = "was trained for balto-3; its weights are adapted to balto-4";
    run(&["solve", "balto-4", "1A", "--with", &with(&file)]).exits(0).stderr_contains(adapted);
    run(&["solve", "tiles-4x3", "R R D", "--with", &with(&path("tiles.weights"))])
        .exits(0)
        .stderr_contains("was trained for tiles-3x3; its weights are adapted to tiles-4x3");
    let varied = ["--out", &path("varied"), "--widths", "20,10", "--samples", "5"];
    run(&[&["train", "balto-3", "--budget", "1"][..], &varied[..]].concat()).exits(0);
    let text_of_varied = std::fs::read_to_string(path("varied")).expect("the weights");
    assert!(text_of_varied.contains("width 20 10, 5 samples per level, budget 1 s"), "{text_of_varied}");
    train("balto-3", &["--out", &path("both"), "--widths", "20"]).exits(2).stderr_contains("--width");
    run(&["solve", "balto-3", "1A", "--with", &with(&path("none"))]).exits(2).stderr_contains("none");
    std::fs::write(path("broken"), text.replace("1,0=", "1,0:")).expect("a broken file");
    run(&["solve", "balto-3", "1A", "--with", &with(&path("broken"))])
        .exits(3)
        .stderr_contains("expected name=value");
    run(&["solve", "8-puzzle", "8 6 7 2 5 4 3 0 1", "--with", "beam+learned"]).exits(0);
    run(&["solve", "8-puzzle", "8 6 7 2 5 4 3 0 1", "--with", &with(&file)])
        .exits(3)
        .stderr_contains("weights for balto-3, not for tiles-3x3");
}
