//! Table files: a loaded table always equals a freshly built one; a damaged file is reported and rebuilt; an
//! interrupted build continues from its last saved state.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use proptest::prelude::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};
use tempfile::TempDir;
use untumble_search::control::{
    Control, Event, Limits, ManualClock, MemoryAccount, Observer, Stop, TablePhase,
};
use untumble_search::disk::Disk;
use untumble_search::error::Error;
use untumble_search::tables::{TableId, Tables};

use super::damage::Damage;
use super::{Counts, SEQUENCES, config};

/// The environment variable with the folder of the child process.
const FOLDER: &str = "UNTUMBLE_SEQUENCES_FOLDER";
/// The environment variable with the part at which the child waits to be killed.
const STOP_AT: &str = "UNTUMBLE_SEQUENCES_STOP_AT";
/// The name of the test that the child process runs.
const CHILD: &str = "sequences::tables::child_process";
const LENGTH: usize = 40_000;
const PARTS: usize = 8;
/// The blocks of 512 bytes of the table's file and of a state, rounded down.
const BLOCKS: usize = (4096 + LENGTH) / 512;

static COUNTS: Counts = Counts::of("tables");

fn id() -> TableId {
    TableId { puzzle: "test".into(), pattern: "sequences".into(), metric: String::new(), version: 1 }
}

fn contents() -> Vec<u8> {
    (0..LENGTH as u64).map(|at| (at.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as u8).collect()
}

/// Records warnings and calls `on_wait` while another process builds the table.
struct Recorder<F> {
    warnings: Mutex<Vec<String>>,
    on_wait: F,
}

impl<F: Fn() + Send + Sync> Observer for Recorder<F> {
    fn on_event(&self, event: &Event) {
        match event {
            Event::Warning(warning) => self.warnings.lock().expect("a list").push(warning.clone()),
            Event::Table { phase: TablePhase::Wait, .. } => (self.on_wait)(),
            _ => {}
        }
    }
}

/// How a build ends, if the table has to be built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Finish,
    /// The control stops it at a part.
    Interrupt(usize),
}

/// The outcome of one request.
struct Outcome {
    /// The part at which the build started; `None` if the table was not built.
    built_from: Option<usize>,
    finished: bool,
    warnings: Vec<String>,
}

