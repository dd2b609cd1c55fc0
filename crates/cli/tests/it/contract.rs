//! The command line as DESIGN.md specifies it for programs.

use crate::common::{HARDEST_8, KORF_FELNER_1, Running, UNSOLVABLE_8, run, run_with};
use serde_json::Value;
use std::fs;

const KEYS: [&str; 22] = [
    "schema",
    "puzzle",
    "metric",
    "goal",
    "start",
    "solver",
    "outcome",
    "moves",
    "length",
    "optimal",
    "lower_bound",
    "generated",
    "expanded",
    "visited",
    "peak_open",
    "iterations",
    "seconds",
    "table_seconds",
    "peak_bytes",
    "threads",
    "device",
    "stop",
];

/// The keys of the outer object of a line, in the order of the text.
fn keys(line: &str) -> Vec<String> {
    let value: Value = serde_json::from_str(line).expect(line);
    let mut keys: Vec<(usize, String)> = value
        .as_object()
        .expect("an object")
        .keys()
        // The outer key comes first: the only inner object, an iteration, repeats later keys.
        .map(|key| (line.find(&format!("\"{key}\":")).expect(key), key.clone()))
        .collect();
    keys.sort();
    keys.into_iter().map(|(_, key)| key).collect()
}

#[test]
fn a_solved_position_is_one_line_with_all_keys_in_order() {
    let ran = run(&["solve", "8-puzzle", HARDEST_8, "--with", "ida+manhattan", "--json"]).exits(0);
    assert_eq!(keys(&ran.out), KEYS);
    let [line] = &ran.json()[..] else { panic!("one line: {}", ran.out) };
    assert_eq!(line["puzzle"], "tiles-3x3");
    assert_eq!(line["start"], HARDEST_8);
    assert_eq!(line["solver"], "ida+manhattan");
    assert_eq!(line["outcome"], "solved");
    assert_eq!(line["length"], 31);
    assert_eq!(line["optimal"], true);
    assert_eq!(line["lower_bound"], 31);
    assert_eq!(line["device"], Value::Null);
    assert_eq!(line["stop"], Value::Null);
    assert_eq!(line["moves"].as_str().map(|moves| moves.split(' ').count()), Some(31));
    let passes = line["iterations"].as_array().expect("iterations");
    let sum: u64 = passes.iter().map(|pass| pass["generated"].as_u64().expect("a count")).sum();
    assert_eq!(Some(sum), line["generated"].as_u64(), "the passes add up; the root counts in the first");
}

#[test]
fn the_moves_solve_when_replayed() {
    let solved = run(&["solve", "8-puzzle", HARDEST_8]).exits(0);
    assert_eq!(solved.out.lines().count(), 1, "one line of moves: {}", solved.out);
    let moves = solved.out.trim_end();
    let checked = run(&["check", "8-puzzle", HARDEST_8, "--moves", moves, "--json"]).exits(0);
    assert_eq!(checked.json()[0]["solves"], true);
    assert_eq!(checked.json()[0]["length"], 31);
}

#[test]
fn auto_prints_its_choice_and_is_never_the_solver_in_json() {
    run(&["solve", "8-puzzle", HARDEST_8, "--threads", "2"])
        .exits(0)
        .stderr_contains("auto: ")
        .stderr_contains("2 threads");
    let ran = run(&["solve", "8-puzzle", HARDEST_8, "--json"]).exits(0);
    assert_ne!(ran.json()[0]["solver"], "auto");
    assert_eq!(ran.json()[0]["length"], 31);
    assert_eq!(ran.err, "", "with --json everything is in the line");
}

#[test]
fn separate_words_and_one_quoted_argument_are_equivalent() {
    let mut words = vec!["solve", "8-puzzle"];
    words.extend(HARDEST_8.split(' '));
    words.extend(["--with", "ida+manhattan"]);
    let apart = run(&words).exits(0);
    let quoted = run(&["solve", "8-puzzle", HARDEST_8, "--with", "ida+manhattan"]).exits(0);
    let piped = run_with(&["solve", "8-puzzle", "-", "--with", "ida+manhattan"], HARDEST_8).exits(0);
    assert_eq!(apart.out, quoted.out);
    assert_eq!(apart.out, piped.out);
}

