//! A test that `batch --resume` keeps no field of a damaged file: 600 seeded damages of each format go
//! through the functions that the command calls, in this process.

use std::fs;
use std::path::Path;

use clap::Parser;
use untumble_search::control::Limits;
use untumble_search::frontend::Workload;
use untumble_search::perm::SplitMix64;
use untumble_search::runtime::Runtime;
use untumble_session::SearchContext;
use untumble_session::line_checksum::{self, LineFormat};

use super::batch::{BatchConfig, open_sink};
use crate::batch::StopFlag;
use crate::batch::input::Input;
use crate::batch::sessions::PuzzleSession;
use crate::cli::{self, Cli, Command};
use crate::exit::{CliError, Exit};

/// Solved, unsolvable and invalid lines, and one that the node limit stops.
const INPUT: &str = "1 2 3 4 5 6 7 0 8\n1 2 3 4 5 6 8 7 0\nnonsense, \"quoted\"\n8 6 7 2 5 4 3 0 1\n\
                     1 2 3 4 5 6 7 8 0\n1 2 3 0 4 6 7 5 8\n1 2 3 4 5 6 7 7 0\n1 2 3 4 5 0 7 8 6\n";
/// The number of damages of each of the four files.
const DAMAGES: u64 = 300;

/// The arguments of a batch in this folder.
fn arguments(folder: &Path, format: &str, more: &[&str]) -> cli::Batch {
    let [input, out] = ["input", "out"].map(|name| folder.join(name).to_str().expect("a name").to_owned());
    let all = ["untumble", "batch", "8-puzzle", &input, "--format", format, "--out", &out, "--resume"];
    let parsed = Cli::try_parse_from([&all, more].concat()).expect("valid arguments");
    let Command::Batch(arguments) = parsed.command else { panic!("another command") };
    arguments
}

fn config(arguments: &cli::Batch) -> BatchConfig {
    BatchConfig::new(arguments, &Runtime::default()).map_err(|error| error.to_string()).expect("a batch")
}

/// The answers to all positions of the input.
fn answers(arguments: &cli::Batch) -> Vec<u8> {
    let BatchConfig { sessions, format, limits } = config(arguments);
    let stop_flag = StopFlag::default();
    let PuzzleSession { session, solver, encoder } = &**sessions.base();
    let Ok(mut input) = Input::open(&arguments.file, sessions.puzzles(), &format) else { panic!("a file") };
    let mut answers = encoder.header();
    while let Some(item) = input.next(&stop_flag) {
        match item.result {
            Err(invalid) => sessions.encode_invalid(item.line, &invalid, &mut answers),
            Ok(position) => {
                let limits = Limits { threads: 1, ..limits };
                let workload = Workload::one(&position, limits, encoder.all_solutions);
                let plan = session.plan(solver.as_ref(), &workload);
                let record = session.solve(&position, &plan, &mut None, &SearchContext::default());
                encoder.encode_record(item.line, &record.expect("an answer"), &mut answers);
            }
        }
    }
    answers
}

/// Resumes from the file of `--out`. Returns the number of answers kept, or the reason of the refusal.
fn resume(arguments: &cli::Batch, config: &BatchConfig) -> Result<u64, String> {
    let BatchConfig { sessions, format, .. } = config;
    let Ok(mut input) = Input::open(&arguments.file, sessions.puzzles(), format) else { panic!("a file") };
    match open_sink(arguments, sessions, &mut input, &StopFlag::default()) {
        Ok((_, kept)) => Ok(kept.total()),
        Err(CliError::Failed { exit: Exit::Usage, message }) => Err(message),
        Err(error) => panic!("another error: {error}"),
    }
}

/// The places of the fields of a line: the texts between commas.
fn fields(line: &[u8]) -> Vec<&[u8]> {
    line.split(|&byte| byte == b',').collect()
}

/// Damages a file at random: flips, deletes, inserts and replaces bytes, deletes, repeats and exchanges
/// fields and lines, truncates.
fn damage(file: &[u8], random: &mut SplitMix64) -> Vec<u8> {
    let mut below = |count: usize| (random.next_u64() % count.max(1) as u64) as usize;
    let mut bytes = file.to_vec();
    let at = below(bytes.len());
    let mut lines: Vec<Vec<u8>> = file.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let (line, other) = (below(lines.len()), below(lines.len()));
    let change_fields = |lines: &mut Vec<Vec<u8>>, change: &mut dyn FnMut(&mut Vec<&[u8]>)| {
        let text = lines[line].clone();
        let mut parts = fields(&text);
        change(&mut parts);
        lines[line] = parts.join(&b',');
    };
    match below(12) {
        0 => bytes[at] ^= 1 << below(8),
        1 => drop(bytes.drain(at..(at + 1 + below(9)).min(file.len()))),
        2 => bytes.insert(at, b" 0129,\"{}\nxU"[below(12)]),
        3 => {
            // Another digit.
            let digits: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
            bytes[digits[below(digits.len())]] = b'0' + below(10) as u8;
        }
        4 => bytes.truncate(at),
        5 => drop(lines.remove(line)),
        6 => lines
            .insert(line, file.split_inclusive(|&byte| byte == b'\n').nth(other).expect("a line").to_vec()),
        7 => lines.swap(line, other),
        8 => change_fields(&mut lines, &mut |parts| {
            parts.remove(below(parts.len()));
        }),
        9 => change_fields(&mut lines, &mut |parts| {
            let field = below(parts.len());
            parts.insert(below(parts.len()), parts[field]);
        }),
        10 => change_fields(&mut lines, &mut |parts| {
            let (a, b) = (below(parts.len()), below(parts.len()));
            parts.swap(a, b);
        }),
        _ => {
            // A field of another line.
            let (a, b) = (lines[line].clone(), lines[other].clone());
            let (mut parts, others) = (fields(&a), fields(&b));
            let field = below(parts.len().min(others.len()));
            parts[field] = others[field];
            lines[line] = parts.join(&b',');
        }
    }
    if bytes == file { lines.concat() } else { bytes }
}

