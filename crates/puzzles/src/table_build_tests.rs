//! Table builds: their memory, their polls, and that an interrupted build continues and gives the same table.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::catalog;
use untumble_search::control::{
    Clock, Control, Event, Limits, ManualClock, MemoryAccount, Observer, Silent, Stop, TablePhase,
};
use untumble_search::error::Error;
use untumble_search::family::PuzzleSettings;
use untumble_search::runtime::Runtime;
use untumble_search::tables::{Build, BuildStates, Table, TableBuild, TableId, Tables};

/// A saved state: the level and the bytes of each part.
type SavedState = (u32, Vec<Vec<u8>>);

/// Keeps states in memory. Every `interval`-th opportunity saves one; afterwards the search stops.
struct MemoryStates<'a> {
    saved: &'a mut Option<SavedState>,
    opportunities: AtomicU64,
    interval: Option<u64>,
    /// The levels of the restored states.
    restored: &'a mut Vec<u32>,
}

impl BuildStates for MemoryStates<'_> {
    fn restore(&mut self, parts: &mut [&mut [u8]], _control: &Control) -> Result<Option<u32>, Stop> {
        let Some((level, saved)) = self.saved.take() else { return Ok(None) };
        parts.iter_mut().zip(&saved).for_each(|(part, saved)| part.copy_from_slice(saved));
        self.restored.push(level);
        Ok(Some(level))
    }

    fn is_due(&self, _bytes: u64, _control: &Control) -> bool {
        let opportunities = self.opportunities.fetch_add(1, Relaxed) + 1;
        self.interval.is_some_and(|interval| opportunities.is_multiple_of(interval))
    }

    fn save(&mut self, level: u32, parts: &[&[u8]], control: &Control) -> Result<(), Stop> {
        *self.saved = Some((level, parts.iter().map(|part| part.to_vec()).collect()));
        Err(control.request_stop(Stop::Interrupted))
    }
}

/// What is known about one table.
#[derive(Default)]
struct Progress {
    table: Option<Arc<Table>>,
    saved: Option<SavedState>,
    restored: Vec<u32>,
}

/// Tables in memory whose builds are interrupted at every `interval`-th opportunity.
#[derive(Default)]
struct InterruptedTables {
    interval: Option<u64>,
    tables: Mutex<HashMap<TableId, Progress>>,
}

impl Tables for InterruptedTables {
    fn get(
        &self,
        id: &TableId,
        length: usize,
        control: &Control,
        build: &mut Build<'_>,
    ) -> Result<Arc<Table>, Error> {
        let mut tables = self.tables.lock().expect("no panic");
        let Progress { table, saved, restored } = tables.entry(id.clone()).or_default();
        if let Some(table) = table {
            return Ok(Arc::clone(table));
        }
        let mut new = Table::zeroed(length, control)?;
        let opportunities = AtomicU64::new(0);
        let mut states = MemoryStates { saved, opportunities, interval: self.interval, restored };
        build(&mut TableBuild::new(&mut new, &mut states), control)?;
        Ok(Arc::clone(table.insert(Arc::new(new))))
    }

    fn is_available(&self, _id: &TableId, _length: usize) -> bool {
        false
    }
}

