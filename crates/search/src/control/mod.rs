//! Limits, cancellation, the best path so far, the proven bound and the memory
//! account of one search: all that the world may ask of it while it runs.
//!
//! A search spends nodes from a [`Meter`], one per thread, which looks at the
//! clock, the limits and the observer every few hundred microseconds. So the hot loop
//! pays one subtraction per expansion and still stops in time.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use web_time::Instant;

use crate::checkpoint::Checkpointer;
use crate::locks::lock;
use crate::moves::Move;
use crate::puzzle::Cost;

/// Why a search ended before it was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The time limit.
    Time,
    /// The node limit.
    Nodes,
    /// The memory limit.
    Memory,
    /// Somebody asked for it: Ctrl-C, a cancelled job.
    Interrupted,
    /// The depth that a depth-first search was told not to exceed.
    Depth,
}

impl Stop {
    const ALL: [Stop; 5] = [Stop::Time, Stop::Nodes, Stop::Memory, Stop::Interrupted, Stop::Depth];

    /// The word used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Stop::Time => "time",
            Stop::Nodes => "nodes",
            Stop::Memory => "memory",
            Stop::Interrupted => "interrupted",
            Stop::Depth => "depth",
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stop::Time => "the time limit",
            Stop::Nodes => "the node limit",
            Stop::Memory => "the memory limit",
            Stop::Interrupted => "an interrupt",
            Stop::Depth => "the depth limit",
        })
    }
}

/// How much a search may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Generated nodes.
    pub nodes: Option<u64>,
    /// Bytes.
    pub memory: Option<u64>,
    /// Threads for the algorithms that use several.
    pub threads: usize,
    /// A path of at most this cost will do: nobody need look for a shorter one.
    pub max_length: Option<Cost>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: None, nodes: None, memory: None, threads: 1, max_length: None }
    }
}

/// What a search tells the world.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// Every now and then: where the search stands.
    Progress(Progress),
    /// A shorter path was found.
    Better(Cost),
    /// The cost of a shortest path is at least this.
    Bound(Cost),
    /// A table is being made ready: its name and how much of it stands.
    Table {
        /// What is being built.
        name: String,
        /// From 0 to 1.
        share: f64,
    },
    /// Something a person should know and that stops nothing.
    Warning(String),
}

/// Where a search stands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Nodes generated so far.
    pub nodes: u64,
    /// Seconds since the search began.
    pub seconds: f64,
    /// What is proven.
    pub bound: Cost,
    /// What is found.
    pub best: Option<Cost>,
    /// Bytes accounted for.
    pub bytes: u64,
    /// How deep a beam has come.
    pub level: Option<Level>,
}

/// How deep a beam has come, and how near to solved it looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// From 1.
    pub number: u32,
    /// The best score in it.
    pub score: Cost,
}

/// Who listens to a search and may end it. Libraries never print.
pub trait Observer: Send + Sync {
    /// Something happened.
    fn tell(&self, _event: &Event) {}
    /// Whether to go on; asked every few hundred microseconds.
    fn poll(&self) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }
}

/// An observer that neither listens nor ends anything.
pub struct Silent;

impl Observer for Silent {}

/// Bytes in use. Searches that share tables share an account as well, so that what a table takes is counted by
/// all of them, however long it outlives the search that asked for it first.
#[derive(Clone, Default)]
pub struct Account {
    used: Arc<AtomicU64>,
    /// The account that all of it is counted in as well, and the most that may be in there.
    whole: Option<Arc<(Account, u64)>>,
}

impl Account {
    /// An account of its own whose bytes count in `whole` too, where there may never be more than `most`.
    pub fn within(whole: &Account, most: u64) -> Account {
        Account { used: Arc::default(), whole: Some(Arc::new((whole.clone(), most))) }
    }

    /// The bytes in use now.
    pub fn used(&self) -> u64 {
        self.used.load(Relaxed)
    }

    /// Takes bytes, here and in the whole; the bytes in use here afterwards. On refusal nothing changes.
    fn take(&self, bytes: u64, limit: u64) -> Result<u64, Stop> {
        let used = self.used.fetch_add(bytes, Relaxed).saturating_add(bytes);
        let fits = used <= limit
            && self.whole.as_deref().is_none_or(|(whole, most)| whole.take(bytes, *most).is_ok());
        if !fits {
            self.used.fetch_sub(bytes, Relaxed);
            return Err(Stop::Memory);
        }
        Ok(used)
    }