/// Requests the table as a new process does and fails unless it is correct. Calls `at_part` before each part
/// and `on_wait` while another process builds the table.
fn request(
    folder: &Path,
    end: End,
    saves: bool,
    at_part: impl Fn(usize),
    on_wait: impl Fn() + Send + Sync + 'static,
) -> Outcome {
    let expected = contents();
    let clock = Arc::new(ManualClock::new());
    let recorder = Arc::new(Recorder { warnings: Mutex::default(), on_wait });
    let control = Control::with_clock(
        clock.clone(),
        &MemoryAccount::default(),
        Limits::default(),
        Arc::clone(&recorder) as _,
    );
    let mut built_from = None;
    let table = Disk::new(folder.to_owned()).get(&id(), LENGTH, &control, &mut |table, control| {
        let first = table.restore(&mut [], control)?.map_or(0, |part| part as usize + 1);
        built_from = Some(first);
        for part in first..PARTS {
            at_part(part);
            // The first part that is built is at least `first`.
            if matches!(end, End::Interrupt(stop) if stop.max(first) == part) {
                return Err(control.request_stop(Stop::Interrupted));
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
    let finished = match table {
        Ok(table) => {
            assert!(table.bytes() == expected, "the table equals a freshly built one");
            true
        }
        Err(error) => {
            assert_eq!(error, Error::Stopped(Stop::Interrupted));
            false
        }
    };
    let warnings = recorder.warnings.lock().expect("a list").clone();
    Outcome { built_from, finished, warnings }
}

/// The code of the child process; does nothing in the parent.
#[test]
#[allow(clippy::print_stdout, reason = "the child process reports over standard output")]
fn child_process() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let stop_at: Option<usize> = std::env::var(STOP_AT).ok().map(|part| part.parse().expect("a number"));
    let at_part = |part| {
        while stop_at.is_some_and(|stop| stop <= part) {
            println!("stopped");
            thread::park();
        }
    };
    request(Path::new(&folder), End::Finish, true, at_part, || {});
}

/// The state of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FileState<T> {
    Absent,
    Good(T),
    Damaged,
}

/// The folder as it should be.
#[derive(Clone, Debug)]
struct Model {
    table: FileState<()>,
    /// The state of an unfinished build with the last saved part.
    state: FileState<usize>,
}

#[derive(Clone, Debug)]
enum Operation {
    /// Requests the table. `saves`: the build saves its state after every part.
    Request {
        end: End,
        saves: bool,
    },
    /// A process that saves its state is killed before it builds this part.
    Kill {
        part: usize,
    },
    /// The system kills a process as soon as it writes this many blocks of 512 bytes to a file.
    KillWriting {
        blocks: usize,
    },
    /// A second process requests the table while the first builds it; the first ends this way.
    Second {
        end: End,
    },
    DamageTable(Damage),
    DamageState(Damage),
    /// The file of a state in the place of the table.
    StateAsTable,
    RemoveTable,
}

impl Model {
    /// The part at which the next build starts; `None` if the table is loaded.
    fn next_build(&self) -> Option<usize> {
        match (self.table, self.state) {
            (FileState::Good(()), _) => None,
            (_, FileState::Good(part)) => Some(part + 1),
            _ => Some(0),
        }
    }

    /// The model after a build that ended before `part`, or at its end.
    fn after_build(&mut self, stopped: Option<usize>, saves: bool) {
        let Some(first) = self.next_build() else { return };
        match stopped.map(|part| part.max(first)).filter(|&part| part < PARTS) {
            // A damaged state was removed when the build started.
            Some(part) => {
                if saves && part > first {
                    self.state = FileState::Good(part - 1);
                } else if self.state == FileState::Damaged {
                    self.state = FileState::Absent;
                }
            }
            None => *self = Model { table: FileState::Good(()), state: FileState::Absent },
        }
    }

    /// The number of warnings of the next request: one for each damaged file that is read.
    fn warnings(&self) -> usize {
        match (self.table, self.state) {
            (FileState::Good(()), _) => 0,
            (table, state) => {
                usize::from(table == FileState::Damaged) + usize::from(state == FileState::Damaged)
            }
        }
    }
}

fn stopped_at(end: End) -> Option<usize> {
    match end {
        End::Finish => None,
        End::Interrupt(part) => Some(part),
    }
}

impl ReferenceStateMachine for Model {
    type State = Model;
    type Transition = Operation;

    fn init_state() -> BoxedStrategy<Model> {
        Just(Model { table: FileState::Absent, state: FileState::Absent }).boxed()
    }

    fn transitions(_: &Model) -> BoxedStrategy<Operation> {
        let end = prop_oneof![Just(End::Finish), (0..PARTS).prop_map(End::Interrupt)];
        prop_oneof![
            3 => (end.clone(), any::<bool>()).prop_map(|(end, saves)| Operation::Request { end, saves }),
            3 => (0..PARTS).prop_map(|part| Operation::Kill { part }),
            1 => (0..BLOCKS).prop_map(|blocks| Operation::KillWriting { blocks }),
            1 => end.prop_map(|end| Operation::Second { end }),
            2 => Damage::any().prop_map(Operation::DamageTable),
            2 => Damage::any().prop_map(Operation::DamageState),
            1 => Just(Operation::StateAsTable),
            1 => Just(Operation::RemoveTable),
        ]
        .boxed()
    }

    fn apply(mut model: Model, operation: &Operation) -> Model {
        match operation {
            Operation::Request { end, saves } => model.after_build(stopped_at(*end), *saves),
            Operation::Kill { part } => model.after_build(Some(*part), true),
            // The child can complete neither a state nor the table; it has removed a damaged state.
            Operation::KillWriting { .. }
                if model.next_build().is_some() && model.state == FileState::Damaged =>
            {
                model.state = FileState::Absent;
            }
            Operation::Second { end } => {
                model.after_build(stopped_at(*end), true);
                model.after_build(None, true);
            }
            Operation::DamageTable(_) if model.table != FileState::Absent => {
                model.table = FileState::Damaged;
            }
            Operation::DamageState(_) if model.state != FileState::Absent => {
                model.state = FileState::Damaged;
            }
            Operation::StateAsTable if model.state != FileState::Absent => model.table = FileState::Damaged,
            Operation::RemoveTable => model.table = FileState::Absent,
            _ => {}
        }
        model
    }
}

/// A folder of tables, and the model of it before the next operation.
struct System {
    dir: TempDir,
    before: Model,
}

impl System {
    fn table(&self) -> PathBuf {
        self.dir.path().join("test-sequences-v1.table")
    }

    fn state(&self) -> PathBuf {
        self.dir.path().join("test-sequences-v1.build")
    }

    fn child(&self) -> Command {
        let mut command = Command::new(std::env::current_exe().expect("the path of this program"));
        command.args([CHILD, "--exact", "--nocapture", "--test-threads=1"]).env(FOLDER, self.dir.path());
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        command
    }

    /// Compares a request with the model.
    fn assert_outcome(&self, outcome: &Outcome, stopped: Option<usize>) {
        let model = &self.before;
        let next = model.next_build();
        assert_eq!(outcome.built_from, next, "the first part that is built: {:?}", outcome.warnings);
        assert_eq!(outcome.warnings.len(), model.warnings(), "{:?}", outcome.warnings);
        let stops = next.is_some_and(|first| stopped.is_some_and(|part| part.max(first) < PARTS));
        assert_eq!(outcome.finished, !stops);
    }

    fn kill_at(&self, part: usize) {
        let mut child = self.child().env(STOP_AT, part.to_string()).spawn().expect("this program starts");
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        // The test harness may have started the line with the name of the test.
        let stopped = lines.map_while(Result::ok).any(|line| line.ends_with("stopped"));
        let builds = self.before.next_build().is_some_and(|first| part.max(first) < PARTS);
        assert_eq!(stopped, builds, "the child builds the table up to the part");
        child.kill().expect("it is killed");
        assert_eq!(COUNTS.add_kill(child.wait().expect("it ends")), stopped);
    }

    fn kill_writing(&self, blocks: usize) {
        let child = self.child();
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -f {blocks} && exec \"$0\" \"$@\"")]);
        shell.arg(child.get_program()).args(child.get_args()).env(FOLDER, self.dir.path());
        let status = shell.stdout(Stdio::null()).stderr(Stdio::null()).status().expect("a shell");
        let killed = COUNTS.add_kill(status);
        assert_eq!(killed, self.before.next_build().is_some(), "the child writes a file: {status}");
    }

    /// Two requests at the same time; the first reaches its end only when the second waits for it.
    fn second(&self, end: End) {
        let Some(first_part) = self.before.next_build() else {
            let outcome = request(self.dir.path(), end, true, |_| {}, || {});
            return self.assert_outcome(&outcome, None);
        };
        // A channel closes when the thread that sends ends, so neither thread waits for one that panicked.
        let (builds, building) = mpsc::channel();
        let (waits, waiting) = mpsc::channel();
        let (first, second) = thread::scope(|scope| {
            let first = scope.spawn(move || {
                let at_part = |part| {
                    if part == first_part {
                        builds.send(()).expect("the second request has not started");
                        waiting.recv().expect("the second request waits for the first");
                    }
                };
                request(self.dir.path(), end, true, at_part, || {})
            });
            building.recv().expect("the first request builds the table");
            // A request that waits reports it several times.
            let on_wait = move || {
                let _ = waits.send(());
            };
            let second = request(self.dir.path(), End::Finish, true, |_| {}, on_wait);
            (first.join().expect("no panic"), second)
        });
        self.assert_outcome(&first, stopped_at(end));
        let mut between = self.before.clone();
        between.after_build(stopped_at(end), true);
        assert_eq!(second.built_from, between.next_build(), "the second continues: {:?}", second.warnings);
        assert!(second.finished);
    }
}

