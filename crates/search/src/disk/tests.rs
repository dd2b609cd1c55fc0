//! Tables on disk survive restarts, and every damaged file is detected, reported and rebuilt.

use super::*;
use crate::control::{Limits, ManualClock, MemoryAccount, Observer, Silent};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::ops::ControlFlow;
use std::process;
use std::sync::{Mutex, mpsc};
use tempfile::TempDir;

const LENGTH: usize = 5000;
/// The fields of the test table's header end before this offset; the rest of the header is padding.
const USED_HEADER_BYTES: usize = 56;

fn id() -> TableId {
    TableId { puzzle: "test".into(), pattern: "0.1.5".into(), metric: "htm".into(), version: 3 }
}

/// The contents of the test table.
fn contents() -> Vec<u8> {
    (0..LENGTH).map(|index| (index * index / 7) as u8).collect()
}

/// Records all events. Once it has seen a table event of phase `interrupt_at`, `poll` stops the search.
#[derive(Default)]
struct Recorder {
    events: Mutex<Vec<Event>>,
    interrupt_at: Option<TablePhase>,
}

impl Recorder {
    fn warnings(&self) -> Vec<String> {
        let events = self.events.lock().expect("no panic");
        let warning = |event: &Event| match event {
            Event::Warning(text) => Some(text.clone()),
            _ => None,
        };
        events.iter().filter_map(warning).collect()
    }
}

impl Observer for Recorder {
    fn on_event(&self, event: &Event) {
        self.events.lock().expect("no panic").push(event.clone());
    }

