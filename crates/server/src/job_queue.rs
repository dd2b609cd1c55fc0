//! The job queue: waiting jobs, running jobs, and finished jobs that are retained for a while.
//!
//! Worker threads take jobs from one queue. The events of a job go into its [`JobLog`]; a watch channel
//! with the id of the last event wakes the event streams of the job.

use std::collections::{HashMap, VecDeque};
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::watch;

use untumble_search::control::MemoryAccount;
use untumble_search::frontend::PreparedPortfolio;
use untumble_search::runtime::Runtime;
use untumble_search::spec::Spec;
use untumble_session::{DoneEvent, Job, JobEvent, JobObserver, JobState, StateEvent, ValidatedJob};

use super::error_response::INTERNAL_ERROR;
use super::events::{JobLog, LoggedEvent};

/// Limits of retained jobs; the oldest are removed first.
const MAX_RETAINED: usize = 1000;
const MAX_RETAINED_BYTES: usize = 64 << 20;

/// A job from its submission until it is removed.
pub(super) struct JobEntry {
    pub(super) id: String,
    task: ValidatedJob,
    cancelled: AtomicBool,
    log: Mutex<JobLog>,
    /// The id of the last event.
    last_event: watch::Sender<u64>,
}

impl JobEntry {
    fn new(id: String, task: ValidatedJob) -> JobEntry {
        let log = JobLog::new(task.positions.len());
        let (last_event, _) = watch::channel(log.last_id());
        JobEntry { id, task, cancelled: AtomicBool::new(false), log: Mutex::new(log), last_event }
    }

    pub(super) fn log(&self) -> MutexGuard<'_, JobLog> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A receiver that is notified of every new event.
    pub(super) fn subscribe(&self) -> watch::Receiver<u64> {
        self.last_event.subscribe()
    }

    /// Changes the log and notifies the subscribers.
    fn update(&self, change: impl FnOnce(&mut JobLog)) {
        let mut log = self.log();
        change(&mut log);
        let last = log.last_id();
        drop(log);
        self.last_event.send_replace(last);
    }

    fn set_running(&self) {
        self.update(|log| {
            log.state = JobState::Running;
            let positions = self.task.positions.len();
            log.add(LoggedEvent::State(StateEvent { state: JobState::Running, positions, error: None }));
        });
    }

    fn finish(&self, state: JobState, error: Option<String>) {
        self.update(|log| {
            log.state = state;
            log.error.clone_from(&error);
            let positions = self.task.positions.len();
            log.add(LoggedEvent::State(StateEvent { state, positions, error: error.clone() }));
            let answers = log.answers.len();
            log.add(LoggedEvent::Done(DoneEvent { state, answers, error }));
        });
    }

    /// The current state; `ahead` is the number of jobs before this one in the queue.
    pub(super) fn snapshot(&self, ahead: usize) -> Job {
        let log = self.log();
        Job {
            id: self.id.clone(),
            state: log.state,
            puzzle: self.task.session.puzzle().title(),
            run: self.task.run_id().to_string(),
            solver: self.task.solver.as_ref().map_or_else(|| "auto".into(), Spec::to_string),
            positions: self.task.positions.len(),
            ahead,
            error: log.error.clone(),
            answers: log.answers.clone(),
        }
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

/// Why a job is not accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SubmitError {
    /// The queue has reached its capacity.
    QueueFull,
    /// The service is shutting down.
    Closing,
}

/// The resources that all searches share.
pub(super) struct WorkerContext {
    pub(super) runtime: Runtime,
    /// The bytes of all searches and tables of the service.
    pub(super) account: MemoryAccount,
    /// The limit of `account`.
    pub(super) memory_limit: u64,
}

/// All jobs of the service.
pub(super) struct JobQueue {
    state: Mutex<QueueState>,
    /// Signalled when a job is queued or the queue closes.
    available: Condvar,
    /// Signalled when a job has ended.
    ended: Condvar,
    /// The largest number of queued jobs.
    capacity: usize,
    /// How long finished jobs are retained.
    retention: Duration,
    /// Nodes generated by all finished searches.
    nodes: AtomicU64,
    /// The numbers of ended jobs, indexed by their final state.
    ended_by_state: [AtomicU64; JobState::ALL.len()],
    /// The number of jobs that were not accepted.
    refused: AtomicU64,
}

#[derive(Default)]
struct QueueState {
    by_id: HashMap<String, Arc<JobEntry>>,
    queue: VecDeque<Arc<JobEntry>>,
    running: Vec<Arc<JobEntry>>,
    /// Finished jobs, the oldest first.
    retained: VecDeque<RetainedJob>,
    retained_bytes: usize,
    closing: bool,
}

/// A finished job.
struct RetainedJob {
    id: String,
    /// When the job ended.
    since: Instant,
    /// The approximate size of its log.
    bytes: usize,
}

/// Numbers of jobs and nodes for the metrics.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct JobStatistics {
    pub(super) queued: usize,
    pub(super) running: usize,
    pub(super) retained: usize,
    pub(super) retained_bytes: usize,
    pub(super) done: u64,
    pub(super) cancelled: u64,
    pub(super) failed: u64,
    pub(super) refused: u64,
    pub(super) nodes: u64,
}