#[test]
fn all_lists_every_solution_on_its_own_line() {
    // The half-turned 2x2 board has one shortest solution in each direction.
    let start = "0 3 2 1";
    let text =
        run(&["solve", "tiles-2x2", start, "--all", "--with", "bfs"]).exits(0).stderr_contains("solutions");
    let ran = run(&["solve", "tiles-2x2", start, "--all", "--with", "bfs", "--json"]).exits(0);
    let line = &ran.json()[0];
    let all: Vec<&str> =
        line["solutions"].as_array().expect("solutions").iter().filter_map(Value::as_str).collect();
    assert_eq!(all.len(), 2, "{}", ran.out);
    assert_eq!(text.out.lines().collect::<Vec<_>>(), all);
    let mut keys = keys(&ran.out);
    assert_eq!(keys.pop().as_deref(), Some("solutions"));
    assert_eq!(keys, KEYS);
}

#[test]
fn a_solved_position_needs_no_moves() {
    let ran = run(&["solve", "8-puzzle", "1 2 3 4 5 6 7 8 0"]).exits(0).stderr_contains("(already solved)");
    assert_eq!(ran.out, "\n");
    let ran = run(&["solve", "8-puzzle", "1 2 3 4 5 6 7 8 0", "--json"]).exits(0);
    assert_eq!((&ran.json()[0]["moves"], &ran.json()[0]["length"]), (&"".into(), &0.into()));
}

#[test]
fn an_unsolvable_position_exits_4_with_the_reason() {
    let ran = run(&["solve", "8-puzzle", UNSOLVABLE_8]).exits(4);
    assert_eq!(ran.out, "");
    assert!(!ran.err.is_empty());
    let ran = run(&["solve", "8-puzzle", UNSOLVABLE_8, "--json"]).exits(4);
    let line = &ran.json()[0];
    assert_eq!(line["outcome"], "unsolvable");
    assert_eq!((&line["moves"], &line["length"]), (&Value::Null, &Value::Null));
    assert_eq!(line["optimal"], false);
    assert!(ran.err.contains(line["error"].as_str().expect("the reason")), "{}", ran.err);
    run(&["check", "8-puzzle", UNSOLVABLE_8]).exits(4);
}

#[test]
fn an_invalid_position_exits_3_on_both_outputs() {
    let ran = run(&["solve", "8-puzzle", "1 2 3 4 5 6 7 7 0", "--json"]).exits(3);
    let line = &ran.json()[0];
    assert_eq!((&line["line"], &line["outcome"]), (&1.into(), &"invalid".into()));
    assert!(ran.err.contains(line["error"].as_str().expect("the reason")), "{}", ran.err);
    run(&["check", "8-puzzle", "1 2 3 4 5 6 7 7 0"]).exits(3);
}

#[test]
fn a_limit_exits_5_with_the_lower_bound() {
    let arguments = [
        "solve",
        "24-puzzle",
        KORF_FELNER_1,
        "--goal",
        "blank-first",
        "--with",
        "ida+manhattan",
        "--nodes",
        "100000",
    ];
    let ran = run(&arguments)
        .exits(5)
        .stderr_contains("stopped by the node limit: lower bound ")
        .stderr_contains(", no solution yet");
    assert_eq!(ran.out, "", "nothing was found");
    let ran = run(&[&arguments[..], &["--json"]].concat()).exits(5);
    let line = &ran.json()[0];
    assert_eq!((&line["outcome"], &line["stop"]), (&"stopped".into(), &"nodes".into()));
    assert!(line["lower_bound"].as_u64() >= Some(71), "Manhattan distance alone proves it: {line}");
    assert!(line["generated"].as_u64() >= Some(100_000), "{line}");
}

#[test]
fn a_solver_without_guarantee_exits_0() {
    let ran =
        run(&["solve", "24-puzzle", KORF_FELNER_1, "--goal", "blank-first", "--with", "layers", "--json"])
            .exits(0);
    assert_eq!((&ran.json()[0]["outcome"], &ran.json()[0]["optimal"]), (&"solved".into(), &false.into()));
}

