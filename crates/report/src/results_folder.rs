//! The output folder of an experiment.
//!
//! A run of an experiment appends each [`Row`] (one search) to `results.partial` as it is measured, so that
//! an interrupted run can be resumed. The result files are written under draft names and renamed only when
//! all of them are complete.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::charts;
use super::instances::Instance;
use super::row::Row;
use super::setup::{Configuration, Setup};
use crate::error::Error;
use untumble_search::draft::{self, Draft, FileLock};
use untumble_session::line_checksum::{self, LineFormat};
use untumble_session::number_format;

/// The rows of an unfinished run as lines of JSON; the first line is the setup. Every row ends with a
/// checksum, since most of its fields cannot be recomputed.
const PARTIAL_FILE: &str = "results.partial";
/// The report.
const REPORT_FILE: &str = "report.html";
/// The analysis as JSON, from which [`FinishedResults`] reads the setup of a finished run.
const JSON_FILE: &str = "results.json";
/// The result files besides the charts.
pub const RESULT_FILES: [&str; 3] = [REPORT_FILE, "results.csv", JSON_FILE];

/// The names of all files that a run may write.
fn file_names() -> impl Iterator<Item = String> {
    let charts =
        charts::NAMES.iter().flat_map(|name| ["svg", "png"].map(|extension| format!("{name}.{extension}")));
    RESULT_FILES.map(str::to_owned).into_iter().chain(charts)
}

