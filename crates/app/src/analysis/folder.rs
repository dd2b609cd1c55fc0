//! The folder that an analysis fills. Rows are kept in a file of their own while they come; the results are drafted and
//! renamed when all of them stand, so that nothing half-written ever bears a final name.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::positions::Posed;
use super::row::Row;
use super::study::Subject;
use crate::exit::Failure;

/// Rows of a run that is not finished: the subject on the first line, a row on each that follows.
const PARTIAL: &str = "results.partial";
/// What a finished run leaves besides the charts.
pub(crate) const RESULTS: [&str; 3] = ["report.html", "results.csv", "results.json"];

/// What to do about an earlier run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Earlier {
    /// Refuse to touch it.
    Keep,
    /// Go on with it.
    Resume,
    /// Begin anew.
    Replace,
}

/// What a finished run leaves.
pub(crate) struct Results {
    /// The contents of each file.
    pub(crate) files: Vec<(String, Vec<u8>)>,
    /// Files that an earlier run may have left and this one does not.
    pub(crate) stale: Vec<String>,
}

/// A folder that takes rows.
pub(crate) struct Folder {
    path: PathBuf,
    partial: File,
    /// What to do about an earlier run.
    earlier: Earlier,
}

fn unusable(path: &Path, error: &io::Error) -> Failure {
    Failure::usage(format!("{}: {error}; name a folder that can be written to with --out", path.display()))
}

