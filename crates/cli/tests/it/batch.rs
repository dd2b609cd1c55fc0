//! Batches: order of answers, limits, interruption, resumption.
//!
//! The exit codes are 0 (all positions answered), 2 (wrong arguments), 3 (a text is not a position), 5 (a
//! limit stopped a search) and 130 (interrupted).

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use crate::common::{
    HARDEST_8, KORF_FELNER_1, RunOutput, Running, UNSOLVABLE_8, process, run, run_with, signal, wait_until,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use tempfile::TempDir;

/// A folder with a file of boards.
struct BatchFolder {
    dir: TempDir,
}

impl BatchFolder {
    fn with(boards: &str) -> BatchFolder {
        let folder = BatchFolder { dir: tempfile::tempdir().expect("a folder") };
        fs::write(folder.path("boards.txt"), boards).expect("a file");
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn path_str(&self, name: &str) -> String {
        self.path(name).to_str().expect("a UTF-8 path").to_owned()
    }

    /// Runs `batch PUZZLE boards.txt` with additional arguments.
    fn batch<'a>(&self, puzzle: &'a str, arguments: &[&'a str]) -> RunOutput {
        let boards = self.path_str("boards.txt");
        run(&[&["batch", puzzle, &boards], arguments].concat())
    }
}

/// Scrambled positions from a fixed seed, one per line.
fn scrambled(puzzle: &str, count: usize) -> String {
    run(&["scramble", puzzle, "--count", &count.to_string(), "--seed", "1"]).exits(0).out
}

/// 72 items for the 8-puzzle: 63 solvable boards, 3 unsolvable boards and 6 invalid texts.
fn mixed() -> String {
    let boards = scrambled("8-puzzle", 60);
    let mut text = String::from("# boards of all kinds\n");
    for (index, board) in boards.lines().enumerate() {
        text.push_str(board);
        text.push('\n');
        match index % 20 {
            3 => text.push_str("nonsense, \"quoted\"\n"),
            7 => text.push_str(&format!("{UNSOLVABLE_8}\n")),
            11 => text.push_str("1 2 3\n4 5 6\n7 0 8\n\n"),
            15 => text.push_str("1 2 3\n4 5 6\n"),
            _ => {}
        }
    }
    text
}

/// Lines of JSON without timings.
fn untimed(text: &str) -> Vec<Value> {
    let strip = |line: &str| {
        let mut line: Value = serde_json::from_str(line).expect(line);
        for key in ["seconds", "table_seconds", "checksum"] {
            line.as_object_mut().expect("an object").remove(key);
        }
        line
    };
    text.lines().map(strip).collect()
}

/// Rows of CSV without timings and checksums; no field before `seconds` contains a comma here.
fn untimed_rows(text: &str) -> Vec<String> {
    let header: Vec<&str> = text.lines().next().expect("a header").split(',').collect();
    let timed: Vec<usize> = ["seconds", "table_seconds", "checksum"]
        .iter()
        .filter_map(|name| header.iter().position(|h| h == name))
        .collect();
    let strip = |row: &str| {
        let fields = row.split(',').enumerate().filter(|(index, _)| !timed.contains(index));
        fields.map(|(_, field)| field).collect::<Vec<_>>().join(",")
    };
    text.lines().map(strip).collect()
}

/// The input line of each answer.
fn lines_of(answers: &[Value]) -> Vec<u64> {
    answers.iter().filter_map(|answer| answer["line"].as_u64()).collect()
}

#[test]
fn answers_equal_those_of_solve_in_input_order() {
    // Every third board takes a thousand times as long as the others.
    let easy = ["1 2 3 4 5 6 7 0 8", "1 2 3 4 5 6 0 7 8"];
    let boards: Vec<&str> =
        (0..60).map(|index| if index % 3 == 0 { HARDEST_8 } else { easy[index % 2] }).collect();
    let folder = BatchFolder::with(&boards.join("\n"));
    let solved =
        run(&["solve", "8-puzzle", "--file", &folder.path_str("boards.txt"), "--with", "bfs", "--json"])
            .exits(0);
    for threads in ["1", "2", "5"] {
        let ran = folder.batch("8-puzzle", &["--with", "bfs", "--threads", threads]).exits(0);
        assert!(
            ran.out.starts_with("{\"line\":1,\"run\":\"tiles-3x3 bfs\","),
            "the line comes first: {}",
            ran.out
        );
        assert_eq!(lines_of(&ran.json()), (1..=60).collect::<Vec<_>>());
        let mut answers = untimed(&ran.out);
        for answer in &mut answers {
            let answer = answer.as_object_mut().expect("an object");
            assert_eq!(answer.remove("run"), Some("tiles-3x3 bfs".into()));
            answer.remove("line");
        }
        assert_eq!(answers, untimed(&solved.out), "{threads} threads");
    }
}

#[test]
fn each_line_gets_the_outcome_of_its_kind() {
    let folder = BatchFolder::with(&mixed());
    let ran = folder
        .batch("8-puzzle", &[])
        .exits(3)
        .stderr_contains("boards.txt:6: ")
        .stderr_contains("auto: table");
    let answers = ran.json();
    let count = |outcome: &str| answers.iter().filter(|answer| answer["outcome"] == outcome).count();
    assert_eq!((count("solved"), count("unsolvable"), count("invalid")), (63, 3, 6));
    assert!(lines_of(&answers).is_sorted_by(|a, b| a < b));
    let bad = answers.iter().find(|answer| answer["outcome"] == "invalid").expect("a bad line");
    assert_eq!(bad["line"], 6);
    assert!(bad["error"].as_str().is_some_and(|why| why.contains("nonsense")), "{bad}");
    assert_eq!(
        (&bad["code"], &bad["start"]),
        (&"not-a-board".into(), &"nonsense, \"quoted\"".into()),
        "{bad}"
    );
    assert_eq!(bad["span"], serde_json::json!([0, 8]), "{bad}");
}

#[test]
fn the_exit_code_is_that_of_the_worst_line() {
    let batch = |boards: &str, more: &[&str]| {
        let folder = BatchFolder::with(boards);
        folder.batch("8-puzzle", more).code
    };
    let node_limit = ["--with", "ida+manhattan", "--nodes", "10"];
    assert_eq!(batch(HARDEST_8, &[]), Some(0));
    assert_eq!(batch(&format!("{HARDEST_8}\n{UNSOLVABLE_8}"), &[]), Some(0), "unsolvable is an answer");
    assert_eq!(batch(&format!("{HARDEST_8}\n{UNSOLVABLE_8}"), &node_limit), Some(5));
    assert_eq!(batch(&format!("{HARDEST_8}\nx"), &node_limit), Some(3));
    assert_eq!(batch("# nothing\n", &[]), Some(0), "an empty batch succeeds");
}

#[test]
fn limits_apply_to_each_position() {
    let folder = BatchFolder::with(&[HARDEST_8; 40].join("\n"));
    let ran = folder.batch("8-puzzle", &["--with", "ida+manhattan", "--nodes", "2000"]).exits(5);
    for answer in ran.json() {
        assert_eq!((&answer["outcome"], &answer["stop"]), (&"stopped".into(), &"nodes".into()));
        let generated = answer["generated"].as_u64();
        assert!((Some(2000)..Some(2010)).contains(&generated), "{answer}");
    }
}

#[test]
fn rows_of_csv_have_the_same_fields() {
    let folder = BatchFolder::with(&format!("{HARDEST_8}\nfoo, \"bar\"\n{UNSOLVABLE_8}\n"));
    let ran = folder.batch("8-puzzle", &["--with", "bfs", "--format", "csv"]).exits(3);
    let rows: Vec<&str> = ran.out.lines().collect();
    let json = folder.batch("8-puzzle", &["--with", "bfs"]).exits(3);
    let first = json.out.lines().next().expect("a line");
    let (first, checksum) = first.split_once(",\"checksum\":").expect("a checksum");
    assert_eq!(checksum.len(), "\"01234567\"}".len());
    // The keys of the JSON line in order, without `iterations` and with `error` before the checksum.
    let keys: Vec<&str> =
        first.split("\":").filter_map(|part| part.rsplit_once('"')).map(|(_, key)| key).collect();
    let keys: Vec<&str> =
        keys.into_iter().filter(|&key| key != "iterations").chain(["error", "checksum"]).collect();
    assert_eq!(rows[0], keys.join(","));
    assert!(
        rows[1].starts_with(&format!("1,tiles-3x3 bfs,2,tiles-3x3,moves,blank-last,{HARDEST_8},bfs,solved,")),
        "{}",
        rows[1]
    );
    assert!(
        rows[2].starts_with("2,tiles-3x3 bfs,2,tiles-3x3,moves,blank-last,")
            && rows[2].contains(",\"expected 9 tiles"),
        "{}",
        rows[2]
    );
    assert!(
        rows[3].starts_with(&format!(
            "3,tiles-3x3 bfs,2,tiles-3x3,moves,blank-last,{UNSOLVABLE_8},,unsolvable,"
        )),
        "{}",
        rows[3]
    );
    assert_eq!(rows.len(), 4);
    let all = folder.batch("8-puzzle", &["--with", "bfs", "--format", "csv", "--all"]).exits(3);
    assert!(all.out.lines().next().is_some_and(|header| header.ends_with(",stop,solutions,error,checksum")));
}

#[test]
fn all_solutions_are_listed() {
    let boards = scrambled("tiles-2x3", 60);
    let ran = run_with(&["batch", "tiles-2x3", "-", "--all"], boards.clone())
        .exits(0)
        .stderr_contains("auto: table");
    let plain = run_with(&["batch", "tiles-2x3", "-", "--all", "--with", "bfs"], boards).exits(0);
    let solutions =
        |ran: &RunOutput| ran.json().iter().map(|answer| answer["solutions"].clone()).collect::<Vec<_>>();
    assert!(solutions(&ran).iter().any(|all| all.as_array().is_some_and(|all| all.len() > 1)));
    assert_eq!(solutions(&ran), solutions(&plain));
}

/// A position that takes hours, followed by easy ones.
#[cfg(unix)]
fn hard_and_easy(easy: usize) -> BatchFolder {
    let count = easy.to_string();
    let easy =
        run(&["scramble", "24-puzzle", "--depth", "30", "--count", &count, "--seed", "1"]).exits(0).out;
    BatchFolder::with(&format!("{KORF_FELNER_1}\n{easy}"))
}

/// Starts a batch on two threads, waits for `answers` answers and interrupts it.
#[cfg(unix)]
fn interrupt_after_answers(folder: &BatchFolder, answers: usize, schedule: &[&str]) {
    let boards = folder.path_str("boards.txt");
    let solver = ["--with", "ida+manhattan", "--threads", "2", "--progress", "json"];
    let mut running = Running::start(&[&["batch", "24-puzzle", &boards], &solver[..], schedule].concat());
    running.wait_for(&format!("\"answers\":{answers},"));
    running.end_by("INT").exits(130);
}

#[test]
fn schedules_give_the_same_answers() {
    let folder = BatchFolder::with(&mixed());
    let dynamic = folder.batch("8-puzzle", &["--with", "astar", "--threads", "3"]).exits(3);
    let fixed =
        folder.batch("8-puzzle", &["--with", "astar", "--threads", "3", "--schedule", "static"]).exits(3);
    assert_eq!(untimed(&dynamic.out), untimed(&fixed.out));
}

/// With a static schedule on two threads, one thread gets the hard position and the first easy one, so only
/// two of the four positions are answered.
#[cfg(unix)]
#[test]
fn a_static_schedule_distributes_positions_beforehand() {
    let folder = hard_and_easy(3);
    interrupt_after_answers(&folder, 3, &[]);
    interrupt_after_answers(&folder, 2, &["--schedule", "static"]);
}

#[cfg(unix)]
#[test]
fn a_hard_line_does_not_delay_the_other_searches() {
    let folder = hard_and_easy(300);
    // While the first line is searched, the others are answered.
    interrupt_after_answers(&folder, 300, &[]);
    let limits = ["--with", "ida+manhattan", "--nodes", "300000", "--threads", "2", "--progress", "json"];
    let ran = folder.batch("24-puzzle", &limits).exits(5);
    assert_eq!(lines_of(&ran.json()), (1..=301).collect::<Vec<_>>());
    let done: Value = serde_json::from_str(ran.err.lines().last().expect("an event")).expect("JSON");
    assert_eq!(done["event"], "done");
}

#[test]
fn the_last_positions_share_the_threads() {
    let boards = scrambled("15-puzzle", 1);
    let with = [
        "batch",
        "15-puzzle",
        "-",
        "--with",
        "parida+linear-conflict",
        "--threads",
        "2",
        "--nodes",
        "1000000",
    ];
    let one = run_with(&with, boards.clone());
    assert_eq!(one.json()[0]["threads"], 2, "a single position is searched with all threads");
    let many = run_with(&with, boards.repeat(4));
    let threads: Vec<u64> = many.json().iter().filter_map(|answer| answer["threads"].as_u64()).collect();
    assert_eq!(threads, [1, 1, 1, 2]);
}

#[test]
fn a_pipe_is_answered_line_by_line() {
    let mut child =
        process(&["batch", "8-puzzle", "-"]).stdin(Stdio::piped()).spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    for line in 1..=3 {
        writeln!(input, "{HARDEST_8}").expect("the program reads its input");
        input.flush().expect("the program reads its input");
        // The test would hang if the program waited for more lines before it answers.
        let answer: Value =
            serde_json::from_str(&answers.next().expect("an answer").expect("text")).expect("JSON");
        assert_eq!((&answer["line"], &answer["length"]), (&line.into(), &31.into()));
    }
    drop(input);
    assert!(answers.next().is_none());
    assert!(child.wait().expect("the program ends").success());
}

#[test]
fn a_closed_pipe_ends_a_batch() {
    let folder = BatchFolder::with(&scrambled("8-puzzle", 20_000));
    let boards = folder.path_str("boards.txt");
    let mut child = process(&["batch", "8-puzzle", &boards]).spawn().expect("the program starts");
    let mut answers = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    answers.read_line(&mut line).expect("an answer");
    drop(answers);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(141), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_file_of_answers_is_overwritten_only_with_force() {
    let folder = BatchFolder::with(HARDEST_8);
    let out = folder.path_str("out.ndjson");
    folder.batch("8-puzzle", &["--out", &out]).exits(0);
    let before = fs::read_to_string(&out).expect("answers");
    folder
        .batch("8-puzzle", &["--out", &out])
        .exits(2)
        .stderr_contains("--resume")
        .stderr_contains("--force");
    assert_eq!(fs::read_to_string(&out).expect("answers"), before);
    folder.batch("8-puzzle", &["--out", &out, "--force", "--format", "csv"]).exits(0);
    assert!(fs::read_to_string(&out).expect("answers").starts_with("line,"));
    let boards = folder.path_str("boards.txt");
    folder.batch("8-puzzle", &["--out", &boards, "--force"]).exits(2).stderr_contains("is the input file");
    let link = folder.path_str("link.txt");
    fs::hard_link(&boards, &link).expect("a second name");
    folder.batch("8-puzzle", &["--out", &link, "--force"]).exits(2).stderr_contains("is the input file");
    assert_eq!(fs::read_to_string(&boards).expect("boards").trim(), HARDEST_8);
    folder.batch("8-puzzle", &["--resume"]).exits(2).stderr_contains("--out");
    folder.batch("8-puzzle", &["--out", "/nowhere/out"]).exits(2).stderr_contains("/nowhere/out");
}

/// The number of earlier answers that the run reports having kept.
fn resumed(ran: &RunOutput) -> usize {
    let words = ran.err.split("resumed after ").nth(1).unwrap_or_else(|| panic!("{}", ran.err));
    words.split(' ').next().and_then(|count| count.replace(',', "").parse().ok()).expect("a count")
}

/// The number of answers of this run, from its last event.
fn added(ran: &RunOutput) -> usize {
    let last = ran.err.lines().last().expect("an event");
    let event: Value = serde_json::from_str(last).expect(last);
    assert_eq!(event["event"], "done");
    event["answers"].as_u64().expect("a count") as usize
}

#[test]
fn a_file_truncated_anywhere_is_resumed() {
    let folder = BatchFolder::with(&mixed());
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for format in ["ndjson", "csv"] {
        let untimed: fn(&str) -> Vec<String> = match format {
            "csv" => untimed_rows,
            _ => |text| untimed(text).iter().map(Value::to_string).collect(),
        };
        let whole = folder.path_str(&format!("whole.{format}"));
        let arguments = ["--with", "astar", "--format", format, "--progress", "json", "--out"];
        folder.batch("8-puzzle", &[&arguments[..], &[&whole]].concat()).exits(3);
        let whole = fs::read(whole).expect("answers");
        let expected = untimed(&String::from_utf8_lossy(&whole));
        let truncated = folder.path_str(&format!("truncated.{format}"));
        let mut cuts: Vec<usize> = (0..20).map(|_| rng.random_range(0..whole.len())).collect();
        cuts.extend([0, 1, whole.len() - 1, whole.len()]);
        for cut in cuts {
            fs::write(&truncated, &whole[..cut]).expect("a file");
            let ran =
                folder.batch("8-puzzle", &[&arguments[..], &[&truncated, "--resume"]].concat()).exits(3);
            let header = usize::from(format == "csv");
            let kept = whole[..cut].iter().filter(|&&byte| byte == b'\n').count().saturating_sub(header);
            assert_eq!(resumed(&ran), kept, "cut at {cut}: {}", ran.err);
            assert_eq!(added(&ran), 72 - kept, "nothing is solved twice: {}", ran.err);
            let text = fs::read_to_string(&truncated).expect("answers");
            assert_eq!(untimed(&text), expected, "{format} cut at {cut}");
            let end = whole[..cut].iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
            assert!(text.as_bytes().starts_with(&whole[..end]), "existing answers are unchanged");
        }
    }
}

#[test]
fn other_files_are_neither_resumed_nor_changed() {
    let boards = scrambled("8-puzzle", 20);
    let folder = BatchFolder::with(&boards);
    let out = folder.path_str("out");
    folder.batch("8-puzzle", &["--out", &out]).exits(0);
    let answers = fs::read_to_string(&out).expect("answers");
    let refused = |folder: &BatchFolder, more: &[&str], why: &str| {
        let before = fs::read(folder.path("out")).expect("a file");
        folder
            .batch("8-puzzle", &[&["--out", &folder.path_str("out"), "--resume"], more].concat())
            .exits(2)
            .stderr_contains(why);
        assert_eq!(fs::read(folder.path("out")).expect("a file"), before, "the file is unchanged");
    };
    refused(&folder, &["--goal", "snail"], "with goal blank-last, this run uses goal snail");
    refused(&folder, &["--format", "csv"], "header");
    let other = BatchFolder::with(&boards.lines().rev().collect::<Vec<_>>().join("\n"));
    fs::write(other.path("out"), &answers).expect("a file");
    refused(&other, &[], "the input has `");
    let shifted = BatchFolder::with(&format!("\n{boards}"));
    fs::write(shifted.path("out"), &answers).expect("a file");
    refused(&shifted, &[], "answer 1 belongs to line 1, but the next position of the input is on line 2");
    let shorter = BatchFolder::with(boards.lines().next().expect("a board"));
    fs::write(shorter.path("out"), &answers).expect("a file");
    refused(&shorter, &[], "more answers than the input has positions");
    for text in ["my diary", "my diary\n", "{\"line\":1,\"outcome\":\"solved\"\n", "line,diary\n"] {
        fs::write(folder.path("out"), text).expect("a file");
        refused(&folder, &[], "cannot resume");
        refused(&folder, &["--format", "csv"], "cannot resume");
    }
}

/// Resuming verifies every field that the position determines. A contradiction is an error that names it.
#[test]
fn damaged_answers_are_not_resumed() {
    let folder = BatchFolder::with(&format!("{HARDEST_8}\n{UNSOLVABLE_8}\n1 2 3 4 5 6 7 8 0\n"));
    let out = folder.path_str("out");
    for format in ["ndjson", "csv"] {
        let with = ["--with", "astar", "--format", format, "--out", &out];
        folder.batch("8-puzzle", &[&with[..], &["--force"]].concat()).exits(0);
        let answers = fs::read_to_string(&out).expect("answers");
        folder.batch("8-puzzle", &[&with[..], &["--resume"]].concat()).exits(0);
        let quoted = |key: &str, value: &str| match format {
            "csv" => format!(",{value},"),
            _ => format!("\"{key}\":{value},"),
        };
        let changes = [
            (quoted("length", "31"), quoted("length", "30"), "its length is 31, not 30"),
            (quoted("lower_bound", "31"), quoted("lower_bound", "30"), "contradict"),
            (quoted("optimal", "true"), quoted("optimal", "false"), "contradict"),
            ("solved".into(), "stopped".into(), "names no limit"),
            ("unsolvable".into(), "stopped".into(), "but the position is unsolvable"),
        ];
        for (old, new, why) in changes {
            // Length and lower bound are both 31. A CSV row has no keys, so the lower bound is found by the
            // `true` before it.
            let damaged = if format == "csv" && why == "contradict" && old == ",31," {
                answers.replacen(",true,31,", ",true,30,", 1)
            } else {
                answers.replacen(&old, &new, 1)
            };
            assert_ne!(damaged, answers, "{format}: {old}");
            fs::write(&out, &damaged).expect("a file");
            let ran = folder.batch("8-puzzle", &[&with[..], &["--resume"]].concat()).exits(2);
            assert!(ran.err.contains(why), "{format}: {old} to {new}: {}", ran.err);
            assert_eq!(fs::read_to_string(&out).expect("a file"), damaged, "the file is unchanged");
        }
        // A move replaced by its inverse.
        let (first, second) = answers.split_once(" U ").expect("a move up");
        fs::write(&out, format!("{first} D {second}")).expect("a file");
        let ran = folder.batch("8-puzzle", &[&with[..], &["--resume"]].concat()).exits(2);
        assert!(ran.err.contains("its moves do not solve the position"), "{}", ran.err);
    }
}

/// While a batch writes to a file, a second one is refused, whichever way it opens the file.
#[cfg(unix)]
#[test]
fn a_second_writer_is_refused() {
    let folder = hard_and_easy(3);
    let (boards, out) = (folder.path_str("boards.txt"), folder.path_str("out"));
    let with = ["--with", "ida+manhattan", "--threads", "2", "--progress", "json", "--out", &out];
    let mut first = Running::start(&[&["batch", "24-puzzle", &boards], &with[..]].concat());
    first.wait_for("\"answers\":3,");
    for flag in ["--resume", "--force"] {
        folder
            .batch("24-puzzle", &[&with[..], &[flag]].concat())
            .exits(2)
            .stderr_contains("another batch is writing to");
    }
    first.end_by("INT").exits(130);
    let limits = ["--with", "ida+manhattan", "--threads", "2", "--nodes", "1000", "--out", &out, "--force"];
    folder.batch("24-puzzle", &limits).exits(5);
    let answers = fs::read_to_string(&out).expect("answers");
    assert_eq!(answers.lines().count(), 4, "the lock is released");
}

#[test]
fn a_resumed_batch_counts_earlier_invalid_lines() {
    let folder = BatchFolder::with(&format!("nonsense\n{HARDEST_8}\n"));
    let out = folder.path_str("out");
    folder.batch("8-puzzle", &["--out", &out]).exits(3);
    let ran = folder
        .batch("8-puzzle", &["--out", &out, "--resume"])
        .exits(3)
        .stderr_contains("resumed after 2 answers");
    assert!(!ran.err.contains("nonsense"), "an invalid line is reported only once: {}", ran.err);
}

/// One of the 15-puzzle positions farthest from solved (80 moves); it takes hours with Manhattan distance.
#[cfg(unix)]
const ENDLESS_15: &str = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0";

/// A batch of many positions, and its answers.
#[cfg(unix)]
fn long_batch() -> (BatchFolder, Vec<Value>) {
    let boards =
        run(&["scramble", "15-puzzle", "--depth", "35", "--count", "3000", "--seed", "3"]).exits(0).out;
    let folder = BatchFolder::with(&boards);
    let whole = folder.batch("15-puzzle", &["--with", "ida+manhattan"]).exits(0);
    (folder, untimed(&whole.out))
}

#[cfg(unix)]
fn start(folder: &BatchFolder, out: &Path) -> std::process::Child {
    let (boards, out) = (folder.path_str("boards.txt"), out.to_str().expect("a UTF-8 path"));
    process(&["batch", "15-puzzle", &boards, "--with", "ida+manhattan", "--out", out, "--resume"])
        .spawn()
        .expect("the program starts")
}

/// Whole lines in the file of answers.
#[cfg(unix)]
fn answers_in(out: &Path) -> usize {
    fs::read(out).unwrap_or_default().iter().filter(|&&byte| byte == b'\n').count()
}

#[cfg(unix)]
#[test]
fn a_killed_batch_is_resumed() {
    let (folder, expected) = long_batch();
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let (mut kills, mut skipped) = (0, 0);
    while kills < 20 {
        let out = folder.path("out");
        let _ = fs::remove_file(&out);
        let mut before = 0;
        // Kill the batch repeatedly until it has answered all positions.
        loop {
            let mut child = start(&folder, &out);
            // Wait for a random number of further answers, which may be 0.
            let answers_to_reach = before + rng.random_range(0..expected.len() / 3);
            wait_until("answers are written", || {
                answers_in(&out) >= answers_to_reach || child.try_wait().expect("a status").is_some()
            });
            child.kill().expect("the process can be killed");
            child.wait().expect("the program ends");
            kills += 1;
            let saved = answers_in(&out);
            assert!(saved >= before, "{saved} of {before} answers are left");
            before = saved;
            if saved == expected.len() || kills % 5 == 0 {
                break;
            }
        }
        let arguments = ["--with", "ida+manhattan", "--resume", "--progress", "json", "--out"];
        let ran =
            folder.batch("15-puzzle", &[&arguments[..], &[out.to_str().expect("a path")]].concat()).exits(0);
        assert_eq!(resumed(&ran), before, "saved answers are not computed again: {}", ran.err);
        assert_eq!(added(&ran), expected.len() - before, "{}", ran.err);
        assert_eq!(
            untimed(&fs::read_to_string(&out).expect("answers")),
            expected,
            "every answer is written exactly once"
        );
        skipped += before;
    }
    assert!(skipped > 0, "some runs were killed late enough to leave answers");
}

#[cfg(unix)]
#[test]
fn an_interrupted_batch_keeps_all_answers() {
    let (folder, expected) = long_batch();
    // The last position takes hours, so that the batch cannot end by itself.
    let boards = fs::read_to_string(folder.path("boards.txt")).expect("boards");
    fs::write(folder.path("boards.txt"), format!("{boards}{ENDLESS_15}\n")).expect("written");
    let out = folder.path("out");
    let child = start(&folder, &out);
    wait_until("an answer is written", || answers_in(&out) > 0);
    signal(&child, "INT");
    let output = child.wait_with_output().expect("the program ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{errors}");
    assert!(errors.contains("continue with --resume"), "{errors}");
    let text = fs::read_to_string(&out).expect("answers");
    let saved = untimed(&text);
    assert!(text.is_empty() || text.ends_with('\n'), "no line is incomplete");
    assert_eq!(saved, expected[..saved.len()]);
    fs::write(folder.path("boards.txt"), boards).expect("written");
    let output = start(&folder, &out).wait_with_output().expect("the program ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("resumed after "), "{errors}");
    assert_eq!(untimed(&fs::read_to_string(&out).expect("answers")), expected);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_batch_that_waits_for_input() {
    let mut child =
        process(&["batch", "8-puzzle", "-"]).stdin(Stdio::piped()).spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    // More than a pipe holds: once it is written, the program is reading.
    input.write_all(&[b'\n'; 1 << 20]).expect("the program reads");
    signal(&child, "INT");
    assert_eq!(child.wait().expect("the program ends").code(), Some(130));
}

/// Only Linux reports the peak resident memory of a process in `/proc`.
#[cfg(target_os = "linux")]
#[test]
fn a_hundred_thousand_boards_need_little_memory() {
    let folder = BatchFolder::with(&scrambled("8-puzzle", 100_000));
    let (boards, out) = (folder.path_str("boards.txt"), folder.path_str("out"));
    let mut child = process(&["batch", "8-puzzle", &boards, "--out", &out, "--threads", "2"])
        .spawn()
        .expect("the program starts");
    let mut peak = 0;
    while child.try_wait().expect("a status").is_none() {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        peak = peak.max(kilobytes.unwrap_or(0u64));
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(child.wait().expect("the program ends").success());
    let text = fs::read_to_string(&out).expect("answers");
    assert_eq!(text.lines().count(), 100_000);
    assert!(text.len() > 30_000_000, "{} bytes of answers", text.len());
    assert!((1000..25_000).contains(&peak), "{peak} kB were resident");
}

#[cfg(unix)]
#[test]
fn progress_includes_rate_and_remaining_time() {
    let folder = BatchFolder::with(&format!("{KORF_FELNER_1}\n").repeat(6));
    let boards = folder.path_str("boards.txt");
    let arguments =
        ["batch", "24-puzzle", &boards, "--with", "ida+manhattan", "--threads", "2", "--progress"];
    let mut running = Running::start(&[&arguments[..], &["json"]].concat());
    let progress: Value = serde_json::from_str(&running.wait_for("\"progress\"")).expect("an event");
    for key in ["answers", "seconds", "rate", "share", "left"] {
        assert!(progress.get(key).is_some(), "{key} is missing in {progress}");
    }
    running.end_by("INT").exits(130);
    let mut running = Running::start(&[&arguments[..], &["bar"]].concat());
    running.wait_for("/s");
    running.kill();
    let ran = run(&[&arguments[..], &["json", "--nodes", "100000"]].concat()).exits(5);
    let done: Value = serde_json::from_str(ran.err.lines().last().expect("an event")).expect("JSON");
    assert_eq!((&done["answers"], &done["stopped"]), (&6.into(), &6.into()));
}
