//! Tests that answers and proofs of different runs are never mixed, and that one run has several spellings.
//!
//! Every ordered pair of different variants goes through the functions that `batch --resume` and
//! `solve --checkpoint` call, in this process. `tests/it/identity.rs` runs the program itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Parser;
use tempfile::TempDir;
use untumble_search::bounded_dfs::PassResult;
use untumble_search::checkpoint::file::CheckpointFile;
use untumble_search::checkpoint::{Checkpoint, CheckpointStore, ProofState};
use untumble_search::error::Diagnostic;
use untumble_search::report::Counts;
use untumble_search::runtime::Runtime;
use untumble_search::spec::Spec;
use untumble_session::{Record, Session};

use super::batch::{BatchConfig, open_sink};
use super::solve::search_id;
use crate::batch::StopFlag;
use crate::batch::input::Input;
use crate::checkpoint::CheckpointSession;
use crate::cli::{self, Cli, Command};
use crate::exit::{CliError, Exit};
use crate::puzzle_input;

/// The fields of a run in the order in which they are compared.
const FIELDS: [&str; 7] = ["puzzle", "metric", "goal", "solver", "solutions", "node limit", "maximum length"];

/// The arguments of a run and its values of [`FIELDS`].
type Variant = (&'static str, [&'static str; 7]);

const TILES: [&str; 7] = ["tiles-3x3", "moves", "blank-last", "auto", "one", "", ""];
const CUBE2: [&str; 7] = ["cube2", "htm", "solved", "auto", "one", "", ""];
const CUBE3: [&str; 7] = ["cube3", "htm", "solved", "auto", "one", "", ""];
const BALTO: [&str; 7] = ["balto-3", "moves", "solved", "auto", "one", "", ""];

/// A run with other values of some fields.
fn with(mut run: [&'static str; 7], values: &[(&str, &'static str)]) -> [&'static str; 7] {
    for (name, value) in values {
        let field = FIELDS.iter().position(|field| field == name).expect("a field");
        run[field] = value;
    }
    run
}

/// Runs that are pairwise different.
fn different_runs() -> Vec<Variant> {
    let solver = |args, solver| (args, with(TILES, &[("solver", solver)]));
    vec![
        ("8-puzzle", TILES),
        ("tiles-2x3", with(TILES, &[("puzzle", "tiles-2x3")])),
        ("tiles-3x2", with(TILES, &[("puzzle", "tiles-3x2")])),
        ("8-puzzle --goal snail", with(TILES, &[("goal", "snail")])),
        ("8-puzzle --goal blank-first", with(TILES, &[("goal", "blank-first")])),
        ("8-puzzle --goal 8,7,6/5,4,3/2,1,0", with(TILES, &[("goal", "8 7 6 5 4 3 2 1 0")])),
        solver("8-puzzle --with ida", "ida+manhattan"),
        solver("8-puzzle --with ida:bpmx=off", "ida:bpmx=off+manhattan"),
        solver("8-puzzle --with ida:early=off", "ida:early=off+manhattan"),
        solver("8-puzzle --with ida+linear-conflict", "ida+linear-conflict"),
        solver("8-puzzle --with ida+max(manhattan,walking)", "ida+max(manhattan,walking)"),
        solver("8-puzzle --with parida", "parida+manhattan"),
        solver("8-puzzle --with astar", "astar+manhattan"),
        solver("8-puzzle --with astar:w=1.5", "astar:w=1.5+manhattan"),
        solver("8-puzzle --with beam:width=10+manhattan", "beam:width=10+manhattan"),
        solver("8-puzzle --with beam:width=10,seed=7+manhattan", "beam:width=10,seed=7+manhattan"),
        ("8-puzzle --all", with(TILES, &[("solutions", "all")])),
        ("8-puzzle --with ida --all", with(TILES, &[("solver", "ida+manhattan"), ("solutions", "all")])),
        ("8-puzzle --nodes 1000", with(TILES, &[("node limit", "1000")])),
        ("8-puzzle --nodes 1001", with(TILES, &[("node limit", "1001")])),
        ("8-puzzle --max-length 30", with(TILES, &[("maximum length", "30")])),
        (
            "8-puzzle --nodes 1000 --max-length 30",
            with(TILES, &[("node limit", "1000"), ("maximum length", "30")]),
        ),
        ("cube2", CUBE2),
        ("cube2 --metric qtm", with(CUBE2, &[("metric", "qtm")])),
        ("cube2 --metric qtm --all", with(CUBE2, &[("metric", "qtm"), ("solutions", "all")])),
        ("cube3", CUBE3),
        ("cube3 --metric qtm", with(CUBE3, &[("metric", "qtm")])),
        ("cube3 --with ida", with(CUBE3, &[("solver", "ida+manhattan")])),
        ("cube3 --with ida --metric qtm", with(CUBE3, &[("solver", "ida+manhattan"), ("metric", "qtm")])),
        ("balto-3", BALTO),
        ("balto-4", with(BALTO, &[("puzzle", "balto-4")])),
    ]
}