impl JobQueue {
    /// An empty queue of this capacity; finished jobs are retained for `retention`.
    pub(super) fn new(capacity: usize, retention: Duration) -> JobQueue {
        JobQueue {
            state: Mutex::default(),
            available: Condvar::new(),
            ended: Condvar::new(),
            capacity,
            retention,
            nodes: AtomicU64::new(0),
            ended_by_state: Default::default(),
            refused: AtomicU64::new(0),
        }
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a job.
    pub(super) fn submit(&self, task: ValidatedJob) -> Result<Arc<JobEntry>, SubmitError> {
        let mut state = self.state();
        state.remove_expired(self.retention);
        let closing = if state.closing { Some(SubmitError::Closing) } else { None };
        let full = (state.queue.len() >= self.capacity).then_some(SubmitError::QueueFull);
        if let Some(error) = closing.or(full) {
            self.refused.fetch_add(1, Relaxed);
            return Err(error);
        }
        let entry = Arc::new(JobEntry::new(new_job_id(&state.by_id), task));
        state.by_id.insert(entry.id.clone(), Arc::clone(&entry));
        state.queue.push_back(Arc::clone(&entry));
        self.available.notify_one();
        Ok(entry)
    }

    /// The job with this id and the number of queued jobs before it; `None` if the id is unknown or the job
    /// is no longer retained.
    pub(super) fn find(&self, id: &str) -> Option<(Arc<JobEntry>, usize)> {
        let mut state = self.state();
        state.remove_expired(self.retention);
        let entry = Arc::clone(state.by_id.get(id)?);
        let ahead = state.queue.iter().position(|waiting| waiting.id == id).unwrap_or(0);
        Some((entry, ahead))
    }

    /// Cancels a job unless it has ended. Returns false if the id is unknown.
    pub(super) fn cancel(&self, id: &str) -> bool {
        let mut state = self.state();
        let Some(entry) = state.by_id.get(id).cloned() else { return false };
        entry.cancelled.store(true, Relaxed);
        if let Some(index) = state.queue.iter().position(|waiting| waiting.id == id) {
            state.queue.remove(index);
            entry.finish(JobState::Cancelled, None);
            self.add_to_retained(&mut state, &entry);
        }
        true
    }

    /// Shuts the queue down: cancels waiting jobs at once and running jobs after `grace`. Returns when all
    /// jobs have ended. After the cancellation it waits at most 2 s for each further job to end.
    pub(super) fn close(&self, grace: Duration) {
        let mut state = self.state();
        state.closing = true;
        while let Some(entry) = state.queue.pop_front() {
            entry.finish(JobState::Cancelled, Some("the service ended before the job started".into()));
            self.add_to_retained(&mut state, &entry);
        }
        self.available.notify_all();
        let (deadline, mut cancelled) = (Instant::now() + grace, false);
        while !state.running.is_empty() {
            let remaining = deadline.saturating_duration_since(Instant::now());
            if remaining.is_zero() && !cancelled {
                state.running.iter().for_each(|entry| entry.cancelled.store(true, Relaxed));
                cancelled = true;
            }
            let wait = if cancelled { Duration::from_secs(2) } else { remaining };
            let timeout;
            (state, timeout) = self.ended.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner);
            if cancelled && timeout.timed_out() {
                return;
            }
        }
    }

