//! Scoped worker threads with a barrier; the only module that creates threads. WebAssembly runs on one
//! thread.

use std::sync::{Condvar, Mutex, OnceLock, PoisonError};

use crate::locks::lock;

/// One of the workers of [`run_parallel`].
pub struct Worker<'a> {
    /// The index of the worker, from 0.
    pub index: usize,
    /// The number of workers; fewer than requested if the system refused to create more threads.
    pub count: usize,
    barrier: &'a PanicSafeBarrier,
}

impl Worker<'_> {
    /// Waits until every worker has called this; true for exactly one of them.
    ///
    /// # Panics
    /// If another worker panicked.
    pub fn barrier(&self) -> bool {
        self.count == 1 || self.barrier.wait(self.count)
    }
}

/// A barrier that panics instead of waiting for a worker that panicked.
#[derive(Default)]
struct PanicSafeBarrier {
    state: Mutex<BarrierState>,
    change: Condvar,
}

#[derive(Default)]
struct BarrierState {
    /// The number of workers that wait.
    arrived: usize,
    /// The number of times that all workers have arrived.
    generation: usize,
    /// Whether a worker panicked.
    broken: bool,
}

impl PanicSafeBarrier {
    /// Waits for `count` workers; true for the last one to arrive.
    fn wait(&self, count: usize) -> bool {
        let mut state = lock(&self.state);
        state.arrived += 1;
        let leader = state.arrived == count;
        if leader {
            state.arrived = 0;
            state.generation += 1;
            self.change.notify_all();
        }
        let generation = state.generation;
        while !leader && state.generation == generation && !state.broken {
            state = self.change.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let broken = state.broken;
        drop(state);
        assert!(!broken, "another thread failed");
        leader
    }
}

/// Breaks the barrier when its thread panics.
struct BreakOnPanic<'a>(&'a PanicSafeBarrier);

impl Drop for BreakOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            lock(&self.0.state).broken = true;
            self.0.change.notify_all();
        }
    }
}

/// Runs `work` on `threads` threads, the calling one included, and collects the results in the order of
/// workers. A panic of a worker is propagated.
///
/// ```
/// use untumble_search::threads::run_parallel;
///
/// let results = run_parallel(3, |worker| (worker.index, worker.count));
/// assert_eq!(results.len(), results[0].1);
/// assert!(results.iter().enumerate().all(|(index, result)| result.0 == index));
/// ```
pub fn run_parallel<R: Send>(threads: usize, work: impl Fn(Worker<'_>) -> R + Sync) -> Vec<R> {
    let threads = if cfg!(target_arch = "wasm32") { 1 } else { threads.max(1) };
    let results: Vec<Mutex<Option<R>>> = (0..threads).map(|_| Mutex::new(None)).collect();
    spawn_workers(threads, &|worker| {
        let index = worker.index;
        let result = work(worker);
        *lock(&results[index]) = Some(result);
    });
    results
        .into_iter()
        .filter_map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect()
}

/// The part of [`run_parallel`] that does not depend on the result type.
fn spawn_workers(threads: usize, work: &(dyn Fn(Worker<'_>) + Sync)) {
    let barrier = &PanicSafeBarrier::default();
    let run_worker = |index: usize, count: usize| {
        let _guard = BreakOnPanic(barrier);
        work(Worker { index, count, barrier });
    };
    if threads == 1 {
        return run_worker(0, 1);
    }
    // The workers wait until the actual number of threads is known.
    let count: OnceLock<usize> = OnceLock::new();
    std::thread::scope(|scope| {
        let mut others = Vec::with_capacity(threads - 1);
        for index in 1..threads {
            let (count, run_worker) = (&count, &run_worker);
            let body = move || run_worker(index, *count.wait());
            match std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, body) {
                Ok(handle) => others.push(handle),
                Err(_) => break,
            }
        }
        let actual = others.len() + 1;
        let _ = count.set(actual);
        run_worker(0, actual);
        for handle in others {
            if let Err(panic) = handle.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}

/// The stack size of a worker, large enough for deep recursions.
const STACK_BYTES: usize = 16 << 20;

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    #[test]
    #[should_panic(expected = "failed")]
    fn a_panic_releases_the_workers_at_the_barrier() {
        run_parallel(4, |worker| {
            assert!(worker.index != 2, "one thread failed");
            worker.barrier();
        });
    }

    #[test]
    fn every_worker_runs_and_reaches_the_barrier() {
        let arrived = AtomicUsize::new(0);
        let seen = run_parallel(8, |worker| {
            arrived.fetch_add(1, SeqCst);
            worker.barrier();
            (worker.index, arrived.load(SeqCst) == worker.count)
        });
        assert_eq!(seen, (0..seen.len()).map(|index| (index, true)).collect::<Vec<_>>());
    }
}
