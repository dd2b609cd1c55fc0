//! Cubes on the command line: input formats, errors and answers.

use std::fs;

use crate::common::{run, run_in, run_with};
use serde_json::Value;

const SOLVED: &str = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";

/// The solved cube with other colours on some stickers.
fn with(changes: &[(usize, char)]) -> String {
    let mut stickers: Vec<char> = SOLVED.chars().collect();
    changes.iter().for_each(|&(at, colour)| stickers[at] = colour);
    stickers.into_iter().collect()
}

#[test]
fn impossible_stickers_exit_3_and_unsolvable_cubes_exit_4() {
    for (stickers, code, part) in [
        (with(&[(8, 'B'), (51, 'U')]), 3, "the corner at UFR has colours B, R, F, which no corner has"),
        (with(&[(0, 'F')]), 3, "found 8 of `U`, 10 of `F`"),
        (with(&[(8, 'F'), (9, 'U'), (20, 'R')]), 4, "a corner is twisted"),
        (with(&[(7, 'F'), (19, 'U')]), 4, "an edge is flipped"),
        (with(&[(19, 'R'), (10, 'F')]), 4, "two pieces are exchanged"),
        (SOLVED[1..].to_owned(), 3, "found 53 stickers"),
    ] {
        for command in ["solve", "check"] {
            run(&[command, "cube3", &stickers]).exits(code).stderr_contains(part);
        }
    }
    run(&["solve", "cube2", "R U M"]).exits(3).stderr_contains("no middle layer");
    run(&["solve", "cube2", "R", "--metric", "htn"]).exits(2).stderr_contains("did you mean `htm`?");
    run(&["solve", "cube3", "R", "--with", "ida+cornes"]).exits(2).stderr_contains("did you mean `corners`?");
}

#[test]
fn answers_refer_to_the_orientation_of_the_cube() {
    for (puzzle, position, answer) in [
        ("cube2", "R U2 F'", "F U2 R'"),
        ("cube2", "x R U", "U' R'"),
        ("cube2", "x y' z2", ""),
        ("cube3", "x R U", "U' R'"),
        ("cube3", "Rw U", "U' L'"),
        ("cube3", "y z", ""),
        ("cube3", SOLVED, ""),
    ] {
        let ran = run(&["solve", puzzle, position, "--with", "bibfs"]).exits(0);
        assert_eq!(ran.out.trim(), answer, "{puzzle} {position}");
    }
}

#[test]
fn a_half_turn_counts_two_in_quarter_turns() {
    for (metric, length) in [("htm", 2), ("qtm", 3)] {
        let ran = run(&["solve", "cube3", "R2 U", "--metric", metric, "--json"]).exits(0);
        let line: Value = serde_json::from_str(&ran.out).expect("a line of JSON");
        assert_eq!((&line["length"], &line["moves"]), (&length.into(), &"U' R2".into()), "{metric}");
    }
}

/// A hard scramble of 20 moves.
const FAR: &str = "D2 B2 R2 F2 U' B2 U2 R2 F2 R F2 L' B2 U R' U' B R' F' U";

/// `--max-length` ends a search at the first solution of at most this length, in every stage.
#[test]
fn a_solution_of_the_maximum_length_ends_the_search() {
    let solve = |with: &str, max_length: &str| {
        let ran =
            run(&["solve", "cube3", FAR, "--with", with, "--max-length", max_length, "--json"]).exits(0);
        let line: Value = serde_json::from_str(&ran.out).expect("a line of JSON");
        assert_eq!((&line["outcome"], &line["stop"]), (&"solved".into(), &Value::Null));
        (line["solver"].as_str().unwrap_or_default().to_owned(), line["length"].as_u64().unwrap_or(99))
    };
    let (solver, length) = solve("two-phase:tables=small", "22");
    assert!(solver == "two-phase:tables=small" && (18..=22).contains(&length), "{length} by {solver}");
    let (solver, length) = solve("auto", "21");
    assert!(solver.starts_with("two-phase") && (18..=21).contains(&length), "{length} by {solver}");
    let arguments = ["solve", "cube3", "R U F", "--with", "two-phase:tables=small", "--max-length"];
    let with = |max_length: &'static str| run(&[&arguments[..], &[max_length]].concat());
    with("2").exits(5).stderr_contains("impossible: at most 2 requested, lower bound 3");
    with("-2").exits(2).stderr_contains("a whole number of moves");
    let ran = run_with(
        &["batch", "cube3", "-", "--with", "two-phase:tables=small", "--max-length", "22"],
        format!("{FAR}\nR U\n"),
    )
    .exits(0);
    assert_eq!(ran.out.lines().count(), 2);
}

