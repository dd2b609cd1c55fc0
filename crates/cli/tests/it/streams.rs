//! Standard input that stays open: every position is answered before the next one is sent.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::Value;

use crate::common::process;

/// Sends each text and returns the line that answers it. The input ends only after the last answer, so a
/// program that waits for the end never answers, and the test hangs.
fn answers(arguments: &[&str], texts: &[&str]) -> (Vec<String>, Option<i32>) {
    let mut child = process(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut lines = Vec::new();
    for text in texts {
        writeln!(input, "{text}").expect("the program reads");
        lines.push(output.next().expect("an answer").expect("UTF-8"));
    }
    drop(input);
    assert_eq!(output.next().map(|line| line.expect("UTF-8")), None, "one line per position");
    (lines, child.wait().expect("the program ends").code())
}

#[test]
fn solve_answers_a_position_before_the_next_one_arrives() {
    let texts =
        ["1 2 3 4 5 6 7 0 8", "nonsense", "1 2 3 4 5 6 8 7 0", "1 2 3\n4 5 6\n0 7 8", "1 2 3 4 5 6 7 8 0"];
    for solver in ["bfs", "auto"] {
        let (lines, code) = answers(&["solve", "8-puzzle", "-", "--with", solver], &texts);
        assert_eq!((lines, code), (["L", "", "", "L L", ""].map(String::from).to_vec(), Some(3)), "{solver}");
    }
}

#[test]
fn solve_streams_json_and_boards_of_several_sizes() {
    let texts = ["1 2 3/4 0 5", "2\n1 0\n3 2", "3\n1 2 3\n4 5 6\n7 0 8", "1 2 3 4 5 6 7 8 9 10 0 11"];
    let (lines, code) = answers(&["solve", "tiles", "--with", "ida", "--json"], &texts);
    let lines: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let found: Vec<(&str, Option<u64>)> = lines
        .iter()
        .map(|line| (line["puzzle"].as_str().expect("a name"), line["length"].as_u64()))
        .collect();
    let expected = [("tiles-2x3", Some(1)), ("tiles-2x2", Some(1)), ("tiles-3x3", Some(1)), ("tiles", None)];
    assert_eq!((found, code), (expected.to_vec(), Some(3)));
}
