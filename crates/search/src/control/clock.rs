//! Clocks: the time that deadlines, progress events and checkpoint intervals are measured with.
//!
//! All time-dependent code reads an injected [`Clock`], so that tests control the time.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use web_time::Instant;

/// A monotonic clock. Readings of one clock may be compared with each other, never with those of another.
pub trait Clock: Send + Sync {
    /// The time since the clock's own start; never less than an earlier reading.
    fn now(&self) -> Duration;
}

/// The clock of the operating system, or of the browser in WebAssembly. Its readings start at zero.
pub struct SystemClock {
    start: Instant,
}

impl SystemClock {
    /// A clock that starts now.
    pub fn new() -> SystemClock {
        SystemClock { start: Instant::now() }
    }
}

impl Default for SystemClock {
    fn default() -> SystemClock {
        SystemClock::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.start.elapsed()
    }
}

/// A clock for tests: it advances only by [`ManualClock::advance`], or by a fixed step after every reading.
///
/// ```
/// use std::time::Duration;
/// use untumble_search::control::{Clock, ManualClock};
///
/// let clock = ManualClock::new();
/// clock.advance(Duration::from_secs(2));
/// assert_eq!(clock.now(), Duration::from_secs(2));
/// ```
#[derive(Default)]
pub struct ManualClock {
    nanos: AtomicU64,
    step: u64,
}

impl ManualClock {
    /// A clock that stands at zero until [`ManualClock::advance`] is called.
    pub fn new() -> ManualClock {
        ManualClock::default()
    }

    /// A clock that starts at zero and advances by `step` after every reading.
    pub fn stepping(step: Duration) -> ManualClock {
        ManualClock { nanos: AtomicU64::new(0), step: nanos(step) }
    }

    /// Advances the clock.
    pub fn advance(&self, by: Duration) {
        self.nanos.fetch_add(nanos(by), Relaxed);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.nanos.fetch_add(self.step, Relaxed))
    }
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manual_clock_advances_by_hand_or_by_steps() {
        let clock = ManualClock::new();
        assert_eq!((clock.now(), clock.now()), (Duration::ZERO, Duration::ZERO));
        clock.advance(Duration::from_secs(2));
        assert_eq!(clock.now(), Duration::from_secs(2));
        let clock = ManualClock::stepping(Duration::from_millis(5));
        assert_eq!((clock.now(), clock.now()), (Duration::ZERO, Duration::from_millis(5)));
    }

    #[test]
    fn the_system_clock_never_goes_back() {
        let clock = SystemClock::new();
        let readings = [(); 1000].map(|()| clock.now());
        assert!(readings.is_sorted(), "{readings:?}");
    }
}
