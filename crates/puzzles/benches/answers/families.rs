//! `auto` on positions of every family within two seconds and with an empty cache: every position has a
//! solution, and positions near the goal are proven.
//!
//! UNTUMBLE_POSITIONS sets the number of positions of each family, 20 by default.

use super::program::{scramble, solve};
use crate::patterns::Folder;
use crate::{TargetTable, figure};

/// The superflip: 20 moves from solved, the maximum (Reid 1995).
const SUPERFLIP: &str = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";

/// Puzzles whose positions are drawn uniformly.
const RANDOM: [&[&str]; 17] = [
    &["8-puzzle"],
    &["15-puzzle"],
    &["24-puzzle"],
    &["tiles-2x8"],
    &["tiles-3x5"],
    &["tiles-4x5"],
    &["tiles-6x6"],
    &["tiles-8x8"],
    &["tiles-12x12"],
    &["tiles-20x20"],
    &["cube2"],
    &["cube3"],
    &["cube3", "--metric", "qtm"],
    &["balto-3"],
    &["balto-5"],
    &["balto-8"],
    &["balto-12"],
];

/// Puzzles of which positions up to ten moves from the goal are proven.
const NEAR: [&[&str]; 11] = [
    &["8-puzzle"],
    &["15-puzzle"],
    &["24-puzzle"],
    &["tiles-2x8"],
    &["tiles-4x5"],
    &["tiles-6x6"],
    &["tiles-12x12"],
    &["tiles-20x20"],
    &["cube2"],
    &["cube3"],
    &["cube3", "--metric", "qtm"],
];
const NEAR_MOVES: usize = 10;

/// Solutions, proofs and gaps of a family.
struct Family {
    positions: usize,
    solved: usize,
    proven: usize,
    gap: u64,
    bound: u64,
}

impl Family {
    fn measure(binary: &str, puzzle: &[&str], positions: &[String]) -> Family {
        let mut family = Family { positions: positions.len(), solved: 0, proven: 0, gap: 0, bound: 0 };
        for position in positions {
            let folder = Folder::new();
            let answer = solve(binary, &folder.0, puzzle, position, &["--time", "2"]);
            family.solved += usize::from(answer.length.is_some());
            family.proven += usize::from(answer.optimal);
            family.gap += answer.gap().unwrap_or(0);
            family.bound += answer.lower_bound;
        }
        family
    }

    /// Prints solutions, share of proofs and mean gap to the lower bound.
    fn print(&self, table: &mut TargetTable, name: &str, all_proven: bool) {
        let Family { positions, solved, proven, gap, bound } = *self;
        let mean = figure(gap as f64 / positions.max(1) as f64, "");
        let percent = |part: u64, whole: u64| format!("{:.0} %", 100.0 * part as f64 / whole.max(1) as f64);
        let share = percent(proven as u64, positions as u64);
        let name = format!("{name}: proven {share}, mean gap {mean} ({})", percent(gap, bound));
        let (target, measured) = (format!("{positions} solved"), format!("{solved}"));
        let ok = solved == positions && (!all_proven || proven == positions);
        table.check(&name, &target, &measured, ok);
    }
}

/// Prints all families.
pub(super) fn families(table: &mut TargetTable, binary: &str) {
    let count = std::env::var("UNTUMBLE_POSITIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(20);
    TargetTable::heading("Default solver, --time 2, tables not yet built, random positions");
    let number = count.to_string();
    for puzzle in RANDOM {
        let positions = scramble(binary, &[puzzle, &["--count", &number, "--seed", "1"][..]].concat());
        Family::measure(binary, puzzle, &positions).print(table, &puzzle.join(" "), false);
    }
    Family::measure(binary, &["cube3"], &[SUPERFLIP.to_owned()]).print(table, "superflip", false);
    TargetTable::heading(&format!(
        "Default solver, --time 2, up to {NEAR_MOVES} moves from solved: all proven"
    ));
    for puzzle in NEAR {
        let walk = |depth: usize| {
            let (depth, seed) = (depth.to_string(), (depth + 1).to_string());
            scramble(binary, &[puzzle, &["--depth", &depth, "--seed", &seed][..]].concat())
        };
        let positions: Vec<String> = (1..=NEAR_MOVES).flat_map(walk).collect();
        Family::measure(binary, puzzle, &positions).print(table, &puzzle.join(" "), true);
    }
}
