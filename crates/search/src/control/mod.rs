//! Limits, cancellation and shared results of one search: the incumbent, the lower bound and the memory
//! account.
//!
//! A [`MemoryAccount`] counts the bytes that searches and their tables have reserved. Searches that share
//! tables share an account.
//!
//! A [`Control`] is shared by the workers of a running search and its caller. Workers count nodes with a
//! [`Meter`]. It takes nodes from the node limit in batches, in advance, and checks the clock, the limits
//! and the observer between two batches, every few hundred microseconds. Events go to an [`Observer`].
//!
//! ```
//! use std::sync::{Arc, Mutex};
//! use untumble_search::control::{Control, Event, Limits, Observer, Stop};
//! use untumble_search::moves::Move;
//!
//! #[derive(Default)]
//! struct Recorder(Mutex<Vec<Event>>);
//!
//! impl Observer for Recorder {
//!     fn on_event(&self, event: &Event) {
//!         self.0.lock().unwrap().push(event.clone());
//!     }
//! }
//!
//! let recorder = Arc::new(Recorder::default());
//! let limits = Limits { nodes: Some(1000), ..Limits::default() };
//! let control = Control::new(limits, recorder.clone());
//!
//! // A search offers solutions, proves lower bounds and counts nodes.
//! control.raise_lower_bound(1);
//! assert!(control.offer(&[Move(0), Move(1)], 2));
//! assert!(!control.offer(&[Move(1), Move(0)], 2), "no improvement");
//! assert_eq!(*recorder.0.lock().unwrap(), [Event::Bound(1), Event::Better(2)]);
//!
//! let mut meter = control.meter();
//! while meter.check().is_continue() {
//!     meter.tick();
//! }
//! assert_eq!(meter.nodes(), 1000);
//! assert_eq!(control.stop_reason(), Some(Stop::Nodes));
//! ```

mod account;
mod clock;
mod event;
mod limits;
mod meter;
mod table_progress;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::Duration;

pub use account::{MemoryAccount, ReleaseTime, Reservation};
pub use clock::{Clock, ManualClock, SystemClock};
use event::WithoutEvents;
pub use event::{Event, Level, Observer, Progress, Silent, TablePhase};
pub use limits::{Limits, Stop};
pub use meter::{BreakReason, Meter, NodeReservation, WorkPool};
pub use table_progress::TableProgress;
use table_progress::TableTask;

use crate::checkpoint::Checkpointer;
use crate::locks::lock;
use crate::moves::Move;
use crate::puzzle::Cost;

/// The data that all phases of one search share (see [`Control::phase`]).
struct Shared {
    observer: Arc<dyn Observer>,
    clock: Arc<dyn Clock>,
    /// The clock reading at the start of the search.
    begun: Duration,
    /// The number of nodes counted so far. A meter adds its nodes at the end of each batch.
    nodes: AtomicU64,
    /// The incumbent.
    best: Mutex<Option<Vec<Move>>>,
    /// The cost of the incumbent; `Cost::MAX` if there is none.
    upper_bound: AtomicU32,
    /// The proven lower bound.
    lower_bound: AtomicU32,
    account: MemoryAccount,
    /// The peak of the account in bytes, updated at every reservation of this search.
    peak: Arc<AtomicU64>,
    /// The time that freeing the memory of the search is expected to take, in nanoseconds.
    release_nanos: Arc<AtomicU64>,
    /// Milliseconds after `begun` at which the next progress event is due.
    next_progress: AtomicU64,
    /// The level of a beam search in the upper half and its best score in the lower; 0 for none.
    level: AtomicU64,
    /// The tables that are being prepared, the innermost task last.
    tables: Mutex<Vec<Arc<TableTask>>>,
}

/// Limits, cancellation and shared results of one search.
///
/// The incumbent is the best solution so far; its cost is [`Control::upper_bound`].
/// [`Control::lower_bound`] is the proven lower bound. The incumbent is optimal once both are equal.
pub struct Control {
    shared: Arc<Shared>,
    limits: Limits,
    all_solutions: bool,
    /// The clock reading at which the search stops.
    deadline: Option<Duration>,
    /// The rest of the node limit. Meters take nodes from it in batches, in advance.
    nodes_left: AtomicU64,
    /// The reason to stop as its index in [`Stop::ALL`] plus one; 0 if there is none.
    stopped: AtomicU8,
    checkpointer: OnceLock<Arc<Checkpointer>>,
}

