//! Tables kept in a folder, so that each is built once and read ever after.
//!
//! A file is never trusted: its header says what it holds and a checksum vouches for every byte; whatever does
//! not fit is named and built anew. Files appear whole or not at all: a table is drafted under a name of its own and renamed
//! when it stands. Whoever builds holds a lock on the draft, which the system lets go even when the
//! process is killed. So a locked draft means that somebody is at work and can be waited for, and an unlocked one is litter.
//! Nothing depends on it: two who build the same table at once both end up with the right file.

mod file;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, SystemTime};

use crate::control::{Control, Event, Stop};
use crate::draft::{Draft, clear, digits, paths};
use crate::error::Error;
use crate::tables::{Build, Shelf, Table, TableId, Tables};

pub use file::{Damage, Unread};
use file::{Header, Unwritten};

/// How the name of a table's file ends.
const TABLE: &str = "table";
/// Between two looks at whether another process has finished.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A folder of tables. One that cannot be used costs a warning, not the search.
pub struct Disk {
    /// Or why there is none.
    folder: Result<PathBuf, String>,
    shelf: Shelf,
    /// Whether it was said that tables are not kept.
    warned: AtomicBool,
}

/// A file in the folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    /// The file's name without its ending.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// How big it is.
    pub bytes: u64,
    /// When it was written, where the system knows.
    pub written: Option<SystemTime>,
    /// What its header says.
    pub id: Result<TableId, Damage>,
}

impl Disk {
    /// Tables in `folder`, which is made when it is needed.
    pub fn new(folder: PathBuf) -> Disk {
        Disk { folder: Ok(folder), shelf: Shelf::default(), warned: AtomicBool::new(false) }
    }

    /// Tables that live in memory, since there is no folder for them. The reason is told when it matters.
    pub fn nowhere(why: String) -> Disk {
        Disk { folder: Err(why), shelf: Shelf::default(), warned: AtomicBool::new(false) }
    }

    /// Where the tables are kept, or why they are not.
    pub fn folder(&self) -> Result<&Path, &str> {
        self.folder.as_deref().map_err(String::as_str)
    }

    /// The file of a table, or why it has none.
    pub fn path(&self, id: &TableId) -> Result<PathBuf, &str> {
        self.folder().map(|folder| folder.join(format!("{}.{TABLE}", file_stem(id))))
    }

    /// Whether the file of a table is there and begins as it should.
    pub fn keeps(&self, id: &TableId, length: usize) -> bool {
        let header = self.path(id).ok().and_then(|path| Header::read(&mut File::open(path).ok()?).ok());
        header.is_some_and(|header| header.expect(id, length).is_ok())
    }

    /// The files in the folder, by name. No folder holds no files.
    pub fn list(&self) -> io::Result<Vec<Kept>> {
        let Ok(folder) = &self.folder else { return Ok(Vec::new()) };
        self.clear();
        let mut kept = Vec::new();
        for path in paths(folder, TABLE)? {
            let Some(name) = path.file_stem().and_then(OsStr::to_str).map(str::to_owned) else { continue };
            // It may have gone meanwhile.
            let Ok(metadata) = fs::metadata(&path) else { continue };
            if metadata.is_file() {
                let id = header(&path).map(|(_, header)| header.id);
                kept.push(Kept { name, bytes: metadata.len(), written: metadata.modified().ok(), path, id });
            }
        }
        kept.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(kept)
    }

    /// Reads a file from end to end to see whether it may be trusted.
    pub fn verify(&self, kept: &Kept, control: &Control) -> Result<(), Unread> {
        let (mut file, header) = header(&kept.path)?;
        if file_stem(&header.id) != kept.name {
            return Err(Damage::Other(header.id).into());
        }
        file::check(&mut file, &header, control)
    }