/// The limits also apply while the table is built, and an unfinished table leaves no file. A stopped proof
/// can be resumed.
#[test]
fn optimal_proves_optimality_and_obeys_limits() {
    let folder = tempfile::tempdir().expect("a folder");
    let with = "optimal:table=30MB";
    let solve =
        |more: &[&str]| run_in(folder.path(), &[&["solve", "cube3", FAR, "--with", with], more].concat());
    solve(&["--time", "1"]).exits(5).stderr_contains("time limit");
    solve(&["--memory", "25M"]).exits(5).stderr_contains("memory limit");
    // An interrupted build may have saved its state, which is no table.
    let files: Vec<_> =
        fs::read_dir(folder.path()).expect("a folder").map(|file| file.expect("a file").path()).collect();
    assert!(files.iter().all(|path| path.extension().is_some_and(|end| end == "build")), "{files:?}");
    run(&["solve", "cube3", FAR, "--with", "optimal", "--metric", "qtm"])
        .exits(2)
        .stderr_contains("it works in metric htm only; use parida+max(corners,edges:7)");
    run(&["solve", "cube3", FAR, "--with", "optimal:table=5MB"])
        .exits(2)
        .stderr_contains("should be 30MB, 61MB, 122MB, 243MB or 714MB");

    let near = "D B' D' R D' B D2 F' B2 R L2 U2 B U'";
    let arguments = ["solve", "cube3", near, "--with", with, "--json"];
    let whole = &run_in(folder.path(), &arguments).exits(0).json()[0];
    assert_eq!((&whole["length"], &whole["optimal"]), (&14.into(), &true.into()));
    let saved = folder.path().join("saved");
    let path = saved.to_str().expect("a path");
    let stopped = [&arguments[..], &["--checkpoint", path, "--nodes", "50000", "--threads", "1"]].concat();
    run_in(folder.path(), &stopped).exits(5);
    let resumed =
        &run_in(folder.path(), &[&arguments[..], &["--checkpoint", path]].concat()).exits(0).json()[0];
    assert_eq!(resumed["length"], 14);
    // The last pass ends at a solution; the passes before it have the same counts, however often they were
    // stopped.
    let passes = |line: &Value| {
        let all = line["iterations"].as_array().cloned().unwrap_or_default();
        all[..all.len() - 1].to_vec()
    };
    assert_eq!(passes(resumed), passes(whole));
}

/// With a time limit, two-phase improves its solution until the limit; the outcome is still `solved`.
#[test]
fn two_phase_uses_the_given_time() {
    let with = "two-phase:tables=small";
    let ran = run(&["solve", "cube3", FAR, "--with", with, "--time", "5", "--json"]).exits(0);
    let line: Value = serde_json::from_str(&ran.out).expect("a line of JSON");
    assert_eq!((&line["outcome"], &line["stop"]), (&"solved".into(), &"time".into()));
    assert!((18..=20).contains(&line["length"].as_u64().unwrap_or(99)), "{line}");
    run(&["solve", "cube3", FAR, "--with", "two-phase:tables=medium"])
        .exits(2)
        .stderr_contains("large or small");
    run(&["solve", "cube3", FAR, "--with", "two-phase", "--all"])
        .exits(2)
        .stderr_contains("does not guarantee optimal solutions");
    assert!(run(&["list", "solvers", "cube3"]).exits(0).out.contains("two-phase"));
}

#[test]
fn a_net_and_moves_share_a_file() {
    let net = "   UUU\n   UUU\n   UUU\nLLLFFFRRRBBB\nLLLFFFRRRBBB\nLLLFFFRRRBBB\n   DDD\n   DDD\n   DDD\n";
    let ran =
        run_with(&["solve", "cube3", "--json"], format!("{net}\nR U\n# a comment\n{SOLVED}\n")).exits(0);
    let lengths: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["length"].clone())
        .collect();
    assert_eq!(lengths, [0, 2, 0]);
}

