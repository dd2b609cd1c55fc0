//! Checkpoints: proofs are saved and resumed after `kill -9`, Ctrl-C and limits, and never resumed from a
//! wrong file.

use crate::common::{HARDEST_8, KORF_3, KORF_FELNER_1, RunOutput, Running, process, run, wait_until};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use untumble_search::checkpoint::Checkpoint;
use untumble_search::checkpoint::file::CheckpointFile;

/// Korf's 63rd 15-puzzle, for `--goal blank-first`: 56 moves, a billion nodes.
const KORF_63: &str = "8 10 9 11 14 1 7 15 13 4 0 12 6 2 5 3";

/// A folder for the checkpoint of a proof.
struct ProofFolder {
    dir: TempDir,
    file: PathBuf,
}

impl ProofFolder {
    fn new() -> ProofFolder {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join("long.proof");
        ProofFolder { dir, file }
    }

    fn name(&self) -> &str {
        self.file.to_str().expect("a name")
    }

    fn saved(&self) -> Option<Checkpoint> {
        CheckpointFile::open(&self.file).expect("a valid checkpoint").1
    }

    /// Solves one position of a puzzle towards `blank-first` with this checkpoint.
    fn solve(&self, puzzle: &str, position: &str, options: &[&str]) -> RunOutput {
        run(&self.arguments(puzzle, position, options))
    }

    fn arguments<'a>(&'a self, puzzle: &'a str, position: &'a str, options: &[&'a str]) -> Vec<&'a str> {
        let mut arguments = vec!["solve", puzzle, position, "--goal", "blank-first", "--json"];
        arguments.extend(["--checkpoint", self.name()]);
        arguments.extend(options);
        arguments
    }

    /// Fails unless the folder is empty.
    #[track_caller]
    fn assert_empty(&self) {
        let files: Vec<_> = fs::read_dir(self.dir.path()).expect("a folder").collect();
        assert!(files.is_empty(), "{files:?} remain");
    }
}

/// The number with thousands separators, as the program writes it.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let mut groups: Vec<&str> = if first > 0 { vec![&digits[..first]] } else { Vec::new() };
    groups.extend((first..digits.len()).step_by(3).map(|at| &digits[at..at + 3]));
    groups.join(",")
}

/// The message of a run that resumes `saved`.
fn resumed_message(file: &Path, saved: &Checkpoint) -> String {
    let nodes = grouped(saved.generated());
    format!("resumed from {}: bound {}, {nodes} nodes in ", file.display(), saved.proof.bound)
}

/// Runs the program, kills it `kills` times after random numbers of further nodes were saved, and then runs
/// it to its end. `whole` is the number of nodes of the proof. Returns the last output and the number of
/// resumed runs.
fn run_with_kills(folder: &ProofFolder, arguments: &[&str], whole: u64, kills: u32) -> (RunOutput, u32) {
    let mut rng = ChaCha8Rng::seed_from_u64(whole);
    let (mut killed, mut resumed, mut advanced) = (0, 0, 0);
    while killed < kills || folder.saved().is_none() {
        let before = folder.saved();
        let mut child = process(arguments).spawn().expect("the program starts");
        // Every fourth run is killed right at the start.
        let new_nodes = if killed % 4 == 3 { 0 } else { rng.random_range(1..whole / u64::from(kills)) };
        let nodes_to_reach = before.as_ref().map_or(0, Checkpoint::generated) + new_nodes;
        wait_until("nodes are saved", || {
            let saved = folder.saved().map_or(0, |saved| saved.generated());
            saved >= nodes_to_reach || child.try_wait().expect("a status").is_some()
        });
        child.kill().expect("the process can be killed");
        let output = child.wait_with_output().expect("the program ends");
        if !output.stdout.is_empty() {
            // The run finished before it was killed: start again.
            continue;
        }
        assert_eq!(output.status.code(), None, "the run was killed");
        killed += 1;
        let errors = String::from_utf8(output.stderr).expect("text");
        assert!(!errors.contains("error") && !errors.contains("warning"), "{errors}");
        let after = folder.saved();
        if let Some(before) = &before {
            let after = after.as_ref().expect("a saved checkpoint remains");
            assert!(after.generated() >= before.generated(), "no nodes are lost");
            assert!(after.time >= before.time, "no time is lost");
            if !errors.is_empty() {
                assert!(errors.starts_with(&resumed_message(&folder.file, before)), "{errors}");
                resumed += 1;
            }
        }
        advanced += u32::from(after != before);
    }
    assert!(advanced >= kills / 3, "{advanced} of {kills} runs saved a checkpoint");
    let saved = folder.saved().expect("a checkpoint to resume");
    let last = run(arguments).exits(0).stderr_contains(&resumed_message(&folder.file, &saved));
    assert_eq!(last.json()[0]["resumed"]["generated"], saved.generated());
    folder.assert_empty();
    (last, resumed)
}

