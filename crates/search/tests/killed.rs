//! Tables survive `kill -9` and full disks: this program calls itself, and ends at chosen moments.
#![allow(clippy::print_stdout, reason = "the two processes talk over standard output")]

use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use untumble_search::control::Control;
use untumble_search::disk::Disk;
use untumble_search::tables::{TableId, Tables};

/// Where the other process works.
const FOLDER: &str = "UNTUMBLE_TEST_FOLDER";
/// The part of the table after which it stops building, until it is killed; none where it is unset.
const STOP_AT: &str = "UNTUMBLE_TEST_STOP_AT";
const LENGTH: usize = 24 << 20;
const PARTS: usize = 16;

fn id() -> TableId {
    TableId { puzzle: "test".into(), pattern: "killed".into(), metric: String::new(), version: 1 }
}

fn contents() -> Vec<u8> {
    let mut seed = 1u64;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed.to_le_bytes()
    };
    (0..LENGTH / 8).flat_map(|_| next()).collect()
}

/// Whether the table had to be built; fails unless it is right.
fn ask(folder: &Path, stop_at: Option<usize>) -> bool {
    let right = contents();
    let mut built = false;
    let disk = Disk::new(folder.to_owned());
    let table = disk.get(&id(), LENGTH, &Control::default(), &mut |bytes, control| {
        built = true;
        for (part, (to, from)) in
            bytes.chunks_mut(LENGTH / PARTS).zip(right.chunks(LENGTH / PARTS)).enumerate()
        {
            control.poll()?;
            while stop_at == Some(part) {
                println!("stopped");
                thread::park();
            }
            to.copy_from_slice(from);
        }
        Ok(())
    });
    assert!(table.expect("a table").bytes() == right, "the table is right");
    built
}

/// The other process; nothing where this one is meant.
#[test]
fn other_process() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        let stop_at = std::env::var(STOP_AT).ok().map(|part| part.parse().expect("a number"));
        let built = ask(Path::new(&folder), stop_at);
        println!("{}", if built { "built" } else { "read" });
    }
}

fn other(folder: &Path) -> Command {
    let this = std::env::current_exe().expect("the path of this program");
    let mut command = Command::new(this);
    command.args(["other_process", "--exact", "--nocapture", "--test-threads=1"]).env(FOLDER, folder);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// The other process, which the system kills as soon as it writes more than so many blocks of 512 bytes to a file.
#[cfg(unix)]
fn limited(folder: &Path, blocks: usize) -> Command {
    let other = other(folder);
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit -f {blocks} && exec \"$0\" \"$@\"")]);
    shell.arg(other.get_program()).args(other.get_args()).env(FOLDER, folder);
    shell.stdout(Stdio::null()).stderr(Stdio::null());
    shell
}

/// Waits until the other process says this.
fn wait_for(lines: &mut impl Iterator<Item = io::Result<String>>, word: &str) {
    // The test harness may have begun the line with the name of the test.
    let found = lines.any(|line| line.is_ok_and(|line| line.ends_with(word)));
    assert!(found, "the other process says `{word}`");
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name")).collect()
}

/// What another process left is used where it is whole and replaced where it is not; drafts are removed.
fn is_repaired(folder: &Path) {
    let stands = folder.join("test-killed-v1.table").exists();
    assert_eq!(ask(folder, None), !stands, "a whole table is used, any other is built");
    assert_eq!(files(folder), ["test-killed-v1.table"], "nothing is left behind");
    assert!(!ask(folder, None), "and then it is there");
}

/// The drafts in a folder, and their lengths.
fn drafts(folder: &Path) -> Vec<u64> {
    let drafts = files(folder).into_iter().filter(|name| name.ends_with(".draft"));
    drafts.map(|name| fs::metadata(folder.join(name)).expect("a file").len()).collect()
}

#[test]
fn a_process_killed_while_it_builds_harms_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for part in (0..PARTS).step_by(3) {
        let _ = fs::remove_file(folder.join("test-killed-v1.table"));
        let mut child = other(folder).env(STOP_AT, part.to_string()).spawn().expect("this program starts");
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        wait_for(&mut lines, "stopped");
        child.kill().expect("it is killed");
        child.wait().expect("it ends");
        assert_eq!(drafts(folder).len(), 1, "it was at work");
        is_repaired(folder);
    }
}

#[cfg(unix)]
#[test]
fn a_process_killed_while_it_writes_harms_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    for _ in 0..10 {
        let _ = fs::remove_file(folder.join("test-killed-v1.table"));
        // Behind the header, which is written last.
        let blocks = rng.random_range(16..LENGTH / 512);
        let status = limited(folder, blocks).status().expect("this program starts");
        assert!(!status.success(), "it was killed: {status}");
        assert_eq!(drafts(folder), [blocks as u64 * 512], "while it wrote");
        is_repaired(folder);
    }
}

#[test]
fn processes_that_start_together_all_get_the_right_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let children = [(); 4].map(|()| other(folder.path()).spawn().expect("this program starts"));
    let built = children.map(|child| {
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "the table is right");
        let text = String::from_utf8(output.stdout).expect("text");
        let last = text.lines().rfind(|line| line.ends_with("built") || line.ends_with("read"));
        last.expect("it says what it did").ends_with("built")
    });
    let count = built.iter().filter(|&&built| built).count();
    assert!((1..4).contains(&count), "{count} of 4 built it; at least one should have waited");
    assert_eq!(files(folder.path()), ["test-killed-v1.table"]);
    assert!(!ask(folder.path(), None));
}