#[test]
fn scrambles_are_repeated_by_their_seed_and_read_again() {
    for puzzle in ["cube2", "cube3"] {
        for depth in [&["--depth", "5"][..], &[]] {
            let arguments = [&["scramble", puzzle, "--seed", "7", "--count", "3"], depth].concat();
            let (first, second) = (run(&arguments).exits(0).out, run(&arguments).exits(0).out);
            assert_eq!(first, second);
            assert_eq!(first.lines().count(), 3);
            let checked = run_with(&["check", puzzle, "--json"], first.clone()).exits(0).out;
            let positions = run(&[&arguments[..], &["--as", "position"]].concat()).exits(0).out;
            assert!(first.contains(' ') && !positions.contains(' '), "moves by default: {first}{positions}");
            for (line, position) in checked.lines().zip(positions.lines()) {
                let line: Value = serde_json::from_str(line).expect("JSON");
                assert_eq!((&line["start"], &line["outcome"]), (&position.into(), &"solvable".into()));
            }
        }
    }
}

#[test]
fn listed_tables_have_a_mean_and_a_distribution() {
    let cache = tempfile::tempdir().expect("a folder");
    let within = |arguments: &[&str]| run_in(cache.path(), arguments).exits(0);
    within(&["tables", "build", "cube2", "--with", "ida+tiny"]);
    within(&["tables", "build", "cube2", "--with", "table", "--metric", "qtm"]);
    let listed = within(&["tables", "list", "--json"]).out;
    let lines: Vec<Value> = listed.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let counts =
        |line: &Value| -> Vec<u64> { serde_json::from_value(line["positions"].clone()).expect("counts") };
    assert_eq!(counts(&lines[0])[..4], [1, 6, 27, 120], "all distances in quarter turns");
    assert_eq!(lines[0]["name"], "cube2-full-qtm-v1");
    assert_eq!(counts(&lines[1]).iter().sum::<u64>(), 3_674_160);
    assert!(lines[1]["mean"].as_f64().is_some_and(|mean| (7.6..8.0).contains(&mean)), "{listed}");
    let table = within(&["tables", "list"]).out;
    assert!(table.contains("cube2-tiny-htm-v2: mean 7.6"), "{table}");
    let statistics = cache.path().join("cube2-tiny-htm-v2.statistics");
    assert!(statistics.exists(), "the statistics are stored beside the table");
    assert_eq!(within(&["tables", "list"]).out, table, "the stored statistics are the same");
    let bare = within(&["tables", "list", "--no-stats", "--json"]).out;
    assert!(!bare.contains("positions"), "{bare}");
    // Statistics of another table of this name are counted again.
    let text = std::fs::read_to_string(&statistics).expect("a file");
    let foreign = text.replacen("\"checksum\":", "\"checksum\":1", 1).replace("6382", "1");
    std::fs::write(&statistics, foreign).expect("a file");
    assert_eq!(within(&["tables", "list"]).out, table, "foreign statistics are not used");
    within(&["tables", "remove", "cube2-tiny-htm-v2"]);
    assert!(!statistics.exists(), "removing a table removes its statistics");
}

#[test]
fn the_size_of_the_tiny_table_can_be_chosen() {
    let length = |with: &str| {
        let done = run(&["solve", "cube2", "R U F' R2 U' F R", "--with", with]).exits(0);
        done.out.split_whitespace().count()
    };
    let shortest = length("table");
    for with in ["ida+tiny:1000", "ida+tiny:20000", "astar+tiny:4000000", "ida+manhattan", "astar+manhattan"]
    {
        assert_eq!(length(with), shortest, "{with}");
    }
    for (with, part) in [
        ("ida+tiny:999", "a number of buckets from 1000 to 4000000"),
        ("ida+tiny:many", "tiny:many: expected"),
        ("ida+manhattan:3", "manhattan takes no argument"),
    ] {
        let refused = run(&["solve", "cube2", "R U", "--with", with]).exits(2);
        assert!(refused.err.contains(part), "{}", refused.err);
    }
}

