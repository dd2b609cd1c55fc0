//! Comparisons of solvers: the findings, the agreement of all outputs, resumption and failures.

use std::fs;
use std::path::Path;

use crate::common::{RunOutput, process, run, run_with, signal, wait_until};
use serde_json::Value;
use tempfile::TempDir;

/// The five solvers of the classic comparison, on few positions.
const CLASSIC: [&str; 15] = [
    "8-puzzle",
    "--goal",
    "snail",
    "--with",
    "bfs",
    "--with",
    "parbfs",
    "--with",
    "astar+nilsson",
    "--with",
    "astar+manhattan",
    "--with",
    "ida+manhattan",
    "--count",
    "60",
];

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn analyze(arguments: &[&str], out: &Path) -> RunOutput {
    run(&[&["analyze"], arguments, &["--out", out.to_str().expect("a plain path")]].concat())
}

fn results(out: &Path) -> Value {
    serde_json::from_slice(&fs::read(out.join("results.json")).expect("results.json")).expect("JSON")
}

fn names(out: &Path) -> Vec<String> {
    let entries = fs::read_dir(out).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Runs a script of `tests/report`.
#[cfg(feature = "external-tests")]
fn script(name: &str, arguments: &[&str]) -> std::process::Output {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/report").join(name);
    std::process::Command::new("python3").arg(path).args(arguments).output().expect("python3 is installed")
}

#[cfg(feature = "external-tests")]
fn assert_success(output: &std::process::Output) {
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_comparison_names_solvers_with_optimal_solutions() {
    let folder = folder();
    let out = folder.path().join("study");
    let ran = analyze(&CLASSIC, &out).exits(0);
    let results = results(&out);
    for solver in results["solvers"].as_array().expect("solvers") {
        let shortest = solver["all"]["shortest"].as_f64();
        if solver["solver"] == "astar+nilsson" {
            assert!(shortest < Some(0.9), "{shortest:?}");
            assert_eq!(solver["all"]["proven"], 0);
            assert!(solver["all"]["longer"].as_f64() > Some(0.1));
        } else {
            assert_eq!(shortest, Some(1.0), "{}", solver["solver"]);
            assert_eq!(solver["all"]["proven"], 1);
        }
    }
    assert!(ran.out.contains("solutions of astar+nilsson are longer than the best known"), "{}", ran.out);
    let charts = ["average-moves", "average-nodes", "average-runtime", "branching", "growth", "memory"];
    let scatters = ["nodes-by-moves", "nodes-by-runtime", "runtime-by-moves"];
    let pictures =
        charts.iter().chain(&scatters).flat_map(|name| [format!("{name}.png"), format!("{name}.svg")]);
    let mut expected: Vec<String> =
        pictures.chain(["report.html", "results.csv", "results.json"].map(str::to_owned)).collect();
    expected.sort();
    assert_eq!(names(&out), expected, "exactly these files are written");
}

#[cfg(feature = "external-tests")]
#[test]
fn all_outputs_agree_with_the_rows() {
    let folder = folder();
    let out = folder.path().join("study");
    let ran = analyze(&[&CLASSIC[..], &["--threads", "1,2"]].concat(), &out).exits(0);
    let terminal = folder.path().join("terminal.txt");
    fs::write(&terminal, &ran.out).expect("written");
    let arguments = [out.to_str().expect("a path"), terminal.to_str().expect("a path")];
    assert_success(&script("recompute.py", &arguments));

    // The script detects errors: it fails if the rows of two solvers are swapped.
    let rows = fs::read_to_string(out.join("results.csv")).expect("rows");
    let swapped =
        rows.replace(",bfs,", ",\0,").replace(",ida+manhattan,", ",bfs,").replace(",\0,", ",ida+manhattan,");
    assert_ne!(rows, swapped);
    fs::write(out.join("results.csv"), swapped).expect("written");
    let output = script("recompute.py", &arguments);
    assert!(!output.status.success(), "swapped rows are noticed");
}

/// The path of Chromium: `UNTUMBLE_BROWSER`, which `./test` sets, or the first one on `PATH`.
#[cfg(all(unix, feature = "external-tests"))]
fn browser() -> std::path::PathBuf {
    if let Some(path) = std::env::var_os("UNTUMBLE_BROWSER") {
        return path.into();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .flat_map(|folder| ["chromium", "chromium-browser", "google-chrome"].map(|name| folder.join(name)))
        .find(|program| program.is_file())
        .expect("Chromium, which ./test installs")
}

#[cfg(all(unix, feature = "external-tests"))]
#[test]
fn every_chart_of_the_report_shows_in_a_browser() {
    let browser = browser();
    let folder = folder();
    let out = folder.path().join("study");
    analyze(&[&CLASSIC[..], &["--threads", "1,2"]].concat(), &out).exits(0);
    let report = out.join("report.html");
    let arguments = [browser.to_str().expect("a path"), report.to_str().expect("a path")];
    let output = script("look.py", &arguments);
    assert_success(&output);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("phone-dark: 11 charts"), "{text}");
}

#[test]
fn a_table_by_length_is_printed() {
    let ran =
        run(&["compare", "8-puzzle", "--with", "ida", "--with", "bfs", "--depths", "4..6", "--count", "3"])
            .exits(0);
    for part in
        ["tiles-3x3: 3 positions for each scramble depth from 4 to 6 (seed 1)", "all (9)", "p95", "6 moves ("]
    {
        assert!(ran.out.contains(part), "`{part}` is missing in:\n{}", ran.out);
    }
    let again =
        run(&["compare", "8-puzzle", "--with", "ida", "--depths", "4..6", "--count", "3", "--json"]).exits(0);
    let [json] = &again.json()[..] else { panic!("one line: {}", again.out) };
    assert_eq!(json["positions"], 9);
    assert_eq!(json["solvers"][0]["all"]["solved"], 9);
    assert_eq!(json["origin"]["depths"]["most"], 6);
}

#[test]
fn the_positions_are_those_of_scramble() {
    let scrambled = run(&["scramble", "8-puzzle", "--count", "5", "--seed", "7"]).exits(0).out;
    let folder = folder();
    analyze(&["8-puzzle", "--with", "ida", "--count", "5", "--seed", "7"], folder.path()).exits(0);
    let rows = fs::read_to_string(folder.path().join("results.csv")).expect("rows");
    let starts: Vec<&str> = rows.lines().skip(1).filter_map(|row| row.split(',').nth(1)).collect();
    assert_eq!(starts, scrambled.lines().collect::<Vec<_>>());
}

#[test]
fn one_thread_solvers_are_measured_once() {
    let arguments = [
        "compare",
        "8-puzzle",
        "--with",
        "ida",
        "--with",
        "parida",
        "--count",
        "4",
        "--threads",
        "1,2,3",
        "--json",
    ];
    let ran = run(&arguments).exits(0);
    let json = &ran.json()[0];
    let solvers: Vec<(&str, u64)> = json["solvers"]
        .as_array()
        .expect("solvers")
        .iter()
        .map(|solver| {
            (solver["solver"].as_str().expect("a name"), solver["threads"].as_u64().expect("a number"))
        })
        .collect();
    assert_eq!(solvers, [("ida", 1), ("parida", 1), ("parida", 2), ("parida", 3)]);
    assert_eq!(json["scaling"].as_array().map(Vec::len), Some(3));
}

#[test]
fn shared_tables_are_counted_for_every_solver() {
    let with = ["--with", "ida+pdb:4-4", "--with", "astar+pdb:4-4", "--with", "ida"];
    let ran = run(&[&["compare", "8-puzzle", "--count", "3", "--json"], &with[..]].concat()).exits(0);
    let json = &ran.json()[0];
    let bytes = |index: usize| json["solvers"][index]["tables"]["bytes"].as_f64().expect("bytes");
    assert!(bytes(0) > 0.0 && bytes(0) == bytes(1), "{} and {}", bytes(0), bytes(1));
    assert!(json["solvers"][0]["all"]["peak_bytes"]["max"].as_f64() >= Some(bytes(0)));
    assert!(bytes(2) < bytes(0));
}

#[test]
fn invalid_positions_are_reported_and_skipped() {
    let boards = "1 2 3 4 5 6 0 7 8\n1 2 3 4 5 6 8 7 0\n";
    let ran = run_with(&["compare", "8-puzzle", "--with", "ida", "--file", "-"], boards).exits(4);
    let ran = ran.stderr_contains("standard input, line 2: ").stderr_contains("; skipped");
    assert!(ran.out.contains("2 moves (1)"), "{}", ran.out);
    run_with(&["compare", "8-puzzle", "--with", "ida", "--file", "-"], format!("{boards}x\n")).exits(3);
    run_with(&["compare", "8-puzzle", "--with", "ida", "--file", "-"], "x\n")
        .exits(3)
        .stderr_contains("there is nothing to compare");
    run_with(&["compare", "8-puzzle", "--with", "ida", "--file", "-"], "")
        .exits(3)
        .stderr_contains("holds no solvable position");
}

#[test]
fn wrong_usage_is_reported_before_the_searches() {
    let folder = folder();
    let out = folder.path().join("study");
    for (arguments, part) in [
        (&["15-puzzle", "--with", "ida+nilsson"][..], "nilsson"),
        (&["8-puzzle", "--with", "zebra"], "there is no algorithm `zebra`"),
        (&["8-puzzle", "--with", "ida", "--with", "ida"], "--with ida is given twice"),
        (&["8-puzzle", "--with", "ida", "--count", "0"], "--count must be at least 1"),
        (&["8-puzzle", "--with", "ida", "--depths", "9..4"], "4..9"),
        (&["8-puzzle", "--with", "ida", "--count", "99999999999"], "at most"),
        (&["8-puzzle"], "--with"),
        (&["8-puzzle", "--with", "ida", "--threads", "1,0"], "at least 1 thread"),
    ] {
        let ran = analyze(arguments, &out).exits(2);
        assert!(ran.err.contains(part), "{arguments:?}: {}", ran.err);
        assert!(!out.join("report.html").exists());
    }
}

/// Degenerate studies have a report, too.
#[test]
fn studies_without_solutions_or_with_one_position_have_a_report() {
    for (more, code, sentence) in [
        (&["--count", "3", "--nodes", "2"][..], 5, "No solver solved any position"),
        (&["--count", "1"], 0, "Every solution of every solver is optimal."),
        (&["--depth", "0", "--count", "2"], 0, "Every solution of every solver is optimal."),
    ] {
        let folder = folder();
        let ran = analyze(&[&["8-puzzle", "--with", "ida", "--with", "bfs"], more].concat(), folder.path())
            .exits(code);
        assert!(ran.out.contains(sentence), "{more:?}: {}", ran.out);
        let page = fs::read_to_string(folder.path().join("report.html")).expect("a report");
        assert!(page.contains(sentence) && page.ends_with("</html>\n"), "{more:?}");
        assert!(!page.contains("NaN"), "{more:?}");
        assert_eq!(names(folder.path()).len(), 21, "{more:?}");
    }
}

#[test]
fn a_stopped_solver_does_not_affect_the_others() {
    let with = ["--with", "bfs", "--with", "ida+manhattan", "--with", "astar"];
    let limits = ["--count", "2", "--time", "0.2", "--memory", "100M"];
    let ran =
        run(&[&["compare", "15-puzzle", "--depth", "30", "--json"], &with[..], &limits].concat()).exits(5);
    let json = &ran.json()[0];
    let solvers = json["solvers"].as_array().expect("solvers");
    assert_eq!(solvers[0]["all"]["stopped"], 2);
    assert_eq!(solvers[1]["all"]["solved"], 2);
    assert_eq!(solvers[2]["all"]["solved"], 2);
}

#[test]
fn an_unusable_folder_is_reported_before_the_searches() {
    let folder = folder();
    let file = folder.path().join("file");
    fs::write(&file, "not a folder").expect("written");
    for out in [file.clone(), file.join("inside")] {
        analyze(&["8-puzzle", "--with", "ida"], &out).exits(2).stderr_contains("choose a writable folder");
    }
}

#[test]
fn earlier_results_are_replaced_only_with_force() {
    let folder = folder();
    let base = ["8-puzzle", "--with", "ida", "--count", "3"];
    analyze(&base, folder.path()).exits(0);
    let before = fs::read(folder.path().join("results.csv")).expect("rows");
    analyze(&base, folder.path()).exits(2).stderr_contains("replace them with --force");
    analyze(&[&base[..], &["--resume"]].concat(), folder.path())
        .exits(0)
        .stderr_contains("there is nothing to resume");
    assert_eq!(fs::read(folder.path().join("results.csv")).expect("rows"), before);
    analyze(&[&base[..], &["--force", "--seed", "2"]].concat(), folder.path()).exits(0);
    assert_ne!(fs::read(folder.path().join("results.csv")).expect("rows"), before);
}

#[cfg(unix)]
#[test]
fn an_interrupted_analysis_is_resumed_without_measuring_twice() {
    let folder = folder();
    let out = folder.path().join("study");
    let path = out.to_str().expect("a path");
    let base = ["analyze", "8-puzzle", "--with", "bfs", "--with", "astar", "--count", "200", "--out", path];
    let partial = out.join("results.partial");
    let child = process(&base).spawn().expect("the program starts");
    let lines = || fs::read_to_string(&partial).unwrap_or_default().lines().count();
    wait_until("rows are written", || lines() >= 20);
    signal(&child, "INT");
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(130));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("of 400 searches; continue with --resume"), "{errors}");
    assert_eq!(names(&out), ["results.partial"]);

    // A crash leaves an incomplete last line, which is measured again; the other rows are kept.
    let kept = fs::read_to_string(&partial).expect("rows");
    let rows: Vec<&str> = kept.lines().skip(1).collect();
    fs::write(&partial, &kept[..kept.len() - 9]).expect("written");
    run(&base).exits(2).stderr_contains("continue it with --resume, or start again with --force");
    let other = [&base[..], &["--resume", "--nodes", "9"]].concat();
    run(&other).exits(2).stderr_contains("it differs in: limits");
    let resumed = run(&[&base[..], &["--resume"]].concat()).exits(0);
    let resumed = resumed.stderr_contains(&format!("resuming after {} finished searches", rows.len() - 1));
    assert!(resumed.out.contains("all (200)"), "{}", resumed.out);
    let table = fs::read_to_string(out.join("results.csv")).expect("rows");
    assert_eq!(table.lines().count(), 401);
    for row in &rows[..rows.len() - 1] {
        let row: Value = serde_json::from_str(row).expect("a row");
        let line = format!(",{:.9},", row["seconds"].as_f64().expect("seconds"));
        let start = format!("{},{},", row["position"], row["start"].as_str().expect("a start"));
        assert!(table.lines().any(|known| known.starts_with(&start) && known.contains(&line)), "{row}");
    }
    assert!(!partial.exists());
}