    fn poll(&self) -> ControlFlow<Stop> {
        let events = self.events.lock().expect("no panic");
        let interrupts = |event: &Event| match (event, self.interrupt_at) {
            (Event::Table { phase, .. }, Some(interrupt_at)) => *phase == interrupt_at,
            _ => false,
        };
        if events.iter().any(interrupts) {
            ControlFlow::Break(Stop::Interrupted)
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// A temporary folder for the test table.
struct Folder {
    folder: TempDir,
}

/// The result of requesting the table.
struct Loaded {
    bytes: Result<Vec<u8>, Error>,
    /// Whether the table was built.
    built: bool,
    warnings: Vec<String>,
}

impl Loaded {
    /// Fails unless the table is correct, it was built as `built` says, and there is no warning, or exactly
    /// one that contains `warning`.
    #[track_caller]
    fn assert_correct(&self, built: bool, warning: Option<&str>) {
        assert_eq!(self.bytes.as_deref(), Ok(&contents()[..]), "the table is correct");
        assert_eq!(self.built, built, "whether it was built");
        match (warning, &self.warnings[..]) {
            (None, []) => {}
            (Some(part), [warning]) if warning.contains(part) => {}
            (_, warnings) => panic!("expected {warning:?}, found {warnings:?}"),
        }
    }
}

impl Folder {
    fn new() -> Folder {
        Folder { folder: tempfile::tempdir().expect("a folder") }
    }

    /// A folder that already holds the table.
    fn with_table() -> Folder {
        let folder = Folder::new();
        folder.get().assert_correct(true, None);
        folder
    }

    fn disk(&self) -> Disk {
        Disk::new(self.folder.path().to_owned())
    }

    fn table_path(&self) -> PathBuf {
        self.folder.path().join("test-0.1.5-htm-v3.table")
    }

    /// Requests the table as a new process would.
    fn get(&self) -> Loaded {
        get(&self.disk(), Limits::default(), Recorder::default())
    }

    /// The names of the files.
    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).expect("a folder");
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name")).collect()
    }

    fn verified(&self) -> Result<(), ReadError> {
        let disk = self.disk();
        let [file] = &disk.list().expect("a list")[..] else { panic!("one table") };
        disk.verify(file, &Control::default())
    }
}

fn get(disk: &Disk, limits: Limits, recorder: Recorder) -> Loaded {
    let recorder = Arc::new(recorder);
    let control = Control::new(limits, recorder.clone());
    let mut built = false;
    let table = disk.get(&id(), LENGTH, &control, &mut |bytes, _| {
        built = true;
        assert!(bytes.iter().all(|&byte| byte == 0), "a build starts from zeros");
        bytes.copy_from_slice(&contents());
        Ok(())
    });
    Loaded { bytes: table.map(|table| table.bytes().to_vec()), built, warnings: recorder.warnings() }
}

#[test]
fn a_table_is_built_once_and_then_read() {
    let folder = Folder::new();
    assert!(!folder.disk().is_available(&id(), LENGTH));
    folder.get().assert_correct(true, None);
    assert!(folder.disk().is_available(&id(), LENGTH) && !folder.disk().is_available(&id(), LENGTH + 1));
    for _ in 0..3 {
        folder.get().assert_correct(false, None);
    }
    assert_eq!(folder.files(), ["test-0.1.5-htm-v3.table"]);
    assert_eq!(fs::metadata(folder.table_path()).expect("a file").len(), (file::HEADER_LEN + LENGTH) as u64);
    assert_eq!(folder.verified(), Ok(()));
}

#[test]
fn a_process_reads_a_file_once() {
    let folder = Folder::with_table();
    let disk = folder.disk();
    get(&disk, Limits::default(), Recorder::default()).assert_correct(false, None);
    fs::remove_file(folder.table_path()).expect("the file is there");
    get(&disk, Limits::default(), Recorder::default()).assert_correct(false, None);
}

#[test]
fn an_empty_table_is_a_table() {
    let folder = Folder::new();
    for built in [true, false] {
        let mut was_built = false;
        let table = folder.disk().get(&id(), 0, &Control::default(), &mut |_, _| {
            was_built = true;
            Ok(())
        });
        assert_eq!((table.expect("a table").bytes().len(), was_built), (0, built));
    }
}

/// Changes the file in 200 ways; each time it is reported and rebuilt.
fn every_change_is_detected(mut change: impl FnMut(&mut Vec<u8>, &mut ChaCha8Rng)) {
    let folder = Folder::with_table();
    let whole = fs::read(folder.table_path()).expect("the file is there");
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..200 {
        let mut bytes = whole.clone();
        change(&mut bytes, &mut rng);
        assert_ne!(bytes, whole);
        fs::write(folder.table_path(), bytes).expect("writable");
        assert!(matches!(folder.verified(), Err(ReadError::Invalid(_))), "verify detects it");
        folder.get().assert_correct(true, Some(folder.table_path().to_str().expect("a path")));
        assert_eq!(fs::read(folder.table_path()).expect("a file"), whole, "the file is restored");
    }
    assert_eq!(folder.files().len(), 1);
}

#[test]
fn every_flipped_byte_is_detected() {
    every_change_is_detected(|bytes, rng| {
        let offset = rng.random_range(0..bytes.len());
        bytes[offset] ^= rng.random_range(1..=255u8);
    });
}

#[test]
fn every_flipped_byte_of_the_header_is_detected() {
    let mut offset = 0;
    every_change_is_detected(|bytes, rng| {
        bytes[offset % USED_HEADER_BYTES] ^= rng.random_range(1..=255u8);
        offset += 1;
    });
}

#[test]
fn every_truncation_is_detected() {
    every_change_is_detected(|bytes, rng| bytes.truncate(rng.random_range(0..bytes.len())));
}

#[test]
fn every_extra_byte_is_detected() {
    every_change_is_detected(|bytes, rng| {
        let extra = rng.random_range(1..50);
        bytes.extend((0..extra).map(|_| rng.next_u32() as u8));
    });
}

#[test]
fn warnings_describe_the_damage() {
    let folder = Folder::with_table();
    let whole = fs::read(folder.table_path()).expect("the file is there");
    let mut later = whole.clone();
    later[8] = 2;
    let mut flipped = whole.clone();
    flipped[file::HEADER_LEN + 17] ^= 1;
    for (bytes, message) in [
        (
            &whole[..whole.len() - 42],
            "test-0.1.5-htm-v3.table: 42 bytes shorter than expected; rebuilding the table",
        ),
        (&[&whole[..], b"!"].concat(), ": 1 byte longer than expected; rebuilding the table"),
        (b"", ": the header is damaged or truncated; rebuilding the table"),
        (b"dear diary", ": not a table of untumble; rebuilding the table"),
        (&vec![0; whole.len()], ": not a table of untumble; rebuilding the table"),
        (&later, ": table format 2 is not supported; this program reads format 1; rebuilding the table"),
        (&flipped, ": the contents are damaged; rebuilding the table"),
    ] {
        fs::write(folder.table_path(), bytes).expect("writable");
        folder.get().assert_correct(true, Some(message));
    }
}

#[test]
fn a_table_of_another_name_version_or_length_is_rebuilt() {
    let others = [
        (TableId { pattern: "0.1.6".into(), ..id() }, LENGTH, "the file holds another table: test 0.1.6 htm"),
        (TableId { puzzle: "tes".into(), ..id() }, LENGTH, "the file holds another table: tes 0.1.5"),
        (
            TableId { metric: String::new(), ..id() },
            LENGTH,
            "the file holds another table: test 0.1.5, version 3",
        ),
        (TableId { version: 2, ..id() }, LENGTH, "the file holds another table: test 0.1.5 htm, version 2"),
        (id(), LENGTH - 1, "1 byte shorter than expected"),
        (id(), LENGTH + 5, "5 bytes longer than expected"),
    ];
    for (other, length, message) in others {
        let folder = Folder::new();
        let disk = folder.disk();
        disk.get(&other, length, &Control::default(), &mut |bytes, _| {
            bytes.fill(9);
            Ok(())
        })
        .expect("built");
        let path = disk.path(&other).expect("a folder");
        if path != folder.table_path() {
            fs::rename(path, folder.table_path()).expect("renamed");
            assert!(
                matches!(folder.verified(), Err(ReadError::Invalid(TableFileError::OtherTable(_)))),
                "verify detects it"
            );
        }
        folder.get().assert_correct(true, Some(message));
    }
}

#[test]
fn an_unusable_folder_causes_one_warning() {
    let folder = Folder::new();
    let occupied = folder.folder.path().join("file");
    fs::write(&occupied, "in the way").expect("writable");
    for (disk, message) in [
        (Disk::without_folder("no folder".into()), "no folder; "),
        (Disk::new(occupied.join("tables")), "file"),
    ] {
        get(&disk, Limits::default(), Recorder::default()).assert_correct(true, Some(message));
        get(&disk, Limits::default(), Recorder::default()).assert_correct(false, None);
        let recorder = Arc::new(Recorder::default());
        let other = TableId { pattern: "other".into(), ..id() };
        let control = Control::new(Limits::default(), recorder.clone());
        assert!(disk.get(&other, 1, &control, &mut |_, _| Ok(())).is_ok());
        assert_eq!(recorder.warnings(), [""; 0], "the warning is emitted once");
        assert!(!disk.has_file(&id(), LENGTH));
    }
}

#[test]
fn a_file_that_cannot_be_replaced_causes_a_warning() {
    let folder = Folder::new();
    fs::create_dir(folder.table_path()).expect("writable");
    fs::write(folder.table_path().join("file"), "in the way").expect("writable");
    let loaded = folder.get();
    assert_eq!(loaded.bytes, Ok(contents()));
    let [unread, unwritten] = &loaded.warnings[..] else { panic!("{:?}", loaded.warnings) };
    assert!(
        unread.contains("rebuilding the table") && unwritten.contains("not stored"),
        "{:?}",
        loaded.warnings
    );
    assert_eq!(folder.files().len(), 1, "the draft is gone: {:?}", folder.files());
}

#[test]
fn a_stopped_build_leaves_nothing_behind() {
    let folder = Folder::new();
    let disk = folder.disk();
    let stopped = disk.get(&id(), LENGTH, &Control::default(), &mut |bytes, control| {
        bytes.fill(1);
        assert_eq!(folder.files().len(), 1, "a draft exists while the table is being built");
        Err(control.request_stop(Stop::Time))
    });
    assert_eq!(stopped.err(), Some(Error::Stopped(Stop::Time)));
    assert_eq!(folder.files(), [""; 0]);
    get(&disk, Limits::default(), Recorder::default()).assert_correct(true, None);
}

#[test]
fn a_stop_while_writing_returns_the_table_and_leaves_no_file() {
    let folder = Folder::new();
    let disk = folder.disk();
    let loaded = get(
        &disk,
        Limits::default(),
        Recorder { interrupt_at: Some(TablePhase::Store), ..Recorder::default() },
    );
    loaded.assert_correct(true, Some("not written because of an interrupt"));
    assert_eq!(folder.files(), [""; 0]);
    get(&disk, Limits::default(), Recorder::default()).assert_correct(false, None);
}

#[test]
fn a_stop_while_reading_is_an_error() {
    let folder = Folder::with_table();
    let loaded = get(
        &folder.disk(),
        Limits::default(),
        Recorder { interrupt_at: Some(TablePhase::Load), ..Recorder::default() },
    );
    assert_eq!(loaded.bytes, Err(Error::Stopped(Stop::Interrupted)));
    assert!(!loaded.built && loaded.warnings.is_empty());
    folder.get().assert_correct(false, None);
}

#[test]
fn memory_is_limited_and_released() {
    let memory = |bytes: usize| Limits { memory: Some(bytes as u64), ..Limits::default() };
    let folder = Folder::new();
    for _ in 0..2 {
        let loaded = get(&folder.disk(), memory(LENGTH - 1), Recorder::default());
        assert_eq!(loaded.bytes, Err(Error::Stopped(Stop::Memory)), "neither built nor read");
        assert!(!loaded.built);
        get(&folder.disk(), memory(LENGTH), Recorder::default());
        assert_eq!(folder.files().len(), 1);
    }
    // A damaged file is read, refused and rebuilt within the memory of one table.
    let mut bytes = fs::read(folder.table_path()).expect("a file");
    bytes[file::HEADER_LEN] ^= 1;
    fs::write(folder.table_path(), bytes).expect("writable");
    let account = MemoryAccount::default();
    let control = Control::with_account(&account, memory(LENGTH), Arc::new(Silent));
    let disk = folder.disk();
    let table = disk.get(&id(), LENGTH, &control, &mut |bytes, _| {
        bytes.copy_from_slice(&contents());
        Ok(())
    });
    assert!(table.is_ok_and(|table| table.bytes() == contents()));
    assert_eq!(account.used(), LENGTH as u64, "the table stays on the account");
    drop(disk);
    assert_eq!(account.used(), 0);
}

#[test]
fn only_abandoned_drafts_of_tables_are_removed() {
    let folder = Folder::new();
    let abandoned = ["test-0.1.5-htm-v3.7-0.draft", "other-v1.4000000000-12.draft"];
    let ours = format!("test-0.1.5-htm-v3.{}-0.draft", process::id());
    let others = ["chapter.draft", "chapter.1-2.draft", "x-v1.a-0.draft", "notes.txt"];
    for name in abandoned.iter().chain(&others).chain([&ours.as_str()]) {
        fs::write(folder.folder.path().join(name), "half").expect("writable");
    }
    folder.get().assert_correct(true, None);
    let mut files = folder.files();
    files.sort();
    assert_eq!(
        files,
        ["chapter.1-2.draft", "chapter.draft", "notes.txt", "test-0.1.5-htm-v3.table", "x-v1.a-0.draft"]
    );
}

#[test]
fn a_second_process_waits_and_reads() {
    let folder = Folder::new();
    let (sender, receiver) = mpsc::channel();
    struct WaitObserver(Mutex<mpsc::Sender<()>>);
    impl Observer for WaitObserver {
        fn on_event(&self, event: &Event) {
            if matches!(event, Event::Table { phase: TablePhase::Wait, .. }) {
                let _ = self.0.lock().expect("no panic").send(());
            }
        }
    }
    thread::scope(|scope| {
        let first = folder.disk().get(&id(), LENGTH, &Control::default(), &mut |bytes, _| {
            let sender = sender.clone();
            scope.spawn(|| {
                let control = Control::new(Limits::default(), Arc::new(WaitObserver(Mutex::new(sender))));
                let second = folder.disk().get(&id(), LENGTH, &control, &mut |_, _| {
                    panic!("the second process must not build the table");
                });
                assert_eq!(second.expect("a table").bytes(), contents());
            });
            receiver.recv_timeout(Duration::from_secs(120)).expect("the second waits");
            bytes.copy_from_slice(&contents());
            Ok(())
        });
        assert!(first.is_ok());
    });
    assert_eq!(folder.files().len(), 1);
}

#[test]
fn waiting_for_another_process_obeys_the_limits() {
    let folder = Folder::new();
    let draft = create_draft(&folder.table_path()).expect("writable");
    // A simulated clock reaches the limit after a few readings.
    let limits = Limits { time: Some(Duration::from_millis(60)), ..Limits::default() };
    let clock = Arc::new(ManualClock::stepping(Duration::from_millis(20)));
    let control = Control::with_clock(clock, &MemoryAccount::default(), limits, Arc::new(Silent));
    let waited = folder.disk().get(&id(), LENGTH, &control, &mut |_, _| {
        panic!("the table must not be built while another process is building it")
    });
    assert_eq!(waited.err(), Some(Error::Stopped(Stop::Time)));
    drop(draft);
    folder.get().assert_correct(true, None);
}

#[test]
fn two_concurrent_writers_leave_a_valid_file() {
    let folder = Folder::new();
    let control = Control::default();
    let drafts = [0, 1].map(|_| create_draft(&folder.table_path()).expect("writable"));
    assert_eq!(folder.files().len(), 2, "drafts have unique names");
    for draft in drafts {
        assert!(save(draft, &id(), &contents(), &control).is_ok());
        assert_eq!(folder.verified(), Ok(()));
    }
    assert_eq!(folder.files().len(), 1);
    folder.get().assert_correct(false, None);
}

#[test]
fn file_names_are_readable_portable_and_distinct() {
    let tiles = TableId {
        puzzle: "tiles-4x4".into(),
        pattern: "gap0-0.1.4.5.8".into(),
        metric: String::new(),
        version: 1,
    };
    assert_eq!(file_stem(&tiles), "tiles-4x4-gap0-0.1.4.5.8-v1");
    let named = |pattern: &str| file_stem(&TableId { pattern: pattern.into(), ..tiles.clone() });
    let odd =
        ["A", "a/b", "a\\b", "a:b", "../../etc", "", "ü", &"x".repeat(500), &"x".repeat(501)].map(named);
    for (index, name) in odd.iter().enumerate() {
        assert!(name.len() < 160, "{name}");
        assert!(name.bytes().all(|byte| byte.is_ascii() && !b"/\\:".contains(&byte)), "{name}");
        assert!(!odd[..index].iter().any(|other| other.eq_ignore_ascii_case(name)), "{name} is taken");
    }
    let dots =
        file_stem(&TableId { puzzle: "..".into(), pattern: "/".into(), metric: String::new(), version: 1 });
    assert!(!dots.starts_with('.'), "{dots}");
}

#[test]
fn a_table_with_too_long_a_name_is_not_stored() {
    let folder = Folder::new();
    let long = TableId { pattern: "1.".repeat(3000), ..id() };
    let recorder = Arc::new(Recorder::default());
    let control = Control::new(Limits::default(), recorder.clone());
    assert!(folder.disk().get(&long, 1, &control, &mut |_, _| Ok(())).is_ok());
    let warnings = recorder.warnings();
    assert!(matches!(&warnings[..], [one] if one.contains("too long") && one.len() < 400), "{warnings:?}");
    assert_eq!(folder.files(), [""; 0]);
}

#[test]
fn listings_mark_files_that_are_not_tables() {
    let folder = Folder::with_table();
    fs::write(folder.folder.path().join("prices.table"), "apples 3").expect("writable");
    let list = folder.disk().list().expect("a list");
    let found: Vec<_> = list.into_iter().map(|file| (file.name, file.bytes, file.id)).collect();
    let size = (file::HEADER_LEN + LENGTH) as u64;
    let expected =
        [("prices".into(), 8, Err(TableFileError::NotATable)), ("test-0.1.5-htm-v3".into(), size, Ok(id()))];
    assert_eq!(found, expected);
    assert_eq!(Disk::new(folder.folder.path().join("none")).list().expect("a list"), []);
}

/// The number of levels of [`build_by_levels`].
const LEVELS: u32 = 10;

/// Builds the test table in levels, each of which saves its state, and stops before level `stop_before`.
/// Returns the levels that were built.
fn build_by_levels(folder: &Folder, stop_before: Option<u32>, recorder: &Arc<Recorder>) -> Vec<u32> {
    let clock = Arc::new(ManualClock::new());
    let control =
        Control::with_clock(clock.clone(), &MemoryAccount::default(), Limits::default(), recorder.clone());
    let mut levels = Vec::new();
    let built = folder.disk().get(&id(), LENGTH, &control, &mut |table, control| {
        let mut scratch = [0; 3];
        let first = table.restore(&mut scratch, control)?.map_or(0, |level| level + 1);
        assert_eq!(scratch, [first as u8; 3], "scratch bytes belong to the level");
        for level in first..LEVELS {
            if stop_before == Some(level) {
                return Err(control.request_stop(Stop::Interrupted));
            }
            let part = LENGTH / LEVELS as usize;
            let range = level as usize * part..(level as usize + 1) * part;
            assert!(table[range.clone()].iter().all(|&byte| byte == 0), "later levels are zero");
            table[range.clone()].copy_from_slice(&contents()[range]);
            levels.push(level);
            scratch.fill(level as u8 + 1);
            // A level takes longer than the interval between two saves.
            clock.advance(Duration::from_secs(60));
            table.save_if_due(level, &scratch, control)?;
        }
        Ok(())
    });
    match stop_before {
        None => assert_eq!(built.expect("built").bytes(), contents()),
        Some(_) => assert_eq!(built.err(), Some(Error::Stopped(Stop::Interrupted))),
    }
    levels
}

#[test]
fn an_interrupted_build_continues_with_the_level_after_the_last_saved_one() {
    let (folder, recorder) = (Folder::new(), Arc::new(Recorder::default()));
    assert_eq!(build_by_levels(&folder, Some(4), &recorder), [0, 1, 2, 3]);
    assert_eq!(folder.files(), ["test-0.1.5-htm-v3.build"], "the state stays, the draft does not");
    assert!(!folder.disk().is_available(&id(), LENGTH), "a state is not a table");
    assert_eq!(build_by_levels(&folder, Some(4), &recorder), [0; 0]);
    assert_eq!(build_by_levels(&folder, Some(9), &recorder), [4, 5, 6, 7, 8]);
    assert_eq!(build_by_levels(&folder, None, &recorder), [9]);
    assert_eq!(folder.files(), ["test-0.1.5-htm-v3.table"], "the state is removed");
    assert_eq!(recorder.warnings(), [""; 0]);
    folder.get().assert_correct(false, None);
}

#[test]
fn a_damaged_state_is_reported_and_never_used() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let folder = Folder::new();
    let state = folder.folder.path().join("test-0.1.5-htm-v3.build");
    let other = Folder::new();
    for round in 0..60 {
        let recorder = Arc::new(Recorder::default());
        build_by_levels(&folder, Some(4), &recorder);
        let whole = fs::read(&state).expect("a state");
        let mut bytes = whole.clone();
        match round % 4 {
            0 => bytes.truncate(rng.random_range(0..whole.len())),
            1 => bytes.push(0),
            // The header, or the level, the lengths and the contents behind it.
            2 => bytes[rng.random_range(0..USED_HEADER_BYTES)] ^= rng.random_range(1..=255u8),
            _ => {
                let at = rng.random_range(file::HEADER_LEN..whole.len());
                bytes[at] ^= rng.random_range(1..=255u8);
            }
        }
        fs::write(&state, bytes).expect("writable");
        assert_eq!(build_by_levels(&folder, None, &recorder).len(), LEVELS as usize, "from the start");
        let warnings = recorder.warnings();
        let named = |text: &String| {
            text.contains("test-0.1.5-htm-v3.build: ")
                && text.ends_with("; the table is built from the start")
        };
        assert!(matches!(&warnings[..], [one] if named(one)), "{warnings:?}");
        assert_eq!(folder.files(), ["test-0.1.5-htm-v3.table"]);
        fs::remove_file(folder.table_path()).expect("the table is there");
    }
    // A complete table, and the state of another table, are not states of this one.
    let foreign =
        [other.get().bytes.map(|_| fs::read(other.table_path()).expect("a file")).expect("built"), {
            let control = Control::with_clock(
                Arc::new(ManualClock::stepping(Duration::from_secs(60))),
                &MemoryAccount::default(),
                Limits::default(),
                Arc::new(Silent),
            );
            let id = TableId { pattern: "other".into(), ..id() };
            let _ = other.disk().get(&id, LENGTH, &control, &mut |table, control| {
                table.restore(&mut [0; 3], control)?;
                table.save_if_due(1, &[0; 3], control)?;
                Err(control.request_stop(Stop::Interrupted))
            });
            fs::read(other.folder.path().join("test-other-htm-v3.build")).expect("a state")
        }];
    for bytes in foreign {
        fs::write(&state, bytes).expect("writable");
        let recorder = Arc::new(Recorder::default());
        assert_eq!(build_by_levels(&folder, None, &recorder).len(), LEVELS as usize);
        assert_eq!(recorder.warnings().len(), 1);
        fs::remove_file(folder.table_path()).expect("the table is there");
    }
}
