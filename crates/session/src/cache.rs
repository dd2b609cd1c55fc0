//! Where tables are kept between runs.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use untumble_search::disk::Disk;

/// The variable that names the folder.
const VARIABLE: &str = "UNTUMBLE_CACHE";

/// The tables of the user's cache folder.
pub fn disk() -> Disk {
    match folder(|name| env::var_os(name)) {
        Some(folder) => Disk::new(folder),
        None => Disk::without_folder(format!("no cache folder is known (set {VARIABLE})")),
    }
}

/// The folder that the environment asks for, or the system's usual one.
fn folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let path = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    // Only a whole path means the same folder wherever the program is started.
    let whole = |name| path(name).filter(|path| path.is_absolute());
    let usual = || {
        if cfg!(windows) {
            whole("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            whole("HOME").map(|home| home.join("Library/Caches"))
        } else {
            whole("XDG_CACHE_HOME").or_else(|| whole("HOME").map(|home| home.join(".cache")))
        }
    };
    path(VARIABLE).or_else(|| usual().map(|caches| caches.join("untumble")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(variables: &[(&str, &str)]) -> Option<PathBuf> {
        folder(|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into()))
    }

    #[test]
    fn the_variable_comes_first() {
        let home = [("HOME", "/home/me"), ("XDG_CACHE_HOME", "/x"), ("LOCALAPPDATA", "C:\\x")];
        assert_eq!(found(&[&home[..], &[(VARIABLE, "here")]].concat()), Some("here".into()));
        assert_eq!(found(&[]), None);
    }

    #[cfg(all(unix, not(target_os = "macos")))]
    #[test]
    fn the_usual_folder_is_that_of_the_desktop_standard() {
        let usual = Some(PathBuf::from("/home/me/.cache/untumble"));
        assert_eq!(found(&[("HOME", "/home/me"), (VARIABLE, "")]), usual);
        assert_eq!(found(&[("HOME", "/home/me"), ("XDG_CACHE_HOME", "relative")]), usual, "as it demands");
        assert_eq!(found(&[("HOME", "/home/me"), ("XDG_CACHE_HOME", "/x")]), Some("/x/untumble".into()));
        assert_eq!(found(&[("HOME", "")]), None);
    }
}