#[test]
fn a_suite_is_measured_saved_and_compared() {
    let folder = folder();
    let saved = folder.path().join("before.json");
    let saved = saved.to_str().expect("a path");
    assert!(run(&["bench"]).exits(0).out.contains("8-puzzle"));
    run(&["bench", "9-puzzle"])
        .exits(2)
        .stderr_contains("there is no suite `9-puzzle`; did you mean `8-puzzle`?");
    run(&["bench", "8-puzzle", "--against", saved]).exits(2).stderr_contains("before.json");
    run(&["bench", "8-puzzle", "--save", "/dev/null/x"]).exits(2).stderr_contains("/dev/null/x");

    let first =
        run(&["bench", "8-puzzle", "--rounds", "2", "--save", saved]).exits(0).stderr_contains("saved to ");
    assert_eq!(names(folder.path()), ["before.json"]);
    let again = run(&["bench", "8-puzzle", "--rounds", "1", "--against", saved]).exits(0);
    let case = "8-puzzle, 5000 random, ida+manhattan";
    // The work is the same to the last node, only times differ.
    let work = |ran: &RunOutput| -> Vec<String> {
        let line = ran.out.lines().find(|line| line.starts_with(case)).expect(case);
        line[case.len()..].split_whitespace().take(4).map(str::to_owned).collect()
    };
    assert_eq!(work(&first), ["5,000", "110,331", "17,808,900", "CPU"]);
    assert_eq!(work(&again), work(&first));
    assert!(again.out.contains("ratio") && !again.out.contains("other work"), "{}", again.out);

    let other =
        fs::read_to_string(saved).expect("saved").replace("\"suite\": \"8-puzzle\"", "\"suite\": \"korf\"");
    fs::write(saved, other).expect("written");
    run(&["bench", "8-puzzle", "--against", saved])
        .exits(2)
        .stderr_contains("contains results of the suite korf, not 8-puzzle");
}

