//! What the whole-program tests share.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::path::Path;
use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::Command;
use serde_json::Value;

/// One of the two hardest positions of the 8-puzzle: 31 moves.
pub(crate) const HARDEST_8: &str = "8 6 7 2 5 4 3 0 1";
/// The 8-puzzle with two tiles swapped.
pub(crate) const SWAPPED_8: &str = "1 2 3 4 5 6 8 7 0";
/// Korf's third 15-puzzle, for `--goal blank-first`: 59 moves.
pub(crate) const KORF_3: &str = "14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15";
/// Korf and Felner's first 24-puzzle, for `--goal blank-first`: 95 moves, out of
/// reach for Manhattan distance.
pub(crate) const KORF_FELNER_1: &str = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13";

/// Where the tests keep tables: not where the user does.
pub(crate) const CACHE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/cache");

/// The program.
pub(crate) fn untumble(arguments: &[&str]) -> Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("untumble");
    command.args(arguments).env("UNTUMBLE_CACHE", CACHE);
    command
}

/// The same for tests that watch it run.
pub(crate) fn process(arguments: &[&str]) -> Process {
    let mut process = Process::new(env!("CARGO_BIN_EXE_untumble"));
    process.args(arguments).env("UNTUMBLE_CACHE", CACHE);
    process.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    process
}

/// What a run left behind.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) took: Duration,
}

/// Runs the program to its end.
pub(crate) fn run(arguments: &[&str]) -> Ran {
    run_with(arguments, "")
}

/// Runs the program on a text on standard input.
pub(crate) fn run_with(arguments: &[&str], input: impl Into<Vec<u8>>) -> Ran {
    ran(untumble(arguments).write_stdin(input))
}

/// Runs the program with tables in this folder.
pub(crate) fn run_in(cache: &Path, arguments: &[&str]) -> Ran {
    ran(untumble(arguments).env("UNTUMBLE_CACHE", cache))
}

fn ran(command: &mut Command) -> Ran {
    let begun = Instant::now();
    let output = command.output().expect("the program starts");
    let took = begun.elapsed();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr), took }
}

/// What the first of three attempts came to that was no longer under way than this. A busy machine may be late once or
/// twice; a program that is slow is late every time.
#[track_caller]
pub(crate) fn soon<T>(limit: Duration, mut attempt: impl FnMut() -> (T, Duration)) -> T {
    let mut late = Vec::new();
    for _ in 0..3 {
        let (came, took) = attempt();
        if took <= limit {
            return came;
        }
        late.push(took);
    }
    panic!("it has to be done within {limit:?}, and took {late:?}");
}

impl Ran {
    /// Itself and how long it took, for [`soon`].
    pub(crate) fn timed(self) -> (Ran, Duration) {
        let took = self.took;
        (self, took)
    }

    /// Fails unless the exit code is this one.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Ran {
        assert_eq!(self.code, Some(code), "stdout: {}\nstderr: {}", self.out, self.err);
        assert!(!self.err.contains("This is a bug"), "{}", self.err);
        self
    }

    /// Fails unless standard error holds this.
    #[track_caller]
    pub(crate) fn says(self, part: &str) -> Ran {
        assert!(self.err.contains(part), "`{part}` is missing in: {}", self.err);
        self
    }

    /// The lines of JSON on standard output.
    pub(crate) fn json(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }
}
