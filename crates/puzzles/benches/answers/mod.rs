//! Targets of `auto`, the default solver: first solution, improvements, optimality proof and batch
//! throughput.

mod families;
mod portfolio;
mod program;

pub(crate) use portfolio::portfolio;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use super::common::{fifteen, instance};
use super::limits::peak_resident;
use super::patterns::{Folder, json_number};
use super::{TargetTable, figure};
use untumble_search::frontend::PuzzleText;

/// One of the two positions of the 8-puzzle that need 31 moves, the maximum.
const HARD_8: &str = "8 6 7 2 5 4 3 0 1";
/// The number of 8-puzzles of the batch.
const BOARDS: u64 = 1_000_000;
/// The number of 24-puzzles.
const BIG_BOARDS: u64 = 10;

/// Runs the program with its tables in `folder`; returns its output and wall seconds.
fn run(binary: &str, folder: &Path, arguments: &[&str]) -> (Output, f64) {
    let begin = Instant::now();
    let output = Command::new(binary)
        .args(arguments)
        .env("UNTUMBLE_CACHE", folder)
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| panic!("{binary}: {error}"));
    (output, begin.elapsed().as_secs_f64())
}

/// Measures all targets of the default solver.
pub(crate) fn answers(table: &mut TargetTable, binary: &str) {
    TargetTable::heading("Default solver, tables not yet built");
    time_to_proof(table, binary);
    improvements(table, binary);
    batch_throughput(table, binary);
    families::families(table, binary);
}

fn time_to_proof(table: &mut TargetTable, binary: &str) {
    let tiles = fifteen();
    let hard = tiles.text(&instance(&tiles, 88).board);
    let mut solvers = Vec::new();
    for options in [&[][..], &["--memory", "20M"]] {
        let folder = Folder::new();
        let arguments = [&["solve", "15-puzzle", &hard, "--goal", "blank-first", "--json"], options].concat();
        let (output, wall) = run(binary, &folder.0, &arguments);
        let answer = String::from_utf8_lossy(&output.stdout).into_owned();
        let name = format!("Korf's instance 88 {}, wall", options.join(" "));
        let optimal = json_number(&answer, "length") == Some(65) && answer.contains("\"optimal\":true");
        table.check(&name, "65 in ≤ 10 s", &figure(wall, " s"), optimal && wall <= 10.0);
        solvers.push(
            answer.split("\"solver\":\"").nth(1).and_then(|rest| rest.split('"').next()).map(str::to_owned),
        );
    }
    let limited = solvers[1].clone().unwrap_or_default();
    // The database 6-6-3 and its build do not fit.
    table.check("solver with --memory 20M", "not pdb:6-6-3", &limited, !limited.contains("6-6-3"));
    let folder = Folder::new();
    let (_, wall) = run(binary, &folder.0, &["solve", "8-puzzle", HARD_8]);
    table.at_most("a hard 8-puzzle, wall", 0.1, wall, " s");
}

/// Counts how often the solver improves its first solution of a 24-puzzle within ten seconds.
fn improvements(table: &mut TargetTable, binary: &str) {
    let folder = Folder::new();
    let (mut moves, mut min_improvements) = (0, u64::MAX);
    for seed in 1..=BIG_BOARDS {
        let seed = seed.to_string();
        let (board, _) = run(binary, &folder.0, &["scramble", "24-puzzle", "--seed", &seed]);
        let board = String::from_utf8_lossy(&board.stdout).trim().to_owned();
        let limited = ["solve", "24-puzzle", &board, "--time", "10", "--json", "--progress", "json"];
        let (output, _) = run(binary, &folder.0, &limited);
        moves += json_number(&String::from_utf8_lossy(&output.stdout), "length").unwrap_or(u64::MAX >> 8);
        let progress = String::from_utf8_lossy(&output.stderr).into_owned();
        // The first event is the first solution, each further one an improvement.
        let solutions = progress.lines().filter(|line| line.contains("\"event\":\"better\"")).count() as u64;
        min_improvements = min_improvements.min(solutions.saturating_sub(1));
    }
    table.at_most("ten 24-puzzles, 10 s each: mean moves", 140.0, moves as f64 / BIG_BOARDS as f64, "");
    table.at_least("improvements per board, minimum", 2.0, min_improvements as f64, "");
}

fn batch_throughput(table: &mut TargetTable, binary: &str) {
    let folder = Folder::new();
    let (boards, out) = (folder.0.join("boards"), folder.0.join("answers"));
    let (scrambled, _) =
        run(binary, &folder.0, &["scramble", "8-puzzle", "--count", &BOARDS.to_string(), "--seed", "1"]);
    fs::write(&boards, scrambled.stdout).expect("a file in a temporary folder");
    let begin = Instant::now();
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
    let (memory, _) = peak_resident(child);
    let rate = BOARDS as f64 / begin.elapsed().as_secs_f64();
    let optimal = fs::read_to_string(&out).unwrap_or_default().matches("\"optimal\":true").count() as u64;
    table.check("a million 8-puzzles, optimal", &BOARDS.to_string(), &optimal.to_string(), optimal == BOARDS);
    table.at_least("a million 8-puzzles, wall", 300.0, rate / 1000.0, " k/s");
    table.at_most("a million 8-puzzles, memory", 150.0, memory, " MB");
}