    fn give_back(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Relaxed);
        if let Some((whole, _)) = self.whole.as_deref() {
            whole.give_back(bytes);
        }
    }

    /// The bytes that could still be taken under a limit.
    fn room(&self, limit: u64) -> u64 {
        let own = limit.saturating_sub(self.used());
        self.whole.as_deref().map_or(own, |(whole, most)| own.min(whole.room(*most)))
    }
}

/// What all phases of one search share.
struct Shared {
    observer: Arc<dyn Observer>,
    begun: Instant,
    nodes: AtomicU64,
    best: Mutex<Option<Vec<Move>>>,
    upper: AtomicU32,
    bound: AtomicU32,
    account: Account,
    /// The most the account held whenever this search took from it.
    peak: Arc<AtomicU64>,
    /// Milliseconds after `begun` at which progress is told next.
    pulse: AtomicU64,
    /// The level of a beam in the upper half and its best score in the lower; 0 where there is none.
    level: AtomicU64,
}

/// The leash of one search.
pub struct Control {
    shared: Arc<Shared>,
    limits: Limits,
    all: bool,
    deadline: Option<Instant>,
    nodes_left: AtomicU64,
    stopped: AtomicU8,
    checkpointer: Option<Arc<Checkpointer>>,
}

const PULSE_MILLIS: u64 = 50;
/// More threads than this only cost memory.
const MOST_THREADS: usize = 128;

impl Default for Control {
    fn default() -> Control {
        Control::new(Limits::default(), Arc::new(Silent))
    }
}

impl Control {
    /// A search under `limits`, with a memory account of its own; the clock starts now.
    pub fn new(limits: Limits, observer: Arc<dyn Observer>) -> Control {
        Control::charged_to(&Account::default(), limits, observer)
    }

    /// The same on a memory account that others draw on: the limit is for all that is in it.
    pub fn charged_to(account: &Account, limits: Limits, observer: Arc<dyn Observer>) -> Control {
        let begun = Instant::now();
        let shared = Shared {
            observer,
            begun,
            nodes: AtomicU64::new(0),
            best: Mutex::new(None),
            upper: AtomicU32::new(Cost::MAX),
            bound: AtomicU32::new(0),
            account: account.clone(),
            peak: Arc::new(AtomicU64::new(account.used())),
            pulse: AtomicU64::new(PULSE_MILLIS),
            level: AtomicU64::new(0),
        };
        Control::over(Arc::new(shared), limits, false, begun)
    }

    fn over(shared: Arc<Shared>, limits: Limits, all: bool, begun: Instant) -> Control {
        Control {
            shared,
            limits,
            all,
            deadline: limits.time.and_then(|time| begun.checked_add(time)),
            nodes_left: AtomicU64::new(limits.nodes.unwrap_or(u64::MAX)),
            stopped: AtomicU8::new(0),
            checkpointer: None,
        }
    }

    /// The same search asked for every shortest sequence.
    #[must_use]
    pub fn for_all(mut self, all: bool) -> Control {
        self.all = all;
        self
    }

    /// The same search with somebody who saves its proof.
    #[must_use]
    pub fn with_checkpointer(mut self, checkpointer: Arc<Checkpointer>) -> Control {
        self.checkpointer = Some(checkpointer);
        self
    }

    /// Who saves the proof.
    pub fn checkpointer(&self) -> Option<&Checkpointer> {
        self.checkpointer.as_deref()
    }

