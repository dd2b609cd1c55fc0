//! Who takes part: a solver made ready, on so many threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use untumble_search::control::{Control, Event, Limits, Observer, Stop};
use untumble_search::error::Error as SearchError;
use untumble_search::frontend::{DynPuzzle, Position, Prepared, Workload};
use untumble_search::runtime::Runtime;
use untumble_search::spec::Spec;
use untumble_search::tables::{Build, Table, TableId, Tables};
use untumble_session::{Plan, Record, SearchContext, Session};

use super::positions::Posed;
use crate::error::Error;

/// A solver on so many threads.
pub(crate) struct Entrant {
    /// As it was asked for.
    pub(crate) solver: String,
    pub(crate) threads: usize,
    pub(crate) ready: Arc<Ready>,
}

/// A solver with its tables.
pub(crate) struct Ready {
    pub(crate) session: Session,
    pub(crate) plan: Plan,
    /// The solver, or the limit that kept it from being made ready.
    pub(crate) solvers: Result<Box<dyn Prepared>, Stop>,
    /// How long building or reading its tables took.
    pub(crate) seconds: f64,
    /// The bytes that its tables hold, shared ones included.
    pub(crate) bytes: u64,
    /// The bytes that no solver before it had asked for.
    pub(crate) own: u64,
}

impl Ready {
    /// Solves a position within `limits`; `None` where the solvers are not ready or the search was interrupted.
    pub(crate) fn solve(
        &self,
        position: &Position,
        limits: Limits,
        observer: &Arc<dyn Observer>,
    ) -> Result<Option<Record>, Error> {
        let Ok(solvers) = &self.solvers else { return Ok(None) };
        let context = SearchContext::observed_by(Arc::clone(observer));
        let record = self.session.solve_with(&**solvers, position, &self.plan.within(limits), &context)?;
        Ok(Some(record).filter(|record| !record.interrupted()))
    }
}

/// A solver asked for; `None` is `auto`.
pub struct Wanted {
    /// As it was asked for.
    pub name: String,
    /// What to build.
    pub spec: Option<Spec>,
}

/// A first search touches code and memory that later ones find warm; it is not measured.
const WARM_UP: Duration = Duration::from_millis(250);

/// Makes every solver ready and warm, and finds out which of them use threads. Limits of single searches do not bind
/// tables that serve all of them; the memory does.
pub(crate) fn make_ready(
    puzzle: &Arc<dyn DynPuzzle>,
    wanted: &[Wanted],
    posed: &[Posed],
    limits: Limits,
    threads: &[usize],
    runtime: &Runtime,
    observer: &Arc<dyn Observer>,
) -> Result<Vec<Entrant>, Error> {
    let most = threads.iter().copied().max().unwrap_or(1);
    let mut entrants = Vec::new();
    let mut held = 0;
    for Wanted { name, spec } in wanted {
        let memory = limits.memory.map(|memory| memory.saturating_sub(held));
        let limits = Limits { threads: most, memory, ..limits };
        let workload = Workload { position: None, count: posed.len(), limits, all: false };
        let ready = Arc::new(prepare(puzzle, name, spec.as_ref(), &workload, runtime, observer)?);
        held += ready.own;
        let memory = limits.memory.map(|memory| memory.saturating_sub(ready.own));
        let parallel = warm_up(&ready, posed, Limits { memory, ..limits }, observer)? > 1;
        // A solver that uses one thread is measured once.
        let threads = if parallel { threads } else { &[1] };
        entrants.extend(threads.iter().map(|&threads| Entrant {
            solver: name.clone(),
            threads,
            ready: Arc::clone(&ready),
        }));
    }
    Ok(entrants)
}

fn prepare(
    puzzle: &Arc<dyn DynPuzzle>,
    name: &str,
    spec: Option<&Spec>,
    workload: &Workload<'_, Position>,
    runtime: &Runtime,
    observer: &Arc<dyn Observer>,
) -> Result<Ready, Error> {
    let shared = Arc::new(Shared { tables: Arc::clone(&runtime.tables), bytes: AtomicU64::new(0) });
    let runtime = runtime.clone().with_tables(Arc::clone(&shared) as Arc<dyn Tables>);
    let session = Session::new(&runtime, Arc::clone(puzzle));
    let plan = session.plan(spec, workload);
    let context = SearchContext::observed_by(Arc::clone(observer));
    let (solvers, seconds) = match session.prepare(&plan, &context) {
        Ok(ready) => (Ok(ready.prepared), ready.seconds),
        Err(SearchError::Stopped(Stop::Interrupted)) => {
            return Err(Error::Interrupted(" while tables were made ready"));
        }
        Err(SearchError::Stopped(stop)) => {
            let warning = format!("{name}: its tables do not fit {stop}; it is counted as stopped");
            observer.on_event(&Event::Warning(warning));
            (Err(stop), 0.0)
        }
        Err(other) => return Err(other.into()),
    };
    let own = context.account.used();
    let bytes = own + shared.bytes.load(Relaxed);
    Ok(Ready { session, plan, solvers, seconds, bytes, own })
}

/// Solves something once. Returns the number of threads that it took.
fn warm_up(
    ready: &Ready,
    posed: &[Posed],
    limits: Limits,
    observer: &Arc<dyn Observer>,
) -> Result<usize, Error> {
    let puzzle = ready.session.puzzle();
    let unsolved = posed.iter().find(|posed| !puzzle.is_solved(&posed.position));
    let (Ok(_), Some(posed)) = (&ready.solvers, unsolved) else { return Ok(1) };
    let time = Some(limits.time.map_or(WARM_UP, |time| time.min(WARM_UP)));
    match ready.solve(&posed.position, Limits { time, ..limits }, observer)? {
        Some(record) => Ok(record.threads),
        None => Err(Error::Interrupted(" before anything was measured")),
    }
}

/// Tables, and a note of the bytes that were there already and are on somebody else's account.
struct Shared {
    tables: Arc<dyn Tables>,
    bytes: AtomicU64,
}

impl Tables for Shared {
    fn get(
        &self,
        id: &TableId,
        length: usize,
        control: &Control,
        build: &mut Build<'_>,
    ) -> Result<Arc<Table>, SearchError> {
        let before = control.account().used();
        let table = self.tables.get(id, length, control, build)?;
        let charged = control.account().used().saturating_sub(before);
        self.bytes.fetch_add((length as u64).saturating_sub(charged), Relaxed);
        Ok(table)
    }

    fn has(&self, id: &TableId, length: usize) -> bool {
        self.tables.has(id, length)
    }
}
