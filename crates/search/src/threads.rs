//! Threads, in the one place that knows whether there are any.

use std::sync::{Barrier, OnceLock};

/// One of those who work side by side.
pub struct Worker<'a> {
    /// From 0.
    pub index: usize,
    /// How many there are: what was asked for, or as many as the system gave.
    pub count: usize,
    barrier: &'a Barrier,
}

impl Worker<'_> {
    /// Waits until every worker has come here; true for exactly one of them.
    pub fn meet(&self) -> bool {
        self.count == 1 || self.barrier.wait().is_leader()
    }
}

/// Does `work` on `threads` threads, the calling one among them, and collects
/// what each returns. A panic in one is passed on.
pub fn side_by_side<R: Send>(threads: usize, work: impl Fn(Worker<'_>) -> R + Sync) -> Vec<R> {
    let threads = if cfg!(target_arch = "wasm32") { 1 } else { threads.max(1) };
    if threads == 1 {
        return vec![work(Worker { index: 0, count: 1, barrier: &Barrier::new(1) })];
    }
    // The others wait until it is known how many there really are.
    let gate: OnceLock<Barrier> = OnceLock::new();
    let count: OnceLock<usize> = OnceLock::new();
    std::thread::scope(|scope| {
        let mut others = Vec::with_capacity(threads - 1);
        for index in 1..threads {
            let (gate, count, work) = (&gate, &count, &work);
            let spawned = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let barrier = gate.wait();
                work(Worker { index, count: *count.wait(), barrier })
            });
            match spawned {
                Ok(handle) => others.push(handle),
                Err(_) => break,
            }
        }
        let actual = others.len() + 1;
        let _ = count.set(actual);
        let barrier = gate.get_or_init(|| Barrier::new(actual));
        let mut results = vec![work(Worker { index: 0, count: actual, barrier })];
        for handle in others {
            match handle.join() {
                Ok(result) => results.push(result),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    })
}

/// Deep recursions on boxed states must fit.
const STACK: usize = 16 << 20;

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    #[test]
    fn everyone_works_and_meets() {
        let arrived = AtomicUsize::new(0);
        let seen = side_by_side(8, |worker| {
            arrived.fetch_add(1, SeqCst);
            worker.meet();
            (worker.index, arrived.load(SeqCst) == worker.count)
        });
        assert_eq!(seen, (0..seen.len()).map(|index| (index, true)).collect::<Vec<_>>());
    }
}
