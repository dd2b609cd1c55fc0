//! Replays the kept corpus through every target, and changed inputs derived from it.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};

use untumble_fuzz_targets::TARGETS;

fn fuzz_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// The files of a target's corpus, sorted by name.
fn corpus(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = fuzz_folder().join("corpus").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read(path).expect("a readable file"))).collect()
}

/// Runs a target; a panic is preceded by the input that caused it.
fn run(target: fn(&[u8]), input: &[u8], origin: &Path) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| target(input))) {
        let text = String::from_utf8_lossy(input);
        std::panic::set_hook(Box::new(|_| {}));
        let reason = panic.downcast_ref::<String>().cloned().unwrap_or_default();
        let _ = std::panic::take_hook();
        let message = format!("{}: {reason}; input: {text:?}", origin.display());
        resume_unwind(Box::new(message));
    }
}

#[test]
fn every_target_has_a_corpus_and_a_fuzzer() {
    let manifest = fs::read_to_string(fuzz_folder().join("Cargo.toml")).expect("the manifest of the fuzzers");
    for (name, _) in TARGETS {
        let count = corpus(name).len();
        assert!((5..=30).contains(&count), "{name}: {count} files");
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name} is not in fuzz/Cargo.toml");
        let fuzzer = fs::read_to_string(fuzz_folder().join(format!("fuzz_targets/{name}.rs")));
        assert!(fuzzer.is_ok_and(|text| text.contains(&format!("::{name}"))), "{name} has no fuzzer");
    }
    let folders = fs::read_dir(fuzz_folder().join("corpus")).expect("the corpus").count();
    assert_eq!(folders, TARGETS.len(), "every corpus belongs to a target");
}

#[test]
fn the_corpus_holds_its_laws() {
    for (name, target) in TARGETS {
        for (path, input) in corpus(name) {
            assert!(input.len() <= 4096, "{} is too long to be kept", path.display());
            run(target, &input, &path);
        }
    }
}

/// Deterministic changes, so that the test finds a fault near the corpus without a fuzzer: every prefix, and
/// every byte replaced by one that means something to a parser.
#[test]
fn changed_inputs_hold_the_laws() {
    const BYTES: &[u8] = b"\0\x7f\xff0 9-+%:=/,\"\n{(R";
    for (name, target) in TARGETS {
        for (path, input) in corpus(name) {
            let step = input.len().div_ceil(24).max(1);
            for at in (0..input.len()).step_by(step) {
                run(target, &input[..at], &path);
                let mut changed = input.clone();
                changed[at] = BYTES[(at + input.len()) % BYTES.len()];
                run(target, &changed, &path);
            }
        }
    }
}
