//! The commands other than `solve`.

use crate::common::{HARDEST_8, KORF_3, run, run_with};
use std::collections::HashSet;

#[test]
fn the_same_seed_scrambles_the_same() {
    let first = run(&["scramble", "15-puzzle", "--seed", "7", "--count", "20"]).exits(0);
    let again = run(&["scramble", "15-puzzle", "--seed", "7", "--count", "20"]).exits(0);
    let other = run(&["scramble", "15-puzzle", "--seed", "8", "--count", "20"]).exits(0);
    assert_eq!(first.out, again.out);
    assert_ne!(first.out, other.out);
    assert_eq!(first.out.lines().collect::<HashSet<_>>().len(), 20, "20 different positions");
    assert_eq!(first.err, "");
}

/// People publish seeds: these positions must never change.
#[test]
fn the_positions_of_a_seed_never_change() {
    let uniform = run(&["scramble", "15-puzzle", "--seed", "7", "--count", "2"]).exits(0).out;
    assert_eq!(uniform, "10 12 2 9 7 8 13 5 0 1 3 4 6 15 14 11\n3 15 0 4 7 1 5 12 10 13 6 9 11 14 8 2\n");
    let walked = run(&["scramble", "8-puzzle", "--seed", "7", "--depth", "20"]).exits(0).out;
    assert_eq!(walked, "7 3 4 5 1 6 0 8 2\n");
}

#[test]
fn a_random_seed_is_printed_and_reproduces_the_positions() {
    let drawn = run(&["scramble", "8-puzzle", "--count", "3"]).exits(0).stderr_contains("--seed ");
    let seed = drawn.err.split_whitespace().nth(1).expect("the seed");
    assert_eq!(run(&["scramble", "8-puzzle", "--count", "3", "--seed", seed]).exits(0).out, drawn.out);
}

#[test]
fn scrambles_can_be_solved_within_their_depth() {
    for goal in ["blank-last", "blank-first", "snail"] {
        let depth = ["scramble", "8-puzzle", "--seed", "1", "--count", "5", "--depth", "10", "--goal", goal];
        let scrambled = run(&depth).exits(0);
        let solved = run_with(&["solve", "8-puzzle", "--goal", goal, "--json"], scrambled.out).exits(0);
        for line in solved.json() {
            assert!(line["length"].as_u64() <= Some(10), "{line}");
        }
    }
    let json = run(&["scramble", "8-puzzle", "--seed", "3", "--depth", "0", "--json"]).exits(0).json();
    assert_eq!(json[0]["start"], "1 2 3 4 5 6 7 8 0");
    assert_eq!((&json[0]["puzzle"], &json[0]["seed"]), (&"tiles-3x3".into(), &3.into()));
}

#[test]
fn check_distinguishes_solved_from_solvable() {
    let solved = run(&["check", "8-puzzle", "1 2 3 4 5 6 7 8 0"]).exits(0);
    assert!(solved.out.ends_with("\nsolved\n"), "{}", solved.out);
    let other = run(&["check", "8-puzzle", HARDEST_8]).exits(0);
    assert!(other.out.ends_with("\nnot solved; solvable; lower bound 23\n"), "{}", other.out);
    assert!(other.out.contains('8'), "the position is drawn: {}", other.out);
}

#[test]
fn check_replays_moves_step_by_step() {
    let ran =
        run(&["check", "8-puzzle", "1", "2", "3", "4", "5", "6", "0", "7", "8", "--moves", "L L"]).exits(0);
    assert!(ran.out.contains("move 1: L") && ran.out.contains("move 2: L"), "{}", ran.out);
    assert!(ran.out.ends_with("solved after 2 moves\n"), "{}", ran.out);
    let ran = run(&["check", "8-puzzle", "1 2 3 4 5 6 0 7 8", "--moves", "L"]).exits(0);
    assert!(ran.out.ends_with("\nnot solved after 1 move\n"), "{}", ran.out);
}

