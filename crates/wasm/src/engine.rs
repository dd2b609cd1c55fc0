//! The API as functions from JSON to JSON, for one caller at a time: what the service does over HTTP, on one thread and in
//! memory alone.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;

use untumble_search::control::MemoryAccount;
use untumble_search::error::Error;
use untumble_search::frontend::{DynPuzzle, Prepared};
use untumble_search::runtime::Runtime;
use untumble_session::{
    AnswerEvent, ApplyRequest, Cap, CheckRequest, DoneEvent, JobEvent, JobObserver, JobRequest, JobState,
    Plan, Problem, ProblemKind, ScrambleRequest, Session, Settings, StateEvent, Task,
};

/// The most a search may take: a page never has more than four times as much, and phones have less.
const CAP: Cap = Cap { time: None, memory: Some(1 << 30), threads: 1 };
/// The most positions of one request.
const MOST_POSITIONS: usize = 1000;
/// The most random moves of one request: some seconds.
const MOST_STEPS: u64 = 10_000_000;

/// One engine. It keeps tables and solvers from search to search.
#[derive(Default)]
pub struct Engine {
    runtime: Runtime,
    account: MemoryAccount,
    open: Mutex<Option<Open>>,
    ready: Mutex<Option<Ready>>,
}

/// The puzzle that was asked for last.
#[derive(Clone)]
struct Open {
    name: String,
    setting: Settings,
    session: Session,
}

/// The solvers that ran last, for a request with the same plan.
struct Ready {
    plan: Plan,
    solvers: Option<Box<dyn Prepared>>,
}

/// Receives events as JSON; the answer `true` cancels the search.
pub type Page = dyn Fn(&str) -> bool + Send + Sync;

/// A page that receives events until it cancels.
struct PageObserver {
    page: Box<Page>,
    cancelled: AtomicBool,
}

impl PageObserver {
    fn end(&self, state: JobState, answers: usize, positions: usize, error: Option<String>) {
        self.event(JobEvent::State(StateEvent { state, positions, error: error.clone() }));
        self.event(JobEvent::Done(DoneEvent { state, answers, error }));
    }
}

impl JobObserver for PageObserver {
    fn event(&self, event: JobEvent) {
        let silent = matches!(event, JobEvent::Warning(_));
        if !silent && (self.page)(&json(&event)) {
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
        json(&untumble_session::families(&self.runtime))
    }

    /// `GET /puzzles/{puzzle}`.
    pub fn describe(&self, puzzle: &str, setting: &str) -> Result<String, Problem> {
        let puzzle = self.open(puzzle, &read(setting)?)?;
        Ok(json(&untumble_session::describe(&*puzzle, &self.runtime)))
    }

    /// `POST /puzzles/{puzzle}/check`.
    pub fn check(&self, puzzle: &str, request: &str) -> Result<String, Problem> {
        let request: CheckRequest = read(request)?;
        let puzzle = self.open(puzzle, &request.settings())?;
        Ok(json(&untumble_session::check(&*puzzle, &request)?))
    }

    /// `POST /puzzles/{puzzle}/scramble`; `fresh` is the seed where the request has none.
    pub fn scramble(&self, puzzle: &str, request: &str, fresh: u64) -> Result<String, Problem> {
        let request: ScrambleRequest = read(request)?;
        let (count, most) = (request.count.unwrap_or(1), MOST_POSITIONS as u64);
        if !(1..=most).contains(&count) {
            return Err(usage(format!("count is 1 to {most} here, not {count}")));
        }
        if request.depth.is_some_and(|depth| depth.saturating_mul(count) > MOST_STEPS) {
            return Err(usage(format!(
                "depth times count is at most {MOST_STEPS} here; without depth positions are drawn uniformly"
            )));
        }
        let puzzle = self.open(puzzle, &request.settings())?;
        Ok(json(&untumble_session::scramble(&*puzzle, &request, fresh)?))
    }

    /// `POST /puzzles/{puzzle}/apply`.
    pub fn apply(&self, puzzle: &str, request: &str) -> Result<String, Problem> {
        let request: ApplyRequest = read(request)?;
        let puzzle = self.open(puzzle, &request.settings())?;
        Ok(json(&untumble_session::apply(&*puzzle, &request)?))
    }

    /// `POST /jobs` and its events. What is wrong with the request is the result; what happens from then on is told.
    pub fn solve(&self, request: &str, page: Box<Page>) -> Result<(), Problem> {
        let request: JobRequest = read(request)?;
        let task = Task::new(&request, MOST_POSITIONS, CAP, |name, setting| self.session(name, setting))?;
        let observer = Arc::new(PageObserver { page, cancelled: AtomicBool::new(false) });
        let positions = task.positions.len();
        observer.event(JobEvent::State(StateEvent { state: JobState::Running, positions, error: None }));
        let mut answers = 0;
        let ended = (0..positions).take_while(|_| !observer.cancelled()).try_for_each(|place| {
            let answer = self.answer(&task, place, &observer)?;
            answers += 1;
            observer.event(JobEvent::Answer(Box::new(answer)));
            Ok::<(), Error>(())
        });
        match ended {
            Err(error) => observer.end(JobState::Failed, answers, positions, Some(error.to_string())),
            Ok(()) if observer.cancelled() => observer.end(JobState::Cancelled, answers, positions, None),
            Ok(()) => observer.end(JobState::Done, answers, positions, None),
        }
        Ok(())
    }

    /// Answers one position, with the solvers of the one before where they fit.
    fn answer(&self, task: &Task, place: usize, observer: &Arc<PageObserver>) -> Result<AnswerEvent, Error> {
        let plan = task.plan(place);
        // Other solvers give back their memory before these take theirs.
        let kept = lock(&self.ready).take().filter(|ready| ready.plan == plan);
        let mut ready = kept.unwrap_or(Ready { plan, solvers: None });
        let observer: Arc<dyn JobObserver> = observer.clone();
        let answer = task.answer(place, &ready.plan, &mut ready.solvers, &self.account, &observer)?;
        *lock(&self.ready) = Some(ready);
        Ok(answer)
    }

    fn open(&self, name: &str, setting: &Settings) -> Result<Arc<dyn DynPuzzle>, Problem> {
        Ok(Arc::clone(self.session(name, setting)?.puzzle()))
    }

    /// The puzzle of a name, which is likely to be the one before.
    fn session(&self, name: &str, setting: &Settings) -> Result<Session, Problem> {
        let mut open = lock(&self.open);
        if let Some(open) = open.as_ref().filter(|open| open.name == name && open.setting == *setting) {
            return Ok(open.session.clone());
        }
        let session = Session::open(&self.runtime, name, setting)?;
        let opened = Open { name: name.into(), setting: setting.clone(), session };
        Ok(open.insert(opened).session.clone())
    }
}

fn usage(why: String) -> Problem {
    Problem::new(ProblemKind::Usage, why)
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
    serde_json::from_str(text).map_err(|error| usage(format!("the body: {error}")))
}

/// A value as the API writes it.
pub fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("what the API says fits JSON")
}

