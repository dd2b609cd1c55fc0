//! The program never mixes the results of different runs. `src/commands/run_identity_tests.rs` compares
//! every pair of variants; here one run for each field shows that the commands use this comparison.

use std::fs;
use std::path::Path;

use crate::common::{HARDEST_8, RunOutput, run};

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("a name").to_owned()
}

/// Runs a batch over `positions` with `earlier`, then resumes it with `now`.
fn batch(positions: &str, earlier: &str, now: &str) -> RunOutput {
    let folder = tempfile::tempdir().expect("a folder");
    let [boards, out] = ["boards", "out"].map(|name| path(folder.path(), name));
    fs::write(&boards, positions).expect("a file");
    let batch = |arguments: &str, more: &[&str]| {
        let words: Vec<&str> = arguments.split(' ').collect();
        let (puzzle, options) = words.split_first().expect("a puzzle");
        run(&[&["batch", puzzle, &boards, "--out", &out], options, more].concat())
    };
    batch(earlier, &[]).exits(0);
    let written = fs::read(&out).expect("answers");
    let ran = batch(now, &["--resume"]);
    assert_eq!(fs::read(&out).expect("answers"), written, "the file is unchanged");
    ran
}

/// The same name with other weights is another run; another name with the same weights is the same run.
#[test]
fn a_weights_file_is_identified_by_its_contents() {
    let folder = tempfile::tempdir().expect("a folder");
    let [boards, out, weights, copy] = ["boards", "out", "w", "copy"].map(|name| path(folder.path(), name));
    fs::write(&boards, "R\n").expect("a file");
    let train = |seed: &str, out: &str| {
        run(&["train", "8-puzzle", "--budget", "1ms", "--width", "8", "--seed", seed, "--out", out]).exits(0);
    };
    train("1", &weights);
    fs::copy(&weights, &copy).expect("a copy");
    let batch = |weights: &str| {
        let with = format!("beam:width=20+learned:{weights}");
        run(&["batch", "8-puzzle", &boards, "--with", &with, "--out", &out, "--resume"])
    };
    batch(&weights).exits(0);
    batch(&copy).exits(0);
    let text = fs::read_to_string(&weights).expect("text");
    fs::write(&weights, format!("{text}# other contents\n")).expect("a file");
    batch(&weights).exits(2).stderr_contains("this run uses solver beam");

    // A checkpoint names the weights by their digest, which is not the name of a file.
    let proof = path(folder.path(), "proof");
    let solve = |more: &[&str]| {
        let arguments = ["solve", "8-puzzle", HARDEST_8, "--nodes", "500", "--checkpoint", &proof];
        run(&[&arguments, more].concat()).exits(if more.is_empty() { 2 } else { 5 })
    };
    let with = |weights: &str| format!("ida+learned:{weights}");
    solve(&["--with", &with(&copy)]).stderr_contains("saved to");
    solve(&["--with", &with(&copy)]).stderr_contains("resumed from");
    solve(&[])
        .stderr_contains("with solver ida+learned:FILE (FILE has the digest sha256-")
        .stderr_contains("name that file with --with ida+learned:FILE");
    let arguments = ["solve", "8-puzzle", HARDEST_8, "--checkpoint", &proof, "--with", &with(&weights)];
    run(&arguments)
        .exits(2)
        .stderr_contains("this run uses solver ida+learned:FILE (FILE has the digest sha256-")
        .stderr_contains("use --with ida+learned:FILE, or name another file");
}

#[test]
fn a_batch_of_another_run_is_refused_with_both_values() {
    for (positions, earlier, now, part) in [
        ("R U2", "cube2", "cube3", "written for cube2, this run solves cube3"),
        ("R U2", "cube2", "cube2 --metric qtm", "with metric htm, this run uses metric qtm"),
        ("R U2", "cube2 --metric qtm", "cube2 --metric htm", "with metric qtm, this run uses metric htm"),
        ("R", "8-puzzle", "8-puzzle --goal snail", "with goal blank-last, this run uses goal snail"),
        ("R", "8-puzzle --goal snail", "8-puzzle", "with goal snail, this run uses goal blank-last"),
        ("R", "8-puzzle", "8-puzzle --with astar", "with solver auto, this run uses solver astar+manhattan"),
        (
            "R",
            "8-puzzle --with ida:raise=off",
            "8-puzzle --with ida",
            "with solver ida:bpmx=off+manhattan, this run uses solver ida+manhattan",
        ),
        ("R", "8-puzzle", "8-puzzle --all", "with one solution per position, this run lists all of them"),
        ("R", "8-puzzle --all", "8-puzzle", "with all solutions per position, this run lists one"),
        ("R", "8-puzzle --nodes 9000", "8-puzzle", "with node limit 9000, this run has no node limit"),
        (
            "R",
            "8-puzzle --max-length 40",
            "8-puzzle --max-length 41",
            "with maximum length 40, this run has maximum length 41",
        ),
        ("1A", "balto-2", "balto-3", "written for balto-2, this run solves balto-3"),
    ] {
        for format in ["ndjson", "csv"] {
            let [earlier, now] = [earlier, now].map(|arguments| format!("{arguments} --format {format}"));
            let ran = batch(positions, &earlier, &now)
                .exits(2)
                .stderr_contains(part)
                .stderr_contains("cannot resume: the ");
            assert_eq!(ran.out, "");
        }
    }
}

