//! The API of the HTTP service as functions from JSON to JSON, single-threaded and without files.
//!
//! Each function stands for one route of the service, so the web page sends the same requests and gets the
//! same answers whether it talks to the service or to this engine. Errors are problem details (RFC 9457), as
//! the service sends them.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;

use untumble_search::control::MemoryAccount;
use untumble_search::error::Error;
use untumble_search::frontend::{DynPuzzle, PreparedPortfolio};
use untumble_search::runtime::Runtime;
use untumble_session::{
    AnswerEvent, ApplyRequest, CheckRequest, DoneEvent, JobError, JobEvent, JobObserver, JobRequest,
    JobState, LimitCap, Plan, ProblemDetails, ProblemKind, PuzzleSettings, ScrambleRequest, Session,
    StateEvent, ValidatedJob, json_error,
};

/// The largest limits that a request is granted: any time, one thread, and 1 GiB of memory (wasm32 can
/// address 4 GiB, but phones have less).
const LIMIT_CAP: LimitCap = LimitCap { time: None, memory: Some(1 << 30), threads: 1 };
/// The largest number of positions in one request.
const MAX_POSITIONS: usize = 1000;
/// The largest number of random moves in one request; they take a few seconds.
const MAX_RANDOM_MOVES: u64 = 10_000_000;

/// An engine. It keeps the tables, the last puzzle and the solvers of the last search between calls.
#[derive(Default)]
pub struct Engine {
    /// What all searches share: the tables in memory, the clock, the puzzle families.
    runtime: Runtime,
    /// All memory of tables and searches is charged to this account.
    account: MemoryAccount,
    puzzle: Mutex<Option<CachedPuzzle>>,
    solvers: Mutex<Option<CachedSolvers>>,
}

/// The last puzzle requested.
#[derive(Clone)]
struct CachedPuzzle {
    name: String,
    settings: PuzzleSettings,
    session: Session,
}

/// The solvers of the last search, for requests with the same plan (the same solvers and limits).
struct CachedSolvers {
    plan: Plan,
    prepared: Option<Box<dyn PreparedPortfolio>>,
}

/// Receives events as JSON; returning `true` cancels the search.
pub type EventCallback = dyn Fn(&str) -> bool + Send + Sync;

/// Passes events to the callback and remembers whether it cancelled the search. Warnings are dropped: the
/// API has no event for them, and unlike the service the engine has no log.
struct CallbackObserver {
    callback: Box<EventCallback>,
    cancelled: AtomicBool,
}

impl CallbackObserver {
    /// Sends the last two events of a job.
    fn finish(&self, state: JobState, answers: usize, positions: usize, error: Option<&JobError>) {
        self.on_event(JobEvent::State(StateEvent::new(state, positions, error)));
        self.on_event(JobEvent::Done(DoneEvent::new(state, answers, error)));
    }
}

impl JobObserver for CallbackObserver {
    fn on_event(&self, event: JobEvent) {
        // Not an event of the API, see `CallbackObserver`.
        let is_warning = matches!(event, JobEvent::Warning(_));
        if !is_warning && (self.callback)(&to_json(&event)) {
            self.cancelled.store(true, Relaxed);
        }
    }

    fn cancelled(&self) -> bool {
        self.cancelled.load(Relaxed)
    }
}

impl Engine {
    /// `GET /puzzles`.
    pub fn puzzles(&self) -> String {
        to_json(&untumble_session::families(&self.runtime))
    }

    /// `GET /puzzles/{puzzle}`.
    pub fn describe(&self, puzzle: &str, settings: &str) -> Result<String, ProblemDetails> {
        let puzzle = self.open_puzzle(puzzle, &parse(settings)?)?;
        Ok(to_json(&untumble_session::describe(&*puzzle, &self.runtime)))
    }

    /// `POST /puzzles/{puzzle}/check`.
    pub fn check(&self, puzzle: &str, request: &str) -> Result<String, ProblemDetails> {
        let request: CheckRequest = parse(request)?;
        let puzzle = self.open_puzzle(puzzle, &request.settings())?;
        Ok(to_json(&untumble_session::check(&*puzzle, &request)?))
    }

    /// `POST /puzzles/{puzzle}/scramble`; `seed` is used if the request has none.
    pub fn scramble(&self, puzzle: &str, request: &str, seed: u64) -> Result<String, ProblemDetails> {
        let request: ScrambleRequest = parse(request)?;
        let (count, max) = (request.count.unwrap_or(1), MAX_POSITIONS as u64);
        if !(1..=max).contains(&count) {
            return Err(usage_problem(format!("count must be 1 to {max}, not {count}")));
        }
        if request.depth.is_some_and(|depth| depth.saturating_mul(count) > MAX_RANDOM_MOVES) {
            return Err(usage_problem(format!(
                "depth times count must be at most {MAX_RANDOM_MOVES}; without depth, positions are \
                 uniformly random"
            )));
        }
        let puzzle = self.open_puzzle(puzzle, &request.settings())?;
        Ok(to_json(&untumble_session::scramble(&*puzzle, &request, seed)?))
    }