/// Whoever panicked took the whole engine down.
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

    /// The events of a search that ends when `enough` says so.
    fn solve(
        engine: &'static Engine,
        request: &str,
        enough: impl Fn(&Value) -> bool + Send + Sync + 'static,
    ) -> Vec<Value> {
        let events: Arc<Mutex<Vec<Value>>> = Arc::default();
        let heard = Arc::clone(&events);
        let page = move |text: &str| {
            let event: Value = serde_json::from_str(text).expect("JSON");
            let enough = enough(&event);
            lock(&heard).push(event);
            enough
        };
        engine.solve(request, Box::new(page)).expect("a request that makes sense");
        lock(&events).clone()
    }

    fn names(events: &[Value]) -> Vec<&str> {
        let names = events.iter().map(|event| event["event"].as_str().expect("a name"));
        names.filter(|name| *name != "progress").collect()
    }

    #[test]
    fn a_search_tells_its_course_and_keeps_its_solvers() {
        let engine = engine();
        let request = r#"{"puzzle":"8-puzzle","positions":["8 6 7 2 5 4 3 0 1","1 2 3 4 5 6 8 7 0"]}"#;
        for _ in 0..2 {
            let events = solve(engine, request, |_| false);
            assert_eq!(names(&events), ["state", "best", "answer", "answer", "state", "done"]);
            let answers: Vec<&Value> = events.iter().filter(|event| event["event"] == "answer").collect();
            assert_eq!(answers[0]["data"]["length"], 31);
            assert_eq!(answers[1]["data"]["outcome"], "unsolvable");
            assert_eq!(events.last().expect("events")["data"]["answers"], 2);
            assert!(lock(&engine.ready).as_ref().is_some_and(|ready| ready.solvers.is_some()));
        }
    }

    #[test]
    fn a_page_that_has_had_enough_ends_the_search() {
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
    fn requests_that_make_no_sense_are_problems() {
        let engine = engine();
        let status = |result: Result<String, Problem>| result.map_err(|problem| problem.status);
        assert_eq!(status(engine.describe("no-puzzle", "{}")), Err(404));
        assert_eq!(status(engine.describe("8-puzzle", r#"{"goal":"nowhere"}"#)), Err(400));
        assert_eq!(status(engine.describe("8-puzzle", "{")), Err(400));
        assert_eq!(status(engine.check("8-puzzle", r#"{"position":"1 2"}"#)), Err(422));
        assert_eq!(status(engine.scramble("8-puzzle", r#"{"count":100000}"#, 1)), Err(400));
        assert_eq!(status(engine.scramble("8-puzzle", r#"{"depth":100000000}"#, 1)), Err(400));
        let refused = |request: &str| {
            let page = Box::new(|_: &str| panic!("nothing is told of what is refused"));
            engine.solve(request, page).map_err(|problem| (problem.status, problem.position))
        };
        let many =
            format!(r#"{{"puzzle":"8-puzzle","positions":[{}"1"]}}"#, r#""1","#.repeat(MOST_POSITIONS));
        assert_eq!(refused(&many), Err((413, None)));
        assert_eq!(refused(r#"{"puzzle":"8-puzzle"}"#), Err((400, None)));
        assert_eq!(refused(r#"{"puzzle":"8-puzzle","positions":["123456780","1"]}"#), Err((422, Some(1))));
        let file = r#"{"puzzle":"balto-3","position":"1A","solver":"beam+learned:x"}"#;
        assert_eq!(refused(file), Err((400, None)));
    }
}
