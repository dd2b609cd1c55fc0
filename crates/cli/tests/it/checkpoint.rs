//! Long proofs are saved and go on: through `kill -9`, Ctrl-C and limits, and never with the wrong file.

use crate::common::{HARDEST_8, KORF_3, KORF_FELNER_1, Ran, Running, process, run, wait_until};
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

/// A folder with a file that is to hold a proof.
struct Desk {
    folder: TempDir,
    file: PathBuf,
}

impl Desk {
    fn new() -> Desk {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("long.proof");
        Desk { folder, file }
    }

    fn name(&self) -> &str {
        self.file.to_str().expect("a name")
    }

    fn saved(&self) -> Option<Checkpoint> {
        CheckpointFile::open(&self.file).expect("it is whole").1
    }

    /// Solves one position of a puzzle towards `blank-first` with this checkpoint.
    fn solve(&self, puzzle: &str, position: &str, more: &[&str]) -> Ran {
        run(&self.arguments(puzzle, position, more))
    }

    fn arguments<'a>(&'a self, puzzle: &'a str, position: &'a str, more: &[&'a str]) -> Vec<&'a str> {
        let mut arguments = vec!["solve", puzzle, position, "--goal", "blank-first", "--json"];
        arguments.extend(["--checkpoint", self.name()]);
        arguments.extend(more);
        arguments
    }

    /// Fails unless nothing is left in the folder.
    #[track_caller]
    fn is_clean(&self) {
        let left: Vec<_> = fs::read_dir(self.folder.path()).expect("a folder").collect();
        assert!(left.is_empty(), "{left:?} is left");
    }
}

/// `1234567` as the program writes it.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let mut groups: Vec<&str> = if first > 0 { vec![&digits[..first]] } else { Vec::new() };
    groups.extend((first..digits.len()).step_by(3).map(|at| &digits[at..at + 3]));
    groups.join(",")
}

/// What a run says when it takes up `saved`.
fn resumption(file: &Path, saved: &Checkpoint) -> String {
    let nodes = grouped(saved.generated());
    format!("resumed from {}: bound {}, {nodes} nodes and ", file.display(), saved.proof.bound)
}

/// Runs and is killed `kills` times after random numbers of further nodes were saved, then runs to its end. `whole` is the
/// number of nodes of the proof. Returns the last answer and how many runs said that they had resumed.
fn killed(desk: &Desk, arguments: &[&str], whole: u64, kills: u32) -> (Ran, u32) {
    let mut rng = ChaCha8Rng::seed_from_u64(whole);
    let (mut done, mut resumed, mut advanced) = (0, 0, 0);
    while done < kills || desk.saved().is_none() {
        let before = desk.saved();
        let mut child = process(arguments).spawn().expect("the program starts");
        // Every fourth is killed right at the start.
        let more = if done % 4 == 3 { 0 } else { rng.random_range(1..whole / u64::from(kills)) };
        let wanted = before.as_ref().map_or(0, Checkpoint::generated) + more;
        wait_until("nodes are saved", || {
            let saved = desk.saved().map_or(0, |saved| saved.generated());
            saved >= wanted || child.try_wait().expect("a status").is_some()
        });
        child.kill().expect("it is ours");
        let output = child.wait_with_output().expect("it ends");
        if !output.stdout.is_empty() {
            // It was done before it was killed: begin again.
            continue;
        }
        assert_eq!(output.status.code(), None, "it was killed");
        done += 1;
        let errors = String::from_utf8(output.stderr).expect("text");
        assert!(!errors.contains("error") && !errors.contains("warning"), "{errors}");
        let after = desk.saved();
        if let Some(before) = &before {
            let after = after.as_ref().expect("what was saved stays");
            assert!(after.generated() >= before.generated(), "nothing is lost");
            assert!(after.time >= before.time, "nor is the time");
            if !errors.is_empty() {
                assert!(errors.starts_with(&resumption(&desk.file, before)), "{errors}");
                resumed += 1;
            }
        }
        advanced += u32::from(after != before);
    }
    assert!(advanced >= kills / 3, "{advanced} of {kills} runs saved something");
    let left = desk.saved().expect("there is something to go on with");
    let last = run(arguments).exits(0).says(&resumption(&desk.file, &left));
    assert_eq!(last.json()[0]["resumed"]["generated"], left.generated());
    desk.is_clean();
    (last, resumed)
}