/// Groups of arguments that describe the same run.
const SAME_RUNS: &[&[&str]] = &[
    &["cube3", "cube3 --metric htm", "rubik --metric HTM", "3x3x3 --goal solved"],
    &["cube2 --metric qtm", "pocket --metric QTM", "2x2x2 --metric qtm --goal solved"],
    &[
        "8-puzzle",
        "tiles-3x3 --goal blank-last",
        "Tiles-3X3 --with auto",
        "8-puzzle --goal 1,2,3,4,5,6,7,8,0",
    ],
    &["8-puzzle --goal snail", "8-puzzle --goal 1,2,3/8,0,4/7,6,5"],
    &[
        "8-puzzle --with astar",
        "8-puzzle --with A*",
        "8-puzzle --with a-star+manhattan",
        "8-puzzle --with astar:w=1.0",
    ],
    &[
        "8-puzzle --with ida:bpmx=off",
        "8-puzzle --with IDA*:raise=off",
        "8-puzzle --with ida:raise=off,early=on",
    ],
    &["8-puzzle --with ida", "8-puzzle --with ida:bpmx=on", "8-puzzle --with idastar+manhattan --time 5"],
    &[
        "8-puzzle --with beam:width=10,seed=7",
        "8-puzzle --with beam:seed=7,width=10",
        "8-puzzle --with beam:seed=07,width=010 --threads 1",
    ],
    &["balto-3", "Balto-3 --goal solved"],
    &["8-puzzle --nodes 1000", "8-puzzle --nodes 01000 --memory 1GiB"],
];

fn command(name: &str, arguments: &str, more: &[&str]) -> Command {
    let words = ["untumble", name].into_iter().chain(arguments.split(' '));
    Cli::try_parse_from(words.chain(more.iter().copied())).expect(arguments).command
}

/// The parsed arguments of `batch`; `more` follows `arguments`.
fn batch(arguments: &str, more: &[&str]) -> cli::Batch {
    let (puzzle, options) = arguments.split_once(' ').unwrap_or((arguments, ""));
    let words: Vec<&str> =
        options.split(' ').filter(|word| !word.is_empty()).chain(more.iter().copied()).collect();
    let Command::Batch(batch) = command("batch", puzzle, &words) else { panic!("{arguments}") };
    batch
}

/// The message that names a field with both values.
fn mismatch_message(subject: &str, field: &str, left: &str, right: &str) -> String {
    let limit =
        |value: &str| if value.is_empty() { format!("no {field}") } else { format!("{field} {value}") };
    match (field, right) {
        ("puzzle", _) => format!("{subject} was written for {left}, this run solves {right}"),
        ("solutions", "all") => {
            format!("{subject} was written with one solution per position, this run lists all of them")
        }
        ("solutions", _) => {
            format!("{subject} was written with all solutions per position, this run lists one")
        }
        ("node limit" | "maximum length", _) => {
            format!("{subject} was written with {}, this run has {}", limit(left), limit(right))
        }
        _ => format!("{subject} was written with {field} {left}, this run uses {field} {right}"),
    }
}

/// A batch with a file of its answers.
struct AnsweredBatch {
    arguments: cli::Batch,
    config: BatchConfig,
    answers: Vec<u8>,
}