    /// A phase of the same search under limits of its own, never wider than
    /// these: it shares the best path, the bound, the memory account and the observer. It is not saved.
    #[must_use]
    pub fn within(&self, limits: Limits) -> Control {
        let begun = Instant::now();
        let least = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).min();
        let own = limits.time.and_then(|time| begun.checked_add(time));
        let limits = Limits {
            time: limits.time,
            nodes: least(limits.nodes, self.limits.nodes.map(|_| self.nodes_left.load(Relaxed))),
            memory: least(limits.memory, self.limits.memory),
            threads: limits.threads.min(self.limits.threads),
            max_length: limits.max_length.or(self.limits.max_length),
        };
        let mut phase = Control::over(Arc::clone(&self.shared), limits, self.all, begun);
        phase.deadline = own.into_iter().chain(self.deadline).min();
        phase
    }

    /// Another search under the same deadline, observer and memory account, with a best path and a bound of its own.
    #[must_use]
    pub fn apart(&self, limits: Limits) -> Control {
        self.apart_told_to(limits, Arc::clone(&self.shared.observer))
    }

    /// The same where nobody is told what is found.
    #[must_use]
    pub fn silent_sibling(&self, limits: Limits) -> Control {
        self.apart_told_to(limits, Arc::new(Silent))
    }

    fn apart_told_to(&self, limits: Limits, observer: Arc<dyn Observer>) -> Control {
        let mut other = Control::charged_to(&self.shared.account, limits, observer);
        other.deadline = other.deadline.into_iter().chain(self.deadline).min();
        other
    }

    /// Books nodes that a phase spent under limits of its own; ends the search where none are left.
    pub fn charge(&self, nodes: u64) {
        if self.limits.nodes.is_some() {
            let take = |left: u64| Some(left.saturating_sub(nodes));
            if self.nodes_left.fetch_update(Relaxed, Relaxed, take).is_ok_and(|left| left <= nodes) {
                self.halt(Stop::Nodes);
            }
        }
    }

    /// Whether every shortest sequence is wanted.
    pub fn all(&self) -> bool {
        self.all
    }

    /// The limits.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// How many threads a parallel algorithm may use.
    pub fn threads(&self) -> usize {
        self.limits.threads.clamp(1, MOST_THREADS)
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.shared.begun.elapsed()
    }

    /// The cost of the best path so far; `Cost::MAX` before the first.
    pub fn upper(&self) -> Cost {
        self.shared.upper.load(Relaxed)
    }

    /// Whether a path is known that costs no more than what will do.
    pub fn satisfied(&self) -> bool {
        self.limits.max_length.is_some_and(|max_length| self.upper() <= max_length)
    }

    /// The proven lower bound.
    pub fn bound(&self) -> Cost {
        self.shared.bound.load(Relaxed)
    }

    fn lock_best(&self) -> MutexGuard<'_, Option<Vec<Move>>> {
        lock(&self.shared.best)
    }

    /// The best path so far.
    pub fn best(&self) -> Option<Vec<Move>> {
        self.lock_best().clone()
    }

    /// Hands in a path; a later stop does not take it away. True if it is the
    /// shortest so far.
    pub fn offer(&self, path: &[Move], cost: Cost) -> bool {
        let mut best = self.lock_best();
        if best.is_some() && cost >= self.upper() {
            return false;
        }
        *best = Some(path.to_vec());
        self.shared.upper.store(cost, Relaxed);
        drop(best);
        self.tell(&Event::Better(cost));
        true
    }

    /// Records that no path costs less than `bound`.
    pub fn prove(&self, bound: Cost) {
        if self.shared.bound.fetch_max(bound, Relaxed) < bound {
            self.tell(&Event::Bound(bound));
        }
    }

    /// Passes an event on.
    pub fn tell(&self, event: &Event) {
        self.shared.observer.tell(event);
    }

    /// Why the search must end, if it must.
    pub fn stop(&self) -> Option<Stop> {
        match self.stopped.load(Relaxed) {
            0 => None,
            n => Some(Stop::ALL[usize::from(n) - 1]),
        }
    }

    /// Ends the search; the first reason stays.
    pub fn halt(&self, why: Stop) -> Stop {
        let _ = self.stopped.compare_exchange(0, why as u8 + 1, Relaxed, Relaxed);
        self.stop().unwrap_or(why)
    }

    /// Looks at the clock and the observer, and tells progress when it is due.
    pub fn poll(&self) -> Result<(), Stop> {
        if let Some(stop) = self.stop() {
            return Err(stop);
        }
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Err(self.halt(Stop::Time));
        }
        if let ControlFlow::Break(stop) = self.shared.observer.poll() {
            return Err(self.halt(stop));
        }
        let millis = now.duration_since(self.shared.begun).as_millis() as u64;
        let due = self.shared.pulse.load(Relaxed);
        if millis >= due
            && self.shared.pulse.compare_exchange(due, millis + PULSE_MILLIS, Relaxed, Relaxed).is_ok()
        {
            self.tell(&Event::Progress(self.progress()));
        }
        Ok(())
    }

    /// Records how deep a beam has come.
    pub fn note_level(&self, level: Level) {
        self.shared.level.store(u64::from(level.number) << 32 | u64::from(level.score), Relaxed);
    }

    /// Where the search stands.
    pub fn progress(&self) -> Progress {
        let best = self.upper();
        let level = self.shared.level.load(Relaxed);
        Progress {
            nodes: self.shared.nodes.load(Relaxed),
            seconds: self.elapsed().as_secs_f64(),
            bound: self.bound(),
            best: (best != Cost::MAX).then_some(best),
            bytes: self.shared.account.used(),
            level: (level != 0).then_some(Level { number: (level >> 32) as u32, score: level as u32 }),
        }
    }

    /// Takes `bytes` from the memory account, for as long as the guard lives.
    pub fn reserve(&self, bytes: u64) -> Result<Reserved, Stop> {
        let mut reserved = Reserved {
            account: self.shared.account.clone(),
            peak: Arc::clone(&self.shared.peak),
            limit: self.limits.memory.unwrap_or(u64::MAX),
            bytes: 0,
        };
        reserved.grow(bytes).inspect_err(|&stop| {
            self.halt(stop);
        })?;
        Ok(reserved)
    }

    /// The bytes that could still be reserved.
    pub fn room(&self) -> u64 {
        self.shared.account.room(self.limits.memory.unwrap_or(u64::MAX))
    }

    /// The account that memory is taken from.
    pub fn account(&self) -> &Account {
        &self.shared.account
    }

    /// The most bytes accounted for while this search ran, tables of earlier ones included.
    pub fn peak_bytes(&self) -> u64 {
        self.shared.peak.load(Relaxed)
    }

    /// A node allowance for one thread.
    pub fn meter(&self) -> Meter<'_> {
        Meter {
            control: self,
            crowd: None,
            fuel: 0,
            granted: 0,
            batch: FIRST_BATCH,
            settled: 0,
            unshared: 0,
            looked: Instant::now(),
            pause: None,
            checkpointer: None,
        }
    }
}