#[test]
fn a_proof_killed_twenty_times_is_the_proof_in_one_go() {
    let arguments = ["solve", "15-puzzle", KORF_63, "--goal", "blank-first", "--json"];
    let whole = run(&[&arguments[..], &["--with", "ida+manhattan"]].concat()).exits(0);
    let expected = &whole.json()[0];
    assert_eq!((&expected["length"], &expected["optimal"]), (&56.into(), &true.into()));
    assert!(expected.get("resumed").is_none(), "without a checkpoint there is nothing to say");

    let desk = Desk::new();
    let options = ["--with", "ida+manhattan", "--checkpoint-every", "10ms"];
    let nodes = expected["generated"].as_u64().expect("a count");
    let (last, resumed) = killed(&desk, &desk.arguments("15-puzzle", KORF_63, &options), nodes, 20);
    assert!(resumed >= 8, "{resumed} of 20 runs went on and said so before they were killed");
    let last = &last.json()[0];
    for key in ["solver", "outcome", "moves", "length", "optimal", "lower_bound", "generated", "iterations"] {
        assert_eq!(last[key], expected[key], "{key}");
    }
    assert!(last["seconds"].as_f64() > last["resumed"]["seconds"].as_f64());
}

/// On several threads every pass that ends without a solution counts the same.
#[test]
fn a_parallel_proof_survives_as_well() {
    let options = ["--with", "parida+manhattan", "--threads", "4"];
    let arguments = ["solve", "15-puzzle", KORF_3, "--goal", "blank-first", "--json"];
    let whole = run(&[&arguments[..], &options].concat()).exits(0);
    let desk = Desk::new();
    let options = [&options[..], &["--checkpoint-every", "10ms"]].concat();
    let whole = &whole.json()[0];
    let nodes = whole["generated"].as_u64().expect("a count");
    let (last, _) = killed(&desk, &desk.arguments("15-puzzle", KORF_3, &options), nodes, 6);
    let last = &last.json()[0];
    assert_eq!((&last["length"], &last["optimal"]), (&59.into(), &true.into()));
    let passes = |line: &Value| line["iterations"].as_array().expect("passes").clone();
    let (last, whole) = (passes(last), passes(whole));
    assert_eq!(last[..last.len() - 1], whole[..whole.len() - 1]);
}

