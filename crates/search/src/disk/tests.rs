use super::*;
use crate::control::{Account, Limits, ManualClock, Observer, Silent};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::ops::ControlFlow;
use std::process;
use std::sync::{Mutex, mpsc};
use tempfile::TempDir;

const LENGTH: usize = 5000;

fn id() -> TableId {
    TableId { puzzle: "test".into(), pattern: "0.1.5".into(), metric: "htm".into(), version: 3 }
}

/// What the table of these tests holds.
fn contents() -> Vec<u8> {
    (0..LENGTH).map(|at| (at * at / 7) as u8).collect()
}

/// Hears everything, and ends the search at what it was told to end it at.
#[derive(Default)]
struct Ear {
    heard: Mutex<Vec<Event>>,
    end_at: Option<&'static str>,
}

impl Ear {
    fn warnings(&self) -> Vec<String> {
        let heard = self.heard.lock().expect("no panic");
        let warning = |event: &Event| match event {
            Event::Warning(text) => Some(text.clone()),
            _ => None,
        };
        heard.iter().filter_map(warning).collect()
    }
}

impl Observer for Ear {
    fn on_event(&self, event: &Event) {
        self.heard.lock().expect("no panic").push(event.clone());
    }

    fn poll(&self) -> ControlFlow<Stop> {
        let heard = self.heard.lock().expect("no panic");
        let ends = |event: &Event| matches!((event, self.end_at), (Event::Table { name, .. }, Some(end)) if name.contains(end));
        if heard.iter().any(ends) { ControlFlow::Break(Stop::Interrupted) } else { ControlFlow::Continue(()) }
    }
}

/// A folder, and what asking for the table of these tests did.
struct Desk {
    folder: TempDir,
}

struct Got {
    bytes: Result<Vec<u8>, Error>,
    /// Whether it was built.
    built: bool,
    warnings: Vec<String>,
}

impl Got {
    /// Fails unless the table is right and was built with, or read without, a warning that holds this.
    #[track_caller]
    fn is_right(&self, built: bool, warning: Option<&str>) {
        assert_eq!(self.bytes.as_deref(), Ok(&contents()[..]), "the table is right");
        assert_eq!(self.built, built, "whether it was built");
        match (warning, &self.warnings[..]) {
            (None, []) => {}
            (Some(part), [said]) if said.contains(part) => {}
            (_, said) => panic!("expected {warning:?}, heard {said:?}"),
        }
    }
}

impl Desk {
    fn new() -> Desk {
        Desk { folder: tempfile::tempdir().expect("a folder") }
    }

    /// One that already holds the table.
    fn stocked() -> Desk {
        let desk = Desk::new();
        desk.get().is_right(true, None);
        desk
    }

    fn disk(&self) -> Disk {
        Disk::new(self.folder.path().to_owned())
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("test-0.1.5-htm-v3.table")
    }

    /// Asks as a new process would.
    fn get(&self) -> Got {
        get(&self.disk(), Limits::default(), Ear::default())
    }

    /// The names of the files.
    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).expect("a folder");
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name")).collect()
    }

    fn verified(&self) -> Result<(), Unread> {
        let disk = self.disk();
        let [kept] = &disk.list().expect("a list")[..] else { panic!("one table") };
        disk.verify(kept, &Control::default())
    }
}

fn get(disk: &Disk, limits: Limits, ear: Ear) -> Got {
    let ear = Arc::new(ear);
    let control = Control::new(limits, ear.clone());
    let mut built = false;
    let table = disk.get(&id(), LENGTH, &control, &mut |bytes, _| {
        built = true;
        assert!(bytes.iter().all(|&byte| byte == 0), "a build starts from zeros");
        bytes.copy_from_slice(&contents());
        Ok(())
    });
    Got { bytes: table.map(|table| table.bytes().to_vec()), built, warnings: ear.warnings() }
}

#[test]
fn a_table_is_built_once_and_read_ever_after() {
    let desk = Desk::new();
    assert!(!desk.disk().has(&id(), LENGTH));
    desk.get().is_right(true, None);
    assert!(desk.disk().has(&id(), LENGTH) && !desk.disk().has(&id(), LENGTH + 1));
    for _ in 0..3 {
        desk.get().is_right(false, None);
    }
    assert_eq!(desk.files(), ["test-0.1.5-htm-v3.table"]);
    assert_eq!(fs::metadata(desk.path()).expect("a file").len(), (file::HEADER + LENGTH) as u64);
    assert_eq!(desk.verified(), Ok(()));
}

#[test]
fn a_process_reads_a_file_once() {
    let desk = Desk::stocked();
    let disk = desk.disk();
    get(&disk, Limits::default(), Ear::default()).is_right(false, None);
    fs::remove_file(desk.path()).expect("the file is there");
    get(&disk, Limits::default(), Ear::default()).is_right(false, None);
}

