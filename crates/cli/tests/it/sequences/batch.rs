//! Batches: after kills, damage and second writers, a batch that ends has the answers of one run; no written
//! answer is lost, no changed answer is kept, and a refused file stays as it is.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::Value;
use tempfile::TempDir;

use super::damage::Damage;
use super::{Counts, SEQUENCES, check_sequences};
use crate::common::{RunOutput, UNSOLVABLE_8, process, run, run_with, wait_until};

static COUNTS: Counts = Counts::of("batch");

/// The options of the runs. The first has the answers that the others must not be mixed with.
const OPTIONS: [&[&str]; 6] = [
    &["--with", "ida+manhattan"],
    &["--with", "astar+manhattan"],
    &["--with", "ida+manhattan", "--nodes", "300"],
    &["--with", "ida+manhattan", "--all"],
    &["--with", "ida+manhattan", "--goal", "snail"],
    &["--with", "ida+manhattan", "--format", "csv"],
];
/// The index of the options with CSV.
const CSV: usize = 5;
const POSITIONS: usize = 24;

/// The lines of the input: solvable boards, an unsolvable one and a text that is no board.
static INPUT: LazyLock<Vec<String>> = LazyLock::new(|| {
    let count = (POSITIONS - 2).to_string();
    let boards = run(&["scramble", "8-puzzle", "--count", &count, "--seed", "5"]).exits(0).out;
    let mut lines: Vec<String> = boards.lines().map(str::to_owned).collect();
    lines.insert(7, UNSOLVABLE_8.to_owned());
    lines.insert(13, "nonsense, \"quoted\"".to_owned());
    lines
});

/// The exit code and the answers of uninterrupted runs.
static WHOLE: LazyLock<Vec<(Option<i32>, Vec<String>)>> = LazyLock::new(|| {
    let whole = |(index, options): (usize, &&[&str])| {
        let ran = run_with(&[&["batch", "8-puzzle", "-"], *options].concat(), INPUT.join("\n"));
        let answers: Vec<String> = ran.out.lines().map(|line| untimed(line, index)).collect();
        assert_eq!(answers.len(), POSITIONS + usize::from(index == CSV), "{}", ran.err);
        (ran.code, answers)
    };
    OPTIONS.iter().enumerate().map(whole).collect()
});

/// The columns of CSV with timings.
static TIMED: LazyLock<Vec<usize>> = LazyLock::new(|| {
    let header = run_with(&[&["batch", "8-puzzle", "-"], OPTIONS[CSV]].concat(), "").exits(0).out;
    let columns = header.trim_end().split(',').enumerate();
    columns.filter(|(_, name)| ["seconds", "table_seconds"].contains(name)).map(|(index, _)| index).collect()
});

/// An answer without timings and checksum.
fn untimed(line: &str, options: usize) -> String {
    if options == CSV {
        // Only the answer to the invalid text has quotes; it has no timings before its checksum.
        let fields = line.split(',').enumerate();
        let last = line.split(',').count() - 1;
        let quoted = line.contains('"');
        let kept = fields.filter(|(index, _)| *index != last && (quoted || !TIMED.contains(index)));
        return kept.map(|(_, field)| field).collect::<Vec<_>>().join(",");
    }
    let mut answer: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}"));
    for key in ["seconds", "table_seconds", "checksum"] {
        answer.as_object_mut().expect("an object").remove(key);
    }
    answer.to_string()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    New,
    Resume,
    Force,
}

impl Mode {
    fn flag(self) -> &'static [&'static str] {
        match self {
            Mode::New => &[],
            Mode::Resume => &["--resume"],
            Mode::Force => &["--force"],
        }
    }
}

/// A change of the lines of a file. Lines are numbered modulo their number.
#[derive(Clone, Debug)]
enum Edit {
    Swap(usize, usize),
    Repeat(usize),
    Drop(usize),
    /// Replaces a text in a line by another one.
    Replace(usize, &'static str, &'static str),
}

#[derive(Clone, Debug)]
enum Operation {
    /// Runs to the end.
    Run {
        options: usize,
        mode: Mode,
    },
    /// Kills a run after it has written `answers` more answers; `ahead` more positions have been sent.
    Kill {
        options: usize,
        mode: Mode,
        answers: usize,
        ahead: usize,
    },
    Damage(Damage),
    Edit(Edit),
    /// A resumed batch refuses a file in which one digit of a line was changed; then the file is restored.
    ChangeDigit {
        line: usize,
        digit: usize,
    },
    /// A second batch while the first has written some answers; the first then runs to its end.
    Second {
        options: usize,
        answers: usize,
        mode: Mode,
    },
}