#[test]
fn a_proof_killed_twenty_times_has_the_counts_of_one_run() {
    let arguments = ["solve", "15-puzzle", KORF_63, "--goal", "blank-first", "--json"];
    let whole = run(&[&arguments[..], &["--with", "ida+manhattan"]].concat()).exits(0);
    let expected = &whole.json()[0];
    assert_eq!((&expected["length"], &expected["optimal"]), (&56.into(), &true.into()));
    assert!(expected.get("resumed").is_none(), "a run without a checkpoint has no key `resumed`");

    let folder = ProofFolder::new();
    let options = ["--with", "ida+manhattan", "--checkpoint-every", "10ms"];
    let nodes = expected["generated"].as_u64().expect("a count");
    let (last, resumed) =
        run_with_kills(&folder, &folder.arguments("15-puzzle", KORF_63, &options), nodes, 20);
    assert!(resumed >= 8, "{resumed} of 20 runs reported the resumption before they were killed");
    let last = &last.json()[0];
    for key in ["solver", "outcome", "moves", "length", "optimal", "lower_bound", "generated", "iterations"] {
        assert_eq!(last[key], expected[key], "{key}");
    }
    assert!(last["seconds"].as_f64() > last["resumed"]["seconds"].as_f64());
}

/// On several threads, every pass that ends without a solution has the same counts.
#[test]
fn a_parallel_proof_survives_kills() {
    let options = ["--with", "parida+manhattan", "--threads", "4"];
    let arguments = ["solve", "15-puzzle", KORF_3, "--goal", "blank-first", "--json"];
    let whole = run(&[&arguments[..], &options].concat()).exits(0);
    let folder = ProofFolder::new();
    let options = [&options[..], &["--checkpoint-every", "10ms"]].concat();
    let whole = &whole.json()[0];
    let nodes = whole["generated"].as_u64().expect("a count");
    let (last, _) = run_with_kills(&folder, &folder.arguments("15-puzzle", KORF_3, &options), nodes, 6);
    let last = &last.json()[0];
    assert_eq!((&last["length"], &last["optimal"]), (&59.into(), &true.into()));
    let passes = |line: &Value| line["iterations"].as_array().expect("passes").clone();
    let (last, whole) = (passes(last), passes(whole));
    assert_eq!(last[..last.len() - 1], whole[..whole.len() - 1]);
}