    /// Removes a file. One that has gone meanwhile is as good as removed.
    pub fn remove(&self, kept: &Kept) -> io::Result<()> {
        match fs::remove_file(&kept.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Reads the file of a table, or builds the table and writes the file.
    fn obtain(
        &self,
        id: &TableId,
        length: usize,
        control: &Control,
        build: &mut Build<'_>,
    ) -> Result<Table, Error> {
        let path = match self.path(id) {
            Ok(path) => path,
            Err(why) => {
                self.not_kept(why, control);
                return built(length, control, build);
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
        let draft = draft(&path);
        if let Err(error) = &draft {
            self.not_kept(&error.to_string(), control);
        }
        // Where the build is stopped, the draft goes with it.
        let table = built(length, control, build)?;
        if let Ok(draft) = draft {
            match save(draft, id, table.bytes(), control) {
                Ok(()) => {}
                Err(Unwritten::Failed(error)) => {
                    self.not_kept(&format!("{}: {error}", path.display()), control);
                }
                // The table is whole; what asked for it is about to see the stop itself.
                Err(Unwritten::Stopped(stop)) => {
                    control.emit(&Event::Warning(format!("{}: not written before {stop}", path.display())));
                }
            }
        }
        Ok(table)
    }

    /// Says once that tables live in memory alone.
    fn not_kept(&self, why: &str, control: &Control) {
        if !self.warned.swap(true, Relaxed) {
            control.emit(&Event::Warning(format!("{why}; tables are built but not kept")));
        }
    }

    /// Waits while another process builds this table; false if none does.
    fn wait_for_others(&self, id: &TableId, control: &Control) -> Result<bool, Stop> {
        let mut waited = false;
        while self.clear().contains(&file_stem(id)) {
            waited = true;
            let name = format!("{id}, which another process builds");
            control.emit(&Event::Table { name, share: 0.0 });
            control.poll()?;
            thread::sleep(LOOK_EVERY);
        }
        Ok(waited)
    }

    /// Removes the drafts of processes that are no more. Returns the tables that others build.
    fn clear(&self) -> Vec<String> {
        self.folder().map_or_else(|_| Vec::new(), |folder| clear(folder, is_stem))
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
        self.shelf.get(id, length, control, || self.obtain(id, length, control, build))
    }

    fn has(&self, id: &TableId, length: usize) -> bool {
        self.shelf.holds(id, length) || self.keeps(id, length)
    }
}

fn built(length: usize, control: &Control, build: &mut Build<'_>) -> Result<Table, Error> {
    let mut table = Table::zeroed(length, control)?;
    build(table.bytes_mut(), control)?;
    Ok(table)
}

/// A draft of a table's file, in a folder that is made where there is none.
fn draft(table: &Path) -> io::Result<Draft> {
    if let Some(folder) = table.parent() {
        let at = |error: io::Error| io::Error::other(format!("{}: {error}", folder.display()));
        fs::create_dir_all(folder).map_err(at)?;
    }
    Draft::new(table).map_err(|error| io::Error::other(format!("{}: {error}", table.display())))
}

/// Fills a draft and makes it the table's file.
fn save(mut draft: Draft, id: &TableId, bytes: &[u8], control: &Control) -> Result<(), Unwritten> {
    file::write(&mut draft.file, id, bytes, control)?;
    Ok(draft.publish()?)
}

/// Opens a file, and nothing else: to read from a pipe that somebody put there would be to wait for ever.
fn open(path: &Path) -> io::Result<File> {
    if fs::metadata(path)?.is_file() { File::open(path) } else { Err(io::Error::other("it is not a file")) }
}

/// A file and its header.
fn header(path: &Path) -> Result<(File, Header), Damage> {
    let mut file = open(path)?;
    let header = Header::read(&mut file)?;
    Ok((file, header))
}

/// The table in a file; `None` where there is no such file, or one to be rebuilt.
fn load(path: &Path, id: &TableId, length: usize, control: &Control) -> Result<Option<Table>, Stop> {
    match try_load(path, id, length, control) {
        Ok(table) => Ok(table),
        Err(Unread::Stopped(stop)) => Err(stop),
        Err(Unread::Damaged(damage)) => {
            control.emit(&Event::Warning(format!("{}: {damage}; it is rebuilt", path.display())));
            Ok(None)
        }
    }
}

fn try_load(path: &Path, id: &TableId, length: usize, control: &Control) -> Result<Option<Table>, Unread> {
    let mut file = match open(path) {
        Ok(file) => file,
        // A folder that cannot be used is told when it comes to writing.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(Damage::from(error).into()),
    };
    let header = Header::read(&mut file)?;
    header.expect(id, length)?;
    let mut table = Table::zeroed(length, control)?;
    file::read(&mut file, &header, table.bytes_mut(), control)?;
    Ok(Some(table))
}

/// The name of a table's file without its ending, such as `tiles-4x4-gap0-0.1.4.5.8-v1`. Names that a file
/// cannot have, or that some system could mix up, are changed and marked with a checksum.
pub fn file_stem(id: &TableId) -> String {
    const LONGEST: usize = 120;
    let metric = if id.metric.is_empty() { String::new() } else { format!("-{}", id.metric) };
    let whole = format!("{}-{}{metric}", id.puzzle, id.pattern);
    let plain = |c: char| matches!(c, 'a'..='z' | '0'..='9' | '.' | '-' | '_' | '+' | '=');
    let mut name: String = whole.chars().map(|c| if plain(c) { c } else { '_' }).take(LONGEST).collect();
    if name != whole || name.starts_with(['.', '-']) {
        let exact = [&id.puzzle, &id.pattern, &id.metric].map(String::as_bytes).join(&0);
        name = format!("{}-{:08x}", name.trim_start_matches(['.', '-']), crc32fast::hash(&exact));
    }
    format!("{name}-v{}", id.version)
}

/// Whether this is the name, without ending, of a table's file: drafts of others are none of ours.
fn is_stem(name: &str) -> bool {
    name.rsplit_once("-v").is_some_and(|(_, version)| digits(version))
}

#[cfg(test)]
mod tests;