struct TableFiles;

impl StateMachineTest for TableFiles {
    type SystemUnderTest = System;
    type Reference = Model;

    fn init_test(model: &Model) -> System {
        COUNTS.add_sequence();
        System { dir: tempfile::tempdir().expect("a folder"), before: model.clone() }
    }

    fn apply(mut system: System, model: &Model, operation: Operation) -> System {
        match operation {
            Operation::Request { end, saves } => {
                let outcome = request(system.dir.path(), end, saves, |_| {}, || {});
                system.assert_outcome(&outcome, stopped_at(end));
            }
            Operation::Kill { part } => system.kill_at(part),
            Operation::KillWriting { blocks } => system.kill_writing(blocks),
            Operation::Second { end } => system.second(end),
            // Damaging a file twice could restore it.
            Operation::DamageTable(damage) if system.before.table == FileState::Good(()) => {
                damage_surely(&damage, &system.table());
            }
            Operation::DamageState(damage) if matches!(system.before.state, FileState::Good(_)) => {
                damage_surely(&damage, &system.state());
            }
            Operation::DamageTable(_) | Operation::DamageState(_) => {}
            Operation::StateAsTable => {
                if system.state().exists() {
                    fs::copy(system.state(), system.table()).expect("a copy");
                }
            }
            Operation::RemoveTable => drop(fs::remove_file(system.table())),
        }
        system.before = model.clone();
        system
    }

