//! One position, one answer: for one-liners and for programs that ask much.
//!
//! Questions wait in one short queue for a few threads of their own, so that long jobs do not hold them up and no thread
//! that serves connections ever searches. Solvers and their tables are kept and shared; `auto` is told how many positions were
//! asked for before, since as many may well come.

use std::collections::VecDeque;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use axum::extract::State;
use serde::Deserialize;
use tokio::sync::oneshot;

use untumble_search::control::{Limits, MemoryAccount};
use untumble_search::error::Error;
use untumble_search::frontend::{Position, Workload};
use untumble_search::spec::Spec;
use untumble_session::amounts::parse_duration;
use untumble_session::{
    InputKind, JobEvent, JobLimits, JobObserver, Problem, ProblemKind, Record, Settings, observed, read,
    solver_from_afar,
};

use super::puzzle_cache::{Opened, Ready};
use super::refusal::{Addressed, Queried, Refused, Said};
use super::{Service, Shared};

/// How to solve.
#[derive(Deserialize, utoipa::IntoParams, Debug)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct How {
    /// The solver's text, `+` written as %2B; `auto` where not given.
    #[param(example = "ida%2Bmanhattan")]
    with: Option<String>,
    /// Seconds, at most what the service allows; one of its own where not given.
    #[param(example = "2")]
    time: Option<String>,
    /// What the text stands for; without it one finds out.
    #[serde(rename = "as")]
    #[param(rename = "as", inline, value_type = Option<untumble_session::TextKind>)]
    kind: Option<InputKind>,
    /// What to get to.
    goal: Option<String>,
    /// How moves are counted.
    metric: Option<String>,
}

/// Solve one position and answer when it is done.
#[utoipa::path(get, path = "/api/v1/solve/{puzzle}/{position}", tag = "solve", operation_id = "solve",
    params(
        ("puzzle" = String, Path, description = "The puzzle's name", example = "8-puzzle"),
        ("position" = String, Path, description = "A position, or moves from solved", example = "8 6 7 2 5 4 3 0 1"),
        How),
    responses(
        (status = 200, description = "The answer", body = Record),
        (status = 400, description = "The request makes no sense", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such puzzle", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "The text is no position", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "Too many requests", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "Busy; try again later", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn solve(
    State(service): State<Shared>,
    Addressed((name, position)): Addressed<(String, String)>,
    Queried(how): Queried<How>,
) -> Result<Said<Record>, Refused> {
    let (send, receive) = oneshot::channel();
    let asking = Arc::clone(&service);
    let question = move || {
        // Whoever has gone away needs no answer.
        if send.is_closed() {
            return;
        }
        let patience = Arc::new(Patience(Mutex::new(Some(send))));
        let solved =
            panic::catch_unwind(AssertUnwindSafe(|| answer(&asking, &name, &position, how, &patience)));
        let solved = solved.unwrap_or_else(|_| {
            Err(Refused::new(ProblemKind::Failure, "internal failure: this is a bug in untumble"))
        });
        if let Some(send) = patience.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = send.send(solved);
        }
    };
    if !service.quick.ask(Box::new(question)) {
        return Err(busy());
    }
    receive.await.unwrap_or_else(|_| Err(busy())).map(Said)
}

fn busy() -> Refused {
    Refused::new(ProblemKind::Busy, "as many questions wait as may; try again later")
        .retry_after(Duration::from_secs(1))
}

type Reply = oneshot::Sender<Result<Record, Refused>>;

/// Ends a search when nobody waits for it any more.
struct Patience(Mutex<Option<Reply>>);

impl JobObserver for Patience {
    fn event(&self, event: JobEvent) {
        if let JobEvent::Warning(warning) = event {
            tracing::warn!("{warning}");
        }
    }

    fn cancelled(&self) -> bool {
        let reply = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        reply.as_ref().is_none_or(oneshot::Sender::is_closed)
    }
}

fn answer(
    service: &Service,
    name: &str,
    text: &str,
    how: How,
    patience: &Arc<Patience>,
) -> Result<Record, Refused> {
    let opened = service.puzzle_cache.open(name, &Settings { goal: how.goal, metric: how.metric })?;
    let puzzle = opened.session.puzzle();
    let wanted = solver_from_afar(&opened.session, how.with.as_deref().unwrap_or("auto"), false)?;
    let time = how.time.as_deref().map(parse_duration).transpose();
    let time = time.map_err(|why| Refused::new(ProblemKind::Usage, format!("time: {why}")))?;
    let position = read(&**puzzle, text, &how.kind.into()).map_err(Error::from)?;
    let asked = JobLimits { time: time.map(|time| time.as_secs_f64()), ..JobLimits::default() };
    let limits = asked.granted(service.caps.quick(time.is_some()), None);
    let observer: Arc<dyn JobObserver> = patience.clone();
    Ok(find(service, &opened, &position, wanted.as_ref(), limits, &observer)?)
}

/// The answer of solvers that stand ready, or are made ready now and kept.
fn find(
    service: &Service,
    opened: &Opened,
    position: &Position,
    wanted: Option<&Spec>,
    limits: Limits,
    observer: &Arc<dyn JobObserver>,
) -> Result<Record, Error> {
    let means = &service.means;
    let account = MemoryAccount::within(&means.account, means.memory);
    let (session, count) = (&opened.session, opened.count());
    let only = (count == 1).then_some(position);
    let plan = session.plan(wanted, &Workload { position: only, count, limits, all: false });
    let context = observed(session, &plan, 0, &account, observer);
    if let Some(solvers) = opened.ready(&plan) {
        let record = session.solve_with(&*solvers, position, &plan, &context)?;
        service.jobs.add_nodes(record.generated);
        return Ok(record);
    }
    if means.account.used() > means.memory / 2 {
        service.puzzle_cache.forget();
    }
    let mut kept = None;
    let record = session.solve(position, &plan, &mut kept, &context)?;
    service.jobs.add_nodes(record.generated);
    if let Some(solvers) = kept {
        opened.keep(plan, Ready::from(solvers));
    }
    Ok(record)
}

type Question = Box<dyn FnOnce() + Send>;

/// The threads that answer, and those who wait for them.
pub(super) struct Quick {
    waiting: Mutex<VecDeque<Question>>,
    work: Condvar,
    most: usize,
}

impl Quick {
    /// So many threads, and room for so many who wait.
    pub(super) fn start(threads: usize, most: usize) -> std::io::Result<Arc<Quick>> {
        let quick = Arc::new(Quick { waiting: Mutex::default(), work: Condvar::new(), most });
        for number in 0..threads {
            let quick = Arc::clone(&quick);
            thread::Builder::new().name(format!("quick-{number}")).spawn(move || quick.work())?;
        }
        Ok(quick)
    }

    /// How many wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Hands over a question; false where there is no room.
    fn ask(&self, question: Question) -> bool {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() >= self.most {
            return false;
        }
        waiting.push_back(question);
        drop(waiting);
        self.work.notify_one();
        true
    }

    fn work(&self) {
        loop {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            let question = loop {
                match waiting.pop_front() {
                    Some(question) => break question,
                    None => waiting = self.work.wait(waiting).unwrap_or_else(PoisonError::into_inner),
                }
            };
            drop(waiting);
            question();
        }
    }
}
