//! Folders of `analyze`: after kills, damage and second processes, an experiment that ends has the results
//! of one run; every saved row is kept as measured, no changed row is used, a refused folder stays as it is.

use std::fs;
use std::path::PathBuf;
use std::process::Child;
use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::Value;
use tempfile::TempDir;

use super::damage::Damage;
use super::{Counts, check_sequences};
use crate::common::{RunOutput, process, run, wait_until};

static COUNTS: Counts = Counts::of("analyze");

/// The number of sequences by default: each ends with a report, which takes a second.
const SEQUENCES: u32 = 4;
/// Two experiments with different solvers.
const SETUPS: [&[&str]; 2] = [
    &["--with", "ida+manhattan", "--with", "bfs"],
    &["--with", "ida+manhattan", "--with", "astar+manhattan"],
];
/// The number of rows of an experiment: twelve positions, two solvers.
const ROWS: usize = 24;

/// The rows of uninterrupted runs, sorted.
static WHOLE: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    let rows = |setup| {
        let mut system = System::new();
        system.run(setup, Mode::New).exits(0);
        system.saved = Saved::Finished(setup);
        system.rows().iter().map(|row| untimed(row)).collect()
    };
    (0..SETUPS.len()).map(rows).collect()
});

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    New,
    Resume,
    Force,
}

#[derive(Clone, Debug)]
enum Operation {
    /// Kills a run after it has saved this many more rows.
    Kill { setup: usize, mode: Mode, rows: usize },
    /// Runs to the end.
    Run { setup: usize, mode: Mode },
    /// Changes the file of rows.
    Damage(Damage),
    /// Replaces a text in the file of rows.
    Replace(&'static str, &'static str),
    /// A second process while the first one measures; the first is killed.
    Second { setup: usize, mode: Mode },
}

fn operation() -> impl Strategy<Value = Operation> {
    let setup = prop_oneof![5 => Just(0usize), 1 => Just(1)];
    let mode = prop_oneof![1 => Just(Mode::New), 8 => Just(Mode::Resume), 1 => Just(Mode::Force)];
    let replaced = prop_oneof![
        Just(("\"length\":2", "\"length\":1")),
        Just(("\"seconds\":0.", "\"seconds\":1.")),
        Just(("\"generated\":", "\"generated\":1")),
        Just(("solved", "stopped")),
    ];
    prop_oneof![
        8 => (setup.clone(), mode.clone(), 0..ROWS)
            .prop_map(|(setup, mode, rows)| Operation::Kill { setup, mode, rows }),
        1 => (setup.clone(), mode.clone()).prop_map(|(setup, mode)| Operation::Run { setup, mode }),
        1 => Damage::any().prop_map(Operation::Damage),
        1 => replaced.prop_map(|(old, new)| Operation::Replace(old, new)),
        2 => (setup, mode).prop_map(|(setup, mode)| Operation::Second { setup, mode }),
    ]
}

/// The folder as it should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Saved {
    /// No results.
    Empty,
    /// Rows of this experiment, perhaps with an incomplete last one.
    Rows(usize),
    /// A changed file of rows.
    Damaged,
    /// The results of this experiment.
    Finished(usize),
    /// A process was killed while it wrote the results: rows of this experiment, and some result files.
    Publishing(usize),
}

struct System {
    dir: TempDir,
    saved: Saved,
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n")).collect()
}

/// A row of `results.csv` without wall time, memory and CPU time.
fn untimed(row: &str) -> String {
    let fields = row.split(',').enumerate().filter(|(index, _)| ![16, 17, 19].contains(index));
    fields.map(|(_, field)| field).collect::<Vec<_>>().join(",")
}

impl System {
    fn new() -> System {
        System { dir: tempfile::tempdir().expect("a folder"), saved: Saved::Empty }
    }

    fn out(&self) -> PathBuf {
        self.dir.path().join("study")
    }

    fn partial(&self) -> Vec<u8> {
        fs::read(self.out().join("results.partial")).unwrap_or_default()
    }

