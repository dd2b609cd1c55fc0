//! Tables in a folder: each is built once and read from then on.
//!
//! A file is never trusted: its header names the contents and a checksum covers every byte; a file that does
//! not match is reported and rebuilt. Files are written as drafts ([`crate::draft`]) and renamed when
//! complete. A locked draft means that another process builds the table, so this one waits for it; an
//! unlocked draft is abandoned and removed. Correctness does not depend on the locks: two processes that
//! build the same table both write the right file.
//!
//! A long build saves its state at intervals beside the table (`disk/states.rs`), and the next build of the
//! same table continues from it.

mod file;
mod states;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, SystemTime};

use crate::control::{Control, Event, Stop, TablePhase};
use crate::draft::{Draft, is_digits, paths_with_extension, remove_abandoned};
use crate::error::Error;
use crate::tables::{Build, NoStates, Table, TableBuild, TableCache, TableId, Tables};

use file::{Header, Kind, WriteError};
pub use file::{ReadError, TableFileError};
use states::StateFile;

/// The extension of table files.
const TABLE: &str = "table";
/// The interval of checks whether another process has finished a table.
const WAIT_INTERVAL: Duration = Duration::from_millis(20);

/// Tables in a folder. If the folder cannot be used, tables live in memory and a warning is emitted.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().to_owned();
/// use untumble_search::control::Control;
/// use untumble_search::disk::{Disk, file_stem};
/// use untumble_search::tables::{TableId, Tables};
///
/// let [puzzle, pattern, metric] = ["tiles-4x4", "0.1.4", ""].map(String::from);
/// let id = TableId { puzzle, pattern, metric, version: 1 };
/// assert_eq!(file_stem(&id), "tiles-4x4-0.1.4-v1");
/// let table = Disk::new(path.clone()).get(&id, 4, &Control::default(), &mut |bytes, _| {
///     bytes.fill(7);
///     Ok(())
/// });
/// assert_eq!(table.unwrap().bytes(), [7; 4]);
/// // Another process finds the file.
/// assert!(Disk::new(path).is_available(&id, 4));
/// ```
pub struct Disk {
    /// The folder, or the reason why there is none.
    folder: Result<PathBuf, String>,
    cache: TableCache,
    /// Whether the warning that tables are not stored was emitted.
    warned: AtomicBool,
}

/// A table file in the folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableFile {
    /// The file name without its extension.
    pub name: String,
    /// The path of the file.
    pub path: PathBuf,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The time of the last modification, if the system knows it.
    pub written: Option<SystemTime>,
    /// The identity of the table, read from the header; the error if the header is damaged.
    pub id: Result<TableId, TableFileError>,
    /// The checksum of the contents, read from the header; 0 if the header is damaged.
    pub checksum: u32,
}

impl TableFile {
    /// The path of the file beside the table in which its statistics may be stored.
    pub fn statistics_path(&self) -> PathBuf {
        self.path.with_extension("statistics")
    }
}

impl Disk {
    /// Tables in `folder`, which is created when the first table is written.
    pub fn new(folder: PathBuf) -> Disk {
        Disk { folder: Ok(folder), cache: TableCache::default(), warned: AtomicBool::new(false) }
    }

    /// Tables in memory, because there is no folder; `reason` is reported when the first table is built.
    pub fn without_folder(reason: String) -> Disk {
        Disk { folder: Err(reason), cache: TableCache::default(), warned: AtomicBool::new(false) }
    }

    /// The folder, or the reason why there is none.
    pub fn folder(&self) -> Result<&Path, &str> {
        self.folder.as_deref().map_err(String::as_str)
    }

    /// The path of a table's file, or the reason why it has none.
    pub fn path(&self, id: &TableId) -> Result<PathBuf, &str> {
        self.folder().map(|folder| folder.join(format!("{}.{TABLE}", file_stem(id))))
    }

    /// Whether the file of a table exists and has a valid header.
    pub fn has_file(&self, id: &TableId, length: usize) -> bool {
        let header =
            self.path(id).ok().and_then(|path| Header::read(&mut File::open(path).ok()?, Kind::Table).ok());
        header.is_some_and(|header| header.check_matches(id, length).is_ok())
    }