/// A part of the memory account, given back when dropped.
pub struct Reserved {
    account: Account,
    peak: Arc<AtomicU64>,
    limit: u64,
    bytes: u64,
}

impl Reserved {
    /// Takes more; on refusal nothing changes.
    pub fn grow(&mut self, bytes: u64) -> Result<(), Stop> {
        let used = self.account.take(bytes, self.limit)?;
        self.peak.fetch_max(used, Relaxed);
        self.bytes += bytes;
        Ok(())
    }

    /// Gives some back.
    pub fn shrink(&mut self, bytes: u64) {
        let bytes = bytes.min(self.bytes);
        self.account.give_back(bytes);
        self.bytes -= bytes;
    }

    /// How much it holds.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.account.give_back(self.bytes);
    }
}

/// Why a metered loop pauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pause {
    /// The search is over.
    Stop(Stop),
    /// Another thread has nothing to do: hand over a part.
    Share,
    /// Another thread ended the work this one was part of.
    Done,
    /// It is time to save what is left to do.
    Save,
}

/// Those who work on one search side by side.
#[derive(Default)]
pub struct WorkPool {
    /// How many wait for work.
    pub idle_workers: AtomicUsize,
    /// Whether the work is over for all.
    pub done: std::sync::atomic::AtomicBool,
}

/// The node allowance of one thread.
pub struct Meter<'a> {
    control: &'a Control,
    crowd: Option<&'a WorkPool>,
    /// What is left of the batch granted; negative once overdrawn.
    fuel: i64,
    granted: i64,
    batch: u64,
    settled: u64,
    /// Nodes since work was last handed over.
    unshared: u64,
    looked: Instant,
    pause: Option<Pause>,
    checkpointer: Option<&'a Checkpointer>,
}