    /// Current numbers of jobs and nodes.
    pub(super) fn statistics(&self) -> JobStatistics {
        let mut state = self.state();
        state.remove_expired(self.retention);
        let ended = |state: JobState| self.ended_by_state[state as usize].load(Relaxed);
        JobStatistics {
            queued: state.queue.len(),
            running: state.running.len(),
            retained: state.retained.len(),
            retained_bytes: state.retained_bytes,
            done: ended(JobState::Done),
            cancelled: ended(JobState::Cancelled),
            failed: ended(JobState::Failed),
            refused: self.refused.load(Relaxed),
            nodes: self.nodes.load(Relaxed),
        }
    }

    /// Adds nodes generated by a search to the metrics.
    pub(super) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }

    /// Starts the worker threads; they run until the queue closes.
    pub(super) fn start(
        self: &Arc<JobQueue>,
        threads: usize,
        context: &Arc<WorkerContext>,
    ) -> std::io::Result<()> {
        for number in 0..threads {
            let (jobs, context) = (Arc::clone(self), Arc::clone(context));
            thread::Builder::new().name(format!("job-{number}")).spawn(move || jobs.work(&context))?;
        }
        Ok(())
    }

    /// The loop of a worker thread.
    fn work(&self, context: &WorkerContext) {
        while let Some(entry) = self.next() {
            entry.set_running();
            let result = panic::catch_unwind(AssertUnwindSafe(|| self.solve(&entry, context)));
            let (state, error) = match result {
                Ok(Ok(())) if entry.cancelled() => (JobState::Cancelled, None),
                Ok(Ok(())) => (JobState::Done, None),
                Ok(Err(error)) => (JobState::Failed, Some(error)),
                Err(_) => (JobState::Failed, Some(INTERNAL_ERROR.into())),
            };
            entry.finish(state, error);
            let mut state = self.state();
            state.running.retain(|running| running.id != entry.id);
            self.add_to_retained(&mut state, &entry);
            self.ended.notify_all();
        }
    }

    /// Waits for the next job; `None` when the queue is closed and empty.
    fn next(&self) -> Option<Arc<JobEntry>> {
        let mut state = self.state();
        loop {
            if let Some(entry) = state.queue.pop_front() {
                state.running.push(Arc::clone(&entry));
                return Some(entry);
            }
            if state.closing {
                return None;
            }
            state = self.available.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Solves the positions of a job one after the other.
    fn solve(&self, entry: &Arc<JobEntry>, context: &WorkerContext) -> Result<(), String> {
        let observer: Arc<dyn JobObserver> = entry.clone();
        // The memory of the job counts against its own limit and against the limit of the service.
        let account = MemoryAccount::within(&context.account, context.memory_limit);
        // Built for the first position and reused for the others.
        let mut prepared: Option<Box<dyn PreparedPortfolio>> = None;
        for position in 0..entry.task.positions.len() {
            if entry.cancelled() {
                break;
            }
            let plan = entry.task.plan(position);
            let event = entry.task.solve_position(position, &plan, &mut prepared, &account, &observer);
            let event = event.map_err(|error| error.to_string())?;
            self.add_nodes(event.answer.generated);
            entry.update(|log| {
                log.answers.push(event);
                let last = log.answers.len() - 1;
                log.add(LoggedEvent::Answer(last));
            });
        }
        Ok(())
    }

    /// Adds an ended job to the retained jobs.
    fn add_to_retained(&self, state: &mut QueueState, entry: &JobEntry) {
        let (job_state, bytes) = {
            let log = entry.log();
            (log.state, log.bytes())
        };
        self.ended_by_state[job_state as usize].fetch_add(1, Relaxed);
        state.retained.push_back(RetainedJob { id: entry.id.clone(), since: Instant::now(), bytes });
        state.retained_bytes += bytes;
        state.remove_expired(self.retention);
    }
}

impl QueueState {
    /// Removes jobs whose retention has passed, and the oldest ones beyond the limits.
    fn remove_expired(&mut self, retention: Duration) {
        while let Some(oldest) = self.retained.front() {
            let over_limit = self.retained.len() > MAX_RETAINED || self.retained_bytes > MAX_RETAINED_BYTES;
            if !over_limit && oldest.since.elapsed() < retention {
                return;
            }
            self.by_id.remove(&oldest.id);
            self.retained_bytes -= oldest.bytes;
            self.retained.pop_front();
        }
    }
}

/// An unused job id of 128 random bits, which cannot be guessed.
fn new_job_id<T>(used: &HashMap<String, T>) -> String {
    loop {
        let half = || getrandom::u64().expect("the system has a source of random numbers");
        let id = format!("{:016x}{:016x}", half(), half());
        if !used.contains_key(&id) {
            return id;
        }
    }
}
