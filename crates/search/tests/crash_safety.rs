//! Tables survive `kill -9` and full disks. The test starts itself as a child process and kills it at chosen
//! moments.
#![allow(clippy::print_stdout, reason = "the child process reports over standard output")]

use std::fs;
use std::io::{self, BufRead, BufReader};
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use untumble_search::control::{Control, Limits, ManualClock, MemoryAccount, Silent};
use untumble_search::disk::Disk;
use untumble_search::tables::{TableId, Tables};

/// The environment variable with the folder of the child process.
const FOLDER: &str = "UNTUMBLE_TEST_FOLDER";
/// The environment variable with the part of the table at which the child waits to be killed. If it is unset,
/// the child does not wait.
const STOP_AT: &str = "UNTUMBLE_TEST_STOP_AT";
/// The environment variable that makes the child save the state of its build after every part.
const SAVES: &str = "UNTUMBLE_TEST_SAVES";
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

/// Requests the table and fails unless it is correct. Returns the parts that had to be built. With `saves`
/// the build saves its state after every part.
fn request_parts(folder: &Path, stop_at: Option<usize>, saves: bool) -> Option<Range<usize>> {
    let expected = contents();
    let mut built = None;
    let disk = Disk::new(folder.to_owned());
    let clock = Arc::new(ManualClock::new());
    let control =
        Control::with_clock(clock.clone(), &MemoryAccount::default(), Limits::default(), Arc::new(Silent));
    let table = disk.get(&id(), LENGTH, &control, &mut |table, control| {
        let first = table.restore(&mut [], control)?.map_or(0, |part| part as usize + 1);
        built = Some(first..PARTS);
        for part in first..PARTS {
            control.poll()?;
            while stop_at == Some(part) {
                println!("stopped");
                thread::park();
            }
            let range = part * LENGTH / PARTS..(part + 1) * LENGTH / PARTS;
            table[range.clone()].copy_from_slice(&expected[range]);
            if saves {
                // A part takes longer than the interval between two saves.
                clock.advance(Duration::from_secs(1000));
            }
            table.save_if_due(part as u32, &[], control)?;
        }
        Ok(())
    });
    assert!(table.expect("a table").bytes() == expected, "the table is correct");
    built
}

/// Requests the table, whose build saves no states. Returns whether it had to be built.
fn request(folder: &Path, stop_at: Option<usize>) -> bool {
    request_parts(folder, stop_at, false).is_some()
}

/// The code of the child process; does nothing in the parent.
#[test]
fn child_process() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        let stop_at = std::env::var(STOP_AT).ok().map(|part| part.parse().expect("a number"));
        let saves = std::env::var_os(SAVES).is_some();
        let built = request_parts(Path::new(&folder), stop_at, saves).is_some();
        println!("{}", if built { "built" } else { "read" });
    }
}

fn child_command(folder: &Path) -> Command {
    let this = std::env::current_exe().expect("the path of this program");
    let mut command = Command::new(this);
    command.args(["child_process", "--exact", "--nocapture", "--test-threads=1"]).env(FOLDER, folder);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// The command of a child process that the system kills as soon as it writes more than `blocks` blocks of
/// 512 bytes to a file.
#[cfg(unix)]
fn file_size_limited(folder: &Path, blocks: usize) -> Command {
    let child = child_command(folder);
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit -f {blocks} && exec \"$0\" \"$@\"")]);
    shell.arg(child.get_program()).args(child.get_args()).env(FOLDER, folder);
    shell.stdout(Stdio::null()).stderr(Stdio::null());
    shell
}

/// Waits for a line of the child process that ends with `word`.
fn wait_for(lines: &mut impl Iterator<Item = io::Result<String>>, word: &str) {
    // The test harness may have started the line with the name of the test.
    let found = lines.any(|line| line.is_ok_and(|line| line.ends_with(word)));
    assert!(found, "the child process prints `{word}`");
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name")).collect()
}

/// Checks that a complete table is used, any other is rebuilt, and drafts are removed.
fn assert_recovered(folder: &Path) {
    let complete = folder.join("test-killed-v1.table").exists();
    assert_eq!(request(folder, None), !complete, "a complete table is used, any other is built");
    assert_eq!(files(folder), ["test-killed-v1.table"], "nothing is left behind");
    assert!(!request(folder, None), "then the table is read");
}

/// The drafts in a folder, and their lengths.
fn drafts(folder: &Path) -> Vec<u64> {
    let drafts = files(folder).into_iter().filter(|name| name.ends_with(".draft"));
    drafts.map(|name| fs::metadata(folder.join(name)).expect("a file").len()).collect()
}

#[test]
fn a_process_killed_while_building_leaves_a_recoverable_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for part in (0..PARTS).step_by(3) {
        let _ = fs::remove_file(folder.join("test-killed-v1.table"));
        let mut child =
            child_command(folder).env(STOP_AT, part.to_string()).spawn().expect("this program starts");
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        wait_for(&mut lines, "stopped");
        child.kill().expect("it is killed");
        child.wait().expect("it ends");
        assert_eq!(drafts(folder).len(), 1, "the child was building");
        assert_recovered(folder);
    }
}

#[test]
fn a_build_continues_after_its_process_was_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for part in [1, 5, 15] {
        let mut child = child_command(folder)
            .env(STOP_AT, part.to_string())
            .env(SAVES, "1")
            .spawn()
            .expect("this program starts");
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        wait_for(&mut lines, "stopped");
        child.kill().expect("it is killed");
        child.wait().expect("it ends");
        let mut names = files(folder);
        names.sort();
        assert!(matches!(&names[..], [_, state] if state == "test-killed-v1.build"), "{names:?}");
        assert_eq!(
            request_parts(folder, None, true),
            Some(part..PARTS),
            "finished parts are not built again"
        );
        assert_eq!(files(folder), ["test-killed-v1.table"], "nothing is left behind");
        fs::remove_file(folder.join("test-killed-v1.table")).expect("the table is there");
    }
}

#[cfg(unix)]
#[test]
fn a_process_killed_while_writing_leaves_a_recoverable_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    for _ in 0..10 {
        let _ = fs::remove_file(folder.join("test-killed-v1.table"));
        // The limit is beyond the header, which is written last.
        let blocks = rng.random_range(16..LENGTH / 512);
        let status = file_size_limited(folder, blocks).status().expect("this program starts");
        assert!(!status.success(), "it was killed: {status}");
        assert_eq!(drafts(folder), [blocks as u64 * 512], "it was killed while writing");
        assert_recovered(folder);
    }
}

#[test]
fn concurrent_processes_all_get_the_correct_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let children = [(); 4].map(|()| child_command(folder.path()).spawn().expect("this program starts"));
    let built = children.map(|child| {
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "the table is correct");
        let text = String::from_utf8(output.stdout).expect("text");
        let last = text.lines().rfind(|line| line.ends_with("built") || line.ends_with("read"));
        last.expect("the child prints a result").ends_with("built")
    });
    let count = built.iter().filter(|&&built| built).count();
    assert!((1..4).contains(&count), "{count} of 4 built the table; at least one should have waited");
    assert_eq!(files(folder.path()), ["test-killed-v1.table"]);
    assert!(!request(folder.path(), None));
}