#[test]
fn an_empty_table_is_a_table() {
    let desk = Desk::new();
    for built in [true, false] {
        let mut asked = false;
        let table = desk.disk().get(&id(), 0, &Control::default(), &mut |_, _| {
            asked = true;
            Ok(())
        });
        assert_eq!((table.expect("a table").bytes().len(), asked), (0, built));
    }
}

/// Changes the file 200 times in as many ways; each time it is named, rebuilt and good again.
fn every_change_is_noticed(mut change: impl FnMut(&mut Vec<u8>, &mut ChaCha8Rng)) {
    let desk = Desk::stocked();
    let whole = fs::read(desk.path()).expect("the file is there");
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..200 {
        let mut bytes = whole.clone();
        change(&mut bytes, &mut rng);
        assert_ne!(bytes, whole);
        fs::write(desk.path(), bytes).expect("writable");
        assert!(matches!(desk.verified(), Err(Unread::Damaged(_))), "verify sees it");
        desk.get().is_right(true, Some(desk.path().to_str().expect("a path")));
        assert_eq!(fs::read(desk.path()).expect("a file"), whole, "it is good again");
    }
    assert_eq!(desk.files().len(), 1);
}

#[test]
fn every_flipped_byte_is_noticed() {
    every_change_is_noticed(|bytes, rng| {
        let at = rng.random_range(0..bytes.len());
        bytes[at] ^= rng.random_range(1..=255u8);
    });
}

#[test]
fn every_flipped_byte_of_what_the_header_says_is_noticed() {
    let mut at = 0;
    every_change_is_noticed(|bytes, rng| {
        bytes[at % 56] ^= rng.random_range(1..=255u8);
        at += 1;
    });
}

#[test]
fn every_truncation_is_noticed() {
    every_change_is_noticed(|bytes, rng| bytes.truncate(rng.random_range(0..bytes.len())));
}

#[test]
fn every_byte_too_many_is_noticed() {
    every_change_is_noticed(|bytes, rng| {
        let extra = rng.random_range(1..50);
        bytes.extend((0..extra).map(|_| rng.next_u32() as u8));
    });
}

#[test]
fn damage_is_named() {
    let desk = Desk::stocked();
    let whole = fs::read(desk.path()).expect("the file is there");
    let mut later = whole.clone();
    later[8] = 2;
    let mut flipped = whole.clone();
    flipped[file::HEADER + 17] ^= 1;
    for (bytes, said) in [
        (
            &whole[..whole.len() - 42],
            "test-0.1.5-htm-v3.table: 42 bytes shorter than expected; it is rebuilt",
        ),
        (&[&whole[..], b"!"].concat(), ": 1 byte longer than expected; it is rebuilt"),
        (b"", ": its header is damaged or cut off; it is rebuilt"),
        (b"dear diary", ": not a table of untumble; it is rebuilt"),
        (&vec![0; whole.len()], ": not a table of untumble; it is rebuilt"),
        (&later, ": in format 2, and this program reads format 1; it is rebuilt"),
        (&flipped, ": its contents are damaged; it is rebuilt"),
    ] {
        fs::write(desk.path(), bytes).expect("writable");
        desk.get().is_right(true, Some(said));
    }
}

#[test]
fn the_table_of_another_name_version_or_length_is_not_taken() {
    let others = [
        (TableId { pattern: "0.1.6".into(), ..id() }, LENGTH, "it holds another table, test 0.1.6 htm"),
        (TableId { puzzle: "tes".into(), ..id() }, LENGTH, "it holds another table, tes 0.1.5"),
        (TableId { metric: String::new(), ..id() }, LENGTH, "it holds another table, test 0.1.5, version 3"),
        (TableId { version: 2, ..id() }, LENGTH, "it holds another table, test 0.1.5 htm, version 2"),
        (id(), LENGTH - 1, "1 byte shorter than expected"),
        (id(), LENGTH + 5, "5 bytes longer than expected"),
    ];
    for (other, length, said) in others {
        let desk = Desk::new();
        let disk = desk.disk();
        disk.get(&other, length, &Control::default(), &mut |bytes, _| {
            bytes.fill(9);
            Ok(())
        })
        .expect("built");
        let path = disk.path(&other).expect("a folder");
        if path != desk.path() {
            fs::rename(path, desk.path()).expect("renamed");
            assert!(matches!(desk.verified(), Err(Unread::Damaged(Damage::Other(_)))), "verify sees it");
        }
        desk.get().is_right(true, Some(said));
    }
}

