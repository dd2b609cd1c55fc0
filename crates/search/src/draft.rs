//! Files that appear whole or not at all: written under a draft name and renamed when complete.
//!
//! The writer holds a lock on the draft, which the system releases even when the process is killed. So a locked
//! draft has a live writer, and an unlocked one is abandoned.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The extension of a draft.
const DRAFT: &str = "draft";
/// Where locks do not work, a draft of this age is abandoned.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

/// A file under a draft name, removed unless it is published.
pub struct Draft {
    /// Open for writing, and locked.
    pub file: File,
    path: PathBuf,
    target: PathBuf,
}

impl Draft {
    /// Creates a draft beside `target`, under a name of its own.
    pub fn new(target: &Path) -> io::Result<Draft> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = NEXT.fetch_add(1, Relaxed);
            let path = target.with_extension(format!("{}-{number}.{DRAFT}", process::id()));
            let file = match File::options().write(true).create_new(true).open(&path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                file => file?,
            };
            // Between creation and lock another process may have removed it as abandoned.
            let taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
            if !taken && path.exists() {
                return Ok(Draft { file, path, target: target.to_owned() });
            }
        }
    }

    /// Creates a draft that holds `bytes`, on the disk.
    pub fn with_bytes(target: &Path, bytes: &[u8]) -> io::Result<Draft> {
        let mut draft = Draft::new(target)?;
        draft.file.write_all(bytes)?;
        draft.file.sync_all()?;
        Ok(draft)
    }

    /// Renames it to its target, in place of a file that may be there.
    pub fn publish(mut self) -> io::Result<()> {
        fs::rename(&self.path, &self.target)?;
        // Nothing is left to remove.
        self.path.clear();
        Ok(())
    }
}

/// Replaces the file at `target` by one that holds `bytes`.
pub fn replace(target: &Path, bytes: &[u8]) -> io::Result<()> {
    Draft::with_bytes(target, bytes)?.publish()
}

/// The file that a path leads to through links; of a link to nothing, where the file would be. A draft of this
/// path replaces the file, not the link.
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
            // Where that fails, the next call of `clear` removes it.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Removes the abandoned drafts in a folder. Returns the target names, without extension, of those with a live
/// writer. Only drafts whose target name satisfies `ours` are considered.
pub fn clear(folder: &Path, ours: impl Fn(&str) -> bool) -> Vec<String> {
    let drafts = paths(folder, DRAFT).unwrap_or_default();
    let named = drafts.iter().filter_map(|path| Some((path, stem(path.file_name()?.to_str()?)?)));
    let ours = named.filter(|(_, stem)| ours(stem));
    ours.filter(|(path, _)| has_writer(path)).map(|(_, stem)| stem.to_owned()).collect()
}

/// The paths in a folder with this extension; none where the folder does not exist.
pub(crate) fn paths(folder: &Path, ending: &str) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    Ok(paths.filter(|path| path.extension().is_some_and(|found| found == ending)).collect())
}

/// The target name of a draft, without extension: `table-v1` of `table-v1.process-number.draft`.
fn stem(name: &str) -> Option<&str> {
    let (stem, numbers) = name.strip_suffix(DRAFT)?.strip_suffix('.')?.rsplit_once('.')?;
    let (process, number) = numbers.split_once('-')?;
    [process, number].into_iter().all(digits).then_some(stem)
}

/// Whether a text is digits and nothing else.
pub(crate) fn digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a draft has a live writer. It is removed where it is abandoned.
fn has_writer(draft: &Path) -> bool {
    let opened = File::options().write(true).open(draft).or_else(|_| File::open(draft));
    let Ok(file) = opened else { return false };
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => return true,
        Ok(()) => {}
        // The file system has no locks: only age tells, and the caller does not wait.
        Err(TryLockError::Error(_)) => {
            let written = file.metadata().and_then(|found| found.modified());
            if !written.is_ok_and(|written| written.elapsed().is_ok_and(|age| age > ABANDONED)) {
                return false;
            }
        }
    }
    // Another process may have been faster.
    let _ = fs::remove_file(draft);
    false
}
