//! Errors of `compare`, `analyze` and `bench`: existing files, other runs, invalid positions.

use std::fs;
use std::path::Path;

use crate::common::{RunOutput, run, run_with};
use tempfile::TempDir;

const BASE: [&str; 5] = ["8-puzzle", "--with", "ida", "--count", "3"];

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn analyze(arguments: &[&str], out: &Path) -> RunOutput {
    run(&[&["analyze"], arguments, &["--out", out.to_str().expect("a plain path")]].concat())
}

fn names(out: &Path) -> Vec<String> {
    let entries = fs::read_dir(out).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn existing_files_are_replaced_only_with_force() {
    for name in ["results.csv", "growth.png", "report.html"] {
        let folder = folder();
        let file = folder.path().join(name);
        fs::write(&file, "mine").expect("written");
        analyze(&BASE, folder.path()).exits(2).stderr_contains("--force");
        assert_eq!(fs::read(&file).expect("still there"), b"mine");
        assert_eq!(names(folder.path()), [name]);
        analyze(&[&BASE[..], &["--force"]].concat(), folder.path()).exits(0);
        assert_eq!(names(folder.path()).len(), 21);
    }
}

#[test]
fn a_folder_in_place_of_a_file_is_reported_before_the_searches() {
    let folder = folder();
    fs::create_dir(folder.path().join("memory.png")).expect("a folder");
    for flags in [&[][..], &["--force"], &["--resume"]] {
        analyze(&[&BASE[..], flags].concat(), folder.path())
            .exits(2)
            .stderr_contains("memory.png is not a regular file");
    }
    assert_eq!(names(folder.path()), ["memory.png"]);
}

#[test]
fn only_the_same_run_is_resumed() {
    let folder = folder();
    let stopped = ["8-puzzle", "--with", "ida", "--count", "3", "--nodes", "2"];
    analyze(&stopped, folder.path()).exits(5);
    let before = fs::read(folder.path().join("results.json")).expect("results");
    analyze(&[&stopped[..], &["--resume"]].concat(), folder.path())
        .exits(5)
        .stderr_contains("there is nothing to resume");
    for (other, field) in [
        (&BASE[..], "limits"),
        (&["15-puzzle", "--with", "ida", "--count", "3", "--nodes", "2"], "puzzle"),
        (&["8-puzzle", "--with", "bfs", "--count", "3", "--nodes", "2"], "solvers"),
    ] {
        let ran = analyze(&[other, &["--resume"]].concat(), folder.path()).exits(2);
        ran.stderr_contains(&format!("it differs in: {field}; --resume needs the same command"));
    }
    assert_eq!(fs::read(folder.path().join("results.json")).expect("results"), before);
    fs::write(folder.path().join("results.json"), "{").expect("written");
    analyze(&[&stopped[..], &["--resume"]].concat(), folder.path())
        .exits(2)
        .stderr_contains("it is not JSON");
}

#[test]
fn a_file_without_solvable_positions_is_an_error() {
    let folder = folder();
    let out = folder.path().join("study");
    let out = out.to_str().expect("a path");
    for command in [&["compare"][..], &["analyze", "--out", out]] {
        let arguments = [command, &["8-puzzle", "--with", "ida", "--file", "-"]].concat();
        run_with(&arguments, crate::common::UNSOLVABLE_8)
            .exits(4)
            .stderr_contains("standard input holds no solvable position");
        run_with(&arguments, format!("{}\nx\n", crate::common::UNSOLVABLE_8)).exits(3);
        run_with(&arguments, "").exits(3).stderr_contains("standard input holds no solvable position");
    }
}

#[test]
fn a_huge_range_of_depths_is_refused() {
    for depths in ["0..18446744073709551615", "0..99999999999", "18446744073709551615..18446744073709551615"]
    {
        let ran = run(&["compare", "8-puzzle", "--with", "ida", "--depths", depths, "--count", "1"]).exits(2);
        assert!(ran.err.contains("at most"), "{depths}: {}", ran.err);
    }
    run(&["compare", "8-puzzle", "--with", "ida", "--count", "-3"]).exits(2).stderr_contains("at least 1");
}

#[test]
fn an_unknown_solver_is_reported_with_the_puzzle() {
    run(&["compare", "cube3", "--with", "layers", "--count", "1"])
        .exits(2)
        .stderr_contains("there is no algorithm `layers` for cube3")
        .stderr_contains("`untumble list solvers cube3`");
}

#[test]
fn flags_of_bench_require_a_suite() {
    for flag in [&["--against", "x"][..], &["--save", "x"], &["--json"]] {
        run(&[&["bench"], flag].concat()).exits(2).stderr_contains("SUITE");
    }
}

/// Ten positions of one length: in binary floating point, their mean length may differ from this length.
#[test]
fn growth_needs_more_than_one_length() {
    let with = ["--with", "bfs", "--with", "ida", "--with", "dfs:depth=2"];
    let ran = run(&[&["compare", "8-puzzle", "--depth", "1", "--count", "10", "--json"], &with[..]].concat());
    let json = &ran.exits(0).json()[0];
    for solver in json["solvers"].as_array().expect("solvers") {
        assert!(solver["growth"].is_null(), "{solver}");
    }
    let hopeless = run(&[
        "compare",
        "8-puzzle",
        "--with",
        "bfs",
        "--with",
        "ida",
        "--with",
        "dfs:depth=0",
        "--count",
        "12",
    ]);
    let hopeless = hopeless.exits(5);
    assert!(
        hopeless.out.contains("On the 12 positions solved by all solvers except dfs:depth=0, "),
        "{}",
        hopeless.out
    );
}

/// The incumbent of a search that a limit stopped counts as its solution.
#[test]
fn solutions_of_stopped_searches_are_compared() {
    let with = ["--with", "auto", "--with", "beam:width=10"];
    let ran =
        run(&[&["compare", "24-puzzle", "--count", "1", "--time", "0.5", "--json"], &with[..]].concat())
            .exits(5);
    let json = &ran.json()[0];
    let all = &json["solvers"][0]["all"];
    assert_eq!((&all["solved"], &all["solutions"]["found"]), (&0.into(), &1.into()), "{all}");
    assert!(all["length"]["mean"].as_f64() > Some(60.0) && all["seconds"].is_null(), "{all}");
    let sentences = json["sentences"]["general"].to_string();
    assert!(
        sentences.contains("1 of 1 solution of beam:width=10 is longer than the best known"),
        "{sentences}"
    );
}