fn operation() -> impl Strategy<Value = Operation> {
    let options = prop_oneof![10 => Just(0usize), 4 => 1..CSV, 3 => Just(CSV)];
    let mode = prop_oneof![1 => Just(Mode::New), 8 => Just(Mode::Resume), 1 => Just(Mode::Force)];
    let line = 0..POSITIONS;
    let replaced = prop_oneof![
        Just(("\"length\":2", "\"length\":1")),
        Just(("\"optimal\":true", "\"optimal\":false")),
        Just(("\"lower_bound\":2", "\"lower_bound\":1")),
        Just(("\"generated\":", "\"generated\":1")),
        Just(("\"seconds\":0.", "\"seconds\":1.")),
        Just(("solved", "stopped")),
        Just((" U ", " D ")),
        Just(("ida+manhattan", "astar+manhattan")),
        Just(("tiles-3x3 ", "tiles-3x4 ")),
        Just((",\"checksum\":\"", ",\"checksum\":\"0")),
        Just((",true,", ",false,")),
    ];
    let edit = prop_oneof![
        (line.clone(), line.clone()).prop_map(|(a, b)| Edit::Swap(a, b)),
        line.clone().prop_map(Edit::Repeat),
        line.clone().prop_map(Edit::Drop),
        (line, replaced).prop_map(|(line, (old, new))| Edit::Replace(line, old, new)),
    ];
    let digit = (0..POSITIONS, 0..100usize);
    let kill = (options.clone(), mode.clone(), 0..POSITIONS, 0..6usize);
    prop_oneof![
        2 => (options.clone(), mode.clone()).prop_map(|(options, mode)| Operation::Run { options, mode }),
        5 => kill.prop_map(|(options, mode, answers, ahead)| {
            Operation::Kill { options, mode, answers, ahead }
        }),
        3 => Damage::any().prop_map(Operation::Damage),
        3 => edit.prop_map(Operation::Edit),
        3 => digit.prop_map(|(line, digit)| Operation::ChangeDigit { line, digit }),
        1 => (options, 0..POSITIONS, mode)
            .prop_map(|(options, answers, mode)| Operation::Second { options, answers, mode }),
    ]
}

/// The file of answers as it should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answers {
    Absent,
    /// The beginning of the answers with these options, perhaps with an incomplete last line.
    Of(usize),
    /// Something else.
    Damaged,
}

struct System {
    dir: TempDir,
    answers: Answers,
    /// All lines that the program has written to the file.
    written: HashSet<Vec<u8>>,
}

/// The complete lines of a file.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n")).collect()
}

impl System {
    fn new() -> System {
        let dir = tempfile::tempdir().expect("a folder");
        System { dir, answers: Answers::Absent, written: HashSet::new() }
    }

    fn out(&self) -> PathBuf {
        self.dir.path().join("out")
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(self.out()).unwrap_or_default()
    }

    fn arguments(&self, options: usize, mode: Mode) -> Vec<String> {
        let fixed = ["batch", "8-puzzle", "-", "--threads", "2", "--progress", "none", "--out"];
        let mut arguments: Vec<String> = fixed.map(str::to_owned).to_vec();
        arguments.push(self.out().to_str().expect("a path").to_owned());
        arguments.extend(OPTIONS[options].iter().chain(mode.flag()).map(|&word| word.to_owned()));
        arguments
    }