#[test]
fn a_folder_that_cannot_be_used_costs_one_warning() {
    let desk = Desk::new();
    let occupied = desk.folder.path().join("file");
    fs::write(&occupied, "in the way").expect("writable");
    for (disk, said) in
        [(Disk::nowhere("no folder".into()), "no folder; "), (Disk::new(occupied.join("tables")), "file")]
    {
        get(&disk, Limits::default(), Ear::default()).is_right(true, Some(said));
        get(&disk, Limits::default(), Ear::default()).is_right(false, None);
        let ear = Arc::new(Ear::default());
        let other = TableId { pattern: "other".into(), ..id() };
        let control = Control::new(Limits::default(), ear.clone());
        assert!(disk.get(&other, 1, &control, &mut |_, _| Ok(())).is_ok());
        assert_eq!(ear.warnings(), [""; 0], "once is enough");
        assert!(!disk.keeps(&id(), LENGTH));
    }
}

#[test]
fn a_file_that_cannot_be_replaced_costs_a_warning() {
    let desk = Desk::new();
    fs::create_dir(desk.path()).expect("writable");
    fs::write(desk.path().join("file"), "in the way").expect("writable");
    let got = desk.get();
    assert_eq!(got.bytes, Ok(contents()));
    let [unread, unwritten] = &got.warnings[..] else { panic!("{:?}", got.warnings) };
    assert!(unread.contains("it is rebuilt") && unwritten.contains("not kept"), "{:?}", got.warnings);
    assert_eq!(desk.files().len(), 1, "the draft is gone: {:?}", desk.files());
}

#[test]
fn a_stopped_build_leaves_nothing_behind() {
    let desk = Desk::new();
    let disk = desk.disk();
    let stopped = disk.get(&id(), LENGTH, &Control::default(), &mut |bytes, control| {
        bytes.fill(1);
        assert_eq!(desk.files().len(), 1, "a draft says that somebody is at work");
        Err(control.request_stop(Stop::Time))
    });
    assert_eq!(stopped.err(), Some(Error::Stopped(Stop::Time)));
    assert_eq!(desk.files(), [""; 0]);
    get(&disk, Limits::default(), Ear::default()).is_right(true, None);
}

#[test]
fn a_stop_while_writing_keeps_the_table_and_leaves_no_file() {
    let desk = Desk::new();
    let disk = desk.disk();
    let got = get(&disk, Limits::default(), Ear { end_at: Some("writing"), ..Ear::default() });
    got.is_right(true, Some("not written before an interrupt"));
    assert_eq!(desk.files(), [""; 0]);
    get(&disk, Limits::default(), Ear::default()).is_right(false, None);
}

#[test]
fn a_stop_while_reading_ends_it() {
    let desk = Desk::stocked();
    let got = get(&desk.disk(), Limits::default(), Ear { end_at: Some("reading"), ..Ear::default() });
    assert_eq!(got.bytes, Err(Error::Stopped(Stop::Interrupted)));
    assert!(!got.built && got.warnings.is_empty());
    desk.get().is_right(false, None);
}

#[test]
fn memory_is_limited_and_given_back() {
    let memory = |bytes: usize| Limits { memory: Some(bytes as u64), ..Limits::default() };
    let desk = Desk::new();
    for _ in 0..2 {
        let got = get(&desk.disk(), memory(LENGTH - 1), Ear::default());
        assert_eq!(got.bytes, Err(Error::Stopped(Stop::Memory)), "neither built nor read");
        assert!(!got.built);
        get(&desk.disk(), memory(LENGTH), Ear::default());
        assert_eq!(desk.files().len(), 1);
    }
    // A damaged file is read, refused and rebuilt within the memory of one table.
    let mut bytes = fs::read(desk.path()).expect("a file");
    bytes[file::HEADER] ^= 1;
    fs::write(desk.path(), bytes).expect("writable");
    let account = Account::default();
    let control = Control::charged_to(&account, memory(LENGTH), Arc::new(Silent));
    let disk = desk.disk();
    let table = disk.get(&id(), LENGTH, &control, &mut |bytes, _| {
        bytes.copy_from_slice(&contents());
        Ok(())
    });
    assert!(table.is_ok_and(|table| table.bytes() == contents()));
    assert_eq!(account.used(), LENGTH as u64, "it stays on the account");
    drop(disk);
    assert_eq!(account.used(), 0);
}

#[test]
fn the_litter_of_the_dead_is_removed_and_nothing_else() {
    let desk = Desk::new();
    let litter = ["test-0.1.5-htm-v3.7-0.draft", "other-v1.4000000000-12.draft"];
    let ours = format!("test-0.1.5-htm-v3.{}-0.draft", process::id());
    let others = ["chapter.draft", "chapter.1-2.draft", "x-v1.a-0.draft", "notes.txt"];
    for name in litter.iter().chain(&others).chain([&ours.as_str()]) {
        fs::write(desk.folder.path().join(name), "half").expect("writable");
    }
    desk.get().is_right(true, None);
    let mut files = desk.files();
    files.sort();
    assert_eq!(
        files,
        ["chapter.1-2.draft", "chapter.draft", "notes.txt", "test-0.1.5-htm-v3.table", "x-v1.a-0.draft"]
    );
}

