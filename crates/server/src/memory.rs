//! Keeps the resident memory near the memory in use.
//!
//! Two causes made it grow: the allocator keeps freed memory (see `untumble_search::allocator`), and unused
//! tables and solvers stay cached until a search needs their memory. Every second the service drops large
//! caches if it is idle and returns free memory to the system if there is much of it.

use std::sync::{Arc, Weak};
use std::time::Duration;

use untumble_search::allocator::release_free_memory;
use untumble_session::machine::resident_memory;

use super::Service;

const INTERVAL: Duration = Duration::from_secs(1);
/// The bytes of tables and solvers that an idle service keeps.
const MAX_IDLE_CACHE: u64 = 32 << 20;
/// Resident bytes beyond the accounted ones at which free memory is returned.
const MAX_UNACCOUNTED: u64 = 16 << 20;
/// Memory is returned again only after this growth: the unaccounted bytes may all be in use.
const MIN_GROWTH: u64 = 4 << 20;

/// Checks the memory of a service as long as it exists.
pub(super) async fn maintain(service: Weak<Service>) {
    let mut unaccounted = 0;
    let mut ticks = tokio::time::interval(INTERVAL);
    loop {
        ticks.tick().await;
        let Some(service) = service.upgrade() else { return };
        let check = tokio::task::spawn_blocking(move || {
            drop_idle_caches(&service);
            return_free_memory(&service, unaccounted)
        });
        unaccounted = check.await.unwrap_or(unaccounted);
    }
}

/// Drops tables and prepared solvers that no search uses, if they are large and no search runs.
fn drop_idle_caches(service: &Arc<Service>) {
    let statistics = service.jobs.statistics();
    let idle = statistics.running == 0 && service.solve_pool.is_idle();
    if idle && service.context.memory.used() > MAX_IDLE_CACHE {
        service.puzzle_cache.clear_solvers();
        service.context.runtime.tables.release_unused();
    }
}

/// Returns free memory if there may be much of it. `unaccounted` is the resident memory beyond the accounted
/// one after the last time, which is in use; returns its new value.
fn return_free_memory(service: &Service, unaccounted: u64) -> u64 {
    let measure = || Some(resident_memory()?.saturating_sub(service.context.memory.used()));
    let Some(before) = measure() else { return unaccounted };
    if !is_worthwhile(before, unaccounted) {
        // Less than after the last release: later growth is measured from here.
        return unaccounted.min(before);
    }
    release_free_memory();
    let after = measure().unwrap_or(before);
    tracing::debug!("returned free memory: {before} bytes beyond the accounted ones before, {after} after");
    after
}

/// Whether memory should be returned, given the resident bytes beyond the accounted ones now and after the
/// last release.
fn is_worthwhile(now: u64, after_last: u64) -> bool {
    now > MAX_UNACCOUNTED && now > after_last + MIN_GROWTH
}

#[cfg(test)]
mod tests {
    use super::*;

    const MB: u64 = 1 << 20;

    #[test]
    fn memory_is_returned_if_much_is_free_and_more_than_last_time() {
        assert!(is_worthwhile(350 * MB, 0), "a search has ended");
        assert!(is_worthwhile(110 * MB, 10 * MB), "a search has ended since the last release");
        assert!(!is_worthwhile(10 * MB, 0), "a search runs");
        assert!(!is_worthwhile(51 * MB, 48 * MB), "the rest is in use");
    }
}
