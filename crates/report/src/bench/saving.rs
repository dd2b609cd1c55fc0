//! The file that figures are saved to. A file is drafted and renamed, so that it is whole or the earlier one; a link leads to
//! its file, and what is no file, such as a pipe, is written to as it is.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use untumble_search::draft::{self, Draft};

use super::Figures;
use crate::error::Error;

/// As much as figures take, and more: a disk may be nearly full.
const PROBE: usize = 64 << 10;

/// Where figures go.
pub struct Target {
    /// As it was named.
    named: PathBuf,
    /// Behind all links.
    path: PathBuf,
    /// Drafted and renamed; otherwise written to directly.
    file: bool,
}

impl Target {
    /// Finds out before minutes of measuring whether it can be written to.
    pub fn try_out(named: &Path) -> Result<Target, Error> {
        let path = draft::follow_links(named);
        let file = match fs::metadata(&path) {
            Ok(found) if found.is_dir() => return Err(nameless(named)),
            Ok(found) => found.is_file(),
            Err(_) => true,
        };
        if path.file_name().is_none() {
            return Err(nameless(named));
        }
        let target = Target { named: named.to_owned(), path, file };
        if file {
            let tried = Draft::with_bytes(&target.path, &vec![b' '; PROBE]);
            tried.map_err(|error| match error.kind() {
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded => target.unwritten(error),
                _ => Error::UnwritableFigures { path: named.to_owned(), error },
            })?;
        }
        Ok(target)
    }

    /// As it was named.
    pub fn named(&self) -> &Path {
        &self.named
    }

    /// Writes the figures.
    pub fn write(&self, figures: &Figures) -> Result<(), Error> {
        let text = serde_json::to_vec_pretty(figures).map_err(|error| self.unwritten(error.into()))?;
        let written = if self.file { draft::replace(&self.path, &text) } else { fs::write(&self.path, text) };
        written.map_err(|error| self.unwritten(error))
    }

    fn unwritten(&self, error: io::Error) -> Error {
        Error::UnsavedFigures { path: self.named.clone(), error }
    }
}

fn nameless(path: &Path) -> Error {
    Error::NoFileName { path: path.to_owned() }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use untumble_session::machine::Machine;

    fn figures() -> Figures {
        let machine = Machine::here();
        Figures {
            suite: "s".into(),
            untumble: "1".into(),
            rounds: 5,
            machine,
            device: None,
            cases: Vec::new(),
        }
    }

    #[test]
    fn links_are_followed_and_stay_links() {
        let folder = tempfile::tempdir().expect("a folder");
        let [file, link, dangling] = ["file", "link", "dangling"].map(|name| folder.path().join(name));
        fs::write(&file, "before").expect("written");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        std::os::unix::fs::symlink("later", &dangling).expect("a link");
        for (named, real) in [(&link, &file), (&dangling, &folder.path().join("later"))] {
            Target::try_out(named).and_then(|target| target.write(&figures())).expect("written");
            assert!(named.is_symlink());
            let saved: Figures = serde_json::from_slice(&fs::read(real).expect("a file")).expect("figures");
            assert_eq!(saved, figures());
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 4, "no drafts are left");
    }

    #[test]
    fn what_is_no_file_is_written_to_and_not_replaced() {
        // Whatever is written there is gone.
        let target = Target::try_out(Path::new("/dev/null")).expect("a device");
        assert!(!target.file);
        target.write(&figures()).expect("written");
        assert!(!fs::metadata("/dev/null").expect("still there").is_file());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_no_fault_of_the_command_line() {
        let target = Target::try_out(Path::new("/dev/full")).expect("a device");
        match target.write(&figures()) {
            Err(Error::UnsavedFigures { path, .. }) => assert_eq!(path, Path::new("/dev/full")),
            other => panic!("{other:?}"),
        }
    }
}
