//! Tables on disk and the command `tables`.

use crate::common::{KORF_3, RunOutput, Running, process, run, run_in, untumble};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use untumble_search::control::Control;
use untumble_search::disk::Disk;
use untumble_search::tables::{TableBuild, TableId, Tables};

const APPLES: &str = "fruit-apples-v1";
const PEARS: &str = "fruit-pears-htm-v2";

/// A folder with two tables.
fn folder_with_tables() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let disk = Disk::new(folder.path().to_owned());
    for (pattern, metric, version, length) in [("apples", "", 1, 3000), ("pears", "htm", 2, 5 << 20)] {
        let id = TableId { puzzle: "fruit".into(), pattern: pattern.into(), metric: metric.into(), version };
        let build = &mut |table: &mut TableBuild<'_>, _: &Control| {
            table.fill(7);
            Ok(())
        };
        disk.get(&id, length, &Control::default(), build).expect("built");
    }
    folder
}

fn table(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.table"))
}

/// Changes one byte of a file.
fn flip(path: &Path, at: usize) {
    let mut bytes = fs::read(path).expect("a file");
    bytes[at] ^= 16;
    fs::write(path, bytes).expect("writable");
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name")).collect();
    names.sort();
    names
}

#[test]
fn tables_are_listed_with_size_and_age() {
    let folder = folder_with_tables();
    let ran = run_in(folder.path(), &["tables", "list"]).exits(0).stderr_contains("2 tables, 5.0 MiB in ");
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines[0].starts_with("name ") && lines.len() == 3, "{}", ran.out);
    for (line, parts) in
        lines[1..].iter().zip([[APPLES, " apples ", "6.9 KiB"], [PEARS, "pears htm", "5.0 MiB"]])
    {
        assert!(parts.iter().all(|part| line.contains(part)) && line.contains("second"), "{line}");
    }
    let ran = run_in(folder.path(), &["tables", "list", PEARS, "--json"]).exits(0);
    let [pears] = &ran.json()[..] else { panic!("one line: {}", ran.out) };
    assert_eq!((&pears["name"], &pears["puzzle"]), (&PEARS.into(), &"fruit".into()));
    assert_eq!((&pears["pattern"], &pears["metric"]), (&"pears".into(), &"htm".into()));
    assert_eq!((&pears["version"], &pears["bytes"]), (&2.into(), &((5 << 20) + 4096).into()));
    assert_eq!(pears["path"].as_str(), table(folder.path(), PEARS).to_str());
    assert!(pears["age_seconds"].as_f64().is_some_and(|age| (0.0..600.0).contains(&age)), "{pears}");
    assert_eq!(ran.err, "");
}

#[test]
fn an_empty_or_missing_folder_holds_no_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    for path in [folder.path().to_owned(), folder.path().join("none")] {
        for command in [&["list"][..], &["verify"], &["remove", "--all"]] {
            let ran = run_in(&path, &[&["tables"], command].concat()).exits(0);
            assert_eq!(ran.out, "", "{command:?}");
        }
    }
    assert_eq!(files(folder.path()), [""; 0], "listing creates no folder");
}

#[test]
fn damaged_tables_are_reported_and_counted() {
    let folder = folder_with_tables();
    let verify = |names: &[&str]| run_in(folder.path(), &[&["tables", "verify"], names].concat());
    assert_eq!(verify(&[]).exits(0).out, format!("{APPLES}: ok\n{PEARS}: ok\n"));
    flip(&table(folder.path(), PEARS), 3 << 20);
    let ran = verify(&[]).exits(1).stderr_contains("1 of 2 tables damaged");
    assert_eq!(ran.out, format!("{APPLES}: ok\n{PEARS}: damaged: the contents are damaged\n"));
    verify(&[APPLES]).exits(0);
    verify(&[PEARS]).exits(1);
    fs::write(table(folder.path(), APPLES), "dear diary").expect("writable");
    let lines = verify(&["--json"]).exits(1).json();
    assert_eq!((&lines[0]["name"], &lines[0]["ok"]), (&APPLES.into(), &false.into()));
    assert_eq!(lines[0]["error"], "not a table of untumble");
    assert_eq!(lines[1]["error"], "the contents are damaged");
    let list = run_in(folder.path(), &["tables", "list"]).exits(0).out;
    assert!(list.contains("not a table of untumble"), "{list}");
}

