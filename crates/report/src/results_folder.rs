//! The output folder of an analysis.
//!
//! Rows are appended to `results.partial` as they are measured, so that an interrupted run can be resumed.
//! The result files are written under draft names and renamed only when all of them are complete.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::charts;
use super::instances::Instance;
use super::row::Row;
use super::setup::{Configuration, Setup};
use crate::error::Error;
use untumble_search::draft::{self, Draft};
use untumble_session::number_format;

/// The rows of an unfinished run as lines of JSON; the first line is the setup.
const PARTIAL_FILE: &str = "results.partial";
/// The result files besides the charts; the report is the first.
pub const RESULT_FILES: [&str; 3] = ["report.html", "results.csv", "results.json"];

/// The names of all files that a run may write.
fn file_names() -> impl Iterator<Item = String> {
    let charts =
        charts::NAMES.iter().flat_map(|name| ["svg", "png"].map(|extension| format!("{name}.{extension}")));
    RESULT_FILES.map(str::to_owned).into_iter().chain(charts)
}

/// The treatment of results that the folder already contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExistingResults {
    /// Fail rather than overwrite them.
    Keep,
    /// Continue an unfinished run.
    Resume,
    /// Discard and overwrite them.
    Replace,
}

/// The state of a folder after opening it.
pub enum FolderState {
    /// It accepts rows.
    Open(ResultsFolder),
    /// The run to resume is already finished.
    Finished(FinishedResults),
}

/// A folder that accepts rows.
pub struct ResultsFolder {
    path: PathBuf,
    partial: File,
    existing: ExistingResults,
    /// Whether `partial` has no rows.
    empty: bool,
}

/// The results of a finished run.
pub struct FinishedResults {
    path: PathBuf,
    results: Value,
}

fn unusable(path: &Path, error: io::Error) -> Error {
    Error::UnusableFolder { path: path.to_owned(), error }
}