    /// `POST /puzzles/{puzzle}/apply`.
    pub fn apply(&self, puzzle: &str, request: &str) -> Result<String, ProblemDetails> {
        let request: ApplyRequest = parse(request)?;
        let puzzle = self.open_puzzle(puzzle, &request.settings())?;
        Ok(to_json(&untumble_session::apply(&*puzzle, &request)?))
    }

    /// `POST /jobs` and its event stream. An invalid request is returned as a problem; errors of the search
    /// are reported by events.
    pub fn solve(&self, request: &str, callback: Box<EventCallback>) -> Result<(), ProblemDetails> {
        let request: JobRequest = parse(request)?;
        let job = ValidatedJob::new(&request, MAX_POSITIONS, LIMIT_CAP, |name, settings| {
            self.session(name, settings)
        })?;
        let observer = Arc::new(CallbackObserver { callback, cancelled: AtomicBool::new(false) });
        let positions = job.positions.len();
        observer.on_event(JobEvent::State(StateEvent::new(JobState::Running, positions, None)));
        let mut answers = 0;
        let result = (0..positions).take_while(|_| !observer.cancelled()).try_for_each(|position| {
            let answer = self.solve_position(&job, position, &observer)?;
            answers += 1;
            observer.on_event(JobEvent::Answer(Box::new(answer)));
            Ok::<(), Error>(())
        });
        match result {
            Err(error) => observer.finish(JobState::Failed, answers, positions, Some(&error.into())),
            Ok(()) if observer.cancelled() => observer.finish(JobState::Cancelled, answers, positions, None),
            Ok(()) => observer.finish(JobState::Done, answers, positions, None),
        }
        Ok(())
    }

    /// Solves one position, with the cached solvers if the plan is the same.
    fn solve_position(
        &self,
        job: &ValidatedJob,
        position: usize,
        observer: &Arc<CallbackObserver>,
    ) -> Result<AnswerEvent, Error> {
        // All positions of a job have the same plan; the cached solvers may be those of an earlier job.
        let plan = job.plan(position);
        // The filter drops the solvers of another plan before new ones allocate their tables.
        let cached = lock(&self.solvers).take().filter(|cached| cached.plan == plan);
        let mut solvers = cached.unwrap_or(CachedSolvers { plan, prepared: None });
        let observer: Arc<dyn JobObserver> = observer.clone();
        let answer =
            job.solve_position(position, &solvers.plan, &mut solvers.prepared, &self.account, &observer)?;
        *lock(&self.solvers) = Some(solvers);
        Ok(answer)
    }

    fn open_puzzle(
        &self,
        name: &str,
        settings: &PuzzleSettings,
    ) -> Result<Arc<dyn DynPuzzle>, ProblemDetails> {
        Ok(Arc::clone(self.session(name, settings)?.puzzle()))
    }

    /// The session of a puzzle; the last one is cached.
    fn session(&self, name: &str, settings: &PuzzleSettings) -> Result<Session, ProblemDetails> {
        let mut cached = lock(&self.puzzle);
        if let Some(last) = cached.as_ref().filter(|last| last.name == name && last.settings == *settings) {
            return Ok(last.session.clone());
        }
        let session = Session::open(&self.runtime, name, settings)?;
        let opened = CachedPuzzle { name: name.into(), settings: settings.clone(), session };
        Ok(cached.insert(opened).session.clone())
    }
}

fn usage_problem(detail: String) -> ProblemDetails {
    ProblemDetails::new(ProblemKind::Usage, detail)
}

/// Parses a request; the message of an error contains no names of Rust types.
fn parse<T: DeserializeOwned>(text: &str) -> Result<T, ProblemDetails> {
    serde_json::from_str(text)
        .map_err(|error| usage_problem(format!("invalid request: {}", json_error(&error))))
}

/// Serialises a value of the API.
pub fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("API values are serialisable")
}

