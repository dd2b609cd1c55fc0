//! The folder in which tables are kept between runs.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use untumble_search::disk::Disk;

/// The environment variable that overrides the folder.
const VARIABLE: &str = "UNTUMBLE_CACHE";

/// The tables in the user's cache folder. Without a known folder, every table is built anew.
pub fn disk() -> Disk {
    match folder(|name| env::var_os(name)) {
        Some(folder) => Disk::new(folder),
        None => Disk::without_folder(format!("no cache folder is known (set {VARIABLE})")),
    }
}

/// The folder that the environment names, or the system's conventional one.
fn folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let path = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    // A relative path would name another folder in every working directory.
    let absolute = |name| path(name).filter(|path| path.is_absolute());
    let conventional = || {
        if cfg!(windows) {
            absolute("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            absolute("HOME").map(|home| home.join("Library/Caches"))
        } else {
            absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")))
        }
    };
    path(VARIABLE).or_else(|| conventional().map(|caches| caches.join("untumble")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(variables: &[(&str, &str)]) -> Option<PathBuf> {
        folder(|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into()))
    }

    #[test]
    fn the_variable_overrides_the_system() {
        let home = [("HOME", "/home/me"), ("XDG_CACHE_HOME", "/x"), ("LOCALAPPDATA", "C:\\x")];
        assert_eq!(found(&[&home[..], &[(VARIABLE, "here")]].concat()), Some("here".into()));
        assert_eq!(found(&[]), None);
    }

    #[cfg(all(unix, not(target_os = "macos")))]
    #[test]
    fn the_default_folder_follows_the_xdg_specification() {
        let expected = Some(PathBuf::from("/home/me/.cache/untumble"));
        assert_eq!(found(&[("HOME", "/home/me"), (VARIABLE, "")]), expected);
        assert_eq!(
            found(&[("HOME", "/home/me"), ("XDG_CACHE_HOME", "relative")]),
            expected,
            "relative paths are ignored"
        );
        assert_eq!(found(&[("HOME", "/home/me"), ("XDG_CACHE_HOME", "/x")]), Some("/x/untumble".into()));
        assert_eq!(found(&[("HOME", "")]), None);
    }
}
