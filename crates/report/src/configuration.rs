//! Configurations: a solver, prepared with its tables, on a fixed number of threads.
//!
//! A solver text is planned once ([`Plan`]: the solvers that run one after the other on a position) and
//! prepared before the measurements, so that no measured search builds a table.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use untumble_search::control::{Control, Event, Limits, Observer, Stop};
use untumble_search::error::Error as SearchError;
use untumble_search::frontend::{DynPuzzle, Position, PreparedPortfolio, Workload};
use untumble_search::runtime::Runtime;
use untumble_search::spec::Spec;
use untumble_search::tables::{Build, Table, TableId, Tables};
use untumble_session::{Plan, Record, SearchContext, Session};

use super::instances::Instance;
use super::setup::Configuration;
use crate::error::Error;

/// A prepared solver on a number of threads.
pub(crate) struct PreparedConfiguration {
    /// The solver text as requested.
    pub(crate) name: String,
    pub(crate) threads: usize,
    /// Shared by the configurations that differ only in `threads`.
    pub(crate) solver: Arc<PreparedSolver>,
}

impl PreparedConfiguration {
    /// The configuration as written into the results.
    pub(crate) fn id(&self) -> Configuration {
        Configuration { solver: self.name.clone(), threads: self.threads }
    }
}

/// A solver with its tables.
pub(crate) struct PreparedSolver {
    pub(crate) session: Session,
    pub(crate) plan: Plan,
    /// The stages of the plan, or the limit that prevented their preparation.
    pub(crate) stages: Result<Box<dyn PreparedPortfolio>, Stop>,
    /// Seconds spent on building or loading tables.
    pub(crate) table_seconds: f64,
    /// Bytes of all tables in use, including those loaded for earlier solvers.
    pub(crate) table_bytes: u64,
    /// Bytes of the tables that no earlier solver had loaded.
    pub(crate) new_table_bytes: u64,
}

impl PreparedSolver {
    /// Solves a position within `limits`; `None` if the solver is not prepared or the search was
    /// interrupted.
    pub(crate) fn solve(
        &self,
        position: &Position,
        limits: Limits,
        observer: &Arc<dyn Observer>,
    ) -> Result<Option<Record>, Error> {
        let Ok(stages) = &self.stages else { return Ok(None) };
        let context = SearchContext::observed_by(Arc::clone(observer));
        let record =
            self.session.solve_with(&**stages, position, &self.plan.with_limits(limits), &context)?;
        Ok(Some(record).filter(|record| !record.interrupted()))
    }
}

/// A solver to include in an experiment.
pub struct SolverRequest {
    /// The solver text as requested; it labels the results.
    pub name: String,
    /// The parsed solver text; `None` is `auto`.
    pub spec: Option<Spec>,
}

/// Duration of the unmeasured search that warms up caches and branch predictors.
const WARM_UP: Duration = Duration::from_millis(250);

/// Prepares and warms up every solver. A solver that uses only one thread gets one configuration; every
/// other solver gets one configuration for each element of `threads`.
///
/// Building tables is subject to the memory limit. The time and node limits apply to single searches only.
pub(crate) fn prepare_all(
    puzzle: &Arc<dyn DynPuzzle>,
    solvers: &[SolverRequest],
    instances: &[Instance],
    limits: Limits,
    threads: &[usize],
    runtime: &Runtime,
    observer: &Arc<dyn Observer>,
) -> Result<Vec<PreparedConfiguration>, Error> {
    let max_threads = threads.iter().copied().max().unwrap_or(1);
    let mut configurations = Vec::new();
    let mut table_bytes = 0;
    for SolverRequest { name, spec } in solvers {
        let memory = limits.memory.map(|memory| memory.saturating_sub(table_bytes));
        let limits = Limits { threads: max_threads, memory, ..limits };
        let workload = Workload { position: None, count: instances.len(), limits, all_solutions: false };
        let solver = Arc::new(prepare(puzzle, name, spec.as_ref(), &workload, runtime, observer)?);
        table_bytes += solver.new_table_bytes;
        let memory = limits.memory.map(|memory| memory.saturating_sub(solver.new_table_bytes));
        let parallel = warm_up(&solver, instances, Limits { memory, ..limits }, observer)? > 1;
        let threads = if parallel { threads } else { &[1] };
        configurations.extend(threads.iter().map(|&threads| PreparedConfiguration {
            name: name.clone(),
            threads,
            solver: Arc::clone(&solver),
        }));
    }
    Ok(configurations)
}

fn prepare(
    puzzle: &Arc<dyn DynPuzzle>,
    name: &str,
    spec: Option<&Spec>,
    workload: &Workload<'_, Position>,
    runtime: &Runtime,
    observer: &Arc<dyn Observer>,
) -> Result<PreparedSolver, Error> {
    let tables =
        Arc::new(CountingTables { inner: Arc::clone(&runtime.tables), shared_bytes: AtomicU64::new(0) });
    let runtime = runtime.clone().with_tables(Arc::clone(&tables) as Arc<dyn Tables>);
    let session = Session::new(&runtime, Arc::clone(puzzle));
    let plan = session.plan(spec, workload);
    let context = SearchContext::observed_by(Arc::clone(observer));
    let (stages, table_seconds) = match session.prepare(&plan, &context) {
        Ok(prepared) => (Ok(prepared.portfolio), prepared.seconds),
        Err(SearchError::Stopped(Stop::Interrupted)) => {
            return Err(Error::Interrupted(" while preparing tables"));
        }
        Err(SearchError::Stopped(stop)) => {
            let warning = format!("{name}: its tables exceed {stop}; every search is recorded as stopped");
            observer.on_event(&Event::Warning(warning));
            (Err(stop), 0.0)
        }
        Err(other) => return Err(other.into()),
    };
    let new_table_bytes = context.account.used();
    let table_bytes = new_table_bytes + tables.shared_bytes.load(Relaxed);
    Ok(PreparedSolver { session, plan, stages, table_seconds, table_bytes, new_table_bytes })
}

/// Solves one unsolved position without recording it. Returns the number of threads that the solver used.
fn warm_up(
    solver: &PreparedSolver,
    instances: &[Instance],
    limits: Limits,
    observer: &Arc<dyn Observer>,
) -> Result<usize, Error> {
    let puzzle = solver.session.puzzle();
    let unsolved = instances.iter().find(|instance| !puzzle.is_solved(&instance.position));
    let (Ok(_), Some(instance)) = (&solver.stages, unsolved) else { return Ok(1) };
    let time = Some(limits.time.map_or(WARM_UP, |time| time.min(WARM_UP)));
    match solver.solve(&instance.position, Limits { time, ..limits }, observer)? {
        Some(record) => Ok(record.threads),
        None => Err(Error::Interrupted(" before the first measurement")),
    }
}

/// Counts the bytes of the tables that an earlier solver loaded and that its memory account was charged for.
struct CountingTables {
    inner: Arc<dyn Tables>,
    /// Bytes of the tables that an earlier solver loaded.
    shared_bytes: AtomicU64,
}

impl Tables for CountingTables {
    fn get(
        &self,
        id: &TableId,
        length: usize,
        control: &Control,
        build: &mut Build<'_>,
    ) -> Result<Arc<Table>, SearchError> {
        let used_before = control.account().used();
        let table = self.inner.get(id, length, control, build)?;
        let charged = control.account().used().saturating_sub(used_before);
        self.shared_bytes.fetch_add((length as u64).saturating_sub(charged), Relaxed);
        Ok(table)
    }

    fn is_available(&self, id: &TableId, length: usize) -> bool {
        self.inner.is_available(id, length)
    }
}