/// Runs a script in its own namespace, in which a small disk is mounted; `None` if the kernel refuses this.
#[cfg(all(target_os = "linux", feature = "external-tests"))]
#[allow(clippy::print_stderr, reason = "a test that is skipped says so")]
fn on_a_small_disk(bytes: &str, script: &str) -> Option<std::process::Output> {
    let folder = folder();
    let mounted =
        format!("mount -t tmpfs -o size={bytes} small \"$1\" || exit 77\ncd \"$1\" || exit 77\n{script}");
    let output = std::process::Command::new("unshare")
        .args(["-rm", "sh", "-c", &mounted, "sh"])
        .arg(folder.path())
        .arg(env!("CARGO_BIN_EXE_untumble"))
        .env("UNTUMBLE_CACHE", crate::common::CACHE)
        .output();
    match output {
        Ok(output)
            if output.status.code() != Some(77)
                && !String::from_utf8_lossy(&output.stderr).contains("unshare:") =>
        {
            Some(output)
        }
        refused => {
            eprintln!("skipped: no small disk can be mounted here ({refused:?})");
            None
        }
    }
}

#[cfg(all(target_os = "linux", feature = "external-tests"))]
#[test]
fn a_full_disk_leaves_nothing_half_written() {
    // The first disk has room for the rows, the second for neither rows nor results.
    for (size, count, part) in
        [("200k", 100, "the measurements are kept in"), ("24k", 400, "the rows written so far are kept")]
    {
        let script = format!(
            "\"$2\" analyze 8-puzzle --with ida --with astar --count {count} --out study; echo code $?; ls -A study; \
             mount -o remount,size=8M \"$1\" && \"$2\" analyze 8-puzzle --with ida --with astar --count {count} --out study --resume > out; \
             echo code $?; ls -A study | wc -l"
        );
        let Some(output) = on_a_small_disk(size, &script) else { return };
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines, ["code 1", "results.partial", "code 0", "21"], "{size}: {err}");
        assert!(err.contains("No space left") && err.contains(part), "{size}: {err}");
        assert!(!err.contains("This is a bug"), "{err}");
    }
}
