//! One job: its description, its log and its listeners.
//!
//! Events go into the [`JobLog`]; a watch channel with the id of the last event wakes the event streams. A
//! job whose last event stream was closed is cancelled after a grace period; a job that never had a stream
//! is not, because its client polls.

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::watch;

use untumble_search::spec::Spec;
use untumble_session::{DoneEvent, Job, JobError, JobEvent, JobObserver, JobState, StateEvent, ValidatedJob};

use super::events::{JobLog, LoggedEvent};
use super::job_queue::JobQueue;

/// A job from its submission until it is removed.
pub(super) struct JobEntry {
    pub(super) id: String,
    /// The client that submitted the job: its IPv4 address, or the /64 network of its IPv6 address.
    pub(super) client: IpAddr,
    /// The puzzle's full name.
    puzzle: String,
    /// The puzzle, its settings and the solver as text, such as `tiles-3x3 ida+manhattan`.
    run: String,
    /// The requested solver.
    solver: String,
    /// The number of positions.
    positions: usize,
    /// The work, which the worker takes; an ended job keeps only its log.
    task: Mutex<Option<ValidatedJob>>,
    cancelled: AtomicBool,
    log: Mutex<JobLog>,
    /// The id of the last event.
    last_event: watch::Sender<u64>,
    listeners: Mutex<Listeners>,
}

/// The event streams of a job.
#[derive(Clone, Copy, Default)]
struct Listeners {
    open: usize,
    /// The number of streams opened so far.
    opened: u64,
}

impl JobEntry {
    pub(super) fn new(id: String, client: IpAddr, task: ValidatedJob) -> JobEntry {
        let positions = task.positions.len();
        let log = JobLog::new(positions);
        let (last_event, _) = watch::channel(log.last_id());
        JobEntry {
            id,
            client,
            puzzle: task.session.puzzle().title(),
            run: task.run_id().to_string(),
            solver: task.solver.as_ref().map_or_else(|| "auto".into(), Spec::to_string),
            positions,
            task: Mutex::new(Some(task)),
            cancelled: AtomicBool::new(false),
            log: Mutex::new(log),
            last_event,
            listeners: Mutex::default(),
        }
    }

    pub(super) fn log(&self) -> MutexGuard<'_, JobLog> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The work of the job; `None` once it was taken or the job has ended.
    pub(super) fn take_task(&self) -> Option<ValidatedJob> {
        self.task.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Asks the search to stop.
    pub(super) fn cancel(&self) {
        self.cancelled.store(true, Relaxed);
    }

    /// A receiver that is notified of every new event.
    pub(super) fn subscribe(&self) -> watch::Receiver<u64> {
        self.last_event.subscribe()
    }

    /// Changes the log and notifies the subscribers.
    pub(super) fn update(&self, change: impl FnOnce(&mut JobLog)) {
        let mut log = self.log();
        change(&mut log);
        let last = log.last_id();
        drop(log);
        self.last_event.send_replace(last);
    }

    pub(super) fn set_running(&self) {
        self.update(|log| {
            log.state = JobState::Running;
            log.add(LoggedEvent::State(StateEvent::new(JobState::Running, self.positions, None)));
        });
    }

    /// Ends the job and drops its work.
    pub(super) fn finish(&self, state: JobState, error: Option<JobError>) {
        drop(self.take_task());
        self.update(|log| {
            log.state = state;
            log.add(LoggedEvent::State(StateEvent::new(state, self.positions, error.as_ref())));
            let answers = log.answers.len();
            log.add(LoggedEvent::Done(DoneEvent::new(state, answers, error.as_ref())));
            log.error = error;
        });
    }

    /// The current state; `ahead` is the number of jobs before this one in the queue.
    pub(super) fn snapshot(&self, ahead: usize) -> Job {
        let log = self.log();
        Job {
            id: self.id.clone(),
            state: log.state,
            puzzle: self.puzzle.clone(),
            run: self.run.clone(),
            solver: self.solver.clone(),
            positions: self.positions,
            ahead,
            error: JobError::message_of(log.error.as_ref()),
            details: JobError::details_of(log.error.as_ref()),
            answers: log.answers.clone(),
        }
    }

    fn listeners(&self) -> MutexGuard<'_, Listeners> {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl JobObserver for JobEntry {
    fn on_event(&self, event: JobEvent) {
        match event {
            JobEvent::Progress(progress) => self.update(|log| log.add(LoggedEvent::Progress(progress))),
            JobEvent::Best(best) => self.update(|log| log.add(LoggedEvent::Best(best))),
            JobEvent::Warning(warning) => tracing::warn!(job = self.id, "{warning}"),
            // A search does not send these events; the queue logs them itself.
            JobEvent::State(_) | JobEvent::Answer(_) | JobEvent::Done(_) => {}
        }
    }

    fn cancelled(&self) -> bool {
        self.cancelled.load(Relaxed)
    }
}

/// An open event stream of a job. When the last one is dropped and none is opened for the grace period, the
/// job is cancelled.
pub(super) struct Listener {
    jobs: Arc<JobQueue>,
    entry: Arc<JobEntry>,
    grace: Duration,
    runtime: Handle,
}

impl Listener {
    /// Opens a stream; to be called within the asynchronous runtime.
    pub(super) fn new(jobs: &Arc<JobQueue>, entry: &Arc<JobEntry>, grace: Duration) -> Listener {
        let mut listeners = entry.listeners();
        listeners.open += 1;
        listeners.opened += 1;
        drop(listeners);
        Listener { jobs: Arc::clone(jobs), entry: Arc::clone(entry), grace, runtime: Handle::current() }
    }