#[test]
fn check_abbreviates_long_sequences_without_every() {
    let solved = run(&["solve", "15-puzzle", KORF_3, "--goal", "blank-first", "--with", "layers"]).exits(0);
    let moves = solved.out.trim_end();
    let count = moves.split(' ').count();
    let check = ["check", "15-puzzle", KORF_3, "--goal", "blank-first", "--moves", moves];
    let part = run(&check).exits(0);
    assert_eq!(part.out.matches("move ").count(), 6, "{}", part.out);
    assert!(part.out.ends_with(&format!("\nsolved after {count} moves\n")), "{}", part.out);
    let every = run(&[&check[..], &["--every"]].concat()).exits(0);
    assert_eq!(every.out.matches("move ").count(), count);
}

#[test]
fn lists_name_the_puzzles_and_solvers() {
    let puzzles = run(&["list"]).exits(0);
    assert!(puzzles.out.contains("15-puzzle") && puzzles.out.contains("blank-first"), "{}", puzzles.out);
    let solvers = run(&["list", "solvers"]).exits(0).stderr_contains("15-puzzle");
    for name in [
        "bfs",
        "parida",
        "bpmx",
        "linear-conflict",
        "layers",
        "admissible",
        "Also: hda*, parastar",
        "Resumable",
    ] {
        assert!(solvers.out.contains(name), "{name} is missing in {}", solvers.out);
    }
    assert!(solvers.out.lines().all(|line| line.chars().count() <= 100), "{}", solvers.out);
    let json = &run(&["list", "solvers", "8-puzzle", "--json"]).exits(0).json()[0];
    assert_eq!(json["puzzle"], "tiles-3x3");
    let named = |list: &str, name: &str| {
        let list = json[list].as_array().expect("a list");
        list.iter().find(|entry| entry["name"] == name).cloned().unwrap_or_else(|| panic!("no {name}"))
    };
    let ida = named("algorithms", "ida");
    assert_eq!(ida["options"][0]["name"], "bpmx");
    assert_eq!(ida["guarantee"], "optimal");
    assert_eq!(ida["options"][0]["aliases"][0], "raise");
    assert!(ida["aliases"].as_array().is_some_and(|names| names.contains(&"idastar".into())), "{ida}");
    assert_eq!((&ida["resumable"], &named("algorithms", "bfs")["resumable"]), (&true.into(), &false.into()));
    assert_eq!(named("heuristics", "misplaced")["aliases"][0], "hamming");
    assert_eq!(named("heuristics", "manhattan")["admissible"], true);
    assert_eq!(named("heuristics", "nilsson")["admissible"], false);
    let json = &run(&["list", "puzzles", "--json"]).exits(0).json()[0];
    assert!(json.as_array().is_some_and(|families| !families.is_empty()), "{json}");
}

