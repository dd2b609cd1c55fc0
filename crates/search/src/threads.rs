//! Threads, in the one place that knows whether there are any.

use std::sync::{Condvar, Mutex, OnceLock, PoisonError};

use crate::locks::lock;

/// One of those who work side by side.
pub struct Worker<'a> {
    /// From 0.
    pub index: usize,
    /// How many there are: what was asked for, or as many as the system gave.
    pub count: usize,
    meeting: &'a Meeting,
}

impl Worker<'_> {
    /// Waits until every worker has come here; true for exactly one of them.
    ///
    /// # Panics
    /// If another worker did.
    pub fn barrier(&self) -> bool {
        self.count == 1 || self.meeting.wait(self.count)
    }
}

/// A barrier that does not wait for those who panicked.
#[derive(Default)]
struct Meeting {
    state: Mutex<Gathering>,
    change: Condvar,
}

#[derive(Default)]
struct Gathering {
    here: usize,
    round: usize,
    broken: bool,
}

impl Meeting {
    fn wait(&self, count: usize) -> bool {
        let mut state = lock(&self.state);
        state.here += 1;
        let leader = state.here == count;
        if leader {
            state.here = 0;
            state.round += 1;
            self.change.notify_all();
        }
        let round = state.round;
        while !leader && state.round == round && !state.broken {
            state = self.change.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let broken = state.broken;
        drop(state);
        assert!(!broken, "another thread failed");
        leader
    }
}

/// Breaks the meeting up when its thread panics.
struct Attendance<'a>(&'a Meeting);

impl Drop for Attendance<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            lock(&self.0.state).broken = true;
            self.0.change.notify_all();
        }
    }
}

/// Does `work` on `threads` threads, the calling one among them, and collects
/// what each returns. A panic in one is passed on.
pub fn run_parallel<R: Send>(threads: usize, work: impl Fn(Worker<'_>) -> R + Sync) -> Vec<R> {
    let threads = if cfg!(target_arch = "wasm32") { 1 } else { threads.max(1) };
    let results: Vec<Mutex<Option<R>>> = (0..threads).map(|_| Mutex::new(None)).collect();
    attend(threads, &|worker| {
        let index = worker.index;
        let result = work(worker);
        *lock(&results[index]) = Some(result);
    });
    results
        .into_iter()
        .filter_map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect()
}

/// The part of it that is the same whatever is done: compiled once.
fn attend(threads: usize, work: &(dyn Fn(Worker<'_>) + Sync)) {
    let meeting = &Meeting::default();
    let attend = |index: usize, count: usize| {
        let _attendance = Attendance(meeting);
        work(Worker { index, count, meeting });
    };
    if threads == 1 {
        return attend(0, 1);
    }
    // The others wait until it is known how many there really are.
    let count: OnceLock<usize> = OnceLock::new();
    std::thread::scope(|scope| {
        let mut others = Vec::with_capacity(threads - 1);
        for index in 1..threads {
            let (count, attend) = (&count, &attend);
            let body = move || attend(index, *count.wait());
            match std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, body) {
                Ok(handle) => others.push(handle),
                Err(_) => break,
            }
        }
        let actual = others.len() + 1;
        let _ = count.set(actual);
        attend(0, actual);
        for handle in others {
            if let Err(panic) = handle.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}

/// Deep recursions on boxed states must fit.
const STACK: usize = 16 << 20;

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    #[test]
    #[should_panic(expected = "failed")]
    fn a_panic_does_not_leave_the_others_waiting() {
        run_parallel(4, |worker| {
            assert!(worker.index != 2, "one thread failed");
            worker.barrier();
        });
    }

    #[test]
    fn everyone_works_and_meets() {
        let arrived = AtomicUsize::new(0);
        let seen = run_parallel(8, |worker| {
            arrived.fetch_add(1, SeqCst);
            worker.barrier();
            (worker.index, arrived.load(SeqCst) == worker.count)
        });
        assert_eq!(seen, (0..seen.len()).map(|index| (index, true)).collect::<Vec<_>>());
    }
}