    /// The table files in the folder, sorted by name; empty without a folder.
    pub fn list(&self) -> io::Result<Vec<TableFile>> {
        let Ok(folder) = &self.folder else { return Ok(Vec::new()) };
        self.remove_abandoned();
        let mut files = Vec::new();
        for path in paths_with_extension(folder, TABLE)? {
            let Some(name) = path.file_stem().and_then(OsStr::to_str).map(str::to_owned) else { continue };
            // Another process may have removed the file meanwhile.
            let Ok(metadata) = fs::metadata(&path) else { continue };
            if metadata.is_file() {
                let header = open_with_header(&path).map(|(_, header)| header);
                let checksum = header.as_ref().map_or(0, |header| header.checksum);
                let id = header.map(|header| header.id);
                files.push(TableFile {
                    name,
                    bytes: metadata.len(),
                    written: metadata.modified().ok(),
                    path,
                    id,
                    checksum,
                });
            }
        }
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(files)
    }

    /// Reads a whole file and verifies its name, header and checksum.
    pub fn verify(&self, table_file: &TableFile, control: &Control) -> Result<(), ReadError> {
        let (mut file, header) = open_with_header(&table_file.path)?;
        if file_stem(&header.id) != table_file.name {
            return Err(TableFileError::OtherTable(header.id).into());
        }
        file::check(&mut file, &header, control)
    }

    /// Reads a whole file into memory and verifies its name, header and checksum.
    pub fn read(&self, table_file: &TableFile, control: &Control) -> Result<Table, ReadError> {
        let (mut file, header) = open_with_header(&table_file.path)?;
        if file_stem(&header.id) != table_file.name {
            return Err(TableFileError::OtherTable(header.id).into());
        }
        // More than the address space exceeds every memory limit, too.
        let length = usize::try_from(header.length).map_err(|_| Stop::Memory)?;
        let mut table = Table::zeroed(length, control)?;
        file::read(&mut file, &header, &mut [table.bytes_mut()], control)?;
        Ok(table)
    }