/// After any damage, the file is refused unchanged with a reason, or what it keeps was written so.
#[test]
fn no_damaged_field_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("input"), INPUT).expect("a file");
    for (format, more) in [
        ("ndjson", &["--with", "ida+manhattan", "--nodes", "1000"][..]),
        ("csv", &["--with", "ida+manhattan", "--nodes", "1000"]),
        ("ndjson", &["--with", "astar", "--all"]),
        ("csv", &["--with", "astar", "--all"]),
    ] {
        let arguments = arguments(folder.path(), format, more);
        let (config, written) = (config(&arguments), answers(&arguments));
        let out = arguments.out.as_deref().expect("a file");
        let header = config.sessions.base().encoder.header().len();
        fs::write(out, &written).expect("a file");
        assert_eq!(resume(&arguments, &config), Ok(8));
        let (mut refused, mut kept_fewer) = (0, 0);
        for seed in 0..DAMAGES {
            let damaged = damage(&written, &mut SplitMix64(seed));
            if damaged == written {
                continue;
            }
            fs::write(out, &damaged).expect("a file");
            let shown = String::from_utf8_lossy(&damaged);
            match resume(&arguments, &config) {
                Err(reason) => {
                    refused += 1;
                    assert!(reason.contains("cannot resume: "), "seed {seed}: {reason}");
                    assert_eq!(fs::read(out).expect("a file"), damaged, "seed {seed}: {reason}\n{shown}");
                }
                Ok(answers) => {
                    kept_fewer += 1;
                    let kept = fs::read(out).expect("a file");
                    assert!(written.starts_with(&kept), "seed {seed} keeps a wrong field:\n{shown}");
                    let lines = kept[header.min(kept.len())..].iter().filter(|&&byte| byte == b'\n').count();
                    assert_eq!(answers, lines as u64, "seed {seed}");
                }
            }
        }
        assert!(refused > 200 && kept_fewer > 10, "{format}: {refused} refused, {kept_fewer} kept in part");
    }
}

/// Replays the corpus of the fuzz target `answer_line`, which holds no answer of this batch: each file, as
/// answers and as answers with the right checksum, is refused unchanged, or removed as a torn last line.
#[test]
fn no_line_of_the_corpus_is_kept() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/answer_line");
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("input"), INPUT).expect("a file");
    for (format, line_format, end) in
        [("ndjson", LineFormat::Ndjson, &b"}\n"[..]), ("csv", LineFormat::Csv, b"\n")]
    {
        let arguments = arguments(folder.path(), format, &["--with", "ida+manhattan"]);
        let config = config(&arguments);
        let out = arguments.out.as_deref().expect("a file");
        let mut refused = 0;
        for entry in fs::read_dir(&corpus).expect("the corpus") {
            let path = entry.expect("a file").path();
            let line = fs::read(&path).expect("a file").split_off(1);
            let mut checked = [&line, end].concat();
            line_checksum::append(line_format, 0, &mut checked);
            for line in [line, checked] {
                let earlier = [config.sessions.base().encoder.header(), line].concat();
                fs::write(out, &earlier).expect("a file");
                let resumed = resume(&arguments, &config);
                let kept = fs::read(out).expect("a file");
                match resumed {
                    Err(reason) => {
                        refused += 1;
                        assert!(reason.contains("cannot resume: "), "{}: {reason}", path.display());
                        assert_eq!(kept, earlier, "{}: {reason}", path.display());
                    }
                    Ok(answers) => {
                        assert_eq!(
                            (answers, kept),
                            (0, config.sessions.base().encoder.header()),
                            "{}",
                            path.display()
                        );
                    }
                }
            }
        }
        assert!(refused > 15, "{format}: {refused} refused");
    }
}

/// Another way to read the same input gives other positions, and both are named.
#[test]
fn another_interpretation_of_the_input_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("input"), "R D\n").expect("a file");
    let [moves, position] = ["moves", "position"]
        .map(|kind| arguments(folder.path(), "ndjson", &["--with", "astar", "--as", kind]));
    let out = moves.out.as_deref().expect("a file");
    let refused = |earlier: &cli::Batch, now: &cli::Batch| {
        fs::write(out, answers(earlier)).expect("a file");
        assert_eq!(resume(earlier, &config(earlier)), Ok(1));
        resume(now, &config(now)).expect_err("another interpretation")
    };
    let reason = refused(&moves, &position);
    assert!(reason.contains("is for position `1 2 3 4 0 6 7 5 8`, but the line is invalid now"), "{reason}");
    let reason = refused(&position, &moves);
    assert!(
        reason.contains("says invalid, but the line is the position `1 2 3 4 0 6 7 5 8` now"),
        "{reason}"
    );
}