#[test]
fn only_named_tables_are_removed() {
    let folder = folder_with_tables();
    let remove = |names: &[&str]| run_in(folder.path(), &[&["tables", "remove"], names].concat());
    remove(&["fruit-aples-v1"])
        .exits(2)
        .stderr_contains("there is no table `fruit-aples-v1`; did you mean `fruit-apples-v1`?");
    remove(&[APPLES, "nonsense"])
        .exits(2)
        .stderr_contains("there is no table `nonsense` (`untumble tables list`)");
    remove(&["../fruit-apples-v1"]).exits(2);
    remove(&[]).exits(2);
    assert_eq!(files(folder.path()).len(), 2, "a wrong name removes nothing");
    assert_eq!(remove(&["fruit-apples-v1.table"]).exits(0).out, "removed fruit-apples-v1 (6.9 KiB)\n");
    assert_eq!(files(folder.path()), ["fruit-pears-htm-v2.table"]);
}

#[test]
fn remove_all_keeps_other_files() {
    let folder = folder_with_tables();
    flip(&table(folder.path(), PEARS), 100);
    for other in ["notes.txt", "prices.table"] {
        fs::write(folder.path().join(other), "3 apples").expect("writable");
    }
    let ran = run_in(folder.path(), &["tables", "remove", "--all"]).exits(0).stderr_contains("prices.table");
    assert_eq!(ran.out.lines().count(), 2, "{}", ran.out);
    assert_eq!(files(folder.path()), ["notes.txt", "prices.table"]);
    run_in(folder.path(), &["tables", "remove", "prices"]).exits(0);
    assert_eq!(files(folder.path()), ["notes.txt"]);
}

#[test]
fn a_pointless_build_is_explained() {
    run(&["tables", "build", "15-puzzle", "--with", "ida+manhattan"])
        .exits(0)
        .stderr_contains("ida+manhattan needs no tables");
    run(&["tables", "build", "15-puzzle", "--with", "auto"]).exits(2).stderr_contains("name the solver");
    run(&["tables", "build", "15-puzzle", "--with", "ida+manhatan"])
        .exits(2)
        .stderr_contains("did you mean `manhattan`?");
    run(&["tables", "build", "15-puzzle"]).exits(2).stderr_contains("--with");
}

#[cfg(unix)]
#[test]
fn without_a_cache_folder_the_variable_is_named() {
    let mut command = untumble(&["tables", "list"]);
    command.env_remove("UNTUMBLE_CACHE").env_remove("XDG_CACHE_HOME").env_remove("HOME");
    let output = command.output().expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("set UNTUMBLE_CACHE"));
}

/// Tests with the tables of a solver.
mod solvers {
    use super::*;
    const SOLVER: &str = "ida+pdb:5-5-5";

    fn build(folder: &Path, more: &[&str]) -> RunOutput {
        run_in(folder, &[&["tables", "build", "15-puzzle", "--with", SOLVER], more].concat())
    }

    fn solve(folder: &Path, more: &[&str]) -> RunOutput {
        let arguments = ["solve", "15-puzzle", KORF_3, "--goal", "blank-first", "--with", SOLVER, "--json"];
        run_in(folder, &[&arguments, more].concat())
    }

    #[track_caller]
    fn assert_solved(ran: &RunOutput) {
        assert_eq!((&ran.json()[0]["length"], &ran.json()[0]["optimal"]), (&59.into(), &true.into()));
    }

