//! Invalid input: the exit code, a message that names the item and a remedy, and never a panic.

use crate::common::{HARDEST_8, process, run, run_with};
use proptest::prelude::*;
use std::io::Write;

#[test]
fn an_invalid_position_exits_3_and_names_the_item() {
    for (position, part) in [
        ("1 2 3 4 5 6 7 8", "8"),
        ("1 2 3 4 5 6 7 8 0 9", "9"),
        ("1 2 3 4 5 6 7 7 0", "7"),
        ("1 2 3 4 5 6 7 9 0", "9"),
        ("1 2 3 4 x 6 7 8 0", "x"),
        ("-1 2 3 4 5 6 7 8 0", "-1"),
        ("1 2 3 4 5 6 7 8 99999999999999999999999", "9999"),
        ("1.5 2 3 4 5 6 7 8 0", "1.5"),
        ("", "holds no position"),
        ("   \n\n", "holds no position"),
        ("# only a comment", "holds no position"),
        ("\u{1F600}", "moves (U D L R)"),
    ] {
        for command in ["solve", "check"] {
            let ran = run(&[command, "8-puzzle", position]).exits(3).stderr_contains(part);
            assert_eq!(ran.out, "", "{position}");
            assert!(ran.err.lines().count() <= 3, "one message: {}", ran.err);
        }
    }
}

#[test]
fn negative_tiles_are_not_parsed_as_flags() {
    run(&["solve", "8-puzzle", "1", "2", "3", "4", "5", "6", "7", "-8", "0"]).exits(3).stderr_contains("-8");
}

#[test]
fn empty_input_exits_3_with_an_example() {
    run_with(&["solve", "8-puzzle"], "")
        .exits(3)
        .stderr_contains("standard input holds no position")
        .stderr_contains("untumble solve 8-puzzle");
    run_with(&["check", "8-puzzle"], "\n\n# nothing\n").exits(3).stderr_contains("holds no position");
}

#[test]
fn wrong_usage_exits_2_with_a_hint() {
    let solve = |more: &[&'static str]| [&["solve", "8-puzzle", HARDEST_8][..], more].concat();
    for (arguments, part) in [
        (vec!["solve", "15puzzle", "1"], "15-puzzle"),
        (vec!["solve", "tile-4x4", "1"], "tiles-4x4"),
        (vec!["solve", "tiles-1x4", "1"], "1x4"),
        (vec!["solve", HARDEST_8], "the puzzle comes first"),
        (vec!["solve", "867254301"], "the puzzle comes first"),
        (vec!["solve"], "PUZZLE"),
        (vec!["sovle", "8-puzzle"], "solve"),
        (vec![], "Usage"),
        (solve(&["--with", "astr+manhattan"]), "astar"),
        (solve(&["--with", "astar+manhatan"]), "manhattan"),
        (solve(&["--with", "astar:v=2+manhattan"]), "w"),
        (solve(&["--with", "astar:w=none+manhattan"]), "w"),
        (solve(&["--with", "bfs+manhattan"]), "leave out"),
        (solve(&["--with", "auto+manhattan"]), "auto"),
        (solve(&["--with", ""]), "algorithm"),
        (solve(&["--with", "dfs"]), "depth"),
        (solve(&["--goal", "snale"]), "snail"),
        (solve(&["--goal", "1 2 3"]), "goal"),
        (solve(&["--metric", "htm"]), "metric"),
        (solve(&["--time", "-1"]), "negative"),
        (solve(&["--time", "nan"]), "--time"),
        (solve(&["--time", "soon"]), "--time"),
        (solve(&["--threads", "0"]), "at least 1 thread"),
        (solve(&["--threads", "two"]), "--threads"),
        (solve(&["--nodes", "-5"]), "--nodes"),
        (solve(&["--memory", "lots"]), "--memory"),
        (solve(&["--memory", "0"]), "--memory"),
        (solve(&["--progress", "loud"]), "json"),
        (solve(&["--as", "poem"]), "position"),
        (solve(&["--format-in", "csw"]), "formats"),
        (solve(&["--file", "boards.txt"]), "cannot be used with"),
        (solve(&["--jsn"]), "--json"),
        (vec!["solve", "8-puzzle", "--file", "/nowhere/boards.txt"], "/nowhere/boards.txt"),
        (vec!["solve", "8-puzzle", "--file", "/"], "directory"),
        (vec!["check", "8-puzzle", HARDEST_8, "--every"], "--moves"),
        (vec!["scramble", "8-puzzle", "--count", "some"], "--count"),
        (vec!["scramble", "8-puzzle", "--seed", "-1"], "--seed"),
        (vec!["list", "planets"], "puzzles"),
        (vec!["list", "puzzles", "8-puzzle"], "list solvers 8-puzzle"),
        (vec!["list", "solvers", "9-puzzle"], "tiles-3x4"),
        (vec!["completions", "dos"], "bash"),
    ] {
        let ran = run(&arguments).exits(2);
        assert!(ran.err.contains(part), "{arguments:?} should say `{part}`: {}", ran.err);
        assert_eq!(ran.out, "", "{arguments:?}");
    }
}

#[test]
fn an_illegal_move_exits_3_with_its_number() {
    run(&["check", "8-puzzle", "1 2 3 4 5 6 7 8 0", "--moves", "D L"])
        .exits(3)
        .stderr_contains("move 2 of 2, `L`");
    run(&["check", "8-puzzle", "1 2 3 4 5 6 7 8 0", "--moves", "D X"]).exits(3).stderr_contains("X");
    let ran = run(&["check", "8-puzzle", "1 2 3 4 5 6 7 8 0", "--moves", "D L", "--json"]).exits(3);
    assert_eq!(ran.json()[0]["outcome"], "invalid");
}

/// Noise of several kinds: bytes, letters, numbers, one endless line.
fn noises() -> Vec<(&'static str, Vec<u8>)> {
    const SIZE: usize = 10_000_000;
    let mut seed = 1u64;
    let mut next = move || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 56) as u8
    };
    let bytes: Vec<u8> = (0..SIZE).map(|_| next()).collect();
    let letters = bytes.iter().map(|byte| b"abc 01\n"[usize::from(byte % 7)]).collect();
    let digits = bytes.iter().map(|byte| b"0123456789 \n"[usize::from(byte % 12)]).collect();
    vec![
        ("bytes", bytes),
        ("letters", letters),
        ("digits", digits),
        ("one line", vec![b'7'; SIZE]),
        ("one line of words", b"1 ".repeat(SIZE / 2)),
        ("lines of one letter", b"a\n".repeat(SIZE / 2)),
        ("lines of one digit", b"1\n".repeat(SIZE / 2)),
        ("comments in a board", [b"1 2 3\n".to_vec(), b"#\n".repeat(SIZE / 2)].concat()),
        ("zeros", vec![0; SIZE]),
    ]
}

