//! What people get without options: the first answer, better ones, the proof, and a million boards in a row.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use super::common::{fifteen, instance};
use super::patterns::{Folder, number};
use super::{Table, figure, most_resident};
use untumble_search::frontend::PuzzleText;

/// An 8-puzzle as hard as they come.
const HARD_8: &str = "8 6 7 2 5 4 3 0 1";
const BOARDS: u64 = 1_000_000;
const BIG_BOARDS: u64 = 10;

fn run(binary: &str, folder: &Path, arguments: &[&str]) -> (Output, f64) {
    let begun = Instant::now();
    let output = Command::new(binary)
        .args(arguments)
        .env("UNTUMBLE_CACHE", folder)
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| panic!("{binary}: {error}"));
    (output, begun.elapsed().as_secs_f64())
}

/// All of it.
pub(crate) fn answers(table: &mut Table, binary: &str) {
    Table::head("Answers without options, tables not yet built");
    at_once(table, binary);
    better_and_better(table, binary);
    many(table, binary);
}

fn at_once(table: &mut Table, binary: &str) {
    let tiles = fifteen();
    let hard = tiles.text(&instance(&tiles, 88).board);
    let mut picks = Vec::new();
    for more in [&[][..], &["--memory", "20M"]] {
        let folder = Folder::new();
        let arguments = [&["solve", "15-puzzle", &hard, "--goal", "blank-first", "--json"], more].concat();
        let (output, wall) = run(binary, &folder.0, &arguments);
        let answer = String::from_utf8_lossy(&output.stdout).into_owned();
        let what = format!("Korf's instance 88 {}, wall", more.join(" "));
        let proven = number(&answer, "length") == Some(65) && answer.contains("\"optimal\":true");
        table.line(&what, "65 in ≤ 10 s", &figure(wall, " s"), proven && wall <= 10.0);
        picks.push(
            answer.split("\"solver\":\"").nth(1).and_then(|rest| rest.split('"').next()).map(str::to_owned),
        );
    }
    let shown = |pick: &Option<String>| pick.clone().unwrap_or_default();
    table.line("the pick with --memory 20M", "another", &shown(&picks[1]), picks[0] != picks[1]);
    let folder = Folder::new();
    let (_, wall) = run(binary, &folder.0, &["solve", "8-puzzle", HARD_8]);
    table.at_most("a hard 8-puzzle, wall", 0.1, wall, " s");
}

fn better_and_better(table: &mut Table, binary: &str) {
    let folder = Folder::new();
    let (mut moves, mut fewest) = (0, u64::MAX);
    for seed in 1..=BIG_BOARDS {
        let seed = seed.to_string();
        let (board, _) = run(binary, &folder.0, &["scramble", "24-puzzle", "--seed", &seed]);
        let board = String::from_utf8_lossy(&board.stdout).trim().to_owned();
        let limited = ["solve", "24-puzzle", &board, "--time", "10", "--json", "--progress", "json"];
        let (output, _) = run(binary, &folder.0, &limited);
        moves += number(&String::from_utf8_lossy(&output.stdout), "length").unwrap_or(u64::MAX >> 8);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        // The first is an answer, those after it are better ones.
        let answers = told.lines().filter(|line| line.contains("\"event\":\"better\"")).count() as u64;
        fewest = fewest.min(answers.saturating_sub(1));
    }
    table.at_most("ten 24-puzzles, 10 s each: mean moves", 140.0, moves as f64 / BIG_BOARDS as f64, "");
    table.at_least("improvements of each", 2.0, fewest as f64, "");
}

fn many(table: &mut Table, binary: &str) {
    let folder = Folder::new();
    let (boards, out) = (folder.0.join("boards"), folder.0.join("answers"));
    let (scrambled, _) =
        run(binary, &folder.0, &["scramble", "8-puzzle", "--count", &BOARDS.to_string(), "--seed", "1"]);
    fs::write(&boards, scrambled.stdout).expect("a file in a temporary folder");
    let begun = Instant::now();
    let child = Command::new(binary)
        .args(["batch", "8-puzzle"])
        .arg(&boards)
        .arg("--out")
        .arg(&out)
        .env("UNTUMBLE_CACHE", &folder.0)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("{binary}: {error}"));
    let (memory, _) = most_resident(child);
    let rate = BOARDS as f64 / begun.elapsed().as_secs_f64();
    let proven = fs::read_to_string(&out).unwrap_or_default().matches("\"optimal\":true").count() as u64;
    table.line("a million 8-puzzles, proven", &BOARDS.to_string(), &proven.to_string(), proven == BOARDS);
    table.at_least("a million 8-puzzles, wall", 300.0, rate / 1000.0, " k/s");
    table.at_most("a million 8-puzzles, memory", 150.0, memory, " MB");
}