impl ResultsFolder {
    /// Opens the folder, creating it if necessary, and locks it against other runs.
    pub fn open(path: &Path, existing: ExistingResults) -> Result<FolderState, Error> {
        fs::create_dir_all(path).map_err(|error| unusable(path, error))?;
        let partial_path = path.join(PARTIAL_FILE);
        // An empty file is left by a run that ended before its first line; it cannot be resumed.
        let unfinished = fs::metadata(&partial_path).is_ok_and(|file| file.len() > 0);
        let folder = || path.to_owned();
        if let Some(path) = not_a_file(path) {
            return Err(Error::NotAFile { path });
        }
        match existing {
            ExistingResults::Keep if unfinished => {
                return Err(Error::Unfinished { folder: folder() });
            }
            ExistingResults::Resume if !unfinished && path.join(RESULT_FILES[0]).exists() => {
                return FinishedResults::read(path).map(FolderState::Finished);
            }
            ExistingResults::Keep | ExistingResults::Resume if !unfinished => check_no_results(path)?,
            _ => {}
        }
        let mut options = OpenOptions::new();
        let partial = options.read(true).write(true).create(true).truncate(false).open(&partial_path);
        let partial = partial.map_err(|error| unusable(&partial_path, error))?;
        match partial.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(Error::Locked { folder: folder() });
            }
            // File systems without locks are used without protection.
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        Ok(FolderState::Open(ResultsFolder { path: path.to_owned(), partial, existing, empty: !unfinished }))
    }

    /// Prepares the file of rows for appending. Returns the rows of the run to resume, whose setup must be
    /// the same, or none.
    pub fn begin(&mut self, setup: &Setup, instances: &[Instance]) -> Result<Vec<Row>, Error> {
        let mut rows = Vec::new();
        let mut end = 0;
        if self.existing == ExistingResults::Resume {
            (rows, end) = self.read_rows(setup, instances)?;
        }
        self.partial
            .set_len(end)
            .and_then(|()| self.partial.seek(SeekFrom::Start(end)))
            .map_err(|error| self.io_error(error))?;
        self.empty = rows.is_empty();
        if end == 0 {
            self.append_line(setup)?;
        }
        Ok(rows)
    }

    /// The rows of the file, and the offset at which its last complete line ends.
    fn read_rows(&mut self, setup: &Setup, instances: &[Instance]) -> Result<(Vec<Row>, u64), Error> {
        let mut rows = Vec::new();
        let mut searches = HashSet::new();
        let mut end = 0;
        let mut lines = BufReader::new(&self.partial);
        let mut line = Vec::new();
        loop {
            line.clear();
            let length = lines.read_until(b'\n', &mut line).map_err(|error| self.io_error(error))?;
            // An incomplete last line is overwritten; its search is measured again.
            if length == 0 || line.last() != Some(&b'\n') {
                return Ok((rows, end));
            }
            if end == 0 {
                let earlier = serde_json::from_slice(&line)
                    .map_err(|_| self.mismatch("its first line is not a setup"))?;
                compare_setup(&earlier, setup, |reason| self.mismatch(reason))?;
            } else {
                let wrong = |reason| {
                    let number = number_format::grouped(rows.len() as u64 + 1);
                    self.mismatch(&format!("row {number} {reason}"))
                };
                let row = parse_row(&line, setup, instances).map_err(wrong)?;
                if !searches.insert((row.position, row.solver.clone(), row.threads)) {
                    return Err(wrong("repeats an earlier row"));
                }
                rows.push(row);
            }
            end += length as u64;
        }
    }

    fn mismatch(&self, reason: &str) -> Error {
        Error::OtherExperiment {
            path: self.path.join(PARTIAL_FILE),
            reason: reason.to_owned(),
            finished: false,
        }
    }

    /// Appends a row to the file of rows.
    pub fn append(&mut self, row: &Row) -> Result<(), Error> {
        self.append_line(row)?;
        self.empty = false;
        Ok(())
    }

    fn append_line(&mut self, value: &impl serde::Serialize) -> Result<(), Error> {
        let mut line = serde_json::to_vec(value).map_err(|error| Error::Json { value: "a row", error })?;
        line.push(b'\n');
        self.partial.write_all(&line).map_err(|error| self.io_error(error))
    }

    fn io_error(&self, error: io::Error) -> Error {
        Error::Rows { path: self.path.join(PARTIAL_FILE), error }
    }

    /// Writes all result files, or none of them, and removes the file of rows and the result files of
    /// earlier runs that this run does not have.
    pub fn publish(self, files: &[(String, Vec<u8>)]) -> Result<(), Error> {
        let drafts = files.iter().map(|(name, bytes)| {
            let path = self.path.join(name);
            Draft::with_bytes(&path, bytes).map(|draft| (path.clone(), draft)).map_err(|error| (path, error))
        });
        let drafts: Result<Vec<_>, _> = drafts.collect();
        // A file cannot replace a directory: check before the first rename.
        let drafts = drafts.and_then(|drafts| match not_a_file(&self.path) {
            Some(path) => Err((path, io::Error::from(ErrorKind::IsADirectory))),
            None => Ok(drafts),
        });
        let published = drafts.and_then(|drafts| {
            drafts.into_iter().try_for_each(|(path, draft)| draft.publish().map_err(|error| (path, error)))
        });
        // Remove the drafts of runs that were killed.
        draft::clear(&self.path, |stem| {
            file_names().any(|name| Path::new(&name).file_stem().is_some_and(|known| known == stem))
        });
        if let Err((path, error)) = published {
            return Err(Error::Unpublished { path, error, rows: self.path.join(PARTIAL_FILE) });
        }
        for name in file_names().filter(|name| !files.iter().any(|(written, _)| written == name)) {
            remove(&self.path.join(name))?;
        }
        remove(&self.path.join(PARTIAL_FILE))
    }
}

impl Drop for ResultsFolder {
    /// Removes a file without rows, which the next run would otherwise have to handle.
    fn drop(&mut self) {
        if self.empty {
            // If the removal fails, the next run reports or resumes the file.
            let _ = fs::remove_file(self.path.join(PARTIAL_FILE));
        }
    }
}

impl FinishedResults {
    fn read(path: &Path) -> Result<FinishedResults, Error> {
        let finished = FinishedResults { path: path.join(RESULT_FILES[2]), results: Value::Null };
        let text = fs::read(&finished.path).map_err(|error| finished.mismatch(&error.to_string()))?;
        let results = serde_json::from_slice(&text).map_err(|_| finished.mismatch("it is not JSON"))?;
        Ok(FinishedResults { results, ..finished })
    }

    /// Whether a limit stopped one of the searches. Fails if the results are of another setup.
    pub fn stopped(&self, setup: &Setup) -> Result<bool, Error> {
        compare_setup(&self.results, setup, |reason| self.mismatch(reason))?;
        let solvers = self.results.get("solvers").and_then(Value::as_array);
        let stopped = |solver: &Value| solver.pointer("/all/stopped").and_then(Value::as_u64) > Some(0);
        Ok(solvers.is_some_and(|solvers| solvers.iter().any(stopped)))
    }

    fn mismatch(&self, reason: &str) -> Error {
        Error::OtherExperiment { path: self.path.clone(), reason: reason.to_owned(), finished: true }
    }
}