    #[test]
    fn tables_are_built_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let built = build(folder.path(), &[]).exits(0);
        assert!(built.out.lines().all(|line| line.starts_with("built tiles-4x4")), "{}", built.out);
        let names = files(folder.path());
        assert_eq!(names.len(), built.out.lines().count(), "{names:?}");
        let again = build(folder.path(), &["--json"]).exits(0).json();
        assert!(again.iter().all(|line| line["built"] == false && line["kept"] == true), "{again:?}");
        run_in(folder.path(), &["tables", "verify"]).exits(0);
        assert_eq!(files(folder.path()), names);
    }

    #[test]
    fn a_damaged_table_is_rebuilt_while_solving() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = solve(folder.path(), &[]).exits(0);
        assert_solved(&first);
        let [name, ..] = &files(folder.path())[..] else { panic!("no tables are saved") };
        let path = folder.path().join(name);
        let whole = fs::read(&path).expect("a file");
        flip(&path, whole.len() / 2);
        let second = solve(folder.path(), &[])
            .exits(0)
            .stderr_contains(name)
            .stderr_contains("the contents are damaged; rebuilding the table");
        assert_solved(&second);
        assert!(fs::read(&path).expect("a file") == whole, "the table is restored");
        fs::write(&path, &whole[..whole.len() - 42]).expect("writable");
        assert_solved(&solve(folder.path(), &[]).exits(0).stderr_contains("42 bytes shorter than expected"));
        let last = solve(folder.path(), &[]).exits(0);
        assert_solved(&last);
        assert_eq!(last.err, "");
    }

    #[test]
    fn an_unusable_folder_gives_one_warning() {
        let folder = tempfile::tempdir().expect("a folder");
        let occupied = folder.path().join("file");
        fs::write(&occupied, "in the way").expect("writable");
        let ran = solve(&occupied.join("tables"), &[]).exits(0);
        assert_solved(&ran);
        assert_eq!(ran.err.matches("warning: ").count(), 1, "{}", ran.err);
        assert!(ran.err.contains("not stored"), "{}", ran.err);
        let ran = build(&occupied.join("tables"), &[]).exits(1);
        assert!(ran.out.contains("not saved"), "{}", ran.out);
    }

    #[test]
    fn stopped_builds_leave_no_files() {
        let folder = tempfile::tempdir().expect("a folder");
        build(folder.path(), &["--memory", "100K"]).exits(5).stderr_contains("the memory limit");
        build(folder.path(), &["--time", "0"]).exits(5).stderr_contains("the time limit");
        assert_eq!(files(folder.path()), [""; 0]);
    }

    /// The program may be killed at any moment; the next run solves correctly and removes drafts.
    #[test]
    fn a_killed_build_harms_nothing() {
        let whole = tempfile::tempdir().expect("a folder");
        let ran = build(whole.path(), &["--progress", "json"]).exits(0);
        let events = ran.err.lines().filter(|line| line.contains("\"table\"")).count();
        assert!(events >= 8, "{events} events of tables");
        let names = files(whole.path());
        let mut unfinished = 0;
        for moment in 0..20 {
            let folder = tempfile::tempdir().expect("a folder");
            let arguments = ["tables", "build", "15-puzzle", "--with", SOLVER, "--progress", "json"];
            let child = process(&arguments).env("UNTUMBLE_CACHE", folder.path()).spawn();
            let mut running = Running::of(child.expect("the program starts"));
            // Kill the build after each twentieth of its events, so that every phase is covered.
            (0..moment * events / 20).for_each(|_| drop(running.wait_for("\"table\"")));
            running.kill();
            unfinished += u32::from(files(folder.path()) != names);
            let saved = files(folder.path()).iter().filter(|name| name.ends_with(".table")).count();
            let next = build(folder.path(), &["--json"]).exits(0);
            assert_eq!(next.err, "", "no damage is reported");
            let read = next.json().iter().filter(|line| line["built"] == false).count();
            assert_eq!(read, saved, "saved tables are not built again");
            assert_eq!(files(folder.path()), names, "no drafts remain");
            assert_solved(&solve(folder.path(), &[]).exits(0));
        }
        assert!(unfinished >= 5, "only {unfinished} of 20 builds were killed before their end");
    }
}

/// Reading from a pipe without a writer would never end.
#[test]
#[cfg(unix)]
fn a_pipe_in_the_place_of_a_table_is_rebuilt() {
    let folder = tempfile::tempdir().expect("a folder");
    let solve = ["solve", "15-puzzle", KORF_3, "--goal", "blank-first", "--with", "ida+pdb:4-4-4-3"];
    let before = run_in(folder.path(), &solve).exits(0).out;
    let name = files(folder.path()).remove(0);
    let path = folder.path().join(&name);
    fs::remove_file(&path).expect("a table");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.is_ok_and(|status| status.success()), "a pipe");
    let ran = run_in(folder.path(), &solve)
        .exits(0)
        .stderr_contains(&name)
        .stderr_contains("not a regular file; rebuilding the table");
    assert_eq!(ran.out, before);
    assert!(path.is_file(), "the table is there again");
}