/// The puzzle, the metric and a solver whose tables are built.
type Case = (&'static str, Option<&'static str>, &'static str);

/// Tables that are built in seconds.
const CASES: [Case; 7] = [
    ("8-puzzle", None, "ida+pdb:8"),
    ("8-puzzle", None, "ida+pdb:4-4"),
    ("15-puzzle", None, "ida+pdb:6-6-3"),
    ("tiles-4x5", None, "ida+pdb:5-5-5-4"),
    ("cube3", None, "ida+edges:6"),
    ("cube3", None, "ida+corners"),
    ("cube3", Some("qtm"), "two-phase:tables=large"),
];

/// Builds the solver of a case on `tables`.
fn prepare((puzzle, metric, solver): Case, tables: Arc<dyn Tables>, control: &Control) -> Result<(), Error> {
    let settings = PuzzleSettings { metric: metric.map(Into::into), ..PuzzleSettings::default() };
    let runtime = Runtime::default().with_tables(tables);
    let puzzle = catalog::open(puzzle, &settings).expect("a known puzzle");
    let spec = puzzle.complete(&solver.parse().expect("a solver text")).expect("a solver of the puzzle");
    let stages = [spec.into()];
    puzzle.prepare(&stages, &runtime, control).map(drop)
}

fn control(threads: usize) -> Control {
    Control::new(Limits { threads, ..Limits::default() }, Arc::new(Silent))
}

/// Builds the tables of a case without interruption. Returns them with the peak of the memory account.
fn built_at_once(case: Case) -> (HashMap<TableId, Progress>, u64) {
    let tables = Arc::new(InterruptedTables::default());
    let control = control(2);
    prepare(case, tables.clone(), &control).expect("no limit");
    let built = std::mem::take(&mut *tables.tables.lock().expect("no panic"));
    (built, control.peak_bytes())
}

#[test]
fn an_interrupted_build_continues_and_gives_the_same_table() {
    for case in CASES {
        let (expected, _) = built_at_once(case);
        let interrupted = Arc::new(InterruptedTables { interval: Some(3), ..InterruptedTables::default() });
        let mut runs = 1;
        while let Err(error) = prepare(case, interrupted.clone(), &control(2)) {
            assert_eq!(error, Error::Stopped(Stop::Interrupted), "{case:?}");
            runs += 1;
            assert!(runs < 200, "{case:?} never ends");
        }
        let built = interrupted.tables.lock().expect("no panic");
        assert_eq!(built.len(), expected.len());
        for (id, progress) in &*built {
            let table = |progress: &Progress| progress.table.as_ref().map(|table| table.bytes().to_vec());
            assert!(table(progress) == table(&expected[id]), "{case:?}: {id} differs");
            assert!(progress.restored.is_sorted(), "{case:?}: {id} goes back: {:?}", progress.restored);
        }
        let restored: usize = built.values().map(|progress| progress.restored.len()).sum();
        assert_eq!(restored + 1, runs, "{case:?}: every run after the first continues");
        assert!(runs > 2, "{case:?} was interrupted {} times", runs - 1);
    }
}

/// A build needs little more than its table: 1.3 times its size and 20 MB for move tables of the cube; pattern
/// databases of seven and eight tiles need up to 1.7 times theirs, for a bit of each state.
#[test]
fn builds_need_little_more_memory_than_their_tables() {
    for case in CASES {
        let (tables, peak) = built_at_once(case);
        let sizes = tables.values().filter_map(|progress| progress.table.as_ref());
        let sizes: Vec<u64> = sizes.map(|table| table.bytes().len() as u64).collect();
        let (all, largest) = (sizes.iter().sum::<u64>(), sizes.iter().max().copied().unwrap_or(0));
        // The other tables stay in memory while the largest is built.
        let most = all + 3 * largest / 10 + (20 << 20);
        assert!(peak <= most, "{case:?}: {peak} bytes for tables of {sizes:?}");
    }
}

/// Counts polls up to the first event of a build with a share above zero, and then stops the build.
#[derive(Default)]
struct PollCounter {
    polls: AtomicU64,
    progressed: AtomicBool,
}

impl Observer for PollCounter {
    fn on_event(&self, event: &Event) {
        if matches!(event, Event::Table { phase: TablePhase::Build, share, .. } if *share > 0.0) {
            self.progressed.store(true, Relaxed);
        }
    }

    fn poll(&self) -> ControlFlow<Stop> {
        if self.progressed.load(Relaxed) {
            return ControlFlow::Break(Stop::Interrupted);
        }
        self.polls.fetch_add(1, Relaxed);
        ControlFlow::Continue(())
    }
}

/// A build polls all the time, also while it prepares move tables and clears memory: at least once for every
/// megabyte of the table, and in the steps that each case lists.
#[test]
fn builds_poll_while_they_prepare() {
    for (case, least) in [
        // Rotations of 40,320 permutations, in steps of 4096.
        (("8-puzzle", None, "ida+pdb:8"), 120),
        (("cube3", None, "ida+corners"), 200),
        (("cube3", None, "ida+edges:6"), 900),
        // 3393 classes of corners, 66 maps of edges, 30 MB.
        (("cube3", None, "optimal:table=30MB"), 100),
    ] {
        // A progress event is due at every poll.
        let clock = Arc::new(ManualClock::stepping(Duration::from_millis(50)));
        let counter = Arc::new(PollCounter::default());
        let control =
            Control::with_clock(clock, &MemoryAccount::default(), Limits::default(), counter.clone());
        let stopped = prepare(case, Arc::new(InterruptedTables::default()), &control);
        assert_eq!(stopped, Err(Error::Stopped(Stop::Interrupted)), "{case:?}");
        let polls = counter.polls.load(Relaxed);
        assert!(polls >= least, "{case:?} polled {polls} times before its first progress");
    }
}

/// Records the shares of builds by table; fails if counters of the search are emitted meanwhile.
#[derive(Default)]
struct ShareRecorder {
    shares: Mutex<Vec<(String, Vec<f64>)>>,
}

impl Observer for ShareRecorder {
    fn on_event(&self, event: &Event) {
        let mut shares = self.shares.lock().expect("no panic");
        match event {
            Event::Table { name, phase: TablePhase::Build, share, .. } => match shares.last_mut() {
                Some((last, shares)) if last == name => shares.push(*share),
                _ => shares.push((name.clone(), vec![*share])),
            },
            // Before the first table and between two, while no build is shown.
            Event::Progress(_) => {
                if let Some((name, shares)) = shares.last() {
                    assert_eq!(shares.last(), Some(&1.0), "{name}: the search is shown during the build");
                }
            }
            _ => {}
        }
    }
}

/// The share of every build rises from 0 to 1 in small steps.
#[test]
fn shares_rise_from_nothing_to_all_in_small_steps() {
    for (case, largest_step) in [
        (("8-puzzle", None, "table"), 0.2),
        (("15-puzzle", None, "ida+pdb:6-6-3"), 0.1),
        (("cube2", None, "ida+full"), 0.1),
        (("cube3", None, "ida+edges:6"), 0.1),
        (("cube3", Some("qtm"), "two-phase:tables=large"), 0.1),
        (("cube3", None, "optimal:table=30MB"), 0.1),
    ] {
        let recorder = Arc::new(ShareRecorder::default());
        let clock = Arc::new(ManualClock::stepping(Duration::from_millis(50)));
        // One thread, so that no level ends before the event of another thread.
        let limits = Limits { threads: 1, ..Limits::default() };
        let control = Control::with_clock(clock, &MemoryAccount::default(), limits, recorder.clone());
        assert_eq!(prepare(case, Arc::new(InterruptedTables::default()), &control), Ok(()), "{case:?}");
        for (name, shares) in &*recorder.shares.lock().expect("no panic") {
            assert!(shares.is_sorted(), "{case:?}: {name} falls");
            assert_eq!((shares.first(), shares.last()), (Some(&0.0), Some(&1.0)), "{case:?}: {name}");
            let step = shares.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
            assert!(step < largest_step, "{case:?}: {name} jumps by {step} in {} events", shares.len());
        }
    }
}

/// A build stops at the poll that reaches the time limit, whenever that is.
#[test]
fn a_build_stops_at_any_poll() {
    for case in CASES {
        for polls in [1, 2, 5, 20, 60, 100] {
            let clock = Arc::new(ManualClock::stepping(Duration::from_millis(1)));
            let limits = Limits { time: Some(Duration::from_millis(polls)), threads: 2, ..Limits::default() };
            let control =
                Control::with_clock(clock.clone(), &MemoryAccount::default(), limits, Arc::new(Silent));
            let stopped = prepare(case, Arc::new(InterruptedTables::default()), &control);
            let readings = clock.now().as_millis() as u64;
            if let Err(error) = stopped {
                assert_eq!(error, Error::Stopped(Stop::Time), "{case:?} after {polls}");
            }
            // Each of two threads reads the clock once more, and the caller a few times.
            assert!(readings <= polls + 10, "{case:?}: {readings} readings for {polls}");
        }
    }
}
