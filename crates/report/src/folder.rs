//! The folder that an analysis fills. Rows are kept in a file of their own while they come; the results are drafted and
//! renamed when all of them stand, so that nothing half-written ever bears a final name.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::charts;
use super::positions::Posed;
use super::row::Row;
use super::study::{Name, Subject};
use crate::error::Error;
use untumble_search::draft::{self, Draft};
use untumble_session::figures;

/// Rows of a run that is not finished: the subject on the first line, a row on each that follows.
const PARTIAL: &str = "results.partial";
/// What a finished run leaves besides the charts.
pub const RESULTS: [&str; 3] = ["report.html", "results.csv", "results.json"];

/// Every name that results may have.
fn names() -> impl Iterator<Item = String> {
    let charts = charts::NAMES.iter().flat_map(|name| ["svg", "png"].map(|kind| format!("{name}.{kind}")));
    RESULTS.map(str::to_owned).into_iter().chain(charts)
}

/// What to do about an earlier run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Earlier {
    /// Refuse to touch it.
    Keep,
    /// Go on with it.
    Resume,
    /// Begin anew.
    Replace,
}

/// A folder as it was found.
pub enum Opened {
    /// It takes rows.
    Ready(Folder),
    /// A run is to be resumed that is finished.
    Finished(Finished),
}

/// A folder that takes rows.
pub struct Folder {
    path: PathBuf,
    partial: File,
    /// What to do about an earlier run.
    earlier: Earlier,
    /// No row stands in the file.
    empty: bool,
}

/// The results of a finished run.
pub struct Finished {
    path: PathBuf,
    results: Value,
}

fn unusable(path: &Path, error: io::Error) -> Error {
    Error::UnusableFolder { path: path.to_owned(), error }
}