#[test]
fn whoever_comes_second_waits_and_reads() {
    let desk = Desk::new();
    let (tell, told) = mpsc::channel();
    struct Tells(Mutex<mpsc::Sender<()>>);
    impl Observer for Tells {
        fn on_event(&self, event: &Event) {
            if matches!(event, Event::Table { name, .. } if name.contains("another process")) {
                let _ = self.0.lock().expect("no panic").send(());
            }
        }
    }
    thread::scope(|scope| {
        let first = desk.disk().get(&id(), LENGTH, &Control::default(), &mut |bytes, _| {
            let tell = tell.clone();
            scope.spawn(|| {
                let control = Control::new(Limits::default(), Arc::new(Tells(Mutex::new(tell))));
                let second = desk.disk().get(&id(), LENGTH, &control, &mut |_, _| {
                    panic!("the second builds as well");
                });
                assert_eq!(second.expect("a table").bytes(), contents());
            });
            told.recv_timeout(Duration::from_secs(120)).expect("the second waits");
            bytes.copy_from_slice(&contents());
            Ok(())
        });
        assert!(first.is_ok());
    });
    assert_eq!(desk.files().len(), 1);
}

#[test]
fn waiting_for_others_obeys_the_limits() {
    let desk = Desk::new();
    let draft = draft(&desk.path()).expect("writable");
    // Another clock than the system's: the limit is reached after some looks at it.
    let limits = Limits { time: Some(Duration::from_millis(60)), ..Limits::default() };
    let clock = Arc::new(ManualClock::stepping(Duration::from_millis(20)));
    let control = Control::with_clock(clock, &Account::default(), limits, Arc::new(Silent));
    let waited = desk.disk().get(&id(), LENGTH, &control, &mut |_, _| panic!("another process builds"));
    assert_eq!(waited.err(), Some(Error::Stopped(Stop::Time)));
    drop(draft);
    desk.get().is_right(true, None);
}

#[test]
fn two_who_write_the_same_file_do_not_harm_each_other() {
    let desk = Desk::new();
    let control = Control::default();
    let drafts = [0, 1].map(|_| draft(&desk.path()).expect("writable"));
    assert_eq!(desk.files().len(), 2, "each has a name of its own");
    for draft in drafts {
        assert!(save(draft, &id(), &contents(), &control).is_ok());
        assert_eq!(desk.verified(), Ok(()));
    }
    assert_eq!(desk.files().len(), 1);
    desk.get().is_right(false, None);
}

#[test]
fn files_have_names_that_people_can_read() {
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
    for (at, name) in odd.iter().enumerate() {
        assert!(name.len() < 160, "{name}");
        assert!(name.bytes().all(|byte| byte.is_ascii() && !b"/\\:".contains(&byte)), "{name}");
        assert!(!odd[..at].iter().any(|other| other.eq_ignore_ascii_case(name)), "{name} is taken");
    }
    let dots =
        file_stem(&TableId { puzzle: "..".into(), pattern: "/".into(), metric: String::new(), version: 1 });
    assert!(!dots.starts_with('.'), "{dots}");
}

#[test]
fn a_name_too_long_for_a_header_is_not_kept() {
    let desk = Desk::new();
    let long = TableId { pattern: "1.".repeat(3000), ..id() };
    let ear = Arc::new(Ear::default());
    let control = Control::new(Limits::default(), ear.clone());
    assert!(desk.disk().get(&long, 1, &control, &mut |_, _| Ok(())).is_ok());
    let warnings = ear.warnings();
    assert!(matches!(&warnings[..], [one] if one.contains("too long") && one.len() < 400), "{warnings:?}");
    assert_eq!(desk.files(), [""; 0]);
}

#[test]
fn lists_tell_tables_from_other_files() {
    let desk = Desk::stocked();
    fs::write(desk.folder.path().join("prices.table"), "apples 3").expect("writable");
    let list = desk.disk().list().expect("a list");
    let found: Vec<_> = list.into_iter().map(|kept| (kept.name, kept.bytes, kept.id)).collect();
    let size = (file::HEADER + LENGTH) as u64;
    let expected = [("prices".into(), 8, Err(Damage::Foreign)), ("test-0.1.5-htm-v3".into(), size, Ok(id()))];
    assert_eq!(found, expected);
    assert_eq!(Disk::new(desk.folder.path().join("none")).list().expect("a list"), []);
}