/// The time between two progress events.
const PROGRESS_MILLIS: u64 = 50;
/// Freeing the memory of a search may end this long after the deadline. If freeing is expected to take
/// longer than this, the search stops earlier by the difference.
const RELEASE_ALLOWANCE: Duration = Duration::from_millis(20);
/// The largest number of threads of a search.
const MAX_THREADS: usize = 128;

impl Default for Control {
    fn default() -> Control {
        Control::new(Limits::default(), Arc::new(Silent))
    }
}

impl Control {
    /// A search under `limits`, with its own memory account, timed by the system clock from now on.
    pub fn new(limits: Limits, observer: Arc<dyn Observer>) -> Control {
        Control::with_account(&MemoryAccount::default(), limits, observer)
    }

    /// As [`Control::new`] with a shared memory account: the memory limit applies to all bytes in the
    /// account.
    pub fn with_account(account: &MemoryAccount, limits: Limits, observer: Arc<dyn Observer>) -> Control {
        Control::with_clock(Arc::new(SystemClock::new()), account, limits, observer)
    }

    /// As [`Control::with_account`] with a given clock.
    pub fn with_clock(
        clock: Arc<dyn Clock>,
        account: &MemoryAccount,
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
            upper_bound: AtomicU32::new(Cost::MAX),
            lower_bound: AtomicU32::new(0),
            account: account.clone(),
            peak: Arc::new(AtomicU64::new(account.used())),
            release_nanos: Arc::default(),
            next_progress: AtomicU64::new(PROGRESS_MILLIS),
            level: AtomicU64::new(0),
            tables: Mutex::default(),
        };
        Control::from_shared(Arc::new(shared), limits, false, begun)
    }

    fn from_shared(shared: Arc<Shared>, limits: Limits, all_solutions: bool, begun: Duration) -> Control {
        Control {
            shared,
            limits,
            all_solutions,
            deadline: limits.time.and_then(|time| begun.checked_add(time)),
            nodes_left: AtomicU64::new(limits.nodes.unwrap_or(u64::MAX)),
            stopped: AtomicU8::new(0),
            checkpointer: OnceLock::new(),
        }
    }

    /// Sets whether every optimal solution is listed.
    #[must_use]
    pub fn with_all_solutions(mut self, all_solutions: bool) -> Control {
        self.all_solutions = all_solutions;
        self
    }

    /// Sets the checkpointer. It saves the state of iterative deepening, a
    /// [`ProofState`](crate::checkpoint::ProofState).
    #[must_use]
    pub fn with_checkpointer(self, checkpointer: Arc<Checkpointer>) -> Control {
        self.set_checkpointer(checkpointer);
        self
    }

    /// Sets the checkpointer; only the first call has an effect.
    pub fn set_checkpointer(&self, checkpointer: Arc<Checkpointer>) {
        let _ = self.checkpointer.set(checkpointer);
    }

    /// The checkpointer, which saves the state of iterative deepening, a
    /// [`ProofState`](crate::checkpoint::ProofState); `None` if no state is saved.
    pub fn checkpointer(&self) -> Option<&Checkpointer> {
        self.checkpointer.get().map(|checkpointer| &**checkpointer)
    }

    /// A phase of the same search under additional `limits`. The stricter limit applies, except that a given
    /// `max_length` replaces that of the search. It shares the incumbent, the lower bound, the
    /// memory account, the clock and the observer. It has no checkpointer. The caller charges its nodes with
    /// [`Control::charge`].
    ///
    /// ```
    /// use untumble_search::control::{Control, Limits};
    /// use untumble_search::moves::Move;
    ///
    /// let control = Control::default();
    /// let phase = control.phase(Limits { nodes: Some(100), ..Limits::default() });
    /// phase.offer(&[Move(0)], 1);
    /// assert_eq!(control.best(), Some(vec![Move(0)]), "phases share the incumbent");
    /// ```
    #[must_use]
    pub fn phase(&self, limits: Limits) -> Control {
        let begun = self.clock().now();
        let stricter = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).min();
        let own_deadline = limits.time.and_then(|time| begun.checked_add(time));
        let limits = Limits {
            time: limits.time,
            nodes: self.nodes_within(limits.nodes),
            memory: stricter(limits.memory, self.limits.memory),
            threads: limits.threads.min(self.limits.threads),
            max_length: limits.max_length.or(self.limits.max_length),
        };
        let mut phase = Control::from_shared(Arc::clone(&self.shared), limits, self.all_solutions, begun);
        phase.deadline = own_deadline.into_iter().chain(self.deadline).min();
        phase
    }

    /// The stricter of a node limit and the nodes that this search has left.
    fn nodes_within(&self, limit: Option<u64>) -> Option<u64> {
        let left = self.limits.nodes.map(|_| self.nodes_left.load(Relaxed));
        limit.into_iter().chain(left).min()
    }

    /// Another search with the same deadline, clock, observer and memory account but with its own incumbent
    /// and lower bound. It generates at most the nodes that this search has left; the caller charges them
    /// with [`Control::charge`].
    #[must_use]
    pub fn sibling(&self, limits: Limits) -> Control {
        self.sibling_with_observer(limits, Arc::clone(&self.shared.observer))
    }

    /// As [`Control::sibling`], but the observer receives no events. It can still stop the search.
    #[must_use]
    pub fn silent_sibling(&self, limits: Limits) -> Control {
        self.sibling_with_observer(limits, Arc::new(WithoutEvents(Arc::clone(&self.shared.observer))))
    }

    fn sibling_with_observer(&self, limits: Limits, observer: Arc<dyn Observer>) -> Control {
        let clock = Arc::clone(&self.shared.clock);
        let limits = Limits { nodes: self.nodes_within(limits.nodes), ..limits };
        let mut other = Control::with_clock(clock, &self.shared.account, limits, observer);
        other.deadline = other.deadline.into_iter().chain(self.deadline).min();
        other
    }

    /// Charges the nodes of a phase or a sibling to the node limit; requests a stop if none are left.
    pub fn charge(&self, nodes: u64) {
        if self.limits.nodes.is_some() {
            let deduct = |left: u64| Some(left.saturating_sub(nodes));
            if self.nodes_left.fetch_update(Relaxed, Relaxed, deduct).is_ok_and(|left| left <= nodes) {
                self.request_stop(Stop::Nodes);
            }
        }
    }

    /// Whether every optimal solution is listed.
    pub fn all_solutions(&self) -> bool {
        self.all_solutions
    }

    /// The limits of this search or phase.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The number of threads that a parallel algorithm uses, from 1 to 128.
    pub fn threads(&self) -> usize {
        self.limits.threads.clamp(1, MAX_THREADS)
    }

    /// The time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.clock().now().saturating_sub(self.shared.begun)
    }

    /// The time until the deadline; `None` without one.
    pub fn remaining_time(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_sub(self.clock().now()))
    }

    /// The clock that times the search.
    pub fn clock(&self) -> &dyn Clock {
        &*self.shared.clock
    }

    /// The cost of the incumbent, an upper bound of the optimum; `Cost::MAX` before the first solution.
    pub fn upper_bound(&self) -> Cost {
        self.shared.upper_bound.load(Relaxed)
    }

    /// Whether the incumbent is short enough to end the search: it costs at most [`Limits::max_length`].
    pub fn max_length_reached(&self) -> bool {
        self.limits.max_length.is_some_and(|max_length| self.upper_bound() <= max_length)
    }

    /// The proven lower bound.
    pub fn lower_bound(&self) -> Cost {
        self.shared.lower_bound.load(Relaxed)
    }

    fn lock_best(&self) -> MutexGuard<'_, Option<Vec<Move>>> {
        lock(&self.shared.best)
    }

    /// The incumbent: the best solution so far.
    pub fn best(&self) -> Option<Vec<Move>> {
        self.lock_best().clone()
    }

    /// Offers a solution; true if it becomes the incumbent, which emits [`Event::Better`].
    pub fn offer(&self, path: &[Move], cost: Cost) -> bool {
        let mut best = self.lock_best();
        if best.is_some() && cost >= self.upper_bound() {
            return false;
        }
        *best = Some(path.to_vec());
        self.shared.upper_bound.store(cost, Relaxed);
        drop(best);
        self.emit(&Event::Better(cost));
        true
    }

    /// Whether the lower bound proves that no solution costs at most [`Limits::max_length`].
    pub fn max_length_impossible(&self) -> bool {
        self.limits.max_length.is_some_and(|max_length| max_length < self.lower_bound())
    }

    /// Records the proof that no solution costs less than `bound`; emits [`Event::Bound`] if this raises the
    /// lower bound. Requests a stop once the bound exceeds [`Limits::max_length`].
    pub fn raise_lower_bound(&self, bound: Cost) {
        if self.shared.lower_bound.fetch_max(bound, Relaxed) < bound {
            self.emit(&Event::Bound(bound));
        }
        if self.max_length_impossible() {
            self.request_stop(Stop::MaxLength);
        }
    }

    /// Sends an event to the observer.
    pub fn emit(&self, event: &Event) {
        self.shared.observer.on_event(event);
    }

    /// The reason to stop, if there is one. Workers return soon after it is set.
    pub fn stop_reason(&self) -> Option<Stop> {
        match self.stopped.load(Relaxed) {
            0 => None,
            n => Some(Stop::ALL[usize::from(n) - 1]),
        }
    }

    /// Requests a stop. Returns the reason in effect: the first one requested.
    pub fn request_stop(&self, reason: Stop) -> Stop {
        let _ = self.stopped.compare_exchange(0, reason as u8 + 1, Relaxed, Relaxed);
        self.stop_reason().unwrap_or(reason)
    }

    /// Checks the deadline and the observer, and emits a progress event if one is due. An error is the
    /// reason to stop.
    pub fn poll(&self) -> Result<(), Stop> {
        self.poll_at(self.clock().now())
    }

    /// As [`Control::poll`] with a clock reading that the caller just took.
    fn poll_at(&self, now: Duration) -> Result<(), Stop> {
        if let Some(stop) = self.stop_reason() {
            return Err(stop);
        }
        let release = Duration::from_nanos(self.shared.release_nanos.load(Relaxed));
        let release = release.saturating_sub(RELEASE_ALLOWANCE);
        if self.deadline.is_some_and(|deadline| now + release >= deadline) {
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
            let table = lock(&self.shared.tables).last().cloned();
            self.emit(&match table {
                Some(table) => table.event(now),
                None => Event::Progress(self.progress()),
            });
        }
        Ok(())
    }

    /// Records the level of a beam search for progress events.
    pub fn note_level(&self, level: Level) {
        self.shared.level.store(u64::from(level.number) << 32 | u64::from(level.score), Relaxed);
    }

    /// The current counters of the search.
    pub fn progress(&self) -> Progress {
        let best = self.upper_bound();
        let level = self.shared.level.load(Relaxed);
        Progress {
            nodes: self.shared.nodes.load(Relaxed),
            seconds: self.elapsed().as_secs_f64(),
            bound: self.lower_bound(),
            best: (best != Cost::MAX).then_some(best),
            bytes: self.shared.account.used(),
            level: (level != 0).then_some(Level { number: (level >> 32) as u32, score: level as u32 }),
        }
    }

    /// Reserves `bytes` of the memory account until the reservation is dropped. Beyond the memory limit this
    /// fails and requests a stop.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use untumble_search::control::{Control, Limits, Silent, Stop};
    ///
    /// let limits = Limits { memory: Some(1000), ..Limits::default() };
    /// let control = Control::new(limits, Arc::new(Silent));
    /// let table = control.reserve(600).unwrap();
    /// assert_eq!(control.available_bytes(), 400);
    /// drop(table);
    /// assert_eq!(control.available_bytes(), 1000);
    /// assert_eq!(control.reserve(1001).err(), Some(Stop::Memory));
    /// ```
    pub fn reserve(&self, bytes: u64) -> Result<Reservation, Stop> {
        let limit = self.limits.memory.unwrap_or(u64::MAX);
        let mut reserved = Reservation::empty(&self.shared.account, &self.shared.peak, limit);
        reserved.grow(bytes).inspect_err(|&stop| {
            self.request_stop(stop);
        })?;
        Ok(reserved)
    }

    /// Registers memory that takes long to free. The caller adds the expected time for freeing to the
    /// returned [`ReleaseTime`], which starts at zero. The search stops early enough that freeing all such
    /// memory ends at most 20 ms after the deadline.
    pub fn track_release_time(&self) -> ReleaseTime {
        ReleaseTime::none(&self.shared.release_nanos)
    }

    /// The number of bytes that can still be reserved.
    pub fn available_bytes(&self) -> u64 {
        self.shared.account.available(self.limits.memory.unwrap_or(u64::MAX))
    }

    /// The memory account of the search.
    pub fn account(&self) -> &MemoryAccount {
        &self.shared.account
    }

    /// The largest number of bytes in the account while this search ran, tables of earlier searches
    /// included.
    pub fn peak_bytes(&self) -> u64 {
        self.shared.peak.load(Relaxed)
    }

    /// A node counter for one worker.
    pub fn meter(&self) -> Meter<'_> {
        Meter::new(self)
    }
}

#[cfg(test)]
mod tests;
