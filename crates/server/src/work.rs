//! Jobs: who waits, who is being worked on, and what is kept of those that are done.
//!
//! A few threads take jobs from one queue. All that a job tells goes into its [`JobLog`]; whoever listens is woken by the
//! number of the last event.

use std::collections::{HashMap, VecDeque};
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::watch;

use untumble_search::control::MemoryAccount;
use untumble_search::frontend::Prepared;
use untumble_search::runtime::Runtime;
use untumble_search::spec::Spec;
use untumble_session::{DoneEvent, Job, JobEvent, JobObserver, JobState, StateEvent, Task};

use super::events::{JobLog, LoggedEvent};

/// Jobs that are kept when done, in number and bytes; the oldest go first.
const MOST_KEPT: usize = 1000;
const MOST_KEPT_BYTES: usize = 64 << 20;

/// A job from the question to the answers.
pub(super) struct Entry {
    pub(super) id: String,
    task: Task,
    cancelled: AtomicBool,
    course: Mutex<JobLog>,
    /// The number of the last event.
    pulse: watch::Sender<u64>,
}

impl Entry {
    fn new(id: String, task: Task) -> Entry {
        let course = JobLog::new(task.positions.len());
        let (pulse, _) = watch::channel(course.last());
        let (cancelled, course) = (AtomicBool::new(false), Mutex::new(course));
        Entry { id, task, cancelled, course, pulse }
    }

    pub(super) fn course(&self) -> MutexGuard<'_, JobLog> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes when there is something new to hear.
    pub(super) fn listen(&self) -> watch::Receiver<u64> {
        self.pulse.subscribe()
    }

    fn tell(&self, change: impl FnOnce(&mut JobLog)) {
        let mut course = self.course();
        change(&mut course);
        let last = course.last();
        drop(course);
        self.pulse.send_replace(last);
    }

    fn begin(&self) {
        self.tell(|course| {
            course.state = JobState::Running;
            let positions = self.task.positions.len();
            course.add(LoggedEvent::State(StateEvent { state: JobState::Running, positions, error: None }));
        });
    }

    fn end(&self, state: JobState, error: Option<String>) {
        self.tell(|course| {
            course.state = state;
            course.error.clone_from(&error);
            let positions = self.task.positions.len();
            course.add(LoggedEvent::State(StateEvent { state, positions, error: error.clone() }));
            let answers = course.answers.len();
            course.add(LoggedEvent::Done(DoneEvent { state, answers, error }));
        });
    }

    /// As it stands; `ahead` jobs are before it.
    pub(super) fn job(&self, ahead: usize) -> Job {
        let course = self.course();
        Job {
            id: self.id.clone(),
            state: course.state,
            puzzle: self.task.session.puzzle().title(),
            run: self.task.run_id().to_string(),
            solver: self.task.wanted.as_ref().map_or_else(|| "auto".into(), Spec::to_string),
            positions: self.task.positions.len(),
            ahead,
            error: course.error.clone(),
            answers: course.answers.clone(),
        }
    }
}

impl JobObserver for Entry {
    fn event(&self, event: JobEvent) {
        match event {
            JobEvent::Progress(progress) => self.tell(|course| course.add(LoggedEvent::Progress(progress))),
            JobEvent::Best(best) => self.tell(|course| course.add(LoggedEvent::Best(best))),
            JobEvent::Warning(warning) => tracing::warn!(job = self.id, "{warning}"),
            JobEvent::State(_) | JobEvent::Answer(_) | JobEvent::Done(_) => {}
        }
    }

    fn cancelled(&self) -> bool {
        self.cancelled.load(Relaxed)
    }
}

/// Why a job is not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Full {
    /// As many wait as may.
    Queue,
    /// The service is about to end.
    Closing,
}

/// What memory and tables jobs share.
pub(super) struct Means {
    pub(super) runtime: Runtime,
    /// All bytes of the service, and the most there may be.
    pub(super) account: MemoryAccount,
    pub(super) memory: u64,
}

/// All jobs.
pub(super) struct Jobs {
    inner: Mutex<Inner>,
    /// Something waits, or all is to end.
    work: Condvar,
    /// A job has ended.
    ended: Condvar,
    queued: usize,
    keep: Duration,
    nodes: AtomicU64,
    ended_as: [AtomicU64; JobState::ALL.len()],
    refused: AtomicU64,
}

