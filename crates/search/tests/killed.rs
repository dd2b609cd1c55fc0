//! Tables survive `kill -9` and company: this program calls itself, and kills itself at random moments.
#![allow(clippy::print_stdout, reason = "the two processes talk over standard output")]

use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use untumble_search::control::Control;
use untumble_search::disk::Disk;
use untumble_search::tables::{TableId, Tables};

/// Where the other process works.
const FOLDER: &str = "UNTUMBLE_TEST_FOLDER";
/// Long enough to be killed while it is built and while it is written.
const LENGTH: usize = 24 << 20;
const BUILD: Duration = Duration::from_millis(40);

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
fn ask(folder: &Path, pace: Duration) -> bool {
    let right = contents();
    let mut built = false;
    let disk = Disk::new(folder.to_owned());
    let table = disk.get(&id(), LENGTH, &Control::default(), &mut |bytes, control| {
        built = true;
        println!("building");
        for (to, from) in bytes.chunks_mut(LENGTH / 16).zip(right.chunks(LENGTH / 16)) {
            control.poll()?;
            to.copy_from_slice(from);
            sleep(pace / 16);
        }
        println!("writing");
        Ok(())
    });
    assert!(table.expect("a table").bytes() == right, "the table is right");
    built
}

/// The other process; nothing where this one is meant.
#[test]
fn other_process() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        let built = ask(Path::new(&folder), BUILD);
        println!("{}", if built { "built" } else { "read" });
    }
}

fn spawn(folder: &Path) -> Child {
    let this = std::env::current_exe().expect("the path of this program");
    let mut command = Command::new(this);
    command.args(["other_process", "--exact", "--nocapture", "--test-threads=1"]).env(FOLDER, folder);
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("this program starts")
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

#[test]
fn a_killed_process_leaves_nothing_that_harms_the_next() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let table = folder.join("test-killed-v1.table");

    // How long writing takes when it is left alone.
    let mut child = spawn(folder);
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    wait_for(&mut lines, "writing");
    let begun = Instant::now();
    wait_for(&mut lines, "built");
    let write = begun.elapsed();
    assert!(child.wait().expect("it ends").success() && table.exists(), "it is kept");

    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let (mut drafts, mut torn) = (0, 0);
    for moment in 0..20 {
        let _ = fs::remove_file(&table);
        let mut child = spawn(folder);
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        // Half of them while the table is built, half while it is written or just after.
        let (word, span) =
            if moment % 2 == 0 { ("building", BUILD) } else { ("writing", write.mul_f64(1.2)) };
        wait_for(&mut lines, word);
        sleep(span.mul_f64(rng.random_range(0.0..1.0)));
        child.kill().expect("it is killed");
        child.wait().expect("it ends");
        let stands = table.exists();
        for draft in files(folder).iter().filter(|name| name.ends_with(".draft")) {
            drafts += 1;
            torn += u32::from(fs::metadata(folder.join(draft)).is_ok_and(|draft| draft.len() > 0));
        }

        assert_eq!(ask(folder, Duration::ZERO), !stands, "what stands is used, what does not is built");
        assert_eq!(files(folder), ["test-killed-v1.table"], "nothing is left behind");
        assert!(!ask(folder, Duration::ZERO), "and then it is there");
    }
    assert!(drafts >= 8, "{drafts} of 20 were killed at work");
    assert!(torn >= 1, "some were killed while they wrote");
}

#[test]
fn processes_that_start_together_all_get_the_right_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let children = [(); 4].map(|()| spawn(folder.path()));
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
    assert!(!ask(folder.path(), Duration::ZERO));
}
