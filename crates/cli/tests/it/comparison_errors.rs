//! What becomes of a comparison where something stands in its way: files of others, other runs, positions that are none.

use std::fs;
use std::path::Path;

use crate::common::{Ran, run, run_with};
use tempfile::TempDir;

const BASE: [&str; 5] = ["8-puzzle", "--with", "ida", "--count", "3"];

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn analyze(arguments: &[&str], out: &Path) -> Ran {
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
fn files_of_others_are_not_replaced() {
    for name in ["results.csv", "growth.png", "report.html"] {
        let folder = folder();
        let file = folder.path().join(name);
        fs::write(&file, "mine").expect("written");
        analyze(&BASE, folder.path()).exits(2).says("--force");
        assert_eq!(fs::read(&file).expect("still there"), b"mine");
        assert_eq!(names(folder.path()), [name]);
        analyze(&[&BASE[..], &["--force"]].concat(), folder.path()).exits(0);
        assert_eq!(names(folder.path()).len(), 21);
    }
}

#[test]
fn a_folder_in_the_way_is_told_at_once() {
    let folder = folder();
    fs::create_dir(folder.path().join("memory.png")).expect("a folder");
    for how in [&[][..], &["--force"], &["--resume"]] {
        analyze(&[&BASE[..], how].concat(), folder.path()).exits(2).says("memory.png is not a regular file");
    }
    assert_eq!(names(folder.path()), ["memory.png"]);
}

#[test]
fn only_the_same_run_is_finished() {
    let folder = folder();
    let stopped = ["8-puzzle", "--with", "ida", "--count", "3", "--nodes", "2"];
    analyze(&stopped, folder.path()).exits(5);
    let before = fs::read(folder.path().join("results.json")).expect("results");
    analyze(&[&stopped[..], &["--resume"]].concat(), folder.path())
        .exits(5)
        .says("there is nothing to resume");
    for (other, told) in [
        (&BASE[..], "limits"),
        (&["15-puzzle", "--with", "ida", "--count", "3", "--nodes", "2"], "puzzle"),
        (&["8-puzzle", "--with", "bfs", "--count", "3", "--nodes", "2"], "solvers"),
    ] {
        let ran = analyze(&[other, &["--resume"]].concat(), folder.path()).exits(2);
        ran.says(&format!("it differs in: {told}; --resume needs the same command"));
    }
    assert_eq!(fs::read(folder.path().join("results.json")).expect("results"), before);
    fs::write(folder.path().join("results.json"), "{").expect("written");
    analyze(&[&stopped[..], &["--resume"]].concat(), folder.path()).exits(2).says("it is not JSON");
}

#[test]
fn positions_that_cannot_be_solved_are_told_as_that() {
    let folder = folder();
    let out = folder.path().join("study");
    let out = out.to_str().expect("a path");
    for command in [&["compare"][..], &["analyze", "--out", out]] {
        let arguments = [command, &["8-puzzle", "--with", "ida", "--file", "-"]].concat();
        run_with(&arguments, crate::common::SWAPPED_8)
            .exits(4)
            .says("standard input holds no position that can be solved");
        run_with(&arguments, format!("{}\nx\n", crate::common::SWAPPED_8)).exits(3);
        run_with(&arguments, "").exits(3).says("standard input holds no position");
    }
}

#[test]
fn a_range_beyond_all_bounds_is_refused() {
    for depths in ["0..18446744073709551615", "0..99999999999", "18446744073709551615..18446744073709551615"]
    {
        let ran = run(&["compare", "8-puzzle", "--with", "ida", "--depths", depths, "--count", "1"]).exits(2);
        assert!(ran.err.contains("at most"), "{depths}: {}", ran.err);
    }
    run(&["compare", "8-puzzle", "--with", "ida", "--count", "-3"]).exits(2).says("at least 1");
}

#[test]
fn a_solver_that_another_puzzle_has_is_told_with_the_puzzle() {
    run(&["compare", "cube3", "--with", "layers", "--count", "1"])
        .exits(2)
        .says("there is no algorithm `layers` for cube3")
        .says("`untumble list solvers cube3`");
}

#[test]
fn figures_are_neither_kept_nor_compared_without_a_suite() {
    for flag in [&["--against", "x"][..], &["--save", "x"], &["--json"]] {
        run(&[&["bench"], flag].concat()).exits(2).says("SUITE");
    }
}

/// Positions of one length, ten of them: their mean length is not their length in binary.
#[test]
fn nothing_grows_over_one_length() {
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
        "9",
    ]);
    let hopeless = hopeless.exits(5);
    assert!(
        hopeless.out.contains("On the 9 positions solved by all solvers except dfs:depth=0, "),
        "{}",
        hopeless.out
    );
}

/// What a search has in hand when its time is up is a solution like any other.
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