    /// Runs a batch over the whole input.
    fn run(&self, options: usize, mode: Mode) -> RunOutput {
        let arguments = self.arguments(options, mode);
        run_with(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), INPUT.join("\n"))
    }

    /// Whether a run must be refused; `None` if it may be refused or not, but must not keep wrong answers.
    fn refuses(&self, options: usize, mode: Mode) -> Option<bool> {
        match (mode, self.answers) {
            (Mode::Force, _) | (_, Answers::Absent) => Some(false),
            (Mode::New, _) => Some(true),
            (Mode::Resume, Answers::Of(earlier)) if earlier == options => Some(false),
            // Without a complete answer, a file may belong to any run.
            (Mode::Resume, Answers::Of(_)) if !lines(&self.bytes()).is_empty() => Some(true),
            (Mode::Resume, _) => None,
        }
    }

    /// Checks that a run was refused with a reason and changed nothing.
    fn assert_refused(&self, ran: &RunOutput, before: &[u8]) {
        assert_eq!(ran.code, Some(2), "{:?}: {}", self.answers, ran.err);
        assert!(ran.err.contains("cannot resume: ") || ran.err.contains(" exists; "), "{}", ran.err);
        assert_eq!(self.bytes(), before, "a refused file is unchanged");
    }

    /// Checks the file after a run that was not refused. `finished`: it holds all answers.
    fn assert_answers(&mut self, options: usize, mode: Mode, before: &[u8], finished: bool) {
        let after = self.bytes();
        let whole = &WHOLE[options].1;
        let text = |line: &&[u8]| String::from_utf8(line.to_vec()).expect("UTF-8");
        let answers: Vec<String> =
            lines(&after).iter().map(|line| untimed(text(line).trim_end(), options)).collect();
        assert!(whole.starts_with(&answers), "answers {answers:#?}\nare not the first of {whole:#?}");
        assert!(!finished || answers.len() == whole.len(), "{} answers", answers.len());
        assert!(!finished || after.ends_with(b"\n"), "the last line is complete");
        if mode == Mode::Resume {
            let (before, after) = (lines(before), lines(&after));
            assert!(after.starts_with(&before), "answers in the file are kept");
            for line in before {
                assert!(self.written.contains(line), "a changed line is kept: {:?}", text(&line));
            }
        }
        self.written.extend(lines(&after).into_iter().map(<[u8]>::to_vec));
        self.answers = Answers::Of(options);
    }

    /// Starts a batch and sends positions until the file has `answers` more complete lines. Returns the
    /// number of positions sent, or nothing if the process ended before.
    fn start(&self, options: usize, mode: Mode, answers: usize) -> (Child, ChildStdin, usize) {
        let before = if mode == Mode::Force { 0 } else { lines(&self.bytes()).len() };
        let arguments = self.arguments(options, mode);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut child = process(&arguments).stdin(Stdio::piped()).spawn().expect("the program starts");
        let mut input = child.stdin.take().expect("a pipe");
        let header = usize::from(options == CSV);
        let target = (before + answers).min(POSITIONS + header);
        // The last line of a text is a position only once the line after it, or the end, is known.
        let sent = (target + 1).min(POSITIONS);
        send(&mut input, 0, sent);
        wait_until("answers are written", || {
            child.try_wait().expect("a status").is_some() || lines(&self.bytes()).len() >= target.min(sent)
        });
        (child, input, sent)
    }

    fn kill(&mut self, options: usize, mode: Mode, answers: usize, ahead: usize) {
        let before = self.bytes();
        let refuses = self.refuses(options, mode);
        let (mut child, mut input, sent) = self.start(options, mode, answers);
        send(&mut input, sent, (sent + ahead).min(POSITIONS));
        child.kill().expect("the process can be killed");
        let output = child.wait_with_output().expect("the program ends");
        let killed = COUNTS.add_kill(output.status);
        drop(input);
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        let ran =
            RunOutput { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
        if !killed {
            assert_ne!(refuses, Some(false), "the input has not ended: {}", ran.err);
            return self.assert_refused(&ran, &before);
        }
        // The process may have been killed before it looked at the file.
        if self.bytes() != before {
            assert_ne!(refuses, Some(true), "a refused file is unchanged");
            self.assert_answers(options, mode, &before, false);
        } else if self.answers == Answers::Absent && self.out().exists() {
            self.answers = Answers::Of(options);
        }
    }

    fn second(&mut self, options: usize, answers: usize, mode: Mode) {
        let before = self.bytes();
        let (mut child, mut input, sent) = self.start(options, Mode::Resume, answers);
        let running = child.try_wait().expect("a status").is_none();
        if running && self.refuses(options, Mode::Resume) == Some(false) {
            // The first has locked the file, as soon as it has written or removed something.
            let locked = self.bytes() != before;
            let held = self.bytes();
            if locked && mode != Mode::New {
                let ran = self.run(options, mode);
                assert_eq!(ran.code, Some(2), "{}", ran.err);
                assert!(ran.err.contains("another batch is writing to"), "{}", ran.err);
                assert!(self.bytes().starts_with(&held), "the second writes nothing");
            }
        }
        send(&mut input, sent, POSITIONS);
        drop(input);
        let output = child.wait_with_output().expect("the program ends");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        let ran =
            RunOutput { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
        self.assert_ended(&ran, options, Mode::Resume, &before);
    }

    /// Checks a run that was not killed.
    fn assert_ended(&mut self, ran: &RunOutput, options: usize, mode: Mode, before: &[u8]) {
        match self.refuses_before(options, mode, before) {
            Some(true) => self.assert_refused(ran, before),
            None if ran.code == Some(2) => self.assert_refused(ran, before),
            _ => {
                assert_eq!(ran.code, WHOLE[options].0, "{:?}: {}", self.answers, ran.err);
                self.assert_answers(options, mode, before, true);
            }
        }
    }

    /// As [`System::refuses`] with the bytes before the run.
    fn refuses_before(&self, options: usize, mode: Mode, before: &[u8]) -> Option<bool> {
        match (mode, self.answers) {
            (Mode::Resume, Answers::Of(earlier)) if earlier != options && lines(before).is_empty() => None,
            (Mode::Resume, Answers::Of(earlier)) if earlier != options => Some(true),
            _ => self.refuses(options, mode),
        }
    }

    fn edit(&mut self, edit: &Edit) {
        let bytes = self.bytes();
        let mut all: Vec<Vec<u8>> = lines(&bytes).into_iter().map(<[u8]>::to_vec).collect();
        let count = all.len();
        if count == 0 {
            return;
        }
        match edit {
            Edit::Swap(a, b) => all.swap(a % count, b % count),
            Edit::Repeat(line) => all.insert(line % count, all[line % count].clone()),
            Edit::Drop(line) => drop(all.remove(line % count)),
            Edit::Replace(line, old, new) => {
                let text = String::from_utf8_lossy(&all[line % count]).replacen(old, new, 1);
                all[line % count] = text.into_bytes();
            }
        }
        let changed = all.concat();
        let is_prefix = bytes.starts_with(&changed);
        fs::write(self.out(), changed).expect("a writable file");
        // The beginning of the file is what a killed run could have left.
        if !is_prefix {
            self.answers = Answers::Damaged;
        }
    }

    /// Only the checksum detects changed counts and times.
    fn change_digit(&self, line: usize, digit: usize) {
        let Answers::Of(options) = self.answers else { return };
        let bytes = self.bytes();
        let lengths: Vec<usize> = lines(&bytes).iter().map(|line| line.len()).collect();
        if lengths.is_empty() {
            return;
        }
        let line = line % lengths.len();
        let start: usize = lengths[..line].iter().sum();
        let range = start..start + lengths[line];
        let digits: Vec<usize> = range.filter(|&at| bytes[at].is_ascii_digit()).collect();
        let Some(&at) = digits.get(digit % digits.len().max(1)) else { return };
        let mut changed = bytes.clone();
        changed[at] = b'0' + (changed[at] - b'0' + 1) % 10;
        fs::write(self.out(), &changed).expect("a writable file");
        self.assert_refused(&self.run(options, Mode::Resume), &changed);
        fs::write(self.out(), &bytes).expect("a writable file");
    }

    fn apply(&mut self, operation: &Operation) {
        match operation {
            Operation::Run { options, mode } => {
                let before = self.bytes();
                let ran = self.run(*options, *mode);
                self.assert_ended(&ran, *options, *mode, &before);
            }
            Operation::Kill { options, mode, answers, ahead } => {
                self.kill(*options, *mode, *answers, *ahead);
            }
            Operation::Second { options, answers, mode } => self.second(*options, *answers, *mode),
            Operation::Damage(damage) => {
                let truncated = matches!(damage, Damage::Truncate { .. });
                if damage.apply(&self.out()) && !truncated {
                    self.answers = Answers::Damaged;
                }
            }
            Operation::Edit(edit) => self.edit(edit),
            Operation::ChangeDigit { line, digit } => self.change_digit(*line, *digit),
        }
    }
}

/// Sends the positions of a range. A process that was refused reads nothing.
fn send(input: &mut ChildStdin, from: usize, to: usize) {
    for line in INPUT.get(from..to).unwrap_or_default() {
        let _ = writeln!(input, "{line}");
    }
    let _ = input.flush();
}

#[test]
fn batches_follow_the_model() {
    check_sequences(&COUNTS, SEQUENCES, operation(), 1..8, |operations| {
        let mut system = System::new();
        operations.iter().for_each(|operation| system.apply(operation));
        // Every sequence ends with all answers: resumed if possible, otherwise anew.
        let options = if let Answers::Of(options) = system.answers { options } else { 0 };
        system.apply(&Operation::Run { options, mode: Mode::Resume });
        if system.answers == Answers::Damaged {
            system.apply(&Operation::Run { options, mode: Mode::Force });
        }
    });
}