/// Fails if the setup of an earlier run differs.
fn compare_setup(earlier: &Value, setup: &Setup, mismatch: impl Fn(&str) -> Error) -> Result<(), Error> {
    let setup = serde_json::to_string(setup).and_then(|text| serde_json::from_str::<Value>(&text));
    let setup = setup.map_err(|error| Error::Json { value: "the setup", error })?;
    let keys = setup.as_object().into_iter().flat_map(|object| object.keys());
    let readable = |key: &'_ str| if key == "entrants" { "solvers" } else { key }.to_owned();
    let different: Vec<String> =
        keys.filter(|key| earlier.get(key) != setup.get(key)).map(|key| readable(key)).collect();
    if different.is_empty() {
        Ok(())
    } else {
        Err(mismatch(&format!("it differs in: {}", different.join(", "))))
    }
}

/// Parses a row and checks that this experiment can have produced it. Impossible numbers are rejected here,
/// because later arithmetic would overflow.
fn parse_row(line: &[u8], setup: &Setup, instances: &[Instance]) -> Result<Row, &'static str> {
    /// Thirty years.
    const MAX_SECONDS: f64 = 1e9;
    /// Solutions of the largest boards have some hundred thousand moves.
    const MAX_LENGTH: u32 = 10_000_000;
    let row: Row = serde_json::from_slice(line).map_err(|_| "cannot be parsed")?;
    let instance = row.position.checked_sub(1).and_then(|index| instances.get(index));
    if instance.is_none_or(|instance| instance.text != row.start) {
        return Err("has another position");
    }
    let configuration = Configuration { solver: row.solver.clone(), threads: row.threads };
    if !setup.configurations.contains(&configuration) {
        return Err("has another solver");
    }
    if !(0.0..=MAX_SECONDS).contains(&row.seconds) || row.length.is_some_and(|length| length > MAX_LENGTH) {
        return Err("has impossible numbers");
    }
    Ok(row)
}

/// The first path of a result file that exists and is neither a regular file nor a link to one.
fn not_a_file(folder: &Path) -> Option<PathBuf> {
    file_names()
        .map(|name| folder.join(name))
        .find(|path| fs::metadata(path).is_ok_and(|found| !found.is_file()))
}

/// Fails if the folder contains any result file.
fn check_no_results(path: &Path) -> Result<(), Error> {
    let existing = file_names().find(|name| fs::symlink_metadata(path.join(name)).is_ok());
    let folder = path.to_owned();
    match existing {
        None => Ok(()),
        Some(name) if name == RESULT_FILES[0] => Err(Error::HoldsResults { folder }),
        Some(name) => Err(Error::HoldsFile { folder, name }),
    }
}

/// Removes a file that may not exist.
fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(Error::Unremoved { path: path.to_owned(), error })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::instances::Origin;
    use super::super::row::tests::solved;
    use super::super::setup::RequestedLimits;
    use super::*;
    use untumble_puzzles::catalog::{self, Settings};

    fn instances() -> Vec<Instance> {
        let puzzle = catalog::open("8-puzzle", &Settings { goal: None, metric: None }).expect("a puzzle");
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
            Ok(FolderState::Finished(_)) => panic!("it is finished"),
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
            (vec![Row { solver: "b".into(), ..row(1) }], Some("row 1 has another solver")),
            (vec![Row { threads: 2, ..row(1) }], Some("has another solver")),
            (vec![Row { length: Some(u32::MAX), ..row(1) }], Some("has impossible numbers")),
            (vec![Row { seconds: 1e308, ..row(1) }], Some("has impossible numbers")),
            (vec![Row { seconds: -1.0, ..row(1) }], Some("has impossible numbers")),
            (vec![Row { start: "?".into(), ..row(1) }], Some("has another position")),
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
        assert_eq!(count(folder.path()), 0, "ended during preparation");
        let mut opened = open(folder.path(), ExistingResults::Keep);
        opened.begin(&setup(), &instances()).expect("a new run");
        drop(opened);
        assert_eq!(count(folder.path()), 0, "ended before the first search had finished");
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
            "reported before any search"
        );
        fs::remove_dir(&obstacle).expect("removed");
        // Left by runs with other charts, one of which was killed while writing.
        fs::write(folder.path().join("speedup.png"), "old").expect("written");
        fs::write(folder.path().join("efficiency.12345-0.draft"), "torn").expect("written");
        open(folder.path(), ExistingResults::Resume).publish(&files).expect("results");
        assert_eq!(count(folder.path()), files.len());
    }
}