#[test]
fn every_listed_heuristic_and_algorithm_solves() {
    let json = &run(&["list", "solvers", "8-puzzle", "--json"]).exits(0).json()[0];
    let start = "1 2 3 4 5 6 0 7 8";
    for algorithm in json["algorithms"].as_array().expect("a list") {
        let name = algorithm["name"].as_str().expect("a name");
        let with = if name == "dfs" { "dfs:depth=5" } else { name };
        // gpu-ida needs a GPU, which a machine may lack; `gpu.rs` tests it.
        if name == "gpu-ida" {
            continue;
        }
        run(&["solve", "8-puzzle", start, "--with", with]).exits(0);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let weights = folder.path().join("weights");
    let weights = weights.to_str().expect("a name");
    run(&["train", "8-puzzle", "--budget", "1", "--width", "20", "--out", weights]).exits(0);
    let learned = format!("learned:{weights}");
    for heuristic in json["heuristics"].as_array().expect("a list") {
        let name = match heuristic["name"].as_str().expect("a name") {
            "pdb" => "pdb:4-4",
            "learned" => &learned,
            name => name,
        };
        let goal = if name.starts_with("nilsson") { "snail" } else { "blank-last" };
        let start = if goal == "snail" { "1 2 3 8 4 0 7 6 5" } else { start };
        run(&["solve", "8-puzzle", start, "--goal", goal, "--with", &format!("astar+{name}")]).exits(0);
    }
}

#[test]
fn completions_exist_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = run(&["completions", shell]).exits(0);
        // The scripts of Elvish and PowerShell hold the commands, the others call the program.
        let part = if ["elvish", "powershell"].contains(&shell) { "scramble" } else { "complete -- " };
        assert!(ran.out.contains(part), "{shell} lacks {part}: {}", ran.out);
    }
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let page = run(&["man"]).exits(0).out;
    assert!(page.contains(".TH untumble 1") && page.contains("scramble"), "{page}");
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("man1");
    run(&["man", "--out", out.to_str().expect("a path")]).exits(0);
    for name in
        ["untumble.1", "untumble-solve.1", "untumble-check.1", "untumble-tables-list.1", "untumble-man.1"]
    {
        assert!(out.join(name).is_file(), "{name} is missing");
    }
    run(&["man", "--out", "/dev/null/here"]).exits(2).stderr_contains("/dev/null/here");
}

#[test]
fn help_begins_with_a_verb_and_ends_with_examples() {
    for command in [
        "solve",
        "batch",
        "compare",
        "analyze",
        "check",
        "heuristics",
        "shorten",
        "scramble",
        "bench",
        "train",
        "list",
        "tables",
        "serve",
        "gpu",
        "completions",
        "man",
    ] {
        let help = run(&[command, "--help"]).exits(0).out;
        let verb = help.split_whitespace().next().expect("a word");
        let verbs = [
            "Solve", "Compare", "Check", "Make", "Generate", "Measure", "List", "Train", "Manage", "Serve",
            "Print",
        ];
        assert!(verbs.contains(&verb), "{command}: {verb}");
        assert!(help.contains(&format!("  untumble {command}")), "{command} shows an example");
    }
    let help = run(&["--help"]).exits(0).out;
    let first = "Solve permutation puzzles: optimally where a proof is possible, as well as the limits \
                 allow elsewhere";
    assert!(help.replace("\n", " ").starts_with(first), "{help}");
    assert_eq!(help, run(&["-h"]).exits(0).out);
    assert!(run(&["--version"]).exits(0).out.starts_with("untumble "));
}

/// The examples that need no file.
#[cfg(unix)]
#[test]
fn the_examples_of_the_help_run() {
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_untumble")).parent().expect("a folder");
    let path = std::env::var("PATH").expect("a path");
    let cache = tempfile::tempdir().expect("a folder");
    let mut texts = vec![run(&["--help"]).out, run(&["list"]).out, run(&["list", "solvers"]).out];
    texts.extend(
        ["solve", "batch", "compare", "check", "scramble", "list", "tables"]
            .map(|command| run(&[command, "--help"]).out),
    );
    texts
        .extend(["list", "verify", "remove", "build"].map(|command| run(&["tables", command, "--help"]).out));
    let texts = texts.join("\n");
    let lines = texts.lines().filter_map(|line| line.find("  untumble ").map(|at| line[at..].trim()));
    let lines: HashSet<&str> = lines.filter(|line| !line.contains("boards.txt")).collect();
    assert!(lines.len() > 10, "{lines:?}");
    for line in lines {
        let ran = std::process::Command::new("sh")
            .args(["-c", line])
            .env("UNTUMBLE_CACHE", cache.path())
            .env("PATH", format!("{}:{path}", folder.display()))
            .stdin(std::process::Stdio::null())
            .output()
            .expect("a shell");
        assert!(ran.status.success(), "{line}: {}", String::from_utf8_lossy(&ran.stderr));
    }
}
