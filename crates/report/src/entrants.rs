//! Who takes part: a solver made ready, on so many threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use untumble_search::control::{Control, Event, Limits, Observer, Stop};
use untumble_search::error::Error as SearchError;
use untumble_search::frontend::{DynPuzzle, Prepared, Stage, Workload};
use untumble_search::runtime::Runtime;
use untumble_search::spec::Spec;
use untumble_search::tables::{Build, Table, TableId, Tables};

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
    /// The solver, or the limit that kept it from being made ready.
    pub(crate) solvers: Result<Box<dyn Prepared>, Stop>,
    /// How long building or reading its tables took.
    pub(crate) seconds: f64,
    /// The bytes that its tables hold, shared ones included.
    pub(crate) bytes: u64,
    /// The bytes that they hold and nobody before had asked for.
    pub(crate) own: u64,
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
    puzzle: &dyn DynPuzzle,
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
        let turns: Vec<Stage> = match spec {
            Some(spec) => vec![spec.clone().into()],
            None => puzzle
                .auto(&Workload { position: None, count: posed.len(), limits, all: false }, &*runtime.tables),
        };
        let ready = Arc::new(prepare(puzzle, name, &turns, limits, runtime, observer)?);
        held += ready.own;
        let memory = limits.memory.map(|memory| memory.saturating_sub(ready.own));
        let parallel = warm_up(puzzle, &ready, posed, Limits { memory, ..limits }, observer)? > 1;
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
    puzzle: &dyn DynPuzzle,
    name: &str,
    turns: &[Stage],
    limits: Limits,
    runtime: &Runtime,
    observer: &Arc<dyn Observer>,
) -> Result<Ready, Error> {
    let control = Control::new(Limits { time: None, nodes: None, ..limits }, Arc::clone(observer));
    let shared = Arc::new(Shared { tables: Arc::clone(&runtime.tables), bytes: AtomicU64::new(0) });
    let runtime = runtime.clone().with_tables(Arc::clone(&shared) as Arc<dyn Tables>);
    let begun = Instant::now();
    let solvers = match puzzle.prepare(turns, &runtime, &control) {
        Ok(solvers) => Ok(solvers),
        Err(SearchError::Stopped(Stop::Interrupted)) => {
            return Err(Error::Interrupted(" while tables were made ready"));
        }
        Err(SearchError::Stopped(stop)) => {
            let warning = format!("{name}: its tables do not fit {stop}; it is counted as stopped");
            observer.on_event(&Event::Warning(warning));
            Err(stop)
        }
        Err(other) => return Err(other.into()),
    };
    let own = control.account().used();
    let bytes = own + shared.bytes.load(Relaxed);
    Ok(Ready { solvers, seconds: begun.elapsed().as_secs_f64(), bytes, own })
}

/// Solves something once. Says how many threads that took.
fn warm_up(
    puzzle: &dyn DynPuzzle,
    ready: &Ready,
    posed: &[Posed],
    limits: Limits,
    observer: &Arc<dyn Observer>,
) -> Result<usize, Error> {
    let unsolved = posed.iter().find(|posed| !puzzle.is_solved(&posed.position));
    let (Ok(solvers), Some(posed)) = (&ready.solvers, unsolved) else { return Ok(1) };
    let time = Some(limits.time.map_or(WARM_UP, |time| time.min(WARM_UP)));
    let control = Control::new(Limits { time, ..limits }, Arc::clone(observer));
    let answer = solvers.solve(&posed.position, &control);
    if control.stop() == Some(Stop::Interrupted) {
        return Err(Error::Interrupted(" before anything was measured"));
    }
    Ok(answer.report.threads)
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
