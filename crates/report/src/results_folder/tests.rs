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
        Instance { text: puzzle.text(&position), position, scramble_depth: None }
    };
    (0..2).map(instance).collect()
}

fn setup() -> Setup {
    Setup {
        untumble: "0".into(),
        puzzle: "a puzzle".into(),
        goal: None,
        metric: None,
        origin: Origin::Random { count: 2, seed: 1 },
        positions: 2,
        limits: RequestedLimits { seconds: None, nodes: None, memory: None },
        configurations: vec![Configuration { solver: "a".into(), threads: 1 }],
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
        let lines = rows.iter().map(|row| serde_json::to_string(row).expect("JSON"));
        let lines: Vec<String> =
            [serde_json::to_string(&setup).expect("JSON")].into_iter().chain(lines).collect();
        fs::write(folder.path().join(PARTIAL_FILE), lines.join("\n") + "\n").expect("written");
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