    fn check_invariants(system: &System, model: &Model) {
        assert_eq!(system.table().exists(), model.table != FileState::Absent, "the table: {model:?}");
        assert_eq!(system.state().exists(), model.state != FileState::Absent, "the state: {model:?}");
    }

    /// Every sequence ends with the correct table and nothing else in the folder.
    fn teardown(system: System, _: Model) {
        let outcome = request(system.dir.path(), End::Finish, true, |_| {}, || {});
        system.assert_outcome(&outcome, None);
        let names: Vec<_> = fs::read_dir(system.dir.path()).expect("a folder").flatten().collect();
        let beside: Vec<_> = names.iter().filter(|entry| entry.path() != system.table()).collect();
        let state_stays = system.before.next_build().is_none() && system.before.state != FileState::Absent;
        assert!(beside.is_empty() || state_stays, "{beside:?} remain");
        let again = request(system.dir.path(), End::Finish, true, |_| {}, || {});
        assert_eq!((again.built_from, again.warnings.len()), (None, 0), "then the table is read");
    }
}

/// Damages a file; if that would leave the same bytes, its first byte is changed.
fn damage_surely(damage: &Damage, path: &Path) {
    if !damage.apply(path) {
        let Ok(mut bytes) = fs::read(path) else { return };
        match bytes.first_mut() {
            Some(first) => *first ^= 1,
            None => bytes.push(0),
        }
        fs::write(path, bytes).expect("a writable file");
    }
}

#[test]
fn table_files_follow_the_model() {
    let strategy = Model::sequential_strategy(1..12);
    let result = proptest::test_runner::TestRunner::new(config(SEQUENCES)).run(
        &strategy,
        |(initial, operations, seen)| {
            TableFiles::test_sequential(config(SEQUENCES), initial, operations, seen);
            Ok(())
        },
    );
    if let Err(error) = result {
        panic!("tables: {error}");
    }
    COUNTS.print();
}
