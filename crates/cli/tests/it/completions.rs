//! The completion script of bash, run by a real bash as for a press of the tab key.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{run, run_in};

/// Sets the variables as bash does for a line, split into words at blanks, `:` and `=`, and prints the
/// completions.
const HARNESS: &str = r#"
source "$1"
COMP_LINE=$2 COMP_POINT=${#2} COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
shift 2
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_untumble 2>/dev/null
printf '%s\n' "${COMPREPLY[@]}"
"#;

/// The completions of a line whose words bash splits as given.
fn complete(cache: &Path, line: &str, words: &[&str]) -> Vec<String> {
    let script = cache.join("untumble.bash");
    fs::write(&script, run(&["completions", "bash"]).exits(0).out).expect("a file");
    let program = env!("CARGO_BIN_EXE_untumble");
    let line = format!("{program} {line}");
    let output = Command::new("bash")
        .args(["--norc", "-c", HARNESS, "bash"])
        .arg(&script)
        .args([&line, program])
        .args(words)
        .env("UNTUMBLE_CACHE", cache)
        .output()
        .expect("bash");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(str::to_owned).filter(|line| !line.is_empty()).collect()
}

#[test]
fn bash_completes_puzzles_solvers_goals_and_tables() {
    let cache = tempfile::tempdir().expect("a folder");
    run_in(cache.path(), &["tables", "build", "8-puzzle", "--with", "table"]).exits(0);
    let complete = |line: &str, words: &[&str]| complete(cache.path(), line, words);
    assert_eq!(complete("solve cu", &["solve", "cu"]), ["cube2", "cube3"]);
    assert_eq!(complete("tables remove ", &["tables", "remove", ""]), ["tiles-3x3-distances-8-v1"]);
    let goals = complete("solve 8-puzzle --goal ", &["solve", "8-puzzle", "--goal", ""]);
    assert_eq!(goals, ["blank-first", "blank-last", "snail"]);
    let heuristics = complete("solve cube3 --with ida+", &["solve", "cube3", "--with", "ida+"]);
    assert_eq!(heuristics, ["ida+corners", "ida+edges", "ida+edges:", "ida+manhattan", "ida+max("]);
    // bash replaces only the piece after the last `:` or `=`.
    let sizes = complete(
        "solve cube3 --with optimal:table=2",
        &["solve", "cube3", "--with", "optimal", ":", "table", "=", "2"],
    );
    assert_eq!(sizes, ["243MB"]);
    let quoted = complete("solve cube3 --with \"ida:bp", &["solve", "cube3", "--with", "\"ida:bp"]);
    assert_eq!(quoted, ["ida:bpmx="]);
    fs::write(cache.path().join("board.txt"), "").expect("a file");
    let path = format!("{}/bo", cache.path().display());
    let files = complete(&format!("solve cube3 --file {path}"), &["solve", "cube3", "--file", &path]);
    assert_eq!(files, [format!("{path}ard.txt")]);
}