#[derive(Default)]
struct Inner {
    all: HashMap<String, Arc<Entry>>,
    queue: VecDeque<Arc<Entry>>,
    running: Vec<Arc<Entry>>,
    kept: VecDeque<Kept>,
    kept_bytes: usize,
    closing: bool,
}

/// A job that is done.
struct Kept {
    id: String,
    since: Instant,
    bytes: usize,
}

/// What the service says about its jobs.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Census {
    pub(super) queued: usize,
    pub(super) running: usize,
    pub(super) kept: usize,
    pub(super) kept_bytes: usize,
    pub(super) done: u64,
    pub(super) cancelled: u64,
    pub(super) failed: u64,
    pub(super) refused: u64,
    pub(super) nodes: u64,
}

impl Jobs {
    /// No job yet, room for so many that wait; those done are kept for so long.
    pub(super) fn new(queued: usize, keep: Duration) -> Jobs {
        Jobs {
            inner: Mutex::default(),
            work: Condvar::new(),
            ended: Condvar::new(),
            queued,
            keep,
            nodes: AtomicU64::new(0),
            ended_as: Default::default(),
            refused: AtomicU64::new(0),
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a job, if there is room.
    pub(super) fn take(&self, task: Task) -> Result<Arc<Entry>, Full> {
        let mut inner = self.inner();
        inner.forget(self.keep);
        let full = if inner.closing { Some(Full::Closing) } else { None };
        if let Some(full) = full.or((inner.queue.len() >= self.queued).then_some(Full::Queue)) {
            self.refused.fetch_add(1, Relaxed);
            return Err(full);
        }
        let entry = Arc::new(Entry::new(name(&inner.all), task));
        inner.all.insert(entry.id.clone(), Arc::clone(&entry));
        inner.queue.push_back(Arc::clone(&entry));
        self.work.notify_one();
        Ok(entry)
    }

    /// The job of that name and how many are before it, unless it is unknown or forgotten.
    pub(super) fn find(&self, id: &str) -> Option<(Arc<Entry>, usize)> {
        let mut inner = self.inner();
        inner.forget(self.keep);
        let entry = Arc::clone(inner.all.get(id)?);
        let ahead = inner.queue.iter().position(|waiting| waiting.id == id).unwrap_or(0);
        Some((entry, ahead))
    }

    /// Ends a job that has not ended; false where there is none of that name.
    pub(super) fn cancel(&self, id: &str) -> bool {
        let mut inner = self.inner();
        let Some(entry) = inner.all.get(id).cloned() else { return false };
        entry.cancelled.store(true, Relaxed);
        if let Some(place) = inner.queue.iter().position(|waiting| waiting.id == id) {
            inner.queue.remove(place);
            entry.end(JobState::Cancelled, None);
            self.retire(&mut inner, &entry);
        }
        true
    }

    /// Takes no more jobs, gives those that run so much time, then ends them, and those that wait at once.
    pub(super) fn close(&self, grace: Duration) {
        let mut inner = self.inner();
        inner.closing = true;
        while let Some(entry) = inner.queue.pop_front() {
            entry.end(JobState::Cancelled, Some("the service ended before its turn came".into()));
            self.retire(&mut inner, &entry);
        }
        self.work.notify_all();
        let (until, mut told) = (Instant::now() + grace, false);
        while !inner.running.is_empty() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() && !told {
                inner.running.iter().for_each(|entry| entry.cancelled.store(true, Relaxed));
                told = true;
            }
            // Whoever does not listen even then is left behind.
            let wait = if told { Duration::from_secs(2) } else { left };
            let timeout;
            (inner, timeout) = self.ended.wait_timeout(inner, wait).unwrap_or_else(PoisonError::into_inner);
            if told && timeout.timed_out() {
                return;
            }
        }
    }

    /// How many there are of each kind.
    pub(super) fn census(&self) -> Census {
        let mut inner = self.inner();
        inner.forget(self.keep);
        let ended = |state: JobState| self.ended_as[state as usize].load(Relaxed);
        Census {
            queued: inner.queue.len(),
            running: inner.running.len(),
            kept: inner.kept.len(),
            kept_bytes: inner.kept_bytes,
            done: ended(JobState::Done),
            cancelled: ended(JobState::Cancelled),
            failed: ended(JobState::Failed),
            refused: self.refused.load(Relaxed),
            nodes: self.nodes.load(Relaxed),
        }
    }

    /// Counts nodes that were generated elsewhere.
    pub(super) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }

