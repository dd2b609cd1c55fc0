//! The file that suite results are saved to.
//!
//! A regular file is replaced atomically: a draft is written and renamed. Symbolic links are followed.
//! Anything else, such as a pipe or a device, is written directly.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use untumble_search::draft::{self, Draft};

use super::SuiteResults;
use crate::error::Error;

/// Bytes of the trial write that detects a full disk; results need fewer.
const TRIAL_BYTES: usize = 64 << 10;

/// The destination of suite results.
pub struct OutputFile {
    /// The path as given.
    path: PathBuf,
    /// The path with all links followed.
    target: PathBuf,
    /// Whether `target` is a regular file or absent, and therefore replaced atomically.
    regular: bool,
}

impl OutputFile {
    /// Checks that results can be written to `path`. Call this before the measurements, which take minutes.
    pub fn check_writable(path: &Path) -> Result<OutputFile, Error> {
        let target = draft::follow_links(path);
        let regular = match fs::metadata(&target) {
            Ok(found) if found.is_dir() => return Err(no_file_name(path)),
            Ok(found) => found.is_file(),
            Err(_) => true,
        };
        if target.file_name().is_none() {
            return Err(no_file_name(path));
        }
        let file = OutputFile { path: path.to_owned(), target, regular };
        if regular {
            let trial = Draft::with_bytes(&file.target, &vec![b' '; TRIAL_BYTES]);
            trial.map_err(|error| match error.kind() {
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded => file.unsaved(error),
                _ => Error::UnwritableBaseline { path: path.to_owned(), error },
            })?;
        }
        Ok(file)
    }

    /// The path as given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the results as JSON.
    pub fn write(&self, results: &SuiteResults) -> Result<(), Error> {
        let text = serde_json::to_vec_pretty(results).map_err(|error| self.unsaved(error.into()))?;
        let written =
            if self.regular { draft::replace(&self.target, &text) } else { fs::write(&self.target, text) };
        written.map_err(|error| self.unsaved(error))
    }

    fn unsaved(&self, error: io::Error) -> Error {
        Error::UnsavedBaseline { path: self.path.clone(), error }
    }
}

fn no_file_name(path: &Path) -> Error {
    Error::NoFileName { path: path.to_owned() }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use untumble_session::machine::Machine;

    fn results() -> SuiteResults {
        let machine = Machine::detect();
        SuiteResults {
            suite: "s".into(),
            untumble: "1".into(),
            rounds: 5,
            machine,
            device: None,
            cases: Vec::new(),
        }
    }

    #[test]
    fn symbolic_links_are_followed_and_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let [file, link, dangling] = ["file", "link", "dangling"].map(|name| folder.path().join(name));
        fs::write(&file, "before").expect("written");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        std::os::unix::fs::symlink("later", &dangling).expect("a link");
        for (given, real) in [(&link, &file), (&dangling, &folder.path().join("later"))] {
            OutputFile::check_writable(given).and_then(|file| file.write(&results())).expect("written");
            assert!(given.is_symlink());
            let saved: SuiteResults =
                serde_json::from_slice(&fs::read(real).expect("a file")).expect("results");
            assert_eq!(saved, results());
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 4, "no drafts are left");
    }

    #[test]
    fn devices_are_written_to_and_not_replaced() {
        let file = OutputFile::check_writable(Path::new("/dev/null")).expect("a device");
        assert!(!file.regular);
        file.write(&results()).expect("written");
        assert!(!fs::metadata("/dev/null").expect("still there").is_file());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_unsaved_baseline() {
        let file = OutputFile::check_writable(Path::new("/dev/full")).expect("a device");
        match file.write(&results()) {
            Err(Error::UnsavedBaseline { path, .. }) => assert_eq!(path, Path::new("/dev/full")),
            other => panic!("{other:?}"),
        }
    }
}
