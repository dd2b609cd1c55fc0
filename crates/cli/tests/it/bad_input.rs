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

/// The stickers of a cube in lines of `width`.
fn in_lines(stickers: &str, width: usize) -> String {
    let letters: Vec<char> = stickers.chars().collect();
    letters.chunks(width).map(|line| String::from_iter(line) + "\n").collect()
}

/// A net in lines: U above, L F R B, D below.
fn net(stickers: &str, side: usize) -> String {
    let row = |face: usize, row: usize| {
        let start = (face * side + row) * side;
        &stickers[start..start + side]
    };
    let margin = " ".repeat(side);
    let above = (0..side).map(|at| format!("{margin}{}\n", row(0, at)));
    let middle = (0..side).map(|at| [4, 2, 1, 5].map(|face| row(face, at)).concat() + "\n");
    let below = (0..side).map(|at| format!("{margin}{}\n", row(3, at)));
    above.chain(middle).chain(below).collect()
}

/// A wrong position on several lines is one answer, which names the place; the next position is still read.
#[test]
fn a_wrong_position_on_several_lines_is_one_error() {
    const CUBE3: &str = "UUUUUUFFFUBBRRRRRRRRRFFDFFDDDBDDBDDBFFDLLLLLLLLLUBBUBB";
    const CUBE2: &str = "UFUFRRRRFDFDDBDBLLLLUBUB";
    let wrong3 = CUBE3.replacen("UUUUUU", "UUUUUR", 1);
    let wrong2 = CUBE2.replacen("UFUF", "UFUR", 1);
    let wrong_colours = wrong3.replace('U', "W").replace('F', "G").replace('D', "Y").replace('L', "O");
    for (puzzle, text, part, next) in [
        ("cube3", in_lines(&wrong3, 9), "expected 9 stickers of each colour", "R U"),
        ("cube3", in_lines(&wrong3, 3), "expected 9 stickers of each colour", "R U"),
        ("cube3", net(&wrong3, 3), "expected 9 stickers of each colour", "R U"),
        ("cube3", in_lines(&wrong_colours, 9), "9 stickers", "R U"),
        ("cube3", net(CUBE3, 3).replacen("LLL", "LL", 1), "expected 54 stickers, found 53", "R U"),
        ("cube3", in_lines(CUBE3, 9).replacen("RRR", "RR", 1), "expected 54 stickers, found 53", "R U"),
        ("cube2", in_lines(&wrong2, 4), "expected 4 stickers of each colour", "R U"),
        ("cube2", net(&wrong2, 2), "expected 4 stickers of each colour", "R U"),
        ("8-puzzle", "1 2 3\n4 5 5\n7 8 0\n".into(), "item 6", "1 2 3 4 5 6 7 0 8"),
        ("8-puzzle", "1 2 3\n4 5 6 6\n7 8 0\n".into(), "row 2: expected 3 tiles, found 4", "R D"),
        ("8-puzzle", "3\n1 2\n4 5 6\n7 8 0\n".into(), "row 1: expected 3 tiles, found 2", "R D"),
        ("balto-2", "2\n1 2\n3 0 3\n5 6\n".into(), "tile 3 already occurs", "1A"),
        ("balto-2", "2\n1 2\n3 0 4 4\n5 6\n".into(), "row 2 of 3: expected 3 tiles, found 4", "1A"),
        ("balto-2", "2\n1 2\n3 0\n5 6\n".into(), "row 2 of 3: expected 3 tiles, found 2", "1A"),
    ] {
        let text = format!("{text}{next}\n");
        for arguments in [
            &["solve", puzzle, "--with", "bfs", "--json"][..],
            &["check", puzzle, "--json"],
            &["batch", puzzle, "-", "--with", "bfs"],
        ] {
            let answers = run_with(arguments, text.as_str()).exits(3).json();
            let outcomes: Vec<&str> =
                answers.iter().filter_map(|answer| answer["outcome"].as_str()).collect();
            let valid = if arguments[0] == "check" { "solvable" } else { "solved" };
            assert_eq!(outcomes, ["invalid", valid], "{arguments:?} {text}{answers:?}");
            assert!(answers[0]["error"].as_str().expect("a message").contains(part), "{text}{}", answers[0]);
            assert_eq!(answers[0]["line"], 1);
        }
    }
}