    /// Starts threads that work on jobs as long as the service lives.
    pub(super) fn start(self: &Arc<Jobs>, threads: usize, means: &Arc<Means>) -> std::io::Result<()> {
        for number in 0..threads {
            let (jobs, means) = (Arc::clone(self), Arc::clone(means));
            thread::Builder::new().name(format!("job-{number}")).spawn(move || jobs.work(&means))?;
        }
        Ok(())
    }

    fn work(&self, means: &Means) {
        while let Some(entry) = self.next() {
            entry.begin();
            let solved = panic::catch_unwind(AssertUnwindSafe(|| self.solve(&entry, means)));
            let (state, error) = match solved {
                Ok(Ok(())) if entry.cancelled() => (JobState::Cancelled, None),
                Ok(Ok(())) => (JobState::Done, None),
                Ok(Err(why)) => (JobState::Failed, Some(why)),
                Err(_) => (JobState::Failed, Some("internal failure: this is a bug in untumble".into())),
            };
            entry.end(state, error);
            let mut inner = self.inner();
            inner.running.retain(|running| running.id != entry.id);
            self.retire(&mut inner, &entry);
            self.ended.notify_all();
        }
    }

    /// The next job to work on; none where all is to end.
    fn next(&self) -> Option<Arc<Entry>> {
        let mut inner = self.inner();
        loop {
            if let Some(entry) = inner.queue.pop_front() {
                inner.running.push(Arc::clone(&entry));
                return Some(entry);
            }
            if inner.closing {
                return None;
            }
            inner = self.work.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Solves one position after the other.
    fn solve(&self, entry: &Arc<Entry>, means: &Means) -> Result<(), String> {
        let observer: Arc<dyn JobObserver> = entry.clone();
        // What this job takes is counted by itself and among all.
        let account = MemoryAccount::within(&means.account, means.memory);
        let mut kept: Option<Box<dyn Prepared>> = None;
        for place in 0..entry.task.positions.len() {
            if entry.cancelled() {
                break;
            }
            let plan = entry.task.plan(place);
            let answered = entry.task.answer(place, &plan, &mut kept, &account, &observer);
            let answer = answered.map_err(|error| error.to_string())?;
            self.add_nodes(answer.answer.generated);
            entry.tell(|course| {
                course.answers.push(answer);
                let last = course.answers.len() - 1;
                course.add(LoggedEvent::Answer(last));
            });
        }
        Ok(())
    }

    fn retire(&self, inner: &mut Inner, entry: &Entry) {
        let (state, bytes) = {
            let course = entry.course();
            (course.state, course.bytes())
        };
        self.ended_as[state as usize].fetch_add(1, Relaxed);
        inner.kept.push_back(Kept { id: entry.id.clone(), since: Instant::now(), bytes });
        inner.kept_bytes += bytes;
        inner.forget(self.keep);
    }
}

impl Inner {
    /// Forgets what was kept long enough, and what is too much.
    fn forget(&mut self, keep: Duration) {
        while let Some(oldest) = self.kept.front() {
            let crowded = self.kept.len() > MOST_KEPT || self.kept_bytes > MOST_KEPT_BYTES;
            if !crowded && oldest.since.elapsed() < keep {
                return;
            }
            self.all.remove(&oldest.id);
            self.kept_bytes -= oldest.bytes;
            self.kept.pop_front();
        }
    }
}

/// A job id that cannot be guessed: 128 random bits.
fn name<T>(taken: &HashMap<String, T>) -> String {
    loop {
        let half = || getrandom::u64().expect("the system has a source of random numbers");
        let id = format!("{:016x}{:016x}", half(), half());
        if !taken.contains_key(&id) {
            return id;
        }
    }
}