    /// The rows of the results.
    fn rows(&self) -> Vec<String> {
        let text = fs::read_to_string(self.out().join("results.csv")).expect("rows");
        assert_eq!(text.split(',').nth(16), Some("seconds"), "{text}");
        let mut rows: Vec<String> = text.lines().skip(1).map(str::to_owned).collect();
        rows.sort();
        rows
    }

    fn arguments(&self, setup: usize, mode: Mode) -> Vec<String> {
        let fixed = ["analyze", "8-puzzle", "--count=12", "--threads=1", "--progress=none", "--out"];
        let mut arguments: Vec<String> = fixed.map(str::to_owned).to_vec();
        arguments.push(self.out().to_str().expect("a path").to_owned());
        let flag: &[&str] = match mode {
            Mode::New => &[],
            Mode::Resume => &["--resume"],
            Mode::Force => &["--force"],
        };
        arguments.extend(SETUPS[setup].iter().chain(flag).map(|&word| word.to_owned()));
        arguments
    }

    fn run(&self, setup: usize, mode: Mode) -> RunOutput {
        run(&self.arguments(setup, mode).iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn start(&self, setup: usize, mode: Mode, rows: usize) -> Child {
        let before = if mode == Mode::Force { 0 } else { lines(&self.partial()).len() };
        let arguments = self.arguments(setup, mode);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut child = process(&arguments).spawn().expect("the program starts");
        wait_until("rows are saved", || {
            child.try_wait().expect("a status").is_some() || lines(&self.partial()).len() >= before + rows
        });
        child
    }

    /// Whether a run must be refused; `None` if it may be refused or not.
    fn refuses(&self, setup: usize, mode: Mode) -> Option<bool> {
        match (self.saved, mode) {
            (_, Mode::Force) | (Saved::Empty, _) => Some(false),
            (_, Mode::New) => Some(true),
            (Saved::Rows(other) | Saved::Finished(other) | Saved::Publishing(other), Mode::Resume) => {
                Some(other != setup)
            }
            (Saved::Damaged, Mode::Resume) => None,
        }
    }

    fn assert_refused(&self, ran: &RunOutput, before: &[u8]) {
        assert_eq!(ran.code, Some(2), "{:?}: {}", self.saved, ran.err);
        assert_eq!(self.partial(), before, "{:?}: the rows of a refused folder stay", self.saved);
    }

    /// Checks a run that was not killed.
    fn assert_ended(&mut self, ran: &RunOutput, setup: usize, mode: Mode, before: &[u8]) {
        let refuses = self.refuses(setup, mode);
        if refuses == Some(true) || (refuses.is_none() && ran.code == Some(2)) {
            return self.assert_refused(ran, before);
        }
        assert_eq!(ran.code, Some(0), "{:?}: {}", self.saved, ran.err);
        assert!(self.partial().is_empty(), "the file of rows is removed");
        let rows = self.rows();
        let figures: Vec<String> = rows.iter().map(|row| untimed(row)).collect();
        assert_eq!(figures, WHOLE[setup], "the results are those of one run");
        if mode == Mode::Resume && matches!(self.saved, Saved::Rows(_) | Saved::Publishing(_)) {
            for line in lines(before).iter().skip(1) {
                let saved: Value = serde_json::from_slice(line).expect("a row");
                let start = format!("{},{},", saved["position"], saved["start"].as_str().expect("a start"));
                let time = format!(",{:.9},", saved["seconds"].as_f64().expect("seconds"));
                let kept = rows.iter().any(|row| row.starts_with(&start) && row.contains(&time));
                assert!(kept, "a saved row is not measured again: {saved}");
            }
        }
        self.saved = Saved::Finished(setup);
    }

    fn kill(&mut self, setup: usize, mode: Mode, rows: usize) {
        let before = self.partial();
        let child = self.start(setup, mode, rows);
        self.end_by_kill(child, setup, mode, &before);
    }

    fn end_by_kill(&mut self, mut child: Child, setup: usize, mode: Mode, before: &[u8]) {
        child.kill().expect("the process can be killed");
        let output = child.wait_with_output().expect("the program ends");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        if !COUNTS.add_kill(output.status) {
            let (out, err) = (text(output.stdout), text(output.stderr));
            let ran = RunOutput { code: output.status.code(), out, err };
            return self.assert_ended(&ran, setup, mode, before);
        }
        let after = self.partial();
        let refuses = self.refuses(setup, mode);
        if after == before {
            // Killed before it wrote anything, or refused.
            return;
        }
        assert_ne!(refuses, Some(true), "the rows of a refused folder stay");
        if mode == Mode::Resume {
            if after.is_empty() {
                // Killed after the last result was written.
                self.saved = Saved::Finished(setup);
                return;
            }
            assert!(lines(&after).starts_with(&lines(before)), "saved rows are kept");
        }
        let published = self.out().join("report.html").exists();
        self.saved = match (published, after.is_empty()) {
            (true, true) => Saved::Finished(setup),
            (true, false) => Saved::Publishing(setup),
            (false, true) => Saved::Empty,
            (false, false) => Saved::Rows(setup),
        };
    }

    fn second(&mut self, setup: usize, mode: Mode) {
        let before = self.partial();
        let mut child = self.start(setup, Mode::Resume, 2);
        let running = child.try_wait().expect("a status").is_none() && self.partial() != before;
        if running {
            let held = self.partial();
            let ran = self.run(setup, mode);
            // The first may have ended in between; then the second finds the results or starts anew.
            if child.try_wait().expect("a status").is_none() {
                assert_eq!(ran.code, Some(2), "{}", ran.err);
                let after = self.partial();
                assert!(after.is_empty() || after.starts_with(&held), "the second changes nothing");
            } else if ran.code == Some(0) {
                self.saved = Saved::Finished(setup);
                let _ = child.wait_with_output();
                return;
            }
        }
        self.end_by_kill(child, setup, Mode::Resume, &before);
    }

    /// Changes the file of rows, if there is one.
    fn change(&mut self, change: impl Fn(&[u8]) -> Vec<u8>, truncates: bool) {
        let (before, path) = (self.partial(), self.out().join("results.partial"));
        let changed = change(&before);
        if before.is_empty() || changed == before || !matches!(self.saved, Saved::Rows(_)) {
            return;
        }
        fs::write(path, &changed).expect("a writable file");
        self.saved = match self.saved {
            // A folder with an empty file of rows has no results.
            Saved::Rows(_) if changed.is_empty() => Saved::Empty,
            // A killed run could have left the beginning of the file, but a run with another setup may
            // replace an incomplete first line.
            Saved::Rows(setup) if truncates && !lines(&changed).is_empty() => Saved::Rows(setup),
            _ => Saved::Damaged,
        };
    }

    fn apply(&mut self, operation: &Operation) {
        match operation {
            Operation::Kill { setup, mode, rows } => self.kill(*setup, *mode, *rows),
            Operation::Run { setup, mode } => {
                let before = self.partial();
                let ran = self.run(*setup, *mode);
                self.assert_ended(&ran, *setup, *mode, &before);
            }
            Operation::Damage(damage) => {
                self.change(|bytes| damage.of(bytes), matches!(damage, Damage::Truncate { .. }));
            }
            Operation::Replace(old, new) => self.change(
                |bytes| {
                    // The setup in the first line stays.
                    let text = String::from_utf8_lossy(bytes);
                    let (setup, rows) = text.split_once('\n').unwrap_or((&text, ""));
                    format!("{setup}\n{}", rows.replacen(old, new, 1)).into_bytes()
                },
                false,
            ),
            Operation::Second { setup, mode } => self.second(*setup, *mode),
        }
    }
}

#[test]
fn experiments_follow_the_model() {
    check_sequences(&COUNTS, SEQUENCES, operation(), 2..7, |operations| {
        let mut system = System::new();
        operations.iter().for_each(|operation| system.apply(operation));
        // Every sequence ends with results: resumed if possible, otherwise anew.
        let setup = match system.saved {
            Saved::Rows(setup) | Saved::Finished(setup) | Saved::Publishing(setup) => setup,
            _ => 0,
        };
        system.apply(&Operation::Run { setup, mode: Mode::Resume });
        if system.saved == Saved::Damaged {
            system.apply(&Operation::Run { setup, mode: Mode::Force });
        }
    });
}