/// The probe of the 15-puzzle and the one of any puzzle, one solution and all of them.
#[test]
fn pieces_add_up_to_the_whole() {
    let start = "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15";
    for options in [
        &["--with", "ida+manhattan"][..],
        &["--with", "ida+manhattan", "--all"],
        &["--with", "ida+linear-conflict"],
        &["--with", "ida+linear-conflict", "--all"],
    ] {
        let desk = Desk::new();
        let plain = ["solve", "15-puzzle", start, "--goal", "blank-first", "--json"];
        let whole = run(&[&plain[..], options].concat()).exits(0);
        let whole = &whole.json()[0];
        let nodes = (whole["generated"].as_u64().expect("a count") / 7 + 1).to_string();
        let more = [options, &["--nodes", &nodes]].concat();
        let mut runs = 1;
        let last = loop {
            let ran = desk.solve("15-puzzle", start, &more);
            if ran.code == Some(0) {
                break ran;
            }
            ran.exits(5).says("saved to ");
            runs += 1;
        };
        assert!((6..=8).contains(&runs), "{options:?}: {runs} runs");
        let last = &last.json()[0];
        for key in ["outcome", "moves", "length", "optimal", "generated", "iterations", "solutions"] {
            assert_eq!(last[key], whole[key], "{options:?}: {key}");
        }
        desk.is_clean();
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_saves() {
    let desk = Desk::new();
    let options = ["--with", "ida+manhattan", "--checkpoint-every", "1h"];
    let arguments = [&options[..], &["--progress", "bar"]].concat();
    let mut running = Running::start(&desk.arguments("24-puzzle", KORF_FELNER_1, &arguments));
    running.wait_for("nodes/s");
    let ran = running.end_by("INT").exits(130);
    let end = format!("saved to {}; the same command goes on from there\n", desk.name());
    assert!(ran.err.ends_with(&end), "{}", ran.err);
    let line = &ran.json()[0];
    assert_eq!((&line["resumed"], &line["stop"]), (&Value::Null, &"interrupted".into()));
    let saved = desk.saved().expect("it is saved");
    assert_eq!(line["generated"], saved.generated(), "all of it");

    // Limits hold for each run, and each goes on.
    let mut before = saved.generated();
    for _ in 0..3 {
        let saved = desk.saved().expect("it is there");
        let more = [&options[..], &["--nodes", "100000"]].concat();
        let ran = desk.solve("24-puzzle", KORF_FELNER_1, &more).exits(5);
        let ran = ran.says(&resumption(&desk.file, &saved)).says("saved to ");
        let line = &ran.json()[0];
        assert_eq!(line["resumed"]["generated"], before);
        let generated = line["generated"].as_u64().expect("a count");
        assert!((before + 100_000..before + 100_100).contains(&generated), "{before}, then {generated}");
        before = generated;
    }
}

/// `auto` runs solvers in turn: what the first found stays, and the last goes on.
#[test]
fn auto_goes_on_with_the_solver_that_was_saved() {
    let desk = Desk::new();
    let options = ["--nodes", "3000000", "--memory", "64M", "--threads", "2"];
    let first = desk.solve("24-puzzle", KORF_FELNER_1, &options).exits(5).says("saved to ");
    let saved = desk.saved().expect("it is saved");
    assert!(saved.search.run.solver.starts_with("parida+"), "{:?}", saved.search);
    assert!(saved.earlier.generated > 0, "another had its turn before");
    let second = desk.solve("24-puzzle", KORF_FELNER_1, &options).exits(5);
    let second =
        second.says(&resumption(&desk.file, &saved)).says(&format!("by {}", saved.search.run.solver));
    let (first, second) = (&first.json()[0], &second.json()[0]);
    assert_eq!(first["generated"], saved.generated());
    assert_eq!(second["resumed"]["generated"], saved.generated());
    for key in ["moves", "length"] {
        assert!(first[key] == second[key] && !first[key].is_null(), "{key}: {first} {second}");
    }
    assert_eq!(second["solver"], saved.search.run.solver);
    assert!(first["generated"].as_u64() < second["generated"].as_u64());
    // As events.
    let options = [&options[..], &["--progress", "json"]].concat();
    let ran = desk.solve("24-puzzle", KORF_FELNER_1, &options).exits(5);
    let events: Vec<Value> = ran.err.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let named = |name: &str| events.iter().find(|event| event["event"] == name).expect(name);
    assert_eq!(named("resumed")["nodes"], second["generated"]);
    assert_eq!(named("resumed")["solver"], second["solver"]);
    assert_eq!(named("saved")["file"], desk.name());
}

/// Who is stopped before the proof begins, even while its tables are built, keeps what was found.
#[test]
fn what_the_first_solvers_found_is_kept() {
    let desk = Desk::new();
    let first = desk.solve("24-puzzle", KORF_FELNER_1, &["--nodes", "2000000"]).exits(5).says("saved to ");
    let saved = desk.saved().expect("it is saved");
    let with = format!("{}+pdb:6-6-6-6", saved.search.run.solver.split('+').next().expect("an algorithm"));
    assert_eq!((saved.search.run.solver, saved.proof.started()), (with, false));
    // There is no time to build its tables.
    let second = desk.solve("24-puzzle", KORF_FELNER_1, &["--time", "1ms"]).exits(5).says("as it was");
    let (first, second) = (&first.json()[0], &second.json()[0]);
    for key in ["moves", "length", "lower_bound"] {
        assert!(first[key] == second[key] && !first[key].is_null(), "{key}: {first} {second}");
    }
    assert_eq!(second["resumed"]["generated"], first["generated"]);
}

#[test]
fn a_file_of_another_search_is_refused_and_kept() {
    let desk = Desk::new();
    let options = ["--with", "ida+manhattan", "--nodes", "1000"];
    desk.solve("24-puzzle", KORF_FELNER_1, &options).exits(5).says("saved to ");
    let bytes = fs::read(&desk.file).expect("a file");
    let other = KORF_FELNER_1.replace("14 5 9", "5 9 14");
    let run = |arguments: &[&str], part: &str| {
        let ran = run(&[arguments, &["--checkpoint", desk.name()]].concat()).exits(2).says(desk.name());
        let ran = ran.says(part).says("name another file");
        assert_eq!(ran.out, "");
        assert_eq!(fs::read(&desk.file).expect("a file"), bytes, "{arguments:?}");
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
        "with solver ida+manhattan, this run uses solver parida+manhattan; go on with --with ida+manhattan",
    );
    // Without --with the file decides.
    desk.solve("24-puzzle", KORF_FELNER_1, &["--nodes", "1000"]).exits(5).says("by ida+manhattan");
}

#[test]
fn a_file_that_is_damaged_or_foreign_is_named_and_kept() {
    let desk = Desk::new();
    let options = ["--with", "ida+manhattan", "--nodes", "1000"];
    desk.solve("24-puzzle", KORF_FELNER_1, &options).exits(5);
    let whole = fs::read(&desk.file).expect("a file");
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    let cut = &whole[..whole.len() - 1];
    for (bytes, part) in [
        (&flipped[..], "the checkpoint is damaged"),
        (cut, "the checkpoint is damaged"),
        (b"the only copy of my thesis", "not a checkpoint of untumble"),
        (b"", "not a checkpoint of untumble"),
    ] {
        fs::write(&desk.file, bytes).expect("written");
        let ran = desk.solve("24-puzzle", KORF_FELNER_1, &options).exits(2);
        let ran = ran.says(part).says("remove it to start afresh").says(desk.name());
        assert_eq!(ran.out, "");
        assert_eq!(fs::read(&desk.file).expect("a file"), bytes, "it is kept");
    }
}

#[test]
fn what_cannot_be_saved_is_refused_before_anything_is_done() {
    let desk = Desk::new();
    let refused = |arguments: &[&str], part: &str| {
        let ran = run(&[&["solve"], arguments, &["--checkpoint", desk.name()]].concat()).exits(2).says(part);
        assert_eq!(ran.out, "");
        desk.is_clean();
    };
    for solver in ["astar+manhattan", "bfs", "layers", "dfs:depth=9"] {
        refused(&["8-puzzle", HARDEST_8, "--with", solver], "name one that can (iddfs, ida, parida)");
    }
    let small = ["solve", "8-puzzle", HARDEST_8, "--checkpoint", desk.name()];
    run(&small).exits(0).says("astar+linear-conflict takes so little time that it is not saved");
    desk.is_clean();
    let boards = desk.folder.path().with_extension("boards");
    fs::write(&boards, format!("{HARDEST_8}\n{HARDEST_8}\n")).expect("written");
    refused(&["8-puzzle", "--file", boards.to_str().expect("a name"), "--with", "ida"], "one position");
    fs::remove_file(&boards).expect("it was there");

    let nowhere = desk.folder.path().join("nowhere").join("long.proof");
    let ida = ["solve", "8-puzzle", HARDEST_8, "--with", "ida"];
    run(&[&ida[..], &["--checkpoint", nowhere.to_str().expect("a name")]].concat())
        .exits(2)
        .says("there is no folder");
    run(&[&ida[..], &["--checkpoint", desk.folder.path().to_str().expect("a name")]].concat())
        .exits(2)
        .says("not a file");
    run(&[&ida[..], &["--checkpoint-every", "1"]].concat()).exits(2).says("--checkpoint <FILE>");
    // A position that no moves solve has no proof to save, and what is there stays.
    run(&[&ida[..2], &["1 2 3 4 5 6 8 7 0", "--with", "ida", "--checkpoint", desk.name()]].concat()).exits(4);
    desk.is_clean();
}

/// What is done in no time leaves no file; a folder that takes none costs one warning.
#[test]
fn what_cannot_be_written_costs_a_warning() {
    let desk = Desk::new();
    let ran = run(&["solve", "8-puzzle", HARDEST_8, "--with", "ida", "--checkpoint", desk.name()]).exits(0);
    assert!(!ran.err.contains("warning"), "{}", ran.err);
    desk.is_clean();
    if cfg!(target_os = "linux") {
        let options = ["--checkpoint", "/proc/untumble.proof", "--checkpoint-every", "1ms", "--json"];
        let ran = run(&[
            &["solve", "15-puzzle", KORF_3, "--goal", "blank-first", "--with", "parida"],
            &options[..],
        ]
        .concat());
        let ran = ran.exits(0).says("the search continues without checkpoints");
        assert_eq!(ran.err.matches("warning").count(), 1, "{}", ran.err);
        assert_eq!(ran.json()[0]["length"], 59);
    }
}
