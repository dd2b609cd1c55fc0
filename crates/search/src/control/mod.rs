//! Limits, cancellation and shared results of one search: the best path so far, the proven bound and the memory account.
//!
//! A [`Control`] is what a running search and the outside share. Threads of the search count nodes with a [`Meter`],
//! which looks at the clock, the limits and the observer every few hundred microseconds.

mod account;
mod clock;
mod event;
mod limits;
mod meter;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::Duration;

pub use account::{Account, Reserved};
pub use clock::{Clock, ManualClock, SystemClock};
pub use event::{Event, Level, Observer, Progress, Silent};
pub use limits::{Limits, Stop};
pub use meter::{Meter, Pause, WorkPool};

use crate::checkpoint::Checkpointer;
use crate::locks::lock;
use crate::moves::Move;
use crate::puzzle::Cost;

/// The part that all phases of one search share.
struct Shared {
    observer: Arc<dyn Observer>,
    clock: Arc<dyn Clock>,
    begun: Duration,
    nodes: AtomicU64,
    best: Mutex<Option<Vec<Move>>>,
    upper: AtomicU32,
    bound: AtomicU32,
    account: Account,
    /// The most the account held whenever this search took from it.
    peak: Arc<AtomicU64>,
    /// Milliseconds after `begun` at which the next progress event is due.
    next_progress: AtomicU64,
    /// The level of a beam in the upper half and its best score in the lower; 0 where there is none.
    level: AtomicU64,
}

/// Limits, cancellation and shared results of one search.
pub struct Control {
    shared: Arc<Shared>,
    limits: Limits,
    all: bool,
    deadline: Option<Duration>,
    nodes_left: AtomicU64,
    stopped: AtomicU8,
    checkpointer: OnceLock<Arc<Checkpointer>>,
}

const PROGRESS_MILLIS: u64 = 50;
/// More threads than this only cost memory.
const MAX_THREADS: usize = 128;

impl Default for Control {
    fn default() -> Control {
        Control::new(Limits::default(), Arc::new(Silent))
    }
}

impl Control {
    /// A search under `limits`, with a memory account of its own, timed by the system's clock from now on.
    pub fn new(limits: Limits, observer: Arc<dyn Observer>) -> Control {
        Control::charged_to(&Account::default(), limits, observer)
    }

    /// The same on a memory account that other searches draw on: the limit holds for all bytes in it.
    pub fn charged_to(account: &Account, limits: Limits, observer: Arc<dyn Observer>) -> Control {
        Control::with_clock(Arc::new(SystemClock::new()), account, limits, observer)
    }

    /// The same timed by a given clock.
    pub fn with_clock(
        clock: Arc<dyn Clock>,
        account: &Account,
        limits: Limits,
        observer: Arc<dyn Observer>,
    ) -> Control {
        let begun = clock.now();
        let shared = Shared {
            observer,
            clock,
            begun,
            nodes: AtomicU64::new(0),
            best: Mutex::new(None),
            upper: AtomicU32::new(Cost::MAX),
            bound: AtomicU32::new(0),
            account: account.clone(),
            peak: Arc::new(AtomicU64::new(account.used())),
            next_progress: AtomicU64::new(PROGRESS_MILLIS),
            level: AtomicU64::new(0),
        };
        Control::over(Arc::new(shared), limits, false, begun)
    }

    fn over(shared: Arc<Shared>, limits: Limits, all: bool, begun: Duration) -> Control {
        Control {
            shared,
            limits,
            all,
            deadline: limits.time.and_then(|time| begun.checked_add(time)),
            nodes_left: AtomicU64::new(limits.nodes.unwrap_or(u64::MAX)),
            stopped: AtomicU8::new(0),
            checkpointer: OnceLock::new(),
        }
    }

    /// The same search asked for every shortest sequence.
    #[must_use]
    pub fn for_all(mut self, all: bool) -> Control {
        self.all = all;
        self
    }

    /// The same search with a checkpointer that saves its proof.
    #[must_use]
    pub fn with_checkpointer(self, checkpointer: Arc<Checkpointer>) -> Control {
        self.set_checkpointer(checkpointer);
        self
    }

    /// Hands the search a checkpointer, once, before it runs.
    pub fn set_checkpointer(&self, checkpointer: Arc<Checkpointer>) {
        let _ = self.checkpointer.set(checkpointer);
    }

    /// The checkpointer that saves the proof.
    pub fn checkpointer(&self) -> Option<&Checkpointer> {
        self.checkpointer.get().map(|checkpointer| &**checkpointer)
    }