/// Moves on lines that could be rows of a cube are still one position each.
#[test]
fn short_lines_of_moves_are_separate_positions() {
    for (puzzle, text, count) in [
        ("cube3", "RUF\nRUB\nLDB\n", 3),
        ("cube3", "R U F\nR U B\n", 2),
        ("cube2", "RU\nUR\nFR\nRF\n", 4),
        ("cube3", &*"RUF\n".repeat(20), 20),
    ] {
        let answers = run_with(&["check", puzzle, "--json"], text).exits(0).json();
        assert_eq!(answers.len(), count, "{text}");
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

/// As other programs before a closed pipe: no message, and the code of SIGPIPE.
#[test]
fn a_closed_pipe_is_told_by_the_exit_code() {
    for arguments in [
        &["scramble", "8-puzzle", "--count", "100000000", "--seed", "1"][..],
        &["solve", "8-puzzle", "--json", "--with", "bfs", HARDEST_8],
        &["list", "solvers"],
        &["completions", "bash"],
        &["man"],
        &["check", "8-puzzle", HARDEST_8],
    ] {
        // The reading end is closed before the program starts: otherwise the program may write first.
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = process(arguments);
        let child = command.stdout(writer).spawn().expect("the program starts");
        let output = child.wait_with_output().expect("the program ends");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(141), "{arguments:?}: {errors}");
        assert!(!errors.contains("error"), "{arguments:?}: {errors}");
    }
}

/// Runs a command of the shell with the program as `"$0"` and these arguments as `"$@"`.
#[cfg(target_os = "linux")]
fn run_in_shell(command: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", command, env!("CARGO_BIN_EXE_untumble")]).args(arguments);
    let output = shell.env("UNTUMBLE_CACHE", crate::common::CACHE).output().expect("a shell");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// An answer that cannot be written is a failure, whether the device is full or there is no standard output.
#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_a_failure() {
    let folder = tempfile::tempdir().expect("a folder");
    let boards = folder.path().join("boards");
    std::fs::write(&boards, HARDEST_8).expect("a file");
    let boards = boards.to_str().expect("a name");
    for arguments in [
        &["scramble", "8-puzzle", "--count", "1000", "--seed", "1"][..],
        &["solve", "8-puzzle", "--json", "--with", "bfs", HARDEST_8],
        &["batch", "8-puzzle", boards],
        &["shorten", "8-puzzle", "1 2 3 4 5 6 0 7 8", "--moves", "L L"],
        &["list", "solvers"],
        &["completions", "bash"],
        &["man"],
        &["check", "8-puzzle", HARDEST_8],
        &["list", "puzzles", "--json"],
    ] {
        for (command, part) in [
            ("\"$0\" \"$@\" > /dev/full", "standard output: No space left on device"),
            ("\"$0\" \"$@\" >&-", "standard output: Bad file descriptor"),
        ] {
            let (code, errors) = run_in_shell(command, arguments);
            assert_eq!(code, Some(1), "{arguments:?} {command}: {errors}");
            assert!(errors.contains(part), "{arguments:?} {command}: {errors}");
        }
        let (code, errors) = run_in_shell("\"$0\" \"$@\" > /dev/null", arguments);
        assert_eq!(code, Some(0), "{arguments:?}: {errors}");
    }
    let out = folder.path().join("out");
    let batch = ["batch", "8-puzzle", boards, "--out", out.to_str().expect("a name")];
    let (code, errors) = run_in_shell("\"$0\" \"$@\" >&-", &batch);
    assert_eq!(code, Some(0), "nothing goes to standard output: {errors}");
}

/// A training whose file cannot be written fails and leaves nothing behind, also nothing of an earlier one
/// that was killed.
#[cfg(target_os = "linux")]
#[test]
fn a_failed_training_leaves_no_draft() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = || {
        let mut names: Vec<String> = std::fs::read_dir(folder.path())
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
            .collect();
        names.sort();
        names
    };
    for name in ["w.4194305-0.draft", "other.4194305-0.draft"] {
        std::fs::write(folder.path().join(name), "abandoned").expect("a file");
    }
    let out = folder.path().join("w.weights");
    let out = out.to_str().expect("a name");
    let arguments = ["train", "8-puzzle", "--budget", "1ms", "--width", "8", "--out", out];
    // No file may grow, as on a full disk; the signal that would kill the program is ignored.
    let full = "trap '' XFSZ; ulimit -f 0; \"$0\" \"$@\"";
    let (code, errors) = run_in_shell(full, &arguments);
    assert_eq!(code, Some(1), "{errors}");
    assert!(errors.contains("w.weights: File too large"), "{errors}");
    assert_eq!(names(), ["other.4194305-0.draft"]);
    let (code, errors) = run_in_shell("\"$0\" \"$@\"", &arguments);
    assert_eq!(code, Some(0), "{errors}");
    assert_eq!(names(), ["other.4194305-0.draft", "w.weights"]);
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
    assert_eq!(child.wait().expect("the program ends").code(), Some(141));
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