impl Folder {
    /// Opens the folder, made where it is missing.
    pub fn open(path: &Path, earlier: Earlier) -> Result<Opened, Error> {
        fs::create_dir_all(path).map_err(|error| unusable(path, error))?;
        let name = path.join(PARTIAL);
        // A run that ended before its first line has left nothing to go on with.
        let begun = fs::metadata(&name).is_ok_and(|file| file.len() > 0);
        let folder = || path.to_owned();
        if let Some(path) = obstacle(path) {
            return Err(Error::NotAFile { path });
        }
        match earlier {
            Earlier::Keep if begun => {
                return Err(Error::Unfinished { folder: folder() });
            }
            Earlier::Resume if !begun && path.join(RESULTS[0]).exists() => {
                return Finished::read(path).map(Opened::Finished);
            }
            Earlier::Keep | Earlier::Resume if !begun => refuse_to_replace(path)?,
            _ => {}
        }
        let mut options = OpenOptions::new();
        let partial = options.read(true).write(true).create(true).truncate(false).open(&name);
        let partial = partial.map_err(|error| unusable(&name, error))?;
        match partial.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(Error::Locked { folder: folder() });
            }
            // Where there are no locks there is nobody to keep out.
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        Ok(Opened::Ready(Folder { path: path.to_owned(), partial, earlier, empty: !begun }))
    }

    /// The rows that an earlier run left, if that is to be resumed, and the beginning of the file for new ones. An earlier run
    /// must have been about the same.
    pub fn begin(&mut self, subject: &Subject, posed: &[Posed]) -> Result<Vec<Row>, Error> {
        let mut rows = Vec::new();
        let mut end = 0;
        if self.earlier == Earlier::Resume {
            (rows, end) = self.read(subject, posed)?;
        }
        self.partial
            .set_len(end)
            .and_then(|()| self.partial.seek(SeekFrom::Start(end)))
            .map_err(|error| self.broken(error))?;
        self.empty = rows.is_empty();
        if end == 0 {
            self.line(subject)?;
        }
        Ok(rows)
    }

    /// What the file holds, and where its last whole line ends.
    fn read(&mut self, subject: &Subject, posed: &[Posed]) -> Result<(Vec<Row>, u64), Error> {
        let mut rows = Vec::new();
        let mut searches = HashSet::new();
        let mut end = 0;
        let mut lines = BufReader::new(&self.partial);
        let mut line = Vec::new();
        loop {
            line.clear();
            let length = lines.read_until(b'\n', &mut line).map_err(|error| self.broken(error))?;
            // A torn line is measured again.
            if length == 0 || line.last() != Some(&b'\n') {
                return Ok((rows, end));
            }
            if end == 0 {
                let before = serde_json::from_slice(&line)
                    .map_err(|_| self.foreign("it does not begin like one of ours"))?;
                compare(&before, subject, |why| self.foreign(why))?;
            } else {
                let wrong =
                    |why| self.foreign(&format!("row {} {why}", figures::grouped(rows.len() as u64 + 1)));
                let row = row(&line, subject, posed).map_err(wrong)?;
                if !searches.insert((row.position, row.solver.clone(), row.threads)) {
                    return Err(wrong("says again what another said"));
                }
                rows.push(row);
            }
            end += length as u64;
        }
    }

    fn foreign(&self, why: &str) -> Error {
        Error::OtherStudy { path: self.path.join(PARTIAL), reason: why.to_owned(), finished: false }
    }

    /// Keeps a row.
    pub fn keep(&mut self, row: &Row) -> Result<(), Error> {
        self.line(row)?;
        self.empty = false;
        Ok(())
    }

    fn line(&mut self, value: &impl serde::Serialize) -> Result<(), Error> {
        let mut line = serde_json::to_vec(value).map_err(|error| Error::Json { what: "a row", error })?;
        line.push(b'\n');
        self.partial.write_all(&line).map_err(|error| self.broken(error))
    }

    fn broken(&self, error: io::Error) -> Error {
        Error::Rows { path: self.path.join(PARTIAL), error }
    }

    /// Puts the results in place, all of them or none, and removes the rows kept so far as well as what an earlier run left
    /// and this one does not.
    pub fn publish(self, files: &[(String, Vec<u8>)]) -> Result<(), Error> {
        let drafts = files.iter().map(|(name, bytes)| {
            let path = self.path.join(name);
            Draft::with_bytes(&path, bytes).map(|draft| (path.clone(), draft)).map_err(|error| (path, error))
        });
        let drafts: Result<Vec<_>, _> = drafts.collect();
        // A file cannot replace a folder; that is found out before the first one is renamed.
        let drafts = drafts.and_then(|drafts| match obstacle(&self.path) {
            Some(path) => Err((path, io::Error::from(ErrorKind::IsADirectory))),
            None => Ok(drafts),
        });
        let placed = drafts.and_then(|drafts| {
            drafts.into_iter().try_for_each(|(path, draft)| draft.publish().map_err(|error| (path, error)))
        });
        // Drafts that a killed run left.
        draft::clear(&self.path, |stem| {
            names().any(|name| Path::new(&name).file_stem().is_some_and(|known| known == stem))
        });
        if let Err((path, error)) = placed {
            return Err(Error::Unpublished { path, error, rows: self.path.join(PARTIAL) });
        }
        for name in names().filter(|name| !files.iter().any(|(written, _)| written == name)) {
            remove(&self.path.join(name))?;
        }
        remove(&self.path.join(PARTIAL))
    }
}

impl Drop for Folder {
    /// A file without rows would only be in the next run's way.
    fn drop(&mut self) {
        if self.empty {
            // What cannot be removed is refused or gone on with the next time.
            let _ = fs::remove_file(self.path.join(PARTIAL));
        }
    }
}

impl Finished {
    fn read(path: &Path) -> Result<Finished, Error> {
        let finished = Finished { path: path.join(RESULTS[2]), results: Value::Null };
        let text = fs::read(&finished.path).map_err(|error| finished.foreign(&error.to_string()))?;
        let results = serde_json::from_slice(&text).map_err(|_| finished.foreign("it is no JSON"))?;
        Ok(Finished { results, ..finished })
    }