impl AnsweredBatch {
    /// A batch with one answer, to the solved position of the puzzle on line 1.
    fn new(folder: &Path, arguments: &str, format: &str) -> AnsweredBatch {
        let name = |name: &str| folder.join(name).to_str().expect("a name").to_owned();
        let text = name(&format!("{}.txt", arguments.replace(['/', '*', ' '], "_")));
        let more = [&text, "--format", format, "--resume", "--out", &name("out")];
        let arguments = batch(arguments, &more);
        let config = BatchConfig::new(&arguments, &Runtime::default())
            .map_err(exit_and_message)
            .expect("valid arguments");
        let base = config.sessions.base();
        let (puzzle, encoder) = (base.session.puzzle(), &base.encoder);
        let start = puzzle.text(&puzzle.solved());
        fs::write(&arguments.file, format!("{start}\n")).expect("a file");
        let why = Diagnostic::new("test", "not solved in this test");
        let mut answers = encoder.header();
        encoder.encode_record(
            1,
            &Record::unsolvable(&**puzzle, start, &why, encoder.all_solutions),
            &mut answers,
        );
        AnsweredBatch { arguments, config, answers }
    }

    /// Resumes from a file with these answers; returns the number of answers found.
    fn resume(&self, answers: &[u8]) -> Result<u64, (Exit, String)> {
        fs::write(self.out(), answers).expect("a file");
        self.resume_file(answers)
    }

    fn out(&self) -> &Path {
        self.arguments.out.as_deref().expect("a file")
    }

    /// Resumes from the file, which contains `answers` before and after.
    fn resume_file(&self, answers: &[u8]) -> Result<u64, (Exit, String)> {
        let BatchConfig { sessions, format, .. } = &self.config;
        let out = self.out();
        let mut input =
            Input::open(&self.arguments.file, sessions.puzzles(), format).map_err(exit_and_message)?;
        let resumed = open_sink(&self.arguments, sessions, &mut input, &StopFlag::default());
        assert_eq!(fs::read(out).expect("a file"), answers, "the file is unchanged");
        resumed.map(|(_, earlier)| earlier.total()).map_err(exit_and_message)
    }
}

fn exit_and_message(error: CliError) -> (Exit, String) {
    match error {
        CliError::Failed { exit, message } => (exit, message),
        CliError::OutputClosed => panic!("the output is closed"),
    }
}

#[test]
fn batches_of_different_runs_are_never_mixed() {
    let folder = tempfile::tempdir().expect("a folder");
    for format in ["ndjson", "csv"] {
        let variants: Vec<_> = different_runs()
            .into_iter()
            .map(|(arguments, values)| {
                (arguments, values, AnsweredBatch::new(folder.path(), arguments, format))
            })
            .collect();
        for (earlier, left, answered) in &variants {
            assert_eq!(answered.resume(&answered.answers), Ok(1), "{earlier} after itself");
            for (now, right, batch) in variants.iter().filter(|(now, ..)| now != earlier) {
                let first = (0..FIELDS.len()).find(|&field| left[field] != right[field]);
                let (solutions, solutions_differ) = (4, left[4] != right[4]);
                let (subject, field) = match first {
                    // A table with all solutions has one more column, so the header already differs.
                    Some(_) if format == "csv" && solutions_differ => ("the file", solutions),
                    Some(field) => ("the answer to line 1", field),
                    None => panic!("{earlier} and {now} are one run"),
                };
                let expected = mismatch_message(subject, FIELDS[field], left[field], right[field]);
                let (exit, message) = batch.resume_file(&answered.answers).expect_err(now);
                assert_eq!(exit, Exit::Usage, "{earlier}, then {now}: {message}");
                assert!(message.contains(&expected), "{earlier}, then {now}: {message}\nnot: {expected}");
                assert_ne!(
                    answered.config.sessions.base().encoder.run,
                    batch.config.sessions.base().encoder.run
                );
            }
        }
    }
}