/// What to do with results that are already in the folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExistingResults {
    /// Return an error if there are any.
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
    /// `results.partial`, locked against other runs.
    partial: File,
    existing: ExistingResults,
    /// Whether `partial` has no rows.
    has_no_rows: bool,
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
        // A run that ended before its first line leaves an empty file, which cannot be resumed.
        let unfinished = fs::metadata(&partial_path).is_ok_and(|file| file.len() > 0);
        let folder = || path.to_owned();
        if let Some(path) = find_non_file(path) {
            return Err(Error::NotAFile { path });
        }
        match existing {
            ExistingResults::Keep if unfinished => {
                return Err(Error::Unfinished { folder: folder() });
            }
            ExistingResults::Resume if !unfinished && path.join(REPORT_FILE).exists() => {
                return FinishedResults::read(path).map(FolderState::Finished);
            }
            // The run starts from the beginning and must not overwrite other results.
            ExistingResults::Keep | ExistingResults::Resume if !unfinished => check_no_results(path)?,
            _ => {}
        }
        let mut options = OpenOptions::new();
        let partial = options.read(true).write(true).create(true).truncate(false).open(&partial_path);
        let partial = partial.map_err(|error| unusable(&partial_path, error))?;
        // If the file system has no locks, the run goes on without one.
        if draft::try_lock(&partial) == FileLock::HeldElsewhere {
            return Err(Error::Locked { folder: folder() });
        }
        let path = path.to_owned();
        Ok(FolderState::Open(ResultsFolder { path, partial, existing, has_no_rows: !unfinished }))
    }

    /// Prepares `results.partial` for appending. Returns the rows of the run that is resumed, or no rows for
    /// a new run. Returns an error if the earlier run had another setup.
    pub fn begin(&mut self, setup: &Setup, instances: &[Instance]) -> Result<Vec<Row>, Error> {
        let mut rows = Vec::new();
        let mut append_offset = 0;
        if self.existing == ExistingResults::Resume {
            (rows, append_offset) = self.read_rows(setup, instances)?;
        }
        self.partial
            .set_len(append_offset)
            .and_then(|()| self.partial.seek(SeekFrom::Start(append_offset)))
            .map_err(|error| self.io_error(error))?;
        self.has_no_rows = rows.is_empty();
        if append_offset == 0 {
            let line = json_line(setup, "the setup")?;
            self.append_bytes(&line)?;
        }
        Ok(rows)
    }

    /// The rows of the file, and the offset at which its last complete line ends.
    fn read_rows(&mut self, setup: &Setup, instances: &[Instance]) -> Result<(Vec<Row>, u64), Error> {
        let mut rows = Vec::new();
        let mut seen = HashSet::new();
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
                    .map_err(|_| self.cannot_resume("its first line is not a setup"))?;
                compare_setup(&earlier, setup, |reason| self.cannot_resume(reason))?;
            } else {
                let row_error = |reason| {
                    let number = number_format::grouped(rows.len() as u64 + 1);
                    self.cannot_resume(&format!("row {number} {reason}"))
                };
                let row = parse_row(&line, setup, instances).map_err(row_error)?;
                if !seen.insert((row.position, row.solver.clone(), row.threads)) {
                    return Err(row_error("repeats an earlier row"));
                }
                rows.push(row);
            }
            end += length as u64;
        }
    }

    fn cannot_resume(&self, reason: &str) -> Error {
        Error::CannotResume { path: self.path.join(PARTIAL_FILE), reason: reason.to_owned(), finished: false }
    }

    /// Appends a row to the file of rows.
    pub fn append(&mut self, row: &Row) -> Result<(), Error> {
        let line = row_line(row)?;
        self.append_bytes(&line)?;
        self.has_no_rows = false;
        Ok(())
    }

    fn append_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.partial.write_all(bytes).map_err(|error| self.io_error(error))
    }

    fn io_error(&self, error: io::Error) -> Error {
        Error::Rows { path: self.path.join(PARTIAL_FILE), error }
    }

    /// Writes all result files or none. Then removes `results.partial` and the result files of earlier runs
    /// that this run did not write.
    pub fn publish(self, files: &[(String, Vec<u8>)]) -> Result<(), Error> {
        let drafts = files.iter().map(|(name, bytes)| {
            let path = self.path.join(name);
            Draft::with_bytes(&path, bytes).map(|draft| (path.clone(), draft)).map_err(|error| (path, error))
        });
        let drafts: Result<Vec<_>, _> = drafts.collect();
        // A file cannot replace a directory: check before the first rename.
        let drafts = drafts.and_then(|drafts| match find_non_file(&self.path) {
            Some(path) => Err((path, io::Error::from(ErrorKind::IsADirectory))),
            None => Ok(drafts),
        });
        let published = drafts.and_then(|drafts| {
            drafts.into_iter().try_for_each(|(path, draft)| draft.publish().map_err(|error| (path, error)))
        });
        // Remove the drafts of runs that were killed.
        draft::remove_abandoned(&self.path, |stem| {
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
    /// Removes a `results.partial` without rows, so that the next run does not find an unfinished run.
    fn drop(&mut self) {
        if self.has_no_rows {
            // If the removal fails, the next run reports or resumes the file.
            let _ = fs::remove_file(self.path.join(PARTIAL_FILE));
        }
    }
}

impl FinishedResults {
    fn read(path: &Path) -> Result<FinishedResults, Error> {
        let finished = FinishedResults { path: path.join(JSON_FILE), results: Value::Null };
        let text = fs::read(&finished.path).map_err(|error| finished.cannot_resume(&error.to_string()))?;
        let results = serde_json::from_slice(&text).map_err(|_| finished.cannot_resume("it is not JSON"))?;
        Ok(FinishedResults { results, ..finished })
    }

    /// Whether a limit stopped one of the searches. Fails if the results belong to another setup.
    pub fn any_search_stopped(&self, setup: &Setup) -> Result<bool, Error> {
        compare_setup(&self.results, setup, |reason| self.cannot_resume(reason))?;
        let solvers = self.results.get("solvers").and_then(Value::as_array);
        let stopped = |solver: &Value| solver.pointer("/all/stopped").and_then(Value::as_u64) > Some(0);
        Ok(solvers.is_some_and(|solvers| solvers.iter().any(stopped)))
    }

    fn cannot_resume(&self, reason: &str) -> Error {
        Error::CannotResume { path: self.path.clone(), reason: reason.to_owned(), finished: true }
    }
}

/// Fails if the setup of an earlier run differs.
fn compare_setup(earlier: &Value, setup: &Setup, cannot_resume: impl Fn(&str) -> Error) -> Result<(), Error> {
    let setup = serde_json::to_string(setup).and_then(|text| serde_json::from_str::<Value>(&text));
    let setup = setup.map_err(|error| Error::Json { value: "the setup", error })?;
    const BATCH_PLAN: &str = "batch_plan";
    let keys = setup.as_object().into_iter().flat_map(|object| object.keys()).map(String::as_str);
    // An earlier run may have had batches that this one has not.
    let keys = keys.filter(|key| *key != BATCH_PLAN).chain([BATCH_PLAN]);
    let display_name = |key: &str| match key {
        // `Setup::configurations` is serialised as `entrants`.
        "entrants" => "solvers".to_owned(),
        BATCH_PLAN => "schedules or their threads".to_owned(),
        key => key.to_owned(),
    };
    let different: Vec<String> =
        keys.filter(|key| earlier.get(key) != setup.get(key)).map(display_name).collect();
    if different.is_empty() {
        Ok(())
    } else {
        Err(cannot_resume(&format!("it differs in: {}", different.join(", "))))
    }
}

/// A value as a line of JSON; `name` names it in an error.
fn json_line(value: &impl serde::Serialize, name: &'static str) -> Result<Vec<u8>, Error> {
    let mut line = serde_json::to_vec(value).map_err(|error| Error::Json { value: name, error })?;
    line.push(b'\n');
    Ok(line)
}

/// A row as a line of `results.partial`, with its checksum.
fn row_line(row: &Row) -> Result<Vec<u8>, Error> {
    let mut line = json_line(row, "a row")?;
    line_checksum::append(LineFormat::Ndjson, 0, &mut line);
    Ok(line)
}

/// Parses a row and checks that it is unchanged and that this experiment could have produced it. Impossible
/// numbers are rejected here, because later arithmetic would overflow.
fn parse_row(line: &[u8], setup: &Setup, instances: &[Instance]) -> Result<Row, &'static str> {
    /// Thirty years.
    const MAX_SECONDS: f64 = 1e9;
    /// Solutions of the largest boards have a few hundred thousand moves.
    const MAX_LENGTH: u32 = 10_000_000;
    match line_checksum::is_correct(LineFormat::Ndjson, line) {
        Some(true) => {}
        Some(false) => return Err("was changed after it was written: its checksum does not match"),
        None => return Err("has no checksum: it was changed, or written by an earlier version of untumble"),
    }
    let row: Row = serde_json::from_slice(line).map_err(|_| "cannot be parsed")?;
    let instance = row.position.checked_sub(1).and_then(|index| instances.get(index));
    if instance.is_none_or(|instance| instance.text != row.start) {
        return Err("has a position that is not in this experiment");
    }
    let configuration = Configuration { solver: row.solver.clone(), threads: row.threads };
    if !setup.configurations.contains(&configuration) {
        return Err("has a solver that is not in this experiment");
    }
    let seconds = [Some(row.seconds), row.cpu_seconds];
    if seconds.iter().flatten().any(|seconds| !(0.0..=MAX_SECONDS).contains(seconds))
        || row.length.is_some_and(|length| length > MAX_LENGTH)
    {
        return Err("has impossible numbers");
    }
    Ok(row)
}

/// The first path of a result file that exists and is neither a regular file nor a link to one.
fn find_non_file(folder: &Path) -> Option<PathBuf> {
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
        Some(name) if name == REPORT_FILE => Err(Error::HoldsResults { folder }),
        Some(name) => Err(Error::HoldsFile { folder, name }),
    }
}

/// Removes a file if it exists.
fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(Error::Unremoved { path: path.to_owned(), error })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