    /// Whether a limit stopped one of its searches. It must have been about the same.
    pub fn stopped(&self, subject: &Subject) -> Result<bool, Error> {
        compare(&self.results, subject, |why| self.foreign(why))?;
        let solvers = self.results.get("solvers").and_then(Value::as_array);
        let stopped = |solver: &Value| solver.pointer("/all/stopped").and_then(Value::as_u64) > Some(0);
        Ok(solvers.is_some_and(|solvers| solvers.iter().any(stopped)))
    }

    fn foreign(&self, why: &str) -> Error {
        Error::OtherStudy { path: self.path.clone(), reason: why.to_owned(), finished: true }
    }
}

/// Refuses where an earlier run was about something else.
fn compare(before: &Value, subject: &Subject, foreign: impl Fn(&str) -> Error) -> Result<(), Error> {
    let now = serde_json::to_string(subject).and_then(|text| serde_json::from_str::<Value>(&text));
    let now = now.map_err(|error| Error::Json { what: "the subject", error })?;
    let keys = now.as_object().into_iter().flat_map(|object| object.keys());
    let differing: Vec<&str> =
        keys.filter(|key| before.get(key) != now.get(key)).map(String::as_str).collect();
    if differing.is_empty() {
        Ok(())
    } else {
        Err(foreign(&format!("it differs in: {}", differing.join(", "))))
    }
}

/// A row that this comparison may have left. What comes from a file is not believed: figures that no search can give would
/// take the arithmetic later beyond all bounds.
fn row(line: &[u8], subject: &Subject, posed: &[Posed]) -> Result<Row, &'static str> {
    /// Nobody has waited for thirty years.
    const LONGEST: f64 = 1e9;
    /// Solutions of the largest boards have some hundred thousand moves.
    const MOST_MOVES: u32 = 10_000_000;
    let row: Row = serde_json::from_slice(line).map_err(|_| "is no row")?;
    let known = row.position.checked_sub(1).and_then(|place| posed.get(place));
    if known.is_none_or(|posed| posed.text != row.start) {
        return Err("does not belong to these positions");
    }
    if !subject.entrants.contains(&Name { solver: row.solver.clone(), threads: row.threads }) {
        return Err("is of a solver that takes no part");
    }
    if !(0.0..=LONGEST).contains(&row.seconds) || row.length.is_some_and(|length| length > MOST_MOVES) {
        return Err("has figures that no search gives");
    }
    Ok(row)
}

/// The first name of results that something bears which is neither a file nor a link to one.
fn obstacle(path: &Path) -> Option<PathBuf> {
    names().map(|name| path.join(name)).find(|path| fs::metadata(path).is_ok_and(|found| !found.is_file()))
}