/// Locks a mutex. A panic ends the whole engine, so poisoning is irrelevant.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn engine() -> &'static Engine {
        Box::leak(Box::default())
    }

    /// The events of a search that is cancelled when `cancel` returns true.
    fn solve(
        engine: &'static Engine,
        request: &str,
        cancel: impl Fn(&Value) -> bool + Send + Sync + 'static,
    ) -> Vec<Value> {
        let events: Arc<Mutex<Vec<Value>>> = Arc::default();
        let received = Arc::clone(&events);
        let callback = move |text: &str| {
            let event: Value = serde_json::from_str(text).expect("JSON");
            let cancel = cancel(&event);
            lock(&received).push(event);
            cancel
        };
        engine.solve(request, Box::new(callback)).expect("a valid request");
        lock(&events).clone()
    }

    /// The names of the events, without progress.
    fn names(events: &[Value]) -> Vec<&str> {
        let names = events.iter().map(|event| event["event"].as_str().expect("a name"));
        names.filter(|name| *name != "progress").collect()
    }

    #[test]
    fn a_search_sends_events_and_caches_its_solvers() {
        let engine = engine();
        let request = r#"{"puzzle":"8-puzzle","positions":["8 6 7 2 5 4 3 0 1","1 2 3 4 5 6 8 7 0"]}"#;
        for _ in 0..2 {
            let events = solve(engine, request, |_| false);
            assert_eq!(names(&events), ["state", "best", "answer", "answer", "state", "done"]);
            let answers: Vec<&Value> = events.iter().filter(|event| event["event"] == "answer").collect();
            assert_eq!(answers[0]["data"]["length"], 31);
            assert_eq!(answers[1]["data"]["outcome"], "unsolvable");
            assert_eq!(events.last().expect("events")["data"]["answers"], 2);
            assert!(lock(&engine.solvers).as_ref().is_some_and(|solvers| solvers.prepared.is_some()));
        }
    }

    #[test]
    fn the_callback_can_cancel_the_search() {
        let position = "12 2 5 15 16 0 3 19 11 7 17 8 13 6 20 21 14 24 22 10 1 4 9 23 18";
        let request = format!(r#"{{"puzzle":"24-puzzle","positions":["{position}","{position}"]}}"#);
        let events = solve(engine(), &request, |event| event["event"] == "best");
        assert_eq!(names(&events)[..2], ["state", "best"]);
        let answer = events.iter().find(|event| event["event"] == "answer").expect("an answer");
        assert_eq!(answer["data"]["stop"], "interrupted");
        let done = &events.last().expect("events")["data"];
        assert_eq!((&done["state"], &done["answers"]), (&"cancelled".into(), &1.into()));
    }

    #[test]
    fn a_failed_search_sends_its_error_as_data() {
        let request = r#"{"puzzle":"8-puzzle","position":"R D","solver":"ida+pdb:9"}"#;
        let events = solve(engine(), request, |_| false);
        assert_eq!(names(&events), ["state", "state", "done"]);
        for event in &events[1..] {
            let data = &event["data"];
            assert_eq!((&data["state"], &data["code"]), (&"failed".into(), &"argument-invalid".into()));
            assert_eq!(data["span"], serde_json::json!([8, 9]), "the bytes of `9` in the solver text");
            assert!(data["error"].as_str().is_some_and(|error| error.contains("8 tiles")), "{data}");
        }
    }

    #[test]
    fn invalid_requests_are_problems() {
        let engine = engine();
        let status = |result: Result<String, ProblemDetails>| result.map_err(|problem| problem.status);
        assert_eq!(status(engine.describe("no-puzzle", "{}")), Err(404));
        assert_eq!(status(engine.describe("8-puzzle", r#"{"goal":"nowhere"}"#)), Err(400));
        assert_eq!(status(engine.describe("8-puzzle", "{")), Err(400));
        assert_eq!(status(engine.check("8-puzzle", r#"{"position":"1 2"}"#)), Err(422));
        assert_eq!(status(engine.scramble("8-puzzle", r#"{"count":100000}"#, 1)), Err(400));
        assert_eq!(status(engine.scramble("8-puzzle", r#"{"depth":100000000}"#, 1)), Err(400));
        let refused = |request: &str| {
            let callback = Box::new(|_: &str| panic!("a rejected request sends no events"));
            engine.solve(request, callback).map_err(|problem| (problem.status, problem.position))
        };
        let many = format!(r#"{{"puzzle":"8-puzzle","positions":[{}"1"]}}"#, r#""1","#.repeat(MAX_POSITIONS));
        assert_eq!(refused(&many), Err((413, None)));
        assert_eq!(refused(r#"{"puzzle":"8-puzzle"}"#), Err((400, None)));
        assert_eq!(refused(r#"{"puzzle":"8-puzzle","positions":["123456780","1"]}"#), Err((422, Some(1))));
        // `learned:x` names a file of weights; the engine has no files.
        let needs_file = r#"{"puzzle":"balto-3","position":"1A","solver":"beam+learned:x"}"#;
        assert_eq!(refused(needs_file), Err((400, None)));
    }
}