    /// Removes a file, if it still exists, the state of an unfinished build and the statistics of the table.
    pub fn remove(&self, table_file: &TableFile) -> io::Result<()> {
        states::remove(&table_file.path);
        // Like an unfinished build, statistics are useless without the table.
        let _ = fs::remove_file(table_file.statistics_path());
        match fs::remove_file(&table_file.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Reads the file of a table, or builds the table and writes the file.
    fn load_or_build(
        &self,
        id: &TableId,
        length: usize,
        control: &Control,
        build: &mut Build<'_>,
    ) -> Result<Table, Error> {
        let path = match self.path(id) {
            Ok(path) => path,
            Err(reason) => {
                self.warn_not_stored(reason, control);
                let mut table = Table::zeroed(length, control)?;
                build(&mut TableBuild::new(&mut table, &mut NoStates), control)?;
                return Ok(table);
            }
        };
        if let Some(table) = load(&path, id, length, control)? {
            return Ok(table);
        }
        while self.wait_for_others(id, control)? {
            if let Some(table) = load(&path, id, length, control)? {
                return Ok(table);
            }
        }
        let draft = create_draft(&path);
        if let Err(error) = &draft {
            self.warn_not_stored(&error.to_string(), control);
        }
        // If the build is stopped, the draft is dropped and removed; the saved state stays.
        let mut table = Table::zeroed(length, control)?;
        let mut states = StateFile::new(&path, id, draft.is_ok(), control);
        build(&mut TableBuild::new(&mut table, &mut states), control)?;
        if let Ok(draft) = draft {
            match save(draft, id, table.bytes(), control) {
                Ok(()) => states.remove(),
                Err(WriteError::Failed(error)) => {
                    self.warn_not_stored(&format!("{}: {error}", path.display()), control);
                }
                // The table is complete; the caller will notice the stop itself.
                Err(WriteError::Stopped(stop)) => {
                    control
                        .emit(&Event::Warning(format!("{}: not written because of {stop}", path.display())));
                }
            }
        }
        Ok(table)
    }

    /// Emits a warning, once, that tables are not stored.
    fn warn_not_stored(&self, reason: &str, control: &Control) {
        if !self.warned.swap(true, Relaxed) {
            control.emit(&Event::Warning(format!("{reason}; tables are built but not stored")));
        }
    }

    /// Waits while another process builds this table. Returns whether it waited.
    fn wait_for_others(&self, id: &TableId, control: &Control) -> Result<bool, Stop> {
        let mut waiting = None;
        while self.remove_abandoned().contains(&file_stem(id)) {
            waiting.get_or_insert_with(|| control.begin_table(format!("table {id}"), TablePhase::Wait, 1));
            control.poll()?;
            thread::sleep(WAIT_INTERVAL);
        }
        Ok(waiting.is_some())
    }

    /// Removes abandoned drafts. Returns the file stems of the tables that other processes build.
    fn remove_abandoned(&self) -> Vec<String> {
        self.folder().map_or_else(|_| Vec::new(), |folder| remove_abandoned(folder, is_table_stem))
    }
}

impl Tables for Disk {
    fn get(
        &self,
        id: &TableId,
        length: usize,
        control: &Control,
        build: &mut Build<'_>,
    ) -> Result<Arc<Table>, Error> {
        self.cache.get(id, length, control, || self.load_or_build(id, length, control, build))
    }

    fn is_available(&self, id: &TableId, length: usize) -> bool {
        self.cache.contains(id, length) || self.has_file(id, length)
    }

    fn release_unused(&self) {
        self.cache.drop_unused();
    }
}

/// Creates a draft of a table's file, and its folder if necessary.
fn create_draft(table: &Path) -> io::Result<Draft> {
    if let Some(folder) = table.parent() {
        let with_path = |error: io::Error| io::Error::other(format!("{}: {error}", folder.display()));
        fs::create_dir_all(folder).map_err(with_path)?;
    }
    Draft::new(table).map_err(|error| io::Error::other(format!("{}: {error}", table.display())))
}

/// Writes a table to a draft and publishes it.
fn save(mut draft: Draft, id: &TableId, bytes: &[u8], control: &Control) -> Result<(), WriteError> {
    file::write(&mut draft.file, Kind::Table, id, &[bytes], control)?;
    Ok(draft.publish()?)
}

/// Opens a regular file; reading from a pipe might block forever.
fn open(path: &Path) -> io::Result<File> {
    if fs::metadata(path)?.is_file() { File::open(path) } else { Err(io::Error::other("not a regular file")) }
}

/// Opens a file and reads its header.
fn open_with_header(path: &Path) -> Result<(File, Header), TableFileError> {
    let mut file = open(path)?;
    let header = Header::read(&mut file, Kind::Table)?;
    Ok((file, header))
}

/// Loads a table; `None` if there is no file or if the table must be rebuilt.
fn load(path: &Path, id: &TableId, length: usize, control: &Control) -> Result<Option<Table>, Stop> {
    match try_load(path, id, length, control) {
        Ok(table) => Ok(table),
        Err(ReadError::Stopped(stop)) => Err(stop),
        Err(ReadError::Invalid(error)) => {
            control.emit(&Event::Warning(format!("{}: {error}; rebuilding the table", path.display())));
            Ok(None)
        }
    }
}

fn try_load(path: &Path, id: &TableId, length: usize, control: &Control) -> Result<Option<Table>, ReadError> {
    let mut file = match open(path) {
        Ok(file) => file,
        // A folder that cannot be used is reported when the table is written.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(TableFileError::from(error).into()),
    };
    let header = Header::read(&mut file, Kind::Table)?;
    header.check_matches(id, length)?;
    let mut table = Table::zeroed(length, control)?;
    file::read(&mut file, &header, &mut [table.bytes_mut()], control)?;
    Ok(Some(table))
}

/// The name of a table's file without its extension, such as `tiles-4x4-gap0-0.1.4.5.8-v1`. Characters that
/// some file system does not support are replaced, and a checksum keeps such names distinct.
pub fn file_stem(id: &TableId) -> String {
    const MAX_LENGTH: usize = 120;
    let metric = if id.metric.is_empty() { String::new() } else { format!("-{}", id.metric) };
    let whole = format!("{}-{}{metric}", id.puzzle, id.pattern);
    let portable = |c: char| matches!(c, 'a'..='z' | '0'..='9' | '.' | '-' | '_' | '+' | '=');
    let mut name: String =
        whole.chars().map(|c| if portable(c) { c } else { '_' }).take(MAX_LENGTH).collect();
    if name != whole || name.starts_with(['.', '-']) {
        let exact = [&id.puzzle, &id.pattern, &id.metric].map(String::as_bytes).join(&0);
        name = format!("{}-{:08x}", name.trim_start_matches(['.', '-']), crc32fast::hash(&exact));
    }
    format!("{name}-v{}", id.version)
}

/// Whether `name` is the stem of a table file. Drafts with other stems are not touched.
fn is_table_stem(name: &str) -> bool {
    name.rsplit_once("-v").is_some_and(|(_, version)| is_digits(version))
}

#[cfg(test)]
mod tests;