/// Refuses where something bears one of the names.
fn refuse_to_replace(path: &Path) -> Result<(), Error> {
    let taken = names().find(|name| fs::symlink_metadata(path.join(name)).is_ok());
    let folder = path.to_owned();
    match taken {
        None => Ok(()),
        Some(name) if name == RESULTS[0] => Err(Error::HoldsResults { folder }),
        Some(name) => Err(Error::HoldsFile { folder, name }),
    }
}

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
    use super::super::positions::Origin;
    use super::super::row::tests::solved;
    use super::super::study::Limits;
    use super::*;
    use untumble_puzzles::catalog::{self, Settings};

    fn posed() -> Vec<Posed> {
        let puzzle = catalog::open("8-puzzle", &Settings { goal: None, metric: None }).expect("a puzzle");
        let mut generator = untumble_session::generator(1);
        let pose = |_| {
            let position = puzzle.scramble(&mut generator, None);
            Posed { text: puzzle.text(&position), position, scramble_depth: None }
        };
        (0..2).map(pose).collect()
    }

    fn subject() -> Subject {
        Subject {
            untumble: "0".into(),
            puzzle: "a puzzle".into(),
            goal: None,
            metric: None,
            origin: Origin::Random { count: 2, seed: 1 },
            positions: 2,
            limits: Limits { seconds: None, nodes: None, memory: None },
            entrants: vec![Name { solver: "a".into(), threads: 1 }],
        }
    }

    fn open(path: &Path, earlier: Earlier) -> Folder {
        match Folder::open(path, earlier) {
            Ok(Opened::Ready(folder)) => folder,
            Ok(Opened::Finished(_)) => panic!("it is finished"),
            Err(failure) => panic!("{failure}"),
        }
    }

    fn count(path: &Path) -> usize {
        fs::read_dir(path).expect("a folder").count()
    }

    #[test]
    fn rows_of_a_file_are_not_believed_blindly() {
        let (posed, subject) = (posed(), subject());
        let row =
            |place: usize| Row { start: posed[place - 1].text.clone(), ..solved(place, "a", 9, 100, 0.1) };
        for (rows, told) in [
            (vec![row(1), row(2)], None),
            (vec![row(1), row(1)], Some("row 2 says again what another said")),
            (vec![Row { solver: "b".into(), ..row(1) }], Some("row 1 is of a solver that takes no part")),
            (vec![Row { threads: 2, ..row(1) }], Some("takes no part")),
            (vec![Row { length: Some(u32::MAX), ..row(1) }], Some("has figures that no search gives")),
            (vec![Row { seconds: 1e308, ..row(1) }], Some("has figures that no search gives")),
            (vec![Row { seconds: -1.0, ..row(1) }], Some("has figures that no search gives")),
            (vec![Row { start: "?".into(), ..row(1) }], Some("does not belong to these positions")),
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            let lines = rows.iter().map(|row| serde_json::to_string(row).expect("JSON"));
            let lines: Vec<String> =
                [serde_json::to_string(&subject).expect("JSON")].into_iter().chain(lines).collect();
            fs::write(folder.path().join(PARTIAL), lines.join("\n") + "\n").expect("written");
            match (open(folder.path(), Earlier::Resume).begin(&subject, &posed), told) {
                (Ok(found), None) => assert_eq!(found, rows),
                (Err(failure), Some(told)) => assert!(failure.to_string().contains(told), "{failure}"),
                (found, told) => panic!("{found:?} instead of {told:?}"),
            }
            assert!(folder.path().join(PARTIAL).exists(), "what was refused is kept");
        }
    }

    #[test]
    fn a_run_without_rows_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        drop(open(folder.path(), Earlier::Keep));
        assert_eq!(count(folder.path()), 0, "ended while tables were made ready");
        let mut begun = open(folder.path(), Earlier::Keep);
        begun.begin(&subject(), &posed()).expect("a beginning");
        drop(begun);
        assert_eq!(count(folder.path()), 0, "ended before the first search was done");
        let mut begun = open(folder.path(), Earlier::Keep);
        begun.begin(&subject(), &posed()).expect("a beginning");
        begun.keep(&solved(1, "a", 9, 100, 0.1)).expect("kept");
        drop(begun);
        assert_eq!(count(folder.path()), 1, "a row is kept");
    }

    #[test]
    fn results_stand_together_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let files: Vec<(String, Vec<u8>)> =
            ["growth.svg", "memory.png", "report.html"].map(|name| (name.to_owned(), b"new".to_vec())).into();
        let mut begun = open(folder.path(), Earlier::Keep);
        begun.begin(&subject(), &posed()).expect("a beginning");
        begun.keep(&solved(1, "a", 9, 100, 0.1)).expect("kept");
        let way = folder.path().join("memory.png");
        fs::create_dir(&way).expect("a folder in the way");
        let told = begun.publish(&files).expect_err("a file cannot replace a folder").to_string();
        assert!(told.contains("memory.png") && told.contains("results.partial"), "{told}");
        assert_eq!(count(folder.path()), 2, "the folder in the way and the rows");

        assert!(
            Folder::open(folder.path(), Earlier::Resume).is_err(),
            "told before anything is measured again"
        );
        fs::remove_dir(&way).expect("removed");
        // What runs with other charts left, one of them killed while it wrote.
        fs::write(folder.path().join("speedup.png"), "old").expect("written");
        fs::write(folder.path().join("efficiency.12345-0.draft"), "torn").expect("written");
        open(folder.path(), Earlier::Resume).publish(&files).expect("results");
        assert_eq!(count(folder.path()), files.len());
    }
}