const FIRST_BATCH: u64 = 64;
/// Handing over costs about as much as a few hundred nodes.
const SHARE_AFTER: u64 = 4096;
const LAST_BATCH: u64 = 1 << 20;
/// Batches grow and shrink towards this much time between two looks.
const LOOK_EVERY: Duration = Duration::from_micros(400);

impl<'a> Meter<'a> {
    /// Pauses when others of the crowd are idle_workers or done.
    #[must_use]
    pub fn among(mut self, crowd: &'a WorkPool) -> Meter<'a> {
        self.crowd = Some(crowd);
        self
    }

    /// Pauses when the search has a checkpointer and it is time to save: for those who know what to do then.
    #[must_use]
    pub fn saving(mut self) -> Meter<'a> {
        self.checkpointer = self.control.checkpointer();
        self
    }

    /// The search this meter belongs to.
    pub fn control(&self) -> &'a Control {
        self.control
    }

    /// Counts one node.
    #[inline]
    pub fn tick(&mut self) {
        self.fuel -= 1;
    }

    /// Counts many nodes.
    #[inline]
    pub fn spend(&mut self, nodes: u64) {
        self.fuel -= nodes as i64;
    }

    /// How many nodes may be counted before the next [`Meter::check`] is due, for loops that count on their own.
    #[inline]
    pub fn left(&self) -> u64 {
        self.fuel.max(0) as u64
    }

    /// Breaks when it is time to pause; asked once per expansion.
    #[inline]
    pub fn check(&mut self) -> ControlFlow<Pause> {
        if self.fuel <= 0 { self.look_up() } else { ControlFlow::Continue(()) }
    }

    /// The nodes counted so far.
    #[inline]
    pub fn nodes(&self) -> u64 {
        self.settled + (self.granted - self.fuel) as u64
    }

    /// Why it paused last.
    pub fn pause(&self) -> Option<Pause> {
        self.pause
    }

    /// Goes on after [`Pause::Share`].
    pub fn resume(&mut self) {
        self.pause = None;
        self.unshared = 0;
    }

    /// Books what was used of the batch and gives back what was not.
    fn settle(&mut self) {
        let used = (self.granted - self.fuel) as u64;
        self.settled += used;
        self.unshared += used;
        self.control.shared.nodes.fetch_add(used, Relaxed);
        if self.control.limits.nodes.is_some() {
            let unused = self.fuel;
            let _ = self
                .control
                .nodes_left
                .fetch_update(Relaxed, Relaxed, |left| Some(left.saturating_add_signed(unused)));
        }
        self.fuel = 0;
        self.granted = 0;
    }

    fn rest(&mut self, pause: Pause) -> ControlFlow<Pause> {
        self.pause = Some(pause);
        ControlFlow::Break(pause)
    }

    #[cold]
    #[inline(never)]
    fn look_up(&mut self) -> ControlFlow<Pause> {
        self.settle();
        if let Err(stop) = self.control.poll() {
            return self.rest(Pause::Stop(stop));
        }
        if let Some(crowd) = self.crowd {
            if crowd.done.load(Relaxed) {
                return self.rest(Pause::Done);
            }
            if self.unshared >= SHARE_AFTER && crowd.idle_workers.load(Relaxed) > 0 {
                return self.rest(Pause::Share);
            }
        }
        // Who has done nothing yet does something first, so that the search goes on however often it is saved.
        if self.settled > 0 && self.checkpointer.is_some_and(Checkpointer::due) {
            return self.rest(Pause::Save);
        }
        let took = self.looked.elapsed();
        self.looked = Instant::now();
        self.batch = if took < LOOK_EVERY { self.batch * 2 } else { self.batch / 2 };
        self.batch = self.batch.clamp(FIRST_BATCH, LAST_BATCH);
        let mut grant = self.batch;
        if self.control.limits.nodes.is_some() {
            // Smaller and smaller towards the end, so that no thread sits on much when another finds nothing left.
            let share = 2 * self.control.threads() as u64;
            let granted = |left: u64| self.batch.min(left / share + 1);
            let take = |left: u64| (left > 0).then(|| left - granted(left));
            match self.control.nodes_left.fetch_update(Relaxed, Relaxed, take) {
                Ok(before) => grant = granted(before),
                Err(_) => {
                    let stop = self.control.halt(Stop::Nodes);
                    return self.rest(Pause::Stop(stop));
                }
            }
        }
        self.granted = grant as i64;
        self.fuel = self.granted;
        ControlFlow::Continue(())
    }
}