/// Covers the specialised search of the 15-puzzle and the generic search, with one solution and with all.
#[test]
fn the_counts_of_partial_runs_add_up() {
    let start = "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15";
    for options in [
        &["--with", "ida+manhattan"][..],
        &["--with", "ida+manhattan", "--all"],
        &["--with", "ida+linear-conflict"],
        &["--with", "ida+linear-conflict", "--all"],
    ] {
        let folder = ProofFolder::new();
        let plain = ["solve", "15-puzzle", start, "--goal", "blank-first", "--json"];
        let whole = run(&[&plain[..], options].concat()).exits(0);
        let whole = &whole.json()[0];
        let nodes = (whole["generated"].as_u64().expect("a count") / 7 + 1).to_string();
        let more = [options, &["--nodes", &nodes]].concat();
        let mut runs = 1;
        let last = loop {
            let ran = folder.solve("15-puzzle", start, &more);
            if ran.code == Some(0) {
                break ran;
            }
            ran.exits(5).stderr_contains("saved to ");
            runs += 1;
        };
        assert!((6..=8).contains(&runs), "{options:?}: {runs} runs");
        let last = &last.json()[0];
        for key in ["outcome", "moves", "length", "optimal", "generated", "iterations", "solutions"] {
            assert_eq!(last[key], whole[key], "{options:?}: {key}");
        }
        folder.assert_empty();
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_saves_the_proof() {
    let folder = ProofFolder::new();
    let options = ["--with", "ida+manhattan", "--checkpoint-every", "1h"];
    let arguments = [&options[..], &["--progress", "bar"]].concat();
    let mut running = Running::start(&folder.arguments("24-puzzle", KORF_FELNER_1, &arguments));
    running.wait_for("nodes/s");
    let ran = running.end_by("INT").exits(130);
    let end = format!("saved to {}; run the same command to resume\n", folder.name());
    assert!(ran.err.ends_with(&end), "{}", ran.err);
    let line = &ran.json()[0];
    assert_eq!((&line["resumed"], &line["stop"]), (&Value::Null, &"interrupted".into()));
    let saved = folder.saved().expect("a checkpoint");
    assert_eq!(line["generated"], saved.generated(), "all nodes are saved");

    // Limits apply to each run, and each run resumes the proof.
    let mut before = saved.generated();
    for _ in 0..3 {
        let saved = folder.saved().expect("a checkpoint");
        let more = [&options[..], &["--nodes", "100000"]].concat();
        let ran = folder.solve("24-puzzle", KORF_FELNER_1, &more).exits(5);
        let ran = ran.stderr_contains(&resumed_message(&folder.file, &saved)).stderr_contains("saved to ");
        let line = &ran.json()[0];
        assert_eq!(line["resumed"]["generated"], before);
        let generated = line["generated"].as_u64().expect("a count");
        assert!((before + 100_000..before + 100_100).contains(&generated), "{before}, then {generated}");
        before = generated;
    }
}

/// The solution of the first stages is kept, and the last stage is resumed.
#[test]
fn auto_resumes_with_the_saved_solver() {
    let folder = ProofFolder::new();
    let options = ["--nodes", "3000000", "--memory", "64M", "--threads", "2"];
    let first = folder.solve("24-puzzle", KORF_FELNER_1, &options).exits(5).stderr_contains("saved to ");
    let saved = folder.saved().expect("a checkpoint");
    assert!(saved.search.run.solver.starts_with("parida+"), "{:?}", saved.search);
    assert!(saved.earlier_counts.generated > 0, "an earlier stage generated nodes");
    let second = folder.solve("24-puzzle", KORF_FELNER_1, &options).exits(5);
    let second = second
        .stderr_contains(&resumed_message(&folder.file, &saved))
        .stderr_contains(&format!("by {}", saved.search.run.solver));
    let (first, second) = (&first.json()[0], &second.json()[0]);
    assert_eq!(first["generated"], saved.generated());
    assert_eq!(second["resumed"]["generated"], saved.generated());
    for key in ["moves", "length"] {
        assert!(first[key] == second[key] && !first[key].is_null(), "{key}: {first} {second}");
    }
    assert_eq!(second["solver"], saved.search.run.solver);
    assert!(first["generated"].as_u64() < second["generated"].as_u64());
    // The same as JSON events.
    let options = [&options[..], &["--progress", "json"]].concat();
    let ran = folder.solve("24-puzzle", KORF_FELNER_1, &options).exits(5);
    let events: Vec<Value> = ran.err.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let named = |name: &str| events.iter().find(|event| event["event"] == name).expect(name);
    assert_eq!(named("resumed")["nodes"], second["generated"]);
    assert_eq!(named("resumed")["solver"], second["solver"]);
    assert_eq!(named("saved")["file"], folder.name());
}

/// This holds even if the run is stopped before the proof begins or while its tables are built.
#[test]
fn the_solution_of_the_first_stages_is_saved() {
    let folder = ProofFolder::new();
    let first = folder
        .solve("24-puzzle", KORF_FELNER_1, &["--nodes", "2000000"])
        .exits(5)
        .stderr_contains("saved to ");
    let saved = folder.saved().expect("a checkpoint");
    let with = format!("{}+pdb:6-6-6-6", saved.search.run.solver.split('+').next().expect("an algorithm"));
    assert_eq!((saved.search.run.solver, saved.proof.started()), (with, false));
    // The time limit is too short to build the tables.
    let second =
        folder.solve("24-puzzle", KORF_FELNER_1, &["--time", "1ms"]).exits(5).stderr_contains("is unchanged");
    let (first, second) = (&first.json()[0], &second.json()[0]);
    for key in ["moves", "length", "lower_bound"] {
        assert!(first[key] == second[key] && !first[key].is_null(), "{key}: {first} {second}");
    }
    assert_eq!(second["resumed"]["generated"], first["generated"]);
}

#[test]
fn a_file_of_another_search_is_refused_and_kept() {
    let folder = ProofFolder::new();
    let options = ["--with", "ida+manhattan", "--nodes", "1000"];
    folder.solve("24-puzzle", KORF_FELNER_1, &options).exits(5).stderr_contains("saved to ");
    let bytes = fs::read(&folder.file).expect("a file");
    let other = KORF_FELNER_1.replace("14 5 9", "5 9 14");
    let run = |arguments: &[&str], part: &str| {
        let ran = run(&[arguments, &["--checkpoint", folder.name()]].concat())
            .exits(2)
            .stderr_contains(folder.name());
        let ran = ran.stderr_contains(part).stderr_contains("name another file");
        assert_eq!(ran.out, "");
        assert_eq!(fs::read(&folder.file).expect("a file"), bytes, "{arguments:?}");
    };
    let first = "blank-first";
    run(&["solve", "15-puzzle", KORF_3, "--goal", first], "written for tiles-5x5, this run solves tiles-4x4");
    run(&["solve", "24-puzzle", &other, "--goal", first], "written for position `14 5 9 2");
    run(&["solve", "24-puzzle", KORF_FELNER_1], "with goal blank-first, this run uses goal blank-last");
    run(
        &["solve", "24-puzzle", KORF_FELNER_1, "--goal", first, "--all"],
        "with one solution per position, this run lists all of them",
    );
    let with = ["--with", "parida+manhattan"];
    run(
        &[&["solve", "24-puzzle", KORF_FELNER_1, "--goal", first], &with[..]].concat(),
        "with solver ida+manhattan, this run uses solver parida+manhattan; use --with ida+manhattan",
    );
    // Without --with, the file determines the solver.
    folder
        .solve("24-puzzle", KORF_FELNER_1, &["--nodes", "1000"])
        .exits(5)
        .stderr_contains("by ida+manhattan");
}

#[test]
fn a_damaged_or_unknown_file_is_reported_and_kept() {
    let folder = ProofFolder::new();
    let options = ["--with", "ida+manhattan", "--nodes", "1000"];
    folder.solve("24-puzzle", KORF_FELNER_1, &options).exits(5);
    let whole = fs::read(&folder.file).expect("a file");
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    let cut = &whole[..whole.len() - 1];
    for (bytes, part) in [
        (&flipped[..], "the checkpoint is damaged"),
        (cut, "the checkpoint is damaged"),
        (b"the only copy of my thesis", "not a checkpoint of untumble"),
        (b"", "not a checkpoint of untumble"),
    ] {
        fs::write(&folder.file, bytes).expect("written");
        let ran = folder.solve("24-puzzle", KORF_FELNER_1, &options).exits(2);
        let ran = ran
            .stderr_contains(part)
            .stderr_contains("remove it to start again")
            .stderr_contains(folder.name());
        assert_eq!(ran.out, "");
        assert_eq!(fs::read(&folder.file).expect("a file"), bytes, "the file is kept");
    }
}

#[test]
fn a_solver_without_checkpoints_is_refused_before_the_search() {
    let folder = ProofFolder::new();
    let refused = |arguments: &[&str], part: &str| {
        let ran = run(&[&["solve"], arguments, &["--checkpoint", folder.name()]].concat())
            .exits(2)
            .stderr_contains(part);
        assert_eq!(ran.out, "");
        folder.assert_empty();
    };
    for solver in ["astar+manhattan", "bfs", "layers", "dfs:depth=9"] {
        refused(&["8-puzzle", HARDEST_8, "--with", solver], "use a resumable solver (iddfs, ida, parida)");
    }
    let small = ["solve", "8-puzzle", HARDEST_8, "--checkpoint", folder.name()];
    run(&small).exits(0).stderr_contains("astar+linear-conflict cannot be resumed from a checkpoint");
    folder.assert_empty();
    let boards = folder.dir.path().with_extension("boards");
    fs::write(&boards, format!("{HARDEST_8}\n{HARDEST_8}\n")).expect("written");
    refused(&["8-puzzle", "--file", boards.to_str().expect("a name"), "--with", "ida"], "one position");
    fs::remove_file(&boards).expect("removed");

    let nowhere = folder.dir.path().join("nowhere").join("long.proof");
    let ida = ["solve", "8-puzzle", HARDEST_8, "--with", "ida"];
    run(&[&ida[..], &["--checkpoint", nowhere.to_str().expect("a name")]].concat())
        .exits(2)
        .stderr_contains("there is no folder");
    run(&[&ida[..], &["--checkpoint", folder.dir.path().to_str().expect("a name")]].concat())
        .exits(2)
        .stderr_contains("not a regular file");
    run(&[&ida[..], &["--checkpoint-every", "1"]].concat()).exits(2).stderr_contains("--checkpoint <FILE>");
    // An unsolvable position has no proof to save.
    run(&[&ida[..2], &["1 2 3 4 5 6 8 7 0", "--with", "ida", "--checkpoint", folder.name()]].concat())
        .exits(4);
    folder.assert_empty();
}

/// A short search leaves no file; a folder that is not writable gives one warning.
#[test]
fn a_checkpoint_that_cannot_be_written_gives_a_warning() {
    let folder = ProofFolder::new();
    let ran = run(&["solve", "8-puzzle", HARDEST_8, "--with", "ida", "--checkpoint", folder.name()]).exits(0);
    assert!(!ran.err.contains("warning"), "{}", ran.err);
    folder.assert_empty();
    if cfg!(target_os = "linux") {
        let options = ["--checkpoint", "/proc/untumble.proof", "--checkpoint-every", "1ms", "--json"];
        let ran = run(&[
            &["solve", "15-puzzle", KORF_3, "--goal", "blank-first", "--with", "parida"],
            &options[..],
        ]
        .concat());
        let ran = ran.exits(0).stderr_contains("the search continues without checkpoints");
        assert_eq!(ran.err.matches("warning").count(), 1, "{}", ran.err);
        assert_eq!(ran.json()[0]["length"], 59);
    }
}
