//! Checkpoints of proofs: however often a proof is stopped or killed, its end is that of one run; a damaged
//! or foreign file is refused and kept.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::Value;
use tempfile::TempDir;
use untumble_search::checkpoint::file::CheckpointFile;

use super::damage::Damage;
use super::{Counts, SEQUENCES, check_sequences};
use crate::common::{RunOutput, process, run, wait_until};

static COUNTS: Counts = Counts::of("checkpoints");

/// The searches: two positions, and for the first one another solver and all solutions.
const SEARCHES: [&[&str]; 4] = [
    &[KORF_4, "--with", "ida+manhattan"],
    &[KORF_4, "--with", "ida+linear-conflict"],
    &[KORF_4, "--with", "ida+manhattan", "--all"],
    &[KORF_5, "--with", "ida+manhattan"],
];
/// Korf's fourth and fifth 15-puzzles: 56 moves each.
const KORF_4: &str = "5 12 10 7 15 11 14 0 8 2 1 13 3 4 9 6";
const KORF_5: &str = "4 7 14 13 10 3 9 12 11 5 6 15 1 2 8 0";
/// The fields that a resumed proof has in common with one run.
const SHARED: [&str; 9] = [
    "solver",
    "outcome",
    "moves",
    "length",
    "optimal",
    "lower_bound",
    "generated",
    "iterations",
    "solutions",
];

fn arguments<'a>(search: usize, more: &[&'a str]) -> Vec<&'a str> {
    let fixed = ["--goal", "blank-first", "--json", "--threads", "1"];
    [&["solve", "15-puzzle"], SEARCHES[search], &fixed, more].concat()
}

/// The answers of uninterrupted runs.
static WHOLE: LazyLock<Vec<Value>> = LazyLock::new(|| {
    (0..SEARCHES.len()).map(|search| run(&arguments(search, &[])).exits(0).json().remove(0)).collect()
});

#[derive(Clone, Debug)]
enum Operation {
    /// Solves to the end, or until this share of the proof's nodes, in 1/256, is generated.
    Solve {
        search: usize,
        share: Option<u8>,
    },
    /// Kills a run when it has saved this share of the proof's nodes, in 1/256.
    Kill {
        search: usize,
        share: u8,
    },
    Damage(Damage),
    /// A run with a file in which one byte was changed is refused; then the file is restored.
    Flip {
        at: u16,
        mask: u8,
    },
    /// Stores a copy of the file, or replaces the file by the copy.
    Store,
    Restore,
    Remove,
    /// Two processes at once with the same file; each gives a right answer or is refused.
    Two {
        search: usize,
    },
}

fn operation() -> impl Strategy<Value = Operation> {
    // Most operations belong to the same search, so that most files are resumed.
    let search = prop_oneof![6 => Just(0usize), 1 => Just(1), 1 => Just(2), 1 => Just(3)];
    prop_oneof![
        3 => (search.clone(), proptest::option::weighted(0.8, 1u8..))
            .prop_map(|(search, share)| Operation::Solve { search, share }),
        4 => (search.clone(), any::<u8>()).prop_map(|(search, share)| Operation::Kill { search, share }),
        5 => Damage::any().prop_map(Operation::Damage),
        9 => (any::<u16>(), 1u8..).prop_map(|(at, mask)| Operation::Flip { at, mask }),
        1 => Just(Operation::Store),
        1 => Just(Operation::Restore),
        1 => Just(Operation::Remove),
        1 => search.prop_map(|search| Operation::Two { search }),
    ]
}

/// The file as it should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Saved {
    Absent,
    /// A checkpoint of this search.
    Of(usize),
    Damaged,
}

struct System {
    dir: TempDir,
    saved: Saved,
    stored: Option<(Saved, Vec<u8>)>,
}

impl System {
    fn new() -> System {
        System { dir: tempfile::tempdir().expect("a folder"), saved: Saved::Absent, stored: None }
    }

    fn file(&self) -> PathBuf {
        self.dir.path().join("long.proof")
    }

