//! `auto` against fixed solvers on 60 positions from easy to hard: sums of the times to proof, with a limit
//! counted twice (PAR2). One thread each; times are CPU times, tables are prebuilt.
//!
//! UNTUMBLE_POSITIONS limits the number of positions of each family.

use super::program::{scramble, solve};
use crate::patterns::Folder;
use crate::{TargetTable, figure};

/// The limit in seconds.
const LIMIT: f64 = 60.0;
/// The target: `auto` needs at most this many times the time of the best fixed solver of each family.
const TARGET: f64 = 1.5;

/// Positions of one puzzle and the fixed solvers that `auto` is compared with.
struct Family {
    puzzle: &'static [&'static str],
    /// The depths of the positions; 0 is a uniform position.
    depths: &'static [usize],
    solvers: &'static [&'static str],
}

const FAMILIES: [Family; 8] = [
    Family {
        puzzle: &["8-puzzle"],
        depths: &[10, 30, 0, 0, 0, 0],
        solvers: &["astar+linear-conflict", "ida+manhattan"],
    },
    Family {
        puzzle: &["15-puzzle"],
        depths: &[30, 80, 0, 0, 0, 0, 0, 0],
        solvers: &["parida+manhattan", "parida+pdb:5-5-5", "parida+pdb:6-6-3"],
    },
    Family {
        puzzle: &["24-puzzle"],
        depths: &[30, 60, 80, 100, 100, 100, 130, 160],
        solvers: &[
            "parida+manhattan",
            "parida+linear-conflict",
            "parida+pdb:5-5-5-5-4",
            "parida+pdb:6-6-6-6",
        ],
    },
    Family {
        puzzle: &["tiles-2x8"],
        depths: &[30, 0, 0, 0, 0, 0, 0, 0],
        solvers: &["parida+linear-conflict", "parida+pdb:5-5-5", "parida+pdb:6-6-3"],
    },
    Family {
        puzzle: &["tiles-3x5"],
        depths: &[30, 0, 0, 0, 0, 0, 0, 0],
        solvers: &["parida+max(walking,linear-conflict)", "parida+pdb:5-5-4", "parida+pdb:6-6-2"],
    },
    Family { puzzle: &["cube2"], depths: &[4, 8, 0, 0, 0, 0], solvers: &["table", "ida+tiny", "bibfs"] },
    Family {
        puzzle: &["cube3"],
        depths: &[6, 9, 11, 12, 13, 14, 15, 16],
        solvers: &["parida+manhattan", "optimal:table=30MB", "optimal:table=243MB"],
    },
    Family {
        puzzle: &["cube3", "--metric", "qtm"],
        depths: &[6, 9, 11, 12, 13, 14, 15, 16],
        solvers: &["parida+manhattan", "parida+max(corners,edges:6)", "parida+max(corners,edges:7)"],
    },
];

/// The solvers that build tables of `folder`: every fixed solver once, on a solved position or nearly so.
fn build_tables(binary: &str, folder: &Folder, family: &Family) {
    for with in family.solvers {
        let near = scramble(binary, &[family.puzzle, &["--depth", "2", "--seed", "1"][..]].concat());
        for position in near {
            solve(binary, &folder.0, family.puzzle, &position, &["--with", with, "--threads", "1"]);
        }
    }
}

/// The time to proof with a limit counted twice, and the part of it spent on tables.
fn par2(binary: &str, folder: &Folder, family: &Family, position: &str, with: &str) -> (f64, f64) {
    let limits = ["--with", with, "--threads", "1", "--time", &LIMIT.to_string()];
    let answer = solve(binary, &folder.0, family.puzzle, position, &limits);
    (if answer.optimal { answer.cpu } else { 2.0 * LIMIT }, answer.table_seconds)
}

/// Compares `auto` with the best fixed solver of each family.
pub(crate) fn portfolio(table: &mut TargetTable, binary: &str) {
    let most = std::env::var("UNTUMBLE_POSITIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    TargetTable::heading("Default solver and the best fixed solver, PAR2 with 60 s, CPU, one thread");
    let (mut auto_sum, mut cold_sum, mut best_sum) = (0.0, 0.0, 0.0);
    for family in &FAMILIES {
        let prebuilt = Folder::new();
        build_tables(binary, &prebuilt, family);
        let position = |(index, depth): (usize, &usize)| {
            let (depth, seed) = (depth.to_string(), (index + 1).to_string());
            let depth: &[&str] = if depth == "0" { &[] } else { &["--depth", &depth] };
            scramble(binary, &[family.puzzle, &["--seed", &seed], depth].concat())
        };
        // Every n-th position, so that a limit leaves easy and hard ones.
        let step = family.depths.len().div_ceil(most);
        let positions: Vec<String> =
            family.depths.iter().enumerate().step_by(step).flat_map(position).collect();
        let sum = |with: &str| {
            positions.iter().map(|text| par2(binary, &prebuilt, family, text, with).0).sum::<f64>()
        };
        let fixed: Vec<(f64, &str)> = family.solvers.iter().map(|&with| (sum(with), with)).collect();
        let (best, solver) = fixed.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).expect("a fixed solver");
        let auto = sum("auto");
        // With an empty cache, less the tables that it chose to build.
        let cold = |text: &String| {
            let (seconds, tables) = par2(binary, &Folder::new(), family, text, "auto");
            (seconds - tables).max(0.0)
        };
        let cold: f64 = positions.iter().map(cold).sum();
        let name = family.puzzle.join(" ");
        TargetTable::note(&format!("{name}: best is {solver}"), &figure(best, " s"));
        TargetTable::note("  auto, tables prebuilt", &figure(auto, " s"));
        TargetTable::note("  auto, empty cache, without building tables", &figure(cold, " s"));
        (auto_sum, cold_sum, best_sum) = (auto_sum + auto, cold_sum + cold, best_sum + best);
    }
    TargetTable::note("sum of the best fixed solvers", &figure(best_sum, " s"));
    table.at_most("auto / best, tables prebuilt", TARGET, auto_sum / best_sum, "×");
    table.at_most("auto / best, empty cache, without building tables", TARGET, cold_sum / best_sum, "×");
}