/// Faces or rows of stickers are on separate lines, and their letters could also be moves.
#[test]
fn stickers_on_several_lines_are_one_cube() {
    let cube = "UUUUUULLDFBBFRRFRRFFRFFRDDRRRUDDBDDBFFDLLDLLBLLLUBBUBB";
    let pocket = "UULDFBFRFRDRRUDBFDLBLLUB";
    for (puzzle, stickers, widths) in [("cube3", cube, [9, 3]), ("cube2", pocket, [4, 2])] {
        let whole = run(&["solve", puzzle, stickers, "--with", "bibfs"]).exits(0).out;
        for width in widths {
            let letters: Vec<char> = stickers.chars().collect();
            let lines: Vec<String> = letters.chunks(width).map(|line| line.iter().collect()).collect();
            for between in ["\n", "\n\n", "\n# a comment\n"] {
                let text = lines.join(between);
                let split = run_with(&["solve", puzzle, "--with", "bibfs"], text.clone()).exits(0).out;
                assert_eq!(split, whole, "{text}");
            }
        }
    }
    // Scrambles that look like rows stay scrambles.
    let scrambles = run_with(&["solve", "cube3", "--with", "bibfs"], "R U F\nR L D\nU\n").exits(0).out;
    let each: Vec<String> = ["R U F", "R L D", "U"]
        .map(|moves| run(&["solve", "cube3", moves, "--with", "bibfs"]).exits(0).out)
        .into();
    assert_eq!(scrambles, each.concat());
}

#[test]
fn an_invalid_line_does_not_swallow_the_next_lines() {
    let lines = "foo\nR U F\nR L\n\nUUUUUULLDFBBFRRFRRFFRFFRDDRRRUDDBDDBFFDLLDLLBLLLUBBU\nR U2 F\n";
    let ran = run_with(&["batch", "cube3", "-", "--with", "bibfs"], lines).exits(3);
    let outcomes: Vec<(u64, String)> = ran
        .json()
        .iter()
        .map(|line| {
            (line["line"].as_u64().expect("a number"), line["outcome"].as_str().expect("a word").into())
        })
        .collect();
    let expected = [(1, "invalid"), (2, "solved"), (3, "solved"), (5, "invalid"), (6, "solved")];
    assert_eq!(outcomes, expected.map(|(line, outcome)| (line, outcome.to_owned())));
}

#[test]
fn half_turns_are_listed_once_in_the_quarter_turn_metric() {
    let all = run(&["solve", "cube3", "R2", "--metric", "qtm", "--all", "--with", "bibfs"]).exits(0);
    assert_eq!(all.out, "R2\n");
    let json = &run(&["check", "cube3", "R2", "--moves", "R R", "--json"]).exits(0).json()[0];
    assert_eq!((json["moves"].as_str(), json["length"].as_u64()), (Some("R R"), Some(2)));
}

#[test]
fn an_impossible_maximum_length_is_refused_at_once() {
    let cases = [
        ("cube3", FAR),
        ("cube2", "R U F R U F R"),
        ("balto-5", "1A4D2B6E3C5F1B4A"),
        ("24-puzzle", "DDDRRRUUULLL"),
    ];
    for (puzzle, position) in cases {
        let ran = run(&["solve", puzzle, position, "--max-length", "1", "--json"]).exits(5);
        let line = &ran.json()[0];
        assert_eq!((&line["outcome"], &line["stop"]), (&"stopped".into(), &"max-length".into()), "{line}");
        assert_eq!((&line["generated"], &line["moves"]), (&0.into(), &Value::Null), "no search ran: {line}");
        assert!(line["lower_bound"].as_u64() > Some(1), "{line}");
    }
    // The bound of the search itself exceeds the maximum length.
    let searched = ["solve", "8-puzzle", "8 6 7 2 5 4 3 0 1", "--max-length", "30", "--with"];
    for with in ["ida+manhattan", "astar+manhattan", "bfs", "bibfs", "parida+walking"] {
        let ran = run(&[&searched[..], &[with, "--json"]].concat()).exits(5);
        let line = &ran.json()[0];
        assert_eq!(
            (&line["stop"], &line["lower_bound"]),
            (&"max-length".into(), &31.into()),
            "{with}: {line}"
        );
    }
}

#[test]
fn the_pocket_cube_is_solved_with_1_mebibyte() {
    let cache = tempfile::tempdir().expect("a folder");
    let easy = ["solve", "cube2", "R U F R U2"];
    let small = [&easy[..], &["--memory", "1M"]].concat();
    let with_little_memory = run_in(cache.path(), &small).exits(0).out;
    assert_eq!(
        run_in(cache.path(), &easy).exits(0).out.split_whitespace().count(),
        with_little_memory.split_whitespace().count()
    );
    run_in(cache.path(), &small).exits(0);
}