    /// The arguments of a search with this file.
    fn arguments(&self, search: usize, more: &[&str]) -> Vec<String> {
        let arguments = arguments(search, more);
        let file = self.file().to_str().expect("a name").to_owned();
        let mut arguments: Vec<String> = arguments.into_iter().map(str::to_owned).collect();
        arguments.extend(["--checkpoint".to_owned(), file]);
        arguments
    }

    fn run(&self, search: usize, more: &[&str]) -> RunOutput {
        let arguments = self.arguments(search, more);
        run(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// The nodes of the saved checkpoint. Fails if the file is invalid.
    fn saved_nodes(&self) -> u64 {
        let (_, saved) = CheckpointFile::open(&self.file()).expect("a valid checkpoint");
        saved.map_or(0, |saved| saved.generated())
    }

    /// Whether the file prevents a run of the search.
    fn refuses(&self, search: usize) -> bool {
        match self.saved {
            Saved::Absent => false,
            Saved::Of(other) => other != search,
            Saved::Damaged => true,
        }
    }

    fn assert_refused(&self, ran: &RunOutput, before: &[u8]) {
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{:?}: {}", self.saved, ran.err);
        assert!(ran.err.contains("name another file"), "{}", ran.err);
        assert_eq!(fs::read(self.file()).expect("the file is kept"), before, "the file is unchanged");
    }

    fn solve(&mut self, search: usize, share: Option<u8>) {
        let before = fs::read(self.file()).unwrap_or_default();
        let resumed = if self.saved == Saved::Of(search) { self.saved_nodes() } else { 0 };
        let whole = WHOLE[search]["generated"].as_u64().expect("a count");
        let nodes = share.map(|share| (whole * u64::from(share) / 256).max(1).to_string());
        let ran = match &nodes {
            Some(nodes) => self.run(search, &["--nodes", nodes]),
            None => self.run(search, &[]),
        };
        if self.refuses(search) {
            return self.assert_refused(&ran, &before);
        }
        let answer = ran.json().pop().unwrap_or_else(|| panic!("{}", ran.err));
        assert_eq!(answer["resumed"]["generated"].as_u64().unwrap_or(0), resumed, "{}", ran.err);
        match ran.code {
            Some(0) => {
                assert_whole(&answer, search);
                self.saved = Saved::Absent;
            }
            _ => {
                let ran = ran.exits(5);
                assert!(nodes.is_some(), "without a limit the proof ends: {}", ran.err);
                assert_lower_bound(&answer, search);
                assert_eq!(answer["generated"].as_u64(), Some(self.saved_nodes()), "all nodes are saved");
                self.saved = Saved::Of(search);
            }
        }
    }

    fn kill(&mut self, search: usize, share: u8) {
        let before = fs::read(self.file()).unwrap_or_default();
        let arguments = self.arguments(search, &["--checkpoint-every", "1ms"]);
        let mut child = process(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
            .spawn()
            .expect("the program starts");
        let refused = self.refuses(search);
        let earlier = if refused || self.saved == Saved::Absent { 0 } else { self.saved_nodes() };
        let whole = WHOLE[search]["generated"].as_u64().expect("a count");
        let target = earlier + (whole - earlier.min(whole)) * u64::from(share) / 256;
        wait_until("nodes are saved", || {
            child.try_wait().expect("a status").is_some() || (!refused && self.saved_nodes() >= target)
        });
        child.kill().expect("the process can be killed");
        let output = child.wait_with_output().expect("the program ends");
        COUNTS.add_kill(output.status);
        if refused {
            let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
            let (out, err) = (text(output.stdout), text(output.stderr));
            return self.assert_refused(&RunOutput { code: output.status.code(), out, err }, &before);
        }
        if let Some(answer) = output.stdout.split(|&byte| byte == b'\n').next().filter(|out| !out.is_empty())
        {
            // The proof was finished first. The file is removed before or after the answer is printed.
            assert_whole(&serde_json::from_slice(answer).expect("JSON"), search);
        } else if self.saved == Saved::Of(search) && self.file().exists() {
            assert!(self.saved_nodes() >= earlier, "no saved nodes are lost");
        } else {
            assert_ne!(self.saved, Saved::Of(search), "an unfinished proof keeps its file");
        }
        self.saved = if self.file().exists() { Saved::Of(search) } else { Saved::Absent };
    }

    /// Only the checksum detects every changed byte: the contents may be those of a possible proof.
    fn flip(&self, at: u16, mask: u8) {
        let Saved::Of(search) = self.saved else { return };
        let bytes = fs::read(self.file()).expect("a file");
        let changed = Damage::Flip { at, mask }.of(&bytes);
        fs::write(self.file(), &changed).expect("a writable file");
        self.assert_refused(&self.run(search, &["--nodes", "1"]), &changed);
        fs::write(self.file(), &bytes).expect("a writable file");
    }

    fn two(&mut self, search: usize) {
        let refused = self.refuses(search);
        let before = fs::read(self.file()).unwrap_or_default();
        let arguments = self.arguments(search, &["--checkpoint-every", "1ms"]);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let children = [(); 2].map(|()| process(&arguments).spawn().expect("the program starts"));
        for output in children.map(|child| child.wait_with_output().expect("the program ends")) {
            let err = String::from_utf8(output.stderr).expect("UTF-8");
            if refused {
                assert_eq!(output.status.code(), Some(2), "{err}");
            } else {
                assert_eq!(output.status.code(), Some(0), "{err}");
                assert_whole(&serde_json::from_slice(&output.stdout).expect("JSON"), search);
            }
        }
        if refused {
            assert_eq!(fs::read(self.file()).expect("the file is kept"), before);
        } else {
            // The process that ends first removes the file; the other may have saved it again.
            self.saved_nodes();
            self.saved = if self.file().exists() { Saved::Of(search) } else { Saved::Absent };
        }
    }

    fn apply(&mut self, operation: &Operation) {
        match operation {
            Operation::Solve { search, share } => self.solve(*search, *share),
            Operation::Kill { search, share } => self.kill(*search, *share),
            Operation::Two { search } => self.two(*search),
            // Damaging a file twice could restore it.
            Operation::Damage(damage) if self.saved != Saved::Damaged => {
                if damage.apply(&self.file()) {
                    self.saved = Saved::Damaged;
                }
            }
            Operation::Damage(_) => {}
            Operation::Flip { at, mask } => self.flip(*at, *mask),
            Operation::Store => self.stored = fs::read(self.file()).ok().map(|bytes| (self.saved, bytes)),
            Operation::Restore => {
                if let Some((saved, bytes)) = &self.stored {
                    fs::write(self.file(), bytes).expect("a writable folder");
                    self.saved = *saved;
                }
            }
            Operation::Remove => {
                let _ = fs::remove_file(self.file());
                self.saved = Saved::Absent;
            }
        }
    }
}

/// Fails unless an answer is that of an uninterrupted run.
fn assert_whole(answer: &Value, search: usize) {
    for key in SHARED {
        assert_eq!(answer[key], WHOLE[search][key], "{key} of {answer}");
    }
}

/// Fails if the lower bound of an unfinished proof exceeds the distance, or if it claims a proof.
fn assert_lower_bound(answer: &Value, search: usize) {
    let distance = WHOLE[search]["length"].as_u64();
    let bound = answer["lower_bound"].as_u64();
    assert!(bound.is_some() && bound <= distance, "{answer}");
    assert!(answer["optimal"] != true || answer["length"].as_u64() == distance, "{answer}");
}

#[test]
fn checkpoints_follow_the_model() {
    check_sequences(&COUNTS, SEQUENCES, operation(), 1..10, |operations| {
        let mut system = System::new();
        operations.iter().for_each(|operation| system.apply(operation));
        // Every sequence ends with the whole proof, from the file if it is one of this search.
        let search = if let Saved::Of(search) = system.saved { search } else { 0 };
        if system.refuses(search) {
            system.apply(&Operation::Solve { search, share: None });
            system.apply(&Operation::Remove);
        }
        system.apply(&Operation::Solve { search, share: None });
        let files: Vec<_> = fs::read_dir(system.dir.path()).expect("a folder").collect();
        assert!(files.is_empty(), "{files:?} remain");
    });
}