    /// A phase of the same search under limits of its own, never wider than these. It shares the best path, the bound,
    /// the memory account, the clock and the observer. It has no checkpointer.
    #[must_use]
    pub fn within(&self, limits: Limits) -> Control {
        let begun = self.clock().now();
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

    /// Another search under the same deadline, clock, observer and memory account, with a best path and a bound of its own.
    #[must_use]
    pub fn apart(&self, limits: Limits) -> Control {
        self.apart_observed_by(limits, Arc::clone(&self.shared.observer))
    }

    /// The same without an observer of events.
    #[must_use]
    pub fn silent_sibling(&self, limits: Limits) -> Control {
        self.apart_observed_by(limits, Arc::new(Silent))
    }

    fn apart_observed_by(&self, limits: Limits, observer: Arc<dyn Observer>) -> Control {
        let clock = Arc::clone(&self.shared.clock);
        let mut other = Control::with_clock(clock, &self.shared.account, limits, observer);
        other.deadline = other.deadline.into_iter().chain(self.deadline).min();
        other
    }

    /// Books nodes that a phase spent under limits of its own; ends the search where none are left.
    pub fn charge(&self, nodes: u64) {
        if self.limits.nodes.is_some() {
            let take = |left: u64| Some(left.saturating_sub(nodes));
            if self.nodes_left.fetch_update(Relaxed, Relaxed, take).is_ok_and(|left| left <= nodes) {
                self.request_stop(Stop::Nodes);
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
        self.limits.threads.clamp(1, MAX_THREADS)
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.clock().now().saturating_sub(self.shared.begun)
    }

    /// The clock that times the search.
    pub fn clock(&self) -> &dyn Clock {
        &*self.shared.clock
    }

    /// The cost of the best path so far; `Cost::MAX` before the first.
    pub fn upper(&self) -> Cost {
        self.shared.upper.load(Relaxed)
    }

    /// Whether a path is known that costs at most the wanted length.
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

    /// Hands in a path; true if it becomes the incumbent. A later stop does not take it away.
    pub fn offer(&self, path: &[Move], cost: Cost) -> bool {
        let mut best = self.lock_best();
        if best.is_some() && cost >= self.upper() {
            return false;
        }
        *best = Some(path.to_vec());
        self.shared.upper.store(cost, Relaxed);
        drop(best);
        self.emit(&Event::Better(cost));
        true
    }

    /// Records that no path costs less than `bound`.
    pub fn prove(&self, bound: Cost) {
        if self.shared.bound.fetch_max(bound, Relaxed) < bound {
            self.emit(&Event::Bound(bound));
        }
    }

    /// Sends an event to the observer.
    pub fn emit(&self, event: &Event) {
        self.shared.observer.on_event(event);
    }

    /// Why the search must end, if it must.
    pub fn stop(&self) -> Option<Stop> {
        match self.stopped.load(Relaxed) {
            0 => None,
            n => Some(Stop::ALL[usize::from(n) - 1]),
        }
    }

    /// Ends the search; the first reason stays.
    pub fn request_stop(&self, why: Stop) -> Stop {
        let _ = self.stopped.compare_exchange(0, why as u8 + 1, Relaxed, Relaxed);
        self.stop().unwrap_or(why)
    }

    /// Checks the deadline and the observer, and sends a progress event when one is due.
    pub fn poll(&self) -> Result<(), Stop> {
        self.poll_at(self.clock().now())
    }

    /// The same with a reading of the clock that the caller just took.
    fn poll_at(&self, now: Duration) -> Result<(), Stop> {
        if let Some(stop) = self.stop() {
            return Err(stop);
        }
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Err(self.request_stop(Stop::Time));
        }
        if let ControlFlow::Break(stop) = self.shared.observer.poll() {
            return Err(self.request_stop(stop));
        }
        let millis = now.saturating_sub(self.shared.begun).as_millis() as u64;
        let due = self.shared.next_progress.load(Relaxed);
        if millis >= due
            && self
                .shared
                .next_progress
                .compare_exchange(due, millis + PROGRESS_MILLIS, Relaxed, Relaxed)
                .is_ok()
        {
            self.emit(&Event::Progress(self.progress()));
        }
        Ok(())
    }

    /// Records the level that a beam search has reached.
    pub fn note_level(&self, level: Level) {
        self.shared.level.store(u64::from(level.number) << 32 | u64::from(level.score), Relaxed);
    }

    /// The counters of the search now.
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
        let limit = self.limits.memory.unwrap_or(u64::MAX);
        let mut reserved = Reserved::empty(&self.shared.account, &self.shared.peak, limit);
        reserved.grow(bytes).inspect_err(|&stop| {
            self.request_stop(stop);
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
        Meter::new(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[derive(Default)]
    struct Recorder(Mutex<Vec<Event>>);

    impl Observer for Recorder {
        fn on_event(&self, event: &Event) {
            lock(&self.0).push(event.clone());
        }
    }

    #[test]
    fn progress_is_sent_every_fifty_milliseconds() {
        let (clock, recorder) = (Arc::new(ManualClock::new()), Arc::new(Recorder::default()));
        let control =
            Control::with_clock(clock.clone(), &Account::default(), Limits::default(), recorder.clone());
        for _ in 0..1000 {
            clock.advance(Duration::from_millis(1));
            assert_eq!(control.poll(), Ok(()));
        }
        let millis: Vec<u64> = lock(&recorder.0)
            .iter()
            .map(|event| match event {
                Event::Progress(progress) => (progress.seconds * 1000.0).round() as u64,
                other => panic!("only progress is expected: {other:?}"),
            })
            .collect();
        assert_eq!(millis, (1..=20).map(|i| i * 50).collect::<Vec<_>>());
    }

    #[test]
    fn a_phase_ends_at_the_earlier_of_both_deadlines() {
        let clock = Arc::new(ManualClock::new());
        let limits = |seconds| Limits { time: Some(Duration::from_secs(seconds)), ..Limits::default() };
        let control = Control::with_clock(clock.clone(), &Account::default(), limits(10), Arc::new(Silent));
        clock.advance(Duration::from_secs(5));
        let (short, long, apart) =
            (control.within(limits(2)), control.within(limits(20)), control.apart(limits(20)));
        clock.advance(Duration::from_secs(2));
        assert_eq!((short.poll(), long.poll()), (Err(Stop::Time), Ok(())));
        assert_eq!(control.poll(), Ok(()), "a phase that ends does not end the search");
        clock.advance(Duration::from_secs(3));
        assert_eq!([control.poll(), long.poll(), apart.poll()], [Err(Stop::Time); 3]);
        assert_eq!((control.elapsed(), apart.elapsed()), (Duration::from_secs(10), Duration::from_secs(5)));
    }
}