impl Drop for Meter<'_> {
    fn drop(&mut self) {
        self.settle();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_limit_is_kept_to_a_handful() {
        let control = Control::new(Limits { nodes: Some(100_000), ..Limits::default() }, Arc::new(Silent));
        let mut meter = control.meter();
        let mut spent = 0;
        while meter.check().is_continue() {
            (0..3).for_each(|_| meter.tick());
            spent += 3;
        }
        assert_eq!(meter.nodes(), spent, "every node is counted");
        assert!((100_000..100_003).contains(&spent), "{spent} of 100000 nodes were spent");
        assert_eq!(control.stop(), Some(Stop::Nodes));
    }

    #[test]
    fn a_time_limit_ends_a_slow_loop_within_a_tenth_of_a_second() {
        let ended = || {
            let limits = Limits { time: Some(Duration::from_millis(50)), ..Limits::default() };
            let control = Control::new(limits, Arc::new(Silent));
            let mut meter = control.meter();
            while meter.check().is_continue() {
                meter.tick();
                std::thread::sleep(Duration::from_micros(20));
            }
            assert_eq!(meter.pause(), Some(Pause::Stop(Stop::Time)));
            control.elapsed()
        };
        // A busy machine may be late once or twice.
        let times = [(); 3].map(|()| ended());
        assert!(times.iter().any(|time| *time < Duration::from_millis(150)), "stopped after {times:?}");
    }

    #[test]
    fn memory_is_summed_refused_and_given_back() {
        let control = Control::new(Limits { memory: Some(100), ..Limits::default() }, Arc::new(Silent));
        let mut first = control.reserve(60).expect("60 of 100");
        assert_eq!(first.grow(41), Err(Stop::Memory));
        assert!(first.grow(40).is_ok());
        drop(first);
        assert!(control.reserve(100).is_ok());
        assert_eq!(control.peak_bytes(), 100);
        assert!(control.reserve(101).is_err());
        assert_eq!(control.stop(), Some(Stop::Memory));
    }

    #[test]
    fn searches_on_one_account_share_its_limit() {
        let account = Account::default();
        let limits = Limits { memory: Some(100), ..Limits::default() };
        let first = Control::charged_to(&account, limits, Arc::new(Silent));
        let _table = first.reserve(60).expect("60 of 100");
        drop(first.reserve(30));
        drop(first);
        let second = Control::charged_to(&account, limits, Arc::new(Silent));
        assert_eq!((second.room(), second.peak_bytes()), (40, 60), "what the first left behind counts");
        assert!(second.reserve(40).is_ok());
        assert_eq!(second.peak_bytes(), 100);
        assert!(second.reserve(41).is_err());
        assert_eq!(account.used(), 60);
    }

    #[test]
    fn accounts_within_another_share_its_limit_and_keep_their_own() {
        let whole = Account::default();
        let limits = Limits { memory: Some(60), ..Limits::default() };
        let control = || Control::charged_to(&Account::within(&whole, 100), limits, Arc::new(Silent));
        let (first, second) = (control(), control());
        let held = first.reserve(60).expect("60 of its own 60");
        assert_eq!(first.reserve(1).err(), Some(Stop::Memory), "beyond its own limit");
        assert_eq!((second.room(), second.peak_bytes()), (40, 0), "what is left of the whole");
        assert_eq!(second.reserve(41).err(), Some(Stop::Memory), "beyond the whole");
        assert_eq!(whole.used(), 60, "what was refused is not counted anywhere");
        drop(held);
        assert!(second.reserve(60).is_ok());
        assert_eq!(whole.used(), 0);
    }

    #[test]
    fn the_best_path_stays_the_shortest_offered() {
        let control = Control::default();
        assert!(control.offer(&[Move(1), Move(2)], 2));
        assert!(!control.offer(&[Move(0), Move(1), Move(2)], 3));
        assert!(control.offer(&[Move(3)], 1));
        assert_eq!((control.best(), control.upper()), (Some(vec![Move(3)]), 1));
        let phase = control.within(Limits::default());
        assert_eq!(phase.upper(), 1, "phases share what was found");
    }
}