impl Folder {
    /// Opens the folder, made where it is missing. `None` if a run is to be resumed that is finished.
    pub(crate) fn open(path: &Path, earlier: Earlier) -> Result<Option<Folder>, Failure> {
        fs::create_dir_all(path).map_err(|error| unusable(path, &error))?;
        let name = path.join(PARTIAL);
        let (begun, finished) = (name.exists(), path.join(RESULTS[0]).exists());
        let there = path.display();
        match earlier {
            Earlier::Keep if begun => {
                return Err(Failure::usage(format!(
                    "{there} holds a run that is not finished; --resume goes on with it, --force begins anew"
                )));
            }
            Earlier::Keep if finished => {
                return Err(Failure::usage(format!(
                    "{there} holds results; --force replaces them, or name another folder with --out"
                )));
            }
            Earlier::Resume if !begun && finished => return Ok(None),
            _ => {}
        }
        let mut options = OpenOptions::new();
        let partial = options.read(true).write(true).create(true).truncate(false).open(&name);
        let partial = partial.map_err(|error| unusable(&name, &error))?;
        match partial.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(Failure::usage(format!(
                    "another run is writing into {there}; wait for it or name another folder"
                )));
            }
            // Where there are no locks there is nobody to keep out.
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        Ok(Some(Folder { path: path.to_owned(), partial, earlier }))
    }

    /// The rows that an earlier run left, if that is to be resumed, and the beginning of the file for new ones. An earlier run
    /// must have been about the same.
    pub(crate) fn begin(&mut self, subject: &Subject, posed: &[Posed]) -> Result<Vec<Row>, Failure> {
        let mut rows = Vec::new();
        let mut end = 0;
        if self.earlier == Earlier::Resume {
            (rows, end) = self.read(subject, posed)?;
        }
        self.partial
            .set_len(end)
            .and_then(|()| self.partial.seek(SeekFrom::Start(end)))
            .map_err(|error| self.broken(&error))?;
        if end == 0 {
            self.line(subject)?;
        }
        Ok(rows)
    }

    /// What the file holds, and where its last whole line ends.
    fn read(&mut self, subject: &Subject, posed: &[Posed]) -> Result<(Vec<Row>, u64), Failure> {
        let mut rows = Vec::new();
        let mut end = 0;
        let mut lines = BufReader::new(&self.partial);
        let mut line = Vec::new();
        loop {
            line.clear();
            let length = lines.read_until(b'\n', &mut line).map_err(|error| self.broken(&error))?;
            // A torn line is measured again.
            if length == 0 || line.last() != Some(&b'\n') {
                return Ok((rows, end));
            }
            if end == 0 {
                self.compare(&line, subject)?;
            } else {
                rows.push(self.row(&line, rows.len(), posed)?);
            }
            end += length as u64;
        }
    }

    fn compare(&self, line: &[u8], subject: &Subject) -> Result<(), Failure> {
        let before: Value =
            serde_json::from_slice(line).map_err(|_| self.foreign("it does not begin like one of ours"))?;
        let now = serde_json::to_string(subject).and_then(|text| serde_json::from_str::<Value>(&text));
        let now =
            now.map_err(|error| Failure::environment(format!("the subject does not fit JSON: {error}")))?;
        if before == now {
            return Ok(());
        }
        let keys = now.as_object().into_iter().flat_map(|object| object.keys());
        let differing: Vec<&str> =
            keys.filter(|key| before.get(key) != now.get(key)).map(String::as_str).collect();
        Err(self.foreign(&format!("it differs in: {}", differing.join(", "))))
    }

    fn row(&self, line: &[u8], place: usize, posed: &[Posed]) -> Result<Row, Failure> {
        let wrong = || self.foreign(&format!("row {} does not belong to these positions", place + 1));
        let row: Row = serde_json::from_slice(line).map_err(|_| wrong())?;
        let known = row.position.checked_sub(1).and_then(|place| posed.get(place));
        if known.is_none_or(|posed| posed.text != row.start) {
            return Err(wrong());
        }
        Ok(row)
    }

    fn foreign(&self, why: &str) -> Failure {
        Failure::usage(format!(
            "{} is from another comparison: {why}; --resume needs the same command, --force begins anew",
            self.path.join(PARTIAL).display()
        ))
    }

    /// Keeps a row.
    pub(crate) fn keep(&mut self, row: &Row) -> Result<(), Failure> {
        self.line(row)
    }

    fn line(&mut self, value: &impl serde::Serialize) -> Result<(), Failure> {
        let mut line = serde_json::to_vec(value)
            .map_err(|error| Failure::environment(format!("a row does not fit JSON: {error}")))?;
        line.push(b'\n');
        self.partial.write_all(&line).map_err(|error| self.broken(&error))
    }

    fn broken(&self, error: &io::Error) -> Failure {
        Failure::environment(format!(
            "{}: {error}; what stands there is kept, and --resume goes on with it",
            self.path.join(PARTIAL).display()
        ))
    }

    /// Puts the results in place, all of them or none, and removes the rows kept so far.
    pub(crate) fn publish(self, results: &Results) -> Result<(), Failure> {
        let Results { files, stale } = results;
        let draft = |name: &str| self.path.join(format!(".{name}.draft"));
        let written = files.iter().try_for_each(|(name, bytes)| {
            let path = draft(name);
            let file = File::create(&path).and_then(|mut file| {
                file.write_all(bytes)?;
                file.sync_all()
            });
            file.map_err(|error| (self.path.join(name), error))
        });
        let placed = written.and_then(|()| {
            files.iter().try_for_each(|(name, _)| {
                let path = self.path.join(name);
                fs::rename(draft(name), &path).map_err(|error| (path, error))
            })
        });
        if let Err((path, error)) = placed {
            for (name, _) in files {
                // A draft that cannot be removed is hidden and in nobody's way.
                let _ = fs::remove_file(draft(name));
            }
            return Err(Failure::environment(format!(
                "{}: {error}; the measurements are kept in {}, and --resume writes the results from them",
                path.display(),
                self.path.join(PARTIAL).display()
            )));
        }
        for name in stale {
            remove(&self.path.join(name))?;
        }
        remove(&self.path.join(PARTIAL))
    }
}

fn remove(path: &Path) -> Result<(), Failure> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(Failure::environment(format!("{}: {error}", path.display())))
        }
        _ => Ok(()),
    }
}
