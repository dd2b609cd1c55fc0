//! Worker threads with a [`FairQueue`] of tasks.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::client_limits::Client;
use super::fair_queue::{FairQueue, reserve_slots};

type Task = Box<dyn FnOnce() + Send>;

/// A thread pool with a bounded queue that clients share.
pub(super) struct WorkerPool {
    queue: Mutex<FairQueue<Task>>,
    /// Signalled when a task is queued. A worker that finishes a task takes the next one itself.
    available: Condvar,
}

impl WorkerPool {
    /// Starts threads for `slots` tasks and for the reserve; `capacity` tasks may wait for them.
    pub(super) fn start(name: &str, slots: usize, capacity: usize) -> std::io::Result<Arc<WorkerPool>> {
        let queue = Mutex::new(FairQueue::new(capacity, slots));
        let pool = Arc::new(WorkerPool { queue, available: Condvar::new() });
        for number in 0..slots + reserve_slots(slots) {
            let pool = Arc::clone(&pool);
            thread::Builder::new().name(format!("{name}-{number}")).spawn(move || pool.work())?;
        }
        Ok(pool)
    }

    fn queue(&self) -> MutexGuard<'_, FairQueue<Task>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of waiting tasks.
    pub(super) fn waiting(&self) -> usize {
        self.queue().waiting()
    }

    /// Whether no task runs or waits.
    pub(super) fn is_idle(&self) -> bool {
        let queue = self.queue();
        queue.running() == 0 && queue.waiting() == 0
    }

    /// Queues a task. Returns false if the client has no place in the queue.
    pub(super) fn submit(&self, client: Client, task: impl FnOnce() + Send + 'static) -> bool {
        let queued = self.queue().push(client.network(), Box::new(task)).is_ok();
        self.available.notify_one();
        queued
    }

    /// The loop of a worker thread.
    fn work(&self) {
        loop {
            let mut queue = self.queue();
            let (client, task) = loop {
                match queue.pop() {
                    Some(next) => break next,
                    None => queue = self.available.wait(queue).unwrap_or_else(PoisonError::into_inner),
                }
            };
            drop(queue);
            // The panic hook has logged a panic; the waiting request receives the dropped channel.
            let _ = panic::catch_unwind(AssertUnwindSafe(task));
            self.queue().finish(client);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    fn client(last: u8) -> Client {
        Client(std::net::Ipv4Addr::new(127, 0, 0, last).into())
    }

    #[test]
    fn blocked_tasks_of_one_client_do_not_delay_another() {
        let pool = WorkerPool::start("test", 1, 100).expect("threads");
        let (release, blocked) = mpsc::channel::<()>();
        let blocked = Arc::new(Mutex::new(blocked));
        let mut accepted = 0;
        while accepted < 40 {
            let blocked = Arc::clone(&blocked);
            assert!(pool.submit(client(1), move || {
                let _ = blocked.lock().unwrap_or_else(PoisonError::into_inner).recv();
            }));
            accepted += 1;
        }
        let (sender, answers) = mpsc::channel();
        for number in 0..3 {
            let sender = sender.clone();
            assert!(pool.submit(client(2), move || sender.send(number).expect("a receiver")));
        }
        let received: Vec<i32> = answers.iter().take(3).collect();
        assert_eq!(received, [0, 1, 2], "another client is served while 40 tasks wait");
        drop(release);
    }

    #[test]
    fn a_panic_ends_only_its_task() {
        let pool = WorkerPool::start("test", 1, 10).expect("threads");
        let (sender, answers) = mpsc::channel();
        for number in 0..8 {
            let sender = sender.clone();
            let task = move || {
                assert!(number % 2 == 0, "a panic of the test");
                sender.send(number).expect("a receiver");
            };
            while !pool.submit(client(1), task.clone()) {
                thread::yield_now();
            }
        }
        assert_eq!(answers.iter().take(4).collect::<Vec<_>>(), [0, 2, 4, 6]);
    }
}
