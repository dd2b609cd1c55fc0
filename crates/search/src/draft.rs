//! Files that appear whole or not at all: drafted under a name of their own and renamed when they stand.
//!
//! Whoever writes holds a lock on the draft, which the system lets go even when the process is killed. So a locked draft
//! means that somebody is at work, and an unlocked one is litter.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// How the name of a file ends while it is written.
const DRAFT: &str = "draft";
/// A draft that cannot be locked belongs to nobody after this long.
const FORGOTTEN: Duration = Duration::from_secs(24 * 60 * 60);

/// A file that is to become another, removed unless it does.
pub(crate) struct Draft {
    /// Held open for its lock.
    pub(crate) file: File,
    path: PathBuf,
    becomes: PathBuf,
}

impl Draft {
    /// Takes a name that nobody else has, beside the file it is to become.
    pub(crate) fn new(becomes: &Path) -> io::Result<Draft> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = NEXT.fetch_add(1, Relaxed);
            let path = becomes.with_extension(format!("{}-{number}.{DRAFT}", process::id()));
            let file = match File::options().write(true).create_new(true).open(&path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                file => file.map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?,
            };
            // Between creation and lock another process may have taken it for litter.
            let taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
            if !taken && path.exists() {
                return Ok(Draft { file, path, becomes: becomes.to_owned() });
            }
        }
    }

    /// Makes it the file it was to become, in place of one that may be there.
    pub(crate) fn publish(mut self) -> io::Result<()> {
        fs::rename(&self.path, &self.becomes)?;
        // Its name is free again: nothing is left to remove.
        self.path.clear();
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.path.as_os_str().is_empty() {
            // Where that fails, the next process that looks removes it.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Removes the drafts in a folder whose writers are no more. Returns the names, without ending, of the files that the others are to become.
/// Only those that `ours` knows count: other files are none of our business.
pub(crate) fn clear(folder: &Path, ours: impl Fn(&str) -> bool) -> Vec<String> {
    let drafts = paths(folder, DRAFT).unwrap_or_default();
    let named = drafts.iter().filter_map(|path| Some((path, stem(path.file_name()?.to_str()?)?)));
    let ours = named.filter(|(_, stem)| ours(stem));
    ours.filter(|(path, _)| at_work(path)).map(|(_, stem)| stem.to_owned()).collect()
}

/// The paths in a folder that end like this. A folder that is not there holds none.
pub(crate) fn paths(folder: &Path, ending: &str) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    Ok(paths.filter(|path| path.extension().is_some_and(|found| found == ending)).collect())
}

/// What a draft is to become, without ending: `table-v1` of `table-v1.process-number.draft`.
fn stem(name: &str) -> Option<&str> {
    let (stem, numbers) = name.strip_suffix(DRAFT)?.strip_suffix('.')?.rsplit_once('.')?;
    let (process, number) = numbers.split_once('-')?;
    [process, number].into_iter().all(digits).then_some(stem)
}

/// Whether a text is digits and nothing else.
pub(crate) fn digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether somebody works on a draft. It is removed where nobody can.
fn at_work(draft: &Path) -> bool {
    let opened = File::options().write(true).open(draft).or_else(|_| File::open(draft));
    let Ok(file) = opened else { return false };
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => return true,
        Ok(()) => {}
        // No locks here: only age tells, and nobody is waited for.
        Err(TryLockError::Error(_)) => {
            let written = file.metadata().and_then(|found| found.modified());
            if !written.is_ok_and(|written| written.elapsed().is_ok_and(|age| age > FORGOTTEN)) {
                return false;
            }
        }
    }
    // Another process may have been faster.
    let _ = fs::remove_file(draft);
    false
}