    /// The job.
    pub(super) fn entry(&self) -> &JobEntry {
        &self.entry
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let mut listeners = self.entry.listeners();
        listeners.open -= 1;
        let Listeners { open, opened } = *listeners;
        drop(listeners);
        if open > 0 || self.entry.log().state.is_final() {
            return;
        }
        let (jobs, entry, grace) = (Arc::clone(&self.jobs), Arc::clone(&self.entry), self.grace);
        self.runtime.spawn(async move {
            tokio::time::sleep(grace).await;
            let now = *entry.listeners();
            if now.open == 0 && now.opened == opened && !entry.log().state.is_final() {
                tracing::info!(job = entry.id, "cancelled: its event stream was closed");
                jobs.cancel(&entry.id);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use untumble_search::runtime::Runtime;
    use untumble_session::{JobRequest, LimitCap, PuzzleSettings, Session};

    const GRACE: Duration = Duration::from_secs(10);
    const CLIENT: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    /// A queue without workers, and a queued job.
    fn queued() -> (Arc<JobQueue>, Arc<JobEntry>) {
        let request = r#"{"puzzle":"8-puzzle","position":"R D","solver":"IDA*"}"#;
        let request: JobRequest = serde_json::from_str(request).expect("a request");
        let cap = LimitCap { time: None, memory: None, threads: 1 };
        let open = |name: &str, setting: &PuzzleSettings| Session::open(&Runtime::default(), name, setting);
        let task = ValidatedJob::new(&request, 1, cap, open).expect("a valid request");
        let jobs = Arc::new(JobQueue::new(2, 1, Duration::from_secs(600)));
        let entry = jobs.submit(CLIENT, task).expect("a place");
        (jobs, entry)
    }

    /// Runs a test on a clock that jumps to the next timer, so that no test waits.
    fn run(test: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
        runtime.expect("a runtime").block_on(test);
    }

    async fn seconds(count: u64) {
        tokio::time::sleep(Duration::from_secs(count)).await;
    }

    #[test]
    fn a_job_is_cancelled_after_its_last_stream_was_closed() {
        run(async {
            let (jobs, entry) = queued();
            let (first, second) = (Listener::new(&jobs, &entry, GRACE), Listener::new(&jobs, &entry, GRACE));
            drop(first);
            seconds(60).await;
            assert_eq!(entry.snapshot(0).state, JobState::Queued, "another stream is open");
            drop(second);
            seconds(9).await;
            assert_eq!(entry.snapshot(0).state, JobState::Queued, "the client may reconnect");
            let third = Listener::new(&jobs, &entry, GRACE);
            seconds(60).await;
            drop(third);
            seconds(9).await;
            assert_eq!(entry.snapshot(0).state, JobState::Queued, "the grace period starts again");
            seconds(2).await;
            assert_eq!(entry.snapshot(0).state, JobState::Cancelled);
        });
    }

    #[test]
    fn a_job_without_streams_is_not_cancelled() {
        run(async {
            let (_jobs, entry) = queued();
            seconds(3600).await;
            assert_eq!(entry.snapshot(0).state, JobState::Queued);
        });
    }

    #[test]
    fn an_ended_job_keeps_its_description_and_drops_its_work() {
        let (jobs, entry) = queued();
        assert!(jobs.cancel(&entry.id));
        let job = entry.snapshot(0);
        let described = (job.puzzle.as_str(), job.run.as_str(), job.solver.as_str(), job.positions);
        assert_eq!(described, ("tiles-3x3", "tiles-3x3 ida+manhattan", "ida+manhattan", 1));
        assert!(entry.take_task().is_none());
    }
}
