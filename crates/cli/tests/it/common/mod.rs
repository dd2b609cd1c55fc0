//! Helpers of the integration tests: run the program and check its output.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command as Process, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use assert_cmd::Command;
use serde_json::Value;

/// One of the two hardest positions of the 8-puzzle: 31 moves.
pub(crate) const HARDEST_8: &str = "8 6 7 2 5 4 3 0 1";
/// The 8-puzzle with two tiles swapped.
pub(crate) const UNSOLVABLE_8: &str = "1 2 3 4 5 6 8 7 0";
/// Korf's third 15-puzzle, for `--goal blank-first`: 59 moves.
pub(crate) const KORF_3: &str = "14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15";
/// Korf and Felner's first 24-puzzle, for `--goal blank-first`: 95 moves, out of
/// reach for Manhattan distance.
pub(crate) const KORF_FELNER_1: &str = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13";

/// The cache folder of the tests, separate from the user's.
pub(crate) const CACHE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/cache");

/// A command that runs the program to its end.
pub(crate) fn untumble(arguments: &[&str]) -> Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("untumble");
    command.args(arguments).env("UNTUMBLE_CACHE", CACHE);
    command
}

/// A process of the program, for tests that interact with it.
pub(crate) fn process(arguments: &[&str]) -> Process {
    let mut process = Process::new(env!("CARGO_BIN_EXE_untumble"));
    process.args(arguments).env("UNTUMBLE_CACHE", CACHE);
    process.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    process
}

/// The exit code and the output of a run.
pub(crate) struct RunOutput {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs the program to its end.
pub(crate) fn run(arguments: &[&str]) -> RunOutput {
    run_with(arguments, "")
}

/// Runs the program with a text on standard input.
pub(crate) fn run_with(arguments: &[&str], input: impl Into<Vec<u8>>) -> RunOutput {
    run_output(untumble(arguments).write_stdin(input))
}

/// Runs the program with tables in this folder.
pub(crate) fn run_in(cache: &Path, arguments: &[&str]) -> RunOutput {
    run_output(untumble(arguments).env("UNTUMBLE_CACHE", cache))
}

fn run_output(command: &mut Command) -> RunOutput {
    let output = command.output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    RunOutput { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// A test that waits longer than this for an event fails. No test measures how long an event takes.
pub(crate) const EVENT_TIMEOUT: Duration = Duration::from_secs(120);

/// Waits until `done` holds.
#[track_caller]
pub(crate) fn wait_until(event: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < EVENT_TIMEOUT, "waited too long until {event}");
        thread::sleep(Duration::from_millis(1));
    }
}

/// Sends a signal to a process.
#[cfg(unix)]
#[track_caller]
pub(crate) fn signal(child: &Child, name: &str) {
    let sent = Process::new("sh").args(["-c", &format!("kill -{name} {}", child.id())]).status();
    assert!(sent.is_ok_and(|status| status.success()), "the signal is sent");
}

/// A running program; a test waits for lines on its standard error.
pub(crate) struct Running {
    pub(crate) child: Child,
    lines: Receiver<String>,
    /// The lines received so far.
    err: String,
    out: JoinHandle<String>,
}

impl Running {
    /// Starts the program.
    pub(crate) fn start(arguments: &[&str]) -> Running {
        Running::of(process(arguments).spawn().expect("the program starts"))
    }

    /// Reads the output of a process that was started with pipes.
    pub(crate) fn of(mut child: Child) -> Running {
        let (sender, lines) = mpsc::channel();
        let errors = BufReader::new(child.stderr.take().expect("a pipe"));
        thread::spawn(move || {
            for line in errors.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let mut output = child.stdout.take().expect("a pipe");
        let out = thread::spawn(move || {
            let mut text = String::new();
            output.read_to_string(&mut text).expect("output is UTF-8");
            text
        });
        Running { child, lines, err: String::new(), out }
    }

    /// Waits for a line on standard error that contains `part`, and returns it.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, part: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(EVENT_TIMEOUT);
            let line = line.unwrap_or_else(|error| panic!("`{part}` is missing ({error}) in: {}", self.err));
            self.err.push_str(&line);
            self.err.push('\n');
            if line.contains(part) {
                return line;
            }
        }
    }

    /// Sends a signal and waits for the end.
    #[cfg(unix)]
    #[track_caller]
    pub(crate) fn end_by(self, name: &str) -> RunOutput {
        signal(&self.child, name);
        self.end()
    }

    /// Kills the program.
    pub(crate) fn kill(mut self) -> RunOutput {
        self.child.kill().expect("the process can be killed");
        self.end()
    }

    /// Waits for the end.
    pub(crate) fn end(mut self) -> RunOutput {
        let code = self.child.wait().expect("the program ends").code();
        for line in &self.lines {
            self.err.push_str(&line);
            self.err.push('\n');
        }
        RunOutput { code, out: self.out.join().expect("no panic"), err: self.err }
    }
}

impl RunOutput {
    /// Fails unless the exit code is this one.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> RunOutput {
        assert_eq!(self.code, Some(code), "stdout: {}\nstderr: {}", self.out, self.err);
        assert!(!self.err.contains("This is a bug"), "{}", self.err);
        self
    }

    /// Fails unless standard error contains `part`.
    #[track_caller]
    pub(crate) fn stderr_contains(self, part: &str) -> RunOutput {
        assert!(self.err.contains(part), "`{part}` is missing in: {}", self.err);
        self
    }

    /// The lines of JSON on standard output.
    pub(crate) fn json(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }
}