#[test]
fn ten_megabytes_of_noise_give_few_messages() {
    for (kind, noise) in noises() {
        let ran = run_with(&["solve", "15-puzzle"], noise).exits(3);
        // A stray `U` or `DL` among the noise is a position, by its moves from solved.
        let errors: Vec<&str> = ran.err.lines().filter(|line| line.starts_with("error: ")).collect();
        assert!((1..=21).contains(&errors.len()), "{kind}: {} errors", errors.len());
        assert!(errors.concat().len() < 10_000, "{kind}: long messages");
    }
}

#[test]
fn a_closed_standard_output_is_no_error() {
    for arguments in [
        &["scramble", "8-puzzle", "--count", "100000000", "--seed", "1"][..],
        &["solve", "8-puzzle", "--json", "--with", "bfs", HARDEST_8],
        &["list", "solvers"],
        &["completions", "bash"],
        &["man"],
        &["check", "8-puzzle", HARDEST_8],
    ] {
        let mut child = process(arguments).spawn().expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the program ends");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
        assert!(!errors.contains("error"), "{arguments:?}: {errors}");
    }
}

#[test]
fn a_closed_pipe_ends_a_long_list() {
    let boards = format!("{HARDEST_8}\n").repeat(100_000);
    let mut child = process(&["solve", "8-puzzle", "--with", "ida+manhattan", "--progress", "none"])
        .stdin(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(boards.as_bytes()).expect("the input is read");
    let mut first = [0; 1];
    std::io::Read::read_exact(&mut child.stdout.take().expect("a pipe"), &mut first).expect("an answer");
    assert_eq!(child.wait().expect("the program ends").code(), Some(0));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn any_text_gives_a_documented_exit_code(
        text in prop_oneof!["\\PC{0,40}", "[0-9 /\n#-]{0,40}", "[UDLR0-9 ]{1,12}"],
        flag in prop_oneof![Just("--json"), Just("--progress=none")],
    ) {
        let ran = run_with(&["solve", "8-puzzle", "--time", "5", flag], text.clone());
        let code = ran.code.expect("no signal");
        prop_assert!([0, 3, 4].contains(&code), "{text:?} gave {code}: {}", ran.err);
    }
}