#[test]
fn a_batch_is_resumed_by_equivalent_arguments() {
    for (positions, earlier, now) in [
        ("R U2", "cube2", "pocket --metric HTM --goal solved"),
        ("R", "8-puzzle", "tiles-3x3 --goal 1,2,3,4,5,6,7,8,0 --with auto --threads 1"),
        ("R", "8-puzzle --with A*", "8-puzzle --with astar:w=1.0+manhattan"),
        ("R", "8-puzzle --with ida:raise=off,early=off", "8-puzzle --with IDA*:early=off,bpmx=off --time 60"),
    ] {
        for format in ["ndjson", "csv"] {
            let [earlier, now] = [earlier, now].map(|arguments| format!("{arguments} --format {format}"));
            batch(positions, &earlier, &now).exits(0).stderr_contains("resumed after 1 answer");
        }
    }
}

/// A line that is invalid for one puzzle may be a position of another.
#[test]
fn invalid_lines_of_another_puzzle_are_not_resumed() {
    let folder = tempfile::tempdir().expect("a folder");
    let [boards, out] = ["boards", "out"].map(|name| path(folder.path(), name));
    fs::write(&boards, "R U2 F'\n").expect("a file");
    for format in ["ndjson", "csv"] {
        let more = [&boards, "--format", format, "--out", &out];
        run(&[&["batch", "8-puzzle", "--force"], &more[..]].concat()).exits(3);
        run(&[&["batch", "cube2", "--resume"], &more[..]].concat())
            .exits(2)
            .stderr_contains("the answer to line 1 was written for tiles-3x3, this run solves cube2");
        run(&[&["batch", "8-puzzle", "--resume"], &more[..]].concat())
            .exits(3)
            .stderr_contains("resumed after 1 answer");
    }
}

/// Twelve quarter turns, out of reach for a search of a thousand nodes.
const SCRAMBLE: &str = "R U F' L D B' R' U' F L' D' B";

#[test]
fn a_checkpoint_of_another_metric_or_solver_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = path(folder.path(), "long.proof");
    let solve = |options: &str| {
        let words = options.split(' ').filter(|word| !word.is_empty());
        let fixed = ["solve", "cube3", SCRAMBLE, "--nodes", "1000", "--checkpoint", &file];
        run(&fixed.into_iter().chain(words).collect::<Vec<_>>())
    };
    solve("--with ida").exits(5).stderr_contains("saved to ");
    let saved = fs::read(&file).expect("a file");
    for (options, part) in [
        ("--with ida --metric qtm", "the file was written with metric htm, this run uses metric qtm"),
        ("--metric qtm", "the file was written with metric htm, this run uses metric qtm"),
        (
            "--with ida:raise=off",
            "the file was written with solver ida+manhattan, this run uses solver ida:bpmx=off+manhattan",
        ),
        ("--with ida --all", "written with one solution per position, this run lists all of them"),
    ] {
        solve(options).exits(2).stderr_contains(part).stderr_contains("name another file");
        assert_eq!(fs::read(&file).expect("a file"), saved, "{options}");
    }
    for options in
        ["--with ida --metric htm", "--with IDA*:bpmx=on+manhattan", "--metric HTM --max-length 30", ""]
    {
        solve(options).exits(5).stderr_contains("resumed from ").stderr_contains("by ida+manhattan");
    }
}

/// `auto` is the same run, however many positions are answered already.
#[test]
fn auto_is_one_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let [boards, out] = ["boards", "out"].map(|name| path(folder.path(), name));
    fs::write(&boards, format!("{HARDEST_8}\nR\n")).expect("a file");
    let batch = ["batch", "8-puzzle", &boards, "--out", &out];
    run(&batch).exits(0);
    let whole = fs::read_to_string(&out).expect("answers");
    let (first, _) = whole.split_once('\n').expect("a line");
    fs::write(&out, format!("{first}\n")).expect("a file");
    run(&[&batch[..], &["--resume", "--with", "auto"]].concat())
        .exits(0)
        .stderr_contains("resumed after 1 answer");
    let answers = fs::read_to_string(&out).expect("answers");
    let runs = |text: &str| text.matches("\"run\":\"tiles-3x3 auto\"").count();
    let solvers = |text: &str| {
        let value = |line: &str| {
            serde_json::from_str::<serde_json::Value>(line).expect("an answer")["solver"].clone()
        };
        text.lines().map(value).collect::<Vec<_>>()
    };
    assert_eq!((runs(&whole), runs(&answers)), (2, 2), "{answers}");
    assert_eq!(solvers(&whole), solvers(&answers));
}
