use super::super::instances::Origin;
use super::super::row::tests::solved;
use super::super::setup::RequestedLimits;
use super::*;
use untumble_puzzles::catalog::{self, PuzzleSettings};

fn instances() -> Vec<Instance> {
    let puzzle = catalog::open("8-puzzle", &PuzzleSettings { goal: None, metric: None }).expect("a puzzle");
    let mut generator = untumble_session::seeded_rng(1);
    let instance = |_| {
        let position = puzzle.scramble(&mut generator, None);
        Instance { text: puzzle.text(&position), position, scramble_depth: None, reference: None }
    };
    (0..2).map(instance).collect()
}

fn setup() -> Setup {
    Setup {
        untumble_version: "0".into(),
        puzzle: "a puzzle".into(),
        goal: None,
        metric: None,
        origin: Origin::Random { count: 2, seed: 1 },
        positions: 2,
        limits: RequestedLimits { seconds: None, nodes: None, memory: None },
        configurations: vec![Configuration { solver: "a".into(), threads: 1 }],
        batch_plan: None,
    }
}

fn open(path: &Path, existing: ExistingResults) -> ResultsFolder {
    match ResultsFolder::open(path, existing) {
        Ok(FolderState::Open(folder)) => folder,
        Ok(FolderState::Finished(_)) => panic!("the run is already finished"),
        Err(error) => panic!("{error}"),
    }
}

fn count(path: &Path) -> usize {
    fs::read_dir(path).expect("a folder").count()
}

/// A row as it is appended.
fn line_of(row: &Row) -> Vec<u8> {
    row_line(row).expect("JSON")
}

/// Writes `results.partial` with these rows.
fn write_partial(folder: &Path, setup: &Setup, rows: &[Vec<u8>]) {
    let setup = json_line(setup, "the setup").expect("JSON");
    fs::write(folder.join(PARTIAL_FILE), [setup, rows.concat()].concat()).expect("written");
}

/// A figure that cannot be recomputed, such as a time, is protected as well.
#[test]
fn a_changed_row_is_refused_with_the_reason() {
    let (instances, setup) = (instances(), setup());
    let row = Row { start: instances[0].text.clone(), ..solved(1, "a", 9, 100, 0.25) };
    let text = String::from_utf8(line_of(&row)).expect("text");
    let plain = serde_json::to_string(&row).expect("JSON") + "\n";
    let changed = |from: &str, to: &str| {
        assert!(text.contains(from), "{text}");
        text.replacen(from, to, 1)
    };
    for (line, reason) in [
        (changed("0.25", "0.24"), "row 1 was changed after it was written"),
        (changed("\"generated\":100", "\"generated\":10"), "row 1 was changed after it was written"),
        (changed("\"optimal\":true", "\"optimal\":false"), "row 1 was changed after it was written"),
        (plain, "row 1 has no checksum"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        write_partial(folder.path(), &setup, &[line.into_bytes()]);
        let error = open(folder.path(), ExistingResults::Resume).begin(&setup, &instances);
        let error = error.expect_err("the row is refused").to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn rows_that_the_experiment_cannot_have_produced_are_rejected() {
    let (instances, setup) = (instances(), setup());
    let row = |position: usize| Row {
        start: instances[position - 1].text.clone(),
        ..solved(position, "a", 9, 100, 0.1)
    };
    for (rows, message) in [
        (vec![row(1), row(2)], None),
        (vec![row(1), row(1)], Some("row 2 repeats an earlier row")),
        (
            vec![Row { solver: "b".into(), ..row(1) }],
            Some("row 1 has a solver that is not in this experiment"),
        ),
        (vec![Row { threads: 2, ..row(1) }], Some("has a solver that is not in this experiment")),
        (vec![Row { length: Some(u32::MAX), ..row(1) }], Some("has impossible numbers")),
        (vec![Row { seconds: 1e308, ..row(1) }], Some("has impossible numbers")),
        (vec![Row { seconds: -1.0, ..row(1) }], Some("has impossible numbers")),
        (vec![Row { start: "?".into(), ..row(1) }], Some("has a position that is not in this experiment")),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        write_partial(folder.path(), &setup, &rows.iter().map(line_of).collect::<Vec<_>>());
        match (open(folder.path(), ExistingResults::Resume).begin(&setup, &instances), message) {
            (Ok(found), None) => assert_eq!(found, rows),
            (Err(error), Some(message)) => assert!(error.to_string().contains(message), "{error}"),
            (found, message) => panic!("{found:?} instead of {message:?}"),
        }
        assert!(folder.path().join(PARTIAL_FILE).exists(), "a rejected file is kept");
    }
}

#[test]
fn a_run_without_rows_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    drop(open(folder.path(), ExistingResults::Keep));
    assert_eq!(count(folder.path()), 0, "the run ended during preparation");
    let mut opened = open(folder.path(), ExistingResults::Keep);
    opened.begin(&setup(), &instances()).expect("a new run");
    drop(opened);
    assert_eq!(count(folder.path()), 0, "the run ended before its first search had finished");
    let mut opened = open(folder.path(), ExistingResults::Keep);
    opened.begin(&setup(), &instances()).expect("a new run");
    opened.append(&solved(1, "a", 9, 100, 0.1)).expect("appended");
    drop(opened);
    assert_eq!(count(folder.path()), 1, "a row is kept");
}

#[test]
fn results_are_published_completely_or_not_at_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let files: Vec<(String, Vec<u8>)> =
        ["growth.svg", "memory.png", "report.html"].map(|name| (name.to_owned(), b"new".to_vec())).into();
    let mut opened = open(folder.path(), ExistingResults::Keep);
    opened.begin(&setup(), &instances()).expect("a new run");
    opened.append(&solved(1, "a", 9, 100, 0.1)).expect("appended");
    let obstacle = folder.path().join("memory.png");
    fs::create_dir(&obstacle).expect("a folder in the way");
    let message = opened.publish(&files).expect_err("a file cannot replace a folder").to_string();
    assert!(message.contains("memory.png") && message.contains("results.partial"), "{message}");
    assert_eq!(count(folder.path()), 2, "the folder in the way and the rows");

    assert!(
        ResultsFolder::open(folder.path(), ExistingResults::Resume).is_err(),
        "the obstacle is reported before any search"
    );
    fs::remove_dir(&obstacle).expect("removed");
    // Files of earlier runs with other charts; one of these runs was killed while writing.
    fs::write(folder.path().join("speedup.png"), "old").expect("written");
    fs::write(folder.path().join("efficiency.12345-0.draft"), "torn").expect("written");
    open(folder.path(), ExistingResults::Resume).publish(&files).expect("results");
    assert_eq!(count(folder.path()), files.len());
}