#[test]
fn a_batch_is_resumed_by_equivalent_arguments() {
    let folder = tempfile::tempdir().expect("a folder");
    for format in ["ndjson", "csv"] {
        for group in SAME_RUNS {
            let group: Vec<_> = group
                .iter()
                .map(|&arguments| (arguments, AnsweredBatch::new(folder.path(), arguments, format)))
                .collect();
            for (earlier, answered) in &group {
                for (now, batch) in &group {
                    assert_eq!(
                        answered.config.sessions.base().encoder.run_text,
                        batch.config.sessions.base().encoder.run_text,
                        "{earlier}, {now}"
                    );
                    assert_eq!(batch.resume(&answered.answers), Ok(1), "{earlier}, then {now}");
                }
            }
        }
    }
}

/// Answers of earlier versions name no run and have no checksum.
#[test]
fn answers_without_a_run_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let batch = AnsweredBatch::new(folder.path(), "8-puzzle", "ndjson");
    let text = String::from_utf8(batch.answers.clone()).expect("text");
    let without_run = text.replace("\"run\":\"tiles-3x3 auto\",", "");
    assert_ne!(without_run, text);
    let (exit, message) = batch.resume(without_run.as_bytes()).expect_err("the answer names no run");
    assert_eq!(exit, Exit::Usage);
    assert!(message.contains("names no run"), "{message}");
    let invalid_answer = "{\"line\":1,\"start\":\"x\",\"outcome\":\"invalid\",\"error\":\"x\"}\n";
    let (_, message) = batch.resume(invalid_answer.as_bytes()).expect_err("the input has a position");
    assert!(message.contains("says invalid, but the line is the position `"), "{message}");
    fs::write(&batch.arguments.file, "x\n").expect("a file");
    let (_, message) = batch.resume(invalid_answer.as_bytes()).expect_err("earlier versions wrote none");
    assert!(message.contains("the answer to line 1 has no checksum"), "{message}");
    let other = invalid_answer.replace("\"start\"", "\"run\":\"cube3 auto\",\"start\"");
    let (_, message) = batch.resume(other.as_bytes()).expect_err("the answer belongs to another run");
    assert!(message.contains("written for cube3, this run solves tiles-3x3"), "{message}");
}

/// The solver that `auto` chose in the run that saved the proof; every puzzle has it.
const AUTO_CHOICE: &str = "iddfs";

/// A search with a checkpoint.
struct CheckpointedSearch {
    arguments: cli::Solve,
    session: Session,
    solver: Option<Spec>,
    start: String,
}

impl CheckpointedSearch {
    fn new(file: &Path, arguments: &str) -> CheckpointedSearch {
        let (puzzle, options) = arguments.split_once(' ').unwrap_or((arguments, ""));
        let file = file.to_str().expect("a name");
        let words: Vec<&str> = options.split(' ').filter(|word| !word.is_empty()).collect();
        let command = command("solve", puzzle, &[&words[..], &["--checkpoint", file]].concat());
        let Command::Solve(arguments) = command else { panic!("{options}") };
        let puzzle =
            puzzle_input::open_puzzle(&arguments.puzzle).map_err(exit_and_message).expect("a puzzle");
        let session = Session::new(&Runtime::default(), puzzle);
        let solver = session.parse_solver(&arguments.solver.with, arguments.all).expect("a solver");
        let start = session.puzzle().text(&session.puzzle().solved());
        CheckpointedSearch { arguments, session, solver, start }
    }

    /// Saves a checkpoint as an earlier run would; `auto` saves the proof of the solver that it chose.
    fn save(&self, path: &Path) -> Vec<u8> {
        let mut search = search_id(&**self.session.puzzle(), self.arguments.all, &self.start);
        let chosen = || AUTO_CHOICE.to_owned();
        search.run.solver = self.solver.as_ref().map_or_else(chosen, |spec| self.session.solver_id(spec));
        let saved = Checkpoint {
            search,
            time: Duration::ZERO,
            earlier_counts: Counts::default(),
            lower_bound: 0,
            best: None,
            proof: ProofState::new(0, PassResult::empty()),
        };
        let (file, _) = CheckpointFile::open(path).expect("the file is valid or absent");
        file.save(&saved).expect("the file is writable");
        fs::read(path).expect("a file")
    }

