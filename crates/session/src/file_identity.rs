//! Identities of solvers that read files: the digest of a file stands for its name, so that a run is resumed
//! only with the same contents.

use std::fs::{self, File};
use std::io::Read;

use sha2::{Digest, Sha256};

use untumble_search::registry::HeuristicInfo;
use untumble_search::spec::HeuristicExpr;

/// The largest file of a heuristic that becomes part of an identity, in bytes.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// The digest of a file: `sha256-` and its first 32 hexadecimal digits. `None` if the file is unreadable, not
/// a regular file or too large; a device such as `/dev/zero` has no end.
fn file_digest(path: &str) -> Option<String> {
    let metadata = fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > MAX_FILE_BYTES {
        return None;
    }
    let mut contents = Vec::new();
    File::open(path).ok()?.take(MAX_FILE_BYTES).read_to_end(&mut contents).ok()?;
    let digest = Sha256::digest(contents);
    Some(digest.iter().take(16).fold("sha256-".to_owned(), |text, byte| format!("{text}{byte:02x}")))
}

/// Replaces file names in a heuristic by the digests of the files; a file without a digest keeps its name.
/// `heuristics` lists the heuristics of the puzzle.
pub(crate) fn identify_files(expr: &mut HeuristicExpr, heuristics: &[HeuristicInfo]) {
    match expr {
        HeuristicExpr::Max(terms) => terms.iter_mut().for_each(|term| identify_files(term, heuristics)),
        HeuristicExpr::Named { name, argument: Some(argument) } => {
            let reads_file = heuristics.iter().any(|info| info.is_called(name) && info.reads_file);
            if let Some(digest) = reads_file.then(|| file_digest(argument)).flatten() {
                *argument = digest;
            }
        }
        HeuristicExpr::Named { argument: None, .. } => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_and_large_files_are_not_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
        let create = |name: &str, length: u64| {
            let file = File::create(path(name)).expect("a file");
            file.set_len(length).expect("a sparse file");
        };
        create("empty", 0);
        create("large", MAX_FILE_BYTES + 1);
        assert_eq!(
            file_digest(&path("empty")).as_deref(),
            Some("sha256-e3b0c44298fc1c149afbf4c8996fb924"),
            "the digest of the empty message"
        );
        assert_eq!(file_digest(&path("large")), None);
        assert_eq!(file_digest(&path("missing")), None);
        assert_eq!(file_digest(folder.path().to_str().expect("a path")), None);
        // Reading `/dev/null` would succeed, and reading `/dev/zero` would not end.
        #[cfg(unix)]
        assert_eq!(file_digest("/dev/null"), None);
    }
}
