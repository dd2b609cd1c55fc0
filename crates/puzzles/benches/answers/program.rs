//! Runs of the program on single positions, with CPU time and the fields of the answer.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::cpu_seconds;
use crate::patterns::json_number;

/// The answer to one position.
pub(super) struct Answer {
    pub(super) length: Option<u64>,
    pub(super) lower_bound: u64,
    pub(super) optimal: bool,
    /// CPU seconds of the process.
    pub(super) cpu: f64,
    /// Seconds spent on building and loading tables.
    pub(super) table_seconds: f64,
}

impl Answer {
    /// The number of moves by which the solution may exceed the optimum.
    pub(super) fn gap(&self) -> Option<u64> {
        Some(self.length? - self.lower_bound)
    }
}

/// CPU seconds of the finished child processes; wall seconds since `begin` on systems without /proc.
fn children_cpu_seconds(begin: Instant) -> f64 {
    const CHILDREN: usize = 13;
    cpu_seconds(CHILDREN).unwrap_or_else(|| begin.elapsed().as_secs_f64())
}

/// The positions of `scramble` with these arguments.
pub(super) fn scramble(binary: &str, arguments: &[&str]) -> Vec<String> {
    let output = Command::new(binary)
        .arg("scramble")
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| panic!("{binary}: {error}"));
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

/// Solves a position with its tables in `folder`. `puzzle` is the name and further arguments.
pub(super) fn solve(binary: &str, folder: &Path, puzzle: &[&str], position: &str, more: &[&str]) -> Answer {
    let begin = Instant::now();
    let before = children_cpu_seconds(begin);
    let output = Command::new(binary)
        .args(["solve", puzzle[0], position, "--json"])
        .args(&puzzle[1..])
        .args(more)
        .env("UNTUMBLE_CACHE", folder)
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| panic!("{binary}: {error}"));
    let line = String::from_utf8_lossy(&output.stdout).into_owned();
    let seconds = |name: &str| {
        let (_, rest) = line.split_once(&format!("\"{name}\":"))?;
        rest.split([',', '}']).next()?.parse().ok()
    };
    Answer {
        length: json_number(&line, "length"),
        lower_bound: json_number(&line, "lower_bound").unwrap_or(0),
        optimal: line.contains("\"optimal\":true"),
        cpu: children_cpu_seconds(begin) - before,
        table_seconds: seconds("table_seconds").unwrap_or(0.0),
    }
}