#[test]
fn many_boards_are_answered_in_order_and_the_worst_decides_the_exit_code() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("boards.txt");
    let boards = format!(
        "# first\n1 2 3\n4 5 6\n7 0 8\n\n# second\n{HARDEST_8}\nnonsense\n{UNSOLVABLE_8}\n123456078\n"
    );
    fs::write(&file, boards).expect("a file");
    let file = file.to_str().expect("a path");
    let ran =
        run(&["solve", "8-puzzle", "--file", file, "--json"]).exits(3).stderr_contains("boards.txt:8: ");
    let lines = ran.json();
    let outcomes: Vec<&str> = lines.iter().filter_map(|line| line["outcome"].as_str()).collect();
    assert_eq!(outcomes, ["solved", "solved", "invalid", "unsolvable", "solved"]);
    assert_eq!(
        lines.iter().map(|line| line["length"].as_u64()).collect::<Vec<_>>(),
        [Some(1), Some(31), None, None, Some(2)]
    );
    assert_eq!(lines[2]["line"], 8);
    // A bare word that names a file stands for it.
    assert_eq!(run(&["solve", "8-puzzle", file, "--json"]).exits(3).json().len(), 5);
}

#[test]
fn standard_input_is_read_without_a_position() {
    let ran =
        run_with(&["solve", "8-puzzle", "--json"], format!("{HARDEST_8}\r\n1 2 3 4 5 6 7 0 8\r\n")).exits(0);
    assert_eq!(
        ran.json().iter().map(|line| line["length"].as_u64()).collect::<Vec<_>>(),
        [Some(31), Some(1)]
    );
}

#[test]
fn utf16_and_byte_order_marks_are_read() {
    let utf16: Vec<u8> =
        [0xFEFF].into_iter().chain(HARDEST_8.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for bytes in [utf16, format!("\u{FEFF}{HARDEST_8}").into_bytes()] {
        run_with(&["solve", "8-puzzle"], bytes).exits(0);
    }
    // A comment in an old encoding does no harm.
    run_with(&["solve", "8-puzzle"], [b"# Pr\xFCfung\n".as_slice(), HARDEST_8.as_bytes()].concat()).exits(0);
}

#[test]
fn moves_from_solved_are_a_position() {
    let ran = run(&["solve", "15-puzzle", "D D R", "--json"]).exits(0);
    assert_eq!(ran.json()[0]["length"], 3);
    run(&["solve", "15-puzzle", "D D R", "--as", "moves"]).exits(0);
    run(&["solve", "15-puzzle", "D D R", "--as", "position"]).exits(3);
}

#[cfg(unix)]
#[test]
fn progress_as_json_keeps_standard_error_machine_readable() {
    let arguments = ["solve", "24-puzzle", KORF_FELNER_1, "--goal", "blank-first", "--with", "ida+manhattan"];
    let mut running = Running::start(&[&arguments[..], &["--progress", "json"]].concat());
    let progress = running.wait_for("\"progress\"");
    let ran = running.end_by("INT").exits(130);
    let events: Vec<Value> = ran.err.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let kinds: Vec<&str> = events.iter().filter_map(|event| event["event"].as_str()).collect();
    assert_eq!(kinds.last(), Some(&"done"));
    assert!(kinds.contains(&"bound"), "{kinds:?}");
    let progress: Value = serde_json::from_str(&progress).expect("an event");
    for key in ["nodes", "seconds", "bound", "best"] {
        assert!(progress.get(key).is_some(), "{key} is missing in {progress}");
    }
}

#[test]
fn progress_in_lines_where_there_is_no_terminal() {
    let arguments = ["solve", "24-puzzle", KORF_FELNER_1, "--goal", "blank-first", "--with", "ida+manhattan"];
    let mut running = Running::start(&[&arguments[..], &["--progress", "bar"]].concat());
    running.wait_for("nodes/s");
    running.kill();
}
