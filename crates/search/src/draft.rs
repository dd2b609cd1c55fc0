//! Atomic file replacement: a file is written as a draft under a temporary name and renamed when complete.
//!
//! The writer holds a lock on the draft, which the operating system releases even when the process is
//! killed. So a locked draft has a live writer, and an unlocked one is abandoned.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The extension of a draft.
const DRAFT: &str = "draft";
/// On file systems without locks, a draft of this age is abandoned.
const ABANDONED_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// The result of [`try_lock`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileLock {
    /// The caller holds the lock until it closes the file, or until its process ends in any way.
    Acquired,
    /// Another handle holds the lock, usually one of another process.
    HeldElsewhere,
    /// The file system has no locks, so nothing is known about other writers.
    Unsupported,
}

/// Locks an open file against other writers that use this function; does not wait.
pub fn try_lock(file: &File) -> FileLock {
    match file.try_lock() {
        Ok(()) => FileLock::Acquired,
        Err(TryLockError::WouldBlock) => FileLock::HeldElsewhere,
        Err(TryLockError::Error(_)) => FileLock::Unsupported,
    }
}

/// A file under a temporary name. Dropping it without [`Draft::publish`] removes it.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let target = folder.path().join("table.bin");
/// use untumble_search::draft::{Draft, replace};
///
/// let draft = Draft::with_bytes(&target, b"first").unwrap();
/// assert!(!target.exists());
/// draft.publish().unwrap();
/// replace(&target, b"second").unwrap();
/// assert_eq!(std::fs::read(&target).unwrap(), b"second");
/// ```
pub struct Draft {
    /// The open and locked file.
    pub file: File,
    path: PathBuf,
    target: PathBuf,
}

impl Draft {
    /// Creates a draft beside `target`, under a unique name.
    pub fn new(target: &Path) -> io::Result<Draft> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = NEXT.fetch_add(1, Relaxed);
            let path = target.with_extension(format!("{}-{number}.{DRAFT}", process::id()));
            let file = match File::options().write(true).create_new(true).open(&path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                file => file?,
            };
            // Before the lock, another process may have removed the draft as abandoned.
            if try_lock(&file) != FileLock::HeldElsewhere && path.exists() {
                return Ok(Draft { file, path, target: target.to_owned() });
            }
        }
    }

    /// Creates a draft that holds `bytes`, synced to disk.
    pub fn with_bytes(target: &Path, bytes: &[u8]) -> io::Result<Draft> {
        let mut draft = Draft::new(target)?;
        draft.file.write_all(bytes)?;
        draft.file.sync_all()?;
        Ok(draft)
    }

    /// Renames the draft to its target and replaces an existing file.
    pub fn publish(mut self) -> io::Result<()> {
        fs::rename(&self.path, &self.target)?;
        // Nothing is left to remove.
        self.path.clear();
        Ok(())
    }
}

/// Replaces the file at `target` atomically by one that holds `bytes`.
pub fn replace(target: &Path, bytes: &[u8]) -> io::Result<()> {
    Draft::with_bytes(target, bytes)?.publish()
}

/// The target of a path after following symbolic links; for a dangling link, the missing target. A draft for
/// the returned path replaces the file and keeps the link.
pub fn follow_links(path: &Path) -> PathBuf {
    if let Ok(found) = fs::canonicalize(path) {
        return found;
    }
    match fs::read_link(path) {
        Ok(link) => path.with_file_name(link),
        Err(_) => path.to_owned(),
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.path.as_os_str().is_empty() {
            // If this fails, the next call of `remove_abandoned` removes the draft.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Removes the abandoned drafts in a folder. Returns the target names, without extension, of drafts with a
/// live writer. Considers only drafts whose target name satisfies `is_ours`.
pub fn remove_abandoned(folder: &Path, is_ours: impl Fn(&str) -> bool) -> Vec<String> {
    let drafts = paths_with_extension(folder, DRAFT).unwrap_or_default();
    let named = drafts.iter().filter_map(|path| Some((path, target_stem(path.file_name()?.to_str()?)?)));
    let ours = named.filter(|(_, stem)| is_ours(stem));
    ours.filter(|(path, _)| has_writer(path)).map(|(_, stem)| stem.to_owned()).collect()
}

/// The paths in a folder with this extension; empty if the folder does not exist.
pub(crate) fn paths_with_extension(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    Ok(paths.filter(|path| path.extension().is_some_and(|found| found == extension)).collect())
}

/// The target name of a draft, without extension: `table-v1` of `table-v1.process-number.draft`.
fn target_stem(name: &str) -> Option<&str> {
    let (stem, numbers) = name.strip_suffix(DRAFT)?.strip_suffix('.')?.rsplit_once('.')?;
    let (process, number) = numbers.split_once('-')?;
    [process, number].into_iter().all(is_digits).then_some(stem)
}

/// Whether a text is digits and nothing else.
pub(crate) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a draft has a live writer; removes an abandoned one.
fn has_writer(draft: &Path) -> bool {
    let opened = File::options().write(true).open(draft).or_else(|_| File::open(draft));
    let Ok(file) = opened else { return false };
    match try_lock(&file) {
        FileLock::HeldElsewhere => return true,
        FileLock::Acquired => {}
        // Without locks, the age decides whether to remove the draft, and the caller waits for no writer.
        FileLock::Unsupported => {
            let written = file.metadata().and_then(|found| found.modified());
            if !written.is_ok_and(|written| written.elapsed().is_ok_and(|age| age > ABANDONED_AGE)) {
                return false;
            }
        }
    }
    // Another process may have been faster.
    let _ = fs::remove_file(draft);
    false
}