    /// Resumes from the file; returns the solver of the proof.
    fn resume(&self) -> Result<Option<String>, (Exit, String)> {
        let checkpoint =
            CheckpointSession::open(&self.arguments).map_err(exit_and_message)?.expect("a checkpoint");
        let search = search_id(&**self.session.puzzle(), self.arguments.all, &self.start);
        let saved =
            checkpoint.resumable(&self.session, &search, self.solver.as_ref()).map_err(exit_and_message)?;
        Ok(saved.map(|(_, solver)| self.session.solver_id(&solver)))
    }
}

fn proof_file() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("long.proof");
    (folder, file)
}

/// Limits are not part of the identity, and `auto` resumes with the solver of the file.
#[test]
fn checkpoints_of_different_searches_are_never_mixed() {
    let (_folder, file) = proof_file();
    let resumable = |arguments: &str| {
        !arguments.contains("--with") || arguments.contains("ida") || arguments.contains("iddfs")
    };
    let variants: Vec<_> = different_runs()
        .into_iter()
        .filter(|(arguments, _)| resumable(arguments))
        .map(|(arguments, values)| (arguments, values, CheckpointedSearch::new(&file, arguments)))
        .collect();
    assert!(variants.len() > 20, "{}", variants.len());
    let (mut refused, mut accepted) = (0, 0);
    for (earlier, left, saving) in &variants {
        let bytes = saving.save(&file);
        let left = with(*left, &[("solver", if left[3] == "auto" { AUTO_CHOICE } else { left[3] })]);
        for (now, right, resuming) in &variants {
            // Only the fields up to the solutions are compared.
            let differs = |field: &usize| match FIELDS[*field] {
                "solver" => right[3] != "auto" && left[3] != right[3],
                _ => left[*field] != right[*field],
            };
            // The solver is compared last.
            let first = [0, 1, 2, 4, 3].into_iter().find(|field| differs(field));
            match (first, resuming.resume()) {
                (None, resumed) => {
                    assert_eq!(resumed, Ok(Some(left[3].to_owned())), "{earlier}, then {now}");
                    accepted += 1;
                }
                (Some(field), Err((exit, message))) => {
                    let expected = mismatch_message("the file", FIELDS[field], left[field], right[field]);
                    assert_eq!(exit, Exit::Usage, "{message}");
                    assert!(message.contains(&expected), "{earlier}, then {now}: {message}\nnot: {expected}");
                    refused += 1;
                }
                (Some(field), resumed) => {
                    panic!("{earlier}, then {now}: another {} and {resumed:?}", FIELDS[field])
                }
            }
            assert_eq!(fs::read(&file).expect("a file"), bytes, "the file is unchanged");
        }
    }
    assert!(refused > 400 && accepted > variants.len(), "{refused} refused, {accepted} accepted");
}

#[test]
fn a_search_is_resumed_by_equivalent_arguments() {
    let (_folder, file) = proof_file();
    for group in SAME_RUNS.iter().filter(|group| !group[0].contains("astar") && !group[0].contains("beam")) {
        let group: Vec<_> =
            group.iter().map(|&arguments| (arguments, CheckpointedSearch::new(&file, arguments))).collect();
        for (earlier, saving) in &group {
            saving.save(&file);
            for (now, resuming) in &group {
                let resumed = resuming.resume();
                assert!(matches!(resumed, Ok(Some(_))), "{earlier}, then {now}: {resumed:?}");
            }
        }
    }
}

#[test]
fn a_checkpoint_of_another_position_is_refused() {
    let (_folder, file) = proof_file();
    let search = CheckpointedSearch::new(&file, "8-puzzle --with ida");
    let other = CheckpointedSearch {
        start: "1 2 3 4 5 6 7 0 8".into(),
        ..CheckpointedSearch::new(&file, "8-puzzle --with ida")
    };
    other.save(&file);
    let (exit, message) = search.resume().expect_err("another position");
    assert_eq!(exit, Exit::Usage);
    let expected =
        "the file was written for position `1 2 3 4 5 6 7 0 8`, this run solves `1 2 3 4 5 6 7 8 0`";
    assert!(message.contains(expected), "{message}");
}
